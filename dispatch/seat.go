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

// job is one call of a handler.
type job struct {
	number  uint64
	fn      *toolfn.ToolFn
	ctx     context.Context
	args    *value.Object
	call    func(context.Context) (value.Value, error) // in place of fn's own; nil for that
	care    *care                                      // nil: the call is made once, at once
	lane    *serverLane                                // where it waits for its server's turn; nil if it need not
	gate    *gate                                      // nil: it need not wait for its turn
	started time.Duration                              // since the run began
}

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
	if j.care != nil {
		return j.care.run(j)
	}
	v, err := j.once()
	return reply{value: v, err: err}
}

func (j *job) once() (value.Value, error) {
	if j.call != nil {
		return j.fn.Guard(j.ctx, j.call)
	}
	return j.fn.Invoke(j.ctx, j.args)
}

// in is the seat's state with this job in a phase.
func (j *job) in(phase uint64) uint64 { return j.number<<phaseBits | phase }

// panicError tells the host of a panic; its text never reaches a program.
func panicError(who string, p any) error {
	if err, ok := p.(error); ok {
		return fmt.Errorf("%s panicked: %w", who, err)
	}
	return fmt.Errorf("%s panicked: %v", who, p)
}

// seat is where a program's job lies while a server works on it. A program that
// gives up a job leaves its seat behind, because the handler may still return
// and write to it; the next job gets a new one.
type seat struct {
	// state is the job's number and, in the low bits, its phase. Each change is
	// one compare-and-swap, so that of a handler that returns and a watcher that
	// gives up exactly one wins.
	state   atomic.Uint64
	started atomic.Int64 // nanoseconds since the run began
	job     job
	reply   reply
	server  server
}

const (
	phaseIdle      uint64 = iota
	phaseHanded           // no server has begun
	phaseRunning          // the handler has been called
	phaseTimedOut         // given up after the handler was called
	phaseCancelled        // given up after the handler was called
	phaseWithdrawn        // given up before it was: it never will be

	phaseBits = 3
	phaseMask = 1<<phaseBits - 1
)

// server runs the jobs of a program on another goroutine than the program's. A
// handler must not run on the program's own, because one that ignores its context
// could then never be given up.
type server interface {
	// do hands over the job in a seat and returns when it has left the phases
	// handed and running. It is called by the program.
	do(*seat)
	// goOn lets the program go on after its job was given up; begun says that the
	// handler had been called. It is called by a watcher.
	goOn(begun bool)
	// close ends the server's goroutine, which is not running a job.
	close()
}

// accept begins the job, unless it was withdrawn. It is called by a server.
func (s *seat) accept() bool {
	return s.state.CompareAndSwap(s.job.in(phaseHanded), s.job.in(phaseRunning))
}

// settle leaves a reply, unless the program has given up the job.
func (s *seat) settle(number uint64, r reply) bool {
	j := job{number: number}
	if s.state.Load() != j.in(phaseRunning) {
		return false
	}
	// Written before the phase changes. The program reads it after that, and not
	// at all if it gave up first.
	s.reply = r
	return s.state.CompareAndSwap(j.in(phaseRunning), j.in(phaseIdle))
}

// giveUp takes the job from the handler, if it is still in this state.
func (s *seat) giveUp(state, phase uint64) bool {
	if !s.state.CompareAndSwap(state, state&^phaseMask|phase) {
		return false
	}
	s.server.goOn(phase != phaseWithdrawn)
	return true
}
