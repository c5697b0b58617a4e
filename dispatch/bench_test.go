package dispatch

import (
	"context"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// wide is a limit that no benchmark reaches.
func wide() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.Calls, l.Fuel, l.Memory = 1<<40, 1<<60, 1<<60
	return l
}

func benchCatalog(b *testing.B) *toolfn.Catalog {
	b.Helper()
	row := value.NewKeys("id", "title", "open")
	cat := toolfn.NewCatalog()
	items := []toolfn.ToolFn{
		{Name: "t__read", Effect: toolfn.Effect{Impact: toolfn.Read}},
		{Name: "t__write", Effect: toolfn.Effect{Impact: toolfn.Write}},
	}
	for i := range items {
		items[i].Call = func(_ context.Context, args *value.Object) (value.Value, error) {
			id, _ := args.Get("id")
			return value.NewRow(row, []value.Value{id, "a title", true}), nil
		}
		if err := cat.Register(items[i]); err != nil {
			b.Fatal(err)
		}
	}
	return cat
}

// BenchmarkCall measures one small call through the door beside the bare Go
// function. The call itself includes validation, policy, hand-over, time limit,
// copying, tally and journal.
func BenchmarkCall(b *testing.B) {
	cat := benchCatalog(b)
	arguments := func() *value.Object { return value.Of("id", int64(7), "state", "open") }
	b.Run("bare", func(b *testing.B) {
		fn, _ := cat.Lookup("t__read")
		ctx := context.Background()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := fn.Call(ctx, arguments()); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, name := range []string{"t__read", "t__write"} {
		b.Run(name, func(b *testing.B) {
			d, err := New(cat, WithPolicy(AllowAll()))
			if err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			m, err := sandbox.NewMeter(ctx, wide())
			if err != nil {
				b.Fatal(err)
			}
			r := d.Begin(m, Program{Language: "test"})
			defer r.End(nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Call(Call{Function: name, Args: arguments(), Line: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("hosted", func(b *testing.B) {
		d, err := New(cat, WithPolicy(AllowAll()))
		if err != nil {
			b.Fatal(err)
		}
		m, err := sandbox.NewMeter(b.Context(), wide())
		if err != nil {
			b.Fatal(err)
		}
		r := d.Begin(m, Program{Language: "test"})
		defer r.End(nil)
		b.ReportAllocs()
		r.Host(func() {
			for b.Loop() {
				if _, err := r.Call(Call{Function: "t__read", Args: arguments(), Line: 1}); err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("program", func(b *testing.B) { // an execute with one call in it
		d, err := New(cat)
		if err != nil {
			b.Fatal(err)
		}
		m := new(sandbox.Meter)
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		b.ReportAllocs()
		for b.Loop() {
			m.Reset(ctx, wide())
			r := d.Begin(m, Program{Language: "test", Source: "t.read()"})
			if _, err := r.Call(Call{Function: "t__read", Args: arguments()}); err != nil {
				b.Fatal(err)
			}
			r.End(nil)
		}
	})
}
