package bind

import (
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// conjuncts takes the conditions of a predicate, each for the relations that may
// take it.
func (f *finder) conjuncts(around []*query.Query, e query.Expr, may func(relation int) bool, passed map[*query.Relation][]outer) {
	switch x := e.(type) {
	case nil:
		return
	case *query.And:
		for _, a := range x.Args {
			f.conjuncts(around, a, may, passed)
		}
		return
	case *query.Call:
		f.comparison(around, x, may, passed)
	case *query.ScalarArray:
		f.choice(around, x, may, passed)
	case *query.Or:
		f.alternatives(around, x, may, passed)
	case *query.Subquery:
		f.membership(around, x, may, passed)
	}
}

// put gives a condition to the use or sub-query whose column it is about.
func (f *finder) put(around []*query.Query, c *query.Column, make func(column int) Condition, passed map[*query.Relation][]outer) {
	if c.Levels != 0 || c.Attribute < 0 || c.Relation >= len(around[0].Relations) {
		return
	}
	r, step := around[0].Relations[c.Relation], Step{around[0], c.Relation}
	through := func(column int) Condition {
		out := make(column)
		out.Steps = append(out.Steps, step)
		return out
	}
	if u := f.byRelation[r]; u != nil {
		u.Conditions = append(u.Conditions, through(c.Attribute))
		return
	}
	passed[r] = append(passed[r], outer{column: c.Attribute, make: through})
}

// bare gives the column that an expression is, under conversions that change no
// value: of the same representation, or to a wider number.
func bare(e query.Expr) (*query.Column, bool) {
	switch x := e.(type) {
	case *query.Column:
		return x, x.Attribute >= 0
	case *query.Relabel:
		return bare(x.Arg)
	case *query.Call:
		if x.Format == query.Implicit && x.Operator == nil && len(x.Args) == 1 && widening[x.Function.Internal] {
			return bare(x.Args[0])
		}
	}
	return nil, false
}

// widening lists the conversions that keep every value apart from every other.
var widening = map[string]bool{
	"i2toi4": true, "int28": true, "int48": true, "int2_numeric": true, "int4_numeric": true, "int8_numeric": true,
	"i2tod": true, "i4tod": true, "ftod": true, "date_timestamp": true, "date_timestamptz": true,
}

var mirrored = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// comparison takes column = x and column < x, in either order.
func (f *finder) comparison(around []*query.Query, x *query.Call, may func(int) bool, passed map[*query.Relation][]outer) {
	if x.Operator == nil || len(x.Args) != 2 || mirrored[x.Operator.Name] == "" {
		return
	}
	f.side(around, x, x.Args[0], x.Args[1], x.Operator.Name, may, passed)
	f.side(around, x, x.Args[1], x.Args[0], mirrored[x.Operator.Name], may, passed)
}

// side takes the condition that one side of a comparison puts on the column that the
// other is.
func (f *finder) side(around []*query.Query, whole query.Expr, left, right query.Expr, operator string, may func(int) bool, passed map[*query.Relation][]outer) {
	c, ok := bare(left)
	if !ok || c.Levels != 0 || !may(c.Relation) {
		return
	}
	make := func(form Form, fill func(*Condition)) func(int) Condition {
		return func(column int) Condition {
			out := Condition{Form: form, Column: column, Conjunct: whole}
			fill(&out)
			return out
		}
	}
	switch {
	case operator != "=":
		if Constant(right) {
			f.put(around, c, make(Compared, func(out *Condition) { out.Values, out.Operator = []query.Expr{right}, operator }), passed)
		}
	case Constant(right):
		f.put(around, c, make(Values, func(out *Condition) { out.Values = []query.Expr{right} }), passed)
	default:
		if s, ok := right.(*query.Subquery); ok && s.Kind == query.Scalar {
			if q := alone(s.Query, around); q != nil {
				f.put(around, c, make(Rows, func(out *Condition) { out.Query = q }), passed)
			}
			return
		}
		other, ok := bare(right)
		if !ok {
			return
		}
		u := f.useOf(around, other)
		if u == nil {
			if q := f.derived(around, other); q != nil {
				f.put(around, c, make(Rows, func(out *Condition) { out.Query = q }), passed)
			}
			return
		}
		if other.Levels == 0 && other.Relation == c.Relation {
			return
		}
		f.put(around, c, make(Joined, func(out *Condition) { out.Other, out.OtherColumn = u, other.Attribute }), passed)
	}
}

// choice takes column = ANY (array), which IN (a, b) is too.
func (f *finder) choice(around []*query.Query, x *query.ScalarArray, may func(int) bool, passed map[*query.Relation][]outer) {
	if !x.Any || x.Operator == nil || x.Operator.Name != "=" || !Constant(x.Array) {
		return
	}
	c, ok := bare(x.Left)
	if !ok || c.Levels != 0 || !may(c.Relation) {
		return
	}
	f.put(around, c, func(column int) Condition {
		if a, ok := x.Array.(*query.Array); ok && !a.Nested {
			return Condition{Form: Values, Column: column, Values: a.Elements, Conjunct: x}
		}
		return Condition{Form: Elements, Column: column, Values: []query.Expr{x.Array}, Conjunct: x}
	}, passed)
}

// alternatives takes an OR whose every branch fixes the same column.
func (f *finder) alternatives(around []*query.Query, x *query.Or, may func(int) bool, passed map[*query.Relation][]outer) {
	var column *query.Column
	var values []query.Expr
	for _, branch := range x.Args {
		c, v, ok := fixed(branch)
		if !ok || column != nil && (c.Relation != column.Relation || c.Attribute != column.Attribute) {
			return
		}
		column, values = c, append(values, v...)
	}
	if column == nil || !may(column.Relation) {
		return
	}
	f.put(around, column, func(n int) Condition {
		return Condition{Form: Values, Column: n, Values: values, Conjunct: x}
	}, passed)
}

// fixed gives the column that a branch fixes, and its values.
func fixed(e query.Expr) (*query.Column, []query.Expr, bool) {
	switch x := e.(type) {
	case *query.Call:
		if x.Operator == nil || x.Operator.Name != "=" || len(x.Args) != 2 {
			return nil, nil, false
		}
		for i := range 2 {
			if c, ok := bare(x.Args[i]); ok && c.Levels == 0 && Constant(x.Args[1-i]) {
				return c, []query.Expr{x.Args[1-i]}, true
			}
		}
	case *query.ScalarArray:
		a, isList := x.Array.(*query.Array)
		if c, ok := bare(x.Left); ok && c.Levels == 0 && isList && !a.Nested && x.Any && x.Operator != nil && x.Operator.Name == "=" && Constant(a) {
			return c, a.Elements, true
		}
	}
	return nil, nil, false
}

// membership takes column IN (SELECT …).
func (f *finder) membership(around []*query.Query, x *query.Subquery, may func(int) bool, passed map[*query.Relation][]outer) {
	test, ok := x.Test.(*query.Call)
	if x.Kind != query.Any || !ok || test.Operator == nil || test.Operator.Name != "=" || len(test.Args) != 2 {
		return
	}
	rows := alone(x.Query, around)
	if rows == nil {
		return
	}
	for i := range 2 {
		c, isColumn := bare(test.Args[i])
		if isColumn && c.Levels == 0 && may(c.Relation) && isOutput(test.Args[1-i]) {
			f.put(around, c, func(column int) Condition {
				return Condition{Form: Rows, Column: column, Query: rows, Conjunct: x}
			}, passed)
		}
	}
}

func isOutput(e query.Expr) bool {
	switch x := e.(type) {
	case *query.Output:
		return x.Number == 0
	case *query.Relabel:
		return isOutput(x.Arg)
	case *query.Call:
		return x.Format == query.Implicit && len(x.Args) == 1 && widening[x.Function.Internal] && isOutput(x.Args[0])
	}
	return false
}

// Constant reports whether no row decides an expression's value: it refers to no
// column, query or aggregate, and calls nothing volatile.
func Constant(e query.Expr) bool {
	is := true
	query.Walk(e, func(x query.Expr, _ int) bool {
		switch x := x.(type) {
		case *query.Column, *query.Key, *query.Subquery, *query.Aggregate, *query.WindowCall, *query.Output, *query.MultiOutput, *query.Grouping, *query.Default:
			is = false
		case *query.Call:
			is = is && x.Function.Volatility != 'v' && !x.Set
		case *query.ScalarArray:
			is = is && x.Function.Volatility != 'v'
		}
		return is
	})
	return is
}

// closed reports whether a sub-query refers to no row outside of it.
func closed(q *query.Query) bool {
	is := true
	query.WalkQuery(q, func(e query.Expr, levels int) bool {
		switch x := e.(type) {
		case *query.Column:
			is = is && x.Levels <= levels
		case *query.Key:
			is = is && x.Levels <= levels
		case *query.Aggregate:
			is = is && x.Levels <= levels
		case *query.Call:
			is = is && x.Function.Volatility != 'v' // it would give other values the second time
		}
		return is
	})
	return is
}

// derived gives a query of the values of a column of a sub-query in FROM, or of a WITH
// query, that refers to no row outside; nil where there is none.
func (f *finder) derived(around []*query.Query, c *query.Column) *query.Query {
	if c.Levels != 0 || c.Relation >= len(around[0].Relations) {
		return nil
	}
	r := around[0].Relations[c.Relation]
	switch r.Kind {
	case query.SubqueryRelation:
		if r.Lateral {
			return nil
		}
	case query.CTERelation:
	case query.ValuesRelation:
		for _, row := range r.Rows {
			for _, e := range row {
				if !Constant(e) {
					return nil
				}
			}
		}
	default:
		return nil
	}
	only := *r
	node := c.Node
	return inPlace(&query.Query{
		Kind: query.Select, Relations: []*query.Relation{&only},
		From:    []query.From{&query.RelationRef{Relation: 0}},
		Targets: []query.Target{{Expr: &query.Column{Node: node, Attribute: c.Attribute}, Name: "value", Attribute: -1}},
		At:      -1,
	}, around)
}
