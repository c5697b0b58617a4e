//go:build cgo

package analyze

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// createTableAs analyses CREATE TABLE … AS: the query, and what its rows go into.
func (s *scope) createTableAs(x *pg.CreateTableAsStmt) *query.Query {
	if x.Objtype != pg.ObjectType_OBJECT_TABLE {
		s.unsupported(-1, "CREATE MATERIALIZED VIEW")
	}
	if x.Query.GetSelectStmt() == nil {
		s.unsupported(-1, "CREATE TABLE AS EXECUTE")
	}
	q := s.statementIn(s, x.Query)
	rel := x.Into.Rel
	q.Into = &query.Into{
		Schema: rel.Schemaname, Name: rel.Relname, Columns: names(x.Into.ColNames),
		Temporary: rel.Relpersistence == "t", IfNotExists: x.IfNotExists, WithData: !x.Into.SkipData,
	}
	if len(q.Into.Columns) > q.Visible() {
		s.fail(-1, pgerr.SyntaxError, "too many column names were specified")
	}
	return q
}
