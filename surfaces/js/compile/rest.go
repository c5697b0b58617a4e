package compile

import (
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// The engine copies what a rest element or a rest property takes without asking,
// however much that is. The copy is charged right after it was bound, so that at
// most one goes beyond a limit.

// rest notes the name that takes the rest of what a pattern is matched with.
func (r *rewriter) rest(target ast.Expression) {
	switch t := target.(type) {
	case *ast.Identifier:
		r.rests = append(r.rests, t)
	case *ast.DotExpression, *ast.BracketExpression, *ast.PrivateDotExpression:
		refuse(t.Idx0(), "a rest that is assigned to a member is not available.", "Take the rest under a name of its own.")
	}
}

// charges gives an expression for each rest noted since the last time; it charges
// for what was bound and gives that.
func (r *rewriter) charges() []ast.Expression {
	var list []ast.Expression
	for _, id := range r.rests {
		again := *id
		if v := r.refs[id]; v != nil {
			r.refs[&again] = v
		}
		list = append(list, r.call(hookSpread, id.Idx, r.name(&again)))
	}
	r.rests = nil
	return list
}

// chargeFirst puts the charges before statements that follow a binding.
func (r *rewriter) chargeFirst(list []ast.Statement) []ast.Statement {
	for i, e := range r.charges() {
		// A test has no completion value.
		list = slices.Insert(list, i, ast.Statement(&ast.IfStatement{If: e.Idx0(), Test: e, Consequent: &ast.EmptyStatement{Semicolon: e.Idx0()}}))
	}
	return list
}

// chargeBindings appends the charges to a declaration: {} = charge declares nothing.
func (r *rewriter) chargeBindings(list []*ast.Binding) []*ast.Binding {
	for _, e := range r.charges() {
		list = append(list, &ast.Binding{Target: &ast.ObjectPattern{LeftBrace: e.Idx0(), RightBrace: e.Idx0()}, Initializer: e})
	}
	return list
}

// chargeAssign makes of pattern = value what charges too and still gives the value:
// ([pattern, {} = charge] = [value])[0].
func (r *rewriter) chargeAssign(e *ast.AssignExpression) ast.Expression {
	charges := r.charges()
	if len(charges) == 0 {
		return e
	}
	at := e.Idx0()
	elements := []ast.Expression{e.Left}
	for _, c := range charges {
		elements = append(elements, &ast.AssignExpression{Operator: token.ASSIGN, Left: &ast.ObjectPattern{LeftBrace: at, RightBrace: at}, Right: c})
	}
	return &ast.BracketExpression{
		Left: &ast.AssignExpression{
			Operator: token.ASSIGN,
			Left:     &ast.ArrayPattern{LeftBracket: at, RightBracket: at, Elements: elements},
			Right:    &ast.ArrayLiteral{LeftBracket: at, RightBracket: at, Value: []ast.Expression{e.Right}},
		},
		Member: &ast.NumberLiteral{Idx: at, Literal: "0", Value: int64(0)}, LeftBracket: at, RightBracket: at,
	}
}
