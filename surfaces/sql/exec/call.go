package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// constant is a value.
type constant struct{ column *vector.Column }

func newConstant(d vector.Datum) *constant { return &constant{vector.Constant(d, 1)} }

func (c *constant) typ() pgcat.OID { return c.column.Type }

func (c *constant) eval(*run, *vector.Batch, []int32) (*vector.Column, error) { return c.column, nil }

// outer is a parameter.
type outer struct {
	t     pgcat.OID
	param int
}

func (o *outer) typ() pgcat.OID { return o.t }

func (o *outer) eval(x *run, _ *vector.Batch, _ []int32) (*vector.Column, error) {
	return x.params[o.param], nil
}

// call calls a function.
type call struct {
	t        pgcat.OID
	kernel   fn.Kernel
	args     []expression
	strict   bool
	volatile bool

	columns []*vector.Column
	out     buffer
	live    rowList
}

func (c *call) typ() pgcat.OID { return c.t }

func (c *call) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	for i, a := range c.args {
		v, err := a.eval(x, b, rows)
		if err != nil {
			return nil, err
		}
		c.columns[i] = v
	}
	return c.apply(x, c.columns, b.N, rows)
}

var firstRow = []int32{0}

// apply calls the function with arguments that are there.
func (c *call) apply(x *run, args []*vector.Column, n int, rows []int32) (*vector.Column, error) {
	constant := !c.volatile && len(rows) > 0
	for _, a := range args {
		if !a.Const {
			constant = false
			break
		}
	}
	if constant {
		n, rows = 1, firstRow
	}
	out, err := c.out.room(x, c.t, n)
	if err != nil {
		return nil, err
	}
	if c.strict {
		rows = c.liveRows(args, rows, out)
	}
	if len(rows) > 0 {
		if err := c.kernel(x.env, args, rows, out); err != nil {
			return nil, err
		}
	}
	out.Const = constant
	return out, nil
}

// liveRows takes away the rows at which an argument is NULL, and makes the result
// NULL there.
func (c *call) liveRows(args []*vector.Column, rows []int32, out *vector.Column) []int32 {
	for _, a := range args {
		if a.Nulls == nil {
			continue
		}
		live := c.live.empty(len(rows))
		for _, r := range rows {
			if a.Null(int(r)) {
				out.SetNull(int(r))
				continue
			}
			live = append(live, r)
		}
		// The list may be read and written at once: it is only ever shortened.
		c.live = live
		rows = live
	}
	return rows
}

// relabel takes a value for one of another type.
type relabel struct {
	t    pgcat.OID
	arg  expression
	view vector.Column
}

func (r *relabel) typ() pgcat.OID { return r.t }

func (r *relabel) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := r.arg.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	r.view = *v
	r.view.Type = r.t
	return &r.view, nil
}

// relabelArray gives the elements of arrays another type.
type relabelArray struct {
	t, element pgcat.OID
	arg        expression
	out        buffer
}

func (r *relabelArray) typ() pgcat.OID { return r.t }

func (r *relabelArray) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := r.arg.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := r.out.room(x, r.t, b.N)
	if err != nil {
		return nil, err
	}
	if err := x.env.Meter.Alloc(int64(len(rows)) * 400); err != nil {
		return nil, err
	}
	for _, row := range rows {
		if v.Null(int(row)) {
			out.SetNull(int(row))
			continue
		}
		out.Objects[row] = retyped(v.Objects[v.At(int(row))], r.element)
	}
	return out, nil
}

func retyped(v any, element pgcat.OID) any {
	a, ok := v.(*vector.Array)
	if !ok {
		return v
	}
	c := *a
	c.Element = element
	if a.Values != nil {
		values := *a.Values
		values.Type = element
		c.Values = &values
	}
	return &c
}

// throughText writes a value and reads it as another type.
type throughText struct {
	t     pgcat.OID
	arg   expression
	write fn.Output
	read  fn.Input
	out   buffer
	text  []byte
}

func (c *throughText) typ() pgcat.OID { return c.t }

func (c *throughText) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := c.arg.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	if err := x.env.Meter.Charge(4 * int64(len(rows))); err != nil {
		return nil, err
	}
	n := b.N
	constant := v.Const && len(rows) > 0
	if constant {
		n, rows = 1, firstRow
	}
	out, err := c.out.room(x, c.t, n)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if v.Null(int(r)) {
			out.SetNull(int(r))
			continue
		}
		if err := c.convert(x, v.Datum(int(r)), int(r), out); err != nil {
			return nil, err
		}
	}
	out.Const = constant
	return out, nil
}

func (c *throughText) convert(x *run, d vector.Datum, row int, out *vector.Column) error {
	text, err := c.write(x.env, c.text[:0], d.Value)
	if err != nil {
		return x.env.Fail(err)
	}
	c.text = text
	if err := x.env.Alloc(int64(len(text))); err != nil {
		return x.env.Fail(err)
	}
	value, err := c.read(x.env, string(text), -1)
	if err != nil {
		return x.env.Fail(err)
	}
	out.Set(row, vector.Datum{Type: c.t, Value: value})
	return nil
}

// nullIf is NULLIF.
type nullIf struct {
	t       pgcat.OID
	compare *call
	out     buffer
}

func (n *nullIf) typ() pgcat.OID { return n.t }

func (n *nullIf) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	same, err := n.compare.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := n.out.room(x, n.t, b.N)
	if err != nil {
		return nil, err
	}
	first := n.compare.columns[0]
	for _, r := range rows {
		if !same.Null(int(r)) && same.Bools[same.At(int(r))] {
			out.SetNull(int(r))
			continue
		}
		out.Copy(int(r), first, int(r))
	}
	return out, nil
}

// distinctFrom is IS [NOT] DISTINCT FROM.
type distinctFrom struct {
	boolType
	left, right expression
	compare     *call
	not         bool
	both        rowList
}

func (d *distinctFrom) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	l, err := d.left.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	r, err := d.right.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := d.out.room(x, pgcat.Bool, b.N)
	if err != nil {
		return nil, err
	}
	both := d.both.empty(len(rows))
	for _, row := range rows {
		x, y := l.Null(int(row)), r.Null(int(row))
		if !x && !y {
			both = append(both, row)
			continue
		}
		out.Bools[row] = (x != y) != d.not
	}
	d.both = both
	if len(both) == 0 {
		return out, nil
	}
	same, err := d.compare.apply(x, []*vector.Column{l, r}, b.N, both)
	if err != nil {
		return nil, err
	}
	for _, row := range both {
		equal := !same.Null(int(row)) && same.Bools[same.At(int(row))]
		out.Bools[row] = equal == d.not
	}
	return out, nil
}
