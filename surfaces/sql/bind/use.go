package bind

import "github.com/polyglove/polyglove/surfaces/sql/query"

// Use is one occurrence of a table in a statement.
type Use struct {
	Query    *query.Query // in whose Relations it stands
	Index    int
	Relation *query.Relation
	Table    *query.Table
	// Columns tells which columns the statement reads.
	Columns []bool
	// Conditions hold for every row of the use that can reach the result.
	Conditions []Condition

	// parents are the queries around, the nearest first.
	parents []*query.Query
}

// Form is how a condition fixes a column.
type Form uint8

// The forms of a condition.
const (
	Values   Form = iota // to one of some values that no row decides
	Elements             // to an element of an array that no row decides
	Rows                 // to the first column of a sub-query's rows
	Joined               // to a column of another use
	Compared             // <, <=, > or >= a value that no row decides
)

// Condition fixes a column of a use.
type Condition struct {
	Form   Form
	Column int
	// Values are the values; of Elements the array, of Compared the bound.
	Values []query.Expr
	// Operator is the comparison of Compared.
	Operator string
	// Query is the sub-query, which refers to nothing outside but WITH queries.
	Query *query.Query
	// Other is the use whose column OtherColumn has the values.
	Other       *Use
	OtherColumn int
	// Conjunct is where it comes from, with its position.
	Conjunct query.Expr
	// Steps lead from the relation that the conjunct is about, through sub-queries and
	// WITH queries, to the use.
	Steps []Step
}

// Step is a relation of a query.
type Step struct {
	Query    *query.Query
	Relation int
}

// Label is the name by which the statement knows the use.
func (u *Use) Label() string { return u.Relation.Name }

// Of gives the conditions on a column.
func (u *Use) Of(column int) []Condition {
	var out []Condition
	for _, c := range u.Conditions {
		if c.Column == column {
			out = append(out, c)
		}
	}
	return out
}
