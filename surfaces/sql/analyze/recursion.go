//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// checkRecursion refuses a recursive query of another form than the standard's
// (checkWellFormedRecursion).
func (s *scope) checkRecursion(c *cte) {
	at, name := int(c.node.Location), c.node.Ctename
	x := c.node.Ctequery.GetSelectStmt()
	if x == nil {
		s.fail(at, invalidRecursion, "recursive query \"%s\" must not contain data-modifying statements", name)
	}
	w := &recursion{scope: s, name: name}
	if x.Op != pg.SetOperation_SETOP_UNION {
		s.fail(at, invalidRecursion, "recursive query \"%s\" does not have the form non-recursive-term UNION [ALL] recursive-term", name)
	}
	if x.WithClause != nil {
		for _, n := range x.WithClause.Ctes {
			w.refuse(n.GetCommonTableExpr().Ctequery, inSubquery)
		}
	}
	w.refuse(node(x.Larg), inFirst)
	if len(x.SortClause) > 0 {
		s.fail(rawPos(x.SortClause[0]), pgerr.FeatureNotSupported, "ORDER BY in a recursive query is not implemented")
	}
	if x.LimitOffset != nil {
		s.fail(rawPos(x.LimitOffset), pgerr.FeatureNotSupported, "OFFSET in a recursive query is not implemented")
	}
	if x.LimitCount != nil {
		s.fail(rawPos(x.LimitCount), pgerr.FeatureNotSupported, "LIMIT in a recursive query is not implemented")
	}
	w.body(x.Rarg, ok)
	if w.seen != 1 {
		s.fail(at, invalidRecursion, "recursive query \"%s\" does not have the form non-recursive-term UNION [ALL] recursive-term", name)
	}
}

// recursion walks the recursive branch of a query.
type recursion struct {
	*scope
	name string
	seen int
}

// reason is why a reference may not stand where it does.
type reason int

const (
	ok reason = iota
	inFirst
	inSubquery
	inOuterJoin
	inIntersect
	inExcept
)

var reasons = map[reason]string{
	inFirst:     "recursive reference to query \"%s\" must not appear within its non-recursive term",
	inSubquery:  "recursive reference to query \"%s\" must not appear within a subquery",
	inOuterJoin: "recursive reference to query \"%s\" must not appear within an outer join",
	inIntersect: "recursive reference to query \"%s\" must not appear within INTERSECT",
	inExcept:    "recursive reference to query \"%s\" must not appear within EXCEPT",
}

func node(x *pg.SelectStmt) *pg.Node { return &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: x}} }

// refuse raises an error when a tree refers to the query.
func (w *recursion) refuse(n *pg.Node, why reason) {
	for _, v := range find(n, w.name) {
		w.reference(v, why)
	}
}

func (w *recursion) reference(v *pg.RangeVar, why reason) {
	if why != ok {
		w.fail(int(v.Location), invalidRecursion, reasons[why], w.name)
	}
	if w.seen++; w.seen > 1 {
		w.fail(int(v.Location), invalidRecursion, "recursive reference to query \"%s\" must not appear more than once", w.name)
	}
}

func (w *recursion) body(x *pg.SelectStmt, why reason) {
	if x == nil {
		return
	}
	for _, n := range x.WithClause.GetCtes() {
		if c := n.GetCommonTableExpr(); c.Ctequery.GetSelectStmt() != nil && !shadowed(x.WithClause, w.name) {
			w.body(c.Ctequery.GetSelectStmt(), why)
		}
	}
	if shadowed(x.WithClause, w.name) {
		return
	}
	switch x.Op {
	case pg.SetOperation_SETOP_UNION:
		w.body(x.Larg, why)
		w.body(x.Rarg, why)
		return
	case pg.SetOperation_SETOP_INTERSECT:
		if !x.All {
			why = ok
		} else {
			why = inIntersect
		}
		w.body(x.Larg, why)
		w.body(x.Rarg, why)
		return
	case pg.SetOperation_SETOP_EXCEPT:
		if x.All {
			w.body(x.Larg, inExcept)
		} else {
			w.body(x.Larg, why)
		}
		w.body(x.Rarg, inExcept)
		return
	}
	for _, f := range x.FromClause {
		w.from(f, why)
	}
	rest := &pg.SelectStmt{
		TargetList: x.TargetList, WhereClause: x.WhereClause, GroupClause: x.GroupClause, HavingClause: x.HavingClause, WindowClause: x.WindowClause,
		SortClause: x.SortClause, DistinctClause: x.DistinctClause, LimitCount: x.LimitCount, LimitOffset: x.LimitOffset, ValuesLists: x.ValuesLists,
	}
	w.refuse(node(rest), inSubquery)
}

// shadowed reports whether a WITH gives a name another meaning.
func shadowed(w *pg.WithClause, name string) bool {
	for _, n := range w.GetCtes() {
		if n.GetCommonTableExpr().GetCtename() == name {
			return true
		}
	}
	return false
}

func (w *recursion) from(n *pg.Node, why reason) {
	if v := n.GetRangeVar(); v != nil {
		if v.Schemaname == "" && v.Relname == w.name {
			w.reference(v, why)
		}
		return
	}
	j := n.GetJoinExpr()
	if j == nil {
		w.nested(n, why)
		return
	}
	left, right := why, why
	switch j.Jointype {
	case pg.JoinType_JOIN_LEFT:
		right = inOuterJoin
	case pg.JoinType_JOIN_RIGHT:
		left = inOuterJoin
	case pg.JoinType_JOIN_FULL:
		left, right = inOuterJoin, inOuterJoin
	}
	w.from(j.Larg, left)
	w.from(j.Rarg, right)
	w.refuse(j.Quals, inSubquery)
}

// nested goes into a sub-query in FROM, where a reference may stand.
func (w *recursion) nested(n *pg.Node, why reason) {
	if sub := n.GetRangeSubselect(); sub != nil && sub.Subquery.GetSelectStmt() != nil {
		w.body(sub.Subquery.GetSelectStmt(), why)
		return
	}
	w.refuse(n, inSubquery)
}
