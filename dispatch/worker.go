package dispatch

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// worker is a goroutine parked beside a program, to which its calls are handed
// over. A handler must not run on the program's own goroutine, because one that
// ignores its context could then never be given up; a goroutine, a timer and a
// context for each call would cost more than most functions in process do.
type worker struct {
	jobs chan struct{}
	wake chan struct{}

	// state is the job's number and, in the low bits, its phase. Whoever moves it
	// out of handed or running to anything but running, and nobody else, wakes the
	// program.
	state   atomic.Uint64
	started atomic.Int64 // nanoseconds since the run began

	job   job
	reply reply
	gone  bool // the handler ended the goroutine
}

const (
	phaseIdle      uint64 = iota
	phaseHanded           // the worker has not begun
	phaseRunning          // the handler has been called
	phaseTimedOut         // given up after the handler was called
	phaseCancelled        // given up after the handler was called
	phaseWithdrawn        // given up before it was: it never will be

	phaseBits = 3
	phaseMask = 1<<phaseBits - 1
)

// job is one call of a handler.
type job struct {
	number  uint64
	fn      *toolfn.ToolFn
	ctx     context.Context
	args    *value.Object
	started time.Duration // since the run began
}

// in is the worker's state with this job in a phase.
func (j *job) in(phase uint64) uint64 { return j.number<<phaseBits | phase }

// reply is what became of a job.
type reply struct {
	value any
	err   error
	end   ending
}

// ending is how a handler's call ended.
type ending uint8

const (
	returned ending = iota
	crashed
	timedOut
	cancelled
	unfired   // it was given up before it began
	oversized // it answered with more than the program can take
)

var errGoexit = errors.New("the handler ended its goroutine")

// run calls the handler; its panic is an error.
func (j *job) run() reply {
	v, err := j.fn.Invoke(j.ctx, j.args)
	return reply{value: v, err: err}
}

// panicError tells the host of a panic; its text never reaches a program.
func panicError(who string, p any) error {
	if err, ok := p.(error); ok {
		return fmt.Errorf("%s panicked: %w", who, err)
	}
	return fmt.Errorf("%s panicked: %v", who, p)
}

func newWorker() *worker {
	return &worker{jobs: make(chan struct{}, 1), wake: make(chan struct{}, 1)}
}

// loop runs jobs until the channel is closed or one of them was given up.
func (w *worker) loop(s *stragglers) {
	var j job
	settled := true
	defer func() {
		if !settled { // runtime.Goexit: the handler wants this goroutine dead
			w.settle(s, j, reply{err: errGoexit, end: crashed}, true)
		}
	}()
	for range w.jobs {
		j, settled = w.job, false
		if !w.state.CompareAndSwap(j.in(phaseHanded), j.in(phaseRunning)) {
			settled = true
			return // withdrawn
		}
		r := j.run()
		settled = true
		if !w.settle(s, j, r, false) {
			return
		}
	}
}

// settle hands a reply to the program, unless the program has given up the job.
func (w *worker) settle(s *stragglers, j job, r reply, gone bool) bool {
	running := j.in(phaseRunning)
	if w.state.Load() == running {
		// Written before the phase changes; the program reads it after it was
		// woken, and not at all if it gave up first.
		w.reply, w.gone = r, gone
		if w.state.CompareAndSwap(running, j.in(phaseIdle)) {
			w.wake <- struct{}{}
			return true
		}
	}
	s.add(j.fn, -1)
	return false
}

// abort gives up the job that has this state, if it still has, and wakes the
// program.
func (w *worker) abort(state, phase uint64) bool {
	if !w.state.CompareAndSwap(state, state&^phaseMask|phase) {
		return false
	}
	w.wake <- struct{}{}
	return true
}

// handover is the run's side: its worker, and the two watchers that can give up
// the call under way.
type handover struct {
	base      time.Time
	wait      time.Duration
	worker    *worker
	current   atomic.Pointer[worker] // the same, for the watchers
	number    uint64
	dog       *time.Timer
	armed     atomic.Bool
	cancelled atomic.Bool
	closed    atomic.Bool
	unwatch   func() bool
}

// since is the time since the run began.
func (h *handover) since() time.Duration { return time.Since(h.base) }

// do runs a job on the worker and waits until it has ended or was given up.
func (h *handover) do(ctx context.Context, s *stragglers, j job) reply {
	w := h.ready(ctx, s)
	h.number++
	j.number = h.number
	w.job = j
	w.started.Store(int64(j.started))
	handed := j.in(phaseHanded)
	w.state.Store(handed)
	// Only now can the watchers see the job; what they saw before it they would
	// not look at again.
	h.arm(h.wait)
	if h.cancelled.Load() && w.state.CompareAndSwap(handed, j.in(phaseIdle)) {
		return reply{end: unfired}
	}
	w.jobs <- struct{}{}
	<-w.wake
	switch w.state.Load() & phaseMask {
	case phaseTimedOut:
		h.abandon(s, j.fn)
		return reply{end: timedOut}
	case phaseCancelled:
		h.abandon(s, j.fn)
		return reply{end: cancelled}
	case phaseWithdrawn:
		h.forget() // the worker ends when it finds out
		return reply{end: unfired}
	}
	r := w.reply
	w.reply, w.job = reply{}, job{}
	if w.gone {
		h.forget()
	}
	return r
}

// ready gives the parked worker, making it and the watchers on first use.
func (h *handover) ready(ctx context.Context, s *stragglers) *worker {
	if h.worker == nil {
		h.worker = newWorker()
		h.current.Store(h.worker)
		go h.worker.loop(s)
	}
	if h.dog == nil {
		h.dog = time.AfterFunc(time.Hour, h.bark)
		h.unwatch = context.AfterFunc(ctx, h.interrupt)
	}
	return h.worker
}

// abandon leaves the worker to its handler, which may never return.
func (h *handover) abandon(s *stragglers, fn *toolfn.ToolFn) {
	s.add(fn, 1)
	h.forget()
}

func (h *handover) forget() {
	h.worker = nil
	h.current.Store(nil)
}

// arm sets the watchdog, if it is not set. One timer serves all the calls of a
// program: it looks after the time that one call may take and, if that call has
// ended meanwhile, sets itself again for the call under way then.
func (h *handover) arm(d time.Duration) {
	if h.armed.CompareAndSwap(false, true) {
		h.dog.Reset(d)
	}
}

// bark gives up the call under way if it has taken too long.
func (h *handover) bark() {
	h.armed.Store(false)
	w := h.current.Load()
	if w == nil || h.closed.Load() {
		return
	}
	state := w.state.Load()
	started := time.Duration(w.started.Load())
	switch {
	case w.state.Load() != state, state&phaseMask == phaseHanded:
		h.arm(h.wait) // another call has begun meanwhile, or is about to
	case state&phaseMask != phaseRunning: // none is under way; the next one arms
	case h.since()-started < h.wait:
		h.arm(h.wait - (h.since() - started))
	default:
		w.abort(state, phaseTimedOut)
	}
}

// interrupt gives up the call under way because the program was cancelled.
func (h *handover) interrupt() {
	h.cancelled.Store(true)
	w := h.current.Load()
	if w == nil {
		return
	}
	for {
		state := w.state.Load()
		switch state & phaseMask {
		case phaseHanded:
			if w.abort(state, phaseWithdrawn) {
				return
			}
		case phaseRunning:
			if w.abort(state, phaseCancelled) {
				return
			}
		default:
			return
		}
	}
}

// close ends the worker and the watchers.
func (h *handover) close() {
	h.closed.Store(true)
	if h.dog != nil {
		h.unwatch()
		h.dog.Stop()
	}
	if h.worker != nil {
		close(h.worker.jobs)
		h.forget()
	}
}
