package engine

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// ResultColumn describes a column of a result.
type ResultColumn struct {
	Name   string
	OID    pgcat.OID
	Typmod int32
	Type   string // as the server names it, without a length
}

// Result is what a statement gave.
type Result struct {
	// Tag is the server's command tag: SELECT 3, INSERT 0 1, UPDATE 2.
	Tag     string
	Columns []ResultColumn // nil for a statement that returns no rows
	Changed int64          // rows that the statement itself inserted, updated or deleted

	data []*vector.Column
	rows int
	// capacity is for how many rows there is room, and charged what that takes.
	capacity int
	charged  int64
	env      *fn.Env
}

// Len is the number of rows.
func (r *Result) Len() int { return r.rows }

// Column gives a column's values. It must not be changed.
func (r *Result) Column(i int) *vector.Column { return r.data[i] }

// Datum gives one value.
func (r *Result) Datum(row, column int) vector.Datum { return r.data[column].Datum(row) }

// Text gives one value as the server prints it, and false for NULL.
func (r *Result) Text(row, column int) (string, bool) {
	return textOf(r.env, r.data[column], row)
}

// textOf prints a cell; false is NULL.
func textOf(e *fn.Env, c *vector.Column, row int) (string, bool) {
	if c.Null(row) {
		return "", false
	}
	text, err := print(e, c.Datum(row))
	if err != nil {
		return err.Message, true
	}
	return text, true
}

// print writes a value as text.
func print(e *fn.Env, d vector.Datum) (string, *pgerr.Error) {
	if s, ok := d.Value.(string); ok && (d.Type == pgcat.Text || d.Type == pgcat.Varchar) {
		return s, nil
	}
	out, ok := fn.OutputOf(d.Type)
	if !ok {
		return "", pgerr.New(pgerr.FeatureNotSupported, "values of the type %s cannot be printed", pgcat.Default().FormatType(d.Type))
	}
	b, err := out(e, nil, d.Value)
	return string(b), err
}
