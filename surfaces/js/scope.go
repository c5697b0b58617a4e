package js

import (
	"github.com/dop251/goja"
	"github.com/polyglove/polyglove/surfaces/js/compile"
)

// binding is one top-level name of a session.
type binding struct {
	value    goja.Value // nil while it is declared and not initialised
	before   *binding   // what the name stood for when the running program redeclared it
	kind     compile.Kind
	constant bool
	changed  bool // set by the program that runs or ran last
}

// scope holds a session's top-level names. It is the object that compiled
// programs read and write them on: a dynamic object, so that a name before its
// initialisation, a constant and a deleted name are told apart without an
// accessor for each.
type scope struct {
	rt       *goja.Runtime
	fail     func(class, message string) *goja.Object // makes an error object
	bindings map[string]*binding
	order    []string
	object   *goja.Object
	initial  *goja.Object                         // the same names, as declarations write them
	dangling map[string]bool                      // names that a persisted function mentions and nothing defines
	reached  map[string]bool                      // names whose accessor is on the global object
	foreign  func(name string) (goja.Value, bool) // what other languages have defined
}

func newScope(rt *goja.Runtime, fail func(class, message string) *goja.Object) *scope {
	s := &scope{rt: rt, fail: fail, bindings: map[string]*binding{}, dangling: map[string]bool{}, reached: map[string]bool{}}
	s.object = rt.NewDynamicObject(s)
	_ = s.object.SetPrototype(nil)
	s.initial = rt.NewDynamicObject(initialiser{s})
	_ = s.initial.SetPrototype(nil)
	return s
}

// Get reads a name (ECMA-262 section 9.1.1.1.6, GetBindingValue).
func (s *scope) Get(name string) goja.Value {
	b := s.bindings[name]
	if b == nil {
		if v, ok := s.foreign(name); ok {
			return v
		}
		panic(s.referenceError(name + " is not defined"))
	}
	if b.value == nil {
		panic(s.referenceError("Cannot access '" + name + "' before initialization"))
	}
	return b.value
}

// Set assigns a name (ECMA-262 section 9.1.1.1.5, SetMutableBinding).
func (s *scope) Set(name string, v goja.Value) bool {
	b := s.bindings[name]
	switch {
	case b == nil:
		if _, ok := s.foreign(name); ok {
			panic(s.fail("TypeError", "Cannot assign to '"+name+"': another language has defined it. Declare it to have a value of your own under the name."))
		}
		panic(s.referenceError(name + " is not defined"))
	case b.value == nil:
		panic(s.referenceError("Cannot access '" + name + "' before initialization"))
	case b.constant:
		panic(s.fail("TypeError", "Assignment to constant variable '"+name+"'."))
	}
	b.value, b.changed = v, true
	return true
}

// initialiser is the scope as a declaration writes it.
type initialiser struct{ *scope }

// Set initialises a name (ECMA-262 section 9.1.1.1.4, InitializeBinding).
func (i initialiser) Set(name string, v goja.Value) bool {
	b := i.bindings[name]
	if b == nil {
		panic(i.referenceError(name + " is not defined"))
	}
	b.value, b.changed = v, true
	return true
}

// Has reports every name as present, so that the engine asks Get and Set, which
// know why one is not.
func (s *scope) Has(string) bool { return true }

// Delete refuses: names are freed by the builtin del.
func (s *scope) Delete(string) bool { return false }

// Keys lists nothing: the scope is no value of the program's.
func (s *scope) Keys() []string { return nil }

func (s *scope) referenceError(message string) *goja.Object {
	return s.fail("ReferenceError", message)
}

// declare readies the top-level names of a program that is about to run.
func (s *scope) declare(tops []compile.Top) {
	for _, b := range s.bindings {
		b.changed = false
	}
	for _, t := range tops {
		old := s.bindings[t.Name]
		b := &binding{before: old, kind: t.Kind, constant: t.Constant()}
		if t.Kind == compile.Var || t.Kind == compile.Function {
			b.value = goja.Undefined()
			if old != nil && t.Kind == compile.Var && old.value != nil {
				b.value = old.value
			}
		}
		if old == nil {
			s.order = append(s.order, t.Name)
			s.forward(t.Name)
		}
		s.bindings[t.Name] = b
	}
}

// settle ends what declare began: a declaration that was never reached leaves
// what the name stood for before.
func (s *scope) settle(tops []compile.Top) {
	for _, t := range tops {
		b := s.bindings[t.Name]
		if b == nil {
			continue
		}
		reached := b.value != nil && (b.changed || b.kind == compile.Var)
		if old := b.before; !reached && old != nil && old.value != nil {
			old.changed = false
			s.bindings[t.Name] = old
			continue
		}
		b.before = nil
		if !reached {
			s.remove(t.Name)
		}
	}
}

// remove frees a name; functions that still mention it find it not defined.
func (s *scope) remove(name string) bool {
	if _, ok := s.bindings[name]; !ok {
		return false
	}
	delete(s.bindings, name)
	for i, n := range s.order {
		if n == name {
			s.order = append(s.order[:i:i], s.order[i+1:]...)
			break
		}
	}
	return true
}

// miss notes a name that a program mentions and nobody defines yet: a function of
// that program may outlive it and meet a later definition.
func (s *scope) miss(name string) {
	if s.bindings[name] == nil && len(s.dangling) < mostDangling {
		s.dangling[name] = true
	}
}

// mostDangling bounds the names kept for functions that may never be called.
const mostDangling = 1000

// forward makes a name that earlier programs could only look up on the global
// object reach its definition here.
func (s *scope) forward(name string) {
	if s.dangling[name] {
		s.reach(name)
	}
}

// reach makes a name be looked up here wherever the global object is asked for it.
func (s *scope) reach(name string) {
	delete(s.dangling, name)
	if s.reached[name] {
		return
	}
	s.reached[name] = true
	get := s.rt.ToValue(func(goja.FunctionCall) goja.Value { return s.Get(name) })
	set := s.rt.ToValue(func(c goja.FunctionCall) goja.Value { s.Set(name, c.Argument(0)); return nil })
	// The global object is the realm's own and extensible; a failure would leave
	// the name not defined, which is what it was.
	_ = s.rt.GlobalObject().DefineAccessorProperty(name, get, set, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// defined reports a live name, and whether it is constant.
func (s *scope) defined(name string) (constant, ok bool) {
	b := s.bindings[name]
	if b == nil {
		return false, false
	}
	return b.constant, true
}

// value gives what a name stands for, or nil.
func (s *scope) value(name string) goja.Value {
	if b := s.bindings[name]; b != nil {
		return b.value
	}
	return nil
}

// changed lists the names that the last program bound, in order of definition.
func (s *scope) changed() []string {
	var names []string
	for _, n := range s.order {
		if b := s.bindings[n]; b.changed && b.value != nil {
			names = append(names, n)
		}
	}
	return names
}

// keepLast makes the value of a program reach the next under its name.
func (s *scope) keepLast(v goja.Value) {
	if v == nil {
		v = goja.Undefined()
	}
	if b := s.bindings[lastValue]; b != nil {
		b.value = v
		return
	}
	s.bindings[lastValue] = &binding{value: v, kind: compile.Var}
}
