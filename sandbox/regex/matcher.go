package regex

import (
	"math"

	"github.com/polyglove/polyglove/sandbox"
)

// Matcher holds the scratch memory of matching, so that a match allocates
// nothing once the scratch has grown. The zero Matcher is ready. It serves any
// programs, one match at a time.
type Matcher struct {
	program   *Program
	meter     *sandbox.Meter
	captures  []int32
	registers []int32
	out       []int
	stack     []frame
	room      int   // frames that are paid for
	charged   int64 // bytes to give back at the end
	work      int   // steps not charged yet
	total     int   // steps charged in this match
	patience  int   // steps before the match is seen as a long one
	memo      memo
	eager     bool // tests: see every match as a long one from the start
	// whole refuses a match that ends before the input does; refused is where no
	// empty match may be, or -1.
	whole   bool
	refused int
	last    int // the group that was closed last in the match found
	// Where the last loop could have ended, from entered to reached.
	entered, reached int32
}

// batch is how many steps are charged at once.
const batch = 64

// Exec looks for the first match that begins at or after at, or exactly at at if
// the program is sticky; ECMA-262 22.2.7.2, RegExpBuiltinExec, without what it
// does to lastIndex. captures[2*i] and captures[2*i+1] are the bounds of
// capture i, or -1; capture 0 is the whole match. They are in units of the input
// and stay valid until the next call.
//
// Each step costs the meter one unit, scanning over characters less. The error
// is the meter's fault.
func (x *Matcher) Exec(p *Program, in Input, at int, m *sandbox.Meter) (captures []int, ok bool, err error) {
	return x.exec(p, in, at, p.sticky, m)
}

// MatchAt matches at exactly one place, as if the program were sticky.
func (x *Matcher) MatchAt(p *Program, in Input, at int, m *sandbox.Meter) (captures []int, ok bool, err error) {
	return x.exec(p, in, at, true, m)
}

// Last is the group that was closed last in the match found last, 0 if none was;
// only dialects whose matches have it tell it.
func (x *Matcher) Last() int { return x.last }

// Find looks for the first match at or after at, even if the program is sticky.
func (x *Matcher) Find(p *Program, in Input, at int, m *sandbox.Meter) (captures []int, ok bool, err error) {
	return x.exec(p, in, at, false, m)
}

// MatchAll matches at exactly one place, up to the end of the input.
func (x *Matcher) MatchAll(p *Program, in Input, at int, m *sandbox.Meter) (captures []int, ok bool, err error) {
	x.whole = true
	captures, ok, err = x.exec(p, in, at, true, m)
	x.whole = false
	return captures, ok, err
}

// FindNext is Find, except that it does not take the empty match at at: another
// way of matching there, or a later place, is looked for instead.
func (x *Matcher) FindNext(p *Program, in Input, at int, m *sandbox.Meter) (captures []int, ok bool, err error) {
	return x.execRefusing(p, in, at, at, false, m)
}

func (x *Matcher) exec(p *Program, in Input, at int, fixed bool, m *sandbox.Meter) (captures []int, ok bool, err error) {
	return x.execRefusing(p, in, at, -1, fixed, m)
}

func (x *Matcher) execRefusing(p *Program, in Input, at, refused int, fixed bool, m *sandbox.Meter) (captures []int, ok bool, err error) {
	x.refused = refused
	if at < 0 || at > in.Len() {
		return nil, false, nil
	}
	if in.Len() > math.MaxInt32-64 {
		return nil, false, m.Fail(&sandbox.Fault{Kind: sandbox.KindMemory, Message: "the text is too long to match."})
	}
	if err := x.begin(p, m, in.Len()-at); err != nil {
		x.end()
		return nil, false, err
	}
	switch {
	case in.units != nil:
		ok, err = search(x, in.units, at, fixed)
	case in.runes != nil:
		ok, err = search(x, in.runes, at, fixed)
	default:
		ok, err = search(x, in.bytes, at, fixed)
	}
	if err == nil {
		err = x.spend()
	}
	if err != nil || !ok {
		x.end()
		return nil, false, err
	}
	captures = x.result(p)
	x.end()
	return captures, true, nil
}

// begin readies the scratch for one match.
func (x *Matcher) begin(p *Program, m *sandbox.Meter, length int) error {
	x.program, x.meter = p, m
	x.work, x.total, x.room, x.charged = 0, 0, 0, 0
	x.patience = 2000 + 4*length
	slots := 2 * (p.groups + 1)
	if p.last >= 0 {
		slots++
	}
	if err := m.Charge(int64(4 + slots/16 + p.registers/16)); err != nil {
		return err
	}
	if err := x.alloc(int64(4*p.registers + 12*slots)); err != nil {
		return err
	}
	x.captures = resize(x.captures, slots)
	for i := range x.captures {
		x.captures[i] = -1
	}
	x.registers = resize(x.registers, p.registers)
	clear(x.registers)
	if x.eager {
		x.total = 1 << 20
		if err := x.startMemo(); err != nil {
			return err
		}
	}
	return x.grow(0)
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// end gives back what the match was charged for and does not keep.
func (x *Matcher) end() {
	x.memo.end()
	if len(x.stack) > keptFrames {
		x.stack = nil
	}
	if cap(x.captures) > keptFrames {
		x.captures = nil
	}
	if cap(x.registers) > keptFrames {
		x.registers = nil
	}
	x.meter.Release(x.charged)
	x.program, x.meter = nil, nil
}

// result copies the captures out.
func (x *Matcher) result(p *Program) []int {
	x.last = 0
	if p.last >= 0 {
		x.last = max(0, int(x.captures[p.last]))
	}
	x.out = resize(x.out, 2*(p.groups+1))
	for i, c := range x.captures[:len(x.out)] {
		x.out[i] = int(c)
	}
	return x.out
}

// spend charges the steps made since the last time, and once they are many
// switches on what helps a long match.
func (x *Matcher) spend() error {
	n := x.work
	x.work = 0
	x.total += n
	if err := x.meter.Charge(int64(n)); err != nil {
		return err
	}
	if x.total > x.patience {
		return x.startMemo()
	}
	return nil
}

// alloc charges memory until the end of the match.
func (x *Matcher) alloc(bytes int64) error {
	if err := x.meter.Alloc(bytes); err != nil {
		return err
	}
	x.charged += bytes
	return nil
}

// free gives back part of it earlier.
func (x *Matcher) free(bytes int64) {
	x.meter.Release(bytes)
	x.charged -= bytes
}
