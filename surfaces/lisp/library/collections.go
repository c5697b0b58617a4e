package library

import "github.com/polyglove/polyglove/surfaces/lisp/data"

// collections are the functions that add to collections and turn one into another.
func collections() []*data.Native {
	return []*data.Native{
		fn("conj", 0, any, "(conj coll x …)", "the collection with more elements", func(t *data.Thread, a []value) value {
			if len(a) == 0 {
				return data.VectorOf(nil)
			}
			out := a[0]
			for _, x := range a[1:] {
				out = conj(t, out, x)
			}
			return out
		}),
		fn("disj", 1, any, "(disj set x …)", "the set without elements", func(t *data.Thread, a []value) value {
			if a[0].IsNil() {
				return data.Nil
			}
			s := a[0].Set()
			if s == nil {
				wants(t, "disj", "a set", a[0])
			}
			for _, x := range a[1:] {
				s = s.Without(t, x)
			}
			return s.Value()
		}),
		fn("into", 0, 3, "(into to from) or (into to xform from)", "the elements of from added to to", into),
		fn("set", 1, 1, "(set coll)", "the elements as a set", func(t *data.Thread, a []value) value {
			if a[0].Kind() == data.KindSet {
				return a[0]
			}
			return data.SetOf(t, data.Collect(t, a[0])...).Value()
		}),
		fn("hash-set", 0, any, "(hash-set x …)", "a set", func(t *data.Thread, a []value) value { return data.SetOf(t, a...).Value() }),
		fn("sorted-set", 0, any, "(sorted-set x …)", "a set in order", func(t *data.Thread, a []value) value {
			s := data.NewSortedSet(data.Natural)
			for _, x := range a {
				s = s.With(t, x)
			}
			return s.Value()
		}),
		fn("sorted-set-by", 1, any, "(sorted-set-by > x …)", "a set in an order", func(t *data.Thread, a []value) value {
			s := data.NewSortedSet(&data.Order{Compare: comparator(a[0])})
			for _, x := range a[1:] {
				s = s.With(t, x)
			}
			return s.Value()
		}),
		fn("empty", 1, 1, "(empty coll)", "an empty collection of the same kind", func(t *data.Thread, a []value) value {
			switch a[0].Kind() {
			case data.KindVector:
				return data.VectorOf(nil)
			case data.KindMap:
				if m := a[0].Map(); m.Sorted() {
					return m.Emptied().Value()
				}
				return data.NewMap().Value()
			case data.KindSet:
				if s := a[0].Set(); s.Sorted() {
					return s.Emptied().Value()
				}
				return data.SetOf(t).Value()
			case data.KindList, data.KindCons, data.KindLazy, data.KindChunk, data.KindRange:
				return data.Empty
			}
			return data.Nil
		}),
		fn("peek", 1, 1, "(peek coll)", "the last of a vector, the first of a list", func(t *data.Thread, a []value) value {
			if a[0].IsNil() {
				return data.Nil
			}
			if v := a[0].Vector(); v != nil {
				return last(t, a)
			}
			if data.IsSeq(a[0]) {
				return data.First(t, a[0])
			}
			wants(t, "peek", "a vector or list", a[0])
			return data.Nil
		}),
		fn("pop", 1, 1, "(pop coll)", "a vector without its last, a list without its first element", func(t *data.Thread, a []value) value {
			if a[0].IsNil() {
				return data.Nil
			}
			if v := a[0].Vector(); v != nil {
				if v.Len() == 0 {
					data.Throw("IllegalStateException", "Can't pop empty vector")
				}
				return v.Pop(t).Value()
			}
			if data.IsSeq(a[0]) {
				if data.Seq(t, a[0]).IsNil() {
					data.Throw("IllegalStateException", "Can't pop empty list")
				}
				return data.Rest(t, a[0])
			}
			wants(t, "pop", "a vector or list", a[0])
			return data.Nil
		}),
		fn("subvec", 2, 3, "(subvec v start) or (subvec v start end)", "a part of a vector", func(t *data.Thread, a []value) value {
			v := a[0].Vector()
			if v == nil {
				wants(t, "subvec", "a vector", a[0])
			}
			from, to := integer(t, "subvec", a[1]), int64(v.Len())
			if len(a) == 3 {
				to = integer(t, "subvec", a[2])
			}
			if from < 0 || to < from || to > int64(v.Len()) {
				data.Throw("IndexOutOfBoundsException", "the vector has no part from "+data.Print(t, data.Int(from), true)+" to "+data.Print(t, data.Int(to), true)+".")
			}
			return data.VectorOf(v.Slice(t, int(from), int(to)))
		}),
		fn("mapv", 2, any, "(mapv f coll)", "f of each element, as a vector", func(t *data.Thread, a []value) value {
			if len(a) > 2 {
				return data.VectorOf(data.Collect(t, mapMany(a[0], append([]value(nil), a[1:]...))))
			}
			callable(t, "mapv", a[0], a[1])
			var out []value
			for it := data.Iterate(t, a[1]); it.Next(); {
				out = added(t, out, t.Call1(a[0], it.Value))
			}
			return data.VectorOf(out)
		}),
		fn("filterv", 2, 2, "(filterv pred coll)", "the elements for which pred holds, as a vector", func(t *data.Thread, a []value) value {
			callable(t, "filterv", a[0], a[1])
			var out []value
			for it := data.Iterate(t, a[1]); it.Next(); {
				if test(t, a[0], it.Value) {
					out = added(t, out, it.Value)
				}
			}
			return data.VectorOf(out)
		}),
	}
}

// added appends and charges for the room.
func added(t *data.Thread, items []value, x value) []value {
	if len(items) == cap(items) {
		t.Alloc(16 * max(8, len(items)))
	}
	return append(items, x)
}

// conj adds an element where the kind of collection takes it.
func conj(t *data.Thread, coll, x value) value {
	switch coll.Kind() {
	case data.KindNil:
		t.Alloc(64)
		return data.ListOf([]value{x})
	case data.KindVector:
		return coll.Vector().Append(t, x).Value()
	case data.KindMap:
		return conjMap(t, coll.Map(), x)
	case data.KindSet:
		return coll.Set().With(t, x).Value()
	case data.KindList, data.KindCons:
		t.Alloc(80)
		if data.IsList(coll) {
			return data.Push(coll, x)
		}
		return data.NewCons(x, coll)
	case data.KindLazy, data.KindChunk, data.KindRange:
		t.Alloc(80)
		return data.NewCons(x, coll)
	}
	wants(t, "conj", "a collection", coll)
	return data.Nil
}

// conjMap adds an entry, or all of a map.
func conjMap(t *data.Thread, m *data.Map, x value) value {
	switch x.Kind() {
	case data.KindNil:
		return m.Value()
	case data.KindMap:
		b := data.BuilderOf(t, m)
		x.Map().Each(t, func(k, v value) bool { b.Put(k, v); return true })
		return b.Map().Value()
	case data.KindVector:
		e := x.Vector()
		if e.Len() != 2 {
			data.Throw("IllegalArgumentException", "Vector arg to map conj must be a pair")
		}
		return m.With(t, e.At(0), e.At(1)).Value()
	}
	if data.Seqable(x) {
		out := m.Value()
		for it := data.Iterate(t, x); it.Next(); {
			if e := it.Value.Vector(); e == nil || e.Len() != 2 {
				wants(t, "conj to a map", "entries [k v]", it.Value)
			}
			out = conjMap(t, out.Map(), it.Value)
		}
		return out
	}
	wants(t, "conj to a map", "an entry [k v] or a map", x)
	return data.Nil
}

func into(t *data.Thread, a []value) value {
	switch len(a) {
	case 0:
		return data.VectorOf(nil)
	case 1:
		return a[0]
	case 3:
		items := intoVector(t, a[1], a[2])
		return intoFrom(t, a[0], items)
	}
	return intoFrom(t, a[0], a[1])
}

// intoVector gives the elements through a transducer.
func intoVector(t *data.Thread, xform, coll value) value {
	var out []value
	collect := data.MarkFunction(&reducingFunction{
		add:    func(t *data.Thread, acc, x value) value { out = added(t, out, x); return acc },
		finish: func(_ *data.Thread, acc value) value { return acc },
	})
	transduced(t, xform, collect, data.Nil, coll)
	return data.VectorOf(out)
}

func intoFrom(t *data.Thread, to, from value) value {
	switch to.Kind() {
	case data.KindVector:
		v := to.Vector()
		items := v.Slice(t, 0, v.Len())
		for it := data.Iterate(t, from); it.Next(); {
			items = added(t, items, it.Value)
		}
		return data.VectorOf(items)
	case data.KindMap:
		b := data.BuilderOf(t, to.Map())
		for it := data.Iterate(t, from); it.Next(); {
			put(t, b, it.Value)
		}
		return b.Map().Value()
	}
	for it := data.Iterate(t, from); it.Next(); {
		to = conj(t, to, it.Value)
	}
	return to
}

func put(t *data.Thread, b *data.Builder, x value) {
	switch x.Kind() {
	case data.KindNil:
	case data.KindMap:
		x.Map().Each(t, func(k, v value) bool { b.Put(k, v); return true })
	case data.KindVector:
		e := x.Vector()
		if e.Len() != 2 {
			data.Throw("IllegalArgumentException", "Vector arg to map conj must be a pair")
		}
		b.Put(e.At(0), e.At(1))
	default:
		wants(t, "into a map", "entries [k v]", x)
	}
}
