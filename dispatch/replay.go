package dispatch

import (
	"context"
	"errors"
	"hash/fnv"
	"iter"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// ErrSuperseded is the error of a journal whose workspace another process has
// taken over. What it is given is not recorded, so nothing may fire.
var ErrSuperseded = errors.New("another process has taken over this workspace")

// Past is one program as its journal has it.
type Past struct {
	Program ProgramRecord // as it ended; not Ended if the process died under it
	Clock   []Tick        // every reading, in order
	// Calls are the calls in the order of their Order. One that is only
	// [Intended] was about to be made, and what became of it is not known.
	Calls []CallRecord
}

// unfinished reports whether the process ended before the program did.
func (p *Past) unfinished() bool { return !p.Program.Ended || p.Program.Interrupted }

// cut reports whether the program may be found to stop at another place than the
// first time, because a clock or a person stopped it then.
func (p *Past) cut() bool {
	return p.Program.Fault == sandbox.KindDeadline || p.Program.Fault == sandbox.KindCancelled
}

// Replay runs one program again from what is recorded of it. Under its context a
// session executes the program as it did the first time; what it calls is not
// called but taken from the record, and so are decisions and clock readings.
// A program that asks for another call than it made diverges: it is stopped, and
// Diverged says why.
type Replay struct {
	past     *Past
	begun    bool
	taken    int // records that the program has asked for
	tick     int
	used     int64
	diverged string
	stopped  bool
	lost     *CallRecord
}

// NewReplay prepares to run a program again.
func NewReplay(p *Past) *Replay { return &Replay{past: p} }

type replayKey struct{}

// Context gives the context to execute the program under.
func (p *Replay) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, replayKey{}, p)
}

// Diverged says how the program differed from its record, "" if it did not.
func (p *Replay) Diverged() string {
	if p.diverged == "" && !p.begun {
		return "it does not run any more"
	}
	return p.diverged
}

// Interrupted reports whether the process died under the program.
func (p *Replay) Interrupted() bool { return p.past.unfinished() }

// Lost is the call that was about to be made when the process died and whose
// outcome is not known, nil if there was none.
func (p *Replay) Lost() *CallRecord { return p.lost }

// Calls is the number of calls that were taken from the record.
func (p *Replay) Calls() int { return p.taken }

// ReplayOf gives the replay that a context is of, nil if it is of none.
func ReplayOf(ctx context.Context) *Replay {
	p, _ := ctx.Value(replayKey{}).(*Replay)
	return p
}

// replayTime is how long a program may take when it is run again: it took no
// longer than its limit the first time, perhaps on a faster machine.
const replayTime = 24 * time.Hour

// ReplayLimits gives the limits for a program that runs under a context: those
// that it ran under, if it runs again, else l.
func ReplayLimits(ctx context.Context, l sandbox.Limits) sandbox.Limits {
	p := ReplayOf(ctx)
	if p == nil {
		return l
	}
	was := p.past.Program
	if was.Limits.Fuel > 0 {
		l.Fuel, l.Memory, l.Calls, l.Depth = was.Limits.Fuel, was.Limits.Memory, was.Limits.Calls, was.Limits.Depth
	}
	l.Compute, l.Wait = replayTime, replayTime
	if p.past.cut() && !p.past.unfinished() && was.Fuel > 0 {
		l.Fuel = was.Fuel // it is stopped where the clock or a person stopped it
	}
	return l
}

// begin ties a replay to the run of its program.
func (p *Replay) begin(r *Run) bool {
	if p == nil || p.begun {
		return false
	}
	p.begun = true
	r.replay, r.id = p, p.past.Program.ID
	r.reading = p.past.Program.Began.UnixMilli()
	if was := p.past.Program; was.Language != r.program.Language || was.Source != r.program.Source {
		r.diverge("it is another program than the one recorded")
	}
	return true
}

// Continue numbers the next programs from after last.
func (d *Dispatcher) Continue(last int64) {
	for {
		n := d.programs.Load()
		if n >= last || d.programs.CompareAndSwap(n, last) {
			return
		}
	}
}

// diverge stops a program that does not do what it did before.
func (r *Run) diverge(why string) error {
	if r.replay.diverged == "" {
		r.replay.diverged = why
	}
	return r.m.Fail(&sandbox.Fault{Kind: sandbox.KindDivergence, Message: "the program does not do what it did before: " + why + "."})
}

// interrupt stops a program where its record ends.
func (r *Run) interrupt() error {
	r.replay.stopped = true
	return r.m.Fail(&sandbox.Fault{Kind: sandbox.KindCancelled, Message: "the program was interrupted here."})
}

// recorded gives the record of a call by its order, nil if there is none.
func (p *Replay) recorded(order int) *CallRecord {
	calls := p.past.Calls
	// Nearly always the order is the position.
	if order <= len(calls) && calls[order-1].Order == order {
		return &calls[order-1]
	}
	for i := range calls {
		if calls[i].Order == order {
			return &calls[i]
		}
	}
	return nil
}

// permitAgain takes the decision on a call from the record.
func (r *Run) permitAgain(a *admitted) error {
	rec := r.replay.recorded(a.order)
	if rec != nil {
		if why := differs(a, rec); why != "" {
			return r.diverge(why)
		}
		r.replay.taken++
		if rec.Index == 0 { // it was refused
			if rec.Asked {
				r.calls++
			}
			return r.faultAgain(a, rec)
		}
	}
	if r.calls >= r.limits.Calls && (rec == nil || rec.Outcome != Staged) {
		return r.m.Fail(r.tooManyCalls(a.at))
	}
	if rec != nil && rec.Outcome == Staged {
		a.stage, a.waits = true, rec.Entry > 0 && len(r.sections) == 0
	}
	if rec == nil && !r.replay.past.unfinished() && !r.replay.past.cut() {
		return r.diverge("it makes a call of " + a.fn.Name + " that it did not make")
	}
	a.past = rec
	return nil
}

// differs says how a call differs from the recorded one, "" if it does not.
func differs(a *admitted, rec *CallRecord) string {
	switch {
	case rec.Function != a.fn.Name:
		return "it calls " + a.fn.Name + " where it called " + rec.Function
	case !rec.ArgsWithheld && !value.Equal(a.kept, rec.Args):
		return "it calls " + a.fn.Name + " with other arguments"
	}
	return ""
}

// again takes what became of an admitted call from the record.
func (r *Run) again(a *admitted) (value.Value, error) {
	rec := a.past
	switch {
	case rec == nil:
		return nil, r.interrupt()
	case rec.Outcome == Intended:
		r.replay.lost = rec
		a.outcome = Unsettled
		r.tally(a.fn, Unsettled, a.peeked())
		return nil, r.interrupt()
	case rec.Withheld:
		return nil, r.diverge("the result of " + a.fn.Name + " was withheld from the journal")
	}
	a.outcome = rec.Outcome
	if rec.Outcome != Refused {
		r.tally(a.fn, rec.Outcome, a.peeked())
		if a.entry > 0 && rec.Outcome == Done {
			r.count(a.fn).committedBy(a.peeked())
		}
	}
	if rec.Fault != nil {
		return nil, r.faultAgain(a, rec)
	}
	got, _, err := r.keep(rec.Result)
	if err != nil {
		return nil, err
	}
	a.fn.Observe(got)
	return got, nil
}

// faultAgain gives the fault of a call that failed or was refused.
func (r *Run) faultAgain(a *admitted, rec *CallRecord) error {
	if rec.Fault == nil {
		return r.diverge("the error of " + a.fn.Name + " was withheld from the journal")
	}
	f := *rec.Fault
	if f.Kind.Limit() {
		return r.m.Fail(&f)
	}
	if f.Cause = r.tidy(f.Cause); rec.Outcome == Done {
		f.Cause = ErrUnusable
	}
	return located{&f}.at(a.at)
}

// endAgain compares how the program ended with how it had.
func (r *Run) endAgain(f *sandbox.Fault) {
	p := r.replay
	if p.diverged != "" || p.past.unfinished() {
		return
	}
	was := p.past.Program
	var kind sandbox.Kind
	if f != nil {
		kind = f.Kind
	}
	switch {
	case p.taken < len(p.past.Calls):
		p.diverged = "it does not make all the calls that it made"
	case kind != was.Fault && !p.past.cut():
		p.diverged = "it ends in another way"
	case was.Digest != r.digest:
		p.diverged = "it defines other values"
	}
}

// Attest adds what the program has defined, in words, to what its journal keeps
// a digest of. A program that is run again must come to the same.
func (r *Run) Attest(words ...string) {
	h := fnv.New64a()
	var n [8]byte
	for i := range n {
		n[i] = byte(r.digest >> (8 * i))
	}
	h.Write(n[:])
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	r.digest = h.Sum64()
}

// CallErrorOf gives the details of a failed call, nil if there are none.
func CallErrorOf(f *sandbox.Fault) *toolfn.CallError {
	var c *toolfn.CallError
	if f != nil && errors.As(f.Cause, &c) {
		return c
	}
	return nil
}

// Recorded is a journal that can be read again, for a workspace that outlives its
// process.
type Recorded interface {
	Journal
	// Seed is the seed of the random numbers that the workspace's programs see.
	Seed() uint64
	// Past gives the programs recorded so far in the order in which they began.
	Past(context.Context) iter.Seq2[*Past, error]
}

// FiredIn tells, as [Run.FiredNote] does, what a recorded program had done. A call
// that was about to be made is one whose outcome is not known.
func FiredIn(p *Past) string {
	r := &Run{}
	known := map[string]*toolfn.ToolFn{}
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.Function == commitment.Name {
			continue
		}
		o := c.Outcome
		switch o {
		case Intended:
			o = Unsettled
		case Done, Failed, Unsettled:
		default:
			continue
		}
		fn := known[c.Function]
		if fn == nil {
			fn = &toolfn.ToolFn{Name: c.Function, Effect: c.Effect}
			known[c.Function] = fn
		}
		r.tally(fn, o, peekedAs(c.Function, c.Args))
	}
	if note := r.FiredNote(); note != "" {
		return note
	}
	return "It had called nothing."
}
