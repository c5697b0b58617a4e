package realm

import (
	"math"
	"math/big"
	"strings"

	"github.com/dop251/goja"
)

// numberStyle is how a number is written: the options of Intl.NumberFormat that
// programs use, for the locales listed in localeOf.
type numberStyle struct {
	locale     locale
	style      string // decimal, percent, currency, unit
	currency   string
	display    string // of a currency: symbol, code, name, narrowSymbol
	unit       string
	unitText   string // short, narrow, long
	notation   string // standard, compact
	compact    string // short, long
	sign       string // auto, always, never, exceptZero
	grouping   bool
	minInteger int
	minFrac    int
	maxFrac    int
	minSig     int // 0: by fraction digits
	maxSig     int
}

// currencies are the symbols of en-US and the number of decimals.
var currencies = map[string]struct {
	symbol string
	digits int
}{
	"USD": {"$", 2}, "EUR": {"€", 2}, "GBP": {"£", 2}, "JPY": {"¥", 0}, "CNY": {"CN¥", 2}, "INR": {"₹", 2}, "KRW": {"₩", 0},
	"CAD": {"CA$", 2}, "AUD": {"A$", 2}, "MXN": {"MX$", 2}, "BRL": {"R$", 2}, "NZD": {"NZ$", 2}, "ILS": {"₪", 2}, "VND": {"₫", 0},
	"HKD": {"HK$", 2}, "TWD": {"NT$", 2}, "PHP": {"₱", 2}, "CHF": {"CHF", 2}, "SEK": {"SEK", 2}, "NOK": {"NOK", 2}, "DKK": {"DKK", 2},
	"PLN": {"PLN", 2}, "CZK": {"CZK", 2}, "HUF": {"HUF", 2}, "RUB": {"RUB", 2}, "TRY": {"TRY", 2}, "ZAR": {"ZAR", 2}, "SGD": {"SGD", 2},
	"THB": {"THB", 2}, "AED": {"AED", 2}, "SAR": {"SAR", 2}, "KWD": {"KWD", 3}, "CLP": {"CLP", 0}, "UAH": {"UAH", 2},
}

// units are the short and long names of the units that are offered.
var unitNames = map[string][3]string{ // short singular, long singular, long plural
	"byte": {"byte", "byte", "bytes"}, "kilobyte": {"kB", "kilobyte", "kilobytes"}, "megabyte": {"MB", "megabyte", "megabytes"},
	"gigabyte": {"GB", "gigabyte", "gigabytes"}, "terabyte": {"TB", "terabyte", "terabytes"},
	"second": {"sec", "second", "seconds"}, "minute": {"min", "minute", "minutes"}, "hour": {"hr", "hour", "hours"},
	"day": {"day", "day", "days"}, "meter": {"m", "meter", "meters"}, "kilometer": {"km", "kilometer", "kilometers"},
	"kilogram": {"kg", "kilogram", "kilograms"}, "gram": {"g", "gram", "grams"}, "liter": {"L", "liter", "liters"},
	"celsius": {"°C", "degree Celsius", "degrees Celsius"}, "percent": {"%", "percent", "percent"}, "mile": {"mi", "mile", "miles"},
}

// options reads an options argument.
type options struct {
	r *Realm
	o *goja.Object
}

func (r *Realm) optionsOf(v goja.Value) options {
	if v == nil || goja.IsUndefined(v) {
		return options{r: r}
	}
	return options{r, r.object(v)}
}

func (o options) get(name string) (goja.Value, bool) {
	if o.o == nil {
		return nil, false
	}
	v := o.o.Get(name)
	return v, v != nil && !goja.IsUndefined(v)
}

// text reads an option that is one of some words.
func (o options) text(name, other string, words ...string) string {
	v, ok := o.get(name)
	if !ok {
		return other
	}
	s := o.r.str(v).String()
	for _, w := range words {
		if s == w {
			return s
		}
	}
	if len(words) > 0 {
		o.r.rangeError("Value %s out of range for Intl options property %s. Available here: %s.", clipName(s), name, strings.Join(words, ", "))
	}
	return s
}

// count reads an option that is a whole number; ok tells whether it was given.
func (o options) count(name string, low, high int) (n int, ok bool) {
	v, ok := o.get(name)
	if !ok {
		return 0, false
	}
	f := o.r.num(v)
	if !(f >= float64(low) && f <= float64(high)) {
		o.r.rangeError("%s value is out of range.", name)
	}
	return int(f), true
}

// numberFormat reads the arguments of toLocaleString.
func (r *Realm) numberFormat(locales, opts goja.Value) *numberStyle {
	o := r.optionsOf(opts)
	s := &numberStyle{locale: r.localeOf(locales)}
	s.style = o.text("style", "decimal", "decimal", "percent", "currency", "unit")
	if s.currency = strings.ToUpper(o.text("currency", "")); s.style == "currency" && s.currency == "" {
		r.typeError("Currency code is required with currency style.")
	}
	if s.currency != "" && (len(s.currency) != 3 || strings.Trim(s.currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		r.rangeError("Invalid currency code : %s", clipName(s.currency))
	}
	s.display = o.text("currencyDisplay", "symbol", "symbol", "code", "narrowSymbol")
	if s.unit = o.text("unit", ""); s.style == "unit" {
		if _, ok := unitNames[s.unit]; !ok {
			r.rangeError("The unit '%s' is not available here; write it after the number.", clipName(s.unit))
		}
	}
	s.unitText = o.text("unitDisplay", "short", "short", "narrow", "long")
	s.notation = o.text("notation", "standard", "standard", "compact")
	s.compact = o.text("compactDisplay", "short", "short", "long")
	s.sign = o.text("signDisplay", "auto", "auto", "always", "never", "exceptZero", "negative")
	s.grouping = true
	if v, ok := o.get("useGrouping"); ok {
		s.grouping = v.ToBoolean() && v.String() != "false"
	}
	s.minInteger = 1
	if n, ok := o.count("minimumIntegerDigits", 1, 21); ok {
		s.minInteger = n
	}
	s.digits(o)
	return s
}

// digits resolves the number of digits: ECMA-402 SetNumberFormatDigitOptions.
func (s *numberStyle) digits(o options) {
	low, high := 0, 3
	switch {
	case s.style == "currency":
		low = 2
		if c, ok := currencies[s.currency]; ok {
			low = c.digits
		}
		high = low
	case s.style == "percent":
		high = 0
	}
	if s.notation == "compact" {
		low, high = 0, 0
	}
	minSig, hasMin := o.count("minimumSignificantDigits", 1, 21)
	maxSig, hasMax := o.count("maximumSignificantDigits", 1, 21)
	if hasMin || hasMax {
		s.minSig, s.maxSig = 1, 21
		if hasMin {
			s.minSig = minSig
		}
		if hasMax {
			s.maxSig = maxSig
		}
		if s.minSig > s.maxSig {
			o.r.rangeError("maximumSignificantDigits value is out of range.")
		}
		return
	}
	minFrac, hasMinFrac := o.count("minimumFractionDigits", 0, 100)
	maxFrac, hasMaxFrac := o.count("maximumFractionDigits", 0, 100)
	switch {
	case hasMinFrac && hasMaxFrac:
		if minFrac > maxFrac {
			o.r.rangeError("maximumFractionDigits value is out of range.")
		}
		low, high = minFrac, maxFrac
	case hasMinFrac:
		low, high = minFrac, max(high, minFrac)
	case hasMaxFrac:
		low, high = min(low, maxFrac), maxFrac
	case s.notation == "compact":
		s.minSig, s.maxSig = 1, 2 // two digits, more only before the point
	}
	s.minFrac, s.maxFrac = low, high
}

// format writes a number.
func (s *numberStyle) format(f float64) string {
	negative := math.Signbit(f) && f == f
	f = math.Abs(f)
	if s.style == "percent" {
		f = scale100(f)
	}
	body, zero := "", false
	switch {
	case f != f:
		body = "NaN"
	case math.IsInf(f, 0):
		body = "∞"
	case s.notation == "compact":
		body, zero = s.compactText(f)
	default:
		var digits string
		digits, zero = s.round(f)
		body = s.group(digits)
	}
	return s.affix(body, f, negative, zero)
}

// scale100 multiplies by a hundred in decimal, so that 0.285 is 28.5 and not
// 28.499….
func scale100(f float64) float64 {
	x, ok := new(big.Rat).SetString(numberText(f))
	if !ok {
		return f * 100
	}
	g, _ := x.Mul(x, big.NewRat(100, 1)).Float64()
	return g
}

// round gives the decimal digits of a number: rounded half away from zero in its
// shortest decimal form, as ICU does.
func (s *numberStyle) round(f float64) (text string, zero bool) {
	if s.maxSig > 0 && !(s.notation == "compact" && f >= 100) {
		return significant(f, s.minSig, s.maxSig)
	}
	return fraction(f, s.minFrac, s.maxFrac)
}

// decimalOf gives the shortest decimal digits of a number and the place of the
// point: 0.digits × 10^exp.
func decimalOf(f float64) (digits string, exp int) {
	if f == 0 {
		return "", 0
	}
	text := big.NewFloat(f).Text('e', -1)
	mantissa, e, _ := strings.Cut(text, "e")
	digits = strings.Replace(mantissa, ".", "", 1)
	for _, c := range e[1:] {
		exp = exp*10 + int(c-'0')
	}
	if e[0] == '-' {
		exp = -exp
	}
	return strings.TrimRight(digits, "0"), exp + 1
}

// cut rounds digits to keep the first n, half away from zero, and gives the carry.
func cut(digits string, exp, n int) (string, int) {
	if n < 0 {
		return "", exp
	}
	if n >= len(digits) {
		return digits, exp
	}
	up := digits[n] >= '5'
	kept := []byte(digits[:n])
	if up {
		i := n - 1
		for i >= 0 && kept[i] == '9' {
			kept[i] = '0'
			i--
		}
		if i >= 0 {
			kept[i]++
		} else {
			kept = append([]byte{'1'}, kept...)
			exp++
		}
	}
	return strings.TrimRight(string(kept), "0"), exp
}

func fraction(f float64, low, high int) (string, bool) {
	digits, exp := decimalOf(f)
	digits, exp = cut(digits, exp, exp+high)
	return plainDecimal(digits, exp, low), digits == ""
}

func significant(f float64, low, high int) (string, bool) {
	digits, exp := decimalOf(f)
	digits, exp = cut(digits, exp, high)
	if digits == "" {
		exp = 1
	}
	return plainDecimal(digits, exp, max(0, low-exp)), digits == ""
}

// plainDecimal writes digits with at least low decimals.
func plainDecimal(digits string, exp, low int) string {
	whole, frac := "0", ""
	switch {
	case digits == "":
	case exp <= 0:
		frac = strings.Repeat("0", -exp) + digits
	case exp >= len(digits):
		whole = digits + strings.Repeat("0", exp-len(digits))
	default:
		whole, frac = digits[:exp], digits[exp:]
	}
	for len(frac) < low {
		frac += "0"
	}
	if frac == "" {
		return whole
	}
	return whole + "." + frac
}

// group writes digits with the locale's separators.
func (s *numberStyle) group(digits string) string {
	whole, frac, point := strings.Cut(digits, ".")
	for len(whole) < s.minInteger {
		whole = "0" + whole
	}
	if s.grouping && !(s.locale.fourTogether && len(whole) == 4) {
		whole = s.locale.group(whole)
	}
	if point {
		return whole + s.locale.point + frac
	}
	return whole
}

// compactText writes a number with K, M, B or T.
func (s *numberStyle) compactText(f float64) (string, bool) {
	short := [5]string{"", "K", "M", "B", "T"}
	long := [5]string{"", " thousand", " million", " billion", " trillion"}
	k := 0
	for g := f; k < 4; k++ {
		digits, _ := s.round(g)
		whole, _, _ := strings.Cut(digits, ".")
		if len(whole) <= 3 {
			break
		}
		g = f / math.Pow(1000, float64(k+1))
	}
	digits, zero := s.round(f / math.Pow(1000, float64(k)))
	suffix := short[k]
	if s.compact == "long" {
		suffix = long[k]
	}
	return s.group(digits) + suffix, zero
}

// affix adds the sign, the currency, the unit or the percent sign.
func (s *numberStyle) affix(body string, f float64, negative, zero bool) string {
	sign := ""
	switch s.sign {
	case "auto":
		if negative {
			sign = "-"
		}
	case "negative":
		if negative && !zero {
			sign = "-"
		}
	case "always":
		sign = map[bool]string{true: "-", false: "+"}[negative]
	case "exceptZero":
		if !zero && f == f {
			sign = map[bool]string{true: "-", false: "+"}[negative]
		}
	}
	if sign == "-" && s.locale.minus != "" {
		sign = s.locale.minus
	}
	switch s.style {
	case "percent":
		return sign + body + s.locale.percent
	case "currency":
		symbol := s.symbol()
		if s.locale.currencyAfter {
			return sign + body + "\u00a0" + symbol
		}
		if letters := len(symbol) > 0 && symbol[len(symbol)-1] >= 'A' && symbol[len(symbol)-1] <= 'Z'; letters {
			symbol += "\u00a0"
		}
		return sign + symbol + body
	case "unit":
		return sign + body + s.unitSuffix(body)
	}
	return sign + body
}

func (s *numberStyle) symbol() string {
	if s.display == "code" {
		return s.currency
	}
	symbol := s.currency
	if c, ok := currencies[s.currency]; ok {
		symbol = c.symbol
	}
	if s.display == "narrowSymbol" {
		if i := strings.IndexAny(symbol, "$¥"); i >= 0 {
			return symbol[i:]
		}
	}
	return symbol
}

func (s *numberStyle) unitSuffix(body string) string {
	names := unitNames[s.unit]
	switch s.unitText {
	case "long":
		if body == "1" {
			return " " + names[1]
		}
		return " " + names[2]
	case "narrow":
		switch s.unit {
		case "second", "minute", "hour", "day":
			return s.unit[:1]
		case "byte":
			return "B"
		case "celsius", "percent":
			return names[0]
		}
		return names[0]
	}
	switch s.unit {
	case "celsius", "percent":
		return names[0]
	case "day":
		if body != "1" {
			return " days"
		}
	}
	return " " + names[0]
}
