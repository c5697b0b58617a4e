package library

import (
	"fmt"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// sequences are the functions that read single elements or make sequences.
func sequences() []*data.Native {
	return []*data.Native{
		fn("count", 1, 1, "(count coll)", "the number of elements", func(t *data.Thread, a []value) value {
			return data.Int(int64(data.Count(t, a[0])))
		}),
		fn("seq", 1, 1, "(seq coll)", "the collection as a sequence, nil when empty", func(t *data.Thread, a []value) value {
			return data.Seq(t, a[0])
		}),
		fn("first", 1, 1, "(first coll)", "the first element", func(t *data.Thread, a []value) value { return data.First(t, a[0]) }),
		fn("second", 1, 1, "(second coll)", "the second element", func(t *data.Thread, a []value) value {
			return data.First(t, data.Rest(t, a[0]))
		}),
		fn("ffirst", 1, 1, "(ffirst coll)", "the first element of the first", func(t *data.Thread, a []value) value {
			return data.First(t, data.First(t, a[0]))
		}),
		fn("fnext", 1, 1, "(fnext coll)", "the second element", func(t *data.Thread, a []value) value {
			return data.First(t, data.Next(t, a[0]))
		}),
		fn("nfirst", 1, 1, "(nfirst coll)", "the rest of the first element", func(t *data.Thread, a []value) value {
			return data.Next(t, data.First(t, a[0]))
		}),
		fn("nnext", 1, 1, "(nnext coll)", "what follows the second element", func(t *data.Thread, a []value) value {
			return data.Next(t, data.Next(t, a[0]))
		}),
		fn("rest", 1, 1, "(rest coll)", "all but the first element", func(t *data.Thread, a []value) value { return data.Rest(t, a[0]) }),
		fn("next", 1, 1, "(next coll)", "all but the first element, nil when that is nothing", func(t *data.Thread, a []value) value {
			return data.Next(t, a[0])
		}),
		fn("last", 1, 1, "(last coll)", "the last element", last),
		fn("butlast", 1, 1, "(butlast coll)", "all but the last element", func(t *data.Thread, a []value) value {
			items := data.Collect(t, a[0])
			if len(items) < 2 {
				return data.Nil
			}
			return data.NewChunk(items[:len(items)-1], data.Nil)
		}),
		fn("nth", 2, 3, "(nth coll i) or (nth coll i default)", "the element at an index", nth),
		fn("nthrest", 2, 2, "(nthrest coll n)", "what follows n elements", func(t *data.Thread, a []value) value {
			coll := a[0]
			for n := count(t, "nthrest", a[1]); n > 0 && !data.Seq(t, coll).IsNil(); n-- {
				coll = data.Rest(t, coll)
			}
			return coll
		}),
		fn("nthnext", 2, 2, "(nthnext coll n)", "what follows n elements, nil when that is nothing", func(t *data.Thread, a []value) value {
			return dropped(t, max(0, count(t, "nthnext", a[1])), a[0])
		}),
		fn("reverse", 1, 1, "(reverse coll)", "the elements in reverse order", func(t *data.Thread, a []value) value {
			items := data.Collect(t, a[0])
			for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
				items[i], items[j] = items[j], items[i]
			}
			return data.ListOf(items)
		}),
		fn("rseq", 1, 1, "(rseq v)", "a vector from its end", func(t *data.Thread, a []value) value {
			items := data.Collect(t, a[0])
			if len(items) == 0 {
				return data.Nil
			}
			for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
				items[i], items[j] = items[j], items[i]
			}
			return data.NewChunk(items, data.Nil)
		}),
		fn("cons", 2, 2, "(cons x coll)", "x before the elements", func(t *data.Thread, a []value) value {
			t.Alloc(80)
			rest := a[1]
			if !data.IsSeq(rest) {
				rest = data.Seq(t, rest)
			}
			return data.NewCons(a[0], rest)
		}),
		fn("list", 0, any, "(list x …)", "a list", func(t *data.Thread, a []value) value {
			t.Alloc(48 + 16*len(a))
			return data.ListOf(append([]value(nil), a...))
		}),
		fn("list*", 1, any, "(list* x … coll)", "the values before the elements", func(t *data.Thread, a []value) value {
			t.Alloc(80 + 16*len(a))
			rest := data.Seq(t, a[len(a)-1])
			return data.NewChunk(append([]value(nil), a[:len(a)-1]...), rest)
		}),
		fn("vec", 1, 1, "(vec coll)", "the elements as a vector", func(t *data.Thread, a []value) value {
			if a[0].Kind() == data.KindVector {
				return a[0]
			}
			return data.VectorOf(data.Collect(t, a[0]))
		}),
		fn("vector", 0, any, "(vector x …)", "a vector", func(t *data.Thread, a []value) value {
			t.Alloc(128 + 16*len(a))
			return data.VectorOf(append([]value(nil), a...))
		}),
		fn("take-last", 2, 2, "(take-last n coll)", "the last n elements", func(t *data.Thread, a []value) value {
			n := max(0, count(t, "take-last", a[0]))
			items := data.Collect(t, a[1])
			items = items[max(0, int64(len(items))-n):]
			return data.NewChunk(items, data.Nil)
		}),
		fn("drop-last", 1, 2, "(drop-last n coll)", "all but the last n elements", func(t *data.Thread, a []value) value {
			n, coll := int64(1), a[0]
			if len(a) == 2 {
				n, coll = max(0, count(t, "drop-last", a[0])), a[1]
			}
			items := data.Collect(t, coll)
			return data.ListOf(items[:max(0, int64(len(items))-n)])
		}),
		fn("split-at", 2, 2, "(split-at n coll)", "[(take n coll) (drop n coll)]", func(t *data.Thread, a []value) value {
			return data.Pair(takeLazy(count(t, "split-at", a[0]), a[1]), drop(t, a))
		}),
		fn("split-with", 2, 2, "(split-with pred coll)", "[(take-while pred coll) (drop-while pred coll)]", func(t *data.Thread, a []value) value {
			return data.Pair(takeWhileLazy(a[0], a[1]), dropWhile(t, append([]value(nil), a...)))
		}),
		fn("doall", 1, 2, "(doall coll)", "the sequence, computed whole", func(t *data.Thread, a []value) value {
			v := a[len(a)-1]
			for it := data.Iterate(t, v); it.Next(); {
			}
			return v
		}),
		fn("dorun", 1, 2, "(dorun coll)", "nil, after the sequence has been computed", func(t *data.Thread, a []value) value {
			for it := data.Iterate(t, a[len(a)-1]); it.Next(); {
			}
			return data.Nil
		}),
		fn("run!", 2, 2, "(run! f coll)", "f for each element, for its effects", func(t *data.Thread, a []value) value {
			for it := data.Iterate(t, a[1]); it.Next(); {
				if _, ok := t.Call1(a[0], it.Value).Unbox().(*reduced); ok {
					break
				}
			}
			return data.Nil
		}),
		fn("empty?", 1, 1, "(empty? coll)", "whether there are no elements", func(t *data.Thread, a []value) value {
			return data.Bool(empty(t, a[0]))
		}),
		fn("not-empty", 1, 1, "(not-empty coll)", "the collection, nil when empty", func(t *data.Thread, a []value) value {
			if empty(t, a[0]) {
				return data.Nil
			}
			return a[0]
		}),
		fn("rand-nth", 1, 1, "(rand-nth coll)", "an element by chance", func(t *data.Thread, a []value) value {
			items := data.Collect(t, a[0])
			if len(items) == 0 {
				return data.Nil
			}
			return items[int(host(t).Random()*float64(len(items)))]
		}),
		fn("shuffle", 1, 1, "(shuffle coll)", "the elements in an order by chance", func(t *data.Thread, a []value) value {
			items := data.Collect(t, a[0])
			for i := len(items) - 1; i > 0; i-- {
				j := int(host(t).Random() * float64(i+1))
				items[i], items[j] = items[j], items[i]
			}
			return data.VectorOf(items)
		}),
	}
}

func empty(t *data.Thread, v value) bool {
	switch v.Kind() {
	case data.KindVector, data.KindMap, data.KindSet, data.KindString:
		return data.Count(t, v) == 0
	}
	return data.Seq(t, v).IsNil()
}

func last(t *data.Thread, a []value) value {
	if v := a[0].Vector(); v != nil {
		if v.Len() == 0 {
			return data.Nil
		}
		return v.At(v.Len() - 1)
	}
	var x value
	for it := data.Iterate(t, a[0]); it.Next(); {
		x = it.Value
	}
	return x
}

func nth(t *data.Thread, a []value) value {
	coll := a[0]
	i := integer(t, "nth", a[1])
	missing := func(n int) value {
		if len(a) == 3 {
			return a[2]
		}
		data.Throw("IndexOutOfBoundsException", fmt.Sprintf("there is no index %d: the collection has %d elements.", i, n))
		return data.Nil
	}
	switch coll.Kind() {
	case data.KindNil:
		if len(a) == 3 {
			return a[2]
		}
		return data.Nil
	case data.KindVector:
		v := coll.Vector()
		if i < 0 || i >= int64(v.Len()) {
			return missing(v.Len())
		}
		return v.At(int(i))
	case data.KindString:
		x := coll.Unbox().(*data.Text)
		if i < 0 || i >= int64(x.Length()) {
			return missing(x.Length())
		}
		return data.Char(x.At(int(i)))
	case data.KindMap, data.KindSet:
		data.ThrowHint("UnsupportedOperationException", "nth not supported on this type: "+data.Describe(t, coll)+".", "Take (seq coll) of it first.")
	}
	if i < 0 {
		if len(a) == 3 {
			return a[2]
		}
		return missing(data.Count(t, coll))
	}
	n := int64(0)
	for it := data.Iterate(t, coll); it.Next(); n++ {
		if n == i {
			return it.Value
		}
	}
	return missing(int(n))
}
