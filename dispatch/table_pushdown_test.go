package dispatch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// ledger is a server that honours what it is told, or lies about it.
type ledger struct {
	mu    sync.Mutex
	rows  []*value.Object
	log   []string
	lie   func(rows []*value.Object, b toolfn.Bindings) []*value.Object // after everything
	deaf  bool                                                          // ignores all that it is told
	pages int                                                           // rows a page, 0 is one page
}

func (s *ledger) table(change ...func(*toolfn.ResourceTable)) toolfn.ResourceTable {
	t := toolfn.ResourceTable{
		Name: "issues", Key: []string{"id"}, Volatility: toolfn.Stable, Limits: true,
		Columns: []toolfn.Column{
			{Name: "id", Type: "bigint", Pushdown: toolfn.PushRange, NotNull: true, Honours: toolfn.HonoursOrder},
			{Name: "repo", Type: "text", Pushdown: toolfn.PushIn, Honours: toolfn.HonoursLike},
			{Name: "title", Type: "text"},
			{Name: "stars", Type: "bigint", Pushdown: toolfn.PushRange, Honours: toolfn.HonoursOrder},
		},
		Select: s.sel,
		Update: func(context.Context, *value.Object, toolfn.Bindings) (toolfn.Written, error) {
			return toolfn.Written{Affected: 1}, nil
		},
		Insert: func(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
			return toolfn.Written{Affected: len(rows)}, nil
		},
	}
	for _, c := range change {
		c(&t)
	}
	return t
}

// allTold writes all that a server was told.
func allTold(b toolfn.Bindings) string {
	parts := strings.Fields(shown(b))
	for _, r := range b.Ranges() {
		parts = append(parts, r.Column+r.Op+shownValue(r.Value))
	}
	for _, l := range b.Likes() {
		parts = append(parts, l.Column+"~"+l.Pattern)
	}
	for _, k := range b.Order() {
		parts = append(parts, "by "+k.String())
	}
	if n := b.Limit(); n > 0 {
		parts = append(parts, fmt.Sprint("limit ", n))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func (s *ledger) sel(_ context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, allTold(b))
	var rows []*value.Object
	for _, row := range s.rows {
		if s.deaf || s.admits(row, b) {
			rows = append(rows, row)
		}
	}
	if k := b.Order(); len(k) > 0 && !s.deaf {
		c := &toolfn.Column{Name: k[0].Column, Type: "bigint"}
		slices.SortStableFunc(rows, func(x, y *value.Object) int {
			p, _ := x.Get(c.Name)
			q, _ := y.Get(c.Name)
			return compareCells(c, k[0], p, q)
		})
	}
	if n := b.Limit(); n > 0 && !s.deaf {
		rows = rows[:min(n, len(rows))]
	}
	if s.lie != nil {
		rows = s.lie(rows, b)
	}
	return s.page(rows), nil
}

func (s *ledger) page(rows []*value.Object) toolfn.Rows {
	if s.pages == 0 || len(rows) <= s.pages {
		return toolfn.Rows{Page: rows}
	}
	return toolfn.Rows{Page: rows[:s.pages], Next: func(context.Context) (toolfn.Rows, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.log = append(s.log, "next")
		return s.page(rows[s.pages:]), nil
	}}
}

func (s *ledger) admits(row *value.Object, b toolfn.Bindings) bool {
	if !admitsRow(b, row, b.Columns()) {
		return false
	}
	for _, r := range b.Ranges() {
		v, _ := row.Get(r.Column)
		n, ok := v.(int64)
		m, _ := r.Value.(int64)
		if !ok || r.Op == ">" && n <= m || r.Op == ">=" && n < m || r.Op == "<" && n >= m || r.Op == "<=" && n > m {
			return false
		}
	}
	for _, l := range b.Likes() {
		v, _ := row.Get(l.Column)
		if s, ok := v.(string); !ok || !l.Matches(s) {
			return false
		}
	}
	return true
}

func (s *ledger) asked() string {
	text := strings.Join(s.log, " ")
	s.log = nil
	return text
}

func ledgerRow(id int64, repo string, stars value.Value) *value.Object {
	return value.Of("id", id, "repo", repo, "title", fmt.Sprint("t", id), "stars", stars)
}

func ledgerRows() []*value.Object {
	return []*value.Object{ledgerRow(1, "web", int64(30)), ledgerRow(2, "api", nil), ledgerRow(3, "web-ui", int64(10)), ledgerRow(4, "ops", int64(20)), ledgerRow(5, "web", int64(20))}
}

func from(column, op string, v value.Value) Where {
	return Where{Ranges: []toolfn.Range{{Column: column, Op: op, Value: v}}}
}

var by = func(column string, desc bool) []toolfn.OrderKey {
	return []toolfn.OrderKey{{Column: column, Desc: desc}}
}

// TestPushdown shows what a server is told of a statement and what comes of it,
// from one that does it and from one that ignores it.
func TestPushdown(t *testing.T) {
	long := strings.Repeat("a", 5)
	for _, c := range []struct {
		name   string
		change func(*toolfn.ResourceTable)
		q      Query
		told   string
		ids    string
		deaf   string // what is asked of a server that ignores everything, if not the same
	}{
		{name: "a range", q: Query{Where: from("stars", ">=", int64(20))}, told: "[stars>=20]", ids: "1 4 5"},
		{name: "open", q: Query{Where: from("stars", ">", int64(20))}, told: "[stars>20]", ids: "1"},
		{name: "wider where only that is declared", change: func(t *toolfn.ResourceTable) {
			column("stars", func(c *toolfn.Column) { c.Pushdown, c.Honours = toolfn.PushEqual, toolfn.HonoursAtLeast })(t)
		}, q: Query{Where: from("stars", ">", int64(20)), Limit: 1}, told: "[stars>=20]", ids: "1"},
		{name: "never narrower", change: func(t *toolfn.ResourceTable) {
			column("stars", func(c *toolfn.Column) { c.Pushdown, c.Honours = toolfn.PushEqual, toolfn.HonoursGreater })(t)
		}, q: Query{Where: from("stars", ">=", int64(20))}, told: "[]", ids: "1 4 5"},
		{name: "both ends", q: Query{Where: Where{Ranges: []toolfn.Range{{Column: "id", Op: ">", Value: int64(1)}, {Column: "id", Op: "<=", Value: int64(4)}, {Column: "id", Op: "<", Value: int64(9)}}}}, told: "[id>1 id<=4]", ids: "2 3 4"},
		{name: "contradiction", q: Query{Where: Where{Ranges: []toolfn.Range{{Column: "id", Op: ">", Value: int64(4)}, {Column: "id", Op: "<=", Value: int64(4)}}}}, told: "", ids: ""},
		{name: "a null", q: Query{Where: from("id", ">", nil)}, told: "", ids: ""},
		{name: "values within a range", q: Query{Where: Where{Bindings: toolfn.NewBindings().With("id", int64(1), int64(3), int64(5)), Ranges: from("id", ">", int64(2)).Ranges}}, told: "[id=3|5]", ids: "3 5"},
		{name: "a pattern", q: Query{Where: Where{Likes: []toolfn.Like{{Column: "repo", Pattern: "w_b%"}}}}, told: "[repo~w_b%]", ids: "1 3 5"},
		{
			name: "a prefix of a pattern", change: column("repo", func(c *toolfn.Column) { c.Honours = toolfn.HonoursPrefix }),
			q: Query{Where: Where{Likes: []toolfn.Like{{Column: "repo", Pattern: "web%i"}}}}, told: "[repo~web%]", ids: "3",
		},
		{
			name: "no prefix", change: column("repo", func(c *toolfn.Column) { c.Honours = toolfn.HonoursPrefix }),
			q: Query{Where: Where{Likes: []toolfn.Like{{Column: "repo", Pattern: "%i"}}}}, told: "[]", ids: "2 3",
		},
		{name: "a pattern on a column that declares nothing", q: Query{Where: Where{Likes: []toolfn.Like{{Column: "title", Pattern: "%" + long}}}}, told: "[]", ids: ""},
		{name: "limit", q: Query{Limit: 2}, told: "[limit 2]", ids: "1 2"},
		{name: "limit with all pushed", q: Query{Where: from("stars", ">=", int64(20)), Limit: 2}, told: "[stars>=20 limit 2]", ids: "1 4", deaf: "[stars>=20 limit 2] [stars>=20]"},
		{name: "no limit where a part is not pushed", q: Query{Where: where("title", "t4"), Limit: 1}, told: "[]", ids: "4"},
		{name: "no limit where only the caller understands", q: Query{Where: Where{Rest: condition("id", func(v value.Value) bool { return v == int64(5) })}, Limit: 1}, told: "[]", ids: "5"},
		{name: "order and limit", q: Query{Order: by("id", true), Limit: 2}, told: "[by id desc limit 2]", ids: "5 4", deaf: "[by id desc limit 2] []"},
		{name: "order without limit is done here", q: Query{Order: by("id", true)}, told: "[]", ids: "5 4 3 2 1"},
		{name: "order by what may be null", q: Query{Order: by("stars", false), Limit: 2}, told: "[]", ids: "3 4"},
		{name: "order by what may be null, without nulls", q: Query{Where: from("stars", ">", int64(0)), Order: by("stars", false), Limit: 2}, told: "[stars>0 by stars limit 2]", ids: "3 4", deaf: "[stars>0 by stars limit 2] [stars>0]"},
		{name: "nulls first", q: Query{Order: []toolfn.OrderKey{{Column: "stars", NullsFirst: true}}, Limit: 2}, told: "[]", ids: "2 3"},
		{name: "two keys", q: Query{Order: []toolfn.OrderKey{{Column: "repo"}, {Column: "id", Desc: true}}, Limit: 4}, told: "[]", ids: "2 4 5 1"},
		{name: "order with a residual", q: Query{Where: where("title", "t3"), Order: by("id", true), Limit: 1}, told: "[by id desc]", ids: "3", deaf: "[by id desc] []"},
	} {
		for _, deaf := range []bool{false, true} {
			s := &ledger{rows: ledgerRows(), deaf: deaf}
			change := c.change
			if change == nil {
				change = func(*toolfn.ResourceTable) {}
			}
			o := open(t, s.table(change))
			q := c.q
			q.Table = "issues"
			got, err := o.run().Select(q)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			want := c.told
			if deaf && c.deaf != "" {
				want = c.deaf
			}
			if ids := rowsOf(got.Rows, "id"); ids != c.ids {
				t.Errorf("%s (deaf %v): %q, want %q", c.name, deaf, ids, c.ids)
			}
			if asked := s.asked(); asked != want {
				t.Errorf("%s (deaf %v): told %s, want %s", c.name, deaf, asked, want)
			}
		}
	}
}

// TestNoLimitUnderWrites shows that a server is not told a number of rows while
// writes of the workspace are laid over them, and that a written column is
// compared here.
func TestNoLimitUnderWrites(t *testing.T) {
	s := &ledger{rows: ledgerRows()}
	r := open(t, s.table()).run()
	if _, err := r.Update(Change{Table: "issues", Set: value.Of("stars", int64(99)), Where: where("id", 3)}); err != nil {
		t.Fatal(err)
	}
	s.log = nil
	q := Query{Table: "issues", Where: from("stars", ">", int64(25)), Order: by("stars", true), Limit: 1}
	if got := mustSelect(t, r, q); rowsOf(got.Rows, "id") != "3" {
		t.Errorf("%s", rowsOf(got.Rows, "id"))
	}
	if asked := s.asked(); asked != "[]" {
		t.Errorf("told %s", asked)
	}
}

// TestRandomPushdown compares random queries, to servers that do what they are
// told, ignore it, or do it in part, with the rows filtered and sorted here.
func TestRandomPushdown(t *testing.T) {
	for seed := range uint64(4000 / slowdown) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s := &ledger{deaf: rng.IntN(3) == 0, pages: rng.IntN(4)}
		for id := range rng.IntN(12) {
			var stars value.Value
			if n := rng.IntN(5); n > 0 {
				stars = int64(n)
			}
			s.rows = append(s.rows, ledgerRow(int64(id), []string{"web", "web-ui", "api", "w%"}[rng.IntN(4)], stars))
		}
		if rng.IntN(4) == 0 { // rows beside those that were asked for, up to the limit
			s.lie = func(rows []*value.Object, b toolfn.Bindings) []*value.Object {
				for _, row := range s.rows {
					if !s.admits(row, b) {
						rows = append(slices.Clip(rows), row)
						break
					}
				}
				if n := b.Limit(); n > 0 && len(rows) > n {
					rows = rows[len(rows)-n:]
				}
				return rows
			}
		}
		o := open(t, s.table(func(t *toolfn.ResourceTable) {
			t.Volatility = toolfn.Volatility(rng.IntN(3))
			t.Limits = rng.IntN(3) > 0
			column("stars", func(c *toolfn.Column) { c.Pushdown = toolfn.Pushdown(rng.IntN(4)) })(t)
			column("repo", func(c *toolfn.Column) { c.Pushdown = toolfn.Pushdown(rng.IntN(3)) })(t)
		}))
		r := o.run()
		for range 4 {
			q := randomQuery(rng)
			got, err := r.Select(q)
			if err != nil {
				t.Fatalf("%d: %v", seed, err)
			}
			var all []*value.Object
			for _, row := range s.rows {
				if s.admits(row, conjuncts(q)) {
					all = append(all, row)
				}
			}
			want := len(all)
			if q.Limit > 0 {
				want = min(want, q.Limit)
			}
			if len(got.Rows) != want {
				t.Fatalf("%d: %+v gives %d rows, want %d; asked %s", seed, q, len(got.Rows), want, s.asked())
			}
			// One page of a server that ignores order and number looks like what was
			// asked for, so nothing can be told from it.
			if len(q.Order) > 0 && s.lie == nil && !(s.deaf && s.pages > 0) {
				table, _ := o.cat.Table("issues")
				slices.SortStableFunc(all, compareRows(table, q.Order))
				if have, want := rowsOf(got.Rows, q.Order[0].Column), rowsOf(all[:want], q.Order[0].Column); have != want {
					t.Fatalf("%d: %+v gives %s, want %s; asked %s", seed, q, have, want, s.asked())
				}
			}
		}
	}
}

func randomQuery(rng *rand.Rand) Query {
	q := Query{Table: "issues", Where: where()}
	if rng.IntN(2) == 0 {
		q.Where.Ranges = append(q.Where.Ranges, toolfn.Range{Column: "stars", Op: []string{">", ">=", "<", "<="}[rng.IntN(4)], Value: int64(rng.IntN(5))})
	}
	if rng.IntN(3) == 0 {
		q.Where.Likes = []toolfn.Like{{Column: "repo", Pattern: []string{"web%", "%i", "w_b", `w\%`, "%", ""}[rng.IntN(6)]}}
	}
	if rng.IntN(3) == 0 {
		q.Where.Bindings = q.Where.Bindings.With("repo", "web", "api")
	}
	if rng.IntN(2) == 0 {
		q.Order = by([]string{"id", "stars"}[rng.IntN(2)], rng.IntN(2) == 0)
	}
	q.Limit = rng.IntN(5)
	return q
}

// conjuncts are the whole of what a query demands, as bindings.
func conjuncts(q Query) toolfn.Bindings {
	b := q.Where.Bindings
	for _, r := range q.Where.Ranges {
		b = b.WithRange(r)
	}
	for _, l := range q.Where.Likes {
		b = b.WithLike(l)
	}
	return b
}

// TestServersThatLie holds reads against servers that do not do what they
// declare.
func TestServersThatLie(t *testing.T) {
	in := func(column string, values ...value.Value) Where {
		return Where{Bindings: toolfn.NewBindings().With(column, values...)}
	}
	required := column("id", func(c *toolfn.Column) { c.RequiredKey, c.Pushdown = true, toolfn.PushEqual })
	for _, c := range []struct {
		name   string
		server *ledger
		change func(*toolfn.ResourceTable)
		q      Query
		want   string // ids, or a part of the error
	}{
		{"ignores the key of each of several reads", &ledger{rows: ledgerRows(), deaf: true}, required, Query{Where: in("id", int64(1), int64(2), int64(3))}, "1 2 3"},
		{"gives rows beside those asked for", &ledger{rows: ledgerRows(), deaf: true}, nil, Query{Where: in("repo", "web")}, "1 5"},
		{"gives the same row twice, as it may be", &ledger{rows: []*value.Object{ledgerRow(1, "web", nil), ledgerRow(1, "web", nil)}}, nil, Query{}, "1 1"},
		{"gives more than the limit", &ledger{rows: ledgerRows(), deaf: true}, nil, Query{Limit: 2}, "1 2"},
		{"sends a key of null", &ledger{rows: []*value.Object{value.Of("id", nil, "repo", "web")}}, nil, Query{Where: in("repo", "web")}, "null"},
		{"leaves out the column it compares", &ledger{rows: []*value.Object{value.Of("id", int64(1))}, deaf: true}, nil, Query{Where: in("repo", "web")}, "do not hold the column repo"},
		{"leaves out the column of a range", &ledger{rows: []*value.Object{value.Of("id", int64(1))}, deaf: true}, nil, Query{Where: from("stars", ">", int64(1))}, "do not hold the column stars"},
		{"sends a nil row", &ledger{rows: []*value.Object{nil}, deaf: true}, nil, Query{}, "not an object"},
		{"sends a text for a number", &ledger{rows: []*value.Object{value.Of("id", "7")}}, nil, Query{}, "7"},
		{"sends no number for a number", &ledger{rows: []*value.Object{value.Of("id", "seven")}}, nil, Query{}, "want bigint"},
		{"sends columns that nobody declared", &ledger{rows: []*value.Object{value.Of("id", int64(1), "secret", "x")}}, nil, Query{}, "1"},
		{"sends one row a page", &ledger{rows: ledgerRows(), pages: 1}, nil, Query{}, "1 2 3 4 5"},
		{"sends rows of many shapes", &ledger{rows: []*value.Object{value.Of("id", int64(1)), value.Of("repo", "web", "id", int64(2)), value.Of("id", int64(3), "stars", nil)}}, nil, Query{}, "1 2 3"},
	} {
		change := c.change
		if change == nil {
			change = func(*toolfn.ResourceTable) {}
		}
		q := c.q
		q.Table = "issues"
		got, err := open(t, c.server.table(change)).run().Select(q)
		switch {
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v", c.name, err)
		case err == nil && rowsOf(got.Rows, "id") != c.want:
			t.Errorf("%s: %q, want %q", c.name, rowsOf(got.Rows, "id"), c.want)
		}
	}
}

// TestShortReadIsNotRemembered shows that what ended early, because the statement
// had enough, is not taken for the whole by another.
func TestShortReadIsNotRemembered(t *testing.T) {
	s := &ledger{rows: ledgerRows(), pages: 1}
	r := open(t, s.table(func(t *toolfn.ResourceTable) {
		t.Limits = false
		column("repo", func(c *toolfn.Column) { c.RequiredKey, c.Pushdown = true, toolfn.PushEqual })(t)
	})).run()
	w := Where{Bindings: toolfn.NewBindings().With("repo", "web", "ops")}
	mustSelect(t, r, Query{Table: "issues", Where: w, Limit: 1})
	if got := mustSelect(t, r, Query{Table: "issues", Where: w}); rowsOf(got.Rows, "id") != "1 5 4" {
		t.Errorf("%s", rowsOf(got.Rows, "id"))
	}
}

// TestFirstRowsAreRememberedAsSuch shows that first rows are asked for once, and
// never taken for all.
func TestFirstRowsAreRememberedAsSuch(t *testing.T) {
	for _, v := range []toolfn.Volatility{toolfn.Stable, toolfn.Immutable} {
		s := &ledger{rows: ledgerRows()}
		r := open(t, s.table(func(t *toolfn.ResourceTable) { t.Volatility = v })).run()
		q := Query{Table: "issues", Order: by("id", true), Limit: 2}
		for range 2 {
			mustSelect(t, r, q)
		}
		if got := mustSelect(t, r, Query{Table: "issues"}); len(got.Rows) != 5 {
			t.Errorf("%d rows", len(got.Rows))
		}
		mustSelect(t, r, Query{Table: "issues", Order: by("id", false), Limit: 1}) // from the whole
		if asked := s.asked(); asked != "[by id desc limit 2] []" {
			t.Errorf("%s: asked %s", v, asked)
		}
	}
}

// TestWritesByRange shows that a write whose range the server would not honour is
// made by the keys of the rows.
func TestWritesByRange(t *testing.T) {
	s := &ledger{rows: ledgerRows()}
	w, err := open(t, s.table()).run().Update(Change{Table: "issues", Set: value.Of("title", "x"), Where: from("stars", "<", int64(25))})
	if err != nil || w.Affected != 3 || s.asked() != "[stars<25]" {
		t.Errorf("%+v %v", w, err)
	}
}

// TestPlanSelect shows plans beside what the same queries then ask.
func TestPlanSelect(t *testing.T) {
	s := &ledger{rows: ledgerRows()}
	rules, err := Rules(Rule{Function: "issues.delete", Verdict: Deny})
	if err != nil {
		t.Fatal(err)
	}
	o := open(t, s.table(column("repo", func(c *toolfn.Column) { c.RequiredKey, c.Pushdown = true, toolfn.PushEqual })), WithPolicy(rules))
	r := o.run()
	p := r.PlanSelect(Query{Table: "issues"})
	if p.Fault == nil || len(p.Missing) != 1 || p.Missing[0].Column != "repo" {
		t.Errorf("%+v", p)
	}
	p = r.PlanSelect(Query{Table: "issues"}, Later{Column: "repo", From: "distinct values of repos.name", AtMost: 20})
	if p.Fault != nil || p.MostFetches != 20 || p.String() != "issues: at most 20 fetches" || p.Pushed[0] != "repo IN (distinct values of repos.name)" {
		t.Errorf("%+v", p)
	}
	w := Where{Bindings: toolfn.NewBindings().With("repo", "web", "ops").With("title", "t5"), Ranges: from("stars", ">", int64(5)).Ranges}
	q := Query{Table: "issues", Where: w, Limit: 1}
	p = r.PlanSelect(q)
	if s.asked() != "" || p.Fetches != 2 || p.Verdict != Allow || p.Limit != 0 {
		t.Errorf("%+v", p)
	}
	if text := strings.Join(p.Pushed, "; ") + " | " + strings.Join(p.Here, "; "); text != `repo IN ("web", "ops"); stars > 5 | title = "t5"` {
		t.Errorf("%s", text)
	}
	mustSelect(t, r, Query{Table: "issues", Where: w})
	slices.Sort(s.log) // they run side by side
	if asked := s.asked(); asked != "[repo=\"ops\" stars>5] [repo=\"web\" stars>5]" {
		t.Errorf("%s", asked)
	}
	if p = r.PlanSelect(q); p.Remembered != 2 || p.String() != "issues: 2 fetches, 2 from memory" {
		t.Errorf("%+v", p)
	}
	if p = r.PlanSelect(Query{Table: "issues", Where: where("repo", []any{})}); !p.Never {
		t.Errorf("%+v", p)
	}
	if p = r.PlanSelect(Query{Table: "isues"}); p.Fault == nil {
		t.Error("no fault")
	}
	if len(r.Called()) != 1 {
		t.Errorf("planning was counted: %v", r.Called())
	}
}

// TestBlocks shows rows in runs of one shape.
func TestBlocks(t *testing.T) {
	s := &ledger{rows: append(ledgerRows(), value.Of("id", int64(9)))}
	got := mustSelect(t, open(t, s.table()).run(), Query{Table: "issues"})
	var text string
	for b := range got.Blocks([]string{"repo", "id"}) {
		text += fmt.Sprint(len(b.Rows), b.At, " ")
	}
	if text != "5 [1 0] 1 [-1 0] " {
		t.Error(text)
	}
}
