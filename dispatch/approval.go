package dispatch

import (
	"context"

	"github.com/polyglove/polyglove/sandbox"
)

// Asker asks the host about one call for which policy says [Ask]. The program
// waits; the time is not counted as its own. The context ends when the program
// is cancelled; an answer that comes later is not heard, and the call not made.
// An error refuses the call, as does a panic.
type Asker func(context.Context, Question) (Answer, error)

// Question is a call that waits for the host's word.
type Question struct {
	Request
	Reason string // the policy's, may be ""
}

// Answer is the host's word.
type Answer struct {
	Allow bool
	// Reason is told to the model when the call is refused.
	Reason string
	// Rest extends the answer to all further calls of the same function in the
	// same program.
	Rest bool
}

// approve puts a question and waits for the answer with the clock paused. It
// gives the fault of a refusal.
func (r *Run) approve(q Question) *sandbox.Fault {
	if a, ok := r.settled[q.Function]; ok {
		return refusal(a, q)
	}
	if r.d.ask == nil {
		return refusal(Answer{Reason: "it needs an approval, and nobody is there to give it"}, q)
	}
	type reply struct {
		answer Answer
		err    error
	}
	// The answer comes from a goroutine of its own, so that a host that forgets
	// its context cannot hold a cancelled program.
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	heard := make(chan reply, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				r.d.tell(panicError("the approval callback", p))
				heard <- reply{answer: Answer{Reason: "the approval failed"}}
			}
		}()
		a, err := r.d.ask(ctx, q)
		heard <- reply{a, err}
	}()
	r.pause()
	defer r.resume()
	select {
	case got := <-heard:
		if got.err != nil {
			r.d.tell(got.err)
			got.answer = Answer{Reason: "the approval failed"}
		}
		if got.answer.Rest {
			r.remember(q, got.answer)
		}
		return refusal(got.answer, q)
	case <-r.ctx.Done():
		return refusal(Answer{Reason: "the program was stopped before the answer came"}, q)
	}
}

// refusal is the fault of a call that was not allowed, nil if it was.
func refusal(a Answer, q Question) *sandbox.Fault {
	if a.Allow {
		return nil
	}
	if a.Reason == "" {
		a.Reason = "the host refused it"
	}
	return denied(q.Function.Name, a.Reason)
}

// denied is the fault of a call that policy or the host refused.
func denied(name, reason string) *sandbox.Fault {
	return &sandbox.Fault{
		Kind:    sandbox.KindDenied,
		Message: name + " was refused: " + sandbox.Clip(reason, 300) + ". It was not called.",
		Hint:    "Do not try it again in another way; finish without it, or report what is missing.",
	}
}
