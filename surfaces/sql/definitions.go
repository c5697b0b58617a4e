//go:build cgo

package sql

import (
	"context"
	"fmt"

	"github.com/polyglove/polyglove/surfaces"
)

// Defs lists the tables that the session has made.
func (s *session) Defs() []surfaces.Def {
	if s.turn.Take(context.Background()) != nil {
		return nil
	}
	defer s.turn.Give()
	return s.definitions(s.order)
}

func (s *session) definitions(names []string) []surfaces.Def {
	var out []surfaces.Def
	for _, n := range names {
		if t := s.temporary[n]; t != nil {
			out = append(out, surfaces.Def{Name: n, Kind: "table", Summary: fmt.Sprintf("%d rows, %d columns", len(t.rows), len(t.shape.Columns)), Size: t.bytes})
		}
	}
	return out
}

// Forget drops tables that the session has made.
func (s *session) Forget(names []string) {
	if s.turn.Take(context.Background()) != nil {
		return
	}
	defer s.turn.Give()
	for _, n := range names {
		delete(s.temporary, n)
	}
}
