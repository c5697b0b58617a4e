package toolfn

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/toolfn/value"
)

// maxExponent bounds the numbers that exact arithmetic is done with: 1e1000000
// is ten bytes as text and a megabyte as an integer.
const maxExponent = 1000

// numbers compiles the numeric bounds of a schema, with the digits that
// ParseSchema kept where a float64 rounds them.
func numbers(s *jsonschema.Schema) *numberRules {
	exact, _ := s.Extra[exactKey].(*value.Object)
	end := func(key string, f *float64, exclusive bool) bound {
		if f == nil {
			return bound{}
		}
		if v, ok := exact.Get(key); ok {
			return bound{value: v, float: *f, exclusive: exclusive}
		}
		return bound{value: *f, float: *f, exclusive: exclusive, exact: true}
	}
	r := &numberRules{min: end("minimum", s.Minimum, false), max: end("maximum", s.Maximum, false)}
	if lo := end("exclusiveMinimum", s.ExclusiveMinimum, true); lo.value != nil && (r.min.value == nil || compare(lo.value, r.min.value) >= 0) {
		r.min = lo
	}
	if hi := end("exclusiveMaximum", s.ExclusiveMaximum, true); hi.value != nil && (r.max.value == nil || compare(hi.value, r.max.value) <= 0) {
		r.max = hi
	}
	if s.MultipleOf != nil {
		r.multipleOf = *s.MultipleOf
		if v, ok := exact.Get("multipleOf"); ok {
			r.multipleOf = v
		}
	}
	return r
}

// number checks a number against bounds.
func (w *walker) number(r *numberRules, v value.Value) bool {
	if c, ok := r.min.compare(v); ok && (c < 0 || c == 0 && r.min.exclusive) {
		return w.report != nil && w.outOfRange(r, v)
	}
	if c, ok := r.max.compare(v); ok && (c > 0 || c == 0 && r.max.exclusive) {
		return w.report != nil && w.outOfRange(r, v)
	}
	if r.multipleOf != nil && !multiple(v, r.multipleOf) {
		return w.report != nil && w.notMultiple(r, v)
	}
	return true
}

// safeInteger is the largest magnitude up to which every integer is a float64.
const safeInteger = 1 << 53

// compare gives the sign of v minus the bound; false if the end is open.
func (b *bound) compare(v value.Value) (int, bool) {
	if b.value == nil {
		return 0, false
	}
	if b.exact {
		switch v := v.(type) {
		case int64:
			if -safeInteger <= v && v <= safeInteger {
				return sign(float64(v), b.float), true
			}
		case float64:
			return sign(v, b.float), true
		}
	}
	return compare(v, b.value), true
}

func sign(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compare compares two numbers by what they denote.
func compare(a, b value.Value) int {
	x, okX := rational(a)
	y, okY := rational(b)
	if okX && okY {
		return x.Cmp(y)
	}
	// A number beyond exact arithmetic differs from one within it by its
	// magnitude, which a float64 shows.
	f, _ := magnitude(a)
	g, _ := magnitude(b)
	return sign(f, g)
}

// magnitude gives a number's float64, infinite where it is too large.
func magnitude(v value.Value) (float64, bool) {
	if n, ok := v.(json.Number); ok {
		f, _ := strconv.ParseFloat(string(n), 64)
		return f, true
	}
	if n, ok := v.(*big.Int); ok {
		f, _ := new(big.Float).SetInt(n).Float64()
		return f, true
	}
	return float(v)
}

// rational gives a number's decimal value exactly: that of a float64 is the
// shortest decimal that denotes it, which is what its author wrote.
func rational(v value.Value) (*big.Rat, bool) {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v), true
	case *big.Int:
		return new(big.Rat).SetInt(v), true
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		return new(big.Rat).SetString(strconv.FormatFloat(v, 'e', -1, 64))
	case json.Number:
		if !withinExponent(string(v)) {
			return nil, false
		}
		return new(big.Rat).SetString(string(v))
	}
	return nil, false
}

func withinExponent(text string) bool {
	if len(text) > 4*maxExponent {
		return false
	}
	_, e, ok := strings.Cut(strings.ToLower(text), "e")
	if !ok {
		return true
	}
	n, err := strconv.Atoi(e)
	return err == nil && -maxExponent <= n && n <= maxExponent
}

// multiple reports whether v is a whole multiple of m, as decimals.
func multiple(v, m value.Value) bool {
	if a, ok := v.(int64); ok {
		if f, ok := m.(float64); ok && f == math.Trunc(f) && f < safeInteger {
			return a%int64(f) == 0
		}
	}
	x, okX := rational(v)
	y, okY := rational(m)
	if !okX || !okY || y.Sign() == 0 {
		return okX == okY
	}
	return x.Quo(x, y).IsInt()
}

// wholeNumber gives the integer that a number denotes, if it denotes one.
func wholeNumber(v value.Value) (value.Value, bool) {
	switch v := v.(type) {
	case int64, *big.Int:
		return v, true
	case float64:
		if v != math.Trunc(v) || math.IsInf(v, 0) {
			return nil, false
		}
		if -safeInteger <= v && v <= safeInteger {
			return int64(v), true
		}
		n, _ := new(big.Float).SetFloat64(v).Int(nil)
		return value.FromBig(n), true
	case json.Number:
		r, ok := rational(v)
		if !ok || !r.IsInt() {
			return nil, false
		}
		return value.FromBig(new(big.Int).Set(r.Num())), true
	}
	return nil, false
}
