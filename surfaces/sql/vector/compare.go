package vector

import (
	"cmp"
	"math"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// Comparator orders cell i of a column and cell j of another of the same type;
// neither is NULL. Cells, not rows: see [Column.At].
type Comparator func(a *Column, i int, b *Column, j int) int

// ComparatorOf gives the default order of a type (its btree operator class). A
// type without one is ordered by its storage, which is enough to find equal ones.
func ComparatorOf(t pgcat.OID) Comparator {
	switch t {
	case pgcat.Bpchar:
		return func(a *Column, i int, b *Column, j int) int {
			return strings.Compare(pgtype.TrimBpchar(a.Texts[i]), pgtype.TrimBpchar(b.Texts[j]))
		}
	}
	switch ClassOf(t) {
	case ClassBool:
		return func(a *Column, i int, b *Column, j int) int { return CompareBool(a.Bools[i], b.Bools[j]) }
	case ClassInt:
		return func(a *Column, i int, b *Column, j int) int { return cmp.Compare(a.Ints[i], b.Ints[j]) }
	case ClassFloat:
		return func(a *Column, i int, b *Column, j int) int { return CompareFloat(a.Floats[i], b.Floats[j]) }
	case ClassNumeric:
		return func(a *Column, i int, b *Column, j int) int {
			return pgtype.CompareNumeric(a.Numerics[i], b.Numerics[j])
		}
	case ClassText:
		return func(a *Column, i int, b *Column, j int) int { return strings.Compare(a.Texts[i], b.Texts[j]) }
	case ClassInterval:
		return func(a *Column, i int, b *Column, j int) int { return CompareInterval(a.Intervals[i], b.Intervals[j]) }
	}
	return func(a *Column, i int, b *Column, j int) int { return CompareObject(a.Objects[i], b.Objects[j]) }
}

// Compare orders rows of two columns of one type by its default order, as ORDER BY
// does: NULLs are equal and above all others.
func Compare(a *Column, i int, b *Column, j int) int {
	return compareNullable(ComparatorOf(a.Type), a, i, b, j)
}

func compareNullable(c Comparator, a *Column, i int, b *Column, j int) int {
	switch x, y := a.Null(i), b.Null(j); {
	case x && y:
		return 0
	case x:
		return 1
	case y:
		return -1
	}
	return c(a, a.At(i), b, b.At(j))
}

// Equal reports whether rows of two columns of one type are the same for
// grouping, where NULLs are equal.
func Equal(a *Column, i int, b *Column, j int) bool { return Compare(a, i, b, j) == 0 }

// CompareDatum is [Compare] for single values.
func CompareDatum(a, b Datum) int {
	switch {
	case a.Value == nil && b.Value == nil:
		return 0
	case a.Value == nil:
		return 1
	case b.Value == nil:
		return -1
	}
	switch x := a.Value.(type) {
	case bool:
		return CompareBool(x, b.Value.(bool))
	case int64:
		return cmp.Compare(x, b.Value.(int64))
	case float64:
		return CompareFloat(x, b.Value.(float64))
	case pgtype.Numeric:
		return pgtype.CompareNumeric(x, b.Value.(pgtype.Numeric))
	case string:
		if a.Type == pgcat.Bpchar {
			return strings.Compare(pgtype.TrimBpchar(x), pgtype.TrimBpchar(b.Value.(string)))
		}
		return strings.Compare(x, b.Value.(string))
	case pgtype.Interval:
		return CompareInterval(x, b.Value.(pgtype.Interval))
	}
	return CompareObject(a.Value, b.Value)
}

// CompareBool orders false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// CompareFloat orders floats as the server does: NaN equals itself and is above
// all, the zeros are equal.
func CompareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return CompareBool(math.IsNaN(a), math.IsNaN(b))
}

// CompareInterval orders spans by their length (interval_cmp).
func CompareInterval(a, b pgtype.Interval) int { return pgtype.CompareInterval(a, b) }

// CompareObject orders two objects of one type.
func CompareObject(a, b any) int {
	switch x := a.(type) {
	case Object:
		return x.Compare(b)
	case pgtype.Timetz:
		return compareTimetz(x, b.(pgtype.Timetz))
	}
	return 0
}

// compareTimetz orders by the instant, then by the zone (timetz_cmp).
func compareTimetz(a, b pgtype.Timetz) int {
	if c := cmp.Compare(a.Micros+int64(a.Zone)*1_000_000, b.Micros+int64(b.Zone)*1_000_000); c != 0 {
		return c
	}
	return cmp.Compare(a.Zone, b.Zone)
}
