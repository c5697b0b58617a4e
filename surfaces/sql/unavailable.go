//go:build !cgo

package sql

import (
	"errors"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/sql/guard"
)

func open(*surfaces.Workspace) (surfaces.Session, error) { return nil, errors.New(guard.Unavailable) }
