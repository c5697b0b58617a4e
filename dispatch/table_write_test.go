package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// write makes a write given in one line.
type write func(*Run) (*Wrote, error)

func inserts(rows ...*value.Object) write {
	return func(r *Run) (*Wrote, error) { return r.Insert(Insertion{Table: "issues", Rows: rows}) }
}

func updates(w Where, set ...value.Value) write {
	return func(r *Run) (*Wrote, error) {
		return r.Update(Change{Table: "issues", Set: value.Of(set...), Where: w})
	}
}

func deletes(w Where) write {
	return func(r *Run) (*Wrote, error) { return r.Delete(Removal{Table: "issues", Where: w}) }
}

func (w Where) rest(c *Condition) Where { return Where{Bindings: w.Bindings, Rest: c} }

func TestWritesAreRefusedBeforeAnythingFires(t *testing.T) {
	row := func(pairs ...value.Value) *value.Object { return value.Of(pairs...) }
	noKey := func(t *toolfn.ResourceTable) { t.Key = nil }
	unread := func(t *toolfn.ResourceTable) { t.Select = nil }
	for _, c := range []struct {
		name  string
		table []func(*toolfn.ResourceTable)
		do    write
		want  string
	}{
		{"unknown column", nil, inserts(row("title", "a", "nope", int64(1))), "table issues has no column 'nope'"},
		{"second row", nil, inserts(row("title", "a"), row("title", int64(1))), `row 2 of 2: table issues, column title: want text, got 1. Give a value of the column's type. No row was inserted.`},
		{"missing", nil, inserts(row("repo", "web")), "column title of table issues must be given"},
		{"null", nil, inserts(row("title", nil)), "column title of table issues must not be null"},
		{"read-only", nil, inserts(row("title", "a", "opened", "2026-01-01T00:00:00Z")), "column opened of table issues is read-only; it cannot be inserted"},
		{"enum", nil, inserts(row("title", "a", "state", "opn")), `"opn" is not one of its values. Did you mean "open"? The values are "open", "closed".`},
		{"type", nil, inserts(row("title", "a", "stars", "abc")), `column stars: want bigint, got "abc"`},
		{"no columns", []func(*toolfn.ResourceTable){column("title", func(c *toolfn.Column) { c.RequiredInsert = false })}, inserts(row()), "was given no column"},

		{"set unknown", nil, updates(where("id", 1), "nope", int64(1)), "table issues has no column 'nope'"},
		{"set nothing", nil, updates(where("id", 1)), "sets no column"},
		{"set read-only", nil, updates(where("id", 1), "opened", "2026-01-01T00:00:00Z"), "read-only"},
		{"set null", nil, updates(where("id", 1), "title", nil), "must not be null"},
		{"set enum", nil, updates(where("id", 1), "state", "done"), "is not one of its values"},
		{"unqualified update", nil, updates(where(), "title", "x"), "an update of issues without a condition is about every row. Say which rows are meant"},
		{"unqualified delete", nil, deletes(where()), "a delete of issues without a condition is about every row"},
		{"misspelt column", nil, deletes(where("stat", "open")), "no column 'stat'. Did you mean state?"},
		{"case of a column", nil, deletes(where("ID", 1)), "no column 'ID'"},
		{"condition on an unknown column", nil, deletes(where("id", 1).rest(condition("nope", nil))), "no column 'nope'"},
		{"type of a key", nil, deletes(where("id", "1")), "want bigint"},

		{"no key", []func(*toolfn.ResourceTable){noKey}, deletes(where("state", "open")), "a delete of issues cannot be held to this condition: the server finds rows by nothing only"},
		{"not readable", []func(*toolfn.ResourceTable){unread}, deletes(where("state", "open")), "by id only, and the table cannot be read to find them. Nothing was changed. Read the rows first, then delete them by id."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{rows: someIssues()}
			r := open(t, s.table(c.table...)).run()
			_, err := c.do(r)
			if f := fault(t, err); f.Kind != sandbox.KindArgument || !strings.Contains(f.Error(), c.want) {
				t.Errorf("%s: %v\nwant %s", f.Kind, f, c.want)
			}
			if asked := s.asked(); asked != "" || len(r.Called()) != 0 {
				t.Errorf("the server was asked: %s", asked)
			}
		})
	}
}

func TestWritesThatMatchNothingMakeNoCall(t *testing.T) {
	for name, w := range map[string]Where{
		"contradiction": where("id", 1).and("id", 2), "null": where("id", nil), "empty list": where("id", []any{}),
	} {
		s := &shelf{rows: someIssues()}
		r := open(t, s.table()).run()
		for _, do := range []write{deletes(w), updates(w, "title", "x")} {
			if got, err := do(r); err != nil || got.Affected != 0 || s.asked() != "" {
				t.Errorf("%s: %v %v", name, got, err)
			}
		}
	}
}

func TestWritesNeverReachFurtherThanAsked(t *testing.T) {
	match := func(columns ...string) func(*toolfn.ResourceTable) {
		return func(t *toolfn.ResourceTable) { t.Match = columns }
	}
	lists := column("id", func(c *toolfn.Column) { c.Pushdown = toolfn.PushIn })
	two := func(t *toolfn.ResourceTable) { t.Key = []string{"repo", "id"} }
	all := func(r *Run) (*Wrote, error) { return r.Delete(Removal{Table: "issues", All: true}) }
	for _, c := range []struct {
		name     string
		table    []func(*toolfn.ResourceTable)
		do       write
		asked    string
		affected int
	}{
		{"by key", nil, deletes(where("id", 1)), "delete id=1", 1},
		{"by keys", nil, deletes(where("id", []any{int64(3), int64(1), int64(3)})), "delete id=3; delete id=1", 2},
		{"by a list", []func(*toolfn.ResourceTable){lists}, deletes(where("id", []any{int64(3), int64(1)})), "delete id=3|1", 2},
		{"by what the table matches", []func(*toolfn.ResourceTable){match("state", "repo")}, deletes(where("state", "open")), `delete state="open"`, 3},
		{"another column", nil, deletes(where("state", "open")), `select state="open"; delete id=1; delete id=3; delete id=4`, 3},
		{"key and another column", nil, deletes(where("id", 2, "state", "open")), `select id=2 state="open"`, 0},
		{"a condition of the caller's", nil, deletes(where("repo", "web").rest(condition("title", func(v value.Value) bool { return v == "fix b" }))), `select repo="web"; delete id=2`, 1},
		{"one half of a key", []func(*toolfn.ResourceTable){two}, deletes(where("repo", "web")), `select repo="web"; delete id=1 repo="web"; delete id=2 repo="web"`, 2},
		{"a whole key", []func(*toolfn.ResourceTable){two}, deletes(where("repo", "web", "id", 2)), `delete id=2 repo="web"`, 1},
		{"combinations that are no rows", []func(*toolfn.ResourceTable){two}, deletes(where("repo", []any{"web", "api"}, "id", []any{int64(1), int64(3)})), `select ; delete id=1 repo="web"; delete id=3 repo="api"`, 2},
		{"every row, as declared", nil, all, "select ; delete id=1; delete id=2; delete id=3; delete id=4", 4},
		{"every row of a table without a key", []func(*toolfn.ResourceTable){func(t *toolfn.ResourceTable) { t.Key = nil }}, all, "delete ", 4},
		{"an update by another column", nil, updates(where("state", "open"), "state", "closed"), `select state="open"; update id=1 set state "closed"; update id=3 set state "closed"; update id=4 set state "closed"`, 3},
		{"a key that is set", nil, updates(where("id", 1), "id", int64(9)), "update id=1 set id 9", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{rows: someIssues()}
			r := open(t, s.table(c.table...)).run()
			got, err := c.do(r)
			if err != nil {
				t.Fatal(err)
			}
			if asked := s.asked(); asked != c.asked || got.Affected != c.affected {
				t.Errorf("affected %d, want %d; asked\n%s, want\n%s", got.Affected, c.affected, asked, c.asked)
			}
		})
	}
}

func TestKeysAreFoundInWhatTheServerShowsNow(t *testing.T) {
	s := &shelf{rows: someIssues()}
	r := open(t, s.table()).run()
	mustSelect(t, r, Query{Table: "issues", Where: where("state", "open")})
	s.rows = s.rows[2:] // others delete rows
	s.asked()
	got, err := deletes(where("state", "open"))(r)
	if err != nil || got.Affected != 2 || s.asked() != `select state="open"; delete id=3; delete id=4` {
		t.Errorf("%v %v", got, err)
	}
	s.pageLen = 1
	s.rows = someIssues()
	b := DefaultTableBounds()
	b.Pages = 2
	r = open(t, s.table(), WithTableBounds(b)).run()
	_, err = deletes(where("state", "open"))(r)
	if f := fault(t, err); !strings.Contains(f.Message, "its rows cannot all be found: there are more than the 2 pages") || strings.Contains(s.asked(), "delete") {
		t.Error(f)
	}
}

func TestInsertSendsRowsOneByOneOrAsManyAsTheTableTakes(t *testing.T) {
	rows := []*value.Object{value.Of("title", "a"), value.Of("title", "b"), value.Of("title", "c")}
	for _, c := range []struct{ bulk, calls int }{{0, 3}, {1, 3}, {2, 2}, {10, 1}} {
		s := &shelf{}
		r := open(t, s.table(func(t *toolfn.ResourceTable) { t.Bulk = c.bulk })).run()
		got, err := inserts(rows...)(r)
		if err != nil || got.Affected != 3 || len(got.Parts) != 3 || r.Called()[0].Calls != c.calls || s.asked() != `insert title "a"; insert title "b"; insert title "c"` {
			t.Errorf("%d: %+v %v %v", c.bulk, got, r.Called(), err)
		}
	}
}

func TestWhatTheServerAssignedIsReturned(t *testing.T) {
	s := &shelf{ids: true}
	r := open(t, s.table()).run()
	got, err := inserts(value.Of("title", "a"), value.Of("title", "b"))(r)
	if err != nil || rowsOf(got.Rows, "id") != "100 101" {
		t.Errorf("%v %v", got, err)
	}
}

func TestCountsAreReportedOrNot(t *testing.T) {
	s := &shelf{rows: someIssues()}
	table := s.table()
	table.Delete = func(context.Context, toolfn.Bindings) (toolfn.Written, error) {
		return toolfn.Written{Affected: -1}, nil
	}
	r := open(t, table).run()
	if got, err := deletes(where("id", 1))(r); err != nil || got.Affected != -1 {
		t.Errorf("%v %v", got, err)
	}
	// Rows that were found first are known to have been there.
	if got, err := deletes(where("state", "open"))(r); err != nil || got.Affected != 2 {
		t.Errorf("%+v %v", got, err)
	}
}

func TestPartialFailure(t *testing.T) {
	broken := func(at string, err error) func(string) error {
		return func(c string) error {
			if strings.Contains(c, at) {
				return err
			}
			return nil
		}
	}
	unknown := &toolfn.CallError{Message: "the connection broke", OutcomeUnknown: true}
	a, b, c := value.Of("title", "a"), value.Of("title", "b"), value.Of("title", "c")
	for _, x := range []struct {
		name  string
		bulk  int
		fail  func(string) error
		do    write
		parts string
		says  []string
	}{
		{
			"second row", 0, broken(`title "b"`, errors.New("quota exceeded")), inserts(a, b, c), "done failed not attempted",
			[]string{`insert of issues: 1 row done (title "a"); 1 row failed (title "b"); 1 row not attempted (title "c"). issues.insert: quota exceeded. Do not repeat what was done; go on with the rest`},
		},
		{"second of a bulk", 3, broken(`title "b"`, errors.New("quota exceeded")), inserts(a, b, c), "done failed not attempted", []string{"quota exceeded"}},
		{"outcome unknown", 0, broken(`title "b"`, unknown), inserts(a, b, c), "done unknown not attempted", []string{`1 row of unknown outcome (title "b")`}},
		{
			"keys", 0, broken("delete id=3", errors.New("locked")), deletes(where("state", "open")), "done failed not attempted",
			[]string{`delete of issues: 1 key done (id 1); 1 key failed (id 3); 1 key not attempted (id 4). issues.delete: locked.`},
		},
		{"refused by the server", 0, broken("id=1", &sandbox.Fault{Kind: sandbox.KindArgument, Message: "it is archived."}), updates(where("id", []any{int64(1), int64(2)}), "title", "x"), "refused not attempted", []string{"1 key refused (id 1)"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := &shelf{rows: someIssues(), fail: x.fail}
			r := open(t, s.table(func(t *toolfn.ResourceTable) { t.Bulk = x.bulk })).run()
			got, err := x.do(r)
			f := fault(t, err)
			var outcomes []string
			var partly *PartialFailure
			if !errors.As(err, &partly) || got == nil {
				t.Fatalf("%v %T", f, f.Cause)
			}
			for _, p := range partly.Parts {
				outcomes = append(outcomes, p.Outcome.String())
			}
			if strings.Join(outcomes, " ") != x.parts {
				t.Errorf("%v, want %s", outcomes, x.parts)
			}
			for _, want := range x.says {
				if !strings.Contains(f.Error(), want) {
					t.Errorf("%v\nwant %s", f, want)
				}
			}
		})
	}
	t.Run("one row alone", func(t *testing.T) {
		s := &shelf{fail: broken("insert", errors.New("quota exceeded"))}
		_, err := inserts(a)(open(t, s.table()).run())
		if f := fault(t, err); f.Error() != "issues.insert: quota exceeded." || errors.As(err, new(*PartialFailure)) {
			t.Error(f)
		}
	})
	t.Run("what was done is told", func(t *testing.T) {
		s := &shelf{fail: broken(`title "b"`, errors.New("no"))}
		r := open(t, s.table()).run()
		_, _ = inserts(a, b, c)(r)
		if note := r.FiredNote(); note != `Already happened, do not repeat: issues.insert (title: "a"). Failed: issues.insert.` {
			t.Error(note)
		}
	})
}

func TestTooManyRowsForOneProgram(t *testing.T) {
	s := &shelf{}
	r := open(t, s.table()).run()
	var rows []*value.Object
	for i := range small().Calls + 1 {
		rows = append(rows, value.Of("title", fmt.Sprint(i)))
	}
	_, err := inserts(rows...)(r)
	if f := fault(t, err); f.Kind != sandbox.KindCalls || s.asked() != "" {
		t.Errorf("%v: nothing may fire of what cannot be finished", f)
	}
}

func TestPolicySeesTheWholeWriteOnce(t *testing.T) {
	s := &shelf{rows: someIssues()}
	var asked []Question
	allow := true
	o := open(t, s.table(),
		WithPolicy(PolicyFunc(func(q Request) Decision {
			if q.Function.Effect.Reads() {
				return Decision{}
			}
			return Decision{Verdict: Ask, Reason: "it deletes"}
		})),
		WithAsk(func(_ context.Context, q Question) (Answer, error) {
			asked = append(asked, q)
			return Answer{Allow: allow, Reason: "no"}, nil
		}))
	if _, err := deletes(where("state", "open"))(o.run()); err != nil {
		t.Fatal(err)
	}
	text, _ := value.Append(nil, asked[0].Args)
	if len(asked) != 1 || string(text) != `{"where":{"id":[1,3,4]}}` || asked[0].Table.Name != "issues" || asked[0].Verb != toolfn.Delete {
		t.Errorf("%d %s", len(asked), text)
	}
	allow = false
	s.asked()
	_, err := inserts(value.Of("title", "a"))(o.run())
	if f := fault(t, err); f.Kind != sandbox.KindDenied || s.asked() != "" {
		t.Error(f)
	}
	o = open(t, s.table(), WithPolicy(ReadOnly()))
	r := o.run()
	_, err = deletes(where("state", "open"))(r)
	if f := fault(t, err); f.Kind != sandbox.KindDenied || !strings.Contains(f.Message, "issues.delete was refused: only reads are allowed here") || s.asked() != "" {
		t.Errorf("%v; keys were read for nothing", f)
	}
}

func TestEachPartOfAWriteIsJournalled(t *testing.T) {
	s := &shelf{rows: someIssues()}
	o := open(t, s.table())
	r := o.run()
	if _, err := deletes(where("state", "open"))(r); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range o.j.Calls() {
		text, _ := value.Append(nil, c.Args)
		lines = append(lines, fmt.Sprintf("%d %d %s %s %s", c.Order, c.Index, c.Function, text, c.Outcome))
	}
	want := `1 1 issues.select {"where":{"state":["open"]}} done
2 2 issues.delete {"where":{"id":[1]}} done
3 3 issues.delete {"where":{"id":[3]}} done
4 4 issues.delete {"where":{"id":[4]}} done`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("%s", got)
	}
}
