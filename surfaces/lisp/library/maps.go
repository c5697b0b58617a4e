package library

import (
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// maps are the functions on maps, and on vectors as maps of their indexes.
func maps() []*data.Native {
	return []*data.Native{
		fn("get", 2, 3, "(get m k) or (get m k default)", "the value of a key", func(t *data.Thread, a []value) value {
			return data.Lookup(t, a[0], a[1], third(a))
		}),
		fn("get-in", 2, 3, "(get-in m [k …]) or (get-in m [k …] default)", "the value at a path", getIn),
		fn("find", 2, 2, "(find m k)", "the entry of a key", func(t *data.Thread, a []value) value {
			if m := a[0].Map(); m != nil {
				if k, v, ok := m.Entry(t, a[1]); ok {
					return data.Pair(k, v)
				}
				return data.Nil
			}
			if has(t, a[0], a[1]) {
				return data.Pair(a[1], data.Lookup(t, a[0], a[1], data.Nil))
			}
			return data.Nil
		}),
		fn("contains?", 2, 2, "(contains? m k)", "whether a map has the key, or a set the element", func(t *data.Thread, a []value) value {
			return data.Bool(has(t, a[0], a[1]))
		}),
		fn("assoc", 3, any, "(assoc m k v …)", "the map with values for keys", func(t *data.Thread, a []value) value {
			if len(a)%2 == 0 {
				data.Throw("IllegalArgumentException", "assoc expects even number of arguments after map/vector, found odd number")
			}
			m := a[0]
			for i := 1; i+1 < len(a); i += 2 {
				m = assoc(t, m, a[i], a[i+1])
			}
			return m
		}),
		fn("assoc-in", 3, 3, "(assoc-in m [k …] v)", "the map with a value at a path", func(t *data.Thread, a []value) value {
			return updateIn(t, a[0], data.Collect(t, a[1]), func(value) value { return a[2] })
		}),
		fn("dissoc", 1, any, "(dissoc m k …)", "the map without keys", func(t *data.Thread, a []value) value {
			if a[0].IsNil() {
				return data.Nil
			}
			m := a[0].Map()
			if m == nil {
				wants(t, "dissoc", "a map", a[0])
			}
			for _, k := range a[1:] {
				m = m.Without(t, k)
			}
			return m.Value()
		}),
		fn("update", 3, any, "(update m k f …)", "the map with f of a value", func(t *data.Thread, a []value) value {
			rest := append([]value(nil), a[3:]...)
			old := data.Lookup(t, a[0], a[1], data.Nil)
			return assoc(t, a[0], a[1], t.Invoke(t, a[2], append([]value{old}, rest...)))
		}),
		fn("update-in", 3, any, "(update-in m [k …] f …)", "the map with f of the value at a path", func(t *data.Thread, a []value) value {
			rest := append([]value(nil), a[3:]...)
			f := a[2]
			return updateIn(t, a[0], data.Collect(t, a[1]), func(old value) value {
				return t.Invoke(t, f, append([]value{old}, rest...))
			})
		}),
		fn("merge", 0, any, "(merge m …)", "the maps in one; later values win", merge),
		fn("merge-with", 1, any, "(merge-with f m …)", "the maps in one; f of the values of a key that several have", mergeWith),
		fn("select-keys", 2, 2, "(select-keys m [k …])", "the map with these keys only", func(t *data.Thread, a []value) value {
			b := data.NewBuilder(t)
			for it := data.Iterate(t, a[1]); it.Next(); {
				if has(t, a[0], it.Value) {
					b.Put(it.Value, data.Lookup(t, a[0], it.Value, data.Nil))
				}
			}
			return b.Map().Value()
		}),
		fn("keys", 1, 1, "(keys m)", "the keys", func(t *data.Thread, a []value) value {
			return entries(t, "keys", a[0], (*data.Map).Keys)
		}),
		fn("vals", 1, 1, "(vals m)", "the values", func(t *data.Thread, a []value) value {
			return entries(t, "vals", a[0], (*data.Map).Vals)
		}),
		fn("key", 1, 1, "(key entry)", "the key of an entry", func(t *data.Thread, a []value) value { return entry(t, "key", a[0]).At(0) }),
		fn("val", 1, 1, "(val entry)", "the value of an entry", func(t *data.Thread, a []value) value { return entry(t, "val", a[0]).At(1) }),
		fn("zipmap", 2, 2, "(zipmap keys vals)", "a map of keys and values", func(t *data.Thread, a []value) value {
			b := data.NewBuilder(t)
			ks, vs := data.Iterate(t, a[0]), data.Iterate(t, a[1])
			for ks.Next() && vs.Next() {
				b.Put(ks.Value, vs.Value)
			}
			return b.Map().Value()
		}),
		fn("hash-map", 0, any, "(hash-map k v …)", "a map", func(t *data.Thread, a []value) value {
			evenly(t, "hash-map", a)
			b := data.NewHashBuilder(t)
			for i := 0; i < len(a); i += 2 {
				b.Put(a[i], a[i+1])
			}
			return b.Map().Value()
		}),
		fn("array-map", 0, any, "(array-map k v …)", "a map that keeps the order of a few keys", func(t *data.Thread, a []value) value {
			evenly(t, "array-map", a)
			return data.MapOf(t, a...).Value()
		}),
		fn("sorted-map", 0, any, "(sorted-map k v …)", "a map in the order of its keys", func(t *data.Thread, a []value) value {
			evenly(t, "sorted-map", a)
			m := data.NewSortedMap(data.Natural)
			for i := 0; i < len(a); i += 2 {
				m = m.With(t, a[i], a[i+1])
			}
			return m.Value()
		}),
		fn("sorted-map-by", 1, any, "(sorted-map-by > k v …)", "a map in an order of its keys", func(t *data.Thread, a []value) value {
			evenly(t, "sorted-map-by", a[1:])
			m := data.NewSortedMap(&data.Order{Compare: comparator(a[0])})
			for i := 1; i < len(a); i += 2 {
				m = m.With(t, a[i], a[i+1])
			}
			return m.Value()
		}),
		fn("update-vals", 2, 2, "(update-vals m f)", "the map with f of each value", func(t *data.Thread, a []value) value {
			return remade(t, "update-vals", a[0], func(b *data.Builder, k, v value) { b.Put(k, t.Call1(a[1], v)) })
		}),
		fn("update-keys", 2, 2, "(update-keys m f)", "the map with f of each key", func(t *data.Thread, a []value) value {
			m := mapOf(t, "update-keys", a[0])
			b := data.NewBuilder(t)
			m.Each(t, func(k, v value) bool { b.Put(t.Call1(a[1], k), v); return true })
			return b.Map().Value()
		}),
		fn("map-entry?", 1, 1, "(map-entry? x)", "whether x is an entry of a map", func(_ *data.Thread, a []value) value {
			v := a[0].Vector()
			return data.Bool(v != nil && v.Len() == 2)
		}),
	}
}

func third(a []value) value {
	if len(a) > 2 {
		return a[2]
	}
	return data.Nil
}

func evenly(t *data.Thread, name string, a []value) {
	if len(a)%2 != 0 {
		data.Throw("IllegalArgumentException", "No value supplied for key: "+data.Brief(t, a[len(a)-1], 60))
	}
}

func mapOf(t *data.Thread, name string, v value) *data.Map {
	if v.IsNil() {
		return data.NewMap()
	}
	m := v.Map()
	if m == nil {
		wants(t, name, "a map", v)
	}
	return m
}

// remade gives a map with other values; of a sorted one, an unsorted, as Clojure does.
func remade(t *data.Thread, name string, v value, put func(b *data.Builder, k, x value)) value {
	if v.IsNil() {
		return data.NewMap().Value()
	}
	m := mapOf(t, name, v)
	b := data.BuilderOf(t, m)
	if m.Sorted() {
		b = data.NewBuilder(t)
	}
	m.Each(t, func(k, x value) bool { put(b, k, x); return true })
	return b.Map().Value()
}

func entry(t *data.Thread, name string, v value) *data.Vector {
	e := v.Vector()
	if e == nil || e.Len() != 2 {
		if v.Kind() == data.KindMap {
			data.ThrowHint("ClassCastException", name+" needs an entry, and got "+data.Describe(t, v)+".", "For all of a map write ("+name+"s m).")
		}
		wants(t, name, "an entry of a map", v)
	}
	return e
}

// entries gives the keys or values of a map, or of a sequence of entries.
func entries(t *data.Thread, name string, v value, of func(*data.Map, *data.Thread) []value) value {
	if m := v.Map(); m != nil {
		return data.NewChunk(of(m, t), data.Nil)
	}
	if v.IsNil() {
		return data.Nil
	}
	if !data.Seqable(v) {
		wants(t, name, "a map", v)
	}
	i := 0
	if name == "vals" {
		i = 1
	}
	var out []value
	for it := data.Iterate(t, v); it.Next(); {
		e := it.Value.Vector()
		if e == nil || e.Len() != 2 {
			data.ThrowHint("ClassCastException", name+" needs a map, and got "+data.Describe(t, v)+".", "For each row of a list write (map "+name+" rows).")
		}
		t.Alloc(16)
		out = append(out, e.At(i))
	}
	return data.NewChunk(out, data.Nil)
}

// has reports whether a collection contains a key.
func has(t *data.Thread, coll, k value) bool {
	switch coll.Kind() {
	case data.KindNil:
		return false
	case data.KindMap:
		_, ok := coll.Map().Get(t, k)
		return ok
	case data.KindSet:
		return coll.Set().Has(t, k)
	case data.KindVector, data.KindString:
		i, ok := k.Int()
		if !ok && !k.IsNumber() {
			containsAdvice(t, coll)
		}
		return ok && i >= 0 && i < int64(data.Count(t, coll))
	}
	data.ThrowHint("IllegalArgumentException", "contains? is not defined on "+data.Describe(t, coll)+".", "To look for an element write (some #{x} coll).")
	return false
}

// containsAdvice tells of a search by contains?, which asks a vector for an index: it
// finds nothing, as in Clojure, and says so.
func containsAdvice(t *data.Thread, coll value) {
	if coll.Kind() == data.KindString {
		data.ThrowHint("IllegalArgumentException", "contains? on a string takes an index.", "To look for a text write (str/includes? s \"text\").")
	}
	if t.Note != nil {
		t.Note("contains? on a vector asks for an index, so it gave false. To look for an element write (some #{x} coll).")
	}
}

func assoc(t *data.Thread, coll, k, v value) value {
	switch coll.Kind() {
	case data.KindNil:
		return data.MapOf(t, k, v).Value()
	case data.KindMap:
		return coll.Map().With(t, k, v).Value()
	case data.KindVector:
		vec := coll.Vector()
		i, ok := k.Int()
		if !ok {
			data.ThrowHint("IllegalArgumentException", "Key must be integer", "A vector has indexes for keys; to set a field of each row write (map #(assoc % :field x) rows).")
		}
		switch {
		case i == int64(vec.Len()):
			return vec.Append(t, v).Value()
		case i < 0 || i > int64(vec.Len()):
			data.Throw("IndexOutOfBoundsException", "the vector has no index "+data.Print(t, k, true)+".")
		}
		return vec.With(t, int(i), v).Value()
	}
	wants(t, "assoc", "a map or vector", coll)
	return data.Nil
}

func getIn(t *data.Thread, a []value) value {
	v := a[0]
	for it := data.Iterate(t, a[1]); it.Next(); {
		if len(a) == 3 {
			if v = data.Lookup(t, v, it.Value, none); v == none {
				return a[2]
			}
			continue
		}
		v = data.Lookup(t, v, it.Value, data.Nil)
	}
	return v
}

// none is no value of any program.
var none = data.Box(&reduced{})

func updateIn(t *data.Thread, m value, path []value, f func(old value) value) value {
	if len(path) == 0 {
		return assoc(t, m, data.Nil, f(data.Lookup(t, m, data.Nil, data.Nil)))
	}
	t.Enter()
	defer t.Leave()
	old := data.Lookup(t, m, path[0], data.Nil)
	if len(path) == 1 {
		return assoc(t, m, path[0], f(old))
	}
	return assoc(t, m, path[0], updateIn(t, old, path[1:], f))
}

func merge(t *data.Thread, a []value) value {
	var out value
	any := false
	for _, m := range a {
		any = any || m.Truthy()
	}
	if !any {
		return data.Nil
	}
	for i, m := range a {
		switch {
		case i == 0 && m.IsNil():
			out = data.NewMap().Value()
		case i == 0:
			out = m
		default:
			out = conj(t, out, m)
		}
	}
	return out
}

func mergeWith(t *data.Thread, a []value) value {
	var b *data.Builder
	for _, v := range a[1:] {
		if v.IsNil() {
			continue
		}
		m := mapOf(t, "merge-with", v)
		if b == nil {
			b = data.BuilderOf(t, m)
			continue
		}
		m.Each(t, func(k, x value) bool {
			if old, ok := b.Get(k); ok {
				x = t.Call2(a[0], old, x)
			}
			b.Put(k, x)
			return true
		})
	}
	if b == nil {
		return data.Nil
	}
	return b.Map().Value()
}
