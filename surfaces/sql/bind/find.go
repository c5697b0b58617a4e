package bind

import (
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// Find lists the uses of tables in a statement, in the order in which they are
// written, with their conditions.
func Find(q *query.Query) []*Use {
	f := &finder{byRelation: map[*query.Relation]*Use{}}
	f.collect(q, nil)
	f.conditions(q, nil, nil)
	f.columns(q, nil)
	return f.uses
}

type finder struct {
	uses       []*Use
	byRelation map[*query.Relation]*Use
}

// collect finds the uses of a query and of those in it.
func (f *finder) collect(q *query.Query, parents []*query.Query) {
	for i, r := range q.Relations {
		if r.Kind != query.BaseTable || r.Table == nil {
			continue
		}
		u := &Use{Query: q, Index: i, Relation: r, Table: r.Table, Columns: make([]bool, len(r.Table.Columns)), parents: parents}
		f.uses = append(f.uses, u)
		f.byRelation[r] = u
	}
	f.each(q, parents, f.collect)
}

// each calls visit for every query directly within another, those in expressions
// too, with the queries around it.
func (f *finder) each(q *query.Query, parents []*query.Query, visit func(*query.Query, []*query.Query)) {
	inner := append([]*query.Query{q}, parents...)
	for _, sub := range query.Queries(q) {
		visit(sub, inner)
	}
	for _, e := range query.Expressions(q) {
		for _, sub := range subqueries(e) {
			visit(sub, inner)
		}
	}
}

// subqueries gives the queries within an expression, not those within them.
func subqueries(e query.Expr) (all []*query.Query) {
	query.Walk(e, func(x query.Expr, levels int) bool {
		if levels > 0 {
			return false
		}
		if s, ok := x.(*query.Subquery); ok {
			all = append(all, s.Query)
		}
		return true
	})
	return all
}

// columns notes which columns each query's expressions read.
func (f *finder) columns(q *query.Query, parents []*query.Query) {
	around := append([]*query.Query{q}, parents...)
	for _, e := range query.Expressions(q) {
		query.Walk(e, func(x query.Expr, levels int) bool {
			if levels > 0 {
				return false // visited as a query of its own
			}
			if c, ok := x.(*query.Column); ok {
				f.read(around, c)
			}
			return true
		})
	}
	f.each(q, parents, f.columns)
}

func (f *finder) read(around []*query.Query, c *query.Column) {
	u := f.useOf(around, c)
	if u == nil {
		return
	}
	if c.Attribute == query.WholeRow {
		for i := range u.Columns {
			u.Columns[i] = true
		}
		return
	}
	u.Columns[c.Attribute] = true
}

// useOf gives the use whose column a reference means, nil for none. around are the
// queries from the one where the reference stands outwards.
func (f *finder) useOf(around []*query.Query, c *query.Column) *Use {
	if c.Levels >= len(around) {
		return nil
	}
	rels := around[c.Levels].Relations
	if c.Relation < 0 || c.Relation >= len(rels) {
		return nil
	}
	return f.byRelation[rels[c.Relation]]
}

// outer is a condition from the query around a sub-query, on one of its columns.
type outer struct {
	column int
	// make gives the condition for a column of a use.
	make func(column int) Condition
}

// conditions finds the conditions of a query's uses. from are those that the query
// around puts on its columns.
func (f *finder) conditions(q *query.Query, parents []*query.Query, from []outer) {
	around := append([]*query.Query{q}, parents...)
	passed := map[*query.Relation][]outer{}
	if transparent(q) {
		for _, o := range from {
			if o.column < len(q.Targets) {
				if c, ok := bare(q.Targets[o.column].Expr); ok && c.Levels == 0 {
					f.put(around, c, o.make, passed)
				}
			}
		}
	}
	all := func(int) bool { return true }
	f.conjuncts(around, q.Where, all, passed)
	for _, item := range q.From {
		f.from(around, item, passed)
	}
	f.into(q, around, passed)
}

// into goes on with the queries within: those that are relations take the
// conditions that were put on them.
func (f *finder) into(q *query.Query, around []*query.Query, passed map[*query.Relation][]outer) {
	taken := map[*query.Query][]outer{}
	for _, r := range q.Relations {
		switch {
		case r.Kind == query.SubqueryRelation && r.Query != nil:
			taken[r.Query] = passed[r]
		case r.Kind == query.CTERelation && r.CTELevels == 0 && !r.Self && r.CTE < len(q.CTEs):
			// what its only reader asks of it, it can ask of its tables
			if c := q.CTEs[r.CTE]; c.References == 1 && !c.Recursive && c.Query != nil {
				taken[c.Query] = passed[r]
			}
		}
	}
	for _, sub := range query.Queries(q) {
		f.conditions(sub, around, taken[sub])
	}
	for _, e := range query.Expressions(q) {
		for _, sub := range subqueries(e) {
			f.conditions(sub, around, nil)
		}
	}
}

// transparent reports whether a condition on a column of a query's result holds for
// the rows that it is made of.
func transparent(q *query.Query) bool {
	return q.Kind == query.Select && !q.Grouped && !q.HasWindows && !q.HasSets && q.SetOp == nil && q.Limit == nil && q.Offset == nil && !q.DistinctOn
}

// from goes through the conditions of joins. ON narrows the side whose rows may go
// missing: both of an inner join, the nullable one of an outer join.
func (f *finder) from(around []*query.Query, item query.From, passed map[*query.Relation][]outer) {
	j, ok := item.(*query.Join)
	if !ok {
		return
	}
	left, right := map[int]bool{}, map[int]bool{}
	members(j.Left, left)
	members(j.Right, right)
	switch j.Kind {
	case query.Inner:
		f.conjuncts(around, j.On, func(r int) bool { return left[r] || right[r] }, passed)
	case query.Left:
		f.conjuncts(around, j.On, func(r int) bool { return right[r] }, passed)
	case query.Right:
		f.conjuncts(around, j.On, func(r int) bool { return left[r] }, passed)
	}
	f.from(around, j.Left, passed)
	f.from(around, j.Right, passed)
}

func members(item query.From, into map[int]bool) {
	switch x := item.(type) {
	case *query.RelationRef:
		into[x.Relation] = true
	case *query.Join:
		members(x.Left, into)
		members(x.Right, into)
	}
}
