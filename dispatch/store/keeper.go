package store

import (
	"context"
	"errors"
	"time"
)

// tidying is how often the store looks for what it need not keep any more.
const tidying = 10 * time.Minute

// keep renews the leases that are held and holds the retention, until the store
// is closed.
func (s *Store) keep() {
	defer s.kept.Done()
	renew := time.NewTicker(s.ttl / 3)
	defer renew.Stop()
	tidy := time.NewTicker(tidying)
	defer tidy.Stop()
	s.tidy() // many processes live shorter than until the first tick
	for {
		select {
		case <-s.stop:
			return
		case <-renew.C:
			s.renew()
		case <-tidy.C:
			s.tidy()
		}
	}
}

func (s *Store) tidy() {
	if s.retention == (Retention{}) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), tidying)
	defer cancel()
	go func() { // a store that is closed does not wait for it
		select {
		case <-s.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := s.Retain(ctx); !errors.Is(err, context.Canceled) {
		s.tell(err)
	}
}

func (s *Store) renew() {
	s.mu.Lock()
	leases := make([]Lease, 0, len(s.open))
	for _, j := range s.open {
		if j != nil {
			leases = append(leases, j.lease)
		}
	}
	s.mu.Unlock()
	if len(leases) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.ttl)
	defer cancel()
	lost, err := s.backend.Renew(ctx, leases, s.ttl)
	s.tell(err)
	for _, l := range lost {
		s.mu.Lock()
		j := s.open[l.Workspace]
		s.mu.Unlock()
		if j != nil && j.lease.Token == l.Token {
			j.fail(ErrSuperseded)
		}
	}
}
