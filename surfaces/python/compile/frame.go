package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

type (
	value     = object.Value
	exception = object.Exception
)

// eval is a compiled expression.
type eval func(f *frame) (value, *exception)

// exec is a compiled statement.
type exec func(f *frame) (signal, *exception)

// signal says how a statement ended.
type signal uint8

const (
	next signal = iota
	breaks
	continues
	returns
	yields // the generator waits; f.ret is what it gives
)

// cell is a variable that an inner function shares.
type cell struct{ v value }

// holder is the class that a class statement is making, for the methods inside.
type holder struct{ class *object.Class }

// frame is one call in progress.
type frame struct {
	m     *Machine
	t     *object.Thread
	code  *code
	slots []value
	cells []*cell // its own
	free  []*cell // of the functions around
	ret   value
	last  value // of the module: the last expression statement's
	class *holder
	names *object.Namespace // of a class body

	// The state of a generator.
	state    []int32
	saved    []saved
	resuming bool
	sent     value
	thrown   *exception
}

// saved is what a statement of a generator keeps while it waits.
type saved struct {
	it     object.Iterator
	v      value
	exc    *exception
	signal signal
	ret    value
}

func (f *frame) roots(visit func(value)) {
	for _, v := range f.slots {
		visit(v)
	}
	for _, c := range f.cells {
		if c != nil {
			visit(c.v)
		}
	}
	for _, c := range f.free {
		visit(c.v)
	}
	visit(f.ret)
	visit(f.last)
	for i := range f.saved {
		s := &f.saved[i]
		visit(s.v)
		visit(s.ret)
		if s.it != nil {
			visit(object.IterValue(s.it))
		}
		if s.exc != nil && s.exc.Limit == nil {
			visit(s.exc.Value())
		}
	}
	if f.names != nil {
		for _, n := range f.names.Names() {
			v, _ := f.names.Get(n)
			visit(v)
		}
	}
}

// first is the frame's first argument.
func (f *frame) first() value {
	if i := f.code.firstCell; i >= 0 {
		return f.cells[i].v
	}
	return f.slots[0]
}

// at adds the place to an exception that this frame's own operation raised, and
// the exception being handled as its context.
func (f *frame) at(x *exception, where syntax.Span) *exception {
	if x.Limit != nil {
		if len(x.Trace) == 0 {
			x.At(object.Place{Function: f.code.qual, Start: where.Start, End: where.End, Program: f.code.program})
		}
		return x
	}
	if len(x.Trace) == 0 {
		f.chain(x)
	}
	return x.At(object.Place{Function: f.code.qual, Start: where.Start, End: where.End, Program: f.code.program})
}

// chain sets the context of a new exception.
func (f *frame) chain(x *exception) {
	n := len(f.t.Handled)
	if n == 0 || x.Context != nil {
		return
	}
	h := f.t.Handled[n-1]
	// A cycle must not arise: an exception that is in the chain already stays out.
	for y, steps := h, 0; y != nil && steps < 100; y, steps = y.Context, steps+1 {
		if y == x {
			return
		}
	}
	x.Context = h
}

// enter takes a frame from the pool for a call.
func (m *Machine) enter(c *code) *frame {
	if m.depth == len(m.frames) {
		m.frames = append(m.frames, &frame{m: m, t: m.T})
	}
	f := m.frames[m.depth]
	m.depth++
	m.room(c.nslots)
	f.code = c
	f.slots = m.stack[m.top : m.top+c.nslots : m.top+c.nslots]
	m.top += c.nslots
	return f
}

// leave gives a frame back.
func (m *Machine) leave(f *frame) {
	m.depth--
	f.cells, f.free, f.class, f.names = nil, nil, nil, nil
	f.ret, f.last = value{}, value{}
	f.slots = nil
}
