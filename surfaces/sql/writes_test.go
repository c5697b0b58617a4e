//go:build cgo

package sql_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/toolfn/value"
)

var orderColumns = []string{"id", "reader", "title", "copies", "price", "state"}

// ordersDatabase holds the shop's orders and readers.
func ordersDatabase(t *testing.T, s *shop) *engine.DB {
	db := engine.Open(engine.Options{})
	register := func(name string, columns []engine.Column, rows []*value.Object) {
		var all [][]any
		for _, r := range rows {
			var cells []any
			for _, c := range columns {
				v, _ := r.Get(c.Name)
				cells = append(cells, v)
			}
			all = append(all, cells)
		}
		if err := db.Register(engine.TableSpec{Name: name, Columns: columns}, slices.Values(all)); err != nil {
			t.Fatal(err)
		}
	}
	register("orders", []engine.Column{{Name: "id", Type: "text"}, {Name: "reader", Type: "text"}, {Name: "title", Type: "text"}, {Name: "copies", Type: "bigint"}, {Name: "price", Type: "double precision"}, {Name: "state", Type: "text"}}, s.orders)
	register("readers", []engine.Column{{Name: "name", Type: "text"}, {Name: "city", Type: "text"}}, s.readers)
	return db
}

// change makes a random statement that changes orders.
func randomChange(r *rand.Rand, n int) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	where := func() string {
		return pick("state = 'open'", "copies > 2", "reader in ('ann', 'cy')", "price is null", "not (state = 'sent' or copies = 1)", "title like '%a%'",
			"reader in (select name from readers where city = 'Porto')", "exists (select 1 from readers x where x.name = reader and x.city is null)",
			"copies = (select max(y.copies) from orders y)", "id = any (array['A-1', 'B-3', 'B-5'])", "state = null", "coalesce(state, 'open') = 'open'",
			"copies < (select avg(z.copies) from orders z where z.reader = orders.reader)", "id in (select id from orders where state = 'open') or copies is null")
	}
	set := pick("state = "+pick("'open'", "'sent'", "'lost'", "null"), "copies = copies + 1", "copies = coalesce(copies, 0) * 2 % 7, title = upper(title)",
		"price = copies * 1.5", "reader = (select min(name) from readers where city = 'Porto')", "state = case when copies > 1 then 'open' else state end")
	switch r.IntN(7) {
	case 0:
		return fmt.Sprintf("insert into orders (id, reader, title, copies, state) values ('B-%d', %s, 'T' || %d, %d + 1, 'open'), ('C-%d', null, 'Walden', null, %s)",
			n, pick("'ann'", "'dan'", "(select max(name) from readers)"), n, r.IntN(5), n, pick("'sent'", "lower('OPEN')"))
	case 1:
		return fmt.Sprintf("insert into orders (id, reader, copies, state, title) select 'D-%d-' || id, reader, copies, state, title from orders where %s and length(id) < 12", n, where())
	case 2:
		return "delete from orders where " + where() + pick(" and copies > 3", " and state = 'lost'", " and id like 'D%'")
	case 3:
		return "update orders set state = coalesce(r.city, 'lost'), copies = 1 from readers r where r.name = orders.reader and " + where() + " and r.name <> 'bob'"
	case 4:
		return "delete from orders using readers r where r.name = orders.reader and r.city = 'Oslo' and " + where()
	}
	return "update orders set " + set + " where " + where()
}

func ordersOf(rows []*value.Object) []string {
	var out []string
	for _, r := range rows {
		var cells []string
		for _, c := range orderColumns {
			v, _ := r.Get(c)
			cells = append(cells, textOf(v))
		}
		out = append(out, strings.Join(cells, " "))
	}
	slices.Sort(out)
	return out
}

// TestRandomChanges makes random changes through the surface, and the same ones in a
// database: the shop's rows are the database's after each, outside of a transaction
// and after COMMIT; within one, a later statement sees what an earlier one staged.
func TestRandomChanges(t *testing.T) {
	ctx := context.Background()
	made := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := newShop()
		ws, err := surfaces.NewWorkspace(s.catalog(t))
		if err != nil {
			t.Fatal(err)
		}
		session, err := ws.Open(sql.Language())
		if err != nil {
			t.Fatal(err)
		}
		db := ordersDatabase(t, s)
		for n := range 25 {
			text := randomChange(r, n)
			if _, err := db.Query(ctx, text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			ours := text
			staged := r.IntN(4) == 0
			if staged {
				ours = "begin; " + text + "; select count(*) from orders"
			}
			res := session.Execute(ctx, ours)
			if res.Fault != nil {
				t.Fatalf("seed %d: %s: %v %v", seed, ours, res.Fault, res.Fault.Cause)
			}
			count, _ := db.Query(ctx, "select id::text, reader, title, copies, price, state from orders")
			if staged {
				if have, want := textOf(res.Value), fmt.Sprintf(`[{"count":%d}]`, count.Len()); have != want {
					t.Fatalf("seed %d: %s sees %s, not %s", seed, ours, have, want)
				}
				if res := session.Execute(ctx, "commit"); res.Fault != nil {
					t.Fatalf("seed %d: commit of %s: %v", seed, ours, res.Fault)
				}
			}
			made++
			keys := value.NewKeys(orderColumns...)
			var want []*value.Object
			for i := range count.Len() {
				cells := make([]value.Value, len(orderColumns))
				for c := range cells {
					if !count.Column(c).Null(i) {
						cells[c] = count.Datum(i, c).Value
					}
				}
				want = append(want, value.NewRow(keys, cells))
			}
			if have, want := ordersOf(s.orders), ordersOf(want); !slices.Equal(have, want) {
				t.Fatalf("seed %d: after %s\n%s\nnot\n%s", seed, ours, strings.Join(have, "\n"), strings.Join(want, "\n"))
			}
		}
		session.Close()
		ws.Close()
	}
	t.Logf("%d changes", made)
}

// TestNothingHalf: a change that a table cannot take whole is refused before any of it
// is made.
func TestNothingHalf(t *testing.T) {
	for _, x := range []struct{ prepare, text, want string }{
		{"", "UPDATE orders SET copies = CASE id WHEN 'A-4' THEN 9223372036854775807 ELSE copies END + 1 WHERE true", "out of range"},
		{"", "UPDATE orders SET price = CASE id WHEN 'A-4' THEN 'NaN'::float8 ELSE 1.5 * copies END WHERE true", "price"},
		{"", "UPDATE orders SET copies = 2 WHERE id = 'A-1' RETURNING 1 / (copies - 2)", "division by zero"},
		{"", "DELETE FROM orders WHERE state = 'open' RETURNING 1 / (copies - 2)", "division by zero"},
		{"", "INSERT INTO orders (id, copies) VALUES ('X', 1), ('Y', 'many')", "many"},
		{"", "INSERT INTO orders (id, price) VALUES ('X', 1), ('Y', 'Infinity')", "price"},
		{"", "INSERT INTO orders (id, copies) VALUES ('X', 1) RETURNING copies / 0", "division by zero"},
		{"", "DELETE FROM orders WHERE 1 / (copies - 2) > 0", "division by zero"},
		{"twin", "DELETE FROM orders WHERE id = 'A-1' AND title = 'Emma'", "the same id"},
		{"twin", "UPDATE orders SET state = 'lost' WHERE title = 'Emma'", "the same id"},
		{"none", "UPDATE orders SET state = 'lost' WHERE title = 'Lost'", "has no id"},
		{"none", "DELETE FROM orders WHERE title IN ('Lost', 'Emma')", "has no id"},
	} {
		s := newShop()
		keys := value.NewKeys("id", "reader", "title", "copies", "price", "state", "placed")
		switch x.prepare {
		case "twin":
			s.orders = append(s.orders, table(keys, []value.Value{"A-1", "dan", "Twin", int64(1), nil, "open", nil})...)
		case "none":
			s.orders = append(s.orders, table(keys, []value.Value{nil, "dan", "Lost", int64(1), nil, "open", nil})...)
		}
		ws, err := surfaces.NewWorkspace(s.catalog(t))
		if err != nil {
			t.Fatal(err)
		}
		session, err := ws.Open(sql.Language())
		if err != nil {
			t.Fatal(err)
		}
		before := ordersOf(s.orders)
		res := session.Execute(context.Background(), x.text)
		if res.Fault == nil {
			t.Errorf("%s is not refused: %s", x.text, textOf(res.Value))
		} else if text := res.Fault.Error(); !strings.Contains(text, x.want) {
			t.Errorf("%s is refused with %q, not for %s", x.text, text, x.want)
		}
		if len(s.writes) > 0 || !slices.Equal(before, ordersOf(s.orders)) {
			t.Errorf("%s has written: %v", x.text, s.writes)
		}
		session.Close()
		ws.Close()
	}
}
