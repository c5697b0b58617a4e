package object

// Exception groups (PEP 654).

func setupGroups() {
	for _, c := range []*Class{BaseExceptionGroup, ExceptionGroup} {
		c.New = newGroup
	}
	c := BaseExceptionGroup
	c.Method("derive", "excs /", func(t *Thread, a []Value) (Value, *Exception) {
		x, _ := a[0].Exception()
		return newGroup(t, BaseExceptionGroup, []Value{x.Args[0], a[1]}, nil)
	})
	c.Method("split", "condition /", func(t *Thread, a []Value) (Value, *Exception) {
		x, _ := a[0].Exception()
		match, rest, y := t.SplitGroup(x, a[1])
		if y != nil {
			return Value{}, y
		}
		return NewTuple([]Value{optionalException(match), optionalException(rest)}), nil
	})
	c.Method("subgroup", "condition /", func(t *Thread, a []Value) (Value, *Exception) {
		x, _ := a[0].Exception()
		match, _, y := t.SplitGroup(x, a[1])
		return optionalException(match), y
	})
	for _, c := range []*Class{BaseExceptionGroup, ExceptionGroup} {
		c.Ready()
	}
}

func newGroup(t *Thread, cls *Class, args []Value, _ []string) (Value, *Exception) {
	if len(args) != 2 {
		return Value{}, t.RaiseType("BaseExceptionGroup.__new__() takes exactly 2 arguments (%d given)", len(args))
	}
	if _, ok := StrOf(args[0]); !ok {
		return Value{}, t.RaiseType("argument 1 must be str, not %s", t.ClassOf(args[0]).Name)
	}
	switch args[1].Base().Kind() {
	case KindList, KindTuple:
	default:
		return Value{}, t.RaiseType("second argument (exceptions) must be a sequence")
	}
	items, x := t.Items(args[1])
	if x != nil {
		return Value{}, x
	}
	if len(items) == 0 {
		return Value{}, t.RaiseValue("second argument (exceptions) must be a non-empty sequence")
	}
	plain := true
	for i, v := range items {
		e, ok := v.Exception()
		if !ok {
			return Value{}, t.RaiseValue("Item %d of second argument (exceptions) is not an exception", i)
		}
		plain = plain && e.Is(ExceptionClass)
	}
	if cls == BaseExceptionGroup && plain {
		cls = ExceptionGroup
	}
	if cls.IsSubclass(ExceptionClass) && !plain {
		if cls == ExceptionGroup {
			return Value{}, t.RaiseType("Cannot nest BaseExceptions in an ExceptionGroup")
		}
		return Value{}, t.RaiseType("Cannot nest BaseExceptions in '%s'", cls.Name)
	}
	return NewException(cls, args[0], args[1]).Value(), nil
}

// Exceptions gives the exceptions of a group, nil for any other.
func (x *Exception) Exceptions(t *Thread) []*Exception {
	if !x.Is(BaseExceptionGroup) || len(x.Args) != 2 {
		return nil
	}
	items, y := t.Items(x.Args[1])
	if y != nil {
		return nil
	}
	out := make([]*Exception, 0, len(items))
	for _, v := range items {
		if e, ok := v.Exception(); ok {
			out = append(out, e)
		}
	}
	return out
}

// SplitGroup parts a group into what a condition (a class, a tuple of classes or
// a function) matches and the rest; either may be nil.
func (t *Thread) SplitGroup(x *Exception, condition Value) (match, rest *Exception, raised *Exception) {
	if y := t.Enter(); y != nil {
		t.Leave()
		return nil, nil, y
	}
	defer t.Leave()
	hit, y := t.groupMatches(x, condition)
	if y != nil {
		return nil, nil, y
	}
	if hit {
		return x, nil, nil
	}
	inner := x.Exceptions(t)
	if inner == nil {
		return nil, x, nil
	}
	var yes, no []Value
	for _, e := range inner {
		m, r, y := t.SplitGroup(e, condition)
		if y != nil {
			return nil, nil, y
		}
		if m != nil {
			yes = append(yes, m.Value())
		}
		if r != nil {
			no = append(no, r.Value())
		}
	}
	if match, y = t.derive(x, yes); y != nil {
		return nil, nil, y
	}
	rest, y = t.derive(x, no)
	return match, rest, y
}

func (t *Thread) derive(x *Exception, items []Value) (*Exception, *Exception) {
	if len(items) == 0 {
		return nil, nil
	}
	v, _, y := t.CallSpecial(x.Value(), "derive", NewList(items))
	if y != nil {
		return nil, y
	}
	e, ok := v.Exception()
	if !ok {
		return nil, t.RaiseType("derive must return an instance of BaseExceptionGroup")
	}
	e.Trace, e.Cause, e.Context = x.Trace, x.Cause, x.Context
	if x.Attrs != nil {
		if notes, ok := x.Attrs.GetName("__notes__"); ok {
			if l, ok := ListOf(notes); ok {
				own, y := t.List(append([]Value(nil), l.items...))
				if y != nil {
					return nil, y
				}
				return e, e.setAttr(t, "__notes__", own)
			}
		}
	}
	return e, nil
}

// ProjectGroup gives the part of a group that holds certain exceptions, with its
// nesting; nil if there is none.
func (t *Thread) ProjectGroup(x *Exception, keep []*Exception) (*Exception, *Exception) {
	if y := t.Enter(); y != nil {
		t.Leave()
		return nil, y
	}
	defer t.Leave()
	if y := t.Charge(int64(1 + len(keep))); y != nil {
		return nil, y
	}
	inner := x.Exceptions(t)
	if inner == nil {
		for _, k := range keep {
			if k == x {
				return x, nil
			}
		}
		return nil, nil
	}
	var parts []Value
	whole := true
	for _, e := range inner {
		p, y := t.ProjectGroup(e, keep)
		if y != nil {
			return nil, y
		}
		whole = whole && p == e
		if p != nil {
			parts = append(parts, p.Value())
		}
	}
	if whole {
		return x, nil
	}
	return t.derive(x, parts)
}

// Leaves lists the exceptions of a group that are no groups themselves.
func (x *Exception) Leaves(t *Thread) []*Exception {
	inner := x.Exceptions(t)
	if inner == nil {
		return []*Exception{x}
	}
	var out []*Exception
	for _, e := range inner {
		out = append(out, e.Leaves(t)...)
	}
	return out
}

func (t *Thread) groupMatches(x *Exception, condition Value) (bool, *Exception) {
	switch condition.Kind() {
	case KindClass, KindTuple:
		return t.MatchException(x, condition)
	}
	r, y := t.Call(condition, x.Value())
	if y != nil {
		return false, y
	}
	return t.Truth(r)
}

// MatchException reports whether an except clause's class or tuple of classes
// takes an exception.
func (t *Thread) MatchException(x *Exception, classes Value) (bool, *Exception) {
	if x.Limit != nil {
		return false, nil
	}
	switch classes.Kind() {
	case KindClass:
		c := classes.o.self.(*Class)
		if c.IsSubclass(BaseException) {
			return x.Cls.IsSubclass(c), nil
		}
	case KindTuple:
		found := false
		for _, v := range classes.o.self.(*Tuple).items {
			c, ok := v.AsClass()
			if !ok || !c.IsSubclass(BaseException) {
				return false, t.RaiseType("catching classes that do not inherit from BaseException is not allowed")
			}
			found = found || x.Cls.IsSubclass(c)
		}
		return found, nil
	}
	return false, t.RaiseType("catching classes that do not inherit from BaseException is not allowed")
}
