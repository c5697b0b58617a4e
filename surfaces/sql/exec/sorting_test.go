package exec

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/fn"
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

func testRun(t testing.TB) *run {
	t.Helper()
	l := sandbox.DefaultLimits()
	l.Fuel = 1 << 40
	m, err := sandbox.NewMeter(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	return &run{env: &fn.Env{Meter: m}}
}

// samples are values of each class among which ties, extremes and lookalikes come
// often.
var samples = map[pgcat.OID][]any{
	pgcat.Bool:   {nil, true, false},
	pgcat.Int8:   {nil, int64(math.MinInt64), int64(math.MaxInt64), int64(0), int64(-1), int64(7)},
	pgcat.Float8: {nil, math.NaN(), math.Inf(1), math.Inf(-1), 0.0, math.Copysign(0, -1), 1.5, -2.5},
	pgcat.Numeric: {
		nil, number("1"), number("1.0"), number("1.00"), number("-3.25"), number("0"), number("NaN"), number("Infinity"),
		number("-Infinity"), number("123456789012345678901234567890.5"), number("0.000000000000000000000000001"),
	},
	pgcat.Text:     {nil, "", "a", "a\x00", "ab", "longer than eight", "longer than nine", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
	pgcat.Bpchar:   {nil, "a", "a ", "a  ", "b ", "", "  ", "longer than eight "},
	pgcat.Interval: {nil, pgtype.Interval{Months: 1}, pgtype.Interval{Days: 30}, pgtype.Interval{Micros: -1}, pgtype.Interval{Days: -1, Micros: 86_400_000_000}},
}

func number(s string) pgtype.Numeric {
	n, err := pgtype.ParseNumeric(s)
	if err != nil {
		panic(err)
	}
	return n
}

func random(r *rand.Rand, t pgcat.OID, n int) *vector.Column {
	c := vector.Make(t, n)
	all := samples[t]
	if r.IntN(2) == 0 {
		all = all[1:] // without NULLs
	}
	if t == pgcat.Numeric && r.IntN(2) == 0 {
		all = all[:5] // of a common scale
	}
	for i := range n {
		c.Set(i, vector.Datum{Type: t, Value: all[r.IntN(len(all))]})
	}
	return c
}

// The numbers by which sorts go give the order that comparing gives, and equal rows
// stay in their order.
func TestPermutationIsThatOfComparing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	types := []pgcat.OID{pgcat.Bool, pgcat.Int8, pgcat.Float8, pgcat.Numeric, pgcat.Text, pgcat.Bpchar, pgcat.Interval}
	for range 2000 {
		n := 1 + r.IntN(40)
		kinds := []pgcat.OID{types[r.IntN(len(types))], types[r.IntN(len(types))], types[r.IntN(len(types))]}
		var columns []*vector.Column
		var keys []sortKey
		for i, k := range kinds {
			columns = append(columns, random(r, k, n))
			keys = append(keys, sortKey{i, r.IntN(2) == 0, r.IntN(2) == 0})
		}
		o := newOrdering(keys[:1+r.IntN(3)], kinds)
		got, err := o.permutation(testRun(t), columns, n)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]int32, n)
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int { return o.rows(columns, int(a), columns, int(b)) })
		if !slices.Equal(got, want) {
			t.Fatalf("keys %v of %v: %v, want %v", o.keys, kinds, got, want)
		}
	}
}

// Groups are the classes of equal rows, numbered as they come.
func TestGroupingFindsEqualRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	types := []pgcat.OID{pgcat.Bool, pgcat.Int8, pgcat.Float8, pgcat.Numeric, pgcat.Text, pgcat.Bpchar, pgcat.Interval}
	for range 500 {
		kinds := []pgcat.OID{types[r.IntN(len(types))], types[r.IntN(len(types))]}[:1+r.IntN(2)]
		g := newGrouping(kinds)
		x := testRun(t)
		var all [][]*vector.Column
		var rows []int // of all, by group
		var from []int
		for b := range 3 {
			n := 1 + r.IntN(60)
			var columns []*vector.Column
			for _, k := range kinds {
				columns = append(columns, random(r, k, n))
			}
			all = append(all, columns)
			ids := make([]int32, n)
			if err := g.assign(x, columns, identity[:n], ids); err != nil {
				t.Fatal(err)
			}
			for i, id := range ids {
				want := -1
				for k := range rows {
					if sameRow(all[from[k]], rows[k], columns, i) {
						want = k
						break
					}
				}
				if want < 0 {
					want = len(rows)
					rows, from = append(rows, i), append(from, b)
				}
				if int(id) != want {
					t.Fatalf("row %d of %v is in group %d, want %d", i, kinds, id, want)
				}
			}
		}
		if g.count() != len(rows) {
			t.Fatalf("%d groups, want %d", g.count(), len(rows))
		}
	}
}

func sameRow(a []*vector.Column, i int, b []*vector.Column, j int) bool {
	for k := range a {
		if !vector.Equal(a[k], i, b[k], j) {
			return false
		}
	}
	return true
}
