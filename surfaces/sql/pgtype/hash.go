package pgtype

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// The hash functions that statements can call are Bob Jenkins's of 2006 (lookup3)
// with the server's first state. A seed widens the result to 64 bits; without one
// the result is its low half.

// hashState is the state of a hash.
type hashState struct{ a, b, c uint32 }

func newHashState(length int, seed uint64) hashState {
	n := uint32(0x9e3779b9) + uint32(length) + 3923095
	s := hashState{n, n, n}
	if seed != 0 {
		s.a += uint32(seed >> 32)
		s.b += uint32(seed)
		s.mix()
	}
	return s
}

func (s *hashState) mix() {
	a, b, c := s.a, s.b, s.c
	a = (a - c) ^ bits.RotateLeft32(c, 4)
	c += b
	b = (b - a) ^ bits.RotateLeft32(a, 6)
	a += c
	c = (c - b) ^ bits.RotateLeft32(b, 8)
	b += a
	a = (a - c) ^ bits.RotateLeft32(c, 16)
	c += b
	b = (b - a) ^ bits.RotateLeft32(a, 19)
	a += c
	c = (c - b) ^ bits.RotateLeft32(b, 4)
	b += a
	s.a, s.b, s.c = a, b, c
}

func (s *hashState) final() uint64 {
	a, b, c := s.a, s.b, s.c
	c = (c ^ b) - bits.RotateLeft32(b, 14)
	a = (a ^ c) - bits.RotateLeft32(c, 11)
	b = (b ^ a) - bits.RotateLeft32(a, 25)
	c = (c ^ b) - bits.RotateLeft32(b, 16)
	a = (a ^ c) - bits.RotateLeft32(c, 4)
	b = (b ^ a) - bits.RotateLeft32(a, 14)
	c = (c ^ b) - bits.RotateLeft32(b, 24)
	return uint64(b)<<32 | uint64(c)
}

// HashBytes hashes bytes.
func HashBytes[T string | []byte](key T, seed uint64) uint64 {
	s := newHashState(len(key), seed)
	for len(key) >= 12 {
		s.a += word32(key)
		s.b += word32(key[4:])
		s.c += word32(key[8:])
		s.mix()
		key = key[12:]
	}
	for i := range len(key) {
		v := uint32(key[i]) << (8 * (i & 3))
		switch {
		case i < 4:
			s.a += v
		case i < 8:
			s.b += v
		default:
			// The lowest byte of the third word is the length's.
			s.c += v << 8
		}
	}
	return s.final()
}

func word32[T string | []byte](key T) uint32 {
	return uint32(key[0]) | uint32(key[1])<<8 | uint32(key[2])<<16 | uint32(key[3])<<24
}

// HashUint32 hashes a number of 32 bits, as smallint, integer, oid, "char" and
// boolean have.
func HashUint32(n uint32, seed uint64) uint64 {
	s := newHashState(4, seed)
	s.a += n
	return s.final()
}

// HashInt64 hashes a number of 64 bits so that it equals the hash of the same
// number in fewer.
func HashInt64(n int64, seed uint64) uint64 {
	low, high := uint32(n), uint32(n>>32)
	if n < 0 {
		high = ^high
	}
	return HashUint32(low^high, seed)
}

// HashFloat hashes a float; both zeros alike, and every NaN.
func HashFloat(f float64, seed uint64) uint64 {
	if f == 0 {
		return seed
	}
	n := math.Float64bits(f)
	if math.IsNaN(f) {
		n = 0x7ff8000000000000
	}
	return HashBytes(binary.LittleEndian.AppendUint64(nil, n), seed)
}

// HashTimetz hashes a time with its offset.
func HashTimetz(t Timetz, seed uint64) uint64 {
	return HashInt64(t.Micros, seed) ^ HashUint32(uint32(t.Zone), seed)
}

// HashInterval hashes the whole length, cut to 64 bits.
func HashInterval(v Interval, seed uint64) uint64 {
	_, low := v.span()
	return HashInt64(int64(low), seed)
}

// HashNumeric hashes a number in the digits of base 10,000 in which the server
// keeps it, without zeros at either end.
func HashNumeric(n Numeric, seed uint64) uint64 {
	if !n.Finite() {
		return seed
	}
	if n.Sign() == 0 {
		return seed - 1
	}
	digits, weight := n.serverDigits()
	key := make([]byte, 0, 2*len(digits))
	for _, d := range digits {
		key = binary.LittleEndian.AppendUint16(key, d)
	}
	return HashBytes(key, seed) ^ uint64(int64(weight))
}

// serverDigits gives the digits in base 10,000 of a number that is not 0, and the
// power of 10,000 that the first one counts.
func (n Numeric) serverDigits() (digits []uint16, weight int) {
	text := new(big.Int).Abs(n.coefficient()).String()
	whole := len(text) - int(n.scale)
	// Zeros before make the digits before the point a multiple of four.
	pad := floorMod(-whole, 4)
	text = "000"[:pad] + text
	weight = floorDiv(whole+pad, 4) - 1
	for len(text)%4 != 0 {
		text += "0"
	}
	for i := 0; i < len(text); i += 4 {
		digits = append(digits, uint16(atoi(text[i:i+4])))
	}
	for digits[0] == 0 {
		digits, weight = digits[1:], weight-1
	}
	for digits[len(digits)-1] == 0 {
		digits = digits[:len(digits)-1]
	}
	return digits, weight
}

// StoredSize gives the bytes that a finite number takes in the server's binary
// form.
func StoredSize(n Numeric) int64 {
	digits, weight := []uint16(nil), 0
	if n.Sign() != 0 {
		digits, weight = n.serverDigits()
	}
	const lengthWord, shortHeader, longHeader = 4, 2, 4
	header := int64(shortHeader)
	if n.Scale() > 63 || weight < -64 || weight > 63 {
		header = longHeader
	}
	return lengthWord + header + 2*int64(len(digits))
}
