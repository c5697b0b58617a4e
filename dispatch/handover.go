package dispatch

import (
	"context"
	"sync/atomic"
	"time"
)

// handover is a run's side of its calls: the seat, who serves it, and the two
// watchers that can give up the call under way.
type handover struct {
	base      time.Time
	wait      time.Duration
	host      *host // nil if the program runs on its own
	seat      *seat
	current   atomic.Pointer[seat] // the same, for the watchers and the server
	number    uint64
	dog       *time.Timer
	armed     atomic.Bool
	cancelled atomic.Bool
	closed    atomic.Bool
	unwatch   func() bool
}

// since is the time since the run began.
func (h *handover) since() time.Duration { return time.Since(h.base) }

// do has a job run and waits until it has ended or was given up.
func (h *handover) do(ctx context.Context, late *stragglers, j job) reply {
	s := h.ready(ctx, late)
	h.number++
	j.number = h.number
	s.job = j
	s.started.Store(int64(j.started))
	s.state.Store(j.in(phaseHanded))
	// Only now can the watchers see the job; what they saw before it they would
	// not look at again.
	h.arm(h.wait)
	if h.cancelled.Load() && s.state.CompareAndSwap(j.in(phaseHanded), j.in(phaseIdle)) {
		return reply{end: unfired}
	}
	s.server.do(s)
	switch s.state.Load() & phaseMask {
	case phaseTimedOut:
		return h.abandon(late, j, timedOut)
	case phaseCancelled:
		return h.abandon(late, j, cancelled)
	case phaseWithdrawn:
		h.leave()
		return reply{end: unfired}
	}
	rep := s.reply
	s.reply, s.job = reply{}, job{}
	if w, ok := s.server.(*worker); ok && w.gone {
		h.leave()
	}
	return rep
}

// ready gives a free seat, making it, its server and the watchers on first use.
func (h *handover) ready(ctx context.Context, late *stragglers) *seat {
	if h.seat == nil {
		h.seat = &seat{}
		if h.host != nil {
			h.seat.server = h.host
		} else {
			h.seat.server = startWorker(late)
		}
		h.current.Store(h.seat)
	}
	if h.dog == nil {
		h.dog = time.AfterFunc(time.Hour, h.bark)
		h.unwatch = context.AfterFunc(ctx, h.interrupt)
	}
	return h.seat
}

// abandon leaves the seat to a handler that may never return.
func (h *handover) abandon(late *stragglers, j job, end ending) reply {
	late.add(j.fn, 1)
	h.leave()
	return reply{end: end}
}

// leave gives up the seat; the next job gets a new one.
func (h *handover) leave() {
	h.seat = nil
	h.current.Store(nil)
}

// arm sets the watchdog, if it is not set. One timer serves all the calls of a
// program: it looks after the time that one call may take and, if that call has
// ended meanwhile, sets itself again for the call under way then.
func (h *handover) arm(d time.Duration) {
	if !h.armed.Load() && h.armed.CompareAndSwap(false, true) {
		h.dog.Reset(d)
	}
}

// bark gives up the call under way if it has taken too long.
func (h *handover) bark() {
	h.armed.Store(false)
	s := h.current.Load()
	if s == nil || h.closed.Load() {
		return
	}
	state := s.state.Load()
	started := time.Duration(s.started.Load())
	switch {
	case s.state.Load() != state, state&phaseMask == phaseHanded:
		h.arm(h.wait) // another call has begun meanwhile, or is about to
	case state&phaseMask != phaseRunning: // none is under way; the next one arms
	case h.since()-started < h.wait:
		h.arm(h.wait - (h.since() - started))
	default:
		s.giveUp(state, phaseTimedOut)
	}
}

// interrupt gives up the call under way because the program was cancelled.
func (h *handover) interrupt() {
	h.cancelled.Store(true)
	s := h.current.Load()
	if s == nil {
		return
	}
	for {
		state := s.state.Load()
		switch state & phaseMask {
		case phaseHanded:
			if s.giveUp(state, phaseWithdrawn) {
				return
			}
		case phaseRunning:
			if s.giveUp(state, phaseCancelled) {
				return
			}
		default:
			return
		}
	}
}

// close ends the server and the watchers.
func (h *handover) close() {
	h.closed.Store(true)
	if h.dog != nil {
		h.unwatch()
		h.dog.Stop()
	}
	if h.seat != nil {
		h.seat.server.close()
		h.leave()
	}
}
