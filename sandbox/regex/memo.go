package regex

import "math/bits"

// memo remembers states of a match that have failed, or that are being tried,
// so that none is tried twice. It is switched on once a match has turned out to
// be long, and makes it take time in proportion to the input.
type memo struct {
	on     bool
	full   bool // no room for more; what is there still helps
	slots  []memoSlot
	used   int
	hasher uint // bits to shift a hash by
}

// memoSlot holds 64 positions of one state.
type memoSlot struct {
	key  uint64 // 0: free
	bits uint64
}

const (
	memoSlotBytes  = 16
	memoFirstSlots = 256
	memoKeptSlots  = 4096
	memoPosBits    = 25 // positions are below 1<<31, 64 to a slot
)

// start switches the memo on.
func (x *Matcher) startMemo() error {
	if x.memo.on || len(x.program.memos) == 0 {
		return nil
	}
	if err := x.alloc(memoFirstSlots * memoSlotBytes); err != nil {
		return err
	}
	x.memo.resize(memoFirstSlots)
	x.memo.on = true
	return nil
}

// resize makes an empty table, of a power of two, in the old room if there is.
func (m *memo) resize(n int) {
	if cap(m.slots) >= n {
		m.slots = m.slots[:n]
		clear(m.slots)
	} else {
		m.slots = make([]memoSlot, n)
	}
	m.used = 0
	m.hasher = 64
	for ; n > 1; n >>= 1 {
		m.hasher--
	}
}

// end switches the memo off.
func (m *memo) end() {
	if cap(m.slots) > memoKeptSlots {
		m.slots = nil
	}
	m.on, m.full = false, false
}

// slot finds the slot of a key, or the free one where it belongs.
func (m *memo) slot(key uint64) *memoSlot {
	mask := uint64(len(m.slots) - 1)
	for i := key * 0x9E3779B97F4A7C15 >> m.hasher; ; i++ {
		s := &m.slots[i&mask]
		if s.key == key || s.key == 0 {
			return s
		}
	}
}

// state numbers a memo point together with the registers it depends on.
func (x *Matcher) state(point *memoPoint, pos int) int64 {
	v := int64(0)
	for i, r := range point.counts {
		v = v*int64(point.radixes[i]) + int64(x.registers[r])
	}
	// Iterations nest, so those that have not moved are the innermost.
	still := 0
	for i := len(point.marks) - 1; i >= 0 && int(x.registers[point.marks[i]]) == pos; i-- {
		still++
	}
	return point.base + v*int64(len(point.marks)+1) + int64(still)
}

func memoKey(state int64, pos int) uint64 {
	return uint64(state+1)<<memoPosBits | uint64(pos>>6)
}

// seen reports whether the state at pos has been tried.
func (x *Matcher) seen(id int32, pos int) bool {
	s := x.memo.slot(memoKey(x.state(&x.program.memos[id], pos), pos))
	return s.bits>>(uint(pos)&63)&1 != 0
}

// nextSeen gives the first place from lo to hi, which are in one slot, where the
// state has been tried, or hi+1. The iterations that are open have moved.
func (x *Matcher) nextSeen(id int32, lo, hi int) int {
	if lo > hi {
		return hi + 1
	}
	s := x.memo.slot(memoKey(x.state(&x.program.memos[id], lo), lo))
	if tried := s.bits >> (uint(lo) & 63); tried != 0 {
		return lo + bits.TrailingZeros64(tried)
	}
	return hi + 1
}

// note records that the states of a memo point from lo to hi are tried now. In a
// lookaround, whose body may match although the whole then fails, they count as
// failed only once they have: a frame waits for that.
func (x *Matcher) note(id int32, lo, hi int, stack []frame, top int) (int, error) {
	if x.program.memos[id].inside {
		stack[top] = frame{frameFailed, id, int32(lo), int32(hi)}
		return top + 1, nil
	}
	return top, x.remember(id, lo, hi)
}

// remember notes that the states from lo to hi are tried now.
func (x *Matcher) remember(id int32, lo, hi int) error {
	point := &x.program.memos[id]
	if err := x.rememberState(x.state(point, lo), lo, lo); err != nil || lo == hi {
		return err
	}
	// Beyond lo every iteration has moved.
	return x.rememberState(x.state(point, hi), lo+1, hi)
}

func (x *Matcher) rememberState(state int64, lo, hi int) error {
	for pos := lo; pos <= hi; {
		last := min(hi, pos|63)
		mask := (^uint64(0) << (uint(pos) & 63)) & (^uint64(0) >> (63 - uint(last)&63))
		s := x.memo.slot(memoKey(state, pos))
		if s.key == 0 {
			if x.memo.full {
				pos = last + 1
				continue
			}
			s.key = memoKey(state, pos)
			x.memo.used++
		}
		s.bits |= mask
		if 2*x.memo.used > len(x.memo.slots) {
			if err := x.growMemo(); err != nil {
				return err
			}
		}
		pos = last + 1
	}
	return nil
}

// growMemo doubles the table, unless that would take more than a quarter of the
// memory that is left: then the table stays as it is and the fuel decides.
func (x *Matcher) growMemo() error {
	old := x.memo.slots
	bytes := int64(2*len(old)) * memoSlotBytes
	if bytes > (x.meter.Limits().Memory-x.meter.Usage().Memory)/4 {
		x.memo.full = true
		return nil
	}
	if err := x.alloc(bytes); err != nil {
		return err
	}
	x.memo.slots = nil
	x.memo.resize(2 * len(old))
	for _, s := range old {
		if s.key != 0 {
			*x.memo.slot(s.key) = s
			x.memo.used++
		}
	}
	x.free(int64(len(old)) * memoSlotBytes)
	return nil
}
