package module

import (
	"crypto/sha512"
	"math"
	"math/big"

	"github.com/polyglove/polyglove/sandbox/elementary"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// generator gives the session's random numbers, which begin at the host's seed.
func (l *Library) generator() *mersenne {
	if l.random == nil {
		l.random = &mersenne{}
		l.random.seedArray([]uint32{uint32(l.host.Seed), uint32(l.host.Seed >> 32)})
	}
	return l.random
}

// seedWith begins the sequence of a seed: an int, or text by its hash.
func seedWith(t *thread, m *mersenne, v value) *exception {
	n := new(big.Int)
	b := v.Base()
	switch s, isBytes, ok := subject(b); {
	case ok:
		if x := t.Charge(int64(len(s))); x != nil {
			return x
		}
		if !isBytes {
			encoded, x := callMethod(t, b, "encode")
			if x != nil {
				return x
			}
			data, _ := encoded.Bytes()
			s = data.String()
		}
		sum := sha512.Sum512([]byte(s))
		n.SetBytes(append([]byte(s), sum[:]...))
	case b.Kind() == object.KindFloat:
		h, x := t.Hash(b)
		if x != nil {
			return x
		}
		n.SetInt64(int64(h))
		if n.Sign() < 0 {
			n.SetUint64(h)
		}
	default:
		i, ok := object.BigOf(b)
		if !ok {
			return t.RaiseType("The only supported seed types are:\nNone, int, float, str, bytes, and bytearray.")
		}
		n.Abs(i)
	}
	if x := t.Charge(1500 + int64(n.BitLen()/16)); x != nil {
		return x
	}
	var key []uint32
	mask := big.NewInt(0xFFFFFFFF)
	for n = new(big.Int).Set(n); n.Sign() > 0; n.Rsh(n, 32) {
		key = append(key, uint32(new(big.Int).And(n, mask).Uint64()))
	}
	if len(key) == 0 {
		key = []uint32{0}
	}
	m.seedArray(key)
	return nil
}

var _ = register("random", func(l *Library) *object.Module {
	m := randomFunctions(l, l.generator())
	m.Set("Random", randomClass.Value())
	return m
})

// randomFunctions are the functions of a generator.
func randomFunctions(l *Library, g *mersenne) *object.Module {
	m := object.NewModule("random")
	m.Func("seed", "a? version?", func(t *thread, a []value) (value, *exception) {
		g.hasNext = false
		v, ok := optional(a, 0)
		if !ok {
			g.seedArray([]uint32{uint32(l.host.Seed), uint32(l.host.Seed >> 32)})
			return object.None, nil
		}
		return object.None, seedWith(t, g, v)
	})
	m.Func("random", "", func(*thread, []value) (value, *exception) { return object.Float(g.float()), nil })
	randomIntegers(m, g)
	randomChoices(m, g)
	randomReals(m, g)
	return m
}

// generator is random.Random: a sequence of its own.
type generator struct {
	object.Obj
	functions *object.Module
}

var randomClass = object.Define("Random")

// Class is random.Random.
func (*generator) Class() *class { return randomClass }

func init() {
	c := randomClass
	c.Module = "random"
	build := object.NewBuiltin("Random", "x?", func(t *thread, a []value) (value, *exception) {
		if x := t.Alloc(8192); x != nil {
			return value{}, x
		}
		l := libraryOf(t)
		m := &mersenne{}
		if v, ok := optional(a, 0); ok {
			if x := seedWith(t, m, v); x != nil {
				return value{}, x
			}
		} else {
			m.seedArray([]uint32{uint32(l.host.Seed), uint32(l.host.Seed >> 32), l.generator().word()})
		}
		return object.Box(&generator{functions: randomFunctions(l, m)}), nil
	})
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		v, x := build.Call(t, a, names)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(cls, c, v)
	}
	c.Own.GetAttr = func(_ *thread, v value, name string) (value, bool, *exception) {
		g, ok := object.NativeOf[*generator](v)
		if !ok {
			return value{}, false, nil
		}
		f, ok := g.functions.Attrs.Get(name)
		return f, ok, nil
	}
	c.Own.Children = func(value, func(value)) int { return 8192 }
	c.Ready()
}

// below gives a number of [0, n) for a bound of any size.
func (m *mersenne) belowBig(n *big.Int) *big.Int {
	if n.IsInt64() {
		return big.NewInt(m.below(n.Int64()))
	}
	for {
		if r := m.bigBits(n.BitLen()); r.Cmp(n) < 0 {
			return r
		}
	}
}

// bigBits gives an integer of k random bits.
func (m *mersenne) bigBits(k int) *big.Int {
	r := new(big.Int)
	for at := 0; at < k; at += 32 {
		w := m.word()
		if k-at < 32 {
			w >>= 32 - (k - at)
		}
		r.Or(r, new(big.Int).Lsh(big.NewInt(int64(w)), uint(at)))
	}
	return r
}

func randomIntegers(m *object.Module, g *mersenne) {
	inRange := func(t *thread, start, stop, step *big.Int, shown string) (value, *exception) {
		width := new(big.Int).Sub(stop, start)
		n := width
		switch {
		case step.Sign() > 0:
			n = new(big.Int).Div(new(big.Int).Sub(new(big.Int).Add(width, step), big.NewInt(1)), step)
		case step.Sign() < 0:
			n = new(big.Int).Quo(new(big.Int).Add(new(big.Int).Add(width, step), big.NewInt(1)), step)
		default:
			return raised(t.RaiseValue("zero step for randrange()"))
		}
		if n.Sign() <= 0 {
			return raised(t.RaiseValue("%s", shown))
		}
		r := g.belowBig(n)
		return bigValue(t, r.Add(start, r.Mul(r, step)))
	}
	m.Func("randrange", "start stop? step?", func(t *thread, a []value) (value, *exception) {
		start, x := bigArg(t, a[0])
		if x != nil {
			return value{}, x
		}
		v, ok := optional(a, 1)
		if !ok {
			if start.Sign() <= 0 {
				return raised(t.RaiseValue("empty range for randrange()"))
			}
			return bigValue(t, g.belowBig(start))
		}
		stop, x := bigArg(t, v)
		if x != nil {
			return value{}, x
		}
		step := big.NewInt(1)
		text := "empty range in randrange(" + start.String() + ", " + stop.String() + ")"
		if v, ok := given(a, 2); ok {
			if step, x = bigArg(t, v); x != nil {
				return value{}, x
			}
			if step.Cmp(big.NewInt(1)) != 0 {
				text = "empty range in randrange(" + start.String() + ", " + stop.String() + ", " + step.String() + ")"
			}
		}
		return inRange(t, start, stop, step, text)
	})
	m.Func("randint", "a b", func(t *thread, a []value) (value, *exception) {
		lo, x := bigArg(t, a[0])
		if x != nil {
			return value{}, x
		}
		hi, x := bigArg(t, a[1])
		if x != nil {
			return value{}, x
		}
		stop := new(big.Int).Add(hi, big.NewInt(1))
		return inRange(t, lo, stop, big.NewInt(1), "empty range in randrange("+lo.String()+", "+stop.String()+")")
	})
	m.Func("getrandbits", "k /", func(t *thread, a []value) (value, *exception) {
		k, x := integer(t, a[0])
		if x != nil {
			return value{}, x
		}
		if k < 0 {
			return raised(t.RaiseValue("number of bits must be non-negative"))
		}
		words := min(k, 1<<40) / 32
		if x := t.Alloc(int(words) * 8); x != nil {
			return value{}, x
		}
		if x := t.Charge(words * (words/64 + 2)); x != nil {
			return value{}, x
		}
		return bigValue(t, g.bigBits(int(k)))
	})
}

func randomChoices(m *object.Module, g *mersenne) {
	m.Func("choice", "seq", func(t *thread, a []value) (value, *exception) {
		n, x := t.Len(a[0])
		if x != nil {
			return value{}, x
		}
		if n == 0 {
			return raised(t.Raise(object.IndexError, "Cannot choose from an empty sequence"))
		}
		return t.GetItem(a[0], object.Int(g.below(int64(n))))
	})
	m.Func("shuffle", "x", func(t *thread, a []value) (value, *exception) {
		n, x := t.Len(a[0])
		if x != nil {
			return value{}, x
		}
		for i := n - 1; i > 0; i-- {
			if x := t.Charge(4); x != nil {
				return value{}, x
			}
			j := object.Int(g.below(int64(i + 1)))
			v, x := t.GetItem(a[0], object.Int(int64(i)))
			if x != nil {
				return value{}, x
			}
			w, x := t.GetItem(a[0], j)
			if x != nil {
				return value{}, x
			}
			if x := t.SetItem(a[0], object.Int(int64(i)), w); x != nil {
				return value{}, x
			}
			if x := t.SetItem(a[0], j, v); x != nil {
				return value{}, x
			}
		}
		return object.None, nil
	})
	m.Func("sample", "population k * counts?", func(t *thread, a []value) (value, *exception) {
		if _, ok := object.SetOf(a[0]); ok {
			return raised(t.RaiseType("Population must be a sequence.  For dicts or sets, use sorted(d)."))
		}
		if _, ok := object.DictOf(a[0]); ok {
			return raised(t.RaiseType("Population must be a sequence.  For dicts or sets, use sorted(d)."))
		}
		if _, ok := optional(a, 2); ok {
			return raised(t.Raise(object.NotImplementedErr, "counts= is not available here: repeat the elements in a list"))
		}
		pool, x := t.Items(a[0])
		if x != nil {
			return value{}, x
		}
		k, x := integer(t, a[1])
		if x != nil {
			return value{}, x
		}
		if k < 0 || k > int64(len(pool)) {
			return raised(t.RaiseValue("Sample larger than population or is negative"))
		}
		return sample(t, g, pool, int(k))
	})
	m.Func("choices", "population weights? * cum_weights? k?", func(t *thread, a []value) (value, *exception) { return choices(t, g, a) })
}

// sample chooses k of a pool, by the method that CPython takes for the sizes.
func sample(t *thread, g *mersenne, pool []value, k int) (value, *exception) {
	n, set := len(pool), 21
	if k > 5 {
		set += int(math.Pow(4, math.Ceil(math.Log(float64(k*3))/math.Log(4))))
	}
	if x := t.Alloc(48 * k); x != nil {
		return value{}, x
	}
	out := make([]value, k)
	if n <= set {
		for i := range out {
			j := g.below(int64(n - i))
			out[i] = pool[j]
			pool[j] = pool[n-i-1]
		}
		return t.List(out)
	}
	taken := map[int64]bool{}
	for i := range out {
		j := g.below(int64(n))
		for taken[j] {
			j = g.below(int64(n))
		}
		taken[j] = true
		out[i] = pool[j]
	}
	return t.List(out)
}

// choices chooses with replacement, by weights if there are any.
func choices(t *thread, g *mersenne, a []value) (value, *exception) {
	n, x := t.Len(a[0])
	if x != nil {
		return value{}, x
	}
	k := int64(1)
	if v, ok := given(a, 3); ok {
		if k, x = integer(t, v); x != nil {
			return value{}, x
		}
	}
	k = max(k, 0)
	if x := t.Alloc(int(min(k, 1<<40)) * 16); x != nil {
		return value{}, x
	}
	if x := t.Charge(k); x != nil {
		return value{}, x
	}
	cum, x := cumulative(t, a, n)
	if x != nil {
		return value{}, x
	}
	if n == 0 {
		return raised(t.Raise(object.IndexError, "list index out of range"))
	}
	out := make([]value, k)
	for i := range out {
		r, at := g.float(), 0
		if cum == nil {
			at = int(r * float64(n))
		} else {
			r *= cum[n-1]
			for lo, hi := 0, n-1; ; {
				if lo >= hi {
					at = lo
					break
				}
				if mid := (lo + hi) / 2; r < cum[mid] {
					hi = mid
				} else {
					lo = mid + 1
				}
			}
		}
		if out[i], x = t.GetItem(a[0], object.Int(int64(at))); x != nil {
			return value{}, x
		}
	}
	return t.List(out)
}

// cumulative reads weights or cum_weights, nil if there are none.
func cumulative(t *thread, a []value, n int) ([]float64, *exception) {
	w, weighted := optional(a, 1)
	c, summed := optional(a, 2)
	if weighted && summed {
		return nil, t.RaiseType("Cannot specify both weights and cumulative weights")
	}
	if !weighted && !summed {
		return nil, nil
	}
	if summed {
		w = c
	}
	items, x := t.Items(w)
	if x != nil {
		return nil, x
	}
	if len(items) != n {
		return nil, t.RaiseValue("The number of weights does not match the population")
	}
	f, x := floats(t, items)
	if x != nil {
		return nil, x
	}
	if weighted {
		for i := 1; i < len(f); i++ {
			f[i] += f[i-1]
		}
	}
	switch total := f[n-1]; {
	case total <= 0:
		return nil, t.RaiseValue("Total of weights must be greater than zero")
	case math.IsInf(total, 0) || math.IsNaN(total):
		return nil, t.RaiseValue("Total of weights must be finite")
	}
	return f, nil
}

func randomReals(m *object.Module, g *mersenne) {
	two := func(name, sig string, defaults [2]float64, f func(a, b float64) float64) {
		m.Func(name, sig, func(t *thread, a []value) (value, *exception) {
			p := defaults
			for i := range p {
				if v, ok := given(a, i); ok {
					var x *exception
					if p[i], x = mathFloat(t, v); x != nil {
						return value{}, x
					}
				}
			}
			return object.Float(f(p[0], p[1])), t.Charge(4)
		})
	}
	two("uniform", "a b", [2]float64{}, func(a, b float64) float64 { return a + (b-a)*g.float() })
	m.Func("getstate", "", func(t *thread, _ []value) (value, *exception) { return g.state(t) })
	m.Func("setstate", "state", func(t *thread, a []value) (value, *exception) { return object.None, g.restore(t, a[0]) })
	m.Func("triangular", "low? high? mode?", func(t *thread, a []value) (value, *exception) {
		return g.triangular(t, a)
	})
	two("gauss", "mu? sigma?", [2]float64{0, 1}, g.gauss)
	two("normalvariate", "mu? sigma?", [2]float64{0, 1}, g.normal)
	two("expovariate", "lambd?", [2]float64{1, 0}, func(lambda, _ float64) float64 { return -elementary.Log(1-g.float()) / lambda })
}

// stateVersion is that of the states of CPython 3.12's generator.
const stateVersion = 3

// state is random.getstate: the version, the words with the place among them, and
// the second number of gauss.
func (m *mersenne) state(t *thread) (value, *exception) {
	if x := t.Alloc(16 * (len(m.mt) + 8)); x != nil {
		return value{}, x
	}
	words := make([]value, 0, len(m.mt)+1)
	for _, w := range m.mt {
		words = append(words, object.Int(int64(w)))
	}
	next := object.None
	if m.hasNext {
		next = object.Float(m.next)
	}
	return object.NewTuple([]value{object.Int(stateVersion), object.NewTuple(append(words, object.Int(int64(m.i)))), next}), t.Charge(100)
}

// restore is random.setstate.
func (m *mersenne) restore(t *thread, v value) *exception {
	u, ok := object.TupleOf(v)
	if !ok || len(u.Items()) != 3 {
		return t.RaiseType("state must be what getstate() gave")
	}
	if n, ok := u.Items()[0].Int(); !ok || n != stateVersion {
		s, x := t.Repr(u.Items()[0])
		if x != nil {
			return x
		}
		return t.RaiseValue("state with version %s passed to Random.setstate() of version %d", s, stateVersion)
	}
	words, ok := object.TupleOf(u.Items()[1])
	if !ok || len(words.Items()) != len(m.mt)+1 {
		return t.RaiseValue("state vector is the wrong size")
	}
	fresh := *m
	for i, w := range words.Items() {
		n, x := t.IndexInt(w)
		if x != nil {
			return x
		}
		if i < len(m.mt) {
			fresh.mt[i] = uint32(n)
		} else if fresh.i = int(n); n < 0 || n > int64(len(m.mt)) {
			return t.RaiseValue("invalid state")
		}
	}
	fresh.next, fresh.hasNext = u.Items()[2].Float()
	*m = fresh
	return t.Charge(100)
}

// triangular is random.triangular.
func (m *mersenne) triangular(t *thread, a []value) (value, *exception) {
	p := [3]float64{0, 1, 0}
	middle := true
	for i := range p {
		v, ok := given(a, i)
		if !ok || i == 2 && v.IsNone() {
			continue
		}
		var x *exception
		if p[i], x = mathFloat(t, v); x != nil {
			return value{}, x
		}
		middle = middle && i < 2
	}
	low, high := p[0], p[1]
	u, c := m.float(), 0.5
	if !middle {
		if high == low {
			return object.Float(low), t.Charge(4)
		}
		c = (p[2] - low) / (high - low)
	}
	if u > c {
		u, c = 1-u, 1-c
		low, high = high, low
	}
	return object.Float(low + (high-low)*math.Sqrt(u*c)), t.Charge(4)
}

// gauss makes two numbers at a time.
func (m *mersenne) gauss(mu, sigma float64) float64 {
	z := m.next
	if !m.hasNext {
		x := m.float() * 2 * math.Pi
		r := math.Sqrt(-2 * elementary.Log(1-m.float()))
		z, m.next = elementary.Cos(x)*r, elementary.Sin(x)*r
	}
	m.hasNext = !m.hasNext
	return mu + z*sigma
}

// normalMagic is 4e^(-1/2)/√2.
var normalMagic = 4 * elementary.Exp(-0.5) / math.Sqrt(2)

// normal is the method of Kinderman and Monahan.
func (m *mersenne) normal(mu, sigma float64) float64 {
	for {
		u := m.float()
		v := 1 - m.float()
		z := normalMagic * (u - 0.5) / v
		if z*z/4 <= -elementary.Log(v) {
			return mu + z*sigma
		}
	}
}
