package mcptools

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/polyglove/polyglove/toolfn"
)

// Set is a number of servers whose tools are in one catalogue. It belongs to the
// host: closing it ends every server that it started.
type Set struct {
	catalog     *toolfn.Catalog
	logger      *slog.Logger
	attachments *Attachments
	unread      bool // no functions to read them
	servers     []*Server

	cancel context.CancelFunc
	closed chan struct{}

	adopting sync.Mutex // one server at a time
	mu       sync.Mutex // never held while others are called
	waiting  bool       // adopt in the order of the specs, once all have had a try
	warnings map[*Server][]string
	meta     func(context.Context) map[string]any // for each call; nil for none
}

// Option sets up a set.
type Option func(*Set)

// WithLogger sets where a set tells what happens to its servers, and what they
// print. Secrets are taken out. Without one nothing is logged.
func WithLogger(l *slog.Logger) Option { return func(s *Set) { s.logger = l } }

// WithMeta sets what is sent in the _meta of each call, such as the context of a
// trace. It is asked with the call's context and may give nil.
func WithMeta(f func(context.Context) map[string]any) Option { return func(s *Set) { s.meta = f } }

// WithoutAttachments leaves out the functions with which programs read what
// results held beside plain data, for servers that are known to send none.
func WithoutAttachments() Option { return func(s *Set) { s.unread = true } }

// Connect connects to servers side by side and puts what they offer into a
// catalogue. It returns once each server has been tried once, or when ctx ends.
// No failure of a server is an error: [Set.Problems] names those that are not
// connected, and they go on being tried.
//
// ctx bounds the waiting only. The sessions last until [Set.Close].
func Connect(ctx context.Context, cat *toolfn.Catalog, specs []Spec, options ...Option) *Set {
	s := &Set{catalog: cat, logger: quiet, attachments: NewAttachments(), closed: make(chan struct{}), waiting: true, warnings: map[*Server][]string{}}
	for _, o := range options {
		o(s)
	}
	life, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	var running sync.WaitGroup
	taken := map[string]bool{}
	for _, spec := range specs {
		srv := s.server(spec)
		s.servers = append(s.servers, srv)
		err := spec.check()
		if err == nil && taken[spec.Name] {
			err = errors.New("has the name of another server")
		}
		taken[spec.Name] = true
		if err != nil {
			srv.err, srv.attempts = problem{text: "its configuration " + err.Error()}, 1
			continue
		}
		running.Add(1)
		go func() {
			defer running.Done()
			srv.supervise(life)
		}()
	}
	go func() {
		running.Wait()
		close(s.closed)
	}()
	for _, srv := range s.servers {
		srv.tried(ctx)
	}
	s.adoptAll()
	return s
}

func (s *Set) server(spec Spec) *Server {
	srv := &Server{spec: spec, set: s, redact: newRedactor(&spec), changed: make(chan struct{}), poke: make(chan struct{}, 1)}
	if srv.spec.Namespace == "" {
		srv.spec.Namespace = spec.Name
	}
	srv.log = &tail{clean: srv.redact.clean, tell: func(line string) { s.logger.Debug(line, "server", spec.Name) }}
	return srv
}

// tried waits for the end of the first attempt.
func (s *Server) tried(ctx context.Context) {
	s.mu.Lock()
	for s.attempts == 0 && ctx.Err() == nil {
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		s.mu.Lock()
	}
	s.mu.Unlock()
}

// adoptAll puts into the catalogue what has been listed so far, in the order of
// the specs, whichever server was the quickest.
func (s *Set) adoptAll() {
	s.mu.Lock()
	s.waiting = false
	s.mu.Unlock()
	for _, srv := range s.servers {
		srv.mu.Lock()
		listed, described := srv.listed, srv.describe()
		srv.mu.Unlock()
		if listed {
			s.adopt(srv, described)
		}
	}
	if !s.unread && len(s.servers) > 0 {
		s.catalog.Adopt(toolfn.Server{Name: attachmentsGroup, Description: "Images, files, links and texts that results held beside their value."}, s.functions()...)
	}
}

// adopt puts what a server offers into the catalogue, in place of what it
// offered before.
func (s *Set) adopt(srv *Server, description string) {
	s.adopting.Lock()
	defer s.adopting.Unlock()
	s.mu.Lock()
	waiting := s.waiting
	s.mu.Unlock()
	if waiting {
		return
	}
	fns, left := srv.functions()
	name, _ := s.catalog.Adopt(toolfn.Server{Name: srv.spec.Namespace, UpstreamName: srv.spec.Name, Description: description}, fns...)
	srv.mu.Lock()
	srv.name = name
	srv.mu.Unlock()
	if len(srv.spec.Tables) > 0 || srv.spec.AutoTables {
		left = append(left, srv.tables(name)...)
	}
	s.mu.Lock()
	s.warnings[srv] = left
	s.mu.Unlock()
	for _, w := range left {
		s.logger.Warn(w, "server", srv.spec.Name)
	}
}

// store gives the attachments of the conversation that a call belongs to.
func (s *Set) store(ctx context.Context) *Attachments {
	if a, ok := ctx.Value(attachmentsKey{}).(*Attachments); ok {
		return a
	}
	return s.attachments
}

// States reports on every server, in the order of the specs.
func (s *Set) States() []State {
	states := make([]State, len(s.servers))
	for i, srv := range s.servers {
		states[i] = srv.State()
		s.mu.Lock()
		states[i].Warnings = append(states[i].Warnings, s.warnings[srv]...)
		s.mu.Unlock()
	}
	return states
}

// Problems names the servers that are not connected and says why, a line each.
func (s *Set) Problems() []string {
	var lines []string
	for _, st := range s.States() {
		if !st.Connected {
			why := st.Problem
			if why == "" {
				why = "it has not answered yet"
			}
			lines = append(lines, "server "+quoted(st.Name)+" is not connected: "+why)
		}
	}
	return lines
}

// closing is how long all servers together may take to end.
const closing = 4 * patience

// Close disconnects from all servers and ends those that were started. It
// returns when they are gone.
func (s *Set) Close() {
	s.cancel()
	select {
	case <-s.closed:
	case <-time.After(closing):
	}
}
