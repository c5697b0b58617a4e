package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// expression is an expression that has been made ready to run.
//
// eval computes it for rows of a batch. The column it gives has a value at each of
// these rows and rubbish elsewhere; it may be constant, it may be one of the
// batch's, and it is valid until the next eval of the same expression.
type expression interface {
	typ() pgcat.OID
	eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error)
}

// slot is a column of the batch.
type slot struct {
	index int
	t     pgcat.OID
}

func (s *slot) typ() pgcat.OID { return s.t }

func (s *slot) eval(_ *run, b *vector.Batch, _ []int32) (*vector.Column, error) {
	return b.Columns[s.index], nil
}

// buffer is a column that an expression writes its results to, again and again.
type buffer struct {
	column  *vector.Column
	charged int
}

// room gives the buffer n cells of a type, none NULL.
func (f *buffer) room(x *run, t pgcat.OID, n int) (*vector.Column, error) {
	if n > f.charged {
		if n > 64 {
			n = max(n, vector.Size)
		}
		if err := x.env.Meter.Alloc(vector.Bytes(t, n-f.charged)); err != nil {
			return nil, err
		}
		f.charged = n
	}
	if f.column == nil {
		f.column = vector.Make(t, n)
		return f.column, nil
	}
	f.column.Type = t
	f.column.Resize(n)
	return f.column, nil
}

// pass gives the rows, among some, at which a condition is true; the others are
// false or NULL. into is scratch space.
func pass(c *vector.Column, rows, into []int32) []int32 {
	into = into[:0]
	switch {
	case c.Const:
		if c.Null(0) || !c.Bools[0] {
			return into
		}
		return append(into, rows...)
	case c.Nulls == nil:
		for _, r := range rows {
			if c.Bools[r] {
				into = append(into, r)
			}
		}
	default:
		for _, r := range rows {
			if c.Bools[r] && !c.Nulls.Has(int(r)) {
				into = append(into, r)
			}
		}
	}
	return into
}
