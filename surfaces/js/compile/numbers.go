package compile

import (
	"math/big"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// level is what is known about the values of an expression. Charges and guards
// are left out where it proves them idle: text grows only where a value may be
// a string, and a product grows without bound only where both may be BigInts.
type level uint8

const (
	anything level = iota
	numeric        // a Number, a BigInt, undefined, null or a boolean
	number         // a Number, undefined, null or a boolean
)

// infer finds the level of every variable: it assumes the best and lowers what an
// assignment contradicts until nothing changes. Parameters, and names that other
// programs may assign, hold anything.
func (r *resolver) infer(shared func(string) bool) {
	for _, v := range r.all {
		v.level = number
		if v.param || v.top && (shared(v.name) || v.inner && v.kind != Const) {
			v.level = anything
		}
	}
	for changed := true; changed; {
		changed = false
		for _, v := range r.all {
			for _, e := range v.source {
				if l := min(v.level, r.assigned(v, e)); l != v.level {
					v.level, changed = l, true
				}
			}
		}
	}
}

// assigned is the level of what a variable holds after an assignment to it.
func (r *resolver) assigned(v *variable, e ast.Expression) level {
	switch e := e.(type) {
	case *ast.AssignExpression:
		if id, ok := e.Left.(*ast.Identifier); ok && r.refs[id] == v {
			return r.level(e)
		}
	case *ast.UnaryExpression:
		if id, ok := e.Operand.(*ast.Identifier); ok && r.refs[id] == v && (e.Operator == token.INCREMENT || e.Operator == token.DECREMENT) {
			return max(v.level, numeric)
		}
	}
	return r.level(e)
}

// mostLevelDepth bounds how deep an expression is looked into; what lies deeper
// may be anything.
const mostLevelDepth = 12

func (r *resolver) level(e ast.Expression) level { return r.levelAt(e, 0) }

func (r *resolver) levelAt(e ast.Expression, depth int) level {
	if depth++; depth > mostLevelDepth {
		return anything
	}
	switch e := e.(type) {
	case *ast.NumberLiteral:
		if _, big := e.Value.(*big.Int); big {
			return numeric
		}
		return number
	case *ast.BooleanLiteral, *ast.NullLiteral:
		return number
	case *ast.Identifier:
		if v := r.refs[e]; v != nil {
			return v.level
		}
	case *ast.UnaryExpression:
		switch e.Operator {
		case token.PLUS, token.NOT, token.VOID, token.DELETE:
			return number
		case token.MINUS, token.BITWISE_NOT, token.INCREMENT, token.DECREMENT:
			return max(numeric, r.levelAt(e.Operand, depth))
		}
	case *ast.BinaryExpression:
		return r.binary(e.Operator, e.Left, e.Right, depth)
	case *ast.AssignExpression:
		if e.Operator == token.ASSIGN {
			return r.levelAt(e.Right, depth)
		}
		return r.binary(e.Operator, e.Left, e.Right, depth)
	case *ast.ConditionalExpression:
		return min(r.levelAt(e.Consequent, depth), r.levelAt(e.Alternate, depth))
	case *ast.SequenceExpression:
		return r.levelAt(e.Sequence[len(e.Sequence)-1], depth)
	case *ast.CallExpression:
		return r.called(e)
	}
	return anything
}

// numberFunctions are globals that give a Number whatever they are given.
var numberFunctions = map[string]bool{"Number": true, "parseInt": true, "parseFloat": true}

// called knows the functions of Math, which no program can replace.
func (r *resolver) called(e *ast.CallExpression) level {
	switch c := e.Callee.(type) {
	case *ast.Identifier:
		if r.refs[c] == nil && numberFunctions[c.Name.String()] {
			return number
		}
	case *ast.DotExpression:
		if ns, ok := c.Left.(*ast.Identifier); ok && r.refs[ns] == nil && ns.Name == "Math" {
			return number
		}
	}
	return anything
}

func (r *resolver) binary(op token.Token, left, right ast.Expression, depth int) level {
	switch op {
	case token.LESS, token.LESS_OR_EQUAL, token.GREATER, token.GREATER_OR_EQUAL, token.EQUAL, token.NOT_EQUAL,
		token.STRICT_EQUAL, token.STRICT_NOT_EQUAL, token.INSTANCEOF, token.IN, token.UNSIGNED_SHIFT_RIGHT:
		return number
	}
	l, r2 := r.levelAt(left, depth), r.levelAt(right, depth)
	switch op {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		return min(l, r2)
	case token.PLUS:
		if min(l, r2) == anything {
			return anything
		}
	}
	// A Number and a BigInt do not mix (ECMA-262 section 13.15.4): with one operand
	// known to be no BigInt the result is a Number, or the program has thrown.
	return max(l, r2, numeric)
}
