package realm

import (
	"fmt"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// typeError throws a TypeError.
func (r *Realm) typeError(format string, args ...any) {
	panic(r.NewError("TypeError", fmt.Sprintf(format, args...)))
}

// rangeError throws a RangeError.
func (r *Realm) rangeError(format string, args ...any) {
	panic(r.NewError("RangeError", fmt.Sprintf(format, args...)))
}

// NewError makes an error object of a class: Error, TypeError, RangeError,
// SyntaxError, ReferenceError, EvalError, URIError.
func (r *Realm) NewError(class, message string) *goja.Object {
	r.Alloc(r.errorCost() + int64(len(message)))
	ctor := r.engineConstructor(class)
	o, err := ctor(nil, r.vm.ToValue(sandbox.Clip(message, maxMessage)))
	if err != nil {
		panic(err)
	}
	return o
}

// maxMessage bounds the message of an error that a native makes, in code points.
const maxMessage = 1000

// errorCost is what an error object costs where it is made: it keeps a frame for
// every call under way.
func (r *Realm) errorCost() int64 {
	r.frames = r.vm.CaptureCallStack(0, r.frames[:0])
	return errorBytes + int64(len(r.frames))*frameBytes
}

// CatchCost charges what the engine allocates for an error that it throws
// itself. The first thing a catch clause does should be to call it, because the
// engine makes such errors without asking.
func (r *Realm) CatchCost() { r.Alloc(r.errorCost()) }

// Throw throws a fault: a limit ends the program, anything else is an error
// object that the program can catch.
func (r *Realm) Throw(f *sandbox.Fault) { panic(r.thrown(f)) }

func (r *Realm) thrown(f *sandbox.Fault) any {
	if f.Kind.Limit() {
		return &limitError{r.meter.Fail(f), r.vm.CaptureCallStack(0, nil)}
	}
	return r.ErrorOf(f)
}

// ErrorOf makes the error object of a fault. It has the fault's name, its message
// with the hint, and its kind under "code", so that a program can tell a refused
// argument from a failed call. [Realm.Fault] gives the fault back.
func (r *Realm) ErrorOf(f *sandbox.Fault) *goja.Object {
	class := "Error"
	switch f.Name {
	case "TypeError", "RangeError", "ReferenceError", "SyntaxError":
		class = f.Name
	default:
		switch f.Kind {
		case sandbox.KindType, sandbox.KindArgument, sandbox.KindGate:
			class = "TypeError"
		case sandbox.KindRange:
			class = "RangeError"
		case sandbox.KindName:
			class = "ReferenceError"
		}
	}
	text := f.Message
	if f.Hint != "" && f.Kind != sandbox.KindSyntax {
		text += " " + f.Hint
	}
	o := r.NewError(class, text)
	if f.Name != "" && f.Name != class {
		r.hide(o, "name", r.vm.ToValue(f.Name))
	}
	r.hide(o, "code", r.vm.ToValue(string(f.Kind)))
	r.attach(o, &origin{fault: f})
	return o
}

// origin ties an error object to the fault it was made from.
type origin struct{ fault *sandbox.Fault }

// attach hides a Go value on an object, where no program can see it.
func (r *Realm) attach(o *goja.Object, v any) {
	_ = o.DefineDataPropertySymbol(hidden, r.vm.ToValue(v), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
}

// attached gives the Go value hidden on an object, or nil.
func (r *Realm) attached(o *goja.Object) any {
	if v := o.GetSymbol(hidden); v != nil {
		return v.Export()
	}
	return nil
}

// hide defines a property that is writable and configurable but not enumerable.
func (r *Realm) hide(o *goja.Object, name string, v goja.Value) {
	_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// fix defines a property that cannot change.
func (r *Realm) fix(o *goja.Object, name string, v goja.Value) {
	_ = o.DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
}
