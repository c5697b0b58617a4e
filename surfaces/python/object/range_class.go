package object

func setupRange() {
	c := RangeClass
	c.Own = containerSlots()
	c.Own.Binary, c.Own.InPlace = nil, nil
	c.Own.Hash = func(t *Thread, v Value) (uint64, *Exception) { return t.Hash(v) }
	c.Own.Reversed = func(_ *Thread, v Value) (Iterator, *Exception) {
		r, _ := v.Range()
		return newIter(&rangeIter{next: r.Start + (r.n-1)*r.Step, step: -r.Step, left: r.n}), nil
	}
	c.Final = true
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		if len(names) > 0 {
			return Value{}, t.RaiseType("range() takes no keyword arguments")
		}
		if len(args) == 0 {
			return Value{}, t.RaiseType("range expected at least 1 argument, got 0")
		}
		if len(args) > 3 {
			return Value{}, t.RaiseType("range expected at most 3 arguments, got %d", len(args))
		}
		return t.newRange(args)
	}
	c.Method("count", "value /", func(t *Thread, a []Value) (Value, *Exception) {
		in, x := t.Contains(a[0], a[1])
		if in {
			return Int(1), x
		}
		return Int(0), x
	})
	c.Method("index", "value /", func(t *Thread, a []Value) (Value, *Exception) {
		r, _ := a[0].Range()
		if n, ok := a[1].integral(); ok {
			if i := r.find(n); i >= 0 {
				return Int(i), nil
			}
			s, x := t.Repr(a[1])
			if x != nil {
				return Value{}, x
			}
			return Value{}, t.RaiseValue("%s is not in range", s)
		}
		for i := range r.n {
			if x := t.Charge(1); x != nil {
				return Value{}, x
			}
			eq, x := t.Equal(Int(r.At(i)), a[1])
			if x != nil {
				return Value{}, x
			}
			if eq {
				return Int(i), nil
			}
		}
		return Value{}, t.RaiseValue("sequence.index(x): x not in sequence")
	})
	c.Getter("start", func(_ *Thread, v Value) (Value, *Exception) { return Int(v.o.self.(*Range).Start), nil })
	c.Getter("stop", func(_ *Thread, v Value) (Value, *Exception) { return Int(v.o.self.(*Range).Stop), nil })
	c.Getter("step", func(_ *Thread, v Value) (Value, *Exception) { return Int(v.o.self.(*Range).Step), nil })
	c.Ready()
}

func (t *Thread) newRange(args []Value) (Value, *Exception) {
	n := [3]int64{0, 0, 1}
	for i, a := range args {
		v, x := t.Index(a)
		if x != nil {
			return Value{}, x
		}
		k, ok := v.Int()
		if !ok {
			return Value{}, t.Raise(OverflowError, "a range of integers beyond 64 bits is not available: count within 64 bits and add an offset")
		}
		n[i] = k
	}
	if len(args) == 1 {
		n[0], n[1] = 0, n[0]
	}
	if n[2] == 0 {
		return Value{}, t.RaiseValue("range() arg 3 must not be zero")
	}
	return NewRange(n[0], n[1], n[2]).Value(), t.Alloc(72)
}

func setupSlice() {
	c := SliceClass
	c.Own = Slots{Repr: nativeRepr, Compare: nativeCompare}
	c.Final = true
	c.New = func(t *Thread, _ *Class, args []Value, _ []string) (Value, *Exception) {
		switch len(args) {
		case 1:
			return NewSlice(None, args[0], None), nil
		case 2:
			return NewSlice(args[0], args[1], None), nil
		case 3:
			return NewSlice(args[0], args[1], args[2]), nil
		case 0:
			return Value{}, t.RaiseType("slice expected at least 1 argument, got 0")
		}
		return Value{}, t.RaiseType("slice expected at most 3 arguments, got %d", len(args))
	}
	c.Method("indices", "length /", func(t *Thread, a []Value) (Value, *Exception) {
		n, x := t.IndexInt(a[1])
		if x != nil {
			return Value{}, x
		}
		if n < 0 {
			return Value{}, t.RaiseValue("length should not be negative")
		}
		start, stop, step, _, x := a[0].o.self.(*Slice).Indices(t, int(n))
		if x != nil {
			return Value{}, x
		}
		return t.Tuple(Int(int64(start)), Int(int64(stop)), Int(int64(step)))
	})
	c.Getter("start", func(_ *Thread, v Value) (Value, *Exception) { return v.o.self.(*Slice).Start, nil })
	c.Getter("stop", func(_ *Thread, v Value) (Value, *Exception) { return v.o.self.(*Slice).Stop, nil })
	c.Getter("step", func(_ *Thread, v Value) (Value, *Exception) { return v.o.self.(*Slice).Step, nil })
	c.Ready()
}
