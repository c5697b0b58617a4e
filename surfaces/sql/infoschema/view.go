package infoschema

import (
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// The schemas that views are in.
const (
	Information = "information_schema"
	System      = "pg_catalog"
)

// Column is a column of a view; Type is written as in SQL.
type Column struct{ Name, Type string }

// View is one view.
type View struct {
	Schema, Name string
	Columns      []Column

	keys *value.Keys
	make func(m *maker)
}

// World is what views describe.
type World struct {
	Catalog *toolfn.Catalog
	// Temporary are the tables of the session.
	Temporary []Temporary
	// Database and User are the names that the session has.
	Database, User string
	// Supports reports whether the engine has a function of the server's; nil is all.
	Supports func(oid uint32) bool
}

// Temporary is a table of the session.
type Temporary struct {
	Name    string
	Columns []Column
	Rows    int
}

// Open finds a view by its schema and name. Those of pg_catalog are found without a
// schema too, as on a server.
func Open(schema, name string) (*View, bool) {
	if schema == "" {
		schema = System
	}
	v, ok := views[schema+"."+name]
	return v, ok
}

// Names lists the views of a schema by name.
func Names(schema string) []string {
	var names []string
	for _, v := range views {
		if v.Schema == schema {
			names = append(names, v.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Rows makes the rows of a view that a filter lets through, on the account of a
// meter. A filter may let through more than the statement asks for, never less.
func (v *View) Rows(meter *sandbox.Meter, w World, f Filter) ([]*value.Object, error) {
	m := &maker{meter: meter, world: w, view: v, filter: f}
	v.make(m)
	return m.rows, m.err
}

// maker makes the rows of one view.
type maker struct {
	meter  *sandbox.Meter
	world  World
	view   *View
	filter Filter
	rows   []*value.Object
	err    error
}

// row adds a row of one value for each column.
func (m *maker) row(vals ...value.Value) {
	if m.err != nil {
		return
	}
	if m.err = m.meter.Charge(int64(len(vals))); m.err != nil {
		return
	}
	if m.err = m.meter.Alloc(int64(64 + 24*len(vals))); m.err != nil {
		return
	}
	m.rows = append(m.rows, value.NewRow(m.view.keys, vals))
}

// wants reports whether the statement may ask for rows with a value of a column.
func (m *maker) wants(column string, v value.Value) bool {
	return m.err == nil && m.filter.allows(column, v)
}

// Filter is the values that a statement fixes columns of a view to.
type Filter map[string][]set

// set is one condition: a column has one of some values.
type set struct {
	texts   map[string]bool
	numbers map[int64]bool
	other   bool // there are values that are neither
}

// Add narrows a column to one of some values.
func (f Filter) Add(column string, values []value.Value) {
	s := set{texts: map[string]bool{}, numbers: map[int64]bool{}}
	for _, v := range values {
		switch v := v.(type) {
		case string:
			s.texts[v] = true
		case int64:
			s.numbers[v] = true
		case nil: // equals nothing
		default:
			s.other = true
		}
	}
	f[column] = append(f[column], s)
}

// allows reports whether a value may be among those that are asked for. Values of
// another kind than the column's are left to the executor.
func (f Filter) allows(column string, v value.Value) bool {
	for _, s := range f[column] {
		switch v := v.(type) {
		case string:
			if !s.texts[v] && len(s.numbers) == 0 && !s.other {
				return false
			}
		case int64:
			if !s.numbers[v] && len(s.texts) == 0 && !s.other {
				return false
			}
		}
	}
	return true
}

// names gives the only texts that a column may have, where the statement says so.
func (f Filter) names(column string) ([]string, bool) {
	for _, s := range f[column] {
		if len(s.numbers) == 0 && !s.other {
			names := make([]string, 0, len(s.texts))
			for n := range s.texts {
				names = append(names, n)
			}
			slices.Sort(names)
			return names, true
		}
	}
	return nil, false
}

var views = map[string]*View{}

// view defines a view; columns are written as "name type, name type".
func view(schema, name, columns string, make func(*maker)) {
	v := &View{Schema: schema, Name: name, make: make}
	var names []string
	for _, c := range strings.Split(columns, ",") {
		n, t, _ := strings.Cut(strings.TrimSpace(c), " ")
		v.Columns = append(v.Columns, Column{n, t})
		names = append(names, n)
	}
	v.keys = value.NewKeys(names...)
	views[schema+"."+name] = v
}

// nothing makes no rows: there are none of the kind.
func nothing(*maker) {}
