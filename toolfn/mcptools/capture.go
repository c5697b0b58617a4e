package mcptools

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// capture collects what the SDK does not pass on about one request: the result
// as it stood on the wire (the SDK decodes it into Go maps and floats, which
// loses integers above 2^53 and the order of keys, and fails as a whole on a
// content type it does not know), the HTTP status, and whether anything was sent.
// It travels in the request's context.
type capture struct {
	// stand replaces the result for the SDK where set, so that what has been
	// taken here is not decoded a second time.
	stand json.RawMessage

	mu     sync.Mutex
	result json.RawMessage
	status int           // of the last HTTP response; 0 where there was none
	after  time.Duration // Retry-After
	sent   bool          // the request may have reached the server
	forget func()
}

type captureKey struct{}

func withCapture(ctx context.Context, c *capture) context.Context {
	return context.WithValue(ctx, captureKey{}, c)
}

func captureOf(ctx context.Context) *capture {
	c, _ := ctx.Value(captureKey{}).(*capture)
	return c
}

// take keeps a response's result and gives the response for the SDK.
func (c *capture) take(r *jsonrpc.Response) *jsonrpc.Response {
	if r.Result == nil {
		return r
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result = r.Result
	if c.stand == nil {
		return r
	}
	copied := *r
	copied.Result = c.stand
	return &copied
}

func (c *capture) raw() json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.result
}

func (c *capture) wasSent() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent
}

func (c *capture) markSent() {
	c.mu.Lock()
	c.sent = true
	c.mu.Unlock()
}

func (c *capture) http() (status int, after time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status, c.after
}

// release lets go of what a connection keeps for a request that is over.
func (c *capture) release() {
	c.mu.Lock()
	forget := c.forget
	c.forget = nil
	c.mu.Unlock()
	if forget != nil {
		forget()
	}
}

// tapped is a transport whose connection fills captures. It serves every
// transport but streamable HTTP, whose connection the SDK must see unwrapped;
// that one is tapped a level below ([tripper]).
type tapped struct{ mcp.Transport }

func (t tapped) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &tap{Connection: c, pending: map[jsonrpc.ID]*capture{}}, nil
}

type tap struct {
	mcp.Connection
	mu      sync.Mutex
	pending map[jsonrpc.ID]*capture
}

func (t *tap) Write(ctx context.Context, m jsonrpc.Message) error {
	req, ok := m.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		return t.Connection.Write(ctx, m)
	}
	c := captureOf(ctx)
	if c == nil {
		return t.Connection.Write(ctx, m)
	}
	t.mu.Lock()
	t.pending[req.ID] = c
	t.mu.Unlock()
	c.mu.Lock()
	c.forget = func() { t.drop(req.ID) }
	c.mu.Unlock()
	err := t.Connection.Write(ctx, m)
	if !errors.Is(err, errNotSent) {
		c.markSent() // a write that was cut off may have arrived
	}
	return err
}

// errNotSent marks a write that failed before its first byte.
var errNotSent = errors.New("not sent")

func (t *tap) drop(id jsonrpc.ID) *capture {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.pending[id]
	delete(t.pending, id)
	return c
}

// wanted are the notifications that something here acts upon. Any other is
// dropped where it arrives, so that a flood of them costs no queue.
var wanted = map[string]bool{
	"notifications/tools/list_changed":         true,
	"notifications/cancelled":                  true,
	"notifications/subscriptions/acknowledged": true,
}

func (t *tap) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := t.Connection.Read(ctx)
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case *jsonrpc.Request:
			if !m.IsCall() && !wanted[m.Method] {
				continue
			}
		case *jsonrpc.Response:
			if c := t.drop(m.ID); c != nil {
				return c.take(m), nil
			}
		}
		return m, nil
	}
}
