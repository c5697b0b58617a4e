package compile

import (
	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// Hooks are what the inserted '%' names do when the program runs. Ticks and the
// charge for built text are implemented here; the rest is given by whoever owns
// the runtime. Hooks belong to one runtime.
//
// A hook that fails because of a limit interrupts the runtime with the fault and
// returns; any other failure is thrown with panic(rt.NewTypeError(…)) as in
// every native function.
type Hooks struct {
	// Scope is the object whose properties are the session's top-level names. It
	// has no prototype. Before a program runs, every let, const and class of its
	// Tops must be a property that throws a ReferenceError when it is read and
	// becomes a plain data property when it is first assigned.
	Scope *goja.Object
	// Spread is called with every value that is spread into an array, a call or
	// an object, or iterated by for…in, before that happens: it charges for the
	// elements and gives the value back.
	Spread func(v goja.Value) goja.Value
	// Regex makes the regular expression of a literal.
	Regex func(pattern, flags string) goja.Value
	// SetLength does o.length = n, charged, and gives n.
	SetLength func(o, n goja.Value) goja.Value
	// Key is called with every computed member key that is not known to be a
	// number, before it is used. Nil: computed keys are used as they are.
	Key func(key goja.Value) goja.Value
	// Start calls fn with args like an ordinary call, but where fn is a
	// capability it need not wait: it may return a promise.
	Start func(fn goja.Value, args []goja.Value) goja.Value
	// Member decides the reading of a closed name such as constructor, written as
	// a member: own data is read, anything else refused with the gate's fault.
	Member func(o goja.Value, name string) goja.Value

	rt    *goja.Runtime
	meter *sandbox.Meter
}

// param is one hook that a program uses.
type param struct {
	name   string
	weight int64 // ticks: units of fuel
	bytes  int64 // ticks: bytes
}

// SetMeter says which account ticks charge from now on.
func (h *Hooks) SetMeter(m *sandbox.Meter) { h.meter = m }

// NewHooks binds hooks to a runtime.
func NewHooks(rt *goja.Runtime, h Hooks) *Hooks {
	h.rt = rt
	return &h
}

// Link runs the program's code on the hooks' runtime and gives the function that
// runs the program: call it with no arguments. Its result is the completion
// value, or a promise of it where Program.Async.
func (p *Program) Link(h *Hooks) (goja.Callable, error) {
	return nil, &sandbox.Fault{Kind: sandbox.KindInternal, Message: "not built yet."}
}
