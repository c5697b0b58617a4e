package realm

import (
	"fmt"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// jsonReader parses JSON text into values of the realm: JSON.parse of ECMA-262
// section 25.5.1, save that an integer keeps all its digits.
type jsonReader struct {
	r     *Realm
	text  string
	at    int
	depth int
	paid  int // bytes of text whose work is charged
}

func jsonParse(r *Realm, c call) goja.Value {
	text := r.goText(r.str(arg(c, 0)))
	p := jsonReader{r: r, text: text}
	v := p.document()
	if isFunction(arg(c, 1)) {
		return r.revive(v, r.callback(arg(c, 1)))
	}
	return v
}

func (p *jsonReader) document() goja.Value {
	p.space()
	v := p.value()
	p.space()
	if p.at < len(p.text) {
		p.fail("Unexpected non-whitespace character after JSON at position %d", p.position())
	}
	p.r.Charge(int64(p.at-p.paid)>>3 + 1)
	return v
}

// pay charges the work done so far; memory is charged as it is made.
func (p *jsonReader) pay() {
	if p.at-p.paid > pollEvery {
		p.r.Charge(int64(p.at-p.paid) >> 3)
		p.paid = p.at
	}
}

func (p *jsonReader) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// fail throws a SyntaxError in V8's words.
func (p *jsonReader) fail(format string, args ...any) {
	panic(p.r.NewError("SyntaxError", fmt.Sprintf(format, args...)))
}

// unexpected complains about the character at hand.
func (p *jsonReader) unexpected() {
	if p.at >= len(p.text) {
		p.fail("Unexpected end of JSON input")
	}
	c, _ := utf8.DecodeRuneInString(p.text[p.at:])
	switch p.text {
	case "undefined", "[object Object]", "NaN", "Infinity":
		p.fail("\"%s\" is not valid JSON", p.text)
	}
	p.fail("Unexpected token '%c', %s is not valid JSON", c, p.excerpt())
}

// excerpt shows the text around the place, as V8 does: all of it, or ten
// characters to each side.
func (p *jsonReader) excerpt() string {
	if utf8.RuneCountInString(sandbox.Clip(p.text, 45)) <= 40 {
		return "\"" + p.text + "\""
	}
	const around = 10
	from, to := p.at, p.at
	for i := 0; i < around && from > 0; i++ {
		_, n := utf8.DecodeLastRuneInString(p.text[:from])
		from -= n
	}
	for i := 0; i < around && to < len(p.text); i++ {
		_, n := utf8.DecodeRuneInString(p.text[to:])
		to += n
	}
	head, tail := "...", "..."
	if from == 0 {
		head = ""
	}
	if to == len(p.text) {
		tail = ""
	}
	return head + "\"" + p.text[from:to] + "\"" + tail
}

func (p *jsonReader) position() int { return utf16Length(p.text[:min(p.at, len(p.text))]) }

func utf16Length(s string) int {
	n := 0
	for _, c := range s {
		if n++; c > 0xFFFF {
			n++
		}
	}
	return n
}

func (p *jsonReader) value() goja.Value {
	if p.at >= len(p.text) {
		p.unexpected()
	}
	p.pay()
	switch c := p.text[p.at]; c {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return p.string()
	case 't':
		return p.word("true", valueTrue)
	case 'f':
		return p.word("false", valueFalse)
	case 'n':
		return p.word("null", goja.Null())
	default:
		if c == '-' || c >= '0' && c <= '9' {
			return p.number()
		}
	}
	p.unexpected()
	return nil
}

func (p *jsonReader) word(word string, v goja.Value) goja.Value {
	for i := range len(word) {
		if p.at >= len(p.text) || p.text[p.at] != word[i] {
			p.unexpected()
		}
		p.at++
	}
	return v
}

func (p *jsonReader) enter() {
	if p.depth++; p.depth > maxJSONDepth {
		p.r.rangeError("The JSON text is nested more than %d levels deep.", maxJSONDepth)
	}
}

func (p *jsonReader) array() goja.Value {
	p.enter()
	p.at++
	p.r.Alloc(arrayBytes)
	var list []goja.Value
	for p.space(); ; p.space() {
		if p.at < len(p.text) && p.text[p.at] == ']' && len(list) == 0 {
			break
		}
		v := p.value()
		p.r.Alloc(2 * elemBytes)
		list = append(list, v)
		p.space()
		if p.at < len(p.text) && p.text[p.at] == ',' {
			p.at++
			continue
		}
		if p.at >= len(p.text) || p.text[p.at] != ']' {
			p.missing("Expected ',' or ']' after array element in JSON at position %d")
		}
		break
	}
	p.at++
	p.depth--
	return p.r.makeArray(list)
}

// missing complains about what stands in the place of a separator.
func (p *jsonReader) missing(format string) {
	if p.at >= len(p.text) {
		if format[9] == 'p' { // "Expected property name…"
			p.fail(format+p.lineColumn(), p.position())
		}
		p.fail("Expected "+format[9:]+p.lineColumn(), p.position())
	}
	p.fail(format+p.lineColumn(), p.position())
}

// lineColumn is what newer versions of V8 add to a position.
func (p *jsonReader) lineColumn() string { return "" }

func (p *jsonReader) object() goja.Value {
	p.enter()
	p.at++
	p.r.Alloc(objectBytes)
	o := p.r.vm.NewObject()
	for first := true; ; first = false {
		p.space()
		if p.at < len(p.text) && p.text[p.at] == '}' && first {
			break
		}
		if p.at >= len(p.text) || p.text[p.at] != '"' {
			if first {
				p.missing("Expected property name or '}' in JSON at position %d")
			}
			p.missing("Expected double-quoted property name in JSON at position %d")
		}
		key := p.rawText()
		p.space()
		if p.at >= len(p.text) || p.text[p.at] != ':' {
			p.missing("Expected ':' after property name in JSON at position %d")
		}
		p.at++
		p.space()
		v := p.value()
		p.r.Alloc(propBytes)
		p.r.put(o, key, v)
		p.space()
		if p.at < len(p.text) && p.text[p.at] == ',' {
			p.at++
			continue
		}
		if p.at >= len(p.text) || p.text[p.at] != '}' {
			p.missing("Expected ',' or '}' after property value in JSON at position %d")
		}
		break
	}
	p.at++
	p.depth--
	return o
}

// rawText reads a string as Go text, for keys.
func (p *jsonReader) rawText() string {
	if s, ok := p.simple(); ok {
		return s
	}
	return p.string().String()
}

// simple reads a string without escapes.
func (p *jsonReader) simple() (string, bool) {
	for i := p.at + 1; i < len(p.text); i++ {
		if (i-p.at)&0xFFFF == 0 {
			p.r.Charge(pollEvery)
		}
		switch c := p.text[i]; {
		case c == '"':
			s := p.text[p.at+1 : i]
			p.at = i + 1
			return s, true
		case c == '\\' || c < ' ':
			return "", false
		}
	}
	return "", false
}

func (p *jsonReader) string() goja.String {
	start := p.at
	if s, ok := p.simple(); ok {
		p.r.Alloc(int64(len(s)) + stringBytes)
		return p.r.text(s)
	}
	p.at = start + 1
	var list []uint16
	for {
		if p.at >= len(p.text) {
			p.fail("Unterminated string in JSON at position %d", p.position())
		}
		p.pay()
		c, n := utf8.DecodeRuneInString(p.text[p.at:])
		switch {
		case c == '"':
			p.at++
			p.r.Alloc(int64(len(list))*2 + stringBytes)
			return goja.StringFromUTF16(list)
		case c == '\\':
			list = p.escape(list)
			continue
		case c < ' ':
			p.fail("Bad control character in string literal in JSON at position %d", p.position())
		}
		list = appendPoint(list, c)
		p.at += n
		if len(list)&4095 == 4095 {
			p.r.Alloc(8192)
		}
	}
}

func (p *jsonReader) escape(list []uint16) []uint16 {
	p.at++
	if p.at >= len(p.text) {
		p.fail("Unterminated string in JSON at position %d", p.position())
	}
	c := p.text[p.at]
	p.at++
	switch c {
	case '"', '\\', '/':
		return append(list, uint16(c))
	case 'b':
		return append(list, '\b')
	case 'f':
		return append(list, '\f')
	case 'n':
		return append(list, '\n')
	case 'r':
		return append(list, '\r')
	case 't':
		return append(list, '\t')
	case 'u':
		unit := uint16(0)
		for range 4 {
			if p.at >= len(p.text) {
				p.fail("Unterminated string in JSON at position %d", p.position())
			}
			d := digitOf(p.text[p.at])
			if d > 15 {
				p.fail("Bad Unicode escape in JSON at position %d", p.position())
			}
			unit = unit<<4 | uint16(d)
			p.at++
		}
		return append(list, unit)
	}
	p.at--
	p.fail("Bad escaped character in JSON at position %d", p.position())
	return nil
}

func (p *jsonReader) number() goja.Value {
	start := p.at
	if p.text[p.at] == '-' {
		p.at++
	}
	digit := func() bool { return p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' }
	switch {
	case !digit():
		if p.at >= len(p.text) {
			p.fail("No number after minus sign in JSON at position %d", p.position())
		}
		p.fail("No number after minus sign in JSON at position %d", p.position())
	case p.text[p.at] == '0':
		if p.at++; digit() {
			p.fail("Unexpected number in JSON at position %d", p.position())
		}
	default:
		for digit() {
			p.at++
		}
	}
	whole := true
	if p.at < len(p.text) && p.text[p.at] == '.' {
		whole = false
		if p.at++; !digit() {
			p.fail("Unterminated fractional number in JSON at position %d", p.position())
		}
		for digit() {
			p.at++
		}
	}
	if p.at < len(p.text) && (p.text[p.at] == 'e' || p.text[p.at] == 'E') {
		whole = false
		if p.at++; p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		if !digit() {
			p.fail("Exponent part is missing a number in JSON at position %d", p.position())
		}
		for digit() {
			p.at++
		}
	}
	text := p.text[start:p.at]
	p.r.Alloc(numberBytes)
	if whole && len(text) < 16 {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && (n != 0 || text[0] != '-') {
			return p.r.vm.ToValue(n)
		}
	}
	if whole && len(text) >= 16 {
		p.r.Charge(int64(len(text)))
		if len(text) > MaxBigIntBits/4 {
			p.r.rangeError("A number in the JSON text has too many digits.")
		}
		n, _ := new(big.Int).SetString(text, 10)
		return p.r.exact(n)
	}
	f, _ := strconv.ParseFloat(text, 64)
	return number(f)
}

// revive is ECMA-262 InternalizeJSONProperty from the root.
func (r *Realm) revive(v goja.Value, f native) goja.Value {
	root := r.vm.NewObject()
	r.put(root, "", v)
	return r.reviveIn(root, "", f, 0)
}

func (r *Realm) reviveIn(holder *goja.Object, key string, f native, depth int) goja.Value {
	if depth > maxJSONDepth {
		r.rangeError("The value is nested more than %d levels deep.", maxJSONDepth)
	}
	r.Charge(2)
	v := filled(holder.Get(key))
	if o, ok := v.(*goja.Object); ok {
		visit := func(key string) {
			if got := r.reviveIn(o, key, f, depth+1); goja.IsUndefined(got) {
				if err := o.Delete(key); err != nil {
					panic(err)
				}
			} else {
				r.put(o, key, got)
			}
		}
		if o.ClassName() == "Array" {
			n := length(o)
			r.checkLength(n)
			for i := range n {
				visit(strconv.Itoa(i))
			}
		} else {
			for _, key := range r.keys(o) {
				visit(key)
			}
		}
	}
	return filled(f(call{This: holder, Arguments: []goja.Value{r.text(key), v}}))
}
