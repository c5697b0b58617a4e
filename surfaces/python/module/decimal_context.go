package module

import (
	"math/big"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// condition is a set of what can happen in an operation.
type condition uint16

const (
	condInvalid condition = 1 << iota
	condFloat
	condDivisionByZero
	condOverflow
	condUnderflow
	condSubnormal
	condInexact
	condRounded
	condClamped
	// Those below are kinds of invalid operations.
	condSyntax
	condDivisionImpossible
	condDivisionUndefined
	condContext
)

const condAllInvalid = condInvalid | condSyntax | condDivisionImpossible | condDivisionUndefined | condContext

var (
	decimalError      = object.Define("DecimalException", object.ArithmeticError)
	decimalInvalid    = object.Define("InvalidOperation", decimalError)
	decimalFloatMixed = object.Define("FloatOperation", decimalError, object.TypeError)
	decimalZero       = object.Define("DivisionByZero", decimalError, object.ZeroDivisionError)
	decimalInexact    = object.Define("Inexact", decimalError)
	decimalRounded    = object.Define("Rounded", decimalError)
	decimalSubnormal  = object.Define("Subnormal", decimalError)
	decimalOverflow   = object.Define("Overflow", decimalInexact, decimalRounded)
	decimalUnderflow  = object.Define("Underflow", decimalInexact, decimalRounded, decimalSubnormal)
	decimalClamped    = object.Define("Clamped", decimalError)
	decimalSyntax     = object.Define("ConversionSyntax", decimalInvalid)
	decimalImpossible = object.Define("DivisionImpossible", decimalInvalid)
	decimalUndefined  = object.Define("DivisionUndefined", decimalInvalid, object.ZeroDivisionError)
	decimalBadContext = object.Define("InvalidContext", decimalInvalid)
)

// decimalSignals are the signals, in the order in which they take precedence.
var decimalSignals = []struct {
	cond  condition
	class *class
}{
	{condInvalid, decimalInvalid},
	{condFloat, decimalFloatMixed},
	{condDivisionByZero, decimalZero},
	{condOverflow, decimalOverflow},
	{condUnderflow, decimalUnderflow},
	{condSubnormal, decimalSubnormal},
	{condInexact, decimalInexact},
	{condRounded, decimalRounded},
	{condClamped, decimalClamped},
}

var decimalInvalidKinds = []struct {
	cond  condition
	class *class
}{
	{condInvalid, decimalInvalid}, {condSyntax, decimalSyntax}, {condDivisionImpossible, decimalImpossible}, {condDivisionUndefined, decimalUndefined}, {condContext, decimalBadContext},
}

// rounding is a way to round.
type rounding uint8

const (
	roundCeiling rounding = iota
	roundFloor
	roundUp
	roundDown
	roundHalfUp
	roundHalfDown
	roundHalfEven
	round05Up
)

var roundingNames = []string{"ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP", "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_DOWN", "ROUND_HALF_EVEN", "ROUND_05UP"}

const (
	decimalMaxPrec = 999999999999999999
	decimalMaxEmax = 999999999999999999
	decimalMinEmin = -999999999999999999
)

// decimalContext is decimal.Context.
type decimalContext struct {
	object.Obj
	prec, emin, emax int64
	round            rounding
	capitals, clamp  bool
	flags, traps     condition
}

var decimalContextClass = defineIn("decimal", "Context")

// Class is decimal.Context.
func (*decimalContext) Class() *class { return decimalContextClass }

func newDecimalContext() *decimalContext {
	return &decimalContext{prec: 28, emin: -999999, emax: 999999, round: roundHalfEven, capitals: true, traps: condInvalid | condDivisionByZero | condOverflow}
}

// copyOf gives a copy of its own.
func (c *decimalContext) copyOf() *decimalContext {
	return &decimalContext{prec: c.prec, emin: c.emin, emax: c.emax, round: c.round, capitals: c.capitals, clamp: c.clamp, flags: c.flags, traps: c.traps}
}

func (c *decimalContext) etiny() int64 { return c.emin - c.prec + 1 }
func (c *decimalContext) etop() int64  { return c.emax - c.prec + 1 }

// signal notes what happened, and raises the first of it that is trapped.
func (c *decimalContext) signal(t *thread, cond condition) *exception {
	if cond&condAllInvalid != 0 {
		c.flags |= condInvalid
	}
	c.flags |= cond &^ condAllInvalid
	trapped := cond & c.traps
	if c.traps&condInvalid != 0 {
		trapped |= cond & condAllInvalid
	}
	if trapped == 0 {
		return nil
	}
	var list []value
	for _, k := range decimalInvalidKinds {
		if trapped&k.cond != 0 {
			list = append(list, k.class.Value())
		}
	}
	for _, s := range decimalSignals[1:] {
		if trapped&s.cond != 0 {
			list = append(list, s.class.Value())
		}
	}
	raise := decimalInvalid
	if trapped&condAllInvalid == 0 {
		for _, s := range decimalSignals {
			if trapped&s.cond != 0 {
				raise = s.class
				break
			}
		}
	}
	return object.NewException(raise, object.NewList(list))
}

// invalid notes an invalid operation; where that is not trapped, NaN is the
// result.
func (c *decimalContext) invalid(t *thread, cond condition) (*decimal, *exception) {
	return nan(), c.signal(t, cond)
}

// roundsUp decides whether a coefficient that loses digits grows by one: rest is
// what is lost against a half, exact says that nothing is.
func roundsUp(r rounding, neg bool, coef *big.Int, half int, exact bool) bool {
	if exact {
		return false
	}
	switch r {
	case roundDown:
		return false
	case roundUp:
		return true
	case roundCeiling:
		return !neg
	case roundFloor:
		return neg
	case roundHalfUp:
		return half >= 0
	case roundHalfDown:
		return half > 0
	case roundHalfEven:
		return half > 0 || half == 0 && coef.Bit(0) == 1
	}
	last := new(big.Int).Mod(coef, big.NewInt(5))
	return last.Sign() == 0
}

// shorten drops the last n digits of a coefficient, rounded.
func shorten(r rounding, neg bool, coef *big.Int, n int64) (out *big.Int, exact bool) {
	if n <= 0 {
		return coef, true
	}
	if coef.Sign() == 0 {
		return new(big.Int), true
	}
	if n > countDigits(coef) {
		// All is lost, and it is less than a half.
		out = new(big.Int)
		if roundsUp(r, neg, out, -1, false) {
			out.SetInt64(1)
		}
		return out, false
	}
	p := powerOfTen(n)
	q, rest := new(big.Int).QuoRem(coef, p, new(big.Int))
	exact = rest.Sign() == 0
	half := rest.Lsh(rest, 1).Cmp(p)
	if roundsUp(r, neg, q, half, exact) {
		q.Add(q, bigOne)
	}
	return q, exact
}

// rescale gives the number with another exponent, rounded; zeros must have been
// charged.
func (d *decimal) rescale(t *thread, exp int64, r rounding) (*decimal, bool, *exception) {
	if d.coef.Sign() == 0 {
		return finite(d.neg, new(big.Int), exp), true, nil
	}
	if d.exp >= exp {
		if x := decimalWork(t, d.digits()+d.exp-exp); x != nil {
			return nil, false, x
		}
		return finite(d.neg, new(big.Int).Mul(d.coef, powerOfTen(d.exp-exp)), exp), true, nil
	}
	if x := decimalWork(t, d.digits()); x != nil {
		return nil, false, x
	}
	coef, exact := shorten(r, d.neg, d.coef, exp-d.exp)
	return finite(d.neg, coef, exp), exact, nil
}

// fix rounds a result to the context's precision and range.
func (c *decimalContext) fix(t *thread, d *decimal) (*decimal, *exception) {
	out, cond, x := c.fixed(t, d)
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

// fixed is fix that only tells what happened.
func (c *decimalContext) fixed(t *thread, d *decimal) (*decimal, condition, *exception) {
	if d.kind != decimalFinite {
		if d.isNaN() {
			return c.fixPayload(d), 0, nil
		}
		return d, 0, nil
	}
	etiny, etop := c.etiny(), c.etop()
	if d.coef.Sign() == 0 {
		most := c.emax
		if c.clamp {
			most = etop
		}
		if e := min(max(d.exp, etiny), most); e != d.exp {
			return finite(d.neg, d.coef, e), condClamped, nil
		}
		return d, 0, nil
	}
	n := d.digits()
	least := n + d.exp - c.prec
	if least > etop {
		return c.overflow(d.neg), condOverflow | condInexact | condRounded, nil
	}
	subnormal := least < etiny
	if subnormal {
		least = etiny
	}
	if d.exp < least {
		if x := decimalWork(t, n); x != nil {
			return nil, 0, x
		}
		cond := condRounded
		coef, exact := shorten(c.round, d.neg, d.coef, least-d.exp)
		exp := least
		if countDigits(coef) == c.prec+1 {
			coef = new(big.Int).Quo(coef, bigTen)
			exp++
		}
		if exp > etop {
			return c.overflow(d.neg), condOverflow | condInexact | condRounded, nil
		}
		out := finite(d.neg, coef, exp)
		if !exact {
			cond |= condInexact
			if subnormal {
				cond |= condUnderflow
			}
		}
		if subnormal {
			cond |= condSubnormal
			if coef.Sign() == 0 {
				cond |= condClamped
			}
		}
		return out, cond, nil
	}
	cond := condition(0)
	if subnormal {
		cond = condSubnormal
	}
	if c.clamp && d.exp > etop {
		if x := decimalWork(t, n+d.exp-etop); x != nil {
			return nil, 0, x
		}
		return finite(d.neg, new(big.Int).Mul(d.coef, powerOfTen(d.exp-etop)), etop), cond | condClamped, nil
	}
	return d, cond, nil
}

// overflow is the result of a number that is too great: infinity, or the greatest
// number, as the rounding says.
func (c *decimalContext) overflow(neg bool) *decimal {
	switch {
	case c.round == roundDown, c.round == round05Up, c.round == roundCeiling && neg, c.round == roundFloor && !neg:
		coef := new(big.Int).Sub(powerOfTen(min(c.prec, 1<<20)), bigOne)
		return finite(neg, coef, c.emax-c.prec+1)
	}
	return infinity(neg)
}

// fixPayload keeps the digits of a NaN that fit.
func (c *decimalContext) fixPayload(d *decimal) *decimal {
	most := c.prec
	if c.clamp {
		most--
	}
	if d.coef.Sign() == 0 || countDigits(d.coef) <= most {
		return d
	}
	return &decimal{kind: d.kind, neg: d.neg, coef: new(big.Int).Mod(d.coef, powerOfTen(most))}
}

// nans gives the result of an operation with a NaN; ok is false where there is
// none.
func (c *decimalContext) nans(t *thread, ds ...*decimal) (*decimal, bool, *exception) {
	for _, d := range ds {
		if d.kind == decimalSignal {
			if x := c.signal(t, condInvalid); x != nil {
				return nil, true, x
			}
			return c.fixPayload(&decimal{kind: decimalNaN, neg: d.neg, coef: d.coef}), true, nil
		}
	}
	for _, d := range ds {
		if d.kind == decimalNaN {
			return c.fixPayload(d), true, nil
		}
	}
	return nil, false, nil
}

// text is repr(context).
func (c *decimalContext) text() string {
	return "Context(prec=" + object.Decimal(int(c.prec)) + ", rounding=" + roundingNames[c.round] + ", Emin=" + object.Decimal(int(c.emin)) + ", Emax=" + object.Decimal(int(c.emax)) +
		", capitals=" + oneZero(c.capitals) + ", clamp=" + oneZero(c.clamp) + ", flags=[" + signalNames(c.flags, "") + "], traps=[" + signalNames(c.traps, "") + "])"
}

func oneZero(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

func signalNames(set condition, prefix string) string {
	var names []string
	for _, s := range decimalSignals {
		if set&s.cond != 0 {
			names = append(names, prefix+s.class.Name)
		}
	}
	return strings.Join(names, ", ")
}
