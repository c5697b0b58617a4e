package object

// update merges a mapping or an iterable of pairs into the dict.
func (d *Dict) update(t *Thread, v Value) *Exception {
	if src, ok := v.Dict(); ok {
		return d.merge(t, src)
	}
	if src, ok := DictOf(v); ok && !v.Class().defines("__getitem__") && !v.Class().defines("keys") && !v.Class().defines("__iter__") {
		return d.merge(t, src)
	}
	keys, ok, x := t.FindAttr(v, "keys")
	if x != nil {
		return x
	}
	if ok {
		list, x := t.Call(keys)
		if x != nil {
			return x
		}
		return t.Each(list, func(k Value) (bool, *Exception) {
			w, x := t.GetItem(v, k)
			if x != nil {
				return false, x
			}
			return false, d.Set(t, k, w)
		})
	}
	return d.addPairs(t, v)
}

func (d *Dict) merge(t *Thread, src *Dict) *Exception {
	if d == src {
		return nil
	}
	for i := 0; i < len(src.entries); i++ {
		e := src.entries[i]
		if !e.key.IsSet() {
			continue
		}
		if x := t.Charge(1); x != nil {
			return x
		}
		if x := d.setHash(t, e.hash, e.key, e.val); x != nil {
			return x
		}
	}
	return nil
}

func (d *Dict) addPairs(t *Thread, v Value) *Exception {
	i := 0
	if !iterable(v) && v.Class().slots.Next == nil {
		return t.RaiseType("'%s' object is not iterable", v.Class().Name)
	}
	return t.Each(v, func(pair Value) (bool, *Exception) {
		if !iterable(pair) && pair.Class().slots.Next == nil {
			return false, t.RaiseType("cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		items, x := t.Peek(pair)
		if x != nil {
			return false, x
		}
		if len(items) != 2 {
			return false, t.RaiseValue("dictionary update sequence element #%d has length %d; 2 is required", i, len(items))
		}
		i++
		return false, d.Set(t, items[0], items[1])
	})
}

// initDict is dict.__init__ and dict.update.
func initDict(t *Thread, name string, self Value, args []Value, names []string) *Exception {
	d, _ := DictOf(self)
	pos := args[:len(args)-len(names)]
	if len(pos) > 1 {
		return t.RaiseType("%s expected at most 1 argument, got %d", name, len(pos))
	}
	if len(pos) == 1 {
		if x := d.update(t, pos[0]); x != nil {
			return x
		}
	}
	for i, n := range names {
		if x := d.SetName(t, n, args[len(pos)+i]); x != nil {
			return x
		}
	}
	return nil
}

func setupDict() {
	c := DictClass
	c.Own = containerSlots()
	c.Own.Hash, c.noHash = unhashable, true
	c.Own.GetItem = func(t *Thread, v, k Value) (Value, *Exception) {
		d, _ := DictOf(v)
		return t.dictItem(v, d, k)
	}
	c.Own.SetItem = func(t *Thread, v, k, w Value) *Exception { return t.SetItem(v.Base(), k, w) }
	c.Own.DelItem = func(t *Thread, v, k Value) *Exception { return t.DelItem(v.Base(), k) }
	c.Own.Binary = func(t *Thread, op Op, v, w Value, swapped bool) (Value, *Exception) {
		if op != Or {
			return NotImplemented, nil
		}
		if swapped {
			v, w = w, v
		}
		return t.dictUnion(v, w)
	}
	c.Own.Reversed = func(t *Thread, v Value) (Iterator, *Exception) {
		d, _ := DictOf(v)
		return reverseDict(d, yieldKeys), nil
	}
	c.New = func(t *Thread, cls *Class, _ []Value, _ []string) (Value, *Exception) {
		d, x := t.Dict(0)
		if x != nil {
			return Value{}, x
		}
		return t.Wrap(cls, DictClass, d.Value())
	}
	c.Init = func(t *Thread, self Value, args []Value, names []string) *Exception {
		return initDict(t, "dict", self, args, names)
	}
	dictMethods(c)
	c.Ready()
	setupViews()
}

func reverseDict(d *Dict, what yields) Iterator {
	return newIter(&dictIter{d: d, what: what, n: d.used, i: len(d.entries) - 1, reverse: true})
}

// dictUnion is v | w of two dicts.
func (t *Thread) dictUnion(v, w Value) (Value, *Exception) {
	a, ok1 := DictOf(v)
	b, ok2 := DictOf(w)
	if !ok1 || !ok2 {
		return NotImplemented, nil
	}
	r, x := a.copyOf(t)
	if x != nil {
		return Value{}, x
	}
	return r.Value(), r.merge(t, b)
}

func dictMethods(c *Class) {
	c.Method("get", "key default? /", func(t *Thread, a []Value) (Value, *Exception) {
		d, _ := DictOf(a[0])
		v, ok, x := d.Get(t, a[1])
		if x != nil || ok {
			return v, x
		}
		if d.Guard != nil {
			d.Guard.Missed(a[1])
		}
		if v := Arg(a, 2); v.IsSet() {
			return v, nil
		}
		return None, nil
	})
	c.Method("setdefault", "key default? /", func(t *Thread, a []Value) (Value, *Exception) {
		d, _ := DictOf(a[0])
		h, x := t.Hash(a[1])
		if x != nil {
			return Value{}, x
		}
		i, x := d.find(t, h, a[1])
		if x != nil {
			return Value{}, x
		}
		if i >= 0 {
			return d.entries[i].val, nil
		}
		v := None
		if w := Arg(a, 2); w.IsSet() {
			v = w
		}
		return v, d.insert(t, h, a[1], v)
	})
	c.Method("pop", "key default? /", func(t *Thread, a []Value) (Value, *Exception) {
		d, _ := DictOf(a[0])
		if d.used > 0 {
			v, ok, x := d.Delete(t, a[1])
			if x != nil || ok {
				return v, x
			}
		}
		if v := Arg(a, 2); v.IsSet() {
			return v, nil
		}
		return Value{}, t.raiseKey(d, a[1])
	})
	c.Method("popitem", "", func(t *Thread, a []Value) (Value, *Exception) {
		d, _ := DictOf(a[0])
		i := d.last()
		if i < 0 {
			return Value{}, NewException(KeyError, NewStr("popitem(): dictionary is empty"))
		}
		k := d.entries[i].key
		return t.Tuple(k, d.removeAt(i))
	})
	view := func(name string, what yields) {
		c.Method(name, "", func(t *Thread, a []Value) (Value, *Exception) {
			d, _ := DictOf(a[0])
			return Box(&dictView{d: d, what: what}), t.Alloc(64)
		})
	}
	view("keys", yieldKeys)
	view("values", yieldValues)
	view("items", yieldItems)
	c.Method("clear", "", func(_ *Thread, a []Value) (Value, *Exception) {
		d, _ := DictOf(a[0])
		d.Clear()
		return None, nil
	})
	c.Method("copy", "", func(t *Thread, a []Value) (Value, *Exception) {
		d, _ := DictOf(a[0])
		r, x := d.copyOf(t)
		if x != nil {
			return Value{}, x
		}
		return r.Value(), nil
	})
	b := NewRaw("update", func(t *Thread, a []Value, names []string) (Value, *Exception) {
		return None, initDict(t, "update", a[0], a[1:], names)
	})
	b.Method = true
	c.Add(b)
	classMethod(c, "fromkeys", "iterable value? /", func(t *Thread, a []Value) (Value, *Exception) {
		cls, _ := a[0].AsClass()
		v := None
		if w := Arg(a, 2); w.IsSet() {
			v = w
		}
		d, x := t.Construct(cls, nil, nil)
		if x != nil {
			return Value{}, x
		}
		defer t.Unpin(t.Pin(d))
		return d, t.Each(a[1], func(k Value) (bool, *Exception) { return false, t.SetItem(d, k, v) })
	})
}

// dictView is what keys(), values() and items() give.
type dictView struct {
	Obj
	d    *Dict
	what yields
}

var dictViewClasses = [3]*Class{Define("dict_keys"), Define("dict_values"), Define("dict_items")}

// Class is dict_keys, dict_values or dict_items.
func (v *dictView) Class() *Class { return dictViewClasses[v.what] }

func viewOf(v Value) *dictView { return v.Native().(*dictView) }

func setupViews() {
	for i, c := range dictViewClasses {
		what := yields(i)
		c.Own = Slots{
			Repr: viewRepr,
			Len:  func(_ *Thread, v Value) (int, *Exception) { return viewOf(v).d.used, nil },
			Iter: func(_ *Thread, v Value) (Iterator, *Exception) {
				return newIter(newDictIter(viewOf(v).d, viewOf(v).what)), nil
			},
			Reversed: func(_ *Thread, v Value) (Iterator, *Exception) { return reverseDict(viewOf(v).d, viewOf(v).what), nil },
			Children: func(v Value, visit func(Value)) int { visit(viewOf(v).d.Value()); return 64 },
		}
		if what != yieldValues {
			c.Own.Contains = viewContains
			c.Own.Compare = viewCompare
			c.Own.Binary = viewBinary
			c.Own.Hash, c.noHash = unhashable, true
			c.Method("isdisjoint", "other /", func(t *Thread, a []Value) (Value, *Exception) {
				s, x := t.toSet(a[0])
				if x != nil {
					return Value{}, x
				}
				return t.disjoint(s, a[1])
			})
		}
		c.Final = true
		c.Ready()
	}
}

func viewRepr(t *Thread, v Value) (string, *Exception) {
	items, x := t.Items(v)
	if x != nil {
		return "", x
	}
	s, x := t.Repr(NewList(items))
	return v.Class().Name + "(" + s + ")", x
}

func viewContains(t *Thread, v, w Value) (bool, *Exception) {
	view := viewOf(v)
	if view.what == yieldKeys {
		_, ok, x := view.d.Get(t, w)
		return ok, x
	}
	u, ok := TupleOf(w)
	if !ok || len(u.items) != 2 {
		return false, nil
	}
	val, ok, x := view.d.Get(t, u.items[0])
	if x != nil || !ok {
		return false, x
	}
	return t.Equal(val, u.items[1])
}

// setLike gives a set of a value that takes part in set operations with views.
func (t *Thread) setLike(v Value) (*Set, bool, *Exception) {
	if s, ok := SetOf(v); ok {
		return s, true, nil
	}
	if view, ok := v.Native().(*dictView); ok && view.what != yieldValues {
		s, x := t.toSet(v)
		return s, true, x
	}
	return nil, false, nil
}

func viewCompare(t *Thread, op Cmp, v, w Value) (Value, *Exception) {
	a, _, x := t.setLike(v)
	if x != nil {
		return Value{}, x
	}
	b, ok, x := t.setLike(w)
	if x != nil || !ok {
		return NotImplemented, x
	}
	r, x := t.compareSets(op, &a.d, &b.d)
	return Bool(r), x
}

func viewBinary(t *Thread, op Op, v, w Value, swapped bool) (Value, *Exception) {
	switch op {
	case And, Or, Sub, Xor:
	default:
		return NotImplemented, nil
	}
	if !iterable(w) {
		return NotImplemented, nil
	}
	a, x := t.toSet(v)
	if x != nil {
		return Value{}, x
	}
	b, x := t.toSet(w)
	if x != nil {
		return Value{}, x
	}
	if swapped {
		a, b = b, a
	}
	if a.Value().isKind(KindFrozenSet) {
		if a, x = a.copyOf(t, false); x != nil {
			return Value{}, x
		}
	}
	return t.setBinary(op, a.Value(), b.Value())
}
