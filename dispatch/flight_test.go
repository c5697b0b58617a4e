package dispatch

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func slow(name string, ms int64) Call {
	return Call{Function: "t__slow", Args: value.Of("ms", ms, "name", name)}
}

func start(t *testing.T, r *account, c Call) *Flight {
	t.Helper()
	f, err := r.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestReadsRunSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		l := small()
		l.Concurrency = 3
		r := w.begin(t, t.Context(), l)
		began := time.Now()
		var flights []*Flight
		for i := range 9 {
			flights = append(flights, start(t, r, slow(fmt.Sprint(i), 100)))
		}
		for i, f := range flights {
			if got, err := f.Wait(); err != nil || got != fmt.Sprint(i) {
				t.Errorf("flight %d gave %v, %v", i, got, err)
			}
		}
		if took := time.Since(began); took != 300*time.Millisecond {
			t.Errorf("nine reads of 100 ms, three at once, took %v", took)
		}
		if most := w.most.Load(); most != 3 {
			t.Errorf("%d were under way at once, want 3", most)
		}
		if got := r.Called(); len(got) != 1 || got[0].Calls != 9 {
			t.Errorf("tally is %v", got)
		}
		for i, c := range r.journal.Calls() {
			if c.Index != i+1 || c.Took != 100*time.Millisecond {
				t.Errorf("record %d is call %d and took %v", i, c.Index, c.Took)
			}
		}
	})
}

// The first to answer is not the first to settle: a program that races its reads
// sees them in the order of its calls.
func TestWaitGivesEachItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.begin(t, t.Context(), small())
		a, b := start(t, r, slow("late", 500)), start(t, r, slow("early", 10))
		if b.Ready() {
			t.Error("ready before it could be")
		}
		if got, _ := b.Wait(); got != "early" {
			t.Errorf("b gave %v", got)
		}
		if a.Ready() {
			t.Error("a is ready after 10 ms")
		}
		for range 2 {
			if got, _ := a.Wait(); got != "late" {
				t.Errorf("a gave %v", got)
			}
		}
		if n := len(r.journal.Calls()); n != 2 {
			t.Errorf("%d records for two calls", n)
		}
	})
}

func TestEffectsKeepTheirPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.begin(t, t.Context(), small())
		send := func(to string) Call { return Call{Function: "mail__send", Args: value.Of("to", to)} }
		start(t, r, slow("r1", 200))
		start(t, r, slow("r2", 100))
		f := start(t, r, send("ann"))
		if !f.Ready() {
			t.Error("an effect was not finished when Start returned")
		}
		start(t, r, slow("r3", 50))
		if _, err := r.Call(send("bob")); err != nil {
			t.Fatal(err)
		}
		if got := w.logged(); got != "r2 r1 send:ann r3 send:bob" {
			t.Errorf("order is %s", got)
		}
	})
}

func TestSynchronousReadTakesALane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		l := small()
		l.Concurrency = 1
		r := w.begin(t, t.Context(), l)
		start(t, r, slow("first", 100))
		if got, err := r.Call(slow("second", 10)); err != nil || got != "second" {
			t.Errorf("got %v, %v", got, err)
		}
		if w.most.Load() != 1 {
			t.Errorf("%d at once", w.most.Load())
		}
	})
}

func TestFlightIsGivenUpInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		l := small()
		l.Concurrency = 1
		r := w.begin(t, t.Context(), l)
		hang := start(t, r, Call{Function: "t__hang", Line: 7, Column: 3})
		queued := start(t, r, slow("after", 1900)) // its own time begins with its turn
		_, err := hang.Wait()
		if f := fault(t, err); f.Kind != sandbox.KindCapability || f.Line != 7 || !strings.Contains(f.Message, "no answer within 2s") {
			t.Errorf("got %v", f)
		}
		if got, err := queued.Wait(); err != nil || got != "after" {
			t.Errorf("the one behind it gave %v, %v", got, err)
		}
		if n := r.d.Stragglers(); n != 1 {
			t.Errorf("%d stragglers", n)
		}
		close(w.release)
		synctest.Wait()
		if n := r.d.Stragglers(); n != 0 {
			t.Errorf("%d stragglers after it returned", n)
		}
	})
}

func TestProgramEndsWithoutWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		l := small()
		l.Concurrency = 2
		r := w.begin(t, t.Context(), l)
		for range 2 {
			start(t, r, Call{Function: "t__polite"})
		}
		queued := start(t, r, Call{Function: "t__polite"})
		r.End(nil)
		synctest.Wait() // a goroutine that stayed would keep the bubble from ending
		if err := r.m.Err(); err != nil {
			t.Errorf("the meter failed: %v", err)
		}
		if got := r.Called(); len(got) != 1 || got[0].Calls != 2 || got[0].Failed != 2 {
			t.Errorf("tally is %v", got)
		}
		if _, err := queued.Wait(); fault(t, err).Kind != sandbox.KindCancelled {
			t.Errorf("the queued one gave %v", err)
		}
		if n := r.d.Stragglers(); n != 0 {
			t.Errorf("%d stragglers", n)
		}
	})
}

func TestCancelReachesFlights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ctx, cancel := context.WithCancel(t.Context())
		r := w.begin(t, ctx, small())
		a, b := start(t, r, Call{Function: "t__polite"}), start(t, r, Call{Function: "t__hang"})
		time.AfterFunc(100*time.Millisecond, cancel)
		began := time.Now()
		for _, f := range []*Flight{b, a} {
			if _, err := f.Wait(); fault(t, err).Kind != sandbox.KindCancelled {
				t.Errorf("got %v", err)
			}
		}
		if took := time.Since(began); took != 100*time.Millisecond {
			t.Errorf("took %v", took)
		}
		if r.m.Err() == nil {
			t.Error("the meter did not fail, so a program could go on")
		}
		r.End(nil)
		close(w.release)
	})
}

func TestRefusalsOfStart(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small(), WithPolicy(ReadOnly()))
	for _, c := range []struct {
		call Call
		want sandbox.Kind
	}{
		{Call{Function: "t__need"}, sandbox.KindArgument},
		{Call{Function: "nope"}, sandbox.KindName},
		{Call{Function: "mail__purge"}, sandbox.KindDenied},
	} {
		if _, err := r.Start(c.call); fault(t, err).Kind != c.want {
			t.Errorf("%s: got %v, want %s", c.call.Function, err, c.want)
		}
	}
	if len(r.Called()) != 0 || r.FiredNote() != "" {
		t.Errorf("refused calls were counted: %v %s", r.Called(), r.FiredNote())
	}
}

func TestFailedEffectIsSettledByStart(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	f := start(t, r, Call{Function: "t__fail_write"})
	if _, err := f.Wait(); fault(t, err).Kind != sandbox.KindCapability {
		t.Errorf("got %v", err)
	}
}

// Results that have arrived and are not waited for are held within the memory of
// the program, which would otherwise hold any number of them unpaid.
func TestHeldResultsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		l := small()
		l.Memory = 1 << 20
		r := w.begin(t, t.Context(), l)
		big := value.Of("v", strings.Repeat("x", 300<<10))
		var flights []*Flight
		for range 10 {
			flights = append(flights, start(t, r, Call{Function: "t__echo", Args: big}))
		}
		synctest.Wait()
		if held := r.lanes.held; held > l.Memory {
			t.Errorf("%d bytes are held, the program has %d", held, l.Memory)
		}
		var err error
		for _, f := range flights {
			if _, err = f.Wait(); err != nil {
				break
			}
		}
		if fault(t, err).Kind != sandbox.KindMemory {
			t.Errorf("got %v", err)
		}
	})
}

func TestAbsentObjectsAreNull(t *testing.T) {
	w := newWorld(t)
	f := toolfn.ToolFn{Name: "t__absent", Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(context.Context, *value.Object) (value.Value, error) {
		return []value.Value{(*value.Object)(nil), (*big.Int)(nil)}, nil
	}}
	if err := w.cat.Register(f); err != nil {
		t.Fatal(err)
	}
	r := w.begin(t, t.Context(), small())
	got, err := start(t, r, Call{Function: "t__absent"}).Wait()
	if err != nil || !value.Equal(got, []value.Value{nil, nil}) {
		t.Errorf("got %v, %v", got, err)
	}
}
