package pgtype

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// parts are the parts of a date and time that have been seen. A part may come
// once.
type parts uint32

const (
	partYear parts = 1 << iota
	partMonth
	partDay
	partDayOfYear
	partTime
	partZone
	partDaylight // a zone in summer, or dst
	partDaylightModifier
	partChanging // an abbreviation whose meaning changes
	partMeridian
	partEra
	partWeekday
	partReserved

	partDate = partYear | partMonth | partDay
)

// problem is why a text is no date, time or interval.
type problem uint8

const (
	fine problem = iota
	badFormat
	fieldOverflow
	monthDayOverflow
	zoneOverflow
	unknownZone
)

// dateReader reads the fields of a date and time (all but timeOnly) or of a time
// with an optional zone. It follows the order of the server's own steps, since
// that order decides which error comes first.
type dateReader struct {
	clock    Clock
	timeOnly bool
	fields   []field

	civil
	yearDay  int
	zone     int // seconds east of Greenwich
	seen     parts
	prefix   unit // a unit that waits for its number
	textual  bool // the month was a word
	julian   bool
	short    bool // the year had one or two digits
	era      int
	meridian int
	special  int // infinity or epoch instead of a date

	named        *time.Location // a zone that decides with the date
	changing     *time.Location // the same for an abbreviation
	abbreviation string
	badZone      string
}

// read gives the moment, or what is wrong.
func (r *dateReader) read() problem {
	r.era, r.meridian = anno, -1
	for i := range r.fields {
		found, p := r.field(i)
		if p != fine {
			return p
		}
		if found&r.seen != 0 {
			return badFormat
		}
		r.seen |= found
	}
	if r.prefix != noUnit {
		return badFormat
	}
	if r.special != 0 {
		return fine
	}
	return r.finish()
}

func (r *dateReader) field(i int) (parts, problem) {
	switch f := r.fields[i]; f.kind {
	case dateField:
		if r.timeOnly {
			return r.dateInTime(i)
		}
		return r.date(f.text)
	case timeField:
		if r.prefix != noUnit && r.prefix != unitISOTime {
			return 0, badFormat
		}
		r.prefix = noUnit
		p := r.clockText(f.text)
		if p == fine && !r.timeOnly && r.timeOverflows() {
			p = fieldOverflow
		}
		return partTime, p
	case signedField:
		p := r.numericZone(f.text)
		return partZone, p
	case numberField:
		return r.number(i)
	default:
		return r.word(f.text)
	}
}

// date reads a field that looks like a date: one, unless month and day are known,
// when it is a zone or a time with a zone.
func (r *dateReader) date(text string) (parts, problem) {
	switch {
	case r.prefix == unitJulian:
		return r.julianWithZone(text)
	case r.prefix == noUnit && r.seen&(partMonth|partDay) != partMonth|partDay:
		return r.dateText(text)
	case r.prefix == noUnit && !isDigit(text[0]):
		return r.zoneName(text)
	case r.prefix != noUnit && r.prefix != unitISOTime:
		return 0, badFormat
	}
	r.prefix = noUnit
	return r.timeWithZone(text, r.seen)
}

// dateInTime reads the same where a time is wanted: a date may only come first.
func (r *dateReader) dateInTime(i int) (parts, problem) {
	text := r.fields[i].text
	switch {
	case i == 0 && len(r.fields) >= 2 && (r.fields[len(r.fields)-1].kind == dateField || r.fields[1].kind == timeField):
		return r.dateText(text)
	case isDigit(text[0]):
		return r.timeWithZone(text, r.seen|partDate)
	}
	return r.zoneName(text)
}

func (r *dateReader) julianWithZone(text string) (parts, problem) {
	day, rest, fits := leadingInt(text, 32)
	if !fits || day < 0 {
		return 0, fieldOverflow
	}
	r.year, r.month, r.day = fromJulianDay(int(day))
	r.julian = true
	if p := r.numericZone(rest); p != fine {
		return 0, p
	}
	r.prefix = noUnit
	return partDate | partTime | partZone, fine
}

func (r *dateReader) zoneName(text string) (parts, problem) {
	zone, ok := LookupZone(text)
	if !ok {
		r.badZone = text
		return 0, unknownZone
	}
	r.named = zone
	return partZone, fine
}

// timeWithZone reads digits that run into a zone, as in 040506-08.
func (r *dateReader) timeWithZone(text string, seen parts) (parts, problem) {
	if r.seen&partTime != 0 {
		return 0, badFormat
	}
	i := strings.IndexByte(text, '-')
	if i < 0 {
		return 0, badFormat
	}
	if p := r.numericZone(text[i:]); p != fine {
		return 0, p
	}
	found, p := r.digits(text[:i], seen)
	return found | partZone, p
}

// number reads digits, perhaps with a point.
func (r *dateReader) number(i int) (parts, problem) {
	text := r.fields[i].text
	if r.prefix != noUnit {
		return r.prefixed(text)
	}
	point := strings.IndexByte(text, '.')
	if r.timeOnly {
		switch {
		case point >= 0 && i == 0 && len(r.fields) >= 2 && r.fields[len(r.fields)-1].kind == dateField:
			return r.dateText(text)
		case point > 2 || point < 0 && len(text) > 4:
			return r.digits(text, r.seen|partDate)
		case point >= 0:
			return 0, badFormat
		}
		return r.single(text, false, r.seen|partDate)
	}
	switch {
	case point >= 0 && r.seen&partDate == 0:
		return r.dateText(text)
	case point > 2, len(text) >= 6 && (r.seen&partDate == 0 || r.seen&partTime == 0):
		return r.digits(text, r.seen)
	}
	return r.single(text, r.textual, r.seen)
}

// prefixed reads a number that a word before it gave a meaning.
func (r *dateReader) prefixed(text string) (parts, problem) {
	n, rest, fits := leadingInt(text, 32)
	if !fits {
		return 0, fieldOverflow
	}
	if rest != "" && rest[0] != '.' {
		return 0, badFormat
	}
	prefix := r.prefix
	r.prefix = noUnit
	switch prefix {
	case unitJulian:
		return r.julianDate(int(n), rest)
	case unitISOTime:
		found, p := r.digits(text, r.seen|partDate)
		if p == fine && found != partTime {
			p = badFormat
		}
		return found, p
	}
	return 0, badFormat
}

func (r *dateReader) julianDate(n int, fraction string) (parts, problem) {
	if n < 0 {
		return 0, fieldOverflow
	}
	r.year, r.month, r.day = fromJulianDay(n)
	r.julian = true
	if fraction == "" {
		return partDate, fine
	}
	f, ok := parseFraction(fraction)
	if !ok {
		return 0, badFormat
	}
	r.setTime(int64(f * microsPerDay))
	return partDate | partTime, fine
}

// word reads a word: an abbreviation of a zone, a word of dates, or a zone.
func (r *dateReader) word(text string) (parts, problem) {
	if a, ok := findAbbreviation(text); ok {
		return r.zoneWord(text, a)
	}
	w := findWord(dateWords, text)
	switch w.kind {
	case ignoredWord:
		return 0, fine
	case reservedWord:
		return r.reserved(w.value)
	case monthWord:
		if r.timeOnly {
			return 0, badFormat
		}
		return r.monthName(w.value), fine
	case weekdayWord:
		if r.timeOnly {
			return 0, badFormat
		}
		return partWeekday, fine
	case meridianWord:
		r.meridian = w.value
		return partMeridian, fine
	case eraWord:
		r.era = w.value
		return partEra, fine
	case daylightWord:
		r.zone += w.value
		return partDaylightModifier | partDaylight, fine
	case unitWord, isoTimeWord:
		if r.prefix != noUnit || w.kind == isoTimeWord && !r.timeOnly && r.seen&partDate != partDate {
			return 0, badFormat
		}
		r.prefix = unit(w.value)
		return 0, fine
	}
	zone, ok := LookupZone(text)
	if !ok {
		return 0, badFormat
	}
	r.named = zone
	return partZone, fine
}

func (r *dateReader) zoneWord(text string, a abbreviation) (parts, problem) {
	switch {
	case a.zone != "":
		zone, ok := LookupZone(a.zone)
		if !ok {
			r.badZone = a.zone
			return 0, unknownZone
		}
		r.changing, r.abbreviation = zone, text
		return partZone | partChanging, fine
	case a.daylight:
		r.zone = a.offset
		return partZone | partDaylight, fine
	}
	r.zone = a.offset
	return partZone, fine
}

// monthName takes a month's name. A number that was taken for the month before
// turns out to be the day.
func (r *dateReader) monthName(month int) parts {
	found := partMonth
	if r.seen&partMonth != 0 && !r.textual && r.seen&partDay == 0 && r.month >= 1 && r.month <= 31 {
		r.day = r.month
		found = partDay
	}
	r.textual = true
	r.month = month
	return found
}

func (r *dateReader) reserved(value int) (parts, problem) {
	switch {
	case value == valueNow:
		moment, offset := r.clock.local()
		r.civil = moment
		if r.timeOnly {
			return partTime, fine
		}
		r.zone = offset
		return partDate | partTime | partZone, fine
	case value == valueMidnightUTC:
		r.hour, r.minute, r.second, r.zone = 0, 0, 0, 0
		return partTime | partZone, fine
	case r.timeOnly:
		return 0, badFormat
	case value == valueYesterday || value == valueToday || value == valueTomorrow:
		moment, _ := r.clock.local()
		r.year, r.month, r.day = fromJulianDay(julianDay(moment.year, moment.month, moment.day) + value - valueToday)
		return partDate, fine
	}
	r.special = value
	return partDate | partTime | partZone, fine
}

// finish checks the parts together and finds the zone's offset.
func (r *dateReader) finish() problem {
	if p := r.checkDate(); p != fine {
		return p
	}
	if r.meridian >= 0 && r.hour > 12 {
		return fieldOverflow
	}
	if r.meridian == am && r.hour == 12 {
		r.hour = 0
	} else if r.meridian == pm && r.hour != 12 {
		r.hour += 12
	}
	if r.timeOnly {
		if r.timeOverflows() {
			return fieldOverflow
		}
		if r.seen&partTime == 0 {
			return badFormat
		}
		return r.finishTimeZone()
	}
	if r.seen&partDate != partDate {
		return badFormat
	}
	return r.finishZone()
}

func (r *dateReader) finishZone() problem {
	modified := r.seen&partDaylightModifier != 0
	if modified && (r.named != nil || r.changing != nil || r.seen&partZone == 0) {
		return badFormat
	}
	switch {
	case r.changing != nil:
		r.zone = namedOffset(r.changing, r.abbreviation, &r.civil)
	case r.named != nil:
		r.zone, _ = offsetOf(r.named, &r.civil)
	case r.seen&partZone == 0:
		r.zone, _ = offsetOf(r.clock.zone(), &r.civil)
	}
	return fine
}

// finishTimeZone finds the offset of a time's zone, which may need a date.
func (r *dateReader) finishTimeZone() problem {
	modified := r.seen&partDaylightModifier != 0
	if r.named != nil {
		if modified {
			return badFormat
		}
		if offset, fixed := fixedOffset(r.named); fixed {
			r.zone = offset
		} else if r.seen&partDate != partDate {
			return badFormat
		} else {
			r.zone, _ = offsetOf(r.named, &r.civil)
		}
	}
	if r.changing == nil && r.seen&partZone != 0 {
		return fine
	}
	if modified {
		return badFormat
	}
	day, p := r.dayOfTime()
	if p != fine {
		return p
	}
	if r.changing != nil {
		r.zone = namedOffset(r.changing, r.abbreviation, &day)
	} else {
		r.zone, _ = offsetOf(r.clock.zone(), &day)
	}
	return fine
}

// dayOfTime gives the time on its own date or, without one, today.
func (r *dateReader) dayOfTime() (civil, problem) {
	day := r.civil
	if r.seen&partDate == 0 {
		today, _ := r.clock.local()
		day.year, day.month, day.day = today.year, today.month, today.day
	} else if r.seen&partDate != partDate {
		return day, badFormat
	}
	return day, fine
}

// dateText reads a date with delimiters.
func (r *dateReader) dateText(text string) (parts, problem) {
	pieces, ok := datePieces(text)
	if !ok {
		return 0, badFormat
	}
	seen, textual := r.seen, false
	var all parts
	for i, piece := range pieces {
		if !isLetter(piece[0]) {
			continue
		}
		w := findWord(dateWords, piece)
		if w.kind == ignoredWord {
			continue
		}
		if w.kind != monthWord || seen&partMonth != 0 {
			return 0, badFormat
		}
		r.month, textual = w.value, true
		seen, all = seen|partMonth, all|partMonth
		pieces[i] = ""
	}
	micros := r.micros
	for _, piece := range pieces {
		if piece == "" {
			continue
		}
		found, p := r.single(piece, textual, seen)
		if p != fine {
			return 0, p
		}
		if seen&found != 0 {
			return 0, badFormat
		}
		seen, all = seen|found, all|found
	}
	r.micros = micros
	if seen&^(partDayOfYear|partZone) != partDate {
		return 0, badFormat
	}
	return all, fine
}

// datePieces cuts a date into runs of digits or letters; the byte after each run
// is dropped, whatever it is.
func datePieces(text string) ([]string, bool) {
	var pieces []string
	for text != "" && len(pieces) < maxFields {
		for text != "" && !isDigit(text[0]) && !isLetter(text[0]) {
			text = text[1:]
		}
		if text == "" {
			return nil, false
		}
		in := isDigit
		if isLetter(text[0]) {
			in = isLetter
		}
		n := 1
		for n < len(text) && in(text[n]) {
			n++
		}
		pieces = append(pieces, text[:n])
		text = text[min(n+1, len(text)):]
	}
	return pieces, true
}

// single reads one number of a date, whose meaning follows from what is known.
func (r *dateReader) single(text string, textual bool, seen parts) (parts, problem) {
	value, rest, fits := leadingInt(text, 32)
	switch {
	case !fits:
		return 0, fieldOverflow
	case len(rest) == len(text):
		return 0, badFormat
	case rest != "" && rest[0] != '.':
		return 0, badFormat
	case rest != "" && len(text)-len(rest) > 2:
		return r.digits(text, seen|partDate)
	case rest != "":
		micros, ok := parseMicros(rest)
		if !ok {
			return 0, badFormat
		}
		r.micros = micros
	}
	n := int(value)
	known := seen & partDate
	if len(text) == 3 && known == partYear && n >= 1 && n <= 366 {
		r.yearDay = n
		return partDayOfYear | partMonth | partDay, fine
	}
	switch known {
	case 0:
		if len(text) >= 3 {
			return r.setYear(n, text), fine
		}
		r.month = n
		return partMonth, fine
	case partYear, partDay:
		r.month = n
		return partMonth, fine
	case partMonth:
		if textual && len(text) >= 3 {
			return r.setYear(n, text), fine
		}
	case partYear | partMonth:
		if textual && len(text) >= 3 && r.short {
			// What was taken for the year is the day.
			r.day, r.year, r.short = r.year, n, false
			return partDay, fine
		}
	case partMonth | partDay:
		return r.setYear(n, text), fine
	case partDate:
		return r.digits(text, seen)
	default:
		return 0, badFormat
	}
	r.day = n
	return partDay, fine
}

func (r *dateReader) setYear(n int, text string) parts {
	r.year, r.short = n, len(text) <= 2
	return partYear
}

// digits reads a date or time that runs together: yymmdd, yyyymmdd, hhmmss, hhmm,
// with a fraction of a second.
func (r *dateReader) digits(text string, seen parts) (parts, problem) {
	if strings.Trim(text, "0123456789.") != "" {
		return 0, badFormat
	}
	if i := strings.IndexByte(text, '.'); i >= 0 {
		micros, ok := parseMicros(text[i:])
		if !ok {
			return 0, badFormat
		}
		r.micros = micros
		text = text[:i]
	} else if seen&partDate != partDate && len(text) >= 6 {
		n := len(text)
		r.day, r.month, r.year = atoi(text[n-2:]), atoi(text[n-4:n-2]), atoi(text[:n-4])
		if n == 6 {
			r.short = true
		}
		return partDate, fine
	}
	if seen&partTime != 0 || len(text) != 6 && len(text) != 4 {
		return 0, badFormat
	}
	r.hour, r.minute, r.second = atoi(text[:2]), atoi(text[2:4]), 0
	if len(text) == 6 {
		r.second = atoi(text[4:])
	}
	return partTime, fine
}

// atoi is C's on the server's machine: what is too long wraps.
func atoi(s string) int {
	n, _, fits := leadingInt(s, 64)
	if !fits {
		n = math.MaxInt64
	}
	return int(int32(n))
}

// checkDate completes the year and checks the parts of the date that there are.
func (r *dateReader) checkDate() problem {
	if r.seen&partYear != 0 && !r.julian && !r.completeYear() {
		return fieldOverflow
	}
	if r.seen&partDayOfYear != 0 {
		r.year, r.month, r.day = fromJulianDay(julianDay(r.year, 1, 1) + r.yearDay - 1)
	}
	if r.seen&partMonth != 0 && (r.month < 1 || r.month > monthsPerYear) {
		return monthDayOverflow
	}
	if r.seen&partDay != 0 && (r.day < 1 || r.day > 31) {
		return monthDayOverflow
	}
	if r.seen&partDate == partDate && r.day > monthLength(r.year, r.month) {
		return fieldOverflow
	}
	return fine
}

// completeYear applies the era, or the century to a year of two digits.
func (r *dateReader) completeYear() bool {
	switch {
	case r.era == beforeChrist:
		if r.year <= 0 {
			return false
		}
		r.year = 1 - r.year
	case r.short:
		if r.year < 0 {
			return false
		}
		if r.year < 70 {
			r.year += 2000
		} else if r.year < 100 {
			r.year += 1900
		}
	default:
		return r.year > 0
	}
	return true
}

// clockText reads hh:mm[:ss[.f]] or mm:ss.f.
func (r *dateReader) clockText(text string) problem {
	c, p := readClock(text, false)
	if p == fine && c.hour > math.MaxInt32 {
		p = fieldOverflow
	}
	r.hour, r.minute, r.second, r.micros = int(c.hour), c.minute, c.second, c.micros
	return p
}

type clockReading struct {
	hour                   int64
	minute, second, micros int
}

// readClock reads a time with colons. Two numbers are hours and minutes, unless
// minutes and seconds are wanted or a fraction follows.
func readClock(text string, minutesFirst bool) (c clockReading, p problem) {
	hour, rest, fits := leadingInt(text, 64)
	if !fits {
		return c, fieldOverflow
	}
	if rest == "" || rest[0] != ':' {
		return c, badFormat
	}
	minute, rest, fits := leadingInt(rest[1:], 32)
	if !fits {
		return c, fieldOverflow
	}
	c.hour, c.minute = hour, int(minute)
	switch {
	case rest == "" && !minutesFirst:
	case rest == "" || rest[0] == '.':
		ok := true
		if rest != "" {
			c.micros, ok = parseMicros(rest)
		}
		if !ok {
			return c, badFormat
		}
		if hour > math.MaxInt32 || hour < math.MinInt32 {
			return c, fieldOverflow
		}
		c.hour, c.minute, c.second = 0, int(hour), int(minute)
	case rest[0] == ':':
		second, rest, fits := leadingInt(rest[1:], 32)
		if !fits {
			return c, fieldOverflow
		}
		c.second = int(second)
		ok := rest == ""
		if rest != "" && rest[0] == '.' {
			c.micros, ok = parseMicros(rest)
		}
		if !ok {
			return c, badFormat
		}
	default:
		return c, badFormat
	}
	if c.hour < 0 || c.minute < 0 || c.minute > 59 || c.second < 0 || c.second > 60 {
		return c, fieldOverflow
	}
	return c, fine
}

// numericZone reads a sign and hh, hhmm, hh:mm or hh:mm:ss.
func (r *dateReader) numericZone(text string) problem {
	offset, p := readOffset(text)
	if p == fine {
		r.zone = offset
	}
	return p
}

const maxZoneHour = 15

func readOffset(text string) (seconds int, p problem) {
	if text == "" || text[0] != '+' && text[0] != '-' {
		return 0, badFormat
	}
	hour, rest, fits := leadingInt(text[1:], 32)
	var minute, second int64
	switch {
	case !fits:
		return 0, zoneOverflow
	case rest != "" && rest[0] == ':':
		minute, rest, fits = leadingInt(rest[1:], 32)
		if fits && rest != "" && rest[0] == ':' {
			second, rest, fits = leadingInt(rest[1:], 32)
		}
		if !fits {
			return 0, zoneOverflow
		}
	case rest == "" && len(text) > 3:
		hour, minute = hour/100, hour%100
	}
	if hour < 0 || hour > maxZoneHour || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return 0, zoneOverflow
	}
	seconds = int((hour*60+minute)*60 + second)
	if text[0] == '-' {
		seconds = -seconds
	}
	if rest != "" {
		return seconds, badFormat
	}
	return seconds, fine
}

// parseFraction reads a point and digits, as a number from 0 to 1.
func parseFraction(s string) (float64, bool) {
	if s == "." {
		return 0, true
	}
	for i := 1; i < len(s); i++ {
		if !isDigit(s[i]) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// parseMicros reads a fraction of a second, rounded to microseconds.
func parseMicros(s string) (int, bool) {
	f, ok := parseFraction(s)
	return int(math.RoundToEven(f * microsPerSecond)), ok
}

// parseError is the server's error of a problem with a text of a type.
func parseError(p problem, typeName, s, zone string) *pgerr.Error {
	switch p {
	case fieldOverflow:
		return pgerr.New(pgerr.DatetimeOverflow, "date/time field value out of range: \"%s\"", s)
	case monthDayOverflow:
		return pgerr.New(pgerr.DatetimeOverflow, "date/time field value out of range: \"%s\"", s).
			WithHint("Perhaps you need a different \"datestyle\" setting.")
	case zoneOverflow:
		return pgerr.New(pgerr.InvalidTimeZone, "time zone displacement out of range: \"%s\"", s)
	case unknownZone:
		return errUnknownZone(zone)
	}
	return pgerr.New(pgerr.InvalidDatetimeFormat, "invalid input syntax for type %s: \"%s\"", typeName, s)
}
