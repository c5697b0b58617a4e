package infoschema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func init() {
	view(Information, "routines", `specific_catalog name, specific_schema name, specific_name name, routine_catalog name, routine_schema name,
		routine_name text, routine_type varchar, data_type varchar, is_deterministic varchar, description text, effect text, server text`, routines)
	view(Information, "parameters", `specific_catalog name, specific_schema name, specific_name name, ordinal_position int4, parameter_mode varchar,
		parameter_name text, data_type varchar, parameter_default varchar, is_required varchar, description text, enum_values text[]`, parameters)
}

// routine is a function as statements call it.
type routine struct {
	schema, name, specific string
	tool                   *toolfn.ToolFn
	builtin                *pgcat.Function
}

// routines gives the functions that a statement may ask for: those of tools, in the
// schema of their server, then the language's own.
func (m *maker) routines(schema, name string, each func(routine)) {
	for _, f := range m.world.Catalog.All() {
		r := routine{schema: "public", name: f.Name, tool: f, specific: f.Name}
		if s, l, ok := strings.Cut(f.Name, "__"); ok && s != "" && l != "" {
			r.schema, r.name = s, l
		}
		if m.wants(schema, r.schema) && m.wants(name, r.name) && m.wants("specific_name", r.specific) {
			each(r)
		}
	}
	if !m.wants(schema, System) {
		return
	}
	for _, f := range m.builtins(name) {
		r := routine{schema: System, name: f.Name, builtin: f, specific: fmt.Sprintf("%s_%d", f.Name, f.OID)}
		if m.wants("specific_name", r.specific) {
			each(r)
		}
	}
}

// builtins gives the language's own functions, by name and number.
func (m *maker) builtins(column string) []*pgcat.Function {
	var list []*pgcat.Function
	keep := func(f *pgcat.Function) {
		if m.world.Supports == nil || m.world.Supports(uint32(f.OID)) {
			list = append(list, f)
		}
	}
	if names, ok := m.filter.names(column); ok {
		for _, n := range names {
			for _, f := range pgcat.Default().FunctionsNamed(n) {
				keep(f)
			}
		}
	} else {
		for f := range pgcat.Default().Functions() {
			keep(f)
		}
	}
	slices.SortFunc(list, func(a, b *pgcat.Function) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.OID, b.OID))
	})
	return list
}

func routines(m *maker) {
	db := m.world.Database
	m.routines("routine_schema", "routine_name", func(r routine) {
		if f := r.tool; f != nil {
			m.row(db, r.schema, r.specific, db, r.schema, r.name, "FUNCTION", "jsonb", "NO",
				described(f.Description), f.Effect.Impact.String(), described(f.Server))
			return
		}
		m.row(db, r.schema, r.specific, db, r.schema, r.name, kindOf(r.builtin), printed(typeAt(r.builtin.Result)),
			yes(r.builtin.Volatility == 'i'), nil, "read", nil)
	})
}

// kindOf is NULL for aggregates and window functions, as on a server.
func kindOf(f *pgcat.Function) value.Value {
	switch f.Kind {
	case pgcat.Ordinary:
		return "FUNCTION"
	case pgcat.Procedure:
		return "PROCEDURE"
	}
	return nil
}

func typeAt(oid pgcat.OID) *pgcat.Type {
	if t := pgcat.Default().Type(oid); t != nil {
		return t
	}
	return typeOf("text")
}

func parameters(m *maker) {
	m.routines("specific_schema", "", func(r routine) {
		if r.tool != nil {
			m.arguments(r)
			return
		}
		for i, t := range r.builtin.Args {
			required := i < len(r.builtin.Args)-r.builtin.Defaults
			m.row(m.world.Database, r.schema, r.specific, int64(i+1), "IN", described(r.builtin.ArgName(i)), printed(typeAt(t)), nil, yes(required), nil, nil)
		}
	})
}

// arguments gives the arguments of a tool.
func (m *maker) arguments(r routine) {
	s := r.tool.Input
	if s == nil {
		return
	}
	for i, name := range ordered(s) {
		p := s.Properties[name]
		if p == nil {
			p = &jsonschema.Schema{}
		}
		var def value.Value
		if p.Default != nil {
			if v, err := value.Decode(p.Default); err == nil {
				def = literal(typeOf(wordOf(p)), v)
			}
		}
		var enum []value.Value
		for _, e := range p.Enum {
			if v, err := value.From(e); err == nil {
				enum = append(enum, v)
			}
		}
		m.row(m.world.Database, r.schema, r.specific, int64(i+1), "IN", name, printed(typeOf(wordOf(p))), def,
			yes(slices.Contains(s.Required, name)), described(p.Description), listed(enum))
	}
}

// ordered lists properties as they were written, the rest by name.
func ordered(s *jsonschema.Schema) []string {
	var names []string
	for _, n := range s.PropertyOrder {
		if s.Properties[n] != nil && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	from := len(names)
	for n := range s.Properties {
		if !slices.Contains(names[:from], n) {
			names = append(names, n)
		}
	}
	slices.Sort(names[from:])
	return names
}

// wordOf is the type of an argument in our vocabulary.
func wordOf(s *jsonschema.Schema) string {
	switch s.Type {
	case "string":
		return "text"
	case "integer":
		return "bigint"
	case "number":
		return "double precision"
	case "boolean":
		return "boolean"
	}
	return "jsonb"
}
