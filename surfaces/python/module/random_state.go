package module

import "math/bits"

// mersenne is the generator MT19937 as CPython's random module uses it.
type mersenne struct {
	mt [624]uint32
	i  int
	// next is the second of the two numbers that gauss makes at a time.
	next    float64
	hasNext bool
}

// seedArray begins the sequence of a key of 32-bit words: init_by_array.
func (m *mersenne) seedArray(key []uint32) {
	m.seedWord(19650218)
	i, j := 1, 0
	for range max(len(m.mt), len(key)) {
		m.mt[i] = (m.mt[i] ^ (m.mt[i-1]^m.mt[i-1]>>30)*1664525) + key[j] + uint32(j)
		i++
		if j++; i >= len(m.mt) {
			m.mt[0], i = m.mt[len(m.mt)-1], 1
		}
		if j >= len(key) {
			j = 0
		}
	}
	for range len(m.mt) - 1 {
		m.mt[i] = (m.mt[i] ^ (m.mt[i-1]^m.mt[i-1]>>30)*1566083941) - uint32(i)
		if i++; i >= len(m.mt) {
			m.mt[0], i = m.mt[len(m.mt)-1], 1
		}
	}
	m.mt[0] = 1 << 31
	m.hasNext = false
}

func (m *mersenne) seedWord(s uint32) {
	m.mt[0] = s
	for i := 1; i < len(m.mt); i++ {
		m.mt[i] = 1812433253*(m.mt[i-1]^m.mt[i-1]>>30) + uint32(i)
	}
	m.i = len(m.mt)
}

// word gives the next 32 bits.
func (m *mersenne) word() uint32 {
	const n, period = 624, 397
	if m.i >= n {
		for k := range n {
			y := m.mt[k]&0x80000000 | m.mt[(k+1)%n]&0x7fffffff
			v := m.mt[(k+period)%n] ^ y>>1
			if y&1 != 0 {
				v ^= 0x9908b0df
			}
			m.mt[k] = v
		}
		m.i = 0
	}
	y := m.mt[m.i]
	m.i++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// float gives a number of [0, 1) with 53 random bits.
func (m *mersenne) float() float64 {
	a, b := m.word()>>5, m.word()>>6
	return (float64(a)*67108864 + float64(b)) / 9007199254740992
}

// bits gives up to 64 random bits.
func (m *mersenne) bits(k int) uint64 {
	if k <= 32 {
		return uint64(m.word() >> (32 - k))
	}
	low := uint64(m.word())
	return low | uint64(m.word()>>(64-k))<<32
}

// below gives a number of [0, n).
func (m *mersenne) below(n int64) int64 {
	k := bits.Len64(uint64(n))
	for {
		if r := m.bits(k); r < uint64(n) {
			return int64(r)
		}
	}
}
