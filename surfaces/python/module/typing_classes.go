package module

import "github.com/polyglove/polyglove/surfaces/python/object"

// The classes of typing that programs derive from.
var (
	namedTupleClass = object.Define("NamedTuple")
	typedDictClass  = object.Define("TypedDict", object.DictClass)
	protocolClass   = object.Define("Protocol")
	genericClass    = object.Define("Generic")
)

// buildNamedTuple makes a record class of the annotations of a class body; what
// else the body defines stands in a subclass of the same name.
func buildNamedTuple(t *thread, d object.ClassDef) (value, *exception) {
	var fields []string
	var defaults []value
	if all, ok := d.Attrs.Get("__annotations__"); ok {
		notes, _ := object.DictOf(all)
		x := eachPair(t, notes, func(k, _ value) *exception {
			n, _ := textOf(k)
			fields = append(fields, n)
			v, ok := d.Attrs.Get(n)
			switch {
			case ok:
				defaults = append(defaults, v)
				d.Attrs.Delete(n)
			case len(defaults) > 0:
				return t.RaiseType("Non-default namedtuple field %s cannot follow default field%s %s", n, pluralS(len(defaults)), joined(fields[len(fields)-1-len(defaults):len(fields)-1]))
			}
			return nil
		})
		if x != nil {
			return value{}, x
		}
	}
	if x := checkFields(t, d.Name, fields, false); x != nil {
		return value{}, x
	}
	c, x := makeRecord(t, d.Name, fields, defaults)
	if x != nil {
		return value{}, x
	}
	bases := []value{c.Value()}
	for _, b := range d.Bases {
		if k, ok := b.AsClass(); ok && k != namedTupleClass {
			bases = append(bases, b)
		}
	}
	d.Bases = bases
	k, x := t.NewClass(d)
	if x != nil {
		return value{}, x
	}
	return k.Value(), nil
}

func joined(names []string) string {
	s := ""
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += n
	}
	return s
}

// newNamedTuple is NamedTuple("P", [("x", int)]).
func newNamedTuple(t *thread, _ *class, a []value, names []string) (value, *exception) {
	if len(a) != 2 || len(names) > 0 {
		return raised(t.RaiseType("NamedTuple() missing 1 required positional argument: 'typename'"))
	}
	pairs, x := t.Items(a[1])
	if x != nil {
		return value{}, x
	}
	fields := make([]value, len(pairs))
	for i, p := range pairs {
		if fields[i], x = t.GetItem(p, object.Int(0)); x != nil {
			return value{}, x
		}
	}
	return namedTuple(t, []value{a[0], object.NewList(fields)})
}

// buildTypedDict makes a class whose calls give plain dicts.
func buildTypedDict(t *thread, d object.ClassDef) (value, *exception) {
	d.Keywords, d.Names = nil, nil
	c, x := t.NewClass(d)
	if x != nil {
		return value{}, x
	}
	return c.Value(), nil
}

// runtimeCheckable lets isinstance() look for a protocol's methods.
func runtimeCheckable(t *thread, a []value) (value, *exception) {
	c, ok := a[0].AsClass()
	if !ok || !c.IsSubclass(protocolClass) {
		return a[0], nil
	}
	v := &virtual{}
	for _, n := range c.Attrs.Names() {
		switch n {
		case "__module__", "__qualname__", "__doc__", "__annotations__", "__slots__", "__init__":
			continue
		}
		v.names = append(v.names, n)
	}
	c.Detail = v
	return a[0], t.Alloc(64 + 16*len(v.names))
}

// hintClasses are the classes that names of typing stand for.
var hintClasses = map[string]*class{
	"List": object.ListClass, "Dict": object.DictClass, "Set": object.SetClass, "FrozenSet": object.FrozenSetClass, "Tuple": object.TupleClass, "Type": object.TypeClass,
	"DefaultDict": defaultDictClass, "Deque": dequeClass, "Counter": counterClass, "OrderedDict": orderedDictClass, "Text": object.StrClass,
}

// Matches reports whether values of a class fit a name of typing.
func (h *hint) Matches(t *thread, c *class) (bool, *exception) {
	if len(h.args) > 0 && h.name != "Union" && h.name != "Optional" {
		return false, t.RaiseType("Subscripted generics cannot be used with class and instance checks")
	}
	switch h.name {
	case "Union", "Optional":
		if h.name == "Optional" && c == object.NoneClass {
			return true, nil
		}
		for _, a := range h.args {
			if a.IsNone() {
				a = object.NoneClass.Value()
			}
			if ok, x := t.IsSubclassOf(c, a); ok || x != nil {
				return ok, x
			}
		}
		return false, nil
	case "Any":
		return false, t.RaiseType("typing.Any cannot be used with isinstance()")
	}
	if k := hintClasses[h.name]; k != nil {
		return c.IsSubclass(k), nil
	}
	m, x := libraryOf(t).importInside(t, "collections.abc")
	if x != nil {
		return false, x
	}
	k, ok, x := t.FindAttr(m, h.name)
	if x != nil || !ok {
		return false, t.RaiseType("typing.%s cannot be used with isinstance()", h.name)
	}
	return t.IsSubclassOf(c, k)
}

func init() {
	for _, c := range []*class{namedTupleClass, typedDictClass, protocolClass, genericClass} {
		c.Module = "typing"
	}
	namedTupleClass.Build = buildNamedTuple
	namedTupleClass.New = newNamedTuple
	namedTupleClass.Ready()
	typedDictClass.Build = buildTypedDict
	typedDictClass.Meta = &object.Slots{Call: func(t *thread, _ value, a []value, names []string) (value, *exception) {
		return t.CallNames(object.DictClass.Value(), a, names)
	}}
	typedDictClass.Ready()
	same := &object.Slots{GetItem: func(_ *thread, v, _ value) (value, *exception) { return v, nil }}
	protocolClass.Meta, genericClass.Meta = same, same
	protocolClass.MarkABC()
	protocolClass.Ready()
	genericClass.Ready()
}
