package world

import (
	"time"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Effect is one write, as the outbox keeps it.
type Effect struct {
	Kind    string        // such as "email.send"
	At      string        // RFC 3339, from the world's own clock
	Payload *value.Object // the call's arguments
}

// Anchor is the instant at which the built-in organisation stands. Its clock
// moves on by one second an effect, so that effects have an order and replays
// have equal times.
var Anchor = time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)

// recordedInstant is the time that every recorded effect bears.
const recordedInstant = "1970-01-01T00:00:00.000Z"

// Outbox gives the effects so far, oldest first.
func (w *World) Outbox() []Effect {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Effect(nil), w.outbox...)
}

// record adds an effect. The caller holds the lock.
func (w *World) record(kind string, payload *value.Object) Effect {
	e := Effect{Kind: kind, At: w.now(), Payload: payload}
	w.outbox = append(w.outbox, e)
	return e
}

// now is the time that the next effect bears. The caller holds the lock.
func (w *World) now() string {
	if w.setting.frozen {
		return recordedInstant
	}
	return stamp(Anchor.Add(time.Duration(len(w.outbox)) * time.Second))
}

// sent counts the effects of one kind. The caller holds the lock.
func (w *World) sent(kind string) int {
	n := 0
	for _, e := range w.outbox {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

func stamp(t time.Time) string { return t.Format(time.RFC3339) }
