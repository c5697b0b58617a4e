package module

import "github.com/polyglove/polyglove/surfaces/python/object"

// The modules written in Python.
var (
	_ = registerSource("contextlib", "contextlib.py")
	_ = registerSource("numbers", "numbers.py")
	_ = registerSource("fractions", "fractions.py")
	_ = registerSource("statistics", "statistics.py")
	_ = registerSource("types", "types.py")
	_ = registerSource("collections.abc", "collections_abc.py")
	_ = registerSource("_heapq", "heapq.py")
	_ = registerSource("textwrap", "textwrap.py")
	_ = registerSource("calendar", "calendar.py")
	_ = registerSource("pprint", "pprint.py")
	_ = registerSource("difflib", "difflib.py")
	_ = registerSource("graphlib", "graphlib.py")
	_ = registerSource("uuid", "uuid.py")
	_ = registerSource("urllib.parse", "urllib_parse.py")
	_ = registerSource("csv", "csv.py")
	_ = registerSource("_user", "collections_user.py")
	_ = registerSource("_template", "string_template.py")
)

// urllib is a package: what programs use of it stands in urllib.parse.
var _ = register("urllib", func(l *Library) *object.Module {
	m := object.NewModule("urllib")
	m.Lookup = func(t *thread, name string) (value, bool, *exception) {
		if name != "parse" {
			return value{}, false, nil
		}
		v, x := l.importInside(t, "urllib.parse")
		return v, x == nil, x
	}
	return m
})
