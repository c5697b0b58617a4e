package library

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/lisp/data"
)

// predicates are the functions that ask what a value is.
func predicates() []*data.Native {
	kind := func(name, doc string, is func(v value) bool) *data.Native {
		return fn(name, 1, 1, "("+name+" x)", doc, func(_ *data.Thread, a []value) value { return data.Bool(is(a[0])) })
	}
	of := func(kinds ...data.Kind) func(v value) bool {
		return func(v value) bool {
			for _, k := range kinds {
				if v.Kind() == k {
					return true
				}
			}
			return false
		}
	}
	qualified := func(v value) bool { n := v.Named(); return n != nil && n.Space != "" }
	return []*data.Native{
		kind("nil?", "x is nil", value.IsNil),
		notNil.Unbox().(*data.Native),
		kind("true?", "x is true", func(v value) bool { return v == data.True }),
		kind("false?", "x is false", func(v value) bool { return v == data.False }),
		kind("boolean?", "x is true or false", of(data.KindBool)),
		kind("boolean", "whether x counts as true", value.Truthy),
		kind("not", "whether x is nil or false", func(v value) bool { return !v.Truthy() }),
		kind("any?", "true", func(value) bool { return true }),
		kind("number?", "x is a number", value.IsNumber),
		kind("integer?", "x is an integer", value.IsInteger),
		kind("int?", "x is an integer of 64 bits", of(data.KindInt)),
		kind("pos-int?", "x is a positive integer", func(v value) bool { n, ok := v.Int(); return ok && n > 0 }),
		kind("neg-int?", "x is a negative integer", func(v value) bool { n, ok := v.Int(); return ok && n < 0 }),
		kind("nat-int?", "x is an integer that is not negative", func(v value) bool { n, ok := v.Int(); return ok && n >= 0 }),
		kind("ratio?", "x is a ratio", of(data.KindRatio)),
		kind("rational?", "x is an integer or a ratio", of(data.KindInt, data.KindBig, data.KindRatio)),
		kind("decimal?", "x is a decimal: there are none", func(value) bool { return false }),
		kind("float?", "x is a double", of(data.KindFloat)),
		kind("double?", "x is a double", of(data.KindFloat)),
		kind("NaN?", "x is not a number", func(v value) bool { f, ok := v.Float(); return ok && math.IsNaN(f) }),
		kind("infinite?", "x is infinite", func(v value) bool { f, ok := v.Float(); return ok && math.IsInf(f, 0) }),
		kind("string?", "x is a string", of(data.KindString)),
		kind("char?", "x is a character", of(data.KindChar)),
		kind("keyword?", "x is a keyword", of(data.KindKeyword)),
		kind("symbol?", "x is a symbol", of(data.KindSymbol)),
		kind("ident?", "x is a keyword or symbol", of(data.KindKeyword, data.KindSymbol)),
		kind("simple-keyword?", "x is a keyword without a namespace", func(v value) bool { return v.IsKeyword() && !qualified(v) }),
		kind("qualified-keyword?", "x is a keyword with a namespace", func(v value) bool { return v.IsKeyword() && qualified(v) }),
		kind("map?", "x is a map", of(data.KindMap)),
		kind("vector?", "x is a vector", of(data.KindVector)),
		kind("set?", "x is a set", of(data.KindSet)),
		kind("list?", "x is a list", data.IsList),
		kind("seq?", "x is a sequence", data.IsSeq),
		kind("sequential?", "x is a sequence or vector", data.Sequential),
		kind("seqable?", "x can be read as a sequence", data.Seqable),
		kind("coll?", "x is a collection", func(v value) bool { return data.Seqable(v) && !v.IsNil() && v.Kind() != data.KindString }),
		kind("associative?", "x is a map or vector", of(data.KindMap, data.KindVector)),
		kind("counted?", "count of x takes no walk", func(v value) bool {
			switch v.Kind() {
			case data.KindVector, data.KindMap, data.KindSet:
				return true
			}
			return data.IsList(v)
		}),
		kind("sorted?", "x is sorted", func(v value) bool {
			if m := v.Map(); m != nil {
				return m.Sorted()
			}
			s := v.Set()
			return s != nil && s.Sorted()
		}),
		kind("reversible?", "x can be read from its end", func(v value) bool {
			m, s := v.Map(), v.Set()
			return v.Kind() == data.KindVector || m != nil && m.Sorted() || s != nil && s.Sorted()
		}),
		kind("fn?", "x is a function", of(data.KindFn)),
		kind("ifn?", "x can be called", func(v value) bool {
			switch v.Kind() {
			case data.KindFn, data.KindKeyword, data.KindSymbol, data.KindMap, data.KindSet, data.KindVector:
				return true
			}
			return false
		}),
		fn("=", 1, any, "(= a b …)", "whether the values are equal", func(t *data.Thread, a []value) value {
			for i := 1; i < len(a); i++ {
				if !data.Equal(t, a[i-1], a[i]) {
					return data.False
				}
			}
			return data.True
		}),
		fn("not=", 1, any, "(not= a b …)", "whether not all values are equal", func(t *data.Thread, a []value) value {
			for i := 1; i < len(a); i++ {
				if !data.Equal(t, a[i-1], a[i]) {
					return data.True
				}
			}
			return data.False
		}),
		fn("identical?", 2, 2, "(identical? a b)", "whether a and b are the same object", func(t *data.Thread, a []value) value {
			if a[0].IsKeyword() {
				return data.Bool(data.Equal(t, a[0], a[1]))
			}
			return data.Bool(data.Identical(a[0], a[1]))
		}),
		fn("distinct?", 1, any, "(distinct? a b …)", "whether no two values are equal", func(t *data.Thread, a []value) value {
			return data.Bool(data.SetOf(t, a...).Len() == len(a))
		}),
		fn("hash", 1, 1, "(hash x)", "the hash of x", func(t *data.Thread, a []value) value {
			return data.Int(int64(int32(data.Hash(t, a[0]))))
		}),
	}
}
