package realm

import (
	"errors"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// limitError carries the fault of a limit through the engine. It unwraps to the
// engine's interrupt, which is how goja knows that no program may catch it.
type limitError struct {
	fault error
	stack []goja.StackFrame
}

var interrupt = &goja.InterruptedError{}

func (e *limitError) Error() string { return e.fault.Error() }
func (e *limitError) Unwrap() error { return interrupt }

// Stack is where the program was.
func (e *limitError) Stack() []goja.StackFrame { return e.stack }

// As lets errors.As find the fault, which the chain to the interrupt bypasses.
func (e *limitError) As(target any) bool { return errors.As(e.fault, target) }

// stop ends the program with a limit's fault.
func (r *Realm) stop(err error) { panic(&limitError{err, r.vm.CaptureCallStack(0, nil)}) }

// Charge spends fuel; beyond the limit it ends the program.
func (r *Realm) Charge(units int64) {
	if err := r.meter.Charge(units); err != nil {
		r.stop(err)
	}
}

// Alloc charges bytes before they are allocated; beyond the limit it ends the
// program.
func (r *Realm) Alloc(bytes int64) {
	if err := r.meter.Alloc(bytes); err != nil {
		r.stop(err)
	}
}

// Fail ends the program with a fault of the caller's that no program can catch.
func (r *Realm) Fail(f *sandbox.Fault) { r.stop(r.meter.Fail(f)) }

// The estimated sizes, in bytes, of what the engine allocates.
const (
	objectBytes  = 240
	propBytes    = 100
	arrayBytes   = 560
	elemBytes    = 16
	stringBytes  = 32
	numberBytes  = 16
	funcBytes    = 640
	errorBytes   = 700
	frameBytes   = 40
	promiseBytes = 1_800
	entryBytes   = 96
	resultBytes  = 500 // an iterator's result object
)

// pollEvery is how many units of cheap work a native does between two looks at
// the meter: about a tenth of a millisecond.
const pollEvery = 4096

// pacer charges work that is known only as it happens, a batch at a time.
type pacer struct {
	r    *Realm
	left int
}

func (r *Realm) pace() pacer { return pacer{r, pollEvery} }

// step accounts n units of work.
func (p *pacer) step(n int) {
	if p.left -= n; p.left < 0 {
		p.r.Charge(int64(pollEvery - p.left))
		p.left = pollEvery
	}
}

// end charges what is outstanding.
func (p *pacer) end() {
	p.r.Charge(int64(pollEvery - p.left))
	p.left = pollEvery
}
