package module

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/sandbox/regex"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// format is strftime, in the C locale.
func (s *stamp) format(t *thread, f string) (string, *exception) {
	y, m, d := s.y, s.m, s.d
	if !s.hasDate() {
		y, m, d = 1900, 1, 1
	}
	var b strings.Builder
	for i := 0; i < len(f); i++ {
		if x := t.Charge(1); x != nil {
			return "", x
		}
		if x := t.Alloc(8); x != nil {
			return "", x
		}
		if f[i] != '%' || i+1 == len(f) {
			b.WriteByte(f[i])
			continue
		}
		i++
		bare := false
		if f[i] == '-' && i+1 < len(f) {
			bare = true
			i++
		}
		n := func(v, width int) {
			if bare {
				width = 0
			}
			fmt.Fprintf(&b, "%0*d", width, v)
		}
		o := ordinal(y, m, d)
		doy := int(o-ordinal(y, 1, 1)) + 1
		switch f[i] {
		case 'a':
			b.WriteString(dayNames[weekday(o)][:3])
		case 'A':
			b.WriteString(dayNames[weekday(o)])
		case 'w':
			n((weekday(o)+1)%7, 1)
		case 'u':
			n(weekday(o)+1, 1)
		case 'd':
			n(d, 2)
		case 'e':
			fmt.Fprintf(&b, "%2d", d)
		case 'b', 'h':
			b.WriteString(monthNames[m-1][:3])
		case 'B':
			b.WriteString(monthNames[m-1])
		case 'm':
			n(m, 2)
		case 'y':
			n(y%100, 2)
		case 'Y':
			n(y, 1)
		case 'C':
			n(y/100, 2)
		case 'H':
			n(s.h, 2)
		case 'I':
			n((s.h+11)%12+1, 2)
		case 'p':
			b.WriteString(map[bool]string{true: "PM", false: "AM"}[s.h >= 12])
		case 'M':
			n(s.mi, 2)
		case 'S':
			n(s.s, 2)
		case 'f':
			fmt.Fprintf(&b, "%06d", s.us)
		case 'j':
			n(doy, 3)
		case 'U':
			n((doy+6-(weekday(o)+1)%7)/7, 2)
		case 'W':
			n((doy+6-weekday(o))/7, 2)
		case 'G', 'V', 'g':
			iy, w, _ := isoWeek(y, m, d)
			switch f[i] {
			case 'G':
				n(iy, 1)
			case 'g':
				n(iy%100, 2)
			default:
				n(w, 2)
			}
		case 'z':
			if off, ok := s.offset(); ok {
				b.WriteString(offsetText(off, ""))
			}
		case 'Z':
			name, _ := s.zoneName()
			b.WriteString(name)
		case 'c', 'x', 'X', 'D', 'F', 'T', 'R', 'r':
			long := map[byte]string{'c': "%a %b %e %H:%M:%S %Y", 'x': "%m/%d/%y", 'X': "%H:%M:%S", 'D': "%m/%d/%y", 'F': "%Y-%m-%d", 'T': "%H:%M:%S", 'R': "%H:%M", 'r': "%I:%M:%S %p"}[f[i]]
			part, x := s.format(t, long)
			if x != nil {
				return "", x
			}
			b.WriteString(part)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '%':
			b.WriteByte('%')
		default:
			b.WriteByte('%')
			if bare {
				b.WriteByte('-')
			}
			b.WriteByte(f[i])
		}
	}
	return b.String(), nil
}

// formatPatterns are what strptime takes for each directive.
var formatPatterns = map[byte]string{
	'd': `(?P<d>3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9])`, 'f': `(?P<f>[0-9]{1,6})`, 'H': `(?P<H>2[0-3]|[0-1]\d|\d)`, 'I': `(?P<I>1[0-2]|0[1-9]|[1-9])`,
	'j': `(?P<j>36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9])`, 'm': `(?P<m>1[0-2]|0[1-9]|[1-9])`, 'M': `(?P<M>[0-5]\d|\d)`,
	'S': `(?P<S>6[0-1]|[0-5]\d|\d)`, 'y': `(?P<y>\d\d)`, 'Y': `(?P<Y>\d\d\d\d)`,
	'z': `(?P<z>[+-]\d\d:?[0-5]\d(:?[0-5]\d(\.\d{1,6})?)?|(?-i:Z))`, 'Z': `(?P<Z>utc|gmt|utc)`, 'p': `(?P<p>am|pm)`, '%': `%`,
	'a': `(?P<a>mon|tue|wed|thu|fri|sat|sun)`, 'A': `(?P<A>wednesday|thursday|saturday|tuesday|monday|friday|sunday)`,
	'b': `(?P<b>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`, 'B': `(?P<B>september|february|november|december|january|october|august|march|april|june|july|may)`,
}

// parseFormat is strptime.
func parseFormat(t *thread, text, format value) (*stamp, *exception) {
	in, ok := textOf(text)
	if !ok {
		return nil, t.RaiseType("strptime() argument 1 must be str, not %s", nameOf(text))
	}
	f, ok := textOf(format)
	if !ok {
		return nil, t.RaiseType("strptime() argument 2 must be str, not %s", nameOf(format))
	}
	f = strings.NewReplacer("%D", "%m/%d/%y", "%T", "%H:%M:%S", "%R", "%H:%M", "%F", "%Y-%m-%d", "%X", "%H:%M:%S", "%x", "%m/%d/%y").Replace(f)
	pattern, x := formatPattern(t, f, format)
	if x != nil {
		return nil, x
	}
	p, x := compilePattern(t, object.NewStr(pattern), object.Int(regex.PythonIgnoreCase))
	if x != nil {
		if x.Limit == nil {
			return nil, t.RaiseValue("a directive stands twice in format %s", quoted(t, f))
		}
		return nil, x
	}
	h, x := p.search(t, text)
	if x != nil {
		return nil, x
	}
	m, x := p.find(t, h, (*regex.Matcher).MatchAt, 0, h.n)
	if x != nil {
		return nil, x
	}
	if m == nil {
		return nil, t.RaiseValue("time data %s does not match format %s", quoted(t, in), quoted(t, f))
	}
	if m.spans[1] != h.n {
		return nil, t.RaiseValue("unconverted data remains: %s", h.cut(m.spans[1], h.n))
	}
	fields := map[byte]string{}
	for _, n := range p.program.Names() {
		if g := n.Groups[0]; m.spans[2*g] >= 0 {
			fields[n.Name[0]] = strings.TrimSpace(h.cut(m.spans[2*g], m.spans[2*g+1]))
		}
	}
	return stampFromFields(t, fields)
}

// formatPattern makes the pattern of a format.
func formatPattern(t *thread, f string, format value) (string, *exception) {
	var b strings.Builder
	for i := 0; i < len(f); i++ {
		if x := t.Charge(8); x != nil {
			return "", x
		}
		switch c := f[i]; {
		case c == '%' && i+1 == len(f):
			return "", t.RaiseValue("stray %% in format %s", quoted(t, f))
		case c == '%':
			i++
			r, n := utf8.DecodeRuneInString(f[i:])
			p, ok := formatPatterns[f[i]]
			if !ok || n > 1 {
				s, x := t.Repr(format)
				if x != nil {
					return "", x
				}
				return "", t.RaiseValue("'%s' is a bad directive in format %s", string(r), s)
			}
			b.WriteString(p)
		case c == ' ' || c >= '\t' && c <= '\r':
			for i+1 < len(f) && (f[i+1] == ' ' || f[i+1] >= '\t' && f[i+1] <= '\r') {
				i++
			}
			b.WriteString(`\s+`)
		case strings.IndexByte(`\.^$*+?(){}[]|`, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

// stampFromFields makes a datetime of what strptime has read.
func stampFromFields(t *thread, f map[byte]string) (*stamp, *exception) {
	s := &stamp{class: datetimeClass, y: 1900, m: 1, d: 1, tz: object.None}
	number := func(c byte, to *int) bool {
		v, ok := f[c]
		if ok {
			*to, _ = strconv.Atoi(v)
		}
		return ok
	}
	if number('y', &s.y) {
		if s.y += 1900; s.y < 1969 {
			s.y += 100
		}
	}
	year := number('Y', &s.y)
	if n, ok := f['b']; ok {
		for i, name := range monthNames {
			if strings.EqualFold(name[:3], n) {
				s.m = i + 1
			}
		}
	}
	if n, ok := f['B']; ok {
		for i, name := range monthNames {
			if strings.EqualFold(name, n) {
				s.m = i + 1
			}
		}
	}
	number('m', &s.m)
	number('d', &s.d)
	number('H', &s.h)
	if number('I', &s.h) {
		s.h %= 12
		if strings.EqualFold(f['p'], "pm") {
			s.h += 12
		}
	}
	number('M', &s.mi)
	number('S', &s.s)
	if v, ok := f['f']; ok {
		s.us, _ = strconv.Atoi((v + "000000")[:6])
	}
	if j := 0; number('j', &j) {
		s.y, s.m, s.d = civil(ordinal(s.y, 1, 1) + int64(j-1))
	}
	if v, ok := f['z']; ok {
		micros, ok := parseOffset(v)
		if !ok {
			return nil, t.RaiseValue("Inconsistent use of : in %s", v)
		}
		s.tz = utc
		if micros != 0 {
			s.tz = object.Box(&zone{micros: micros})
		}
	}
	// A leap day without a year is read in a leap year and then refused.
	if s.m == 2 && s.d == 29 && !year && f['y'] == "" {
		s.y = 1900
	}
	return s, s.check(t)
}

// parseOffset reads Z, +HH:MM, +HHMM or +HH, with seconds perhaps.
func parseOffset(v string) (micros int64, ok bool) {
	if v == "Z" || v == "z" {
		return 0, true
	}
	sign := int64(1)
	if v[0] == '-' {
		sign = -1
	}
	rest := v[1:]
	whole, fraction, _ := strings.Cut(rest, ".")
	colons := strings.Count(whole, ":")
	digits := strings.ReplaceAll(whole, ":", "")
	if len(digits)%2 != 0 || len(digits) < 2 || len(digits) > 6 || colons > 0 && colons != len(digits)/2-1 {
		return 0, false
	}
	unit := int64(3600)
	for i := 0; i < len(digits); i += 2 {
		n, err := strconv.Atoi(digits[i : i+2])
		if err != nil || i > 0 && n > 59 || n > 23 && i == 0 {
			return 0, false
		}
		micros += int64(n) * unit * 1000000
		unit /= 60
	}
	if fraction != "" {
		n, err := strconv.Atoi((fraction + "000000")[:6])
		if err != nil {
			return 0, false
		}
		micros += int64(n)
	}
	return sign * micros, true
}

// parseISO reads what fromisoformat takes: ISO 8601 dates, week dates too, and
// times.
func parseISO(text string, c *class) (*stamp, bool) {
	s := &stamp{class: c, tz: object.None}
	if c != timeClass {
		n, ok := s.parseDate(text)
		if !ok {
			return nil, false
		}
		if text = text[n:]; text == "" {
			return s, true
		}
		if c == dateClass {
			return nil, false
		}
		_, w := utf8.DecodeRuneInString(text)
		if text = text[w:]; text == "" {
			return nil, false
		}
	} else {
		text = strings.TrimPrefix(text, "T")
	}
	return s, s.parseTime(text)
}

func digitsOf(s string, n int) (int, bool) {
	if len(s) < n {
		return 0, false
	}
	v := 0
	for i := range n {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		v = v*10 + int(s[i]-'0')
	}
	return v, true
}

// parseDate reads YYYY-MM-DD, YYYYMMDD, YYYY-Www-D or YYYYWwwD and tells how many
// bytes it took.
func (s *stamp) parseDate(text string) (n int, ok bool) {
	if s.y, ok = digitsOf(text, 4); !ok {
		return 0, false
	}
	n = 4
	dash := strings.HasPrefix(text[n:], "-")
	if dash {
		n++
	}
	if strings.HasPrefix(text[n:], "W") {
		week, ok := digitsOf(text[n+1:], 2)
		if !ok {
			return 0, false
		}
		n += 3
		day := 1
		switch rest := text[n:]; {
		case dash && len(rest) > 1 && rest[0] == '-':
			if day, ok = digitsOf(rest[1:], 1); !ok {
				return 0, false
			}
			n += 2
		case !dash && rest != "":
			if d, ok := digitsOf(rest, 1); ok {
				day = d
				n++
			}
		}
		if s.y < 1 || week < 1 || week > 53 || week == 53 && !hasWeek53(s.y) || day < 1 || day > 7 {
			return 0, false
		}
		first := ordinal(s.y, 1, 4)
		s.y, s.m, s.d = civil(first - int64(weekday(first)) + int64((week-1)*7+day-1))
		return n, true
	}
	if s.m, ok = digitsOf(text[n:], 2); !ok {
		return 0, false
	}
	n += 2
	if dash {
		if !strings.HasPrefix(text[n:], "-") {
			return 0, false
		}
		n++
	}
	s.d, ok = digitsOf(text[n:], 2)
	return n + 2, ok
}

// parseTime reads HH[:MM[:SS[.fff[fff]]]] or without colons, and an offset.
func (s *stamp) parseTime(text string) bool {
	clock, zoneText := text, ""
	if i := strings.IndexAny(text, "+-Z"); i >= 0 {
		clock, zoneText = text[:i], text[i:]
	}
	if zoneText != "" {
		if len(zoneText) == 1 && zoneText != "Z" || zoneText[0] == 'Z' && len(zoneText) > 1 {
			return false
		}
		micros, ok := parseOffset(zoneText)
		if !ok {
			return false
		}
		s.tz = utc
		if micros != 0 {
			s.tz = object.Box(&zone{micros: micros})
		}
	}
	var ok bool
	if s.h, ok = digitsOf(clock, 2); !ok {
		return false
	}
	clock = clock[2:]
	colon := strings.HasPrefix(clock, ":")
	for _, p := range []*int{&s.mi, &s.s} {
		if clock == "" {
			return true
		}
		if colon {
			if clock[0] != ':' {
				return false
			}
			clock = clock[1:]
		}
		if *p, ok = digitsOf(clock, 2); !ok {
			return false
		}
		clock = clock[2:]
	}
	if clock == "" {
		return true
	}
	if clock[0] != '.' && clock[0] != ',' || len(clock) < 2 {
		return false
	}
	for _, c := range []byte(clock[1:]) {
		if c < '0' || c > '9' {
			return false
		}
	}
	s.us, _ = strconv.Atoi((clock[1:] + "000000")[:6])
	return true
}
