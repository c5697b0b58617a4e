package surfaces_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn/value"
)

// call sends raw arguments to a tool.
func call(t testing.TB, m *surfaces.Mounted, tool, input string) surfaces.Output {
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

// wants holds a text to what it must and must not say.
func wants(t testing.TB, text string, says ...string) {
	t.Helper()
	for _, s := range says {
		if not, negative := strings.CutPrefix(s, "!"); negative == strings.Contains(text, not) {
			t.Errorf("want %q in:\n%s", s, text)
		}
	}
}

// counting is a policy's view of the letters that were really sent.
type counting struct{ done atomic.Int64 }

func (c *counting) StartCall(ctx context.Context, r dispatch.Request) (context.Context, func(dispatch.Outcome, error)) {
	return ctx, func(o dispatch.Outcome, _ error) {
		if !r.Function.Effect.Reads() && o == dispatch.Done {
			c.done.Add(1)
		}
	}
}

func TestDryRunOfTheTool(t *testing.T) {
	sent := &counting{}
	m := javascript(t, surfaces.MountOptions{}, surfaces.WithTracer(sent))
	out := call(t, m, "execute_js", `{"code":"const open = tracker.list_issues({state:'open'}); for (const i of open) tracker.close_issue({number: i.number}); open.length","dry_run":true}`)
	wants(t, out.Text, "would happen:", "tracker.close_issue({ number: 1 })  [write; line 1]", "tracker.close_issue({ number: 3 })", "Dry run: nothing was changed", "!pending")
	if len(out.Result.Planned) != 2 || out.Failed {
		t.Errorf("%+v", out.Result)
	}
	// Arguments are checked as those of any call.
	out = call(t, m, "execute_js", `{"code":"mail.send({ too: 'ann' })","dryRun":"true"}`)
	if !out.Failed {
		t.Error(out.Text)
	}
	// Its definitions stay; a placeholder of it is of no use.
	wants(t, call(t, m, "execute_js", `{"code":"const r = mail.send({ to: 'ann' }); r.id","dry_run":true}`).Text, "dry run", "not known")
	wants(t, call(t, m, "execute_js", `{"code":"open.length"}`).Text, "2")
	wants(t, call(t, m, "execute_js", `{"code":"tracker.close_issue({ number: r })"}`).Text, "was not called, because this is a dry run")
	// What is pending is neither made nor dropped by a dry run.
	run(t, m, "execute_js", `stage(() => mail.send({ to: "bob" }))`)
	out = call(t, m, "execute_js", `{"code":"stage(() => mail.send({ to: 'cy' })); commit().length","dry_run":true}`)
	wants(t, out.Text, `mail.send({ to: "bob" })`, `mail.send({ to: "cy" })`, "1 effect is pending", "(to: \"bob\")")
	wants(t, call(t, m, "execute_js", `{"code":"stage(() => mail.send({ to: 'cy' })); 1","dry_run":true}`).Text, "staged, left pending")
	wants(t, call(t, m, "execute_js", `{"code":"rollback().length","dry_run":true}`).Text, "1 effect is pending")
	if n := sent.done.Load(); n != 0 {
		t.Errorf("%d letters were sent", n)
	}
	run(t, m, "execute_js", `commit()`)
	if n := sent.done.Load(); n != 1 {
		t.Errorf("%d letters were sent", n)
	}
	// An argument that cannot be read is refused, never passed over.
	wants(t, call(t, m, "execute_js", `{"code":"mail.send({ to: 'x' })","dry_run":"perhaps"}`).Text, "was not run")
	if n := sent.done.Load(); n != 1 {
		t.Errorf("%d letters were sent", n)
	}
}

// Texts speak of staging exactly where there is something to stage and a way to
// make it.
func TestTextsTellOfStagingWhereItIs(t *testing.T) {
	text := func(m *surfaces.Mounted) string {
		all := m.Preamble
		for _, u := range m.Tools {
			all += "\n" + u.Description + string(u.InputSchema)
		}
		return all
	}
	wants(t, text(javascript(t, surfaces.MountOptions{})), "stage(() => { … })", "commit()", "rollback()", "pending()", "dry_run")
	for name, m := range map[string]*surfaces.Mounted{
		"left out":      javascript(t, surfaces.MountOptions{NoStaging: true}),
		"not available": javascript(t, surfaces.MountOptions{}, surfaces.WithoutStaging()),
	} {
		for _, word := range []string{"stage(", "commit", "dry_run"} {
			if strings.Contains(text(m), word) {
				t.Errorf("%s: %q is told of", name, word)
			}
		}
	}
	out := call(t, javascript(t, surfaces.MountOptions{}, surfaces.WithoutStaging()), "execute_js", `{"code":"mail.send({ to: 'x' })","dry_run":true}`)
	wants(t, out.Text, "was not run")
}

// A console that only looks neither stages nor commits.
func TestLookOnlyStagesNothing(t *testing.T) {
	m := javascript(t, surfaces.MountOptions{Roles: true, LookOnly: true}, surfaces.WithAskBatch(func(context.Context, dispatch.Batch) (dispatch.BatchAnswer, error) {
		return dispatch.BatchAnswer{Allow: true}, nil
	}))
	wants(t, run(t, m, "execute_js", `stage(() => mail.send({ to: "ann" }))`).Text, "this tool only looks")
	run(t, m, "execute_js_workflow", `stage(() => mail.send({ to: "ann" }))`)
	wants(t, run(t, m, "execute_js", `commit()`).Text, "this tool only looks", "1 effect is pending")
	wants(t, run(t, m, "execute_js_workflow", `commit().length`).Text, "1", "!pending")
}

// The host sees the list, edits, removes, adds, and makes it.
func TestHostWorksOnThePendingEffects(t *testing.T) {
	sent := &counting{}
	ws, err := surfaces.NewWorkspace(tracker(t), surfaces.WithTracer(sent), surfaces.WithPolicy(dispatch.ReadOnly()))
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	s, err := ws.Open(js.Language())
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Execute(t.Context(), `stage(() => { mail.send({ to: "a" }); mail.send({ to: "b" }); mail.send({ to: "c" }) })`); r.Fault != nil {
		t.Fatal(r.Fault)
	}
	if err := ws.Edit(t.Context(), 1, value.Of("to", "ann")); err != nil {
		t.Fatal(err)
	}
	if err := ws.Edit(t.Context(), 1, value.Of("two", "ann")); err == nil {
		t.Error("arguments that do not pass were taken")
	}
	if gone, err := ws.Rollback(t.Context(), 2); err != nil || len(gone) != 1 {
		t.Errorf("%v, %v", gone, err)
	}
	if id, err := ws.Stage(t.Context(), "mail__send", value.Of("to", "d")); err != nil || id != 4 {
		t.Errorf("%d, %v", id, err)
	}
	if _, err := ws.Stage(t.Context(), "tracker__list_issues", nil); err == nil {
		t.Error("a read was staged")
	}
	if r := s.Execute(t.Context(), `commit()`); r.Fault == nil || r.Fault.Kind != sandbox.KindDenied {
		t.Errorf("a program committed what policy denies: %+v", r.Fault)
	}
	done, err := ws.Commit(t.Context())
	if err != nil || len(done) != 3 || sent.done.Load() != 3 || len(ws.Pending()) != 0 {
		t.Errorf("%+v, %v, %d sent", done, err, sent.done.Load())
	}
	if to, _ := done[0].Args.Get("to"); to != "ann" {
		t.Errorf("the first went to %v", to)
	}
	if _, err := ws.Commit(t.Context()); err == nil || sent.done.Load() != 3 {
		t.Errorf("again: %v, %d sent", err, sent.done.Load())
	}
}

// Nothing fires because a conversation ends.
func TestCloseMakesNothing(t *testing.T) {
	sent := &counting{}
	ws, err := surfaces.NewWorkspace(tracker(t), surfaces.WithTracer(sent))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := ws.Open(js.Language())
	r := s.Execute(t.Context(), `stage(() => mail.send({ to: "ann" }))`)
	wants(t, strings.Join(r.Notes, "\n"), "NOT happened")
	ws.Close()
	if sent.done.Load() != 0 || len(ws.Pending()) != 0 {
		t.Errorf("%d sent, %d pending", sent.done.Load(), len(ws.Pending()))
	}
}
