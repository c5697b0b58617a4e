package syntax

// argumentList collects the arguments of a call or the bases of a class.
type argumentList struct {
	p        *parser
	args     []Expr
	keywords []*Keyword
	named    bool // a name=value has been seen
	unpacked bool // a **mapping has been seen
}

// arguments parses the arguments of a call; open is its parenthesis.
func (p *parser) arguments(open token) ([]Expr, []*Keyword) {
	l := &argumentList{p: p}
	for !p.isOp(')') {
		switch {
		case p.isOp('*'):
			l.star()
		case p.isOp(opPow):
			l.doubleStar()
		case p.tok.kind == name && p.peek(1).isOp('='):
			l.keyword()
		default:
			if l.positional(open) {
				return l.args, l.keywords
			}
		}
		if !p.acceptOp(',') {
			break
		}
	}
	return l.args, l.keywords
}

func (l *argumentList) star() {
	p := l.p
	t := p.tok
	if l.unpacked {
		p.failAt(t, "iterable argument unpacking follows keyword argument unpacking")
	}
	p.next()
	if p.isOp(')') || p.isOp(',') {
		p.failAt(t, "Invalid star expression")
	}
	v := p.expression()
	if p.isOp('=') {
		p.fail(t.start, p.tok.start, "cannot assign to iterable argument unpacking")
	}
	l.args = append(l.args, &Starred{p.span(t.start), v})
}

func (l *argumentList) doubleStar() {
	p := l.p
	t := p.tok
	p.next()
	v := p.expression()
	if p.isOp('=') {
		p.fail(t.start, p.tok.start, "cannot assign to keyword argument unpacking")
	}
	l.unpacked = true
	l.keywords = append(l.keywords, &Keyword{Span: p.span(t.start), Value: v})
}

func (l *argumentList) keyword() {
	p := l.p
	t := p.tok
	word := p.name()
	p.next()
	if p.isOp(',') || p.isOp(')') {
		p.fail(t.start, p.tok.start, "expected argument value expression")
	}
	v := p.expression()
	if p.isComprehension() {
		p.fail(t.start, p.peek(0).end, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?")
	}
	l.named = true
	l.keywords = append(l.keywords, &Keyword{p.span(t.start), word, v})
}

// positional parses a positional argument, and reports whether it was a
// generator that fills the call alone.
func (l *argumentList) positional(open token) (alone bool) {
	p := l.p
	t := p.tok
	e := p.callArgument()
	if p.isComprehension() {
		gens := p.comprehension(e)
		end := p.end()
		if p.isOp(')') && len(l.args)+len(l.keywords) == 0 {
			// The generator's place includes the parentheses of the call.
			l.args = []Expr{&GeneratorExp{Span{open.start, p.tok.end}, e, gens}}
			return true
		}
		p.fail(t.start, end, "Generator expression must be parenthesized")
	}
	if p.isOp('=') {
		l.badKeyword(e)
	}
	if l.unpacked || l.named {
		text := "positional argument follows keyword argument"
		if l.unpacked {
			text += " unpacking"
		}
		if p.isOp(',') || p.isOp(')') {
			at := p.tokens[p.i-1]
			if p.isOp(')') {
				at = p.tok
			}
			p.fail(at.start, at.end, "%s", text)
		}
		p.invalid()
	}
	l.args = append(l.args, e)
	return false
}

// callArgument parses a positional argument: unlike elsewhere an equals sign
// behind it is a keyword's, not a comparison's.
func (p *parser) callArgument() Expr {
	t := p.tok
	if t.kind == name && p.peek(1).isOp(opWalrus) {
		return p.namedExpression()
	}
	e := p.expression()
	if p.isOp(opWalrus) {
		p.failNode(e, "cannot use assignment expressions with %s", expressionName(e))
	}
	return e
}

// badKeyword tells of `x=` where x is no name. The place begins with the last
// operand, which is where CPython's parser looks.
func (l *argumentList) badKeyword(e Expr) {
	p := l.p
	if c, ok := e.(*Constant); ok {
		switch c.Value.(type) {
		case bool, NoneValue:
			p.fail(c.Start, p.tok.end, "cannot assign to %s", expressionName(e))
		}
	}
	p.fail(e.span().Start, p.tok.end, "expression cannot contain assignment, perhaps you meant \"==\"?")
}
