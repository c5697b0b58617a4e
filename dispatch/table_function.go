package dispatch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// callTable does what a function that stands for a verb of a table was asked to.
func (r *Run) callTable(a *admitted) (value.Value, error) {
	if a.fn.Rows.Verb != toolfn.Select {
		return r.writeTable(a)
	}
	s, err := r.selectTable(a, false)
	if err != nil {
		return nil, err
	}
	return s.value()
}

// startTable begins what such a function does without waiting for it.
func (r *Run) startTable(f *Flight) error {
	if f.a.fn.Rows.Verb != toolfn.Select {
		f.got, f.err = r.writeTable(f.a)
		f.settled = true
		return r.m.Err()
	}
	var err error
	f.rows, err = r.selectTable(f.a, true)
	return err
}

func (r *Run) selectTable(a *admitted, beside bool) (*selecting, error) {
	t := a.fn.Rows.Table
	q := Query{Table: t.Name, Line: a.at.Line, Column: a.at.Column}
	var err error
	if q.Where, err = whereOf(t, a.kept); err != nil {
		return nil, a.at.place(err)
	}
	if list, ok := a.kept.Get("columns"); ok {
		q.Columns = []string{}
		for _, name := range list.([]value.Value) {
			q.Columns = append(q.Columns, name.(string))
		}
	}
	if n, ok := a.kept.Get("limit"); ok {
		n, _ := n.(int64)
		q.Limit = int(min(n, 1<<31))
	}
	return r.selecting(q, beside)
}

// value gives the rows as the result of a function.
func (s *selecting) value() (value.Value, error) {
	got, err := s.wait()
	if err != nil {
		return nil, err
	}
	if got.Incomplete != "" && (s.query.Limit == 0 || len(got.Rows) < s.query.Limit) {
		return nil, Call{Line: s.query.Line, Column: s.query.Column}.place(&sandbox.Fault{
			Kind:    sandbox.KindCapability,
			Message: fmt.Sprintf("table %s cannot be read whole: %s.", s.t.Name, strings.TrimSuffix(got.Incomplete, ".")),
			Hint:    fmt.Sprintf("Narrow it with where, or take the first rows with limit: %d.", max(1, min(1000, len(got.Rows)))),
		})
	}
	if got.Partial != "" {
		s.run.Remark(fmt.Sprintf("%s: %s.", s.t.Name, got.Partial))
	}
	list := make([]value.Value, len(got.Rows))
	for i, row := range got.Rows {
		list[i] = row
	}
	return list, s.run.m.Alloc(int64(len(list))*16 + 24)
}

// writeTable makes the write that a function stands for.
func (r *Run) writeTable(a *admitted) (value.Value, error) {
	t := a.fn.Rows.Table
	where, err := whereOf(t, a.kept)
	if err != nil {
		return nil, a.at.place(err)
	}
	yes, _ := a.kept.Get("all")
	all, _ := yes.(bool)
	var w *Wrote
	switch a.fn.Rows.Verb {
	case toolfn.Insert:
		list, _ := a.kept.Get("rows")
		var rows []*value.Object
		for _, e := range list.([]value.Value) {
			rows = append(rows, e.(*value.Object))
		}
		w, err = r.Insert(Insertion{Table: t.Name, Rows: rows, Line: a.at.Line, Column: a.at.Column})
	case toolfn.Update:
		set, _ := a.kept.Get("set")
		w, err = r.Update(Change{Table: t.Name, Set: set.(*value.Object), Where: where, All: all, Line: a.at.Line, Column: a.at.Column})
	default:
		w, err = r.Delete(Removal{Table: t.Name, Where: where, All: all, Line: a.at.Line, Column: a.at.Column})
	}
	if err != nil {
		return nil, err
	}
	if w.Staged != nil {
		return w.Staged, nil
	}
	if w.Partial != "" {
		r.Remark(fmt.Sprintf("%s of %s: %s.", a.fn.Rows.Verb, t.Name, w.Partial))
	}
	return w.value(), nil
}

// value is what a write did, as plain data.
func (w *Wrote) value() value.Value {
	o := value.Of("affected", int64(w.Affected))
	if w.Affected < 0 {
		o.Set("affected", nil)
	}
	if w.Rows != nil {
		list := make([]value.Value, len(w.Rows))
		for i, row := range w.Rows {
			list[i] = row
		}
		o.Set("rows", list)
	}
	return o
}

// whereOf reads the where of a function's arguments: see [toolfn.FnFromTable].
func whereOf(t *toolfn.ResourceTable, args *value.Object) (Where, error) {
	w := Where{Bindings: toolfn.NewBindings()}
	given, _ := args.Get("where")
	o, _ := given.(*value.Object)
	var tests []test
	var texts []string
	for name, v := range o.All() {
		c, ok := t.Column(name)
		if !ok {
			return w, unknownColumn(t, name)
		}
		switch v := v.(type) {
		case nil:
			tests, texts = append(tests, test{column: c, op: "null"}), append(texts, name+" is null")
		case []value.Value:
			plain, null := withoutNull(v)
			if !null {
				w.Bindings = w.Bindings.With(name, plain...)
				continue
			}
			tests, texts = append(tests, test{column: c, op: "in", values: plain}), append(texts, name+" is one of the values or null")
		case *value.Object:
			if c.Type == "jsonb" && !isComparison(v) {
				w.Bindings = w.Bindings.With(name, v)
				continue
			}
			for op, with := range v.All() {
				one, err := newTest(t, c, op, with)
				if err != nil {
					return w, err
				}
				if symbol, ok := rangeOperators[op]; ok {
					w.Ranges = append(w.Ranges, toolfn.Range{Column: name, Op: symbol, Value: with})
					continue
				}
				tests, texts = append(tests, one), append(texts, name+" "+op+" "+shownValue(with))
			}
		default:
			w.Bindings = w.Bindings.With(name, v)
		}
	}
	if len(tests) == 0 {
		return w, nil
	}
	w.Rest = &Condition{Text: strings.Join(texts, " and "), Holds: func(row *value.Object) (bool, error) {
		for i := range tests {
			if !tests[i].holds(row) {
				return false, nil
			}
		}
		return true, nil
	}}
	for _, one := range tests {
		w.Rest.Columns = append(w.Rest.Columns, one.column.Name)
	}
	return w, nil
}

// rangeOperators are the comparisons that a server may honour.
var rangeOperators = map[string]string{"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

func isComparison(o *value.Object) bool {
	for op := range o.All() {
		if !slices.Contains(toolfn.Comparisons(), op) {
			return false
		}
	}
	return o.Len() > 0
}

func withoutNull(list []value.Value) (plain []value.Value, null bool) {
	for _, v := range list {
		if v == nil {
			null = true
		} else {
			plain = append(plain, v)
		}
	}
	return plain, null
}

// test is one comparison of a where.
type test struct {
	column *toolfn.Column
	op     string
	values []value.Value
}

func newTest(t *toolfn.ResourceTable, c *toolfn.Column, op string, v value.Value) (test, error) {
	if !slices.Contains(toolfn.Comparisons(), op) {
		f := refusedStatement(fmt.Sprintf("where.%s: there is no comparison '%s'.", c.Name, sandbox.Clip(op, 40)), "The comparisons are "+strings.Join(toolfn.Comparisons(), ", ")+".")
		if near, ok := sandbox.Nearest(op, toolfn.Comparisons()); ok {
			f.Hint = "Did you mean " + near + "? " + f.Hint
		}
		return test{}, f
	}
	one := test{column: c, op: op}
	list, many := v.([]value.Value)
	if !many || op != "not" {
		list = []value.Value{v}
	}
	for _, v := range list {
		cell, err := c.Given(v)
		if err != nil {
			return test{}, wrongValue(t, c, err)
		}
		if cell == nil && op != "not" {
			return test{}, refusedStatement(fmt.Sprintf("where.%s: nothing is %s null.", c.Name, op), "Write "+c.Name+": null for rows without it.")
		}
		one.values = append(one.values, cell)
	}
	if op == "contains" && c.Type != "text" {
		return test{}, refusedStatement(fmt.Sprintf("where.%s: contains is for text, and the column is %s.", c.Name, c.Type), "Compare it with a value, or filter the rows afterwards.")
	}
	if (c.Type == "jsonb" || c.Type == "boolean") && op != "not" {
		return test{}, refusedStatement(fmt.Sprintf("where.%s: %s values have no order.", c.Name, c.Type), "Filter the rows afterwards.")
	}
	return one, nil
}

// holds decides as SQL does: a comparison with a null cell does not hold; not is
// true of null unless null is what it names.
func (t *test) holds(row *value.Object) bool {
	v, _ := row.Get(t.column.Name)
	switch t.op {
	case "null":
		return v == nil
	case "in":
		return v == nil || t.among(v)
	case "not":
		return !t.among(v)
	}
	return v != nil && strings.Contains(v.(string), t.values[0].(string)) // contains
}

func (t *test) among(v value.Value) bool {
	for _, w := range t.values {
		if v == nil && w == nil || t.column.SameCell(v, w) {
			return true
		}
	}
	return false
}
