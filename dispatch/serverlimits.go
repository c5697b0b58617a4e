package dispatch

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/polyglove/polyglove/toolfn"
)

// ServerLimit is what a host lets one server be asked at most. A zero is no
// limit.
type ServerLimit struct {
	Concurrency int     // calls under way at once
	Rate        float64 // calls a second, on average
	Burst       int     // calls that may come at once after a pause; 1 if 0
}

// AnyServer names the limit of each server that has none of its own.
const AnyServer = "*"

// ServerLimits holds calls to what servers take. One value serves any number of
// workspaces, whose calls share the limits. A call that has to wait does so
// within the time that it has; if its turn does not come in half of that, it
// fails and has not been made.
type ServerLimits struct {
	by  map[string]ServerLimit
	now func() time.Time

	mu    sync.Mutex
	lanes map[string]*serverLane
}

// NewServerLimits makes limits by the name of the server as the host configured it
// (see [toolfn.Catalog.Upstream]), [AnyServer] for the others. Calls of functions and
// statements about tables that came with the server share them.
func NewServerLimits(by map[string]ServerLimit) (*ServerLimits, error) {
	names := make([]string, 0, len(by))
	for name := range by {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if l := by[name]; l.Concurrency < 0 || l.Rate < 0 || l.Burst < 0 {
			return nil, fmt.Errorf("the limits of server %s are negative", name)
		}
	}
	own := make(map[string]ServerLimit, len(by))
	for name, l := range by {
		own[name] = l
	}
	return &ServerLimits{by: own, now: time.Now, lanes: map[string]*serverLane{}}, nil
}

// WithServerLimits holds the dispatcher's calls to limits.
func WithServerLimits(l *ServerLimits) Option { return func(d *Dispatcher) { d.limits = l } }

// serverLane is what one server is being asked.
type serverLane struct {
	limit ServerLimit
	slots chan struct{} // nil: any number at once
	mu    sync.Mutex
	next  time.Time // when the next call may begin, if calls came evenly
}

// of gives the lane of a server, nil if it has no limit.
func (l *ServerLimits) of(server string) *serverLane {
	if l == nil {
		return nil
	}
	limit, ok := l.by[server]
	if !ok {
		if limit, ok = l.by[AnyServer]; !ok {
			return nil
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	lane := l.lanes[server]
	if lane == nil {
		lane = &serverLane{limit: limit}
		if limit.Concurrency > 0 {
			lane.slots = make(chan struct{}, limit.Concurrency)
		}
		l.lanes[server] = lane
	}
	return lane
}

// turn is when a call may begin that comes now. Calls are spaced by the rate; a
// pause saves up a burst.
func (s *serverLane) turn(now time.Time, latest time.Duration) (wait time.Duration, ok bool) {
	if s.limit.Rate <= 0 {
		return 0, true
	}
	each := time.Duration(float64(time.Second) / s.limit.Rate)
	saved := each * time.Duration(max(s.limit.Burst, 1)-1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := now.Add(-saved); s.next.Before(first) {
		s.next = first
	}
	wait = max(0, s.next.Sub(now))
	if wait > latest {
		return wait, false
	}
	s.next = s.next.Add(each)
	return wait, true
}

// enter waits for leave to call a server. The function it gives must be called
// when the call has ended.
func (s *serverLane) enter(ctx context.Context, fn *toolfn.ToolFn, now func() time.Time) (leave func(), err error) {
	latest := 30 * time.Second
	if d, ok := ctx.Deadline(); ok {
		latest = time.Until(d) / 2
	}
	patience := time.NewTimer(latest)
	defer patience.Stop()
	leave = func() {}
	if s.slots != nil {
		select {
		case s.slots <- struct{}{}:
			leave = func() { <-s.slots }
		case <-patience.C:
			return nil, busy(fn, 0)
		case <-ctx.Done():
			return nil, errWithdrawn
		}
	}
	wait, ok := s.turn(now(), latest)
	if !ok {
		leave()
		return nil, busy(fn, wait)
	}
	if wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			leave()
			return nil, errWithdrawn
		}
	}
	return leave, nil
}

// busy is the error of a call whose turn did not come.
func busy(fn *toolfn.ToolFn, after time.Duration) error {
	return &toolfn.CallError{
		Code: "busy", Retryable: true, RetryAfter: after,
		Message: fn.Name + " was not called: its server already has as many calls as the host allows.",
	}
}
