package exec

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// sortKey is one key of an order, as a column of the rows that are sorted.
type sortKey struct {
	column     int
	descending bool
	nullsFirst bool
}

// ordering compares rows by keys.
type ordering struct {
	keys    []sortKey
	compare []vector.Comparator
}

func newOrdering(keys []sortKey, types []pgcat.OID) *ordering {
	o := &ordering{keys: keys}
	for _, k := range keys {
		o.compare = append(o.compare, vector.ComparatorOf(types[k.column]))
	}
	return o
}

// rows compares row i of some columns with row j of others.
func (o *ordering) rows(a []*vector.Column, i int, b []*vector.Column, j int) int {
	return o.from(0, a, i, b, j)
}

// from compares by the keys from the given one on.
func (o *ordering) from(first int, a []*vector.Column, i int, b []*vector.Column, j int) int {
	for n := first; n < len(o.keys); n++ {
		k := o.keys[n]
		x, y := a[k.column], b[k.column]
		xn, yn := x.Null(i), y.Null(j)
		if xn || yn {
			if xn == yn {
				continue
			}
			if xn == k.nullsFirst {
				return -1
			}
			return 1
		}
		if c := o.compare[n](x, x.At(i), y, y.At(j)); c != 0 {
			if k.descending {
				return -c
			}
			return c
		}
	}
	return 0
}

// entry is a row to be sorted with the beginnings of its first two keys as numbers
// that order as the keys do.
type entry struct {
	prefix, second uint64
	row            int32
}

// entryBytes is the size of an entry.
const entryBytes = 24

// sortBytes is what sorting n rows takes beside them.
func sortBytes(n int) int64 { return int64(n) * (entryBytes + 4) }

// permutation gives the rows of the columns in order; equal ones keep theirs.
func (o *ordering) permutation(x *run, columns []*vector.Column, n int) ([]int32, error) {
	if err := x.env.Meter.Alloc(sortBytes(n)); err != nil {
		return nil, err
	}
	order := make([]int32, n)
	if len(o.keys) == 0 {
		for i := range order {
			order[i] = int32(i)
		}
		return order, nil
	}
	entries := make([]entry, n)
	if err := o.sort(x, columns, entries, o.prefixed(columns, entries)); err != nil {
		return nil, err
	}
	for i, e := range entries {
		order[i] = e.row
	}
	x.env.Meter.Release(int64(n) * entryBytes)
	return order, nil
}

// prefixed fills in the numbers of the entries and tells how many keys are equal
// where the numbers are.
func (o *ordering) prefixed(columns []*vector.Column, entries []entry) (settled int) {
	if !o.prefixes(0, columns, entries, func(e *entry, p uint64) { e.prefix = p }) {
		return 0
	}
	if len(o.keys) == 1 || !o.prefixes(1, columns, entries, func(e *entry, p uint64) { e.second = p }) {
		return 1
	}
	return 2
}

// sort sorts entries, of which equal numbers mean that so many keys are equal.
func (o *ordering) sort(x *run, columns []*vector.Column, entries []entry, settled int) error {
	rest := settled < len(o.keys)
	// A comparison cannot fail: after the meter has, the entries are only brought
	// to an end by their numbers.
	var failed error
	count := 0
	slices.SortFunc(entries, func(a, b entry) int {
		if count++; count&1023 == 0 && failed == nil {
			failed = x.env.Meter.Charge(256)
		}
		if failed != nil {
			return int(a.row) - int(b.row)
		}
		if a.prefix != b.prefix {
			if a.prefix < b.prefix {
				return -1
			}
			return 1
		}
		if a.second != b.second {
			if a.second < b.second {
				return -1
			}
			return 1
		}
		if rest {
			if c := o.from(settled, columns, int(a.row), columns, int(b.row)); c != 0 {
				return c
			}
		}
		return int(a.row) - int(b.row)
	})
	return failed
}

// prefixes gives the numbers of a key and reports whether they hold all of it.
func (o *ordering) prefixes(key int, columns []*vector.Column, entries []entry, put func(e *entry, p uint64)) (exact bool) {
	k := o.keys[key]
	c := columns[k.column]
	prefix, exact := prefixer(c)
	hasNulls := c.Nulls != nil
	for i := range entries {
		e := &entries[i]
		e.row = int32(i)
		if hasNulls && c.Null(i) {
			if k.nullsFirst {
				put(e, 0)
			} else {
				put(e, math.MaxUint64)
			}
			continue
		}
		p := prefix(c.At(i))
		if k.descending {
			p = ^p
		}
		put(e, p)
		// The ends are for NULLs: a value that would be there is told apart by
		// comparing.
		if hasNulls && (p == 0 || p == math.MaxUint64) {
			exact = false
		}
	}
	return exact
}

// prefixer gives, for the cells of a column, numbers that are never above those of
// greater values, and whether equal numbers mean equal values.
func prefixer(c *vector.Column) (prefix func(i int) uint64, exact bool) {
	switch {
	case c.Class == vector.ClassBool:
		return func(i int) uint64 {
			if c.Bools[i] {
				return 2
			}
			return 1
		}, true
	case c.Class == vector.ClassInt:
		return func(i int) uint64 { return uint64(c.Ints[i]) ^ 1<<63 }, true
	case c.Class == vector.ClassFloat:
		return func(i int) uint64 { return floatPrefix(c.Floats[i]) }, true
	case c.Class == vector.ClassNumeric:
		return numericPrefixer(c)
	case c.Type == pgcat.Bpchar:
		return func(i int) uint64 { return textPrefix(pgtype.TrimBpchar(c.Texts[i])) }, false
	case c.Class == vector.ClassText:
		return func(i int) uint64 { return textPrefix(c.Texts[i]) }, false
	}
	return func(int) uint64 { return 1 << 63 }, false
}

// numericPrefixer takes the numbers at one scale where all fit in 64 bits, and
// their signs otherwise.
func numericPrefixer(c *vector.Column) (prefix func(i int) uint64, exact bool) {
	scale, ok := commonScale(c)
	if !ok {
		return func(i int) uint64 { return uint64(1 + rankOf(c.Numerics[i])) }, false
	}
	return func(i int) uint64 {
		v, s, _ := c.Numerics[i].Small()
		for ; s < scale; s++ {
			v *= 10
		}
		return uint64(v) ^ 1<<63
	}, true
}

// rankOf puts negative numbers first and NaN last.
func rankOf(v pgtype.Numeric) int {
	if v.IsNaN() {
		return 3
	}
	return 1 + v.Sign()
}

// commonScale finds the largest scale, if all numbers fit in 64 bits at it.
func commonScale(c *vector.Column) (scale int32, ok bool) {
	stored := len(c.Numerics)
	for i := range stored {
		if c.Nulls.Has(i) {
			continue
		}
		_, s, small := c.Numerics[i].Small()
		if !small || s > 18 {
			return 0, false
		}
		scale = max(scale, s)
	}
	bound := int64(math.MaxInt64)
	limits := [19]int64{}
	for i := range limits {
		limits[i] = bound
		bound /= 10
	}
	for i := range stored {
		if c.Nulls.Has(i) {
			continue
		}
		v, s, _ := c.Numerics[i].Small()
		if limit := limits[scale-s]; v > limit || v < -limit {
			return 0, false
		}
	}
	return scale, true
}

func floatPrefix(v float64) uint64 {
	switch {
	case v == 0:
		v = 0 // both zeros
	case math.IsNaN(v):
		return math.MaxUint64 - 1
	}
	b := math.Float64bits(v)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// textPrefix takes the first eight bytes. A zero byte and the end look the same,
// which comparing then tells apart.
func textPrefix(s string) uint64 {
	if len(s) >= 8 {
		return binary.BigEndian.Uint64([]byte(s[:8]))
	}
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}
