package syntax

// statement parses one statement, or a line of them, onto list.
func (p *parser) statement(list []Stmt) []Stmt {
	t := p.tok
	switch t.kind {
	case keyword:
		if s := p.compound(t); s != nil {
			return append(list, s)
		}
	case operator:
		if t.code == '@' {
			return append(list, p.decorated())
		}
	case name:
		if p.text(t) == "match" && p.isMatch() {
			return append(list, p.match())
		}
		if p.text(t) == "type" && p.peek(1).kind == name && (p.peek(2).isOp('=') || p.peek(2).isOp('[')) {
			return p.simpleLine(list)
		}
	case indent, dedent, errorToken:
		p.invalid()
	}
	return p.simpleLine(list)
}

// compound parses the statement that a keyword begins, nil if it begins none.
func (p *parser) compound(t token) Stmt {
	switch t.code {
	case kwIf:
		return p.ifStatement("'if' statement")
	case kwWhile:
		return p.whileStatement()
	case kwFor:
		return p.forStatement(t, false)
	case kwTry:
		return p.tryStatement()
	case kwWith:
		return p.withStatement(t, false)
	case kwDef:
		return p.functionDef(t, nil, false)
	case kwClass:
		return p.classDef(t, nil)
	case kwAsync:
		p.next()
		switch {
		case p.isKw(kwDef):
			return p.functionDef(t, nil, true)
		case p.isKw(kwFor):
			return p.forStatement(t, true)
		case p.isKw(kwWith):
			return p.withStatement(t, true)
		}
		p.invalid()
	}
	return nil
}

// decorated parses a definition with its decorators.
func (p *parser) decorated() Stmt {
	var decorators []Expr
	for p.acceptOp('@') {
		decorators = append(decorators, p.namedExpression())
		if p.tok.kind != newline {
			p.invalid()
		}
		p.next()
	}
	t := p.tok
	switch {
	case p.isKw(kwDef):
		return p.functionDef(t, decorators, false)
	case p.isKw(kwClass):
		return p.classDef(t, decorators)
	case p.acceptKw(kwAsync) && p.isKw(kwDef):
		return p.functionDef(t, decorators, true)
	}
	p.invalid()
	return nil
}

// colon takes the colon of a statement whose header ends here. CPython names a
// missing one at the end of the line, and where forced also elsewhere.
func (p *parser) colon(forced bool) {
	if p.acceptOp(':') {
		return
	}
	if p.tok.kind == newline || forced && p.tok.kind != errorToken {
		p.failAt(p.tok, "expected ':'")
	}
	p.invalid()
}

// block parses what follows the colon of a statement: an indented block, or
// simple statements on the same line.
func (p *parser) block(what string, at token) []Stmt {
	if p.tok.kind != newline {
		return p.simpleLine(nil)
	}
	p.next()
	if p.tok.kind != indent {
		if p.tok.kind == errorToken {
			p.invalid()
		}
		panic(&Error{
			Type: "IndentationError", start: p.tok.start, end: p.tok.end,
			Message: "expected an indented block after " + what + " on line " + itoa(p.lexer.line(int(at.start))),
		})
	}
	p.next()
	var body []Stmt
	for p.tok.kind != dedent && p.tok.kind != endMarker {
		if p.tok.kind == newline {
			p.next()
			continue
		}
		body = p.statement(body)
	}
	if p.tok.kind == dedent {
		p.next()
	}
	return body
}

func (p *parser) orElse() []Stmt {
	if !p.isKw(kwElse) {
		return nil
	}
	t := p.tok
	p.next()
	p.colon(true)
	return p.block("'else' statement", t)
}

func (p *parser) ifStatement(what string) Stmt {
	p.enter() // elif nests
	defer p.leave()
	t := p.tok
	p.next()
	test := p.namedExpression()
	p.colon(false)
	body := p.block(what, t)
	var orElse []Stmt
	if p.isKw(kwElif) {
		orElse = []Stmt{p.ifStatement("'elif' statement")}
	} else {
		orElse = p.orElse()
	}
	return &If{p.span(t.start), test, body, orElse}
}

func (p *parser) whileStatement() Stmt {
	t := p.tok
	p.next()
	test := p.namedExpression()
	p.colon(false)
	body := p.block("'while' statement", t)
	orElse := p.orElse()
	return &While{p.span(t.start), test, body, orElse}
}

func (p *parser) forStatement(t token, async bool) Stmt {
	at := p.tok
	p.next()
	target := p.forTarget()
	p.expectKw(kwIn)
	iter := p.starExpressions()
	p.colon(false)
	body := p.block("'for' statement", at)
	orElse := p.orElse()
	return &For{p.span(t.start), target, iter, body, orElse, async}
}

func (p *parser) tryStatement() Stmt {
	t := p.tok
	p.next()
	p.colon(true)
	n := &Try{Body: p.block("'try' statement", t)}
	for p.isKw(kwExcept) {
		p.handler(n)
	}
	if len(n.Handlers) > 0 {
		n.OrElse = p.orElse()
	}
	if p.isKw(kwFinally) {
		at := p.tok
		p.next()
		p.colon(true)
		n.Finally = p.block("'finally' statement", at)
	}
	if len(n.Handlers) == 0 && n.Finally == nil {
		if p.tok.kind == errorToken {
			p.invalid()
		}
		p.noHandler()
	}
	n.Span = p.span(t.start)
	return n
}

// noHandler tells of a try without handlers, where CPython does: at the token
// that follows, or at the end of the block where the program ends.
func (p *parser) noHandler() {
	at := p.tok
	if at.kind == dedent || at.kind == endMarker {
		for k := p.i - 1; k >= 0; k-- {
			if t := p.tokens[k]; t.kind == newline {
				at = t
				break
			}
		}
	}
	p.failAt(at, "expected 'except' or 'finally' block")
}

func (p *parser) handler(n *Try) {
	t := p.tok
	what := "'except' statement"
	p.next()
	star := p.acceptOp('*')
	if star {
		what = "'except*' statement"
	}
	if len(n.Handlers) > 0 && star != n.Star {
		p.failAt(t, "cannot have both 'except' and 'except*' on the same 'try'")
	}
	n.Star = star
	h := &ExceptHandler{}
	switch {
	case !p.isOp(':') && p.tok.kind != newline:
		h.Type = p.expression()
		if p.isOp(',') {
			p.manyTypes(h.Type)
		}
		if p.acceptKw(kwAs) {
			h.NameAt = Span{p.tok.start, p.tok.end}
			h.Name = p.name()
		}
	case star:
		p.failAt(p.tok, "expected one or more exception types")
	}
	p.colon(false)
	h.Body = p.block(what, t)
	h.Span = p.span(t.start)
	n.Handlers = append(n.Handlers, h)
}

// manyTypes tells of exception types without parentheses, if that is what
// follows.
func (p *parser) manyTypes(first Expr) {
	var last Expr
	ok, _ := p.try(func() {
		for p.acceptOp(',') {
			last = p.expression()
		}
		if p.acceptKw(kwAs) {
			p.name()
		}
		p.expectOp(':')
	})
	if !ok {
		p.invalid()
	}
	p.fail(first.span().Start, last.span().End, "multiple exception types must be parenthesized")
}

func (p *parser) withStatement(t token, async bool) Stmt {
	at := p.tok
	p.next()
	n := &With{Async: async}
	parens := p.isOp('(') && p.withParens()
	if parens {
		p.next()
	}
	for {
		n.Items = append(n.Items, p.withItem())
		if !p.acceptOp(',') || parens && p.isOp(')') {
			break
		}
	}
	if parens {
		p.expectOp(')')
	}
	p.colon(false)
	n.Body = p.block("'with' statement", at)
	n.Span = p.span(t.start)
	return n
}

func (p *parser) withItem() WithItem {
	item := WithItem{Context: p.expression()}
	if p.acceptKw(kwAs) {
		item.Target = p.starTarget()
		p.checkTarget(item.Target, "assign to")
		if !p.isOp(',') && !p.isOp(')') && !p.isOp(':') && p.tok.kind != newline {
			p.invalid()
		}
	}
	return item
}

// withParens reports whether the parenthesis at hand holds with items rather
// than being part of the first expression: it is followed by the colon and has
// an `as` or a comma of its own.
func (p *parser) withParens() bool {
	level := 0
	as, comma, other := false, false, false
	for k := p.i; k < len(p.tokens); k++ {
		switch t := p.tokens[k]; {
		case t.kind == newline && level == 0, t.kind == endMarker, t.kind == errorToken:
			return false
		case t.isOp('('), t.isOp('['), t.isOp('{'):
			level++
		case t.isOp(')'), t.isOp(']'), t.isOp('}'):
			level--
			if level == 0 {
				after := p.tokens[k+1]
				return as && (after.isOp(':') || after.kind == newline) || comma && !other && after.isOp(':')
			}
		case level == 1 && t.isKw(kwAs):
			as = true
		case level == 1 && t.isOp(','):
			comma = true
		case level == 1 && (t.isKw(kwFor) || t.isKw(kwYield) || t.isOp('*') || t.isOp(opWalrus)):
			// A generator, a yield, an unpacking or a named expression: a tuple.
			other = other || !t.isOp('*') || p.tokens[k-1].isOp('(') || p.tokens[k-1].isOp(',')
		}
	}
	return false
}
