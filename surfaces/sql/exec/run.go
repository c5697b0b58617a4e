package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// run is one execution of a statement.
type run struct {
	env *fn.Env
}

// operator gives rows.
type operator interface {
	// open begins, or begins again, with the parameters as they stand.
	open(x *run) error
	// next gives the next batch, which is the caller's until the call after, or nil
	// at the end. A batch may be empty.
	next(x *run) (*vector.Batch, error)
}

func tooManyRows() error {
	return pgerr.New(pgerr.ProgramLimitExceeded, "too many rows are needed at once")
}
