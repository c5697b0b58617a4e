//go:build cgo

package analyze

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// setOperation analyses UNION, INTERSECT and EXCEPT.
func (s *scope) setOperation(x *pg.SelectStmt) *query.Query {
	q := s.q
	s.withClause(x.WithClause)
	bare := &pg.SelectStmt{Op: x.Op, All: x.All, Larg: x.Larg, Rarg: x.Rarg}
	tree := s.setNode(bare, true)
	q.SetOp = tree.node
	r := &query.Relation{Kind: query.SetRelation, Name: "*SETOP*", At: -1, Columns: tree.node.Columns}
	it := s.add(r)
	it.relVisible = false
	for i, c := range it.columns {
		c.expr.(*query.Column).At = tree.at[i]
	}
	list := &targetList{scope: s}
	for i, c := range it.columns {
		list.targets = append(list.targets, query.Target{Expr: s.reference(c.expr, 0, tree.at[i]), Name: c.name, Attribute: -1})
	}
	s.orderSet(list, it, x)
	s.limits(x)
	q.Targets = list.targets
	return q
}

// orderSet sorts the whole by result columns alone.
func (s *scope) orderSet(list *targetList, it *item, x *pg.SelectStmt) {
	names, n := s.names, len(list.targets)
	s.names = []*item{it}
	s.q.Order = list.sort(x.SortClause, inOrderBy, false)
	s.names = names
	if len(list.targets) > n {
		s.raise(list.targets[n].Expr.Pos(), pgerr.New(pgerr.FeatureNotSupported, "invalid UNION/INTERSECT/EXCEPT ORDER BY clause").
			WithDetail("Only result column names can be used, not expressions or functions.").
			WithHint("Add the expression/function to every SELECT, or move the UNION into a FROM clause."))
	}
}

// setTree is a node of a set operation with what its columns are made of.
type setTree struct {
	node *query.SetOp
	expr []query.Expr // of each column: what decides its type
	at   []int        // of each column: where the leftmost branch has it
	leaf *targetList
}

func (s *scope) setNode(x *pg.SelectStmt, top bool) *setTree {
	s.enter()
	defer s.leave()
	if x.IntoClause != nil {
		s.fail(int(x.IntoClause.GetRel().GetLocation()), pgerr.SyntaxError, "INTO is only allowed on first SELECT of UNION/INTERSECT/EXCEPT")
	}
	plain := x.Op == pg.SetOperation_SETOP_NONE || x.Op == pg.SetOperation_SET_OPERATION_UNDEFINED
	if plain || len(x.SortClause) > 0 || x.LimitOffset != nil || x.LimitCount != nil || len(x.LockingClause) > 0 || x.WithClause != nil {
		return s.setLeaf(x)
	}
	name := map[pg.SetOperation]string{pg.SetOperation_SETOP_UNION: "UNION", pg.SetOperation_SETOP_INTERSECT: "INTERSECT", pg.SetOperation_SETOP_EXCEPT: "EXCEPT"}[x.Op]
	op := map[string]query.SetOpKind{"UNION": query.Union, "INTERSECT": query.Intersect, "EXCEPT": query.Except}[name]
	left := s.setNode(x.Larg, false)
	if top && s.parentCTE != nil && s.parentCTE.recursive {
		s.parentCTE.settle(left)
	}
	right := s.setNode(x.Rarg, false)
	if len(left.expr) != len(right.expr) {
		s.fail(firstPos(right.expr), pgerr.SyntaxError, "each %s query must have the same number of columns", name)
	}
	out := &setTree{node: &query.SetOp{Op: op, All: x.All, Left: left.node, Right: right.node}}
	for i := range left.expr {
		s.unite(out, left, right, i, name, op == query.Union && x.All)
	}
	left.convert(s, out)
	right.convert(s, out)
	return out
}

// unite gives a column of the two sides one type.
func (s *scope) unite(out, left, right *setTree, i int, name string, all bool) {
	l, r := left.expr[i], right.expr[i]
	t := s.common([]query.Expr{l, r}, name)
	best := l
	if l.Type() != t && r.Type() == t || l.Type() == pgcat.Unknown && r.Type() != pgcat.Unknown {
		best = r
	}
	l, r = left.settleColumn(s, i, t, name), right.settleColumn(s, i, t, name)
	mod := commonMod([]query.Expr{l, r}, t)
	c := query.ResultColumn{Name: left.node.Columns[i].Name, Type: t, Mod: mod}
	out.node.Columns = append(out.node.Columns, c)
	out.at = append(out.at, left.at[i])
	out.expr = append(out.expr, &query.Column{Node: query.Node{OID: t, Mod: mod, At: best.Pos()}, Attribute: i})
	if !all {
		less, equal := s.equalityOf(t, best.Pos())
		out.node.Keys = append(out.node.Keys, query.SortKey{Target: i, Operator: less, Equal: equal})
	}
}

// settleColumn converts a column of a side; a literal of open type is read in the
// branch itself.
func (t *setTree) settleColumn(s *scope, i int, to pgcat.OID, name string) query.Expr {
	e := t.expr[i]
	r := s.toCommon(e, to, name)
	if e.Type() == pgcat.Unknown && t.leaf != nil {
		t.leaf.targets[i].Expr = r
		t.node.Columns[i].Type = to
		t.expr[i] = r
		return r
	}
	return r
}

// convert notes how a side's columns become those of the node above.
func (t *setTree) convert(s *scope, above *setTree) {
	changed := false
	out := make([]query.Expr, len(t.node.Columns))
	for i, c := range t.node.Columns {
		var e query.Expr = &query.Output{Node: query.Node{OID: c.Type, Mod: c.Mod, At: -1}, Number: i}
		if want := above.node.Columns[i].Type; want != c.Type {
			e = s.coerce(e, want, -1, pgcat.Implicit, -1)
			changed = true
		}
		out[i] = e
	}
	if changed {
		t.node.Convert = out
	}
}

// setLeaf analyses a branch as a query of its own.
func (s *scope) setLeaf(x *pg.SelectStmt) *setTree {
	sub := newScope(s.analyzer, s)
	sub.keepUnknown = true
	q := s.statementIn(sub, &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: x}})
	if len(s.names) > 0 {
		s.selfContained(q)
	}
	t := &setTree{node: &query.SetOp{Query: q}, leaf: &targetList{scope: sub, targets: q.Targets}}
	hidden := &query.Relation{Kind: query.SubqueryRelation, Name: fmt.Sprintf("*SELECT* %d", len(s.branches)+1), Query: q}
	branch := &item{rel: hidden, name: hidden.Name}
	for _, target := range q.Targets {
		if target.Hidden {
			continue
		}
		t.node.Columns = append(t.node.Columns, query.ResultColumn{Name: target.Name, Type: target.Expr.Type(), Mod: target.Expr.Typmod()})
		t.expr = append(t.expr, target.Expr)
		t.at = append(t.at, target.Expr.Pos())
		branch.columns = append(branch.columns, itemColumn{target.Name, target.Expr})
	}
	s.branches = append(s.branches, branch)
	return t
}

func (s *scope) selfContained(q *query.Query) {
	query.WalkQuery(q, func(e query.Expr, depth int) bool {
		if c, ok := e.(*query.Column); ok && c.Levels == depth+1 {
			s.fail(c.At, invalidColumnReference, "UNION/INTERSECT/EXCEPT member statement cannot refer to other relations of same query level")
		}
		return true
	})
}
