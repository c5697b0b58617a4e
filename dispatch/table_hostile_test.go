package dispatch

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TestPagesWithoutEnd shows that a server whose pages never end, empty or not, is
// not followed beyond the bound, and that the read says so.
func TestPagesWithoutEnd(t *testing.T) {
	for _, rows := range [][]*value.Object{nil, {ledgerRow(1, "web", nil)}} {
		calls := 0
		var next func(context.Context) (toolfn.Rows, error)
		next = func(context.Context) (toolfn.Rows, error) {
			calls++
			return toolfn.Rows{Page: rows, Next: next}, nil
		}
		s := &ledger{}
		table := s.table(func(t *toolfn.ResourceTable) {
			t.Select = func(ctx context.Context, _ toolfn.Bindings) (toolfn.Rows, error) { return next(ctx) }
		})
		b := DefaultTableBounds()
		b.Pages = 7
		got := mustSelect(t, open(t, table, WithTableBounds(b)).run(), Query{Table: "issues"})
		if calls != 7 || !strings.Contains(got.Incomplete, "7 pages") {
			t.Errorf("%d calls, %q", calls, got.Incomplete)
		}
		if _, err := open(t, table, WithTableBounds(b)).run().Update(Change{Table: "issues", Set: value.Of("title", "x"), Where: where("title", "t1")}); err == nil {
			t.Error("a write of rows that cannot all be found was made")
		}
	}
}

// TestPageFails shows that a read whose later page fails gives no part of it.
func TestPageFails(t *testing.T) {
	s := &ledger{}
	table := s.table(func(t *toolfn.ResourceTable) {
		t.Select = func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
			return toolfn.Rows{Page: ledgerRows(), Next: func(context.Context) (toolfn.Rows, error) { return toolfn.Rows{}, errors.New("gone") }}, nil
		}
	})
	if got, err := open(t, table).run().Select(Query{Table: "issues"}); err == nil || got != nil {
		t.Errorf("%v %v", got, err)
	}
}

// TestServerKeepsItsRows shows that nothing a server does to rows that it gave,
// nor anything that a program does to rows that it got, is seen by the other.
func TestServerKeepsItsRows(t *testing.T) {
	s := &ledger{rows: ledgerRows()}
	r := open(t, s.table(func(t *toolfn.ResourceTable) { t.Volatility = toolfn.Immutable })).run()
	got := mustSelect(t, r, Query{Table: "issues"})
	s.rows[0].Set("repo", "changed")
	s.rows[1].Set("extra", true)
	if repo := rowsOf(got.Rows, "repo"); repo != `"web" "api" "web-ui" "ops" "web"` {
		t.Error(repo)
	}
}

// TestClockGoesBackwards shows that a clock that is set back neither forgets a
// write nor keeps it for ever.
func TestClockGoesBackwards(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	s := &ledger{rows: ledgerRows()}
	o := open(t, s.table(), WithClock(func() time.Time { return now }))
	if _, err := o.run().Insert(Insertion{Table: "issues", Rows: []*value.Object{ledgerRow(9, "web", nil)}}); err != nil {
		t.Fatal(err)
	}
	count := func() int { return len(mustSelect(t, o.run(), Query{Table: "issues"}).Rows) }
	now = now.Add(-24 * time.Hour)
	if n := count(); n != 6 {
		t.Errorf("%d rows with the clock set back", n)
	}
	now = now.Add(24*time.Hour + DefaultTableBounds().OverlayLife + time.Second)
	if n := count(); n != 5 {
		t.Errorf("%d rows after the write's time", n)
	}
}

// TestOrderUnderWriters lets programs write while others read the first rows by
// an order: each sees its own writes in their place.
func TestOrderUnderWriters(t *testing.T) {
	var mu sync.Mutex
	s := &ledger{}
	table := s.table(func(t *toolfn.ResourceTable) {
		read := t.Select
		t.Select = func(ctx context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
			mu.Lock()
			defer mu.Unlock()
			return read(ctx, b)
		}
		t.Insert = func(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
			mu.Lock()
			defer mu.Unlock()
			s.rows = append(s.rows, rows...)
			return toolfn.Written{Affected: len(rows)}, nil
		}
	})
	o := open(t, table)
	o.many = true
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 20 {
				r := o.run()
				id := int64(1000*i + g)
				if _, err := r.Insert(Insertion{Table: "issues", Rows: []*value.Object{ledgerRow(id, "web", nil)}}); err != nil {
					t.Error(err)
				}
				got, err := r.Select(Query{Table: "issues", Where: from("id", ">=", id), Order: by("id", false), Limit: 1})
				if err != nil || rowsOf(got.Rows, "id") != shownValue(id) {
					t.Errorf("%v %v, want %d", got, err, id)
				}
				r.End(nil)
			}
		}()
	}
	wg.Wait()
}

// TestWritesThatLie holds writes against servers whose answers do not fit.
func TestWritesThatLie(t *testing.T) {
	for name, w := range map[string]toolfn.Written{
		"another number of rows": {Affected: 7, Rows: []*value.Object{ledgerRow(1, "a", nil), ledgerRow(2, "a", nil)}},
		"rows of no table":       {Affected: 1, Rows: []*value.Object{value.Of("id", "no number")}},
		"a nil row":              {Affected: 1, Rows: []*value.Object{nil}},
	} {
		s := &ledger{}
		o := open(t, s.table(func(t *toolfn.ResourceTable) {
			t.Insert = func(context.Context, []*value.Object) (toolfn.Written, error) { return w, nil }
		}))
		got, err := o.run().Insert(Insertion{Table: "issues", Rows: []*value.Object{ledgerRow(1, "web", nil)}})
		if err != nil || got.Affected != 1 {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}
