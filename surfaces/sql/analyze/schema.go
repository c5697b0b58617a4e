package analyze

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// Schema finds tables. Names are folded as the grammar folds them.
type Schema interface {
	// Table finds a table by its name; schema is "" where none is written. It gives
	// nil when there is none, and an error for a table that exists and must not be
	// used.
	Table(schema, name string) (*query.Table, error)
}

// Input reads a value of a type from the text of a literal, with the server's
// errors; typmod is -1 but for intervals.
type Input func(t pgcat.OID, text string, typmod int32) (any, *pgerr.Error)

// Options is what analysis needs beside the statement.
type Options struct {
	Schema Schema
	Input  Input
	// Params holds the types of the parameters $1…; 0 or a missing one is inferred.
	Params []pgcat.OID
	// Meter is charged for the work; it may be nil.
	Meter *sandbox.Meter
}

// Result is an analysed statement.
type Result struct {
	Query *query.Query
	// Params holds the types of the parameters $1… up to the highest one used.
	Params []pgcat.OID
}
