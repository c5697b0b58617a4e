package regex

import (
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// unit is what an input is made of.
type unit interface {
	byte | uint16 | int32
}

// Input is a text to match, in one of three widths. Indexes into it count its
// own units: bytes of an ASCII text, UTF-16 code units, or code points. The
// zero Input is the empty text.
//
// An Input borrows what it was made from and never writes to it.
type Input struct {
	bytes []byte
	units []uint16
	runes []rune
}

// ASCII makes an input of a string that holds only bytes below 0x80; it copies
// nothing. Its indexes are UTF-16 indexes too.
func ASCII(s string) Input {
	if s == "" {
		return Input{}
	}
	// The matcher only reads, so the string's bytes need no copy.
	return Input{bytes: unsafe.Slice(unsafe.StringData(s), len(s))}
}

// UTF16 makes an input of UTF-16 code units, paired or not.
func UTF16(units []uint16) Input { return Input{units: units} }

// Runes makes an input of code points.
func Runes(runes []rune) Input { return Input{runes: runes} }

// Text makes an input whose indexes count UTF-16 code units, from any string.
// It copies the text unless it is ASCII: callers under limits charge first.
func Text(s string) Input {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return UTF16(utf16.Encode([]rune(s)))
		}
	}
	return ASCII(s)
}

// Len is the number of units.
func (in Input) Len() int { return len(in.bytes) + len(in.units) + len(in.runes) }

// Slice gives units from to to as a string; unpaired surrogates become U+FFFD.
func (in Input) Slice(from, to int) string {
	switch {
	case in.units != nil:
		return string(utf16.Decode(in.units[from:to]))
	case in.runes != nil:
		return string(in.runes[from:to])
	}
	return string(in.bytes[from:to])
}
