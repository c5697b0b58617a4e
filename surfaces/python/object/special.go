package object

// slotMethod gives a special method of a class written in Go as a function, for
// super().__init__() and the like. It is made anew each time: such classes never
// change.
func slotMethod(c *Class, name string) (Value, bool) {
	fn := slotFunc(c, name)
	if fn == nil {
		return Value{}, false
	}
	b := NewRaw(name, fn)
	b.Method, b.Owner = true, c
	if name == "__new__" {
		b.Method, b.Owner = false, nil
		return Box(&StaticMethod{Fn: b.Value()}), true
	}
	return b.Value(), true
}

func slotFunc(c *Class, name string) RawFunc {
	s := &c.Own
	switch name {
	case "__init__":
		return initFunc(c)
	case "__new__":
		if c.New == nil {
			return nil
		}
		return func(t *Thread, a []Value, names []string) (Value, *Exception) {
			if len(a) == 0 {
				return Value{}, t.RaiseType("%s.__new__(): not enough arguments", c.Name)
			}
			cls, ok := a[0].AsClass()
			if !ok {
				return Value{}, t.RaiseType("%s.__new__(X): X is not a type object (%s)", c.Name, a[0].Class().Name)
			}
			if !cls.IsSubclass(c) {
				return Value{}, t.RaiseType("%s.__new__(%s): %s is not a subtype of %s", c.Name, cls.Name, cls.Name, c.Name)
			}
			if c == Object {
				if cls.Heap {
					return t.NewInstance(cls)
				}
				return Object.New(t, cls, a[1:], names)
			}
			return c.New(t, cls, a[1:], names)
		}
	case "__repr__":
		return textOf(s.Repr, func(t *Thread, v Value) (string, *Exception) { return s.Repr(t, v) })
	case "__str__":
		if c == Object {
			return giveText(func(t *Thread, v Value) (string, *Exception) { return t.Repr(v) })
		}
		return textOf(s.Str, s.Str)
	case "__format__":
		if s.Format == nil {
			return nil
		}
		return fixed("__format__", 1, func(t *Thread, a []Value) (Value, *Exception) {
			spec, ok := StrOf(a[1])
			if !ok {
				return Value{}, t.RaiseType("__format__() argument must be str, not %s", a[1].Class().Name)
			}
			out, x := s.Format(t, a[0], spec.s)
			if x != nil {
				return Value{}, x
			}
			return t.Text(out)
		})
	case "__hash__":
		if s.Hash == nil {
			return nil
		}
		return fixed(name, 0, func(t *Thread, a []Value) (Value, *Exception) {
			h, x := s.Hash(t, a[0])
			return Int(int64(h)), x
		})
	case "__bool__":
		if s.Bool == nil {
			return nil
		}
		return fixed(name, 0, func(t *Thread, a []Value) (Value, *Exception) {
			b, x := s.Bool(t, a[0])
			return Bool(b), x
		})
	case "__len__":
		if s.Len == nil {
			return nil
		}
		return fixed(name, 0, func(t *Thread, a []Value) (Value, *Exception) {
			n, x := s.Len(t, a[0])
			return Int(int64(n)), x
		})
	case "__getitem__":
		if s.GetItem == nil {
			return nil
		}
		return fixed(name, 1, func(t *Thread, a []Value) (Value, *Exception) { return s.GetItem(t, a[0], a[1]) })
	case "__setitem__":
		if s.SetItem == nil {
			return nil
		}
		return fixed(name, 2, func(t *Thread, a []Value) (Value, *Exception) { return None, s.SetItem(t, a[0], a[1], a[2]) })
	case "__delitem__":
		if s.DelItem == nil {
			return nil
		}
		return fixed(name, 1, func(t *Thread, a []Value) (Value, *Exception) { return None, s.DelItem(t, a[0], a[1]) })
	case "__contains__":
		if s.Contains == nil {
			return nil
		}
		return fixed(name, 1, func(t *Thread, a []Value) (Value, *Exception) {
			b, x := s.Contains(t, a[0], a[1])
			return Bool(b), x
		})
	case "__iter__", "__reversed__":
		f := s.Iter
		if name == "__reversed__" {
			f = s.Reversed
		}
		if f == nil {
			return nil
		}
		return fixed(name, 0, func(t *Thread, a []Value) (Value, *Exception) {
			it, x := f(t, a[0])
			if x != nil {
				return Value{}, x
			}
			return IterValue(it), nil
		})
	case "__next__":
		if s.Next == nil {
			return nil
		}
		return fixed(name, 0, func(t *Thread, a []Value) (Value, *Exception) {
			v, x := s.Next(t, a[0])
			if x == nil && !v.IsSet() {
				x = t.stopIteration(a[0])
			}
			return v, x
		})
	case "__call__":
		if s.Call == nil {
			return nil
		}
		return func(t *Thread, a []Value, names []string) (Value, *Exception) { return s.Call(t, a[0], a[1:], names) }
	case "__enter__":
		if s.Enter == nil {
			return nil
		}
		return fixed(name, 0, func(t *Thread, a []Value) (Value, *Exception) { return s.Enter(t, a[0]) })
	case "__exit__":
		if s.Exit == nil {
			return nil
		}
		return fixed(name, 3, func(t *Thread, a []Value) (Value, *Exception) {
			x, _ := a[2].Exception()
			b, y := s.Exit(t, a[0], x)
			return Bool(b), y
		})
	case "__index__":
		return unary(s.Index)
	case "__int__":
		return unary(s.ToInt)
	case "__float__":
		return unary(s.ToFloat)
	case "__round__":
		if s.Round == nil {
			return nil
		}
		return func(t *Thread, a []Value, _ []string) (Value, *Exception) { return s.Round(t, a[0], Arg(a, 1)) }
	case "__setattr__", "__delattr__", "__getattribute__":
		return attributeFunc(c, name)
	}
	return operatorFunc(s, name)
}

func textOf(present func(*Thread, Value) (string, *Exception), f func(*Thread, Value) (string, *Exception)) RawFunc {
	if present == nil {
		return nil
	}
	return giveText(f)
}

func giveText(f func(*Thread, Value) (string, *Exception)) RawFunc {
	return fixed("", 0, func(t *Thread, a []Value) (Value, *Exception) {
		out, x := f(t, a[0])
		if x != nil {
			return Value{}, x
		}
		return t.Text(out)
	})
}

func unary(f func(*Thread, Value) (Value, *Exception)) RawFunc {
	if f == nil {
		return nil
	}
	return fixed("", 0, func(t *Thread, a []Value) (Value, *Exception) { return f(t, a[0]) })
}

// fixed takes exactly n arguments beside self.
func fixed(_ string, n int, fn NativeFunc) RawFunc {
	return func(t *Thread, a []Value, names []string) (Value, *Exception) {
		if len(names) > 0 {
			return Value{}, t.RaiseType("wrapper takes no keyword arguments")
		}
		if len(a) != n+1 {
			return Value{}, t.RaiseType("expected %d argument%s, got %d", n, plural(n), len(a)-1)
		}
		return fn(t, a)
	}
}

func initFunc(c *Class) RawFunc {
	switch {
	case c == Object:
		return func(t *Thread, a []Value, _ []string) (Value, *Exception) {
			if len(a) > 1 {
				k := a[0].Class()
				if _, custom := k.userNew(); !custom || true {
					return Value{}, t.RaiseType("object.__init__() takes exactly one argument (the instance to initialize)")
				}
			}
			return None, nil
		}
	case c.IsSubclass(BaseException):
		return func(t *Thread, a []Value, names []string) (Value, *Exception) {
			x, _ := a[0].Exception()
			pos := a[1 : len(a)-len(names)]
			x.Args = append([]Value(nil), pos...)
			return None, nil
		}
	case c.Init != nil:
		return func(t *Thread, a []Value, names []string) (Value, *Exception) {
			return None, c.Init(t, a[0], a[1:], names)
		}
	case c.New != nil && c.layout == c:
		// Immutable built-in values are complete when they are made.
		return func(*Thread, []Value, []string) (Value, *Exception) { return None, nil }
	}
	return nil
}

func attributeFunc(c *Class, name string) RawFunc {
	if c != Object {
		return nil
	}
	nameOf := func(t *Thread, v Value) (string, *Exception) {
		s, ok := StrOf(v)
		if !ok {
			return "", t.RaiseType("attribute name must be string, not '%s'", v.Class().Name)
		}
		if blocked(s.s) || s.s == "__class__" {
			return "", t.raiseGate(s.s)
		}
		return s.s, nil
	}
	switch name {
	case "__setattr__":
		return fixed(name, 2, func(t *Thread, a []Value) (Value, *Exception) {
			n, x := nameOf(t, a[1])
			if x != nil {
				return Value{}, x
			}
			if i, ok := a[0].Instance(); ok {
				return None, t.setOwnAttr(a[0], i, n, a[2])
			}
			return None, t.SetAttr(a[0], n, a[2])
		})
	case "__delattr__":
		return fixed(name, 1, func(t *Thread, a []Value) (Value, *Exception) {
			n, x := nameOf(t, a[1])
			if x != nil {
				return Value{}, x
			}
			if i, ok := a[0].Instance(); ok {
				return None, t.setOwnAttr(a[0], i, n, Value{})
			}
			return None, t.SetAttr(a[0], n, Value{})
		})
	}
	return nil
}

// operatorFunc gives the methods of operators and comparisons.
func operatorFunc(s *Slots, name string) RawFunc {
	if s.Compare != nil {
		for op, n := range cmpNames {
			if n == name {
				return fixed(name, 1, func(t *Thread, a []Value) (Value, *Exception) { return s.Compare(t, Cmp(op), a[0], a[1]) })
			}
		}
	}
	if s.Unary != nil {
		for op, n := range unaryNames {
			if n == name {
				return fixed(name, 0, func(t *Thread, a []Value) (Value, *Exception) { return s.Unary(t, Unary(op), a[0]) })
			}
		}
	}
	for op := range opNames {
		switch {
		case s.Binary != nil && forwardNames[op] == name:
			return fixed(name, 1, func(t *Thread, a []Value) (Value, *Exception) { return s.Binary(t, Op(op), a[0], a[1], false) })
		case s.Binary != nil && reflectedNames[op] == name:
			return fixed(name, 1, func(t *Thread, a []Value) (Value, *Exception) { return s.Binary(t, Op(op), a[0], a[1], true) })
		case s.InPlace != nil && inPlaceNames[op] == name:
			return fixed(name, 1, func(t *Thread, a []Value) (Value, *Exception) { return s.InPlace(t, Op(op), a[0], a[1]) })
		}
	}
	return nil
}

// stopIteration is what next() raises when an iterator has ended.
func (t *Thread) stopIteration(v Value) *Exception {
	if g, ok := v.Native().(*Generator); ok {
		return g.stop()
	}
	return NewException(StopIteration)
}
