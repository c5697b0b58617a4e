//go:build cgo

package engine

import (
	"context"
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/exec"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Session runs statements one after another, with a transaction that BEGIN opens.
// It is for one goroutine at a time.
type Session struct {
	db     *DB
	tx     *transaction
	failed bool // a statement of the transaction has failed
}

// Session starts a session.
func (d *DB) Session() *Session { return &Session{db: d} }

// Query runs one statement outside any transaction. Params are the values of $1…;
// see [DB.Insert] for what they may be. The error is a *[pgerr.Error] or, when a
// limit was reached, a *[sandbox.Fault]; pgerr.From finds the former in either.
func (d *DB) Query(ctx context.Context, sql string, params ...any) (*Result, error) {
	return d.Session().Query(ctx, sql, params...)
}

// Query runs one statement.
func (s *Session) Query(ctx context.Context, sql string, params ...any) (*Result, error) {
	e, err := s.db.environment(ctx)
	if err != nil {
		return nil, err
	}
	return s.run(e, sql, params)
}

// QueryWith runs one statement on the account of a meter.
func (s *Session) QueryWith(m *sandbox.Meter, sql string, params ...any) (*Result, error) {
	return s.run(s.db.environmentOf(m), sql, params)
}

func (s *Session) run(e *fn.Env, sql string, params []any) (r *Result, err error) {
	// A defect of ours ends the statement, not the host.
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, s.fail(pgerr.New("XX000", "internal error: %v", p))
		}
	}()
	limits := guard.DefaultLimits()
	if s.db.options.Source > 0 {
		limits.Bytes = s.db.options.Source
	}
	list, fault := guard.Parse(sql, limits)
	if fault != nil {
		return nil, s.fail(unwrap(fault))
	}
	switch len(list) {
	case 0:
		return &Result{env: e}, nil
	case 1:
		r, err := s.one(e, sql, list[0], params)
		return r, s.fail(err)
	}
	return nil, s.fail(pgerr.New(pgerr.SyntaxError, "cannot insert multiple commands into a prepared statement"))
}

// unwrap gives the error of a fault that the guard made of one.
func unwrap(f *sandbox.Fault) error {
	if e := pgerr.From(f); e != nil {
		return e
	}
	return f
}

// fail notes that a statement of a transaction has failed.
func (s *Session) fail(err error) error {
	if err != nil && s.tx != nil {
		s.failed = true
	}
	return err
}

const inFailedTransaction pgerr.Code = "25P02"

func (s *Session) one(e *fn.Env, sql string, stmt guard.Statement, params []any) (*Result, error) {
	switch stmt.Kind {
	case guard.Begin, guard.Commit, guard.Rollback:
		return s.transact(e, stmt.Kind)
	}
	if s.failed {
		return nil, pgerr.New(inFailedTransaction, "current transaction is aborted, commands ignored until end of transaction block")
	}
	if stmt.Kind == guard.Explain {
		return nil, pgerr.New(pgerr.FeatureNotSupported, "EXPLAIN is not supported")
	}
	return s.execute(e, sql, stmt, params)
}

// transact begins or ends a transaction. As on the server, the end of a failed one is
// a rollback whichever word asks for it.
func (s *Session) transact(e *fn.Env, k guard.Kind) (*Result, error) {
	tx, failed := s.tx, s.failed
	if k == guard.Begin {
		if tx == nil {
			s.tx = s.db.begin()
		}
		return &Result{Tag: "BEGIN", env: e}, nil
	}
	s.tx, s.failed = nil, false
	if k == guard.Rollback || failed {
		return &Result{Tag: "ROLLBACK", env: e}, nil
	}
	if tx != nil {
		if err := s.db.commit(tx); err != nil {
			return nil, err
		}
	}
	return &Result{Tag: "COMMIT", env: e}, nil
}

func (s *Session) execute(e *fn.Env, sql string, stmt guard.Statement, params []any) (*Result, error) {
	v := s.db.look(s.tx)
	a, err := analyze.Statement(sql, stmt, analyze.Options{Schema: v, Input: inputOf(e), Params: typesOf(params), Meter: e.Meter})
	if err != nil {
		return nil, err
	}
	if err := printable(a.Query); err != nil {
		return nil, err
	}
	values, err := bind(e, a.Params, params)
	if err != nil {
		return nil, err
	}
	p, err := plan.New(a.Query, plan.Options{Env: e, Params: values, Count: countOf})
	if err != nil {
		return nil, err
	}
	r, err := drain(e, p)
	if err != nil {
		return nil, err
	}
	describe(r, a.Query)
	return r, s.finish(e, v)
}

// printable refuses, before anything is done, a result that could not be shown.
func printable(q *query.Query) error {
	for _, t := range q.Outputs() {
		if _, ok := fn.OutputOf(t.Expr.Type()); !ok && !t.Hidden {
			return pgerr.New(pgerr.FeatureNotSupported, "printing values of the type %s is not supported", pgcat.Default().FormatType(t.Expr.Type()))
		}
	}
	return nil
}

// finish applies what the statement asked for.
func (s *Session) finish(e *fn.Env, v *view) error {
	changed := map[*Table]*version{}
	for t, snap := range v.open {
		if !snap.dirty() {
			continue
		}
		next, err := snap.result(e)
		if err != nil {
			return err
		}
		changed[t] = next
	}
	if len(changed) == 0 {
		return nil
	}
	return s.db.apply(s.tx, changed, v.base)
}

func countOf(t *query.Table) int {
	if s, ok := t.Source.(exec.Source); ok {
		return s.Count()
	}
	return -1
}

// inputOf reads literals for the analysis.
func inputOf(e *fn.Env) analyze.Input {
	return func(t pgcat.OID, text string, typmod int32) (any, *pgerr.Error) {
		in, ok := fn.InputOf(t)
		if !ok {
			return nil, pgerr.New(pgerr.FeatureNotSupported, "reading values of the type %s is not supported", pgcat.Default().FormatType(t))
		}
		return in(e, text, typmod)
	}
}

// typesOf says what is known of parameters' types beforehand: only a value that
// carries its type tells it.
func typesOf(params []any) []pgcat.OID {
	var out []pgcat.OID
	for _, p := range params {
		t := pgcat.OID(0)
		if d, ok := p.(vector.Datum); ok {
			t = d.Type
		}
		out = append(out, t)
	}
	return out
}

const undefinedParameters pgerr.Code = "08P01"

// bind gives the parameters the types that the statement wants.
func bind(e *fn.Env, types []pgcat.OID, params []any) ([]vector.Datum, error) {
	if len(params) != len(types) {
		return nil, pgerr.New(undefinedParameters, "bind message supplies %d parameters, but prepared statement \"\" requires %d", len(params), len(types)).
			WithHint("Give as many values as the statement has parameters, $1 to $%d.", len(types))
	}
	out := make([]vector.Datum, len(types))
	for i, t := range types {
		if t == 0 {
			t = pgcat.Text
		}
		d, err := datumOf(e, t, -1, params[i])
		if err != nil {
			return nil, fmt.Errorf("parameter $%d: %w", i+1, err)
		}
		out[i] = d
	}
	return out, nil
}

// describe gives a result its columns and its tag.
func describe(r *Result, q *query.Query) {
	for _, t := range q.Outputs() {
		if !t.Hidden {
			r.Columns = append(r.Columns, ResultColumn{Name: t.Name, OID: t.Expr.Type(), Typmod: t.Expr.Typmod(), Type: analyze.ColumnType(q, t.Expr)})
		}
	}
	switch q.Kind {
	case query.Insert:
		r.Tag = fmt.Sprintf("INSERT 0 %d", r.Changed)
	case query.Update:
		r.Tag = fmt.Sprintf("UPDATE %d", r.Changed)
	case query.Delete:
		r.Tag = fmt.Sprintf("DELETE %d", r.Changed)
	default:
		r.Tag = fmt.Sprintf("SELECT %d", r.rows)
	}
}

// define makes a table of its description.
func (d *DB) define(spec TableSpec) (*Table, error) {
	e := d.environmentOf(unmetered())
	shape := &query.Table{Schema: spec.Schema, Name: spec.Name}
	if shape.Schema == "" {
		shape.Schema = "public"
	}
	for _, c := range spec.Columns {
		column, err := defineColumn(e, c)
		if err != nil {
			return nil, fmt.Errorf("table %s, column %s: %w", spec.Name, c.Name, err)
		}
		shape.Columns = append(shape.Columns, column)
	}
	for _, name := range spec.Key {
		i := shape.Column(name)
		if i < 0 {
			return nil, fmt.Errorf("table %s has no column %s to be a key", spec.Name, name)
		}
		shape.Key = append(shape.Key, i)
		shape.Columns[i].NotNull = true
	}
	return &Table{shape: shape, current: emptyVersion(shape)}, nil
}

// defineColumn reads a column's type and default as SQL.
func defineColumn(e *fn.Env, c Column) (query.TableColumn, error) {
	out := query.TableColumn{Name: c.Name, NotNull: c.NotNull}
	text := c.Default
	if text == "" {
		text = "NULL"
	}
	source := "SELECT CAST(NULL AS " + c.Type + "), (" + text + ")"
	list, fault := guard.Parse(source, guard.Limits{})
	if fault != nil {
		return out, unwrap(fault)
	}
	if len(list) != 1 {
		return out, fmt.Errorf("the type %q and the default %q are not one type and one expression", c.Type, c.Default)
	}
	o := analyze.Options{Input: inputOf(e)}
	a, err := analyze.Default(source, list[0], o)
	if err != nil {
		return out, err
	}
	out.Type, out.Mod = a.Type, a.Typmod
	if c.Default != "" {
		out.Default = a.Value
	}
	return out, nil
}
