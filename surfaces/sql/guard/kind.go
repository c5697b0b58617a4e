//go:build cgo

package guard

// Kind is what a statement is.
type Kind string

// The kinds of statement that are let through.
const (
	Select   Kind = "SELECT" // VALUES and TABLE too
	Insert   Kind = "INSERT"
	Update   Kind = "UPDATE"
	Delete   Kind = "DELETE"
	Explain  Kind = "EXPLAIN"
	Begin    Kind = "BEGIN"
	Commit   Kind = "COMMIT"
	Rollback Kind = "ROLLBACK"
)

// Writes reports whether a statement of the kind changes rows. A SELECT may still
// hold a data-modifying WITH query.
func (k Kind) Writes() bool { return k == Insert || k == Update || k == Delete }
