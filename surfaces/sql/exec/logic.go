package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// rowList is scratch space for lists of rows.
type rowList []int32

func (l *rowList) empty(n int) []int32 {
	if *l == nil || cap(*l) < n { // never nil, which would mean all rows
		*l = make([]int32, 0, max(n, 64))
	}
	return (*l)[:0]
}

// boolType is embedded by what gives a boolean.
type boolType struct{ out buffer }

func (*boolType) typ() pgcat.OID { return pgcat.Bool }

// connective is AND or OR. An argument is computed only for the rows that the ones
// before have not decided.
type connective struct {
	boolType
	args    []expression
	decides bool // the value that decides: false for AND
	left    [2]rowList
}

func (c *connective) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	out, err := c.out.room(x, pgcat.Bool, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		out.Bools[r] = !c.decides
	}
	open := rows
	for i, a := range c.args {
		if len(open) == 0 {
			break
		}
		v, err := a.eval(x, b, open)
		if err != nil {
			return nil, err
		}
		still := c.left[i&1].empty(len(open))
		for _, r := range open {
			switch {
			case v.Null(int(r)):
				out.SetNull(int(r))
				still = append(still, r)
			case v.Bools[v.At(int(r))] == c.decides:
				out.Bools[r] = c.decides
				out.Nulls.Clear(int(r))
			default:
				still = append(still, r)
			}
		}
		c.left[i&1] = still
		open = still
	}
	return out, nil
}

// negation is NOT.
type negation struct {
	boolType
	arg expression
}

func (n *negation) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := n.arg.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := n.out.room(x, pgcat.Bool, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if v.Null(int(r)) {
			out.SetNull(int(r))
			continue
		}
		out.Bools[r] = !v.Bools[v.At(int(r))]
	}
	return out, nil
}

// nullTest is IS NULL, of a value or of all fields of a record.
type nullTest struct {
	boolType
	arg expression
	not bool
	row bool
}

func (n *nullTest) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := n.arg.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := n.out.room(x, pgcat.Bool, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		null := v.Null(int(r))
		if n.row && !null {
			out.Bools[r] = fieldsAre(v.Objects[v.At(int(r))], !n.not)
			continue
		}
		out.Bools[r] = null != n.not
	}
	return out, nil
}

// fieldsAre reports whether all fields of a record are NULL, or none is.
func fieldsAre(v any, null bool) bool {
	record, ok := v.(*vector.Record)
	if !ok {
		return !null
	}
	for _, f := range record.Fields {
		if f.Null() != null {
			return false
		}
	}
	return true
}

// truthTest is IS TRUE and the like.
type truthTest struct {
	boolType
	arg  expression
	test query.Truth
}

func (t *truthTest) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	v, err := t.arg.eval(x, b, rows)
	if err != nil {
		return nil, err
	}
	out, err := t.out.room(x, pgcat.Bool, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		null := v.Null(int(r))
		yes := !null && v.Bools[v.At(int(r))]
		no := !null && !yes
		switch t.test {
		case query.IsTrue:
			out.Bools[r] = yes
		case query.IsNotTrue:
			out.Bools[r] = !yes
		case query.IsFalse:
			out.Bools[r] = no
		case query.IsNotFalse:
			out.Bools[r] = !no
		case query.IsUnknown:
			out.Bools[r] = null
		default:
			out.Bools[r] = !null
		}
	}
	return out, nil
}

// placeholder is the value that a CASE compares or an element that is converted.
type placeholder struct {
	t     pgcat.OID
	value **vector.Column
}

func (p *placeholder) typ() pgcat.OID { return p.t }

func (p *placeholder) eval(*run, *vector.Batch, []int32) (*vector.Column, error) {
	return *p.value, nil
}

// conditional is CASE.
type conditional struct {
	t     pgcat.OID
	arg   expression // may be nil
	value *vector.Column
	whens []branch
	other expression
	out   buffer
	left  [2]rowList
	taken rowList
}

type branch struct{ condition, result expression }

func (c *conditional) typ() pgcat.OID { return c.t }

func (c *conditional) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	out, err := c.out.room(x, c.t, b.N)
	if err != nil {
		return nil, err
	}
	if c.arg != nil && len(rows) > 0 {
		if c.value, err = c.arg.eval(x, b, rows); err != nil {
			return nil, err
		}
	}
	open := rows
	for i, w := range c.whens {
		if len(open) == 0 {
			return out, nil
		}
		v, err := w.condition.eval(x, b, open)
		if err != nil {
			return nil, err
		}
		c.taken = pass(v, open, c.taken.empty(len(open)))
		still := without(open, c.taken, c.left[i&1].empty(len(open)))
		c.left[i&1] = still
		open = still
		if err := c.put(x, b, out, w.result, c.taken); err != nil {
			return nil, err
		}
	}
	return out, c.put(x, b, out, c.other, open)
}

func (c *conditional) put(x *run, b *vector.Batch, out *vector.Column, e expression, rows []int32) error {
	if len(rows) == 0 {
		return nil
	}
	v, err := e.eval(x, b, rows)
	if err != nil {
		return err
	}
	vector.Scatter(out, v, rows)
	return nil
}

// without gives the rows of all that are not in some; both ascend.
func without(all, some, into []int32) []int32 {
	i := 0
	for _, r := range all {
		if i < len(some) && some[i] == r {
			i++
			continue
		}
		into = append(into, r)
	}
	return into
}

// coalesce is the first value that is not NULL.
type coalesce struct {
	t    pgcat.OID
	args []expression
	out  buffer
	left [2]rowList
}

func (c *coalesce) typ() pgcat.OID { return c.t }

func (c *coalesce) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	out, err := c.out.room(x, c.t, b.N)
	if err != nil {
		return nil, err
	}
	open := rows
	for i, a := range c.args {
		if len(open) == 0 {
			break
		}
		v, err := a.eval(x, b, open)
		if err != nil {
			return nil, err
		}
		if v.Nulls == nil {
			vector.Scatter(out, v, open)
			return out, nil
		}
		still := c.left[i&1].empty(len(open))
		for _, r := range open {
			if v.Null(int(r)) {
				still = append(still, r)
				continue
			}
			out.Copy(int(r), v, int(r))
		}
		c.left[i&1] = still
		open = still
	}
	for _, r := range open {
		out.SetNull(int(r))
	}
	return out, nil
}

// extremeOf is GREATEST or LEAST.
type extremeOf struct {
	t         pgcat.OID
	args      []expression
	direction int
	compare   vector.Comparator
	out       buffer
}

func (g *extremeOf) typ() pgcat.OID { return g.t }

func (g *extremeOf) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	out, err := g.out.room(x, g.t, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		out.SetNull(int(r))
	}
	for _, a := range g.args {
		v, err := a.eval(x, b, rows)
		if err != nil {
			return nil, err
		}
		if err := x.env.Meter.Charge(int64(len(rows))); err != nil {
			return nil, err
		}
		for _, r := range rows {
			if v.Null(int(r)) {
				continue
			}
			if out.Nulls.Has(int(r)) || g.compare(v, v.At(int(r)), out, int(r))*g.direction > 0 {
				out.Copy(int(r), v, int(r))
			}
		}
	}
	return out, nil
}
