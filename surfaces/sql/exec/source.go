package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Source gives a table's rows. It stands in a query.Table's Source, or is found
// by it.
type Source interface {
	// Count is how many rows there are, or -1 when that is not known.
	Count() int
	// Read gives the given columns of all rows. Nobody changes them while the
	// statement runs. What reading allocates is charged by the source.
	Read(e *fn.Env, columns []int) (rows int, data []*vector.Column, err error)
}

// Writer changes a table's rows. What it does is seen by later statements only; the
// rows of an update or delete are numbered as [Source.Read] gives them. It checks
// what the table demands (23502) and charges for what it keeps.
type Writer interface {
	Source
	// Insert adds complete rows, in the order of the table's columns.
	Insert(e *fn.Env, rows int, columns []*vector.Column) error
	// Update sets columns of rows: values[i] holds, for each of rows, that of sets[i].
	Update(e *fn.Env, rows []int32, sets []int, values []*vector.Column) error
	Delete(e *fn.Env, rows []int32) error
}
