package dispatch

import "time"

// Tick is a reading of a program's clock, and how often in a row it was read.
type Tick struct {
	Millis int64 // Unix time in milliseconds
	Times  int64
}

// tickBytes is what remembering one tick takes of a program's memory.
const tickBytes = 16

// Now is the time as the program sees it, in whole milliseconds. Every reading is
// journalled, so that a program that is run again from its journal sees the same
// ones: a surface reads the clock here while a program runs.
func (r *Run) Now() time.Time {
	if r.replay != nil {
		return r.nowAgain()
	}
	ms := r.d.clock().UnixMilli()
	if n := len(r.ticks); n > 0 && r.ticks[n-1].Millis == ms {
		r.ticks[n-1].Times++
	} else if r.m.Alloc(tickBytes) == nil {
		r.ticks = append(r.ticks, Tick{ms, 1})
	}
	return time.UnixMilli(ms)
}

// takeTicks gives the readings since the last record.
func (r *Run) takeTicks() []Tick {
	t := r.ticks
	r.ticks = nil
	return t
}
