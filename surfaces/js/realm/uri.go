package realm

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
)

const (
	uriUnreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()"
	uriReserved   = ";/?:@&=+$,#"
)

func encodeURIComponent(r *Realm, c call) goja.Value {
	return r.encode(r.str(arg(c, 0)), uriUnreserved)
}

func encodeURI(r *Realm, c call) goja.Value {
	return r.encode(r.str(arg(c, 0)), uriUnreserved+uriReserved)
}
func decodeURIComponent(r *Realm, c call) goja.Value { return r.decode(r.str(arg(c, 0)), "") }
func decodeURI(r *Realm, c call) goja.Value          { return r.decode(r.str(arg(c, 0)), uriReserved) }

func (r *Realm) malformed() { panic(r.NewError("URIError", "URI malformed")) }

// encode is ECMA-262 Encode.
func (r *Realm) encode(s goja.String, keep string) goja.Value {
	if r.loneSurrogate(s) >= 0 {
		r.malformed()
	}
	r.Alloc(int64(s.Length()) * 3)
	text := r.goText(s)
	r.Charge(int64(len(text)) >> 2)
	var b strings.Builder
	p := r.pace()
	for i := range len(text) {
		p.step(1)
		if c := text[i]; strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		}
	}
	p.end()
	return r.text(b.String())
}

const upperHex = "0123456789ABCDEF"

// decode is ECMA-262 Decode.
func (r *Realm) decode(s goja.String, keep string) goja.Value {
	n := s.Length()
	r.Alloc(int64(n) * 2)
	list := make([]uint16, 0, n)
	p := r.pace()
	for i := 0; i < n; i++ {
		p.step(1)
		c := s.CharAt(i)
		if c != '%' {
			list = append(list, c)
			continue
		}
		start := i
		point, width := r.escapedPoint(s, i)
		if i += width - 1; point < utf8.RuneSelf && strings.IndexByte(keep, byte(point)) >= 0 {
			for j := start; j <= i; j++ {
				list = append(list, s.CharAt(j))
			}
			continue
		}
		list = appendPoint(list, point)
	}
	p.end()
	return goja.StringFromUTF16(list)
}

// escapedPoint reads one code point written as %XX bytes of UTF-8.
func (r *Realm) escapedPoint(s goja.String, i int) (rune, int) {
	b := r.escapedByte(s, i)
	if b < utf8.RuneSelf {
		return rune(b), 3
	}
	size := 0
	switch {
	case b&0xE0 == 0xC0:
		size = 2
	case b&0xF0 == 0xE0:
		size = 3
	case b&0xF8 == 0xF0:
		size = 4
	default:
		r.malformed()
	}
	bytes := []byte{b}
	for j := 1; j < size; j++ {
		bytes = append(bytes, r.escapedByte(s, i+3*j))
	}
	point, w := utf8.DecodeRune(bytes)
	if w != size {
		r.malformed()
	}
	return point, 3 * size
}

func (r *Realm) escapedByte(s goja.String, i int) byte {
	if i+2 >= s.Length() || s.CharAt(i) != '%' {
		r.malformed()
	}
	high, low := s.CharAt(i+1), s.CharAt(i+2)
	if high > 127 || low > 127 || digitOf(byte(high)) > 15 || digitOf(byte(low)) > 15 {
		r.malformed()
	}
	return byte(digitOf(byte(high))<<4 | digitOf(byte(low)))
}

// btoa is the HTML standard's: one byte a character.
func btoa(r *Realm, c call) goja.Value {
	s := r.str(arg(c, 0))
	n := s.Length()
	r.Alloc(int64(n) * 3)
	r.Charge(int64(n) >> 2)
	data := make([]byte, n)
	for i := range data {
		u := s.CharAt(i)
		if u > 255 {
			panic(r.namedError("InvalidCharacterError", "Invalid character: btoa takes characters up to U+00FF.."))
		}
		data[i] = byte(u)
	}
	return r.text(base64.StdEncoding.EncodeToString(data))
}

// atob is the HTML standard's forgiving base64 decode.
func atob(r *Realm, c call) goja.Value {
	text := r.str(arg(c, 0)).String()
	r.Alloc(int64(len(text)) * 3)
	r.Charge(int64(len(text)) >> 2)
	clean := strings.Map(func(c rune) rune {
		switch c {
		case ' ', '\t', '\n', '\f', '\r':
			return -1
		}
		return c
	}, text)
	if len(clean)%4 == 0 {
		clean = strings.TrimSuffix(strings.TrimSuffix(clean, "="), "=")
	}
	data, err := base64.RawStdEncoding.DecodeString(clean)
	if err != nil || len(clean)%4 == 1 {
		panic(r.namedError("InvalidCharacterError", "The string to be decoded is not correctly encoded."))
	}
	list := make([]uint16, len(data))
	for i, b := range data {
		list[i] = uint16(b)
	}
	return goja.StringFromUTF16(list)
}

// namedError makes an error with a name of its own.
func (r *Realm) namedError(name, message string) *goja.Object {
	o := r.NewError("Error", message)
	r.hide(o, "name", r.text(name))
	return o
}
