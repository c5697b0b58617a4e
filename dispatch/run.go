package dispatch

import (
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Call is one request of a program for a capability.
type Call struct {
	Function     string        // the catalogue's name
	Args         *value.Object // nil means no arguments
	Line, Column int           // where in the program, 1-based; 0 where unknown
}

// Tally is how often an execute called a function. Refused calls are not in it.
type Tally struct {
	Name   string `json:"name"`
	Calls  int    `json:"calls"`
	Effect string `json:"effect"` // read, write, destructive, unknown
	Failed int    `json:"failed,omitempty"`
}

// Run is the account of one execute: its call ceiling, its tally, and what has
// fired. It is used from the program's goroutine.
type Run struct{}

// Call makes a call and waits for it with the meter's clock paused. Every error
// is a *[sandbox.Fault]: argument and denied (nothing fired), capability
// (fired and failed), unknown (fired, outcome not known), or a limit.
func (r *Run) Call(c Call) (value.Value, error) { return nil, &sandbox.Fault{Kind: sandbox.KindInternal} }

// Flight is a call under way.
type Flight struct{}

// Start begins a call without waiting for it. Validation, policy, tally and
// journal happen here, in program order. A read then runs beside the program,
// at most Limits.Concurrency at once; anything else has finished when Start
// returns. Flights are settled in the order of their calls.
func (r *Run) Start(c Call) (*Flight, error) { return nil, &sandbox.Fault{Kind: sandbox.KindInternal} }

// Wait gives the call's result, with the meter's clock paused.
func (f *Flight) Wait() (value.Value, error) { return nil, nil }
