package engine

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// keySet is a set of primary keys, each as a row that holds it.
type keySet struct {
	key  []int // columns
	rows map[uint64][]keyRow
}

type keyRow struct {
	columns []*vector.Column
	row     int
}

func newKeySet(key []int, v *version) *keySet {
	s := &keySet{key: key, rows: make(map[uint64][]keyRow, v.rows)}
	for r := range v.rows {
		s.add(v.columns, r)
	}
	return s
}

func (s *keySet) hash(columns []*vector.Column, row int) uint64 {
	one, out := [1]int32{int32(row)}, [1]uint64{}
	for _, k := range s.key {
		vector.Hash(columns[k], one[:], out[:])
	}
	return out[0]
}

func (s *keySet) find(columns []*vector.Column, row int) (uint64, int) {
	h := s.hash(columns, row)
	return h, slices.IndexFunc(s.rows[h], func(x keyRow) bool {
		for _, k := range s.key {
			if !vector.Equal(x.columns[k], x.row, columns[k], row) {
				return false
			}
		}
		return true
	})
}

func (s *keySet) has(columns []*vector.Column, row int) bool {
	_, i := s.find(columns, row)
	return i >= 0
}

func (s *keySet) add(columns []*vector.Column, row int) {
	h := s.hash(columns, row)
	s.rows[h] = append(s.rows[h], keyRow{columns, row})
}

func (s *keySet) remove(columns []*vector.Column, row int) {
	if h, i := s.find(columns, row); i >= 0 {
		s.rows[h] = slices.Delete(s.rows[h], i, i+1)
	}
}
