package pgtype

import (
	"math"
	"math/big"
	"strconv"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// PowInt raises a finite number to an integer power. The result's scale is the
// server's: about 16 significant digits, at least the scales of the base and of
// the exponent as written, at most 1000.
func (n Numeric) PowInt(exponent int32, exponentScale int) (Numeric, *pgerr.Error) {
	weight := float64(exponent) * n.log10()
	if weight > numericMaxWholeDigits {
		return Numeric{}, errNumericOverflow
	}
	if weight+1 < -numericMaxDisplay {
		return Numeric{scale: numericMaxDisplay}, nil
	}
	scale := min(max(numericSignificant-int(weight), int(n.scale), exponentScale, 0), numericMaxDisplay)
	switch {
	case exponent == 0:
		return NumericFromInt(1).Round(scale), nil
	case n.Sign() == 0 && exponent < 0:
		return Numeric{}, pgerr.New(pgerr.InvalidPowerArgument, "zero raised to a negative power is undefined")
	case n.Sign() == 0:
		return Numeric{scale: int32(scale)}, nil
	case exponent == 1:
		return n.Round(scale), nil
	case exponent == -1:
		return NumericFromInt(1).divideAt(n, scale)
	case exponent == 2:
		return fromOwned(new(big.Int).Mul(n.coefficient(), n.coefficient()), 2*n.scale).Round(scale), nil
	}
	return n.power(exponent, scale, weight)
}

// log10 estimates the logarithm of the size of a number from its first digits; 0
// for zero.
func (n Numeric) log10() float64 {
	if n.Sign() == 0 {
		return 0
	}
	text := new(big.Int).Abs(n.coefficient()).String()
	first := min(len(text), 17)
	f, _ := strconv.ParseFloat(text[:first], 64)
	return math.Log10(f) + float64(len(text)-first-int(n.scale))
}

// power multiplies with so many bits that the error of all the squarings stays
// below the last digit kept.
func (n Numeric) power(exponent int32, scale int, weight float64) (Numeric, *pgerr.Error) {
	digits := float64(scale) + math.Max(weight, 0) + 20
	precision := uint(digits*3.3219280948873626) + 128
	float := func() *big.Float { return new(big.Float).SetPrec(precision) }
	base := float().Quo(float().SetInt(n.coefficient()), float().SetInt(pow10(int(n.scale))))
	result := float().SetInt64(1)
	for left := magnitude(int64(exponent)); left > 0; left >>= 1 {
		if left&1 == 1 {
			result.Mul(result, base)
		}
		if left > 1 {
			base.Mul(base, base)
		}
	}
	if exponent < 0 {
		result.Quo(float().SetInt64(1), result)
	}
	// One digit more than is kept, then rounded half away from zero.
	result.Mul(result, float().SetInt(pow10(scale+1)))
	c, _ := result.Int(nil)
	return checked(fromOwned(divideRounded(c, big.NewInt(10)), int32(scale)))
}
