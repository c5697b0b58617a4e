package js_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
)

// endless are programs that are busy inside one native, or between natives, for
// longer than anybody waits.
var endless = []struct{ name, program string }{
	{"loop", `for (;;) {}`},
	{"calls", `const f = n => n ? f(n - 1) : 0; for (;;) f(50)`},
	{"sort", `const a = Array.from({ length: 200000 }, (_, i) => (i * 7919) % 200003); for (;;) a.sort((x, y) => x - y)`},
	{"default sort", `const a = Array.from({ length: 200000 }, (_, i) => (i * 7919) % 200003); for (;;) a.slice().sort()`},
	{"sort never consistent", `const a = Array.from({ length: 50000 }, (_, i) => i); for (;;) a.sort(() => 1)`},
	{"stringify", `const a = Array.from({ length: 50000 }, (_, i) => ({ i, t: "text" })); for (;;) JSON.stringify(a).length`},
	{"parse", `const t = JSON.stringify(Array.from({ length: 50000 }, (_, i) => i)); for (;;) JSON.parse(t)`},
	{"join", `const a = Array.from({ length: 200000 }, (_, i) => i); for (;;) a.join(",").length`},
	{"split", `const t = "a,".repeat(200000); for (;;) t.split(",").length`},
	{"replace", `const t = "a,".repeat(200000); for (;;) t.replaceAll(",", ";").length`},
	{"indexOf", `const t = "a".repeat(400000) + "b"; for (;;) t.indexOf("ab" + "a") `},
	{"includes", `const a = Array.from({ length: 300000 }, (_, i) => i); for (;;) a.includes(-1)`},
	{"regex", `const t = "ab".repeat(20000); for (;;) /(?:a|b|ab)*?c/.test(t)`},
	{"regex replace", `const t = "ab".repeat(100000); for (;;) t.replace(/(a|b)+?c?/g, "x").length`},
	{"reduce", `const a = Array.from({ length: 100000 }, () => 1); for (;;) a.reduce((x, y) => x + y, 0)`},
	{"flat", `const a = Array.from({ length: 50000 }, () => [1, [2]]); for (;;) a.flat(Infinity).length`},
	{"spread", `const a = Array.from({ length: 200000 }, () => 1); for (;;) [...a].length`},
	{"map", `const m = new Map(Array.from({ length: 50000 }, (_, i) => [i, i])); for (;;) [...m.entries()].length`},
	{"clone", `const a = Array.from({ length: 30000 }, (_, i) => ({ i })); for (;;) structuredClone(a)`},
	{"bigint", `const m = 10n ** 1000n + 1n; let x = 3n; for (;;) { x = (x * x) % m }`},
	{"promises", `const go = () => Promise.resolve().then(go); await go()`},
	{"async", `const go = async () => { for (;;) await null }; await go()`},
	{"dates", `for (;;) new Date("2026-01-02T03:04:05Z").toISOString()`},
	{"case", `const t = "ß".repeat(200000); for (;;) t.toUpperCase().length`},
	{"normalize", `const t = "é".repeat(100000); for (;;) t.normalize("NFD").length`},
	{"copies", `let o = {}; for (let i = 0; i < 3000; i++) o["k" + i] = i; for (;;) ({ ...o })`},
	{"console", `for (;;) console.log("x".repeat(100))`},
	{"catching", `for (;;) { try { null.x } catch (e) {} }`},
	{"finally", `for (;;) { try { for (;;) {} } finally { for (;;) {} } }`},
}

// TestCancelledAnywhere cancels each of the endless programs: it ends as
// cancelled and the session goes on. How fast is measured by BenchmarkCancel.
func TestCancelledAnywhere(t *testing.T) {
	s, _ := newSession(t, surfaces.WithLimits(unlimited()))
	for _, e := range endless {
		t.Run(e.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(10*time.Millisecond, cancel)
			r := s.Execute(ctx, "{"+e.program+"}")
			if r.Fault == nil || r.Fault.Kind != sandbox.KindCancelled {
				t.Fatalf("got %v", r.Fault)
			}
			if r := s.Execute(context.Background(), "1+1"); r.Fault != nil || render(r.Value) != "2" {
				t.Errorf("then %v %v", r.Value, r.Fault)
			}
		})
	}
}

// BenchmarkCancel reports, over all the endless programs, the longest and the
// middle time from a cancellation to the end of the program: the best of some
// tries each, because a busy machine delays any of them.
func BenchmarkCancel(b *testing.B) {
	var took []time.Duration
	worst, name := time.Duration(0), ""
	for _, e := range endless {
		best := time.Hour
		for range max(5, b.N) {
			s, _ := newSession(b, surfaces.WithLimits(unlimited()))
			ctx, cancel := context.WithCancel(context.Background())
			at := make(chan time.Time, 1)
			time.AfterFunc(60*time.Millisecond, func() { at <- time.Now(); cancel() })
			if r := s.Execute(ctx, "{"+e.program+"}"); r.Fault == nil {
				b.Fatalf("%s ended", e.name)
			}
			best = min(best, time.Since(<-at))
		}
		took = append(took, best)
		if best > worst {
			worst, name = best, e.name
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
	b.Logf("worst: %s, %v", name, worst)
}

// TestLimitsEnd runs the endless programs into the default limits, which no
// catch and no finally may hold up.
func TestLimitsEnd(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory = 3_000_000, 16<<20
	for _, e := range endless {
		t.Run(e.name, func(t *testing.T) {
			s, _ := newSession(t, surfaces.WithLimits(l))
			r := s.Execute(context.Background(), `const before = 1; console.log("started"); let caught = 0; try { `+e.program+` } catch (e) { caught = 1 }`)
			if r.Fault == nil || !r.Fault.Kind.Limit() {
				t.Fatalf("got %v", r.Fault)
			}
			if len(r.Stdout) == 0 || r.Stdout[0] != "started" {
				t.Errorf("stdout %q", r.Stdout)
			}
			if got := s.Execute(context.Background(), "[before, caught]"); got.Fault != nil || render(got.Value) != "[1,0]" {
				t.Errorf("then %s %v", render(got.Value), got.Fault)
			}
		})
	}
}

// bombs are programs that ask for far more memory than they may have, in one step
// or by doubling.
var bombs = []string{
	`"x".repeat(1e9)`,
	`"x".padStart(1e9)`,
	`new Array(1e9).fill(0)`,
	`const a = []; a.length = 3e8; a.fill(0)`,
	`Array.from({ length: 1e9 })`,
	`let a = [1]; for (;;) a = a.concat(a)`,
	`let a = [1]; for (;;) a = [...a, ...a]`,
	`let s = "x"; for (;;) s += s`,
	"let s = 'x'; for (;;) s = `${s}${s}`",
	`let s = ["x"]; for (;;) s = [s.join("") + s.join("")]`,
	`const m = new Map(); for (let i = 0; ; i++) m.set(i, "v" + i)`,
	`const a = []; for (;;) a.push({ a: 1, b: [2] })`,
	`let o = { a: 1 }; for (let i = 0; ; i++) o = { ...o, ["k" + i]: 1 }`,
	`let x = 2n; for (;;) x = x ** 2n`,
	`let x = 1n; for (;;) x = x << 60000n`,
	`const a = ["x".repeat(1e6)]; let t = ""; for (;;) t = t.replace(/$/, a[0])`,
	`let a = "ab"; for (;;) a = a.replaceAll("a", "aa").replaceAll("b", "bb")`,
	`let d = [1]; for (let i = 0; i < 40; i++) d = [d, d]; JSON.stringify(d)`,
	`let d = [1]; for (let i = 0; i < 40; i++) d = [d, d]; String(d)`,
	`let d = [1]; for (let i = 0; i < 40; i++) d = [d, d]; echo({ d })`,
	`const f = []; for (;;) f.push(() => f)`,
	`const e = []; for (;;) e.push(new Error("x".repeat(1000)))`,
	`const p = []; for (;;) p.push(new Promise(() => {}))`,
	`"a".repeat(1e6).split("").map(c => c.repeat(1e5))`,
	`Array.from("x".repeat(2e7))`,
	`Object.fromEntries(Array.from({ length: 1e6 }, (_, i) => ["k" + i, i]))`,
}

// TestBombsAreRefused holds memory to the limit: the heap never grows by more
// than a small multiple of it, because what does not fit is refused before it is
// allocated.
func TestBombsAreRefused(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Memory, l.Fuel = 8<<20, 1<<40
	for _, src := range bombs {
		t.Run(strings.ReplaceAll(src[:min(len(src), 40)], "/", "_"), func(t *testing.T) {
			s, _ := newSession(t, surfaces.WithLimits(l))
			s.Execute(context.Background(), "1")
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := s.Execute(context.Background(), src)
			runtime.ReadMemStats(&after)
			if r.Fault == nil || r.Fault.Kind != sandbox.KindMemory && r.Fault.Kind != sandbox.KindRange {
				t.Fatalf("got %s %v", render(r.Value), r.Fault)
			}
			if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > 12*l.Memory && !raceEnabled {
				t.Errorf("allocated %d MB with a limit of %d", grown>>20, l.Memory>>20)
			}
			if r := s.Execute(context.Background(), "1+1"); r.Fault != nil {
				t.Errorf("then %v", r.Fault)
			}
		})
	}
}

// TestRetained holds what definitions may keep, and names the largest.
func TestRetained(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Retained = 1 << 20
	s, _ := newSession(t, surfaces.WithLimits(l))
	s.Execute(context.Background(), "const small = [1, 2, 3]")
	r := s.Execute(context.Background(), `const huge = Array.from({ length: 30000 }, (_, i) => ({ i, text: "row " + i }))`)
	if r.Fault == nil || r.Fault.Kind != sandbox.KindMemory || !strings.Contains(r.Fault.Error(), "huge") {
		t.Fatalf("got %v", r.Fault)
	}
	if r := s.Execute(context.Background(), "small.length"); render(r.Value) != "3" {
		t.Errorf("small: %s %v", render(r.Value), r.Fault)
	}
	if r := s.Execute(context.Background(), "typeof huge"); render(r.Value) != `"undefined"` {
		t.Errorf("huge: %s %v", render(r.Value), r.Fault)
	}
	// What grows without being bound again is found too.
	for range 40 {
		if r = s.Execute(context.Background(), `for (let i = 0; i < 2000; i++) small.push("row " + i); small.length`); r.Fault != nil {
			break
		}
	}
	if r.Fault == nil || !strings.Contains(r.Fault.Error(), "small") {
		t.Errorf("got %v", r.Fault)
	}
}

// TestWaitingIsNotComputing lets a program wait longer than it may compute.
func TestWaitingIsNotComputing(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Compute = 50 * time.Millisecond
	s, _ := newSession(t, surfaces.WithLimits(l))
	r := s.Execute(context.Background(), "await Promise.all([120, 120].map(ms => slow.wait({ ms })))")
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	if r.Usage.Waited < 100*time.Millisecond {
		t.Errorf("waited %v", r.Usage.Waited)
	}
}

// TestReadsSideBySide counts the reads that are under way at once.
func TestReadsSideBySide(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Concurrency = 3
	s, shop := newSession(t, surfaces.WithLimits(l))
	r := s.Execute(context.Background(), "await Promise.all(Array.from({ length: 9 }, () => slow.wait({ ms: 15 }))); 1")
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	if got := shop.peak.Load(); got != 3 {
		t.Errorf("%d reads at once", got)
	}
}

// TestCallCeiling names the line of the loop that calls too often.
func TestCallCeiling(t *testing.T) {
	l := sandbox.DefaultLimits()
	l.Calls = 5
	s, _ := newSession(t, surfaces.WithLimits(l))
	r := s.Execute(context.Background(), "let n = 0;\nfor (;;) {\n  try { n += sums.add({ a: 1, b: 1 }) } catch (e) {}\n}")
	if r.Fault == nil || r.Fault.Kind != sandbox.KindCalls || r.Fault.Line != 3 {
		t.Fatalf("got %v", r.Fault)
	}
	if len(r.Called) != 1 || r.Called[0].Calls != 5 {
		t.Errorf("called %v", r.Called)
	}
}

// TestCancelledWhileWaiting ends a program whose function does not answer.
func TestCancelledWhileWaiting(t *testing.T) {
	s, _ := newSession(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(10*time.Millisecond, func() { cancel(errors.New("enough")) })
	r := s.Execute(ctx, "const got = slow.wait({ ms: 60000 }); got")
	if r.Fault == nil || r.Fault.Kind != sandbox.KindCancelled {
		t.Fatalf("got %v", r.Fault)
	}
	if r := s.Execute(context.Background(), "sums.add({ a: 1, b: 1 })"); render(r.Value) != "2" {
		t.Errorf("then %v", r.Fault)
	}
}
