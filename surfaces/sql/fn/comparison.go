package fn

import (
	"cmp"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// comparison is one of the six operators, by what it makes of an order.
type comparison uint8

const (
	equal comparison = iota
	unequal
	less
	lessEqual
	greater
	greaterEqual
)

// comparisonNames are what the C functions' names hold.
var comparisonNames = [...]string{equal: "eq", unequal: "ne", less: "lt", lessEqual: "le", greater: "gt", greaterEqual: "ge"}

func (c comparison) holds(order int) bool {
	switch c {
	case equal:
		return order == 0
	case unequal:
		return order != 0
	case less:
		return order < 0
	case lessEqual:
		return order <= 0
	case greater:
		return order > 0
	}
	return order >= 0
}

func comparisonKernels() map[string]Kernel {
	all := map[string]Kernel{}
	for i, end := range comparisonNames {
		op := comparison(i)
		for _, name := range []string{
			"int2", "int4", "int8", "int24", "int42", "int28", "int82", "int48", "int84", "oid", "char",
			"date_", "time_", "timestamp_", "cash_", "xid8",
		} {
			all[name+end] = compareOrdered[int64](op)
		}
		for _, name := range []string{"float4", "float8", "float48", "float84"} {
			all[name+end] = compareBy(op, vector.CompareFloat)
		}
		for _, name := range []string{"name", "bytea", "uuid_", "bit"} {
			all[name+end] = compareOrdered[string](op)
		}
		all["name"+end+"text"], all["text"+end+"name"] = compareOrdered[string](op), compareOrdered[string](op)
		all[textName(op)] = compareOrdered[string](op)
		all["bpchar"+end] = compareBy(op, compareBpchar)
		all["bool"+end] = compareBy(op, vector.CompareBool)
		all["numeric_"+end] = compareBy(op, pgtype.CompareNumeric)
		all["interval_"+end] = compareBy(op, vector.CompareInterval)
		all["timetz_"+end] = compareBy(op, vector.CompareObject)
		all["array_"+end] = compareChecked(op, arraysCompare)
		all["record_"+end] = compareChecked(op, recordsCompare)
	}
	all["xideq"], all["xidneq"] = compareOrdered[int64](equal), compareOrdered[int64](unequal)
	return all
}

// textName is the name of a C function for text: texteq, but text_lt.
func textName(op comparison) string {
	if op == equal || op == unequal {
		return "text" + comparisonNames[op]
	}
	return "text_" + comparisonNames[op]
}

func compareBpchar(a, b string) int {
	return strings.Compare(pgtype.TrimBpchar(a), pgtype.TrimBpchar(b))
}

// compareOrdered compares as Go does.
func compareOrdered[T cmp.Ordered](op comparison) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, b := read[T](args[0]), read[T](args[1])
		compareLoop(op, &a, &b, rows, out.Bools)
		return nil
	}
}

func compareLoop[T cmp.Ordered](op comparison, a, b *reader[T], rows []int32, out []bool) {
	x, y, xm, ym := a.cells, b.cells, a.mask, b.mask
	switch op {
	case equal:
		for _, r := range rows {
			out[r] = x[r&xm] == y[r&ym]
		}
	case unequal:
		for _, r := range rows {
			out[r] = x[r&xm] != y[r&ym]
		}
	case less:
		for _, r := range rows {
			out[r] = x[r&xm] < y[r&ym]
		}
	case lessEqual:
		for _, r := range rows {
			out[r] = x[r&xm] <= y[r&ym]
		}
	case greater:
		for _, r := range rows {
			out[r] = x[r&xm] > y[r&ym]
		}
	default:
		for _, r := range rows {
			out[r] = x[r&xm] >= y[r&ym]
		}
	}
}

// compareBy compares by an order.
func compareBy[T any](op comparison, order func(a, b T) int) Kernel {
	return func(e *Env, args []*vector.Column, rows []int32, out *vector.Column) error {
		if err := tick(e, rows); err != nil {
			return err
		}
		a, b := read[T](args[0]), read[T](args[1])
		for _, r := range rows {
			out.Bools[r] = op.holds(order(a.at(r), b.at(r)))
		}
		return nil
	}
}

// compareChecked compares objects that may turn out not to be comparable.
func compareChecked(op comparison, order func(op comparison, a, b any) (int, *pgerr.Error)) Kernel {
	return Binary(func(e *Env, a, b any) (bool, *pgerr.Error) {
		if err := e.Charge(weigh(a)); err != nil {
			return false, err
		}
		c, err := order(op, a, b)
		return op.holds(c), err
	})
}

// weigh is the work of comparing an object, in units.
func weigh(v any) int64 {
	if s, ok := v.(vector.Sized); ok {
		return s.Size() / 32
	}
	return 1
}

func arraysCompare(op comparison, a, b any) (int, *pgerr.Error) {
	x, y := a.(*vector.Array), b.(*vector.Array)
	if err := vector.Comparable(op <= unequal, x.Element); err != nil {
		return 0, err
	}
	if x.Element != y.Element {
		return 0, pgerr.New(pgerr.DatatypeMismatch, "cannot compare arrays of different element types")
	}
	return x.Compare(y), nil
}

func recordsCompare(op comparison, a, b any) (int, *pgerr.Error) {
	x, y := a.(*vector.Record), b.(*vector.Record)
	return vector.CompareRecords(op <= unequal, x, y)
}
