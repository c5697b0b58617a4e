package surfaces

import (
	"context"

	"github.com/polyglove/polyglove/sandbox"
)

// perform runs a program of one of the workspace's sessions when its turn has
// come. The programs of a workspace run one at a time, whatever their languages:
// they share definitions, pending effects and what they have read, so that only an
// order makes them a conversation that can be told again from its journal.
func (ws *Workspace) perform(ctx context.Context, l Language, s Session, program string) *Result {
	if running, _ := ctx.Value(runningKey{}).(*Workspace); running == ws {
		return &Result{Fault: nested()}
	}
	select {
	case <-ws.turn:
	case <-ctx.Done():
		return &Result{Fault: &sandbox.Fault{
			Kind: sandbox.KindCancelled, Message: "the program was cancelled while it waited for the one before it.", Cause: context.Cause(ctx),
		}}
	}
	defer func() { ws.turn <- struct{}{} }()
	res := contained(func() *Result { return s.Execute(context.WithValue(ctx, runningKey{}, ws), program) })
	ws.publish(l, s, res.Defined)
	return res
}

type runningKey struct{}

// nested is the fault of a program that a call of another program of the same
// workspace wants to run: each would wait for the other.
func nested() *sandbox.Fault {
	return &sandbox.Fault{
		Kind:    sandbox.KindDenied,
		Message: "a program of this workspace is running and waits for this call, so this one was not run.",
		Hint:    "Return what is to be run next, and run it after the program that made the call has ended.",
	}
}
