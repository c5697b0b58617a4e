package mcptools

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// link is one established session with a server. It ends once and is replaced.
type link struct {
	session *mcp.ClientSession
	conn    *stdioConn // of a server started as a child
	http    *tripper   // of a server reached over HTTP
	done    chan struct{}
	err     error // why it ended; read after done

	asked   atomic.Pointer[string] // the last thing the server asked of the client
	changed chan struct{}          // holds one item when the tools may have changed
}

// newest is the protocol version whose handshake is tried first; older is that
// of servers that do not know it.
const older = "2025-11-25"

// connect starts a session. What it starts belongs to the link: ctx bounds the
// connecting only.
func connect(ctx context.Context, s *Spec, log *tail) (*link, error) {
	l := &link{done: make(chan struct{}), changed: make(chan struct{}, 1)}
	transport, start, err := l.transport(ctx, s, log)
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "polyglove", Version: Version}, &mcp.ClientOptions{
		Logger: slog.New(slog.DiscardHandler),
		// No roots, sampling or elicitation: a server that needs one of them
		// must be told so, not kept waiting.
		Capabilities:   &mcp.ClientCapabilities{},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case l.changed <- struct{}{}:
			default:
			}
		},
	})
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch method {
			case "elicitation/create", "sampling/createMessage", "roots/list":
				l.asked.Store(&method)
			}
			return next(ctx, method, req)
		}
	})
	session, err := client.Connect(ctx, transport, start)
	if err != nil {
		l.abandon()
		if l.conn != nil {
			select {
			case <-l.conn.ended:
				return nil, l.conn.err
			default:
			}
		}
		return nil, err
	}
	l.session = session
	go func() {
		l.err = session.Wait()
		close(l.done)
	}()
	return l, nil
}

// transport makes the transport of a spec.
func (l *link) transport(ctx context.Context, s *Spec, log *tail) (mcp.Transport, *mcp.ClientSessionOptions, error) {
	switch {
	case s.Dial != nil:
		t, err := s.Dial(ctx)
		if err != nil {
			return nil, nil, err
		}
		return tapped{t}, nil, nil
	case s.Command != "":
		return tapped{&recording{stdio{spec: s, log: log}, l}}, nil, nil
	}
	trip, err := newTripper(s)
	if err != nil {
		return nil, nil, err
	}
	l.http = trip
	client := &http.Client{Transport: trip}
	if s.SSE {
		return tapped{lasting{&mcp.SSEClientTransport{Endpoint: s.URL, HTTPClient: client, MaxEventSize: maxMessage}}}, &mcp.ClientSessionOptions{ProtocolVersion: older}, nil
	}
	return &mcp.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client, MaxEventSize: maxMessage}, nil, nil
}

// lasting is a transport whose connection outlives the context that it was made
// under: the context still bounds the connecting.
type lasting struct{ mcp.Transport }

func (t lasting) Connect(ctx context.Context) (mcp.Connection, error) {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	bounded := context.AfterFunc(ctx, end)
	c, err := t.Transport.Connect(life)
	if err != nil || !bounded() {
		end()
	}
	if err != nil {
		return nil, err
	}
	return &ending{c, end}, nil
}

type ending struct {
	mcp.Connection
	end context.CancelFunc
}

func (c *ending) Close() error {
	defer c.end()
	return c.Connection.Close()
}

// recording keeps the child's connection for the link.
type recording struct {
	stdio
	link *link
}

func (r *recording) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := r.stdio.Connect(ctx)
	if err != nil {
		return nil, err
	}
	r.link.conn = r.stdio.conn
	return c, nil
}

// abandon frees what a link holds without asking the server.
func (l *link) abandon() {
	if l.conn != nil {
		l.conn.Close()
	}
	if l.http != nil {
		l.http.close()
	}
}

// close ends the session. Calls under way fail.
func (l *link) close() {
	if l.conn != nil {
		l.conn.Close() // first, so that no call under way holds up the session's end
	}
	closed := make(chan struct{})
	go func() {
		_ = l.session.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(patience):
	}
	if l.http != nil {
		l.http.close()
	}
}

// reason says why the link ended.
func (l *link) reason() error {
	if l.conn != nil {
		select {
		case <-l.conn.ended:
			return l.conn.err
		default:
		}
	}
	if l.err == nil {
		return problem{text: "it closed the connection"}
	}
	if errors.Is(l.err, mcp.ErrSessionMissing) {
		return problem{text: "it does not know the session any more", cause: l.err}
	}
	return problem{text: "the connection was lost", cause: l.err}
}
