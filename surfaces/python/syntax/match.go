package syntax

// isMatch reports whether the word match at hand begins a match statement. It
// does if its line ends with a colon and a block follows, or could.
func (p *parser) isMatch() bool {
	next := p.peek(1)
	if !startsExpression(next) && !next.isOp('*') {
		return false
	}
	level := 0
	for k := p.i + 1; k < len(p.tokens); k++ {
		t := p.tokens[k]
		switch {
		case t.isOp('('), t.isOp('['), t.isOp('{'):
			level++
		case t.isOp(')'), t.isOp(']'), t.isOp('}'):
			level--
		case level == 0 && t.isOp(':'):
			// A colon that ends the line; an annotation or a slice does not.
			return p.tokens[k+1].kind == newline || p.tokens[k+1].kind == errorToken
		case level == 0 && (t.isOp('=') || t.isOp(opAugmented) || t.isOp(';')):
			return false
		case t.kind == newline, t.kind == endMarker, t.kind == errorToken:
			return p.matchWithoutColon(k)
		}
	}
	return false
}

// matchWithoutColon reports whether a line that begins with match and lacks its
// colon is followed by a block of cases.
func (p *parser) matchWithoutColon(k int) bool {
	return k+2 < len(p.tokens) && p.tokens[k].kind == newline && p.tokens[k+1].kind == indent &&
		p.tokens[k+2].kind == name && p.text(p.tokens[k+2]) == "case"
}

func (p *parser) match() Stmt {
	t := p.tok
	p.next()
	n := &Match{Subject: p.starNamedExpressions()}
	p.colon(false)
	if p.tok.kind != newline {
		p.invalid()
	}
	p.next()
	if p.tok.kind != indent {
		if p.tok.kind == errorToken {
			p.invalid()
		}
		panic(&Error{
			Type: "IndentationError", start: p.tok.start, end: p.tok.end,
			Message: "expected an indented block after 'match' statement on line " + itoa(p.lexer.line(int(t.start))),
		})
	}
	p.next()
	for p.tok.kind == name && p.text(p.tok) == "case" {
		n.Cases = append(n.Cases, p.matchCase())
	}
	if len(n.Cases) == 0 || p.tok.kind != dedent && p.tok.kind != endMarker {
		p.invalid()
	}
	if p.tok.kind == dedent {
		p.next()
	}
	n.Span = p.span(t.start)
	return n
}

func (p *parser) matchCase() *Case {
	t := p.tok
	p.next()
	c := &Case{Pattern: p.patterns()}
	if p.acceptKw(kwIf) {
		c.Guard = p.namedExpression()
	}
	p.colon(false)
	c.Body = p.block("'case' statement", t)
	return c
}

// patterns parses the pattern of a case, an open sequence among them.
func (p *parser) patterns() Pattern {
	t := p.tok
	x := p.maybeStarPattern()
	if _, star := x.(*MatchStar); !star && !p.isOp(',') {
		return x
	}
	list := []Pattern{x}
	for p.acceptOp(',') {
		if p.isOp(':') || p.isKw(kwIf) {
			break
		}
		list = append(list, p.maybeStarPattern())
	}
	return &MatchSequence{p.span(t.start), list}
}

func (p *parser) maybeStarPattern() Pattern {
	t := p.tok
	if !p.acceptOp('*') {
		return p.asPattern()
	}
	n := p.capture()
	return &MatchStar{p.span(t.start), n}
}

// capture takes a name to bind, "" for the wildcard.
func (p *parser) capture() string {
	n := p.name()
	if n == "_" {
		return ""
	}
	return n
}

func (p *parser) asPattern() Pattern {
	p.enter()
	defer p.leave()
	t := p.tok
	x := p.closedPattern()
	if p.isOp('|') {
		list := []Pattern{x}
		for p.acceptOp('|') {
			p.chain(len(list))
			list = append(list, p.closedPattern())
		}
		x = &MatchOr{p.span(t.start), list}
	}
	if !p.acceptKw(kwAs) {
		return x
	}
	at := p.tok
	switch {
	case at.kind == name && p.text(at) == "_":
		p.failAt(at, "cannot use '_' as a target")
	case at.kind != name || p.peek(1).isOp('.') || p.peek(1).isOp('('):
		if startsExpression(at) {
			if ok, _ := p.try(func() { p.expression() }); ok {
				p.failAt(at, "invalid pattern target")
			}
		}
		p.invalid()
	}
	n := p.name()
	return &MatchAs{p.span(t.start), x, n}
}

func (p *parser) closedPattern() Pattern {
	t := p.tok
	switch t.kind {
	case number, stringToken, fstringStart:
		e := p.patternLiteral()
		return &MatchValue{p.span(t.start), e}
	case keyword:
		switch t.code {
		case kwNone:
			p.next()
			return &MatchSingleton{p.span(t.start), NoneValue{}}
		case kwTrue, kwFalse:
			p.next()
			return &MatchSingleton{p.span(t.start), t.code == kwTrue}
		}
	case operator:
		switch t.code {
		case '-':
			e := p.patternLiteral()
			return &MatchValue{p.span(t.start), e}
		case '(', '[':
			return p.sequencePattern(t)
		case '{':
			return p.mappingPattern(t)
		}
	case name:
		if next := p.peek(1); !next.isOp('.') && !next.isOp('(') && !next.isOp('=') {
			n := p.capture()
			return &MatchAs{p.span(t.start), nil, n}
		}
		return p.valueOrClassPattern(t)
	}
	p.invalid()
	return nil
}

// patternLiteral parses a number with a sign, a complex number, or strings.
func (p *parser) patternLiteral() Expr {
	t := p.tok
	if t.kind == stringToken || t.kind == fstringStart {
		e := p.strings()
		if _, ok := e.(*JoinedStr); ok {
			p.failNode(e, "patterns may only match literals and attribute lookups")
		}
		return e
	}
	e := p.signedNumber()
	if !p.isOp('+') && !p.isOp('-') {
		return e
	}
	op := p.text(p.tok)
	p.next()
	if p.tok.kind != number {
		p.invalid()
	}
	right := p.atom()
	if c := right.(*Constant); !isComplex(c) {
		p.failNode(c, "imaginary number required in complex literal")
	}
	return &BinOp{p.span(t.start), e, op, right}
}

func isComplex(c *Constant) bool { _, ok := c.Value.(complex128); return ok }

func (p *parser) signedNumber() Expr {
	t := p.tok
	minus := p.acceptOp('-')
	if p.tok.kind != number {
		p.invalid()
	}
	e := p.atom()
	if minus {
		return &UnaryOp{p.span(t.start), "-", e}
	}
	return e
}

func (p *parser) sequencePattern(t token) Pattern {
	closing := closes(p.source[t.start])
	p.next()
	var list []Pattern
	comma := false
	for !p.isOp(closing) {
		list = append(list, p.maybeStarPattern())
		if comma = p.acceptOp(','); !comma {
			break
		}
	}
	p.expectOp(closing)
	if t.code == '(' && len(list) == 1 && !comma {
		if _, star := list[0].(*MatchStar); !star {
			return list[0]
		}
		p.invalid()
	}
	return &MatchSequence{p.span(t.start), list}
}

func (p *parser) mappingPattern(t token) Pattern {
	p.next()
	m := &MatchMapping{}
	for !p.isOp('}') {
		if p.acceptOp(opPow) {
			m.Rest = p.name()
			p.acceptOp(',')
			break
		}
		var key Expr
		switch {
		case p.tok.kind == name:
			key = p.dottedValue()
		case p.tok.kind == keyword:
			key = p.atom()
		default:
			key = p.patternLiteral()
		}
		p.expectOp(':')
		m.Keys = append(m.Keys, key)
		m.Patterns = append(m.Patterns, p.asPattern())
		if !p.acceptOp(',') {
			break
		}
	}
	p.expectOp('}')
	m.Span = p.span(t.start)
	return m
}

// dottedValue parses a.b.c, at least one dot.
func (p *parser) dottedValue() Expr {
	t := p.tok
	var e Expr = &Name{Span{t.start, t.end}, p.name()}
	if !p.isOp('.') {
		p.invalid()
	}
	for n := 0; p.acceptOp('.'); n++ {
		p.chain(n)
		attr := p.name()
		e = &Attribute{p.span(t.start), e, attr}
	}
	return e
}

func (p *parser) valueOrClassPattern(t token) Pattern {
	var e Expr = &Name{Span{t.start, t.end}, p.name()}
	for n := 0; p.acceptOp('.'); n++ {
		p.chain(n)
		attr := p.name()
		e = &Attribute{p.span(t.start), e, attr}
	}
	if !p.isOp('(') {
		if _, plain := e.(*Name); plain {
			p.invalid()
		}
		return &MatchValue{p.span(t.start), e}
	}
	p.next()
	c := &MatchClass{Class: e}
	for !p.isOp(')') {
		if p.tok.kind == name && p.peek(1).isOp('=') {
			c.KeywordNames = append(c.KeywordNames, p.name())
			p.next()
			c.KeywordPatterns = append(c.KeywordPatterns, p.asPattern())
		} else {
			p.positionalPattern(c)
		}
		if !p.acceptOp(',') {
			break
		}
	}
	p.expectOp(')')
	c.Span = p.span(t.start)
	return c
}

// positionalPattern adds a positional pattern, which may not follow a keyword.
func (p *parser) positionalPattern(c *MatchClass) {
	x := p.asPattern()
	if len(c.KeywordNames) > 0 {
		first, last := x, x
		for p.isOp(',') && !p.peek(1).isOp(')') && !p.peek(2).isOp('=') {
			p.next()
			last = p.asPattern()
		}
		p.fail(first.span().Start, last.span().End, "positional patterns follow keyword patterns")
	}
	c.Patterns = append(c.Patterns, x)
}
