package fn

import (
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"

	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// dateConstructors are the make_ functions and to_timestamp of seconds.
func dateConstructors() map[string]Kernel {
	return map[string]Kernel{
		"make_date": Ternary(func(_ *Env, y, m, d int64) (int64, *pgerr.Error) { return pgtype.MakeDate(y, m, d) }),
		"make_time": Ternary(func(_ *Env, h, m int64, s float64) (int64, *pgerr.Error) { return pgtype.MakeTime(h, m, s) }),
		"make_timestamp": Rowwise(func(_ *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			n, s := numbers(a)
			return anyOf(pgtype.MakeTimestamp(n[0], n[1], n[2], n[3], n[4], s))
		}),
		"make_timestamptz": Rowwise(func(e *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			n, s := numbers(a)
			ts, err := pgtype.MakeTimestamp(n[0], n[1], n[2], n[3], n[4], s)
			if err != nil {
				return nil, err
			}
			return anyOf(pgtype.TimestampToTimestamptz(ts, e.moment()))
		}),
		"make_timestamptz_at_timezone": Rowwise(func(_ *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			n, s := numbers(a[:6])
			return anyOf(pgtype.MakeTimestamptz(n[0], n[1], n[2], n[3], n[4], s, a[6].Value.(string)))
		}),
		"make_interval": Rowwise(func(_ *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			n, s := numbers(a)
			return anyOf(pgtype.MakeInterval(n[0], n[1], n[2], n[3], n[4], n[5], s))
		}),
		"float8_timestamptz": Unary(func(_ *Env, s float64) (int64, *pgerr.Error) { return pgtype.TimestamptzFromSeconds(s) }),
	}
}

// numbers gives the integers, and the seconds that end them.
func numbers(args []vector.Datum) (whole []int64, seconds float64) {
	last := len(args) - 1
	for _, a := range args[:last] {
		whole = append(whole, a.Value.(int64))
	}
	return whole, args[last].Value.(float64)
}

// clockKernels tell the time.
func clockKernels() map[string]Kernel {
	start := Nullary(func(e *Env) (int64, *pgerr.Error) { return e.moment().Now, nil })
	return map[string]Kernel{
		"now": start, "statement_timestamp": start,
		"clock_timestamp": Nullary(func(e *Env) (int64, *pgerr.Error) {
			now := e.Now
			if e.Clock != nil {
				now = e.Clock()
			}
			return pgtype.NewClock(now, time.UTC).Now, nil
		}),
	}
}
