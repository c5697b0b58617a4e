package plan

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// cte is a WITH query of a scope.
type cte struct {
	scope     *scope
	def       *query.CTE
	number    int
	shared    *Shared
	outer     []*use     // what it takes from outside of its scope
	recursion *Recursive // while its step is planned, and after
}

// modifiers plans the WITH queries that change rows, which run in any case.
func (s *scope) modifiers() {
	for _, c := range s.ctes {
		if c.def.Query.Kind != query.Select {
			s.p.modifiers = append(s.p.modifiers, c.plan())
		}
	}
}

// find gives the WITH query that a relation names.
func (s *scope) find(r *query.Relation) *cte {
	at := s
	for n := r.CTELevels; at != nil; at = at.parent {
		if at.shifted {
			continue
		}
		if n == 0 {
			break
		}
		n--
	}
	if at == nil || r.CTE >= len(at.ctes) {
		return nil
	}
	return at.ctes[r.CTE]
}

func (s *scope) cteRelation(it *item, n int, r *query.Relation) {
	c := s.find(r)
	if c == nil {
		s.lost(&query.Column{Node: query.Node{At: r.At}})
		return
	}
	if r.Self {
		s.workingScan(it, n, r, c)
		return
	}
	if c.shared == nil && s.inlines(c) {
		s.inline(it, n, r, c)
		return
	}
	scan := &SharedScan{Of: c.plan(), Reads: s.wanted(n, r)}
	for _, i := range scan.Reads {
		s.place(it, n, i, r.Columns[i].Type)
	}
	scan.Columns = it.layout.types
	it.node, it.rows = scan, 1000
	for _, u := range c.outer {
		level := u.level + r.CTELevels
		s.passOn(level, u)
		it.uses = append(it.uses, u.param)
	}
}

// inlines reports whether a WITH query is planned where it is read, as the server
// does with those that are read once and have no effects.
func (s *scope) inlines(c *cte) bool {
	d := c.def
	if d.Recursive || d.Query.Kind != query.Select || d.Materialized == query.Always || d.Query.HasModifier {
		return false
	}
	return (d.References == 1 || d.Materialized == query.Never) && !volatileQuery(d.Query)
}

// inline plans a WITH query in the scope that it was written in.
func (s *scope) inline(it *item, n int, r *query.Relation, c *cte) {
	child := &scope{p: s.p, parent: c.scope, q: prune(c.def.Query, s.wanted(n, r))}
	it.node, it.rows = child.plan(), 1000
	for i, col := range r.Columns {
		s.place(it, n, i, col.Type)
	}
	for _, u := range child.outer {
		if u.level > 1 {
			s.passOn(u.level-1+r.CTELevels, u)
			it.uses = append(it.uses, u.param)
		}
	}
}

func (s *scope) workingScan(it *item, n int, r *query.Relation, c *cte) {
	scan := &WorkingScan{Of: c.recursion, Reads: s.wanted(n, r)}
	for _, i := range scan.Reads {
		s.place(it, n, i, r.Columns[i].Type)
	}
	scan.Columns = it.layout.types
	it.node, it.rows, it.varies = scan, 1000, true
}

// plan plans a WITH query that is run once for all that read it.
func (c *cte) plan() *Shared {
	if c.shared != nil {
		return c.shared
	}
	c.shared = &Shared{Name: c.def.Name}
	child := &scope{p: c.scope.p, parent: c.scope, q: c.def.Query}
	if c.def.Recursive {
		c.shared.Root = c.recursive(child)
	} else {
		c.shared.Root = child.plan()
	}
	for _, u := range child.outer {
		if u.level > 1 {
			c.outer = append(c.outer, &use{u.level - 1, u.expr, u.key, u.param})
			c.shared.Uses = append(c.shared.Uses, u.param)
		}
	}
	return c.shared
}

// recursive plans UNION of a first query and one that refers to the whole.
func (c *cte) recursive(child *scope) Node {
	o := c.def.Query.SetOp
	if o == nil || o.Query != nil || o.Op != query.Union || o.Left == nil || o.Right == nil {
		c.scope.p.refuse("this form of WITH RECURSIVE is not supported")
		return &One{}
	}
	child.countNeeds()
	for i, d := range c.def.Query.CTEs {
		child.ctes = append(child.ctes, &cte{scope: child, def: d, number: i})
	}
	c.recursion = &Recursive{Row: Row{columnTypes(o.Columns)}, Name: c.def.Name, Distinct: !o.All}
	c.recursion.Base = child.branch(o.Left)
	c.recursion.Step = child.branch(o.Right)
	if len(c.def.Query.Order) > 0 || c.def.Query.Limit != nil || c.def.Query.Offset != nil {
		c.scope.p.refuse("ORDER BY, LIMIT and OFFSET in a recursive query are not implemented")
	}
	if !slices.Equal(c.recursion.Columns, c.recursion.Base.Types()) || !slices.Equal(c.recursion.Columns, c.recursion.Step.Types()) {
		c.scope.p.refuse("the branches of recursive query %q have other types than the whole", c.def.Name)
	}
	return c.recursion
}
