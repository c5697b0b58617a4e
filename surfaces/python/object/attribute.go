package object

import (
	"strings"

	"github.com/polyglove/polyglove/sandbox"
)

// Gate lists the attributes that reach what is behind values: frames, code,
// namespaces, class internals. No spelling reaches them.
var Gate = sandbox.NewGate(map[string]string{
	"__dict__":                 "Use vars(x), or name the attributes.",
	"__globals__":              "Name the variable directly.",
	"__code__":                 "",
	"__closure__":              "",
	"__builtins__":             "",
	"__mro__":                  "Use isinstance() or issubclass().",
	"mro":                      "Use isinstance() or issubclass().",
	"__bases__":                "Use isinstance() or issubclass().",
	"__base__":                 "Use isinstance() or issubclass().",
	"__subclasses__":           "Keep a list of the classes yourself.",
	"__subclasshook__":         "",
	"__getattribute__":         "Use getattr(x, name).",
	"__reduce__":               "Use the copy or json module.",
	"__reduce_ex__":            "Use the copy or json module.",
	"__getstate__":             "Use the copy or json module.",
	"__setstate__":             "Use the copy or json module.",
	"__self__":                 "",
	"__wrapped__":              "Keep a reference to the function yourself.",
	"__loader__":               "",
	"__spec__":                 "",
	"__file__":                 "",
	"__path__":                 "",
	"__import__":               "Use an import statement.",
	"__weakref__":              "",
	"__defaults__":             "",
	"__kwdefaults__":           "",
	"__traceback__":            "Use str(e) or repr(e).",
	"with_traceback":           "Use 'raise X from e'.",
	"tb_frame":                 "",
	"tb_next":                  "",
	"tb_lineno":                "",
	"gi_frame":                 "",
	"gi_code":                  "",
	"gi_yieldfrom":             "",
	"cr_frame":                 "",
	"cr_code":                  "",
	"cr_await":                 "",
	"ag_frame":                 "",
	"ag_code":                  "",
	"f_globals":                "",
	"f_locals":                 "",
	"f_builtins":               "",
	"f_code":                   "",
	"f_back":                   "",
	"func_globals":             "",
	"func_code":                "",
	"co_code":                  "",
	"co_consts":                "",
	"__init_subclass__.__func": "",
})

// raiseGate is the error of reaching for what is behind a value.
func (t *Thread) raiseGate(name string) *Exception {
	f := Gate.Fault(name)
	text := f.Message
	if f.Hint != "" {
		text += " " + f.Hint
	}
	x := t.Raise(AttributeError, "%s", text)
	x.Detail = f
	return x
}

// IsGate reports whether an exception is that of a name behind the gate.
func IsGate(x *Exception) bool {
	_, ok := x.Detail.(*sandbox.Fault)
	return ok && x.Is(AttributeError)
}

// blocked reports whether a name is behind the gate.
func blocked(name string) bool {
	// Every gated name has an underscore or is "mro".
	if strings.IndexByte(name, '_') < 0 && name != "mro" {
		return false
	}
	_, b := Gate.Blocked(name)
	return b
}

// GetAttr reads an attribute.
func (t *Thread) GetAttr(v Value, name string) (Value, *Exception) {
	r, ok, x := t.FindAttr(v, name)
	if x != nil || ok {
		return r, x
	}
	return Value{}, t.raiseNoAttr(v, name)
}

// FindAttr reads an attribute; ok is false where there is none. An exception is
// one that a property or __getattr__ raised.
func (t *Thread) FindAttr(v Value, name string) (r Value, ok bool, raised *Exception) {
	if blocked(name) {
		return Value{}, false, t.raiseGate(name)
	}
	switch v.Kind() {
	case KindInstance:
		return t.instanceAttr(v, v.o.self.(*Instance), name)
	case KindClass:
		return t.classAttr(v.o.self.(*Class), name)
	case KindModule:
		return v.o.self.(*Module).attr(t, name)
	case KindException:
		return t.exceptionAttr(v.o.self.(*Exception), name)
	case KindNative:
		if s, isSuper := v.o.self.(*Super); isSuper && name != "__class__" {
			r, raised = s.attr(t, name)
			return r, raised == nil, raised
		}
	case KindFunction:
		if r, ok := functionAttr(v.o.self.(*Function), name); ok {
			return r, true, nil
		}
	case KindBuiltin:
		if r, ok := builtinAttr(v.o.self.(*Builtin), name); ok {
			return r, true, nil
		}
	case KindMethod:
		if r, ok := t.methodAttr(v.o.self.(*Method), name); ok {
			return r, true, nil
		}
	}
	return t.plainAttr(v, name)
}

// plainAttr reads an attribute of a value whose attributes are its class's.
func (t *Thread) plainAttr(v Value, name string) (Value, bool, *Exception) {
	if v.isKind(KindDict) {
		// A field of a row comes before a method that is not being called.
		if d := v.o.self.(*Dict); d.Guard != nil {
			if r, ok := d.GetName(name); ok {
				return r, true, nil
			}
		}
	}
	c := t.ClassOf(v)
	if f, ok := c.Lookup(name); ok {
		r, x := t.bind(f, v, c)
		return r, x == nil, x
	}
	if name == "__class__" {
		return c.Value(), true, nil
	}
	if c.slots.GetAttr != nil {
		return c.slots.GetAttr(t, v, name)
	}
	if d, ok := v.Dict(); ok && d.Guard != nil {
		return d.Guard.Attr(t, d, name)
	}
	return Value{}, false, nil
}

func (t *Thread) instanceAttr(v Value, i *Instance, name string) (Value, bool, *Exception) {
	c := i.Cls
	if c.user.getattribute {
		return t.viaGetAttribute(v, name)
	}
	f, found := c.Lookup(name)
	if found && t.isData(f) {
		r, x := t.bind(f, v, c)
		return t.orGetAttr(v, name, r, x)
	}
	if i.Attrs != nil {
		if r, ok := i.Attrs.GetName(name); ok {
			return r, true, nil
		}
	}
	if found {
		r, x := t.bind(f, v, c)
		return t.orGetAttr(v, name, r, x)
	}
	if name == "__class__" {
		return c.Value(), true, nil
	}
	if c.slots.GetAttr != nil {
		if r, ok, x := c.slots.GetAttr(t, v, name); ok || x != nil {
			return r, ok, x
		}
	}
	if c.user.getattr {
		r, _, x := t.CallSpecial(v, "__getattr__", NewStr(name))
		return r, x == nil, x
	}
	return Value{}, false, nil
}

// orGetAttr falls back to __getattr__ where a property raised AttributeError.
func (t *Thread) orGetAttr(v Value, name string, r Value, x *Exception) (Value, bool, *Exception) {
	if x != nil && x.Is(AttributeError) && t.ClassOf(v).user.getattr {
		r, _, x = t.CallSpecial(v, "__getattr__", NewStr(name))
	}
	return r, x == nil, x
}

func (t *Thread) viaGetAttribute(v Value, name string) (Value, bool, *Exception) {
	r, _, x := t.CallSpecial(v, "__getattribute__", NewStr(name))
	if x != nil && x.Is(AttributeError) && t.ClassOf(v).user.getattr {
		r, _, x = t.CallSpecial(v, "__getattr__", NewStr(name))
	}
	return r, x == nil, x
}

// classAttr reads an attribute of a class object.
func (t *Thread) classAttr(c *Class, name string) (Value, bool, *Exception) {
	if f, ok := c.Lookup(name); ok {
		switch f.Kind() {
		case KindNative:
			switch d := f.o.self.(type) {
			case *StaticMethod:
				return d.Fn, true, nil
			case *ClassMethod:
				r, x := t.bindClassMethod(d, c)
				return r, x == nil, x
			case Binder:
				r, x := d.Bind(t, Value{}, c)
				return r, x == nil, x
			}
		case KindInstance:
			if _, has := t.special(f, "__get__"); has {
				r, x := t.bind(f, Value{}, c)
				return r, x == nil, x
			}
		}
		return f, true, nil
	}
	switch name {
	case "__name__":
		return NewStr(c.ShortName()), true, nil
	case "__qualname__":
		return NewStr(c.Qual), true, nil
	case "__module__":
		return NewStr(c.Module), true, nil
	case "__class__":
		return TypeClass.Value(), true, nil
	case "__doc__":
		if c.Doc != "" {
			return NewStr(c.Doc), true, nil
		}
		return None, true, nil
	case "__annotations__":
		return newDict().Value(), true, nil
	}
	if c.Meta != nil && c.Meta.GetAttr != nil {
		return c.Meta.GetAttr(t, c.Value(), name)
	}
	return Value{}, false, nil
}

func functionAttr(f *Function, name string) (Value, bool) {
	switch name {
	case "__name__":
		return NewStr(f.Name), true
	case "__qualname__":
		return NewStr(f.Qual), true
	case "__module__":
		return NewStr("__main__"), true
	case "__doc__":
		if f.Attrs != nil {
			if v, ok := f.Attrs.GetName(name); ok {
				return v, true
			}
		}
		if f.Doc.IsSet() {
			return f.Doc, true
		}
		return None, true
	case "__annotations__":
		if f.Attrs != nil {
			if v, ok := f.Attrs.GetName(name); ok {
				return v, true
			}
		}
		return newDict().Value(), true
	case "__get__":
		return NewBuiltin("__get__", "instance owner? /", func(t *Thread, a []Value) (Value, *Exception) {
			if a[0].IsNone() {
				return f.Value(), nil
			}
			return t.newMethod(f.Value(), a[0])
		}).Value(), true
	}
	if f.Attrs != nil {
		return f.Attrs.GetName(name)
	}
	return Value{}, false
}

func builtinAttr(b *Builtin, name string) (Value, bool) {
	switch name {
	case "__name__":
		return NewStr(b.Name), true
	case "__qualname__":
		return NewStr(b.qualified()), true
	case "__module__":
		if b.Module != "" {
			return NewStr(b.Module), true
		}
		return NewStr("builtins"), true
	case "__doc__":
		return None, true
	}
	return Value{}, false
}

func (t *Thread) methodAttr(m *Method, name string) (Value, bool) {
	switch m.Func.Kind() {
	case KindFunction:
		return functionAttr(m.Func.o.self.(*Function), name)
	case KindBuiltin:
		return builtinAttr(m.Func.o.self.(*Builtin), name)
	case KindNative:
		// A bound cache has what the cache has.
		if r, ok, x := t.FindAttr(m.Func, name); ok && x == nil {
			return r, true
		}
	}
	return Value{}, false
}

// raiseNoAttr is the error of an attribute that is not there.
func (t *Thread) raiseNoAttr(v Value, name string) *Exception {
	var x *Exception
	switch v.Kind() {
	case KindClass:
		x = t.Raise(AttributeError, "type object '%s' has no attribute '%s'", v.o.self.(*Class).Name, name)
	case KindModule:
		x = t.Raise(AttributeError, "module '%s' has no attribute '%s'", v.o.self.(*Module).Name, name)
	case KindFunction:
		x = t.Raise(AttributeError, "'function' object has no attribute '%s'", name)
	default:
		x = t.Raise(AttributeError, "'%s' object has no attribute '%s'", t.ClassOf(v).Name, name)
	}
	x.Detail = MissingAttr{Object: v, Name: name}
	return x
}

// MissingAttr is the detail of an AttributeError: what was looked for and where,
// so that a session can name the nearest one.
type MissingAttr struct {
	Object Value
	Name   string
}

// SetAttr sets an attribute, or deletes it if x is unset.
func (t *Thread) SetAttr(v Value, name string, w Value) *Exception {
	if blocked(name) || name == "__class__" {
		return t.raiseGate(name)
	}
	switch v.Kind() {
	case KindInstance:
		return t.setInstanceAttr(v, v.o.self.(*Instance), name, w)
	case KindClass:
		return t.setClassAttr(v.o.self.(*Class), name, w)
	case KindFunction:
		return v.o.self.(*Function).setAttr(t, name, w)
	case KindException:
		return v.o.self.(*Exception).setAttr(t, name, w)
	case KindDict:
		if d := v.o.self.(*Dict); d.Guard != nil {
			return t.setField(d, name, w)
		}
	}
	c := t.ClassOf(v)
	if f, ok := c.Lookup(name); ok {
		if done, x := t.storeData(f, v, w, name); done {
			return x
		}
		if c.slots.SetAttr == nil {
			return t.Raise(AttributeError, "'%s' object attribute '%s' is read-only", c.Name, name)
		}
	}
	if c.slots.SetAttr != nil {
		return c.slots.SetAttr(t, v, name, w)
	}
	return t.raiseNoAttr(v, name)
}

// setField sets the field of a row, or deletes it if w is unset.
func (t *Thread) setField(d *Dict, name string, w Value) *Exception {
	if w.IsSet() {
		return d.SetName(t, name, w)
	}
	if !d.deleteName(name) {
		return t.raiseNoAttr(d.Value(), name)
	}
	return nil
}

// storeData assigns through a descriptor; done is false where there is none.
func (t *Thread) storeData(f, v, w Value, name string) (done bool, raised *Exception) {
	switch f.Kind() {
	case KindNative:
		switch d := f.o.self.(type) {
		case *Getter:
			if d.Set != nil && w.IsSet() {
				return true, d.Set(t, v, w)
			}
			if d.Owner == nil {
				return false, nil
			}
			return true, t.Raise(AttributeError, "attribute '%s' of '%s' objects is not writable", name, d.Owner.Name)
		case *Property:
			return true, d.store(t, v, w)
		case Setter:
			return true, d.Store(t, v, w)
		}
	case KindInstance:
		method := "__set__"
		args := []Value{v, w}
		if !w.IsSet() {
			method, args = "__delete__", args[:1]
		}
		if set, ok := t.special(f, method); ok {
			_, x := t.callBound(set, f, args...)
			return true, x
		}
	}
	return false, nil
}

func (t *Thread) setInstanceAttr(v Value, i *Instance, name string, w Value) *Exception {
	c := i.Cls
	if w.IsSet() && c.user.setattr {
		_, _, x := t.CallSpecial(v, "__setattr__", NewStr(name), w)
		return x
	}
	if !w.IsSet() && c.user.delattr {
		_, _, x := t.CallSpecial(v, "__delattr__", NewStr(name))
		return x
	}
	return t.setOwnAttr(v, i, name, w)
}

// setOwnAttr is object.__setattr__ and object.__delattr__.
func (t *Thread) setOwnAttr(v Value, i *Instance, name string, w Value) *Exception {
	c := i.Cls
	if f, ok := c.Lookup(name); ok {
		if done, x := t.storeData(f, v, w, name); done {
			return x
		}
	}
	if c.slots.SetAttr != nil {
		return c.slots.SetAttr(t, v, name, w)
	}
	if c.Slotted != nil && !c.Slotted[name] {
		return t.raiseNoAttr(v, name)
	}
	if !w.IsSet() {
		if i.Attrs == nil || !i.Attrs.deleteName(name) {
			return t.raiseNoAttr(v, name)
		}
		return nil
	}
	return i.SetAttr(t, name, w)
}

func (t *Thread) setClassAttr(c *Class, name string, w Value) *Exception {
	if !c.Heap {
		word := "set"
		if !w.IsSet() {
			word = "delete"
		}
		_ = word
		return t.RaiseType("cannot set '%s' attribute of immutable type '%s'", name, c.Name)
	}
	if c.Meta != nil && c.Meta.SetAttr != nil {
		return c.Meta.SetAttr(t, c.Value(), name, w)
	}
	return c.Store(t, name, w)
}

// Store sets or, with an unset value, deletes an attribute of a program's class.
func (c *Class) Store(t *Thread, name string, w Value) *Exception {
	if x := t.Charge(int64(resolveFuel * (len(c.descendants()) + 1))); x != nil {
		return x
	}
	switch {
	case !w.IsSet():
		if !c.Attrs.Delete(name) {
			return t.raiseNoAttr(c.Value(), name)
		}
	case name == "__name__":
		s, ok := StrOf(w)
		if !ok {
			return t.RaiseType("can only assign string to %s.__name__, not '%s'", c.Name, t.ClassOf(w).Name)
		}
		c.Name = s.s
		return nil
	default:
		if x := t.Alloc(80); x != nil {
			return x
		}
		c.Attrs.Set(name, w)
	}
	c.touch()
	return nil
}

// touch makes caches of the class's attributes stale, and resolves its slots anew.
func (c *Class) touch() {
	c.resolve()
	for _, k := range c.descendants() {
		k.resolve()
	}
}

func (f *Function) setAttr(t *Thread, name string, w Value) *Exception {
	switch name {
	case "__name__", "__qualname__":
		s, ok := StrOf(w)
		if !ok {
			return t.RaiseType("%s must be set to a string object", name)
		}
		if name == "__name__" {
			f.Name = s.s
		} else {
			f.Qual = s.s
		}
		return nil
	}
	if !w.IsSet() {
		if f.Attrs == nil || !f.Attrs.deleteName(name) {
			return t.raiseNoAttr(f.Value(), name)
		}
		return nil
	}
	if f.Attrs == nil {
		f.Attrs = newDict()
	}
	return f.Attrs.SetName(t, name, w)
}

// FindMethod finds what v.name(...) calls without making a bound method: if bound
// is false, v must be passed as the first argument.
func (t *Thread) FindMethod(v Value, name string) (f Value, bound bool, raised *Exception) {
	c := v.Class()
	switch v.Kind() {
	case KindInstance:
		if blocked(name) {
			return Value{}, false, t.raiseGate(name)
		}
		i := v.o.self.(*Instance)
		if c.user.getattribute {
			break
		}
		if m, ok := c.Lookup(name); ok && plainFunction(m) {
			if i.Attrs != nil {
				if r, ok := i.Attrs.GetName(name); ok {
					return r, true, nil
				}
			}
			return m, false, nil
		}
	case KindStr, KindList, KindDict, KindTuple, KindSet, KindFrozenSet, KindInt, KindFloat, KindBytes:
		if m, ok := c.Attrs.values[name]; ok && plainFunction(m) {
			return m, false, nil
		}
	}
	f, raised = t.GetAttr(v, name)
	return f, true, raised
}

// CachedMethod gives the function of a method of one of the built-in classes whose
// values have no attributes of their own; ok is false where [Thread.FindMethod] must
// look.
func CachedMethod(v Value, name string) (c *Class, b *Builtin, ok bool) {
	switch v.Kind() {
	case KindStr, KindList, KindDict, KindTuple, KindSet, KindFrozenSet:
		c = v.Class()
		if m, found := c.Attrs.values[name]; found && plainFunction(m) {
			b, ok = m.Builtin()
		}
	}
	return c, b, ok
}

// plainFunction reports whether a class attribute becomes a method when it is
// read on an instance.
func plainFunction(f Value) bool {
	switch f.Kind() {
	case KindFunction:
		return true
	case KindBuiltin:
		return f.o.self.(*Builtin).Method
	}
	return false
}
