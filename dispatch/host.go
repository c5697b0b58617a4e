package dispatch

import (
	"iter"
	"sync/atomic"
)

// Host runs a program and the handlers that it calls. A call then costs two
// switches between coroutines instead of two hand-overs between goroutines,
// which is a quarter of the time and does not wait for the scheduler. It returns
// when the program does, with its panic if it panics.
//
// The program runs on a goroutine of its own and must make its calls from there.
// Handlers must not leave their goroutine locked to a thread
// (runtime.LockOSThread), which the runtime would take for a defect and not
// survive. A run without Host has neither condition.
func (r *Run) Host(program func()) {
	if r.hand.host != nil || r.hand.seat != nil {
		program()
		return
	}
	h := &host{hand: &r.hand, late: &r.d.stragglers, done: make(chan struct{})}
	r.hand.host = h
	go h.begin(program)
	<-h.done
	r.hand.host, r.hand.seat = nil, nil
	r.hand.current.Store(nil)
	if h.panicked != nil {
		panic(h.panicked)
	}
}

// host is a server that runs the program as a coroutine of its own goroutine:
// the program yields a job, the goroutine runs the handler, and resumes the
// program. If a handler is given up, another goroutine takes its place and
// resumes the program; the first ends when its handler returns.
type host struct {
	hand     *handover
	late     *stragglers
	next     func() (struct{}, bool)
	yield    func(struct{}) bool
	ended    atomic.Bool
	done     chan struct{}
	panicked any
}

func (h *host) do(*seat) { h.yield(struct{}{}) }

// goOn resumes the program on a new goroutine. If the handler had not begun, its
// goroutine finds out by itself and resumes the program.
func (h *host) goOn(begun bool) {
	if begun {
		go h.serve()
	}
}

func (h *host) close() {}

// begin makes the coroutine, here and not on the caller's goroutine, which may be
// locked to a thread.
func (h *host) begin(program func()) {
	h.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		h.yield = yield
		defer h.end()
		program()
	})
	h.serve()
}

// end notes how the program ended. It runs on the program's goroutine.
func (h *host) end() {
	h.panicked = recover()
	h.ended.Store(true)
	close(h.done)
}

// serve resumes the program and runs the jobs that it yields, until the program
// ends or gives up one of them.
func (h *host) serve() {
	for {
		if _, more := h.next(); !more {
			return
		}
		s := h.hand.current.Load()
		if !s.accept() {
			continue // withdrawn; the program is resumed
		}
		if !h.run(s) {
			return
		}
	}
}

// run runs one job and reports whether this goroutine still serves the program.
func (h *host) run(s *seat) bool {
	j := s.job
	rep := reply{err: errGoexit, end: crashed}
	ended := false
	defer func() {
		if !ended && h.leave(s, j, rep) {
			go h.serve() // runtime.Goexit: this goroutine cannot go on
		}
	}()
	rep = j.run()
	ended = true
	return h.leave(s, j, rep)
}

func (h *host) leave(s *seat, j job, rep reply) bool {
	if !s.settle(j.number, rep) {
		h.late.add(j.fn, -1)
		return false
	}
	return true
}
