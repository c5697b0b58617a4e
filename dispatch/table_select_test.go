package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func TestSelectAsksForWhatTheServerCompares(t *testing.T) {
	key := column("repo", func(c *toolfn.Column) { c.RequiredKey = true })
	in := column("repo", func(c *toolfn.Column) { c.Pushdown = toolfn.PushIn })
	for _, c := range []struct {
		name  string
		table []func(*toolfn.ResourceTable)
		where Where
		ids   string
		asked string
	}{
		{"everything", nil, where(), "1 2 3 4", "select "},
		{"one value is passed", nil, where("state", "open"), "1 3 4", `select state="open"`},
		{"two columns", nil, where("state", "open", "repo", "web"), "1", `select repo="web" state="open"`},
		{"a list is filtered here", nil, where("state", []any{"open", "closed"}), "1 2 3 4", "select "},
		{"a column that is not passed", nil, where("title", "fix b"), "2", "select "},
		{"a key takes each value once", []func(*toolfn.ResourceTable){key}, where("repo", []any{"web", "api", "web"}), "1 2 3", `select repo="web"; select repo="api"`},
		{"a list goes whole where it can", []func(*toolfn.ResourceTable){key, in}, where("repo", []any{"api", "web"}), "1 2 3", ``},
		{"contradiction", nil, where("id", 1).and("id", 2), "", ""},
		{"null matches nothing", nil, where("repo", nil), "", ""},
		{"null beside a value", nil, where("repo", []any{nil, "ops"}), "4", `select repo="ops"`},
		{"no values at all", nil, where("repo", []any{}), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{rows: someIssues()}
			r := open(t, s.table(c.table...)).run()
			if c.name == "a list goes whole where it can" {
				s.filters = []string{"repo"}
				c.asked = `select repo="api"|"web"`
			}
			got := mustSelect(t, r, Query{Table: "issues", Where: c.where})
			asked := s.asked()
			if strings.Contains(c.asked, ";") { // side by side: any order at the server
				a := strings.Split(asked, "; ")
				if len(a) == 2 && a[0] > a[1] {
					a[0], a[1] = a[1], a[0]
				}
				w := strings.Split(c.asked, "; ")
				if w[0] > w[1] {
					w[0], w[1] = w[1], w[0]
				}
				asked, c.asked = strings.Join(a, "; "), strings.Join(w, "; ")
			}
			if ids := rowsOf(got.Rows, "id"); ids != c.ids || asked != c.asked || got.Incomplete != "" || got.Partial != "" {
				t.Errorf("rows %q, want %q; asked %q, want %q; %q %q", ids, c.ids, asked, c.asked, got.Incomplete, got.Partial)
			}
		})
	}
}

// and adds a further conjunct.
func (w Where) and(column string, v any) Where {
	if n, ok := v.(int); ok {
		v = int64(n)
	}
	return Where{Bindings: w.Bindings.With(column, v), Rest: w.Rest}
}

func TestSelectRefusesBeforeAnythingIsAsked(t *testing.T) {
	key := column("repo", func(c *toolfn.Column) { c.RequiredKey = true })
	for _, c := range []struct {
		name string
		q    Query
		kind sandbox.Kind
		want string
	}{
		{"table", Query{Table: "isues"}, sandbox.KindName, "there is no table 'isues'. Did you mean issues?"},
		{"column", Query{Table: "issues", Where: where("repo", "a", "stat", "x")}, sandbox.KindArgument, "table issues has no column 'stat'. Did you mean state?"},
		{"case", Query{Table: "issues", Where: where("repo", "a", "ID", 1)}, sandbox.KindArgument, "table issues has no column 'ID'. Did you mean id?"},
		{"projection", Query{Table: "issues", Where: where("repo", "a"), Columns: []string{"nope"}}, sandbox.KindArgument, "no column 'nope'"},
		{"rest", Query{Table: "issues", Where: Where{Bindings: where("repo", "a").Bindings, Rest: condition("nope", nil)}}, sandbox.KindArgument, "no column 'nope'"},
		{"key", Query{Table: "issues", Where: where("state", "open")}, sandbox.KindArgument, "table issues can only be read with repo fixed to a value. Ask for it by equality, as in repo = '…'."},
		{"type", Query{Table: "issues", Where: where("repo", "a", "id", "1")}, sandbox.KindArgument, `table issues, column id: want bigint, got "1".`},
		{"text", Query{Table: "issues", Where: where("repo", 7)}, sandbox.KindArgument, `table issues, column repo: want text, got 7.`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{rows: someIssues()}
			r := open(t, s.table(key)).run()
			_, err := r.Select(c.q)
			if f := fault(t, err); f.Kind != c.kind || !strings.Contains(f.Error(), c.want) || s.asked() != "" || len(r.Called()) != 0 {
				t.Errorf("%s: %v", f.Kind, f)
			}
		})
	}
	r := open(t, (&shelf{}).table(key)).run()
	_, err := r.Select(Query{Table: "issues"})
	var missing *MissingKeys
	if !errors.As(err, &missing) || fmt.Sprint(missing.Columns) != "[repo]" {
		t.Errorf("%v", missing)
	}
}

func TestSelectFiltersProjectsAndLimits(t *testing.T) {
	s := &shelf{rows: someIssues()}
	r := open(t, s.table()).run()
	odd := condition("id", func(v value.Value) bool { return v.(int64)%2 == 1 })
	got := mustSelect(t, r, Query{Table: "issues", Where: Where{Rest: odd}, Columns: []string{"title", "id"}})
	if text := fmt.Sprintf("%s %v", rowsOf(got.Rows, "title"), got.Rows[0].Keys().Names()); text != `"fix a" "fix c" [title id]` {
		t.Error(text)
	}
	got = mustSelect(t, r, Query{Table: "issues", Where: where("state", "open"), Limit: 2})
	if rowsOf(got.Rows, "id") != "1 3" {
		t.Error(rowsOf(got.Rows, "id"))
	}
	bad := errors.New("cannot compare")
	_, err := r.Select(Query{Table: "issues", Where: Where{Rest: &Condition{Holds: func(*value.Object) (bool, error) { return false, bad }}}})
	if !errors.Is(err, bad) {
		t.Error(err)
	}
}

func TestSelectReadsPages(t *testing.T) {
	many := func(n int) []*value.Object {
		var rows []*value.Object
		for i := range n {
			rows = append(rows, issue(int64(i+1), "web", "t", "open"))
		}
		return rows
	}
	t.Run("to the end", func(t *testing.T) {
		s := &shelf{rows: many(25), pageLen: 10}
		r := open(t, s.table()).run()
		got := mustSelect(t, r, Query{Table: "issues"})
		if len(got.Rows) != 25 || got.Incomplete != "" || s.asked() != "select ; next; next" {
			t.Errorf("%d rows, %q", len(got.Rows), got.Incomplete)
		}
		if c := r.Called(); len(c) != 1 || c[0].Calls != 3 || c[0].Name != "issues.select" {
			t.Errorf("%v", c)
		}
	})
	t.Run("no further than wanted", func(t *testing.T) {
		s := &shelf{rows: many(100), pageLen: 10}
		r := open(t, s.table()).run()
		got := mustSelect(t, r, Query{Table: "issues", Limit: 12})
		if len(got.Rows) != 12 || got.Incomplete != "" || s.asked() != "select ; next" {
			t.Errorf("%d rows %q", len(got.Rows), got.Incomplete)
		}
		// What ended early is no answer to the whole.
		if got := mustSelect(t, r, Query{Table: "issues"}); len(got.Rows) != 100 {
			t.Errorf("%d rows", len(got.Rows))
		}
	})
	for _, c := range []struct {
		pages, rows int
		n           int
		why         string
	}{
		{3, 1000, 30, "there are more than the 3 pages that one read may take"},
		{100, 20, 20, "there are more than the 20 rows that one read may take"},
	} {
		s := &shelf{rows: many(100), pageLen: 10}
		b := DefaultTableBounds()
		b.Pages, b.Rows = c.pages, c.rows
		r := open(t, s.table(), WithTableBounds(b)).run()
		got := mustSelect(t, r, Query{Table: "issues"})
		if len(got.Rows) != c.n || got.Incomplete != c.why {
			t.Errorf("%d rows, %q", len(got.Rows), got.Incomplete)
		}
	}
	t.Run("exactly as many as the bound", func(t *testing.T) {
		s := &shelf{rows: many(30), pageLen: 10}
		b := DefaultTableBounds()
		b.Pages, b.Rows = 3, 30
		if got := mustSelect(t, open(t, s.table(), WithTableBounds(b)).run(), Query{Table: "issues"}); got.Incomplete != "" || len(got.Rows) != 30 {
			t.Errorf("%q", got.Incomplete)
		}
	})
	t.Run("a page that fails", func(t *testing.T) {
		s := &shelf{rows: many(30), pageLen: 10, fail: func(c string) error {
			if c == "next" {
				return errors.New("the cursor is gone")
			}
			return nil
		}}
		_, err := open(t, s.table()).run().Select(Query{Table: "issues"})
		if f := fault(t, err); f.Kind != sandbox.KindCapability || !strings.Contains(f.Message, "the cursor is gone") {
			t.Error(f)
		}
	})
	t.Run("the server says that more cannot be read", func(t *testing.T) {
		s := &shelf{}
		table := s.table()
		table.Select = func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
			return toolfn.Rows{Page: many(2), Incomplete: "the server shows the newest two only"}, nil
		}
		if got := mustSelect(t, open(t, table).run(), Query{Table: "issues"}); got.Incomplete != "the server shows the newest two only" {
			t.Error(got.Incomplete)
		}
	})
	t.Run("memory", func(t *testing.T) {
		s := &shelf{rows: many(100_000), pageLen: 1000}
		o := open(t, s.table())
		l := small()
		l.Memory = 1 << 20
		m, err := sandbox.NewMeter(context.Background(), l)
		if err != nil {
			t.Fatal(err)
		}
		r := o.d.Begin(m, Program{})
		defer r.End(nil)
		_, err = r.Select(Query{Table: "issues"})
		if f := fault(t, err); f.Kind != sandbox.KindMemory {
			t.Error(f)
		}
	})
}

func TestCells(t *testing.T) {
	columns := []toolfn.Column{
		{Name: "txt", Type: "text"},
		{Name: "n", Type: "bigint"},
		{Name: "f", Type: "double precision"},
		{Name: "num", Type: "numeric"},
		{Name: "b", Type: "boolean"},
		{Name: "j", Type: "jsonb"},
		{Name: "ts", Type: "timestamptz"},
		{Name: "d", Type: "date"},
	}
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for _, c := range []struct {
		column string
		in     value.Value
		want   string // JSON, or the error
	}{
		{"txt", "x", `"x"`},
		{"txt", int64(5), `"5"`},
		{"txt", true, `"true"`},
		{"txt", value.Of("a", int64(1)), `"{\"a\":1}"`},
		{"txt", []value.Value{"a", nil}, `"[\"a\",null]"`},
		{"txt", nil, "null"},
		{"n", int64(9007199254740993), "9007199254740993"},
		{"n", "9007199254740993", "9007199254740993"},
		{"n", 5.0, "5"},
		{"n", json.Number("1e3"), "1000"},
		{"n", "abc", `column n, row 1: want bigint, got "abc"`},
		{"n", 5.5, "want bigint, got 5.5"},
		{"n", "", `want bigint, got ""`},
		{"n", true, "want bigint, got true"},
		{"n", huge, "does not fit bigint"},
		{"n", "NaN", "want bigint"},
		{"n", "0x10", "want bigint"},
		{"f", int64(5), "5"},
		{"f", "2.5", "2.5"},
		{"f", "abc", `want double precision, got "abc"`},
		{"f", "1_000", "want double precision"},
		{"num", "10.25", "10.25"},
		{"num", huge, "123456789012345678901234567890"},
		{"num", "ten", "want numeric"},
		{"b", "false", "false"},
		{"b", "T", "true"},
		{"b", int64(0), "false"},
		{"b", "abc", `want boolean, got "abc"`},
		{"b", int64(2), "want boolean, got 2"},
		{"j", value.Of("a", int64(1)), `{"a":1}`},
		{"j", "x", `"x"`},
		{"ts", "2026-01-31T09:30:00Z", `"2026-01-31T09:30:00Z"`},
		{"ts", "2026-01-31T09:30:00.5+02:00", `"2026-01-31T09:30:00.5+02:00"`},
		{"ts", "2026-01-31 09:30:00+02", `"2026-01-31T07:30:00Z"`},
		{"ts", "2026-01-31", `"2026-01-31T00:00:00Z"`},
		{"ts", "yesterday", `want timestamptz such as 2026-01-31T09:30:00Z, got "yesterday"`},
		{"ts", "2026-02-30T00:00:00Z", "want timestamptz"},
		{"ts", int64(1700000000), "want timestamptz"},
		{"ts", "2026-01-31 09:30:00 PST", "want timestamptz"},
		{"d", "2026-01-31", `"2026-01-31"`},
		{"d", "2026-01-31T00:00:00Z", `"2026-01-31"`},
		{"d", "2026-01-31T23:30:00Z", "want a date"},
		{"d", "31.1.2026", "want a date"},
	} {
		t.Run(fmt.Sprintf("%s %v", c.column, c.in), func(t *testing.T) {
			table := toolfn.ResourceTable{Name: "t", Columns: columns, Select: func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
				return toolfn.Rows{Page: []*value.Object{value.Of(c.column, c.in, "undeclared", "x")}}, nil
			}}
			got, err := open(t, table).run().Select(Query{Table: "t"})
			if err != nil {
				f := fault(t, err)
				if f.Kind != sandbox.KindCapability || !strings.Contains(f.Message, c.want) || !strings.Contains(f.Message, "table t cannot be read") {
					t.Errorf("%s %v", f.Kind, f)
				}
				return
			}
			v, _ := got.Rows[0].Get(c.column)
			text, _ := value.Append(nil, v)
			if string(text) != c.want || got.Rows[0].Len() != 1 {
				t.Errorf("%s, want %s; %v", text, c.want, got.Rows[0].Keys().Names())
			}
		})
	}
}

func TestCellsCompareByType(t *testing.T) {
	table := toolfn.ResourceTable{
		Name: "t", Columns: []toolfn.Column{{Name: "ts", Type: "timestamptz"}, {Name: "num", Type: "numeric"}},
		Select: func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
			return toolfn.Rows{Page: []*value.Object{value.Of("ts", "2026-01-31T09:30:00+02:00", "num", json.Number("10.50"))}}, nil
		},
	}
	r := open(t, table).run()
	for _, w := range []Where{where("ts", "2026-01-31T07:30:00Z"), where("num", 10.5)} {
		if got := mustSelect(t, r, Query{Table: "t", Where: w}); len(got.Rows) != 1 {
			t.Errorf("%v", w.Bindings.Columns())
		}
	}
}

func TestArgumentsAreStampedWhereTheRowLacksThem(t *testing.T) {
	rows := []*value.Object{value.Of("id", int64(1), "assignee", nil), value.Of("id", int64(2))}
	define := func(argument bool) toolfn.ResourceTable {
		return toolfn.ResourceTable{
			Name:    "t",
			Columns: []toolfn.Column{{Name: "id", Type: "bigint"}, {Name: "assignee", Type: "text", Pushdown: toolfn.PushEqual, Argument: argument}},
			Select:  func(context.Context, toolfn.Bindings) (toolfn.Rows, error) { return toolfn.Rows{Page: rows}, nil },
		}
	}
	t.Run("an explicit null stays", func(t *testing.T) {
		got := mustSelect(t, open(t, define(true)).run(), Query{Table: "t", Where: where("assignee", "ann")})
		if rowsOf(got.Rows, "id") != "2" {
			t.Error(rowsOf(got.Rows, "id"))
		}
	})
	t.Run("several values are asked one by one", func(t *testing.T) {
		got := mustSelect(t, open(t, define(true)).run(), Query{Table: "t", Where: where("assignee", []any{"ann", "bob"})})
		if rowsOf(got.Rows, "assignee") != `"ann" "bob"` {
			t.Error(rowsOf(got.Rows, "assignee"))
		}
	})
	t.Run("only an argument is", func(t *testing.T) {
		got := mustSelect(t, open(t, define(false)).run(), Query{Table: "t", Where: where("assignee", "ann")})
		if len(got.Rows) != 0 {
			t.Error(rowsOf(got.Rows, "assignee"))
		}
		rows = rows[1:]
		_, err := open(t, define(false)).run().Select(Query{Table: "t", Where: where("assignee", "ann")})
		if f := fault(t, err); !strings.Contains(f.Message, "do not hold the column assignee, by which they were asked for") {
			t.Error(f)
		}
	})
}

func TestConsumedIsNotComparedAgain(t *testing.T) {
	s := &shelf{}
	table := s.table()
	table.Select = func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
		return toolfn.Rows{Page: []*value.Object{issue(1, "WEB", "a", "open"), issue(2, "Web", "b", "closed")}, Consumed: []string{"repo"}}, nil
	}
	r := open(t, table).run()
	got := mustSelect(t, r, Query{Table: "issues", Where: where("repo", "web", "state", "open")})
	if rowsOf(got.Rows, "id") != "1" || fmt.Sprint(got.Consumed) != "[repo]" {
		t.Errorf("%s %v", rowsOf(got.Rows, "id"), got.Consumed)
	}
	// A change to another column leaves the server's word about this one.
	if _, err := r.Update(Change{Table: "issues", Set: value.Of("title", "z"), Where: where("id", 1)}); err != nil {
		t.Fatal(err)
	}
	got = mustSelect(t, r, Query{Table: "issues", Where: where("repo", "web", "state", "open")})
	if rowsOf(got.Rows, "title") != `"z"` {
		t.Error(rowsOf(got.Rows, "title"))
	}
}

func TestReadsOfSeveralValuesFailByName(t *testing.T) {
	s := &shelf{rows: someIssues(), fail: func(c string) error {
		if strings.Contains(c, "api") {
			return errors.New("the repository is on fire")
		}
		return nil
	}}
	r := open(t, s.table(column("repo", func(c *toolfn.Column) { c.RequiredKey = true }))).run()
	_, err := r.Select(Query{Table: "issues", Where: where("repo", []any{"web", "api", "ops"})})
	f := fault(t, err)
	for _, want := range []string{`1 of the 3 reads of table issues failed: repo "api"`, "on fire", `It can be read for repo "web"; repo "ops".`} {
		if !strings.Contains(f.Error(), want) {
			t.Errorf("%v\nwant %s", f, want)
		}
	}
}

func TestFanOutIsBoundedAndOrdered(t *testing.T) {
	s := &shelf{}
	var rows []*value.Object
	var list []any
	for i := range 50 {
		repo := fmt.Sprintf("r%02d", 49-i)
		rows = append(rows, issue(int64(i), repo, "t", "open"))
		list = append(list, repo)
	}
	gate := make(chan struct{}, 100)
	most := 0
	table := s.table(column("repo", func(c *toolfn.Column) { c.RequiredKey = true }))
	table.Select = func(_ context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
		gate <- struct{}{}
		s.mu.Lock()
		most = max(most, len(gate))
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
		<-gate
		repo, _ := b.First("repo")
		for _, row := range rows {
			if v, _ := row.Get("repo"); v == repo {
				return toolfn.Rows{Page: []*value.Object{row}}, nil
			}
		}
		return toolfn.Rows{}, nil
	}
	r := open(t, table).run()
	got := mustSelect(t, r, Query{Table: "issues", Where: where("repo", list)})
	if len(got.Rows) != 50 || rowsOf(got.Rows[:3], "repo") != `"r49" "r48" "r47"` || most > small().Concurrency || most < 2 {
		t.Errorf("%d rows, %d at once", len(got.Rows), most)
	}
}

func TestSelectIsRefusedByPolicyEvenFromTheCache(t *testing.T) {
	s := &shelf{rows: someIssues()}
	allowed := true
	var seen []Request
	o := open(t, s.table(func(t *toolfn.ResourceTable) { t.Volatility = toolfn.Immutable }), WithPolicy(PolicyFunc(func(q Request) Decision {
		seen = append(seen, q)
		if allowed {
			return Decision{}
		}
		return Decision{Verdict: Deny, Reason: "not today"}
	})))
	mustSelect(t, o.run(), Query{Table: "issues", Where: where("repo", "web")})
	allowed = false
	_, err := o.run().Select(Query{Table: "issues", Where: where("repo", "web")})
	if f := fault(t, err); f.Kind != sandbox.KindDenied || !strings.Contains(f.Message, "issues.select was refused: not today") {
		t.Error(f)
	}
	q := seen[0]
	text, _ := value.Append(nil, q.Args)
	if q.Table.Name != "issues" || q.Verb != toolfn.Select || q.Function.Name != "issues.select" || !q.Function.Effect.Reads() || string(text) != `{"where":{"repo":["web"]}}` {
		t.Errorf("%s %s", q.Function.Name, text)
	}
}

func TestSelectStoppedInTheMiddle(t *testing.T) {
	s := &shelf{}
	table := s.table()
	table.Select = func(ctx context.Context, _ toolfn.Bindings) (toolfn.Rows, error) {
		<-ctx.Done()
		return toolfn.Rows{}, ctx.Err()
	}
	o := open(t, table)
	ctx, cancel := context.WithCancel(context.Background())
	m, err := sandbox.NewMeter(ctx, small())
	if err != nil {
		t.Fatal(err)
	}
	r := o.d.Begin(m, Program{})
	defer r.End(nil)
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err = r.Select(Query{Table: "issues"})
	if f := fault(t, err); f.Kind != sandbox.KindCancelled {
		t.Error(f)
	}
}

func TestStartedSelectsRunSideBySide(t *testing.T) {
	s := &shelf{}
	arrived := make(chan string, 2)
	release := make(chan struct{})
	table := s.table(column("repo", func(c *toolfn.Column) { c.RequiredKey = true }))
	table.Select = func(_ context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
		repo, _ := b.First("repo")
		arrived <- repo.(string)
		<-release
		return toolfn.Rows{Page: []*value.Object{issue(1, repo.(string), "t", "open")}}, nil
	}
	r := open(t, table).run()
	a, err := r.StartSelect(Query{Table: "issues", Where: where("repo", "web")})
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.StartSelect(Query{Table: "issues", Where: where("repo", "api")})
	if err != nil {
		t.Fatal(err)
	}
	<-arrived
	<-arrived
	if a.Ready() {
		t.Error("ready before it was answered")
	}
	close(release)
	for _, s := range []*Selection{b, a} {
		got, err := s.Wait()
		if err != nil || len(got.Rows) != 1 {
			t.Errorf("%v %v", got, err)
		}
		again, _ := s.Wait()
		if again != got {
			t.Error("another answer the second time")
		}
	}
}
