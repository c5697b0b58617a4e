package module

import (
	"strconv"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

func itoa(n int) string { return strconv.Itoa(n) }

var _ = register("collections", func(l *Library) *object.Module {
	m := object.NewModule("collections")
	for _, c := range []*class{counterClass, defaultDictClass, orderedDictClass, dequeClass} {
		m.Set(c.ShortName(), c.Value())
	}
	m.Func("namedtuple", "typename field_names * rename? defaults? module?", namedTuple)
	m.Lookup = func(t *thread, name string) (value, bool, *exception) {
		switch name {
		case "abc":
			v, x := l.importInside(t, "collections.abc")
			return v, x == nil, x
		case "ChainMap", "UserDict", "UserList", "UserString":
			m, x := l.importInside(t, "_user")
			if x != nil {
				return value{}, false, x
			}
			v, x := t.GetAttr(m, name)
			return v, x == nil, x
		}
		return value{}, false, nil
	}
	return m
})
