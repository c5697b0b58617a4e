package regex

// class parses a bracketed class.
func (p *ecmascript) class() node {
	start := p.at
	p.at++
	negated := p.eat("^")
	if p.flags.sets {
		v := p.setClass(start, negated)
		return p.classNode(v)
	}
	s := p.closed(p.classRanges(start))
	if negated {
		s = s.invert()
	}
	return p.set(s)
}

// classRanges parses the inside of a class and the bracket that ends it:
// ClassContents without v.
func (p *ecmascript) classRanges(start int) charset {
	var spans charset
	add := func(s charset) {
		p.growSet(s)
		spans = append(spans, s...)
	}
	for !p.eat("]") {
		if !p.more() {
			p.unterminatedClass(start)
		}
		at := p.at
		lo, loSet := p.classAtom()
		if p.peek(0) != '-' || p.peek(1) == ']' || p.peek(1) == -1 {
			add(atomSet(lo, loSet))
			continue
		}
		p.at++
		hi, hiSet := p.classAtom()
		if loSet == nil && hiSet == nil {
			if lo > hi {
				p.fail(at, "Range out of order in character class", `The smaller character comes first; write \- for a literal hyphen.`)
			}
			add(charset{{lo, hi}})
			continue
		}
		if p.flags.codePoints() {
			p.fail(at, "Invalid character class", `A range ends in characters, not in sets; write \- for a literal hyphen.`)
		}
		add(atomSet(lo, loSet))
		add(single('-'))
		add(atomSet(hi, hiSet))
	}
	return normal(spans)
}

func (p *ecmascript) unterminatedClass(start int) {
	p.fail(start, "Unterminated character class", `Close it with ], or write \[ for a literal bracket.`)
}

func atomSet(r rune, s charset) charset {
	if s != nil {
		return s
	}
	return charset{{r, r}}
}

// classAtom parses one character or one set escape of a class without v.
func (p *ecmascript) classAtom() (rune, charset) {
	start := p.at
	c := p.peek(0)
	p.at++
	if c != '\\' {
		return c, nil
	}
	switch p.peek(0) {
	case -1:
		p.fail(start, `\ at end of pattern`, `Write \\ for a literal backslash.`)
	case 'b':
		p.at++
		return '\b', nil
	}
	if s, _, ok := p.setEscape(start, "Invalid property name in character class"); ok {
		if s == nil {
			s = charset{}
		}
		return 0, s
	}
	return p.charEscape(start, true), nil
}
