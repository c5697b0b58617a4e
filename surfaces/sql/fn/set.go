package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Set gives the rows of one call of a set-returning function.
type Set interface {
	// Next gives the next rows, at most [vector.Size], or nil at the end. The batch
	// is the caller's until the next call. It charges what it allocates.
	Next(e *Env) (*vector.Batch, error)
}

// SetKernel calls a set-returning function. For a strict one no argument is NULL.
// columns are the types of the rows' columns: one, or those of the function's
// outputs.
type SetKernel func(e *Env, args []vector.Datum, columns []pgcat.OID) (Set, error)

// Rows is a set that is already there.
func Rows(columns ...*vector.Column) Set { return &rows{columns: columns} }

type rows struct {
	columns []*vector.Column
	next    int
}

func (r *rows) Next(*Env) (*vector.Batch, error) {
	if len(r.columns) == 0 || r.next >= r.columns[0].Len {
		return nil, nil
	}
	to := min(r.next+vector.Size, r.columns[0].Len)
	b := &vector.Batch{N: to - r.next}
	for _, c := range r.columns {
		b.Columns = append(b.Columns, c.Slice(r.next, to))
	}
	r.next = to
	return b, nil
}
