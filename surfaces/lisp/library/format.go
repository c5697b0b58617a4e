package library

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// formats are format and printf: java.util.Formatter without dates.
func formats() []*data.Native {
	return []*data.Native{
		fn("format", 1, any, "(format \"%s %d %.2f\" x …)", "a text with values in it", func(t *data.Thread, a []value) value {
			s := formatted(t, text(t, "format", a[0]), a[1:])
			t.Alloc(48)
			return data.String(s)
		}),
		fn("printf", 1, any, "(printf \"%s %d\" x …)", "print a text with values in it", func(t *data.Thread, a []value) value {
			host(t).Print(formatted(t, text(t, "printf", a[0]), a[1:]))
			return data.Nil
		}),
	}
}

// directive is one %… of a format.
type directive struct {
	text      string
	index     int // 1-based; 0 for the next argument, -1 for the last one again
	flags     string
	width     int // -1 for none
	precision int // -1 for none
	verb      byte
}

const mostWidth = 100_000

func (d *directive) has(flag byte) bool { return strings.IndexByte(d.flags, flag) >= 0 }

func formatted(t *data.Thread, format string, args []value) string {
	var out []byte
	next, lastUsed := 0, -1
	for i := 0; i < len(format); {
		if format[i] != '%' {
			out = append(out, format[i])
			i++
			continue
		}
		d, n := parseDirective(format[i:])
		i += n
		if d.verb == 'n' || d.verb == '%' {
			out = append(out, pad(t, d, map[byte]string{'n': "\n", '%': "%"}[d.verb])...)
			continue
		}
		at := next
		switch {
		case d.index > 0:
			at = d.index - 1
		case d.index < 0:
			at = lastUsed
		default:
			next++
		}
		if at < 0 || at >= len(args) {
			data.ThrowHint("MissingFormatArgumentException", "Format specifier '"+d.text+"'", "Give a value for each % of the format.")
		}
		lastUsed = at
		s := d.apply(t, args[at])
		t.Alloc(len(s))
		out = append(out, s...)
	}
	return string(out)
}

// parseDirective reads a directive and how many bytes it takes.
func parseDirective(s string) (directive, int) {
	d := directive{width: -1, precision: -1}
	i := 1
	if n, used := digitsOf(s[i:]); used > 0 && i+used < len(s) && s[i+used] == '$' {
		d.index, i = n, i+used+1
	} else if i < len(s) && s[i] == '<' {
		d.index, i = -1, i+1
	}
	for i < len(s) && strings.IndexByte("-#+ 0,(", s[i]) >= 0 {
		d.flags += s[i : i+1]
		i++
	}
	if n, used := digitsOf(s[i:]); used > 0 {
		d.width, i = n, i+used
	}
	if i < len(s) && s[i] == '.' {
		n, used := digitsOf(s[i+1:])
		if used == 0 {
			unknownFormat(s[:min(len(s), i+1)])
		}
		d.precision, i = n, i+1+used
	}
	if i >= len(s) {
		unknownFormat(s)
	}
	d.verb = s[i]
	d.text = s[:i+1]
	if d.width > mostWidth || d.precision > mostWidth {
		data.Throw("IllegalFormatWidthException", strconv.Itoa(max(d.width, d.precision)))
	}
	return d, i + 1
}

func unknownFormat(s string) {
	data.ThrowHint("UnknownFormatConversionException", "Conversion = '"+strings.TrimPrefix(s, "%")+"'", "There are %s %d %f %e %x %o %c %b %n and %%.")
}

func digitsOf(s string) (n, used int) {
	for used < len(s) && s[used] >= '0' && s[used] <= '9' && used < 7 {
		n = n*10 + int(s[used]-'0')
		used++
	}
	if used > 0 && s[0] == '0' {
		return 0, 0 // a flag
	}
	return n, used
}

func (d *directive) apply(t *data.Thread, v value) string {
	switch d.verb {
	case 's', 'S':
		return d.text2(t, formatText(t, v))
	case 'b', 'B':
		return d.text2(t, strconv.FormatBool(v.Truthy()))
	case 'c', 'C':
		if v.IsNil() {
			return d.text2(t, "null")
		}
		c, ok := v.Char()
		if n, isInt := v.Int(); isInt && n >= 0 && n < 0x10000 {
			c, ok = uint16(n), true
		}
		if !ok {
			d.mismatch(t, v)
		}
		return d.text2(t, data.CharText(c))
	case 'd', 'x', 'X', 'o':
		return d.integer(t, v)
	case 'f', 'e', 'E', 'g', 'G':
		return d.float(t, v)
	case 'h', 'H':
		return d.text2(t, strconv.FormatUint(uint64(data.Hash(t, v)), 16))
	}
	unknownFormat(string(d.verb))
	return ""
}

func formatText(t *data.Thread, v value) string {
	if v.IsNil() {
		return "null"
	}
	return data.Str(t, v)
}

// text2 cuts and pads a text, in capitals for a capital verb.
func (d *directive) text2(t *data.Thread, s string) string {
	if d.precision >= 0 && utf8.RuneCountInString(s) > d.precision {
		s = string([]rune(s)[:d.precision])
	}
	if d.verb >= 'A' && d.verb <= 'Z' {
		s = strings.ToUpper(s)
	}
	return pad(t, *d, s)
}

func pad(t *data.Thread, d directive, s string) string {
	missing := d.width - utf8.RuneCountInString(s)
	if missing <= 0 {
		return s
	}
	t.Alloc(missing + len(s))
	if d.has('-') {
		return s + strings.Repeat(" ", missing)
	}
	return strings.Repeat(" ", missing) + s
}

func (d *directive) mismatch(t *data.Thread, v value) {
	hint := "Use %s for any value."
	switch {
	case d.verb == 'd' && v.IsNumber():
		hint = "Write %.2f or %s, or (long x) for the value."
	case d.verb == 'f' && v.IsInteger():
		hint = "Write %d, or (double x) for the value."
	}
	data.ThrowHint("IllegalFormatConversionException", string(d.verb)+" != "+data.ClassName(v)+": %"+string(d.verb)+" does not take "+data.Describe(t, v)+".", hint)
}

func (d *directive) integer(t *data.Thread, v value) string {
	if v.IsNil() {
		return d.text2(t, "null")
	}
	if !v.IsInteger() {
		d.mismatch(t, v)
	}
	n := data.ToBig(v)
	_, isBig := v.BigInt()
	base := map[byte]int{'d': 10, 'x': 16, 'X': 16, 'o': 8}[d.verb]
	if base != 10 && n.Sign() < 0 && !isBig { // as the two's complement
		n = new(big.Int).SetUint64(uint64(n.Int64()))
	}
	t.Alloc(len(n.Bits()) * 30)
	digits := new(big.Int).Abs(n).Text(base)
	if d.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	if d.has(',') && base == 10 {
		digits = grouped(digits)
	}
	if d.has('#') && base == 16 {
		digits = "0x" + digits
	} else if d.has('#') && base == 8 {
		digits = "0" + digits
	}
	return d.signed(t, n.Sign() < 0, digits)
}

// signed puts the sign before the digits and fills the width.
func (d *directive) signed(t *data.Thread, negative bool, digits string) string {
	before, after := "", ""
	switch {
	case negative && d.has('('):
		before, after = "(", ")"
	case negative:
		before = "-"
	case d.has('+'):
		before = "+"
	case d.has(' '):
		before = " "
	}
	if missing := d.width - len(before) - len(after) - len(digits); d.has('0') && missing > 0 {
		t.Alloc(missing)
		digits = strings.Repeat("0", missing) + digits
	}
	return pad(t, *d, before+digits+after)
}

func grouped(digits string) string {
	whole, fraction, _ := strings.Cut(digits, ".")
	var b strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

func (d *directive) float(t *data.Thread, v value) string {
	if v.IsNil() {
		return d.text2(t, "null")
	}
	f, ok := v.Float()
	if !ok {
		d.mismatch(t, v)
	}
	if f != f || math.IsInf(f, 0) {
		s := "NaN"
		if f == f {
			s = "Infinity"
		}
		plain := directive{flags: strings.ReplaceAll(d.flags, "0", ""), width: d.width, precision: -1, verb: 's'}
		return plain.signed(t, f < 0, s)
	}
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	t.Alloc(precision + 350)
	abs := math.Abs(f)
	var digits string
	switch d.verb {
	case 'f':
		digits = fixed(abs, precision)
	case 'e', 'E':
		digits = scientific(abs, precision)
	default:
		precision = max(precision, 1)
		if abs != 0 && (abs < 1e-4 || abs >= math.Pow(10, float64(precision))) {
			digits = scientific(abs, precision-1)
		} else {
			digits = fixed(abs, max(0, precision-1-exponentOf(abs)))
		}
	}
	if d.has(',') {
		digits = grouped(digits)
	}
	if d.verb == 'E' || d.verb == 'G' {
		digits = strings.ToUpper(digits)
	}
	return d.signed(t, f < 0 || f == 0 && math.Signbit(f), digits)
}

func exponentOf(f float64) int {
	if f == 0 {
		return 0
	}
	_, e, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}

// shortest gives the shortest decimal digits of a double and the exponent of the
// first. Java rounds these, half up, and not the exact value.
func shortest(f float64) (digits string, exponent int) {
	mantissa, e, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	exponent, _ = strconv.Atoi(e)
	return strings.Replace(mantissa, ".", "", 1), exponent
}

// roundDigits keeps n digits, rounding half up; carry says that one came before.
func roundDigits(digits string, n int) (kept string, carry bool) {
	if n < 0 {
		return "", false
	}
	if n >= len(digits) {
		return digits + strings.Repeat("0", n-len(digits)), false
	}
	up := digits[n] >= '5'
	b := []byte(digits[:n])
	for i := n - 1; up && i >= 0; i-- {
		if b[i] == '9' {
			b[i] = '0'
			continue
		}
		b[i]++
		up = false
	}
	return string(b), up
}

func fixed(f float64, precision int) string {
	digits, exponent := shortest(f)
	kept, carry := roundDigits(digits, exponent+1+precision)
	if carry {
		kept = "1" + kept
	}
	if missing := precision + 1 - len(kept); missing > 0 {
		kept = strings.Repeat("0", missing) + kept
	}
	if precision == 0 {
		return kept
	}
	return kept[:len(kept)-precision] + "." + kept[len(kept)-precision:]
}

func scientific(f float64, precision int) string {
	digits, exponent := shortest(f)
	kept, carry := roundDigits(digits, precision+1)
	if carry {
		kept = "1" + kept[:len(kept)-1]
		exponent++
	}
	out := kept[:1]
	if precision > 0 {
		out += "." + kept[1:]
	}
	sign := "+"
	if exponent < 0 {
		sign, exponent = "-", -exponent
	}
	return out + "e" + sign + strconv.Itoa(exponent/10) + strconv.Itoa(exponent%10)
}
