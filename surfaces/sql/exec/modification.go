package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// modification changes a table and gives what RETURNING reads. It is done as a whole
// before the first row is given.
type modification struct {
	kind      query.Kind
	writer    Writer
	in        operator
	width     int // columns of the table
	sets      []int
	returning []expression
	types     []pgcat.OID

	changed int64
	seen    map[int32]bool // rows that have been changed
	ready   bool
	given   *rowStore
	reader  storeReader
}

func (b *builder) modification(n *plan.Modify) (operator, error) {
	w, ok := n.Table.Source.(Writer)
	if !ok {
		return nil, notSupported("table %q cannot be changed here", n.Table.Name)
	}
	in, err := b.operator(n.Input)
	if err != nil {
		return nil, err
	}
	m := &modification{kind: n.Kind, writer: w, in: in, width: len(n.Table.Columns), sets: n.Sets, types: n.Columns}
	m.returning, err = b.compileAll(n.Returning)
	return m, err
}

func (m *modification) open(x *run) error {
	m.ready, m.changed, m.seen = false, 0, map[int32]bool{}
	return m.in.open(x)
}

func (m *modification) next(x *run) (*vector.Batch, error) {
	if !m.ready {
		if err := m.change(x); err != nil {
			return nil, err
		}
		m.ready, m.reader = true, storeReader{store: m.given}
	}
	return m.reader.next(), nil
}

// change goes through all rows.
func (m *modification) change(x *run) error {
	m.given = newRowStore(m.types)
	for {
		mark := x.env.Mark()
		b, err := m.in.next(x)
		if err != nil || b == nil {
			return err
		}
		if b, err = m.dense(x, b); err != nil {
			return err
		}
		if b.N == 0 {
			continue
		}
		if err := m.apply(x, b); err != nil {
			return err
		}
		x.env.Keep(mark)
		m.changed += int64(b.N)
		if err := m.give(x, b); err != nil {
			return err
		}
	}
}

// dense copies the rows that count, without those of UPDATE and DELETE that have
// been changed before.
func (m *modification) dense(x *run, b *vector.Batch) (*vector.Batch, error) {
	rows := rowsOf(b)
	if m.kind != query.Insert {
		numbers := b.Columns[0]
		var first []int32
		for _, r := range rows {
			n := int32(numbers.Ints[numbers.At(int(r))])
			if m.seen[n] {
				continue
			}
			if err := x.env.Meter.Alloc(16); err != nil {
				return nil, err
			}
			m.seen[n] = true
			first = append(first, r)
		}
		rows = first
	}
	out := &vector.Batch{N: len(rows)}
	for _, c := range b.Columns {
		if err := x.env.Fail(x.env.Alloc(vector.Bytes(c.Type, len(rows)))); err != nil {
			return nil, err
		}
		d := vector.Make(c.Type, 0)
		vector.Gather(d, c, rows)
		out.Columns = append(out.Columns, d)
	}
	return out, nil
}

func (m *modification) apply(x *run, b *vector.Batch) error {
	if m.kind == query.Insert {
		return m.writer.Insert(x.env, b.N, b.Columns[:m.width])
	}
	rows := make([]int32, b.N)
	for i := range rows {
		rows[i] = int32(b.Columns[0].Ints[i])
	}
	if m.kind == query.Delete {
		return m.writer.Delete(x.env, rows)
	}
	return m.writer.Update(x.env, rows, m.sets, b.Columns[1+m.width:1+m.width+len(m.sets)])
}

// give keeps what RETURNING reads of the rows: the table's columns as they are now,
// then those of other relations.
func (m *modification) give(x *run, b *vector.Batch) error {
	if len(m.returning) == 0 {
		return nil
	}
	row := &vector.Batch{N: b.N}
	if m.kind == query.Insert {
		row.Columns = b.Columns
	} else {
		row.Columns = append(row.Columns, b.Columns[1:1+m.width]...)
		for i, c := range m.sets {
			row.Columns[c] = b.Columns[1+m.width+i]
		}
		row.Columns = append(row.Columns, b.Columns[1+m.width+len(m.sets):]...)
	}
	columns, err := evalList(x, m.returning, row, identity[:b.N], nil)
	if err != nil {
		return err
	}
	return m.given.add(x, &vector.Batch{N: b.N, Columns: columns, Rows: identity[:b.N]})
}
