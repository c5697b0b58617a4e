package module

import (
	"strconv"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

func itoa(n int) string { return strconv.Itoa(n) }

var _ = register("collections", func(l *Library) *object.Module {
	m := object.NewModule("collections")
	for _, c := range []*class{counterClass, defaultDictClass, orderedDictClass, chainMapClass, dequeClass} {
		m.Set(c.ShortName(), c.Value())
	}
	m.Func("namedtuple", "typename field_names * rename? defaults? module?", namedTuple)
	m.Lookup = func(t *thread, name string) (value, bool, *exception) {
		if name != "abc" {
			return value{}, false, nil
		}
		v, x := l.importInside(t, "collections.abc")
		return v, x == nil, x
	}
	return m
})
