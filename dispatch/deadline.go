package dispatch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/polyglove/polyglove/toolfn"
)

// callContext is the context of one call: the program's, with the call's
// deadline and actor. It costs one small allocation, because most functions in
// process never look at it; the timer and the channel of a real context come
// into being when somebody asks for them.
type callContext struct {
	parent   context.Context
	actor    string
	name     callName
	deadline time.Time
	parents  bool // the deadline is the parent's, and the parent ends the call
	inner    atomic.Pointer[innerContext]
	mu       sync.Mutex
	over     bool
}

type innerContext struct {
	context.Context
	cancel context.CancelFunc
}

type actorKey struct{}

// Actor is on whose behalf a handler is called: what the workspace was given.
func Actor(ctx context.Context) string {
	a, _ := ctx.Value(actorKey{}).(string)
	return a
}

// begin sets the deadline, before the handler gets the context.
func (c *callContext) begin(deadline time.Time) {
	if d, ok := c.parent.Deadline(); ok && d.Before(deadline) {
		deadline, c.parents = d, true
	}
	c.deadline = deadline
}

// Deadline is when the call is given up.
func (c *callContext) Deadline() (time.Time, bool) { return c.deadline, true }

// Done is closed when the call is given up or has returned.
func (c *callContext) Done() <-chan struct{} { return c.real().Done() }

// Err says why Done is closed.
func (c *callContext) Err() error {
	if in := c.inner.Load(); in != nil {
		return in.Err()
	}
	if err := c.parent.Err(); err != nil || time.Now().Before(c.deadline) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil && c.over {
			return context.Canceled
		}
		return err
	}
	// The deadline is over: from now on the answer must not change any more.
	return c.real().Err()
}

// Value gives the actor, else what the program's context holds. Contexts derived
// from this one find the real one behind it, which spares them a goroutine.
func (c *callContext) Value(key any) any {
	if _, ok := key.(actorKey); ok {
		return c.actor
	}
	if key == toolfn.CallKey {
		return c.name.key()
	}
	if in := c.inner.Load(); in != nil {
		return in.Value(key)
	}
	return c.parent.Value(key)
}

// real makes the context behind this one.
func (c *callContext) real() *innerContext {
	if in := c.inner.Load(); in != nil {
		return in
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if in := c.inner.Load(); in != nil {
		return in
	}
	in := &innerContext{}
	if c.parents {
		in.Context, in.cancel = context.WithCancel(c.parent)
	} else {
		in.Context, in.cancel = context.WithDeadline(c.parent, c.deadline)
	}
	if c.over {
		in.cancel()
	}
	c.inner.Store(in)
	return in
}

// finish ends the context, when the call has returned or been given up.
func (c *callContext) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if in := c.inner.Load(); in != nil {
		in.cancel()
	}
}
