package sqlgen

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// Type is a type of the generator's expressions.
type Type string

// The types.
const (
	Int     Type = "integer"
	Big     Type = "bigint"
	Text    Type = "text"
	Numeric Type = "numeric"
	Bool    Type = "boolean"
	Date    Type = "date"
	Float   Type = "double precision"
	Stamp   Type = "timestamp"
	Span    Type = "interval"
	Ints    Type = "integer[]"
	JSON    Type = "jsonb"
)

var allTypes = []Type{Int, Int, Big, Text, Text, Numeric, Numeric, Bool, Date, Float, Stamp, Span, Ints, JSON}

// Column is a column of a table.
type Column struct {
	Name string
	Type Type
}

// Table is a table with its rows as text; nil is NULL.
type Table struct {
	Name    string
	Key     string // the primary key's column, or ""
	Columns []Column
	Rows    [][]any
}

// Tables makes the three tables with rows.
func Tables(r *rand.Rand, rows int) []Table {
	one := Table{Name: "one", Key: "id", Columns: []Column{
		{"id", Int}, {"a", Int}, {"b", Big}, {"c", Text}, {"n", Numeric}, {"ok", Bool}, {"d", Date}, {"f", Float}, {"ts", Stamp},
	}}
	two := Table{Name: "two", Columns: []Column{{"id", Int}, {"one_id", Int}, {"c", Text}, {"n", Numeric}, {"d", Date}}}
	three := Table{Name: "three", Columns: []Column{{"a", Int}, {"b", Big}, {"c", Text}}}
	out := []Table{one, two, three}
	for i := range out {
		for n := range rows {
			out[i].Rows = append(out[i].Rows, out[i].row(r, n))
		}
	}
	return out
}

func (t Table) row(r *rand.Rand, n int) []any {
	row := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		if c.Name == t.Key {
			row[i] = strconv.Itoa(n + 1)
			continue
		}
		if r.IntN(5) == 0 {
			continue
		}
		row[i] = value(r, c.Type)
	}
	return row
}

var words = []string{"", "a", "ab", "Abc", "b", "x y", "zz", "日本", "10", "-3"}

func value(r *rand.Rand, t Type) string {
	switch t {
	case Int, Big:
		return strconv.Itoa(r.IntN(12) - 3)
	case Numeric:
		return fmt.Sprintf("%d.%02d", r.IntN(20)-5, r.IntN(4)*25)
	case Bool:
		return strconv.FormatBool(r.IntN(2) == 0)
	case Date:
		return fmt.Sprintf("2024-%02d-%02d", r.IntN(12)+1, r.IntN(28)+1)
	case Stamp:
		return fmt.Sprintf("2024-%02d-%02d %02d:30:00", r.IntN(12)+1, r.IntN(28)+1, r.IntN(24))
	case Span:
		return fmt.Sprintf("%d mons %d days %02d:15:00", r.IntN(5)-2, r.IntN(40)-10, r.IntN(20))
	case Ints:
		return fmt.Sprintf("{%d,%s,%d}", r.IntN(5), []string{"NULL", "3", "-1"}[r.IntN(3)], r.IntN(9))
	case JSON:
		return []string{"1", "\"a\"", "null", "{\"k\": 1, \"v\": [true, null]}", "[1, 2, \"x\"]", "{}", "-2.50"}[r.IntN(7)]
	case Float:
		return strconv.FormatFloat(float64(r.IntN(40)-10)/4, 'g', -1, 64)
	}
	return words[r.IntN(len(words))]
}

// DDL gives the statement that creates the table.
func (t Table) DDL() string {
	s := "create table " + t.Name + " ("
	for i, c := range t.Columns {
		if i > 0 {
			s += ", "
		}
		s += c.Name + " " + string(c.Type)
		if c.Name == t.Key {
			s += " primary key"
		}
	}
	return s + ")"
}
