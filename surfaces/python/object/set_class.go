package object

// toSet gives the set of an iterable's values: the set itself if it is one.
func (t *Thread) toSet(v Value) (*Set, *Exception) {
	if s, ok := SetOf(v); ok {
		return s, nil
	}
	s, x := t.Set(false)
	if x != nil {
		return nil, x
	}
	defer t.Unpin(t.Pin(s.Value()))
	if d, ok := v.Dict(); ok {
		c, x := d.copyOf(t)
		if x != nil {
			return nil, x
		}
		for i := range c.entries {
			c.entries[i].val = Value{}
		}
		s.d.entries, s.d.index, s.d.used = c.entries, c.index, c.used
		return s, nil
	}
	return s, t.Each(v, func(e Value) (bool, *Exception) { return false, s.Add(t, e) })
}

// contains is v in s, where a set stands for the frozenset of its members.
func (s *Set) contains(t *Thread, v Value) (bool, *Exception) {
	if o, ok := SetOf(v); ok && !v.Class().Has("__hash__") {
		f, x := o.copyOf(t, true)
		if x != nil {
			return false, x
		}
		v = f.Value()
	}
	return s.Has(t, v)
}

// setBinary is an operator between two sets; NotImplemented if one is none.
func (t *Thread) setBinary(op Op, v, w Value) (Value, *Exception) {
	a, ok1 := v.Set()
	b, ok2 := w.Set()
	if !ok1 || !ok2 {
		if op == Or && v.isKind(KindDict) && w.isKind(KindDict) {
			return t.dictUnion(v, w)
		}
		return NotImplemented, nil
	}
	r, x := t.combine(op, a, b, v.isKind(KindFrozenSet))
	if x != nil {
		return Value{}, x
	}
	return r.Value(), nil
}

// combine makes the union, intersection, difference or symmetric difference.
func (t *Thread) combine(op Op, a, b *Set, frozen bool) (*Set, *Exception) {
	switch op {
	case Or:
		r, x := a.copyOf(t, frozen)
		if x != nil {
			return nil, x
		}
		return r, r.addAll(t, b)
	case And:
		if b.d.used > a.d.used {
			a, b = b, a
		}
		r, x := t.Set(frozen)
		if x != nil {
			return nil, x
		}
		return r, t.pick(r, b, a, true)
	case Sub:
		r, x := t.Set(frozen)
		if x != nil {
			return nil, x
		}
		return r, t.pick(r, a, b, false)
	}
	r, x := t.Set(frozen)
	if x != nil {
		return nil, x
	}
	if x := t.pick(r, a, b, false); x != nil {
		return nil, x
	}
	return r, t.pick(r, b, a, false)
}

// pick adds the members of a that are, or are not, in b.
func (t *Thread) pick(r, a, b *Set, in bool) *Exception {
	for i := 0; i < len(a.d.entries); i++ {
		e := a.d.entries[i]
		if !e.key.IsSet() {
			continue
		}
		if x := t.Charge(1); x != nil {
			return x
		}
		j, x := b.d.find(t, e.hash, e.key)
		if x != nil {
			return x
		}
		if (j >= 0) == in {
			if x := r.addHash(t, e.hash, e.key); x != nil {
				return x
			}
		}
	}
	return nil
}

func (s *Set) addAll(t *Thread, o *Set) *Exception {
	for i := 0; i < len(o.d.entries); i++ {
		e := o.d.entries[i]
		if !e.key.IsSet() {
			continue
		}
		if x := t.Charge(1); x != nil {
			return x
		}
		if x := s.addHash(t, e.hash, e.key); x != nil {
			return x
		}
	}
	return nil
}

// inPlace is s op= o.
func (s *Set) inPlace(t *Thread, op Op, o *Set) *Exception {
	if op == Or {
		return s.addAll(t, o)
	}
	r, x := t.combine(op, s, o, false)
	if x != nil {
		return x
	}
	s.become(r)
	return nil
}

// become takes over the members of another set.
func (s *Set) become(r *Set) {
	s.d.entries, s.d.index, s.d.used, s.d.gone = r.d.entries, r.d.index, r.d.used, r.d.gone
	s.d.changes++
}

func (t *Thread) disjoint(s *Set, v Value) (Value, *Exception) {
	r := true
	x := t.Each(v, func(e Value) (bool, *Exception) {
		in, x := s.Has(t, e)
		r = !in
		return in, x
	})
	return Bool(r), x
}

func setupSet() {
	for _, c := range []*Class{SetClass, FrozenSetClass} {
		frozen := c == FrozenSetClass
		c.Own = containerSlots()
		c.Own.GetItem = nil
		c.Own.Hash, c.noHash = unhashable, !frozen
		if frozen {
			c.Own.InPlace = nil
			c.Own.Hash = func(t *Thread, v Value) (uint64, *Exception) { return t.Hash(v.Base()) }
		}
		c.New = newSetValue(c, frozen)
		if !frozen {
			c.Init = initSet
			mutableSet(c)
		}
		setAlgebra(c, frozen)
		c.Ready()
	}
}

func newSetValue(c *Class, frozen bool) func(*Thread, *Class, []Value, []string) (Value, *Exception) {
	return func(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
		s, x := t.Set(frozen)
		if x != nil {
			return Value{}, x
		}
		if frozen {
			if len(names) > 0 {
				return Value{}, t.RaiseType("frozenset() takes no keyword arguments")
			}
			if len(args) > 1 {
				return Value{}, t.RaiseType("frozenset expected at most 1 argument, got %d", len(args))
			}
			if len(args) == 1 {
				if cls == c && args[0].isKind(KindFrozenSet) {
					return args[0], nil
				}
				src, x := t.toSet(args[0])
				if x != nil {
					return Value{}, x
				}
				if s, x = src.copyOf(t, true); x != nil {
					return Value{}, x
				}
			}
		}
		return t.Wrap(cls, c, s.Value())
	}
}

func initSet(t *Thread, self Value, args []Value, names []string) *Exception {
	if len(names) > 0 {
		return t.RaiseType("set() takes no keyword arguments")
	}
	if len(args) > 1 {
		return t.RaiseType("set expected at most 1 argument, got %d", len(args))
	}
	s, _ := SetOf(self)
	s.d.Clear()
	if len(args) == 0 {
		return nil
	}
	return t.Each(args[0], func(e Value) (bool, *Exception) { return false, s.Add(t, e) })
}

func mutableSet(c *Class) {
	c.Method("add", "object /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := SetOf(a[0])
		return None, s.Add(t, a[1])
	})
	remove := func(name string, must bool) {
		c.Method(name, "object /", func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := SetOf(a[0])
			key := a[1]
			if o, ok := SetOf(key); ok && !key.Class().Has("__hash__") {
				f, x := o.copyOf(t, true)
				if x != nil {
					return Value{}, x
				}
				key = f.Value()
			}
			_, ok, x := s.d.Delete(t, key)
			if x == nil && !ok && must {
				x = NewException(KeyError, a[1])
			}
			return None, x
		})
	}
	remove("remove", true)
	remove("discard", false)
	c.Method("pop", "", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := SetOf(a[0])
		for i := range s.d.entries {
			if k := s.d.entries[i].key; k.IsSet() {
				if x := t.Charge(int64(i>>4) + 1); x != nil {
					return Value{}, x
				}
				s.d.removeAt(i)
				return k, nil
			}
		}
		return Value{}, NewException(KeyError, NewStr("pop from an empty set"))
	})
	c.Method("clear", "", func(_ *Thread, a []Value) (Value, *Exception) {
		s, _ := SetOf(a[0])
		s.d.Clear()
		return None, nil
	})
	c.Method("update", "*others", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := SetOf(a[0])
		for _, o := range a[1:] {
			if x := t.Each(o, func(e Value) (bool, *Exception) { return false, s.Add(t, e) }); x != nil {
				return Value{}, x
			}
		}
		return None, nil
	})
	change := func(name string, op Op, sig string) {
		c.Method(name, sig, func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := SetOf(a[0])
			for _, v := range a[1:] {
				o, x := t.toSet(v)
				if x != nil {
					return Value{}, x
				}
				if x := s.inPlace(t, op, o); x != nil {
					return Value{}, x
				}
			}
			return None, nil
		})
	}
	change("intersection_update", And, "*others")
	change("difference_update", Sub, "*others")
	change("symmetric_difference_update", Xor, "other /")
}

func setAlgebra(c *Class, frozen bool) {
	c.Method("copy", "", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := SetOf(a[0])
		if frozen && a[0].isKind(KindFrozenSet) {
			return a[0], nil
		}
		r, x := s.copyOf(t, frozen)
		if x != nil {
			return Value{}, x
		}
		return r.Value(), nil
	})
	operation := func(name string, op Op, sig string) {
		c.Method(name, sig, func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := SetOf(a[0])
			r, x := s.copyOf(t, frozen)
			if x != nil {
				return Value{}, x
			}
			for _, v := range a[1:] {
				o, x := t.toSet(v)
				if x != nil {
					return Value{}, x
				}
				if r, x = t.combine(op, r, o, frozen); x != nil {
					return Value{}, x
				}
			}
			return r.Value(), nil
		})
	}
	operation("union", Or, "*others")
	operation("intersection", And, "*others")
	operation("difference", Sub, "*others")
	operation("symmetric_difference", Xor, "other /")
	relation := func(name string, test func(t *Thread, a, b *Dict) (bool, *Exception)) {
		c.Method(name, "other /", func(t *Thread, a []Value) (Value, *Exception) {
			s, _ := SetOf(a[0])
			o, x := t.toSet(a[1])
			if x != nil {
				return Value{}, x
			}
			r, x := test(t, &s.d, &o.d)
			return Bool(r), x
		})
	}
	relation("issubset", func(t *Thread, a, b *Dict) (bool, *Exception) { return t.subset(a, b) })
	relation("issuperset", func(t *Thread, a, b *Dict) (bool, *Exception) { return t.subset(b, a) })
	c.Method("isdisjoint", "other /", func(t *Thread, a []Value) (Value, *Exception) {
		s, _ := SetOf(a[0])
		return t.disjoint(s, a[1])
	})
}
