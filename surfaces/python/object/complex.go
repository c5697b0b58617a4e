package object

import (
	"math"
	"math/cmplx"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/sandbox/elementary"
)

// Complex is a complex number.
type Complex struct {
	Obj
	c complex128
}

// ComplexClass is complex.
var ComplexClass = Define("complex")

// Class is complex.
func (*Complex) Class() *Class { return ComplexClass }

// NewComplex makes a complex number.
func NewComplex(c complex128) Value { return Box(&Complex{c: c}) }

// toComplex gives the complex number of a number.
func (t *Thread) toComplex(v Value) (c complex128, ok bool, raised *Exception) {
	if z, ok := NativeOf[*Complex](v); ok {
		return z.c, true, nil
	}
	f, ok, x := t.asFloat(v.Base())
	return complex(f, 0), ok, x
}

func setupComplex() {
	c := ComplexClass
	c.Own = Slots{
		Repr:    func(_ *Thread, v Value) (string, *Exception) { return complexRepr(v.Native().(*Complex).c), nil },
		Hash:    complexHash,
		Bool:    func(_ *Thread, v Value) (bool, *Exception) { return v.Native().(*Complex).c != 0, nil },
		Compare: complexCompare,
		Binary:  complexBinary,
		Unary:   complexUnary,
		Format: func(t *Thread, v Value, spec string) (string, *Exception) {
			if spec == "" {
				return t.Str(v)
			}
			return "", t.RaiseValue("format specifications of complex numbers are not available: format the real and imaginary parts")
		},
	}
	c.Final = true
	make := NewBuiltin("complex", "real? imag?", newComplex)
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		return make.Call(t, args, names)
	}
	c.Getter("real", func(_ *Thread, v Value) (Value, *Exception) { return Float(real(v.Native().(*Complex).c)), nil })
	c.Getter("imag", func(_ *Thread, v Value) (Value, *Exception) { return Float(imag(v.Native().(*Complex).c)), nil })
	c.Method("conjugate", "", func(_ *Thread, a []Value) (Value, *Exception) {
		return NewComplex(cmplx.Conj(a[0].Native().(*Complex).c)), nil
	})
	c.Ready()
}

// complexRepr is repr(): without the real part where that is a positive zero.
func complexRepr(c complex128) string {
	part := func(f float64) string { return strings.TrimSuffix(floatRepr(f), ".0") }
	im := part(imag(c)) + "j"
	if real(c) == 0 && !math.Signbit(real(c)) {
		return im
	}
	if im[0] != '-' {
		im = "+" + im
	}
	return "(" + part(real(c)) + im + ")"
}

func complexHash(_ *Thread, v Value) (uint64, *Exception) {
	c := v.Native().(*Complex).c
	h := uint64(floatHash(real(c))) + 1000003*uint64(floatHash(imag(c)))
	if h == math.MaxUint64 {
		h--
	}
	return h, nil
}

func complexCompare(t *Thread, op Cmp, v, w Value) (Value, *Exception) {
	if op != Eq && op != Ne {
		return NotImplemented, nil
	}
	b, ok, x := t.toComplex(w)
	if x != nil || !ok {
		return NotImplemented, nil
	}
	return Bool((v.Native().(*Complex).c == b) == (op == Eq)), nil
}

func complexBinary(t *Thread, op Op, v, w Value, swapped bool) (Value, *Exception) {
	a := v.Native().(*Complex).c
	b, ok, x := t.toComplex(w)
	if x != nil || !ok {
		return NotImplemented, x
	}
	if swapped {
		a, b = b, a
	}
	if x := t.Alloc(48); x != nil {
		return Value{}, x
	}
	switch op {
	case Add:
		return NewComplex(a + b), nil
	case Sub:
		return NewComplex(a - b), nil
	case Mul:
		return NewComplex(a * b), nil
	case TrueDiv:
		if b == 0 {
			return Value{}, t.Raise(ZeroDivisionError, "complex division by zero")
		}
		return NewComplex(complexQuotient(a, b)), nil
	case Pow:
		return t.complexPow(a, b)
	}
	return NotImplemented, nil
}

// complexQuotient divides as CPython does, by the larger part of the divisor.
func complexQuotient(a, b complex128) complex128 {
	if math.Abs(real(b)) >= math.Abs(imag(b)) {
		r := imag(b) / real(b)
		d := real(b) + imag(b)*r
		return complex((real(a)+imag(a)*r)/d, (imag(a)-real(a)*r)/d)
	}
	r := real(b) / imag(b)
	d := real(b)*r + imag(b)
	return complex((real(a)*r+imag(a))/d, (imag(a)*r-real(a))/d)
}

// complexPow multiplies for small integer exponents, as CPython does.
func (t *Thread) complexPow(a, b complex128) (Value, *Exception) {
	if b == 0 {
		return NewComplex(1), nil
	}
	if a == 0 {
		if imag(b) != 0 || real(b) < 0 {
			return Value{}, t.Raise(ZeroDivisionError, "0.0 to a negative or complex power")
		}
		return NewComplex(0), nil
	}
	if n := real(b); imag(b) == 0 && n == math.Floor(n) && math.Abs(n) <= 100 {
		r, p := complex128(1), a
		for k := int(math.Abs(n)); k > 0; k >>= 1 {
			if k&1 == 1 {
				r *= p
			}
			p *= p
		}
		if n < 0 {
			r = complexQuotient(1, r)
		}
		return NewComplex(r), nil
	}
	size, angle := math.Hypot(real(a), imag(a)), math.Atan2(imag(a), real(a))
	length := elementary.Pow(size, real(b))
	phase := angle * real(b)
	if imag(b) != 0 {
		length *= math.Exp(-angle * imag(b))
		phase += imag(b) * math.Log(size)
	}
	sin, cos := sinCos(phase)
	return NewComplex(complex(length*cos, length*sin)), nil
}

// sinCos is math.Sincos with the quarter turns taken off in two parts, so that
// what is left near a multiple of them keeps its digits.
func sinCos(x float64) (sin, cos float64) {
	const high, low = math.Pi / 2, 6.123233995736766e-17
	k := math.Round(x / high)
	if math.Abs(k) > 1<<20 {
		return math.Sincos(x)
	}
	sin, cos = math.Sincos((x - k*high) - k*low)
	switch int(k) & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

func complexUnary(_ *Thread, op Unary, v Value) (Value, *Exception) {
	c := v.Native().(*Complex).c
	switch op {
	case Neg:
		return NewComplex(-c), nil
	case Pos:
		return v, nil
	case Abs:
		return Float(math.Hypot(real(c), imag(c))), nil
	}
	return NotImplemented, nil
}

func newComplex(t *Thread, a []Value) (Value, *Exception) {
	re, im := Arg(a, 0), Arg(a, 1)
	if s, ok := StrOf(re); ok {
		if im.IsSet() {
			return Value{}, t.RaiseType("complex() can't take second arg if first is a string")
		}
		return t.parseComplex(s.s)
	}
	part := func(v Value, name string) (complex128, *Exception) {
		if !v.IsSet() {
			return 0, nil
		}
		if c, ok, x := t.toComplex(v); ok || x != nil {
			return c, x
		}
		if v.Class().slots.ToFloat != nil {
			f, x := t.ToFloat(v)
			return complex(f, 0), x
		}
		if name == "second" {
			return 0, t.RaiseType("complex() second argument must be a number, not '%s'", v.Class().Name)
		}
		return 0, t.RaiseType("complex() first argument must be a string or a number, not '%s'", v.Class().Name)
	}
	r, x := part(re, "first")
	if x != nil {
		return Value{}, x
	}
	i, x := part(im, "second")
	if x != nil {
		return Value{}, x
	}
	if !im.IsSet() {
		return NewComplex(r), nil
	}
	return NewComplex(complex(real(r)-imag(i), imag(r)+real(i))), nil
}

// parseComplex reads "1+2j", "3j", "4", with optional brackets.
func (t *Thread) parseComplex(s string) (Value, *Exception) {
	bad := func() (Value, *Exception) { return Value{}, t.RaiseValue("complex() arg is a malformed string") }
	d := strings.TrimFunc(s, isSpace)
	if strings.HasPrefix(d, "(") && strings.HasSuffix(d, ")") {
		d = strings.TrimFunc(d[1:len(d)-1], isSpace)
	}
	if f, ok := readFloat(d); ok {
		return NewComplex(complex(f, 0)), nil
	}
	if !strings.HasSuffix(d, "j") && !strings.HasSuffix(d, "J") {
		return bad()
	}
	d = d[:len(d)-1]
	split := 0
	for i := 1; i < len(d); i++ {
		if (d[i] == '+' || d[i] == '-') && d[i-1] != 'e' && d[i-1] != 'E' {
			split = i
		}
	}
	re, im := d[:split], d[split:]
	if im == "" || im == "+" || im == "-" {
		im += "1"
	}
	f, ok := readFloat(im)
	if !ok {
		return bad()
	}
	g := 0.0
	if re != "" {
		if g, ok = readFloat(re); !ok {
			return bad()
		}
	}
	return NewComplex(complex(g, f)), nil
}

// ComplexLiteral gives the value of an imaginary literal such as 2.5j.
func ComplexLiteral(text string) (Value, bool) {
	f, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(text, "jJ"), "_", ""), 64)
	return NewComplex(complex(0, f)), err == nil
}
