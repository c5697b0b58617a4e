package lisp_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp"
)

// BenchmarkSession opens a workspace and a session in it, runs (+ 1 1) in it and closes it.
func BenchmarkSession(b *testing.B) {
	cat := newShop().catalog(b)
	b.ReportAllocs()
	for b.Loop() {
		ws, err := surfaces.NewWorkspace(cat)
		if err != nil {
			b.Fatal(err)
		}
		s, err := ws.Open(lisp.Language())
		if err != nil {
			b.Fatal(err)
		}
		if r := s.Execute(context.Background(), "(+ 1 1)"); r.Fault != nil {
			b.Fatal(r.Fault)
		}
		s.Close()
		ws.Close()
	}
}

// BenchmarkIdleSession prints what an idle session that has run a program holds.
func BenchmarkIdleSession(b *testing.B) {
	cat := newShop().catalog(b)
	const many = 500
	before := heap()
	sessions := make([]surfaces.Session, many)
	for i := range sessions {
		ws, err := surfaces.NewWorkspace(cat)
		if err != nil {
			b.Fatal(err)
		}
		if sessions[i], err = ws.Open(lisp.Language()); err != nil {
			b.Fatal(err)
		}
		sessions[i].Execute(context.Background(), `(def open (filter #(= (:state %) "open") [{:state "open"}])) (count open)`)
	}
	held := float64(heap()-before) / many
	runtime.KeepAlive(sessions)
	for b.Loop() {
		continue
	}
	b.ReportMetric(held/1024, "KiB/session")
	b.ReportMetric(0, "ns/op")
	for _, s := range sessions {
		s.Close()
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
