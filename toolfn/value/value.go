// Package value is plain data: the only thing that crosses between a surface,
// the dispatcher and a tool. It knows no schema, no language and no transport.
//
// A [Value] is one of
//
//	nil, bool, int64, *big.Int, float64, [json.Number], string, []Value, *[Object]
//
// An integer that fits is an int64, any other integer a *big.Int, so integers
// keep every digit. A number with a fraction or an exponent is a float64 where
// the float64 denotes the same decimal, and a json.Number where it would not.
package value

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Value is plain data, as the package comment lists it.
type Value = any

// Kind names the kind of a value in words that a model knows: null, boolean,
// integer, number, string, array, object.
func Kind(v Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case int64, *big.Int:
		return "integer"
	case float64:
		if v == math.Trunc(v) && !math.IsInf(v, 0) {
			return "integer"
		}
		return "number"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []Value:
		return "array"
	case *Object:
		return "object"
	}
	return "unknown"
}

// Integer gives the int64 or *big.Int for an integer's digits.
func Integer(digits string) (Value, bool) {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return n, true
	}
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return nil, false
	}
	return FromBig(n), true
}

// FromBig gives the int64 for an integer that fits, else the *big.Int itself.
func FromBig(n *big.Int) Value {
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

// Number gives the value of a JSON number's text: exact in every case.
func Number(text string) (Value, bool) {
	if !strings.ContainsAny(text, ".eE") {
		if text == "-0" {
			return math.Copysign(0, -1), true
		}
		return Integer(text)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		if math.IsInf(f, 0) {
			return json.Number(text), true
		}
		return nil, false
	}
	if sameDecimal(text, strconv.FormatFloat(f, 'e', -1, 64)) {
		return f, true
	}
	return json.Number(text), true
}

// sameDecimal reports whether two decimal texts denote the same number.
func sameDecimal(a, b string) bool {
	da, ea, na := decimal(a)
	db, eb, nb := decimal(b)
	return da == db && (da == "" || ea == eb && na == nb)
}

// decimal splits a decimal text into its significant digits without zeros at
// either end, the exponent of the first digit, and its sign.
func decimal(s string) (digits string, exp int, negative bool) {
	if strings.HasPrefix(s, "-") {
		negative, s = true, s[1:]
	}
	mantissa, e, _ := strings.Cut(strings.ToLower(s), "e")
	if e != "" {
		n, err := strconv.Atoi(e)
		if err != nil {
			return s, 0, negative // an absurd exponent equals only its own text
		}
		exp = n
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	exp += len(whole)
	digits = whole + frac
	trimmed := strings.TrimLeft(digits, "0")
	exp -= len(digits) - len(trimmed)
	return strings.TrimRight(trimmed, "0"), exp, negative
}

// Size estimates how many bytes a value holds. It stops counting past most, so
// that its own work is bounded.
func Size(v Value, most int64) int64 {
	left := most
	size(v, &left, 0)
	return most - left
}

func size(v Value, left *int64, depth int) {
	if *left < 0 || depth > MaxDepth {
		return
	}
	switch v := v.(type) {
	case string:
		*left -= int64(len(v)) + 16
	case json.Number:
		*left -= int64(len(v)) + 16
	case *big.Int:
		*left -= 40
		if v != nil {
			*left -= int64(v.BitLen()) / 8
		}
	case []Value:
		*left -= int64(len(v))*16 + 24
		for _, e := range v {
			if size(e, left, depth+1); *left < 0 {
				return
			}
		}
	case *Object:
		if v == nil {
			*left -= 8
			return
		}
		*left -= int64(v.Len())*16 + 48
		for _, e := range v.vals {
			if size(e, left, depth+1); *left < 0 {
				return
			}
		}
	default:
		*left -= 8
	}
}
