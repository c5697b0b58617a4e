package fn

import "github.com/polyglove/polyglove/surfaces/sql/vector"

// counting is count(*) and count(x): which rows count is decided by the caller.
type counting struct{ counts []int64 }

func newCounting(*Env, AggregateSpec) (Accumulator, error) { return &counting{}, nil }

func (c *counting) Grow(e *Env, groups int) (err error) {
	c.counts, err = roomFor(e, c.counts, groups)
	return err
}

func (c *counting) Add(e *Env, groups []int32, _ []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	for _, g := range groups {
		c.counts[g]++
	}
	return nil
}

func (c *counting) Remove(_ *Env, groups []int32, _ []*vector.Column, _ []int32) (bool, error) {
	for _, g := range groups {
		c.counts[g]--
	}
	return true, nil
}

func (c *counting) Result(_ *Env, from, to int, out *vector.Column) error {
	copy(out.Ints, c.counts[from:to])
	return nil
}
