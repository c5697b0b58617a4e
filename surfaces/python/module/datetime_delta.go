package module

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// delta is datetime.timedelta: microseconds.
type delta struct {
	object.Obj
	days, micros int64 // 0 <= micros < a day
}

var deltaClass = defineIn("datetime", "timedelta")

// Class is datetime.timedelta.
func (*delta) Class() *class { return deltaClass }

func (d *delta) total() *big.Int {
	n := new(big.Int).Mul(big.NewInt(d.days), bigDay)
	return n.Add(n, big.NewInt(d.micros))
}

// newDelta makes a timedelta of microseconds.
func newDelta(t *thread, micros *big.Int) (*delta, *exception) {
	days, rest := new(big.Int).DivMod(micros, bigDay, new(big.Int))
	if !days.IsInt64() || days.Int64() > maxDays || days.Int64() < -maxDays {
		if !days.IsInt64() || days.Int64() > math.MaxInt32 || days.Int64() < math.MinInt32 {
			return nil, t.Raise(object.OverflowError, "Python int too large to convert to C int")
		}
		return nil, t.Raise(object.OverflowError, "days=%d; must have magnitude <= %d", days.Int64(), maxDays)
	}
	return &delta{days: days.Int64(), micros: rest.Int64()}, t.Alloc(64)
}

func deltaValue(t *thread, micros *big.Int) (value, *exception) {
	d, x := newDelta(t, micros)
	if x != nil {
		return value{}, x
	}
	return object.Box(d), nil
}

func deltaOf(v value) (*delta, bool) { return object.NativeOf[*delta](v) }

// deltaUnits are the arguments of timedelta in microseconds.
var deltaUnits = []struct {
	name   string
	micros int64
}{{"days", dayMicros}, {"seconds", 1000000}, {"microseconds", 1}, {"milliseconds", 1000}, {"minutes", 60000000}, {"hours", 3600000000}, {"weeks", 7 * dayMicros}}

// deltaFrom adds up the arguments: integers exactly, fractions as floats, rounded
// once to the nearest microsecond.
func deltaFrom(t *thread, a []value) (*big.Int, *exception) {
	sum, fraction := new(big.Int), 0.0
	for i, u := range deltaUnits {
		v, ok := given(a, i)
		if !ok {
			continue
		}
		if n, ok := object.BigOf(v); ok {
			if x := t.Charge(int64(n.BitLen() / 64)); x != nil {
				return nil, x
			}
			sum.Add(sum, new(big.Int).Mul(n, big.NewInt(u.micros)))
			continue
		}
		f, ok := v.Base().Float()
		if !ok {
			return nil, t.RaiseType("unsupported type for timedelta %s component: %s", u.name, nameOf(v))
		}
		if math.IsNaN(f) {
			return nil, t.RaiseValue("cannot convert float NaN to integer")
		}
		if math.IsInf(f, 0) {
			return nil, t.Raise(object.OverflowError, "cannot convert float infinity to integer")
		}
		whole, part := math.Modf(f)
		n, _ := big.NewFloat(whole).Int(nil)
		sum.Add(sum, n.Mul(n, big.NewInt(u.micros)))
		product := part * float64(u.micros)
		whole, part = math.Modf(product)
		sum.Add(sum, big.NewInt(int64(whole)))
		fraction += part
	}
	rounded := math.RoundToEven(fraction)
	if math.Abs(rounded-fraction) == 0.5 && sum.Bit(0) == 1 {
		// The whole number decides which of the two is even.
		rounded = 2*math.RoundToEven((fraction+1)*0.5) - 1
	}
	return sum.Add(sum, big.NewInt(int64(rounded))), nil
}

// text is str(timedelta).
func (d *delta) text() string {
	var b strings.Builder
	if d.days != 0 {
		s := "s"
		if d.days == 1 || d.days == -1 {
			s = ""
		}
		fmt.Fprintf(&b, "%d day%s, ", d.days, s)
	}
	sec := d.micros / 1000000
	fmt.Fprintf(&b, "%d:%02d:%02d", sec/3600, sec/60%60, sec%60)
	if us := d.micros % 1000000; us != 0 {
		fmt.Fprintf(&b, ".%06d", us)
	}
	return b.String()
}

func (d *delta) repr() string {
	var parts []string
	for _, p := range []struct {
		name string
		n    int64
	}{{"days", d.days}, {"seconds", d.micros / 1000000}, {"microseconds", d.micros % 1000000}} {
		if p.n != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", p.name, p.n))
		}
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, ", ")
}

// deltaBinary computes with timedeltas and numbers.
func deltaBinary(t *thread, op object.Op, v, w value, swapped bool) (value, *exception) {
	d, _ := deltaOf(v)
	n := d.total()
	if e, ok := deltaOf(w); ok && !swapped {
		m := e.total()
		if m.Sign() == 0 && (op == object.TrueDiv || op == object.FloorDiv || op == object.Mod || op == object.DivMod) {
			return raised(t.Raise(object.ZeroDivisionError, "%s", map[bool]string{true: "division by zero", false: "integer division or modulo by zero"}[op == object.TrueDiv]))
		}
		switch op {
		case object.Add:
			return deltaValue(t, n.Add(n, m))
		case object.Sub:
			return deltaValue(t, n.Sub(n, m))
		case object.TrueDiv:
			return t.Binary(object.TrueDiv, object.Big(n), object.Big(m))
		case object.FloorDiv:
			return t.Binary(object.FloorDiv, object.Big(n), object.Big(m))
		case object.Mod, object.DivMod:
			r, x := t.Binary(object.Mod, object.Big(n), object.Big(m))
			if x != nil {
				return value{}, x
			}
			b, _ := object.BigOf(r)
			rest, x := deltaValue(t, b)
			if x != nil || op == object.Mod {
				return rest, x
			}
			q, x := t.Binary(object.FloorDiv, object.Big(n), object.Big(m))
			if x != nil {
				return value{}, x
			}
			return t.Tuple(q, rest)
		}
		return object.NotImplemented, nil
	}
	if k, ok := object.BigOf(w); ok {
		if x := t.Charge(int64(k.BitLen() / 32)); x != nil {
			return value{}, x
		}
		switch {
		case op == object.Mul:
			return deltaValue(t, n.Mul(n, k))
		case swapped:
		case (op == object.FloorDiv || op == object.TrueDiv) && k.Sign() == 0:
			return raised(t.Raise(object.ZeroDivisionError, "integer division or modulo by zero"))
		case op == object.FloorDiv:
			q, x := t.Binary(object.FloorDiv, object.Big(n), object.Big(k))
			if x != nil {
				return value{}, x
			}
			b, _ := object.BigOf(q)
			return deltaValue(t, b)
		case op == object.TrueDiv:
			return deltaValue(t, halfEven(n, k))
		}
		return object.NotImplemented, nil
	}
	if f, ok := w.Base().Float(); ok && (op == object.Mul || op == object.TrueDiv && !swapped) {
		if math.IsNaN(f) {
			return raised(t.RaiseValue("cannot convert NaN to integer ratio"))
		}
		if math.IsInf(f, 0) {
			return raised(t.Raise(object.OverflowError, "cannot convert Infinity to integer ratio"))
		}
		r := new(big.Rat).SetFloat64(f)
		num, den := r.Num(), r.Denom()
		if op == object.TrueDiv {
			if f == 0 {
				return raised(t.Raise(object.ZeroDivisionError, "division by zero"))
			}
			num, den = den, num
		}
		return deltaValue(t, halfEven(n.Mul(n, num), den))
	}
	return object.NotImplemented, nil
}

func init() {
	c := deltaClass
	self := func(v value) *delta { d, _ := deltaOf(v); return d }
	build := object.NewBuiltin("timedelta", "days? seconds? microseconds? milliseconds? minutes? hours? weeks?", func(t *thread, a []value) (value, *exception) {
		n, x := deltaFrom(t, a)
		if x != nil {
			return value{}, x
		}
		return deltaValue(t, n)
	})
	c.New = func(t *thread, cls *class, a []value, names []string) (value, *exception) {
		v, x := build.Call(t, a, names)
		if x != nil {
			return value{}, x
		}
		return t.Wrap(cls, c, v)
	}
	c.Own.Repr = func(_ *thread, v value) (string, *exception) {
		return "datetime.timedelta(" + self(v).repr() + ")", nil
	}
	c.Own.Str = func(_ *thread, v value) (string, *exception) { return self(v).text(), nil }
	c.Own.Hash = func(t *thread, v value) (uint64, *exception) { return t.Hash(object.Big(self(v).total())) }
	c.Own.Bool = func(_ *thread, v value) (bool, *exception) { return self(v).days != 0 || self(v).micros != 0, nil }
	c.Own.Compare = func(t *thread, op object.Cmp, v, w value) (value, *exception) {
		e, ok := deltaOf(w)
		if !ok {
			return object.NotImplemented, nil
		}
		return t.Compare(op, object.Big(self(v).total()), object.Big(e.total()))
	}
	c.Own.Binary = deltaBinary
	c.Own.Unary = func(t *thread, op object.Unary, v value) (value, *exception) {
		n := self(v).total()
		switch {
		case op == object.Neg, op == object.Abs && n.Sign() < 0:
			n.Neg(n)
		case op == object.Invert:
			return raised(t.RaiseType("bad operand type for unary ~: 'datetime.timedelta'"))
		}
		return deltaValue(t, n)
	}
	c.Method("total_seconds", "", func(t *thread, a []value) (value, *exception) {
		return t.Binary(object.TrueDiv, object.Big(self(a[0]).total()), object.Int(1000000))
	})
	c.Getter("days", func(_ *thread, v value) (value, *exception) { return object.Int(self(v).days), nil })
	c.Getter("seconds", func(_ *thread, v value) (value, *exception) { return object.Int(self(v).micros / 1000000), nil })
	c.Getter("microseconds", func(_ *thread, v value) (value, *exception) { return object.Int(self(v).micros % 1000000), nil })
	c.Attrs.Set("resolution", object.Box(&delta{micros: 1}))
	c.Attrs.Set("max", object.Box(&delta{days: maxDays, micros: dayMicros - 1}))
	c.Attrs.Set("min", object.Box(&delta{days: -maxDays}))
	c.Ready()
}
