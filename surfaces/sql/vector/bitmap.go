package vector

// Bitmap is a set of rows; a nil one is empty.
type Bitmap []uint64

// NewBitmap makes an empty set that has room for n rows.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// Has reports whether row i is in the set.
func (b Bitmap) Has(i int) bool { return b != nil && b[i>>6]&(1<<(i&63)) != 0 }

// Set adds row i, for which there must be room.
func (b Bitmap) Set(i int) { b[i>>6] |= 1 << (i & 63) }

// Clear takes row i out.
func (b Bitmap) Clear(i int) {
	if b != nil {
		b[i>>6] &^= 1 << (i & 63)
	}
}

// Any reports whether the set holds a row.
func (b Bitmap) Any() bool {
	for _, w := range b {
		if w != 0 {
			return true
		}
	}
	return false
}
