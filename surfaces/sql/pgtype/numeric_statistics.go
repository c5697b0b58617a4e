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
	square := product(sum, sum)
	all := product(count, squares)
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

// product multiplies without regard to the largest scale, as the server does inside.
func product(a, b Numeric) Numeric {
	return fromOwned(new(big.Int).Mul(a.coefficient(), b.coefficient()), a.scale+b.scale)
}

// Square gives n × n with all its digits.
func (n Numeric) Square() Numeric {
	if n.form != finite {
		return mulSpecial(n, n)
	}
	if n.big == nil && n.small < 1<<31 && n.small > -1<<31 {
		return Numeric{small: n.small * n.small, scale: 2 * n.scale}
	}
	return product(n, n)
}
