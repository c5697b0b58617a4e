package module

import "github.com/polyglove/polyglove/surfaces/python/object"

var _ = register("bisect", func(*Library) *object.Module {
	m := object.NewModule("bisect")
	const sig = "a x lo? hi? * key?"
	for name, right := range map[string]bool{"bisect": true, "bisect_right": true, "bisect_left": false} {
		m.Func(name, sig, func(t *thread, a []value) (value, *exception) {
			i, x := bisect(t, a, right)
			return object.Int(i), x
		})
	}
	for name, right := range map[string]bool{"insort": true, "insort_right": true, "insort_left": false} {
		m.Func(name, sig, func(t *thread, a []value) (value, *exception) {
			args := append([]value(nil), a...)
			if key, ok := optional(a, 4); ok {
				k, x := t.Call(key, a[1])
				if x != nil {
					return value{}, x
				}
				args[1] = k
			}
			i, x := bisect(t, args, right)
			if x != nil {
				return value{}, x
			}
			_, x = callMethod(t, a[0], "insert", object.Int(i), a[1])
			return object.None, x
		})
	}
	return m
})

// bisect finds where an item belongs in a sorted sequence: before its equals, or
// behind them.
func bisect(t *thread, a []value, right bool) (int64, *exception) {
	lo, hi := int64(0), int64(-1)
	var x *exception
	if v, ok := given(a, 2); ok {
		if lo, x = integer(t, v); x != nil {
			return 0, x
		}
	}
	if v, ok := optional(a, 3); ok {
		if hi, x = integer(t, v); x != nil {
			return 0, x
		}
	}
	if lo < 0 {
		return 0, t.RaiseValue("lo must be non-negative")
	}
	if hi == -1 {
		n, x := t.Len(a[0])
		if x != nil {
			return 0, x
		}
		hi = int64(n)
	}
	key, hasKey := optional(a, 4)
	for lo < hi {
		if x := t.Charge(4); x != nil {
			return 0, x
		}
		mid := lo + (hi-lo)/2
		v, x := t.GetItem(a[0], object.Int(mid))
		if x != nil {
			return 0, x
		}
		if hasKey {
			if v, x = t.Call(key, v); x != nil {
				return 0, x
			}
		}
		var less bool
		if right {
			less, x = t.Less(a[1], v)
		} else {
			less, x = t.Less(v, a[1])
		}
		switch {
		case x != nil:
			return 0, x
		case less == right:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	return lo, nil
}
