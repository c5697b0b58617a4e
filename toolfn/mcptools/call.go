package mcptools

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Retries of a call that only reads, or that is declared to be the same made
// twice as once.
const (
	maxTries    = 4
	firstRetry  = 200 * time.Millisecond
	longestRest = 10 * time.Second
)

// call makes one call. It is repeated only where that is safe: a read, or an
// idempotent call that the server turned away.
func (s *Server) call(ctx context.Context, upstream string, e toolfn.Effect, output *jsonschema.Schema, args *value.Object) (value.Value, error) {
	if s.spec.Call > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.spec.Call)
		defer cancel()
	}
	payload, err := arguments(args)
	if err != nil {
		return nil, &toolfn.CallError{Code: "bad_arguments", Message: "the arguments cannot be sent: " + err.Error() + ".", Cause: err}
	}
	rest := firstRetry
	for try := 1; ; try++ {
		v, err := s.try(ctx, upstream, e, output, payload)
		again, after := s.again(err, e, try)
		if !again {
			return v, tried(err, try)
		}
		if after == 0 {
			after, rest = rest, 2*rest
		}
		select {
		case <-time.After(min(after, longestRest)):
		case <-ctx.Done():
			return v, tried(err, try)
		}
	}
}

// tried notes in an error how often the call was made, so that whoever called
// does not begin anew.
func tried(err error, try int) error {
	var c *toolfn.CallError
	if try > 1 && errors.As(err, &c) {
		c.Attempts = try
	}
	return err
}

// arguments writes the arguments as they are to be sent.
func arguments(args *value.Object) (json.RawMessage, error) {
	if args == nil {
		return json.RawMessage("{}"), nil
	}
	return value.Append(nil, args)
}

// try makes the call once.
func (s *Server) try(ctx context.Context, upstream string, e toolfn.Effect, output *jsonschema.Schema, payload json.RawMessage) (value.Value, error) {
	l, err := s.session(ctx)
	if err != nil {
		return nil, s.unreachable(ctx, err)
	}
	c := &capture{stand: json.RawMessage(`{"content":[]}`)}
	defer c.release()
	params := &mcp.CallToolParams{Name: upstream, Arguments: payload}
	params.Meta = s.metaOf(ctx)
	_, err = l.session.CallTool(withCapture(ctx, c), params)
	if raw := c.raw(); raw != nil && ctx.Err() == nil {
		s.mu.Lock()
		function := s.name + "." + upstream
		s.mu.Unlock()
		r := &reader{function: function, server: s, output: output, keep: s.set.store(ctx)}
		v, err := r.read(raw)
		return v, l.explain(err)
	}
	return nil, s.callError(ctx, l, c, err, e)
}

// IdempotencyKey is the entry of _meta under which a call's idempotency key is
// sent where the spec asks for it; see [toolfn.IdempotencyKey].
const IdempotencyKey = "polyglove/idempotencyKey"

// metaOf is what is sent beside the arguments of a call.
func (s *Server) metaOf(ctx context.Context) mcp.Meta {
	var meta mcp.Meta
	if s.set.meta != nil {
		meta = s.set.meta(ctx)
	}
	key := ""
	if s.spec.IdempotencyKeys {
		key = toolfn.IdempotencyKey(ctx)
	}
	if key == "" {
		return meta
	}
	own := mcp.Meta{IdempotencyKey: key}
	for k, v := range meta {
		own[k] = v
	}
	return own
}

// explain adds to a failure what the server asked for in vain.
func (l *link) explain(err error) error {
	var e *toolfn.CallError
	if !errors.As(err, &e) || e.Code == "input_required" {
		return err
	}
	if asked := l.asked.Swap(nil); asked != nil && *asked != "roots/list" {
		what := "input from a person (elicitation)"
		if *asked == "sampling/createMessage" {
			what = "a model's answer (sampling)"
		}
		e.Message = sandbox.Clip(e.Message, 3_000) + " (The server had asked for " + what + ", which is not supported here.)"
		if e.Code == "" {
			e.Code = "input_required"
		}
	}
	return err
}

// again decides whether a call is repeated, and after how long.
func (s *Server) again(err error, e toolfn.Effect, try int) (bool, time.Duration) {
	var c *toolfn.CallError
	if err == nil || try >= maxTries || !errors.As(err, &c) {
		return false, 0
	}
	switch c.Code {
	case "session_lost":
		return e.Reads() && try == 1, time.Millisecond
	case "not_sent":
		return try == 1, time.Millisecond
	case "rate_limited", "unavailable":
		var status *statusError
		after := time.Duration(0)
		if errors.As(err, &status) {
			after = status.after
		}
		return (e.Reads() || e.Idempotent) && after <= longestRest, after
	}
	return false, 0
}

// statusError is the HTTP status behind an error.
type statusError struct {
	status int
	after  time.Duration
	cause  error
}

func (e *statusError) Error() string {
	return "HTTP status " + strconv.Itoa(e.status) + " " + http.StatusText(e.status)
}
func (e *statusError) Unwrap() error { return e.cause }

func statusOf(err error) int {
	var s *statusError
	if errors.As(err, &s) {
		return s.status
	}
	return 0
}

// label is how messages name the server.
func (s *Server) label() string { return "the server " + quoted(sandbox.Clip(s.spec.Name, 80)) }

// unreachable is the error of a call that was not sent.
func (s *Server) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &toolfn.CallError{Code: "unreachable", Message: s.label() + " could not be reached in time. The call was not sent.", Retryable: true, Cause: err}
	}
	e := &toolfn.CallError{Code: "unreachable", Message: s.label() + " is not connected: " + s.redact.clean(err.Error()) + ". The call was not sent.", Retryable: true, Cause: err}
	if status := statusOf(err); status == http.StatusUnauthorized || status == http.StatusForbidden {
		e.Code, e.Retryable = "auth_expired", false
	}
	return e
}

// callError is the error of a call that brought no result.
func (s *Server) callError(ctx context.Context, l *link, c *capture, err error, e toolfn.Effect) error {
	unknown := c.wasSent() && !e.Reads()
	if ctx.Err() != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return &toolfn.CallError{Code: "timeout", Message: s.label() + " gave no answer in time. It was told to stop.", OutcomeUnknown: unknown, Cause: err}
		}
		return &toolfn.CallError{Code: "cancelled", Message: "the call was cancelled.", OutcomeUnknown: unknown, Cause: err}
	}
	if err == nil {
		err = errors.New("the answer held no result")
	}
	rpc, answered := answer(err)
	status, after := c.http()
	switch {
	case errors.Is(err, mcp.ErrSessionMissing) || l.forgotten(status, rpc):
		return s.sessionLost(l, e, err)
	case status >= 500 || status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusTooManyRequests:
		// The status is the truth, whatever the body says.
		return s.refused(&statusError{status, after, err}, e)
	case answered:
		return s.protocolError(rpc)
	case status >= 300:
		return s.refused(&statusError{status, after, err}, e)
	}
	ended := l.endedSoon()
	if ended && !c.wasSent() {
		return &toolfn.CallError{Code: "not_sent", Message: s.label() + " was lost just before the call: " + s.redact.clean(l.reason().Error()) + ". The call was not sent.", Retryable: true, Cause: err}
	}
	if ended {
		message := s.label() + " was lost during the call: " + s.redact.clean(l.reason().Error()) + "."
		return &toolfn.CallError{Code: "server_lost", Message: message, OutcomeUnknown: unknown, Retryable: e.Reads(), Cause: err}
	}
	if dialing(err) {
		return &toolfn.CallError{Code: "unavailable", Message: s.label() + " cannot be reached; the call was not sent.", Retryable: true, Cause: err}
	}
	return &toolfn.CallError{Code: "transport", Message: s.label() + " gave no usable answer: " + s.redact.clean(plainCause(err)) + ".", OutcomeUnknown: unknown, Retryable: e.Reads(), Cause: err}
}

// plainCause is the part of an error's text that says something to a person who
// does not know the libraries.
func plainCause(err error) string {
	switch {
	case errors.Is(err, errBody):
		return "a message longer than 64 MiB"
	case errors.As(err, new(net.Error)):
		return "the network connection failed"
	}
	var p problem
	if errors.As(err, &p) {
		return p.text
	}
	return "the connection broke off"
}

// forgotten reports whether an HTTP answer says that the server does not know
// the session. 404 is the protocol's own word for it; servers built on a widely
// copied example answer 400 with the error below instead.
func (l *link) forgotten(status int, rpc *jsonrpc.Error) bool {
	if l.http == nil || l.session.ID() == "" {
		return false
	}
	return status == http.StatusNotFound ||
		status == http.StatusBadRequest && rpc != nil && rpc.Code == -32000 && strings.Contains(strings.ToLower(rpc.Message), "session")
}

// endedSoon waits a moment for the news that the session is over, which may
// come just after the call's own failure.
func (l *link) endedSoon() bool {
	select {
	case <-l.done:
		return true
	case <-time.After(2 * drain):
		return false
	}
}

// sdkOwn are the texts of the SDK's marks for failures of its own.
var sdkOwn = map[string]bool{"server is closing": true, "client is closing": true, "rejected by transport": true}

// answer finds the protocol error with which the server answered. The SDK marks
// failures of its own with errors of the same type, which are no answer.
func answer(err error) (*jsonrpc.Error, bool) {
	switch e := err.(type) {
	case nil:
		return nil, false
	case *jsonrpc.Error:
		return e, !sdkOwn[e.Message]
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			if rpc, ok := answer(inner); ok {
				return rpc, true
			}
		}
	case interface{ Unwrap() error }:
		return answer(e.Unwrap())
	}
	return nil, false
}

// dialing reports whether an error came from making the connection, before
// anything was sent.
func dialing(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// protocolError is the error of a server that answered with a protocol error
// instead of a result.
func (s *Server) protocolError(rpc *jsonrpc.Error) *toolfn.CallError {
	e := &toolfn.CallError{Code: "protocol_" + strconv.FormatInt(rpc.Code, 10), Message: s.redact.clean(rpc.Message), Cause: rpc}
	if len(rpc.Data) > 0 {
		if v, err := value.Decode(rpc.Data); err == nil && v != nil {
			e.Details = v
		}
	}
	switch rpc.Code {
	case mcp.CodeURLElicitationRequired:
		e.Code = "input_required"
		e.Message = "it needs a person to open a page first, which is not supported here. " + e.Message
	case jsonrpc.CodeInvalidParams:
		e.Code = "invalid_arguments"
	}
	if e.Message == "" {
		e.Message = "the server answered with error " + strconv.FormatInt(rpc.Code, 10) + " and gave no details."
	}
	return e
}

// sessionLost is the error of a server that does not know the session: it was
// restarted, and did not run the call.
func (s *Server) sessionLost(l *link, e toolfn.Effect, err error) *toolfn.CallError {
	// The end of this session makes the supervisor start another.
	go l.session.Close()
	select {
	case <-l.done:
	case <-time.After(patience):
	}
	c := &toolfn.CallError{Code: "session_lost", Message: "session lost, not retried: " + s.label() + " was restarted and does not know the session; the call was not run.", Retryable: true, Cause: err}
	if e.Reads() {
		c.Message = s.label() + " lost the session, and again after it was renewed."
	}
	return c
}

// refused is the error of a request that an HTTP server turned away.
func (s *Server) refused(status *statusError, e toolfn.Effect) *toolfn.CallError {
	c := &toolfn.CallError{Message: s.label() + " answered with " + status.Error() + ".", RetryAfter: status.after, Cause: status}
	switch {
	case status.status == http.StatusUnauthorized || status.status == http.StatusForbidden:
		c.Code = "auth_expired"
		c.Message += " The credentials in its configuration are missing, expired or not sufficient; a person has to renew them."
	case status.status == http.StatusTooManyRequests:
		c.Code, c.Retryable = "rate_limited", true
	case status.status == http.StatusServiceUnavailable:
		c.Code, c.Retryable = "unavailable", true
	case status.status >= 500:
		// What happened before the failure is not known.
		c.Code, c.OutcomeUnknown = "unavailable", !e.Reads()
	default:
		c.Code = "http_" + strconv.Itoa(status.status)
	}
	return c
}

// connectError says why a server could not be connected.
func (s *Server) connectError(ctx context.Context, err error, c *capture) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return problem{text: "it did not answer within " + s.spec.start().String(), cause: err}
	}
	if ctx.Err() != nil {
		return errClosed
	}
	if status, after := c.http(); status >= 300 && status != http.StatusNotFound && status != http.StatusMethodNotAllowed && status != http.StatusBadRequest {
		return &statusError{status, after, err}
	}
	var p problem
	if errors.As(err, &p) {
		return p
	}
	if rpc, ok := answer(err); ok {
		return problem{text: "it refused to start a session: " + sandbox.Clip(rpc.Message, 300), cause: err}
	}
	if status, _ := c.http(); status >= 300 {
		return problem{text: "there is no such server at the address (HTTP status " + strconv.Itoa(status) + ")", cause: err}
	}
	if dialing(err) {
		return problem{text: "nothing answers at the address", cause: err}
	}
	return problem{text: "no session could be started: " + sandbox.Clip(toolfn.Plain(err.Error(), 600), 300), cause: err}
}
