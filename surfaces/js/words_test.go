package js

import (
	"testing"

	"github.com/dop251/goja"
)

// TestWordsOfNode holds the rewording of the engine's errors to what Node 20 says
// for the same text.
func TestWordsOfNode(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"let o; o.x", "Cannot read properties of undefined (reading 'x')"},
		{"let o={}; o.foo()", "o.foo is not a function"},
		{"let o={}; o.a.b()", "Cannot read properties of undefined (reading 'b')"},
		{"let f=5; f()", "f is not a function"},
		{"let o={f:5}; o.f()", "o.f is not a function"},
		{"undefined()", "undefined is not a function"},
		{"let o={}; o[0].x", "Cannot read properties of undefined (reading 'x')"},
		{"let o; o[0]", "Cannot read properties of undefined (reading '0')"},
		{"let o; o.x=1", "Cannot set properties of undefined (setting 'x')"},
		{"new 5", "5 is not a constructor"},
		{"let o={}; new o.X()", "o.X is not a constructor"},
		{"[].reduce((a,b)=>a)", "Reduce of empty array with no initial value"},
		{"[1].foo()", "[1].foo is not a function"},
		{"let o={}; o.x.y=1", "Cannot set properties of undefined (setting 'y')"},
		{"let o={}; o[\"foo\"]()", "o[\"foo\"] is not a function"},
		{"let o={}; const k='foo'; o[k]()", "o[k] is not a function"},
		{"let a=[]; a[0]()", "a[0] is not a function"},
		{"class A{}; A()", "Class constructor A cannot be invoked without 'new'"},
		{"decodeURIComponent('%')", "URI malformed"},
		{"'abc'.matchAll(/a/)", "String.prototype.matchAll called with a non-global RegExp argument"},
		{"const rows=5; for (const x of rows){}", "rows is not iterable"},
		{"let o={list:{}}; o.list.map(x=>x).filter(y=>y)", "o.list.map is not a function"},
		{"let r=[{a:1}]; r.filter(x => x.a).fooBar(1)", "r.filter(x => x.a).fooBar is not a function"},
	} {
		rt := goja.New()
		_, err := rt.RunScript("p", "'use strict';\n"+c.program)
		ex, ok := err.(*goja.Exception)
		if !ok {
			t.Errorf("%s: %v, want an exception", c.program, err)
			continue
		}
		p := place{}
		for _, f := range ex.Stack() {
			if pos := f.Position(); pos.Filename == "p" {
				p = place{c.program, pos.Line - 1, pos.Column}
				break
			}
		}
		got := reword(ex.Value().(*goja.Object).Get("message").String(), p)
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.program, got, c.want)
		}
	}
}
