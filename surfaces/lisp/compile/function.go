package compile

import (
	"fmt"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// frame is one call under way.
type frame struct {
	m     *Machine
	slots []data.Value
	caps  []data.Value
	self  *Fn
}

// node is a compiled form.
type node func(f *frame) data.Value

// Fn is a function of a program.
type Fn struct {
	data.Head
	code *code
	caps []data.Value
}

// code is what the function values of one fn form share.
type code struct {
	name     string
	arities  []*arity // by their number of parameters
	rest     *arity   // with & rest
	captures []capture
}

// arity is one parameter list and its body.
type arity struct {
	params int  // without the rest
	rest   bool // slot params takes the list of what is left
	slots  int
	body   node
}

// capture tells where a function finds a value that it captures when it is made.
type capture struct {
	from from
	at   int
}

type from uint8

const (
	fromSlot from = iota
	fromCapture
	fromSelf
)

// TypeName names the type.
func (fn *Fn) TypeName() string {
	if fn.code.name == "" {
		return "a function"
	}
	return "the function " + fn.code.name
}

// Printed shows the function.
func (fn *Fn) Printed() string {
	if fn.code.name == "" {
		return "#<fn>"
	}
	return "#<fn " + fn.code.name + ">"
}

// Name is the function's own name, "" for none.
func (fn *Fn) Name() string { return fn.code.name }

const functionBytes = 96

// capture fills the captured values from the frame in which the function is made.
func (fn *Fn) capture(f *frame) {
	for i, c := range fn.code.captures {
		switch c.from {
		case fromSlot:
			fn.caps[i] = f.slots[c.at]
		case fromCapture:
			fn.caps[i] = f.caps[c.at]
		case fromSelf:
			fn.caps[i] = data.MarkFunction(f.self)
		}
	}
}

// accepts gives the arity for a number of arguments, nil for none.
func (c *code) accepts(n int) *arity {
	for _, a := range c.arities {
		if a.params == n {
			return a
		}
	}
	if c.rest != nil && n >= c.rest.params {
		return c.rest
	}
	return nil
}

// push gives a frame for a call.
func (m *Machine) push() *frame {
	if m.top == len(m.frames) {
		m.frames = append(m.frames, &frame{m: m})
	}
	f := m.frames[m.top]
	m.top++
	return f
}

// recurring is what a recur gives to the loop or function around it.
type recurring struct{ data.Head }

func (*recurring) TypeName() string { return "" }
func (*recurring) Printed() string  { return "" }

var again = data.Box(&recurring{})

// run calls a function of a program.
func (fn *Fn) run(m *Machine, args []data.Value) data.Value {
	a := fn.code.accepts(len(args))
	if a == nil {
		fn.arityError(len(args))
	}
	t := &m.T
	t.Charge(4)
	t.Enter()
	var rest data.Value
	if a.rest && len(args) > a.params {
		t.Alloc(16*(len(args)-a.params) + 48)
		rest = data.ListOf(append([]data.Value(nil), args[a.params:]...))
	}
	if a.rest && len(args) > a.params {
		args = args[:a.params] // no longer the top of the stack: it is copied
	}
	slots, extra := t.Extend(args, a.slots)
	if a.rest {
		slots[a.params] = rest
	}
	f := m.push()
	f.slots, f.caps, f.self = slots, fn.caps, fn
	v := a.body(f)
	for v == again {
		t.Charge(2)
		v = a.body(f)
	}
	m.top--
	t.Pop(extra)
	t.Leave()
	return v
}

func (fn *Fn) arityError(n int) {
	name := fn.code.name
	if name == "" {
		name = "fn"
	}
	data.ThrowHint("ArityException", fmt.Sprintf("Wrong number of args (%d) passed to: user/%s", n, name), "It takes "+fn.code.takes()+".")
}

// takes says how many arguments a function takes.
func (c *code) takes() string {
	var text string
	for i, a := range c.arities {
		if i > 0 {
			text += " or "
		}
		text += fmt.Sprint(a.params)
	}
	if c.rest != nil {
		if text != "" {
			text += ", or "
		}
		text += fmt.Sprintf("%d and more", c.rest.params)
	}
	return text
}

// invoke calls any value that can be called.
func (m *Machine) invoke(t *data.Thread, fn data.Value, args []data.Value) data.Value {
	switch x := fn.Unbox().(type) {
	case *Fn:
		return x.run(m, args)
	case *data.Native:
		if !x.Takes(len(args)) {
			nativeArity(x, len(args))
		}
		t.Charge(2)
		return x.Run(t, args)
	case *data.Name:
		return callName(t, fn, args)
	case *data.Map:
		return callLookup(t, "a map", fn, args)
	case *data.Set:
		return callSet(t, x, args)
	case *data.Vector:
		return callVector(t, x, args)
	case *Var:
		if !x.Bound {
			data.Throw("IllegalStateException", "Attempting to call unbound fn: #'user/"+x.Name)
		}
		return m.invoke(t, x.Value, args)
	case Callable:
		return x.Invoke(t, args)
	}
	notCallable(t, fn)
	return data.Nil
}

// Callable is a value of another package that can be called.
type Callable interface {
	Invoke(t *data.Thread, args []data.Value) data.Value
}

func nativeArity(n *data.Native, got int) {
	hint := ""
	if n.Usage != "" {
		hint = "Write " + n.Usage + "."
	}
	data.ThrowHint("ArityException", fmt.Sprintf("Wrong number of args (%d) passed to: %s", got, n.Name), hint)
}

func notCallable(t *data.Thread, fn data.Value) {
	switch fn.Kind() {
	case data.KindNil:
		data.ThrowHint("NullPointerException", "nil is called as a function.", "Check the name at the head of the form; a list is written as [a b] or '(a b).")
	case data.KindString:
		data.ThrowHint("ClassCastException", data.Describe(t, fn)+" is called as a function, and a string is none.", "To read a key write (get m \"key\"); to make a list write [a b].")
	}
	data.ThrowHint("ClassCastException", data.Describe(t, fn)+" is called as a function, and is none.", "To make a list write [a b] or (list a b); ( ) calls its first element.")
}

func lookupArity(what string, n, most int) {
	if n < 1 || n > most {
		data.ThrowHint("ArityException", fmt.Sprintf("Wrong number of args (%d) passed to: %s", n, what), "Give the key, and at most a default.")
	}
}

// callName is a keyword or symbol as a function: it looks itself up.
func callName(t *data.Thread, name data.Value, args []data.Value) data.Value {
	lookupArity(data.Print(t, name, true), len(args), 2)
	var missing data.Value
	if len(args) == 2 {
		missing = args[1]
	}
	return data.Lookup(t, args[0], name, missing)
}

func callLookup(t *data.Thread, what string, m data.Value, args []data.Value) data.Value {
	lookupArity(what, len(args), 2)
	var missing data.Value
	if len(args) == 2 {
		missing = args[1]
	}
	return data.Lookup(t, m, args[0], missing)
}

func callSet(t *data.Thread, s *data.Set, args []data.Value) data.Value {
	lookupArity("a set", len(args), 1)
	v, _ := s.Get(t, args[0])
	return v
}

func callVector(t *data.Thread, v *data.Vector, args []data.Value) data.Value {
	lookupArity("a vector", len(args), 1)
	i, ok := args[0].Int()
	if !ok {
		data.ThrowHint("IllegalArgumentException", "Key must be integer", "A vector is called with an index; to read a field of each row write (map :field rows).")
	}
	if i < 0 || i >= int64(v.Len()) {
		data.Throw("IndexOutOfBoundsException", "the vector has no index "+fmt.Sprint(i)+": it has "+fmt.Sprint(v.Len())+" elements.")
	}
	return v.At(int(i))
}

// Value gives the function as a value.
func (fn *Fn) Value() data.Value { return data.MarkFunction(fn) }

// Takes says how many arguments the function takes.
func (fn *Fn) Takes() string { return fn.code.takes() }

// Held gives the values that the function has captured.
func (fn *Fn) Held() []data.Value { return fn.caps }
