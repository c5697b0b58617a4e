//go:build cgo

package sql

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// tables finds what a statement calls tables. Each occurrence gets a description of
// its own, so that two uses of a table never share rows.
type tables struct {
	s     *session
	scans map[*query.Table]*scan
	// called holds the rows of functions in FROM, by the names that stand for them.
	called map[string]*scan
}

// Table gives the description of one occurrence of a table.
func (t *tables) Table(schema, name string) (*query.Table, error) {
	sc, err := t.called[name], error(nil)
	if schema != calledSchema {
		sc, err = t.s.open(schema, name)
	}
	if sc == nil || err != nil {
		return nil, err
	}
	shape := *sc.shape
	shape.Source = sc
	sc.shape = &shape
	t.scans[&shape] = sc
	return &shape, nil
}

// open starts a use of a table: of the catalogue, of the session, of another
// language, or one that describes the catalogue. It gives nil where there is none.
func (s *session) open(schema, name string) (*scan, error) {
	if schema == "" || schema == "public" || schema == "pg_temp" {
		if temp := s.temporary[name]; temp != nil {
			return &scan{shape: temp.shape, rows: temp.rows, fetched: true}, nil
		}
	}
	if tab, ok := s.tableNamed(schema, name); ok {
		shape, err := s.shapeOf(tab)
		if err != nil {
			return nil, err
		}
		return &scan{table: tab, shape: shape}, nil
	}
	if sc, err := s.describing(schema, name); sc != nil || err != nil {
		return sc, err
	}
	if schema == "" {
		return s.foreign(name)
	}
	return nil, nil
}

// tableNamed gives the table of the catalogue that a name means: plain, in the schema
// public, or in the schema of its server.
func (s *session) tableNamed(schema, name string) (*toolfn.ResourceTable, bool) {
	cat := s.ws.Catalog()
	switch schema {
	case "", "public":
		return cat.Table(name)
	}
	if t, ok := cat.Table(schema + "_" + name); ok {
		return t, true
	}
	if t, ok := cat.Table(name); ok && strings.HasPrefix(name, schema+"_") {
		return t, true
	}
	return nil, false
}

// shapeOf gives a table's description, made once for each version of the catalogue.
func (s *session) shapeOf(tab *toolfn.ResourceTable) (*query.Table, error) {
	if v := s.ws.Catalog().Version(); s.shapes == nil || s.version != v {
		s.shapes, s.version = map[*toolfn.ResourceTable]*query.Table{}, v
	}
	if shape := s.shapes[tab]; shape != nil {
		return shape, nil
	}
	spec := engine.TableSpec{Name: tab.Name, Key: tab.Key}
	for i := range tab.Columns {
		c := &tab.Columns[i]
		spec.Columns = append(spec.Columns, engine.Column{Name: c.Name, Type: c.Type})
	}
	shape, err := s.db.Shape(spec)
	if err != nil {
		return nil, err
	}
	// what a tool declares is a claim, not a constraint
	for i := range shape.Columns {
		shape.Columns[i].NotNull = false
	}
	s.shapes[tab] = shape
	return shape, nil
}

// temporary is a table that a program made.
type temporary struct {
	shape *query.Table
	rows  []*value.Object
	bytes int64
}

// foreign gives a definition of another language as a table: a list of rows as rows
// with the columns that they have.
func (s *session) foreign(name string) (*scan, error) {
	if !s.ws.Defines(languageName, name) {
		return nil, nil
	}
	v, from, err := s.ws.Foreign(languageName, s.meter, name)
	if err != nil || from == nil {
		return nil, err
	}
	rows := rowsOf(v)
	shape, err := s.db.Shape(engine.TableSpec{Name: name, Columns: columnsOf(rows)})
	if err != nil {
		return nil, err
	}
	return &scan{shape: shape, rows: rows, fetched: true}, nil
}

// rowsOf reads plain data as rows: a list of objects as they are, a single one as one
// row, anything else as a column named value.
func rowsOf(v value.Value) []*value.Object {
	list, ok := v.([]value.Value)
	if !ok {
		list = []value.Value{v}
	}
	out := make([]*value.Object, 0, len(list))
	for _, x := range list {
		o, ok := x.(*value.Object)
		if !ok {
			o = value.Of("value", x)
		}
		out = append(out, o)
	}
	return out
}

// columnsOf finds the columns of rows, in the order in which they appear, and for
// each the narrowest type that holds its values.
func columnsOf(rows []*value.Object) []engine.Column {
	var names []string
	kinds := map[string]string{}
	for _, r := range rows {
		for k, v := range r.All() {
			old, known := kinds[k]
			if !known {
				names = append(names, k)
			}
			kinds[k] = wider(old, kindOf(v))
		}
	}
	out := make([]engine.Column, len(names))
	for i, n := range names {
		t := kinds[n]
		if t == "" {
			t = "text"
		}
		out[i] = engine.Column{Name: n, Type: t}
	}
	return out
}

func kindOf(v value.Value) string {
	switch value.Kind(v) {
	case "integer":
		if _, ok := v.(int64); ok {
			return "bigint"
		}
		return "numeric"
	case "number":
		if _, ok := v.(float64); ok {
			return "double precision"
		}
		return "numeric"
	case "boolean":
		return "boolean"
	case "string":
		return "text"
	case "null":
		return ""
	}
	return "jsonb"
}

// wider gives a type that holds the values of two.
func wider(a, b string) string {
	switch {
	case a == b || b == "":
		return a
	case a == "":
		return b
	case number(a) && number(b):
		return "numeric"
	case a == "jsonb" || b == "jsonb":
		return "jsonb"
	}
	return "text"
}

func number(t string) bool { return t == "bigint" || t == "double precision" || t == "numeric" }
