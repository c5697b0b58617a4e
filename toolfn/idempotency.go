package toolfn

import "context"

// idempotencyKey is the context's key for the key of a call.
type idempotencyKey struct{}

// CallKey is under what a dispatcher's context gives the key of a call; it is for
// dispatchers. Handlers ask [IdempotencyKey].
var CallKey any = idempotencyKey{}

// IdempotencyKey is a key of the call that a handler was called for: the same for
// every attempt at it, and for no other call. A handler passes it on to an
// upstream that recognises repeated requests by such a key. It is "" outside of a
// dispatcher's call.
func IdempotencyKey(ctx context.Context) string {
	key, _ := ctx.Value(CallKey).(string)
	return key
}
