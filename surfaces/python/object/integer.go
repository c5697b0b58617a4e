package object

import (
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// BigInt is an integer that does not fit 64 bits.
type BigInt struct {
	Obj
	n *big.Int
}

// maxBits bounds integers: beyond it arithmetic takes too long to be useful.
const maxBits = 1 << 22

// maxDigits is CPython's limit for converting between str and int.
const maxDigits = 4300

// Big makes an integer from a big one, which it keeps.
func Big(n *big.Int) Value {
	if n.IsInt64() {
		return Int(n.Int64())
	}
	b := &BigInt{n: n}
	b.kind, b.self = KindBig, b
	return Value{o: &b.Obj}
}

// bigOf gives the number of an integer or boolean of any size.
func bigOf(v Value) (*big.Int, bool) {
	if n, ok := v.integral(); ok {
		return big.NewInt(n), true
	}
	if v.isKind(KindBig) {
		return v.o.self.(*BigInt).n, true
	}
	return nil, false
}

// BigOf gives the number of an integer or boolean, subclasses included. It must
// not be changed.
func BigOf(v Value) (*big.Int, bool) { return bigOf(v.Base()) }

// isInteger reports whether a value is an int or bool of exactly that class.
func isInteger(v Value) bool {
	switch v.Kind() {
	case KindInt, KindBool, KindBig:
		return true
	}
	return false
}

// allocBits charges for an integer of so many bits.
func (t *Thread) allocBits(n int) *Exception {
	if n > maxBits {
		return t.Raise(OverflowError, "the integer has more than %d digits, which is too large to compute with here", maxBits*3/10)
	}
	return t.Alloc(48 + n/8)
}

// bigResult charges for a big integer that is already small enough and makes it.
func (t *Thread) bigResult(n *big.Int) (Value, *Exception) {
	if n.IsInt64() {
		return Int(n.Int64()), nil
	}
	if x := t.allocBits(n.BitLen()); x != nil {
		return Value{}, x
	}
	return Big(n), nil
}

func addInt(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func subInt(a, b int64) (int64, bool) {
	s := a - b
	return s, (s < a) == (b > 0)
}

func mulInt(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	hi -= uint64((a>>63)&b) + uint64((b>>63)&a)
	return int64(lo), hi == uint64(int64(lo)>>63)
}

// floorMod is Python's % for b != 0.
func floorMod(a, b int64) int64 {
	if b == -1 {
		return 0
	}
	r := a % b
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// floorDiv is Python's // for b != 0; it overflows only for MinInt64 // -1.
func floorDiv(a, b int64) (int64, bool) {
	if b == -1 {
		return -a, a != math.MinInt64
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q, true
}

// intBinary computes with two integers.
func (t *Thread) intBinary(op Op, v, w Value) (Value, *Exception) {
	a, ok1 := v.integral()
	b, ok2 := w.integral()
	if ok1 && ok2 {
		if r, ok, x := t.smallBinary(op, a, b); ok || x != nil {
			return r, x
		}
	}
	x, _ := bigOf(v)
	y, _ := bigOf(w)
	return t.bigBinary(op, x, y)
}

// smallBinary computes what fits 64 bits; ok is false where the result may not.
func (t *Thread) smallBinary(op Op, a, b int64) (r Value, ok bool, raised *Exception) {
	var n int64
	switch op {
	case Add:
		n, ok = addInt(a, b)
	case Sub:
		n, ok = subInt(a, b)
	case Mul:
		n, ok = mulInt(a, b)
	case And:
		n, ok = a&b, true
	case Or:
		n, ok = a|b, true
	case Xor:
		n, ok = a^b, true
	case FloorDiv:
		if b == 0 {
			return Value{}, false, t.Raise(ZeroDivisionError, "integer division or modulo by zero")
		}
		n, ok = floorDiv(a, b)
	case Mod:
		if b == 0 {
			return Value{}, false, t.Raise(ZeroDivisionError, "integer modulo by zero")
		}
		n, ok = floorMod(a, b), true
	case TrueDiv:
		if b == 0 {
			return Value{}, false, t.Raise(ZeroDivisionError, "division by zero")
		}
		if a > -1<<53 && a < 1<<53 && b > -1<<53 && b < 1<<53 {
			return Float(float64(a) / float64(b)), true, nil
		}
		return Value{}, false, nil
	case RShift:
		if b < 0 {
			return Value{}, false, t.RaiseValue("negative shift count")
		}
		n, ok = a>>min(uint64(b), 63), true
	case LShift:
		if b < 0 {
			return Value{}, false, t.RaiseValue("negative shift count")
		}
		if a == 0 {
			return Int(0), true, nil
		}
		if b < 63 {
			n = a << b
			ok = n>>b == a
		}
	case Pow:
		return t.smallPow(a, b)
	case DivMod:
		if b == 0 {
			return Value{}, false, t.Raise(ZeroDivisionError, "integer division or modulo by zero")
		}
		q, fine := floorDiv(a, b)
		if !fine {
			return Value{}, false, nil
		}
		r, x := t.Tuple(Int(q), Int(floorMod(a, b)))
		return r, true, x
	}
	return Int(n), ok, nil
}

func (t *Thread) smallPow(a, b int64) (Value, bool, *Exception) {
	if b < 0 {
		if a == 0 {
			return Value{}, false, t.Raise(ZeroDivisionError, "0.0 cannot be raised to a negative power")
		}
		r, x := t.floatPow(float64(a), float64(b))
		return r, true, x
	}
	r := int64(1)
	ok := true
	for e := b; ; {
		if e&1 == 1 {
			if r, ok = mulInt(r, a); !ok {
				return Value{}, false, nil
			}
		}
		if e >>= 1; e == 0 {
			return Int(r), true, nil
		}
		if a, ok = mulInt(a, a); !ok {
			return Value{}, false, nil
		}
	}
}

// bigBinary computes with integers of any size, charged before.
func (t *Thread) bigBinary(op Op, x, y *big.Int) (Value, *Exception) {
	lx, ly := x.BitLen(), y.BitLen()
	switch op {
	case Add, Sub:
		return t.bigSum(op, x, y)
	case And, Or, Xor:
		if e := t.allocBits(max(lx, ly) + 1); e != nil {
			return Value{}, e
		}
		return Big(map[Op]func(*big.Int, *big.Int) *big.Int{And: new(big.Int).And, Or: new(big.Int).Or, Xor: new(big.Int).Xor}[op](x, y)), nil
	case Mul:
		if e := t.chargeMul(lx, ly); e != nil {
			return Value{}, e
		}
		return Big(new(big.Int).Mul(x, y)), nil
	case FloorDiv, Mod, DivMod:
		return t.bigDivide(op, x, y)
	case TrueDiv:
		return t.bigTrueDiv(x, y)
	case Pow:
		return t.bigPow(x, y)
	case LShift, RShift:
		return t.bigShift(op, x, y)
	}
	return NotImplemented, nil
}

func (t *Thread) bigSum(op Op, x, y *big.Int) (Value, *Exception) {
	if e := t.allocBits(max(x.BitLen(), y.BitLen()) + 1); e != nil {
		return Value{}, e
	}
	if op == Add {
		return Big(new(big.Int).Add(x, y)), nil
	}
	return Big(new(big.Int).Sub(x, y)), nil
}

// chargeMul charges the work and the result of a multiplication.
func (t *Thread) chargeMul(lx, ly int) *Exception {
	if e := t.allocBits(lx + ly); e != nil {
		return e
	}
	return t.Charge(mulWork(lx, ly))
}

// mulWork estimates a multiplication of so many bits in units of fuel.
func mulWork(lx, ly int) int64 {
	a, b := int64(lx/64+1), int64(ly/64+1)
	if a < b {
		a, b = b, a
	}
	if b <= 40 {
		return a * b / 16
	}
	// Above 40 words math/big multiplies by Karatsuba's method.
	return int64(float64(a) * math.Pow(float64(b), 0.585) / 4)
}

func (t *Thread) bigDivide(op Op, x, y *big.Int) (Value, *Exception) {
	if y.Sign() == 0 {
		if op == Mod {
			return Value{}, t.Raise(ZeroDivisionError, "integer modulo by zero")
		}
		return Value{}, t.Raise(ZeroDivisionError, "integer division or modulo by zero")
	}
	if e := t.chargeMul(x.BitLen(), y.BitLen()); e != nil {
		return Value{}, e
	}
	q, m := new(big.Int).QuoRem(x, y, new(big.Int))
	if m.Sign() != 0 && m.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
		m.Add(m, y)
	}
	switch op {
	case FloorDiv:
		return Big(q), nil
	case Mod:
		return Big(m), nil
	}
	return t.Tuple(Big(q), Big(m))
}

// bigTrueDiv is the correctly rounded quotient.
func (t *Thread) bigTrueDiv(x, y *big.Int) (Value, *Exception) {
	if y.Sign() == 0 {
		return Value{}, t.Raise(ZeroDivisionError, "division by zero")
	}
	if e := t.chargeMul(x.BitLen(), y.BitLen()); e != nil {
		return Value{}, e
	}
	f, _ := new(big.Rat).SetFrac(x, y).Float64()
	if math.IsInf(f, 0) {
		return Value{}, t.Raise(OverflowError, "integer division result too large for a float")
	}
	if f == 0 && (x.Sign() < 0) != (y.Sign() < 0) {
		f = math.Copysign(0, -1)
	}
	return Float(f), nil
}

func (t *Thread) bigPow(x, y *big.Int) (Value, *Exception) {
	if y.Sign() < 0 {
		a, e := t.bigFloat(x)
		if e != nil {
			return Value{}, e
		}
		b, e := t.bigFloat(y)
		if e != nil {
			return Value{}, e
		}
		return t.floatPow(a, b)
	}
	if x.IsInt64() && (x.Int64() == 0 || x.Int64() == 1 || x.Int64() == -1) {
		if x.Int64() == -1 && y.Bit(0) == 0 {
			return Int(1), nil
		}
		return Int(x.Int64()), nil
	}
	if !y.IsInt64() || y.Int64() > maxBits {
		return Value{}, t.allocBits(maxBits + 1)
	}
	size := x.BitLen() * int(y.Int64())
	if size > maxBits {
		return Value{}, t.allocBits(size)
	}
	if e := t.chargeMul(size/2+1, size/2+1); e != nil {
		return Value{}, e
	}
	return Big(new(big.Int).Exp(x, y, nil)), nil
}

func (t *Thread) bigShift(op Op, x, y *big.Int) (Value, *Exception) {
	if y.Sign() < 0 {
		return Value{}, t.RaiseValue("negative shift count")
	}
	if !y.IsInt64() || y.Int64() > maxBits {
		if op == RShift {
			if x.Sign() < 0 {
				return Int(-1), nil
			}
			return Int(0), nil
		}
		if x.Sign() == 0 {
			return Int(0), nil
		}
		return Value{}, t.allocBits(maxBits + 1)
	}
	n := uint(y.Int64())
	if op == RShift {
		if e := t.allocBits(x.BitLen()); e != nil {
			return Value{}, e
		}
		return Big(new(big.Int).Rsh(x, n)), nil
	}
	if e := t.allocBits(x.BitLen() + int(n)); e != nil {
		return Value{}, e
	}
	return Big(new(big.Int).Lsh(x, n)), nil
}

// modPow is pow(a, b, m).
func (t *Thread) modPow(a, b, m *big.Int) (Value, *Exception) {
	if m.Sign() == 0 {
		return Value{}, t.RaiseValue("pow() 3rd argument cannot be 0")
	}
	work := mulWork(m.BitLen(), m.BitLen()) + 1
	if e := t.Charge(work * int64(b.BitLen()+1)); e != nil {
		return Value{}, e
	}
	if e := t.allocBits(a.BitLen() + 2*m.BitLen()); e != nil {
		return Value{}, e
	}
	mod := new(big.Int).Abs(m)
	base := new(big.Int).Mod(a, mod)
	exp := b
	if b.Sign() < 0 {
		base = new(big.Int).ModInverse(base, mod)
		if base == nil {
			return Value{}, t.RaiseValue("base is not invertible for the given modulus")
		}
		exp = new(big.Int).Neg(b)
	}
	r := new(big.Int).Exp(base, exp, mod)
	if mod.BitLen() == 1 {
		r = new(big.Int) // modulo 1
	}
	if m.Sign() < 0 && r.Sign() > 0 {
		r.Add(r, m)
	}
	return Big(r), nil
}

// bigFloat converts to a float, correctly rounded.
func (t *Thread) bigFloat(n *big.Int) (float64, *Exception) {
	f, _ := new(big.Float).SetInt(n).Float64()
	if math.IsInf(f, 0) {
		return 0, t.Raise(OverflowError, "int too large to convert to float")
	}
	return f, nil
}

// intText gives an integer in decimal, under CPython's limit of digits.
func (t *Thread) intText(n *big.Int) (string, *Exception) {
	if n.BitLen() > maxDigits*10/3 {
		if x := t.allocBits(n.BitLen()); x != nil {
			return "", x
		}
		// More digits than the limit for certain, or just counted.
		if n.BitLen() > maxDigits*10/3+8 || len(strings.TrimPrefix(n.String(), "-")) > maxDigits {
			return "", t.RaiseValue("Exceeds the limit (%d digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit", maxDigits)
		}
	}
	if x := t.Alloc(n.BitLen() / 3); x != nil {
		return "", x
	}
	return n.String(), nil
}
