package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// TestCalls runs the scripts under testdata: each line of input is one call,
// NAME ARGUMENTS, made by one program; then come its tally, its note, and its
// records.
func TestCalls(t *testing.T) {
	datadriven.Walk(t, "testdata/calls", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var plain, hosted string
			synctest.Test(t, func(t *testing.T) { plain = script(t, d, (*Run).plainly) })
			synctest.Test(t, func(t *testing.T) { hosted = script(t, d, (*Run).Host) })
			if plain != hosted {
				t.Errorf("%s: a hosted program sees something else:\n%s", d.Pos, hosted)
			}
			return plain
		})
	})
}

// plainly runs a program as a surface does that does not use Host.
func (r *Run) plainly(program func()) { program() }

// script runs one chunk. Time is the bubble's, so that time-outs take none.
func script(t *testing.T, d *datadriven.TestData, under func(*Run, func())) (out string) {
	w := newWorld(t)
	l := small()
	var opts []Option
	var policies []Policy
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "calls":
			fmt.Sscan(a.Vals[0], &l.Calls)
		case "memory":
			fmt.Sscan(a.Vals[0], &l.Memory)
		case "read-only":
			policies = append(policies, ReadOnly())
		case "deny", "ask", "allow":
			v := map[string]Verdict{"deny": Deny, "ask": Ask, "allow": Allow}[a.Key]
			p, err := Rules(Rule{Function: a.Vals[0], Verdict: v, Reason: strings.ReplaceAll(strings.Join(a.Vals[1:], " "), "_", " ")})
			if err != nil {
				return err.Error()
			}
			policies = append(policies, p)
		case "answer":
			opts = append(opts, WithAsk(answering(a.Vals[0])))
		}
	}
	if policies != nil {
		opts = append(opts, WithPolicy(Strictest(policies...)))
	}
	r := w.begin(t, t.Context(), l, opts...)
	under(r.Run, func() { out = calls(r, d.Input) })
	close(w.release)
	return out
}

// calls makes the calls of a script and tells what came of them.
func calls(r *account, input string) string {
	var b strings.Builder
	for i, line := range strings.Split(input, "\n") {
		name, args, _ := strings.Cut(line, " ")
		call := Call{Function: name, Line: i + 1, Column: 1}
		if args != "" {
			v, err := value.Decode([]byte(args))
			if err != nil {
				return err.Error()
			}
			call.Args = v.(*value.Object)
		}
		got, err := r.Call(call)
		b.WriteString(told(got, err))
	}
	for _, c := range r.Called() {
		fmt.Fprintf(&b, "called: %s %d %s failed=%d unknown=%d\n", c.Name, c.Calls, c.Effect, c.Failed, c.Unknown)
	}
	if n := r.FiredNote(); n != "" {
		fmt.Fprintf(&b, "fired: %s\n", n)
	}
	for _, c := range r.journal.Calls() {
		args, _ := value.Append(nil, c.Args)
		fmt.Fprintf(&b, "journal: %d %s %s %s\n", c.Index, c.Function, args, c.Outcome)
	}
	return b.String()
}

func told(got value.Value, err error) string {
	if err == nil {
		text, _ := value.Append(nil, got)
		return sandbox.Clip(string(text), 100) + "\n"
	}
	f := err.(*sandbox.Fault)
	if r, ok := f.Cause.(*toolfn.Refusal); ok { // worded by the catalogue
		return fmt.Sprintf("%s %d:%d: %s refused\n", f.Kind, f.Line, f.Column, r.Function.Name)
	}
	text := fmt.Sprintf("%s %d:%d: %s", f.Kind, f.Line, f.Column, sandbox.Clip(f.Message, 200))
	if f.Hint != "" {
		text += " | " + f.Hint
	}
	return text + "\n"
}

func answering(how string) Asker {
	return func(_ context.Context, q Question) (Answer, error) {
		switch how {
		case "yes":
			return Answer{Allow: true}, nil
		case "yes-to-the-rest":
			return Answer{Allow: true, Rest: true}, nil
		case "no":
			return Answer{Reason: "we do not write to " + fmt.Sprint(q.Args.At(0))}, nil
		case "no-to-the-rest":
			return Answer{Rest: true}, nil
		case "broken":
			return Answer{Allow: true}, fmt.Errorf("the line is dead")
		case "panic":
			panic("no")
		}
		panic("unknown answer")
	}
}

func TestCallErrorKeepsItsDetails(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	_, err := r.Call(Call{Function: "t__coded"})
	c, ok := fault(t, err).Cause.(*toolfn.CallError)
	if !ok || c.Code != "rate_limited" || !c.Retryable {
		t.Fatalf("cause is %#v", fault(t, err).Cause)
	}
	if o, ok := c.Details.(*value.Object); !ok || !value.Equal(o, value.Of("after", int64(3))) {
		t.Errorf("details are %v", c.Details)
	}
}

func TestLongErrorKeepsBothEnds(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	_, err := r.Call(Call{Function: "t__fail_long"})
	m := fault(t, err).Message
	if len(m) > 1000 || !strings.Contains(m, "start") || !strings.HasPrefix(m, "t__fail_long: ") {
		t.Errorf("message of %d bytes: %.80s", len(m), m)
	}
}

func TestResultIsTheProgramsOwn(t *testing.T) {
	shared := value.Of("n", int64(1), "list", []value.Value{int64(1)})
	f, err := toolfn.DefineRaw("t__shared", json.RawMessage(anyObject), func(context.Context, *value.Object) (value.Value, error) { return shared, nil }, toolfn.ReadOnly())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	if err := w.cat.Register(f); err != nil {
		t.Fatal(err)
	}
	r := w.begin(t, t.Context(), small())
	got, err := r.Call(Call{Function: "t__shared"})
	if err != nil {
		t.Fatal(err)
	}
	o := got.(*value.Object)
	o.Set("n", int64(2))
	o.Set("new", true)
	list, _ := o.Get("list")
	list.([]value.Value)[0] = int64(9)
	if want := value.Of("n", int64(1), "list", []value.Value{int64(1)}); !value.Equal(shared, want) {
		t.Errorf("the handler's value became %v", shared)
	}
}

func TestArgumentsBelongToTheHandler(t *testing.T) {
	f, err := toolfn.DefineRaw("t__mutates", json.RawMessage(anyObject), func(_ context.Context, args *value.Object) (value.Value, error) {
		args.Set("to", "somebody else")
		args.Set("more", true)
		return nil, nil
	}, toolfn.Writes())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	if err := w.cat.Register(f); err != nil {
		t.Fatal(err)
	}
	r := w.begin(t, t.Context(), small())
	if _, err := r.Call(Call{Function: "t__mutates", Args: value.Of("to", "ann")}); err != nil {
		t.Fatal(err)
	}
	if n := r.FiredNote(); n != `Already happened, do not repeat: t__mutates (to: "ann").` {
		t.Errorf("note is %s", n)
	}
	if c := r.journal.Calls(); len(c) != 1 || !value.Equal(c[0].Args, value.Of("to", "ann")) {
		t.Errorf("journal is %v", c)
	}
}

func TestWaitingIsNotComputing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		l := small()
		l.Compute = 50 * time.Millisecond
		r := w.begin(t, t.Context(), l)
		for range 5 {
			if _, err := r.Call(Call{Function: "t__slow", Args: value.Of("ms", int64(500))}); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.m.Check(); err != nil {
			t.Errorf("waiting was counted: %v", err)
		}
		if got := r.m.Usage().Waited; got != 2500*time.Millisecond {
			t.Errorf("waited %v", got)
		}
	})
}

func TestHandlerSeesDeadlineAndActor(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	got, err := r.Call(Call{Function: "t__actor"})
	if err != nil || got != "ann" {
		t.Errorf("actor is %v, %v", got, err)
	}
}

func TestEndedRunCallsNothing(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	r.End(nil)
	r.End(nil)
	_, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "a")})
	if f := fault(t, err); f.Kind != sandbox.KindInternal || w.sent.Load() != 0 {
		t.Errorf("got %v, sent %d", f, w.sent.Load())
	}
}

func TestUnknownFunctionSuggests(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small())
	_, err := r.Call(Call{Function: "mail__sent", Line: 4, Column: 2})
	f := fault(t, err)
	if f.Kind != sandbox.KindName || f.Line != 4 || !strings.Contains(f.Hint, "mail__send") {
		t.Errorf("got %v", f)
	}
}
