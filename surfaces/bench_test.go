package surfaces

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/toolfn/value"
)

// BenchmarkMount measures what a conversation costs before its first program, by
// the size of the catalogue.
func BenchmarkMount(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"4", 0}, {"400", 396}, {"5000", 4996}} {
		cat := largeCatalog(b, c.n)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ws, err := NewWorkspace(cat)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Mount(ws, MountOptions{Languages: []Language{toyA}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFor measures what each further conversation costs.
func BenchmarkFor(b *testing.B) {
	cat := largeCatalog(b, 4996)
	first, err := Mount(workspace(b, cat), MountOptions{Languages: []Language{toyA}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		ws, err := NewWorkspace(cat)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := first.For(ws); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTool measures the way of a program from its arguments to its text,
// with a language that costs nothing.
func BenchmarkTool(b *testing.B) {
	m, err := Mount(workspace(b, testCatalog(b)), MountOptions{Languages: []Language{toyA}})
	if err != nil {
		b.Fatal(err)
	}
	u, _ := m.Tool("execute_toy")
	input := json.RawMessage(`{"code":"value 2"}`)
	b.ReportAllocs()
	for b.Loop() {
		if out, err := u.Call(context.Background(), input); err != nil || out.Text != "2" {
			b.Fatal(err, out.Text)
		}
	}
}

// BenchmarkRender measures the text of a result with many rows.
func BenchmarkRender(b *testing.B) {
	rows := make([]value.Value, 100_000)
	for i := range rows {
		rows[i] = value.Of("id", int64(i), "title", "a title of some length", "state", "open")
	}
	res := &Result{Value: rows, Called: []dispatch.Tally{{Name: "f", Calls: 3, Effect: "read"}}}
	r := NewRenderer(16<<10, elide.Neutral(), false)
	b.ReportAllocs()
	for b.Loop() {
		_ = r.Text(res)
	}
}

// BenchmarkIdleWorkspace reports the bytes that a workspace holds between
// programs, without its language's session.
func BenchmarkIdleWorkspace(b *testing.B) {
	cat := largeCatalog(b, 400)
	const n = 200
	first, err := Mount(workspace(b, cat), MountOptions{Languages: []Language{toyA}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		all := make([]*Mounted, n)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range all {
			ws, err := NewWorkspace(cat)
			if err != nil {
				b.Fatal(err)
			}
			if all[i], err = first.For(ws); err != nil {
				b.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "B/workspace")
		runtime.KeepAlive(all)
	}
}
