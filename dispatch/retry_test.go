package dispatch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// failing registers a function that fails with errors in turn and then answers.
func failing(t *testing.T, w *world, e toolfn.Effect, errs ...error) *int {
	t.Helper()
	calls := 0
	err := w.cat.Register(toolfn.ToolFn{Name: "failing", Effect: e, Call: func(context.Context, *value.Object) (value.Value, error) {
		if calls++; calls <= len(errs) {
			return nil, errs[calls-1]
		}
		return "answer", nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return &calls
}

func TestRetry(t *testing.T) {
	busy := &toolfn.CallError{Code: "rate_limited", Message: "slow down"}
	away := &toolfn.CallError{Code: "unavailable", Message: "away"}
	asks := &toolfn.CallError{Code: "rate_limited", Message: "slow down", RetryAfter: 7 * time.Second}
	again := &toolfn.CallError{Message: "try again", Retryable: true}
	read, write := toolfn.Effect{Impact: toolfn.Read}, toolfn.Effect{Impact: toolfn.Write}
	same := toolfn.Effect{Impact: toolfn.Write, Idempotent: true}
	for _, c := range []struct {
		name   string
		effect toolfn.Effect
		errs   []error
		calls  int
		waits  []time.Duration
		fails  bool
	}{
		{"a read that is limited once", read, []error{busy}, 2, []time.Duration{75 * time.Millisecond}, false},
		{"the wait doubles", read, []error{busy, away}, 3, []time.Duration{75 * time.Millisecond, 150 * time.Millisecond}, false},
		{"what the server asks for outranks", read, []error{asks}, 2, []time.Duration{7 * time.Second}, false},
		{"no more than the attempts", read, []error{again, again, again, again}, 3, []time.Duration{75 * time.Millisecond, 150 * time.Millisecond}, true},
		{"a write that is declared idempotent", same, []error{again}, 2, []time.Duration{75 * time.Millisecond}, false},
		{"a plain write", write, []error{again}, 1, nil, true},
		{"an undeclared effect", toolfn.Effect{}, []error{busy}, 1, nil, true},
		{"a failure that does not pass", read, []error{errors.New("no such id")}, 1, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			calls := failing(t, w, c.effect, c.errs...)
			var waits []time.Duration
			l := small()
			l.Wait = time.Minute
			r := w.begin(t, t.Context(), l, WithRetry(Retry{
				Attempts: 3, Base: 100 * time.Millisecond, Most: time.Second,
				Sleep:  func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil },
				Chance: func() float64 { return 0.5 },
			}))
			got, err := r.Call(Call{Function: "failing"})
			if *calls != c.calls || !slices.Equal(waits, c.waits) || (err != nil) != c.fails {
				t.Errorf("%d calls, waits %v, got %v, %v", *calls, waits, got, err)
			}
			if tally := r.Called(); len(tally) != 1 || tally[0].Calls != 1 {
				t.Errorf("the program sees %+v", tally)
			}
			var ce *toolfn.CallError
			if c.fails && c.calls > 1 && (!errors.As(err, &ce) || ce.Attempts != c.calls || !strings.Contains(fault(t, err).Message, "3 attempts")) {
				t.Errorf("the error does not tell of the attempts: %v", err)
			}
		})
	}
}

// A wait that would outlast the call is not begun.
func TestRetryWithinTheTimeOfTheCall(t *testing.T) {
	w := newWorld(t)
	calls := failing(t, w, toolfn.Effect{Impact: toolfn.Read}, &toolfn.CallError{Code: "rate_limited", Message: "slow down", RetryAfter: time.Hour})
	r := w.begin(t, t.Context(), small())
	began := time.Now()
	_, err := r.Call(Call{Function: "failing"})
	if *calls != 1 || time.Since(began) > time.Second || !strings.Contains(fault(t, err).Hint, "1h0m0s") {
		t.Errorf("%d calls, %v, %s", *calls, err, fault(t, err).Hint)
	}
}

func TestRetryEndsWithTheProgram(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	calls := failing(t, w, toolfn.Effect{Impact: toolfn.Read}, &toolfn.CallError{Message: "again", Retryable: true})
	r := w.begin(t, ctx, small(), WithRetry(Retry{Attempts: 9, Base: time.Hour, Most: time.Hour, Sleep: func(ctx context.Context, _ time.Duration) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}}))
	l := small()
	l.Wait = 5 * time.Hour
	if _, err := r.Call(Call{Function: "failing"}); err == nil || *calls != 1 {
		t.Errorf("%d calls, %v", *calls, err)
	}
}
