package fn

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// spread says which of the four measures of spread is asked.
type spreadKind struct{ sample, root bool }

// exactMoments are the sums of exact numbers and of their squares.
type exactMoments struct {
	n            int64
	sum, squares pgtype.Numeric
}

func (m *exactMoments) take(v pgtype.Numeric) error {
	m.n++
	sum, err := m.sum.Add(v)
	if err != nil {
		return err
	}
	squares, err := m.squares.Add(v.Square())
	if err != nil {
		return err
	}
	m.sum, m.squares = sum, squares
	return nil
}

func (m *exactMoments) put(k spreadKind, out *vector.Column, row int) error {
	v, ok := pgtype.Variance(m.n, m.sum, m.squares, k.sample, k.root)
	if !ok {
		out.SetNull(row)
		return nil
	}
	out.Numerics[row] = v
	return nil
}

// passing makes of an accumulator one that passes over rows whose first argument
// is NULL.
type passing struct {
	Accumulator
	present present
}

func (p *passing) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	for _, a := range args {
		groups, rows = p.present.only(a, groups, rows)
		if len(args) > 1 {
			// The scratch space is used again for the next argument.
			groups, rows = append([]int32(nil), groups...), append([]int32(nil), rows...)
		}
	}
	return p.Accumulator.Add(e, groups, args, rows)
}

func passOver(f NewAccumulator) NewAccumulator {
	return func(e *Env, spec AggregateSpec) (Accumulator, error) {
		a, err := f(e, spec)
		return &passing{Accumulator: a}, err
	}
}

func exactSpread(k spreadKind, integers bool) NewAccumulator {
	result := func(_ *Env, m *exactMoments, out *vector.Column, row int) error { return m.put(k, out, row) }
	if integers {
		return passOver(fold(func(_ *Env, m *exactMoments, v int64) error { return m.take(pgtype.NumericFromInt(v)) }, result))
	}
	return passOver(fold(func(e *Env, m *exactMoments, v pgtype.Numeric) error {
		if size := v.Size(); size != 0 {
			if err := e.Meter.Charge(size * size / 64); err != nil {
				return err
			}
		}
		return m.take(v)
	}, result))
}

// floatMoments are the sums of Youngs and Cramer, as the server keeps them. Products
// are rounded on their own: fused with the sum, as some processors can, they would
// differ in the last digit.
type floatMoments struct{ n, sx, sxx float64 }

func (m *floatMoments) take(v float64) error {
	before := m.sx
	m.n++
	m.sx += v
	if m.n == 1 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			m.sxx = math.NaN()
		}
		return nil
	}
	d := float64(v*m.n) - m.sx
	m.sxx += float64(d*d) / float64(m.n*(m.n-1))
	if math.IsInf(m.sx, 0) || math.IsInf(m.sxx, 0) {
		if !math.IsInf(before, 0) && !math.IsInf(v, 0) {
			return errFloatOverflow
		}
		m.sxx = math.NaN()
	}
	return nil
}

func (m *floatMoments) put(k spreadKind, out *vector.Column, row int) error {
	if m.n == 0 || k.sample && m.n <= 1 {
		out.SetNull(row)
		return nil
	}
	v := m.sxx / m.n
	if k.sample {
		v = m.sxx / (m.n - 1)
	}
	if k.root {
		v = math.Sqrt(v)
	}
	out.Floats[row] = v
	return nil
}

func floatSpread(k spreadKind) NewAccumulator {
	return passOver(fold(func(_ *Env, m *floatMoments, v float64) error { return m.take(v) },
		func(_ *Env, m *floatMoments, out *vector.Column, row int) error { return m.put(k, out, row) }))
}

// pairMoments are the same sums for pairs of numbers.
type pairMoments struct{ n, sx, sxx, sy, syy, sxy float64 }

func isInf(x float64) bool { return math.IsInf(x, 0) }

func (m *pairMoments) take(y, x float64) error {
	old := *m
	m.n++
	m.sx += x
	m.sy += y
	if old.n == 0 {
		if math.IsNaN(x) || isInf(x) {
			m.sxx, m.sxy = math.NaN(), math.NaN()
		}
		if math.IsNaN(y) || isInf(y) {
			m.syy, m.sxy = math.NaN(), math.NaN()
		}
		return nil
	}
	dx, dy := float64(x*m.n)-m.sx, float64(y*m.n)-m.sy
	scale := 1 / float64(m.n*old.n)
	m.sxx += float64(float64(dx*dx) * scale)
	m.syy += float64(float64(dy*dy) * scale)
	m.sxy += float64(float64(dx*dy) * scale)
	if !isInf(m.sx) && !isInf(m.sxx) && !isInf(m.sy) && !isInf(m.syy) && !isInf(m.sxy) {
		return nil
	}
	if (isInf(m.sx) || isInf(m.sxx)) && !isInf(old.sx) && !isInf(x) ||
		(isInf(m.sy) || isInf(m.syy)) && !isInf(old.sy) && !isInf(y) ||
		isInf(m.sxy) && !isInf(old.sx) && !isInf(x) && !isInf(old.sy) && !isInf(y) {
		return errFloatOverflow
	}
	for _, s := range []*float64{&m.sxx, &m.syy, &m.sxy} {
		if isInf(*s) {
			*s = math.NaN()
		}
	}
	return nil
}

// regression is an aggregate over pairs.
type regression struct {
	states []pairMoments
	result func(m *pairMoments) (v float64, ok bool)
}

func newRegression(result func(m *pairMoments) (float64, bool)) NewAccumulator {
	return passOver(func(*Env, AggregateSpec) (Accumulator, error) { return &regression{result: result}, nil })
}

func (r *regression) Grow(e *Env, groups int) (err error) {
	r.states, err = roomFor(e, r.states, groups)
	return err
}

func (r *regression) Add(e *Env, groups []int32, args []*vector.Column, rows []int32) error {
	if err := tick(e, rows); err != nil {
		return err
	}
	y, x := read[float64](args[0]), read[float64](args[1])
	for k, row := range rows {
		if err := r.states[groups[k]].take(y.at(row), x.at(row)); err != nil {
			return err
		}
	}
	return nil
}

func (r *regression) Result(_ *Env, from, to int, out *vector.Column) error {
	for g := from; g < to; g++ {
		v, ok := r.result(&r.states[g])
		if !ok {
			out.SetNull(g - from)
			continue
		}
		out.Floats[g-from] = v
	}
	return nil
}

// regressions are the results over pairs, by name.
var regressions = map[string]func(m *pairMoments) (float64, bool){
	"regr_sxx":   func(m *pairMoments) (float64, bool) { return m.sxx, m.n >= 1 },
	"regr_syy":   func(m *pairMoments) (float64, bool) { return m.syy, m.n >= 1 },
	"regr_sxy":   func(m *pairMoments) (float64, bool) { return m.sxy, m.n >= 1 },
	"regr_avgx":  func(m *pairMoments) (float64, bool) { return m.sx / m.n, m.n >= 1 },
	"regr_avgy":  func(m *pairMoments) (float64, bool) { return m.sy / m.n, m.n >= 1 },
	"covar_pop":  func(m *pairMoments) (float64, bool) { return m.sxy / m.n, m.n >= 1 },
	"covar_samp": func(m *pairMoments) (float64, bool) { return m.sxy / (m.n - 1), m.n >= 2 },
	"corr": func(m *pairMoments) (float64, bool) {
		return m.sxy / math.Sqrt(float64(m.sxx*m.syy)), m.n >= 1 && m.sxx != 0 && m.syy != 0
	},
	"regr_r2": func(m *pairMoments) (float64, bool) {
		if m.syy == 0 {
			return 1, m.n >= 1 && m.sxx != 0
		}
		return float64(m.sxy*m.sxy) / float64(m.sxx*m.syy), m.n >= 1 && m.sxx != 0
	},
	"regr_slope": func(m *pairMoments) (float64, bool) { return m.sxy / m.sxx, m.n >= 1 && m.sxx != 0 },
	"regr_intercept": func(m *pairMoments) (float64, bool) {
		return (m.sy - float64(m.sx*m.sxy)/m.sxx) / m.n, m.n >= 1 && m.sxx != 0
	},
}

func statisticalAggregates() map[string]NewAccumulator {
	all := map[string]NewAccumulator{}
	for name, k := range map[string]spreadKind{
		"variance": {sample: true}, "var_samp": {sample: true}, "var_pop": {},
		"stddev": {sample: true, root: true}, "stddev_samp": {sample: true, root: true}, "stddev_pop": {root: true},
	} {
		for _, t := range []string{"int2", "int4", "int8"} {
			all[name+"("+t+")"] = exactSpread(k, true)
		}
		all[name+"(numeric)"] = exactSpread(k, false)
		all[name+"(float4)"], all[name+"(float8)"] = floatSpread(k), floatSpread(k)
	}
	all["regr_count(float8,float8)"] = passOver(fold(func(_ *Env, n *int64, _ float64) error { *n++; return nil },
		func(_ *Env, n *int64, out *vector.Column, row int) error { out.Ints[row] = *n; return nil }))
	for name, result := range regressions {
		all[name+"(float8,float8)"] = newRegression(result)
	}
	return all
}
