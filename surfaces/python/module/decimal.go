package module

import (
	"math/big"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// decimalKind tells numbers from infinities and NaNs.
type decimalKind uint8

const (
	decimalFinite decimalKind = iota
	decimalInfinite
	decimalNaN
	decimalSignal // a signaling NaN
)

// decimal is decimal.Decimal: coef × 10^exp, as the General Decimal Arithmetic
// specification 1.70 defines it. A NaN's coefficient is its payload. It never
// changes.
type decimal struct {
	object.Obj
	kind decimalKind
	neg  bool
	coef *big.Int
	exp  int64
	n    int64 // digits of coef, 0 while not counted
}

var decimalClass = defineIn("decimal", "Decimal")

// Class is decimal.Decimal.
func (*decimal) Class() *class { return decimalClass }

func decimalOf(v value) (*decimal, bool) { return object.NativeOf[*decimal](v) }

var bigTen = big.NewInt(10)

// smallPowers are the powers of ten that most computations need.
var smallPowers = func() (p [64]*big.Int) {
	p[0] = big.NewInt(1)
	for i := 1; i < len(p); i++ {
		p[i] = new(big.Int).Mul(p[i-1], bigTen)
	}
	return p
}()

// powerOfTen gives 10^n; what it takes must have been charged.
func powerOfTen(n int64) *big.Int {
	if n < int64(len(smallPowers)) {
		return smallPowers[n]
	}
	return new(big.Int).Exp(bigTen, big.NewInt(n), nil)
}

// countDigits counts the decimal digits of a number that is not negative; zero has
// one.
func countDigits(n *big.Int) int64 {
	if n.Sign() == 0 {
		return 1
	}
	guess := int64(float64(n.BitLen()-1)*0.30102999566398120) + 1
	if n.Cmp(powerOfTen(guess)) >= 0 {
		guess++
	} else if guess > 1 && n.Cmp(powerOfTen(guess-1)) < 0 {
		guess--
	}
	return guess
}

func (d *decimal) digits() int64 {
	if d.n == 0 {
		d.n = countDigits(d.coef)
	}
	return d.n
}

// adjusted is the exponent of the first digit.
func (d *decimal) adjusted() int64 {
	if d.kind != decimalFinite {
		return 0
	}
	return d.exp + d.digits() - 1
}

func (d *decimal) isNaN() bool  { return d.kind >= decimalNaN }
func (d *decimal) isZero() bool { return d.kind == decimalFinite && d.coef.Sign() == 0 }

// sign is -1, 0 or 1 as the number is below, at or above zero.
func (d *decimal) sign() int {
	switch {
	case d.isZero():
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func finite(neg bool, coef *big.Int, exp int64) *decimal {
	return &decimal{neg: neg, coef: coef, exp: exp}
}

func infinity(neg bool) *decimal {
	return &decimal{kind: decimalInfinite, neg: neg, coef: new(big.Int)}
}

func nan() *decimal { return &decimal{kind: decimalNaN, coef: new(big.Int)} }

// with gives a copy with another sign.
func (d *decimal) with(neg bool) *decimal {
	return &decimal{kind: d.kind, neg: neg, coef: d.coef, exp: d.exp, n: d.n}
}

func decimalFromBig(n *big.Int) *decimal {
	return finite(n.Sign() < 0, new(big.Int).Abs(n), 0)
}

// decimalWork charges for computing with numbers of so many digits, and for a
// result of that size.
func decimalWork(t *thread, digits int64) *exception {
	if digits < 64 {
		return t.Charge(2)
	}
	if x := t.Alloc(int(min(digits, 1<<40))); x != nil {
		return x
	}
	words := digits/19 + 1
	work := words
	if words < 1<<20 {
		// Multiplication by Karatsuba's method, and division, cost about this.
		work = words * isqrt(words) / 2
	}
	return t.Charge(2 + work)
}

func isqrt(n int64) int64 {
	r := int64(1)
	for r*r < n {
		r *= 2
	}
	return r
}

// text is the number in scientific notation, as str() shows it.
func (d *decimal) text(engineering, capitals bool) string {
	sign := ""
	if d.neg {
		sign = "-"
	}
	switch d.kind {
	case decimalInfinite:
		return sign + "Infinity"
	case decimalNaN, decimalSignal:
		payload := ""
		if d.coef.Sign() != 0 {
			payload = d.coef.String()
		}
		return sign + map[decimalKind]string{decimalNaN: "NaN", decimalSignal: "sNaN"}[d.kind] + payload
	}
	digits := d.coef.String()
	left := d.exp + int64(len(digits))
	dot := int64(1)
	switch {
	case d.exp <= 0 && left > -6:
		dot = left
	case !engineering:
	case digits == "0":
		dot = floorModulo(left+1, 3) - 1
	default:
		dot = floorModulo(left-1, 3) + 1
	}
	whole, part := splitDigits(digits, dot)
	if part != "" {
		part = "." + part
	}
	mark := ""
	if left != dot {
		mark = "e"
		if capitals {
			mark = "E"
		}
		mark += signed(left - dot)
	}
	return sign + whole + part + mark
}

func floorModulo(n, m int64) int64 {
	if r := n % m; r < 0 {
		return r + m
	} else {
		return r
	}
}

func signed(n int64) string {
	s := object.Decimal(int(n))
	if n >= 0 {
		return "+" + s
	}
	return s
}

// splitDigits puts the decimal point at a place, with zeros where there is no
// digit.
func splitDigits(digits string, dot int64) (whole, part string) {
	switch {
	case dot <= 0:
		return "0", strings.Repeat("0", int(-dot)) + digits
	case dot >= int64(len(digits)):
		return digits + strings.Repeat("0", int(dot)-len(digits)), ""
	}
	return digits[:dot], digits[dot:]
}

// parseDecimal reads a numeric string; ok is false where it is none. Zeros of the
// exponent's size never become memory: the number is kept as written.
func parseDecimal(s string) (d *decimal, ok bool) {
	s = strings.Trim(s, " \t\n\r\v\f\u0085\u00a0\x1c\x1d\x1e\x1f\u2003\u2002\u3000\u2009")
	s = strings.ReplaceAll(s, "_", "")
	neg := false
	if s != "" && (s[0] == '+' || s[0] == '-') {
		neg = s[0] == '-'
		s = s[1:]
	}
	lower := strings.ToLower(s)
	switch lower {
	case "inf", "infinity":
		return infinity(neg), true
	}
	for prefix, kind := range map[string]decimalKind{"nan": decimalNaN, "snan": decimalSignal} {
		if rest, found := strings.CutPrefix(lower, prefix); found {
			payload := new(big.Int)
			if rest != "" {
				if !allDigits(rest) {
					return nil, false
				}
				payload.SetString(rest, 10)
			}
			return &decimal{kind: kind, neg: neg, coef: payload}, true
		}
	}
	mantissa, exponent, hasExponent := strings.Cut(lower, "e")
	whole, part, _ := strings.Cut(mantissa, ".")
	if whole+part == "" || !allDigits(whole+part) {
		return nil, false
	}
	exp := int64(0)
	if hasExponent {
		bare := strings.TrimPrefix(strings.TrimPrefix(exponent, "+"), "-")
		if len(exponent)-len(bare) > 1 || bare == "" || !allDigits(bare) {
			return nil, false
		}
		bare = strings.TrimLeft(bare, "0")
		if len(bare) > 18 {
			bare = "999999999999999999"
		}
		for _, c := range bare {
			exp = exp*10 + int64(c-'0')
		}
		if exponent[0] == '-' {
			exp = -exp
		}
	}
	coef, _ := new(big.Int).SetString(whole+part, 10)
	return finite(neg, coef, exp-int64(len(part))), true
}

func allDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
