package plan

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// group plans the grouping of a query.
func (s *scope) group(node Node, in *layout) (Node, *layout) {
	out := newLayout()
	a := &Aggregate{Input: node, Sets: s.q.Sets, Plain: len(s.q.Group) == 0 && s.q.Sets == nil}
	for i, k := range s.q.Group {
		e := s.bind(s.p.fold(k.Expr), in)
		a.Keys = append(a.Keys, e)
		a.Dependent = append(a.Dependent, k.Dependent)
		out.keys[i] = out.add(k.Expr.Type())
	}
	calls, groupings := s.aggregates()
	if a.Plain && len(calls) == 0 && len(groupings) == 0 {
		// HAVING alone: one row whatever FROM and WHERE give, which the server does not
		// read then.
		return &One{}, out
	}
	for _, g := range groupings {
		a.Groupings = append(a.Groupings, g.Keys)
		out.others[g] = out.add(pgcat.Int4)
	}
	for _, c := range calls {
		a.Calls = append(a.Calls, s.aggregateCall(c, in, out))
		out.others[c] = out.add(c.OID)
	}
	a.Columns = out.types
	return a, out
}

// aggregates finds the aggregates and groupings of this query, in its own
// expressions and in those of queries within.
func (s *scope) aggregates() (calls []*query.Aggregate, groupings []*query.Grouping) {
	note := func(e query.Expr, depth int) {
		visit(e, func(p query.Expr) bool {
			switch n := p.(type) {
			case *query.Aggregate:
				if n.Levels == depth && !slices.Contains(calls, n) {
					calls = append(calls, n)
					return false
				}
			case *query.Grouping:
				if n.Levels == depth && !slices.Contains(groupings, n) {
					groupings = append(groupings, n)
				}
				return false
			}
			return true
		})
	}
	bare := *s.q
	bare.CTEs = nil
	bare.Where, bare.From, bare.Relations = nil, nil, nil
	expressions(&bare, 0, note)
	return calls, groupings
}

func (s *scope) aggregateCall(c *query.Aggregate, in, keys *layout) AggregateCall {
	args := func(all []query.Expr, in *layout) []query.Expr {
		var out []query.Expr
		for _, e := range all {
			out = append(out, s.bind(lower(s.p.fold(e), c.Levels), in))
		}
		return out
	}
	call := AggregateCall{Call: c, Args: args(c.Args, in), Extra: args(c.Extra, in), Direct: args(c.Direct, keys)}
	if c.Filter != nil {
		call.Filter = s.bind(lower(s.p.fold(c.Filter), c.Levels), in)
	}
	return call
}

// lower moves an expression that stands in a query further in to the query that
// its columns are of.
func lower(e query.Expr, by int) query.Expr {
	if by == 0 {
		return e
	}
	return rewrite(e, func(p query.Expr) (query.Expr, bool) {
		switch n := p.(type) {
		case *query.Column:
			c := *n
			c.Levels -= by
			return &c, true
		case *query.Key:
			c := *n
			c.Levels -= by
			return &c, true
		}
		return nil, false
	})
}
