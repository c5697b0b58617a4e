package object

import (
	"math"
	"strings"
	"unicode/utf8"
)

// percentField is one conversion of printf-style formatting.
type percentField struct {
	key                      string
	hasKey                   bool
	minus, plus, space, zero bool
	alternate                bool
	width                    int
	precision                int // -1 if not given
	kind                     rune
}

// percentArgs hands out the arguments of a format.
type percentArgs struct {
	items []Value
	tuple bool
	value Value
	next  int
}

func (t *Thread) percentNext(a *percentArgs) (Value, *Exception) {
	if a.next >= len(a.items) {
		return Value{}, t.RaiseType("not enough arguments for format string")
	}
	a.next++
	return a.items[a.next-1], nil
}

// percent is format % args.
func (t *Thread) percent(format string, args Value) (Value, *Exception) {
	a := &percentArgs{value: args, items: []Value{args}}
	if u, ok := TupleOf(args); ok {
		a.tuple, a.items = true, u.items
	}
	defer t.Built(t.Building())
	var out strings.Builder
	usedKeys := false
	for i := 0; i < len(format); {
		j := strings.IndexByte(format[i:], '%')
		if j < 0 {
			out.WriteString(format[i:])
			break
		}
		out.WriteString(format[i : i+j])
		i += j + 1
		start := i
		f, n, x := t.parsePercent(format, i, a)
		if x != nil {
			return Value{}, x
		}
		at := n - 1
		i = n
		if f.kind == '%' && at == start {
			out.WriteByte('%')
			continue
		}
		usedKeys = usedKeys || f.hasKey
		v, x := t.percentValue(f, a)
		if x != nil {
			return Value{}, x
		}
		s, x := t.percentField(f, v, at)
		if x != nil {
			return Value{}, x
		}
		if x := t.Build(2 * len(s)); x != nil {
			return Value{}, x
		}
		out.WriteString(s)
	}
	if !usedKeys && a.next < len(a.items) && (a.tuple || !isMapping(args)) {
		return Value{}, t.RaiseType("not all arguments converted during string formatting")
	}
	return t.Text(out.String())
}

// isMapping reports whether a right operand of % may stay unused.
func isMapping(v Value) bool {
	switch v.Base().Kind() {
	case KindTuple, KindStr:
		return false
	case KindDict, KindList, KindBytes, KindRange:
		return true
	}
	return v.Class().slots.GetItem != nil
}

func (t *Thread) percentValue(f percentField, a *percentArgs) (Value, *Exception) {
	if !f.hasKey {
		return t.percentNext(a)
	}
	if a.tuple || !isMapping(a.value) {
		return Value{}, t.RaiseType("format requires a mapping")
	}
	return t.GetItem(a.value, NewStr(f.key))
}

// parsePercent reads a conversion whose percent sign stands before i, and gives
// the position behind it.
func (t *Thread) parsePercent(format string, i int, a *percentArgs) (percentField, int, *Exception) {
	f := percentField{precision: -1}
	incomplete := func() *Exception { return t.RaiseValue("incomplete format") }
	if i < len(format) && format[i] == '(' {
		depth, start := 1, i+1
		for i++; i < len(format) && depth > 0; i++ {
			switch format[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		if depth > 0 {
			return f, 0, t.RaiseValue("incomplete format key")
		}
		f.key, f.hasKey = format[start:i-1], true
	}
flags:
	for ; i < len(format); i++ {
		switch format[i] {
		case '-':
			f.minus = true
		case '+':
			f.plus = true
		case ' ':
			f.space = true
		case '0':
			f.zero = true
		case '#':
			f.alternate = true
		default:
			break flags
		}
	}
	star := func() (int, *Exception) {
		v, x := t.percentNext(a)
		if x != nil {
			return 0, x
		}
		n, ok := v.integral()
		if !ok {
			return 0, t.RaiseType("* wants int")
		}
		return int(n), nil
	}
	var x *Exception
	if i < len(format) && format[i] == '*' {
		if f.width, x = star(); x != nil {
			return f, 0, x
		}
		if f.width < 0 {
			f.minus, f.width = true, -f.width
		}
		i++
	} else {
		rest := format[i:]
		if f.width, rest, x = t.specNumber(rest, 0); x != nil || f.width > maxWidth {
			return f, 0, t.RaiseValue("width too big")
		}
		i = len(format) - len(rest)
	}
	if i < len(format) && format[i] == '.' {
		i++
		f.precision = 0
		if i < len(format) && format[i] == '*' {
			if f.precision, x = star(); x != nil {
				return f, 0, x
			}
			f.precision = max(f.precision, 0)
			i++
		} else {
			rest := format[i:]
			if f.precision, rest, x = t.specNumber(rest, 0); x != nil || f.precision > maxWidth {
				return f, 0, t.RaiseValue("precision too big")
			}
			i = len(format) - len(rest)
		}
	}
	if i < len(format) && (format[i] == 'h' || format[i] == 'l' || format[i] == 'L') {
		i++
	}
	if i >= len(format) {
		return f, 0, incomplete()
	}
	r, n := decodeRune(format[i:])
	f.kind = r
	return f, i + n, nil
}

// percentField converts one value; at is the position of the conversion's letter.
func (t *Thread) percentField(f percentField, v Value, at int) (string, *Exception) {
	switch f.kind {
	case 's', 'r', 'a':
		return t.percentText(f, v)
	case 'd', 'i', 'u', 'o', 'x', 'X':
		return t.percentInt(f, v)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return t.percentFloat(f, v)
	case 'c':
		return t.percentChar(f, v)
	}
	return "", t.RaiseValue("unsupported format character '%s' (0x%x) at index %d", runeText(f.kind), f.kind, at)
}

func (t *Thread) percentText(f percentField, v Value) (string, *Exception) {
	var s string
	var x *Exception
	switch f.kind {
	case 's':
		s, x = t.Str(v)
	case 'r':
		s, x = t.Repr(v)
	default:
		s, x = t.Ascii(v)
	}
	if x != nil {
		return "", x
	}
	n := countRunes(s)
	if f.precision >= 0 && f.precision < n {
		u := Str{s: s, n: n}
		s, n = s[:u.offset(f.precision)], f.precision
	}
	return t.percentPad(f, s, n)
}

func (t *Thread) percentPad(f percentField, s string, n int) (string, *Exception) {
	p := spec{width: f.width, align: '>'}
	if f.minus {
		p.align = '<'
	}
	return t.pad(s, n, p, '>')
}

func (t *Thread) percentInt(f percentField, v Value) (string, *Exception) {
	n := v.Base()
	if fl, ok := n.Float(); ok && (f.kind == 'd' || f.kind == 'i' || f.kind == 'u') {
		if math.IsNaN(fl) {
			return "", t.RaiseValue("cannot convert float NaN to integer")
		}
		if math.IsInf(fl, 0) {
			return "", t.Raise(OverflowError, "cannot convert float infinity to integer")
		}
		n = truncate(fl)
	}
	if !isInteger(n) {
		c := v.Class()
		var x *Exception
		switch {
		case (f.kind == 'o' || f.kind == 'x' || f.kind == 'X') && c.slots.Index != nil:
			n, x = t.Index(v)
		case f.kind != 'o' && f.kind != 'x' && f.kind != 'X' && c.slots.ToInt != nil:
			n, x = c.slots.ToInt(t, v)
		case f.kind == 'o' || f.kind == 'x' || f.kind == 'X':
			return "", t.RaiseType("%%%c format: an integer is required, not %s", f.kind, c.Name)
		default:
			return "", t.RaiseType("%%%c format: a real number is required, not %s", f.kind, c.Name)
		}
		if x != nil {
			return "", x
		}
	}
	kind := byte(f.kind)
	if kind == 'i' || kind == 'u' {
		kind = 'd'
	}
	digits, x := t.intDigits(n, kind)
	if x != nil {
		return "", x
	}
	negative := strings.HasPrefix(digits, "-")
	digits = strings.TrimPrefix(digits, "-")
	if k := f.precision - len(digits); k > 0 {
		if x := t.room(int64(k), 1); x != nil {
			return "", x
		}
		digits = strings.Repeat("0", k) + digits
	}
	prefix := ""
	if f.alternate {
		prefix = map[byte]string{'o': "0o", 'x': "0x", 'X': "0X"}[kind]
	}
	return t.percentNumber(f, digits, prefix, negative)
}

func (t *Thread) percentFloat(f percentField, v Value) (string, *Exception) {
	fl, x := t.ToFloat(v)
	if x != nil {
		return "", x
	}
	if x := t.room(int64(max(f.precision, 0)), 1); x != nil {
		return "", x
	}
	s := floatDigits(fl, spec{kind: byte(f.kind), precision: f.precision, alternate: f.alternate})
	negative := strings.HasPrefix(s, "-")
	return t.percentNumber(f, strings.TrimPrefix(s, "-"), "", negative)
}

// percentNumber adds the sign and the padding.
func (t *Thread) percentNumber(f percentField, digits, prefix string, negative bool) (string, *Exception) {
	head := prefix
	switch {
	case negative:
		head = "-" + prefix
	case f.plus:
		head = "+" + prefix
	case f.space:
		head = " " + prefix
	}
	if f.zero && !f.minus {
		if n := f.width - len(head) - len(digits); n > 0 {
			if x := t.room(int64(n), 1); x != nil {
				return "", x
			}
			digits = strings.Repeat("0", n) + digits
		}
	}
	return t.percentPad(f, head+digits, len(head)+len(digits))
}

func (t *Thread) percentChar(f percentField, v Value) (string, *Exception) {
	if s, ok := StrOf(v); ok {
		if s.Len() != 1 {
			return "", t.RaiseType("%s", "%c requires int or char")
		}
		return t.percentPad(f, s.s, 1)
	}
	if !hasIndex(t, v) {
		return "", t.RaiseType("%s", "%c requires int or char")
	}
	i, x := t.Index(v)
	if x != nil {
		return "", x
	}
	n, ok := i.Int()
	if !ok || n < 0 || n > utf8.MaxRune {
		return "", t.Raise(OverflowError, "%s", "%c arg not in range(0x110000)")
	}
	return t.percentPad(f, runeText(rune(n)), 1)
}

// Ascii is ascii(v).
func (t *Thread) Ascii(v Value) (string, *Exception) {
	s, x := t.Repr(v)
	if x != nil {
		return "", x
	}
	return escapeAll(s), nil
}

// escapeAll escapes what is not ASCII.
func escapeAll(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := decodeRune(s[i:])
		if r < 0x80 {
			b.WriteByte(s[i])
		} else {
			escapeRune(&b, r, 0)
		}
		i += n
	}
	return b.String()
}
