package module

import (
	"math"
	"math/big"

	"github.com/polyglove/polyglove/surfaces/python/object"
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

func ordinary(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) && x != 0 }

// exp is the C library's.
func exp(x float64) float64 {
	if !ordinary(x) || x > 710 || x < -746 || math.Abs(x) < 1e-17 {
		return math.Exp(x)
	}
	return rounded(exactExp(fixed(x, places)))
}

func exp2(x float64) float64 {
	if !ordinary(x) || math.Abs(x) > 1080 || x == math.Trunc(x) || math.Abs(x) < 1e-17 {
		return math.Exp2(x)
	}
	return rounded(exactExp(mulFixed(fixed(x, places), fixedLn2)))
}

func logE(x float64) float64 {
	if !ordinary(x) || x < 0 || x == 1 {
		return math.Log(x)
	}
	return rounded(exactLog(x), 0)
}

func log2(x float64) float64 {
	if !ordinary(x) || x < 0 || x == 1 {
		return math.Log2(x)
	}
	if m, e := math.Frexp(x); m == 0.5 {
		return float64(e - 1)
	}
	return rounded(divFixed(exactLog(x), fixedLn2), 0)
}

// log10 is composed as the C library composes it.
func log10(x float64) float64 {
	if !ordinary(x) || x < 0 {
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
	return float64(y*low) + float64(inverse*logE(z)) + float64(y*high)
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
	if !ordinary(x) || math.Abs(x) > 0x1p300 || math.Abs(x) < 0x1p-26 {
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

func sine(x float64) float64 {
	s, _, ok := sinCos(x)
	if !ok {
		return math.Sin(x)
	}
	return rounded(s, 0)
}

func cosine(x float64) float64 {
	_, c, ok := sinCos(x)
	if !ok {
		return math.Cos(x)
	}
	return rounded(c, 0)
}

func tangent(x float64) float64 {
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

func arcTangent(x float64) float64 {
	if !ordinary(x) || math.Abs(x) < 0x1p-27 || math.Abs(x) > 0x1p60 {
		return math.Atan(x)
	}
	return rounded(angle(fixed(x, places), fixedOne), 0)
}

func arcTangent2(y, x float64) float64 {
	if !ordinary(x) || !ordinary(y) {
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

func arcSine(x float64) float64 {
	if !ordinary(x) || math.Abs(x) >= 1 || math.Abs(x) < 0x1p-27 {
		return math.Asin(x)
	}
	n := fixed(x, places)
	return rounded(angle(n, leg(n)), 0)
}

func arcCosine(x float64) float64 {
	if !ordinary(x) || math.Abs(x) >= 1 {
		return math.Acos(x)
	}
	n := fixed(x, places)
	return rounded(angle(leg(n), n), 0)
}

// The hyperbolic functions are composed as the C library composes them.

func hyperbolicSine(x float64) float64 {
	a := math.Abs(x)
	h := math.Copysign(0.5, x)
	switch {
	case !ordinary(x) || a < 0x1p-28:
		return x
	case a < 1:
		t := math.Expm1(a)
		return h * (2*t - float64(t*t)/(t+1))
	case a < 22:
		t := math.Expm1(a)
		return h * (t + t/(t+1))
	case a < 709.78:
		return h * exp(a)
	}
	w := exp(0.5 * a)
	return float64(h*w) * w
}

func hyperbolicCosine(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !ordinary(x):
		return math.Cosh(x)
	case a < 0.5*math.Ln2:
		t := math.Expm1(a)
		w := 1 + t
		return 1 + float64(t*t)/(w+w)
	case a < 22:
		t := exp(a)
		return float64(0.5*t) + 0.5/t
	case a < 709.78:
		return 0.5 * exp(a)
	}
	w := exp(0.5 * a)
	return float64(0.5*w) * w
}

func hyperbolicTangent(x float64) float64 {
	a := math.Abs(x)
	var z float64
	switch {
	case !ordinary(x) || a < 0x1p-55 || a >= 22:
		return math.Tanh(x)
	case a >= 1:
		z = 1 - 2/(math.Expm1(2*a)+2)
	default:
		t := math.Expm1(-2 * a)
		z = -t / (t + 2)
	}
	return math.Copysign(z, x)
}

func areaSine(x float64) float64 {
	a := math.Abs(x)
	var w float64
	switch {
	case !ordinary(x) || a < 0x1p-28:
		return x
	case a > 0x1p28:
		w = logE(a) + math.Ln2
	case a > 2:
		w = logE(2*a + 1/(math.Sqrt(float64(x*x)+1)+a))
	default:
		t := float64(x * x)
		w = math.Log1p(a + t/(1+math.Sqrt(1+t)))
	}
	return math.Copysign(w, x)
}

func areaCosine(x float64) float64 {
	switch {
	case !ordinary(x) || x <= 1:
		return math.Acosh(x)
	case x > 0x1p28:
		return logE(x) + math.Ln2
	case x > 2:
		t := float64(x * x)
		return logE(2*x - 1/(x+math.Sqrt(t-1)))
	}
	t := x - 1
	return math.Log1p(t + math.Sqrt(2*t+float64(t*t)))
}

// cubeRoot is the cube root, by whole numbers.
func cubeRoot(x float64) float64 {
	if !ordinary(x) {
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

// Gamma by the approximation of Lanczos, with the coefficients and the steps that
// CPython uses.
const lanczosG = 6.024680040776729583740234375

var (
	lanczosUpper = [...]float64{
		23531376880.410759688572007674451636754734846804940, 42919803642.649098768957899047001988850926355848959, 35711959237.355668049440185451547166705960488635843,
		17921034426.037209699919755754458931112671403265390, 6039542586.3520280050642916443072979210699388420708, 1439720407.3117216736632230727949123939715485786372,
		248874557.86205415651146038641322942321632125127801, 31426415.585400194380614231628318205362874684987640, 2876370.6289353724412254090516208496135991145378768,
		186056.26539522349504029498971604569928220784236328, 8071.6720023658162106380029022722506138218516325024, 210.82427775157934587250973392071336271166969580291,
		2.5066282746310002701649081771338373386264310793408,
	}
	lanczosLower = [...]float64{0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925, 66, 1}
)

func lanczosSum(x float64) float64 {
	num, den := 0.0, 0.0
	if x < 5 {
		for i := len(lanczosUpper) - 1; i >= 0; i-- {
			num, den = float64(num*x)+lanczosUpper[i], float64(den*x)+lanczosLower[i]
		}
	} else {
		for i := range lanczosUpper {
			num, den = num/x+lanczosUpper[i], den/x+lanczosLower[i]
		}
	}
	return num / den
}

// sinePi is sin(πx) for x > 0.
func sinePi(x float64) float64 {
	y := math.Mod(math.Abs(x), 2)
	var r float64
	switch int(math.Round(2 * y)) {
	case 0:
		r = sine(math.Pi * y)
	case 1:
		r = cosine(math.Pi * (y - 0.5))
	case 2:
		r = sine(math.Pi * (1 - y))
	case 3:
		r = -cosine(math.Pi * (y - 1.5))
	default:
		r = sine(math.Pi * (y - 2))
	}
	return math.Copysign(1, x) * r
}

func logGamma(x float64) float64 {
	if !ordinary(x) || x == math.Floor(x) && x <= 2 {
		if x == 1 || x == 2 {
			return 0
		}
		r, _ := math.Lgamma(x)
		return r
	}
	a := math.Abs(x)
	if a < 1e-20 {
		return -logE(a)
	}
	r := logE(lanczosSum(a)) - lanczosG
	r += float64((a - 0.5) * (logE(a+lanczosG-0.5) - 1))
	if x < 0 {
		r = 1.144729885849400174143427351353058711647 - logE(math.Abs(sinePi(a))) - logE(a) - r
	}
	return r
}

// gammaOf is Γ(x) for an x that is no whole number up to 23.
func gammaOf(x float64) float64 {
	a := math.Abs(x)
	const shift = 5.524680040776729583740234375
	y := a + shift
	var z float64
	if a > shift {
		z = y - a - shift
	} else {
		z = y - shift - a
	}
	z = float64(z*lanczosG) / y
	if x < 0 {
		r := -math.Pi / sinePi(a) / a * exp(y) / lanczosSum(a)
		r -= float64(z * r)
		if a < 140 {
			return r / object.Power(y, a-0.5)
		}
		p := object.Power(y, a/2-0.25)
		return r / p / p
	}
	r := lanczosSum(a) / exp(y)
	r += float64(z * r)
	if a < 140 {
		return r * object.Power(y, a-0.5)
	}
	p := object.Power(y, a/2-0.25)
	return float64(r*p) * p
}
