package object

// The builtins that go through iterables and numbers.

func setupFolds() {
	f("sorted", "iterable / * key? reverse?", func(t *Thread, a []Value) (Value, *Exception) {
		return t.sorted(a[0], Arg(a, 1), Arg(a, 2))
	})
	f("sum", "iterable / start?", func(t *Thread, a []Value) (Value, *Exception) { return t.sum(a[0], Arg(a, 1)) })
	builtins.Set("min", NewRaw("min", func(t *Thread, a []Value, names []string) (Value, *Exception) {
		return t.extreme("min", Lt, a, names)
	}).Value())
	builtins.Set("max", NewRaw("max", func(t *Thread, a []Value, names []string) (Value, *Exception) {
		return t.extreme("max", Gt, a, names)
	}).Value())
	any := func(name string, stop bool) {
		f(name, "iterable /", func(t *Thread, a []Value) (Value, *Exception) {
			r := !stop
			x := t.Each(a[0], func(v Value) (bool, *Exception) {
				b, x := t.Truth(v)
				if b == stop {
					r = stop
				}
				return b == stop, x
			})
			return Bool(r), x
		})
	}
	any("any", true)
	any("all", false)
	f("abs", "x /", func(t *Thread, a []Value) (Value, *Exception) { return t.UnaryOp(Abs, a[0]) })
	f("round", "number ndigits?", func(t *Thread, a []Value) (Value, *Exception) { return t.Round(a[0], Arg(a, 1)) })
	f("divmod", "x y /", func(t *Thread, a []Value) (Value, *Exception) { return t.divmod(a[0], a[1]) })
	f("pow", "base exp mod?", func(t *Thread, a []Value) (Value, *Exception) {
		m := Arg(a, 2)
		if !m.IsSet() || m.IsNone() {
			return t.Binary(Pow, a[0], a[1])
		}
		b, ok1 := BigOf(a[0])
		e, ok2 := BigOf(a[1])
		n, ok3 := BigOf(m)
		if !ok1 || !ok2 || !ok3 {
			if ok1 || a[0].Base().isKind(KindFloat) {
				return Value{}, t.RaiseType("pow() 3rd argument not allowed unless all arguments are integers")
			}
			return Value{}, t.RaiseType("unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'", a[0].Class().Name, a[1].Class().Name, m.Class().Name)
		}
		return t.modPow(b, e, n)
	})
}

func (t *Thread) divmod(v, w Value) (Value, *Exception) {
	return t.Binary(DivMod, v, w)
}

// Round is round(v, digits); digits may be unset.
func (t *Thread) Round(v, digits Value) (Value, *Exception) {
	switch v.Kind() {
	case KindInt, KindBool, KindBig:
		return t.roundInt(v, digits)
	case KindFloat:
		f, _ := v.Float()
		return t.roundFloat(f, digits)
	}
	if f := v.Class().slots.Round; f != nil {
		if digits.IsNone() {
			digits = Value{}
		}
		return f(t, v, digits)
	}
	return Value{}, t.RaiseType("type %s doesn't define __round__ method", v.Class().Name)
}

// sum adds as CPython 3.12 does: floats with Neumaier's compensation.
func (t *Thread) sum(v, start Value) (Value, *Exception) {
	it, x := t.Iter(v)
	if x != nil {
		return Value{}, x
	}
	acc := Int(0)
	if start.IsSet() {
		acc = start
		switch start.Base().Kind() {
		case KindStr:
			return Value{}, t.RaiseType("sum() can't sum strings [use ''.join(seq) instead]")
		case KindBytes:
			return Value{}, t.RaiseType("sum() can't sum bytes [use b''.join(seq) instead]")
		}
	}
	s := &summer{t: t, acc: acc}
	if f, ok := acc.Float(); ok {
		s.floats, s.f = true, f
	}
	pin := t.Pin(acc)
	defer t.Unpin(pin)
	if x := t.each(it, func(e Value) (bool, *Exception) {
		x := s.add(e)
		t.pinned[pin] = s.acc
		return false, x
	}); x != nil {
		return Value{}, x
	}
	return s.result(), nil
}

type summer struct {
	t      *Thread
	acc    Value
	floats bool
	f, c   float64 // the sum and its compensation
}

func (s *summer) add(e Value) *Exception {
	if s.floats {
		if f, ok := e.Float(); ok {
			s.compensate(f)
			return nil
		}
		if n, ok := e.integral(); ok {
			s.f += float64(n)
			return nil
		}
		s.acc, s.floats = s.result(), false
	} else if a, ok := s.acc.Int(); ok {
		if n, ok := e.integral(); ok {
			if r, ok := addInt(a, n); ok {
				s.acc = Int(r)
				return nil
			}
		}
	}
	r, x := s.t.Binary(Add, s.acc, e)
	if x != nil {
		return x
	}
	s.acc = r
	if f, ok := r.Float(); ok {
		s.floats, s.f, s.c = true, f, 0
	}
	return nil
}

func (s *summer) compensate(f float64) {
	t := s.f + f
	if abs(s.f) >= abs(f) {
		s.c += (s.f - t) + f
	} else {
		s.c += (f - t) + s.f
	}
	s.f = t
}

func abs(f float64) float64 {
	if f < 0 {
		return -f
	}
	return f
}

func (s *summer) result() Value {
	if !s.floats {
		return s.acc
	}
	f := s.f
	if s.c != 0 && s.c-s.c == 0 { // finite
		f += s.c
	}
	return s.t.float(f)
}

// extreme is min() and max().
func (t *Thread) extreme(name string, op Cmp, a []Value, names []string) (Value, *Exception) {
	pos := a[:len(a)-len(names)]
	var key, def Value
	for i, n := range names {
		switch n {
		case "key":
			key = a[len(pos)+i]
		case "default":
			def = a[len(pos)+i]
		default:
			return Value{}, t.RaiseType("%s() got an unexpected keyword argument '%s'", name, n)
		}
	}
	if key.IsNone() {
		key = Value{}
	}
	if len(pos) == 0 {
		return Value{}, t.RaiseType("%s expected at least 1 argument, got 0", name)
	}
	e := &extremum{t: t, op: op, key: key, pin: t.Pin(None)}
	t.Pin(None)
	defer t.Unpin(e.pin)
	if len(pos) > 1 {
		if def.IsSet() {
			return Value{}, t.RaiseType("Cannot specify a default for %s() with multiple positional arguments", name)
		}
		for _, v := range pos {
			if x := e.see(v); x != nil {
				return Value{}, x
			}
		}
		return e.best, nil
	}
	if x := t.Each(pos[0], func(v Value) (bool, *Exception) { return false, e.see(v) }); x != nil {
		return Value{}, x
	}
	if e.best.IsSet() {
		return e.best, nil
	}
	if def.IsSet() {
		return def, nil
	}
	return Value{}, t.RaiseValue("%s() iterable argument is empty", name)
}

type extremum struct {
	t             *Thread
	op            Cmp
	key           Value
	best, bestKey Value
	pin           int
}

func (e *extremum) see(v Value) *Exception {
	k := v
	if e.key.IsSet() {
		var x *Exception
		if k, x = e.t.Call(e.key, v); x != nil {
			return x
		}
	}
	if e.best.IsSet() {
		r, x := e.t.Compare(e.op, k, e.bestKey)
		if x != nil {
			return x
		}
		better, x := e.t.Truth(r)
		if x != nil || !better {
			return x
		}
	}
	e.best, e.bestKey = v, k
	e.t.pinned[e.pin], e.t.pinned[e.pin+1] = v, k
	return nil
}
