package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBrackets is how deep brackets may nest, CPython's MAXLEVEL; maxIndents is
// its MAXINDENT.
const (
	maxBrackets = 200
	maxIndents  = 100
)

// lexer cuts a source into tokens. It stops at its first error, which stands in
// the token list as an error token.
type lexer struct {
	source   string
	pos      int
	tokens   []token
	brackets []int32 // offsets of the open brackets
	columns  []int   // indentation columns with a tab to the next multiple of 8
	alt      []int   // the same with a tab as one column: they must agree
	strings  []fstring
	err      *Error
	unclosed bool // err is a bracket that is still open at the end
}

// lex gives the tokens of a source. The last one is an end marker or an error.
func lex(source string) *lexer {
	lx := &lexer{source: source, tokens: make([]token, 0, len(source)/3+16), columns: []int{0}, alt: []int{0}}
	atLineStart := true
	for lx.err == nil {
		if n := len(lx.strings); n > 0 && lx.strings[n-1].mode != inExpression {
			lx.fstringText()
			continue
		}
		if atLineStart && len(lx.brackets) == 0 {
			atLineStart = lx.indentation()
			continue
		}
		lx.skipBlanks()
		if lx.pos >= len(source) {
			lx.end()
			break
		}
		atLineStart = lx.token()
	}
	return lx
}

// fail stops the lexer with an error at a range.
func (lx *lexer) fail(start, end int, errorType, format string, args ...any) {
	if lx.err != nil {
		return
	}
	lx.err = &Error{Type: errorType, Message: fmt.Sprintf(format, args...), start: int32(start), end: int32(end)}
	lx.tokens = append(lx.tokens, token{kind: errorToken, start: int32(start), end: int32(end)})
}

func (lx *lexer) syntaxError(start, end int, format string, args ...any) {
	lx.fail(start, end, "SyntaxError", format, args...)
}

func (lx *lexer) emit(k kind, code uint8, start, end int) {
	lx.tokens = append(lx.tokens, token{k, code, int32(start), int32(end)})
}

// at gives the byte at an offset, 0 past the end.
func (lx *lexer) at(i int) byte {
	if i < len(lx.source) {
		return lx.source[i]
	}
	return 0
}

func (lx *lexer) line(offset int) int {
	return strings.Count(lx.source[:min(offset, len(lx.source))], "\n") + 1
}

func (lx *lexer) skipBlanks() {
	for c := lx.at(lx.pos); c == ' ' || c == '\t' || c == '\f'; c = lx.at(lx.pos) {
		lx.pos++
	}
}

// end closes the token list: a last newline, the open blocks, the end marker.
func (lx *lexer) end() {
	n := len(lx.source)
	if len(lx.strings) > 0 {
		lx.unterminatedFString()
		return
	}
	if len(lx.brackets) > 0 {
		open := int(lx.brackets[len(lx.brackets)-1])
		lx.syntaxError(open, open+1, "'%c' was never closed", lx.source[open])
		lx.unclosed = true
		return
	}
	if k := len(lx.tokens); k > 0 {
		switch lx.tokens[k-1].kind {
		case newline, dedent, indent:
		default:
			lx.emit(newline, 0, n, n)
		}
	}
	for range len(lx.columns) - 1 {
		lx.emit(dedent, 0, n, n)
	}
	lx.emit(endMarker, 0, n, n)
}

// token reads one token and reports whether a new logical line begins.
func (lx *lexer) token() (lineStart bool) {
	start := lx.pos
	switch c := lx.source[start]; {
	case c == '#':
		for lx.pos < len(lx.source) && lx.source[lx.pos] != '\n' && lx.source[lx.pos] != '\r' {
			lx.pos++
		}
	case c == '\n' || c == '\r':
		lx.pos++
		if c == '\r' && lx.at(lx.pos) == '\n' {
			lx.pos++
		}
		if len(lx.brackets) == 0 {
			lx.emit(newline, 0, start, start+1)
			return true
		}
	case c == '\\':
		lx.continuation()
	case isDecimal(c), c == '.' && isDecimal(lx.at(start+1)):
		lx.number()
	case c == '"' || c == '\'':
		lx.str(start, start)
	case isNameStart(c):
		lx.word()
	default:
		lx.operator(c)
	}
	return false
}

// continuation joins two lines at a backslash.
func (lx *lexer) continuation() {
	start := lx.pos
	i := start + 1
	if lx.at(i) == '\r' {
		i++
	}
	if lx.at(i) != '\n' {
		if i >= len(lx.source) {
			lx.syntaxError(start, start, "unexpected EOF while parsing")
			return
		}
		lx.syntaxError(start+1, start+1, "unexpected character after line continuation character")
		return
	}
	lx.pos = i + 1
	if lx.pos >= len(lx.source) {
		lx.syntaxError(start, start, "unexpected EOF while parsing")
	}
}

func isNameStart(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}
func isNamePart(c byte) bool { return isNameStart(c) || isDecimal(c) }
func isDecimal(c byte) bool  { return c >= '0' && c <= '9' }

// word reads a name or keyword, or the string that a prefix introduces.
func (lx *lexer) word() {
	start, i := lx.pos, lx.pos
	ascii := true
	for i < len(lx.source) && isNamePart(lx.source[i]) {
		ascii = ascii && lx.source[i] < utf8.RuneSelf
		i++
	}
	word := lx.source[start:i]
	if q := lx.at(i); (q == '"' || q == '\'') && isStringPrefix(word) {
		lx.str(start, i)
		return
	}
	if !ascii && !lx.checkName(start, word) {
		return
	}
	lx.pos = i
	if code := keywordCode(word); code != 0 {
		lx.emit(keyword, code, start, i)
		return
	}
	lx.emit(name, 0, start, i)
}

func isStringPrefix(word string) bool {
	switch strings.ToLower(word) {
	case "r", "u", "b", "br", "rb", "f", "fr", "rf":
		return true
	}
	return false
}

// checkName holds a name to the Unicode classes of PEP 3131.
func (lx *lexer) checkName(start int, word string) bool {
	for i, r := range word {
		if isXIDStart(r) || i > 0 && isXIDContinue(r) {
			continue
		}
		at := start + i
		switch {
		case r == utf8.RuneError:
			lx.syntaxError(at, at, "(unicode error) 'utf-8' codec can't decode byte 0x%02x in position %d: invalid start byte", lx.source[at], at)
		case unicode.IsPrint(r):
			lx.syntaxError(at, at+utf8.RuneLen(r), "invalid character '%c' (U+%04X)", r, r)
		default:
			lx.syntaxError(at, at+utf8.RuneLen(r), "invalid non-printable character U+%04X", r)
		}
		return false
	}
	return true
}

func isXIDStart(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r)
}

func isXIDContinue(r rune) bool {
	return unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Other_ID_Continue)
}

// operator reads an operator or bracket.
func (lx *lexer) operator(c byte) {
	switch c {
	case '(', '[', '{':
		lx.openBracket(c)
		return
	case ')', ']', '}':
		lx.closeBracket(c)
		return
	}
	start := lx.pos
	if f := lx.replacementField(); f != nil && c == ':' {
		lx.pos++
		lx.emit(operator, c, start, lx.pos)
		lx.strings = append(lx.strings, fstring{mode: inSpec, quote: f.quote, triple: f.triple, raw: f.raw, start: f.start})
		return
	}
	code, width := operatorAt(lx.source[start:])
	if c == '!' && code == '!' && lx.replacementField() == nil {
		code = 0
	}
	if code == 0 {
		lx.badCharacter(c)
		return
	}
	lx.pos += width
	lx.emit(operator, code, start, lx.pos)
}

func (lx *lexer) badCharacter(c byte) {
	at := lx.pos
	if c == '$' || c == '?' || c == '`' || c == '!' {
		lx.syntaxError(at, at+1, "invalid syntax")
		return
	}
	if c == 0 {
		lx.syntaxError(at, at, "source code cannot contain null bytes")
		return
	}
	lx.syntaxError(at, at+1, "invalid non-printable character U+%04X", c)
}

// operatorAt gives the code and width of the operator that s begins with, 0 if
// it begins with none.
func operatorAt(s string) (code uint8, width int) {
	at := func(i int) byte {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	c, second, third := s[0], at(1), at(2)
	switch c {
	case ':':
		if second == '=' {
			return opWalrus, 2
		}
		return c, 1
	case '=':
		if second == '=' {
			return opEq, 2
		}
		return c, 1
	case '!':
		if second == '=' {
			return opNe, 2
		}
		return c, 1
	case '<':
		switch {
		case second == '=':
			return opLe, 2
		case second == '<' && third == '=':
			return opAugmented, 3
		case second == '<':
			return opShl, 2
		case second == '>':
			return opNe, 2
		}
		return c, 1
	case '>':
		switch {
		case second == '=':
			return opGe, 2
		case second == '>' && third == '=':
			return opAugmented, 3
		case second == '>':
			return opShr, 2
		}
		return c, 1
	case '*', '/':
		switch {
		case second == c && third == '=':
			return opAugmented, 3
		case second == c && c == '*':
			return opPow, 2
		case second == c:
			return opFloorDiv, 2
		case second == '=':
			return opAugmented, 2
		}
		return c, 1
	case '-':
		if second == '>' {
			return opArrow, 2
		}
		fallthrough
	case '+', '%', '&', '|', '^', '@':
		if second == '=' {
			return opAugmented, 2
		}
		return c, 1
	case '.':
		if second == '.' && third == '.' {
			return opEllipsis, 3
		}
		return c, 1
	case ',', ';', '~':
		return c, 1
	}
	return 0, 0
}

func (lx *lexer) openBracket(c byte) {
	if len(lx.brackets) >= maxBrackets {
		lx.syntaxError(lx.pos, lx.pos, "too many nested parentheses")
		return
	}
	lx.brackets = append(lx.brackets, int32(lx.pos))
	lx.pos++
	lx.emit(operator, c, lx.pos-1, lx.pos)
}

func (lx *lexer) closeBracket(c byte) {
	at := lx.pos
	field := lx.replacementField()
	if field != nil && c == '}' {
		lx.strings = lx.strings[:len(lx.strings)-1]
	} else {
		if len(lx.brackets) == 0 {
			lx.syntaxError(at, at+1, "unmatched '%c'", c)
			return
		}
		open := int(lx.brackets[len(lx.brackets)-1])
		if o := lx.source[open]; closes(o) != c {
			switch was, is := lx.line(open), lx.line(at); {
			case field != nil:
				lx.syntaxError(at, at+1, "f-string: unmatched '%c'", c)
			case was != is:
				lx.syntaxError(at, at+1, "closing parenthesis '%c' does not match opening parenthesis '%c' on line %d", c, o, was)
			default:
				lx.syntaxError(at, at+1, "closing parenthesis '%c' does not match opening parenthesis '%c'", c, o)
			}
			return
		}
	}
	lx.brackets = lx.brackets[:len(lx.brackets)-1]
	lx.pos++
	lx.emit(operator, c, at, lx.pos)
}

func closes(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}
