package dispatch

import (
	"sort"
	"strconv"

	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// binding is a column that a statement fixes, with the values that a row may
// have: checked, of the column's type, without nulls.
type binding struct {
	column *toolfn.Column
	values []value.Value
	span   *span                // in place of values: bounds and patterns
	index  map[value.Value]bool // of many values that are equal only if they are the same
}

// manyValues is the number of values from which an index beats a scan.
const manyValues = 8

// indexed prepares a binding for quick comparisons.
func (b binding) indexed() binding {
	if t := b.column.Type; len(b.values) < manyValues || t != "text" && t != "bigint" && t != "date" {
		return b
	}
	b.index = make(map[value.Value]bool, len(b.values))
	for _, v := range b.values {
		b.index[v] = true
	}
	return b
}

// bound are a statement's bindings in the order of the table's columns.
type bound []binding

// bind checks a statement's bindings against the table.
func bind(t *toolfn.ResourceTable, w Where) (bound, error) {
	b := w.Bindings
	for _, r := range w.Ranges {
		if _, ok := t.Column(r.Column); !ok {
			return nil, unknownColumn(t, r.Column)
		}
	}
	for _, l := range w.Likes {
		if _, ok := t.Column(l.Column); !ok {
			return nil, unknownColumn(t, l.Column)
		}
	}
	for _, name := range b.Columns() {
		if _, ok := t.Column(name); !ok {
			return nil, unknownColumn(t, name)
		}
	}
	var out bound
	for i := range t.Columns {
		c := &t.Columns[i]
		span, err := spanOf(t, c, w)
		if err != nil {
			return nil, err
		}
		if !b.Has(c.Name) {
			if span != nil {
				out = append(out, binding{column: c, span: span})
			}
			continue
		}
		one := binding{column: c}
		for _, v := range b.All(c.Name) {
			v, err := c.Given(v)
			if err != nil {
				return nil, wrongValue(t, c, err)
			}
			if v != nil && (span == nil || span.admits(c, v)) { // column = NULL is never true
				one.values = append(one.values, v)
			}
		}
		out = append(out, one.indexed())
	}
	return out, nil
}

// impossible reports whether no row can match.
func (b bound) impossible() bool {
	for _, one := range b {
		if one.span == nil && len(one.values) == 0 || one.span != nil && one.span.empty(one.column) {
			return true
		}
	}
	return false
}

// has gives the binding of a column, nil if it is not fixed.
func (b bound) has(column string) *binding {
	for i := range b {
		if b[i].column.Name == column {
			return &b[i]
		}
	}
	return nil
}

// bindings gives the form that a table's functions take.
func (b bound) bindings() toolfn.Bindings {
	out := toolfn.NewBindings()
	for _, one := range b {
		if one.span == nil {
			out = out.With(one.column.Name, one.values...)
			continue
		}
		for _, r := range one.span.ranges(one.column.Name) {
			out = out.WithRange(r)
		}
		for _, l := range one.span.likes {
			out = out.WithLike(l)
		}
	}
	return out
}

// object gives the form that policy and journal see: a list for each column.
func (b bound) object() *value.Object {
	o := value.NewObject(len(b))
	for _, one := range b {
		if one.span != nil {
			o.Set(one.column.Name, one.span.object())
			continue
		}
		o.Set(one.column.Name, append([]value.Value(nil), one.values...))
	}
	return o
}

// key gives a text that two sets of bindings share only if they ask for the same
// rows. 1 and '1' differ in it, the order of the values of one column does not.
func (b bound) key() string {
	var out []byte
	for _, one := range b {
		out = append(strconv.AppendQuote(out, one.column.Name), ':')
		if one.span != nil {
			text, _ := value.Append(nil, one.span.object())
			out = append(append(out, text...), ',')
			continue
		}
		texts := make([]string, len(one.values))
		for i, v := range one.values {
			text, _ := value.Append(nil, v)
			texts[i] = string(text)
		}
		sort.Strings(texts)
		for _, t := range texts {
			out = append(append(out, t...), ',')
		}
	}
	return string(out)
}

// verdict is what can be said of a row and a predicate.
type verdict uint8

const (
	no verdict = iota
	yes
	unsure // the row lacks a column that the answer depends on
)

// matches decides on a row by the columns that it has.
func (b bound) matches(row *value.Object) verdict {
	got := yes
	for i := range b {
		v, ok := row.Get(b[i].column.Name)
		switch {
		case !ok:
			got = unsure
		case !b[i].admits(v):
			return no
		}
	}
	return got
}

// admits reports whether a cell has one of the values.
func (b *binding) admits(v value.Value) bool {
	if b.span != nil {
		return b.span.admits(b.column, v)
	}
	if b.index != nil {
		switch v.(type) {
		case string, int64:
			return b.index[v]
		}
		return false
	}
	for _, w := range b.values {
		if b.column.SameCell(w, v) {
			return true
		}
	}
	return false
}
