package infoschema

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func init() {
	view(Information, "schemata", "catalog_name name, schema_name name, schema_owner name", schemata)
	view(Information, "tables", `table_catalog name, table_schema name, table_name name, table_type varchar,
		is_insertable_into varchar, description text, verbs text, required_keys text, server text`, tables)
	view(Information, "columns", `table_catalog name, table_schema name, table_name name, column_name name, ordinal_position int4,
		column_default varchar, is_nullable varchar, data_type varchar, character_maximum_length int4, numeric_precision int4,
		numeric_scale int4, datetime_precision int4, udt_name name, is_updatable varchar,
		description text, is_required_key varchar, is_required_insert varchar, enum_values text[], pushdown text`, columns)
	view(Information, "views", "table_catalog name, table_schema name, table_name name, view_definition varchar", nothing)
	view(Information, "table_privileges", "grantor name, grantee name, table_catalog name, table_schema name, table_name name, privilege_type varchar, is_grantable varchar", privileges)
}

func schemata(m *maker) {
	for _, n := range []string{System, Information, "public"} {
		if m.wants("schema_name", n) {
			m.row(m.world.Database, n, m.world.User)
		}
	}
}

func tables(m *maker) {
	m.entities("table_name", "table_schema", func(e entity) {
		if e.facts == nil {
			m.row(m.world.Database, e.schema, e.name, "LOCAL TEMPORARY", "NO", nil, "SELECT", nil, nil)
			return
		}
		f := e.facts
		m.row(m.world.Database, e.schema, e.name, "BASE TABLE", yes(has(f, toolfn.Insert)),
			described(f.Description), joined(verbsOf(f)), joined(f.Required), described(f.Server))
	})
	m.described("table_name", "table_schema", func(v *View) {
		m.row(m.world.Database, v.Schema, v.Name, "VIEW", "NO", nil, "SELECT", nil, nil)
	})
}

// described gives the views themselves, of the schemas that a statement names: they
// are not among the tables that a program looks for.
func (m *maker) described(column, schema string, each func(*View)) {
	for _, s := range []string{System, Information} {
		if !m.wants(schema, s) || !m.names(schema, s) && !m.names(column, "") {
			continue
		}
		for _, n := range Names(s) {
			if m.wants(column, n) {
				each(views[s+"."+n])
			}
		}
	}
}

// names reports whether the statement fixes a column, and to a text if it is given.
func (m *maker) names(column, text string) bool {
	list, ok := m.filter.names(column)
	if !ok || text == "" {
		return ok
	}
	for _, n := range list {
		if n == text {
			return true
		}
	}
	return false
}

func has(f *toolfn.TableFacts, v toolfn.Verb) bool {
	for _, x := range f.Verbs {
		if x == v {
			return true
		}
	}
	return false
}

func verbsOf(f *toolfn.TableFacts) (words []string) {
	for _, v := range f.Verbs {
		words = append(words, strings.ToUpper(v.String()))
	}
	return words
}

func columns(m *maker) {
	m.entities("table_name", "table_schema", func(e entity) {
		for _, a := range e.attributes() {
			if m.wants("column_name", a.name) {
				m.column(e, a)
			}
		}
	})
	m.described("table_name", "table_schema", func(v *View) {
		for i, c := range v.Columns {
			if m.wants("column_name", c.Name) {
				m.column(entity{schema: v.Schema, name: v.Name}, attribute{name: c.Name, kind: c.Type, position: int64(i + 1)})
			}
		}
	})
}

func (m *maker) column(e entity, a attribute) {
	t := typeOf(a.kind)
	precision, scale, fraction := figures(t.OID)
	vals := []value.Value{
		m.world.Database, e.schema, e.name, a.name, a.position, nil, yes(!a.required()), printed(t),
		nil, precision, scale, fraction, t.Name, "NO", nil, "NO", "NO", nil, nil,
	}
	if c := a.facts; c != nil {
		if c.Default != nil {
			vals[5] = literal(t, c.Default)
		}
		writes := has(e.facts, toolfn.Insert) || has(e.facts, toolfn.Update)
		vals[13] = yes(writes && !c.ReadOnly && !c.Argument)
		vals[14] = described(c.Description)
		vals[15], vals[16] = yes(c.RequiredKey), yes(c.RequiredInsert)
		vals[17] = listed(c.Enum)
		vals[18] = joined(pushed(c))
	}
	m.row(vals...)
}

// pushed lists the comparisons that the server does itself.
func pushed(c *toolfn.ColumnFacts) (words []string) {
	if c.Equal {
		words = append(words, "=")
	}
	if c.In {
		words = append(words, "IN")
	}
	return append(words, c.Does.Words()...)
}

// literal writes a default as the server prints one.
func literal(t *pgcat.Type, v value.Value) string {
	if text, ok := v.(string); ok {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'::" + pgcat.Default().FormatType(t.OID)
	}
	raw, _ := value.Append(nil, v)
	switch v.(type) {
	case bool:
		return string(raw)
	case []value.Value, *value.Object:
		return "'" + strings.ReplaceAll(string(raw), "'", "''") + "'::" + pgcat.Default().FormatType(t.OID)
	}
	return string(raw)
}

// figures gives the precision, scale and fraction of a second that the server shows
// for types without a length of their own.
func figures(t pgcat.OID) (precision, scale, fraction value.Value) {
	switch t {
	case pgcat.Int2:
		return int64(16), int64(0), nil
	case pgcat.Int4:
		return int64(32), int64(0), nil
	case pgcat.Int8:
		return int64(64), int64(0), nil
	case pgcat.Float4:
		return int64(24), nil, nil
	case pgcat.Float8:
		return int64(53), nil, nil
	case pgcat.Timestamptz, pgcat.Timestamp, pgcat.Time, pgcat.Timetz:
		return nil, nil, int64(6)
	case pgcat.Date:
		return nil, nil, int64(0)
	}
	return nil, nil, nil
}

func privileges(m *maker) {
	m.entities("table_name", "table_schema", func(e entity) {
		words := []string{"SELECT"}
		if e.facts != nil {
			words = verbsOf(e.facts)
		}
		for _, w := range words {
			m.row(m.world.User, m.world.User, m.world.Database, e.schema, e.name, w, "NO")
		}
	})
}
