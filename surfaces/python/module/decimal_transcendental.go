package module

import "math/big"

// sqrt is the square root, correctly rounded to half even whatever the context.
func (c *decimalContext) sqrt(t *thread, d *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	switch {
	case d.isZero():
		return c.fix(t, finite(d.neg, new(big.Int), floorHalf(d.exp)))
	case d.neg:
		return c.invalid(t, condInvalid)
	case d.kind == decimalInfinite:
		return d, nil
	}
	prec := c.prec + 1
	if x := decimalWork(t, 2*prec+d.digits()); x != nil {
		return nil, x
	}
	coef, e := d.coef, floorHalf(d.exp)
	half := (d.digits() + 1) / 2
	if d.exp&1 != 0 {
		coef = new(big.Int).Mul(coef, bigTen)
		half = d.digits()/2 + 1
	}
	shift := prec - half
	exact := true
	if shift >= 0 {
		coef = new(big.Int).Mul(coef, powerOfTen(2*shift))
	} else {
		rest := new(big.Int)
		coef, rest = new(big.Int).QuoRem(coef, powerOfTen(-2*shift), rest)
		exact = rest.Sign() == 0
	}
	e -= shift
	n := new(big.Int).Sqrt(coef)
	exact = exact && new(big.Int).Mul(n, n).Cmp(coef) == 0
	if exact {
		if shift >= 0 {
			n.Quo(n, powerOfTen(shift))
		} else {
			n.Mul(n, powerOfTen(-shift))
		}
		e += shift
	} else if new(big.Int).Mod(n, big.NewInt(5)).Sign() == 0 {
		n.Add(n, bigOne)
	}
	half2 := c.copyOf()
	half2.round = roundHalfEven
	half2.traps, half2.flags = 0, 0
	out, cond, x := half2.fixed(t, finite(false, n, e))
	if x != nil {
		return nil, x
	}
	if cond != 0 {
		if x := c.signal(t, cond); x != nil {
			return nil, x
		}
	}
	return out, nil
}

func floorHalf(n int64) int64 { return n >> 1 }

// scaled are numbers as integers times 10^-places; their last digits are wrong by
// a few units.
type scaled struct {
	t      *thread
	places int64
	one    *big.Int
	failed *exception
}

func newScaled(t *thread, places int64) *scaled {
	s := &scaled{t: t, places: places}
	if s.failed = decimalWork(t, places); s.failed != nil {
		return s
	}
	s.one = powerOfTen(places)
	return s
}

// work charges one step of a series; false ends it.
func (s *scaled) work() bool {
	if s.failed == nil {
		s.failed = decimalWork(s.t, 2*s.places)
	}
	return s.failed == nil
}

// exp is e^x for an x of size at most about one.
func (s *scaled) exp(x *big.Int) *big.Int {
	// x is halved so often that the series is short, and the result squared again.
	halvings := uint(isqrt(s.places)/2 + 4)
	x = new(big.Int).Rsh(x, halvings)
	sum := new(big.Int).Add(s.one, x)
	term := new(big.Int).Set(x)
	for k := int64(2); term.Sign() != 0 && s.work(); k++ {
		term.Mul(term, x)
		term.Quo(term, s.one)
		term.Quo(term, big.NewInt(k))
		sum.Add(sum, term)
	}
	for range halvings {
		if !s.work() {
			break
		}
		sum.Mul(sum, sum)
		sum.Quo(sum, s.one)
	}
	return sum
}

// artanhSeries is 2 artanh(y), which is the logarithm of (1+y)/(1-y).
func (s *scaled) artanhSeries(y *big.Int) *big.Int {
	square := new(big.Int).Mul(y, y)
	square.Quo(square, s.one)
	sum := new(big.Int).Set(y)
	power := new(big.Int).Set(y)
	for k := int64(3); power.Sign() != 0 && s.work(); k += 2 {
		power.Mul(power, square)
		power.Quo(power, s.one)
		sum.Add(sum, new(big.Int).Quo(power, big.NewInt(k)))
	}
	return sum.Lsh(sum, 1)
}

// ratio is a/b.
func (s *scaled) ratio(a, b int64) *big.Int {
	return new(big.Int).Quo(new(big.Int).Mul(s.one, big.NewInt(a)), big.NewInt(b))
}

// ln10 is the logarithm of ten: 3 ln 2 + ln 1.25, with ln 2 = 2 artanh(1/3) and
// ln 1.25 = 2 artanh(1/9).
func (s *scaled) ln10() *big.Int {
	ln2 := s.artanhSeries(s.ratio(1, 3))
	return ln2.Add(ln2.Mul(ln2, big.NewInt(3)), s.artanhSeries(s.ratio(1, 9)))
}

// ln is the logarithm of x > 0.
func (s *scaled) ln(x *big.Int) *big.Int {
	// Powers of two bring x near one; then roots bring it nearer.
	twos := int64(0)
	x = new(big.Int).Set(x)
	for x.Cmp(new(big.Int).Lsh(s.one, 1)) > 0 {
		x.Rsh(x, 1)
		twos++
	}
	for new(big.Int).Lsh(x, 1).Cmp(s.one) < 0 {
		x.Lsh(x, 1)
		twos--
	}
	roots := uint(isqrt(s.places)/4 + 2)
	for range roots {
		if !s.work() {
			return x
		}
		x.Sqrt(x.Mul(x, s.one))
	}
	y := new(big.Int).Mul(new(big.Int).Sub(x, s.one), s.one)
	y.Quo(y, new(big.Int).Add(x, s.one))
	out := s.artanhSeries(y)
	out.Lsh(out, roots)
	if twos != 0 {
		ln2 := s.artanhSeries(s.ratio(1, 3))
		out.Add(out, ln2.Mul(ln2, big.NewInt(twos)))
	}
	return out
}

// fromDecimal gives a number with the scale's places.
func (s *scaled) fromDecimal(d *decimal) *big.Int {
	n := new(big.Int).Set(d.coef)
	if shift := d.exp + s.places; shift >= 0 {
		n.Mul(n, powerOfTen(shift))
	} else {
		n.Quo(n, powerOfTen(-shift))
	}
	if d.neg {
		n.Neg(n)
	}
	return n
}

// settle rounds an approximation once its error cannot change the result: compute
// gives it with so many extra digits, wrong by less than 10^-(digits-4) of it.
func (c *decimalContext) settle(t *thread, compute func(digits int64) (*decimal, *exception)) (*decimal, *exception) {
	for extra := int64(8); ; extra *= 2 {
		digits := c.prec + extra
		d, x := compute(digits)
		if x != nil {
			return nil, x
		}
		// The digits behind the precision, but for the uncertain ones, must be
		// neither all 0, nor all 9, nor a half with nothing certain behind it.
		cut := d.digits() - c.prec
		if cut < 6 {
			continue
		}
		rest := new(big.Int).Mod(d.coef, powerOfTen(cut))
		rest.Quo(rest, powerOfTen(5))
		all := powerOfTen(cut - 5)
		low, high := big.NewInt(2), new(big.Int).Sub(all, big.NewInt(2))
		half := new(big.Int).Rsh(all, 1)
		off := new(big.Int).Sub(rest, half)
		if rest.Cmp(low) > 0 && rest.Cmp(high) < 0 && off.CmpAbs(low) > 0 {
			return d, nil
		}
	}
}

// exp is e^d, correctly rounded.
func (c *decimalContext) exp(t *thread, d *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	switch {
	case d.kind == decimalInfinite && d.neg:
		return finite(false, new(big.Int), 0), nil
	case d.kind == decimalInfinite:
		return d, nil
	case d.isZero():
		return finite(false, big.NewInt(1), 0), nil
	}
	even := c.copyOf()
	even.round = roundHalfEven
	adj := d.adjusted()
	switch {
	case !d.neg && adj > 19:
		return c.finish(t, even, finite(false, big.NewInt(1), c.emax+1))
	case d.neg && adj > 19:
		return c.finish(t, even, finite(false, big.NewInt(1), c.etiny()-1))
	case adj < -c.prec-2:
		// 1 and a digit that does not matter, on the right side of it.
		if x := decimalWork(t, c.prec); x != nil {
			return nil, x
		}
		coef := powerOfTen(c.prec + 1)
		if d.neg {
			return c.finish(t, even, finite(false, new(big.Int).Sub(coef, bigOne), -c.prec-1))
		}
		return c.finish(t, even, finite(false, new(big.Int).Add(coef, bigOne), -c.prec-1))
	}
	out, x := c.settle(t, func(digits int64) (*decimal, *exception) { return expApprox(t, d, digits) })
	if x != nil {
		return nil, x
	}
	return c.finish(t, even, out)
}

// finish rounds with one context what another one reports.
func (c *decimalContext) finish(t *thread, with *decimalContext, d *decimal) (*decimal, *exception) {
	out, cond, x := with.fixed(t, d)
	if x != nil {
		return nil, x
	}
	return out, c.signal(t, cond|condInexact|condRounded)
}

// expApprox is e^d with about so many correct digits: d = k ln 10 + r, so that
// the result is e^r × 10^k.
func expApprox(t *thread, d *decimal, digits int64) (*decimal, *exception) {
	s := newScaled(t, digits+max(d.adjusted(), 0)+6)
	if s.failed != nil {
		return nil, s.failed
	}
	x := s.fromDecimal(d)
	ln10 := s.ln10()
	k, r := new(big.Int).DivMod(x, ln10, new(big.Int))
	out := s.exp(r)
	if s.failed != nil {
		return nil, s.failed
	}
	e := int64(1) << 60
	if k.IsInt64() {
		e = k.Int64()
	}
	drop := max(countDigits(out)-digits, 0)
	return finite(false, new(big.Int).Quo(out, powerOfTen(drop)), e-s.places+drop), nil
}

// lnApprox is the logarithm of a number > 0, other than one, with about so many
// correct digits.
func lnApprox(t *thread, d *decimal, digits int64) (*decimal, *exception) {
	// Near one the logarithm is small, and loses as many digits as it is small.
	near := int64(0)
	if adj := d.adjusted(); adj == 0 || adj == -1 {
		diff := new(big.Int).Sub(d.coef, powerOfTen(max(-d.exp, 0)))
		if d.exp <= 0 && diff.Sign() != 0 {
			near = max(-d.exp-countDigits(diff.Abs(diff)), 0)
		}
	}
	s := newScaled(t, digits+near+8)
	if s.failed != nil {
		return nil, s.failed
	}
	// d = m × 10^e with m from 1 up to 10.
	e := d.adjusted()
	if near > 0 || d.adjusted() == -1 {
		e = 0
	}
	m := s.fromDecimal(finite(false, d.coef, d.exp-e))
	out := s.ln(m)
	if e != 0 {
		ten := s.ln10()
		out.Add(out, ten.Mul(ten, big.NewInt(e)))
	}
	if s.failed != nil {
		return nil, s.failed
	}
	neg := out.Sign() < 0
	out.Abs(out)
	drop := max(countDigits(out)-digits, 0)
	return finite(neg, new(big.Int).Quo(out, powerOfTen(drop)), drop-s.places), nil
}

// ln is the natural logarithm, correctly rounded.
func (c *decimalContext) ln(t *thread, d *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	switch {
	case d.isZero():
		return infinity(true), nil
	case d.neg:
		return c.invalid(t, condInvalid)
	case d.kind == decimalInfinite:
		return d, nil
	}
	if isOne(d) {
		return finite(false, new(big.Int), 0), nil
	}
	even := c.copyOf()
	even.round = roundHalfEven
	out, x := c.settle(t, func(digits int64) (*decimal, *exception) { return lnApprox(t, d, digits) })
	if x != nil {
		return nil, x
	}
	return c.finish(t, even, out)
}

func isOne(d *decimal) bool {
	return !d.neg && d.kind == decimalFinite && d.exp <= 0 && d.adjusted() == 0 && d.coef.Cmp(powerOfTen(-d.exp)) == 0
}

// tenPower gives k where a number is 10^k.
func tenPower(d *decimal) (int64, bool) {
	k := d.adjusted()
	return k, d.coef.Cmp(powerOfTen(d.digits()-1)) == 0
}

// log10 is the logarithm to base ten, correctly rounded.
func (c *decimalContext) log10(t *thread, d *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	switch {
	case d.isZero():
		return infinity(true), nil
	case d.neg:
		return c.invalid(t, condInvalid)
	case d.kind == decimalInfinite:
		return d, nil
	}
	even := c.copyOf()
	even.round = roundHalfEven
	if k, ok := tenPower(d); ok {
		even.traps = 0
		out, cond, x := even.fixed(t, decimalFromBig(big.NewInt(k)))
		if x != nil || cond == 0 {
			return out, x
		}
		return out, c.signal(t, cond)
	}
	out, x := c.settle(t, func(digits int64) (*decimal, *exception) {
		n, x := lnApprox(t, d, digits+4)
		if x != nil {
			return nil, x
		}
		s := newScaled(t, digits+8)
		ten := s.ln10()
		if s.failed != nil {
			return nil, s.failed
		}
		wide := newDecimalContext()
		wide.prec, wide.traps, wide.emax, wide.emin = digits, 0, decimalMaxEmax, decimalMinEmin
		return wide.div(t, n, finite(false, ten, -s.places))
	})
	if x != nil {
		return nil, x
	}
	return c.finish(t, even, out)
}

// pow is a^b.
func (c *decimalContext) pow(t *thread, a, b *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, a, b); ok || x != nil {
		return out, x
	}
	if b.isZero() {
		if a.isZero() {
			return c.invalid(t, condInvalid)
		}
		return finite(false, big.NewInt(1), 0), nil
	}
	whole := b.isWhole()
	odd := whole && b.isOdd()
	neg := a.neg && odd
	if a.neg {
		if !whole && !a.isZero() && a.kind == decimalFinite || a.kind == decimalInfinite && !whole {
			return c.invalid(t, condInvalid)
		}
		a = a.with(false)
	}
	switch {
	case a.isZero():
		if b.neg {
			return infinity(neg), nil
		}
		return finite(neg, new(big.Int), 0), nil
	case a.kind == decimalInfinite:
		if b.neg {
			return finite(neg, new(big.Int), 0), nil
		}
		return infinity(neg), nil
	case b.kind == decimalInfinite:
		order, x := compareDecimals(t, a, finite(false, big.NewInt(1), 0))
		switch {
		case x != nil:
			return nil, x
		case order == 0:
			return c.onePower(t, neg)
		case (order > 0) == !b.neg:
			return infinity(false), nil
		}
		return finite(false, new(big.Int), 0), nil
	}
	if isOne(a) {
		if whole {
			return c.oneInteger(t, a, b, neg)
		}
		return c.onePower(t, neg)
	}
	return c.power(t, a, b, neg, whole)
}

// onePower is an inexact one.
func (c *decimalContext) onePower(t *thread, neg bool) (*decimal, *exception) {
	if x := decimalWork(t, c.prec); x != nil {
		return nil, x
	}
	return finite(neg, powerOfTen(c.prec-1), 1-c.prec), c.signal(t, condInexact|condRounded)
}

// oneInteger is one to a whole power: exact, with the ideal exponent as far as the
// precision goes.
func (c *decimalContext) oneInteger(t *thread, a, b *decimal, neg bool) (*decimal, *exception) {
	if b.neg {
		return finite(neg, big.NewInt(1), 0), nil
	}
	ideal := int64(0)
	if a.exp < 0 {
		m := b.coef
		if b.exp > 0 && b.exp < 20 {
			m = new(big.Int).Mul(m, powerOfTen(b.exp))
		} else if b.exp < 0 {
			m = new(big.Int).Quo(m, powerOfTen(-b.exp))
		}
		product := new(big.Int).Mul(m, big.NewInt(a.exp))
		ideal = 1 - c.prec
		cond := condRounded
		if product.IsInt64() && product.Int64() >= ideal && b.exp < 20 {
			ideal, cond = product.Int64(), 0
		}
		if x := decimalWork(t, -ideal); x != nil {
			return nil, x
		}
		if cond != 0 {
			if x := c.signal(t, cond); x != nil {
				return nil, x
			}
		}
	}
	return finite(neg, powerOfTen(-ideal), ideal), nil
}

func (d *decimal) isWhole() bool {
	if d.kind != decimalFinite {
		return d.kind == decimalInfinite
	}
	if d.exp >= 0 || d.coef.Sign() == 0 {
		return true
	}
	if -d.exp >= d.digits() {
		return false
	}
	return new(big.Int).Mod(d.coef, powerOfTen(-d.exp)).Sign() == 0
}

func (d *decimal) isOdd() bool {
	if d.kind != decimalFinite || d.exp > 0 {
		return false
	}
	return new(big.Int).Quo(d.coef, powerOfTen(min(-d.exp, d.digits()))).Bit(0) == 1
}

// power is a^b for a > 0, a ≠ 1, both finite, b ≠ 0. Like CPython's it rounds
// within, to half even and with a few digits more, and then once to the context.
func (c *decimalContext) power(t *thread, a, b *decimal, neg, whole bool) (*decimal, *exception) {
	if b.adjusted() >= 19 || !whole {
		return c.realPower(t, a, b, neg)
	}
	work := c.copyOf()
	work.prec += b.digits() + b.exp + 2
	work.round, work.clamp = roundHalfEven, false
	work.traps, work.flags = 0, 0
	base := a
	if b.neg {
		work.prec++
		var x *exception
		if base, x = work.div(t, finite(false, big.NewInt(1), 0), a); x != nil {
			return nil, x
		}
	}
	n := new(big.Int).Set(b.coef)
	if b.exp >= 0 {
		n.Mul(n, powerOfTen(b.exp))
	} else {
		n.Quo(n, powerOfTen(-b.exp))
	}
	r := base
	for i := n.BitLen() - 2; i >= 0; i-- {
		var x *exception
		if r, x = work.mul(t, r, r); x != nil {
			return nil, x
		}
		if n.Bit(i) == 1 {
			if r, x = work.mul(t, r, base); x != nil {
				return nil, x
			}
		}
		if r.kind != decimalFinite || r.isZero() && work.flags&condClamped != 0 {
			break
		}
	}
	if r.kind == decimalInfinite {
		r = finite(neg, big.NewInt(1), c.emax+1)
	}
	out, cond, x := c.fixed(t, r.with(neg))
	if x != nil {
		return nil, x
	}
	return out, c.signal(t, cond|work.flags)
}

// realPower is e^(b ln a).
func (c *decimalContext) realPower(t *thread, a, b *decimal, neg bool) (*decimal, *exception) {
	work := newDecimalContext()
	work.prec = max(a.digits(), c.prec) + 23
	work.traps, work.emax, work.emin = 0, decimalMaxEmax, decimalMinEmin
	n, x := work.ln(t, a)
	if x != nil {
		return nil, x
	}
	if n, x = work.mul(t, n, b); x != nil {
		return nil, x
	}
	r, x := work.exp(t, n)
	if x != nil {
		return nil, x
	}
	switch {
	case r.kind == decimalInfinite:
		r = finite(neg, big.NewInt(1), c.emax+1)
	case r.isZero():
		r = finite(neg, big.NewInt(1), c.etiny()-1)
	}
	return c.finish(t, c, r.with(neg))
}

// powMod is pow(a, b, m) of whole numbers.
func (c *decimalContext) powMod(t *thread, a, b, m *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, a, b, m); ok || x != nil {
		return out, x
	}
	if !a.isWhole() || !b.isWhole() || !m.isWhole() || a.kind != decimalFinite || b.kind != decimalFinite || m.kind != decimalFinite || b.neg || m.isZero() || m.adjusted() >= c.prec || a.isZero() && b.isZero() {
		return c.invalid(t, condInvalid)
	}
	if x := decimalWork(t, a.digits()+b.digits()+m.digits()+abs64(a.exp)+abs64(b.exp)+abs64(m.exp)); x != nil {
		return nil, x
	}
	whole := func(d *decimal) *big.Int {
		if d.exp >= 0 {
			return new(big.Int).Mul(d.coef, powerOfTen(d.exp))
		}
		return new(big.Int).Quo(d.coef, powerOfTen(-d.exp))
	}
	n, e, k := whole(a), whole(b), whole(m)
	if x := t.Charge(int64(e.BitLen()) * (int64(k.BitLen())/64 + 1)); x != nil {
		return nil, x
	}
	neg := a.neg && e.Bit(0) == 1
	return finite(neg, new(big.Int).Exp(n, e, k), 0), nil
}
