package module

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// deque is collections.deque: a ring.
type deque struct {
	object.Obj
	ring    []value
	head, n int
	most    int // -1 for no bound
	changes int
}

// Class is collections.deque.
func (*deque) Class() *class { return dequeClass }

var (
	dequeClass     = defineIn("collections", "deque")
	dequeIterClass = defineIn("_collections", "_deque_iterator")
)

func (d *deque) place(i int) int { return (d.head + i) % len(d.ring) }

func (d *deque) at(i int) value { return d.ring[d.place(i)] }

func (d *deque) grow(t *thread) *exception {
	if d.n < len(d.ring) {
		return nil
	}
	size := max(8, 2*len(d.ring))
	if x := t.Alloc(16 * size); x != nil {
		return x
	}
	ring := make([]value, size)
	for i := range d.n {
		ring[i] = d.at(i)
	}
	d.ring, d.head = ring, 0
	return nil
}

func (d *deque) push(t *thread, v value) *exception {
	if d.most == 0 {
		return nil
	}
	if d.n == d.most {
		d.popLeft()
	}
	if x := d.grow(t); x != nil {
		return x
	}
	d.n++
	d.ring[d.place(d.n-1)] = v
	d.changes++
	return nil
}

func (d *deque) pushLeft(t *thread, v value) *exception {
	if d.most == 0 {
		return nil
	}
	if d.n == d.most {
		d.pop()
	}
	if x := d.grow(t); x != nil {
		return x
	}
	d.head = (d.head + len(d.ring) - 1) % len(d.ring)
	d.ring[d.head] = v
	d.n++
	d.changes++
	return nil
}

func (d *deque) pop() value {
	i := d.place(d.n - 1)
	v := d.ring[i]
	d.ring[i] = value{}
	d.n--
	d.changes++
	return v
}

func (d *deque) popLeft() value {
	v := d.ring[d.head]
	d.ring[d.head] = value{}
	d.head = d.place(1)
	d.n--
	d.changes++
	return v
}

// removeAt takes out one value.
func (d *deque) removeAt(i int) {
	for ; i < d.n-1; i++ {
		d.ring[d.place(i)] = d.at(i + 1)
	}
	d.pop()
}

func (d *deque) items(t *thread) ([]value, *exception) {
	if x := t.Alloc(16 * d.n); x != nil {
		return nil, x
	}
	out := make([]value, d.n)
	for i := range out {
		out[i] = d.at(i)
	}
	return out, t.Charge(int64(d.n >> 2))
}

func (d *deque) extend(t *thread, v value, push func(*thread, value) *exception) *exception {
	if o, ok := object.NativeOf[*deque](v); ok && o == d {
		items, x := d.items(t)
		if x != nil {
			return x
		}
		v = object.NewList(items)
	}
	return t.Each(v, func(e value) (bool, *exception) { return false, push(t, e) })
}

// index reads an index that must be in range.
func (d *deque) index(t *thread, v value) (int, *exception) {
	if _, ok := v.AsSlice(); ok {
		return 0, t.RaiseType("sequence index must be integer, not 'slice'")
	}
	i, x := t.Index(v)
	if x != nil {
		if x.Limit != nil {
			return 0, x
		}
		return 0, t.RaiseType("sequence index must be integer, not '%s'", nameOf(v))
	}
	n, ok := i.Int()
	if n < 0 {
		n += int64(d.n)
	}
	if !ok || n < 0 || n >= int64(d.n) {
		return 0, t.Raise(object.IndexError, "deque index out of range")
	}
	return int(n), nil
}

// dequeIter gives the values in either direction.
type dequeIter struct {
	object.Obj
	d       *deque
	i       int
	back    bool
	changes int
}

// Class is _collections._deque_iterator.
func (*dequeIter) Class() *class { return dequeIterClass }

// Next gives the next value.
func (it *dequeIter) Next(t *thread) (value, *exception) {
	if it.changes != it.d.changes {
		return raised(t.Raise(object.RuntimeError, "deque mutated during iteration"))
	}
	if it.i >= it.d.n {
		return value{}, nil
	}
	it.i++
	if it.back {
		return it.d.at(it.d.n - it.i), nil
	}
	return it.d.at(it.i - 1), nil
}

func newDeque(t *thread, most int) (*deque, *exception) {
	d := &deque{most: most}
	return d, t.Alloc(120)
}

func init() {
	dequeIterClass.Module = "_collections"
	dequeIterClass.Own.Children = func(v value, visit func(value)) int { visit(object.Box(v.Native().(*dequeIter).d)); return 64 }
	object.ReadyIterator(dequeIterClass)
	c := dequeClass
	c.Module = "collections"
	self := func(v value) *deque { d, _ := object.NativeOf[*deque](v); return d }
	make := object.NewBuiltin("deque", "iterable? maxlen?", func(t *thread, a []value) (value, *exception) {
		most := -1
		if v, ok := optional(a, 1); ok {
			if !isInt(v) {
				return raised(t.RaiseType("an integer is required"))
			}
			n, x := integer(t, v)
			if x != nil {
				return value{}, x
			}
			if n < 0 {
				return raised(t.RaiseValue("maxlen must be non-negative"))
			}
			most = int(min(n, 1<<40))
		}
		d, x := newDeque(t, most)
		if x != nil {
			return value{}, x
		}
		v := object.Box(d)
		if src, ok := given(a, 0); ok {
			defer t.Unpin(t.Pin(v))
			return v, d.extend(t, src, d.push)
		}
		return v, nil
	})
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		v, x := make.Call(t, a, names)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(cls, c, v)
	}
	c.Own.Children = func(v value, visit func(value)) int {
		d := v.Native().(*deque)
		for i := range d.n {
			visit(d.at(i))
		}
		return 120 + 16*len(d.ring)
	}
	c.Own.Len = func(_ *thread, v value) (int, *exception) { return self(v).n, nil }
	c.Own.Iter = func(t *thread, v value) (object.Iterator, *exception) {
		it := &dequeIter{d: self(v), changes: self(v).changes}
		object.Box(it)
		return it, t.Alloc(64)
	}
	c.Own.Reversed = func(t *thread, v value) (object.Iterator, *exception) {
		it := &dequeIter{d: self(v), changes: self(v).changes, back: true}
		object.Box(it)
		return it, t.Alloc(64)
	}
	c.Own.GetItem = func(t *thread, v, k value) (value, *exception) {
		i, x := self(v).index(t, k)
		if x != nil {
			return value{}, x
		}
		return self(v).at(i), nil
	}
	c.Own.SetItem = func(t *thread, v, k, w value) *exception {
		i, x := self(v).index(t, k)
		if x != nil {
			return x
		}
		d := self(v)
		d.ring[d.place(i)] = w
		return nil
	}
	c.Own.DelItem = func(t *thread, v, k value) *exception {
		i, x := self(v).index(t, k)
		if x != nil {
			return x
		}
		self(v).removeAt(i)
		return t.Charge(int64(self(v).n >> 3))
	}
	c.Own.Contains = func(t *thread, v, w value) (bool, *exception) {
		i, x := self(v).find(t, w, 0, self(v).n)
		return i >= 0, x
	}
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		d := self(v)
		items, x := d.items(t)
		if x != nil {
			return "", x
		}
		parts := []string{}
		for _, e := range items {
			if o, ok := object.NativeOf[*deque](e); ok && o == d {
				parts = append(parts, "[...]")
				continue
			}
			s, x := t.Repr(e)
			if x != nil {
				return "", x
			}
			parts = append(parts, s)
		}
		s := shortName(v) + "([" + strings.Join(parts, ", ") + "]"
		if d.most >= 0 {
			s += ", maxlen=" + itoa(d.most)
		}
		return s + ")", nil
	}
	c.Own.Compare = func(t *thread, op object.Cmp, v, w value) (value, *exception) {
		o, ok := object.NativeOf[*deque](w)
		if !ok {
			return object.NotImplemented, nil
		}
		p, x := self(v).items(t)
		if x != nil {
			return value{}, x
		}
		q, x := o.items(t)
		if x != nil {
			return value{}, x
		}
		return t.Compare(op, object.NewList(p), object.NewList(q))
	}
	c.NoHash()
	c.Own.Binary = func(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
		switch {
		case op == object.Add && !swapped:
			if _, ok := object.NativeOf[*deque](w); !ok {
				return raised(t.RaiseType(`can only concatenate deque (not "%s") to deque`, nameOf(w)))
			}
			d, x := self(v).copyOf(t)
			if x != nil {
				return value{}, x
			}
			return object.Box(d), d.extend(t, w, d.push)
		case op == object.Mul && isInt(w):
			n, x := integer(t, w)
			if x != nil {
				return value{}, x
			}
			d, x := newDeque(t, self(v).most)
			if x != nil {
				return value{}, x
			}
			for range max(n, 0) {
				if self(v).n == 0 {
					break
				}
				if x := d.extend(t, v, d.push); x != nil {
					return value{}, x
				}
			}
			return object.Box(d), nil
		}
		return object.NotImplemented, nil
	}
	c.Own.InPlace = func(t *thread, op object.Op, v, w value) (value, *exception) {
		if op != object.Add {
			return object.NotImplemented, nil
		}
		return v, self(v).extend(t, w, self(v).push)
	}
	dequeMethods(c, self)
	c.Ready()
}

func (d *deque) copyOf(t *thread) (*deque, *exception) {
	c, x := newDeque(t, d.most)
	if x != nil {
		return nil, x
	}
	items, x := d.items(t)
	if x != nil {
		return nil, x
	}
	c.ring, c.n = items, len(items)
	return c, nil
}

// find gives the place of a value, -1 if it is not there.
func (d *deque) find(t *thread, v value, from, to int) (int, *exception) {
	changes := d.changes
	for i := from; i < to && i < d.n; i++ {
		if x := t.Charge(1); x != nil {
			return -1, x
		}
		eq, x := t.Equal(d.at(i), v)
		if x != nil {
			return -1, x
		}
		if d.changes != changes {
			return -1, t.Raise(object.RuntimeError, "deque mutated during iteration")
		}
		if eq {
			return i, nil
		}
	}
	return -1, nil
}

func dequeMethods(c *class, self func(v value) *deque) {
	none := func(name, sig string, f func(t *thread, d *deque, a []value) *exception) {
		c.Method(name, sig, func(t *thread, a []value) (value, *exception) { return object.None, f(t, self(a[0]), a[1:]) })
	}
	none("append", "x /", func(t *thread, d *deque, a []value) *exception { return d.push(t, a[0]) })
	none("appendleft", "x /", func(t *thread, d *deque, a []value) *exception { return d.pushLeft(t, a[0]) })
	none("extend", "iterable /", func(t *thread, d *deque, a []value) *exception { return d.extend(t, a[0], d.push) })
	none("extendleft", "iterable /", func(t *thread, d *deque, a []value) *exception { return d.extend(t, a[0], d.pushLeft) })
	none("clear", "", func(_ *thread, d *deque, _ []value) *exception {
		d.ring, d.head, d.n = nil, 0, 0
		d.changes++
		return nil
	})
	none("reverse", "", func(t *thread, d *deque, _ []value) *exception {
		for i, j := 0, d.n-1; i < j; i, j = i+1, j-1 {
			p, q := d.place(i), d.place(j)
			d.ring[p], d.ring[q] = d.ring[q], d.ring[p]
		}
		return t.Charge(int64(d.n >> 2))
	})
	none("rotate", "n? /", func(t *thread, d *deque, a []value) *exception {
		n := int64(1)
		if v, ok := given(a, 0); ok {
			var x *exception
			if n, x = integer(t, v); x != nil {
				return x
			}
		}
		if d.n < 2 {
			return nil
		}
		k := int(((n % int64(d.n)) + int64(d.n)) % int64(d.n))
		if x := t.Charge(int64(d.n >> 2)); x != nil {
			return x
		}
		items, x := d.items(t)
		if x != nil {
			return x
		}
		for i, v := range items {
			d.ring[d.place((i+k)%d.n)] = v
		}
		return nil
	})
	none("insert", "index object /", func(t *thread, d *deque, a []value) *exception {
		n, x := integer(t, a[0])
		if x != nil {
			return x
		}
		if d.most >= 0 && d.n >= d.most {
			return t.Raise(object.IndexError, "deque already at its maximum size")
		}
		if n < 0 {
			n += int64(d.n)
		}
		at := int(max(0, min(n, int64(d.n))))
		if x := d.push(t, object.None); x != nil {
			return x
		}
		for i := d.n - 1; i > at; i-- {
			d.ring[d.place(i)] = d.at(i - 1)
		}
		d.ring[d.place(at)] = a[1]
		return t.Charge(int64(d.n >> 3))
	})
	none("remove", "value /", func(t *thread, d *deque, a []value) *exception {
		i, x := d.find(t, a[0], 0, d.n)
		if x != nil {
			return x
		}
		if i < 0 {
			s, x := t.Repr(a[0])
			if x != nil {
				return x
			}
			return t.RaiseValue("%s is not in deque", s)
		}
		d.removeAt(i)
		return nil
	})
	for name, take := range map[string]func(d *deque) value{"pop": (*deque).pop, "popleft": (*deque).popLeft} {
		c.Method(name, "", func(t *thread, a []value) (value, *exception) {
			if self(a[0]).n == 0 {
				return raised(t.Raise(object.IndexError, "pop from an empty deque"))
			}
			return take(self(a[0])), nil
		})
	}
	c.Method("count", "value /", func(t *thread, a []value) (value, *exception) {
		d, n := self(a[0]), int64(0)
		for i := 0; i < d.n; i++ {
			if x := t.Charge(1); x != nil {
				return value{}, x
			}
			eq, x := t.Equal(d.at(i), a[1])
			if x != nil {
				return value{}, x
			}
			if eq {
				n++
			}
		}
		return object.Int(n), nil
	})
	c.Method("index", "value start? stop? /", func(t *thread, a []value) (value, *exception) {
		d := self(a[0])
		from, to := 0, d.n
		for i, p := range []*int{&from, &to} {
			if v, ok := given(a, 2+i); ok {
				n, x := integer(t, v)
				if x != nil {
					return value{}, x
				}
				if n < 0 {
					n += int64(d.n)
				}
				*p = int(max(0, min(n, int64(d.n))))
			}
		}
		i, x := d.find(t, a[1], from, to)
		if x != nil {
			return value{}, x
		}
		if i < 0 {
			s, x := t.Repr(a[1])
			if x != nil {
				return value{}, x
			}
			return raised(t.RaiseValue("%s is not in deque", s))
		}
		return object.Int(int64(i)), nil
	})
	c.Method("copy", "", func(t *thread, a []value) (value, *exception) {
		d, x := self(a[0]).copyOf(t)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(a[0].Class(), c, object.Box(d))
	})
	c.Getter("maxlen", func(_ *thread, v value) (value, *exception) {
		if m := self(v).most; m >= 0 {
			return object.Int(int64(m)), nil
		}
		return object.None, nil
	})
}
