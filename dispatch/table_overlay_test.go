package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// lag makes a shelf show what it held when lag was called.
func (s *shelf) lag() {
	old := append([]*value.Object(nil), s.rows...)
	s.shows = func([]*value.Object) []*value.Object { return old }
}

// view reads the table as a program sees it, sorted as it comes: title/state.
func view(t *testing.T, r *Run, w Where) string {
	t.Helper()
	got := mustSelect(t, r, Query{Table: "issues", Where: w})
	var out []string
	for _, row := range got.Rows {
		title, _ := row.Get("title")
		state, _ := row.Get("state")
		out = append(out, fmt.Sprintf("%v/%v", title, state))
	}
	text := strings.Join(out, " ")
	if got.Partial != "" {
		text += " (" + got.Partial + ")"
	}
	return text
}

func do(t *testing.T, r *Run, w write) {
	t.Helper()
	if _, err := w(r); err != nil {
		t.Fatal(err)
	}
}

func TestProgramsReadTheirOwnWrites(t *testing.T) {
	x := value.Of("title", "x", "state", "open")
	base := []*value.Object{issue(1, "web", "a", "open"), issue(2, "web", "b", "closed")}
	for _, c := range []struct {
		name   string
		before []*value.Object
		ids    bool
		first  bool // a read comes before the writes
		writes []write
		where  Where
		lagged string // what is read while the server shows nothing of it
		live   string // when it shows everything
	}{
		{"insert", base, false, false, []write{inserts(x)}, where(), "a/open b/closed x/open", "a/open b/closed x/open"},
		{"two equal inserts are two", base, false, false, []write{inserts(x), inserts(x)}, where(), "a/open b/closed x/open x/open", "a/open b/closed x/open x/open"},
		{"two equal rows of one insert", base, false, false, []write{inserts(x, x)}, where(), "a/open b/closed x/open x/open", "a/open b/closed x/open x/open"},
		{"an insert equal to a row that was seen", base, false, true, []write{inserts(value.Of("title", "a", "state", "open"))}, where(), "a/open b/closed a/open", "a/open b/closed a/open"},
		{"the same when the server tells its key", base, true, false, []write{inserts(value.Of("title", "a", "state", "open"))}, where(), "a/open b/closed a/open", "a/open b/closed a/open"},
		{"a key that was given", base, false, false, []write{inserts(value.Of("id", int64(9), "title", "x"))}, where(), "a/open b/closed x/<nil>", "a/open b/closed x/<nil>"},
		{"update by key", base, false, false, []write{updates(where("id", 1), "title", "z")}, where(), "z/open b/closed", "z/open b/closed"},
		{"found by its new value", base, false, false, []write{updates(where("id", 2), "state", "open")}, where("state", "open"), "a/open b/open", "a/open b/open"},
		{"not by its old one", base, false, false, []write{updates(where("id", 1), "state", "closed")}, where("state", "open"), "", ""},
		{"delete", base, false, false, []write{deletes(where("id", 1))}, where(), "b/closed", "b/closed"},
		{"delete what a condition finds", base, false, false, []write{deletes(where("state", "closed"))}, where(), "a/open", "a/open"},
		{"insert, then delete all", nil, true, false, []write{inserts(x), deletes(where("state", "open"))}, where(), "", ""},
		{"insert, then change it", base, true, false, []write{inserts(x), updates(where("title", "x"), "title", "y")}, where(), "a/open b/closed y/open", "a/open b/closed y/open"},
		{"delete, then insert the same", base, false, true, []write{deletes(where("id", 1)), inserts(issue(1, "web", "a", "open"))}, where(), "b/closed a/open", "b/closed a/open"},
		{"change twice", base, false, false, []write{updates(where("id", 1), "title", "y"), updates(where("id", 1), "title", "a")}, where(), "a/open b/closed", "a/open b/closed"},
		{"an insert that a condition leaves out", base, false, false, []write{inserts(x)}, where("state", "closed"), "b/closed", "b/closed"},
	} {
		for _, mode := range []string{"lagged", "live"} {
			t.Run(c.name+" "+mode, func(t *testing.T) {
				s := &shelf{rows: append([]*value.Object(nil), c.before...), ids: c.ids}
				o := open(t, s.table())
				r := o.run()
				if c.first {
					view(t, r, where())
				}
				want := c.live
				for i, w := range c.writes {
					if mode == "lagged" && i == 0 {
						s.lag()
						want = c.lagged
					}
					do(t, r, w)
				}
				if got := view(t, r, c.where); got != want {
					t.Errorf("read %q, want %q", got, want)
				}
				// Another program of the workspace sees the same; then the server catches up.
				if got := view(t, o.run(), c.where); got != want {
					t.Errorf("another program read %q, want %q", got, want)
				}
				s.shows = nil
				if got := view(t, o.run(), c.where); got != c.live {
					t.Errorf("in the end %q, want %q", got, c.live)
				}
			})
		}
	}
}

func TestWritesAreForgottenOnceTheyShow(t *testing.T) {
	s := &shelf{rows: []*value.Object{issue(1, "web", "a", "open")}}
	o := open(t, s.table())
	r := o.run()
	s.lag()
	do(t, r, inserts(value.Of("title", "x")))
	do(t, r, updates(where("id", 1), "title", "b"))
	if n := len(r.pending(o.d.tables.state(mustTable(t, o)))); n != 2 {
		t.Fatalf("%d writes remembered", n)
	}
	view(t, r, where())
	s.shows = nil
	r = o.run()
	view(t, r, where())
	if n := len(r.pending(o.d.tables.state(mustTable(t, o)))); n != 0 {
		t.Errorf("%d writes remembered though they all show", n)
	}
	// From now on the server has the last word.
	s.rows[0] = issue(1, "web", "changed by others", "open")
	if got := view(t, o.run(), where()); got != "changed by others/open x/<nil>" {
		t.Error(got)
	}
}

func mustTable(t *testing.T, o *opened) *toolfn.ResourceTable {
	table, ok := o.cat.Table("issues")
	if !ok {
		t.Fatal("no table")
	}
	return table
}

func TestWritesAreForgottenInTheEnd(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	s := &shelf{rows: []*value.Object{issue(1, "web", "a", "open")}}
	s.lag()
	b := DefaultTableBounds()
	b.OverlayWrites = 3
	o := open(t, s.table(), WithClock(clock), WithTableBounds(b))
	r := o.run()
	for i := range 5 {
		do(t, r, inserts(value.Of("title", fmt.Sprint("x", i))))
	}
	if got := view(t, r, where()); got != "a/open x2/<nil> x3/<nil> x4/<nil>" {
		t.Error(got)
	}
	now = now.Add(b.OverlayLife + time.Second)
	if got := view(t, o.run(), where()); got != "a/open" {
		t.Error(got)
	}
	do(t, r, inserts(value.Of("title", "y")))
	o.d.ForgetTable("")
	if got := view(t, o.run(), where()); got != "a/open" {
		t.Error(got)
	}
}

func TestWithoutOverlayTheServerHasTheLastWord(t *testing.T) {
	s := &shelf{rows: []*value.Object{issue(1, "web", "a", "open")}}
	s.lag()
	r := open(t, s.table(), WithoutOverlay()).run()
	do(t, r, inserts(value.Of("title", "x")))
	if got := view(t, r, where()); got != "a/open" {
		t.Error(got)
	}
}

func TestWhatCannotBeToldIsSaid(t *testing.T) {
	t.Run("an unknown outcome", func(t *testing.T) {
		s := &shelf{fail: func(c string) error {
			if strings.HasPrefix(c, "insert") {
				return &toolfn.CallError{Message: "broke", OutcomeUnknown: true}
			}
			return nil
		}}
		r := open(t, s.table()).run()
		if _, err := inserts(value.Of("title", "x"))(r); err == nil {
			t.Fatal("no error")
		}
		if got := view(t, r, where()); got != " (a write of this table may or may not have taken place)" {
			t.Error(got)
		}
	})
	t.Run("a column that the server sets", func(t *testing.T) {
		s := &shelf{}
		s.lag()
		r := open(t, s.table()).run()
		do(t, r, inserts(value.Of("title", "x")))
		if got := view(t, r, where("state", "open")); !strings.Contains(got, "an inserted row lacks columns, set by the server, by which the rows were asked for") {
			t.Error(got)
		}
	})
	t.Run("unless its default is declared", func(t *testing.T) {
		s := &shelf{}
		s.lag()
		r := open(t, s.table(column("state", func(c *toolfn.Column) { c.Default = "open" }))).run()
		do(t, r, inserts(value.Of("title", "x")))
		if got := view(t, r, where("state", "open")); got != "x/open" {
			t.Error(got)
		}
	})
	t.Run("a match by a column that is not shown", func(t *testing.T) {
		s := &shelf{rows: []*value.Object{value.Of("id", int64(1), "title", "a"), value.Of("id", int64(2), "title", "b")}}
		r := open(t, s.table(func(t *toolfn.ResourceTable) { t.Match = []string{"repo"} })).run()
		do(t, r, deletes(where("repo", "web")))
		if got := view(t, r, where()); !strings.HasPrefix(got, "a/<nil> b/<nil> (whether a delete is about a row depends on a column that the server does not show") {
			t.Error(got)
		}
	})
	t.Run("equal rows that nobody saw before", func(t *testing.T) {
		s := &shelf{rows: []*value.Object{issue(1, "web", "x", "open"), issue(2, "web", "x", "open")}}
		s.lag()
		r := open(t, s.table()).run()
		do(t, r, inserts(value.Of("title", "x")))
		if got := view(t, r, where()); !strings.Contains(got, "rows equal to an inserted one may have been there before") {
			t.Error(got)
		}
	})
	t.Run("a row without its key", func(t *testing.T) {
		s := &shelf{}
		s.lag()
		r := open(t, s.table()).run()
		do(t, r, inserts(value.Of("title", "x")))
		_, err := deletes(where("title", "x"))(r)
		if f := fault(t, err); !strings.Contains(f.Message, `a row that it is about has no id yet (title "x")`) {
			t.Error(f)
		}
	})
}

func TestOnlyWhatFiredIsLaidOver(t *testing.T) {
	s := &shelf{rows: []*value.Object{issue(1, "web", "a", "open"), issue(2, "web", "b", "open")}}
	s.lag()
	s.fail = func(c string) error {
		if strings.Contains(c, `"y"`) || strings.Contains(c, "delete id=2") {
			return errors.New("no")
		}
		return nil
	}
	r := open(t, s.table()).run()
	_, _ = inserts(value.Of("title", "x"), value.Of("title", "y"), value.Of("title", "z"))(r)
	_, _ = deletes(where("id", []any{int64(1), int64(2)}))(r)
	if got := view(t, r, where()); got != "b/open x/<nil>" {
		t.Error(got)
	}
}

func TestOneActorsWritesAreNotShownToAnother(t *testing.T) {
	s := &shelf{}
	s.lag()
	o := open(t, s.table())
	do(t, o.as("ann"), inserts(value.Of("title", "x")))
	if got := view(t, o.as("bob"), where()); got != "" {
		t.Error(got)
	}
}

func TestStagedWritesShowUntilTheyAreDropped(t *testing.T) {
	s := &shelf{rows: []*value.Object{issue(1, "web", "a", "open"), issue(2, "web", "b", "open")}}
	o := open(t, s.table(), WithPolicy(PolicyFunc(func(q Request) Decision {
		if q.Function.Effect.Reads() || q.Committing {
			return Decision{Verdict: Allow}
		}
		return Decision{Verdict: Stage}
	})))
	r := o.run()
	w, err := inserts(value.Of("title", "x"))(r)
	if err != nil || w.Staged == nil {
		t.Fatalf("%+v %v", w, err)
	}
	do(t, r, deletes(where("title", "b")))
	do(t, r, updates(where("id", 1), "title", "z"))
	if asked := s.asked(); strings.Contains(asked, "insert") || strings.Contains(asked, "delete") || strings.Contains(asked, "update") {
		t.Fatalf("fired: %s", asked)
	}
	if got := view(t, r, where()); got != "z/open x/<nil>" {
		t.Error(got)
	}
	if got := view(t, o.run(), where()); got != "z/open x/<nil>" {
		t.Errorf("another program of the workspace reads %s", got)
	}
	if _, err := r.Rollback(); err != nil {
		t.Fatal(err)
	}
	if got := view(t, r, where()); got != "a/open b/open" {
		t.Error(got)
	}
	do(t, r, inserts(value.Of("title", "y")))
	do(t, r, deletes(where("title", "b")))
	s.asked()
	if _, err := r.Commit(Call{}); err != nil {
		t.Fatal(err)
	}
	if asked := s.asked(); asked != `insert title "y"; delete id=2` {
		t.Error(asked)
	}
	s.rows, s.shows = nil, func([]*value.Object) []*value.Object {
		return []*value.Object{issue(1, "web", "a", "open"), issue(2, "web", "b", "open")}
	}
	if got := view(t, o.run(), where()); got != "a/open y/<nil>" {
		t.Errorf("what was committed is laid over: %s", got)
	}
}

// A server that tells of an updated row only its key has told nothing against
// what was set.
func TestAnUpdateShowsWhateverTheServerSaysOfIt(t *testing.T) {
	for _, told := range []*value.Object{value.Of("id", int64(1)), value.Of("id", int64(1), "title", "Z (edited)")} {
		s := &shelf{rows: []*value.Object{issue(1, "web", "a", "open")}}
		s.lag()
		table := s.table()
		table.Update = func(context.Context, *value.Object, toolfn.Bindings) (toolfn.Written, error) {
			return toolfn.Written{Affected: 1, Rows: []*value.Object{told}}, nil
		}
		r := open(t, table).run()
		do(t, r, updates(where("id", 1), "title", "z", "state", "closed"))
		want := "z/closed"
		if told.Has("title") {
			want = "Z (edited)/closed"
		}
		if got := view(t, r, where()); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
