package lisp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces"
)

// TestGateClosesBeforeCommit: the policy is asked again when staged effects are made,
// so that what was staged while writing was allowed does not slip through a gate that
// has closed since.
func TestGateClosesBeforeCommit(t *testing.T) {
	closed := false
	world := newShop()
	session := openSession(t, world, surfaces.WithPolicy(dispatch.PolicyFunc(func(r dispatch.Request) dispatch.Decision {
		if closed {
			return dispatch.ReadOnly().Decide(r)
		}
		return dispatch.Decision{}
	})))
	run := func(program string) *surfaces.Result { return session.Execute(context.Background(), program) }
	if r := run(`(stage (mail/send {:to "ann" :text "hello"}))`); r.Fault != nil {
		t.Fatal(r.Fault)
	}
	closed = true
	if r := run(`(commit!)`); r.Fault == nil || !strings.Contains(r.Fault.Error(), "still pending") {
		t.Errorf("commit behind a closed gate: %v", r.Fault)
	}
	if r := run(`(assert (= 1 (count (pending))))`); r.Fault != nil {
		t.Error(r.Fault)
	}
	if len(world.sent) != 0 {
		t.Fatalf("sent behind a closed gate: %v", world.sent)
	}
	closed = false
	if r := run(`(mail/send {:to "ann" :text "open again"})`); r.Fault != nil || len(world.sent) != 1 {
		t.Errorf("an open gate: %v, sent %v", r.Fault, world.sent)
	}
}
