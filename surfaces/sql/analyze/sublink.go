//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// subLink analyses a sub-query in an expression.
func (s *scope) subLink(l *pg.SubLink) query.Expr {
	at := int(l.Location)
	switch l.SubLinkType {
	case pg.SubLinkType_EXISTS_SUBLINK:
		q := s.statement(s, l.Subselect)
		return &query.Subquery{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: at}, Kind: query.Exists, Query: q}
	case pg.SubLinkType_EXPR_SUBLINK, pg.SubLinkType_ARRAY_SUBLINK:
		return s.scalarSubLink(l, at)
	case pg.SubLinkType_ANY_SUBLINK, pg.SubLinkType_ALL_SUBLINK:
		name := "="
		if len(l.OperName) > 0 {
			name, _ = operatorName(l.OperName)
		}
		kind := query.Any
		if l.SubLinkType == pg.SubLinkType_ALL_SUBLINK {
			kind = query.All
		}
		return s.subLinkOf(kind, l, l.Testexpr, name, at)
	}
	s.unsupported(at, "this kind of sub-query")
	return nil
}

func (s *scope) scalarSubLink(l *pg.SubLink, at int) query.Expr {
	q := s.statement(s, l.Subselect)
	s.named(l, q)
	if q.Visible() != 1 {
		s.fail(at, pgerr.SyntaxError, "subquery must return only one column")
	}
	e := q.Outputs()[0].Expr
	if l.SubLinkType == pg.SubLinkType_EXPR_SUBLINK {
		return &query.Subquery{Node: query.Node{OID: e.Type(), Mod: e.Typmod(), At: at}, Kind: query.Scalar, Query: q}
	}
	t := e.Type()
	if s.cat.ArrayOf(t) != 0 || s.cat.ElementOf(t) == 0 {
		t = s.arrayOf(t, at)
	}
	return &query.Subquery{Node: query.Node{OID: t, Mod: e.Typmod(), At: at}, Kind: query.ArrayOf, Query: q}
}

// subLinkOf compares a value or a row with the rows of a sub-query.
func (s *scope) subLinkOf(kind query.SubqueryKind, l *pg.SubLink, test *pg.Node, name string, at int) query.Expr {
	var left []query.Expr
	position := int(l.Location)
	q := s.statement(s, l.Subselect)
	e := s.expr(test)
	if row, ok := e.(*query.Row); ok && test.GetRowExpr() != nil {
		left = row.Fields
	} else {
		left = []query.Expr{e}
	}
	var right []query.Expr
	for i, t := range q.Outputs() {
		if !t.Hidden {
			right = append(right, &query.Output{Node: query.Node{OID: t.Expr.Type(), Mod: t.Expr.Typmod(), At: -1}, Number: i})
		}
	}
	if kind == query.RowComparison {
		position = at
	}
	switch {
	case len(left) < len(right):
		s.fail(position, pgerr.SyntaxError, "subquery has too many columns")
	case len(left) > len(right):
		s.fail(position, pgerr.SyntaxError, "subquery has too few columns")
	}
	cmp := s.rowComparison(name, left, right, position)
	return &query.Subquery{Node: query.Node{OID: pgcat.Bool, Mod: -1, At: leftmost(e.Pos(), position)}, Kind: kind, Query: q, Test: cmp}
}
