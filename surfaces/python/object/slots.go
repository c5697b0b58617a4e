package object

import "slices"

// resolve fills the slots of a class from its method order: a slot comes from the
// first class that has it, be it written in Go or, as special methods, by a
// program.
func (c *Class) resolve() {
	c.Version++
	c.slots = Slots{}
	s := &c.slots
	pick(c, &s.Repr, func(k *Slots) bool { return k.Repr != nil }, func(k *Slots) { s.Repr = k.Repr }, userRepr, "__repr__")
	pick(c, &s.Str, func(k *Slots) bool { return k.Str != nil }, func(k *Slots) { s.Str = k.Str }, userStr, "__str__")
	pick(c, &s.Format, func(k *Slots) bool { return k.Format != nil }, func(k *Slots) { s.Format = k.Format }, userFormat, "__format__")
	pick(c, &s.Bool, func(k *Slots) bool { return k.Bool != nil }, func(k *Slots) { s.Bool = k.Bool }, userBool, "__bool__")
	pick(c, &s.Len, func(k *Slots) bool { return k.Len != nil }, func(k *Slots) { s.Len = k.Len }, userLen, "__len__")
	pick(c, &s.Compare, func(k *Slots) bool { return k.Compare != nil }, func(k *Slots) { s.Compare = k.Compare }, userCompare, cmpNames[:]...)
	pick(c, &s.Binary, func(k *Slots) bool { return k.Binary != nil }, func(k *Slots) { s.Binary = k.Binary }, userBinary, binaryDunders...)
	pick(c, &s.InPlace, func(k *Slots) bool { return k.InPlace != nil }, func(k *Slots) { s.InPlace = k.InPlace }, userInPlace, inPlaceDunders...)
	pick(c, &s.Unary, func(k *Slots) bool { return k.Unary != nil }, func(k *Slots) { s.Unary = k.Unary }, userUnary, unaryNames[:]...)
	pick(c, &s.GetItem, func(k *Slots) bool { return k.GetItem != nil }, func(k *Slots) { s.GetItem = k.GetItem }, userGetItem, "__getitem__")
	pick(c, &s.SetItem, func(k *Slots) bool { return k.SetItem != nil }, func(k *Slots) { s.SetItem = k.SetItem }, userSetItem, "__setitem__")
	pick(c, &s.DelItem, func(k *Slots) bool { return k.DelItem != nil }, func(k *Slots) { s.DelItem = k.DelItem }, userDelItem, "__delitem__")
	pick(c, &s.Contains, func(k *Slots) bool { return k.Contains != nil }, func(k *Slots) { s.Contains = k.Contains }, userContains, "__contains__")
	pick(c, &s.Iter, func(k *Slots) bool { return k.Iter != nil }, func(k *Slots) { s.Iter = k.Iter }, userIter, "__iter__")
	pick(c, &s.Next, func(k *Slots) bool { return k.Next != nil }, func(k *Slots) { s.Next = k.Next }, userNext, "__next__")
	pick(c, &s.Reversed, func(k *Slots) bool { return k.Reversed != nil }, func(k *Slots) { s.Reversed = k.Reversed }, userReversed, "__reversed__")
	pick(c, &s.Call, func(k *Slots) bool { return k.Call != nil }, func(k *Slots) { s.Call = k.Call }, userCall, "__call__")
	pick(c, &s.GetAttr, func(k *Slots) bool { return k.GetAttr != nil }, func(k *Slots) { s.GetAttr = k.GetAttr }, nil)
	pick(c, &s.SetAttr, func(k *Slots) bool { return k.SetAttr != nil }, func(k *Slots) { s.SetAttr = k.SetAttr }, nil)
	pick(c, &s.Children, func(k *Slots) bool { return k.Children != nil }, func(k *Slots) { s.Children = k.Children }, nil)
	pick(c, &s.Index, func(k *Slots) bool { return k.Index != nil }, func(k *Slots) { s.Index = k.Index }, userIndex, "__index__")
	pick(c, &s.ToInt, func(k *Slots) bool { return k.ToInt != nil }, func(k *Slots) { s.ToInt = k.ToInt }, userToInt, "__int__")
	pick(c, &s.ToFloat, func(k *Slots) bool { return k.ToFloat != nil }, func(k *Slots) { s.ToFloat = k.ToFloat }, userToFloat, "__float__")
	pick(c, &s.Round, func(k *Slots) bool { return k.Round != nil }, func(k *Slots) { s.Round = k.Round }, userRound, "__round__")
	pick(c, &s.Enter, func(k *Slots) bool { return k.Enter != nil }, func(k *Slots) { s.Enter = k.Enter }, userEnter, "__enter__")
	pick(c, &s.Exit, func(k *Slots) bool { return k.Exit != nil }, func(k *Slots) { s.Exit = k.Exit }, userExit, "__exit__")
	c.resolveHash()
	c.user = dunders{
		getattribute: c.defines("__getattribute__"),
		getattr:      c.defines("__getattr__"),
		setattr:      c.defines("__setattr__"),
		delattr:      c.defines("__delattr__"),
	}
	for _, k := range c.MRO {
		if k.Meta != nil && c.Meta == nil {
			c.Meta = k.Meta
		}
		if k.Build != nil && c.Build == nil {
			c.Build = k.Build
		}
		if k.Prepare != nil && c.Prepare == nil {
			c.Prepare = k.Prepare
		}
		if k.New != nil && c.New == nil && k != Object {
			c.New = k.New
		}
		if k.Init != nil && c.Init == nil {
			c.Init = k.Init
		}
	}
	c.madeBy, _ = c.userNew()
	c.filledBy, _ = c.userInit()
}

// pick finds one slot along the method order.
func pick[F any](c *Class, slot *F, has func(*Slots) bool, take func(*Slots), user F, names ...string) {
	for _, k := range c.MRO {
		if k.Heap {
			for _, n := range names {
				if v, ok := k.Attrs.values[n]; ok {
					if v.IsNone() && len(names) == 1 {
						return // __iter__ = None and the like: not supported
					}
					*slot = user
					return
				}
			}
		} else if has(&k.Own) {
			take(&k.Own)
			return
		}
	}
}

// resolveHash follows the rule that a class which defines __eq__ and not __hash__
// has no hash.
func (c *Class) resolveHash() {
	for _, k := range c.MRO {
		if k.Heap {
			if v, ok := k.Attrs.values["__hash__"]; ok {
				if !v.IsNone() {
					c.slots.Hash = userHash
				} else {
					c.slots.Hash = unhashable
				}
				return
			}
			if _, ok := k.Attrs.values["__eq__"]; ok {
				c.slots.Hash = unhashable
				return
			}
		} else if k.Own.Hash != nil {
			c.slots.Hash = k.Own.Hash
			return
		}
	}
}

func unhashable(t *Thread, v Value) (uint64, *Exception) {
	return 0, t.RaiseType("unhashable type: '%s'", t.ClassOf(v).Name)
}

var binaryDunders, inPlaceDunders []string

var reflectedNames, inPlaceNames, forwardNames [len(opNames)]string

func init() {
	for i, n := range opNames {
		forwardNames[i] = "__" + n + "__"
		reflectedNames[i] = "__r" + n + "__"
		inPlaceNames[i] = "__i" + n + "__"
		binaryDunders = append(binaryDunders, forwardNames[i], reflectedNames[i])
		inPlaceDunders = append(inPlaceDunders, inPlaceNames[i])
	}
}

// special finds a special method on the class of a value.
func (t *Thread) special(v Value, name string) (Value, bool) {
	f, ok := t.ClassOf(v).Lookup(name)
	if !ok || f.IsNone() {
		return Value{}, false
	}
	return f, true
}

// CallSpecial calls a special method of a value's class; ok is false where there
// is none.
func (t *Thread) CallSpecial(v Value, name string, args ...Value) (r Value, ok bool, raised *Exception) {
	f, ok := t.special(v, name)
	if !ok {
		return Value{}, false, nil
	}
	r, raised = t.callBound(f, v, args...)
	return r, true, raised
}

// callBound calls what was found on a class for an instance.
func (t *Thread) callBound(f, self Value, args ...Value) (Value, *Exception) {
	switch f.Kind() {
	case KindFunction:
		return t.Call(f, append([]Value{self}, args...)...)
	case KindBuiltin:
		if b, _ := f.Builtin(); b.Method {
			return t.Call(f, append([]Value{self}, args...)...)
		}
		return t.Call(f, args...)
	}
	b, x := t.bind(f, self, t.ClassOf(self))
	if x != nil {
		return Value{}, x
	}
	return t.Call(b, args...)
}

func userRepr(t *Thread, v Value) (string, *Exception) { return t.specialText(v, "__repr__") }

func userStr(t *Thread, v Value) (string, *Exception) { return t.specialText(v, "__str__") }

// userStrByRepr is object.__str__: what __repr__ gives, under the name of __str__.
func userStrByRepr(t *Thread, v Value) (string, *Exception) {
	r, _, x := t.CallSpecial(v, "__repr__")
	if x != nil {
		return "", x
	}
	s, ok := StrOf(r)
	if !ok {
		return "", t.RaiseType("__str__ returned non-string (type %s)", r.Class().Name)
	}
	return s.s, nil
}

// specialText calls a method that must give a string.
func (t *Thread) specialText(v Value, name string, args ...Value) (string, *Exception) {
	r, _, x := t.CallSpecial(v, name, args...)
	if x != nil {
		return "", x
	}
	s, ok := StrOf(r)
	if !ok {
		if name == "__format__" {
			return "", t.RaiseType("__format__ must return a str, not %s", t.ClassOf(r).Name)
		}
		return "", t.RaiseType("%s returned non-string (type %s)", name, t.ClassOf(r).Name)
	}
	return s.s, nil
}

func userFormat(t *Thread, v Value, spec string) (string, *Exception) {
	return t.specialText(v, "__format__", NewStr(spec))
}

func userBool(t *Thread, v Value) (bool, *Exception) {
	r, _, x := t.CallSpecial(v, "__bool__")
	if x != nil {
		return false, x
	}
	b, ok := r.Bool()
	if !ok {
		return false, t.RaiseType("__bool__ should return bool, returned %s", t.ClassOf(r).Name)
	}
	return b, nil
}

func userLen(t *Thread, v Value) (int, *Exception) {
	r, _, x := t.CallSpecial(v, "__len__")
	if x != nil {
		return 0, x
	}
	n, x := t.Index(r)
	if x != nil {
		return 0, t.RaiseType("'%s' object cannot be interpreted as an integer", t.ClassOf(r).Name)
	}
	i, ok := n.Int()
	if !ok {
		return 0, t.Raise(OverflowError, "cannot fit 'int' into an index-sized integer")
	}
	if i < 0 {
		return 0, t.RaiseValue("__len__() should return >= 0")
	}
	return int(i), nil
}

func userCompare(t *Thread, op Cmp, v, w Value) (Value, *Exception) {
	f, ok := t.special(v, cmpNames[op])
	if !ok {
		if op != Ne {
			return NotImplemented, nil
		}
	}
	if op == Ne && !t.ClassOf(v).defines("__ne__") && t.ClassOf(v).defines("__eq__") {
		// object.__ne__ inverts __eq__.
		r, _, x := t.CallSpecial(v, "__eq__", w)
		if x != nil || r == NotImplemented {
			return r, x
		}
		b, x := t.Truth(r)
		return Bool(!b), x
	}
	if !ok {
		return NotImplemented, nil
	}
	return t.callBound(f, v, w)
}

func userBinary(t *Thread, op Op, v, w Value, swapped bool) (Value, *Exception) {
	name := forwardNames[op]
	if swapped {
		name = reflectedNames[op]
	}
	r, ok, x := t.CallSpecial(v, name, w)
	if !ok && x == nil {
		return NotImplemented, nil
	}
	return r, x
}

func userInPlace(t *Thread, op Op, v, w Value) (Value, *Exception) {
	r, ok, x := t.CallSpecial(v, inPlaceNames[op], w)
	if !ok && x == nil {
		return NotImplemented, nil
	}
	return r, x
}

func userUnary(t *Thread, op Unary, v Value) (Value, *Exception) {
	r, ok, x := t.CallSpecial(v, unaryNames[op])
	if !ok && x == nil {
		return NotImplemented, nil
	}
	return r, x
}

func userGetItem(t *Thread, v, key Value) (Value, *Exception) {
	r, _, x := t.CallSpecial(v, "__getitem__", key)
	return r, x
}

func userSetItem(t *Thread, v, key, value Value) *Exception {
	_, _, x := t.CallSpecial(v, "__setitem__", key, value)
	return x
}

func userDelItem(t *Thread, v, key Value) *Exception {
	_, _, x := t.CallSpecial(v, "__delitem__", key)
	return x
}

func userContains(t *Thread, v, w Value) (bool, *Exception) {
	r, _, x := t.CallSpecial(v, "__contains__", w)
	if x != nil {
		return false, x
	}
	return t.Truth(r)
}

func userIter(t *Thread, v Value) (Iterator, *Exception) {
	r, _, x := t.CallSpecial(v, "__iter__")
	if x != nil {
		return nil, x
	}
	if it, ok := asIterator(t, r); ok {
		return it, nil
	}
	return nil, t.RaiseType("iter() returned non-iterator of type '%s'", t.ClassOf(r).Name)
}

func userReversed(t *Thread, v Value) (Iterator, *Exception) {
	r, _, x := t.CallSpecial(v, "__reversed__")
	if x != nil {
		return nil, x
	}
	return t.Iter(r)
}

func userNext(t *Thread, v Value) (Value, *Exception) {
	r, _, x := t.CallSpecial(v, "__next__")
	if x != nil && x.Is(StopIteration) {
		return Value{}, nil
	}
	return r, x
}

func userCall(t *Thread, v Value, args []Value, names []string) (Value, *Exception) {
	f, ok := t.special(v, "__call__")
	if !ok {
		return Value{}, t.RaiseType("'%s' object is not callable", t.ClassOf(v).Name)
	}
	return t.CallNames(f, slices.Concat([]Value{v}, args), names)
}

func userHash(t *Thread, v Value) (uint64, *Exception) {
	r, _, x := t.CallSpecial(v, "__hash__")
	if x != nil {
		return 0, x
	}
	switch r.Base().Kind() {
	case KindInt, KindBool, KindBig:
		return t.Hash(r.Base())
	}
	return 0, t.RaiseType("__hash__ method should return an integer")
}

func userIndex(t *Thread, v Value) (Value, *Exception) {
	r, _, x := t.CallSpecial(v, "__index__")
	if x != nil {
		return r, x
	}
	return t.wantInt(r, "__index__")
}

func userToInt(t *Thread, v Value) (Value, *Exception) {
	r, _, x := t.CallSpecial(v, "__int__")
	if x != nil {
		return r, x
	}
	return t.wantInt(r, "__int__")
}

func (t *Thread) wantInt(r Value, name string) (Value, *Exception) {
	switch b := r.Base(); b.Kind() {
	case KindInt, KindBig:
		return b, nil
	case KindBool:
		return Int(int64(b.n)), nil
	}
	return Value{}, t.RaiseType("%s returned non-int (type %s)", name, t.ClassOf(r).Name)
}

func userToFloat(t *Thread, v Value) (Value, *Exception) {
	r, _, x := t.CallSpecial(v, "__float__")
	if x != nil {
		return r, x
	}
	if b := r.Base(); b.Kind() == KindFloat {
		return b, nil
	}
	return Value{}, t.RaiseType("%s.__float__ returned non-float (type %s)", t.ClassOf(v).Name, t.ClassOf(r).Name)
}

func userRound(t *Thread, v Value, digits Value) (Value, *Exception) {
	if !digits.IsSet() {
		r, _, x := t.CallSpecial(v, "__round__")
		return r, x
	}
	r, _, x := t.CallSpecial(v, "__round__", digits)
	return r, x
}

func userEnter(t *Thread, v Value) (Value, *Exception) {
	r, _, x := t.CallSpecial(v, "__enter__")
	return r, x
}

func userExit(t *Thread, v Value, exc *Exception) (bool, *Exception) {
	args := []Value{None, None, None}
	if exc != nil {
		args = []Value{exc.Cls.Value(), exc.Value(), None}
	}
	r, _, x := t.CallSpecial(v, "__exit__", args...)
	if x != nil || exc == nil {
		return false, x
	}
	return t.Truth(r)
}
