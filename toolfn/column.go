package toolfn

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Pushdown is which predicates on a column a table passes to its server.
type Pushdown uint8

// The kinds of pushdown; each includes the ones before it.
const (
	PushNone  Pushdown = iota
	PushEqual          // column = value
	PushIn             // column IN (values)
	PushRange          // <, <=, >, >=, BETWEEN
)

// Column is one column of a table.
type Column struct {
	Name string
	// Type is one of ColumnTypes, in PostgreSQL's vocabulary.
	Type        string
	Description string
	// RequiredKey says that a read must fix the column by equality.
	RequiredKey bool
	// RequiredInsert says that an insert must give the column.
	RequiredInsert bool
	// Enum lists the allowed values, nil for any.
	Enum     []value.Value
	Pushdown Pushdown
	// Honours is what else the server does with the column.
	Honours Honours
	// Default is what an insert that leaves the column out gets; nil is unknown.
	Default value.Value
	// NotNull says that the column is never null.
	NotNull bool
	// ReadOnly says that no write may give the column.
	ReadOnly bool
	// Argument says that the column is only an argument of the read: rows that
	// lack it get the value that was asked for.
	Argument bool
}

// columnTypes is the vocabulary of Column.Type.
var columnTypes = []string{"text", "bigint", "double precision", "numeric", "boolean", "jsonb", "timestamptz", "date"}

// ColumnTypes lists the types that a column may have.
func ColumnTypes() []string { return append([]string(nil), columnTypes...) }

func (c *Column) problems() []string {
	var bad []string
	name := sandbox.Clip(Plain(c.Name, 60), 60)
	if !unquotedName(c.Name) {
		bad = append(bad, fmt.Sprintf("column %q is not an unquoted identifier: call it %q", name, sqlName(c.Name)))
	}
	known := false
	for _, t := range columnTypes {
		known = known || t == c.Type
	}
	if !known {
		bad = append(bad, fmt.Sprintf("column %q has the unknown type %q: want %s", name, sandbox.Clip(Plain(c.Type, 40), 40), strings.Join(columnTypes, ", ")))
	}
	if c.Honours&(HonoursLike|HonoursPrefix) != 0 && c.Type != "text" {
		bad = append(bad, fmt.Sprintf("column %q is declared to honour patterns and is no text", name))
	}
	if c.Does()&(HonoursRange|HonoursOrder) != 0 && c.Type == "jsonb" {
		bad = append(bad, fmt.Sprintf("column %q is declared to honour an order and jsonb has none", name))
	}
	if c.ReadOnly && c.RequiredInsert {
		bad = append(bad, fmt.Sprintf("column %q is read-only and required by insert", name))
	}
	return bad
}

// ColumnsOf derives columns from the exported fields of a struct, in order. The
// name is the field's json name; the tag `column:"…"` adds, separated by commas:
// a type of ColumnTypes, key, required, readonly, notnull, argument; the tag
// `description:"…"` describes. Integers are bigint, floats double precision,
// time.Time timestamptz, anything that is not a scalar jsonb; a pointer or
// omitempty makes no difference.
func ColumnsOf[T any]() ([]Column, error) {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("columns come from a struct, not from %s", t.Kind())
	}
	var cols []Column
	for _, f := range reflect.VisibleFields(t) {
		name, ok := jsonName(f)
		if !ok {
			continue
		}
		c := Column{Name: name, Type: columnType(f.Type), Description: f.Tag.Get("description")}
		for _, word := range strings.Split(f.Tag.Get("column"), ",") {
			if err := c.mark(strings.TrimSpace(word)); err != nil {
				return nil, err
			}
		}
		if bad := c.problems(); len(bad) > 0 {
			return nil, fmt.Errorf("%s", strings.Join(bad, ", "))
		}
		cols = append(cols, c)
	}
	if len(cols) == 0 {
		return nil, fmt.Errorf("the struct has no exported fields")
	}
	return cols, nil
}

// mark applies one word of a column tag.
func (c *Column) mark(word string) error {
	switch word {
	case "":
	case "key":
		c.RequiredKey, c.Pushdown = true, PushEqual
	case "required":
		c.RequiredInsert = true
	case "readonly":
		c.ReadOnly = true
	case "notnull":
		c.NotNull = true
	case "argument":
		c.Argument = true
	default:
		for _, t := range columnTypes {
			if t == word {
				c.Type = t
				return nil
			}
		}
		return fmt.Errorf("column %q: %q is neither a mark nor a type", c.Name, word)
	}
	return nil
}

func columnType(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return "timestamptz"
	case reflect.TypeFor[big.Int]():
		return "bigint"
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "bigint"
	case reflect.Float32, reflect.Float64:
		return "double precision"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "text"
	}
	return "jsonb"
}

// jsonName gives the name under which encoding/json writes a field, or false if
// it does not.
func jsonName(f reflect.StructField) (string, bool) {
	if !f.IsExported() || f.Anonymous {
		return "", false
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case f.Tag.Get("json") == "-":
		return "", false
	case name == "":
		return f.Name, true
	}
	return name, true
}
