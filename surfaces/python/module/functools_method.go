package module

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// partialMethod is functools.partialmethod: a partial whose function becomes a
// method where it is read on an instance.
type partialMethod struct {
	object.Obj
	fn    value
	args  []value // the last len(names) are keywords
	names []string
}

var partialMethodClass = defineIn("functools", "partialmethod")

// Class is functools.partialmethod.
func (*partialMethod) Class() *class { return partialMethodClass }

// Bind gives the partial of the method, or of the function where it is read on the
// class.
func (p *partialMethod) Bind(t *thread, self value, owner *class) (value, *exception) {
	fn, x := t.Bound(p.fn, self, owner)
	if x != nil {
		return value{}, x
	}
	if fn == p.fn {
		return object.NewRaw("_method", p.unbound).Value(), t.Alloc(160)
	}
	return object.Box(&partial{fn: fn, args: p.args, names: p.names}), t.Alloc(160)
}

// unbound calls the function with the instance that it is given in front.
func (p *partialMethod) unbound(t *thread, a []value, names []string) (value, *exception) {
	if len(a)-len(names) == 0 {
		return raised(t.RaiseType("partialmethod._make_unbound_method.<locals>._method() missing 1 required positional argument: 'cls_or_self'"))
	}
	kept := len(p.args) - len(p.names)
	q := &partial{fn: p.fn, names: p.names, args: slices.Concat([]value{a[0]}, p.args[:kept], p.args[kept:])}
	return q.call(t, a[1:], names)
}

func init() {
	c := partialMethodClass
	c.Module = "functools"
	c.New = func(t *thread, _ *class, a []value, names []string) (value, *exception) {
		if len(a)-len(names) == 0 {
			return raised(t.RaiseType("partialmethod.__init__() missing 1 required positional argument: 'func'"))
		}
		if !binds(a[0]) && !t.Callable(a[0]) {
			s, x := t.Repr(a[0])
			if x != nil {
				return value{}, x
			}
			return raised(t.RaiseType("%s is not callable or a descriptor", s))
		}
		return object.Box(&partialMethod{fn: a[0], args: slices.Clone(a[1:]), names: slices.Clone(names)}), t.Alloc(160 + 16*len(a))
	}
	c.Own.Children = func(v value, visit func(value)) int {
		p := v.Native().(*partialMethod)
		visit(p.fn)
		for _, a := range p.args {
			visit(a)
		}
		return 160 + 16*len(p.args)
	}
	c.Ready()
}

// binds reports whether a value becomes another where it is read on an instance.
func binds(v value) bool {
	switch v.Native().(type) {
	case *object.StaticMethod, *object.ClassMethod, *object.Property, object.Binder:
		return true
	}
	return false
}
