package module

import (
	"slices"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// The classes of enum.
var (
	enumClass     = object.Define("Enum")
	reprEnumClass = object.Define("ReprEnum", enumClass)
	intEnumClass  = object.Define("IntEnum", object.IntClass, reprEnumClass)
	strEnumClass  = object.Define("StrEnum", object.StrClass, reprEnumClass)
	flagClass     = object.Define("Flag", enumClass)
	intFlagClass  = object.Define("IntFlag", object.IntClass, reprEnumClass, flagClass)
	autoClass     = object.Define("auto")
	wrappedClass  = object.Define("member")
	shadowedClass = object.Define("property")
)

// autoValue is auto(): the next value, known when it is given a name.
type autoValue struct {
	object.Obj
	v value // unset until then
}

// Class is enum.auto.
func (*autoValue) Class() *class { return autoClass }

// wrapped is member(x) or nonmember(x).
type wrapped struct {
	object.Obj
	v      value
	member bool
}

// Class is enum.member.
func (*wrapped) Class() *class { return wrappedClass }

// enumeration is what a class derived from Enum knows of itself.
type enumeration struct {
	class   *class
	data    *class // the built-in class its members extend, nil for none
	names   []string
	members []value // those that iteration gives
	byName  map[string]value
	byValue *object.Dict
	rest    []enumMember // those whose values have no hash
	flag    bool
	keeps   bool // bits that no member has are kept, as IntFlag does
	mask    int64
	singles int64
}

type enumMember struct{ v, member value }

var _ = register("enum", func(*Library) *object.Module {
	m := object.NewModule("enum")
	for _, c := range []*class{enumClass, reprEnumClass, intEnumClass, strEnumClass, flagClass, intFlagClass, autoClass} {
		m.Set(c.Name, c.Value())
	}
	m.Set("EnumType", object.TypeClass.Value()).Set("EnumMeta", object.TypeClass.Value()).Set("property", object.PropertyClass.Value())
	m.Func("unique", "enumeration", enumUnique)
	for name, member := range map[string]bool{"member": true, "nonmember": false} {
		m.Func(name, "value", func(t *thread, a []value) (value, *exception) {
			return object.Box(&wrapped{v: a[0], member: member}), t.Alloc(64)
		})
	}
	return m
})

// enumOf gives the enumeration that a class is, nil for those without members of
// their own.
func enumOf(c *class) *enumeration {
	e, _ := c.Detail.(*enumeration)
	return e
}

// enumUnique refuses an enumeration with two names for a value.
func enumUnique(t *thread, a []value) (value, *exception) {
	c, ok := a[0].AsClass()
	if !ok || enumOf(c) == nil {
		return a[0], nil
	}
	e := enumOf(c)
	var twice []string
	for _, n := range e.names {
		if real := memberName(e.byName[n]); real != n {
			twice = append(twice, n+" -> "+real)
		}
	}
	if len(twice) > 0 {
		r, x := t.Repr(a[0])
		if x != nil {
			return value{}, x
		}
		return raised(t.RaiseValue("duplicate values found in %s: %s", r, strings.Join(twice, ", ")))
	}
	return a[0], nil
}

func memberName(v value) string {
	if i, ok := v.Instance(); ok {
		if n, ok := i.Attr("_name_"); ok {
			s, _ := textOf(n)
			return s
		}
	}
	return ""
}

func memberValue(v value) value {
	if i, ok := v.Instance(); ok {
		if n, ok := i.Attr("_value_"); ok {
			return n
		}
	}
	return object.None
}

// enumBody watches a class body: auto() becomes a value when it is given a name.
type enumBody struct {
	t      *thread
	d      *object.ClassDef
	names  []string
	values map[string]value
	failed *exception
}

// prepareEnum is what Enum does before the body of a class statement runs.
func prepareEnum(t *thread, d *object.ClassDef) *exception {
	b := &enumBody{t: t, d: d, values: map[string]value{}}
	for _, v := range d.Bases {
		if c, ok := v.AsClass(); ok && c.IsSubclass(enumClass) {
			if e := enumOf(c); e != nil && len(e.names) > 0 {
				r, x := t.Repr(v)
				if x != nil {
					return x
				}
				return t.RaiseType("<enum '%s'> cannot extend %s", d.Name, r)
			}
		}
	}
	if x := t.Alloc(512); x != nil {
		return x
	}
	d.Attrs.Filter = b.assign
	d.Body = b
	return nil
}

func isSunder(n string) bool {
	return len(n) > 2 && n[0] == '_' && n[len(n)-1] == '_' && n[1] != '_' && n[len(n)-2] != '_'
}

func isDunder(n string) bool {
	return len(n) > 4 && strings.HasPrefix(n, "__") && strings.HasSuffix(n, "__")
}

// describes reports whether a value is a descriptor, which no member can be.
func describes(v value) bool {
	switch v.Kind() {
	case object.KindFunction:
		return true
	case object.KindBuiltin:
		b, _ := v.Builtin()
		return b.Method
	case object.KindNative:
		switch v.Native().(type) {
		case *object.Property, *object.StaticMethod, *object.ClassMethod, *object.Getter, object.Binder:
			return true
		}
	case object.KindInstance:
		c := v.Class()
		return c.Has("__get__") || c.Has("__set__") || c.Has("__delete__")
	}
	return false
}

// assign sees an assignment of the class body.
func (b *enumBody) assign(name string, v value) value {
	private := strings.HasPrefix(name, "_"+b.d.Name+"__")
	if w, ok := v.Native().(*wrapped); ok {
		if !w.member {
			return w.v
		}
		v = w.v
	} else if isSunder(name) || isDunder(name) || private || describes(v) {
		return v
	}
	if b.failed != nil {
		return v
	}
	if old, ok := b.values[name]; ok {
		r, x := b.t.Repr(old)
		if x == nil {
			x = b.t.RaiseType("'%s' already defined as %s", name, r)
		}
		b.failed = x
		return v
	}
	v = b.resolve(name, v)
	b.names = append(b.names, name)
	b.values[name] = v
	if x := b.t.Alloc(128); x != nil {
		b.failed = x
	}
	return v
}

// resolve gives auto() its value, also inside a tuple.
func (b *enumBody) resolve(name string, v value) value {
	if u, ok := v.Tuple(); ok {
		items := append([]value(nil), u.Items()...)
		changed := false
		for i, e := range items {
			if _, isAuto := e.Native().(*autoValue); isAuto {
				items[i], changed = b.resolve(name, e), true
			}
		}
		if changed {
			return object.NewTuple(items)
		}
		return v
	}
	a, ok := v.Native().(*autoValue)
	if !ok {
		return v
	}
	if !a.v.IsSet() {
		a.v, b.failed = b.next(name)
	}
	return a.v
}

// next asks for the next value.
func (b *enumBody) next(name string) (value, *exception) {
	last := make([]value, len(b.names))
	for i, n := range b.names {
		last[i] = b.values[n]
	}
	if x := b.t.Alloc(64 + 16*len(last)); x != nil {
		return value{}, x
	}
	args := []value{object.NewStr(name), object.Int(1), object.Int(int64(len(last))), object.NewList(last)}
	if f, ok := b.d.Attrs.Get("_generate_next_value_"); ok {
		if s, isStatic := f.Native().(*object.StaticMethod); isStatic {
			f = s.Fn
		}
		return b.t.Call(f, args...)
	}
	for _, v := range b.d.Bases {
		if c, ok := v.AsClass(); ok && c.IsSubclass(enumClass) {
			f, x := b.t.GetAttr(v, "_generate_next_value_")
			if x != nil {
				return value{}, x
			}
			return b.t.Call(f, args...)
		}
	}
	return nextNumber(b.t, args)
}

// nextNumber is Enum._generate_next_value_: one more than the greatest.
func nextNumber(t *thread, a []value) (value, *exception) {
	last, x := t.Items(a[3])
	if x != nil {
		return value{}, x
	}
	if len(last) == 0 {
		return a[1], nil
	}
	if x := t.Sort(last, value{}, value{}); x != nil {
		return value{}, x
	}
	top := last[len(last)-1]
	v, x := t.Binary(object.Add, top, object.Int(1))
	if x != nil && x.Is(object.TypeError) {
		r, y := t.Repr(top)
		if y != nil {
			return value{}, y
		}
		x = t.RaiseType("unable to increment %s", r)
	}
	return v, x
}

// nextBit is Flag._generate_next_value_.
func nextBit(t *thread, a []value) (value, *exception) {
	last, x := t.Peek(a[3])
	if x != nil {
		return value{}, x
	}
	most := int64(0)
	for i, v := range last {
		n, ok := v.Base().Int()
		if !ok {
			return raised(t.RaiseType("invalid flag value %s", nameOf(v)))
		}
		if i == 0 || n > most {
			most = n
		}
	}
	if len(last) == 0 {
		return a[1], nil
	}
	bit := int64(1)
	for bit <= most {
		bit <<= 1
	}
	return object.Int(bit), nil
}

// buildEnum makes the class of a class statement that derives from Enum.
func buildEnum(t *thread, d object.ClassDef) (value, *exception) {
	body, _ := d.Body.(*enumBody)
	if body == nil {
		// type(name, bases, attributes) has no body that was watched.
		names := d.Attrs
		d.Attrs = object.NewNamespace()
		if x := prepareEnum(t, &d); x != nil {
			return value{}, x
		}
		for _, n := range names.Names() {
			v, _ := names.Get(n)
			d.Attrs.Assign(n, v)
		}
		body = d.Body.(*enumBody)
	}
	d.Attrs.Filter = nil
	if body.failed != nil {
		return value{}, body.failed
	}
	ignored := map[string]bool{}
	if v, ok := d.Attrs.Get("_ignore_"); ok {
		list, x := fieldList(t, v)
		if x != nil {
			return value{}, x
		}
		for _, n := range list {
			ignored[n] = true
			d.Attrs.Delete(n)
		}
		d.Attrs.Delete("_ignore_")
	}
	for _, n := range body.names {
		d.Attrs.Delete(n)
		if n == "mro" || n == "" {
			return raised(t.RaiseValue("invalid enum member name(s) '%s'", n))
		}
	}
	if f, ok := d.Attrs.Get("_generate_next_value_"); ok && f.Kind() == object.KindFunction {
		d.Attrs.Set("_generate_next_value_", object.Box(&object.StaticMethod{Fn: f}))
	}
	c, x := t.NewClass(d)
	if x != nil {
		return value{}, x
	}
	e := &enumeration{class: c, byName: map[string]value{}, byValue: object.NewDict(), flag: c.IsSubclass(flagClass), keeps: c.IsSubclass(intFlagClass)}
	for _, k := range c.MRO {
		if !k.Heap && !k.IsSubclass(enumClass) && k != object.Object && k.Layout() == k {
			e.data = k
			break
		}
	}
	c.Detail = e
	if x := e.restoreTexts(t, d.Attrs); x != nil {
		return value{}, x
	}
	for _, n := range body.names {
		if ignored[n] {
			continue
		}
		if x := e.add(t, n, body.values[n]); x != nil {
			return value{}, x
		}
	}
	return c.Value(), nil
}

// restoreTexts makes members that extend a built-in class print as members do.
func (e *enumeration) restoreTexts(t *thread, own *object.Namespace) *exception {
	if e.data == nil {
		return nil
	}
	for _, n := range []string{"__repr__", "__str__", "__format__"} {
		if _, ok := own.Get(n); ok {
			continue
		}
		if slices.Contains(e.class.Bases, reprEnumClass) && n != "__repr__" {
			f, ok := e.data.Lookup(n)
			if !ok || n == "__str__" && e.data.Own.Str == nil {
				f, _ = e.data.Lookup("__repr__")
			}
			if x := e.class.Store(t, n, f); x != nil {
				return x
			}
			continue
		}
		for _, k := range e.class.MRO[1:] {
			if k.IsSubclass(enumClass) {
				f, ok := k.Lookup(n)
				if _, defined := k.Attrs.Get(n); k.Heap && !defined {
					continue
				}
				if ok {
					if x := e.class.Store(t, n, f); x != nil {
						return x
					}
				}
				break
			}
			if _, defined := k.Attrs.Get(n); defined && k.Heap {
				break
			}
		}
	}
	return nil
}

// add makes the member of a name, or another name for the member of its value.
func (e *enumeration) add(t *thread, name string, v value) *exception {
	if x := t.Alloc(512); x != nil {
		return x
	}
	m, x := e.create(t, v)
	if x != nil {
		return x
	}
	i, _ := m.Instance()
	real, ok := i.Attr("_value_")
	if !ok {
		real = v
		if e.data != nil {
			args := memberArgs(e.data, v)
			if real, x = t.Construct(e.data, args, nil); x != nil {
				return x
			}
		}
		if x := i.SetAttr(t, "_value_", real); x != nil {
			return x
		}
	}
	if old, found, x := e.find(t, real); x != nil {
		return x
	} else if found {
		return e.name(t, name, old)
	}
	if x := i.SetAttr(t, "_name_", object.NewStr(name)); x != nil {
		return x
	}
	if x := i.SetAttr(t, "_sort_order_", object.Int(int64(len(e.names)))); x != nil {
		return x
	}
	if f, ok := e.class.Lookup("__init__"); ok && (f.Kind() == object.KindFunction || f.Kind() == object.KindInstance) {
		if _, _, x := callSpecial(t, m, "__init__", memberArgs(e.data, v)...); x != nil {
			return x
		}
		if real, ok = i.Attr("_value_"); !ok {
			real = v
		}
	}
	canonical := true
	if n, ok := real.Base().Int(); ok && e.flag {
		canonical = n > 0 && n&(n-1) == 0
		e.mask |= n
		if canonical {
			e.singles |= n
		}
	}
	if canonical {
		e.members = append(e.members, m)
	}
	if x := e.remember(t, real, m); x != nil {
		return x
	}
	return e.name(t, name, m)
}

// name lets a name mean a member.
func (e *enumeration) name(t *thread, name string, m value) *exception {
	e.names = append(e.names, name)
	e.byName[name] = m
	if f, ok := e.class.Lookup(name); ok {
		switch f.Native().(type) {
		case *object.Property, *object.Getter:
			// The class has the member, its instances the property.
			return e.class.Store(t, name, object.Box(&shadowed{member: m, property: f}))
		}
	}
	return e.class.Store(t, name, m)
}

// shadowed is a member that bears the name of a property.
type shadowed struct {
	object.Obj
	member, property value
}

// Class is enum.property.
func (*shadowed) Class() *class { return shadowedClass }

// Bind gives the member of the class, and what the property gives of an instance.
func (s *shadowed) Bind(t *thread, self value, _ *class) (value, *exception) {
	switch p := s.property.Native().(type) {
	case *object.Property:
		if self.IsSet() && p.Get.IsSet() {
			return t.Call(p.Get, self)
		}
	case *object.Getter:
		if self.IsSet() {
			return p.Get(t, self)
		}
	}
	return s.member, nil
}

// memberArgs are the arguments that a member is made with.
func memberArgs(data *class, v value) []value {
	if u, ok := v.Tuple(); ok && data != object.TupleClass {
		return u.Items()
	}
	return []value{v}
}

// create makes the value of a member.
func (e *enumeration) create(t *thread, v value) (value, *exception) {
	args := memberArgs(e.data, v)
	if f, ok := e.class.Lookup("__new__"); ok {
		if s, isStatic := f.Native().(*object.StaticMethod); isStatic {
			f = s.Fn
		}
		if f.Kind() == object.KindFunction {
			m, x := t.Call(f, append([]value{e.class.Value()}, args...)...)
			if x != nil {
				return value{}, x
			}
			if _, ok := m.Instance(); !ok {
				return raised(t.RaiseType("__new__ must give an instance of the enumeration"))
			}
			return m, nil
		}
	}
	if e.data == nil {
		return t.NewInstance(e.class)
	}
	if e.class.IsSubclass(strEnumClass) {
		if x := checkStrEnum(t, args); x != nil {
			return value{}, x
		}
	}
	payload, x := t.Construct(e.data, args, nil)
	if x != nil {
		return value{}, x
	}
	return t.Extend(e.class, payload)
}

// checkStrEnum refuses values that are no text.
func checkStrEnum(t *thread, args []value) *exception {
	if len(args) > 3 {
		return t.RaiseType("too many arguments for str(): %d", len(args))
	}
	if len(args) == 1 {
		if _, ok := textOf(args[0]); !ok {
			r, x := t.Repr(args[0])
			if x != nil {
				return x
			}
			return t.RaiseType("%s is not a string", r)
		}
	}
	return nil
}

// find looks a value up.
func (e *enumeration) find(t *thread, v value) (value, bool, *exception) {
	if t.Hashable(v) {
		m, ok, x := e.byValue.Get(t, v)
		switch {
		case x == nil:
			if ok || len(e.rest) == 0 {
				return m, ok, nil
			}
		case !x.Is(object.TypeError):
			return value{}, false, x
		}
	}
	for _, r := range e.rest {
		same, x := t.Equal(r.v, v)
		if x != nil || same {
			return r.member, same, x
		}
	}
	return value{}, false, nil
}

func (e *enumeration) remember(t *thread, v, m value) *exception {
	x := e.byValue.Set(t, v, m)
	if x != nil && x.Is(object.TypeError) {
		e.rest = append(e.rest, enumMember{v, m})
		return t.Alloc(32)
	}
	return x
}

// lookUp is Color(value).
func (e *enumeration) lookUp(t *thread, v value) (value, *exception) {
	if v.Class() == e.class {
		return v, nil
	}
	m, ok, x := e.find(t, v)
	if x != nil || ok {
		return m, x
	}
	f, x := t.GetAttr(e.class.Value(), "_missing_")
	if x != nil {
		return value{}, x
	}
	m, x = t.Call(f, v)
	switch {
	case x != nil:
		return value{}, x
	case m.IsNone() && e.flag:
		return e.combined(t, v)
	case m.IsNone():
		return raised(e.invalid(t, v))
	case !m.Class().IsSubclass(e.class):
		r, x := t.Repr(m)
		if x != nil {
			return value{}, x
		}
		return raised(t.RaiseType("error in %s._missing_: returned %s instead of None or a valid member", e.class.Name, r))
	}
	return m, nil
}

func (e *enumeration) invalid(t *thread, v value) *exception {
	r, x := t.Repr(v)
	if x != nil {
		return x
	}
	return t.RaiseValue("%s is not a valid %s", r, e.class.Qual)
}

// enumCall is Color(value), and Enum(name, names).
func enumCall(t *thread, v value, a []value, names []string) (value, *exception) {
	c, _ := v.AsClass()
	e := enumOf(c)
	if e != nil && len(e.names) > 0 {
		switch {
		case len(a) == 1 && (len(names) == 0 || names[0] == "value"):
			return e.lookUp(t, a[0])
		case len(a) == 0:
			return raised(t.RaiseType("EnumType.__call__() missing 1 required positional argument: 'value'"))
		case len(names) == 0:
			u, x := t.Tuple(a...)
			if x != nil {
				return value{}, x
			}
			return e.lookUp(t, u)
		}
		return raised(t.RaiseType("EnumType.__call__() got an unexpected keyword argument '%s'", names[0]))
	}
	return enumFromNames(t, c, a, names)
}

var enumParameters = parameters{
	function: "EnumType.__call__", self: "cls", names: []string{"value", "names"}, keyword: []string{"module", "qualname", "type", "start", "boundary"},
	defaults: []value{{}, object.None, object.None, object.None, object.None, object.Int(1), object.None},
}

// enumFromNames makes an enumeration of a name and the names of its members.
func enumFromNames(t *thread, c *class, a []value, names []string) (value, *exception) {
	args, x := enumParameters.bind(t, a, names)
	if x != nil {
		return value{}, x
	}
	if args[1].IsNone() {
		e := enumOf(c)
		if e == nil {
			e = &enumeration{class: c}
		}
		if len(e.names) == 0 {
			r, x := t.Repr(c.Value())
			if x != nil {
				return value{}, x
			}
			return raised(t.RaiseType("%s has no members; specify `names=()` if you meant to create a new, empty, enum", r))
		}
		return raised(e.invalid(t, args[0]))
	}
	name, x := t.Str(args[0])
	if x != nil {
		return value{}, x
	}
	d := object.ClassDef{Name: name, Qual: name, Attrs: object.NewNamespace(), Bases: []value{c.Value()}}
	if !args[4].IsNone() {
		d.Bases = []value{args[4], c.Value()}
	}
	if x := prepareEnum(t, &d); x != nil {
		return value{}, x
	}
	body := d.Body.(*enumBody)
	pairs, x := enumPairs(t, args[1])
	if x != nil {
		return value{}, x
	}
	start, x := integer(t, args[5])
	if x != nil {
		return value{}, x
	}
	for i, p := range pairs {
		v := p.v
		if !v.IsSet() {
			last := make([]value, 0, i)
			for _, n := range body.names {
				last = append(last, body.values[n])
			}
			f, x := t.GetAttr(c.Value(), "_generate_next_value_")
			if x != nil {
				return value{}, x
			}
			if v, x = t.Call(f, object.NewStr(p.name), object.Int(start), object.Int(int64(i)), object.NewList(last)); x != nil {
				return value{}, x
			}
		}
		d.Attrs.Assign(p.name, v)
	}
	return buildEnum(t, d)
}

type enumPair struct {
	name string
	v    value
}

// enumPairs reads the names of members: a text, several, pairs or a mapping.
func enumPairs(t *thread, v value) ([]enumPair, *exception) {
	if s, ok := textOf(v); ok {
		var out []enumPair
		for _, n := range strings.Fields(strings.ReplaceAll(s, ",", " ")) {
			out = append(out, enumPair{name: n})
		}
		return out, t.Alloc(40 * len(out))
	}
	if d, ok := object.DictOf(v); ok {
		var out []enumPair
		x := eachPair(t, d, func(k, w value) *exception {
			n, x := t.Str(k)
			out = append(out, enumPair{n, w})
			return x
		})
		return out, x
	}
	items, x := t.Items(v)
	if x != nil {
		return nil, x
	}
	out := make([]enumPair, 0, len(items))
	for _, e := range items {
		if s, ok := textOf(e); ok {
			out = append(out, enumPair{name: s})
			continue
		}
		pair, x := t.Items(e)
		if x != nil {
			return nil, x
		}
		if len(pair) != 2 {
			return nil, t.RaiseValue("not enough values to unpack (expected 2, got %d)", len(pair))
		}
		n, x := t.Str(pair[0])
		if x != nil {
			return nil, x
		}
		out = append(out, enumPair{n, pair[1]})
	}
	return out, nil
}
