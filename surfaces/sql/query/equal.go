package query

import (
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Equal reports whether two expressions are written the same, whatever their
// positions: the rule by which the server takes an expression for a grouping key.
func Equal(a, b Expr) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if a == b {
		return true
	}
	return a.Type() == b.Type() && a.Typmod() == b.Typmod() && same(a, b) && equalLists(Children(a), Children(b))
}

func equalLists(a, b []Expr) bool { return slices.EqualFunc(a, b, Equal) }

// same compares what two nodes have beside types and children.
func same(a, b Expr) bool {
	switch x := a.(type) {
	case *Const:
		y, ok := b.(*Const)
		return ok && sameDatum(x.Datum, y.Datum)
	case *Column:
		y, ok := b.(*Column)
		return ok && x.Levels == y.Levels && x.Relation == y.Relation && x.Attribute == y.Attribute
	case *Key:
		y, ok := b.(*Key)
		return ok && x.Levels == y.Levels && x.Number == y.Number
	case *Param:
		y, ok := b.(*Param)
		return ok && x.Number == y.Number
	case *Call:
		y, ok := b.(*Call)
		return ok && x.Function == y.Function && x.Operator == y.Operator && x.Variadic == y.Variadic
	case *Relabel:
		_, ok := b.(*Relabel)
		return ok
	case *ThroughText:
		_, ok := b.(*ThroughText)
		return ok
	case *ArrayCast:
		_, ok := b.(*ArrayCast)
		return ok
	case *Placeholder:
		_, ok := b.(*Placeholder)
		return ok
	case *And:
		_, ok := b.(*And)
		return ok
	case *Or:
		_, ok := b.(*Or)
		return ok
	case *Not:
		_, ok := b.(*Not)
		return ok
	case *NullTest:
		y, ok := b.(*NullTest)
		return ok && x.Not == y.Not
	case *BoolTest:
		y, ok := b.(*BoolTest)
		return ok && x.Test == y.Test
	case *Case:
		y, ok := b.(*Case)
		return ok && (x.Arg == nil) == (y.Arg == nil) && len(x.Whens) == len(y.Whens)
	case *Coalesce:
		_, ok := b.(*Coalesce)
		return ok
	case *MinMax:
		y, ok := b.(*MinMax)
		return ok && x.Greatest == y.Greatest
	}
	return sameRare(a, b)
}

func sameRare(a, b Expr) bool {
	switch x := a.(type) {
	case *NullIf:
		y, ok := b.(*NullIf)
		return ok && x.Comparison.Function == y.Comparison.Function
	case *Distinct:
		y, ok := b.(*Distinct)
		return ok && x.Not == y.Not && x.Comparison.Function == y.Comparison.Function
	case *Array:
		y, ok := b.(*Array)
		return ok && x.Nested == y.Nested
	case *Row:
		_, ok := b.(*Row)
		return ok
	case *RowCompare:
		y, ok := b.(*RowCompare)
		return ok && x.Operator == y.Operator && slices.Equal(x.Operators, y.Operators)
	case *Subscript:
		y, ok := b.(*Subscript)
		return ok && x.Slice == y.Slice && sameShape(x.Lower, y.Lower) && sameShape(x.Upper, y.Upper)
	case *SubscriptAssign:
		y, ok := b.(*SubscriptAssign)
		return ok && x.Slice == y.Slice && sameShape(x.Lower, y.Lower) && sameShape(x.Upper, y.Upper)
	case *Field:
		y, ok := b.(*Field)
		return ok && x.Number == y.Number
	case *ScalarArray:
		y, ok := b.(*ScalarArray)
		return ok && x.Function == y.Function && x.Any == y.Any
	case *Output:
		y, ok := b.(*Output)
		return ok && x.Number == y.Number
	case *Aggregate:
		y, ok := b.(*Aggregate)
		return ok && x.sameCall(y)
	case *WindowCall:
		y, ok := b.(*WindowCall)
		return ok && x.Function == y.Function && x.Star == y.Star && x.Window == y.Window && (x.Filter == nil) == (y.Filter == nil)
	case *Grouping:
		y, ok := b.(*Grouping)
		return ok && x.Levels == y.Levels && slices.Equal(x.Keys, y.Keys)
	case *SQLValue:
		y, ok := b.(*SQLValue)
		return ok && x.Value == y.Value
	case *Subquery:
		y, ok := b.(*Subquery)
		return ok && x.Kind == y.Kind && sameQuery(x.Query, y.Query)
	case *IsJSON:
		y, ok := b.(*IsJSON)
		return ok && x.Kind == y.Kind && x.UniqueKeys == y.UniqueKeys
	}
	return false
}

func (x *Aggregate) sameCall(y *Aggregate) bool {
	return x.Levels == y.Levels && x.Function == y.Function && x.Star == y.Star && x.Variadic == y.Variadic &&
		len(x.Direct) == len(y.Direct) && len(x.Args) == len(y.Args) && (x.Filter == nil) == (y.Filter == nil) &&
		slices.Equal(x.Order, y.Order) && slices.Equal(x.Distinct, y.Distinct)
}

func sameShape(a, b []Expr) bool {
	return slices.EqualFunc(a, b, func(x, y Expr) bool { return (x == nil) == (y == nil) })
}

func sameDatum(a, b vector.Datum) bool {
	if a.Null() || b.Null() {
		return a.Null() && b.Null()
	}
	if x, ok := a.Value.(pgtype.Numeric); ok {
		y, both := b.Value.(pgtype.Numeric)
		return both && x.Scale() == y.Scale() && pgtype.CompareNumeric(x, y) == 0 // 1.0 is not 1.00
	}
	return a.Type == b.Type && vector.CompareDatum(a, b) == 0
}
