package dispatch

import (
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// stageWrite puts a planned write on the list of pending effects. Reads show it
// from then on, until it is committed, when it is made as it was planned and shows
// as made, or dropped.
func (r *Run) stageWrite(p *plan, a *admitted) (*Wrote, error) {
	o := r.stagedWrites()
	var entries []*laidWrite
	for _, u := range p.units {
		entries = append(entries, p.entries(u, written{}, r.d.tables.tick())...)
	}
	for _, e := range entries {
		r.lay(o, p.t, e)
	}
	key := r.logKey(p.t)
	undo := func() { o.remove(key, entries) }
	fire := func(committing *Run) (value.Value, error) {
		undo()
		w, err := committing.fireStaged(p)
		if err != nil {
			return nil, err
		}
		return w.value(), nil
	}
	v, err := r.hold(a, fire, undo)
	if err != nil {
		undo()
		return nil, err
	}
	held, _ := v.(*Placeholder)
	return &Wrote{Affected: -1, Partial: p.partial, Staged: held}, nil
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
// was planned for.
func (r *Run) fireStaged(p *plan) (*Wrote, error) {
	if now, ok := r.d.catalog.Table(p.t.Name); !ok || now != p.t.ResourceTable {
		return nil, &sandbox.Fault{Kind: sandbox.KindDenied, Message: fmt.Sprintf("table %s is not what it was when the %s was staged, so it was not made.", p.t.Name, p.verb), Hint: "Stage it again."}
	}
	if r.calls+len(p.units) > r.limits.Calls {
		return nil, r.m.Fail(r.tooManyCalls(p.at))
	}
	if err := r.drain(); err != nil {
		return nil, err
	}
	return r.fire(p)
}
