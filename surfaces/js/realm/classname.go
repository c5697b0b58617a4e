package realm

import "github.com/dop251/goja"

// ClassName is what v.constructor.name is in ECMA-262: the name of the class that
// made a value. The class itself is not handed out.
func (r *Realm) ClassName(v goja.Value) goja.Value {
	switch Kind(v) {
	case "undefined", "null":
		r.typeError("Cannot read properties of %s (reading 'constructor')", v.String())
	case "string":
		return r.text("String")
	case "number":
		return r.text("Number")
	case "boolean":
		return r.text("Boolean")
	case "bigint":
		return r.text("BigInt")
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return goja.Undefined()
	}
	if r.own(o, "constructor") {
		if own, ok := o.Get("constructor").(*goja.Object); ok {
			return own.Get("name")
		}
		return goja.Undefined()
	}
	if objectKind(o) == "error" {
		return r.text(r.errorClassName(o))
	}
	return r.text(r.typeName(o))
}

// errorClassName is the class of an error: a class of the program's, or the
// builtin whose prototype says its name.
func (r *Realm) errorClassName(o *goja.Object) string {
	for p := o.Prototype(); p != nil; p = p.Prototype() {
		if c, ok := p.Get("constructor").(*goja.Object); ok && isClass(c) {
			return r.className(c)
		}
		if r.own(p, "name") {
			if s, ok := p.Get("name").(goja.String); ok {
				return s.String()
			}
		}
	}
	return "Error"
}
