package elementary

import (
	"math"
	"math/big"
)

// precision is the number of bits with which powers are computed before they are
// rounded once: the C library's are within a little more than half a unit in the
// last place, Go's are not.
const precision = 128

// Pow is the C library's pow, for arguments of any size.
func Pow(a, b float64) float64 {
	r := math.Pow(a, b)
	switch {
	case r == 0, math.IsInf(r, 0), math.IsNaN(r), b == 0, b == 1, a == 1, math.IsInf(b, 0):
		return r
	case b == 0.5:
		return math.Sqrt(a)
	case b == math.Trunc(b) && math.Abs(b) <= 1024:
		return powInt(a, int(b))
	}
	x := bigLog(math.Abs(a))
	f, _ := bigExp(x.Mul(x, wide(b))).Float64()
	return math.Copysign(f, r)
}

func wide(f float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(f) }

// powInt raises to an integer power with many bits and rounds once.
func powInt(a float64, n int) float64 {
	base := new(big.Float).SetPrec(200).SetFloat64(a)
	r := new(big.Float).SetPrec(200).SetInt64(1)
	for e := max(n, -n); e > 0; e >>= 1 {
		if e&1 == 1 {
			r.Mul(r, base)
		}
		base.Mul(base, base)
	}
	if n < 0 {
		r.Quo(new(big.Float).SetPrec(200).SetInt64(1), r)
	}
	f, _ := r.Float64()
	return f
}

// ln2 is the natural logarithm of 2.
var ln2 = func() *big.Float {
	f, _, _ := big.ParseFloat("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687", 10, precision+32, big.ToNearestEven)
	return f
}()

// bigLog is the natural logarithm of a positive number: that of its mantissa by the
// series of the inverse hyperbolic tangent.
func bigLog(a float64) *big.Float {
	m, e := math.Frexp(a)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := new(big.Float).SetPrec(precision).Quo(wide(0).Sub(wide(m), wide(1)), wide(0).Add(wide(m), wide(1)))
	square := wide(0).Mul(s, s)
	sum, term := wide(0), wide(0).Set(s)
	for k := 1; k < 80; k += 2 {
		sum.Add(sum, wide(0).Quo(term, wide(float64(k))))
		term.Mul(term, square)
		if term.Sign() == 0 {
			break
		}
	}
	sum.Mul(sum, wide(2))
	return sum.Add(sum, wide(0).Mul(wide(float64(e)), ln2))
}

// bigExp is the exponential function: what remains beside a power of two is halved
// eight times, developed, and squared again.
func bigExp(x *big.Float) *big.Float {
	k, _ := wide(0).Quo(x, ln2).Float64()
	k = math.Round(k)
	r := wide(0).Sub(x, wide(0).Mul(wide(k), ln2))
	r.Quo(r, wide(256))
	sum, term := wide(1), wide(1)
	for i := 1; i < 20; i++ {
		term.Mul(term, r)
		term.Quo(term, wide(float64(i)))
		sum.Add(sum, term)
	}
	for range 8 {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(k))
}
