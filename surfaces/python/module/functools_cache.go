package module

import (
	"container/list"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// cached is a function with a cache of its results.
type cached struct {
	object.Obj
	fn           value
	most         int64 // -1 for any number
	typed        bool
	hits, misses int64
	entries      *object.Dict // key to the number of an entry
	order        *list.List   // of *cacheEntry, the one used last in front
	places       map[int64]*list.Element
	next         int64
	attrs        *object.Dict
}

type cacheEntry struct {
	id        int64
	key, kept value
}

// Class is functools._lru_cache_wrapper.
func (*cached) Class() *class { return cachedClass }

// Bind makes it a method where it stands in a class.
func (c *cached) Bind(_ *thread, self value, _ *class) (value, *exception) {
	if !self.IsSet() {
		return object.Box(c), nil
	}
	return object.NewMethod(object.Box(c), self), nil
}

var (
	cachedClass         = defineIn("functools", "_lru_cache_wrapper")
	cachedPropertyClass = object.Define("cached_property")
	cacheInfo           = newRecord("functools", "CacheInfo", "hits", "misses", "maxsize", "currsize")
)

func newCache(t *thread, fn value, most int64, typed bool) (value, *exception) {
	if !t.Callable(fn) {
		return raised(t.RaiseType("the first argument must be callable"))
	}
	if x := t.Alloc(400); x != nil {
		return value{}, x
	}
	c := &cached{fn: fn, most: most, typed: typed, entries: object.NewDict(), order: list.New(), places: map[int64]*list.Element{}}
	return object.Box(c), nil
}

// lruCache is lru_cache, with parentheses and without.
func lruCache(t *thread, a []value) (value, *exception) {
	most := int64(128)
	if v, ok := given(a, 0); ok {
		switch {
		case v.IsNone():
			most = -1
		case t.Callable(v) && !isInt(v):
			return newCache(t, v, most, false)
		case !isInt(v):
			return raised(t.RaiseType("Expected first argument to be an integer, a callable, or None"))
		default:
			n, x := integer(t, v)
			if x != nil {
				return value{}, x
			}
			most = max(n, 0)
		}
	}
	typed, x := truth(t, a, 1, false)
	if x != nil {
		return value{}, x
	}
	return object.NewBuiltin("decorating_function", "user_function /", func(t *thread, a []value) (value, *exception) {
		return newCache(t, a[0], most, typed)
	}).Value(), t.Alloc(120)
}

// key makes what a call is remembered under.
func (c *cached) key(t *thread, a []value, names []string) (value, *exception) {
	if len(names) == 0 && len(a) == 1 && !c.typed {
		switch a[0].Kind() {
		case object.KindInt, object.KindStr:
			return a[0], nil
		}
	}
	parts := make([]value, 0, 2*len(a)+len(names)+2)
	parts = append(parts, a[:len(a)-len(names)]...)
	if len(names) > 0 {
		parts = append(parts, object.Ellipsis)
		for i, n := range names {
			parts = append(parts, object.NewStr(n), a[len(a)-len(names)+i])
		}
	}
	if c.typed {
		parts = append(parts, object.NotImplemented)
		for _, v := range a {
			parts = append(parts, v.Class().Value())
		}
	}
	return t.Tuple(parts...)
}

func (c *cached) call(t *thread, a []value, names []string) (value, *exception) {
	if c.most == 0 {
		c.misses++
		return t.CallNames(c.fn, a, names)
	}
	k, x := c.key(t, a, names)
	if x != nil {
		return value{}, x
	}
	id, ok, x := c.entries.Get(t, k)
	if x != nil {
		return value{}, x
	}
	if ok {
		c.hits++
		n, _ := id.Int()
		e := c.places[n]
		c.order.MoveToFront(e)
		return e.Value.(*cacheEntry).kept, nil
	}
	c.misses++
	r, x := t.CallNames(c.fn, a, names)
	if x != nil {
		return value{}, x
	}
	return r, c.keep(t, k, r)
}

// keep remembers a result and forgets the one that was used longest ago.
func (c *cached) keep(t *thread, k, r value) *exception {
	if _, ok, x := c.entries.Get(t, k); ok || x != nil {
		return x // a recursive call was quicker
	}
	if c.most > 0 && int64(c.order.Len()) >= c.most {
		last := c.order.Back()
		e := last.Value.(*cacheEntry)
		if _, _, x := c.entries.Delete(t, e.key); x != nil {
			return x
		}
		c.order.Remove(last)
		delete(c.places, e.id)
	}
	if x := t.Alloc(240); x != nil {
		return x
	}
	c.next++
	if x := c.entries.Set(t, k, object.Int(c.next)); x != nil {
		return x
	}
	c.places[c.next] = c.order.PushFront(&cacheEntry{c.next, k, r})
	return nil
}

func init() {
	c := cachedClass
	c.Module = "functools"
	c.Final = true
	self := func(v value) *cached { return v.Native().(*cached) }
	c.Own.Call = func(t *thread, v value, a []value, names []string) (value, *exception) {
		return self(v).call(t, a, names)
	}
	c.Own.Children = func(v value, visit func(value)) int {
		k := self(v)
		visit(k.fn)
		visit(k.entries.Value())
		for e := k.order.Front(); e != nil; e = e.Next() {
			visit(e.Value.(*cacheEntry).kept)
		}
		return 400 + 240*k.order.Len()
	}
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		q, _, x := t.FindAttr(self(v).fn, "__qualname__")
		s, _ := textOf(q)
		addr, _ := t.Repr(object.Int(t.ID(v)))
		return "<functools._lru_cache_wrapper object " + s + " " + addr + ">", x
	}
	c.Method("cache_info", "", func(t *thread, a []value) (value, *exception) {
		k := self(a[0])
		most := object.None
		if k.most >= 0 {
			most = object.Int(k.most)
		}
		return cacheInfo.make(t, object.Int(k.hits), object.Int(k.misses), most, object.Int(int64(k.order.Len())))
	})
	c.Method("cache_clear", "", func(t *thread, a []value) (value, *exception) {
		k := self(a[0])
		k.entries.Clear()
		k.order.Init()
		clear(k.places)
		k.hits, k.misses = 0, 0
		return object.None, nil
	})
	c.Own.GetAttr = func(t *thread, v value, name string) (value, bool, *exception) {
		k := self(v)
		if k.attrs != nil {
			if w, ok := k.attrs.GetName(name); ok {
				return w, true, nil
			}
		}
		switch name {
		case "__name__", "__qualname__", "__doc__", "__module__":
			return t.FindAttr(k.fn, name)
		}
		return value{}, false, nil
	}
	c.Own.SetAttr = func(t *thread, v value, name string, w value) *exception {
		k := self(v)
		if k.attrs == nil {
			k.attrs = object.NewDict()
		}
		if !w.IsSet() {
			_, _, x := k.attrs.Delete(t, object.NewStr(name))
			return x
		}
		return k.attrs.SetName(t, name, w)
	}
	c.Ready()

	p := cachedPropertyClass
	p.Module = "functools"
	p.New = func(t *thread, _ *class, a []value, _ []string) (value, *exception) {
		if len(a) != 1 {
			return raised(t.RaiseType("cached_property.__init__() missing 1 required positional argument: 'func'"))
		}
		return object.Box(&cachedProperty{fn: a[0]}), t.Alloc(96)
	}
	p.Own.Children = func(v value, visit func(value)) int { visit(v.Native().(*cachedProperty).fn); return 96 }
	p.Ready()
}

// cachedProperty is functools.cached_property: the first reading stores the value
// on the instance, where later ones find it.
type cachedProperty struct {
	object.Obj
	fn   value
	name string
}

// Class is functools.cached_property.
func (*cachedProperty) Class() *class { return cachedPropertyClass }

// SetName learns under which name it stands.
func (p *cachedProperty) SetName(_ *thread, _ *class, name string) *exception {
	p.name = name
	return nil
}

// Bind computes the value.
func (p *cachedProperty) Bind(t *thread, self value, _ *class) (value, *exception) {
	if !self.IsSet() {
		return object.Box(p), nil
	}
	v, x := t.Call(p.fn, self)
	if x != nil {
		return value{}, x
	}
	if i, ok := self.Instance(); ok {
		return v, i.SetAttr(t, p.name, v)
	}
	return v, nil
}

// dispatcher is a function of functools.singledispatch.
type dispatcher struct {
	object.Obj
	fn      value
	classes []*class
	impls   []value
}

var dispatcherClass = object.Define("function")

// Class is shown as a function's.
func (*dispatcher) Class() *class { return dispatcherClass }

// find gives the implementation for a class: that of the first class in its
// method order that has one.
func (d *dispatcher) find(c *class) value {
	for _, k := range c.MRO {
		for i := len(d.classes) - 1; i >= 0; i-- {
			if d.classes[i] == k {
				return d.impls[i]
			}
		}
	}
	return d.fn
}

func singleDispatch(t *thread, a []value) (value, *exception) {
	return object.Box(&dispatcher{fn: a[0]}), t.Alloc(200)
}

func (d *dispatcher) register(t *thread, cls, fn value) (value, *exception) {
	c, ok := cls.AsClass()
	if !ok {
		return raised(t.RaiseType("Invalid first argument to `register()`. register() takes a class: @f.register(int)"))
	}
	d.classes, d.impls = append(d.classes, c), append(d.impls, fn)
	return fn, t.Alloc(64)
}

func init() {
	c := dispatcherClass
	c.Final = true
	c.Own.Call = func(t *thread, v value, a []value, names []string) (value, *exception) {
		d := v.Native().(*dispatcher)
		if len(a)-len(names) == 0 {
			return raised(t.RaiseType("the function requires at least 1 positional argument"))
		}
		return t.CallNames(d.find(a[0].Class()), a, names)
	}
	c.Own.Children = func(v value, visit func(value)) int {
		d := v.Native().(*dispatcher)
		visit(d.fn)
		for _, f := range d.impls {
			visit(f)
		}
		return 200
	}
	c.Method("register", "cls func?", func(t *thread, a []value) (value, *exception) {
		d := a[0].Native().(*dispatcher)
		if fn, ok := given(a, 2); ok {
			return d.register(t, a[1], fn)
		}
		if f, isFunction := a[1].Function(); isFunction {
			ann, _, x := t.FindAttr(a[1], "__annotations__")
			if x != nil {
				return value{}, x
			}
			if all, ok := ann.Dict(); ok {
				for i := range all.Room() {
					k, cls := all.Entry(i)
					if s, _ := textOf(k); k.IsSet() && s != "return" {
						return d.register(t, cls, a[1])
					}
				}
			}
			return raised(t.RaiseType("%s has no annotation to register it by: write @f.register(int)", f.Name))
		}
		cls := a[1]
		return object.NewBuiltin("register", "func /", func(t *thread, a []value) (value, *exception) { return d.register(t, cls, a[0]) }).Value(), nil
	})
	c.Method("dispatch", "cls /", func(t *thread, a []value) (value, *exception) {
		k, ok := a[1].AsClass()
		if !ok {
			return raised(t.RaiseType("dispatch() takes a class"))
		}
		return a[0].Native().(*dispatcher).find(k), nil
	})
	c.Ready()
}
