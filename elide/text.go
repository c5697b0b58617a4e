package elide

import (
	"fmt"
	"math/big"
	"unicode"
	"unicode/utf8"

	"github.com/polyglove/polyglove/toolfn/value"
)

// prefix gives the first n code points of s, and whether anything was cut.
func prefix(s string, n int) (head string, cut bool) {
	if len(s) <= n {
		return s, false
	}
	for i := range s {
		if n == 0 {
			return s[:i], true
		}
		n--
	}
	return s, false
}

// text writes a string, cut at a code point.
func (w *writer) text(t Text) {
	limit := w.limits.Runes
	// One more than is shown tells whether there is more; the length of a long
	// text is asked for only then.
	head, cut := prefix(t.Prefix(limit+1), limit)
	if !cut {
		w.string(head)
		return
	}
	w.elided = true
	n := t.Len()
	unit := "chars"
	if p, ok := t.(plainText); ok && len(p) > countLimit {
		unit = "bytes"
	}
	w.missing += int64(n - limit)
	w.string(fmt.Sprintf("%s… (%d %s total)", head, n, unit))
}

func (w *writer) opaque(o Opaque) {
	head, cut := prefix(o.Opaque(), w.limits.Runes)
	if cut {
		w.elided = true
		head += "…"
	}
	w.string(head)
}

// string writes a JSON string with everything that a reader cannot see, or that
// would steer a terminal, as an escape.
func (w *writer) string(s string) {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\n' && s[i] != '\t' && s[i] != '\r' || s[i] == 0x7f {
			w.escaped++
		}
	}
	w.out = value.AppendEscaped(w.out, s, func(r rune) bool {
		if Invisible(r) {
			w.escaped++
			return true
		}
		return false
	})
}

// Invisible reports the characters above U+007F that change what a reader sees
// without being seen: C1 controls, bidirectional controls, zero-width
// characters, interlinear and tag characters, and private variation.
func Invisible(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r <= 0x9f, r == 0xad, r == 0x61c, r == 0x180e, r == 0xfeff,
		r >= 0x200b && r <= 0x200f && r != 0x200d, // a zero-width joiner builds emoji
		r >= 0x2028 && r <= 0x202e,
		r >= 0x2060 && r <= 0x206f,
		r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Co, r)
}

// bigDigits is the size in bits up to which an integer's digits are written:
// converting to decimal takes more than linear time.
const bigDigits = 8192

func (w *writer) bigInteger(n *big.Int) {
	if n.BitLen() > bigDigits {
		w.elided = true
		w.missing += int64(n.BitLen()) * 3 / 10
		w.string(fmt.Sprintf("… (integer of about %d digits)", int64(n.BitLen())*30103/100000))
		return
	}
	w.digits(n.String())
}

// digits writes a number by its text, as a cut string if that is too long.
func (w *writer) digits(text string) {
	if len(text) <= w.limits.Runes {
		w.out = append(w.out, text...)
		return
	}
	w.elided = true
	w.missing += int64(len(text) - w.limits.Runes)
	w.string(fmt.Sprintf("%s… (%d digits total)", text[:w.limits.Runes], len(text)))
}

// Middle cuts text to at most most bytes with a marker in the middle, so that
// both ends of an error stay readable. Cuts are at code points.
func Middle(text string, most int) string {
	if len(text) <= most {
		return text
	}
	marker := fmt.Sprintf(" … (%d bytes left out) … ", len(text)-most)
	room := most - len(marker)
	if room < 2 {
		return text[:floor(text, max(0, most))]
	}
	tail := len(text) - room/3
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:floor(text, room-room/3)] + marker + text[tail:]
}

// floor gives the last code point boundary at or before byte i.
func floor(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}
