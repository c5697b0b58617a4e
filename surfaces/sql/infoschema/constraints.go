package infoschema

import (
	"strings"

	"github.com/polyglove/polyglove/toolfn"
)

func init() {
	view(Information, "table_constraints", `constraint_catalog name, constraint_schema name, constraint_name name, table_catalog name,
		table_schema name, table_name name, constraint_type varchar, is_deferrable varchar, initially_deferred varchar, enforced varchar, description text`, tableConstraints)
	view(Information, "key_column_usage", `constraint_catalog name, constraint_schema name, constraint_name name, table_catalog name,
		table_schema name, table_name name, column_name name, ordinal_position int4, position_in_unique_constraint int4`, keyColumns)
	view(Information, "constraint_column_usage", `table_catalog name, table_schema name, table_name name, column_name name,
		constraint_catalog name, constraint_schema name, constraint_name name`, constraintColumns)
	view(Information, "check_constraints", "constraint_catalog name, constraint_schema name, constraint_name name, check_clause varchar", checks)
	view(Information, "referential_constraints", `constraint_catalog name, constraint_schema name, constraint_name name, unique_constraint_catalog name,
		unique_constraint_schema name, unique_constraint_name name, match_option varchar, update_rule varchar, delete_rule varchar`, nothing)
	view(Information, "triggers", "trigger_catalog name, trigger_schema name, trigger_name name, event_manipulation varchar, event_object_table name", nothing)
	view(Information, "sequences", "sequence_catalog name, sequence_schema name, sequence_name name, data_type varchar", nothing)
}

// constraint is one rule of a table.
type constraint struct {
	name, kind, clause, about string
	columns                   []string
}

// requiredKey is the kind of what a read must fix, which a server's tables have not.
const requiredKey = "REQUIRED KEY"

func constraintsOf(f *toolfn.TableFacts) (out []constraint) {
	if f == nil {
		return nil
	}
	if len(f.Key) > 0 {
		out = append(out, constraint{name: f.Name + "_pkey", kind: "PRIMARY KEY", columns: f.Key})
	}
	if len(f.Required) > 0 {
		out = append(out, constraint{
			name: f.Name + "_required", kind: requiredKey, columns: f.Required,
			about: "A read must fix " + strings.Join(f.Required, " and ") + ", by =, IN, a sub-query or a join.",
		})
	}
	for i := range f.Columns {
		if c := &f.Columns[i]; len(c.Enum) > 0 {
			out = append(out, constraint{name: f.Name + "_" + c.Name + "_check", kind: "CHECK", clause: allowed(c), columns: []string{c.Name}})
		}
	}
	return out
}

// allowed writes the values of an enum as the server prints such a check.
func allowed(c *toolfn.ColumnFacts) string {
	t := typeOf(c.Type)
	parts := make([]string, len(c.Enum))
	for i, v := range c.Enum {
		parts[i] = literal(t, v)
	}
	return "((" + c.Name + " = ANY (ARRAY[" + strings.Join(parts, ", ") + "])))"
}

func (m *maker) constraints(column, schema string, each func(entity, constraint)) {
	m.entities(column, schema, func(e entity) {
		for _, c := range constraintsOf(e.facts) {
			if m.wants("constraint_name", c.name) && m.wants("constraint_type", c.kind) {
				each(e, c)
			}
		}
	})
}

func tableConstraints(m *maker) {
	db := m.world.Database
	m.constraints("table_name", "table_schema", func(e entity, c constraint) {
		m.row(db, e.schema, c.name, db, e.schema, e.name, c.kind, "NO", "NO", "YES", described(c.about))
	})
}

func keyColumns(m *maker) {
	db := m.world.Database
	m.constraints("table_name", "table_schema", func(e entity, c constraint) {
		for i, n := range c.columns {
			if c.kind != "CHECK" {
				m.row(db, e.schema, c.name, db, e.schema, e.name, n, int64(i+1), nil)
			}
		}
	})
}

func constraintColumns(m *maker) {
	db := m.world.Database
	m.constraints("table_name", "table_schema", func(e entity, c constraint) {
		for _, n := range c.columns {
			m.row(db, e.schema, e.name, n, db, e.schema, c.name)
		}
	})
}

func checks(m *maker) {
	m.constraints("", "constraint_schema", func(e entity, c constraint) {
		if c.clause != "" {
			m.row(m.world.Database, e.schema, c.name, c.clause)
		}
	})
}
