package module

import (
	"math"
	"math/big"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

var decimalTuple = newRecord("decimal", "DecimalTuple", "sign", "digits", "exponent")

var _ = register("decimal", func(l *Library) *object.Module {
	m := object.NewModule("decimal")
	m.Set("Decimal", decimalClass.Value()).Set("Context", decimalContextClass.Value()).Set("DecimalTuple", decimalTuple.class.Value())
	for _, c := range []*class{
		decimalError, decimalInvalid, decimalFloatMixed, decimalZero, decimalInexact, decimalRounded, decimalSubnormal, decimalOverflow, decimalUnderflow, decimalClamped,
		decimalSyntax, decimalImpossible, decimalUndefined, decimalBadContext,
	} {
		m.Set(c.Name, c.Value())
	}
	for _, n := range roundingNames {
		m.Set(n, object.Constant(n))
	}
	m.Set("MAX_PREC", object.Int(decimalMaxPrec)).Set("MAX_EMAX", object.Int(decimalMaxEmax)).Set("MIN_EMIN", object.Int(decimalMinEmin)).Set("MIN_ETINY", object.Int(-1999999999999999997))
	m.Set("HAVE_THREADS", object.True).Set("HAVE_CONTEXTVAR", object.True)
	basic := newDecimalContext()
	basic.prec, basic.round, basic.traps = 9, roundHalfUp, condInvalid|condDivisionByZero|condOverflow|condUnderflow|condClamped
	extended := newDecimalContext()
	extended.prec, extended.traps = 9, 0
	m.Set("DefaultContext", object.Box(newDecimalContext())).Set("BasicContext", object.Box(basic)).Set("ExtendedContext", object.Box(extended))
	m.Func("getcontext", "", func(t *thread, _ []value) (value, *exception) { return object.Box(contextOf(t)), nil })
	m.Func("setcontext", "context /", func(t *thread, a []value) (value, *exception) {
		c, ok := object.NativeOf[*decimalContext](a[0])
		if !ok {
			return raised(t.RaiseType("optional argument must be a context"))
		}
		libraryOf(t).decimal = c
		return object.None, nil
	})
	m.Set("localcontext", object.NewRaw("localcontext", localContext).Value())
	return m
})

// contextOf gives the context that operations use.
func contextOf(t *thread) *decimalContext {
	l := libraryOf(t)
	if l.decimal == nil {
		l.decimal = newDecimalContext()
	}
	return l.decimal
}

// contextArg reads an optional context.
func contextArg(t *thread, a []value, i int) (*decimalContext, *exception) {
	v, ok := optional(a, i)
	if !ok {
		return contextOf(t), nil
	}
	c, ok := object.NativeOf[*decimalContext](v)
	if !ok {
		return nil, t.RaiseType("optional argument must be a context")
	}
	return c, nil
}

// contextScope is localcontext().
type contextScope struct {
	object.Obj
	inside, outside *decimalContext
}

var contextScopeClass = defineIn("decimal", "ContextManager")

// Class is that of localcontext().
func (*contextScope) Class() *class { return contextScopeClass }

var localParameters = []string{"prec", "rounding", "Emin", "Emax", "capitals", "clamp", "flags", "traps"}

func localContext(t *thread, a []value, names []string) (value, *exception) {
	pos := a[:len(a)-len(names)]
	if len(pos) > 1 {
		return raised(t.RaiseType("localcontext() takes at most 1 argument (%d given)", len(pos)))
	}
	from, x := contextArg(t, pos, 0)
	if x != nil {
		return value{}, x
	}
	c := from.copyOf()
	for i, n := range names {
		v := a[len(pos)+i]
		if n == "ctx" {
			if from, x = contextArg(t, a, len(pos)+i); x != nil {
				return value{}, x
			}
			c = from.copyOf()
			continue
		}
		if indexOf(localParameters, n) < 0 {
			return raised(t.RaiseType("'%s' is an invalid keyword argument for this function", n))
		}
		if x := c.set(t, n, v); x != nil {
			return value{}, x
		}
	}
	return object.Box(&contextScope{inside: c}), t.Alloc(200)
}

// exactOf gives a Decimal or an integer as a number; ok is false for others.
func exactOf(t *thread, v value) (*decimal, bool, *exception) {
	if d, ok := decimalOf(v); ok {
		return d, true, nil
	}
	if n, ok := object.BigOf(v); ok {
		if x := decimalWork(t, int64(n.BitLen())/3); x != nil {
			return nil, false, x
		}
		return decimalFromBig(n), true, nil
	}
	return nil, false, nil
}

// operand is exactOf that raises.
func operand(t *thread, v value) (*decimal, *exception) {
	d, ok, x := exactOf(t, v)
	if x == nil && !ok {
		x = t.RaiseType("conversion from %s to Decimal is not supported", nameOf(v))
	}
	return d, x
}

// decimalFrom is Decimal(v), exactly.
func decimalFrom(t *thread, c *decimalContext, v value) (*decimal, *exception) {
	if d, ok, x := exactOf(t, v); ok || x != nil {
		return d, x
	}
	if s, ok := textOf(v); ok {
		if x := decimalWork(t, int64(len(s))); x != nil {
			return nil, x
		}
		d, ok := parseDecimal(object.NormalDigits(s))
		if !ok {
			return c.invalid(t, condSyntax)
		}
		return c.inRange(t, d)
	}
	if f, ok := v.Base().Float(); ok {
		if x := c.signal(t, condFloat); x != nil {
			return nil, x
		}
		return decimalFromFloat(t, f)
	}
	switch v.Base().Kind() {
	case object.KindTuple, object.KindList:
		return decimalFromTuple(t, v.Base())
	}
	return nil, t.RaiseType("conversion from %s to Decimal is not supported", nameOf(v))
}

// inRange refuses numbers beyond the limits of any context.
func (c *decimalContext) inRange(t *thread, d *decimal) (*decimal, *exception) {
	if d.kind == decimalFinite && (d.coef.Sign() != 0 && d.adjusted() > decimalMaxEmax || d.exp < -1999999999999999997) {
		return c.invalid(t, condInvalid)
	}
	return d, nil
}

// decimalFromFloat gives the exact value of a float.
func decimalFromFloat(t *thread, f float64) (*decimal, *exception) {
	switch {
	case math.IsNaN(f):
		return nan(), nil
	case math.IsInf(f, 0):
		return infinity(f < 0), nil
	case f == 0:
		return finite(math.Signbit(f), new(big.Int), 0), nil
	}
	r := new(big.Rat).SetFloat64(f)
	n := new(big.Int).Abs(r.Num())
	k := int64(r.Denom().BitLen() - 1)
	n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(k), nil))
	return finite(f < 0, n, -k), decimalWork(t, countDigits(n))
}

// decimalFromTuple reads (sign, digits, exponent).
func decimalFromTuple(t *thread, v value) (*decimal, *exception) {
	items, x := t.Items(v)
	if x != nil {
		return nil, x
	}
	if len(items) != 3 {
		return nil, t.RaiseValue("argument must be a sequence of length 3")
	}
	sign, ok := items[0].Base().Int()
	if !ok || sign != 0 && sign != 1 {
		return nil, t.RaiseValue("sign must be an integer with the value 0 or 1")
	}
	list, isTuple := items[1].Tuple()
	var digits []value
	if isTuple {
		digits = list.Items()
	} else if digits, x = t.Items(items[1]); x != nil {
		return nil, t.RaiseValue("coefficient must be a tuple of digits")
	}
	if x := decimalWork(t, int64(len(digits))); x != nil {
		return nil, x
	}
	text := make([]byte, 0, len(digits)+1)
	for _, d := range digits {
		n, ok := d.Base().Int()
		if !ok || n < 0 || n > 9 {
			return nil, t.RaiseValue("coefficient must be a tuple of digits")
		}
		text = append(text, '0'+byte(n))
	}
	if s, ok := textOf(items[2]); ok {
		switch s {
		case "F":
			return infinity(sign == 1), nil
		case "n", "N":
			d, _ := parseDecimal(map[string]string{"n": "NaN", "N": "sNaN"}[s] + string(text))
			return d.with(sign == 1), nil
		}
		return nil, t.RaiseValue("string argument in the third position must be 'F', 'n' or 'N'")
	}
	exp, ok := items[2].Base().Int()
	if !ok {
		return nil, t.RaiseValue("exponent must be an integer")
	}
	coef := new(big.Int)
	if len(text) > 0 {
		coef.SetString(string(text), 10)
	}
	return finite(sign == 1, coef, exp), nil
}

// decimalBinaries are the operators.
var decimalBinaries = map[object.Op]decimalBinary{
	object.Add: (*decimalContext).add, object.Sub: (*decimalContext).sub, object.Mul: (*decimalContext).mul, object.TrueDiv: (*decimalContext).div,
	object.FloorDiv: (*decimalContext).divInt, object.Mod: (*decimalContext).rem, object.Pow: (*decimalContext).pow,
}

func decimalOperator(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
	a, _ := decimalOf(v)
	b, ok, x := exactOf(t, w)
	if x != nil || !ok {
		return object.NotImplemented, x
	}
	if swapped {
		a, b = b, a
	}
	c := contextOf(t)
	if op == object.DivMod {
		q, r, x := c.divMod(t, a, b)
		if x != nil {
			return value{}, x
		}
		qv, x := decimalResult(t, q, nil)
		if x != nil {
			return value{}, x
		}
		rv, x := decimalResult(t, r, nil)
		if x != nil {
			return value{}, x
		}
		return t.Tuple(qv, rv)
	}
	f, ok := decimalBinaries[op]
	if !ok {
		return object.NotImplemented, nil
	}
	r, x := f(c, t, a, b)
	return decimalResult(t, r, x)
}

// decimalCompare compares with any real number, exactly.
func decimalCompare(t *thread, op object.Cmp, v, w value) (value, *exception) {
	a, _ := decimalOf(v)
	c := contextOf(t)
	b, ok, x := exactOf(t, w)
	if x != nil {
		return value{}, x
	}
	if !ok {
		f, isFloat := w.Base().Float()
		switch {
		case isFloat:
			if op == object.Eq || op == object.Ne {
				c.flags |= condFloat
			} else if x := c.signal(t, condFloat); x != nil {
				return value{}, x
			}
			if b, x = decimalFromFloat(t, f); x != nil {
				return value{}, x
			}
		case isRational(w):
			return compareRational(t, op, a, w)
		default:
			return object.NotImplemented, nil
		}
	}
	if a.isNaN() || b.isNaN() {
		return c.compareNaN(t, op, a, b)
	}
	r, x := compareDecimals(t, a, b)
	return object.Bool(ordered(op, r)), x
}

// compareNaN is a comparison with a NaN: false but for !=, and an invalid operation
// if it asks for the order, or if the NaN signals.
func (c *decimalContext) compareNaN(t *thread, op object.Cmp, a, b *decimal) (value, *exception) {
	if a.kind == decimalSignal || b.kind == decimalSignal || op != object.Eq && op != object.Ne {
		if x := c.signal(t, condInvalid); x != nil {
			return value{}, x
		}
	}
	return object.Bool(op == object.Ne), nil
}

func ordered(op object.Cmp, r int) bool {
	switch op {
	case object.Lt:
		return r < 0
	case object.Le:
		return r <= 0
	case object.Eq:
		return r == 0
	case object.Ne:
		return r != 0
	case object.Gt:
		return r > 0
	}
	return r >= 0
}

// isRational reports whether a value is a Fraction.
func isRational(v value) bool {
	c := v.Class()
	if !c.Heap {
		return false
	}
	for _, k := range c.MRO {
		if k.Heap && k.Module == "numbers" && k.Name == "Rational" {
			return true
		}
	}
	return false
}

func compareRational(t *thread, op object.Cmp, a *decimal, w value) (value, *exception) {
	num, x := t.GetAttr(w, "numerator")
	if x != nil {
		return value{}, x
	}
	den, x := t.GetAttr(w, "denominator")
	if x != nil {
		return value{}, x
	}
	n, ok1 := object.BigOf(num)
	d, ok2 := object.BigOf(den)
	switch {
	case !ok1 || !ok2:
		return object.NotImplemented, nil
	case a.isNaN():
		return contextOf(t).compareNaN(t, op, a, a)
	case a.kind == decimalInfinite:
		return object.Bool(ordered(op, a.sign())), nil
	}
	if x := decimalWork(t, a.digits()+int64(n.BitLen()+d.BitLen())/3); x != nil {
		return value{}, x
	}
	r, x := compareDecimals(t, finite(a.neg, new(big.Int).Mul(a.coef, d), a.exp), decimalFromBig(n))
	return object.Bool(ordered(op, r)), x
}

var hashModulus = big.NewInt(1<<61 - 1)

// decimalHash is the hash of numbers: equal ones of all types have the same.
func decimalHash(t *thread, v value) (uint64, *exception) {
	d, _ := decimalOf(v)
	switch d.kind {
	case decimalSignal:
		return 0, t.RaiseType("Cannot hash a signaling NaN value")
	case decimalNaN:
		return object.Object.Own.Hash(t, v)
	case decimalInfinite:
		if d.neg {
			return t.Hash(object.Float(math.Inf(-1)))
		}
		return t.Hash(object.Float(math.Inf(1)))
	}
	if x := decimalWork(t, d.digits()); x != nil {
		return 0, x
	}
	base, e := bigTen, d.exp
	if e < 0 {
		base, e = new(big.Int).ModInverse(bigTen, hashModulus), -e
	}
	h := new(big.Int).Exp(base, big.NewInt(e), hashModulus)
	h.Mod(h.Mul(h, d.coef), hashModulus)
	if d.neg {
		h.Neg(h)
	}
	n := h.Int64()
	if n == -1 {
		n = -2
	}
	return uint64(n), nil
}

// whole gives the number without its fraction, for int().
func (d *decimal) whole(t *thread) (value, *exception) {
	switch {
	case d.isNaN():
		return raised(t.RaiseValue("cannot convert NaN to integer"))
	case d.kind == decimalInfinite:
		return raised(t.Raise(object.OverflowError, "cannot convert Infinity to integer"))
	}
	r, _, x := d.rescale(t, 0, roundDown)
	if x != nil {
		return value{}, x
	}
	return signedBig(r), nil
}

func signedBig(d *decimal) value {
	n := new(big.Int).Set(d.coef)
	if d.neg {
		n.Neg(n)
	}
	return object.Big(n)
}

// toFloat is float(d).
func (d *decimal) toFloat(t *thread) (value, *exception) {
	switch {
	case d.kind == decimalSignal:
		return raised(t.RaiseValue("cannot convert signaling NaN to float"))
	case d.kind == decimalNaN:
		return object.Float(math.NaN()), nil
	case d.kind == decimalInfinite && d.neg:
		return object.Float(math.Inf(-1)), nil
	case d.kind == decimalInfinite:
		return object.Float(math.Inf(1)), nil
	}
	if x := decimalWork(t, d.digits()); x != nil {
		return value{}, x
	}
	return t.Call(object.FloatClass.Value(), object.NewStr(d.text(false, true)))
}

func decimalNew(t *thread, cls *class, a []value, names []string) (value, *exception) {
	if len(a) > 2 {
		return raised(t.RaiseType("function takes at most 2 arguments (%d given)", len(a)))
	}
	v, x := decimalBuild.Call(t, a, names)
	if x != nil {
		return value{}, x
	}
	return t.Wrap(cls, decimalClass, v)
}

var decimalBuild = object.NewBuiltin("Decimal", "value? context?", func(t *thread, a []value) (value, *exception) {
	c, x := contextArg(t, a, 1)
	if x != nil {
		return value{}, x
	}
	v, ok := given(a, 0)
	if !ok {
		return decimalResult(t, finite(false, new(big.Int), 0), nil)
	}
	if _, ok := v.Native().(*decimal); ok {
		return v, nil
	}
	d, x := decimalFrom(t, c, v)
	return decimalResult(t, d, x)
})
