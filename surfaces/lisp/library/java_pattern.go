package library

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/polyglove/polyglove/sandbox/regex"
)

// javaPattern writes a pattern of java.util.regex (JDK 17) as one of the engine's
// other syntax with the same groups and meaning. What would mean something else is
// either spelled out (classes, line ends, word boundaries) or refused.
type javaPattern struct {
	src    []rune
	at     int
	out    strings.Builder
	size   int // code points written
	flags  javaFlags
	base   javaFlags // those the whole pattern is compiled with
	groups int
	names  map[string]int
	open   map[int]bool
	depth  int
	ascii  bool // for texts of ASCII
	wide   bool // other texts need another pattern
}

// javaFlags are the inline flags: (?i), (?s), (?m), (?x), (?d) and (?u).
type javaFlags struct{ fold, dotAll, multiline, comments, unixLines, unicodeCase bool }

// javaError says why a pattern is not valid.
type javaError string

const (
	javaTerminators = `\n\r\x85\u2028\u2029`
	javaDepth       = 150
	anyCharacter    = `[^\n\r\x85\u2028\u2029]`
)

// translateJava gives a pattern for regex.CompilePython with its flags, its named
// groups, and whether a pattern for texts of ASCII serves other texts too (not wide).
func translateJava(source string, ascii bool) (pattern []rune, flags int, p *javaPattern, err error) {
	p = &javaPattern{src: []rune(source), names: map[string]int{}, open: map[int]bool{}, ascii: ascii}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(javaError)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s near index %d of %s", string(e), p.at, source)
		}
	}()
	p.leadingFlags()
	p.alternatives()
	if !p.end() {
		p.fail("Unmatched closing ')'")
	}
	flags = regex.PythonASCII
	if p.base.fold {
		flags |= regex.PythonIgnoreCase
	}
	return []rune(p.out.String()), flags, p, nil
}

func (p *javaPattern) fail(why string) { panic(javaError(why)) }

func (p *javaPattern) end() bool { return p.at >= len(p.src) }

// next is the character at hand, -1 at the end.
func (p *javaPattern) next() rune {
	if p.end() {
		return -1
	}
	return p.src[p.at]
}

// ahead reports whether a text comes next, and passes it.
func (p *javaPattern) ahead(s string) bool {
	r := []rune(s)
	if p.at+len(r) > len(p.src) || string(p.src[p.at:p.at+len(r)]) != s {
		return false
	}
	p.at += len(r)
	return true
}

// write adds to the engine's pattern, which no pattern makes longer than the engine
// reads: a short pattern names many long classes.
func (p *javaPattern) write(s string) {
	if p.size += len(s); p.size > 1<<20 {
		p.fail("the pattern is too large")
	}
	p.out.WriteString(s)
}

// leadingFlags takes (?i) at the start as the flag of the whole pattern, so that the
// engine sees plain text behind it.
func (p *javaPattern) leadingFlags() {
	if p.ahead("(?i)") {
		p.flags.fold, p.base.fold = true, true
	}
}

// alternatives reads up to a closing parenthesis or the end. Flags set inside hold
// until there.
func (p *javaPattern) alternatives() {
	if p.depth++; p.depth > javaDepth {
		p.fail("the groups nest too deep")
	}
	flags := p.flags
	for !p.end() && p.next() != ')' {
		if p.ahead("|") {
			p.write("|")
			continue
		}
		p.piece()
	}
	p.flags = flags
	p.depth--
}

// piece is one atom and its quantifier.
func (p *javaPattern) piece() {
	if p.skipComment() {
		return
	}
	around := p.lookaround()
	if quantifiable := p.atom(); !quantifiable {
		return
	}
	for p.skipComment() {
	}
	q, ok := p.quantifier()
	if !ok {
		return
	}
	if around {
		p.fail("a quantifier behind a lookahead or lookbehind is not supported here;")
	}
	p.write(q)
}

// lookaround reports whether the next group is (?=…), (?!…), (?<=…) or (?<!…). Java
// keeps the groups inside of a repeated one in ways of its own.
func (p *javaPattern) lookaround() bool {
	rest := string(p.src[p.at:min(len(p.src), p.at+4)])
	for _, s := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(rest, s) {
			return true
		}
	}
	return false
}

// skipComment passes white space and comments under (?x).
func (p *javaPattern) skipComment() bool {
	if !p.flags.comments || p.end() {
		return false
	}
	switch c := p.next(); {
	case c == '#':
		for !p.end() && !strings.ContainsRune("\n\r\u0085\u2028\u2029", p.next()) {
			p.at++
		}
		return true
	case strings.ContainsRune(" \t\n\v\f\r", c):
		p.at++
		return true
	}
	return false
}

func (p *javaPattern) quantifier() (string, bool) {
	var q string
	switch c := p.next(); c {
	case '*', '+', '?':
		q = string(c)
		p.at++
	case '{':
		q = p.bounds()
	default:
		return "", false
	}
	switch c := p.next(); c {
	case '?', '+':
		q += string(c)
		p.at++
	}
	switch p.next() {
	case '*', '+', '?':
		p.fail("Dangling meta character '" + string(p.next()) + "'")
	case '{':
		p.fail("Illegal repetition")
	}
	return q, true
}

func (p *javaPattern) bounds() string {
	p.at++
	from := p.digits("Illegal repetition")
	to := from
	if p.ahead(",") {
		to = ""
		if p.next() != '}' {
			to = p.digits("Illegal repetition")
		}
	}
	if !p.ahead("}") {
		p.fail("Unclosed counted closure")
	}
	if to == from {
		return "{" + from + "}"
	}
	if low, high := atoi(from), atoi(to); to != "" && high < low {
		p.fail("Illegal repetition range")
	}
	return "{" + from + "," + to + "}"
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func (p *javaPattern) digits(why string) string {
	start := p.at
	for !p.end() && p.next() >= '0' && p.next() <= '9' {
		p.at++
	}
	if start == p.at || p.at-start > 6 {
		p.fail(why)
	}
	return string(p.src[start:p.at])
}

// atom writes one atom, and reports whether a quantifier may follow it.
func (p *javaPattern) atom() bool {
	c := p.next()
	p.at++
	switch c {
	case '(':
		return p.group()
	case '[':
		p.write(p.folded(p.class()))
	case '.':
		p.write(p.dot())
	case '^':
		p.write(p.lineStart())
	case '$':
		p.write(p.lineEnd())
	case '*', '+', '?':
		p.at--
		p.fail("Dangling meta character '" + string(c) + "'")
	case '{':
		p.at--
		p.fail("Illegal repetition")
	case '\\':
		return p.escape()
	default:
		p.write(p.folded(literal(c)))
	}
	return true
}

// literal is one character as the engine reads it, in a class or outside.
func literal(c rune) string {
	switch {
	case c == '_' || c < 0x80 && (unicode.IsLetter(c) || unicode.IsDigit(c)):
		return string(c)
	case c > ' ' && c < 0x7f:
		return `\` + string(c)
	case c > 0x7f && c <= unicode.MaxRune && !(c >= 0xd800 && c < 0xe000):
		return string(c)
	}
	return fmt.Sprintf(`\U%08x`, c)
}

// folded puts the case flags around an atom where the whole pattern's differ.
func (p *javaPattern) folded(atom string) string {
	switch {
	case p.flags.fold && p.flags.unicodeCase:
		return "(?iu:" + atom + ")"
	case p.flags.fold == p.base.fold:
		return atom
	case p.flags.fold:
		return "(?i:" + atom + ")"
	}
	return "(?-i:" + atom + ")"
}

func (p *javaPattern) dot() string {
	switch {
	case p.flags.dotAll:
		return `[\s\S]`
	case p.flags.unixLines:
		return `[^\n]`
	}
	return anyCharacter
}

func (p *javaPattern) lineStart() string {
	switch {
	case !p.flags.multiline:
		return `(?:\A|(?!))`
	case p.flags.unixLines:
		return `(?:(?=[\s\S])(?:\A|(?<=\n)))`
	}
	return `(?:(?=[\s\S])(?:\A|(?<=[\n\x85\u2028\u2029])|(?<=\r)(?!\n)))`
}

func (p *javaPattern) lineEnd() string {
	switch {
	case p.flags.multiline && p.flags.unixLines:
		return `(?:\Z|(?=\n))`
	case p.flags.multiline:
		return `(?:\Z|(?=[\r\x85\u2028\u2029])|(?<!\r)(?=\n))`
	case p.flags.unixLines:
		return `(?:\Z|(?=\n\Z))`
	}
	return lastLineEnd
}

// lastLineEnd is \Z: the end, or in front of a last line end.
const lastLineEnd = `(?:\Z|(?=\r\n\Z)|(?=[\r\x85\u2028\u2029]\Z)|(?<!\r)(?=\n\Z))`

// group reads what follows an opening parenthesis.
func (p *javaPattern) group() bool {
	number, outer := 0, p.flags
	switch {
	case p.ahead("?:"):
		p.write("(?:")
	case p.ahead("?>"):
		p.write("(?>")
	case p.ahead("?="):
		p.write("(?=")
	case p.ahead("?!"):
		p.write("(?!")
	case p.ahead("?<="):
		p.write("(?<=")
	case p.ahead("?<!"):
		p.write("(?<!")
	case p.ahead("?<"):
		number = p.named()
	case p.ahead("?"):
		if p.setFlags() {
			return false
		}
	default:
		p.groups++
		number = p.groups
		p.write("(")
	}
	if p.open[number] = true; number == 0 {
		delete(p.open, 0)
	}
	p.alternatives()
	p.flags = outer
	delete(p.open, number)
	if !p.ahead(")") {
		p.fail("Unclosed group")
	}
	p.write(")")
	return true
}

// named reads a group's name and gives its number.
func (p *javaPattern) named() int {
	name := p.name()
	if p.names[name] != 0 {
		p.fail("Named capturing group <" + name + "> is already defined")
	}
	p.groups++
	p.names[name] = p.groups
	p.write("(")
	return p.groups
}

func (p *javaPattern) name() string {
	start := p.at
	for !p.end() && p.next() < 0x80 && (unicode.IsLetter(p.next()) || p.at > start && unicode.IsDigit(p.next())) {
		p.at++
	}
	name := string(p.src[start:p.at])
	if name == "" {
		p.fail("capturing group name does not start with a Latin letter")
	}
	if !p.ahead(">") {
		p.fail("named capturing group is missing trailing '>'")
	}
	return name
}

// setFlags reads (?ims) or the start of (?ims:…), and reports whether it was the
// former, which has no group of its own.
func (p *javaPattern) setFlags() bool {
	on := true
	for ; ; p.at++ {
		switch p.next() {
		case 'i':
			p.flags.fold = on
		case 's':
			p.flags.dotAll = on
		case 'm':
			p.flags.multiline = on
		case 'x':
			p.flags.comments = on
		case 'd':
			p.flags.unixLines = on
		case 'u':
			p.flags.unicodeCase = on
		case 'U':
			p.fail("the flag U is not supported here: write \\p{L} for the letters of all scripts;")
		case '-':
			if !on {
				p.fail("Unknown inline modifier")
			}
			on = false
		case ')':
			p.at++
			return true
		case ':':
			p.at++
			p.write("(?:")
			return false
		default:
			p.fail("Unknown inline modifier")
		}
	}
}
