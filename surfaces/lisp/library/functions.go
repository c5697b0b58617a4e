package library

import "github.com/polyglove/polyglove/surfaces/lisp/data"

// functions are the functions that make and apply functions.
func functions() []*data.Native {
	return []*data.Native{
		fn("apply", 2, any, "(apply f x … coll)", "f of the elements", func(t *data.Thread, a []value) value {
			lead := a[1 : len(a)-1]
			rest := data.Collect(t, a[len(a)-1])
			t.Alloc(16 * (len(lead) + len(rest)))
			args := append(append(make([]value, 0, len(lead)+len(rest)), lead...), rest...)
			return t.Invoke(t, a[0], args)
		}),
		fn("comp", 0, any, "(comp g f)", "the function that applies f and then g", func(t *data.Thread, a []value) value {
			t.Alloc(160)
			return composed(append([]value(nil), a...))
		}),
		fn("partial", 1, any, "(partial f x …)", "f with its first arguments", func(t *data.Thread, a []value) value {
			if len(a) == 1 {
				return a[0]
			}
			t.Alloc(160 + 16*len(a))
			f, first := a[0], append([]value(nil), a[1:]...)
			return fn("partial", 0, any, "", "", func(t *data.Thread, x []value) value {
				return t.Invoke(t, f, append(append(make([]value, 0, len(first)+len(x)), first...), x...))
			}).Function()
		}),
		fn("juxt", 1, any, "(juxt f g …)", "the function that gives a vector of what each gives", func(t *data.Thread, a []value) value {
			t.Alloc(160 + 16*len(a))
			fs := append([]value(nil), a...)
			return fn("juxt", 0, any, "", "", func(t *data.Thread, x []value) value {
				t.Alloc(128 + 16*len(fs))
				args := append([]value(nil), x...)
				out := make([]value, len(fs))
				for i, f := range fs {
					out[i] = t.Invoke(t, f, args)
				}
				return data.VectorOf(out)
			}).Function()
		}),
		fn("complement", 1, 1, "(complement pred)", "the function that gives the opposite", func(t *data.Thread, a []value) value {
			t.Alloc(160)
			f := a[0]
			return fn("complement", 0, any, "", "", func(t *data.Thread, x []value) value {
				return data.Bool(!t.Invoke(t, f, x).Truthy())
			}).Function()
		}),
		fn("constantly", 1, 1, "(constantly x)", "the function that always gives x", func(t *data.Thread, a []value) value {
			t.Alloc(160)
			x := a[0]
			return fn("constantly", 0, any, "", "", func(*data.Thread, []value) value { return x }).Function()
		}),
		fn("fnil", 2, 4, "(fnil f default)", "f with a default for a nil argument", func(t *data.Thread, a []value) value {
			t.Alloc(160)
			f, defaults := a[0], append([]value(nil), a[1:]...)
			return fn("fnil", len(defaults), any, "", "", func(t *data.Thread, x []value) value {
				args := append([]value(nil), x...)
				for i, d := range defaults {
					if args[i].IsNil() {
						args[i] = d
					}
				}
				return t.Invoke(t, f, args)
			}).Function()
		}),
		fn("identity", 1, 1, "(identity x)", "x", func(_ *data.Thread, a []value) value { return a[0] }),
		fn("every-pred", 1, any, "(every-pred p q …)", "the predicate that holds when all hold", func(t *data.Thread, a []value) value {
			t.Alloc(160 + 16*len(a))
			preds := append([]value(nil), a...)
			return fn("every-pred", 0, any, "", "", func(t *data.Thread, x []value) value {
				for _, v := range append([]value(nil), x...) {
					for _, p := range preds {
						if !test(t, p, v) {
							return data.False
						}
					}
				}
				return data.True
			}).Function()
		}),
		fn("some-fn", 1, any, "(some-fn f g …)", "the function that gives the first true value of any", func(t *data.Thread, a []value) value {
			t.Alloc(160 + 16*len(a))
			fs := append([]value(nil), a...)
			return fn("some-fn", 0, any, "", "", func(t *data.Thread, x []value) value {
				last := data.Nil
				for _, v := range append([]value(nil), x...) {
					for _, f := range fs {
						if last = t.Call1(f, v); last.Truthy() {
							return last
						}
					}
				}
				return last
			}).Function()
		}),
		fn("memoize", 1, 1, "(memoize f)", "f that remembers what it gave", func(t *data.Thread, a []value) value {
			t.Alloc(320)
			f, seen := a[0], data.NewHashBuilder(t)
			return fn("memoize", 0, any, "", "", func(t *data.Thread, x []value) value {
				args := append([]value(nil), x...)
				key := data.VectorOf(args)
				if v, ok := seen.Get(key); ok {
					return v
				}
				v := t.Invoke(t, f, args)
				t.Alloc(160)
				seen.Put(key, v)
				return v
			}).Function()
		}),
		fn("trampoline", 1, any, "(trampoline f x …)", "f, and the functions that it gives, until one gives a value", func(t *data.Thread, a []value) value {
			v := t.Invoke(t, a[0], append([]value(nil), a[1:]...))
			for v.Kind() == data.KindFn {
				t.Charge(2)
				v = t.Call(v)
			}
			return v
		}),
	}
}

// composed applies the functions from the last to the first.
func composed(fs []value) value {
	switch len(fs) {
	case 0:
		return fn("identity", 1, 1, "", "", func(_ *data.Thread, a []value) value { return a[0] }).Function()
	case 1:
		return fs[0]
	}
	return fn("comp", 0, any, "", "", func(t *data.Thread, x []value) value {
		v := t.Invoke(t, fs[len(fs)-1], x)
		for i := len(fs) - 2; i >= 0; i-- {
			v = t.Call1(fs[i], v)
		}
		return v
	}).Function()
}
