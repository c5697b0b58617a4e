package regex

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"
)

const (
	octalDigits = "01234567"
	hexDigits   = "0123456789abcdefABCDEF"
)

// category gives the set of \d, \s, \w or their opposites; ok is false for any
// other letter.
func (p *python) category(c rune) (s charset, ok bool) {
	switch c {
	case 'd', 'D':
		s = digits
		if !p.ascii() {
			s = pythonDigits()
		}
	case 's', 'S':
		s = pythonASCIISpaces
		if !p.ascii() {
			s = pythonSpaces
		}
	case 'w', 'W':
		s = p.words()
	default:
		return nil, false
	}
	if c < 'a' {
		s = s.invert()
	}
	return s, true
}

func (p *python) words() charset {
	if p.ascii() {
		return wordChars
	}
	return pythonWords()
}

// simpleEscape gives the control character of a letter.
func simpleEscape(c rune) (rune, bool) {
	i := strings.IndexRune("abfnrtv\\", c)
	if i < 0 {
		return 0, false
	}
	return rune("\a\b\f\n\r\t\v\\"[i]), true
}

// escape parses what a backslash begins outside a class.
func (p *python) escape(c rune) item {
	switch c {
	case 'A':
		return item{node: &assertion{kind: textStart}, sort: itemAssertion}
	case 'Z':
		return item{node: &assertion{kind: textEnd}, sort: itemAssertion}
	case 'b':
		p.count(len(p.words()), spanBytes)
		return item{node: &assertion{wordBoundary, p.words()}, sort: itemAssertion}
	case 'B':
		p.count(len(p.words()), spanBytes)
		return item{node: &assertion{innerNotWordBoundary, p.words()}, sort: itemAssertion}
	}
	if s, ok := p.category(c); ok {
		return one(p.set(s))
	}
	if r, ok := simpleEscape(c); ok {
		return one(p.char(r))
	}
	if r, ok := p.coded(c); ok {
		return one(p.char(r))
	}
	switch {
	case c == '0':
		r, _ := strconv.ParseInt("0"+string(p.while(2, octalDigits)), 8, 32)
		return one(p.char(rune(r)))
	case isDigit(c):
		return p.numbered(c)
	case isASCIILetter(c):
		p.fail("bad escape \\"+string(c), 2)
	}
	return one(p.char(c))
}

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// numbered parses a reference to a group, or three octal digits.
func (p *python) numbered(c rune) item {
	escape := []rune{c}
	if len(p.next) == 1 && isDigit(p.next[0]) {
		escape = append(escape, p.get()...)
		if isOctal(escape[0]) && isOctal(escape[1]) && len(p.next) == 1 && isOctal(p.next[0]) {
			escape = append(escape, p.get()...)
			return one(p.char(p.octal(escape)))
		}
	}
	g, _ := strconv.Atoi(string(escape))
	if g >= len(p.widths) {
		p.fail("invalid group reference "+strconv.Itoa(g), len(escape))
	}
	if !p.closed[g] {
		p.fail("cannot refer to an open group", len(escape)+1)
	}
	p.checkBehind(g)
	return p.reference(g)
}

func isOctal(r rune) bool { return r >= '0' && r <= '7' }

func (p *python) octal(escape []rune) rune {
	n, _ := strconv.ParseInt(string(escape), 8, 32)
	if n > 0o377 {
		p.fail("octal escape value \\"+string(escape)+" outside of range 0-0o377", len(escape)+1)
	}
	return rune(n)
}

// coded parses \x, \u, \U and \N; ok is false for any other letter.
func (p *python) coded(c rune) (r rune, ok bool) {
	n := 0
	switch c {
	case 'x':
		n = 2
	case 'u':
		n = 4
	case 'U':
		n = 8
	case 'N':
	default:
		return 0, false
	}
	if c != 'x' && p.bytes {
		return 0, false
	}
	if c == 'N' {
		return p.named(), true
	}
	digits := p.while(n, hexDigits)
	if len(digits) != n {
		p.fail("incomplete escape \\"+string(c)+string(digits), len(digits)+2)
	}
	x, _ := strconv.ParseUint(string(digits), 16, 64)
	if x > utf8.MaxRune {
		p.fail("bad escape \\"+string(c)+string(digits), len(digits)+2)
	}
	return rune(x), true
}

// named parses \N{NAME}.
func (p *python) named() rune {
	if !p.match('{') {
		p.fail("missing {", 0)
	}
	name := p.until('}', "character name")
	if err := p.limits.charge(200_000, 0); err != nil {
		panic(stopped{err})
	}
	want := strings.ToUpper(string(name))
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if got := runenames.Name(r); got == want && got[0] != '<' {
			return r
		}
	}
	p.fail("undefined character name "+pyQuote(name), len(name)+len(`\N{}`))
	return 0
}

// class parses a bracketed class.
func (p *python) class() node {
	here := p.tell() - 1
	negated := p.match('^')
	var chars, sets charset
	for n := 0; ; n++ {
		t := p.get()
		if t == nil {
			p.fail("unterminated character set", p.tell()-here)
		}
		if len(t) == 1 && t[0] == ']' && n > 0 {
			break
		}
		lo, loSet := p.classItem(t)
		if !p.match('-') {
			chars, sets = add(chars, sets, lo, loSet)
			p.count(1+len(loSet), spanBytes)
			continue
		}
		u := p.get()
		if u == nil {
			p.fail("unterminated character set", p.tell()-here)
		}
		if len(u) == 1 && u[0] == ']' {
			chars, sets = add(chars, sets, lo, loSet)
			chars = append(chars, span{'-', '-'})
			p.count(2+len(loSet), spanBytes)
			break
		}
		hi, hiSet := p.classItem(u)
		if loSet != nil || hiSet != nil || hi < lo {
			p.fail("bad character range "+string(t)+"-"+string(u), len(t)+1+len(u))
		}
		chars = append(chars, span{lo, hi})
		p.count(1, spanBytes)
	}
	s := union(p.fold(normal(chars)), normal(sets))
	if negated {
		s = s.invert()
	}
	return p.set(s)
}

func add(chars, sets charset, r rune, s charset) (charset, charset) {
	if s != nil {
		return chars, append(sets, s...)
	}
	return append(chars, span{r, r}), sets
}

// classItem gives the character or the set of a token in a class.
func (p *python) classItem(t []rune) (rune, charset) {
	if t[0] != '\\' {
		return t[0], nil
	}
	c := t[1]
	if r, ok := simpleEscape(c); ok {
		return r, nil
	}
	if s, ok := p.category(c); ok {
		return 0, s
	}
	if r, ok := p.coded(c); ok {
		return r, nil
	}
	switch {
	case isOctal(c):
		return p.octal(append([]rune{c}, p.while(2, octalDigits)...)), nil
	case isDigit(c), isASCIILetter(c):
		p.fail("bad escape \\"+string(c), 2)
	}
	return c, nil
}
