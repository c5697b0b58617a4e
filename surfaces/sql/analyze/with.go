//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// cte is a WITH query as names refer to it.
type cte struct {
	owner     *scope
	number    int
	node      *pg.CommonTableExpr
	out       *query.CTE
	recursive bool // it refers to itself
	settled   bool // its columns are known
	aliases   []string
}

// withClause analyses WITH.
func (s *scope) withClause(w *pg.WithClause) {
	if w == nil {
		return
	}
	s.q.Recursive = w.Recursive
	var list []*cte
	for _, n := range w.Ctes {
		list = append(list, s.declareCTE(n.GetCommonTableExpr(), list))
	}
	if !w.Recursive {
		for i, c := range list {
			s.future = list[i:]
			s.enlist(c)
			s.analyseCTE(c)
			s.ctes = append(s.ctes, c)
		}
		s.future = nil
		return
	}
	s.recursiveCTEs(list)
}

func (s *scope) declareCTE(x *pg.CommonTableExpr, before []*cte) *cte {
	at := int(x.Location)
	for _, c := range before {
		if c.node.Ctename == x.Ctename {
			s.fail(at, duplicateAlias, "WITH query name \"%s\" specified more than once", x.Ctename)
		}
	}
	if x.Ctequery.GetSelectStmt() == nil {
		if x.Ctequery.GetMergeStmt() != nil {
			s.unsupported(at, "MERGE")
		}
		if s.parent != nil {
			s.fail(at, pgerr.FeatureNotSupported, "WITH clause containing a data-modifying statement must be at the top level")
		}
		s.q.HasModifier = true
	}
	if x.SearchClause != nil {
		s.unsupported(int(x.SearchClause.Location), "the SEARCH clause")
	}
	if x.CycleClause != nil {
		s.unsupported(int(x.CycleClause.Location), "the CYCLE clause")
	}
	out := &query.CTE{Name: x.Ctename, At: at}
	switch x.Ctematerialized {
	case pg.CTEMaterialize_CTEMaterializeAlways:
		out.Materialized = query.Always
	case pg.CTEMaterialize_CTEMaterializeNever:
		out.Materialized = query.Never
	}
	return &cte{owner: s, node: x, out: out, aliases: names(x.Aliascolnames)}
}

func (s *scope) enlist(c *cte) {
	c.number = len(s.q.CTEs)
	s.q.CTEs = append(s.q.CTEs, c.out)
}

func (s *scope) cteNumber(n int) *cte {
	for _, c := range s.ctes {
		if c.number == n {
			return c
		}
	}
	return nil
}

// findCTE finds a WITH query by its name.
func (s *scope) findCTE(name string) (*cte, int) {
	levels := 0
	for x := s; x != nil; x = x.parent {
		for _, c := range x.ctes {
			if c.node.Ctename == name {
				return c, levels
			}
		}
		levels++
	}
	return nil, 0
}

func (s *scope) futureCTE(name string) bool {
	for x := s; x != nil; x = x.parent {
		for _, c := range x.future {
			if c.node.Ctename == name {
				return true
			}
		}
	}
	return false
}

// cteReference makes a relation of a reference to a WITH query.
func (s *scope) cteReference(c *cte, levels int, v *pg.RangeVar) *item {
	at := int(v.Location)
	self := c.out.Query == nil
	if !self && c.out.Query.Kind != query.Select && len(c.out.Query.Returning) == 0 {
		s.fail(at, pgerr.FeatureNotSupported, "WITH query \"%s\" does not have a RETURNING clause", c.node.Ctename)
	}
	c.out.References++
	r := &query.Relation{Kind: query.CTERelation, Name: v.Relname, CTE: c.number, CTELevels: levels, Self: self, At: at}
	r.Columns = append(r.Columns, c.out.Columns...)
	s.rename(r, v.Alias)
	if v.Alias == nil {
		r.Alias = false
	}
	return s.add(r)
}

// analyseCTE analyses the body of a WITH query.
func (s *scope) analyseCTE(c *cte) {
	sub := newScope(s.analyzer, s)
	if c.recursive {
		sub.parentCTE = c
	}
	q := s.statementIn(sub, c.node.Ctequery)
	if c.recursive && c.settled {
		c.compare(s, q)
	} else {
		c.describe(s, resultColumns(q))
	}
	c.out.Query, c.out.Recursive = q, c.recursive
}

// settle takes the columns of a recursive query from its first branch.
func (c *cte) settle(left *setTree) {
	if c.settled {
		return
	}
	columns := append([]query.ResultColumn{}, left.node.Columns...)
	c.describe(c.owner, columns)
	c.settled = true
}

// describe gives the query's columns their names and types (analyzeCTETargetList).
func (c *cte) describe(s *scope, columns []query.ResultColumn) {
	if len(c.aliases) > len(columns) {
		s.fail(int(c.node.Location), invalidColumnReference, "WITH query \"%s\" has %d columns available but %d columns specified", c.node.Ctename, len(columns), len(c.aliases))
	}
	for i := range columns {
		if i < len(c.aliases) {
			columns[i].Name = c.aliases[i]
		}
		if columns[i].Type == pgcat.Unknown {
			columns[i].Type = pgcat.Text
		}
	}
	c.out.Columns = columns
}

// compare checks that the whole has the types that the first branch promised.
func (c *cte) compare(s *scope, q *query.Query) {
	for i, t := range resultColumns(q) {
		was := c.out.Columns[i]
		if t.Type != was.Type || t.Mod != was.Mod {
			e := pgerr.New(pgerr.DatatypeMismatch, "recursive query \"%s\" column %d has type %s in non-recursive term but type %s overall",
				c.node.Ctename, i+1, s.typeText(was.Type, was.Mod), s.typeText(t.Type, t.Mod))
			s.raise(q.Targets[i].Expr.Pos(), e.WithHint("Cast the output of the non-recursive term to the correct type."))
		}
	}
}

// recursiveCTEs analyses WITH RECURSIVE, whose queries may refer to one another in
// any order but not in a circle.
func (s *scope) recursiveCTEs(list []*cte) {
	refs := make([]map[int]bool, len(list))
	for i, c := range list {
		refs[i] = references(c.node.Ctequery, list)
		c.recursive = refs[i][i]
	}
	order := s.sortCTEs(list, refs)
	for _, c := range order {
		if c.recursive {
			s.checkRecursion(c)
		}
	}
	for _, c := range order {
		s.enlist(c)
		s.ctes = append(s.ctes, c)
	}
	for _, c := range order {
		s.analyseCTE(c)
	}
}

// sortCTEs puts each query after those it refers to.
func (s *scope) sortCTEs(list []*cte, refs []map[int]bool) []*cte {
	done := make([]bool, len(list))
	var order []*cte
	for len(order) < len(list) {
		next := -1
		for i := range list {
			if !done[i] && ready(refs[i], i, done) {
				next = i
				break
			}
		}
		if next < 0 {
			for i, d := range done {
				if !d {
					s.fail(int(list[i].node.Location), pgerr.FeatureNotSupported, "mutual recursion between WITH items is not implemented")
				}
			}
		}
		done[next] = true
		order = append(order, list[next])
	}
	return order
}

func ready(refs map[int]bool, self int, done []bool) bool {
	for r := range refs {
		if r != self && !done[r] {
			return false
		}
	}
	return true
}

// references finds which of the queries a statement refers to.
func references(n *pg.Node, list []*cte) map[int]bool {
	out := map[int]bool{}
	for i, c := range list {
		if len(find(n, c.node.Ctename)) > 0 {
			out[i] = true
		}
	}
	return out
}

// find lists the places where a tree refers to a WITH query, without those where
// an inner WITH has given the name another meaning.
func find(n *pg.Node, name string) []*pg.RangeVar {
	var out []*pg.RangeVar
	if n != nil {
		findIn(n.ProtoReflect(), name, &out)
	}
	return out
}

func findIn(m protoreflect.Message, name string, out *[]*pg.RangeVar) {
	if v, ok := m.Interface().(*pg.RangeVar); ok {
		if v.Schemaname == "" && v.Relname == name {
			*out = append(*out, v)
		}
		return
	}
	if shadows(m, name) {
		return
	}
	m.Range(func(_ protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch x := v.Interface().(type) {
		case protoreflect.Message:
			findIn(x, name, out)
		case protoreflect.List:
			for i := range x.Len() {
				if c, ok := x.Get(i).Interface().(protoreflect.Message); ok {
					findIn(c, name, out)
				}
			}
		}
		return true
	})
}

func shadows(m protoreflect.Message, name string) bool {
	var w *pg.WithClause
	switch x := m.Interface().(type) {
	case *pg.SelectStmt:
		w = x.WithClause
	case *pg.InsertStmt:
		w = x.WithClause
	case *pg.UpdateStmt:
		w = x.WithClause
	case *pg.DeleteStmt:
		w = x.WithClause
	}
	return shadowed(w, name)
}
