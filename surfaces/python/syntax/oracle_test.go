package syntax

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/polyglove/polyglove/internal/cpython"
)

type program struct {
	ID   string `json:"id"`
	Code string `json:"code"`
}

type answer struct {
	ID    string `json:"id"`
	Tree  string `json:"tree"`
	Error []any  `json:"error"`
	Skip  string `json:"skip"`
}

// ask has CPython parse programs.
func ask(t *testing.T, programs []program) map[string]answer {
	t.Helper()
	answers := map[string]answer{}
	for _, a := range cpython.Ask[program, answer](t, "testdata/tree.py", programs) {
		answers[a.ID] = a
	}
	return answers
}

var (
	anyPlace    = regexp.MustCompile(`@\d+:\d+-\d+:\d+`)
	stringPlace = regexp.MustCompile(`\((Constant|JoinedStr|FormattedValue)@\d+:\d+-\d+:\d+`)
)

// verdict compares our parse with CPython's.
func verdict(code string, want answer) string {
	m, err := Parse(code)
	if want.Skip != "" {
		return "skipped"
	}
	if want.Tree == "" {
		if err == nil {
			return "accepted, CPython rejects: " + fmt.Sprint(want.Error...)
		}
		return "both reject"
	}
	if err != nil {
		return "rejected, CPython accepts: " + err.Error()
	}
	got := tree(m)
	switch {
	case got == want.Tree:
		return "same"
	case stringPlace.ReplaceAllString(got, "($1") == stringPlace.ReplaceAllString(want.Tree, "($1"):
		return "same but for places of string parts"
	case anyPlace.ReplaceAllString(got, "") == anyPlace.ReplaceAllString(want.Tree, ""):
		return "same tree, other places\n" + difference(got, want.Tree)
	}
	return "other tree\n" + difference(got, want.Tree)
}

func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-100)
	return fmt.Sprintf("  got  …%s\n  want …%s", a[from:min(len(a), i+100)], b[from:min(len(b), i+100)])
}
