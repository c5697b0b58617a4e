package library

import "github.com/polyglove/polyglove/surfaces/lisp/data"

// lazies are the functions that give sequences computed as they are read. As in
// Clojure, a collection that has its elements in runs of 32 is computed by runs.
func lazies() []*data.Native {
	return []*data.Native{
		fn("map", 1, any, "(map f coll) or (map f coll1 coll2)", "f of each element", mapping),
		fn("mapcat", 1, any, "(mapcat f coll)", "the elements of what f gives for each element", mapcat),
		fn("filter", 1, 2, "(filter pred coll)", "the elements for which pred holds", func(t *data.Thread, a []value) value { return filtering(t, a, true) }),
		fn("remove", 1, 2, "(remove pred coll)", "the elements for which pred does not hold", func(t *data.Thread, a []value) value { return filtering(t, a, false) }),
		fn("keep", 1, 2, "(keep f coll)", "what f gives, without the nils", keep),
		fn("map-indexed", 1, 2, "(map-indexed (fn [i x] …) coll)", "f of each index and element", mapIndexed),
		fn("keep-indexed", 1, 2, "(keep-indexed (fn [i x] …) coll)", "what f gives for each index and element, without the nils", keepIndexed),
		fn("concat", 0, any, "(concat coll …)", "the collections one after the other", concatAll),
		fn("take-while", 1, 2, "(take-while pred coll)", "the elements up to the first for which pred does not hold", takeWhile),
		fn("drop-while", 1, 2, "(drop-while pred coll)", "the elements from the first for which pred does not hold", dropWhile),
		fn("take", 1, 2, "(take n coll)", "the first n elements", take),
		fn("drop", 1, 2, "(drop n coll)", "all but the first n elements", drop),
		fn("take-nth", 1, 2, "(take-nth n coll)", "every nth element", takeNth),
		fn("interpose", 1, 2, "(interpose sep coll)", "the elements with sep between them", interpose),
		fn("interleave", 0, any, "(interleave c1 c2 …)", "the firsts, then the seconds, …", interleave),
		fn("iterate", 2, 2, "(take n (iterate f x))", "x, (f x), (f (f x)), … without end", iterate),
		fn("iteration", 1, any, "(iteration step :somef f :vf f :kf f :initk k)", "what calls of step give, each with the key that the one before gave", iteration),
		fn("random-sample", 1, 2, "(random-sample prob coll)", "each element with that probability", randomSample),
		fn("cycle", 1, 1, "(take n (cycle coll))", "the elements again and again", cycle),
		fn("repeat", 1, 2, "(repeat n x)", "x n times", repeat),
		fn("repeatedly", 1, 2, "(repeatedly n f)", "what n calls of f give", repeatedly),
		fn("range", 0, 3, "(range end), (range start end) or (range start end step)", "numbers", rangeOf),
		fn("distinct", 0, 1, "(distinct coll)", "the elements without repetitions", distinct),
		fn("dedupe", 0, 1, "(dedupe coll)", "the elements without repetitions in a row", dedupe),
		fn("partition", 2, 4, "(partition n coll) or (partition n step coll)", "lists of n elements; a shorter last one is dropped", partition),
		fn("partition-all", 1, 3, "(partition-all n coll)", "lists of n elements; the last may be shorter", partitionAll),
		fn("partition-by", 1, 2, "(partition-by f coll)", "runs of elements for which f gives the same", partitionBy),
		fn("reductions", 2, 3, "(reductions f init coll)", "what reduce would give after each element", reductions),
		fn("tree-seq", 3, 3, "(tree-seq branch? children root)", "the nodes of a tree, depth first", treeSeq),
		fn("flatten", 1, 1, "(flatten coll)", "the elements of nested lists and vectors", flatten),
	}
}

// arity1 refuses the form that makes a transducer where there is none.
func transducer(t *data.Thread, a []value, make func(f value) step) (value, bool) {
	if len(a) > 1 {
		return data.Nil, false
	}
	f := a[0]
	return newTransducer(func() step { return make(f) }), true
}

func mapping(t *data.Thread, a []value) value {
	f := a[0]
	switch len(a) {
	case 1:
		return newTransducer(func() step {
			return func(t *data.Thread, x value, emit func(value) bool) bool { return emit(t.Call1(f, x)) }
		})
	case 2:
		callable(t, "map", f, a[1])
		return mapOne(f, a[1])
	}
	return mapMany(f, append([]value(nil), a[1:]...))
}

// callable refuses a call in which function and collection are exchanged.
func callable(t *data.Thread, name string, f, coll value) {
	switch f.Kind() {
	case data.KindVector, data.KindList, data.KindLazy, data.KindCons, data.KindChunk, data.KindRange:
		if coll.Kind() == data.KindFn || coll.IsKeyword() {
			data.ThrowHint("IllegalArgumentException", name+" takes the function first and the collection second.", "Write ("+name+" f coll).")
		}
	}
	if coll.Kind() == data.KindFn {
		data.ThrowHint("IllegalArgumentException", name+" got a function where the collection belongs.", "To apply two functions write ("+name+" (comp g f) coll).")
	}
}

func mapOne(f, coll value) value {
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.Nil
		}
		if !data.Chunked(s) {
			return data.NewCons(t.Call1(f, data.First(t, s)), mapOne(f, data.Rest(t, s)))
		}
		items, rest := data.Run(t, s)
		items, rest = upTo(t, items, rest)
		t.Alloc(16 * len(items))
		out := make([]value, len(items))
		for i, x := range items {
			out[i] = t.Call1(f, x)
		}
		return data.NewChunk(out, mapOne(f, rest))
	})
}

// run is how many elements are computed together.
const run = 32

// upTo limits a run; what is over goes back before the rest.
func upTo(t *data.Thread, items []value, rest value) ([]value, value) {
	if len(items) <= run {
		return items, rest
	}
	t.Alloc(64)
	return items[:run], data.NewChunk(items[run:], rest)
}

func mapMany(f value, colls []value) value {
	return data.NewLazy(func(t *data.Thread) value {
		args := make([]value, len(colls))
		rests := make([]value, len(colls))
		t.Alloc(32 * len(colls))
		for i, c := range colls {
			s := data.Seq(t, c)
			if s.IsNil() {
				return data.Nil
			}
			args[i], rests[i] = data.First(t, s), data.Rest(t, s)
		}
		return data.NewCons(t.Invoke(t, f, args), mapMany(f, rests))
	})
}

func mapcat(t *data.Thread, a []value) value {
	if len(a) == 1 {
		f := a[0]
		return newTransducer(func() step {
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				for it := data.Iterate(t, t.Call1(f, x)); it.Next(); {
					if !emit(it.Value) {
						return false
					}
				}
				return true
			}
		})
	}
	return joined(mapping(t, a))
}

// joined gives the elements of each collection of a sequence.
func joined(colls value) value {
	return data.NewLazy(func(t *data.Thread) value {
		for {
			s := data.Seq(t, colls)
			if s.IsNil() {
				return data.Nil
			}
			first, rest := data.First(t, s), data.Rest(t, s)
			if in := data.Seq(t, first); !in.IsNil() {
				return behind(in, joined(rest))
			}
			t.Charge(1)
			colls = rest
		}
	})
}

// behind is one sequence and then another, computed as it is read.
func behind(first, second value) value {
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, first)
		if s.IsNil() {
			return second
		}
		if s.Kind() == data.KindCons {
			return data.NewCons(data.First(t, s), behind(data.Rest(t, s), second))
		}
		items, rest := data.Run(t, s)
		if rest.IsNil() {
			return data.NewChunk(items, second)
		}
		return data.NewChunk(items, behind(rest, second))
	})
}

func filtering(t *data.Thread, a []value, wanted bool) value {
	if v, ok := transducer(t, a, func(f value) step {
		return func(t *data.Thread, x value, emit func(value) bool) bool {
			return test(t, f, x) != wanted || emit(x)
		}
	}); ok {
		return v
	}
	name := "filter"
	if !wanted {
		name = "remove"
	}
	callable(t, name, a[0], a[1])
	return filterLazy(matcher(a[0]), a[1], wanted)
}

// matcher gives the predicate of filter and its kin. A map stands for the rows that
// have all of its values, since a map as a function would look the row up in itself.
func matcher(f value) value { return f }

// test calls a predicate.
func test(t *data.Thread, pred, x value) bool { return t.Call1(pred, x).Truthy() }

func filterLazy(pred, coll value, wanted bool) value {
	return data.NewLazy(func(t *data.Thread) value {
		for {
			s := data.Seq(t, coll)
			if s.IsNil() {
				return data.Nil
			}
			if !data.Chunked(s) {
				x := data.First(t, s)
				if test(t, pred, x) == wanted {
					return data.NewCons(x, filterLazy(pred, data.Rest(t, s), wanted))
				}
				coll = data.Rest(t, s)
				continue
			}
			items, rest := data.Run(t, s)
			items, rest = upTo(t, items, rest)
			var out []value
			for _, x := range items {
				if test(t, pred, x) == wanted {
					if out == nil {
						t.Alloc(16 * len(items))
						out = make([]value, 0, len(items))
					}
					out = append(out, x)
				}
			}
			if len(out) > 0 {
				return data.NewChunk(out, filterLazy(pred, rest, wanted))
			}
			coll = rest
		}
	})
}

func keep(t *data.Thread, a []value) value {
	if v, ok := transducer(t, a, func(f value) step {
		return func(t *data.Thread, x value, emit func(value) bool) bool {
			v := t.Call1(f, x)
			return v.IsNil() || emit(v)
		}
	}); ok {
		return v
	}
	return filterLazy(notNil, mapOne(a[0], a[1]), true)
}

var notNil = fn("some?", 1, 1, "(some? x)", "x is not nil", func(_ *data.Thread, a []value) value { return data.Bool(!a[0].IsNil()) }).Function()

func mapIndexed(t *data.Thread, a []value) value {
	f := a[0]
	if len(a) == 1 {
		return newTransducer(func() step {
			i := int64(-1)
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				i++
				return emit(t.Call2(f, data.Int(i), x))
			}
		})
	}
	return indexed(f, a[1], 0)
}

func indexed(f, coll value, from int64) value {
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.Nil
		}
		if !data.Chunked(s) {
			return data.NewCons(t.Call2(f, data.Int(from), data.First(t, s)), indexed(f, data.Rest(t, s), from+1))
		}
		items, rest := data.Run(t, s)
		items, rest = upTo(t, items, rest)
		t.Alloc(16 * len(items))
		out := make([]value, len(items))
		for i, x := range items {
			out[i] = t.Call2(f, data.Int(from+int64(i)), x)
		}
		return data.NewChunk(out, indexed(f, rest, from+int64(len(items))))
	})
}

func keepIndexed(t *data.Thread, a []value) value {
	if len(a) == 1 {
		f := a[0]
		return newTransducer(func() step {
			i := int64(-1)
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				i++
				v := t.Call2(f, data.Int(i), x)
				return v.IsNil() || emit(v)
			}
		})
	}
	return filterLazy(notNil, indexed(a[0], a[1], 0), true)
}

func concatAll(t *data.Thread, a []value) value {
	if len(a) == 0 {
		return data.Empty
	}
	colls := append([]value(nil), a...)
	t.Alloc(16*len(colls) + 96)
	for _, c := range colls {
		if !data.Seqable(c) {
			data.Seq(t, c) // refuses it at once, with its place
		}
	}
	out := colls[len(colls)-1]
	if len(colls) == 1 {
		return data.NewLazy(func(*data.Thread) value { return out })
	}
	for i := len(colls) - 2; i >= 0; i-- {
		out = behind(colls[i], out)
	}
	return out
}

func takeWhile(t *data.Thread, a []value) value {
	if v, ok := transducer(t, a, func(f value) step {
		return func(t *data.Thread, x value, emit func(value) bool) bool { return test(t, f, x) && emit(x) }
	}); ok {
		return v
	}
	return takeWhileLazy(a[0], a[1])
}

func takeWhileLazy(pred, coll value) value {
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.Nil
		}
		x := data.First(t, s)
		if !test(t, pred, x) {
			return data.Nil
		}
		return data.NewCons(x, takeWhileLazy(pred, data.Rest(t, s)))
	})
}

func dropWhile(t *data.Thread, a []value) value {
	if len(a) == 1 {
		f := a[0]
		return newTransducer(func() step {
			dropping := true
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				if dropping && test(t, f, x) {
					return true
				}
				dropping = false
				return emit(x)
			}
		})
	}
	pred, coll := a[0], a[1]
	return data.NewLazy(func(t *data.Thread) value {
		it := data.Iterate(t, coll)
		for it.Next() {
			if !test(t, pred, it.Value) {
				return data.NewCons(it.Value, it.Remaining())
			}
		}
		return data.Nil
	})
}

func count(t *data.Thread, name string, v value) int64 {
	if n, ok := v.Int(); ok {
		return n
	}
	if data.Seqable(v) && !v.IsNil() {
		data.ThrowHint("ClassCastException", name+" takes the number first and the collection second.", "Write ("+name+" n coll).")
	}
	if v.IsNumber() {
		return int64(data.ToFloat(v))
	}
	wants(t, name, "a number", v)
	return 0
}

func take(t *data.Thread, a []value) value {
	n := count(t, "take", a[0])
	if len(a) == 1 {
		return newTransducer(func() step {
			left := n
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				left--
				if left < 0 || !emit(x) {
					return false
				}
				return left > 0
			}
		})
	}
	return takeLazy(n, a[1])
}

func takeLazy(n int64, coll value) value {
	return data.NewLazy(func(t *data.Thread) value {
		if n <= 0 {
			return data.Nil
		}
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.Nil
		}
		if items, _ := computed(s); int64(len(items)) >= n {
			return data.NewChunk(items[:n], data.Nil)
		}
		return data.NewCons(data.First(t, s), takeLazy(n-1, data.Rest(t, s)))
	})
}

// computed gives the elements that a sequence has at hand without computing any.
func computed(s value) (items []value, ok bool) {
	if s.Kind() != data.KindChunk && s.Kind() != data.KindList {
		return nil, false
	}
	items, _ = data.Run(nil, s)
	return items, true
}

func drop(t *data.Thread, a []value) value {
	n := count(t, "drop", a[0])
	if len(a) == 1 {
		return newTransducer(func() step {
			left := n
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				if left > 0 {
					left--
					return true
				}
				return emit(x)
			}
		})
	}
	coll := a[1]
	return data.NewLazy(func(t *data.Thread) value { return dropped(t, n, coll) })
}

// dropped gives the sequence behind n elements.
func dropped(t *data.Thread, n int64, coll value) value {
	it := data.Iterate(t, coll)
	for ; n > 0; n-- {
		if !it.Next() {
			return data.Nil
		}
	}
	return data.Seq(t, it.Remaining())
}

func takeNth(t *data.Thread, a []value) value {
	n := count(t, "take-nth", a[0])
	if len(a) == 1 {
		return newTransducer(func() step {
			i := int64(-1)
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				i++
				return i%max(n, 1) != 0 || emit(x)
			}
		})
	}
	var from func(coll value) value
	from = func(coll value) value {
		return data.NewLazy(func(t *data.Thread) value {
			s := data.Seq(t, coll)
			if s.IsNil() {
				return data.Nil
			}
			return data.NewCons(data.First(t, s), from(data.NewLazy(func(t *data.Thread) value { return dropped(t, n, s) })))
		})
	}
	return from(a[1])
}

func interpose(t *data.Thread, a []value) value {
	sep := a[0]
	if len(a) == 1 {
		return newTransducer(func() step {
			first := true
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				if !first && !emit(sep) {
					return false
				}
				first = false
				return emit(x)
			}
		})
	}
	coll := a[1]
	var tail func(coll value) value
	tail = func(coll value) value {
		return data.NewLazy(func(t *data.Thread) value {
			s := data.Seq(t, coll)
			if s.IsNil() {
				return data.Nil
			}
			return data.NewChunk([]value{sep, data.First(t, s)}, tail(data.Rest(t, s)))
		})
	}
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.Nil
		}
		return data.NewCons(data.First(t, s), tail(data.Rest(t, s)))
	})
}

func interleave(t *data.Thread, a []value) value {
	if len(a) == 0 {
		return data.Empty
	}
	list := fn("list", 0, any, "", "", func(t *data.Thread, x []value) value {
		t.Alloc(16 * len(x))
		return data.ListOf(append([]value(nil), x...))
	}).Function()
	return joined(mapMany(list, append([]value(nil), a...)))
}

func iterate(_ *data.Thread, a []value) value { return iterated(a[0], a[1]) }

func iterated(f, x value) value {
	return data.NewCons(x, data.NewLazy(func(t *data.Thread) value { return iterated(f, t.Call1(f, x)) }))
}

func cycle(t *data.Thread, a []value) value {
	coll := a[0]
	if data.Seq(t, coll).IsNil() {
		return data.Empty
	}
	var round func() value
	round = func() value {
		return data.NewLazy(func(t *data.Thread) value { return behind(coll, round()) })
	}
	return round()
}

func repeat(t *data.Thread, a []value) value {
	if len(a) == 1 {
		return endless(a[0])
	}
	return repeated(count(t, "repeat", a[0]), a[1])
}

func endless(x value) value {
	return data.NewCons(x, data.NewLazy(func(*data.Thread) value { return endless(x) }))
}

func repeated(n int64, x value) value {
	if n <= 0 {
		return data.Empty
	}
	return data.NewLazy(func(t *data.Thread) value {
		size := min(n, run)
		t.Alloc(16 * int(size))
		items := make([]value, size)
		for i := range items {
			items[i] = x
		}
		if n == size {
			return data.NewChunk(items, data.Nil)
		}
		return data.NewChunk(items, repeated(n-size, x))
	})
}

func repeatedly(t *data.Thread, a []value) value {
	if len(a) == 1 {
		return calls(-1, a[0])
	}
	return calls(max(0, count(t, "repeatedly", a[0])), a[1])
}

func calls(n int64, f value) value {
	return data.NewLazy(func(t *data.Thread) value {
		if n == 0 {
			return data.Nil
		}
		return data.NewCons(t.Call(f), calls(n-1, f))
	})
}

func rangeOf(t *data.Thread, a []value) value {
	from, to, step := data.Int(0), data.Nil, data.Int(1)
	switch len(a) {
	case 0:
		return iterated(increment, from)
	case 1:
		to = a[0]
	case 2:
		from, to = a[0], a[1]
	case 3:
		from, to, step = a[0], a[1], a[2]
	}
	x, ok := from.Int()
	y, ok2 := to.Int()
	z, ok3 := step.Int()
	if ok && ok2 && ok3 && z != 0 {
		return data.NewRange(x, y, z)
	}
	for _, v := range []value{from, to, step} {
		if !v.IsNumber() {
			data.NumberFault(t, "range", v)
		}
	}
	order, _ := data.CompareNumbers(step, data.Int(0))
	return numbersFrom(from, to, step, order)
}

var increment = fn("inc'", 1, 1, "(inc' n)", "n + 1", func(t *data.Thread, a []value) value {
	return data.Promoting(t, data.Add, a[0], data.Int(1))
}).Function()

func numbersFrom(from, to, step value, sign int) value {
	return data.NewLazy(func(t *data.Thread) value {
		order, _ := data.CompareNumbers(from, to)
		if order*sign >= 0 && sign != 0 || order == 0 {
			return data.Nil
		}
		return data.NewCons(from, numbersFrom(data.Arithmetic(t, data.Add, from, step), to, step, sign))
	})
}

func distinct(t *data.Thread, a []value) value {
	if len(a) == 0 {
		return newTransducer(func() step {
			var seen *data.Builder
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				if seen == nil {
					seen = data.NewHashBuilder(t)
				}
				if _, ok := seen.Get(x); ok {
					return true
				}
				seen.Put(x, data.True)
				return emit(x)
			}
		})
	}
	return distinctLazy(a[0], nil)
}

func distinctLazy(coll value, seen *data.Builder) value {
	return data.NewLazy(func(t *data.Thread) value {
		if seen == nil {
			seen = data.NewHashBuilder(t)
		}
		it := data.Iterate(t, coll)
		for it.Next() {
			if _, ok := seen.Get(it.Value); !ok {
				seen.Put(it.Value, data.True)
				return data.NewCons(it.Value, distinctLazy(it.Remaining(), seen))
			}
		}
		return data.Nil
	})
}

func dedupe(t *data.Thread, a []value) value {
	if len(a) == 0 {
		return newTransducer(func() step {
			last, any := data.Nil, false
			return func(t *data.Thread, x value, emit func(value) bool) bool {
				if any && data.Equal(t, last, x) {
					return true
				}
				last, any = x, true
				return emit(x)
			}
		})
	}
	coll := a[0]
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.Nil
		}
		return runs(data.First(t, s), data.Rest(t, s))
	})
}

// runs gives first and what differs from the element before it.
func runs(first, rest value) value {
	return data.NewCons(first, data.NewLazy(func(t *data.Thread) value {
		it := data.Iterate(t, rest)
		for it.Next() {
			if !data.Equal(t, first, it.Value) {
				return runs(it.Value, it.Remaining())
			}
		}
		return data.Nil
	}))
}

// gather takes up to n elements of a collection.
func gather(t *data.Thread, n int64, coll value) (items []value, rest value) {
	it := data.Iterate(t, coll)
	for int64(len(items)) < n && it.Next() {
		if len(items) == cap(items) {
			t.Alloc(16 * max(8, len(items)))
		}
		items = append(items, it.Value)
	}
	return items, it.Remaining()
}

func partition(t *data.Thread, a []value) value {
	n := count(t, "partition", a[0])
	step, pad, padded := n, data.Nil, false
	switch len(a) {
	case 3:
		step = count(t, "partition", a[1])
	case 4:
		step, pad, padded = count(t, "partition", a[1]), a[2], true
	}
	return parts(n, step, a[len(a)-1], false, func(t *data.Thread, items []value) (value, bool) {
		if !padded {
			return data.Nil, false
		}
		more, _ := gather(t, n-int64(len(items)), pad)
		return data.ListOf(append(items, more...)), true
	})
}

func partitionAll(t *data.Thread, a []value) value {
	n := count(t, "partition-all", a[0])
	if len(a) == 1 {
		return partitionAllTransducer(n)
	}
	step := n
	if len(a) == 3 {
		step = count(t, "partition-all", a[1])
	}
	return parts(n, step, a[len(a)-1], true, func(_ *data.Thread, items []value) (value, bool) {
		return data.ListOf(items), true
	})
}

// parts cuts a collection into lists of n; last decides on a shorter one, and all
// says that more may follow it.
func parts(n, step int64, coll value, all bool, last func(t *data.Thread, items []value) (value, bool)) value {
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.Nil
		}
		items, _ := gather(t, n, s)
		if int64(len(items)) < n {
			v, ok := last(t, items)
			if !ok {
				return data.Nil
			}
			if !all {
				return data.NewCons(v, data.Nil)
			}
			return data.NewCons(v, parts(n, max(step, 1), data.NewLazy(func(t *data.Thread) value { return dropped(t, step, s) }), all, last))
		}
		t.Alloc(64)
		return data.NewCons(data.ListOf(items), parts(n, step, data.NewLazy(func(t *data.Thread) value { return dropped(t, step, s) }), all, last))
	})
}

func partitionBy(t *data.Thread, a []value) value {
	if len(a) == 1 {
		return partitionByTransducer(a[0])
	}
	return partsBy(a[0], a[1])
}

func partsBy(f, coll value) value {
	return data.NewLazy(func(t *data.Thread) value {
		it := data.Iterate(t, coll)
		if !it.Next() {
			return data.Nil
		}
		key := t.Call1(f, it.Value)
		items := []value{it.Value}
		for it.Next() {
			if !data.Equal(t, key, t.Call1(f, it.Value)) {
				return data.NewCons(data.ListOf(items), partsBy(f, data.NewCons(it.Value, it.Remaining())))
			}
			t.Alloc(16)
			items = append(items, it.Value)
		}
		return data.NewCons(data.ListOf(items), data.Nil)
	})
}

func reductions(t *data.Thread, a []value) value {
	f := a[0]
	if len(a) == 3 {
		return accumulated(f, a[1], a[2])
	}
	coll := a[1]
	return data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.NewCons(t.Call(f), data.Nil)
		}
		return accumulated(f, data.First(t, s), data.Rest(t, s))
	})
}

func accumulated(f, acc, coll value) value {
	if r, ok := acc.Unbox().(*reduced); ok {
		return data.NewCons(r.value, data.Nil)
	}
	return data.NewCons(acc, data.NewLazy(func(t *data.Thread) value {
		s := data.Seq(t, coll)
		if s.IsNil() {
			return data.Nil
		}
		return accumulated(f, t.Call2(f, acc, data.First(t, s)), data.Rest(t, s))
	}))
}

func treeSeq(_ *data.Thread, a []value) value { return walkTree(a[0], a[1], a[2]) }

func walkTree(branch, children, node value) value {
	return data.NewLazy(func(t *data.Thread) value {
		var below value
		if test(t, branch, node) {
			self := fn("walk", 1, 1, "", "", func(_ *data.Thread, x []value) value { return walkTree(branch, children, x[0]) }).Function()
			below = joined(mapOne(self, t.Call1(children, node)))
		}
		return data.NewCons(node, below)
	})
}

func flatten(_ *data.Thread, a []value) value {
	coll := a[0]
	return data.NewLazy(func(t *data.Thread) value {
		if !data.Sequential(coll) {
			return data.Nil
		}
		return flattened(coll)
	})
}

func flattened(coll value) value {
	return data.NewLazy(func(t *data.Thread) value {
		it := data.Iterate(t, coll)
		for it.Next() {
			if !data.Sequential(it.Value) {
				return data.NewCons(it.Value, flattened(it.Remaining()))
			}
			if in := data.Seq(t, flattened(it.Value)); !in.IsNil() {
				return behind(in, flattened(it.Remaining()))
			}
		}
		return data.Nil
	})
}
