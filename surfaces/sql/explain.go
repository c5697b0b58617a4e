//go:build cgo

package sql

import (
	"context"

	"github.com/polyglove/polyglove/surfaces"
)

// Explain says what a program would do. Nothing fires.
func (s *session) Explain(ctx context.Context, program string) *surfaces.Plan {
	if err := s.enter(ctx); err != nil {
		return &surfaces.Plan{Fault: unusable(err)}
	}
	defer s.leave()
	_, fault := s.parse(program)
	return &surfaces.Plan{Fault: fault}
}

// Defs lists the tables that the session has made.
func (s *session) Defs() []surfaces.Def { return nil }
