package query

import "slices"

// slots gives the places of a node's children in the order of evaluation, without
// those of a sub-query's own expressions.
func slots(e Expr) []*Expr {
	switch x := e.(type) {
	case *Call:
		return each(x.Args)
	case *Relabel:
		return []*Expr{&x.Arg}
	case *ThroughText:
		return []*Expr{&x.Arg}
	case *ArrayCast:
		return []*Expr{&x.Arg, &x.Element}
	case *And:
		return each(x.Args)
	case *Or:
		return each(x.Args)
	case *Not:
		return []*Expr{&x.Arg}
	case *NullTest:
		return []*Expr{&x.Arg}
	case *BoolTest:
		return []*Expr{&x.Arg}
	case *Case:
		return x.slots()
	case *Coalesce:
		return each(x.Args)
	case *MinMax:
		return each(x.Args)
	case *NullIf:
		return each(x.Comparison.Args)
	case *Distinct:
		return each(x.Comparison.Args)
	case *Array:
		return each(x.Elements)
	case *Row:
		return each(x.Fields)
	case *RowCompare:
		return append(each(x.Left), each(x.Right)...)
	case *Subscript:
		return append([]*Expr{&x.Container}, append(each(x.Lower), each(x.Upper)...)...)
	case *SubscriptAssign:
		return append([]*Expr{&x.Container, &x.Value}, append(each(x.Lower), each(x.Upper)...)...)
	case *Field:
		return []*Expr{&x.Record}
	case *ScalarArray:
		return []*Expr{&x.Left, &x.Array}
	case *Subquery:
		return present(&x.Test)
	case *Aggregate:
		return x.slots()
	case *WindowCall:
		return append(each(x.Args), present(&x.Filter)...)
	case *Grouping:
		return each(x.Args)
	case *IsJSON:
		return []*Expr{&x.Arg}
	}
	return nil
}

func (x *Case) slots() []*Expr {
	all := present(&x.Arg)
	for i := range x.Whens {
		all = append(all, &x.Whens[i].Condition, &x.Whens[i].Result)
	}
	return append(all, present(&x.Else)...)
}

func (x *Aggregate) slots() []*Expr {
	all := append(each(x.Direct), each(x.Args)...)
	return append(append(all, each(x.Extra)...), present(&x.Filter)...)
}

func each(list []Expr) []*Expr {
	all := make([]*Expr, 0, len(list))
	for i := range list {
		all = append(all, present(&list[i])...)
	}
	return all
}

func present(p *Expr) []*Expr {
	if *p == nil {
		return nil
	}
	return []*Expr{p}
}

// Children gives the expressions directly within one. The query of a [Subquery] is
// not among them; see [Expressions].
func Children(e Expr) []Expr {
	places := slots(e)
	out := make([]Expr, len(places))
	for i, p := range places {
		out[i] = *p
	}
	return out
}

// Walk visits an expression and all within, parents first. visit reports whether
// to go into the children. levels is how many sub-queries the visited expression
// stands within, below the given one.
func Walk(e Expr, visit func(e Expr, levels int) bool) { walk(e, 0, visit) }

func walk(e Expr, levels int, visit func(Expr, int) bool) {
	if e == nil || !visit(e, levels) {
		return
	}
	for _, p := range slots(e) {
		walk(*p, levels, visit)
	}
	if s, ok := e.(*Subquery); ok {
		walkQuery(s.Query, levels+1, visit)
	}
}

// WalkQuery visits all expressions of a query and of the queries within; those of
// the query itself have the levels 0.
func WalkQuery(q *Query, visit func(e Expr, levels int) bool) { walkQuery(q, 0, visit) }

func walkQuery(q *Query, levels int, visit func(Expr, int) bool) {
	for _, p := range places(q) {
		walk(*p, levels, visit)
	}
	for _, sub := range queries(q) {
		walkQuery(sub, levels+1, visit)
	}
}

// Expressions gives the expressions of a query itself, without those of the
// queries in it.
func Expressions(q *Query) []Expr {
	all := places(q)
	out := make([]Expr, len(all))
	for i, p := range all {
		out[i] = *p
	}
	return out
}

// Queries gives the queries that stand directly within a query's clauses, but not
// those within its expressions: WITH queries, relations, branches of a set
// operation.
func Queries(q *Query) []*Query { return queries(q) }

func queries(q *Query) []*Query {
	var all []*Query
	for _, c := range q.CTEs {
		if c.Query != nil {
			all = append(all, c.Query)
		}
	}
	for _, r := range q.Relations {
		if r.Query != nil {
			all = append(all, r.Query)
		}
	}
	all = append(all, q.Multi...)
	return append(all, q.SetOp.leaves()...)
}

func (s *SetOp) leaves() []*Query {
	if s == nil {
		return nil
	}
	if s.Query != nil {
		return []*Query{s.Query}
	}
	return append(s.Left.leaves(), s.Right.leaves()...)
}

func places(q *Query) []*Expr {
	var all []*Expr
	for _, r := range q.Relations {
		all = append(all, r.places()...)
	}
	for _, f := range q.From {
		all = append(all, conditions(f)...)
	}
	all = append(all, present(&q.Where)...)
	for i := range q.Targets {
		all = append(all, present(&q.Targets[i].Expr)...)
	}
	for i := range q.Group {
		all = append(all, &q.Group[i].Expr)
	}
	all = append(all, present(&q.Having)...)
	for i := range q.Windows {
		f := &q.Windows[i].Frame
		all = append(append(all, present(&f.Start.Offset)...), present(&f.End.Offset)...)
	}
	all = append(append(all, present(&q.Limit)...), present(&q.Offset)...)
	for i := range q.Returning {
		all = append(all, &q.Returning[i].Expr)
	}
	return all
}

func (r *Relation) places() []*Expr {
	var all []*Expr
	for _, row := range r.Rows {
		all = append(all, each(row)...)
	}
	if r.Function != nil {
		for i := range r.Function.Calls {
			all = append(all, &r.Function.Calls[i].Call)
		}
	}
	return all
}

func conditions(f From) []*Expr {
	j, ok := f.(*Join)
	if !ok {
		return nil
	}
	return append(append(conditions(j.Left), conditions(j.Right)...), present(&j.On)...)
}

// Map replaces parts of an expression: replace gives the new form of a node, or
// nil to keep it and go into its children. Nodes that hold something new are
// copied; nothing given is changed. It does not go into sub-queries.
func Map(e Expr, replace func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	if n := replace(e); n != nil {
		return n
	}
	changed := false
	old := slots(e)
	fresh := make([]Expr, len(old))
	for i, p := range old {
		fresh[i] = Map(*p, replace)
		changed = changed || fresh[i] != *p
	}
	if !changed {
		return e
	}
	c := Copy(e)
	for i, p := range slots(c) {
		*p = fresh[i]
	}
	return c
}

// Copy copies a node with its lists, so that its children can be replaced.
func Copy(e Expr) Expr {
	switch x := e.(type) {
	case *Call:
		c := *x
		c.Args = slices.Clone(x.Args)
		return &c
	case *Relabel:
		c := *x
		return &c
	case *ThroughText:
		c := *x
		return &c
	case *ArrayCast:
		c := *x
		return &c
	case *And:
		c := *x
		c.Args = slices.Clone(x.Args)
		return &c
	case *Or:
		c := *x
		c.Args = slices.Clone(x.Args)
		return &c
	case *Not:
		c := *x
		return &c
	case *NullTest:
		c := *x
		return &c
	case *BoolTest:
		c := *x
		return &c
	case *Case:
		c := *x
		c.Whens = slices.Clone(x.Whens)
		return &c
	case *Coalesce:
		c := *x
		c.Args = slices.Clone(x.Args)
		return &c
	case *MinMax:
		c := *x
		c.Args = slices.Clone(x.Args)
		return &c
	case *NullIf:
		c := *x
		c.Comparison = Copy(x.Comparison).(*Call)
		return &c
	case *Distinct:
		c := *x
		c.Comparison = Copy(x.Comparison).(*Call)
		return &c
	case *Array:
		c := *x
		c.Elements = slices.Clone(x.Elements)
		return &c
	case *Row:
		c := *x
		c.Fields = slices.Clone(x.Fields)
		return &c
	case *RowCompare:
		c := *x
		c.Left, c.Right = slices.Clone(x.Left), slices.Clone(x.Right)
		return &c
	}
	return copyRare(e)
}

func copyRare(e Expr) Expr {
	switch x := e.(type) {
	case *Subscript:
		c := *x
		c.Lower, c.Upper = slices.Clone(x.Lower), slices.Clone(x.Upper)
		return &c
	case *SubscriptAssign:
		c := *x
		c.Lower, c.Upper = slices.Clone(x.Lower), slices.Clone(x.Upper)
		return &c
	case *Field:
		c := *x
		return &c
	case *ScalarArray:
		c := *x
		return &c
	case *Subquery:
		c := *x
		return &c
	case *Aggregate:
		c := *x
		c.Direct, c.Args, c.Extra = slices.Clone(x.Direct), slices.Clone(x.Args), slices.Clone(x.Extra)
		return &c
	case *WindowCall:
		c := *x
		c.Args = slices.Clone(x.Args)
		return &c
	case *Grouping:
		c := *x
		c.Args = slices.Clone(x.Args)
		return &c
	case *IsJSON:
		c := *x
		return &c
	case *Const:
		c := *x
		return &c
	case *Column:
		c := *x
		return &c
	case *Key:
		c := *x
		return &c
	}
	return e // leaves that nobody changes
}

// Replace puts new expressions in a query, and in the queries within its clauses,
// which it changes. replace is called for each expression that stands in a clause,
// with how many queries it is below the level that depth counts from.
func Replace(q *Query, depth int, replace func(e Expr, depth int) Expr) {
	for _, p := range places(q) {
		*p = replace(*p, depth)
	}
	for _, sub := range queries(q) {
		Replace(sub, depth+1, replace)
	}
}
