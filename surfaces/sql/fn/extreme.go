package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// extreme is min and max of any type that has an order. Among equal values that
// look different (1.0 and 1.00) the server keeps the last, of bpchar the first.
type extreme struct {
	best      *vector.Column // one cell a group; NULL before the first value
	direction int            // 1 for max
	keepFirst bool
	compare   vector.Comparator
}

func newExtreme(direction int) NewAccumulator {
	return func(_ *Env, spec AggregateSpec) (Accumulator, error) {
		t := spec.Args[0]
		if err := vector.Comparable(false, t); err != nil {
			return nil, err
		}
		return &extreme{
			best: vector.Make(t, 0), direction: direction, keepFirst: t == pgcat.Bpchar, compare: vector.ComparatorOf(t),
		}, nil
	}
}

func (x *extreme) Grow(e *Env, groups int) error {
	if groups <= x.best.Len {
		return nil
	}
	if err := e.Meter.Alloc(vector.Bytes(x.best.Type, groups-x.best.Len)); err != nil {
		return err
	}
	x.best.AppendNulls(groups - x.best.Len)
	return nil
}

func (x *extreme) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	if x.best.Class == vector.ClassInt {
		x.addInts(groups, args[0], rows)
		return nil
	}
	for k, r := range rows {
		if err := x.take(e, int(groups[k]), args[0], int(r)); err != nil {
			return err
		}
	}
	return nil
}

func (x *extreme) addInts(groups []int32, arg *vector.Column, rows []int32) {
	a := read[int64](arg)
	for k, r := range rows {
		g, v := int(groups[k]), a.at(r)
		if x.best.Nulls.Has(g) {
			x.best.Nulls.Clear(g)
			x.best.Ints[g] = v
			continue
		}
		if b := x.best.Ints[g]; x.direction > 0 && v > b || x.direction < 0 && v < b {
			x.best.Ints[g] = v
		}
	}
}

func (x *extreme) take(e *Env, group int, arg *vector.Column, row int) error {
	if !x.best.Nulls.Has(group) {
		c := x.compare(x.best, group, arg, arg.At(row)) * x.direction
		if c > 0 || c == 0 && x.keepFirst {
			return nil
		}
	}
	x.best.Copy(group, arg, row)
	return nil
}

func (x *extreme) Result(_ *Env, from, to int, out *vector.Column) error {
	for g := from; g < to; g++ {
		out.Copy(g-from, x.best, g)
	}
	return nil
}

// truth is the state of bool_and and bool_or.
type truth struct{ all, any, some bool }

var (
	newBoolAnd = fold(stepTruth, func(_ *Env, t *truth, out *vector.Column, row int) error {
		return putTruth(t, t.all, out, row)
	})
	newBoolOr = fold(stepTruth, func(_ *Env, t *truth, out *vector.Column, row int) error {
		return putTruth(t, t.any, out, row)
	})
)

func stepTruth(_ *Env, t *truth, v bool) error {
	t.all = v && (t.all || !t.some)
	t.any = t.any || v
	t.some = true
	return nil
}

func putTruth(t *truth, v bool, out *vector.Column, row int) error {
	if !t.some {
		out.SetNull(row)
		return nil
	}
	out.Bools[row] = v
	return nil
}
