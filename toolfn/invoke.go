package toolfn

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Panic is the cause of a call whose function panicked, for the host's log.
type Panic struct {
	Function string
	Value    any
	Stack    []byte
}

// Error gives the panic and its stack. It is for the host only.
func (p *Panic) Error() string {
	return fmt.Sprintf("%s panicked: %v\n%s", p.Function, p.Value, p.Stack)
}

// Invoke runs the function's Call with arguments that have passed Check. A panic
// becomes a *[CallError] with the code "panic" that names the function and keeps
// a *[Panic] as its cause; what the function had done by then is not known.
func (f *ToolFn) Invoke(ctx context.Context, args *value.Object) (v value.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, f.panicked(p)
		}
	}()
	return f.Call(ctx, args)
}

// Guard runs something in the function's place, with the same regard for panics
// as Invoke.
func (f *ToolFn) Guard(ctx context.Context, call func(context.Context) (value.Value, error)) (v value.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, f.panicked(p)
		}
	}()
	return call(ctx)
}

func (f *ToolFn) panicked(p any) error {
	return &CallError{
		Code:           "panic",
		Message:        f.Name + " failed: " + panicText(p),
		OutcomeUnknown: !f.Effect.Reads(),
		Cause:          &Panic{Function: f.Name, Value: p, Stack: debug.Stack()},
	}
}

// panicText is what of a panic a program may see: its text if it was raised with
// one, nothing of the runtime's own errors.
func panicText(p any) string {
	if s, ok := p.(string); ok {
		return sandbox.Clip(Plain(s, 200), 200)
	}
	return "an internal error of the function"
}
