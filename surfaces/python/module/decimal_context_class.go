package module

import (
	"math/big"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// signalSet is context.flags or context.traps: a mapping from signals to booleans.
type signalSet struct {
	object.Obj
	context *decimalContext
	traps   bool
}

var signalSetClass = defineIn("decimal", "SignalDict")

// Class is decimal.SignalDict.
func (*signalSet) Class() *class { return signalSetClass }

func (s *signalSet) set() *condition {
	if s.traps {
		return &s.context.traps
	}
	return &s.context.flags
}

// signalList is how errors list the signals.
const signalList = "[InvalidOperation, FloatOperation, DivisionByZero,\n   Overflow, Underflow, Subnormal, Inexact, Rounded,\n   Clamped]"

func signalOf(t *thread, v value) (condition, *exception) {
	c, _ := v.AsClass()
	for _, s := range decimalSignals {
		if s.class == c && c != nil {
			return s.cond, nil
		}
	}
	return 0, object.NewException(object.KeyError, object.NewStr("valid values for signals are:\n  "+signalList))
}

// signalsFrom reads a set of signals: a list of them, or a mapping.
func signalsFrom(t *thread, v value) (condition, *exception) {
	if s, ok := v.Native().(*signalSet); ok {
		return *s.set(), nil
	}
	var out condition
	if d, ok := object.DictOf(v); ok {
		return out, eachPair(t, d, func(k, w value) *exception {
			cond, x := signalOf(t, k)
			if x != nil {
				return x
			}
			on, x := t.Truth(w)
			if on {
				out |= cond
			}
			return x
		})
	}
	return out, t.Each(v, func(k value) (bool, *exception) {
		cond, x := signalOf(t, k)
		if x != nil {
			x = t.RaiseType("valid values for signals are:\n  %s", signalList)
		}
		out |= cond
		return false, x
	})
}

// set gives a context another setting.
func (c *decimalContext) set(t *thread, name string, v value) *exception {
	switch name {
	case "rounding":
		r, x := roundingOf(t, v)
		if x == nil {
			c.round = r
		}
		return x
	case "flags", "traps":
		s, x := signalsFrom(t, v)
		if x != nil {
			return x
		}
		if name == "flags" {
			c.flags = s
		} else {
			c.traps = s
		}
		return nil
	}
	if _, ok := object.BigOf(v); !ok {
		return t.RaiseType("an integer is required")
	}
	n, x := integer(t, v)
	if x != nil {
		return x
	}
	within := func(lo, hi int64, text string) *exception {
		if n < lo || n > hi {
			return t.RaiseValue("%s", text)
		}
		return nil
	}
	switch name {
	case "prec":
		if x := within(1, decimalMaxPrec, "valid range for prec is [1, MAX_PREC]"); x != nil {
			return x
		}
		c.prec = n
	case "Emin":
		if x := within(decimalMinEmin, 0, "valid range for Emin is [MIN_EMIN, 0]"); x != nil {
			return x
		}
		c.emin = n
	case "Emax":
		if x := within(0, decimalMaxEmax, "valid range for Emax is [0, MAX_EMAX]"); x != nil {
			return x
		}
		c.emax = n
	case "capitals":
		if x := within(0, 1, "valid values for capitals are 0 or 1"); x != nil {
			return x
		}
		c.capitals = n == 1
	case "clamp":
		if x := within(0, 1, "valid values for clamp are 0 or 1"); x != nil {
			return x
		}
		c.clamp = n == 1
	default:
		return t.Raise(object.AttributeError, "'decimal.Context' object has no attribute '%s'", name)
	}
	return nil
}

// setting reads a setting of a context.
func (c *decimalContext) setting(name string) value {
	number := func(b bool) value {
		if b {
			return object.Int(1)
		}
		return object.Int(0)
	}
	switch name {
	case "prec":
		return object.Int(c.prec)
	case "rounding":
		return object.NewStr(roundingNames[c.round])
	case "Emin":
		return object.Int(c.emin)
	case "Emax":
		return object.Int(c.emax)
	case "capitals":
		return number(c.capitals)
	case "clamp":
		return number(c.clamp)
	case "flags":
		return object.Box(&signalSet{context: c})
	}
	return object.Box(&signalSet{context: c, traps: true})
}

// contextMethods are the operations of two numbers under their names as methods of
// a context, beside those of Decimal.
var contextMethods = map[string]decimalBinary{
	"add": (*decimalContext).add, "subtract": (*decimalContext).sub, "multiply": (*decimalContext).mul, "divide": (*decimalContext).div,
	"divide_int": (*decimalContext).divInt, "remainder": (*decimalContext).rem,
	"quantize": func(c *decimalContext, t *thread, a, b *decimal) (*decimal, *exception) {
		return c.quantize(t, a, b, c.round)
	},
}

var contextUnaries = map[string]decimalUnary{
	"plus": (*decimalContext).plus, "minus": (*decimalContext).minus,
	"abs": func(c *decimalContext, t *thread, d *decimal) (*decimal, *exception) {
		if d.neg {
			return c.minus(t, d)
		}
		return c.plus(t, d)
	},
	"to_integral_value": func(c *decimalContext, t *thread, d *decimal) (*decimal, *exception) {
		return c.integral(t, d, c.round, false)
	},
	"to_integral_exact": func(c *decimalContext, t *thread, d *decimal) (*decimal, *exception) {
		return c.integral(t, d, c.round, true)
	},
}

func setupContext() {
	c := decimalContextClass
	self := func(v value) *decimalContext { d, _ := object.NativeOf[*decimalContext](v); return d }
	build := object.NewBuiltin("Context", "prec? rounding? Emin? Emax? capitals? clamp? flags? traps?", func(t *thread, a []value) (value, *exception) {
		d := newDecimalContext()
		for i, n := range localParameters {
			if v, ok := optional(a, i); ok {
				if x := d.set(t, n, v); x != nil {
					return value{}, x
				}
			}
		}
		return object.Box(d), t.Alloc(128)
	})
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		v, x := build.Call(t, a, names)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(cls, c, v)
	}
	c.Own.Repr = func(_ *thread, v value) (string, *exception) { return self(v).text(), nil }
	for _, n := range localParameters {
		c.Attrs.Set(n, object.Box(&object.Getter{
			Name: n, Owner: c,
			Get: func(t *thread, v value) (value, *exception) { return self(v).setting(n), t.Alloc(48) },
			Set: func(t *thread, v, w value) *exception { return self(v).set(t, n, w) },
		}))
	}
	c.Own.SetAttr = func(t *thread, v value, name string, _ value) *exception {
		return t.Raise(object.AttributeError, "'decimal.Context' object has no attribute '%s'", name)
	}
	for _, set := range []map[string]decimalUnary{decimalUnaries, contextUnaries} {
		for name, f := range set {
			c.Method(name, "x /", func(t *thread, a []value) (value, *exception) {
				d, x := operand(t, a[1])
				if x != nil {
					return value{}, x
				}
				r, x := f(self(a[0]), t, d)
				return decimalResult(t, r, x)
			})
		}
	}
	for _, set := range []map[string]decimalBinary{decimalMethods, contextMethods} {
		for name, f := range set {
			c.Method(name, "x y /", func(t *thread, a []value) (value, *exception) {
				d, x := operand(t, a[1])
				if x != nil {
					return value{}, x
				}
				e, x := operand(t, a[2])
				if x != nil {
					return value{}, x
				}
				r, x := f(self(a[0]), t, d, e)
				return decimalResult(t, r, x)
			})
		}
	}
	for name, f := range decimalTests {
		c.Method(name, "x /", func(t *thread, a []value) (value, *exception) {
			d, x := operand(t, a[1])
			return object.Bool(x == nil && f(self(a[0]), d)), x
		})
	}
	c.Method("power", "a b modulo?", func(t *thread, a []value) (value, *exception) {
		d, x := operand(t, a[1])
		if x != nil {
			return value{}, x
		}
		e, x := operand(t, a[2])
		if x != nil {
			return value{}, x
		}
		if v, ok := optional(a, 3); ok {
			m, x := operand(t, v)
			if x != nil {
				return value{}, x
			}
			r, x := self(a[0]).powMod(t, d, e, m)
			return decimalResult(t, r, x)
		}
		r, x := self(a[0]).pow(t, d, e)
		return decimalResult(t, r, x)
	})
	c.Method("create_decimal", "num? /", func(t *thread, a []value) (value, *exception) {
		v, ok := given(a, 1)
		if !ok {
			v = object.Int(0)
		}
		d, x := decimalFrom(t, self(a[0]), v)
		if x != nil {
			return value{}, x
		}
		d, x = self(a[0]).fix(t, d)
		return decimalResult(t, d, x)
	})
	c.Method("create_decimal_from_float", "f /", func(t *thread, a []value) (value, *exception) {
		f, x := t.ToFloat(a[1])
		if x != nil {
			return value{}, x
		}
		d, x := decimalFromFloat(t, f)
		if x != nil {
			return value{}, x
		}
		d, x = self(a[0]).fix(t, d)
		return decimalResult(t, d, x)
	})
	text := func(name string, engineering bool) {
		c.Method(name, "x /", func(t *thread, a []value) (value, *exception) {
			d, x := operand(t, a[1])
			if x != nil {
				return value{}, x
			}
			if x := decimalWork(t, d.digits()); x != nil {
				return value{}, x
			}
			return t.Text(d.text(engineering, self(a[0]).capitals))
		})
	}
	text("to_sci_string", false)
	text("to_eng_string", true)
	copied := func(t *thread, a []value) (value, *exception) { return object.Box(self(a[0]).copyOf()), t.Alloc(128) }
	c.Method("copy", "", copied).Method("__copy__", "", copied)
	c.Method("clear_flags", "", func(_ *thread, a []value) (value, *exception) { self(a[0]).flags = 0; return object.None, nil })
	c.Method("clear_traps", "", func(_ *thread, a []value) (value, *exception) { self(a[0]).traps = 0; return object.None, nil })
	c.Method("Etiny", "", func(_ *thread, a []value) (value, *exception) { return object.Int(self(a[0]).etiny()), nil })
	c.Method("Etop", "", func(_ *thread, a []value) (value, *exception) { return object.Int(self(a[0]).etop()), nil })
	c.Method("radix", "", func(t *thread, _ []value) (value, *exception) {
		return decimalResult(t, decimalFromBig(big.NewInt(10)), nil)
	})
	c.Ready()
	setupSignals()
}

func setupSignals() {
	c := signalSetClass
	self := func(v value) *signalSet { return v.Native().(*signalSet) }
	c.Final = true
	c.Own.GetItem = func(t *thread, v, k value) (value, *exception) {
		cond, x := signalOf(t, k)
		return object.Bool(*self(v).set()&cond != 0), x
	}
	c.Own.SetItem = func(t *thread, v, k, w value) *exception {
		cond, x := signalOf(t, k)
		if x != nil {
			return x
		}
		on, x := t.Truth(w)
		if x != nil {
			return x
		}
		if on {
			*self(v).set() |= cond
		} else {
			*self(v).set() &^= cond
		}
		return nil
	}
	c.Own.Len = func(*thread, value) (int, *exception) { return len(decimalSignals), nil }
	c.Own.Iter = func(t *thread, _ value) (object.Iterator, *exception) {
		keys := make([]value, len(decimalSignals))
		for i, s := range decimalSignals {
			keys[i] = s.class.Value()
		}
		return t.Iter(object.NewTuple(keys))
	}
	c.Own.Repr = func(_ *thread, v value) (string, *exception) {
		s := "{"
		for i, k := range decimalSignals {
			if i > 0 {
				s += ", "
			}
			on := "False"
			if *self(v).set()&k.cond != 0 {
				on = "True"
			}
			s += "<class 'decimal." + k.class.Name + "'>:" + on
		}
		return s + "}", nil
	}
	c.Own.Children = func(v value, visit func(value)) int { visit(object.Box(self(v).context)); return 64 }
	c.Ready()
	k := contextScopeClass
	k.Final = true
	k.Own.Enter = func(t *thread, v value) (value, *exception) {
		s := v.Native().(*contextScope)
		s.outside = contextOf(t)
		libraryOf(t).decimal = s.inside
		return object.Box(s.inside), nil
	}
	k.Own.Exit = func(t *thread, v value, _ *exception) (bool, *exception) {
		libraryOf(t).decimal = v.Native().(*contextScope).outside
		return false, nil
	}
	k.Ready()
}
