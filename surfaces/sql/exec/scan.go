package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// scan gives the rows of a table at which conditions hold.
type scan struct {
	source     Source
	reads      []int
	conditions []expression
	reader     storeReader
	store      *rowStore
	filter     filtering

	// lookup are equalities of a column with a value from outside, by which the
	// rows are found once the scan is run again and again.
	lookup []joinKey
	index  joinIndex
	opened int
	found  bool // this run goes by the index
	row    int32
	picked []int32
	batch  vector.Batch
}

// stored gives the whole table, when nothing is left out.
func (s *scan) stored() *rowStore {
	if len(s.conditions) > 0 {
		return nil
	}
	return s.store
}

func (s *scan) open(x *run) error {
	if s.store == nil {
		n, columns, err := s.read(x)
		if err != nil {
			return err
		}
		s.store = &rowStore{columns: columns, n: n, shared: true}
	}
	s.reader = storeReader{store: s.store, out: s.reader.out}
	s.filter.start()
	s.opened++
	s.found = false
	if len(s.lookup) > 0 && s.opened > 1 && s.store.n > 64 {
		return s.find(x)
	}
	return nil
}

// read asks for the columns, and numbers the rows where that is wanted.
func (s *scan) read(x *run) (int, []*vector.Column, error) {
	last := len(s.reads) - 1
	if last < 0 || s.reads[last] != plan.RowNumber {
		return s.source.Read(x.env, s.reads)
	}
	n, columns, err := s.source.Read(x.env, s.reads[:last])
	if err != nil {
		return 0, nil, err
	}
	if err := x.env.Meter.Alloc(vector.Bytes(pgcat.Int8, n)); err != nil {
		return 0, nil, err
	}
	numbers := vector.Make(pgcat.Int8, n)
	for i := range numbers.Ints {
		numbers.Ints[i] = int64(i)
	}
	return n, append(append([]*vector.Column{}, columns...), numbers), nil
}

// find looks the rows up.
func (s *scan) find(x *run) error {
	if s.index.heads == nil {
		if err := s.index.build(x, s.store, s.lookup); err != nil {
			return err
		}
	}
	var first [1]int32
	if err := s.index.find(x, &vector.Batch{N: 1}, s.lookup, firstRow, first[:]); err != nil {
		return err
	}
	s.found, s.row = true, first[0]
	return nil
}

func (s *scan) next(x *run) (*vector.Batch, error) {
	for {
		b, err := s.filter.next(x, s.conditions, func() (*vector.Batch, error) {
			b := s.pull()
			if b != nil {
				if err := x.env.Meter.Charge(int64(b.Count())/8 + 1); err != nil {
					return nil, err
				}
			}
			return b, nil
		})
		if err != nil || b == nil || b.Count() > 0 {
			return b, err
		}
	}
}

func (s *scan) pull() *vector.Batch {
	if !s.found {
		return s.reader.next()
	}
	s.picked = s.picked[:0]
	for s.row >= 0 && len(s.picked) < vector.Size {
		s.picked = append(s.picked, s.row)
		s.row = s.index.next[s.row]
	}
	if len(s.picked) == 0 {
		return nil
	}
	if s.batch.Columns == nil {
		s.batch.Columns = make([]*vector.Column, len(s.store.columns))
		for i := range s.batch.Columns {
			s.batch.Columns[i] = &vector.Column{}
		}
	}
	for i, c := range s.store.columns {
		vector.Gather(s.batch.Columns[i], c, s.picked)
	}
	s.batch.N, s.batch.Rows = len(s.picked), nil
	return &s.batch
}

// filter keeps the rows of another operator at which conditions hold.
type filter struct {
	in         operator
	conditions []expression
	filtering  filtering
	never      bool // a condition is constant and not true
}

func (f *filter) open(x *run) error {
	f.filtering.start()
	f.never = false
	for _, c := range f.conditions {
		if k, ok := c.(*constant); ok && (k.column.Null(0) || !k.column.Bools[0]) {
			f.never = true
			return nil
		}
	}
	return f.in.open(x)
}

func (f *filter) next(x *run) (*vector.Batch, error) {
	if f.never {
		return nil, nil
	}
	return f.filtering.next(x, f.conditions, func() (*vector.Batch, error) { return f.in.next(x) })
}

// filtering narrows batches to the rows at which conditions hold. Where a row
// fails, the rows before it are given first.
type filtering struct {
	lists   [2]rowList
	failed  error
	pending *vector.Batch
	out     vector.Batch
}

func (f *filtering) start() { f.failed, f.pending = nil, nil }

func (f *filtering) next(x *run, conditions []expression, pull func() (*vector.Batch, error)) (*vector.Batch, error) {
	if f.failed != nil {
		return nil, f.failed
	}
	b, err := pull()
	if err != nil || b == nil || len(conditions) == 0 {
		return b, err
	}
	rows, err := f.narrow(x, conditions, b, rowsOf(b))
	if err != nil {
		if rows, err = f.untilError(x, conditions, b, err); err != nil {
			return nil, err
		}
	}
	f.out = vector.Batch{N: b.N, Columns: b.Columns, Rows: rows}
	if len(rows) == b.N {
		f.out.Rows = nil
	} else if rows == nil {
		f.out.Rows = []int32{}
	}
	return &f.out, nil
}

// narrow gives the rows at which all conditions hold.
func (f *filtering) narrow(x *run, conditions []expression, b *vector.Batch, rows []int32) ([]int32, error) {
	mark := x.env.Mark()
	for i, c := range conditions {
		if len(rows) == 0 {
			break
		}
		v, err := c.eval(x, b, rows)
		if err != nil {
			return nil, err
		}
		f.lists[i&1] = pass(v, rows, f.lists[i&1].empty(len(rows)))
		rows = f.lists[i&1]
	}
	x.env.Drop(mark)
	return rows, nil
}

// untilError goes row by row up to the one that fails, which it keeps for later.
func (f *filtering) untilError(x *run, conditions []expression, b *vector.Batch, failure error) ([]int32, error) {
	if pgerr.From(failure) == nil || x.env.Meter.Err() != nil {
		return nil, failure
	}
	var kept []int32
	for _, r := range rowsOf(b) {
		one := [1]int32{r}
		rows, err := f.narrow(x, conditions, b, one[:])
		if err != nil {
			f.failed = err
			return kept, nil
		}
		kept = append(kept, rows...)
	}
	return kept, nil
}

// project computes columns.
type project struct {
	in     operator
	exprs  []expression
	out    vector.Batch
	failed error
}

func (p *project) open(x *run) error {
	p.failed = nil
	return p.in.open(x)
}

func (p *project) next(x *run) (*vector.Batch, error) {
	if p.failed != nil {
		return nil, p.failed
	}
	b, err := p.in.next(x)
	if err != nil || b == nil {
		return nil, err
	}
	p.out.N, p.out.Rows = b.N, b.Rows
	if p.out.Columns, err = evalList(x, p.exprs, b, rowsOf(b), p.out.Columns); err != nil {
		return p.untilError(x, b, err)
	}
	return &p.out, nil
}

// untilError gives the rows before the first that fails, and keeps its error for
// the next call.
func (p *project) untilError(x *run, b *vector.Batch, failure error) (*vector.Batch, error) {
	if pgerr.From(failure) == nil || x.env.Meter.Err() != nil {
		return nil, failure
	}
	rows := rowsOf(b)
	good := 0
	for ; good < len(rows); good++ {
		if _, err := evalList(x, p.exprs, b, rows[good:good+1], nil); err != nil {
			p.failed = err
			break
		}
	}
	if p.failed == nil {
		return nil, failure
	}
	columns, err := evalList(x, p.exprs, b, rows[:good], nil)
	if err != nil {
		return nil, err
	}
	p.out = vector.Batch{N: b.N, Columns: columns, Rows: append([]int32{}, rows[:good]...)}
	return &p.out, nil
}

// one gives one row without columns.
type one struct{ given bool }

func (o *one) open(*run) error {
	o.given = false
	return nil
}

func (o *one) next(*run) (*vector.Batch, error) {
	if o.given {
		return nil, nil
	}
	o.given = true
	return &vector.Batch{N: 1}, nil
}
