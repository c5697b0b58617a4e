package sandbox

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 1000) + "X" + strings.Repeat("b", 1000)
	for _, c := range []struct {
		name         string
		source       string
		line, column int
		want         string
	}{
		{"first", "let x = y", 1, 9, "let x = y\n        ^"},
		{"second line", "a\nbc\nd", 2, 2, "bc\n ^"},
		{"crlf", "ab\r\ncd\r\n", 1, 3, "ab\n  ^"},
		{"tab", "\tx", 1, 2, " x\n ^"},
		{"code points", "é😀x", 1, 3, "é😀x\n  ^"},
		{"escape sequence", "a\x1b[2J", 1, 1, "a\uFFFD[2J\n^"},
		{"no such line", "a", 3, 1, ""},
		{"no position", "a", 0, 0, ""},
		{"end of line", "ab", 1, 9, "ab\n  ^"},
	} {
		if got := Excerpt(c.source, c.line, c.column); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	got := Excerpt(long, 1, 1001)
	text, caret, _ := strings.Cut(got, "\n")
	if utf8.RuneCountInString(text) > 120 || text[len(caret)-1] != 'X' {
		t.Errorf("a long line shows %q", got)
	}
}

func TestFaultText(t *testing.T) {
	f := (&Fault{Kind: KindName, Name: "ReferenceError", Message: "x is not defined.", Hint: "Did you mean y?"}).At("1 + x", 1, 5)
	f.Fired = "Nothing has fired."
	want := "ReferenceError: x is not defined. (line 1, column 5) Did you mean y?\n1 + x\n    ^\nNothing has fired."
	if f.Error() != want {
		t.Errorf("got %q, want %q", f.Error(), want)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"list_pull_requests", "get_pull_request", "id", "ID", "repo", "state", "undefined"}
	for name, want := range map[string]string{
		"list_pull_request":    "list_pull_requests",
		"lsit_pull_requests":   "list_pull_requests",
		"State":                "state",
		"stat":                 "state",
		"rpeo":                 "repo",
		"x":                    "",
		"fetch":                "",
		"zzz":                  "",
		"":                     "",
		strings.Repeat("s", 5): "",
	} {
		got, ok := Nearest(name, names)
		if got != want || ok != (want != "") {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"ééé", 3, "ééé"}, {"éééé", 3, "éé…"}, {"", 1, ""}, {"ab", 1, "…"}} {
		if got := Clip(c.in, c.n); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestGate(t *testing.T) {
	for _, name := range []string{"constructor", "__proto__", "prototype", "__lookupGetter__", "call", "apply", "bind", "caller", "arguments"} {
		if _, blocked := JavaScript.Blocked(name); !blocked {
			t.Errorf("%s is open", name)
		}
	}
	for _, name := range []string{"length", "then", "toString", "Constructor", ""} {
		if _, blocked := JavaScript.Blocked(name); blocked {
			t.Errorf("%s is closed", name)
		}
	}
	if f := JavaScript.Fault(strings.Repeat("x", 500)); len(f.Message) > 150 {
		t.Errorf("a long name gives %d bytes", len(f.Message))
	}
}
