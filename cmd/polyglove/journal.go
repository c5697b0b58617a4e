package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/dispatch/store"
	"github.com/polyglove/polyglove/dispatch/store/postgres"
	"github.com/polyglove/polyglove/dispatch/store/sqlite"
	"github.com/polyglove/polyglove/internal/config"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn/mcptools"
)

// journalFlags are the flags of a subcommand that keeps a journal. A flag outranks
// the configuration file.
type journalFlags struct {
	store     string
	lease     time.Duration
	workspace string
}

// workspaceVariable is the variable of the environment that names the workspace
// where no flag does.
const workspaceVariable = "POLYGLOVE_WORKSPACE"

func (f *journalFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.store, "journal", "", "record programs and calls in `FILE`, or in the PostgreSQL database that a postgres:// URL names, and go on from there after a restart")
	fs.DurationVar(&f.lease, "journal-lease", 0, "how long another gateway waits before it takes over from one that is gone, such as 10s")
	fs.StringVar(&f.workspace, "workspace", os.Getenv(workspaceVariable), "over the standard streams, the `NAME` of the client's workspace in the journal; the variable "+workspaceVariable+" names it too")
}

func (f *journalFlags) check(http bool) error {
	switch {
	case f.workspace == "":
		return nil
	case http && f.workspace == os.Getenv(workspaceVariable):
		f.workspace = "" // set for all, and not for this
		return nil
	case http:
		return usageError("--workspace is for the standard streams; over HTTP each client names its own, with the header %s", workspaceHeader)
	}
	if err := checkWorkspace(f.workspace); err != nil {
		return usageError("--workspace: %s", err)
	}
	return nil
}

// open opens the journal for a gateway.
func (f *journalFlags) open(ctx context.Context, g *gateway) error {
	j := &g.config.Journal
	if f.store != "" {
		j.Store = f.store
	}
	if f.lease > 0 {
		j.Lease = f.lease
	}
	if f.workspace != "" && j.Store == "" && f.workspace != os.Getenv(workspaceVariable) {
		return usageError("--workspace needs --journal")
	}
	var err error
	g.named = f.workspace
	g.store, err = openJournal(ctx, *j, func(err error) { g.log.Error(err.Error()) })
	return err
}

// openJournal opens the store of a configuration, nil if it names none.
func openJournal(ctx context.Context, j config.Journal, report func(error)) (*store.Store, error) {
	if j.Store == "" {
		return nil, nil
	}
	var b store.Backend
	var err error
	if config.Database(j.Store) {
		b, err = postgres.Open(ctx, j.Store)
	} else {
		var how []sqlite.Option
		if j.Relaxed {
			how = append(how, sqlite.Relaxed())
		}
		b, err = sqlite.Open(j.Store, how...)
	}
	if err != nil {
		return nil, err
	}
	o := []store.Option{store.WithReport(report), store.WithRetention(store.Retention{Age: j.Age, Bytes: j.Bytes, Workspaces: j.Workspaces})}
	if j.Lease > 0 {
		o = append(o, store.WithLease(j.Lease))
	}
	s, err := store.New(b, o...)
	if err != nil {
		_ = b.Close()
	}
	return s, err
}

// How a client says which workspace is its own: a header of its HTTP requests, or
// a member of _meta in its initialize request or its first tool call.
const (
	workspaceHeader = "Polyglove-Workspace"
	workspaceMeta   = "polyglove/workspace"
)

// workspaceName is what a workspace may be called.
var workspaceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,99}$`)

func checkWorkspace(name string) error {
	if workspaceName.MatchString(name) {
		return nil
	}
	return fmt.Errorf("%q is no name of a workspace: it has 1 to 100 letters, digits and . _ : @ / -", clip(name))
}

func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), 60)], "?") }

// nameOf gives the name of a conversation's workspace: what the command line
// says, what the client says, or a name of the conversation's own.
func (c *conversation) nameOf(req mcp.Request) (string, error) {
	name := c.host.gateway.named
	if extra := req.GetExtra(); name == "" && extra != nil && extra.Header != nil {
		name = extra.Header.Get(workspaceHeader)
	}
	if p := req.GetParams(); name == "" && p != nil {
		name, _ = p.GetMeta()[workspaceMeta].(string)
	}
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	if s != nil {
		if p := s.InitializeParams(); name == "" && p != nil {
			name, _ = p.Meta[workspaceMeta].(string)
		}
		if name == "" && s.ID() != "" {
			return s.ID(), nil
		}
	}
	if name == "" {
		return rand.Text(), nil
	}
	return name, checkWorkspace(name)
}

// room is a workspace that outlives the conversation in it: a client whose
// connection broke comes back with another.
type room struct {
	ready       chan struct{} // closed when ws or err is set
	err         error
	ws          *surfaces.Workspace
	journal     *store.Journal
	attachments *mcptools.Attachments

	mu      sync.Mutex
	owner   *conversation
	leaving bool          // it is being closed
	gone    chan struct{} // closed when it is
}

// rooms are the workspaces that are open, by name.
type rooms struct {
	mu  sync.Mutex
	all map[string]*room
}

// ask puts a question to whoever is in the room.
func (r *room) ask(ctx context.Context, q dispatch.Question) (dispatch.Answer, error) {
	r.mu.Lock()
	c := r.owner
	r.mu.Unlock()
	if c == nil {
		return dispatch.Answer{Reason: "it needs an approval, and the client has gone"}, nil
	}
	return c.ask(ctx, q)
}

// askBatch puts the question of a commit to whoever is in the room.
func (r *room) askBatch(ctx context.Context, b dispatch.Batch) (dispatch.BatchAnswer, error) {
	r.mu.Lock()
	c := r.owner
	r.mu.Unlock()
	if c == nil {
		return dispatch.BatchAnswer{}, dispatch.Undecided("it needs an approval, and the client has gone")
	}
	return c.askBatch(ctx, b)
}

// enter gives a conversation the workspace of a name. If another conversation of
// this gateway has it, that one ends: one client came back, most likely. If it is
// just being closed, enter waits for that; if another gateway has it, for its lease
// to end.
func (h *host) enter(ctx context.Context, name string, c *conversation) (*room, error) {
	for {
		r, mine := h.rooms.get(name, c)
		if mine {
			return r, h.open(ctx, name, r)
		}
		select {
		case <-r.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if r.err != nil {
			return nil, r.err
		}
		before, ok := r.move(c)
		if ok {
			if before != nil && before != c {
				before.leave()
			}
			return r, nil
		}
		select {
		case <-r.gone:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// get gives the room of a name, and whether the conversation has just made it.
func (all *rooms) get(name string, c *conversation) (r *room, mine bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if r, ok := all.all[name]; ok {
		return r, false
	}
	r = &room{ready: make(chan struct{}), gone: make(chan struct{}), owner: c, attachments: c.attachments}
	all.all[name] = r
	return r, true
}

func (all *rooms) remove(name string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.all, name)
}

// open furnishes a room that was just made.
func (h *host) open(ctx context.Context, name string, r *room) error {
	if r.err = h.furnish(ctx, name, r); r.err != nil {
		h.rooms.remove(name)
	}
	close(r.ready)
	return r.err
}

// move gives a room to another conversation, unless it is being closed.
func (r *room) move(c *conversation) (before *conversation, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.leaving {
		return nil, false
	}
	before, r.owner = r.owner, c
	return before, true
}

// patience is how long a client waits for a workspace whose gateway is gone,
// beyond the time that its lease has left.
const patience = 20 * time.Second

// held says what a client can do about a workspace that another gateway has.
func held(name string, err error) error {
	var h *store.HeldError
	if !errors.As(err, &h) {
		return err
	}
	return fmt.Errorf("the workspace %q is in use by another gateway, which is alive; connect to that one, end its session, or name another workspace", clip(name))
}

// furnish opens a workspace and rebuilds it.
func (h *host) furnish(ctx context.Context, name string, r *room) error {
	g := h.gateway
	ctx = context.WithoutCancel(ctx) // a client that goes away must not leave half a workspace
	wait, cancel := context.WithTimeout(ctx, g.config.Journal.Lease+patience)
	defer cancel()
	j, err := g.store.Open(wait, name, g.config.Actor)
	if err != nil {
		return held(name, err)
	}
	past := &attended{Journal: j}
	ws, err := g.workspace(r.ask, surfaces.WithJournal(past), surfaces.WithAskBatch(r.askBatch))
	if err != nil {
		return errors.Join(err, j.Close())
	}
	told, err := ws.Resume(mcptools.WithAttachments(ctx, r.attachments), g.mount.Languages...)
	if err != nil {
		ws.Close()
		return errors.Join(err, j.Close())
	}
	if past.found {
		ws.Tell(attachmentsGone)
	}
	g.log.Info("a workspace is open", "workspace", name, "programs", told.Programs, "calls", told.Calls, "took", told.Took, "interrupted", len(told.Interrupted), "lost", len(told.Lost))
	r.ws, r.journal = ws, j
	return nil
}

// quit closes a room that its owner leaves for good. The name is free when it is
// closed.
func (h *host) quit(c *conversation) {
	name, r := h.rooms.leave(c)
	if r == nil {
		return
	}
	r.ws.Close()
	if err := r.journal.Close(); err != nil {
		h.gateway.log.Error(err.Error())
	}
	h.rooms.remove(name)
	close(r.gone)
}

// leave finds the room of a conversation, which nobody can enter any more.
func (all *rooms) leave(c *conversation) (string, *room) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for name, r := range all.all {
		select {
		case <-r.ready:
		default:
			continue
		}
		if r.left(c) {
			return name, r
		}
	}
	return "", nil
}

func (r *room) left(c *conversation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.owner != c || r.leaving {
		return false
	}
	r.owner, r.leaving = nil, true
	return true
}
