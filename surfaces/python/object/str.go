package object

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"
)

// Str is a string: UTF-8, in which a lone surrogate is encoded as UTF-8 would
// encode its number (WTF-8), so that every str of CPython can be represented.
type Str struct {
	Obj
	s    string
	n    int // length in code points, -1 if not counted yet
	hash uint64
}

// strSize is what a string takes beside its bytes.
const strSize = 56

// NewStr makes a string that has been charged, or that is short.
func NewStr(s string) Value {
	if len(s) <= 1 {
		return shortStr(s)
	}
	return (&Str{s: s, n: -1}).init()
}

func (s *Str) init() Value {
	s.kind, s.self = KindStr, s
	return Value{o: &s.Obj}
}

// Constant makes a string that threads may share, as a module's constants are:
// nothing in it is computed later.
func Constant(s string) Value { return constant(s) }

func constant(s string) Value {
	v := &Str{s: s, n: countRunes(s)}
	v.Hash()
	return v.init()
}

// characters are the strings of one ASCII character.
var characters = func() (c [utf8.RuneSelf]Value) {
	for i := range c {
		c[i] = constant(string(rune(i)))
	}
	return c
}()

var emptyStr = constant("")

func shortStr(s string) Value {
	if s == "" {
		return emptyStr
	}
	if s[0] < utf8.RuneSelf {
		return characters[s[0]]
	}
	return (&Str{s: s, n: 1}).init()
}

// Text charges for a string and makes it.
func (t *Thread) Text(s string) (Value, *Exception) {
	if len(s) <= 1 {
		return shortStr(s), nil
	}
	if x := t.Alloc(strSize + len(s)); x != nil {
		return Value{}, x
	}
	return (&Str{s: s, n: -1}).init(), nil
}

// maxInterned bounds the names a thread shares.
const maxInterned = 2048

// intern gives the string of an attribute or keyword, one for all its uses.
func (t *Thread) intern(name string) Value {
	if v, ok := t.interned[name]; ok {
		return v
	}
	v := NewStr(name)
	if len(name) < 64 && len(t.interned) < maxInterned {
		if t.interned == nil {
			t.interned = map[string]Value{}
		}
		t.interned[name] = v
	}
	return v
}

// ascii makes a string that is known to be ASCII.
func ascii(s string) Value {
	if len(s) <= 1 {
		return shortStr(s)
	}
	return (&Str{s: s, n: len(s)}).init()
}

// StrOf gives the string behind a value: of class str or of a subclass.
func StrOf(v Value) (*Str, bool) {
	if v.o == nil {
		return nil, false
	}
	if v.o.kind == KindStr {
		return v.o.self.(*Str), true
	}
	if v.o.kind == KindInstance {
		return v.o.self.(*Instance).Payload.Str()
	}
	return nil, false
}

// String gives the text.
func (s *Str) String() string { return s.s }

// Len is the length in code points.
func (s *Str) Len() int {
	if s.n < 0 {
		s.n = countRunes(s.s)
	}
	return s.n
}

// isASCII reports whether bytes and code points are the same.
func (s *Str) isASCII() bool { return s.Len() == len(s.s) }

var hashSeed = maphash.MakeSeed()

// Hash is the string's hash; it differs between processes, as CPython's.
func (s *Str) Hash() uint64 {
	if s.s == "" {
		return 0 // as in CPython, where it is the one text with a known hash
	}
	if s.hash == 0 {
		s.hash = maphash.String(hashSeed, s.s) | 1
	}
	return s.hash
}

// countRunes counts the code points of WTF-8.
func countRunes(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// decodeRune reads the first code point of WTF-8, surrogates included.
func decodeRune(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && s[0] == 0xED && len(s) >= 3 {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// appendRune writes a code point as WTF-8.
func appendRune(b []byte, r rune) []byte {
	if r >= 0xD800 && r <= 0xDFFF {
		return append(b, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F|0x80, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(b, r)
}

// runeText is the string of one code point.
func runeText(r rune) string {
	if r >= 0xD800 && r <= 0xDFFF {
		return string(appendRune(nil, r))
	}
	return string(r)
}

// runes gives the code points of WTF-8.
func runes(s string) []rune {
	out := make([]rune, 0, len(s))
	for len(s) > 0 {
		r, n := decodeRune(s)
		out = append(out, r)
		s = s[n:]
	}
	return out
}

// text joins code points as WTF-8.
func text(rs []rune) string {
	b := make([]byte, 0, len(rs))
	for _, r := range rs {
		b = appendRune(b, r)
	}
	return string(b)
}

// offset gives the byte at which code point i begins.
func (s *Str) offset(i int) int {
	if s.isASCII() {
		return i
	}
	at := 0
	for ; i > 0; i-- {
		_, n := decodeRune(s.s[at:])
		at += n
	}
	return at
}

// at gives the code point at an index that is in range, as a string.
func (s *Str) at(t *Thread, i int) (Value, *Exception) {
	if s.isASCII() {
		return characters[s.s[i]], nil
	}
	if x := t.Charge(int64(i >> 3)); x != nil {
		return Value{}, x
	}
	o := s.offset(i)
	_, n := decodeRune(s.s[o:])
	return shortRune(s.s[o : o+n]), nil
}

// shortRune makes a string of one code point.
func shortRune(s string) Value {
	if s[0] < utf8.RuneSelf {
		return characters[s[0]]
	}
	return (&Str{s: s, n: 1}).init()
}

// join is strings.Join under a name that reads well beside methods called Join.
func join(parts []string, sep string) string { return strings.Join(parts, sep) }
