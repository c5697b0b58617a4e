package realm

import (
	"github.com/dop251/goja"
)

func errorMethods() []member {
	return []member{
		asIs("name"),
		asIs("message"),
		method("toString", 0, func(r *Realm, c call) goja.Value {
			o, ok := c.This.(*goja.Object)
			if !ok {
				r.typeError("Error.prototype.toString requires that 'this' be a JSReceiver")
			}
			return r.errorText(o)
		}),
	}
}

// errorText is Error.prototype.toString.
func (r *Realm) errorText(o *goja.Object) goja.Value {
	part := func(name, other string) goja.String {
		v := o.Get(name)
		if v == nil || goja.IsUndefined(v) {
			return r.text(other)
		}
		return r.str(v)
	}
	name, message := part("name", "Error"), part("message", "")
	if name.Length() == 0 {
		return message
	}
	if message.Length() == 0 {
		return name
	}
	b := builder{r: r}
	b.add(name)
	b.add(r.text(": "))
	b.add(message)
	return b.value()
}

func errorStatics() []member {
	return []member{
		method("captureStackTrace", 2, func(*Realm, call) goja.Value { return goja.Undefined() }),
		method("isError", 1, func(_ *Realm, c call) goja.Value { return boolean(Kind(arg(c, 0)) == "error") }),
	}
}

// errorClass makes the constructor of a class of errors, which charges for the
// frames that an error keeps.
func (r *Realm) errorClass(name string, parent *goja.Object) *goja.Object {
	r.proto(errorProto)
	prototype := r.engine.Get(name).(*goja.Object).Get("prototype").(*goja.Object)
	if name != "Error" {
		r.close(prototype)
	}
	length := 1
	if name == "AggregateError" {
		length = 2
	}
	o := r.vm.ToValue(func(c goja.ConstructorCall) *goja.Object {
		r.Alloc(r.errorCost())
		args := make([]goja.Value, len(c.Arguments))
		copy(args, c.Arguments)
		text := length - 1
		if len(args) > text && !goja.IsUndefined(args[text]) {
			args[text] = r.str(args[text])
		}
		if name == "AggregateError" && len(args) > 0 {
			args[0] = r.newArray(r.gather(args[0]))
		}
		e, err := r.engineConstructor(name)(c.NewTarget, args...)
		if err != nil {
			panic(err)
		}
		if name == "AggregateError" && len(args) <= text {
			r.hide(e, "message", emptyText) // its prototype has the words of Promise.any
		}
		return e
	}).(*goja.Object)
	r.fix(o, "prototype", prototype)
	if parent == nil {
		r.behind(o, name, r.proto(functionProto))
	} else {
		_ = o.SetPrototype(parent)
	}
	r.label(o, name, length)
	return o
}

func (r *Realm) errorConstructor() goja.Value { return r.errorClass("Error", nil) }

func (r *Realm) errorSubclass(name string) goja.Value {
	return r.errorClass(name, r.GlobalValue("Error").(*goja.Object))
}

func (r *Realm) aggregateConstructor() goja.Value { return r.errorSubclass("AggregateError") }

// sayAllRejected gives the errors that the engine makes for Promise.any the
// message that they have in Node, which the engine leaves empty.
func (r *Realm) sayAllRejected() {
	p := r.engine.Get("AggregateError").(*goja.Object).Get("prototype").(*goja.Object)
	r.hide(p, "message", r.text("All promises were rejected"))
}
