package pgtype

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Numeric is an exact decimal number with a display scale, or NaN or an infinity.
// The zero value is 0. It is immutable: every operation makes a new one.
type Numeric struct {
	small int64    // the coefficient, when big is nil
	big   *big.Int // the coefficient, when it does not fit in small
	scale int32    // digits after the point, of the coefficient and as displayed
	form  form
}

type form uint8

const (
	finite form = iota
	notANumber
	plusInfinity
	minusInfinity
)

// The bounds of the server's type.
const (
	numericMaxWholeDigits = 131072
	numericMaxScale       = 16383
	numericMaxDisplay     = 1000 // of a result scale that the server chooses
	numericSignificant    = 16   // digits that such a scale aims at
)

// NumericNaN and the infinities are the values that are no numbers.
var (
	NumericNaN         = Numeric{form: notANumber}
	NumericInfinity    = Numeric{form: plusInfinity}
	NumericNegInfinity = Numeric{form: minusInfinity}
)

// NumericFromInt gives an integer with no digits after the point.
func NumericFromInt(n int64) Numeric { return Numeric{small: n} }

// NumericFromBig gives coefficient × 10^-scale. It keeps no reference.
func NumericFromBig(coefficient *big.Int, scale int) Numeric {
	return fromOwned(new(big.Int).Set(coefficient), int32(scale))
}

// fromOwned takes a coefficient that nobody else holds.
func fromOwned(c *big.Int, scale int32) Numeric {
	if c.IsInt64() {
		return Numeric{small: c.Int64(), scale: scale}
	}
	return Numeric{big: c, scale: scale}
}

// coefficient gives the coefficient; the caller must not change it.
func (n Numeric) coefficient() *big.Int {
	if n.big != nil {
		return n.big
	}
	return big.NewInt(n.small)
}

// Scale gives the digits after the point.
func (n Numeric) Scale() int { return int(n.scale) }

// IsNaN reports whether the value is NaN.
func (n Numeric) IsNaN() bool { return n.form == notANumber }

// IsInf reports whether the value is an infinity.
func (n Numeric) IsInf() bool { return n.form == plusInfinity || n.form == minusInfinity }

// Finite reports whether the value is a number.
func (n Numeric) Finite() bool { return n.form == finite }

// Sign gives -1, 0 or 1; 0 for NaN.
func (n Numeric) Sign() int {
	switch n.form {
	case notANumber:
		return 0
	case plusInfinity:
		return 1
	case minusInfinity:
		return -1
	}
	if n.big != nil {
		return n.big.Sign()
	}
	switch {
	case n.small < 0:
		return -1
	case n.small > 0:
		return 1
	}
	return 0
}

// powers of ten that fit in 64 bits.
var smallPowers = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

var bigPowers sync.Map // int → *big.Int, for exponents that come often

// pow10 gives 10^n; the caller must not change it.
func pow10(n int) *big.Int {
	if n < len(smallPowers) {
		return big.NewInt(smallPowers[n])
	}
	if p, ok := bigPowers.Load(n); ok {
		return p.(*big.Int)
	}
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	if n < 512 {
		bigPowers.Store(n, p)
	}
	return p
}

var errNumericOverflow = pgerr.New(pgerr.NumericOutOfRange, "value overflows numeric format")

// checked refuses a number whose whole part is longer than the server stores.
func checked(n Numeric) (Numeric, *pgerr.Error) {
	if n.big != nil && n.big.BitLen() > 400_000 && wholeDigits(n) > numericMaxWholeDigits {
		return Numeric{}, errNumericOverflow
	}
	return n, nil
}

// decimalDigits counts the digits of a positive or negative integer; 0 has none.
func decimalDigits(c *big.Int) int {
	if c.Sign() == 0 {
		return 0
	}
	if c.IsInt64() {
		return len(strings.TrimPrefix(strconv.FormatInt(c.Int64(), 10), "-"))
	}
	low := int(float64(c.BitLen()-1) * 0.30102999566398114)
	if new(big.Int).Abs(c).Cmp(pow10(low)) < 0 {
		return low
	}
	if new(big.Int).Abs(c).Cmp(pow10(low+1)) < 0 {
		return low + 1
	}
	return low + 2
}

func wholeDigits(n Numeric) int { return decimalDigits(n.coefficient()) - int(n.scale) }

// ParseNumeric reads a number: decimal with an exponent, underscores between
// digits, integers with 0x, 0o and 0b, NaN and the infinities.
func ParseNumeric(s string) (Numeric, *pgerr.Error) {
	body := trimSpace(s)
	switch strings.ToLower(body) {
	case "nan":
		return NumericNaN, nil
	case "inf", "+inf", "infinity", "+infinity":
		return NumericInfinity, nil
	case "-inf", "-infinity":
		return NumericNegInfinity, nil
	}
	negative := strings.HasPrefix(body, "-")
	if negative || strings.HasPrefix(body, "+") {
		body = body[1:]
	}
	n, err := parseUnsigned(body, s)
	if err != nil || !negative {
		return n, err
	}
	return n.Neg(), nil
}

func parseUnsigned(body, whole string) (Numeric, *pgerr.Error) {
	if base, digits := integerBase(body); base != 10 {
		digits, ok := joinDigits(digits, base, true)
		if !ok {
			return Numeric{}, invalid("numeric", whole)
		}
		c, _ := new(big.Int).SetString(digits, base)
		return checked(fromOwned(c, 0))
	}
	mantissa, exponent, err := splitExponent(body, whole)
	if err != nil {
		return Numeric{}, err
	}
	before, after, _ := strings.Cut(mantissa, ".")
	digits, ok := mantissaDigits(before, after)
	if !ok {
		return Numeric{}, invalid("numeric", whole)
	}
	return scaled(digits, len(digits)-len(strings.ReplaceAll(before, "_", "")), exponent)
}

func mantissaDigits(before, after string) (string, bool) {
	a, b := "", ""
	ok := true
	if before != "" {
		a, ok = joinDigits(before, 10, false)
	}
	if ok && after != "" {
		b, ok = joinDigits(after, 10, false)
	}
	return a + b, ok && a+b != ""
}

func splitExponent(body, whole string) (mantissa string, exponent int, err *pgerr.Error) {
	i := strings.IndexAny(body, "eE")
	if i < 0 {
		return body, 0, nil
	}
	text := body[i+1:]
	sign := 1
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		if text[0] == '-' {
			sign = -1
		}
		text = text[1:]
	}
	text, ok := joinDigits(text, 10, false)
	if !ok {
		return "", 0, invalid("numeric", whole)
	}
	n, convErr := strconv.Atoi(text)
	if convErr != nil || n > math.MaxInt32/2 {
		return "", 0, errNumericOverflow
	}
	return body[:i], sign * n, nil
}

// scaled gives digits × 10^(exponent - after). What needs more digits on either
// side of the point than the type stores is an error, zero too.
func scaled(digits string, after, exponent int) (Numeric, *pgerr.Error) {
	scale := after - exponent
	trimmed := strings.TrimLeft(digits, "0")
	if scale > numericMaxScale || trimmed != "" && len(trimmed)-scale > numericMaxWholeDigits {
		return Numeric{}, errNumericOverflow
	}
	if trimmed == "" {
		return Numeric{scale: int32(max(scale, 0))}, nil
	}
	if len(trimmed) <= 18 && scale >= 0 {
		n, _ := strconv.ParseInt(trimmed, 10, 64)
		return Numeric{small: n, scale: int32(scale)}, nil
	}
	c, _ := new(big.Int).SetString(trimmed, 10)
	if scale < 0 {
		return fromOwned(c.Mul(c, pow10(-scale)), 0), nil
	}
	return fromOwned(c, int32(scale)), nil
}

// AppendNumeric writes a number with all digits of its scale.
func AppendNumeric(dst []byte, n Numeric) []byte {
	switch n.form {
	case notANumber:
		return append(dst, "NaN"...)
	case plusInfinity:
		return append(dst, "Infinity"...)
	case minusInfinity:
		return append(dst, "-Infinity"...)
	}
	var digits string
	if n.big == nil {
		digits = strconv.FormatInt(n.small, 10)
	} else {
		digits = n.big.String()
	}
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	scale := int(n.scale)
	if scale == 0 {
		return append(dst, digits...)
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	return append(append(dst, '.'), digits[len(digits)-scale:]...)
}

// String gives the server's text.
func (n Numeric) String() string { return string(AppendNumeric(nil, n)) }

// Neg changes the sign.
func (n Numeric) Neg() Numeric {
	switch n.form {
	case plusInfinity:
		return NumericNegInfinity
	case minusInfinity:
		return NumericInfinity
	case notANumber:
		return n
	}
	if n.big == nil && n.small != math.MinInt64 {
		n.small = -n.small
		return n
	}
	return fromOwned(new(big.Int).Neg(n.coefficient()), n.scale)
}

// Abs gives the value without its sign.
func (n Numeric) Abs() Numeric {
	if n.Sign() < 0 {
		return n.Neg()
	}
	return n
}

// aligned gives both coefficients at the larger scale, in 64 bits when they fit.
func aligned(a, b Numeric) (x, y int64, scale int32, ok bool) {
	if a.big != nil || b.big != nil {
		return 0, 0, 0, false
	}
	x, y, scale = a.small, b.small, max(a.scale, b.scale)
	var okA, okB bool
	x, okA = shift(x, scale-a.scale)
	y, okB = shift(y, scale-b.scale)
	return x, y, scale, okA && okB
}

func shift(c int64, by int32) (int64, bool) {
	if by == 0 || c == 0 {
		return c, true
	}
	if int(by) >= len(smallPowers) {
		return 0, false
	}
	return multiply(c, smallPowers[by])
}

// multiply gives a product that fits in 64 bits, or false.
func multiply(a, b int64) (int64, bool) {
	negative := (a < 0) != (b < 0)
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(low), true
	}
	return int64(low), true
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func alignedBig(a, b Numeric) (x, y *big.Int, scale int32) {
	scale = max(a.scale, b.scale)
	return raise(a.coefficient(), int(scale-a.scale)), raise(b.coefficient(), int(scale-b.scale)), scale
}

// raise multiplies by a power of ten; the result may share c.
func raise(c *big.Int, by int) *big.Int {
	if by == 0 {
		return c
	}
	return new(big.Int).Mul(c, pow10(by))
}

// CompareNumeric orders numbers; NaN equals itself and is above all.
func CompareNumeric(a, b Numeric) int {
	if a.form != finite || b.form != finite {
		return rank(a) - rank(b)
	}
	if x, y, _, ok := aligned(a, b); ok {
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	if s, t := a.Sign(), b.Sign(); s != t {
		return sign(s - t)
	}
	x, y, _ := alignedBig(a, b)
	return x.Cmp(y)
}

func rank(n Numeric) int {
	switch n.form {
	case notANumber:
		return 2
	case plusInfinity:
		return 1
	case minusInfinity:
		return -1
	}
	return 0
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
