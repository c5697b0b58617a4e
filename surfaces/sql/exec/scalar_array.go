package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// scalarArray is left OP ANY (array) or left OP ALL (array).
type scalarArray struct {
	boolType
	left, array expression
	compare     *call
	any         bool
	strict      bool
	hashes      bool // the operator is an equality that hashing finds

	set     *grouping     // of the elements of a constant array
	setOf   *vector.Array // the array that set is of
	hasNull bool
	found   []int32
	open    [2]rowList
}

func (s *scalarArray) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	left, err := s.left.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	array, err := s.array.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := s.out.room(x, pgcat.Bool, b.N)
	if err != nil {
		return nil, err
	}
	if array.Const {
		return out, s.against(x, left, array.Datum(0), b.N, rows, out)
	}
	for _, r := range rows {
		one := [1]int32{r}
		if err := s.against(x, left, array.Datum(int(r)), b.N, one[:], out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// against compares rows with one array.
func (s *scalarArray) against(x *run, left *vector.Column, d vector.Datum, n int, rows []int32, out *vector.Column) error {
	array, ok := d.Value.(*vector.Array)
	if !ok {
		for _, r := range rows {
			out.SetNull(int(r))
		}
		return nil
	}
	if array.Len() == 0 {
		for _, r := range rows {
			out.Bools[r] = !s.any
		}
		return nil
	}
	if s.hashes && s.any && array.Len() > 4 && len(rows) > 1 {
		return s.lookUp(x, left, array, rows, out)
	}
	return s.stepThrough(x, left, array, n, rows, out)
}

// lookUp finds the rows in a set of the elements.
func (s *scalarArray) lookUp(x *run, left *vector.Column, array *vector.Array, rows []int32, out *vector.Column) error {
	if s.setOf != array {
		if err := s.index(x, left.Type, array); err != nil {
			return err
		}
	}
	if cap(s.found) < len(rows) {
		s.found = make([]int32, vector.Size)
	}
	found := s.found[:len(rows)]
	if err := s.set.find(x, []*vector.Column{left}, rows, found); err != nil {
		return err
	}
	for k, r := range rows {
		switch {
		case left.Null(int(r)):
			out.SetNull(int(r))
		case found[k] >= 0:
			out.Bools[r] = true
		case s.hasNull:
			out.SetNull(int(r))
		default:
			out.Bools[r] = false
		}
	}
	return nil
}

func (s *scalarArray) index(x *run, t pgcat.OID, array *vector.Array) error {
	if s.set != nil {
		s.set.reset(x)
	}
	s.set, s.hasNull = newGrouping([]pgcat.OID{t}), false
	groups := make([]int32, vector.Size)
	for at := 0; at < array.Len(); at += vector.Size {
		part := array.Values.Slice(at, min(at+vector.Size, array.Len()))
		rows := identity[:part.Len]
		if part.Nulls != nil {
			rows = nil
			for i := range part.Len {
				if part.Null(i) {
					s.hasNull = true
					continue
				}
				rows = append(rows, int32(i))
			}
			if len(rows) == 0 {
				continue
			}
		}
		if err := s.set.assign(x, []*vector.Column{part}, rows, groups); err != nil {
			return err
		}
	}
	s.setOf = array
	return nil
}

// stepThrough compares with one element after the other, as long as rows are
// undecided.
func (s *scalarArray) stepThrough(x *run, left *vector.Column, array *vector.Array, n int, rows []int32, out *vector.Column) error {
	open := s.open[0].empty(len(rows))
	for _, r := range rows {
		if s.strict && left.Null(int(r)) {
			out.SetNull(int(r))
			continue
		}
		out.Bools[r] = !s.any
		open = append(open, r)
	}
	s.open[0] = open
	for i := range array.Len() {
		if len(open) == 0 {
			return nil
		}
		if s.strict && array.Values.Null(i) {
			for _, r := range open {
				out.SetNull(int(r))
			}
			continue
		}
		v, err := s.compare.apply(x, []*vector.Column{left, vector.Constant(array.At(i), n)}, n, open)
		if err != nil {
			return err
		}
		k := 0
		for _, r := range open {
			switch {
			case v.Null(int(r)):
				out.SetNull(int(r))
			case v.Bools[v.At(int(r))] == s.any:
				out.Bools[r] = s.any
				out.Nulls.Clear(int(r))
				continue
			}
			open[k] = r
			k++
		}
		open = open[:k]
	}
	return nil
}
