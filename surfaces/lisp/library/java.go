package library

import (
	"math"
	"strconv"
	"unicode"

	"github.com/polyglove/polyglove/sandbox/elementary"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// elementaryFuel is what an elementary function is charged beyond its call: it is
// computed in more digits than it gives.
const elementaryFuel = 150

// javaPow is Math.pow, which unlike the C library's has no value where a base of one
// meets an exponent that is none or endless.
func javaPow(x, y float64) float64 {
	if y != y || math.Abs(x) == 1 && math.IsInf(y, 0) {
		return math.NaN()
	}
	return elementary.Pow(x, y)
}

// javas are the static methods of Java that Clojure programs write most, under the
// names by which they write them: plain computations on numbers and characters. All
// other interop is refused by name. clojure.math has the same functions.
func javas() []*data.Native {
	var all []*data.Native
	both := func(local string, least, most int, doc string, run func(t *data.Thread, a []value) value) {
		usage := "(Math/" + local + " x)"
		all = append(all, fn("Math/"+local, least, most, usage, doc, run), fn("clojure.math/"+local, least, most, usage, doc, run))
	}
	double := func(local string, f func(x float64) float64) {
		both(local, 1, 1, local+" of a number", func(t *data.Thread, a []value) value {
			t.Charge(elementaryFuel)
			return data.Float(f(float(t, "Math/"+local, a[0])))
		})
	}
	for local, f := range map[string]func(float64) float64{
		"sqrt": math.Sqrt, "cbrt": elementary.Cbrt, "ceil": math.Ceil, "floor": math.Floor, "exp": elementary.Exp, "log": elementary.Log, "log10": elementary.Log10,
		"sin": elementary.Sin, "cos": elementary.Cos, "tan": elementary.Tan, "asin": elementary.Asin, "acos": elementary.Acos, "atan": elementary.Atan, "rint": math.RoundToEven,
		"signum":    func(x float64) float64 { return sgn(x) },
		"toRadians": func(x float64) float64 { return x * 0.017453292519943295 }, "toDegrees": func(x float64) float64 { return x * 57.29577951308232 },
	} {
		double(local, f)
	}
	two := func(local string, f func(x, y float64) float64) {
		both(local, 2, 2, local+" of two numbers", func(t *data.Thread, a []value) value {
			t.Charge(elementaryFuel)
			return data.Float(f(float(t, "Math/"+local, a[0]), float(t, "Math/"+local, a[1])))
		})
	}
	two("pow", javaPow)
	two("atan2", elementary.Atan2)
	two("hypot", math.Hypot)
	both("round", 1, 1, "the nearest integer, halves upwards", func(t *data.Thread, a []value) value {
		if a[0].IsInteger() {
			return a[0]
		}
		return round(t, a[0])
	})
	both("floorMod", 2, 2, "mod", func(t *data.Thread, a []value) value { return data.Divided(t, data.Modulus, a[0], a[1]) })
	both("floorDiv", 2, 2, "division towards minus infinity", func(t *data.Thread, a []value) value {
		m := data.Divided(t, data.Modulus, a[0], a[1])
		return data.Divided(t, data.Quotient, data.Arithmetic(t, data.Subtract, a[0], m), a[1])
	})
	named := func(from, to string) *data.Native {
		n := *tableOf[from]
		n.Head, n.Name = data.Head{}, to
		return &n
	}
	all = append(all, named("abs", "Math/abs"), named("max", "Math/max"), named("min", "Math/min"),
		parsing("Integer/parseInt"), parsing("Long/parseLong"), parsing("Long/valueOf"), parsing("Integer/valueOf"),
		fn("Double/parseDouble", 1, 1, "(Double/parseDouble s)", "the number that a text writes", func(t *data.Thread, a []value) value {
			v := parseDouble(text(t, "Double/parseDouble", a[0]))
			if v.IsNil() {
				data.Throw("NumberFormatException", "For input string: "+data.Brief(t, a[0], 60))
			}
			return v
		}),
		fn("Character/digit", 2, 2, "(Character/digit c 10)", "the digit that a character is, -1 for none", func(t *data.Thread, a []value) value {
			c, radix := char(t, "Character/digit", a[0]), integer(t, "Character/digit", a[1])
			n, err := strconv.ParseInt(data.CharText(c), int(min(max(radix, 2), 36)), 64)
			if err != nil || c == '-' || c == '+' {
				return data.Int(-1)
			}
			return data.Int(n)
		}),
		charTest("Character/isDigit", unicode.IsDigit), charTest("Character/isLetter", unicode.IsLetter),
		charTest("Character/isLetterOrDigit", func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }),
		charTest("Character/isUpperCase", unicode.IsUpper), charTest("Character/isLowerCase", unicode.IsLower),
		charTest("Character/isWhitespace", javaBlank),
		fn("Integer/toString", 1, 2, "(Integer/toString n radix)", "an integer as text", inRadix), fn("Long/toString", 1, 2, "(Long/toString n radix)", "an integer as text", inRadix),
		fn("Integer/toBinaryString", 1, 1, "(Integer/toBinaryString n)", "an integer in binary", func(t *data.Thread, a []value) value {
			return data.String(strconv.FormatUint(uint64(uint32(integer(t, "toBinaryString", a[0]))), 2))
		}),
		fn("Long/toBinaryString", 1, 1, "(Long/toBinaryString n)", "an integer in binary", func(t *data.Thread, a []value) value {
			return data.String(strconv.FormatUint(uint64(integer(t, "toBinaryString", a[0])), 2))
		}),
		fn("Integer/toHexString", 1, 1, "(Integer/toHexString n)", "an integer in hexadecimal", func(t *data.Thread, a []value) value {
			return data.String(strconv.FormatUint(uint64(uint32(integer(t, "toHexString", a[0]))), 16))
		}),
		fn("String/valueOf", 1, 1, "(String/valueOf x)", "a value as text", str),
		fn("String/join", 2, 2, "(String/join sep coll)", "the elements as one text", join),
		fn("String/format", 1, any, "(String/format \"%d\" x …)", "a text with values in it", func(t *data.Thread, a []value) value {
			return data.String(formatted(t, text(t, "format", a[0]), a[1:]))
		}),
	)
	return all
}

// constants are the fields of Java's classes that programs read.
var constants = map[string]value{
	"Math/PI": data.Float(math.Pi), "Math/E": data.Float(math.E), "clojure.math/PI": data.Float(math.Pi), "clojure.math/E": data.Float(math.E),
	"Long/MAX_VALUE": data.Int(math.MaxInt64), "Long/MIN_VALUE": data.Int(math.MinInt64),
	"Integer/MAX_VALUE": data.Int(math.MaxInt32), "Integer/MIN_VALUE": data.Int(math.MinInt32),
	"Double/MAX_VALUE": data.Float(math.MaxFloat64), "Double/POSITIVE_INFINITY": data.Float(math.Inf(1)), "Double/NEGATIVE_INFINITY": data.Float(math.Inf(-1)), "Double/NaN": data.Float(math.NaN()),
}

// tableOf has the functions that others stand for.
var tableOf = func() map[string]*data.Native {
	out := map[string]*data.Native{}
	for _, n := range numbers() {
		out[n.Name] = n
	}
	return out
}()

func sgn(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

func float(t *data.Thread, name string, v value) float64 {
	if !v.IsNumber() {
		data.NumberFault(t, name, v)
	}
	return data.ToFloat(v)
}

func char(t *data.Thread, name string, v value) uint16 {
	c, ok := v.Char()
	if !ok {
		wants(t, name, "a character", v)
	}
	return c
}

// round is Math.round: halves go up.
func round(t *data.Thread, v value) value {
	f := float(t, "Math/round", v)
	switch {
	case f != f:
		return data.Int(0)
	case f >= math.MaxInt64:
		return data.Int(math.MaxInt64)
	case f <= math.MinInt64:
		return data.Int(math.MinInt64)
	}
	down := math.Floor(f)
	if f-down >= 0.5 {
		down++
	}
	return data.Int(int64(down))
}

func parsing(name string) *data.Native {
	return fn(name, 1, 2, "("+name+" s)", "the integer that a text writes", func(t *data.Thread, a []value) value {
		base := int64(10)
		if len(a) == 2 {
			base = integer(t, name, a[1])
		}
		s, ok := a[0].Text()
		if !ok && a[0].IsInteger() {
			return a[0]
		}
		n, err := strconv.ParseInt(s, int(min(max(base, 2), 36)), 64)
		if !ok || err != nil {
			data.ThrowHint("NumberFormatException", "For input string: "+data.Brief(t, a[0], 60), "parse-long gives nil for what is no integer.")
		}
		return data.Int(n)
	})
}

func charTest(name string, is func(r rune) bool) *data.Native {
	return fn(name, 1, 1, "("+name+" c)", "whether a character is of a kind", func(t *data.Thread, a []value) value {
		return data.Bool(is(rune(char(t, name, a[0]))))
	})
}

func inRadix(t *data.Thread, a []value) value {
	base := int64(10)
	if len(a) == 2 {
		base = integer(t, "toString", a[1])
	}
	return data.String(strconv.FormatInt(integer(t, "toString", a[0]), int(min(max(base, 2), 36))))
}
