package engine

import (
	"github.com/polyglove/polyglove/surfaces/sql/query"
)

// view is the tables as one statement sees them. It makes a snapshot of each that
// the statement asks for.
type view struct {
	tables map[string]*Table
	base   map[*Table]*version
	open   map[*Table]*snapshot
}

// Table finds a table; see analyze.Schema.
func (v *view) Table(schema, name string) (*query.Table, error) {
	t := v.tables[qualified(schema, name)]
	if t == nil {
		return nil, nil
	}
	s := v.open[t]
	if s == nil {
		s = newSnapshot(t, v.base[t])
		v.open[t] = s
	}
	return s.shape, nil
}

// look makes a view of the tables as they are now, or as a transaction has them.
func (d *DB) look(tx *transaction) *view {
	d.mu.RLock()
	defer d.mu.RUnlock()
	v := &view{tables: map[string]*Table{}, base: map[*Table]*version{}, open: map[*Table]*snapshot{}}
	for name, t := range d.tables {
		v.tables[name], v.base[t] = t, t.current
	}
	if tx != nil {
		tx.overlay(v)
	}
	return v
}
