package js_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// ledger is another language beside JavaScript. A line is a command:
//
//	NAME = JSON    defines a name
//	push NAME JSON adds an element to a list in place, which defines nothing
//	free NAME      undefines it
//	NAME           gives what the name is, here or in another language
type ledger struct{}

func (ledger) Name() string                          { return "ledger" }
func (ledger) Title() string                         { return "Ledger" }
func (ledger) Card() []string                        { return nil }
func (ledger) CallForm(string, *value.Object) string { return "" }
func (ledger) Signatures() toolfn.Style              { return toolfn.Neutral }
func (ledger) Style() elide.Style                    { return elide.Neutral() }
func (ledger) Open(ws *surfaces.Workspace) (surfaces.Session, error) {
	return &ledgerSession{ws: ws, names: map[string]value.Value{}}, nil
}

type ledgerSession struct {
	ws    *surfaces.Workspace
	names map[string]value.Value
}

func (s *ledgerSession) Explain(context.Context, string) *surfaces.Plan { return &surfaces.Plan{} }
func (s *ledgerSession) Defs() []surfaces.Def                           { return nil }
func (s *ledgerSession) Close()                                         {}

func (s *ledgerSession) Lend(m *sandbox.Meter, name string) (value.Value, bool, error) {
	v, ok := s.names[name]
	if err := m.Alloc(value.Size(v, 1<<30)); err != nil {
		return nil, ok, err
	}
	return value.Copy(v), ok, nil
}

func (s *ledgerSession) Lent(_ context.Context, name string) (surfaces.Def, bool) {
	v, ok := s.names[name]
	return surfaces.Def{Name: name, Kind: value.Kind(v)}, ok
}

func (s *ledgerSession) Execute(ctx context.Context, source string) *surfaces.Result {
	m, err := sandbox.NewMeter(ctx, s.ws.LimitsFor(ctx))
	if err != nil {
		return &surfaces.Result{Fault: &sandbox.Fault{Kind: sandbox.KindInternal, Message: err.Error()}}
	}
	run := s.ws.Begin(m, dispatch.Program{Language: "ledger", Source: source})
	res := &surfaces.Result{}
	for _, line := range strings.Split(source, "\n") {
		if res.Fault = s.command(m, res, line); res.Fault != nil {
			break
		}
	}
	surfaces.Attest(run, res.Defined)
	run.End(res.Fault)
	return res
}

func (s *ledgerSession) command(m *sandbox.Meter, res *surfaces.Result, line string) *sandbox.Fault {
	if name, text, ok := strings.Cut(line, " = "); ok {
		v, err := value.Decode([]byte(text))
		if err != nil {
			return &sandbox.Fault{Kind: sandbox.KindSyntax, Message: err.Error()}
		}
		s.names[name] = v
		res.Defined = append(res.Defined, surfaces.Def{Name: name, Kind: value.Kind(v), Summary: text})
		return nil
	}
	words := strings.Fields(line)
	switch words[0] {
	case "push":
		v, _ := value.Decode([]byte(words[2]))
		s.names[words[1]] = append(s.names[words[1]].([]value.Value), v)
		return nil
	case "free":
		delete(s.names, words[1])
		return nil
	}
	if v, ok := s.names[line]; ok {
		res.Value = v
		return nil
	}
	v, from, err := s.ws.Foreign("ledger", m, line)
	if err != nil {
		return err.(*sandbox.Fault)
	}
	if from == nil {
		return &sandbox.Fault{Kind: sandbox.KindName, Message: line + " is not defined"}
	}
	res.Value = v
	return nil
}

// pair is a workspace with both languages.
type pair struct {
	t  *testing.T
	ws *surfaces.Workspace
}

func (p pair) run(l surfaces.Language, program string) *surfaces.Result {
	p.t.Helper()
	s, err := p.ws.Open(l)
	if err != nil {
		p.t.Fatal(err)
	}
	return s.Execute(p.t.Context(), program)
}

// told is a result in one text: the value or the fault, and the notes.
func told(res *surfaces.Result) string {
	text := fmt.Sprint(res.Fault)
	if res.Fault == nil {
		b, err := value.Append(nil, res.Value)
		text = string(b)
		if err != nil {
			text = fmt.Sprint(res.Value)
		}
	}
	return strings.Join(append([]string{text}, res.Notes...), "\n")
}

// TestForeignDefinitions reads in one language what another has defined.
func TestForeignDefinitions(t *testing.T) {
	const j, l = "js", "ledger"
	cases := []struct {
		name  string
		turns []string // "LANGUAGE: PROGRAM"
		want  []string // parts of the last result
		not   string
	}{
		{"rows", []string{`ledger: prs = [{"repo":"a","n":1},{"repo":"b","n":2}]`, "js: prs.map(p => p.n * 2)"}, []string{"[2,4]", "prs is a read-only copy of what Ledger defined"}, ""},
		{"told once", []string{`ledger: prs = [1]`, "js: prs[0]", "js: prs[0]"}, []string{"1"}, "read-only"},
		{"scalars need no note", []string{`ledger: n = 12345678901234567890`, "js: n + 1n"}, []string{"12345678901234567891"}, "read-only"},
		{"as it is now", []string{`ledger: xs = [1]`, "js: xs.length", "ledger: push xs 2", "js: xs.length"}, []string{"2"}, ""},
		{"in a function that outlives its program", []string{"js: const f = () => xs.length", `ledger: xs = [1,2,3]`, "js: f()", "ledger: push xs 4", "js: f()"}, []string{"4"}, ""},
		{"a push is refused", []string{`ledger: xs = [1]`, "js: xs.push(2)"}, []string{"TypeError", "read-only copy"}, ""},
		{"a sort is refused", []string{`ledger: xs = [2,1]`, "js: xs.sort()"}, []string{"TypeError"}, ""},
		{"a field is not set", []string{`ledger: o = {"a":{"b":1}}`, "js: o.a.b = 2"}, []string{"TypeError"}, ""},
		{"a field is not added", []string{`ledger: o = {"a":{"b":1}}`, "js: o.a.c = 2"}, []string{"TypeError"}, ""},
		{"a field is not deleted", []string{`ledger: o = {"a":1}`, "js: delete o.a"}, []string{"TypeError"}, ""},
		{"a copy is the reader's", []string{`ledger: xs = [2,1]`, "js: const mine = [...xs].sort(); mine", "ledger: xs"}, []string{"[2,1]"}, ""},
		{"an assignment is refused", []string{`ledger: xs = [1]`, "js: xs = 5"}, []string{"another language has defined it"}, ""},
		{"a declaration takes the name", []string{`ledger: xs = [1]`, "js: const xs = 5; xs"}, []string{"5", "Another language has defined xs too"}, ""},
		{"and says so once", []string{`ledger: xs = [1]`, "js: let xs = 5", "js: let xs = 6; xs"}, []string{"6"}, "Another language"},
		{"del brings the other back", []string{`ledger: xs = [1]`, "js: const xs = 5", `js: del("xs")`, "js: xs"}, []string{"[1]"}, ""},
		{"each keeps its own", []string{`ledger: xs = [1]`, "js: const xs = 5", "ledger: xs"}, []string{"[1]"}, ""},
		{"freed", []string{`ledger: xs = [1]`, "js: xs", "ledger: free xs", "js: xs"}, []string{"ReferenceError", "xs is not defined"}, ""},
		{"typeof of a freed name that a function kept", []string{"js: const f = () => xs", `ledger: xs = [1]`, "js: f()", "ledger: free xs", "js: f()"}, []string{"xs is not defined"}, ""},
		{"nearest name", []string{`ledger: invoices = [1]`, "js: invoicse"}, []string{"Did you mean invoices?"}, ""},
		{"a name with a dash", []string{`ledger: open-prs = [1]`, "js: open_prs.length"}, []string{"1", "open_prs is a read-only copy of open-prs, which Ledger defined"}, ""},
		{"and back", []string{`js: const open_prs = [1, 2]`, "ledger: open-prs"}, []string{"[1,2]"}, ""},
		{"two names of one spelling", []string{"ledger: a-b_c = 1", "ledger: a_b-c = 2", "js: a_b_c"}, []string{"a_b_c is not defined"}, ""},
		{"an exact name comes first", []string{"ledger: a-b = 1", "ledger: a_b = 2", "js: a_b"}, []string{"2"}, ""},
		{"nearest name with a dash", []string{`ledger: open-invoices = [1]`, "js: open_invoicse"}, []string{"Did you mean open_invoices?"}, ""},
		{"guessed field", []string{`ledger: prs = [{"title":"x"}]`, "js: prs[0].titel"}, []string{"Nothing in prs has a field 'titel'", "Did you mean 'title'?"}, ""},
		{"to the other", []string{"js: const o = { when: new Date(0), big: 2n ** 70n, m: new Map([['a', 1]]), s: new Set([1]), u: undefined, n: null }", "ledger: o"}, []string{`{"when":"1970-01-01T00:00:00.000Z","big":1180591620717411303424,"m":{"a":1},"s":[1],"n":null}`}, ""},
		{"changed in place", []string{"js: const xs = [1]", "js: xs.push(2)", "ledger: xs"}, []string{"[1,2]"}, ""},
		{"a function is not shared", []string{"js: function f(a) { return a }", "ledger: f"}, []string{"f is a function of JavaScript; functions and classes are not shared between languages."}, ""},
		{"a class is not shared", []string{"js: class C {}", "ledger: C"}, []string{"C is a class of JavaScript"}, ""},
		{"a function inside", []string{"js: const o = { a: [{ f() {} }] }", "ledger: o"}, []string{"JavaScript's o cannot be read from another language: 'o.a[0].f' is a function."}, ""},
		{"a getter does not run", []string{"js: let runs = 0; const o = { get a() { runs++; return 1 } }", "ledger: o", "js: runs"}, []string{"0"}, ""},
		{"a getter is named", []string{"js: const o = { get a() { return 1 } }", "ledger: o"}, []string{"a getter"}, ""},
		{"toJSON does not run", []string{"js: const o = { toJSON() { return 1 } }", "ledger: o"}, []string{"toJSON"}, ""},
		{"a cycle", []string{"js: const o = {}; o.o = o; 1", "ledger: o"}, []string{"contains itself"}, ""},
		{"NaN", []string{"js: const x = 0 / 0", "ledger: x"}, []string{"NaN"}, ""},
		{"undefined", []string{"js: let x", "ledger: x"}, []string{"'x' is undefined"}, ""},
		{"the last value is each language's own", []string{"js: 7", "ledger: _"}, []string{"_ is not defined"}, ""},
		{"a failed program's definitions", []string{"js: const a = 1; throw new Error('x')", "ledger: a"}, []string{"1"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ws, err := surfaces.NewWorkspace(toolfn.NewCatalog())
			if err != nil {
				t.Fatal(err)
			}
			defer ws.Close()
			p, last := pair{t, ws}, ""
			for _, turn := range c.turns {
				language, program, _ := strings.Cut(turn, ": ")
				of := map[string]surfaces.Language{j: js.Language(), l: ledger{}}[language]
				last = told(p.run(of, program))
			}
			for _, want := range c.want {
				if !strings.Contains(last, want) {
					t.Errorf("no %q in\n%s", want, last)
				}
			}
			if c.not != "" && strings.Contains(last, c.not) {
				t.Errorf("%q in\n%s", c.not, last)
			}
		})
	}
}

// What is read of another language is charged to the program that reads it.
func TestForeignDefinitionsAreCharged(t *testing.T) {
	limits := sandbox.DefaultLimits()
	limits.Memory = 4 << 20
	ws, err := surfaces.NewWorkspace(toolfn.NewCatalog(), surfaces.WithLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	p := pair{t, ws}
	p.run(ledger{}, "xs = ["+strings.Repeat("1,", 200_000)+"1]")
	if res := p.run(js.Language(), "try { xs.length } catch { 'caught' }"); res.Fault == nil || res.Fault.Kind != sandbox.KindMemory {
		t.Errorf("it gave %s", told(res))
	}
	if res := p.run(js.Language(), "1 + 1"); told(res) != "2" {
		t.Errorf("the next program gave %s", told(res))
	}
}

// A workspace that is opened again has read what it had read, in the same order.
func TestForeignDefinitionsAfterResume(t *testing.T) {
	w := newLasting(t)
	w.open()
	programs := []struct {
		l    surfaces.Language
		text string
	}{
		{ledger{}, `xs = [1]`},
		{js.Language(), `const n = xs.length, f = () => xs.map(x => x * 2)`},
		{ledger{}, "push xs 2"},
		{js.Language(), `const m = [n, xs.length, f()]; const made = Date.now()`},
		{ledger{}, `m = "mine"`},
		{ledger{}, "free xs"},
		{js.Language(), `let gone; try { f() } catch (e) { gone = e.message }`},
	}
	p := pair{t, w.ws}
	for _, q := range programs {
		p.run(q.l, q.text)
	}
	const look = `[n, m, gone, made]`
	before := told(p.run(js.Language(), look))
	for range 3 {
		_, r := w.openWith(js.Language(), ledger{})
		if len(r.Lost) > 0 {
			t.Fatalf("lost %+v", r.Lost)
		}
		p = pair{t, w.ws}
		got, _, _ := strings.Cut(told(p.run(js.Language(), look)), "\n")
		if got != before || !strings.HasPrefix(got, `[1,[1,2,[2,4]],"xs is not defined",`) {
			t.Errorf("it was\n%s\nand is\n%s", before, got)
		}
		if got := told(p.run(ledger{}, "made")); !strings.Contains(before, got) {
			t.Errorf("the other language reads %s of %s", got, before)
		}
	}
}

// A call that runs a program in the workspace of the program that makes it is
// refused instead of waiting for ever.
func TestProgramInsideAProgram(t *testing.T) {
	for _, inner := range []surfaces.Language{js.Language(), ledger{}} {
		var ws *surfaces.Workspace
		cat := toolfn.NewCatalog()
		err := cat.Register(toolfn.ToolFn{Name: "agent__run", Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(ctx context.Context, _ *value.Object) (value.Value, error) {
			s, err := ws.Open(inner)
			if err != nil {
				return nil, err
			}
			if res := s.Execute(ctx, "1"); res.Fault != nil {
				return nil, res.Fault
			}
			return "ran", nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if ws, err = surfaces.NewWorkspace(cat); err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		if got := told(pair{t, ws}.run(js.Language(), "agent.run()")); !strings.Contains(got, "waits for this call") {
			t.Errorf("%s in JavaScript gave %s", inner.Name(), got)
		}
	}
}
