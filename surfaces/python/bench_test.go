package python_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python"
	"github.com/polyglove/polyglove/toolfn"
)

// openAndAdd opens a workspace and a session and runs 1 + 1.
func openAndAdd(b testing.TB, cat *toolfn.Catalog) *surfaces.Workspace {
	ws, err := surfaces.NewWorkspace(cat)
	if err != nil {
		b.Fatal(err)
	}
	s, err := ws.Open(python.Language())
	if err != nil {
		b.Fatal(err)
	}
	if r := s.Execute(context.Background(), "1 + 1"); r.Fault != nil {
		b.Fatal(r.Fault)
	}
	return ws
}

// BenchmarkOpen measures a workspace, a session and 1 + 1, warm.
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

// BenchmarkExecute measures 1 + 1 in a session that is there.
func BenchmarkExecute(b *testing.B) {
	s, _ := newSession(b)
	b.ReportAllocs()
	for b.Loop() {
		if r := s.Execute(context.Background(), "1 + 1"); r.Fault != nil {
			b.Fatal(r.Fault)
		}
	}
}

// BenchmarkCall measures a call of a tool with rows as its result.
func BenchmarkCall(b *testing.B) {
	s, _ := newSession(b)
	b.ReportAllocs()
	for b.Loop() {
		if r := s.Execute(context.Background(), `len(shop.list_orders(state="open"))`); r.Fault != nil {
			b.Fatal(r.Fault)
		}
	}
}

// BenchmarkIdleSession measures the memory of a session that has run 1 + 1.
func BenchmarkIdleSession(b *testing.B) {
	cat := newShop().catalog()
	const sessions = 400
	openAndAdd(b, cat)
	var before, after runtime.MemStats
	for range max(1, min(b.N, 3)) {
		kept := make([]*surfaces.Workspace, 0, sessions)
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range sessions {
			kept = append(kept, openAndAdd(b, cat))
		}
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(kept)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/sessions/1024, "KB/session")
}

// endless are programs that one native keeps busy, after what they need is there.
var endless = []struct{ name, prepare, program string }{
	{"loop", "", "while True: pass"},
	{"sort", "import random\nxs = [random.random() for _ in range(400000)]", "while True: sorted(xs)"},
	{"sort-key", "", "while True: sorted(xs, key=lambda x: -x)"},
	{"sort-text", "ts = [str(x) for x in xs[:200000]]", "while True: sorted(ts)"},
	{"regex", "import re", "while True: re.match(r'(a|aa)*(b|c)*(a+)+$', 'a' * 60 + 'd')"},
	{"regex-text", "s = 'ab ' * 300000", "while True: re.findall(r'\\w+ \\w+', s)"},
	{"sum", "", "while True: sum(range(10**7))"},
	{"text", "", "while True: s.replace('a', 'xy').upper().split()"},
	{"json", "import json\nrows = [{'a': i, 'b': [i]} for i in range(50000)]", "while True: json.loads(json.dumps(rows))"},
	{"power", "", "while True: 3 ** 200000 % 10**5000"},
	{"membership", "big = list(range(10**6))", "while True: -1 in big"},
}

// BenchmarkCancel reports how long after the context's end each program ends, the
// longest of its rounds.
func BenchmarkCancel(b *testing.B) {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory, l.Compute, l.Retained = 1<<50, 1<<33, time.Hour, 1<<33
	s, _ := newSession(b, surfaces.WithLimits(l))
	for _, e := range endless {
		if r := s.Execute(context.Background(), e.prepare); r.Fault != nil {
			b.Fatal(r.Fault)
		}
		longest := time.Duration(0)
		for range max(8, min(b.N, 20)) {
			ctx, cancel := context.WithCancel(context.Background())
			var at time.Time
			time.AfterFunc(30*time.Millisecond, func() { at = time.Now(); cancel() })
			r := s.Execute(ctx, e.program)
			longest = max(longest, time.Since(at))
			if r.Fault == nil || r.Fault.Kind != sandbox.KindCancelled {
				b.Fatalf("%s: %v", e.program, r.Fault)
			}
		}
		b.ReportMetric(float64(longest.Microseconds())/1000, e.name+"-ms")
	}
}
