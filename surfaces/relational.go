package surfaces

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Relational is a Language whose programs work on the catalogue's tables rather than
// on its functions. It has one frame, and finds its way by an information schema, so
// that it needs no discovery tools.
type Relational interface {
	Language
	// Relational tells that the language is one.
	Relational()
}

func isRelational(l Language) bool {
	_, ok := l.(Relational)
	return ok
}

// relational reports whether every mounted language is relational.
func (m *mount) relational() bool {
	for _, l := range m.opts.Languages {
		if !isRelational(l) {
			return false
		}
	}
	return true
}

// Tabular is a Language whose programs reach the catalogue's tables beside its
// functions.
type Tabular interface {
	Language
	// TableLines say how a program finds, reads and, with changes, changes the tables,
	// one idea a line, with t as the example. The first is how to read one.
	TableLines(t *toolfn.ResourceTable, changes bool) []string
}

// showsTables reports whether the tables belong into the preamble: where a language
// is relational, and where one reaches tables and there are some.
func (m *mount) showsTables() bool {
	for _, l := range m.opts.Languages {
		_, tabular := l.(Tabular)
		if isRelational(l) || tabular && m.exampleTable() != nil {
			return true
		}
	}
	return false
}

// tableLines are what the tabular languages say of the tables.
func (m *mount) tableLines() (lines []string) {
	for _, l := range m.opts.Languages {
		lines = append(lines, m.linesOf(l)...)
	}
	return lines
}

func (m *mount) linesOf(l Language) []string {
	t := m.exampleTable()
	if l, ok := l.(Tabular); ok && t != nil {
		return l.TableLines(t, m.writable())
	}
	return nil
}

// tablePreamble is the preamble of a mount whose programs are about tables.
func (m *mount) tablePreamble() string {
	r := m.roles[0]
	parts := []string{
		fmt.Sprintf("# Your tools: a relational database\n\nYour capabilities are the tables of one database that speaks PostgreSQL, and the one tool that reaches it is %s. "+
			"Send statements; the rows of the last one are what you get back.", r.tool),
	}
	if t := m.exampleTable(); t != nil {
		key, _, _ := programInput(r.language)
		parts = append(parts, fmt.Sprintf("Read this first: the tables are not tools.\n- Wrong: calling a tool named %s.\n- Right: calling %s with %s",
			t.Name, r.tool, string(encode(value.Of(key, sample(t))))))
	}
	parts = append(parts, "## "+r.language.Title()+" here\n"+bullets(r.language.Card()), m.tableDiscipline(r), m.tablesPart(), m.callable(r.language))
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n\n")
}

// exampleTable is the table that is quickest to read: without a required key.
func (m *mount) exampleTable() *toolfn.ResourceTable {
	var found *toolfn.ResourceTable
	for _, t := range m.ws.catalog.Tables() {
		if !t.Can(toolfn.Select) {
			continue
		}
		if found == nil || len(requiredKeys(found)) > 0 {
			found = t
		}
	}
	return found
}

func requiredKeys(t *toolfn.ResourceTable) (names []string) {
	for i := range t.Columns {
		if t.Columns[i].RequiredKey {
			names = append(names, t.Columns[i].Name)
		}
	}
	return names
}

// sample is a statement that shows a few rows of a table.
func sample(t *toolfn.ResourceTable) string {
	where := ""
	for i, k := range requiredKeys(t) {
		where += []string{" WHERE ", " AND "}[min(i, 1)] + k + " = '…'"
	}
	return "SELECT * FROM " + t.Name + where + " LIMIT 5"
}

// tableDiscipline is how to work with tables.
func (m *mount) tableDiscipline(r role) string {
	var lines []string
	if m.shown.tables == signatures {
		lines = append(lines, "The tables are listed below; information_schema.columns says more of a column: description, enum_values, is_required_key.")
	} else {
		lines = append(lines, "Find a table: SELECT table_name, description FROM information_schema.tables WHERE table_schema = 'public'. "+
			"Then its columns: SELECT column_name, data_type, description, enum_values, is_required_key FROM information_schema.columns WHERE table_name = '…'.")
	}
	lines = append(lines,
		"Compute in the statement: filter, join, group and count there, and select the columns that you need. Only the rows of the result enter your context.",
		"State only what a result has shown you. No rows may mean a wrong value: look at the values that there are before you say so.",
		"Use as few statements as you can, and end as soon as the answer is known.",
	)
	if m.writable() {
		lines = append(lines, "A change takes effect at once and cannot be undone. Its answer, such as UPDATE 3, is what has happened: nothing need be read again. If an error follows a change, go on from what it says.")
		if w, ok := m.staging(r.language); ok {
			lines = append(lines, fmt.Sprintf("Hold several changes back with %s: they are checked and your own reads see them. %s makes them, %s drops them; nothing pending happens by itself.", w.Stage, w.Commit, w.Rollback))
		}
	}
	if m.tries(r) {
		lines = append(lines, "Where much is at stake, try first: "+dryRunKey+": true beside the statements lists what they would change and changes nothing.")
	}
	if r.explain != "" {
		lines = append(lines, r.explain+" says what statements would read and change, and runs nothing.")
	}
	lines = append(lines, "After an error change what it names; the same statement fails the same way.")
	return "## How to work\n" + bullets(lines)
}

// writable reports whether some table can be changed.
func (m *mount) writable() bool {
	for _, t := range m.ws.catalog.Tables() {
		if t.Can(toolfn.Insert) || t.Can(toolfn.Update) || t.Can(toolfn.Delete) {
			return true
		}
	}
	return false
}

// tablesPart shows the tables as far as they are shown.
func (m *mount) tablesPart() string {
	n, how := len(m.ws.catalog.Tables()), bullets(m.tableLines())
	if how != "" {
		how = "\n" + how
	}
	switch {
	case n == 0:
		return "## The tables\nThere are none at present."
	case m.shown.tableText == "":
		return fmt.Sprintf("## The tables\n%s, not listed here.%s", plural(n, "table"), how)
	case m.shown.tables == names:
		return fmt.Sprintf("## The tables\n%s, by name.%s\n\n%s", plural(n, "table"), how, m.shown.tableText)
	}
	return fmt.Sprintf("## The tables\n%s. After a column's type: its values, or what it holds; ! must be given to read, + must be given to insert.%s\n\n%s", plural(n, "table"), how, m.shown.tableText)
}

// tablesAsShown decides how much of the tables is shown: the most detailed form that
// fits the ceiling.
func (m *mount) tablesAsShown(ceiling int) (detail, string) {
	for _, form := range []struct {
		detail detail
		line   func(*toolfn.ResourceTable) string
		gap    string
	}{{signatures, tableLine, "\n"}, {names, func(t *toolfn.ResourceTable) string { return t.Name }, ", "}} {
		var b strings.Builder
		fits := true
		for i, t := range m.ws.catalog.Tables() {
			if i > 0 {
				b.WriteString(form.gap)
			}
			b.WriteString(form.line(t))
			if fits = EstimateTokens(b.String()) <= ceiling; !fits {
				break
			}
		}
		if fits {
			return form.detail, b.String()
		}
	}
	return counts, ""
}

// tableLine describes a table: its verbs, its description and its columns.
func tableLine(t *toolfn.ResourceTable) string {
	var verbs, columns []string
	for _, v := range t.Verbs() {
		verbs = append(verbs, v.String())
	}
	for i := range t.Columns {
		columns = append(columns, columnWords(&t.Columns[i]))
	}
	text := "### " + t.Name + " [" + strings.Join(verbs, ", ") + "]"
	if d := toolfn.Plain(t.Description, 160); d != "" {
		text += " " + d
	}
	return text + "\n" + strings.Join(columns, ", ")
}

func columnWords(c *toolfn.Column) string {
	text := c.Name
	if c.RequiredKey {
		text += "!"
	}
	if c.RequiredInsert {
		text += "+"
	}
	text += " " + c.Type
	switch {
	case len(c.Enum) > 0 && len(c.Enum) <= 8:
		var list []string
		for _, v := range c.Enum {
			raw, _ := value.Append(nil, v)
			var s string
			if json.Unmarshal(raw, &s) != nil {
				s = string(raw)
			}
			list = append(list, toolfn.Plain(s, 24))
		}
		text += " (" + strings.Join(list, " | ") + ")"
	case c.Description != "":
		text += " (" + toolfn.Plain(c.Description, 60) + ")"
	}
	return text
}

// callable tells that functions can be called in statements, where there are any that
// are not merely the verbs of tables.
func (m *mount) callable(l Language) string {
	n := 0
	for _, f := range m.ws.catalog.All() {
		if f.Rows == nil {
			n++
		}
	}
	if n == 0 || m.shown.example.fn == nil {
		return ""
	}
	return fmt.Sprintf("## The functions\n%s can be read from as well, in the form SELECT * FROM %s. information_schema.routines lists them (routine_schema, routine_name, description), information_schema.parameters what they take.",
		plural(n, "function"), m.shown.example.call(l))
}

// describeTableTool is the code tool's description of a relational language. It
// stands on its own, because a host may leave the preamble out.
func (m *mount) describeTableTool(r role) string {
	var b strings.Builder
	b.WriteString("Run PostgreSQL statements over the tables of this workspace: your capabilities are those tables, not tools.")
	b.WriteString(" Find them in information_schema.tables, and their columns in information_schema.columns (data_type, description, enum_values, is_required_key).")
	if t := m.exampleTable(); t != nil {
		b.WriteString(" Read one like " + sample(t) + ".")
	}
	b.WriteString(" Give a required column values in WHERE. Filter, join and count in the statement; the rows of the last statement come back.")
	if m.writable() {
		b.WriteString(" Changes take effect at once; after an error go on from what it says has happened.")
		if w, ok := m.staging(r.language); ok {
			fmt.Fprintf(&b, " Hold several back with %s and then %s or %s.", w.Stage, w.Commit, w.Rollback)
		}
	}
	return b.String()
}
