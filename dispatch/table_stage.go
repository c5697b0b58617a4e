package dispatch

import (
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// stageWrite puts a planned write on the list of pending effects. Reads show it
// from then on, until it is committed, when it is made as it was planned and shows
// as made, or dropped.
func (r *Run) stageWrite(p *plan, a *admitted) (*Wrote, error) {
	fire, undo := r.lieStaged(p)
	v, err := r.hold(a, fire, undo)
	if err != nil {
		undo()
		return nil, err
	}
	held, _ := v.(*Placeholder)
	return &Wrote{Affected: -1, Partial: p.partial, Staged: held}, nil
}

// lieStaged shows a planned write to reads as staged, and gives how it is made and
// how it is taken back.
func (r *Run) lieStaged(p *plan) (fire staged, undo func()) {
	o := r.stagedWrites()
	var entries []*laidWrite
	for _, u := range p.units {
		entries = append(entries, p.entries(u, written{}, r.d.tables.tick())...)
	}
	for _, e := range entries {
		r.lay(o, p.t, e)
	}
	key := r.logKey(p.t)
	undo = func() { o.remove(key, entries) }
	fire = func(committing *Run) (value.Value, *remainder, error) {
		undo()
		w, left, err := committing.fireStaged(p)
		if err == nil {
			return w.value(), nil, nil
		}
		if left == 0 {
			return nil, nil, err
		}
		q := p.last(left)
		rest := &remainder{args: q.args, whole: left == len(p.units)}
		rest.fire, rest.undo = committing.lieStaged(q)
		return nil, rest, err
	}
	return fire, undo
}

// last is the plan of the last so many parts.
func (p *plan) last(n int) *plan {
	q := *p
	q.units = p.units[len(p.units)-n:]
	if n == len(p.units) {
		return &q
	}
	if p.verb == toolfn.Insert {
		var list []value.Value
		for _, u := range q.units {
			for _, row := range u.rows {
				list = append(list, row)
			}
		}
		q.args = value.Of("rows", list)
		return &q
	}
	q.args = keyArgs(&q)
	return &q
}

// stagedWrites is where staged writes are remembered: with the workspace, or with
// a program that only tries.
func (r *Run) stagedWrites() *overlay {
	if r.trial == nil {
		return &r.d.tables.staged
	}
	if r.reads.tried == nil {
		r.reads.tried = &overlay{lasting: true}
	}
	return r.reads.tried
}

// fireStaged makes a write that was staged, if the table is still the one that it
// was planned for. left is how many of its last parts were not even begun and are
// still wanted.
func (r *Run) fireStaged(p *plan) (w *Wrote, left int, err error) {
	if now, ok := r.d.catalog.Table(p.t.Name); !ok || now != p.t.ResourceTable {
		return nil, 0, &sandbox.Fault{Kind: sandbox.KindDenied, Message: fmt.Sprintf("table %s is not what it was when the %s was staged, so it was not made.", p.t.Name, p.verb), Hint: "Stage it again."}
	}
	if r.calls+len(p.units) > r.limits.Calls {
		return nil, len(p.units), r.m.Fail(r.tooManyCalls(p.at))
	}
	if err := r.drain(); err != nil {
		return nil, len(p.units), err
	}
	w, err = r.fire(p)
	return w, w.left, err
}
