package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// Store keeps the journals of workspaces over a backend. Any number of
// goroutines may use it.
type Store struct {
	backend   Backend
	holder    string
	ttl       time.Duration
	redact    Redact
	retention Retention
	report    func(error)
	queue     queue

	mu     sync.Mutex
	open   map[string]*Journal
	stop   chan struct{}
	kept   sync.WaitGroup
	closed bool
}

// Option sets something up in [New].
type Option func(*Store)

// DefaultLease is how long a lease lasts unless it is renewed: how long another
// process waits for a workspace whose owner has died on another machine.
const DefaultLease = 10 * time.Second

// WithLease sets how long a lease lasts unless it is renewed.
func WithLease(ttl time.Duration) Option { return func(s *Store) { s.ttl = ttl } }

// WithRedact sets who sees each record before it is stored.
func WithRedact(r Redact) Option { return func(s *Store) { s.redact = r } }

// WithRetention sets what is kept.
func WithRetention(r Retention) Option { return func(s *Store) { s.retention = r } }

// WithReport sets who is told of troubles that nobody waits for: a lease that
// could not be renewed, a deletion that failed.
func WithReport(f func(error)) Option { return func(s *Store) { s.report = f } }

// New makes a store over a backend, which it closes when it is closed.
func New(b Backend, opts ...Option) (*Store, error) {
	s := &Store{backend: b, holder: newHolder(), ttl: DefaultLease, open: map[string]*Journal{}, stop: make(chan struct{})}
	for _, o := range opts {
		o(s)
	}
	if s.ttl < 10*time.Millisecond {
		return nil, errors.New("store: a lease must last at least 10 ms")
	}
	s.queue.backend = b
	s.kept.Add(1)
	go s.keep()
	return s, nil
}

// MaxID is the longest name of a workspace, in bytes.
const MaxID = 200

// Open takes a workspace, making it if there is none, and gives its journal. If
// another process owns it, Open waits until that process has let it go or its
// lease has expired, at most as long as the context allows, and so it does for a
// journal that this process is just closing. One that is open in this process is a
// [*HeldError] at once. The actor is the one
// on whose behalf the workspace acts; another's workspace is not given.
func (s *Store) Open(ctx context.Context, workspace, actor string) (*Journal, error) {
	if workspace == "" || len(workspace) > MaxID {
		return nil, fmt.Errorf("store: a workspace's name has 1 to %d bytes", MaxID)
	}
	for {
		closing, err := s.reserve(workspace)
		if err != nil {
			return nil, err
		}
		if closing == nil {
			break
		}
		select {
		case <-closing.gone:
		case <-ctx.Done():
			return nil, &HeldError{Workspace: workspace, Holder: s.holder}
		}
	}
	lease, header, err := s.acquire(ctx, Claim{
		Workspace: workspace, Holder: s.holder, TTL: s.ttl,
		Fresh: Header{Seed: rand.Uint64(), Actor: actor, Created: time.Now().UTC().Truncate(time.Millisecond)},
	})
	if err == nil && header.Actor != actor {
		_ = s.backend.Release(context.WithoutCancel(ctx), lease)
		err = fmt.Errorf("store: the workspace %q belongs to another actor", workspace)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.closed {
		_ = s.backend.Release(context.WithoutCancel(ctx), lease)
		err = errClosed
	}
	if err != nil {
		delete(s.open, workspace)
		return nil, err
	}
	j := &Journal{store: s, lease: lease, header: header, next: lease.Last + 1, gone: make(chan struct{})}
	s.open[workspace] = j
	return j, nil
}

var errClosed = errors.New("store: it is closed")

// reserve makes sure that a workspace is opened once in this process. It gives a
// journal that is just being closed, after which it is to be tried again.
func (s *Store) reserve(workspace string) (closing *Journal, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	if j, ok := s.open[workspace]; ok {
		if j != nil && j.isClosed() {
			return j, nil
		}
		return nil, &HeldError{Workspace: workspace, Holder: s.holder}
	}
	s.open[workspace] = nil
	return nil, nil
}

// acquire takes a lease, waiting for one that is another's to end.
func (s *Store) acquire(ctx context.Context, c Claim) (Lease, Header, error) {
	for {
		lease, header, err := s.backend.Acquire(ctx, c)
		var held *HeldError
		if !errors.As(err, &held) {
			return lease, header, err
		}
		if dead(held.Holder) {
			c.Over = held.Holder
			continue
		}
		wait := min(max(time.Until(held.Until), s.ttl/20), s.ttl/4)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return Lease{}, Header{}, err
		}
	}
}

// Workspaces lists the workspaces in the store, the least recently used first.
func (s *Store) Workspaces(ctx context.Context) ([]Info, error) { return s.backend.Workspaces(ctx) }

// Drop deletes a workspace that nobody holds.
func (s *Store) Drop(ctx context.Context, workspace string) error {
	return s.backend.Drop(ctx, workspace)
}

// Close closes every journal and the backend.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	var all []*Journal
	for _, j := range s.open {
		if j != nil {
			all = append(all, j)
		}
	}
	s.mu.Unlock()
	close(s.stop)
	s.kept.Wait()
	var errs []error
	for _, j := range all {
		errs = append(errs, j.Close())
	}
	s.queue.close()
	return errors.Join(append(errs, s.backend.Close())...)
}

func (s *Store) tell(err error) {
	if err == nil || s.report == nil {
		return
	}
	defer func() { _ = recover() }() // a reporter must not take the store down
	s.report(err)
}
