package object

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Bytes is a bytes value.
type Bytes struct {
	Obj
	s string
}

// NewBytes makes bytes that have been charged.
func NewBytes(s string) Value {
	b := &Bytes{s: s}
	b.kind, b.self = KindBytes, b
	return Value{o: &b.Obj}
}

// String gives the bytes.
func (b *Bytes) String() string { return b.s }

// Data charges for bytes and makes them.
func (t *Thread) Data(s string) (Value, *Exception) {
	if x := t.Alloc(strSize + len(s)); x != nil {
		return Value{}, x
	}
	return NewBytes(s), nil
}

func (t *Thread) concatBytes(a, b string) (Value, *Exception) {
	if x := t.Alloc(strSize + len(a) + len(b)); x != nil {
		return Value{}, x
	}
	return NewBytes(a + b), nil
}

func (t *Thread) bytesContains(b *Bytes, w Value) (bool, *Exception) {
	if n, ok := w.integral(); ok {
		if n < 0 || n > 255 {
			return false, t.RaiseValue("byte must be in range(0, 256)")
		}
		return strings.IndexByte(b.s, byte(n)) >= 0, nil
	}
	o, ok := w.Bytes()
	if !ok {
		return false, t.RaiseType("a bytes-like object is required, not '%s'", w.Class().Name)
	}
	return strings.Contains(b.s, o.s), t.Charge(int64(len(b.s) >> 5))
}

// encode is str.encode.
func (t *Thread) encode(s string, encoding, errors Value) (Value, *Exception) {
	name, mode, x := t.codec(encoding, errors)
	if x != nil {
		return Value{}, x
	}
	if x := t.Alloc(strSize + 4*len(s)); x != nil {
		return Value{}, x
	}
	limit := rune(utf8.MaxRune)
	switch name {
	case "ascii":
		limit = 0x7f
	case "latin-1":
		limit = 0xff
	}
	var out []byte
	for i, at := 0, 0; i < len(s); at++ {
		r, n := decodeRune(s[i:])
		bad := r > limit || name == "utf-8" && r >= 0xD800 && r <= 0xDFFF
		switch {
		case !bad && name == "latin-1":
			out = append(out, byte(r))
		case !bad:
			out = append(out, s[i:i+n]...)
		case mode == "ignore":
		case mode == "replace":
			out = append(out, '?')
		case mode == "backslashreplace" || mode == "xmlcharrefreplace":
			var b strings.Builder
			escapeRune(&b, r, 0)
			out = append(out, b.String()...)
		default:
			return Value{}, t.raiseEncode(name, s[i:], r, at, limit)
		}
		i += n
	}
	return NewBytes(string(out)), nil
}

// raiseEncode is the error of what cannot be encoded: all of it that stands
// together.
func (t *Thread) raiseEncode(name, rest string, r rune, at int, limit rune) *Exception {
	var b strings.Builder
	escapeRune(&b, r, 0)
	reason := "surrogates not allowed"
	switch name {
	case "ascii":
		reason = "ordinal not in range(128)"
	case "latin-1":
		reason = "ordinal not in range(256)"
	}
	n := 0
	for rest != "" {
		c, size := decodeRune(rest)
		if c <= limit && (c < 0xD800 || c > 0xDFFF) {
			break
		}
		rest = rest[size:]
		n++
	}
	if n > 1 {
		return t.Raise(UnicodeEncodeError, "'%s' codec can't encode characters in position %d-%d: %s", name, at, at+n-1, reason)
	}
	return t.Raise(UnicodeEncodeError, "'%s' codec can't encode character '%s' in position %d: %s", name, b.String(), at, reason)
}

// codec reads the encoding and errors arguments.
func (t *Thread) codec(encoding, errors Value) (name, mode string, raised *Exception) {
	name, mode = "utf-8", "strict"
	if encoding.IsSet() {
		s, x := t.wantStr(encoding, "encode() argument 'encoding' must be str, not %s")
		if x != nil {
			return "", "", x
		}
		switch strings.ReplaceAll(strings.ToLower(s.s), "_", "-") {
		case "utf-8", "utf8", "u8":
		case "ascii", "us-ascii":
			name = "ascii"
		case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "l1":
			name = "latin-1"
		default:
			return "", "", t.Raise(LookupError, "unknown encoding: %s", s.s)
		}
	}
	if errors.IsSet() {
		s, x := t.wantStr(errors, "encode() argument 'errors' must be str, not %s")
		if x != nil {
			return "", "", x
		}
		mode = s.s
		switch mode {
		case "strict", "ignore", "replace", "backslashreplace", "surrogateescape":
		default:
			return "", "", t.Raise(LookupError, "unknown error handler name '%s'", mode)
		}
	}
	return name, mode, nil
}

// decode is bytes.decode.
func (t *Thread) decode(s string, encoding, errors Value) (Value, *Exception) {
	name, mode, x := t.codec(encoding, errors)
	if x != nil {
		return Value{}, x
	}
	if x := t.Alloc(strSize + 2*len(s)); x != nil {
		return Value{}, x
	}
	if name == "utf-8" && utf8.ValidString(s) {
		return NewStr(s), nil
	}
	var out []byte
	for i := 0; i < len(s); {
		c := s[i]
		n := 1
		switch {
		case name == "latin-1":
			out = utf8.AppendRune(out, rune(c))
			i++
			continue
		case c < 0x80:
			out = append(out, c)
			i++
			continue
		case name == "utf-8":
			if r, size := utf8.DecodeRuneInString(s[i:]); size > 1 {
				out = utf8.AppendRune(out, r)
				i += size
				continue
			}
			n = badLength(s[i:])
		}
		switch mode {
		case "ignore":
		case "replace":
			out = utf8.AppendRune(out, utf8.RuneError)
		case "backslashreplace":
			for _, b := range []byte(s[i : i+n]) {
				out = append(out, `\x`+hex.EncodeToString([]byte{b})...)
			}
		case "surrogateescape":
			for _, b := range []byte(s[i : i+n]) {
				out = appendRune(out, 0xDC00+rune(b))
			}
		default:
			return Value{}, t.raiseDecode(name, s, i, n)
		}
		i += n
	}
	return NewStr(string(out)), nil
}

// badLength counts the bytes of an ill-formed sequence that CPython reports as
// one.
func badLength(s string) int {
	need := 0
	low, high := byte(0x80), byte(0xBF)
	switch c := s[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			low = 0xA0
		}
		if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			low = 0x90
		}
		if c == 0xF4 {
			high = 0x8F
		}
	default:
		return 1
	}
	n := 1
	for n <= need && n < len(s) && s[n] >= low && s[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}

func (t *Thread) raiseDecode(name, s string, i, n int) *Exception {
	if name == "ascii" {
		return t.Raise(UnicodeDecodeError, "'ascii' codec can't decode byte 0x%02x in position %d: ordinal not in range(128)", s[i], i)
	}
	reason := "invalid start byte"
	if c := s[i]; c >= 0xC2 && c <= 0xF4 {
		reason = "invalid continuation byte"
		if i+n == len(s) {
			reason = "unexpected end of data"
		}
	}
	if n == 1 {
		return t.Raise(UnicodeDecodeError, "'utf-8' codec can't decode byte 0x%02x in position %d: %s", s[i], i, reason)
	}
	return t.Raise(UnicodeDecodeError, "'utf-8' codec can't decode bytes in position %d-%d: %s", i, i+n-1, reason)
}

// bytesFrom gives the bytes that bytes(v) takes from a bytes value or an iterable
// of numbers.
func (t *Thread) bytesFrom(v Value) (string, *Exception) {
	if b, ok := v.Base().Bytes(); ok {
		return b.s, nil
	}
	if !iterable(v) && v.Class().slots.Next == nil {
		return "", t.RaiseType("cannot convert '%s' object to bytes", v.Class().Name)
	}
	defer t.Built(t.Building())
	var out []byte
	x := t.Each(v, func(e Value) (bool, *Exception) {
		i, x := t.Index(e)
		if x != nil {
			return false, x
		}
		n, ok := i.Int()
		if !ok || n < 0 || n > 255 {
			return false, t.RaiseValue("bytes must be in range(0, 256)")
		}
		out = append(out, byte(n))
		return false, t.Build(2)
	})
	return string(out), x
}

var bytesSignature = NewBuiltin("bytes", "source? encoding? errors?", func(t *Thread, a []Value) (Value, *Exception) {
	v := Arg(a, 0)
	if !v.IsSet() {
		return NewBytes(""), nil
	}
	if s, ok := StrOf(v); ok {
		if !Arg(a, 1).IsSet() {
			return Value{}, t.RaiseType("string argument without an encoding")
		}
		return t.encode(s.s, Arg(a, 1), Arg(a, 2))
	}
	if v.isKind(KindInstance) && v.Class().slots.Index != nil {
		var x *Exception
		if v, x = t.Index(v); x != nil {
			return Value{}, x
		}
	}
	if isInteger(v) {
		n, ok := v.integral()
		if !ok {
			return Value{}, t.Raise(OverflowError, "cannot fit 'int' into an index-sized integer")
		}
		if n < 0 {
			return Value{}, t.RaiseValue("negative count")
		}
		if x := t.room(n, 1); x != nil {
			return Value{}, x
		}
		return NewBytes(strings.Repeat("\x00", int(n))), nil
	}
	s, x := t.bytesFrom(v)
	if x != nil {
		return Value{}, x
	}
	return t.Data(s)
})

func setupBytes() {
	c := BytesClass
	c.Own = Slots{
		Repr: nativeRepr, Compare: nativeCompare, Binary: nativeBinary,
		Hash:    func(t *Thread, v Value) (uint64, *Exception) { return t.Hash(v.Base()) },
		Len:     func(t *Thread, v Value) (int, *Exception) { return t.Len(v.Base()) },
		GetItem: func(t *Thread, v, k Value) (Value, *Exception) { return t.GetItem(v.Base(), k) },
		Iter:    func(t *Thread, v Value) (Iterator, *Exception) { return t.Iter(v.Base()) },
		Contains: func(t *Thread, v, w Value) (bool, *Exception) {
			b, _ := v.Base().Bytes()
			return t.bytesContains(b, w)
		},
	}
	c.New = func(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
		v, x := bytesSignature.Call(t, args, names)
		if x != nil {
			return Value{}, x
		}
		return t.Wrap(cls, BytesClass, v)
	}
	c.Method("decode", "encoding? errors?", func(t *Thread, a []Value) (Value, *Exception) {
		b, _ := a[0].Base().Bytes()
		return t.decode(b.s, Arg(a, 1), Arg(a, 2))
	})
	c.Method("hex", "sep? bytes_per_sep?", func(t *Thread, a []Value) (Value, *Exception) {
		b, _ := a[0].Base().Bytes()
		if x := t.Alloc(3 * len(b.s)); x != nil {
			return Value{}, x
		}
		out := hex.EncodeToString([]byte(b.s))
		if v := Arg(a, 1); v.IsSet() {
			sep, x := t.wantStr(v, "sep must be str or bytes, not %s")
			if x != nil {
				return Value{}, x
			}
			out = groupHex(out, sep.s)
		}
		return ascii(out), nil
	})
	classMethod(c, "fromhex", "string /", func(t *Thread, a []Value) (Value, *Exception) {
		s, x := t.wantStr(a[1], "fromhex() argument must be str, not %s")
		if x != nil {
			return Value{}, x
		}
		clean := strings.Join(strings.Fields(s.s), "")
		out, err := hex.DecodeString(clean)
		if err != nil {
			return Value{}, t.RaiseValue("non-hexadecimal number found in fromhex() arg at position %d", firstNonHex(s.s))
		}
		return t.Data(string(out))
	})
	bytesMethods(c)
	c.Ready()
}

func groupHex(s, sep string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 2 {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(s[i : i+2])
	}
	return b.String()
}

func firstNonHex(s string) int {
	for i := range len(s) {
		if digitOf(s[i]) > 15 && s[i] != ' ' {
			return i
		}
	}
	return len(s)
}

// wantBytes gives an argument that must be bytes.
func (t *Thread) wantBytes(v Value) (string, *Exception) {
	if b, ok := v.Base().Bytes(); ok {
		return b.s, nil
	}
	return "", t.RaiseType("a bytes-like object is required, not '%s'", v.Class().Name)
}

func bytesMethods(c *Class) {
	change := func(name string, f func(s string) string) {
		c.Method(name, "", func(t *Thread, a []Value) (Value, *Exception) {
			b, _ := a[0].Base().Bytes()
			if x := t.Alloc(len(b.s)); x != nil {
				return Value{}, x
			}
			return NewBytes(f(b.s)), nil
		})
	}
	byByte := func(f func(c byte) byte) func(string) string {
		return func(s string) string {
			out := []byte(s)
			for i := range out {
				out[i] = f(out[i])
			}
			return string(out)
		}
	}
	change("upper", byByte(func(c byte) byte {
		if c >= 'a' && c <= 'z' {
			return c - 32
		}
		return c
	}))
	change("lower", byByte(func(c byte) byte {
		if c >= 'A' && c <= 'Z' {
			return c + 32
		}
		return c
	}))
	trim := func(name string, f func(s, cut string) string) {
		c.Method(name, "chars? /", func(t *Thread, a []Value) (Value, *Exception) {
			b, _ := a[0].Base().Bytes()
			cut := " \t\n\r\v\f"
			if v := Arg(a, 1); v.IsSet() && !v.IsNone() {
				var x *Exception
				if cut, x = t.wantBytes(v); x != nil {
					return Value{}, x
				}
			}
			return t.Data(f(b.s, cut))
		})
	}
	left := func(s, cut string) string {
		for s != "" && strings.IndexByte(cut, s[0]) >= 0 {
			s = s[1:]
		}
		return s
	}
	right := func(s, cut string) string {
		for s != "" && strings.IndexByte(cut, s[len(s)-1]) >= 0 {
			s = s[:len(s)-1]
		}
		return s
	}
	trim("strip", func(s, cut string) string { return right(left(s, cut), cut) })
	trim("lstrip", left)
	trim("rstrip", right)
	test := func(name string, f func(s, fix string) bool) {
		c.Method(name, "affix /", func(t *Thread, a []Value) (Value, *Exception) {
			b, _ := a[0].Base().Bytes()
			fix, x := t.wantBytes(a[1])
			return Bool(f(b.s, fix)), x
		})
	}
	test("startswith", strings.HasPrefix)
	test("endswith", strings.HasSuffix)
	number := func(name string, f func(s, sub string) int) {
		c.Method(name, "sub /", func(t *Thread, a []Value) (Value, *Exception) {
			b, _ := a[0].Base().Bytes()
			sub, x := t.wantBytes(a[1])
			if x != nil {
				return Value{}, x
			}
			return Int(int64(f(b.s, sub))), t.Charge(int64(len(b.s) >> 4))
		})
	}
	number("find", strings.Index)
	number("rfind", strings.LastIndex)
	number("count", func(s, sub string) int {
		if sub == "" {
			return len(s) + 1
		}
		return strings.Count(s, sub)
	})
	c.Method("split", "sep? maxsplit?", func(t *Thread, a []Value) (Value, *Exception) {
		b, _ := a[0].Base().Bytes()
		n := -1
		if v := Arg(a, 2); v.IsSet() {
			i, x := t.IndexInt(v)
			if x != nil {
				return Value{}, x
			}
			n = int(i)
		}
		var parts []string
		if v := Arg(a, 1); v.IsSet() && !v.IsNone() {
			sep, x := t.wantBytes(v)
			if x != nil {
				return Value{}, x
			}
			if sep == "" {
				return Value{}, t.RaiseValue("empty separator")
			}
			if n >= 0 {
				n++
			}
			parts = strings.SplitN(b.s, sep, n)
		} else {
			parts = fields(b.s, n, false)
		}
		if x := t.Alloc(listSize + len(b.s) + (strSize+valueSize)*len(parts)); x != nil {
			return Value{}, x
		}
		items := make([]Value, len(parts))
		for i, p := range parts {
			items[i] = NewBytes(p)
		}
		return NewList(items), nil
	})
	c.Method("join", "iterable /", func(t *Thread, a []Value) (Value, *Exception) {
		b, _ := a[0].Base().Bytes()
		items, x := t.Items(a[1])
		if x != nil {
			return Value{}, x
		}
		parts := make([]string, len(items))
		n := 0
		for i, e := range items {
			p, ok := e.Bytes()
			if !ok {
				return Value{}, t.RaiseType("sequence item %d: expected a bytes-like object, %s found", i, e.Class().Name)
			}
			parts[i] = p.s
			n += len(p.s) + len(b.s)
		}
		if x := t.Alloc(strSize + n); x != nil {
			return Value{}, x
		}
		return NewBytes(strings.Join(parts, b.s)), nil
	})
	c.Method("replace", "old new count? /", func(t *Thread, a []Value) (Value, *Exception) {
		b, _ := a[0].Base().Bytes()
		from, x := t.wantBytes(a[1])
		if x != nil {
			return Value{}, x
		}
		to, x := t.wantBytes(a[2])
		if x != nil {
			return Value{}, x
		}
		n := int64(-1)
		if v := Arg(a, 3); v.IsSet() {
			if n, x = t.IndexInt(v); x != nil {
				return Value{}, x
			}
		}
		if x := t.room(int64(len(b.s)+1), max(1, len(to))); x != nil {
			return Value{}, x
		}
		return NewBytes(strings.Replace(b.s, from, to, int(n))), nil
	})
}
