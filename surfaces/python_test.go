package surfaces_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python"
)

func pythonMount(t testing.TB, o surfaces.MountOptions, opts ...surfaces.Option) *surfaces.Mounted {
	t.Helper()
	ws, err := surfaces.NewWorkspace(tracker(t), append([]surfaces.Option{surfaces.WithSeed(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ws.Close)
	o.Languages = []surfaces.Language{python.Language()}
	m, err := surfaces.Mount(ws, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestPythonTexts holds every text that a mount of Python shows a model, and what a
// model sees of programs. A chunk's arguments are the mount's options.
func TestPythonTexts(t *testing.T) {
	datadriven.Walk(t, "testdata/python", func(t *testing.T, path string) {
		session := pythonMount(t, surfaces.MountOptions{})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var o surfaces.MountOptions
			for _, a := range d.CmdArgs {
				switch a.Key {
				case "frame":
					o.Frame = surfaces.Frame(a.Vals[0])
				case "discovery":
					o.Discovery = surfaces.Discovery(a.Vals[0])
				case "tokens":
					fmt.Sscan(a.Vals[0], &o.CatalogTokens)
				case "roles":
					o.Roles = true
				case "look-only":
					o.LookOnly = true
				case "no-staging":
					o.NoStaging = true
				default:
					d.Fatalf(t, "unknown option %s", a.Key)
				}
			}
			switch d.Cmd {
			case "preamble":
				return pythonMount(t, o).Preamble + "\n"
			case "tools":
				return toolTexts(t, pythonMount(t, o))
			case "unknown":
				name, args, _ := strings.Cut(d.Input, " ")
				out, _ := session.Unknown(name, json.RawMessage(args))
				return out.Text + "\n"
			}
			out := run(t, session, d.Cmd+"_python", d.Input)
			if out.Failed {
				return "failed\n" + out.Text + "\n"
			}
			return out.Text + "\n"
		})
	})
}

func toolTexts(t *testing.T, m *surfaces.Mounted) string {
	var b strings.Builder
	for _, u := range m.Tools {
		var schema bytes.Buffer
		if err := json.Compact(&schema, u.InputSchema); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n%s\n%s\n\n", u.Name, u.Description, schema.String())
	}
	return b.String()
}

// Whatever a text tells a model to send must work when it is sent.
func TestEveryPythonSuggestionWorks(t *testing.T) {
	for _, o := range []surfaces.MountOptions{{}, {Discovery: surfaces.Progressive}} {
		m := pythonMount(t, o)
		var programs []string
		argument := regexp.MustCompile(`\{"code":.*\}`)
		take := func(text string) {
			t.Helper()
			var in struct{ Code string }
			if err := json.Unmarshal([]byte(argument.FindString(text)), &in); err != nil {
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
			if out := run(t, m, "execute_python", p); out.Failed {
				t.Errorf("%s\nfails: %s", p, out.Text)
			}
		}
	}
}

// The console that only looks is held to it, whatever the program does.
func TestPythonLookOnlyHolds(t *testing.T) {
	j := dispatch.NewMemory(0)
	m := pythonMount(t, surfaces.MountOptions{Roles: true, LookOnly: true}, surfaces.WithJournal(j))
	for _, code := range []string{
		`mail.send(to="ann")`, "try:\n    mail.send(to='ann')\nexcept BaseException:\n    pass", "import asyncio\nawait asyncio.gather(mail.send(to='ann'), return_exceptions=True)",
		`f = mail.send; list(map(lambda x: f(to=x), ["ann"]))`, "with stage():\n    mail.send(to='ann')\n", "commit()", "class A:\n    def __repr__(s): return str(mail.send(to='ann'))\nA()",
	} {
		run(t, m, "execute_python", code)
	}
	for _, c := range j.Calls() {
		if c.Outcome != dispatch.Refused {
			t.Errorf("%s: %s", c.Function, c.Outcome)
		}
	}
	if out := run(t, m, "execute_python_workflow", `mail.send(to="ann")["id"]`); out.Failed || !strings.Contains(out.Text, "m1") {
		t.Errorf("the workflow gave %s", out.Text)
	}
}

// TestPythonDryRun tries a program: its reads run, nothing else does, and what it
// would have done is told.
func TestPythonDryRun(t *testing.T) {
	j := dispatch.NewMemory(0)
	m := pythonMount(t, surfaces.MountOptions{}, surfaces.WithJournal(j))
	u, _ := m.Tool("execute_python")
	out, err := u.Call(context.Background(), json.RawMessage(`{"code":"for i in tracker.list_issues(state=\"open\"):\n    tracker.close_issue(number=i.number)\n","dry_run":true}`))
	if err != nil || out.Failed || !strings.Contains(out.Text, "tracker.close_issue(number=3)") {
		t.Fatalf("%v %s", err, out.Text)
	}
	for _, c := range j.Calls() {
		if c.Outcome == dispatch.Done && c.Function == "tracker__close_issue" {
			t.Error("it was made")
		}
	}
}
