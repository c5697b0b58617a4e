package dispatch

import (
	"iter"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Block is a run of rows of one shape.
type Block struct {
	Rows []*value.Object // shared, not to be changed
	// At gives, for each of the columns that were asked for, its place in every
	// row of the run for [value.Object.At]; -1 where the rows lack it.
	At []int
}

// Blocks gives the rows in runs of one shape, so that whoever loads columns looks
// their places up once a run. Nothing is copied.
func (s *Selected) Blocks(columns []string) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for from := 0; from < len(s.Rows); {
			keys := s.Rows[from].Keys()
			to := from + 1
			for to < len(s.Rows) && s.Rows[to].Keys() == keys {
				to++
			}
			b := Block{Rows: s.Rows[from:to], At: make([]int, len(columns))}
			for i, name := range columns {
				b.At[i] = keys.Index(name)
			}
			if !yield(b) {
				return
			}
			from = to
		}
	}
}
