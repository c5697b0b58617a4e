package infoschema

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// entity is a table as views see it, of the catalogue or of the session.
type entity struct {
	schema, name string
	oid          int64
	facts        *toolfn.TableFacts // nil for a table of the session
	temporary    *Temporary
}

// The numbers that a server gives schemas and the first of what users make.
const (
	oidSystem      = 11
	oidPublic      = 2200
	oidInformation = 13000
	oidTemporary   = 13100
	firstOID       = 16384
	firstTemporary = 1 << 30
)

var schemaOIDs = map[string]int64{System: oidSystem, "public": oidPublic, Information: oidInformation, "pg_temp": oidTemporary}

// entities gives the tables whose name and schema a statement may ask for; column
// and schema name the view's columns that have them, "" for none.
func (m *maker) entities(column, schema string, each func(entity)) {
	if m.wants(schema, "public") {
		m.registered(column, each)
	}
	if m.wants(schema, "pg_temp") {
		for i := range m.world.Temporary {
			t := &m.world.Temporary[i]
			if m.wants(column, t.Name) {
				each(entity{schema: "pg_temp", name: t.Name, oid: firstTemporary + int64(i), temporary: t})
			}
		}
	}
}

// registered gives the tables of the catalogue.
func (m *maker) registered(column string, each func(entity)) {
	i := int64(firstOID - 1)
	for _, t := range m.world.Catalog.Tables() {
		i++
		if !m.wants(column, t.Name) {
			continue
		}
		f := t.Facts()
		f.Server = m.world.Catalog.TableServer(t.Name)
		each(entity{schema: "public", name: t.Name, oid: i, facts: &f})
	}
}

// attribute is a column as views see it.
type attribute struct {
	name, kind string
	position   int64
	facts      *toolfn.ColumnFacts // nil for one of the session
}

func (e *entity) attributes() []attribute {
	var out []attribute
	if e.facts == nil {
		for i, c := range e.temporary.Columns {
			out = append(out, attribute{name: c.Name, kind: c.Type, position: int64(i + 1)})
		}
		return out
	}
	for i := range e.facts.Columns {
		c := &e.facts.Columns[i]
		out = append(out, attribute{name: c.Name, kind: c.Type, position: int64(c.Position), facts: c})
	}
	return out
}

// required reports whether the column is never NULL: read with a value, given by an
// insert, part of a key, or declared so.
func (a *attribute) required() bool {
	c := a.facts
	return c != nil && (c.RequiredKey || c.RequiredInsert || c.NotNull || c.Key)
}

// described gives a text, NULL for none.
func described(text string) value.Value {
	if text = toolfn.Plain(text, 2000); text != "" {
		return text
	}
	return nil
}

// yes gives the words of the type yes_or_no.
func yes(is bool) string {
	if is {
		return "YES"
	}
	return "NO"
}

// typeOf gives the type of a column that is declared by one of our words, or as the
// server prints it.
func typeOf(word string) *pgcat.Type {
	c := pgcat.Default()
	if n, ok := internal[word]; ok {
		return c.TypeNamed(n)
	}
	if t := c.TypeNamed(word); t != nil {
		return t
	}
	return c.TypeNamed("text")
}

var internal = map[string]string{
	"text": "text", "bigint": "int8", "double precision": "float8", "numeric": "numeric", "boolean": "bool", "jsonb": "jsonb",
	"timestamptz": "timestamptz", "date": "date", "integer": "int4", "smallint": "int2", "real": "float4",
	"timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp", "character varying": "varchar",
	"time without time zone": "time", "time with time zone": "timetz", "character": "bpchar",
}

// printed is the type as information_schema prints it.
func printed(t *pgcat.Type) string {
	if t.TrueArray {
		return "ARRAY"
	}
	return pgcat.Default().FormatType(t.OID)
}

// listed gives values as an array of texts, NULL for none.
func listed(values []value.Value) value.Value {
	if len(values) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		text, ok := v.(string)
		if !ok {
			raw, _ := value.Append(nil, v)
			text = string(raw)
		}
		b.WriteByte('"')
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text))
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

// joined gives words as one text, NULL for none.
func joined(words []string) value.Value {
	if len(words) == 0 {
		return nil
	}
	return strings.Join(words, ", ")
}
