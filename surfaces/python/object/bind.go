package object

// Bound gives what reading an attribute of a class gives: f bound to self, or to the
// class where self is unset.
func (t *Thread) Bound(f, self Value, owner *Class) (Value, *Exception) {
	if self.IsSet() {
		return t.bind(f, self, owner)
	}
	switch d := f.Native().(type) {
	case *StaticMethod:
		return d.Fn, nil
	case *ClassMethod:
		return t.bindClassMethod(d, owner)
	case Binder:
		return d.Bind(t, Value{}, owner)
	}
	return f, nil
}
