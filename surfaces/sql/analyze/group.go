//go:build cgo

package analyze

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// maxGroupingSets bounds the expansion of ROLLUP and CUBE, as the server does.
const (
	maxGroupingSets = 4096
	maxCube         = 12
)

// group analyses GROUP BY. It gives the targets that are keys, and for grouping
// sets which keys each set has.
func (l *targetList) group(clause []*pg.Node, distinct bool) (keys []query.SortKey, sets [][]int) {
	if len(clause) == 0 {
		return nil, nil
	}
	g := &groupClause{list: l}
	expanded := [][]int{{}}
	plain := true
	for _, n := range clause {
		if set := n.GetGroupingSet(); set != nil {
			plain = false
		}
		expanded = g.product(expanded, g.sets(n), n)
	}
	if plain {
		return g.keys, nil
	}
	for i := range expanded {
		expanded[i] = ascending(expanded[i])
	}
	if distinct {
		expanded = unique(expanded)
	}
	return g.keys, expanded
}

// groupClause collects the keys of GROUP BY.
type groupClause struct {
	list *targetList
	keys []query.SortKey
}

// key adds an expression to the keys and gives its number.
func (g *groupClause) key(n *pg.Node) int {
	target := g.list.find(n, inGroupBy, false)
	g.keys = g.list.addGroupSort(g.keys, target, rawPos(n))
	for i, k := range g.keys {
		if k.Target == target {
			return i
		}
	}
	return -1
}

// row gives the keys of an expression, or of the several in parentheses.
func (g *groupClause) row(n *pg.Node) []int {
	if r := n.GetRowExpr(); r != nil && r.RowFormat == pg.CoercionForm_COERCE_IMPLICIT_CAST {
		return g.all(r.Args)
	}
	if s := n.GetGroupingSet(); s != nil && s.Kind == pg.GroupingSetKind_GROUPING_SET_SIMPLE {
		return g.all(s.Content)
	}
	return []int{g.key(n)}
}

func (g *groupClause) all(list []*pg.Node) []int {
	var out []int
	for _, n := range list {
		out = append(out, g.row(n)...)
	}
	return out
}

// sets gives the grouping sets that an item stands for.
func (g *groupClause) sets(n *pg.Node) [][]int {
	set := n.GetGroupingSet()
	if set == nil {
		return [][]int{g.row(n)}
	}
	g.list.scope.enter()
	defer g.list.scope.leave()
	switch set.Kind {
	case pg.GroupingSetKind_GROUPING_SET_EMPTY:
		return [][]int{{}}
	case pg.GroupingSetKind_GROUPING_SET_ROLLUP:
		return g.rollup(set)
	case pg.GroupingSetKind_GROUPING_SET_CUBE:
		return g.cube(set)
	case pg.GroupingSetKind_GROUPING_SET_SETS:
		var out [][]int
		for _, c := range set.Content {
			out = append(out, g.sets(c)...)
			g.bound(len(out), set)
		}
		return out
	}
	return [][]int{g.row(n)}
}

func (g *groupClause) rows(set *pg.GroupingSet) [][]int {
	var out [][]int
	for _, c := range set.Content {
		out = append(out, g.row(c))
	}
	return out
}

func (g *groupClause) rollup(set *pg.GroupingSet) [][]int {
	rows := g.rows(set)
	out := [][]int{}
	for n := len(rows); n >= 0; n-- {
		out = append(out, slices.Concat(rows[:n]...))
	}
	return out
}

func (g *groupClause) cube(set *pg.GroupingSet) [][]int {
	rows := g.rows(set)
	if len(rows) > maxCube {
		g.list.scope.fail(int(set.Location), tooManyColumns, "CUBE is limited to %d elements", maxCube)
	}
	out := [][]int{}
	for mask := 1<<len(rows) - 1; mask >= 0; mask-- {
		var one []int
		for i, r := range rows {
			if mask>>(len(rows)-1-i)&1 != 0 {
				one = append(one, r...)
			}
		}
		out = append(out, one)
	}
	return out
}

func (g *groupClause) bound(n int, set *pg.GroupingSet) {
	if n > maxGroupingSets {
		g.list.scope.fail(int(set.GetLocation()), pgerr.StatementTooComplex, "too many grouping sets present (maximum %d)", maxGroupingSets)
	}
}

// product joins every set of one item with every set of another.
func (g *groupClause) product(a, b [][]int, n *pg.Node) [][]int {
	g.bound(len(a)*len(b), n.GetGroupingSet())
	out := make([][]int, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, slices.Concat(x, y))
		}
	}
	return out
}

func ascending(set []int) []int {
	slices.Sort(set)
	return slices.Compact(set)
}

func unique(sets [][]int) [][]int {
	var out [][]int
	for _, s := range sets {
		if !slices.ContainsFunc(out, func(o []int) bool { return slices.Equal(o, s) }) {
			out = append(out, s)
		}
	}
	return out
}

// grouper puts grouping keys in place of what is grouped by, above the grouping.
type grouper struct {
	*scope
	keys   []query.GroupKey
	common []int // the keys of all sets
	direct bool  // inside the direct arguments of an ordered-set aggregate
}

// checkGrouping makes a grouped query of this one: what stands above the grouping may
// use only keys, what depends on them, and aggregates (parseCheckAggregates).
func (s *scope) checkGrouping(group []query.SortKey, sets [][]int) {
	q := s.q
	g := &grouper{scope: s}
	for i, k := range group {
		g.keys = append(g.keys, query.GroupKey{Expr: q.Targets[k.Target].Expr, Equal: k.Equal})
		if everyHas(sets, i) {
			g.common = append(g.common, i)
		}
	}
	q.Grouped, q.Sets = true, sets
	if s.aggregates && s.hasSelfReference() {
		s.fail(s.firstAggregate(), invalidRecursion, "aggregate functions are not allowed in a recursive query's recursive term")
	}
	for i := range q.Targets {
		// A target that is itself a key is that one, not another that is written the
		// same and that a grouping set may leave out.
		if n := slices.IndexFunc(group, func(k query.SortKey) bool { return k.Target == i }); n >= 0 {
			q.Targets[i].Expr = g.key(n, q.Targets[i].Expr)
			continue
		}
		q.Targets[i].Expr = g.replace(q.Targets[i].Expr, 0)
	}
	if q.Having != nil {
		q.Having = g.replace(q.Having, 0)
	}
	q.Group = g.keys
}

func everyHas(sets [][]int, key int) bool {
	for _, s := range sets {
		if !slices.Contains(s, key) {
			return false
		}
	}
	return true
}

func (s *scope) hasSelfReference() bool {
	return slices.ContainsFunc(s.q.Relations, func(r *query.Relation) bool { return r.Self })
}

func (s *scope) firstAggregate() int {
	at := -1
	for _, e := range query.Expressions(s.q) {
		query.Walk(e, func(x query.Expr, depth int) bool {
			if a, ok := x.(*query.Aggregate); ok && a.Levels == depth && at < 0 {
				at = a.At
			}
			return at < 0
		})
	}
	return at
}

// replace gives the form above the grouping of an expression that stands depth
// sub-queries below it.
func (g *grouper) replace(e query.Expr, depth int) query.Expr {
	return query.Map(e, func(x query.Expr) query.Expr { return g.node(x, depth) })
}

func (g *grouper) node(e query.Expr, depth int) query.Expr {
	g.enter()
	defer g.leave()
	if depth == 0 {
		if k := g.keyOf(e); k != nil {
			return k
		}
	}
	switch x := e.(type) {
	case *query.Column:
		return g.column(x, depth)
	case *query.Aggregate:
		return g.aggregate(x, depth)
	case *query.Grouping:
		return g.grouping(x, depth)
	case *query.Subquery:
		return g.subquery(x, depth)
	}
	return nil
}

func (g *grouper) keyOf(e query.Expr) query.Expr {
	for i, k := range g.keys {
		if !k.Dependent && query.Equal(e, k.Expr) {
			return g.key(i, e)
		}
	}
	return nil
}

func (g *grouper) key(number int, e query.Expr) query.Expr {
	return &query.Key{Node: query.Node{OID: e.Type(), Mod: e.Typmod(), At: e.Pos()}, Number: number}
}

// subquery replaces references from inside a sub-query.
func (g *grouper) subquery(x *query.Subquery, depth int) query.Expr {
	query.Replace(x.Query, depth+1, g.replace)
	out := *x
	if x.Test != nil {
		out.Test = g.replace(x.Test, depth)
	}
	return &out
}

func (g *grouper) column(c *query.Column, depth int) query.Expr {
	if c.Levels != depth {
		return c
	}
	for i, k := range g.keys {
		if o, ok := k.Expr.(*query.Column); ok && o.Levels == 0 && o.Relation == c.Relation && o.Attribute == c.Attribute {
			return &query.Key{Node: c.Node, Levels: depth, Number: i}
		}
	}
	if g.depends(c.Relation) {
		own := *c
		own.Levels = 0
		g.keys = append(g.keys, query.GroupKey{Expr: &own, Dependent: true})
		return &query.Key{Node: c.Node, Levels: depth, Number: len(g.keys) - 1}
	}
	g.ungrouped(c, depth)
	return nil
}

// depends reports whether the keys of all sets include the primary key of a table.
func (g *grouper) depends(relation int) bool {
	r := g.q.Relations[relation]
	if r.Kind != query.BaseTable || len(r.Table.Key) == 0 {
		return false
	}
	for _, attribute := range r.Table.Key {
		found := slices.ContainsFunc(g.common, func(i int) bool {
			c, ok := g.keys[i].Expr.(*query.Column)
			return ok && c.Levels == 0 && c.Relation == relation && c.Attribute == attribute
		})
		if !found {
			return false
		}
	}
	return true
}

func (g *grouper) ungrouped(c *query.Column, depth int) {
	r := g.q.Relations[c.Relation]
	name := "*"
	if c.Attribute >= 0 {
		name = r.Columns[c.Attribute].Name
	}
	e := pgerr.New(pgerr.GroupingError, "column \"%s.%s\" must appear in the GROUP BY clause or be used in an aggregate function", r.Name, name)
	if depth > 0 {
		e = pgerr.New(pgerr.GroupingError, "subquery uses ungrouped column \"%s.%s\" from outer query", r.Name, name)
	}
	if g.direct {
		e = e.WithDetail("Direct arguments of an ordered-set aggregate must use only grouped columns.")
	}
	g.raise(c.At, e)
}

// aggregate leaves the arguments of an aggregate below the grouping; the direct ones
// stand above.
func (g *grouper) aggregate(x *query.Aggregate, depth int) query.Expr {
	if x.Levels < depth {
		return nil
	}
	if x.Levels > depth || len(x.Direct) == 0 {
		return x
	}
	out := query.Copy(x).(*query.Aggregate)
	old := g.direct
	g.direct = true
	for i := range out.Direct {
		out.Direct[i] = g.replace(out.Direct[i], depth)
	}
	g.direct = old
	return out
}

func (g *grouper) grouping(x *query.Grouping, depth int) query.Expr {
	if x.Levels != depth {
		if x.Levels > depth {
			return x
		}
		return nil
	}
	out := query.Copy(x).(*query.Grouping)
	out.Keys = nil
	for _, a := range x.Args {
		n := slices.IndexFunc(g.keys, func(k query.GroupKey) bool { return !k.Dependent && g.sameKey(a, k.Expr, depth) })
		if n < 0 {
			g.fail(a.Pos(), pgerr.GroupingError, "arguments to GROUPING must be grouping expressions of the associated query level")
		}
		out.Keys = append(out.Keys, n)
	}
	return out
}

func (g *grouper) sameKey(e, key query.Expr, depth int) bool {
	if c, ok := e.(*query.Column); ok && c.Levels == depth {
		o, ok := key.(*query.Column)
		return ok && o.Relation == c.Relation && o.Attribute == c.Attribute
	}
	return depth == 0 && query.Equal(e, key)
}
