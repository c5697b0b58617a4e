package fn

import (
	"cmp"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Env is what a statement's functions share.
type Env struct {
	Meter  *sandbox.Meter
	Now    time.Time        // the statement's start
	Clock  func() time.Time // the time as it passes, for clock_timestamp
	Zone   *time.Location   // of the session; nil is UTC
	Random func() float64   // 0 <= r < 1, from the workspace's seed
	UUID   func() [16]byte
	// RowColumns are the columns that the call of a set-returning function which
	// returns records is to have; the caller sets them for that call.
	RowColumns []RowColumn
	// User and Database are what current_user and current_database() say.
	User, Database string
	// transient is what functions charged by Alloc and nobody has kept or given back.
	transient int64
	// Scratch holds what a function keeps within a statement (a compiled pattern),
	// by a key of its own type.
	Scratch map[any]any
}

// Location is the session's time zone.
func (e *Env) Location() *time.Location {
	if e.Zone == nil {
		return time.UTC
	}
	return e.Zone
}

// SessionUser is the user's name.
func (e *Env) SessionUser() string { return cmp.Or(e.User, "postgres") }

// SessionDatabase is the database's name.
func (e *Env) SessionDatabase() string { return cmp.Or(e.Database, "postgres") }

// errStopped stands for the meter's fault where a *pgerr.Error is wanted. It
// never leaves the package's wrappers: see [Env.Fail].
var errStopped = pgerr.New(pgerr.StatementTooComplex, "the statement was stopped by a limit")

// Alloc charges n bytes of a result before they are allocated.
func (e *Env) Alloc(n int64) *pgerr.Error {
	if e.Meter.Alloc(n) != nil {
		return errStopped
	}
	e.transient += n
	return nil
}

// Mark says where the account of results stands, for [Env.Drop] and [Env.Keep].
func (e *Env) Mark() int64 { return e.transient }

// Drop gives back what results took since a mark: nobody holds them any more.
func (e *Env) Drop(mark int64) {
	if e.transient > mark {
		e.Meter.Release(e.transient - mark)
		e.transient = mark
	}
}

// Keep leaves what results took since a mark charged for good: somebody holds
// them.
func (e *Env) Keep(mark int64) { e.transient = min(e.transient, mark) }

// Charge spends n units of fuel before the work they stand for.
func (e *Env) Charge(n int64) *pgerr.Error {
	if e.Meter.Charge(n) != nil {
		return errStopped
	}
	return nil
}

// Fail turns a function's error into what a kernel returns: the meter's fault
// when a limit stopped the statement, nil for nil.
func (e *Env) Fail(err *pgerr.Error) error {
	if err == nil {
		return nil
	}
	if fault := e.Meter.Err(); fault != nil {
		return fault
	}
	return err
}
