package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// run is one execution of a statement.
type run struct {
	env *fn.Env
	// params hold the values of enclosing rows, each as a constant column; versions
	// count how often each has been set.
	params   []*vector.Column
	versions []int64
	joins    []*joinCount
}

// set gives a parameter a value.
func (x *run) set(param int, c *vector.Column, row int) {
	x.params[param] = vector.Constant(c.Datum(row), 1)
	x.versions[param]++
}

// operator gives rows.
type operator interface {
	// open begins, or begins again, with the parameters as they stand.
	open(x *run) error
	// next gives the next batch, which is the caller's until the call after, or nil
	// at the end. A batch may be empty.
	next(x *run) (*vector.Batch, error)
}

// dependence knows whether something that was computed still holds: it does until
// a parameter that it depends on is set.
type dependence struct {
	uses  []int
	seen  []int64
	valid bool
}

// holds reports whether what was computed is still right.
func (d *dependence) holds(x *run) bool {
	if !d.valid {
		return false
	}
	for i, p := range d.uses {
		if d.seen[i] != x.versions[p] {
			return false
		}
	}
	return true
}

// computed notes that it has been computed now.
func (d *dependence) computed(x *run) {
	if d.seen == nil {
		d.seen = make([]int64, len(d.uses))
	}
	for i, p := range d.uses {
		d.seen[i] = x.versions[p]
	}
	d.valid = true
}

func tooManyRows() error {
	return pgerr.New(pgerr.ProgramLimitExceeded, "too many rows are needed at once")
}

func notSupported(format string, args ...any) error {
	return pgerr.New(pgerr.FeatureNotSupported, format, args...)
}
