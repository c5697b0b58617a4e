package library

import (
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

const clojureWalk = "clojure.walk/"

// walks are the functions of clojure.walk and of reading data.
func walks() []*data.Native {
	keys := func(from func(k value) (value, bool)) func(t *data.Thread, a []value) value {
		return func(t *data.Thread, a []value) value {
			return postwalk(t, a[0], func(v value) value {
				m := v.Map()
				if m == nil {
					return v
				}
				b := data.NewBuilder(t)
				m.Each(t, func(k, x value) bool {
					if w, ok := from(k); ok {
						k = w
					}
					b.Put(k, x)
					return true
				})
				return b.Map().Value()
			})
		}
	}
	read := func(t *data.Thread, name, s string) value {
		t.Charge(len(s))
		f, fault := reader.First(s, reader.Options{Data: true})
		if fault != nil {
			data.Throw("RuntimeException", fault.Message)
		}
		if f == nil {
			if name == "read-string" {
				data.Throw("RuntimeException", "EOF while reading")
			}
			return data.Nil
		}
		return host(t).Datum(f)
	}
	return []*data.Native{
		fn(clojureWalk+"postwalk", 2, 2, "(walk/postwalk f form)", "f of each part of a form, from the inside", func(t *data.Thread, a []value) value {
			return postwalk(t, a[1], func(v value) value { return t.Call1(a[0], v) })
		}),
		fn(clojureWalk+"prewalk", 2, 2, "(walk/prewalk f form)", "f of each part of a form, from the outside", func(t *data.Thread, a []value) value {
			return prewalk(t, a[0], a[1])
		}),
		fn(clojureWalk+"walk", 3, 3, "(walk/walk inner outer form)", "outer of the form with inner of each part", func(t *data.Thread, a []value) value {
			return t.Call1(a[1], walked(t, a[2], func(v value) value { return t.Call1(a[0], v) }))
		}),
		fn(clojureWalk+"keywordize-keys", 1, 1, "(walk/keywordize-keys m)", "the maps with keywords for text keys", keys(func(k value) (value, bool) {
			s, ok := k.Text()
			return data.Keyword(s), ok
		})),
		fn(clojureWalk+"stringify-keys", 1, 1, "(walk/stringify-keys m)", "the maps with texts for keyword keys", keys(func(k value) (value, bool) {
			if !k.IsKeyword() {
				return k, false
			}
			return data.String(k.Named().Name), true
		})),
		fn(clojureWalk+"postwalk-replace", 2, 2, "(walk/postwalk-replace m form)", "the form with parts replaced, from the inside", func(t *data.Thread, a []value) value {
			return postwalk(t, a[1], func(v value) value { return replacedBy(t, a[0], v) })
		}),
		fn(clojureWalk+"prewalk-replace", 2, 2, "(walk/prewalk-replace m form)", "the form with parts replaced, from the outside", func(t *data.Thread, a []value) value {
			f := fn("replace", 1, 1, "", "", func(t *data.Thread, x []value) value { return replacedBy(t, a[0], x[0]) }).Function()
			return prewalk(t, f, a[1])
		}),
		fn("replace", 1, 2, "(replace {old new} coll)", "the elements with some replaced", func(t *data.Thread, a []value) value {
			if len(a) == 1 {
				m := a[0]
				return newTransducer(func() step {
					return func(t *data.Thread, x value, emit func(value) bool) bool { return emit(replacedBy(t, m, x)) }
				})
			}
			m := a[0]
			f := fn("replace", 1, 1, "", "", func(t *data.Thread, x []value) value { return replacedBy(t, m, x[0]) }).Function()
			if a[1].Kind() == data.KindVector {
				return data.VectorOf(data.Collect(t, mapOne(f, a[1])))
			}
			return mapOne(f, a[1])
		}),
		fn("read-string", 1, 1, "(read-string s)", "the first form of a text, as data", func(t *data.Thread, a []value) value {
			return read(t, "read-string", text(t, "read-string", a[0]))
		}),
		fn("clojure.edn/read-string", 1, 2, "(edn/read-string s)", "the value that a text writes", func(t *data.Thread, a []value) value {
			if v := a[len(a)-1]; !v.IsNil() {
				return read(t, "edn", text(t, "edn/read-string", v))
			}
			return data.Nil
		}),
	}
}

func replacedBy(t *data.Thread, m, v value) value {
	if has(t, m, v) {
		return data.Lookup(t, m, v, data.Nil)
	}
	return v
}

// walked gives a form with f of each of its parts.
func walked(t *data.Thread, v value, f func(value) value) value {
	t.Enter()
	defer t.Leave()
	switch v.Kind() {
	case data.KindMap:
		b := data.NewBuilder(t)
		if v.Map().Sorted() {
			b = data.BuilderOf(t, v.Map().Emptied())
		}
		for _, e := range v.Map().Entries(t) {
			put(t, b, f(e))
		}
		return b.Map().Value()
	case data.KindVector:
		items := data.Collect(t, v)
		for i, x := range items {
			items[i] = f(x)
		}
		return data.VectorOf(items)
	case data.KindSet:
		out := data.SetOf(t)
		for _, x := range v.Set().Elements(t) {
			out = out.With(t, f(x))
		}
		return out.Value()
	case data.KindList, data.KindCons, data.KindLazy, data.KindChunk, data.KindRange:
		items := data.Collect(t, v)
		for i, x := range items {
			items[i] = f(x)
		}
		return data.ListOf(items)
	}
	return v
}

func postwalk(t *data.Thread, v value, f func(value) value) value {
	return f(walked(t, v, func(x value) value { return postwalk(t, x, f) }))
}

func prewalk(t *data.Thread, f, v value) value {
	return walked(t, t.Call1(f, v), func(x value) value { return prewalk(t, f, x) })
}
