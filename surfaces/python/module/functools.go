package module

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// partial is functools.partial.
type partial struct {
	object.Obj
	fn    value
	args  []value // the last len(names) are keywords
	names []string
	attrs *object.Dict
}

// Class is functools.partial.
func (*partial) Class() *class { return partialClass }

// keyObject is what cmp_to_key makes of a value.
type keyObject struct {
	object.Obj
	cmp, v value
}

// Class is functools.KeyWrapper.
func (*keyObject) Class() *class { return keyClass }

var (
	partialClass = defineIn("functools", "partial")
	keyClass     = defineIn("functools", "KeyWrapper")
)

var _ = register("functools", func(*Library) *object.Module {
	m := object.NewModule("functools")
	m.Set("partialmethod", partialMethodClass.Value())
	m.Set("partial", partialClass.Value()).Set("cached_property", cachedPropertyClass.Value())
	m.Set("reduce", object.NewBuiltin("reduce", "function iterable initial? /", reduce).Value())
	m.Func("cmp_to_key", "mycmp", func(t *thread, a []value) (value, *exception) {
		cmp := a[0]
		return object.NewBuiltin("KeyWrapper", "obj", func(t *thread, a []value) (value, *exception) {
			return object.Box(&keyObject{cmp: cmp, v: a[0]}), t.Alloc(80)
		}).Value(), t.Alloc(120)
	})
	m.Func("lru_cache", "maxsize? typed?", lruCache)
	m.Func("cache", "user_function /", func(t *thread, a []value) (value, *exception) { return newCache(t, a[0], -1, false) })
	m.Func("wraps", "wrapped assigned? updated?", func(t *thread, a []value) (value, *exception) {
		wrapped := a[0]
		return object.NewBuiltin("update_wrapper", "wrapper /", func(t *thread, a []value) (value, *exception) {
			return a[0], copyNames(t, a[0], wrapped)
		}).Value(), t.Alloc(120)
	})
	m.Func("update_wrapper", "wrapper wrapped assigned? updated?", func(t *thread, a []value) (value, *exception) {
		return a[0], copyNames(t, a[0], a[1])
	})
	m.Func("total_ordering", "cls /", totalOrdering)
	m.Func("singledispatch", "func /", singleDispatch)
	return m
})

func reduce(t *thread, a []value) (value, *exception) {
	total := object.Arg(a, 2)
	x := t.Each(a[1], func(v value) (bool, *exception) {
		if !total.IsSet() {
			total = v
			return false, nil
		}
		var x *exception
		total, x = t.Call(a[0], total, v)
		return false, x
	})
	if x != nil {
		if x.Is(object.TypeError) && len(x.Trace) == 0 && x.Message(t) == "'"+nameOf(a[1])+"' object is not iterable" {
			return raised(t.RaiseType("reduce() arg 2 must support iteration"))
		}
		return value{}, x
	}
	if !total.IsSet() {
		return raised(t.RaiseType("reduce() of empty iterable with no initial value"))
	}
	return total, nil
}

// copyNames makes a wrapper look like what it wraps.
func copyNames(t *thread, wrapper, wrapped value) *exception {
	for _, n := range []string{"__name__", "__qualname__", "__doc__"} {
		v, ok, x := t.FindAttr(wrapped, n)
		if x != nil && !x.Is(object.AttributeError) {
			return x
		}
		if ok {
			if x := t.SetAttr(wrapper, n, v); x != nil {
				if x.Limit != nil {
					return x
				}
			}
		}
	}
	if f, ok := wrapped.Function(); ok && f.Attrs != nil {
		for i := range f.Attrs.Room() {
			k, v := f.Attrs.Entry(i)
			if s, ok := textOf(k); ok && k.IsSet() && s != "__isabstractmethod__" {
				if x := t.SetAttr(wrapper, s, v); x != nil {
					return x
				}
			}
		}
	}
	return nil
}

// call merges the kept arguments with new ones.
func (p *partial) call(t *thread, a []value, names []string) (value, *exception) {
	kept := len(p.args) - len(p.names)
	given := len(a) - len(names)
	args := slices.Concat(p.args[:kept], a[:given])
	var all []string
	for i, n := range p.names {
		if !slices.Contains(names, n) {
			args, all = append(args, p.args[kept+i]), append(all, n)
		} else {
			args, all = append(args, a[given+slices.Index(names, n)]), append(all, n)
		}
	}
	for i, n := range names {
		if !slices.Contains(p.names, n) {
			args, all = append(args, a[given+i]), append(all, n)
		}
	}
	return t.CallNames(p.fn, args, all)
}

func init() {
	c := partialClass
	c.Module = "functools"
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		if len(a)-len(names) == 0 {
			return raised(t.RaiseType("type 'partial' takes at least one argument"))
		}
		if !t.Callable(a[0]) {
			return raised(t.RaiseType("the first argument must be callable"))
		}
		if x := t.Alloc(160 + 16*len(a)); x != nil {
			return value{}, x
		}
		p := &partial{fn: a[0], args: slices.Clone(a[1:]), names: slices.Clone(names)}
		if q, ok := a[0].Native().(*partial); ok && q.attrs == nil {
			merged := &partial{fn: q.fn}
			kept, given := len(q.args)-len(q.names), len(p.args)-len(p.names)
			if x := t.Charge(int64(len(q.args)) / 8); x != nil {
				return value{}, x
			}
			if x := t.Alloc(16 * len(q.args)); x != nil {
				return value{}, x
			}
			merged.args = slices.Concat(q.args[:kept], p.args[:given])
			for i, n := range q.names {
				v := q.args[kept+i]
				if j := slices.Index(p.names, n); j >= 0 {
					v = p.args[given+j]
				}
				merged.args, merged.names = append(merged.args, v), append(merged.names, n)
			}
			for i, n := range p.names {
				if !slices.Contains(q.names, n) {
					merged.args, merged.names = append(merged.args, p.args[given+i]), append(merged.names, n)
				}
			}
			p = merged
		}
		return t.Wrap(cls, c, object.Box(p))
	}
	self := func(v value) *partial { p, _ := object.NativeOf[*partial](v); return p }
	c.Own.Call = func(t *thread, v value, a []value, names []string) (value, *exception) {
		return self(v).call(t, a, names)
	}
	c.Own.Children = func(v value, visit func(value)) int {
		p := v.Native().(*partial)
		visit(p.fn)
		for _, e := range p.args {
			visit(e)
		}
		if p.attrs != nil {
			visit(p.attrs.Value())
		}
		return 160
	}
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		p := self(v)
		s, x := t.Repr(p.fn)
		if x != nil {
			return "", x
		}
		for i, e := range p.args {
			r, x := t.Repr(e)
			if x != nil {
				return "", x
			}
			if k := i - (len(p.args) - len(p.names)); k >= 0 {
				r = p.names[k] + "=" + r
			}
			s += ", " + r
		}
		return "functools.partial(" + s + ")", nil
	}
	c.Own.SetAttr = func(t *thread, v value, name string, w value) *exception {
		p := self(v)
		if p.attrs == nil {
			p.attrs = object.NewDict()
		}
		if !w.IsSet() {
			_, _, x := p.attrs.Delete(t, object.NewStr(name))
			return x
		}
		return p.attrs.SetName(t, name, w)
	}
	c.Own.GetAttr = func(_ *thread, v value, name string) (value, bool, *exception) {
		if p := self(v); p.attrs != nil {
			w, ok := p.attrs.GetName(name)
			return w, ok, nil
		}
		return value{}, false, nil
	}
	c.Getter("func", func(_ *thread, v value) (value, *exception) { return self(v).fn, nil })
	c.Getter("args", func(t *thread, v value) (value, *exception) {
		p := self(v)
		return t.Tuple(p.args[:len(p.args)-len(p.names)]...)
	})
	c.Getter("keywords", func(t *thread, v value) (value, *exception) {
		p := self(v)
		d, x := t.Dict(len(p.names))
		if x != nil {
			return value{}, x
		}
		for i, n := range p.names {
			if x := d.SetName(t, n, p.args[len(p.args)-len(p.names)+i]); x != nil {
				return value{}, x
			}
		}
		return d.Value(), nil
	})
	c.Ready()

	k := keyClass
	k.Module = "functools"
	k.Final = true
	k.Own.Compare = func(t *thread, op object.Cmp, v, w value) (value, *exception) {
		p := v.Native().(*keyObject)
		q, ok := w.Native().(*keyObject)
		if !ok {
			return raised(t.RaiseType("other argument must be K instance"))
		}
		r, x := t.Call(p.cmp, p.v, q.v)
		if x != nil {
			return value{}, x
		}
		return t.Compare(op, r, object.Int(0))
	}
	k.Own.Children = func(v value, visit func(value)) int {
		p := v.Native().(*keyObject)
		visit(p.cmp)
		visit(p.v)
		return 80
	}
	k.Getter("obj", func(_ *thread, v value) (value, *exception) { return v.Native().(*keyObject).v, nil })
	k.Ready()
}

// totalOrdering adds the comparisons that a class does not define from one that
// it does.
func totalOrdering(t *thread, a []value) (value, *exception) {
	c, ok := a[0].AsClass()
	if !ok || !c.Heap {
		return raised(t.RaiseType("total_ordering needs a class"))
	}
	names := map[object.Cmp]string{object.Lt: "__lt__", object.Le: "__le__", object.Gt: "__gt__", object.Ge: "__ge__"}
	var roots []object.Cmp
	for _, op := range []object.Cmp{object.Lt, object.Gt, object.Le, object.Ge} {
		if c.Defines(names[op]) {
			roots = append(roots, op)
		}
	}
	if len(roots) == 0 {
		return raised(t.RaiseValue("must define at least one ordering operation: < > <= >="))
	}
	// CPython prefers __lt__, then __le__, __gt__, __ge__.
	root := roots[0]
	for _, op := range []object.Cmp{object.Lt, object.Le, object.Gt, object.Ge} {
		if slices.Contains(roots, op) {
			root = op
			break
		}
	}
	for _, op := range []object.Cmp{object.Lt, object.Le, object.Gt, object.Ge} {
		if slices.Contains(roots, op) {
			continue
		}
		b := object.NewBuiltin(names[op], "other /", func(t *thread, a []value) (value, *exception) {
			return orderBy(t, root, names[root], op, a[0], a[1])
		})
		b.Method = true
		if x := c.Store(t, names[op], b.Value()); x != nil {
			return value{}, x
		}
	}
	return a[0], nil
}

// orderBy answers one comparison by another and equality.
func orderBy(t *thread, root object.Cmp, name string, op object.Cmp, v, w value) (value, *exception) {
	r, _, x := callSpecial(t, v, name, w)
	if x != nil || r.Is(object.NotImplemented) {
		return r, x
	}
	yes, x := t.Truth(r)
	if x != nil {
		return value{}, x
	}
	strict := root == object.Lt || root == object.Gt
	less := root == object.Lt || root == object.Le
	same := op == root
	opposite := less != (op == object.Lt || op == object.Le)
	opStrict := op == object.Lt || op == object.Gt
	if same {
		return r, nil
	}
	eq := func() (bool, *exception) {
		e, x := t.Compare(object.Eq, v, w)
		if x != nil {
			return false, x
		}
		return t.Truth(e)
	}
	switch {
	case opposite && strict != opStrict: // a >= b from a < b: not
		return object.Bool(!yes), nil
	case opposite && strict: // a > b from a < b: neither less nor equal
		if yes {
			return object.False, nil
		}
		e, x := eq()
		return object.Bool(!e), x
	case opposite: // a >= b from a <= b
		if !yes {
			return object.True, nil
		}
		e, x := eq()
		return object.Bool(e), x
	case strict: // a <= b from a < b
		if yes {
			return object.True, nil
		}
		e, x := eq()
		return object.Bool(e), x
	}
	// a < b from a <= b
	if !yes {
		return object.False, nil
	}
	e, x := eq()
	return object.Bool(!e), x
}
