package syntax

import "strings"

// maxFStrings is how deep f-strings may nest, CPython's MAXFSTRINGLEVEL.
const maxFStrings = 150

type fstringMode uint8

const (
	inText       fstringMode = iota // between the quotes
	inExpression                    // inside a replacement field
	inSpec                          // inside a format specification
)

// fstring is what the lexer knows of an f-string it is inside of.
type fstring struct {
	mode   fstringMode
	quote  byte
	triple bool
	raw    bool
	depth  int   // open brackets, for inExpression
	start  int32 // where the f-string begins
}

// replacementField gives the replacement field whose own level the lexer is on,
// nil if it is in none or inside brackets of one.
func (lx *lexer) replacementField() *fstring {
	n := len(lx.strings)
	if n == 0 {
		return nil
	}
	if f := &lx.strings[n-1]; f.mode == inExpression && f.depth == len(lx.brackets) {
		return f
	}
	return nil
}

// enclosing gives the f-string whose replacement field the lexer is in, however
// deep in brackets.
func (lx *lexer) enclosing() *fstring {
	if n := len(lx.strings); n > 0 {
		return &lx.strings[n-1]
	}
	return nil
}

// fstringText reads literal text up to a replacement field or the end.
func (lx *lexer) fstringText() {
	f := &lx.strings[len(lx.strings)-1]
	start, i := lx.pos, lx.pos
	for {
		if i >= len(lx.source) || !f.triple && (lx.source[i] == '\n' || lx.source[i] == '\r') {
			lx.pos = i
			if f.mode == inSpec && i < len(lx.source) {
				lx.middle(start, i)
				// The parser says what is missing.
				lx.strings = lx.strings[:len(lx.strings)-1]
				lx.syntaxError(i, i, "f-string: expecting '}'")
				return
			}
			lx.unterminatedFString()
			return
		}
		switch c := lx.source[i]; {
		case c == '\\':
			i = lx.fstringEscape(f, i)
			continue
		case c == '{':
			if f.mode == inText && lx.at(i+1) == '{' {
				i += 2
				continue
			}
			lx.middle(start, i)
			lx.openField(f, i)
			return
		case c == '}':
			if f.mode == inSpec {
				lx.middle(start, i)
				lx.pos = i
				lx.strings = lx.strings[:len(lx.strings)-1]
				return
			}
			if lx.at(i+1) == '}' {
				i += 2
				continue
			}
			lx.middle(start, i)
			lx.syntaxError(i, i+1, "f-string: single '}' is not allowed")
			return
		case c == f.quote && (!f.triple || lx.at(i+1) == c && lx.at(i+2) == c):
			lx.middle(start, i)
			if f.mode == inSpec {
				lx.syntaxError(i, i, "f-string: expecting '}', or format specs")
				return
			}
			lx.pos = i + 1
			if f.triple {
				lx.pos = i + 3
			}
			lx.emit(fstringEnd, 0, i, lx.pos)
			lx.strings = lx.strings[:len(lx.strings)-1]
			return
		}
		i++
	}
}

// middle emits the literal text between two offsets, if there is any.
func (lx *lexer) middle(start, end int) {
	if end > start {
		lx.emit(fstringMiddle, 0, start, end)
	}
}

// fstringEscape gives the offset behind a backslash sequence.
func (lx *lexer) fstringEscape(f *fstring, i int) int {
	next := lx.at(i + 1)
	if next == '{' || next == '}' {
		return i + 1 // the brace keeps its meaning
	}
	if f.raw {
		if next == f.quote || next == '\\' {
			return i + 2
		}
		return i + 1
	}
	if next == 'N' && lx.at(i+2) == '{' {
		if j := strings.IndexByte(lx.source[i:], '}'); j > 0 {
			return i + j + 1
		}
	}
	return i + 2
}

// openField enters a replacement field.
func (lx *lexer) openField(f *fstring, at int) {
	if len(lx.brackets) >= maxBrackets {
		lx.syntaxError(at, at, "too many nested parentheses")
		return
	}
	if len(lx.strings) >= maxFStrings {
		lx.syntaxError(at, at, "f-string: expressions nested too deeply")
		return
	}
	lx.brackets = append(lx.brackets, int32(at))
	lx.emit(operator, '{', at, at+1)
	lx.pos = at + 1
	lx.strings = append(lx.strings, fstring{mode: inExpression, quote: f.quote, triple: f.triple, raw: f.raw, depth: len(lx.brackets), start: f.start})
}

func (lx *lexer) unterminatedFString() {
	f := lx.strings[0]
	for _, s := range lx.strings {
		if s.mode == inText {
			f = s
		}
	}
	start := int(f.start)
	if f.triple {
		last := lx.line(len(strings.TrimRight(lx.source, "\n")))
		lx.syntaxError(start, start, "unterminated triple-quoted f-string literal (detected at line %d)", last)
		return
	}
	lx.syntaxError(start, start, "unterminated f-string literal (detected at line %d)", lx.line(lx.pos))
}
