package vector

import "github.com/polyglove/polyglove/surfaces/sql/pgcat"

// Class is how the cells of a column are stored.
type Class uint8

// The classes of storage. See [Column] for what each holds.
const (
	ClassObject Class = iota
	ClassBool
	ClassInt
	ClassFloat
	ClassNumeric
	ClassText
	ClassInterval
)

// The types that are known by number here and have no name in pgcat.
const (
	tid      pgcat.OID = 27
	xid      pgcat.OID = 28
	cid      pgcat.OID = 29
	regproc  pgcat.OID = 24
	regclass pgcat.OID = 2205
	regtype  pgcat.OID = 2206
	money    pgcat.OID = 790
	xid8     pgcat.OID = 5069
)

// ClassOf gives the storage of a type. Arrays, records, ranges, jsonb, timetz and
// all types without a storage of their own are objects.
func ClassOf(t pgcat.OID) Class {
	switch t {
	case pgcat.Bool:
		return ClassBool
	case pgcat.Int2, pgcat.Int4, pgcat.Int8, pgcat.OIDType, pgcat.Char, pgcat.Date, pgcat.Time, pgcat.Timestamp, pgcat.Timestamptz,
		tid, xid, cid, xid8, money, regproc, regclass, regtype, 2202, 2203, 2204, 3734, 3769, 4089, 4096, 4191:
		return ClassInt
	case pgcat.Float4, pgcat.Float8:
		return ClassFloat
	case pgcat.Numeric:
		return ClassNumeric
	case pgcat.Text, pgcat.Varchar, pgcat.Bpchar, pgcat.Name, pgcat.Unknown, pgcat.Cstring, pgcat.JSON, pgcat.Bytea, pgcat.UUID,
		pgcat.Bit, pgcat.Varbit, pgcat.Void:
		return ClassText
	case pgcat.Interval:
		return ClassInterval
	}
	return ClassObject
}

// width is what a cell of a class takes in its column, in bytes.
func (c Class) width() int64 {
	switch c {
	case ClassBool:
		return 1
	case ClassInt, ClassFloat:
		return 8
	case ClassNumeric:
		return 24
	}
	return 16
}

// Bytes is what a column of n cells of a type takes, without what its texts and
// objects hold: what is to be charged before [Make].
func Bytes(t pgcat.OID, n int) int64 { return ClassOf(t).width()*int64(n) + int64(n)/8 + columnBytes }

// columnBytes is the fixed part of a column.
const columnBytes = 256
