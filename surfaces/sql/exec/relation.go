package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/query"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// values gives rows of expressions.
type values struct {
	rows  [][]expression
	types []pgcat.OID
	at    int
}

func (v *values) open(*run) error {
	v.at = 0
	return nil
}

func (v *values) next(x *run) (*vector.Batch, error) {
	if v.at >= len(v.rows) {
		return nil, nil
	}
	n := min(vector.Size, len(v.rows)-v.at)
	if err := x.env.Meter.Charge(int64(n * (1 + len(v.types)))); err != nil {
		return nil, err
	}
	out := make([]*vector.Column, len(v.types))
	for i, t := range v.types {
		if err := x.env.Fail(x.env.Alloc(vector.Bytes(t, n))); err != nil {
			return nil, err
		}
		out[i] = vector.Make(t, n)
	}
	one := &vector.Batch{N: 1}
	for k, row := range v.rows[v.at : v.at+n] {
		for i, e := range row {
			c, err := e.eval(x, one, firstRow)
			if err != nil {
				return nil, err
			}
			out[i].Copy(k, c, 0)
		}
	}
	v.at += n
	return &vector.Batch{N: n, Columns: out}, nil
}

// setCall is a call of a function that gives rows, or of one that gives a value,
// which is one row.
type setCall struct {
	kernel  fn.SetKernel
	args    []expression
	strict  bool
	value   expression // of one that is not set-returning
	columns []pgcat.OID
	record  bool
	single  bool           // one row, of NULLs for NULL
	wanted  []fn.RowColumn // the columns, for a function that makes its record to them

	set fn.Set
	end bool
}

// begin calls the function for a row of a batch.
func (s *setCall) begin(x *run, b *vector.Batch, row int32) error {
	s.set, s.end = nil, false
	rows := [1]int32{row}
	if s.value != nil {
		return s.beginValue(x, b, rows[:])
	}
	args := make([]vector.Datum, len(s.args))
	for i, e := range s.args {
		c, err := e.eval(x, b, rows[:])
		if err != nil {
			return err
		}
		args[i] = c.Datum(int(row))
		if s.strict && args[i].Null() {
			s.end = true
		}
	}
	if s.end && s.single {
		return s.beginNull()
	}
	if s.end {
		return nil
	}
	x.env.RowColumns = s.wanted
	set, err := s.kernel(x.env, args, s.columns)
	x.env.RowColumns = nil
	s.set = set
	return err
}

// beginNull makes the one row of a strict function whose argument is NULL.
func (s *setCall) beginNull() error {
	out := make([]*vector.Column, len(s.columns))
	for i, t := range s.columns {
		out[i] = vector.Make(t, 1)
		out[i].SetNull(0)
	}
	s.set, s.end = fn.Rows(out...), false
	return nil
}

func (s *setCall) beginValue(x *run, b *vector.Batch, rows []int32) error {
	c, err := s.value.eval(x, b, rows)
	if err != nil {
		return err
	}
	d := c.Datum(int(rows[0]))
	out := make([]*vector.Column, len(s.columns))
	record, _ := d.Value.(*vector.Record)
	if s.record && record != nil {
		if err := fits(record, s.columns); err != nil {
			return err
		}
	}
	for i, t := range s.columns {
		out[i] = vector.Make(t, 1)
		switch {
		case !s.record:
			out[i].Set(0, d)
		case record != nil:
			out[i].Set(0, record.Fields[i])
		default:
			out[i].SetNull(0)
		}
	}
	s.set = fn.Rows(out...)
	return nil
}

// fits checks that a record is what the query says it is.
func fits(record *vector.Record, columns []pgcat.OID) error {
	mismatch := pgerr.New(pgerr.DatatypeMismatch, "function return row and query-specified return row do not match")
	if n := len(record.Fields); n != len(columns) {
		many := "attributes"
		if n == 1 {
			many = "attribute"
		}
		return mismatch.WithDetail("Returned row contains %d %s, but query expects %d.", n, many, len(columns))
	}
	c := pgcat.Default()
	for i, f := range record.Fields {
		if f.Type != columns[i] && !c.BinaryCoercible(f.Type, columns[i]) {
			return mismatch.WithDetail("Returned type %s at ordinal position %d, but query expects %s.", c.FormatType(f.Type), i+1, c.FormatType(columns[i]))
		}
	}
	return nil
}

func (s *setCall) next(x *run) (*vector.Batch, error) {
	if s.end || s.set == nil {
		return nil, nil
	}
	if err := x.env.Meter.Charge(1); err != nil {
		return nil, err
	}
	b, err := s.set.Next(x.env)
	if err != nil || b == nil {
		s.end = true
		return nil, err
	}
	return b, x.env.Meter.Charge(int64(b.Count()))
}

// functions gives the rows of calls side by side; what ends early is filled up
// with NULLs.
type functions struct {
	calls      []*setCall
	ordinality bool
	types      []pgcat.OID
	parts      []*part
	number     int64
}

// part is what is left of a call's last batch.
type part struct {
	batch *vector.Batch
	at    int
}

func (f *functions) open(x *run) error {
	f.number = 0
	f.parts = make([]*part, len(f.calls))
	for i, c := range f.calls {
		f.parts[i] = &part{}
		if err := c.begin(x, &vector.Batch{N: 1}, 0); err != nil {
			return err
		}
	}
	return nil
}

func (f *functions) next(x *run) (*vector.Batch, error) {
	if len(f.calls) == 1 && !f.ordinality {
		return f.calls[0].next(x)
	}
	b, err := sideBySide(x, f.calls, f.parts, f.types)
	if err != nil || b == nil || !f.ordinality {
		return b, err
	}
	last := b.Columns[len(b.Columns)-1]
	last.Nulls = nil
	for i := range b.N {
		f.number++
		last.Ints[i] = f.number
	}
	return b, nil
}

// sideBySide gives the next rows of several calls together, or nil when all have
// ended. Columns that no call fills are NULL.
func sideBySide(x *run, calls []*setCall, parts []*part, types []pgcat.OID) (*vector.Batch, error) {
	n := 0
	for i, c := range calls {
		p := parts[i]
		for p.batch == nil || p.at >= p.batch.Count() {
			b, err := c.next(x)
			if err != nil {
				return nil, err
			}
			p.batch, p.at = b, 0
			if b == nil {
				break
			}
		}
		if p.batch == nil {
			continue
		}
		if left := p.batch.Count() - p.at; n == 0 || left < n {
			n = left
		}
	}
	if n == 0 {
		return nil, nil
	}
	out := &vector.Batch{N: n}
	for _, t := range types {
		if err := x.env.Fail(x.env.Alloc(vector.Bytes(t, n))); err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, vector.Make(t, n))
	}
	at := 0
	for i, c := range calls {
		p := parts[i]
		for k := range c.columns {
			dst := out.Columns[at+k]
			if p.batch == nil {
				for r := range n {
					dst.SetNull(r)
				}
				continue
			}
			vector.Gather(dst, p.batch.Columns[k], rowsOf(p.batch)[p.at:p.at+n])
		}
		at += len(c.columns)
		p.at += n
	}
	return out, nil
}

// projectSet gives for each row of its input a row for each row of its calls, side
// by side.
type projectSet struct {
	in    operator
	pass  []expression // columns that are repeated
	calls []*setCall
	types []pgcat.OID // of the calls' columns

	batch  *vector.Batch
	rows   []int32
	at     int
	active bool
	parts  []*part
	cols   []*vector.Column
}

func (p *projectSet) open(x *run) error {
	p.batch, p.active = nil, false
	return p.in.open(x)
}

func (p *projectSet) next(x *run) (*vector.Batch, error) {
	for {
		if p.batch == nil {
			b, err := p.in.next(x)
			if err != nil || b == nil {
				return nil, err
			}
			p.batch, p.rows, p.at = b, rowsOf(b), 0
			if p.cols, err = evalList(x, p.pass, b, p.rows, p.cols); err != nil {
				return nil, err
			}
		}
		if p.at >= len(p.rows) {
			p.batch = nil
			continue
		}
		b, err := p.expand(x)
		if err != nil {
			return nil, err
		}
		if b != nil {
			return b, nil
		}
	}
}

// expand gives more rows of the current input row, or moves on to the next.
func (p *projectSet) expand(x *run) (*vector.Batch, error) {
	row := p.rows[p.at]
	if !p.active {
		p.parts = make([]*part, len(p.calls))
		for i, c := range p.calls {
			p.parts[i] = &part{}
			if err := c.begin(x, p.batch, row); err != nil {
				return nil, err
			}
		}
		p.active = true
	}
	b, err := sideBySide(x, p.calls, p.parts, p.types)
	if err != nil {
		return nil, err
	}
	if b == nil {
		p.active = false
		p.at++
		return nil, nil
	}
	columns := make([]*vector.Column, 0, len(p.cols)+len(b.Columns))
	for _, c := range p.cols {
		columns = append(columns, vector.Constant(c.Datum(int(row)), b.N))
	}
	return &vector.Batch{N: b.N, Columns: append(columns, b.Columns...)}, nil
}

// setOp combines rows of two inputs. For UNION ALL they follow each other; the
// others drop and count equal rows in the order of the left side.
type setOp struct {
	op          query.SetOpKind
	all         bool
	left, right operator
	types       []pgcat.OID

	onRight bool
	counts  []int64 // of INTERSECT and EXCEPT, by group: how often the right side has it
	groups  *grouping
	numbers []int32
	given   []bool
	rows    rowList
	out     vector.Batch
}

func (s *setOp) open(x *run) error {
	s.onRight = false
	if s.groups != nil {
		s.groups.reset(x)
	}
	s.groups, s.counts, s.given = newGrouping(s.types), nil, nil
	if s.numbers == nil {
		s.numbers = make([]int32, vector.Size)
	}
	if err := s.left.open(x); err != nil {
		return err
	}
	if s.op == query.Union {
		return nil
	}
	return s.count(x)
}

// count reads the right side of INTERSECT and EXCEPT.
func (s *setOp) count(x *run) error {
	if err := s.right.open(x); err != nil {
		return err
	}
	for {
		b, err := s.right.next(x)
		if err != nil || b == nil {
			return err
		}
		rows := rowsOf(b)
		if err := s.groups.assign(x, b.Columns, rows, s.numbers); err != nil {
			return err
		}
		if err := s.grow(x); err != nil {
			return err
		}
		for k := range rows {
			s.counts[s.numbers[k]]++
		}
	}
}

func (s *setOp) grow(x *run) error {
	if n := s.groups.count() - len(s.counts); n > 0 {
		if err := x.env.Meter.Alloc(int64(n) * 9); err != nil {
			return err
		}
		s.counts = append(s.counts, make([]int64, n)...)
		s.given = append(s.given, make([]bool, n)...)
	}
	return nil
}

func (s *setOp) next(x *run) (*vector.Batch, error) {
	for {
		in := s.left
		if s.onRight {
			in = s.right
		}
		b, err := in.next(x)
		if err != nil {
			return nil, err
		}
		if b == nil {
			if s.op != query.Union || s.onRight {
				return nil, nil
			}
			s.onRight = true
			if err := s.right.open(x); err != nil {
				return nil, err
			}
			continue
		}
		if s.op == query.Union && s.all {
			return b, nil
		}
		return s.choose(x, b)
	}
}

// choose keeps the rows that the operation gives.
func (s *setOp) choose(x *run, b *vector.Batch) (*vector.Batch, error) {
	rows := rowsOf(b)
	before := s.groups.count()
	if err := s.groups.assign(x, b.Columns, rows, s.numbers); err != nil {
		return nil, err
	}
	if err := s.grow(x); err != nil {
		return nil, err
	}
	kept := s.rows.empty(len(rows))
	fresh := int32(before)
	for k, r := range rows {
		g := s.numbers[k]
		var keep bool
		switch {
		case s.op == query.Union:
			if keep = g == fresh; keep {
				fresh++
			}
		case s.op == query.Intersect && s.all:
			if keep = s.counts[g] > 0; keep {
				s.counts[g]--
			}
		case s.op == query.Intersect:
			keep = s.counts[g] > 0 && !s.given[g]
		case s.all:
			if keep = s.counts[g] == 0; !keep {
				s.counts[g]--
			}
		default:
			keep = s.counts[g] == 0 && !s.given[g]
		}
		if keep {
			s.given[g] = true
			kept = append(kept, r)
		}
	}
	s.rows = kept
	s.out = vector.Batch{N: b.N, Columns: b.Columns, Rows: kept}
	return &s.out, nil
}
