package value

import (
	"encoding/json"
	"math/big"
)

// Equal compares two values: numbers by what they denote, arrays in order,
// objects by key whatever the order. NaN equals nothing.
func Equal(a, b Value) bool { return equal(a, b, 0) }

func equal(a, b Value, depth int) bool {
	if depth > MaxDepth {
		return false
	}
	switch x := a.(type) {
	case nil:
		return b == nil
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	case string:
		y, ok := b.(string)
		return ok && x == y
	case int64:
		if y, ok := b.(int64); ok {
			return x == y
		}
	case []Value:
		y, ok := b.([]Value)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i], depth+1) {
				return false
			}
		}
		return true
	case *Object:
		y, ok := b.(*Object)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for k, v := range x.All() {
			w, ok := y.Get(k)
			if !ok || !equal(v, w, depth+1) {
				return false
			}
		}
		return true
	}
	p, ok := rational(a)
	q, ok2 := rational(b)
	if !ok || !ok2 {
		// Only a decimal too large to compute with: the same text is the same number.
		x, isDecimal := a.(json.Number)
		y, ok := b.(json.Number)
		return isDecimal && ok && sameDecimal(string(x), string(y))
	}
	return p.Cmp(q) == 0
}

// rational gives a number's exact value. A decimal with an exponent beyond ±1000
// is left out: it would take more memory than a comparison is worth.
func rational(v Value) (*big.Rat, bool) {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v), true
	case *big.Int:
		return new(big.Rat).SetInt(v), true
	case float64:
		r := new(big.Rat).SetFloat64(v)
		return r, r != nil
	case json.Number:
		if _, exp, _ := decimal(string(v)); exp > 1000 || exp < -1000 || len(v) > 10_000 {
			return nil, false
		}
		return new(big.Rat).SetString(string(v))
	}
	return nil, false
}

// Copy gives a deep copy, which shares nothing that can be changed.
func Copy(v Value) Value {
	switch v := v.(type) {
	case []Value:
		list := make([]Value, len(v))
		for i, e := range v {
			list[i] = Copy(e)
		}
		return list
	case *Object:
		if v == nil {
			return v
		}
		v.keys.shared.Store(true)
		vals := make([]Value, len(v.vals))
		for i, e := range v.vals {
			vals[i] = Copy(e)
		}
		return &Object{keys: v.keys, vals: vals}
	}
	return v
}
