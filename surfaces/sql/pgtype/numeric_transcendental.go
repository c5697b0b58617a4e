package pgtype

import (
	"math"
	"math/big"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// numericMaxExponent bounds the natural logarithm of what exp and power give.
const numericMaxExponent = 2000 * 3

const log10OfE = 0.434294481903252 // as the server has it

var (
	one = NumericFromInt(1)

	errLogOfZero     = pgerr.New(pgerr.InvalidLogArgument, "cannot take logarithm of zero")
	errLogOfNegative = pgerr.New(pgerr.InvalidLogArgument, "cannot take logarithm of a negative number")
	errZeroPower     = pgerr.New(pgerr.InvalidPowerArgument, "zero raised to a negative power is undefined")
	errComplexPower  = pgerr.New(pgerr.InvalidPowerArgument, "a negative number raised to a non-integer power yields a complex result")
)

// displayScale bounds a scale that the server chooses.
func displayScale(scale int, operands ...Numeric) int {
	for _, n := range operands {
		scale = max(scale, int(n.scale))
	}
	return min(max(scale, 0), numericMaxDisplay)
}

// float gives a finite number with so many bits.
func (n Numeric) float(bits uint) *big.Float {
	f := func() *big.Float { return new(big.Float).SetPrec(bits) }
	return f().Quo(f().SetInt(n.coefficient()), f().SetInt(pow10(int(n.scale))))
}

// approximate gives a finite number as a float, without regard to its range.
func (n Numeric) approximate() float64 {
	f, _ := n.float(64).Float64()
	return f
}

// rounded gives a float at a scale, half away from zero.
func rounded(f *big.Float, scale int) (Numeric, *pgerr.Error) {
	x := new(big.Float).SetPrec(f.Prec() + uint(4*scale)).Set(f)
	x.Mul(x, new(big.Float).SetPrec(x.Prec()).SetInt(pow10(scale+1)))
	c, _ := x.Int(nil)
	return checked(fromOwned(divideRounded(c, big.NewInt(10)), int32(scale)))
}

// Exp gives e to the power of the number.
func (n Numeric) Exp() (Numeric, *pgerr.Error) {
	switch n.form {
	case notANumber, plusInfinity:
		return n, nil
	case minusInfinity:
		return Numeric{}, nil
	}
	value := n.approximate()
	weight := min(max(value*log10OfE, -2000), 2000)
	scale := displayScale(numericSignificant-int(weight), n)
	return expAt(n, value, scale)
}

func expAt(n Numeric, value float64, scale int) (Numeric, *pgerr.Error) {
	if math.Abs(value) >= numericMaxExponent {
		if value > 0 {
			return Numeric{}, errNumericOverflow
		}
		return Numeric{scale: int32(scale)}, nil
	}
	bits := bitsFor(scale, value*log10OfE)
	return rounded(expFloat(n.float(bits), bits), scale)
}

// bitsFor gives how many bits keep a scale and a weight of decimal digits with
// room for the error of the series.
func bitsFor(scale int, weight float64) uint {
	return uint((float64(scale)+math.Abs(weight)+20)*3.3219280948873626) + 128
}

// expFloat sums the series of a reduced argument and squares the result.
func expFloat(x *big.Float, bits uint) *big.Float {
	const halvings = 32
	r := new(big.Float).SetPrec(bits).Set(x)
	exponent := r.MantExp(nil)
	n := max(exponent+halvings, 0)
	r.SetMantExp(r, -n)
	bits += uint(n)
	r.SetPrec(bits)
	sum, term := big.NewFloat(1).SetPrec(bits), big.NewFloat(1).SetPrec(bits)
	for i := int64(1); ; i++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetPrec(bits).SetInt64(i))
		if term.Sign() == 0 || term.MantExp(nil) < -int(bits)-2 {
			break
		}
		sum.Add(sum, term)
	}
	for range n {
		sum.Mul(sum, sum)
	}
	return sum
}

// lnFloat gives the natural logarithm of a positive number by Newton's method.
func lnFloat(x *big.Float, bits uint) *big.Float {
	// x = m × 2^e with m near 1 keeps the first guess and the series small.
	mantissa := new(big.Float).SetPrec(bits)
	e := x.MantExp(mantissa)
	m, _ := mantissa.Float64()
	if m < math.Sqrt2/2 {
		mantissa.SetMantExp(mantissa, 1)
		e--
	}
	// ln m = 2 artanh((m-1)/(m+1))
	sum := artanh2(mantissa, bits)
	if e == 0 {
		return sum
	}
	two := new(big.Float).SetPrec(bits).SetInt64(2)
	ln2 := artanh2(two, bits)
	ln2.Mul(ln2, new(big.Float).SetPrec(bits).SetInt64(int64(e)))
	return sum.Add(sum, ln2)
}

// artanh2 gives ln m = 2 artanh((m-1)/(m+1)) for m from about 0.7 to 2.
func artanh2(m *big.Float, bits uint) *big.Float {
	float := func() *big.Float { return new(big.Float).SetPrec(bits) }
	unit := float().SetInt64(1)
	y := float().Quo(float().Sub(m, unit), float().Add(m, unit))
	square := float().Mul(y, y)
	sum, power := float().Set(y), float().Set(y)
	for i := int64(3); power.Sign() != 0; i += 2 {
		power.Mul(power, square)
		term := float().Quo(power, float().SetInt64(i))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-int(bits)-2 {
			break
		}
		sum.Add(sum, term)
	}
	return sum.Add(sum, sum)
}

// digitsOfBase gives the weight and up to two first digits in base 10,000.
func (n Numeric) digitsOfBase() (weight int, first, second int64, many bool) {
	w, d := leading(n)
	c := new(big.Int).Abs(n.coefficient())
	// What is left below the first digit, at base 10,000.
	top := new(big.Int).SetInt64(int64(d))
	shift := 4*w + int(n.scale) // decimal place of the first digit in the coefficient
	if shift < 0 {
		return w, int64(d), 0, false
	}
	rest := new(big.Int).Sub(c, top.Mul(top, pow10(shift)))
	if rest.Sign() == 0 {
		return w, int64(d), 0, false
	}
	if shift >= 4 {
		rest.Quo(rest, pow10(shift-4))
	} else {
		rest.Mul(rest, pow10(4-shift))
	}
	return w, int64(d), rest.Int64(), true
}

// lnWeight estimates the decimal weight of the logarithm as the server does.
func (n Numeric) lnWeight() int {
	if n.Sign() <= 0 {
		return 0
	}
	low, high := NumericFromSmall(9, 1), NumericFromSmall(11, 1)
	if CompareNumeric(n, low) >= 0 && CompareNumeric(n, high) <= 0 {
		x, _ := n.Sub(one)
		if x.Sign() == 0 {
			return 0
		}
		w, d := leading(x.Abs())
		return w*4 + int(math.Log10(float64(d)))
	}
	w, first, second, many := n.digitsOfBase()
	digits, weight := float64(first), w*4
	if many {
		digits, weight = digits*10000+float64(second), weight-4
	}
	ln := math.Log(digits) + float64(weight)*2.302585092994046
	return int(math.Log10(math.Abs(ln)))
}

func checkLog(n Numeric) *pgerr.Error {
	switch s := n.Sign(); {
	case n.IsNaN():
		return nil
	case s == 0:
		return errLogOfZero
	case s < 0:
		return errLogOfNegative
	}
	return nil
}

// Ln gives the natural logarithm.
func (n Numeric) Ln() (Numeric, *pgerr.Error) {
	if err := checkLog(n); err != nil {
		return Numeric{}, err
	}
	if n.form != finite {
		return n, nil
	}
	return n.lnAt(displayScale(numericSignificant-n.lnWeight(), n))
}

func (n Numeric) lnAt(scale int) (Numeric, *pgerr.Error) {
	bits := n.logBits(scale)
	return rounded(lnFloat(n.float(bits), bits), scale)
}

// logBits gives enough bits to read the number without loss near 1.
func (n Numeric) logBits(scale int) uint {
	return bitsFor(scale+int(n.scale), math.Abs(n.log10()))
}

// Log gives the logarithm of n to a base.
func Log(base, n Numeric) (Numeric, *pgerr.Error) {
	if base.IsNaN() || n.IsNaN() {
		return NumericNaN, nil
	}
	if base.form == finite && n.form == finite {
		for _, x := range []Numeric{base, n} {
			if err := checkLog(x); err != nil {
				return Numeric{}, err
			}
		}
	}
	if base.Sign() < 0 || n.Sign() < 0 {
		return Numeric{}, errLogOfNegative
	}
	if base.Sign() == 0 || n.Sign() == 0 {
		return Numeric{}, errLogOfZero
	}
	switch {
	case base.IsInf() && n.IsInf():
		return NumericNaN, nil
	case base.IsInf():
		return Numeric{}, nil
	case n.IsInf():
		return NumericInfinity, nil
	}
	weight := n.lnWeight() - base.lnWeight()
	scale := displayScale(numericSignificant-weight, base, n)
	if CompareNumeric(base, one) == 0 {
		return Numeric{}, ErrDivisionByZero
	}
	bits := max(n.logBits(scale), base.logBits(scale)) + 64
	x, b := lnFloat(n.float(bits), bits), lnFloat(base.float(bits), bits)
	return rounded(x.Quo(x, b), scale)
}

// Integral reports whether a number has nothing after the point; the infinities
// have not.
func (n Numeric) Integral() bool {
	return n.form != notANumber && (n.form != finite || CompareNumeric(n.Trunc(0), n) == 0)
}

// odd reports whether an integral number is odd.
func (n Numeric) odd() bool {
	return n.form == finite && n.Trunc(0).coefficient().Bit(0) == 1
}

// Pow raises a number to a power.
func (n Numeric) Pow(exponent Numeric) (Numeric, *pgerr.Error) {
	if n.form != finite || exponent.form != finite {
		return n.powSpecial(exponent)
	}
	if n.Sign() == 0 && exponent.Sign() < 0 {
		return Numeric{}, errZeroPower
	}
	if n.Sign() < 0 && !exponent.Integral() {
		return Numeric{}, errComplexPower
	}
	if exponent.Integral() {
		if e, err := exponent.Int(32); err == nil {
			return n.PowInt(int32(e), int(exponent.scale))
		}
	}
	if n.Sign() == 0 {
		return Numeric{scale: numericSignificant}, nil
	}
	result, err := n.Abs().powReal(exponent)
	if err == nil && n.Sign() < 0 && exponent.odd() {
		result = result.Neg()
	}
	return result, err
}

func (n Numeric) powReal(exponent Numeric) (Numeric, *pgerr.Error) {
	// The size of the result, which few bits tell, says how many it needs.
	logarithm := func(bits uint) *big.Float {
		bits = max(bits, n.logBits(0))
		ln := lnFloat(n.float(bits), bits)
		return ln.Mul(ln, exponent.float(bits))
	}
	ln := logarithm(256)
	value, _ := ln.Float64()
	if math.Abs(value) > 2000*3.01 {
		if value > 0 {
			return Numeric{}, errNumericOverflow
		}
		return Numeric{scale: numericMaxDisplay}, nil
	}
	scale := displayScale(numericSignificant-int(value*log10OfE), n, exponent)
	if math.Abs(value) >= numericMaxExponent {
		if value > 0 {
			return Numeric{}, errNumericOverflow
		}
		return Numeric{scale: int32(scale)}, nil
	}
	enough := bitsFor(scale, value*log10OfE) + 64
	return rounded(expFloat(logarithm(enough), enough), scale)
}

// powSpecial are the cases with NaN and the infinities (C99, pow).
func (n Numeric) powSpecial(exponent Numeric) (Numeric, *pgerr.Error) {
	switch {
	case n.IsNaN() && exponent.form == finite && exponent.Sign() == 0,
		exponent.IsNaN() && n.form == finite && CompareNumeric(n, one) == 0:
		return one, nil
	case n.IsNaN() || exponent.IsNaN():
		return NumericNaN, nil
	case n.Sign() == 0 && exponent.Sign() < 0:
		return Numeric{}, errZeroPower
	case n.Sign() < 0 && !exponent.Integral():
		return Numeric{}, errComplexPower
	case n.form == finite && CompareNumeric(n, one) == 0, exponent.Sign() == 0:
		return one, nil
	case n.Sign() == 0:
		return Numeric{}, nil
	}
	if exponent.IsInf() {
		if CompareNumeric(n, NumericFromInt(-1)) == 0 {
			return one, nil
		}
		large := n.IsInf() || CompareNumeric(n.Abs(), one) > 0
		if large == (exponent.Sign() > 0) {
			return NumericInfinity, nil
		}
		return Numeric{}, nil
	}
	switch {
	case exponent.Sign() < 0:
		return Numeric{}, nil
	case n.form == plusInfinity || !exponent.odd():
		return NumericInfinity, nil
	}
	return NumericNegInfinity, nil
}

// DivTrunc gives the quotient cut to an integer.
func (n Numeric) DivTrunc(b Numeric) (Numeric, *pgerr.Error) {
	if n.form != finite || b.form != finite {
		q, err := n.Div(b)
		if err == nil && q.form == finite {
			q = Numeric{}
		}
		return q, err
	}
	if b.Sign() == 0 {
		return Numeric{}, ErrDivisionByZero
	}
	x, y, _ := alignedBig(n, b)
	return fromOwned(new(big.Int).Quo(x, y), 0), nil
}

// GCD gives the greatest common divisor, at the larger scale.
func GCD(a, b Numeric) Numeric {
	if a.form != finite || b.form != finite {
		return NumericNaN
	}
	x, y, scale := alignedBig(a, b)
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
	return fromOwned(g, scale)
}

// LCM gives the least common multiple, at the larger scale.
func LCM(a, b Numeric) (Numeric, *pgerr.Error) {
	if a.form != finite || b.form != finite {
		return NumericNaN, nil
	}
	x, y, scale := alignedBig(a, b)
	if x.Sign() == 0 || y.Sign() == 0 {
		return Numeric{scale: scale}, nil
	}
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
	g.Quo(x, g)
	return checked(fromOwned(g.Mul(g, y).Abs(g), scale))
}

// Factorial gives n! of 0 to about 32177.
func Factorial(n int64) (Numeric, *pgerr.Error) {
	switch {
	case n < 0:
		return Numeric{}, pgerr.New(pgerr.NumericOutOfRange, "factorial of a negative number is undefined")
	case n > 32177:
		return Numeric{}, errNumericOverflow
	}
	return checked(fromOwned(new(big.Int).MulRange(1, n), 0))
}

// Log10Of estimates the decimal weight of base raised to the number.
func (n Numeric) Log10Of(base Numeric) float64 {
	if n.form != finite || base.form != finite {
		return 0
	}
	weight := n.approximate() * base.log10()
	if math.IsNaN(weight) {
		return 0 // a number near 1, to a power beyond the floats
	}
	return weight
}

// Checked refuses a number whose whole part is longer than the server stores.
func (n Numeric) Checked() (Numeric, *pgerr.Error) { return checked(n) }
