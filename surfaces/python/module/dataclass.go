package module

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// dataField is a field of a dataclass.
type dataField struct {
	object.Obj
	name                              string
	standard, factory                 value // unset where there is none
	init, repr, compare, kwOnly, hash bool
}

var (
	dataFieldClass = object.Define("Field")
	frozenError    = object.Define("FrozenInstanceError", object.AttributeError)
)

// Class is dataclasses.Field.
func (*dataField) Class() *class { return dataFieldClass }

// dataInfo is what a dataclass knows of itself; its class holds it as Detail.
type dataInfo struct {
	fields                                            []*dataField
	eq, order, frozen, init, repr, unsafeHash, kwOnly bool
}

var _ = register("dataclasses", func(*Library) *object.Module {
	m := object.NewModule("dataclasses")
	m.Set("FrozenInstanceError", frozenError.Value()).Set("Field", dataFieldClass.Value())
	const options = "* init? repr? eq? order? unsafe_hash? frozen? match_args? kw_only? slots?"
	m.Func("dataclass", "cls? / "+options, func(t *thread, a []value) (value, *exception) {
		info := &dataInfo{}
		for i, to := range []*bool{&info.init, &info.repr, &info.eq, &info.order, &info.unsafeHash, &info.frozen} {
			b, x := truth(t, a, 1+i, i < 3)
			if x != nil {
				return value{}, x
			}
			*to = b
		}
		var x *exception
		if info.kwOnly, x = truth(t, a, 8, false); x != nil {
			return value{}, x
		}
		if cls, ok := optional(a, 0); ok {
			return makeDataclass(t, cls, info)
		}
		return object.NewBuiltin("wrap", "cls /", func(t *thread, a []value) (value, *exception) {
			own := *info
			return makeDataclass(t, a[0], &own)
		}).Value(), t.Alloc(160)
	})
	m.Func("field", "* default? default_factory? init? repr? hash? compare? metadata? kw_only?", func(t *thread, a []value) (value, *exception) {
		f := &dataField{standard: object.Arg(a, 0), factory: object.Arg(a, 1)}
		if f.standard.IsSet() && f.factory.IsSet() {
			return raised(t.RaiseValue("cannot specify both default and default_factory"))
		}
		var x *exception
		for i, to := range map[int]*bool{2: &f.init, 3: &f.repr, 5: &f.compare} {
			if *to, x = truth(t, a, i, true); x != nil {
				return value{}, x
			}
		}
		f.hash = f.compare
		if f.kwOnly, x = truth(t, a, 7, false); x != nil {
			return value{}, x
		}
		return object.Box(f), t.Alloc(160)
	})
	m.Func("fields", "class_or_instance", func(t *thread, a []value) (value, *exception) {
		info, ok := dataOf(a[0])
		if !ok {
			return raised(t.RaiseType("must be called with a dataclass type or instance"))
		}
		var out []value
		for _, f := range info.fields {
			out = append(out, object.Box(f))
		}
		return t.Tuple(out...)
	})
	m.Func("is_dataclass", "obj", func(_ *thread, a []value) (value, *exception) {
		_, ok := dataOf(a[0])
		return object.Bool(ok), nil
	})
	m.Func("asdict", "obj * dict_factory?", func(t *thread, a []value) (value, *exception) { return dataPlain(t, a[0], true, "asdict") })
	m.Func("astuple", "obj * tuple_factory?", func(t *thread, a []value) (value, *exception) { return dataPlain(t, a[0], false, "astuple") })
	m.Set("replace", object.NewRaw("replace", dataReplace).Value())
	return m
})

// dataOf gives what a dataclass or an instance of one knows.
func dataOf(v value) (*dataInfo, bool) {
	c, ok := v.AsClass()
	if !ok {
		c = v.Class()
	}
	for _, k := range c.MRO {
		if info, ok := k.Detail.(*dataInfo); ok {
			return info, true
		}
	}
	return nil, false
}

// gatherFields lists the fields of the bases, then of the class itself.
func gatherFields(t *thread, c *class, info *dataInfo) *exception {
	put := func(f *dataField) {
		for i, g := range info.fields {
			if g.name == f.name {
				info.fields[i] = f
				return
			}
		}
		info.fields = append(info.fields, f)
	}
	for i := len(c.MRO) - 1; i > 0; i-- {
		if base, ok := c.MRO[i].Detail.(*dataInfo); ok {
			for _, f := range base.fields {
				put(f)
			}
		}
	}
	v, _ := c.Attrs.Get("__annotations__")
	notes, ok := v.Dict()
	if !ok {
		return nil
	}
	kwOnly := info.kwOnly
	return eachPair(t, notes, func(k, note value) *exception {
		name, _ := textOf(k)
		if text, _ := t.Repr(note); strings.Contains(text, "ClassVar") {
			return nil
		}
		if s, _ := t.Repr(note); strings.Contains(s, "KW_ONLY") {
			kwOnly = true
			return nil
		}
		f := &dataField{name: name, init: true, repr: true, compare: true, hash: true, kwOnly: kwOnly}
		if d, ok := c.Attrs.Get(name); ok {
			if given, isField := d.Native().(*dataField); isField {
				own := *given
				own.Obj = object.Obj{}
				f = &own
				f.name, f.kwOnly = name, f.kwOnly || kwOnly
				if f.standard.IsSet() {
					c.Attrs.Set(name, f.standard)
				} else {
					c.Attrs.Delete(name)
				}
			} else {
				f.standard = d
			}
		}
		if f.standard.IsSet() && !t.Hashable(f.standard) {
			return t.RaiseValue("mutable default %s for field %s is not allowed: use default_factory", "<class '"+f.standard.Class().FullName()+"'>", name)
		}
		put(f)
		return nil
	})
}

// makeDataclass adds the methods to a class.
func makeDataclass(t *thread, v value, info *dataInfo) (value, *exception) {
	c, ok := v.AsClass()
	if !ok || !c.Heap {
		return raised(t.RaiseType("dataclass() should be used with a class"))
	}
	if info.order && !info.eq {
		return raised(t.RaiseValue("eq must be true if order is true"))
	}
	if x := t.Alloc(1024); x != nil {
		return value{}, x
	}
	for _, k := range c.MRO[1:] {
		if base, ok := k.Detail.(*dataInfo); ok && base.frozen != info.frozen {
			if info.frozen {
				return raised(t.RaiseType("cannot inherit frozen dataclass from a non-frozen one"))
			}
			return raised(t.RaiseType("cannot inherit non-frozen dataclass from a frozen one"))
		}
	}
	if x := gatherFields(t, c, info); x != nil {
		return value{}, x
	}
	seen := ""
	for _, f := range info.fields {
		if !f.init || f.kwOnly {
			continue
		}
		if f.standard.IsSet() || f.factory.IsSet() {
			seen = f.name
		} else if seen != "" {
			return raised(t.RaiseType("non-default argument '%s' follows default argument", f.name))
		}
	}
	c.Detail = info
	return v, info.addMethods(t, c)
}

// addMethods puts what the options ask for on the class.
func (info *dataInfo) addMethods(t *thread, c *class) *exception {
	var failed *exception
	add := func(name string, always bool, fn object.RawFunc) {
		if _, own := c.Attrs.Get(name); own && !always || failed != nil {
			return
		}
		b := object.NewRaw(name, fn)
		b.Method = true
		failed = c.Store(t, name, b.Value())
	}
	if info.init {
		add("__init__", true, func(t *thread, a []value, names []string) (value, *exception) {
			return object.None, info.construct(t, c, a, names)
		})
	}
	if info.repr {
		add("__repr__", false, func(t *thread, a []value, _ []string) (value, *exception) {
			s, x := info.text(t, a[0])
			return str(t, s, x)
		})
	}
	if info.eq {
		_, hasEq := c.Attrs.Get("__eq__")
		_, hasHash := c.Attrs.Get("__hash__")
		add("__eq__", false, info.comparison(object.Eq))
		switch {
		case hasHash:
		case info.frozen || info.unsafeHash:
			add("__hash__", true, func(t *thread, a []value, _ []string) (value, *exception) {
				u, x := info.values(t, a[0], func(f *dataField) bool { return f.hash })
				if x != nil {
					return value{}, x
				}
				h, x := t.Hash(u)
				return object.Int(int64(h)), x
			})
		case !hasEq && failed == nil:
			failed = c.Store(t, "__hash__", object.None)
		}
	}
	if info.order {
		for name, op := range map[string]object.Cmp{"__lt__": object.Lt, "__le__": object.Le, "__gt__": object.Gt, "__ge__": object.Ge} {
			if _, own := c.Attrs.Get(name); own {
				return t.RaiseType("Cannot overwrite attribute %s in class %s. Consider using functools.total_ordering", name, c.Name)
			}
			add(name, false, info.comparison(op))
		}
	}
	if info.frozen {
		refuse := func(word string) object.RawFunc {
			return func(t *thread, a []value, _ []string) (value, *exception) {
				s, x := t.Repr(a[1])
				if x != nil {
					return value{}, x
				}
				return raised(t.Raise(frozenError, "cannot %s field %s", word, s))
			}
		}
		add("__setattr__", true, refuse("assign to"))
		add("__delattr__", true, refuse("delete"))
	}
	if _, own := c.Attrs.Get("__match_args__"); !own && failed == nil {
		var names []string
		for _, f := range info.fields {
			if f.init && !f.kwOnly {
				names = append(names, f.name)
			}
		}
		failed = c.Store(t, "__match_args__", fieldNames(names))
	}
	return failed
}

// construct is __init__.
func (info *dataInfo) construct(t *thread, c *class, a []value, names []string) *exception {
	p := parameters{function: c.Qual + ".__init__", self: "self"}
	var order, only []*dataField
	for _, f := range info.fields {
		switch {
		case f.init && f.kwOnly:
			only = append(only, f)
		case f.init:
			order = append(order, f)
		}
	}
	for _, f := range order {
		p.names = append(p.names, f.name)
	}
	for _, f := range only {
		p.keyword = append(p.keyword, f.name)
	}
	order = append(order, only...)
	for _, f := range order {
		d := f.standard
		if f.factory.IsSet() {
			d = object.Ellipsis // replaced below
		}
		p.defaults = append(p.defaults, d)
	}
	values, x := p.bind(t, a[1:], names)
	if x != nil {
		return x
	}
	self, ok := a[0].Instance()
	if !ok {
		return t.RaiseType("a dataclass cannot derive from this built-in class")
	}
	for _, f := range info.fields {
		v := f.standard
		i := -1
		for j, g := range order {
			if g == f {
				i = j
			}
		}
		if i >= 0 {
			v = values[i]
		}
		if f.factory.IsSet() && (i < 0 || !wasGiven(a[1:], names, i, len(p.names), f.name)) {
			if v, x = t.Call(f.factory); x != nil {
				return x
			}
		}
		if !v.IsSet() {
			continue
		}
		if x := self.SetAttr(t, f.name, v); x != nil {
			return x
		}
	}
	if _, ok := c.Lookup("__post_init__"); ok {
		_, _, x := callSpecial(t, a[0], "__post_init__")
		return x
	}
	return nil
}

// wasGiven reports whether a parameter has an argument.
func wasGiven(a []value, names []string, i, positional int, name string) bool {
	return i < positional && i < len(a)-len(names) || indexOf(names, name) >= 0
}

// values gives the fields that are chosen, as a tuple.
func (info *dataInfo) values(t *thread, v value, chosen func(*dataField) bool) (value, *exception) {
	var out []value
	for _, f := range info.fields {
		if !chosen(f) {
			continue
		}
		w, x := t.GetAttr(v, f.name)
		if x != nil {
			return value{}, x
		}
		out = append(out, w)
	}
	return t.Tuple(out...)
}

func (info *dataInfo) comparison(op object.Cmp) object.RawFunc {
	return func(t *thread, a []value, _ []string) (value, *exception) {
		if len(a) != 2 {
			return raised(t.RaiseType("expected 1 argument, got %d", len(a)-1))
		}
		if a[0].Class() != a[1].Class() {
			return object.NotImplemented, nil
		}
		compared := func(f *dataField) bool { return f.compare }
		v, x := info.values(t, a[0], compared)
		if x != nil {
			return value{}, x
		}
		w, x := info.values(t, a[1], compared)
		if x != nil {
			return value{}, x
		}
		return t.Compare(op, v, w)
	}
}

func (info *dataInfo) text(t *thread, v value) (string, *exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return "", x
	}
	defer t.Leave()
	var parts []string
	for _, f := range info.fields {
		if !f.repr {
			continue
		}
		w, x := t.GetAttr(v, f.name)
		if x != nil {
			return "", x
		}
		s, x := t.Repr(w)
		if x != nil {
			return "", x
		}
		parts = append(parts, f.name+"="+s)
	}
	return v.Class().Qual + "(" + strings.Join(parts, ", ") + ")", t.Charge(int64(len(parts)))
}

// dataPlain is asdict and astuple.
func dataPlain(t *thread, v value, dict bool, name string) (value, *exception) {
	if _, isClass := v.AsClass(); isClass {
		return raised(t.RaiseType("%s() should be called on dataclass instances", name))
	}
	if _, ok := dataOf(v); !ok {
		return raised(t.RaiseType("%s() should be called on dataclass instances", name))
	}
	return plainData(t, v, dict)
}

func plainData(t *thread, v value, dict bool) (value, *exception) {
	if x := t.Enter(); x != nil {
		t.Leave()
		return value{}, x
	}
	defer t.Leave()
	if x := t.Charge(2); x != nil {
		return value{}, x
	}
	_, isClass := v.AsClass()
	if info, ok := dataOf(v); ok && !isClass {
		d, x := t.Dict(len(info.fields))
		if x != nil {
			return value{}, x
		}
		var all []value
		for _, f := range info.fields {
			w, x := t.GetAttr(v, f.name)
			if x != nil {
				return value{}, x
			}
			if w, x = plainData(t, w, dict); x != nil {
				return value{}, x
			}
			all = append(all, w)
			if x := d.SetName(t, f.name, w); x != nil {
				return value{}, x
			}
		}
		if dict {
			return d.Value(), nil
		}
		return t.Tuple(all...)
	}
	switch v.Kind() {
	case object.KindList, object.KindTuple:
		items, x := t.Items(v)
		if x != nil {
			return value{}, x
		}
		for i := range items {
			if items[i], x = plainData(t, items[i], dict); x != nil {
				return value{}, x
			}
		}
		if v.Kind() == object.KindTuple {
			return t.Tuple(items...)
		}
		return t.List(items)
	case object.KindDict:
		d, _ := v.Dict()
		out, x := t.Dict(d.Len())
		if x != nil {
			return value{}, x
		}
		return out.Value(), eachPair(t, d, func(k, w value) *exception {
			w, x := plainData(t, w, dict)
			if x != nil {
				return x
			}
			return out.Set(t, k, w)
		})
	}
	return v, nil
}

// dataReplace is replace().
func dataReplace(t *thread, a []value, names []string) (value, *exception) {
	if len(a)-len(names) != 1 {
		return raised(t.RaiseType("replace() takes 1 positional argument but %d were given", len(a)-len(names)))
	}
	info, ok := dataOf(a[0])
	if _, isClass := a[0].AsClass(); !ok || isClass {
		return raised(t.RaiseType("replace() should be called on dataclass instances"))
	}
	args, all := append([]value(nil), a[1:]...), append([]string(nil), names...)
	for _, f := range info.fields {
		if !f.init || indexOf(names, f.name) >= 0 {
			continue
		}
		v, x := t.GetAttr(a[0], f.name)
		if x != nil {
			return value{}, x
		}
		args, all = append(args, v), append(all, f.name)
	}
	return t.Construct(a[0].Class(), args, all)
}

func init() {
	frozenError.Module = "dataclasses"
	frozenError.Ready()
	c := dataFieldClass
	c.Module = "dataclasses"
	c.Final = true
	c.Getter("name", func(t *thread, v value) (value, *exception) { return t.Text(v.Native().(*dataField).name) })
	c.Getter("default", func(_ *thread, v value) (value, *exception) {
		if d := v.Native().(*dataField).standard; d.IsSet() {
			return d, nil
		}
		return object.None, nil
	})
	c.Getter("default_factory", func(_ *thread, v value) (value, *exception) {
		if d := v.Native().(*dataField).factory; d.IsSet() {
			return d, nil
		}
		return object.None, nil
	})
	for name, of := range map[string]func(f *dataField) bool{
		"init": func(f *dataField) bool { return f.init }, "repr": func(f *dataField) bool { return f.repr }, "compare": func(f *dataField) bool { return f.compare },
		"kw_only": func(f *dataField) bool { return f.kwOnly },
	} {
		c.Getter(name, func(_ *thread, v value) (value, *exception) { return object.Bool(of(v.Native().(*dataField))), nil })
	}
	c.Own.Children = func(v value, visit func(value)) int {
		f := v.Native().(*dataField)
		visit(f.standard)
		visit(f.factory)
		return 160
	}
	c.Ready()
}
