package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// joinIndex finds the rows of a store by their keys. The rows of one key are
// chained in their order.
type joinIndex struct {
	keys    []*vector.Column // of the store's rows
	compare []vector.Comparator
	hashes  []uint64
	heads   []int32
	next    []int32 // the row after in the chain of the same key, or -1
	skip    []int32 // the row after in the bucket, first of another key, or -1
	charged int64
	scratch []uint64
	ints    bool // one key of integers
}

func (t *joinIndex) release(x *run) {
	x.env.Meter.Release(t.charged)
	t.charged = 0
}

// build indexes all rows of a store whose keys can match.
func (t *joinIndex) build(x *run, store *rowStore, keys []joinKey) error {
	if len(keys) == 0 {
		return nil
	}
	n := store.n
	size := 64
	for size < 2*n {
		size *= 2
	}
	bytes := int64(n)*16 + int64(size)*4
	if err := x.env.Meter.Alloc(bytes); err != nil {
		return err
	}
	t.charged += bytes
	t.hashes, t.next, t.skip, t.heads = make([]uint64, n), make([]int32, n), make([]int32, n), make([]int32, size)
	if err := t.keyColumns(x, store, keys); err != nil {
		return err
	}
	for _, c := range t.keys {
		vector.Hash(c, nil, t.hashes)
	}
	return t.chain(x, n, keys)
}

// keyColumns computes the keys of all rows; a key that is a column is not copied.
func (t *joinIndex) keyColumns(x *run, store *rowStore, keys []joinKey) error {
	t.keys, t.compare = t.keys[:0], t.compare[:0]
	for _, k := range keys {
		t.compare = append(t.compare, vector.ComparatorOf(k.right.typ()))
		if s, ok := k.right.(*slot); ok {
			t.keys = append(t.keys, store.columns[s.index])
			continue
		}
		c, err := evalAll(x, k.right, store)
		if err != nil {
			return err
		}
		t.keys = append(t.keys, c)
	}
	t.ints = len(t.keys) == 1 && t.keys[0].Class == vector.ClassInt && t.keys[0].Nulls == nil && !t.keys[0].Const
	return nil
}

// chain links the rows of each key and the keys of each bucket. It goes from the
// last row to the first, so that chains are in order.
func (t *joinIndex) chain(x *run, n int, keys []joinKey) error {
	if err := x.env.Meter.Charge(int64(n)); err != nil {
		return err
	}
	mask := uint64(len(t.heads) - 1)
	for i := n - 1; i >= 0; i-- {
		t.next[i], t.skip[i] = -1, -1
		if !t.ints && t.cannotMatch(i, keys) {
			continue
		}
		b := t.hashes[i] & mask
		head := t.heads[b] - 1
		// The bucket's list holds the first row of each key.
		before, same := int32(-1), head
		for same >= 0 && !t.sameRows(i, int(same)) {
			before, same = same, t.skip[same]
		}
		if same >= 0 {
			t.next[i], t.skip[i] = same, t.skip[same]
			if before >= 0 {
				t.skip[before] = int32(i)
			} else {
				t.heads[b] = int32(i) + 1
			}
			continue
		}
		t.skip[i] = head
		t.heads[b] = int32(i) + 1
	}
	return nil
}

func (t *joinIndex) cannotMatch(row int, keys []joinKey) bool {
	for i, c := range t.keys {
		if !keys[i].nullSafe && c.Null(row) {
			return true
		}
	}
	return false
}

func (t *joinIndex) sameRows(i, j int) bool {
	if t.ints {
		return t.keys[0].Ints[i] == t.keys[0].Ints[j]
	}
	if t.hashes[i] != t.hashes[j] {
		return false
	}
	for k, c := range t.keys {
		if !sameCell(t.compare[k], c, i, c, j) {
			return false
		}
	}
	return true
}

func sameCell(compare vector.Comparator, a *vector.Column, i int, b *vector.Column, j int) bool {
	x, y := a.Null(i), b.Null(j)
	return x == y && (x || compare(a, a.At(i), b, b.At(j)) == 0)
}

// find gives the first row of the index for each row of a batch, or -1.
func (t *joinIndex) find(x *run, b *vector.Batch, keys []joinKey, rows, out []int32) error {
	if err := x.env.Meter.Charge(int64(len(rows))); err != nil {
		return err
	}
	columns := make([]*vector.Column, len(keys))
	for i, k := range keys {
		c, err := k.left.eval(x, b, rows)
		if err != nil {
			return err
		}
		columns[i] = c
	}
	if cap(t.scratch) < len(rows) {
		t.scratch = make([]uint64, vector.Size)
	}
	hashes := t.scratch[:len(rows)]
	clear(hashes)
	for _, c := range columns {
		vector.Hash(c, rows, hashes)
	}
	mask := uint64(len(t.heads) - 1)
	if t.ints && columns[0].Nulls == nil && !columns[0].Const {
		t.findInts(columns[0].Ints, hashes, rows, out)
		return nil
	}
	for k, r := range rows {
		out[k] = -1
		if probeCannotMatch(columns, keys, int(r)) {
			continue
		}
		c := t.heads[hashes[k]&mask] - 1
		for c >= 0 && !(t.hashes[c] == hashes[k] && t.matches(columns, int(r), int(c))) {
			c = t.skip[c]
		}
		out[k] = c
	}
	return nil
}

func (t *joinIndex) findInts(values []int64, hashes []uint64, rows, out []int32) {
	mask, keys := uint64(len(t.heads)-1), t.keys[0].Ints
	for k, r := range rows {
		v := values[r]
		c := t.heads[hashes[k]&mask] - 1
		for c >= 0 && keys[c] != v {
			c = t.skip[c]
		}
		out[k] = c
	}
}

func probeCannotMatch(columns []*vector.Column, keys []joinKey, row int) bool {
	for i, c := range columns {
		if !keys[i].nullSafe && c.Null(row) {
			return true
		}
	}
	return false
}

func (t *joinIndex) matches(columns []*vector.Column, row, candidate int) bool {
	for i, c := range columns {
		if !sameCell(t.compare[i], c, row, t.keys[i], candidate) {
			return false
		}
	}
	return true
}
