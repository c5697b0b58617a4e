package exec

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// grouping numbers distinct keys in the order in which they first come. NULLs are
// equal here.
type grouping struct {
	keys    []*vector.Column // one row a group
	compare []vector.Comparator
	hashes  []uint64
	slots   []int32 // group+1, or 0
	charged int64

	scratch []uint64
}

func newGrouping(types []pgcat.OID) *grouping {
	g := &grouping{keys: make([]*vector.Column, len(types)), compare: make([]vector.Comparator, len(types))}
	for i, t := range types {
		g.keys[i] = vector.Make(t, 0)
		g.compare[i] = vector.ComparatorOf(t)
	}
	return g
}

// count is the number of groups.
func (g *grouping) count() int { return len(g.hashes) }

func (g *grouping) reset(x *run) {
	x.env.Meter.Release(g.charged)
	for i, c := range g.keys {
		g.keys[i] = vector.Make(c.Type, 0)
	}
	g.hashes, g.slots, g.charged = nil, nil, 0
}

// reserve makes room for n more groups, charging first.
func (g *grouping) reserve(x *run, n int) error {
	want := len(g.hashes) + n
	size := max(len(g.slots), 64)
	for size < 2*want {
		size *= 2
	}
	if size == len(g.slots) {
		return nil
	}
	bytes := int64(size)*4 + int64(size)*8/2
	for _, c := range g.keys {
		bytes += vector.Bytes(c.Type, size/2)
	}
	if bytes > g.charged {
		if err := x.env.Meter.Alloc(bytes - g.charged); err != nil {
			return err
		}
		g.charged = bytes
	}
	g.rehash(size)
	return nil
}

func (g *grouping) rehash(size int) {
	g.slots = make([]int32, size)
	mask := uint64(size - 1)
	for i, h := range g.hashes {
		p := h & mask
		for g.slots[p] != 0 {
			p = (p + 1) & mask
		}
		g.slots[p] = int32(i + 1)
	}
}

// assign gives the group of each row, out[k] of rows[k], making new groups.
func (g *grouping) assign(x *run, cols []*vector.Column, rows, out []int32) error {
	if len(g.keys) == 0 {
		if len(g.hashes) == 0 && len(rows) > 0 {
			g.hashes = append(g.hashes, 0)
		}
		clear(out[:len(rows)])
		return nil
	}
	if err := x.env.Meter.Charge(int64(len(rows))); err != nil {
		return err
	}
	if err := g.reserve(x, min(len(rows), vector.Size)); err != nil {
		return err
	}
	hashes := g.hash(cols, rows)
	if len(cols) == 1 && !cols[0].Const && cols[0].Nulls == nil && g.keys[0].Nulls == nil {
		switch cols[0].Class {
		case vector.ClassInt:
			return g.assignInts(x, cols[0].Ints, hashes, rows, out)
		}
	}
	for k, r := range rows {
		group, slot := g.lookup(cols, r, hashes[k])
		if group < 0 {
			var err error
			if group, err = g.insert(x, cols, r, hashes[k], slot); err != nil {
				return err
			}
		}
		out[k] = group
	}
	return nil
}

// assignInts is assign for one key of integers without NULLs.
func (g *grouping) assignInts(x *run, values []int64, hashes []uint64, rows, out []int32) error {
	mask, key := uint64(len(g.slots)-1), g.keys[0]
	for k, r := range rows {
		h, v := hashes[k], values[r]
		p := h & mask
		for {
			s := g.slots[p]
			if s == 0 {
				key.Ints = append(key.Ints, v)
				key.Len++
				g.hashes = append(g.hashes, h)
				g.slots[p] = int32(len(g.hashes))
				out[k] = int32(len(g.hashes) - 1)
				break
			}
			if key.Ints[s-1] == v {
				out[k] = s - 1
				break
			}
			p = (p + 1) & mask
		}
	}
	return nil
}

// find gives the group of each row or -1.
func (g *grouping) find(x *run, cols []*vector.Column, rows, out []int32) error {
	if err := x.env.Meter.Charge(int64(len(rows))); err != nil {
		return err
	}
	if len(g.hashes) == 0 {
		for k := range rows {
			out[k] = -1
		}
		return nil
	}
	if len(g.keys) == 0 {
		clear(out[:len(rows)])
		return nil
	}
	hashes := g.hash(cols, rows)
	if len(cols) == 1 && !cols[0].Const && cols[0].Nulls == nil && g.keys[0].Nulls == nil && cols[0].Class == vector.ClassInt {
		g.findInts(cols[0].Ints, hashes, rows, out)
		return nil
	}
	for k, r := range rows {
		out[k], _ = g.lookup(cols, r, hashes[k])
	}
	return nil
}

func (g *grouping) findInts(values []int64, hashes []uint64, rows, out []int32) {
	mask, keys := uint64(len(g.slots)-1), g.keys[0].Ints
	for k, r := range rows {
		v := values[r]
		p := hashes[k] & mask
		for {
			s := g.slots[p]
			if s == 0 || keys[s-1] == v {
				out[k] = s - 1
				break
			}
			p = (p + 1) & mask
		}
	}
}

func (g *grouping) hash(cols []*vector.Column, rows []int32) []uint64 {
	if cap(g.scratch) < len(rows) {
		g.scratch = make([]uint64, max(len(rows), 64))
	}
	hashes := g.scratch[:len(rows)]
	clear(hashes)
	for _, c := range cols {
		vector.Hash(c, rows, hashes)
	}
	return hashes
}

// lookup finds a group, or the slot where it would stand.
func (g *grouping) lookup(cols []*vector.Column, row int32, hash uint64) (group int32, slot uint64) {
	mask := uint64(len(g.slots) - 1)
	for p := hash & mask; ; p = (p + 1) & mask {
		s := g.slots[p]
		if s == 0 {
			return -1, p
		}
		if g.hashes[s-1] == hash && g.same(cols, row, int(s-1)) {
			return s - 1, p
		}
	}
}

func (g *grouping) same(cols []*vector.Column, row int32, group int) bool {
	for i, c := range cols {
		x, y := c.Null(int(row)), g.keys[i].Nulls.Has(group)
		if x != y || !x && g.compare[i](c, c.At(int(row)), g.keys[i], group) != 0 {
			return false
		}
	}
	return true
}

func (g *grouping) insert(x *run, cols []*vector.Column, row int32, hash, slot uint64) (int32, error) {
	one := [1]int32{row}
	for i, c := range cols {
		if c.Class != vector.ClassInt && c.Class != vector.ClassBool && c.Class != vector.ClassFloat {
			n := c.Payload(one[:])
			if err := x.env.Meter.Alloc(n); err != nil {
				return 0, err
			}
			g.charged += n
		}
		g.keys[i].Append(c, one[:])
	}
	g.hashes = append(g.hashes, hash)
	g.slots[slot] = int32(len(g.hashes))
	return int32(len(g.hashes) - 1), nil
}
