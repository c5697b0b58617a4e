package data

import (
	"github.com/polyglove/polyglove/sandbox"
)

// Thread is one computation: what it is charged to, and the stack of the values
// that calls pass.
type Thread struct {
	Meter *sandbox.Meter
	// Invoke calls a function with arguments that it may keep no longer than the
	// call; the evaluator gives it.
	Invoke func(t *Thread, fn Value, args []Value) Value
	// At is the place of the call under way, as the evaluator counts places.
	At int
	// Note takes a sentence for the result; nil for none.
	Note func(text string)
	// OnWrongLookup is told that a keyword was looked up in what is no map.
	OnWrongLookup func(coll, key Value)
	// Host is what the functions of other packages hang on the thread.
	Host any

	stack []Value
	sp    int
	depth int
}

// Unmetered is a thread that charges nothing: for reading finished values, which
// runs none of a program's code.
func Unmetered() *Thread { return &Thread{} }

// Charge spends fuel before the work, and stops the computation at the limit.
func (t *Thread) Charge(n int) {
	if t.Meter == nil {
		return
	}
	if err := t.Meter.Charge(int64(n)); err != nil {
		panic(err)
	}
}

// Alloc charges bytes before they are allocated.
func (t *Thread) Alloc(n int) {
	if t.Meter == nil {
		return
	}
	if err := t.Meter.Alloc(int64(n)); err != nil {
		panic(err)
	}
}

// Enter counts a nested walk or call; Leave must follow, unless it panics.
func (t *Thread) Enter() {
	t.depth++
	if t.Meter != nil && t.depth > t.Meter.Limits().Depth {
		panic(t.Meter.Fail(sandbox.DepthFault()))
	}
}

// Leave ends what Enter began.
func (t *Thread) Leave() { t.depth-- }

// Mark is where a thread stands, so that it can come back there after a panic.
type Mark struct{ sp, depth int }

// Mark gives where the thread stands.
func (t *Thread) Mark() Mark { return Mark{t.sp, t.depth} }

// Restore brings the thread back to a mark.
func (t *Thread) Restore(m Mark) { t.sp, t.depth = m.sp, m.depth }

// Clear empties the stack between programs, so that it keeps nothing alive.
func (t *Thread) Clear() {
	t.sp, t.depth = 0, 0
	if len(t.stack) > firstStack {
		t.stack = nil
	}
	clear(t.stack)
}

// firstStack is how many values the stack has room for at first.
const firstStack = 128

// Push reserves n places on the stack. The slices given out before stay valid.
func (t *Thread) Push(n int) []Value {
	end := t.sp + n
	if end > len(t.stack) {
		t.grow(end)
	}
	s := t.stack[t.sp:end:end]
	t.sp = end
	return s
}

func (t *Thread) grow(need int) {
	size := max(firstStack, 2*need)
	t.Alloc(16 * size)
	t.stack = make([]Value, size) // what lies in the old one is held by its slices
}

// Pop gives back n places.
func (t *Thread) Pop(n int) { t.sp -= n }

// Extend gives a slice of n places that begins with args: in place where args is
// the top of the stack, else a copy. The caller pops extra places.
func (t *Thread) Extend(args []Value, n int) (slots []Value, extra int) {
	if k := len(args); k > 0 && t.sp >= k && t.sp <= len(t.stack) && &t.stack[t.sp-k] == &args[0] {
		from, end := t.sp-k, t.sp-k+n
		if end <= len(t.stack) {
			t.sp = end
			return t.stack[from:end:end], n - k
		}
	}
	slots = t.Push(n)
	copy(slots, args)
	return slots, n
}

// Call calls a function.
func (t *Thread) Call(fn Value, args ...Value) Value { return t.Invoke(t, fn, args) }

// Call1 calls a function with one argument, without allocation.
func (t *Thread) Call1(fn, a Value) Value {
	args := t.Push(1)
	args[0] = a
	v := t.Invoke(t, fn, args)
	t.Pop(1)
	return v
}

// Call2 calls a function with two arguments, without allocation.
func (t *Thread) Call2(fn, a, b Value) Value {
	args := t.Push(2)
	args[0], args[1] = a, b
	v := t.Invoke(t, fn, args)
	t.Pop(2)
	return v
}

// Thrown is an exception on its way: the value that a program catches.
type Thrown struct {
	Value Value // an [*Exception], or whatever was thrown
}

// Error is the message, for a host that meets the error by accident.
func (t *Thrown) Error() string {
	if e, ok := t.Value.Unbox().(*Exception); ok {
		return e.Class + ": " + e.Message
	}
	return "a value was thrown"
}

// Exception is the value of an error.
type Exception struct {
	Head
	Class   string // the simple name of the Java class: ArithmeticException
	Message string
	NoText  bool  // there is no message: ex-message gives nil
	Data    Value // of ex-info
	Cause   Value
	Hint    string         // the next action, for a model; not part of the value
	Fault   *sandbox.Fault // what the host gave, for the failure of a call
}

// TypeName names the type.
func (e *Exception) TypeName() string { return "an exception" }

// Printed shows the exception.
func (e *Exception) Printed() string { return "#error {" + e.Class + ": " + e.Message + "}" }

// Throw raises an error of a class.
func Throw(class, message string) {
	panic(&Thrown{Value: Box(&Exception{Class: class, Message: message})})
}

// ThrowHint raises an error with the next action.
func ThrowHint(class, message, hint string) {
	panic(&Thrown{Value: Box(&Exception{Class: class, Message: message, Hint: hint})})
}
