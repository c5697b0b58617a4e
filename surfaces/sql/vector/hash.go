package vector

import (
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// seed makes the places of texts in hash tables differ from process to process,
// so that no data can be made to collide. No order ever depends on a hash.
var seed = maphash.MakeSeed()

func mix(x uint64) uint64 {
	high, low := bits.Mul64(x^0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)
	return high ^ low
}

const nullHash = 0x5851F42D4C957F2D

// Hash combines into out[k] the hash of row rows[k], for all k; nil rows are
// 0..len(out). Values that [Equal] finds the same hash the same.
func Hash(c *Column, rows []int32, out []uint64) {
	if rows == nil {
		hashAll(c, out)
		return
	}
	switch {
	case c.Const:
		h := HashRow(c, 0)
		for k := range out {
			out[k] = mix(out[k] ^ h)
		}
	case c.Class == ClassInt && c.Nulls == nil:
		for k, r := range rows {
			out[k] = mix(out[k] ^ mix(uint64(c.Ints[r])))
		}
	case c.Class == ClassText && c.Nulls == nil && c.Type != pgcat.Bpchar:
		for k, r := range rows {
			out[k] = mix(out[k] ^ maphash.String(seed, c.Texts[r]))
		}
	default:
		for k, r := range rows {
			out[k] = mix(out[k] ^ HashRow(c, int(r)))
		}
	}
}

func hashAll(c *Column, out []uint64) {
	switch {
	case c.Const:
		h := HashRow(c, 0)
		for k := range out {
			out[k] = mix(out[k] ^ h)
		}
	case c.Class == ClassInt && c.Nulls == nil:
		for k, v := range c.Ints[:len(out)] {
			out[k] = mix(out[k] ^ mix(uint64(v)))
		}
	case c.Class == ClassText && c.Nulls == nil && c.Type != pgcat.Bpchar:
		for k, v := range c.Texts[:len(out)] {
			out[k] = mix(out[k] ^ maphash.String(seed, v))
		}
	default:
		for k := range out {
			out[k] = mix(out[k] ^ HashRow(c, k))
		}
	}
}

// HashRow hashes one row.
func HashRow(c *Column, row int) uint64 {
	if c.Null(row) {
		return nullHash
	}
	i := c.At(row)
	switch c.Class {
	case ClassBool:
		return hashBool(c.Bools[i])
	case ClassInt:
		return mix(uint64(c.Ints[i]))
	case ClassFloat:
		return hashFloat(c.Floats[i])
	case ClassNumeric:
		return hashNumeric(c.Numerics[i])
	case ClassText:
		return hashText(c.Type, c.Texts[i])
	case ClassInterval:
		return hashInterval(c.Intervals[i])
	}
	return hashObject(c.Objects[i])
}

// HashDatum hashes one value.
func HashDatum(d Datum) uint64 {
	switch v := d.Value.(type) {
	case nil:
		return nullHash
	case bool:
		return hashBool(v)
	case int64:
		return mix(uint64(v))
	case float64:
		return hashFloat(v)
	case pgtype.Numeric:
		return hashNumeric(v)
	case string:
		return hashText(d.Type, v)
	case pgtype.Interval:
		return hashInterval(v)
	}
	return hashObject(d.Value)
}

func hashBool(v bool) uint64 {
	if v {
		return mix(1)
	}
	return mix(0)
}

func hashFloat(v float64) uint64 {
	switch {
	case v == 0:
		return mix(0)
	case math.IsNaN(v):
		return mix(7)
	}
	return mix(math.Float64bits(v))
}

func hashNumeric(v pgtype.Numeric) uint64 { return mix(v.Hash()) }

func hashText(t pgcat.OID, v string) uint64 {
	if t == pgcat.Bpchar {
		v = pgtype.TrimBpchar(v)
	}
	return maphash.String(seed, v)
}

func hashInterval(v pgtype.Interval) uint64 {
	high, low := span(v)
	return mix(low ^ mix(uint64(high)))
}

func hashObject(v any) uint64 {
	switch x := v.(type) {
	case Object:
		return x.Hash()
	case pgtype.Timetz:
		return mix(uint64(x.Micros) ^ mix(uint64(x.Zone)))
	}
	return 0
}

const dayMicros = 86_400_000_000

// span gives an interval's length in microseconds, in 128 bits.
func span(v pgtype.Interval) (high int64, low uint64) {
	days := int64(v.Months)*30 + int64(v.Days)
	negative := days < 0
	if negative {
		days = -days
	}
	h, l := bits.Mul64(uint64(days), dayMicros)
	if negative {
		var borrow uint64
		l, borrow = bits.Sub64(0, l, 0)
		h, _ = bits.Sub64(0, h, borrow)
	}
	l, carry := bits.Add64(l, uint64(v.Micros), 0)
	h, _ = bits.Add64(h, uint64(v.Micros>>63), carry)
	return int64(h), l
}
