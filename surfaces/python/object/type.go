package object

import (
	"slices"
	"strings"
)

// typeCall is type(x), and type(name, bases, dict).
func typeCall(t *Thread, args []Value, names []string) (Value, *Exception) {
	switch {
	case len(args) == 1 && len(names) == 0:
		return args[0].Class().Value(), nil
	case len(args) == 3:
		return t.typeFromParts(args)
	}
	return Value{}, t.RaiseType("type() takes 1 or 3 arguments")
}

func (t *Thread) typeFromParts(args []Value) (Value, *Exception) {
	name, ok := StrOf(args[0])
	if !ok {
		return Value{}, t.RaiseType("type.__new__() argument 1 must be str, not %s", args[0].Class().Name)
	}
	bases, ok := args[1].Tuple()
	if !ok {
		return Value{}, t.RaiseType("type.__new__() argument 2 must be tuple, not %s", args[1].Class().Name)
	}
	attrs, ok := args[2].Dict()
	if !ok {
		return Value{}, t.RaiseType("type.__new__() argument 3 must be dict, not %s", args[2].Class().Name)
	}
	ns := NewNamespace()
	for _, e := range attrs.entries {
		if !e.key.IsSet() {
			continue
		}
		s, ok := StrOf(e.key)
		if !ok {
			return Value{}, t.RaiseType("the names of a class must be strings")
		}
		if blocked(s.s) {
			return Value{}, t.raiseGate(s.s)
		}
		ns.Set(s.s, e.val)
	}
	return t.BuildClass(ClassDef{Name: name.s, Qual: name.s, Bases: bases.items, Attrs: ns})
}

// PrepareClass lets the bases of a class statement see it before its body runs.
func (t *Thread) PrepareClass(d *ClassDef) *Exception {
	for _, b := range d.Bases {
		if c, ok := b.AsClass(); ok && c.Prepare != nil {
			return c.Prepare(t, d)
		}
	}
	return nil
}

// BuildClass makes the class of a class statement, by the base that has a say in
// it.
func (t *Thread) BuildClass(d ClassDef) (Value, *Exception) {
	for _, b := range d.Bases {
		if c, ok := b.AsClass(); ok && c.Build != nil {
			return c.Build(t, d)
		}
	}
	c, x := t.NewClass(d)
	if x != nil {
		return Value{}, x
	}
	return c.Value(), nil
}

// NewClass makes a plain class.
func (t *Thread) NewClass(d ClassDef) (*Class, *Exception) {
	if x := t.Alloc(900 + 64*d.Attrs.Len()); x != nil {
		return nil, x
	}
	c := Define(d.Name)
	c.Qual, c.Module, c.Heap, c.Attrs = d.Qual, "__main__", true, d.Attrs
	if c.Qual == "" {
		c.Qual = d.Name
	}
	if d.Module != "" {
		c.Module = d.Module
	}
	if x := t.inherit(c, d.Bases); x != nil {
		return nil, x
	}
	if d.Made != nil {
		d.Made(c)
	}
	if doc, ok := d.Attrs.Get("__doc__"); ok {
		if s, ok := StrOf(doc); ok {
			c.Doc = s.s
		}
	}
	for i, n := range d.Names {
		if n == "metaclass" {
			if m, ok := d.Keywords[i].AsClass(); ok && (m == TypeClass || m.abc) {
				c.abc = m.abc
				continue
			}
			return nil, t.RaiseType("metaclasses are not available: use a decorator, a base class or __init_subclass__")
		}
	}
	t.readSlots(c)
	c.resolve()
	c.findAbstract()
	for _, b := range c.Bases {
		if b.Heap {
			b.subs = append(b.subs, c)
		}
	}
	if x := t.setNames(c); x != nil {
		return nil, x
	}
	return c, t.initSubclass(c, d)
}

// inherit sets the bases and the method order.
func (t *Thread) inherit(c *Class, bases []Value) *Exception {
	for _, b := range bases {
		k, ok := b.AsClass()
		if !ok {
			return t.RaiseType("the bases of a class must be classes, not %s", b.Class().Name)
		}
		if k.Final || k == TypeClass {
			if k == TypeClass {
				return t.RaiseType("metaclasses are not available: use a decorator, a base class or __init_subclass__")
			}
			return t.RaiseType("type '%s' is not an acceptable base type", k.FullName())
		}
		if slices.Contains(c.Bases, k) {
			return t.RaiseType("duplicate base class %s", k.Name)
		}
		c.Bases = append(c.Bases, k)
	}
	if len(c.Bases) == 0 {
		c.Bases = []*Class{Object}
	}
	// The method order is copied into each subclass and searched for each slot.
	n := 0
	for _, b := range c.Bases {
		n += len(b.MRO)
	}
	if n > maxOrder {
		return t.RaiseType("a class cannot have more than %d classes above it", maxOrder)
	}
	if x := t.Alloc(8 * n); x != nil {
		return x
	}
	if x := t.Charge(int64(resolveFuel * n)); x != nil {
		return x
	}
	mro, ok := linearize(c)
	if !ok {
		names := make([]string, len(c.Bases))
		for i, b := range c.Bases {
			names[i] = b.Name
		}
		return t.RaiseType("Cannot create a consistent method resolution\norder (MRO) for bases %s", strings.Join(names, ", "))
	}
	c.MRO = mro
	return t.layOut(c)
}

// maxOrder bounds the method order of a class, and with it every walk over one.
const maxOrder = 400

// resolveFuel is what resolving the slots of a class costs for each class above it.
const resolveFuel = 40

// descendants lists the classes that derive from a class, each once: a lattice of
// classes has more paths than anyone could walk.
func (c *Class) descendants() []*Class {
	if len(c.subs) == 0 {
		return nil
	}
	var all []*Class
	seen := map[*Class]bool{}
	todo := slices.Clone(c.subs)
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[k] {
			seen[k] = true
			all = append(all, k)
			todo = append(todo, k.subs...)
		}
	}
	return all
}

// layOut finds the built-in class that instances are built on: there can be only
// one.
func (t *Thread) layOut(c *Class) *Exception {
	for _, b := range c.Bases {
		l := b.layout
		if l == nil || l == Object {
			continue
		}
		switch {
		case c.layout == nil || l.IsSubclass(c.layout):
			c.layout = l
		case !c.layout.IsSubclass(l):
			return t.RaiseType("multiple bases have instance lay-out conflict")
		}
	}
	return nil
}

// readSlots reads __slots__.
func (t *Thread) readSlots(c *Class) {
	v, ok := c.Attrs.Get("__slots__")
	for _, b := range c.MRO[1:] {
		if b.Heap && b.Slotted == nil {
			return // a base with a namespace allows any attribute
		}
	}
	if !ok {
		return
	}
	c.Slotted = map[string]bool{}
	for _, b := range c.MRO[1:] {
		for n := range b.Slotted {
			c.Slotted[n] = true
		}
	}
	allow := func(n string) {
		if strings.HasPrefix(n, "__") && !strings.HasSuffix(n, "__") {
			n = "_" + strings.TrimLeft(c.Name, "_") + n
		}
		c.Slotted[n] = true
	}
	if s, ok := StrOf(v); ok {
		allow(s.s)
		return
	}
	items, x := t.Items(v)
	if x != nil {
		return
	}
	for _, e := range items {
		if s, ok := StrOf(e); ok {
			allow(s.s)
		}
	}
}

// MarkABC makes a class written in Go one whose subclasses cannot be instantiated
// while they leave abstract methods open, as abc.ABC is.
func (c *Class) MarkABC() { c.abc = true }

// Abstract marks a function as an abstract method, as abc.abstractmethod.
func Abstract(t *Thread, f Value) *Exception {
	switch f.Kind() {
	case KindFunction:
		return f.o.self.(*Function).setAttr(t, "__isabstractmethod__", True)
	case KindNative:
		switch d := f.o.self.(type) {
		case *Property:
			return Abstract(t, d.Get)
		case *StaticMethod:
			return Abstract(t, d.Fn)
		case *ClassMethod:
			return Abstract(t, d.Fn)
		}
	}
	return nil
}

// IsAbstract reports whether a function has been marked as an abstract method.
func IsAbstract(f Value) bool { return isAbstract(f) }

func isAbstract(f Value) bool {
	switch f.Kind() {
	case KindFunction:
		fn := f.o.self.(*Function)
		if fn.Attrs == nil {
			return false
		}
		v, ok := fn.Attrs.GetName("__isabstractmethod__")
		return ok && v == True
	case KindNative:
		switch d := f.o.self.(type) {
		case *Property:
			return d.Get.IsSet() && isAbstract(d.Get)
		case *StaticMethod:
			return isAbstract(d.Fn)
		case *ClassMethod:
			return isAbstract(d.Fn)
		}
	}
	return false
}

// findAbstract lists the abstract methods that the class leaves open, if one of
// its bases is an abstract base class.
func (c *Class) findAbstract() {
	for _, k := range c.MRO {
		c.abc = c.abc || k.abc
	}
	if !c.abc {
		return
	}
	seen := map[string]bool{}
	for _, k := range c.MRO {
		for _, n := range k.Attrs.names {
			if seen[n] {
				continue
			}
			seen[n] = true
			if isAbstract(k.Attrs.values[n]) {
				c.abstract = append(c.abstract, n)
			}
		}
	}
	slices.Sort(c.abstract)
}

// setNames tells descriptors under which name they stand.
func (t *Thread) setNames(c *Class) *Exception {
	for _, n := range slices.Clone(c.Attrs.names) {
		v := c.Attrs.values[n]
		if p, ok := v.Native().(*Property); ok {
			p.name = n
			continue
		}
		if b, ok := v.Native().(interface {
			SetName(t *Thread, c *Class, name string) *Exception
		}); ok {
			if x := b.SetName(t, c, n); x != nil {
				return x
			}
			continue
		}
		if v.isKind(KindInstance) {
			if _, _, x := t.CallSpecial(v, "__set_name__", c.Value(), NewStr(n)); x != nil {
				return x
			}
		}
	}
	return nil
}

// initSubclass calls __init_subclass__ of the bases.
func (t *Thread) initSubclass(c *Class, d ClassDef) *Exception {
	f, ok := c.lookupAfter(c, "__init_subclass__")
	if !ok {
		return nil
	}
	if m, isClassMethod := f.Native().(*ClassMethod); isClassMethod {
		f = m.Fn
	}
	args, names := []Value{c.Value()}, []string(nil)
	for i, n := range d.Names {
		if n != "metaclass" {
			args, names = append(args, d.Keywords[i]), append(names, n)
		}
	}
	if b, ok := f.Builtin(); ok {
		if len(names) > 0 {
			return t.RaiseType("%s.__init_subclass__() takes no keyword arguments", c.Name)
		}
		_, x := b.Call(t, args, nil)
		return x
	}
	_, x := t.CallNames(f, args, names)
	return x
}

// IsInstance is isinstance(v, classes).
func (t *Thread) IsInstance(v, classes Value) (bool, *Exception) {
	return t.classMatch(v.Class(), classes, "isinstance() arg 2 must be a type, a tuple of types, or a union")
}

// IsSubclassOf is issubclass(c, classes).
func (t *Thread) IsSubclassOf(c *Class, classes Value) (bool, *Exception) {
	return t.classMatch(c, classes, "issubclass() arg 2 must be a class, a tuple of classes, or a union")
}

// Matcher is a module's own value that isinstance() accepts as a class, such as
// those of typing.
type Matcher interface {
	Matches(t *Thread, c *Class) (bool, *Exception)
}

func (t *Thread) classMatch(c *Class, classes Value, wrong string) (bool, *Exception) {
	switch classes.Kind() {
	case KindClass:
		k := classes.o.self.(*Class)
		if m, ok := k.Detail.(Matcher); ok && !c.IsSubclass(k) {
			return m.Matches(t, c)
		}
		return c.IsSubclass(k), nil
	case KindTuple:
		if x := t.Enter(); x != nil {
			t.Leave()
			return false, x
		}
		defer t.Leave()
		for _, k := range classes.o.self.(*Tuple).items {
			if r, x := t.classMatch(c, k, wrong); r || x != nil {
				return r, x
			}
		}
		return false, nil
	case KindNative:
		switch m := classes.o.self.(type) {
		case *Union:
			return t.classMatch(c, NewTuple(m.Members), wrong)
		case Matcher:
			return m.Matches(t, c)
		}
	case KindNone:
		if strings.HasPrefix(wrong, "union") {
			return c == NoneClass, nil
		}
	}
	return false, t.RaiseType("%s", wrong)
}

// Union is int | str.
type Union struct {
	Obj
	Members []Value
}

// UnionClass is types.UnionType.
var UnionClass = Define("types.UnionType")

// Class is types.UnionType.
func (*Union) Class() *Class { return UnionClass }

// unionType is c | w between classes; NotImplemented if w is none.
func (t *Thread) unionType(c *Class, w Value) (Value, *Exception) {
	switch w.Kind() {
	case KindClass, KindNone:
	case KindNative:
		switch w.o.self.(type) {
		case *Union, *Alias:
		default:
			return NotImplemented, nil
		}
	default:
		return NotImplemented, nil
	}
	return Box(joinUnion(c.Value(), w)), nil
}

func joinUnion(v, w Value) *Union {
	u := &Union{}
	for _, m := range []Value{v, w} {
		parts := []Value{m}
		if o, ok := m.Native().(*Union); ok {
			parts = o.Members
		}
		for _, p := range parts {
			if p.IsNone() {
				p = NoneClass.Value()
			}
			if !slices.Contains(u.Members, p) {
				u.Members = append(u.Members, p)
			}
		}
	}
	return u
}

// Alias is list[int]: it calls and matches as the class.
type Alias struct {
	Obj
	Origin *Class
	Args   []Value
}

// AliasClass is types.GenericAlias.
var AliasClass = Define("types.GenericAlias")

// Class is types.GenericAlias.
func (*Alias) Class() *Class { return AliasClass }

func (t *Thread) alias(c *Class, key Value) (Value, *Exception) {
	args := []Value{key}
	if u, ok := key.Tuple(); ok {
		args = u.items
	}
	return Box(&Alias{Origin: c, Args: args}), t.Alloc(96)
}

func setupGenerics() {
	typeName := func(t *Thread, v Value) (string, *Exception) {
		if c, ok := v.AsClass(); ok {
			if c == NoneClass {
				return "None", nil
			}
			return c.FullName(), nil
		}
		if v == Ellipsis {
			return "...", nil
		}
		return t.Repr(v)
	}
	list := func(t *Thread, items []Value, sep string) (string, *Exception) {
		parts := make([]string, len(items))
		for i, v := range items {
			s, x := typeName(t, v)
			if x != nil {
				return "", x
			}
			parts[i] = s
		}
		return join(parts, sep), nil
	}
	UnionClass.Own.Repr = func(t *Thread, v Value) (string, *Exception) {
		return list(t, v.Native().(*Union).Members, " | ")
	}
	UnionClass.Own.Binary = func(_ *Thread, op Op, v, w Value, _ bool) (Value, *Exception) {
		if op != Or {
			return NotImplemented, nil
		}
		return Box(joinUnion(v, w)), nil
	}
	AliasClass.Own.Repr = func(t *Thread, v Value) (string, *Exception) {
		a := v.Native().(*Alias)
		s, x := list(t, a.Args, ", ")
		return a.Origin.FullName() + "[" + s + "]", x
	}
	AliasClass.Own.Call = func(t *Thread, v Value, args []Value, names []string) (Value, *Exception) {
		return t.Construct(v.Native().(*Alias).Origin, args, names)
	}
	AliasClass.Own.Binary = UnionClass.Own.Binary
	UnionClass.Ready()
	AliasClass.Ready()
}
