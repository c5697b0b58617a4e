package plan

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// conjunct is a condition of WHERE or ON, folded.
type conjunct struct {
	expr     query.Expr
	rels     relset // of this query, those read by sub-queries too
	reads    []columnKey
	volatile bool
	cost     int
	done     bool
}

// conjuncts takes a condition apart. A condition that is always true has none.
func (s *scope) conjuncts(e query.Expr) []*conjunct {
	if e == nil {
		return nil
	}
	var out []*conjunct
	for _, c := range flattenAnd(s.p.fold(e), nil) {
		if value, null, constant := constantOf(c); constant && value && !null {
			continue
		}
		out = append(out, s.conjunct(c))
	}
	return out
}

func (s *scope) conjunct(e query.Expr) *conjunct {
	c := &conjunct{expr: e, volatile: volatile(e), cost: cost(e)}
	c.rels, c.reads = reads(e)
	for _, k := range c.reads {
		s.change(k, 1)
	}
	return c
}

// release says that a condition has been placed: nobody above needs its columns
// for it.
func (s *scope) release(c *conjunct) {
	c.done = true
	for _, k := range c.reads {
		s.change(k, -1)
	}
}

// reads lists the columns of this query that an expression reads, sub-queries in
// it too.
func reads(e query.Expr) (rels relset, columns []columnKey) {
	note := func(e query.Expr, depth int) {
		visit(e, func(p query.Expr) bool {
			if c, ok := p.(*query.Column); ok && c.Levels == depth {
				rels = rels.with(c.Relation)
				if k := (columnKey{c.Relation, c.Attribute}); !slices.Contains(columns, k) {
					columns = append(columns, k)
				}
			}
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
	return rels, columns
}

// ordered sorts conditions as the server does: cheap ones first, else as written.
func ordered(all []*conjunct) []*conjunct {
	slices.SortStableFunc(all, func(a, b *conjunct) int { return a.cost - b.cost })
	return all
}

// subqueryCost is more than any condition without a sub-query costs.
const subqueryCost = 1 << 20

// cost counts the calls of a condition (cost_qual_eval with the server's usual
// costs).
func cost(e query.Expr) int {
	n := 0
	visit(e, func(p query.Expr) bool {
		switch x := p.(type) {
		case *query.Call, *query.NullIf, *query.Distinct, *query.RowCompare, *query.ThroughText:
			n++
		case *query.ScalarArray:
			n += arrayCost(x)
		case *query.Subquery:
			n += subqueryCost
		}
		return n < 1<<24
	})
	return n
}

// arrayCost takes half of the elements of an array to be compared.
func arrayCost(x *query.ScalarArray) int {
	if c, ok := x.Array.(*query.Const); ok {
		if a, ok := c.Datum.Value.(*vector.Array); ok {
			return max(1, a.Len()/2)
		}
	}
	return 5
}

// volatile reports whether an expression may give another value each time.
func volatile(e query.Expr) (found bool) {
	visit(e, func(p query.Expr) bool {
		switch x := p.(type) {
		case *query.Call:
			found = found || x.Function != nil && x.Function.Volatility == 'v'
		case *query.Subquery:
			found = found || volatileQuery(x.Query)
		}
		return !found
	})
	return found
}

// volatileQuery reports whether a query may give other rows each time.
func volatileQuery(q *query.Query) (found bool) {
	expressions(q, 0, func(e query.Expr, _ int) {
		if !found {
			visit(e, func(p query.Expr) bool {
				if c, ok := p.(*query.Call); ok && c.Function != nil && c.Function.Volatility == 'v' {
					found = true
				}
				return !found
			})
		}
	})
	return found || q.HasModifier
}

// hasSet reports whether an expression has a set-returning call.
func hasSet(e query.Expr) (found bool) {
	visit(e, func(p query.Expr) bool {
		if c, ok := p.(*query.Call); ok && c.Set {
			found = true
		}
		return !found
	})
	return found
}
