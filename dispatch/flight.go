package dispatch

import (
	"sync"
	"time"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Flight is a call that was started. It is used from the program's goroutine.
type Flight struct {
	run  *Run
	a    *admitted
	rows *selecting // a read of a table takes the place of a call

	// Guarded by the lanes' lock until done is closed.
	phase  flightPhase
	reply  reply
	size   int64 // of the result, estimated
	landed time.Duration
	timer  *time.Timer
	done   chan struct{}

	settled bool
	got     value.Value
	err     error
}

type flightPhase uint8

const (
	flightQueued flightPhase = iota
	flightRunning
	flightOver // it has answered or was given up
)

// lanes runs reads side by side, at most Limits.Concurrency at once, the others
// waiting their turn in the order of their calls.
type lanes struct {
	run    *Run
	mu     sync.Mutex
	active int
	held   int64 // bytes of results that have arrived and are not settled
	queue  []*Flight
	open   []*Flight // started and not yet settled, in the order of their calls
	closed bool
}

// busy reports whether any started call may still be under way.
func (l *lanes) busy() bool { return len(l.open) > 0 }

// Start begins a call without waiting for it. Validation, policy, approval and
// the ceiling happen here, in program order; their fault is the error. A read
// then runs beside the program. Anything else waits until every read before it
// has ended, runs, and has finished when Start returns: so effects keep their
// order, and reads see the world as the program's order has it.
func (r *Run) Start(c Call) (*Flight, error) {
	a, err := r.admit(c)
	if err != nil {
		return nil, err
	}
	f := &Flight{run: r, a: a}
	if a.fn.Rows != nil {
		return f, r.startTable(f)
	}
	if a.stage {
		f.got, f.err = r.hold(a, nil, nil)
		f.settled = true
		return f, nil
	}
	if !a.fn.Effect.Reads() {
		if err := r.drain(); err != nil {
			return nil, err
		}
		f.got, f.err = r.now(a)
		f.settled = true
		return f, r.m.Err()
	}
	f.take()
	return f, nil
}

// take puts an admitted read beside the program.
func (f *Flight) take() {
	f.done = make(chan struct{})
	if f.run.replay != nil {
		f.phase = flightOver
		close(f.done)
		f.run.lanes.open = append(f.run.lanes.open, f)
		return
	}
	f.a.started = f.run.hand.since()
	f.run.begin(f.a)
	f.run.lanes.add(f)
}

// Wait gives the call's result, with the meter's clock paused. It may be called
// more than once, and gives the same each time.
func (f *Flight) Wait() (value.Value, error) {
	if f.settled {
		return f.got, f.err
	}
	if f.rows != nil {
		f.got, f.err = f.rows.value()
		f.settled = true
		return f.got, f.err
	}
	if err := f.run.await(f.done); err != nil {
		return nil, err
	}
	f.settle()
	return f.got, f.err
}

// Ready reports whether Wait would return at once.
func (f *Flight) Ready() bool {
	if f.settled {
		return true
	}
	if f.rows != nil {
		return f.rows.ready()
	}
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// settle takes the reply of a flight that is over into the program.
func (f *Flight) settle() {
	f.settled = true
	f.run.lanes.close(f)
	f.run.lanes.release(f.size)
	f.a.ended = f.landed
	if f.run.replay != nil {
		f.got, f.err = f.run.again(f.a)
		return
	}
	f.got, f.err = f.run.complete(f.a, f.reply)
	f.reply = reply{}
}

// await waits for a channel unless the program is stopped.
func (r *Run) await(done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
	}
	r.pause()
	defer r.resume()
	select {
	case <-done:
		return nil
	case <-r.ctx.Done():
		return r.stopped()
	}
}

// drain waits until every started call has ended.
func (r *Run) drain() error {
	for _, f := range r.lanes.open {
		if err := r.await(f.done); err != nil {
			return err
		}
	}
	return nil
}

// settleAll gives up what is under way and settles every open call, so that the
// tally and the journal know of it.
func (r *Run) settleAll() {
	r.lanes.shut()
	for len(r.lanes.open) > 0 {
		r.lanes.open[0].settle()
	}
}

// add starts a flight, or puts it in the queue.
func (l *lanes) add(f *Flight) {
	l.open = append(l.open, f)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
	l.dispatch()
}

// close forgets a flight that has been settled.
func (l *lanes) close(f *Flight) {
	for i, o := range l.open {
		if o == f {
			l.open = append(l.open[:i], l.open[i+1:]...)
			return
		}
	}
}

// dispatch starts queued flights while there is room. The lock is held.
func (l *lanes) dispatch() {
	for l.active < l.run.limits.Concurrency && len(l.queue) > 0 && !l.closed {
		f := l.queue[0]
		l.queue = l.queue[1:]
		l.active++
		l.launch(f)
	}
}

// launch runs a flight on a goroutine of its own, with a timer that gives it up.
// Its time begins now, not when it was put in the queue. The lock is held.
func (l *lanes) launch(f *Flight) {
	wait := l.run.limits.Wait
	f.phase = flightRunning
	f.a.started = l.run.hand.since()
	f.a.ctx.begin(l.run.hand.base.Add(f.a.started + wait))
	f.timer = time.AfterFunc(wait, func() { l.land(f, reply{end: timedOut}, true) })
	j := l.run.jobOf(f.a)
	go func() {
		rep := reply{err: errGoexit, end: crashed}
		defer func() { l.land(f, rep, false) }()
		rep = j.run()
	}()
}

// release takes a settled result off what is held.
func (l *lanes) release(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held -= n
}

// hold counts a result that has arrived and that the program does not yet pay
// for. One that would take the results on hold beyond the program's memory is
// dropped, because the program could not take it any more. The lock is held.
func (l *lanes) hold(f *Flight, rep reply, size int64) reply {
	if l.held+size > l.run.limits.Memory {
		return reply{end: oversized}
	}
	f.size = size
	l.held += size
	return rep
}

// measure estimates a result's size. It is the handler's until it is copied, and
// a handler that still writes to it must not take the host down.
func (l *lanes) measure(v any) (n int64) {
	defer func() {
		if recover() != nil {
			n = 0
		}
	}()
	return value.Size(v, l.run.limits.Memory)
}

// land ends a flight, with its handler's reply or because it is given up.
func (l *lanes) land(f *Flight, rep reply, givenUp bool) {
	size := l.measure(rep.value)
	l.mu.Lock()
	defer l.mu.Unlock()
	if f.phase == flightOver {
		if !givenUp {
			l.run.d.stragglers.add(f.a.fn, -1)
		}
		return
	}
	if givenUp {
		l.run.d.stragglers.add(f.a.fn, 1)
	}
	l.over(f, l.hold(f, rep, size))
	l.active--
	l.dispatch()
}

// over marks the end of a flight. The lock is held.
func (l *lanes) over(f *Flight, rep reply) {
	if f.timer != nil {
		f.timer.Stop()
	}
	f.phase, f.reply, f.landed = flightOver, rep, l.run.hand.since()
	f.a.ctx.finish()
	close(f.done)
}

// shut gives up everything that is under way or waits.
func (l *lanes) shut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.queue = nil
	for _, f := range l.open {
		switch f.phase {
		case flightRunning:
			l.run.d.stragglers.add(f.a.fn, 1)
			l.over(f, reply{end: cancelled})
		case flightQueued:
			l.over(f, reply{end: unfired})
		}
	}
}
