//go:build cgo

package sql_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// shop has readers, their orders, and letters that can only be read for a reader.
// Every read is recorded with its bindings.
type shop struct {
	mu      sync.Mutex
	reads   []string
	writes  []string
	orders  []*value.Object
	readers []*value.Object
	letters []*value.Object
}

func table(keys *value.Keys, rows ...[]value.Value) (out []*value.Object) {
	for _, r := range rows {
		out = append(out, value.NewRow(keys, r))
	}
	return out
}

func newShop() *shop {
	return &shop{
		orders: table(value.NewKeys("id", "reader", "title", "copies", "price", "state", "placed"),
			[]value.Value{"A-1", "ann", "Emma", int64(1), 9.5, "open", "2026-05-01T10:00:00.000Z"},
			[]value.Value{"A-2", "bob", "Dracula", int64(3), 12.0, "sent", "2026-05-02T11:30:00.000Z"},
			[]value.Value{"A-3", "ann", "Walden", int64(2), nil, "open", "2026-05-03T00:00:00.000Z"},
			[]value.Value{"A-4", "cy", "Ulysses", int64(1), 20.25, "lost", "2026-04-30T23:59:59.000Z"}),
		readers: table(value.NewKeys("name", "city"),
			[]value.Value{"ann", "Porto"}, []value.Value{"bob", "Oslo"}, []value.Value{"cy", "Porto"}, []value.Value{"dan", nil}),
		letters: table(value.NewKeys("reader", "text"),
			[]value.Value{"ann", "hello"}, []value.Value{"ann", "again"}, []value.Value{"bob", "hi"}),
	}
}

func (s *shop) reader(name string, rows func() []*value.Object, key string) func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
	return func(_ context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		text := name
		for _, c := range b.Columns() {
			v, _ := value.Append(nil, value.Value(b.All(c)))
			text += " " + c + "=" + string(v)
		}
		s.reads = append(s.reads, text)
		var out []*value.Object
		for _, r := range rows() {
			have, _ := r.Get(key)
			keep := key == ""
			for _, want := range b.All(key) {
				keep = keep || value.Equal(have, want)
			}
			if keep {
				out = append(out, r)
			}
		}
		return toolfn.Rows{Page: out}, nil
	}
}

func (s *shop) catalog(t testing.TB) *toolfn.Catalog {
	t.Helper()
	c := toolfn.NewCatalog()
	column := func(name, kind string) toolfn.Column { return toolfn.Column{Name: name, Type: kind} }
	err := c.Register(
		toolfn.ToolFn{
			Name: "shop__find", Description: "Find orders.", Effect: toolfn.Effect{Impact: toolfn.Read},
			Input: &jsonschema.Schema{
				Type: "object", Properties: map[string]*jsonschema.Schema{"state": {Type: "string"}}, PropertyOrder: []string{"state"},
				AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
			},
			Call: func(_ context.Context, args *value.Object) (value.Value, error) {
				out := []value.Value{}
				for _, r := range s.orders {
					have, _ := r.Get("state")
					if want, asked := args.Get("state"); !asked || value.Equal(have, want) {
						out = append(out, r)
					}
				}
				return value.Of("items", out, "total", int64(len(out))), nil
			},
		},
		toolfn.ResourceTable{
			Name: "orders", Description: "Orders.", Key: []string{"id"}, Volatility: toolfn.Stable,
			Columns: []toolfn.Column{
				column("id", "text"), column("reader", "text"), column("title", "text"), column("copies", "bigint"),
				column("price", "double precision"),
				{Name: "state", Type: "text", Pushdown: toolfn.PushIn},
				column("placed", "timestamptz"),
			},
			Select: s.reader("orders", func() []*value.Object { return s.orders }, ""),
			Insert: func(_ context.Context, rows []*value.Object) (toolfn.Written, error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				for i, r := range rows {
					full := value.Copy(r).(*value.Object)
					if !full.Has("id") {
						full.Set("id", fmt.Sprintf("A-%d", len(s.orders)+1))
					}
					s.writes = append(s.writes, "insert "+textOf(r))
					s.orders, rows[i] = append(s.orders, full), full
				}
				return toolfn.Written{Affected: len(rows), Rows: rows}, nil
			},
			Update: func(_ context.Context, set *value.Object, b toolfn.Bindings) (toolfn.Written, error) {
				return s.change("update "+textOf(set), b, func(r *value.Object) *value.Object {
					c := value.Copy(r).(*value.Object)
					for k, v := range set.All() {
						c.Set(k, v)
					}
					return c
				})
			},
			Delete: func(_ context.Context, b toolfn.Bindings) (toolfn.Written, error) {
				return s.change("delete", b, func(*value.Object) *value.Object { return nil })
			},
		},
		toolfn.ResourceTable{
			Name: "readers", Description: "Readers.", Key: []string{"name"}, Volatility: toolfn.Stable,
			Columns: []toolfn.Column{column("name", "text"), column("city", "text")},
			Select:  s.reader("readers", func() []*value.Object { return s.readers }, ""),
		},
		toolfn.ResourceTable{
			Name: "letters", Description: "Letters to a reader.", Volatility: toolfn.Volatile,
			Columns: []toolfn.Column{{Name: "reader", Type: "text", RequiredKey: true, Pushdown: toolfn.PushIn}, column("text", "text")},
			Select:  s.reader("letters", func() []*value.Object { return s.letters }, "reader"),
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func textOf(v value.Value) string {
	text, _ := value.Append(nil, v)
	return string(text)
}

// change changes the orders of the given ids; nil removes one.
func (s *shop) change(what string, b toolfn.Bindings, f func(*value.Object) *value.Object) (toolfn.Written, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes = append(s.writes, what+" "+textOf(b.All("id")))
	var kept []*value.Object
	n := 0
	for _, r := range s.orders {
		id, _ := r.Get("id")
		hit := false
		for _, want := range b.All("id") {
			hit = hit || value.Equal(id, want)
		}
		if hit {
			n++
			r = f(r)
		}
		if r != nil {
			kept = append(kept, r)
		}
	}
	s.orders = kept
	return toolfn.Written{Affected: n}, nil
}

// TestSession runs each file's programs in one session over a fresh shop. Reads that
// reached the shop follow what the model sees.
func TestSession(t *testing.T) {
	datadriven.Walk(t, "testdata/session", func(t *testing.T, path string) {
		s := newShop()
		ws, err := surfaces.NewWorkspace(s.catalog(t), surfaces.WithClock(func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }))
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		session, err := ws.Open(sql.Language())
		if err != nil {
			t.Fatal(err)
		}
		texts := surfaces.NewRenderer(4000, sql.Language().Style(), false)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.reads, s.writes = nil, nil
			switch d.Cmd {
			case "run":
				out := texts.Text(session.Execute(context.Background(), d.Input)) + "\n"
				slices.Sort(s.reads) // they are made side by side
				for _, r := range s.reads {
					out += "read " + r + "\n"
				}
				for _, w := range s.writes {
					out += "wrote " + w + "\n"
				}
				return out
			case "explain":
				return texts.Plan(session.Explain(context.Background(), d.Input), sql.Language()) + strings.Join(s.reads, "") + "\n"
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}
