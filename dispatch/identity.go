package dispatch

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// WithIdentity names the dispatcher among all whose calls reach the same servers,
// as the name of its workspace does. Idempotency keys are made from it; without
// one it is drawn at random.
func WithIdentity(name string) Option { return func(d *Dispatcher) { d.identity = name } }

func randomIdentity() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// callName is what makes a call the one it is. A pending effect is the same
// whichever program commits it.
type callName struct {
	d       *Dispatcher
	program int64
	order   int
	entry   int64
}

// key is the idempotency key of the call, see [toolfn.IdempotencyKey].
func (n callName) key() string {
	if n.d == nil {
		return ""
	}
	text := fmt.Sprintf("%s/call/%d/%d", n.d.identity, n.program, n.order)
	if n.entry > 0 {
		text = fmt.Sprintf("%s/pending/%d", n.d.identity, n.entry)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
