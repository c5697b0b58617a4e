package regex

import (
	"sync"
	"unicode"
)

// canonicalPython gives one character for all that count as the same one with
// IGNORECASE: those of one lower case, and lower cases that share an upper case.
func canonicalPython(r rune) rune {
	if r < 0x80 {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	l := unicode.ToLower(r)
	if c, ok := pythonShared[l]; ok {
		return c
	}
	return unicode.ToLower(unicode.ToUpper(l))
}

// pythonShared are lower cases whose full upper case is shared although their
// simple one is not, and a capital whose lower case is an i with a dot.
var pythonShared = map[rune]rune{0x1FD3: 0x390, 0x1FE3: 0x3B0, 0xFB05: 0xFB06, 0x130: 'i', 0x1E9E: 0xDF}

// The classes of characters of Python's re for str patterns: what str.isdecimal,
// str.isspace and str.isalnum say.
var (
	pythonDigits = sync.OnceValue(func() charset { return fromTable(unicode.Nd) })
	pythonWords  = sync.OnceValue(func() charset {
		return union(fromTable(unicode.L), fromTable(unicode.N), pythonNumerals, single('_'))
	})
	pythonSpaces = charset{
		{'\t', '\r'},
		{0x1C, ' '},
		{0x85, 0x85},
		{0xA0, 0xA0},
		{0x1680, 0x1680},
		{0x2000, 0x200A},
		{0x2028, 0x2029},
		{0x202F, 0x202F},
		{0x205F, 0x205F},
		{0x3000, 0x3000},
	}
	pythonNumerals    charset
	pythonASCIISpaces = charset{{'\t', '\r'}, {' ', ' '}}
)
