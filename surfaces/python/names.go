package python

import (
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/module"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn"
)

// namespaces is the catalogue as names: which server a program may name, and
// which functions it has. It is derived when a program first names something that
// nothing else explains, and again when the catalogue has changed.
type namespaces struct {
	version uint64
	built   bool
	byName  map[string]*namespace
	order   []string
}

// namespace is one server's functions, by the name after the double underscore.
type namespace struct {
	name    string
	members map[string]*toolfn.ToolFn
	order   []string
}

// servers gives the namespaces of the catalogue as it is now.
func (s *session) servers() *namespaces {
	cat := s.ws.Catalog()
	if v := cat.Version(); !s.namespaces.built || s.namespaces.version != v {
		s.namespaces = deriveNamespaces(cat.All())
		s.namespaces.version = v
		s.spaces = nil
	}
	return &s.namespaces
}

func deriveNamespaces(all []*toolfn.ToolFn) namespaces {
	n := namespaces{built: true, byName: map[string]*namespace{}}
	flat := make(map[string]bool, len(all))
	for _, fn := range all {
		flat[fn.Name] = true
	}
	for _, fn := range all {
		before, after, ok := strings.Cut(fn.Name, "__")
		if !ok || before == "" || after == "" || flat[before] || taken(before) {
			continue
		}
		sp := n.byName[before]
		if sp == nil {
			sp = &namespace{name: before, members: map[string]*toolfn.ToolFn{}}
			n.byName[before] = sp
			n.order = append(n.order, before)
		}
		sp.members[after] = fn
		sp.order = append(sp.order, after)
	}
	return n
}

// taken reports a name that means something else in every program, so that no
// namespace can have it; its functions keep their flat names.
func taken(name string) bool {
	if _, ok := object.Builtins().Get(name); ok {
		return true
	}
	return keywords[name] || slices.Contains(builtinNames, name)
}

// capabilityNamed gives the function that a spelling names: flat or qualified.
func (s *session) capabilityNamed(spelled string) (*toolfn.ToolFn, bool) {
	if fn, ok := s.ws.Catalog().Lookup(spelled); ok {
		return fn, true
	}
	before, after, ok := strings.Cut(spelled, ".")
	if !ok {
		return nil, false
	}
	sp := s.servers().byName[before]
	if sp == nil {
		return nil, false
	}
	fn, ok := sp.members[after]
	return fn, ok
}

// outer gives what the session knows under a name that the programs have not bound
// and that is no builtin of Python's.
func (s *session) outer(t *thread, n string) (pyValue, *exception) {
	if n == lastValue {
		return s.last, nil
	}
	if v := s.builtin(n); v.IsSet() {
		return v, nil
	}
	if v := s.tool(n); v.IsSet() {
		return v, nil
	}
	return s.foreign(t, n)
}

// tool gives what the catalogue has under a name: a function or a namespace.
func (s *session) tool(n string) pyValue {
	if _, ok := object.Builtins().Get(n); ok {
		return pyValue{}
	}
	if fn, ok := s.ws.Catalog().Lookup(n); ok {
		return s.capabilityOf(fn).value
	}
	if sp := s.servers().byName[n]; sp != nil {
		return s.namespaceValue(sp)
	}
	return pyValue{}
}

// capabilityOf gives the one value of a catalogue function.
func (s *session) capabilityOf(fn *toolfn.ToolFn) *capability {
	c := s.byName[fn.Name]
	if c == nil || c.fn != fn {
		c = s.newCapability(fn)
		if s.byName == nil {
			s.byName = map[string]*capability{}
		}
		s.byName[fn.Name] = c
	}
	return c
}

// namespaceValue gives a server's functions as a module. One that has the name of a
// standard module has that one's names too, where the server has none of them.
func (s *session) namespaceValue(sp *namespace) pyValue {
	if m := s.spaces[sp.name]; m != nil {
		return m.Value()
	}
	m := object.NewModule(sp.name)
	for _, n := range sp.order {
		m.Set(n, s.capabilityOf(sp.members[n]).value)
	}
	m.Lookup = func(t *thread, n string) (pyValue, bool, *exception) { return s.standard(t, sp.name, n) }
	m.Missing = func(t *thread, n string) *exception {
		x := t.Raise(object.AttributeError, "module '%s' has no attribute '%s'", sp.name, n)
		x.Detail = missingFunction{sp, n}
		return x
	}
	if s.spaces == nil {
		s.spaces = map[string]*object.Module{}
	}
	s.spaces[sp.name] = m
	return m.Value()
}

// missingFunction is the detail of the error of a function that a server has not.
type missingFunction struct {
	of   *namespace
	name string
}

// standard gives a name of the standard module that a namespace stands in front of.
func (s *session) standard(t *thread, moduleName, n string) (pyValue, bool, *exception) {
	if !slices.Contains(module.Names(), moduleName) {
		return pyValue{}, false, nil
	}
	m, x := s.library.Import(t, moduleName)
	if x != nil {
		return pyValue{}, false, x
	}
	return t.FindAttr(m, n)
}

// importModule gives what an import statement names: the tools of a server, the
// module asyncio, or a standard module.
func (s *session) importModule(t *thread, n string) (pyValue, *exception) {
	if sp := s.servers().byName[n]; sp != nil {
		return s.namespaceValue(sp), nil
	}
	if n == "asyncio" {
		return s.importAsyncio(t)
	}
	v, x := s.library.Import(t, n)
	if x != nil && x.Is(object.ModuleNotFound) {
		if near, ok := sandbox.Nearest(n, append(slices.Clone(s.servers().order), "asyncio")); ok {
			x.Detail = nearModule(near)
		}
	}
	return v, x
}

// nearModule is the detail of the error of a module that is not there: the tools
// that may be meant.
type nearModule string

// isSpace reports whether a value is a namespace of tools.
func (s *session) isSpace(v pyValue) bool {
	for _, m := range s.spaces {
		if m.Value() == v {
			return true
		}
	}
	return false
}
