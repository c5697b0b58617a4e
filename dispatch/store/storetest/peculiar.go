package storetest

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Peculiar gives values that are easily changed on the way to a store and back.
func Peculiar() []value.Value {
	big1, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	odd := value.NewObject(2)
	odd.Set("\u0001float", "NaN")
	odd.Set("k\xff", []value.Value{math.NaN(), odd2()})
	return []value.Value{
		nil, true, "", int64(0), int64(math.MinInt64), 0.0, math.Copysign(0, -1), 1.0, 1e21, 1e-9, 0.1, math.MaxFloat64, math.SmallestNonzeroFloat64,
		math.NaN(), math.Inf(1), math.Inf(-1), big1, json.Number("0.1234567890123456789012345"), json.Number("1e400"),
		"a\x00b", "tab\tline\nend\r\n", "\xff\xfe", "\ud7ff\u2028", "\u0001float", `{"\u0001float":"NaN"}`, value.Of("\u0001bytes", "x"), value.Of("\u0001new", "x"), value.Of("", "\u0001"), odd,
		[]value.Value{},
		value.NewObject(0), value.Of("z", int64(1), "a", 2.0),
		[]value.Value{"\xff", nil, []value.Value{math.Inf(1)}},
		strings.Repeat("long", 2000),
		[]value.Value{strings.Repeat("\xfe", 5000), math.NaN()},
	}
}

func odd2() *value.Object { return value.Of("\u0001object", []value.Value{}) }

// Same reports whether two values are the same to the last bit, with their types
// and the order of their keys.
func Same(a, b value.Value) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && (math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b))
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a.Cmp(b) == 0
	case []value.Value:
		b, ok := b.([]value.Value)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !Same(a[i], b[i]) {
				return false
			}
		}
		return true
	case *value.Object:
		b, ok := b.(*value.Object)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if a.Key(i) != b.Key(i) || !Same(a.At(i), b.At(i)) {
				return false
			}
		}
		return true
	}
	return a == b
}
