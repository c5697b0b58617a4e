package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Accumulator is the state of one aggregate call over groups that are numbered
// from 0.
//
// DISTINCT, FILTER and ORDER BY are the caller's: it gives the rows that count in
// the order that counts. Where the transition function is strict the caller has
// removed the rows with a NULL argument. Ordered-set aggregates get their rows
// sorted, and only those that are not NULL in the aggregated arguments;
// hypothetical-set ones get all rows sorted as asked.
//
// An accumulator charges what it keeps before it keeps it.
type Accumulator interface {
	// Grow makes room for groups in all; it never shrinks.
	Grow(e *Env, groups int) error
	// Add takes in rows: rows[k] belongs to group groups[k]. The rows of one group
	// come in order.
	Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error
	// Result puts the results of groups from..to into rows 0.. of out. It may be
	// called between two calls of Add and must leave the state as it is.
	Result(e *Env, from, to int, out *vector.Column) error
}

// Remover is an accumulator that can take rows out again exactly, the oldest
// first, for window frames that move. Remove reports false where it cannot (the
// caller then begins anew).
type Remover interface {
	Remove(e *Env, groups []int32, args []*vector.Column, rows []int32) (bool, error)
}

// AggregateSpec is what an aggregate call has beside its rows.
type AggregateSpec struct {
	Function *pgcat.Function
	Args     []pgcat.OID    // the actual types of the aggregated arguments
	Result   pgcat.OID      // the actual type of the result
	Direct   []vector.Datum // the direct arguments of an ordered-set aggregate
	Orders   []Order        // of an ordered-set aggregate: how its arguments are sorted
}

// Order is the direction of a sort key.
type Order struct{ Descending, NullsFirst bool }

// NewAccumulator makes the state of one aggregate call. The error is the
// server's, of a direct argument that is not allowed.
type NewAccumulator func(e *Env, spec AggregateSpec) (Accumulator, error)
