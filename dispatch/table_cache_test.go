package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func volatility(v toolfn.Volatility) func(*toolfn.ResourceTable) {
	return func(t *toolfn.ResourceTable) { t.Volatility = v }
}

func TestHowLongRowsAreRemembered(t *testing.T) {
	for _, c := range []struct {
		v           toolfn.Volatility
		run, runs   int // calls for two equal reads of one run, and for a further run
		description string
	}{
		{toolfn.Volatile, 2, 3, "never"}, {toolfn.Stable, 1, 2, "for the run"}, {toolfn.Immutable, 1, 1, "for good"},
	} {
		t.Run(c.description, func(t *testing.T) {
			s := &shelf{rows: someIssues()}
			o := open(t, s.table(volatility(c.v)))
			calls := func() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.log) }
			q := Query{Table: "issues", Where: where("repo", "web")}
			r := o.run()
			mustSelect(t, r, q)
			got := mustSelect(t, r, q)
			if calls() != c.run || rowsOf(got.Rows, "id") != "1 2" {
				t.Errorf("%d calls in one run, rows %s", calls(), rowsOf(got.Rows, "id"))
			}
			r.End(nil)
			if got := mustSelect(t, o.run(), q); calls() != c.runs || rowsOf(got.Rows, "id") != "1 2" {
				t.Errorf("%d calls in two", calls())
			}
		})
	}
}

func TestWhatIsRememberedApart(t *testing.T) {
	s := &shelf{rows: append(someIssues(), value.Of("stars", int64(1), "repo", "web"))}
	o := open(t, s.table(volatility(toolfn.Immutable), column("stars", func(c *toolfn.Column) { c.Pushdown = toolfn.PushIn; c.Type = "jsonb" })))
	r := o.run()
	mustSelect(t, r, Query{Table: "issues", Where: where("stars", []any{int64(1), int64(2)})})
	mustSelect(t, r, Query{Table: "issues", Where: where("stars", []any{"1", "2"})})
	mustSelect(t, r, Query{Table: "issues", Where: where("stars", []any{int64(2), int64(1)})})
	if asked := s.asked(); asked != `select stars=1|2; select stars="1"|"2"` {
		t.Error(asked)
	}
	q := Query{Table: "issues", Where: where("repo", "web")}
	mustSelect(t, o.as("ann"), q)
	mustSelect(t, o.as("bob"), q)
	mustSelect(t, o.as("ann"), q)
	if asked := s.asked(); asked != `select repo="web"; select repo="web"` {
		t.Error(asked)
	}
	fresh := q
	fresh.Fresh = true
	mustSelect(t, r, fresh)
	if s.asked() == "" {
		t.Error("a fresh read was answered from memory")
	}
	o.d.ForgetTable("issues")
	mustSelect(t, o.as("ann"), q)
	if s.asked() == "" {
		t.Error("forgotten rows were used")
	}
}

func TestWritesDropWhatIsRemembered(t *testing.T) {
	for _, v := range []toolfn.Volatility{toolfn.Stable, toolfn.Immutable} {
		s := &shelf{rows: someIssues()}
		o := open(t, s.table(volatility(v)), WithoutOverlay())
		r, other := o.run(), o.as("bob")
		q := Query{Table: "issues", Where: where("repo", "web")}
		mustSelect(t, r, q)
		mustSelect(t, other, q)
		if _, err := r.Delete(Removal{Table: "issues", Where: where("id", 1)}); err != nil {
			t.Fatal(err)
		}
		for _, r := range []*Run{r, other} {
			if got := mustSelect(t, r, q); rowsOf(got.Rows, "id") != "2" {
				t.Errorf("%s: %s", v, rowsOf(got.Rows, "id"))
			}
		}
		// A write that failed may have changed something as well.
		s.fail = func(c string) error {
			if strings.HasPrefix(c, "delete") {
				return errors.New("broken")
			}
			return nil
		}
		s.asked()
		_, _ = r.Delete(Removal{Table: "issues", Where: where("id", 2)})
		mustSelect(t, r, q)
		if asked := s.asked(); asked != `delete id=2; select repo="web"` {
			t.Error(asked)
		}
	}
}

func TestAReadThatAWriteOvertookIsNotRemembered(t *testing.T) {
	s := &shelf{rows: someIssues()}
	reading, goOn := make(chan bool), make(chan bool)
	table := s.table(volatility(toolfn.Immutable))
	table.Select = func(ctx context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
		got, err := s.sel(ctx, b)
		reading <- true
		<-goOn
		return got, err
	}
	o := open(t, table, WithoutOverlay())
	done := make(chan string)
	go func() {
		got := mustSelect(t, o.run(), Query{Table: "issues", Where: where("repo", "web")})
		done <- rowsOf(got.Rows, "id")
	}()
	<-reading
	if _, err := o.run().Delete(Removal{Table: "issues", Where: where("id", 1)}); err != nil {
		t.Fatal(err)
	}
	goOn <- true
	if got := <-done; got != "1 2" {
		t.Error(got)
	}
	go func() { <-reading; goOn <- true }()
	if got := mustSelect(t, o.run(), Query{Table: "issues", Where: where("repo", "web")}); rowsOf(got.Rows, "id") != "2" {
		t.Error(rowsOf(got.Rows, "id"))
	}
}

func TestImmutableRowsAreBounded(t *testing.T) {
	s := &shelf{}
	for i := range 200 {
		s.rows = append(s.rows, issue(int64(i), fmt.Sprint("r", i%20), strings.Repeat("x", 1000), "open"))
	}
	b := DefaultTableBounds()
	b.Cache = 60_000 // about five repositories
	o := open(t, s.table(volatility(toolfn.Immutable)), WithTableBounds(b))
	read := func(repo int) string {
		r := o.run()
		mustSelect(t, r, Query{Table: "issues", Where: where("repo", fmt.Sprint("r", repo))})
		r.End(nil)
		return s.asked()
	}
	for i := range 20 {
		read(i)
		if o.d.tables.cache.held > b.Cache {
			t.Fatalf("%d bytes held", o.d.tables.cache.held)
		}
	}
	if read(19) != "" || read(0) == "" {
		t.Error("the least recently used should have gone first")
	}
	// One that alone is too much is not kept.
	mustSelect(t, o.run(), Query{Table: "issues"})
	s.asked()
	if read(19) != "" {
		t.Error("a large answer drove out the others")
	}
}

func TestEqualReadsShareOneFlight(t *testing.T) {
	s := &shelf{rows: someIssues()}
	arrived, release := make(chan bool, 10), make(chan bool)
	table := s.table(volatility(toolfn.Immutable))
	table.Select = func(ctx context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
		arrived <- true
		<-release
		return s.sel(ctx, b)
	}
	o := open(t, table)
	q := Query{Table: "issues", Where: where("repo", "web")}
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		r := o.run()
		go func() {
			defer wg.Done()
			got, err := r.Select(q)
			if err != nil || rowsOf(got.Rows, "id") != "1 2" {
				t.Errorf("%v", err)
			}
		}()
	}
	<-arrived
	time.Sleep(5 * time.Millisecond) // the others find it under way, or its rows
	close(release)
	wg.Wait()
	if asked := s.asked(); asked != `select repo="web"` {
		t.Error(asked)
	}
}

func TestAFlightThatFailsIsFlownByTheNext(t *testing.T) {
	s := &shelf{rows: someIssues()}
	arrived := make(chan bool, 4)
	table := s.table(volatility(toolfn.Immutable))
	first := true
	table.Select = func(ctx context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
		s.mu.Lock()
		was := first
		first = false
		s.mu.Unlock()
		if was {
			arrived <- true
			<-ctx.Done()
			return toolfn.Rows{}, ctx.Err()
		}
		return s.sel(ctx, b)
	}
	o := open(t, table)
	q := Query{Table: "issues", Where: where("repo", "web")}
	leader := o.run()
	flight, err := leader.StartSelect(q)
	if err != nil {
		t.Fatal(err)
	}
	<-arrived
	done := make(chan string)
	r := o.run()
	go func() {
		got, err := r.Select(q)
		if err != nil {
			done <- err.Error()
			return
		}
		done <- rowsOf(got.Rows, "id")
	}()
	time.Sleep(5 * time.Millisecond)
	leader.End(nil) // it never waited for its read
	if got := <-done; got != "1 2" {
		t.Error(got)
	}
	if _, err := flight.Wait(); err == nil {
		t.Error("a flight of a program that ended gave rows")
	}
}

// Two programs that lead one fetch each and then wait for the other's must not
// wait for ever.
func TestProgramsDoNotWaitForEachOther(t *testing.T) {
	s := &shelf{rows: someIssues()}
	o := open(t, s.table(volatility(toolfn.Immutable), column("repo", func(c *toolfn.Column) { c.RequiredKey = true })))
	a, b := o.run(), o.run()
	web, api := Query{Table: "issues", Where: where("repo", "web")}, Query{Table: "issues", Where: where("repo", "api")}
	if _, err := a.StartSelect(web); err != nil {
		t.Fatal(err)
	}
	if _, err := b.StartSelect(api); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for r, q := range map[*Run]Query{a: api, b: web} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if got, err := r.Select(q); err != nil || len(got.Rows) == 0 {
				t.Errorf("%v", err)
			}
		}()
	}
	wg.Wait()
}

func TestRememberedRowsAreNotChangedByAnybody(t *testing.T) {
	s := &shelf{rows: someIssues()}
	o := open(t, s.table(volatility(toolfn.Immutable)))
	r := o.run()
	before := mustSelect(t, r, Query{Table: "issues"})
	text, _ := value.Append(nil, rowValues(before.Rows))
	if _, err := r.Update(Change{Table: "issues", Set: value.Of("title", "new"), Where: where("id", 1)}); err != nil {
		t.Fatal(err)
	}
	s.shows = func([]*value.Object) []*value.Object { return someIssues() } // the server lags
	after := mustSelect(t, r, Query{Table: "issues"})
	again, _ := value.Append(nil, rowValues(before.Rows))
	if string(text) != string(again) || rowsOf(after.Rows[:1], "title") != `"new"` {
		t.Errorf("%s\n%s", text, again)
	}
}

func rowValues(rows []*value.Object) []value.Value {
	out := make([]value.Value, len(rows))
	for i, row := range rows {
		out[i] = row
	}
	return out
}
