package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// intervalAggregates are sum and avg of intervals.
func intervalAggregates() map[string]NewAccumulator {
	return map[string]NewAccumulator{
		"sum(interval)": newIntervalSumming(func(s *intervalSum) (pgtype.Interval, *pgerr.Error) { return s.total, nil }),
		"avg(interval)": newIntervalSumming(func(s *intervalSum) (pgtype.Interval, *pgerr.Error) { return s.total.Div(float64(s.count)) }),
	}
}

// intervalSum keeps infinite values apart, so that they can be taken out again.
type intervalSum struct {
	total       pgtype.Interval
	count       int64 // of the finite values
	plus, minus int64 // of the infinite ones
}

func (s *intervalSum) step(v pgtype.Interval, by int64) *pgerr.Error {
	switch v {
	case pgtype.IntervalInfinity:
		s.plus += by
		return nil
	case pgtype.IntervalNegInfinity:
		s.minus += by
		return nil
	}
	var err *pgerr.Error
	if by > 0 {
		s.total, err = s.total.Add(v)
	} else {
		s.total, err = s.total.Sub(v)
	}
	s.count += by
	return err
}

func (s *intervalSum) result(finish func(*intervalSum) (pgtype.Interval, *pgerr.Error)) (Opt[pgtype.Interval], *pgerr.Error) {
	switch {
	case s.plus > 0 && s.minus > 0:
		v, err := pgtype.IntervalInfinity.Sub(pgtype.IntervalInfinity)
		return Some(v), err
	case s.plus > 0:
		return Some(pgtype.IntervalInfinity), nil
	case s.minus > 0:
		return Some(pgtype.IntervalNegInfinity), nil
	case s.count == 0:
		return None[pgtype.Interval](), nil
	}
	v, err := finish(s)
	return Some(v), err
}

type intervalSumming struct {
	present
	sums   []intervalSum
	finish func(*intervalSum) (pgtype.Interval, *pgerr.Error)
}

func newIntervalSumming(finish func(*intervalSum) (pgtype.Interval, *pgerr.Error)) NewAccumulator {
	return func(*Env, AggregateSpec) (Accumulator, error) { return &intervalSumming{finish: finish}, nil }
}

func (s *intervalSumming) Grow(e *Env, groups int) (err error) {
	s.sums, err = roomFor(e, s.sums, groups)
	return err
}

func (s *intervalSumming) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	return s.move(e, groups, args, rows, 1)
}

func (s *intervalSumming) Remove(e *Env, groups []int32, args []*vector.Column, rows []int32) (bool, error) {
	return true, s.move(e, groups, args, rows, -1)
}

// move takes rows in (by 1) or out (by -1).
func (s *intervalSumming) move(e *Env, groups []int32, args []*vector.Column, rows []int32, by int64) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	groups, rows = s.only(args[0], groups, rows)
	a := read[pgtype.Interval](args[0])
	for k, r := range rows {
		if err := s.sums[groups[k]].step(a.at(r), by); err != nil {
			return e.Fail(err)
		}
	}
	return nil
}

func (s *intervalSumming) Result(e *Env, from, to int, out *vector.Column) error {
	result := cells[pgtype.Interval](out)
	for g := from; g < to; g++ {
		v, err := s.sums[g].result(s.finish)
		if err != nil {
			return e.Fail(err)
		}
		put(out, result, int32(g-from), v)
	}
	return nil
}
