package surfaces

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func TestWorkspaceRefusesUnusableLimits(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Fuel = 0
	if _, err := NewWorkspace(toolfn.NewCatalog(), WithLimits(l)); err == nil || !strings.Contains(err.Error(), "fuel") {
		t.Errorf("a workspace without fuel gave %v", err)
	}
	if _, err := NewWorkspace(nil); err == nil {
		t.Error("a workspace without a catalogue was made")
	}
	if _, err := NewWorkspace(toolfn.NewCatalog(), WithClock(nil)); err == nil {
		t.Error("a workspace without a clock was made")
	}
}

func TestSessionIsOpenedOnce(t *testing.T) {
	ws := workspace(t, testCatalog(t))
	a, err := ws.Open(toyA)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := ws.Open(toyA); b != a {
		t.Error("a second session of the same language")
	}
	if c, _ := ws.Open(toyB); c == a {
		t.Error("two languages share a session")
	}
	ws.Close()
	if !a.(telling).Session.(minded).Session.(*toySession).closed {
		t.Error("the session stays open")
	}
	if _, err := ws.Open(toyA); err == nil {
		t.Error("a closed workspace opened a session")
	}
	ws.Close()
}

func TestMountRefusesMistakes(t *testing.T) {
	ws := workspace(t, testCatalog(t))
	for name, o := range map[string]MountOptions{
		"no language":        {},
		"a language twice":   {Languages: []Language{toyA, toyA}},
		"a negative ceiling": {Languages: []Language{toyA}, CatalogTokens: -1},
	} {
		if _, err := Mount(ws, o); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := Mount(nil, MountOptions{Languages: []Language{toyA}}); err == nil {
		t.Error("no workspace was accepted")
	}
}

func TestRefreshFollowsTheCatalogue(t *testing.T) {
	cat := testCatalog(t)
	m := mounted(t, workspace(t, cat), MountOptions{})
	if same, changed := m.Refresh(); changed || same != m {
		t.Error("refreshed without a change")
	}
	send(t, m, "execute_toy", `{"code":"define a 1"}`)
	define(t, cat, "tracker__reopen_issue", `{"type":"object"}`, func(context.Context, *value.Object) (value.Value, error) { return nil, nil })
	fresh, changed := m.Refresh()
	if !changed || !strings.Contains(fresh.Preamble, "tracker.reopen_issue") || !strings.Contains(fresh.Preamble, "5 functions") {
		t.Errorf("changed: %v\n%s", changed, fresh.Preamble)
	}
	if _, again := fresh.Refresh(); again {
		t.Error("changed again")
	}
	if s, _ := fresh.mount.ws.Open(toyA); len(s.Defs()) != 1 {
		t.Error("the session was lost")
	}
	if strings.Contains(m.Preamble, "5 functions") {
		t.Error("the old mount changed under its owner")
	}
}

func TestForGivesAnotherWorkspace(t *testing.T) {
	cat := testCatalog(t)
	m := mounted(t, workspace(t, cat), MountOptions{})
	j := dispatch.NewMemory(0)
	other, err := m.For(workspace(t, cat, WithJournal(j)))
	if err != nil {
		t.Fatal(err)
	}
	send(t, m, "execute_toy", `{"code":"call mail__send {\"to\":\"ann\"}"}`)
	if len(j.Calls()) != 0 {
		t.Error("a program ran in the other workspace")
	}
	send(t, other, "execute_toy", `{"code":"call mail__send {\"to\":\"bob\"}"}`)
	if c := j.Calls(); len(c) != 1 || !value.Equal(c[0].Args, value.Of("to", "bob")) {
		t.Errorf("calls %+v", c)
	}
	if other.Preamble != m.Preamble || len(other.Tools) != len(m.Tools) {
		t.Error("the texts differ")
	}
	if _, err := m.For(workspace(t, testCatalog(t))); err == nil {
		t.Error("a workspace of another catalogue was taken")
	}
}

func TestPrimeOnce(t *testing.T) {
	m := mounted(t, workspace(t, testCatalog(t)), MountOptions{})
	once := m.Prime("You are a clerk.")
	if once != m.Preamble+"\n\nYou are a clerk." || m.Prime(once) != once || m.Prime("") != m.Preamble {
		t.Errorf("got\n%s", once)
	}
}

func TestMountOfAnEmptyCatalogue(t *testing.T) {
	m := mounted(t, workspace(t, toolfn.NewCatalog()), MountOptions{})
	if !strings.Contains(m.Preamble, "none at present") {
		t.Errorf("preamble:\n%s", m.Preamble)
	}
	if out := send(t, m, "execute_toy", `{"code":"value 1"}`); out.Text != "1" {
		t.Errorf("got %s", out.Text)
	}
}

// The catalogue's part of the preamble stays below its ceiling, whatever the
// catalogue, and each step down in detail is taken only when it must be.
func TestCatalogueStaysBelowItsCeiling(t *testing.T) {
	for _, n := range []int{0, 5, 40, 200, 2000} {
		ws := workspace(t, largeCatalog(t, n))
		for _, o := range []MountOptions{{}, {Discovery: Full}, {CatalogTokens: 500}, {Discovery: Progressive}} {
			m := mounted(t, ws, o)
			ceiling := o.CatalogTokens
			if ceiling == 0 {
				ceiling = map[Discovery]int{"": AutoTokens, Full: FullTokens}[o.Discovery]
			}
			shown := m.mount.shown
			if got := EstimateTokens(shown.text); got > ceiling {
				t.Errorf("%d functions, %v: %d tokens, at most %d", n, o, got, ceiling)
			}
			if all, ok := m.mount.listSignatures(ceiling); ok && o.Discovery != Progressive && shown.text != all {
				t.Errorf("%d functions, %v: the signatures fit but are not shown", n, o)
			}
		}
	}
}

func TestFrameAndActorReachTheJournal(t *testing.T) {
	j := dispatch.NewMemory(0)
	ws := workspace(t, testCatalog(t), WithActor("ann"), WithJournal(j))
	m := mounted(t, ws, MountOptions{Frame: Workflow})
	send(t, m, "execute_toy_workflow", `{"code":"call mail__send {\"to\":\"bob\"}"}`)
	p, c := j.Programs(), j.Calls()
	if len(p) != 1 || p[0].Frame != "workflow" || p[0].Actor != "ann" || !p[0].Ended || p[0].Language != "toy" {
		t.Errorf("programs %+v", p)
	}
	if len(c) != 1 || c[0].Actor != "ann" || c[0].Function != "mail__send" || c[0].Program != p[0].ID {
		t.Errorf("calls %+v", c)
	}
}

// Describing a function may call it once, and that is on record like any call.
func TestSamplingIsOnRecord(t *testing.T) {
	j := dispatch.NewMemory(0)
	m := mounted(t, workspace(t, testCatalog(t), WithActor("ann"), WithJournal(j)), MountOptions{})
	for range 3 {
		out := send(t, m, "describe_function", `{"name":"tracker__list_issues"}`)
		if !strings.Contains(out.Text, "title: string") {
			t.Errorf("no shape in\n%s", out.Text)
		}
	}
	if c := j.Calls(); len(c) != 1 || c[0].Actor != "ann" || c[0].Function != "tracker__list_issues" {
		t.Errorf("calls %+v", c)
	}
}

func TestManyAtOnce(t *testing.T) {
	ws := workspace(t, testCatalog(t))
	m := mounted(t, ws, MountOptions{Languages: []Language{toyA, toyB}})
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			tool := []string{"execute_toy", "execute_game"}[g%2]
			u, _ := m.Tool(tool)
			for i := range 50 {
				want := g*1000 + i
				input, _ := json.Marshal(map[string]string{"code": fmt.Sprintf("call tracker__close_issue {\"number\":%d}", want)})
				out, err := u.Call(t.Context(), input)
				if err != nil || !strings.HasPrefix(out.Text, fmt.Sprintf("{\"number\":%d}\n", want)) {
					t.Errorf("got %v %s", err, out.Text)
					return
				}
			}
		})
	}
	all.Wait()
}

// A hint that names a tool or shows a call must name one that is there.
func TestEveryTextNamesWhatExists(t *testing.T) {
	for _, o := range []MountOptions{{}, {Frame: Program}, {Frame: Workflow}, {Roles: true}, {Languages: []Language{toyA, toyB}}, {NoDiscovery: true, NoExplain: true, Discovery: Progressive}} {
		m := mounted(t, workspace(t, largeCatalog(t, 3)), o)
		texts := []string{m.Preamble}
		for _, u := range m.Tools {
			texts = append(texts, u.Description)
		}
		for _, text := range texts {
			for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
				known := func() bool { _, ok := m.Tool(word); return ok }
				for _, prefix := range []string{"execute_", "explain_", "search_", "list_servers", "list_functions", "describe_"} {
					if strings.HasPrefix(word, prefix) && !known() {
						t.Errorf("%v: the text names %s, which is not mounted", o, word)
					}
				}
			}
		}
	}
}
