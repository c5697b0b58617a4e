package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
)

// longestError is the length, in bytes, of an author's error text in a fault; a
// longer one loses its middle, because the cause tends to stand at the start and
// the detail at the end.
const longestError = 800

// ErrUnusable is the cause of the fault of a call that worked and whose result
// the program cannot use.
var ErrUnusable = errors.New("the result cannot be used")

// OutcomeOf tells from the fault of a call what became of the call.
func OutcomeOf(f *sandbox.Fault) Outcome {
	switch {
	case errors.Is(f.Cause, ErrUnusable):
		return Done
	case f.Kind == sandbox.KindCapability:
		return Failed
	case f.Kind == sandbox.KindUnknown:
		return Unsettled
	}
	return Refused
}

// classify says how a call came out that did not simply answer. A call that was
// given up, or that ended in the middle, has an unknown outcome unless it only
// reads: then nothing can have happened.
func classify(fn *toolfn.ToolFn, r reply) Outcome {
	unsure := Unsettled
	if fn.Effect.Reads() {
		unsure = Failed
	}
	switch r.end {
	case timedOut, cancelled, crashed:
		return unsure
	case unfired:
		return Refused
	case oversized:
		return Failed // it was a read: only reads are held
	}
	if r.err == nil {
		return Done
	}
	if callErr := (*toolfn.CallError)(nil); errors.As(r.err, &callErr) && callErr != nil {
		if callErr.OutcomeUnknown {
			return unsure
		}
		return Failed
	}
	if refusedByHandler(r.err) != nil {
		return Refused
	}
	if gaveUp(r.err) {
		return unsure
	}
	return Failed
}

// gaveUp reports whether a handler's error says that it stopped waiting for its
// own upstream, which may nevertheless have done what it was asked.
func gaveUp(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return true
	}
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// refusedByHandler gives the fault of a handler that says that it did nothing
// because of its arguments.
func refusedByHandler(err error) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) && f != nil && f.Kind == sandbox.KindArgument {
		return f
	}
	return nil
}

// faultOf is the fault of a call with the outcome Failed or Unsettled.
func (r *Run) faultOf(fn *toolfn.ToolFn, rep reply, o Outcome) *sandbox.Fault {
	f := &sandbox.Fault{Kind: sandbox.KindCapability, Cause: rep.err}
	switch rep.end {
	case timedOut:
		f.Message = fn.Name + " gave no answer within " + r.limits.Wait.String() + "."
		f.Cause = context.DeadlineExceeded
	case crashed:
		f.Message = fn.Name + " ended without an answer."
	default:
		f.Message = blame(fn.Name, rep.err)
	}
	f.Hint = adviceFor(fn, rep, o)
	if o == Unsettled {
		f.Kind = sandbox.KindUnknown
		f.Message += " Whether it took effect is not known."
	}
	return f
}

// blame says which function failed and why.
func blame(name string, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return name + " gave up waiting for its own answer."
	case errors.Is(err, context.Canceled):
		return name + " was interrupted."
	}
	text := Sentence(err.Error())
	if !strings.HasPrefix(text, name) {
		text = name + ": " + text
	}
	if c := (*toolfn.CallError)(nil); errors.As(err, &c) && c.Attempts > 1 {
		text += fmt.Sprintf(" It was tried in %d attempts.", c.Attempts)
	}
	return text
}

// adviceFor is the next action after a call that failed.
func adviceFor(fn *toolfn.ToolFn, rep reply, o Outcome) string {
	if o == Unsettled {
		if fn.Effect.Idempotent {
			return "The same call with the same arguments may be made again."
		}
		return "Look with a read whether it happened before you call it again."
	}
	if rep.end == timedOut {
		return "Nothing was changed; it may be called again, with narrower arguments."
	}
	var c *toolfn.CallError
	if !errors.As(rep.err, &c) {
		return ""
	}
	once := *c
	once.Attempts = 0
	_, passes := retryable(&once)
	switch {
	case passes && c.RetryAfter > 0:
		return "The same call may be made again, but not before " + c.RetryAfter.Round(time.Second).String() + " have passed."
	case passes:
		return "The same call may be made again."
	}
	return ""
}

// Sentence makes one bounded line of an author's error text, with a full stop at
// its end.
func Sentence(text string) string {
	text = elide.Middle(toolfn.Plain(strings.TrimSpace(text), 4*longestError), longestError)
	if text == "" {
		return "it failed and gave no reason."
	}
	if !strings.ContainsAny(text[len(text)-1:], ".!?)") {
		text += "."
	}
	return text
}
