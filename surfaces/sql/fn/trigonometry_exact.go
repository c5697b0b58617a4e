package fn

import (
	"math"
	"math/big"
	"sync"
)

func float(bits uint) *big.Float { return new(big.Float).SetPrec(bits) }

// trigonometryBits is what a sine is computed with once the turns are taken away.
const trigonometryBits = exactBits + 64

// The largest double has 1024 bits before the point; so many of pi tell where in
// its turn it lies.
var piBits = sync.OnceValue(func() *big.Float { return machin(1024 + 2*trigonometryBits) })

// machin computes pi as 16 arctan(1/5) - 4 arctan(1/239).
func machin(bits uint) *big.Float {
	a, b := arctanOfInverse(5, bits), arctanOfInverse(239, bits)
	a.Mul(a, float(bits).SetInt64(16))
	return a.Sub(a, b.Mul(b, float(bits).SetInt64(4)))
}

func arctanOfInverse(n int64, bits uint) *big.Float {
	square := float(bits).SetInt64(n * n)
	power := float(bits).Quo(float(bits).SetInt64(1), float(bits).SetInt64(n))
	sum := float(bits).Set(power)
	for i := int64(3); power.MantExp(nil) > -int(bits); i += 2 {
		power.Quo(power, square)
		power.Neg(power)
		sum.Add(sum, float(bits).Quo(power, float(bits).SetInt64(i)))
	}
	return sum
}

// reduce takes quarter turns away: x = n × pi/2 + r with r at most pi/4 in size.
func reduce(x float64) (quarter int, r *big.Float) {
	pi := piBits()
	bits := pi.Prec()
	half := float(bits).SetMantExp(pi, -1)
	turns := float(bits).Quo(float(bits).SetFloat64(x), half)
	turns.Add(turns, float(bits).SetFloat64(math.Copysign(0.5, x)))
	n, _ := turns.Int(nil)
	r = float(bits).Sub(float(bits).SetFloat64(x), float(bits).Mul(float(bits).SetInt(n), half))
	quarter = int(new(big.Int).Mod(n, big.NewInt(4)).Int64())
	return quarter, r.SetPrec(trigonometryBits)
}

// sineCosine sums both series of a small argument.
func sineCosine(r *big.Float) (sine, cosine *big.Float) {
	bits := r.Prec()
	sine, cosine = float(bits).Set(r), float(bits).SetInt64(1)
	if r.Sign() == 0 {
		return sine, cosine
	}
	term := float(bits).Set(r)
	for i := int64(2); ; i++ {
		term.Mul(term, r)
		term.Quo(term, float(bits).SetInt64(i))
		if term.MantExp(nil) < r.MantExp(nil)-int(bits) {
			return sine, cosine
		}
		signed := term
		if i%4 >= 2 {
			signed = float(bits).Neg(term)
		}
		if i%2 == 0 {
			cosine.Add(cosine, signed)
		} else {
			sine.Add(sine, signed)
		}
	}
}

func turned(x float64) (sine, cosine *big.Float) {
	quarter, r := reduce(x)
	s, c := sineCosine(r)
	switch quarter {
	case 1:
		return c, s.Neg(s)
	case 2:
		return s.Neg(s), c.Neg(c)
	case 3:
		return c.Neg(c), s
	}
	return s, c
}

func nearest(f *big.Float) float64 {
	v, _ := f.Float64()
	return v
}

func sinOf(x float64) float64 {
	if x == 0 {
		return x
	}
	s, _ := turned(x)
	return nearest(s)
}

func cosOf(x float64) float64 {
	_, c := turned(x)
	return nearest(c)
}

func tanOf(x float64) float64 {
	if x == 0 {
		return x
	}
	s, c := turned(x)
	return nearest(s.Quo(s, c))
}

// arctan improves the Go library's result: with t = tan y the rest is
// arctan((x-t)/(1+xt)), which is so small that two terms of its series do.
func arctan(x *big.Float) *big.Float {
	guess, _ := x.Float64()
	y := float(trigonometryBits).SetFloat64(math.Atan(guess))
	for range 2 {
		s, c := sineCosine(float(trigonometryBits).Set(y))
		up := float(trigonometryBits).Sub(float(trigonometryBits).Mul(x, c), s)
		down := float(trigonometryBits).Add(c, float(trigonometryBits).Mul(x, s))
		y.Add(y, up.Quo(up, down))
	}
	return y
}

func atanOf(x float64) float64 {
	if x == 0 || math.IsNaN(x) {
		return x
	}
	if math.IsInf(x, 0) || math.Abs(x) > 1e20 {
		return math.Copysign(math.Pi/2, x)
	}
	return nearest(arctan(bigOf(x)))
}

func atan2Of(y, x float64) float64 {
	ratio := y / x
	if math.IsNaN(x) || math.IsNaN(y) || y == 0 || x == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) || ratio == 0 || math.Abs(ratio) > 1e20 {
		return math.Atan2(y, x)
	}
	a := arctan(float(trigonometryBits).Quo(bigOf(y), bigOf(x)))
	if x < 0 {
		pi := float(trigonometryBits).Set(piBits())
		if y < 0 {
			pi.Neg(pi)
		}
		a.Add(a, pi)
	}
	return nearest(a)
}

// legs gives sqrt(1 - x²).
func leg(x float64) *big.Float {
	f := bigOf(x).SetPrec(trigonometryBits)
	f.Mul(f, f)
	f.Sub(float(trigonometryBits).SetInt64(1), f)
	return f.Sqrt(f)
}

func asinOf(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.Abs(x) == 1 {
		return math.Asin(x)
	}
	return nearest(arctan(float(trigonometryBits).Quo(bigOf(x), leg(x))))
}

func acosOf(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) == 1 || x == 0 {
		return math.Acos(x)
	}
	// acos x = pi/2 - asin x
	a := arctan(float(trigonometryBits).Quo(bigOf(x), leg(x)))
	half := float(trigonometryBits).SetMantExp(piBits(), -1)
	return nearest(half.Sub(half, a))
}

// exponentials gives e^x and e^-x.
func exponentials(x float64) (up, down *big.Float) {
	up = expBig(bigOf(x))
	return up, float(up.Prec()).Quo(float(up.Prec()).SetInt64(1), up)
}

func hyperbolic(x float64, f func(x float64) float64, exact func(up, down *big.Float) *big.Float) float64 {
	guess := f(x)
	if x == 0 || math.IsNaN(guess) || math.IsInf(guess, 0) || math.Abs(x) > 700 || math.Abs(x) < 1e-20 {
		return guess
	}
	up, down := exponentials(x)
	return nearest(exact(up, down))
}

func sinhOf(x float64) float64 {
	return hyperbolic(x, math.Sinh, func(up, down *big.Float) *big.Float {
		up.Sub(up, down)
		return up.SetMantExp(up, -1)
	})
}

func coshOf(x float64) float64 {
	return hyperbolic(x, math.Cosh, func(up, down *big.Float) *big.Float {
		up.Add(up, down)
		return up.SetMantExp(up, -1)
	})
}

func tanhOf(x float64) float64 {
	return hyperbolic(x, math.Tanh, func(up, down *big.Float) *big.Float {
		sum := float(up.Prec()).Add(up, down)
		return sum.Quo(up.Sub(up, down), sum)
	})
}

// cbrt improves the Go library's result by Newton's method.
func cbrt(x float64) float64 {
	guess := math.Cbrt(x)
	if guess == 0 || math.IsNaN(guess) || math.IsInf(guess, 0) {
		return guess
	}
	y, exact := bigOf(guess), bigOf(x)
	for range 2 {
		square := float(exactBits).Mul(y, y)
		y.Add(float(exactBits).Add(y, y), float(exactBits).Quo(exact, square))
		y.Quo(y, bigOf(3))
	}
	return nearest(y)
}
