package dispatch

import (
	"context"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Tracer is told of calls, to make spans of them. It must be quick and must not
// keep the request's arguments. A program that runs again from its journal makes
// no calls, and nobody is told of it.
type Tracer interface {
	// StartCall is told of a call that is about to be made. The context it gives
	// is the handler's, so that a span can travel with it. The function it gives
	// is called once, with the outcome and, if the call failed, the error.
	StartCall(ctx context.Context, r Request) (context.Context, func(Outcome, error))
}

// ProgramTracer is a [Tracer] that is told of programs too.
type ProgramTracer interface {
	Tracer
	// StartProgram is told of a program that begins. The context it gives is that
	// of the program's calls. The function it gives is called once, with the fault
	// that the program ended with or nil.
	StartProgram(ctx context.Context, p ProgramRecord) (context.Context, func(*sandbox.Fault))
}

// ResultTracer is a [Tracer] that sees results: what a call gave, with the context
// that StartCall gave, before the call's end. It must not keep the value.
type ResultTracer interface {
	Tracer
	CallResult(ctx context.Context, v value.Value)
}

// traceProgram tells the tracer of a program, and gives what to tell at its end.
func (r *Run) traceProgram() {
	t, ok := r.d.tracer.(ProgramTracer)
	if !ok {
		return
	}
	defer r.tracerPanic()
	ctx, end := t.StartProgram(r.ctx, r.record())
	if ctx != nil {
		r.spanned = ctx
	}
	r.traced = end
}

// endProgramTrace tells the tracer how the program ended.
func (r *Run) endProgramTrace(f *sandbox.Fault) {
	if r.traced == nil {
		return
	}
	defer r.tracerPanic()
	r.traced(f)
}

// traceResult shows a result to the tracer.
func (r *Run) traceResult(a *admitted, v value.Value) {
	t, ok := r.d.tracer.(ResultTracer)
	if !ok || a.ctx.parent == nil {
		return
	}
	defer r.tracerPanic()
	t.CallResult(a.ctx.parent, v)
}

// tracerPanic keeps a tracer's panic from the program. It is deferred.
func (r *Run) tracerPanic() {
	if p := recover(); p != nil {
		r.d.tell(panicError("the tracer", p))
	}
}
