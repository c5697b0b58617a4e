package surfaces_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/dispatch/store/sqlite"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// BenchmarkResume opens workspaces again whose programs have made more and more
// calls, ten a program: rows read and letters sent. What it costs for each
// call must not depend on how many there are.
func BenchmarkResume(b *testing.B) {
	rows := make([]value.Value, 20)
	for i := range rows {
		rows[i] = value.Of("id", int64(i), "title", fmt.Sprint("the title of number ", i), "open", i%2 == 0)
	}
	cat := toolfn.NewCatalog()
	err := cat.Register(
		toolfn.ToolFn{Name: "t__rows", Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(context.Context, *value.Object) (value.Value, error) { return rows, nil }},
		toolfn.ToolFn{Name: "box__send", Effect: toolfn.Effect{Impact: toolfn.Write}, Call: func(_ context.Context, a *value.Object) (value.Value, error) { return a, nil }})
	if err != nil {
		b.Fatal(err)
	}
	memory := store.NewMemory()
	path := filepath.Join(b.TempDir(), "journal.db")
	for _, backend := range []struct {
		name string
		open func() (store.Backend, error)
	}{
		{"memory", func() (store.Backend, error) { return memory, nil }},
		{"file", func() (store.Backend, error) { return sqlite.Open(path, sqlite.Relaxed()) }},
	} {
		for _, calls := range []int{250, 500, 1000, 2000} {
			b.Run(fmt.Sprintf("%s/%d", backend.name, calls), func(b *testing.B) {
				open := func(use func(*surfaces.Workspace, *surfaces.Resumed)) {
					back, err := backend.open()
					if err != nil {
						b.Fatal(err)
					}
					s, err := store.New(back)
					if err != nil {
						b.Fatal(err)
					}
					defer s.Close()
					j, err := s.Open(b.Context(), fmt.Sprint("w", calls), "")
					if err != nil {
						b.Fatal(err)
					}
					ws, err := surfaces.NewWorkspace(cat, surfaces.WithJournal(j))
					if err != nil {
						b.Fatal(err)
					}
					defer ws.Close()
					r, err := ws.Resume(b.Context(), js.Language())
					if err != nil || len(r.Lost) > 0 {
						b.Fatal(err, r)
					}
					use(ws, r)
				}
				open(func(ws *surfaces.Workspace, r *surfaces.Resumed) {
					if r.Calls > 0 {
						return // an earlier round has made them
					}
					s, err := ws.Open(js.Language())
					if err != nil {
						b.Fatal(err)
					}
					for n := range calls / 10 {
						if r := s.Execute(b.Context(), fmt.Sprintf(`let n%d = 0; for (let i = 0; i < 5; i++) { n%d += t.rows({ i }).length; box.send({ to: "ann", i }) }`, n, n)); r.Fault != nil {
							b.Fatal(r.Fault)
						}
					}
				})
				for b.Loop() {
					open(func(_ *surfaces.Workspace, r *surfaces.Resumed) {
						if r.Calls != calls {
							b.Fatalf("%d calls of %d", r.Calls, calls)
						}
					})
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(calls), "µs/call")
			})
		}
	}
}
