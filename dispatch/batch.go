package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Batch is the question whether pending effects may be made, put once for all of
// them.
type Batch struct {
	Effects      []BatchEffect // in the order in which they would be made
	Actor        string
	Program      int64 // the program that commits
	Language     string
	Line, Column int // where in the program; 0 where unknown
}

// BatchEffect is one of them.
type BatchEffect struct {
	Pending
	// Asks says that policy wants the host's word on it; the others are listed so
	// that the host sees the whole.
	Asks   bool
	Denied bool   // policy denies it unless the host approves
	Reason string // the policy's, may be ""
}

// BatchAnswer is the host's word on a batch.
type BatchAnswer struct {
	Allow  bool   // the word on every effect that is not in Effects
	Reason string // told to the model where an effect is refused
	// Effects are the words on single effects, by their number.
	Effects map[int64]EffectAnswer
}

// EffectAnswer is the host's word on one effect of a batch.
type EffectAnswer struct {
	Allow  bool
	Reason string
	// Args are to take the place of the effect's own, nil to leave them. They are
	// checked as those of any call; if they do not pass, nothing of the batch is
	// made.
	Args *value.Object
}

// BatchAsker asks the host about pending effects that are about to be made, some
// of which need its word. See [Asker] for time, cancellation and errors.
type BatchAsker func(context.Context, Batch) (BatchAnswer, error)

// Undecided is the error of a [BatchAsker] that could not come to a decision: why,
// as one clause for the model. Nothing is made and all stays pending.
type Undecided string

// Error gives the clause.
func (u Undecided) Error() string { return string(u) }

// WithAskBatch sets who is asked about a commit. Without one the [Asker] is asked
// about each effect that needs it.
func WithAskBatch(a BatchAsker) Option { return func(d *Dispatcher) { d.askBatch = a } }

// Counts tells how many effects of each function a batch has, in the order of
// their first effects.
func (b Batch) Counts() []Tally {
	var out []Tally
	at := map[string]int{}
	for _, e := range b.Effects {
		i, ok := at[e.Function]
		if !ok {
			i = len(out)
			at[e.Function] = i
			out = append(out, Tally{Name: e.Function, Effect: e.Effect.Impact.String()})
		}
		out[i].Calls++
	}
	return out
}

// batchSamples is how many effects of a function Text shows.
const batchSamples = 3

var batchArguments = elide.New(elide.Options{})

// Text tells a person what the batch would do, in at most most bytes: for each
// function how often, and with which arguments the first times.
func (b Batch) Text(most int) string {
	var t strings.Builder
	write := func(line string) {
		if t.Len()+len(line)+len("\n…") <= most {
			t.WriteString(line)
		} else if !strings.HasSuffix(t.String(), "…") {
			t.WriteString("\n…")
		}
	}
	write(plural(len(b.Effects), "effect", "effects"))
	for _, c := range b.Counts() {
		head := fmt.Sprintf("\n%s (%s)", sandbox.Clip(c.Name, 100), c.Effect)
		if c.Calls > 1 {
			head += fmt.Sprintf(" ×%d", c.Calls)
		}
		write(head)
		shown := 0
		for _, e := range b.Effects {
			if e.Function != c.Name {
				continue
			}
			if shown++; shown > batchSamples {
				write(fmt.Sprintf("\n  … and %d more", c.Calls-batchSamples))
				break
			}
			line := fmt.Sprintf("\n  %d: %s", e.ID, batchArguments.Render(e.Args, 400).Text)
			if e.Denied {
				line += "  [denied by policy: " + sandbox.Clip(e.Reason, 120) + "]"
			}
			write(line)
		}
	}
	return t.String()
}

// word is the host's word on one effect.
type word struct {
	refused bool
	reason  string
	args    *value.Object // nil: as they are
}

// words gives the host's word on each effect of a batch, or the fault with which
// nobody gave one. Nothing has been made then.
func (r *Run) words(b Batch) (map[int64]word, *sandbox.Fault) {
	asks := false
	for _, e := range b.Effects {
		asks = asks || e.Asks
	}
	switch {
	case !asks, r.byHost:
		return map[int64]word{}, nil
	case r.d.askBatch != nil:
		return r.askBatch(b)
	case r.d.ask == nil:
		return nil, refusedCommit("it needs an approval, and nobody is there to give it")
	}
	return r.askEach(b)
}

// askEach puts a question for each effect that needs one.
func (r *Run) askEach(b Batch) (map[int64]word, *sandbox.Fault) {
	words := map[int64]word{}
	for _, e := range b.Effects {
		if !e.Asks {
			continue
		}
		fn, ok := r.d.catalog.Lookup(e.Function)
		if !ok {
			continue // what was checked is gone again; the call will say so
		}
		q := Question{Request: Request{Function: fn, Args: e.Args, Actor: b.Actor, Program: b.Program, Language: b.Language, Line: e.Line, Committing: true}, Reason: e.Reason}
		if f := r.approve(q); f != nil {
			if r.ctx.Err() != nil {
				return nil, refusedCommit("the program was stopped before the answer came")
			}
			words[e.ID] = word{refused: true, reason: f.Message}
		}
	}
	return words, nil
}

// askBatch puts the one question. It waits as approve does.
func (r *Run) askBatch(b Batch) (map[int64]word, *sandbox.Fault) {
	type reply struct {
		answer BatchAnswer
		err    error
	}
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	heard := make(chan reply, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				heard <- reply{err: panicError("the approval callback", p)}
			}
		}()
		a, err := r.d.askBatch(ctx, b)
		heard <- reply{a, err}
	}()
	r.pause()
	defer r.resume()
	select {
	case got := <-heard:
		if u := Undecided(""); errors.As(got.err, &u) {
			return nil, refusedCommit(string(u))
		}
		if got.err != nil {
			r.d.tell(got.err)
			return nil, refusedCommit("the approval failed")
		}
		return got.answer.words(b), nil
	case <-r.ctx.Done():
		return nil, refusedCommit("the program was stopped before the answer came")
	}
}

func (a BatchAnswer) words(b Batch) map[int64]word {
	words := map[int64]word{}
	for _, e := range b.Effects {
		one, own := a.Effects[e.ID]
		if !own {
			one = EffectAnswer{Allow: a.Allow, Reason: a.Reason}
		}
		switch {
		case !one.Allow:
			if one.Reason == "" {
				one.Reason = "the host refused it"
			}
			words[e.ID] = word{refused: true, reason: one.Reason}
		case one.Args != nil:
			words[e.ID] = word{args: one.Args}
		}
	}
	return words
}

// refusedCommit is the fault of a commit of which nothing was made.
func refusedCommit(reason string) *sandbox.Fault {
	return &sandbox.Fault{
		Kind:    sandbox.KindDenied,
		Message: "the commit was refused: " + sandbox.Clip(reason, 300) + ". Nothing of it was made, and everything is still pending.",
		Hint:    "Report what is pending, or roll it back.",
	}
}
