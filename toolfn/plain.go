package toolfn

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes text of a server's fit to be shown to a model in one line: what
// cannot be seen or changes the direction of reading is removed, white space
// collapses to one space, and the text is cut at most code points with an
// ellipsis. Work is bounded by most, not by the length of the text.
func Plain(text string, most int) string {
	if plain(text, most) {
		return text
	}
	var b strings.Builder
	n, gap := 0, false
	for i, r := range text {
		if gap && !unicode.IsSpace(r) && !invisible(r) {
			gap = false
			if b.Len() > 0 {
				b.WriteByte(' ')
				n++
			}
		}
		if n >= most || i > 16*most+1024 {
			return cut(b.String(), most)
		}
		switch {
		case unicode.IsSpace(r):
			gap = true
		case invisible(r):
		default:
			b.WriteRune(r)
			n++
		}
	}
	return b.String()
}

// plain reports whether Plain would leave a text as it is, for the common case
// of short ASCII.
func plain(text string, most int) bool {
	if len(text) > most {
		return false
	}
	space := true // whether the byte before was a space, or there is none
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c >= 0x7f || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || text == ""
}

// cut drops the last code points until the ellipsis fits.
func cut(s string, most int) string {
	for utf8.RuneCountInString(s) > most-1 && s != "" {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return strings.TrimRight(s, " ") + "…"
}

// invisible reports whether a character shows nothing or changes how the text
// around it reads: controls, format characters (bidirectional overrides, zero
// widths, the tag block), variation selectors, fillers, private use, noncharacters.
func invisible(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0:
		return true
	case r < 0x300:
		return r == 0xad
	case unicode.In(r, unicode.Cf, unicode.Co, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point):
		return true
	}
	return r == 0x34f || r == 0x2028 || r == 0x2029 || r == 0x2800 || 0xe0000 <= r && r <= 0xe0fff
}

// hasInvisible reports whether a text holds characters that a reader would not
// see, other than white space.
func hasInvisible(text string) bool {
	for _, r := range text {
		if invisible(r) && !unicode.IsSpace(r) {
			return true
		}
	}
	return false
}
