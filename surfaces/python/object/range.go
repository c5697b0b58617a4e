package object

import "math"

// Range is a range of integers that fit 64 bits.
type Range struct {
	Obj
	Start, Stop, Step int64
	n                 int64
}

// NewRange makes a range; step is not 0.
func NewRange(start, stop, step int64) *Range {
	r := &Range{Start: start, Stop: stop, Step: step}
	r.kind, r.self = KindRange, r
	switch {
	case step > 0 && start < stop:
		r.n = int64((uint64(stop)-uint64(start)-1)/uint64(step)) + 1
	case step < 0 && start > stop:
		r.n = int64((uint64(start)-uint64(stop)-1)/(-uint64(step))) + 1
	}
	if r.n < 0 {
		r.n = math.MaxInt64
	}
	return r
}

// Value gives the range as a value.
func (r *Range) Value() Value { return Value{o: &r.Obj} }

// Len counts the members.
func (r *Range) Len() int64 { return r.n }

// At gives a member by its index, which is in range.
func (r *Range) At(i int64) int64 { return r.Start + i*r.Step }

// find gives the index of a number, -1 if it is no member.
func (r *Range) find(n int64) int64 {
	if r.Step > 0 && (n < r.Start || n >= r.Stop) || r.Step < 0 && (n > r.Start || n <= r.Stop) {
		return -1
	}
	step, d := uint64(r.Step), uint64(n)-uint64(r.Start)
	if r.Step < 0 {
		step, d = -step, uint64(r.Start)-uint64(n)
	}
	if d%step != 0 {
		return -1
	}
	return int64(d / step)
}

// Slice is a slice object.
type Slice struct {
	Obj
	Start, Stop, Step Value // None where omitted
}

// NewSlice makes a slice.
func NewSlice(start, stop, step Value) Value {
	s := &Slice{Start: start, Stop: stop, Step: step}
	s.kind, s.self = KindSlice, s
	return Value{o: &s.Obj}
}

// AsSlice gives a slice.
func (v Value) AsSlice() (*Slice, bool) {
	if v.isKind(KindSlice) {
		return v.o.self.(*Slice), true
	}
	return nil, false
}

// Indices gives the start, the stop, the step and the number of items that a slice
// selects from a sequence of n, as slice.indices.
func (s *Slice) Indices(t *Thread, n int) (start, stop, step, count int, raised *Exception) {
	step = 1
	if !s.Step.IsNone() {
		i, x := t.sliceIndex(s.Step)
		if x != nil {
			return 0, 0, 0, 0, x
		}
		if i == 0 {
			return 0, 0, 0, 0, t.RaiseValue("slice step cannot be zero")
		}
		step = max(i, -math.MaxInt)
	}
	low, high := 0, n
	if step < 0 {
		low, high = -1, n-1
	}
	clamp := func(v Value, omitted int) (int, *Exception) {
		if v.IsNone() {
			return omitted, nil
		}
		i, x := t.sliceIndex(v)
		if x != nil {
			return 0, x
		}
		if i < 0 {
			i += n
			return max(i, low), nil
		}
		return min(i, high), nil
	}
	first, last := low, high
	if step < 0 {
		first, last = high, low
	}
	if start, raised = clamp(s.Start, first); raised != nil {
		return 0, 0, 0, 0, raised
	}
	if stop, raised = clamp(s.Stop, last); raised != nil {
		return 0, 0, 0, 0, raised
	}
	switch {
	case step > 0 && start < stop:
		count = (stop-start-1)/step + 1
	case step < 0 && start > stop:
		count = (start-stop-1)/-step + 1
	}
	return start, stop, step, count, nil
}

// sliceIndex reads one part of a slice; what is too large is clamped.
func (t *Thread) sliceIndex(v Value) (int, *Exception) {
	if n, ok := v.Int(); ok {
		return int(n), nil
	}
	if !hasIndex(t, v) {
		return 0, t.RaiseType("slice indices must be integers or None or have an __index__ method")
	}
	i, x := t.Index(v)
	if x != nil {
		return 0, x
	}
	if n, ok := i.integral(); ok {
		return int(n), nil
	}
	if b, _ := bigOf(i); b.Sign() < 0 {
		return math.MinInt / 2, nil
	}
	return math.MaxInt / 2, nil
}
