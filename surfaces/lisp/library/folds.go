package library

import "github.com/polyglove/polyglove/surfaces/lisp/data"

// reduced ends a reduce early.
type reduced struct {
	data.Head
	value value
}

func (*reduced) TypeName() string { return "a reduced value" }
func (*reduced) Printed() string  { return "#<reduced>" }

// folds are the functions that come from a collection to one value.
func folds() []*data.Native {
	return []*data.Native{
		fn("reduce", 2, 3, "(reduce f coll) or (reduce f init coll)", "f of the result so far and each element", reduce),
		fn("reduce-kv", 3, 3, "(reduce-kv (fn [acc k v] …) init m)", "reduce over keys and values", reduceKV),
		fn("reduced", 1, 1, "(reduced x)", "x as the end of a reduce", func(t *data.Thread, a []value) value {
			t.Alloc(64)
			return data.Box(&reduced{value: a[0]})
		}),
		fn("reduced?", 1, 1, "(reduced? x)", "whether x ends a reduce", func(_ *data.Thread, a []value) value {
			_, ok := a[0].Unbox().(*reduced)
			return data.Bool(ok)
		}),
		fn("unreduced", 1, 1, "(unreduced x)", "the value of a reduced one", func(_ *data.Thread, a []value) value {
			if r, ok := a[0].Unbox().(*reduced); ok {
				return r.value
			}
			return a[0]
		}),
		fn("transduce", 3, 4, "(transduce xform f init coll)", "reduce through a transducer", func(t *data.Thread, a []value) value {
			if len(a) == 3 {
				return transduced(t, a[0], a[1], t.Call(a[1]), a[2])
			}
			return transduced(t, a[0], a[1], a[2], a[3])
		}),
		fn("completing", 1, 2, "(completing f)", "f as a reducing function", func(_ *data.Thread, a []value) value { return completing(a[0]) }),
		fn("sequence", 1, 2, "(sequence xform coll)", "the elements through a transducer", func(t *data.Thread, a []value) value {
			if len(a) == 1 {
				if s := data.Seq(t, a[0]); !s.IsNil() {
					return s
				}
				return data.Empty
			}
			v := intoVector(t, a[0], a[1])
			if v.Vector().Len() == 0 {
				return data.Empty
			}
			return data.Seq(t, v)
		}),
		fn("eduction", 2, any, "(eduction xform coll)", "the elements through transducers", func(t *data.Thread, a []value) value {
			xform := composed(append([]value(nil), a[:len(a)-1]...))
			return data.Seq(t, intoVector(t, xform, a[len(a)-1]))
		}),
		fn("some", 2, 2, "(some pred coll)", "the first true value that pred gives", func(t *data.Thread, a []value) value {
			callable(t, "some", a[0], a[1])
			for it := data.Iterate(t, a[1]); it.Next(); {
				if v := t.Call1(a[0], it.Value); v.Truthy() {
					return v
				}
			}
			return data.Nil
		}),
		fn("every?", 2, 2, "(every? pred coll)", "whether pred holds for all elements", func(t *data.Thread, a []value) value {
			return data.Bool(every(t, a[0], a[1]))
		}),
		fn("not-every?", 2, 2, "(not-every? pred coll)", "whether pred fails for an element", func(t *data.Thread, a []value) value {
			return data.Bool(!every(t, a[0], a[1]))
		}),
		fn("not-any?", 2, 2, "(not-any? pred coll)", "whether pred holds for no element", func(t *data.Thread, a []value) value {
			for it := data.Iterate(t, a[1]); it.Next(); {
				if test(t, a[0], it.Value) {
					return data.False
				}
			}
			return data.True
		}),
		fn("group-by", 2, 2, "(group-by f coll)", "a map from what f gives to a vector of the elements", groupBy),
		fn("frequencies", 1, 1, "(frequencies coll)", "a map from each element to how often it occurs", frequencies),
		extra("count-by", 2, 2, "(count-by f coll)", "a map from what f gives to how often it does", func(t *data.Thread, a []value) value {
			return frequenciesOf(t, mapOne(a[0], a[1]))
		}),
		extra("sum", 1, 2, "(sum coll) or (sum f coll)", "the sum of the numbers", func(t *data.Thread, a []value) value {
			sum, _ := total(t, a)
			return sum
		}),
		extra("avg", 1, 2, "(avg coll) or (avg f coll)", "the mean of the numbers, nil of none", func(t *data.Thread, a []value) value {
			sum, n := total(t, a)
			if n == 0 {
				return data.Nil
			}
			return data.Arithmetic(t, data.Divide, sum, data.Int(n))
		}),
	}
}

func total(t *data.Thread, a []value) (sum value, n int64) {
	coll := a[len(a)-1]
	sum = data.Int(0)
	for it := data.Iterate(t, coll); it.Next(); n++ {
		x := it.Value
		if len(a) == 2 {
			x = t.Call1(a[0], x)
		}
		sum = data.Arithmetic(t, data.Add, sum, x)
	}
	return sum, n
}

func every(t *data.Thread, pred, coll value) bool {
	for it := data.Iterate(t, coll); it.Next(); {
		if !test(t, pred, it.Value) {
			return false
		}
	}
	return true
}

func reduce(t *data.Thread, a []value) value {
	if len(a) == 3 {
		return reduceFrom(t, a[0], a[1], a[2])
	}
	it := data.Iterate(t, a[1])
	if !it.Next() {
		return t.Call(a[0])
	}
	return reduceRest(t, a[0], it.Value, &it)
}

func reduceFrom(t *data.Thread, f, acc, coll value) value {
	if !data.Seqable(coll) && data.Seqable(acc) {
		data.ThrowHint("IllegalArgumentException", "reduce takes the collection last, and got "+data.Describe(t, coll)+" there.", "Write (reduce f init coll).")
	}
	it := data.Iterate(t, coll)
	return reduceRest(t, f, acc, &it)
}

func reduceRest(t *data.Thread, f, acc value, it *data.Iterator) value {
	for it.Next() {
		acc = t.Call2(f, acc, it.Value)
		if acc.Kind() == data.KindNative {
			if r, ok := acc.Unbox().(*reduced); ok {
				return r.value
			}
		}
	}
	return acc
}

func reduceKV(t *data.Thread, a []value) value {
	f, acc := a[0], a[1]
	each := func(k, v value) bool {
		acc = t.Call(f, acc, k, v)
		r, ok := acc.Unbox().(*reduced)
		if ok {
			acc = r.value
		}
		return !ok
	}
	switch a[2].Kind() {
	case data.KindNil:
	case data.KindMap:
		a[2].Map().Each(t, each)
	case data.KindVector:
		i := int64(0)
		for it := data.Iterate(t, a[2]); it.Next(); i++ {
			if !each(data.Int(i), it.Value) {
				break
			}
		}
	default:
		wants(t, "reduce-kv", "a map", a[2])
	}
	return acc
}

func groupBy(t *data.Thread, a []value) value {
	callable(t, "group-by", a[0], a[1])
	b := data.NewBuilder(t)
	for it := data.Iterate(t, a[1]); it.Next(); {
		k := t.Call1(a[0], it.Value)
		old, ok := b.Get(k)
		if !ok {
			t.Alloc(160)
			old = data.VectorOf(nil)
		}
		b.Put(k, old.Vector().Append(t, it.Value).Value())
	}
	return b.Map().Value()
}

func frequencies(t *data.Thread, a []value) value { return frequenciesOf(t, a[0]) }

func frequenciesOf(t *data.Thread, coll value) value {
	b := data.NewBuilder(t)
	for it := data.Iterate(t, coll); it.Next(); {
		n, _ := b.Get(it.Value)
		i, _ := n.Int()
		b.Put(it.Value, data.Int(i+1))
	}
	return b.Map().Value()
}
