//go:build !cgo

package engine

import (
	"context"
	"errors"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
)

var errUnavailable = errors.New(guard.Unavailable)

// Session runs statements one after another.
type Session struct{}

// Session starts a session.
func (d *DB) Session() *Session { return &Session{} }

// Query refuses every statement, with the reason.
func (d *DB) Query(context.Context, string, ...any) (*Result, error) { return nil, errUnavailable }

// Query refuses every statement, with the reason.
func (s *Session) Query(context.Context, string, ...any) (*Result, error) {
	return nil, errUnavailable
}

// QueryWith refuses every statement, with the reason.
func (s *Session) QueryWith(*sandbox.Meter, string, ...any) (*Result, error) {
	return nil, errUnavailable
}

func (d *DB) define(TableSpec) (*Table, error) { return nil, errUnavailable }
