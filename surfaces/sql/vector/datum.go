package vector

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// Datum is one value with its type. Value is nil for NULL; otherwise bool, int64,
// float64, pgtype.Numeric, string, pgtype.Interval or an object, by the class of
// the type.
type Datum struct {
	Type  pgcat.OID
	Value any
}

// Null is the NULL of a type.
func Null(t pgcat.OID) Datum { return Datum{Type: t} }

// Null reports whether the value is NULL.
func (d Datum) Null() bool { return d.Value == nil }

// Datum gives the value of a row.
func (c *Column) Datum(row int) Datum {
	if c.Null(row) {
		return Datum{Type: c.Type}
	}
	i := c.At(row)
	switch c.Class {
	case ClassBool:
		return Datum{c.Type, c.Bools[i]}
	case ClassInt:
		return Datum{c.Type, c.Ints[i]}
	case ClassFloat:
		return Datum{c.Type, c.Floats[i]}
	case ClassNumeric:
		return Datum{c.Type, c.Numerics[i]}
	case ClassText:
		return Datum{c.Type, c.Texts[i]}
	case ClassInterval:
		return Datum{c.Type, c.Intervals[i]}
	}
	return Datum{c.Type, c.Objects[i]}
}

// Set puts a value, whose class must be the column's, into a row.
func (c *Column) Set(row int, d Datum) {
	if d.Value == nil {
		c.SetNull(row)
		return
	}
	c.Nulls.Clear(row)
	switch c.Class {
	case ClassBool:
		c.Bools[row] = d.Value.(bool)
	case ClassInt:
		c.Ints[row] = d.Value.(int64)
	case ClassFloat:
		c.Floats[row] = d.Value.(float64)
	case ClassNumeric:
		c.Numerics[row] = d.Value.(pgtype.Numeric)
	case ClassText:
		c.Texts[row] = d.Value.(string)
	case ClassInterval:
		c.Intervals[row] = d.Value.(pgtype.Interval)
	default:
		c.Objects[row] = d.Value
	}
}

// Size is what the value takes beside the fixed cell of its column, in bytes.
func (d Datum) Size() int64 {
	switch v := d.Value.(type) {
	case string:
		return int64(len(v))
	case Sized:
		return v.Size()
	}
	return 0
}

// Sized is an object that knows how many bytes it holds.
type Sized interface{ Size() int64 }

// Object is a value that a column stores as an object and that has an order. The
// other value is of the same type. Hash agrees for values that compare equal.
type Object interface {
	Compare(other any) int
	Hash() uint64
}
