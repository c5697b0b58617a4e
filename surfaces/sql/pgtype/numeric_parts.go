package pgtype

import "math/big"

// Small gives a finite number as coefficient × 10^-scale where the coefficient
// fits in 64 bits.
func (n Numeric) Small() (coefficient int64, scale int32, ok bool) {
	return n.small, n.scale, n.big == nil && n.form == finite
}

// NumericFromSmall gives coefficient × 10^-scale; the scale is not negative.
func NumericFromSmall(coefficient int64, scale int32) Numeric {
	return Numeric{small: coefficient, scale: scale}
}

// Size is what the number holds beside its own cell, in bytes.
func (n Numeric) Size() int64 {
	if n.big == nil {
		return 0
	}
	return int64(len(n.big.Bits()))*8 + 24
}

// Hash is the same for numbers that compare equal, whatever their scale.
func (n Numeric) Hash() uint64 {
	if n.form != finite {
		return 0xF0F0 + uint64(n.form)
	}
	if n.big == nil {
		return uint64(stripSmall(n.small, n.scale))
	}
	return hashBig(n.big, n.scale)
}

// stripSmall drops the zeros at the end of the digits after the point, and mixes
// in how many are left.
func stripSmall(c int64, scale int32) int64 {
	if c == 0 {
		return 0
	}
	for scale > 0 && c%10 == 0 {
		c, scale = c/10, scale-1
	}
	return c + int64(scale)*0x5DEECE66D
}

func hashBig(c *big.Int, scale int32) uint64 {
	ten, q, r := big.NewInt(10), new(big.Int).Set(c), new(big.Int)
	for scale > 0 {
		next, rest := new(big.Int).QuoRem(q, ten, r)
		if rest.Sign() != 0 {
			break
		}
		q, scale = next, scale-1
	}
	if q.IsInt64() {
		return uint64(stripSmall(q.Int64(), scale))
	}
	h := uint64(scale)
	for _, w := range q.Bits() {
		h = h*0x100000001B3 ^ uint64(w)
	}
	if q.Sign() < 0 {
		h = ^h
	}
	return h
}
