package realm

import (
	"github.com/dop251/goja"
)

// combinatorBytes is what a combinator allocates for each of its promises.
const combinatorBytes = 2 * promiseBytes

func promiseMethods() []member {
	return []member{
		chained("then", 2),
		chained("catch", 1),
		chained("finally", 1),
	}
}

func chained(name string, length int) member {
	return over(name, length, func(r *Realm, engine native) native {
		return func(c call) goja.Value {
			r.Charge(10)
			r.Alloc(2 * promiseBytes)
			if name != "finally" {
				c.Arguments = r.shown(c.Arguments, length-1)
			}
			return engine(c)
		}
	})
}

// shown gives arguments in which the handler of rejections gets a reason that
// Options.Reason has seen.
func (r *Realm) shown(args []goja.Value, at int) []goja.Value {
	if r.options.Reason == nil || len(args) <= at {
		return args
	}
	handle, ok := goja.AssertFunction(args[at])
	if !ok {
		return args
	}
	args = append([]goja.Value(nil), args...)
	args[at] = r.Function("", 1, func(c call) goja.Value {
		r.options.Reason(arg(c, 0))
		v, err := handle(goja.Undefined(), c.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	})
	return args
}

func promiseStatics() []member {
	return []member{
		combinator("all"), combinator("allSettled"), combinator("any"), combinator("race"),
		settled("resolve"), settled("reject"),
		method("withResolvers", 0, func(r *Realm, c call) goja.Value {
			o := r.vm.NewObject()
			p := r.promiseOf(r.promiseClass(c), func(resolve, reject goja.Value) {
				r.put(o, "resolve", resolve)
				r.put(o, "reject", reject)
			})
			r.put(o, "promise", p)
			return o
		}),
	}
}

// promiseClass is the constructor that a static was called on: the engine's, or a
// subclass of the program's.
func (r *Realm) promiseClass(c call) goja.Value {
	if isClass(c.This) {
		return c.This
	}
	return r.engine.Get("Promise")
}

// promiseOf makes a promise and hands out its resolving functions.
func (r *Realm) promiseOf(class goja.Value, use func(resolve, reject goja.Value)) *goja.Object {
	r.Alloc(promiseBytes)
	ctor, ok := goja.AssertConstructor(class)
	if !ok {
		r.typeError("Promise resolve or reject function is not callable")
	}
	p, err := ctor(nil, r.Function("", 2, func(c call) goja.Value {
		use(arg(c, 0), arg(c, 1))
		return goja.Undefined()
	}))
	if err != nil {
		panic(err)
	}
	return p
}

// engineStatic of Promise.
func (r *Realm) enginePromise(name string) native {
	return exported(r.engine.Get("Promise").(*goja.Object).Get(name))
}

func combinator(name string) member {
	return method(name, 1, func(r *Realm, c call) goja.Value {
		class := r.promiseClass(c)
		var list []goja.Value
		if ex := r.vm.Try(func() { list = r.gather(arg(c, 0)) }); ex != nil {
			return r.enginePromise("reject")(call{This: class, Arguments: []goja.Value{ex.Value()}})
		}
		r.Charge(int64(len(list)) * 10)
		r.Alloc(promiseBytes + int64(len(list))*combinatorBytes)
		if name == "any" {
			r.sayAllRejected()
		}
		return r.enginePromise(name)(call{This: class, Arguments: []goja.Value{r.newArray(list)}})
	})
}

func settled(name string) member {
	return method(name, 1, func(r *Realm, c call) goja.Value {
		r.Charge(10)
		r.Alloc(promiseBytes)
		return r.enginePromise(name)(call{This: r.promiseClass(c), Arguments: c.Arguments})
	})
}

func (r *Realm) promiseConstructor() goja.Value {
	return r.constructor("Promise", 1, r.proto(promiseProto), func(c goja.ConstructorCall) *goja.Object {
		r.Charge(10)
		r.Alloc(promiseBytes)
		if !isFunction(c.Argument(0)) {
			r.typeError("Promise resolver %s is not a function", r.describe(c.Argument(0)))
		}
		target := c.NewTarget
		if target == nil {
			target = r.engine.Get("Promise").(*goja.Object)
		}
		p, err := r.engineConstructor("Promise")(target, c.Argument(0))
		if err != nil {
			panic(err)
		}
		return p
	})
}

// NewPromise makes a promise that the host settles. resolve and reject take a
// goja.Value or a Go value; they must be called on the runtime's goroutine, and
// run what waits for the promise when they are called from outside a program.
func (r *Realm) NewPromise() (promise *goja.Object, resolve, reject func(any) error) {
	r.Alloc(promiseBytes)
	p, res, rej := r.vm.NewPromise()
	return r.vm.ToValue(p).(*goja.Object), res, rej
}

// Promise gives the promise behind a value.
func (r *Realm) Promise(v goja.Value) (*goja.Promise, bool) {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != promiseType {
		return nil, false
	}
	p, ok := o.Export().(*goja.Promise)
	return p, ok
}
