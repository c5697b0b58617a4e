package fn

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// overlapsKernels are OVERLAPS of pairs of moments, and of a moment and a length.
func overlapsKernels() map[string]Kernel {
	ints := func(a, b any) int { return compareInts(a.(int64), b.(int64)) }
	plain := func(order func(a, b any) int) Kernel { return overlapsKernel(order, nil) }
	all := map[string]Kernel{
		"overlaps_timestamp": plain(ints), "overlaps_time": plain(ints), "overlaps_timetz": plain(vector.CompareObject),
	}
	for name, add := range map[string]func(*Env, int64, pgtype.Interval) (int64, *pgerr.Error){
		"timestamp": addToTimestamp, "timestamptz": addToTimestamptz, "time": addToTime,
	} {
		for _, ends := range [][2]string{{"interval", "interval"}, {name, "interval"}, {"interval", name}} {
			all["overlaps("+strings.Join([]string{name, ends[0], name, ends[1]}, ",")+")"] = overlapsKernel(ints, add)
		}
	}
	return all
}

// overlapsKernel compares two spans by the order of their ends. An end that is an
// interval is added to its beginning.
func overlapsKernel(order func(a, b any) int, add func(*Env, int64, pgtype.Interval) (int64, *pgerr.Error)) Kernel {
	return Rowwise(func(e *Env, args []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
		var ends [4]any
		for i, a := range args {
			ends[i] = a.Value
			length, ok := a.Value.(pgtype.Interval)
			if !ok || add == nil {
				continue
			}
			ends[i] = nil
			if begin := args[i-1].Value; begin != nil {
				end, err := add(e, begin.(int64), length)
				if err != nil {
					return nil, err
				}
				ends[i] = end
			}
		}
		return overlap(ends, order), nil
	})
}

// overlap follows the SQL standard, section 8.14: the answer is unknown (nil) only
// where a missing end decides.
func overlap(ends [4]any, order func(a, b any) int) any {
	for i := 0; i < 4; i += 2 {
		begin, end := ends[i], ends[i+1]
		switch {
		case begin == nil && end == nil:
			return nil
		case begin == nil, end != nil && order(begin, end) > 0:
			ends[i], ends[i+1] = end, begin
		}
	}
	c := order(ends[0], ends[2])
	if c == 0 {
		if ends[1] == nil || ends[3] == nil {
			return nil
		}
		return true
	}
	late, earlyEnd, lateEnd := ends[0], ends[3], ends[1]
	if c < 0 {
		late, earlyEnd, lateEnd = ends[2], ends[1], ends[3]
	}
	switch {
	case earlyEnd == nil:
		return nil
	case order(late, earlyEnd) < 0:
		return true
	case lateEnd == nil:
		return nil
	}
	return false
}

// errFrameOffset is the server's error for a frame that would begin after it ends.
var errFrameOffset = pgerr.New("22013", "invalid preceding or following size in window function")

// inRangeKernels say whether a value lies within a RANGE frame's offset: (value,
// base, offset, subtract, less).
func inRangeKernels() map[string]Kernel {
	moments := func(convert func(*Env, int64) (int64, *pgerr.Error), add func(*Env, int64, pgtype.Interval) (int64, *pgerr.Error)) Kernel {
		return Rowwise(func(e *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			v, err := convert(e, a[0].Value.(int64))
			if err != nil {
				return nil, err
			}
			base, err := convert(e, a[1].Value.(int64))
			if err != nil {
				return nil, err
			}
			return inRangeOfMoment(e, v, base, a, add)
		})
	}
	same := func(_ *Env, ts int64) (int64, *pgerr.Error) { return ts, nil }
	return map[string]Kernel{
		"in_range_date_interval":        moments(func(_ *Env, d int64) (int64, *pgerr.Error) { return pgtype.DateToTimestamp(d) }, addToTimestamp),
		"in_range_timestamp_interval":   moments(same, addToTimestamp),
		"in_range_timestamptz_interval": moments(same, addToTimestamptz),
		"in_range_interval_interval":    Rowwise(inRangeOfInterval),
		"in_range_time_interval": Rowwise(func(_ *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			return inRangeOfTime(a, a[1].Value.(int64), func(end int64) int { return compareInts(a[0].Value.(int64), end) })
		}),
		"in_range_timetz_interval": Rowwise(func(_ *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
			v, base := a[0].Value.(pgtype.Timetz), a[1].Value.(pgtype.Timetz)
			return inRangeOfTime(a, base.Micros, func(end int64) int {
				return pgtype.CompareTimetz(v, pgtype.Timetz{Micros: end, Zone: base.Zone})
			})
		}),
	}
}

// frameOf gives the offset and the two flags.
func frameOf(a []vector.Datum) (offset pgtype.Interval, subtract, less bool) {
	return a[2].Value.(pgtype.Interval), a[3].Value.(bool), a[4].Value.(bool)
}

func inRangeOfMoment(e *Env, v, base int64, a []vector.Datum, add func(*Env, int64, pgtype.Interval) (int64, *pgerr.Error)) (any, *pgerr.Error) {
	offset, subtract, less := frameOf(a)
	if pgtype.CompareInterval(offset, pgtype.Interval{}) < 0 {
		return nil, errFrameOffset
	}
	far := pgtype.TimestampNegInfinity
	if subtract {
		far = pgtype.TimestampInfinity
	}
	if offset == pgtype.IntervalInfinity && base == far {
		return true, nil
	}
	if subtract {
		var err *pgerr.Error
		if offset, err = offset.Neg(); err != nil {
			return nil, err
		}
	}
	end, err := add(e, base, offset)
	if err != nil {
		return nil, err
	}
	return within(compareInts(v, end), less), nil
}

func within(order int, less bool) bool {
	if less {
		return order <= 0
	}
	return order >= 0
}

func inRangeOfInterval(_ *Env, a []vector.Datum, _ *vector.Column) (any, *pgerr.Error) {
	offset, subtract, less := frameOf(a)
	v, base := a[0].Value.(pgtype.Interval), a[1].Value.(pgtype.Interval)
	if pgtype.CompareInterval(offset, pgtype.Interval{}) < 0 {
		return nil, errFrameOffset
	}
	end, err := base.Add(offset)
	far := pgtype.IntervalNegInfinity
	if subtract {
		end, err = base.Sub(offset)
		far = pgtype.IntervalInfinity
	}
	if offset == pgtype.IntervalInfinity && base == far {
		return true, nil
	}
	if err != nil {
		return nil, err
	}
	return within(pgtype.CompareInterval(v, end), less), nil
}

// inRangeOfTime does not go round the clock.
func inRangeOfTime(a []vector.Datum, base int64, order func(end int64) int) (any, *pgerr.Error) {
	offset, subtract, less := frameOf(a)
	if offset.Micros < 0 {
		return nil, errFrameOffset
	}
	end := base - offset.Micros
	if !subtract {
		if end = base + offset.Micros; end < base {
			return less, nil
		}
	}
	return within(order(end), less), nil
}
