package surfaces

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Stager is a [Language] whose programs can hold effects back.
type Stager interface {
	// Staging spells how, over a catalogue.
	Staging(cat *toolfn.Catalog) StagingWords
}

// StagingWords are the forms by which programs of a language hold effects back.
type StagingWords struct {
	Stage    string // holds back the effects inside: stage(() => { … })
	Commit   string // makes what is pending
	Rollback string // drops it
	Pending  string // lists it
}

// WithoutStaging makes a workspace in which nothing can be staged or tried.
func WithoutStaging() Option {
	return func(s *settings) {
		s.dispatch = append(s.dispatch, dispatch.WithoutStaging())
	}
}

// WithAskBatch sets who is asked about the effects of a commit, all at once; see
// [dispatch.WithAskBatch].
func WithAskBatch(a dispatch.BatchAsker) Option { return dispatching(dispatch.WithAskBatch(a)) }

// WithRetry sets how calls are repeated; see [dispatch.WithRetry].
func WithRetry(r dispatch.Retry) Option { return dispatching(dispatch.WithRetry(r)) }

// WithServerLimits holds calls to what servers take; see
// [dispatch.WithServerLimits].
func WithServerLimits(l *dispatch.ServerLimits) Option {
	return dispatching(dispatch.WithServerLimits(l))
}

// Stages reports whether effects can be staged here.
func (ws *Workspace) Stages() bool { return ws.dispatcher.Stages() }

// Pending lists the effects that wait to be made, in the order in which they
// would be.
func (ws *Workspace) Pending() []dispatch.Pending { return ws.dispatcher.Pending() }

// Commit makes the pending effects as [dispatch.Run.Commit] does, on the host's
// own account: it is the host's word, so the host is not asked for it.
func (ws *Workspace) Commit(ctx context.Context) ([]dispatch.Commitment, error) {
	var done []dispatch.Commitment
	err := ws.act(ctx, hostAction{Do: "commit"}, func(r *dispatch.Run) (err error) {
		done, err = r.Commit(dispatch.Call{})
		return err
	})
	return done, err
}

// Rollback drops pending effects by their numbers, or all of them, and lists what
// it dropped.
func (ws *Workspace) Rollback(ctx context.Context, ids ...int64) ([]dispatch.Pending, error) {
	var gone []dispatch.Pending
	err := ws.act(ctx, hostAction{Do: "rollback", IDs: ids}, func(r *dispatch.Run) (err error) {
		gone, err = r.Rollback(ids...)
		return err
	})
	return gone, err
}

// Edit changes the arguments of a pending effect. They are checked as those of a
// call are.
func (ws *Workspace) Edit(ctx context.Context, id int64, args *value.Object) error {
	text, err := value.Append(nil, args)
	if err != nil {
		return err
	}
	return ws.act(ctx, hostAction{Do: "edit", IDs: []int64{id}, Args: text}, func(r *dispatch.Run) error { return r.Edit(id, args) })
}

// Stage puts a call on the list of pending effects on the host's own account and
// gives its number.
func (ws *Workspace) Stage(ctx context.Context, function string, args *value.Object) (int64, error) {
	text, err := value.Append(nil, args)
	if err != nil {
		return 0, err
	}
	var id int64
	err = ws.act(ctx, hostAction{Do: "stage", Function: function, Args: text}, func(r *dispatch.Run) error {
		section, err := r.Stage()
		if err != nil {
			return err
		}
		got, err := r.Call(dispatch.Call{Function: function, Args: args})
		section.End()
		if err != nil {
			return err
		}
		p, ok := got.(*dispatch.Placeholder)
		if !ok {
			return errors.New(function + " only reads; there is nothing to stage, and it was called")
		}
		id = p.ID
		return nil
	})
	return id, err
}

// hostAction is what a host did to the pending effects, as the journal has it.
type hostAction struct {
	Do       string          `json:"do"` // stage, commit, rollback or edit
	IDs      []int64         `json:"ids,omitempty"`
	Function string          `json:"function,omitempty"`
	Args     json.RawMessage `json:"args,omitempty"`
}

// hostLanguage is the language of a host's actions in the journal.
const hostLanguage = "host"

// act runs an action of the host's as a program of its own.
func (ws *Workspace) act(ctx context.Context, a hostAction, do func(*dispatch.Run) error) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	limits := dispatch.ReplayLimits(ctx, ws.limits)
	m, err := sandbox.NewMeter(dispatch.ByHost(ctx), limits)
	if err != nil {
		return err
	}
	run := ws.Begin(m, dispatch.Program{Language: hostLanguage, Source: string(text)})
	err = do(run)
	var f *sandbox.Fault
	errors.As(err, &f)
	run.End(f)
	return err
}

// actAgain runs a recorded action of the host's again.
func (ws *Workspace) actAgain(ctx context.Context, source string) error {
	var a hostAction
	if err := json.Unmarshal([]byte(source), &a); err != nil {
		return fmt.Errorf("an action of the host's cannot be read: %w", err)
	}
	var args *value.Object
	if len(a.Args) > 0 {
		v, err := value.Decode(a.Args)
		if err != nil {
			return fmt.Errorf("an action of the host's cannot be read: %w", err)
		}
		args, _ = v.(*value.Object)
	}
	var err error
	switch a.Do {
	case "commit":
		_, err = ws.Commit(ctx)
	case "rollback":
		_, err = ws.Rollback(ctx, a.IDs...)
	case "edit":
		if len(a.IDs) == 1 {
			err = ws.Edit(ctx, a.IDs[0], args)
		}
	case "stage":
		_, err = ws.Stage(ctx, a.Function, args)
	default:
		return errors.New("an action of the host's is not known: " + sandbox.Clip(a.Do, 40))
	}
	return err
}

// minded is a session whose results tell of what is pending and of what a dry run
// would have done.
type minded struct {
	Session
	ws       *Workspace
	language Language
}

// Execute runs a program.
func (s minded) Execute(ctx context.Context, program string) *Result {
	res := s.ws.perform(ctx, s.language, s.Session, program)
	if report := dispatch.DryReportOf(ctx); report != nil {
		s.planned(res, report)
	}
	if note := s.ws.reminder(s.language); note != "" {
		res.Notes = append([]string{note}, res.Notes...)
	}
	return res
}

// planned tells what a dry run would have done.
func (s minded) planned(res *Result, report *dispatch.DryReport) {
	res.DryRun = true
	for _, p := range report.Made {
		res.Planned = append(res.Planned, plannedOf(p))
	}
	for _, p := range report.Pending {
		c := plannedOf(p)
		c.Staged = true
		res.Planned = append(res.Planned, c)
	}
	note := "Dry run: nothing was changed. Reads ran; the names that it defined are kept, and what stands for a result that was not fetched is of no use to a later program."
	switch {
	case res.Fault != nil:
		note = "Dry run: nothing was changed. It failed here as it would have; what is listed comes before that."
	case len(res.Planned) == 0:
		note = "Dry run: the program would change nothing. The names that it defined are kept."
	}
	res.Notes = append([]string{note}, res.Notes...)
}

func plannedOf(p dispatch.Pending) PlannedCall {
	return PlannedCall{Function: p.Function, Effect: p.Effect.Impact.String(), Args: p.Args, Line: p.Line, Column: p.Column}
}

// reminder tells of what is pending, "" if nothing is. Every result has it, so
// that nobody takes for done what is not.
func (ws *Workspace) reminder(l Language) string {
	pending := ws.dispatcher.Pending()
	if len(pending) == 0 {
		return ""
	}
	text := plural(len(pending), "effect")
	if len(pending) == 1 {
		text += " is pending and has"
	} else {
		text += " are pending and have"
	}
	text += " NOT happened: " + dispatch.ListPending(pending) + "."
	if s, ok := l.(Stager); ok {
		w := s.Staging(ws.catalog)
		text += fmt.Sprintf(" %s makes them in order, %s drops them, %s lists them.", w.Commit, w.Rollback, w.Pending)
		if len(pending) == 1 {
			text = strings.NewReplacer("makes them in order", "makes it", "drops them", "drops it", "lists them", "lists it").Replace(text)
		}
	}
	return text
}

// staging gives the words of a language for holding effects back, if texts may
// speak of it: it works here, and there is something to hold back.
func (m *mount) staging(l Language) (StagingWords, bool) {
	s, ok := l.(Stager)
	if !ok || m.opts.NoStaging || !m.ws.Stages() || !m.shown.effects {
		return StagingWords{}, false
	}
	return s.Staging(m.ws.catalog), true
}

// tries reports whether a tool takes programs that only try.
func (m *mount) tries(r role) bool {
	return !r.reads && !m.opts.NoStaging && m.ws.Stages() && m.shown.effects
}
