package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// frame is which rows of a partition a call sees from a row.
type frame struct {
	unit       query.FrameUnit
	start, end bound
	exclude    query.Exclusion
}

// bound is an end of a frame.
type bound struct {
	kind    query.BoundKind
	offset  expression
	inRange *call // of RANGE with an offset

	amount int64          // of ROWS and GROUPS
	value  *vector.Column // of RANGE
}

// wholePartition reports whether the frame is all of the partition from every row.
func (f *frame) wholePartition(w *window) bool {
	if f.exclude != query.ExcludeNone || f.start.kind != query.UnboundedPreceding {
		return false
	}
	return f.end.kind == query.UnboundedFollowing || f.end.kind == query.CurrentRow && f.unit != query.Rows && len(w.order) == 0
}

// begin evaluates the offsets, which are the same for all rows.
func (f *frame) begin(x *run) error {
	if err := f.start.begin(x, f.unit, "starting"); err != nil {
		return err
	}
	return f.end.begin(x, f.unit, "ending")
}

func (b *bound) begin(x *run, unit query.FrameUnit, which string) error {
	if b.offset == nil {
		return nil
	}
	v, err := b.offset.eval(x, &vector.Batch{N: 1}, firstRow)
	if err != nil {
		return err
	}
	if v.Null(0) {
		return pgerr.New(pgerr.NullNotAllowed, "frame %s offset must not be null", which)
	}
	if unit == query.Range {
		b.value = vector.Constant(v.Datum(0), 1)
		return nil
	}
	if b.amount = v.Ints[v.At(0)]; b.amount < 0 {
		return pgerr.New("22013", "frame %s offset must not be negative", which)
	}
	return nil
}

// span is rows of a partition, from up to before to.
type span struct{ from, to int }

// frameWalk finds the frame of one row after the other.
type frameWalk struct {
	f     *frame
	x     *run
	p     *partition
	row   int
	frame span
	parts []span // of the frame, without what is excluded

	key        *vector.Column // of RANGE with an offset
	descending bool
	nullsFirst bool
}

func (f *frame) walk(x *run, w *window, store *rowStore, p *partition) *frameWalk {
	k := &frameWalk{f: f, x: x, p: p}
	if f.unit == query.Range && len(w.order) > 0 {
		o := w.order[0]
		k.key, k.descending, k.nullsFirst = store.columns[o.column], o.descending, o.nullsFirst
	}
	return k
}

// move goes to a row; rows come in order.
func (k *frameWalk) move(row int) error {
	k.row = row
	from, err := k.startOf(row)
	if err != nil {
		return err
	}
	to, err := k.endOf(row)
	if err != nil {
		return err
	}
	k.frame = span{from, max(from, to)}
	k.divide()
	return nil
}

func (k *frameWalk) startOf(row int) (int, error) {
	b, n := &k.f.start, k.p.len()
	switch b.kind {
	case query.UnboundedPreceding:
		return 0, nil
	case query.CurrentRow:
		if k.f.unit == query.Rows {
			return row, nil
		}
		return k.p.peerStart(row), nil
	case query.UnboundedFollowing:
		return n, nil
	}
	switch k.f.unit {
	case query.Rows:
		return clampRow(int64(row), b, n, 0), nil
	case query.Groups:
		g := clampRow(int64(k.p.peers[row]), b, len(k.p.starts)-1, 0)
		return int(k.p.starts[g]), nil
	}
	return k.rangeEnd(b, row, k.frame.from, false)
}

func (k *frameWalk) endOf(row int) (int, error) {
	b, n := &k.f.end, k.p.len()
	switch b.kind {
	case query.UnboundedPreceding:
		return 0, nil
	case query.CurrentRow:
		if k.f.unit == query.Rows {
			return row + 1, nil
		}
		return k.p.peerEnd(row), nil
	case query.UnboundedFollowing:
		return n, nil
	}
	switch k.f.unit {
	case query.Rows:
		return clampRow(int64(row), b, n, 1), nil
	case query.Groups:
		g := clampRow(int64(k.p.peers[row]), b, len(k.p.starts)-1, 1)
		return int(k.p.starts[g]), nil
	}
	return k.rangeEnd(b, row, k.frame.to, true)
}

// clampRow moves a row, or the place after it, by a bound's amount within 0..n.
func clampRow(row int64, b *bound, n, after int) int {
	by := b.amount
	if by > int64(n)+1 {
		by = int64(n) + 1
	}
	if b.kind == query.Preceding {
		by = -by
	}
	return int(min(max(row+by+int64(after), 0), int64(n)))
}

// rangeEnd moves an end of a RANGE frame on, as the server's in_range functions
// say. Ends never move back.
func (k *frameWalk) rangeEnd(b *bound, row, at int, end bool) (int, error) {
	sub, less := b.kind == query.Preceding, end
	if k.descending {
		sub, less = !sub, !less
	}
	for at < k.p.len() {
		if err := k.x.env.Meter.Charge(1); err != nil {
			return 0, err
		}
		stop, err := k.stops(b, row, at, sub, less, end)
		if err != nil {
			return 0, err
		}
		if stop {
			break
		}
		at++
	}
	return at, nil
}

// stops reports whether an end stays before a row.
func (k *frameWalk) stops(b *bound, row, at int, sub, less, end bool) (bool, error) {
	there, here := k.key.Null(k.p.from+at), k.key.Null(k.p.from+row)
	if there || here {
		switch {
		case !end && k.nullsFirst:
			return !there || here, nil
		case !end:
			return there || !here, nil
		case k.nullsFirst:
			return !there, nil
		default:
			return !here, nil
		}
	}
	args := []*vector.Column{
		vector.Constant(k.key.Datum(k.p.from+at), 1), vector.Constant(k.key.Datum(k.p.from+row), 1), b.value,
		vector.Constant(vector.Datum{Type: pgcat.Bool, Value: sub}, 1), vector.Constant(vector.Datum{Type: pgcat.Bool, Value: less}, 1),
	}
	v, err := b.inRange.apply(k.x, args, 1, firstRow)
	if err != nil {
		return false, err
	}
	return v.Bools[0] != end, nil
}

// divide takes the excluded rows out of the frame.
func (k *frameWalk) divide() {
	k.parts = k.parts[:0]
	switch k.f.exclude {
	case query.ExcludeNone:
		k.keep(k.frame.from, k.frame.to)
	case query.ExcludeCurrent:
		k.keep(k.frame.from, min(k.row, k.frame.to))
		k.keep(max(k.row+1, k.frame.from), k.frame.to)
	case query.ExcludeGroup:
		k.keep(k.frame.from, min(k.p.peerStart(k.row), k.frame.to))
		k.keep(max(k.p.peerEnd(k.row), k.frame.from), k.frame.to)
	case query.ExcludeTies:
		k.keep(k.frame.from, min(k.p.peerStart(k.row), k.frame.to))
		k.keep(max(k.row, k.frame.from), min(k.row+1, k.frame.to))
		k.keep(max(k.p.peerEnd(k.row), k.frame.from), k.frame.to)
	}
}

func (k *frameWalk) keep(from, to int) {
	if from < to {
		k.parts = append(k.parts, span{from, to})
	}
}

func (k *frameWalk) spans() []span { return k.parts }

// plain reports whether nothing is excluded.
func (k *frameWalk) plain() bool { return k.f.exclude == query.ExcludeNone }

// count is how many rows the frame has.
func (k *frameWalk) count() int {
	n := 0
	for _, s := range k.parts {
		n += s.to - s.from
	}
	return n
}

// nth gives the n-th row of the frame, from 0, or -1.
func (k *frameWalk) nth(n int) int {
	if n < 0 {
		return -1
	}
	for _, s := range k.parts {
		if n < s.to-s.from {
			return s.from + n
		}
		n -= s.to - s.from
	}
	return -1
}

// newInRange makes the function that RANGE with an offset goes by.
func newInRange(f *pgcat.Function) (*call, error) {
	if f == nil {
		return nil, nil
	}
	kernel, ok := fn.Lookup(f.OID)
	if !ok {
		return nil, missing(f)
	}
	return &call{t: pgcat.Bool, kernel: kernel, strict: f.Strict}, nil
}
