package syntax

import "strconv"

func itoa(n int) string { return strconv.Itoa(n) }

// simpleLine parses the simple statements of one line onto list.
func (p *parser) simpleLine(list []Stmt) []Stmt {
	for {
		s := p.simple()
		list = append(list, s)
		switch {
		case p.acceptOp(';'):
			if p.tok.kind == newline {
				p.next()
				return list
			}
		case p.tok.kind == newline:
			p.next()
			return list
		case p.tok.kind == endMarker:
			return list
		default:
			p.leftOver(s)
		}
	}
}

// leftOver tells of text behind a complete statement.
func (p *parser) leftOver(s Stmt) {
	if p.tok.kind == errorToken {
		p.invalid()
	}
	if e, ok := s.(*ExprStmt); ok {
		p.legacyCall(e.Value)
	}
	p.invalid()
}

// legacyCall tells of `print x` and `exec x`.
func (p *parser) legacyCall(e Expr) {
	n, ok := e.(*Name)
	if !ok || n.ID != "print" && n.ID != "exec" {
		return
	}
	var last Expr
	if ok, _ := p.try(func() { last = p.starExpressions() }); ok {
		p.fail(n.Start, last.span().End, "Missing parentheses in call to '%s'. Did you mean %s(...)?", n.ID, n.ID)
	}
}

func (p *parser) statementEnd() bool {
	return p.tok.kind == newline || p.tok.kind == endMarker || p.isOp(';')
}

func (p *parser) simple() Stmt {
	t := p.tok
	if t.kind == keyword {
		if s := p.simpleKeyword(t); s != nil {
			return s
		}
	}
	if t.kind == name && p.text(t) == "type" && p.peek(1).kind == name && (p.peek(2).isOp('=') || p.peek(2).isOp('[')) {
		return p.typeAlias(t)
	}
	return p.assignment()
}

// simpleKeyword parses the statement that a keyword begins, nil if it begins an
// expression.
func (p *parser) simpleKeyword(t token) Stmt {
	switch t.code {
	case kwPass:
		p.next()
		return &Pass{p.span(t.start)}
	case kwBreak:
		p.next()
		return &Break{p.span(t.start)}
	case kwContinue:
		p.next()
		return &Continue{p.span(t.start)}
	case kwReturn:
		p.next()
		n := &Return{}
		if !p.statementEnd() {
			n.Value = p.starExpressions()
		}
		n.Span = p.span(t.start)
		return n
	case kwRaise:
		p.next()
		n := &Raise{}
		if !p.statementEnd() {
			n.Exc = p.expression()
			if p.acceptKw(kwFrom) {
				n.Cause = p.expression()
			}
		}
		n.Span = p.span(t.start)
		return n
	case kwGlobal, kwNonlocal:
		p.next()
		names := []string{p.name()}
		for p.acceptOp(',') {
			names = append(names, p.name())
		}
		if t.code == kwGlobal {
			return &Global{p.span(t.start), names}
		}
		return &Nonlocal{p.span(t.start), names}
	case kwDel:
		return p.delete(t)
	case kwAssert:
		p.next()
		n := &Assert{Test: p.expression()}
		if p.acceptOp(',') {
			n.Message = p.expression()
		}
		n.Span = p.span(t.start)
		return n
	case kwImport:
		return p.importNames(t)
	case kwFrom:
		return p.importFrom(t)
	}
	return nil
}

func (p *parser) delete(t token) Stmt {
	p.next()
	n := &Delete{}
	for {
		x := p.starTarget()
		p.checkTarget(x, "delete")
		n.Targets = append(n.Targets, x)
		if !p.acceptOp(',') || p.statementEnd() {
			break
		}
	}
	if !p.statementEnd() {
		// An operator behind the target makes it an expression, which cannot be
		// deleted.
		first := n.Targets[len(n.Targets)-1]
		p.i = p.indexAt(first.span().Start)
		p.tok = p.tokens[p.i]
		if x := p.starExpression(); p.statementEnd() || p.isOp(',') {
			p.checkTarget(x, "delete")
		}
		p.invalid()
	}
	n.Span = p.span(t.start)
	return n
}

// indexAt gives the index of the token that begins at an offset, going back
// from the current one.
func (p *parser) indexAt(start int32) int {
	k := p.i
	for k > 0 && p.tokens[k].start > start {
		k--
	}
	return k
}

func (p *parser) typeAlias(t token) Stmt {
	p.next()
	at := Span{p.tok.start, p.tok.end}
	n := &TypeAlias{Name: &Name{at, p.name()}}
	n.TypeParams = p.typeParams()
	p.expectOp('=')
	n.Value = p.expression()
	n.Span = p.span(t.start)
	return n
}

// assignment parses an assignment of any kind, or an expression statement.
func (p *parser) assignment() Stmt {
	t := p.tok
	e := p.yieldOrStar()
	switch {
	case p.isOp('='):
		return p.plainAssignment(t, e)
	case p.isOp(opAugmented):
		return p.augmentedAssignment(t, e)
	case p.isOp(':'):
		return p.annotated(t, e)
	}
	return &ExprStmt{p.span(t.start), e}
}

func (p *parser) yieldOrStar() Expr {
	if p.isKw(kwYield) {
		return p.yield()
	}
	return p.starExpressions()
}

func (p *parser) plainAssignment(t token, e Expr) Stmt {
	n := &Assign{}
	for p.isOp('=') {
		if !isTarget(e) {
			p.badAssignment(e, len(n.Targets) == 0)
		}
		n.Targets = append(n.Targets, e)
		p.next()
		e = p.yieldOrStar()
	}
	n.Value = e
	n.Span = p.span(t.start)
	return n
}

func (p *parser) augmentedAssignment(t token, e Expr) Stmt {
	switch e.(type) {
	case *Name, *Attribute, *Subscript:
	default:
		p.failNode(e, "'%s' is an illegal expression for augmented assignment", expressionName(e))
	}
	op := p.text(p.tok)
	p.next()
	v := p.yieldOrStar()
	return &AugAssign{p.span(t.start), e, op[:len(op)-1], v}
}

func (p *parser) annotated(t token, e Expr) Stmt {
	n := &AnnAssign{Target: e}
	switch x := e.(type) {
	case *Name:
		n.Simple = t.kind == name
	case *Attribute, *Subscript:
	default:
		p.badAnnotation(x)
	}
	p.next()
	n.Annotation = p.expression()
	if p.acceptOp('=') {
		n.Value = p.yieldOrStar()
	}
	n.Span = p.span(t.start)
	return n
}

// badAnnotation tells of an annotation on what cannot have one, if an expression
// follows the colon.
func (p *parser) badAnnotation(e Expr) {
	if ok, _ := p.try(func() { p.next(); p.expression() }); !ok {
		p.invalid()
	}
	switch e.(type) {
	case *List:
		p.failNode(e, "only single target (not list) can be annotated")
	case *Tuple:
		p.failNode(e, "only single target (not tuple) can be annotated")
	}
	p.failNode(e, "illegal target for annotation")
}
