package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Call is one request of a program for a capability.
type Call struct {
	Function     string        // the catalogue's name
	Args         *value.Object // nil means none; not to be changed any more
	Line, Column int           // where in the program, 1-based; 0 where unknown
}

// Program is what a run is the account of.
type Program struct {
	Language string // js, python, lisp, sql
	Frame    string // repl, program, workflow
	Actor    string // on whose behalf
	Auth     string // with whose credentials, where one actor has several
	Source   string
}

// Run is the account of one execute: its call ceiling, its tally, and what has
// fired. It is used from the program's goroutine, and ended with End.
type Run struct {
	d       *Dispatcher
	m       *sandbox.Meter
	ctx     context.Context
	limits  sandbox.Limits
	program Program
	id      int64
	began   time.Time
	policy  Policy

	calls   int
	orders  int    // calls asked for, refused ones among them
	ticks   []Tick // clock readings since the last record
	reading int64  // the last, in milliseconds; the program's beginning before the first
	digest  uint64
	spanned context.Context           // the program's, with its span; nil without a tracer
	traced  func(*sandbox.Fault)      // tells the tracer of its end
	replay  *Replay                   // nil unless the program runs again from its journal
	settled map[*toolfn.ToolFn]Answer // answers for the rest of the program
	counts  []*count
	index   map[*toolfn.ToolFn]int
	hand    handover
	lanes   lanes
	im      importer
	paused  int
	ended   bool
	reads   reads // of tables
	remarks []string

	sections []*Section // parts whose effects are staged, the innermost last
	staged   []int64    // what this program staged
	unstaged []Pending  // what was dropped because it stopped in the middle of a part
	trial    *trial     // nil unless the program only tries
	byHost   bool       // the host itself acts
	waived   int        // by how much the ceiling of calls was raised
}

// Begin starts the account of one program on its meter. The limits and the
// context are the meter's.
func (d *Dispatcher) Begin(m *sandbox.Meter, p Program) *Run {
	r := &Run{d: d, m: m, ctx: m.Context(), limits: m.Limits(), program: p, began: d.clock()}
	r.policy, r.reading = r.policies(), r.began.UnixMilli()
	r.hand.base, r.hand.wait = time.Now(), r.limits.Wait
	r.lanes.run = r
	r.try()
	if ReplayOf(r.ctx).begin(r) {
		return r
	}
	r.id = d.programs.Add(1)
	if err := d.journal.Program(r.record()); err != nil {
		d.tell(err)
		_ = m.Fail(unrecorded(err))
	}
	if d.tracer != nil {
		r.traceProgram()
	}
	return r
}

// unrecorded is the fault of a program that the journal cannot record. It must
// not run: what it defined would be missing when the workspace is opened again.
func unrecorded(err error) *sandbox.Fault {
	why := "the journal cannot be written"
	if errors.Is(err, ErrSuperseded) {
		why = ErrSuperseded.Error()
	}
	return &sandbox.Fault{
		Kind: sandbox.KindCancelled, Message: "the program was not run, because " + why + ".",
		Hint: "Nothing was called. Report it; do not try again here.", Cause: err,
	}
}

func (r *Run) record() ProgramRecord {
	return ProgramRecord{ID: r.id, Language: r.program.Language, Frame: r.program.Frame, Actor: r.program.Actor, Source: r.program.Source, DryRun: r.trial != nil, Limits: r.limits, Began: r.began}
}

type restrictKey struct{}

// Restrict gives a context in which programs are held to a further policy,
// whatever the dispatcher's own allows.
func Restrict(ctx context.Context, p Policy) context.Context {
	if before, ok := ctx.Value(restrictKey{}).(Policy); ok {
		p = Strictest(before, p)
	}
	return context.WithValue(ctx, restrictKey{}, p)
}

func (r *Run) policies() Policy {
	further, _ := r.ctx.Value(restrictKey{}).(Policy)
	switch {
	case further == nil:
		return r.d.policy
	case r.d.policy == nil:
		return further
	}
	return Strictest(further, r.d.policy)
}

// ID is the program's number in the journal.
func (r *Run) ID() int64 { return r.id }

// Calls is the number of calls made so far.
func (r *Run) Calls() int { return r.calls }

// End closes the account: calls under way are given up, and the journal is told
// how the program ended, with its fault or nil. It may be called twice.
func (r *Run) End(f *sandbox.Fault) {
	if r.ended {
		return
	}
	r.settleAll()
	r.reads.abandon()
	r.abandonSections()
	r.report()
	r.ended = true
	r.hand.close()
	if r.replay != nil {
		r.endAgain(f)
		return
	}
	r.endProgramTrace(f)
	rec := r.record()
	rec.Ended, rec.Took = true, r.hand.since()
	rec.Fuel, rec.Clock, rec.Digest = r.m.Usage().Fuel, r.takeTicks(), r.digest
	if f != nil {
		rec.Fault = f.Kind
	}
	if err := r.d.journal.Program(rec); err != nil {
		r.d.tell(err)
	}
}

// Call makes a call and waits for it with the meter's clock paused. Every error
// is a *[sandbox.Fault]: name, argument and denied (nothing fired), capability
// (fired and failed), unknown (fired, outcome not known), or a limit, with which
// the meter has failed too. The fault of a failed call keeps a
// *[toolfn.CallError] as its cause.
func (r *Run) Call(c Call) (value.Value, error) {
	if r.lanes.busy() {
		f, err := r.Start(c)
		if err != nil {
			return nil, err
		}
		return f.Wait()
	}
	a, err := r.admit(c)
	if err != nil {
		return nil, err
	}
	if a.fn.Rows != nil {
		return r.callTable(a)
	}
	if a.stage {
		return r.hold(a, nil, nil)
	}
	return r.now(a)
}

// now makes an admitted call while the program waits.
func (r *Run) now(a *admitted) (value.Value, error) {
	if r.replay != nil {
		return r.again(a)
	}
	a.started = r.hand.since()
	if err := r.intend(a); err != nil {
		return nil, err
	}
	r.begin(a)
	r.pauseAt(a.started)
	rep := r.hand.do(r.ctx, &r.d.stragglers, r.jobOf(a))
	a.ended = r.hand.since()
	r.resumeAt(a.ended)
	a.ctx.finish()
	return r.complete(a, rep)
}

// pauseAt stops the compute clock, now being the time since the run began;
// pauses may nest.
func (r *Run) pauseAt(now time.Duration) {
	if r.paused++; r.paused == 1 {
		r.m.PauseAt(r.hand.base.Add(now))
	}
}

func (r *Run) resumeAt(now time.Duration) {
	if r.paused--; r.paused == 0 {
		r.m.ResumeAt(r.hand.base.Add(now))
	}
}

func (r *Run) pause()  { r.pauseAt(r.hand.since()) }
func (r *Run) resume() { r.resumeAt(r.hand.since()) }

// admitted is a call that passed its checks.
type admitted struct {
	fn      *toolfn.ToolFn
	args    *value.Object // the handler's, to keep or change
	kept    *value.Object // the program's, for policy, journal and notes
	at      Call
	index   int
	order   int
	asked   bool
	stage   bool  // it goes to the list instead of being made
	waits   bool  // policy wants it staged, wherever it is called
	entry   int64 // the pending effect that it is, 0 if none
	gate    gate  // where the call waits for its server's turn
	outcome Outcome
	past    *CallRecord // what became of it the first time, if the program runs again
	ctx     callContext
	started time.Duration // since the run began
	ended   time.Duration // the same; 0 while it is under way
	trace   func(Outcome, error)

	// For a call on behalf of a statement about a table.
	call      func(context.Context) (value.Value, error) // in place of fn's own
	shown     *value.Object                              // what a note tells of it
	statement *statement                                 // set on the whole, which policy decides on
}

// peeked is what a note may tell of the call.
func (a *admitted) peeked() *value.Object {
	if a.shown != nil {
		return a.shown
	}
	return a.kept
}

// callFuel is what a call costs a program in fuel, besides its data.
const callFuel = 64

// admit does all that comes before a call fires, in the order in which a refusal
// is cheapest to act on: name, arguments, policy, the ceiling, the host's word.
func (r *Run) admit(c Call) (*admitted, error) {
	if r.ended {
		return nil, &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the program has ended; it cannot call any more."}
	}
	fn, ok := r.d.catalog.Lookup(c.Function)
	if !ok {
		return nil, r.unknownFunction(c).at(c)
	}
	if c.Args == nil {
		c.Args = value.NewObject(0)
	}
	if err := r.m.Charge(callFuel + value.Size(c.Args, r.limits.Memory)>>3); err != nil {
		return nil, err
	}
	args, err := fn.Check(c.Args)
	if err != nil {
		return nil, argumentFault(fn, err).at(c)
	}
	a := &admitted{fn: fn, kept: args, at: c}
	if fn.Rows != nil {
		return a, nil // what it does with its table is admitted by itself
	}
	a.args, _ = value.Copy(args).(*value.Object)
	if err := r.permit(a); err != nil {
		return nil, err
	}
	if r.ctx.Err() != nil {
		return nil, r.stopped()
	}
	r.calls++
	a.index = r.calls
	return a, nil
}

// located is a fault on its way to a position.
type located struct{ *sandbox.Fault }

func (l located) at(c Call) *sandbox.Fault {
	l.Line, l.Column = c.Line, c.Column
	return l.Fault
}

func (r *Run) unknownFunction(c Call) located {
	f := &sandbox.Fault{
		Kind: sandbox.KindName, Message: "there is no function '" + sandbox.Clip(c.Function, 60) + "'.",
		Hint: "Find functions with search(\"…\").",
	}
	var names []string
	for _, fn := range r.d.catalog.All() {
		names = append(names, fn.Name)
	}
	if near, ok := sandbox.Nearest(c.Function, names); ok {
		f.Hint = "Did you mean " + near + "?"
	}
	return located{f}
}

// argumentFault makes sure that a refusal of arguments says so.
func argumentFault(fn *toolfn.ToolFn, err error) located {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		g := *f
		return located{&g}
	}
	return located{&sandbox.Fault{Kind: sandbox.KindArgument, Message: fn.Name + ": " + Sentence(err.Error())}}
}

// permit asks policy and, where policy says so, the host.
func (r *Run) permit(a *admitted) error {
	r.orders++
	a.order = r.orders
	if r.replay != nil {
		return r.permitAgain(a)
	}
	if f := r.d.stragglers.fault(a.fn); f != nil {
		return r.refuse(a, f)
	}
	q := Question{Request: Request{Function: a.fn, Args: a.kept, Actor: r.program.Actor, Program: r.id, Language: r.program.Language, Line: a.at.Line}}
	if a.statement != nil {
		q.Table, q.Verb = a.statement.table, a.statement.verb
	}
	d := r.decide(q.Request)
	a.waits = d.Verdict == Stage
	if a.stage = r.staging(a.fn, &d); a.stage {
		d.Verdict = Allow
	}
	if d.Verdict == Deny {
		if d.Reason == "" {
			d.Reason = "it is not allowed here"
		}
		f := denied(a.fn.Name, d.Reason)
		switch {
		case d.Hint != "":
			f.Hint = d.Hint
		case r.mayBeStaged(a.fn, d):
			f.Hint = "It can be staged: committing it then asks the host for its approval."
		}
		return r.refuse(a, f)
	}
	if r.calls >= r.limits.Calls && !a.stage {
		return r.m.Fail(r.tooManyCalls(a.at))
	}
	if d.Verdict != Ask {
		return nil
	}
	q.Reason, a.asked = d.Reason, true
	if f := r.approve(q); f != nil {
		r.calls++ // a question costs somebody's time, so it counts
		if r.ctx.Err() != nil {
			return r.stopped()
		}
		return r.refuse(a, f)
	}
	return nil
}

// decide asks policy; one that panics denies.
func (r *Run) decide(q Request) (d Decision) {
	if r.policy == nil {
		return Decision{Verdict: Allow}
	}
	defer func() {
		if p := recover(); p != nil {
			r.d.tell(panicError("the policy", p))
			d = Decision{Verdict: Deny, Reason: "the policy failed", Final: true}
		}
	}()
	return r.policy.Decide(q)
}

// refuse records a call that was not allowed.
func (r *Run) refuse(a *admitted, f *sandbox.Fault) error {
	a.started = r.hand.since()
	rec := r.callRecord(a)
	rec.Outcome, rec.Error, rec.Fault = Refused, f.Message, f
	if err := r.d.journal.Call(rec); err != nil {
		r.d.tell(err)
	}
	return located{f}.at(a.at)
}

func (r *Run) remember(q Question, a Answer) {
	if r.settled == nil {
		r.settled = make(map[*toolfn.ToolFn]Answer)
	}
	r.settled[q.Function] = a
}

func (r *Run) tooManyCalls(c Call) *sandbox.Fault {
	where := ""
	if c.Line > 0 {
		where = fmt.Sprintf(" in line %d", c.Line)
	}
	f := &sandbox.Fault{
		Kind:    sandbox.KindCalls,
		Message: fmt.Sprintf("the program made %s, the most it may; the next was %s%s.", plural(r.limits.Calls-r.waived, "call", "calls"), c.Function, where),
		Hint:    "Ask for more at once (a wider filter, a larger page), or go on in another program.",
	}
	return located{f}.at(c)
}

// stopped fails the meter because the program was cancelled or its time ran out.
func (r *Run) stopped() error {
	if err := r.m.Check(); err != nil {
		return err
	}
	return r.m.Fail(&sandbox.Fault{Kind: sandbox.KindCancelled, Message: "the program was cancelled."})
}

// endOf takes the error of a handler that heeded its context for what it is. The
// handler and the watchdog see the same moment, and either may be first.
func (r *Run) endOf(a *admitted, rep reply) ending {
	switch {
	case rep.end != returned || rep.err == nil:
	case r.ctx.Err() != nil && (errors.Is(rep.err, context.Canceled) || errors.Is(rep.err, context.DeadlineExceeded)):
		return cancelled
	case a.ended-a.started >= r.limits.Wait && errors.Is(rep.err, context.DeadlineExceeded):
		return timedOut
	}
	return rep.end
}

// dropped is the fault of a call that was given up: because the program was
// stopped, or because it ended without waiting for the answer.
func (r *Run) dropped(fn *toolfn.ToolFn) error {
	if r.ctx.Err() != nil {
		return r.stopped()
	}
	return &sandbox.Fault{Kind: sandbox.KindCancelled, Message: "the program ended before " + fn.Name + " answered."}
}

// callRecord is the journal's record of a call, with what is known before it
// fires.
func (r *Run) callRecord(a *admitted) CallRecord {
	return CallRecord{
		Program: r.id, Index: a.index, Function: a.fn.Name, Effect: a.fn.Effect, Args: a.kept, Actor: r.program.Actor,
		Line: a.at.Line, Column: a.at.Column, Began: r.began.Add(a.started),
		Order: a.order, Asked: a.asked, Entry: a.entry, Clock: r.takeTicks(),
	}
}

// intend records a call that may change something before it is made.
func (r *Run) intend(a *admitted) error {
	if a.fn.Effect.Reads() {
		return nil
	}
	if err := r.d.journal.Call(r.callRecord(a)); err != nil {
		r.d.tell(err)
		why := "the journal could not record it"
		if errors.Is(err, ErrSuperseded) {
			why = ErrSuperseded.Error()
		}
		return located{denied(a.fn.Name, why)}.at(a.at)
	}
	return nil
}

// begin gives a call its context and tells the tracer.
func (r *Run) begin(a *admitted) {
	parent := r.ctx
	if r.d.tracer != nil {
		parent, a.trace = r.startTrace(a)
	}
	a.ctx.parent, a.ctx.actor = parent, r.program.Actor
	a.ctx.name = callName{r.d, r.id, a.order, a.entry}
	a.ctx.begin(r.hand.base.Add(a.started + r.limits.Wait))
}

// startTrace tells the tracer, whose panic is not the program's.
func (r *Run) startTrace(a *admitted) (ctx context.Context, end func(Outcome, error)) {
	under := r.ctx
	if r.spanned != nil {
		under = r.spanned
	}
	ctx = under
	defer func() {
		if p := recover(); p != nil {
			r.d.tell(panicError("the tracer", p))
			ctx, end = under, nil
		}
	}()
	got, end := r.d.tracer.StartCall(under, Request{Function: a.fn, Args: a.kept, Actor: r.program.Actor, Program: r.id, Language: r.program.Language, Line: a.at.Line})
	if got != nil {
		ctx = got
	}
	return ctx, end
}

// complete takes a reply into the program: its outcome, its tally, its record,
// and its value or fault.
func (r *Run) complete(a *admitted, rep reply) (value.Value, error) {
	rep.end = r.endOf(a, rep)
	rep.end = a.begun(rep)
	o := classify(a.fn, rep)
	a.outcome = o
	var got value.Value
	var size int64
	var err error
	switch {
	case o == Done:
		if got, size, err = r.keep(rep.value); err != nil {
			err = unusable(a.fn, err)
		} else {
			a.fn.Observe(got)
		}
	case rep.end == cancelled || rep.end == unfired:
		err = r.dropped(a.fn)
	case rep.end == oversized:
		err = r.m.Alloc(r.limits.Memory + 1) // fails the meter as the copy would have
	case o == Refused:
		err = argumentFault(a.fn, rep.err).Fault
	default:
		r.tellPanic(rep)
		rep.err = r.tidy(rep.err)
		err = r.faultOf(a.fn, rep, o)
	}
	if o != Refused {
		r.tally(a.fn, o, a.peeked())
		if a.entry > 0 && o == Done {
			r.count(a.fn).committedBy(a.peeked())
		}
	}
	r.finish(a, o, got, size, err)
	if f, ok := err.(*sandbox.Fault); ok && !f.Kind.Limit() {
		return nil, located{f}.at(a.at)
	}
	if err != nil {
		return nil, err
	}
	return got, nil
}

// tellPanic tells the host of a handler that broke down, with its stack; the
// program hears only that it did.
func (r *Run) tellPanic(rep reply) {
	var p *toolfn.Panic
	switch {
	case errors.As(rep.err, &p):
		r.d.tell(p)
	case rep.end == crashed:
		r.d.tell(rep.err)
	}
}

// unusable is the fault of a call that worked and whose result cannot be used,
// or the limit that it ran into.
func unusable(fn *toolfn.ToolFn, err error) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return f
	}
	return &sandbox.Fault{
		Kind: sandbox.KindCapability, Cause: fmt.Errorf("%w: %w", ErrUnusable, err),
		Message: fn.Name + " was called, but its result cannot be used: " + Sentence(err.Error()),
		Hint:    "The call itself succeeded; do not repeat it for its effect.",
	}
}

// finish records how a call ended.
func (r *Run) finish(a *admitted, o Outcome, got value.Value, size int64, err error) {
	if a.trace != nil {
		if o == Done && err == nil {
			r.traceResult(a, got)
		}
		r.endTrace(a, o, err)
	}
	rec := r.callRecord(a)
	rec.Outcome, rec.Result, rec.ResultBytes = o, got, size
	rec.Took = a.ended - a.started
	if err != nil {
		rec.Error = err.Error()
		rec.Fault, _ = err.(*sandbox.Fault)
	}
	if err := r.d.journal.Call(rec); err != nil {
		r.d.tell(err)
	}
}

func (r *Run) endTrace(a *admitted, o Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.d.tell(panicError("the tracer", p))
		}
	}()
	a.trace(o, err)
}

// tidy makes the details of a failed call plain data of the program's own.
func (r *Run) tidy(err error) error {
	var c *toolfn.CallError
	if !errors.As(err, &c) || c == nil || c.Details == nil {
		return err
	}
	d := *c
	if d.Details, _, err = r.keep(c.Details); err != nil {
		d.Details = nil
	}
	return &d
}
