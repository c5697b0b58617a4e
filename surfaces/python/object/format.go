package object

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// spec is a format specification (Format Specification Mini-Language).
type spec struct {
	fill      string // one code point; "" if not given
	align     byte   // < > ^ = or 0
	sign      byte   // + - space or 0
	noNegZero bool
	alternate bool
	zero      bool
	width     int
	grouping  byte // , or _ or 0
	precision int  // -1 if not given
	kind      byte // the presentation type, 0 if not given
}

// maxWidth bounds widths and precisions before they become memory.
const maxWidth = 1 << 31

// Format is format(v, spec).
func (t *Thread) Format(v Value, text string) (string, *Exception) {
	switch v.Kind() {
	case KindStr:
		if text == "" {
			return v.o.self.(*Str).s, nil
		}
		return t.formatStr(v.o.self.(*Str), text)
	case KindInt, KindBool, KindBig:
		if text == "" {
			return t.Str(v)
		}
		return t.formatInt(v, text)
	case KindFloat:
		if text == "" {
			return t.Str(v)
		}
		f, _ := v.Float()
		return t.formatFloat(f, text)
	}
	c := v.Class()
	if c.slots.Format == nil {
		return t.Str(v)
	}
	if x := t.Enter(); x != nil {
		t.Leave()
		return "", x
	}
	s, x := c.slots.Format(t, v, text)
	t.Leave()
	return s, x
}

func isAlign(c byte) bool { return c == '<' || c == '>' || c == '^' || c == '=' }

// parseSpec reads a specification for a value of a class.
func (t *Thread) parseSpec(s, class string, defaultAlign byte) (spec, *Exception) {
	p := spec{precision: -1}
	whole := s
	if s != "" {
		_, n := decodeRune(s)
		switch {
		case len(s) > n && isAlign(s[n]):
			p.fill, p.align = s[:n], s[n]
			s = s[n+1:]
		case isAlign(s[0]):
			p.align = s[0]
			s = s[1:]
		}
	}
	if s != "" && (s[0] == '+' || s[0] == '-' || s[0] == ' ') {
		p.sign = s[0]
		s = s[1:]
	}
	if s != "" && s[0] == 'z' {
		p.noNegZero = true
		s = s[1:]
	}
	if s != "" && s[0] == '#' {
		p.alternate = true
		s = s[1:]
	}
	if s != "" && s[0] == '0' {
		if p.fill == "" && p.align == 0 {
			p.fill = "0"
			if defaultAlign == '>' {
				p.align = '='
			}
		} else if p.fill == "" {
			p.fill = "0"
		}
		p.zero = true
		s = s[1:]
	}
	var x *Exception
	if p.width, s, x = t.specNumber(s, 0); x != nil {
		return p, x
	}
	if s != "" && s[0] == ',' {
		p.grouping = ','
		s = s[1:]
	}
	if s != "" && s[0] == '_' {
		if p.grouping != 0 {
			return p, t.RaiseValue("Cannot specify both ',' and '_'.")
		}
		p.grouping = '_'
		s = s[1:]
	}
	if s != "" && s[0] == ',' {
		if p.grouping == '_' {
			return p, t.RaiseValue("Cannot specify both ',' and '_'.")
		}
		return p, t.RaiseValue("Cannot specify ',' with ','.")
	}
	if s != "" && s[0] == '.' {
		if !startsWithDigit(s[1:]) {
			return p, t.RaiseValue("Format specifier missing precision")
		}
		if p.precision, s, x = t.specNumber(s[1:], -1); x != nil {
			return p, x
		}
	}
	if s != "" {
		r, n := decodeRune(s)
		if len(s) > n {
			return p, t.RaiseValue("Invalid format specifier '%s' for object of type '%s'", whole, class)
		}
		if r >= 0x80 {
			return p, t.unknownCode(s, class)
		}
		p.kind = s[0]
	}
	if p.grouping != 0 {
		q := p
		if class == "str" && q.kind == 0 {
			q.kind = 's'
		}
		if x := t.checkGrouping(q); x != nil {
			return p, x
		}
	}
	return p, nil
}

func startsWithDigit(s string) bool {
	if s == "" {
		return false
	}
	r, _ := decodeRune(s)
	_, ok := digitValue(r)
	return ok
}

func (t *Thread) checkGrouping(p spec) *Exception {
	switch p.kind {
	case 'd', 'e', 'f', 'g', 'E', 'G', '%', 'F', 0:
		return nil
	case 'b', 'o', 'x', 'X':
		if p.grouping == '_' {
			return nil
		}
	}
	return t.RaiseValue("Cannot specify '%c' with '%c'.", p.grouping, p.kind)
}

func (t *Thread) unknownCode(code, class string) *Exception {
	r, _ := decodeRune(code)
	if r > 32 && r < 128 {
		return t.RaiseValue("Unknown format code '%c' for object of type '%s'", r, class)
	}
	return t.RaiseValue("Unknown format code '\\x%x' for object of type '%s'", r, class)
}

// specNumber reads digits at the front.
func (t *Thread) specNumber(s string, missing int) (int, string, *Exception) {
	n, i := 0, 0
	for i < len(s) {
		r, size := decodeRune(s[i:])
		d, ok := digitValue(r)
		if !ok {
			break
		}
		n = n*10 + d
		i += size
		if n > math.MaxInt64/20 {
			return 0, "", t.RaiseValue("Too many decimal digits in format string")
		}
	}
	if i == 0 {
		return missing, s, nil
	}
	return n, s[i:], nil
}

// pad brings text of n code points to the width.
func (t *Thread) pad(s string, n int, p spec, defaultAlign byte) (string, *Exception) {
	if p.width <= n {
		return s, nil
	}
	fill := p.fill
	if fill == "" {
		fill = " "
	}
	total := p.width - n
	if x := t.room(int64(total), len(fill)); x != nil {
		return "", x
	}
	align := p.align
	if align == 0 {
		align = defaultAlign
	}
	left := 0
	switch align {
	case '>', '=':
		left = total
	case '^':
		left = total / 2
	}
	return strings.Repeat(fill, left) + s + strings.Repeat(fill, total-left), nil
}

func (t *Thread) formatStr(s *Str, text string) (string, *Exception) {
	p, x := t.parseSpec(text, "str", '<')
	if x != nil {
		return "", x
	}
	switch {
	case p.kind != 0 && p.kind != 's':
		return "", t.unknownCode(string(p.kind), "str")
	case p.sign == ' ':
		return "", t.RaiseValue("Space not allowed in string format specifier")
	case p.sign != 0:
		return "", t.RaiseValue("Sign not allowed in string format specifier")
	case p.noNegZero:
		return "", t.RaiseValue("Negative zero coercion (z) not allowed in string format specifier")
	case p.alternate:
		return "", t.RaiseValue("Alternate form (#) not allowed in string format specifier")
	case p.align == '=':
		return "", t.RaiseValue("'=' alignment not allowed in string format specifier")
	case p.grouping != 0:
		return "", t.RaiseValue("Cannot specify '%c' with 's'.", p.grouping)
	}
	out, n := s.s, s.Len()
	if p.precision >= 0 && p.precision < n {
		out, n = out[:s.offset(p.precision)], p.precision
	}
	return t.pad(out, n, p, '<')
}

func (t *Thread) formatInt(v Value, text string) (string, *Exception) {
	class := v.Class().Name
	p, x := t.parseSpec(text, class, '>')
	if x != nil {
		return "", x
	}
	switch p.kind {
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		f, _, x := t.asFloat(v)
		if x != nil {
			return "", x
		}
		return t.floatSpec(f, p, "int")
	case 0, 'd', 'n', 'b', 'o', 'x', 'X', 'c':
	default:
		return "", t.unknownCode(string(p.kind), class)
	}
	if p.precision >= 0 {
		return "", t.RaiseValue("Precision not allowed in integer format specifier")
	}
	if p.noNegZero {
		return "", t.RaiseValue("Negative zero coercion (z) not allowed in integer format specifier")
	}
	if p.kind == 'c' {
		return t.formatChar(v, p)
	}
	digits, x := t.intDigits(v, p.kind)
	if x != nil {
		return "", x
	}
	negative := strings.HasPrefix(digits, "-")
	digits = strings.TrimPrefix(digits, "-")
	prefix := ""
	if p.alternate {
		switch p.kind {
		case 'b':
			prefix = "0b"
		case 'o':
			prefix = "0o"
		case 'x':
			prefix = "0x"
		case 'X':
			prefix = "0X"
		}
	}
	return t.assemble(digits, "", prefix, negative, p)
}

func (t *Thread) formatChar(v Value, p spec) (string, *Exception) {
	if p.sign != 0 {
		return "", t.RaiseValue("Sign not allowed with integer format specifier 'c'")
	}
	if p.alternate {
		return "", t.RaiseValue("Alternate form (#) not allowed with integer format specifier 'c'")
	}
	n, ok := v.integral()
	if !ok || n < 0 || n > utf8.MaxRune {
		return "", t.Raise(OverflowError, "%s", "%c arg not in range(0x110000)")
	}
	return t.pad(runeText(rune(n)), 1, p, '<')
}

// intDigits gives an integer in the base of a presentation type.
func (t *Thread) intDigits(v Value, kind byte) (string, *Exception) {
	base := 10
	switch kind {
	case 'b':
		base = 2
	case 'o':
		base = 8
	case 'x', 'X':
		base = 16
	}
	n, small := v.integral()
	var s string
	switch {
	case small:
		s = strconv.FormatInt(n, base)
	case base == 10:
		var x *Exception
		if s, x = t.intText(v.o.self.(*BigInt).n); x != nil {
			return "", x
		}
	default:
		b := v.o.self.(*BigInt).n
		if x := t.Alloc(b.BitLen()); x != nil {
			return "", x
		}
		s = b.Text(base)
	}
	if kind == 'X' {
		s = strings.ToUpper(s)
	}
	return s, nil
}

// assemble puts a number together: sign, prefix, grouped digits, rest, padding.
func (t *Thread) assemble(digits, rest, prefix string, negative bool, p spec) (string, *Exception) {
	sign := ""
	switch {
	case negative:
		sign = "-"
	case p.sign == '+' || p.sign == ' ':
		sign = string(p.sign)
	}
	size := 3
	if p.kind == 'b' || p.kind == 'o' || p.kind == 'x' || p.kind == 'X' {
		size = 4
	}
	least := 0
	if p.fill == "0" && p.align == '=' {
		least = p.width - len(sign) - len(prefix) - len(rest)
		if x := t.room(int64(max(0, least)), 1); x != nil {
			return "", x
		}
	}
	digits = group(digits, p.grouping, size, least)
	if x := t.Alloc(len(digits) + len(rest)); x != nil {
		return "", x
	}
	head := sign + prefix
	body := digits + rest
	if p.align == '=' {
		q := p
		q.width -= len(head)
		padded, x := t.pad(body, len(body), q, '>')
		return head + padded, x
	}
	return t.pad(head+body, len(head)+len(body), p, '>')
}

// group inserts separators; at least so many characters come out, filled with
// zeros.
func group(digits string, sep byte, size, least int) string {
	if sep == 0 {
		if n := least - len(digits); n > 0 {
			return strings.Repeat("0", n) + digits
		}
		return digits
	}
	if _, err := strconv.Atoi(digits[:min(1, len(digits))]); err != nil && size == 3 {
		return digits // inf and nan
	}
	if grouped := len(digits) + (len(digits)-1)/size; grouped < least {
		// Fill with zeros so that the separators continue; a separator never leads.
		n := least - least/(size+1)
		if least%(size+1) == 0 {
			n = least - least/(size+1) + 1
		}
		if n > len(digits) {
			digits = strings.Repeat("0", n-len(digits)) + digits
		}
	}
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%size == 0 {
			b.WriteByte(sep)
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

func (t *Thread) formatFloat(f float64, text string) (string, *Exception) {
	p, x := t.parseSpec(text, "float", '>')
	if x != nil {
		return "", x
	}
	return t.floatSpec(f, p, "float")
}

func (t *Thread) floatSpec(f float64, p spec, class string) (string, *Exception) {
	switch p.kind {
	case 0, 'e', 'E', 'f', 'F', 'g', 'G', 'n', '%':
	default:
		return "", t.unknownCode(string(p.kind), class)
	}
	if p.precision > math.MaxInt32 {
		return "", t.RaiseValue("precision too big")
	}
	if x := t.room(int64(max(p.precision, 0)), 1); x != nil {
		return "", x
	}
	if p.kind == '%' {
		f *= 100
	}
	s := floatDigits(f, p)
	if p.kind == '%' {
		s += "%"
	}
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if p.noNegZero && negative && strings.Trim(mantissa(s), "0.%") == "" {
		negative = false
	}
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 {
		i = len(s) // inf, nan
		if p.grouping != 0 {
			p.grouping = 0
		}
	}
	return t.assemble(s[:i], s[i:], "", negative, p)
}

// floatDigits gives a float in a presentation type.
func floatDigits(f float64, p spec) string {
	upper := p.kind == 'E' || p.kind == 'F' || p.kind == 'G'
	if math.IsNaN(f) || math.IsInf(f, 0) {
		s := floatRepr(f)
		if upper {
			s = strings.ToUpper(s)
		}
		return s
	}
	precision := p.precision
	var s string
	switch p.kind {
	case 'f', 'F', '%':
		if precision < 0 {
			precision = 6
		}
		s = strconv.FormatFloat(f, 'f', precision, 64)
		if p.alternate && precision == 0 {
			s += "."
		}
	case 'e', 'E':
		if precision < 0 {
			precision = 6
		}
		s = strconv.FormatFloat(f, 'e', precision, 64)
		if p.alternate && precision == 0 {
			s = strings.Replace(s, "e", ".e", 1)
		}
	case 'g', 'G', 'n':
		if precision < 0 {
			precision = 6
		}
		s = general(f, max(precision, 1), p.alternate, false)
	default:
		if precision < 0 {
			s = floatRepr(f)
			if p.alternate && !strings.Contains(s, ".") {
				s = strings.Replace(s, "e", ".e", 1)
			}
		} else {
			s = general(f, max(precision, 1), p.alternate, true)
		}
	}
	if upper {
		s = strings.ToUpper(s)
	}
	return s
}

// general is the g format; point keeps at least one digit after it, and then the
// exponent begins one power of ten earlier.
func general(f float64, precision int, alternate, point bool) string {
	e := strconv.FormatFloat(f, 'e', precision-1, 64)
	i := strings.IndexByte(e, 'e')
	exp, _ := strconv.Atoi(e[i+1:])
	limit := precision
	if point {
		limit--
		if limit < 0 {
			limit = 0
		}
	}
	if exp < -4 || exp >= limit {
		mantissa := e[:i]
		if !alternate {
			mantissa = trimZeros(mantissa)
		} else if !strings.Contains(mantissa, ".") {
			mantissa += "."
		}
		return mantissa + e[i:]
	}
	s := strconv.FormatFloat(f, 'f', max(0, precision-1-exp), 64)
	if !alternate {
		s = trimZeros(s)
		if point && !strings.Contains(s, ".") {
			s += ".0"
		}
	} else if !strings.Contains(s, ".") {
		s += "."
	}
	return s
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// roundFloat is round(f, digits): to the nearest, a tie to the even digit,
// correctly for the float's exact value.
func roundFloat(f float64, digits int) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 || digits > 323 {
		return f
	}
	if digits < -308 {
		return math.Copysign(0, f)
	}
	if digits >= 0 {
		r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
		return math.Copysign(r, f)
	}
	// strconv rounds only to the right of the point: scale exactly.
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil)
	n := roundQuotient(new(big.Rat).SetFloat64(math.Abs(f)), scale)
	r, _ := new(big.Float).SetInt(n.Mul(n, scale)).Float64()
	return math.Copysign(r, f)
}

// roundQuotient gives r / d rounded to the nearest, ties to even; both positive.
func roundQuotient(r *big.Rat, d *big.Int) *big.Int {
	num, den := new(big.Int).Set(r.Num()), new(big.Int).Mul(r.Denom(), d)
	q, m := new(big.Int).QuoRem(num, den, new(big.Int))
	c := m.Lsh(m, 1).Cmp(den)
	if c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// mantissa is the part of a number before its exponent.
func mantissa(s string) string {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		return s[:i]
	}
	return s
}
