package query

import "github.com/polyglove/polyglove/surfaces/sql/pgcat"

// RelationKind is where a relation's rows come from.
type RelationKind uint8

// The kinds of relation.
const (
	BaseTable RelationKind = iota
	SubqueryRelation
	FunctionRelation
	ValuesRelation
	CTERelation
	JoinAlias   // a join; only names refer to it, no Column does
	SetRelation // the result of Query.SetOp
)

// Relation is an entry of a query's range table.
type Relation struct {
	Kind    RelationKind
	Name    string // by which it is known: the alias, or its own name
	Alias   bool   // the name was written as an alias
	Columns []ResultColumn
	Lateral bool // a sub-query or function that may refer to relations on its left
	At      int

	Table    *Table // of a base table
	Query    *Query // of a sub-query
	Rows     [][]Expr
	Function *FunctionSource

	// CTE is the WITH query of a CTERelation: Query.CTEs[CTE] of the query CTELevels
	// above. Self marks the reference of a recursive query to itself.
	CTE       int
	CTELevels int
	Self      bool

	// Joined, of a JoinAlias, holds for each column what it stands for.
	Joined []Expr
}

// FunctionSource is a function in FROM, or several side by side: ROWS FROM. A
// shorter one is filled up with NULLs.
type FunctionSource struct {
	Calls []FunctionItem
	// Ordinality adds a last column that counts the rows, from 1.
	Ordinality bool
}

// FunctionItem is one call, whose result makes Columns of the relation's columns.
type FunctionItem struct {
	Call    Expr // a Call with Set or without; another expression gives one row
	Columns int
	// Record says that the result is a record, whose fields are the columns;
	// otherwise the result is the only column.
	Record bool
	// Defined says that the columns were defined by AS (name type, …).
	Defined bool
}

// From is an item of FROM: *RelationRef or *Join.
type From interface{ item() }

// RelationRef is a relation.
type RelationRef struct{ Relation int }

// JoinKind is how rows without a partner fare.
type JoinKind uint8

// The kinds of join.
const (
	Inner JoinKind = iota // CROSS JOIN too, whose On is nil
	Left
	Right
	Full
)

// Join joins two items. Its Relation is the JoinAlias that holds its names.
type Join struct {
	Kind        JoinKind
	Left, Right From
	On          Expr     // may be nil: true
	Using       []string // of USING and NATURAL; On holds their comparison
	Natural     bool
	Relation    int
	At          int
}

func (*RelationRef) item() {}
func (*Join) item()        {}

// SetOpKind is an operation on sets of rows.
type SetOpKind uint8

// The operations.
const (
	Union SetOpKind = iota
	Intersect
	Except
)

// SetOp is a tree of operations on sets of rows. A leaf has a Query, an inner node
// its two sides.
type SetOp struct {
	Op          SetOpKind
	All         bool
	Left, Right *SetOp
	Keys        []SortKey // how rows are compared, unless UNION ALL; Target counts columns

	Query *Query

	// Columns are the node's own: of a leaf its query's visible targets.
	Columns []ResultColumn
	// Convert, when not nil, computes from the node's row, by Output nodes, the row
	// that the node above takes, with the types of that one's columns.
	Convert []Expr
}

// Table is a table as statements see it. It is immutable.
type Table struct {
	Schema  string
	Name    string
	Columns []TableColumn
	// Key lists the columns of the primary key, on which all others depend.
	Key []int
	// Source is the host's; the executor finds the rows by it.
	Source any
}

// TableColumn is a column of a table.
type TableColumn struct {
	Name    string
	Type    pgcat.OID
	Mod     int32
	NotNull bool
	// Default is the expression for a column that INSERT leaves out, of the column's
	// type and without columns; nil is NULL.
	Default Expr
	// Generated columns cannot be written.
	Generated bool
}

// Column finds a column by its name, or gives -1.
func (t *Table) Column(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}
