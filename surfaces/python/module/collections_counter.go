package module

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

var counterClass = object.Define("Counter", object.DictClass)

// dictOf gives the dict inside an instance of a subclass.
func dictOf(v value) *object.Dict { d, _ := object.DictOf(v); return d }

// newDictInstance makes an instance of a subclass of dict.
func newDictInstance(t *thread, c *class) (value, *exception) {
	d, x := t.Dict(0)
	if x != nil {
		return value{}, x
	}
	return t.Extend(c, d.Value())
}

// count adds n to a key.
func countKey(t *thread, d *object.Dict, k, n value, op object.Op) *exception {
	old, ok, x := d.Get(t, k)
	if x != nil {
		return x
	}
	if !ok {
		old = object.Int(0)
	}
	sum, x := t.Binary(op, old, n)
	if x != nil {
		return x
	}
	return d.Set(t, k, sum)
}

// eachPair calls fn for the entries of a dict.
func eachPair(t *thread, d *object.Dict, fn func(k, v value) *exception) *exception {
	for i := 0; i < d.Room(); i++ {
		k, v := d.Entry(i)
		if !k.IsSet() {
			continue
		}
		if x := t.Charge(1); x != nil {
			return x
		}
		if x := fn(k, v); x != nil {
			return x
		}
	}
	return nil
}

// countInto adds what an iterable holds, or the counts of a mapping.
func countInto(t *thread, self value, a []value, names []string, op object.Op) *exception {
	if n := len(a) - len(names); n > 1 {
		return t.RaiseType("Counter.__init__() takes from 1 to 2 positional arguments but %d were given", n+1)
	} else if n == 1 && !a[0].IsNone() {
		if x := countSource(t, self, a[0], op); x != nil {
			return x
		}
	}
	d := dictOf(self)
	for i, name := range names {
		if x := countKey(t, d, object.NewStr(name), a[len(a)-len(names)+i], op); x != nil {
			return x
		}
	}
	return nil
}

func countSource(t *thread, self, src value, op object.Op) *exception {
	d := dictOf(self)
	if from, ok := object.DictOf(src); ok {
		if d.Len() == 0 && op == object.Add {
			// Counts of any kind are taken over as they are.
			return eachPair(t, from, func(k, v value) *exception { return d.Set(t, k, v) })
		}
		return eachPair(t, from, func(k, v value) *exception { return countKey(t, d, k, v, op) })
	}
	one := object.Int(1)
	return t.Each(src, func(k value) (bool, *exception) { return false, countKey(t, d, k, one, op) })
}

// byCount lists the entries from the most common on.
func byCount(t *thread, d *object.Dict) ([]value, *exception) {
	out, x := t.List(nil)
	if x != nil {
		return nil, x
	}
	l, _ := out.List()
	defer t.Unpin(t.Pin(out))
	if x := eachPair(t, d, func(k, v value) *exception {
		p, x := t.Tuple(k, v)
		if x != nil {
			return x
		}
		return l.Append(t, p)
	}); x != nil {
		return nil, x
	}
	items := l.Items()
	return items, t.Sort(items, secondOf, object.True)
}

var secondOf = object.NewBuiltin("itemgetter", "pair /", func(t *thread, a []value) (value, *exception) {
	return t.GetItem(a[0], object.Int(1))
}).Value()

// combineCounts is + - | & of counters: only positive counts stay.
func combineCounts(t *thread, op object.Op, v, w value) (value, *exception) {
	a, b := dictOf(v), dictOf(w)
	out, x := newDictInstance(t, counterClass)
	if x != nil {
		return value{}, x
	}
	d := dictOf(out)
	put := func(k, n value) *exception {
		positive, x := t.Less(object.Int(0), n)
		if x != nil || !positive {
			return x
		}
		return d.Set(t, k, n)
	}
	of := func(d *object.Dict, k value) (value, bool, *exception) {
		n, ok, x := d.Get(t, k)
		if !ok {
			n = object.Int(0)
		}
		return n, ok, x
	}
	x = eachPair(t, a, func(k, n value) *exception {
		m, _, x := of(b, k)
		if x != nil {
			return x
		}
		switch op {
		case object.Add, object.Sub:
			r, x := t.Binary(op, n, m)
			if x != nil {
				return x
			}
			return put(k, r)
		}
		less, x := t.Less(n, m)
		if x != nil {
			return x
		}
		if less == (op == object.Or) {
			n = m
		}
		return put(k, n)
	})
	if x != nil || op == object.And {
		return out, x
	}
	return out, eachPair(t, b, func(k, m value) *exception {
		if _, ok, x := of(a, k); ok || x != nil {
			return x
		}
		if op == object.Sub {
			var x *exception
			if m, x = t.UnaryOp(object.Neg, m); x != nil {
				return x
			}
		}
		return put(k, m)
	})
}

// replaceDict makes one counter hold what another holds.
func replaceDict(t *thread, self, from value) (value, *exception) {
	d := dictOf(self)
	d.Clear()
	return self, eachPair(t, dictOf(from), func(k, v value) *exception { return d.Set(t, k, v) })
}

// compareCounts compares every element's counts, missing ones as zero.
func compareCounts(t *thread, op object.Cmp, v, w value) (bool, *exception) {
	a, b := dictOf(v), dictOf(w)
	all := func(op object.Cmp, a, b *object.Dict, swap bool) (bool, *exception) {
		ok := true
		x := eachPair(t, a, func(k, n value) *exception {
			if !ok {
				return nil
			}
			m, has, x := b.Get(t, k)
			if x != nil {
				return x
			}
			if !has {
				m = object.Int(0)
			}
			if swap {
				n, m = m, n
			}
			r, x := t.Compare(op, n, m)
			if x != nil {
				return x
			}
			ok, x = t.Truth(r)
			return x
		})
		return ok, x
	}
	both := func(op object.Cmp) (bool, *exception) {
		ok, x := all(op, a, b, false)
		if x != nil || !ok {
			return false, x
		}
		return all(op, b, a, true)
	}
	switch op {
	case object.Eq, object.Le, object.Ge:
		return both(op)
	case object.Ne:
		ok, x := both(object.Eq)
		return !ok, x
	}
	weak := object.Le
	if op == object.Gt {
		weak = object.Ge
	}
	ok, x := both(weak)
	if x != nil || !ok {
		return false, x
	}
	eq, x := both(object.Eq)
	return !eq, x
}

func init() {
	c := counterClass
	c.Module = "collections"
	c.New = func(t *thread, cls *class, _ []value, _ []string) (value, *exception) { return newDictInstance(t, cls) }
	c.Init = func(t *thread, self value, a []value, names []string) *exception {
		return countInto(t, self, a, names, object.Add)
	}
	c.Own.GetItem = func(t *thread, v, k value) (value, *exception) {
		n, ok, x := dictOf(v).Get(t, k)
		if x != nil || ok {
			return n, x
		}
		if v.Class().Defines("__missing__") {
			r, _, x := callSpecial(t, v, "__missing__", k)
			return r, x
		}
		return object.Int(0), nil
	}
	c.Own.DelItem = func(t *thread, v, k value) *exception {
		_, _, x := dictOf(v).Delete(t, k)
		return x
	}
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		if dictOf(v).Len() == 0 {
			return v.Class().Name + "()", nil
		}
		pairs, x := byCount(t, dictOf(v))
		if x != nil {
			if x.Limit != nil {
				return "", x
			}
			s, x := t.Repr(dictOf(v).Value())
			return v.Class().Name + "(" + s + ")", x
		}
		parts := make([]string, len(pairs))
		for i, p := range pairs {
			u, _ := p.Tuple()
			k, x := t.Repr(u.Items()[0])
			if x != nil {
				return "", x
			}
			n, x := t.Repr(u.Items()[1])
			if x != nil {
				return "", x
			}
			parts[i] = k + ": " + n
		}
		s := v.Class().Name + "({" + strings.Join(parts, ", ") + "})"
		return s, t.Alloc(len(s))
	}
	c.Own.Compare = func(t *thread, op object.Cmp, v, w value) (value, *exception) {
		if !w.Class().IsSubclass(counterClass) {
			if op == object.Eq || op == object.Ne {
				return object.DictClass.Own.Compare(t, op, v, w)
			}
			return object.NotImplemented, nil
		}
		r, x := compareCounts(t, op, v, w)
		return object.Bool(r), x
	}
	c.Own.Binary = func(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
		if !w.Class().IsSubclass(counterClass) {
			if op == object.Or {
				return object.DictClass.Own.Binary(t, op, v, w, swapped)
			}
			return object.NotImplemented, nil
		}
		switch op {
		case object.Add, object.Sub, object.And, object.Or:
			if swapped {
				v, w = w, v
			}
			return combineCounts(t, op, v, w)
		}
		return object.NotImplemented, nil
	}
	c.Own.InPlace = func(t *thread, op object.Op, v, w value) (value, *exception) {
		if !w.Class().IsSubclass(counterClass) {
			return object.NotImplemented, nil
		}
		switch op {
		case object.Add, object.Sub, object.And, object.Or:
			r, x := combineCounts(t, op, v, w)
			if x != nil {
				return value{}, x
			}
			return replaceDict(t, v, r)
		}
		return object.NotImplemented, nil
	}
	c.Own.Unary = func(t *thread, op object.Unary, v value) (value, *exception) {
		empty, x := newDictInstance(t, counterClass)
		if x != nil {
			return value{}, x
		}
		switch op {
		case object.Pos:
			return combineCounts(t, object.Add, v, empty)
		case object.Neg:
			return combineCounts(t, object.Sub, empty, v)
		}
		return raised(t.RaiseType("bad operand type for unary ~: 'Counter'"))
	}
	c.Method("most_common", "n?", func(t *thread, a []value) (value, *exception) {
		pairs, x := byCount(t, dictOf(a[0]))
		if x != nil {
			return value{}, x
		}
		if v, ok := optional(a, 1); ok {
			n, x := integer(t, v)
			if x != nil {
				return value{}, x
			}
			pairs = pairs[:max(0, min(n, int64(len(pairs))))]
		}
		return t.List(pairs)
	})
	c.Method("elements", "", func(t *thread, a []value) (value, *exception) {
		d, i, left := dictOf(a[0]), 0, int64(0)
		var k value
		return object.Box(lazy(chainClass(), func(t *thread) (value, *exception) {
			for left <= 0 {
				if i >= d.Room() {
					return value{}, nil
				}
				key, n := d.Entry(i)
				i++
				if !key.IsSet() {
					continue
				}
				var x *exception
				if left, x = integer(t, n); x != nil {
					return value{}, x
				}
				k = key
				if x := t.Charge(1); x != nil {
					return value{}, x
				}
			}
			left--
			return k, nil
		}, a[0])), t.Alloc(200)
	})
	raw := func(name string, fn object.RawFunc) {
		b := object.NewRaw(name, fn)
		b.Method = true
		c.Add(b)
	}
	raw("update", func(t *thread, a []value, names []string) (value, *exception) {
		return object.None, countInto(t, a[0], a[1:], names, object.Add)
	})
	raw("subtract", func(t *thread, a []value, names []string) (value, *exception) {
		return object.None, countInto(t, a[0], a[1:], names, object.Sub)
	})
	c.Method("total", "", func(t *thread, a []value) (value, *exception) {
		sum := object.Int(0)
		x := eachPair(t, dictOf(a[0]), func(_, n value) *exception {
			var x *exception
			sum, x = t.Binary(object.Add, sum, n)
			return x
		})
		return sum, x
	})
	c.Method("copy", "", func(t *thread, a []value) (value, *exception) {
		out, x := newDictInstance(t, a[0].Class())
		if x != nil {
			return value{}, x
		}
		return replaceDict(t, out, a[0])
	})
	c.ClassMethod("fromkeys", "iterable v?", func(t *thread, _ []value) (value, *exception) {
		return raised(t.Raise(object.NotImplementedErr, "Counter.fromkeys() is undefined.  Use Counter(iterable) instead."))
	})
	c.Ready()
}

// chainClass is itertools.chain, the class of Counter.elements().
func chainClass() *class {
	for _, c := range itertoolsClasses {
		if c.ShortName() == "chain" {
			return c
		}
	}
	return nil
}
