package plan

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// Slot is a column of an operator's input.
type Slot struct {
	query.Node
	Index int
}

// Outer is a value of an enclosing row: a parameter that whoever runs the plan
// again has set.
type Outer struct {
	query.Node
	Param int
}

// Argument says what a parameter is set to, in terms of the enclosing row.
type Argument struct {
	Param int
	Expr  query.Expr
}

// Subplan is a sub-query in an expression.
type Subplan struct {
	query.Node
	Kind query.SubqueryKind
	Root Node
	Args []Argument // what it takes of the row it stands in
	// Uses lists all parameters its rows depend on, those of Args and others that
	// are set further out.
	Uses []int
	// Test, of Any, All and RowComparison, sees the enclosing row and then the
	// sub-query's columns, from slot Width on.
	Test  query.Expr
	Width int
	// Keys, of Any, are the equalities that Test is made of, when it is made of such
	// that can be looked up: Outer = Inner.
	Keys []Equality
	// Volatile says that the same arguments may give other rows.
	Volatile bool
	// Types are those of the visible columns.
	Types []pgcat.OID
}

// Equality is a pair of expressions that must be equal.
type Equality struct {
	Left, Right query.Expr // each in terms of its own side
	NullSafe    bool
}

// Node is an operator. Types are those of its columns.
type Node interface{ Types() []pgcat.OID }

// Row is what nodes have in common.
type Row struct{ Columns []pgcat.OID }

// Types gives the types of the columns.
func (r *Row) Types() []pgcat.OID { return r.Columns }

// One gives one row without columns.
type One struct{ Row }

// Scan reads columns of a table.
type Scan struct {
	Row
	Table  *query.Table
	Name   string
	Reads  []int // columns of the table
	Filter []query.Expr
}

// Values gives rows of expressions.
type Values struct {
	Row
	Rows [][]query.Expr
}

// Function gives the rows of functions, side by side.
type Function struct {
	Row
	Items      []FunctionCall
	Ordinality bool
}

// FunctionCall is one function of a [Function].
type FunctionCall struct {
	Expr    query.Expr
	Columns []pgcat.OID
	Record  bool
	// Names and Typmods are those of the columns, which a function that makes its
	// record to the call's column definition list needs.
	Names   []string
	Typmods []int32
}

// Shared is a query that several places read: a WITH query. It is run at most once
// for each setting of the parameters it uses.
type Shared struct {
	Name string
	Root Node
	Uses []int
}

// SharedScan reads a [Shared] query's rows.
type SharedScan struct {
	Row
	Of    *Shared
	Reads []int
}

// Recursive runs Step on the rows that the step before gave, from those of Base,
// until there are none. Distinct drops rows that have been before.
type Recursive struct {
	Row
	Name       string
	Base, Step Node
	Distinct   bool
}

// WorkingScan reads the rows that the last step of a recursion gave.
type WorkingScan struct {
	Row
	Of    *Recursive
	Reads []int
}

// Filter keeps the rows at which all conditions are true.
type Filter struct {
	Row
	Input      Node
	Conditions []query.Expr
}

// Project computes columns.
type Project struct {
	Row
	Input Node
	Exprs []query.Expr
}

// ProjectSet computes columns of which some are set-returning calls, at the top or
// within: a row for each of their rows.
type ProjectSet struct {
	Row
	Input Node
	Exprs []query.Expr
}

// JoinKind is how rows without a partner fare.
type JoinKind uint8

// The kinds of join.
const (
	Inner JoinKind = iota
	Left
	Full
	Semi // left rows with a partner, once
	Anti // left rows without
)

// Join pairs rows. Its expressions see the left columns and then the right ones;
// Output says which of these it gives.
type Join struct {
	Row
	Kind        JoinKind
	Left, Right Node
	Keys        []Equality
	Residual    []query.Expr
	Output      []int
	// Lateral lists what the right side takes of each left row, for which it is run
	// anew.
	Lateral []Argument
	// RightUses are the parameters, set further out, that the right side reads.
	RightUses []int
	Volatile  bool   // the right side may give other rows each time
	Name      string // "a and b"
}

// Order is a key of an order: a column, and how.
type Order struct {
	Column     int
	Descending bool
	NullsFirst bool
}

// Aggregate groups. Its columns are the keys, then for each of Groupings a bit
// mask, then the calls.
type Aggregate struct {
	Row
	Input     Node
	Keys      []query.Expr
	Sets      [][]int // nil: one set of all keys
	Dependent []bool  // keys that have one value in each group, in all sets
	Groupings [][]int // the keys of each GROUPING
	Calls     []AggregateCall
	Plain     bool // no GROUP BY: one row always
}

// AggregateCall is a call of an aggregate.
type AggregateCall struct {
	Call   *query.Aggregate
	Direct []query.Expr // in terms of the keys, as columns 0…
	Args   []query.Expr
	Extra  []query.Expr
	Filter query.Expr
}

// Window adds the results of window functions to its input's columns. All its
// calls share a partition and an order.
type Window struct {
	Row
	Input     Node
	Partition []Order
	Order     []Order
	Calls     []WindowCall
}

// WindowCall is a call over a window.
type WindowCall struct {
	Call   *query.WindowCall
	Args   []query.Expr
	Filter query.Expr
	Frame  query.Frame
	// OrderType and so on serve frames that go by value.
	Start, End query.Expr
}

// Sort sorts; equal rows keep their order. With a Limit only so many of the first
// rows are needed.
type Sort struct {
	Row
	Input Node
	By    []Order
	// First, when not nil, bounds how many rows are needed: the sum of these.
	First []query.Expr
}

// Distinct drops rows that are equal to an earlier one in some columns.
type Distinct struct {
	Row
	Input Node
	By    []int
}

// Limit takes a part of the rows.
type Limit struct {
	Row
	Input         Node
	Count, Offset query.Expr // may be nil
	Ties          []Order    // WITH TIES
}

// SetOp combines rows of two inputs of the same columns.
type SetOp struct {
	Row
	Op          query.SetOpKind
	All         bool
	Left, Right Node
}

// Modify changes a table and gives what RETURNING reads of the rows.
type Modify struct {
	Row
	Kind  query.Kind
	Table *query.Table
	Name  string
	// Input gives, for INSERT, the table's columns; for UPDATE and DELETE the row's
	// number, the old columns, then the new ones of Sets.
	Input Node
	// Sets are the columns that UPDATE changes.
	Sets []int
	// Extra is how many columns of other relations follow, for RETURNING.
	Extra int
	// Returning sees the table's row as it is now (of DELETE, as it was), then the
	// extra columns.
	Returning []query.Expr
}
