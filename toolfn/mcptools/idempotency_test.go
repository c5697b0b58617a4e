package mcptools

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/polyglove/polyglove/toolfn"
)

// A call's key travels in _meta beside what else does, only where the spec asks
// for it and only where there is a key.
func TestIdempotencyKeyInMeta(t *testing.T) {
	keyed := context.WithValue(t.Context(), toolfn.CallKey, "k1")
	trace := func(context.Context) map[string]any { return map[string]any{"traceparent": "t"} }
	for _, c := range []struct {
		name string
		ctx  context.Context
		asks bool
		meta func(context.Context) map[string]any
		want map[string]any
	}{
		{"not asked for", keyed, false, nil, nil},
		{"outside of a dispatcher's call", t.Context(), true, nil, nil},
		{"asked for", keyed, true, nil, map[string]any{IdempotencyKey: "k1"}},
		{"beside a trace", keyed, true, trace, map[string]any{IdempotencyKey: "k1", "traceparent": "t"}},
		{"a trace alone", keyed, false, trace, map[string]any{"traceparent": "t"}},
	} {
		s := &Server{spec: Spec{IdempotencyKeys: c.asks}, set: &Set{meta: c.meta}}
		got := s.metaOf(c.ctx)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
		for k, v := range c.want {
			if got[k] != v {
				t.Errorf("%s: %v", c.name, got)
			}
		}
	}
}

// What a server says of when to come back reaches whoever may come back.
func TestRefusalTellsWhenToComeBack(t *testing.T) {
	s := &Server{spec: Spec{Name: "x"}}
	c := s.refused(&statusError{status: http.StatusTooManyRequests, after: 7 * time.Second}, toolfn.Effect{Impact: toolfn.Read})
	if c.Code != "rate_limited" || c.RetryAfter != 7*time.Second || !c.Retryable {
		t.Errorf("%+v", c)
	}
}
