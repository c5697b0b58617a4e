package syntax

// isTarget reports whether an expression can be assigned to.
func isTarget(e Expr) bool { return invalidTarget(e, "assign to") == nil }

// invalidTarget finds the first part of an expression that cannot be a target.
func invalidTarget(e Expr, verb string) Expr {
	switch x := e.(type) {
	case *Name, *Attribute, *Subscript:
		return nil
	case *Starred:
		if verb == "delete" {
			return x
		}
		return invalidTarget(x.Value, verb)
	case *Tuple:
		return invalidElement(x.Elts, verb)
	case *List:
		return invalidElement(x.Elts, verb)
	}
	return e
}

func invalidElement(list []Expr, verb string) Expr {
	for _, e := range list {
		if bad := invalidTarget(e, verb); bad != nil {
			return bad
		}
	}
	return nil
}

// checkTarget holds an expression to being a target.
func (p *parser) checkTarget(e Expr, verb string) {
	if bad := invalidTarget(e, verb); bad != nil {
		p.failNode(bad, "cannot %s %s", verb, expressionName(bad))
	}
}

// badAssignment tells of an assignment whose target e cannot be one. The current
// token is the equals sign. CPython suspects a comparison where the part just
// before the sign is an operand and a plain operand follows.
func (p *parser) badAssignment(e Expr, first bool) {
	switch e.(type) {
	case *Yield, *YieldFrom:
		p.failNode(e, "assignment to yield expression not possible")
	}
	if first {
		last := e
		if t, ok := e.(*Tuple); ok && !p.parenthesised(t) && len(t.Elts) > 0 {
			last = t.Elts[len(t.Elts)-1]
		}
		p.suspectComparison(last)
	}
	p.checkTarget(e, "assign to")
}

// suspectComparison tells of `x = y` in the place of an expression x, if y is an
// operand and no further assignment follows.
func (p *parser) suspectComparison(x Expr) {
	ok, then := p.try(func() { p.next(); p.bitwise() })
	if !ok || then.isOp('=') || then.isOp(opWalrus) {
		return
	}
	var end int32
	p.try(func() { p.next(); end = p.bitwise().span().End })
	switch v := x.(type) {
	case *Name:
		p.fail(v.Start, end, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?")
	case *List, *Tuple, *GeneratorExp, *BoolOp, *Compare, *IfExp, *Lambda, *Starred, *NamedExpr, *Yield, *YieldFrom:
		return
	case *UnaryOp:
		if v.Op == "not" {
			return
		}
	case *Constant:
		switch v.Value.(type) {
		case NoneValue, bool:
			return
		}
	}
	p.failNode(x, "cannot assign to %s here. Maybe you meant '==' instead of '='?", expressionName(x))
}

// parenthesised reports whether a tuple has parentheses of its own.
func (p *parser) parenthesised(t *Tuple) bool {
	return p.source[t.Start] == '(' && (len(t.Elts) == 0 || t.Elts[0].span().Start > t.Start)
}

// starTarget parses what may be a target: an operand, or one with a star.
func (p *parser) starTarget() Expr {
	if p.isOp('*') {
		t := p.tok
		p.next()
		v := p.bitwise()
		return &Starred{p.span(t.start), v}
	}
	return p.bitwise()
}

// forTarget parses the targets of a for clause and checks them.
func (p *parser) forTarget() Expr {
	t := p.tok
	e := p.starTarget()
	if p.isOp(',') {
		elts := []Expr{e}
		for p.acceptOp(',') {
			if p.isKw(kwIn) {
				break
			}
			elts = append(elts, p.starTarget())
		}
		e = &Tuple{p.span(t.start), elts}
	}
	p.checkTarget(e, "assign to")
	return e
}

// expressionName is CPython's word for an expression in its errors.
func expressionName(e Expr) string {
	switch x := e.(type) {
	case *Call:
		return "function call"
	case *Constant:
		switch v := x.Value.(type) {
		case NoneValue:
			return "None"
		case bool:
			if v {
				return "True"
			}
			return "False"
		case EllipsisValue:
			return "ellipsis"
		}
		return "literal"
	case *JoinedStr, *FormattedValue:
		return "f-string expression"
	case *Compare:
		return "comparison"
	case *IfExp:
		return "conditional expression"
	case *Lambda:
		return "lambda"
	case *Dict:
		return "dict literal"
	case *Set:
		return "set display"
	case *ListComp:
		return "list comprehension"
	case *SetComp:
		return "set comprehension"
	case *DictComp:
		return "dict comprehension"
	case *GeneratorExp:
		return "generator expression"
	case *Yield, *YieldFrom:
		return "yield expression"
	case *Await:
		return "await expression"
	case *NamedExpr:
		return "named expression"
	case *Tuple:
		return "tuple"
	case *List:
		return "list"
	case *Starred:
		return "starred"
	case *Name:
		return "name"
	case *Attribute:
		return "attribute"
	case *Subscript:
		return "subscript"
	}
	return "expression"
}
