package query

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
)

// Kind is what a statement does.
type Kind uint8

// The kinds of statement.
const (
	Select Kind = iota // VALUES and TABLE too
	Insert
	Update
	Delete
)

// Query is a statement or a sub-query. The order of evaluation is that of SQL: From,
// Where, Group, Having, Windows, Targets, Distinct, Order, Offset and Limit.
//
// In Having, Windows, Targets and Order of a grouped query all that stands above
// the grouping refers to it by [Key] and [Aggregate] nodes alone.
type Query struct {
	Kind      Kind
	CTEs      []*CTE
	Recursive bool // WITH RECURSIVE

	Relations []*Relation
	From      []From // joined as by CROSS JOIN; empty: one row
	Where     Expr   // may be nil

	// Targets are the columns of the result, in their order, and after them the
	// hidden expressions that Group, Order, Distinct and Windows refer to.
	Targets []Target

	// Group holds the keys. Grouped says that there is a grouping, with keys or
	// without: one row for each group, for no keys just one. Sets, when not nil, are
	// the grouping sets, expanded, each a list of keys by number; GroupDistinct has
	// removed equal ones.
	Grouped bool
	Group   []GroupKey
	Sets    [][]int
	Having  Expr // may be nil

	Windows []Window

	// Distinct lists the targets that rows must differ in, in the order in which
	// DISTINCT ON takes the first row; nil when there is no DISTINCT.
	Distinct   []SortKey
	DistinctOn bool
	Order      []SortKey

	Limit, Offset Expr // bigint; may be nil; a NULL value is none
	WithTies      bool

	// SetOp, when not nil, takes the place of From…Having: the targets refer to
	// relation 0's columns, which are those of the tree.
	SetOp *SetOp

	// Result, of INSERT, UPDATE and DELETE, is the relation that is changed.
	Result int
	// Multi holds the sub-queries of UPDATE … SET (…) = (SELECT …).
	Multi []*Query
	// Given, of INSERT, lists the columns that the statement names, or would
	// without a list, in order.
	Given     []int
	Returning []Target

	// Into, when not nil, is the table that CREATE TABLE … AS makes of the rows.
	Into *Into

	HasSets     bool // a target has a set-returning function
	HasWindows  bool
	HasModifier bool // a WITH query changes rows
	At          int
}

// Into names a table to be made of a query's rows.
type Into struct {
	Schema, Name string
	Columns      []string // names for the first columns
	Temporary    bool
	IfNotExists  bool
	WithData     bool
}

// Target is a column of the result, or of the row that INSERT and UPDATE write.
type Target struct {
	Expr      Expr
	Name      string
	Hidden    bool
	Attribute int // of INSERT and UPDATE: the column of the table; -1 otherwise
	// Source is the table and column that a plain column target comes from; the
	// zero value when it is not one.
	Table  *Table
	Column int
}

// GroupKey is an expression to group by, in terms of the rows before the grouping.
type GroupKey struct {
	Expr  Expr
	Equal pgcat.OID // the operator
	// Dependent marks a column that is not written in GROUP BY and depends on
	// those that are, being of a table whose key is among them: it has one value
	// in each group, in all sets.
	Dependent bool
}

// SortKey is a key of an order.
type SortKey struct {
	Target     int // in Query.Targets; elsewhere as the holder says
	Descending bool
	NullsFirst bool
	Operator   pgcat.OID // sorts: < or >, or what USING named
	Equal      pgcat.OID
}

// Visible counts the targets that are not hidden. They are the first ones.
func (q *Query) Visible() int {
	n := 0
	for _, t := range q.Outputs() {
		if !t.Hidden {
			n++
		}
	}
	return n
}

// Outputs gives the columns that a statement returns: its targets, or those of
// RETURNING.
func (q *Query) Outputs() []Target {
	if q.Kind != Select {
		return q.Returning
	}
	return q.Targets
}

// CTE is a WITH query.
type CTE struct {
	Name         string
	Query        *Query
	Columns      []ResultColumn
	Recursive    bool // it refers to itself: its query is a SetOp of UNION
	Materialized Materialization
	References   int
	At           int
}

// Materialization is what WITH asks of a query.
type Materialization uint8

// The demands.
const (
	Either Materialization = iota
	Always
	Never
)

// ResultColumn is a column of a relation.
type ResultColumn struct {
	Name string
	Type pgcat.OID
	Mod  int32
}

// Window is a window definition, complete.
type Window struct {
	Name      string // "" when it has none
	Partition []SortKey
	Order     []SortKey // Target counts Query.Targets, in both
	Frame     Frame
}

// FrameUnit is what a frame counts.
type FrameUnit uint8

// The units of a frame.
const (
	Range FrameUnit = iota
	Rows
	Groups
)

// BoundKind is where a frame begins or ends.
type BoundKind uint8

// The bounds, in their order.
const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// Bound is an end of a frame. Offset, of Preceding and Following, is bigint for
// Rows and Groups; for Range it is of the type that InRange takes.
type Bound struct {
	Kind   BoundKind
	Offset Expr
	// InRange is the function in_range(value, base, offset, sub, less) of Range.
	InRange *pgcat.Function
}

// Exclusion is what a frame leaves out.
type Exclusion uint8

// The exclusions.
const (
	ExcludeNone Exclusion = iota
	ExcludeCurrent
	ExcludeGroup
	ExcludeTies
)

// Frame is the rows of a partition that a window function sees.
type Frame struct {
	Unit       FrameUnit
	Start, End Bound
	Exclude    Exclusion
	Default    bool // none was written
}
