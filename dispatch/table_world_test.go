package dispatch

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// shelf is a server of one table, in memory. What it is asked is logged.
type shelf struct {
	mu      sync.Mutex
	rows    []*value.Object
	log     []string
	pageLen int                                   // rows a page; 0 is all
	fail    func(call string) error               // of a call, before it does anything
	shows   func([]*value.Object) []*value.Object // what a read shows of the rows, if not all
	filters []string                              // columns that a read compares
	ids     bool                                  // inserts are told what was assigned
}

func (s *shelf) note(format string, args ...any) error {
	call := fmt.Sprintf(format, args...)
	s.log = append(s.log, call)
	if s.fail != nil {
		return s.fail(call)
	}
	return nil
}

// asked gives the log and empties it.
func (s *shelf) asked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.Join(s.log, "; ")
	s.log = nil
	return text
}

// shown writes bindings as col=v|v, in order.
func shown(b toolfn.Bindings) string {
	var parts []string
	for _, c := range b.Columns() {
		var vs []string
		for _, v := range b.All(c) {
			vs = append(vs, shownValue(v))
		}
		parts = append(parts, c+"="+strings.Join(vs, "|"))
	}
	return strings.Join(parts, " ")
}

func admitsRow(b toolfn.Bindings, row *value.Object, columns []string) bool {
	for _, c := range columns {
		if !b.Has(c) {
			continue
		}
		v, _ := row.Get(c)
		ok := false
		for _, w := range b.All(c) {
			ok = ok || value.Equal(v, w)
		}
		if !ok {
			return false
		}
	}
	return true
}

func (s *shelf) sel(_ context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.note("select %s", shown(b)); err != nil {
		return toolfn.Rows{}, err
	}
	rows := s.rows
	if s.shows != nil {
		rows = s.shows(rows)
	}
	var page []*value.Object
	for _, row := range rows {
		if admitsRow(b, row, s.filters) {
			page = append(page, row)
		}
	}
	return s.paged(page), nil
}

func (s *shelf) paged(rows []*value.Object) toolfn.Rows {
	if s.pageLen == 0 || len(rows) <= s.pageLen {
		return toolfn.Rows{Page: rows}
	}
	return toolfn.Rows{Page: rows[:s.pageLen], Next: func(context.Context) (toolfn.Rows, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.note("next"); err != nil {
			return toolfn.Rows{}, err
		}
		return s.paged(rows[s.pageLen:]), nil
	}}
}

func (s *shelf) insert(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := toolfn.Written{Affected: 0}
	for _, row := range rows {
		if err := s.note("insert %s", shownRow(row)); err != nil {
			return w, err
		}
		own, _ := value.Copy(row).(*value.Object)
		if s.ids {
			own.Set("id", int64(len(s.rows)+100))
			w.Rows = append(w.Rows, own)
		}
		s.rows = append(s.rows, own)
		w.Affected++
	}
	return w, nil
}

func (s *shelf) update(_ context.Context, set *value.Object, b toolfn.Bindings) (toolfn.Written, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.note("update %s set %s", shown(b), shownRow(set)); err != nil {
		return toolfn.Written{}, err
	}
	n := 0
	for i, row := range s.rows {
		if admitsRow(b, row, b.Columns()) {
			row, _ = value.Copy(row).(*value.Object)
			for k, v := range set.All() {
				row.Set(k, v)
			}
			s.rows[i] = row
			n++
		}
	}
	return toolfn.Written{Affected: n}, nil
}

func (s *shelf) remove(_ context.Context, b toolfn.Bindings) (toolfn.Written, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.note("delete %s", shown(b)); err != nil {
		return toolfn.Written{}, err
	}
	var kept []*value.Object
	for _, row := range s.rows {
		if !admitsRow(b, row, b.Columns()) {
			kept = append(kept, row)
		}
	}
	n := len(s.rows) - len(kept)
	s.rows = kept
	return toolfn.Written{Affected: n}, nil
}

// table gives the shelf as a table of issues: id is the key, repo and state are
// compared by the server.
func (s *shelf) table(change ...func(*toolfn.ResourceTable)) toolfn.ResourceTable {
	s.filters = []string{"id", "repo", "state"}
	t := toolfn.ResourceTable{
		Name: "issues", Key: []string{"id"}, Volatility: toolfn.Stable,
		Columns: []toolfn.Column{
			{Name: "id", Type: "bigint", Pushdown: toolfn.PushEqual},
			{Name: "repo", Type: "text", Pushdown: toolfn.PushEqual},
			{Name: "title", Type: "text", RequiredInsert: true, NotNull: true},
			{Name: "state", Type: "text", Pushdown: toolfn.PushEqual, Enum: []value.Value{"open", "closed"}},
			{Name: "opened", Type: "timestamptz", ReadOnly: true},
			{Name: "stars", Type: "bigint"},
		},
		Select: s.sel, Insert: s.insert, Update: s.update, Delete: s.remove,
	}
	for _, c := range change {
		c(&t)
	}
	return t
}

func column(name string, change func(*toolfn.Column)) func(*toolfn.ResourceTable) {
	return func(t *toolfn.ResourceTable) {
		c, _ := t.Column(name)
		change(c)
	}
}

func issue(id int64, repo, title, state string) *value.Object {
	return value.Of("id", id, "repo", repo, "title", title, "state", state)
}

func someIssues() []*value.Object {
	return []*value.Object{
		issue(1, "web", "fix a", "open"), issue(2, "web", "fix b", "closed"), issue(3, "api", "fix c", "open"), issue(4, "ops", "fix d", "open"),
	}
}

// opened gives runs over one dispatcher on a table.
type opened struct {
	t    testing.TB
	d    *Dispatcher
	cat  *toolfn.Catalog
	j    *Memory
	many bool // its programs are ended by the test
}

func open(t testing.TB, table toolfn.ResourceTable, opts ...Option) *opened {
	t.Helper()
	cat := toolfn.NewCatalog()
	if err := cat.Register(table); err != nil {
		t.Fatal(err)
	}
	j := NewMemory(0)
	d, err := New(cat, append([]Option{WithJournal(j)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return &opened{t: t, d: d, cat: cat, j: j}
}

// run begins a program.
func (o *opened) run() *Run { return o.as("ann") }

func (o *opened) as(actor string) *Run {
	o.t.Helper()
	m, err := sandbox.NewMeter(context.Background(), small())
	if err != nil {
		o.t.Fatal(err)
	}
	r := o.d.Begin(m, Program{Language: "test", Actor: actor})
	if !o.many {
		o.t.Cleanup(func() { r.End(nil) })
	}
	return r
}

// where makes bindings of column, value pairs; a []any value is a list.
func where(pairs ...any) Where {
	b := toolfn.NewBindings()
	for i := 0; i+1 < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case []any:
			b = b.With(pairs[i].(string), v...)
		case int:
			b = b.With(pairs[i].(string), int64(v))
		default:
			b = b.With(pairs[i].(string), v)
		}
	}
	return Where{Bindings: b}
}

func condition(column string, holds func(value.Value) bool) *Condition {
	return &Condition{Columns: []string{column}, Text: column, Holds: func(row *value.Object) (bool, error) {
		v, _ := row.Get(column)
		return holds(v), nil
	}}
}

// rowsOf writes the rows of a read, one column of each.
func rowsOf(rows []*value.Object, column string) string {
	var out []string
	for _, row := range rows {
		v, ok := row.Get(column)
		if !ok {
			out = append(out, "-")
			continue
		}
		out = append(out, shownValue(v))
	}
	return strings.Join(out, " ")
}

func mustSelect(t testing.TB, r *Run, q Query) *Selected {
	t.Helper()
	got, err := r.Select(q)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
