package sandbox

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// slice is how many units of fuel are handed out between two looks at the
// context and the clock: small enough that a cancelled program stops within a
// few milliseconds, large enough that the look costs nothing.
const slice = 4096

// Meter accounts one execute. It is used by one goroutine at a time, save for
// Stop, which any goroutine may call.
//
// Once a limit is hit the meter stays failed: every later charge gives the same
// error, so a program that caught it cannot go on.
type Meter struct {
	ctx      context.Context
	limits   Limits
	left     int64 // fuel in the current slice
	reserve  int64 // fuel not yet handed out
	memory   int64
	depth    int
	err      *Fault
	stopped  atomic.Pointer[Fault]
	deadline time.Time
	paused   time.Time
	waited   time.Duration
}

// NewMeter starts the account of one execute.
func NewMeter(ctx context.Context, l Limits) (*Meter, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	m := &Meter{}
	m.Reset(ctx, l)
	return m, nil
}

// Reset starts a new execute on the same meter with limits that have been
// validated before.
func (m *Meter) Reset(ctx context.Context, l Limits) {
	m.ctx, m.limits = ctx, l
	m.left, m.reserve = 0, l.Fuel
	m.memory, m.depth = 0, 0
	m.err = nil
	m.stopped.Store(nil)
	m.deadline = time.Now().Add(l.Compute)
	m.paused, m.waited = time.Time{}, 0
}

// Context is the context of the execute.
func (m *Meter) Context() context.Context { return m.ctx }

// Limits are the limits the meter enforces.
func (m *Meter) Limits() Limits { return m.limits }

// Charge spends n units of fuel before the work they stand for.
func (m *Meter) Charge(n int64) error {
	if m.left -= n; m.left >= 0 {
		return nil
	}
	return m.refill()
}

// refill hands out the next slice, or fails the meter.
func (m *Meter) refill() error {
	if m.err != nil {
		m.left = -1
		return m.err
	}
	if f := m.stopped.Load(); f != nil {
		return m.fail(f)
	}
	if err := m.ctx.Err(); err != nil {
		return m.fail(contextFault(m.ctx))
	}
	if time.Now().After(m.deadline) {
		return m.fail(&Fault{
			Kind: KindDeadline, Message: "the program computed for longer than " + m.limits.Compute.String() + ".",
			Hint: "Filter earlier, or pass narrower arguments to the calls.",
		})
	}
	need := -m.left
	if need > m.reserve {
		m.reserve = 0
		return m.fail(&Fault{
			Kind: KindFuel, Message: "the program used up its computation budget.",
			Hint: "Look for a runaway loop, filter earlier, or split the work over several programs.",
		})
	}
	m.reserve -= need
	next := min(int64(slice), m.reserve)
	m.reserve -= next
	m.left = next
	return nil
}

// Alloc charges n bytes before they are allocated.
func (m *Meter) Alloc(n int64) error {
	if n < 0 || n > m.limits.Memory-m.memory {
		if m.err != nil {
			return m.err
		}
		return m.fail(&Fault{
			Kind: KindMemory, Message: "the program needs more memory than it may use.",
			Hint: "Keep fewer rows, count instead of collecting, or drop large strings.",
		})
	}
	m.memory += n
	// Filling memory is work too: one unit for each 64 bytes.
	return m.Charge(n >> 6)
}

// Release gives back n bytes that are known to be free again.
func (m *Meter) Release(n int64) { m.memory = max(0, m.memory-n) }

// Enter counts one more nested call; Leave must follow.
func (m *Meter) Enter() error {
	m.depth++
	if m.depth > m.limits.Depth {
		return m.fail(DepthFault())
	}
	return nil
}

// Leave ends what Enter began.
func (m *Meter) Leave() { m.depth-- }

// DepthFault is the fault of calls that nest too deep.
func DepthFault() *Fault {
	return &Fault{
		Kind: KindDepth, Message: "calls are nested too deeply.",
		Hint: "Use a loop instead of recursion, or check that the recursion ends.",
	}
}

// Pause stops the compute clock while the program waits for a capability.
func (m *Meter) Pause() { m.PauseAt(time.Now()) }

// PauseAt is Pause for a caller that has just read the clock.
func (m *Meter) PauseAt(now time.Time) { m.paused = now }

// Resume ends what Pause began.
func (m *Meter) Resume() { m.ResumeAt(time.Now()) }

// ResumeAt is Resume for a caller that has just read the clock.
func (m *Meter) ResumeAt(now time.Time) {
	if m.paused.IsZero() {
		return
	}
	d := now.Sub(m.paused)
	m.waited += d
	m.deadline = m.deadline.Add(d)
	m.paused = time.Time{}
}

// Fail puts the meter into failure with a fault of the caller's and returns it.
// A meter that has failed keeps its first fault.
func (m *Meter) Fail(f *Fault) error { return m.fail(f) }

func (m *Meter) fail(f *Fault) error {
	if m.err == nil {
		m.err = f
	}
	m.left = -1
	return m.err
}

// Stop fails the meter from another goroutine at its next look.
func (m *Meter) Stop(f *Fault) { m.stopped.CompareAndSwap(nil, f) }

// Check looks at cancellation and the deadline now, whatever fuel is left.
func (m *Meter) Check() error {
	m.reserve += max(0, m.left)
	m.left = min(m.left, 0)
	return m.refill()
}

// Err is the fault that stopped the execute, or nil.
func (m *Meter) Err() error {
	if m.err == nil {
		return nil
	}
	return m.err
}

// Usage is what an execute has spent so far.
type Usage struct {
	Fuel   int64         // units
	Memory int64         // bytes
	Waited time.Duration // for capabilities
}

// Usage reports what has been spent.
func (m *Meter) Usage() Usage {
	return Usage{Fuel: m.limits.Fuel - m.reserve - max(0, m.left), Memory: m.memory, Waited: m.waited}
}

// contextFault tells a deadline of the host's from a cancellation.
func contextFault(ctx context.Context) *Fault {
	cause := context.Cause(ctx)
	var f *Fault
	if errors.As(cause, &f) {
		return f
	}
	if errors.Is(cause, context.DeadlineExceeded) {
		return &Fault{Kind: KindDeadline, Message: "the time allowed for this program ran out.", Cause: cause}
	}
	return &Fault{Kind: KindCancelled, Message: "the program was cancelled.", Cause: cause}
}
