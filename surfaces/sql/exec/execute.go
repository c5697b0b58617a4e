package exec

import (
	"fmt"

	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// Rows gives the rows of a statement bit by bit.
type Rows struct {
	x     *run
	root  operator
	types []pgcat.OID
	after []*sharedRows // data-modifying WITH queries
	main  *modification // nil unless the statement itself changes rows
	done  bool
}

// Start makes a plan ready and begins it. Errors, here and later, are *pgerr.Error
// or the meter's fault, which names the join that caused it if one did. The
// parameters have been put into the plan when it was made.
func Start(e *fn.Env, p *plan.Plan) (r *Rows, err error) {
	defer contain(&err)
	b := &builder{env: e, uses: map[int]bool{}, shared: map[*plan.Shared]*sharedRows{}, recursions: map[*plan.Recursive]*recursion{}, params: p.Params}
	root, err := b.operator(p.Root)
	if err != nil {
		return nil, err
	}
	r = &Rows{root: root, types: p.Root.Types()}
	r.main, _ = root.(*modification)
	for _, m := range p.Modifiers {
		s, err := b.sharedOf(m)
		if err != nil {
			return nil, err
		}
		r.after = append(r.after, s)
	}
	r.x = &run{env: e, params: make([]*vector.Column, b.params), versions: make([]int64, b.params), joins: b.joins}
	if err := root.open(r.x); err != nil {
		return nil, r.Blame(err)
	}
	return r, nil
}

// sourceOf finds a table's rows.
func sourceOf(t *query.Table) (Source, error) {
	if s, ok := t.Source.(Source); ok {
		return s, nil
	}
	return nil, notSupported("table %q cannot be read here", t.Name)
}

// contain turns a defect of ours into an error: nothing may end the host.
func contain(err *error) {
	if r := recover(); r != nil {
		*err = pgerr.New("XX000", "internal error: %s", fmt.Sprint(r))
	}
}

// Next gives the next rows, which are the caller's until the call after, or nil at
// the end. Data-modifying WITH queries are then done too.
func (r *Rows) Next() (b *vector.Batch, err error) {
	defer contain(&err)
	for !r.done {
		b, err = r.root.next(r.x)
		if err != nil {
			return nil, r.Blame(err)
		}
		if b != nil && b.Count() > 0 {
			return b, nil
		}
		r.done = b == nil
	}
	for _, s := range r.after {
		if err := s.finish(r.x); err != nil {
			return nil, r.Blame(err)
		}
	}
	r.after = nil
	return nil, nil
}

// Types are those of the columns.
func (r *Rows) Types() []pgcat.OID { return r.types }

// Changed is how many rows the statement has inserted, updated or deleted.
func (r *Rows) Changed() int64 {
	if r.main == nil {
		return 0
	}
	return r.main.changed
}

// Close ends the statement.
func (r *Rows) Close() { r.done, r.after = true, nil }

// Blame tells a limit's fault, of whoever keeps the rows, as the work of the join
// that made them, if one did.
func (r *Rows) Blame(err error) error { return blame(r.x.joins, err) }
