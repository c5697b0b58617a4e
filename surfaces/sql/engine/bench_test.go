//go:build cgo

package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
)

// BenchmarkSelectOne is the way of the smallest statement from text to result.
func BenchmarkSelectOne(b *testing.B) {
	db := engine.Open(engine.Options{})
	for b.Loop() {
		if _, err := db.Query(context.Background(), "SELECT 1"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoad makes a table of 100,000 rows of plain Go values.
func BenchmarkLoad(b *testing.B) {
	const n = 100_000
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprint("name ", i)
	}
	rows := func(yield func([]any) bool) {
		row := make([]any, 5)
		for i := range n {
			row[0], row[1], row[2], row[3], row[4] = i, names[i%len(names)], float64(i)/4, i%2 == 0, nil
			if !yield(row) {
				return
			}
		}
	}
	spec := engine.TableSpec{Name: "t", Columns: []engine.Column{{Name: "id", Type: "int"}, {Name: "name", Type: "text"}, {Name: "f", Type: "float8"}, {Name: "ok", Type: "bool"}, {Name: "d", Type: "date"}}}
	for b.Loop() {
		db := engine.Open(engine.Options{})
		if err := db.Register(spec, rows); err != nil {
			b.Fatal(err)
		}
	}
}
