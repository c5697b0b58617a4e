package module

import (
	"math"

	"github.com/polyglove/polyglove/sandbox/elementary"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

var _ = register("math", func(*Library) *object.Module {
	m := object.NewModule("math")
	for name, f := range map[string]float64{"pi": math.Pi, "e": math.E, "tau": 2 * math.Pi, "inf": math.Inf(1), "nan": math.NaN()} {
		m.Set(name, object.Float(f))
	}
	mathFunctions(m)
	mathRounding(m)
	mathIntegers(m)
	mathSeries(m)
	return m
})

// mathFloat reads an argument as math functions do.
func mathFloat(t *thread, v value) (float64, *exception) {
	if f, ok := v.Float(); ok {
		return f, nil
	}
	return t.ToFloat(v)
}

func domain(t *thread) *exception { return t.RaiseValue("math domain error") }

func rangeError(t *thread) *exception { return t.Raise(object.OverflowError, "math range error") }

// checked gives a result: NaN from a number is a domain error, an infinity from
// finite numbers a range error where overflow says so, else a domain error.
func checked(t *thread, r float64, overflow bool, in ...float64) (value, *exception) {
	for _, f := range in {
		if math.IsNaN(f) {
			return object.Float(r), nil
		}
	}
	if math.IsNaN(r) {
		return raised(domain(t))
	}
	if math.IsInf(r, 0) {
		for _, f := range in {
			if math.IsInf(f, 0) {
				return object.Float(r), nil
			}
		}
		if overflow {
			return raised(rangeError(t))
		}
		return raised(domain(t))
	}
	return object.Float(r), nil
}

func mathFunctions(m *object.Module) {
	one := func(name string, overflow bool, f func(float64) float64) {
		m.Func(name, "x /", func(t *thread, a []value) (value, *exception) {
			x, e := mathFloat(t, a[0])
			if e != nil {
				return value{}, e
			}
			if e := t.Charge(mathFuel); e != nil {
				return value{}, e
			}
			return checked(t, f(x), overflow, x)
		})
	}
	two := func(name, sig string, f func(x, y float64) float64) {
		m.Func(name, sig, func(t *thread, a []value) (value, *exception) {
			x, e := mathFloat(t, a[0])
			if e != nil {
				return value{}, e
			}
			y, e := mathFloat(t, a[1])
			if e != nil {
				return value{}, e
			}
			if e := t.Charge(mathFuel); e != nil {
				return value{}, e
			}
			return checked(t, f(x, y), true, x, y)
		})
	}
	one("acos", false, elementary.Acos)
	one("acosh", false, elementary.Acosh)
	one("asin", false, elementary.Asin)
	one("asinh", false, elementary.Asinh)
	one("atan", false, elementary.Atan)
	one("atanh", false, math.Atanh)
	one("cos", false, elementary.Cos)
	one("cosh", true, elementary.Cosh)
	one("erf", false, math.Erf)
	one("erfc", false, math.Erfc)
	one("exp", true, elementary.Exp)
	one("exp2", true, elementary.Exp2)
	one("expm1", true, math.Expm1)
	one("fabs", false, math.Abs)
	one("gamma", true, mathGamma)
	one("lgamma", true, logGamma)
	one("log1p", false, math.Log1p)
	one("sin", false, elementary.Sin)
	one("sinh", true, elementary.Sinh)
	one("sqrt", false, math.Sqrt)
	one("cbrt", false, elementary.Cbrt)
	one("tan", false, elementary.Tan)
	one("tanh", false, elementary.Tanh)
	m.Func("degrees", "x /", func(t *thread, a []value) (value, *exception) {
		x, e := mathFloat(t, a[0])
		return object.Float(x * (180 / math.Pi)), e
	})
	one("radians", false, func(x float64) float64 { return x * (math.Pi / 180) })
	one("ulp", true, ulp)
	two("atan2", "y x /", elementary.Atan2)
	two("copysign", "x y /", math.Copysign)
	two("fmod", "x y /", func(x, y float64) float64 {
		if math.IsInf(y, 0) && !math.IsInf(x, 0) {
			return x
		}
		return math.Mod(x, y)
	})
	two("remainder", "x y /", math.Remainder)
	m.Func("pow", "x y /", mathPow)
	m.Func("isnan", "x /", floatTest(math.IsNaN))
	m.Func("isinf", "x /", floatTest(func(f float64) bool { return math.IsInf(f, 0) }))
	m.Func("isfinite", "x /", floatTest(func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }))
	m.Func("isclose", "a b * rel_tol? abs_tol?", mathIsClose)
	m.Func("frexp", "x /", func(t *thread, a []value) (value, *exception) {
		x, e := mathFloat(t, a[0])
		if e != nil {
			return value{}, e
		}
		f, n := math.Frexp(x)
		return t.Tuple(object.Float(f), object.Int(int64(n)))
	})
	m.Func("ldexp", "x i /", func(t *thread, a []value) (value, *exception) {
		x, e := mathFloat(t, a[0])
		if e != nil {
			return value{}, e
		}
		n, e := t.Index(a[1])
		if e != nil {
			return raised(t.RaiseType("Expected an int as second argument to ldexp."))
		}
		i, ok := n.Int()
		if !ok {
			i = math.MaxInt32
			if isNegative(n) {
				i = math.MinInt32
			}
		}
		return checked(t, math.Ldexp(x, int(max(math.MinInt32, min(i, math.MaxInt32)))), true, x)
	})
	m.Func("modf", "x /", func(t *thread, a []value) (value, *exception) {
		x, e := mathFloat(t, a[0])
		if e != nil {
			return value{}, e
		}
		whole, part := math.Modf(x)
		if math.IsInf(x, 0) {
			whole, part = x, math.Copysign(0, x)
		}
		return t.Tuple(object.Float(math.Copysign(part, x)), object.Float(whole))
	})
	m.Func("nextafter", "x y / * steps?", func(t *thread, a []value) (value, *exception) {
		x, e := mathFloat(t, a[0])
		if e != nil {
			return value{}, e
		}
		y, e := mathFloat(t, a[1])
		if e != nil {
			return value{}, e
		}
		n := int64(1)
		if v, ok := optional(a, 2); ok {
			if n, e = integer(t, v); e != nil {
				return value{}, e
			}
			if n < 0 {
				return raised(t.RaiseValue("steps must be a non-negative integer"))
			}
		}
		if e := t.Charge(min(n, 1<<40) / 8); e != nil {
			return value{}, e
		}
		for ; n > 0 && x != y; n-- {
			x = math.Nextafter(x, y)
		}
		return object.Float(x), nil
	})
}

// mathFuel is what an elementary function costs: it computes with whole numbers of
// 128 bits and more.
const mathFuel = 150

func mathGamma(x float64) float64 {
	if x == math.Floor(x) && (x <= 0 || math.IsInf(x, -1)) {
		return math.NaN()
	}
	switch {
	case !elementary.Ordinary(x) || x == math.Floor(x) && x > 0 && x <= 23 || math.Abs(x) < 1e-20 || math.Abs(x) > 200:
		return math.Gamma(x)
	}
	return gammaOf(x)
}

func ulp(x float64) float64 {
	x = math.Abs(x)
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	if x == math.MaxFloat64 {
		return x - math.Nextafter(x, 0)
	}
	return math.Nextafter(x, math.Inf(1)) - x
}

func floatTest(f func(float64) bool) builtin {
	return func(t *thread, a []value) (value, *exception) {
		x, e := mathFloat(t, a[0])
		return object.Bool(f(x)), e
	}
}

func mathPow(t *thread, a []value) (value, *exception) {
	x, e := mathFloat(t, a[0])
	if e != nil {
		return value{}, e
	}
	y, e := mathFloat(t, a[1])
	if e != nil {
		return value{}, e
	}
	r := elementary.Pow(x, y)
	if x == 0 && y < 0 && !math.IsInf(y, 0) {
		return raised(domain(t))
	}
	return checked(t, r, true, x, y)
}

func mathIsClose(t *thread, a []value) (value, *exception) {
	f := [4]float64{0, 0, 1e-9, 0}
	for i := range f {
		if v, ok := given(a, i); ok {
			var e *exception
			if f[i], e = mathFloat(t, v); e != nil {
				return value{}, e
			}
		}
	}
	if f[2] < 0 || f[3] < 0 {
		return raised(t.RaiseValue("tolerances must be non-negative"))
	}
	x, y := f[0], f[1]
	if x == y {
		return object.True, nil
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return object.False, nil
	}
	d := math.Abs(y - x)
	return object.Bool(d <= math.Abs(f[2]*y) || d <= math.Abs(f[2]*x) || d <= f[3]), nil
}
