package exec

import (
	"container/heap"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// sorter sorts. Where only the first rows are needed it keeps no more.
type sorter struct {
	in    operator
	by    []sortKey
	types []pgcat.OID
	first []expression // their sum bounds the rows that are needed; nil for all

	store  *rowStore
	order  []int32
	sorted bool
	at     int
	out    vector.Batch
}

func (s *sorter) open(x *run) error {
	if s.store != nil {
		s.store.release(x)
		x.env.Meter.Release(int64(len(s.order)) * 4)
	}
	s.store, s.order, s.sorted, s.at = nil, nil, false, 0
	return s.in.open(x)
}

func (s *sorter) next(x *run) (*vector.Batch, error) {
	if !s.sorted {
		if err := s.sort(x); err != nil {
			return nil, err
		}
		s.sorted = true
	}
	if s.at >= len(s.order) {
		return nil, nil
	}
	to := min(s.at+vector.Size, len(s.order))
	if err := s.room(x); err != nil {
		return nil, err
	}
	for i, c := range s.store.columns {
		vector.Gather(s.out.Columns[i], c, s.order[s.at:to])
	}
	s.out.N = to - s.at
	s.at = to
	return &s.out, nil
}

func (s *sorter) room(x *run) error {
	if s.out.Columns != nil {
		return nil
	}
	for _, t := range s.types {
		if err := x.env.Meter.Alloc(vector.Bytes(t, min(vector.Size, len(s.order)))); err != nil {
			return err
		}
		s.out.Columns = append(s.out.Columns, vector.Make(t, 0))
	}
	return nil
}

// topLimit is up to how many rows a heap is better than a sort.
const topLimit = 10_000

func (s *sorter) sort(x *run) error {
	n, bounded, err := s.needed(x)
	if err != nil {
		return err
	}
	o := newOrdering(s.by, s.types)
	if bounded && n <= topLimit {
		return s.top(x, o, int(n))
	}
	store, err := whole(x, s.in, s.types)
	if err != nil {
		return err
	}
	s.store = store
	s.order, err = o.permutation(x, store.columns, store.n)
	if bounded && err == nil && int64(len(s.order)) > n {
		s.order = s.order[:n]
	}
	return err
}

// needed is how many rows are needed. What is wrong with LIMIT is told by it, not
// here.
func (s *sorter) needed(x *run) (n int64, bounded bool, err error) {
	for _, e := range s.first {
		v, err := e.eval(x, &vector.Batch{N: 1}, firstRow)
		if err != nil {
			return 0, false, err
		}
		if v.Null(0) {
			if n == 0 && !bounded {
				return 0, false, nil
			}
			continue
		}
		k := v.Ints[v.At(0)]
		if k < 0 || n+k < n {
			return 0, false, nil
		}
		n, bounded = n+k, true
	}
	return n, bounded, nil
}

// candidates is a heap of the best rows, the worst of them first.
type candidates struct {
	o       *ordering
	columns []*vector.Column
	rows    []int32 // in columns
	arrival []int64
}

func (c *candidates) Len() int { return len(c.rows) }
func (c *candidates) Less(i, j int) bool {
	if k := c.o.rows(c.columns, int(c.rows[i]), c.columns, int(c.rows[j])); k != 0 {
		return k > 0
	}
	return c.arrival[i] > c.arrival[j]
}

func (c *candidates) Swap(i, j int) {
	c.rows[i], c.rows[j] = c.rows[j], c.rows[i]
	c.arrival[i], c.arrival[j] = c.arrival[j], c.arrival[i]
}
func (c *candidates) Push(any) {}
func (c *candidates) Pop() any {
	c.rows, c.arrival = c.rows[:len(c.rows)-1], c.arrival[:len(c.arrival)-1]
	return nil
}

// top keeps the first n rows while it reads all.
func (s *sorter) top(x *run, o *ordering, n int) error {
	s.store = newRowStore(s.types)
	h := &candidates{o: o, columns: s.store.columns}
	var arrived int64
	mark := x.env.Mark()
	for {
		b, err := s.in.next(x)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := x.env.Meter.Charge(int64(b.Count())); err != nil {
			return err
		}
		for _, r := range rowsOf(b) {
			if err := s.offer(x, h, b, r, arrived, n); err != nil {
				return err
			}
			arrived++
		}
	}
	x.env.Keep(mark)
	s.order = make([]int32, h.Len())
	for i := h.Len() - 1; i >= 0; i-- {
		s.order[i] = h.rows[0]
		heap.Pop(h)
	}
	return nil
}

// offer takes a row in if it is among the first n so far.
func (s *sorter) offer(x *run, h *candidates, b *vector.Batch, r int32, arrived int64, n int) error {
	if n == 0 {
		return nil
	}
	if h.Len() < n {
		one := vector.Batch{N: b.N, Columns: b.Columns, Rows: []int32{r}}
		if err := s.store.add(x, &one); err != nil {
			return err
		}
		h.rows, h.arrival = append(h.rows, int32(s.store.n-1)), append(h.arrival, arrived)
		up(h)
		return nil
	}
	// A row that is equal to the worst came later, and stays out.
	if h.o.rows(b.Columns, int(r), h.columns, int(h.rows[0])) >= 0 {
		return nil
	}
	for i, c := range s.store.columns {
		c.Copy(int(h.rows[0]), b.Columns[i], int(r))
	}
	h.arrival[0] = arrived
	heap.Fix(h, 0)
	return nil
}

// up moves the last row to its place.
func up(h *candidates) {
	for j := h.Len() - 1; j > 0; {
		i := (j - 1) / 2
		if !h.Less(j, i) {
			return
		}
		h.Swap(i, j)
		j = i
	}
}

// distinct drops rows that are equal to an earlier one in some columns.
type distinct struct {
	in      operator
	by      []int
	types   []pgcat.OID // of these columns
	seen    *grouping
	columns []*vector.Column
	numbers []int32
	rows    rowList
	out     vector.Batch
}

func (d *distinct) open(x *run) error {
	if d.seen != nil {
		d.seen.reset(x)
	}
	d.seen = newGrouping(d.types)
	return d.in.open(x)
}

func (d *distinct) next(x *run) (*vector.Batch, error) {
	b, err := d.in.next(x)
	if err != nil || b == nil {
		return nil, err
	}
	if d.columns == nil {
		d.columns, d.numbers = make([]*vector.Column, len(d.by)), make([]int32, vector.Size)
	}
	for i, c := range d.by {
		d.columns[i] = b.Columns[c]
	}
	rows := rowsOf(b)
	before := int32(d.seen.count())
	if err := d.seen.assign(x, d.columns, rows, d.numbers); err != nil {
		return nil, err
	}
	kept := d.rows.empty(len(rows))
	for k, r := range rows {
		if d.numbers[k] == before {
			before++
			kept = append(kept, r)
		}
	}
	d.rows = kept
	d.out = vector.Batch{N: b.N, Columns: b.Columns, Rows: kept}
	return &d.out, nil
}

var (
	errLimit  = pgerr.New("2201W", "LIMIT must not be negative")
	errOffset = pgerr.New("2201X", "OFFSET must not be negative")
	errTies   = pgerr.New("2201W", "row count cannot be null in FETCH FIRST ... WITH TIES clause")
)

// limit gives a part of the rows.
type limit struct {
	in            operator
	count, offset expression
	ties          *ordering

	started    bool
	skip, left int64
	bounded    bool
	last       *rowStore // the last row of the limit, for WITH TIES
	types      []pgcat.OID
	out        vector.Batch
}

func (l *limit) open(x *run) error {
	l.started, l.last = false, nil
	return l.in.open(x)
}

// amount evaluates LIMIT or OFFSET.
func amount(x *run, e expression, negative error) (n int64, given bool, err error) {
	if e == nil {
		return 0, false, nil
	}
	v, err := e.eval(x, &vector.Batch{N: 1}, firstRow)
	if err != nil || v.Null(0) {
		return 0, false, err
	}
	if n = v.Ints[v.At(0)]; n < 0 {
		return 0, false, negative
	}
	return n, true, nil
}

func (l *limit) start(x *run) (err error) {
	if l.skip, _, err = amount(x, l.offset, errOffset); err != nil {
		return err
	}
	if l.left, l.bounded, err = amount(x, l.count, errLimit); err != nil {
		return err
	}
	if l.ties != nil && !l.bounded {
		return errTies
	}
	l.started = true
	return nil
}

func (l *limit) next(x *run) (*vector.Batch, error) {
	if !l.started {
		if err := l.start(x); err != nil {
			return nil, err
		}
	}
	for {
		if l.bounded && l.left == 0 && (l.ties == nil || l.last == nil) {
			return nil, nil
		}
		b, err := l.in.next(x)
		if err != nil || b == nil {
			return nil, err
		}
		rows := rowsOf(b)
		if n := int64(len(rows)); n <= l.skip {
			l.skip -= n
			continue
		}
		rows = rows[l.skip:]
		l.skip = 0
		if rows, err = l.take(x, b, rows); err != nil {
			return nil, err
		}
		l.out = vector.Batch{N: b.N, Columns: b.Columns, Rows: rows}
		if len(rows) == b.N {
			l.out.Rows = nil
		}
		if len(rows) == 0 {
			return nil, nil
		}
		return &l.out, nil
	}
}

// take cuts rows to what is left, with those that tie with the last.
func (l *limit) take(x *run, b *vector.Batch, rows []int32) ([]int32, error) {
	if !l.bounded {
		return rows, nil
	}
	n := min(l.left, int64(len(rows)))
	l.left -= n
	if l.ties == nil {
		return rows[:n], nil
	}
	if n > 0 && l.left == 0 {
		l.last = newRowStore(l.types)
		if err := l.last.add(x, &vector.Batch{N: b.N, Columns: b.Columns, Rows: rows[n-1 : n]}); err != nil {
			return nil, err
		}
	}
	if l.left > 0 {
		return rows[:n], nil
	}
	for n < int64(len(rows)) && l.ties.rows(b.Columns, int(rows[n]), l.last.columns, 0) == 0 {
		n++
	}
	if n < int64(len(rows)) {
		l.last = nil
	}
	return rows[:n], nil
}
