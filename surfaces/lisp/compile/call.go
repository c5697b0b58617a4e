package compile

import (
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// list compiles a form in parentheses: a special form or a call.
func (c *compiler) list(f *reader.Form, s *scope, tail *target) node {
	if len(f.Items) == 0 {
		return constant(data.Empty)
	}
	head := f.Head()
	if head != "" && s.find(head) == nil {
		if sp := specials[head]; sp != nil && c.variable(head) == nil {
			return sp.compile(c, f, s, tail)
		}
	}
	return c.call(f, s)
}

// call compiles a call.
func (c *compiler) call(f *reader.Form, s *scope) node {
	head, args := f.Items[0], f.Items[1:]
	if name := f.Head(); name != "" && s.find(name) == nil {
		if v := c.variable(name); v != nil {
			return c.callVar(f, v, c.forms(args, s))
		}
		v, ok := c.global(name)
		if !ok {
			panic(&rejection{fault: c.unknown(name, true, s), at: c.at(head)})
		}
		if n, ok := v.Unbox().(*data.Native); ok {
			return c.callNative(f, n, c.forms(args, s))
		}
		return c.callValue(f, constant(v), c.forms(args, s))
	}
	if head.Kind == reader.Atom && head.Value.IsKeyword() {
		return c.callKeyword(f, s)
	}
	if head.Kind == reader.Atom && !head.Value.IsSymbol() {
		c.reject(head, sandbox.KindType, "a list begins with what it calls, and this is "+data.TypeName(head.Value)+".", "To make a list write [a b] or '(a b).")
	}
	return c.callValue(f, c.form(head, s, nil), c.forms(args, s))
}

// callValue calls what a form gives.
func (c *compiler) callValue(f *reader.Form, head node, args []node) node {
	at := c.at(f)
	switch len(args) {
	case 0:
		return func(f *frame) value {
			fn := head(f)
			f.m.T.At = at
			return f.m.invoke(&f.m.T, fn, nil)
		}
	case 1:
		a := args[0]
		return func(f *frame) value {
			t := &f.m.T
			fn := head(f)
			x := a(f)
			stack := t.Push(1)
			stack[0] = x
			t.At = at
			v := f.m.invoke(t, fn, stack)
			t.Pop(1)
			return v
		}
	case 2:
		a, b := args[0], args[1]
		return func(f *frame) value {
			t := &f.m.T
			fn := head(f)
			x := a(f)
			y := b(f)
			stack := t.Push(2)
			stack[0], stack[1] = x, y
			t.At = at
			v := f.m.invoke(t, fn, stack)
			t.Pop(2)
			return v
		}
	}
	n := len(args)
	return func(f *frame) value {
		t := &f.m.T
		fn := head(f)
		stack := t.Push(n)
		for i, a := range args {
			stack[i] = a(f)
		}
		t.At = at
		v := f.m.invoke(t, fn, stack)
		t.Pop(n)
		return v
	}
}

// callVar calls the function that a var holds when the call is made.
func (c *compiler) callVar(f *reader.Form, v *Var, args []node) node {
	return c.callValue(f, c.load(f.Items[0], v), args)
}

// callNative calls a library function. The number of arguments is checked when the
// program is compiled, unless the error could be one that a program expects.
func (c *compiler) callNative(f *reader.Form, n *data.Native, args []node) node {
	if !n.Takes(len(args)) {
		return c.wrongCount(f, n, args)
	}
	if fast := c.intrinsic(f, n, args); fast != nil {
		return fast
	}
	at := c.at(f)
	run := n.Run
	switch len(args) {
	case 0:
		return func(f *frame) value {
			f.m.T.Charge(2)
			f.m.T.At = at
			return run(&f.m.T, nil)
		}
	case 1:
		a := args[0]
		return func(f *frame) value {
			t := &f.m.T
			x := a(f)
			t.Charge(2)
			stack := t.Push(1)
			stack[0] = x
			t.At = at
			v := run(t, stack)
			t.Pop(1)
			return v
		}
	case 2:
		a, b := args[0], args[1]
		return func(f *frame) value {
			t := &f.m.T
			x := a(f)
			y := b(f)
			t.Charge(2)
			stack := t.Push(2)
			stack[0], stack[1] = x, y
			t.At = at
			v := run(t, stack)
			t.Pop(2)
			return v
		}
	}
	count := len(args)
	return func(f *frame) value {
		t := &f.m.T
		stack := t.Push(count)
		for i, a := range args {
			stack[i] = a(f)
		}
		t.Charge(2)
		t.At = at
		v := run(t, stack)
		t.Pop(count)
		return v
	}
}

// wrongCount is a call with a number of arguments that the function does not take:
// its arguments are computed, and then it throws.
func (c *compiler) wrongCount(f *reader.Form, n *data.Native, args []node) node {
	at := c.at(f)
	return func(f *frame) value {
		for _, a := range args {
			a(f)
		}
		f.m.T.At = at
		nativeArity(n, len(args))
		return data.Nil
	}
}

// callKeyword is (:key m) and (:key m default).
func (c *compiler) callKeyword(f *reader.Form, s *scope) node {
	key := c.m.intern(f.Items[0].Value)
	args := c.forms(f.Items[1:], s)
	at := c.at(f)
	switch len(args) {
	case 1:
		a := args[0]
		return func(f *frame) value {
			coll := a(f)
			t := &f.m.T
			t.Charge(2)
			t.At = at
			return data.Lookup(t, coll, key, data.Nil)
		}
	case 2:
		a, b := args[0], args[1]
		return func(f *frame) value {
			coll := a(f)
			missing := b(f)
			t := &f.m.T
			t.Charge(2)
			t.At = at
			return data.Lookup(t, coll, key, missing)
		}
	}
	return func(f *frame) value {
		for _, a := range args {
			a(f)
		}
		f.m.T.At = at
		data.ThrowHint("ArityException", fmt.Sprintf("Wrong number of args (%d) passed to: %s", len(args), data.Print(&f.m.T, key, true)), "A keyword takes a map and at most a default.")
		return data.Nil
	}
}
