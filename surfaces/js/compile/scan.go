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
	kind    tokenKind
	newline bool // a line ends between the previous token and this one
	at, end int
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

// controlWords are followed by a parenthesis after which a statement begins.
var controlWords = map[string]bool{"if": true, "while": true, "for": true, "with": true}

// prefixWords are followed by an expression, so a slash after one begins a
// regular expression.
var prefixWords = map[string]bool{
	"return": true, "typeof": true, "instanceof": true, "in": true, "new": true, "delete": true,
	"void": true, "throw": true, "case": true, "do": true, "else": true, "extends": true, "default": true,
}

// unclearWords are names in one place and operators in another.
var unclearWords = map[string]bool{"of": true, "yield": true, "await": true, "let": true, "async": true, "static": true, "get": true, "set": true}

func isWordStart(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (s *scanner) fail(at int, message, hint string) lexeme {
	if s.problem == nil {
		s.problem = &scanProblem{min(at, len(s.text)), message, hint}
	}
	s.pos = len(s.text)
	return lexeme{kind: tokenEnd, at: len(s.text), end: len(s.text)}
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
		return lexeme{kind: tokenEnd, newline: s.newline, at: len(s.text), end: len(s.text)}
	}
	t := s.read()
	t.newline = s.newline
	if s.problem != nil {
		return lexeme{kind: tokenEnd, at: len(s.text), end: len(s.text)}
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
			return lexeme{kind: tokenWord, at: at, end: s.pos}
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
	return lexeme{kind: tokenWord, at: at, end: s.pos}
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
	return lexeme{kind: tokenNumber, at: at, end: s.pos}
}

func (s *scanner) string(quote byte) lexeme {
	at := s.pos
	s.pos++
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case quote:
			s.pos++
			return lexeme{kind: tokenString, at: at, end: s.pos}
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
			return lexeme{kind: tokenTemplate, at: at, end: s.pos}
		case c == '$' && strings.HasPrefix(s.text[s.pos:], "${"):
			s.pos += 2
			return lexeme{kind: tokenTemplate, at: at, end: s.pos}
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
		if unclearWords[s.prevText] {
			return unclear()
		}
		return prefixWords[s.prevText]
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
			return lexeme{kind: tokenRegex, at: at, end: s.pos}
		default:
			s.pos++
		}
	}
	return s.fail(at, "a regular expression is not closed.", "Close it with /.")
}

// puncts are the operators of more than one character, longest first.
var puncts = []string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**",
}

func (s *scanner) punct() lexeme {
	at, c := s.pos, s.text[s.pos]
	switch c {
	case '(':
		kind := parenOther
		if s.prev.kind == tokenWord && controlWords[s.prevText] && !s.named {
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
	case ',', ';', ':', '~', '@':
	default:
		for _, p := range puncts {
			if strings.HasPrefix(s.text[at:], p) {
				s.pos += len(p)
				return lexeme{kind: tokenPunct, at: at, end: s.pos}
			}
		}
		if c == '?' && at+1 < len(s.text) && s.text[at+1] == '.' && (at+2 >= len(s.text) || !isDigit(s.text[at+2])) {
			s.pos += 2
			return lexeme{kind: tokenPunct, at: at, end: s.pos}
		}
	}
	s.pos++
	return lexeme{kind: tokenPunct, at: at, end: s.pos}
}
