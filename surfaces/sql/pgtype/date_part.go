package pgtype

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Part is a field of a date, time or interval: its exact value, or none, which an
// infinite one may have.
type Part struct {
	Exact Numeric // for extract
	Float float64 // for date_part, which computes it apart
	Null  bool
}

func wholePart(n int) Part { return Part{Exact: NumericFromInt(int64(n)), Float: float64(n)} }

// microsPart gives microseconds in a unit of so many decimal places fewer.
func microsPart(micros int64, places int32) Part {
	return Part{Exact: Numeric{small: micros, scale: places}, Float: float64(micros) / float64(smallPowers[places])}
}

func infinitePart(negative bool) Part {
	if negative {
		return Part{Exact: NumericNegInfinity, Float: math.Inf(-1)}
	}
	return Part{Exact: NumericInfinity, Float: math.Inf(1)}
}

// field looks the name of a field up: a unit, a unit of dates, or epoch.
func findField(name string) (unit, string) {
	w, lower := findUnit(name)
	if w.kind == unknownWord {
		w = findWord(dateWords, lower)
	}
	switch {
	case w.kind == unitWord:
		return unit(w.value), lower
	case w.kind == reservedWord && w.value == valueEpoch:
		return unitEpoch, lower
	case w.kind == reservedWord:
		return unitISOTime, lower // a word, but of no field
	}
	return noUnit, lower
}

// TimestampPart gives a field of a timestamp.
func TimestampPart(name string, ts int64) (Part, *pgerr.Error) {
	const typeName = "timestamp without time zone"
	u, lower := findField(name)
	if u == noUnit {
		return Part{}, errUnitUnknown(lower, typeName)
	}
	var p Part
	ok := true
	if !FiniteTimestamp(ts) {
		p, ok = infiniteMomentPart(u, ts < 0)
	} else {
		c := civilOf(ts)
		p, ok = c.momentPart(u, ts)
	}
	if !ok {
		return Part{}, errUnitNotSupported(lower, typeName)
	}
	return p, nil
}

// TimestamptzPart gives a field of a moment as the session's zone shows it.
func TimestamptzPart(name string, ts int64, clock Clock) (Part, *pgerr.Error) {
	const typeName = "timestamp with time zone"
	u, lower := findField(name)
	if u == noUnit {
		return Part{}, errUnitUnknown(lower, typeName)
	}
	if !FiniteTimestamp(ts) {
		p, ok := infiniteMomentPart(u, ts < 0)
		if !ok {
			return Part{}, errUnitNotSupported(lower, typeName)
		}
		return p, nil
	}
	c, offset := clock.show(ts)
	if p, ok := offsetPart(u, offset); ok {
		return p, nil
	}
	p, ok := c.momentPart(u, ts)
	if !ok {
		return Part{}, errUnitNotSupported(lower, typeName)
	}
	return p, nil
}

func offsetPart(u unit, offset int) (Part, bool) {
	switch u {
	case unitZone:
		return wholePart(offset), true
	case unitZoneMinute:
		return wholePart(offset / 60 % 60), true
	case unitZoneHour:
		return wholePart(offset / 3600), true
	}
	return Part{}, false
}

// infiniteMomentPart gives a field that grows forever; one that goes round is
// NULL.
func infiniteMomentPart(u unit, negative bool) (Part, bool) {
	switch u {
	case unitYear, unitDecade, unitCentury, unitMillennium, unitJulian, unitISOYear, unitEpoch:
		return infinitePart(negative), true
	case unitISOTime:
		return Part{}, false
	}
	return Part{Null: true}, true
}

// momentPart gives a field of a date and time.
func (c *civil) momentPart(u unit, ts int64) (Part, bool) {
	switch u {
	case unitEpoch:
		return epochPart(ts), true
	case unitJulian:
		return c.julianPart(), true
	}
	if p, ok := c.timePart(u); ok {
		return p, true
	}
	return c.datePart(u)
}

// epochPart gives the seconds since 1970.
func epochPart(ts int64) Part {
	if since, ok := subInt64(ts, unixEpochMicros); ok {
		return microsPart(since, 6)
	}
	// Here the server divides, which drops digits.
	exact, _ := NumericFromInt(ts).Sub(NumericFromInt(unixEpochMicros))
	exact, _ = exact.Div(NumericFromInt(microsPerSecond))
	exact = exact.Round(6)
	return Part{Exact: exact, Float: (float64(ts) - float64(unixEpochMicros)) / microsPerSecond}
}

// julianPart gives the Julian day with the part of the day that has gone.
func (c *civil) julianPart() Part {
	day := int64(julianDay(c.year, c.month, c.day))
	gone, _ := NumericFromInt(c.timeMicros()).Div(NumericFromInt(microsPerDay))
	exact, _ := NumericFromInt(day).Add(gone)
	seconds := float64((c.hour*60+c.minute)*60+c.second) + float64(c.micros)/microsPerSecond
	return Part{Exact: exact, Float: float64(day) + seconds/secondsPerDay}
}

// timePart gives a field of the time of day.
func (c *civil) timePart(u unit) (Part, bool) {
	micros := int64(c.second)*microsPerSecond + int64(c.micros)
	switch u {
	case unitMicrosecond:
		return microsPart(micros, 0), true
	case unitMillisecond:
		return Part{Exact: Numeric{small: micros, scale: 3}, Float: float64(c.second)*1000 + float64(c.micros)/1000}, true
	case unitSecond:
		return Part{Exact: Numeric{small: micros, scale: 6}, Float: float64(c.second) + float64(c.micros)/microsPerSecond}, true
	case unitMinute:
		return wholePart(c.minute), true
	case unitHour:
		return wholePart(c.hour), true
	}
	return Part{}, false
}

// datePart gives a field of the date. There is no year 0: what is before the year
// 1 counts down from -1.
func (c *civil) datePart(u unit) (Part, bool) {
	switch u {
	case unitDay:
		return wholePart(c.day), true
	case unitMonth:
		return wholePart(c.month), true
	case unitQuarter:
		return wholePart((c.month-1)/3 + 1), true
	case unitWeek:
		_, week := isoWeek(c)
		return wholePart(week), true
	case unitYear:
		return wholePart(withoutZero(c.year)), true
	case unitDecade:
		return wholePart(floorDiv(c.year, 10)), true
	case unitCentury:
		return wholePart(withoutZero(floorDiv(c.year-1, 100) + 1)), true
	case unitMillennium:
		return wholePart(withoutZero(floorDiv(c.year-1, 1000) + 1)), true
	case unitISOYear:
		year, _ := isoWeek(c)
		return wholePart(withoutZero(year)), true
	case unitWeekday:
		return wholePart(weekday(julianDay(c.year, c.month, c.day))), true
	case unitISOWeekday:
		return wholePart(weekday(julianDay(c.year, c.month, c.day)-1) + 1), true
	case unitDayOfYear:
		return wholePart(c.dayOfYear()), true
	}
	return Part{}, false
}

func withoutZero(n int) int {
	if n <= 0 {
		return n - 1
	}
	return n
}

func floorDiv(n, by int) int { return (n - floorMod(n, by)) / by }

// DatePart gives a field of a date.
func DatePart(name string, d int64) (Part, *pgerr.Error) {
	u, lower := findField(name)
	if u == noUnit {
		return Part{}, errUnitUnknown(lower, "date")
	}
	var c civil
	if FiniteDate(d) {
		c.setDate(int(d))
	} else {
		c.setDate(0)
	}
	p, ok := c.datePart(u)
	switch u {
	case unitJulian:
		p, ok = wholePart(julianDay(c.year, c.month, c.day)), true
	case unitEpoch:
		p, ok = Part{Exact: NumericFromInt((d - unixEpochDays) * secondsPerDay), Float: float64((d - unixEpochDays) * secondsPerDay)}, true
	}
	if !ok {
		return Part{}, errUnitNotSupported(lower, "date")
	}
	if !FiniteDate(d) {
		p, _ = infiniteMomentPart(u, d < 0)
	}
	return p, nil
}

// TimePart gives a field of a time of day.
func TimePart(name string, micros int64) (Part, *pgerr.Error) {
	return clockPart(name, "time without time zone", Timetz{Micros: micros}, false)
}

// TimetzPart gives a field of a time with an offset.
func TimetzPart(name string, t Timetz) (Part, *pgerr.Error) {
	return clockPart(name, "time with time zone", t, true)
}

func clockPart(name, typeName string, t Timetz, zoned bool) (Part, *pgerr.Error) {
	u, lower := findField(name)
	switch u {
	case noUnit, unitISOTime:
		return Part{}, errUnitUnknown(lower, typeName)
	case unitEpoch:
		p := microsPart(t.utc(), 6)
		p.Float = float64(t.Micros)/microsPerSecond + float64(t.Zone)
		return p, nil
	}
	if zoned {
		if p, ok := offsetPart(u, -int(t.Zone)); ok {
			return p, nil
		}
	}
	var c civil
	c.setTime(t.Micros)
	p, ok := c.timePart(u)
	if !ok {
		return Part{}, errUnitNotSupported(lower, typeName)
	}
	return p, nil
}

// IntervalPart gives a field of an interval.
func IntervalPart(name string, v Interval) (Part, *pgerr.Error) {
	u, lower := findField(name)
	if u == noUnit || u == unitISOTime && v.Finite() {
		return Part{}, errUnitUnknown(lower, "interval")
	}
	p, ok := v.part(u)
	if !ok {
		return Part{}, errUnitNotSupported(lower, "interval")
	}
	if v.Finite() {
		return p, nil
	}
	switch u {
	case unitMicrosecond, unitMillisecond, unitSecond, unitMinute, unitMonth, unitQuarter:
		return Part{Null: true}, nil
	}
	return infinitePart(v.Micros < 0), nil
}

func (v Interval) part(u unit) (Part, bool) {
	micros := v.Micros % microsPerMinute
	switch u {
	case unitMicrosecond:
		return microsPart(micros, 0), true
	case unitMillisecond:
		return Part{Exact: Numeric{small: micros, scale: 3}, Float: float64(micros/microsPerSecond)*1000 + float64(micros%microsPerSecond)/1000}, true
	case unitSecond:
		return Part{Exact: Numeric{small: micros, scale: 6}, Float: float64(micros/microsPerSecond) + float64(micros%microsPerSecond)/microsPerSecond}, true
	case unitMinute:
		return wholePart(int(v.Micros / microsPerMinute % 60)), true
	case unitHour:
		return wholePart(int(v.Micros / microsPerHour)), true
	case unitDay:
		return wholePart(int(v.Days)), true
	case unitMonth:
		return wholePart(int(v.Months % monthsPerYear)), true
	case unitQuarter:
		return wholePart(int(v.Months%monthsPerYear)/3 + 1), true
	case unitYear:
		return wholePart(int(v.Months / monthsPerYear)), true
	case unitDecade:
		return wholePart(int(v.Months / monthsPerYear / 10)), true
	case unitCentury:
		return wholePart(int(v.Months / monthsPerYear / 100)), true
	case unitMillennium:
		return wholePart(int(v.Months / monthsPerYear / 1000)), true
	case unitEpoch:
		return v.epochPart(), true
	}
	return Part{}, false
}

// epochPart gives the seconds of an interval: a year has 365.25 days here, a month
// 30.
func (v Interval) epochPart() Part {
	years, months := int64(v.Months/monthsPerYear), int64(v.Months%monthsPerYear)
	const quarterDay = secondsPerDay / 4
	seconds := (years*(4*365+1) + (months*daysPerMonth+int64(v.Days))*4) * quarterDay
	exact, _ := Numeric{small: v.Micros, scale: 6}.Add(NumericFromInt(seconds))
	float := float64(v.Micros) / microsPerSecond
	float += float64(years) * (365.25 * secondsPerDay)
	float += float64(months) * (daysPerMonth * secondsPerDay)
	float += secondsPerDay * float64(v.Days)
	return Part{Exact: exact, Float: float}
}
