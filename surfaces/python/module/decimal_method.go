package module

import (
	"math/big"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// decimalUnary is an operation of one number.
type decimalUnary func(c *decimalContext, t *thread, d *decimal) (*decimal, *exception)

// logb is the exponent of the first digit as a number.
func (c *decimalContext) logb(t *thread, d *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, d); ok || x != nil {
		return out, x
	}
	switch {
	case d.kind == decimalInfinite:
		return infinity(false), nil
	case d.isZero():
		return infinity(true), c.signal(t, condDivisionByZero)
	}
	return c.fix(t, decimalFromBig(big.NewInt(d.adjusted())))
}

func (c *decimalContext) scaleb(t *thread, a, b *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, a, b); ok || x != nil {
		return out, x
	}
	if b.kind != decimalFinite || b.exp != 0 || !b.coef.IsInt64() || b.coef.Int64() > 2*(c.emax+c.prec) {
		return c.invalid(t, condInvalid)
	}
	if a.kind == decimalInfinite {
		return a, nil
	}
	by := b.coef.Int64()
	if b.neg {
		by = -by
	}
	return c.fix(t, finite(a.neg, a.coef, a.exp+by))
}

// compare is the method compare: -1, 0 or 1 as a number.
func (c *decimalContext) compare(t *thread, a, b *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, a, b); ok || x != nil {
		return out, x
	}
	r, x := compareDecimals(t, a, b)
	return signNumber(r), x
}

func signNumber(r int) *decimal {
	switch {
	case r < 0:
		return finite(true, big.NewInt(1), 0)
	case r > 0:
		return finite(false, big.NewInt(1), 0)
	}
	return finite(false, new(big.Int), 0)
}

func (c *decimalContext) compareSignal(t *thread, a, b *decimal) (*decimal, *exception) {
	if a.isNaN() || b.isNaN() {
		if x := c.signal(t, condInvalid); x != nil {
			return nil, x
		}
		for _, d := range []*decimal{a, b} {
			if d.isNaN() {
				return &decimal{kind: decimalNaN, neg: d.neg, coef: d.coef}, nil
			}
		}
	}
	return c.compare(t, a, b)
}

func (c *decimalContext) nextToward(t *thread, a, b *decimal) (*decimal, *exception) {
	if out, ok, x := c.nans(t, a, b); ok || x != nil {
		return out, x
	}
	r, x := compareDecimals(t, a, b)
	if x != nil {
		return nil, x
	}
	if r == 0 {
		return a.with(b.neg), nil
	}
	out, x := c.step(t, a, r < 0)
	if x != nil {
		return nil, x
	}
	cond := condition(0)
	switch {
	case out.kind == decimalInfinite:
		cond = condOverflow | condInexact | condRounded
	case out.adjusted() < c.emin:
		cond = condUnderflow | condSubnormal | condRounded | condInexact
		if out.isZero() {
			cond |= condClamped
		}
	}
	return out, c.signal(t, cond)
}

// numberClass names the kind of a number.
func (c *decimalContext) numberClass(d *decimal) string {
	sign := "+"
	if d.neg {
		sign = "-"
	}
	switch {
	case d.kind == decimalSignal:
		return "sNaN"
	case d.kind == decimalNaN:
		return "NaN"
	case d.kind == decimalInfinite:
		return sign + "Infinity"
	case d.isZero():
		return sign + "Zero"
	case d.adjusted() < c.emin:
		return sign + "Subnormal"
	}
	return sign + "Normal"
}

// asTuple is as_tuple().
func (d *decimal) asTuple(t *thread) (value, *exception) {
	sign := object.Int(0)
	if d.neg {
		sign = object.Int(1)
	}
	exp := object.Int(d.exp)
	text := ""
	switch d.kind {
	case decimalInfinite:
		exp, text = object.NewStr("F"), "0"
	case decimalNaN, decimalSignal:
		exp = object.NewStr(map[decimalKind]string{decimalNaN: "n", decimalSignal: "N"}[d.kind])
		if d.coef.Sign() != 0 {
			text = d.coef.String()
		}
	default:
		if x := decimalWork(t, d.digits()); x != nil {
			return value{}, x
		}
		text = d.coef.String()
	}
	if x := t.Alloc(16 * len(text)); x != nil {
		return value{}, x
	}
	digits := make([]value, len(text))
	for i := range text {
		digits[i] = object.Int(int64(text[i] - '0'))
	}
	u, x := t.Tuple(digits...)
	if x != nil {
		return value{}, x
	}
	return decimalTuple.make(t, sign, u, exp)
}

func (d *decimal) ratio(t *thread) (value, *exception) {
	switch {
	case d.isNaN():
		return raised(t.RaiseValue("cannot convert NaN to integer ratio"))
	case d.kind == decimalInfinite:
		return raised(t.Raise(object.OverflowError, "cannot convert Infinity to integer ratio"))
	case d.isZero():
		return t.Tuple(object.Int(0), object.Int(1))
	}
	if x := decimalWork(t, d.digits()+abs64(d.exp)); x != nil {
		return value{}, x
	}
	n, m := new(big.Int).Set(d.coef), big.NewInt(1)
	if d.neg {
		n.Neg(n)
	}
	if d.exp >= 0 {
		n.Mul(n, powerOfTen(d.exp))
	} else {
		m = powerOfTen(-d.exp)
	}
	r := new(big.Rat).SetFrac(n, m)
	return t.Tuple(object.Big(new(big.Int).Set(r.Num())), object.Big(new(big.Int).Set(r.Denom())))
}

// roundingOf reads the name of a rounding.
func roundingOf(t *thread, v value) (rounding, *exception) {
	s, ok := textOf(v)
	if i := indexOf(roundingNames, s); ok && i >= 0 {
		return rounding(i), nil
	}
	return 0, t.RaiseType("valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]")
}

// roundDecimal is round(d) and round(d, n).
func roundDecimal(t *thread, v, digits value) (value, *exception) {
	d, _ := decimalOf(v)
	if !digits.IsSet() || digits.IsNone() {
		switch {
		case d.isNaN():
			return raised(t.RaiseValue("cannot convert NaN to integer"))
		case d.kind == decimalInfinite:
			return raised(t.Raise(object.OverflowError, "cannot convert Infinity to integer"))
		}
		r, _, x := d.rescale(t, 0, roundHalfEven)
		if x != nil {
			return value{}, x
		}
		return signedBig(r), nil
	}
	n, x := integer(t, digits)
	if x != nil {
		return value{}, x
	}
	c := contextOf(t)
	r, x := c.quantize(t, d, finite(false, big.NewInt(1), -n), c.round)
	return decimalResult(t, r, x)
}

func init() {
	decimalTuple.class.Module = "decimal"
	for _, c := range []*class{
		decimalError, decimalInvalid, decimalFloatMixed, decimalZero, decimalInexact, decimalRounded, decimalSubnormal, decimalOverflow, decimalUnderflow, decimalClamped,
		decimalSyntax, decimalImpossible, decimalUndefined, decimalBadContext,
	} {
		c.Module = "decimal"
		c.Ready()
	}
	c := decimalClass
	self := func(v value) *decimal { d, _ := decimalOf(v); return d }
	c.New = decimalNew
	c.Own = object.Slots{
		Repr: func(t *thread, v value) (string, *exception) {
			s, x := decimalText(t, self(v), false)
			return "Decimal('" + s + "')", x
		},
		Str: func(t *thread, v value) (string, *exception) { return decimalText(t, self(v), false) },
		Format: func(t *thread, v value, spec string) (string, *exception) {
			return contextOf(t).format(t, self(v), spec)
		},
		Hash:    decimalHash,
		Bool:    func(_ *thread, v value) (bool, *exception) { return !self(v).isZero(), nil },
		Compare: decimalCompare,
		Binary:  decimalOperator,
		Unary:   decimalSign,
		ToInt:   func(t *thread, v value) (value, *exception) { return self(v).whole(t) },
		ToFloat: func(t *thread, v value) (value, *exception) { return self(v).toFloat(t) },
		Round:   roundDecimal,
		Children: func(v value, _ func(value)) int {
			if d, ok := v.Native().(*decimal); ok {
				return 112 + d.coef.BitLen()/8
			}
			return 64
		},
	}
	setupDecimalMethods(c)
	c.Ready()
	setupContext()
}

func decimalText(t *thread, d *decimal, engineering bool) (string, *exception) {
	if x := decimalWork(t, d.digits()); x != nil {
		return "", x
	}
	return d.text(engineering, contextOf(t).capitals), nil
}

func decimalSign(t *thread, op object.Unary, v value) (value, *exception) {
	d, _ := decimalOf(v)
	c := contextOf(t)
	var r *decimal
	var x *exception
	switch op {
	case object.Neg:
		r, x = c.minus(t, d)
	case object.Pos:
		r, x = c.plus(t, d)
	case object.Abs:
		if d.neg {
			r, x = c.minus(t, d)
		} else {
			r, x = c.plus(t, d)
		}
	default:
		return object.NotImplemented, nil
	}
	return decimalResult(t, r, x)
}

// decimalUnaries and the following are the operations under their names as methods
// of Decimal, and of Context.
var decimalUnaries = map[string]decimalUnary{
	"exp": (*decimalContext).exp, "ln": (*decimalContext).ln, "log10": (*decimalContext).log10, "sqrt": (*decimalContext).sqrt, "logb": (*decimalContext).logb,
	"normalize":  (*decimalContext).reduce,
	"next_plus":  func(c *decimalContext, t *thread, d *decimal) (*decimal, *exception) { return c.step(t, d, true) },
	"next_minus": func(c *decimalContext, t *thread, d *decimal) (*decimal, *exception) { return c.step(t, d, false) },
}

var decimalMethods = map[string]decimalBinary{
	"remainder_near": (*decimalContext).remNear, "compare": (*decimalContext).compare, "compare_signal": (*decimalContext).compareSignal, "scaleb": (*decimalContext).scaleb,
	"next_toward": (*decimalContext).nextToward,
	"max": func(c *decimalContext, t *thread, a, b *decimal) (*decimal, *exception) {
		return c.extreme(t, a, b, true, false)
	},
	"min": func(c *decimalContext, t *thread, a, b *decimal) (*decimal, *exception) {
		return c.extreme(t, a, b, false, false)
	},
	"max_mag": func(c *decimalContext, t *thread, a, b *decimal) (*decimal, *exception) {
		return c.extreme(t, a, b, true, true)
	},
	"min_mag": func(c *decimalContext, t *thread, a, b *decimal) (*decimal, *exception) {
		return c.extreme(t, a, b, false, true)
	},
}

// decimalPure are operations that no context has a say in.
var decimalPure = map[string]func(a, b *decimal) *decimal{
	"compare_total":     func(a, b *decimal) *decimal { return signNumber(compareTotal(a, b)) },
	"compare_total_mag": func(a, b *decimal) *decimal { return signNumber(compareTotal(a.with(false), b.with(false))) },
	"copy_sign":         func(a, b *decimal) *decimal { return a.with(b.neg) },
}

var decimalTests = map[string]func(c *decimalContext, d *decimal) bool{
	"is_finite": func(_ *decimalContext, d *decimal) bool { return d.kind == decimalFinite }, "is_infinite": func(_ *decimalContext, d *decimal) bool { return d.kind == decimalInfinite },
	"is_nan": func(_ *decimalContext, d *decimal) bool { return d.isNaN() }, "is_qnan": func(_ *decimalContext, d *decimal) bool { return d.kind == decimalNaN },
	"is_snan": func(_ *decimalContext, d *decimal) bool { return d.kind == decimalSignal }, "is_signed": func(_ *decimalContext, d *decimal) bool { return d.neg },
	"is_zero": func(_ *decimalContext, d *decimal) bool { return d.isZero() }, "is_canonical": func(*decimalContext, *decimal) bool { return true },
	"is_normal": func(c *decimalContext, d *decimal) bool {
		return d.kind == decimalFinite && !d.isZero() && d.adjusted() >= c.emin
	},
	"is_subnormal": func(c *decimalContext, d *decimal) bool {
		return d.kind == decimalFinite && !d.isZero() && d.adjusted() < c.emin
	},
}

func setupDecimalMethods(c *class) {
	self := func(v value) *decimal { d, _ := decimalOf(v); return d }
	for name, f := range decimalUnaries {
		c.Method(name, "context?", func(t *thread, a []value) (value, *exception) {
			ctx, x := contextArg(t, a, 1)
			if x != nil {
				return value{}, x
			}
			r, x := f(ctx, t, self(a[0]))
			return decimalResult(t, r, x)
		})
	}
	for name, f := range decimalMethods {
		c.Method(name, "other context?", func(t *thread, a []value) (value, *exception) {
			ctx, x := contextArg(t, a, 2)
			if x != nil {
				return value{}, x
			}
			b, x := operand(t, a[1])
			if x != nil {
				return value{}, x
			}
			r, x := f(ctx, t, self(a[0]), b)
			return decimalResult(t, r, x)
		})
	}
	for name, f := range decimalPure {
		c.Method(name, "other context?", func(t *thread, a []value) (value, *exception) {
			b, x := operand(t, a[1])
			if x != nil {
				return value{}, x
			}
			return decimalResult(t, f(self(a[0]), b), decimalWork(t, self(a[0]).digits()+b.digits()))
		})
	}
	for name, f := range decimalTests {
		c.Method(name, "context?", func(t *thread, a []value) (value, *exception) {
			ctx, x := contextArg(t, a, 1)
			return object.Bool(x == nil && f(ctx, self(a[0]))), x
		})
	}
	c.Method("copy_abs", "", func(t *thread, a []value) (value, *exception) { return decimalResult(t, self(a[0]).with(false), nil) })
	c.Method("copy_negate", "", func(t *thread, a []value) (value, *exception) {
		return decimalResult(t, self(a[0]).with(!self(a[0]).neg), nil)
	})
	same := func(_ *thread, a []value) (value, *exception) { return a[0], nil }
	c.Method("canonical", "", same).Method("conjugate", "", same).Method("__copy__", "", same).Method("__deepcopy__", "memo", same)
	c.Method("adjusted", "", func(_ *thread, a []value) (value, *exception) { return object.Int(self(a[0]).adjusted()), nil })
	c.Method("radix", "", func(t *thread, _ []value) (value, *exception) { return decimalResult(t, decimalFromBig(bigTen), nil) })
	c.Method("as_tuple", "", func(t *thread, a []value) (value, *exception) { return self(a[0]).asTuple(t) })
	c.Method("as_integer_ratio", "", func(t *thread, a []value) (value, *exception) { return self(a[0]).ratio(t) })
	c.Method("to_eng_string", "context?", func(t *thread, a []value) (value, *exception) {
		s, x := decimalText(t, self(a[0]), true)
		return str(t, s, x)
	})
	c.Method("number_class", "context?", func(t *thread, a []value) (value, *exception) {
		ctx, x := contextArg(t, a, 1)
		if x != nil {
			return value{}, x
		}
		return object.NewStr(ctx.numberClass(self(a[0]))), nil
	})
	c.Method("same_quantum", "other context?", func(t *thread, a []value) (value, *exception) {
		b, x := operand(t, a[1])
		if x != nil {
			return value{}, x
		}
		d := self(a[0])
		switch {
		case d.isNaN() || b.isNaN():
			return object.Bool(d.isNaN() && b.isNaN()), nil
		case d.kind != b.kind:
			return object.False, nil
		}
		return object.Bool(d.kind == decimalInfinite || d.exp == b.exp), nil
	})
	c.Method("fma", "other third context?", func(t *thread, a []value) (value, *exception) {
		ctx, x := contextArg(t, a, 3)
		if x != nil {
			return value{}, x
		}
		b, x := operand(t, a[1])
		if x != nil {
			return value{}, x
		}
		e, x := operand(t, a[2])
		if x != nil {
			return value{}, x
		}
		r, x := ctx.fma(t, self(a[0]), b, e)
		return decimalResult(t, r, x)
	})
	rounded := func(name string, signals bool) {
		c.Method(name, "rounding? context?", func(t *thread, a []value) (value, *exception) {
			ctx, x := contextArg(t, a, 2)
			if x != nil {
				return value{}, x
			}
			r := ctx.round
			if v, ok := optional(a, 1); ok {
				if r, x = roundingOf(t, v); x != nil {
					return value{}, x
				}
			}
			d, x := ctx.integral(t, self(a[0]), r, signals)
			return decimalResult(t, d, x)
		})
	}
	rounded("to_integral", false)
	rounded("to_integral_value", false)
	rounded("to_integral_exact", true)
	c.Method("quantize", "exp rounding? context?", func(t *thread, a []value) (value, *exception) {
		ctx, x := contextArg(t, a, 3)
		if x != nil {
			return value{}, x
		}
		r := ctx.round
		if v, ok := optional(a, 2); ok {
			if r, x = roundingOf(t, v); x != nil {
				return value{}, x
			}
		}
		b, x := operand(t, a[1])
		if x != nil {
			return value{}, x
		}
		d, x := ctx.quantize(t, self(a[0]), b, r)
		return decimalResult(t, d, x)
	})
	c.ClassMethod("from_float", "f /", func(t *thread, a []value) (value, *exception) {
		cls, _ := a[0].AsClass()
		d, ok, x := exactOf(t, a[1])
		if x != nil {
			return value{}, x
		}
		if f, isFloat := a[1].Base().Float(); isFloat {
			d, x = decimalFromFloat(t, f)
		} else if _, isDecimal := decimalOf(a[1]); !ok || isDecimal {
			return raised(t.RaiseType("argument must be int or float"))
		}
		v, x := decimalResult(t, d, x)
		if x != nil || cls == decimalClass {
			return v, x
		}
		return t.Construct(cls, []value{v}, nil)
	})
	c.Getter("real", func(_ *thread, v value) (value, *exception) { return v, nil })
	c.Getter("imag", func(t *thread, _ value) (value, *exception) {
		return decimalResult(t, finite(false, new(big.Int), 0), nil)
	})
	for name, r := range map[string]rounding{"__floor__": roundFloor, "__ceil__": roundCeiling, "__trunc__": roundDown} {
		c.Method(name, "", func(t *thread, a []value) (value, *exception) {
			d := self(a[0])
			if d.kind != decimalFinite {
				return d.whole(t)
			}
			n, _, x := d.rescale(t, 0, r)
			if x != nil {
				return value{}, x
			}
			return signedBig(n), nil
		})
	}
	c.Method("__complex__", "", func(t *thread, a []value) (value, *exception) {
		f, x := self(a[0]).toFloat(t)
		if x != nil {
			return value{}, x
		}
		r, _ := f.Float()
		return object.NewComplex(complex(r, 0)), nil
	})
}
