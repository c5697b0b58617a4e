package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// BenchmarkCall measures what a journal adds to one call through the door, beside
// the bare function and the least that a durable record can cost, in one run: a
// read, whose record may wait, and an effect, whose intention is durable before it
// is made. It reports microseconds over the bare function and, for effects, the
// ratio to one row in one transaction with the same durability.
func BenchmarkCall(b *testing.B) {
	took := map[string]float64{} // ns a call
	keep := func(b *testing.B, name string) {
		took[name] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		if bare := took["bare"]; bare > 0 && name != "bare" {
			b.ReportMetric((took[name]-bare)/1e3, "µs-over-bare")
		}
	}
	row := value.NewKeys("id", "title", "open")
	cat := toolfn.NewCatalog()
	for name, impact := range map[string]toolfn.Impact{"t__read": toolfn.Read, "t__write": toolfn.Write} {
		err := cat.Register(toolfn.ToolFn{Name: name, Effect: toolfn.Effect{Impact: impact}, Call: func(_ context.Context, args *value.Object) (value.Value, error) {
			id, _ := args.Get("id")
			return value.NewRow(row, []value.Value{id, "a title", true}), nil
		}})
		if err != nil {
			b.Fatal(err)
		}
	}
	arguments := func() *value.Object { return value.Of("id", int64(7), "state", "open") }
	b.Run("bare", func(b *testing.B) {
		fn, _ := cat.Lookup("t__read")
		for b.Loop() {
			if _, err := fn.Call(b.Context(), arguments()); err != nil {
				b.Fatal(err)
			}
		}
		keep(b, "bare")
	})
	// The least that a durable record can cost: one row, one transaction.
	for _, peer := range []struct {
		name string
		o    []Option
	}{{"peer-relaxed", []Option{Relaxed()}}, {"peer", nil}} {
		b.Run(peer.name, func(b *testing.B) {
			back, err := Open(filepath.Join(b.TempDir(), "journal.db"), peer.o...)
			if err != nil {
				b.Fatal(err)
			}
			defer back.Close()
			s, err := back.conn.PrepareContext(context.Background(), `INSERT INTO records (key, data) VALUES (?,?)`)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			data, key := make([]byte, 450), int64(0) // as long as what an effect appends
			for b.Loop() {
				key++
				if _, err := s.Exec(key, data); err != nil {
					b.Fatal(err)
				}
			}
			keep(b, peer.name)
		})
	}
	file := func(o ...Option) func(*testing.B) dispatch.Journal {
		return func(b *testing.B) dispatch.Journal {
			back, err := Open(filepath.Join(b.TempDir(), "journal.db"), o...)
			if err != nil {
				b.Fatal(err)
			}
			return open(b, back)
		}
	}
	for _, j := range []struct {
		name, peer string
		open       func(*testing.B) dispatch.Journal
	}{
		{"records", "", func(*testing.B) dispatch.Journal { return dispatch.NewMemory(0) }},
		{"memory", "", func(b *testing.B) dispatch.Journal { return open(b, store.NewMemory()) }},
		{"file-relaxed", "peer-relaxed", file(Relaxed())},
		{"file", "peer", file()},
	} {
		for _, fn := range []string{"t__read", "t__write"} {
			b.Run(j.name+"/"+fn, func(b *testing.B) {
				calls(b, cat, j.open(b), fn, arguments)
				keep(b, j.name+fn)
				if peer := took[j.peer]; peer > 0 && fn == "t__write" {
					b.ReportMetric(took[j.name+fn]/peer, "×peer")
				}
			})
		}
	}
}

func open(b *testing.B, back store.Backend) *store.Journal {
	b.Helper()
	s, err := store.New(back)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	j, err := s.Open(b.Context(), "w", "")
	if err != nil {
		b.Fatal(err)
	}
	return j
}

// calls makes calls as programs do that make a hundred each.
func calls(b *testing.B, cat *toolfn.Catalog, j dispatch.Journal, fn string, arguments func() *value.Object) {
	d, err := dispatch.New(cat, dispatch.WithJournal(j))
	if err != nil {
		b.Fatal(err)
	}
	limits := sandbox.DefaultLimits()
	m, err := sandbox.NewMeter(b.Context(), limits)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	var r *dispatch.Run
	program := func() {
		for b.Loop() {
			if _, err := r.Call(dispatch.Call{Function: fn, Args: arguments(), Line: 1}); err != nil {
				b.Error(err)
				return
			}
			if n++; n%100 == 0 {
				return
			}
		}
		n = -1
	}
	for n >= 0 {
		m.Reset(b.Context(), limits)
		r = d.Begin(m, dispatch.Program{Language: "test", Source: "t.read()"})
		r.Host(program)
		r.End(nil)
	}
}
