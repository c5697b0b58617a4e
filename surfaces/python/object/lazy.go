package object

// The iterators of the builtins that are lazy: enumerate, zip, map, filter,
// reversed. Each counts depth while it runs the one below: they may be stacked
// higher than Go's stack can bear.

type enumerateIter struct {
	Obj
	it Iterator
	n  Value
}

func (*enumerateIter) Class() *Class { return enumerateClass }

func (e *enumerateIter) Next(t *Thread) (Value, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	v, x := e.advance(t)
	t.Leave()
	return v, x
}

func (e *enumerateIter) advance(t *Thread) (Value, *Exception) {
	i, v, x := e.pair(t)
	if x != nil || !v.IsSet() {
		return Value{}, x
	}
	return t.Tuple(i, v)
}

// pair gives the next number with its value.
func (e *enumerateIter) pair(t *Thread) (i, v Value, raised *Exception) {
	v, x := e.it.Next(t)
	if x != nil || !v.IsSet() {
		return Value{}, Value{}, x
	}
	i = e.n
	if e.n, x = t.Binary(Add, e.n, Int(1)); x != nil {
		return Value{}, Value{}, x
	}
	return i, v, nil
}

type zipIter struct {
	Obj
	its    []Iterator
	strict bool
	done   bool
}

func (*zipIter) Class() *Class { return zipClass }

func (z *zipIter) Next(t *Thread) (Value, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	v, x := z.advance(t)
	t.Leave()
	return v, x
}

func (z *zipIter) advance(t *Thread) (Value, *Exception) {
	if z.done || len(z.its) == 0 {
		return Value{}, nil
	}
	if x := t.Alloc(tupleSize + valueSize*len(z.its)); x != nil {
		return Value{}, x
	}
	items := make([]Value, len(z.its))
	for i, it := range z.its {
		v, x := it.Next(t)
		if x != nil {
			return Value{}, x
		}
		if !v.IsSet() {
			z.done = true
			return Value{}, z.ragged(t, i)
		}
		items[i] = v
	}
	return NewTuple(items), nil
}

// ragged is the error of zip(strict=True) when argument i ended.
func (z *zipIter) ragged(t *Thread, i int) *Exception {
	if !z.strict {
		return nil
	}
	plural := func(n int) string {
		if n == 1 {
			return " "
		}
		return "s 1-"
	}
	if i > 0 {
		return t.RaiseValue("zip() argument %d is shorter than argument%s%d", i+1, plural(i), i)
	}
	for j := 1; j < len(z.its); j++ {
		v, x := z.its[j].Next(t)
		if x != nil {
			return x
		}
		if v.IsSet() {
			return t.RaiseValue("zip() argument %d is longer than argument%s%d", j+1, plural(j), j)
		}
	}
	return nil
}

type mapIter struct {
	Obj
	fn   Value
	its  []Iterator
	args [4]Value
}

func (*mapIter) Class() *Class { return mapClass }

func (m *mapIter) Next(t *Thread) (Value, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	v, x := m.advance(t)
	t.Leave()
	return v, x
}

func (m *mapIter) advance(t *Thread) (Value, *Exception) {
	args := m.args[:0]
	for _, it := range m.its {
		v, x := it.Next(t)
		if x != nil || !v.IsSet() {
			return Value{}, x
		}
		args = append(args, v)
	}
	return t.CallNames(m.fn, args, nil)
}

type filterIter struct {
	Obj
	fn Value // None: by truth
	it Iterator
}

func (*filterIter) Class() *Class { return filterClass }

func (f *filterIter) Next(t *Thread) (Value, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	v, x := f.advance(t)
	t.Leave()
	return v, x
}

func (f *filterIter) advance(t *Thread) (Value, *Exception) {
	for {
		if x := t.Charge(1); x != nil {
			return Value{}, x
		}
		v, x := f.it.Next(t)
		if x != nil || !v.IsSet() {
			return Value{}, x
		}
		r := v
		if !f.fn.IsNone() {
			if r, x = t.Call(f.fn, v); x != nil {
				return Value{}, x
			}
		}
		keep, x := t.Truth(r)
		if x != nil {
			return Value{}, x
		}
		if keep {
			return v, nil
		}
	}
}

// reverseIter iterates backwards by __len__ and __getitem__.
type reverseIter struct {
	Obj
	v Value
	i int64
}

func (*reverseIter) Class() *Class { return reversedClass }

func (r *reverseIter) Next(t *Thread) (Value, *Exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	v, x := r.advance(t)
	t.Leave()
	return v, x
}

func (r *reverseIter) advance(t *Thread) (Value, *Exception) {
	if r.i < 0 {
		return Value{}, nil
	}
	v, x := t.GetItem(r.v, Int(r.i))
	r.i--
	if x != nil && x.Is(IndexError) {
		r.i = -1
		return Value{}, nil
	}
	return v, x
}

// sources gives iterators over the arguments.
func (t *Thread) sources(args []Value, name string) ([]Iterator, *Exception) {
	if x := t.Alloc(160 + 16*len(args)); x != nil {
		return nil, x
	}
	its := make([]Iterator, len(args))
	for i, a := range args {
		it, x := t.Iter(a)
		if x != nil {
			if name == "zip" && x.Is(TypeError) && !iterable(a) {
				return nil, t.RaiseType("'%s' object is not iterable", a.Class().Name)
			}
			return nil, x
		}
		its[i] = it
	}
	return its, nil
}

func setupLazy() {
	c := enumerateClass
	enumerate := NewBuiltin("enumerate", "iterable start?", func(t *Thread, a []Value) (Value, *Exception) {
		it, x := t.Iter(a[0])
		if x != nil {
			return Value{}, x
		}
		n := Int(0)
		if v := Arg(a, 1); v.IsSet() {
			if n, x = t.Index(v); x != nil {
				return Value{}, x
			}
		}
		return Box(newIter(&enumerateIter{it: it, n: n})), t.Alloc(96)
	})
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		return enumerate.Call(t, args, names)
	}
	ReadyIterator(c)

	c = zipClass
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		pos := args[:len(args)-len(names)]
		z := &zipIter{}
		for i, n := range names {
			if n != "strict" {
				return Value{}, t.RaiseType("zip() got an unexpected keyword argument '%s'", n)
			}
			b, x := t.Truth(args[len(pos)+i])
			if x != nil {
				return Value{}, x
			}
			z.strict = b
		}
		its, x := t.sources(pos, "zip")
		z.its = its
		return Box(newIter(z)), x
	}
	ReadyIterator(c)

	c = mapClass
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		if len(names) > 0 {
			return Value{}, t.RaiseType("map() takes no keyword arguments")
		}
		if len(args) < 2 {
			return Value{}, t.RaiseType("map() must have at least two arguments.")
		}
		its, x := t.sources(args[1:], "map")
		return Box(newIter(&mapIter{fn: args[0], its: its})), x
	}
	ReadyIterator(c)

	c = filterClass
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		if len(names) > 0 {
			return Value{}, t.RaiseType("filter() takes no keyword arguments")
		}
		if len(args) != 2 {
			return Value{}, t.RaiseType("filter expected 2 arguments, got %d", len(args))
		}
		it, x := t.Iter(args[1])
		if x == nil {
			x = t.Alloc(160)
		}
		return Box(newIter(&filterIter{fn: args[0], it: it})), x
	}
	ReadyIterator(c)

	c = reversedClass
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		if len(names) > 0 {
			return Value{}, t.RaiseType("reversed() takes no keyword arguments")
		}
		if len(args) != 1 {
			return Value{}, t.RaiseType("reversed expected 1 argument, got %d", len(args))
		}
		return t.Reversed(args[0])
	}
	ReadyIterator(c)
}

// Reversed is reversed(v).
func (t *Thread) Reversed(v Value) (Value, *Exception) {
	c := v.Class()
	switch {
	case c.slots.Reversed != nil:
		it, x := c.slots.Reversed(t, v)
		if x != nil {
			return Value{}, x
		}
		return IterValue(it), nil
	case v.isKind(KindClass) && v.o.self.(*Class).Meta != nil && v.o.self.(*Class).Meta.Reversed != nil:
		it, x := v.o.self.(*Class).Meta.Reversed(t, v)
		if x != nil {
			return Value{}, x
		}
		return IterValue(it), nil
	case c.slots.GetItem != nil && c.slots.Len != nil && !isSet(v.Base().Kind()):
		n, x := t.Len(v)
		if x != nil {
			return Value{}, x
		}
		return Box(newIter(&reverseIter{v: v, i: int64(n) - 1})), nil
	}
	return Value{}, t.RaiseType("'%s' object is not reversible", c.Name)
}
