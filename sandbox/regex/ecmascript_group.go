package regex

// parenthesis parses what starts with an opening parenthesis.
func (p *ecmascript) parenthesis() (node, termSort) {
	ahead := sortAtom // Annex B lets a lookahead be repeated
	if p.flags.codePoints() {
		ahead = sortLook
	}
	start := p.at
	p.at++
	switch {
	case p.eat("?:"):
		return p.closing(start, p.disjunction()), sortAtom
	case p.eat("?="):
		return &look{body: p.closing(start, p.disjunction())}, ahead
	case p.eat("?!"):
		return &look{body: p.closing(start, p.disjunction()), negated: true}, ahead
	case p.eat("?<="):
		return &look{body: p.closing(start, p.disjunction()), behind: true}, sortLook
	case p.eat("?<!"):
		return &look{body: p.closing(start, p.disjunction()), behind: true, negated: true}, sortLook
	case p.eat("?<"):
		return p.capture(start, p.groupName()), sortAtom
	case p.peek(0) == '?':
		if n, ok := p.modifiers(start); ok {
			return n, sortAtom
		}
		p.fail(start, "Invalid group", invalidGroupHint(p.peek(1)))
	}
	return p.capture(start, ""), sortAtom
}

// invalidGroupHint says what to write for a group that other dialects have.
func invalidGroupHint(c rune) string {
	switch c {
	case 'P':
		return "A named group is written (?<name>…)."
	case '>':
		return "Atomic groups are not in JavaScript: use (?=(…))\\1."
	case '#':
		return "Patterns have no comments: leave it out."
	}
	return `Write \( for a literal parenthesis. The groups are (…), (?:…), (?<name>…), (?=…), (?!…), (?<=…), (?<!…) and (?ims-ims:…).`
}

// closing takes the parenthesis that ends a group.
func (p *ecmascript) closing(start int, body node) node {
	if !p.eat(")") {
		p.fail(start, "Unterminated group", `Close it with ), or write \( for a literal parenthesis.`)
	}
	return body
}

// maxGroups is how many captures a pattern may have, V8's number.
const maxGroups = 1<<15 - 1

// capture parses the body of a capturing group.
func (p *ecmascript) capture(start int, name string) node {
	if p.groups++; p.groups > maxGroups {
		p.fail(start, "Too many captures", "Use (?:…) where no capture is needed.")
	}
	index := p.groups
	p.grow(2)
	p.open = append(p.open, index)
	body := p.closing(start, p.disjunction())
	p.open = p.open[:len(p.open)-1]
	if name != "" {
		p.declare(start, name, index)
	}
	return &group{index, body}
}

// modifiers parses (?ims-ims:…), ECMA-262 2025 22.2.1. Flags hold to the end
// of the group.
func (p *ecmascript) modifiers(start int) (node, bool) {
	at := p.at
	saved := p.flags
	p.at++
	seen := map[rune]bool{}
	removing, any := false, false
	for ; ; p.at++ {
		c := p.peek(0)
		switch {
		case c == '-' && !removing:
			removing = true
			continue
		case (c == 'i' || c == 'm' || c == 's') && !seen[c]:
			seen[c], any = true, true
			p.flags.modify(c, !removing)
			continue
		case c == ':' && any:
			p.at++
			body := p.closing(start, p.disjunction())
			p.flags = saved
			return body, true
		}
		written := string(p.src[at+1 : p.at])
		p.at, p.flags = at, saved
		if c == ')' && any {
			p.fail(start, "Invalid group", "Flags go after the pattern, as in /…/i, or around a part of it: (?"+written+":…).")
		}
		return nil, false
	}
}
