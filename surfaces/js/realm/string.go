package realm

import (
	"math"
	"reflect"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja"
	"golang.org/x/text/unicode/norm"
)

// asciiOf gives the text of a string that is all ASCII, without copying it; for
// any other string it gives nothing.
func asciiOf(s goja.String) (string, bool) {
	switch reflect.TypeOf(s) {
	case asciiType:
		return s.String(), true
	case wideType:
		return "", false
	}
	text := s.String()
	if len(text) != s.Length() {
		return "", false
	}
	return text, true
}

// The engine's string types. A third holds Go text that has not been looked at.
var (
	asciiType = reflect.TypeOf(bare.ToValue("a"))
	wideType  = reflect.TypeOf(goja.StringFromUTF16([]uint16{0xE9}))
)

// goText converts a string to Go text a piece at a time; it is the caller's to
// charge its length.
func (r *Realm) goText(s goja.String) string {
	const piece = 16 << 10
	n := s.Length()
	if n <= piece || reflect.TypeOf(s) != wideType {
		return s.String()
	}
	var b strings.Builder
	b.Grow(n)
	for i := 0; i < n; {
		j := min(n, i+piece)
		if j < n && pointWidth(s, j-1) == 2 {
			j--
		}
		b.WriteString(s.Substring(i, j).String())
		r.Charge(piece >> 3)
		i = j
	}
	return b.String()
}

// units gives the UTF-16 units of a string.
func units(s goja.String) []uint16 {
	list := make([]uint16, s.Length())
	for i := range list {
		list[i] = s.CharAt(i)
	}
	return list
}

// self is the string a method was called on.
func (r *Realm) self(c call, name string) goja.String {
	if s, ok := c.This.(goja.String); ok {
		return s
	}
	if c.This == nil || goja.IsUndefined(c.This) || goja.IsNull(c.This) {
		r.typeError("String.prototype.%s called on null or undefined", name)
	}
	return r.str(c.This)
}

// stringMethod is a method on a string whose result costs what is copied.
func stringMethod(name string, length int, f func(r *Realm, s goja.String, c call) goja.Value) member {
	return method(name, length, func(r *Realm, c call) goja.Value { return f(r, r.self(c, name), c) })
}

func stringMethods() []member {
	trim := func(name string, start, end bool) member {
		return stringMethod(name, 0, func(r *Realm, s goja.String, _ call) goja.Value { return r.trim(s, start, end) })
	}
	casing := func(name, engine string) member {
		return stringMethod(name, 0, func(r *Realm, s goja.String, _ call) goja.Value { return r.recase(s, engine) })
	}
	self := func(_ *Realm, s goja.String, _ call) goja.Value { return s }
	return []member{
		stringMethod("at", 1, stringAt),
		stringMethod("charAt", 1, stringCharAt),
		stringMethod("charCodeAt", 1, stringCharCodeAt),
		stringMethod("codePointAt", 1, stringCodePointAt),
		stringMethod("concat", 1, stringConcat),
		stringMethod("endsWith", 1, stringEndsWith),
		stringMethod("includes", 1, stringIncludes),
		stringMethod("indexOf", 1, stringIndexOf),
		stringMethod("isWellFormed", 0, func(r *Realm, s goja.String, _ call) goja.Value {
			return boolean(r.loneSurrogate(s) < 0)
		}),
		stringMethod("lastIndexOf", 1, stringLastIndexOf),
		stringMethod("localeCompare", 1, stringLocaleCompare),
		stringMethod("match", 1, stringMatch),
		stringMethod("matchAll", 1, stringMatchAll),
		stringMethod("normalize", 0, stringNormalize),
		stringMethod("padEnd", 1, func(r *Realm, s goja.String, c call) goja.Value { return r.pad(s, c, false) }),
		stringMethod("padStart", 1, func(r *Realm, s goja.String, c call) goja.Value { return r.pad(s, c, true) }),
		stringMethod("repeat", 1, stringRepeat),
		stringMethod("replace", 2, func(r *Realm, s goja.String, c call) goja.Value { return r.replaceIn(s, c, false) }),
		stringMethod("replaceAll", 2, func(r *Realm, s goja.String, c call) goja.Value { return r.replaceIn(s, c, true) }),
		stringMethod("search", 1, stringSearch),
		stringMethod("slice", 2, stringSlice),
		stringMethod("split", 2, stringSplit),
		stringMethod("startsWith", 1, stringStartsWith),
		stringMethod("substr", 2, stringSubstr),
		stringMethod("substring", 2, stringSubstring),
		casing("toLocaleLowerCase", "toLowerCase"),
		casing("toLocaleUpperCase", "toUpperCase"),
		casing("toLowerCase", "toLowerCase"),
		method("toString", 0, func(r *Realm, c call) goja.Value { return r.thisPrimitive(c, "String", "toString") }),
		casing("toUpperCase", "toUpperCase"),
		stringMethod("toWellFormed", 0, stringToWellFormed),
		trim("trim", true, true),
		trim("trimEnd", false, true),
		trim("trimLeft", true, false),
		trim("trimRight", false, true),
		trim("trimStart", true, false),
		method("valueOf", 0, func(r *Realm, c call) goja.Value { return r.thisPrimitive(c, "String", "valueOf") }),
		stringMethod("toLocaleString", 0, self),
	}
}

// thisPrimitive is the primitive that a method of String, Number, Boolean or
// BigInt was called on.
func (r *Realm) thisPrimitive(c call, class, name string) goja.Value {
	if o, ok := c.This.(*goja.Object); ok {
		if o.ClassName() == class {
			return r.unwrap(o)
		}
	} else if c.This != nil && strings.EqualFold(Kind(c.This), class) {
		return c.This
	}
	r.typeError("%s.prototype.%s requires that 'this' be a %s", class, name, class)
	return nil
}

func stringAt(r *Realm, s goja.String, c call) goja.Value {
	i := r.integer(arg(c, 0))
	if i < 0 {
		i += float64(s.Length())
	}
	if i < 0 || i >= float64(s.Length()) {
		return goja.Undefined()
	}
	return s.Substring(int(i), int(i)+1)
}

func stringCharAt(r *Realm, s goja.String, c call) goja.Value {
	i := r.integer(arg(c, 0))
	if i < 0 || i >= float64(s.Length()) {
		return emptyText
	}
	return s.Substring(int(i), int(i)+1)
}

func stringCharCodeAt(r *Realm, s goja.String, c call) goja.Value {
	i := r.integer(arg(c, 0))
	if i < 0 || i >= float64(s.Length()) {
		return goja.NaN()
	}
	return whole(int(s.CharAt(int(i))))
}

func stringCodePointAt(r *Realm, s goja.String, c call) goja.Value {
	i := r.integer(arg(c, 0))
	if i < 0 || i >= float64(s.Length()) {
		return goja.Undefined()
	}
	return whole(int(pointAt(s, int(i))))
}

func pointAt(s goja.String, i int) rune {
	c := rune(s.CharAt(i))
	if pointWidth(s, i) == 2 {
		return utf16.DecodeRune(c, rune(s.CharAt(i+1)))
	}
	return c
}

func stringConcat(r *Realm, s goja.String, c call) goja.Value {
	b := builder{r: r}
	b.add(s)
	for _, a := range c.Arguments {
		b.add(r.str(a))
	}
	return b.value()
}

// part gives a substring and charges it.
func (r *Realm) part(s goja.String, from, to int) goja.Value {
	if from >= to {
		return emptyText
	}
	if from == 0 && to == s.Length() {
		return s
	}
	r.Alloc(stringBytes)
	return s.Substring(from, to)
}

func stringSlice(r *Realm, s goja.String, c call) goja.Value {
	start, end := r.span(c, 0, s.Length())
	return r.part(s, start, end)
}

func clampIndex(f float64, n int) int { return int(math.Max(0, math.Min(f, float64(n)))) }

func stringSubstring(r *Realm, s goja.String, c call) goja.Value {
	n := s.Length()
	start := clampIndex(r.integer(arg(c, 0)), n)
	end := clampIndex(r.integerOr(c, 1, float64(n)), n)
	return r.part(s, min(start, end), max(start, end))
}

func stringSubstr(r *Realm, s goja.String, c call) goja.Value {
	n := s.Length()
	start := relative(r.integer(arg(c, 0)), n)
	count := clampIndex(r.integerOr(c, 1, float64(n)), n-start)
	return r.part(s, start, start+count)
}

// index finds needle in s at or after from, -1 if it is not there.
func (r *Realm) index(s, needle goja.String, from int) int {
	n, k := s.Length(), needle.Length()
	if from > n-k {
		return -1
	}
	if k == 0 {
		return from
	}
	text, plain := asciiOf(s)
	word, wordPlain := asciiOf(needle)
	if plain {
		if !wordPlain {
			return -1
		}
		return r.indexText(text, word, from)
	}
	first := needle.CharAt(0)
	p := r.pace()
	defer p.end()
	for i := from; i <= n-k; i++ {
		p.step(1)
		if s.CharAt(i) != first {
			continue
		}
		j := 1
		for j < k && s.CharAt(i+j) == needle.CharAt(j) {
			j++
		}
		p.step(j)
		if j == k {
			return i
		}
	}
	return -1
}

// chunk is how much text a native handles between two looks at the meter.
const chunk = 256 << 10

// indexText is index for ASCII, a chunk at a time.
func (r *Realm) indexText(text, word string, from int) int {
	for {
		to := min(len(text), from+chunk+len(word))
		r.Charge(int64(to-from) >> 6)
		if i := strings.Index(text[from:to], word); i >= 0 {
			return from + i
		}
		if to == len(text) {
			return -1
		}
		from = to - len(word) + 1
	}
}

// lastIndex finds needle in s at or before from.
func (r *Realm) lastIndex(s, needle goja.String, from int) int {
	n, k := s.Length(), needle.Length()
	p := r.pace()
	defer p.end()
	for i := min(from, n-k); i >= 0; i-- {
		j := 0
		for j < k && s.CharAt(i+j) == needle.CharAt(j) {
			j++
		}
		p.step(j + 1)
		if j == k {
			return i
		}
	}
	return -1
}

// needle is the argument of a method that does not take a regular expression.
func (r *Realm) needle(c call, name string) goja.String {
	if regexOf(arg(c, 0)) != nil {
		r.typeError("First argument to String.prototype.%s must not be a regular expression", name)
	}
	return r.str(arg(c, 0))
}

func stringIncludes(r *Realm, s goja.String, c call) goja.Value {
	needle := r.needle(c, "includes")
	return boolean(r.index(s, needle, clampIndex(r.integer(arg(c, 1)), s.Length())) >= 0)
}

func stringIndexOf(r *Realm, s goja.String, c call) goja.Value {
	needle := r.str(arg(c, 0))
	return whole(r.index(s, needle, clampIndex(r.integer(arg(c, 1)), s.Length())))
}

func stringLastIndexOf(r *Realm, s goja.String, c call) goja.Value {
	needle := r.str(arg(c, 0))
	from := s.Length()
	if f := r.num(arg(c, 1)); f == f {
		from = clampIndex(math.Trunc(f), s.Length())
	}
	return whole(r.lastIndex(s, needle, from))
}

// holdsAt reports whether needle stands at i.
func (r *Realm) holdsAt(s, needle goja.String, i int) bool {
	k := needle.Length()
	if i < 0 || i+k > s.Length() {
		return false
	}
	r.Charge(int64(k) >> 4)
	for j := range k {
		if s.CharAt(i+j) != needle.CharAt(j) {
			return false
		}
	}
	return true
}

func stringStartsWith(r *Realm, s goja.String, c call) goja.Value {
	needle := r.needle(c, "startsWith")
	return boolean(r.holdsAt(s, needle, clampIndex(r.integer(arg(c, 1)), s.Length())))
}

func stringEndsWith(r *Realm, s goja.String, c call) goja.Value {
	needle := r.needle(c, "endsWith")
	end := clampIndex(r.integerOr(c, 1, float64(s.Length())), s.Length())
	return boolean(r.holdsAt(s, needle, end-needle.Length()))
}

func stringRepeat(r *Realm, s goja.String, c call) goja.Value {
	f := r.integer(arg(c, 0))
	if f < 0 || math.IsInf(f, 0) {
		r.rangeError("Invalid count value: %s", r.describeArg(arg(c, 0)))
	}
	return r.repeat(s, f, 0)
}

// describeArg shows an argument in a message, without quotes.
func (r *Realm) describeArg(v goja.Value) string {
	if isObject(v) {
		return r.describe(v)
	}
	return clipName(clipString(r.str(v), 80))
}

// repeat repeats a string times times and then adds its first extra units.
func (r *Realm) repeat(s goja.String, times float64, extra int) goja.String {
	total := times*float64(s.Length()) + float64(extra)
	if total > maxText {
		r.rangeError("Invalid string length")
	}
	if total == 0 {
		return emptyText
	}
	r.Alloc(int64(total) + stringBytes)
	if text, ok := asciiOf(s); ok {
		var b strings.Builder
		b.Grow(int(total))
		b.WriteString(text)
		for b.Len() < int(total) {
			n := min(int(total)-b.Len(), b.Len(), chunk/len(text)*len(text)+len(text))
			b.WriteString(b.String()[:n])
			r.Charge(int64(n) >> 10)
		}
		return r.text(b.String())
	}
	r.Alloc(int64(total))
	unit := units(s)
	list := make([]uint16, 0, int(total))
	p := r.pace()
	for len(list) < int(total) {
		n := min(int(total)-len(list), len(unit))
		list = append(list, unit[:n]...)
		p.step(n>>4 + 1)
	}
	p.end()
	return goja.StringFromUTF16(list)
}

func (r *Realm) pad(s goja.String, c call, start bool) goja.Value {
	n := r.integer(arg(c, 0))
	filler := r.text(" ")
	if given(c, 1) {
		filler = r.str(c.Arguments[1])
	}
	missing := n - float64(s.Length())
	k := filler.Length()
	if missing <= 0 || k == 0 {
		return s
	}
	if n > maxText {
		r.rangeError("Invalid string length")
	}
	whole := math.Floor(missing / float64(k))
	padding := r.repeat(filler, whole, int(missing)-int(whole)*k)
	b := builder{r: r}
	if start {
		b.add(padding)
		b.add(s)
	} else {
		b.add(s)
		b.add(padding)
	}
	return b.value()
}

func (r *Realm) trim(s goja.String, start, end bool) goja.Value {
	i, j := 0, s.Length()
	for start && i < j && isSpace(rune(s.CharAt(i))) {
		i++
	}
	for end && j > i && isSpace(rune(s.CharAt(j-1))) {
		j--
	}
	r.Charge(int64(i+s.Length()-j) >> 3)
	return r.part(s, i, j)
}

// recase changes case by the engine's rules, a chunk at a time. Context matters
// to few characters and only among letters, so chunks end before a space where
// there is one.
func (r *Realm) recase(s goja.String, engine string) goja.Value {
	n := s.Length()
	if n == 0 {
		return s
	}
	f := r.engineOf(stringProto, engine)
	piece := chunk / 4
	if _, ok := asciiOf(s); !ok {
		piece = 4 << 10
	}
	if n <= piece {
		r.Alloc(int64(n)*3 + stringBytes)
		return f(call{This: s})
	}
	b := builder{r: r}
	for i := 0; i < n; {
		j := min(n, i+piece)
		r.Charge(int64(j-i) >> 4)
		for k := j; k < n && k > j-256; k-- {
			if s.CharAt(k) == ' ' {
				j = k
				break
			}
		}
		b.add(f(call{This: s.Substring(i, j)}).(goja.String))
		i = j
	}
	return b.value()
}

// loneSurrogate finds half of a surrogate pair standing alone, -1 if there is
// none.
func (r *Realm) loneSurrogate(s goja.String) int {
	if _, ok := asciiOf(s); ok {
		r.Charge(int64(s.Length()) >> 6)
		return -1
	}
	p := r.pace()
	defer p.end()
	for i, n := 0, s.Length(); i < n; i++ {
		p.step(1)
		if c := s.CharAt(i); c >= 0xD800 && c <= 0xDFFF {
			if pointWidth(s, i) != 2 {
				return i
			}
			i++
		}
	}
	return -1
}

func stringToWellFormed(r *Realm, s goja.String, _ call) goja.Value {
	if r.loneSurrogate(s) < 0 {
		return s
	}
	r.Alloc(int64(s.Length()) * 4)
	list := units(s)
	for i := 0; i < len(list); i++ {
		if c := list[i]; c >= 0xD800 && c <= 0xDFFF {
			if pointWidth(s, i) == 2 {
				i++
				continue
			}
			list[i] = 0xFFFD
		}
	}
	return goja.StringFromUTF16(list)
}

var normalForms = map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}

func stringNormalize(r *Realm, s goja.String, c call) goja.Value {
	name := "NFC"
	if given(c, 0) {
		name = r.str(c.Arguments[0]).String()
	}
	form, ok := normalForms[name]
	if !ok {
		r.rangeError("The normalization form should be one of NFC, NFD, NFKC, NFKD.")
	}
	if _, ok := asciiOf(s); ok {
		return s
	}
	b := builder{r: r}
	from := 0
	for from < s.Length() {
		to := r.loneSurrogate(s.Substring(from, s.Length()))
		if to < 0 {
			to = s.Length() - from
		}
		r.normalizeInto(&b, form, r.goText(s.Substring(from, from+to)))
		if from += to; from < s.Length() {
			b.add(s.Substring(from, from+1))
			from++
		}
	}
	return b.value()
}

func (r *Realm) normalizeInto(b *builder, form norm.Form, text string) {
	r.Alloc(int64(len(text)))
	var it norm.Iter
	it.InitString(form, text)
	out := make([]byte, 0, 4096)
	for !it.Done() {
		out = append(out, it.Next()...)
		if len(out) >= 3072 || it.Done() {
			r.Charge(int64(len(out)) >> 2)
			b.add(r.text(string(out)))
			out = out[:0]
		}
	}
}

func stringStatics() []member {
	return []member{
		method("fromCharCode", 1, func(r *Realm, c call) goja.Value {
			r.Alloc(int64(len(c.Arguments)) * 3)
			list := make([]uint16, len(c.Arguments))
			p := r.pace()
			for i, a := range c.Arguments {
				p.step(1)
				list[i] = uint16(toUint32(r.num(a)))
			}
			p.end()
			return goja.StringFromUTF16(list)
		}),
		method("fromCodePoint", 1, func(r *Realm, c call) goja.Value {
			r.Alloc(int64(len(c.Arguments)) * 6)
			var list []uint16
			p := r.pace()
			for _, a := range c.Arguments {
				p.step(1)
				f := r.num(a)
				if f != math.Trunc(f) || f < 0 || f > 0x10FFFF {
					r.rangeError("Invalid code point %s", r.describeArg(a))
				}
				list = appendPoint(list, rune(f))
			}
			p.end()
			return goja.StringFromUTF16(list)
		}),
		method("raw", 1, stringRaw),
	}
}

// appendPoint appends a code point, which may be half of a surrogate pair.
func appendPoint(list []uint16, c rune) []uint16 {
	if c > 0xFFFF {
		a, b := utf16.EncodeRune(c)
		return append(list, uint16(a), uint16(b))
	}
	return append(list, uint16(c))
}

// toUint32 is ECMA-262 ToUint32.
func toUint32(f float64) uint32 {
	if f != f || math.IsInf(f, 0) {
		return 0
	}
	m := math.Mod(math.Trunc(f), 1<<32)
	if m < 0 {
		m += 1 << 32
	}
	return uint32(m)
}

func stringRaw(r *Realm, c call) goja.Value {
	cooked, ok := arg(c, 0).(*goja.Object)
	if !ok {
		r.typeError("Cannot convert undefined or null to object")
	}
	var raw *goja.Object
	if v := cooked.Get("raw"); v != nil {
		raw, _ = v.(*goja.Object)
	}
	if raw == nil {
		r.typeError("Cannot convert undefined or null to object")
	}
	n := r.integer(filled(raw.Get("length")))
	b := builder{r: r}
	for i := 0; float64(i) < n; i++ {
		r.Charge(1)
		b.add(r.str(filled(at(raw, i))))
		if float64(i+1) < n && i+1 < len(c.Arguments) {
			b.add(r.str(c.Arguments[i+1]))
		}
	}
	return b.value()
}

func (r *Realm) stringFunction() goja.Value {
	return r.converter("String", r.proto(stringProto), func(r *Realm, c call) goja.Value {
		if len(c.Arguments) == 0 {
			return emptyText
		}
		if s, ok := c.Arguments[0].(*goja.Symbol); ok {
			return r.text("Symbol(" + s.String() + ")")
		}
		return r.str(arg(c, 0))
	})
}
