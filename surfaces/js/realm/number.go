package realm

import (
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// numberText is ECMA-262 Number::toString.
func numberText(f float64) string { return number(f).String() }

func (r *Realm) thisNumber(c call, name string) float64 {
	return r.thisPrimitive(c, "Number", name).ToFloat()
}

func numberMethods() []member {
	digits := func(name string, low, high float64) member {
		return over(name, 1, func(r *Realm, engine native) native {
			return func(c call) goja.Value {
				f := r.thisNumber(c, name)
				d := r.integer(arg(c, 0))
				if name == "toPrecision" && !given(c, 0) {
					return r.text(numberText(f))
				}
				if name != "toFixed" && (math.IsNaN(f) || math.IsInf(f, 0)) {
					return r.text(numberText(f))
				}
				if d < low || d > high {
					if name == "toFixed" {
						r.rangeError("toFixed() digits argument must be between 0 and 100")
					}
					r.rangeError("%s() argument must be between %g and %g", name, low, high)
				}
				var args []goja.Value
				if given(c, 0) {
					args = append(args, number(d))
				}
				return engine(call{This: number(f), Arguments: args})
			}
		})
	}
	return []member{
		digits("toExponential", 0, 100),
		digits("toFixed", 0, 100),
		digits("toPrecision", 1, 100),
		method("toLocaleString", 0, func(r *Realm, c call) goja.Value {
			f := r.thisNumber(c, "toLocaleString")
			return r.text(r.numberFormat(arg(c, 0), arg(c, 1)).format(f))
		}),
		over("toString", 1, func(r *Realm, _ native) native {
			return func(c call) goja.Value {
				f := r.thisNumber(c, "toString")
				radix := r.integerOr(c, 0, 10)
				if radix < 2 || radix > 36 {
					r.rangeError("toString() radix argument must be between 2 and 36")
				}
				if radix == 10 {
					return r.text(numberText(f))
				}
				return r.newText(radixText(f, int(radix)))
			}
		}),
		method("valueOf", 0, func(r *Realm, c call) goja.Value { return r.thisPrimitive(c, "Number", "valueOf") }),
	}
}

func numberStatics() []member {
	test := func(name string, f func(f float64) bool) member {
		return method(name, 1, func(_ *Realm, c call) goja.Value {
			v := arg(c, 0)
			return boolean(goja.IsNumber(v) && f(v.ToFloat()))
		})
	}
	return []member{
		constant("EPSILON", math.Nextafter(1, 2)-1),
		constant("MAX_SAFE_INTEGER", int64(1)<<53-1),
		constant("MIN_SAFE_INTEGER", -(int64(1)<<53 - 1)),
		constant("MAX_VALUE", math.MaxFloat64),
		constant("MIN_VALUE", math.SmallestNonzeroFloat64),
		constant("NaN", math.NaN()),
		constant("NEGATIVE_INFINITY", math.Inf(-1)),
		constant("POSITIVE_INFINITY", math.Inf(1)),
		test("isFinite", func(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }),
		test("isInteger", isInteger),
		test("isNaN", func(f float64) bool { return f != f }),
		test("isSafeInteger", func(f float64) bool { return isInteger(f) && math.Abs(f) <= 1<<53-1 }),
		method("parseFloat", 1, func(r *Realm, c call) goja.Value { return number(r.parseFloat(r.str(arg(c, 0)))) }),
		method("parseInt", 2, func(r *Realm, c call) goja.Value {
			s := r.str(arg(c, 0))
			return number(r.parseInt(s, r.num(arg(c, 1))))
		}),
	}
}

func isInteger(f float64) bool { return f == math.Trunc(f) && !math.IsInf(f, 0) }

func isNaNOf(r *Realm, c call) goja.Value {
	f := r.num(arg(c, 0))
	return boolean(f != f)
}

func isFiniteOf(r *Realm, c call) goja.Value {
	f := r.num(arg(c, 0))
	return boolean(!math.IsNaN(f) && !math.IsInf(f, 0))
}

// head gives the part of a string that a number parser may look at: numbers are
// short.
func (r *Realm) head(s goja.String) string {
	i := 0
	for i < s.Length() && isSpace(rune(s.CharAt(i))) {
		i++
	}
	r.Charge(int64(i) >> 4)
	end := min(s.Length(), i+2000)
	r.Charge(int64(end-i) >> 6)
	return s.Substring(i, end).String()
}

// parseFloat is ECMA-262 section 19.2.4.
func (r *Realm) parseFloat(s goja.String) float64 {
	text := r.head(s)
	i := 0
	sign := 1.0
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		if text[i] == '-' {
			sign = -1
		}
		i++
	}
	if strings.HasPrefix(text[i:], "Infinity") {
		return sign * math.Inf(1)
	}
	start := i
	digits := func() int {
		from := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		return i - from
	}
	whole := digits()
	frac := 0
	if i < len(text) && text[i] == '.' {
		i++
		if frac = digits(); whole == 0 && frac == 0 {
			return math.NaN()
		}
	}
	if whole+frac == 0 {
		return math.NaN()
	}
	end := i
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if digits() > 0 {
			end = i
		}
	}
	f, _ := strconv.ParseFloat(text[start:end], 64)
	return sign * f
}

// parseInt is ECMA-262 section 19.2.5.
func (r *Realm) parseInt(s goja.String, radixValue float64) float64 {
	text := r.head(s)
	sign := 1.0
	if text != "" && (text[0] == '+' || text[0] == '-') {
		if text[0] == '-' {
			sign = -1
		}
		text = text[1:]
	}
	radix := int(int32(toUint32(radixValue)))
	prefix := radix == 0 || radix == 16
	if radix == 0 {
		radix = 10
	}
	if radix < 2 || radix > 36 {
		return math.NaN()
	}
	if prefix && len(text) >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') {
		text, radix = text[2:], 16
	}
	n := 0
	for n < len(text) && digitOf(text[n]) < radix {
		n++
	}
	if n == 0 {
		return math.NaN()
	}
	return sign * integerOf(text[:n], radix)
}

func digitOf(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 99
}

func (r *Realm) numberFunction() goja.Value {
	return r.converter("Number", r.proto(numberProto), func(r *Realm, c call) goja.Value {
		if len(c.Arguments) == 0 {
			return whole(0)
		}
		v := r.primitive(arg(c, 0))
		if goja.IsBigInt(v) {
			return number(floatOf(bigOf(v)))
		}
		if goja.IsNumber(v) {
			return v
		}
		return number(r.num(v))
	})
}
