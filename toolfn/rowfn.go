package toolfn

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

// RowFn ties a function to a verb of a table: whoever calls the function does
// with the table what its arguments say.
type RowFn struct {
	Table *ResourceTable
	Verb  Verb
}

// FnFromTable makes a function of each verb of a table, for languages that know
// functions only: TABLE__select, TABLE__insert, TABLE__update, TABLE__delete,
// which programs reach as TABLE.select and so on. The table must be registered in
// the same catalogue; then everything that holds for statements about it holds
// for the functions: the policy of the table, its caches, the overlay.
//
//	select {where?, columns?, limit?} gives a list of rows
//	insert {rows}                     gives {affected, rows?}
//	update {set, where, all?}         gives {affected, rows?}
//	delete {where, all?}              gives {affected}
//
// where maps a column to a value, to a list of values of which a row must have
// one, to null, or to comparisons: {gt, gte, lt, lte, not, contains}. affected is
// null where the server does not say.
func FnFromTable(t *ResourceTable) ([]ToolFn, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	var fns []ToolFn
	for _, v := range t.Verbs() {
		f := ToolFn{
			Name: t.Name + "__" + v.String(), Server: t.Name, Effect: t.EffectOf(v), Unsampled: true,
			Rows: &RowFn{Table: t, Verb: v}, Description: t.verbText(v),
			Call: func(context.Context, *value.Object) (value.Value, error) {
				return nil, fmt.Errorf("table %s is reached through a dispatcher only", t.Name)
			},
		}
		f.Input, f.Output = t.verbSchemas(v)
		fns = append(fns, f)
	}
	return fns, nil
}

// Comparisons are the words of a where beside plain values, in the order in which
// they are told.
func Comparisons() []string { return []string{"gt", "gte", "lt", "lte", "not", "contains"} }

func (t *ResourceTable) verbText(v Verb) string {
	about := strings.TrimSpace(t.Description)
	if about != "" {
		about = " " + about
	}
	switch v {
	case Select:
		return "Rows of the table " + t.Name + "." + about + " where: a column's value, a list of values, null, or {gt, gte, lt, lte, not, contains}."
	case Insert:
		return "Adds rows to the table " + t.Name + "." + about
	case Update:
		return "Sets columns on the rows of the table " + t.Name + " that where names; all: true for every row." + about
	}
	return "Removes the rows of the table " + t.Name + " that where names; all: true for every row." + about
}

// verbSchemas gives the schemas of the arguments and of the result.
func (t *ResourceTable) verbSchemas(v Verb) (in, out *jsonschema.Schema) {
	switch v {
	case Select:
		in = closedObject()
		where := t.whereSchema()
		addProperty(in, "where", where, len(where.Required) > 0)
		names := &jsonschema.Schema{Type: "string"}
		for i := range t.Columns {
			names.Enum = append(names.Enum, t.Columns[i].Name)
		}
		addProperty(in, "columns", &jsonschema.Schema{Type: "array", Items: names}, false)
		one := 1.0
		addProperty(in, "limit", &jsonschema.Schema{Type: "integer", Minimum: &one}, false)
		return in, &jsonschema.Schema{Type: "array", Items: t.rowSchema(nil, false)}
	case Insert:
		in = closedObject()
		least := 1
		row := t.rowSchema(func(c *Column) bool { return !c.ReadOnly }, true)
		addProperty(in, "rows", &jsonschema.Schema{Type: "array", Items: row, MinItems: &least}, true)
	case Update:
		in = closedObject()
		addProperty(in, "set", t.rowSchema(func(c *Column) bool { return !c.ReadOnly }, false), true)
		addProperty(in, "where", t.openWhere(), false)
		addProperty(in, "all", &jsonschema.Schema{Type: "boolean"}, false)
	default:
		in = closedObject()
		addProperty(in, "where", t.openWhere(), false)
		addProperty(in, "all", &jsonschema.Schema{Type: "boolean"}, false)
	}
	out = &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	addProperty(out, "affected", &jsonschema.Schema{Types: []string{"integer", "null"}}, true)
	addProperty(out, "rows", &jsonschema.Schema{Type: "array", Items: t.rowSchema(nil, false)}, false)
	return in, out
}

func closedObject() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
}

func addProperty(s *jsonschema.Schema, name string, p *jsonschema.Schema, required bool) {
	s.Properties[name] = p
	s.PropertyOrder = append(s.PropertyOrder, name)
	if required {
		s.Required = append(s.Required, name)
	}
}

// whereSchema names the columns; what stands for each is checked where it is
// read.
func (t *ResourceTable) whereSchema() *jsonschema.Schema {
	s := t.openWhere()
	for i := range t.Columns {
		if t.Columns[i].RequiredKey {
			s.Required = append(s.Required, t.Columns[i].Name)
		}
	}
	return s
}

func (t *ResourceTable) openWhere() *jsonschema.Schema {
	s := closedObject()
	for i := range t.Columns {
		c := &t.Columns[i]
		addProperty(s, c.Name, &jsonschema.Schema{Description: strings.TrimSpace(c.Type + " " + c.Description)}, false)
	}
	return s
}

// rowSchema is the schema of a row of some columns; for an insert with what must
// be given.
func (t *ResourceTable) rowSchema(in func(*Column) bool, insert bool) *jsonschema.Schema {
	s := closedObject()
	if in == nil {
		s.AdditionalProperties = nil
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; in == nil || in(c) {
			addProperty(s, c.Name, c.schema(), insert && c.RequiredInsert)
		}
	}
	return s
}

// schema is the schema of a column's cells.
func (c *Column) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Description: c.Description}
	kind := ""
	switch c.Type {
	case "text":
		kind = "string"
	case "bigint":
		kind = "integer"
	case "double precision", "numeric":
		kind = "number"
	case "boolean":
		kind = "boolean"
	case "timestamptz":
		kind, s.Format = "string", "date-time"
	case "date":
		kind, s.Format = "string", "date"
	default:
		return s
	}
	if c.NotNull || c.RequiredInsert {
		s.Type = kind
	} else {
		s.Types = []string{kind, "null"}
	}
	s.Enum = append(s.Enum, c.Enum...)
	if len(s.Enum) > 0 && s.Type == "" {
		s.Enum = append(s.Enum, nil)
	}
	return s
}
