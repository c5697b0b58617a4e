package js_test

import (
	"context"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// workloads are programs that mean the same to a bare engine.
var workloads = []struct{ name, program string }{
	{"loop", `let sum = 0; for (let i = 0; i < 200000; i++) { sum += i % 7 } sum`},
	{"calls", `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } fib(21)`},
	{"pipeline", `const rows = []; for (let i = 0; i < 5000; i++) { rows.push({ id: i, state: i % 3 ? "open" : "done", n: i % 10 }) }
		let total = 0; for (let k = 0; k < 10; k++) { total += rows.filter(r => r.state === "open").map(r => ({ id: r.id, twice: r.n * 2 })).reduce((a, r) => a + r.twice, 0) } total`},
	{"properties", `const o = { a: 1, b: { c: 2, d: { e: 3 } } }; let s = 0; for (let i = 0; i < 100000; i++) { s += o.a + o.b.c + o.b.d.e; o.a = s % 5 } s`},
	{"templates", "let out = 0; for (let i = 0; i < 40000; i++) { const t = `row ${i}: ${i * 2} of ${\"x\"}`; out += t.length } out"},
	{"sort", `const xs = []; for (let i = 0; i < 10000; i++) { xs.push({ k: (i * 7919) % 10007 }) } xs.sort((a, b) => a.k - b.k); xs.map(x => x.k).sort().length`},
	{"json", `const data = []; for (let i = 0; i < 1000; i++) { data.push({ id: i, name: "item " + i, tags: ["a", "b"], nested: { x: i / 2 } }) }
		let n = 0; for (let k = 0; k < 10; k++) { n += JSON.parse(JSON.stringify(data)).length } n`},
	{"strings", `const words = []; for (let i = 0; i < 20000; i++) { words.push("word" + (i % 100)) } const text = words.join(" ");
		const counts = {}; for (const w of text.split(" ")) { counts[w] = (counts[w] || 0) + 1 } Object.keys(counts).map(k => k.toUpperCase().slice(0, 3)).length`},
}

// unlimited are limits that no workload meets.
func unlimited() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory, l.Compute = 1<<50, 1<<40, time.Hour
	return l
}

// BenchmarkAgainstEngine runs each workload on a bare engine and in a session, by
// turns, and reports the ratio of the times and the geometric mean of the ratios.
func BenchmarkAgainstEngine(b *testing.B) {
	s, _ := newSession(b, surfaces.WithLimits(unlimited()))
	bare := func(src string) time.Duration {
		rt := goja.New()
		begin := time.Now()
		if _, err := rt.RunString("'use strict';" + src); err != nil {
			b.Fatal(err)
		}
		return time.Since(begin)
	}
	ours := func(src string) time.Duration {
		begin := time.Now()
		if r := s.Execute(context.Background(), src); r.Fault != nil {
			b.Fatal(r.Fault)
		}
		return time.Since(begin)
	}
	ratios := make([]float64, len(workloads))
	best := func(d *time.Duration, t time.Duration) {
		if *d == 0 || t < *d {
			*d = t
		}
	}
	for i, w := range workloads {
		var engine, session time.Duration
		for range max(5, b.N) {
			best(&engine, bare(w.program))
			best(&session, ours(w.program))
		}
		ratios[i] = float64(session) / float64(engine)
		b.ReportMetric(ratios[i], w.name+"-x")
	}
	mean := 0.0
	for _, r := range ratios {
		mean += math.Log(r)
	}
	b.ReportMetric(math.Exp(mean/float64(len(ratios))), "geomean-x")
}

// BenchmarkOpen measures a workspace, a session and 1+1, warm.
func BenchmarkOpen(b *testing.B) {
	cat := newShop().catalog()
	b.ReportAllocs()
	least := time.Hour
	for b.Loop() {
		begin := time.Now()
		openAndAdd(b, cat)
		least = min(least, time.Since(begin))
	}
	b.ReportMetric(float64(least.Nanoseconds())/1000, "least-µs")
}

// BenchmarkOpenCold measures the same as the first thing a process does.
func BenchmarkOpenCold(b *testing.B) {
	least := math.Inf(1)
	for range max(5, b.N) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestColdHelper$")
		cmd.Env = append(os.Environ(), "COLD_HELPER=1")
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		_, after, _ := strings.Cut(string(out), "cold ")
		line, _, _ := strings.Cut(after, "\n")
		ns, err := strconv.ParseFloat(line, 64)
		if err != nil {
			b.Fatalf("%q: %v", out, err)
		}
		least = min(least, ns)
	}
	b.ReportMetric(least/1000, "least-µs")
}

// TestColdHelper is the process that BenchmarkOpenCold starts.
func TestColdHelper(t *testing.T) {
	if os.Getenv("COLD_HELPER") == "" {
		t.Skip("only as a process of its own")
	}
	cat := newShop().catalog()
	begin := time.Now()
	openAndAdd(t, cat)
	os.Stdout.WriteString("cold " + strconv.FormatInt(time.Since(begin).Nanoseconds(), 10) + "\n")
}

// BenchmarkIdleSession reports the bytes that an open session keeps after 1+1 and
// after a call.
func BenchmarkIdleSession(b *testing.B) {
	for _, c := range []struct{ name, program string }{{"1+1", "1+1"}, {"call", `const n = shop.list_orders().filter(o => o.state === "open").map(o => o.id).length; n`}} {
		b.Run(c.name, func(b *testing.B) {
			const many = 200
			cat := newShop().catalog()
			keep := make([]surfaces.Session, 0, many)
			before := heap()
			for range many {
				ws, err := surfaces.NewWorkspace(cat)
				if err != nil {
					b.Fatal(err)
				}
				s, err := ws.Open(js.Language())
				if err != nil {
					b.Fatal(err)
				}
				if r := s.Execute(context.Background(), c.program); r.Fault != nil {
					b.Fatal(r.Fault)
				}
				keep = append(keep, s)
			}
			b.ReportMetric(float64(heap()-before)/many/1024, "KiB/session")
			runtime.KeepAlive(keep)
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkCall reports what a call of a function costs beyond the Go function,
// and beyond the loop around it, each the least of all rounds.
func BenchmarkCall(b *testing.B) {
	const calls = 1000
	l := unlimited()
	l.Calls = 1 << 30
	s, shop := newSession(b, surfaces.WithLimits(l))
	fn, _ := shop.catalog().Lookup("sums__add")
	args := value.Of("a", int64(1), "b", int64(2))
	s.Execute(context.Background(), "const N = 1000")
	program, direct, loop := time.Hour, time.Hour, time.Hour
	for b.Loop() {
		begin := time.Now()
		if r := s.Execute(context.Background(), "let t = 0; for (let i = 0; i < N; i++) { t += sums.add({ a: 1, b: 2 }) } t"); r.Fault != nil {
			b.Fatal(r.Fault)
		}
		program = min(program, time.Since(begin))
		begin = time.Now()
		s.Execute(context.Background(), "let t = 0; for (let i = 0; i < N; i++) { t += ({ a: 1, b: 2 }).a } t")
		loop = min(loop, time.Since(begin))
		begin = time.Now()
		for range calls {
			if _, err := fn.Call(context.Background(), args); err != nil {
				b.Fatal(err)
			}
		}
		direct = min(direct, time.Since(begin))
	}
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / calls }
	b.ReportMetric(per(program-direct), "over-ns/call")
	b.ReportMetric(per(program-loop-direct), "over-loop-ns/call")
}

func openAndAdd(tb testing.TB, cat *toolfn.Catalog) {
	ws, err := surfaces.NewWorkspace(cat)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := ws.Open(js.Language())
	if err != nil {
		tb.Fatal(err)
	}
	if r := s.Execute(context.Background(), "1+1"); r.Fault != nil {
		tb.Fatal(r.Fault)
	}
}
