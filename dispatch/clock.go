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
//
// A reading that could not be kept, or that was lost with the process, fails the
// meter and gives the one before it, or the beginning of the program. A surface
// looks at the meter before it gives a reading to the program.
func (r *Run) Now() time.Time {
	if r.replay != nil {
		return r.nowAgain()
	}
	ms := r.d.clock().UnixMilli()
	if n := len(r.ticks); n > 0 && r.ticks[n-1].Millis == ms {
		r.ticks[n-1].Times++
	} else if r.m.Alloc(tickBytes) == nil {
		r.ticks, r.reading = append(r.ticks, Tick{ms, 1}), ms
	}
	return time.UnixMilli(r.reading)
}

// nowAgain gives the next recorded reading of the clock.
func (r *Run) nowAgain() time.Time {
	p := r.replay
	ticks := p.past.Clock
	for p.tick < len(ticks) && p.used >= ticks[p.tick].Times {
		p.tick, p.used = p.tick+1, 0
	}
	kept := true
	if p.used == 0 {
		kept = r.m.Alloc(tickBytes) == nil // as the first time
	}
	switch {
	case p.tick < len(ticks):
		p.used++
		r.reading = ticks[p.tick].Millis
	case !kept: // as the first time
	case p.past.unfinished():
		_ = r.interrupt()
	case !p.past.cut():
		_ = r.diverge("it reads the clock more often")
	}
	return time.UnixMilli(r.reading)
}

// takeTicks gives the readings since the last record.
func (r *Run) takeTicks() []Tick {
	t := r.ticks
	r.ticks = nil
	return t
}
