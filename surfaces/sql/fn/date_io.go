package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// moment is the statement's time and the session's zone.
func (e *Env) moment() pgtype.Clock { return pgtype.NewClock(e.Now, e.Zone) }

// zoneCacheSize bounds how many zones a statement keeps by name.
const zoneCacheSize = 64

// namedZone is the key of a zone in the statement's scratch space.
type namedZone string

// zone reads the name of a zone, and keeps the last few: a POSIX rule takes long to
// read.
func (e *Env) zone(name string) (pgtype.Zone, *pgerr.Error) {
	if z, ok := e.Scratch[namedZone(name)].(pgtype.Zone); ok {
		return z, nil
	}
	z, err := pgtype.ParseZone(name)
	if err == nil && e.Scratch != nil && len(e.Scratch) < zoneCacheSize {
		e.Scratch[namedZone(name)] = z
	}
	return z, err
}

// precisionOf gives the digits of a second of a type modifier, -1 for none.
func precisionOf(typmod int32) int { return int(typmod) }

func dateInputs() map[pgcat.OID]Input {
	return map[pgcat.OID]Input{
		pgcat.Date: func(e *Env, s string, _ int32) (any, *pgerr.Error) { return anyOf(pgtype.ParseDate(s, e.moment())) },
		pgcat.Time: func(e *Env, s string, typmod int32) (any, *pgerr.Error) {
			t, err := pgtype.ParseTime(s, e.moment())
			return anyOf(pgtype.FitTime(t, precisionOf(typmod)), err)
		},
		pgcat.Timetz: func(e *Env, s string, typmod int32) (any, *pgerr.Error) {
			t, err := pgtype.ParseTimetz(s, e.moment())
			t.Micros = pgtype.FitTime(t.Micros, precisionOf(typmod))
			return anyOf(t, err)
		},
		pgcat.Timestamp: func(e *Env, s string, typmod int32) (any, *pgerr.Error) {
			ts, err := pgtype.ParseTimestamp(s, e.moment())
			if err != nil {
				return nil, err
			}
			return anyOf(pgtype.FitTimestamp(ts, precisionOf(typmod)))
		},
		pgcat.Timestamptz: func(e *Env, s string, typmod int32) (any, *pgerr.Error) {
			ts, err := pgtype.ParseTimestamptz(s, e.moment())
			if err != nil {
				return nil, err
			}
			return anyOf(pgtype.FitTimestamp(ts, precisionOf(typmod)))
		},
		pgcat.Interval: func(_ *Env, s string, typmod int32) (any, *pgerr.Error) {
			return anyOf(pgtype.ParseInterval(s, typmod))
		},
	}
}

func dateOutputs() map[pgcat.OID]Output {
	return map[pgcat.OID]Output{
		pgcat.Date: func(_ *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
			return pgtype.AppendDate(dst, v.(int64)), nil
		},
		pgcat.Time: func(_ *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
			return pgtype.AppendTime(dst, v.(int64)), nil
		},
		pgcat.Timetz: func(_ *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
			return pgtype.AppendTimetz(dst, v.(pgtype.Timetz)), nil
		},
		pgcat.Timestamp: func(_ *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
			return pgtype.AppendTimestamp(dst, v.(int64)), nil
		},
		pgcat.Timestamptz: func(e *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
			return pgtype.AppendTimestamptz(dst, v.(int64), e.moment()), nil
		},
		pgcat.Interval: func(_ *Env, dst []byte, v any) ([]byte, *pgerr.Error) {
			return pgtype.AppendInterval(dst, v.(pgtype.Interval)), nil
		},
	}
}
