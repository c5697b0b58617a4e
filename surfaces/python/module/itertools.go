package module

import (
	"math"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// lazyIter is an iterator of itertools: a step that gives the next value, the
// values it keeps alive, and its class.
type lazyIter struct {
	object.Obj
	class *class
	next  func(t *thread) (value, *exception)
	holds func(visit func(value))
	repr  func(t *thread) (string, *exception)
	size  int
	done  bool
}

// Class is the function's own class.
func (it *lazyIter) Class() *class { return it.class }

// Next gives the next value; once it has ended it stays so.
func (it *lazyIter) Next(t *thread) (value, *exception) {
	if it.done {
		return value{}, nil
	}
	if x := t.Charge(1); x != nil {
		return value{}, x
	}
	v, x := it.next(t)
	if x == nil && !v.IsSet() {
		it.done = true
	}
	return v, x
}

// lazyClass makes the class of an iterator; make reads the arguments.
func lazyClass(mod, name, sig string, make func(t *thread, c *class, a []value) (value, *exception)) *class {
	c := defineIn(mod, name)
	c.Module = mod
	c.Final = true
	b := object.NewBuiltin(name, sig, func(t *thread, a []value) (value, *exception) {
		if x := t.Alloc(200); x != nil {
			return value{}, x
		}
		return make(t, c, a)
	})
	c.New = func(t *thread, _ *class, a []value, names []string) (value, *exception) { return b.Call(t, a, names) }
	if rest, ok := strings.CutPrefix(sig, "*iterables"); ok {
		// Keywords arrive in front, omitted ones too.
		options := strings.Fields(strings.ReplaceAll(rest, "?", ""))
		c.New = func(t *thread, _ *class, a []value, names []string) (value, *exception) {
			args, x := keywordsFirst(t, name, a, names, options)
			if x != nil {
				return value{}, x
			}
			return b.Fn(t, args)
		}
	}
	c.Own.Children = func(v value, visit func(value)) int {
		it := v.Native().(*lazyIter)
		if it.holds != nil {
			it.holds(visit)
		}
		return 200 + it.size
	}
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		if it := v.Native().(*lazyIter); it.repr != nil {
			return it.repr(t)
		}
		return object.Object.Own.Repr(t, v)
	}
	return object.ReadyIterator(c)
}

func lazy(c *class, next func(t *thread) (value, *exception), holds ...value) *lazyIter {
	return &lazyIter{class: c, next: next, holds: func(visit func(value)) {
		for _, v := range holds {
			visit(v)
		}
	}}
}

// iterOf gives an iterator with itself as a value.
func iterOf(t *thread, v value) (object.Iterator, value, *exception) {
	it, x := t.Iter(v)
	if x != nil {
		return nil, value{}, x
	}
	return it, object.IterValue(it), nil
}

var itertoolsClasses = []*class{
	lazyClass("itertools", "count", "start? step?", makeCount),
	lazyClass("itertools", "cycle", "iterable /", makeCycle),
	lazyClass("itertools", "repeat", "object times?", makeRepeat),
	lazyClass("itertools", "accumulate", "iterable func? * initial?", makeAccumulate),
	lazyClass("itertools", "chain", "*iterables", makeChain),
	lazyClass("itertools", "compress", "data selectors", makeCompress),
	lazyClass("itertools", "dropwhile", "predicate iterable /", func(t *thread, c *class, a []value) (value, *exception) {
		return makeWhile(t, c, a, false)
	}),
	lazyClass("itertools", "takewhile", "predicate iterable /", func(t *thread, c *class, a []value) (value, *exception) {
		return makeWhile(t, c, a, true)
	}),
	lazyClass("itertools", "filterfalse", "function iterable /", makeFilterFalse),
	lazyClass("itertools", "islice", "iterable start stop? step? /", makeISlice),
	lazyClass("itertools", "pairwise", "iterable /", makePairwise),
	lazyClass("itertools", "batched", "iterable n", makeBatched),
	lazyClass("itertools", "starmap", "function iterable /", makeStarMap),
	lazyClass("itertools", "zip_longest", "*iterables fillvalue?", makeZipLongest),
	lazyClass("itertools", "groupby", "iterable key?", makeGroupBy),
	lazyClass("itertools", "product", "*iterables repeat?", makeProduct),
	lazyClass("itertools", "permutations", "iterable r?", makePermutations),
	lazyClass("itertools", "combinations", "iterable r", func(t *thread, c *class, a []value) (value, *exception) {
		return makeCombinations(t, c, a, false)
	}),
	lazyClass("itertools", "combinations_with_replacement", "iterable r", func(t *thread, c *class, a []value) (value, *exception) {
		return makeCombinations(t, c, a, true)
	}),
}

var (
	grouperClass = defineIn("itertools", "_grouper")
	teeClass     = defineIn("itertools", "_tee")
)

var _ = register("itertools", func(*Library) *object.Module {
	m := object.NewModule("itertools")
	for _, c := range itertoolsClasses {
		m.Set(c.ShortName(), c.Value())
	}
	m.Func("tee", "iterable n? /", makeTee)
	return m
})

func init() {
	for _, c := range []*class{grouperClass, teeClass} {
		c.Module = "itertools"
		c.Final = true
		c.Own.Children = func(v value, visit func(value)) int {
			it := v.Native().(*lazyIter)
			it.holds(visit)
			return 200 + it.size
		}
		object.ReadyIterator(c)
	}
	for _, c := range itertoolsClasses {
		if c.ShortName() == "chain" {
			c.ClassMethod("from_iterable", "iterable /", func(t *thread, a []value) (value, *exception) {
				outer, held, x := iterOf(t, a[1])
				if x != nil {
					return value{}, x
				}
				return object.Box(chained(c, outer, held)), t.Alloc(200)
			})
		}
	}
}

func makeCount(t *thread, c *class, a []value) (value, *exception) {
	at, step := object.Int(0), object.Int(1)
	for i, to := range []*value{&at, &step} {
		if v, ok := given(a, i); ok {
			if !isNumber(v) {
				return raised(t.RaiseType("a number is required"))
			}
			*to = v
		}
	}
	it := lazy(c, func(t *thread) (value, *exception) {
		v := at
		var x *exception
		at, x = t.Binary(object.Add, at, step)
		return v, x
	})
	it.repr = func(t *thread) (string, *exception) {
		s, x := t.Repr(at)
		if x != nil {
			return "", x
		}
		if n, ok := step.Int(); ok && n == 1 {
			return "count(" + s + ")", nil
		}
		u, x := t.Repr(step)
		return "count(" + s + ", " + u + ")", x
	}
	return object.Box(it), nil
}

// isNumber reports whether a value is a number: int, float, bool, or one with
// __index__ or __float__ such as a Decimal.
func isNumber(v value) bool {
	switch v.Base().Kind() {
	case object.KindInt, object.KindBig, object.KindFloat, object.KindBool:
		return true
	}
	return false
}

func makeCycle(t *thread, c *class, a []value) (value, *exception) {
	src, held, x := iterOf(t, a[0])
	if x != nil {
		return value{}, x
	}
	kept := object.NewList(nil)
	l, _ := kept.List()
	at, ended := 0, false
	return object.Box(lazy(c, func(t *thread) (value, *exception) {
		if !ended {
			v, x := src.Next(t)
			if x != nil {
				return value{}, x
			}
			if v.IsSet() {
				return v, l.Append(t, v)
			}
			ended = true
		}
		if l.Len() == 0 {
			return value{}, nil
		}
		v := l.Items()[at]
		at = (at + 1) % l.Len()
		return v, nil
	}, held, kept)), nil
}

func makeRepeat(t *thread, c *class, a []value) (value, *exception) {
	left := int64(-1)
	if v, ok := given(a, 1); ok {
		n, x := integer(t, v)
		if x != nil {
			return value{}, x
		}
		left = max(n, 0)
	}
	v := a[0]
	it := lazy(c, func(*thread) (value, *exception) {
		if left == 0 {
			return value{}, nil
		}
		if left > 0 {
			left--
		}
		return v, nil
	}, v)
	it.repr = func(t *thread) (string, *exception) {
		s, x := t.Repr(v)
		if left >= 0 {
			n, _ := t.Repr(object.Int(left))
			s += ", " + n
		}
		return "repeat(" + s + ")", x
	}
	return object.Box(it), nil
}

func makeAccumulate(t *thread, c *class, a []value) (value, *exception) {
	src, held, x := iterOf(t, a[0])
	if x != nil {
		return value{}, x
	}
	fn, hasFn := optional(a, 1)
	total, pending := value{}, value{}
	if v, ok := optional(a, 2); ok {
		pending = v
	}
	it := lazy(c, func(t *thread) (value, *exception) {
		if pending.IsSet() {
			total, pending = pending, value{}
			return total, nil
		}
		v, x := src.Next(t)
		if x != nil || !v.IsSet() {
			return value{}, x
		}
		switch {
		case !total.IsSet():
			total = v
		case hasFn:
			total, x = t.Call(fn, total, v)
		default:
			total, x = t.Binary(object.Add, total, v)
		}
		return total, x
	})
	it.holds = func(visit func(value)) { visit(held); visit(fn); visit(total); visit(pending) }
	return object.Box(it), nil
}

// chained runs through one iterable after the other.
func chained(c *class, outer object.Iterator, held value) *lazyIter {
	var inner object.Iterator
	it := &lazyIter{class: c}
	it.next = func(t *thread) (value, *exception) {
		for {
			if inner != nil {
				v, x := inner.Next(t)
				if x != nil || v.IsSet() {
					return v, x
				}
			}
			v, x := outer.Next(t)
			if x != nil || !v.IsSet() {
				return value{}, x
			}
			if inner, x = t.Iter(v); x != nil {
				return value{}, x
			}
			if x := t.Charge(1); x != nil {
				return value{}, x
			}
		}
	}
	it.holds = func(visit func(value)) {
		visit(held)
		if inner != nil {
			visit(object.IterValue(inner))
		}
	}
	return it
}

func makeChain(t *thread, c *class, a []value) (value, *exception) {
	all, x := t.Tuple(slices.Clone(a)...)
	if x != nil {
		return value{}, x
	}
	outer, held, x := iterOf(t, all)
	if x != nil {
		return value{}, x
	}
	return object.Box(chained(c, outer, held)), nil
}

func makeCompress(t *thread, c *class, a []value) (value, *exception) {
	data, h1, x := iterOf(t, a[0])
	if x != nil {
		return value{}, x
	}
	selectors, h2, x := iterOf(t, a[1])
	if x != nil {
		return value{}, x
	}
	return object.Box(lazy(c, func(t *thread) (value, *exception) {
		for {
			v, x := data.Next(t)
			if x != nil || !v.IsSet() {
				return value{}, x
			}
			s, x := selectors.Next(t)
			if x != nil || !s.IsSet() {
				return value{}, x
			}
			if ok, x := t.Truth(s); ok || x != nil {
				return v, x
			}
			if x := t.Charge(1); x != nil {
				return value{}, x
			}
		}
	}, h1, h2)), nil
}

// makeWhile is takewhile and dropwhile.
func makeWhile(t *thread, c *class, a []value, take bool) (value, *exception) {
	src, held, x := iterOf(t, a[1])
	if x != nil {
		return value{}, x
	}
	fn, through := a[0], false
	return object.Box(lazy(c, func(t *thread) (value, *exception) {
		for {
			v, x := src.Next(t)
			if x != nil || !v.IsSet() || through {
				return v, x
			}
			r, x := t.Call(fn, v)
			if x != nil {
				return value{}, x
			}
			ok, x := t.Truth(r)
			switch {
			case x != nil:
				return value{}, x
			case take && ok:
				return v, nil
			case take:
				return value{}, nil
			case !ok:
				through = true
				return v, nil
			}
			if x := t.Charge(1); x != nil {
				return value{}, x
			}
		}
	}, held, fn)), nil
}

func makeFilterFalse(t *thread, c *class, a []value) (value, *exception) {
	src, held, x := iterOf(t, a[1])
	if x != nil {
		return value{}, x
	}
	fn := a[0]
	return object.Box(lazy(c, func(t *thread) (value, *exception) {
		for {
			v, x := src.Next(t)
			if x != nil || !v.IsSet() {
				return value{}, x
			}
			r := v
			if !fn.IsNone() {
				if r, x = t.Call(fn, v); x != nil {
					return value{}, x
				}
			}
			if ok, x := t.Truth(r); !ok || x != nil {
				return v, x
			}
			if x := t.Charge(1); x != nil {
				return value{}, x
			}
		}
	}, held, fn)), nil
}

func makeISlice(t *thread, c *class, a []value) (value, *exception) {
	read := func(v value, otherwise int64, what string) (int64, *exception) {
		if !v.IsSet() || v.IsNone() {
			return otherwise, nil
		}
		i, x := t.Index(v)
		n, ok := i.Int()
		if x != nil || !ok || n < 0 {
			if x != nil && x.Limit != nil {
				return 0, x
			}
			return 0, t.RaiseValue("%s", what)
		}
		return n, nil
	}
	const bad = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
	start, stop, step := int64(0), int64(math.MaxInt64), int64(1)
	var x *exception
	if len(a) == 2 {
		if stop, x = read(a[1], stop, "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."); x != nil {
			return value{}, x
		}
	} else {
		if start, x = read(a[1], 0, bad); x == nil {
			stop, x = read(a[2], stop, "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
		}
		if x == nil {
			step, x = read(object.Arg(a, 3), 1, "Step for islice() must be a positive integer or None.")
		}
		if x == nil && step == 0 {
			x = t.RaiseValue("Step for islice() must be a positive integer or None.")
		}
		if x != nil {
			return value{}, x
		}
	}
	src, held, x := iterOf(t, a[0])
	if x != nil {
		return value{}, x
	}
	at, next := int64(0), start
	return object.Box(lazy(c, func(t *thread) (value, *exception) {
		if next >= stop {
			// What lies before stop is consumed, as CPython does.
			for ; at < stop && stop != math.MaxInt64; at++ {
				if v, x := src.Next(t); x != nil || !v.IsSet() {
					return value{}, x
				}
				if x := t.Charge(1); x != nil {
					return value{}, x
				}
			}
			return value{}, nil
		}
		for {
			v, x := src.Next(t)
			if x != nil || !v.IsSet() {
				return value{}, x
			}
			at++
			if at > next {
				if next > math.MaxInt64-step {
					next = math.MaxInt64
				} else {
					next += step
				}
				return v, nil
			}
			if x := t.Charge(1); x != nil {
				return value{}, x
			}
		}
	}, held)), nil
}

func makePairwise(t *thread, c *class, a []value) (value, *exception) {
	src, held, x := iterOf(t, a[0])
	if x != nil {
		return value{}, x
	}
	last := value{}
	it := lazy(c, func(t *thread) (value, *exception) {
		if !last.IsSet() {
			var x *exception
			if last, x = src.Next(t); x != nil || !last.IsSet() {
				return value{}, x
			}
		}
		v, x := src.Next(t)
		if x != nil || !v.IsSet() {
			return value{}, x
		}
		pair, x := t.Tuple(last, v)
		last = v
		return pair, x
	})
	it.holds = func(visit func(value)) { visit(held); visit(last) }
	return object.Box(it), nil
}

func makeBatched(t *thread, c *class, a []value) (value, *exception) {
	n, x := integer(t, a[1])
	if x != nil {
		return value{}, x
	}
	if n < 1 {
		return raised(t.RaiseValue("n must be at least one"))
	}
	src, held, x := iterOf(t, a[0])
	if x != nil {
		return value{}, x
	}
	return object.Box(lazy(c, func(t *thread) (value, *exception) {
		var batch []value
		for int64(len(batch)) < n {
			v, x := src.Next(t)
			if x != nil {
				return value{}, x
			}
			if !v.IsSet() {
				break
			}
			if x := t.Alloc(16); x != nil {
				return value{}, x
			}
			batch = append(batch, v)
		}
		if len(batch) == 0 {
			return value{}, nil
		}
		return t.Tuple(batch...)
	}, held)), nil
}

func makeStarMap(t *thread, c *class, a []value) (value, *exception) {
	src, held, x := iterOf(t, a[1])
	if x != nil {
		return value{}, x
	}
	fn := a[0]
	return object.Box(lazy(c, func(t *thread) (value, *exception) {
		v, x := src.Next(t)
		if x != nil || !v.IsSet() {
			return value{}, x
		}
		args, x := t.Items(v)
		if x != nil {
			return value{}, x
		}
		return t.Call(fn, args...)
	}, held, fn)), nil
}

func makeZipLongest(t *thread, c *class, a []value) (value, *exception) {
	fill := object.None
	if v, ok := given(a, 0); ok {
		fill = v
	}
	its := make([]object.Iterator, len(a)-1)
	held := []value{fill}
	for i, v := range a[1:] {
		it, h, x := iterOf(t, v)
		if x != nil {
			return value{}, x
		}
		its[i] = it
		held = append(held, h)
	}
	left := len(its)
	return object.Box(lazy(c, func(t *thread) (value, *exception) {
		if left == 0 {
			return value{}, nil
		}
		row := make([]value, len(its))
		for i, it := range its {
			row[i] = fill
			if it == nil {
				continue
			}
			v, x := it.Next(t)
			if x != nil {
				return value{}, x
			}
			if v.IsSet() {
				row[i] = v
				continue
			}
			its[i] = nil
			if left--; left == 0 {
				return value{}, nil
			}
		}
		return t.Tuple(row...)
	}, held...)), nil
}
