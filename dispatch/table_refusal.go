package dispatch

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// refusedStatement is the fault of a statement that was refused before anything
// fired.
func refusedStatement(message, hint string) *sandbox.Fault {
	return &sandbox.Fault{Kind: sandbox.KindArgument, Message: message, Hint: hint}
}

func (r *Run) unknownTable(name string) *sandbox.Fault {
	f := &sandbox.Fault{Kind: sandbox.KindName, Message: "there is no table '" + sandbox.Clip(name, 60) + "'."}
	var names []string
	for _, t := range r.d.catalog.Tables() {
		names = append(names, t.Name)
	}
	if near, ok := sandbox.Nearest(name, names); ok {
		f.Hint = "Did you mean " + near + "?"
	} else if len(names) > 0 {
		f.Hint = "The tables are " + enumerate(names, 12) + "."
	}
	return f
}

// enumerate lists names, at most so many.
func enumerate(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}

func unknownColumn(t *toolfn.ResourceTable, name string) *sandbox.Fault {
	var names []string
	for i := range t.Columns {
		names = append(names, t.Columns[i].Name)
	}
	hint := "Its columns are " + enumerate(names, 30) + "."
	if near, ok := sandbox.Nearest(name, names); ok {
		hint = "Did you mean " + near + "?"
	}
	return refusedStatement(fmt.Sprintf("table %s has no column '%s'.", t.Name, sandbox.Clip(name, 60)), hint)
}

func missingKeys(t *toolfn.ResourceTable, columns []string) *sandbox.Fault {
	examples := make([]string, len(columns))
	for i, name := range columns {
		c, _ := t.Column(name)
		examples[i] = name + " = " + exampleOf(c)
	}
	f := refusedStatement(
		fmt.Sprintf("table %s can only be read with %s fixed to a value.", t.Name, strings.Join(columns, " and ")),
		"Ask for it by equality, as in "+strings.Join(examples, " AND ")+".")
	f.Cause = &MissingKeys{Table: t.Name, Columns: columns}
	return f
}

// exampleOf gives a value of a column's type.
func exampleOf(c *toolfn.Column) string {
	if len(c.Enum) > 0 {
		if s, ok := c.Enum[0].(string); ok {
			return "'" + s + "'"
		}
		return shownValue(c.Enum[0])
	}
	switch c.Type {
	case "bigint", "numeric", "double precision":
		return "1"
	case "boolean":
		return "true"
	case "timestamptz":
		return "'2026-01-31T09:30:00Z'"
	case "date":
		return "'2026-01-31'"
	}
	return "'…'"
}

// wrongValue is the fault of a value that does not fit its column.
func wrongValue(t *toolfn.ResourceTable, c *toolfn.Column, err error) *sandbox.Fault {
	return refusedStatement(fmt.Sprintf("table %s, column %s: %s.", t.Name, c.Name, err.Error()), "Give a value of the column's type.")
}

func notAllowed(t *toolfn.ResourceTable, c *toolfn.Column, v value.Value) *sandbox.Fault {
	words := make([]string, len(c.Enum))
	var near []string
	for i, e := range c.Enum {
		words[i] = shownValue(e)
		if s, ok := e.(string); ok {
			near = append(near, s)
		}
	}
	f := refusedStatement(fmt.Sprintf("table %s, column %s: %s is not one of its values.", t.Name, c.Name, shownValue(v)), "The values are "+enumerate(words, 12)+".")
	if s, ok := v.(string); ok {
		if n, ok := sandbox.Nearest(s, near); ok {
			f.Hint = "Did you mean " + shownValue(n) + "? " + f.Hint
		}
	}
	return f
}

// unqualified refuses a write that names no rows.
func unqualified(t *toolfn.ResourceTable, v toolfn.Verb) *sandbox.Fault {
	return refusedStatement(
		fmt.Sprintf("%s %s of %s without a condition is about every row.", article(v), v, t.Name),
		"Say which rows are meant, or, if all are, say that.")
}

func article(v toolfn.Verb) string {
	if v == toolfn.Insert || v == toolfn.Update {
		return "an"
	}
	return "a"
}

// tooBroad refuses a write whose condition the server would not honour.
func tooBroad(t *toolfn.ResourceTable, v toolfn.Verb, reason string) *sandbox.Fault {
	f := refusedStatement(
		fmt.Sprintf("%s %s of %s cannot be held to this condition: %s. Nothing was changed.", article(v), v, t.Name, reason), "")
	if by := writeColumns(t); len(by) > 0 {
		f.Hint = "Read the rows first, then " + v.String() + " them by " + strings.Join(by, " and ") + "."
	} else {
		f.Hint = "The table names no key, so single rows of it cannot be written; look for a function that does it."
	}
	return f
}

// shownValue shows a value in a message.
func shownValue(v value.Value) string {
	text, err := value.Append(nil, v)
	if err != nil {
		return "a value that cannot be shown"
	}
	return sandbox.Clip(toolfn.Plain(string(text), 200), 60)
}

// shownRow shows some columns in a message: id 4, repo "web".
func shownRow(row *value.Object) string {
	var parts []string
	for k, v := range row.All() {
		if list, ok := v.([]value.Value); ok && len(list) == 1 {
			v = list[0]
		}
		if parts = append(parts, k+" "+shownValue(v)); len(parts) == 3 {
			break
		}
	}
	return strings.Join(parts, ", ")
}
