package module

import "github.com/polyglove/polyglove/surfaces/python/object"

var (
	abcClass     = object.Define("ABC")
	abcMetaClass = object.Define("ABCMeta", object.TypeClass)
)

var _ = register("abc", func(*Library) *object.Module {
	m := object.NewModule("abc")
	m.Set("ABC", abcClass.Value()).Set("ABCMeta", abcMetaClass.Value())
	m.Func("abstractmethod", "funcobj /", func(t *thread, a []value) (value, *exception) { return a[0], object.Abstract(t, a[0]) })
	m.Set("abstractproperty", object.PropertyClass.Value())
	return m
})

func init() {
	abcClass.Module = "abc"
	abcClass.MarkABC()
	abcClass.ClassMethod("register", "subclass /", func(t *thread, a []value) (value, *exception) {
		c, ok := a[1].AsClass()
		if !ok {
			return raised(t.RaiseType("Can only register classes"))
		}
		base, _ := a[0].AsClass()
		v, ok := base.Detail.(*virtual)
		switch {
		case base.Detail == nil:
			v = &virtual{}
			base.Detail = v
		case !ok:
			return raised(t.RaiseType("this class takes no virtual subclasses"))
		}
		if x := t.Alloc(16); x != nil {
			return value{}, x
		}
		v.classes = append(v.classes, c)
		if c.Heap {
			c.Sequence, c.Mapping = c.Sequence || base.Sequence, c.Mapping || base.Mapping
		}
		return a[1], nil
	})
	abcClass.Ready()
	abcMetaClass.Module = "abc"
	abcMetaClass.Final = true
	abcMetaClass.MarkABC()
	abcMetaClass.Ready()
}

// virtual says which classes count as subclasses of an abstract one: those that
// have all the named methods, and those registered.
type virtual struct {
	names   []string
	classes []*class
}

// Matches reports whether a class counts as a subclass.
func (v *virtual) Matches(t *thread, c *class) (bool, *exception) {
	if x := t.Charge(int64(len(v.names) + len(v.classes))); x != nil {
		return false, x
	}
	for _, k := range v.classes {
		if c.IsSubclass(k) {
			return true, nil
		}
	}
	for _, n := range v.names {
		if !c.Has(n) {
			return false, nil
		}
	}
	return len(v.names) > 0, nil
}
