package pgtype

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// SubTimestamps gives the time from b to a, in days and hours.
func SubTimestamps(a, b int64) (Interval, *pgerr.Error) {
	if !FiniteTimestamp(a) || !FiniteTimestamp(b) {
		return subInfinite(a, b)
	}
	micros, ok := subInt64(a, b)
	if !ok {
		return Interval{}, errIntervalRange
	}
	return Interval{Micros: micros}.JustifyHours()
}

// subInfinite gives a - b where one is infinite.
func subInfinite(a, b int64) (Interval, *pgerr.Error) {
	switch {
	case a == b:
		return Interval{}, errIntervalRange
	case a == TimestampNegInfinity || b == TimestampInfinity:
		return IntervalNegInfinity, nil
	}
	return IntervalInfinity, nil
}

// AddToTimestamp adds months, then days, then time. A day that the month does not
// have becomes its last.
func AddToTimestamp(ts int64, v Interval) (int64, *pgerr.Error) {
	if !v.Finite() || !FiniteTimestamp(ts) {
		return addInFiniteTimestamp(ts, v)
	}
	if v.Months != 0 || v.Days != 0 {
		days, micros := splitTimestamp(ts)
		d, ok := addMonthsDays(days, v)
		if !ok {
			return 0, errTimestampRange
		}
		var c civil
		c.setDate(d)
		c.setTime(micros)
		if ts, ok = c.timestamp(); !ok {
			return 0, errTimestampRange
		}
	}
	return addMicrosTo(ts, v.Micros)
}

func addMicrosTo(ts, micros int64) (int64, *pgerr.Error) {
	ts, ok := addInt64(ts, micros)
	if !ok || !validTimestamp(ts) {
		return 0, errTimestampRange
	}
	return ts, nil
}

func addInFiniteTimestamp(ts int64, v Interval) (int64, *pgerr.Error) {
	end := ts
	switch v {
	case IntervalInfinity:
		end = TimestampInfinity
	case IntervalNegInfinity:
		end = TimestampNegInfinity
	}
	if !FiniteTimestamp(ts) && ts != end {
		return 0, errTimestampRange
	}
	return end, nil
}

// addMonthsDays moves a day; false outside the range of timestamps.
func addMonthsDays(days int, v Interval) (int, bool) {
	if v.Months != 0 {
		var c civil
		c.setDate(days)
		if !c.addMonths(int(v.Months)) {
			return 0, false
		}
		days = c.days()
		if !timestampDay(days) {
			return 0, false
		}
	}
	days += int(v.Days)
	return days, timestampDay(days)
}

func timestampDay(days int) bool { return days >= minDate && int64(days) < endTimestamp/microsPerDay }

// addMonths keeps the day of the month where the new month has it.
func (c *civil) addMonths(months int) bool {
	total := c.month + months
	if total != int(int32(total)) {
		return false
	}
	switch {
	case total > monthsPerYear:
		c.year += (total - 1) / monthsPerYear
		c.month = (total-1)%monthsPerYear + 1
	case total < 1:
		c.year += total/monthsPerYear - 1
		c.month = total%monthsPerYear + monthsPerYear
	default:
		c.month = total
	}
	c.day = min(c.day, monthLength(c.year, c.month))
	return validJulian(c.year, c.month)
}

// AddToTimestamptz adds months and days as the zone's calendar counts them, then
// time.
func AddToTimestamptz(ts int64, v Interval, zone Zone) (int64, *pgerr.Error) {
	if !v.Finite() || !FiniteTimestamp(ts) {
		return addInFiniteTimestamp(ts, v)
	}
	location := zone.asLocation()
	step := func(change func(c *civil) bool) bool {
		c, _ := showIn(location, ts)
		if !change(&c) {
			return false
		}
		offset, _ := offsetOf(location, &c)
		var ok bool
		ts, ok = c.instant(offset)
		return ok
	}
	if v.Months != 0 && !step(func(c *civil) bool { return c.addMonths(int(v.Months)) }) {
		return 0, errTimestampRange
	}
	if v.Days != 0 && !step(func(c *civil) bool { return c.addDays(int(v.Days)) }) {
		return 0, errTimestampRange
	}
	return addMicrosTo(ts, v.Micros)
}

func (c *civil) addDays(days int) bool {
	julian := julianDay(c.year, c.month, c.day) + days
	if julian < 0 || julian > math.MaxInt32 {
		return false
	}
	c.year, c.month, c.day = fromJulianDay(julian)
	return true
}

// Age gives the years, months, days and time from b to a, as a calendar counts.
func Age(a, b int64) (Interval, *pgerr.Error) {
	if !FiniteTimestamp(a) || !FiniteTimestamp(b) {
		return subInfinite(a, b)
	}
	return age(civilOf(a), civilOf(b), a < b)
}

// AgeIn is Age of moments as a zone shows them.
func AgeIn(a, b int64, clock Clock) (Interval, *pgerr.Error) {
	if !FiniteTimestamp(a) || !FiniteTimestamp(b) {
		return subInfinite(a, b)
	}
	x, _ := clock.show(a)
	y, _ := clock.show(b)
	return age(x, y, a < b)
}

func age(a, b civil, negative bool) (Interval, *pgerr.Error) {
	later, earlier := a, b
	if negative {
		later, earlier = b, a
	}
	micros := later.timeMicros() - earlier.timeMicros()
	days, months := later.day-earlier.day, (later.year-earlier.year)*monthsPerYear+later.month-earlier.month
	for micros < 0 {
		micros += microsPerDay
		days--
	}
	// A borrowed month is as long as the one of the earlier moment.
	for days < 0 {
		days += monthLength(earlier.year, earlier.month)
		months--
	}
	if negative {
		micros, days, months = -micros, -days, -months
	}
	return checkedInterval(int64(months), int64(days), micros, true)
}

// BinTimestamp gives the beginning of the interval of so long a stride, counted
// from an origin, into which a timestamp falls.
func BinTimestamp(stride Interval, ts, origin int64) (int64, *pgerr.Error) {
	switch {
	case !FiniteTimestamp(ts):
		return ts, nil
	case !FiniteTimestamp(origin):
		return 0, pgerr.New(pgerr.DatetimeOverflow, "origin out of range")
	case !stride.Finite():
		return 0, pgerr.New(pgerr.DatetimeOverflow, "timestamps cannot be binned into infinite intervals")
	case stride.Months != 0:
		return 0, pgerr.New(pgerr.FeatureNotSupported, "timestamps cannot be binned into intervals containing months or years")
	}
	days, ok := multiply(int64(stride.Days), microsPerDay)
	length, fits := addInt64(days, stride.Micros)
	if !ok || !fits {
		return 0, errIntervalRange
	}
	if length <= 0 {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "stride must be greater than zero")
	}
	diff, ok := subInt64(ts, origin)
	if !ok {
		return 0, errIntervalRange
	}
	rest := diff % length
	bin := origin + diff - rest
	if rest < 0 {
		if bin, ok = subInt64(bin, length); !ok {
			return 0, errTimestampRange
		}
	}
	if !validTimestamp(bin) {
		return 0, errTimestampRange
	}
	return bin, nil
}
