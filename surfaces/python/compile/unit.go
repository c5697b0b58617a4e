package compile

import (
	"fmt"

	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// code is a compiled function, class body, module or generator expression.
type code struct {
	program    *Program
	name, qual string
	nslots     int
	ncells     int
	firstCell  int // the cell of the first parameter, -1 if it is a slot
	body       exec
	expr       eval // of a lambda

	// Parameters stand in the first slots in this order: positional-only,
	// positional, keyword-only, *args, **kwargs.
	params    []string
	posOnly   int
	positions int // positional ones, positional-only included
	kwOnly    int
	varargs   bool
	kwargs    bool
	boxed     []boxed // parameters that inner functions share
	simple    bool    // only positional parameters

	generator bool
	async     bool
	nstate    int
	nsaved    int
	cost      int64 // of a call
}

func (c *code) total() int { return len(c.params) }

// boxed says that a slot's value moves into a cell when the call begins.
type boxed struct{ slot, cell int }

// compiler compiles one program.
type compiler struct {
	m       *Machine
	program *Program
	u       *unit
	nodes   int64 // of the block being compiled
	temps   int
}

// unit is the function, class body or module being compiled.
type unit struct {
	parent *unit
	code   *code
	layers []*layer // its own scope, and the comprehensions around the current place
	free   []string
	isMod  bool
	isCls  bool
	resume bool // statements with a yield are compiled to be resumed
}

// layer is one scope inside a unit.
type layer struct {
	scope *syntax.Scope
	slots map[string]int
	cells map[string]int
}

func (c *compiler) open(scope *syntax.Scope, name string) *unit {
	u := &unit{parent: c.u, code: &code{program: c.program, name: name, qual: name, firstCell: -1}}
	u.layers = []*layer{{scope: scope, slots: map[string]int{}, cells: map[string]int{}}}
	if p := c.u; p != nil && !p.isMod {
		if p.isCls {
			u.code.qual = p.code.qual + "." + name
		} else {
			u.code.qual = p.code.qual + ".<locals>." + name
		}
	}
	c.u = u
	return u
}

func (c *compiler) close() { c.u = c.u.parent }

func (u *unit) layer() *layer { return u.layers[len(u.layers)-1] }

// slot makes a new slot.
func (u *unit) slot() int {
	u.code.nslots++
	return u.code.nslots - 1
}

// stateIndex makes a place for the state of a statement of a generator.
func (u *unit) stateIndex() int {
	u.code.nstate++
	return u.code.nstate - 1
}

func (u *unit) savedIndex() int {
	u.code.nsaved++
	return u.code.nsaved - 1
}

// place says where a variable lives.
type place uint8

const (
	inSlot place = iota
	inCell
	inFree
	inGlobal
	inNames // of a class body, then elsewhere
	inClass // __class__: the class that a method stands in
)

// variable is where a name of the program lives.
type variable struct {
	place  place
	i      int
	name   string
	global *Global
	outer  *variable // of a class body: where to look next
}

// inlined reports whether a comprehension's scope is part of the unit around it.
func inlined(s *syntax.Scope) bool {
	if !s.Comprehension {
		return false
	}
	_, lazy := s.Node.(*syntax.GeneratorExp)
	return !lazy
}

// shared reports whether an inner function uses a variable of a scope, so that it
// must live in a cell.
func shared(s *syntax.Scope, name string) bool {
	for _, ch := range s.Children {
		y := ch.Lookup(name)
		if y == nil || y.Binding != syntax.Free {
			if ch.Kind == syntax.ClassScope && passes(ch, name) {
				return true
			}
			continue
		}
		if !inlined(ch) || shared(ch, name) {
			return true
		}
	}
	return false
}

// passes reports whether a method of a class that has a variable of the same name
// uses the outer one.
func passes(class *syntax.Scope, name string) bool {
	for _, ch := range class.Children {
		if y := ch.Lookup(name); y != nil && y.Binding == syntax.Free {
			return true
		}
		if ch.Kind == syntax.ClassScope && passes(ch, name) {
			return true
		}
	}
	return false
}

// resolve finds a name at the current place.
func (c *compiler) resolve(name string) variable {
	u := c.u
	if name[0] == '.' {
		return u.temp(name)
	}
	if name == "__class__" && !u.isMod && !u.isCls && !c.bound(name) {
		return variable{place: inClass, name: name}
	}
	for i := len(u.layers) - 1; i >= 0; i-- {
		l := u.layers[i]
		name := l.scope.Mangle(name)
		y := l.scope.Lookup(name)
		if y == nil {
			if i == 0 {
				return c.globalVar(name)
			}
			continue
		}
		switch y.Binding {
		case syntax.GlobalExplicit:
			return c.globalVar(name)
		case syntax.GlobalImplicit:
			if u.isCls && i == 0 {
				g := c.globalVar(name)
				return variable{place: inNames, name: name, outer: &g}
			}
			return c.globalVar(name)
		case syntax.Local, syntax.Cell:
			if u.isCls && i == 0 {
				g := c.globalVar(name)
				return variable{place: inNames, name: name, outer: &g}
			}
			return u.local(l, name)
		case syntax.Free:
			if u.isCls && i == 0 {
				fr := u.freeVar(name)
				return variable{place: inNames, name: name, outer: &fr}
			}
		}
	}
	return u.freeVar(u.layer().scope.Mangle(name))
}

// bound reports whether a function of the current place binds a name.
func (c *compiler) bound(name string) bool {
	for u := c.u; u != nil && !u.isMod; u = u.parent {
		for _, l := range u.layers {
			if y := l.scope.Lookup(name); !u.isCls && y != nil && (y.Binding == syntax.Local || y.Binding == syntax.Cell || y.Binding == syntax.GlobalExplicit) {
				return true
			}
		}
	}
	return false
}

func (c *compiler) globalVar(name string) variable {
	return variable{place: inGlobal, name: name, global: c.m.global(c.program.space, name)}
}

// temp is a variable that the compiler made.
func (u *unit) temp(name string) variable {
	l := u.layers[0]
	i, ok := l.slots[name]
	if !ok {
		i = u.slot()
		l.slots[name] = i
	}
	return variable{place: inSlot, i: i, name: name}
}

// local gives the slot or cell of a variable bound in a layer.
func (u *unit) local(l *layer, name string) variable {
	if i, ok := l.cells[name]; ok {
		return variable{place: inCell, i: i, name: name}
	}
	if i, ok := l.slots[name]; ok {
		return variable{place: inSlot, i: i, name: name}
	}
	if y := l.scope.Lookup(name); y.Binding == syntax.Cell && shared(l.scope, name) {
		i := u.code.ncells
		u.code.ncells++
		l.cells[name] = i
		return variable{place: inCell, i: i, name: name}
	}
	i := u.slot()
	l.slots[name] = i
	return variable{place: inSlot, i: i, name: name}
}

// freeVar gives a variable of a function around.
func (u *unit) freeVar(name string) variable {
	for i, n := range u.free {
		if n == name {
			return variable{place: inFree, i: i, name: name}
		}
	}
	u.free = append(u.free, name)
	return variable{place: inFree, i: len(u.free) - 1, name: name}
}

// capture finds, at the current place, the cell of a name that an inner function
// uses.
func (c *compiler) capture(name string) variable {
	u := c.u
	for i := len(u.layers) - 1; i >= 0; i-- {
		if u.isCls && i == 0 {
			break // a class's own variables are no cells; those of its comprehensions are
		}
		l := u.layers[i]
		if y := l.scope.Lookup(name); y != nil && (y.Binding == syntax.Local || y.Binding == syntax.Cell) {
			v := u.local(l, name)
			if v.place != inCell {
				panic(fmt.Sprintf("the variable %s has no cell", name))
			}
			return v
		}
	}
	return u.freeVar(name)
}

// captures gives the cells that a new function takes along.
func captures(vars []variable) func(f *frame) []*cell {
	if len(vars) == 0 {
		return func(*frame) []*cell { return nil }
	}
	return func(f *frame) []*cell {
		out := make([]*cell, len(vars))
		for i, v := range vars {
			if v.place == inCell {
				if f.cells[v.i] == nil {
					f.cells[v.i] = &cell{}
				}
				out[i] = f.cells[v.i]
			} else {
				out[i] = f.free[v.i]
			}
		}
		return out
	}
}

// module compiles the program's top level.
func (c *compiler) module(m *syntax.Module) *code {
	u := c.open(c.program.Scopes.Module, "<module>")
	u.isMod = true
	u.code.body = c.block(m.Body)
	c.close()
	return u.code
}

func (c *compiler) reject(n syntax.Node, message string) {
	panic(&unsupported{syntax.Place(n), message})
}

// load compiles reading a variable.
func (c *compiler) load(v variable, at syntax.Span) eval {
	i, name := v.i, v.name
	switch v.place {
	case inSlot:
		return func(f *frame) (value, *exception) {
			if r := f.slots[i]; r.IsSet() {
				return r, nil
			}
			return value{}, f.at(f.t.Raise(object.UnboundLocalError, "cannot access local variable '%s' where it is not associated with a value", name), at)
		}
	case inCell:
		return func(f *frame) (value, *exception) {
			if k := f.cells[i]; k != nil && k.v.IsSet() {
				return k.v, nil
			}
			return value{}, f.at(f.t.Raise(object.UnboundLocalError, "cannot access local variable '%s' where it is not associated with a value", name), at)
		}
	case inFree:
		return func(f *frame) (value, *exception) {
			if r := f.free[i].v; r.IsSet() {
				return r, nil
			}
			return value{}, f.at(f.t.Raise(object.NameError, "cannot access free variable '%s' where it is not associated with a value in enclosing scope", name), at)
		}
	case inNames:
		outer := c.load(*v.outer, at)
		return func(f *frame) (value, *exception) {
			if r, ok := f.names.Get(name); ok {
				return r, nil
			}
			return outer(f)
		}
	}
	if v.place == inClass {
		return func(f *frame) (value, *exception) {
			if f.class == nil {
				return value{}, f.at(f.undefined(name), at)
			}
			if f.class.class == nil {
				return value{}, f.at(f.t.Raise(object.NameError, "cannot access free variable '%s' where it is not associated with a value in enclosing scope", name), at)
			}
			return f.class.class.Value(), nil
		}
	}
	g := v.global
	return func(f *frame) (value, *exception) {
		if g.value.IsSet() {
			return g.value, nil
		}
		if g.builtin.IsSet() {
			return g.builtin, nil
		}
		r, x := f.outer(name)
		if x != nil {
			return value{}, f.at(x, at)
		}
		return r, nil
	}
}

// outer gives what the session knows under a name that nothing in the program and
// no builtin has.
func (f *frame) outer(name string) (value, *exception) {
	if f.m.Outer != nil && f.code.program.space == f.m.main {
		if r, x := f.m.Outer(f.t, name); x != nil || r.IsSet() {
			return r, x
		}
	}
	return value{}, f.undefined(name)
}

// MissingName is the detail of a NameError: the name that has no value.
type MissingName struct{ Name string }

func (f *frame) undefined(name string) *exception {
	if name == "__name__" {
		return f.t.Raise(object.NameError, "name '__name__' is not defined")
	}
	x := f.t.Raise(object.NameError, "name '%s' is not defined", name)
	x.Detail = MissingName{name}
	return x
}

// store compiles assigning a variable.
func (c *compiler) store(v variable) func(f *frame, w value) {
	i, name := v.i, v.name
	switch v.place {
	case inSlot:
		return func(f *frame, w value) { f.slots[i] = w }
	case inCell:
		return func(f *frame, w value) {
			if f.cells[i] == nil {
				f.cells[i] = &cell{}
			}
			f.cells[i].v = w
		}
	case inFree:
		return func(f *frame, w value) { f.free[i].v = w }
	case inNames:
		return func(f *frame, w value) { f.names.Assign(name, w) }
	}
	g := v.global
	return func(f *frame, w value) { g.value = w }
}

// unset compiles deleting a variable.
func (c *compiler) unset(v variable, at syntax.Span) func(f *frame) *exception {
	if v.place == inNames {
		return func(f *frame) *exception {
			if !f.names.Delete(v.name) {
				return f.at(f.t.Raise(object.NameError, "name '%s' is not defined", v.name), at)
			}
			return nil
		}
	}
	if v.place == inGlobal {
		return func(f *frame) *exception {
			if !v.global.value.IsSet() {
				return f.at(f.undefined(v.name), at)
			}
			v.global.value = value{}
			return nil
		}
	}
	load, store := c.load(v, at), c.store(v)
	return func(f *frame) *exception {
		if _, x := load(f); x != nil {
			return x
		}
		store(f, value{})
		return nil
	}
}
