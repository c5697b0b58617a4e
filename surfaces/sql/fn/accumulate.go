package fn

import (
	"unsafe"

	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// roomFor gives a slice of n cells, new ones zero, and charges what it adds. It
// grows by doubling, so that many small steps stay cheap.
func roomFor[T any](e *Env, s []T, n int) ([]T, error) {
	if n <= cap(s) {
		return s[:max(n, len(s))], nil
	}
	size := max(n, 2*cap(s), 8)
	var cell T
	if err := e.Meter.Alloc(int64(size-cap(s)) * int64(unsafe.Sizeof(cell))); err != nil {
		return s, err
	}
	more := make([]T, n, size)
	copy(more, s)
	return more, nil
}

// folding is an accumulator with one cell of state a group, a step that takes in
// a value and a result.
type folding[A, S any] struct {
	states []S
	step   func(e *Env, s *S, v A) error
	result func(e *Env, s *S, out *vector.Column, row int) error
}

func (f *folding[A, S]) Grow(e *Env, groups int) (err error) {
	f.states, err = roomFor(e, f.states, groups)
	return err
}

func (f *folding[A, S]) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	a := read[A](args[0])
	for k, r := range rows {
		if err := f.step(e, &f.states[groups[k]], a.at(r)); err != nil {
			return err
		}
	}
	return nil
}

func (f *folding[A, S]) Result(e *Env, from, to int, out *vector.Column) error {
	for g := from; g < to; g++ {
		if err := f.result(e, &f.states[g], out, g-from); err != nil {
			return err
		}
	}
	return nil
}

// fold makes a kind of accumulator that needs nothing of its call.
func fold[A, S any](step func(e *Env, s *S, v A) error, result func(e *Env, s *S, out *vector.Column, row int) error) NewAccumulator {
	return func(*Env, AggregateSpec) (Accumulator, error) {
		return &folding[A, S]{step: step, result: result}, nil
	}
}

// present is the scratch space of [present.only].
type present struct{ groups, rows []int32 }

// only gives the rows whose argument is not NULL: for transition functions that
// are not strict but pass over NULLs.
func (p *present) only(a *vector.Column, groups, rows []int32) ([]int32, []int32) {
	if a.Nulls == nil {
		return groups, rows
	}
	p.groups, p.rows = p.groups[:0], p.rows[:0]
	for k, r := range rows {
		if !a.Null(int(r)) {
			p.groups, p.rows = append(p.groups, groups[k]), append(p.rows, r)
		}
	}
	return p.groups, p.rows
}
