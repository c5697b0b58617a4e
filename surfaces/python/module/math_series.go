package module

import (
	"math"
	"math/big"

	"github.com/polyglove/polyglove/sandbox/elementary"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// mathSeries adds logarithms and the functions of several numbers.
func mathSeries(m *object.Module) {
	m.Func("log", "x base? /", func(t *thread, a []value) (value, *exception) {
		n, e := logarithm(t, a[0], elementary.Log, math.Ln2)
		if e != nil {
			return value{}, e
		}
		if b, ok := given(a, 1); ok {
			d, e := logarithm(t, b, elementary.Log, math.Ln2)
			if e != nil {
				return value{}, e
			}
			if d == 0 {
				return raised(t.Raise(object.ZeroDivisionError, "float division by zero"))
			}
			n /= d
		}
		return object.Float(n), nil
	})
	m.Func("log2", "x /", func(t *thread, a []value) (value, *exception) {
		n, e := logarithm(t, a[0], elementary.Log2, 1)
		return object.Float(n), e
	})
	m.Func("log10", "x /", func(t *thread, a []value) (value, *exception) {
		n, e := logarithm(t, a[0], elementary.Log10, math.Log10(2))
		return object.Float(n), e
	})
	m.Func("fsum", "seq /", mathFsum)
	m.Func("prod", "iterable / * start?", func(t *thread, a []value) (value, *exception) {
		r := object.Int(1)
		if v, ok := given(a, 1); ok {
			r = v
		}
		e := t.Each(a[0], func(v value) (bool, *exception) {
			var e *exception
			r, e = t.Binary(object.Mul, r, v)
			return false, e
		})
		return r, e
	})
	m.Func("hypot", "*coordinates", func(t *thread, a []value) (value, *exception) {
		f, e := floats(t, a)
		if e != nil {
			return value{}, e
		}
		return object.Float(norm(f)), nil
	})
	m.Func("dist", "p q /", func(t *thread, a []value) (value, *exception) {
		p, e := t.Items(a[0])
		if e != nil {
			return value{}, e
		}
		q, e := t.Items(a[1])
		if e != nil {
			return value{}, e
		}
		if len(p) != len(q) {
			return raised(t.RaiseValue("both points must have the same number of dimensions"))
		}
		f, e := floats(t, p)
		if e != nil {
			return value{}, e
		}
		g, e := floats(t, q)
		if e != nil {
			return value{}, e
		}
		for i := range f {
			f[i] -= g[i]
		}
		return object.Float(norm(f)), nil
	})
	m.Func("sumprod", "p q /", func(t *thread, a []value) (value, *exception) {
		p, e := t.Items(a[0])
		if e != nil {
			return value{}, e
		}
		q, e := t.Items(a[1])
		if e != nil {
			return value{}, e
		}
		if len(p) != len(q) {
			return raised(t.RaiseValue("Inputs are not the same length"))
		}
		return sumProduct(t, p, q)
	})
}

// logarithm takes the logarithm of a number of any size.
func logarithm(t *thread, v value, f func(float64) float64, ofTwo float64) (float64, *exception) {
	if n, ok := object.BigOf(v); ok {
		if n.Sign() <= 0 {
			return 0, domain(t)
		}
		if x, _ := new(big.Float).SetInt(n).Float64(); !math.IsInf(x, 0) {
			return f(x), nil
		}
		m := new(big.Float)
		e := new(big.Float).SetInt(n).MantExp(m)
		x, _ := m.Float64()
		return f(x) + float64(e)*ofTwo, nil
	}
	x, e := mathFloat(t, v)
	if e != nil {
		return 0, e
	}
	if x <= 0 {
		return 0, domain(t)
	}
	return f(x), nil
}

// floats reads numbers.
func floats(t *thread, a []value) ([]float64, *exception) {
	if e := t.Alloc(8 * len(a)); e != nil {
		return nil, e
	}
	out := make([]float64, len(a))
	for i, v := range a {
		f, e := mathFloat(t, v)
		if e != nil {
			return nil, e
		}
		out[i] = f
	}
	return out, t.Charge(int64(len(a)))
}

// norm is the Euclidean norm, rounded once: squares and their sum are exact to
// more than the double's precision.
func norm(f []float64) float64 {
	most, nan := 0.0, false
	for _, x := range f {
		if math.IsInf(x, 0) {
			return math.Inf(1)
		}
		nan = nan || math.IsNaN(x)
		most = max(most, math.Abs(x))
	}
	if nan {
		return math.NaN()
	}
	if most == 0 || len(f) == 1 {
		return most
	}
	sum := new(big.Float).SetPrec(2200)
	for _, x := range f {
		b := new(big.Float).SetPrec(2200).SetFloat64(x)
		sum.Add(sum, b.Mul(b, b))
	}
	r, _ := new(big.Float).SetPrec(120).Sqrt(sum).Float64()
	return r
}

// mathFsum adds floats without loss: partial sums that do not overlap.
func mathFsum(t *thread, a []value) (value, *exception) {
	var partials []float64
	special, infinite := 0.0, 0.0
	e := t.Each(a[0], func(v value) (bool, *exception) {
		x, e := mathFloat(t, v)
		if e != nil {
			return true, e
		}
		if e := t.Charge(int64(len(partials))); e != nil {
			return true, e
		}
		original, kept := x, partials[:0]
		for _, y := range partials {
			if math.Abs(x) < math.Abs(y) {
				x, y = y, x
			}
			hi := x + y
			if lo := y - (hi - x); lo != 0 {
				kept = append(kept, lo)
			}
			x = hi
		}
		partials = kept
		if x != 0 {
			if math.IsInf(x, 0) || math.IsNaN(x) {
				if !math.IsInf(original, 0) && !math.IsNaN(original) {
					return true, t.Raise(object.OverflowError, "intermediate overflow in fsum")
				}
				if math.IsInf(original, 0) {
					infinite += original
				}
				special += original
				partials = partials[:0]
				return false, nil
			}
			partials = append(partials, x)
		}
		return false, nil
	})
	if e != nil {
		return value{}, e
	}
	if special != 0 {
		if math.IsNaN(infinite) {
			return raised(t.RaiseValue("-inf + inf in fsum"))
		}
		return object.Float(special), nil
	}
	return object.Float(addPartials(partials)), nil
}

// addPartials rounds the exact sum once, half to even.
func addPartials(p []float64) float64 {
	n := len(p)
	if n == 0 {
		return 0
	}
	n--
	hi, lo := p[n], 0.0
	for n > 0 {
		x := hi
		n--
		y := p[n]
		hi = x + y
		if lo = y - (hi - x); lo != 0 {
			break
		}
	}
	if n > 0 && (lo < 0 && p[n-1] < 0 || lo > 0 && p[n-1] > 0) {
		y := lo * 2
		x := hi + y
		if y == x-hi {
			hi = x
		}
	}
	return hi
}

// sumProduct adds products: floats exactly, other numbers by their operators.
func sumProduct(t *thread, p, q []value) (value, *exception) {
	exact, allFloat := new(big.Float).SetPrec(4400), true
	total := object.Int(0)
	anyFloat := false
	for i := range p {
		if e := t.Charge(2); e != nil {
			return value{}, e
		}
		x, ok1 := p[i].Float()
		y, ok2 := q[i].Float()
		anyFloat = anyFloat || ok1 || ok2
		if !ok1 {
			if n, isSmall := p[i].Int(); isSmall {
				x, ok1 = float64(n), true
			}
		}
		if !ok2 {
			if n, isSmall := q[i].Int(); isSmall {
				y, ok2 = float64(n), true
			}
		}
		if !ok1 || !ok2 || math.IsInf(x, 0) || math.IsNaN(x) || math.IsInf(y, 0) || math.IsNaN(y) {
			allFloat = false
		} else if allFloat {
			a := new(big.Float).SetPrec(2200).SetFloat64(x)
			exact.Add(exact, a.Mul(a, new(big.Float).SetPrec(2200).SetFloat64(y)))
		}
		r, e := t.Binary(object.Mul, p[i], q[i])
		if e != nil {
			return value{}, e
		}
		if total, e = t.Binary(object.Add, total, r); e != nil {
			return value{}, e
		}
	}
	if allFloat && anyFloat {
		f, _ := exact.Float64()
		return object.Float(f), nil
	}
	return total, nil
}
