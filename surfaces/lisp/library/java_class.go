package library

import "strings"

// class reads a class behind its opening bracket, with nested classes and
// intersections, as a pattern of one character: [a-z&&[^aeiou]] is a lookahead for
// the one and the other.
func (p *javaPattern) class() string {
	if p.depth++; p.depth > javaDepth {
		p.fail("the classes nest too deep")
	}
	negated := p.ahead("^")
	sides := []string{p.union(true)}
	for p.ahead("&&") {
		for p.ahead("&&") {
			p.fail("an empty side of && is not supported here;")
		}
		if p.next() == ']' {
			p.fail("Bad class syntax")
		}
		sides = append(sides, p.union(false))
	}
	if !p.ahead("]") {
		p.fail("Unclosed character class")
	}
	p.depth--
	out := sides[len(sides)-1]
	for i := len(sides) - 2; i >= 0; i-- {
		out = "(?:(?=" + sides[i] + ")" + out + ")"
	}
	if !negated {
		return out
	}
	if plain, ok := strings.CutPrefix(out, "["); ok && len(sides) == 1 && !strings.HasPrefix(plain, "^") {
		return "[^" + plain
	}
	return "(?:(?!" + out + `)[\s\S])`
}

// union reads the members up to && or the closing bracket.
func (p *javaPattern) union(first bool) string {
	var members strings.Builder // of one plain class
	var others []string
	n := 0
	for ; ; n++ {
		for p.skipSpaceInClass() {
		}
		switch {
		case p.end():
			p.fail("Unclosed character class")
		case p.next() == ']' && (n > 0 || !first):
			return joinClass(p, members.String(), others)
		case p.next() == '[':
			p.at++
			others = append(others, p.class())
		case p.next() == '&' && p.at+1 < len(p.src) && p.src[p.at+1] == '&':
			if n == 0 {
				p.fail("an empty side of && is not supported here;")
			}
			return joinClass(p, members.String(), others)
		default:
			if s, ok := p.member(&members); !ok {
				others = append(others, s)
			}
		}
		if p.size+members.Len() > 1<<20 {
			p.fail("the pattern is too large")
		}
	}
}

func joinClass(p *javaPattern, members string, others []string) string {
	switch {
	case len(others) == 0 && members == "":
		p.fail("Unclosed character class")
	case len(others) == 0:
		return "[" + members + "]"
	case members == "" && len(others) == 1:
		return others[0]
	case members != "":
		others = append(others, "["+members+"]")
	}
	return "(?:" + strings.Join(others, "|") + ")"
}

// skipSpaceInClass passes what (?x) passes inside of a class too.
func (p *javaPattern) skipSpaceInClass() bool { return p.skipComment() }

// member reads one character, range or shorthand. Shorthands that are not plain are
// given back as a pattern.
func (p *javaPattern) member(out *strings.Builder) (string, bool) {
	if p.ahead(`\`) {
		if p.ahead("Q") {
			return p.quotedMembers(out)
		}
		if s, ok := p.shorthand(); ok {
			if !strings.HasPrefix(s, "[") || strings.HasPrefix(s, "[^") {
				return s, false
			}
			out.WriteString(s[1 : len(s)-1])
			return "", true
		}
		p.rangeFrom(out, p.escaped())
		return "", true
	}
	c := p.next()
	p.at++
	p.rangeFrom(out, c)
	return "", true
}

func (p *javaPattern) quotedMembers(out *strings.Builder) (string, bool) {
	for !p.end() && !p.ahead(`\E`) {
		out.WriteString(literal(p.next()))
		p.at++
	}
	return "", true
}

// rangeFrom writes a character, or the range that begins with it.
func (p *javaPattern) rangeFrom(out *strings.Builder, from rune) {
	out.WriteString(literal(from))
	for p.skipSpaceInClass() {
	}
	if p.next() != '-' || p.at+1 >= len(p.src) {
		return
	}
	if c := p.src[p.at+1]; c == ']' || c == '[' {
		return // the - is a member
	}
	p.at++
	for p.skipSpaceInClass() {
	}
	to := p.next()
	p.at++
	if to == '\\' {
		if strings.ContainsRune("dDsSwWhHvVpPQ", p.next()) {
			p.fail("Illegal character range")
		}
		to = p.escaped()
	}
	if to < from {
		p.fail("Illegal character range")
	}
	out.WriteString("-" + literal(to))
}
