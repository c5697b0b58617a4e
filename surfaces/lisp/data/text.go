package data

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a string. Its length and its characters are UTF-16 code units, as the
// strings of the Java platform have them; it is kept in UTF-8.
type Text struct {
	Head
	S     string
	hash  uint32
	ascii int8 // 1 yes, -1 no, 0 not yet known
}

// String makes a string.
func String(s string) Value {
	t := &Text{S: s}
	t.kind, t.self = KindString, t
	return Value{o: &t.Head}
}

// Text gives the text of a string.
func (v Value) Text() (string, bool) {
	if v.o == nil || v.o.kind != KindString {
		return "", false
	}
	return v.o.self.(*Text).S, true
}

func (v Value) text() *Text { return v.o.self.(*Text) }

// ASCII reports whether every character is a byte.
func (t *Text) ASCII() bool {
	if t.ascii == 0 {
		t.ascii = 1
		for i := 0; i < len(t.S); i++ {
			if t.S[i] >= utf8.RuneSelf {
				t.ascii = -1
				break
			}
		}
	}
	return t.ascii > 0
}

// Units counts the UTF-16 code units of a text.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(max(r, 0))
	}
	return n
}

// Length counts the characters.
func (t *Text) Length() int {
	if t.ASCII() {
		return len(t.S)
	}
	return Units(t.S)
}

// At gives the character at a position within the length.
func (t *Text) At(i int) uint16 {
	if t.ASCII() {
		return uint16(t.S[i])
	}
	at := 0
	for _, r := range t.S {
		if r < 0x10000 {
			if at == i {
				return uint16(r)
			}
			at++
			continue
		}
		high, low := utf16.EncodeRune(r)
		switch i {
		case at:
			return uint16(high)
		case at + 1:
			return uint16(low)
		}
		at += 2
	}
	return 0
}

// Offset gives the byte offset of a position counted in characters. A position
// inside a pair of surrogates stands for its start.
func (t *Text) Offset(i int) int {
	if t.ASCII() {
		return i
	}
	at := 0
	for offset, r := range t.S {
		if at >= i {
			return offset
		}
		at += utf16.RuneLen(r)
	}
	return len(t.S)
}

// Position is the reverse of Offset.
func (t *Text) Position(offset int) int {
	if t.ASCII() {
		return offset
	}
	return Units(t.S[:offset])
}

// CharText is the text of a character. A lone surrogate has no UTF-8 and becomes
// the replacement character.
func CharText(c uint16) string {
	return string(utf16.Decode([]uint16{c}))
}

// Chars gives the characters of a text.
func Chars(s string) []Value {
	out := make([]Value, 0, len(s))
	for _, r := range s {
		if r < 0x10000 {
			out = append(out, Char(uint16(r)))
			continue
		}
		high, low := utf16.EncodeRune(r)
		out = append(out, Char(uint16(high)), Char(uint16(low)))
	}
	return out
}

// Name is a keyword or a symbol: a name with an optional namespace.
type Name struct {
	Head
	Space string // without the slash; empty for none
	Name  string
	hash  uint32 // of the value; 0 until it is asked for
}

func named(kind Kind, text string) Value {
	n := &Name{Name: text}
	if i := strings.IndexByte(text, '/'); i > 0 && i < len(text)-1 {
		n.Space, n.Name = text[:i], text[i+1:]
	}
	n.kind, n.self = kind, n
	return Value{o: &n.Head}
}

// Keyword makes a keyword of its text without the colon: "state", "ns/state".
func Keyword(text string) Value { return named(KindKeyword, text) }

// Symbol makes a symbol.
func Symbol(text string) Value { return named(KindSymbol, text) }

// Full is the text with the namespace.
func (n *Name) Full() string {
	if n.Space == "" {
		return n.Name
	}
	return n.Space + "/" + n.Name
}

// Named gives the name of a keyword or symbol, else nil.
func (v Value) Named() *Name {
	if v.o == nil || v.o.kind != KindKeyword && v.o.kind != KindSymbol {
		return nil
	}
	return v.o.self.(*Name)
}

// IsKeyword reports whether the value is a keyword.
func (v Value) IsKeyword() bool { return v.o != nil && v.o.kind == KindKeyword }

// IsSymbol reports whether the value is a symbol.
func (v Value) IsSymbol() bool { return v.o != nil && v.o.kind == KindSymbol }

func (n *Name) equal(m *Name) bool {
	return n == m || n.Name == m.Name && n.Space == m.Space
}
