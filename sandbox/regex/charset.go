package regex

import (
	"cmp"
	"slices"
	"unicode"
)

// span is the characters lo to hi, both included.
type span struct{ lo, hi rune }

// charset is a set of characters: spans in order, with gaps between them. A
// charset is never changed once made, so slices may be shared.
type charset []span

// lastChar is the largest character. Sets of code units use the same bound:
// nothing above 0xFFFF ever meets them.
const lastChar = unicode.MaxRune

// single is the set of the given characters.
func single(chars ...rune) charset {
	s := make(charset, 0, len(chars))
	for _, r := range chars {
		s = append(s, span{r, r})
	}
	return normal(s)
}

// normal sorts spans and joins those that touch. It reuses the slice.
func normal(s charset) charset {
	if len(s) < 2 {
		return s
	}
	slices.SortFunc(s, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	out := s[:1]
	for _, x := range s[1:] {
		last := &out[len(out)-1]
		if x.lo <= last.hi+1 {
			last.hi = max(last.hi, x.hi)
			continue
		}
		out = append(out, x)
	}
	return out
}

// has reports whether r is in the set.
func (s charset) has(r rune) bool {
	lo, hi := 0, len(s)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s[mid].hi < r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(s) && s[lo].lo <= r
}

// union is the characters in any of the sets.
func union(sets ...charset) charset {
	n := 0
	var only charset
	for _, s := range sets {
		if len(s) > 0 {
			n += len(s)
			only = s
		}
	}
	if n == len(only) {
		return only
	}
	all := make(charset, 0, n)
	for _, s := range sets {
		all = append(all, s...)
	}
	return normal(all)
}

// invert is the characters not in the set.
func (s charset) invert() charset {
	out := make(charset, 0, len(s)+1)
	next := rune(0)
	for _, x := range s {
		if x.lo > next {
			out = append(out, span{next, x.lo - 1})
		}
		next = x.hi + 1
	}
	if next <= lastChar {
		out = append(out, span{next, lastChar})
	}
	return out
}

// intersect is the characters in both sets.
func (s charset) intersect(t charset) charset {
	var out charset
	for i, j := 0, 0; i < len(s) && j < len(t); {
		lo, hi := max(s[i].lo, t[j].lo), min(s[i].hi, t[j].hi)
		if lo <= hi {
			out = append(out, span{lo, hi})
		}
		if s[i].hi < t[j].hi {
			i++
		} else {
			j++
		}
	}
	return out
}

// meets reports whether the sets have a character in common.
func (s charset) meets(t charset) bool {
	for i, j := 0, 0; i < len(s) && j < len(t); {
		if max(s[i].lo, t[j].lo) <= min(s[i].hi, t[j].hi) {
			return true
		}
		if s[i].hi < t[j].hi {
			i++
		} else {
			j++
		}
	}
	return false
}

// subtract is the characters in s and not in t.
func (s charset) subtract(t charset) charset { return s.intersect(t.invert()) }

// size is the number of characters.
func (s charset) size() int {
	n := 0
	for _, x := range s {
		n += int(x.hi-x.lo) + 1
	}
	return n
}

// only gives the one character of a set that has one.
func (s charset) only() (rune, bool) {
	if len(s) == 1 && s[0].lo == s[0].hi {
		return s[0].lo, true
	}
	return 0, false
}

// fromTable is the set that a table of the unicode package describes.
func fromTable(t *unicode.RangeTable) charset {
	s := make(charset, 0, len(t.R16)+len(t.R32))
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			s = append(s, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			s = append(s, span{r, r})
		}
	}
	for _, x := range t.R16 {
		add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
	}
	for _, x := range t.R32 {
		add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
	}
	return normal(s)
}

// The sets that patterns name by a letter. \s is WhiteSpace and LineTerminator
// of ECMA-262 12.2 and 12.3.
var (
	allChars        = charset{{0, lastChar}}
	digits          = charset{{'0', '9'}}
	wordChars       = charset{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	lineTerminators = charset{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}
	spaces          = charset{
		{'\t', '\r'},
		{' ', ' '},
		{0xA0, 0xA0},
		{0x1680, 0x1680},
		{0x2000, 0x200A},
		{0x2028, 0x2029},
		{0x202F, 0x202F},
		{0x205F, 0x205F},
		{0x3000, 0x3000},
		{0xFEFF, 0xFEFF},
	}
	surrogates = charset{{0xD800, 0xDFFF}}
)
