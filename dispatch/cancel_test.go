package dispatch

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

func TestCancelDuringACall(t *testing.T) {
	t.Run("plain", func(t *testing.T) { cancelDuringACall(t, (*Run).plainly) })
	t.Run("hosted", func(t *testing.T) { cancelDuringACall(t, (*Run).Host) })
}

func cancelDuringACall(t *testing.T, under func(*Run, func())) {
	for _, c := range []struct {
		function     string
		unknown, out int // tally of unknown outcomes, stragglers
	}{
		{"t__hang", 0, 1}, {"t__hang_write", 1, 1}, {"t__polite", 0, 0}, {"t__polite_write", 1, 0},
	} {
		t.Run(c.function, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				ctx, cancel := context.WithCancel(t.Context())
				r := w.begin(t, ctx, small())
				time.AfterFunc(time.Second, cancel)
				began := time.Now()
				var err error
				under(r.Run, func() { _, err = r.Call(Call{Function: c.function}) })
				if f := fault(t, err); f.Kind != sandbox.KindCancelled {
					t.Errorf("got %v", f)
				}
				if took := time.Since(began); took != time.Second {
					t.Errorf("took %v", took)
				}
				if _, err := r.Call(Call{Function: "t__echo"}); fault(t, err).Kind != sandbox.KindCancelled {
					t.Errorf("a later call gave %v", err)
				}
				if got := r.Called(); len(got) != 1 || got[0].Unknown != c.unknown || got[0].Calls != 1 {
					t.Errorf("tally is %v", got)
				}
				synctest.Wait()
				if n := r.d.Stragglers(); n != c.out {
					t.Errorf("%d stragglers", n)
				}
				r.End(nil)
				close(w.release)
				synctest.Wait()
				if n := r.d.Stragglers(); n != 0 {
					t.Errorf("%d stragglers at last", n)
				}
			})
		})
	}
}

func TestDeadlineOfTheHostsIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := w.begin(t, ctx, small())
		_, err := r.Call(Call{Function: "t__polite_write"})
		if f := fault(t, err); f.Kind != sandbox.KindDeadline {
			t.Errorf("got %v", f)
		}
		if n := r.FiredNote(); n != "Outcome not known, look before you repeat: t__polite_write." {
			t.Errorf("note is %s", n)
		}
	})
}

func TestCancelledBeforeACall(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	r := w.begin(t, ctx, small())
	cancel()
	_, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")})
	if f := fault(t, err); f.Kind != sandbox.KindCancelled || w.sent.Load() != 0 || len(r.Called()) != 0 {
		t.Errorf("got %v, sent %d, tally %v", f, w.sent.Load(), r.Called())
	}
}

func TestCancelWhileAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ctx, cancel := context.WithCancel(t.Context())
		forgetful := make(chan struct{})
		r := w.begin(t, ctx, small(), WithPolicy(PolicyFunc(func(Request) Decision { return Decision{Verdict: Ask} })),
			WithAsk(func(context.Context, Question) (Answer, error) { <-forgetful; return Answer{Allow: true}, nil }))
		time.AfterFunc(time.Minute, cancel)
		_, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")})
		if f := fault(t, err); f.Kind != sandbox.KindCancelled || w.sent.Load() != 0 {
			t.Errorf("got %v, sent %d", f, w.sent.Load())
		}
		if got := r.m.Usage().Waited; got != time.Minute {
			t.Errorf("the wait for the answer counts as %v", got)
		}
		close(forgetful)
	})
}

// A function that never answers is not called for ever: each call would leave
// one more goroutine behind.
func TestStragglersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.begin(t, t.Context(), small())
		r.Host(func() {
			for range mostStragglers {
				if _, err := r.Call(Call{Function: "t__hang"}); fault(t, err).Kind != sandbox.KindCapability {
					t.Error(err)
				}
			}
		})
		if _, err := r.Call(Call{Function: "t__hang"}); fault(t, err).Kind != sandbox.KindDenied {
			t.Errorf("got %v", err)
		}
		if got, err := r.Call(Call{Function: "t__echo", Args: value.Of("v", int64(1))}); err != nil || got != int64(1) {
			t.Errorf("another function gave %v, %v", got, err)
		}
		close(w.release)
		synctest.Wait()
		if got, err := r.Call(Call{Function: "t__hang"}); err != nil || got != "late" {
			t.Errorf("once they have returned it gave %v, %v", got, err)
		}
	})
}

func TestCallContext(t *testing.T) {
	type key struct{}
	fresh := func(parent context.Context) *callContext {
		c := &callContext{parent: parent, actor: "ann"}
		c.begin(time.Now().Add(time.Second))
		return c
	}
	synctest.Test(t, func(t *testing.T) {
		parent := context.WithValue(t.Context(), key{}, 5)
		c := fresh(parent)
		child, cancel := context.WithCancel(c)
		defer cancel()
		if Actor(child) != "ann" || child.Value(key{}) != 5 {
			t.Error("values do not pass through")
		}
		if c.Err() != nil {
			t.Error(c.Err())
		}
		c.finish()
		<-child.Done()
		if c.Err() != context.Canceled {
			t.Error(c.Err())
		}

		c = fresh(parent)
		if c.finish(); c.Err() != context.Canceled {
			t.Error("finished before anybody asked:", c.Err())
		}
		<-c.Done()

		c = fresh(parent)
		time.Sleep(2 * time.Second)
		if c.Err() != context.DeadlineExceeded {
			t.Error(c.Err())
		}
		<-c.Done()

		short, stop := context.WithTimeout(parent, time.Millisecond)
		defer stop()
		c = fresh(short)
		if d, _ := c.Deadline(); time.Until(d) != time.Millisecond {
			t.Error("the parent's deadline is nearer:", time.Until(d))
		}
		<-c.Done()
	})
}
