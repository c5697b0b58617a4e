package dispatch

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Retry says how a call is repeated that failed for a reason which passes: its
// server is busy or briefly away. Only what is declared to read or to be
// idempotent is repeated, never anything else, because the first attempt may
// have taken effect. A program sees one call, whatever the attempts.
type Retry struct {
	// Attempts is how often a call is made at most; below 2 nothing is repeated.
	Attempts int
	// Base is the wait before the second attempt; it doubles from one to the next
	// up to Most. Half of each wait is left to chance, so that callers that failed
	// together do not come back together. What a server asks for with
	// [toolfn.CallError.RetryAfter] outranks it.
	Base, Most time.Duration
	// Sleep waits; nil follows the machine's clock.
	Sleep func(context.Context, time.Duration) error
	// Chance gives a number from 0 up to 1; nil draws one.
	Chance func() float64
}

// DefaultRetry makes up to 3 attempts, after 200 ms and 400 ms.
func DefaultRetry() Retry {
	return Retry{Attempts: 3, Base: 200 * time.Millisecond, Most: 5 * time.Second}
}

// WithRetry sets how calls are repeated; [DefaultRetry] otherwise. The zero
// value repeats none.
func WithRetry(r Retry) Option {
	return func(d *Dispatcher) { d.retry = r }
}

// retryable reports whether an error passes by itself, and after which time its
// server wants to be asked again.
func retryable(err error) (after time.Duration, ok bool) {
	var c *toolfn.CallError
	if !errors.As(err, &c) || c == nil || c.Attempts > 1 { // a transport has tried already
		return 0, false
	}
	return c.RetryAfter, c.Retryable || c.Code == "rate_limited" || c.Code == "unavailable"
}

// repeatable reports whether a second call does no more than the first.
func repeatable(e toolfn.Effect) bool { return e.Reads() || e.Idempotent }

// wait is how long to wait before the attempt after n.
func (r *Retry) wait(n int, after time.Duration) time.Duration {
	if after > 0 {
		return after
	}
	d := r.Base
	for range n - 1 {
		if d *= 2; d >= r.Most {
			d = r.Most
			break
		}
	}
	chance := rand.Float64
	if r.Chance != nil {
		chance = r.Chance
	}
	return d/2 + time.Duration(float64(d/2)*chance())
}

func (r *Retry) sleep(ctx context.Context, d time.Duration) error {
	if r.Sleep != nil {
		return r.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// attempt makes a call as often as it takes. It runs on the handler's goroutine,
// within the time that the call has.
func (r *Retry) attempt(ctx context.Context, e toolfn.Effect, call func() (value.Value, error)) (value.Value, error) {
	for n := 1; ; n++ {
		v, err := call()
		if err == nil || n >= r.Attempts || !repeatable(e) {
			return v, attempted(err, n)
		}
		after, ok := retryable(err)
		if !ok {
			return v, attempted(err, n)
		}
		d := r.wait(n, after)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
			return v, attempted(err, n) // the answer would come too late
		}
		if r.sleep(ctx, d) != nil {
			return v, attempted(err, n)
		}
	}
}

// attempted notes in the error of a failed call how often it was made.
func attempted(err error, n int) error {
	var c *toolfn.CallError
	if n < 2 || !errors.As(err, &c) || c == nil {
		return err
	}
	noted := *c
	noted.Attempts = n
	return &noted
}
