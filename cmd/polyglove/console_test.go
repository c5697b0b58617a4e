package main

import (
	"context"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func TestUnfinished(t *testing.T) {
	for text, want := range map[string]bool{
		"1 + 1":                      false,
		"f(":                         true,
		"[1,\n2":                     true,
		"[1,\n2]":                    false,
		"`a":                         true,
		"`a${1":                      true,
		"`a${`b`}`":                  false,
		"`}`":                        false,
		"'('":                        false,
		`"\"("`:                      false,
		"// (":                       false,
		"/* (":                       true,
		"/* ( */ 1":                  false,
		"const f = () => {":          true,
		"const f = () => { return }": false,
		"}":                          false,
		"`\\``":                      false,
	} {
		if got := unfinished(text); got != want {
			t.Errorf("%q is unfinished: %v, want %v", text, got, want)
		}
	}
}

// defined is a session that has defined some names.
type defined struct{ surfaces.Session }

func (defined) Defs() []surfaces.Def { return []surfaces.Def{{Name: "gifts"}, {Name: "total"}} }

func TestCompletion(t *testing.T) {
	cat := toolfn.NewCatalog()
	call := func(context.Context, *value.Object) (value.Value, error) { return nil, nil }
	cat.Adopt(toolfn.Server{Name: "github"}, toolfn.ToolFn{Name: "list_issues", Call: call}, toolfn.ToolFn{Name: "list_pulls", Call: call})
	if err := cat.Register(toolfn.ToolFn{Name: "greet", Call: call}); err != nil {
		t.Fatal(err)
	}
	c := completer{defined{}, cat}
	for line, want := range map[string]string{
		"g":               "gifts github. greet(",
		"x = gi":          "gifts github.",
		"github.":         "github.list_issues( github.list_pulls(",
		"f(github.list_p": "github.list_pulls(",
		"se":              "search( search_functions( servers(",
		"to":              "total",
		"zzz":             "",
		"ж.g":             "",
	} {
		_, word := cutWord(line)
		if got := strings.Join(c.complete(word), " "); got != want {
			t.Errorf("%q completes to %q, want %q", line, got, want)
		}
	}
	if head, word := cutWord("é(x.y"); head != "é(" || word != "x.y" {
		t.Errorf("cut into %q and %q", head, word)
	}
}

func TestNoFaultIsPaintedWithoutColour(t *testing.T) {
	const text = "TypeError: no\n x.y\n   ^\nnext"
	if got := (&console{}).paint(text); got != text {
		t.Errorf("%q", got)
	}
	want := red + "TypeError: no" + plain + "\n" + yellow + " x.y" + plain + "\n" + yellow + "   ^" + plain + "\nnext"
	if got := (&console{colour: true}).paint(text); got != want {
		t.Errorf("%q", got)
	}
}
