package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// sharedRows are the rows of a WITH query that several places read. They are
// pulled as far as someone reads, and kept.
type sharedRows struct {
	name    string
	in      operator
	types   []pgcat.OID
	depends dependence
	store   *rowStore
	ended   bool
	busy    bool // it is being pulled
	runs    int  // how often it has begun
}

// prepare begins anew when a parameter has changed.
func (s *sharedRows) prepare(x *run) error {
	if s.depends.holds(x) {
		return nil
	}
	if s.store != nil {
		s.store.release(x)
	}
	s.store, s.ended = newRowStore(s.types), false
	s.runs++
	s.depends.computed(x)
	return s.in.open(x)
}

// reach pulls until row n is there, or the end is.
func (s *sharedRows) reach(x *run, n int) error {
	if s.busy {
		return pgerr.New("XX000", "WITH query %q reads itself", s.name)
	}
	s.busy = true
	defer func() { s.busy = false }()
	for !s.ended && s.store.n <= n {
		mark := x.env.Mark()
		b, err := s.in.next(x)
		if err != nil {
			return err
		}
		if b == nil {
			s.ended = true
			break
		}
		if err := s.store.add(x, b); err != nil {
			return err
		}
		x.env.Keep(mark)
	}
	return nil
}

// finish runs it to its end.
func (s *sharedRows) finish(x *run) error {
	if err := s.prepare(x); err != nil {
		return err
	}
	return s.reach(x, maxRows)
}

// sharedScan reads shared rows.
type sharedScan struct {
	of    *sharedRows
	reads []int
	at    int
	out   vector.Batch
}

func (s *sharedScan) open(x *run) error {
	s.at = 0
	return s.of.prepare(x)
}

func (s *sharedScan) next(x *run) (*vector.Batch, error) {
	if err := s.of.reach(x, s.at); err != nil {
		return nil, err
	}
	b := windowOf(&s.out, s.of.store, s.reads, s.at)
	if b != nil {
		s.at += b.Count()
		if err := x.env.Meter.Charge(int64(b.N)/8 + 1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// windowOf gives the next rows of a store from one on. Stores are read from
// multiples of 64 on; the rows before in the first word are skipped.
func windowOf(out *vector.Batch, store *rowStore, reads []int, from int) *vector.Batch {
	if from >= store.n {
		return nil
	}
	base := from &^ 63
	to := min(base+vector.Size, store.n)
	columns := make([]*vector.Column, len(reads))
	for i, c := range reads {
		columns[i] = store.columns[c].Slice(base, to)
	}
	*out = vector.Batch{N: to - base, Columns: columns}
	if from > base {
		out.Rows = identity[from-base : to-base]
	}
	return out
}

// recursion runs a step on the rows of the step before until there are none.
type recursion struct {
	base, step operator
	types      []pgcat.OID
	// round is a parameter without a value, whose version tells what is kept within
	// the step that its rows are of an earlier one.
	round int
	seen  *grouping // of UNION without ALL
	keep  bool

	working *rowStore // what the step reads
	next1   *rowStore // what it gives
	onBase  bool
	numbers []int32
	out     vector.Batch
	rows    rowList
	running bool
}

func (r *recursion) open(x *run) error {
	if r.keep {
		if r.seen != nil {
			r.seen.reset(x)
		}
		r.seen = newGrouping(r.types)
	}
	r.drop(x)
	x.versions[r.round]++
	r.working, r.next1, r.onBase, r.running = newRowStore(r.types), newRowStore(r.types), true, false
	if r.numbers == nil {
		r.numbers = make([]int32, vector.Size)
	}
	return r.base.open(x)
}

func (r *recursion) drop(x *run) {
	for _, s := range []*rowStore{r.working, r.next1} {
		if s != nil {
			s.release(x)
		}
	}
}

func (r *recursion) next(x *run) (*vector.Batch, error) {
	for {
		in := r.step
		if r.onBase {
			in = r.base
		} else if !r.running {
			if r.working.n == 0 {
				return nil, nil
			}
			if err := x.env.Meter.Charge(16); err != nil {
				return nil, err
			}
			if err := r.step.open(x); err != nil {
				return nil, err
			}
			r.running = true
		}
		b, err := in.next(x)
		if err != nil {
			return nil, err
		}
		if b == nil {
			r.advance(x)
			continue
		}
		if b, err = r.fresh(x, b); err != nil {
			return nil, err
		}
		if err := r.next1.add(x, b); err != nil {
			return nil, err
		}
		return b, nil
	}
}

// advance makes what the last step gave the rows that the next one reads.
func (r *recursion) advance(x *run) {
	r.working.release(x)
	r.working, r.next1 = r.next1, newRowStore(r.types)
	r.onBase, r.running = false, false
	x.versions[r.round]++
}

// fresh keeps the rows that have not been before.
func (r *recursion) fresh(x *run, b *vector.Batch) (*vector.Batch, error) {
	if !r.keep {
		return b, nil
	}
	rows := rowsOf(b)
	before := int32(r.seen.count())
	if err := r.seen.assign(x, b.Columns, rows, r.numbers); err != nil {
		return nil, err
	}
	kept := r.rows.empty(len(rows))
	for k, row := range rows {
		if r.numbers[k] == before {
			before++
			kept = append(kept, row)
		}
	}
	r.rows = kept
	r.out = vector.Batch{N: b.N, Columns: b.Columns, Rows: kept}
	return &r.out, nil
}

// workingScan reads the rows of the last step.
type workingScan struct {
	of    *recursion
	reads []int
	store *rowStore
	at    int
	out   vector.Batch
}

func (w *workingScan) open(*run) error {
	w.store, w.at = w.of.working, 0
	return nil
}

func (w *workingScan) next(x *run) (*vector.Batch, error) {
	b := windowOf(&w.out, w.store, w.reads, w.at)
	if b != nil {
		w.at += b.Count()
		if err := x.env.Meter.Charge(int64(b.N)/8 + 1); err != nil {
			return nil, err
		}
	}
	return b, nil
}
