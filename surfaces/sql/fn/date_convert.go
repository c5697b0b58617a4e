package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// dateConversions are the casts between the types, the lengths that are declared,
// and AT TIME ZONE.
func dateConversions() map[string]Kernel {
	return map[string]Kernel{
		"date_timestamp":        Unary(func(_ *Env, d int64) (int64, *pgerr.Error) { return pgtype.DateToTimestamp(d) }),
		"date_timestamptz":      Unary(func(e *Env, d int64) (int64, *pgerr.Error) { return pgtype.DateToTimestamptz(d, e.moment()) }),
		"timestamp_date":        Unary(func(_ *Env, ts int64) (int64, *pgerr.Error) { return pgtype.TimestampDate(ts) }),
		"timestamptz_date":      Unary(localDate),
		"timestamp_time":        UnaryNull(func(_ *Env, ts int64) (Opt[int64], *pgerr.Error) { return timeOf(ts), nil }),
		"timestamptz_time":      UnaryNull(localTime),
		"timestamptz_timetz":    UnaryNull(localTimetz),
		"timestamp_timestamptz": Unary(func(e *Env, ts int64) (int64, *pgerr.Error) { return pgtype.TimestampToTimestamptz(ts, e.moment()) }),
		"timestamptz_timestamp": Unary(func(e *Env, ts int64) (int64, *pgerr.Error) { return pgtype.TimestamptzToTimestamp(ts, e.moment()) }),
		"time_interval":         Unary(func(_ *Env, t int64) (pgtype.Interval, *pgerr.Error) { return pgtype.Interval{Micros: t}, nil }),
		"interval_time":         Unary(func(_ *Env, v pgtype.Interval) (int64, *pgerr.Error) { return pgtype.IntervalTime(v) }),
		"timetz_time":           Unary(func(_ *Env, t any) (int64, *pgerr.Error) { return t.(pgtype.Timetz).Micros, nil }),
		"time_timetz":           Unary(func(e *Env, t int64) (any, *pgerr.Error) { return pgtype.TimeToTimetz(t, e.moment()), nil }),

		"timestamp_scale":   Binary(func(_ *Env, ts, n int64) (int64, *pgerr.Error) { return pgtype.FitTimestamp(ts, precisionOf(int32(n))) }),
		"timestamptz_scale": Binary(func(_ *Env, ts, n int64) (int64, *pgerr.Error) { return pgtype.FitTimestamp(ts, precisionOf(int32(n))) }),
		"time_scale":        Binary(func(_ *Env, t, n int64) (int64, *pgerr.Error) { return pgtype.FitTime(t, precisionOf(int32(n))), nil }),
		"timetz_scale": Binary(func(_ *Env, t any, n int64) (any, *pgerr.Error) {
			fitted := t.(pgtype.Timetz)
			fitted.Micros = pgtype.FitTime(fitted.Micros, precisionOf(int32(n)))
			return fitted, nil
		}),
		"interval_scale": Binary(func(_ *Env, v pgtype.Interval, n int64) (pgtype.Interval, *pgerr.Error) {
			return pgtype.FitInterval(v, int32(n))
		}),

		"timestamp_zone":       Binary(func(e *Env, name string, ts int64) (int64, *pgerr.Error) { return e.zoned(name, ts, pgtype.AtZone) }),
		"timestamptz_zone":     Binary(func(e *Env, name string, ts int64) (int64, *pgerr.Error) { return e.zoned(name, ts, pgtype.InZone) }),
		"timestamp_izone":      Binary(func(_ *Env, v pgtype.Interval, ts int64) (int64, *pgerr.Error) { return shifted(v, ts, pgtype.AtZone) }),
		"timestamptz_izone":    Binary(func(_ *Env, v pgtype.Interval, ts int64) (int64, *pgerr.Error) { return shifted(v, ts, pgtype.InZone) }),
		"timestamp_at_local":   Unary(func(e *Env, ts int64) (int64, *pgerr.Error) { return pgtype.AtZone(ts, e.moment().SessionZone()) }),
		"timestamptz_at_local": Unary(func(e *Env, ts int64) (int64, *pgerr.Error) { return pgtype.InZone(ts, e.moment().SessionZone()) }),
		"timetz_at_local": Unary(func(e *Env, t any) (any, *pgerr.Error) {
			return pgtype.TimetzInZone(t.(pgtype.Timetz), e.moment().SessionZone(), e.moment()), nil
		}),
		"timetz_zone": Binary(func(e *Env, name string, t any) (any, *pgerr.Error) {
			zone, err := e.zone(name)
			return pgtype.TimetzInZone(t.(pgtype.Timetz), zone, e.moment()), err
		}),
		"timetz_izone": Binary(func(e *Env, v pgtype.Interval, t any) (any, *pgerr.Error) {
			zone, err := pgtype.IntervalZone(v)
			return pgtype.TimetzInZone(t.(pgtype.Timetz), zone, e.moment()), err
		}),
	}
}

func localDate(e *Env, ts int64) (int64, *pgerr.Error) {
	local, err := pgtype.TimestamptzToTimestamp(ts, e.moment())
	if err != nil {
		return 0, err
	}
	return pgtype.TimestampDate(local)
}

func timeOf(ts int64) Opt[int64] {
	t, ok := pgtype.TimestampTime(ts)
	return Opt[int64]{Value: t, Null: !ok}
}

func localTime(e *Env, ts int64) (Opt[int64], *pgerr.Error) {
	t, ok := pgtype.TimestamptzTimetz(ts, e.moment())
	return Opt[int64]{Value: t.Micros, Null: !ok}, nil
}

func localTimetz(e *Env, ts int64) (Opt[any], *pgerr.Error) {
	t, ok := pgtype.TimestamptzTimetz(ts, e.moment())
	return Opt[any]{Value: t, Null: !ok}, nil
}

// zoned converts by a zone's name, which an infinite timestamp does not look at.
func (e *Env) zoned(name string, ts int64, convert func(int64, pgtype.Zone) (int64, *pgerr.Error)) (int64, *pgerr.Error) {
	if !pgtype.FiniteTimestamp(ts) {
		return ts, nil
	}
	zone, err := e.zone(name)
	if err != nil {
		return 0, err
	}
	return convert(ts, zone)
}

// shifted converts by an interval as an offset.
func shifted(v pgtype.Interval, ts int64, convert func(int64, pgtype.Zone) (int64, *pgerr.Error)) (int64, *pgerr.Error) {
	if !pgtype.FiniteTimestamp(ts) {
		return ts, nil
	}
	zone, err := pgtype.IntervalZone(v)
	if err != nil {
		return 0, err
	}
	return convert(ts, zone)
}
