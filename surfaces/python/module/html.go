package module

import (
	"html"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

var _ = register("html", func(*Library) *object.Module {
	m := object.NewModule("html")
	m.Func("escape", "s quote?", func(t *thread, a []value) (value, *exception) {
		s, ok := textOf(a[0])
		if !ok {
			return raised(t.Raise(object.AttributeError, "'%s' object has no attribute 'replace'", nameOf(a[0])))
		}
		quote, x := truth(t, a, 1, true)
		if x != nil {
			return value{}, x
		}
		if x := t.Alloc(6 * len(s)); x != nil {
			return value{}, x
		}
		pairs := []string{"&", "&amp;", "<", "&lt;", ">", "&gt;"}
		if quote {
			pairs = append(pairs, "\"", "&quot;", "'", "&#x27;")
		}
		return t.Text(strings.NewReplacer(pairs...).Replace(s))
	})
	m.Func("unescape", "s", func(t *thread, a []value) (value, *exception) {
		s, ok := textOf(a[0])
		if !ok {
			return raised(t.RaiseType("argument of type '%s' is not iterable", nameOf(a[0])))
		}
		if x := t.Alloc(2 * len(s)); x != nil {
			return value{}, x
		}
		return t.Text(html.UnescapeString(s))
	})
	return m
})
