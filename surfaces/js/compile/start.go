package compile

import "github.com/dop251/goja/ast"

// A call of a capability gives its value at once. Where the text shows that a
// promise is wanted, the call is started without waiting instead, so that reads
// run side by side: straight into an await inside an async function, straight
// into a promise combinator, or straight into then, catch or finally.

// combinators wait for many promises at once (ECMA-262 section 27.2.4).
var combinators = map[string]bool{"all": true, "allSettled": true, "any": true, "race": true}

// startable marks the call that an expression gives its value from, if it is one
// of a capability.
func (r *rewriter) startable(e ast.Expression) {
	switch e := e.(type) {
	case *ast.CallExpression:
		if _, known, _ := r.capability(e); !known {
			return
		}
		for _, a := range e.ArgumentList {
			if _, spread := a.(*ast.SpreadElement); spread {
				return
			}
		}
		if r.starts == nil {
			r.starts = map[*ast.CallExpression]bool{}
		}
		r.starts[e] = true
	case *ast.ConditionalExpression:
		r.startable(e.Consequent)
		r.startable(e.Alternate)
	}
}

// markStarts looks at what a call is given and called on.
func (r *rewriter) markStarts(e *ast.CallExpression) {
	d, ok := e.Callee.(*ast.DotExpression)
	if !ok {
		return
	}
	method := d.Identifier.Name.String()
	switch method {
	case "then", "catch", "finally":
		r.startable(d.Left)
		return
	}
	if !combinators[method] || len(e.ArgumentList) == 0 {
		return
	}
	if id, ok := d.Left.(*ast.Identifier); !ok || id.Name != "Promise" || r.refs[id] != nil {
		return
	}
	switch a := e.ArgumentList[0].(type) {
	case *ast.ArrayLiteral:
		for _, x := range a.Value {
			if s, ok := x.(*ast.SpreadElement); ok {
				r.startMapped(s.Expression)
				continue
			}
			r.startable(x)
		}
	default:
		r.startMapped(a)
	}
}

// startMapped marks the calls in the body of the function given to map, or to
// Array.from.
func (r *rewriter) startMapped(e ast.Expression) {
	c, ok := e.(*ast.CallExpression)
	if !ok {
		return
	}
	d, ok := c.Callee.(*ast.DotExpression)
	if !ok {
		return
	}
	at := 0
	switch d.Identifier.Name {
	case "map":
	case "from":
		if id, ok := d.Left.(*ast.Identifier); !ok || id.Name != "Array" || r.refs[id] != nil {
			return
		}
		at = 1
	default:
		return
	}
	if len(c.ArgumentList) <= at {
		return
	}
	switch f := c.ArgumentList[at].(type) {
	case *ast.ArrowFunctionLiteral:
		switch b := f.Body.(type) {
		case *ast.ExpressionBody:
			r.startable(b.Expression)
		case *ast.BlockStatement:
			r.startReturned(b.List)
		}
	case *ast.FunctionLiteral:
		if !f.Generator {
			r.startReturned(f.Body.List)
		}
	}
}

// startReturned marks the calls that a body's own return statements give.
func (r *rewriter) startReturned(list []ast.Statement) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ReturnStatement:
			r.startable(s.Argument)
		case *ast.IfStatement:
			r.startReturned([]ast.Statement{s.Consequent, s.Alternate})
		case *ast.BlockStatement:
			r.startReturned(s.List)
		}
	}
}

// startCall rewrites a marked call.
func (r *rewriter) startCall(e *ast.CallExpression) ast.Expression {
	fn := r.expression(e.Callee)
	r.expressions(e.ArgumentList)
	return &ast.CallExpression{
		Callee: r.hook(hookStart, e.Idx0()), LeftParenthesis: e.LeftParenthesis,
		ArgumentList: append([]ast.Expression{fn}, e.ArgumentList...), RightParenthesis: e.RightParenthesis,
	}
}
