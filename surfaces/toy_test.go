package surfaces

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// toy is a language for tests: a line is a command.
//
//	call NAME {ARGUMENTS}    calls a function; the value is its result
//	value JSON               is the value
//	print TEXT               writes to stdout
//	define NAME SUMMARY      defines a name
//	note TEXT                leaves a note
//	fail TEXT                ends the program with a fault
//	panic                    is a defect
type toy struct{ name, title string }

func (l toy) Name() string  { return l.name }
func (l toy) Title() string { return l.title }
func (l toy) Card() []string {
	return []string{l.title + " has one command a line.", "`call NAME {…}` calls a function.", "In other languages that is {call}."}
}

func (l toy) Open(ws *Workspace) (Session, error) {
	return &toySession{ws: ws, language: l.name}, nil
}

func (l toy) CallForm(function string, args *value.Object) string {
	b, _ := value.Append(nil, args)
	return "call " + function + " " + string(b)
}

func (l toy) Signatures() toolfn.Style {
	s := toolfn.Neutral
	s.Name = func(f *toolfn.ToolFn) string { return strings.Replace(f.Name, "__", ".", 1) }
	return s
}
func (l toy) Style() elide.Style { return elide.Neutral() }

type toySession struct {
	ws       *Workspace
	language string
	mu       sync.Mutex
	defs     []Def
	closed   bool
}

func (s *toySession) Close()      { s.closed = true }
func (s *toySession) Defs() []Def { return s.defs }

func (s *toySession) Execute(ctx context.Context, source string) *Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := sandbox.NewMeter(ctx, s.ws.Limits())
	if err != nil {
		return &Result{Fault: &sandbox.Fault{Kind: sandbox.KindInternal, Message: err.Error()}}
	}
	run := s.ws.Begin(m, dispatch.Program{Language: s.language, Source: source})
	res := &Result{}
	for i, line := range strings.Split(source, "\n") {
		if res.Fault = s.command(run, res, line, i+1); res.Fault != nil {
			res.Fault = res.Fault.At(source, i+1, 1)
			res.Fault.Fired = run.FiredNote()
			break
		}
	}
	s.defs = append(s.defs, res.Defined...)
	res.Called, res.Usage = run.Called(), m.Usage()
	run.End(res.Fault)
	return res
}

func (s *toySession) command(run *dispatch.Run, res *Result, line string, n int) *sandbox.Fault {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "call":
		name, text, _ := strings.Cut(rest, " ")
		c := dispatch.Call{Function: name, Line: n, Column: 1}
		if text != "" {
			v, err := value.Decode([]byte(text))
			if err != nil {
				return &sandbox.Fault{Kind: sandbox.KindSyntax, Name: "SyntaxError", Message: err.Error() + "."}
			}
			c.Args, _ = v.(*value.Object)
		}
		got, err := run.Call(c)
		if err != nil {
			return err.(*sandbox.Fault)
		}
		res.Value = got
	case "value":
		v, err := value.Decode([]byte(rest))
		if err != nil {
			return &sandbox.Fault{Kind: sandbox.KindSyntax, Name: "SyntaxError", Message: err.Error() + "."}
		}
		res.Value = v
	case "print":
		res.Stdout = append(res.Stdout, rest)
	case "define":
		name, summary, _ := strings.Cut(rest, " ")
		res.Defined = append(res.Defined, Def{Name: name, Kind: "object", Summary: summary})
	case "note":
		res.Notes = append(res.Notes, rest)
	case "fail":
		return &sandbox.Fault{Kind: sandbox.KindThrown, Name: "ToyError", Message: rest, Hint: "Do not fail."}
	case "panic":
		panic("a defect")
	case "":
	default:
		return &sandbox.Fault{Kind: sandbox.KindName, Name: "NameError", Message: "there is no command " + word + "."}
	}
	return nil
}

func (s *toySession) Explain(ctx context.Context, source string) *Plan {
	p := &Plan{}
	for i, line := range strings.Split(source, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		if word == "panic" {
			panic("a defect")
		}
		if word != "call" {
			continue
		}
		name, text, _ := strings.Cut(rest, " ")
		c := PlannedCall{Function: name, Effect: "unknown", Line: i + 1, Column: 1, Args: value.NewObject(0)}
		if v, err := value.Decode([]byte(text)); err == nil {
			c.Args, _ = v.(*value.Object)
		}
		if f, ok := s.ws.Catalog().Lookup(name); ok {
			c.Effect = f.Effect.Impact.String()
		} else {
			c.Problem = "there is no function " + name
		}
		p.Calls = append(p.Calls, c)
	}
	return p
}

var (
	toyA = toy{"toy", "Toy"}
	toyB = toy{"game", "Game"}
)

// testCatalog is a small organisation: issues that can be read and mail that can
// be sent.
func testCatalog(t testing.TB) *toolfn.Catalog {
	t.Helper()
	cat := toolfn.NewCatalog()
	rows := []value.Value{value.Of("number", int64(1), "title", "Crash", "state", "open"), value.Of("number", int64(2), "title", "Typo", "state", "open")}
	define(t, cat, "tracker__list_issues", `{"type":"object","properties":{"state":{"type":"string","enum":["open","closed"],"description":"Which issues."},"limit":{"type":"integer"}}}`,
		func(context.Context, *value.Object) (value.Value, error) { return rows, nil },
		toolfn.Description("List the issues of the tracker."), toolfn.ReadOnly(), toolfn.WithExample("open ones", value.Of("state", "open")))
	define(t, cat, "tracker__close_issue", `{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}`,
		func(_ context.Context, args *value.Object) (value.Value, error) { return args, nil },
		toolfn.Description("Close one issue."), toolfn.Writes(), toolfn.Idempotent())
	define(t, cat, "mail__send", `{"type":"object","properties":{"to":{"type":"string"},"subject":{"type":"string"}},"required":["to"]}`,
		func(context.Context, *value.Object) (value.Value, error) { return value.Of("id", "m1"), nil },
		toolfn.Description("Send one letter."), toolfn.Writes())
	define(t, cat, "mail__broken", `{"type":"object"}`,
		func(context.Context, *value.Object) (value.Value, error) {
			return nil, fmt.Errorf("the server said no")
		},
		toolfn.Description("Always fails."), toolfn.ReadOnly())
	return cat
}

// largeCatalog adds n functions to the small one.
func largeCatalog(t testing.TB, n int) *toolfn.Catalog {
	t.Helper()
	cat := testCatalog(t)
	for i := range n {
		define(t, cat, fmt.Sprintf("service%d__get_record_%d", i%7, i), `{"type":"object","properties":{"id":{"type":"string","description":"The record."},"deep":{"type":"boolean"}},"required":["id"]}`,
			func(context.Context, *value.Object) (value.Value, error) { return nil, nil },
			toolfn.Description(fmt.Sprintf("Get record number %d with everything that belongs to it.", i)), toolfn.ReadOnly())
	}
	return cat
}

func define(t testing.TB, cat *toolfn.Catalog, name, schema string, call func(context.Context, *value.Object) (value.Value, error), opts ...toolfn.Option) {
	t.Helper()
	f, err := toolfn.DefineRaw(name, json.RawMessage(schema), call, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.Register(f); err != nil {
		t.Fatal(err)
	}
}

func workspace(t testing.TB, cat *toolfn.Catalog, opts ...Option) *Workspace {
	t.Helper()
	ws, err := NewWorkspace(cat, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ws.Close)
	return ws
}

func mounted(t testing.TB, ws *Workspace, o MountOptions) *Mounted {
	t.Helper()
	if o.Languages == nil {
		o.Languages = []Language{toyA}
	}
	m, err := Mount(ws, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// send calls a mounted tool.
func send(t testing.TB, m *Mounted, tool, input string) Output {
	t.Helper()
	u, ok := m.Tool(tool)
	if !ok {
		t.Fatalf("there is no tool %s", tool)
	}
	out, err := u.Call(t.Context(), json.RawMessage(input))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
