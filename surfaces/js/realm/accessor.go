package realm

import "github.com/dop251/goja"

// accessor tells how Node shows an own property with a getter or a setter, "" for
// one that holds a value. It runs no code of the program.
func (r *Realm) accessor(o *goja.Object, key string) string {
	if !r.accessors {
		return ""
	}
	var d *goja.Object
	err := r.quietly(func() {
		d, _ = r.engineStatic("getOwnPropertyDescriptor")(call{Arguments: []goja.Value{o, r.text(key)}}).(*goja.Object)
	})
	if err != nil || d == nil {
		return ""
	}
	get, set := isObject(d.Get("get")), isObject(d.Get("set"))
	switch {
	case get && set:
		return "[Getter/Setter]"
	case get:
		return "[Getter]"
	case set:
		return "[Setter]"
	}
	return ""
}

// HasAccessors says that an object of the realm may have a getter or a setter of the
// program's. Until it is called, no property is asked whether it has one.
func (r *Realm) HasAccessors() { r.accessors = true }

// Glance runs f, in which views show that a property has a getter instead of
// running it: a value that is only mentioned is not changed by that.
func (r *Realm) Glance(f func()) {
	was := r.glancing
	r.glancing = true
	defer func() { r.glancing = was }()
	f()
}
