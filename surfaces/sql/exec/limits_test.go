//go:build cgo

package exec_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
)

// large makes three tables of 2,000 rows.
func large(t *testing.T, l sandbox.Limits) *engine.DB {
	t.Helper()
	db := engine.Open(engine.Options{Limits: l})
	for _, name := range []string{"a", "b", "c"} {
		spec := engine.TableSpec{Name: name, Columns: []engine.Column{{Name: "x", Type: "int"}, {Name: "y", Type: "text"}}}
		if err := db.Create(spec); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Query(context.Background(), "insert into "+name+" select g, 'row ' || g from generate_series(1, 2000) g"); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func TestExplodingStatementsStop(t *testing.T) {
	l := engine.DefaultLimits()
	l.Fuel, l.Memory = 10_000_000, 64<<20
	db := large(t, l)
	for _, c := range []struct {
		sql  string
		kind sandbox.Kind
		says string
	}{
		{"select * from a, b, c", sandbox.KindMemory, "the join of a and b and c"},
		{"select * from a, b, c order by a.x + b.x + c.x", sandbox.KindMemory, "the join of a and b and c"},
		{"select count(*) from a, b, c", sandbox.KindFuel, "The join has no condition"},
		{"select count(*) from a join b on a.x < b.x join c on c.x < b.x", sandbox.KindFuel, "compares no column for equality"},
		{"select count(*) from a join b on a.x % 2 = b.x % 2 join c on c.x % 2 = b.x % 2", sandbox.KindFuel, "many rows of the same value"},
		{"with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t", sandbox.KindFuel, ""},
		{"with recursive t(n) as (select 1 union all select n + 1 from t) select * from t", sandbox.KindFuel, ""},
		{"select (select count(*) from b, c where b.x + c.x > a.x) from a", sandbox.KindFuel, "the join of b and c"},
		{"select array_agg(g) from generate_series(1, 100000000) g", sandbox.KindFuel, ""},
		{"select g from generate_series(1, 100000000) g order by 1", sandbox.KindFuel, ""},
		{"select sum(x) over (order by x rows between unbounded preceding and 1 following exclude current row) from (select a.x from a, b limit 100000) s", sandbox.KindFuel, ""},
	} {
		_, err := db.Query(context.Background(), c.sql)
		var f *sandbox.Fault
		if !errors.As(err, &f) {
			t.Errorf("%s: %v, want a fault", c.sql, err)
			continue
		}
		// What needs much of both may hit either limit first.
		if f.Kind != c.kind && c.kind != sandbox.KindFuel || !f.Kind.Limit() || !strings.Contains(f.Error(), c.says) {
			t.Errorf("%s: %s fault %v, want %s and %q", c.sql, f.Kind, f, c.kind, c.says)
		}
	}
}

// A statement that is cancelled ends, whatever it is in the middle of.
func TestCancelledStatementsStop(t *testing.T) {
	db := large(t, engine.DefaultLimits())
	for _, sql := range []string{
		"select count(*) from a, b, c",
		"select count(*) from a, b, c where a.y || b.y > c.y",
		"select count(distinct a.x * b.x + c.x) from a, b, c",
		"with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t",
		"select (select count(*) from b, c where b.x + c.x > a.x) from a",
	} {
		ctx, cancel := context.WithTimeoutCause(context.Background(), 30*time.Millisecond, context.Canceled)
		_, err := db.Query(ctx, sql)
		cancel()
		var f *sandbox.Fault
		if !errors.As(err, &f) || f.Kind != sandbox.KindCancelled && f.Kind != sandbox.KindDeadline && f.Kind != sandbox.KindMemory {
			t.Errorf("%s: %v, want the fault of a cancelled statement", sql, err)
		}
	}
}

// Memory that operators give back is there again: many small runs of a sub-query
// do not add up.
func TestRunsOfSubqueriesDoNotAddUp(t *testing.T) {
	l := engine.DefaultLimits()
	l.Memory = 24 << 20
	db := large(t, l)
	for _, sql := range []string{
		"select sum((select count(distinct b.y) from b where b.x between a.x and a.x + 20)) from a",
		"select sum((select sum(x) from (select b.x from b where b.x < a.x order by b.y limit 5) s)) from a",
		"select count(*) from a, lateral (select b.x, rank() over (order by b.y) from b where b.x < a.x limit 3) s",
		"select sum((select count(*) from b join c on b.x = c.x where b.x < a.x % 7)) from a",
	} {
		if _, err := db.Query(context.Background(), sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// A volatile sub-query that takes something of the row is run for each row, not for
// each value; one that takes nothing is run once.
func TestVolatileSubqueries(t *testing.T) {
	db := large(t, engine.DefaultLimits())
	for sql, want := range map[string]string{
		"select count(distinct r) from (select (select random() + 0 * a.x % 1) r from a) s":                         "2000",
		"select count(distinct r) from (select (select random() + (a.x - a.x)) r from a) s":                         "2000",
		"select count(distinct r) from (select (select random()) r from a) s":                                       "1",
		"with w as (select random() r) select count(distinct r) from (select r from w union all select r from w) s": "1",
	} {
		r, err := db.Query(context.Background(), sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if got, _ := r.Text(0, 0); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}
