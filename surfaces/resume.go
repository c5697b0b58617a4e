package surfaces

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
)

// Resumed tells how a workspace was rebuilt from its journal.
type Resumed struct {
	Programs    int // that were run again
	Calls       int // whose results were taken from the journal
	Took        time.Duration
	Interrupted []int64 // programs that the process died under
	Unknown     int     // effects that were about to be made then: what became of them is not known
	Lost        []Lost  // programs that could not be rebuilt
}

// Lost is a program that could not be run again as it ran.
type Lost struct {
	Program int64
	Reason  string   // one clause
	Names   []string // what it would have defined and what is not defined now
}

// Forgetter is a [Session] that can undefine names. Where a program could not be
// rebuilt, names that it defined are better gone than wrong.
type Forgetter interface {
	Forget(names []string)
}

// Resume rebuilds the workspace from its journal: the recorded programs are run
// again, in order, against what is recorded of their calls; nothing is called,
// and nobody is asked. It must come before the first program of a workspace
// whose journal is a [dispatch.Recorded], and does nothing in any other. What
// could not be rebuilt is told in the Resumed and, with what the model must know,
// in the notes of the next result. An error means that the journal cannot be
// read and that the workspace is of no use.
func (ws *Workspace) Resume(ctx context.Context, languages ...Language) (*Resumed, error) {
	j, ok := ws.dispatcher.Journal().(dispatch.Recorded)
	if !ok {
		return &Resumed{}, nil
	}
	began := time.Now()
	r := &resumption{ws: ws, journal: j, languages: languages}
	for past, err := range j.Past(ctx) {
		if err == nil {
			err = r.program(ctx, past)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("the workspace cannot be resumed: %w", err)
		}
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.asleep, ws.tidings = false, append(r.notes(), ws.tidings...)
	r.out.Took = time.Since(began)
	return &r.out, nil
}

// resumption is a Resume under way.
type resumption struct {
	ws        *Workspace
	journal   dispatch.Recorded
	languages []Language
	out       Resumed
	last      string   // how the last program ended and what it did
	untold    []string // of interrupted programs, until a later result told of them
}

// program runs one recorded program again.
func (r *resumption) program(ctx context.Context, past *dispatch.Past) error {
	p := past.Program
	r.ws.dispatcher.Continue(p.ID)
	replay := dispatch.NewReplay(past)
	names, reason := r.run(replay.Context(ctx), past)
	if reason == "" {
		reason = replay.Diverged()
	}
	r.out.Programs++
	r.out.Calls += replay.Calls()
	if reason != "" {
		r.out.Lost = append(r.out.Lost, Lost{Program: p.ID, Reason: reason, Names: names})
		if dropped := r.ws.dispatcher.Abandon(past); len(dropped) > 0 {
			r.untold = append(r.untold, "What was pending was dropped, because it is not known any more whether it has happened: "+dispatch.ListPending(dropped)+". Look before you ask for it again.")
		}
	}
	return r.close(past, replay)
}

// run executes a recorded program and gives the names that are gone because it
// could not be rebuilt.
func (r *resumption) run(ctx context.Context, past *dispatch.Past) (names []string, reason string) {
	p := past.Program
	if p.Withheld {
		return nil, "its source was withheld from the journal"
	}
	if p.Language == hostLanguage {
		_ = r.ws.actAgain(ctx, p.Source) // that it failed is in the record too
		return nil, ""
	}
	l := r.language(p.Language)
	if l == nil {
		return nil, "no language " + p.Language + " is mounted"
	}
	s, err := r.ws.session(l)
	if err != nil {
		return nil, err.Error()
	}
	ctx = context.WithValue(ctx, frameKey{}, Frame(p.Frame))
	if p.DryRun {
		ctx, _ = dispatch.DryRun(ctx)
	}
	res := r.ws.perform(ctx, l, s, p.Source)
	if replay := dispatch.ReplayOf(ctx); replay.Diverged() == "" {
		return nil, ""
	}
	for _, d := range res.Defined {
		names = append(names, d.Name)
	}
	forget(s, names)
	return names, ""
}

// forget undefines names in a session, or in the one that it wraps.
func forget(s Session, names []string) {
	for s != nil {
		if f, ok := s.(Forgetter); ok {
			f.Forget(names)
			return
		}
		w, ok := s.(interface{ Unwrap() Session })
		if !ok {
			return
		}
		s = w.Unwrap()
	}
}

func (r *resumption) language(name string) Language {
	for _, l := range r.languages {
		if l.Name() == name {
			return l
		}
	}
	return nil
}

// close keeps what the model must hear of a program, and closes the record of one
// that the process died under.
func (r *resumption) close(past *dispatch.Past, replay *dispatch.Replay) error {
	p := past.Program
	fired := dispatch.FiredIn(past)
	if !replay.Interrupted() {
		r.untold = nil // this program's result told of those before it
		how := "ran to its end"
		if p.Fault != "" {
			how = "failed"
		}
		r.last = how + ". " + fired
		return nil
	}
	r.out.Interrupted = append(r.out.Interrupted, p.ID)
	for i := range past.Calls {
		if past.Calls[i].Outcome == dispatch.Intended {
			r.out.Unknown++
		}
	}
	r.last = ""
	r.untold = append(r.untold, "A program was interrupted because the process ended: "+firstLine(p.Source)+" It did not run to its end; what it defined before is kept. "+fired)
	if p.Ended {
		return nil
	}
	p.Ended, p.Interrupted, p.Fault = true, true, sandbox.KindCancelled
	return r.journal.Program(p)
}

// firstLine quotes the beginning of a program.
func firstLine(source string) string {
	line, _, more := strings.Cut(strings.TrimSpace(source), "\n")
	if short := sandbox.Clip(line, 80); more || short != line {
		line = strings.TrimSuffix(short, "…") + " …"
	}
	return "`" + line + "`."
}

// notes are for the next result.
func (r *resumption) notes() []string {
	if r.out.Programs == 0 {
		return nil
	}
	head := fmt.Sprintf("The process was started again. What %s had defined was rebuilt, and nothing was called again.", counted(r.out.Programs, "program", "programs"))
	if r.last != "" {
		head += " The last program " + strings.TrimSpace(r.last)
	}
	all := append([]string{head}, r.untold...)
	return append(all, r.lost()...)
}

// mostLost is how many programs that could not be rebuilt are told one by one.
const mostLost = 3

func (r *resumption) lost() (notes []string) {
	for i, l := range r.out.Lost {
		if i == mostLost {
			var names []string
			for _, rest := range r.out.Lost[i:] {
				names = append(names, rest.Names...)
			}
			return append(notes, fmt.Sprintf("%s more could not be rebuilt. %s", counted(len(r.out.Lost)-i, "program", "programs"), gone(names)))
		}
		notes = append(notes, fmt.Sprintf("Program %d could not be rebuilt: %s. %s", l.Program, l.Reason, gone(l.Names)))
	}
	return notes
}

// gone tells which names are not defined any more.
func gone(names []string) string {
	if len(names) == 0 {
		return "What it had defined may be missing."
	}
	slices.Sort(names)
	names = slices.Compact(names)
	more := ""
	if len(names) > 12 {
		more = fmt.Sprintf(" and %d more", len(names)-12)
		names = names[:12]
	}
	return "Not defined any more: " + strings.Join(names, ", ") + more + "."
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

var errAsleep = errors.New("the workspace has a past: it must be resumed before it is used")

// telling is a session whose next result tells what the workspace has to say.
type telling struct {
	Session
	ws *Workspace
}

// Execute runs a program.
func (t telling) Execute(ctx context.Context, program string) *Result {
	res := t.Session.Execute(ctx, program)
	if res == nil {
		return nil
	}
	t.ws.mu.Lock()
	tidings := t.ws.tidings
	t.ws.tidings = nil
	t.ws.mu.Unlock()
	if len(tidings) > 0 {
		res.Notes = append(slices.Clip(tidings), res.Notes...)
	}
	return res
}

// Tell puts a note for the model into the next result.
func (ws *Workspace) Tell(note string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.tidings = append(ws.tidings, note)
}

// LimitsFor are the limits of a program that runs under a context: the
// workspace's, or those that a program ran under that is run again.
func (ws *Workspace) LimitsFor(ctx context.Context) sandbox.Limits {
	return dispatch.ReplayLimits(ctx, ws.limits)
}

// Attest puts what a program has defined under the digest that its journal keeps.
// A language calls it before it ends the run.
func Attest(run *dispatch.Run, defined []Def) {
	for i := range defined {
		run.Attest(defined[i].Name, defined[i].Kind, defined[i].Summary)
	}
}
