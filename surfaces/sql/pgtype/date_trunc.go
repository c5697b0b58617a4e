package pgtype

import (
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// findUnit looks the name of a unit up as date_trunc, date_part and extract do.
// The name in messages is in lower case and cut to the length of an identifier.
func findUnit(name string) (found word, lower string) {
	lower = clipIdentifier(asciiLower(name))
	return findWord(unitWords, lower), lower
}

// clipIdentifier cuts to the length that the server keeps, between characters.
func clipIdentifier(s string) string {
	if len(s) <= identifierLimit {
		return s
	}
	n := identifierLimit
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

func errUnitNotSupported(unit, typeName string) *pgerr.Error {
	return pgerr.New(pgerr.FeatureNotSupported, "unit \"%s\" not supported for type %s", unit, typeName)
}

func errUnitUnknown(unit, typeName string) *pgerr.Error {
	return pgerr.New(pgerr.InvalidParameter, "unit \"%s\" not recognized for type %s", unit, typeName)
}

// TruncTimestamp cuts a timestamp to a unit.
func TruncTimestamp(name string, ts int64) (int64, *pgerr.Error) {
	const typeName = "timestamp without time zone"
	if !FiniteTimestamp(ts) {
		return ts, nil
	}
	w, lower := findUnit(name)
	if w.kind != unitWord {
		return 0, errUnitUnknown(lower, typeName)
	}
	c := civilOf(ts)
	if !c.trunc(unit(w.value)) {
		return 0, errUnitNotSupported(lower, typeName)
	}
	ts, ok := c.timestamp()
	if !ok {
		return 0, errTimestampRange
	}
	return ts, nil
}

// TruncTimestamptz cuts a moment to a unit of a zone's calendar and clock.
func TruncTimestamptz(name string, ts int64, zone Zone) (int64, *pgerr.Error) {
	return truncIn(name, ts, zone.asLocation())
}

func truncIn(name string, ts int64, zone *time.Location) (int64, *pgerr.Error) {
	const typeName = "timestamp with time zone"
	if !FiniteTimestamp(ts) {
		return ts, nil
	}
	w, lower := findUnit(name)
	if w.kind != unitWord {
		return 0, errUnitUnknown(lower, typeName)
	}
	c, offset := showIn(zone, ts)
	u := unit(w.value)
	if !c.trunc(u) {
		return 0, errUnitNotSupported(lower, typeName)
	}
	// Within a day the offset stays, even where the clock changed since.
	if u >= unitDay {
		offset, _ = offsetOf(zone, &c)
	}
	ts, ok := c.instant(offset)
	if !ok {
		return 0, errTimestampRange
	}
	return ts, nil
}

// trunc cuts to the beginning of a unit; false for what is none.
func (c *civil) trunc(u unit) bool {
	switch u {
	case unitMillennium:
		c.year = floorTo(c.year, 1000, 1)
	case unitCentury:
		c.year = floorTo(c.year, 100, 1)
	case unitDecade:
		c.year = floorTo(c.year, 10, 0)
	case unitWeek:
		c.year, c.month, c.day = fromJulianDay(julianDay(c.year, c.month, c.day) - weekday(julianDay(c.year, c.month, c.day)-1))
	case unitQuarter:
		c.month -= (c.month - 1) % 3
	case unitYear, unitMonth, unitDay, unitHour, unitMinute, unitSecond:
	case unitMillisecond:
		c.micros -= c.micros % 1000
		return true
	case unitMicrosecond:
		return true
	default:
		return false
	}
	if u >= unitYear {
		c.month = 1
	}
	if u >= unitMonth {
		c.day = 1
	}
	if u >= unitDay {
		c.hour = 0
	}
	if u >= unitHour {
		c.minute = 0
	}
	if u >= unitMinute {
		c.second = 0
	}
	c.micros = 0
	return true
}

// floorTo gives the first year of a span of so many years; spans begin with a year
// that leaves the remainder first.
func floorTo(year, span, first int) int { return year - floorMod(year-first, span) }

// TruncInterval cuts an interval to a unit.
func TruncInterval(name string, v Interval) (Interval, *pgerr.Error) {
	if !v.Finite() {
		return v, nil
	}
	w, lower := findUnit(name)
	if w.kind != unitWord {
		return Interval{}, errUnitUnknown(lower, "interval")
	}
	scale, isTime := map[unit]int64{
		unitMicrosecond: 1, unitMillisecond: 1000, unitSecond: microsPerSecond, unitMinute: microsPerMinute, unitHour: microsPerHour,
	}[unit(w.value)]
	if isTime {
		v.Micros -= v.Micros % scale
		return v, nil
	}
	months := int32(1)
	switch unit(w.value) {
	case unitDay:
		v.Micros = 0
		return v, nil
	case unitMonth:
	case unitQuarter:
		months = 3
	case unitYear:
		months = 12
	case unitDecade:
		months = 120
	case unitCentury:
		months = 1200
	case unitMillennium:
		months = 12000
	case unitWeek:
		return Interval{}, errUnitNotSupported(lower, "interval").WithDetail("Months usually have fractional weeks.")
	default:
		return Interval{}, errUnitNotSupported(lower, "interval")
	}
	return Interval{Months: v.Months - v.Months%months}, nil
}
