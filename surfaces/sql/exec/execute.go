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

// Options is what a run needs to know of its surroundings.
type Options struct {
	Env *fn.Env
	// Source finds the rows of a table. Without it a table's own Source is asked.
	Source func(*query.Table) (Source, error)
}

// Result is the rows of a statement.
type Result struct {
	Rows    int
	Columns []*vector.Column
	Types   []pgcat.OID
}

// Run runs a plan to its end and keeps its rows. Errors are *pgerr.Error, or the
// meter's fault, which names the join that caused it if one did.
func Run(p *plan.Plan, o Options) (*Result, error) {
	c, err := Open(p, o)
	if err != nil {
		return nil, err
	}
	return c.All()
}

// Cursor gives the rows of a statement bit by bit.
type Cursor struct {
	x     *run
	root  operator
	types []pgcat.OID
	after []*sharedRows // data-modifying WITH queries
	done  bool
}

// Open makes a plan ready and begins it.
func Open(p *plan.Plan, o Options) (c *Cursor, err error) {
	defer contain(&err)
	b := &builder{env: o.Env, source: o.Source, uses: map[int]bool{}, shared: map[*plan.Shared]*sharedRows{}, recursions: map[*plan.Recursive]*recursion{}}
	if b.source == nil {
		b.source = ownSource
	}
	root, err := b.operator(p.Root)
	if err != nil {
		return nil, err
	}
	c = &Cursor{root: root, types: p.Root.Types()}
	for _, m := range p.Modifiers {
		s, err := b.sharedOf(m)
		if err != nil {
			return nil, err
		}
		c.after = append(c.after, s)
	}
	c.x = &run{env: o.Env, params: make([]*vector.Column, p.Params), versions: make([]int64, p.Params), joins: b.joins}
	return c, blame(c.x.joins, root.open(c.x))
}

func ownSource(t *query.Table) (Source, error) {
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
// the end.
func (c *Cursor) Next() (b *vector.Batch, err error) {
	defer contain(&err)
	for !c.done {
		b, err = c.root.next(c.x)
		if err != nil {
			return nil, blame(c.x.joins, err)
		}
		if b != nil && b.Count() > 0 {
			return b, nil
		}
		if b == nil {
			c.done = true
		}
	}
	for _, s := range c.after {
		if err := s.finish(c.x); err != nil {
			return nil, blame(c.x.joins, err)
		}
	}
	c.after = nil
	return nil, nil
}

// Types are those of the columns.
func (c *Cursor) Types() []pgcat.OID { return c.types }

// All keeps the rows that are left.
func (c *Cursor) All() (*Result, error) {
	store := newRowStore(c.types)
	for {
		b, err := c.Next()
		if err != nil {
			return nil, err
		}
		if b == nil {
			c.x.env.Keep(0)
			return &Result{Rows: store.n, Columns: store.columns, Types: c.types}, nil
		}
		if err := store.add(c.x, b); err != nil {
			return nil, blame(c.x.joins, err)
		}
	}
}
