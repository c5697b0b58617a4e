package object

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Repr is repr(v).
func (t *Thread) Repr(v Value) (string, *Exception) {
	if isScalar(v) {
		var w reprWriter
		x := w.write(t, v)
		return w.b.String(), x
	}
	mark := t.Building()
	var w reprWriter
	x := w.write(t, v)
	t.Built(mark)
	if x != nil {
		return "", x
	}
	return w.b.String(), nil
}

// Str is str(v).
func (t *Thread) Str(v Value) (string, *Exception) {
	switch v.Kind() {
	case KindStr:
		return v.o.self.(*Str).s, nil
	case KindInt:
		return strconv.FormatInt(int64(v.n), 10), nil
	case KindInstance, KindNative, KindException:
		s := &v.Class().slots
		if s.Str != nil {
			return guarded(t, s.Str, v)
		}
		if v.isKind(KindInstance) && v.Class().defines("__repr__") {
			return guarded(t, userStrByRepr, v)
		}
	}
	return t.Repr(v)
}

// guarded runs a slot that gives text, counting depth.
func guarded(t *Thread, f func(*Thread, Value) (string, *Exception), v Value) (string, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return "", x
	}
	s, x := f(t, v)
	t.Leave()
	return s, x
}

// StrValue is str(v) as a value, without a copy where v is a string already.
func (t *Thread) StrValue(v Value) (Value, *Exception) {
	if v.isKind(KindStr) {
		return v, nil
	}
	if n, ok := v.Int(); ok {
		if x := t.Alloc(strSize + 20); x != nil {
			return Value{}, x
		}
		return ascii(strconv.FormatInt(n, 10)), nil
	}
	s, x := t.Str(v)
	if x != nil {
		return Value{}, x
	}
	return t.Text(s)
}

// reprWriter gathers a repr, charging as it grows.
type reprWriter struct {
	b       strings.Builder
	charged int
}

// account charges what has been written since the last time.
func (w *reprWriter) account(t *Thread) *Exception {
	n := w.b.Len() - w.charged
	if n < 64 {
		return nil
	}
	w.charged = w.b.Len()
	return t.Build(2 * n)
}

// isScalar reports numbers and constants, whose text is short.
func isScalar(v Value) bool { return v.Kind() <= KindFloat }

func (w *reprWriter) write(t *Thread, v Value) *Exception {
	if x := w.account(t); x != nil {
		return x
	}
	switch v.Kind() {
	case KindNone:
		w.b.WriteString("None")
	case KindNotImplemented:
		w.b.WriteString("NotImplemented")
	case KindEllipsis:
		w.b.WriteString("Ellipsis")
	case KindBool:
		if v.n != 0 {
			w.b.WriteString("True")
		} else {
			w.b.WriteString("False")
		}
	case KindInt:
		var buf [24]byte
		w.b.Write(strconv.AppendInt(buf[:0], int64(v.n), 10))
	case KindFloat:
		f, _ := v.Float()
		w.b.WriteString(floatRepr(f))
	case KindBig:
		s, x := t.intText(v.o.self.(*BigInt).n)
		if x != nil {
			return x
		}
		w.b.WriteString(s)
	case KindStr:
		return w.str(t, v.o.self.(*Str).s)
	case KindBytes:
		return w.bytes(t, v.o.self.(*Bytes).s)
	case KindRange:
		r := v.o.self.(*Range)
		w.b.WriteString("range(" + strconv.FormatInt(r.Start, 10) + ", " + strconv.FormatInt(r.Stop, 10))
		if r.Step != 1 {
			w.b.WriteString(", " + strconv.FormatInt(r.Step, 10))
		}
		w.b.WriteByte(')')
	case KindList, KindTuple, KindDict, KindSet, KindFrozenSet, KindSlice:
		return w.container(t, v)
	default:
		f := v.Class().slots.Repr
		s, x := guarded(t, f, v)
		if x != nil {
			return x
		}
		w.b.WriteString(s)
	}
	return nil
}

func (w *reprWriter) str(t *Thread, s string) *Exception {
	if x := t.Charge(int64(len(s) >> 4)); x != nil {
		return x
	}
	quoteStr(&w.b, s, false)
	return w.account(t)
}

// quoteStr writes a string as its repr; ascii escapes all that is not ASCII.
func quoteStr(b *strings.Builder, s string, ascii bool) {
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	b.WriteByte(quote)
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f && c != quote && c != '\\' {
			i++
			continue
		}
		r, n := decodeRune(s[i:])
		if r >= 0x80 && !ascii && printable(r) {
			i += n
			continue
		}
		b.WriteString(s[start:i])
		escapeRune(b, r, quote)
		i += n
		start = i
	}
	b.WriteString(s[start:])
	b.WriteByte(quote)
}

func escapeRune(b *strings.Builder, r rune, quote byte) {
	switch {
	case r == rune(quote) || r == '\\':
		b.WriteByte('\\')
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < 0x100:
		b.WriteString(`\x`)
		hexDigits(b, r, 2)
	case r < 0x10000:
		b.WriteString(`\u`)
		hexDigits(b, r, 4)
	default:
		b.WriteString(`\U`)
		hexDigits(b, r, 8)
	}
}

func hexDigits(b *strings.Builder, r rune, n int) {
	for i := n - 1; i >= 0; i-- {
		b.WriteByte("0123456789abcdef"[r>>(4*i)&15])
	}
}

// printable is str.isprintable of one code point.
func printable(r rune) bool {
	if r < 0x7f {
		return r >= 0x20
	}
	if r >= 0xD800 && r <= 0xDFFF {
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
}

func (w *reprWriter) bytes(t *Thread, s string) *Exception {
	if x := t.Charge(int64(len(s) >> 4)); x != nil {
		return x
	}
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	w.b.WriteByte('b')
	w.b.WriteByte(quote)
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f && c != quote && c != '\\':
			w.b.WriteByte(c)
		default:
			escapeRune(&w.b, rune(c), quote)
		}
	}
	w.b.WriteByte(quote)
	return w.account(t)
}

// container writes what holds other values; one that holds itself is shown as
// dots.
func (w *reprWriter) container(t *Thread, v Value) *Exception {
	if slices.Contains(t.reprs, v.o) {
		w.b.WriteString(map[Kind]string{KindList: "[...]", KindTuple: "(...)", KindDict: "{...}", KindSet: "set(...)", KindFrozenSet: "frozenset(...)"}[v.o.kind])
		return nil
	}
	if len(t.reprs) > maxReprs {
		return t.Raise(RecursionError, "maximum recursion depth exceeded while getting the repr of an object")
	}
	t.reprs = append(t.reprs, v.o)
	x := w.contents(t, v)
	t.reprs = t.reprs[:len(t.reprs)-1]
	return x
}

// maxReprs is how deep containers may nest to be printed; the search for one that
// holds itself is linear in it.
const maxReprs = 900

func (w *reprWriter) contents(t *Thread, v Value) *Exception {
	switch v.o.kind {
	case KindList:
		l := v.o.self.(*List)
		w.b.WriteByte('[')
		for i := 0; i < len(l.items); i++ {
			if x := w.item(t, i, l.items[i]); x != nil {
				return x
			}
		}
		w.b.WriteByte(']')
	case KindTuple:
		items := v.o.self.(*Tuple).items
		w.b.WriteByte('(')
		for i, e := range items {
			if x := w.item(t, i, e); x != nil {
				return x
			}
		}
		if len(items) == 1 {
			w.b.WriteByte(',')
		}
		w.b.WriteByte(')')
	case KindDict:
		return w.dict(t, v.o.self.(*Dict))
	case KindSet, KindFrozenSet:
		return w.set(t, v.Class().Name, v.o.self.(*Set))
	case KindSlice:
		s := v.o.self.(*Slice)
		w.b.WriteString("slice(")
		for i, e := range []Value{s.Start, s.Stop, s.Step} {
			if x := w.item(t, i, e); x != nil {
				return x
			}
		}
		w.b.WriteByte(')')
	}
	return nil
}

func (w *reprWriter) item(t *Thread, i int, v Value) *Exception {
	if i > 0 {
		w.b.WriteString(", ")
	}
	if x := t.Charge(1); x != nil {
		return x
	}
	return w.write(t, v)
}

func (w *reprWriter) dict(t *Thread, d *Dict) *Exception {
	w.b.WriteByte('{')
	n := 0
	for i := 0; i < len(d.entries); i++ {
		e := d.entries[i]
		if !e.key.IsSet() {
			continue
		}
		if x := w.item(t, n, e.key); x != nil {
			return x
		}
		w.b.WriteString(": ")
		if x := w.write(t, e.val); x != nil {
			return x
		}
		n++
	}
	w.b.WriteByte('}')
	return nil
}

func (w *reprWriter) set(t *Thread, name string, s *Set) *Exception {
	if s.d.used == 0 {
		w.b.WriteString(name + "()")
		return nil
	}
	if name != "set" {
		w.b.WriteString(name + "(")
	}
	w.b.WriteByte('{')
	for i, e := range s.Members() {
		if x := w.item(t, i, e); x != nil {
			return x
		}
	}
	w.b.WriteByte('}')
	if name != "set" {
		w.b.WriteByte(')')
	}
	return nil
}

// nativeRepr is the Repr slot of the built-in classes, for instances of their
// subclasses.
func nativeRepr(t *Thread, v Value) (string, *Exception) {
	b := v.Base()
	if s, ok := b.Set(); ok && v != b {
		var w reprWriter
		name := v.Class().Name
		if s.d.used == 0 {
			return name + "()", nil
		}
		x := w.set(t, name, s)
		if b.isKind(KindSet) && name == "set" {
			return "set(" + w.b.String() + ")", x
		}
		return w.b.String(), x
	}
	return t.Repr(b)
}
