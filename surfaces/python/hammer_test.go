package python_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TestHammer runs many sessions of several workspaces over one catalogue at the
// same time, each with definitions, calls, faults and cancellations.
func TestHammer(t *testing.T) {
	cat := newShop().catalog()
	var wg sync.WaitGroup
	for i := range 48 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ws, err := surfaces.NewWorkspace(cat)
			if err != nil {
				t.Error(err)
				return
			}
			defer ws.Close()
			s, err := ws.Open(python.Language())
			if err != nil {
				t.Error(err)
				return
			}
			run := func(ctx context.Context, src string) *surfaces.Result { return s.Execute(ctx, src) }
			ctx := context.Background()
			run(ctx, fmt.Sprintf("mine = %d\ndef twice(): return mine * 2", i))
			for range 4 {
				if got := render(run(ctx, "twice()").Value); got != fmt.Sprint(2*i) {
					t.Errorf("session %d: got %s", i, got)
				}
				if got := render(run(ctx, `import asyncio; len(await asyncio.gather(*[shop.get_order(id=i) for i in ("A-1", "A-2", "A-3")]))`).Value); got != "3" {
					t.Errorf("session %d: got %s reads", i, got)
				}
				if r := run(ctx, "None.x"); r.Fault == nil {
					t.Error("no fault")
				}
				short, cancel := context.WithTimeout(ctx, time.Millisecond)
				if r := run(short, "while True: pass"); r.Fault == nil || !r.Fault.Kind.Limit() {
					t.Errorf("got %v", r.Fault)
				}
				cancel()
				if r := run(ctx, "import re, json, collections, statistics, dataclasses, enum, datetime\nclass E(enum.Enum):\n    A = 1\n@dataclasses.dataclass\nclass D:\n    x: int = 1\nre.search('(a+)+b', 'a' * 20); sorted([3, 1, 2]); json.dumps(shop.list_orders()); collections.Counter('aab'); str(D()), E.A.name, statistics.mean([1, 2]), str(datetime.date(2026, 1, 1))"); r.Fault != nil {
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
	s.Execute(context.Background(), "n = 0; rows = []")
	const many = 32
	values := make([]string, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := s.Execute(context.Background(), "n += 1\nrows = [{'n': n} for i in range(6000)]\nfor r in rows: r['n'] = n\nrows")
			if r.Fault != nil {
				t.Error(r.Fault)
				return
			}
			values[i] = render(r.Value)
			s.Defs()
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
	r := s.Execute(context.Background(), "rows = [{'i': i, 't': (i,), 's': {i}} for i in range(9000)]; rows")
	s.Execute(context.Background(), "for r in rows: r['i'] = 'changed'\ndel rows[1:]")
	if got := render(r.Value); !strings.HasPrefix(got, `[{"i":0,"t":[0],"s":[0]},{"i":1,`) || !strings.Contains(got, "9000") {
		t.Errorf("got %.200s", got)
	}
}

// TestWaitingForTheTurn gives up waiting for a busy session when the context does.
func TestWaitingForTheTurn(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Compute = 1<<50, time.Hour
	s, _ := newSession(t, surfaces.WithLimits(l))
	busy := make(chan *surfaces.Result)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { busy <- s.Execute(ctx, "while True: pass") }()
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
	if r := s.Execute(context.Background(), "1 + 1"); r.Fault != nil || render(r.Value) != "2" {
		t.Errorf("got %v %v", r.Value, r.Fault)
	}
}

// TestReadsSideBySide makes reads that each wait for the others: they must be under
// way at the same time, in every spelling that starts them.
func TestReadsSideBySide(t *testing.T) {
	const together = 3
	for _, program := range []string{
		"import asyncio\nawait asyncio.gather(*[meet.up(n=i) for i in range(3)])",
		"import asyncio\nawait asyncio.gather(meet.up(n=0), meet.up(n=1), meet.up(n=2))",
		"import asyncio\nawait asyncio.gather(*(meet.up(n=i) for i in range(3)))",
		"import asyncio\nasync def one(i):\n    return await meet.up(n=i)\nasyncio.run(asyncio.wait_for(asyncio.gather(*map(one, range(3))), 5))",
		"from asyncio import gather, run\nasync def one(i):\n    r = await meet.up(n=i)\n    return r\nasync def main():\n    return await gather(*(one(i) for i in range(3)))\nrun(main())",
		"import asyncio as aio\nts = [aio.create_task(meet.up(n=i)) for i in range(3)]\n[await t for t in ts]",
		"import asyncio\nasync def one(i): return await meet.up(n=i)\nasync with asyncio.TaskGroup() as g:\n    ts = [g.create_task(one(i)) for i in range(3)]\n[t.result() for t in ts]",
		"import asyncio\ndone, _ = await asyncio.wait([asyncio.ensure_future(meet.up(n=i)) for i in range(3)])\nlist(range(len(done)))",
	} {
		arrived := make(chan struct{}, together)
		everyone := make(chan struct{})
		var all sync.Once
		cat := toolfn.NewCatalog()
		err := cat.Register(toolfn.ToolFn{Name: "meet__up", Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(_ context.Context, a *value.Object) (value.Value, error) {
			arrived <- struct{}{}
			if len(arrived) == together {
				all.Do(func() { close(everyone) })
			}
			select {
			case <-everyone:
			case <-time.After(10 * time.Second):
				return nil, errors.New("the others did not come")
			}
			n, _ := a.Get("n")
			return n, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		ws, err := surfaces.NewWorkspace(cat)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ws.Open(python.Language())
		if err != nil {
			t.Fatal(err)
		}
		if r := s.Execute(context.Background(), program); r.Fault != nil || render(r.Value) != "[0,1,2]" {
			t.Errorf("%s\n\tgives %s %v", program, render(r.Value), r.Fault)
		}
		ws.Close()
	}
}

// TestNoLeaks opens, uses and drops sessions: their goroutines end and their
// workspaces are collected.
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
	for range 20 {
		func() {
			ws, err := surfaces.NewWorkspace(cat)
			if err != nil {
				t.Fatal(err)
			}
			s, err := ws.Open(python.Language())
			if err != nil {
				t.Fatal(err)
			}
			s.Execute(context.Background(), "import asyncio\nrows = [{} for i in range(9000)]\ndef g():\n    yield rows\nx = g(); next(x)\nasyncio.create_task(shop.get_order(id='A-1'))\nclass A: pass\nrows")
			sessions = append(sessions, weak.Make(ws))
		}()
	}
	if after := settle(); after > before+2 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
	kept := 0
	for _, w := range sessions {
		if w.Value() != nil {
			kept++
		}
	}
	if kept > 1 {
		t.Errorf("%d of %d workspaces are kept", kept, len(sessions))
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
