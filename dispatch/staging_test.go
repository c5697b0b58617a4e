package dispatch

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// stage stages letters and ends the section.
func stage(t testing.TB, r *account, to ...string) {
	t.Helper()
	s, err := r.Stage()
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range to {
		got, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", who)})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := got.(*Placeholder); !ok {
			t.Fatalf("got %v, want a placeholder", got)
		}
	}
	if got := s.End(); len(got) != len(to) {
		t.Fatalf("%d staged, want %d", len(got), len(to))
	}
}

func TestStagedCallsAreCheckedAndNotMade(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	s, _ := r.Stage()
	if _, err := r.Call(Call{Function: "mail__send", Args: value.Of("too", "ann")}); fault(t, err).Kind != sandbox.KindArgument {
		t.Errorf("got %v", err)
	}
	if got, err := r.Call(Call{Function: "t__echo", Args: value.Of("v", int64(7))}); got != int64(7) || err != nil {
		t.Errorf("a read gave %v, %v", got, err)
	}
	for _, name := range []string{"mail__purge", "t__undeclared"} {
		if got, err := r.Call(Call{Function: name}); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if _, ok := got.(*Placeholder); !ok {
			t.Errorf("%s gave %v", name, got)
		}
	}
	f, err := r.Start(Call{Function: "mail__send", Args: value.Of("to", "ann")})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := f.Wait(); got.(*Placeholder).ID != 3 {
		t.Errorf("a started call gave %v", got)
	}
	s.End()
	if w.sent.Load() != 0 {
		t.Error("something was sent")
	}
	for _, c := range r.Called() {
		if c.Name != "t__echo" {
			t.Errorf("%s is told as called", c.Name)
		}
	}
	if note := r.FiredNote(); !strings.Contains(note, "Only staged, has not happened and is still pending: mail__purge, t__undeclared, mail__send (to: \"ann\").") {
		t.Error(note)
	}
}

// Where making an effect is denied staging it is not, unless the denial is final;
// committing it then needs the host's word.
func TestStagingWhereFiringIsDenied(t *testing.T) {
	w := newWorld(t)
	var asked []Batch
	r := w.begin(t, t.Context(), small(), WithPolicy(ReadOnly()), WithAskBatch(func(_ context.Context, b Batch) (BatchAnswer, error) {
		asked = append(asked, b)
		return BatchAnswer{Allow: len(asked) > 1, Reason: "not yet"}, nil
	}))
	_, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")})
	if f := fault(t, err); f.Kind != sandbox.KindDenied || !strings.Contains(f.Hint, "staged") {
		t.Errorf("got %+v", f)
	}
	stage(t, r, "ann")
	if _, err := r.Commit(Call{}); fault(t, err).Kind != sandbox.KindDenied || w.sent.Load() != 0 || len(r.Pending()) != 0 {
		t.Errorf("refused: %v, %d sent", err, w.sent.Load())
	}
	stage(t, r, "bob")
	if _, err := r.Commit(Call{}); err != nil || w.sent.Load() != 1 {
		t.Errorf("approved: %v, %d sent", err, w.sent.Load())
	}
	if e := asked[1].Effects; len(e) != 1 || !e[0].Denied || !e[0].Asks || !strings.Contains(e[0].Reason, "only reads") {
		t.Errorf("asked about %+v", e)
	}
}

func TestNobodyToApproveACommit(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small(), WithPolicy(ReadOnly()))
	_, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")})
	if f := fault(t, err); strings.Contains(f.Hint, "staged") {
		t.Errorf("it advises staging, of which nothing can come: %s", f.Hint)
	}
	stage(t, r, "ann")
	_, err = r.Commit(Call{})
	if f := fault(t, err); f.Kind != sandbox.KindDenied || !strings.Contains(f.Message, "everything is still pending") || len(r.Pending()) != 1 {
		t.Errorf("got %v", err)
	}
}

func TestFinalDenialHoldsForStaging(t *testing.T) {
	w := newWorld(t)
	final := PolicyFunc(func(q Request) Decision {
		if q.Function.Name == "mail__purge" {
			return Decision{Verdict: Deny, Final: true, Reason: "never"}
		}
		return Decision{}
	})
	r := w.begin(t, t.Context(), small(), WithPolicy(final), WithAsk(func(context.Context, Question) (Answer, error) { return Answer{Allow: true}, nil }))
	s, _ := r.Stage()
	if _, err := r.Call(Call{Function: "mail__purge"}); fault(t, err).Kind != sandbox.KindDenied {
		t.Errorf("got %v", err)
	}
	s.End()
	if len(r.Pending()) != 0 {
		t.Error("it is pending")
	}
}

// What became forbidden since it was staged is not made.
func TestCommitDecidesAgain(t *testing.T) {
	w := newWorld(t)
	closed := false
	gate := PolicyFunc(func(Request) Decision {
		if closed {
			return Decision{Verdict: Deny, Final: true, Reason: "closed"}
		}
		return Decision{}
	})
	r := w.begin(t, t.Context(), small(), WithPolicy(gate))
	stage(t, r, "ann", "bob")
	closed = true
	if _, err := r.Commit(Call{}); fault(t, err).Kind != sandbox.KindDenied || w.sent.Load() != 0 || len(r.Pending()) != 2 {
		t.Errorf("got %v, %d sent", err, w.sent.Load())
	}
}

// A function that a policy stages is staged wherever it is called; a commit makes
// it, and asks if a further rule says so.
func TestPolicyStages(t *testing.T) {
	w := newWorld(t)
	rules, err := Rules(Rule{Impacts: []toolfn.Impact{toolfn.Write}, Verdict: Stage}, Rule{Function: "mail__*", Verdict: Ask, Reason: "mail is asked about"})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	r := w.begin(t, t.Context(), small(), WithPolicy(rules), WithAskBatch(func(_ context.Context, b Batch) (BatchAnswer, error) {
		asked++
		if len(b.Effects) != 2 || b.Effects[0].Reason != "mail is asked about" {
			t.Errorf("asked about %+v", b.Effects)
		}
		return BatchAnswer{Allow: true}, nil
	}))
	for range 2 {
		got, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")})
		if _, ok := got.(*Placeholder); !ok {
			t.Fatalf("got %v, %v", got, err)
		}
	}
	if w.sent.Load() != 0 || asked != 0 {
		t.Fatal("it was made, or asked about, at once")
	}
	done, err := r.Commit(Call{})
	if err != nil || len(done) != 2 || w.sent.Load() != 2 || asked != 1 {
		t.Errorf("%v, %v, %d sent, asked %d times", done, err, w.sent.Load(), asked)
	}
}

// Two hundred effects are one question, which tells how many there are and shows
// some.
func TestOneQuestionForABatch(t *testing.T) {
	w := newWorld(t)
	ask, _ := Rules(Rule{Function: "mail__send", Verdict: Ask})
	var asked []Batch
	l := small()
	l.Compute = 200 * time.Millisecond
	r := w.begin(t, t.Context(), l, WithPolicy(ask), WithAskBatch(func(_ context.Context, b Batch) (BatchAnswer, error) {
		asked = append(asked, b)
		time.Sleep(300 * time.Millisecond) // longer than the program may compute
		return BatchAnswer{Allow: true}, nil
	}))
	names := make([]string, 200)
	for i := range names {
		names[i] = strings.Repeat("x", 300)
	}
	stage(t, r, names...)
	if _, err := r.Commit(Call{}); err != nil {
		t.Fatal(err)
	}
	if len(asked) != 1 || len(asked[0].Effects) != 200 || w.sent.Load() != 200 {
		t.Fatalf("asked %d times, %d sent", len(asked), w.sent.Load())
	}
	if err := r.m.Check(); err != nil {
		t.Errorf("the wait was charged: %v", err)
	}
	text := asked[0].Text(2000)
	if len(text) > 2000 || !strings.Contains(text, "200 effects") || !strings.Contains(text, "mail__send (write) ×200") || !strings.Contains(text, "and 197 more") {
		t.Error(text)
	}
	if short := asked[0].Text(60); len(short) > 60 || !strings.HasSuffix(short, "…") {
		t.Errorf("%q", short)
	}
}

// Without a batch asker the asker hears of each effect.
func TestAskerHearsOfEachEffectOfACommit(t *testing.T) {
	w := newWorld(t)
	ask, _ := Rules(Rule{Function: "mail__send", Verdict: Ask})
	r := w.begin(t, t.Context(), small(), WithPolicy(ask), WithAsk(func(_ context.Context, q Question) (Answer, error) {
		to, _ := q.Args.Get("to")
		return Answer{Allow: to != "bob", Reason: "bob is away"}, nil
	}))
	stage(t, r, "ann", "bob", "cy")
	done, err := r.Commit(Call{})
	var ce *CommitError
	if f := fault(t, err); f.Kind != sandbox.KindDenied || !errors.As(err, &ce) || !strings.Contains(f.Message, "made 2 of 3 effects") {
		t.Fatalf("got %v", err)
	}
	if len(done) != 3 || done[1].Outcome != Refused || !strings.Contains(done[1].Error, "bob is away") || w.logged() != "send:ann send:cy" || len(r.Pending()) != 0 {
		t.Errorf("%+v, %s", done, w.logged())
	}
}

func TestHostEditsAndRefusesSingleEffects(t *testing.T) {
	w := newWorld(t)
	ask, _ := Rules(Rule{Function: "mail__send", Verdict: Ask})
	answer := BatchAnswer{Allow: true, Effects: map[int64]EffectAnswer{
		1: {Allow: true, Args: value.Of("to", "eve")},
		2: {Reason: "no"},
	}}
	r := w.begin(t, t.Context(), small(), WithPolicy(ask), WithAskBatch(func(context.Context, Batch) (BatchAnswer, error) { return answer, nil }))
	stage(t, r, "ann", "bob", "cy")
	done, err := r.Commit(Call{})
	if fault(t, err); w.logged() != "send:eve send:cy" || !done[0].Edited || done[1].Outcome != Refused {
		t.Errorf("%+v, %s, %v", done, w.logged(), err)
	}
	answer = BatchAnswer{Allow: true, Effects: map[int64]EffectAnswer{4: {Allow: true, Args: value.Of("nobody", true)}}}
	stage(t, r, "dan")
	if _, err := r.Commit(Call{}); fault(t, err).Kind != sandbox.KindDenied || len(r.Pending()) != 1 || w.sent.Load() != 2 {
		t.Errorf("an edit that does not pass: %v, %d pending", err, len(r.Pending()))
	}
}

func TestApprovalThatBreaksMakesNothing(t *testing.T) {
	w := newWorld(t)
	ask, _ := Rules(Rule{Function: "mail__send", Verdict: Ask})
	for name, asker := range map[string]BatchAsker{
		"panics": func(context.Context, Batch) (BatchAnswer, error) { panic("oops") },
		"fails": func(context.Context, Batch) (BatchAnswer, error) {
			return BatchAnswer{Allow: true}, errors.New("no line")
		},
	} {
		r := w.begin(t, t.Context(), small(), WithPolicy(ask), WithAskBatch(asker), WithReport(func(error) {}))
		stage(t, r, "ann")
		if _, err := r.Commit(Call{}); fault(t, err).Kind != sandbox.KindDenied || len(r.Pending()) != 1 || w.sent.Load() != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCancelledWhileTheHostDecides(t *testing.T) {
	w := newWorld(t)
	ask, _ := Rules(Rule{Function: "mail__send", Verdict: Ask})
	ctx, cancel := context.WithCancel(t.Context())
	r := w.begin(t, ctx, small(), WithPolicy(ask), WithAskBatch(func(ctx context.Context, _ Batch) (BatchAnswer, error) {
		cancel()
		<-ctx.Done()
		return BatchAnswer{Allow: true}, nil
	}))
	stage(t, r, "ann")
	if _, err := r.Commit(Call{}); !fault(t, err).Kind.Limit() || w.sent.Load() != 0 || len(r.Pending()) != 1 {
		t.Errorf("%v, %d sent, %d pending", err, w.sent.Load(), len(r.Pending()))
	}
}

// A commit that would run into the ceiling of calls makes nothing.
func TestCommitBeyondTheCeiling(t *testing.T) {
	w := newWorld(t)
	l := small()
	l.Calls = 2
	r := w.begin(t, t.Context(), l)
	stage(t, r, "a", "b", "c")
	if _, err := r.Commit(Call{}); fault(t, err).Kind != sandbox.KindDenied || w.sent.Load() != 0 || len(r.Pending()) != 3 {
		t.Errorf("%v, %d sent", err, w.sent.Load())
	}
}

func TestPendingListIsBounded(t *testing.T) {
	l := &pendingList{}
	for range mostPending {
		if f := l.add(&entry{}); f != nil {
			t.Fatal(f)
		}
	}
	if f := l.add(&entry{}); f == nil || f.Kind != sandbox.KindDenied {
		t.Errorf("one more was taken: %v", f)
	}
	l = &pendingList{}
	if f := l.add(&entry{size: mostPendingBytes + 1}); f == nil {
		t.Error("a giant was taken")
	}
}

func TestWithoutStaging(t *testing.T) {
	w := newWorld(t)
	rules, _ := Rules(Rule{Function: "mail__send", Verdict: Stage})
	r := w.begin(t, t.Context(), small(), WithPolicy(rules), WithoutStaging())
	if _, err := r.Stage(); fault(t, err).Kind != sandbox.KindDenied {
		t.Errorf("got %v", err)
	}
	if _, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann")}); fault(t, err).Kind != sandbox.KindDenied || w.sent.Load() != 0 {
		t.Errorf("got %v", err)
	}
}

// The journal has each effect as staged and, under the same number, as made.
func TestJournalTellsStagedFromMade(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	stage(t, r, "ann")
	if _, err := r.Commit(Call{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.journal.Calls() {
		got = append(got, c.Function+" "+c.Outcome.String())
		if c.Function == "mail__send" && c.Entry != 1 {
			t.Errorf("%+v", c)
		}
	}
	if text := strings.Join(got, ", "); text != "mail__send staged, (commit) done, mail__send done" {
		t.Error(text)
	}
}

// An idempotency key names a call, however often it is tried, and a pending
// effect, whoever commits it.
func TestIdempotencyKeys(t *testing.T) {
	w := newWorld(t)
	var keys []string
	fn := toolfn.ToolFn{Name: "keyed", Effect: toolfn.Effect{Impact: toolfn.Write, Idempotent: true}, Call: func(ctx context.Context, _ *value.Object) (value.Value, error) {
		keys = append(keys, toolfn.IdempotencyKey(ctx))
		if len(keys) == 1 {
			return nil, &toolfn.CallError{Message: "busy", Retryable: true}
		}
		return nil, nil
	}}
	if err := w.cat.Register(fn); err != nil {
		t.Fatal(err)
	}
	r := w.begin(t, t.Context(), small(), WithIdentity("ws"), WithRetry(Retry{Attempts: 2, Base: time.Millisecond, Most: time.Millisecond}))
	for range 2 {
		if _, err := r.Call(Call{Function: "keyed"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[1] == keys[2] {
		t.Errorf("%q", keys)
	}
	if toolfn.IdempotencyKey(t.Context()) != "" {
		t.Error("a key outside of a call")
	}
}
