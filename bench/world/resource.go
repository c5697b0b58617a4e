package world

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Tables gives the tables of every service.
func (w *World) Tables() []toolfn.ResourceTable {
	var all []toolfn.ResourceTable
	for _, s := range w.services {
		all = append(all, s.Tables()...)
	}
	return all
}

// Tables gives the service's records as tables, whose verbs are its tools.
func (s *Service) Tables() []toolfn.ResourceTable {
	all := make([]toolfn.ResourceTable, len(s.tables))
	for i, t := range s.tables {
		all[i] = s.resource(t)
	}
	return all
}

func (s *Service) resource(t table) toolfn.ResourceTable {
	r := toolfn.ResourceTable{
		Name:        t.name,
		Description: t.description,
		Columns:     t.columns(s),
		Volatility:  toolfn.Stable,
		Select: func(ctx context.Context, b toolfn.Bindings) (toolfn.Rows, error) {
			return s.read(ctx, t, b)
		},
	}
	if in := t.insert; in != nil {
		r.Effect = s.tool(in.tool).effect
		r.Insert = func(ctx context.Context, rows []*value.Object) (toolfn.Written, error) {
			return s.insert(ctx, in, rows)
		}
	}
	if up := t.update; up != nil {
		r.Key = []string{up.key}
		r.Effect = s.tool(up.tool).effect
		r.Update = func(ctx context.Context, set *value.Object, b toolfn.Bindings) (toolfn.Written, error) {
			return s.update(ctx, t, set, b)
		}
	}
	return r
}

// read passes a column's value on where exactly one is bound; the engine filters
// again. A required column is asked for value by value.
func (s *Service) read(ctx context.Context, t table, b toolfn.Bindings) (toolfn.Rows, error) {
	asked := []value.Value{nil}
	if t.read.required != "" {
		asked = b.All(t.read.required)
	}
	var page []*value.Object
	for _, key := range asked {
		args := value.NewObject(len(t.read.pushdown))
		for column, arg := range t.read.pushdown {
			if column == t.read.required {
				args.Set(arg, key)
			} else if v := b.All(column); len(v) == 1 {
				args.Set(arg, v[0])
			}
		}
		found, err := s.do(ctx, *s.tool(t.read.tool), args)
		if err != nil {
			return toolfn.Rows{}, err
		}
		for _, row := range found.([]value.Value) {
			page = append(page, row.(*value.Object))
		}
	}
	return toolfn.Rows{Page: page}, nil
}

func (s *Service) insert(ctx context.Context, w *writing, rows []*value.Object) (toolfn.Written, error) {
	for done, row := range rows {
		if _, err := s.do(ctx, *s.tool(w.tool), w.arguments(row)); err != nil {
			return toolfn.Written{Affected: done}, fmt.Errorf("after %d of %d rows: %w", done, len(rows), err)
		}
	}
	return toolfn.Written{Affected: len(rows)}, nil
}

// update makes one call for each key that the statement names.
func (s *Service) update(ctx context.Context, t table, set *value.Object, b toolfn.Bindings) (toolfn.Written, error) {
	w := t.update
	if err := w.refuse(t.name, set, b); err != nil {
		return toolfn.Written{}, err
	}
	keys := b.All(w.key)
	for done, key := range keys {
		args := value.Of(w.key, key)
		for k, v := range w.arguments(set).All() {
			args.Set(k, v)
		}
		if _, err := s.do(ctx, *s.tool(w.tool), args); err != nil {
			return toolfn.Written{Affected: done}, fmt.Errorf("after %d of %d rows: %w", done, len(keys), err)
		}
	}
	return toolfn.Written{Affected: len(keys)}, nil
}

// refuse says why an update cannot be made, before anything is written.
func (w *writing) refuse(table string, set *value.Object, b toolfn.Bindings) error {
	if !b.Has(w.key) {
		return fmt.Errorf("an update of %s needs WHERE %s = …", table, w.key)
	}
	for column, v := range set.All() {
		if want, ok := w.only[column]; ok {
			if v != want {
				return fmt.Errorf("%s.%s can only be set to %q", table, column, want)
			}
		} else if _, ok := w.args[column]; !ok {
			return fmt.Errorf("%s.%s cannot be set", table, column)
		}
	}
	return nil
}

// arguments turns the columns of a row into the arguments of the tool.
func (w *writing) arguments(row *value.Object) *value.Object {
	args := value.NewObject(row.Len())
	for column, v := range row.All() {
		if arg, ok := w.args[column]; ok && v != nil {
			args.Set(arg, v)
		}
	}
	return args
}

func (t table) columns(s *Service) []toolfn.Column {
	cols := make([]toolfn.Column, len(t.fields))
	for i, f := range t.fields {
		c := toolfn.Column{
			Name:        f.name,
			Type:        columnType(f.schema),
			Description: f.schema.Description,
			RequiredKey: f.name == t.read.required,
			NotNull:     !f.optional && !admitsNull(f.schema),
			ReadOnly:    !t.writes(f.name),
		}
		for _, word := range f.schema.Enum {
			if word != nil {
				c.Enum = append(c.Enum, word)
			}
		}
		if _, ok := t.read.pushdown[f.name]; ok {
			c.Pushdown = toolfn.PushEqual
		}
		if t.insert != nil {
			arg, ok := t.insert.args[f.name]
			c.RequiredInsert = ok && slices.Contains(s.tool(t.insert.tool).input.Required, arg)
		}
		cols[i] = c
	}
	return cols
}

// writes reports whether any write may give the column.
func (t table) writes(column string) bool {
	for _, w := range []*writing{t.insert, t.update} {
		if w == nil {
			continue
		}
		if _, ok := w.args[column]; ok {
			return true
		}
		if _, ok := w.only[column]; ok {
			return true
		}
	}
	return false
}

func admitsNull(s *jsonschema.Schema) bool { return slices.Contains(s.Types, "null") }

// columnType is the PostgreSQL type of a field.
func columnType(s *jsonschema.Schema) string {
	kind := s.Type
	for _, t := range s.Types {
		if t != "null" {
			kind = t
		}
	}
	switch {
	case kind == "string" && s.Format == "date-time":
		return "timestamptz"
	case kind == "string":
		return "text"
	case kind == "integer":
		return "bigint"
	case kind == "number":
		return "double precision"
	case kind == "boolean":
		return "boolean"
	}
	return "jsonb"
}
