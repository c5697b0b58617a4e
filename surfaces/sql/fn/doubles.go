package fn

import (
	"math"
	"math/big"
)

// exactBits is how many bits the functions below compute with before they round.
// The C library's results are within a hair of the nearest double; so few values
// lie closer to the middle of two doubles than 2^-100 of their size that the
// nearest one is what it gives.
const exactBits = 128

// powExact gives the double nearest to x to the power y; both are finite, x is not
// 0, and y is whole where x is negative.
func powExact(x, y float64) float64 {
	guess := math.Pow(x, y)
	if y == 0 || x == 1 || guess == 0 || math.IsInf(guess, 0) {
		return guess
	}
	if y == 1 {
		return x
	}
	sign := 1.0
	if x < 0 {
		if math.Mod(y, 2) != 0 {
			sign = -1
		}
		x = -x
	}
	// x^y = exp(y ln x)
	ln := lnBig(x)
	ln.Mul(ln, bigOf(y))
	v, _ := expBig(ln).Float64()
	return sign * v
}

func expExact(x float64) float64 {
	guess := math.Exp(x)
	if x == 0 || guess == 0 || math.IsInf(guess, 0) {
		return guess
	}
	v, _ := expBig(bigOf(x)).Float64()
	return v
}

func lnExact(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == 1 {
		return math.Log(x)
	}
	v, _ := lnBig(x).Float64()
	return v
}

func log10Exact(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == 1 {
		return math.Log10(x)
	}
	v, _ := new(big.Float).SetPrec(exactBits).Quo(lnBig(x), lnBig(10)).Float64()
	return v
}

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(x) }

// expBig sums the series of an argument that is halved until it is small.
func expBig(x *big.Float) *big.Float {
	const small = 12
	bits := uint(exactBits + 64)
	r := new(big.Float).SetPrec(bits).Set(x)
	halvings := max(r.MantExp(nil)+small, 0)
	r.SetMantExp(r, -halvings)
	sum, term := new(big.Float).SetPrec(bits).SetInt64(1), new(big.Float).SetPrec(bits).SetInt64(1)
	divisor := new(big.Float).SetPrec(bits)
	for i := int64(1); ; i++ {
		term.Mul(term, r)
		term.Quo(term, divisor.SetInt64(i))
		if term.Sign() == 0 || term.MantExp(nil) < -int(bits) {
			break
		}
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// lnBig gives ln x of a positive x by one step of Newton's method from the Go
// library's result: y + 2 (x - e^y) / (x + e^y), which doubles its 52 bits and
// more.
func lnBig(x float64) *big.Float {
	bits := uint(exactBits + 32)
	y := new(big.Float).SetPrec(bits).SetFloat64(math.Log(x))
	exact := new(big.Float).SetPrec(bits).SetFloat64(x)
	for range 2 {
		e := expBig(y)
		up := new(big.Float).SetPrec(bits).Sub(exact, e)
		down := new(big.Float).SetPrec(bits).Add(exact, e)
		up.Quo(up, down)
		y.Add(y, up.SetMantExp(up, 1))
	}
	return y
}
