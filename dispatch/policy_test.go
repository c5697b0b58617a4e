package dispatch

import (
	"context"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

func TestRules(t *testing.T) {
	table, err := Rules(
		Rule{Function: "github__delete_*", Verdict: Deny},
		Rule{Function: "github__*", Impacts: []toolfn.Impact{toolfn.Write, toolfn.Destructive}, Verdict: Ask},
		Rule{Impacts: []toolfn.Impact{toolfn.Read}, Verdict: Allow},
		Rule{Function: "exact", Verdict: Deny},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		impact toolfn.Impact
		want   Verdict
	}{
		{"github__delete_repo", toolfn.Read, Deny},
		{"github__create_issue", toolfn.Write, Ask},
		{"github__list", toolfn.Read, Allow},
		{"github__odd", toolfn.Unknown, Pass},
		{"exact", toolfn.Write, Deny},
		{"exactly", toolfn.Write, Pass},
	} {
		fn := &toolfn.ToolFn{Name: c.name, Effect: toolfn.Effect{Impact: c.impact}}
		if got := table.Decide(Request{Function: fn}).Verdict; got != c.want {
			t.Errorf("%s (%s): %s, want %s", c.name, c.impact, got, c.want)
		}
	}
	if _, err := Rules(Rule{Function: "a[", Verdict: Deny}); err == nil {
		t.Error("a pattern that cannot be read was taken, and would match nothing")
	}
}

func TestComposition(t *testing.T) {
	say := func(v Verdict, reason string) Policy {
		return PolicyFunc(func(Request) Decision { return Decision{Verdict: v, Reason: reason} })
	}
	q := Request{Function: &toolfn.ToolFn{Name: "f"}}
	for _, c := range []struct {
		name string
		p    Policy
		want Decision
	}{
		{"first with an opinion", First(say(Pass, "a"), say(Allow, "b"), say(Deny, "c")), Decision{Verdict: Allow, Reason: "b"}},
		{"nobody has one", First(say(Pass, "a")), Decision{}},
		{"strictest", Strictest(say(Allow, "a"), say(Deny, "b"), say(Ask, "c")), Decision{Verdict: Deny, Reason: "b"}},
		{"the earlier of equals", Strictest(say(Ask, "a"), say(Ask, "b")), Decision{Verdict: Ask, Reason: "a"}},
		{"none", Strictest(), Decision{}},
		{"all", AllowAll(), Decision{Verdict: Allow}},
	} {
		if got := c.p.Decide(q); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A context can hold a program to more than the dispatcher does, never to less.
func TestRestrict(t *testing.T) {
	w := newWorld(t)
	deny := PolicyFunc(func(q Request) Decision {
		if q.Function.Name == "t__fail" {
			return Decision{Verdict: Deny, Reason: "not today"}
		}
		return Decision{}
	})
	ctx := Restrict(Restrict(t.Context(), ReadOnly()), AllowAll())
	r := w.begin(t, ctx, small(), WithPolicy(deny))
	for name, want := range map[string]sandbox.Kind{"mail__purge": sandbox.KindDenied, "t__fail": sandbox.KindDenied, "t__echo": ""} {
		_, err := r.Call(Call{Function: name})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && fault(t, err).Kind != want:
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPanickingPolicyDenies(t *testing.T) {
	w := newWorld(t)
	r := w.begin(t, t.Context(), small(), WithPolicy(PolicyFunc(func(Request) Decision { panic("oops") })))
	if _, err := r.Call(Call{Function: "t__echo"}); fault(t, err).Kind != sandbox.KindDenied {
		t.Errorf("got %v", err)
	}
}

func TestPolicySeesTheInnerCall(t *testing.T) {
	w := newWorld(t)
	var seen Request
	r := w.begin(t, t.Context(), small(), WithPolicy(PolicyFunc(func(q Request) Decision { seen = q; return Decision{} })))
	if _, err := r.Call(Call{Function: "mail__send", Args: value.Of("to", "ann"), Line: 3}); err != nil {
		t.Fatal(err)
	}
	if seen.Function.Name != "mail__send" || !value.Equal(seen.Args, value.Of("to", "ann")) || seen.Actor != "ann" || seen.Line != 3 || seen.Language != "test" || seen.Program != r.ID() {
		t.Errorf("policy saw %+v", seen)
	}
}

// spans is a tracer that keeps what it is told.
type spans struct {
	ended []string
	panic bool
}

type spanKey struct{}

func (s *spans) StartCall(ctx context.Context, r Request) (context.Context, func(Outcome, error)) {
	if s.panic {
		panic("no spans")
	}
	return context.WithValue(ctx, spanKey{}, r.Function.Name), func(o Outcome, err error) {
		s.ended = append(s.ended, r.Function.Name+" "+o.String())
		if (err != nil) != (o != Done) {
			panic("the error does not fit the outcome")
		}
	}
}

func TestTracer(t *testing.T) {
	w := newWorld(t)
	var inside any
	f := toolfn.ToolFn{Name: "t__span", Call: func(ctx context.Context, _ *value.Object) (value.Value, error) {
		inside = ctx.Value(spanKey{})
		return nil, nil
	}}
	if err := w.cat.Register(f); err != nil {
		t.Fatal(err)
	}
	s := &spans{}
	r := w.begin(t, t.Context(), small(), WithTracer(s))
	for _, name := range []string{"t__span", "t__fail", "t__need"} {
		_, _ = r.Call(Call{Function: name})
	}
	if inside != "t__span" || len(s.ended) != 2 || s.ended[0] != "t__span done" || s.ended[1] != "t__fail failed" {
		t.Errorf("inside %v, ended %v", inside, s.ended)
	}
	s.panic = true
	if _, err := r.Call(Call{Function: "t__span"}); err != nil {
		t.Errorf("a tracer that panics took the call down: %v", err)
	}
}
