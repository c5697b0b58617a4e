package js_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
)

// TestHammer runs many sessions of several workspaces over one catalogue at the
// same time, each with definitions, calls, faults and cancellations.
func TestHammer(t *testing.T) {
	shop := newShop()
	cat := shop.catalog()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ws, err := surfaces.NewWorkspace(cat)
			if err != nil {
				t.Error(err)
				return
			}
			defer ws.Close()
			s, err := ws.Open(js.Language())
			if err != nil {
				t.Error(err)
				return
			}
			run := func(ctx context.Context, src string) *surfaces.Result { return s.Execute(ctx, src) }
			ctx := context.Background()
			run(ctx, fmt.Sprintf("const mine = %d; function twice() { return mine * 2 }", i))
			for range 5 {
				if got := render(run(ctx, "twice()").Value); got != fmt.Sprint(2*i) {
					t.Errorf("session %d: got %s", i, got)
				}
				if got := render(run(ctx, `(await Promise.all(["A-1", "A-2", "A-3"].map(id => shop.get_order({ id })))).length`).Value); got != "3" {
					t.Errorf("session %d: got %s reads", i, got)
				}
				if r := run(ctx, "null.x"); r.Fault == nil {
					t.Error("no fault")
				}
				short, cancel := context.WithTimeout(ctx, time.Millisecond)
				if r := run(short, "for (;;) {}"); r.Fault == nil || !r.Fault.Kind.Limit() {
					t.Errorf("got %v", r.Fault)
				}
				cancel()
				if r := run(ctx, `/(a+)+b/.test("a".repeat(20)); [3, 1, 2].sort(); JSON.stringify(shop.list_orders())`); r.Fault != nil {
					t.Error(r.Fault)
				}
			}
		}()
	}
	wg.Wait()
}

// TestSerialised runs many programs on one session at the same time: each sees
// the whole effect of those before it, and results stay what they were.
func TestSerialised(t *testing.T) {
	s, _ := newSession(t)
	s.Execute(context.Background(), "let n = 0; let rows = []")
	const many = 32
	values := make([]string, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := s.Execute(context.Background(), "n++; rows = Array.from({ length: 6000 }, () => ({ n })); rows.forEach(r => { r.n = n }); rows")
			if r.Fault != nil {
				t.Error(r.Fault)
				return
			}
			values[i] = render(r.Value)
		}()
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, v := range values {
		head, _, _ := strings.Cut(v, ",")
		if seen[head] {
			t.Errorf("two programs gave %s", head)
		}
		seen[head] = true
	}
	if got := render(s.Execute(context.Background(), "n").Value); got != fmt.Sprint(many) {
		t.Errorf("n is %s", got)
	}
}

// TestLargeResultStays reads a large result while the session goes on and changes
// what it came from.
func TestLargeResultStays(t *testing.T) {
	s, _ := newSession(t)
	r := s.Execute(context.Background(), "const rows = Array.from({ length: 9000 }, (_, i) => ({ i })); rows")
	s.Execute(context.Background(), `rows.forEach(r => { r.i = "changed" }); rows.length = 1`)
	if got := render(r.Value); !strings.HasPrefix(got, `[{"i":0},{"i":1}`) || !strings.Contains(got, "9000") {
		t.Errorf("got %.200s", got)
	}
}

// TestWaitingForTheTurn gives up waiting for a busy session when the context does.
func TestWaitingForTheTurn(t *testing.T) {
	s, _ := newSession(t)
	busy := make(chan *surfaces.Result)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { busy <- s.Execute(ctx, "for (;;) {}") }()
	time.Sleep(20 * time.Millisecond)
	short, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer stop()
	if r := s.Execute(short, "1"); r.Fault == nil || r.Fault.Kind != sandbox.KindCancelled {
		t.Errorf("got %+v", r.Fault)
	}
	cancel()
	if r := <-busy; r.Fault == nil || !r.Fault.Kind.Limit() {
		t.Errorf("got %v", r.Fault)
	}
	if r := s.Execute(context.Background(), "1+1"); r.Fault != nil || render(r.Value) != "2" {
		t.Errorf("got %v %v", r.Value, r.Fault)
	}
}

// TestNoLeaks opens, uses and drops sessions: their goroutines end and their
// realms are collected.
func TestNoLeaks(t *testing.T) {
	cat := newShop().catalog()
	settle := func() int {
		for range 50 {
			runtime.GC()
			time.Sleep(2 * time.Millisecond)
		}
		return runtime.NumGoroutine()
	}
	before := settle()
	var sessions []weak.Pointer[surfaces.Workspace]
	for i := range 20 {
		func() {
			ws, err := surfaces.NewWorkspace(cat)
			if err != nil {
				t.Fatal(err)
			}
			s, err := ws.Open(js.Language())
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			s.Execute(ctx, `const keep = shop.list_orders(); await Promise.all([shop.get_order({ id: "A-1" }), shop.get_order({ id: "A-2" })])`)
			s.Execute(ctx, "async function f() { await new Promise(() => {}) } f(); keep")
			if i%2 == 0 {
				ws.Close()
			}
			sessions = append(sessions, weak.Make(ws))
		}()
	}
	if after := settle(); after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
	alive := 0
	for _, w := range sessions {
		if w.Value() != nil {
			alive++
		}
	}
	if alive > 1 {
		t.Errorf("%d of %d workspaces are still reachable", alive, len(sessions))
	}
}

// TestClosed uses a session after its end.
func TestClosed(t *testing.T) {
	s, _ := newSession(t)
	s.Close()
	s.Close()
	if r := s.Execute(context.Background(), "1"); r.Fault == nil || !strings.Contains(r.Fault.Message, "closed") {
		t.Errorf("got %v", r.Fault)
	}
	if p := s.Explain(context.Background(), "1"); p.Fault == nil {
		t.Error("explained")
	}
	if d := s.Defs(); len(d) != 0 {
		t.Errorf("defs %v", d)
	}
}
