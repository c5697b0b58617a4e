package pgtype

import "math/big"

// Variance gives the variance, or its root, of n numbers by their sum and the sum
// of their squares: of a sample, or of a whole population. ok is false where there
// are too few.
func Variance(n int64, sum, squares Numeric, sample, root bool) (v Numeric, ok bool) {
	if n == 0 || sample && n <= 1 {
		return Numeric{}, false
	}
	if sum.form != finite || squares.form != finite {
		return NumericNaN, true
	}
	count := NumericFromInt(n)
	square, _ := sum.Mul(sum)
	all, _ := count.Mul(squares)
	difference, _ := all.Sub(square)
	if difference.Sign() <= 0 {
		return Numeric{}, true
	}
	divisor, _ := count.Mul(count)
	if sample {
		divisor, _ = count.Mul(NumericFromInt(n - 1))
	}
	scale := divisionScale(difference, divisor)
	quotient, _ := difference.divideAt(divisor, scale)
	if root {
		return quotient.sqrtAt(scale), true
	}
	return quotient, true
}

// sqrtAt gives the root of a number that is not negative, at a scale.
func (n Numeric) sqrtAt(scale int) Numeric {
	// floor(sqrt(c × 10^(2·(scale+1) - n.scale))), then one digit is rounded away.
	by := 2*(scale+1) - int(n.scale)
	c := n.coefficient()
	if by >= 0 {
		c = raise(c, by)
	} else {
		c = new(big.Int).Quo(c, pow10(-by))
	}
	return fromOwned(divideRounded(new(big.Int).Sqrt(c), big.NewInt(10)), int32(scale))
}
