package module

import (
	"math"
	"math/big"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// mathRounding adds what makes integers of floats.
func mathRounding(m *object.Module) {
	round := func(name, special string, f func(float64) float64) {
		m.Func(name, "x /", func(t *thread, a []value) (value, *exception) {
			if isInt(a[0]) {
				return a[0].Base(), nil
			}
			if _, isFloat := a[0].Float(); !isFloat {
				if r, ok, e := callSpecial(t, a[0], special); ok || e != nil {
					return r, e
				}
				if name == "trunc" {
					return raised(t.RaiseType("type %s doesn't define __trunc__ method", nameOf(a[0])))
				}
			}
			x, e := mathFloat(t, a[0])
			if e != nil {
				return value{}, e
			}
			return floatToInt(t, f(x))
		})
	}
	round("floor", "__floor__", math.Floor)
	round("ceil", "__ceil__", math.Ceil)
	round("trunc", "__trunc__", math.Trunc)
}

// isInt reports whether a value is an int, of a subclass too.
func isInt(v value) bool {
	switch v.Base().Kind() {
	case object.KindInt, object.KindBig:
		return true
	}
	return false
}

// floatToInt gives a float without a fraction as an int.
func floatToInt(t *thread, f float64) (value, *exception) {
	switch {
	case math.IsNaN(f):
		return raised(t.RaiseValue("cannot convert float NaN to integer"))
	case math.IsInf(f, 0):
		return raised(t.Raise(object.OverflowError, "cannot convert float infinity to integer"))
	case math.Abs(f) < 1<<62:
		return object.Int(int64(f)), nil
	}
	n, _ := big.NewFloat(f).Int(nil)
	return bigValue(t, n)
}

// bigValue charges for an integer and makes it.
func bigValue(t *thread, n *big.Int) (value, *exception) {
	if x := t.Alloc(48 + n.BitLen()/8); x != nil {
		return value{}, x
	}
	return object.Big(n), nil
}

// bigArg reads an argument as an integer of any size.
func bigArg(t *thread, v value) (*big.Int, *exception) {
	i, x := t.Index(v)
	if x != nil {
		return nil, x
	}
	n, _ := object.BigOf(i)
	return n, nil
}

// mathIntegers adds the functions of integers.
func mathIntegers(m *object.Module) {
	fold := func(name string, f func(x, y *big.Int) *big.Int, start int64) {
		m.Func(name, "*integers", func(t *thread, a []value) (value, *exception) {
			r := big.NewInt(start)
			for _, v := range a {
				n, e := bigArg(t, v)
				if e != nil {
					return value{}, e
				}
				bits := int64(r.BitLen()+n.BitLen()) / 64
				if e := t.Charge(4 + bits*bits/8); e != nil {
					return value{}, e
				}
				if e := t.Alloc((r.BitLen() + n.BitLen()) / 8); e != nil {
					return value{}, e
				}
				r = f(r, n)
			}
			return object.Big(r), nil
		})
	}
	fold("gcd", func(x, y *big.Int) *big.Int {
		return new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
	}, 0)
	fold("lcm", func(x, y *big.Int) *big.Int {
		if x.Sign() == 0 || y.Sign() == 0 {
			return new(big.Int)
		}
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
		r := new(big.Int).Quo(x, g)
		return r.Abs(r.Mul(r, y))
	}, 1)
	m.Func("factorial", "n /", func(t *thread, a []value) (value, *exception) {
		n, e := bigArg(t, a[0])
		if e != nil {
			return value{}, e
		}
		if n.Sign() < 0 {
			return raised(t.RaiseValue("factorial() not defined for negative values"))
		}
		if !n.IsInt64() || n.Int64() > 1<<31 {
			return raised(t.Raise(object.OverflowError, "factorial() argument should not exceed 9223372036854775807"))
		}
		return product(t, 1, n.Int64())
	})
	m.Func("comb", "n k /", func(t *thread, a []value) (value, *exception) { return mathChoose(t, a, "k", true) })
	m.Func("perm", "n k? /", func(t *thread, a []value) (value, *exception) {
		if _, ok := optional(a, 1); !ok {
			a = []value{a[0], a[0]}
		}
		return mathChoose(t, a, "k", false)
	})
	m.Func("isqrt", "n /", func(t *thread, a []value) (value, *exception) {
		n, e := bigArg(t, a[0])
		if e != nil {
			return value{}, e
		}
		if n.Sign() < 0 {
			return raised(t.RaiseValue("isqrt() argument must be nonnegative"))
		}
		words := int64(n.BitLen()) / 64
		if e := t.Charge(4 + words*words/4); e != nil {
			return value{}, e
		}
		return bigValue(t, new(big.Int).Sqrt(n))
	})
}

// product multiplies lo to hi, in halves so that the factors stay of one size.
func product(t *thread, lo, hi int64) (value, *exception) {
	if lo > hi {
		return object.Int(1), nil
	}
	bits := float64(hi-lo+1) * math.Log2(float64(max(hi, 2)))
	if e := t.Alloc(int(min(bits/8, 1<<40))); e != nil {
		return value{}, e
	}
	words := bits / 64
	if e := t.Charge(int64(min(float64(hi-lo)+math.Pow(words, 1.6)/4, 1<<50))); e != nil {
		return value{}, e
	}
	return object.Big(new(big.Int).MulRange(lo, hi)), nil
}

// mathChoose is comb and perm.
func mathChoose(t *thread, a []value, _ string, divide bool) (value, *exception) {
	n, e := bigArg(t, a[0])
	if e != nil {
		return value{}, e
	}
	k, e := bigArg(t, a[1])
	if e != nil {
		return value{}, e
	}
	switch {
	case n.Sign() < 0:
		return raised(t.RaiseValue("n must be a non-negative integer"))
	case k.Sign() < 0:
		return raised(t.RaiseValue("k must be a non-negative integer"))
	case k.Cmp(n) > 0:
		return object.Int(0), nil
	}
	if divide {
		if rest := new(big.Int).Sub(n, k); rest.Cmp(k) < 0 {
			k = rest
		}
	}
	if !k.IsInt64() || k.Int64() > 1<<31 || !n.IsInt64() {
		if !k.IsInt64() || k.Int64() > 1<<20 {
			return raised(t.Raise(object.OverflowError, "%s", map[bool]string{true: "min(n - k, k) must not exceed 9223372036854775807", false: "k must not exceed 9223372036854775807"}[divide]))
		}
		return chooseBig(t, n, k.Int64(), divide)
	}
	r, e := product(t, n.Int64()-k.Int64()+1, n.Int64())
	if e != nil || !divide {
		return r, e
	}
	d, e := product(t, 1, k.Int64())
	if e != nil {
		return value{}, e
	}
	return t.Binary(object.FloorDiv, r, d)
}

// chooseBig is for numbers beyond 64 bits.
func chooseBig(t *thread, n *big.Int, k int64, divide bool) (value, *exception) {
	r := object.Int(1)
	for i := range k {
		var e *exception
		if r, e = t.Binary(object.Mul, r, object.Big(new(big.Int).Sub(n, big.NewInt(i)))); e != nil {
			return value{}, e
		}
		if divide {
			if r, e = t.Binary(object.FloorDiv, r, object.Int(i+1)); e != nil {
				return value{}, e
			}
		}
	}
	return r, nil
}
