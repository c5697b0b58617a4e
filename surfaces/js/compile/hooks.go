package compile

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// Hooks are what the inserted '%' names do when a program runs. Ticks and the
// charge for built text are implemented here; the rest is given by whoever owns
// the runtime. Hooks belong to one runtime.
//
// A hook that fails because of a limit panics with an error that unwraps to
// [goja.InterruptedError], which no program can catch; any other failure is thrown
// as in every native function.
type Hooks struct {
	// Scope is the object whose properties are the session's top-level names.
	// Reading or assigning one before its declaration has run throws a
	// ReferenceError, and so does reading one that does not exist.
	Scope *goja.Object
	// Initial holds the same names as declarations write them: an assignment to one
	// initialises it.
	Initial *goja.Object
	// Spread is called with every value that is spread into an array, a call or an
	// object, or enumerated by for…in, before that happens: it charges for the
	// elements and gives the value back.
	Spread func(v goja.Value) goja.Value
	// Regex makes the regular expression of a literal.
	Regex func(pattern, flags string) goja.Value
	// SetLength does o.length = n, charged, and gives n.
	SetLength func(o, n goja.Value) goja.Value
	// Key is called with every computed member key that is not known to be a
	// number, before it is used, and gives the key to use. Where the key is a
	// string, it must give the same string. Nil: keys are used as they are.
	Key func(key goja.Value) goja.Value
	// Member reads a closed name such as constructor where a program spells it as
	// a member: own data is read, anything else refused with the gate's fault. Nil:
	// [OwnData].
	Member func(o goja.Value, name string) goja.Value
	// Start calls fn with args like an ordinary call, but where fn is a capability
	// it need not wait: it may return a promise.
	Start func(fn goja.Value, args []goja.Value) goja.Value
	// Power and ShiftLeft do a ** b and a << b where both may be BigInts. Multiply
	// is never needed: products are bounded here after they are built, which costs
	// at most twice the bound.
	Power     func(a, b goja.Value) goja.Value
	ShiftLeft func(a, b goja.Value) goja.Value
	// Caught is given what a catch clause has caught, or nil where the clause gives
	// it no name, before its body runs. Nil: nothing is done.
	Caught func(v goja.Value)
	// ClassName gives what v.constructor.name is. Nil: it is refused.
	ClassName func(v goja.Value) goja.Value
	// NewError makes an error of a class, for what is refused here. Nil: the global
	// object's own classes are used.
	NewError func(class, message string) *goja.Object
	// BigIntBits bounds every product of BigInts; 0 means 65,536.
	BigIntBits int

	rt     *goja.Runtime
	meter  *sandbox.Meter
	ticks  map[param]*tick
	values map[string]goja.Value
	roomy  bool // makeRoom has run
}

// param is one hook that a program uses.
type param struct {
	name  string
	units int64 // of a tick: fuel
	bytes int64 // of a tick: memory
}

// NewHooks binds hooks to a runtime.
func NewHooks(rt *goja.Runtime, h Hooks) *Hooks {
	h.rt = rt
	h.ticks = map[param]*tick{}
	h.values = map[string]goja.Value{}
	if h.BigIntBits == 0 {
		h.BigIntBits = 1 << 16
	}
	return &h
}

// SetMeter says which account programs charge from now on.
func (h *Hooks) SetMeter(m *sandbox.Meter) { h.meter = m }

// Link runs the program's code on the hooks' runtime and gives the function that
// runs the program: call it with no arguments. Its result is the completion
// value, or a promise of it where Program.Async.
func (p *Program) Link(h *Hooks) (goja.Callable, error) {
	if p.ends && !h.roomy {
		h.roomy = true
		h.makeRoom(triesAtOnce)
	}
	outer, err := h.rt.RunProgram(p.Code)
	if err != nil {
		return nil, err
	}
	take, ok := goja.AssertFunction(outer)
	if !ok {
		return nil, fmt.Errorf("compile: the code gives no function")
	}
	args := make([]goja.Value, len(p.params))
	for i, x := range p.params {
		args[i] = h.value(x)
	}
	inner, err := take(goja.Undefined(), args...)
	if err != nil {
		return nil, err
	}
	run, ok := goja.AssertFunction(inner)
	if !ok {
		return nil, fmt.Errorf("compile: the code gives no program")
	}
	return run, nil
}

// mostTicks bounds how many tick values are kept for reuse.
const mostTicks = 4096

// value gives what a hook's name stands for.
func (h *Hooks) value(p param) goja.Value {
	if strings.HasPrefix(p.name, hookTick) {
		t := h.ticks[p]
		if t == nil {
			t = &tick{Value: goja.Undefined(), hooks: h, units: p.units, bytes: p.bytes}
			if len(h.ticks) < mostTicks {
				h.ticks[p] = t
			}
		}
		return t
	}
	v := h.values[p.name]
	if v == nil {
		v = h.make(p.name)
		h.values[p.name] = v
	}
	return v
}

func (h *Hooks) make(name string) goja.Value {
	switch name {
	case hookScope:
		return h.Scope
	case hookInitial:
		return h.Initial
	case hookKeyTest:
		return &keyTest{Value: goja.Undefined(), hooks: h}
	case hookKey:
		return h.native(func(a []goja.Value) goja.Value { return h.key(a[0]) })
	case hookText:
		return h.native(func(a []goja.Value) goja.Value { h.text(a[0]); return a[0] })
	case hookPiece:
		return h.native(func(a []goja.Value) goja.Value { h.text(a[0]); return a[0] })
	case hookProduct:
		return h.native(func(a []goja.Value) goja.Value { h.bound(a[0]); return a[0] })
	case hookSmall:
		return h.native(func(a []goja.Value) goja.Value { h.small(a[0], a[1].ToInteger()); return a[0] })
	case hookPower:
		return h.native(func(a []goja.Value) goja.Value { return h.Power(a[0], a[1]) })
	case hookShift:
		return h.native(func(a []goja.Value) goja.Value { return h.ShiftLeft(a[0], a[1]) })
	case hookSpread:
		return h.native(func(a []goja.Value) goja.Value { return h.Spread(a[0]) })
	case hookRegex:
		return h.native(func(a []goja.Value) goja.Value { return h.Regex(a[0].String(), a[1].String()) })
	case hookLength:
		return h.native(func(a []goja.Value) goja.Value { return h.SetLength(a[0], a[1]) })
	case hookMember:
		return h.native(func(a []goja.Value) goja.Value { return h.member(a[0], a[1].String()) })
	case hookStart:
		return h.native(func(a []goja.Value) goja.Value { return h.Start(a[0], a[1:]) })
	case hookCaught:
		return h.native(h.caught)
	case hookClass:
		return h.native(func(a []goja.Value) goja.Value { return h.className(a[0]) })
	case hookApart:
		return h.native(func(a []goja.Value) goja.Value { h.apart(a[0]); return goja.Undefined() })
	case hookExtends:
		return h.native(func(a []goja.Value) goja.Value { h.inherit(a[0]); return a[0] })
	}
	return goja.Undefined()
}

// native makes a function of the engine. The arguments are the caller's stack:
// they are valid until f returns.
func (h *Hooks) native(f func(args []goja.Value) goja.Value) goja.Value {
	return h.rt.ToValue(func(c goja.FunctionCall) goja.Value { return f(c.Arguments) })
}

// limit carries the fault of a limit through the engine. It unwraps to the
// engine's interrupt, which is how the engine knows that no program may catch it.
type limit struct {
	fault error
	stack []goja.StackFrame
}

var interrupted = &goja.InterruptedError{}

func (l *limit) Error() string { return l.fault.Error() }
func (l *limit) Unwrap() error { return interrupted }

// Stack is where the program was.
func (l *limit) Stack() []goja.StackFrame { return l.stack }

// As lets errors.As find the fault, which the chain to the interrupt bypasses.
func (l *limit) As(target any) bool { return errors.As(l.fault, target) }

// stop ends the program with a limit's fault. Nothing stays behind in the engine,
// as it would if it were interrupted from outside.
func (h *Hooks) stop(err error) { panic(&limit{err, h.rt.CaptureCallStack(0, nil)}) }

// tick is a value whose truth charges the meter. It is false.
type tick struct {
	goja.Value
	hooks        *Hooks
	units, bytes int64
}

// ToBoolean charges.
func (t *tick) ToBoolean() bool {
	m := t.hooks.meter
	err := m.Charge(t.units)
	if err == nil && t.bytes > 0 {
		err = m.Alloc(t.bytes)
	}
	if err != nil {
		t.hooks.stop(err)
	}
	return false
}

// keyTest is a value that equals a key which has to be replaced by what hookKey
// gives: an object, whose conversion to a string may run the program's code.
type keyTest struct {
	goja.Value
	hooks *Hooks
}

// StrictEquals looks at a key.
func (k *keyTest) StrictEquals(v goja.Value) bool {
	switch v := v.(type) {
	case *goja.Object:
		return true
	case goja.String:
		if k.hooks.Key != nil {
			k.hooks.Key(v)
		}
	case *goja.Symbol:
		return true
	}
	return false
}

func (h *Hooks) caught(a []goja.Value) goja.Value {
	if h.Caught != nil {
		var v goja.Value
		if len(a) > 0 {
			v = a[0]
		}
		h.Caught(v)
	}
	return goja.Undefined()
}

func (h *Hooks) className(v goja.Value) goja.Value {
	if h.ClassName != nil {
		return h.ClassName(v)
	}
	return h.member(v, "constructor")
}

// mostAncestors is how deep classes may inherit: the engine looks through all of
// them for a member that none has.
const mostAncestors = 100

func (h *Hooks) inherit(v goja.Value) {
	o, ok := v.(*goja.Object)
	if !ok {
		return
	}
	for n := 0; o != nil; n++ {
		if n > mostAncestors {
			panic(h.rangeError("Classes inherit more than 100 deep"))
		}
		o = o.Prototype()
	}
}

// apart calls a function in a run of the engine's own.
func (h *Hooks) apart(v goja.Value) {
	if f, ok := goja.AssertFunction(v); ok {
		if _, err := f(goja.Undefined()); err != nil {
			panic(err)
		}
	}
}

func (h *Hooks) key(v goja.Value) goja.Value {
	if o, ok := v.(*goja.Object); ok {
		v = o.ToString()
	}
	if h.Key == nil {
		return v
	}
	return h.Key(v)
}

// bytesText is what a string takes besides its characters.
const bytesText = 32

// text charges for a string that an operator has built. It exists already: an
// operator joins a few strings that have been charged, so what is built at most
// doubles what was.
func (h *Hooks) text(v goja.Value) {
	s, ok := v.(goja.String)
	if !ok {
		return
	}
	if err := h.meter.Alloc(int64(s.Length()) + bytesText); err != nil {
		h.stop(err)
	}
}

// bound refuses a product that has grown too long.
func (h *Hooks) bound(v goja.Value) {
	if v.ExportType() != bigIntType {
		return
	}
	n, ok := v.Export().(*big.Int)
	if !ok {
		return
	}
	if err := h.meter.Alloc(int64(len(n.Bits())) * 8); err != nil {
		h.stop(err)
	}
	if n.BitLen() > h.BigIntBits {
		panic(h.rangeError("Maximum BigInt size exceeded"))
	}
}

// small refuses a BigInt above a bound.
func (h *Hooks) small(v goja.Value, most int64) {
	if v.ExportType() != bigIntType {
		return
	}
	if n, ok := v.Export().(*big.Int); ok && n.CmpAbs(big.NewInt(most)) > 0 {
		panic(h.rangeError("Maximum BigInt size exceeded"))
	}
}

var bigIntType = goja.New().ToValue(big.NewInt(1)).ExportType()

func (h *Hooks) rangeError(message string) goja.Value {
	if h.NewError != nil {
		return h.NewError("RangeError", message)
	}
	if c, ok := h.rt.Get("RangeError").(*goja.Object); ok {
		if o, err := h.rt.New(c, h.rt.ToValue(message)); err == nil {
			return o
		}
	}
	return h.rt.NewTypeError(message)
}

func (h *Hooks) member(o goja.Value, name string) goja.Value {
	if h.Member != nil {
		return h.Member(o, name)
	}
	if v, ok := OwnData(o, name); ok {
		return v
	}
	f := sandbox.JavaScript.Fault(name)
	panic(h.rt.NewTypeError(strings.TrimSpace(f.Message + " " + f.Hint)))
}

// OwnData reads a key of a plain object's own.
func OwnData(v goja.Value, name string) (goja.Value, bool) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() == "Function" {
		return nil, false
	}
	for _, k := range o.GetOwnPropertyNames() {
		if k == name {
			return o.Get(name), true
		}
	}
	return nil, false
}
