package syntax

func (p *parser) importNames(t token) Stmt {
	p.next()
	n := &Import{}
	for {
		at := p.tok
		a := &Alias{Name: p.dotted()}
		if p.acceptKw(kwAs) {
			a.As = p.name()
		}
		a.Span = p.span(at.start)
		n.Names = append(n.Names, a)
		if !p.acceptOp(',') {
			break
		}
	}
	if p.isKw(kwFrom) {
		if ok, _ := p.try(func() { p.next(); p.dotted() }); ok {
			p.failAt(t, "Did you mean to use 'from ... import ...' instead?")
		}
	}
	n.Span = p.span(t.start)
	return n
}

func (p *parser) dotted() string {
	s := p.name()
	for p.acceptOp('.') {
		s += "." + p.name()
	}
	return s
}

func (p *parser) importFrom(t token) Stmt {
	p.next()
	n := &ImportFrom{}
	for p.isOp('.') || p.isOp(opEllipsis) {
		n.Level += int(p.tok.end - p.tok.start)
		p.next()
	}
	if n.Level == 0 || !p.isKw(kwImport) {
		n.Module = p.dotted()
	}
	p.expectKw(kwImport)
	switch {
	case p.isOp('*'):
		n.Names = []*Alias{{Span: Span{p.tok.start, p.tok.end}, Name: "*"}}
		p.next()
	case p.acceptOp('('):
		n.Names = p.importTargets(true)
		p.expectOp(')')
	default:
		n.Names = p.importTargets(false)
	}
	n.Span = p.span(t.start)
	return n
}

func (p *parser) importTargets(parens bool) []*Alias {
	var list []*Alias
	for {
		at := p.tok
		a := &Alias{Name: p.name()}
		if p.acceptKw(kwAs) {
			a.As = p.name()
		}
		a.Span = p.span(at.start)
		list = append(list, a)
		if !p.acceptOp(',') || parens && p.isOp(')') {
			return list
		}
		if !parens && p.tok.kind == newline {
			p.failAt(p.tok, "trailing comma not allowed without surrounding parentheses")
		}
	}
}
