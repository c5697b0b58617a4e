package object

// Instance is an instance of a class that a program wrote, or of a subclass of a
// built-in one: then Payload is the built-in value it extends.
type Instance struct {
	Obj
	Cls     *Class
	Attrs   *Dict // nil until the first attribute is set
	Payload Value
	own     Dict // what Attrs points to: most instances have attributes
}

// instanceSize is what an instance without attributes takes, in bytes.
const instanceSize = 184

// NewInstance makes an instance of a plain class.
func (t *Thread) NewInstance(c *Class) (Value, *Exception) { return t.Extend(c, Value{}) }

// Extend makes an instance of a subclass around the built-in value that it
// extends.
func (t *Thread) Extend(c *Class, payload Value) (Value, *Exception) {
	if x := t.Alloc(instanceSize); x != nil {
		return Value{}, x
	}
	i := &Instance{Cls: c, Payload: payload}
	i.kind, i.self = KindInstance, i
	return Value{o: &i.Obj}, nil
}

// Wrap gives a built-in value as an instance of cls: itself if cls is exactly the
// built-in class.
func (t *Thread) Wrap(cls, builtin *Class, v Value) (Value, *Exception) {
	if cls == builtin {
		return v, nil
	}
	return t.Extend(cls, v)
}

// attrs gives the attributes for writing.
func (i *Instance) attrs() *Dict {
	if i.Attrs == nil {
		i.Attrs = &i.own
		i.own.kind, i.own.self = KindDict, &i.own
	}
	return i.Attrs
}

// Attr gives an attribute that was set on the instance.
func (i *Instance) Attr(name string) (Value, bool) {
	if i.Attrs == nil {
		return Value{}, false
	}
	return i.Attrs.GetName(name)
}

// SetAttr sets an attribute on the instance itself.
func (i *Instance) SetAttr(t *Thread, name string, v Value) *Exception {
	return i.attrs().SetName(t, name, v)
}
