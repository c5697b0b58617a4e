package python_test

import (
	"context"
	"runtime"
	"testing"
	"time"

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
