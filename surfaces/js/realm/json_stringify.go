package realm

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// jsonWriter writes values as JSON: JSON.stringify of ECMA-262 section 25.5.2,
// save that a BigInt is written with all its digits.
type jsonWriter struct {
	r       *Realm
	out     []byte
	paid    int
	gap     string
	replace native
	only    []string // keys to write, nil for all
	limited bool
	path    []*goja.Object
	keys    []string // the keys that led to path
	lines   string   // the newline and indentation of the current level
}

func jsonStringify(r *Realm, c call) goja.Value {
	w := jsonWriter{r: r, gap: r.gap(arg(c, 2)), out: r.scratch[:0]}
	r.scratch = nil // a toJSON may stringify too
	if o, ok := arg(c, 1).(*goja.Object); ok {
		switch {
		case isFunction(o):
			w.replace = r.callback(o)
		case o.ClassName() == "Array":
			w.only, w.limited = r.propertyList(o), true
		}
	}
	w.lines = "\n"
	var holder *goja.Object
	if w.replace != nil {
		holder = r.vm.NewObject()
		r.put(holder, "", arg(c, 0))
	}
	if !w.value(holder, "", arg(c, 0)) {
		return goja.Undefined()
	}
	w.pay(0)
	r.Alloc(int64(len(w.out)) + stringBytes)
	s := r.vm.ToValue(string(w.out))
	r.meter.Release(int64(w.paid))
	if cap(w.out) <= keptScratch {
		r.scratch = w.out
	}
	return s
}

// keptScratch is the largest buffer that is kept for the next text.
const keptScratch = 32 << 10

// gap is the text that one level is indented by.
func (r *Realm) gap(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok && (o.ClassName() == "Number" || o.ClassName() == "String") {
		v = r.unwrap(o)
	}
	switch x := v.(type) {
	case goja.String:
		return x.Substring(0, min(10, x.Length())).String()
	default:
		if goja.IsNumber(x) {
			return strings.Repeat(" ", clampIndex(r.integer(x), 10))
		}
	}
	return ""
}

// propertyList is the replacer array as distinct keys.
func (r *Realm) propertyList(o *goja.Object) []string {
	list := []string{}
	seen := map[string]bool{}
	for _, v := range r.elements(o) {
		key := ""
		switch x := v.(type) {
		case goja.String:
			key = x.String()
		case *goja.Object:
			if x.ClassName() != "Number" && x.ClassName() != "String" {
				continue
			}
			key = r.str(x).String()
		default:
			if v == nil || !goja.IsNumber(v) {
				continue
			}
			key = v.String()
		}
		if !seen[key] {
			r.Alloc(entryBytes)
			seen[key] = true
			list = append(list, key)
		}
	}
	return list
}

// pay charges the output written so far.
func (w *jsonWriter) pay(least int) {
	if n := len(w.out) - w.paid; n > least {
		w.r.Alloc(int64(n))
		w.paid = len(w.out)
		if w.paid > maxText {
			w.r.rangeError("Invalid string length")
		}
	}
}

// value writes one value, and reports false where there is nothing to write.
func (w *jsonWriter) value(holder *goja.Object, key string, v goja.Value) bool {
	w.r.Charge(1)
	w.pay(pollEvery)
	if o, ok := v.(*goja.Object); ok {
		if f := callable(o.Get("toJSON")); f != nil {
			v = filled(f(call{This: o, Arguments: []goja.Value{w.r.text(key)}}))
		}
	}
	if w.replace != nil {
		v = filled(w.replace(call{This: holder, Arguments: []goja.Value{w.r.text(key), filled(v)}}))
	}
	switch x := v.(type) {
	case nil, *goja.Symbol:
		return false
	case goja.String:
		w.string(x)
		return true
	case *goja.Object:
		return w.object(key, x)
	}
	return w.primitive(v)
}

func (w *jsonWriter) primitive(v goja.Value) bool {
	switch {
	case goja.IsUndefined(v):
		return false
	case goja.IsNull(v):
		w.out = append(w.out, "null"...)
	case v == valueTrue:
		w.out = append(w.out, "true"...)
	case v == valueFalse:
		w.out = append(w.out, "false"...)
	case goja.IsBigInt(v):
		n := bigOf(v)
		w.r.Charge(int64(n.BitLen()) >> 4)
		w.out = n.Append(w.out, 10)
	default:
		w.out = appendNumber(w.out, v)
	}
	return true
}

// appendNumber writes a Number; what JSON cannot hold becomes null.
func appendNumber(out []byte, v goja.Value) []byte {
	f := v.ToFloat()
	if i := int64(f); float64(i) == f && i > -maxSafe && i < maxSafe {
		return strconv.AppendInt(out, i, 10)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(out, "null"...)
	}
	return append(out, v.String()...)
}

func (w *jsonWriter) object(key string, o *goja.Object) bool {
	switch o.ClassName() {
	case "Array":
		w.enter(key, o)
		w.array(o)
	case "Number":
		return w.primitive(number(w.r.num(o)))
	case "String":
		w.string(w.r.str(o))
		return true
	case "Boolean":
		return w.primitive(w.r.unwrap(o))
	default:
		if isFunction(o) {
			return false
		}
		w.enter(key, o)
		w.members(o)
	}
	w.path = w.path[:len(w.path)-1]
	w.keys = w.keys[:len(w.keys)-1]
	return true
}

// enter goes one level deeper.
func (w *jsonWriter) enter(key string, o *goja.Object) {
	for i, p := range w.path {
		if p == o {
			w.circular(i, key)
		}
	}
	if len(w.path) >= maxJSONDepth {
		w.r.rangeError("The value is nested more than %d levels deep, too deep for JSON.stringify.", maxJSONDepth)
	}
	w.path = append(w.path, o)
	w.keys = append(w.keys, key)
}

// circular throws V8's error for a cycle that closes at path[i].
func (w *jsonWriter) circular(i int, key string) {
	var b strings.Builder
	b.WriteString("Converting circular structure to JSON\n    --> starting at object with constructor ")
	quoted := func(o *goja.Object) string { return "'" + w.r.typeName(o) + "'" }
	b.WriteString(quoted(w.path[i]))
	place := func(holder *goja.Object, key string) string {
		if holder.ClassName() == "Array" {
			return "index " + key
		}
		return "property '" + sandbox.Clip(key, 60) + "'"
	}
	last := len(w.path) - 1
	for j := i + 1; j <= last; j++ {
		if j > i+1 && j < last {
			if j == i+2 {
				b.WriteString("\n    |     ...")
			}
			continue
		}
		b.WriteString("\n    |     " + place(w.path[j-1], w.keys[j]) + " -> object with constructor " + quoted(w.path[j]))
	}
	b.WriteString("\n    --- " + place(w.path[last], key) + " closes the circle")
	w.r.typeError("%s", b.String())
}

// indent moves the line start one level in, and gives the function that moves it
// back.
func (w *jsonWriter) indent() string {
	was := w.lines
	if w.gap != "" {
		w.lines += w.gap
	}
	return was
}

func (w *jsonWriter) newline() {
	if w.gap != "" {
		w.out = append(w.out, w.lines...)
	}
}

func (w *jsonWriter) array(o *goja.Object) {
	n := length(o)
	w.r.checkLength(n)
	was := w.indent()
	w.out = append(w.out, '[')
	from := w.r.cursor(o)
	for i := range n {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.newline()
		v := from.get(i)
		if !w.value(o, indexName(i), v) {
			w.out = append(w.out, "null"...)
		}
		if w.replace != nil || isObject(v) {
			from.stale()
		}
	}
	w.lines = was
	if n > 0 {
		w.newline()
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) members(o *goja.Object) {
	was := w.indent()
	w.out = append(w.out, '{')
	first := true
	var names []goja.Value
	n := len(w.only)
	if !w.limited {
		names = w.r.memberNames(o)
		n = len(names)
	}
	for i := range n {
		var key string
		if w.limited {
			key = w.only[i]
		} else {
			key = names[i].String()
		}
		v := o.Get(key)
		if v == nil || w.limited && isFunction(v) {
			continue
		}
		mark := len(w.out)
		if !first {
			w.out = append(w.out, ',')
		}
		w.newline()
		w.out = appendQuoted(w.out, key)
		w.out = append(w.out, ':')
		if w.gap != "" {
			w.out = append(w.out, ' ')
		}
		if w.value(o, key, v) {
			first = false
		} else {
			w.out = w.out[:mark]
			w.paid = min(w.paid, mark)
		}
	}
	w.lines = was
	if !first {
		w.newline()
	}
	w.out = append(w.out, '}')
}

// string writes a string value.
func (w *jsonWriter) string(s goja.String) {
	n := s.Length()
	w.r.Charge(int64(n) >> 4)
	if text, ok := asciiOf(s); ok {
		if n > pollEvery {
			w.pay(0)
			w.r.Alloc(int64(n))
			w.r.meter.Release(int64(n))
		}
		w.out = appendQuoted(w.out, text)
		return
	}
	w.pay(0)
	w.r.Alloc(int64(n) * 2)
	w.r.meter.Release(int64(n) * 2)
	w.out = append(w.out, '"')
	for i := 0; i < n; i++ {
		c := rune(s.CharAt(i))
		switch {
		case c < utf8.RuneSelf:
			w.out = appendEscaped(w.out, byte(c))
		case c >= 0xD800 && c <= 0xDFFF:
			if pointWidth(s, i) == 2 {
				w.out = utf8.AppendRune(w.out, pointAt(s, i))
				i++
				continue
			}
			w.out = append(w.out, '\\', 'u', hexDigits[c>>12], hexDigits[c>>8&15], hexDigits[c>>4&15], hexDigits[c&15])
		default:
			w.out = utf8.AppendRune(w.out, c)
		}
	}
	w.out = append(w.out, '"')
}

const hexDigits = "0123456789abcdef"

// appendQuoted writes Go text as a JSON string.
func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	start := 0
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			out = append(out, s[start:i]...)
			out = appendEscaped(out, c)
			start = i + 1
		}
	}
	return append(append(out, s[start:]...), '"')
}

// appendEscaped writes one ASCII character of a JSON string.
func appendEscaped(out []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(out, '\\', c)
	case '\b':
		return append(out, '\\', 'b')
	case '\f':
		return append(out, '\\', 'f')
	case '\n':
		return append(out, '\\', 'n')
	case '\r':
		return append(out, '\\', 'r')
	case '\t':
		return append(out, '\\', 't')
	}
	if c < ' ' {
		return append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
	}
	return append(out, c)
}
