package regex

import (
	"bytes"
	"unicode/utf16"
	"unsafe"
)

// scanStretch is how many characters are scanned between two charges.
const scanStretch = 8192

// pairs reports whether surrogate pairs in the input are single characters.
func pairs[C unit](p *Program) bool {
	var c C
	return p.codePoints && unsafe.Sizeof(c) == 2
}

func isLead(r rune) bool  { return r >= 0xD800 && r < 0xDC00 }
func isTrail(r rune) bool { return r >= 0xDC00 && r < 0xE000 }

// decode gives the character at pos, which must be inside, and its width.
func decode[C unit](in []C, pos int, paired bool) (rune, int) {
	r := rune(in[pos])
	if paired && isLead(r) && pos+1 < len(in) && isTrail(rune(in[pos+1])) {
		return utf16.DecodeRune(r, rune(in[pos+1])), 2
	}
	return r, 1
}

// decodeBack gives the character that ends at pos, which must not be 0.
func decodeBack[C unit](in []C, pos int, paired bool) (rune, int) {
	r := rune(in[pos-1])
	if paired && isTrail(r) && pos > 1 && isLead(rune(in[pos-2])) {
		return utf16.DecodeRune(rune(in[pos-2]), r), 2
	}
	return r, 1
}

// fits reports whether f lets the match go on at pos.
func fits[C unit](f *follow, in []C, pos int, paired bool) bool {
	if pos >= len(in) {
		return f.end
	}
	r := rune(in[pos])
	if paired && isLead(r) {
		r, _ = decode(in, pos, true)
	}
	return f.set.has(r)
}

// search tries one place after the other.
func search[C unit](x *Matcher, in []C, at int, fixed bool) (bool, error) {
	p := x.program
	paired := pairs[C](p)
	if paired && at > 0 && at < len(in) && isTrail(rune(in[at])) && isLead(rune(in[at-1])) {
		at-- // ECMA-262 22.2.7.2: the character of which the unit is part
	}
	if p.anchored && at > 0 || len(in)-at < p.least {
		return false, nil
	}
	if len(p.needed) > 0 && !fixed {
		// The next match ends behind the text found, so the search for the one
		// after it begins there: over all matches the input is scanned once.
		if found, err := findText(x, in, at, p.needed); err != nil || found < 0 {
			return false, err
		}
	}
	for pos := at; ; {
		if !fixed && !p.anchored {
			var err error
			if pos, err = candidate(x, in, pos, paired); err != nil || pos < 0 {
				return false, err
			}
		}
		if ok, err := run(x, in, pos); ok || err != nil {
			return ok, err
		}
		if fixed || p.anchored || len(in)-pos <= p.least {
			return false, nil
		}
		if p.again {
			next, err := scan(x, in, pos, len(in), p.lineEnds, false)
			if err != nil || next >= len(in) {
				return false, err
			}
			pos = next
		}
		_, w := decode(in, pos, paired)
		pos += w
	}
}

// candidate gives the first place at or after pos where a match can begin, or -1.
func candidate[C unit](x *Matcher, in []C, pos int, paired bool) (int, error) {
	p := x.program
	switch {
	case len(p.prefix) > 0:
		return findText(x, in, pos, p.prefix)
	case p.start == nil:
		return pos, nil
	}
	if !paired || p.start.oneUnit {
		next, err := scan(x, in, pos, len(in), p.start, false)
		if err != nil || next >= len(in) {
			return -1, err
		}
		return next, nil
	}
	for pos < len(in) {
		r, w := decode(in, pos, true)
		if p.start.has(r) {
			return pos, nil
		}
		pos += w
		if x.work++; x.work >= batch {
			if err := x.spend(); err != nil {
				return -1, err
			}
		}
	}
	return -1, nil
}

// scan gives the first place from pos to limit where a unit of the set stands,
// or with member where one stands that is not of it; else limit. It charges a
// step for four units, stretch by stretch.
func scan[C unit](x *Matcher, in []C, pos, limit int, s *set, member bool) (int, error) {
	for pos < limit {
		stop := min(limit, pos+scanStretch)
		from := pos
		low := &s.low
		for pos < stop {
			c := uint32(in[pos])
			var has bool
			if c < 0x100 {
				has = low[c>>6]>>(c&63)&1 != 0
			} else {
				has = s.hasHigh(rune(c))
			}
			if has != member {
				break
			}
			pos++
		}
		x.work += (pos-from)>>2 + 1
		if x.work >= batch {
			if err := x.spend(); err != nil {
				return 0, err
			}
		}
		if pos < stop {
			return pos, nil
		}
	}
	return pos, nil
}

// findText gives the first place at or after pos where the units stand, or -1.
func findText[C unit](x *Matcher, in []C, pos int, text []uint16) (int, error) {
	for pos+len(text) <= len(in) {
		// A text that begins in a stretch may end in the next.
		stretch := min(len(in), pos+scanStretch+len(text)-1)
		i := index(in[pos:stretch], text)
		if i < 0 {
			x.work += (stretch-pos)>>4 + 1
		} else {
			x.work += i>>4 + 1
		}
		if x.work >= batch {
			if err := x.spend(); err != nil {
				return -1, err
			}
		}
		if i >= 0 {
			return pos + i, nil
		}
		pos = stretch - len(text) + 1
	}
	return -1, nil
}

// index is bytes.Index for every width.
func index[C unit](in []C, text []uint16) int {
	if b, ok := any(in).([]byte); ok {
		return indexBytes(b, text)
	}
	first := C(text[0])
	for i := 0; i+len(text) <= len(in); i++ {
		if in[i] == first && equalUnits(in[i:], text) {
			return i
		}
	}
	return -1
}

func equalUnits[C unit](in []C, text []uint16) bool {
	for i, u := range text {
		if rune(in[i]) != rune(u) {
			return false
		}
	}
	return true
}

func indexBytes(in []byte, text []uint16) int {
	if text[0] > 0xFF {
		return -1
	}
	if len(text) == 1 {
		return bytes.IndexByte(in, byte(text[0]))
	}
	var short [32]byte
	t := short[:0]
	for _, u := range text[:min(len(text), len(short))] {
		if u > 0xFF {
			return -1
		}
		t = append(t, byte(u))
	}
	for from := 0; ; {
		i := bytes.Index(in[from:], t)
		if i < 0 || from+i+len(text) > len(in) {
			return -1
		}
		if len(text) <= len(short) || equalUnits(in[from+i:], text) {
			return from + i
		}
		from += i + 1
	}
}
