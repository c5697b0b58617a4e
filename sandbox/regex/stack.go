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
