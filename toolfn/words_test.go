package toolfn

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"list_pull_requests":      "list pull request",
		"getCustomerByID":         "get customer by id",
		"HTTPServer XMLHttpV2":    "http server xml http v 2",
		"3d-models, k8s":          "3 d model k 8 s",
		"closes closing closed":   "clos clos clos",
		"queries query":           "query query",
		"boxes classes statuses":  "box class status",
		"stopped calling PRs":     "stop call pr",
		"Größe naïve ＡＢＣ":         "gross naiv abc",
		"日本語検索 東京":                "日本 本語 語検 検索 東京",
		"…":                       "",
		"access address business": "access address business",
	} {
		if got := strings.Join(words(in), " "); got != want {
			t.Errorf("words(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestStemsMeet holds that the forms of a word have one stem.
func TestStemsMeet(t *testing.T) {
	for _, forms := range []string{
		"merge merges merged merging", "create creates created creating", "list lists listed listing", "update updates updated updating",
		"issue issues", "repository repositories", "message messages", "branch branches", "delete deletes deleted deleting",
		"run runs running", "commit commits committed committing", "copy copies copied copying", "file files", "database databases",
		"reply replies replied", "send sends sending", "archive archives archived archiving", "box boxes", "invoice invoices", "tag tags tagged tagging",
	} {
		list := strings.Fields(forms)
		for _, w := range list[1:] {
			if stem(w) != stem(list[0]) {
				t.Errorf("%s → %s, but %s → %s", w, stem(w), list[0], stem(list[0]))
			}
		}
	}
	for _, apart := range [][2]string{{"status", "state"}, {"user", "use"}, {"process", "procedure"}, {"address", "add"}, {"string", "str"}} {
		if stem(apart[0]) == stem(apart[1]) {
			t.Errorf("%s and %s have one stem %s", apart[0], apart[1], stem(apart[0]))
		}
	}
}
