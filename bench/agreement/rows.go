package main

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// table is what a recorded statement gave. It travels as a value: an object with
// the members fields, rows, ordered, and how it is to be compared.
//
//   - fields: the names of the columns, [] for a statement that gives no rows;
//   - rows: a list of lists, in the order of the columns;
//   - ordered: whether the statement fixes the order of its rows;
//   - described: the rows are the recorder's own description of its catalogue;
//   - any: the rows depend on the time, on chance, or on which of equal rows come
//     first, so that only their number is the statement's.
func recordedTable(fields, rows value.Value, ordered bool, how string) value.Value {
	o := value.Of("$table", true, "fields", fields, "rows", rows, "ordered", ordered)
	if how != "" {
		o.Set(how, true)
	}
	return o
}

// readRows reads the form of SQL's programs in groups: fields, types and rows. What
// information_schema says of the recorder's database is not comparable; there the
// recorder's own answer is.
func (p *program) readRows(r record) error {
	var o struct {
		OK     bool
		Fields []string
		Rows   json.RawMessage
		Error  string
	}
	if err := json.Unmarshal(r.Oracle, &o); err != nil {
		return err
	}
	w := outcome{
		ok: o.OK, err: o.Error, early: strings.HasPrefix(o.Error, "syntax error"),
		apart: !r.Reference.OK && changes.MatchString(*r.Code),
	}
	p.calls = []string{*r.Code}
	rows, err := decoded(o.Rows)
	if err != nil {
		return err
	}
	how := ""
	switch kind := r.Class.Kind; {
	case (strings.Contains(kind, "information_schema") || describes.MatchString(*r.Code)) && r.Reference.OK && r.Reference.Rows != nil:
		w.ok, w.err, w.early, how = true, "", false, "described"
		if rows, err = decoded(r.Reference.Rows); err != nil {
			return err
		}
	case strings.Contains(kind, "non-deterministic"), strings.Contains(kind, "LIMIT without total order"),
		strings.Contains(kind, "server-assigned"), chance.MatchString(*r.Code):
		how = "any"
	case strings.Contains(kind, "row order"):
		how = "ties"
	}
	fields := make([]value.Value, len(o.Fields))
	for i, f := range o.Fields {
		fields[i] = f
	}
	if w.ok {
		known, err := decoded(r.Reference.Rows)
		if err != nil {
			return err
		}
		w.value = recordedTable(fields, rows, ordered(*r.Code), how)
		w.value.(*value.Object).Set("reference", known) // the recorder's own rows, where the server's are a hash
	}
	p.want = []outcome{w}
	return nil
}

// chance finds programs that show the time or a random number.
var chance = regexp.MustCompile(`(?i)^\s*select\s[^;]*\b(random|now)\(\)[^;]*\bas (linear_id|msg_id)|^\s*select\s[^;]*\brandom\(\)`)

// changes finds programs that write. Those that the recorder could not carry out left
// no trace in what it ran after them.
var changes = regexp.MustCompile(`(?i)\b(insert|update|delete)\b`)

// describes finds programs about the catalogue.
var describes = regexp.MustCompile(`(?i)\b(information_schema|pg_catalog)\s*\.`)

func decoded(raw json.RawMessage) (value.Value, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	return value.Decode(raw)
}

// readLongRows reads the form of SQL's long programs, whose cells are the server's
// text.
func (p *program) readLongRows(r record) error {
	var oracle []struct {
		OK     bool
		Fields []struct{ Name, Type string }
		Rows   json.RawMessage
		Order  bool `json:"ordered"`
		Error  *struct{ SQLSTATE, Message string }
	}
	if err := json.Unmarshal(r.Oracle, &oracle); err != nil {
		return err
	}
	p.calls = r.Calls
	p.foreign = r.Kind == "dml" // it changes tables as no tool can; the engine's own tests have them
	for _, o := range oracle {
		w := outcome{ok: o.OK}
		if o.Error != nil {
			w.err = o.Error.Message
			w.early = strings.HasPrefix(w.err, "syntax error")
		}
		rows, err := decoded(o.Rows)
		if err != nil {
			return err
		}
		fields := make([]value.Value, len(o.Fields))
		for i, f := range o.Fields {
			fields[i] = f.Name
			if strings.HasPrefix(f.Type, "json") && !strings.HasSuffix(f.Type, "[]") {
				documents(rows, i)
			}
		}
		if w.ok {
			w.value = recordedTable(fields, rows, o.Order, "")
		}
		p.want = append(p.want, w)
	}
	return nil
}

// documents reads a column's texts as the documents that they are.
func documents(rows value.Value, column int) {
	list, _ := rows.([]value.Value)
	for _, x := range list {
		row, _ := x.([]value.Value)
		if column >= len(row) {
			continue
		}
		if text, ok := row[column].(string); ok {
			if v, err := value.Decode([]byte(text)); err == nil {
				row[column] = v
			}
		}
	}
}

// readOneRow reads the form of SQL's one-liners, whose columns have no names.
func (p *program) readOneRow(r record) error {
	if err := p.readLine(r); err != nil || !p.want[0].ok {
		return err
	}
	p.want[0].long = nil
	p.want[0].value = recordedTable(nil, p.want[0].value, ordered(*r.Code), "")
	return nil
}

var (
	quotedText = regexp.MustCompile(`'(?:[^']|'')*'|--[^\n]*`)
	inParens   = regexp.MustCompile(`\([^()]*\)`)
	orderBy    = regexp.MustCompile(`(?i)\border\s+by\b`)
)

// ordered reports whether a program's last statement orders its rows.
func ordered(code string) bool {
	code = quotedText.ReplaceAllString(code, "")
	for inParens.MatchString(code) {
		code = inParens.ReplaceAllString(code, "")
	}
	statements := strings.Split(strings.TrimRight(code, "; \n"), ";")
	return orderBy.MatchString(statements[len(statements)-1])
}
