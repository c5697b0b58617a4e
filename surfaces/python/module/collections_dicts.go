package module

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

var (
	defaultDictClass = defineIn("collections", "defaultdict", object.DictClass)
	orderedDictClass = defineIn("collections", "OrderedDict", object.DictClass)
	chainMapClass    = object.Define("ChainMap")
)

// factories hold the default_factory of each defaultdict, under a key of its
// instance that no program can spell.
const factoryKey = "default_factory"

func factoryOf(v value) value {
	if i, ok := v.Instance(); ok {
		if f, ok := i.Attr(factoryKey); ok {
			return f
		}
	}
	return object.None
}

func dictInit(t *thread, self value, a []value, names []string) *exception {
	return object.DictClass.Init(t, self, a, names)
}

func setupDefaultDict() {
	c := defaultDictClass
	c.Module = "collections"
	c.New = func(t *thread, cls *class, _ []value, _ []string) (value, *exception) { return newDictInstance(t, cls) }
	c.Init = func(t *thread, self value, a []value, names []string) *exception {
		factory := object.None
		if len(a)-len(names) > 0 {
			factory, a = a[0], a[1:]
			if !factory.IsNone() && !t.Callable(factory) {
				return t.RaiseType("first argument must be callable or None")
			}
		}
		i, _ := self.Instance()
		if x := i.SetAttr(t, factoryKey, factory); x != nil {
			return x
		}
		return dictInit(t, self, a, names)
	}
	missing := func(t *thread, v, k value) (value, *exception) {
		f := factoryOf(v)
		if f.IsNone() {
			return raised(object.NewException(object.KeyError, k))
		}
		r, x := t.Call(f)
		if x != nil {
			return value{}, x
		}
		return r, dictOf(v).Set(t, k, r)
	}
	c.Own.GetItem = func(t *thread, v, k value) (value, *exception) {
		r, ok, x := dictOf(v).Get(t, k)
		if x != nil || ok {
			return r, x
		}
		if v.Class().Defines("__missing__") {
			r, _, x := callSpecial(t, v, "__missing__", k)
			return r, x
		}
		return missing(t, v, k)
	}
	c.Method("__missing__", "key /", func(t *thread, a []value) (value, *exception) { return missing(t, a[0], a[1]) })
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		f, x := t.Repr(factoryOf(v))
		if x != nil {
			return "", x
		}
		s, x := t.Repr(dictOf(v).Value())
		return shortName(v) + "(" + f + ", " + s + ")", x
	}
	c.Method("copy", "", func(t *thread, a []value) (value, *exception) {
		out, x := newDictInstance(t, a[0].Class())
		if x != nil {
			return value{}, x
		}
		i, _ := out.Instance()
		if x := i.SetAttr(t, factoryKey, factoryOf(a[0])); x != nil {
			return value{}, x
		}
		return replaceDict(t, out, a[0])
	})
	c.Own.Binary = func(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
		r, x := object.DictClass.Own.Binary(t, op, v, w, swapped)
		if x != nil || r.Is(object.NotImplemented) {
			return r, x
		}
		out, x := newDictInstance(t, defaultDictClass)
		if x != nil {
			return value{}, x
		}
		i, _ := out.Instance()
		if x := i.SetAttr(t, factoryKey, factoryOf(v)); x != nil {
			return value{}, x
		}
		return replaceDict(t, out, r)
	}
	c.Ready()
}

func setupOrderedDict() {
	c := orderedDictClass
	c.Module = "collections"
	c.New = func(t *thread, cls *class, _ []value, _ []string) (value, *exception) { return newDictInstance(t, cls) }
	c.Init = dictInit
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		d := dictOf(v)
		if d.Len() == 0 {
			return shortName(v) + "()", nil
		}
		s, x := t.Repr(d.Value())
		return shortName(v) + "(" + s + ")", x
	}
	c.Own.Compare = func(t *thread, op object.Cmp, v, w value) (value, *exception) {
		r, x := object.DictClass.Own.Compare(t, op, v, w)
		if x != nil || r.Is(object.NotImplemented) || !w.Class().IsSubclass(orderedDictClass) {
			return r, x
		}
		if equal := r.Is(object.True) == (op == object.Eq); !equal {
			return r, nil
		}
		p, x := t.Items(v)
		if x != nil {
			return value{}, x
		}
		q, x := t.Items(w)
		if x != nil {
			return value{}, x
		}
		for i := range p {
			if eq, x := t.Equal(p[i], q[i]); !eq || x != nil {
				return object.Bool(op == object.Ne), x
			}
		}
		return r, nil
	}
	end := func(t *thread, d *object.Dict, last bool) (k, v value) {
		if last {
			for i := d.Room() - 1; i >= 0; i-- {
				if k, v = d.Entry(i); k.IsSet() {
					return k, v
				}
			}
		}
		for i := range d.Room() {
			if k, v = d.Entry(i); k.IsSet() {
				return k, v
			}
		}
		return value{}, value{}
	}
	c.Method("popitem", "last?", func(t *thread, a []value) (value, *exception) {
		last, x := truth(t, a, 1, true)
		if x != nil {
			return value{}, x
		}
		d := dictOf(a[0])
		if d.Len() == 0 {
			return raised(object.NewException(object.KeyError, object.NewStr("dictionary is empty")))
		}
		if !last {
			if x := t.Charge(int64(d.Room()-d.Len()) + 1); x != nil {
				return value{}, x
			}
		}
		k, v := end(t, d, last)
		if _, _, x := d.Delete(t, k); x != nil {
			return value{}, x
		}
		return t.Tuple(k, v)
	})
	c.Method("move_to_end", "key last?", func(t *thread, a []value) (value, *exception) {
		last, x := truth(t, a, 2, true)
		if x != nil {
			return value{}, x
		}
		d := dictOf(a[0])
		v, ok, x := d.Delete(t, a[1])
		if x != nil {
			return value{}, x
		}
		if !ok {
			return raised(object.NewException(object.KeyError, a[1]))
		}
		if last {
			return object.None, d.Set(t, a[1], v)
		}
		rest, x := t.Dict(d.Len() + 1)
		if x != nil {
			return value{}, x
		}
		if x := rest.Set(t, a[1], v); x != nil {
			return value{}, x
		}
		if x := eachPair(t, d, func(k, v value) *exception { return rest.Set(t, k, v) }); x != nil {
			return value{}, x
		}
		d.Clear()
		return object.None, eachPair(t, rest, func(k, v value) *exception { return d.Set(t, k, v) })
	})
	c.Method("copy", "", func(t *thread, a []value) (value, *exception) {
		out, x := newDictInstance(t, a[0].Class())
		if x != nil {
			return value{}, x
		}
		return replaceDict(t, out, a[0])
	})
	c.Own.Binary = func(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
		r, x := object.DictClass.Own.Binary(t, op, v, w, swapped)
		if x != nil || r.Is(object.NotImplemented) {
			return r, x
		}
		out, x := newDictInstance(t, orderedDictClass)
		if x != nil {
			return value{}, x
		}
		return replaceDict(t, out, r)
	}
	c.Ready()
}

// chainMap is collections.ChainMap.
type chainMap struct {
	object.Obj
	maps value // a list
}

// Class is collections.ChainMap.
func (*chainMap) Class() *class { return chainMapClass }

func (m *chainMap) each(t *thread, fn func(v value) (bool, *exception)) *exception {
	l, ok := object.ListOf(m.maps)
	if !ok {
		return t.RaiseType("the maps of a ChainMap must be a list")
	}
	for _, v := range l.Items() {
		if stop, x := fn(v); stop || x != nil {
			return x
		}
	}
	return nil
}

// get finds a key in the first map that has it.
func (m *chainMap) get(t *thread, k value) (v value, ok bool, raised *exception) {
	raised = m.each(t, func(e value) (bool, *exception) {
		has, x := t.Contains(e, k)
		if x != nil || !has {
			return false, x
		}
		ok = true
		v, x = t.GetItem(e, k)
		return true, x
	})
	return v, ok, raised
}

// merged gives all keys with their values, the last map's keys first.
func (m *chainMap) merged(t *thread) (*object.Dict, *exception) {
	d, x := t.Dict(0)
	if x != nil {
		return nil, x
	}
	l, _ := object.ListOf(m.maps)
	for i := l.Len() - 1; i >= 0; i-- {
		from := l.Items()[i]
		if x := t.Each(from, func(k value) (bool, *exception) {
			v, x := t.GetItem(from, k)
			if x != nil {
				return true, x
			}
			return false, d.Set(t, k, v)
		}); x != nil {
			return nil, x
		}
	}
	return d, nil
}

func setupChainMap() {
	c := chainMapClass
	c.Module = "collections"
	self := func(v value) *chainMap { m, _ := object.NativeOf[*chainMap](v); return m }
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		if len(names) > 0 {
			return raised(t.RaiseType("ChainMap.__init__() got an unexpected keyword argument '%s'", names[0]))
		}
		maps := append([]value(nil), a...)
		if len(maps) == 0 {
			d, x := t.Dict(0)
			if x != nil {
				return value{}, x
			}
			maps = []value{d.Value()}
		}
		l, x := t.List(maps)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(cls, c, object.Box(&chainMap{maps: l}))
	}
	first := func(t *thread, v value) (value, *exception) { return t.GetItem(self(v).maps, object.Int(0)) }
	c.Own.GetItem = func(t *thread, v, k value) (value, *exception) {
		r, ok, x := self(v).get(t, k)
		if x == nil && !ok {
			if v.Class().Defines("__missing__") {
				r, _, x := callSpecial(t, v, "__missing__", k)
				return r, x
			}
			x = object.NewException(object.KeyError, k)
		}
		return r, x
	}
	c.Own.SetItem = func(t *thread, v, k, w value) *exception {
		d, x := first(t, v)
		if x != nil {
			return x
		}
		return t.SetItem(d, k, w)
	}
	c.Own.DelItem = func(t *thread, v, k value) *exception {
		d, x := first(t, v)
		if x != nil {
			return x
		}
		if x := t.DelItem(d, k); x != nil {
			if x.Is(object.KeyError) {
				s, _ := t.Repr(k)
				return object.NewException(object.KeyError, object.NewStr("Key not found in the first mapping: "+s))
			}
			return x
		}
		return nil
	}
	c.Own.Contains = func(t *thread, v, k value) (bool, *exception) {
		_, ok, x := self(v).get(t, k)
		return ok, x
	}
	c.Own.Len = func(t *thread, v value) (int, *exception) {
		d, x := self(v).merged(t)
		if x != nil {
			return 0, x
		}
		return d.Len(), nil
	}
	c.Own.Iter = func(t *thread, v value) (object.Iterator, *exception) {
		d, x := self(v).merged(t)
		if x != nil {
			return nil, x
		}
		return t.Iter(d.Value())
	}
	c.Own.Bool = func(t *thread, v value) (bool, *exception) {
		any := false
		x := self(v).each(t, func(e value) (bool, *exception) {
			b, x := t.Truth(e)
			any = any || b
			return b, x
		})
		return any, x
	}
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		var parts []string
		x := self(v).each(t, func(e value) (bool, *exception) {
			s, x := t.Repr(e)
			parts = append(parts, s)
			return false, x
		})
		return shortName(v) + "(" + strings.Join(parts, ", ") + ")", x
	}
	c.Own.Compare = func(t *thread, op object.Cmp, v, w value) (value, *exception) {
		if op != object.Eq && op != object.Ne {
			return object.NotImplemented, nil
		}
		d, x := self(v).merged(t)
		if x != nil {
			return value{}, x
		}
		if m, ok := object.NativeOf[*chainMap](w); ok {
			e, x := m.merged(t)
			if x != nil {
				return value{}, x
			}
			w = e.Value()
		}
		return t.Compare(op, d.Value(), w.Base())
	}
	c.Own.Children = func(v value, visit func(value)) int { visit(v.Native().(*chainMap).maps); return 64 }
	for _, name := range []string{"keys", "values", "items"} {
		c.Method(name, "", func(t *thread, a []value) (value, *exception) {
			d, x := self(a[0]).merged(t)
			if x != nil {
				return value{}, x
			}
			return callMethod(t, d.Value(), name)
		})
	}
	c.Method("get", "key default?", func(t *thread, a []value) (value, *exception) {
		v, ok, x := self(a[0]).get(t, a[1])
		if x != nil || ok {
			return v, x
		}
		if d, ok := given(a, 2); ok {
			return d, nil
		}
		return object.None, nil
	})
	c.Method("new_child", "m?", func(t *thread, a []value) (value, *exception) {
		m, ok := optional(a, 1)
		if !ok {
			d, x := t.Dict(0)
			if x != nil {
				return value{}, x
			}
			m = d.Value()
		}
		l, _ := object.ListOf(self(a[0]).maps)
		all, x := t.List(append([]value{m}, l.Items()...))
		if x != nil {
			return value{}, x
		}
		return t.Wrap(a[0].Class(), c, object.Box(&chainMap{maps: all}))
	})
	c.Getter("maps", func(_ *thread, v value) (value, *exception) { return self(v).maps, nil })
	c.Getter("parents", func(t *thread, v value) (value, *exception) {
		l, _ := object.ListOf(self(v).maps)
		rest := append([]value(nil), l.Items()[min(1, l.Len()):]...)
		return t.Construct(v.Class(), rest, nil)
	})
	c.Ready()
}

func init() {
	setupDefaultDict()
	setupOrderedDict()
	setupChainMap()
}
