package infoschema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/toolfn"
)

// classOID is the number of pg_class, which descriptions of tables refer to.
const classOID = 1259

func init() {
	view(System, "pg_tables", "schemaname name, tablename name, tableowner name, tablespace name, hasindexes bool, hasrules bool, hastriggers bool, rowsecurity bool", pgTables)
	view(System, "pg_views", "schemaname name, viewname name, viewowner name, definition text", nothing)
	view(System, "pg_matviews", "schemaname name, matviewname name, matviewowner name, definition text", nothing)
	view(System, "pg_indexes", "schemaname name, tablename name, indexname name, tablespace name, indexdef text", nothing)
	view(System, "pg_namespace", "oid oid, nspname name, nspowner oid", namespaces)
	view(System, "pg_class", `oid oid, relname name, relnamespace oid, reltype oid, relowner oid, relpages int4, reltuples float4, relhasindex bool,
		relisshared bool, relpersistence "char", relkind "char", relnatts int2, relchecks int2, relhasrules bool, relhastriggers bool, relispartition bool`, classes)
	view(System, "pg_attribute", `attrelid oid, attname name, atttypid oid, attlen int2, attnum int2, atttypmod int4, attndims int2, attnotnull bool,
		atthasdef bool, attidentity "char", attgenerated "char", attisdropped bool, attislocal bool`, attributes)
	view(System, "pg_attrdef", "oid oid, adrelid oid, adnum int2", nothing)
	view(System, "pg_index", "indexrelid oid, indrelid oid, indnatts int2, indisunique bool, indisprimary bool", nothing)
	view(System, "pg_constraint", `oid oid, conname name, connamespace oid, contype "char", conrelid oid, confrelid oid, conkey int2[]`, pgConstraints)
	view(System, "pg_type", `oid oid, typname name, typnamespace oid, typlen int2, typtype "char", typcategory "char", typispreferred bool, typelem oid, typarray oid`, types)
	view(System, "pg_enum", "oid oid, enumtypid oid, enumsortorder float4, enumlabel name", nothing)
	view(System, "pg_description", "objoid oid, classoid oid, objsubid int4, description text", descriptions)
	view(System, "pg_database", "oid oid, datname name, datdba oid, encoding int4, datallowconn bool", databases)
	view(System, "pg_proc", `oid oid, proname text, pronamespace oid, prokind "char", provolatile "char", pronargs int2, prorettype oid`, procs)
}

func pgTables(m *maker) {
	m.entities("tablename", "schemaname", func(e entity) {
		m.row(e.schema, e.name, m.world.User, nil, e.facts != nil && len(e.facts.Key) > 0, false, false, false)
	})
}

func namespaces(m *maker) {
	for _, n := range []string{System, Information, "public"} {
		if m.wants("nspname", n) && m.wants("oid", schemaOIDs[n]) {
			m.row(schemaOIDs[n], n, int64(10))
		}
	}
}

func classes(m *maker) {
	m.entities("relname", "", func(e entity) {
		if !m.wants("oid", e.oid) || !m.wants("relnamespace", schemaOIDs[e.schema]) {
			return
		}
		persistence, rows := "p", float64(-1)
		if e.temporary != nil {
			persistence, rows = "t", float64(e.temporary.Rows)
		}
		m.row(e.oid, e.name, schemaOIDs[e.schema], int64(0), int64(10), int64(0), rows, e.facts != nil && len(e.facts.Key) > 0,
			false, persistence, "r", int64(len(e.attributes())), int64(0), false, false, false)
	})
}

func attributes(m *maker) {
	m.entities("", "", func(e entity) {
		if !m.wants("attrelid", e.oid) {
			return
		}
		for _, a := range e.attributes() {
			if !m.wants("attname", a.name) {
				continue
			}
			t := typeOf(a.kind)
			dims := int64(0)
			if t.TrueArray {
				dims = 1
			}
			m.row(e.oid, a.name, int64(t.OID), int64(t.Length), a.position, int64(-1), dims, a.required(),
				a.facts != nil && a.facts.Default != nil, "", "", false, true)
		}
	})
}

func pgConstraints(m *maker) {
	m.entities("", "", func(e entity) {
		if !m.wants("conrelid", e.oid) {
			return
		}
		for i, c := range constraintsOf(e.facts) {
			kind := map[string]string{"PRIMARY KEY": "p", "CHECK": "c"}[c.kind]
			if kind == "" || !m.wants("conname", c.name) {
				continue
			}
			m.row(1<<28+e.oid*64+int64(i), c.name, schemaOIDs[e.schema], kind, e.oid, int64(0), positions(e.facts, c.columns))
		}
	})
}

// positions writes the numbers of columns as an array.
func positions(f *toolfn.TableFacts, names []string) string {
	var parts []string
	for _, n := range names {
		for i := range f.Columns {
			if f.Columns[i].Name == n {
				parts = append(parts, strconv.Itoa(f.Columns[i].Position))
			}
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func types(m *maker) {
	var list []*pgcat.Type
	for t := range pgcat.Default().Types() {
		if m.wants("typname", t.Name) && m.wants("oid", int64(t.OID)) {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *pgcat.Type) int { return cmp.Compare(a.OID, b.OID) })
	for _, t := range list {
		m.row(int64(t.OID), t.Name, int64(oidSystem), int64(t.Length), string(t.Kind), string(t.Category), t.Preferred, int64(t.Element), int64(t.Array))
	}
}

func descriptions(m *maker) {
	if !m.wants("classoid", int64(classOID)) {
		return
	}
	m.entities("", "", func(e entity) {
		if e.facts == nil || !m.wants("objoid", e.oid) {
			return
		}
		if d := described(e.facts.Description); d != nil {
			m.row(e.oid, int64(classOID), int64(0), d)
		}
		for i := range e.facts.Columns {
			if d := described(e.facts.Columns[i].Description); d != nil {
				m.row(e.oid, int64(classOID), int64(i+1), d)
			}
		}
	})
}

func databases(m *maker) {
	m.row(int64(5), m.world.Database, int64(10), int64(6), true)
}

func procs(m *maker) {
	i := int64(firstTemporary / 2)
	for _, f := range m.world.Catalog.All() {
		i++
		if m.wants("proname", f.Name) {
			m.row(i, f.Name, int64(oidPublic), "f", "v", int64(0), int64(pgcat.JSONB))
		}
	}
	for _, f := range m.builtins("proname") {
		m.row(int64(f.OID), f.Name, int64(oidSystem), string(f.Kind), string(f.Volatility), int64(len(f.Args)), int64(f.Result))
	}
}
