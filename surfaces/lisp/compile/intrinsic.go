package compile

import (
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

// intrinsic gives a node of its own for the library functions on the hottest
// paths; nil for the others. They compute what the library's function computes.
func (c *compiler) intrinsic(f *reader.Form, n *data.Native, args []node) node {
	at := c.at(f)
	switch len(args) {
	case 1:
		return unary(n.Name, at, args[0])
	case 2:
		if k, ok := f.Items[2].Value.Int(); ok && f.Items[2].Kind == reader.Atom {
			if fast := withConstant(n.Name, at, args[0], k); fast != nil {
				return fast
			}
		}
		return binary(n.Name, at, args[0], args[1])
	}
	return nil
}

func unary(name string, at int, a node) node {
	switch name {
	case "inc":
		return addConstant(at, a, 1)
	case "dec":
		return addConstant(at, a, -1)
	case "not":
		return func(f *frame) value { return data.Bool(!a(f).Truthy()) }
	case "nil?":
		return func(f *frame) value { return data.Bool(a(f).IsNil()) }
	case "some?":
		return func(f *frame) value { return data.Bool(!a(f).IsNil()) }
	case "zero?":
		return compareConstant(at, a, 0, func(order int) bool { return order == 0 }, "zero?")
	case "pos?":
		return compareConstant(at, a, 0, func(order int) bool { return order > 0 }, "pos?")
	case "neg?":
		return compareConstant(at, a, 0, func(order int) bool { return order < 0 }, "neg?")
	case "first":
		return func(f *frame) value {
			v := a(f)
			f.m.T.Charge(2)
			f.m.T.At = at
			return data.First(&f.m.T, v)
		}
	}
	return nil
}

func addConstant(at int, a node, k int64) node {
	op := data.Add
	if k < 0 {
		op, k = data.Subtract, -k
	}
	other := data.Int(k)
	return func(f *frame) value {
		v := a(f)
		t := &f.m.T
		t.Charge(1)
		if n, ok := v.Int(); ok && n < 1<<62 && n > -(1<<62) {
			if op == data.Add {
				return data.Int(n + k)
			}
			return data.Int(n - k)
		}
		t.At = at
		return data.Arithmetic(t, op, v, other)
	}
}

// withConstant is an operation whose second operand is a literal integer.
func withConstant(name string, at int, a node, k int64) node {
	switch name {
	case "+":
		if k >= 0 && k < 1<<62 {
			return addConstant(at, a, k)
		}
	case "-":
		if k > 0 && k < 1<<62 {
			return addConstant(at, a, -k)
		}
	case "=":
		return func(f *frame) value {
			v := a(f)
			f.m.T.Charge(1)
			if n, ok := v.Int(); ok {
				return data.Bool(n == k)
			}
			return data.Bool(data.Equal(&f.m.T, v, data.Int(k)))
		}
	case "<":
		return compareConstant(at, a, k, func(order int) bool { return order < 0 }, name)
	case ">":
		return compareConstant(at, a, k, func(order int) bool { return order > 0 }, name)
	case "<=":
		return compareConstant(at, a, k, func(order int) bool { return order <= 0 }, name)
	case ">=":
		return compareConstant(at, a, k, func(order int) bool { return order >= 0 }, name)
	}
	return nil
}

func compareConstant(at int, a node, k int64, holds func(order int) bool, name string) node {
	other := data.Int(k)
	below, same, above := data.Bool(holds(-1)), data.Bool(holds(0)), data.Bool(holds(1))
	return func(f *frame) value {
		v := a(f)
		t := &f.m.T
		t.Charge(1)
		if n, ok := v.Int(); ok {
			switch {
			case n < k:
				return below
			case n > k:
				return above
			}
			return same
		}
		t.At = at
		return data.Bool(ordered(t, name, v, other, holds))
	}
}

func ordered(t *data.Thread, name string, a, b value, holds func(order int) bool) bool {
	data.Ordered(t, name, a)
	data.Ordered(t, name, b)
	order, ok := data.CompareNumbers(a, b)
	return ok && holds(order)
}

func binary(name string, at int, a, b node) node {
	switch name {
	case "+":
		return arithmetic(at, data.Add, a, b)
	case "-":
		return arithmetic(at, data.Subtract, a, b)
	case "*":
		return arithmetic(at, data.Multiply, a, b)
	case "/":
		return arithmetic(at, data.Divide, a, b)
	case "mod":
		return division(at, data.Modulus, a, b)
	case "rem":
		return division(at, data.Remainder, a, b)
	case "quot":
		return division(at, data.Quotient, a, b)
	case "=":
		return func(f *frame) value {
			x := a(f)
			y := b(f)
			f.m.T.Charge(1)
			f.m.T.At = at
			return data.Bool(data.Equal(&f.m.T, x, y))
		}
	case "not=":
		return func(f *frame) value {
			x := a(f)
			y := b(f)
			f.m.T.Charge(1)
			f.m.T.At = at
			return data.Bool(!data.Equal(&f.m.T, x, y))
		}
	case "<":
		return comparing(at, name, a, b, func(order int) bool { return order < 0 })
	case ">":
		return comparing(at, name, a, b, func(order int) bool { return order > 0 })
	case "<=":
		return comparing(at, name, a, b, func(order int) bool { return order <= 0 })
	case ">=":
		return comparing(at, name, a, b, func(order int) bool { return order >= 0 })
	case "get":
		return func(f *frame) value {
			x := a(f)
			y := b(f)
			f.m.T.Charge(2)
			f.m.T.At = at
			return data.Lookup(&f.m.T, x, y, data.Nil)
		}
	}
	return nil
}

func arithmetic(at int, op data.Operation, a, b node) node {
	return func(f *frame) value {
		x := a(f)
		y := b(f)
		t := &f.m.T
		t.Charge(1)
		t.At = at
		return data.Arithmetic(t, op, x, y)
	}
}

func division(at int, d data.Division, a, b node) node {
	return func(f *frame) value {
		x := a(f)
		y := b(f)
		t := &f.m.T
		t.Charge(1)
		t.At = at
		return data.Divided(t, d, x, y)
	}
}

func comparing(at int, name string, a, b node, holds func(order int) bool) node {
	below, same, above := data.Bool(holds(-1)), data.Bool(holds(0)), data.Bool(holds(1))
	return func(f *frame) value {
		x := a(f)
		y := b(f)
		t := &f.m.T
		t.Charge(1)
		n, ok := x.Int()
		if k, both := y.Int(); ok && both {
			switch {
			case n < k:
				return below
			case n > k:
				return above
			}
			return same
		}
		t.At = at
		return data.Bool(ordered(t, name, x, y, holds))
	}
}
