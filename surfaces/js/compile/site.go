package compile

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/polyglove/polyglove/toolfn/value"
)

// capability reports whether a call is spelled as a call of a capability: a free
// name, or a member of a free name. known is false where only the namespace is.
func (r *rewriter) capability(e *ast.CallExpression) (function string, known, ok bool) {
	spelling := ""
	switch c := e.Callee.(type) {
	case *ast.Identifier:
		if r.refs[c] != nil || r.shared(c) {
			return "", false, false
		}
		spelling = c.Name.String()
	case *ast.DotExpression:
		ns, isName := c.Left.(*ast.Identifier)
		if !isName || r.refs[ns] != nil || r.shared(ns) {
			return "", false, false
		}
		spelling = ns.Name.String() + "." + c.Identifier.Name.String()
	default:
		return "", false, false
	}
	if r.options.Capability == nil {
		return "", false, false
	}
	function, known, ok = r.options.Capability(spelling)
	return function, known, ok
}

// site records a call of a capability.
func (r *rewriter) site(e *ast.CallExpression) {
	function, known, ok := r.capability(e)
	if !ok {
		return
	}
	line, column := r.src.place(at(e.Idx0()))
	s := CallSite{Function: function, Known: known, Line: line, Column: column, InLoop: r.loops > 0, Conditional: r.branches > 0}
	s.Args, s.Computed = siteArguments(e.ArgumentList)
	r.out.Sites = append(r.out.Sites, s)
}

// siteArguments separates the literal arguments of a call from the computed ones.
func siteArguments(list []ast.Expression) (*value.Object, []string) {
	args := value.NewObject(4)
	var computed []string
	if len(list) == 0 {
		return args, nil
	}
	o, ok := list[0].(*ast.ObjectLiteral)
	if !ok || len(list) > 1 {
		return args, []string{"*"}
	}
	for _, p := range o.Value {
		switch p := p.(type) {
		case *ast.PropertyShort:
			computed = append(computed, p.Name.Name.String())
		case *ast.SpreadElement:
			computed = append(computed, "...")
		case *ast.PropertyKeyed:
			key, ok := propertyName(p)
			if !ok {
				computed = append(computed, "*")
				continue
			}
			if v, ok := literal(p.Value, 0); ok {
				args.Set(key, v)
			} else {
				computed = append(computed, key)
			}
		}
	}
	return args, computed
}

// propertyName gives the key of a property if the text spells it.
func propertyName(p *ast.PropertyKeyed) (string, bool) {
	switch k := p.Key.(type) {
	case *ast.StringLiteral:
		return k.Value.String(), true
	case *ast.NumberLiteral:
		return k.Literal, !p.Computed
	}
	return "", false
}

const mostLiteralDepth = 8

// literal gives the value that a literal spells.
func literal(e ast.Expression, depth int) (value.Value, bool) {
	if depth > mostLiteralDepth {
		return nil, false
	}
	switch e := e.(type) {
	case *ast.NullLiteral:
		return nil, true
	case *ast.BooleanLiteral:
		return e.Value, true
	case *ast.StringLiteral:
		return e.Value.String(), true
	case *ast.TemplateLiteral:
		if e.Tag == nil && len(e.Expressions) == 0 {
			return e.Elements[0].Parsed.String(), true
		}
	case *ast.NumberLiteral:
		return value.Number(e.Literal)
	case *ast.UnaryExpression:
		if n, ok := e.Operand.(*ast.NumberLiteral); ok && e.Operator == token.MINUS {
			return value.Number("-" + n.Literal)
		}
	case *ast.ArrayLiteral:
		list := make([]value.Value, 0, len(e.Value))
		for _, x := range e.Value {
			v, ok := literal(x, depth+1)
			if !ok || x == nil {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case *ast.ObjectLiteral:
		o := value.NewObject(len(e.Value))
		for _, p := range e.Value {
			k, ok := p.(*ast.PropertyKeyed)
			if !ok {
				return nil, false
			}
			name, ok := propertyName(k)
			if !ok {
				return nil, false
			}
			v, ok := literal(k.Value, depth+1)
			if !ok {
				return nil, false
			}
			o.Set(name, v)
		}
		return o, true
	}
	return nil, false
}
