package mcptools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds on what one server may make the host hold.
const (
	maxMessage = 64 << 20 // bytes of one message
	maxNoise   = 4 << 20  // bytes of output in a row that are no message
)

// hesitation is how long a server may leave the first question of the newest
// protocol version unanswered before the older handshake is tried beside it.
const hesitation = 3 * time.Second

// stdio is the transport of a server started as a child. It differs from the
// SDK's in what real servers need: output that is no message is skipped and
// logged, a write never blocks longer than its context, and the end of the
// child is told with its exit status.
type stdio struct {
	spec *Spec
	log  *tail
	conn *stdioConn // after Connect
}

func (t *stdio) Connect(context.Context) (mcp.Connection, error) {
	p, err := startProcess(t.spec, t.log)
	if err != nil {
		return nil, err
	}
	c := &stdioConn{
		process: p, log: t.log,
		in: make(chan jsonrpc.Message), out: make(chan outgoing), done: make(chan struct{}), ended: make(chan struct{}),
	}
	go c.read()
	go c.write()
	go c.watch()
	t.conn = c
	return c, nil
}

// stdioConn carries messages over a child's standard streams, one a line.
type stdioConn struct {
	process *process
	log     *tail
	in      chan jsonrpc.Message
	out     chan outgoing

	closing sync.Once
	done    chan struct{} // closed by Close
	broken  sync.Once
	ended   chan struct{} // closed when no message will come any more
	err     error         // why; read after ended
}

type outgoing struct {
	ctx  context.Context
	line []byte
	err  chan error
}

func (c *stdioConn) SessionID() string { return "" }

func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-c.ended:
		return nil, c.err
	case <-c.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *stdioConn) Write(ctx context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if req, ok := m.(*jsonrpc.Request); ok && req.Method == "server/discover" {
		go c.hurry(req.ID)
	}
	o := outgoing{ctx: ctx, line: append(line, '\n'), err: make(chan error, 1)}
	select {
	case c.out <- o:
	case <-ctx.Done():
		return errors.Join(errNotSent, ctx.Err())
	case <-c.ended:
		return errors.Join(errNotSent, c.err)
	case <-c.done:
		return errors.Join(errNotSent, io.EOF)
	}
	select {
	case err := <-o.err:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ended:
		return c.err
	case <-c.done:
		return io.EOF
	}
}

// hurry answers the newest version's first question in the server's place when
// the server leaves it open, as some older servers do with a method they do not
// know. The answer makes the SDK go on with the older handshake; a later answer
// of the server's has no taker and is ignored.
func (c *stdioConn) hurry(id jsonrpc.ID) {
	select {
	case <-time.After(hesitation):
	case <-c.ended:
		return
	case <-c.done:
		return
	}
	c.deliver(&jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no answer"}})
}

func (c *stdioConn) deliver(m jsonrpc.Message) bool {
	select {
	case c.in <- m:
		return true
	case <-c.done:
		return false
	}
}

// Close ends the server and returns once it is gone.
func (c *stdioConn) Close() error {
	c.closing.Do(func() {
		close(c.done)
		c.process.stop()
	})
	<-c.process.exited
	return nil
}

// fail ends the connection with the reason that every call under way is told.
func (c *stdioConn) fail(err error) {
	c.broken.Do(func() {
		c.err = err
		close(c.ended)
	})
}

// watch waits for the end of the child.
func (c *stdioConn) watch() {
	<-c.process.exited
	// Its last words are read first, but a grandchild that holds the stream
	// open must not keep its end a secret.
	select {
	case <-c.ended:
	case <-time.After(drain):
	}
	c.process.stdout.Close()
	c.fail(problem{text: "it ended (" + c.process.ending() + ")"})
}

func (c *stdioConn) write() {
	for {
		select {
		case o := <-c.out:
			if o.ctx.Err() != nil {
				o.err <- errors.Join(errNotSent, o.ctx.Err())
				continue
			}
			if _, err := c.process.stdin.Write(o.line); err != nil {
				o.err <- c.writeError(err)
				continue
			}
			o.err <- nil
		case <-c.ended:
			return
		case <-c.done:
			return
		}
	}
}

// writeError waits a moment for the reason why a write failed: a closed pipe is
// nearly always a child that has just ended.
func (c *stdioConn) writeError(err error) error {
	select {
	case <-c.ended:
		return c.err
	case <-time.After(2 * drain):
		return problem{text: "it closed its input", cause: err}
	}
}

// read passes the server's messages on.
func (c *stdioConn) read() {
	r := bufio.NewReaderSize(c.process.stdout, 64<<10)
	noise := 0
	for {
		line, err := readLine(r, maxMessage)
		if errors.Is(err, errLong) {
			c.flood("it sent a message longer than 64 MiB")
			return
		}
		messages := decodeLine(line)
		if len(messages) == 0 && len(bytes.TrimSpace(line)) > 0 {
			c.log.add(string(line[:min(len(line), tailLine)]))
			if noise += len(line); noise > maxNoise {
				c.flood("it floods its output with text that is no protocol message")
				return
			}
		}
		for _, m := range messages {
			noise = 0
			if !c.deliver(m) {
				return
			}
		}
		if err != nil {
			break
		}
	}
	// The end of the output: the child's status is the better reason, if it is
	// about to leave.
	select {
	case <-c.process.exited:
		c.fail(problem{text: "it ended (" + c.process.ending() + ")"})
	case <-time.After(drain):
		c.fail(problem{text: "it closed its output"})
	case <-c.done:
	}
}

// flood cuts off a server whose output cannot be held.
func (c *stdioConn) flood(reason string) {
	c.fail(problem{text: reason})
	go c.process.stop()
}

var errLong = errors.New("the line is too long")

// readLine reads to the next newline or the end, at most most bytes.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, errLong
		}
		if line == nil && err == nil {
			return append([]byte(nil), part...), nil
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// decodeLine gives the messages on a line: one, several of a batch, or none.
// Text that a server prints before a message on the same line is passed over.
func decodeLine(line []byte) []jsonrpc.Message {
	line = bytes.TrimSpace(line)
	if len(line) > 0 && line[0] == '[' {
		var batch []json.RawMessage
		if json.Unmarshal(line, &batch) != nil {
			return nil
		}
		var messages []jsonrpc.Message
		for _, raw := range batch {
			if m, err := jsonrpc.DecodeMessage(raw); err == nil {
				messages = append(messages, m)
			}
		}
		return messages
	}
	if len(line) > 0 && line[0] == '{' {
		if m, err := jsonrpc.DecodeMessage(line); err == nil {
			return []jsonrpc.Message{m}
		}
	}
	if i := bytes.Index(line, []byte(`{"jsonrpc"`)); i > 0 {
		if m, err := jsonrpc.DecodeMessage(line[i:]); err == nil {
			return []jsonrpc.Message{m}
		}
	}
	return nil
}
