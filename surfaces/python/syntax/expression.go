package syntax

// startsExpression reports whether a token can begin an expression.
func startsExpression(t token) bool {
	switch t.kind {
	case name, number, stringToken, fstringStart:
		return true
	case keyword:
		switch t.code {
		case kwNone, kwTrue, kwFalse, kwNot, kwLambda, kwAwait:
			return true
		}
	case operator:
		switch t.code {
		case '(', '[', '{', '-', '+', '~', opEllipsis:
			return true
		}
	}
	return false
}

// tuple parses an expression, or several with commas between as a tuple.
func (p *parser) tuple(element func() Expr) Expr {
	t := p.tok
	e := element()
	if !p.isOp(',') {
		return e
	}
	elts := []Expr{e}
	for p.acceptOp(',') {
		if !startsExpression(p.tok) && !p.isOp('*') {
			break
		}
		elts = append(elts, element())
	}
	return &Tuple{p.span(t.start), elts}
}

func (p *parser) starExpressions() Expr      { return p.tuple(p.starExpression) }
func (p *parser) starNamedExpressions() Expr { return p.tuple(p.starNamedExpression) }

func (p *parser) starExpression() Expr {
	if p.isOp('*') {
		return p.starred()
	}
	return p.expression()
}

func (p *parser) starNamedExpression() Expr {
	if p.isOp('*') {
		return p.starred()
	}
	return p.namedExpression()
}

func (p *parser) starred() Expr {
	t := p.tok
	p.next()
	v := p.bitwise()
	return &Starred{p.span(t.start), v}
}

// namedExpression parses an expression that may be named with a walrus.
func (p *parser) namedExpression() Expr {
	t := p.tok
	if t.kind == name && p.peek(1).isOp(opWalrus) {
		target := &Name{Span{t.start, t.end}, p.name()}
		p.next()
		v := p.expression()
		return &NamedExpr{p.span(t.start), target, v}
	}
	e := p.expression()
	switch {
	case p.isOp(opWalrus):
		if ok, _ := p.try(func() { p.next(); p.expression() }); ok {
			p.failNode(e, "cannot use assignment expressions with %s", expressionName(e))
		}
	case p.isOp('='):
		p.suspectComparison(e)
	}
	return e
}

// expression parses a conditional expression, a disjunction or a lambda.
func (p *parser) expression() Expr {
	p.enter()
	defer p.leave()
	if p.isKw(kwLambda) {
		return p.lambda()
	}
	t := p.tok
	e := p.disjunction()
	if p.isKw(kwIf) {
		return p.conditional(t, e)
	}
	p.missingComma(t, e)
	return e
}

func (p *parser) conditional(t token, body Expr) Expr {
	p.next()
	test := p.disjunction()
	if !p.isKw(kwElse) {
		if !p.isOp(':') && p.tok.kind != errorToken {
			p.fail(t.start, test.span().End, "expected 'else' after 'if' expression")
		}
		p.invalid()
	}
	p.next()
	orElse := p.expression()
	return &IfExp{p.span(t.start), test, body, orElse}
}

// missingComma tells of two expressions side by side inside brackets.
func (p *parser) missingComma(t token, e Expr) {
	if !startsExpression(p.tok) || p.isOp('(') || p.isOp('[') || p.isOp('-') || p.isOp('+') || !p.inBrackets() {
		return
	}
	if t.kind == name && (p.tokens[p.indexAt(t.start)+1].kind == stringToken || isSoftKeyword(p.text(t))) {
		return
	}
	if n, ok := e.(*Name); ok && (n.ID == "print" || n.ID == "exec") {
		return
	}
	if next := p.operand(); next != nil {
		p.fail(t.start, next.span().End, "invalid syntax. Perhaps you forgot a comma?")
	}
}

// operand parses as much of an expression as there is: what follows an operator
// that lacks its operand does not matter.
func (p *parser) operand() Expr {
	var whole Expr
	ok, _ := p.try(func() {
		if p.isKw(kwLambda) {
			whole = p.lambda()
			return
		}
		whole = p.disjunction()
	})
	if ok {
		return whole
	}
	p.try(func() { whole = p.primary() })
	return whole
}

func isSoftKeyword(word string) bool {
	return word == "match" || word == "case" || word == "_" || word == "type"
}

func (p *parser) lambda() Expr {
	p.enter()
	defer p.leave()
	t := p.tok
	p.next()
	args := p.parameters(':')
	p.expectOp(':')
	body := p.expression()
	return &Lambda{p.span(t.start), args, body}
}

func (p *parser) disjunction() Expr { return p.boolean(kwOr, "or", p.conjunction) }
func (p *parser) conjunction() Expr { return p.boolean(kwAnd, "and", p.inversion) }

func (p *parser) boolean(code uint8, op string, operand func() Expr) Expr {
	t := p.tok
	e := operand()
	if !p.isKw(code) {
		return e
	}
	values := []Expr{e}
	for p.acceptKw(code) {
		p.chain(len(values))
		values = append(values, operand())
	}
	return &BoolOp{p.span(t.start), op, values}
}

func (p *parser) inversion() Expr {
	if !p.isKw(kwNot) {
		return p.comparison()
	}
	p.enter()
	defer p.leave()
	t := p.tok
	p.next()
	x := p.inversion()
	return &UnaryOp{p.span(t.start), "not", x}
}

func (p *parser) comparison() Expr {
	t := p.tok
	e := p.bitwise()
	op, width := p.comparisonOperator()
	if width == 0 {
		return e
	}
	n := &Compare{Left: e}
	for ; width > 0; op, width = p.comparisonOperator() {
		p.chain(len(n.Ops))
		for range width {
			p.next()
		}
		n.Ops = append(n.Ops, op)
		n.Comparators = append(n.Comparators, p.bitwise())
	}
	n.Span = p.span(t.start)
	return n
}

// comparisonOperator names the comparison at hand and its number of tokens, 0
// if there is none.
func (p *parser) comparisonOperator() (op string, width int) {
	switch p.tok.kind {
	case operator:
		switch p.tok.code {
		case '<', '>', opEq, opLe, opGe:
			return p.text(p.tok), 1
		case opNe:
			if p.text(p.tok) == "<>" {
				p.invalid()
			}
			return "!=", 1
		}
	case keyword:
		switch p.tok.code {
		case kwIn:
			return "in", 1
		case kwIs:
			if p.peek(1).isKw(kwNot) {
				return "is not", 2
			}
			return "is", 1
		case kwNot:
			if p.peek(1).isKw(kwIn) {
				return "not in", 2
			}
		}
	}
	return "", 0
}

// binaryLevel gives how tightly a binary operator binds, 0 for any other token.
func binaryLevel(t token) int {
	if t.kind != operator {
		return 0
	}
	switch t.code {
	case '|':
		return 1
	case '^':
		return 2
	case '&':
		return 3
	case opShl, opShr:
		return 4
	case '+', '-':
		return 5
	case '*', '/', '%', '@', opFloorDiv:
		return 6
	}
	return 0
}

func (p *parser) bitwise() Expr { return p.binary(1) }

func (p *parser) binary(level int) Expr {
	t := p.tok
	e := p.factor()
	for n := 1; ; n++ {
		l := binaryLevel(p.tok)
		if l < level || l == 0 {
			return e
		}
		p.chain(n)
		op := p.text(p.tok)
		p.next()
		right := p.binary(l + 1)
		e = &BinOp{p.span(t.start), e, op, right}
	}
}

func (p *parser) factor() Expr {
	if !p.isOp('-') && !p.isOp('+') && !p.isOp('~') {
		return p.power()
	}
	p.enter()
	defer p.leave()
	t := p.tok
	p.next()
	x := p.factor()
	return &UnaryOp{p.span(t.start), string(rune(t.code)), x}
}

func (p *parser) power() Expr {
	t := p.tok
	e := p.awaited()
	if !p.isOp(opPow) {
		return e
	}
	p.enter()
	defer p.leave()
	p.next()
	right := p.factor()
	return &BinOp{p.span(t.start), e, "**", right}
}

func (p *parser) awaited() Expr {
	if !p.isKw(kwAwait) {
		return p.primary()
	}
	t := p.tok
	p.next()
	v := p.primary()
	return &Await{p.span(t.start), v}
}

// primary parses an atom with its attributes, subscripts and calls.
func (p *parser) primary() Expr {
	t := p.tok
	e := p.atom()
	for n := 0; ; n++ {
		p.chain(n)
		switch {
		case p.acceptOp('.'):
			attr := p.name()
			e = &Attribute{p.span(t.start), e, attr}
		case p.isOp('('):
			open := p.tok
			p.next()
			args, keywords := p.arguments(open)
			p.expectOp(')')
			e = &Call{p.span(t.start), e, args, keywords}
		case p.acceptOp('['):
			index := p.slices()
			p.expectOp(']')
			e = &Subscript{p.span(t.start), e, index}
		default:
			return e
		}
	}
}

// slices parses what stands between the brackets of a subscript.
func (p *parser) slices() Expr {
	t := p.tok
	e := p.slice()
	if _, star := e.(*Starred); !star && !p.isOp(',') {
		return e
	}
	elts := []Expr{e}
	for p.acceptOp(',') {
		if p.isOp(']') {
			break
		}
		elts = append(elts, p.slice())
	}
	return &Tuple{p.span(t.start), elts}
}

func (p *parser) slice() Expr {
	t := p.tok
	if p.isOp('*') {
		return p.starred()
	}
	var lower Expr
	if !p.isOp(':') {
		lower = p.namedExpression()
		if !p.isOp(':') {
			return lower
		}
	}
	p.next()
	n := &Slice{Lower: lower}
	if !p.isOp(':') && !p.isOp(']') && !p.isOp(',') {
		n.Upper = p.expression()
	}
	if p.acceptOp(':') && !p.isOp(']') && !p.isOp(',') {
		n.Step = p.expression()
	}
	n.Span = p.span(t.start)
	return n
}

func (p *parser) yield() Expr {
	t := p.tok
	p.next()
	if p.acceptKw(kwFrom) {
		v := p.expression()
		return &YieldFrom{p.span(t.start), v}
	}
	n := &Yield{}
	if startsExpression(p.tok) || p.isOp('*') {
		n.Value = p.starExpressions()
	}
	n.Span = p.span(t.start)
	return n
}
