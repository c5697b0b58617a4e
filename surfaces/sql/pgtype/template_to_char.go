package pgtype

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// shown is what the patterns of a template show of a value.
type shown struct {
	year, month, day       int
	hour                   int64
	minute, second, micros int
	weekday, yearDay       int
	offset                 int // seconds east of Greenwich
	zone                   string
	interval               bool
}

func shownMoment(c civil) shown {
	julian := julianDay(c.year, c.month, c.day)
	return shown{
		year: c.year, month: c.month, day: c.day, hour: int64(c.hour), minute: c.minute, second: c.second, micros: c.micros,
		weekday: weekday(julian), yearDay: c.dayOfYear(),
	}
}

// FormatTimestamp writes a timestamp by a template; false for an infinite one,
// which gives NULL.
func (t *DateTemplate) FormatTimestamp(ts int64) (string, bool, *pgerr.Error) {
	if !FiniteTimestamp(ts) {
		return "", false, nil
	}
	v := shownMoment(civilOf(ts))
	text, err := t.format(&v)
	return text, true, err
}

// FormatTimestamptz writes a moment as the session's zone shows it.
func (t *DateTemplate) FormatTimestamptz(ts int64, clock Clock) (string, bool, *pgerr.Error) {
	if !FiniteTimestamp(ts) {
		return "", false, nil
	}
	c, offset := clock.show(ts)
	v := shownMoment(c)
	unix := unixSeconds(ts)
	unix += cycleShift(clock.zone(), unix)
	v.offset = offset
	v.zone, _ = time.Unix(unix, 0).In(clock.zone()).Zone()
	text, err := t.format(&v)
	return text, true, err
}

// FormatInterval writes an interval; patterns that need a date are an error.
func (t *DateTemplate) FormatInterval(i Interval) (string, bool, *pgerr.Error) {
	if !i.Finite() {
		return "", false, nil
	}
	v := shown{
		year: int(i.Months / monthsPerYear), month: int(i.Months % monthsPerYear), day: int(i.Days),
		hour: i.Micros / microsPerHour, minute: int(i.Micros / microsPerMinute % 60), second: int(i.Micros / microsPerSecond % 60),
		micros: int(i.Micros % microsPerSecond), interval: true,
	}
	v.yearDay = int(i.Months*daysPerMonth + i.Days) // in 32 bits, as the server
	text, err := t.format(&v)
	return text, true, err
}

var errNotForInterval = pgerr.New(pgerr.InvalidDatetimeFormat, "invalid format specification for an interval value").
	WithHint("Intervals are not tied to specific calendar dates.")

func (t *DateTemplate) format(v *shown) (string, *pgerr.Error) {
	var out strings.Builder
	out.Grow(2 * len(t.nodes))
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.kind != patternNode {
			out.WriteString(n.text)
			continue
		}
		if v.interval && onlyOfDates(n.key.id) {
			return "", errNotForInterval
		}
		if text, isNumber := v.number(n); isNumber {
			out.WriteString(text)
			if n.is(ordinal) && text != "" {
				out.WriteString(ordinalSuffix(text, n.is(upperOrdinal)))
			}
			continue
		}
		out.WriteString(v.words(n))
	}
	return out.String(), nil
}

// onlyOfDates tells the patterns that an interval does not have.
func onlyOfDates(id int) bool {
	switch id {
	case zonePattern, zoneHourPattern, zoneMinutePattern, offsetPattern, dottedEra, era, monthName, monthNameShort,
		dayName, dayNameShort, dayOfWeek, isoDayOfWeek:
		return true
	}
	return false
}

// padded writes a number with zeros up to a width, a sign included in it.
func padded(n int64, width int) string {
	if width == 2 && n >= 0 && n < 100 {
		return pairs[2*n : 2*n+2]
	}
	digits := strconv.FormatInt(n, 10)
	missing := width - len(digits)
	switch {
	case missing <= 0:
		return digits
	case n < 0:
		return "-" + zeros[:missing] + digits[1:]
	}
	return zeros[:missing] + digits
}

const zeros = "000000000"

// pairs are the numbers from 00 to 99.
var pairs = func() string {
	var b []byte
	for n := range 100 {
		b = appendPadded(b, n, 2)
	}
	return string(b)
}()

// filled pads unless the pattern is in fill mode; a negative number gets a place
// more.
func (n *templateNode) filled(value int64, width int, negative bool) string {
	switch {
	case n.is(fillMode):
		width = 0
	case negative:
		width++
	}
	return padded(value, width)
}

// number gives the digits of a pattern that stands for a number.
func (v *shown) number(n *templateNode) (text string, isNumber bool) {
	switch id := n.key.id; id {
	case hour12:
		h := v.hour % 12
		if h == 0 {
			h = 12
		}
		return n.filled(h, 2, v.hour < 0), true
	case hour24:
		return n.filled(v.hour, 2, v.hour < 0), true
	case minutePattern:
		return n.filled(int64(v.minute), 2, v.minute < 0), true
	case secondPattern:
		return n.filled(int64(v.second), 2, v.second < 0), true
	case fraction1, fraction2, fraction3, fraction4, fraction5, fraction6:
		digits := id - fraction1 + 1
		return padded(int64(v.micros)/timeScales[digits], digits), true
	case millisecondPattern:
		return padded(int64(v.micros)/1000, 3), true
	case microsecondPattern:
		return padded(int64(v.micros), 6), true
	case secondOfDay:
		return strconv.FormatInt(v.hour*3600+int64(v.minute)*60+int64(v.second), 10), true
	case monthPattern:
		return n.filled(int64(v.month), 2, v.month < 0), true
	case dayOfMonth:
		return n.filled(int64(v.day), 2, false), true
	case dayOfYear:
		return n.filled(int64(v.yearDay), 3, false), true
	case weekOfYear:
		return n.filled(int64(weekFrom(v.yearDay)), 2, false), true
	case weekOfMonth:
		return strconv.Itoa(weekFrom(v.day)), true
	case dayOfWeek:
		return strconv.Itoa(v.weekday + 1), true
	case isoDayOfWeek:
		return strconv.Itoa((v.weekday+6)%7 + 1), true
	case quarterPattern:
		if v.month == 0 {
			return "", true
		}
		return strconv.Itoa((v.month-1)/3 + 1), true
	case julianPattern:
		return strconv.Itoa(julianDay(v.year, v.month, v.day)), true
	case century:
		return v.century(n), true
	}
	return v.yearNumber(n)
}

// weekFrom numbers the weeks that begin with the first day; in 32 bits, as the
// server, for intervals of any length.
func weekFrom(day int) int { return int((int32(day)-1)/7 + 1) }

func (v *shown) century(n *templateNode) string {
	c := v.year / 100
	if !v.interval {
		if v.year > 0 {
			c = (v.year-1)/100 + 1
		} else {
			c--
		}
	}
	if c > 99 || c < -99 {
		return strconv.Itoa(c)
	}
	return n.filled(int64(c), 2, c < 0)
}

// yearNumber gives the patterns of years and ISO weeks.
func (v *shown) yearNumber(n *templateNode) (text string, isNumber bool) {
	c := civil{year: v.year, month: v.month, day: v.day}
	isoYear, week := isoWeek(&c)
	switch n.key.id {
	case isoWeekOfYear:
		return n.filled(int64(week), 2, false), true
	case isoDayOfYear:
		return n.filled(int64(julianDay(v.year, v.month, v.day)-isoWeekMonday(isoYear)+1), 3, false), true
	case yearComma:
		year := v.counted(v.year)
		return fmt.Sprintf("%d,%03d", year/1000, year-year/1000*1000), true
	}
	negative := v.counted(v.year) < 0
	year, iso := int64(v.counted(v.year)), int64(v.counted(isoYear))
	switch n.key.id {
	case year4:
		return n.filled(year, 4, negative), true
	case isoYear4:
		return n.filled(iso, 4, negative), true
	case year3:
		return n.filled(year%1000, 3, negative), true
	case isoYear3:
		return n.filled(iso%1000, 3, negative), true
	case year2:
		return n.filled(year%100, 2, negative), true
	case isoYear2:
		return n.filled(iso%100, 2, negative), true
	case year1:
		return strconv.FormatInt(year%10, 10), true
	case isoYear1:
		return strconv.FormatInt(iso%10, 10), true
	}
	return "", false
}

// counted gives the year without its era: 1 BC is 1. An interval has no era.
func (v *shown) counted(year int) int {
	if !v.interval && year <= 0 {
		return 1 - year
	}
	return year
}

// words gives the patterns that are not numbers.
func (v *shown) words(n *templateNode) string {
	switch n.key.id {
	case dottedMeridian:
		return n.cased([2]string{"A.M.", "P.M."}[v.half()])
	case meridian:
		return n.cased([2]string{"AM", "PM"}[v.half()])
	case dottedEra:
		return n.cased([2]string{"A.D.", "B.C."}[v.eraIndex()])
	case era:
		return n.cased([2]string{"AD", "BC"}[v.eraIndex()])
	case monthName:
		return n.blankPadded(n.cased(monthNames[v.month-1]), 9)
	case monthNameShort:
		return n.cased(monthNames[v.month-1][:3])
	case dayName:
		return n.blankPadded(n.cased(dayNames[v.weekday]), 9)
	case dayNameShort:
		return n.cased(dayNames[v.weekday][:3])
	case romanMonth:
		return v.romanMonth(n)
	case zonePattern:
		if n.key.name == "tz" {
			return asciiLower(v.zone)
		}
		return v.zone
	}
	return v.offsetText(n)
}

func (v *shown) half() int {
	if v.hour%24 >= 12 {
		return 1
	}
	return 0
}

func (v *shown) eraIndex() int {
	if v.year <= 0 {
		return 1
	}
	return 0
}

// cased writes a word as the pattern itself is written.
func (n *templateNode) cased(word string) string {
	switch name := n.key.name; {
	case name == strings.ToUpper(name):
		return strings.ToUpper(word)
	case name == strings.ToLower(name):
		return strings.ToLower(word)
	}
	return word
}

func (n *templateNode) blankPadded(word string, width int) string {
	if n.is(fillMode | localized) {
		return word
	}
	return fmt.Sprintf("%-*s", width, word)
}

// romanMonth counts the months of a negative interval from December.
func (v *shown) romanMonth(n *templateNode) string {
	var name string
	switch {
	case v.month == 0 && v.year == 0:
		return ""
	case v.month == 0 && v.year > 0:
		name = romanNames[11]
	case v.month == 0:
		name = romanNames[0]
	case v.month < 0:
		name = romanNames[monthsPerYear+v.month]
	default:
		name = romanNames[v.month-1]
	}
	name = n.cased(name)
	if n.is(fillMode) {
		return name
	}
	return fmt.Sprintf("%-4s", name)
}

func (v *shown) offsetText(n *templateNode) string {
	sign, offset := "+", v.offset
	if offset < 0 {
		sign, offset = "-", -offset
	}
	hour, minute := int64(offset/3600), int64(offset%3600/60)
	switch n.key.id {
	case zoneHourPattern:
		return sign + padded(hour, 2)
	case zoneMinutePattern:
		return padded(minute, 2)
	case offsetPattern:
		text := sign + n.filled(hour, 2, false)
		if offset%3600 != 0 {
			text += ":" + padded(minute, 2)
		}
		return text
	}
	return ""
}
