package dispatch

import "context"

// Tracer is told of calls, to make spans of them. It must be quick and must not
// keep the request's arguments.
type Tracer interface {
	// StartCall is told of a call that is about to be made. The context it gives
	// is the handler's, so that a span can travel with it. The function it gives
	// is called once, with the outcome and, if the call failed, the error.
	StartCall(ctx context.Context, r Request) (context.Context, func(Outcome, error))
}
