package surfaces_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// tracker is a small organisation for programs: issues that can be read and
// closed, and mail that can be sent.
func tracker(t testing.TB) *toolfn.Catalog {
	t.Helper()
	cat := toolfn.NewCatalog()
	add := func(name, schema string, call func(*value.Object) (value.Value, error), opts ...toolfn.Option) {
		f, err := toolfn.DefineRaw(name, json.RawMessage(schema), func(_ context.Context, args *value.Object) (value.Value, error) { return call(args) }, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if err := cat.Register(f); err != nil {
			t.Fatal(err)
		}
	}
	keys := value.NewKeys("number", "title", "state")
	rows := []value.Value{
		value.NewRow(keys, []value.Value{int64(1), "Crash at start", "open"}),
		value.NewRow(keys, []value.Value{int64(2), "Typo", "closed"}),
		value.NewRow(keys, []value.Value{int64(3), "Slow search", "open"}),
	}
	add("tracker__list_issues", `{"type":"object","properties":{"state":{"type":"string","enum":["open","closed"],"description":"Which issues."}}}`,
		func(args *value.Object) (value.Value, error) {
			want, ok := args.Get("state")
			var out []value.Value
			for _, r := range rows {
				if s, _ := r.(*value.Object).Get("state"); !ok || s == want {
					out = append(out, r)
				}
			}
			return out, nil
		},
		toolfn.Description("List the issues of the tracker."), toolfn.ReadOnly(), toolfn.WithExample("open ones", value.Of("state", "open")))
	add("tracker__close_issue", `{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}`,
		func(args *value.Object) (value.Value, error) {
			n, _ := args.Get("number")
			if n == int64(99) {
				return nil, &toolfn.CallError{Message: "there is no issue 99"}
			}
			return value.Of("closed", n), nil
		},
		toolfn.Description("Close one issue."), toolfn.Writes(), toolfn.Idempotent(), toolfn.WithExample("", value.Of("number", int64(1))))
	add("mail__send", `{"type":"object","properties":{"to":{"type":"string"},"subject":{"type":"string"}},"required":["to"]}`,
		func(*value.Object) (value.Value, error) { return value.Of("id", "m1"), nil },
		toolfn.Description("Send one letter."), toolfn.Writes())
	return cat
}

func javascript(t testing.TB, o surfaces.MountOptions, opts ...surfaces.Option) *surfaces.Mounted {
	t.Helper()
	ws, err := surfaces.NewWorkspace(tracker(t), append([]surfaces.Option{surfaces.WithSeed(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ws.Close)
	o.Languages = []surfaces.Language{js.Language()}
	m, err := surfaces.Mount(ws, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func run(t testing.TB, m *surfaces.Mounted, tool, code string) surfaces.Output {
	t.Helper()
	u, ok := m.Tool(tool)
	if !ok {
		t.Fatalf("there is no tool %s", tool)
	}
	input, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		t.Fatal(err)
	}
	out, err := u.Call(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestJavaScript holds what a model sees of programs in JavaScript. All chunks of
// a file run in one session.
func TestJavaScript(t *testing.T) {
	datadriven.Walk(t, "testdata/javascript", func(t *testing.T, path string) {
		m := javascript(t, surfaces.MountOptions{})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "preamble":
				return withoutCard(t, javascript(t, surfaces.MountOptions{Frame: surfaces.Frame(d.CmdArgs[0].Key)}).Preamble) + "\n"
			case "unknown":
				name, args, _ := strings.Cut(d.Input, " ")
				out, _ := m.Unknown(name, json.RawMessage(args))
				return out.Text + "\n"
			}
			out := run(t, m, d.Cmd+"_js", d.Input)
			if out.Failed {
				return "failed\n" + out.Text + "\n"
			}
			return out.Text + "\n"
		})
	})
}

// withoutCard leaves out the language's card, which is held to the language where
// that is, after it has seen that the preamble has it.
func withoutCard(t *testing.T, preamble string) string {
	t.Helper()
	for _, line := range js.Language().Card() {
		line = "- " + strings.ReplaceAll(line, "{call}", `tracker.list_issues({state: "open"})`) + "\n"
		if !strings.Contains(preamble, line) {
			t.Errorf("the preamble lacks %s", line)
		}
		preamble = strings.Replace(preamble, line, "", 1)
	}
	return preamble
}

// Whatever a text tells a model to send must work when it is sent.
func TestEverySuggestionWorks(t *testing.T) {
	m := javascript(t, surfaces.MountOptions{})
	var programs []string
	argument := regexp.MustCompile(`\{"code":.*\}`)
	take := func(text string) {
		t.Helper()
		found := argument.FindString(text)
		var in struct{ Code string }
		if err := json.Unmarshal([]byte(found), &in); err != nil {
			t.Errorf("no program in %q: %v", text, err)
		}
		programs = append(programs, in.Code)
	}
	take(m.Preamble)
	for name, args := range map[string]string{"tracker__list_issues": `{"state":"closed"}`, "tracker.close_issue": `{"number":1}`, "mail__send": `{"to":"ann"}`} {
		out, ok := m.Unknown(name, json.RawMessage(args))
		if !ok {
			t.Errorf("%s is unknown", name)
		}
		take(out.Text)
	}
	calls := regexp.MustCompile(`(?m)^Call: (.*)$`)
	describe, _ := m.Tool("describe_function")
	for _, name := range []string{"tracker__list_issues", "tracker__close_issue", "mail__send"} {
		out, err := describe.Call(t.Context(), json.RawMessage(`{"name":"`+name+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		if c := calls.FindStringSubmatch(out.Text); c != nil {
			programs = append(programs, c[1])
		} else {
			t.Errorf("no call in\n%s", out.Text)
		}
	}
	programs = append(programs, regexp.MustCompile(`(?:search|describe|servers|fns)\([^)]*\)`).FindAllString(m.Preamble, -1)...)
	if len(programs) < 8 {
		t.Errorf("only %d programs are suggested: %q", len(programs), programs)
	}
	for _, p := range programs {
		if out := run(t, m, "execute_js", p); out.Failed {
			t.Errorf("%s\nfails: %s", p, out.Text)
		}
	}
}

// The console that only looks is held to it, whatever the program does.
func TestLookOnlyHolds(t *testing.T) {
	j := dispatch.NewMemory(0)
	m := javascript(t, surfaces.MountOptions{Roles: true, LookOnly: true}, surfaces.WithJournal(j))
	for _, code := range []string{
		`mail.send({to: "ann"})`, `try { mail.send({to: "ann"}) } catch {}`, `await Promise.allSettled([mail.send({to: "ann"})])`,
		`const f = mail.send; [1].map(() => f({to: "ann"}))`,
	} {
		run(t, m, "execute_js", code)
	}
	for _, c := range j.Calls() {
		if c.Outcome != dispatch.Refused {
			t.Errorf("%s: %s", c.Function, c.Outcome)
		}
	}
	if out := run(t, m, "execute_js_workflow", `mail.send({to: "ann"}).id`); out.Failed || !strings.Contains(out.Text, "m1") {
		t.Errorf("the workflow gave %s", out.Text)
	}
}
