package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Pending is an effect that was asked for and has not been made.
type Pending struct {
	// ID numbers the effects that a workspace staged, from 1. No number is given
	// out twice.
	ID       int64
	Function string
	Effect   toolfn.Effect
	Args     *value.Object // must not be changed
	Table    string        // set for a statement about a table
	Verb     toolfn.Verb

	Program      int64 // the program that staged it
	Language     string
	Actor        string
	Line, Column int // where in the program; 0 where unknown
}

// Placeholder stands for the result of a call that was staged. It is no data:
// nothing is known of the result before the call is made.
type Placeholder struct {
	ID       int64
	Function string
	Dry      bool // the program only tries: the call will never be made
}

// Opaque names the placeholder wherever a value is shown.
func (p *Placeholder) Opaque() string {
	if p.Dry {
		return "#<not made: " + p.Function + ">"
	}
	return fmt.Sprintf("#<staged %s, pending %d>", p.Function, p.ID)
}

// entry is an effect on the list with what it takes to make it.
type entry struct {
	Pending
	size int64
	fn   *toolfn.ToolFn
	// table is set for a statement about a table.
	table *toolfn.ResourceTable
	// fire makes the effect in place of an ordinary call of the function.
	fire staged
	// undo takes back what staging it did, when it is not made after all.
	undo func()
}

// staged makes an effect of several calls. If it fails, the remainder is what was
// not even begun of it, nil if that is nothing.
type staged func(*Run) (value.Value, *remainder, error)

// remainder is what a commit has left of an effect: it is pending under the same
// number.
type remainder struct {
	args  *value.Object
	fire  staged
	undo  func()
	whole bool // nothing of the effect was begun
}

// left gives the entry for a remainder.
func (e *entry) left(rest *remainder) *entry {
	own := *e
	own.Args, own.size, own.fire, own.undo = rest.args, value.Size(rest.args, mostPendingBytes), rest.fire, rest.undo
	return &own
}

// The bounds of a workspace's list.
const (
	mostPending      = 2_000
	mostPendingBytes = 16 << 20
)

// pendingList is a workspace's effects that wait to be made.
type pendingList struct {
	mu         sync.Mutex
	last       int64
	entries    []*entry
	bytes      int64
	committing bool
}

// add numbers an effect and puts it at the end.
func (s *pendingList) add(e *entry) *sandbox.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.entries) >= mostPending || s.bytes+e.size > mostPendingBytes {
		return &sandbox.Fault{
			Kind:    sandbox.KindDenied,
			Message: fmt.Sprintf("%s was not staged: %s already pending, which is all that can be.", e.Function, plural(len(s.entries), "effect is", "effects are")),
			Hint:    "Commit or roll back what is pending first.",
		}
	}
	s.last++
	e.ID = s.last
	s.entries = append(s.entries, e)
	s.bytes += e.size
	return nil
}

// take removes the effects that pick chooses and gives them in order.
func (s *pendingList) take(pick func(*entry) bool) (taken []*entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.entries[:0:0]
	for _, e := range s.entries {
		if pick(e) {
			taken = append(taken, e)
			s.bytes -= e.size
		} else {
			kept = append(kept, e)
		}
	}
	s.entries = kept
	return taken
}

// takeOne removes one effect, if it is still there.
func (s *pendingList) takeOne(id int64) *entry {
	if got := s.take(func(e *entry) bool { return e.ID == id }); len(got) > 0 {
		return got[0]
	}
	return nil
}

// putBack returns an effect that was taken and not made to its place.
func (s *pendingList) putBack(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, _ := slices.BinarySearchFunc(s.entries, e.ID, func(x *entry, id int64) int { return int(x.ID - id) })
	s.entries = slices.Insert(s.entries, at, e)
	s.bytes += e.size
}

// all gives the effects in order.
func (s *pendingList) all() []*entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entries)
}

func (s *pendingList) pending() []Pending {
	all := s.all()
	out := make([]Pending, len(all))
	for i, e := range all {
		out[i] = e.Pending
	}
	return out
}

// replace changes the arguments of an effect.
func (s *pendingList) replace(id int64, args *value.Object) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range s.entries {
		if e.ID == id {
			changed := *e
			changed.Args, changed.size = args, value.Size(args, mostPendingBytes)
			s.bytes += changed.size - e.size
			s.entries[i] = &changed
			return true
		}
	}
	return false
}

// begin claims the list for a commit.
func (s *pendingList) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.committing {
		return false
	}
	s.committing = true
	return true
}

func (s *pendingList) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.committing = false
}

// copy gives a list of the same effects for a program that only tries. What it
// does to the copy leaves the original alone.
func (s *pendingList) copy() *pendingList {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &pendingList{last: s.last, bytes: s.bytes, entries: make([]*entry, len(s.entries))}
	for i, e := range s.entries {
		own := *e
		own.undo = nil
		c.entries[i] = &own
	}
	return c
}

// WithoutStaging makes a dispatcher that keeps no list of pending effects: what
// policy wants staged is refused.
func WithoutStaging() Option { return func(d *Dispatcher) { d.noStaging = true } }

// Stages reports whether effects can be staged.
func (d *Dispatcher) Stages() bool { return !d.noStaging }

// Pending lists the effects that wait to be made, in the order in which they
// would be.
func (d *Dispatcher) Pending() []Pending { return d.pending.pending() }

// Discard drops every pending effect, of which none is ever made. It is for the
// end of a workspace; a program is rolled back with [Run.Rollback].
func (d *Dispatcher) Discard() []Pending { return undo(d.pending.take(anyEntry)) }

// Abandon drops every pending effect because a program that may have changed them
// could not be run again from its journal: what it had committed or rolled back
// must not be pending once more.
func (d *Dispatcher) Abandon(p *Past) []Pending {
	d.pending.mu.Lock()
	for i := range p.Calls {
		d.pending.last = max(d.pending.last, p.Calls[i].Entry)
	}
	d.pending.mu.Unlock()
	return d.Discard()
}

func anyEntry(*entry) bool { return true }

// undo takes back what staging did, the last first, and lists the effects.
func undo(dropped []*entry) []Pending {
	out := make([]Pending, len(dropped))
	for i := len(dropped) - 1; i >= 0; i-- {
		if dropped[i].undo != nil {
			dropped[i].undo()
		}
		out[i] = dropped[i].Pending
	}
	return out
}

// list is the list that the program works on: the workspace's, or its copy where
// the program only tries.
func (r *Run) list() *pendingList {
	if r.trial != nil {
		return r.trial.list
	}
	return &r.d.pending
}

// Pending lists the effects that wait to be made, as the program sees them.
func (r *Run) Pending() []Pending { return r.list().pending() }

// Section is a part of a program whose effects are staged. Reads run in it.
type Section struct {
	run   *Run
	after int64 // the last effect that was staged before
	over  bool
}

// Stage begins a part of the program whose effects are staged and not made. It
// ends with [Section.End] or [Section.Discard]; parts may lie in each other.
func (r *Run) Stage() (*Section, error) {
	if r.d.noStaging {
		return nil, &sandbox.Fault{Kind: sandbox.KindDenied, Message: "effects cannot be staged here.", Hint: "Call the functions directly."}
	}
	l := r.list()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &Section{run: r, after: l.last}
	r.sections = append(r.sections, s)
	return s, nil
}

// End ends the part and lists what it staged that is still pending.
func (s *Section) End() []Pending {
	s.close()
	var own []Pending
	for _, p := range s.run.Pending() {
		if p.ID > s.after && p.Program == s.run.id {
			own = append(own, p)
		}
	}
	return own
}

// Discard ends the part and drops what it staged.
func (s *Section) Discard() []Pending {
	s.close()
	return undo(s.run.list().take(func(e *entry) bool { return e.ID > s.after && e.Program == s.run.id }))
}

func (s *Section) close() {
	if !s.over {
		s.over = true
		s.run.sections = slices.DeleteFunc(s.run.sections, func(x *Section) bool { return x == s })
	}
}

// abandonSections drops what parts staged that the program did not end: it stopped
// in the middle of them.
func (r *Run) abandonSections() {
	for len(r.sections) > 0 {
		r.unstaged = append(r.unstaged, r.sections[len(r.sections)-1].Discard()...)
	}
}

// staging decides whether a call goes to the list instead of being made. What
// only reads never does: there is nothing to hold back.
func (r *Run) staging(fn *toolfn.ToolFn, d *Decision) bool {
	if fn.Effect.Reads() {
		if d.Verdict == Stage {
			d.Verdict = Allow
		}
		return false
	}
	if r.d.noStaging {
		if d.Verdict == Stage {
			*d = Decision{Verdict: Deny, Reason: "it may only be staged, and nothing can be staged here", Final: true}
		}
		return false
	}
	inside := len(r.sections) > 0
	switch d.Verdict {
	case Deny:
		return inside && !d.Final
	case Stage:
		return true
	}
	return inside || r.trial != nil
}

// hold puts an admitted effect on the list and gives its placeholder. The effect
// is made by fire, or where that is nil by calling the function; undo takes back
// what staging it did.
func (r *Run) hold(a *admitted, fire staged, undo func()) (value.Value, error) {
	e := &entry{
		Pending: Pending{
			Function: a.fn.Name, Effect: a.fn.Effect, Args: a.kept, Program: r.id, Language: r.program.Language,
			Actor: r.program.Actor, Line: a.at.Line, Column: a.at.Column,
		},
		size: value.Size(a.kept, mostPendingBytes), fn: a.fn, fire: fire, undo: undo,
	}
	if a.statement != nil {
		e.table = a.statement.table
		e.Table, e.Verb = e.table.Name, a.statement.verb
	}
	if r.trial != nil && len(r.sections) == 0 && !a.waits {
		r.trial.number(e)
	} else if f := r.list().add(e); f != nil {
		return nil, located{f}.at(a.at)
	} else {
		r.waive()
	}
	a.entry, a.started = e.ID, r.hand.since()
	if r.replay == nil {
		rec := r.callRecord(a)
		rec.Outcome = Staged
		if err := r.d.journal.Call(rec); err != nil {
			r.d.tell(err)
			if e := r.list().takeOne(e.ID); e != nil && e.undo != nil {
				e.undo()
			}
			return nil, located{denied(a.fn.Name, "the journal could not record it")}.at(a.at)
		}
	}
	r.staged = append(r.staged, e.ID)
	return &Placeholder{ID: e.ID, Function: a.fn.Name, Dry: r.trial != nil}, nil
}

// waive keeps what is no call of a function's from counting against the ceiling
// of calls. How much can be staged is bounded by the list.
func (r *Run) waive() {
	r.limits.Calls++
	r.waived++
}

// Rollback drops pending effects, by their numbers or all of them, and lists
// those that it dropped. A number that is not pending is an error, and then
// nothing is dropped.
func (r *Run) Rollback(ids ...int64) ([]Pending, error) {
	all := r.list().all()
	if len(all) == 0 {
		return nil, nothingPending("roll back")
	}
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(e *entry) bool { return e.ID == id }) {
			return nil, notPending(id, all)
		}
	}
	if r.list().busy() {
		return nil, underCommit()
	}
	return undo(r.list().take(func(e *entry) bool { return len(ids) == 0 || slices.Contains(ids, e.ID) })), nil
}

func (s *pendingList) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.committing
}

// Edit changes the arguments of a pending effect. They are checked as those of a
// call are.
func (r *Run) Edit(id int64, args *value.Object) error {
	all := r.list().all()
	i := slices.IndexFunc(all, func(e *entry) bool { return e.ID == id })
	if i < 0 {
		return notPending(id, all)
	}
	if r.list().busy() {
		return underCommit()
	}
	checked, f := r.checkAgain(all[i], args)
	if f != nil {
		return f
	}
	if !r.list().replace(id, checked) {
		return notPending(id, r.list().all())
	}
	return nil
}

// checkAgain checks the arguments of an effect against the function as it is
// now.
func (r *Run) checkAgain(e *entry, args *value.Object) (*value.Object, *sandbox.Fault) {
	if e.fire != nil {
		if value.Equal(args, e.Args) {
			return args, nil
		}
		return nil, &sandbox.Fault{Kind: sandbox.KindArgument, Message: fmt.Sprintf("pending effect %d is a statement about table %s and cannot be edited.", e.ID, e.Table), Hint: "Remove it and stage another."}
	}
	fn, ok := r.d.catalog.Lookup(e.Function)
	if !ok {
		return nil, &sandbox.Fault{Kind: sandbox.KindName, Message: fmt.Sprintf("pending effect %d cannot be made any more: there is no function %s now.", e.ID, e.Function), Hint: "Roll it back."}
	}
	if args == nil {
		args = value.NewObject(0)
	}
	checked, err := fn.Check(args)
	if err != nil {
		f := argumentFault(fn, err).Fault
		f.Message = fmt.Sprintf("pending effect %d: %s", e.ID, f.Message)
		return nil, f
	}
	e.fn = fn
	return checked, nil
}

func nothingPending(verb string) *sandbox.Fault {
	return &sandbox.Fault{Kind: sandbox.KindArgument, Message: "there is nothing to " + verb + ": no effect is pending.", Hint: "What was committed before has happened and is not made again; what you call outside of a stage happens at once."}
}

func notPending(id int64, all []*entry) *sandbox.Fault {
	f := &sandbox.Fault{Kind: sandbox.KindArgument, Message: fmt.Sprintf("no effect with the number %d is pending.", id)}
	if len(all) == 0 {
		f.Hint = "Nothing is pending."
		return f
	}
	var ids []string
	for _, e := range all[:min(len(all), 20)] {
		ids = append(ids, fmt.Sprint(e.ID))
	}
	f.Hint = "Pending are " + strings.Join(ids, ", ")
	if len(all) > 20 {
		f.Hint += fmt.Sprintf(" and %d more", len(all)-20)
	}
	f.Hint += "."
	return f
}

func underCommit() *sandbox.Fault {
	return &sandbox.Fault{Kind: sandbox.KindDenied, Message: "the pending effects are being committed by another program.", Hint: "Look at what is pending when that has ended."}
}
