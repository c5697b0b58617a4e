package main

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/mcptools"
)

// host makes a server for each client and keeps their texts up to date.
type host struct {
	gateway *gateway
	life    context.Context // ends when the gateway is told to
	stop    func()

	mu      sync.Mutex
	shown   *surfaces.Mounted // names and texts, of no conversation
	live    map[*conversation]bool
	pending *time.Timer
	closed  bool
	rooms   rooms
}

// calm is how long the catalogue is left to change further before clients are
// told.
const calm = 200 * time.Millisecond

func newHost(life context.Context, g *gateway) *host {
	h := &host{gateway: g, life: life, live: map[*conversation]bool{}, rooms: rooms{all: map[string]*room{}}}
	h.stop = g.catalog.OnChange(func(toolfn.Change) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.pending == nil && !h.closed {
			h.pending = time.AfterFunc(calm, h.refresh)
		}
	})
	return h
}

// texts gives the tools' names and descriptions and the preamble for the
// catalogue as it is.
func (h *host) texts() (*surfaces.Mounted, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shown == nil {
		ws, err := h.gateway.workspace(nil)
		if err != nil {
			return nil, err
		}
		if h.shown, err = surfaces.Mount(ws, h.gateway.mount); err != nil {
			return nil, err
		}
	}
	h.shown, _ = h.shown.Refresh()
	return h.shown, nil
}

// refresh tells every client of the changed catalogue.
func (h *host) refresh() {
	h.mu.Lock()
	h.pending = nil
	var all []*conversation
	for c := range h.live {
		all = append(all, c)
	}
	h.mu.Unlock()
	texts, err := h.texts()
	if err != nil {
		h.gateway.log.Error(err.Error())
		return
	}
	for _, c := range all {
		c.offer(texts)
	}
}

func (h *host) close() {
	h.stop()
	h.mu.Lock()
	h.closed = true
	if h.pending != nil {
		h.pending.Stop()
	}
	var all []*conversation
	for c := range h.live {
		all = append(all, c)
	}
	h.mu.Unlock()
	for _, c := range all {
		c.end()
	}
}

// sessionVersions are the protocol versions that have sessions. Over HTTP the
// newest version has none, and a conversation needs one: its names must be
// there in the next call.
func sessionVersions() []string {
	var with []string
	for _, v := range mcp.SupportedProtocolVersions() {
		if v < "2026" {
			with = append(with, v)
		}
	}
	return with
}

// server makes a server for one client. newest offers every protocol version.
func (h *host) server(newest bool) (*mcp.Server, error) {
	texts, err := h.texts()
	if err != nil {
		return nil, err
	}
	o := &mcp.ServerOptions{
		Instructions: texts.Preamble,
		Logger:       discard,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	}
	if !newest {
		o.SupportedProtocolVersions = sessionVersions()
	}
	c := &conversation{host: h, attachments: mcptools.NewAttachments()}
	c.server = mcp.NewServer(implementation(), o)
	c.offer(texts)
	c.server.AddReceivingMiddleware(c.receive)
	return c.server, nil
}

// conversation is one client's session: a workspace of its own, made when the
// first tool is called.
type conversation struct {
	host        *host
	server      *mcp.Server
	attachments *mcptools.Attachments

	begun   sync.Once
	mu      sync.Mutex
	session *mcp.ServerSession
	ws      *surfaces.Workspace
	kept    bool // the workspace outlives the conversation
	mounted *surfaces.Mounted
	ended   bool
	moved   bool // another conversation has the workspace now

	opening sync.Mutex // held while the workspace is opened
}

// offer declares the tools to the client.
func (c *conversation) offer(texts *surfaces.Mounted) {
	for _, t := range texts.Tools {
		c.server.AddTool(&mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Annotations: c.annotations(t.Name)}, c.handler(t.Name))
	}
}

// annotations tell a client what a tool may do: a program may do anything that
// policy allows, the other tools only look.
func (c *conversation) annotations(tool string) *mcp.ToolAnnotations {
	p := c.host.gateway.config.Policy
	if !strings.HasPrefix(tool, "execute_") || p.LetsNothingThrough() {
		open := strings.HasPrefix(tool, "execute_")
		return &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &open}
	}
	return nil
}

func (c *conversation) handler(tool string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		m, err := c.tools(ctx, req)
		if err != nil {
			return nil, err
		}
		t, ok := m.Tool(tool)
		if !ok {
			return nil, errors.New("the tool is not mounted any more")
		}
		// A program that runs when the gateway is told to end is cancelled, so
		// that its client hears of it and the end is not held up.
		ctx, cancel := context.WithCancel(mcptools.WithAttachments(traceOf(ctx, req), c.attachments))
		defer cancel()
		defer context.AfterFunc(c.host.life, cancel)()
		out, err := t.Call(ctx, arguments(req.Params.Arguments))
		if err != nil {
			c.host.gateway.log.Error("a tool is not usable", "tool", tool, "error", err)
			return nil, errors.New(tool + " is not usable at the moment")
		}
		return answer(out), nil
	}
}

func arguments(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}")
	}
	return raw
}

func answer(out surfaces.Output) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.Text}}, IsError: out.Failed}
}

// tools gives the conversation's mounted tools.
func (c *conversation) tools(ctx context.Context, req mcp.Request) (*surfaces.Mounted, error) {
	c.opening.Lock()
	defer c.opening.Unlock()
	m, err := c.current()
	if m != nil || err != nil {
		return m, err
	}
	ws, keep, err := c.workspace(ctx, req)
	if err != nil {
		return nil, err
	}
	texts, err := c.host.texts()
	if err == nil {
		m, err = texts.For(ws)
	}
	c.mu.Lock()
	if err == nil && c.ended {
		err = errEnded
	}
	if err == nil {
		c.ws, c.kept, c.mounted = ws, keep, m
	}
	c.mu.Unlock()
	if err != nil {
		c.release(ws, keep)
		return nil, err
	}
	return m, nil
}

var errEnded = errors.New("the session has ended")

// current gives the tools that are mounted, nil if none are yet.
func (c *conversation) current() (*surfaces.Mounted, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.moved:
		return nil, errors.New("the workspace of this session is in use by another session of the same client")
	case c.ended:
		return nil, errEnded
	case c.mounted != nil:
		c.mounted, _ = c.mounted.Refresh()
	}
	return c.mounted, nil
}

// workspace gives the conversation its workspace, and whether that outlives it.
func (c *conversation) workspace(ctx context.Context, req mcp.Request) (*surfaces.Workspace, bool, error) {
	if c.host.gateway.store == nil {
		ws, err := c.host.gateway.workspace(c.ask, surfaces.WithAskBatch(c.askBatch))
		return ws, false, err
	}
	name, err := c.nameOf(req)
	if err != nil {
		return nil, false, err
	}
	r, err := c.host.enter(ctx, name, c)
	if err != nil {
		return nil, false, err
	}
	c.attachments = r.attachments
	return r.ws, true, nil
}

// release frees a workspace.
func (c *conversation) release(ws *surfaces.Workspace, kept bool) {
	switch {
	case ws == nil:
	case kept:
		c.host.quit(c)
	default:
		ws.Close()
	}
}

// leave ends a conversation whose workspace another has taken over.
func (c *conversation) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ws, c.mounted, c.moved = nil, nil, true
}

// receive sees every message of the client's: the first begins the conversation,
// and a call of a tool that is none is answered with what to send instead.
func (c *conversation) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if s, ok := req.GetSession().(*mcp.ServerSession); ok {
			c.begun.Do(func() { c.begin(s) })
		}
		call, ok := req.(*mcp.CallToolRequest)
		if !ok {
			return next(ctx, method, req)
		}
		m, err := c.tools(ctx, req)
		if err != nil {
			return nil, err
		}
		if _, known := m.Tool(call.Params.Name); known {
			return next(ctx, method, req)
		}
		out, near := m.Unknown(call.Params.Name, arguments(call.Params.Arguments))
		if near {
			return answer(out), nil
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: out.Text}
	}
}

func (c *conversation) begin(s *mcp.ServerSession) {
	c.mu.Lock()
	c.session = s
	c.mu.Unlock()
	c.host.mu.Lock()
	c.host.live[c] = true
	c.host.mu.Unlock()
	go func() {
		_ = s.Wait()
		c.end()
	}()
}

// end frees what the conversation holds.
func (c *conversation) end() {
	c.host.mu.Lock()
	delete(c.host.live, c)
	c.host.mu.Unlock()
	c.mu.Lock()
	ws, session, kept := c.ws, c.session, c.kept
	c.ws, c.mounted, c.ended = nil, nil, true
	c.mu.Unlock()
	if session != nil {
		go session.Close() // it waits for calls under way
	}
	c.release(ws, kept)
}

// askBatch asks the client's person to approve a commit as a whole.
func (c *conversation) askBatch(ctx context.Context, b dispatch.Batch) (dispatch.BatchAnswer, error) {
	s := c.elicits()
	if s == nil {
		return dispatch.BatchAnswer{}, dispatch.Undecided("it needs an approval, and this client cannot ask for one")
	}
	r, err := s.Elicit(ctx, &mcp.ElicitParams{
		Message:         "A program wants to commit " + b.Text(4_000) + "\nMake all of it?",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"leave_out":{"type":"string","title":"Numbers of effects to leave out, separated by commas","default":""}}}`),
	})
	if err != nil {
		return dispatch.BatchAnswer{}, err
	}
	if r.Action != "accept" {
		return dispatch.BatchAnswer{Reason: "the person refused it"}, nil
	}
	text, _ := r.Content["leave_out"].(string)
	return leavingOut(text)
}

// leavingOut allows a batch without the effects whose numbers a text lists. A
// text that cannot be read allows nothing.
func leavingOut(text string) (dispatch.BatchAnswer, error) {
	a := dispatch.BatchAnswer{Allow: true, Effects: map[int64]dispatch.EffectAnswer{}}
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		id, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return dispatch.BatchAnswer{}, dispatch.Undecided("the person's answer could not be read")
		}
		a.Effects[id] = dispatch.EffectAnswer{Reason: "the person left it out"}
	}
	return a, nil
}

// elicits gives the client's session if the client can ask its person.
func (c *conversation) elicits() *mcp.ServerSession {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.session.InitializeParams(); p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil {
		return nil
	}
	return c.session
}

// ask asks the client's person to approve a call, if the client can.
func (c *conversation) ask(ctx context.Context, q dispatch.Question) (dispatch.Answer, error) {
	s := c.elicits()
	if s == nil {
		return dispatch.Answer{Reason: "it needs an approval, and this client cannot ask for one"}, nil
	}
	r, err := s.Elicit(ctx, &mcp.ElicitParams{
		Message:         "A program wants to call " + questionText(q) + ". Allow it?",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"all":{"type":"boolean","title":"Also allow the further calls of this function in this program","default":false}}}`),
	})
	if err != nil {
		return dispatch.Answer{}, err
	}
	if r.Action != "accept" {
		return dispatch.Answer{Reason: "the person refused it"}, nil
	}
	rest, _ := r.Content["all"].(bool)
	return dispatch.Answer{Allow: true, Rest: rest}, nil
}
