package syntax

func (p *parser) functionDef(t token, decorators []Expr, async bool) Stmt {
	at := p.tok
	p.next()
	n := &FunctionDef{Decorators: decorators, Async: async, NameAt: Span{p.tok.start, p.tok.end}}
	n.Name = p.name()
	n.TypeParams = p.typeParams()
	if !p.acceptOp('(') {
		if p.tok.kind == errorToken {
			p.invalid()
		}
		p.failAt(p.tok, "expected '('")
	}
	n.Args = p.parameters(')')
	p.expectOp(')')
	if p.acceptOp(opArrow) {
		n.Returns = p.expression()
	}
	p.colon(true)
	n.Body = p.block("function definition", at)
	n.Span = p.span(t.start)
	return n
}

func (p *parser) classDef(t token, decorators []Expr) Stmt {
	at := p.tok
	p.next()
	n := &ClassDef{Decorators: decorators, NameAt: Span{p.tok.start, p.tok.end}}
	n.Name = p.name()
	n.TypeParams = p.typeParams()
	if p.acceptOp('(') {
		n.Bases, n.Keywords = p.arguments(at)
		p.expectOp(')')
	}
	p.colon(false)
	n.Body = p.block("class definition", at)
	n.Span = p.span(t.start)
	return n
}

// typeParams parses the parameters of PEP 695, if there are any.
func (p *parser) typeParams() []*TypeParam {
	if !p.acceptOp('[') {
		return nil
	}
	var list []*TypeParam
	for {
		t := p.tok
		n := &TypeParam{}
		switch {
		case p.acceptOp('*'):
			n.Star = "*"
		case p.acceptOp(opPow):
			n.Star = "**"
		}
		n.Name = p.name()
		if n.Star == "" && p.acceptOp(':') {
			n.Bound = p.expression()
		}
		n.Span = p.span(t.start)
		list = append(list, n)
		if !p.acceptOp(',') || p.isOp(']') {
			break
		}
	}
	p.expectOp(']')
	return list
}

// parameterList collects the parameters of a function or lambda.
type parameterList struct {
	p        *parser
	closing  uint8 // ')' for a function, ':' for a lambda
	args     *Arguments
	keywords bool // a star has been seen
	slash    bool
	defaults bool
}

// parameters parses parameters up to their closing token.
func (p *parser) parameters(closing uint8) *Arguments {
	l := &parameterList{p: p, closing: closing, args: &Arguments{}}
	for !p.isOp(closing) {
		switch {
		case p.isOp('/'):
			l.positionalOnly()
		case p.isOp('*'):
			l.star()
		case p.isOp(opPow):
			l.doubleStar()
			return l.args
		default:
			l.parameter()
		}
		if !p.acceptOp(',') {
			break
		}
	}
	return l.args
}

func (l *parameterList) positionalOnly() {
	p := l.p
	switch {
	case l.keywords && !l.slash:
		p.failAt(p.tok, "/ must be ahead of *")
	case l.slash:
		p.failAt(p.tok, "/ may appear only once")
	case len(l.args.Args) == 0:
		p.failAt(p.tok, "at least one argument must precede /")
	}
	p.next()
	if p.isOp('*') {
		p.failAt(p.tok, "expected comma between / and *")
	}
	l.slash = true
	l.args.PosOnly, l.args.Args = l.args.Args, nil
}

func (l *parameterList) star() {
	p := l.p
	star := p.tok
	if l.keywords {
		p.failAt(star, "* argument may appear only once")
	}
	l.keywords = true
	p.next()
	switch {
	case p.isOp(','):
		if after := p.peek(1); after.isOp(l.closing) || after.isOp(opPow) {
			l.bareStar(star)
		}
	case p.isOp(l.closing):
		l.bareStar(star)
	default:
		l.args.Vararg = l.arg(true)
		if p.isOp('=') {
			p.failAt(p.tok, "var-positional argument cannot have default value")
		}
	}
}

func (l *parameterList) bareStar(star token) {
	if l.closing == ':' {
		star = l.p.tok
	}
	l.p.failAt(star, "named arguments must follow bare *")
}

func (l *parameterList) doubleStar() {
	p := l.p
	p.next()
	l.args.Kwarg = l.arg(false)
	if p.isOp('=') {
		p.failAt(p.tok, "var-keyword argument cannot have default value")
	}
	if !p.acceptOp(',') || p.isOp(l.closing) {
		return
	}
	if p.tok.kind == name || p.isOp('*') || p.isOp(opPow) || p.isOp('/') {
		p.failAt(p.tok, "arguments cannot follow var-keyword argument")
	}
	p.invalid()
}

func (l *parameterList) parameter() {
	p := l.p
	if p.isOp('(') {
		l.parenthesised()
	}
	at := p.tok
	a := l.arg(false)
	var def Expr
	if p.isOp('=') {
		eq := p.tok
		p.next()
		if p.isOp(',') || p.isOp(l.closing) {
			p.failAt(eq, "expected default value expression")
		}
		def = p.expression()
	}
	if l.keywords {
		l.args.KwOnly = append(l.args.KwOnly, a)
		l.args.KwDefaults = append(l.args.KwDefaults, def)
		return
	}
	l.args.Args = append(l.args.Args, a)
	switch {
	case def != nil:
		l.defaults = true
		l.args.Defaults = append(l.args.Defaults, def)
	case l.defaults:
		p.failAt(at, "parameter without a default follows parameter with a default")
	}
}

// parenthesised tells of Python 2's tuple parameters.
func (l *parameterList) parenthesised() {
	p := l.p
	open := p.tok
	var end int32
	ok, _ := p.try(func() {
		p.next()
		for {
			p.name()
			if !p.acceptOp(',') || p.isOp(')') {
				break
			}
		}
		end = p.tok.end
		p.expectOp(')')
	})
	if !ok {
		p.invalid()
	}
	what := "Function"
	if l.closing == ':' {
		what = "Lambda expression"
	}
	p.fail(open.start, end, "%s parameters cannot be parenthesized", what)
}

// arg parses a parameter's name and annotation.
func (l *parameterList) arg(star bool) *Arg {
	p := l.p
	t := p.tok
	a := &Arg{Name: p.name()}
	if l.closing == ')' && p.acceptOp(':') {
		if star && p.isOp('*') {
			a.Annotation = p.starExpression()
		} else {
			a.Annotation = p.expression()
		}
	}
	a.Span = p.span(t.start)
	return a
}
