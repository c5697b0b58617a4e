package vector

import (
	"cmp"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// Array is an array of any element type: its elements in row-major order. An
// empty array has no dimensions. It is immutable.
type Array struct {
	Element    pgcat.OID
	Dimensions []pgtype.Dimension
	Values     *Column // never constant; may be nil when the array is empty
}

// NewArray makes an array of one dimension, from 1, that takes over the column.
func NewArray(element pgcat.OID, values *Column) *Array {
	a := &Array{Element: element, Values: values}
	if values != nil && values.Len > 0 {
		a.Dimensions = []pgtype.Dimension{{Lower: 1, Length: values.Len}}
	}
	return a
}

// ArrayOf makes an array of one dimension of values that are all of a type.
func ArrayOf(element pgcat.OID, values []Datum) *Array {
	c := Make(element, len(values))
	for i, v := range values {
		c.Set(i, v)
	}
	return NewArray(element, c)
}

// Len counts the elements.
func (a *Array) Len() int {
	if a.Values == nil {
		return 0
	}
	return a.Values.Len
}

// At gives the i-th element, from 0, in row-major order.
func (a *Array) At(i int) Datum { return a.Values.Datum(i) }

// Size is what the array holds, in bytes.
func (a *Array) Size() int64 {
	if a.Values == nil {
		return 64
	}
	return 64 + a.Values.Held()
}

// Compare orders arrays: by the elements, NULLs last and equal, then by their
// number, then by the dimensions (array_cmp).
func (a *Array) Compare(other any) int {
	b := other.(*Array)
	if a.Len() > 0 && b.Len() > 0 {
		compare := ComparatorOf(a.Element)
		for i := range min(a.Len(), b.Len()) {
			if c := compareNullable(compare, a.Values, i, b.Values, i); c != 0 {
				return c
			}
		}
	}
	if c := cmp.Compare(a.Len(), b.Len()); c != 0 {
		return c
	}
	return compareDimensions(a.Dimensions, b.Dimensions)
}

func compareDimensions(a, b []pgtype.Dimension) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	for i := range a {
		if c := cmp.Compare(a[i].Length, b[i].Length); c != 0 {
			return c
		}
	}
	for i := range a {
		if c := cmp.Compare(a[i].Lower, b[i].Lower); c != 0 {
			return c
		}
	}
	return 0
}

// Hash hashes the elements.
func (a *Array) Hash() uint64 {
	if a.Len() == 0 {
		return 1
	}
	h := uint64(a.Len())
	for i := range a.Len() {
		h = mix(h ^ HashRow(a.Values, i))
	}
	return h
}

// Record is a row value: of ROW(…), of a table's row, of a function with several
// results. It is immutable.
type Record struct {
	Fields []Datum
	Names  []string // of the fields, where they have some
}

// Size is what the record holds, in bytes.
func (r *Record) Size() int64 {
	n := int64(64)
	for _, f := range r.Fields {
		n += 32 + f.Size()
	}
	return n
}

// Compare orders records by their fields; NULLs are last and equal (record_cmp).
// Fields of different classes are compared by their position's class only; who
// compares records of unknown make calls [Dissimilar] first.
func (r *Record) Compare(other any) int {
	s := other.(*Record)
	for i := range min(len(r.Fields), len(s.Fields)) {
		if c := CompareDatum(r.Fields[i], s.Fields[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(r.Fields), len(s.Fields))
}

// Hash hashes the fields.
func (r *Record) Hash() uint64 {
	h := uint64(len(r.Fields))
	for _, f := range r.Fields {
		h = mix(h ^ HashDatum(f))
	}
	return h
}
