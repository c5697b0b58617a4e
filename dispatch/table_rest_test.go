package dispatch

import (
	"errors"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// What a commit has not begun of a staged statement is pending again, shows in
// reads as it did, and is made by the next commit; nothing is made twice.
func TestRestOfAStagedStatementIsPending(t *testing.T) {
	row := func(title string) *value.Object { return value.Of("title", title, "state", "open") }
	for _, c := range []struct {
		name    string
		table   []func(*toolfn.ResourceTable)
		do      write
		fails   string // a part of the call that fails
		said    string // of the fault
		pending string
		shown   string // what is read then
		asked   string // by both commits
	}{
		{
			"rows", nil, inserts(row("a"), row("b"), row("c"), row("d")), `title "b"`, `the commit made 0 of 1 effect. Failed: 1 issues.insert (rows: 4, title: "a", state: "open"): insert of issues: 1 row done (title "a", state "open"); 1 row failed (title "b", state "open"); 2 rows not attempted`,
			`issues.insert (rows: 2, title: "c", state: "open")`, "a/open c/open d/open", `insert title "a", state "open"; insert title "b", state "open"; insert title "c", state "open"; insert title "d", state "open"`,
		},
		{"keys", nil, deletes(where("id", []any{int64(1), int64(2), int64(3)})), "id=1", "Failed: 1 issues.delete (keys: 3)", `issues.delete (keys: 2)`, "fix a/open", "delete id=1; delete id=2; delete id=3"},
		{"the last", nil, inserts(row("a"), row("b")), `title "b"`, "Go on from what has happened", "", "a/open", `insert title "a", state "open"; insert title "b", state "open"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{}
			if c.name == "keys" {
				s.rows = []*value.Object{issue(1, "web", "fix a", "open"), issue(2, "web", "fix b", "open"), issue(3, "web", "fix c", "open")}
			}
			o := open(t, s.table(c.table...))
			r := o.run()
			section, err := r.Stage()
			if err != nil {
				t.Fatal(err)
			}
			do(t, r, c.do)
			section.End()
			s.asked()
			s.fail = func(call string) error {
				if strings.Contains(call, c.fails) {
					return errors.New("it is full")
				}
				return nil
			}
			_, err = r.Commit(Call{})
			if f := fault(t, err); !strings.Contains(f.Message+" "+f.Hint, c.said) || (c.pending != "") != strings.Contains(f.Message, "What was not attempted of 1 is still pending.") {
				t.Errorf("told %s %s", f.Message, f.Hint)
			}
			if got := ListPending(r.Pending()); got != c.pending {
				t.Errorf("pending are %s", got)
			}
			asked := s.asked()
			s.fail = nil
			if got := view(t, r, where()); got != c.shown {
				t.Errorf("read %s", got)
			}
			s.asked()
			if c.pending != "" {
				if _, err := r.Commit(Call{}); err != nil {
					t.Fatal(err)
				}
				asked += "; " + s.asked()
			}
			if asked != c.asked || len(r.Pending()) != 0 {
				t.Errorf("asked %s", asked)
			}
		})
	}
}

// A statement that could not begin at all is pending as it was.
func TestStagedStatementThatCouldNotBegin(t *testing.T) {
	s := &shelf{}
	o := open(t, s.table())
	r := o.run()
	section, err := r.Stage()
	if err != nil {
		t.Fatal(err)
	}
	do(t, r, inserts(value.Of("title", "a"), value.Of("title", "b"), value.Of("title", "c")))
	section.End()
	m, err := sandbox.NewMeter(t.Context(), sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	short := o.d.Begin(m, Program{})
	short.limits.Calls = 3 // the commit's own call counts for nothing, three do not fit beside another
	short.calls = 1
	_, err = short.Commit(Call{})
	if f := fault(t, err); f.Kind != sandbox.KindCalls {
		t.Errorf("told %v", f)
	}
	if got := ListPending(o.d.Pending()); got != `issues.insert (rows: 3, title: "a")` || s.asked() != "" {
		t.Errorf("pending are %s", got)
	}
	if done, err := o.run().Commit(Call{}); err != nil || len(done) != 1 || len(s.rows) != 3 {
		t.Errorf("then %v, %v", done, err)
	}
}
