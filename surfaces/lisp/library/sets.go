package library

import "github.com/polyglove/polyglove/surfaces/lisp/data"

const clojureSet = "clojure.set/"

// setFunctions are those of clojure.set. The three that everybody means are there
// without the namespace too.
func setFunctions() []*data.Native {
	union := func(t *data.Thread, a []value) value {
		largest := -1 // the elements of the others are added to it, as Clojure does
		for i, v := range a {
			if v.Kind() == data.KindSet && (largest < 0 || v.Set().Len() > a[largest].Set().Len()) {
				largest = i
			}
		}
		out := data.SetOf(t)
		if largest >= 0 {
			out = a[largest].Set()
		}
		for i, v := range a {
			if i == largest {
				continue
			}
			for it := data.Iterate(t, v); it.Next(); {
				out = out.With(t, it.Value)
			}
		}
		return out.Value()
	}
	intersection := func(t *data.Thread, a []value) value {
		out := setOf(t, "intersection", a[0])
		for _, v := range a[1:] {
			other := setOf(t, "intersection", v)
			small, large := out, other
			if small.Len() > large.Len() {
				small, large = large, small
			}
			kept := small
			small.Each(t, func(x value) bool {
				if !large.Has(t, x) {
					kept = kept.Without(t, x)
				}
				return true
			})
			out = kept
		}
		return out.Value()
	}
	difference := func(t *data.Thread, a []value) value {
		out := setOf(t, "difference", a[0])
		for _, v := range a[1:] {
			for it := data.Iterate(t, v); it.Next(); {
				out = out.Without(t, it.Value)
			}
		}
		return out.Value()
	}
	subset := func(t *data.Thread, name string, a, b value) value {
		x, y := setOf(t, name, a), setOf(t, name, b)
		all := x.Len() <= y.Len()
		x.Each(t, func(v value) bool { all = all && y.Has(t, v); return all })
		return data.Bool(all)
	}
	return []*data.Native{
		fn(clojureSet+"union", 0, any, "(set/union a b)", "the elements of all sets", union),
		fn(clojureSet+"intersection", 1, any, "(set/intersection a b)", "the elements that all sets have", intersection),
		fn(clojureSet+"difference", 1, any, "(set/difference a b)", "the elements of a that the others do not have", difference),
		extra("union", 0, any, "(set/union a b)", "the elements of all sets", union),
		extra("intersection", 1, any, "(set/intersection a b)", "the elements that all sets have", intersection),
		extra("difference", 1, any, "(set/difference a b)", "the elements of a that the others do not have", difference),
		fn(clojureSet+"subset?", 2, 2, "(set/subset? a b)", "whether b has all of a", func(t *data.Thread, a []value) value { return subset(t, "subset?", a[0], a[1]) }),
		fn(clojureSet+"superset?", 2, 2, "(set/superset? a b)", "whether a has all of b", func(t *data.Thread, a []value) value { return subset(t, "superset?", a[1], a[0]) }),
		fn(clojureSet+"select", 2, 2, "(set/select pred s)", "the elements for which pred holds", func(t *data.Thread, a []value) value {
			s := setOf(t, "select", a[1])
			out := s
			s.Each(t, func(x value) bool {
				if !test(t, a[0], x) {
					out = out.Without(t, x)
				}
				return true
			})
			return out.Value()
		}),
		fn(clojureSet+"map-invert", 1, 1, "(set/map-invert m)", "a map from the values to the keys", func(t *data.Thread, a []value) value {
			b := data.NewBuilder(t)
			mapOf(t, "map-invert", a[0]).Each(t, func(k, v value) bool { b.Put(v, k); return true })
			return b.Map().Value()
		}),
		fn(clojureSet+"rename-keys", 2, 2, "(set/rename-keys m {:old :new})", "the map with other names for keys", func(t *data.Thread, a []value) value {
			if a[0].IsNil() {
				return data.Nil
			}
			return renameKeys(t, mapOf(t, "rename-keys", a[0]), mapOf(t, "rename-keys", a[1])).Value()
		}),
		fn(clojureSet+"project", 2, 2, "(set/project rows [:a :b])", "the set of the rows with these keys only", func(t *data.Thread, a []value) value {
			keys := data.Collect(t, a[1])
			return mapSet(t, a[0], func(row value) value {
				b := data.NewBuilder(t)
				for _, k := range keys {
					if has(t, row, k) {
						b.Put(k, data.Lookup(t, row, k, data.Nil))
					}
				}
				return b.Map().Value()
			})
		}),
		fn(clojureSet+"rename", 2, 2, "(set/rename rows {:old :new})", "the set of the rows with other names for keys", func(t *data.Thread, a []value) value {
			names := mapOf(t, "rename", a[1])
			return mapSet(t, a[0], func(row value) value { return renameKeys(t, mapOf(t, "rename", row), names).Value() })
		}),
		fn(clojureSet+"index", 2, 2, "(set/index rows [:a])", "a map from values of keys to the rows that have them", func(t *data.Thread, a []value) value {
			keys := data.Collect(t, a[1])
			b := data.NewBuilder(t)
			for it := data.Iterate(t, a[0]); it.Next(); {
				k := picked(t, it.Value, keys)
				old, ok := b.Get(k)
				if !ok {
					old = data.SetOf(t).Value()
				}
				b.Put(k, old.Set().With(t, it.Value).Value())
			}
			return b.Map().Value()
		}),
		fn(clojureSet+"join", 2, 3, "(set/join a b) or (set/join a b {:a-key :b-key})", "the pairs of rows with the same values of their common keys, merged", setJoin),
	}
}

func setOf(t *data.Thread, name string, v value) *data.Set {
	if v.IsNil() {
		return data.SetOf(t)
	}
	s := v.Set()
	if s == nil {
		data.ThrowHint("ClassCastException", name+" takes sets, and got "+data.Describe(t, v)+".", "Write (set coll) around it.")
	}
	return s
}

func mapSet(t *data.Thread, rows value, f func(row value) value) value {
	out := data.SetOf(t)
	for it := data.Iterate(t, rows); it.Next(); {
		out = out.With(t, f(it.Value))
	}
	return out.Value()
}

func picked(t *data.Thread, row value, keys []value) value {
	b := data.NewBuilder(t)
	for _, k := range keys {
		if has(t, row, k) {
			b.Put(k, data.Lookup(t, row, k, data.Nil))
		}
	}
	return b.Map().Value()
}

// renameKeys renames all keys at once, so that names can be exchanged.
func renameKeys(t *data.Thread, m, names *data.Map) *data.Map {
	out := m
	names.Each(t, func(old, _ value) bool { out = out.Without(t, old); return true })
	names.Each(t, func(old, to value) bool {
		if v, ok := m.Get(t, old); ok {
			out = out.With(t, to, v)
		}
		return true
	})
	return out
}

func setJoin(t *data.Thread, a []value) value {
	left, right := data.Collect(t, a[0]), data.Collect(t, a[1])
	out := data.SetOf(t)
	if len(left) == 0 || len(right) == 0 {
		return out.Value()
	}
	var pairs []value // keys of the left and right rows in turn
	if len(a) == 3 {
		mapOf(t, "join", a[2]).Each(t, func(k, v value) bool { pairs = append(pairs, k, v); return true })
	} else {
		for _, k := range mapOf(t, "join", left[0]).Keys(t) {
			if has(t, right[0], k) {
				pairs = append(pairs, k, k)
			}
		}
	}
	index := data.NewHashBuilder(t)
	side := func(row value, i int) value {
		var vals []value
		for ; i < len(pairs); i += 2 {
			vals = append(vals, data.Lookup(t, row, pairs[i], data.Nil))
		}
		return data.VectorOf(vals)
	}
	for _, r := range right {
		k := side(r, 1)
		old, ok := index.Get(k)
		if !ok {
			old = data.VectorOf(nil)
		}
		index.Put(k, old.Vector().Append(t, r).Value())
	}
	for _, l := range left {
		found, _ := index.Get(side(l, 0))
		for it := data.Iterate(t, found); it.Next(); {
			out = out.With(t, conj(t, l, it.Value))
		}
	}
	return out.Value()
}
