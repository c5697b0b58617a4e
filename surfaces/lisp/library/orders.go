package library

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// orders are the functions that compare and sort.
func orders() []*data.Native {
	return []*data.Native{
		fn("compare", 2, 2, "(compare a b)", "negative, zero or positive as a stands before, with or after b", func(t *data.Thread, a []value) value {
			return data.Int(int64(data.Compare(t, a[0], a[1])))
		}),
		fn("sort", 1, 2, "(sort coll) or (sort > coll)", "the elements in order", func(t *data.Thread, a []value) value {
			if len(a) == 1 {
				return sorted(t, data.Collect(t, a[0]), data.Compare)
			}
			return sorted(t, data.Collect(t, a[1]), comparator(a[0]))
		}),
		fn("sort-by", 2, 3, "(sort-by f coll) or (sort-by f > coll)", "the elements in the order of what f gives for them", sortBy),
		fn("max-key", 2, any, "(apply max-key f coll)", "the argument for which f is greatest", func(t *data.Thread, a []value) value { return extreme(t, "max-key", a, 1) }),
		fn("min-key", 2, any, "(apply min-key f coll)", "the argument for which f is least", func(t *data.Thread, a []value) value { return extreme(t, "min-key", a, -1) }),
		extra("max-by", 2, 2, "(max-by f coll)", "the element for which f is greatest, nil of none", func(t *data.Thread, a []value) value { return extremeBy(t, a, 1) }),
		extra("min-by", 2, 2, "(min-by f coll)", "the element for which f is least, nil of none", func(t *data.Thread, a []value) value { return extremeBy(t, a, -1) }),
		fn("comparator", 1, 1, "(comparator less?)", "a comparator of a predicate", func(_ *data.Thread, a []value) value {
			by := comparator(a[0])
			return fn("comparator", 2, 2, "", "", func(t *data.Thread, x []value) value { return data.Int(int64(by(t, x[0], x[1]))) }).Function()
		}),
	}
}

// comparator gives the order of a function of two elements: it gives a number, or
// whether the first stands before the second.
func comparator(f value) func(t *data.Thread, a, b value) int {
	return func(t *data.Thread, a, b value) int {
		v := t.Call2(f, a, b)
		if v.IsNumber() {
			n := data.ToFloat(v)
			if i, ok := v.Int(); ok {
				n = float64(int32(i))
			} else {
				n = float64(int64(n))
			}
			switch {
			case n < 0:
				return -1
			case n > 0:
				return 1
			}
			return 0
		}
		if v.Truthy() {
			return -1
		}
		if t.Call2(f, b, a).Truthy() {
			return 1
		}
		return 0
	}
}

// sorted sorts the items in place, stably, and gives them as a list.
func sorted(t *data.Thread, items []value, by func(t *data.Thread, a, b value) int) value {
	if len(items) == 0 {
		return data.Empty
	}
	t.Alloc(16 * len(items))
	slices.SortStableFunc(items, func(a, b value) int {
		t.Charge(2)
		return by(t, a, b)
	})
	return data.ListOf(items)
}

func sortBy(t *data.Thread, a []value) value {
	key, by, coll := a[0], data.Compare, a[len(a)-1]
	callable(t, "sort-by", key, coll)
	if len(a) == 3 {
		by = direction(a[1])
	}
	items := data.Collect(t, coll)
	type keyed struct{ key, item value }
	t.Alloc(32 * len(items))
	all := make([]keyed, len(items))
	for i, x := range items {
		all[i] = keyed{t.Call1(key, x), x}
	}
	t.Alloc(32 * len(items))
	slices.SortStableFunc(all, func(a, b keyed) int {
		t.Charge(2)
		return by(t, a.key, b.key)
	})
	for i, k := range all {
		items[i] = k.item
	}
	return data.ListOf(items)
}

// direction gives the order of sort-by's second argument: a comparator, or :asc or
// :desc, which no comparator can be.
func direction(v value) func(t *data.Thread, a, b value) int {
	if n := v.Named(); n != nil && v.IsKeyword() {
		switch n.Full() {
		case "asc":
			return data.Compare
		case "desc":
			return func(t *data.Thread, a, b value) int { return data.Compare(t, b, a) }
		}
	}
	return comparator(v)
}

// extreme is max-key and min-key; of equal ones the last argument wins, as in
// Clojure. One collection instead of arguments counts as they.
func extreme(t *data.Thread, name string, a []value, sign int) value {
	f, args := a[0], a[1:]
	if len(args) == 1 {
		switch args[0].Kind() {
		case data.KindVector, data.KindList, data.KindLazy, data.KindCons, data.KindChunk, data.KindRange:
			if v, ok := asCollection(t, f, args[0], name); ok {
				args = v
				if len(args) == 0 {
					return data.Nil
				}
			}
		}
	}
	best := args[0]
	if len(args) == 1 {
		return best
	}
	bestKey := t.Call1(f, best)
	for _, x := range args[1:] {
		k := t.Call1(f, x)
		data.Ordered(t, name, k)
		data.Ordered(t, name, bestKey)
		if order, ok := data.CompareNumbers(k, bestKey); ok && order*sign >= 0 {
			best, bestKey = x, k
		}
	}
	return best
}

// asCollection decides whether the single argument of max-key is the collection to
// search: it is, unless it is an entry of a map, for which f gives a number.
func asCollection(t *data.Thread, f, arg value, name string) ([]value, bool) {
	if v := arg.Vector(); v != nil && v.Len() == 2 && f.Kind() == data.KindFn && !rowLike(v.At(0)) {
		return nil, false
	}
	return data.Collect(t, arg), true
}

func rowLike(v value) bool { return v.Kind() == data.KindMap || v.Kind() == data.KindVector }

func extremeBy(t *data.Thread, a []value, sign int) value {
	best, bestKey, any := data.Nil, data.Nil, false
	for it := data.Iterate(t, a[1]); it.Next(); {
		k := t.Call1(a[0], it.Value)
		if !any || data.Compare(t, k, bestKey)*sign > 0 {
			best, bestKey, any = it.Value, k, true
		}
	}
	return best
}
