package python

import (
	"slices"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// builtinNames are the functions of the session itself that every program has,
// unless it takes their names for something of its own.
var builtinNames = slices.Concat([]string{"vars", "reset", "ToolError", "ToolArgumentError"}, toolfn.Builtins(), stagingNames, longStagingNames())

// builtin gives a function of the session itself, or the unset value.
func (s *session) builtin(n string) pyValue {
	switch n {
	case "ToolError":
		return toolError.Value()
	case "ToolArgumentError":
		return argumentError.Value()
	}
	if !slices.Contains(builtinNames, n) || s.yields(n) {
		return pyValue{}
	}
	if v, ok := s.builtins[n]; ok {
		return v
	}
	b := s.builtinFunction(n)
	if b == nil {
		return pyValue{}
	}
	b.Outside = true
	v := b.Value()
	if s.builtins == nil {
		s.builtins = map[string]pyValue{}
	}
	s.builtins[n] = v
	return v
}

func (s *session) builtinFunction(n string) *object.Builtin {
	if n == "reset" {
		return object.NewBuiltin(n, "", s.reset)
	}
	if b := s.stagingFunction(n); b != nil {
		return b
	}
	return s.discoveryFunction(n)
}

// varsBuiltin lists what the session has defined; with an argument it is Python's
// own vars.
func varsBuiltin(s *session) pyValue {
	own, _ := object.Builtins().Get("vars")
	return object.NewRaw("vars", func(t *thread, a []pyValue, names []string) (pyValue, *exception) {
		if len(a) > 0 {
			return t.CallNames(own, a, names)
		}
		all := s.definitions(s.names())
		rows := make([]value.Value, 0, len(all))
		for _, d := range all {
			rows = append(rows, value.Of("name", d.Name, "kind", d.Kind, "bytes", d.Size, "holds", d.Summary))
		}
		return s.plainIn(rows, nil)
	}).Value()
}

// dirBuiltin lists the names that a program can use, without builtins; with an
// argument it is Python's own dir.
func dirBuiltin(s *session) pyValue {
	own, _ := object.Builtins().Get("dir")
	return object.NewRaw("dir", func(t *thread, a []pyValue, names []string) (pyValue, *exception) {
		if len(a) > 0 {
			return t.CallNames(own, a, names)
		}
		all := append(s.machine.Names(), s.servers().order...)
		for _, fn := range s.ws.Catalog().All() {
			if s.servers().byName[serverOf(fn.Name)] == nil {
				all = append(all, fn.Name)
			}
		}
		all = append(all, s.foreignNames()...)
		slices.Sort(all)
		rows := make([]value.Value, 0, len(all))
		for _, n := range slices.Compact(all) {
			rows = append(rows, n)
		}
		return s.plainIn(rows, nil)
	}).Value()
}

// serverOf gives what a flat name has before the double underscore.
func serverOf(name string) string {
	before, _, _ := strings.Cut(name, "__")
	return before
}

// reset frees every definition of earlier programs and tells how many there were.
func (s *session) reset(*thread, []pyValue) (pyValue, *exception) {
	freed := int64(0)
	for _, n := range s.names() {
		if !s.declares(n) {
			s.remove(n)
			freed++
		}
	}
	s.last = object.None
	return object.Int(freed), nil
}
