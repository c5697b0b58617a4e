package dispatch

import (
	"fmt"
	"slices"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// decoder makes typed rows of what a server sent: declared columns only, in the
// table's order, each cell of its column's type, with the arguments of the read
// put in where the server leaves them out. A column that a row lacks stays out.
type decoder struct {
	run    *Run
	t      *toolfn.ResourceTable
	passed bound
	plan   *rowPlan
	keys   *value.Keys
}

// rowPlan is how rows of one shape become rows of the table.
type rowPlan struct {
	names   []string // the shape
	sources []int    // for each column that comes out, where it comes from; -1 is stamped
	columns []*toolfn.Column
	stamps  []value.Value
	keys    *value.Keys
	same    bool // the shape is already the table's: cells are changed in place
}

// page adds a page to what was fetched and reports whether there is another.
func (d *decoder) page(got *fetched, v value.Value) (more bool, err error) {
	o, ok := v.(*value.Object)
	if !ok {
		return false, d.unusable("it gave no page")
	}
	list, _ := o.Get("rows")
	rows, _ := list.([]value.Value)
	if err := d.run.m.Charge(int64(len(rows)*len(d.t.Columns))>>3 + 1); err != nil {
		return false, err
	}
	got.rows = slices.Grow(got.rows, len(rows))
	for i, e := range rows {
		row, ok := e.(*value.Object)
		if !ok || row == nil {
			return false, d.unusable(fmt.Sprintf("row %d is %s, not an object", len(got.rows)+1, value.Kind(e)))
		}
		if row, err = d.row(row, len(got.rows)); err != nil {
			return false, err
		}
		rows[i] = row
		got.rows = append(got.rows, row)
		got.bytes += value.Size(row, 1<<40)
	}
	if names, ok := o.Get("consumed"); ok {
		for _, n := range names.([]value.Value) {
			if s, ok := n.(string); ok && !slices.Contains(got.consumed, s) {
				got.consumed = append(got.consumed, s)
			}
		}
	}
	if why, ok := o.Get("incomplete"); ok {
		got.incomplete, _ = why.(string)
	}
	_, more = o.Get("more")
	return more, nil
}

// row makes a row of the table of one that came in, which is the program's own.
func (d *decoder) row(row *value.Object, n int) (*value.Object, error) {
	if row.Keys() != d.keys || d.plan == nil {
		d.keys = row.Keys()
		if d.plan == nil || !slices.Equal(d.plan.names, d.keys.Names()) {
			d.plan = d.planFor(d.keys)
		}
	}
	p := d.plan
	out := row
	if !p.same {
		if err := d.run.m.Alloc(int64(len(p.columns))*16 + 48); err != nil {
			return nil, err
		}
		vals := make([]value.Value, len(p.columns))
		for i, from := range p.sources {
			if from < 0 {
				vals[i] = p.stamps[i]
			} else {
				vals[i] = row.At(from)
			}
		}
		out = value.NewRow(p.keys, vals)
	}
	for i, c := range p.columns {
		v := out.At(i)
		cell, err := d.cell(c, v)
		if err != nil {
			return nil, d.wrongCell(c, n, err)
		}
		if changedCell(v, cell) {
			out.SetAt(i, cell)
		}
	}
	return out, nil
}

// cell reads one cell, charging for a text that is made of data.
func (d *decoder) cell(c *toolfn.Column, v value.Value) (value.Value, error) {
	cell, err := c.Cell(v)
	if s, ok := cell.(string); ok && err == nil {
		if _, was := v.(string); !was {
			if err := d.run.m.Alloc(int64(len(s)) + 16); err != nil {
				return nil, err
			}
		}
	}
	return cell, err
}

// changedCell reports whether a cell is another value than it was, for kinds
// that can be compared.
func changedCell(a, b value.Value) bool {
	switch a.(type) {
	case []value.Value, *value.Object:
		switch b.(type) {
		case []value.Value, *value.Object:
			return false
		}
		return true
	}
	return a != b
}

// planFor plans for a shape.
func (d *decoder) planFor(keys *value.Keys) *rowPlan {
	p := &rowPlan{names: keys.Names()}
	var names []string
	for i := range d.t.Columns {
		c := &d.t.Columns[i]
		from := keys.Index(c.Name)
		var stamp value.Value
		if from < 0 {
			b := d.passed.has(c.Name)
			if !c.Argument || b == nil || len(b.values) != 1 {
				continue
			}
			stamp = b.values[0]
		}
		p.sources = append(p.sources, from)
		p.columns = append(p.columns, c)
		p.stamps = append(p.stamps, stamp)
		names = append(names, c.Name)
	}
	p.same = slices.Equal(names, p.names)
	for i, from := range p.sources {
		p.same = p.same && from == i
	}
	if p.same {
		p.keys = keys
	} else {
		p.keys = value.NewKeys(names...)
	}
	return p
}

// check finds a table that says that its server compares a column which its rows
// do not hold: nothing of what it gave could be told from nothing.
func (d *decoder) check(got *fetched) error {
	for _, b := range d.passed {
		name := b.column.Name
		if slices.Contains(got.consumed, name) || len(got.rows) == 0 {
			continue
		}
		lacks := func(row *value.Object) bool { return !row.Has(name) }
		if !slices.ContainsFunc(got.rows, func(row *value.Object) bool { return !lacks(row) }) {
			return d.unusable(fmt.Sprintf("its rows do not hold the column %s, by which they were asked for; the table should declare it an argument", name))
		}
	}
	return nil
}

func (d *decoder) wrongCell(c *toolfn.Column, n int, err error) error {
	if f, ok := err.(*sandbox.Fault); ok {
		return f
	}
	return d.unusable(fmt.Sprintf("column %s, row %d: %s", c.Name, n+1, err.Error()))
}

// unusable is the fault of a read whose answer does not fit the declaration.
func (d *decoder) unusable(why string) error {
	return &sandbox.Fault{
		Kind:    sandbox.KindCapability,
		Message: "table " + d.t.Name + " cannot be read: " + Sentence(why),
		Hint:    "What the server sent does not fit the table's declaration. Go on without it, and report it.",
	}
}
