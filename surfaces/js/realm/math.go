package realm

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/dop251/goja"
)

func (r *Realm) mathNamespace() goja.Value { return r.namespace("Math") }

// mathMember is a function of one number.
func mathMember(name string, f func(float64) float64) member {
	return method(name, 1, func(r *Realm, c call) goja.Value {
		if len(c.Arguments) > 0 {
			if v := c.Arguments[0]; goja.IsNumber(v) {
				return number(f(v.ToFloat()))
			}
		}
		return number(f(r.num(arg(c, 0))))
	})
}

func mathMembers() []member {
	return []member{
		constant("E", math.E), constant("LN10", math.Ln10), constant("LN2", math.Ln2), constant("LOG10E", math.Log10E),
		constant("LOG2E", math.Log2E), constant("PI", math.Pi), constant("SQRT1_2", math.Sqrt2/2), constant("SQRT2", math.Sqrt2),
		mathMember("abs", math.Abs), mathMember("acos", fdAcos), mathMember("acosh", fdAcosh), mathMember("asin", fdAsin),
		mathMember("asinh", fdAsinh), mathMember("atan", fdAtan), mathMember("atanh", math.Atanh), mathMember("cbrt", fdCbrt),
		mathMember("ceil", math.Ceil), mathMember("cos", fdCos), mathMember("cosh", fdCosh), mathMember("exp", fdExp),
		mathMember("expm1", math.Expm1), mathMember("floor", math.Floor), mathMember("log", fdLog), mathMember("log10", fdLog10),
		mathMember("log1p", math.Log1p), mathMember("log2", fdLog2), mathMember("sin", fdSin), mathMember("sinh", fdSinh),
		mathMember("sqrt", math.Sqrt), mathMember("tan", fdTan), mathMember("tanh", fdTanh), mathMember("trunc", math.Trunc),
		mathMember("clz32", func(f float64) float64 { return float64(bits.LeadingZeros32(toUint32(f))) }),
		mathMember("fround", func(f float64) float64 { return float64(float32(f)) }),
		mathMember("round", roundHalfUp),
		mathMember("sign", func(f float64) float64 {
			switch {
			case f > 0:
				return 1
			case f < 0:
				return -1
			}
			return f
		}),
		method("atan2", 2, func(r *Realm, c call) goja.Value {
			y := r.num(arg(c, 0))
			return number(fdAtan2(y, r.num(arg(c, 1))))
		}),
		method("imul", 2, func(r *Realm, c call) goja.Value {
			a := toUint32(r.num(arg(c, 0)))
			return number(float64(int32(a * toUint32(r.num(arg(c, 1))))))
		}),
		method("pow", 2, func(r *Realm, c call) goja.Value {
			x := r.num(arg(c, 0))
			return number(pow(x, r.num(arg(c, 1))))
		}),
		method("hypot", 2, mathHypot),
		method("max", 2, func(r *Realm, c call) goja.Value { return number(r.extreme(c, math.Inf(-1), 1)) }),
		method("min", 2, func(r *Realm, c call) goja.Value { return number(r.extreme(c, math.Inf(1), -1)) }),
		method("random", 0, func(r *Realm, _ call) goja.Value {
			if r.random == nil {
				r.random = rand.New(rand.NewPCG(r.options.Seed, 0x9E3779B97F4A7C15))
			}
			return number(r.random.Float64())
		}),
	}
}

// roundHalfUp is Math.round: halves go towards positive infinity.
func roundHalfUp(f float64) float64 {
	if math.Abs(f) >= 1<<52 || f != f {
		return f
	}
	down := math.Floor(f)
	if f-down >= 0.5 {
		down++
	}
	return math.Copysign(down, f)
}

// pow is Number::exponentiate, which differs from IEEE 754 pow where the base is
// ±1 and the exponent infinite or NaN.
func pow(x, y float64) float64 {
	if y != y || (x == 1 || x == -1) && math.IsInf(y, 0) {
		return math.NaN()
	}
	if x == 0 || y == 0 || x != x || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Pow(x, y)
	}
	switch y {
	case 1:
		return x
	case 2:
		return x * x
	case -1:
		return 1 / x
	case 0.5:
		return math.Sqrt(x)
	}
	return fdPow(x, y)
}

// extreme is Math.max with sign 1 and Math.min with sign -1.
func (r *Realm) extreme(c call, best, sign float64) float64 {
	p := r.pace()
	for _, a := range c.Arguments {
		p.step(1)
		f := r.num(a)
		switch {
		case f != f || best != best:
			best = math.NaN()
		case f*sign > best*sign:
			best = f
		case f == 0 && best == 0:
			if sign > 0 && !math.Signbit(f) || sign < 0 && math.Signbit(f) {
				best = f
			}
		}
	}
	p.end()
	return best
}

func mathHypot(r *Realm, c call) goja.Value {
	list := make([]float64, len(c.Arguments))
	r.Alloc(int64(len(list)) * 8)
	most, infinite, nan := 0.0, false, false
	for i, a := range c.Arguments {
		list[i] = math.Abs(r.num(a))
		infinite = infinite || math.IsInf(list[i], 0)
		nan = nan || list[i] != list[i]
		most = math.Max(most, list[i])
	}
	switch {
	case infinite:
		return goja.PositiveInf()
	case nan:
		return goja.NaN()
	case most == 0:
		return whole(0)
	}
	sum, lost := 0.0, 0.0
	for _, f := range list {
		n := f / most
		x := n*n - lost
		next := sum + x
		lost = (next - sum) - x
		sum = next
	}
	return number(math.Sqrt(sum) * most)
}
