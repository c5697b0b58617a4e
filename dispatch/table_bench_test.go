package dispatch

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func thousand() *shelf {
	s := &shelf{}
	keys := value.NewKeys("id", "repo", "title", "state")
	for i := range 1000 {
		s.rows = append(s.rows, value.NewRow(keys, []value.Value{int64(i), "web", fmt.Sprint("title ", i), "open"}))
	}
	return s
}

// quiet makes a shelf's resolver do nothing but hand out its rows, so that what is
// measured beside it is the door.
func (s *shelf) quiet() toolfn.ResourceTable {
	t := s.table()
	t.Select = func(context.Context, toolfn.Bindings) (toolfn.Rows, error) { return toolfn.Rows{Page: s.rows}, nil }
	t.Insert = func(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
		return toolfn.Written{Affected: len(rows), Rows: rows}, nil
	}
	return t
}

// BenchmarkTables measures a read of 1,000 rows, from the server and from memory,
// and a write with the read of what was written, beside the bare resolver. Each
// gives its ratio to that.
func BenchmarkTables(b *testing.B) {
	begin := func(b *testing.B, v toolfn.Volatility) *Run {
		table := thousand().quiet()
		table.Volatility = v
		o := open(b, table)
		m, err := sandbox.NewMeter(b.Context(), wide())
		if err != nil {
			b.Fatal(err)
		}
		return o.d.Begin(m, Program{Language: "test"})
	}
	var bare time.Duration
	b.Run("bare", func(b *testing.B) {
		table := thousand().quiet()
		n := 0
		for b.Loop() {
			got, _ := table.Select(context.Background(), toolfn.NewBindings())
			for _, row := range got.Page { // whoever reads rows looks at each
				if v, _ := row.Get("state"); v == "open" {
					n++
				}
			}
		}
		bare = b.Elapsed() / time.Duration(b.N)
	})
	ratio := func(b *testing.B) {
		if bare > 0 {
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(bare), "x-bare")
		}
	}
	for _, c := range []struct {
		name string
		v    toolfn.Volatility
		q    Query
	}{
		{"asked", toolfn.Volatile, Query{Table: "issues"}},
		{"remembered", toolfn.Stable, Query{Table: "issues"}},
		{"remembered and filtered", toolfn.Stable, Query{Table: "issues", Where: where("title", "title 7")}},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := begin(b, c.v)
			defer r.End(nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Select(c.q); err != nil {
					b.Fatal(err)
				}
			}
			ratio(b)
		})
	}
	b.Run("write and read back", func(b *testing.B) {
		r := begin(b, toolfn.Stable)
		defer r.End(nil)
		b.ReportAllocs()
		id := int64(10_000)
		for b.Loop() {
			id++
			if _, err := r.Insert(Insertion{Table: "issues", Rows: []*value.Object{value.Of("id", id, "repo", "web", "title", "t", "state", "open")}}); err != nil {
				b.Fatal(err)
			}
			got, err := r.Select(Query{Table: "issues", Where: where("id", int(id))})
			if err != nil || len(got.Rows) != 1 {
				b.Fatal(len(got.Rows), err)
			}
			r.d.ForgetTable("issues")
		}
		ratio(b)
	})
}

// BenchmarkManyRows reads 50,000 rows in one page and adds up a column of them by
// blocks, as an engine loads them; beside it the bare resolver.
func BenchmarkManyRows(b *testing.B) {
	s := &shelf{}
	keys := value.NewKeys("id", "repo", "title", "state")
	for i := range 50_000 {
		s.rows = append(s.rows, value.NewRow(keys, []value.Value{int64(i), "web", fmt.Sprint("title ", i), "open"}))
	}
	table := s.quiet()
	table.Volatility = toolfn.Volatile
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			o := open(b, table)
			m, err := sandbox.NewMeter(b.Context(), wide())
			if err != nil {
				b.Fatal(err)
			}
			r := o.d.Begin(m, Program{Language: "test"})
			b.StartTimer()
			got, err := r.Select(Query{Table: "issues"})
			if err != nil {
				b.Fatal(err)
			}
			sum := int64(0)
			for block := range got.Blocks([]string{"id"}) {
				for _, row := range block.Rows {
					n, _ := row.At(block.At[0]).(int64)
					sum += n
				}
			}
			if sum != 50_000*49_999/2 {
				b.Fatal(sum)
			}
			b.StopTimer()
			r.End(nil)
			b.StartTimer()
		}
	})
}
