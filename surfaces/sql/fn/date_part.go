package fn

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// datePartKernels are extract and date_part, date_trunc and isfinite.
func datePartKernels() map[string]Kernel {
	all := map[string]Kernel{
		"timestamp_trunc": Binary(func(_ *Env, unit string, ts int64) (int64, *pgerr.Error) { return pgtype.TruncTimestamp(unit, ts) }),
		"timestamptz_trunc": Binary(func(e *Env, unit string, ts int64) (int64, *pgerr.Error) {
			return pgtype.TruncTimestamptz(unit, ts, e.moment().SessionZone())
		}),
		"timestamptz_trunc_zone": Ternary(func(e *Env, unit string, ts int64, name string) (int64, *pgerr.Error) {
			return e.zoned(name, ts, func(ts int64, zone pgtype.Zone) (int64, *pgerr.Error) { return pgtype.TruncTimestamptz(unit, ts, zone) })
		}),
		"interval_trunc": Binary(func(_ *Env, unit string, v pgtype.Interval) (pgtype.Interval, *pgerr.Error) {
			return pgtype.TruncInterval(unit, v)
		}),
		"date_finite":      Unary(func(_ *Env, d int64) (bool, *pgerr.Error) { return pgtype.FiniteDate(d), nil }),
		"timestamp_finite": Unary(func(_ *Env, ts int64) (bool, *pgerr.Error) { return pgtype.FiniteTimestamp(ts), nil }),
		"interval_finite":  Unary(func(_ *Env, v pgtype.Interval) (bool, *pgerr.Error) { return v.Finite(), nil }),
		"date_part(text,date)": BinaryNull(func(_ *Env, unit string, d int64) (Opt[float64], *pgerr.Error) {
			ts, err := pgtype.DateToTimestamp(d)
			if err != nil {
				return None[float64](), err
			}
			return floatPart(pgtype.TimestampPart(unit, ts))
		}),
		"extract_date": BinaryNull(func(_ *Env, unit string, d int64) (Opt[pgtype.Numeric], *pgerr.Error) {
			return exactPart(pgtype.DatePart(unit, d))
		}),
	}
	partsOf(all, "timestamp", func(_ *Env, unit string, ts int64) (pgtype.Part, *pgerr.Error) { return pgtype.TimestampPart(unit, ts) })
	partsOf(all, "timestamptz", func(e *Env, unit string, ts int64) (pgtype.Part, *pgerr.Error) {
		return pgtype.TimestamptzPart(unit, ts, e.moment())
	})
	partsOf(all, "time", func(_ *Env, unit string, t int64) (pgtype.Part, *pgerr.Error) { return pgtype.TimePart(unit, t) })
	partsOf(all, "timetz", func(_ *Env, unit string, t any) (pgtype.Part, *pgerr.Error) {
		return pgtype.TimetzPart(unit, t.(pgtype.Timetz))
	})
	partsOf(all, "interval", func(_ *Env, unit string, v pgtype.Interval) (pgtype.Part, *pgerr.Error) {
		return pgtype.IntervalPart(unit, v)
	})
	return all
}

// partsOf enters date_part and extract of a type.
func partsOf[T any](all map[string]Kernel, typeName string, part func(e *Env, unit string, v T) (pgtype.Part, *pgerr.Error)) {
	all[typeName+"_part"] = BinaryNull(func(e *Env, unit string, v T) (Opt[float64], *pgerr.Error) { return floatPart(part(e, unit, v)) })
	all["extract_"+typeName] = BinaryNull(func(e *Env, unit string, v T) (Opt[pgtype.Numeric], *pgerr.Error) { return exactPart(part(e, unit, v)) })
}

func floatPart(p pgtype.Part, err *pgerr.Error) (Opt[float64], *pgerr.Error) {
	return Opt[float64]{Value: p.Float, Null: p.Null}, err
}

func exactPart(p pgtype.Part, err *pgerr.Error) (Opt[pgtype.Numeric], *pgerr.Error) {
	return Opt[pgtype.Numeric]{Value: p.Exact, Null: p.Null}, err
}
