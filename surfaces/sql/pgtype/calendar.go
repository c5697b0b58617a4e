package pgtype

import "github.com/polyglove/polyglove/surfaces/sql/pgerr"

// Units of the server's times, which count microseconds, and of its days, which
// count from 2000-01-01.
const (
	microsPerSecond = 1_000_000
	microsPerMinute = 60 * microsPerSecond
	microsPerHour   = 60 * microsPerMinute
	microsPerDay    = 24 * microsPerHour

	secondsPerDay = 86400
	monthsPerYear = 12
	daysPerMonth  = 30 // of an interval

	epochJulian     = 2451545 // 2000-01-01
	unixEpochJulian = 2440588 // 1970-01-01
	unixEpochDays   = unixEpochJulian - epochJulian
	unixEpochMicros = int64(unixEpochDays) * microsPerDay
)

// The bounds of the server's types.
const (
	minDate      = -epochJulian             // 4714-11-24 BC
	endDate      = 2147483494 - epochJulian // 5874898-01-01
	minTimestamp = -211813488000000000      // 4714-11-24 BC
	endTimestamp = 9223371331200000000      // 294277-01-01
)

// civil is a moment as a calendar and a clock show it. Years count as astronomers
// do: 0 is 1 BC.
type civil struct {
	year, month, day             int
	hour, minute, second, micros int
}

// julianDay numbers a day of the Gregorian calendar. It counts in 32 bits, as the
// server, so that years beyond any valid date give the server's numbers too.
func julianDay(year, month, day int) int {
	y, m := int32(year), int32(month)
	if m > 2 {
		m++
		y += 4800
	} else {
		m += 13
		y += 4799
	}
	century := y / 100
	n := y*365 - 32167
	n += y/4 - century + century/4
	n += 7834*m/256 + int32(day)
	return int(n)
}

// fromJulianDay is the inverse of julianDay, for days that are not negative.
func fromJulianDay(julian int) (year, month, day int) {
	n := uint32(julian) + 32044
	quad := n / 146097
	extra := (n-quad*146097)*4 + 3
	n += 60 + quad*3 + extra/146097
	quad = n / 1461
	n -= quad * 1461
	y := n * 4 / 1461
	if y != 0 {
		n = (n+305)%365 + 123
	} else {
		n = (n+306)%366 + 123
	}
	y += quad * 4
	quad = n * 2141 / 65536
	return int(y) - 4800, int((quad+10)%monthsPerYear + 1), int(n - 7834*quad/256)
}

// weekday gives the day of the week of a Julian day, 0 for Sunday.
func weekday(julian int) int { return floorMod(julian+1, 7) }

func floorMod(n, by int) int {
	if n %= by; n < 0 {
		n += by
	}
	return n
}

func leapYear(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

var monthLengths = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func monthLength(year, month int) int {
	if month == 2 && leapYear(year) {
		return 29
	}
	return monthLengths[month-1]
}

// validJulian reports whether a day has a number that is not negative.
func validJulian(year, month int) bool {
	return (year > -4713 || year == -4713 && month >= 11) &&
		(year < 5874898 || year == 5874898 && month < 6)
}

// timeOverflows refuses a clock beyond 24:00:00. A second of 60 is the next minute.
func (c *civil) timeOverflows() bool {
	if c.hour < 0 || c.hour > 24 || c.minute < 0 || c.minute > 59 || c.second < 0 || c.second > 60 ||
		c.micros < 0 || c.micros > microsPerSecond {
		return true
	}
	return c.timeMicros() > microsPerDay
}

// timeMicros gives the microseconds since midnight.
func (c *civil) timeMicros() int64 {
	return int64((c.hour*60+c.minute)*60+c.second)*microsPerSecond + int64(c.micros)
}

// setTime sets the clock from microseconds since midnight.
func (c *civil) setTime(micros int64) {
	c.hour = int(micros / microsPerHour)
	c.minute = int(micros / microsPerMinute % 60)
	c.second = int(micros / microsPerSecond % 60)
	c.micros = int(micros % microsPerSecond)
}

// setDate sets the calendar from days since 2000-01-01.
func (c *civil) setDate(days int) { c.year, c.month, c.day = fromJulianDay(days + epochJulian) }

// days gives the days since 2000-01-01.
func (c *civil) days() int { return julianDay(c.year, c.month, c.day) - epochJulian }

// splitTimestamp gives the days and the microseconds of the day of a timestamp.
func splitTimestamp(ts int64) (days int, micros int64) {
	d := ts / microsPerDay
	micros = ts % microsPerDay
	if micros < 0 {
		micros += microsPerDay
		d--
	}
	return int(d), micros
}

// civilOf breaks a finite timestamp down as it is, in no zone.
func civilOf(ts int64) (c civil) {
	days, micros := splitTimestamp(ts)
	c.setDate(days)
	c.setTime(micros)
	return c
}

// timestamp puts a moment together in no zone; false beyond the type's range.
func (c *civil) timestamp() (int64, bool) {
	if !validJulian(c.year, c.month) {
		return 0, false
	}
	days, ok := multiply(int64(c.days()), microsPerDay)
	if !ok {
		return 0, false
	}
	ts, ok := addInt64(days, c.timeMicros())
	return ts, ok && validTimestamp(ts)
}

func validTimestamp(ts int64) bool { return ts >= minTimestamp && ts < endTimestamp }

func validDate(d int64) bool { return d >= minDate && d < endDate }

// addInt64 gives a sum that fits, or false.
func addInt64(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

// isoWeekMonday gives the Julian day of the Monday of week 1 of an ISO year.
func isoWeekMonday(year int) int {
	fourth := julianDay(year, 1, 4)
	return fourth - weekday(fourth-1)
}

// isoWeek gives the week of a day and the year to which that week belongs.
func isoWeek(c *civil) (year, week int) {
	day := julianDay(c.year, c.month, c.day)
	year = c.year
	start := isoWeekMonday(year)
	if day < start {
		year--
		start = isoWeekMonday(year)
	} else if next := isoWeekMonday(year + 1); day >= next {
		year, start = year+1, next
	}
	return year, (day-start)/7 + 1
}

// dayOfYear counts from 1.
func (c *civil) dayOfYear() int {
	return julianDay(c.year, c.month, c.day) - julianDay(c.year, 1, 1) + 1
}

var (
	errTimestampRange = pgerr.New(pgerr.DatetimeOverflow, "timestamp out of range")
	errDateRange      = pgerr.New(pgerr.DatetimeOverflow, "date out of range")
	errIntervalRange  = pgerr.New(pgerr.DatetimeOverflow, "interval out of range")
)
