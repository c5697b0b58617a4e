package library

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// javaClasses are the one-letter classes of JDK 17: those of \d, \s and \w are of
// ASCII without the flag U.
var javaClasses = map[rune]string{
	'd': `0-9`,
	's': `\x20\t\n\x0b\f\r`,
	'w': `a-zA-Z_0-9`,
	'h': `\x20\t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000`,
	'v': `\n\x0b\f\r\x85\u2028\u2029`,
}

// posixClasses are the names of \p{…} for ASCII.
var posixClasses = map[string]string{
	"Lower": `a-z`, "Upper": `A-Z`, "ASCII": `\x00-\x7f`, "Alpha": `a-zA-Z`, "Digit": `0-9`, "Alnum": `a-zA-Z0-9`,
	"Punct": `!-/:-@\[-\x60{-~`, "Graph": `!-~`, "Print": `\x20-~`, "Blank": `\x20\t`, "Cntrl": `\x00-\x1f\x7f`,
	"XDigit": `0-9a-fA-F`, "Space": `\x20\t\n\x0b\f\r`,
}

// binaryProperties are the names of \p{Is…} that are not a script.
var binaryProperties = map[string][]*unicode.RangeTable{
	"ALPHABETIC":  {unicode.L, unicode.Nl, unicode.Other_Alphabetic},
	"LETTER":      {unicode.L},
	"LOWERCASE":   {unicode.Ll, unicode.Other_Lowercase},
	"UPPERCASE":   {unicode.Lu, unicode.Other_Uppercase},
	"DIGIT":       {unicode.Nd},
	"IDEOGRAPHIC": {unicode.Ideographic},
	"WHITE_SPACE": {unicode.White_Space}, "WHITESPACE": {unicode.White_Space},
	"PUNCTUATION": {unicode.P},
	"CONTROL":     {unicode.Cc},
}

// lowerCases and the like of Character: \p{javaLowerCase}.
var characterMethods = map[string][]*unicode.RangeTable{
	"LowerCase":     {unicode.Ll, unicode.Other_Lowercase},
	"UpperCase":     {unicode.Lu, unicode.Other_Uppercase},
	"Letter":        {unicode.L},
	"LetterOrDigit": {unicode.L, unicode.Nd},
	"Digit":         {unicode.Nd},
	"Alphabetic":    {unicode.L, unicode.Nl, unicode.Other_Alphabetic},
}

// escape writes what a backslash outside of a class stands for, and reports whether
// a quantifier may follow.
func (p *javaPattern) escape() bool {
	c := p.next()
	switch c {
	case 'Q':
		p.at++
		return p.quotation()
	case 'b':
		p.at++
		if p.ahead("{g}") {
			p.fail(`\b{…} is not supported here;`)
		}
		p.write(p.wordEdge(true))
	case 'B':
		p.at++
		p.write(p.wordEdge(false))
	case 'A':
		p.at++
		p.write(`(?:\A|(?!))`)
	case 'z':
		p.at++
		p.write(`(?:\Z|(?!))`)
	case 'Z':
		p.at++
		p.write(lastLineEnd)
	case 'R':
		p.at++
		p.write(`(?:\r\n|[\n\x0b\f\r\x85\u2028\u2029])`)
	case 'k':
		p.at++
		p.namedReference()
	case 'G', 'X':
		p.fail(`\` + string(c) + ` is not supported here;`)
	default:
		if c >= '1' && c <= '9' {
			p.reference()
			return true
		}
		if s, ok := p.shorthand(); ok {
			p.write(s)
			return true
		}
		p.write(p.folded(literal(p.escaped())))
	}
	return true
}

// wordEdge is \b or \B. In JDK 17 the letters and digits of all scripts are words, with
// the marks on them; texts of ASCII need none of that.
func (p *javaPattern) wordEdge(is bool) string {
	p.wide = true
	if p.ascii {
		if is {
			return `(?:\b|(?!))`
		}
		return `(?:(?!\b)|(?!))`
	}
	if is {
		return "(?:" + wordBefore + "(?!" + wordAfter + ")|(?!" + wordBefore + ")" + wordAfter + ")"
	}
	return "(?:" + wordBefore + wordAfter + "|(?!" + wordBefore + ")(?!" + wordAfter + "))"
}

// A mark is of the word that it stands on; up to two on one letter are looked at.
var (
	letterOrDigit = "(?-i:[" + ranges(unicode.L, unicode.Nd) + "])"
	wordCharacter = "(?-i:[_" + ranges(unicode.L, unicode.Nd) + "])"
	mark          = "(?-i:[" + ranges(unicode.Mn) + "])"
	wordBefore    = "(?:(?<=" + wordCharacter + ")|(?<=" + letterOrDigit + mark + ")|(?<=" + letterOrDigit + mark + mark + "))"
	wordAfter     = "(?:(?=" + wordCharacter + ")|(?<=" + letterOrDigit + ")(?=" + mark + ")|(?<=" + letterOrDigit + mark + ")(?=" + mark + "))"
)

// quotation writes \Q…\E: each character as itself. A quantifier behind it is of the
// last one.
func (p *javaPattern) quotation() bool {
	for !p.end() {
		if p.ahead(`\E`) {
			return false
		}
		c := p.next()
		p.at++
		p.write(p.folded(literal(c)))
		if p.at+1 < len(p.src) && p.src[p.at] == '\\' && p.src[p.at+1] == 'E' {
			p.at += 2
			return true
		}
	}
	return false
}

func (p *javaPattern) namedReference() {
	if !p.ahead("<") {
		p.fail(`\k is not followed by '<' for named capturing group`)
	}
	name := p.name()
	n := p.names[name]
	if n == 0 {
		p.fail("named capturing group <" + name + "> does not exist")
	}
	p.refer(n)
}

// reference reads \1: as many digits as name a group that has begun.
func (p *javaPattern) reference() {
	n := int(p.next() - '0')
	p.at++
	for !p.end() && p.next() >= '0' && p.next() <= '9' && n*10+int(p.next()-'0') <= p.groups {
		n = n*10 + int(p.next()-'0')
		p.at++
	}
	if n > p.groups {
		p.fail(fmt.Sprintf("group %d does not exist;", n))
	}
	p.refer(n)
}

func (p *javaPattern) refer(n int) {
	if p.open[n] {
		p.fail("a reference to a group inside itself is not supported here;")
	}
	p.write(p.folded(fmt.Sprintf(`(?:\%d)`, n)))
}

// shorthand reads \d, \W, \p{…} and the like.
func (p *javaPattern) shorthand() (string, bool) {
	c := p.next()
	if s, ok := javaClasses[unicode.ToLower(c)]; ok && c < 0x80 {
		p.at++
		return p.unfolded(s, unicode.IsUpper(c)), true
	}
	if c == 'p' || c == 'P' {
		p.at++
		return p.property(c == 'P'), true
	}
	return "", false
}

func (p *javaPattern) property(negated bool) string {
	name := string(p.next())
	if p.end() {
		p.fail("Unknown character property name")
	}
	p.at++
	if name == "{" {
		start := p.at
		for !p.end() && p.next() != '}' {
			p.at++
		}
		name = string(p.src[start:p.at])
		if !p.ahead("}") {
			p.fail("Unclosed character family")
		}
	}
	set, ok := javaProperty(name)
	if !ok {
		p.fail("Unknown character property name {" + name + "}")
	}
	if p.flags.fold {
		if all, ok := casedClasses[name]; ok {
			set, _ = javaProperty(all)
		}
	}
	return p.unfolded(set, negated)
}

// casedClasses are the classes that (?i) makes one of both cases. It changes no other.
var casedClasses = map[string]string{
	"Lower": "Alpha", "Upper": "Alpha", "Lu": "LC", "Ll": "LC", "Lt": "LC", "IsLu": "LC", "IsLl": "LC", "IsLt": "LC", "javaLowerCase": "LC", "javaUpperCase": "LC",
}

// unfolded is a class that the case flags do not touch.
func (p *javaPattern) unfolded(set string, negated bool) string {
	out := "[" + set + "]"
	if negated {
		out = "[^" + set + "]"
	}
	if p.flags.fold || p.base.fold {
		return "(?-i:" + out + ")"
	}
	return out
}

func javaProperty(name string) (string, bool) {
	if s, ok := posixClasses[name]; ok {
		return s, true
	}
	if key, v, ok := strings.Cut(name, "="); ok {
		switch strings.ToLower(key) {
		case "sc", "script":
			return script(v)
		case "gc", "general_category":
			return category(v)
		}
		return "", false
	}
	if m, ok := strings.CutPrefix(name, "java"); ok {
		if t, ok := characterMethods[m]; ok {
			return ranges(t...), true
		}
		return "", false
	}
	if m, ok := strings.CutPrefix(name, "Is"); ok {
		if t, ok := binaryProperties[strings.ToUpper(m)]; ok {
			return ranges(t...), true
		}
		if s, ok := category(m); ok {
			return s, true
		}
		return script(m)
	}
	return category(name)
}

func category(name string) (string, bool) {
	if name == "LC" {
		return ranges(unicode.Lu, unicode.Ll, unicode.Lt), true
	}
	if len(name) > 2 {
		return "", false
	}
	t, ok := unicode.Categories[name]
	if !ok {
		return "", false
	}
	return ranges(t), true
}

func script(name string) (string, bool) {
	for n, t := range unicode.Scripts {
		if strings.EqualFold(n, name) {
			return ranges(t), true
		}
	}
	return "", false
}

// ranges writes Unicode's tables as the inside of a class.
func ranges(tables ...*unicode.RangeTable) string {
	var b strings.Builder
	add := func(from, to, stride uint32) {
		switch {
		case stride == 1 && from != to:
			fmt.Fprintf(&b, "%s-%s", escapedRune(from), escapedRune(to))
		default:
			for c := from; c <= to; c += stride {
				b.WriteString(escapedRune(c))
			}
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(uint32(r.Lo), uint32(r.Hi), uint32(r.Stride))
		}
		for _, r := range t.R32 {
			add(r.Lo, r.Hi, r.Stride)
		}
	}
	return b.String()
}

func escapedRune(c uint32) string {
	if c < 0x80 || c >= 0xd800 && c < 0xe000 {
		return fmt.Sprintf(`\U%08x`, c)
	}
	return string(rune(c))
}

// escaped reads the escape of one character.
func (p *javaPattern) escaped() rune {
	c := p.next()
	if p.end() {
		p.fail(`Unexpected internal error: a \ at the end`)
	}
	p.at++
	switch c {
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 'f':
		return '\f'
	case 'a':
		return 7
	case 'e':
		return 27
	case '0':
		return p.octal()
	case 'x':
		return p.hexadecimal()
	case 'u':
		return p.hex(4, `Illegal Unicode escape sequence`)
	case 'c':
		if p.end() {
			p.fail("Illegal control escape sequence")
		}
		p.at++
		return p.src[p.at-1] ^ 64
	}
	if c < 0x80 && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
		p.at--
		p.fail("Illegal/unsupported escape sequence")
	}
	return c
}

func (p *javaPattern) hex(n int, why string) rune {
	if p.at+n > len(p.src) {
		p.fail(why)
	}
	v, err := strconv.ParseUint(string(p.src[p.at:p.at+n]), 16, 32)
	if err != nil {
		p.fail(why)
	}
	p.at += n
	return rune(v)
}

func (p *javaPattern) hexadecimal() rune {
	const why = "Illegal hexadecimal escape sequence"
	if !p.ahead("{") {
		return p.hex(2, why)
	}
	start := p.at
	for !p.end() && p.next() != '}' && p.at-start < 7 {
		p.at++
	}
	v, err := strconv.ParseUint(string(p.src[start:p.at]), 16, 32)
	if err != nil || v > unicode.MaxRune || !p.ahead("}") {
		p.fail(why)
	}
	return rune(v)
}

// octal reads up to three digits, of which three are at most \0377.
func (p *javaPattern) octal() rune {
	v, n := rune(0), 0
	for n < 3 && !p.end() && p.next() >= '0' && p.next() <= '7' && (n < 2 || v < 32) {
		v = v*8 + p.next() - '0'
		p.at++
		n++
	}
	if n == 0 {
		p.fail("Illegal octal escape sequence")
	}
	return v
}
