package pgtype

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// SubDates gives the days from b to a.
func SubDates(a, b int64) (int64, *pgerr.Error) {
	if !FiniteDate(a) || !FiniteDate(b) {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "cannot subtract infinite dates")
	}
	return a - b, nil
}

// AddToDate adds days.
func AddToDate(d, days int64) (int64, *pgerr.Error) {
	if !FiniteDate(d) {
		return d, nil
	}
	if !validDate(d + days) {
		return 0, errDateRange
	}
	return d + days, nil
}

var errDateForTimestamp = pgerr.New(pgerr.DatetimeOverflow, "date out of range for timestamp")

// DateToTimestamp gives the day's beginning.
func DateToTimestamp(d int64) (int64, *pgerr.Error) {
	switch {
	case d == DateInfinity:
		return TimestampInfinity, nil
	case d == DateNegInfinity:
		return TimestampNegInfinity, nil
	case !timestampDay(int(d)):
		return 0, errDateForTimestamp
	}
	return d * microsPerDay, nil
}

// DateToTimestamptz gives the moment at which the day begins in the session's
// zone.
func DateToTimestamptz(d int64, clock Clock) (int64, *pgerr.Error) {
	ts, err := DateToTimestamp(d)
	if err != nil || !FiniteTimestamp(ts) {
		return ts, err
	}
	var c civil
	c.setDate(int(d))
	offset, _ := offsetOf(clock.zone(), &c)
	ts, ok := addInt64(ts, -int64(offset)*microsPerSecond)
	if !ok || !validTimestamp(ts) {
		return 0, errDateForTimestamp
	}
	return ts, nil
}

// DateTime gives a date's timestamp at a time of day.
func DateTime(d, micros int64) (int64, *pgerr.Error) {
	ts, err := DateToTimestamp(d)
	if err != nil || !FiniteTimestamp(ts) {
		return ts, err
	}
	if ts += micros; !validTimestamp(ts) {
		return 0, errTimestampRange
	}
	return ts, nil
}

// DateTimetz gives the moment of a date at a time with an offset.
func DateTimetz(d int64, t Timetz) (int64, *pgerr.Error) {
	ts, err := DateToTimestamp(d)
	if err != nil || !FiniteTimestamp(ts) {
		return ts, err
	}
	if ts += t.utc(); !validTimestamp(ts) {
		return 0, errDateForTimestamp
	}
	return ts, nil
}

// TimestampDate gives the day of a timestamp.
func TimestampDate(ts int64) (int64, *pgerr.Error) {
	switch ts {
	case TimestampInfinity:
		return DateInfinity, nil
	case TimestampNegInfinity:
		return DateNegInfinity, nil
	}
	days, _ := splitTimestamp(ts)
	return int64(days), nil
}

// TimestampTime gives the time of day; false for an infinite timestamp, which has
// none.
func TimestampTime(ts int64) (int64, bool) {
	_, micros := splitTimestamp(ts)
	return micros, FiniteTimestamp(ts)
}

// TimestamptzToTimestamp gives the date and time that the session's zone shows.
func TimestamptzToTimestamp(ts int64, clock Clock) (int64, *pgerr.Error) {
	return toLocal(ts, offsetAt(clock.zone(), unixSeconds(ts)))
}

func toLocal(ts int64, offset int) (int64, *pgerr.Error) {
	if !FiniteTimestamp(ts) {
		return ts, nil
	}
	if ts += int64(offset) * microsPerSecond; !validTimestamp(ts) {
		return 0, errTimestampRange
	}
	return ts, nil
}

// TimestampToTimestamptz gives the moment at which the session's zone shows a date
// and time.
func TimestampToTimestamptz(ts int64, clock Clock) (int64, *pgerr.Error) {
	return AtZone(ts, Zone{location: clock.zone()})
}

// AtZone gives the moment at which a zone shows a date and time.
func AtZone(ts int64, zone Zone) (int64, *pgerr.Error) {
	if !FiniteTimestamp(ts) {
		return ts, nil
	}
	c := civilOf(ts)
	return toLocal(ts, -zone.offsetOf(&c))
}

// InZone gives the date and time that a zone shows at a moment.
func InZone(ts int64, zone Zone) (int64, *pgerr.Error) {
	if !FiniteTimestamp(ts) {
		return ts, nil
	}
	return toLocal(ts, zone.offsetAt(ts))
}

// TimetzInZone moves a time to a zone's offset at the statement's moment.
func TimetzInZone(t Timetz, zone Zone, clock Clock) Timetz {
	west := int32(-zone.offsetAt(clock.Now))
	micros := t.Micros + int64(t.Zone-west)*microsPerSecond
	return Timetz{Micros: int64Mod(micros, microsPerDay), Zone: west}
}

func int64Mod(n, by int64) int64 {
	if n %= by; n < 0 {
		n += by
	}
	return n
}

// IntervalZone reads an interval as an offset.
func IntervalZone(v Interval) (Zone, *pgerr.Error) {
	text := AppendInterval(nil, v)
	switch {
	case !v.Finite():
		return Zone{}, pgerr.New(pgerr.InvalidParameter, "interval time zone \"%s\" must be finite", text)
	case v.Months != 0 || v.Days != 0:
		return Zone{}, pgerr.New(pgerr.InvalidParameter, "interval time zone \"%s\" must not include months or days", text)
	}
	// The server keeps an offset in 32 bits, whatever it is.
	return Zone{offset: int(int32(v.Micros / microsPerSecond))}, nil
}

// SessionZone is the zone of the session.
func (c Clock) SessionZone() Zone { return Zone{location: c.zone()} }

// TimeToTimetz gives a time the session's offset today at that time.
func TimeToTimetz(micros int64, clock Clock) Timetz {
	c, _ := clock.local()
	c.setTime(micros)
	offset, _ := offsetOf(clock.zone(), &c)
	return Timetz{Micros: micros, Zone: int32(-offset)}
}

// TimestamptzTimetz gives the time of day and the offset that the session's zone
// shows; false for an infinite timestamp.
func TimestamptzTimetz(ts int64, clock Clock) (Timetz, bool) {
	if !FiniteTimestamp(ts) {
		return Timetz{}, false
	}
	c, offset := clock.show(ts)
	return Timetz{Micros: c.timeMicros(), Zone: int32(-offset)}, true
}

// AddToTime adds an interval's time, round the clock. A sum beyond 64 bits wraps,
// as the server's does.
func AddToTime(micros int64, v Interval) (int64, *pgerr.Error) {
	if !v.Finite() {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "cannot add infinite interval to time")
	}
	return int64Mod(micros+v.Micros, microsPerDay), nil
}

// SubFromTime subtracts an interval's time, round the clock.
func SubFromTime(micros int64, v Interval) (int64, *pgerr.Error) {
	if !v.Finite() {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "cannot subtract infinite interval from time")
	}
	return int64Mod(micros-v.Micros, microsPerDay), nil
}

// IntervalTime gives the time of day of an interval, without its days.
func IntervalTime(v Interval) (int64, *pgerr.Error) {
	if !v.Finite() {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "cannot convert infinite interval to time")
	}
	return int64Mod(v.Micros, microsPerDay), nil
}

// MakeDate puts a date together; a negative year is BC.
func MakeDate(year, month, day int64) (int64, *pgerr.Error) {
	shown := year // as the server has it by then
	if year < 0 && year > math.MinInt32 {
		shown = year + 1
	}
	c, ok := makeCivil(year, month, day)
	if !ok {
		return 0, errMadeDate("date field value out of range", shown, month, day)
	}
	if !validJulian(c.year, c.month) || !validDate(int64(c.days())) {
		return 0, errMadeDate("date out of range", shown, month, day)
	}
	return int64(c.days()), nil
}

func errMadeDate(what string, year, month, day int64) *pgerr.Error {
	return pgerr.New(pgerr.DatetimeOverflow, "%s: %d-%02d-%02d", what, year, month, day)
}

func makeCivil(year, month, day int64) (civil, bool) {
	r := dateReader{seen: partDate, era: anno}
	r.year, r.month, r.day = int(year), int(month), int(day)
	if year < 0 {
		r.era, r.year = beforeChrist, -r.year
	}
	ok := r.year <= math.MaxInt32 && r.checkDate() == fine
	return r.civil, ok
}

// MakeTime puts a time of day together.
func MakeTime(hour, minute int64, second float64) (int64, *pgerr.Error) {
	micros, ok := makeTime(hour, minute, second)
	if !ok {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "time field value out of range: %d:%02d:%s", hour, minute, twoDigitFloat(second))
	}
	return micros, nil
}

func makeTime(hour, minute int64, second float64) (int64, bool) {
	if math.IsNaN(second) || hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60 {
		return 0, false
	}
	micros := (hour*60+minute)*microsPerMinute + int64(math.RoundToEven(second*microsPerSecond))
	return micros, math.RoundToEven(second*microsPerSecond) <= 60*microsPerSecond && micros <= microsPerDay
}

// MakeTimestamp puts a timestamp together.
func MakeTimestamp(year, month, day, hour, minute int64, second float64) (int64, *pgerr.Error) {
	c, ok := makeCivil(year, month, day)
	if !ok {
		return 0, errMadeDate("date field value out of range", year, month, day)
	}
	if !validJulian(c.year, c.month) {
		return 0, errMadeDate("date out of range", year, month, day)
	}
	micros, err := MakeTime(hour, minute, second)
	if err != nil {
		return 0, err
	}
	days, ok := multiply(int64(c.days()), microsPerDay)
	ts, fits := addInt64(days, micros)
	if !ok || !fits || !validTimestamp(ts) {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "timestamp out of range: %d-%02d-%02d %d:%02d:%s", year, month, day, hour, minute, twoDigitFloat(second))
	}
	return ts, nil
}

// MakeTimestamptz puts a moment together in a zone, given by name or as an offset
// with a sign.
func MakeTimestamptz(year, month, day, hour, minute int64, second float64, zoneName string) (int64, *pgerr.Error) {
	ts, err := MakeTimestamp(year, month, day, hour, minute, second)
	if err != nil {
		return 0, err
	}
	zone, err := parseSaneZone(zoneName)
	if err != nil {
		return 0, err
	}
	return AtZone(ts, zone)
}

// parseSaneZone reads a zone where an offset must have a sign.
func parseSaneZone(name string) (Zone, *pgerr.Error) {
	if name != "" && isDigit(name[0]) {
		return Zone{}, pgerr.New(pgerr.InvalidParameter, "invalid input syntax for type %s: \"%s\"", "numeric time zone", name).
			WithHint("Numeric time zones must have \"-\" or \"+\" as first character.")
	}
	offset, p := readOffset(name)
	switch p {
	case fine:
		return Zone{offset: offset}, nil
	case zoneOverflow:
		return Zone{}, pgerr.New(pgerr.InvalidParameter, "numeric time zone \"%s\" out of range", name)
	}
	return ParseZone(name)
}

// TimestamptzFromSeconds gives the moment so many seconds after 1970-01-01 UTC.
func TimestamptzFromSeconds(seconds float64) (int64, *pgerr.Error) {
	switch {
	case math.IsNaN(seconds):
		return 0, pgerr.New(pgerr.DatetimeOverflow, "timestamp cannot be NaN")
	case math.IsInf(seconds, 1):
		return TimestampInfinity, nil
	case math.IsInf(seconds, -1):
		return TimestampNegInfinity, nil
	}
	tooFar := pgerr.New(pgerr.DatetimeOverflow, "timestamp out of range: \"%s\"", shortFloat(seconds))
	const first, end = -unixEpochJulian * secondsPerDay, endTimestamp/microsPerSecond - unixEpochDays*secondsPerDay
	if seconds < first || seconds >= end {
		return 0, tooFar
	}
	micros := math.RoundToEven((seconds + unixEpochDays*secondsPerDay) * microsPerSecond)
	if ts := int64(micros); validTimestamp(ts) {
		return ts, nil
	}
	return 0, tooFar
}
