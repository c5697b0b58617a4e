package toolfn

import "github.com/polyglove/polyglove/toolfn/value"

// Bindings are the values that a statement fixes columns to: for each column an
// ordered list of scalars, without repeats, of which a row must have one.
type Bindings struct {
	columns []string
	values  [][]value.Value
}

// NewBindings makes bindings that fix nothing.
func NewBindings() Bindings { return Bindings{} }

// With gives bindings that also fix a column; a column that is fixed already
// keeps only the values that both have. No values at all means that no row can
// match.
func (b Bindings) With(column string, values ...value.Value) Bindings {
	c := Bindings{columns: append([]string(nil), b.columns...), values: append([][]value.Value(nil), b.values...)}
	fresh := distinct(values)
	for i, name := range c.columns {
		if name == column {
			c.values[i] = intersect(c.values[i], fresh)
			return c
		}
	}
	c.columns = append(c.columns, column)
	c.values = append(c.values, fresh)
	return c
}

// Columns lists the fixed columns in order.
func (b Bindings) Columns() []string { return append([]string(nil), b.columns...) }

// Len is the number of fixed columns.
func (b Bindings) Len() int { return len(b.columns) }

// Has reports whether a column is fixed.
func (b Bindings) Has(column string) bool { return b.index(column) >= 0 }

// First gives a column's first value.
func (b Bindings) First(column string) (value.Value, bool) {
	if i := b.index(column); i >= 0 && len(b.values[i]) > 0 {
		return b.values[i][0], true
	}
	return nil, false
}

// All gives a column's values.
func (b Bindings) All(column string) []value.Value {
	if i := b.index(column); i >= 0 {
		return append([]value.Value(nil), b.values[i]...)
	}
	return nil
}

// Empty reports whether no row can match, so that nothing need be asked.
func (b Bindings) Empty() bool {
	for _, v := range b.values {
		if len(v) == 0 {
			return true
		}
	}
	return false
}

func (b Bindings) index(column string) int {
	for i, name := range b.columns {
		if name == column {
			return i
		}
	}
	return -1
}

// many is the number of values from which equal texts are found by a map.
const many = 16

func distinct(values []value.Value) []value.Value {
	out := make([]value.Value, 0, len(values))
	if len(values) < many {
		for _, v := range values {
			if !contains(out, v) {
				out = append(out, v)
			}
		}
		return out
	}
	var seen set
	for _, v := range values {
		if !seen.has(v) {
			seen.add(v)
			out = append(out, v)
		}
	}
	return out
}

func intersect(a, b []value.Value) []value.Value {
	out := []value.Value{}
	var in set
	for _, v := range b {
		in.add(v)
	}
	for _, v := range a {
		if in.has(v) {
			out = append(out, v)
		}
	}
	return out
}

// set finds values: texts, booleans and small integers by a map, others by
// comparing, because 1 and 1.0 are one value.
type set struct {
	by     map[value.Value]bool
	others []value.Value
	small  []value.Value // the integers in by
}

func (s *set) add(v value.Value) {
	switch v.(type) {
	case string, bool, int64:
		if s.by == nil {
			s.by = map[value.Value]bool{}
		}
		if _, ok := v.(int64); ok && !s.by[v] {
			s.small = append(s.small, v)
		}
		s.by[v] = true
	default:
		s.others = append(s.others, v)
	}
}

func (s *set) has(v value.Value) bool {
	switch v.(type) {
	case string, bool:
		return s.by[v]
	case int64:
		return s.by[v] || contains(s.others, v)
	case nil:
		return contains(s.others, v)
	}
	return contains(s.others, v) || contains(s.small, v)
}

func contains(list []value.Value, v value.Value) bool {
	for _, e := range list {
		if value.Equal(e, v) {
			return true
		}
	}
	return false
}
