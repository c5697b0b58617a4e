package syntax

import (
	"strings"
)

// str reads a string literal that begins at start with a prefix of at most two
// letters and its first quote at quote. Of an f-string only the opening is read
// here.
func (lx *lexer) str(start, quote int) {
	q := lx.source[quote]
	triple := lx.at(quote+1) == q && lx.at(quote+2) == q
	body := quote + 1
	if triple {
		body = quote + 3
	}
	prefix := lx.source[start:quote]
	if strings.ContainsAny(prefix, "fF") {
		if len(lx.strings) >= maxFStrings {
			lx.syntaxError(start, start, "too many nested f-strings")
			return
		}
		lx.emit(fstringStart, 0, start, body)
		lx.pos = body
		lx.strings = append(lx.strings, fstring{mode: inText, quote: q, triple: triple, raw: strings.ContainsAny(prefix, "rR"), start: int32(start)})
		return
	}
	end := lx.stringEnd(body, q, triple)
	if end < 0 {
		if f := lx.enclosing(); f != nil && f.quote == q && f.triple == triple {
			// The quote was meant to close the f-string around it.
			lx.syntaxError(start, start, "f-string: expecting '}'")
			return
		}
		lx.unterminatedString(start, triple)
		return
	}
	lx.pos = end
	lx.emit(stringToken, 0, start, end)
}

// stringEnd gives the offset behind the closing quote, -1 if there is none.
func (lx *lexer) stringEnd(i int, q byte, triple bool) int {
	for i < len(lx.source) {
		switch c := lx.source[i]; {
		case c == '\\':
			if lx.at(i+1) == '\r' && lx.at(i+2) == '\n' {
				i++
			}
			i += 2
			continue
		case c == q && !triple:
			return i + 1
		case c == q && lx.at(i+1) == q && lx.at(i+2) == q:
			return i + 3
		case (c == '\n' || c == '\r') && !triple:
			return -1
		}
		i++
	}
	return -1
}

func (lx *lexer) unterminatedString(start int, triple bool) {
	if triple {
		last := lx.line(len(strings.TrimRight(lx.source, "\n")))
		lx.syntaxError(start, start, "unterminated triple-quoted string literal (detected at line %d)", last)
		return
	}
	lx.syntaxError(start, start, "unterminated string literal (detected at line %d)", lx.line(lx.detected(start)))
}

// detected gives where a string of one line was found to have no end: the end of
// its line, or of the line that the last backslash joined to it.
func (lx *lexer) detected(i int) int {
	for i < len(lx.source) && lx.source[i] != '\n' && lx.source[i] != '\r' {
		if lx.source[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(lx.source))
}
