package python_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// lasting is a world whose workspace is opened again and again.
type lasting struct {
	t       testing.TB
	cat     *toolfn.Catalog
	backend *store.Memory
	calls   atomic.Int64
	ws      *surfaces.Workspace
	closing func()
	setup   []surfaces.Option
}

func newLasting(t testing.TB) *lasting {
	w := &lasting{t: t, cat: toolfn.NewCatalog(), backend: store.NewMemory()}
	w.add("mail__send", toolfn.Effect{Impact: toolfn.Write}, func(_ context.Context, args *value.Object) (value.Value, error) {
		to, _ := args.Get("to")
		if to == "nobody" {
			return nil, &toolfn.CallError{Code: "no_such_person", Message: "there is no such person", Details: value.Of("to", to)}
		}
		return value.Of("id", w.calls.Load(), "at", 1.0), nil
	})
	w.add("t__rows", toolfn.Effect{Impact: toolfn.Read}, func(_ context.Context, args *value.Object) (value.Value, error) {
		n, _ := args.Get("n")
		k, _ := n.(int64)
		rows := make([]value.Value, k)
		for i := range rows {
			rows[i] = value.Of("id", int64(i), "n", k)
		}
		return rows, nil
	})
	t.Cleanup(func() { w.close() })
	return w
}

func (w *lasting) add(name string, e toolfn.Effect, call func(context.Context, *value.Object) (value.Value, error)) {
	w.t.Helper()
	err := w.cat.Register(toolfn.ToolFn{Name: name, Effect: e, Call: func(ctx context.Context, args *value.Object) (value.Value, error) {
		w.calls.Add(1)
		return call(ctx, args)
	}})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *lasting) close() {
	if w.closing != nil {
		w.closing()
	}
	w.closing = nil
}

// open opens the workspace, again if it was open before, and gives its session.
func (w *lasting) open() (surfaces.Session, *surfaces.Resumed) {
	w.t.Helper()
	w.close()
	s, err := store.New(w.backend)
	if err != nil {
		w.t.Fatal(err)
	}
	j, err := s.Open(w.t.Context(), "w", "")
	if err != nil {
		w.t.Fatal(err)
	}
	ws, err := surfaces.NewWorkspace(w.cat, append(w.setup, surfaces.WithJournal(j))...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.closing = func() { ws.Close(); _ = s.Close() }
	w.ws = ws
	r, err := ws.Resume(w.t.Context(), python.Language())
	if err != nil {
		w.t.Fatal(err)
	}
	session, err := ws.Open(python.Language())
	if err != nil {
		w.t.Fatal(err)
	}
	return session, r
}

func shownAs(res *surfaces.Result) string {
	return surfaces.NewRenderer(16<<10, python.Language().Style(), false).Text(res)
}

// Whatever a program's values came from, they are the same after the workspace was
// opened again, and nothing is called for it.
func TestResumeRebuildsWhatWasDefined(t *testing.T) {
	w := newLasting(t)
	s, _ := w.open()
	programs := []string{
		"rows = t.rows(n=3); sent = mail.send(to='ann')",
		"import datetime, time, random, uuid\nn = sum(r.id for r in rows)\ndef twice(x): return 2 * x\nmade = datetime.datetime.now()",
		"lucky = random.random(); when = [time.time(), time.time()]; u = str(uuid.uuid4()); p0 = time.perf_counter()",
		"try:\n    mail.send(to='nobody')\nexcept ToolError as e:\n    why = [str(e), e.code, e.details['to'], e.kind]",
		"import asyncio\nall_rows = await asyncio.gather(*[t.rows(n=k) for k in (1, 2, 3, 40)]); big = t.rows(n=500)",
		"broken = t.rows(n=1)[0].id\nNone.x",
		"broken += 1\nt.nothing()",
		"m = {('k', 1): {1, 2}}; n = n + lucky\nclass P:\n    def __init__(self): self.x = 7\np = P()\ng = (i * i for i in range(9))\nnext(g)",
		"del sent\nhalf = 1\nwhile True: half += 1",
	}
	for _, p := range programs {
		s.Execute(t.Context(), p)
	}
	const look = "[rows, n, twice(21), str(made), lucky, when, u, p0, why, [len(a) for a in all_rows], len(big), broken, m, p.x, half, [d['name'] for d in vars()], random.random(), next(g)]"
	calls := w.calls.Load()
	var before string
	for i := range 4 {
		var r *surfaces.Resumed
		s, r = w.open()
		if len(r.Lost) > 0 || r.Programs != len(programs) || len(r.Interrupted) > 0 {
			t.Fatalf("resumed as %+v", r)
		}
		got := shownAs(s.Execute(t.Context(), look))
		shown, _, _ := strings.Cut(got, "\n")
		if i == 0 {
			before = shown
		}
		if head, _, _ := strings.Cut(before, `"vars"`); len(head) > 100 && shown[:100] != head[:100] {
			t.Errorf("opened again it is\n%s\nand was\n%s", shown, before)
		}
		if !strings.Contains(got, "note: The process was started again.") {
			t.Errorf("the result says nothing of it: %s", got)
		}
		programs = append(programs, look)
	}
	if w.calls.Load() != calls {
		t.Errorf("resuming made %d calls", w.calls.Load()-calls)
	}
}

// pieces are what the programs of a random history are made of: what they define
// they may find defined by an earlier one, or not.
var pieces = []string{
	"a = [r.id for r in t.rows(n=2)]",
	"import random\na = globals_free = random.sample(range(100), 5)",
	"a.append(len(a))",
	"import time\nt0 = time.time(); t0",
	"import time\nround(time.perf_counter() * 1000)",
	"import datetime\nseen = datetime.datetime.now(datetime.timezone.utc).isoformat(); seen",
	"def f(x=[]):\n    x.append(len(x))\n    return x\nf()",
	"f()",
	"_ if _ is None else [_]",
	"class C:\n    n = 0\n    def __init__(self): C.n += 1; self.k = C.n\nc = C(); c.k",
	"c2 = C(); (c2.k, C.n)",
	"g = (i for i in range(100))\nnext(g)",
	"next(g), next(g)",
	"sent = mail.send(to='ann'); sent",
	"try:\n    mail.send(to='nobody')\nexcept ToolError as e:\n    err = e.code\nerr",
	"mail.send(to='nobody')",
	"with stage():\n    mail.send(to='bob')",
	"pending()",
	"[c['function'] for c in commit()]",
	"rollback()",
	"import asyncio\nasync def one(k):\n    await asyncio.sleep(3 - k)\n    return len(await t.rows(n=k))\nres = asyncio.run(asyncio.gather(one(1), one(2), one(3))) if False else await asyncio.gather(one(1), one(2), one(3)); res",
	"import uuid\nu = uuid.uuid4(); str(u)",
	"reset()",
	"del a",
	"x = 0\nwhile True: x += 1",
	"x",
	"d = {i: str(i) for i in range(20)}; d.popitem()",
	"s = {3, 1, 2}; s.pop()",
	"vars()",
	"import re, json\njson.dumps(re.findall(r'\\d', 'a1b2'))",
	"def rec(n): return rec(n + 1)\nrec(0)",
	"print('x' * 10); 1 / 0",
	"sum = 3",
	"sum([1, 2])",
	"del sum",
	"t = t.rows(n=1); len(t)",
	"import functools\n@functools.lru_cache\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(30), fib.cache_info().hits",
}

// A session that was never interrupted is the measure: whatever the programs of a
// history, they give what they give with the process ending between any two, with
// the same fuel and the same effects.
func TestResumeIsNoDifference(t *testing.T) {
	histories := 60
	if testing.Short() {
		histories = 6
	}
	for seed := range uint64(histories) {
		at := &atomic.Int64{}
		world := func() *lasting {
			w := newLasting(t)
			w.setup = []surfaces.Option{
				surfaces.WithClock(func() time.Time { return time.UnixMilli(1_700_000_000_000 + at.Load()) }), surfaces.WithLimits(small()),
			}
			l, _, err := w.backend.Acquire(t.Context(), store.Claim{Workspace: "w", Holder: "x", TTL: time.Minute, Fresh: store.Header{Seed: 99}})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.backend.Release(t.Context(), l); err != nil {
				t.Fatal(err)
			}
			return w
		}
		random := rand.New(rand.NewPCG(seed, 7))
		steady, broken := world(), world()
		one, _ := steady.open()
		many, _ := broken.open()
		for range 14 {
			p := pieces[random.IntN(len(pieces))]
			at.Add(1234)
			if random.IntN(3) > 0 {
				var r *surfaces.Resumed
				many, r = broken.open()
				if len(r.Lost) > 0 {
					t.Fatalf("history %d: lost %+v", seed, r.Lost)
				}
			}
			a, b := one.Execute(t.Context(), p), many.Execute(t.Context(), p)
			a.Notes, b.Notes = nil, nil
			if x, y := shownAs(a), shownAs(b); x != y || a.Usage.Fuel != b.Usage.Fuel {
				t.Fatalf("history %d: %s\ngives, opened again,\n%s (%d fuel)\nand else\n%s (%d fuel)", seed, p, y, b.Usage.Fuel, x, a.Usage.Fuel)
			}
		}
		if x, y := steady.calls.Load(), broken.calls.Load(); x != y {
			t.Fatalf("history %d: %d calls, and %d with the process ending", seed, x, y)
		}
		steady.close()
		broken.close()
	}
}

// small are limits that let an endless program end soon.
func small() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.Fuel = 200_000
	return l
}

// What is pending is pending still, and is made once.
func TestResumeKeepsWhatIsPending(t *testing.T) {
	w := newLasting(t)
	s, _ := w.open()
	if res := s.Execute(t.Context(), "n = 2\nwith stage():\n    mail.send(to='ann')\n    mail.send(to='bob')\nlen(pending())"); res.Fault != nil {
		t.Fatal(res.Fault)
	}
	s, r := w.open()
	if len(r.Lost) > 0 {
		t.Fatalf("lost %+v", r.Lost)
	}
	if got := shownAs(s.Execute(t.Context(), "len(pending()) + n")); !strings.HasPrefix(got, "4\n") || !strings.Contains(got, "2 effects are pending") {
		t.Error(got)
	}
	if w.calls.Load() != 0 {
		t.Fatalf("%d calls were made", w.calls.Load())
	}
	if res := s.Execute(t.Context(), "made = commit(); len(made)"); res.Fault != nil {
		t.Fatal(res.Fault)
	}
	for range 2 {
		s, r = w.open()
		if len(r.Lost) > 0 || w.calls.Load() != 2 {
			t.Fatalf("lost %+v, %d calls were made", r.Lost, w.calls.Load())
		}
		if got := shownAs(s.Execute(t.Context(), "len(pending())")); !strings.HasPrefix(got, "0\n") {
			t.Error(got)
		}
	}
}

// A program that was cut off inside a call is not made again, and what it had
// defined by then is there.
func TestResumeAfterDeathInACall(t *testing.T) {
	w := newLasting(t)
	s, _ := w.open()
	s.Execute(t.Context(), "kept = 41")
	ctx, cancel := context.WithCancel(t.Context())
	w.add("slow__down", toolfn.Effect{Impact: toolfn.Write}, func(ctx context.Context, _ *value.Object) (value.Value, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	res := s.Execute(ctx, "before = 1\nslow.down()\nafter = 2")
	if res.Fault == nil {
		t.Fatal("it went on")
	}
	calls := w.calls.Load()
	s, r := w.open()
	if len(r.Lost) > 0 || w.calls.Load() != calls {
		t.Fatalf("%+v, %d calls", r, w.calls.Load())
	}
	if got := s.Execute(t.Context(), "kept, before, 'after' in dir()"); render(got.Value) != "[41,1,false]" {
		t.Errorf("%s %v", render(got.Value), got.Fault)
	}
}
