package dispatch

import (
	"errors"
	"sync/atomic"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// care is how a dispatcher makes calls: within the servers' limits, and again
// where that is safe and of use.
type care struct {
	retry   Retry
	limits  *ServerLimits
	catalog *toolfn.Catalog
}

// of gives the care that calls of a function need, nil if none, and the lane of
// its server, nil if that has no limit.
func (c *care) of(fn *toolfn.ToolFn) (*care, *serverLane) {
	if c == nil || c.retry.Attempts < 2 && c.limits == nil {
		return nil, nil
	}
	var lane *serverLane
	if c.limits != nil {
		lane = c.limits.of(c.catalog.Upstream(fn))
	}
	if lane == nil && !repeatable(fn.Effect) {
		return nil, nil
	}
	return c, lane
}

var errWithdrawn = errors.New("the call was given up before it was made")

// run makes a job's call.
func (c *care) run(j *job) reply {
	v, err := c.retry.attempt(j.ctx, j.fn.Effect, func() (value.Value, error) {
		if j.gate == nil {
			return j.once()
		}
		leave, err := j.lane.enter(j.ctx, j.fn, c.limits.now)
		if err != nil {
			return nil, err
		}
		defer leave()
		if !j.gate.pass() {
			return nil, errWithdrawn
		}
		return j.once()
	})
	return reply{value: v, err: err}
}

// gate tells whether a call that waited for its turn was made. The handler's
// goroutine passes it, or the program closes it when it gives the call up.
type gate struct{ state atomic.Uint32 }

const (
	gateNone uint32 = iota // there is no turn to wait for
	gateOpen
	gatePassed
	gateClosed
)

func (g *gate) pass() bool {
	return g.state.CompareAndSwap(gateOpen, gatePassed) || g.state.Load() == gatePassed
}

// jobOf makes the job of an admitted call.
func (r *Run) jobOf(a *admitted) job {
	j := job{fn: a.fn, ctx: &a.ctx, args: a.args, call: a.call, started: a.started}
	if j.care, j.lane = r.d.care.of(a.fn); j.lane != nil {
		a.gate.state.Store(gateOpen)
		j.gate = &a.gate
	}
	return j
}

// begun takes a call that was given up while it waited for its turn for what it
// is: one that was not made.
func (a *admitted) begun(rep reply) ending {
	end := rep.end
	if rep.err == errWithdrawn {
		return unfired
	}
	if (end == timedOut || end == cancelled) && a.gate.state.CompareAndSwap(gateOpen, gateClosed) {
		return unfired
	}
	return end
}
