package surfaces

import (
	"context"
	"errors"

	"github.com/polyglove/polyglove/sandbox"
)

var errClosed = errors.New("the session is closed")

// Turn lets one thing happen at a time: one program in a workspace; one program,
// explanation or reading of definitions in a session.
type Turn struct {
	free   chan struct{} // holds a token while nobody has the turn
	closed bool
}

// NewTurn makes the turn of what nobody uses yet.
func NewTurn() Turn {
	t := Turn{free: make(chan struct{}, 1)}
	t.free <- struct{}{}
	return t
}

// Take waits for the turn, at most as long as the context allows. The fault says
// why there is none; without one, [Turn.Give] must follow.
func (t *Turn) Take(ctx context.Context) *sandbox.Fault {
	select {
	case <-t.free:
	default:
		select {
		case <-t.free:
		case <-ctx.Done():
			return &sandbox.Fault{Kind: sandbox.KindCancelled, Message: "the program was cancelled while it waited for the one before it.", Cause: context.Cause(ctx)}
		}
	}
	if t.closed {
		t.Give()
		return &sandbox.Fault{Kind: sandbox.KindCancelled, Message: "the session is closed.", Cause: errClosed}
	}
	return nil
}

// Give ends the use that [Turn.Take] began.
func (t *Turn) Give() { t.free <- struct{}{} }

// Close waits for the use that is under way and has the session freed, once.
func (t *Turn) Close(free func()) {
	<-t.free
	defer t.Give()
	if !t.closed {
		t.closed = true
		free()
	}
}

// perform runs a program of one of the workspace's sessions when its turn has
// come. The programs of a workspace run one at a time, whatever their languages:
// they share definitions, pending effects and what they have read, so that only an
// order makes them a conversation that can be told again from its journal.
func (ws *Workspace) perform(ctx context.Context, l Language, s Session, program string) *Result {
	if running, _ := ctx.Value(runningKey{}).(*Workspace); running == ws {
		return &Result{Fault: nested()}
	}
	if fault := ws.turn.Take(ctx); fault != nil {
		return &Result{Fault: fault}
	}
	defer ws.turn.Give()
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
