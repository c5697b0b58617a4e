//go:build cgo

package engine

import (
	"github.com/polyglove/polyglove/surfaces/sql/exec"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// drain runs a plan to its end and keeps the rows.
func drain(e *fn.Env, p *plan.Plan) (*Result, error) {
	rows, err := exec.Start(e, p)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := &Result{env: e}
	types := p.Root.Types()
	for range p.Names {
		r.data = append(r.data, vector.Make(types[len(r.data)], 0))
	}
	for {
		b, err := rows.Next()
		if err != nil {
			return nil, err
		}
		if b == nil {
			r.Changed = rows.Changed()
			return r, nil
		}
		if err := r.add(e, b); err != nil {
			return nil, rows.Blame(err)
		}
	}
}

// add keeps the rows of a batch, charging first.
func (r *Result) add(e *fn.Env, b *vector.Batch) error {
	n := b.Count()
	if err := r.reserve(e, n); err != nil {
		return err
	}
	var payload int64
	for i := range r.data {
		payload += b.Columns[i].Payload(b.Rows)
	}
	if err := e.Meter.Alloc(payload); err != nil {
		return err
	}
	for i, c := range r.data {
		if b.Rows != nil {
			c.Append(b.Columns[i], b.Rows)
		} else {
			appendRows(c, b.Columns[i], b.N)
		}
	}
	r.rows += n
	return nil
}

// reserve makes room for n more rows. While rows move to a larger place both places
// are charged.
func (r *Result) reserve(e *fn.Env, n int) error {
	if r.rows+n <= r.capacity {
		return nil
	}
	capacity := max(r.rows+n, r.capacity+r.capacity/2)
	var bytes int64
	for _, c := range r.data {
		bytes += vector.Bytes(c.Type, capacity)
	}
	if err := e.Meter.Alloc(bytes); err != nil {
		return err
	}
	for _, c := range r.data {
		c.Reserve(capacity)
	}
	e.Meter.Release(r.charged)
	r.capacity, r.charged = capacity, bytes
	return nil
}
