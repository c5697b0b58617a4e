package module

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// getter is what itemgetter, attrgetter and methodcaller make.
type getter struct {
	object.Obj
	class *class
	keys  []value
	paths [][]string
	name  string
	args  []value
	names []string
}

// Class is the class of the maker.
func (g *getter) Class() *class { return g.class }

var (
	itemGetter   = defineIn("operator", "itemgetter")
	attrGetter   = defineIn("operator", "attrgetter")
	methodCaller = defineIn("operator", "methodcaller")
)

var _ = register("operator", func(*Library) *object.Module {
	m := object.NewModule("operator")
	m.Set("itemgetter", itemGetter.Value()).Set("attrgetter", attrGetter.Value()).Set("methodcaller", methodCaller.Value())
	both := func(name, sig string, fn builtin) { m.Func(name, sig, fn) }
	for name, op := range map[string]object.Op{
		"add": object.Add, "sub": object.Sub, "mul": object.Mul, "truediv": object.TrueDiv, "floordiv": object.FloorDiv, "mod": object.Mod,
		"pow": object.Pow, "lshift": object.LShift, "rshift": object.RShift, "and_": object.And, "or_": object.Or, "xor": object.Xor, "matmul": object.MatMul,
	} {
		both(name, "a b /", func(t *thread, a []value) (value, *exception) { return t.Binary(op, a[0], a[1]) })
		in := "i" + strings.TrimSuffix(name, "_")
		both(in, "a b /", func(t *thread, a []value) (value, *exception) { return t.InPlace(op, a[0], a[1]) })
	}
	for name, op := range map[string]object.Cmp{"lt": object.Lt, "le": object.Le, "eq": object.Eq, "ne": object.Ne, "gt": object.Gt, "ge": object.Ge} {
		both(name, "a b /", func(t *thread, a []value) (value, *exception) { return t.Compare(op, a[0], a[1]) })
	}
	for name, op := range map[string]object.Unary{"neg": object.Neg, "pos": object.Pos, "invert": object.Invert, "inv": object.Invert, "abs": object.Abs} {
		both(name, "a /", func(t *thread, a []value) (value, *exception) { return t.UnaryOp(op, a[0]) })
	}
	both("truth", "a /", func(t *thread, a []value) (value, *exception) {
		b, x := t.Truth(a[0])
		return object.Bool(b), x
	})
	both("not_", "a /", func(t *thread, a []value) (value, *exception) {
		b, x := t.Truth(a[0])
		return object.Bool(!b), x
	})
	both("is_", "a b /", func(_ *thread, a []value) (value, *exception) { return object.Bool(a[0].Is(a[1])), nil })
	both("is_not", "a b /", func(_ *thread, a []value) (value, *exception) { return object.Bool(!a[0].Is(a[1])), nil })
	both("getitem", "a b /", func(t *thread, a []value) (value, *exception) { return t.GetItem(a[0], a[1]) })
	both("setitem", "a b c /", func(t *thread, a []value) (value, *exception) { return object.None, t.SetItem(a[0], a[1], a[2]) })
	both("delitem", "a b /", func(t *thread, a []value) (value, *exception) { return object.None, t.DelItem(a[0], a[1]) })
	both("contains", "a b /", func(t *thread, a []value) (value, *exception) {
		b, x := t.Contains(a[0], a[1])
		return object.Bool(b), x
	})
	both("concat", "a b /", func(t *thread, a []value) (value, *exception) { return t.Binary(object.Add, a[0], a[1]) })
	both("index", "a /", func(t *thread, a []value) (value, *exception) { return t.Index(a[0]) })
	both("length_hint", "obj default? /", func(t *thread, a []value) (value, *exception) {
		n, x := t.Len(a[0])
		if x != nil && x.Limit == nil {
			if v, ok := given(a, 1); ok {
				return v, nil
			}
			return object.Int(0), nil
		}
		return object.Int(int64(n)), x
	})
	both("countOf", "a b /", func(t *thread, a []value) (value, *exception) {
		n := int64(0)
		x := t.Each(a[0], func(v value) (bool, *exception) {
			eq, x := t.Equal(v, a[1])
			if eq {
				n++
			}
			return false, x
		})
		return object.Int(n), x
	})
	both("indexOf", "a b /", func(t *thread, a []value) (value, *exception) {
		n, found := int64(0), false
		x := t.Each(a[0], func(v value) (bool, *exception) {
			eq, x := t.Equal(v, a[1])
			if !eq {
				n++
			}
			found = found || eq
			return eq, x
		})
		if x == nil && !found {
			x = t.RaiseValue("sequence.index(x): x not in sequence")
		}
		return object.Int(n), x
	})
	return m
})

// attrPath follows a dotted name.
func attrPath(t *thread, v value, path []string) (value, *exception) {
	for _, name := range path {
		var x *exception
		if v, x = t.GetAttr(v, name); x != nil {
			return value{}, x
		}
	}
	return v, nil
}

// several applies a getter: one result, or a tuple of them.
func several(t *thread, n int, get func(i int) (value, *exception)) (value, *exception) {
	if n == 1 {
		return get(0)
	}
	out := make([]value, n)
	for i := range out {
		var x *exception
		if out[i], x = get(i); x != nil {
			return value{}, x
		}
	}
	return t.Tuple(out...)
}

func (g *getter) apply(t *thread, a []value, names []string) (value, *exception) {
	if len(a) != 1 || len(names) > 0 {
		if len(names) > 0 {
			return raised(t.RaiseType("%s() takes no keyword arguments", g.class.ShortName()))
		}
		return raised(t.RaiseType("%s expected 1 argument, got %d", g.class.ShortName(), len(a)))
	}
	switch g.class {
	case itemGetter:
		return several(t, len(g.keys), func(i int) (value, *exception) { return t.GetItem(a[0], g.keys[i]) })
	case attrGetter:
		return several(t, len(g.paths), func(i int) (value, *exception) { return attrPath(t, a[0], g.paths[i]) })
	}
	f, x := t.GetAttr(a[0], g.name)
	if x != nil {
		return value{}, x
	}
	return t.CallNames(f, g.args, g.names)
}

func init() {
	for _, c := range []*class{itemGetter, attrGetter, methodCaller} {
		c.Module = "operator"
		c.Own.Call = func(t *thread, v value, a []value, names []string) (value, *exception) {
			g, _ := object.NativeOf[*getter](v)
			return g.apply(t, a, names)
		}
		c.Own.Children = func(v value, visit func(value)) int {
			g := v.Native().(*getter)
			for _, k := range append(g.keys, g.args...) {
				visit(k)
			}
			return 160 + 16*len(g.keys)
		}
		c.Own.Repr = func(t *thread, v value) (string, *exception) {
			g := v.Native().(*getter)
			parts := append([]value(nil), g.keys...)
			if g.class == methodCaller {
				parts = append([]value{object.NewStr(g.name)}, g.args[:len(g.args)-len(g.names)]...)
			}
			out := make([]string, len(parts))
			for i, p := range parts {
				var x *exception
				if out[i], x = t.Repr(p); x != nil {
					return "", x
				}
			}
			for i, n := range g.names {
				s, x := t.Repr(g.args[len(g.args)-len(g.names)+i])
				if x != nil {
					return "", x
				}
				out = append(out, n+"="+s)
			}
			return "operator." + g.class.ShortName() + "(" + strings.Join(out, ", ") + ")", nil
		}
	}
	makes := func(c *class, make func(t *thread, g *getter, a []value, names []string) *exception) {
		c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
			if x := t.Alloc(160 + 16*len(a)); x != nil {
				return value{}, x
			}
			g := &getter{class: c}
			if x := make(t, g, a, names); x != nil {
				return value{}, x
			}
			return t.Wrap(cls, c, object.Box(g))
		}
		c.Ready()
	}
	makes(itemGetter, func(t *thread, g *getter, a []value, names []string) *exception {
		switch {
		case len(names) > 0:
			return t.RaiseType("itemgetter() takes no keyword arguments")
		case len(a) == 0:
			return t.RaiseType("itemgetter expected 1 argument, got 0")
		}
		g.keys = append(g.keys, a...)
		return nil
	})
	makes(attrGetter, func(t *thread, g *getter, a []value, names []string) *exception {
		switch {
		case len(names) > 0:
			return t.RaiseType("attrgetter() takes no keyword arguments")
		case len(a) == 0:
			return t.RaiseType("attrgetter expected 1 argument, got 0")
		}
		for _, v := range a {
			s, ok := textOf(v)
			if !ok {
				return t.RaiseType("attribute name must be a string")
			}
			g.keys = append(g.keys, v)
			g.paths = append(g.paths, strings.Split(s, "."))
		}
		return nil
	})
	makes(methodCaller, func(t *thread, g *getter, a []value, names []string) *exception {
		if len(a)-len(names) == 0 {
			return t.RaiseType("methodcaller needs at least one argument, the method name")
		}
		s, ok := textOf(a[0])
		if !ok {
			return t.RaiseType("method name must be a string")
		}
		g.name, g.args, g.names = s, append([]value(nil), a[1:]...), append([]string(nil), names...)
		return nil
	})
}
