package object

import "slices"

// The builtins that reach attributes by name, through the same gate as the dot.

func setupAttributes() {
	f("getattr", "object name default? /", func(t *Thread, a []Value) (Value, *Exception) {
		name, x := t.attrName(a[1])
		if x != nil {
			return Value{}, x
		}
		v, ok, x := t.FindAttr(a[0], name)
		if ok {
			return v, nil
		}
		if x != nil && (!x.Is(AttributeError) || blocked(name)) {
			return Value{}, x
		}
		if d := Arg(a, 2); d.IsSet() {
			return d, nil
		}
		if x == nil {
			x = t.raiseNoAttr(a[0], name)
		}
		return Value{}, x
	})
	f("hasattr", "object name /", func(t *Thread, a []Value) (Value, *Exception) {
		name, x := t.attrName(a[1])
		if x != nil {
			return Value{}, x
		}
		if blocked(name) {
			return False, nil
		}
		_, ok, x := t.FindAttr(a[0], name)
		if x != nil && x.Is(AttributeError) {
			return False, nil
		}
		return Bool(ok), x
	})
	f("setattr", "object name value /", func(t *Thread, a []Value) (Value, *Exception) {
		name, x := t.attrName(a[1])
		if x != nil {
			return Value{}, x
		}
		return None, t.SetAttr(a[0], name, a[2])
	})
	f("delattr", "object name /", func(t *Thread, a []Value) (Value, *Exception) {
		name, x := t.attrName(a[1])
		if x != nil {
			return Value{}, x
		}
		return None, t.SetAttr(a[0], name, Value{})
	})
	f("vars", "object? /", func(t *Thread, a []Value) (Value, *Exception) {
		v := Arg(a, 0)
		if !v.IsSet() {
			return Value{}, t.RaiseRefused("locals")
		}
		if i, ok := v.Instance(); ok && i.Cls.Slotted == nil {
			return i.attrs().Value(), nil
		}
		if x, ok := v.Exception(); ok {
			if x.Attrs == nil {
				x.Attrs = newDict()
			}
			return x.Attrs.Value(), nil
		}
		return Value{}, t.RaiseType("vars() argument must have __dict__ attribute")
	})
	f("dir", "object? /", func(t *Thread, a []Value) (Value, *Exception) {
		v := Arg(a, 0)
		if !v.IsSet() {
			return Value{}, t.RaiseRefused("locals")
		}
		return t.dir(v)
	})
}

func (t *Thread) attrName(v Value) (string, *Exception) {
	s, ok := StrOf(v)
	if !ok {
		return "", t.RaiseType("attribute name must be string, not '%s'", v.Class().Name)
	}
	return s.s, nil
}

// dir lists the attributes that a program can reach: CPython's list without the
// special names that every object has.
func (t *Thread) dir(v Value) (Value, *Exception) {
	var names []string
	add := func(n string) {
		if !blocked(n) {
			names = append(names, n)
		}
	}
	addClass := func(c *Class) {
		for _, k := range c.MRO {
			for _, n := range k.Attrs.names {
				add(n)
			}
		}
	}
	switch v.Kind() {
	case KindModule:
		for _, n := range v.o.self.(*Module).Attrs.names {
			add(n)
		}
	case KindClass:
		addClass(v.o.self.(*Class))
	default:
		addClass(v.Class())
		if i, ok := v.Instance(); ok && i.Attrs != nil {
			for _, e := range i.Attrs.entries {
				if s, ok := StrOf(e.key); ok {
					add(s.s)
				}
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return t.pieces(names)
}
