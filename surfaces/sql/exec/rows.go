package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// rowStore keeps rows in whole columns.
type rowStore struct {
	columns []*vector.Column
	n       int
	// capacity is for how many rows there is room, and charged what that takes.
	capacity int
	charged  int64
	shared   bool // the columns are somebody else's: nothing is appended
}

func newRowStore(types []pgcat.OID) *rowStore {
	s := &rowStore{columns: make([]*vector.Column, len(types))}
	for i, t := range types {
		s.columns[i] = vector.Make(t, 0)
	}
	return s
}

// maxRows bounds what is kept in one place: rows are numbered by int32.
const maxRows = 1 << 30

// reserve makes room for n more rows, charging first. While rows move to a larger
// place both places are charged.
func (s *rowStore) reserve(x *run, n int) error {
	if s.n+n <= s.capacity {
		return nil
	}
	capacity := max(s.n+n, s.capacity+s.capacity/2, 16)
	bytes := s.bytes(capacity)
	if err := x.env.Meter.Alloc(bytes); err != nil {
		return err
	}
	for _, c := range s.columns {
		c.Reserve(capacity)
	}
	x.env.Meter.Release(s.charged)
	s.capacity, s.charged = capacity, bytes
	return nil
}

func (s *rowStore) bytes(n int) int64 {
	var sum int64
	for _, c := range s.columns {
		sum += vector.Bytes(c.Type, n)
	}
	return sum
}

// add appends the rows of a batch that count.
func (s *rowStore) add(x *run, b *vector.Batch) error {
	if err := x.env.Meter.Charge(int64(b.Count())); err != nil {
		return err
	}
	if s.n+b.Count() > maxRows {
		return tooManyRows()
	}
	if err := s.reserve(x, b.Count()); err != nil {
		return err
	}
	for i, c := range s.columns {
		if b.Rows == nil && b.Columns[i].Len != b.N {
			c.Append(b.Columns[i].Slice(0, b.N), nil)
			continue
		}
		c.Append(b.Columns[i], b.Rows)
	}
	s.n += b.Count()
	return nil
}

// release gives the memory back.
func (s *rowStore) release(x *run) {
	if s.shared {
		return
	}
	x.env.Meter.Release(s.charged)
	s.charged, s.capacity, s.n = 0, 0, 0
}

// batch gives the rows from..to without copying; from is a multiple of 64.
func (s *rowStore) batch(into *vector.Batch, from, to int) *vector.Batch {
	if into.Columns == nil {
		into.Columns = make([]*vector.Column, len(s.columns))
		for i := range into.Columns {
			into.Columns[i] = &vector.Column{}
		}
	}
	for i, c := range s.columns {
		c.SliceInto(into.Columns[i], from, to)
	}
	into.N, into.Rows = to-from, nil
	return into
}

// storeReader gives the rows of a store in batches.
type storeReader struct {
	store *rowStore
	at    int
	out   vector.Batch
}

func (r *storeReader) next() *vector.Batch {
	if r.at >= r.store.n {
		return nil
	}
	to := min(r.at+vector.Size, r.store.n)
	b := r.store.batch(&r.out, r.at, to)
	r.at = to
	return b
}

// identity holds 0, 1, 2 …: the rows of a batch that all count.
var identity = func() (rows [vector.Size]int32) {
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}()

// rowsOf lists the rows of a batch that count. The list must not be changed.
func rowsOf(b *vector.Batch) []int32 {
	if b.Rows != nil {
		return b.Rows
	}
	return identity[:b.N]
}

// drain pulls everything into a store.
func drain(x *run, in operator, types []pgcat.OID) (*rowStore, error) {
	s := newRowStore(types)
	mark := x.env.Mark()
	for {
		b, err := in.next(x)
		if err != nil {
			return nil, err
		}
		if b == nil {
			x.env.Keep(mark)
			return s, nil
		}
		if err := s.add(x, b); err != nil {
			return nil, err
		}
	}
}

// whole gives all rows of an operator that has been opened. Those of a table are
// not copied.
func whole(x *run, in operator, types []pgcat.OID) (*rowStore, error) {
	if t, ok := in.(interface{ stored() *rowStore }); ok {
		if s := t.stored(); s != nil {
			return s, nil
		}
	}
	return drain(x, in, types)
}

// evalAll computes an expression for all rows of a store.
func evalAll(x *run, e expression, s *rowStore) (*vector.Column, error) {
	if err := x.env.Meter.Alloc(vector.Bytes(e.typ(), s.n)); err != nil {
		return nil, err
	}
	all := vector.Make(e.typ(), 0)
	r := storeReader{store: s}
	for b := r.next(); b != nil; b = r.next() {
		c, err := e.eval(x, b, identity[:b.N])
		if err != nil {
			return nil, err
		}
		all.Append(c, identity[:b.N])
	}
	return all, nil
}
