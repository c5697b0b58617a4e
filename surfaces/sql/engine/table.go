package engine

import (
	"errors"
	"fmt"
	"iter"

	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Column describes a column of a table.
type Column struct {
	Name string
	// Type is a type as SQL writes it: integer, numeric(10,2), text[].
	Type    string
	NotNull bool
	// Default is an expression in SQL, "" for none.
	Default string
}

// TableSpec describes a table.
type TableSpec struct {
	Schema  string // "" is public
	Name    string
	Columns []Column
	// Key names the columns of the primary key, if it has one. They are unique and
	// not NULL, and in a grouped query all other columns depend on them.
	Key []string
}

// Table is a table of a database.
type Table struct {
	shape   *query.Table
	current *version // replaced as a whole, under the database's lock
}

// version is the rows of a table at one time. It is never changed.
type version struct {
	rows    int
	columns []*vector.Column
}

func emptyVersion(t *query.Table) *version {
	v := &version{}
	for _, c := range t.Columns {
		v.columns = append(v.columns, vector.Make(c.Type, 0))
	}
	return v
}

// ErrTableExists is why a table cannot be registered under its name.
var ErrTableExists = errors.New("a table of that name is there already")

// Create adds an empty table. The errors are [ErrTableExists] and those of types and
// defaults that are not SQL.
func (d *DB) Create(spec TableSpec) error {
	t, err := d.define(spec)
	if err != nil {
		return err
	}
	return d.add(t)
}

func (d *DB) add(t *Table) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := qualified(t.shape.Schema, t.shape.Name)
	if d.tables[name] != nil {
		return fmt.Errorf("%s: %w", name, ErrTableExists)
	}
	d.tables[name] = t
	return nil
}

// Drop removes a table and reports whether it was there. Statements that are under
// way keep its rows.
func (d *DB) Drop(schema, name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := qualified(schema, name)
	_, ok := d.tables[key]
	delete(d.tables, key)
	return ok
}

func qualified(schema, name string) string {
	if schema == "" {
		schema = "public"
	}
	return schema + "." + name
}

// Register adds a table with rows, each of as many values as there are columns.
// See [DB.Insert] for the values.
func (d *DB) Register(spec TableSpec, rows iter.Seq[[]any]) error {
	t, err := d.define(spec)
	if err != nil {
		return err
	}
	v, err := d.load(t, rows)
	if err != nil {
		return err
	}
	t.current = v
	return d.add(t)
}

// RegisterColumns adds a table whose rows are given as columns, which must have the
// types that the table declares and one length, and must not be changed afterwards.
func (d *DB) RegisterColumns(spec TableSpec, columns []*vector.Column) error {
	t, err := d.define(spec)
	if err != nil {
		return err
	}
	if len(columns) != len(t.shape.Columns) {
		return fmt.Errorf("table %s has %d columns, not %d", spec.Name, len(t.shape.Columns), len(columns))
	}
	v := &version{columns: columns}
	for i, c := range columns {
		if c.Type != t.shape.Columns[i].Type || c.Const {
			return fmt.Errorf("column %s must be a plain column of the type %s", spec.Columns[i].Name, spec.Columns[i].Type)
		}
		if i > 0 && c.Len != v.rows {
			return fmt.Errorf("column %s has %d rows, not %d", spec.Columns[i].Name, c.Len, v.rows)
		}
		v.rows = c.Len
	}
	if err := v.check(t.shape); err != nil {
		return err
	}
	t.current = v
	return d.add(t)
}

// Insert adds rows to a table. A value is nil or of a Go type that fits the column:
// bool; int, int64 and the like; float64; string, which is read as the type's text;
// []byte; time.Time; *big.Int; json.Number; []any for an array; anything that
// encoding/json takes for json and jsonb.
func (d *DB) Insert(schema, name string, rows iter.Seq[[]any]) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tables[qualified(schema, name)]
	if t == nil {
		return fmt.Errorf("there is no table %s", qualified(schema, name))
	}
	more, err := d.load(t, rows)
	if err != nil {
		return err
	}
	next := t.current.plus(more.columns, more.rows)
	if err := next.check(t.shape); err != nil {
		return err
	}
	t.current = next
	return nil
}

// plus gives a version with more rows.
func (v *version) plus(columns []*vector.Column, rows int) *version {
	out := &version{rows: v.rows + rows}
	for i, c := range v.columns {
		n := vector.Make(c.Type, 0)
		n.Append(c, nil)
		n.Append(columns[i], nil)
		out.columns = append(out.columns, n)
	}
	return out
}

func (d *DB) load(t *Table, rows iter.Seq[[]any]) (*version, error) {
	e := &fn.Env{Meter: unmetered(), Now: d.options.Now(), Zone: d.options.Zone, Scratch: map[any]any{}}
	l := newLoader(e, t.shape)
	for row := range rows {
		if err := l.add(row); err != nil {
			return nil, err
		}
	}
	if err := l.finish(); err != nil {
		return nil, err
	}
	v := &version{rows: l.rows, columns: l.columns}
	return v, v.check(t.shape)
}
