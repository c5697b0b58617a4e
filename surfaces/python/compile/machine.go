package compile

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// Global is a variable of the module. It outlives the program that made it.
type Global struct {
	Name    string
	value   object.Value
	builtin object.Value // what the name means while it has no value
}

// Machine is a session's engine: its globals and the stacks of the running
// program. One goroutine uses it at a time.
type Machine struct {
	T *object.Thread
	// Outer gives what a session knows under a name that is neither a global nor a
	// builtin, the unset Value if it is nothing; nil for nothing.
	Outer func(t *object.Thread, name string) (object.Value, *object.Exception)

	main    *space
	modules []*space // of modules written in Python
	extra   map[string]object.Value

	stack  []object.Value // slots of frames, and values that only Go code holds
	top    int
	older  [][]object.Value // full stacks below this one
	frames []*frame         // of the calls in progress, reused
	depth  int
}

// NewMachine makes an engine with a thread of its own.
func NewMachine() *Machine {
	m := &Machine{T: object.NewThread(), main: newSpace("__main__"), extra: map[string]object.Value{}}
	m.T.Engine = m
	return m
}

// SetBuiltin makes a name known to every program of the session, behind its
// globals. An unset value takes it back.
func (m *Machine) SetBuiltin(name string, v object.Value) {
	m.extra[name] = v
	if g := m.main.globals[name]; g != nil {
		g.builtin = m.builtin(m.main, name)
	}
}

// builtin gives what a name means where a space has no value for it.
func (m *Machine) builtin(s *space, name string) object.Value {
	if name == "__name__" {
		return object.NewStr(s.name)
	}
	if name == "__doc__" {
		return object.None
	}
	if v, ok := m.extra[name]; ok && v.IsSet() && s == m.main {
		return v
	}
	if v, ok := object.Builtins().Get(name); ok {
		return v
	}
	v, _ := object.RefusedBuiltin(name)
	return v
}

// global gives the variable of a name in a space.
func (m *Machine) global(s *space, name string) *Global {
	g := s.globals[name]
	if g == nil {
		g = &Global{Name: name, builtin: m.builtin(s, name)}
		s.globals[name] = g
		s.order = append(s.order, g)
	}
	return g
}

// Get gives a global's value; ok is false if it has none.
func (m *Machine) Get(name string) (object.Value, bool) {
	if g := m.main.globals[name]; g != nil && g.value.IsSet() {
		return g.value, true
	}
	return object.Value{}, false
}

// Set gives a global a value; an unset one deletes it.
func (m *Machine) Set(name string, v object.Value) { m.global(m.main, name).value = v }

// Names lists the globals that have a value, in the order of their first mention.
func (m *Machine) Names() []string {
	var names []string
	for _, g := range m.main.order {
		if g.value.IsSet() {
			names = append(names, g.Name)
		}
	}
	return names
}

// mostMentioned bounds the names without a value that a session remembers.
const mostMentioned = 20_000

// forget drops the names that programs have mentioned and nothing has bound, if they
// have become too many. A function of an earlier program that uses one will not see
// it bound later.
func (m *Machine) forget() {
	if len(m.main.order) <= mostMentioned {
		return
	}
	kept := m.main.order[:0]
	for _, g := range m.main.order {
		if g.value.IsSet() {
			kept = append(kept, g)
		} else {
			delete(m.main.globals, g.Name)
		}
	}
	clear(m.main.order[len(kept):])
	m.main.order = kept
}

// Known lists every name a program could mean: globals and builtins.
func (m *Machine) Known() []string {
	names := m.Names()
	for n, v := range m.extra {
		if v.IsSet() {
			names = append(names, n)
		}
	}
	return append(names, object.Builtins().Names()...)
}

// Roots visits every value the engine keeps alive.
func (m *Machine) Roots(visit func(object.Value)) {
	for _, g := range m.main.order {
		visit(g.value)
	}
	for _, v := range m.extra {
		visit(v)
	}
	for _, s := range m.modules {
		for _, g := range s.order {
			visit(g.value)
		}
	}
	for _, s := range m.older {
		for _, v := range s {
			visit(v)
		}
	}
	for _, v := range m.stack[:m.top] {
		visit(v)
	}
	for _, f := range m.frames[:m.depth] {
		f.roots(visit)
	}
}

// Caller gives the class of the innermost method and its first argument, for
// super().
func (m *Machine) Caller() (*object.Class, object.Value) {
	if m.depth == 0 {
		return nil, object.Value{}
	}
	f := m.frames[m.depth-1]
	if f.code == nil || f.code.total() == 0 {
		return nil, object.Value{}
	}
	self := f.first()
	if f.class == nil {
		return nil, self
	}
	return f.class.class, self
}

// room makes place for n more values on the stack.
func (m *Machine) room(n int) {
	if m.top+n <= len(m.stack) {
		return
	}
	size := max(2*len(m.stack), m.top+n, 256)
	if m.top == 0 {
		m.stack = make([]object.Value, size)
		return
	}
	// Slices of the old stack are in use: it stays as it is.
	m.older = append(m.older, m.stack[:m.top])
	m.stack = make([]object.Value, max(n+256, min(size, 1<<14)))
	m.top = 0
}

// mark is a point to which the stack returns.
type mark struct {
	stack []object.Value
	top   int
	older int
}

func (m *Machine) mark() mark { return mark{m.stack, m.top, len(m.older)} }

func (m *Machine) release(k mark) {
	if len(m.older) != k.older {
		m.older = m.older[:k.older]
		m.stack = k.stack
	}
	m.top = k.top
}

// hold keeps a value that only Go code has in the account of live memory; release
// drops it.
func (m *Machine) hold(v object.Value) {
	if m.top == len(m.stack) {
		m.room(1)
	}
	m.stack[m.top] = v
	m.top++
}

// Begin starts an execute on a meter.
func (m *Machine) Begin(meter *sandbox.Meter) {
	m.T.Begin(meter)
	m.forget()
	m.depth, m.top = 0, 0
	m.older = nil
	if len(m.stack) > 1<<12 {
		m.stack = nil
	} else {
		clear(m.stack)
	}
	if len(m.frames) > 16 {
		clear(m.frames[16:])
		m.frames = m.frames[:16]
	}
}
