package mcptools

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Server is one server of a set: its present session, or the reason why there is
// none and the attempts to have one again.
type Server struct {
	spec   Spec
	set    *Set
	log    *tail
	redact *redactor

	mu       sync.Mutex
	link     *link         // nil while there is none
	err      error         // why there is none
	changed  chan struct{} // closed and replaced whenever link or err changes
	attempts int           // finished attempts to connect
	listed   bool          // its tools have been read at least once
	name     string        // the namespace in the catalogue; "" until it is mounted
	tools    []tool
	warnings []string
	told     string // the server's own description

	poke chan struct{} // asks for an attempt before it is due
}

// State is what can be said of a server at one moment.
type State struct {
	Name        string // as configured
	Namespace   string // in the catalogue; "" if its tools were never listed
	Connected   bool
	Tools       int
	Description string
	Problem     string   // why it is not connected
	Warnings    []string // what was odd about its list of tools
	Log         []string // the last lines of its error stream and stray output
}

// State reports on the server. No secret is in it.
func (s *Server) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := State{
		Name: s.spec.Name, Namespace: s.name, Connected: s.link != nil, Tools: len(s.tools),
		Description: s.describe(), Warnings: append([]string(nil), s.warnings...), Log: s.log.last(20),
	}
	if s.link == nil && s.err != nil {
		st.Problem = s.redact.clean(s.err.Error())
	}
	return st
}

// describe is the server's one line.
func (s *Server) describe() string {
	if s.spec.Description != "" {
		return s.spec.Description
	}
	return s.told
}

// update changes the server's state and wakes whoever waits for it.
func (s *Server) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}

// The pauses between attempts to connect, and how long a session must have
// lasted for the next failure to count as the first.
const (
	firstPause  = 250 * time.Millisecond
	longestWait = 30 * time.Second
	settled     = 10 * time.Second
)

// supervise keeps the server connected until the set is closed.
func (s *Server) supervise(ctx context.Context) {
	defer s.update(func() { s.link, s.err = nil, errClosed })
	pause := firstPause
	for ctx.Err() == nil {
		began := time.Now()
		l, err := s.attempt(ctx)
		if err == nil {
			s.watch(ctx, l)
			if time.Since(began) > settled {
				pause = firstPause
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		case <-s.poke:
			// A call waits; but however many wait, no faster than this.
			select {
			case <-ctx.Done():
			case <-time.After(firstPause - min(firstPause, time.Since(began))):
			}
		}
		pause = min(2*pause, longestWait)
	}
}

// attempt connects once and lists the tools.
func (s *Server) attempt(ctx context.Context) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, s.spec.start())
	defer cancel()
	l, found, err := s.open(ctx)
	if err != nil && s.first() && statusOf(err) == 401 {
		// Some servers refuse the first request of a new client only.
		l, found, err = s.open(ctx)
	}
	if err != nil {
		s.update(func() { s.link, s.err, s.attempts = nil, err, s.attempts+1 })
		s.set.logger.Warn("not connected", "server", s.spec.Name, "problem", s.redact.clean(err.Error()))
		return nil, err
	}
	s.take(found, l)
	s.update(func() { s.link, s.err, s.attempts = l, nil, s.attempts+1 })
	s.set.logger.Info("connected", "server", s.spec.Name, "tools", len(found.tools))
	return l, nil
}

func (s *Server) first() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attempts == 0
}

func (s *Server) open(ctx context.Context) (*link, *listing, error) {
	c := &capture{}
	l, err := connect(withCapture(ctx, c), &s.spec, s.log)
	if err != nil {
		return nil, nil, s.connectError(ctx, err, c)
	}
	found, err := listTools(ctx, l.session)
	if err != nil {
		l.close()
		return nil, nil, s.connectError(ctx, err, c)
	}
	return l, found, nil
}

// watch follows a session to its end.
func (s *Server) watch(ctx context.Context, l *link) {
	for {
		select {
		case <-ctx.Done():
			l.close()
			return
		case <-l.done:
			why := l.reason()
			s.update(func() { s.link, s.err = nil, why })
			s.set.logger.Warn("connection lost", "server", s.spec.Name, "problem", s.redact.clean(why.Error()))
			l.abandon()
			return
		case <-l.changed:
			s.refresh(ctx, l)
		}
	}
}

// calm is how long a server that says that its tools have changed is left to
// change more of them, so that a burst of such notes is one listing.
const calm = 100 * time.Millisecond

func (s *Server) refresh(ctx context.Context, l *link) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(calm):
	}
	select {
	case <-l.changed:
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, s.spec.start())
	defer cancel()
	found, err := listTools(ctx, l.session)
	if err != nil {
		s.set.logger.Warn("the changed list of tools could not be read", "server", s.spec.Name, "problem", s.redact.clean(err.Error()))
		return
	}
	s.take(found, l)
}

// take makes what a server offers the catalogue's.
func (s *Server) take(found *listing, l *link) {
	told := ""
	if r := l.session.InitializeResult(); r != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(r.Instructions), "\n")
		told = sandbox.Clip(strings.TrimSpace(strings.TrimLeft(toolfn.Plain(first, 400), "# ")), 200)
	}
	s.mu.Lock()
	same := s.name != "" && s.told == told && sameTools(s.tools, found.tools)
	s.tools, s.told, s.warnings, s.listed = found.tools, told, found.warnings, true
	described := s.describe()
	s.mu.Unlock()
	for _, w := range found.warnings {
		s.set.logger.Warn(w, "server", s.spec.Name)
	}
	if same {
		return // a reconnected server with the same tools changes nothing
	}
	s.set.adopt(s, described)
}

func sameTools(a, b []tool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, errX := json.Marshal(a[i])
		y, errY := json.Marshal(b[i])
		if errX != nil || errY != nil || string(x) != string(y) {
			return false
		}
	}
	return true
}

// functions makes functions of the server's tools. Their names are the
// server's own; the catalogue makes them safe.
func (s *Server) functions() (fns []toolfn.ToolFn, warnings []string) {
	s.mu.Lock()
	tools := s.tools
	s.mu.Unlock()
	for i := range tools {
		t := &tools[i]
		if !s.spec.chosen(t.Name) {
			continue
		}
		fn, err := s.function(t)
		if err != nil {
			warnings = append(warnings, "the tool "+quoted(sandbox.Clip(toolfn.Plain(t.Name, 80), 80))+" is left out: "+err.Error())
			continue
		}
		fns = append(fns, fn)
	}
	return fns, warnings
}

func (s *Server) function(t *tool) (toolfn.ToolFn, error) {
	name := t.Name
	if own, ok := s.spec.Names[t.Name]; ok {
		name = own
	}
	effect := t.effect()
	options := []toolfn.Option{toolfn.Description(description(t))}
	if len(t.OutputSchema) > 0 && string(t.OutputSchema) != "null" {
		options = append(options, toolfn.WithOutput(t.OutputSchema))
	}
	input := t.InputSchema
	if len(input) == 0 {
		input = json.RawMessage("null")
	}
	fn, err := toolfn.DefineRaw(name, input, nil, options...)
	if err != nil {
		return toolfn.ToolFn{}, err
	}
	fn.UpstreamName, fn.Effect = t.Name, effect
	declared := fn.Output
	if inner := wrapped(declared); inner != nil {
		// Programs see what is inside, so that is what is declared to them.
		copied := *inner
		if copied.Defs == nil {
			copied.Defs = declared.Defs
		}
		fn.Output = &copied
	}
	fn.Call = func(ctx context.Context, args *value.Object) (value.Value, error) {
		return s.call(ctx, t.Name, effect, declared, args)
	}
	return fn, nil
}

func description(t *tool) string {
	if t.Description == "" {
		return t.Title
	}
	return t.Description
}

var errClosed = errors.New("it was disconnected, because the gateway is closing")

// session gives the present session. While there is none it waits for the next
// attempt to have one.
func (s *Server) session(ctx context.Context) (*link, error) {
	s.mu.Lock()
	seen := s.attempts
	for {
		if s.link != nil && !s.link.over() {
			l := s.link
			s.mu.Unlock()
			return l, nil
		}
		if s.attempts > seen || errors.Is(s.err, errClosed) {
			err := s.err
			s.mu.Unlock()
			if err == nil {
				err = problem{text: "the connection was lost"}
			}
			return nil, err
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case s.poke <- struct{}{}:
		default:
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		s.mu.Lock()
	}
}

func (l *link) over() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// readResource fetches what a link points to.
func (s *Server) readResource(ctx context.Context, x *Attachment) (value.Value, error) {
	l, err := s.session(ctx)
	if err != nil {
		return nil, s.unreachable(ctx, err)
	}
	c := &capture{stand: json.RawMessage(`{"contents":[]}`)}
	defer c.release()
	_, err = l.session.ReadResource(withCapture(ctx, c), &mcp.ReadResourceParams{URI: x.URI})
	raw := c.raw()
	if raw == nil {
		return nil, s.callError(ctx, l, c, err, toolfn.Effect{Impact: toolfn.Read})
	}
	decoded, err := value.Decode(raw)
	if err != nil {
		return nil, &toolfn.CallError{Code: "bad_result", Message: "the resource cannot be read: " + err.Error(), Cause: err}
	}
	result, _ := decoded.(*value.Object)
	contents, _ := result.Get("contents")
	r := &reader{function: x.From, server: s, keep: s.set.store(ctx)}
	var values []value.Value
	for _, c := range listOf(contents) {
		if o, ok := c.(*value.Object); ok {
			v := r.resource(o, c)
			if d, ok := v.(*value.Object); ok && d.Has("handle") {
				if held, ok := r.keep.Get(text(d, "handle")); ok && held.Data != nil {
					v, _ = held.read(ctx)
				}
			}
			values = append(values, v)
		}
	}
	switch len(values) {
	case 0:
		return nil, &toolfn.CallError{Code: "bad_result", Message: "the server gave no content for " + x.URI + "."}
	case 1:
		return values[0], nil
	}
	return values, nil
}

// quiet is the logger of a set that has none.
var quiet = slog.New(slog.DiscardHandler)
