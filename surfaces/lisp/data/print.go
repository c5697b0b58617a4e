package data

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printer writes values as text. Every byte is charged before it is written.
type Printer struct {
	t        *Thread
	readably bool // strings quoted, characters named: as pr does
	out      []byte
	limit    int // stop after so many bytes; 0 for none
	cut      bool
}

// Print gives a value as pr-str (readably) or print does.
func Print(t *Thread, v Value, readably bool) string {
	p := Printer{t: t, readably: readably}
	p.value(v)
	return string(p.out)
}

// Brief gives the readable text of a value in about limit bytes; what is left out
// shows as an ellipsis. It computes no lazy sequence.
func Brief(t *Thread, v Value, limit int) string {
	p := Printer{t: t, readably: true, limit: limit}
	p.value(v)
	if len(p.out) > limit {
		n := limit
		for n > 0 && !utf8.RuneStart(p.out[n]) {
			n--
		}
		p.out, p.cut = p.out[:n], true
	}
	if p.cut {
		return string(p.out) + "…"
	}
	return string(p.out)
}

// describeLimit is how much of a value an error shows, in bytes.
const describeLimit = 80

// Describe names a value in a message: what it is and, where short, its text.
func Describe(t *Thread, v Value) string {
	switch v.Kind() {
	case KindNil:
		return "nil"
	case KindBool, KindInt, KindFloat, KindBig, KindRatio:
		return "the number " + Brief(t, v, describeLimit)
	case KindChar:
		return "the character " + Brief(t, v, describeLimit)
	case KindString:
		return "the string " + Brief(t, v, describeLimit)
	case KindKeyword:
		return "the keyword " + Brief(t, v, describeLimit)
	case KindSymbol:
		return "the symbol " + Brief(t, v, describeLimit)
	case KindMap:
		return "the map " + Brief(t, v, describeLimit)
	case KindSet:
		return "the set " + Brief(t, v, describeLimit)
	case KindVector:
		return "the vector " + Brief(t, v, describeLimit)
	case KindFn, KindNative:
		return v.Unbox().(Boxed).TypeName()
	}
	return "the list " + Brief(t, v, describeLimit)
}

// TypeName names the type of a value: "a string".
func TypeName(v Value) string {
	switch v.Kind() {
	case KindNil:
		return "nil"
	case KindBool:
		return "a boolean"
	case KindInt, KindBig:
		return "an integer"
	case KindFloat:
		return "a double"
	case KindRatio:
		return "a ratio"
	case KindChar:
		return "a character"
	case KindString:
		return "a string"
	case KindKeyword:
		return "a keyword"
	case KindSymbol:
		return "a symbol"
	case KindMap:
		return "a map"
	case KindSet:
		return "a set"
	case KindVector:
		return "a vector"
	case KindFn, KindNative:
		return v.Unbox().(Boxed).TypeName()
	}
	return "a list"
}

func (p *Printer) room(n int) bool {
	if p.cut {
		return false
	}
	if p.limit > 0 && len(p.out) > p.limit {
		p.cut = true
		return false
	}
	p.t.Alloc(n)
	return true
}

func (p *Printer) text(s string) {
	if p.limit > 0 && len(s) > p.limit {
		n := p.limit
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
		defer func() { p.cut = true }()
	}
	if p.room(len(s)) {
		p.out = append(p.out, s...)
	}
}

func (p *Printer) value(v Value) {
	switch v.Kind() {
	case KindNil:
		p.text("nil")
	case KindBool:
		p.text(strconv.FormatBool(v.n != 0))
	case KindInt, KindFloat, KindBig, KindRatio:
		p.text(NumberText(p.t, v, true))
	case KindChar:
		p.char(uint16(v.n))
	case KindString:
		p.string(v.text().S)
	case KindKeyword:
		p.text(":" + v.Named().Full())
	case KindSymbol:
		p.text(v.Named().Full())
	case KindFn, KindNative:
		p.text(v.Unbox().(Boxed).Printed())
	default:
		p.t.Enter()
		p.container(v)
		p.t.Leave()
	}
}

// NumberText is the text of a number; readably, a big integer ends in N and the
// doubles without digits are written as the reader takes them.
func NumberText(t *Thread, v Value, readably bool) string {
	switch v.Kind() {
	case KindInt:
		return strconv.FormatInt(int64(v.n), 10)
	case KindFloat:
		f, _ := v.Float()
		if readably && (f != f || f-f != 0) {
			switch {
			case f != f:
				return "##NaN"
			case f > 0:
				return "##Inf"
			}
			return "##-Inf"
		}
		return string(AppendFloat(nil, f))
	case KindBig:
		n, _ := v.BigInt()
		t.Alloc(len(n.Bits()) * 20)
		t.Charge(len(n.Bits()) * len(n.Bits()) / 16)
		if readably {
			return n.String() + "N"
		}
		return n.String()
	}
	r, _ := v.Ratio()
	digits := len(r.Num().Bits()) + len(r.Denom().Bits())
	t.Alloc(digits * 20)
	t.Charge(digits * digits / 16)
	return r.RatString()
}

var charNames = map[uint16]string{'\n': "newline", ' ': "space", '\t': "tab", '\b': "backspace", '\f': "formfeed", '\r': "return"}

func (p *Printer) char(c uint16) {
	if !p.readably {
		p.text(CharText(c))
		return
	}
	if name, ok := charNames[c]; ok {
		p.text(`\` + name)
		return
	}
	p.text(`\` + CharText(c))
}

var stringEscapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\b", `\b`, "\f", `\f`)

func (p *Printer) string(s string) {
	if !p.readably {
		p.text(s)
		return
	}
	if p.limit > 0 && len(s) > 4*p.limit {
		s = s[:4*p.limit]
	}
	p.t.Alloc(len(s))
	p.text(`"` + stringEscapes.Replace(s) + `"`)
}

func (p *Printer) container(v Value) {
	switch v.Kind() {
	case KindMap:
		p.mapping(v.asMap())
	case KindSet:
		p.text("#{")
		p.elements(v)
		p.text("}")
	case KindVector:
		p.text("[")
		p.elements(v)
		p.text("]")
	default:
		p.text("(")
		p.elements(v)
		p.text(")")
	}
}

func (p *Printer) elements(v Value) {
	if p.limit > 0 && v.Kind() == KindLazy && !v.o.self.(*Lazy).Realised() {
		p.text("…")
		return
	}
	first := true
	for it := Iterate(p.t, v); !p.cut && it.Next(); {
		if !first {
			p.text(" ")
		}
		first = false
		p.value(it.Value)
		if p.limit > 0 && it.rest.Kind() == KindLazy && it.i >= len(it.items) && !it.rest.o.self.(*Lazy).Realised() {
			p.text(" …")
			return
		}
	}
}

func (p *Printer) mapping(m *Map) {
	p.text("{")
	first := true
	m.Each(p.t, func(k, v Value) bool {
		if !first {
			p.text(", ")
		}
		first = false
		p.value(k)
		p.text(" ")
		p.value(v)
		return !p.cut
	})
	p.text("}")
}

// Str is the text of a value in str: nil is empty, a string itself, and
// structures print readably.
func Str(t *Thread, v Value) string {
	switch v.Kind() {
	case KindNil:
		return ""
	case KindString:
		return v.text().S
	case KindChar:
		return CharText(uint16(v.n))
	case KindInt, KindFloat, KindBig, KindRatio:
		return NumberText(t, v, false)
	}
	if x, ok := v.Unbox().(Texted); ok {
		return x.Text()
	}
	return Print(t, v, true)
}

// Texted is a value whose text in str is not its printed form: a pattern.
type Texted interface{ Text() string }
