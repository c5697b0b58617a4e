package library

import (
	"math"
	"math/big"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// numbers are the functions of arithmetic.
func numbers() []*data.Native {
	all := []*data.Native{
		folding("+", data.Add, 0), folding("*", data.Multiply, 1),
		folding("+'", data.Add, 0), folding("*'", data.Multiply, 1),
		reducing("-", data.Subtract), reducing("-'", data.Subtract), reducing("/", data.Divide),
		ordering("<", func(o int) bool { return o < 0 }), ordering(">", func(o int) bool { return o > 0 }),
		ordering("<=", func(o int) bool { return o <= 0 }), ordering(">=", func(o int) bool { return o >= 0 }),
		ordering("==", func(o int) bool { return o == 0 }),
		dividing("mod", data.Modulus), dividing("rem", data.Remainder), dividing("quot", data.Quotient),
		fn("inc", 1, 1, "(inc n)", "n + 1", func(t *data.Thread, a []value) value { return data.Arithmetic(t, data.Add, a[0], data.Int(1)) }),
		fn("dec", 1, 1, "(dec n)", "n - 1", func(t *data.Thread, a []value) value { return data.Arithmetic(t, data.Subtract, a[0], data.Int(1)) }),
		increment.Unbox().(*data.Native),
		fn("dec'", 1, 1, "(dec' n)", "n - 1", func(t *data.Thread, a []value) value { return data.Promoting(t, data.Subtract, a[0], data.Int(1)) }),
		limit("max", 1), limit("min", -1),
		sign("zero?", func(o int) bool { return o == 0 }), sign("pos?", func(o int) bool { return o > 0 }), sign("neg?", func(o int) bool { return o < 0 }),
		parity("even?", 0), parity("odd?", 1),
		fn("abs", 1, 1, "(abs n)", "n without its sign", func(t *data.Thread, a []value) value {
			if f, ok := a[0].Float(); ok {
				return data.Float(math.Abs(f))
			}
			if n, ok := a[0].Int(); ok && n == math.MinInt64 {
				return a[0] // as Math/abs gives
			}
			if order(t, "abs", a[0]) < 0 {
				return data.Arithmetic(t, data.Subtract, data.Int(0), a[0])
			}
			return a[0]
		}),
		fn("int", 1, 1, "(int x)", "x as an integer, cut off", toInt), fn("long", 1, 1, "(long x)", "x as an integer, cut off", toInt),
		fn("double", 1, 1, "(double x)", "x as a double", toDouble), fn("float", 1, 1, "(float x)", "x as a double", func(t *data.Thread, a []value) value {
			f, _ := toDouble(t, a).Float()
			return data.Float(f)
		}),
		fn("num", 1, 1, "(num x)", "x", func(t *data.Thread, a []value) value { order(t, "num", a[0]); return a[0] }),
		fn("bigint", 1, 1, "(bigint x)", "x as an integer of any size", toBigInt), fn("biginteger", 1, 1, "(biginteger x)", "x as an integer of any size", toBigInt),
		fn("rationalize", 1, 1, "(rationalize x)", "a double as a ratio", rationalize),
		fn("numerator", 1, 1, "(numerator r)", "the upper part of a ratio", func(t *data.Thread, a []value) value {
			r, ok := a[0].Ratio()
			if !ok {
				wants(t, "numerator", "a ratio", a[0])
			}
			return data.BigInt(new(big.Int).Set(r.Num()))
		}),
		fn("denominator", 1, 1, "(denominator r)", "the lower part of a ratio", func(t *data.Thread, a []value) value {
			r, ok := a[0].Ratio()
			if !ok {
				wants(t, "denominator", "a ratio", a[0])
			}
			return data.BigInt(new(big.Int).Set(r.Denom()))
		}),
		fn("rand", 0, 1, "(rand) or (rand n)", "a double by chance from 0 up to n", func(t *data.Thread, a []value) value {
			f := host(t).Random()
			if len(a) == 1 {
				order(t, "rand", a[0])
				f *= data.ToFloat(a[0])
			}
			return data.Float(f)
		}),
		fn("rand-int", 1, 1, "(rand-int n)", "an integer by chance from 0 up to n", func(t *data.Thread, a []value) value {
			n := integer(t, "rand-int", a[0])
			return data.Int(int64(host(t).Random() * float64(n)))
		}),
		fn("char", 1, 1, "(char n)", "the character of a code", func(t *data.Thread, a []value) value {
			if a[0].Kind() == data.KindChar {
				return a[0]
			}
			n := integer(t, "char", a[0])
			if n < 0 || n > 0xffff {
				data.Throw("IllegalArgumentException", "Value out of range for char: "+data.Print(t, a[0], true))
			}
			return data.Char(uint16(n))
		}),
	}
	return append(all, bits()...)
}

func bits() []*data.Native {
	pair := func(name string, of func(a, b int64) int64) *data.Native {
		return fn(name, 2, any, "("+name+" a b)", "bits of integers", func(t *data.Thread, a []value) value {
			n := integer(t, name, a[0])
			for _, x := range a[1:] {
				n = of(n, integer(t, name, x))
			}
			return data.Int(n)
		})
	}
	return []*data.Native{
		pair("bit-and", func(a, b int64) int64 { return a & b }), pair("bit-or", func(a, b int64) int64 { return a | b }),
		pair("bit-xor", func(a, b int64) int64 { return a ^ b }), pair("bit-and-not", func(a, b int64) int64 { return a &^ b }),
		pair("bit-shift-left", func(a, b int64) int64 { return a << (b & 63) }), pair("bit-shift-right", func(a, b int64) int64 { return a >> (b & 63) }),
		pair("unsigned-bit-shift-right", func(a, b int64) int64 { return int64(uint64(a) >> (b & 63)) }),
		pair("bit-set", func(a, b int64) int64 { return a | 1<<(b&63) }), pair("bit-clear", func(a, b int64) int64 { return a &^ (1 << (b & 63)) }),
		pair("bit-flip", func(a, b int64) int64 { return a ^ 1<<(b&63) }),
		fn("bit-not", 1, 1, "(bit-not n)", "the bits turned round", func(t *data.Thread, a []value) value { return data.Int(^integer(t, "bit-not", a[0])) }),
		fn("bit-test", 2, 2, "(bit-test n i)", "whether a bit is set", func(t *data.Thread, a []value) value {
			return data.Bool(integer(t, "bit-test", a[0])>>(integer(t, "bit-test", a[1])&63)&1 == 1)
		}),
	}
}

// folding is + and *: any number of arguments.
func folding(name string, op data.Operation, unit int64) *data.Native {
	compute := data.Arithmetic
	if name == "+'" || name == "*'" {
		compute = data.Promoting
	}
	return fn(name, 0, any, "("+name+" a b …)", "arithmetic", func(t *data.Thread, a []value) value {
		if len(a) == 0 {
			return data.Int(unit)
		}
		out := a[0]
		if len(a) == 1 {
			order(t, name, out)
		}
		for _, x := range a[1:] {
			out = compute(t, op, out, x)
		}
		return out
	})
}

// reducing is - and /: of one argument, the negative or the inverse.
func reducing(name string, op data.Operation) *data.Native {
	compute := data.Arithmetic
	if name == "-'" {
		compute = data.Promoting
	}
	unit := data.Int(0)
	if op == data.Divide {
		unit = data.Int(1)
	}
	return fn(name, 1, any, "("+name+" a b …)", "arithmetic", func(t *data.Thread, a []value) value {
		if len(a) == 1 {
			if f, ok := a[0].Float(); ok && op == data.Subtract {
				return data.Float(-f)
			}
			return compute(t, op, unit, a[0])
		}
		out := a[0]
		for _, x := range a[1:] {
			out = compute(t, op, out, x)
		}
		return out
	})
}

func ordering(name string, holds func(order int) bool) *data.Native {
	return fn(name, 1, any, "("+name+" a b …)", "whether the numbers stand in this order", func(t *data.Thread, a []value) value {
		for i := 1; i < len(a); i++ {
			data.Ordered(t, name, a[i-1])
			data.Ordered(t, name, a[i])
			o, ok := data.CompareNumbers(a[i-1], a[i])
			if !ok || !holds(o) {
				return data.False
			}
		}
		return data.True
	})
}

func dividing(name string, d data.Division) *data.Native {
	return fn(name, 2, 2, "("+name+" n d)", "division of integers", func(t *data.Thread, a []value) value { return data.Divided(t, d, a[0], a[1]) })
}

func limit(name string, sign int) *data.Native {
	return fn(name, 1, any, "("+name+" a b …) or (apply "+name+" coll)", "the "+name+"imum of numbers", func(t *data.Thread, a []value) value {
		best := a[0]
		if len(a) == 1 && data.Seqable(best) && !best.IsNil() {
			data.ThrowHint("ClassCastException", name+" takes numbers, and got "+data.Describe(t, best)+".", "Write (apply "+name+" coll).")
		}
		for _, x := range a[1:] {
			data.Ordered(t, name, best)
			data.Ordered(t, name, x)
			if f, ok := x.Float(); ok && f != f {
				return x
			}
			if f, ok := best.Float(); ok && f != f {
				return best
			}
			if o, _ := data.CompareNumbers(best, x); o*sign <= 0 { // of equal ones the later
				best = x
			}
		}
		return best
	})
}

// order compares a number with zero.
func order(t *data.Thread, name string, v value) int {
	if !v.IsNumber() {
		data.NumberFault(t, name, v)
	}
	o, _ := data.CompareNumbers(v, data.Int(0))
	return o
}

func sign(name string, holds func(order int) bool) *data.Native {
	return fn(name, 1, 1, "("+name+" n)", "how a number compares with zero", func(t *data.Thread, a []value) value {
		if f, ok := a[0].Float(); ok && f != f {
			return data.False
		}
		return data.Bool(holds(order(t, name, a[0])))
	})
}

func parity(name string, odd uint) *data.Native {
	return fn(name, 1, 1, "("+name+" n)", "whether an integer is "+name[:len(name)-1], func(t *data.Thread, a []value) value {
		if n, ok := a[0].Int(); ok {
			return data.Bool(uint(n)&1 == odd)
		}
		if n, ok := a[0].BigInt(); ok {
			return data.Bool(n.Bit(0) == odd)
		}
		if !a[0].IsNumber() {
			data.NumberFault(t, name, a[0])
		}
		data.Throw("IllegalArgumentException", "Argument must be an integer: "+data.Print(t, a[0], true))
		return data.Nil
	})
}

func toInt(t *data.Thread, a []value) value {
	switch v := a[0]; v.Kind() {
	case data.KindInt:
		return v
	case data.KindChar:
		c, _ := v.Char()
		return data.Int(int64(c))
	case data.KindFloat:
		f, _ := v.Float()
		if f != f {
			return data.Int(0)
		}
		if f >= 1<<63 || f < -(1<<63) {
			data.Throw("IllegalArgumentException", "Value out of range for long: "+data.Print(t, v, true))
		}
		return data.Int(int64(f))
	case data.KindBig, data.KindRatio:
		r := data.ToRat(v)
		n := new(big.Int).Quo(r.Num(), r.Denom())
		if !n.IsInt64() {
			data.Throw("IllegalArgumentException", "Value out of range for long: "+data.Brief(t, v, 40))
		}
		return data.Int(n.Int64())
	}
	data.NumberFault(t, "int", a[0])
	return data.Nil
}

func toDouble(t *data.Thread, a []value) value {
	if !a[0].IsNumber() {
		data.NumberFault(t, "double", a[0])
	}
	return data.Float(data.ToFloat(a[0]))
}

func toBigInt(t *data.Thread, a []value) value {
	switch v := a[0]; v.Kind() {
	case data.KindInt, data.KindBig:
		return data.BigInt(new(big.Int).Set(data.ToBig(v)))
	case data.KindRatio:
		r := data.ToRat(v)
		return data.BigInt(new(big.Int).Quo(r.Num(), r.Denom()))
	case data.KindFloat:
		f, _ := v.Float()
		if n, _ := new(big.Float).SetFloat64(f).Int(nil); n != nil {
			return data.BigInt(n)
		}
	case data.KindString:
		s, _ := v.Text()
		if n, ok := new(big.Int).SetString(s, 10); ok && len(s) < 10_000 {
			return data.BigInt(n)
		}
		data.Throw("NumberFormatException", "For input string: "+data.Brief(t, v, 60))
	}
	data.NumberFault(t, "bigint", a[0])
	return data.Nil
}

// rationalize gives the ratio of a double's shortest decimal, as Clojure does.
func rationalize(t *data.Thread, a []value) value {
	f, ok := a[0].Float()
	if !ok {
		return a[0]
	}
	r, ok := new(big.Rat).SetString(string(data.AppendFloat(nil, f)))
	if !ok {
		data.Throw("NumberFormatException", "Infinite or NaN")
	}
	if r.IsInt() {
		return data.BigInt(new(big.Int).Set(r.Num()))
	}
	return data.Rational(r)
}
