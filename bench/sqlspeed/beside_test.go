//go:build cgo

package sqlspeed

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite"

	"github.com/polyglove/polyglove/dispatch/store/postgres/pgtest"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
)

var (
	rows  = flag.Int("rows", 0, "rows of the large tables; the comparison runs only when this is given")
	times = flag.Int("times", 7, "how often each statement runs; the median counts")
)

// question is a statement that all sides answer.
type question struct{ name, sql, sqlite string }

var questions = []question{
	{name: "three-table join, filter, group", sql: `select c.region, p.category, count(*) n, sum(o.amount) s, avg(o.amount) a from orders o join customers c on o.cust_id = c.id join products p on o.prod_id = p.id where o.status <> 'cancelled' group by c.region, p.category order by s desc limit 3`},
	{name: "join, group by 63k keys", sql: `select c.id, count(*) n, sum(o.amount) s from orders o join customers c on o.cust_id = c.id group by c.id order by s desc, c.id limit 3`},
	{name: "count with filter", sql: `select count(*) from orders where amount > 500 and status = 'paid'`},
	{name: "top 10", sql: `select id, amount from orders order by amount desc, id limit 10`},
	{name: "window", sql: `select count(*), sum(r), sum(s) from (select rank() over (partition by cust_id order by amount) r, sum(amount) over (partition by cust_id order by id) s from orders) w`},
	{
		name: "string aggregation", sql: `select count(*), sum(length(t)) from (select prod_id, string_agg(status, ',' order by id) t from orders group by prod_id) w`,
		sqlite: `select count(*), sum(length(t)) from (select prod_id, group_concat(status, ',') t from orders group by prod_id) w`,
	},
	{name: "SELECT 1", sql: `select 1`},
}

// data is the rows of the three tables.
type data struct{ orders, customers, products [][]any }

func make3(n int) data {
	r := rand.New(rand.NewPCG(42, 42))
	status := []string{"new", "paid", "shipped", "cancelled", "returned"}
	region := []string{"us-east", "us-west", "eu", "apac", "latam", "mea", "anz", "nordics"}
	var d data
	for i := range n {
		cents := r.IntN(100000) + 1
		d.orders = append(d.orders, []any{int64(i + 1), int64(r.IntN(n) + 1), int64(r.IntN(1000) + 1), fmt.Sprintf("%d.%02d", cents/100, cents%100), status[r.IntN(5)]})
		d.customers = append(d.customers, []any{int64(i + 1), region[r.IntN(8)], fmt.Sprintf("customer %d", i+1)})
	}
	for i := range 1000 {
		d.products = append(d.products, []any{int64(i + 1), fmt.Sprintf("cat%02d", i%20)})
	}
	return d
}

var shapes = []engine.TableSpec{
	{Name: "orders", Key: []string{"id"}, Columns: []engine.Column{{Name: "id", Type: "bigint"}, {Name: "cust_id", Type: "bigint"}, {Name: "prod_id", Type: "bigint"}, {Name: "amount", Type: "numeric(10,2)"}, {Name: "status", Type: "text"}}},
	{Name: "customers", Key: []string{"id"}, Columns: []engine.Column{{Name: "id", Type: "bigint"}, {Name: "region", Type: "text"}, {Name: "name", Type: "text"}}},
	{Name: "products", Key: []string{"id"}, Columns: []engine.Column{{Name: "id", Type: "bigint"}, {Name: "category", Type: "text"}}},
}

func (d data) tables() [][][]any { return [][][]any{d.orders, d.customers, d.products} }

// ours loads the engine and tells how long the orders took.
func ours(t testing.TB, d data) (*engine.DB, time.Duration) {
	t.Helper()
	db := engine.Open(engine.Options{})
	var took time.Duration
	for i, s := range shapes {
		began := time.Now()
		if err := db.Register(s, slices.Values(d.tables()[i])); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			took = time.Since(began)
		}
	}
	return db, took
}

func create(s engine.TableSpec) string {
	out := "create table " + s.Name + " ("
	for _, c := range s.Columns {
		out += c.Name + " " + c.Type
		if c.Name == "id" {
			out += " primary key"
		}
		out += ", "
	}
	return out[:len(out)-2] + ")"
}

func server(t *testing.T, d data) *pgx.Conn {
	t.Helper()
	ctx := context.Background()
	url := pgtest.Start(t)
	c, err := pgx.Connect(ctx, url)
	for n := 0; err != nil && n < 50; n++ { // it may still be starting up
		time.Sleep(100 * time.Millisecond)
		c, err = pgx.Connect(ctx, url)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(ctx) })
	for i, s := range shapes {
		if _, err := c.Exec(ctx, create(s)); err != nil {
			t.Fatal(err)
		}
		batch := &pgx.Batch{}
		all := d.tables()[i]
		for at := 0; at < len(all); at += 1000 {
			text := "insert into " + s.Name + " values "
			for k, row := range all[at:min(at+1000, len(all))] {
				if k > 0 {
					text += ", "
				}
				text += literal(row)
			}
			batch.Queue(text)
		}
		if err := c.SendBatch(ctx, batch).Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Exec(ctx, "analyze "+s.Name); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func literal(row []any) string {
	out := "("
	for i, v := range row {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("'%v'", v)
	}
	return out + ")"
}

func lite(t *testing.T, d data) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	for i, s := range shapes {
		if _, err := db.Exec(create(s)); err != nil {
			t.Fatal(err)
		}
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		marks := "(?"
		for range s.Columns[1:] {
			marks += ", ?"
		}
		insert, err := tx.Prepare("insert into " + s.Name + " values " + marks + ")")
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range d.tables()[i] {
			if _, err := insert.Exec(row...); err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec("analyze"); err != nil {
		t.Fatal(err)
	}
	return db
}

// median runs something and gives its median time.
func median(t testing.TB, n int, f func() error) time.Duration {
	t.Helper()
	all := make([]time.Duration, 0, n)
	for range n + 1 {
		began := time.Now()
		if err := f(); err != nil {
			t.Fatal(err)
		}
		all = append(all, time.Since(began))
	}
	all = all[1:] // the first one warms up
	slices.Sort(all)
	return all[len(all)/2]
}

// TestBeside prints how long each question takes here, on PostgreSQL and on SQLite.
// It checks that all give as many rows; time is printed, not asserted.
func TestBeside(t *testing.T) {
	if *rows == 0 {
		t.Skip("give -rows to measure")
	}
	ctx := context.Background()
	d := make3(*rows)
	here, load := ours(t, d)
	there, other := server(t, d), lite(t, d)
	t.Logf("%-34s %12s %12s %12s %8s %8s", "", "here", "PostgreSQL", "SQLite", "×pg", "×sqlite")
	t.Logf("%-34s %12v", fmt.Sprintf("load %d rows", *rows), load)
	for _, q := range questions {
		a := median(t, *times, func() error {
			_, err := here.Query(ctx, q.sql)
			return err
		})
		b := median(t, *times, func() error { return readAll(ctx, there, q.sql) })
		text := q.sql
		if q.sqlite != "" {
			text = q.sqlite
		}
		c := median(t, *times, func() error { return readLite(other, text) })
		t.Logf("%-34s %12v %12v %12v %8.1f %8.1f", q.name, a, b, c, float64(b)/float64(a), float64(c)/float64(a))
	}
}

func readAll(ctx context.Context, c *pgx.Conn, text string) error {
	r, err := c.Query(ctx, text)
	if err != nil {
		return err
	}
	for r.Next() {
		if _, err := r.Values(); err != nil {
			return err
		}
	}
	return r.Err()
}

func readLite(db *sql.DB, text string) error {
	r, err := db.Query(text)
	if err != nil {
		return err
	}
	defer r.Close()
	for r.Next() {
	}
	return r.Err()
}

// TestGrowth prints how the time of the first question grows with the rows.
func TestGrowth(t *testing.T) {
	if *rows == 0 {
		t.Skip("give -rows to measure")
	}
	var before time.Duration
	for n := 10_000; n <= *rows; n *= 10 {
		db, _ := ours(t, make3(n))
		took := median(t, 3, func() error {
			_, err := db.Query(context.Background(), questions[0].sql)
			return err
		})
		factor := 0.0
		if before > 0 {
			factor = float64(took) / float64(before)
		}
		t.Logf("%9d rows %12v  ×%.1f", n, took, factor)
		before = took
	}
}

// BenchmarkQuestions runs the questions over 100,000 rows.
func BenchmarkQuestions(b *testing.B) {
	db, _ := ours(b, make3(100_000))
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := db.Query(context.Background(), q.sql); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
