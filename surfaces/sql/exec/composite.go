package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// evalList computes several expressions.
func evalList(x *run, all []expression, b *vector.Batch, rows []int32, into []*vector.Column) ([]*vector.Column, error) {
	into = into[:0]
	for _, e := range all {
		c, err := e.eval(x, b, rows)
		if err != nil {
			return nil, err
		}
		into = append(into, c)
	}
	return into, nil
}

// rowRecord is ROW(…).
type rowRecord struct {
	t       pgcat.OID
	fields  []expression
	names   []string
	columns []*vector.Column
	out     buffer
}

func (r *rowRecord) typ() pgcat.OID { return r.t }

func (r *rowRecord) eval(x *run, b *vector.Batch, rows []int32) (_ *vector.Column, err error) {
	if r.columns, err = evalList(x, r.fields, b, rows, r.columns); err != nil {
		return nil, err
	}
	out, err := r.out.room(x, r.t, b.N)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		record := &vector.Record{Fields: make([]vector.Datum, len(r.columns)), Names: r.names}
		for i, c := range r.columns {
			record.Fields[i] = c.Datum(int(row))
		}
		if err := x.env.Fail(x.env.Alloc(record.Size())); err != nil {
			return nil, err
		}
		out.Objects[row] = record
	}
	return out, nil
}

// field takes a field of a record.
type field struct {
	t      pgcat.OID
	record expression
	number int
	out    buffer
}

func (f *field) typ() pgcat.OID { return f.t }

func (f *field) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := f.record.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := f.out.room(x, f.t, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		record, ok := v.Datum(int(r)).Value.(*vector.Record)
		if !ok || f.number >= len(record.Fields) {
			out.SetNull(int(r))
			continue
		}
		out.Set(int(r), record.Fields[f.number])
	}
	return out, nil
}

// arrayOf is ARRAY[…].
type arrayOf struct {
	t, element pgcat.OID
	elements   []expression
	nested     bool
	columns    []*vector.Column
	out        buffer
}

func (a *arrayOf) typ() pgcat.OID { return a.t }

func (a *arrayOf) eval(x *run, b *vector.Batch, rows []int32) (_ *vector.Column, err error) {
	if a.columns, err = evalList(x, a.elements, b, rows, a.columns); err != nil {
		return nil, err
	}
	out, err := a.out.room(x, a.t, b.N)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		v, err := a.build(x, int(row))
		if err != nil {
			return nil, err
		}
		out.Objects[row] = v
	}
	return out, nil
}

func (a *arrayOf) build(x *run, row int) (*vector.Array, error) {
	if a.nested {
		return a.stack(x, row)
	}
	if err := x.env.Fail(x.env.Alloc(vector.Bytes(a.element, len(a.columns)) + 64)); err != nil {
		return nil, err
	}
	values := vector.Make(a.element, len(a.columns))
	for i, c := range a.columns {
		values.Copy(i, c, row)
	}
	return vector.NewArray(a.element, values), nil
}

var errDimensions = pgerr.New(pgerr.ArraySubscript, "multidimensional arrays must have array expressions with matching dimensions")

// maxDimensions is how many dimensions an array may have.
const maxDimensions = 6

// stack makes an array of arrays that are alike. NULLs and empty ones among them
// are only allowed when all are.
func (a *arrayOf) stack(x *run, row int) (*vector.Array, error) {
	var inner []*vector.Array
	empty := false
	for _, c := range a.columns {
		v, ok := c.Datum(row).Value.(*vector.Array)
		if !ok || v.Len() == 0 {
			empty = true
			continue
		}
		inner = append(inner, v)
	}
	if len(inner) == 0 {
		return vector.NewArray(a.element, nil), nil
	}
	if empty {
		return nil, errDimensions
	}
	first := inner[0]
	if len(first.Dimensions)+1 > maxDimensions {
		return nil, pgerr.New(pgerr.ProgramLimitExceeded, "number of array dimensions (%d) exceeds the maximum allowed (%d)", len(first.Dimensions)+1, maxDimensions)
	}
	values := vector.Make(a.element, 0)
	for _, v := range inner {
		if !sameDimensions(v.Dimensions, first.Dimensions) {
			return nil, errDimensions
		}
		if err := x.env.Fail(x.env.Alloc(v.Size())); err != nil {
			return nil, err
		}
		values.Append(v.Values, nil)
	}
	dims := append([]pgtype.Dimension{{Lower: 1, Length: len(inner)}}, first.Dimensions...)
	return &vector.Array{Element: a.element, Dimensions: dims, Values: values}, nil
}

func sameDimensions(a, b []pgtype.Dimension) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// arrayCast converts the elements of arrays.
type arrayCast struct {
	t, from, element pgcat.OID
	arg, convert     expression
	value            *vector.Column // what the placeholder of convert stands for
	out              buffer
}

func (a *arrayCast) typ() pgcat.OID { return a.t }

func (a *arrayCast) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := a.arg.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := a.out.room(x, a.t, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if v.Null(int(r)) {
			out.SetNull(int(r))
			continue
		}
		array, err := a.cast(x, v.Objects[v.At(int(r))].(*vector.Array))
		if err != nil {
			return nil, err
		}
		out.Objects[r] = array
	}
	return out, nil
}

func (a *arrayCast) cast(x *run, from *vector.Array) (*vector.Array, error) {
	to := &vector.Array{Element: a.element, Dimensions: from.Dimensions}
	if from.Len() == 0 {
		return to, nil
	}
	if err := x.env.Fail(x.env.Alloc(vector.Bytes(a.element, from.Len()))); err != nil {
		return nil, err
	}
	to.Values = vector.Make(a.element, 0)
	for at := 0; at < from.Len(); at += vector.Size {
		n := min(vector.Size, from.Len()-at)
		a.value = from.Values.Slice(at, at+n)
		c, err := a.convert.eval(x, &vector.Batch{N: n}, identity[:n])
		if err != nil {
			return nil, err
		}
		to.Values.Append(c, identity[:n])
	}
	return to, nil
}

// rowCompare compares rows in lexical order.
type rowCompare struct {
	boolType
	left, right []expression
	compare     []vector.Comparator
	holds       []func(order int) bool // what each pair's operator makes of its order
	open        [2]rowList
}

func (c *rowCompare) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	out, err := c.out.room(x, pgcat.Bool, b.N)
	if err != nil {
		return nil, err
	}
	open := rows
	for i := range c.left {
		if len(open) == 0 {
			break
		}
		l, err := c.left[i].eval(x, b, open)
		if err != nil {
			return nil, err
		}
		r, err := c.right[i].eval(x, b, open)
		if err != nil {
			return nil, err
		}
		if err := x.env.Meter.Charge(int64(len(open))); err != nil {
			return nil, err
		}
		still := c.open[i&1].empty(len(open))
		for _, row := range open {
			if l.Null(int(row)) || r.Null(int(row)) {
				out.SetNull(int(row))
				continue
			}
			order := c.compare[i](l, l.At(int(row)), r, r.At(int(row)))
			if order == 0 && i < len(c.left)-1 {
				still = append(still, row)
				continue
			}
			out.Bools[row] = c.holds[i](order)
		}
		c.open[i&1] = still
		open = still
	}
	return out, nil
}

// subscript takes an element or a slice of an array.
type subscript struct {
	t            pgcat.OID
	container    expression
	lower, upper []expression // a bound of a slice may be nil
	slice        bool
	out          buffer
}

func (s *subscript) typ() pgcat.OID { return s.t }

func (s *subscript) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := s.container.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	lower, err := evalBounds(x, s.lower, b, rows)
	if err != nil {
		return nil, err
	}
	upper, err := evalBounds(x, s.upper, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := s.out.room(x, s.t, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if v.Null(int(r)) || anyNull(lower, r) || anyNull(upper, r) {
			out.SetNull(int(r))
			continue
		}
		array, ok := v.Objects[v.At(int(r))].(*vector.Array)
		if !ok {
			return nil, notSupported("subscripts of this type are not implemented")
		}
		if s.slice {
			part, err := sliceOf(x, array, boundsAt(lower, r), boundsAt(upper, r))
			if err != nil {
				return nil, err
			}
			out.Objects[r] = part
			continue
		}
		i := elementAt(array, boundsAt(upper, r))
		if i < 0 {
			out.SetNull(int(r))
			continue
		}
		out.Copy(int(r), array.Values, i)
	}
	return out, nil
}

func evalBounds(x *run, all []expression, b *vector.Batch, rows []int32) ([]*vector.Column, error) {
	out := make([]*vector.Column, len(all))
	for i, e := range all {
		if e == nil {
			continue
		}
		c, err := e.eval(x, b, rows)
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

func anyNull(bounds []*vector.Column, row int32) bool {
	for _, c := range bounds {
		if c != nil && c.Null(int(row)) {
			return true
		}
	}
	return false
}

// boundsAt gives the subscripts of a row; an open one is nil.
func boundsAt(bounds []*vector.Column, row int32) []*int {
	out := make([]*int, len(bounds))
	for i, c := range bounds {
		if c != nil {
			n := int(c.Ints[c.At(int(row))])
			out[i] = &n
		}
	}
	return out
}

// elementAt gives the place of an element, or -1 when the subscripts are not of
// one.
func elementAt(a *vector.Array, at []*int) int {
	if len(at) != len(a.Dimensions) || len(at) == 0 {
		return -1
	}
	place := 0
	for i, d := range a.Dimensions {
		n := *at[i] - d.Lower
		if n < 0 || n >= d.Length {
			return -1
		}
		place = place*d.Length + n
	}
	return place
}

// sliceOf gives a part of an array, empty where the bounds meet none of it. Its
// bounds begin at 1.
func sliceOf(x *run, a *vector.Array, lower, upper []*int) (*vector.Array, error) {
	empty := vector.NewArray(a.Element, nil)
	if len(upper) > len(a.Dimensions) || len(a.Dimensions) == 0 {
		return empty, nil
	}
	from, length := make([]int, len(a.Dimensions)), make([]int, len(a.Dimensions))
	total := 1
	for i, d := range a.Dimensions {
		lo, hi := d.Lower, d.Lower+d.Length-1
		if i < len(upper) {
			if lower[i] != nil {
				lo = max(lo, *lower[i])
			}
			if upper[i] != nil {
				hi = min(hi, *upper[i])
			}
		}
		if lo > hi {
			return empty, nil
		}
		from[i], length[i] = lo-d.Lower, hi-lo+1
		total *= length[i]
	}
	if err := x.env.Fail(x.env.Alloc(vector.Bytes(a.Element, total))); err != nil {
		return nil, err
	}
	out := &vector.Array{Element: a.Element, Values: vector.Make(a.Element, total)}
	for i := range length {
		out.Dimensions = append(out.Dimensions, pgtype.Dimension{Lower: 1, Length: length[i]})
	}
	at := make([]int, len(length))
	for k := range total {
		place := 0
		for i, d := range a.Dimensions {
			place = place*d.Length + from[i] + at[i]
		}
		out.Values.Copy(k, a.Values, place)
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < length[i] {
				break
			}
			at[i] = 0
		}
	}
	return out, nil
}
