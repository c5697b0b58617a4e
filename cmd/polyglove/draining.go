package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// draining is a transport that reports the end of its input only once every
// request read from it has been answered, so that requests can be piped in and
// the input closed behind them.
type draining struct{ mcp.Transport }

func (t draining) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainingConn{Connection: c, open: map[jsonrpc.ID]bool{}, quiet: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

type drainingConn struct {
	mcp.Connection
	mu     sync.Mutex
	open   map[jsonrpc.ID]bool // requests without an answer
	quiet  chan struct{}       // holds a token when an answer has been written
	once   sync.Once
	closed chan struct{}
}

// longestDrain is how long answers are waited for after the input has ended.
const longestDrain = time.Minute

func (c *drainingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		c.drain()
	}
	// A subscription stays open for as long as the session does.
	if req, ok := m.(*jsonrpc.Request); ok && req.IsCall() && req.Method != "subscriptions/listen" {
		c.mu.Lock()
		c.open[req.ID] = true
		c.mu.Unlock()
	}
	return m, err
}

func (c *drainingConn) drain() {
	end := time.NewTimer(longestDrain)
	defer end.Stop()
	for {
		c.mu.Lock()
		left := len(c.open)
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-c.quiet:
		case <-c.closed:
			return
		case <-end.C:
			return
		}
	}
}

func (c *drainingConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID)
		c.mu.Unlock()
		select {
		case c.quiet <- struct{}{}:
		default:
		}
	}
	return err
}

func (c *drainingConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
