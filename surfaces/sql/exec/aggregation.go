package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// aggregation groups rows. Its columns are the keys, the masks of GROUPING and the
// results of the calls. Groups come in the order in which their first rows do.
type aggregation struct {
	in        operator
	keys      []expression
	sets      [][]int // the keys of each grouping set
	groupings [][]int
	calls     []*aggregateCall
	plain     bool
	types     []pgcat.OID

	states  []*groupSet
	before  []*groupSet // of the run before, for their room
	columns []*vector.Column
	at      int // the set that is given
	row     int // the group of it
	out     vector.Batch
}

// aggregateCall is a call of an aggregate.
type aggregateCall struct {
	make     fn.NewAccumulator
	spec     fn.AggregateSpec
	direct   []expression
	args     []expression // the arguments, then the sort expressions
	own      int          // how many of them are arguments
	filter   expression
	strict   bool
	kind     byte // as pg_aggregate.aggkind
	distinct bool
	order    []sortKey // of rows that are sorted first; over args
	// byHash says that equal rows can be dropped as they come: no result depends on
	// the order.
	byHash bool

	columns []*vector.Column
	rows    []int32
	passed  rowList
	live    rowList
}

// sorts reports whether the rows are collected and sorted.
func (c *aggregateCall) sorts() bool { return len(c.order) > 0 || c.distinct && !c.byHash }

// groupSet is the state of one grouping set.
type groupSet struct {
	keys   []int
	groups *grouping
	calls  []callState
	ids    []int32 // of a batch's rows, by place in the list
	byRow  []int32 // and by row
}

// callState is the state of a call in a grouping set.
type callState struct {
	accumulator fn.Accumulator
	seen        *grouping // group and arguments, of DISTINCT by hash
	collected   *rowStore // group, arguments and sort expressions
}

func (a *aggregation) open(x *run) error {
	a.before, a.states, a.at, a.row = a.states, nil, 0, 0
	return a.in.open(x)
}

func (a *aggregation) begin(x *run) error {
	for _, c := range a.calls {
		if err := c.directs(x); err != nil {
			return err
		}
	}
	a.states = make([]*groupSet, 0, len(a.sets))
	for _, keys := range a.sets {
		s := &groupSet{keys: keys}
		if n := len(a.states); n < len(a.before) {
			s.ids, s.byRow = a.before[n].ids, a.before[n].byRow
			a.before[n].groups.reset(x)
		}
		types := make([]pgcat.OID, len(keys))
		for i, k := range keys {
			types[i] = a.keys[k].typ()
		}
		s.groups = newGrouping(types)
		for _, c := range a.calls {
			state, err := c.begin(x)
			if err != nil {
				return err
			}
			s.calls = append(s.calls, state)
		}
		a.states = append(a.states, s)
	}
	return nil
}

// directs computes the direct arguments.
func (c *aggregateCall) directs(x *run) error {
	c.spec.Direct = c.spec.Direct[:0]
	for _, e := range c.direct {
		v, err := e.eval(x, &vector.Batch{N: 1}, firstRow)
		if err != nil {
			return err
		}
		c.spec.Direct = append(c.spec.Direct, v.Datum(0))
	}
	return nil
}

func (c *aggregateCall) begin(x *run) (callState, error) {
	acc, err := c.make(x.env, c.spec)
	s := callState{accumulator: acc}
	if err != nil {
		return s, err
	}
	types := []pgcat.OID{pgcat.Int4}
	for _, e := range c.args {
		types = append(types, e.typ())
	}
	if c.sorts() {
		s.collected = newRowStore(types)
	} else if c.distinct {
		s.seen = newGrouping(types[:1+c.own])
	}
	return s, nil
}

func (a *aggregation) next(x *run) (*vector.Batch, error) {
	if a.states == nil {
		if err := a.read(x); err != nil {
			return nil, err
		}
	}
	for a.at < len(a.states) {
		if s := a.states[a.at]; a.row < s.groups.count() {
			return a.give(x, s)
		}
		a.at, a.row = a.at+1, 0
	}
	return nil, nil
}

// read takes in all rows.
func (a *aggregation) read(x *run) error {
	if err := a.begin(x); err != nil {
		return err
	}
	for {
		mark := x.env.Mark()
		b, err := a.in.next(x)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := a.add(x, b); err != nil {
			return err
		}
		x.env.Drop(mark)
	}
	for _, s := range a.states {
		if len(s.keys) == 0 && s.groups.count() == 0 {
			s.groups.hashes = append(s.groups.hashes, 0)
		}
		for i, c := range a.calls {
			if err := c.finish(x, &s.calls[i], s.groups.count()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *aggregation) add(x *run, b *vector.Batch) (err error) {
	rows := rowsOf(b)
	if len(rows) == 0 {
		return nil
	}
	if a.columns, err = evalList(x, a.keys, b, rows, a.columns); err != nil {
		return err
	}
	for _, s := range a.states {
		if err := s.assign(x, a.columns, rows, len(a.calls) > 0); err != nil {
			return err
		}
	}
	for i, c := range a.calls {
		if err := c.evaluate(x, b, rows); err != nil {
			return err
		}
		for _, s := range a.states {
			if err := c.add(x, s, &s.calls[i], len(rows)); err != nil {
				return err
			}
		}
	}
	return nil
}

// assign numbers the groups of a batch's rows.
func (s *groupSet) assign(x *run, columns []*vector.Column, rows []int32, byRow bool) error {
	if s.ids == nil {
		s.ids, s.byRow = make([]int32, vector.Size), make([]int32, vector.Size)
	}
	cols := make([]*vector.Column, len(s.keys))
	for i, k := range s.keys {
		cols[i] = columns[k]
	}
	if err := s.groups.assign(x, cols, rows, s.ids); err != nil {
		return err
	}
	if byRow {
		for k, r := range rows {
			s.byRow[r] = s.ids[k]
		}
	}
	return nil
}

// evaluate computes the arguments at the rows that count.
func (c *aggregateCall) evaluate(x *run, b *vector.Batch, rows []int32) error {
	if c.filter != nil {
		v, err := c.filter.eval(x, b, rows)
		if err != nil {
			return err
		}
		c.passed = pass(v, rows, c.passed.empty(len(rows)))
		rows = c.passed
	}
	var err error
	if c.columns, err = evalList(x, c.args, b, rows, c.columns); err != nil {
		return err
	}
	if c.strict || c.kind == 'o' {
		rows = withoutNulls(c.columns[:c.own], rows, &c.live)
	}
	c.rows = rows
	return nil
}

// withoutNulls takes away the rows at which a column is NULL.
func withoutNulls(columns []*vector.Column, rows []int32, into *rowList) []int32 {
	for _, a := range columns {
		if a.Nulls == nil {
			continue
		}
		live := into.empty(len(rows))
		for _, r := range rows {
			if !a.Null(int(r)) {
				live = append(live, r)
			}
		}
		*into = live
		rows = live
	}
	return rows
}

// add takes the evaluated rows into the state of a grouping set.
func (c *aggregateCall) add(x *run, s *groupSet, state *callState, all int) error {
	rows, ids := c.rows, s.ids
	if len(rows) != all {
		ids = make([]int32, len(rows))
		for k, r := range rows {
			ids[k] = s.byRow[r]
		}
	}
	ids = ids[:len(rows)]
	if state.collected != nil {
		return c.collect(x, s, state, rows)
	}
	if state.seen != nil {
		var err error
		if rows, ids, err = c.firstSeen(x, s, state, rows); err != nil {
			return err
		}
	}
	return c.feed(x, state, s.groups.count(), ids, c.columns[:c.own], rows)
}

// feed gives rows to the accumulator. What it charges stays charged.
func (c *aggregateCall) feed(x *run, state *callState, groups int, ids []int32, columns []*vector.Column, rows []int32) error {
	mark := x.env.Mark()
	if err := state.accumulator.Grow(x.env, groups); err != nil {
		return err
	}
	if len(rows) > 0 {
		if err := state.accumulator.Add(x.env, ids, columns, rows); err != nil {
			return err
		}
	}
	x.env.Keep(mark)
	return nil
}

// groupColumn gives the groups of rows as a column by row.
func (s *groupSet) groupColumn() *vector.Column {
	c := vector.Make(pgcat.Int4, vector.Size)
	for r, id := range s.byRow {
		c.Ints[r] = int64(id)
	}
	return c
}

func (c *aggregateCall) collect(x *run, s *groupSet, state *callState, rows []int32) error {
	if len(rows) == 0 {
		return nil
	}
	b := &vector.Batch{N: vector.Size, Columns: append([]*vector.Column{s.groupColumn()}, c.columns...), Rows: rows}
	// What the rows hold stays.
	x.env.Keep(0)
	return state.collected.add(x, b)
}

// firstSeen keeps the rows whose arguments are new to their group.
func (c *aggregateCall) firstSeen(x *run, s *groupSet, state *callState, rows []int32) (kept, ids []int32, err error) {
	if len(rows) == 0 {
		return nil, nil, nil
	}
	columns := append([]*vector.Column{s.groupColumn()}, c.columns[:c.own]...)
	numbers := make([]int32, len(rows))
	before := int32(state.seen.count())
	if err := state.seen.assign(x, columns, rows, numbers); err != nil {
		return nil, nil, err
	}
	for k, r := range rows {
		if numbers[k] == before {
			before++
			kept, ids = append(kept, r), append(ids, s.byRow[r])
		}
	}
	return kept, ids, nil
}

// finish sorts what was collected and takes it in.
func (c *aggregateCall) finish(x *run, state *callState, groups int) error {
	mark := x.env.Mark()
	if err := state.accumulator.Grow(x.env, groups); err != nil {
		return err
	}
	x.env.Keep(mark)
	if state.collected == nil {
		return nil
	}
	store := state.collected
	keys := []sortKey{{column: 0}}
	for _, k := range c.order {
		k.column++
		keys = append(keys, k)
	}
	if c.distinct {
		for i := range c.own {
			keys = append(keys, sortKey{column: i + 1})
		}
	}
	types := make([]pgcat.OID, len(store.columns))
	for i, col := range store.columns {
		types[i] = col.Type
	}
	o := newOrdering(keys, types)
	order, err := o.permutation(x, store.columns, store.n)
	if err != nil {
		return err
	}
	for at := 0; at < len(order); at += vector.Size {
		if err := c.feedSorted(x, state, groups, order, at, min(at+vector.Size, len(order)), types); err != nil {
			return err
		}
	}
	x.env.Meter.Release(int64(store.n) * 4)
	store.release(x)
	state.collected = nil
	return nil
}

func (c *aggregateCall) feedSorted(x *run, state *callState, groups int, order []int32, from, to int, types []pgcat.OID) error {
	store := state.collected
	columns := make([]*vector.Column, 1+c.own)
	for i := range columns {
		columns[i] = vector.Make(types[i], 0)
		vector.Gather(columns[i], store.columns[i], order[from:to])
	}
	rows := make([]int32, 0, to-from)
	ids := make([]int32, 0, to-from)
	for k := range to - from {
		if c.distinct && from+k > 0 && c.sameAs(store, int(order[from+k]), int(order[from+k-1])) {
			continue
		}
		rows, ids = append(rows, int32(k)), append(ids, int32(columns[0].Ints[k]))
	}
	return c.feed(x, state, groups, ids, columns[1:], rows)
}

func (c *aggregateCall) sameAs(store *rowStore, i, j int) bool {
	for _, col := range store.columns[:1+c.own] {
		if !vector.Equal(col, i, col, j) {
			return false
		}
	}
	return true
}

// give makes a batch of the results of a grouping set.
func (a *aggregation) give(x *run, s *groupSet) (*vector.Batch, error) {
	from := a.row
	to := min(from+vector.Size, s.groups.count())
	if err := x.env.Meter.Charge(int64(to - from)); err != nil {
		return nil, err
	}
	a.row = to
	n := to - from
	a.out = vector.Batch{N: n}
	for i, t := range a.types[:len(a.keys)] {
		a.out.Columns = append(a.out.Columns, s.keyColumn(i, t, from, to))
	}
	for _, g := range a.groupings {
		a.out.Columns = append(a.out.Columns, vector.Constant(vector.Datum{Type: pgcat.Int4, Value: s.mask(g)}, n))
	}
	for i := range a.calls {
		t := a.types[len(a.keys)+len(a.groupings)+i]
		if err := x.env.Fail(x.env.Alloc(vector.Bytes(t, n))); err != nil {
			return nil, err
		}
		c := vector.Make(t, n)
		if err := s.calls[i].accumulator.Result(x.env, from, to, c); err != nil {
			return nil, err
		}
		a.out.Columns = append(a.out.Columns, c)
	}
	return &a.out, nil
}

// keyColumn gives a key of the groups from..to; one that the set leaves out is NULL.
func (s *groupSet) keyColumn(key int, t pgcat.OID, from, to int) *vector.Column {
	for i, k := range s.keys {
		if k == key {
			c := s.groups.keys[i].Slice(from, to)
			c.Type = t
			return c
		}
	}
	return vector.Constant(vector.Null(t), to-from)
}

// mask gives GROUPING of some keys: a bit for each that the set leaves out.
func (s *groupSet) mask(keys []int) int64 {
	var m int64
	for _, key := range keys {
		m <<= 1
		left := true
		for _, k := range s.keys {
			left = left && k != key
		}
		if left {
			m |= 1
		}
	}
	return m
}
