package module

import (
	"math"

	"github.com/polyglove/polyglove/sandbox/elementary"
)

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
		r = elementary.Sin(math.Pi * y)
	case 1:
		r = elementary.Cos(math.Pi * (y - 0.5))
	case 2:
		r = elementary.Sin(math.Pi * (1 - y))
	case 3:
		r = -elementary.Cos(math.Pi * (y - 1.5))
	default:
		r = elementary.Sin(math.Pi * (y - 2))
	}
	return math.Copysign(1, x) * r
}

func logGamma(x float64) float64 {
	if !elementary.Ordinary(x) || x == math.Floor(x) && x <= 2 {
		if x == 1 || x == 2 {
			return 0
		}
		r, _ := math.Lgamma(x)
		return r
	}
	a := math.Abs(x)
	if a < 1e-20 {
		return -elementary.Log(a)
	}
	r := elementary.Log(lanczosSum(a)) - lanczosG
	r += float64((a - 0.5) * (elementary.Log(a+lanczosG-0.5) - 1))
	if x < 0 {
		r = 1.144729885849400174143427351353058711647 - elementary.Log(math.Abs(sinePi(a))) - elementary.Log(a) - r
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
		r := -math.Pi / sinePi(a) / a * elementary.Exp(y) / lanczosSum(a)
		r -= float64(z * r)
		if a < 140 {
			return r / elementary.Pow(y, a-0.5)
		}
		p := elementary.Pow(y, a/2-0.25)
		return r / p / p
	}
	r := lanczosSum(a) / elementary.Exp(y)
	r += float64(z * r)
	if a < 140 {
		return r * elementary.Pow(y, a-0.5)
	}
	p := elementary.Pow(y, a/2-0.25)
	return float64(r*p) * p
}
