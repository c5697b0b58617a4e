package plan

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// rewrite gives an expression with f applied to it and, where f does not answer,
// to its parts. The original is never changed; parts that stay the same are
// shared. Sub-queries are not entered, their tests are.
func rewrite(e query.Expr, f func(query.Expr) (query.Expr, bool)) query.Expr {
	if e == nil {
		return nil
	}
	if r, ok := f(e); ok {
		return r
	}
	return parts(e, func(p query.Expr) query.Expr { return rewrite(p, f) })
}

// visit calls f for an expression and, as long as f says so, for its parts.
func visit(e query.Expr, f func(query.Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	parts(e, func(p query.Expr) query.Expr { visit(p, f); return p })
}

// list applies g to each and reports whether any changed.
func list(all []query.Expr, g func(query.Expr) query.Expr) ([]query.Expr, bool) {
	var out []query.Expr
	for i, e := range all {
		var r query.Expr
		if e != nil {
			r = g(e)
		}
		if out == nil && r != e {
			out = append(make([]query.Expr, 0, len(all)), all[:i]...)
		}
		if out != nil {
			out = append(out, r)
		}
	}
	if out == nil {
		return all, false
	}
	return out, true
}

// one applies g to an expression that may be missing.
func one(e query.Expr, g func(query.Expr) query.Expr) (query.Expr, bool) {
	if e == nil {
		return nil, false
	}
	r := g(e)
	return r, r != e
}

func callWith(c *query.Call, g func(query.Expr) query.Expr) (*query.Call, bool) {
	args, changed := list(c.Args, g)
	if !changed {
		return c, false
	}
	d := *c
	d.Args = args
	return &d, true
}

// parts rebuilds an expression from its parts, each put through g.
func parts(e query.Expr, g func(query.Expr) query.Expr) query.Expr {
	switch n := e.(type) {
	case *query.Call:
		c, _ := callWith(n, g)
		return c
	case *query.Relabel:
		if a, ok := one(n.Arg, g); ok {
			c := *n
			c.Arg = a
			return &c
		}
	case *query.ThroughText:
		if a, ok := one(n.Arg, g); ok {
			c := *n
			c.Arg = a
			return &c
		}
	case *query.ArrayCast:
		a, x := one(n.Arg, g)
		b, y := one(n.Element, g)
		if x || y {
			c := *n
			c.Arg, c.Element = a, b
			return &c
		}
	case *query.And:
		if args, ok := list(n.Args, g); ok {
			return &query.And{Node: n.Node, Args: args}
		}
	case *query.Or:
		if args, ok := list(n.Args, g); ok {
			return &query.Or{Node: n.Node, Args: args}
		}
	case *query.Not:
		if a, ok := one(n.Arg, g); ok {
			return &query.Not{Node: n.Node, Arg: a}
		}
	case *query.NullTest:
		if a, ok := one(n.Arg, g); ok {
			c := *n
			c.Arg = a
			return &c
		}
	case *query.BoolTest:
		if a, ok := one(n.Arg, g); ok {
			c := *n
			c.Arg = a
			return &c
		}
	case *query.Case:
		return casePart(n, g)
	case *query.Coalesce:
		if args, ok := list(n.Args, g); ok {
			return &query.Coalesce{Node: n.Node, Args: args}
		}
	case *query.MinMax:
		if args, ok := list(n.Args, g); ok {
			c := *n
			c.Args = args
			return &c
		}
	case *query.NullIf:
		if c, ok := callWith(n.Comparison, g); ok {
			return &query.NullIf{Node: n.Node, Comparison: c}
		}
	case *query.Distinct:
		if c, ok := callWith(n.Comparison, g); ok {
			return &query.Distinct{Node: n.Node, Comparison: c, Not: n.Not}
		}
	default:
		return compositePart(e, g)
	}
	return e
}

func casePart(n *query.Case, g func(query.Expr) query.Expr) query.Expr {
	arg, changed := one(n.Arg, g)
	whens := make([]query.When, len(n.Whens))
	for i, w := range n.Whens {
		c, x := one(w.Condition, g)
		r, y := one(w.Result, g)
		whens[i] = query.When{Condition: c, Result: r, At: w.At}
		changed = changed || x || y
	}
	other, x := one(n.Else, g)
	if !changed && !x {
		return n
	}
	return &query.Case{Node: n.Node, Arg: arg, Whens: whens, Else: other}
}

// compositePart is parts for what makes and takes apart arrays and records, and
// for calls over many rows.
func compositePart(e query.Expr, g func(query.Expr) query.Expr) query.Expr {
	switch n := e.(type) {
	case *query.Array:
		if args, ok := list(n.Elements, g); ok {
			c := *n
			c.Elements = args
			return &c
		}
	case *query.Row:
		if args, ok := list(n.Fields, g); ok {
			c := *n
			c.Fields = args
			return &c
		}
	case *query.RowCompare:
		l, x := list(n.Left, g)
		r, y := list(n.Right, g)
		if x || y {
			c := *n
			c.Left, c.Right = l, r
			return &c
		}
	case *query.Subscript:
		a, x := one(n.Container, g)
		l, y := list(n.Lower, g)
		u, z := list(n.Upper, g)
		if x || y || z {
			c := *n
			c.Container, c.Lower, c.Upper = a, l, u
			return &c
		}
	case *query.SubscriptAssign:
		a, x := one(n.Container, g)
		l, y := list(n.Lower, g)
		u, z := list(n.Upper, g)
		v, w := one(n.Value, g)
		if x || y || z || w {
			c := *n
			c.Container, c.Lower, c.Upper, c.Value = a, l, u, v
			return &c
		}
	case *query.Field:
		if a, ok := one(n.Record, g); ok {
			c := *n
			c.Record = a
			return &c
		}
	case *query.ScalarArray:
		l, x := one(n.Left, g)
		a, y := one(n.Array, g)
		if x || y {
			c := *n
			c.Left, c.Array = l, a
			return &c
		}
	case *query.Subquery:
		if t, ok := one(n.Test, g); ok {
			c := *n
			c.Test = t
			return &c
		}
	case *Subplan:
		return subplanPart(n, g)
	case *query.IsJSON:
		if a, ok := one(n.Arg, g); ok {
			c := *n
			c.Arg = a
			return &c
		}
	case *query.Aggregate:
		return aggregatePart(n, g)
	case *query.WindowCall:
		a, x := list(n.Args, g)
		f, y := one(n.Filter, g)
		if x || y {
			c := *n
			c.Args, c.Filter = a, f
			return &c
		}
	}
	return e
}

// subplanPart gives what a sub-query takes of the row it stands in. Of its test only
// what lies on this side counts; slots beyond are its own.
func subplanPart(n *Subplan, g func(query.Expr) query.Expr) query.Expr {
	for _, a := range n.Args {
		g(a.Expr)
	}
	if n.Test != nil {
		g(rewrite(n.Test, func(e query.Expr) (query.Expr, bool) {
			if s, ok := e.(*Slot); ok && s.Index >= n.Width {
				return &query.Const{Node: s.Node}, true
			}
			return nil, false
		}))
	}
	return n
}

func aggregatePart(n *query.Aggregate, g func(query.Expr) query.Expr) query.Expr {
	d, w := list(n.Direct, g)
	a, x := list(n.Args, g)
	r, y := list(n.Extra, g)
	f, z := one(n.Filter, g)
	if !w && !x && !y && !z {
		return n
	}
	c := *n
	c.Direct, c.Args, c.Extra, c.Filter = d, a, r, f
	return &c
}

// expressions calls f for each expression of a query at its own level, and of the
// queries within it with how many levels deeper they are.
func expressions(q *query.Query, depth int, f func(e query.Expr, depth int)) {
	each := func(e query.Expr) {
		if e == nil {
			return
		}
		f(e, depth)
		visit(e, func(p query.Expr) bool {
			if s, ok := p.(*query.Subquery); ok {
				expressions(s.Query, depth+1, f)
			}
			return true
		})
	}
	for _, c := range q.CTEs {
		expressions(c.Query, depth+1, f)
	}
	for _, r := range q.Relations {
		relationExpressions(r, depth, each, f)
	}
	for _, item := range q.From {
		fromExpressions(item, each)
	}
	each(q.Where)
	for _, t := range q.Targets {
		each(t.Expr)
	}
	for _, k := range q.Group {
		each(k.Expr)
	}
	each(q.Having)
	for _, w := range q.Windows {
		each(w.Frame.Start.Offset)
		each(w.Frame.End.Offset)
	}
	each(q.Limit)
	each(q.Offset)
	setExpressions(q.SetOp, depth, each, f)
	for _, m := range q.Multi {
		expressions(m, depth+1, f)
	}
	for _, t := range q.Returning {
		each(t.Expr)
	}
}

func relationExpressions(r *query.Relation, depth int, each func(query.Expr), f func(query.Expr, int)) {
	if r.Query != nil {
		expressions(r.Query, depth+1, f)
	}
	for _, row := range r.Rows {
		for _, e := range row {
			each(e)
		}
	}
	if r.Function != nil {
		for _, c := range r.Function.Calls {
			each(c.Call)
		}
	}
}

func fromExpressions(item query.From, each func(query.Expr)) {
	if j, ok := item.(*query.Join); ok {
		fromExpressions(j.Left, each)
		fromExpressions(j.Right, each)
		each(j.On)
	}
}

func setExpressions(s *query.SetOp, depth int, each func(query.Expr), f func(query.Expr, int)) {
	if s == nil {
		return
	}
	if s.Query != nil {
		expressions(s.Query, depth+1, f)
	}
	for _, e := range s.Convert {
		each(e)
	}
	setExpressions(s.Left, depth, each, f)
	setExpressions(s.Right, depth, each, f)
}

// SlotsOf lists the columns that expressions read, ascending.
func SlotsOf(all []query.Expr) []int {
	var out []int
	note := func(e query.Expr) bool {
		if s, ok := e.(*Slot); ok {
			if i, found := slices.BinarySearch(out, s.Index); !found {
				out = slices.Insert(out, i, s.Index)
			}
		}
		return true
	}
	for _, e := range all {
		visit(e, note)
	}
	return out
}

// LookupSides takes apart an equality between a slot and what depends on enclosing
// rows alone.
func LookupSides(e query.Expr) (outside, slot query.Expr, ok bool) {
	c, is := e.(*query.Call)
	if !is || !hashable(c) {
		return nil, nil, false
	}
	for i, a := range c.Args {
		other := c.Args[1-i]
		if _, is := a.(*Slot); is && onlyOuter(other) {
			return other, a, true
		}
	}
	return nil, nil, false
}

// onlyOuter reports whether an expression reads parameters and no slots.
func onlyOuter(e query.Expr) bool {
	some, only := false, true
	visit(e, func(p query.Expr) bool {
		switch p.(type) {
		case *Outer:
			some = true
		case *Slot, *Subplan:
			only = false
		}
		return true
	})
	return some && only && !volatile(e)
}
