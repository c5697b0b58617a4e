package dispatch

import (
	"errors"
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Commitment is what a commit made of one pending effect.
type Commitment struct {
	Pending
	// Outcome is Done, Failed, Unsettled, Refused by the host, or NotAttempted: an
	// effect before it failed, and it is still pending. In a program that only
	// tries it is Staged.
	Outcome Outcome
	Result  value.Value // when done
	Error   string      // when failed, unsettled or refused
	Edited  bool        // the host changed its arguments
}

// CommitError is the cause of the fault of a commit that did not make every
// pending effect.
type CommitError struct {
	Effects []Commitment
	Err     error // of the effect that failed, nil if the host refused some
}

// Error says how many effects were made.
func (c *CommitError) Error() string {
	return fmt.Sprintf("%d of %s made", madeOf(c.Effects, Done), plural(len(c.Effects), "effect", "effects"))
}

// Unwrap gives the failure.
func (c *CommitError) Unwrap() error { return c.Err }

func madeOf(effects []Commitment, o Outcome) (n int) {
	for i := range effects {
		if effects[i].Outcome == o {
			n++
		}
	}
	return n
}

// commitment is the name under which the journal has a commit and the host's
// word on it. No function of a catalogue can have it.
var commitment = &toolfn.ToolFn{Name: "(commit)", Effect: toolfn.Effect{Impact: toolfn.Read}}

// Commit makes the pending effects in the order in which they were staged. All
// of them are checked again first, against the functions and the policy as they
// are now, and the host is asked where policy wants it; if one does not pass,
// none is made.
//
// An effect leaves the list before it is made, whatever becomes of it, so that
// none is ever made twice. The first that fails ends the commit; those after it
// are still pending. The fault then has a *[CommitError] as its cause. at says
// where in the program.
func (r *Run) Commit(at Call) ([]Commitment, error) {
	at = Call{Function: commitment.Name, Line: at.Line, Column: at.Column}
	if r.ended {
		return nil, located{&sandbox.Fault{Kind: sandbox.KindInternal, Message: "the program has ended; it cannot commit any more."}}.at(at)
	}
	if len(r.sections) > 0 {
		return nil, located{&sandbox.Fault{Kind: sandbox.KindDenied, Message: "effects are being staged; a commit comes after the stage.", Hint: "End the stage first, and await it if it is asynchronous."}}.at(at)
	}
	if err := r.drain(); err != nil {
		return nil, err
	}
	l := r.list()
	if !l.begin() {
		return nil, located{underCommit()}.at(at)
	}
	defer l.end()
	entries := l.all()
	if len(entries) == 0 {
		return nil, located{nothingPending("commit")}.at(at)
	}
	words, err := r.settle(entries, at)
	if err != nil {
		return nil, err
	}
	c := &committing{run: r, list: l, words: words}
	return c.make(entries)
}

// settle comes to the word on each effect: from the record if the program runs
// again, else from the checks, policy and the host.
func (r *Run) settle(entries []*entry, at Call) (map[int64]word, error) {
	a := &admitted{fn: commitment, kept: numbersOf(entries), at: at}
	r.orders++
	a.order = r.orders
	if r.replay != nil {
		if err := r.permitAgain(a); err != nil {
			return nil, err
		}
		r.calls++
		r.waive()
		if a.past == nil {
			return nil, r.interrupt()
		}
		return wordsOf(a.past.Result), nil
	}
	words, err := r.preflight(entries, a)
	if err != nil {
		f := asRefusal(err)
		if f.Kind.Limit() {
			return nil, f
		}
		return nil, r.refuse(a, f)
	}
	r.calls++
	r.waive()
	a.index, a.started = r.calls, r.hand.since()
	a.ended = a.started
	rec := r.callRecord(a)
	rec.Outcome, rec.Result = Done, wordsValue(words)
	if err := r.d.journal.Call(rec); err != nil {
		r.d.tell(err)
		return nil, located{refusedCommit("the journal could not record it")}.at(at)
	}
	return words, nil
}

func asRefusal(err error) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return f
	}
	return refusedCommit(err.Error())
}

func numbersOf(entries []*entry) *value.Object {
	ids := make([]value.Value, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return value.Of("effects", ids)
}

// preflight checks every effect before any is made.
func (r *Run) preflight(entries []*entry, a *admitted) (map[int64]word, error) {
	if r.calls+len(entries) > r.limits.Calls {
		return nil, &sandbox.Fault{
			Kind:    sandbox.KindDenied,
			Message: fmt.Sprintf("%s pending, and this program may make %s more.", plural(len(entries), "effect is", "effects are"), plural(max(0, r.limits.Calls-r.calls), "call", "calls")),
			Hint:    "Nothing was made. Commit in a program of its own, or roll some back.",
		}
	}
	b := Batch{Actor: r.program.Actor, Program: r.id, Language: r.program.Language, Line: a.at.Line, Column: a.at.Column}
	for _, e := range entries {
		if _, f := r.checkAgain(e, e.Args); f != nil {
			f.Hint = joined(f.Hint, "Nothing was made, and everything is still pending.")
			return nil, f
		}
		if f := r.d.stragglers.fault(e.fn); f != nil {
			return nil, f
		}
		d := r.decide(Request{Function: e.fn, Args: e.Args, Actor: r.program.Actor, Program: r.id, Language: r.program.Language, Line: e.Line, Table: e.table, Verb: e.Verb, Committing: true})
		if d.Verdict == Deny && d.Final {
			f := refusedCommit(e.Function + ": " + orElse(d.Reason, "it is not allowed here"))
			if d.Hint != "" {
				f.Hint = d.Hint
			}
			return nil, f
		}
		b.Effects = append(b.Effects, BatchEffect{Pending: e.Pending, Asks: d.Verdict == Ask || d.Verdict == Deny, Denied: d.Verdict == Deny, Reason: d.Reason})
	}
	if r.trial != nil {
		return map[int64]word{}, nil // nobody is asked about what will not happen
	}
	words, f := r.words(b)
	if f != nil {
		if r.ctx.Err() != nil {
			return nil, r.stopped()
		}
		return nil, f
	}
	for _, e := range entries {
		w := words[e.ID]
		if w.args == nil {
			continue
		}
		checked, f := r.checkAgain(e, w.args)
		if f != nil {
			r.d.tell(f)
			return nil, refusedCommit("the host changed the arguments of effect " + fmt.Sprint(e.ID) + " to ones that it does not take")
		}
		w.args = checked
		words[e.ID] = w
	}
	return words, nil
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// wordsValue is the host's word as the journal keeps it.
func wordsValue(words map[int64]word) value.Value {
	var rows []value.Value
	for id, w := range words {
		o := value.Of("effect", id)
		if w.refused {
			o.Set("refused", w.reason)
		}
		if w.args != nil {
			o.Set("args", w.args)
		}
		rows = append(rows, o)
	}
	sortByEffect(rows)
	return value.Value(rows)
}

func sortByEffect(rows []value.Value) {
	id := func(i int) int64 {
		v, _ := rows[i].(*value.Object).Get("effect")
		n, _ := v.(int64)
		return n
	}
	for i := 1; i < len(rows); i++ {
		for j := i; j > 0 && id(j) < id(j-1); j-- {
			rows[j], rows[j-1] = rows[j-1], rows[j]
		}
	}
}

func wordsOf(v value.Value) map[int64]word {
	words := map[int64]word{}
	rows, _ := v.([]value.Value)
	for _, row := range rows {
		o, ok := row.(*value.Object)
		if !ok {
			continue
		}
		id, _ := o.Get("effect")
		n, _ := id.(int64)
		var w word
		if reason, ok := o.Get("refused"); ok {
			w.refused = true
			w.reason, _ = reason.(string)
		}
		if args, ok := o.Get("args"); ok {
			w.args, _ = args.(*value.Object)
		}
		words[n] = w
	}
	return words
}

// committing is a commit under way.
type committing struct {
	run   *Run
	list  *pendingList
	words map[int64]word
	done  []Commitment
	parts []int64 // effects of which a part was made and the rest is pending
	err   error   // of the effect that ended it
}

// make makes the effects in order, up to the first that fails.
func (c *committing) make(entries []*entry) ([]Commitment, error) {
	for _, e := range entries {
		if c.err != nil {
			c.done = append(c.done, Commitment{Pending: e.Pending, Outcome: NotAttempted})
			continue
		}
		c.one(e)
	}
	return c.done, c.fault()
}

// one makes one effect. It is off the list while it is made and, unless it turns
// out that it was not even begun, for good.
func (c *committing) one(e *entry) {
	w := c.words[e.ID]
	x := Commitment{Pending: e.Pending}
	if c.list.takeOne(e.ID) == nil {
		return // it was rolled back meanwhile
	}
	switch {
	case w.refused:
		if e.undo != nil {
			e.undo()
		}
		x.Outcome, x.Error = Refused, w.reason
	case c.run.trial != nil:
		x.Outcome = Staged
		c.run.trial.made = append(c.run.trial.made, e.Pending)
	default:
		c.fire(e, w, &x)
	}
	c.done = append(c.done, x)
}

func (c *committing) fire(e *entry, w word, x *Commitment) {
	if w.args != nil {
		x.Args, x.Edited = w.args, true
	}
	var err error
	if e.fire != nil {
		err = c.statement(e, x)
	} else {
		err = c.call(e, x)
	}
	if err == nil {
		return
	}
	x.Result, c.err = nil, err
	x.Error = err.Error()
	if f := (*sandbox.Fault)(nil); errors.As(err, &f) {
		x.Error = f.Message
	}
}

// call makes an effect that is one call.
func (c *committing) call(e *entry, x *Commitment) (err error) {
	x.Result, x.Outcome, err = c.run.callStaged(e, x.Args)
	if x.Outcome == Intended {
		x.Outcome = NotAttempted // the journal could not record that it begins
		c.list.putBack(e)
	} else if asLimit(err) != nil && x.Outcome == NotAttempted {
		c.list.putBack(e)
	}
	return err
}

// statement makes an effect that may be several calls. What is not even begun of
// one that fails is pending again.
func (c *committing) statement(e *entry, x *Commitment) error {
	v, rest, err := e.fire(c.run)
	x.Result, x.Outcome = v, statementOutcome(err)
	if rest == nil {
		return err
	}
	c.list.putBack(e.left(rest))
	if rest.whole {
		x.Outcome = NotAttempted
	} else {
		c.parts = append(c.parts, e.ID)
	}
	return err
}

func asLimit(err error) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) && f.Kind.Limit() {
		return f
	}
	return nil
}

// statementOutcome tells from the error of a statement what became of it.
func statementOutcome(err error) Outcome {
	var f *sandbox.Fault
	switch {
	case err == nil:
		return Done
	case errors.As(err, &f) && (f.Kind == sandbox.KindUnknown || f.Kind.Limit()):
		return Unsettled
	}
	return Failed
}

// callStaged makes the call of a pending effect.
func (r *Run) callStaged(e *entry, args *value.Object) (value.Value, Outcome, error) {
	a := &admitted{fn: e.fn, kept: args, entry: e.ID, at: Call{Function: e.Function, Args: args, Line: e.Line, Column: e.Column}}
	a.args, _ = value.Copy(args).(*value.Object)
	r.orders++
	a.order = r.orders
	if r.replay != nil {
		if err := r.permitAgain(a); err != nil {
			return nil, NotAttempted, err
		}
		if a.past != nil {
			a.outcome = a.past.Outcome
		}
	}
	if r.ctx.Err() != nil {
		return nil, NotAttempted, r.stopped()
	}
	r.calls++
	a.index = r.calls
	v, err := r.now(a)
	switch {
	case err == nil:
		return v, Done, nil
	case a.outcome == Done:
		return nil, Done, err // it was made, and its result is of no use
	case a.outcome == Refused && asLimit(err) != nil:
		return nil, NotAttempted, err // stopped before the function was called
	case a.outcome == Refused:
		return nil, Failed, err // the function itself says that it did nothing
	}
	return nil, a.outcome, err
}

// fault is the fault of a commit that did not make everything.
func (c *committing) fault() error {
	refused := madeOf(c.done, Refused)
	if c.err == nil && refused == 0 {
		return nil
	}
	if f := asLimit(c.err); f != nil {
		return f
	}
	f := &sandbox.Fault{Kind: sandbox.KindDenied, Cause: &CommitError{Effects: c.done, Err: c.err}}
	if c.err != nil {
		f.Kind = asRefusal(c.err).Kind
	}
	f.Message = c.summary()
	f.Hint = c.advice()
	return f
}

// summary tells what became of the effects, by outcome.
func (c *committing) summary() string {
	text := fmt.Sprintf("the commit made %d of %s.", madeOf(c.done, Done), plural(len(c.done), "effect", "effects"))
	for _, part := range []struct {
		outcome Outcome
		intro   string
	}{
		{Done, "Happened: "},
		{Failed, "Failed: "},
		{Unsettled, "Outcome not known: "},
		{Refused, "Refused by the host: "},
		{NotAttempted, "Not attempted, still pending: "},
	} {
		text += effectsText(c.done, part.outcome, part.intro)
	}
	for _, id := range c.parts {
		text += fmt.Sprintf(" What was not attempted of %d is still pending.", id)
	}
	return text
}

// mostTold is how many effects of one outcome a fault tells one by one.
const mostTold = 6

func effectsText(effects []Commitment, o Outcome, intro string) string {
	text, n := "", 0
	for i := range effects {
		e := &effects[i]
		if e.Outcome != o {
			continue
		}
		if n++; n > mostTold {
			continue
		}
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("%d %s", e.ID, sandbox.Clip(e.Function, 80))
		if p := peek(peekedAs(e.Function, e.Args)); p != "" {
			text += " (" + p + ")"
		}
		if e.Error != "" && o != NotAttempted {
			text += ": " + sandbox.Clip(Sentence(e.Error), 200)
		}
	}
	if n == 0 {
		return ""
	}
	if n > mostTold {
		text += fmt.Sprintf("; and %d more", n-mostTold)
	}
	if text[len(text)-1] != '.' {
		text += "."
	}
	return " " + intro + text
}

// advice is the next action.
func (c *committing) advice() string {
	rest := madeOf(c.done, NotAttempted) + len(c.parts)
	switch {
	case rest > 0:
		return "Committing again goes on with what is still pending and repeats nothing; a failed effect that is still wanted must be staged again."
	case madeOf(c.done, Unsettled) > 0:
		return "Look with a read whether it happened before you ask for it again."
	}
	return "Go on from what has happened; never stage that again."
}
