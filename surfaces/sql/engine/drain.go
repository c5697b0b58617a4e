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
	var bytes int64
	for i, c := range r.data {
		bytes += vector.Bytes(c.Type, n) + b.Columns[i].Payload(b.Rows)
	}
	if err := e.Meter.Alloc(bytes); err != nil {
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
