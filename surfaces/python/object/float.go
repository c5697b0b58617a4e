package object

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/sandbox/elementary"
)

// floatRepr gives the shortest text that reads back as the same float, as repr().
func floatRepr(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	var buf [32]byte
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		b := strconv.AppendFloat(buf[:0], f, 'f', 1, 64)
		return string(b)
	}
	b := strconv.AppendFloat(buf[:0], f, 'e', -1, 64)
	s := string(b)
	e := strings.IndexByte(s, 'e')
	exp, _ := strconv.Atoi(s[e+1:])
	if exp < -4 || exp >= 16 {
		return s // Go writes at least two digits of the exponent, as Python
	}
	s = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// floatBinary computes with two floats.
func (t *Thread) floatBinary(op Op, a, b float64) (Value, *Exception) {
	switch op {
	case Add:
		return t.float(a + b), nil
	case Sub:
		return t.float(a - b), nil
	case Mul:
		return t.float(a * b), nil
	case TrueDiv:
		if b == 0 {
			return Value{}, t.Raise(ZeroDivisionError, "float division by zero")
		}
		return t.float(a / b), nil
	case FloorDiv:
		if b == 0 {
			return Value{}, t.Raise(ZeroDivisionError, "float floor division by zero")
		}
		q, _ := floatDivMod(a, b)
		return t.float(q), nil
	case Mod:
		if b == 0 {
			return Value{}, t.Raise(ZeroDivisionError, "float modulo")
		}
		_, m := floatDivMod(a, b)
		return t.float(m), nil
	case DivMod:
		if b == 0 {
			return Value{}, t.Raise(ZeroDivisionError, "float divmod()")
		}
		q, m := floatDivMod(a, b)
		return t.Tuple(t.float(q), t.float(m))
	case Pow:
		return t.floatPow(a, b)
	}
	return NotImplemented, nil
}

// float makes a float; every NaN gets a payload of its own, so that two of them
// are not the same object.
func (t *Thread) float(f float64) Value {
	if f == f {
		return Float(f)
	}
	t.nans++
	return Value{&headFloat, 0x7FF8_0000_0000_0000 | t.nans&(1<<50-1)}
}

// floatDivMod is CPython's float_divmod for b != 0.
func floatDivMod(a, b float64) (q, m float64) {
	m = math.Mod(a, b)
	q = (a - m) / b
	if m != 0 {
		if (b < 0) != (m < 0) {
			m += b
			q--
		}
	} else {
		m = math.Copysign(0, b)
	}
	if q != 0 {
		f := math.Floor(q)
		if q-f > 0.5 {
			f++
		}
		return f, m
	}
	return math.Copysign(0, a/b), m
}

func (t *Thread) floatPow(a, b float64) (Value, *Exception) {
	if a == 0 && b < 0 {
		return Value{}, t.Raise(ZeroDivisionError, "0.0 cannot be raised to a negative power")
	}
	if a < 0 && !math.IsInf(a, 0) && !math.IsInf(b, 0) && b != math.Trunc(b) {
		return t.complexPow(complex(a, 0), complex(b, 0))
	}
	if x := t.Charge(20); x != nil {
		return Value{}, x
	}
	r := elementary.Pow(a, b)
	if math.IsInf(r, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return Value{}, t.Raise(OverflowError, "(34, 'Numerical result out of range')")
	}
	return t.float(r), nil
}

// asFloat gives the float of an int, bool or float of exactly that class.
func (t *Thread) asFloat(v Value) (f float64, ok bool, raised *Exception) {
	if f, ok := v.Float(); ok {
		return f, true, nil
	}
	if n, ok := v.integral(); ok {
		return float64(n), true, nil
	}
	if v.isKind(KindBig) {
		f, x := t.bigFloat(v.o.self.(*BigInt).n)
		return f, true, x
	}
	return 0, false, nil
}

// ToFloat is float(v) of a number.
func (t *Thread) ToFloat(v Value) (float64, *Exception) {
	f, ok, x := t.asFloat(v)
	if ok || x != nil {
		return f, x
	}
	if c := v.Class(); c.slots.ToFloat != nil {
		r, x := c.slots.ToFloat(t, v)
		if x != nil {
			return 0, x
		}
		f, _ := r.Float()
		return f, nil
	}
	if hasIndex(t, v) {
		n, x := t.Index(v)
		if x != nil {
			return 0, x
		}
		f, _, x := t.asFloat(n)
		return f, x
	}
	return 0, t.RaiseType("must be real number, not %s", v.Class().Name)
}

// compareIntFloat compares an integer with a float exactly: -1, 0, 1; ok is false
// for NaN.
func compareIntFloat(n *big.Int, f float64) (c int, ok bool) {
	switch {
	case math.IsNaN(f):
		return 0, false
	case math.IsInf(f, 1):
		return -1, true
	case math.IsInf(f, -1):
		return 1, true
	}
	return new(big.Float).SetInt(n).Cmp(new(big.Float).SetFloat64(f)), true
}

// numberHash is CPython's hash of a number that is not an integer: it equals that
// of the integer with the same value.
func floatHash(f float64) int64 {
	if math.IsInf(f, 0) {
		if f > 0 {
			return 314159
		}
		return -314159
	}
	m, e := math.Frexp(f)
	sign := int64(1)
	if m < 0 {
		sign, m = -1, -m
	}
	var x uint64
	for m != 0 {
		x = (x<<28)&hashModulus | x>>(61-28)
		m *= 268435456
		e -= 28
		y := uint64(m)
		m -= float64(y)
		x += y
		if x >= hashModulus {
			x -= hashModulus
		}
	}
	if e >= 0 {
		e %= 61
	} else {
		e = 61 - 1 - ((-1 - e) % 61)
	}
	x = (x<<e)&hashModulus | x>>(61-e)
	h := int64(x) * sign
	if h == -1 {
		return -2
	}
	return h
}

// hashModulus is the prime 2^61-1 by which CPython reduces numbers.
const hashModulus = 1<<61 - 1

func intHash(n int64) int64 {
	m := n
	if n == math.MinInt64 {
		m = -4 // -(2^63 mod (2^61-1))
	} else if n >= 0 {
		m = n % hashModulus
	} else {
		m = -(-n % hashModulus)
	}
	if m == -1 {
		return -2
	}
	return m
}

func bigHash(n *big.Int) int64 {
	m := new(big.Int).Abs(n)
	m.Mod(m, big.NewInt(hashModulus))
	h := m.Int64()
	if n.Sign() < 0 {
		h = -h
	}
	if h == -1 {
		return -2
	}
	return h
}
