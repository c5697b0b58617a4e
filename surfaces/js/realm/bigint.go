package realm

import (
	"math"
	"math/big"
	"strings"

	"github.com/dop251/goja"
)

// MaxBigIntBits bounds every BigInt: the engine computes with them without
// asking, so none may be large enough for one operation to take long.
const MaxBigIntBits = 1 << 16

// integerOf is the number that digits of a radix denote, rounded once.
func integerOf(digits string, radix int) float64 {
	if len(digits) <= 10 {
		n := 0.0
		for i := range len(digits) {
			n = n*float64(radix) + float64(digitOf(digits[i]))
		}
		return n
	}
	n, ok := new(big.Int).SetString(strings.ToLower(digits), radix)
	if !ok {
		return math.NaN()
	}
	return floatOf(n)
}

// floatOf is the Number nearest to an integer, ties to even.
func floatOf(n *big.Int) float64 {
	f, _ := new(big.Float).SetInt(n).Float64()
	return f
}

// bigValue makes a BigInt, charged and bounded.
func (r *Realm) bigValue(n *big.Int) goja.Value {
	if n.BitLen() > MaxBigIntBits {
		r.rangeError("Maximum BigInt size exceeded: at most %d bits are available.", MaxBigIntBits)
	}
	r.Alloc(int64(n.BitLen())/8 + 48)
	return r.vm.ToValue(n)
}

// exact gives an integer as a program sees it: a Number where that is exact, else
// a BigInt.
func (r *Realm) exact(n *big.Int) goja.Value {
	if n.IsInt64() {
		if i := n.Int64(); i >= -maxSafe && i <= maxSafe {
			return r.vm.ToValue(i)
		}
	}
	return r.bigValue(n)
}

const maxSafe = 1<<53 - 1

// Integer gives the value of an integer literal: a Number where that is exact,
// else a BigInt.
func (r *Realm) Integer(digits string) goja.Value {
	r.Charge(int64(len(digits)))
	n, ok := new(big.Int).SetString(digits, 0)
	if !ok || len(digits) > MaxBigIntBits/3 {
		r.rangeError("Maximum BigInt size exceeded: at most %d bits are available.", MaxBigIntBits)
	}
	return r.exact(n)
}

// both gives two BigInt operands, after converting objects to primitives once.
func (r *Realm) both(a, b goja.Value) (x, y goja.Value, m, n *big.Int) {
	x, y = r.primitive(a), r.primitive(b)
	xBig, yBig := goja.IsBigInt(x), goja.IsBigInt(y)
	if !xBig && !yBig {
		return x, y, nil, nil
	}
	if xBig != yBig {
		r.typeError("Cannot mix BigInt and other types, use explicit conversions")
	}
	return x, y, bigOf(x), bigOf(y)
}

// Multiply is a * b.
func (r *Realm) Multiply(a, b goja.Value) goja.Value {
	if goja.IsNumber(a) && goja.IsNumber(b) {
		return number(a.ToFloat() * b.ToFloat())
	}
	x, y, m, n := r.both(a, b)
	if m == nil {
		return number(r.num(x) * r.num(y))
	}
	r.Charge(int64(m.BitLen()+n.BitLen()) >> 6)
	if m.BitLen()+n.BitLen() > MaxBigIntBits+1 {
		r.rangeError("Maximum BigInt size exceeded: at most %d bits are available.", MaxBigIntBits)
	}
	return r.bigValue(new(big.Int).Mul(m, n))
}

// Power is a ** b.
func (r *Realm) Power(a, b goja.Value) goja.Value {
	if goja.IsNumber(a) && goja.IsNumber(b) {
		return number(pow(a.ToFloat(), b.ToFloat()))
	}
	x, y, m, n := r.both(a, b)
	if m == nil {
		return number(pow(r.num(x), r.num(y)))
	}
	if n.Sign() < 0 {
		r.rangeError("Exponent must be non-negative")
	}
	if m.BitLen() > 1 && (!n.IsInt64() || float64(m.BitLen()-1)*float64(n.Int64()) > MaxBigIntBits) {
		r.rangeError("Maximum BigInt size exceeded: at most %d bits are available.", MaxBigIntBits)
	}
	r.Charge(64 + int64(MaxBigIntBits)>>4)
	if m.BitLen() <= 1 { // -1, 0 and 1 take any exponent
		if n.Bit(0) == 0 && n.Sign() != 0 {
			m = new(big.Int).Abs(m)
		}
		if n.Sign() == 0 {
			m = big.NewInt(1)
		}
		return r.bigValue(m)
	}
	return r.bigValue(new(big.Int).Exp(m, n, nil))
}

// ShiftLeft is a << b.
func (r *Realm) ShiftLeft(a, b goja.Value) goja.Value {
	x, y, m, n := r.both(a, b)
	if m == nil {
		return number(float64(int32(toUint32(r.num(x))) << (toUint32(r.num(y)) & 31)))
	}
	if n.Sign() > 0 && m.Sign() != 0 && (!n.IsInt64() || int64(m.BitLen())+n.Int64() > MaxBigIntBits) {
		r.rangeError("Maximum BigInt size exceeded: at most %d bits are available.", MaxBigIntBits)
	}
	if n.Sign() < 0 {
		k := new(big.Int).Neg(n)
		if !k.IsInt64() || k.Int64() > MaxBigIntBits {
			k = big.NewInt(MaxBigIntBits + 1)
		}
		return r.bigValue(new(big.Int).Rsh(m, uint(k.Int64())))
	}
	if m.Sign() == 0 {
		return r.bigValue(m)
	}
	return r.bigValue(new(big.Int).Lsh(m, uint(n.Int64())))
}

func bigintMethods() []member {
	return []member{
		method("toLocaleString", 0, func(r *Realm, c call) goja.Value {
			n := bigOf(r.thisPrimitive(c, "BigInt", "toLocaleString"))
			r.Charge(int64(n.BitLen()) >> 4)
			return r.newText(groupThousands(n.String()))
		}),
		method("toString", 0, func(r *Realm, c call) goja.Value {
			n := bigOf(r.thisPrimitive(c, "BigInt", "toString"))
			radix := r.integerOr(c, 0, 10)
			if radix < 2 || radix > 36 {
				r.rangeError("toString() radix argument must be between 2 and 36")
			}
			r.Charge(int64(n.BitLen()) >> 3)
			return r.newText(n.Text(int(radix)))
		}),
		method("valueOf", 0, func(r *Realm, c call) goja.Value { return r.thisPrimitive(c, "BigInt", "valueOf") }),
	}
}

// groupThousands writes digits in groups of three.
func groupThousands(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// bigintStatics wrap to a number of bits, signed or not.
func bigintStatics() []member {
	wrap := func(name string, signed bool) member {
		return method(name, 2, func(r *Realm, c call) goja.Value {
			bits := r.integer(arg(c, 0))
			if bits < 0 || bits > maxSafe {
				r.rangeError("Invalid value: not (convertible to) a safe integer")
			}
			v := r.primitive(arg(c, 1))
			if !goja.IsBigInt(v) {
				r.typeError("Cannot convert %s to a BigInt", r.describeArg(v))
			}
			n := bigOf(v)
			r.Charge(int64(n.BitLen()) >> 5)
			width := uint(math.Min(bits, MaxBigIntBits+1))
			modulus := new(big.Int).Lsh(big.NewInt(1), width)
			m := new(big.Int).Mod(n, modulus)
			if signed && width > 0 && m.Bit(int(width-1)) == 1 {
				m.Sub(m, modulus)
			}
			return r.bigValue(m)
		})
	}
	return []member{wrap("asIntN", true), wrap("asUintN", false)}
}

func (r *Realm) bigintFunction() goja.Value {
	return r.converter("BigInt", r.proto(bigintProto), func(r *Realm, c call) goja.Value {
		v := r.primitive(arg(c, 0))
		switch {
		case goja.IsBigInt(v):
			return v
		case goja.IsNumber(v):
			f := v.ToFloat()
			if !isInteger(f) {
				r.rangeError("The number %s cannot be converted to a BigInt because it is not an integer", numberText(f))
			}
			n, _ := big.NewFloat(f).Int(nil)
			return r.bigValue(n)
		case v == valueTrue:
			return r.bigValue(big.NewInt(1))
		case v == valueFalse:
			return r.bigValue(new(big.Int))
		}
		s, ok := v.(goja.String)
		if !ok {
			r.typeError("Cannot convert %s to a BigInt", r.describeArg(v))
		}
		return r.bigValue(r.parseBigInt(s))
	})
}

// parseBigInt is ECMA-262 StringToBigInt.
func (r *Realm) parseBigInt(s goja.String) *big.Int {
	if s.Length() > MaxBigIntBits {
		r.rangeError("Maximum BigInt size exceeded: at most %d bits are available.", MaxBigIntBits)
	}
	r.Charge(int64(s.Length()))
	text := trimSpace(s.String())
	if text == "" {
		return new(big.Int)
	}
	digits, base := text, 10
	if len(text) > 2 && text[0] == '0' {
		switch text[1] {
		case 'x', 'X':
			digits, base = text[2:], 16
		case 'o', 'O':
			digits, base = text[2:], 8
		case 'b', 'B':
			digits, base = text[2:], 2
		}
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok || base != 10 && (digits[0] == '-' || digits[0] == '+') || strings.Contains(digits, "_") {
		panic(r.NewError("SyntaxError", "Cannot convert "+clipName(text)+" to a BigInt"))
	}
	return n
}
