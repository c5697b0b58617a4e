package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// setter compiles an assignment target.
type setter func(f *frame, v value) *exception

func (c *compiler) assign(s *syntax.Assign) exec {
	if len(s.Targets) == 1 {
		if n, ok := s.Targets[0].(*syntax.Name); ok {
			return c.assignName(n, s.Value)
		}
		if e := c.swap(s); e != nil {
			return e
		}
	}
	v := c.expr(s.Value)
	targets := make([]setter, len(s.Targets))
	calm := true
	for i, t := range s.Targets {
		targets[i] = c.target(t)
		calm = calm && calmTarget(t)
	}
	return func(f *frame) (signal, *exception) {
		r, x := v(f)
		if x != nil {
			return next, x
		}
		if !calm {
			k := f.m.mark()
			f.m.hold(r)
			defer f.m.release(k)
		}
		for _, t := range targets {
			if x := t(f, r); x != nil {
				return next, x
			}
		}
		return next, nil
	}
}

// calmTarget reports whether assigning to a target evaluates nothing that could
// allocate while the value waits.
func calmTarget(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Name:
		return true
	case *syntax.Attribute:
		return simple(e.Value)
	case *syntax.Subscript:
		return simple(e.Value) && simple(e.Index)
	}
	return false
}

func (c *compiler) assignName(n *syntax.Name, val syntax.Expr) exec {
	v := c.expr(val)
	to := c.resolve(n.ID)
	i := to.i
	switch to.place {
	case inSlot:
		return func(f *frame) (signal, *exception) {
			r, x := v(f)
			if x != nil {
				return next, x
			}
			f.slots[i] = r
			return next, nil
		}
	case inGlobal:
		g := to.global
		return func(f *frame) (signal, *exception) {
			r, x := v(f)
			if x != nil {
				return next, x
			}
			g.value = r
			return next, nil
		}
	}
	store := c.store(to)
	return func(f *frame) (signal, *exception) {
		r, x := v(f)
		if x != nil {
			return next, x
		}
		store(f, r)
		return next, nil
	}
}

// swap is a, b = x, y without the tuple, where all targets are plain names.
func (c *compiler) swap(s *syntax.Assign) exec {
	l, ok1 := s.Targets[0].(*syntax.Tuple)
	r, ok2 := s.Value.(*syntax.Tuple)
	if !ok1 || !ok2 || len(l.Elts) != 2 || len(r.Elts) != 2 {
		return nil
	}
	for i := range 2 {
		if _, ok := l.Elts[i].(*syntax.Name); !ok {
			return nil
		}
		if _, ok := r.Elts[i].(*syntax.Starred); ok {
			return nil
		}
	}
	a, b := c.expr(r.Elts[0]), holding(c.expr(r.Elts[1]), simple(r.Elts[1]))
	first, second := c.target(l.Elts[0]), c.target(l.Elts[1])
	return func(f *frame) (signal, *exception) {
		v, x := a(f)
		if x != nil {
			return next, x
		}
		w, x := b(f, v)
		if x != nil {
			return next, x
		}
		if x := first(f, v); x != nil {
			return next, x
		}
		return next, second(f, w)
	}
}

// target compiles a target of an assignment, a for or a with.
func (c *compiler) target(e syntax.Expr) setter {
	c.nodes++
	at := syntax.Place(e)
	switch e := e.(type) {
	case *syntax.Name:
		v := c.resolve(e.ID)
		if v.place == inSlot {
			i := v.i
			return func(f *frame, w value) *exception {
				f.slots[i] = w
				return nil
			}
		}
		store := c.store(v)
		return func(f *frame, w value) *exception {
			store(f, w)
			return nil
		}
	case *syntax.Attribute:
		v := c.expr(e.Value)
		name := c.u.layer().scope.Mangle(e.Attr)
		return func(f *frame, w value) *exception {
			o, x := v(f)
			if x != nil {
				return x
			}
			if x := f.t.SetAttr(o, name, w); x != nil {
				return f.at(x, at)
			}
			return nil
		}
	case *syntax.Subscript:
		v, k := c.expr(e.Value), holding(c.expr(e.Index), simple(e.Index))
		return func(f *frame, w value) *exception {
			o, x := v(f)
			if x != nil {
				return x
			}
			key, x := k(f, o)
			if x != nil {
				return x
			}
			if x := f.t.SetItem(o, key, w); x != nil {
				return f.at(x, at)
			}
			return nil
		}
	case *syntax.Tuple, *syntax.List:
		return c.unpack(elts(e), at)
	case *syntax.Starred:
		return c.target(e.Value)
	}
	c.reject(e, "cannot assign to this")
	return nil
}

// unpack compiles a target of several parts.
func (c *compiler) unpack(list []syntax.Expr, at syntax.Span) setter {
	parts := make([]setter, len(list))
	star := -1
	for i, e := range list {
		if _, ok := e.(*syntax.Starred); ok {
			star = i
		}
		parts[i] = c.target(e)
	}
	n := len(parts)
	if star < 0 {
		return func(f *frame, v value) *exception {
			items, x := f.unpackExact(v, n)
			if x != nil {
				return f.at(x, at)
			}
			for i := range parts {
				if x := parts[i](f, items[i]); x != nil {
					return x
				}
			}
			return nil
		}
	}
	return func(f *frame, v value) *exception {
		items, x := f.unpackAll(v)
		if x != nil {
			return f.at(x, at)
		}
		if len(items) < n-1 {
			return f.at(f.t.RaiseValue("not enough values to unpack (expected at least %d, got %d)", n-1, len(items)), at)
		}
		after := n - 1 - star
		middle, x := f.t.List(append([]value(nil), items[star:len(items)-after]...))
		if x != nil {
			return x
		}
		for i := range star {
			if x := parts[i](f, items[i]); x != nil {
				return x
			}
		}
		if x := parts[star](f, middle); x != nil {
			return x
		}
		for i := range after {
			if x := parts[star+1+i](f, items[len(items)-after+i]); x != nil {
				return x
			}
		}
		return nil
	}
}

// unpackAll gives all values of an iterable to be unpacked.
func (f *frame) unpackAll(v value) ([]value, *exception) {
	if !f.t.Iterable(v) {
		return nil, f.t.RaiseType("cannot unpack non-iterable %s object", v.Class().Name)
	}
	return f.t.Items(v)
}

// unpackExact gives the n values of an iterable of exactly as many.
func (f *frame) unpackExact(v value, n int) ([]value, *exception) {
	if t, ok := v.Tuple(); ok && len(t.Items()) == n {
		return t.Items(), nil
	}
	if !f.t.Iterable(v) {
		return nil, f.t.RaiseType("cannot unpack non-iterable %s object", v.Class().Name)
	}
	it, x := f.t.Iter(v)
	if x != nil {
		return nil, x
	}
	items := make([]value, 0, n)
	for len(items) < n {
		w, x := it.Next(f.t)
		if x != nil {
			return nil, x
		}
		if !w.IsSet() {
			return nil, f.t.RaiseValue("not enough values to unpack (expected %d, got %d)", n, len(items))
		}
		items = append(items, w)
	}
	w, x := it.Next(f.t)
	if x != nil {
		return nil, x
	}
	if w.IsSet() {
		return nil, f.t.RaiseValue("too many values to unpack (expected %d)", n)
	}
	return items, nil
}

// augment is an augmented assignment: the target's parts are evaluated once.
func (c *compiler) augment(s *syntax.AugAssign) exec {
	op := operators[s.Op[:len(s.Op)]]
	at := s.Span
	switch t := s.Target.(type) {
	case *syntax.Name:
		return c.augmentName(t, op, s)
	case *syntax.Attribute:
		o := c.expr(t.Value)
		val := holding(c.expr(s.Value), simple(s.Value))
		name := c.u.layer().scope.Mangle(t.Attr)
		return func(f *frame) (signal, *exception) {
			obj, x := o(f)
			if x != nil {
				return next, x
			}
			old, x := f.t.GetAttr(obj, name)
			if x != nil {
				return next, f.at(x, at)
			}
			k := f.m.mark()
			f.m.hold(obj)
			defer f.m.release(k)
			w, x := val(f, old)
			if x != nil {
				return next, x
			}
			r, x := f.t.InPlace(op, old, w)
			if x == nil {
				x = f.t.SetAttr(obj, name, r)
			}
			if x != nil {
				return next, f.at(x, at)
			}
			return next, nil
		}
	case *syntax.Subscript:
		return c.augmentItem(t, op, s)
	}
	c.reject(s.Target, "cannot assign to this")
	return nil
}

func (c *compiler) augmentItem(t *syntax.Subscript, op object.Op, s *syntax.AugAssign) exec {
	o, key := c.expr(t.Value), holding(c.expr(t.Index), simple(t.Index))
	calm := simple(s.Value)
	val := holding(c.expr(s.Value), calm)
	at := s.Span
	return func(f *frame) (signal, *exception) {
		obj, x := o(f)
		if x != nil {
			return next, x
		}
		k, x := key(f, obj)
		if x != nil {
			return next, x
		}
		old, x := f.t.GetItem(obj, k)
		if x != nil {
			return next, f.at(x, at)
		}
		if !calm {
			mk := f.m.mark()
			f.m.hold(obj)
			f.m.hold(k)
			defer f.m.release(mk)
		}
		w, x := val(f, old)
		if x != nil {
			return next, x
		}
		r, x := f.t.InPlace(op, old, w)
		if x == nil {
			x = f.t.SetItem(obj, k, r)
		}
		if x != nil {
			return next, f.at(x, at)
		}
		return next, nil
	}
}

func (c *compiler) augmentName(t *syntax.Name, op object.Op, s *syntax.AugAssign) exec {
	v := c.resolve(t.ID)
	at := s.Span
	load, store := c.load(v, t.Span), c.store(v)
	c.nodes++
	if k, ok := smallInt(s.Value); ok && v.place == inSlot && (op == object.Add || op == object.Sub) {
		i := v.i
		kv, d := object.Int(k), k
		if op == object.Sub {
			d = -k
		}
		return func(f *frame) (signal, *exception) {
			if p, ok := f.slots[i].Int(); ok {
				if s := p + d; (s > p) == (d > 0) {
					f.slots[i] = object.Int(s)
					return next, nil
				}
			}
			old, x := load(f)
			if x != nil {
				return next, x
			}
			r, x := f.t.InPlace(op, old, kv)
			if x != nil {
				return next, f.at(x, at)
			}
			f.slots[i] = r
			return next, nil
		}
	}
	val := holding(c.expr(s.Value), simple(s.Value))
	return func(f *frame) (signal, *exception) {
		old, x := load(f)
		if x != nil {
			return next, x
		}
		w, x := val(f, old)
		if x != nil {
			return next, x
		}
		if op == object.Add {
			if p, ok := old.Int(); ok {
				if q, ok := w.Int(); ok {
					if s := p + q; (s > p) == (q > 0) {
						store(f, object.Int(s))
						return next, nil
					}
				}
			}
		}
		r, x := f.t.InPlace(op, old, w)
		if x != nil {
			return next, f.at(x, at)
		}
		store(f, r)
		return next, nil
	}
}

// annotated is x: T = v. Annotations are kept in class bodies only, where
// dataclasses read them.
func (c *compiler) annotated(s *syntax.AnnAssign) exec {
	var set exec
	if s.Value != nil {
		set = c.assign(&syntax.Assign{Span: s.Span, Targets: []syntax.Expr{s.Target}, Value: s.Value})
	}
	n, ok := s.Target.(*syntax.Name)
	if !ok || !s.Simple || !c.u.isCls {
		return set
	}
	at := syntax.Place(s.Annotation)
	source := c.program.Source[at.Start:at.End]
	annotation := func(*frame) (value, *exception) { return object.NewStr(source), nil }
	if !c.program.lateAnnotations() && !c.typeParameter(s.Annotation) {
		annotation = c.expr(s.Annotation)
	}
	name := c.u.layer().scope.Mangle(n.ID)
	return func(f *frame) (signal, *exception) {
		if set != nil {
			if sig, x := set(f); x != nil {
				return sig, x
			}
		}
		v, x := annotation(f)
		if x != nil {
			if !x.Is(object.NameError) {
				return next, x
			}
			v = object.NewStr(source)
		}
		all, ok := f.names.Get("__annotations__")
		if !ok {
			d, x := f.t.Dict(0)
			if x != nil {
				return next, x
			}
			all = d.Value()
			f.names.Set("__annotations__", all)
		}
		return next, f.t.SetItem(all, object.NewStr(name), v)
	}
}
