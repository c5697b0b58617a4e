//go:build cgo

package sql_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// BenchmarkStatement is a typical statement end to end over tools that take no time.
func BenchmarkStatement(b *testing.B) {
	for _, text := range []string{
		"SELECT id, title FROM orders WHERE state = 'open' ORDER BY placed DESC LIMIT 2",
		"SELECT r.city, count(*), sum(o.copies) FROM orders o JOIN readers r ON r.name = o.reader WHERE o.state <> 'lost' GROUP BY r.city ORDER BY 2 DESC",
	} {
		b.Run(fmt.Sprintf("%d", len(text)), func(b *testing.B) {
			s := newShop()
			ws, err := surfaces.NewWorkspace(s.catalog(b))
			if err != nil {
				b.Fatal(err)
			}
			defer ws.Close()
			session, err := ws.Open(sql.Language())
			if err != nil {
				b.Fatal(err)
			}
			defer session.Close()
			b.ReportAllocs()
			for b.Loop() {
				s.reads = s.reads[:0]
				if res := session.Execute(context.Background(), text); res.Fault != nil {
					b.Fatal(res.Fault)
				}
			}
		})
	}
}

// BenchmarkLargeJoin joins two tables of 50,000 rows and groups the result.
func BenchmarkLargeJoin(b *testing.B) {
	const n = 50_000
	left, right := value.NewKeys("id", "owner", "state", "points"), value.NewKeys("id", "team", "age")
	var tasks, people []*value.Object
	for i := range n {
		tasks = append(tasks, value.NewRow(left, []value.Value{int64(i), int64(i * 7 % n), fmt.Sprintf("state %d", i%5), float64(i % 100)}))
		people = append(people, value.NewRow(right, []value.Value{int64(i), fmt.Sprintf("team %d", i%40), int64(i % 90)}))
	}
	give := func(rows []*value.Object) func(context.Context, toolfn.Bindings) (toolfn.Rows, error) {
		return func(context.Context, toolfn.Bindings) (toolfn.Rows, error) { return toolfn.Rows{Page: rows}, nil }
	}
	c := toolfn.NewCatalog()
	err := c.Register(
		toolfn.ResourceTable{Name: "tasks", Description: "Tasks.", Volatility: toolfn.Volatile, Select: give(tasks), Columns: []toolfn.Column{
			{Name: "id", Type: "bigint"}, {Name: "owner", Type: "bigint"}, {Name: "state", Type: "text"}, {Name: "points", Type: "double precision"},
		}},
		toolfn.ResourceTable{Name: "people", Description: "People.", Volatility: toolfn.Volatile, Select: give(people), Columns: []toolfn.Column{
			{Name: "id", Type: "bigint"}, {Name: "team", Type: "text"}, {Name: "age", Type: "bigint"},
		}},
	)
	if err != nil {
		b.Fatal(err)
	}
	limits := sandbox.DefaultLimits()
	limits.Memory = 512 << 20
	ws, err := surfaces.NewWorkspace(c, surfaces.WithLimits(limits))
	if err != nil {
		b.Fatal(err)
	}
	defer ws.Close()
	session, err := ws.Open(sql.Language())
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	b.ReportAllocs()
	for b.Loop() {
		res := session.Execute(context.Background(), "SELECT p.team, t.state, count(*), sum(t.points), max(p.age) FROM tasks t JOIN people p ON p.id = t.owner GROUP BY 1, 2 ORDER BY 1, 2")
		if res.Fault != nil {
			b.Fatal(res.Fault)
		}
		if got := len(res.Value.([]value.Value)); got != 40 {
			b.Fatal(got)
		}
	}
}
