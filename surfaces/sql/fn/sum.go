package fn

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// wide is a signed integer of 128 bits.
type wide struct {
	high int64
	low  uint64
}

func wideOf(v int64) wide { return wide{v >> 63, uint64(v)} }

// add gives w + v, or false where 128 bits do not hold it.
func (w wide) add(v wide) (wide, bool) {
	low, carry := bits.Add64(w.low, v.low, 0)
	high, _ := bits.Add64(uint64(w.high), uint64(v.high), carry)
	sum := wide{int64(high), low}
	overflow := (w.high < 0) == (v.high < 0) && (sum.high < 0) != (w.high < 0)
	return sum, !overflow
}

func (w wide) negated() wide {
	low, borrow := bits.Sub64(0, w.low, 0)
	high, _ := bits.Sub64(0, uint64(w.high), borrow)
	return wide{int64(high), low}
}

// times gives w × f for a positive factor, or false where it does not fit.
func (w wide) times(f uint64) (wide, bool) {
	if w.high < 0 {
		p, ok := w.negated().times(f)
		return p.negated(), ok && w != wide{math.MinInt64, 0}
	}
	over, high := bits.Mul64(uint64(w.high), f)
	carry, low := bits.Mul64(w.low, f)
	high, c := bits.Add64(high, carry, 0)
	return wide{int64(high), low}, over == 0 && c == 0 && int64(high) >= 0
}

func (w wide) numeric(scale int32) pgtype.Numeric {
	if w.high == int64(w.low)>>63 {
		return pgtype.NumericFromSmall(int64(w.low), scale)
	}
	b := new(big.Int).Lsh(big.NewInt(w.high), 64)
	return pgtype.NumericFromBig(b.Add(b, new(big.Int).SetUint64(w.low)), int(scale))
}

// intSum adds up integers.
type intSum struct {
	total wide
	count int64
}

func (s *intSum) step(v int64) {
	s.count++
	s.total.low += uint64(v)
	s.total.high += v >> 63
	if s.total.low < uint64(v) {
		s.total.high++
	}
}

// summing adds up integers of any size, for sum and avg.
type summing struct {
	present
	sums   []intSum
	result func(s *intSum, out *vector.Column, row int) error
}

func newSumming(result func(s *intSum, out *vector.Column, row int) error) NewAccumulator {
	return func(*Env, AggregateSpec) (Accumulator, error) { return &summing{result: result}, nil }
}

func (s *summing) Grow(e *Env, groups int) (err error) {
	s.sums, err = roomFor(e, s.sums, groups)
	return err
}

func (s *summing) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	groups, rows = s.only(args[0], groups, rows)
	a := read[int64](args[0])
	for k, r := range rows {
		s.sums[groups[k]].step(a.at(r))
	}
	return nil
}

func (s *summing) Remove(_ *Env, groups []int32, args []*vector.Column, rows []int32) (bool, error) {
	groups, rows = s.only(args[0], groups, rows)
	a := read[int64](args[0])
	for k, r := range rows {
		t := &s.sums[groups[k]]
		t.count--
		t.total, _ = t.total.add(wideOf(a.at(r)).negated())
	}
	return true, nil
}

func (s *summing) Result(_ *Env, from, to int, out *vector.Column) error {
	for g := from; g < to; g++ {
		if s.sums[g].count == 0 {
			out.SetNull(g - from)
			continue
		}
		if err := s.result(&s.sums[g], out, g-from); err != nil {
			return err
		}
	}
	return nil
}

// bigintSum is the result of sum(int2) and sum(int4).
func bigintSum(s *intSum, out *vector.Column, row int) error {
	if s.total.high != int64(s.total.low)>>63 {
		return errBigintRange
	}
	out.Ints[row] = int64(s.total.low)
	return nil
}

// numericIntSum is the result of sum(int8).
func numericIntSum(s *intSum, out *vector.Column, row int) error {
	out.Numerics[row] = s.total.numeric(0)
	return nil
}

// intAverage is the result of avg of integers.
func intAverage(s *intSum, out *vector.Column, row int) error {
	v, err := s.total.numeric(0).Div(pgtype.NumericFromInt(s.count))
	if err != nil {
		return err
	}
	out.Numerics[row] = v
	return nil
}

// numericSum adds up numbers: in 128 bits at the largest scale so far, and beyond
// that, or with NaN and infinities, exactly.
type numericSum struct {
	total   wide
	count   int64
	largest int64 // how many values have the scale
	scale   int32
	exact   bool
	beyond  pgtype.Numeric // what does not fit in total, when exact
}

var tenTo = func() (p [19]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

func (s *numericSum) step(e *Env, v pgtype.Numeric) error {
	s.count++
	c, scale, small := v.Small()
	if small && s.fast(c, scale) {
		return nil
	}
	return s.slow(e, v)
}

// fast adds a value in 128 bits, or reports that it cannot.
func (s *numericSum) fast(c int64, scale int32) bool {
	if scale == s.scale && !s.exact {
		if sum, ok := s.total.add(wideOf(c)); ok {
			s.total, s.largest = sum, s.largest+1
			return true
		}
		return false
	}
	return !s.exact && s.rescaled(c, scale)
}

func (s *numericSum) rescaled(c int64, scale int32) bool {
	total, term, by := s.total, wideOf(c), scale-s.scale
	ok := true
	switch {
	case by >= int32(len(tenTo)) || -by >= int32(len(tenTo)):
		return false
	case by > 0:
		total, ok = total.times(tenTo[by])
	default:
		term, ok = term.times(tenTo[-by])
	}
	if !ok {
		return false
	}
	if total, ok = total.add(term); !ok {
		return false
	}
	s.total = total
	if by > 0 {
		s.scale, s.largest = scale, 1
	}
	return true
}

func (s *numericSum) slow(e *Env, v pgtype.Numeric) error {
	if size := v.Size() + s.beyond.Size(); size != 0 {
		// The sum replaces the one before: what is kept does not add up.
		if err := e.Meter.Charge(1 + size/8); err != nil {
			return err
		}
	}
	if !s.exact {
		s.exact, s.beyond = true, s.total.numeric(s.scale)
		s.total = wide{}
	}
	sum, err := s.beyond.Add(v)
	if err != nil {
		return e.Fail(err)
	}
	s.beyond = sum
	return nil
}

func (s *numericSum) sum() pgtype.Numeric {
	if s.exact {
		return s.beyond
	}
	return s.total.numeric(s.scale)
}

// remove takes a value out, or reports that it cannot without losing the scale.
func (s *numericSum) remove(v pgtype.Numeric) bool {
	c, scale, small := v.Small()
	if s.exact || !small || scale > s.scale {
		return false
	}
	if scale == s.scale {
		if s.largest <= 1 && s.scale > 0 {
			return false
		}
		s.largest--
	}
	term, ok := wideOf(c).times(tenTo[s.scale-scale])
	if !ok {
		return false
	}
	s.total, ok = s.total.add(term.negated())
	s.count--
	return ok
}

// numericSumming is sum and avg of numeric.
type numericSumming struct {
	present
	folding[pgtype.Numeric, numericSum]
}

func newNumericSumming(result func(s *numericSum) (pgtype.Numeric, error)) NewAccumulator {
	return func(*Env, AggregateSpec) (Accumulator, error) {
		return &numericSumming{folding: folding[pgtype.Numeric, numericSum]{
			step: func(e *Env, s *numericSum, v pgtype.Numeric) error { return s.step(e, v) },
			result: func(e *Env, s *numericSum, out *vector.Column, row int) (err error) {
				if s.count == 0 {
					out.SetNull(row)
					return nil
				}
				out.Numerics[row], err = result(s)
				return err
			},
		}}, nil
	}
}

func (n *numericSumming) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	groups, rows = n.only(args[0], groups, rows)
	a := read[pgtype.Numeric](args[0])
	for k, r := range rows {
		if err := n.states[groups[k]].step(e, a.at(r)); err != nil {
			return err
		}
	}
	return nil
}

func (n *numericSumming) Remove(_ *Env, groups []int32, args []*vector.Column, rows []int32) (bool, error) {
	groups, rows = n.only(args[0], groups, rows)
	a := read[pgtype.Numeric](args[0])
	for k, r := range rows {
		if !n.states[groups[k]].remove(a.at(r)) {
			return false, nil
		}
	}
	return true, nil
}

func numericTotal(s *numericSum) (pgtype.Numeric, error) { return s.sum(), nil }

func numericAverage(s *numericSum) (pgtype.Numeric, error) {
	v, err := s.sum().Div(pgtype.NumericFromInt(s.count))
	if err != nil {
		return v, err
	}
	return v, nil
}

// floatSum is the state of sum of floats.
type floatSum struct {
	total float64
	any   bool
}

// newFloatSumming adds in the order of the rows, in the precision of the type.
func newFloatSumming(bitSize int) NewAccumulator {
	return fold(func(_ *Env, s *floatSum, v float64) error {
		if !s.any {
			s.total, s.any = v, true
			return nil
		}
		sum := roundTo(bitSize, s.total+v)
		if math.IsInf(sum, 0) && !math.IsInf(s.total, 0) && !math.IsInf(v, 0) {
			return errFloatOverflow
		}
		s.total = sum
		return nil
	}, func(_ *Env, s *floatSum, out *vector.Column, row int) error {
		if !s.any {
			out.SetNull(row)
		}
		out.Floats[row] = s.total
		return nil
	})
}

// moments are what the server keeps of floats for avg and the variances
// (float8_accum, after Youngs and Cramer): an average fails where the sum of
// squares does not fit, as it does there.
type moments struct{ n, sum, squares float64 }

func (m *moments) step(v float64) error {
	before := *m
	m.n++
	m.sum += v
	if before.n == 0 {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			m.squares = math.NaN()
		}
		return nil
	}
	d := v*m.n - m.sum
	m.squares += d * d / (m.n * before.n)
	if math.IsInf(m.sum, 0) || math.IsInf(m.squares, 0) {
		if !math.IsInf(before.sum, 0) && !math.IsInf(v, 0) {
			return errFloatOverflow
		}
		m.squares = math.NaN()
	}
	return nil
}

// newFloatAverage is avg of floats.
var newFloatAverage = fold(func(_ *Env, m *moments, v float64) error { return m.step(v) },
	func(_ *Env, m *moments, out *vector.Column, row int) error {
		if m.n == 0 {
			out.SetNull(row)
			return nil
		}
		out.Floats[row] = m.sum / m.n
		return nil
	})
