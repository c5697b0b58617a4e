package pgtype

import (
	"math"
	"strings"
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// taken is what the patterns of a template have taken from a text. A part that is
// 0 counts as missing.
type taken struct {
	mode                      dateMode
	hour, minute, second      int32
	pm                        int32
	secondOfDay               int32
	weekday                   int32 // from 1, Sunday
	day, dayOfYear, month     int32
	millis, micros            int32
	year, bc, week, monthWeek int32
	century, julian           int32
	shortYear                 bool // of at most two digits
	twelveHours               bool
	zoneSign                  int // 0 without an offset
	zoneHour, zoneMinute      int32
	fraction                  int // digits that FFn asks for
	hasZone                   bool
	offset                    int            // of an abbreviation, seconds east
	changing                  *time.Location // of one whose meaning changes
	abbreviation              string
}

// templateReader reads a text by a template.
type templateReader struct {
	taken
	nodes []templateNode
	whole string
	rest  string
	fixed bool // FX was seen: spaces count
	exact bool // every character counts, as the SQL standard has it
	extra int  // characters skipped beyond what the template asks for
}

// read goes through the template as far as there is text.
func (r *templateReader) read() *pgerr.Error {
	r.rest = r.whole
	r.fixed = r.exact
	i := 0
	for ; i < len(r.nodes) && r.rest != ""; i++ {
		n := &r.nodes[i]
		isFixed := n.kind == patternNode && n.key.id == fixedMode
		if !r.fixed && !isFixed && (n.kind == patternNode || i == 0) {
			r.skipSpace()
		}
		if n.kind != patternNode {
			if r.exact && !strings.HasPrefix(r.rest, n.text) {
				return unmatched(n)
			}
			r.skipText(n)
			continue
		}
		if n.key.mode != anyMode {
			if r.mode != anyMode && r.mode != n.key.mode {
				return pgerr.New(pgerr.InvalidDatetimeFormat, "invalid combination of date conventions").
					WithHint("Do not mix Gregorian and ISO week date conventions in a formatting template.")
			}
			r.mode = n.key.mode
		}
		if err := r.pattern(i); err != nil {
			return err
		}
		if !r.fixed {
			r.extra = 0
			r.skipSpace()
		}
	}
	if !r.exact {
		return nil
	}
	if i < len(r.nodes) {
		return pgerr.New(pgerr.InvalidDatetimeFormat, "input string is too short for datetime format")
	}
	if r.skipSpace(); r.rest != "" {
		return pgerr.New(pgerr.InvalidDatetimeFormat, "trailing characters remain in input string after datetime format")
	}
	return nil
}

func unmatched(n *templateNode) *pgerr.Error {
	what := "separator"
	if n.kind == textNode {
		what = "character"
	}
	return pgerr.New(pgerr.InvalidDatetimeFormat, "unmatched format %s \"%s\"", what, n.text)
}

func (r *templateReader) skipSpace() {
	for r.rest != "" && isSpace(r.rest[0]) {
		r.rest = r.rest[1:]
		r.extra++
	}
}

func (r *templateReader) skipCharacter() { r.rest = r.rest[characterLength(r.rest):] }

// skipText passes over the text that a node which is no pattern stands for.
func (r *templateReader) skipText(n *templateNode) {
	switch {
	case r.fixed:
		r.skipCharacter()
	case n.kind != textNode:
		// A separator may stand for one of any kind, or for none.
		r.extra--
		if r.rest != "" && (isSpace(r.rest[0]) || isPunctuation(r.rest[0])) {
			r.rest = r.rest[1:]
			r.extra++
		}
	case r.extra > 0:
		r.extra--
	case r.rest != "":
		r.skipCharacter()
	}
}

func (r *templateReader) pattern(i int) *pgerr.Error {
	n := &r.nodes[i]
	switch n.key.id {
	case fixedMode:
		r.fixed = true
	case dottedMeridian:
		r.twelveHours = true
		return r.choice(n, &r.pm, "a.m.", "p.m.")
	case meridian:
		r.twelveHours = true
		return r.choice(n, &r.pm, "am", "pm")
	case dottedEra:
		return r.choice(n, &r.bc, "a.d.", "b.c.")
	case era:
		return r.choice(n, &r.bc, "ad", "bc")
	case monthName, monthNameShort, romanMonth:
		return r.monthText(n)
	case dayName, dayNameShort:
		return r.dayText(n)
	case zonePattern:
		return r.zone(i)
	case offsetPattern:
		return r.offsetText(i)
	case zoneHourPattern:
		r.offsetSign()
		_, err := r.integer(i, &r.zoneHour, 2)
		return err
	case zoneMinutePattern:
		if r.zoneSign == 0 {
			r.zoneSign = 1
		}
		_, err := r.integer(i, &r.zoneMinute, 2)
		return err
	case yearComma:
		return r.yearWithComma(n)
	default:
		return r.number(i)
	}
	return nil
}

// number reads a pattern of digits, and passes over the ordinal ending.
func (r *templateReader) number(i int) *pgerr.Error {
	n := &r.nodes[i]
	width := len(n.key.name)
	var err *pgerr.Error
	switch id := n.key.id; id {
	case hour12:
		r.twelveHours = true
		_, err = r.integer(i, &r.hour, 2)
	case hour24:
		_, err = r.integer(i, &r.hour, 2)
	case minutePattern:
		_, err = r.integer(i, &r.minute, width)
	case secondPattern:
		_, err = r.integer(i, &r.second, width)
	case millisecondPattern:
		err = r.fractionOf(i, &r.millis, 3)
	case microsecondPattern:
		err = r.fractionOf(i, &r.micros, 6)
	case fraction1, fraction2, fraction3, fraction4, fraction5, fraction6:
		r.fraction = id - fraction1 + 1
		err = r.fractionDigits(i, r.fraction)
	case secondOfDay:
		_, err = r.integer(i, &r.secondOfDay, width)
	case monthPattern:
		_, err = r.integer(i, &r.month, width)
	case dayOfYear:
		_, err = r.integer(i, &r.dayOfYear, width)
	case isoDayOfYear:
		_, err = r.integer(i, &r.dayOfYear, 3)
	case dayOfMonth:
		_, err = r.integer(i, &r.day, width)
	case dayOfWeek:
		_, err = r.integer(i, &r.weekday, width)
	case isoDayOfWeek:
		if _, err = r.integer(i, &r.weekday, 1); err == nil {
			if r.weekday++; r.weekday > 7 {
				r.weekday = 1
			}
		}
	case weekOfYear, isoWeekOfYear:
		_, err = r.integer(i, &r.week, width)
	case quarterPattern:
		// A quarter says too little of a date to count.
		var ignored int32
		_, err = r.integer(i, &ignored, width)
	case century:
		_, err = r.integer(i, &r.century, width)
	case weekOfMonth:
		_, err = r.integer(i, &r.monthWeek, width)
	case julianPattern:
		_, err = r.integer(i, &r.julian, width)
	default:
		err = r.yearDigits(i)
	}
	if err == nil && n.is(ordinal) {
		r.skipCharacter()
		r.skipCharacter()
	}
	return err
}

// yearDigits reads a year; of fewer than four digits it is taken near to 2020.
func (r *templateReader) yearDigits(i int) *pgerr.Error {
	width := len(r.nodes[i].key.name)
	used, err := r.integer(i, &r.year, width)
	if err != nil {
		return err
	}
	r.shortYear = width <= 2
	if width == 4 || used >= 4 {
		return nil
	}
	switch y := r.year; {
	case y < 70:
		r.year += 2000
	case y < 100:
		r.year += 1900
	case y < 520:
		r.year += 2000
	case y < 1000:
		r.year += 1000
	}
	return nil
}

// fractionOf reads a fraction of a second: 25 is a quarter, as 250 is.
func (r *templateReader) fractionOf(i int, dest *int32, digits int) *pgerr.Error {
	used, err := r.integer(i, dest, digits)
	if err != nil {
		return err
	}
	for ; used < digits; used++ {
		*dest *= 10
	}
	return nil
}

func (r *templateReader) fractionDigits(i, digits int) *pgerr.Error {
	used, err := r.integer(i, &r.micros, digits)
	if err != nil {
		return err
	}
	for ; used < 6; used++ {
		r.micros *= 10
	}
	return nil
}

// set refuses a second value for a part.
func set(n *templateNode, dest *int32, value int32) *pgerr.Error {
	if *dest != 0 && *dest != value {
		return pgerr.New(pgerr.InvalidDatetimeFormat, "conflicting values for \"%s\" field in formatting string", n.key.name).
			WithDetail("This value contradicts a previous setting for the same field type.")
	}
	*dest = value
	return nil
}

// integer reads a number: as many digits as there are when the pattern is in fill
// mode or something else than digits follows, and else exactly the width. It gives
// how much of the text it used.
func (r *templateReader) integer(i int, dest *int32, width int) (used int, err *pgerr.Error) {
	n := &r.nodes[i]
	begin := r.rest
	for r.rest != "" && isSpace(r.rest[0]) {
		r.rest = r.rest[1:]
	}
	field := r.rest[:min(len(r.rest), width)]
	var value int64
	fits := true
	if n.is(fillMode) || r.separatorFollows(i) {
		var rest string
		if value, rest, fits = leadingInt(begin, 32); len(rest) == len(begin) {
			r.rest = begin
		} else {
			r.rest = rest
		}
	} else {
		if value, err = r.exactly(n, field, width); err != nil {
			return 0, err
		}
	}
	if len(r.rest) == len(begin) {
		return 0, r.invalid(n, field).WithDetail("Value must be an integer.")
	}
	if !fits {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "value for \"%s\" in source string is out of range", n.key.name).
			WithDetail("Value must be in the range %d to %d.", math.MinInt32, math.MaxInt32)
	}
	return len(begin) - len(r.rest), set(n, dest, int32(value))
}

const fillModeHint = "If your source string is not fixed-width, try using the \"FM\" modifier."

// exactly reads a field of a fixed width.
func (r *templateReader) exactly(n *templateNode, field string, width int) (int64, *pgerr.Error) {
	if len(field) < width {
		return 0, pgerr.New(pgerr.InvalidDatetimeFormat, "source string too short for \"%s\" formatting field", n.key.name).
			WithDetail("Field requires %d characters, but only %d remain.", width, len(field)).WithHint(fillModeHint)
	}
	value, rest, _ := leadingInt(field, 64)
	used := len(field) - len(rest)
	if used > 0 && used < width {
		return 0, r.invalid(n, field).
			WithDetail("Field requires %d characters, but only %d could be parsed.", width, used).WithHint(fillModeHint)
	}
	r.rest = r.rest[used:]
	return value, nil
}

func (r *templateReader) invalid(n *templateNode, text string) *pgerr.Error {
	return pgerr.New(pgerr.InvalidDatetimeFormat, "invalid value \"%s\" for \"%s\"", strings.ToValidUTF8(text, "\uFFFD"), n.key.name)
}

// separatorFollows reports whether what comes after a pattern is not digits.
func (r *templateReader) separatorFollows(i int) bool {
	if r.nodes[i].is(ordinal) || i+1 == len(r.nodes) {
		return true
	}
	next := &r.nodes[i+1]
	if next.kind == patternNode {
		return !next.key.digit
	}
	return len(next.text) != 1 || !isDigit(next.text[0])
}

// choice reads one of two words, in any case.
func (r *templateReader) choice(n *templateNode, dest *int32, first, second string) *pgerr.Error {
	k, err := r.word(n, first, second)
	if err != nil {
		return err
	}
	return set(n, dest, int32(k))
}

// word finds which of several words the text begins with.
func (r *templateReader) word(n *templateNode, words ...string) (int, *pgerr.Error) {
	for k, w := range words {
		if len(r.rest) >= len(w) && asciiLower(r.rest[:len(w)]) == asciiLower(w) {
			r.rest = r.rest[len(w):]
			return k, nil
		}
	}
	text := r.rest
	if i := strings.IndexAny(text, " \t\n\r\f\v"); i >= 0 {
		text = text[:i]
	}
	return 0, r.invalid(n, text).WithDetail("The given value did not match any of the allowed values for this field.")
}

func (r *templateReader) monthText(n *templateNode) *pgerr.Error {
	var words []string
	for k := range monthNames {
		switch n.key.id {
		case monthName:
			words = append(words, monthNames[k])
		case monthNameShort:
			words = append(words, monthNames[k][:3])
		default:
			// From the last, so that VIII comes before V.
			words = append(words, romanNames[11-k])
		}
	}
	k, err := r.word(n, words...)
	if err != nil {
		return err
	}
	if n.key.id == romanMonth {
		k = 11 - k
	}
	return set(n, &r.month, int32(k)+1)
}

func (r *templateReader) dayText(n *templateNode) *pgerr.Error {
	var words []string
	for _, name := range dayNames {
		if n.key.id == dayNameShort {
			name = name[:3]
		}
		words = append(words, name)
	}
	k, err := r.word(n, words...)
	if err == nil {
		err = set(n, &r.weekday, int32(k))
	}
	r.weekday++
	return err
}

// zone reads an abbreviation, the longest that fits, or else an offset.
func (r *templateReader) zone(i int) *pgerr.Error {
	length := 0
	for length < min(len(r.rest), wordLimit) && isLetter(r.rest[length]) {
		length++
	}
	for ; length > 0; length-- {
		a, ok := findAbbreviation(asciiLower(r.rest[:length]))
		if !ok {
			continue
		}
		r.offset, r.changing = a.offset, nil
		if a.zone != "" {
			if r.changing, ok = LookupZone(a.zone); !ok {
				continue
			}
			r.abbreviation = r.rest[:length]
		}
		r.hasZone, r.zoneSign = true, 0
		r.rest = r.rest[length:]
		return nil
	}
	if r.rest != "" && isLetter(r.rest[0]) {
		return r.invalid(&r.nodes[i], r.rest).WithDetail("Time zone abbreviation is not recognized.")
	}
	return r.offsetText(i)
}

func (r *templateReader) offsetText(i int) *pgerr.Error {
	r.offsetSign()
	if _, err := r.integer(i, &r.zoneHour, 2); err != nil {
		return err
	}
	if !strings.HasPrefix(r.rest, ":") {
		return nil
	}
	r.rest = r.rest[1:]
	_, err := r.integer(i, &r.zoneMinute, 2)
	return err
}

// offsetSign reads a sign. A minus may have been passed over as a separator.
func (r *templateReader) offsetSign() {
	r.zoneSign = 1
	if r.rest != "" && (r.rest[0] == '+' || r.rest[0] == '-' || r.rest[0] == ' ') {
		if r.rest[0] == '-' {
			r.zoneSign = -1
		}
		r.rest = r.rest[1:]
		return
	}
	if before := len(r.whole) - len(r.rest) - 1; r.extra > 0 && before >= 0 && r.whole[before] == '-' {
		r.zoneSign = -1
	}
}

// yearWithComma reads thousands, a comma and three digits.
func (r *templateReader) yearWithComma(n *templateNode) *pgerr.Error {
	bad := pgerr.New(pgerr.InvalidDatetimeFormat, "invalid input string for \"Y,YYY\"")
	thousands, rest, _ := leadingInt(r.rest, 64)
	if len(rest) == len(r.rest) || !strings.HasPrefix(rest, ",") {
		return bad
	}
	rest = rest[1:]
	for rest != "" && isSpace(rest[0]) {
		rest = rest[1:]
	}
	years, after, _ := leadingInt(rest[:min(len(rest), 3)], 32)
	used := min(len(rest), 3) - len(after)
	if used == 0 {
		return bad
	}
	thousands = int64(int32(thousands)) * 1000
	years += thousands
	if thousands != int64(int32(thousands)) || years != int64(int32(years)) {
		return pgerr.New(pgerr.DatetimeOverflow, "value for \"%s\" in source string is out of range", "Y,YYY")
	}
	if err := set(n, &r.year, int32(years)); err != nil {
		return err
	}
	r.shortYear = false
	r.rest = rest[used:]
	if n.is(ordinal) {
		r.skipCharacter()
		r.skipCharacter()
	}
	return nil
}

// readMoment reads a text by the template and puts the parts together: what the
// text and the template leave open is the beginning of the year 1 BC.
func (t *DateTemplate) readMoment(text string) (*dateReader, *templateReader, *pgerr.Error) {
	r := &templateReader{nodes: t.nodes, whole: text, exact: t.exact}
	if err := r.read(); err != nil {
		return nil, nil, err
	}
	m := &dateReader{julian: true}
	m.month, m.day = 1, 1
	overflow := parseError(fieldOverflow, "timestamp", text, "")
	if err := r.putTime(m); err != nil {
		return nil, nil, err
	}
	if !r.putYear(m) {
		return nil, nil, overflow
	}
	ok, err := r.putDate(m)
	if err != nil {
		return nil, nil, err
	}
	micros := int64(r.millis) * 1000
	ok = ok && micros == int64(int32(micros))
	if !ok {
		return nil, nil, overflow
	}
	m.micros = int(int32(micros) + r.micros)
	if m.seen != 0 && m.checkDate() != fine {
		return nil, nil, overflow
	}
	if m.hour < 0 || m.hour >= 24 || m.minute < 0 || m.minute >= 60 || m.second < 0 || m.second >= 60 || m.micros < 0 || m.micros >= microsPerSecond {
		return nil, nil, overflow
	}
	if r.zoneSign != 0 && (r.zoneHour < 0 || r.zoneHour > maxZoneHour || r.zoneMinute < 0 || r.zoneMinute >= 60) {
		return nil, nil, parseError(zoneOverflow, "timestamp", text, "")
	}
	return m, r, nil
}

func (r *templateReader) putTime(m *dateReader) *pgerr.Error {
	if s := int(r.secondOfDay); s != 0 {
		m.hour, m.minute, m.second = s/3600, s%3600/60, s%60
	}
	if r.second != 0 {
		m.second = int(r.second)
	}
	if r.minute != 0 {
		m.minute = int(r.minute)
	}
	if r.hour != 0 {
		m.hour = int(r.hour)
	}
	if !r.twelveHours {
		return nil
	}
	switch {
	case m.hour < 1 || m.hour > 12:
		return pgerr.New(pgerr.InvalidDatetimeFormat, "hour \"%d\" is invalid for the 12-hour clock", m.hour).
			WithHint("Use the 24-hour clock, or give an hour between 1 and 12.")
	case r.pm != 0 && m.hour < 12:
		m.hour += 12
	case r.pm == 0 && m.hour == 12:
		m.hour = 0
	}
	return nil
}

// putYear makes the year of what was taken; false when it does not fit.
func (r *templateReader) putYear(m *dateReader) bool {
	century := int64(r.century)
	if r.bc != 0 {
		century = -century
	}
	var year int64
	switch {
	case r.year != 0 && r.century != 0 && r.shortYear:
		// The 21st century is 2001 to 2100, the 6th BC 600 to 501.
		switch low := int64(r.year % 100); {
		case low == 0 && century >= 0:
			year = century * 100
		case low == 0:
			year = century*100 + 1
		case century >= 0:
			year = (century-1)*100 + low
		default:
			year = (century+1)*100 - low + 1
		}
	case r.year != 0:
		year = int64(r.year)
		if r.bc != 0 {
			year = -year
		}
		if year < 0 {
			year++
		}
	case r.century == 0:
		return true
	case century >= 0:
		year = (century-1)*100 + 1
	default:
		year = century*100 + 1
	}
	m.seen |= partYear
	m.year = int(int32(year))
	return year == int64(int32(year))
}

// putDate makes the day: of a Julian day, a week, a day of the month or of the
// year. False when a part does not fit.
func (r *templateReader) putDate(m *dateReader) (bool, *pgerr.Error) {
	if r.julian != 0 {
		m.year, m.month, m.day = fromJulianDay(int(r.julian))
		m.seen |= partDate
	}
	if r.week != 0 && r.mode == isoWeekMode {
		monday := isoWeekMonday(m.year) + int(r.week-1)*7
		switch {
		case r.weekday > 1:
			monday += int(r.weekday) - 2
		case r.weekday != 0:
			monday += 6
		}
		m.year, m.month, m.day = fromJulianDay(int(int32(monday)))
		m.seen |= partDate
	} else if r.week != 0 && !firstOfWeek(r.week, &r.dayOfYear) {
		return false, nil
	}
	if r.monthWeek != 0 && !firstOfWeek(r.monthWeek, &r.day) {
		return false, nil
	}
	if r.day != 0 {
		m.day = int(r.day)
		m.seen |= partDay
	}
	if r.month != 0 {
		m.month = int(r.month)
		m.seen |= partMonth
	}
	if r.dayOfYear == 0 || m.month > 1 && m.day > 1 {
		return true, nil
	}
	if m.year == 0 && r.bc == 0 {
		return false, pgerr.New(pgerr.InvalidDatetimeFormat, "cannot calculate day of year without year information")
	}
	r.putDayOfYear(m)
	return true, nil
}

// firstOfWeek gives the first day of a week that counts from the first day.
func firstOfWeek(week int32, day *int32) bool {
	first := (int64(week)-1)*7 + 1
	*day = int32(first)
	return first == int64(int32(first))
}

// putDayOfYear fills the month and the day that are still at the beginning.
func (r *templateReader) putDayOfYear(m *dateReader) {
	if r.mode == isoWeekMode {
		m.year, m.month, m.day = fromJulianDay(int(int32(isoWeekMonday(m.year) - 1 + int(r.dayOfYear))))
		m.seen |= partDate
		return
	}
	month, left := 1, int(r.dayOfYear)
	for month <= monthsPerYear && left > monthLength(m.year, month) {
		left -= monthLength(m.year, month)
		month++
	}
	if m.month <= 1 {
		m.month = month
	}
	if m.day <= 1 {
		m.day = left
	}
	m.seen |= partMonth | partDay
}

// east gives the offset that the text has, in seconds.
func (r *templateReader) east(m *dateReader) int {
	switch {
	case r.zoneSign != 0:
		return r.zoneSign * int(r.zoneHour*60+r.zoneMinute) * 60
	case r.changing != nil:
		return namedOffset(r.changing, r.abbreviation, &m.civil)
	}
	return r.offset
}

// Timestamptz reads a moment; without a zone in the text the session's counts.
func (t *DateTemplate) Timestamptz(text string, clock Clock) (int64, *pgerr.Error) {
	m, r, err := t.readMoment(text)
	if err != nil {
		return 0, err
	}
	offset := 0
	if r.zoneSign != 0 || r.hasZone {
		offset = r.east(m)
	} else {
		offset, _ = offsetOf(clock.zone(), &m.civil)
	}
	ts, ok := m.instant(offset)
	if !ok {
		return 0, errTimestampRange
	}
	if r.fraction == 0 {
		return ts, nil
	}
	return FitTimestamp(ts, r.fraction)
}

// Date reads a date.
func (t *DateTemplate) Date(text string) (int64, *pgerr.Error) {
	m, _, err := t.readMoment(text)
	if err != nil {
		return 0, err
	}
	return dateOf(m, text)
}

func dateOf(m *dateReader, text string) (int64, *pgerr.Error) {
	if !validJulian(m.year, m.month) || !validDate(int64(m.days())) {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "date out of range: \"%s\"", text)
	}
	return int64(m.days()), nil
}
