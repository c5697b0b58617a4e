package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// window adds the results of window functions to its input's rows, which come out
// in the order of the window.
type window struct {
	in        operator
	types     []pgcat.OID // of the input
	partition []sortKey
	order     []sortKey
	calls     []*windowCall

	store   *rowStore
	results []*vector.Column
	at      int
}

// partition is a part of the sorted rows, with the groups of peers in it.
type partition struct {
	from, to int
	// peers[i] is the number of the group of row from+i, starts[g] where group g
	// begins; the last one is the end.
	peers  []int32
	starts []int32
}

func (p *partition) len() int { return p.to - p.from }

// peerStart and peerEnd bound the peers of a row, counted from the partition's
// first.
func (p *partition) peerStart(i int) int { return int(p.starts[p.peers[i]]) }
func (p *partition) peerEnd(i int) int   { return int(p.starts[p.peers[i]+1]) }

func (w *window) open(x *run) error {
	if w.store != nil {
		w.store.release(x)
	}
	w.store, w.at = nil, 0
	return w.in.open(x)
}

func (w *window) next(x *run) (*vector.Batch, error) {
	if w.store == nil {
		if err := w.compute(x); err != nil {
			return nil, err
		}
	}
	if w.at >= w.store.n {
		return nil, nil
	}
	to := min(w.at+vector.Size, w.store.n)
	b := w.store.batch(&vector.Batch{}, w.at, to)
	for _, r := range w.results {
		b.Columns = append(b.Columns, r.Slice(w.at, to))
	}
	w.at = to
	return b, nil
}

func (w *window) compute(x *run) error {
	store, err := w.sorted(x)
	if err != nil {
		return err
	}
	parts, err := w.partitions(x, store)
	if err != nil {
		return err
	}
	w.results = w.results[:0]
	for _, c := range w.calls {
		if err := x.env.Meter.Alloc(vector.Bytes(c.t, store.n)); err != nil {
			return err
		}
		out := vector.Make(c.t, store.n)
		if err := c.compute(x, w, store, parts, out); err != nil {
			return err
		}
		w.results = append(w.results, out)
	}
	w.store = store
	return nil
}

// sorted reads all rows and sorts them by partition and order.
func (w *window) sorted(x *run) (*rowStore, error) {
	store, err := whole(x, w.in, w.types)
	if err != nil {
		return nil, err
	}
	keys := append(append([]sortKey{}, w.partition...), w.order...)
	if len(keys) == 0 || store.n < 2 {
		return store, nil
	}
	o := newOrdering(keys, w.types)
	order, err := o.permutation(x, store.columns, store.n)
	if err != nil {
		return nil, err
	}
	out := &rowStore{n: store.n, charged: store.bytes(store.n)}
	if err := x.env.Meter.Alloc(out.charged); err != nil {
		return nil, err
	}
	for _, c := range store.columns {
		dst := vector.Make(c.Type, 0)
		vector.Gather(dst, c, order)
		out.columns = append(out.columns, dst)
	}
	x.env.Meter.Release(int64(store.n) * 4)
	store.release(x)
	return out, nil
}

// partitions finds where partitions and groups of peers begin.
func (w *window) partitions(x *run, store *rowStore) ([]*partition, error) {
	if err := x.env.Meter.Alloc(int64(store.n) * 24); err != nil {
		return nil, err
	}
	if err := x.env.Meter.Charge(int64(store.n)); err != nil {
		return nil, err
	}
	split, peer := newOrdering(w.partition, w.types), newOrdering(w.order, w.types)
	// All partitions share two lists, so that many small ones cost little.
	peers, starts := make([]int32, store.n), make([]int32, 0, store.n+1)
	var parts []*partition
	var p *partition
	first := 0 // of p in starts
	end := func(at int) {
		if p != nil {
			starts = append(starts, int32(at-p.from))
			p.to, p.peers, p.starts = at, peers[p.from:at], starts[first:]
			first = len(starts)
		}
	}
	for i := range store.n {
		switch {
		case p == nil || split.rows(store.columns, i-1, store.columns, i) != 0:
			end(i)
			p = &partition{from: i}
			parts = append(parts, p)
			starts = append(starts, 0)
		case len(w.order) > 0 && peer.rows(store.columns, i-1, store.columns, i) != 0:
			starts = append(starts, int32(i-p.from))
		}
		peers[i] = int32(len(starts) - 1 - first)
	}
	end(store.n)
	return parts, nil
}
