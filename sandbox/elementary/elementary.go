// Package elementary computes the elementary functions of floating point so that the
// last digit is right: as the C library gives it to Python and PostgreSQL, and the
// Java library to Clojure. Go's own are off by one in the last place in a fifth of
// all cases.
package elementary

import (
	"math"
	"math/big"
)

// The C library's elementary functions are within a little more than half a unit in
// the last place; Go's are not. Here they are computed as integers times 2^-places
// and rounded once, so that the last digit is the C library's but where its own
// rounding is off.

// places are the bits behind the point, which leave 76 where a logarithm near one
// loses the most; piPlaces those of π, for reducing large
// arguments.
const (
	places   = 128
	piPlaces = 640
)

func fixedOf(text string, bits uint) *big.Int {
	f, _, _ := big.ParseFloat(text, 10, bits+16, big.ToNearestEven)
	n, _ := f.SetMantExp(f, int(bits)).Int(nil)
	return n
}

var (
	bigOne   = big.NewInt(1)
	fixedOne = new(big.Int).Lsh(bigOne, places)
	fixedLn2 = fixedOf("0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641868754", places)
	longPi   = fixedOf("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196", piPlaces)
	fixedPi  = new(big.Int).Rsh(longPi, piPlaces-places)
)

// fixed gives a float times 2^bits.
func fixed(x float64, bits int) *big.Int {
	m, e := math.Frexp(x)
	n := big.NewInt(int64(m * (1 << 53)))
	if shift := e - 53 + bits; shift >= 0 {
		return n.Lsh(n, uint(shift))
	} else {
		return n.Rsh(n, uint(-shift))
	}
}

// rounded gives the float nearest to n × 2^e × 2^-places.
func rounded(n *big.Int, e int) float64 {
	f := new(big.Float).SetInt(n)
	r, _ := f.SetMantExp(f, e-places).Float64()
	return r
}

func mulFixed(a, b *big.Int) *big.Int {
	p := new(big.Int).Mul(a, b)
	return p.Rsh(p, places)
}

func divFixed(a, b *big.Int) *big.Int {
	q := new(big.Int).Lsh(a, places)
	return q.Quo(q, b)
}

// exactExp is e^x for a fixed x below 800, as a fixed number and a power of two.
func exactExp(x *big.Int) (n *big.Int, e int) {
	k := new(big.Int).Div(x, fixedLn2)
	r := new(big.Int).Sub(x, new(big.Int).Mul(k, fixedLn2))
	const halvings = 8
	r.Rsh(r, halvings)
	sum := new(big.Int).Add(fixedOne, r)
	term := new(big.Int).Set(r)
	for i := int64(2); term.Sign() != 0; i++ {
		term = mulFixed(term, r)
		term.Quo(term, big.NewInt(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum = mulFixed(sum, sum)
	}
	return sum, int(k.Int64())
}

// exactLog is ln x, fixed, for a finite x > 0.
func exactLog(x float64) *big.Int {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	a := fixed(m, places)
	s := divFixed(new(big.Int).Sub(a, fixedOne), new(big.Int).Add(a, fixedOne))
	square := mulFixed(s, s)
	sum, term := new(big.Int).Set(s), new(big.Int).Set(s)
	for k := int64(3); ; k += 2 {
		term = mulFixed(term, square)
		if term.CmpAbs(bigOne) <= 0 {
			break
		}
		sum.Add(sum, new(big.Int).Quo(term, big.NewInt(k)))
	}
	sum.Lsh(sum, 1)
	return sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(e)), fixedLn2))
}

// Ordinary reports whether x is a finite number other than zero.
func Ordinary(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) && x != 0 }

// Exp is e^x.
func Exp(x float64) float64 {
	if !Ordinary(x) || x > 710 || x < -746 || math.Abs(x) < 1e-17 {
		return math.Exp(x)
	}
	return rounded(exactExp(fixed(x, places)))
}

// Exp2 is 2^x.
func Exp2(x float64) float64 {
	if !Ordinary(x) || math.Abs(x) > 1080 || x == math.Trunc(x) || math.Abs(x) < 1e-17 {
		return math.Exp2(x)
	}
	return rounded(exactExp(mulFixed(fixed(x, places), fixedLn2)))
}

// Log is the natural logarithm.
func Log(x float64) float64 {
	if !Ordinary(x) || x < 0 || x == 1 {
		return math.Log(x)
	}
	return rounded(exactLog(x), 0)
}

// Log2 is the logarithm to base 2.
func Log2(x float64) float64 {
	if !Ordinary(x) || x < 0 || x == 1 {
		return math.Log2(x)
	}
	if m, e := math.Frexp(x); m == 0.5 {
		return float64(e - 1)
	}
	return rounded(divFixed(exactLog(x), fixedLn2), 0)
}

// Log10 is the logarithm to base 10.
func Log10(x float64) float64 {
	if !Ordinary(x) || x < 0 {
		return math.Log10(x)
	}
	m, e := math.Frexp(x)
	k := e - 1
	neg := 0
	if k < 0 {
		neg = 1
	}
	// x = z × 2^(k+neg), with z from 1 to 2, or from 1/2 to 1 for small x.
	z := math.Ldexp(m, 1-neg)
	y := float64(k + neg)
	const inverse, high, low = 4.34294481903251816668e-01, 3.01029995663611771306e-01, 3.69423907715893078616e-13
	return float64(y*low) + float64(inverse*Log(z)) + float64(y*high)
}

// reduced gives x less a multiple of π/2, fixed, and which multiple by four.
func reduced(x float64) (r *big.Int, quadrant int) {
	n := fixed(x, piPlaces)
	half := new(big.Int).Rsh(longPi, 1)
	twice := new(big.Int).Lsh(n, 1)
	k := twice.Add(twice, half).Div(twice, longPi) // floor((n + π/4) / (π/2))
	n.Sub(n, new(big.Int).Mul(k, half))
	return n.Rsh(n, piPlaces-places), int(new(big.Int).And(k, big.NewInt(3)).Int64())
}

// circular gives sine and cosine of a fixed r of size at most π/4.
func circular(r *big.Int) (sin, cos *big.Int) {
	square := mulFixed(r, r)
	sin, cos = new(big.Int).Set(r), new(big.Int).Set(fixedOne)
	s, c := new(big.Int).Set(r), new(big.Int).Set(fixedOne)
	for i := int64(1); c.CmpAbs(bigOne) > 0; i += 2 {
		c = mulFixed(c, square)
		c.Quo(c, big.NewInt(-i*(i+1)))
		cos.Add(cos, c)
		s = mulFixed(s, square)
		s.Quo(s, big.NewInt(-(i+1)*(i+2)))
		sin.Add(sin, s)
	}
	return sin, cos
}

// sinCos gives both, fixed; ok is false where the argument is beyond reduction.
func sinCos(x float64) (sin, cos *big.Int, ok bool) {
	if !Ordinary(x) || math.Abs(x) > 0x1p300 || math.Abs(x) < 0x1p-26 {
		return nil, nil, false
	}
	r, quadrant := reduced(x)
	sin, cos = circular(r)
	switch quadrant {
	case 1:
		sin, cos = cos, sin.Neg(sin)
	case 2:
		sin.Neg(sin)
		cos.Neg(cos)
	case 3:
		sin, cos = cos.Neg(cos), sin
	}
	return sin, cos, true
}

// Sin is the sine of radians.
func Sin(x float64) float64 {
	s, _, ok := sinCos(x)
	if !ok {
		return math.Sin(x)
	}
	return rounded(s, 0)
}

// Cos is the cosine of radians.
func Cos(x float64) float64 {
	_, c, ok := sinCos(x)
	if !ok {
		return math.Cos(x)
	}
	return rounded(c, 0)
}

// Tan is the tangent of radians.
func Tan(x float64) float64 {
	s, c, ok := sinCos(x)
	if !ok {
		return math.Tan(x)
	}
	return rounded(divFixed(s, c), 0)
}

// arc is the arc tangent of a fixed x from 0 to 1: the angle is halved three times.
func arc(x *big.Int) *big.Int {
	const halvings = 3
	for range halvings {
		root := new(big.Int).Mul(x, x)
		root.Add(root, new(big.Int).Lsh(fixedOne, places))
		root.Sqrt(root)
		x = divFixed(x, root.Add(root, fixedOne))
	}
	square := mulFixed(x, x)
	sum, term := new(big.Int).Set(x), new(big.Int).Set(x)
	for k := int64(3); ; k += 2 {
		term = mulFixed(term, square)
		term.Neg(term)
		if term.CmpAbs(bigOne) <= 0 {
			break
		}
		sum.Add(sum, new(big.Int).Quo(term, big.NewInt(k)))
	}
	return sum.Lsh(sum, halvings)
}

// angle is the arc tangent of y/x of fixed numbers, in the right quadrant.
func angle(y, x *big.Int) *big.Int {
	ay, ax := new(big.Int).Abs(y), new(big.Int).Abs(x)
	var a *big.Int
	if ay.Cmp(ax) <= 0 {
		a = arc(divFixed(ay, ax))
	} else {
		a = new(big.Int).Rsh(fixedPi, 1)
		a.Sub(a, arc(divFixed(ax, ay)))
	}
	if x.Sign() < 0 {
		a.Sub(fixedPi, a)
	}
	if y.Sign() < 0 {
		a.Neg(a)
	}
	return a
}

// Atan is the arc tangent, in radians.
func Atan(x float64) float64 {
	if !Ordinary(x) || math.Abs(x) < 0x1p-27 || math.Abs(x) > 0x1p60 {
		return math.Atan(x)
	}
	return rounded(angle(fixed(x, places), fixedOne), 0)
}

// Atan2 is the angle of the point (x, y), in radians.
func Atan2(y, x float64) float64 {
	if !Ordinary(x) || !Ordinary(y) {
		return math.Atan2(y, x)
	}
	// Only the ratio counts: both are brought near one.
	_, ex := math.Frexp(x)
	_, ey := math.Frexp(y)
	if d := ey - ex; d > 60 || d < -60 {
		return math.Atan2(y, x)
	}
	return rounded(angle(fixed(math.Ldexp(y, -ex), places), fixed(math.Ldexp(x, -ex), places)), 0)
}

// leg is √(1-x²), fixed.
func leg(x *big.Int) *big.Int {
	n := new(big.Int).Lsh(fixedOne, places)
	n.Sub(n, new(big.Int).Mul(x, x))
	return n.Sqrt(n)
}

// Asin is the arc sine, in radians.
func Asin(x float64) float64 {
	if !Ordinary(x) || math.Abs(x) >= 1 || math.Abs(x) < 0x1p-27 {
		return math.Asin(x)
	}
	n := fixed(x, places)
	return rounded(angle(n, leg(n)), 0)
}

// Acos is the arc cosine, in radians.
func Acos(x float64) float64 {
	if !Ordinary(x) || math.Abs(x) >= 1 {
		return math.Acos(x)
	}
	n := fixed(x, places)
	return rounded(angle(leg(n), n), 0)
}

// The hyperbolic functions are composed as the C library composes them.

// Sinh is the hyperbolic sine.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	h := math.Copysign(0.5, x)
	switch {
	case !Ordinary(x) || a < 0x1p-28:
		return x
	case a < 1:
		t := math.Expm1(a)
		return h * (2*t - float64(t*t)/(t+1))
	case a < 22:
		t := math.Expm1(a)
		return h * (t + t/(t+1))
	case a < 709.78:
		return h * Exp(a)
	}
	w := Exp(0.5 * a)
	return float64(h*w) * w
}

// Cosh is the hyperbolic cosine.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !Ordinary(x):
		return math.Cosh(x)
	case a < 0.5*math.Ln2:
		t := math.Expm1(a)
		w := 1 + t
		return 1 + float64(t*t)/(w+w)
	case a < 22:
		t := Exp(a)
		return float64(0.5*t) + 0.5/t
	case a < 709.78:
		return 0.5 * Exp(a)
	}
	w := Exp(0.5 * a)
	return float64(0.5*w) * w
}

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	var z float64
	switch {
	case !Ordinary(x) || a < 0x1p-55 || a >= 22:
		return math.Tanh(x)
	case a >= 1:
		z = 1 - 2/(math.Expm1(2*a)+2)
	default:
		t := math.Expm1(-2 * a)
		z = -t / (t + 2)
	}
	return math.Copysign(z, x)
}

// Asinh is the inverse hyperbolic sine.
func Asinh(x float64) float64 {
	a := math.Abs(x)
	var w float64
	switch {
	case !Ordinary(x) || a < 0x1p-28:
		return x
	case a > 0x1p28:
		w = Log(a) + math.Ln2
	case a > 2:
		w = Log(2*a + 1/(math.Sqrt(float64(x*x)+1)+a))
	default:
		t := float64(x * x)
		w = math.Log1p(a + t/(1+math.Sqrt(1+t)))
	}
	return math.Copysign(w, x)
}

// Acosh is the inverse hyperbolic cosine.
func Acosh(x float64) float64 {
	switch {
	case !Ordinary(x) || x <= 1:
		return math.Acosh(x)
	case x > 0x1p28:
		return Log(x) + math.Ln2
	case x > 2:
		t := float64(x * x)
		return Log(2*x - 1/(x+math.Sqrt(t-1)))
	}
	t := x - 1
	return math.Log1p(t + math.Sqrt(2*t+float64(t*t)))
}

// Cbrt is the cube root; its last digit is the right one, which the C library's is not always.
func Cbrt(x float64) float64 {
	if !Ordinary(x) {
		return x
	}
	m, e := math.Frexp(math.Abs(x))
	for e%3 != 0 {
		m, e = m/2, e+1
	}
	n := fixed(m, 3*places)
	// Newton's method from a little above.
	r := fixed(math.Cbrt(m)*(1+1e-9), places)
	for range 5 {
		q := new(big.Int).Quo(n, new(big.Int).Mul(r, r))
		r = q.Add(q, r.Lsh(r, 1)).Quo(q, big.NewInt(3))
	}
	return math.Copysign(rounded(r, e/3), x)
}
