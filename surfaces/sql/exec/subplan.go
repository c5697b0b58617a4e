package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/plan"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// subplan is a sub-query in an expression. One that takes nothing of the row is
// run once; another once for each set of values that it takes, unless it may give
// other rows each time.
type subplan struct {
	plan *plan.Subplan
	t    pgcat.OID
	root operator
	args []expression
	test expression // Any, All, RowComparison: over the outer row and then its own
	// keys, of Any: what is looked up, and in which of the sub-query's values.
	keys     []joinKey
	depends  dependence // on parameters set further out
	argTypes []pgcat.OID
	memo     *grouping
	memoised *vector.Column // one result a group
	once     vector.Datum
	rows     *rowStore // of Any and All, when it takes nothing of the row
	set      *subset
	out      buffer
	columns  []*vector.Column
	combined vector.Batch
}

func (s *subplan) typ() pgcat.OID { return s.t }

func (s *subplan) eval(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	if len(rows) == 0 {
		return s.out.room(x, s.t, b.N)
	}
	if s.test != nil {
		return s.tested(x, b, rows)
	}
	if len(s.args) == 0 {
		if !s.depends.holds(x) {
			d, err := s.value(x)
			if err != nil {
				return nil, err
			}
			s.once = d
			s.depends.computed(x)
		}
		return vector.Constant(s.once, b.N), nil
	}
	return s.perRow(x, b, rows, func(int32) (vector.Datum, error) { return s.value(x) })
}

// perRow gives the value for each row, computing it once for each set of
// arguments.
func (s *subplan) perRow(x *run, b *vector.Batch, rows []int32, compute func(row int32) (vector.Datum, error)) (*vector.Column, error) {
	var err error
	if s.columns, err = evalList(x, s.args, b, rows, s.columns); err != nil {
		return nil, err
	}
	out, err := s.out.room(x, s.t, b.N)
	if err != nil {
		return nil, err
	}
	if s.plan.Volatile {
		for _, r := range rows {
			s.set1(x, r)
			d, err := compute(r)
			if err != nil {
				return nil, err
			}
			out.Set(int(r), d)
		}
		return out, nil
	}
	if s.memo == nil || !s.depends.holds(x) {
		if s.memo != nil {
			s.memo.reset(x)
		} else {
			s.memo = newGrouping(s.argTypes)
		}
		s.memoised = vector.Make(s.t, 0)
		s.depends.computed(x)
	}
	// Errors come in the order of the rows: each new set of values is computed
	// before the next is looked at.
	columns := s.columns
	for _, r := range rows {
		one := [1]int32{r}
		var group [1]int32
		if err := s.memo.assign(x, columns, one[:], group[:]); err != nil {
			return nil, err
		}
		if g := int(group[0]); g >= s.memoised.Len {
			s.set1(x, r)
			d, err := compute(r)
			if err != nil {
				return nil, err
			}
			if err := x.env.Meter.Alloc(48 + d.Size()); err != nil {
				return nil, err
			}
			s.memoised.AppendDatum(d)
		}
		out.Copy(int(r), s.memoised, int(group[0]))
	}
	return out, nil
}

// set1 sets the parameters for a row.
func (s *subplan) set1(x *run, row int32) {
	for i, a := range s.plan.Args {
		x.set(a.Param, s.columns[i], int(row))
	}
}

var errManyRows = pgerr.New(pgerr.CardinalityViolation, "more than one row returned by a subquery used as an expression")

// value runs a sub-query that is not tested.
func (s *subplan) value(x *run) (vector.Datum, error) {
	if err := x.env.Meter.Charge(16); err != nil {
		return vector.Datum{}, err
	}
	if err := s.root.open(x); err != nil {
		return vector.Datum{}, err
	}
	switch s.plan.Kind {
	case query.Exists:
		return s.exists(x)
	case query.ArrayOf:
		return s.gatherArray(x)
	}
	return s.scalar(x)
}

func (s *subplan) exists(x *run) (vector.Datum, error) {
	for {
		b, err := s.root.next(x)
		if err != nil {
			return vector.Datum{}, err
		}
		if b == nil || b.Count() > 0 {
			return vector.Datum{Type: pgcat.Bool, Value: b != nil}, nil
		}
	}
}

func (s *subplan) scalar(x *run) (vector.Datum, error) {
	d, some := vector.Null(s.t), false
	for {
		b, err := s.root.next(x)
		if err != nil {
			return d, err
		}
		if b == nil {
			return d, nil
		}
		n := b.Count()
		if n == 0 {
			continue
		}
		if some || n > 1 {
			return d, errManyRows
		}
		some = true
		d = b.Columns[0].Datum(int(rowsOf(b)[0]))
		d.Type = s.t
	}
}

func (s *subplan) gatherArray(x *run) (vector.Datum, error) {
	store, err := drain(x, s.root, s.plan.Types)
	if err != nil {
		return vector.Datum{}, err
	}
	element := pgcat.Default().ElementOf(s.t)
	if vector.ClassOf(s.plan.Types[0]) == vector.ClassObject && s.plan.Types[0] == s.t {
		return vector.Datum{}, notSupported("ARRAY(SELECT …) of arrays is not implemented")
	}
	values := store.columns[0]
	values.Type = element
	return vector.Datum{Type: s.t, Value: vector.NewArray(element, values)}, nil
}

// tested answers ANY, ALL and the comparison of rows.
func (s *subplan) tested(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	if len(s.args) > 0 {
		return s.perTestedRow(x, b, rows)
	}
	if s.rows == nil || !s.depends.holds(x) {
		if err := s.read(x); err != nil {
			return nil, err
		}
		s.depends.computed(x)
	}
	out, err := s.out.room(x, s.t, b.N)
	if err != nil {
		return nil, err
	}
	if s.set != nil {
		return out, s.set.answer(x, s, b, rows, out)
	}
	for _, r := range rows {
		d, err := s.testRow(x, b, r, s.rows)
		if err != nil {
			return nil, err
		}
		out.Set(int(r), d)
	}
	return out, nil
}

// perTestedRow is for a tested sub-query that takes something of the row. Its rows
// are not kept: the test depends on more than the arguments.
func (s *subplan) perTestedRow(x *run, b *vector.Batch, rows []int32) (*vector.Column, error) {
	var err error
	if s.columns, err = evalList(x, s.args, b, rows, s.columns); err != nil {
		return nil, err
	}
	out, err := s.out.room(x, s.t, b.N)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		s.set1(x, r)
		if err := s.root.open(x); err != nil {
			return nil, err
		}
		store, err := whole(x, s.root, s.plan.Types)
		if err != nil {
			return nil, err
		}
		d, err := s.testRow(x, b, r, store)
		if err != nil {
			return nil, err
		}
		store.release(x)
		out.Set(int(r), d)
	}
	return out, nil
}

// read runs the sub-query and keeps its rows, and a set of them where the test can
// be looked up.
func (s *subplan) read(x *run) error {
	if err := s.root.open(x); err != nil {
		return err
	}
	store, err := whole(x, s.root, s.plan.Types)
	if err != nil {
		return err
	}
	s.rows, s.set = store, nil
	if len(s.keys) > 0 {
		s.set, err = newSubset(x, store, s.keys)
	}
	return err
}

// testRow evaluates the test of one outer row with all rows of the sub-query.
func (s *subplan) testRow(x *run, b *vector.Batch, row int32, store *rowStore) (vector.Datum, error) {
	if s.plan.Kind == query.RowComparison {
		if store.n > 1 {
			return vector.Datum{}, errManyRows
		}
		if store.n == 0 {
			return vector.Null(pgcat.Bool), nil
		}
	}
	unknown := false
	any := s.plan.Kind != query.All
	r := storeReader{store: store}
	for inner := r.next(); inner != nil; inner = r.next() {
		s.combine(b, row, inner)
		v, err := s.test.eval(x, &s.combined, identity[:inner.N])
		if err != nil {
			return vector.Datum{}, err
		}
		if s.plan.Kind == query.RowComparison {
			return v.Datum(0), nil
		}
		for k := range inner.N {
			switch {
			case v.Null(k):
				unknown = true
			case v.Bools[v.At(k)] == any:
				return vector.Datum{Type: pgcat.Bool, Value: any}, nil
			}
		}
	}
	if unknown {
		return vector.Null(pgcat.Bool), nil
	}
	return vector.Datum{Type: pgcat.Bool, Value: !any}, nil
}

// combine puts an outer row beside the rows of the sub-query.
func (s *subplan) combine(b *vector.Batch, row int32, inner *vector.Batch) {
	columns := s.combined.Columns[:0]
	for _, c := range b.Columns[:min(s.plan.Width, len(b.Columns))] {
		if c == nil { // not read by the test
			columns = append(columns, nil)
			continue
		}
		columns = append(columns, vector.Constant(c.Datum(int(row)), inner.N))
	}
	for len(columns) < s.plan.Width {
		columns = append(columns, nil)
	}
	s.combined = vector.Batch{N: inner.N, Columns: append(columns, inner.Columns...)}
}

// subset is a set of a sub-query's rows for IN: with NULLs told apart.
type subset struct {
	whole   *grouping // rows without NULLs
	partial []int32   // rows with some NULL
	store   *rowStore
	inner   []*vector.Column
	found   []int32
}

func newSubset(x *run, store *rowStore, keys []joinKey) (*subset, error) {
	s := &subset{store: store}
	types := make([]pgcat.OID, len(keys))
	for i, k := range keys {
		types[i] = k.left.typ()
		c, err := evalAll(x, k.right, store)
		if err != nil {
			return nil, err
		}
		s.inner = append(s.inner, c)
	}
	s.whole = newGrouping(types)
	groups := make([]int32, vector.Size)
	for at := 0; at < store.n; at += vector.Size {
		n := min(vector.Size, store.n-at)
		part := make([]*vector.Column, len(s.inner))
		for i, c := range s.inner {
			part[i] = c.Slice(at, at+n)
		}
		var rows []int32
		for k := range n {
			if anyNull(part, int32(k)) {
				if err := x.env.Meter.Alloc(4); err != nil {
					return nil, err
				}
				s.partial = append(s.partial, int32(at+k))
				continue
			}
			rows = append(rows, int32(k))
		}
		if len(rows) == 0 {
			continue
		}
		if err := s.whole.assign(x, part, rows, groups); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// answer tells for each row whether it is in the set: NULL where only NULLs leave
// it open.
func (s *subset) answer(x *run, p *subplan, b *vector.Batch, rows []int32, out *vector.Column) error {
	var left []*vector.Column
	for _, k := range p.keys {
		c, err := k.left.eval(x, b, rows)
		if err != nil {
			return err
		}
		left = append(left, c)
	}
	if s.store.n == 0 {
		for _, r := range rows {
			out.Bools[r] = false
		}
		return nil
	}
	if cap(s.found) < len(rows) {
		s.found = make([]int32, vector.Size)
	}
	found := s.found[:len(rows)]
	if err := s.whole.find(x, left, rows, found); err != nil {
		return err
	}
	for k, r := range rows {
		null := anyNull(left, r)
		switch {
		case !null && found[k] >= 0:
			out.Bools[r] = true
		case !null && len(s.partial) == 0:
			out.Bools[r] = false
		case len(left) == 1:
			out.SetNull(int(r))
		default:
			if err := s.partly(x, p, left, r, null, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// partly decides a row of several columns of which some are NULL, on either side:
// it stays open when a row agrees with it in all that is known of both.
func (s *subset) partly(x *run, p *subplan, left []*vector.Column, row int32, null bool, out *vector.Column) error {
	compare := make([]vector.Comparator, len(left))
	for i, c := range left {
		compare[i] = vector.ComparatorOf(c.Type)
	}
	agrees := func(candidate int) bool {
		for i, c := range left {
			if c.Null(int(row)) || s.inner[i].Null(candidate) {
				continue
			}
			if compare[i](c, c.At(int(row)), s.inner[i], candidate) != 0 {
				return false
			}
		}
		return true
	}
	if null {
		if err := x.env.Meter.Charge(int64(s.store.n)); err != nil {
			return err
		}
		for i := range s.store.n {
			if agrees(i) {
				out.SetNull(int(row))
				return nil
			}
		}
		out.Bools[row] = false
		return nil
	}
	if err := x.env.Meter.Charge(int64(len(s.partial))); err != nil {
		return err
	}
	for _, i := range s.partial {
		if agrees(int(i)) {
			out.SetNull(int(row))
			return nil
		}
	}
	out.Bools[row] = false
	return nil
}
