//go:build cgo

package sql

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/bind"
	"github.com/polyglove/polyglove/surfaces/sql/engine"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/infoschema"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/toolfn/value"
)

// describing starts a use of a view that describes the catalogue; it gives nil for a
// name that is none, and an error for one that a server has and this has not.
func (s *session) describing(schema, name string) (*scan, error) {
	v, ok := infoschema.Open(schema, name)
	if !ok {
		if schema == infoschema.Information || schema == infoschema.System {
			return nil, pgerr.New(pgerr.UndefinedTable, "relation \"%s.%s\" does not exist", schema, name).
				WithHint("%s has %s.", schema, strings.Join(infoschema.Names(schema), ", "))
		}
		return nil, nil
	}
	shape := s.views[v]
	if shape == nil {
		spec := engine.TableSpec{Schema: v.Schema, Name: v.Name}
		for _, c := range v.Columns {
			spec.Columns = append(spec.Columns, engine.Column{Name: c.Name, Type: c.Type})
		}
		var err error
		if shape, err = s.db.Shape(spec); err != nil {
			return nil, err
		}
		if s.views == nil {
			s.views = map[*infoschema.View]*query.Table{}
		}
		s.views[v] = shape
	}
	return &scan{shape: shape, view: v}, nil
}

// describe makes the rows of a view, as far as the statement may ask for them.
func (f *fetching) describe(u *bind.Use, sc *scan) error {
	filter := infoschema.Filter{}
	for _, c := range u.Conditions {
		data, ok := f.known(c)
		if !ok {
			continue
		}
		values := make([]value.Value, 0, len(data))
		for _, d := range data {
			v, err := plain(f.p.Env, d)
			if err != nil {
				return err
			}
			values = append(values, v)
		}
		filter.Add(sc.shape.Columns[c.Column].Name, values)
	}
	rows, err := sc.view.Rows(f.s.meter, f.s.world(f.p.Env), filter)
	sc.rows, sc.fetched = rows, err == nil
	return err
}

// world is what views describe.
func (s *session) world(e *fn.Env) infoschema.World {
	w := infoschema.World{Catalog: s.ws.Catalog(), Database: e.SessionDatabase(), User: e.SessionUser(), Supports: supports}
	for _, name := range s.order {
		t := infoschema.Temporary{Name: name, Rows: len(s.temporary[name].rows)}
		for _, c := range s.temporary[name].shape.Columns {
			t.Columns = append(t.Columns, infoschema.Column{Name: c.Name, Type: pgcat.Default().FormatType(c.Type)})
		}
		w.Temporary = append(w.Temporary, t)
	}
	return w
}

// supports reports whether a function of the server's runs here.
func supports(oid uint32) bool {
	n := pgcat.OID(oid)
	if _, ok := fn.Lookup(n); ok {
		return true
	}
	if _, ok := fn.Aggregate(n); ok {
		return true
	}
	_, ok := fn.SetReturning(n)
	return ok
}
