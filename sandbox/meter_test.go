package sandbox

import (
	"context"
	"errors"
	"testing"
	"time"
)

func newMeter(t *testing.T, ctx context.Context, change func(*Limits)) *Meter {
	t.Helper()
	l := DefaultLimits()
	if change != nil {
		change(&l)
	}
	m, err := NewMeter(ctx, l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func kindOf(t *testing.T, err error) Kind {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) {
		t.Fatalf("%v is no fault", err)
	}
	return f.Kind
}

func TestFuelIsExact(t *testing.T) {
	for _, fuel := range []int64{1, 100, slice, slice + 1, 3*slice + 7} {
		m := newMeter(t, t.Context(), func(l *Limits) { l.Fuel = fuel })
		var n int64
		for m.Charge(1) == nil {
			n++
		}
		if n != fuel {
			t.Errorf("%d units were given of %d", n, fuel)
		}
		if kindOf(t, m.Err()) != KindFuel {
			t.Errorf("the fault is %v", m.Err())
		}
	}
}

func TestChargeLargerThanASlice(t *testing.T) {
	m := newMeter(t, t.Context(), func(l *Limits) { l.Fuel = 10 * slice })
	if err := m.Charge(9 * slice); err != nil {
		t.Fatal(err)
	}
	if got := m.Usage().Fuel; got != 9*slice {
		t.Fatalf("used %d", got)
	}
	if err := m.Charge(slice + 1); err == nil {
		t.Fatal("more fuel was spent than there is")
	}
}

func TestFailureSticks(t *testing.T) {
	m := newMeter(t, t.Context(), func(l *Limits) { l.Memory = 100 })
	first := m.Alloc(101)
	if kindOf(t, first) != KindMemory {
		t.Fatal(first)
	}
	m.Release(1000)
	for _, err := range []error{m.Charge(1), m.Alloc(1), m.Check(), m.Err()} {
		if err != first {
			t.Fatalf("after a failure a charge gave %v", err)
		}
	}
}

func TestAllocRefusesBeforeOverflow(t *testing.T) {
	m := newMeter(t, t.Context(), nil)
	if err := m.Alloc(1<<63 - 1); kindOf(t, err) != KindMemory {
		t.Fatal(err)
	}
	m = newMeter(t, t.Context(), nil)
	if err := m.Alloc(-1); err == nil {
		t.Fatal("a negative allocation was accepted")
	}
}

func TestCancelledAndDeadlineAreTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := newMeter(t, ctx, nil)
	if err := m.Charge(1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := m.Check(); kindOf(t, err) != KindCancelled {
		t.Fatal(err)
	}

	m = newMeter(t, t.Context(), func(l *Limits) { l.Compute = time.Nanosecond })
	time.Sleep(time.Millisecond)
	if err := m.Check(); kindOf(t, err) != KindDeadline {
		t.Fatal(err)
	}

	ctx, cancel = context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	m = newMeter(t, ctx, nil)
	if err := m.Check(); kindOf(t, err) != KindDeadline {
		t.Fatal(err)
	}
}

func TestCancelIsSeenWithinASlice(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := newMeter(t, ctx, nil)
	cancel()
	for n := range 2 * slice {
		if m.Charge(1) != nil {
			if n > slice {
				t.Fatalf("noticed after %d units", n)
			}
			return
		}
	}
	t.Fatal("never noticed")
}

func TestWaitingIsNotComputing(t *testing.T) {
	m := newMeter(t, t.Context(), func(l *Limits) { l.Compute = 20 * time.Millisecond })
	m.Pause()
	time.Sleep(30 * time.Millisecond)
	m.Resume()
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if m.Usage().Waited < 30*time.Millisecond {
		t.Fatalf("waited %v", m.Usage().Waited)
	}
}

func TestStopFromElsewhere(t *testing.T) {
	m := newMeter(t, t.Context(), nil)
	done := make(chan struct{})
	go func() { m.Stop(&Fault{Kind: KindCancelled}); close(done) }()
	<-done
	if err := m.Check(); kindOf(t, err) != KindCancelled {
		t.Fatal(err)
	}
}

func TestDepth(t *testing.T) {
	m := newMeter(t, t.Context(), func(l *Limits) { l.Depth = 3 })
	for range 3 {
		if err := m.Enter(); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Enter(); kindOf(t, err) != KindDepth {
		t.Fatal(err)
	}
}

func BenchmarkCharge(b *testing.B) {
	l := DefaultLimits()
	l.Fuel = 1 << 60
	l.Compute = time.Hour
	m, err := NewMeter(b.Context(), l)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := m.Charge(1); err != nil {
			b.Fatal(err)
		}
	}
}
