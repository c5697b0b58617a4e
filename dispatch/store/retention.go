package store

import (
	"context"
	"errors"
	"time"
)

// Retention bounds what a store keeps. A workspace is kept or deleted as a whole,
// because what it defined can only be rebuilt from its first program on. The
// least recently used goes first; one that is in use stays. A zero does not
// bound.
type Retention struct {
	Age        time.Duration // since the last use
	Bytes      int64         // of all journals together
	Workspaces int
}

// Retain deletes what the retention does not keep, and the large results that
// nothing names any more. The store does so by itself every ten minutes.
func (s *Store) Retain(ctx context.Context) error {
	all, err := s.backend.Workspaces(ctx)
	if err != nil {
		return err
	}
	dropped := false
	for _, id := range s.retention.over(all, time.Now()) {
		err := s.backend.Drop(ctx, id)
		var held *HeldError
		if errors.As(err, &held) {
			continue // it has come into use meanwhile
		}
		if err != nil {
			return err
		}
		dropped = true
	}
	if !dropped {
		return nil
	}
	return s.backend.Sweep(ctx)
}

// over gives the workspaces to delete, of a list with the least recently used
// first.
func (r Retention) over(all []Info, now time.Time) (ids []string) {
	left, bytes := len(all), int64(0)
	for _, w := range all {
		bytes += w.Bytes
	}
	for _, w := range all {
		if w.Held {
			continue
		}
		old := r.Age > 0 && now.Sub(w.Used) > r.Age
		if !old && !(r.Bytes > 0 && bytes > r.Bytes) && !(r.Workspaces > 0 && left > r.Workspaces) {
			continue
		}
		ids = append(ids, w.ID)
		bytes -= w.Bytes
		left--
	}
	return ids
}
