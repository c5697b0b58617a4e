package module

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// hint is a name of typing: it can be subscripted and called, and means nothing.
type hint struct {
	object.Obj
	name string
	args []value
}

var hintClass = defineIn("typing", "_SpecialForm")

// Class is typing._SpecialForm.
func (*hint) Class() *class { return hintClass }

var hintNames = []string{
	"Any", "Optional", "Union", "List", "Dict", "Set", "FrozenSet", "Tuple", "Type", "Callable", "Iterable", "Iterator", "Sequence", "Mapping",
	"MutableMapping", "Generator", "Literal", "ClassVar", "Final", "NoReturn", "Never", "Self", "Annotated", "Awaitable", "Coroutine", "DefaultDict",
	"Deque", "Counter", "OrderedDict", "Collection", "Hashable", "Sized", "Text", "AnyStr", "TypeAlias", "Concatenate", "Required", "NotRequired", "ParamSpec",
	"MutableSequence", "MutableSet", "AbstractSet", "Container", "Reversible", "KeysView", "ItemsView", "ValuesView", "AsyncIterator", "AsyncIterable",
	"AsyncGenerator", "LiteralString", "TypeGuard", "Unpack", "IO", "TextIO", "BinaryIO", "Pattern", "Match", "SupportsInt", "SupportsFloat", "SupportsIndex",
	"SupportsAbs", "ReadOnly", "ChainMap", "ByteString", "ContextManager",
}

var _ = register("typing", func(*Library) *object.Module {
	m := object.NewModule("typing")
	for _, n := range hintNames {
		m.Set(n, object.Box(&hint{name: n}))
	}
	m.Set("TYPE_CHECKING", object.False)
	m.Func("cast", "typ val", func(_ *thread, a []value) (value, *exception) { return a[1], nil })
	for _, n := range []string{"final", "overload", "override", "no_type_check"} {
		m.Func(n, "arg", func(_ *thread, a []value) (value, *exception) { return a[0], nil })
	}
	m.Set("TypeVar", object.NewRaw("TypeVar", func(t *thread, a []value, names []string) (value, *exception) {
		if len(a) == 0 {
			return raised(t.RaiseType("TypeVar() missing required argument 'name' (pos 1)"))
		}
		s, _ := textOf(a[0])
		return object.Box(&hint{name: s}), t.Alloc(64)
	}).Value())
	for _, c := range []*class{namedTupleClass, typedDictClass, protocolClass, genericClass} {
		m.Set(c.Name, c.Value())
	}
	m.Func("runtime_checkable", "cls", runtimeCheckable)
	m.Func("NewType", "name tp", func(t *thread, _ []value) (value, *exception) {
		return object.NewBuiltin("NewType", "x /", func(_ *thread, a []value) (value, *exception) { return a[0], nil }).Value(), t.Alloc(120)
	})
	m.Func("get_origin", "tp", func(_ *thread, a []value) (value, *exception) {
		switch h := a[0].Native().(type) {
		case *object.Alias:
			return h.Origin.Value(), nil
		case *hint:
			if c := hintClasses[h.name]; c != nil {
				return c.Value(), nil
			}
			if h.args != nil {
				return object.Box(&hint{name: h.name}), nil
			}
		}
		return object.None, nil
	})
	m.Func("get_args", "tp", func(t *thread, a []value) (value, *exception) {
		switch h := a[0].Native().(type) {
		case *object.Alias:
			return t.Tuple(h.Args...)
		case *hint:
			return t.Tuple(h.args...)
		case *object.Union:
			return t.Tuple(h.Members...)
		}
		return t.Tuple()
	})
	m.Func("assert_never", "arg /", func(t *thread, a []value) (value, *exception) {
		s, x := t.Repr(a[0])
		if x != nil {
			return value{}, x
		}
		return raised(t.Raise(object.AssertionError, "Expected code to be unreachable, but got: %s", s))
	})
	return m
})

func init() {
	c := hintClass
	c.Final = true
	c.Own.Repr = func(t *thread, v value) (string, *exception) {
		h := v.Native().(*hint)
		s := "typing." + h.name
		if h.args == nil {
			return s, nil
		}
		s += "["
		for i, a := range h.args {
			if i > 0 {
				s += ", "
			}
			r, x := t.Repr(a)
			if k, ok := a.AsClass(); ok {
				r = k.FullName()
			}
			if x != nil {
				return "", x
			}
			s += r
		}
		return s + "]", nil
	}
	c.Own.GetItem = func(t *thread, v, k value) (value, *exception) {
		h := &hint{name: v.Native().(*hint).name, args: []value{k}}
		if u, ok := k.Tuple(); ok {
			h.args = u.Items()
		}
		return object.Box(h), t.Alloc(96)
	}
	c.Own.Binary = func(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
		if op != object.Or {
			return object.NotImplemented, nil
		}
		if swapped {
			v, w = w, v
		}
		return object.Box(&hint{name: "Union", args: []value{v, w}}), t.Alloc(112)
	}
	c.Own.Children = func(v value, visit func(value)) int {
		h := v.Native().(*hint)
		for _, a := range h.args {
			visit(a)
		}
		return 96
	}
	c.Ready()
}
