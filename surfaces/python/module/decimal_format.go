package module

import (
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// decimalSpec is a format specification for a Decimal.
type decimalSpec struct {
	fill      string
	align     byte // < > ^ = or z for zeros
	sign      byte
	noNegZero bool
	width     int64
	thousands bool
	precision int64 // -1 if not given
	kind      byte  // 0 if not given
}

// parseDecimalSpec reads a specification; ok is false where it is none.
func parseDecimalSpec(s string) (p decimalSpec, ok bool) {
	p = decimalSpec{fill: " ", align: '>', sign: '-', precision: -1}
	aligned := false
	isAlign := func(i int) bool { return i < len(s) && strings.IndexByte("<>=^", s[i]) >= 0 }
	if s != "" {
		_, n := object.FirstRune(s)
		if isAlign(n) {
			p.fill, p.align, aligned = s[:n], s[n], true
			s = s[n+1:]
		} else if isAlign(0) {
			p.align, aligned = s[0], true
			s = s[1:]
		}
	}
	if s != "" && strings.IndexByte("+- ", s[0]) >= 0 {
		p.sign, s = s[0], s[1:]
	}
	if s != "" && s[0] == 'z' {
		p.noNegZero, s = true, s[1:]
	}
	if s != "" && s[0] == '0' {
		if aligned {
			return p, false
		}
		p.align, p.fill, s = 'z', " ", s[1:]
	}
	if p.width, s, ok = leadingNumber(s, 0); !ok {
		return p, false
	}
	if s != "" && s[0] == ',' {
		p.thousands, s = true, s[1:]
	}
	if s != "" && s[0] == '.' {
		if len(s) < 2 || s[1] < '0' || s[1] > '9' {
			return p, false
		}
		if p.precision, s, ok = leadingNumber(s[1:], -1); !ok {
			return p, false
		}
	}
	if s != "" {
		p.kind, s = s[0], s[1:]
		if strings.IndexByte("eEfFgGn%", p.kind) < 0 || p.kind == 'n' && p.thousands {
			return p, false
		}
	}
	return p, s == ""
}

func leadingNumber(s string, otherwise int64) (n int64, rest string, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 {
		return otherwise, s, true
	}
	n, err := strconv.ParseInt(s[:i], 10, 64)
	return n, s[i:], err == nil
}

// format is format(d, spec).
func (c *decimalContext) format(t *thread, d *decimal, spec string) (string, *exception) {
	p, ok := parseDecimalSpec(spec)
	if !ok {
		return "", t.RaiseValue("invalid format string")
	}
	if p.width > 1<<31 || p.precision > 1<<31 {
		if x := t.Alloc(1 << 40); x != nil {
			return "", x
		}
	}
	if x := t.Alloc(int(2*p.width + max(p.precision, 0))); x != nil {
		return "", x
	}
	sign := d.neg
	if d.kind != decimalFinite {
		body := d.with(false).text(false, true)
		if p.kind == '%' {
			body += "%"
		}
		if p.align == 'z' {
			p.align = '>'
		}
		return p.pad(signText(sign, p.sign), body), nil
	}
	kind := p.kind
	switch kind {
	case 0, 'n':
		kind = 'g'
		if c.capitals && p.kind == 0 {
			kind = 'G'
		}
	case '%':
		d = finite(d.neg, d.coef, d.exp+2)
	}
	d, x := c.roundFor(t, d, kind, p.precision)
	if x != nil {
		return "", x
	}
	if d.isZero() && p.noNegZero {
		sign = false
	}
	if x := decimalWork(t, d.digits()); x != nil {
		return "", x
	}
	digits := d.coef.String()
	left := d.exp + int64(len(digits))
	dot := left
	switch kind {
	case 'e', 'E':
		dot = 1
		if d.isZero() && p.precision >= 0 {
			dot = 1 - p.precision
		}
	case 'g', 'G':
		if d.exp > 0 || left <= -6 {
			dot = 1
		}
	}
	if x := t.Alloc(int(min(abs64(dot)+int64(len(digits)), 1<<40))); x != nil {
		return "", x
	}
	whole, part := splitDigits(digits, dot)
	if part != "" {
		part = "." + part
	}
	exp := left - dot
	if exp != 0 || kind == 'e' || kind == 'E' {
		mark := "e"
		if kind == 'E' || kind == 'G' {
			mark = "E"
		}
		part += mark + signed(exp)
	}
	if p.kind == '%' {
		part += "%"
	}
	lead := signText(sign, p.sign)
	if p.align == 'z' {
		least := int(p.width) - len(part) - len(lead)
		whole = groupDigits(whole, p.thousands, least)
		return lead + whole + part, nil
	}
	return p.pad(lead, groupDigits(whole, p.thousands, 0)+part), nil
}

// roundFor rounds a number to what a presentation shows.
func (c *decimalContext) roundFor(t *thread, d *decimal, kind byte, precision int64) (*decimal, *exception) {
	to := func(digits int64) (*decimal, *exception) {
		if d.isZero() || d.digits() <= digits && kind != 'e' && kind != 'E' {
			return d, nil
		}
		r, _, x := d.rescale(t, d.adjusted()+1-digits, c.round)
		if x != nil {
			return nil, x
		}
		if r.adjusted() != d.adjusted() {
			r, _, x = r.rescale(t, r.adjusted()+1-digits, c.round)
		}
		return r, x
	}
	switch kind {
	case 'e', 'E':
		if precision >= 0 {
			return to(precision + 1)
		}
	case 'f', 'F', '%':
		if precision >= 0 {
			r, _, x := d.rescale(t, -precision, c.round)
			return r, x
		}
		if d.isZero() && d.exp > 0 {
			return finite(d.neg, d.coef, 0), nil
		}
	case 'g', 'G':
		if precision >= 0 {
			return to(max(precision, 1))
		}
	}
	return d, nil
}

func signText(neg bool, style byte) string {
	switch {
	case neg:
		return "-"
	case style == '+' || style == ' ':
		return string(style)
	}
	return ""
}

// groupDigits puts commas between thousands, and zeros in front up to a width.
func groupDigits(s string, commas bool, width int) string {
	if !commas {
		return strings.Repeat("0", max(width-len(s), 0)) + s
	}
	var groups []string
	for {
		n := min(max(len(s), width, 1), 3)
		zeros := max(n-len(s), 0)
		cut := max(len(s)-n, 0)
		groups = append(groups, strings.Repeat("0", zeros)+s[cut:])
		s = s[:cut]
		width -= n
		if s == "" && width <= 0 {
			break
		}
		width--
	}
	for i, j := 0, len(groups)-1; i < j; i, j = i+1, j-1 {
		groups[i], groups[j] = groups[j], groups[i]
	}
	return strings.Join(groups, ",")
}

// pad aligns a number in the width.
func (p decimalSpec) pad(sign, body string) string {
	n := int(p.width) - len(sign) - len(body)
	if n <= 0 {
		return sign + body
	}
	fill := func(n int) string { return strings.Repeat(p.fill, n) }
	switch p.align {
	case '<':
		return sign + body + fill(n)
	case '=':
		return sign + fill(n) + body
	case '^':
		return fill(n/2) + sign + body + fill(n-n/2)
	}
	return fill(n) + sign + body
}
