//go:build cgo

package analyze

import (
	"strconv"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// typeText prints a type with its length or precision, as the server's format_type
// does.
func (a *analyzer) typeText(t pgcat.OID, mod int32) string { return TypeText(t, mod) }

// ColumnType names the type of a result's expression as the server does, without a
// length. The row of a table is of the table's own type there.
func ColumnType(q *query.Query, e query.Expr) string {
	if c, ok := e.(*query.Column); ok && c.Attribute == query.WholeRow && c.Levels == 0 {
		if r := q.Relations[c.Relation]; r.Kind == query.BaseTable {
			return r.Table.Name
		}
	}
	return pgcat.Default().FormatType(e.Type())
}

// TypeText prints a type with its length or precision, as the server's format_type
// does: character varying(10), numeric(8,2), timestamp(3) without time zone.
func TypeText(t pgcat.OID, mod int32) string {
	cat := pgcat.Default()
	if e := cat.ElementOf(t); e != 0 {
		return TypeText(e, mod) + "[]"
	}
	if mod < 0 {
		return cat.FormatType(t)
	}
	n := func(v int32) string { return "(" + strconv.Itoa(int(v)) + ")" }
	switch t {
	case pgcat.Varchar:
		return "character varying" + n(mod-varHeader)
	case pgcat.Bpchar:
		return "character" + n(mod-varHeader)
	case pgcat.Bit:
		return "bit" + n(mod)
	case pgcat.Varbit:
		return "bit varying" + n(mod)
	case pgcat.Numeric:
		m := mod - varHeader
		return "numeric(" + strconv.Itoa(int(m>>16&0xFFFF)) + "," + strconv.Itoa(int((m&0x7FF^1024)-1024)) + ")"
	case pgcat.Timestamp:
		return "timestamp" + n(mod) + " without time zone"
	case pgcat.Timestamptz:
		return "timestamp" + n(mod) + " with time zone"
	case pgcat.Time:
		return "time" + n(mod) + " without time zone"
	case pgcat.Timetz:
		return "time" + n(mod) + " with time zone"
	case pgcat.Interval:
		return intervalText(mod)
	}
	return cat.FormatType(t)
}

// The fields of an interval that a modifier names, as bits.
const (
	monthBit  = 1 << 1
	yearBit   = 1 << 2
	dayBit    = 1 << 3
	hourBit   = 1 << 10
	minuteBit = 1 << 11
	secondBit = 1 << 12
)

var intervalFields = map[int32]string{
	yearBit: " year", monthBit: " month", dayBit: " day", hourBit: " hour", minuteBit: " minute", secondBit: " second",
	yearBit | monthBit: " year to month", dayBit | hourBit: " day to hour", dayBit | hourBit | minuteBit: " day to minute",
	dayBit | hourBit | minuteBit | secondBit: " day to second", hourBit | minuteBit: " hour to minute",
	hourBit | minuteBit | secondBit: " hour to second", minuteBit | secondBit: " minute to second",
}

func intervalText(mod int32) string {
	out := "interval" + intervalFields[mod>>16&fullRange]
	if digits := mod & fullPrecision; digits != fullPrecision {
		out += "(" + strconv.Itoa(int(digits)) + ")"
	}
	return out
}
