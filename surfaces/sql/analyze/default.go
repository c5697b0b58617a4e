//go:build cgo

package analyze

import (
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// ColumnDefault is the type of a column and its default, converted to it.
type ColumnDefault struct {
	Type   pgcat.OID
	Typmod int32
	Value  query.Expr
}

// Default reads a column's type and default from a statement of the form SELECT
// CAST(NULL AS type), (expression).
func Default(source string, stmt guard.Statement, o Options) (d *ColumnDefault, err error) {
	a := &analyzer{Options: o, source: source, cat: pgcat.Default()}
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, a.recovered(p)
		}
	}()
	s := newScope(a, nil)
	s.keepUnknown = true
	q := s.statementIn(s, stmt.Node)
	if len(q.Targets) != 2 || len(q.From) > 0 || s.aggregates || s.windows || q.HasSets || q.Kind != query.Select {
		a.fail(-1, pgerr.SyntaxError, "a default is one expression without columns, aggregates and sets")
	}
	t, mod := q.Targets[0].Expr.Type(), q.Targets[0].Expr.Typmod()
	v := s.convert(q.Targets[1].Expr, t, mod, pgcat.Assignment, -1)
	if v == nil {
		a.fail(-1, pgerr.DatatypeMismatch, "the default is of type %s, not %s", a.cat.FormatType(q.Targets[1].Expr.Type()), a.cat.FormatType(t))
	}
	return &ColumnDefault{Type: t, Typmod: mod, Value: v}, nil
}
