package module

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// jsonReader reads JSON as the json module does.
type jsonReader struct {
	jsonHooks
	s     string
	i     int
	depth int
	keys  map[string]value // each key is made once
}

// jsonHooks are the arguments of json.loads.
type jsonHooks struct {
	object.Obj
	object, float, integer, constant, pairs value
	strict                                  bool
}

// Class is json.JSONDecoder.
func (*jsonHooks) Class() *class { return jsonDecoderClass }

func readJSONHooks(t *thread, a []value) (h jsonHooks, raised *exception) {
	for i, to := range []*value{&h.object, &h.float, &h.integer, &h.constant, &h.pairs} {
		if v, ok := optional(a, i); ok {
			*to = v
		}
	}
	h.strict, raised = truth(t, a, 5, true)
	return h, raised
}

// jsonLoads is json.loads.
func jsonLoads(t *thread, s string, h jsonHooks) (value, *exception) {
	if strings.HasPrefix(s, "\ufeff") {
		return raised(jsonError(t, "Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0))
	}
	r := jsonReader{jsonHooks: h, s: s}
	r.space()
	v, x := r.value(t)
	if x != nil {
		return value{}, x
	}
	if r.space(); r.i < len(s) {
		return raised(jsonError(t, "Extra data", s, r.i))
	}
	return v, nil
}

// jsonError makes a JSONDecodeError of a place, in bytes.
func jsonError(t *thread, msg, doc string, at int) *exception {
	at = min(at, len(doc))
	if x := t.Charge(int64(at >> 3)); x != nil {
		return x
	}
	line := strings.Count(doc[:at], "\n") + 1
	pos := runeCount(doc[:at])
	column := pos + 1
	if nl := strings.LastIndexByte(doc[:at], '\n'); nl >= 0 {
		column = runeCount(doc[nl+1:at]) + 1
	}
	text := msg + ": line " + strconv.Itoa(line) + " column " + strconv.Itoa(column) + " (char " + strconv.Itoa(pos) + ")"
	x := object.NewException(jsonErrorClass, object.NewStr(text))
	x.Attrs = object.NewDict()
	for _, e := range []struct {
		name string
		v    value
	}{{"msg", object.NewStr(msg)}, {"doc", object.NewStr(doc)}, {"pos", object.Int(int64(pos))}, {"lineno", object.Int(int64(line))}, {"colno", object.Int(int64(column))}} {
		if y := x.Attrs.SetName(t, e.name, e.v); y != nil {
			return y
		}
	}
	return x
}

// runeCount counts code points, lone surrogates included.
func runeCount(s string) int {
	n := 0
	for i := range len(s) {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

func (r *jsonReader) fail(t *thread, msg string, at int) *exception {
	return jsonError(t, msg, r.s, at)
}

func (r *jsonReader) space() {
	for r.i < len(r.s) && (r.s[r.i] == ' ' || r.s[r.i] == '\n' || r.s[r.i] == '\t' || r.s[r.i] == '\r') {
		r.i++
	}
}

func (r *jsonReader) value(t *thread) (value, *exception) {
	if x := t.Charge(2); x != nil {
		return value{}, x
	}
	if r.i >= len(r.s) {
		return raised(r.fail(t, "Expecting value", r.i))
	}
	switch c := r.s[r.i]; c {
	case '"':
		s, x := r.text(t)
		if x != nil {
			return value{}, x
		}
		return t.Text(s)
	case '{', '[':
		return r.container(t, c)
	case 'n', 't', 'f', 'N', 'I':
		return r.word(t)
	}
	return r.number(t)
}

func (r *jsonReader) container(t *thread, c byte) (value, *exception) {
	if r.depth++; r.depth > maxJSONDepth {
		kind := "array"
		if c == '{' {
			kind = "object"
		}
		return raised(t.Raise(object.RecursionError, "maximum recursion depth exceeded while decoding a JSON %s from a unicode string", kind))
	}
	r.i++
	r.space()
	read := r.array
	if c == '{' {
		read = r.dict
	}
	v, x := read(t)
	r.depth--
	return v, x
}

func (r *jsonReader) peek() byte {
	if r.i < len(r.s) {
		return r.s[r.i]
	}
	return 0
}

func (r *jsonReader) array(t *thread) (value, *exception) {
	v, x := t.List(nil)
	if x != nil {
		return value{}, x
	}
	l, _ := v.List()
	defer t.Unpin(t.Pin(v))
	if r.peek() == ']' {
		r.i++
		return v, nil
	}
	for {
		e, x := r.value(t)
		if x != nil {
			return value{}, x
		}
		if x := l.Append(t, e); x != nil {
			return value{}, x
		}
		r.space()
		switch r.peek() {
		case ']':
			r.i++
			return v, nil
		case ',':
			r.i++
			r.space()
		default:
			return raised(r.fail(t, "Expecting ',' delimiter", r.i))
		}
	}
}

func (r *jsonReader) dict(t *thread) (value, *exception) {
	d, x := t.Dict(0)
	if x != nil {
		return value{}, x
	}
	defer t.Unpin(t.Pin(d.Value()))
	var pairs []value
	for first := true; ; first = false {
		if first && r.peek() == '}' {
			r.i++
			break
		}
		if r.peek() != '"' {
			return raised(r.fail(t, "Expecting property name enclosed in double quotes", r.i))
		}
		k, x := r.key(t)
		if x != nil {
			return value{}, x
		}
		r.space()
		if r.peek() != ':' {
			return raised(r.fail(t, "Expecting ':' delimiter", r.i))
		}
		r.i++
		r.space()
		e, x := r.value(t)
		if x != nil {
			return value{}, x
		}
		if r.pairs.IsSet() {
			p, x := t.Tuple(k, e)
			if x != nil {
				return value{}, x
			}
			t.Pin(p)
			pairs = append(pairs, p)
		} else if x := d.Set(t, k, e); x != nil {
			return value{}, x
		}
		r.space()
		if r.peek() == '}' {
			r.i++
			break
		}
		if r.peek() != ',' {
			return raised(r.fail(t, "Expecting ',' delimiter", r.i))
		}
		r.i++
		r.space()
	}
	switch {
	case r.pairs.IsSet():
		l, x := t.List(pairs)
		if x != nil {
			return value{}, x
		}
		return t.Call(r.pairs, l)
	case r.object.IsSet():
		return t.Call(r.object, d.Value())
	}
	return d.Value(), nil
}

// key reads a name; equal ones are one value.
func (r *jsonReader) key(t *thread) (value, *exception) {
	s, x := r.text(t)
	if x != nil {
		return value{}, x
	}
	if v, ok := r.keys[s]; ok {
		return v, nil
	}
	v, x := t.Text(s)
	if x == nil && len(r.keys) < 256 {
		if r.keys == nil {
			r.keys = map[string]value{}
		}
		r.keys[s] = v
	}
	return v, x
}

// text reads a string from its quote on.
func (r *jsonReader) text(t *thread) (string, *exception) {
	begin := r.i
	r.i++
	start := r.i
	var b []byte
	for {
		for r.i < len(r.s) && r.s[r.i] != '"' && r.s[r.i] != '\\' && (r.s[r.i] >= 0x20 || !r.strict) {
			r.i++
		}
		if x := t.Charge(int64((r.i - start) >> 3)); x != nil {
			return "", x
		}
		if r.i >= len(r.s) {
			return "", r.fail(t, "Unterminated string starting at", begin)
		}
		switch r.s[r.i] {
		case '"':
			s := r.s[start:r.i]
			r.i++
			if b == nil {
				return s, nil
			}
			return string(append(b, s...)), nil
		case '\\':
			if x := t.Alloc(r.i - start + 16); x != nil {
				return "", x
			}
			b = append(b, r.s[start:r.i]...)
			var x *exception
			if b, x = r.escape(t, b, begin); x != nil {
				return "", x
			}
			start = r.i
		default:
			return "", r.fail(t, "Invalid control character at", r.i)
		}
	}
}

// escape reads an escape from its backslash on.
func (r *jsonReader) escape(t *thread, b []byte, begin int) ([]byte, *exception) {
	r.i++
	if r.i >= len(r.s) {
		return nil, r.fail(t, "Unterminated string starting at", begin)
	}
	c := r.s[r.i]
	if c != 'u' {
		k := strings.IndexByte(`"\/bfnrt`, c)
		if k < 0 {
			return nil, r.fail(t, "Invalid \\escape", r.i-1)
		}
		r.i++
		return append(b, "\"\\/\b\f\n\r\t"[k]), nil
	}
	u, ok := r.hex4(r.i + 1)
	if !ok || r.i+5 >= len(r.s) {
		return nil, r.fail(t, "Invalid \\uXXXX escape", r.i)
	}
	r.i += 5
	if u >= 0xD800 && u < 0xDC00 && strings.HasPrefix(r.s[r.i:], `\u`) {
		if low, ok := r.hex4(r.i + 2); ok && low >= 0xDC00 && low < 0xE000 {
			r.i += 6
			u = 0x10000 + (u-0xD800)<<10 + (low - 0xDC00)
		}
	}
	return append(b, object.FromRunes([]rune{u})...), nil
}

func (r *jsonReader) hex4(at int) (rune, bool) {
	if at+4 > len(r.s) {
		return 0, false
	}
	n := rune(0)
	for _, c := range []byte(r.s[at : at+4]) {
		d := hexValue(c)
		if d < 0 {
			return 0, false
		}
		n = n<<4 | rune(d)
	}
	return n, true
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// word reads a constant.
func (r *jsonReader) word(t *thread) (value, *exception) {
	for _, w := range []struct {
		text string
		v    value
	}{{"null", object.None}, {"true", object.True}, {"false", object.False}} {
		if strings.HasPrefix(r.s[r.i:], w.text) {
			r.i += len(w.text)
			return w.v, nil
		}
	}
	for _, w := range []string{"NaN", "Infinity"} {
		if strings.HasPrefix(r.s[r.i:], w) {
			r.i += len(w)
			return r.constantValue(t, w)
		}
	}
	return raised(r.fail(t, "Expecting value", r.i))
}

func (r *jsonReader) constantValue(t *thread, w string) (value, *exception) {
	if r.constant.IsSet() {
		return t.Call(r.constant, object.NewStr(w))
	}
	switch w {
	case "NaN":
		return object.Float(math.NaN()), nil
	case "Infinity":
		return object.Float(math.Inf(1)), nil
	}
	return object.Float(math.Inf(-1)), nil
}

// number reads a number; what is none is no value either.
func (r *jsonReader) number(t *thread) (value, *exception) {
	i := r.i
	digits := func() int {
		n := i
		for i < len(r.s) && r.s[i] >= '0' && r.s[i] <= '9' {
			i++
		}
		return i - n
	}
	if r.s[i] == '-' {
		if strings.HasPrefix(r.s[i:], "-Infinity") {
			r.i += len("-Infinity")
			return r.constantValue(t, "-Infinity")
		}
		i++
	}
	if i < len(r.s) && r.s[i] == '0' {
		i++
	} else if digits() == 0 {
		return raised(r.fail(t, "Expecting value", r.i))
	}
	end, isFloat := i, false
	if i < len(r.s) && r.s[i] == '.' {
		i++
		if digits() > 0 {
			end, isFloat = i, true
		}
	}
	i = end
	if i < len(r.s) && (r.s[i] == 'e' || r.s[i] == 'E') {
		i++
		if i < len(r.s) && (r.s[i] == '+' || r.s[i] == '-') {
			i++
		}
		if digits() > 0 {
			end, isFloat = i, true
		}
	}
	s := r.s[r.i:end]
	r.i = end
	if x := t.Charge(int64(len(s) >> 3)); x != nil {
		return value{}, x
	}
	switch {
	case isFloat && r.float.IsSet():
		return t.Call(r.float, object.NewStr(s))
	case isFloat:
		f, _ := strconv.ParseFloat(s, 64)
		return object.Float(f), nil
	case r.integer.IsSet():
		return t.Call(r.integer, object.NewStr(s))
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return object.Int(n), nil
	}
	return t.Call(object.IntClass.Value(), object.NewStr(s))
}

// jsonText gives the document of json.loads as text.
func jsonText(t *thread, v value) (string, *exception) {
	if s, ok := textOf(v); ok {
		return s, nil
	}
	if b, ok := v.Base().Bytes(); ok {
		s := b.String()
		if !utf8.ValidString(s) {
			r, x := callMethod(t, v, "decode")
			if x != nil {
				return "", x
			}
			s, _ = textOf(r)
		}
		return strings.TrimPrefix(s, "\ufeff"), nil
	}
	return "", t.RaiseType("the JSON object must be str, bytes or bytearray, not %s", nameOf(v))
}
