package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// dateArithmetic are + and - of dates, times and timestamps.
func dateArithmetic() map[string]Kernel {
	minus := func(v pgtype.Interval) (pgtype.Interval, *pgerr.Error) { return v.Neg() }
	addDays := func(_ *Env, d, n int64) (int64, *pgerr.Error) { return pgtype.AddToDate(d, n) }
	return map[string]Kernel{
		"date_mi":                    Binary(func(_ *Env, a, b int64) (int64, *pgerr.Error) { return pgtype.SubDates(a, b) }),
		"date_pli":                   Binary(addDays),
		"date_mii":                   Binary(func(e *Env, d, n int64) (int64, *pgerr.Error) { return addDays(e, d, -n) }),
		"integer_pl_date(int4,date)": flipped(addDays),

		"date_pl_interval":                Binary(addToDate),
		"interval_pl_date(interval,date)": flipped(addToDate),
		"date_mi_interval": Binary(func(e *Env, d int64, v pgtype.Interval) (int64, *pgerr.Error) {
			n, err := minus(v)
			if err != nil {
				return 0, err
			}
			return addToDate(e, d, n)
		}),

		"datetime_timestamp":         Binary(func(_ *Env, d, t int64) (int64, *pgerr.Error) { return pgtype.DateTime(d, t) }),
		"timedate_pl(time,date)":     Binary(func(_ *Env, t, d int64) (int64, *pgerr.Error) { return pgtype.DateTime(d, t) }),
		"datetimetz_timestamptz":     Binary(func(_ *Env, d int64, t any) (int64, *pgerr.Error) { return pgtype.DateTimetz(d, t.(pgtype.Timetz)) }),
		"timetzdate_pl(timetz,date)": Binary(func(_ *Env, t any, d int64) (int64, *pgerr.Error) { return pgtype.DateTimetz(d, t.(pgtype.Timetz)) }),
		"timestamptz(date,time)": Binary(func(e *Env, d, t int64) (int64, *pgerr.Error) {
			ts, err := pgtype.DateTime(d, t)
			if err != nil {
				return 0, err
			}
			return pgtype.TimestampToTimestamptz(ts, e.moment())
		}),

		"time_mi_time":                    Binary(func(_ *Env, a, b int64) (pgtype.Interval, *pgerr.Error) { return pgtype.Interval{Micros: a - b}, nil }),
		"time_pl_interval":                Binary(addToTime),
		"interval_pl_time(interval,time)": flipped(addToTime),
		"time_mi_interval":                Binary(func(_ *Env, t int64, v pgtype.Interval) (int64, *pgerr.Error) { return pgtype.SubFromTime(t, v) }),

		"timetz_pl_interval":                  Binary(timetzBy(pgtype.AddToTime)),
		"interval_pl_timetz(interval,timetz)": flipped(timetzBy(pgtype.AddToTime)),
		"timetz_mi_interval":                  Binary(timetzBy(pgtype.SubFromTime)),

		"timestamp_mi":                              Binary(func(_ *Env, a, b int64) (pgtype.Interval, *pgerr.Error) { return pgtype.SubTimestamps(a, b) }),
		"timestamp_pl_interval":                     Binary(addToTimestamp),
		"interval_pl_timestamp(interval,timestamp)": flipped(addToTimestamp),
		"timestamp_mi_interval": Binary(func(e *Env, ts int64, v pgtype.Interval) (int64, *pgerr.Error) {
			n, err := minus(v)
			if err != nil {
				return 0, err
			}
			return addToTimestamp(e, ts, n)
		}),

		"timestamptz_pl_interval":                       Binary(addToTimestamptz),
		"interval_pl_timestamptz(interval,timestamptz)": flipped(addToTimestamptz),
		"timestamptz_mi_interval": Binary(func(e *Env, ts int64, v pgtype.Interval) (int64, *pgerr.Error) {
			n, err := minus(v)
			if err != nil {
				return 0, err
			}
			return addToTimestamptz(e, ts, n)
		}),
		"timestamptz_pl_interval_at_zone": Ternary(addAtZone),
		"timestamptz_mi_interval_at_zone": Ternary(func(e *Env, ts int64, v pgtype.Interval, zone string) (int64, *pgerr.Error) {
			n, err := minus(v)
			if err != nil {
				return 0, err
			}
			return addAtZone(e, ts, n, zone)
		}),

		"timestamp_age":   Binary(func(_ *Env, a, b int64) (pgtype.Interval, *pgerr.Error) { return pgtype.Age(a, b) }),
		"timestamptz_age": Binary(func(e *Env, a, b int64) (pgtype.Interval, *pgerr.Error) { return pgtype.AgeIn(a, b, e.moment()) }),
		"age(timestamp)": Unary(func(e *Env, a int64) (pgtype.Interval, *pgerr.Error) {
			today, err := pgtype.DateToTimestamp(e.moment().CurrentDate())
			if err != nil {
				return pgtype.Interval{}, err
			}
			return pgtype.Age(today, a)
		}),
		"age(timestamptz)": Unary(func(e *Env, a int64) (pgtype.Interval, *pgerr.Error) {
			today, err := pgtype.DateToTimestamptz(e.moment().CurrentDate(), e.moment())
			if err != nil {
				return pgtype.Interval{}, err
			}
			return pgtype.AgeIn(today, a, e.moment())
		}),
		"timestamp_bin": Ternary(func(_ *Env, stride pgtype.Interval, ts, origin int64) (int64, *pgerr.Error) {
			return pgtype.BinTimestamp(stride, ts, origin)
		}),
		"timestamptz_bin": Ternary(func(_ *Env, stride pgtype.Interval, ts, origin int64) (int64, *pgerr.Error) {
			return pgtype.BinTimestamp(stride, ts, origin)
		}),
	}
}

// flipped is Binary with the arguments the other way round.
func flipped[A, B, R any](f func(e *Env, a A, b B) (R, *pgerr.Error)) Kernel {
	return Binary(func(e *Env, b B, a A) (R, *pgerr.Error) { return f(e, a, b) })
}

func addToDate(_ *Env, d int64, v pgtype.Interval) (int64, *pgerr.Error) {
	ts, err := pgtype.DateToTimestamp(d)
	if err != nil {
		return 0, err
	}
	return pgtype.AddToTimestamp(ts, v)
}

func addToTime(_ *Env, t int64, v pgtype.Interval) (int64, *pgerr.Error) {
	return pgtype.AddToTime(t, v)
}

func addToTimestamp(_ *Env, ts int64, v pgtype.Interval) (int64, *pgerr.Error) {
	return pgtype.AddToTimestamp(ts, v)
}

func addToTimestamptz(e *Env, ts int64, v pgtype.Interval) (int64, *pgerr.Error) {
	return pgtype.AddToTimestamptz(ts, v, e.moment().SessionZone())
}

func addAtZone(e *Env, ts int64, v pgtype.Interval, name string) (int64, *pgerr.Error) {
	zone, err := e.zone(name)
	if err != nil {
		return 0, err
	}
	return pgtype.AddToTimestamptz(ts, v, zone)
}

// timetzBy changes the time of a time with an offset.
func timetzBy(change func(micros int64, v pgtype.Interval) (int64, *pgerr.Error)) func(*Env, any, pgtype.Interval) (any, *pgerr.Error) {
	return func(_ *Env, t any, v pgtype.Interval) (any, *pgerr.Error) {
		changed := t.(pgtype.Timetz)
		var err *pgerr.Error
		changed.Micros, err = change(changed.Micros, v)
		return changed, err
	}
}

// intervalArithmetic are the operators of intervals.
func intervalArithmetic() map[string]Kernel {
	return map[string]Kernel{
		"interval_um":               Unary(func(_ *Env, a pgtype.Interval) (pgtype.Interval, *pgerr.Error) { return a.Neg() }),
		"interval_pl":               Binary(func(_ *Env, a, b pgtype.Interval) (pgtype.Interval, *pgerr.Error) { return a.Add(b) }),
		"interval_mi":               Binary(func(_ *Env, a, b pgtype.Interval) (pgtype.Interval, *pgerr.Error) { return a.Sub(b) }),
		"interval_mul":              Binary(func(_ *Env, a pgtype.Interval, f float64) (pgtype.Interval, *pgerr.Error) { return a.Mul(f) }),
		"mul_d_interval":            Binary(func(_ *Env, f float64, a pgtype.Interval) (pgtype.Interval, *pgerr.Error) { return a.Mul(f) }),
		"interval_div":              Binary(func(_ *Env, a pgtype.Interval, f float64) (pgtype.Interval, *pgerr.Error) { return a.Div(f) }),
		"interval_justify_hours":    Unary(func(_ *Env, a pgtype.Interval) (pgtype.Interval, *pgerr.Error) { return a.JustifyHours() }),
		"interval_justify_days":     Unary(func(_ *Env, a pgtype.Interval) (pgtype.Interval, *pgerr.Error) { return a.JustifyDays() }),
		"interval_justify_interval": Unary(func(_ *Env, a pgtype.Interval) (pgtype.Interval, *pgerr.Error) { return a.JustifyInterval() }),
	}
}
