package realm

import (
	"slices"
	"testing"
	"time"
)

// alternate times two functions in turns, so that both see the same machine, and
// gives the median of the second over that of the first.
func alternate(b *testing.B, first, second func()) float64 {
	const rounds = 15
	var a, c []time.Duration
	n := 1
	for time1(first, n) < 2*time.Millisecond && n < 1<<16 {
		n *= 2
	}
	for b.Loop() {
		if len(a) < rounds {
			a = append(a, time1(first, n))
			c = append(c, time1(second, n))
		}
	}
	for len(a) < rounds {
		a = append(a, time1(first, n))
		c = append(c, time1(second, n))
	}
	slices.Sort(a)
	slices.Sort(c)
	return float64(c[len(c)/2]) / float64(a[len(a)/2])
}

func time1(f func(), n int) time.Duration {
	begin := time.Now()
	for range n {
		f()
	}
	return time.Since(begin)
}
