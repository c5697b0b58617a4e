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
