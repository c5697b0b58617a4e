package dispatch

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TestHammer runs many programs over one dispatcher at once, with calls that
// answer, fail, hang and are cancelled at any moment. Every effect must be in
// the tally of the program that made it, and nothing may stay behind.
func TestHammer(t *testing.T) {
	before := runtime.NumGoroutine()
	w := newWorld(t)
	j := NewMemory(64 << 10)
	d, err := New(w.cat, WithJournal(j))
	if err != nil {
		t.Fatal(err)
	}
	l := sandbox.DefaultLimits()
	l.Wait = 20 * time.Millisecond
	l.Concurrency = 3
	var told, calls atomic.Int64
	var all sync.WaitGroup
	programs := 40
	if testing.Short() {
		programs = 10
	}
	for g := range 16 {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(g)))
			for range programs {
				ctx, cancel := context.WithCancel(t.Context())
				if rnd.IntN(3) == 0 {
					time.AfterFunc(time.Duration(rnd.IntN(3000))*time.Microsecond, cancel)
				}
				hammerProgram(t, d, ctx, l, rnd, &told, &calls)
				cancel()
			}
		})
	}
	all.Wait()
	if calls.Load() == 0 {
		t.Error("no call was made")
	}
	close(w.release)
	for i := 0; d.Stragglers() != 0 || runtime.NumGoroutine() > before+2; i++ {
		if i == 500 {
			t.Fatalf("%d stragglers and %d goroutines stay, %d before", d.Stragglers(), runtime.NumGoroutine(), before)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if sent := w.sent.Load(); told.Load() != sent {
		t.Errorf("%d effects happened, the programs were told of %d", sent, told.Load())
	}
}

func hammerProgram(t *testing.T, d *Dispatcher, ctx context.Context, l sandbox.Limits, rnd *rand.Rand, told, calls *atomic.Int64) {
	m, err := sandbox.NewMeter(ctx, l)
	if err != nil {
		t.Error(err)
		return
	}
	r := d.Begin(m, Program{Language: "test"})
	defer r.End(nil)
	under := (*Run).plainly
	if rnd.IntN(2) == 0 {
		under = (*Run).Host
	}
	under(r, func() { hammerCalls(t, r, rnd) })
	r.End(nil)
	for _, c := range r.Called() {
		calls.Add(int64(c.Calls))
		if c.Name == "mail__send" {
			told.Add(int64(c.Calls))
		}
	}
	if n := r.FiredNote(); len(n) > mostNote {
		t.Errorf("a note of %d bytes", len(n))
	}
}

func hammerCalls(t *testing.T, r *Run, rnd *rand.Rand) {
	var flights []*Flight
	for range 20 {
		c := hammerCall(rnd)
		var err error
		if rnd.IntN(2) == 0 {
			var f *Flight
			if f, err = r.Start(c); err == nil {
				flights = append(flights, f)
			}
		} else {
			_, err = r.Call(c)
		}
		if f := (*sandbox.Fault)(nil); err != nil && !errors.As(err, &f) {
			t.Errorf("%s gave %T", c.Function, err)
		}
		if len(flights) > 0 && rnd.IntN(3) == 0 {
			_, _ = flights[rnd.IntN(len(flights))].Wait()
		}
	}
	for _, f := range flights {
		if rnd.IntN(4) > 0 {
			_, _ = f.Wait()
		}
	}
}

// mostNote is more than any note takes: four enumerations and their words.
const mostNote = 4*(longestList+120) + 200

func hammerCall(rnd *rand.Rand) Call {
	names := []string{"t__echo", "t__slow", "mail__send", "t__fail", "t__panic", "t__polite", "t__exit", "t__hang", "t__need", "t__undeclared", "nope"}
	weights := []int{30, 20, 30, 5, 3, 1, 2, 1, 4, 3, 1}
	n := rnd.IntN(100)
	for i, w := range weights {
		if n -= w; n < 0 {
			args := value.NewObject(2)
			switch names[i] {
			case "t__slow":
				args.Set("ms", int64(rnd.IntN(3)))
			case "mail__send":
				args.Set("to", "ann")
			}
			return Call{Function: names[i], Args: args, Line: 1, Column: 1}
		}
	}
	panic("the weights do not make a hundred")
}
