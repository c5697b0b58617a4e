package pgtype

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// romanWidth is the longest Roman number, MMMDCCCLXXXVIII.
const romanWidth = 15

// roman gives a Roman number; beyond 3999 there is none.
func roman(n int64) string {
	if n < 1 || n > 3999 {
		return strings.Repeat("#", romanWidth)
	}
	var out strings.Builder
	for _, r := range []struct {
		value int64
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= r.value; n -= r.value {
			out.WriteString(r.text)
		}
	}
	return out.String()
}

// fixed writes a number given as text, or number signs where it is too long.
func (t *NumberTemplate) fixed(l numberLayout, text string) (string, *pgerr.Error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole := strings.IndexByte(digits, '.')
	if whole < 0 {
		whole = len(digits)
	}
	if whole > l.before {
		digits = strings.Repeat("#", l.before) + "." + strings.Repeat("#", l.after)
	}
	return t.write(l, digits, negative, max(0, l.before-whole))
}

// notANumberForm is what the scientific form shows of NaN and the infinities.
func (l *numberLayout) notANumberForm() string {
	b := []byte(strings.Repeat("#", l.before+l.after+6))
	b[0] = ' '
	if l.before+1 < len(b) {
		b[l.before+1] = '.'
	}
	return string(b)
}

// signedForm puts a blank where a positive number has no sign.
func signedForm(text string) string {
	if strings.HasPrefix(text, "-") {
		return text
	}
	return " " + text
}

// FormatNumeric writes an exact number.
func (t *NumberTemplate) FormatNumeric(n Numeric) (string, *pgerr.Error) {
	l := t.numberLayout
	switch {
	case l.roman:
		v, err := n.Int(32)
		if err != nil {
			return "", err
		}
		return t.write(l, roman(v), false, 0)
	case l.scientificForm && !n.Finite():
		return t.write(l, l.notANumberForm(), false, 0)
	case l.scientificForm:
		return t.write(l, signedForm(n.scientific(l.after)), false, 0)
	}
	if l.multiplied {
		ten, err := NumericFromInt(10).PowInt(int32(l.shift), 0)
		if err == nil {
			n, err = n.Mul(ten)
		}
		if err != nil {
			return "", err
		}
		l.before += l.shift
	}
	return t.fixed(l, n.Round(l.after).String())
}

// scientific writes a finite number as d.dde+dd with so many digits after the
// point. Rounding may give 10.0, as it does on the server.
func (n Numeric) scientific(after int) string {
	c := n.coefficient()
	exponent := 0
	if c.Sign() != 0 {
		exponent = decimalDigits(c) - 1 - int(n.scale)
	}
	// The mantissa with its digits is c × 10^(after - exponent - scale).
	by := after - exponent - int(n.scale)
	m := c
	if by >= 0 {
		m = raise(c, by)
	} else {
		m = divideRounded(c, pow10(-by))
	}
	mantissa := fromOwned(new(big.Int).Set(m), int32(after)).String()
	sign := "+"
	if exponent < 0 {
		sign, exponent = "-", -exponent
	}
	digits := strconv.Itoa(exponent)
	if len(digits) < 2 {
		digits = "0" + digits
	}
	return mantissa + "e" + sign + digits
}

// FormatInt writes an integer of 32 or 64 bits.
func (t *NumberTemplate) FormatInt(n int64, bits int) (string, *pgerr.Error) {
	l := t.numberLayout
	switch {
	case l.roman:
		if n != int64(int32(n)) {
			return "", pgerr.New(pgerr.NumericOutOfRange, "integer out of range")
		}
		return t.write(l, roman(n), false, 0)
	case l.scientificForm:
		return t.write(l, signedForm(t.scientificInt(n, bits)), false, 0)
	}
	if l.multiplied {
		var ok bool
		if n, ok = shifted(n, l.shift, bits); !ok {
			return "", pgerr.New(pgerr.NumericOutOfRange, "bigint out of range")
		}
		l.before += l.shift
	}
	text := strconv.FormatInt(n, 10)
	if l.after > 0 {
		text += "." + strings.Repeat("0", l.after)
	}
	return t.fixed(l, text)
}

// scientificInt goes through a float for 32 bits, as the server does: it rounds
// halves to even there.
func (t *NumberTemplate) scientificInt(n int64, bits int) string {
	if bits == 32 {
		return strconv.FormatFloat(float64(n), 'e', t.after, 64)
	}
	return NumericFromInt(n).scientific(t.after)
}

// shifted multiplies by a power of ten. In 32 bits the server does not look whether
// the product fits.
func shifted(n int64, by, bits int) (int64, bool) {
	power := math.Pow(10, float64(by))
	if bits == 32 {
		p := int32(math.MinInt32)
		if power < -math.MinInt32 {
			p = int32(power)
		}
		return int64(int32(n) * p), true
	}
	if power >= -math.MinInt64 {
		return 0, false
	}
	return multiplyInt64(n, int64(power))
}

// FormatFloat writes a float of 32 or 64 bits, with no more digits than it holds.
func (t *NumberTemplate) FormatFloat(f float64, bits int) (string, *pgerr.Error) {
	l := t.numberLayout
	special := math.IsNaN(f) || math.IsInf(f, 0)
	switch {
	case l.roman:
		r := math.RoundToEven(f)
		if special || !fitsInt32(r) {
			r = 0
		}
		return t.write(l, roman(int64(r)), false, 0)
	case l.scientificForm && special:
		return t.write(l, l.notANumberForm(), false, 0)
	case l.scientificForm:
		return t.write(l, signedForm(strconv.FormatFloat(f, 'e', l.after, 64)), false, 0)
	}
	digits := 15
	if bits == 32 {
		digits = 6
	}
	if l.multiplied {
		f *= math.Pow(10, float64(l.shift))
		if bits == 32 {
			f = float64(float32(f))
		}
		l.before += l.shift
	}
	whole := len(fixedFloat(math.Abs(f), 0))
	l.after = min(l.after, max(0, digits-whole))
	return t.fixed(l, fixedFloat(f, l.after))
}

// fixedFloat writes a float with so many digits after the point.
func fixedFloat(f float64, after int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(f, 'f', after, 64)
}
