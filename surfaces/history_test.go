package surfaces

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

var histories = flag.Int("histories", 10_000, "how many random histories to live through")

// story is a language of one command a line, over names that last:
//
//	send ID     sends a letter; its name holds ok, failed or unknown
//	must ID     sends a letter, and ends the program if that fails
//	get NAME    reads a counter that moves by itself
//	both A B    reads it twice at the same time, and settles the second first
//	clock NAME  reads the clock
//	flush       waits until the journal has stored everything so far
//	die         is the death of the process
//	doom N      is its death at the Nth step from here
//	add NAME    adds one to a name, or makes it
//	stage ID    stages a letter; its name holds staged
//	commit      makes what is staged; the letters' names hold what came of them
//	rollback    drops what is staged; the letters' names hold dropped
//	fail        ends the program
type story struct{ life *life }

func (story) Name() string                          { return "story" }
func (story) Title() string                         { return "Story" }
func (story) Card() []string                        { return nil }
func (story) CallForm(string, *value.Object) string { return "" }
func (story) Signatures() toolfn.Style              { return toolfn.Neutral }
func (story) Style() elide.Style                    { return elide.Neutral() }
func (l story) Open(ws *Workspace) (Session, error) {
	l.life.inner = &storySession{ws: ws, life: l.life, journal: l.life.journal, names: map[string]string{}}
	return l.life.inner, nil
}
func (s *storySession) Explain(context.Context, string) *Plan { return &Plan{} }
func (s *storySession) Defs() []Def                           { return nil }
func (s *storySession) Close()                                {}

type storySession struct {
	ws      *Workspace
	life    *life
	journal *store.Journal
	names   map[string]string
	bound   map[string]bool // in the running program
	again   bool            // it runs again from the journal
}

func (s *storySession) set(name, v string) {
	s.names[name] = v
	s.bound[name] = true
}

func (s *storySession) Forget(names []string) {
	for _, n := range names {
		delete(s.names, n)
	}
}

func (s *storySession) Execute(ctx context.Context, source string) *Result {
	m, err := sandbox.NewMeter(ctx, s.ws.LimitsFor(ctx))
	if err != nil {
		return brokenResult(err)
	}
	run := s.ws.Begin(m, dispatch.Program{Language: "story", Source: source})
	s.bound, s.again = map[string]bool{}, dispatch.ReplayOf(ctx) != nil
	res := &Result{}
	for i, line := range strings.Split(source, "\n") {
		if err := m.Charge(1); err != nil {
			res.Fault = err.(*sandbox.Fault)
		} else {
			res.Fault = s.command(run, strings.Fields(line), i+1)
		}
		if res.Fault == nil && m.Err() != nil {
			res.Fault = m.Err().(*sandbox.Fault)
		}
		if res.Fault != nil {
			break
		}
	}
	for _, n := range slices.Sorted(maps.Keys(s.bound)) {
		res.Defined = append(res.Defined, Def{Name: n, Kind: "text", Summary: s.names[n]})
	}
	Attest(run, res.Defined)
	run.End(res.Fault)
	res.Called = run.Called()
	if res.Fault != nil {
		res.Fault.Fired = run.FiredNote()
	}
	return res
}

func (s *storySession) command(run *dispatch.Run, words []string, line int) *sandbox.Fault {
	switch words[0] {
	case "send", "must":
		_, err := run.Call(dispatch.Call{Function: "mail__send", Args: value.Of("id", words[1]), Line: line})
		f, _ := err.(*sandbox.Fault)
		switch {
		case f == nil:
			s.set(words[1], "ok")
		case f.Kind.Limit():
			return f
		case f.Kind == sandbox.KindUnknown:
			s.set(words[1], "unknown")
		default:
			s.set(words[1], "failed")
		}
		if words[0] == "must" {
			return f
		}
	case "get":
		v, err := run.Call(dispatch.Call{Function: "t__count", Line: line})
		if err != nil {
			return err.(*sandbox.Fault)
		}
		s.set(words[1], fmt.Sprint(v))
	case "both":
		var flights []*dispatch.Flight
		for range 2 {
			f, err := run.Start(dispatch.Call{Function: "t__count", Line: line})
			if err != nil {
				return err.(*sandbox.Fault)
			}
			flights = append(flights, f)
		}
		for i := 1; i >= 0; i-- {
			v, err := flights[i].Wait()
			if err != nil {
				return err.(*sandbox.Fault)
			}
			s.set(words[i+1], fmt.Sprint(v))
		}
	case "clock":
		s.set(words[1], strconv.FormatInt(run.Now().UnixMilli(), 10))
	case "flush":
		_ = s.journal.Flush()
	case "die":
		s.life.live(0)
		s.life.step()
	case "doom":
		if n, _ := strconv.Atoi(words[1]); !s.again {
			s.life.live(n)
		}
	case "add":
		n, _ := strconv.Atoi(s.names[words[1]])
		s.set(words[1], strconv.Itoa(n+1))
	case "stage":
		section, err := run.Stage()
		if err != nil {
			return err.(*sandbox.Fault)
		}
		_, err = run.Call(dispatch.Call{Function: "mail__send", Args: value.Of("id", words[1]), Line: line})
		section.End()
		if err != nil {
			return err.(*sandbox.Fault)
		}
		s.set(words[1], "staged")
	case "commit":
		return s.commit(run)
	case "rollback":
		if len(run.Pending()) == 0 {
			return nil
		}
		gone, err := run.Rollback()
		if err != nil {
			return err.(*sandbox.Fault)
		}
		for _, p := range gone {
			for _, id := range lettersOf(p) {
				s.set(id, "dropped")
			}
		}
	case "row", "take", "keep", "look":
		return s.table(run, words, line)
	case "fail":
		return &sandbox.Fault{Kind: sandbox.KindThrown, Message: "it failed."}
	}
	return nil
}

func (s *storySession) commit(run *dispatch.Run) *sandbox.Fault {
	if len(run.Pending()) == 0 {
		return nil
	}
	done, err := run.Commit(dispatch.Call{})
	f, _ := err.(*sandbox.Fault)
	if f != nil && f.Kind.Limit() {
		return f
	}
	var part *dispatch.CommitError
	if errors.As(err, &part) {
		done = part.Effects
	}
	for _, c := range done {
		s.committed(c, err)
	}
	return nil
}

// life is one history: a world, a journal that outlives processes, and what the
// model of the history knows.
type life struct {
	t       *testing.T
	rnd     *rand.Rand
	cat     *toolfn.Catalog
	backend *mortal
	sent    map[string]int // the outbox
	mu      sync.Mutex
	dead    bool // the process: nothing it does reaches the world any more
	doom    int  // steps until it dies
	letters int
	ms      atomic.Int64 // what the clock showed last

	store   *store.Store
	journal *store.Journal
	ws      *Workspace
	session Session
	inner   *storySession
}

var errDied = errors.New("the process has died")

// step is one point at which a process can die.
func (l *life) step() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return true
	}
	if l.doom--; l.doom <= 0 {
		l.dead = true
	}
	return l.dead
}

func (l *life) isDead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead
}

// now is another time at each reading, so that no reading can pass for another.
func (l *life) now() time.Time { return time.UnixMilli(l.ms.Add(1)) }

// live makes the process live for so many steps.
func (l *life) live(steps int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dead, l.doom = false, steps
}

const forever = 1_000_000

// mortal is a backend of a process that can die before or after each append.
type mortal struct {
	*store.Memory
	life *life
	last string
}

type died struct{ error }

func (died) Permanent() bool { return true }

func (m *mortal) Acquire(ctx context.Context, c store.Claim) (store.Lease, store.Header, error) {
	c.Over, m.last = m.last, c.Holder // the one before is dead
	return m.Memory.Acquire(ctx, c)
}

func (m *mortal) Append(ctx context.Context, b []*store.Batch) error {
	if m.life.step() {
		return died{errDied}
	}
	if err := m.Memory.Append(ctx, b); err != nil {
		return err
	}
	if m.life.step() {
		return died{errDied}
	}
	return nil
}

func (m *mortal) Release(ctx context.Context, l store.Lease) error {
	if m.life.isDead() {
		return died{errDied}
	}
	return m.Memory.Release(ctx, l)
}

func newLife(t *testing.T, seed uint64) *life {
	l := &life{t: t, rnd: rand.New(rand.NewPCG(seed, 1)), cat: toolfn.NewCatalog(), sent: map[string]int{}}
	l.backend = &mortal{Memory: store.NewMemory(), life: l}
	err := l.cat.Register(
		l.shelf(),
		toolfn.ToolFn{Name: "t__count", Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(context.Context, *value.Object) (value.Value, error) {
			if l.isDead() {
				return nil, errDied
			}
			return int64(7), nil // reads run beside each other, so that their order is nobody's
		}},
		toolfn.ToolFn{Name: "mail__send", Effect: toolfn.Effect{Impact: toolfn.Write}, Call: func(_ context.Context, args *value.Object) (value.Value, error) {
			id, _ := args.Get("id")
			return l.send(id.(string))
		}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// send is the letter box: it works, refuses, breaks off, or panics, and the
// process can die before and after.
func (l *life) send(id string) (value.Value, error) {
	if l.step() {
		return nil, errDied
	}
	how := l.rnd.IntN(10)
	if how < 7 || how == 8 {
		l.sent[id]++
	}
	if l.step() {
		return nil, errDied
	}
	switch how {
	case 7:
		return nil, &toolfn.CallError{Code: "full", Message: "the box is full"}
	case 8, 9:
		return nil, &toolfn.CallError{Message: "the line broke", OutcomeUnknown: true}
	}
	return int64(l.rnd.IntN(5)), nil
}

// open starts a process over the journal. It may die while it starts.
func (l *life) open(doom int) *Resumed {
	l.live(doom)
	var err error
	if l.store, err = store.New(l.backend, store.WithLease(time.Minute)); err != nil {
		l.t.Fatal(err)
	}
	if l.journal, err = l.store.Open(l.t.Context(), "w", ""); err != nil {
		l.t.Fatal(err)
	}
	if l.ws, err = NewWorkspace(l.cat, WithJournal(l.journal), WithClock(l.now)); err != nil {
		l.t.Fatal(err)
	}
	before := maps.Clone(l.sent)
	r, err := l.ws.Resume(l.t.Context(), story{l})
	if !maps.Equal(before, l.sent) {
		l.t.Fatal("resuming sent letters")
	}
	if err != nil {
		if !l.isDead() {
			l.t.Fatal(err)
		}
		return nil
	}
	if len(r.Lost) > 0 {
		l.t.Fatalf("lost %+v", r.Lost)
	}
	if l.session, err = l.ws.Open(story{l}); err != nil {
		l.t.Fatal(err)
	}
	return r
}

// close ends a process, dead or alive.
func (l *life) close() {
	l.ws.Close()
	_ = l.store.Close()
}

// program writes a random program, each of whose letters is new.
func (l *life) program() (source string, letters []string) {
	var lines []string
	name := func() string { return "n" + strconv.Itoa(l.rnd.IntN(6)) }
	letter := func(kind string) string {
		l.letters++
		id := kind + strconv.Itoa(l.letters)
		letters = append(letters, id)
		return id
	}
	for range 1 + l.rnd.IntN(6) {
		if l.rnd.IntN(6) == 0 {
			lines = append(lines, "flush") // a slow machine does so by itself
		}
		switch l.rnd.IntN(22) {
		case 16, 17:
			rows := "row"
			for range 1 + l.rnd.IntN(3) {
				rows += " " + letter("R")
			}
			lines = append(lines, rows)
		case 18:
			lines = append(lines, "take "+letter("T"))
		case 19:
			rows := "keep"
			for range 1 + l.rnd.IntN(3) {
				rows += " " + letter("R")
			}
			lines = append(lines, rows)
		case 20, 21:
			lines = append(lines, "look "+name())
		case 12, 13:
			lines = append(lines, "stage "+letter("L"))
		case 14:
			lines = append(lines, "commit")
		case 15:
			if l.rnd.IntN(3) == 0 {
				lines = append(lines, "rollback")
			}
		case 0, 1, 2, 3:
			lines = append(lines, []string{"send ", "send ", "must "}[l.rnd.IntN(3)]+letter("L"))
		case 4, 5:
			lines = append(lines, "get "+name())
		case 6:
			lines = append(lines, "both "+name()+" "+name())
		case 7:
			lines = append(lines, "clock "+name())
		case 8:
			if l.rnd.IntN(3) == 0 {
				lines = append(lines, "fail")
			}
		default:
			lines = append(lines, "add "+name())
		}
	}
	return strings.Join(append(lines, "add done"), "\n"), letters
}

// TestHistories lives through random histories: programs that send and read, with
// failures at any call and the death of the process at any point, and the
// workspace opened again. No letter is sent twice, none is sent without a word,
// and what the model was told is what happened.
func TestHistories(t *testing.T) {
	n := *histories
	if testing.Short() {
		n /= 20
	}
	deaths, programs, unknown := 0, 0, 0
	for seed := range uint64(n) {
		l := newLife(t, seed)
		told := map[string]string{} // letters by what the model was told of them
		var names map[string]string // as of the last result
		var open []string           // letters of the program that gave no result
		l.open(forever)
		names = map[string]string{}
		for range 3 + l.rnd.IntN(5) {
			if l.isDead() { // between two programs
				l.close()
				l.open(forever)
			}
			l.live(forever)
			if l.rnd.IntN(2) == 0 {
				l.live(1 + l.rnd.IntN(16))
			}
			source, letters := l.program()
			_ = l.session.Execute(t.Context(), source)
			programs++
			if l.isDead() {
				deaths++
				open = append(open, letters...)
				l.close()
				for l.open(1+l.rnd.IntN(40)) == nil || l.isDead() { // it may die again while it starts
					l.close()
				}
				l.live(forever)
				res := l.session.Execute(t.Context(), "add again")
				for id, what := range told { // this program may have committed it
					if what == "staged" {
						open = append(open, id)
					}
				}
				slices.Sort(open)
				l.judge(seed, source, open, res, names, told)
				if strings.Contains(strings.Join(res.Notes, " "), "Outcome not known") {
					unknown++
				}
				open = nil
			} else {
				for _, id := range letters {
					told[id] = ""
				}
				for id, what := range told {
					if what == "" || what == "staged" { // else it was told after a death, and the name says less
						told[id] = l.inner.names[id]
					}
				}
				l.wantPending(seed, told)
			}
			names = maps.Clone(l.inner.names)
		}
		l.close()
		l.reckon(seed, told)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d histories: %d programs, %d deaths, %d times an outcome was not known", n, programs, deaths, unknown)
	if deaths < n/2 || unknown < n/50 {
		t.Error("the histories are too harmless")
	}
}

// judge compares what the model is told after a death with what happened.
func (l *life) judge(seed uint64, source string, letters []string, res *Result, before, told map[string]string) {
	l.t.Helper()
	notes := strings.Join(res.Notes, "\n")
	now := l.inner.names
	for n, v := range before {
		if !strings.Contains(source, n) && now[n] != v && n != "again" && n != "done" && told[n] != "staged" {
			l.t.Errorf("history %d: %s was %q and is %q after\n%s", seed, n, v, now[n], source)
		}
	}
	for _, id := range letters {
		told[id] = now[id]
		happened, unsure, _ := strings.Cut(notes, "Outcome not known")
		shown := `(id: "` + id + `")`
		lost := strings.Contains(unsure, shown)
		switch {
		case now[id] == "staged" && l.pending(id):
		case now[id] == "staged" && lost:
			told[id] = "unknown"
		case now[id] == "staged" && (strings.Contains(happened, shown) || strings.Contains(happened, deed(id)+" ×") && l.sent[id] > 0):
			told[id] = "ok"
		case now[id] == "staged" && strings.Contains(notes, "Failed: "+deed(id)):
			told[id] = "failed"
		case now[id] == "staged":
			l.t.Errorf("history %d: %s was staged, is not pending, and nobody says what became of it:\n%s\n%s", seed, id, source, notes)
		case now[id] == "" && lost:
			told[id] = "unknown"
		case now[id] == "" && l.sent[id] > 0 && (strings.Contains(happened, shown) || strings.Contains(happened, deed(id)+" ×")):
			told[id] = "ok" // a row of a statement that did not end
		case now[id] == "" && l.sent[id] > 0:
			l.t.Errorf("history %d: %s was sent, and nobody says so:\n%s\n%s", seed, id, source, notes)
		case now[id] == "ok" && !strings.Contains(notes, deed(id)):
			l.t.Errorf("history %d: %s was sent, and the result does not say so:\n%s\n%s", seed, id, source, notes)
		}
	}
}

func (l *life) pending(id string) bool {
	return slices.ContainsFunc(l.ws.Pending(), func(p dispatch.Pending) bool { return slices.Contains(lettersOf(p), id) })
}

// wantPending wants what is pending to be what the model was told is.
func (l *life) wantPending(seed uint64, told map[string]string) {
	for id, what := range told {
		if (what == "staged") != l.pending(id) {
			l.t.Errorf("history %d: of %s the model was told %q, and pending are %v", seed, id, what, l.ws.Pending())
		}
	}
}

// reckon compares everything the model was told with the outbox.
func (l *life) reckon(seed uint64, told map[string]string) {
	for id, n := range l.sent {
		if n > 1 {
			l.t.Errorf("history %d: %s was sent %d times", seed, id, n)
		}
	}
	for id, what := range told {
		n := l.sent[id]
		if what == "ok" && n != 1 || slices.Contains([]string{"failed", "", "staged", "dropped"}, what) && n != 0 {
			l.t.Errorf("history %d: of %s the model was told %q, and it was sent %d times", seed, id, what, n)
		}
	}
}
