package dispatch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// The model of a workspace's effects: each has a token of its own, and where it
// stands is known from what the dispatcher said alone. The outside world counts
// what really happened. After every step the two must agree.

type standing string

const (
	waiting  standing = "pending"
	happened standing = "happened"
	broken   standing = "failed"
	unclear  standing = "unknown"
	never    standing = "never" // rolled back, dropped, refused
)

type stagedHistory struct {
	t      *testing.T
	rng    *rand.Rand
	d      *Dispatcher
	run    *Run
	cancel context.CancelFunc
	steps  []string

	tokens  int64
	told    map[int64]standing // by token, from what was said
	tokenOf map[int64]int64    // by the number of the pending effect

	fired    map[int64]int    // by token, what really happened: how often it was called
	fate     map[int64]string // by token, what its call will come to
	journals bool             // the journal refuses intentions now
	answers  func(Batch) (BatchAnswer, error)
}

// flaky is a journal that fails when it is told to.
type flaky struct{ h *stagedHistory }

func (f flaky) Program(ProgramRecord) error { return nil }

func (f flaky) Call(r CallRecord) error {
	if f.h.journals && r.Outcome == Intended {
		return errors.New("the disk is full")
	}
	return nil
}

func newStagedHistory(t *testing.T, seed uint64) *stagedHistory {
	h := &stagedHistory{t: t, rng: rand.New(rand.NewPCG(seed, 1)), told: map[int64]standing{}, tokenOf: map[int64]int64{}, fired: map[int64]int{}, fate: map[int64]string{}}
	cat := toolfn.NewCatalog()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(cat.Register(
		toolfn.ToolFn{Name: "read", Effect: toolfn.Effect{Impact: toolfn.Read}, Call: func(context.Context, *value.Object) (value.Value, error) { return int64(1), nil }},
		toolfn.ToolFn{Name: "plain", Effect: toolfn.Effect{Impact: toolfn.Write}, Call: h.handle},
		toolfn.ToolFn{Name: "asked", Effect: toolfn.Effect{Impact: toolfn.Write}, Call: h.handle},
		toolfn.ToolFn{Name: "held", Effect: toolfn.Effect{Impact: toolfn.Destructive}, Call: h.handle},
		toolfn.ToolFn{Name: "barred", Effect: toolfn.Effect{}, Call: h.handle},
	))
	rules, err := Rules(Rule{Function: "held", Verdict: Stage}, Rule{Function: "asked", Verdict: Ask}, Rule{Function: "barred", Verdict: Deny})
	must(err)
	h.d, err = New(cat, WithPolicy(rules), WithJournal(flaky{h}),
		WithAsk(func(context.Context, Question) (Answer, error) { return Answer{Allow: true}, nil }),
		WithAskBatch(func(ctx context.Context, b Batch) (BatchAnswer, error) {
			if err := ctx.Err(); err != nil {
				return BatchAnswer{}, err // the program goes on beside this goroutine
			}
			return h.answers(b)
		}))
	must(err)
	h.begin(t.Context())
	return h
}

func (h *stagedHistory) handle(ctx context.Context, args *value.Object) (value.Value, error) {
	v, _ := args.Get("token")
	token := v.(int64)
	h.fired[token]++
	switch h.fate[token] {
	case "fails":
		return nil, errors.New("no")
	case "unsure":
		return nil, &toolfn.CallError{Message: "lost", OutcomeUnknown: true}
	case "cancels":
		h.cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return token, nil
}

func (h *stagedHistory) begin(ctx context.Context) {
	ctx, h.cancel = context.WithCancel(ctx)
	m, err := sandbox.NewMeter(ctx, sandbox.DefaultLimits())
	if err != nil {
		h.t.Fatal(err)
	}
	h.run = h.d.Begin(m, Program{Language: "test"})
}

// next ends the program and begins another.
func (h *stagedHistory) next() {
	h.run.End(nil)
	h.cancel()
	h.begin(h.t.Context())
}

// call asks for an effect, and gives its token.
func (h *stagedHistory) call(name string) (token int64, got value.Value, err error) {
	h.tokens++
	token = h.tokens
	h.fate[token] = []string{"", "", "", "", "fails", "unsure", "cancels"}[h.rng.IntN(7)]
	got, err = h.run.Call(Call{Function: name, Args: value.Of("token", token)})
	return token, got, err
}

// effect asks for an effect and notes what it was told.
func (h *stagedHistory) effect(staged bool) {
	name := []string{"plain", "asked", "held", "barred"}[h.rng.IntN(4)]
	open := h.unknown()
	token, got, err := h.call(name)
	h.step("%s(%d) %s", name, token, h.fate[token])
	p, isPlaceholder := got.(*Placeholder)
	switch {
	case isPlaceholder:
		h.tokenOf[p.ID] = token
		h.told[token] = waiting
	case err == nil:
		h.told[token] = happened
	case asLimit(err) != nil: // what of it happened is in the tally
		h.told[token] = never
		if h.unknown() > open {
			h.told[token] = unclear
		}
	default:
		h.told[token] = map[Outcome]standing{Done: happened, Failed: broken, Unsettled: unclear, Refused: never}[OutcomeOf(asRefusal(err))]
	}
	if staged && !isPlaceholder && err == nil {
		h.fail("%s was made inside a stage", name)
	}
}

// unknown is how many calls of the program have an outcome that is not known.
func (h *stagedHistory) unknown() (n int) {
	for _, c := range h.run.Called() {
		n += c.Unknown
	}
	return n
}

func (h *stagedHistory) section() {
	s, err := h.run.Stage()
	if err != nil {
		h.fail("stage: %v", err)
	}
	for range h.rng.IntN(4) {
		if h.rng.IntN(4) == 0 {
			_, _ = h.run.Call(Call{Function: "read"})
		}
		h.effect(true)
	}
	switch h.rng.IntN(4) {
	case 0:
		h.step("discard")
		h.gone(s.Discard())
	case 1:
		h.step("stop in the stage")
		h.run.End(nil)
		h.gone(h.run.unstaged)
		h.next()
	default:
		h.step("end of stage")
		s.End()
	}
}

func (h *stagedHistory) gone(effects []Pending) {
	for _, p := range effects {
		h.told[h.tokenOf[p.ID]] = never
	}
}

func (h *stagedHistory) commit() {
	whole := h.rng.IntN(6)
	h.answers = func(b Batch) (BatchAnswer, error) {
		if whole == 0 {
			return BatchAnswer{}, errors.New("nobody answers")
		}
		a := BatchAnswer{Allow: whole != 1, Effects: map[int64]EffectAnswer{}}
		for _, e := range b.Effects {
			switch h.rng.IntN(8) {
			case 0:
				a.Effects[e.ID] = EffectAnswer{Reason: "no"}
			case 1:
				v, _ := e.Args.Get("token")
				a.Effects[e.ID] = EffectAnswer{Allow: true, Args: value.Of("token", v, "edited", true)}
			}
		}
		return a, nil
	}
	h.journals = h.rng.IntN(12) == 0
	before := h.run.Pending()
	done, err := h.run.Commit(Call{})
	h.journals = false
	h.step("commit: %v", err)
	if len(before) == 0 && err == nil {
		h.fail("a commit of nothing")
	}
	for _, c := range done {
		h.told[h.tokenOf[c.ID]] = map[Outcome]standing{Done: happened, Failed: broken, Unsettled: unclear, Refused: never, NotAttempted: waiting}[c.Outcome]
	}
	stopped := -1
	for i, c := range done {
		switch c.Outcome {
		case Failed, Unsettled:
			stopped = i
		case NotAttempted:
			if stopped < 0 {
				stopped = i // nothing began
			}
			continue
		}
		if stopped >= 0 && stopped < i {
			h.fail("effect %d was made after one had failed", c.ID)
		}
	}
	var ce *CommitError
	if errors.As(err, &ce) && len(ce.Effects) != len(done) {
		h.fail("the error tells of %d effects, the answer of %d", len(ce.Effects), len(done))
	}
}

func (h *stagedHistory) rollback() {
	pending := h.run.Pending()
	var ids []int64
	if len(pending) > 0 && h.rng.IntN(2) == 0 {
		ids = append(ids, pending[h.rng.IntN(len(pending))].ID)
	}
	gone, err := h.run.Rollback(ids...)
	h.step("rollback %v: %d, %v", ids, len(gone), err)
	h.gone(gone)
}

// try makes a program that only tries; nothing of it may show.
func (h *stagedHistory) try() {
	before := h.d.Pending()
	fired := len(h.fired)
	ctx, report := DryRun(h.t.Context())
	h.run.End(nil)
	h.cancel()
	h.begin(ctx)
	var want []int64
	told, tokenOf := h.told, h.tokenOf
	h.told, h.tokenOf = map[int64]standing{}, map[int64]int64{}
	for range 1 + h.rng.IntN(3) {
		token, _, err := h.call("plain")
		if err != nil {
			h.fail("trying: %v", err)
		}
		want = append(want, token)
	}
	if h.rng.IntN(2) == 0 && len(before) > 0 {
		_, err := h.run.Commit(Call{})
		if err != nil {
			h.fail("trying to commit: %v", err)
		}
		for _, p := range before {
			want = append(want, tokenOf[p.ID])
		}
	}
	h.told, h.tokenOf = told, tokenOf
	h.run.End(nil)
	var got []int64
	for _, p := range report.Made {
		v, _ := p.Args.Get("token")
		got = append(got, v.(int64))
	}
	h.step("dry run: %v", got)
	if !slices.Equal(got, want) {
		h.fail("a dry run tells of %v, want %v", got, want)
	}
	if len(h.fired) != fired || len(h.d.Pending()) != len(before) {
		h.fail("a dry run changed something")
	}
	h.cancel()
	h.begin(h.t.Context())
}

func (h *stagedHistory) edit() {
	pending := h.run.Pending()
	if len(pending) == 0 {
		return
	}
	p := pending[h.rng.IntN(len(pending))]
	h.step("edit %d", p.ID)
	if err := h.run.Edit(p.ID, value.Of("token", h.tokenOf[p.ID], "edited", true)); err != nil {
		h.fail("edit: %v", err)
	}
}

// stop cancels the program between two steps; what it then asks for does not
// happen.
func (h *stagedHistory) stop() {
	h.step("cancel")
	h.cancel()
	done, err := h.run.Commit(Call{})
	for _, c := range done {
		if c.Outcome != NotAttempted && c.Outcome != Refused {
			h.fail("a stopped program committed: %v", err)
		}
	}
	for _, c := range done {
		if c.Outcome == Refused {
			h.told[h.tokenOf[c.ID]] = never
		}
	}
}

func (h *stagedHistory) play(steps int) {
	for range steps {
		if h.run.ctx.Err() != nil {
			h.next()
		}
		switch h.rng.IntN(12) {
		case 0, 1, 2:
			h.section()
		case 3, 4:
			h.effect(false)
		case 5, 6, 7:
			h.commit()
		case 8:
			h.rollback()
		case 9:
			h.try()
		case 10:
			h.edit()
		case 11:
			h.answers = func(Batch) (BatchAnswer, error) { return BatchAnswer{Allow: true}, nil }
			h.stop()
		}
		h.check()
	}
	h.run.End(nil)
	h.cancel()
	h.gone(h.d.Discard())
	h.check()
}

// check holds what was told against what happened.
func (h *stagedHistory) check() {
	pending := map[int64]bool{}
	last := int64(0)
	for _, p := range h.d.Pending() {
		pending[h.tokenOf[p.ID]] = true
		if p.ID <= last {
			h.fail("the list is out of order")
		}
		last = p.ID
	}
	for token := int64(1); token <= h.tokens; token++ {
		told, known := h.told[token]
		if !known {
			continue // of a dry run
		}
		if n := h.fired[token]; n > 1 {
			h.fail("effect %d fired %d times", token, n)
		}
		fired, was := h.fired[token] == 1, h.fate[token]
		ok := pending[token] == (told == waiting)
		switch told {
		case waiting, never:
			ok = ok && !fired
		case happened:
			ok = ok && fired && was == ""
		case broken:
			ok = ok && fired && was == "fails"
		case unclear:
			ok = ok && fired && (was == "unsure" || was == "cancels")
		default:
			ok = false
		}
		if !ok {
			h.fail("effect %d was told to be %q; fired: %v, fate %q, pending: %v", token, told, fired, was, pending[token])
		}
	}
	for token := range pending {
		if h.told[token] != waiting {
			h.fail("effect %d is pending and nobody was told", token)
		}
	}
}

func (h *stagedHistory) step(format string, args ...any) {
	h.steps = append(h.steps, fmt.Sprintf(format, args...))
}

func (h *stagedHistory) fail(format string, args ...any) {
	h.t.Helper()
	for _, s := range h.steps {
		h.t.Log(s)
	}
	h.t.Fatalf(format, args...)
}

// TestStagedHistories plays random histories of staging, committing, rolling
// back, trying, failing and cancelling: no effect fires twice, none is lost
// without a word, and what was told is what happened.
func TestStagedHistories(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	began := time.Now()
	for seed := range n {
		newStagedHistory(t, uint64(seed)).play(14)
	}
	t.Logf("%d histories in %s", n, time.Since(began).Round(time.Millisecond))
}

func FuzzStagedHistories(f *testing.F) {
	f.Add(uint64(1), uint8(14))
	f.Fuzz(func(t *testing.T, seed uint64, steps uint8) { newStagedHistory(t, seed).play(int(steps) % 60) })
}
