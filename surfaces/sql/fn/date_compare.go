package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// dateComparisons are the comparisons between different types, the functions that
// give an order, and larger and smaller.
func dateComparisons() map[string]Kernel {
	all := map[string]Kernel{}
	between := func(a, b string, order func(e *Env, x, y int64) int) {
		back := func(e *Env, x, y int64) int { return -order(e, y, x) }
		for i, end := range comparisonNames {
			all[a+"_"+end+"_"+b] = compareIn(comparison(i), order)
			all[b+"_"+end+"_"+a] = compareIn(comparison(i), back)
		}
		all[a+"_cmp_"+b] = orderKernel(order)
		all[b+"_cmp_"+a] = orderKernel(back)
	}
	between("date", "timestamp", func(_ *Env, d, ts int64) int { return pgtype.CompareDateTimestamp(d, ts) })
	between("date", "timestamptz", func(e *Env, d, ts int64) int { return pgtype.CompareDateTimestamptz(d, ts, e.moment()) })
	between("timestamp", "timestamptz", func(e *Env, a, b int64) int { return pgtype.CompareTimestampTimestamptz(a, b, e.moment()) })
	for _, name := range []string{"date", "time", "timestamp"} {
		orderedKernels(all, name, func(a, b int64) int { return compareInts(a, b) })
	}
	orderedKernels(all, "interval", pgtype.CompareInterval)
	orderedKernels(all, "timetz", vector.CompareObject)
	return all
}

func compareInts(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func compareIn(op comparison, order func(e *Env, x, y int64) int) Kernel {
	return Binary(func(e *Env, a, b int64) (bool, *pgerr.Error) { return op.holds(order(e, a, b)), nil })
}

func orderKernel[T any](order func(e *Env, x, y T) int) Kernel {
	return Binary(func(e *Env, a, b T) (int64, *pgerr.Error) { return int64(order(e, a, b)), nil })
}

// orderedKernels enters cmp, larger and smaller of a type. Of values that are equal
// the server's functions give the second.
func orderedKernels[T any](all map[string]Kernel, name string, order func(a, b T) int) {
	all[name+"_cmp"] = orderKernel(func(_ *Env, a, b T) int { return order(a, b) })
	all[name+"_larger"] = Binary(func(_ *Env, a, b T) (T, *pgerr.Error) {
		if order(a, b) > 0 {
			return a, nil
		}
		return b, nil
	})
	all[name+"_smaller"] = Binary(func(_ *Env, a, b T) (T, *pgerr.Error) {
		if order(a, b) < 0 {
			return a, nil
		}
		return b, nil
	})
}
