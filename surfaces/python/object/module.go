package object

// Module is a module or a namespace of tools. Its names are read-only.
type Module struct {
	Obj
	Name  string
	Attrs *Namespace
	// Lookup answers names that Attrs does not have; nil for none.
	Lookup func(t *Thread, name string) (Value, bool, *Exception)
	// Missing makes the error of a name that is not there; nil for CPython's.
	Missing func(t *Thread, name string) *Exception
	// Children visits what the module keeps alive beyond Attrs; nil for nothing.
	Children func(visit func(Value)) int
}

// NewModule makes an empty module.
func NewModule(name string) *Module { return &Module{Name: name, Attrs: NewNamespace()} }

// Value makes the module a value.
func (m *Module) Value() Value {
	if m.self == nil {
		m.kind, m.self = KindModule, m
	}
	return Value{o: &m.Obj}
}

// Func adds a function: sig as in [NewBuiltin].
func (m *Module) Func(name, sig string, fn NativeFunc) *Module {
	b := NewBuiltin(name, sig, fn)
	b.Module = m.Name
	m.Attrs.Set(name, b.Value())
	return m
}

// Set adds any value.
func (m *Module) Set(name string, v Value) *Module {
	m.Attrs.Set(name, v)
	return m
}

func (m *Module) attr(t *Thread, name string) (Value, bool, *Exception) {
	if v, ok := m.Attrs.Get(name); ok {
		return v, true, nil
	}
	if m.Lookup != nil {
		if v, ok, x := m.Lookup(t, name); ok || x != nil {
			return v, ok, x
		}
	}
	switch name {
	case "__name__":
		return NewStr(m.Name), true, nil
	case "__doc__":
		return None, true, nil
	case "__class__":
		return ModuleClass.Value(), true, nil
	}
	if m.Missing != nil {
		if x := m.Missing(t, name); x != nil {
			return Value{}, false, x
		}
	}
	return Value{}, false, nil
}
