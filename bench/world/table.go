package world

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

// table declares one kind of record: its fields, how many there are, how each
// comes to be, and which tools read and write it.
type table struct {
	name        string
	description string
	fields      []property
	keys        *value.Keys // the names of the fields; every row has them all

	size  int                                       // at scale 1
	fixed bool                                      // the size does not grow with the scale
	row   func(g generator, i, n int) []value.Value // the values of row i of n, in the order of the fields

	read   reading
	insert *writing
	update *writing
}

// reading is how a table is read.
type reading struct {
	tool     string
	pushdown map[string]string // column → argument
	required string            // the column without which there is no reading
}

// writing is how a table is written.
type writing struct {
	tool string
	args map[string]string // column → argument
	key  string            // the column that names the row, for an update
	only map[string]string // column → the one value that the tool sets it to
}

// newTable declares a table with these fields.
func newTable(name, description string, fields ...property) table {
	t := table{name: name, description: description, fields: fields}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	t.keys = value.NewKeys(names...)
	return t
}

// schema is the schema of one row.
func (t table) schema() *jsonschema.Schema { return object(t.fields...) }

// count is how many rows there are at a scale.
func (t table) count(g generator) int {
	if t.fixed {
		return t.size
	}
	return t.size * g.scale
}

func (t table) generate(g generator) []*value.Object {
	n := t.count(g)
	made := make([]*value.Object, n)
	for i := range made {
		made[i] = value.NewRow(t.keys, t.row(g, i, n))
	}
	return made
}

// texts turns a list of texts into plain data.
func texts(from []string) []value.Value {
	all := make([]value.Value, len(from))
	for i, s := range from {
		all[i] = s
	}
	return all
}
