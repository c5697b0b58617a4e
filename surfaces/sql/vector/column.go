package vector

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// Size is how many rows a batch holds at most.
const Size = 2048

// Column is a vector of values of one type. The cells are in the slice of the
// column's class, the others are nil:
//
//	Bools      bool
//	Ints       int2, int4, int8, oid and its kin, "char" (0 to 255), date (days since 2000-01-01),
//	           time (microseconds since midnight), timestamp and timestamptz (microseconds since
//	           2000-01-01 UTC; the extreme values are the infinities)
//	Floats     float4 (rounded to 32 bits), float8
//	Numerics   numeric
//	Texts      text, varchar, bpchar (with its blanks), name, unknown, cstring, json (as written),
//	           bytea (its bytes), uuid (16 bytes), bit and varbit (as the characters 0 and 1), void
//	Intervals  interval
//	Objects    *Array, *Record, and what else implements [Object]; objects are immutable
//
// The cell of a NULL holds the zero value or rubbish; nothing may depend on it.
type Column struct {
	Type  pgcat.OID
	Class Class
	Len   int
	Const bool // the first cell stands for all rows
	Nulls Bitmap

	Bools     []bool
	Ints      []int64
	Floats    []float64
	Numerics  []pgtype.Numeric
	Texts     []string
	Intervals []pgtype.Interval
	Objects   []any
}

// Make makes a column of n zero cells. The caller has charged [Bytes].
func Make(t pgcat.OID, n int) *Column {
	c := &Column{Type: t, Class: ClassOf(t)}
	c.Resize(n)
	return c
}

// Resize gives the column n cells, none of them NULL, whose values are undefined
// where they were set before. It allocates only when there is no room.
func (c *Column) Resize(n int) {
	c.Len = n
	c.Const = false
	c.Nulls = nil
	switch c.Class {
	case ClassBool:
		c.Bools = room(c.Bools, n)
	case ClassInt:
		c.Ints = room(c.Ints, n)
	case ClassFloat:
		c.Floats = room(c.Floats, n)
	case ClassNumeric:
		c.Numerics = room(c.Numerics, n)
	case ClassText:
		c.Texts = room(c.Texts, n)
	case ClassInterval:
		c.Intervals = room(c.Intervals, n)
	default:
		c.Objects = room(c.Objects, n)
	}
}

func room[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n)
}

// Constant makes a column of n rows that all have one value.
func Constant(d Datum, n int) *Column {
	c := Make(d.Type, 1)
	c.Set(0, d)
	c.Const, c.Len = true, n
	return c
}

// At gives the cell of a row.
func (c *Column) At(row int) int {
	if c.Const {
		return 0
	}
	return row
}

// Null reports whether a row is NULL.
func (c *Column) Null(row int) bool { return c.Nulls != nil && c.Nulls.Has(c.At(row)) }

// SetNull makes a row NULL. The column must not be constant, save for row 0.
func (c *Column) SetNull(row int) {
	if c.Nulls == nil {
		c.Nulls = NewBitmap(c.cells())
	}
	c.Nulls.Set(row)
}

// cells counts the stored cells.
func (c *Column) cells() int {
	if c.Const {
		return 1
	}
	return c.Len
}

// Slice gives the rows from..to as a column that shares the cells. from must be a
// multiple of 64.
func (c *Column) Slice(from, to int) *Column {
	s := &Column{}
	c.SliceInto(s, from, to)
	return s
}

// SliceInto is [Column.Slice] into a column that is there.
func (c *Column) SliceInto(s *Column, from, to int) {
	*s = *c
	s.Len = to - from
	if c.Const {
		return
	}
	if c.Nulls != nil {
		s.Nulls = c.Nulls[from>>6 : (to+63)>>6]
	}
	switch c.Class {
	case ClassBool:
		s.Bools = c.Bools[from:to:to]
	case ClassInt:
		s.Ints = c.Ints[from:to:to]
	case ClassFloat:
		s.Floats = c.Floats[from:to:to]
	case ClassNumeric:
		s.Numerics = c.Numerics[from:to:to]
	case ClassText:
		s.Texts = c.Texts[from:to:to]
	case ClassInterval:
		s.Intervals = c.Intervals[from:to:to]
	default:
		s.Objects = c.Objects[from:to:to]
	}
}

// Batch is up to [Size] rows.
type Batch struct {
	N       int // rows in each column
	Columns []*Column
	Rows    []int32 // the rows that count, ascending; nil for all
}

// Count is how many rows count.
func (b *Batch) Count() int {
	if b.Rows != nil {
		return len(b.Rows)
	}
	return b.N
}
