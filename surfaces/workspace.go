package surfaces

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
)

// Workspace is one conversation: a view of the catalogue, a dispatcher, limits,
// an actor, and a journal, shared by its sessions. Any number of goroutines may
// use it.
type Workspace struct {
	catalog    *toolfn.Catalog
	dispatcher *dispatch.Dispatcher
	limits     sandbox.Limits
	actor      string
	clock      func() time.Time
	seed       uint64
	tabular    bool

	mu       sync.Mutex
	sessions map[string]Session
	opened   []string // languages in the order they were opened
	closed   bool
	asleep   bool     // it has a journal that was not resumed yet
	tidings  []string // notes for the next result
	shared   shared
	turn     Turn
}

// settings is what options set up.
type settings struct {
	ws       Workspace
	dispatch []dispatch.Option
}

// Option sets something up in [NewWorkspace].
type Option func(*settings)

// WithLimits sets the limits of every session, [sandbox.DefaultLimits] otherwise.
func WithLimits(l sandbox.Limits) Option { return func(s *settings) { s.ws.limits = l } }

// WithActor sets on whose behalf capabilities are called. Handlers read it with
// [dispatch.Actor].
func WithActor(actor string) Option { return func(s *settings) { s.ws.actor = actor } }

// WithClock sets the clock that programs see, time.Now otherwise. Time limits
// follow the machine's own.
func WithClock(now func() time.Time) Option {
	return func(s *settings) {
		s.ws.clock = now
		s.dispatch = append(s.dispatch, dispatch.WithClock(now))
	}
}

// WithSeed sets the seed of the random numbers that programs see; it is drawn at
// random otherwise. A workspace with a journal that can be resumed has that one's.
func WithSeed(seed uint64) Option { return func(s *settings) { s.ws.seed = seed } }

// WithPolicy decides which calls are made; see [dispatch.WithPolicy].
func WithPolicy(p dispatch.Policy) Option { return dispatching(dispatch.WithPolicy(p)) }

// WithAsk sets who is asked about calls that need an approval; see
// [dispatch.WithAsk].
func WithAsk(a dispatch.Asker) Option { return dispatching(dispatch.WithAsk(a)) }

// WithJournal sets where programs and calls are recorded; see
// [dispatch.WithJournal].
func WithJournal(j dispatch.Journal) Option { return dispatching(dispatch.WithJournal(j)) }

// WithTracer sets who is told of calls as they begin and end; see
// [dispatch.WithTracer].
func WithTracer(t dispatch.Tracer) Option { return dispatching(dispatch.WithTracer(t)) }

// WithReport sets who is told of troubles that concern the host alone; see
// [dispatch.WithReport].
func WithReport(f func(error)) Option { return dispatching(dispatch.WithReport(f)) }

func dispatching(o dispatch.Option) Option {
	return func(s *settings) { s.dispatch = append(s.dispatch, o) }
}

// WithTables shows lists of like objects as a header and rows.
func WithTables() Option { return func(s *settings) { s.ws.tabular = true } }

// NewWorkspace makes a workspace over a catalogue. Limits that are not usable are
// an error.
func NewWorkspace(cat *toolfn.Catalog, opts ...Option) (*Workspace, error) {
	s := settings{ws: Workspace{catalog: cat, limits: sandbox.DefaultLimits(), clock: time.Now, seed: rand.Uint64(), sessions: map[string]Session{}}}
	for _, o := range opts {
		o(&s)
	}
	if err := s.ws.limits.Validate(); err != nil {
		return nil, err
	}
	if s.ws.clock == nil {
		return nil, errors.New("the workspace's clock is nil")
	}
	d, err := dispatch.New(cat, s.dispatch...)
	if err != nil {
		return nil, err
	}
	recorded, asleep := d.Journal().(dispatch.Recorded)
	if asleep {
		s.ws.seed = recorded.Seed()
	}
	ws := &Workspace{
		turn: NewTurn(), asleep: asleep, catalog: cat, dispatcher: d, limits: s.ws.limits, actor: s.ws.actor, clock: s.ws.clock,
		seed: s.ws.seed, tabular: s.ws.tabular, sessions: map[string]Session{},
	}
	return ws, nil
}

// Catalog is what programs may call.
func (ws *Workspace) Catalog() *toolfn.Catalog { return ws.catalog }

// Dispatcher is the door through which they call it.
func (ws *Workspace) Dispatcher() *dispatch.Dispatcher { return ws.dispatcher }

// Limits are the limits of every session.
func (ws *Workspace) Limits() sandbox.Limits { return ws.limits }

// Actor is on whose behalf capabilities are called.
func (ws *Workspace) Actor() string { return ws.actor }

// Clock is the time as programs see it.
func (ws *Workspace) Clock() time.Time { return ws.clock() }

// Seed is the seed of the random numbers that programs see.
func (ws *Workspace) Seed() uint64 { return ws.seed }

// Tabular reports whether lists of like objects are shown as a header and rows.
func (ws *Workspace) Tabular() bool { return ws.tabular }

// Begin starts the account of one program. The workspace's actor and the frame
// of the tool through which the program came are filled in.
func (ws *Workspace) Begin(m *sandbox.Meter, p dispatch.Program) *dispatch.Run {
	if p.Actor == "" {
		p.Actor = ws.actor
	}
	if p.Frame == "" {
		p.Frame = string(frameOf(m.Context()))
	}
	return ws.dispatcher.Begin(m, p)
}

// Open gives the workspace's session of a language, which it opens on first use.
// A workspace whose journal is a [dispatch.Recorded] must have been resumed.
func (ws *Workspace) Open(l Language) (Session, error) {
	ws.mu.Lock()
	asleep := ws.asleep
	ws.mu.Unlock()
	if asleep {
		return nil, errAsleep
	}
	s, err := ws.session(l)
	if err != nil {
		return nil, err
	}
	return telling{minded{s, ws, l}, ws}, nil
}

// session gives a language's own session.
func (ws *Workspace) session(l Language) (Session, error) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed {
		return nil, errors.New("the workspace is closed")
	}
	if s, ok := ws.sessions[l.Name()]; ok {
		return s, nil
	}
	s, err := l.Open(ws)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Title(), err)
	}
	ws.sessions[l.Name()] = s
	ws.opened = append(ws.opened, l.Name())
	return s, nil
}

// Close closes every session. Programs that are under way end by themselves.
func (ws *Workspace) Close() {
	ws.mu.Lock()
	sessions := make([]Session, 0, len(ws.opened))
	for _, name := range ws.opened {
		sessions = append(sessions, ws.sessions[name])
	}
	ws.closed, ws.sessions, ws.opened, ws.shared = true, nil, nil, shared{}
	ws.mu.Unlock()
	defer ws.dispatcher.Discard() // nothing fires because a conversation ends
	for _, s := range sessions {
		s.Close()
	}
}

type frameKey struct{}

func frameOf(ctx context.Context) Frame {
	f, _ := ctx.Value(frameKey{}).(Frame)
	return f
}
