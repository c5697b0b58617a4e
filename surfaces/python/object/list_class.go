package object

// Extend appends every value of an iterable.
func (l *List) Extend(t *Thread, v Value) *Exception {
	if items, ok := sequenceExact(v); ok {
		if x := l.grow(t, len(items)); x != nil {
			return x
		}
		if x := t.Charge(int64(len(items) >> 3)); x != nil {
			return x
		}
		l.items = append(l.items, items...)
		return nil
	}
	return t.Each(v, func(e Value) (bool, *Exception) { return false, l.Append(t, e) })
}

// containerSlots are what the built-in containers have in common, for instances
// of their subclasses.
func containerSlots() Slots {
	return Slots{
		Repr:     nativeRepr,
		Len:      func(t *Thread, v Value) (int, *Exception) { return t.Len(v.Base()) },
		Compare:  nativeCompare,
		Binary:   nativeBinary,
		InPlace:  nativeInPlace,
		GetItem:  func(t *Thread, v, k Value) (Value, *Exception) { return t.GetItem(v.Base(), k) },
		Contains: func(t *Thread, v, w Value) (bool, *Exception) { return t.Contains(v.Base(), w) },
		Iter:     func(t *Thread, v Value) (Iterator, *Exception) { return t.Iter(v.Base()) },
	}
}

func setupTuple() {
	c := TupleClass
	c.Own = containerSlots()
	c.Own.InPlace = nil
	c.Own.Hash = func(t *Thread, v Value) (uint64, *Exception) { return t.Hash(v.Base()) }
	c.New = func(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
		if len(names) > 0 && cls == TupleClass {
			return Value{}, t.RaiseType("tuple() takes no keyword arguments")
		}
		if len(args) > 1 {
			return Value{}, t.RaiseType("tuple expected at most 1 argument, got %d", len(args))
		}
		v := NewTuple(nil)
		if len(args) == 1 {
			if args[0].isKind(KindTuple) {
				v = args[0]
			} else {
				items, x := t.Items(args[0])
				if x != nil {
					return Value{}, x
				}
				v = NewTuple(items)
			}
		}
		return t.Wrap(cls, TupleClass, v)
	}
	searchMethods(c, "tuple")
	c.Ready()
}

// searchMethods are count and index of list and tuple.
func searchMethods(c *Class, name string) {
	c.Method("count", "value /", func(t *Thread, a []Value) (Value, *Exception) {
		n := int64(0)
		for i := 0; ; i++ {
			items, _ := sequence(a[0])
			if i >= len(items) {
				return Int(n), nil
			}
			if x := t.Charge(1); x != nil {
				return Value{}, x
			}
			eq, x := t.Equal(items[i], a[1])
			if x != nil {
				return Value{}, x
			}
			if eq {
				n++
			}
		}
	})
	c.Method("index", "value start? stop? /", func(t *Thread, a []Value) (Value, *Exception) {
		items, _ := sequence(a[0])
		start, x := t.bound(Arg(a, 2), 0, len(items))
		if x != nil {
			return Value{}, x
		}
		stop, x := t.bound(Arg(a, 3), len(items), len(items))
		if x != nil {
			return Value{}, x
		}
		for i := start; ; i++ {
			items, _ = sequence(a[0])
			if i >= min(len(items), stop) {
				break
			}
			if x := t.Charge(1); x != nil {
				return Value{}, x
			}
			eq, x := t.Equal(items[i], a[1])
			if x != nil {
				return Value{}, x
			}
			if eq {
				return Int(int64(i)), nil
			}
		}
		if name == "tuple" {
			return Value{}, t.RaiseValue("tuple.index(x): x not in tuple")
		}
		r, x := t.Repr(a[1])
		if x != nil {
			return Value{}, x
		}
		return Value{}, t.RaiseValue("%s is not in list", r)
	})
}

func setupList() {
	c := ListClass
	c.Own = containerSlots()
	c.Own.SetItem = func(t *Thread, v, k, w Value) *Exception { return t.SetItem(v.Base(), k, w) }
	c.Own.DelItem = func(t *Thread, v, k Value) *Exception { return t.DelItem(v.Base(), k) }
	c.Own.Hash, c.noHash = unhashable, true
	c.Own.Reversed = func(t *Thread, v Value) (Iterator, *Exception) {
		l, _ := ListOf(v)
		return newIter(&listReverseIter{l: l, i: len(l.items) - 1}), nil
	}
	c.New = func(t *Thread, cls *Class, _ []Value, _ []string) (Value, *Exception) {
		v, x := t.List(nil)
		if x != nil {
			return Value{}, x
		}
		return t.Wrap(cls, ListClass, v)
	}
	c.Init = func(t *Thread, self Value, args []Value, names []string) *Exception {
		if len(names) > 0 {
			return t.RaiseType("list() takes no keyword arguments")
		}
		if len(args) > 1 {
			return t.RaiseType("list expected at most 1 argument, got %d", len(args))
		}
		l, _ := ListOf(self)
		l.items = nil
		if len(args) == 1 {
			return l.Extend(t, args[0])
		}
		return nil
	}
	listMethods(c)
	searchMethods(c, "list")
	c.Ready()
}

func listMethods(c *Class) {
	c.Method("append", "object /", func(t *Thread, a []Value) (Value, *Exception) {
		l, _ := ListOf(a[0])
		return None, l.Append(t, a[1])
	})
	c.Method("extend", "iterable /", func(t *Thread, a []Value) (Value, *Exception) {
		l, _ := ListOf(a[0])
		return None, l.Extend(t, a[1])
	})
	c.Method("insert", "index object /", func(t *Thread, a []Value) (Value, *Exception) {
		l, _ := ListOf(a[0])
		i, x := t.IndexInt(a[1])
		if x != nil {
			return Value{}, x
		}
		n := int64(len(l.items))
		if i < 0 {
			i = max(0, i+n)
		}
		i = min(i, n)
		return None, t.splice(l, int(i), int(i), []Value{a[2]})
	})
	c.Method("pop", "index? /", func(t *Thread, a []Value) (Value, *Exception) {
		l, _ := ListOf(a[0])
		i := int64(-1)
		if v := Arg(a, 1); v.IsSet() {
			var x *Exception
			if i, x = t.IndexInt(v); x != nil {
				return Value{}, x
			}
		}
		n := int64(len(l.items))
		if n == 0 {
			return Value{}, t.Raise(IndexError, "pop from empty list")
		}
		if i < 0 {
			i += n
		}
		if i < 0 || i >= n {
			return Value{}, t.Raise(IndexError, "pop index out of range")
		}
		v := l.items[i]
		if i == n-1 {
			l.items[i] = Value{}
			l.items = l.items[:i]
			return v, nil
		}
		return v, t.splice(l, int(i), int(i)+1, nil)
	})
	c.Method("remove", "value /", func(t *Thread, a []Value) (Value, *Exception) {
		l, _ := ListOf(a[0])
		for i := 0; i < len(l.items); i++ {
			if x := t.Charge(1); x != nil {
				return Value{}, x
			}
			eq, x := t.Equal(l.items[i], a[1])
			if x != nil {
				return Value{}, x
			}
			if eq {
				if i >= len(l.items) {
					break
				}
				return None, t.splice(l, i, i+1, nil)
			}
		}
		return Value{}, t.RaiseValue("list.remove(x): x not in list")
	})
	c.Method("clear", "", func(_ *Thread, a []Value) (Value, *Exception) {
		l, _ := ListOf(a[0])
		l.items = nil
		return None, nil
	})
	c.Method("copy", "", func(t *Thread, a []Value) (Value, *Exception) {
		items, x := t.Items(a[0].Base())
		return NewList(items), x
	})
	c.Method("reverse", "", func(t *Thread, a []Value) (Value, *Exception) {
		l, _ := ListOf(a[0])
		reverseValues(l.items)
		return None, t.Charge(int64(len(l.items) >> 3))
	})
	c.Method("sort", "* key? reverse?", func(t *Thread, a []Value) (Value, *Exception) {
		l, _ := ListOf(a[0])
		items := l.items
		l.items = nil
		defer t.Unpin(t.Pin(NewList(items)))
		x := t.Sort(items, Arg(a, 1), Arg(a, 2))
		changed := l.items != nil
		l.items = items
		if x == nil && changed {
			x = t.RaiseValue("list modified during sort")
		}
		return None, x
	})
}

func reverseValues(v []Value) {
	for i, j := 0, len(v)-1; i < j; i, j = i+1, j-1 {
		v[i], v[j] = v[j], v[i]
	}
}
