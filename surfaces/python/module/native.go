package module

import (
	"math"
	"math/big"

	"github.com/polyglove/polyglove/sandbox/elementary"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// What the modules written in Python take from Go.
var _ = registerHidden("_native", func(l *Library) *object.Module {
	m := object.NewModule("_native")
	m.Set("UnionType", object.UnionClass.Value()).Set("GenericAlias", object.AliasClass.Value()).Set("mappingproxy", proxyClass.Value())
	m.Func("virtual", "cls names classes /", makeVirtual)
	m.Func("redirect", "target /", redirect)
	m.Func("exact_sums", "data squares /", exactSums)
	m.Func("random_bytes", "n /", func(t *thread, a []value) (value, *exception) {
		n, x := integer(t, a[0])
		if x != nil {
			return value{}, x
		}
		if x := t.Alloc(int(n)); x != nil {
			return value{}, x
		}
		// Identifiers come from a generator of their own: random.seed() must not make
		// them repeat.
		if l.tokens == nil {
			l.tokens = &mersenne{}
			l.tokens.seedArray([]uint32{uint32(l.host.Seed), uint32(l.host.Seed >> 32), 0x75756964})
		}
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(l.tokens.word() >> 24)
		}
		return t.Data(string(out))
	})
	m.Func("own_names", "cls /", func(t *thread, a []value) (value, *exception) {
		c, ok := a[0].AsClass()
		if !ok {
			return raised(t.RaiseType("own_names() takes a class"))
		}
		if x := t.Alloc(72 * c.Attrs.Len()); x != nil {
			return value{}, x
		}
		return fieldNames(c.Attrs.Names()), nil
	})
	m.Func("clock_nanoseconds", "", func(*thread, []value) (value, *exception) { return object.Int(l.host.Clock().UnixNano()), nil })
	m.Func("longest_match", "a places alo ahi blo bhi /", longestMatch)
	m.Func("root", "n m /", func(t *thread, a []value) (value, *exception) {
		n, ok := object.BigOf(a[0])
		d, ok2 := object.BigOf(a[1])
		if !ok || !ok2 {
			return raised(t.RaiseType("root() takes integers"))
		}
		if x := t.Charge(int64(n.BitLen()+d.BitLen()) / 16); x != nil {
			return value{}, x
		}
		return object.Float(rootOfRatio(n, d)), nil
	})
	m.Func("normal_quantile", "p mu sigma /", func(t *thread, a []value) (value, *exception) {
		var f [3]float64
		for i := range f {
			var x *exception
			if f[i], x = t.ToFloat(a[i]); x != nil {
				return value{}, x
			}
		}
		return object.Float(f[1] + float64(normalQuantile(f[0])*f[2])), nil
	})
	return m
})

// makeVirtual says which classes count as subclasses of an abstract one.
func makeVirtual(t *thread, a []value) (value, *exception) {
	c, _ := a[0].AsClass()
	v := &virtual{}
	names, x := t.Peek(a[1])
	if x != nil {
		return value{}, x
	}
	for _, n := range names {
		s, _ := textOf(n)
		v.names = append(v.names, s)
	}
	classes, x := t.Peek(a[2])
	if x != nil {
		return value{}, x
	}
	for _, k := range classes {
		if k, ok := k.AsClass(); ok {
			v.classes = append(v.classes, k)
		}
	}
	c.Detail = v
	switch c.Name {
	case "Sequence":
		c.Sequence = true
	case "Mapping":
		c.Mapping = true
	}
	return object.None, t.Alloc(64 + 16*len(names) + 8*len(classes))
}

// writerPrinter prints into a value that has a method write.
type writerPrinter struct {
	t       *thread
	to      value
	outside object.Printer
}

// Print gives the text to the writer. A writer that fails loses it.
func (w *writerPrinter) Print(text string) {
	s, x := w.t.Text(text)
	if x == nil {
		_, _ = callMethod(w.t, w.to, "write", s)
	}
}

// outlet is a printer as a value, to be put back.
type outlet struct {
	object.Obj
	printer object.Printer
}

var outletClass = object.Define("outlet")

// Class is that of what redirect gives.
func (*outlet) Class() *class { return outletClass }

// redirect makes print write into a value, and gives what it wrote into before.
func redirect(t *thread, a []value) (value, *exception) {
	old := object.Box(&outlet{printer: t.Printer})
	switch to := a[0].Native().(type) {
	case *outlet:
		t.Printer = to.printer
	default:
		if a[0].IsNone() {
			t.Printer = nil
			break
		}
		if _, x := t.GetAttr(a[0], "write"); x != nil {
			return value{}, x
		}
		t.Printer = &writerPrinter{t: t, to: a[0], outside: t.Printer}
	}
	return old, t.Alloc(96)
}

// ratioSum adds fractions whose denominators are few: each has a sum of its own.
type ratioSum struct {
	parts map[string]*ratioPart
	order []*ratioPart
}

type ratioPart struct{ num, den *big.Int }

func (s *ratioSum) add(t *thread, num, den *big.Int) *exception {
	key := string(den.Bytes())
	p := s.parts[key]
	if p == nil {
		if x := t.Alloc(160 + 2*len(key)); x != nil {
			return x
		}
		p = &ratioPart{num: new(big.Int), den: new(big.Int).Set(den)}
		if s.parts == nil {
			s.parts = map[string]*ratioPart{}
		}
		s.parts[key] = p
		s.order = append(s.order, p)
	}
	if x := t.Charge(int64(1 + (num.BitLen()+p.num.BitLen())/256)); x != nil {
		return x
	}
	p.num.Add(p.num, num)
	return nil
}

// total gives the sum as a pair of integers.
func (s *ratioSum) total(t *thread) (value, *exception) {
	sum := new(big.Rat)
	for _, p := range s.order {
		if x := t.Charge(int64(4 + (sum.Denom().BitLen()+p.den.BitLen())/16)); x != nil {
			return value{}, x
		}
		sum.Add(sum, new(big.Rat).SetFrac(p.num, p.den))
	}
	return t.Tuple(object.Big(new(big.Int).Set(sum.Num())), object.Big(new(big.Int).Set(sum.Denom())))
}

// exactSums adds numbers, and their squares, without rounding: it gives the types
// met, both sums as pairs of integers, and how many numbers there are. Infinities
// and NaNs make the sum what they add up to.
func exactSums(t *thread, a []value) (value, *exception) {
	squares := a[1] == object.True
	var types []value
	var sum, square ratioSum
	var special value
	n := int64(0)
	x := t.Each(a[0], func(v value) (bool, *exception) {
		n++
		if c := v.Class().Value(); len(types) == 0 || types[len(types)-1] != c {
			types = append(types, c)
			if x := t.Alloc(16); x != nil {
				return false, x
			}
		}
		num, den, ok, x := exactRatio(t, v)
		switch {
		case x != nil:
			return false, x
		case !ok && !special.IsSet():
			special = v
			return false, nil
		case !ok:
			special, x = t.Binary(object.Add, special, v)
			return false, x
		}
		if x := sum.add(t, num, den); x != nil || !squares {
			return false, x
		}
		return false, square.add(t, new(big.Int).Mul(num, num), new(big.Int).Mul(den, den))
	})
	if x != nil {
		return value{}, x
	}
	kinds, x := t.List(types)
	if x != nil {
		return value{}, x
	}
	if special.IsSet() {
		return t.Tuple(kinds, special, special, object.Int(n))
	}
	total, x := sum.total(t)
	if x != nil {
		return value{}, x
	}
	totalSquares := object.None
	if squares {
		if totalSquares, x = square.total(t); x != nil {
			return value{}, x
		}
	}
	return t.Tuple(kinds, total, totalSquares, object.Int(n))
}

var bigOne = big.NewInt(1)

// exactRatio gives a number as a fraction; ok is false for infinities and NaNs.
func exactRatio(t *thread, v value) (num, den *big.Int, ok bool, raised *exception) {
	if n, ok := object.BigOf(v); ok {
		return n, bigOne, true, nil
	}
	if f, isFloat := v.Base().Float(); isFloat {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, nil, false, nil
		}
		r := new(big.Rat).SetFloat64(f)
		return r.Num(), r.Denom(), true, nil
	}
	pair, found, x := t.FindAttr(v, "as_integer_ratio")
	if x != nil {
		return nil, nil, false, x
	}
	if !found {
		return nil, nil, false, t.RaiseType("can't convert type '%s' to numerator/denominator", shortName(v))
	}
	if pair, x = t.Call(pair); x != nil {
		if x.Is(object.ValueError) || x.Is(object.OverflowError) {
			return nil, nil, false, nil
		}
		return nil, nil, false, x
	}
	u, isTuple := pair.Tuple()
	if !isTuple || len(u.Items()) != 2 {
		return nil, nil, false, t.RaiseType("as_integer_ratio() must give a pair")
	}
	num, ok = object.BigOf(u.Items()[0])
	den, ok2 := object.BigOf(u.Items()[1])
	if !ok || !ok2 {
		return nil, nil, false, t.RaiseType("as_integer_ratio() must give integers")
	}
	return num, den, true, nil
}

// rootOfRatio is the square root of n/m, correctly rounded: an integer root with a
// sticky last bit, of enough bits that the division rounds once.
func rootOfRatio(n, m *big.Int) float64 {
	q := n.BitLen() - m.BitLen() - 109
	// Halved towards minus infinity, as the shift must be even.
	q >>= 1
	up, down := new(big.Int).Set(n), new(big.Int).Set(m)
	if q >= 0 {
		down.Lsh(down, uint(2*q))
	} else {
		up.Lsh(up, uint(-2*q))
	}
	quotient := new(big.Int).Quo(up, down)
	r := new(big.Int).Sqrt(quotient)
	square := new(big.Int).Mul(r, r)
	if square.Mul(square, down); square.Cmp(up) != 0 {
		r.SetBit(r, 0, 1)
	}
	f := new(big.Float).SetPrec(uint(max(r.BitLen(), 64))).SetInt(r)
	f.SetMantExp(f, q)
	out, _ := f.Float64()
	return out
}

// longestMatch finds the longest run that a sequence shares with one whose places
// by element are given: the earliest of the longest.
func longestMatch(t *thread, a []value) (value, *exception) {
	places, ok := object.DictOf(a[1])
	if !ok {
		return raised(t.RaiseType("longest_match() needs a dict"))
	}
	var bounds [4]int64
	for i := range bounds {
		var x *exception
		if bounds[i], x = integer(t, a[2+i]); x != nil {
			return value{}, x
		}
	}
	alo, ahi, blo, bhi := bounds[0], bounds[1], bounds[2], bounds[3]
	besti, bestj, best := alo, blo, int64(0)
	// lengths[j] is how long the run is that ends at b[j] and at the last a[i].
	lengths := map[int64]int64{}
	for i := alo; i < ahi; i++ {
		e, x := t.GetItem(a[0], object.Int(i))
		if x != nil {
			return value{}, x
		}
		at, _, x := places.Get(t, e)
		if x != nil {
			return value{}, x
		}
		longer := map[int64]int64{}
		if l, ok := at.List(); ok {
			if x := t.Charge(int64(2 * (1 + l.Len()))); x != nil {
				return value{}, x
			}
			for _, place := range l.Items() {
				j, _ := place.Int()
				if j < blo {
					continue
				}
				if j >= bhi {
					break
				}
				k := lengths[j-1] + 1
				longer[j] = k
				if k > best {
					besti, bestj, best = i-k+1, j-k+1, k
				}
			}
		} else if x := t.Charge(2); x != nil {
			return value{}, x
		}
		lengths = longer
	}
	return t.Tuple(object.Int(besti), object.Int(bestj), object.Int(best))
}

// horner evaluates a polynomial, highest power first, rounding after each step.
func horner(x float64, coefficients ...float64) float64 {
	sum := 0.0
	for _, c := range coefficients {
		sum = float64(sum*x) + c
	}
	return sum
}

// normalQuantile is the inverse of the standard normal distribution: Wichura,
// "Algorithm AS241", Applied Statistics 37 (1988).
func normalQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		num := horner(r, 2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4, 4.5921953931549871457e+4,
			1.3731693765509461125e+4, 1.9715909503065514427e+3, 1.3314166789178437745e+2, 3.3871328727963666080e+0) * q
		den := horner(r, 5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4,
			5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1.0)
		return num / den
	}
	r := p
	if q > 0 {
		r = 1 - p
	}
	r = math.Sqrt(-elementary.Log(r))
	var num, den float64
	if r <= 5 {
		r -= 1.6
		num = horner(r, 7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e+0,
			3.64784832476320460504e+0, 5.76949722146069140550e+0, 4.63033784615654529590e+0, 1.42343711074968357734e+0)
		den = horner(r, 1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
			6.89767334985100004550e-1, 1.67638483018380384940e+0, 2.05319162663775882187e+0, 1.0)
	} else {
		r -= 5
		num = horner(r, 2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
			2.96560571828504891230e-1, 1.78482653991729133580e+0, 5.46378491116411436990e+0, 6.65790464350110377720e+0)
		den = horner(r, 2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
			1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0)
	}
	if q < 0 {
		return -(num / den)
	}
	return num / den
}

// proxy is types.MappingProxyType: a mapping that cannot be changed through it.
type proxy struct {
	object.Obj
	of value
}

var proxyClass = object.Define("mappingproxy")

// Class is types.MappingProxyType.
func (*proxy) Class() *class { return proxyClass }

func init() {
	outletClass.Final = true
	outletClass.Own.Children = func(v value, visit func(value)) int {
		if w, ok := v.Native().(*outlet).printer.(*writerPrinter); ok {
			visit(w.to)
		}
		return 96
	}
	outletClass.Ready()
	c := proxyClass
	c.Final = true
	of := func(v value) value { return v.Native().(*proxy).of }
	b := object.NewBuiltin("mappingproxy", "mapping", func(t *thread, a []value) (value, *exception) {
		if !a[0].Class().Has("__getitem__") || object.SequenceLike(a[0]) || a[0].Kind() == object.KindList || a[0].Kind() == object.KindTuple {
			return raised(t.RaiseType("mappingproxy() argument must be a mapping, not %s", nameOf(a[0])))
		}
		return object.Box(&proxy{of: a[0]}), t.Alloc(64)
	})
	c.New = func(t *thread, _ *class, a []value, names []string) (value, *exception) { return b.Call(t, a, names) }
	c.Own = object.Slots{
		Repr: func(t *thread, v value) (string, *exception) {
			s, x := t.Repr(of(v))
			return "mappingproxy(" + s + ")", x
		},
		Str:      func(t *thread, v value) (string, *exception) { return t.Str(of(v)) },
		Len:      func(t *thread, v value) (int, *exception) { return t.Len(of(v)) },
		GetItem:  func(t *thread, v, k value) (value, *exception) { return t.GetItem(of(v), k) },
		Contains: func(t *thread, v, k value) (bool, *exception) { return t.Contains(of(v), k) },
		Iter:     func(t *thread, v value) (object.Iterator, *exception) { return t.Iter(of(v)) },
		Compare: func(t *thread, op object.Cmp, v, w value) (value, *exception) {
			if p, ok := w.Native().(*proxy); ok {
				w = p.of
			}
			return t.Compare(op, of(v), w)
		},
		Binary: func(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
			if op != object.Or {
				return object.NotImplemented, nil
			}
			if p, ok := w.Native().(*proxy); ok {
				w = p.of
			}
			if swapped {
				return t.Binary(op, w, of(v))
			}
			return t.Binary(op, of(v), w)
		},
		Children: func(v value, visit func(value)) int { visit(of(v)); return 64 },
	}
	for _, name := range []string{"get", "keys", "values", "items", "copy"} {
		b := object.NewRaw(name, func(t *thread, a []value, names []string) (value, *exception) {
			f, x := t.GetAttr(of(a[0]), name)
			if x != nil {
				return value{}, x
			}
			return t.CallNames(f, a[1:], names)
		})
		b.Method = true
		c.Add(b)
	}
	c.Ready()
}
