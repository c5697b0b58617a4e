package world

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"time"
)

// generator decides every record from a seed and a scale.
type generator struct {
	seed  uint64
	scale int
}

// draw is the source of chance of one record. Each record has its own, so that
// any record can be made without making those before it: that is what lets
// records refer to one another while services are generated on first use.
type draw struct{ pcg *rand.PCG }

func (g generator) draw(table string, i int) draw {
	h := fnv.New64a()
	h.Write([]byte(table))
	return draw{rand.NewPCG(mix(g.seed^h.Sum64()), mix(uint64(i)+1))}
}

// mix spreads neighbouring seeds far apart (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below gives a number from 0 to n-1. It is spelt out rather than taken from
// math/rand, whose methods may change their use of the source.
func (d draw) below(n int) int {
	hi, _ := bits.Mul64(d.pcg.Uint64(), uint64(n))
	return int(hi)
}

// between gives a number from low to high, both included.
func (d draw) between(low, high int) int { return low + d.below(high-low+1) }

// chance is true in percent of all cases.
func (d draw) chance(percent int) bool { return d.below(100) < percent }

// big gives an integer above 2^53, as identifiers of large systems are.
func (d draw) big() int64 { return 1<<60 | int64(d.pcg.Uint64()>>4) }

// of picks one.
func of[T any](d draw, from []T) T { return from[d.below(len(from))] }

// some picks n different ones, in their order.
func some[T any](d draw, n int, from []T) []T {
	var picked []T
	for i, left := 0, len(from); i < len(from) && len(picked) < n; i, left = i+1, left-1 {
		if d.below(left) < n-len(picked) {
			picked = append(picked, from[i])
		}
	}
	return picked
}

// weighted picks a word; each is followed by its weight.
func (d draw) weighted(pairs ...any) string {
	total := 0
	for i := 1; i < len(pairs); i += 2 {
		total += pairs[i].(int)
	}
	at := d.below(total)
	for i := 0; i < len(pairs); i += 2 {
		if at -= pairs[i+1].(int); at < 0 {
			return pairs[i].(string)
		}
	}
	panic("world: weights that do not add up")
}

// spread gives the time of record i of n: records follow one another over the
// days before the anchor, at uneven distances.
func (d draw) spread(i, n, days int) time.Time {
	step := time.Duration(days) * 24 * time.Hour / time.Duration(n)
	jitter := time.Duration(d.below(int(step / time.Second)))
	return Anchor.Add(-step*time.Duration(n-i) + jitter*time.Second).Truncate(time.Second)
}

// after gives a time up to some hours later, but not past the anchor.
func (d draw) after(t time.Time, hours int) time.Time {
	later := t.Add(time.Duration(d.between(5, hours*60)) * time.Minute)
	if later.After(Anchor) {
		return Anchor.Add(-time.Duration(d.between(1, 300)) * time.Second)
	}
	return later
}
