package sql

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// languageName is the language's short name.
const languageName = "sql"

// Language is the SQL surface.
func Language() surfaces.Language { return language{} }

type language struct{}

func (language) Name() string  { return languageName }
func (language) Title() string { return "SQL" }

// Open starts a session.
func (language) Open(ws *surfaces.Workspace) (surfaces.Session, error) { return open(ws) }

// Relational tells that statements work on tables.
func (language) Relational() {}

// ProgramInput says how the tools take statements.
func (language) ProgramInput() (key, description, parameters string) {
	return languageName, "PostgreSQL statements, separated by semicolons. The rows of the last one are returned.", "Values of $1, $2, … in their order."
}

// CallForm writes a call as a program spells it.
func (language) CallForm(function string, args *value.Object) string {
	if table, verb, ok := strings.Cut(function, "."); ok {
		return statementForm(table, verb, args)
	}
	return "SELECT * FROM " + callText(spelled(function), args)
}

// statementForm writes a use of a table as the statement that it is.
func statementForm(table, verb string, args *value.Object) string {
	var parts []string
	for k, v := range args.All() {
		list, many := v.([]value.Value)
		if !many {
			parts = append(parts, k+" = "+literal(v))
			continue
		}
		texts := make([]string, len(list))
		for i, x := range list {
			texts[i] = literal(x)
		}
		parts = append(parts, k+" IN ("+strings.Join(texts, ", ")+")")
	}
	text := map[string]string{"select": "SELECT … FROM ", "insert": "INSERT INTO ", "update": "UPDATE ", "delete": "DELETE FROM "}[verb] + table
	if len(parts) > 0 {
		text += " WHERE " + strings.Join(parts, " AND ")
	}
	return text
}

// spelled is how statements name a function: in the schema of its server.
func spelled(function string) string {
	if before, after, ok := strings.Cut(function, "__"); ok && before != "" && after != "" {
		return before + "." + after
	}
	return function
}

// callText writes a call with named arguments.
func callText(function string, args *value.Object) string {
	var parts []string
	for k, v := range args.All() {
		parts = append(parts, k+" => "+literal(v))
	}
	return function + "(" + strings.Join(parts, ", ") + ")"
}

// literal writes plain data as a constant of SQL.
func literal(v value.Value) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case bool, int64:
		return fmt.Sprint(v)
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case float64:
		return string(value.AppendFloat(nil, v))
	}
	text, _ := value.Append(nil, v)
	return "'" + strings.ReplaceAll(string(text), "'", "''") + "'"
}

// Signatures is how the language spells signatures and types in discovery.
func (language) Signatures() toolfn.Style {
	s := toolfn.Neutral
	s.Name = func(f *toolfn.ToolFn) string { return spelled(f.Name) }
	s.Args = [2]string{"", ""}
	s.Pair, s.Assign = " ", " => "
	s.Words.String, s.Words.Integer, s.Words.Number = "text", "bigint", "double precision"
	s.Words.Object, s.Words.Any = "jsonb", "jsonb"
	s.Value = literal
	return s
}

// Style spells how a program reads on where a result was cut.
func (language) Style() elide.Style {
	return elide.Style{Hint: "count(*) it, name the columns you need, or read on with LIMIT and OFFSET"}
}

// Card describes the language as implemented. The examples in it are run by a test.
func (language) Card() []string { return append([]string(nil), card...) }

var card = []string{
	"PostgreSQL's SELECT whole: joins of every kind, sub-queries, WITH [RECURSIVE], window functions, grouping sets, set operations, json and jsonb, arrays, dates and intervals, to_char, regular expressions.",
	"A required column must be given values in WHERE, by =, IN, a sub-query or a join; otherwise the statement is refused before anything is read.",
	"INSERT, UPDATE and DELETE change the tables that allow it, by any predicate, with RETURNING.",
	"Tables and columns have their plain names; information_schema and pg_catalog describe them. Parameters are $1, $2, … with params.",
	"Not here: CREATE, ALTER, COPY, SET, functions of your own.",
}
