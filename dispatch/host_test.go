package dispatch

import (
	"context"
	"runtime"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

func TestHostKeepsAPanic(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	defer func() {
		if p := recover(); p != "the program's own" {
			t.Errorf("got %v", p)
		}
		r.End(nil)
		if w.sent.Load() != 1 {
			t.Errorf("sent %d", w.sent.Load())
		}
	}()
	r.Host(func() {
		_, _ = r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")})
		panic("the program's own")
	})
	t.Error("the panic was lost")
}

func TestHostSurvivesAGoexit(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	r.Host(func() { runtime.Goexit() })
	r.Host(func() {
		if got, err := r.Call(Call{Function: "t__echo", Args: value.Of("v", int64(1))}); err != nil || got != int64(1) {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

// A host's own thread locks do not matter: neither the caller's, nor one that a
// handler takes and gives back.
func TestHostFromALockedThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w := newWorld(t)
	f := newFunction("t__locks", func() { runtime.LockOSThread(); runtime.UnlockOSThread() })
	if err := w.cat.Register(f); err != nil {
		t.Fatal(err)
	}
	r := w.begin(t, t.Context(), small())
	r.Host(func() {
		for range 3 {
			if _, err := r.Call(Call{Function: "t__locks"}); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestHostInsideHost(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	n := 0
	r.Host(func() {
		r.Host(func() {
			_, _ = r.Call(Call{Function: "t__echo"})
			n++
		})
		n++
	})
	_, err := r.Call(Call{Function: "t__echo"})
	if n != 2 || err != nil || r.Calls() != 2 {
		t.Errorf("ran %d, %d calls, %v", n, r.Calls(), err)
	}
}

// A withdrawn call never fires, in either form.
func TestWithdrawnCallNeverFires(t *testing.T) {
	for name, under := range map[string]func(*Run, func()){"plain": (*Run).plainly, "hosted": (*Run).Host} {
		t.Run(name, func(t *testing.T) {
			for range 300 {
				w := newWorld(t)
				ctx, cancel := context.WithCancel(t.Context())
				r := w.begin(t, ctx, small())
				go cancel()
				under(r.Run, func() {
					for {
						_, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")})
						if err != nil {
							if fault(t, err).Kind != sandbox.KindCancelled && fault(t, err).Kind != sandbox.KindCalls {
								t.Errorf("got %v", err)
							}
							return
						}
					}
				})
				r.End(nil)
				told := int64(0)
				for _, c := range r.Called() {
					told += int64(c.Calls)
				}
				for d := r.d; d.Stragglers() > 0; {
					runtime.Gosched()
				}
				if sent := w.sent.Load(); sent != told {
					t.Fatalf("%d fired, the program was told of %d", sent, told)
				}
			}
		})
	}
}
