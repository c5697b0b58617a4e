package pgtype

import "github.com/polyglove/polyglove/surfaces/sql/pgerr"

// ParseTime reads a time of day, in microseconds. A zone is read and ignored.
func ParseTime(s string, clock Clock) (int64, *pgerr.Error) {
	r, p := readMoment(s, timeTextRoom, clock, true)
	if p != fine {
		return 0, parseError(p, "time", s, r.badZone)
	}
	return r.timeMicros(), nil
}

// AppendTime writes a time of day.
func AppendTime(dst []byte, micros int64) []byte {
	var c civil
	c.setTime(micros)
	return c.appendTime(dst)
}

// ParseTimetz reads a time of day with a zone, by default the session's.
func ParseTimetz(s string, clock Clock) (Timetz, *pgerr.Error) {
	r, p := readMoment(s, timeTextRoom, clock, true)
	if p != fine {
		return Timetz{}, parseError(p, "time with time zone", s, r.badZone)
	}
	return Timetz{Micros: r.timeMicros(), Zone: int32(-r.zone)}, nil
}

// AppendTimetz writes a time of day with its offset.
func AppendTimetz(dst []byte, t Timetz) []byte {
	return appendOffset(AppendTime(dst, t.Micros), -int(t.Zone))
}

// appendOffset writes a sign and hh, hh:mm or hh:mm:ss.
func appendOffset(dst []byte, east int) []byte {
	sign := byte('+')
	if east < 0 {
		sign, east = '-', -east
	}
	dst = appendPadded(append(dst, sign), east/3600, 2)
	if east%3600 == 0 {
		return dst
	}
	dst = appendPadded(append(dst, ':'), east/60%60, 2)
	if east%60 == 0 {
		return dst
	}
	return appendPadded(append(dst, ':'), east%60, 2)
}

// utc gives the microseconds since midnight UTC, which may lie outside the day.
func (t Timetz) utc() int64 { return t.Micros + int64(t.Zone)*microsPerSecond }

// CompareTimetz orders by the moment in UTC, then by the offset, west after east.
func CompareTimetz(a, b Timetz) int {
	switch x, y := a.utc(), b.utc(); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return sign(int(a.Zone) - int(b.Zone))
}

// maxTimePrecision is how many digits of a second the types keep.
const maxTimePrecision = 6

// timeScales are the microseconds of the last digit kept, by precision.
var timeScales = [maxTimePrecision + 1]int64{1_000_000, 100_000, 10_000, 1_000, 100, 10, 1}

// FitTime rounds microseconds to the digits of a declared time(n), half away from
// zero; n below 0 leaves them.
func FitTime(micros int64, precision int) int64 {
	if precision < 0 || precision >= maxTimePrecision {
		return micros
	}
	scale := timeScales[precision]
	if micros >= 0 {
		return (micros + scale/2) / scale * scale
	}
	return -((-micros + scale/2) / scale * scale)
}

// FitTimestamp rounds a timestamp to the digits of a declared timestamp(n); n is -1
// when nothing is declared.
func FitTimestamp(ts int64, precision int) (int64, *pgerr.Error) {
	if !FiniteTimestamp(ts) || precision == -1 || precision == maxTimePrecision {
		return ts, nil
	}
	if precision < 0 || precision > maxTimePrecision {
		return 0, pgerr.New(pgerr.InvalidParameter, "timestamp(%d) precision must be between %d and %d", precision, 0, maxTimePrecision)
	}
	return FitTime(ts, precision), nil
}

// CurrentDate is the day of the statement in the session's zone.
func (c Clock) CurrentDate() int64 {
	moment, _ := c.local()
	return int64(moment.days())
}
