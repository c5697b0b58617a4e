package regex

// frame is what to do when the match cannot go on: try another way, or undo a
// change on the way back to one.
type frame struct {
	kind frameKind
	pc   int32
	pos  int32
	aux  int32
}

type frameKind int32

const (
	frameBranch   frameKind = iota // go on at pc, pos
	frameCapture                   // captures[pc] was pos
	frameRegister                  // registers[pc] was pos
	frameGreedy                    // the loop at pc ended at pos and can end as early as aux
	frameLazy                      // the loop at pc ended at pos and can take aux more
	frameLook                      // the lookaround at pc began at pos inside the one at stack place aux
	frameFailed                    // the states of memo point pc from pos to aux have failed
)

const (
	frameBytes = 16
	// freeFrames is how much of the stack is part of a matcher; what a match
	// needs beyond is charged.
	freeFrames = 64
	// keptFrames is how much a matcher keeps between matches.
	keptFrames = 4096
)

// grow makes room for one more frame. What it charges depends on the match only
// and not on what an earlier match left behind.
func (x *Matcher) grow(used int) error {
	want := max(freeFrames, 2*x.room)
	bytes := int64(want-x.room) * frameBytes
	if x.room > 0 {
		if err := x.alloc(bytes); err != nil {
			return err
		}
	}
	if want > len(x.stack) {
		bigger := make([]frame, want)
		copy(bigger, x.stack[:used])
		x.stack = bigger
	}
	x.room = want
	return nil
}

// undo takes back the changes in the frames from lo to hi.
func (x *Matcher) undo(lo, hi int) {
	x.work += (hi - lo) >> 3
	for i := hi - 1; i >= lo; i-- {
		switch f := &x.stack[i]; f.kind {
		case frameCapture:
			x.captures[f.pc] = f.pos
		case frameRegister:
			x.registers[f.pc] = f.pos
		}
	}
}

// commit ends a lookaround whose frame is at at. What it captured stays
// captured, but there is no way back into its body: what undoes is kept and what
// chooses is dropped. It gives the new top.
func (x *Matcher) commit(at, top int) int {
	x.work += (top - at) >> 3
	for j := at + 1; j < top; j++ {
		if k := x.stack[j].kind; k == frameCapture || k == frameRegister {
			x.stack[at] = x.stack[j]
			at++
		}
	}
	return at
}

// forget makes the captures from lo to hi undefined. It gives the new top.
func (x *Matcher) forget(lo, hi int32, top int) (int, error) {
	x.work += int(hi-lo) >> 3
	for c := lo; c <= hi; c++ {
		if x.captures[c] < 0 {
			continue
		}
		if top+2 > x.room {
			if err := x.grow(top); err != nil {
				return top, err
			}
		}
		x.stack[top] = frame{frameCapture, c, x.captures[c], 0}
		top++
		x.captures[c] = -1
	}
	return top, nil
}
