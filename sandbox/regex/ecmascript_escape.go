package regex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// atomEscape parses what a backslash outside a class means.
func (p *ecmascript) atomEscape() (node, termSort) {
	start := p.at
	p.at++
	c := p.peek(0)
	switch {
	case c == -1:
		p.fail(start, `\ at end of pattern`, `Write \\ for a literal backslash.`)
	case c == 'b' || c == 'B':
		p.at++
		kind := wordBoundary
		if c == 'B' {
			kind = notWordBoundary
		}
		words := p.flags.folding().words()
		p.growSet(words)
		return &assertion{kind, words}, sortAssertion
	case c == 'k' && (p.named || p.flags.codePoints()):
		p.at++
		return p.namedReference(start), sortAtom
	case c >= '1' && c <= '9':
		if n, ok := p.numberedReference(); ok {
			return n, sortAtom
		}
		if p.flags.codePoints() {
			p.fail(start, "Invalid escape", "There is no group of that number.")
		}
		if c >= '8' {
			p.at++
			return p.char(c), sortAtom
		}
	case c == '0' && p.flags.codePoints() && isDigit(p.peek(1)):
		p.fail(start, "Invalid decimal escape", `Write \x00 for the character of code 0.`)
	}
	if s, ok := p.classEscape(start, "Invalid property name"); ok {
		return s, sortAtom
	}
	return p.char(p.charEscape(start, false)), sortAtom
}

// numberedReference parses a backreference if a group of that number exists
// anywhere in the pattern.
func (p *ecmascript) numberedReference() (node, bool) {
	start := p.at
	n, _ := p.decimal()
	if n > p.total {
		p.at = start
		return nil, false
	}
	// Inside its own group nothing has been captured yet.
	if slices.Contains(p.open, n) {
		return &empty{}, true
	}
	return &backreference{groups: []int{n}, fold: p.flags.folding()}, true
}

// classEscape parses an escape that stands for a set: \d \D \s \S \w \W, and
// with u or v \p and \P.
func (p *ecmascript) classEscape(start int, badProperty string) (node, bool) {
	s, strs, ok := p.setEscape(start, badProperty)
	if !ok {
		return nil, false
	}
	if len(strs) > 0 {
		return p.classNode(p.fold(classValue{set: s, strings: strs})), true
	}
	return p.set(p.closed(s)), true
}

// setEscape is classEscape before folding; with v it may hold strings.
func (p *ecmascript) setEscape(start int, badProperty string) (set charset, strs []string, ok bool) {
	c := p.peek(0)
	switch c {
	case 'd', 'D':
		set = digits
	case 's', 'S':
		set = spaces
	case 'w', 'W':
		set = p.flags.folding().words()
	case 'p', 'P':
		if p.flags.codePoints() {
			p.at++
			set, strs = p.propertyEscape(start, badProperty, c == 'P')
			return set, strs, true
		}
		return nil, nil, false
	default:
		return nil, nil, false
	}
	p.at++
	if c < 'a' {
		set = set.invert()
	}
	return set, nil, true
}

// propertyEscape parses {Name} or {Name=Value}.
func (p *ecmascript) propertyEscape(start int, text string, negated bool) (charset, []string) {
	const hint = `Examples: \p{L}, \p{Lu}, \p{Nd}, \p{Script=Greek}, \p{Emoji}.`
	if !p.eat("{") {
		p.fail(start, text, hint)
	}
	var b strings.Builder
	for p.more() && p.peek(0) != '}' && b.Len() < 100 {
		b.WriteRune(p.peek(0))
		p.at++
	}
	if !p.eat("}") {
		p.fail(start, text, hint)
	}
	name := b.String()
	if p.flags.sets {
		if set, strs, ok := stringProperty(name); ok {
			if negated {
				p.fail(start, text, `A property of strings has no complement: write \p{`+name+"}.")
			}
			p.growSet(set)
			p.grow(len(strs))
			return set, strs
		}
	}
	set, ok := property(name)
	if !ok {
		p.fail(start, text, propertyHint(name, hint))
	}
	p.growSet(set)
	// With v the folding comes before the complement, ECMA-262 22.2.2.9.
	if p.flags.sets {
		set = p.closed(set)
	}
	if negated {
		set = set.invert()
	}
	return set, nil
}

const unicodeEscapeHint = `Write \uHHHH or \u{H…}, at most \u{10FFFF}.`

// syntaxCharacters are those that u and v mode allow after a backslash.
const syntaxCharacters = `^$\.*+?()[]{}|/`

// charEscape parses an escape that stands for one character.
func (p *ecmascript) charEscape(start int, inClass bool) rune {
	c := p.peek(0)
	strict := p.flags.codePoints()
	p.at++
	switch c {
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'v':
		return '\v'
	case 'f':
		return '\f'
	case 'r':
		return '\r'
	case 'c':
		return p.controlEscape(start, inClass)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		if c == '0' && !isDigit(p.peek(0)) {
			return 0
		}
		if strict {
			p.fail(start, "Invalid class escape", `Write \xHH for a character code.`)
		}
		p.at--
		return p.octal()
	case 'x':
		if r, ok := p.hex(2); ok {
			return r
		}
		if strict {
			p.fail(start, "Invalid escape", `Write \xHH with two hexadecimal digits.`)
		}
		return 'x'
	case 'u':
		if r, ok := p.unicodeEscape(strict); ok {
			return r
		}
		if strict {
			p.fail(start, "Invalid Unicode escape", unicodeEscapeHint)
		}
		return 'u'
	}
	if strict && !(c < 0x80 && strings.ContainsRune(syntaxCharacters, c)) && !(inClass && c == '-') {
		p.fail(start, "Invalid escape", "With the u or v flag only "+syntaxCharacters+" may follow a backslash: drop the backslash.")
	}
	if c == 'k' && p.named {
		p.fail(start, "Invalid escape", `Write k without the backslash.`)
	}
	return c
}

// controlEscape parses \cX, after the c.
func (p *ecmascript) controlEscape(start int, inClass bool) rune {
	x := p.peek(0)
	letter := x >= 'a' && x <= 'z' || x >= 'A' && x <= 'Z'
	if letter || inClass && !p.flags.codePoints() && (isDigit(x) || x == '_') {
		p.at++
		return x & 0x1F
	}
	if p.flags.codePoints() {
		p.fail(start, "Invalid Unicode escape", `Write \cA to \cZ for a control character.`)
	}
	// The backslash stands for itself and the c is read again.
	p.at--
	return '\\'
}

// octal parses one to three octal digits, at most 0377.
func (p *ecmascript) octal() rune {
	n := rune(0)
	for i := 0; i < 3 && p.peek(0) >= '0' && p.peek(0) <= '7' && n*8 <= 0o377; i++ {
		next := n*8 + p.peek(0) - '0'
		if next > 0o377 {
			break
		}
		n = next
		p.at++
	}
	return n
}

// hex parses exactly n hexadecimal digits, or moves nowhere.
func (p *ecmascript) hex(n int) (rune, bool) {
	v := rune(0)
	for i := range n {
		d := hexDigit(p.peek(i))
		if d < 0 {
			return 0, false
		}
		v = v<<4 | d
	}
	p.at += n
	return v, true
}

func hexDigit(r rune) rune {
	switch {
	case r >= '0' && r <= '9':
		return r - '0'
	case r >= 'a' && r <= 'f':
		return r - 'a' + 10
	case r >= 'A' && r <= 'F':
		return r - 'A' + 10
	}
	return -1
}

// unicodeEscape parses what follows \u: HHHH, and if wide also {H…} and a
// surrogate pair of two escapes. It moves nowhere if there is no such escape.
func (p *ecmascript) unicodeEscape(wide bool) (rune, bool) {
	start := p.at
	if wide && p.eat("{") {
		v, digits := rune(0), 0
		for hexDigit(p.peek(0)) >= 0 && v <= unicode.MaxRune {
			v = v<<4 | hexDigit(p.peek(0))
			p.at++
			digits++
		}
		if digits == 0 || v > unicode.MaxRune || !p.eat("}") {
			p.at = start
			return 0, false
		}
		return v, true
	}
	r, ok := p.hex(4)
	if !ok || !wide || !utf16.IsSurrogate(r) {
		return r, ok
	}
	after := p.at
	if p.eat(`\u`) {
		if low, ok := p.hex(4); ok {
			if pair := utf16.DecodeRune(r, low); pair != unicode.ReplacementChar {
				return pair, true
			}
		}
	}
	p.at = after
	return r, true
}
