package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tinyWorld is a recorded organisation with one service and three records.
func tinyWorld(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"services.json": `[{"namespace":"linear","title":"Linear","entities":[],"tools":[
			{"name":"list_issues","description":"Lists.","inputSchema":{"type":"object","properties":{"state":{"type":"string"}}},"annotations":{"readOnlyHint":true}},
			{"name":"update_issue","description":"Updates.","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"state":{"type":"string"}},"required":["id"]}}]}]`,
		"tables-scale1.json": `{"linear_issues":{"columns":[],"rows":[{"id":"A-1","state":"todo"},{"id":"A-2","state":"done"},{"id":"A-3","state":"todo"}]}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// judged replays recordings over the tiny world and gives the verdicts by id.
func judged(t *testing.T, listed map[string]divergence, recordings ...string) map[string]judgement {
	t.Helper()
	r, err := newReplay("js", tinyWorld(t))
	if err != nil {
		t.Fatal(err)
	}
	r.listed = listed
	programs, err := readAll(strings.NewReader(strings.Join(recordings, "\n")), "js")
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.all(programs)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]judgement{}
	for _, j := range all {
		byID[j.id] = j
	}
	return byID
}

func oneLiner(id, code, oracle, failure string) string {
	if failure != "null" {
		failure = `"` + failure + `"`
	}
	return `{"id":"` + id + `","lang":"js","code":` + code + `,"oracle":` + oracle + `,"oracle_error":` + failure + `,"oracle_stdout":[]}`
}

// Each verdict is given where it is due: a recording that says something else
// than what happens is never taken for agreement.
func TestVerdicts(t *testing.T) {
	got := judged(t, map[string]divergence{
		"listed":      {ID: "listed", Verdict: "SILENT", Reason: "because"},
		"wrongly":     {ID: "wrongly", Verdict: "refused", Reason: "because"},
		"needlessly":  {ID: "needlessly", Verdict: "SILENT", Reason: "because"},
		"not at hand": {ID: "not at hand", Verdict: "SILENT", Reason: "because"},
	},
		oneLiner("same", `"linear.list_issues({ state: 'TODO' }).map(i => i.id)"`, `["A-1","A-3"]`, "null"),
		oneLiner("other value", `"1 + 1"`, `3`, "null"),
		oneLiner("other order", `"({ b: 1, a: 2 })"`, `{"a":2,"b":1}`, "null"),
		oneLiner("fails there", `"1 + 1"`, `null`, "boom"),
		oneLiner("fails here", `"throw new Error('no')"`, `1`, "null"),
		oneLiner("both fail", `"nowhere.to.be.found"`, `null`, "nowhere is not defined"),
		oneLiner("listed", `"2"`, `3`, "null"),
		oneLiner("wrongly", `"2"`, `3`, "null"),
		oneLiner("needlessly", `"3"`, `3`, "null"),
		`{"id":"prints","lang":"js","code":"console.log('a'); 1","oracle":1,"oracle_error":null,"oracle_stdout":["b"]}`,
		`{"id":"prints alike","lang":"js","code":"console.log([1]); 1","oracle":1,"oracle_error":null,"oracle_stdout":["[1]"]}`,
		`{"id":"object","group":"g1","code":"const a = 1;\n{ n: a, m: 2 }","oracle":{"ok":false,"error":"SyntaxError: Unexpected token (2:9)","stdout":[]}}`,
		`{"id":"after object","group":"g1","code":"typeof a","oracle":{"ok":true,"value":"undefined","stdout":[]}}`,
		`{"id":"block","group":"g2","code":"const n = 1, m = [2];\n{ n, m }","oracle":{"ok":true,"value":[2],"stdout":[]}}`,
		`{"id":"lost","group":"g3","state":"after_truncation","code":"rows.length","oracle":{"ok":false,"error":"rows is not defined","stdout":[]}}`,
		`{"id":"called","group":"g4","code":"linear.list_issues(); 1","oracle":{"ok":true,"value":1,"stdout":[]},"reference":{"ok":true,"value":1,"called":[{"name":"linear__list_issues","calls":2}]},"class":{"label":"AGREE_OK"}}`,
		`{"id":"effect","lang":"js","calls":["linear.update_issue({ id: 'A-1', state: 'done' }).updated"],"effects":[{"kind":"linear.update_issue","payload":{"id":"A-1","state":"done"}}],"oracle":[{"ok":true,"value":true,"stdout":""}]}`,
		`{"id":"other effect","lang":"js","calls":["linear.update_issue({ id: 'A-1', state: 'done' }).updated"],"effects":[{"kind":"linear.update_issue","payload":{"id":"A-2","state":"done"}}],"oracle":[{"ok":true,"value":true,"stdout":""}]}`,
		`{"id":"no effect","lang":"js","calls":["true"],"effects":[{"kind":"linear.update_issue","payload":{}}],"oracle":[{"ok":true,"value":true,"stdout":""}]}`,
		`{"id":"session","lang":"js","calls":["let k = 1","k + 1"],"effects":[],"oracle":[{"ok":true,"value":{"$undefined":true},"stdout":""},{"ok":true,"value":2,"stdout":""}]}`,
		`{"id":"long","group":"g5","code":"linear.list_issues()","oracle":{"ok":true,"value":{"__long__":1,"sha256":"00"},"stdout":[]}}`,
	)
	for id, want := range map[string]verdict{
		"same": agree, "other value": silent, "other order": reprOnly, "fails there": lax, "fails here": refused, "both fail": agreeError,
		"listed": diverges, "wrongly": silent, "needlessly": agree,
		"prints": silent, "prints alike": reprOnly, "object": lenient, "after object": agree, "block": lenient, "lost": lostState,
		"called": silent, "effect": agree, "other effect": silent, "no effect": silent, "session": lenient, "long": silent,
	} {
		if j, ok := got[id]; !ok || j.verdict != want {
			t.Errorf("%s is %s, want %s (%+v)", id, j.verdict, want, j)
		}
	}
}

func TestStaleDivergences(t *testing.T) {
	listed := map[string]divergence{"a": {ID: "a"}, "b": {ID: "b"}, "c": {ID: "c"}}
	got := stale([]judgement{{id: "a", verdict: agree}, {id: "b", verdict: diverges}}, listed)
	if strings.Join(got, " ") != "a" {
		t.Errorf("%v", got)
	}
}

func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "programs.jsonl")
	if err := os.WriteFile(file, []byte(oneLiner("x", `"1"`, `2`, "null")), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run([]string{"--corpus", file, "--world", tinyWorld(t), "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	if want := `{"id":"x","verdict":"SILENT","call":0,"got":"1","want":"2","why":"want 2, got 1"}`; strings.TrimSpace(out.String()) != want {
		t.Errorf("got  %swant %s", out.String(), want)
	}
	for _, bad := range [][]string{{}, {"--corpus", file}, {"--corpus", file, "--world", t.TempDir()}, {"--lang", "cobol", "--corpus", file, "--world", tinyWorld(t)}} {
		if err := run(bad, &out); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}
