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
	if ts, rest, ok := plainTimestamp(s); ok {
		if _, ok := plainZone(rest); ok || rest == "" {
			return ts, nil
		}
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
	if ts, rest, ok := plainTimestamp(s); ok {
		if offset, ok := plainZone(rest); ok {
			return ts - int64(offset)*microsPerSecond, nil
		}
		if rest == "" {
			return AtZone(ts, Zone{location: clock.zone()})
		}
	}
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

// plainTimestamp reads yyyy-mm-dd hh:mm:ss with a space or a T, and up to six
// digits of a second: the form that nearly every timestamp has. It gives what
// follows.
func plainTimestamp(s string) (ts int64, rest string, ok bool) {
	if len(s) < 19 || s[10] != ' ' && s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return 0, "", false
	}
	days, ok := plainDate(s[:10])
	hour, okHour := plainNumber(s[11:13])
	minute, okMinute := plainNumber(s[14:16])
	second, okSecond := plainNumber(s[17:19])
	if !ok || !okHour || !okMinute || !okSecond || hour > 23 || minute > 59 || second > 59 {
		return 0, "", false
	}
	ts = days*microsPerDay + int64((hour*60+minute)*60+second)*microsPerSecond
	rest = s[19:]
	if rest == "" || rest[0] != '.' {
		return ts, rest, true
	}
	n := 1
	for n < len(rest) && isDigit(rest[n]) {
		n++
	}
	fraction, _ := plainNumber(rest[1:min(n, 8)])
	if n == 1 || n > 7 {
		return 0, "", false
	}
	return ts + int64(fraction)*timeScales[n-1], rest[n:], true
}

// plainZone reads Z, +hh or +hh:mm, in seconds east.
func plainZone(s string) (offset int, ok bool) {
	if s == "Z" {
		return 0, true
	}
	if len(s) != 3 && (len(s) != 6 || s[3] != ':') || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hour, okHour := plainNumber(s[1:3])
	minute, okMinute := 0, true
	if len(s) == 6 {
		minute, okMinute = plainNumber(s[4:])
	}
	if !okHour || !okMinute || hour > maxZoneHour || minute > 59 {
		return 0, false
	}
	offset = (hour*60 + minute) * 60
	if s[0] == '-' {
		offset = -offset
	}
	return offset, true
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

// TimestampOfUUID gives the timestamp of a UUID's time: units of 100 nanoseconds
// since 1582-10-15 (RFC 9562 section 5.1).
func TimestampOfUUID(ticks int64) int64 {
	const gregorianJulian = 2299161
	return ticks/10 - (epochJulian-gregorianJulian)*microsPerDay
}
