package module

import (
	"errors"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/sandbox/regex"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// pattern is re.Pattern.
type pattern struct {
	object.Obj
	source  value // the pattern as written
	bytes   bool
	flags   int
	program *regex.Program
	// template is the replacement parsed last, which a loop uses again.
	template     []regex.TemplatePart
	templateText string
	hasTemplate  bool
}

// Class is re.Pattern.
func (*pattern) Class() *class { return patternClass }

var (
	patternClass = defineIn("re", "Pattern")
	regexError   = object.Define("error", object.ExceptionClass)
)

// patternKey is what compiled patterns are kept under.
type patternKey struct {
	text  string
	flags int
	bytes bool
}

// keptPatterns is how many compiled patterns a session keeps.
const keptPatterns = 200

// compilePattern gives the pattern of a str, bytes or pattern.
func compilePattern(t *thread, v, flags value) (*pattern, *exception) {
	bits := int64(0)
	if flags.IsSet() {
		var x *exception
		if bits, x = integer(t, flags); x != nil {
			return nil, x
		}
	}
	if p, ok := v.Native().(*pattern); ok {
		if bits != 0 {
			return nil, t.RaiseValue("cannot process flags argument with a compiled pattern")
		}
		return p, nil
	}
	text, isBytes, ok := subject(v)
	if !ok {
		if t.Hashable(v) {
			return nil, t.RaiseType("first argument must be string or compiled pattern")
		}
		return nil, t.RaiseType("unhashable type: '%s'", nameOf(v))
	}
	l := libraryOf(t)
	key := patternKey{text, int(bits), isBytes}
	if p, ok := l.patterns[key]; ok {
		return p, t.Charge(4)
	}
	runes, x := subjectRunes(t, text, isBytes)
	if x != nil {
		return nil, x
	}
	limits := regex.DefaultLimits()
	limits.Meter = t.Meter
	program, all, err := regex.CompilePython(runes, int(bits), isBytes, limits)
	if err != nil {
		return nil, patternError(t, v, err)
	}
	p := &pattern{source: v.Base(), bytes: isBytes, flags: all, program: program}
	if len(l.patterns) >= keptPatterns {
		clear(l.patterns)
	}
	if l.patterns == nil {
		l.patterns = map[patternKey]*pattern{}
	}
	l.patterns[key] = p
	return p, nil
}

// patternError makes the exception of a pattern that does not compile.
func patternError(t *thread, source value, err error) *exception {
	var e *regex.PythonError
	if !errors.As(err, &e) {
		return object.Limit(err)
	}
	switch e.Kind {
	case "ValueError":
		return t.RaiseValue("%s", e.Error())
	case "OverflowError":
		return t.Raise(object.OverflowError, "%s", e.Error())
	case "IndexError":
		return t.Raise(object.IndexError, "%s", e.Error())
	}
	x := t.Raise(regexError, "%s", e.Error())
	x.Attrs = object.NewDict()
	pos, line, column := object.None, object.None, object.None
	if e.At >= 0 {
		l, c := e.Position()
		pos, line, column = object.Int(int64(e.At)), object.Int(int64(l)), object.Int(int64(c))
	} else {
		source = object.None
	}
	for i, n := range []string{"msg", "pattern", "pos", "lineno", "colno"} {
		if y := x.Attrs.SetName(t, n, []value{object.NewStr(e.Text), source.Base(), pos, line, column}[i]); y != nil {
			return y
		}
	}
	return x
}

// subject gives the text of a str or the bytes of a bytes.
func subject(v value) (text string, isBytes, ok bool) {
	if s, ok := textOf(v); ok {
		return s, false, true
	}
	if b, ok := v.Base().Bytes(); ok {
		return b.String(), true, true
	}
	return "", false, false
}

// subjectRunes gives a character for each code point, or for each byte.
func subjectRunes(t *thread, text string, isBytes bool) ([]rune, *exception) {
	if x := t.Alloc(4 * len(text)); x != nil {
		return nil, x
	}
	if !isBytes {
		return object.Runes(text), nil
	}
	out := make([]rune, len(text))
	for i := range len(text) {
		out[i] = rune(text[i])
	}
	return out, nil
}

// haystack is a text being searched. Its places count code points.
type haystack struct {
	v     value
	text  string
	bytes bool
	runes []rune // nil for a text of one byte a character
	n     int
}

// search makes a haystack of an argument.
func (p *pattern) search(t *thread, v value) (*haystack, *exception) {
	text, isBytes, ok := subject(v)
	switch {
	case !ok:
		return nil, t.RaiseType("expected string or bytes-like object, got '%s'", nameOf(v))
	case isBytes && !p.bytes:
		return nil, t.RaiseType("cannot use a string pattern on a bytes-like object")
	case !isBytes && p.bytes:
		return nil, t.RaiseType("cannot use a bytes pattern on a string-like object")
	}
	h := &haystack{v: v, text: text, bytes: isBytes, n: len(text)}
	if isASCIIText(text) {
		return h, t.Charge(int64(len(text) >> 6))
	}
	var x *exception
	h.runes, x = subjectRunes(t, text, isBytes)
	h.n = len(h.runes)
	return h, x
}

func isASCIIText(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// input is the part up to end.
func (h *haystack) input(end int) regex.Input {
	if h.runes != nil {
		return regex.Runes(h.runes[:end])
	}
	return regex.ASCII(h.text[:end])
}

// cut gives a part as text.
func (h *haystack) cut(from, to int) string {
	switch {
	case h.runes == nil:
		return h.text[from:to]
	case h.bytes:
		return h.text[from:to]
	}
	return object.FromRunes(h.runes[from:to])
}

// slice gives a part as a value.
func (h *haystack) slice(t *thread, from, to int) (value, *exception) {
	if x := t.Charge(int64((to - from) >> 4)); x != nil {
		return value{}, x
	}
	if from == 0 && to == h.n {
		return h.v.Base(), nil
	}
	return h.make(t, h.cut(from, to))
}

// make gives a text as a value of the haystack's class.
func (h *haystack) make(t *thread, s string) (value, *exception) {
	if h.bytes {
		return t.Data(s)
	}
	return t.Text(s)
}

// finder is one of the ways to look for a match.
type finder func(x *regex.Matcher, p *regex.Program, in regex.Input, at int, m *sandbox.Meter) ([]int, bool, error)

// find looks for a match; nil if there is none.
func (p *pattern) find(t *thread, h *haystack, how finder, at, end int) (*match, *exception) {
	x := &libraryOf(t).matcher
	captures, ok, err := how(x, p.program, h.input(end), at, t.Meter)
	if err != nil {
		return nil, object.Limit(err)
	}
	if !ok {
		return nil, nil
	}
	if y := t.Alloc(120 + 8*len(captures)); y != nil {
		return nil, y
	}
	return &match{re: p, in: h, spans: append([]int(nil), captures...), last: x.Last(), end: end}, nil
}

// each calls fn for every match between two places, as finditer finds them,
// until it says stop.
func (p *pattern) each(t *thread, h *haystack, at, end int, fn func(m *match) (stop bool, raised *exception)) *exception {
	how := finder((*regex.Matcher).Find)
	for {
		m, x := p.find(t, h, how, at, end)
		if x != nil || m == nil {
			return x
		}
		if stop, x := fn(m); stop || x != nil {
			return x
		}
		at, how = m.spans[1], (*regex.Matcher).Find
		if m.spans[0] == m.spans[1] {
			how = (*regex.Matcher).FindNext
		}
	}
}

// bounds reads pos and endpos.
func bounds(t *thread, a []value, i, n int) (pos, end int, raised *exception) {
	end = n
	clamp := func(v value) (int, *exception) {
		k, x := t.Index(v)
		if x != nil {
			return 0, x
		}
		j, ok := k.Int()
		if !ok {
			if isNegative(k) {
				return 0, nil
			}
			return n, nil
		}
		return int(max(0, min(j, int64(n)))), nil
	}
	if v, ok := given(a, i); ok {
		if pos, raised = clamp(v); raised != nil {
			return 0, 0, raised
		}
	}
	if v, ok := given(a, i+1); ok {
		if end, raised = clamp(v); raised != nil {
			return 0, 0, raised
		}
	}
	return pos, end, nil
}

// patternText is the repr of a pattern.
func patternText(t *thread, p *pattern) (string, *exception) {
	s, x := t.Repr(p.source)
	if x != nil {
		return "", x
	}
	flags := int64(p.flags)
	if !p.bytes {
		flags &^= regex.PythonUnicode
	}
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200])
	}
	if f := flagText(flags); f != "" {
		return "re.compile(" + s + ", " + f + ")", nil
	}
	return "re.compile(" + s + ")", nil
}

// escapeText is re.escape.
func escapeText(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
