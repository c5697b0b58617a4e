package syntax

func (p *parser) atom() Expr {
	t := p.tok
	at := Span{t.start, t.end}
	switch t.kind {
	case name:
		p.next()
		return &Name{at, p.identifier(t)}
	case number:
		p.next()
		v, tooLong := numberValue(p.text(t))
		if tooLong > 0 {
			p.failAt(t, "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.", maxIntegerDigits, tooLong)
		}
		return &Constant{at, v}
	case stringToken, fstringStart:
		return p.strings()
	case keyword:
		switch t.code {
		case kwNone:
			p.next()
			return &Constant{at, NoneValue{}}
		case kwTrue, kwFalse:
			p.next()
			return &Constant{at, t.code == kwTrue}
		}
	case operator:
		switch t.code {
		case opEllipsis:
			p.next()
			return &Constant{at, EllipsisValue{}}
		case '(':
			return p.parens(t)
		case '[':
			return p.list(t)
		case '{':
			return p.braces(t)
		}
	}
	p.invalid()
	return nil
}

// parens parses a group, a tuple, a generator or a yield.
func (p *parser) parens(t token) Expr {
	p.next()
	if p.acceptOp(')') {
		return &Tuple{p.span(t.start), nil}
	}
	if p.isKw(kwYield) {
		e := p.yield()
		p.expectOp(')')
		return e
	}
	if p.isOp(opPow) {
		if ok, _ := p.try(func() { p.next(); p.expression(); p.expectOp(')') }); ok {
			p.failAt(p.tok, "cannot use double starred expression here")
		}
		p.invalid()
	}
	e := p.starNamedExpression()
	switch {
	case p.isComprehension():
		gens := p.comprehension(e)
		p.expectOp(')')
		return &GeneratorExp{p.span(t.start), e, gens}
	case p.isOp(','):
		elts := p.elements(e, ')')
		p.expectOp(')')
		return &Tuple{p.span(t.start), elts}
	}
	if s, ok := e.(*Starred); ok && p.isOp(')') {
		p.failNode(s, "cannot use starred expression here")
	}
	p.expectOp(')')
	return e
}

// elements parses the rest of a display after its first element.
func (p *parser) elements(first Expr, closing uint8) []Expr {
	elts := []Expr{first}
	for p.acceptOp(',') {
		if p.isOp(closing) {
			break
		}
		elts = append(elts, p.starNamedExpression())
		if closing != ')' && p.isComprehension() {
			last := elts[len(elts)-1]
			if ok, _ := p.try(func() { p.comprehension(first) }); ok {
				p.fail(first.span().Start, last.span().End, "did you forget parentheses around the comprehension target?")
			}
			p.invalid()
		}
	}
	return elts
}

func (p *parser) list(t token) Expr {
	p.next()
	if p.acceptOp(']') {
		return &List{p.span(t.start), nil}
	}
	e := p.starNamedExpression()
	if p.isComprehension() {
		gens := p.comprehension(e)
		p.expectOp(']')
		return &ListComp{p.span(t.start), e, gens}
	}
	elts := p.elements(e, ']')
	p.expectOp(']')
	return &List{p.span(t.start), elts}
}

// braces parses a set, a dict, or a comprehension of either.
func (p *parser) braces(t token) Expr {
	p.next()
	if p.acceptOp('}') {
		return &Dict{Span: p.span(t.start)}
	}
	if p.isOp(opPow) {
		return p.dict(t, &Dict{})
	}
	e := p.starNamedExpression()
	if _, star := e.(*Starred); star || !p.isOp(':') {
		if p.isComprehension() {
			gens := p.comprehension(e)
			p.expectOp('}')
			return &SetComp{p.span(t.start), e, gens}
		}
		elts := p.elements(e, '}')
		p.expectOp('}')
		return &Set{p.span(t.start), elts}
	}
	v := p.dictValue()
	if p.isComprehension() {
		gens := p.generators()
		p.expectOp('}')
		return &DictComp{p.span(t.start), e, v, gens}
	}
	d := &Dict{Keys: []Expr{e}, Values: []Expr{v}}
	if !p.acceptOp(',') {
		p.expectOp('}')
		d.Span = p.span(t.start)
		return d
	}
	return p.dict(t, d)
}

// dict parses the entries of a dict up to its brace.
func (p *parser) dict(t token, d *Dict) Expr {
	for !p.isOp('}') {
		if p.isOp(opPow) {
			star := p.tok
			p.next()
			d.Keys = append(d.Keys, nil)
			d.Values = append(d.Values, p.bitwise())
			if len(d.Keys) == 1 && p.isComprehension() {
				p.failAt(star, "dict unpacking cannot be used in dict comprehension")
			}
		} else {
			key := p.expression()
			if !p.isOp(':') {
				if p.tok.kind == errorToken {
					p.invalid()
				}
				end := key.span().End
				p.fail(end-1, end, "':' expected after dictionary key")
			}
			d.Keys = append(d.Keys, key)
			d.Values = append(d.Values, p.dictValue())
		}
		if !p.acceptOp(',') {
			break
		}
	}
	p.expectOp('}')
	d.Span = p.span(t.start)
	return d
}

// dictValue takes the colon and the value behind it.
func (p *parser) dictValue() Expr {
	colon := p.tok
	p.next()
	switch {
	case p.isOp('}') || p.isOp(','):
		p.failAt(colon, "expression expected after dictionary key and ':'")
	case p.isOp('*'):
		star := p.tok
		if ok, _ := p.try(func() { p.next(); p.bitwise() }); ok {
			p.failAt(star, "cannot use a starred expression in a dictionary value")
		}
	}
	return p.expression()
}

func (p *parser) isComprehension() bool {
	return p.isKw(kwFor) || p.isKw(kwAsync) && p.peek(1).isKw(kwFor)
}

// comprehension parses the clauses of a comprehension over elt.
func (p *parser) comprehension(elt Expr) []*Comprehension {
	if s, ok := elt.(*Starred); ok {
		p.failNode(s, "iterable unpacking cannot be used in comprehension")
	}
	return p.generators()
}

func (p *parser) generators() []*Comprehension {
	var list []*Comprehension
	for p.isComprehension() {
		c := &Comprehension{Async: p.acceptKw(kwAsync)}
		p.next()
		c.Target = p.forTarget()
		p.expectKw(kwIn)
		c.Iter = p.disjunction()
		for p.acceptKw(kwIf) {
			c.Ifs = append(c.Ifs, p.disjunction())
		}
		list = append(list, c)
	}
	return list
}
