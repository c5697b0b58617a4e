package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// windowCall is a call of a window function, or of an aggregate over a window.
type windowCall struct {
	t      pgcat.OID
	name   string // of the C function: window_rank; "" for an aggregate
	args   []expression
	filter expression
	frame  frame

	make   fn.NewAccumulator
	spec   fn.AggregateSpec
	strict bool

	columns []*vector.Column
	passes  *vector.Column // the filter, at all rows
	live    rowList
	// scratch space of listed
	listRows, listGroups []int32
}

// compute fills in the results for all rows.
func (c *windowCall) compute(x *run, w *window, store *rowStore, parts []*partition, out *vector.Column) error {
	c.columns = c.columns[:0]
	for _, a := range c.args {
		col, err := evalAll(x, a, store)
		if err != nil {
			return err
		}
		c.columns = append(c.columns, col)
	}
	c.passes = nil
	if c.filter != nil {
		col, err := evalAll(x, c.filter, store)
		if err != nil {
			return err
		}
		c.passes = col
	}
	if err := c.frame.begin(x); err != nil {
		return err
	}
	if c.make != nil {
		return c.aggregate(x, w, store, parts, out)
	}
	for _, p := range parts {
		if err := x.env.Meter.Charge(int64(p.len())); err != nil {
			return err
		}
		if err := c.number(x, w, store, p, out); err != nil {
			return err
		}
	}
	return nil
}

var (
	errNtile    = pgerr.New("22014", "argument of ntile must be greater than zero")
	errNthValue = pgerr.New("22016", "argument of nth_value must be greater than zero")
)

// number computes a window function over a partition.
func (c *windowCall) number(x *run, w *window, store *rowStore, p *partition, out *vector.Column) error {
	switch c.name {
	case "window_row_number":
		for i := range p.len() {
			out.Ints[p.from+i] = int64(i + 1)
		}
	case "window_rank":
		for i := range p.len() {
			out.Ints[p.from+i] = int64(p.peerStart(i) + 1)
		}
	case "window_dense_rank":
		for i := range p.len() {
			out.Ints[p.from+i] = int64(p.peers[i] + 1)
		}
	case "window_percent_rank":
		for i := range p.len() {
			out.Floats[p.from+i] = 0
			if p.len() > 1 {
				out.Floats[p.from+i] = float64(p.peerStart(i)) / float64(p.len()-1)
			}
		}
	case "window_cume_dist":
		for i := range p.len() {
			out.Floats[p.from+i] = float64(p.peerEnd(i)) / float64(p.len())
		}
	case "window_ntile":
		return c.ntile(p, out)
	case "window_lag", "window_lag_with_offset", "window_lag_with_offset_and_default":
		c.shifted(p, out, -1)
	case "window_lead", "window_lead_with_offset", "window_lead_with_offset_and_default":
		c.shifted(p, out, 1)
	case "window_first_value", "window_last_value", "window_nth_value":
		return c.valueInFrame(x, w, store, p, out)
	default:
		return notSupported("window function %s is not available yet", c.name)
	}
	return nil
}

// ntile deals the rows out into buckets, the first ones a row larger.
func (c *windowCall) ntile(p *partition, out *vector.Column) error {
	a := c.columns[0]
	if a.Null(p.from) {
		for i := range p.len() {
			out.SetNull(p.from + i)
		}
		return nil
	}
	buckets := a.Ints[a.At(p.from)]
	if buckets <= 0 {
		return errNtile
	}
	n := int64(p.len())
	size, larger := n/buckets, n%buckets
	bucket, left := int64(0), int64(0)
	for i := range p.len() {
		if left == 0 {
			bucket++
			left = size
			if bucket <= larger {
				left++
			}
		}
		left--
		out.Ints[p.from+i] = bucket
	}
	return nil
}

// shifted is lag and lead.
func (c *windowCall) shifted(p *partition, out *vector.Column, direction int64) {
	for i := range p.len() {
		row := p.from + i
		by := int64(1)
		if len(c.columns) > 1 {
			o := c.columns[1]
			if o.Null(row) {
				out.SetNull(row)
				continue
			}
			by = o.Ints[o.At(row)]
		}
		if to := int64(i) + direction*by; to >= 0 && to < int64(p.len()) {
			out.Copy(row, c.columns[0], p.from+int(to))
			continue
		}
		if len(c.columns) > 2 {
			out.Copy(row, c.columns[2], row)
			continue
		}
		out.SetNull(row)
	}
}

// valueInFrame is first_value, last_value and nth_value.
func (c *windowCall) valueInFrame(x *run, w *window, store *rowStore, p *partition, out *vector.Column) error {
	walk := c.frame.walk(x, w, store, p)
	for i := range p.len() {
		row := p.from + i
		if err := walk.move(i); err != nil {
			return err
		}
		at := -1
		switch c.name {
		case "window_first_value":
			at = walk.nth(0)
		case "window_last_value":
			at = walk.nth(walk.count() - 1)
		default:
			n := c.columns[1]
			if n.Null(row) {
				break
			}
			k := n.Ints[n.At(row)]
			if k <= 0 {
				return errNthValue
			}
			if k <= int64(walk.count()) {
				at = walk.nth(int(k) - 1)
			}
		}
		if at < 0 {
			out.SetNull(row)
			continue
		}
		out.Copy(row, c.columns[0], p.from+at)
	}
	return nil
}

// aggregate computes an aggregate over frames.
func (c *windowCall) aggregate(x *run, w *window, store *rowStore, parts []*partition, out *vector.Column) error {
	if c.frame.wholePartition(w) {
		return c.wholePartitions(x, parts, out)
	}
	for _, p := range parts {
		if err := c.overFrames(x, w, store, p, out); err != nil {
			return err
		}
	}
	return nil
}

// counted gives the rows from..to of the sorted rows that count.
func (c *windowCall) counted(from, to int, into []int32) []int32 {
	for r := from; r < to; r++ {
		if c.passes != nil && (c.passes.Null(r) || !c.passes.Bools[c.passes.At(r)]) {
			continue
		}
		into = append(into, int32(r))
	}
	return into
}

// add gives the rows from..to to a group of an accumulator.
func (c *windowCall) add(x *run, acc fn.Accumulator, group int32, from, to int) error {
	for ; from < to; from += vector.Size {
		rows, groups := c.listed(from, min(to, from+vector.Size), group)
		if len(rows) == 0 {
			continue
		}
		if err := acc.Add(x.env, groups, c.columns, rows); err != nil {
			return err
		}
	}
	return nil
}

// listed gives the rows from..to that count, and their group for each; both hold
// until the next call.
func (c *windowCall) listed(from, to int, group int32) (rows, groups []int32) {
	c.listRows = c.counted(from, to, c.listRows[:0])
	rows = c.listRows
	if c.strict {
		rows = withoutNulls(c.columns, rows, &c.live)
	}
	c.listGroups = c.listGroups[:0]
	for range rows {
		c.listGroups = append(c.listGroups, group)
	}
	return rows, c.listGroups
}

// wholePartitions is for frames that are all of the partition.
func (c *windowCall) wholePartitions(x *run, parts []*partition, out *vector.Column) error {
	acc, err := c.make(x.env, c.spec)
	if err != nil {
		return err
	}
	if err := acc.Grow(x.env, len(parts)); err != nil {
		return err
	}
	for g, p := range parts {
		if err := c.add(x, acc, int32(g), p.from, p.to); err != nil {
			return err
		}
	}
	results := vector.Make(c.t, len(parts))
	if err := acc.Result(x.env, 0, len(parts), results); err != nil {
		return err
	}
	for g, p := range parts {
		for r := p.from; r < p.to; r++ {
			out.Copy(r, results, g)
		}
	}
	return nil
}

// overFrames goes from row to row. A frame that only grows is added to; one that
// moves on is taken from where the aggregate can, and else computed anew.
func (c *windowCall) overFrames(x *run, w *window, store *rowStore, p *partition, out *vector.Column) error {
	walk := c.frame.walk(x, w, store, p)
	running := &runningFrame{call: c, p: p}
	for i := range p.len() {
		if err := walk.move(i); err != nil {
			return err
		}
		if err := x.env.Meter.Charge(1); err != nil {
			return err
		}
		if err := running.to(x, walk); err != nil {
			return err
		}
		out.Copy(p.from+i, running.result, 0)
	}
	return nil
}

// runningFrame is the aggregate of the current frame.
type runningFrame struct {
	call   *windowCall
	p      *partition
	acc    fn.Accumulator
	frame  span // what acc has taken in
	plain  bool // the frame was one span
	result *vector.Column
	held   int64 // by acc
}

// to brings the aggregate to a frame.
func (r *runningFrame) to(x *run, walk *frameWalk) error {
	plain, next := walk.plain(), walk.frame
	if r.result != nil && r.plain && plain && r.frame == next {
		return nil
	}
	moved := false
	if r.acc != nil && r.plain && plain && next.from >= r.frame.from && next.to >= r.frame.to && next.from <= r.frame.to {
		var err error
		if moved, err = r.slide(x, next); err != nil {
			return err
		}
	}
	if !moved {
		if err := r.anew(x, walk); err != nil {
			return err
		}
	}
	r.frame, r.plain = next, plain
	if r.result == nil {
		r.result = vector.Make(r.call.t, 1)
	} else {
		r.result.Resize(1)
	}
	return r.acc.Result(x.env, 0, 1, r.result)
}

// slide adds the rows that the frame has gained and takes out those that it has
// lost, or reports that the aggregate cannot.
func (r *runningFrame) slide(x *run, next span) (bool, error) {
	if next.from > r.frame.from {
		remover, ok := r.acc.(fn.Remover)
		if !ok {
			return false, nil
		}
		rows, groups := r.call.listed(r.p.from+r.frame.from, r.p.from+next.from, 0)
		if err := x.env.Meter.Charge(int64(len(rows))); err != nil {
			return false, err
		}
		if ok, err := remover.Remove(x.env, groups, r.call.columns, rows); !ok || err != nil {
			return false, err
		}
	}
	return true, r.call.add(x, r.acc, 0, r.p.from+r.frame.to, r.p.from+next.to)
}

// anew computes the aggregate of a frame from nothing.
func (r *runningFrame) anew(x *run, walk *frameWalk) error {
	acc, err := r.call.make(x.env, r.call.spec)
	if err != nil {
		return err
	}
	r.acc = acc
	x.env.Meter.Release(r.held)
	mark, before := x.env.Mark(), x.env.Meter.Usage().Memory
	if err := acc.Grow(x.env, 1); err != nil {
		return err
	}
	for _, s := range walk.spans() {
		if err := r.call.add(x, acc, 0, r.p.from+s.from, r.p.from+s.to); err != nil {
			return err
		}
	}
	x.env.Keep(mark)
	r.held = x.env.Meter.Usage().Memory - before
	return nil
}
