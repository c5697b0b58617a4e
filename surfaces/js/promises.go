package js

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// trackRejection is told by the engine of promises that are rejected while nobody
// handles them, and of those that somebody handles after all.
func (s *session) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	r := s.run
	if r == nil {
		return
	}
	switch op {
	case goja.PromiseRejectionReject:
		s.frames = s.realm.Runtime().CaptureCallStack(0, s.frames[:0])
		r.rejected = append(r.rejected, rejection{promise: p, at: s.spotOf(s.frames)})
	case goja.PromiseRejectionHandle:
		r.rejected = slices.DeleteFunc(r.rejected, func(x rejection) bool { return x.promise == p })
	}
}

// unhandled is the fault of the first promise whose rejection nobody handled, as
// Node ends a process for it. Nothing is lost in silence: an async callback of
// forEach that fails is told of here.
func (s *session) unhandled() *sandbox.Fault {
	if len(s.run.rejected) == 0 {
		return nil
	}
	first := s.run.rejected[0]
	at := s.madeAt(first.promise.Result())
	if at.program == nil {
		at = first.at
	}
	f := s.thrownFault(first.promise.Result(), at)
	f.Message = "in a promise that nobody awaits: " + f.Message
	if f.Hint == "" {
		f.Hint = "Await it, or await Promise.all([…]) of several; forEach does not wait for async callbacks."
	}
	return f
}

// rejectedFault is the fault of the rejected promise that a program's value is.
func (s *session) rejectedFault(p *goja.Promise) *sandbox.Fault {
	at := s.madeAt(p.Result())
	for _, x := range s.run.rejected {
		if at.program == nil && x.promise.Result() == p.Result() {
			at = x.at
		}
	}
	return s.thrownFault(p.Result(), at)
}

// waits tracks where programs wait for promises, so that one that never settles
// can be named.
type waits session

// wait is one place where something waits for a promise.
type wait struct {
	frames [2]goja.StackFrame
	n      int
	over   bool
}

// Grab is called when something begins to wait.
func (w *waits) Grab() any {
	s := (*session)(w)
	x := &wait{}
	got := s.realm.Runtime().CaptureCallStack(2, x.frames[:0])
	x.n = len(got)
	if x.n > len(x.frames) {
		copy(x.frames[:], got)
		x.n = len(x.frames)
	}
	if s.run != nil {
		s.run.waits.add(x)
	}
	return x
}

// Resumed is called when what it waited for has settled.
func (w *waits) Resumed(x any) {
	if x, ok := x.(*wait); ok {
		x.over = true
	}
}

// Exited is called after it went on.
func (w *waits) Exited() {}

// waitList keeps the waits that are not over.
type waitList struct {
	all  []*wait
	next int // the length at which the list is looked through again
}

func (l *waitList) add(x *wait) {
	if len(l.all) >= max(64, l.next) {
		l.all = slices.DeleteFunc(l.all, func(x *wait) bool { return x.over })
		l.next = 2 * len(l.all)
	}
	l.all = append(l.all, x)
}

// pendingFault is the fault of a program that waits for a promise which nothing
// is left to settle.
func (s *session) pendingFault() *sandbox.Fault {
	f := &sandbox.Fault{
		Kind: sandbox.KindThrown, Name: "Error",
		Message: "the program awaits a promise that never settles: nothing is left that could resolve or reject it.",
		Hint:    "There are no timers or events here. Call the function whose result you need and await that.",
	}
	return s.waitsAt().put(f)
}

// waitsAt is the first place at which something still waits for a promise.
func (s *session) waitsAt() spot {
	if s.run == nil {
		return spot{}
	}
	for _, x := range s.run.waits.all {
		if x.over {
			continue
		}
		if at := s.spotOf(x.frames[:x.n]); at.program != nil {
			return at
		}
	}
	return spot{}
}
