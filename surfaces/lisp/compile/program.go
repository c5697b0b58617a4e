package compile

import (
	"errors"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// value is a Lisp value; the package writes the word often.
type value = data.Value

// Program is a compiled program: its top-level forms, run in order.
type Program struct {
	m     *Machine
	forms []topForm
	temps map[string]*Var
}

type topForm struct {
	body  node
	slots int
}

// Compile reads and compiles a whole program. Nothing runs; names that the program
// defines are known from their definition on.
func (m *Machine) Compile(source string) (p *Program, fault *sandbox.Fault) {
	forms, fault := reader.Read(source, reader.Options{})
	if fault != nil {
		return nil, fault
	}
	return m.CompileForms(source, forms)
}

// CompileForms is Compile for forms that have been read from the source.
func (m *Machine) CompileForms(source string, forms []*reader.Form) (p *Program, fault *sandbox.Fault) {
	c := &compiler{m: m, base: m.enter(source), temps: map[string]*Var{}, declared: map[string]bool{}}
	known := len(m.order)
	defer func() {
		x := recover()
		if x != nil {
			m.retract(known)
		}
		switch x := x.(type) {
		case nil:
		case *rejection:
			p, fault = nil, m.faultAt(x.fault, x.at)
		case *sandbox.Fault:
			p, fault = nil, x
		case error:
			var f *sandbox.Fault
			if !errors.As(x, &f) {
				panic(x)
			}
			p, fault = nil, f
		default:
			panic(x)
		}
	}()
	p = &Program{m: m, temps: c.temps}
	for _, f := range forms {
		p.forms = append(p.forms, c.top(f))
	}
	return p, nil
}

// Check compiles a program and forgets it: what is wrong with it, nil for nothing.
func (m *Machine) Check(source string, forms []*reader.Form) *sandbox.Fault {
	known := len(m.order)
	_, fault := m.CompileForms(source, forms)
	m.retract(known)
	return fault
}

// retract forgets the names that a program would have defined and that have no
// value.
func (m *Machine) retract(known int) {
	kept := m.order[:min(known, len(m.order))]
	for _, n := range m.order[len(kept):] {
		if v := m.vars[n]; v != nil && !v.Bound {
			delete(m.vars, n)
			continue
		}
		kept = append(kept, n)
	}
	m.order = kept
}

// Run runs the program and gives the value of its last form.
func (p *Program) Run() (v value, fault *sandbox.Fault) {
	m := p.m
	fault = m.Protect(func() {
		for i := range p.forms {
			v = p.forms[i].run(m)
		}
	})
	if fault != nil {
		return data.Nil, fault
	}
	return v, nil
}

func (form *topForm) run(m *Machine) value {
	f := m.push()
	f.slots, f.caps, f.self = m.T.Push(form.slots), nil, nil
	v := form.body(f)
	m.top--
	m.T.Pop(form.slots)
	return v
}

// Protect runs work that may throw, and turns whatever ends it into a fault.
func (m *Machine) Protect(work func()) (fault *sandbox.Fault) {
	mark, top := m.T.Mark(), m.top
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		m.T.Restore(mark)
		m.top = top
		fault = m.faultOf(x)
	}()
	work()
	return nil
}

// faultOf turns what was thrown into a fault with its place.
func (m *Machine) faultOf(x any) *sandbox.Fault {
	switch x := x.(type) {
	case *data.Thrown:
		return m.faultAt(m.thrownFault(x), m.T.At)
	case *sandbox.Fault:
		return m.faultAt(x, m.T.At)
	case error:
		var f *sandbox.Fault
		if errors.As(x, &f) {
			return m.faultAt(f, m.T.At)
		}
		return internal(x)
	}
	return internal(errors.New("an unknown panic"))
}

func internal(err error) *sandbox.Fault {
	return &sandbox.Fault{
		Kind: sandbox.KindInternal, Message: "the program ran into a defect of the sandbox.",
		Hint: "What was defined before is kept; write it another way.", Cause: err,
	}
}

// faultKinds sorts the classes of exceptions into kinds of faults.
var faultKinds = map[string]sandbox.Kind{
	"ClassCastException": sandbox.KindType, "NullPointerException": sandbox.KindType, "ArityException": sandbox.KindArgument,
	"IllegalArgumentException": sandbox.KindType, "UnsupportedOperationException": sandbox.KindType,
	"IndexOutOfBoundsException": sandbox.KindRange, "StringIndexOutOfBoundsException": sandbox.KindRange,
	"ArithmeticException": sandbox.KindRange, "NumberFormatException": sandbox.KindRange,
}

// shownMessage bounds what a thrown message shows, in bytes.
const shownMessage = 500

func (m *Machine) thrownFault(x *data.Thrown) *sandbox.Fault {
	e, ok := x.Value.Unbox().(*data.Exception)
	if !ok {
		return &sandbox.Fault{Kind: sandbox.KindThrown, Message: "the program threw " + data.Describe(&m.T, x.Value) + "."}
	}
	if e.Fault != nil {
		return e.Fault
	}
	f := &sandbox.Fault{Kind: sandbox.KindThrown, Name: e.Class, Message: sandbox.Clip(e.Message, shownMessage), Hint: e.Hint}
	if k, ok := faultKinds[e.Class]; ok {
		f.Kind = k
	}
	if !e.Data.IsNil() && f.Hint == "" {
		if mark := m.T.Meter.Err(); mark == nil {
			f.Message += " " + data.Brief(&m.T, e.Data, 200)
		}
	}
	return f
}
