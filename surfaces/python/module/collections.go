package module

import (
	"strconv"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

func itoa(n int) string { return strconv.Itoa(n) }

var _ = register("collections", func(*Library) *object.Module {
	m := object.NewModule("collections")
	for _, c := range []*class{counterClass, defaultDictClass, orderedDictClass, chainMapClass, dequeClass} {
		m.Set(c.ShortName(), c.Value())
	}
	m.Func("namedtuple", "typename field_names * rename? defaults? module?", namedTuple)
	return m
})
