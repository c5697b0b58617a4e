package object

// GetItem is v[key].
func (t *Thread) GetItem(v, key Value) (Value, *Exception) {
	switch v.Kind() {
	case KindList:
		return t.listItem(v.o.self.(*List), key)
	case KindDict:
		return t.dictItem(v, v.o.self.(*Dict), key)
	case KindTuple:
		return t.tupleItem(v.o.self.(*Tuple), key)
	case KindStr:
		return t.strItem(v.o.self.(*Str), key)
	case KindBytes:
		return t.bytesItem(v.o.self.(*Bytes), key)
	case KindRange:
		return t.rangeItem(v.o.self.(*Range), key)
	case KindClass:
		return t.classItem(v.o.self.(*Class), key)
	}
	c := v.Class()
	if c.slots.GetItem == nil {
		return Value{}, t.RaiseType("'%s' object is not subscriptable", c.Name)
	}
	if x := t.Enter(); x != nil {
		t.Leave()
		return Value{}, x
	}
	r, x := c.slots.GetItem(t, v, key)
	t.Leave()
	return r, x
}

// index gives the position that an index means in a sequence of n items.
func (t *Thread) index(key Value, n int, what string) (int, *Exception) {
	i, ok := key.Int()
	if !ok {
		k, x := t.indexKey(key, what)
		if x != nil {
			return 0, x
		}
		if i, ok = k.integral(); !ok {
			if what == "range" {
				return -1, nil
			}
			return 0, t.Raise(IndexError, "cannot fit 'int' into an index-sized integer")
		}
	}
	if i < 0 {
		i += int64(n)
	}
	if uint64(i) >= uint64(n) {
		return -1, nil
	}
	return int(i), nil
}

func (t *Thread) indexKey(key Value, what string) (Value, *Exception) {
	if !hasIndex(t, key) {
		if what == "string" {
			return Value{}, t.RaiseType("string indices must be integers, not '%s'", key.Class().Name)
		}
		if what == "byte" {
			return Value{}, t.RaiseType("byte indices must be integers or slices, not %s", key.Class().Name)
		}
		return Value{}, t.RaiseType("%s indices must be integers or slices, not %s", what, key.Class().Name)
	}
	return t.Index(key)
}

// hasIndex reports whether a value can stand for an integer.
func hasIndex(_ *Thread, v Value) bool {
	return isInteger(v) || isInteger(v.Base()) || v.Class().slots.Index != nil
}

// Index is operator.index(v): an int.
func (t *Thread) Index(v Value) (Value, *Exception) {
	if v.isKind(KindBool) {
		return Int(int64(v.n)), nil
	}
	if isInteger(v) {
		return v, nil
	}
	if c := v.Class(); c.slots.Index != nil {
		return c.slots.Index(t, v)
	}
	return Value{}, t.RaiseType("'%s' object cannot be interpreted as an integer", v.Class().Name)
}

// IndexInt is Index for an int that must fit 64 bits.
func (t *Thread) IndexInt(v Value) (int64, *Exception) {
	if n, ok := v.Int(); ok {
		return n, nil
	}
	i, x := t.Index(v)
	if x != nil {
		return 0, x
	}
	if n, ok := i.Int(); ok {
		return n, nil
	}
	return 0, t.Raise(OverflowError, "Python int too large to convert to C ssize_t")
}

func (t *Thread) listItem(l *List, key Value) (Value, *Exception) {
	if s, ok := key.AsSlice(); ok {
		items, x := t.sliceItems(l.items, s)
		return NewList(items), x
	}
	i, x := t.index(key, len(l.items), "list")
	if x != nil {
		return Value{}, x
	}
	if i < 0 {
		return Value{}, t.Raise(IndexError, "list index out of range")
	}
	return l.items[i], nil
}

func (t *Thread) tupleItem(u *Tuple, key Value) (Value, *Exception) {
	if s, ok := key.AsSlice(); ok {
		items, x := t.sliceItems(u.items, s)
		return NewTuple(items), x
	}
	i, x := t.index(key, len(u.items), "tuple")
	if x != nil {
		return Value{}, x
	}
	if i < 0 {
		return Value{}, t.Raise(IndexError, "tuple index out of range")
	}
	return u.items[i], nil
}

func (t *Thread) sliceItems(items []Value, s *Slice) ([]Value, *Exception) {
	start, _, step, n, x := s.Indices(t, len(items))
	if x != nil {
		return nil, x
	}
	if x := t.Alloc(listSize + n*valueSize); x != nil {
		return nil, x
	}
	out := make([]Value, n)
	if step == 1 {
		copy(out, items[start:start+n])
		return out, nil
	}
	for i := range out {
		out[i] = items[start+i*step]
	}
	return out, nil
}

func (t *Thread) strItem(s *Str, key Value) (Value, *Exception) {
	if sl, ok := key.AsSlice(); ok {
		return t.sliceStr(s, sl)
	}
	i, x := t.index(key, s.Len(), "string")
	if x != nil {
		return Value{}, x
	}
	if i < 0 {
		return Value{}, t.Raise(IndexError, "string index out of range")
	}
	return s.at(t, i)
}

func (t *Thread) sliceStr(s *Str, sl *Slice) (Value, *Exception) {
	start, _, step, n, x := sl.Indices(t, s.Len())
	if x != nil {
		return Value{}, x
	}
	if n == 0 {
		return emptyStr, nil
	}
	if s.isASCII() && step == 1 {
		return t.Text(s.s[start : start+n])
	}
	if x := t.Alloc(strSize + 4*n); x != nil {
		return Value{}, x
	}
	if x := t.Charge(int64(len(s.s) >> 3)); x != nil {
		return Value{}, x
	}
	if s.isASCII() {
		out := make([]byte, n)
		for i := range out {
			out[i] = s.s[start+i*step]
		}
		return ascii(string(out)), nil
	}
	if step == 1 {
		a := s.offset(start)
		rest := Str{s: s.s[a:], n: s.n - start}
		return NewStr(s.s[a : a+rest.offset(n)]), nil
	}
	rs := runes(s.s)
	out := make([]rune, n)
	for i := range out {
		out[i] = rs[start+i*step]
	}
	return NewStr(text(out)), nil
}

func (t *Thread) bytesItem(b *Bytes, key Value) (Value, *Exception) {
	if sl, ok := key.AsSlice(); ok {
		start, _, step, n, x := sl.Indices(t, len(b.s))
		if x != nil {
			return Value{}, x
		}
		if x := t.Alloc(strSize + n); x != nil {
			return Value{}, x
		}
		out := make([]byte, n)
		for i := range out {
			out[i] = b.s[start+i*step]
		}
		return NewBytes(string(out)), nil
	}
	i, x := t.index(key, len(b.s), "byte")
	if x != nil {
		return Value{}, x
	}
	if i < 0 {
		return Value{}, t.Raise(IndexError, "index out of range")
	}
	return Int(int64(b.s[i])), nil
}

func (t *Thread) rangeItem(r *Range, key Value) (Value, *Exception) {
	if sl, ok := key.AsSlice(); ok {
		start, stop, step, _, x := sl.Indices(t, int(r.n))
		if x != nil {
			return Value{}, x
		}
		return NewRange(r.Start+int64(start)*r.Step, r.Start+int64(stop)*r.Step, r.Step*int64(step)).Value(), t.Alloc(80)
	}
	i, x := t.index(key, int(r.n), "range")
	if x != nil {
		return Value{}, x
	}
	if i < 0 {
		return Value{}, t.Raise(IndexError, "range object index out of range")
	}
	return Int(r.At(int64(i))), nil
}

// dictItem is d[key], for a dict and for what is built on one.
func (t *Thread) dictItem(v Value, d *Dict, key Value) (Value, *Exception) {
	h, x := t.Hash(key)
	if x != nil {
		return Value{}, x
	}
	i, x := d.find(t, h, key)
	if x != nil {
		return Value{}, x
	}
	if i >= 0 {
		return d.entries[i].val, nil
	}
	if v.isKind(KindInstance) {
		if r, ok, x := t.CallSpecial(v, "__missing__", key); ok || x != nil {
			return r, x
		}
	}
	return Value{}, t.raiseKey(d, key)
}

// raiseKey is the KeyError of a dict.
func (t *Thread) raiseKey(d *Dict, key Value) *Exception {
	if d.Guard != nil {
		if x := d.Guard.MissingKey(t, d, key); x != nil {
			return x
		}
	}
	return NewException(KeyError, key)
}

// classItem is C[x]: a generic alias, which behaves as the class.
func (t *Thread) classItem(c *Class, key Value) (Value, *Exception) {
	if c.Meta != nil && c.Meta.GetItem != nil {
		return c.Meta.GetItem(t, c.Value(), key)
	}
	if f, ok := c.Lookup("__class_getitem__"); ok {
		if m, isClassMethod := f.Native().(*ClassMethod); isClassMethod {
			f = m.Fn
		}
		return t.Call(f, c.Value(), key)
	}
	switch c {
	case ListClass, DictClass, TupleClass, SetClass, FrozenSetClass, TypeClass:
		return t.alias(c, key)
	}
	if c.Heap && (c.Detail != nil || c.generic()) {
		return c.Value(), nil
	}
	return Value{}, t.RaiseType("type '%s' is not subscriptable", c.Name)
}

// generic reports whether a class or one of its bases has type parameters.
func (c *Class) generic() bool {
	for _, k := range c.MRO {
		if k.Generic {
			return true
		}
	}
	return false
}

// SetItem is v[key] = x.
func (t *Thread) SetItem(v, key, val Value) *Exception {
	switch v.Kind() {
	case KindDict:
		return v.o.self.(*Dict).Set(t, key, val)
	case KindList:
		return t.setListItem(v.o.self.(*List), key, val)
	}
	c := v.Class()
	if c.slots.SetItem == nil {
		return t.RaiseType("'%s' object does not support item assignment", c.Name)
	}
	if x := t.Enter(); x != nil {
		t.Leave()
		return x
	}
	x := c.slots.SetItem(t, v, key, val)
	t.Leave()
	return x
}

func (t *Thread) setListItem(l *List, key, val Value) *Exception {
	if s, ok := key.AsSlice(); ok {
		return t.setSlice(l, s, val)
	}
	i, x := t.index(key, len(l.items), "list")
	if x != nil {
		return x
	}
	if i < 0 {
		return t.Raise(IndexError, "list assignment index out of range")
	}
	l.items[i] = val
	return nil
}

// setSlice is l[a:b:c] = iterable.
func (t *Thread) setSlice(l *List, s *Slice, val Value) *Exception {
	if s.Step.IsNone() || s.Step == Int(1) {
		if !iterable(val) {
			return t.RaiseType("can only assign an iterable")
		}
		items, x := t.Items(val)
		if x != nil {
			return x
		}
		start, stop, _, _, x := s.Indices(t, len(l.items))
		if x != nil {
			return x
		}
		return t.splice(l, start, max(start, stop), items)
	}
	if !iterable(val) {
		return t.RaiseType("must assign iterable to extended slice")
	}
	items, x := t.Items(val)
	if x != nil {
		return x
	}
	start, _, step, n, x := s.Indices(t, len(l.items))
	if x != nil {
		return x
	}
	if len(items) != n {
		return t.RaiseValue("attempt to assign sequence of size %d to extended slice of size %d", len(items), n)
	}
	for i, v := range items {
		l.items[start+i*step] = v
	}
	return nil
}

func iterable(v Value) bool {
	switch v.Kind() {
	case KindStr, KindBytes, KindTuple, KindList, KindDict, KindSet, KindFrozenSet, KindRange:
		return true
	case KindClass:
		if m := v.o.self.(*Class).Meta; m != nil && m.Iter != nil {
			return true
		}
	}
	s := &v.Class().slots
	return s.Iter != nil || s.GetItem != nil && v.Class().Heap
}

// splice replaces the items from start to stop.
func (t *Thread) splice(l *List, start, stop int, items []Value) *Exception {
	grown := len(l.items) - (stop - start) + len(items)
	if x := t.Charge(int64(len(l.items)-stop) >> 4); x != nil {
		return x
	}
	if grown > cap(l.items) {
		if x := l.grow(t, grown-len(l.items)); x != nil {
			return x
		}
	}
	old := len(l.items)
	tail := l.items[stop:]
	if grown >= old {
		l.items = l.items[:grown]
		copy(l.items[start+len(items):], tail)
	} else {
		copy(l.items[start+len(items):], tail)
		clear(l.items[grown:])
		l.items = l.items[:grown]
	}
	copy(l.items[start:], items)
	return nil
}

// DelItem is del v[key].
func (t *Thread) DelItem(v, key Value) *Exception {
	switch v.Kind() {
	case KindDict:
		d := v.o.self.(*Dict)
		_, ok, x := d.Delete(t, key)
		if x == nil && !ok {
			x = NewException(KeyError, key)
		}
		return x
	case KindList:
		return t.delListItem(v.o.self.(*List), key)
	}
	c := v.Class()
	if c.slots.DelItem == nil {
		return t.RaiseType("'%s' object doesn't support item deletion", c.Name)
	}
	return c.slots.DelItem(t, v, key)
}

func (t *Thread) delListItem(l *List, key Value) *Exception {
	s, ok := key.AsSlice()
	if !ok {
		i, x := t.index(key, len(l.items), "list")
		if x != nil {
			return x
		}
		if i < 0 {
			return t.Raise(IndexError, "list assignment index out of range")
		}
		return t.splice(l, i, i+1, nil)
	}
	start, stop, step, n, x := s.Indices(t, len(l.items))
	if x != nil || n == 0 {
		return x
	}
	if step == 1 {
		return t.splice(l, start, stop, nil)
	}
	if step < 0 {
		start, step = start+(n-1)*step, -step
	}
	if x := t.Charge(int64(len(l.items)) >> 3); x != nil {
		return x
	}
	kept := l.items[:start]
	for i := start; i < len(l.items); i++ {
		if (i-start)%step == 0 && (i-start)/step < n {
			continue
		}
		kept = append(kept, l.items[i])
	}
	clear(l.items[len(kept):])
	l.items = kept
	return nil
}

// Contains is x in v.
func (t *Thread) Contains(v, w Value) (bool, *Exception) {
	switch v.Kind() {
	case KindDict:
		_, ok, x := v.o.self.(*Dict).Get(t, w)
		return ok, x
	case KindSet, KindFrozenSet:
		return v.o.self.(*Set).contains(t, w)
	case KindStr:
		return t.strContains(v.o.self.(*Str), w)
	case KindRange:
		if n, ok := w.integral(); ok {
			return v.o.self.(*Range).find(n) >= 0, nil
		}
	case KindBytes:
		return t.bytesContains(v.o.self.(*Bytes), w)
	case KindList, KindTuple:
		return t.containsItem(v, w)
	case KindClass:
		if m := v.o.self.(*Class).Meta; m != nil && m.Contains != nil {
			return m.Contains(t, v, w)
		}
	}
	if c := v.Class(); c.slots.Contains != nil && !plain(v) {
		return c.slots.Contains(t, v, w)
	}
	return t.search(v, w)
}

func (t *Thread) containsItem(v, w Value) (bool, *Exception) {
	for i := 0; ; i++ {
		items, _ := sequenceExact(v)
		if i >= len(items) {
			return false, nil
		}
		if i&7 == 7 {
			if x := t.Charge(1); x != nil {
				return false, x
			}
		}
		if eq, x := t.Equal(items[i], w); eq || x != nil {
			return eq, x
		}
	}
}

// search looks for a value by iterating.
func (t *Thread) search(v, w Value) (bool, *Exception) {
	if !iterable(v) && v.Class().slots.Next == nil {
		if m, ok := v.AsClass(); !ok || m.Meta == nil || m.Meta.Iter == nil {
			return false, t.RaiseType("argument of type '%s' is not iterable", v.Class().Name)
		}
	}
	found := false
	x := t.Each(v, func(e Value) (bool, *Exception) {
		eq, x := t.Equal(e, w)
		found = eq
		return eq, x
	})
	return found, x
}

// Len is len(v).
func (t *Thread) Len(v Value) (int, *Exception) {
	switch v.Kind() {
	case KindStr:
		return v.o.self.(*Str).Len(), nil
	case KindList:
		return len(v.o.self.(*List).items), nil
	case KindTuple:
		return len(v.o.self.(*Tuple).items), nil
	case KindDict:
		return v.o.self.(*Dict).used, nil
	case KindSet, KindFrozenSet:
		return v.o.self.(*Set).d.used, nil
	case KindBytes:
		return len(v.o.self.(*Bytes).s), nil
	case KindRange:
		return int(v.o.self.(*Range).n), nil
	case KindClass:
		if m := v.o.self.(*Class).Meta; m != nil && m.Len != nil {
			return m.Len(t, v)
		}
	}
	c := v.Class()
	if c.slots.Len == nil {
		return 0, t.RaiseType("object of type '%s' has no len()", c.Name)
	}
	return c.slots.Len(t, v)
}
