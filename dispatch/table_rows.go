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
	bytes  int64 // of the rows that were made

	room   []value.Object // of rows that are made of others
	shaped *value.Keys    // the shape that room is for
}

// rowPlan is how rows of one shape become rows of the table.
type rowPlan struct {
	names   []string // the shape
	sources []int    // for each column that comes out, where it comes from; -1 is stamped
	columns []*toolfn.Column
	kinds   []cellKind
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
	d.bytes = 0
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
	}
	got.bytes += d.bytes
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
		var err error
		if out, err = d.blank(p); err != nil {
			return nil, err
		}
		for i, from := range p.sources {
			if from < 0 {
				out.SetAt(i, p.stamps[i])
			} else {
				out.SetAt(i, row.At(from))
			}
		}
	}
	return out, d.cells(out, p, n)
}

// rowsAhead is how many rows are made room for at once.
const rowsAhead = 64

// blank gives an empty row of a plan's shape.
func (d *decoder) blank(p *rowPlan) (*value.Object, error) {
	n := len(p.columns)
	if n == 0 {
		return value.NewRow(p.keys, nil), d.run.m.Alloc(48)
	}
	if len(d.room) == 0 || d.shaped != p.keys {
		if err := d.run.m.Alloc(rowsAhead * (int64(n)*16 + 48)); err != nil {
			return nil, err
		}
		d.shaped, d.room = p.keys, value.NewRows(p.keys, make([]value.Value, rowsAhead*n))
	}
	row := &d.room[0]
	d.room = d.room[1:]
	return row, nil
}

// cells gives the cells of a row the types of their columns. A cell that has its
// column's type is left alone.
func (d *decoder) cells(out *value.Object, p *rowPlan, n int) error {
	size := int64(len(p.columns))*16 + 48
	for i, c := range p.columns {
		v := out.At(i)
		kind, fits := p.kinds[i], false
		switch x := v.(type) {
		case nil:
			size, fits = size+8, true
		case string:
			size, fits = size+int64(len(x))+16, kind == textCell || kind == anyCell
		case int64:
			size, fits = size+8, kind == intCell || kind == anyCell
		case float64:
			size, fits = size+8, kind == floatCell || kind == anyCell
		case bool:
			size, fits = size+8, kind == boolCell || kind == anyCell
		default:
			size, fits = size+value.Size(v, 1<<40), kind == anyCell
		}
		if fits {
			continue
		}
		cell, err := d.cell(c, v)
		if err != nil {
			return d.wrongCell(c, n, err)
		}
		if changedCell(v, cell) {
			out.SetAt(i, cell)
		}
	}
	d.bytes += size
	return nil
}

// cellKind is what cells of a column are in Go, for those that need no reading.
type cellKind uint8

const (
	readCell cellKind = iota // has to be read
	anyCell
	textCell
	intCell
	floatCell
	boolCell
)

var cellKinds = map[string]cellKind{"text": textCell, "bigint": intCell, "double precision": floatCell, "boolean": boolCell, "jsonb": anyCell}

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
		p.kinds = append(p.kinds, cellKinds[c.Type])
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
