package object

// Runes gives the code points of a string, lone surrogates included. The caller
// has charged for them.
func Runes(s string) []rune { return runes(s) }

// FromRunes joins code points, lone surrogates included, into the bytes of a
// string.
func FromRunes(rs []rune) string { return text(rs) }

// IsASCII reports whether every character of the string is one byte.
func (s *Str) IsASCII() bool { return s.isASCII() }

// FirstRune reads the first code point of a string that is not empty, and tells
// how many bytes it has.
func FirstRune(s string) (r rune, bytes int) { return decodeRune(s) }
