//go:build cgo

package engine

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/analyze"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Prepared is an analysed statement over tables of the caller's own, whose rows the
// caller provides, by the tables' sources, before it runs.
type Prepared struct {
	Env    *fn.Env
	Query  *query.Query
	Params []vector.Datum
}

// Environment makes what the functions of one statement share, on the account of a
// meter.
func (d *DB) Environment(m *sandbox.Meter) *fn.Env { return d.environmentOf(m) }

// Prepare analyses a statement of a text. Params are the values of $1…; see
// [DB.Insert] for what they may be.
func Prepare(e *fn.Env, source string, stmt guard.Statement, tables analyze.Schema, params []any) (*Prepared, error) {
	a, err := analyze.Statement(source, stmt, analyze.Options{Schema: tables, Input: inputOf(e), Params: typesOf(params), Meter: e.Meter})
	if err != nil {
		return nil, err
	}
	values, err := bind(e, a.Params, params)
	if err != nil {
		return nil, err
	}
	return &Prepared{Env: e, Query: a.Query, Params: values}, nil
}

// Run plans and runs the statement.
func (p *Prepared) Run() (*Result, error) { return p.Rows(p.Query) }

// Rows runs another query over the same tables and parameters: a sub-query of the
// statement that refers to nothing outside of it.
func (p *Prepared) Rows(q *query.Query) (*Result, error) {
	made, err := plan.New(q, plan.Options{Env: p.Env, Params: p.Params, Count: countOf})
	if err != nil {
		return nil, err
	}
	r, err := drain(p.Env, made)
	if err != nil {
		return nil, err
	}
	describe(r, q)
	return r, nil
}

// Evaluate computes expressions that refer to no row.
func (p *Prepared) Evaluate(exprs []query.Expr) ([]vector.Datum, error) {
	q := &query.Query{Kind: query.Select}
	for _, e := range exprs {
		q.Targets = append(q.Targets, query.Target{Expr: e, Attribute: -1})
	}
	r, err := p.Rows(q)
	if err != nil {
		return nil, err
	}
	out := make([]vector.Datum, len(exprs))
	for i := range out {
		out[i] = r.Datum(0, i)
	}
	return out, nil
}

// Shape makes the description of a table for an [analyze.Schema].
func (d *DB) Shape(spec TableSpec) (*query.Table, error) {
	t, err := d.define(spec)
	if err != nil {
		return nil, err
	}
	return t.shape, nil
}

// Convert makes a value of a type of a Go value; see [DB.Insert] for what it may be.
func Convert(e *fn.Env, t pgcat.OID, typmod int32, v any) (vector.Datum, error) {
	return datumOf(e, t, typmod, v)
}

// Direct gives the stored form of a Go value that needs no reading; ok is false for
// one that does.
func Direct(t pgcat.OID, v any) (stored any, ok bool) { return direct(t, v) }
