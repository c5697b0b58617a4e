package query

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Expr is an expression. The types that implement it are those of this package.
type Expr interface {
	Type() pgcat.OID // of the value, never polymorphic
	Typmod() int32   // the length or precision as the server encodes it; -1 is none
	Pos() int
}

// Node is what all expressions have. A node's children are never nil unless its
// comment says so.
type Node struct {
	OID pgcat.OID
	Mod int32
	At  int
}

// Type gives the type of the value.
func (n *Node) Type() pgcat.OID { return n.OID }

// Typmod gives the value's length or precision.
func (n *Node) Typmod() int32 { return n.Mod }

// Pos gives the position.
func (n *Node) Pos() int { return n.At }

// Const is a constant. Literals whose type stayed open are of type text, save at
// the top level of a sub-query that is never read.
type Const struct {
	Node
	Datum vector.Datum
}

// WholeRow as a [Column]'s attribute stands for all columns as one record.
const WholeRow = -1

// Column is a column of a relation of the query Levels above the one it stands in.
// It never refers to a relation of kind [JoinAlias]. On the nullable side of an
// outer join its value above the join may be NULL.
type Column struct {
	Node
	Levels    int
	Relation  int // in Query.Relations
	Attribute int // in Relation.Columns, or WholeRow
}

// Key stands, above the grouping, for a grouping key of the query Levels above.
// Its value is NULL in the rows of a grouping set that leaves it out.
type Key struct {
	Node
	Levels int
	Number int // in Query.Group
}

// Param is $Number. It counts from 1.
type Param struct {
	Node
	Number int
}

// Format says how a conversion came about.
type Format uint8

// The origins of a conversion.
const (
	Written  Format = iota // an operator or a call
	Explicit               // CAST or ::
	Implicit               // inserted
)

// Call calls a function: a function call, an operator, a conversion. The arguments
// are complete and in the function's order: defaults are filled in, those of a
// variadic function are gathered in an [Array]; a function that is variadic in
// "any" takes them one by one, unless Variadic says that the last one is an array
// of them.
type Call struct {
	Node
	Function *pgcat.Function
	Operator *pgcat.Operator // nil when it is not one
	Args     []Expr
	Variadic bool
	Format   Format
	// Set marks a set-returning function. In a target it gives rows.
	Set bool
}

// Relabel takes a value of one type for one of another of the same representation.
// Format says how it came about.
type Relabel struct {
	Node
	Arg    Expr
	Format Format
}

// ThroughText writes a value and reads it as another type.
type ThroughText struct {
	Node
	Arg    Expr
	Format Format
}

// ArrayCast converts each element of an array. Element computes the new one from
// a [Placeholder].
type ArrayCast struct {
	Node
	Arg, Element Expr
	Format       Format
}

// Placeholder is the value that the nearest enclosing [Case] compares, or the
// element that the nearest enclosing [ArrayCast] converts.
type Placeholder struct{ Node }

// And is true when all arguments are. There are at least two.
type And struct {
	Node
	Args []Expr
}

// Or is true when some argument is. There are at least two.
type Or struct {
	Node
	Args []Expr
}

// Not negates.
type Not struct {
	Node
	Arg Expr
}

// NullTest is IS [NOT] NULL. For a Row it asks of every field.
type NullTest struct {
	Node
	Arg Expr
	Not bool
	Row bool // the argument is a record
}

// Truth is what IS asks of a boolean.
type Truth uint8

// The questions.
const (
	IsTrue Truth = iota
	IsNotTrue
	IsFalse
	IsNotFalse
	IsUnknown
	IsNotUnknown
)

// BoolTest is IS [NOT] TRUE, FALSE or UNKNOWN.
type BoolTest struct {
	Node
	Arg  Expr
	Test Truth
}

// Case is CASE. With an Arg, which is evaluated once, the conditions refer to its
// value by a [Placeholder].
type Case struct {
	Node
	Arg   Expr // may be nil
	Whens []When
	Else  Expr
}

// When is a branch.
type When struct {
	Condition, Result Expr
	At                int
}

// Coalesce is the first argument that is not NULL.
type Coalesce struct {
	Node
	Args []Expr
}

// MinMax is GREATEST or LEAST: by the type's default order, without NULLs.
type MinMax struct {
	Node
	Greatest bool
	Args     []Expr
}

// NullIf is NULLIF: the first of the equality's operands, or NULL when it holds.
// Comparison is the equality of the operands as they are compared; Left is the
// first one, possibly converted.
type NullIf struct {
	Node
	Comparison *Call
}

// Distinct is IS [NOT] DISTINCT FROM. Comparison is the equality of the operands,
// to be called only when neither is NULL.
type Distinct struct {
	Node
	Comparison *Call
	Not        bool
}

// Array is ARRAY[…]. Where Nested, the elements are arrays of the same type as the
// whole, one dimension less.
type Array struct {
	Node
	Element  pgcat.OID
	Elements []Expr
	Nested   bool
}

// Row is ROW(…).
type Row struct {
	Node
	Fields []Expr
	Names  []string
}

// RowCompare compares rows in lexical order: <, <=, > or >=. The comparison of the
// first pair that is not equal, by Operators[i], or of the last, decides. Less
// and equal of each pair are those of the operator's family: the type's default.
type RowCompare struct {
	Node
	Operator    string
	Operators   []*pgcat.Operator
	Left, Right []Expr
}

// Subscript takes an element, or a part with Slice, of an array or jsonb. In a
// slice, a nil bound is left open.
type Subscript struct {
	Node
	Container Expr
	Lower     []Expr // of a slice
	Upper     []Expr // or the subscripts
	Slice     bool
}

// SubscriptAssign is a container with one element or slice replaced, in an UPDATE
// or INSERT.
type SubscriptAssign struct {
	Node
	Container    Expr
	Lower, Upper []Expr
	Slice        bool
	Value        Expr
}

// Field takes a field of a record, counted from 0.
type Field struct {
	Node
	Record Expr
	Number int
	Name   string
}

// ScalarArray is left OP ANY (array) or left OP ALL (array); IN with a list of
// constants is one too.
type ScalarArray struct {
	Node
	Function *pgcat.Function
	Operator *pgcat.Operator
	Any      bool
	Left     Expr
	Array    Expr
}

// SubqueryKind is what is asked of a sub-query.
type SubqueryKind uint8

// The kinds of sub-query in an expression.
const (
	Exists        SubqueryKind = iota
	Any                        // Test holds for some row
	All                        // Test holds for every row
	RowComparison              // Test of the only row, NULL when there is none
	Scalar                     // the only column of the only row
	ArrayOf                    // ARRAY(SELECT …)
)

// Subquery is a sub-query in an expression.
type Subquery struct {
	Node
	Kind  SubqueryKind
	Query *Query
	// Test, of Any, All and RowComparison, compares with the row by Output nodes;
	// the parts on the outer side are of the level where the sub-query stands.
	Test Expr
}

// Output is, in the test of a sub-query, a column of its row: the Number-th of the
// visible targets, from 0.
type Output struct {
	Node
	Number int
}

// MultiOutput is a column of the row that a sub-query gives in UPDATE … SET (a, b) =
// (SELECT …): Query.Multi[Source], visible target Number. No row gives NULLs.
type MultiOutput struct {
	Node
	Source int
	Number int
}

// Aggregate is a call of an aggregate of the query Levels above the one it stands
// in. Its arguments see the rows before the grouping.
type Aggregate struct {
	Node
	Levels   int
	Function *pgcat.Function
	Star     bool   // count(*)
	Direct   []Expr // direct arguments of an ordered-set aggregate
	Args     []Expr // aggregated arguments, converted
	Variadic bool   // the last argument is an array of a function variadic in "any"
	// Order sorts the rows within a group; its Target counts Args, after which come
	// Extra. Distinct drops equal rows of arguments, compared by DistinctOn.
	Order    []SortKey
	Extra    []Expr // sort expressions that are not arguments
	Distinct []SortKey
	Filter   Expr // may be nil
}

// WindowCall is a call of a window function or of an aggregate over a window.
type WindowCall struct {
	Node
	Function *pgcat.Function
	Star     bool
	Args     []Expr
	Variadic bool
	Filter   Expr // may be nil; of an aggregate
	Window   int  // in Query.Windows
}

// Grouping is GROUPING(…): a bit for each argument, the last one's lowest, that is
// set where the grouping set leaves the key out. Keys count Query.Group.
type Grouping struct {
	Node
	Levels int
	Args   []Expr // as written
	Keys   []int
}

// Value names what an [SQLValue] gives.
type Value uint8

// The values that have a syntax of their own.
const (
	CurrentDate Value = iota
	CurrentTime
	CurrentTimestamp
	LocalTime
	LocalTimestamp
	CurrentUser
	SessionUser
	CurrentCatalog
	CurrentSchema
)

// SQLValue is CURRENT_DATE and the like. Its typmod is the precision.
type SQLValue struct {
	Node
	Value Value
}

// JSONKind is what IS JSON asks for.
type JSONKind uint8

// The kinds of JSON.
const (
	JSONAny JSONKind = iota
	JSONObject
	JSONArray
	JSONScalar
)

// IsJSON is IS JSON. The argument is text, bytea, json or jsonb.
type IsJSON struct {
	Node
	Arg        Expr
	Kind       JSONKind
	UniqueKeys bool
}

// Default is DEFAULT in VALUES or SET, of a column that has no default; elsewhere it
// has been replaced by the default's expression.
type Default struct{ Node }
