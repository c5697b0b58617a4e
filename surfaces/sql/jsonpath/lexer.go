package jsonpath

import (
	"strings"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// tokenKind is a kind of token. Signs of one character are their own text.
type tokenKind uint8

const (
	endToken tokenKind = iota
	signToken
	nameToken // a word, perhaps a keyword
	stringToken
	variableToken
	integerToken
	numberToken
)

type token struct {
	kind tokenKind
	text string // with escapes resolved
	near string // as an error shows it
	word string // the keyword, in lower case, when it is one
}

// is reports whether the token is a sign or a keyword.
func (t token) is(text string) bool {
	return t.kind == signToken && t.text == text || t.kind == nameToken && t.word == text
}

// keywords are words with a meaning; those that are true are only in lower case.
var keywords = map[string]bool{
	"is": false, "to": false, "abs": false, "lax": false, "date": false, "flag": false, "last": false, "null": true, "size": false, "time": false,
	"true": true, "type": false, "with": false, "false": true, "floor": false, "bigint": false, "double": false, "exists": false, "number": false,
	"starts": false, "strict": false, "string": false, "boolean": false, "ceiling": false, "decimal": false, "integer": false, "time_tz": false,
	"unknown": false, "datetime": false, "keyvalue": false, "timestamp": false, "like_regex": false, "timestamp_tz": false,
}

func keyword(text string) string {
	lower := strings.ToLower(text)
	onlyLower, known := keywords[lower]
	if !known || onlyLower && text != lower {
		return ""
	}
	return lower
}

type lexer struct {
	text string
	at   int
}

const signs = `?%$.[]{}()|&!=<>@#,*:-+/`

func isSign(c byte) bool  { return strings.IndexByte(signs, c) >= 0 }
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// isOther reports whether a byte can be part of a word.
func isOther(c byte) bool { return !isSign(c) && !isBlank(c) && c != '\\' && c != '"' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.text) {
		return l.text[l.at+n]
	}
	return 0
}

func (l *lexer) failure(message, near string) *pgerr.Error {
	if near == "" && l.at >= len(l.text) {
		return pgerr.New(pgerr.SyntaxError, "%s at end of jsonpath input", message)
	}
	return pgerr.New(pgerr.SyntaxError, "%s at or near \"%s\" of jsonpath input", message, near)
}

// twoSigns are the signs of two characters.
var twoSigns = map[string]string{"&&": "&&", "||": "||", "**": "**", "<=": "<=", "==": "==", "<>": "!=", "!=": "!=", ">=": ">="}

// next gives the next token.
func (l *lexer) next() (token, *pgerr.Error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	if l.at >= len(l.text) {
		return token{kind: endToken}, nil
	}
	c := l.text[l.at]
	switch {
	case c == '$' && l.peek(1) == '"':
		l.at++
		return l.quoted(variableToken)
	case c == '$' && l.at+1 < len(l.text) && isOther(l.peek(1)):
		start := l.at
		l.at++
		for l.at < len(l.text) && isOther(l.text[l.at]) {
			l.at++
		}
		return token{kind: variableToken, text: l.text[start+1 : l.at], near: l.text[start:l.at]}, nil
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		return l.number()
	case c == '"':
		return l.quoted(stringToken)
	case isSign(c):
		if l.at+1 < len(l.text) {
			if sign, ok := twoSigns[l.text[l.at:l.at+2]]; ok {
				l.at += 2
				return token{kind: signToken, text: sign, near: l.text[l.at-2 : l.at]}, nil
			}
		}
		l.at++
		return token{kind: signToken, text: string(c), near: string(c)}, nil
	}
	return l.word()
}

// skip passes over blanks and comments.
func (l *lexer) skip() *pgerr.Error {
	for l.at < len(l.text) {
		switch {
		case isBlank(l.text[l.at]):
			l.at++
		case strings.HasPrefix(l.text[l.at:], "/*"):
			end := strings.Index(l.text[l.at+2:], "*/")
			if end < 0 {
				l.at = len(l.text)
				return l.failure("unexpected end of comment", "")
			}
			l.at += end + 4
		default:
			return nil
		}
	}
	return nil
}

// word reads a word up to a blank, a sign, a quote or a comment.
func (l *lexer) word() (token, *pgerr.Error) {
	var text []byte
	for l.at < len(l.text) {
		c := l.text[l.at]
		if c == '\\' {
			var err *pgerr.Error
			if text, err = l.escape(text); err != nil {
				return token{}, err
			}
			continue
		}
		if !isOther(c) {
			break
		}
		text = append(text, c)
		l.at++
	}
	if strings.HasPrefix(l.text[l.at:], "/*") {
		// The server loses a word that runs into a comment.
		return l.next()
	}
	return token{kind: nameToken, text: string(text), near: l.wordEnd(), word: keyword(string(text))}, nil
}

// wordEnd is what the server shows of a word in an error: the blanks that ended it,
// if any did.
func (l *lexer) wordEnd() string {
	end := l.at
	for end < len(l.text) && isBlank(l.text[end]) {
		end++
	}
	return l.text[l.at:end]
}

// quoted reads a string, or the quoted name of a variable.
func (l *lexer) quoted(kind tokenKind) (token, *pgerr.Error) {
	var text []byte
	l.at++
	for l.at < len(l.text) {
		switch c := l.text[l.at]; c {
		case '"':
			l.at++
			return token{kind: kind, text: string(text), near: `"`}, nil
		case '\\':
			var err *pgerr.Error
			if text, err = l.escape(text); err != nil {
				return token{}, err
			}
		default:
			text = append(text, c)
			l.at++
		}
	}
	return token{}, l.failure("unterminated quoted string", "")
}

// escape reads what a backslash begins.
func (l *lexer) escape(dst []byte) ([]byte, *pgerr.Error) {
	start := l.at
	if l.at+1 >= len(l.text) {
		l.at = len(l.text)
		return nil, l.failure("unexpected end after backslash", `\`)
	}
	c := l.text[l.at+1]
	switch c {
	case 'b', 'f', 'n', 'r', 't', 'v':
		l.at += 2
		return append(dst, map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}[c]), nil
	case 'x':
		if l.at+4 > len(l.text) || !isHex(l.text[l.at+2]) || !isHex(l.text[l.at+3]) {
			return nil, l.failure("invalid hexadecimal character sequence", l.upTo(start, 2, 1))
		}
		code := hexValue(l.text[l.at+2 : l.at+4])
		l.at += 4
		return appendCode(dst, code)
	case 'u':
		return l.unicode(dst)
	}
	_, n := utf8.DecodeRuneInString(l.text[l.at+1:])
	l.at += 1 + n
	return append(dst, l.text[l.at-n:l.at]...), nil
}

// upTo gives the text of a broken escape, with as many digits as there are.
func (l *lexer) upTo(start, prefix, digits int) string {
	end := start + prefix
	for n := 0; end < len(l.text) && n < digits && isHex(l.text[end]); n++ {
		end++
	}
	return l.text[start:end]
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func hexValue(s string) rune {
	var n rune
	for i := range len(s) {
		c := s[i] | 0x20
		if isDigit(s[i]) {
			n = n<<4 | rune(c-'0')
		} else {
			n = n<<4 | rune(c-'a'+10)
		}
	}
	return n
}

// unicode reads a run of \uXXXX and \u{X…}; the halves of a surrogate pair stand
// next to each other.
func (l *lexer) unicode(dst []byte) ([]byte, *pgerr.Error) {
	var high rune
	for strings.HasPrefix(l.text[l.at:], `\u`) {
		start := l.at
		l.at += 2
		digits := ""
		if l.peek(0) == '{' {
			end := l.at + 1
			for end < len(l.text) && end-l.at <= 6 && isHex(l.text[end]) {
				end++
			}
			if end >= len(l.text) || l.text[end] != '}' || end == l.at+1 {
				return nil, l.failure("invalid Unicode escape sequence", l.text[start:end])
			}
			digits, l.at = l.text[l.at+1:end], end+1
		} else {
			end := l.at
			for end < len(l.text) && end-l.at < 4 && isHex(l.text[end]) {
				end++
			}
			if end-l.at < 4 {
				return nil, l.failure("invalid Unicode escape sequence", l.text[start:end])
			}
			digits, l.at = l.text[l.at:end], end
		}
		code := hexValue(digits)
		switch {
		case code >= 0xD800 && code < 0xDC00:
			if high != 0 {
				return nil, badSurrogate("Unicode high surrogate must not follow a high surrogate.")
			}
			high = code
			continue
		case code >= 0xDC00 && code < 0xE000:
			if high == 0 {
				return nil, badSurrogate("Unicode low surrogate must follow a high surrogate.")
			}
			code = (high-0xD800)<<10 + (code - 0xDC00) + 0x10000
			high = 0
		case high != 0:
			return nil, badSurrogate("Unicode low surrogate must follow a high surrogate.")
		}
		var err *pgerr.Error
		if dst, err = appendCode(dst, code); err != nil {
			return nil, err
		}
	}
	if high != 0 {
		return nil, badSurrogate("Unicode low surrogate must follow a high surrogate.")
	}
	return dst, nil
}

func badSurrogate(detail string) *pgerr.Error {
	return pgerr.New(pgerr.InvalidText, "invalid input syntax for type %s", "jsonpath").WithDetail("%s", detail)
}

func appendCode(dst []byte, code rune) ([]byte, *pgerr.Error) {
	if code == 0 {
		return nil, pgerr.New(pgerr.UntranslatableCharacter, "unsupported Unicode escape sequence").
			WithDetail("\\u0000 cannot be converted to text.")
	}
	if code > utf8.MaxRune {
		return nil, pgerr.New(pgerr.SyntaxError, "could not convert Unicode to server encoding")
	}
	return utf8.AppendRune(dst, code), nil
}

// number reads an integer, in any base, or a decimal number. One letter right after
// it is an error, but with more it is a word.
func (l *lexer) number() (token, *pgerr.Error) {
	start := l.at
	run := start
	for run < len(l.text) && isOther(l.text[run]) {
		run++
	}
	kind := integerToken
	if base := l.radix(); base != 0 {
		l.at += 2
		l.digits(base)
	} else {
		if l.text[l.at] == '0' {
			l.at++
		} else {
			l.digits(10)
		}
		if l.peek(0) == '.' {
			kind = numberToken
			l.at++
			l.digits(10)
		}
		if c := l.peek(0); c == 'e' || c == 'E' {
			if !l.exponent() {
				return token{}, l.failure(l.brokenExponent(start))
			}
			if l.text[l.at-1] != c {
				kind = numberToken
			}
		}
	}
	if l.at < len(l.text) && isOther(l.text[l.at]) {
		if run > l.at+1 {
			l.at = start
			return l.word()
		}
		l.at++
		return token{}, l.failure("trailing junk after numeric literal", l.text[start:l.at])
	}
	return token{kind: kind, text: l.text[start:l.at], near: l.text[start:l.at]}, nil
}

// radix gives the base of 0x, 0o or 0b with a digit behind it.
func (l *lexer) radix() int {
	if l.text[l.at] != '0' {
		return 0
	}
	base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[l.peek(1)|0x20]
	if base == 0 || !inBase(l.peek(2), base) {
		return 0
	}
	return base
}

func inBase(c byte, base int) bool {
	if base == 16 {
		return isHex(c)
	}
	return c >= '0' && int(c-'0') < base
}

// digits passes over digits, with single underscores between them.
func (l *lexer) digits(base int) {
	for l.at < len(l.text) {
		switch {
		case inBase(l.text[l.at], base):
			l.at++
		case l.text[l.at] == '_' && l.at > 0 && inBase(l.text[l.at-1], base) && inBase(l.peek(1), base):
			l.at++
		default:
			return
		}
	}
}

// exponent passes over an exponent. An e without digits is junk after the number;
// false when a sign but no digit follows.
func (l *lexer) exponent() bool {
	n := 1
	signed := l.peek(1) == '+' || l.peek(1) == '-'
	if signed {
		n = 2
	}
	if !isDigit(l.peek(n)) {
		return !signed
	}
	l.at += n
	l.digits(10)
	return true
}

func (l *lexer) brokenExponent(start int) (message, near string) {
	return "invalid numeric literal", l.text[start : l.at+2]
}
