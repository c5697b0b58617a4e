package compile

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind tells tokens apart as far as the prescan and the removal of types
// need it.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenNumber
	tokenString
	tokenTemplate // a whole run of template characters, from ` or } to ${ or `
	tokenRegex
	tokenPunct
)

// lexeme is one token of a program. Its text is source[at:end].
type lexeme struct {
	at, end int32
	kind    tokenKind
	newline bool // a line ends between the previous token and this one
}

// lex makes a token.
func lex(kind tokenKind, at, end int) lexeme {
	return lexeme{at: int32(at), end: int32(end), kind: kind}
}

// scanProblem is why a text cannot be cut into tokens.
type scanProblem struct {
	at            int
	message, hint string
}

// scanner cuts a program into tokens the way the parser's own scanner does. Where
// the two could disagree, because only a full parse could tell, it reports a
// problem: a bracket that the scanner does not see is one the prescan does not
// count.
type scanner struct {
	text    string
	pos     int
	newline bool
	problem *scanProblem

	prev     lexeme
	prevText string
	parens   []parenKind // one for each open bracket
	closed   parenKind   // what the last closing bracket closed
	member   bool        // the previous token is a dot, so a word here is a member name
	named    bool        // the previous token is such a member name
}

// parenKind says what an open bracket belongs to.
type parenKind uint8

const (
	parenOther    parenKind = iota
	parenControl            // if ( … ), while ( … ), for ( … ), with ( … )
	parenTemplate           // ${ … }
)

// controlWord reports a word that a parenthesis follows after which a statement
// begins.
func controlWord(word string) bool {
	switch word {
	case "if", "while", "for", "with":
		return true
	}
	return false
}

// prefixWord reports a word that an expression follows, so that a slash after it
// begins a regular expression.
func prefixWord(word string) bool {
	switch word {
	case "return", "typeof", "instanceof", "in", "new", "delete", "void", "throw", "case", "do", "else", "extends", "default":
		return true
	}
	return false
}

// unclearWord reports a word that is a name in one place and an operator in
// another.
func unclearWord(word string) bool {
	switch word {
	case "of", "yield", "await", "let", "async", "static", "get", "set":
		return true
	}
	return false
}

func isWordStart(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (s *scanner) fail(at int, message, hint string) lexeme {
	if s.problem == nil {
		s.problem = &scanProblem{min(at, len(s.text)), message, hint}
	}
	s.pos = len(s.text)
	return lex(tokenEnd, len(s.text), len(s.text))
}

// text of a token.
func (s *scanner) of(t lexeme) string { return s.text[t.at:t.end] }

// next gives the next token; after the last one, or a problem, tokenEnd.
func (s *scanner) next() lexeme {
	s.newline = false
	if !s.space() {
		return s.fail(s.pos, "a comment is not closed.", "End it with */.")
	}
	if s.pos >= len(s.text) {
		return lex(tokenEnd, len(s.text), len(s.text))
	}
	t := s.read()
	t.newline = s.newline
	if s.problem != nil {
		return lex(tokenEnd, len(s.text), len(s.text))
	}
	s.named = s.member && t.kind == tokenWord
	s.member = t.kind == tokenPunct && (s.of(t) == "." || s.of(t) == "?.")
	s.prev, s.prevText = t, s.of(t)
	return t
}

// space skips white space and comments; false where a comment is not closed.
func (s *scanner) space() bool {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n' || c == '\r':
			s.newline = true
			s.pos++
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			s.pos++
		case c == '/' && strings.HasPrefix(s.text[s.pos:], "//"):
			s.pos += commentLength(s.text[s.pos:])
		case c == '/' && strings.HasPrefix(s.text[s.pos:], "/*"):
			n := strings.Index(s.text[s.pos+2:], "*/")
			if n < 0 {
				return false
			}
			s.newline = s.newline || strings.ContainsAny(s.text[s.pos:s.pos+2+n], "\n\r\u2028\u2029")
			s.pos += n + 4
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s.text[s.pos:])
			if !isSpace(r) {
				return true
			}
			s.newline = s.newline || r == '\u2028' || r == '\u2029'
			s.pos += n
		default:
			return true
		}
	}
	return true
}

// commentLength is the length of the line comment that a text begins with.
func commentLength(text string) int {
	if i := strings.IndexAny(text, "\n\r\u2028\u2029"); i >= 0 {
		return i
	}
	return len(text)
}

func isSpace(r rune) bool { return r == '\uFEFF' || unicode.IsSpace(r) }

func (s *scanner) read() lexeme {
	at, c := s.pos, s.text[s.pos]
	switch {
	case isWordStart(c) || c == '#' || c >= utf8.RuneSelf:
		return s.word()
	case isDigit(c) || c == '.' && at+1 < len(s.text) && isDigit(s.text[at+1]):
		return s.number()
	case c == '"' || c == '\'':
		return s.string(c)
	case c == '`' && strings.HasPrefix(s.text[at:], "```"):
		return s.fail(at, "the text holds a markdown fence.", "Send only the code between the fences.")
	case c == '`':
		s.parens = append(s.parens, parenTemplate)
		s.pos++
		return s.template(at)
	case c == '/' && s.slashIsRegex():
		if s.problem != nil {
			return lexeme{}
		}
		return s.regex()
	}
	if c == 0 {
		return s.fail(at, "the program holds a NUL byte.", "Write \\0 inside a string.")
	}
	if c == '\\' {
		return s.fail(at, "escapes in names are not available.", "Write the name itself.")
	}
	return s.punct()
}

// quotes that word processors put in place of the plain ones.
const smartQuotes = "“”‘’„«»‹›′″"

func (s *scanner) word() lexeme {
	at := s.pos
	if s.text[at] == '#' {
		s.pos++
	}
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if isWordStart(c) || isDigit(c) {
			s.pos++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		switch {
		case isSpace(r):
			return lex(tokenWord, at, s.pos)
		case strings.ContainsRune(smartQuotes, r):
			return s.fail(s.pos, "the program holds the typographic quote "+string(r)+".", "Use plain quotes: \" or '.")
		case r == utf8.RuneError && n == 1:
			return s.fail(s.pos, "the program is not valid UTF-8 here.", "Remove the byte.")
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\u200c' && r != '\u200d':
			return s.fail(s.pos, "the character "+quoted(string(r))+" has no meaning in JavaScript.", "Remove it, or put it inside a string.")
		}
		s.pos += n
	}
	if s.pos < len(s.text) && s.text[s.pos] == '\\' {
		return s.fail(s.pos, "escapes in names are not available.", "Write the name itself.")
	}
	return lex(tokenWord, at, s.pos)
}

func (s *scanner) number() lexeme {
	at := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if isWordStart(c) || isDigit(c) {
			s.pos++
			continue
		}
		// One dot belongs to the number, unless a member follows it: 1..toFixed().
		if c == '.' && !strings.ContainsRune(s.text[at:s.pos], '.') && !strings.HasPrefix(s.text[s.pos:], "...") && s.text[at:s.pos] != "" {
			s.pos++
			continue
		}
		if c == '.' && s.pos == at {
			s.pos++
			continue
		}
		break
	}
	return lex(tokenNumber, at, s.pos)
}

func (s *scanner) string(quote byte) lexeme {
	at := s.pos
	s.pos++
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case quote:
			s.pos++
			return lex(tokenString, at, s.pos)
		case '\n', '\r':
			return s.fail(at, "a string in quotes is not closed on its line.",
				"Close it, escape a quote inside it with \\, or use backticks for text of several lines.")
		case '\\':
			s.pos += 2
			if strings.HasPrefix(s.text[min(s.pos-1, len(s.text)):], "\r\n") {
				s.pos++
			}
		default:
			s.pos++
		}
	}
	return s.fail(at, "a string is not closed.",
		"Close it with "+string(quote)+"; if a quote stands inside an earlier string, put that text in backticks.")
}

// template reads template characters up to the closing backtick or the next
// substitution; at is where the token begins.
func (s *scanner) template(at int) lexeme {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\\':
			s.pos += 2
		case c == '`':
			s.pos++
			s.parens = s.parens[:len(s.parens)-1]
			return lex(tokenTemplate, at, s.pos)
		case c == '$' && strings.HasPrefix(s.text[s.pos:], "${"):
			s.pos += 2
			return lex(tokenTemplate, at, s.pos)
		default:
			s.pos++
		}
	}
	return s.fail(at, "a template literal is not closed.", "Close it with a backtick.")
}

// slashIsRegex says whether the slash here begins a regular expression.
func (s *scanner) slashIsRegex() bool {
	unclear := func() bool {
		s.fail(s.pos, "it is not clear whether the / here divides or begins a regular expression.",
			"Put the expression in parentheses, or end the statement before it with a semicolon.")
		return true
	}
	switch p := s.prev; p.kind {
	case tokenEnd:
		return true
	case tokenNumber, tokenString, tokenRegex:
		return false
	case tokenTemplate:
		return strings.HasSuffix(s.prevText, "${")
	case tokenWord:
		if s.named {
			return false
		}
		if unclearWord(s.prevText) {
			return unclear()
		}
		return prefixWord(s.prevText)
	}
	switch s.prevText {
	case ")":
		return s.closed == parenControl
	case "]", "++", "--":
		return false
	case "}":
		return unclear()
	}
	return true
}

func (s *scanner) regex() lexeme {
	at := s.pos
	s.pos++
	class := false
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n' || c == '\r' || strings.HasPrefix(s.text[s.pos:], "\u2028") || strings.HasPrefix(s.text[s.pos:], "\u2029"):
			return s.fail(at, "a regular expression is not closed on its line.", "Close it with /, and write \\/ for a slash inside it.")
		case c == '\\':
			s.pos++
			if s.pos < len(s.text) && s.text[s.pos] != '\n' && s.text[s.pos] != '\r' {
				s.pos++
			}
		case c == '[':
			class = true
			s.pos++
		case c == ']':
			class = false
			s.pos++
		case c == '/' && !class:
			s.pos++
			for s.pos < len(s.text) && (isWordStart(s.text[s.pos]) || isDigit(s.text[s.pos])) {
				s.pos++
			}
			return lex(tokenRegex, at, s.pos)
		default:
			s.pos++
		}
	}
	return s.fail(at, "a regular expression is not closed.", "Close it with /.")
}

// punctLength is the length of the operator that a text begins with.
func punctLength(text string) int {
	c := text[0]
	n := 1
	for n < len(text) && n < 4 && text[n] == c {
		n++
	}
	equals := n < len(text) && text[n] == '='
	switch c {
	case '.':
		if n >= 3 {
			return 3
		}
		return 1
	case '=':
		if n == 1 && len(text) > 1 && text[1] == '>' {
			return 2
		}
		return min(n, 3)
	case '!':
		if len(text) > 1 && text[1] == '=' {
			if len(text) > 2 && text[2] == '=' {
				return 3
			}
			return 2
		}
		return 1
	case '+', '-':
		if n >= 2 {
			return 2
		}
	case '>':
		n = min(n, 3)
		equals = n < len(text) && text[n] == '='
	case '<', '*', '&', '|', '?':
		n = min(n, 2)
		equals = n < len(text) && text[n] == '='
		if c == '?' && n == 1 {
			return 1
		}
	case '/', '%', '^':
		n = 1
		equals = len(text) > 1 && text[1] == '='
	default:
		return 1
	}
	if equals {
		n++
	}
	return n
}

func (s *scanner) punct() lexeme {
	at, c := s.pos, s.text[s.pos]
	switch c {
	case '(':
		kind := parenOther
		if s.prev.kind == tokenWord && controlWord(s.prevText) && !s.named {
			kind = parenControl
		}
		s.parens = append(s.parens, kind)
	case '[', '{':
		s.parens = append(s.parens, parenOther)
	case ')', ']', '}':
		if n := len(s.parens); n > 0 {
			s.closed = s.parens[n-1]
			if c == '}' && s.closed == parenTemplate {
				s.pos++
				return s.template(at)
			}
			s.parens = s.parens[:n-1]
		}
	default:
		if c == '?' && at+1 < len(s.text) && s.text[at+1] == '.' && (at+2 >= len(s.text) || !isDigit(s.text[at+2])) {
			s.pos += 2
			return lex(tokenPunct, at, s.pos)
		}
		s.pos += punctLength(s.text[at:])
		return lex(tokenPunct, at, s.pos)
	}
	s.pos++
	return lex(tokenPunct, at, s.pos)
}
