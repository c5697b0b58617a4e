package pgtype

import (
	"math"
	"math/big"
	"strconv"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// ErrDivisionByZero is the server's error for every number type.
var ErrDivisionByZero = pgerr.New(pgerr.DivisionByZero, "division by zero")

// Add gives a + b at the larger scale.
func (n Numeric) Add(b Numeric) (Numeric, *pgerr.Error) {
	if n.form != finite || b.form != finite {
		return addSpecial(n, b), nil
	}
	if x, y, scale, ok := aligned(n, b); ok {
		if sum := x + y; (sum > x) == (y > 0) {
			return Numeric{small: sum, scale: scale}, nil
		}
	}
	x, y, scale := alignedBig(n, b)
	return checked(fromOwned(new(big.Int).Add(x, y), scale))
}

func addSpecial(a, b Numeric) Numeric {
	switch {
	case a.IsNaN() || b.IsNaN():
		return NumericNaN
	case a.IsInf() && b.IsInf() && a.form != b.form:
		return NumericNaN
	case a.IsInf():
		return a
	}
	return b
}

// Sub gives a - b at the larger scale.
func (n Numeric) Sub(b Numeric) (Numeric, *pgerr.Error) { return n.Add(b.Neg()) }

// Mul gives a × b; the scales add up, as far as the type allows.
func (n Numeric) Mul(b Numeric) (Numeric, *pgerr.Error) {
	if n.form != finite || b.form != finite {
		return mulSpecial(n, b), nil
	}
	scale := n.scale + b.scale
	if n.big == nil && b.big == nil && scale <= numericMaxScale {
		if p, ok := multiply(n.small, b.small); ok {
			return Numeric{small: p, scale: scale}, nil
		}
	}
	p := new(big.Int).Mul(n.coefficient(), b.coefficient())
	if scale > numericMaxScale {
		return checked(fromOwned(divideRounded(p, pow10(int(scale-numericMaxScale))), numericMaxScale))
	}
	return checked(fromOwned(p, scale))
}

func mulSpecial(a, b Numeric) Numeric {
	switch s := a.Sign() * b.Sign(); {
	case a.IsNaN() || b.IsNaN() || s == 0:
		return NumericNaN
	case s > 0:
		return NumericInfinity
	}
	return NumericNegInfinity
}

// Div gives a / b at the scale that the server chooses: at least 16 significant
// digits and the scale of either operand, at most 1000.
func (n Numeric) Div(b Numeric) (Numeric, *pgerr.Error) {
	switch {
	case n.IsNaN() || b.IsNaN():
		return NumericNaN, nil
	case n.IsInf() && b.IsInf():
		return NumericNaN, nil
	case b.form == finite && b.Sign() == 0:
		return Numeric{}, ErrDivisionByZero
	case n.IsInf():
		return mulSpecial(n, b), nil
	case b.IsInf():
		return Numeric{}, nil
	}
	return n.divideAt(b, divisionScale(n, b))
}

func (n Numeric) divideAt(b Numeric, scale int) (Numeric, *pgerr.Error) {
	x, y := n.coefficient(), b.coefficient()
	if shift := scale + int(b.scale) - int(n.scale); shift >= 0 {
		x = raise(x, shift)
	} else {
		y = raise(y, -shift)
	}
	return checked(fromOwned(divideRounded(x, y), int32(scale)))
}

// leading gives the weight and the value of the first digit in base 10,000, in
// which the server counts.
func leading(n Numeric) (weight, digit int) {
	c := n.coefficient()
	if c.Sign() == 0 {
		return 0, 0
	}
	text := new(big.Int).Abs(c).String()
	whole := len(text) - int(n.scale)
	weight = int(math.Floor(float64(whole-1) / 4))
	first := whole - weight*4
	for len(text) < first {
		text += "0"
	}
	digit, _ = strconv.Atoi(text[:first])
	return weight, digit
}

func divisionScale(a, b Numeric) int {
	wa, da := leading(a)
	wb, db := leading(b)
	weight := wa - wb
	if da <= db {
		weight--
	}
	return min(max(numericSignificant-weight*4, int(a.scale), int(b.scale), 0), numericMaxDisplay)
}

// divideRounded divides and rounds half away from zero. It makes a new integer.
func divideRounded(x, y *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	r.Lsh(r, 1)
	if r.CmpAbs(y) >= 0 {
		if x.Sign()*y.Sign() < 0 {
			q.Sub(q, big.NewInt(1))
		} else {
			q.Add(q, big.NewInt(1))
		}
	}
	return q
}

// Mod gives the remainder, with the sign of the dividend.
func (n Numeric) Mod(b Numeric) (Numeric, *pgerr.Error) {
	switch {
	case n.IsNaN() || b.IsNaN():
		return NumericNaN, nil
	case n.IsInf():
		if b.form == finite && b.Sign() == 0 {
			return Numeric{}, ErrDivisionByZero
		}
		return NumericNaN, nil
	case b.IsInf():
		return n, nil
	case b.Sign() == 0:
		return Numeric{}, ErrDivisionByZero
	}
	if x, y, scale, ok := aligned(n, b); ok && y != -1 {
		return Numeric{small: x % y, scale: scale}, nil
	}
	x, y, scale := alignedBig(n, b)
	return fromOwned(new(big.Int).Rem(x, y), scale), nil
}

// Round rounds half away from zero to a scale, which may be negative.
func (n Numeric) Round(scale int) Numeric { return n.rescale(scale, divideRounded) }

// Trunc cuts to a scale, which may be negative.
func (n Numeric) Trunc(scale int) Numeric {
	return n.rescale(scale, func(x, y *big.Int) *big.Int { return new(big.Int).Quo(x, y) })
}

func (n Numeric) rescale(scale int, divide func(x, y *big.Int) *big.Int) Numeric {
	if n.form != finite {
		return n
	}
	scale = min(max(scale, -numericMaxWholeDigits-1), numericMaxScale)
	by := scale - int(n.scale)
	if by >= 0 {
		if c, ok := shift(n.small, int32(by)); ok && n.big == nil {
			return Numeric{small: c, scale: int32(scale)}
		}
		return fromOwned(new(big.Int).Set(raise(n.coefficient(), by)), int32(scale))
	}
	if decimalDigits(n.coefficient()) < -by {
		return Numeric{scale: int32(max(scale, 0))}
	}
	q := divide(n.coefficient(), pow10(-by))
	if scale < 0 {
		return fromOwned(q.Mul(q, pow10(-scale)), 0)
	}
	return fromOwned(q, int32(scale))
}

// Floor gives the largest integer that is not larger.
func (n Numeric) Floor() Numeric { return n.toward(-1) }

// Ceil gives the smallest integer that is not smaller.
func (n Numeric) Ceil() Numeric { return n.toward(1) }

func (n Numeric) toward(direction int) Numeric {
	t := n.Trunc(0)
	if n.form != finite || CompareNumeric(t, n) == 0 || n.Sign() != direction {
		return t
	}
	return fromOwned(new(big.Int).Add(t.coefficient(), big.NewInt(int64(direction))), 0)
}

// Sqrt gives the square root at the server's scale.
func (n Numeric) Sqrt() (Numeric, *pgerr.Error) {
	switch {
	case n.IsNaN() || n.form == plusInfinity:
		return n, nil
	case n.Sign() < 0:
		return Numeric{}, pgerr.New(pgerr.InvalidPowerArgument, "cannot take square root of a negative number")
	}
	weight, _ := leading(n)
	scale := min(max(numericSignificant-(weight*4/2+1), int(n.scale), 0), numericMaxDisplay)
	// floor(sqrt(c × 10^(2·(scale+1) - n.scale))), then one digit is rounded away.
	by := 2*(scale+1) - int(n.scale)
	c := n.coefficient()
	if by >= 0 {
		c = raise(c, by)
	} else {
		c = new(big.Int).Quo(c, pow10(-by))
	}
	return fromOwned(divideRounded(new(big.Int).Sqrt(c), big.NewInt(10)), int32(scale)), nil
}

// Fit applies the precision and scale of a declared numeric(p, s).
func (n Numeric) Fit(precision, scale int) (Numeric, *pgerr.Error) {
	overflow := pgerr.New(pgerr.NumericOutOfRange, "numeric field overflow")
	switch {
	case n.IsNaN():
		return n, nil
	case n.IsInf():
		return Numeric{}, overflow.WithDetail("A field with precision %d, scale %d cannot hold an infinite value.", precision, scale)
	}
	r := n.Round(scale)
	if r.Sign() != 0 && wholeDigits(r) > precision-scale {
		bound := "1"
		if precision != scale {
			bound = "10^" + strconv.Itoa(precision-scale)
		}
		return Numeric{}, overflow.WithDetail("A field with precision %d, scale %d must round to an absolute value less than %s.", precision, scale, bound)
	}
	return r, nil
}

// Int gives the number rounded to an integer of 16, 32 or 64 bits.
func (n Numeric) Int(bitSize int) (int64, *pgerr.Error) {
	name := intNames[bitSize]
	switch {
	case n.IsNaN():
		return 0, pgerr.New(pgerr.FeatureNotSupported, "cannot convert NaN to %s", name)
	case n.IsInf():
		return 0, pgerr.New(pgerr.FeatureNotSupported, "cannot convert infinity to %s", name)
	}
	r := n.Round(0)
	limit := int64(math.MaxInt64) >> (64 - bitSize)
	if r.big != nil || r.small > limit || r.small < -limit-1 {
		return 0, pgerr.New(pgerr.NumericOutOfRange, "%s out of range", name)
	}
	return r.small, nil
}

// Float gives the nearest float; a number beyond its range is an error.
func (n Numeric) Float(bitSize int) (float64, *pgerr.Error) { return ParseFloat(n.String(), bitSize) }

// NumericFromFloat gives the number that a float of 32 or 64 bits prints with 6 or
// 15 significant digits, as the server's cast does.
func NumericFromFloat(f float64, bitSize int) Numeric {
	switch {
	case math.IsNaN(f):
		return NumericNaN
	case math.IsInf(f, 1):
		return NumericInfinity
	case math.IsInf(f, -1):
		return NumericNegInfinity
	}
	digits := 15
	if bitSize == 32 {
		digits = 6
	}
	n, _ := ParseNumeric(strconv.FormatFloat(f, 'g', digits, 64))
	return n
}

// MinScale gives the smallest scale that loses nothing.
func (n Numeric) MinScale() int {
	if n.form != finite {
		return 0
	}
	scale := int(n.scale)
	for scale > 0 && CompareNumeric(n.Trunc(scale-1), n) == 0 {
		scale--
	}
	return scale
}
