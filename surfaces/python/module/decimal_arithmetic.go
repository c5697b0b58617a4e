package module

import (
	"math/big"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// decimalBinary is an operation of two numbers.
type decimalBinary func(c *decimalContext, t *thread, a, b *decimal) (*decimal, *exception)

// align brings two finite numbers to one exponent. Of numbers that are so far
// apart that the smaller cannot matter but for its being there, it stands for the
// smaller with one unit far below.
func (c *decimalContext) align(t *thread, a, b *decimal) (x, y *big.Int, exp int64, raised *exception) {
	high, low := a, b
	if a.exp < b.exp {
		high, low = b, a
	}
	lowCoef, lowExp := low.coef, low.exp
	if high.coef.Sign() != 0 {
		edge := high.exp + min(-1, high.digits()-c.prec-2)
		if low.digits()+low.exp-1 < edge && low.coef.Sign() != 0 {
			lowCoef, lowExp = bigOne, edge
		}
		if x := decimalWork(t, high.digits()+high.exp-lowExp); x != nil {
			return nil, nil, 0, x
		}
		scaled := new(big.Int).Mul(high.coef, powerOfTen(high.exp-lowExp))
		if high == a {
			return scaled, lowCoef, lowExp, nil
		}
		return lowCoef, scaled, lowExp, nil
	}
	if high == a {
		return high.coef, lowCoef, lowExp, nil
	}
	return lowCoef, high.coef, lowExp, nil
}

func (c *decimalContext) add(t *thread, a, b *decimal) (*decimal, *exception) {
	if r, ok, x := c.nans(t, a, b); ok || x != nil {
		return r, x
	}
	switch {
	case a.kind == decimalInfinite && b.kind == decimalInfinite && a.neg != b.neg:
		return c.invalid(t, condInvalid)
	case a.kind == decimalInfinite:
		return a, nil
	case b.kind == decimalInfinite:
		return b, nil
	}
	exp := min(a.exp, b.exp)
	negZero := c.round == roundFloor && a.neg != b.neg
	switch {
	case a.coef.Sign() == 0 && b.coef.Sign() == 0:
		return c.fix(t, finite(a.neg && b.neg || negZero, new(big.Int), exp))
	case a.coef.Sign() == 0:
		return c.fixAtLeast(t, b, max(exp, b.exp-c.prec-1))
	case b.coef.Sign() == 0:
		return c.fixAtLeast(t, a, max(exp, a.exp-c.prec-1))
	}
	x, y, e, raised := c.align(t, a, b)
	if raised != nil {
		return nil, raised
	}
	if a.neg == b.neg {
		return c.fix(t, finite(a.neg, new(big.Int).Add(x, y), e))
	}
	switch x.Cmp(y) {
	case 0:
		return c.fix(t, finite(negZero, new(big.Int), e))
	case 1:
		return c.fix(t, finite(a.neg, new(big.Int).Sub(x, y), e))
	}
	return c.fix(t, finite(b.neg, new(big.Int).Sub(y, x), e))
}

// fixAtLeast rounds a number that a zero was added to: its exponent comes down to
// the zero's as far as the precision goes.
func (c *decimalContext) fixAtLeast(t *thread, d *decimal, exp int64) (*decimal, *exception) {
	r, _, x := d.rescale(t, exp, c.round)
	if x != nil {
		return nil, x
	}
	return c.fix(t, r)
}

func (c *decimalContext) sub(t *thread, a, b *decimal) (*decimal, *exception) {
	if r, ok, x := c.nans(t, a, b); ok || x != nil {
		return r, x
	}
	return c.add(t, a, b.with(!b.neg))
}

func (c *decimalContext) mul(t *thread, a, b *decimal) (*decimal, *exception) {
	if r, ok, x := c.nans(t, a, b); ok || x != nil {
		return r, x
	}
	neg := a.neg != b.neg
	if a.kind == decimalInfinite || b.kind == decimalInfinite {
		if a.isZero() || b.isZero() {
			return c.invalid(t, condInvalid)
		}
		return infinity(neg), nil
	}
	if x := decimalWork(t, a.digits()+b.digits()); x != nil {
		return nil, x
	}
	return c.fix(t, finite(neg, new(big.Int).Mul(a.coef, b.coef), a.exp+b.exp))
}

func (c *decimalContext) div(t *thread, a, b *decimal) (*decimal, *exception) {
	if r, ok, x := c.nans(t, a, b); ok || x != nil {
		return r, x
	}
	neg := a.neg != b.neg
	switch {
	case a.kind == decimalInfinite && b.kind == decimalInfinite:
		return c.invalid(t, condInvalid)
	case a.kind == decimalInfinite:
		return infinity(neg), nil
	case b.kind == decimalInfinite:
		return finite(neg, new(big.Int), c.etiny()), c.signal(t, condClamped)
	case b.isZero() && a.isZero():
		return c.invalid(t, condDivisionUndefined)
	case b.isZero():
		return infinity(neg), c.signal(t, condDivisionByZero)
	case a.isZero():
		return c.fix(t, finite(neg, new(big.Int), a.exp-b.exp))
	}
	shift := b.digits() - a.digits() + c.prec + 1
	if x := decimalWork(t, max(a.digits(), b.digits(), c.prec)+abs64(shift)); x != nil {
		return nil, x
	}
	exp := a.exp - b.exp - shift
	up, down := a.coef, b.coef
	if shift >= 0 {
		up = new(big.Int).Mul(up, powerOfTen(shift))
	} else {
		down = new(big.Int).Mul(down, powerOfTen(-shift))
	}
	q, r := new(big.Int).QuoRem(up, down, new(big.Int))
	if r.Sign() != 0 {
		// A last digit that is neither 0 nor 5 keeps the rounding right.
		if new(big.Int).Mod(q, big.NewInt(5)).Sign() == 0 {
			q.Add(q, bigOne)
		}
	} else {
		q, exp = stripZeros(q, exp, a.exp-b.exp)
	}
	return c.fix(t, finite(neg, q, exp))
}

// stripZeros drops zeros at the end until the exponent is ideal.
func stripZeros(q *big.Int, exp, ideal int64) (*big.Int, int64) {
	r := new(big.Int)
	for exp < ideal {
		n := int64(1)
		for n*2 <= ideal-exp && n < 32 {
			n *= 2
		}
		for ; n >= 1; n /= 2 {
			next, rest := new(big.Int).QuoRem(q, powerOfTen(n), r)
			if rest.Sign() == 0 {
				q, exp = next, exp+n
				break
			}
		}
		if n == 0 {
			break
		}
	}
	return q, exp
}

// divideWhole gives the whole quotient and the remainder; ok is false where the
// quotient has too many digits.
func (c *decimalContext) divideWhole(t *thread, a, b *decimal) (q, r *decimal, ok bool, raised *exception) {
	neg := a.neg != b.neg
	ideal := a.exp
	if b.kind == decimalFinite {
		ideal = min(a.exp, b.exp)
	}
	difference := a.adjusted() - b.adjusted()
	if a.isZero() || b.kind == decimalInfinite || difference <= -2 {
		rest, _, x := a.rescale(t, ideal, c.round)
		return finite(neg, new(big.Int), 0), rest, true, x
	}
	if difference > c.prec {
		return nil, nil, false, nil
	}
	if x := decimalWork(t, a.digits()+b.digits()+abs64(a.exp-b.exp)); x != nil {
		return nil, nil, false, x
	}
	up, down := a.coef, b.coef
	if a.exp >= b.exp {
		up = new(big.Int).Mul(up, powerOfTen(a.exp-b.exp))
	} else {
		down = new(big.Int).Mul(down, powerOfTen(b.exp-a.exp))
	}
	whole, rest := new(big.Int).QuoRem(up, down, new(big.Int))
	if countDigits(whole) > c.prec {
		return nil, nil, false, nil
	}
	return finite(neg, whole, 0), finite(a.neg, rest, ideal), true, nil
}

func (c *decimalContext) divInt(t *thread, a, b *decimal) (*decimal, *exception) {
	if r, ok, x := c.nans(t, a, b); ok || x != nil {
		return r, x
	}
	neg := a.neg != b.neg
	switch {
	case a.kind == decimalInfinite && b.kind == decimalInfinite:
		return c.invalid(t, condInvalid)
	case a.kind == decimalInfinite:
		return infinity(neg), nil
	case b.isZero() && a.isZero():
		return c.invalid(t, condDivisionUndefined)
	case b.isZero():
		return infinity(neg), c.signal(t, condDivisionByZero)
	}
	q, _, ok, x := c.divideWhole(t, a, b)
	switch {
	case x != nil:
		return nil, x
	case !ok:
		return c.invalid(t, condDivisionImpossible)
	}
	return c.fix(t, q)
}

func (c *decimalContext) rem(t *thread, a, b *decimal) (*decimal, *exception) {
	if r, ok, x := c.nans(t, a, b); ok || x != nil {
		return r, x
	}
	switch {
	case a.kind == decimalInfinite:
		return c.invalid(t, condInvalid)
	case b.isZero() && a.isZero():
		return c.invalid(t, condDivisionUndefined)
	case b.isZero():
		return c.invalid(t, condInvalid)
	}
	_, r, ok, x := c.divideWhole(t, a, b)
	switch {
	case x != nil:
		return nil, x
	case !ok:
		return c.invalid(t, condDivisionImpossible)
	}
	return c.fix(t, r)
}

// divMod is divmod(): both results, with one signal.
func (c *decimalContext) divMod(t *thread, a, b *decimal) (q, r *decimal, raised *exception) {
	if d, ok, x := c.nans(t, a, b); ok || x != nil {
		return d, d, x
	}
	neg := a.neg != b.neg
	switch {
	case a.kind == decimalInfinite && b.kind == decimalInfinite:
		d, x := c.invalid(t, condInvalid)
		return d, d, x
	case a.kind == decimalInfinite:
		d, x := c.invalid(t, condInvalid)
		return infinity(neg), d, x
	case b.isZero() && a.isZero():
		d, x := c.invalid(t, condDivisionUndefined)
		return d, d, x
	case b.isZero():
		x := c.signal(t, condDivisionByZero|condInvalid)
		return infinity(neg), nan(), x
	}
	q, r, ok, x := c.divideWhole(t, a, b)
	switch {
	case x != nil:
		return nil, nil, x
	case !ok:
		d, x := c.invalid(t, condDivisionImpossible)
		return d, d, x
	}
	if q, x = c.fix(t, q); x != nil {
		return nil, nil, x
	}
	r, x = c.fix(t, r)
	return q, r, x
}

// remNear is remainder_near: from the nearest multiple.
func (c *decimalContext) remNear(t *thread, a, b *decimal) (*decimal, *exception) {
	if r, ok, x := c.nans(t, a, b); ok || x != nil {
		return r, x
	}
	switch {
	case a.kind == decimalInfinite:
		return c.invalid(t, condInvalid)
	case b.isZero() && a.isZero():
		return c.invalid(t, condDivisionUndefined)
	case b.isZero():
		return c.invalid(t, condInvalid)
	case b.kind == decimalInfinite:
		return c.fix(t, a)
	}
	ideal := min(a.exp, b.exp)
	if a.isZero() {
		return c.fix(t, finite(a.neg, new(big.Int), ideal))
	}
	difference := a.adjusted() - b.adjusted()
	if difference >= c.prec+1 {
		return c.invalid(t, condDivisionImpossible)
	}
	if difference <= -2 {
		r, _, x := a.rescale(t, ideal, c.round)
		if x != nil {
			return nil, x
		}
		return c.fix(t, r)
	}
	if x := decimalWork(t, a.digits()+b.digits()+abs64(a.exp-b.exp)); x != nil {
		return nil, x
	}
	up, down := a.coef, b.coef
	if a.exp >= b.exp {
		up = new(big.Int).Mul(up, powerOfTen(a.exp-b.exp))
	} else {
		down = new(big.Int).Mul(down, powerOfTen(b.exp-a.exp))
	}
	q, r := new(big.Int).QuoRem(up, down, new(big.Int))
	neg := a.neg
	twice := new(big.Int).Lsh(r, 1)
	if q.Bit(0) == 1 {
		twice.Add(twice, bigOne)
	}
	if twice.Cmp(down) > 0 {
		r.Sub(down, r)
		neg = !neg
		q.Add(q, bigOne)
	}
	if countDigits(q) > c.prec {
		return c.invalid(t, condDivisionImpossible)
	}
	return c.fix(t, finite(neg, r, ideal))
}

// compareDecimals orders two numbers that are no NaNs.
func compareDecimals(t *thread, a, b *decimal) (int, *exception) {
	if sa, sb := a.sign(), b.sign(); sa != sb || sa == 0 {
		return sa - sb, nil
	}
	flip := 1
	if a.neg {
		flip = -1
	}
	if a.kind == decimalInfinite || b.kind == decimalInfinite {
		switch {
		case a.kind == b.kind:
			return 0, nil
		case a.kind == decimalInfinite:
			return flip, nil
		}
		return -flip, nil
	}
	if x, y := a.adjusted(), b.adjusted(); x != y {
		if x > y {
			return flip, nil
		}
		return -flip, nil
	}
	if x := decimalWork(t, a.digits()+b.digits()); x != nil {
		return 0, x
	}
	m, n := a.coef, b.coef
	if a.exp > b.exp {
		m = new(big.Int).Mul(m, powerOfTen(a.exp-b.exp))
	} else if b.exp > a.exp {
		n = new(big.Int).Mul(n, powerOfTen(b.exp-a.exp))
	}
	return flip * m.Cmp(n), nil
}

// quantize gives a number with the exponent of another.
func (c *decimalContext) quantize(t *thread, a, b *decimal, r rounding) (*decimal, *exception) {
	if d, ok, x := c.nans(t, a, b); ok || x != nil {
		return d, x
	}
	switch {
	case a.kind == decimalInfinite && b.kind == decimalInfinite:
		return a, nil
	case a.kind == decimalInfinite || b.kind == decimalInfinite:
		return c.invalid(t, condInvalid)
	case b.exp < c.etiny() || b.exp > c.emax:
		return c.invalid(t, condInvalid)
	}
	if a.isZero() {
		return c.fix(t, finite(a.neg, new(big.Int), b.exp))
	}
	if e := a.adjusted(); e > c.emax || e-b.exp+1 > c.prec {
		return c.invalid(t, condInvalid)
	}
	out, exact, x := a.rescale(t, b.exp, r)
	if x != nil {
		return nil, x
	}
	if out.adjusted() > c.emax || out.digits() > c.prec {
		return c.invalid(t, condInvalid)
	}
	cond := condition(0)
	if out.coef.Sign() != 0 && out.adjusted() < c.emin {
		cond |= condSubnormal
	}
	if out.exp > a.exp {
		cond |= condRounded
		if !exact {
			cond |= condInexact
		}
	}
	if cond != 0 {
		if x := c.signal(t, cond); x != nil {
			return nil, x
		}
	}
	return c.fix(t, out)
}

// integral rounds to a whole number; exact tells whether to signal.
func (c *decimalContext) integral(t *thread, d *decimal, r rounding, signals bool) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	if d.kind == decimalInfinite || d.exp >= 0 {
		return d, nil
	}
	if d.isZero() {
		return finite(d.neg, d.coef, 0), nil
	}
	out, exact, x := d.rescale(t, 0, r)
	if x != nil || !signals {
		return out, x
	}
	cond := condRounded
	if !exact {
		cond |= condInexact
	}
	return out, c.signal(t, cond)
}

// reduce is normalize: no zeros at the end.
func (c *decimalContext) reduce(t *thread, d *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	out, x := c.fix(t, d)
	if x != nil || out.kind != decimalFinite {
		return out, x
	}
	if out.isZero() {
		return finite(out.neg, new(big.Int), 0), nil
	}
	most := c.emax
	if c.clamp {
		most = c.etop()
	}
	if x := decimalWork(t, out.digits()); x != nil {
		return nil, x
	}
	coef, exp := stripZeros(out.coef, out.exp, most)
	return finite(out.neg, coef, exp), nil
}

func (c *decimalContext) plus(t *thread, d *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	if d.isZero() && c.round != roundFloor {
		d = d.with(false)
	}
	return c.fix(t, d)
}

func (c *decimalContext) minus(t *thread, d *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	if d.isZero() && c.round != roundFloor {
		return c.fix(t, d.with(false))
	}
	return c.fix(t, d.with(!d.neg))
}

// fma is a*b+e, rounded once.
func (c *decimalContext) fma(t *thread, a, b, e *decimal) (*decimal, *exception) {
	var product *decimal
	switch {
	case a.isNaN() || b.isNaN() || e.isNaN():
		if a.kind != decimalSignal && b.kind != decimalSignal && !a.isNaN() && !b.isNaN() {
			if a.kind == decimalInfinite && b.isZero() || b.kind == decimalInfinite && a.isZero() {
				return c.invalid(t, condInvalid)
			}
		}
		r, _, x := c.nans(t, a, b, e)
		return r, x
	case a.kind == decimalInfinite || b.kind == decimalInfinite:
		if a.isZero() || b.isZero() {
			return c.invalid(t, condInvalid)
		}
		product = infinity(a.neg != b.neg)
	default:
		if x := decimalWork(t, a.digits()+b.digits()); x != nil {
			return nil, x
		}
		product = finite(a.neg != b.neg, new(big.Int).Mul(a.coef, b.coef), a.exp+b.exp)
	}
	return c.add(t, product, e)
}

// extreme is max, min, and those of magnitudes.
func (c *decimalContext) extreme(t *thread, a, b *decimal, greatest, magnitude bool) (*decimal, *exception) {
	if a.kind == decimalNaN && b.kind < decimalNaN {
		return c.fix(t, b)
	}
	if b.kind == decimalNaN && a.kind < decimalNaN {
		return c.fix(t, a)
	}
	if r, ok, x := c.nans(t, a, b); ok || x != nil {
		return r, x
	}
	x, y := a, b
	if magnitude {
		x, y = a.with(false), b.with(false)
	}
	order, raised := compareDecimals(t, x, y)
	if raised != nil {
		return nil, raised
	}
	if order == 0 {
		order = compareTotal(a, b)
	}
	if (order < 0) == greatest {
		return c.fix(t, b)
	}
	return c.fix(t, a)
}

// compareTotal orders all representations: by sign, kind, value and exponent.
func compareTotal(a, b *decimal) int {
	if a.neg != b.neg {
		if a.neg {
			return -1
		}
		return 1
	}
	flip := 1
	if a.neg {
		flip = -1
	}
	if a.isNaN() || b.isNaN() {
		rank := func(d *decimal) int { return map[decimalKind]int{decimalSignal: 1, decimalNaN: 2}[d.kind] }
		if ra, rb := rank(a), rank(b); ra != rb {
			if ra > rb {
				return flip
			}
			return -flip
		}
		return flip * a.coef.Cmp(b.coef)
	}
	switch {
	case a.kind != b.kind && a.kind == decimalInfinite:
		return flip
	case a.kind != b.kind:
		return -flip
	case a.kind == decimalInfinite:
		return 0
	}
	if sa, sb := a.coef.Sign(), b.coef.Sign(); sa != sb {
		return flip * (sa - sb)
	} else if sa != 0 {
		if x, y := a.adjusted(), b.adjusted(); x != y {
			if x > y {
				return flip
			}
			return -flip
		}
		m, n := a.coef, b.coef
		if a.exp > b.exp {
			m = new(big.Int).Mul(m, powerOfTen(a.exp-b.exp))
		} else if b.exp > a.exp {
			n = new(big.Int).Mul(n, powerOfTen(b.exp-a.exp))
		}
		if r := m.Cmp(n); r != 0 {
			return flip * r
		}
	}
	switch {
	case a.exp > b.exp:
		return flip
	case a.exp < b.exp:
		return -flip
	}
	return 0
}

// step is next_plus and next_minus.
func (c *decimalContext) step(t *thread, d *decimal, up bool) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	greatest := func(neg bool) *decimal {
		return finite(neg, new(big.Int).Sub(powerOfTen(c.prec), bigOne), c.etop())
	}
	if x := decimalWork(t, c.prec); x != nil {
		return nil, x
	}
	if d.kind == decimalInfinite {
		if d.neg == up {
			return greatest(d.neg), nil
		}
		return d, nil
	}
	quiet := c.copyOf()
	quiet.traps = 0
	quiet.round = roundFloor
	if up {
		quiet.round = roundCeiling
	}
	out, x := quiet.fix(t, d)
	if x != nil {
		return nil, x
	}
	if same, x := compareDecimals(t, out, d); x != nil || same != 0 {
		return out, x
	}
	return quiet.add(t, d, finite(!up, bigOne, quiet.etiny()-1))
}

// decimalResult makes a value of a result.
func decimalResult(t *thread, d *decimal, x *exception) (value, *exception) {
	if x != nil {
		return value{}, x
	}
	if x := t.Alloc(112 + d.coef.BitLen()/8); x != nil {
		return value{}, x
	}
	return object.Box(d), nil
}
