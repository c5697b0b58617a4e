package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// A generator waits between statements only: a yield or await inside an expression
// is lifted out of it. What the expression evaluates before it goes into variables
// of the compiler's, in the same order.

// anyYield reports whether some statement waits.
func anyYield(list []syntax.Stmt) bool {
	for _, s := range list {
		if yieldIn(s) {
			return true
		}
	}
	return false
}

// yieldIn reports whether a statement waits, itself or in its blocks.
func yieldIn(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		return waits(s.Value)
	case *syntax.Assign:
		return waits(s.Value) || waits(s.Targets...)
	case *syntax.AugAssign:
		return waits(s.Value, s.Target)
	case *syntax.AnnAssign:
		return waits(s.Value)
	case *syntax.Return:
		return waits(s.Value)
	case *syntax.Raise:
		return waits(s.Exc, s.Cause)
	case *syntax.Assert:
		return waits(s.Test, s.Message)
	case *syntax.Delete:
		return waits(s.Targets...)
	case *syntax.If:
		return waits(s.Test) || anyYield(s.Body) || anyYield(s.OrElse)
	case *syntax.While:
		return waits(s.Test) || anyYield(s.Body) || anyYield(s.OrElse)
	case *syntax.For:
		return waits(s.Iter) || anyYield(s.Body) || anyYield(s.OrElse)
	case *syntax.With:
		for _, i := range s.Items {
			if waits(i.Context) {
				return true
			}
		}
		return anyYield(s.Body)
	case *syntax.Try:
		for _, h := range s.Handlers {
			if anyYield(h.Body) {
				return true
			}
		}
		return anyYield(s.Body) || anyYield(s.OrElse) || anyYield(s.Finally)
	case *syntax.Match:
		for _, k := range s.Cases {
			if anyYield(k.Body) {
				return true
			}
		}
		return waits(s.Subject)
	}
	return false
}

// waits reports whether an expression has a yield or await of this frame.
func waits(list ...syntax.Expr) bool {
	for _, e := range list {
		switch e := e.(type) {
		case nil:
		case *syntax.Yield, *syntax.YieldFrom, *syntax.Await:
			return true
		default:
			if waits(parts(e)...) {
				return true
			}
		}
	}
	return false
}

// parts gives the operands of an expression in the order of their evaluation.
// Lambdas and comprehensions are frames, or awaits, of their own.
func parts(e syntax.Expr) []syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinOp:
		return []syntax.Expr{e.Left, e.Right}
	case *syntax.UnaryOp:
		return []syntax.Expr{e.Operand}
	case *syntax.BoolOp:
		return e.Values
	case *syntax.Compare:
		return append([]syntax.Expr{e.Left}, e.Comparators...)
	case *syntax.IfExp:
		return []syntax.Expr{e.Test, e.Body, e.OrElse}
	case *syntax.Call:
		list := append([]syntax.Expr{e.Func}, e.Args...)
		for _, k := range e.Keywords {
			list = append(list, k.Value)
		}
		return list
	case *syntax.Attribute:
		return []syntax.Expr{e.Value}
	case *syntax.Subscript:
		return []syntax.Expr{e.Value, e.Index}
	case *syntax.Slice:
		var list []syntax.Expr
		for _, p := range []syntax.Expr{e.Lower, e.Upper, e.Step} {
			if p != nil {
				list = append(list, p)
			}
		}
		return list
	case *syntax.List:
		return e.Elts
	case *syntax.Tuple:
		return e.Elts
	case *syntax.Set:
		return e.Elts
	case *syntax.Dict:
		var list []syntax.Expr
		for i := range e.Values {
			if e.Keys[i] != nil {
				list = append(list, e.Keys[i])
			}
			list = append(list, e.Values[i])
		}
		return list
	case *syntax.Starred:
		return []syntax.Expr{e.Value}
	case *syntax.NamedExpr:
		return []syntax.Expr{e.Value}
	case *syntax.JoinedStr:
		return e.Values
	case *syntax.FormattedValue:
		if e.Spec != nil {
			return []syntax.Expr{e.Value, e.Spec}
		}
		return []syntax.Expr{e.Value}
	}
	return nil
}

// temporary makes a variable of the compiler's.
func (c *compiler) temporary(at syntax.Span) *syntax.Name {
	c.temps++
	return &syntax.Name{Span: at, ID: "." + object.Decimal(c.temps)}
}

func set(n *syntax.Name, e syntax.Expr) syntax.Stmt {
	return &syntax.Assign{Span: syntax.Place(e), Targets: []syntax.Expr{n}, Value: e}
}

// lift gives the statements that must run before an expression, and what is left
// of it, which waits no more.
func (c *compiler) lift(e syntax.Expr) ([]syntax.Stmt, syntax.Expr) {
	if e == nil || !waits(e) {
		return nil, e
	}
	at := syntax.Place(e)
	switch e := e.(type) {
	case *syntax.Yield:
		before, v := c.lift(e.Value)
		t := c.temporary(at)
		return append(before, set(t, &syntax.Yield{Span: e.Span, Value: v})), t
	case *syntax.YieldFrom:
		before, v := c.lift(e.Value)
		t := c.temporary(at)
		return append(before, set(t, &syntax.YieldFrom{Span: e.Span, Value: v})), t
	case *syntax.Await:
		before, v := c.lift(e.Value)
		t := c.temporary(at)
		return append(before, set(t, &syntax.Await{Span: e.Span, Value: v})), t
	case *syntax.IfExp:
		before, test := c.lift(e.Test)
		t := c.temporary(at)
		return append(before, &syntax.If{Span: at, Test: test, Body: c.liftInto(t, e.Body), OrElse: c.liftInto(t, e.OrElse)}), t
	case *syntax.BoolOp:
		return c.liftBool(e)
	case *syntax.Compare:
		if len(e.Ops) > 1 {
			c.reject(e, "an await or yield inside a chained comparison is not available: assign its value to a variable first")
		}
	}
	return c.liftParts(e)
}

// liftInto gives the statements of t = e.
func (c *compiler) liftInto(t *syntax.Name, e syntax.Expr) []syntax.Stmt {
	before, v := c.lift(e)
	return append(before, set(t, v))
}

func (c *compiler) liftBool(e *syntax.BoolOp) ([]syntax.Stmt, syntax.Expr) {
	t := c.temporary(e.Span)
	out := c.liftInto(t, e.Values[0])
	list := &out
	for _, v := range e.Values[1:] {
		var test syntax.Expr = t
		if e.Op == "or" {
			test = &syntax.UnaryOp{Span: e.Span, Op: "not", Operand: t}
		}
		branch := &syntax.If{Span: e.Span, Test: test, Body: c.liftInto(t, v)}
		*list = append(*list, branch)
		list = &branch.Body
	}
	return out, t
}

// liftParts lifts the operands: those before the last one that waits are evaluated
// into variables.
func (c *compiler) liftParts(e syntax.Expr) ([]syntax.Stmt, syntax.Expr) {
	list := parts(e)
	last := 0
	for i, p := range list {
		if waits(p) {
			last = i
		}
	}
	var before []syntax.Stmt
	replaced := make([]syntax.Expr, len(list))
	copy(replaced, list)
	for i := 0; i <= last; i++ {
		p := list[i]
		if _, ok := constantOf(p); ok {
			continue
		}
		if s, ok := p.(*syntax.Starred); ok {
			b, v := c.lift(s.Value)
			before = append(before, b...)
			if i < last {
				v = c.keep(&before, v)
			}
			replaced[i] = &syntax.Starred{Span: s.Span, Value: v}
			continue
		}
		if f, ok := p.(*syntax.FormattedValue); ok {
			b, v := c.liftParts(f)
			before = append(before, b...)
			replaced[i] = v
			continue
		}
		b, v := c.lift(p)
		before = append(before, b...)
		if i < last {
			v = c.keep(&before, v)
		}
		replaced[i] = v
	}
	return before, rebuild(e, replaced)
}

// keep evaluates an expression into a variable.
func (c *compiler) keep(before *[]syntax.Stmt, v syntax.Expr) syntax.Expr {
	if n, ok := v.(*syntax.Name); ok && n.ID[0] == '.' {
		return v
	}
	t := c.temporary(syntax.Place(v))
	*before = append(*before, set(t, v))
	return t
}

// rebuild gives an expression with other operands.
func rebuild(e syntax.Expr, p []syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinOp:
		return &syntax.BinOp{Span: e.Span, Left: p[0], Op: e.Op, Right: p[1]}
	case *syntax.UnaryOp:
		return &syntax.UnaryOp{Span: e.Span, Op: e.Op, Operand: p[0]}
	case *syntax.Compare:
		return &syntax.Compare{Span: e.Span, Left: p[0], Ops: e.Ops, Comparators: p[1:]}
	case *syntax.Call:
		call := &syntax.Call{Span: e.Span, Func: p[0], Args: p[1 : 1+len(e.Args)]}
		for i, k := range e.Keywords {
			call.Keywords = append(call.Keywords, &syntax.Keyword{Span: k.Span, Arg: k.Arg, Value: p[1+len(e.Args)+i]})
		}
		return call
	case *syntax.Attribute:
		return &syntax.Attribute{Span: e.Span, Value: p[0], Attr: e.Attr}
	case *syntax.Subscript:
		return &syntax.Subscript{Span: e.Span, Value: p[0], Index: p[1]}
	case *syntax.Slice:
		s := &syntax.Slice{Span: e.Span}
		i := 0
		for _, f := range []struct {
			old syntax.Expr
			new *syntax.Expr
		}{{e.Lower, &s.Lower}, {e.Upper, &s.Upper}, {e.Step, &s.Step}} {
			if f.old != nil {
				*f.new = p[i]
				i++
			}
		}
		return s
	case *syntax.List:
		return &syntax.List{Span: e.Span, Elts: p}
	case *syntax.Tuple:
		return &syntax.Tuple{Span: e.Span, Elts: p}
	case *syntax.Set:
		return &syntax.Set{Span: e.Span, Elts: p}
	case *syntax.Dict:
		d := &syntax.Dict{Span: e.Span}
		i := 0
		for j := range e.Values {
			var key syntax.Expr
			if e.Keys[j] != nil {
				key = p[i]
				i++
			}
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, p[i])
			i++
		}
		return d
	case *syntax.Starred:
		return &syntax.Starred{Span: e.Span, Value: p[0]}
	case *syntax.NamedExpr:
		return &syntax.NamedExpr{Span: e.Span, Target: e.Target, Value: p[0]}
	case *syntax.JoinedStr:
		return &syntax.JoinedStr{Span: e.Span, Values: p}
	case *syntax.FormattedValue:
		v := &syntax.FormattedValue{Span: e.Span, Value: p[0], Conversion: e.Conversion}
		if len(p) > 1 {
			v.Spec = p[1]
		}
		return v
	}
	return e
}

// waitsOnly reports whether an expression is a yield or await whose own operand waits
// no more.
func waitsOnly(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Yield:
		return !waits(e.Value)
	case *syntax.YieldFrom:
		return !waits(e.Value)
	case *syntax.Await:
		return !waits(e.Value)
	}
	return false
}

// lowered gives the statements that a waiting statement becomes: in them, a yield
// stands only as a statement of its own or on the right of one assignment.
func (c *compiler) lowered(s syntax.Stmt) []syntax.Stmt {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		if waitsOnly(s.Value) {
			return []syntax.Stmt{s}
		}
		before, v := c.lift(s.Value)
		return append(before, &syntax.ExprStmt{Span: s.Span, Value: v})
	case *syntax.Assign:
		if waits(s.Targets...) {
			c.reject(s, "an await or yield inside a target is not available: assign its value to a variable first")
		}
		if waitsOnly(s.Value) && len(s.Targets) == 1 {
			return []syntax.Stmt{s}
		}
		before, v := c.lift(s.Value)
		return append(before, &syntax.Assign{Span: s.Span, Targets: s.Targets, Value: v})
	case *syntax.AnnAssign:
		return c.lowered(&syntax.Assign{Span: s.Span, Targets: []syntax.Expr{s.Target}, Value: s.Value})
	case *syntax.AugAssign:
		return c.loweredAug(s)
	case *syntax.Return:
		before, v := c.lift(s.Value)
		return append(before, &syntax.Return{Span: s.Span, Value: v})
	case *syntax.Raise:
		before, v := c.lift(s.Exc)
		more, w := c.lift(s.Cause)
		return append(append(before, more...), &syntax.Raise{Span: s.Span, Exc: v, Cause: w})
	case *syntax.Assert:
		before, v := c.lift(s.Test)
		if waits(s.Message) {
			c.reject(s, "an await or yield inside the message of an assert is not available")
		}
		return append(before, &syntax.Assert{Span: s.Span, Test: v, Message: s.Message})
	case *syntax.If:
		before, v := c.lift(s.Test)
		return append(before, &syntax.If{Span: s.Span, Test: v, Body: s.Body, OrElse: s.OrElse})
	case *syntax.While:
		return c.loweredWhile(s)
	case *syntax.For:
		before, v := c.lift(s.Iter)
		return append(before, &syntax.For{Span: s.Span, Target: s.Target, Iter: v, Body: s.Body, OrElse: s.OrElse, Async: s.Async})
	case *syntax.With:
		return c.loweredWith(s)
	case *syntax.Match:
		before, v := c.lift(s.Subject)
		return append(before, &syntax.Match{Span: s.Span, Subject: v, Cases: s.Cases})
	}
	return []syntax.Stmt{s}
}

func (c *compiler) loweredWhile(s *syntax.While) []syntax.Stmt {
	if !waits(s.Test) {
		return []syntax.Stmt{s}
	}
	if len(s.OrElse) > 0 {
		c.reject(s, "while … else with an await or yield in the condition is not available")
	}
	before, v := c.lift(s.Test)
	at := syntax.Place(s.Test)
	stop := &syntax.If{Span: at, Test: &syntax.UnaryOp{Span: at, Op: "not", Operand: v}, Body: []syntax.Stmt{&syntax.Break{Span: at}}}
	body := append(append(before, stop), s.Body...)
	return []syntax.Stmt{&syntax.While{Span: s.Span, Test: &syntax.Constant{Span: at, Value: true}, Body: body}}
}

func (c *compiler) loweredWith(s *syntax.With) []syntax.Stmt {
	w := &syntax.With{Span: s.Span, Body: s.Body, Async: s.Async}
	if len(s.Items) > 1 {
		for _, i := range s.Items[1:] {
			if waits(i.Context) {
				// Nest, so that the contexts are entered in order.
				inner := &syntax.With{Span: s.Span, Items: s.Items[1:], Body: s.Body, Async: s.Async}
				return c.loweredWith(&syntax.With{Span: s.Span, Items: s.Items[:1], Body: []syntax.Stmt{inner}, Async: s.Async})
			}
		}
	}
	before, v := c.lift(s.Items[0].Context)
	w.Items = append([]syntax.WithItem{{Context: v, Target: s.Items[0].Target}}, s.Items[1:]...)
	return append(before, w)
}

// loweredAug reads the target before the value waits.
func (c *compiler) loweredAug(s *syntax.AugAssign) []syntax.Stmt {
	var out []syntax.Stmt
	var read, write syntax.Expr
	switch t := s.Target.(type) {
	case *syntax.Name:
		read, write = t, t
	case *syntax.Attribute:
		o := c.keep(&out, t.Value)
		a := &syntax.Attribute{Span: t.Span, Value: o, Attr: t.Attr}
		read, write = a, a
	case *syntax.Subscript:
		o := c.keep(&out, t.Value)
		i := c.keep(&out, t.Index)
		a := &syntax.Subscript{Span: t.Span, Value: o, Index: i}
		read, write = a, a
	}
	old := c.temporary(s.Span)
	out = append(out, set(old, read))
	before, v := c.lift(s.Value)
	out = append(out, before...)
	return append(out,
		&syntax.AugAssign{Span: s.Span, Target: old, Op: s.Op, Value: v},
		&syntax.Assign{Span: s.Span, Targets: []syntax.Expr{write}, Value: old})
}
