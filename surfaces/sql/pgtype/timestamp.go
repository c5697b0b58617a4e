package pgtype

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// The timestamps that are before and after all others. A timestamp counts the
// microseconds since 2000-01-01 00:00, in UTC when it is one with time zone.
const (
	TimestampInfinity    int64 = math.MaxInt64
	TimestampNegInfinity int64 = math.MinInt64
)

// FiniteTimestamp reports whether a timestamp is a moment.
func FiniteTimestamp(ts int64) bool { return ts != TimestampInfinity && ts != TimestampNegInfinity }

// FiniteDate reports whether a date is a day.
func FiniteDate(d int64) bool { return d != DateInfinity && d != DateNegInfinity }

// ParseTimestamp reads a date and time. A zone is read and ignored.
func ParseTimestamp(s string, clock Clock) (int64, *pgerr.Error) {
	if ts, ok := plainTimestamp(s); ok {
		return ts, nil
	}
	r, p := readMoment(s, timestampTextRoom, clock, false)
	if p != fine {
		return 0, parseError(p, "timestamp", s, r.badZone)
	}
	if ts, ok := specialTimestamp(r.special); ok {
		return ts, nil
	}
	ts, ok := r.timestamp()
	if !ok {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "timestamp out of range: \"%s\"", s)
	}
	return ts, nil
}

// ParseTimestamptz reads a date and time with a zone, by default the session's.
func ParseTimestamptz(s string, clock Clock) (int64, *pgerr.Error) {
	r, p := readMoment(s, timestampTextRoom, clock, false)
	if p != fine {
		return 0, parseError(p, "timestamp with time zone", s, r.badZone)
	}
	if ts, ok := specialTimestamp(r.special); ok {
		return ts, nil
	}
	ts, ok := r.instant(r.zone)
	if !ok {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "timestamp out of range: \"%s\"", s)
	}
	return ts, nil
}

func specialTimestamp(special int) (int64, bool) {
	switch special {
	case valueEpoch:
		return unixEpochMicros, true
	case valueInfinity:
		return TimestampInfinity, true
	case valueNegInfinity:
		return TimestampNegInfinity, true
	}
	return 0, false
}

// instant gives the moment at which an offset shows this date and time. The local
// time itself may lie just outside the range.
func (c *civil) instant(east int) (int64, bool) {
	if !validJulian(c.year, c.month) {
		return 0, false
	}
	days, ok := multiply(int64(c.days()), microsPerDay)
	if !ok {
		return 0, false
	}
	ts, ok := addInt64(days, c.timeMicros())
	if !ok {
		return 0, false
	}
	ts, ok = addInt64(ts, -int64(east)*microsPerSecond)
	return ts, ok && validTimestamp(ts)
}

// plainTimestamp reads yyyy-mm-dd hh:mm:ss with a space or a T.
func plainTimestamp(s string) (int64, bool) {
	if len(s) != 19 || s[10] != ' ' && s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return 0, false
	}
	days, ok := plainDate(s[:10])
	hour, okHour := plainNumber(s[11:13])
	minute, okMinute := plainNumber(s[14:16])
	second, okSecond := plainNumber(s[17:])
	if !ok || !okHour || !okMinute || !okSecond || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	return days*microsPerDay + int64((hour*60+minute)*60+second)*microsPerSecond, true
}

// AppendTimestamp writes a timestamp in the ISO form.
func AppendTimestamp(dst []byte, ts int64) []byte {
	if !FiniteTimestamp(ts) {
		return appendInfinity(dst, ts)
	}
	c := civilOf(ts)
	dst = c.appendDate(dst)
	dst = c.appendTime(append(dst, ' '))
	return c.appendEra(dst)
}

// AppendTimestamptz writes a timestamp as the session's zone shows it.
func AppendTimestamptz(dst []byte, ts int64, clock Clock) []byte {
	if !FiniteTimestamp(ts) {
		return appendInfinity(dst, ts)
	}
	c, offset := clock.show(ts)
	dst = c.appendDate(dst)
	dst = c.appendTime(append(dst, ' '))
	return c.appendEra(appendOffset(dst, offset))
}

func appendInfinity(dst []byte, ts int64) []byte {
	if ts > 0 {
		return append(dst, "infinity"...)
	}
	return append(dst, "-infinity"...)
}

// show breaks a finite moment down in the session's zone.
func (c Clock) show(ts int64) (moment civil, offset int) { return showIn(c.zone(), ts) }
