package toolfn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Volatility says how long what a table gave may be used again.
type Volatility uint8

// The volatilities, named as PostgreSQL names those of functions.
const (
	// Volatile rows are never used again: each statement asks anew.
	Volatile Volatility = iota
	// Stable rows hold for one execute.
	Stable
	// Immutable rows hold for the session.
	Immutable
)

// String gives volatile, stable or immutable.
func (v Volatility) String() string {
	switch v {
	case Stable:
		return "stable"
	case Immutable:
		return "immutable"
	}
	return "volatile"
}

// Verb is one thing that a table can do.
type Verb uint8

// The verbs of a table.
const (
	Select Verb = iota
	Insert
	Update
	Delete
)

// String gives select, insert, update or delete.
func (v Verb) String() string {
	return [...]string{"select", "insert", "update", "delete"}[v&3]
}

// ResourceTable is an entity that is read and written by rows. Each verb it has
// is one function; a table needs at least one.
type ResourceTable struct {
	// Name is an unquoted identifier of SQL: lower case, at most 63 bytes.
	Name        string
	Description string
	Columns     []Column
	Volatility  Volatility
	// Key names the columns whose values together name at most one row. A write
	// whose predicate is more than a key reads the keys of the rows that it is
	// about and writes each by its key.
	Key []string
	// Match names the columns whose bindings Update and Delete honour, any of
	// them. Without it a write must fix every column of Key, or, where there is no
	// Key, may fix columns that are required keys. No other binding is ever passed
	// to Update or Delete.
	Match []string
	// Limits says that Select honours Bindings.Limit: it gives that many rows where
	// there are as many.
	Limits bool
	// Bulk is how many rows one call of Insert takes; 0 is one. An Insert that
	// takes several does them in order and, when it fails, says with
	// Written.Affected how many it did before.
	Bulk int
	// Effect is what the writing verbs do; reading is always a read.
	Effect Effect
	// Effects is what single writing verbs do, where they differ.
	Effects map[Verb]Effect
	// Select reads the rows that the bindings ask for, or more: what is not
	// consumed is filtered again.
	Select func(ctx context.Context, b Bindings) (Rows, error)
	// Insert adds rows, each with the columns that were given.
	Insert func(ctx context.Context, rows []*value.Object) (Written, error)
	// Update sets columns on the rows that the bindings match.
	Update func(ctx context.Context, set *value.Object, b Bindings) (Written, error)
	// Delete removes the rows that the bindings match.
	Delete func(ctx context.Context, b Bindings) (Written, error)
}

// Rows is what a select gives: everything, or one page and the way to the next.
type Rows struct {
	Page []*value.Object
	// Next reads the page after this one; nil after the last.
	Next func(ctx context.Context) (Rows, error)
	// Consumed names the columns whose bindings the rows satisfy by the server's
	// own comparison, so that they are not compared again.
	Consumed []string
	// Incomplete says why rows are missing that nobody can read, "" if none are.
	Incomplete string
}

// Written is what a write did.
type Written struct {
	// Affected is the number of rows; -1 where the server does not say.
	Affected int
	// Rows are the rows as they now are, nil where the server does not say.
	Rows []*value.Object
}

// Verbs lists what the table can do.
func (t *ResourceTable) Verbs() []Verb {
	var v []Verb
	if t.Select != nil {
		v = append(v, Select)
	}
	if t.Insert != nil {
		v = append(v, Insert)
	}
	if t.Update != nil {
		v = append(v, Update)
	}
	if t.Delete != nil {
		v = append(v, Delete)
	}
	return v
}

// Can reports whether the table has a verb.
func (t *ResourceTable) Can(v Verb) bool {
	for _, have := range t.Verbs() {
		if have == v {
			return true
		}
	}
	return false
}

// EffectOf is what a verb does. A writing verb that declares nothing writes; an
// update or delete that declares nothing destroys.
func (t *ResourceTable) EffectOf(v Verb) Effect {
	if v == Select {
		return Effect{Impact: Read, Idempotent: true}
	}
	e, ok := t.Effects[v]
	if !ok {
		e = t.Effect
	}
	if e.Impact == Unknown || e.Impact == Read {
		e.Impact = Write
		if v != Insert {
			e.Impact = Destructive
		}
	}
	return e
}

// Lacks is the fault of asking a table for a verb that it does not have.
func (t *ResourceTable) Lacks(v Verb) *sandbox.Fault {
	return &sandbox.Fault{
		Kind:    sandbox.KindDenied,
		Message: fmt.Sprintf("table %s cannot %s: it has %s only.", t.Name, v, t.verbList()),
		Hint:    "Nothing was done.",
	}
}

func (t *ResourceTable) verbList() string {
	words := make([]string, 0, 4)
	for _, v := range t.Verbs() {
		words = append(words, v.String())
	}
	return strings.Join(words, ", ")
}

// Column gives a column by name.
func (t *ResourceTable) Column(name string) (*Column, bool) {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i], true
		}
	}
	return nil, false
}

// schemaNames are names that SQL itself uses for schemas.
var schemaNames = map[string]bool{"information_schema": true, "pg_catalog": true, "public": true}

// stage checks a table on its own.
func (t ResourceTable) stage(b *batch) {
	own := t
	own.Columns = append([]Column(nil), t.Columns...)
	own.Key, own.Match = append([]string(nil), t.Key...), append([]string(nil), t.Match...)
	if err := own.validate(); err != nil {
		b.bad = append(b.bad, err)
		return
	}
	if hasInvisible(own.Description) {
		b.warnings = append(b.warnings, Warning{Name: own.Name, Message: "the description holds invisible or direction-changing characters, which are removed wherever it is shown"})
	}
	b.tables = append(b.tables, &own)
}

// validate reports everything that is wrong with a definition, in one error.
func (t *ResourceTable) validate() error {
	var bad []string
	switch {
	case strings.TrimSpace(t.Name) == "":
		return errors.New("a table has no name")
	case schemaNames[strings.ToLower(t.Name)] || reserved(t.Name):
		bad = append(bad, "the name is reserved")
	case !unquotedName(t.Name):
		bad = append(bad, fmt.Sprintf("the name is not an unquoted identifier (lower-case letters, digits, underscore, at most %d): call it %q", maxSQLName, sqlName(t.Name)))
	}
	if len(t.Columns) == 0 {
		bad = append(bad, "it has no columns")
	}
	if len(t.Verbs()) == 0 {
		bad = append(bad, "it has no verb: give it a Select, Insert, Update or Delete")
	}
	seen := map[string]bool{}
	for i := range t.Columns {
		c := &t.Columns[i]
		if seen[c.Name] {
			bad = append(bad, fmt.Sprintf("column %q appears twice", c.Name))
		}
		seen[c.Name] = true
		bad = append(bad, c.problems()...)
	}
	for _, name := range append(append([]string(nil), t.Key...), t.Match...) {
		if !seen[name] {
			bad = append(bad, fmt.Sprintf("%q is in its key or match and no column", name))
		}
	}
	if t.Bulk < 0 {
		bad = append(bad, "Bulk is negative")
	}
	if len(bad) > 0 {
		return fmt.Errorf("table %q: %s", sandbox.Clip(Plain(t.Name, 80), 80), strings.Join(bad, ", "))
	}
	return nil
}

// maxSQLName is PostgreSQL's limit on identifiers in bytes (NAMEDATALEN - 1).
const maxSQLName = 63

func unquotedName(s string) bool {
	return ValidName(s) && len(s) <= maxSQLName && s == strings.ToLower(s)
}

func sqlName(s string) string {
	s = strings.ToLower(SafeName(s))
	return s[:min(len(s), maxSQLName)]
}
