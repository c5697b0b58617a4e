package module

import (
	"math"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// jsonOptions are the arguments of json.dumps.
type jsonOptions struct {
	object.Obj
	skipKeys, ascii, circular, nan, sortKeys bool
	indent                                   string
	pretty                                   bool
	item, key                                string // separators
	fallback                                 value  // default=
}

// Class is json.JSONEncoder.
func (*jsonOptions) Class() *class { return jsonEncoderClass }

// jsonWriter writes a value as JSON.
type jsonWriter struct {
	jsonOptions
	b       strings.Builder
	charged int
	open    []value // the containers around, for cycles
	depth   int     // lists and dicts among them
}

// jsonSignature are the parameters of json.dumps behind the object.
const jsonSignature = "* skipkeys? ensure_ascii? check_circular? allow_nan? cls? indent? separators? default? sort_keys?"

// readJSONOptions reads the arguments that jsonSignature names, without cls.
func readJSONOptions(t *thread, a []value) (o jsonOptions, raised *exception) {
	flag := func(i int, otherwise bool) bool {
		if raised != nil {
			return false
		}
		var b bool
		b, raised = truth(t, a, i, otherwise)
		return b
	}
	o.skipKeys, o.ascii, o.circular, o.nan = flag(0, false), flag(1, true), flag(2, true), flag(3, true)
	o.sortKeys = flag(8, false)
	if raised != nil {
		return o, raised
	}
	o.item, o.key = ", ", ": "
	if v, ok := optional(a, 5); ok {
		if o.indent, raised = jsonIndent(t, v); raised != nil {
			return o, raised
		}
		o.pretty, o.item = true, ","
	}
	if v, ok := optional(a, 6); ok {
		pair, x := t.Items(v)
		if x != nil {
			return o, x
		}
		if len(pair) != 2 {
			if len(pair) < 2 {
				return o, t.RaiseValue("not enough values to unpack (expected 2, got %d)", len(pair))
			}
			return o, t.RaiseValue("too many values to unpack (expected 2)")
		}
		var ok1, ok2 bool
		o.item, ok1 = textOf(pair[0])
		o.key, ok2 = textOf(pair[1])
		if !ok1 || !ok2 {
			return o, t.RaiseType("the separators must be strings")
		}
	}
	if v, ok := optional(a, 7); ok {
		o.fallback = v
	}
	return o, nil
}

// jsonIndent reads indent=: a number of spaces or the text itself.
func jsonIndent(t *thread, v value) (string, *exception) {
	if s, ok := textOf(v); ok {
		return s, nil
	}
	n, x := integer(t, v)
	if x != nil {
		return "", x
	}
	n = max(n, 0)
	if x := t.Alloc(int(min(n, 1<<40))); x != nil {
		return "", x
	}
	return strings.Repeat(" ", int(n)), nil
}

// account charges what has been written since the last time.
func (w *jsonWriter) account(t *thread) *exception {
	n := w.b.Len() - w.charged
	if n < 64 {
		return nil
	}
	w.charged = w.b.Len()
	return t.Alloc(2 * n)
}

func (w *jsonWriter) write(t *thread, v value) *exception {
	if x := t.Charge(2); x != nil {
		return x
	}
	if x := w.account(t); x != nil {
		return x
	}
	b := v.Base()
	switch b.Kind() {
	case object.KindStr:
		s, _ := textOf(b)
		return w.text(t, s)
	case object.KindNone, object.KindBool, object.KindInt, object.KindBig, object.KindFloat:
		s, x := w.scalar(t, b)
		if x != nil {
			return x
		}
		w.b.WriteString(s)
		return nil
	case object.KindList, object.KindTuple:
		return w.inside(t, v, b, w.list)
	case object.KindDict:
		return w.inside(t, v, b, w.dict)
	}
	return w.other(t, v)
}

// scalar gives the text of a constant or number.
func (w *jsonWriter) scalar(t *thread, v value) (string, *exception) {
	switch v {
	case object.None:
		return "null", nil
	case object.True:
		return "true", nil
	case object.False:
		return "false", nil
	}
	f, ok := v.Float()
	if !ok {
		return t.Repr(v)
	}
	switch {
	case !math.IsNaN(f) && !math.IsInf(f, 0):
		return t.Repr(v)
	case !w.nan:
		s, x := t.Repr(v)
		if x != nil {
			return "", x
		}
		return "", t.RaiseValue("Out of range float values are not JSON compliant: %s", s)
	case f > 0:
		return "Infinity", nil
	case f < 0:
		return "-Infinity", nil
	}
	return "NaN", nil
}

// other writes what default= makes of a value.
func (w *jsonWriter) other(t *thread, v value) *exception {
	if !w.fallback.IsSet() {
		return t.RaiseType("Object of type %s is not JSON serializable", shortName(v))
	}
	return w.inside(t, v, v, func(t *thread, v value) *exception {
		r, x := t.Call(w.fallback, v)
		if x != nil {
			return x
		}
		return w.write(t, r)
	})
}

// inside writes a container, which must not hold itself.
func (w *jsonWriter) inside(t *thread, v, b value, write func(*thread, value) *exception) *exception {
	if w.circular {
		for _, o := range w.open {
			if o.Is(v) {
				return t.RaiseValue("Circular reference detected")
			}
		}
	}
	if len(w.open) >= maxJSONDepth {
		return t.Raise(object.RecursionError, "maximum recursion depth exceeded while encoding a JSON object")
	}
	w.open = append(w.open, v)
	x := write(t, b)
	w.open = w.open[:len(w.open)-1]
	return x
}

// maxJSONDepth is how deep values may nest.
const maxJSONDepth = 900

// line begins a new line of an indented text.
func (w *jsonWriter) line(t *thread, depth int) *exception {
	if x := t.Alloc(depth * len(w.indent)); x != nil {
		return x
	}
	w.b.WriteByte('\n')
	for range depth {
		w.b.WriteString(w.indent)
	}
	return nil
}

// next writes what stands before an element.
func (w *jsonWriter) next(t *thread, first bool) *exception {
	if !first {
		w.b.WriteString(w.item)
	}
	if w.pretty {
		return w.line(t, w.depth)
	}
	return nil
}

func (w *jsonWriter) close(t *thread, bracket byte) *exception {
	w.depth--
	if w.pretty {
		if x := w.line(t, w.depth); x != nil {
			return x
		}
	}
	w.b.WriteByte(bracket)
	return nil
}

func (w *jsonWriter) list(t *thread, v value) *exception {
	n, x := t.Len(v)
	if x != nil {
		return x
	}
	if n == 0 {
		w.b.WriteString("[]")
		return nil
	}
	w.b.WriteByte('[')
	w.depth++
	first := true
	if x := t.Each(v, func(e value) (bool, *exception) {
		if x := w.next(t, first); x != nil {
			return true, x
		}
		first = false
		return false, w.write(t, e)
	}); x != nil {
		return x
	}
	return w.close(t, ']')
}

func (w *jsonWriter) dict(t *thread, v value) *exception {
	d, _ := v.Dict()
	if d.Len() == 0 {
		w.b.WriteString("{}")
		return nil
	}
	keys, x := t.Items(v)
	if x != nil {
		return x
	}
	if w.sortKeys {
		if x := t.Sort(keys, value{}, value{}); x != nil {
			return x
		}
	}
	w.b.WriteByte('{')
	w.depth++
	first := true
	for _, k := range keys {
		e, ok, x := d.Get(t, k)
		if x != nil {
			return x
		}
		if !ok {
			continue
		}
		name, skip, x := w.keyText(t, k)
		if x != nil {
			return x
		}
		if skip {
			continue
		}
		if x := w.next(t, first); x != nil {
			return x
		}
		first = false
		if x := w.text(t, name); x != nil {
			return x
		}
		w.b.WriteString(w.key)
		if x := w.write(t, e); x != nil {
			return x
		}
	}
	if first && w.pretty {
		// CPython begins the line of the first entry before it knows of one.
		if x := w.line(t, w.depth); x != nil {
			return x
		}
	}
	return w.close(t, '}')
}

// keyText gives a key as text.
func (w *jsonWriter) keyText(t *thread, k value) (s string, skip bool, raised *exception) {
	b := k.Base()
	switch b.Kind() {
	case object.KindStr:
		s, _ := textOf(b)
		return s, false, nil
	case object.KindNone, object.KindBool, object.KindInt, object.KindBig, object.KindFloat:
		s, x := w.scalar(t, b)
		return s, false, x
	}
	if w.skipKeys {
		return "", true, nil
	}
	return "", false, t.RaiseType("keys must be str, int, float, bool or None, not %s", nameOf(k))
}

// text writes a JSON string.
func (w *jsonWriter) text(t *thread, s string) *exception {
	if x := t.Alloc(len(s)); x != nil {
		return x
	}
	w.b.WriteByte('"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && (c < 0x7F || !w.ascii) {
			i++
			continue
		}
		w.b.WriteString(s[start:i])
		i += w.escape(s[i:])
		start = i
	}
	w.b.WriteString(s[start:])
	w.b.WriteByte('"')
	return w.account(t)
}

// escape writes the first character of s and tells how many bytes it has.
func (w *jsonWriter) escape(s string) int {
	const named = "\"\\\n\r\t\f\b"
	if i := strings.IndexByte(named, s[0]); i >= 0 {
		w.b.WriteByte('\\')
		w.b.WriteByte(`"\nrtfb`[i])
		return 1
	}
	r, n := object.FirstRune(s)
	if r > 0xFFFF {
		r -= 0x10000
		w.unit(0xD800 + r>>10)
		w.unit(0xDC00 + r&0x3FF)
		return n
	}
	w.unit(r)
	return n
}

func (w *jsonWriter) unit(r rune) {
	const digits = "0123456789abcdef"
	w.b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		w.b.WriteByte(digits[r>>shift&15])
	}
}

// jsonDumps is json.dumps and json.JSONEncoder.encode.
func jsonDumps(t *thread, v value, o jsonOptions) (value, *exception) {
	w := jsonWriter{jsonOptions: o}
	if x := w.write(t, v); x != nil {
		return value{}, x
	}
	return t.Text(w.b.String())
}
