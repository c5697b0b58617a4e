package object

// Getter is a read-only computed attribute of a class written in Go.
type Getter struct {
	Obj
	Name  string
	Owner *Class
	Get   func(t *Thread, self Value) (Value, *Exception)
	Set   func(t *Thread, self, v Value) *Exception
}

// Class is getset_descriptor.
func (*Getter) Class() *Class { return getterClass }

// Property is property().
type Property struct {
	Obj
	Get, Set, Del, Doc Value
	name               string
}

// Class is property.
func (*Property) Class() *Class { return PropertyClass }

// StaticMethod is staticmethod().
type StaticMethod struct {
	Obj
	Fn Value
}

// Class is staticmethod.
func (*StaticMethod) Class() *Class { return StaticMethodClass }

// ClassMethod is classmethod().
type ClassMethod struct {
	Obj
	Fn Value
}

// Class is classmethod.
func (*ClassMethod) Class() *Class { return ClassMethodClass }

// Super is super().
type Super struct {
	Obj
	After *Class // the search begins behind it
	Self  Value
	Of    *Class // whose method order is searched
}

// Class is super.
func (*Super) Class() *Class { return SuperClass }

// Binder is a module's own descriptor: it decides what reading it as an attribute
// of an instance gives. self is unset when it is read on the class.
type Binder interface {
	Bind(t *Thread, self Value, owner *Class) (Value, *Exception)
}

// Setter is a [Binder] that also handles assignment.
type Setter interface {
	Store(t *Thread, self, v Value) *Exception
}

// bind gives what reading a class attribute on an instance gives.
func (t *Thread) bind(f, self Value, owner *Class) (Value, *Exception) {
	switch f.Kind() {
	case KindFunction:
		return t.newMethod(f, self)
	case KindBuiltin:
		if f.o.self.(*Builtin).Method {
			return t.newMethod(f, self)
		}
	case KindNative:
		switch d := f.o.self.(type) {
		case *Getter:
			return d.Get(t, self)
		case *Property:
			return d.read(t, self)
		case *StaticMethod:
			return d.Fn, nil
		case *ClassMethod:
			return t.bindClassMethod(d, owner)
		case Binder:
			return d.Bind(t, self, owner)
		}
	case KindInstance:
		if get, ok := t.special(f, "__get__"); ok {
			if !self.IsSet() {
				self = None
			}
			return t.callBound(get, f, self, owner.Value())
		}
	}
	return f, nil
}

func (t *Thread) newMethod(f, self Value) (Value, *Exception) {
	if x := t.Alloc(64); x != nil {
		return Value{}, x
	}
	return NewMethod(f, self), nil
}

// bindClassMethod binds to the class, through what it wraps.
func (t *Thread) bindClassMethod(d *ClassMethod, owner *Class) (Value, *Exception) {
	switch d.Fn.Kind() {
	case KindFunction, KindBuiltin, KindMethod:
		return NewMethod(d.Fn, owner.Value()), nil
	}
	return t.bind(d.Fn, owner.Value(), owner)
}

func (p *Property) read(t *Thread, self Value) (Value, *Exception) {
	if !p.Get.IsSet() || p.Get.IsNone() {
		return Value{}, t.Raise(AttributeError, "property%s of '%s' object has no getter", p.called(), t.ClassOf(self).Name)
	}
	return t.Call(p.Get, self)
}

func (p *Property) called() string {
	if p.name == "" {
		return ""
	}
	return " '" + p.name + "'"
}

func (p *Property) store(t *Thread, self, v Value) *Exception {
	f, word := p.Set, "setter"
	if !v.IsSet() {
		f, word = p.Del, "deleter"
	}
	if !f.IsSet() || f.IsNone() {
		return t.Raise(AttributeError, "property%s of '%s' object has no %s", p.called(), t.ClassOf(self).Name, word)
	}
	var x *Exception
	if v.IsSet() {
		_, x = t.Call(f, self, v)
	} else {
		_, x = t.Call(f, self)
	}
	return x
}

// isData reports whether a class attribute takes precedence over the instance's.
func (t *Thread) isData(f Value) bool {
	switch f.Kind() {
	case KindNative:
		switch f.o.self.(type) {
		case *Getter, *Property, Setter:
			return true
		}
	case KindInstance:
		_, set := t.special(f, "__set__")
		return set
	}
	return false
}

// The descriptor classes.
var (
	getterClass       = Define("getset_descriptor")
	PropertyClass     = Define("property")
	StaticMethodClass = Define("staticmethod")
	ClassMethodClass  = Define("classmethod")
	SuperClass        = Define("super")
)

func setupDescriptors() {
	for _, c := range []*Class{getterClass, PropertyClass, StaticMethodClass, ClassMethodClass, SuperClass} {
		c.Final = true
	}
	getterClass.Ready()
	setupProperty()
	setupStaticMethod()
	setupClassMethod()
	setupSuper()
}

func setupProperty() {
	c := PropertyClass
	c.New = func(t *Thread, cls *Class, args []Value, names []string) (Value, *Exception) {
		return propertyNew.Call(t, args, names)
	}
	with := func(name string, set func(p *Property, f Value)) {
		c.Method(name, "x /", func(t *Thread, a []Value) (Value, *Exception) {
			old := a[0].Native().(*Property)
			p := &Property{Get: old.Get, Set: old.Set, Del: old.Del, Doc: old.Doc, name: old.name}
			set(p, a[1])
			return Box(p), nil
		})
	}
	with("getter", func(p *Property, f Value) { p.Get = f })
	with("setter", func(p *Property, f Value) { p.Set = f })
	with("deleter", func(p *Property, f Value) { p.Del = f })
	get := func(name string, f func(p *Property) Value) {
		c.Getter(name, func(_ *Thread, self Value) (Value, *Exception) {
			if v := f(self.Native().(*Property)); v.IsSet() {
				return v, nil
			}
			return None, nil
		})
	}
	get("fget", func(p *Property) Value { return p.Get })
	get("fset", func(p *Property) Value { return p.Set })
	get("fdel", func(p *Property) Value { return p.Del })
	get("__doc__", func(p *Property) Value {
		if f, ok := p.Get.Function(); ok && !p.Doc.IsSet() {
			return f.Doc
		}
		return p.Doc
	})
	c.Own.Children = func(v Value, visit func(Value)) int {
		p := v.Native().(*Property)
		for _, f := range []Value{p.Get, p.Set, p.Del} {
			visit(f)
		}
		return 160
	}
	c.Ready()
}

var propertyNew = NewBuiltin("property", "fget? fset? fdel? doc?", func(_ *Thread, a []Value) (Value, *Exception) {
	p := &Property{Get: Arg(a, 0), Set: Arg(a, 1), Del: Arg(a, 2), Doc: Arg(a, 3)}
	if f, ok := p.Get.Function(); ok {
		p.name = f.Name
	}
	return Box(p), nil
})

func setupStaticMethod() {
	c := StaticMethodClass
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		if x := wantOne(t, "staticmethod", args, names); x != nil {
			return Value{}, x
		}
		return Box(&StaticMethod{Fn: args[0]}), nil
	}
	c.Own.Call = func(t *Thread, v Value, args []Value, names []string) (Value, *Exception) {
		return t.CallNames(v.Native().(*StaticMethod).Fn, args, names)
	}
	c.Getter("__func__", func(_ *Thread, v Value) (Value, *Exception) { return v.Native().(*StaticMethod).Fn, nil })
	c.Own.Children = func(v Value, visit func(Value)) int { visit(v.Native().(*StaticMethod).Fn); return 64 }
	c.Ready()
}

func setupClassMethod() {
	c := ClassMethodClass
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		if x := wantOne(t, "classmethod", args, names); x != nil {
			return Value{}, x
		}
		return Box(&ClassMethod{Fn: args[0]}), nil
	}
	c.Getter("__func__", func(_ *Thread, v Value) (Value, *Exception) { return v.Native().(*ClassMethod).Fn, nil })
	c.Own.Children = func(v Value, visit func(Value)) int { visit(v.Native().(*ClassMethod).Fn); return 64 }
	c.Ready()
}

func wantOne(t *Thread, name string, args []Value, names []string) *Exception {
	if len(names) > 0 {
		return t.RaiseType("%s() takes no keyword arguments", name)
	}
	if len(args) != 1 {
		return t.RaiseType("%s expected 1 argument, got %d", name, len(args))
	}
	return nil
}

func setupSuper() {
	c := SuperClass
	c.New = func(t *Thread, _ *Class, args []Value, names []string) (Value, *Exception) {
		if len(names) > 0 {
			return Value{}, t.RaiseType("super() takes no keyword arguments")
		}
		return t.newSuper(args)
	}
	c.Own.Repr = func(t *Thread, v Value) (string, *Exception) {
		s := v.Native().(*Super)
		return "<super: <class '" + s.After.Name + "'>, <" + s.Of.Name + " object>>", nil
	}
	c.Own.Children = func(v Value, visit func(Value)) int { visit(v.Native().(*Super).Self); return 80 }
	c.Ready()
}

// newSuper is super() with no argument, or with a class and an instance or class.
func (t *Thread) newSuper(args []Value) (Value, *Exception) {
	var after *Class
	var self Value
	switch len(args) {
	case 0:
		if t.Engine != nil {
			after, self = t.Engine.Caller()
		}
		if !self.IsSet() {
			return Value{}, t.Raise(RuntimeError, "super(): no arguments")
		}
		if after == nil {
			return Value{}, t.Raise(RuntimeError, "super(): __class__ cell not found")
		}
	case 2:
		c, ok := args[0].AsClass()
		if !ok {
			return Value{}, t.RaiseType("super() argument 1 must be a type, not %s", t.ClassOf(args[0]).Name)
		}
		after, self = c, args[1]
	default:
		return Value{}, t.RaiseType("super() expected at most 2 arguments, got %d", len(args))
	}
	of := t.ClassOf(self)
	if c, ok := self.AsClass(); ok && c.IsSubclass(after) {
		of = c
	}
	if !of.IsSubclass(after) {
		return Value{}, t.RaiseType("super(type, obj): obj must be an instance or subtype of type")
	}
	return Box(&Super{After: after, Self: self, Of: of}), nil
}

// attr finds an attribute behind the class.
func (s *Super) attr(t *Thread, name string) (Value, *Exception) {
	f, ok := s.Of.lookupAfter(s.After, name)
	if !ok {
		return Value{}, t.raiseNoAttr(Box(s), name)
	}
	if _, isClass := s.Self.AsClass(); isClass {
		switch d := f.Native().(type) {
		case *ClassMethod:
			return t.bindClassMethod(d, s.Of)
		case *StaticMethod:
			return d.Fn, nil
		}
		if name == "__init_subclass__" {
			return NewMethod(f, s.Self), nil
		}
		return f, nil
	}
	return t.bind(f, s.Self, s.Of)
}
