package compile

import (
	"github.com/dop251/goja/ast"
)

// refuseEager refuses a program that gives a builtin which defers calls the value
// of such a call, and not a function that makes it: the call would be made before
// the builtin is. Nothing has run when a program is refused.
func (r *rewriter) refuseEager(e *ast.CallExpression) {
	id, ok := e.Callee.(*ast.Identifier)
	if !ok || r.refs[id] != nil || r.shared(id) || r.options.Deferred == nil || !r.options.Deferred(id.Name.String()) {
		return
	}
	for _, a := range e.ArgumentList {
		if call := r.eager(a); call != nil {
			name := id.Name.String()
			refuse(call.Idx0(), name+" takes a function; here the call would be made before "+name+" is.",
				"Write "+name+"(() => { … }) with the calls inside. Nothing was called.")
		}
	}
}

// eager finds a call of a capability that is made when an expression is
// evaluated, as far as it is plain to see.
func (r *rewriter) eager(e ast.Expression) *ast.CallExpression {
	switch e := e.(type) {
	case *ast.CallExpression:
		if _, known, _ := r.capability(e); known {
			return e
		}
		return r.eagerOf(e.ArgumentList)
	case *ast.AwaitExpression:
		return r.eager(e.Argument)
	case *ast.ArrayLiteral:
		return r.eagerOf(e.Value)
	case *ast.SequenceExpression:
		return r.eagerOf(e.Sequence)
	case *ast.SpreadElement:
		return r.eager(e.Expression)
	case *ast.DotExpression:
		return r.eager(e.Left)
	}
	return nil
}

func (r *rewriter) eagerOf(list []ast.Expression) *ast.CallExpression {
	for _, e := range list {
		if c := r.eager(e); c != nil {
			return c
		}
	}
	return nil
}
