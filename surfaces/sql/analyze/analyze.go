//go:build cgo

package analyze

import (
	"errors"
	"fmt"
	"runtime"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// maxDepth bounds how deep expressions and queries nest. The guard's own bound,
// which must have been applied, is below it.
const maxDepth = 5000

// analyzer is the analysis of one statement.
type analyzer struct {
	Options
	source string
	cat    *pgcat.Catalog
	depth  int
	params []*paramUse

	subqueryNames map[*pg.SubLink]string
}

// Statement analyses a statement that the guard let through: SELECT, INSERT,
// UPDATE, DELETE. source is the whole text that was parsed, in which positions
// count. The error is a *[pgerr.Error] or the meter's fault.
func Statement(source string, s guard.Statement, o Options) (*Result, error) {
	return Node(source, s.Node, o)
}

// Node is Statement for the tree of a statement, such as the one that EXPLAIN
// holds.
func Node(source string, n *pg.Node, o Options) (r *Result, err error) {
	a := &analyzer{Options: o, source: source, cat: pgcat.Default()}
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, a.recovered(p)
		}
	}()
	a.declareParams()
	q := a.statement(nil, n)
	types := a.resolvedParams()
	return &Result{Query: q, Params: types}, nil
}

// stop carries an error out of the analysis.
type stop struct{ err error }

// recovered gives the error that ended the analysis. A mistake of the program
// itself must not end the process for one statement.
func (a *analyzer) recovered(p any) error {
	if s, ok := p.(stop); ok {
		return s.err
	}
	if e, ok := p.(runtime.Error); ok {
		return pgerr.New(internalError, "internal error in the analysis of the statement").WithDetail("%s", e.Error())
	}
	return pgerr.New(internalError, "internal error in the analysis of the statement").WithDetail("%v", p)
}

// raise ends the analysis with an error, at a byte of the source unless it has a
// position.
func (a *analyzer) raise(at int, e *pgerr.Error) {
	if at >= 0 {
		e = e.At(pgerr.Character(a.source, at))
	}
	panic(stop{e})
}

func (a *analyzer) fail(at int, code pgerr.Code, format string, args ...any) {
	a.raise(at, pgerr.New(code, format, args...))
}

// unsupported refuses what PostgreSQL can do and this engine cannot.
func (a *analyzer) unsupported(at int, what string) {
	a.fail(at, pgerr.FeatureNotSupported, "%s is not supported", what)
}

// check raises an error that a resolver gave.
func (a *analyzer) check(at int, err *pgerr.Error) {
	if err != nil {
		a.raise(at, err)
	}
}

// enter bounds recursion and charges for a node; leave undoes it.
func (a *analyzer) enter() {
	if a.depth++; a.depth > maxDepth {
		a.raise(-1, pgerr.New(pgerr.StatementTooComplex, "stack depth limit exceeded").WithHint("Write the statement in simpler parts."))
	}
	if a.Meter == nil {
		return
	}
	if err := a.Meter.Charge(1); err != nil {
		panic(stop{err})
	}
}

func (a *analyzer) leave() { a.depth-- }

// table looks a table up.
func (a *analyzer) table(schema, name string, at int) *query.Table {
	if a.Schema == nil {
		return nil
	}
	t, err := a.Schema.Table(schema, name)
	if err != nil {
		var e *pgerr.Error
		if errors.As(err, &e) {
			a.raise(at, e)
		}
		panic(stop{err})
	}
	return t
}

// statement analyses a statement or sub-query with the given state around it.
func (a *analyzer) statement(parent *scope, n *pg.Node) *query.Query {
	return a.statementIn(newScope(a, parent), n)
}

func (a *analyzer) statementIn(s *scope, n *pg.Node) *query.Query {
	a.enter()
	defer a.leave()
	switch x := n.GetNode().(type) {
	case *pg.Node_SelectStmt:
		q := s.selectStatement(x.SelectStmt)
		if len(q.Targets) > maxRowFields {
			a.fail(-1, tooManyColumns, "target lists can have at most %d entries", maxRowFields)
		}
		return q
	case *pg.Node_InsertStmt:
		return s.insertStatement(x.InsertStmt)
	case *pg.Node_UpdateStmt:
		return s.updateStatement(x.UpdateStmt)
	case *pg.Node_DeleteStmt:
		return s.deleteStatement(x.DeleteStmt)
	case *pg.Node_CreateTableAsStmt:
		return s.createTableAs(x.CreateTableAsStmt)
	}
	a.unsupported(-1, fmt.Sprintf("a statement of the kind %T", n.GetNode()))
	return nil
}
