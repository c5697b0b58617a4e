package toolfn

import (
	"context"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Impact is what a call does to the world.
type Impact uint8

// The impacts. Unknown is treated as a write wherever that is the safe reading.
const (
	Unknown Impact = iota
	Read
	Write
	Destructive
)

// String gives the word used in discovery: unknown, read, write, destructive.
func (i Impact) String() string {
	switch i {
	case Read:
		return "read"
	case Write:
		return "write"
	case Destructive:
		return "destructive"
	}
	return "unknown"
}

// Effect is what is declared of a function's effect.
type Effect struct {
	Impact     Impact
	Idempotent bool // calling twice with the same arguments is the same as once
}

// Reads reports whether the function is declared to change nothing.
func (e Effect) Reads() bool { return e.Impact == Read }

// Example is one call that works.
type Example struct {
	Note string
	Args *value.Object
}

// ToolFn is a function that a program may call. Once it is registered nobody may
// change it; the catalogue hands out its own copy.
type ToolFn struct {
	// Name matches [A-Za-z_][A-Za-z0-9_]*. A name SERVER__TOOL is also reachable
	// as SERVER.TOOL.
	Name string
	// Server is the group the function belongs to; "" is derived from the name.
	Server string
	// Description is the author's text.
	Description string
	// UpstreamName is the name as the server spells it, where it differs.
	UpstreamName string
	// Input is the schema of the one argument object; nil accepts any object.
	Input *jsonschema.Schema
	// Output is the schema of the result, nil if it is not declared.
	Output *jsonschema.Schema
	// Effect is what a call does.
	Effect   Effect
	Examples []Example
	// Unsampled keeps discovery from calling the function to learn the shape of
	// its result, even if it is a read without required arguments.
	Unsampled bool
	// Call runs the function. Args has passed validation and may be kept. The
	// result is copied before a program sees it. An error's text reaches the
	// program; an error that is a *[CallError] keeps its details.
	Call func(ctx context.Context, args *value.Object) (value.Value, error)

	// Rows is set for a function that stands for a verb of a table; see
	// [FnFromTable]. Call is then not used: the dispatcher does what the arguments
	// say, as it would for a statement about the table.
	Rows *RowFn

	contract *contract // the compiled input, set at registration
	observed *observed // what calls have shown of the result, set at registration
	adopted  bool      // came with Adopt, goes with Withdraw
	notes    []Warning // about the schemas, found when they were read
}

// Local is the name within the server: the name without its SERVER__ prefix.
func (f *ToolFn) Local() string {
	if f.Server != "" {
		if rest, ok := strings.CutPrefix(f.Name, f.Server+"__"); ok && rest != "" {
			return rest
		}
	}
	return f.Name
}

// Upstream is the name that the server knows the function by.
func (f *ToolFn) Upstream() string {
	if f.UpstreamName != "" {
		return f.UpstreamName
	}
	return f.Local()
}

// CallError is a failed call that keeps machine-readable details.
type CallError struct {
	// Code is a stable word such as "auth_expired" or "rate_limited"; may be "".
	Code string
	// Message is the author's text.
	Message string
	// Details are structured, nil if there are none.
	Details value.Value
	// OutcomeUnknown says that the call may have taken effect.
	OutcomeUnknown bool
	// Retryable says that the same call may be made again.
	Retryable bool
	// RetryAfter is when the server wants to be asked again, 0 if it does not say.
	RetryAfter time.Duration
	// Attempts is how often the call was made, if more than once.
	Attempts int
	// Cause is for the host.
	Cause error
}

// Error gives the message.
func (e *CallError) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *CallError) Unwrap() error { return e.Cause }
