package toolfn

import "github.com/polyglove/polyglove/toolfn/value"

// Bindings are the values that a statement fixes columns to: for each column an
// ordered list of scalars, without repeats, of which a row must have one.
//
// Beside them stand the ranges and patterns that the table declares its server to
// honour, and, where it may stop early, the order and the number of rows that are
// wanted. A Select that ignores any of these gives more than was asked for, which
// does no harm.
type Bindings struct {
	columns []string
	values  [][]value.Value
	ranges  []Range
	likes   []Like
	order   []OrderKey
	limit   int
}

// WithRange gives bindings with a further range.
func (b Bindings) WithRange(r Range) Bindings {
	b.ranges = append(b.ranges[:len(b.ranges):len(b.ranges)], r)
	return b
}

// WithLike gives bindings with a further pattern.
func (b Bindings) WithLike(l Like) Bindings {
	b.likes = append(b.likes[:len(b.likes):len(b.likes)], l)
	return b
}

// WithFirst gives bindings of which the first rows are wanted, by an order; limit
// 0 is all.
func (b Bindings) WithFirst(limit int, order ...OrderKey) Bindings {
	b.limit, b.order = limit, append([]OrderKey(nil), order...)
	return b
}

// Ranges lists the ranges: of a column at most one from below and one from above,
// with operators that the column declares.
func (b Bindings) Ranges() []Range { return append([]Range(nil), b.ranges...) }

// Range gives the value that a column is compared with by an operator.
func (b Bindings) Range(column, op string) (value.Value, bool) {
	for _, r := range b.ranges {
		if r.Column == column && r.Op == op {
			return r.Value, true
		}
	}
	return nil, false
}

// Likes lists the patterns.
func (b Bindings) Likes() []Like { return append([]Like(nil), b.likes...) }

// Like gives the first pattern that a column is matched with.
func (b Bindings) Like(column string) (Like, bool) {
	for _, l := range b.likes {
		if l.Column == column {
			return l, true
		}
	}
	return Like{}, false
}

// Order is how rows are wanted to be ordered, nil if in any way. Only a column
// that declares it is named.
func (b Bindings) Order() []OrderKey { return append([]OrderKey(nil), b.order...) }

// Limit is how many rows are wanted, by the order if there is one; 0 is all.
func (b Bindings) Limit() int { return b.limit }

// NewBindings makes bindings that fix nothing.
func NewBindings() Bindings { return Bindings{} }

// With gives bindings that also fix a column; a column that is fixed already
// keeps only the values that both have. No values at all means that no row can
// match.
func (b Bindings) With(column string, values ...value.Value) Bindings {
	c := b
	c.columns, c.values = append([]string(nil), b.columns...), append([][]value.Value(nil), b.values...)
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
