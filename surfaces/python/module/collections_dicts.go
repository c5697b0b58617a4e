package module

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
)

var (
	defaultDictClass = defineIn("collections", "defaultdict", object.DictClass)
	orderedDictClass = defineIn("collections", "OrderedDict", object.DictClass)
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
	c.Method("pop", "key default?", func(t *thread, a []value) (value, *exception) {
		if d, ok := given(a, 2); ok {
			return callDict(t, "pop", a[0], a[1], d)
		}
		return callDict(t, "pop", a[0], a[1])
	})
	c.Method("setdefault", "key default?", func(t *thread, a []value) (value, *exception) {
		if d, ok := given(a, 2); ok {
			return callDict(t, "setdefault", a[0], a[1], d)
		}
		return callDict(t, "setdefault", a[0], a[1])
	})
	c.ClassMethod("fromkeys", "iterable value?", func(t *thread, a []value) (value, *exception) {
		cls, _ := a[0].AsClass()
		out, x := t.Construct(cls, nil, nil)
		if x != nil {
			return value{}, x
		}
		v, ok := given(a, 2)
		if !ok {
			v = object.None
		}
		return out, t.Each(a[1], func(k value) (bool, *exception) { return false, t.SetItem(out, k, v) })
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

func init() {
	setupDefaultDict()
	setupOrderedDict()
}

// callDict calls a method of dict itself.
func callDict(t *thread, name string, args ...value) (value, *exception) {
	f, _ := object.DictClass.Lookup(name)
	return t.Call(f, args...)
}
