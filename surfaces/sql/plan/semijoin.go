package plan

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// existence is a condition [NOT] EXISTS (…) that becomes a join: its sub-query reads
// the rows around it only in equalities, and in other conditions beside them.
type existence struct {
	condition *conjunct
	query     *query.Query // without the conditions that read around it
	linking   []query.Expr // those, in terms of the sub-query
	anti      bool
}

// takeExists splits off the conditions that become joins.
func (s *scope) takeExists(all []*conjunct) (rest []*conjunct, out []*existence) {
	for _, c := range all {
		if e := s.existence(c); e != nil && len(s.q.From) > 0 {
			out = append(out, e)
			continue
		}
		rest = append(rest, c)
	}
	return rest, out
}

func (s *scope) existence(c *conjunct) *existence {
	expr, anti := c.expr, false
	if n, ok := expr.(*query.Not); ok {
		expr, anti = n.Arg, true
	}
	sub, ok := expr.(*query.Subquery)
	if !ok || sub.Kind != query.Exists || c.volatile || !plain(sub.Query) {
		return nil
	}
	e := &existence{condition: c, anti: anti}
	var own []query.Expr
	equalities := 0
	for _, w := range flattenAnd(sub.Query.Where, nil) {
		inner, outer := levels(w)
		switch {
		case !outer:
			own = append(own, w)
			continue
		case cost(w) >= subqueryCost || groups(w):
			return nil
		}
		if _, _, ok := linked(w); ok && inner {
			equalities++
		}
		e.linking = append(e.linking, w)
	}
	if equalities == 0 || readsAround(sub.Query) {
		return nil
	}
	q := *sub.Query
	q.Where = conjunction(own)
	q.Order, q.Distinct = nil, nil
	e.query = &q
	return e
}

// groups reports whether an expression reads a grouping further out.
func groups(e query.Expr) (found bool) {
	visit(e, func(p query.Expr) bool {
		switch p.(type) {
		case *query.Aggregate, *query.Grouping:
			found = true
		}
		return true
	})
	return found
}

// plain reports whether a query is rows of FROM that conditions choose, and nothing
// more.
func plain(q *query.Query) bool {
	return q.Kind == query.Select && !q.Grouped && q.Having == nil && q.SetOp == nil && len(q.CTEs) == 0 && len(q.From) > 0 &&
		q.Where != nil && q.Limit == nil && q.Offset == nil && !q.HasSets && !q.HasWindows
}

// levels tells whether an expression reads relations of its query, and of the one
// around it or further out.
func levels(e query.Expr) (inner, outer bool) {
	note := func(e query.Expr, depth int) {
		visit(e, func(p query.Expr) bool {
			level := -1
			switch n := p.(type) {
			case *query.Column:
				level = n.Levels
			case *query.Key:
				level = n.Levels
			case *query.Aggregate:
				level = n.Levels
			case *query.Grouping:
				level = n.Levels
			}
			inner = inner || level == depth
			outer = outer || level > depth
			return true
		})
	}
	note(e, 0)
	visit(e, func(p query.Expr) bool {
		if q, ok := p.(*query.Subquery); ok {
			expressions(q.Query, 1, note)
		}
		return true
	})
	return inner, outer
}

// readsAround reports whether a query reads what is around it anywhere but in WHERE.
func readsAround(q *query.Query) (found bool) {
	bare := *q
	bare.Where, bare.Targets, bare.Order, bare.Distinct = nil, nil, nil, nil
	expressions(&bare, 0, func(e query.Expr, depth int) {
		visit(e, func(p query.Expr) bool {
			switch n := p.(type) {
			case *query.Column:
				found = found || n.Levels > depth
			case *query.Key:
				found = found || n.Levels > depth
			case *query.Aggregate:
				found = found || n.Levels > depth
			}
			return true
		})
	})
	// A WITH query further out may itself depend on rows around.
	for _, r := range q.Relations {
		found = found || r.Kind == query.CTERelation
	}
	return found
}

// linked splits an equality into what is around and what is within.
func linked(e query.Expr) (around, within query.Expr, ok bool) {
	c, is := e.(*query.Call)
	if !is || !hashable(c) || volatile(c) {
		return nil, nil, false
	}
	for i, a := range c.Args {
		b := c.Args[1-i]
		ai, ao := levels(a)
		bi, bo := levels(b)
		if ao && !ai && bi && !bo {
			return a, b, true
		}
	}
	return nil, nil, false
}

func conjunction(all []query.Expr) query.Expr {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &query.And{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: -1}, Args: all}
}

// semiJoin joins an item with the sub-query of a condition.
func (s *scope) semiJoin(it *item, e *existence) *item {
	inner := map[columnKey]int{}
	var targets []query.Target
	for _, w := range e.linking {
		visit(w, func(p query.Expr) bool {
			if c, ok := p.(*query.Column); ok && c.Levels == 0 {
				k := columnKey{c.Relation, c.Attribute}
				if _, there := inner[k]; !there {
					inner[k] = len(targets)
					targets = append(targets, query.Target{Expr: c, Attribute: -1})
				}
			}
			return true
		})
	}
	e.query.Targets = targets
	child, right := s.within(e.query)
	if s.p.err != nil {
		return it
	}
	node := &Join{Kind: Semi, Left: it.node, Right: right, Name: it.name + " and the sub-query of EXISTS", RightUses: child.uses()}
	if e.anti {
		node.Kind = Anti
	}
	width := len(it.layout.types)
	for _, w := range e.linking {
		if around, within, ok := linked(w); ok {
			node.Keys = append(node.Keys, Equality{Left: s.around(around, it.layout, inner, 0), Right: s.around(within, newLayout(), inner, 0)})
			continue
		}
		node.Residual = append(node.Residual, s.around(w, it.layout, inner, width))
	}
	s.release(e.condition)
	s.output(node, it.layout, it)
	it.node = node
	return it
}

// around binds an expression of a sub-query in terms of this one's rows, the
// sub-query's columns standing from a slot on.
func (s *scope) around(e query.Expr, in *layout, inner map[columnKey]int, from int) query.Expr {
	e = rewrite(s.p.fold(e), func(p query.Expr) (query.Expr, bool) {
		switch n := p.(type) {
		case *query.Column:
			if n.Levels == 0 {
				return &Slot{Node: n.Node, Index: from + inner[columnKey{n.Relation, n.Attribute}]}, true
			}
			c := *n
			c.Levels--
			return &c, true
		case *query.Key:
			c := *n
			c.Levels--
			return &c, true
		}
		return nil, false
	})
	return s.bind(e, in)
}
