//go:build cgo

package engine_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// TestStatements runs sessions: testdata files of commands
//
//	table NAME column:type… [key=column]   with rows of values between bars
//	query | exec [params]                  with a statement
//
// and shows the rows, the tag or the error.
func TestStatements(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		db := engine.Open(engine.Options{Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }, Seed: 7})
		sessions := map[string]*engine.Session{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "table" {
				return makeTable(t, db, d)
			}
			name := "main"
			d.MaybeScanArgs(t, "session", &name)
			if sessions[name] == nil {
				sessions[name] = db.Session()
			}
			var params []any
			for _, a := range d.CmdArgs {
				if a.Key == "params" {
					for _, v := range a.Vals {
						params = append(params, v)
					}
				}
			}
			res, err := sessions[name].Query(context.Background(), d.Input, params...)
			return show(res, err)
		})
	})
}

func makeTable(t *testing.T, db *engine.DB, d *datadriven.TestData) string {
	spec := engine.TableSpec{Name: d.CmdArgs[0].Key}
	for _, a := range d.CmdArgs[1:] {
		if a.Key == "key" {
			spec.Key = a.Vals
			continue
		}
		name, typ, _ := strings.Cut(a.Key, ":")
		typ, notNull := strings.CutSuffix(typ, "!")
		c := engine.Column{Name: name, Type: strings.ReplaceAll(typ, "_", " "), NotNull: notNull}
		if len(a.Vals) == 1 {
			c.Default = a.Vals[0]
		}
		spec.Columns = append(spec.Columns, c)
	}
	var rows [][]any
	for line := range strings.Lines(d.Input) {
		var row []any
		for _, cell := range strings.Split(strings.TrimSpace(line), "|") {
			if cell = strings.TrimSpace(cell); cell == "∅" {
				row = append(row, nil)
			} else {
				row = append(row, cell)
			}
		}
		rows = append(rows, row)
	}
	if err := db.Register(spec, slices.Values(rows)); err != nil {
		return err.Error() + "\n"
	}
	return fmt.Sprintf("%d rows\n", len(rows))
}

func show(res *engine.Result, err error) string {
	if err != nil {
		e := pgerr.From(err)
		if e == nil {
			return "limit: " + err.Error() + "\n"
		}
		out := fmt.Sprintf("error %s: %s\n", e.SQLSTATE, e.Message)
		for _, x := range []struct{ name, text string }{{"detail", e.Detail}, {"hint", e.Hint}} {
			if x.text != "" {
				out += x.name + ": " + x.text + "\n"
			}
		}
		if e.Position > 0 {
			out += fmt.Sprintf("at %d\n", e.Position)
		}
		return out
	}
	var b strings.Builder
	if res.Columns != nil {
		var names []string
		for _, c := range res.Columns {
			names = append(names, c.Name+":"+c.Type)
		}
		b.WriteString(strings.Join(names, " | ") + "\n")
		for _, row := range texts(res) {
			b.WriteString(row + "\n")
		}
	}
	b.WriteString(res.Tag + "\n")
	return b.String()
}

func TestDriver(t *testing.T) {
	db := engine.Open(engine.Options{})
	err := db.Register(engine.TableSpec{Name: "t", Columns: []engine.Column{{Name: "id", Type: "int", NotNull: true}, {Name: "at", Type: "timestamptz"}, {Name: "name", Type: "text", Default: "'new'"}}, Key: []string{"id"}},
		slices.Values([][]any{{1, time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC), "one"}, {2, nil, nil}}))
	if err != nil {
		t.Fatal(err)
	}
	pool := sql.OpenDB(engine.Connector{DB: db})
	defer pool.Close()
	var n int
	var at time.Time
	var name sql.NullString
	if err := pool.QueryRow("select id, at, name from t where id = $1", 1).Scan(&n, &at, &name); err != nil {
		t.Fatal(err)
	}
	if n != 1 || at.Hour() != 7 || name.String != "one" {
		t.Errorf("got %d %v %v", n, at, name)
	}
	tx, err := pool.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("insert into t (id) values ($1), ($2)", 3, 4); err != nil {
		t.Fatal(err)
	}
	count := func(q interface {
		QueryRow(string, ...any) *sql.Row
	},
	) (n int) {
		if err := q.QueryRow("select count(*) from t").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if inside, outside := count(tx), count(pool); inside != 4 || outside != 2 {
		t.Errorf("%d rows inside, %d outside", inside, outside)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if n := count(pool); n != 4 {
		t.Errorf("%d rows after commit", n)
	}
	r, err := pool.Exec("update t set name = 'x' where id > 2")
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := r.RowsAffected(); n != 2 {
		t.Errorf("%d rows updated", n)
	}
}

// TestLimits holds that a statement which would take too much ends with an error
// that says which join, and soon.
func TestLimits(t *testing.T) {
	db := engine.Open(engine.Options{})
	rows := func(yield func([]any) bool) {
		for i := range 2000 {
			if !yield([]any{i, fmt.Sprint("row ", i)}) {
				return
			}
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := db.Register(engine.TableSpec{Name: name, Columns: []engine.Column{{Name: "id", Type: "int"}, {Name: "t", Type: "text"}}}, rows); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	_, err := db.Query(context.Background(), "select a.t, b.t, c.t from a, b, c order by 1")
	if err == nil || pgerr.From(err) != nil {
		t.Fatalf("got %v, want a limit's fault", err)
	}
	t.Log(err, time.Since(start))
	if _, err := db.Query(context.Background(), "select count(*) from a, b"); err != nil {
		t.Errorf("what needs no memory must run: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := db.Query(ctx, "select count(*) from a, b, c"); err == nil {
		t.Error("a cancelled statement must end")
	}
}
