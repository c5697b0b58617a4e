package engine

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// snapshot is a table as one statement sees it: the rows of when it began, and the
// changes that it has asked for, which take effect when it has succeeded.
type snapshot struct {
	table   *Table
	shape   *query.Table // with the snapshot as its source
	base    *version
	added   []*vector.Column
	rows    int // added
	deleted map[int32]bool
	updated map[int32]bool
	changes []change
	keys    *keySet // those that rows have now; nil until a key is updated
}

// change sets columns of rows.
type change struct {
	rows   []int32
	sets   []int
	values []*vector.Column
}

func newSnapshot(t *Table, v *version) *snapshot {
	s := &snapshot{table: t, base: v}
	shape := *t.shape
	shape.Source = s
	s.shape = &shape
	return s
}

// Count is the number of rows.
func (s *snapshot) Count() int { return s.base.rows }

// Read gives columns of all rows. They are shared by all readers.
func (s *snapshot) Read(_ *fn.Env, columns []int) (int, []*vector.Column, error) {
	out := make([]*vector.Column, len(columns))
	for i, c := range columns {
		out[i] = s.base.columns[c]
	}
	return s.base.rows, out, nil
}

// Insert adds complete rows.
func (s *snapshot) Insert(e *fn.Env, rows int, columns []*vector.Column) error {
	if err := checkNulls(s.shape, columns, rows); err != nil {
		return err
	}
	if s.added == nil {
		s.added = emptyVersion(s.shape).columns
	}
	for i, c := range columns {
		if err := s.keep(e, c, rows); err != nil {
			return err
		}
		appendRows(s.added[i], c, rows)
	}
	s.rows += rows
	return nil
}

// keep charges for rows that stay.
func (s *snapshot) keep(e *fn.Env, c *vector.Column, rows int) error {
	return e.Meter.Alloc(vector.Bytes(c.Type, rows) + c.Payload(nil))
}

// appendRows appends the first rows of a column, which may be constant or longer.
func appendRows(dst, src *vector.Column, rows int) {
	list := make([]int32, rows)
	for i := range list {
		list[i] = int32(i)
	}
	dst.Append(src, list)
}

// Update sets columns of rows, by their numbers in the snapshot. A row that was
// changed or deleted before by the same statement stays as that left it.
func (s *snapshot) Update(e *fn.Env, rows []int32, sets []int, values []*vector.Column) error {
	whole := make([]*vector.Column, len(s.base.columns))
	for i, c := range s.base.columns {
		whole[i] = vector.Make(c.Type, len(rows))
		vector.Gather(whole[i], c, rows)
	}
	for i, n := range sets {
		copied := vector.Make(values[i].Type, 0)
		if err := s.keep(e, values[i], len(rows)); err != nil {
			return err
		}
		appendRows(copied, values[i], len(rows))
		whole[n] = copied
	}
	if err := checkNulls(s.shape, whole, len(rows)); err != nil {
		return err
	}
	c := change{sets: sets}
	var kept []int32
	for i, r := range rows {
		if s.deleted[r] || s.updated[r] {
			continue
		}
		if s.updated == nil {
			s.updated = map[int32]bool{}
		}
		s.updated[r] = true
		if err := s.rekey(sets, whole, r, i); err != nil {
			return err
		}
		c.rows, kept = append(c.rows, r), append(kept, int32(i))
	}
	for _, n := range sets {
		v := vector.Make(whole[n].Type, len(kept))
		vector.Gather(v, whole[n], kept)
		c.values = append(c.values, v)
	}
	s.changes = append(s.changes, c)
	return nil
}

// rekey gives a row its new key. As on the server each row is checked as it is
// changed, against the keys that the others have at that moment.
func (s *snapshot) rekey(sets []int, whole []*vector.Column, row int32, at int) error {
	if !slices.ContainsFunc(s.shape.Key, func(k int) bool { return slices.Contains(sets, k) }) {
		return nil
	}
	if s.keys == nil {
		s.keys = newKeySet(s.shape.Key, s.base)
	}
	s.keys.remove(s.base.columns, int(row))
	if s.keys.has(whole, at) {
		return (&version{columns: whole}).duplicate(s.shape, at)
	}
	s.keys.add(whole, at)
	return nil
}

// Delete removes rows, by their numbers in the snapshot.
func (s *snapshot) Delete(_ *fn.Env, rows []int32) error {
	if s.deleted == nil {
		s.deleted = map[int32]bool{}
	}
	for _, r := range rows {
		if !s.updated[r] {
			s.deleted[r] = true
		}
	}
	return nil
}

func (s *snapshot) dirty() bool { return s.rows > 0 || len(s.changes) > 0 || len(s.deleted) > 0 }

// result is the table with the changes. An updated row goes to the end, as a row
// that is deleted and inserted, which is where the server's scans find it too.
func (s *snapshot) result(e *fn.Env) (*version, error) {
	if err := s.chargeCopy(e); err != nil {
		return nil, err
	}
	kept := make([]int32, 0, s.base.rows) // not nil, which would mean all
	for r := range int32(s.base.rows) {
		if !s.deleted[r] && !s.updated[r] {
			kept = append(kept, r)
		}
	}
	out := &version{rows: len(kept) + s.rows}
	for i, c := range s.base.columns {
		n := vector.Make(c.Type, 0)
		n.Append(c, kept)
		for _, ch := range s.changes {
			s.appendChanged(n, c, i, ch)
		}
		if s.rows > 0 {
			n.Append(s.added[i], nil)
		}
		out.columns = append(out.columns, n)
	}
	for _, ch := range s.changes {
		out.rows += len(ch.rows)
	}
	return out, out.checkKey(s.shape)
}

func (s *snapshot) appendChanged(dst, old *vector.Column, column int, ch change) {
	for i, n := range ch.sets {
		if n == column {
			dst.Append(ch.values[i], nil)
			return
		}
	}
	dst.Append(old, ch.rows)
}

func (s *snapshot) chargeCopy(e *fn.Env) error {
	var n int64
	for _, c := range s.base.columns {
		n += vector.Bytes(c.Type, s.base.rows+s.rows)
	}
	if err := e.Meter.Alloc(n); err != nil {
		return err
	}
	return e.Meter.Charge(int64(s.base.rows + s.rows))
}
