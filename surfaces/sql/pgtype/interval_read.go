package pgtype

import (
	"math"
	"strconv"
	"strings"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// ParseInterval reads an interval in the styles of the server, of the SQL standard
// and of ISO 8601. The type modifier, negative for none, decides what a number
// without a unit means and to what the value is cut.
func ParseInterval(s string, typmod int32) (Interval, *pgerr.Error) {
	fields, _ := intervalFields(typmod)
	r := intervalReader{declared: fields}
	pieces, ok := splitFields(s, intervalTextRoom)
	p := badFormat
	if ok {
		p = r.read(pieces)
	}
	if p == badFormat {
		r = intervalReader{}
		p = r.readISO(s)
	}
	switch p {
	case fine:
	case fieldOverflow:
		return Interval{}, pgerr.New(pgerr.IntervalOverflow, "interval field value out of range: \"%s\"", s)
	default:
		return Interval{}, parseError(p, "interval", s, "")
	}
	v, ok := r.interval()
	if !ok {
		return Interval{}, errIntervalRange
	}
	return FitInterval(v, typmod)
}

// intervalReader adds the fields of an interval up.
type intervalReader struct {
	declared int // the fields of the type

	years, months, days int32
	micros              int64
	infinite            int // the value of the word
	seen                uint32
}

func (r *intervalReader) interval() (Interval, bool) {
	switch r.infinite {
	case valueInfinity:
		return IntervalInfinity, true
	case valueNegInfinity:
		return IntervalNegInfinity, true
	}
	months := int64(r.years)*monthsPerYear + int64(r.months)
	v := Interval{Months: int32(months), Days: r.days, Micros: r.micros}
	return v, int64(int32(months)) == months && v.Finite()
}

// The parts of an interval that may come once.
const (
	seenTime     = 1<<unitHour | 1<<unitMinute | seenSeconds
	seenSeconds  = 1<<unitSecond | 1<<unitMillisecond | 1<<unitMicrosecond
	seenInfinity = 1<<unitYear | 1<<unitMonth | 1<<unitDay | seenTime
)

// read goes from the last field to the first, so that a unit is known before its
// number.
func (r *intervalReader) read(fields []field) problem {
	const undecided = noUnit
	current, pending, ago := undecided, false, false
	for i := len(fields) - 1; i >= 0; i-- {
		f := fields[i]
		var found uint32
		var p problem
		switch f.kind {
		case timeField:
			found, p = seenTime, r.clockText(f.text, false)
			current, pending = unitDay, false
		case signedField, dateField, numberField:
			if f.kind == signedField && strings.IndexByte(f.text, ':') > 0 && r.clockText(f.text[1:], f.text[0] == '-') == fine {
				found, current, pending = seenTime, unitDay, false
				break
			}
			if current == undecided {
				current = r.declaredUnit()
			}
			found, p = r.number(f.text, &current)
			pending = false
		default:
			if pending {
				return badFormat
			}
			w := findWord(unitWords, f.text)
			if w.kind == unknownWord {
				w = findWord(dateWords, f.text)
			}
			last := i == len(fields)-1
			switch {
			case w.kind == ignoredWord:
				// It also takes the unit away that was known.
				current = undecided
				continue
			case w.kind == unitWord:
				current, pending = unit(w.value), true
			case w.kind == agoWord && last:
				ago, current = true, notAUnit
			case w.kind == reservedWord && last && (w.value == valueInfinity || w.value == valueNegInfinity):
				r.infinite, current, found = w.value, notAUnit, seenInfinity
			default:
				return badFormat
			}
		}
		if p != fine {
			return p
		}
		if found&r.seen != 0 {
			return badFormat
		}
		r.seen |= found
	}
	if r.seen == 0 || pending {
		return badFormat
	}
	if ago {
		return r.negate()
	}
	return fine
}

// notAUnit stands where a number must not come.
const notAUnit = unitISOTime

func (r *intervalReader) negate() problem {
	if r.micros == math.MinInt64 || r.days == math.MinInt32 || r.months == math.MinInt32 || r.years == math.MinInt32 {
		return fieldOverflow
	}
	r.micros, r.days, r.months, r.years = -r.micros, -r.days, -r.months, -r.years
	return fine
}

// clockText reads hh:mm:ss. It sets the microseconds, also when it fails: what was
// added before is gone.
func (r *intervalReader) clockText(text string, negative bool) problem {
	c, p := readClock(text, r.declared == intervalMinute|intervalSecond)
	if p != fine {
		return p
	}
	r.micros = int64(c.micros)
	if !r.addMicros(c.hour, 0, microsPerHour) || !r.addMicros(int64(c.minute), 0, microsPerMinute) ||
		!r.addMicros(int64(c.second), 0, microsPerSecond) {
		return fieldOverflow
	}
	if negative {
		r.micros = -r.micros
	}
	return fine
}

// declaredUnit is what the last number means by the declared fields: the smallest.
func (r *intervalReader) declaredUnit() unit {
	switch r.declared {
	case intervalYear:
		return unitYear
	case intervalMonth, intervalYear | intervalMonth:
		return unitMonth
	case intervalDay:
		return unitDay
	case intervalHour, intervalDay | intervalHour:
		return unitHour
	case intervalMinute, intervalHour | intervalMinute, intervalDay | intervalHour | intervalMinute:
		return unitMinute
	}
	return unitSecond
}

// number adds a number of the current unit, or years and months with a hyphen.
func (r *intervalReader) number(text string, current *unit) (found uint32, p problem) {
	value, rest, fits := leadingInt(text, 64)
	if !fits {
		return 0, fieldOverflow
	}
	fraction := 0.0
	switch {
	case rest == "":
	case rest[0] == '-':
		months, after, fits := leadingInt(rest[1:], 32)
		if !fits || months < 0 || months >= monthsPerYear {
			return 0, fieldOverflow
		}
		if after != "" {
			return 0, badFormat
		}
		if text[0] == '-' {
			months = -months
		}
		years, ok := multiply(value, monthsPerYear)
		if ok {
			value, ok = addInt64(years, months)
		}
		if !ok {
			return 0, fieldOverflow
		}
		*current = unitMonth
	case rest[0] == '.':
		f, ok := parseFraction(rest)
		if !ok {
			return 0, badFormat
		}
		if fraction = f; text[0] == '-' {
			fraction = -f
		}
	default:
		return 0, badFormat
	}
	u := *current
	ok, known := r.add(u, value, fraction)
	switch {
	case !known:
		return 0, badFormat
	case !ok:
		return 0, fieldOverflow
	case u == unitHour:
		*current = unitDay // for the number before
	case u == unitSecond && fraction != 0:
		return seenSeconds, fine
	}
	return 1 << u, fine
}

// add adds a number of a unit; known is false for what is no unit of intervals.
func (r *intervalReader) add(u unit, value int64, fraction float64) (ok, known bool) {
	switch u {
	case unitMicrosecond:
		return r.addMicros(value, fraction, 1), true
	case unitMillisecond:
		return r.addMicros(value, fraction, 1000), true
	case unitSecond:
		return r.addMicros(value, fraction, microsPerSecond), true
	case unitMinute:
		return r.addMicros(value, fraction, microsPerMinute), true
	case unitHour:
		return r.addMicros(value, fraction, microsPerHour), true
	case unitDay:
		return r.addDays(value, 1) && r.addFraction(fraction, microsPerDay), true
	case unitWeek:
		return r.addDays(value, 7) && r.addDayFraction(fraction, 7), true
	case unitMonth:
		return addSmall(&r.months, value, 1) && r.addDayFraction(fraction, daysPerMonth), true
	case unitYear:
		return r.addYears(value, fraction, 1), true
	case unitDecade:
		return r.addYears(value, fraction, 10), true
	case unitCentury:
		return r.addYears(value, fraction, 100), true
	case unitMillennium:
		return r.addYears(value, fraction, 1000), true
	}
	return false, false
}

func (r *intervalReader) addMicros(value int64, fraction float64, scale int64) bool {
	n, ok := multiplyInt64(value, scale)
	if ok {
		r.micros, ok = addInt64(r.micros, n)
	}
	return ok && r.addFraction(fraction, scale)
}

// addFraction adds a part of a unit, rounded half away from zero… but a half
// itself is dropped.
func (r *intervalReader) addFraction(fraction float64, scale int64) bool {
	if fraction == 0 {
		return true
	}
	fraction *= float64(scale)
	micros := int64(fraction)
	switch rest := fraction - float64(micros); {
	case rest > 0.5:
		micros++
	case rest < -0.5:
		micros--
	}
	var ok bool
	r.micros, ok = addInt64(r.micros, micros)
	return ok
}

func (r *intervalReader) addDays(value int64, scale int32) bool {
	return addSmall(&r.days, value, scale)
}

// addDayFraction adds a part of a unit of so many days.
func (r *intervalReader) addDayFraction(fraction float64, scale int) bool {
	if fraction == 0 {
		return true
	}
	fraction *= float64(scale)
	days := int64(fraction)
	return addSmall(&r.days, days, 1) && r.addFraction(fraction-float64(days), microsPerDay)
}

// addYears adds years; a part of them becomes whole months.
func (r *intervalReader) addYears(value int64, fraction float64, scale int32) bool {
	months := int64(math.RoundToEven(fraction * float64(scale) * monthsPerYear))
	return addSmall(&r.years, value, scale) && addSmall(&r.months, months, 1)
}

// addSmall adds value × scale where all must fit in 32 bits.
func addSmall(sum *int32, value int64, scale int32) bool {
	if value != int64(int32(value)) {
		return false
	}
	product := value * int64(scale)
	total := int64(*sum) + product
	if product != int64(int32(product)) || total != int64(int32(total)) {
		return false
	}
	*sum = int32(total)
	return true
}

// multiplyInt64 gives a product that fits, the smallest number included.
func multiplyInt64(a, b int64) (int64, bool) {
	if p, ok := multiply(a, b); ok {
		return p, true
	}
	p := a * b
	return p, p == math.MinInt64 && (a == math.MinInt64 && b == 1 || a != math.MinInt64 && b != 0 && p/b == a)
}

// readISO reads an interval of ISO 8601: P1Y2M3DT4H5M6S, or P0001-02-03T04:05:06.
func (r *intervalReader) readISO(s string) problem {
	if len(s) < 2 || s[0] != 'P' {
		return badFormat
	}
	rest, inTime, followed := s[1:], false, false
	for rest != "" {
		if rest[0] == 'T' {
			inTime, followed, rest = true, false, rest[1:]
			continue
		}
		n, p := isoNumber(rest)
		if p != fine {
			return p
		}
		if u := designator(n.rest, inTime); u != noUnit {
			if ok, _ := r.add(u, n.whole, n.fraction); !ok {
				return fieldOverflow
			}
			rest, followed = n.rest[1:], true
			continue
		}
		var done bool
		if inTime {
			done, p = true, r.isoTime(n, followed)
		} else {
			rest, done, p = r.isoDate(n, followed)
		}
		if p != fine || done {
			return p
		}
		inTime, followed = true, false
	}
	return fine
}

// designator gives the unit that the letter after a number names.
func designator(rest string, inTime bool) unit {
	if rest == "" {
		return noUnit
	}
	if inTime {
		switch rest[0] {
		case 'H':
			return unitHour
		case 'M':
			return unitMinute
		case 'S':
			return unitSecond
		}
		return noUnit
	}
	switch rest[0] {
	case 'Y':
		return unitYear
	case 'M':
		return unitMonth
	case 'W':
		return unitWeek
	case 'D':
		return unitDay
	}
	return noUnit
}

// isoDate reads the alternative form of a date, yyyymmdd or yyyy-mm-dd. It is done
// unless a time follows.
func (r *intervalReader) isoDate(n isoValue, followed bool) (rest string, done bool, p problem) {
	next := byte(0)
	if n.rest != "" {
		next = n.rest[0]
	}
	ends := next == 0 || next == 'T'
	after := n.rest[min(1, len(n.rest)):]
	if ends && n.digits == 8 && !followed {
		ok := addSmall(&r.years, n.whole/10000, 1) && addSmall(&r.months, n.whole/100%100, 1) &&
			r.addDays(n.whole%100, 1) && r.addFraction(n.fraction, microsPerDay)
		return after, next == 0, overflowUnless(ok)
	}
	if !ends && next != '-' || followed {
		return "", true, badFormat
	}
	if !r.addYears(n.whole, n.fraction, 1) {
		return "", true, fieldOverflow
	}
	if ends {
		return after, next == 0, fine
	}
	for _, u := range []unit{unitMonth, unitDay} {
		if n, p = isoNumber(after); p != fine {
			return "", true, p
		}
		if ok, _ := r.add(u, n.whole, n.fraction); !ok {
			return "", true, fieldOverflow
		}
		switch {
		case n.rest == "":
			return "", true, fine
		case n.rest[0] == 'T':
			return n.rest[1:], false, fine
		case n.rest[0] != '-' || u == unitDay:
			return "", true, badFormat
		}
		after = n.rest[1:]
	}
	return "", true, badFormat
}

// isoTime reads the alternative form of a time, hhmmss or hh:mm:ss.
func (r *intervalReader) isoTime(n isoValue, followed bool) problem {
	if n.rest == "" && n.digits == 6 && !followed {
		return overflowUnless(r.addMicros(n.whole/10000, 0, microsPerHour) && r.addMicros(n.whole/100%100, 0, microsPerMinute) &&
			r.addMicros(n.whole%100, 0, microsPerSecond) && r.addFraction(n.fraction, 1))
	}
	if n.rest != "" && n.rest[0] != ':' || followed {
		return badFormat
	}
	for _, scale := range []int64{microsPerHour, microsPerMinute, microsPerSecond} {
		if !r.addMicros(n.whole, n.fraction, scale) {
			return fieldOverflow
		}
		if n.rest == "" {
			return fine
		}
		if n.rest[0] != ':' || scale == microsPerSecond {
			return badFormat
		}
		var p problem
		if n, p = isoNumber(n.rest[1:]); p != fine {
			return p
		}
	}
	return badFormat
}

func overflowUnless(ok bool) problem {
	if ok {
		return fine
	}
	return fieldOverflow
}

// isoValue is a decimal number and what follows it.
type isoValue struct {
	whole    int64
	fraction float64
	digits   int // before the point
	rest     string
}

// isoLimit bounds what is exact in a float.
const isoLimit = 1e15

// isoNumber reads a decimal number, which the server lets C's strtod do.
func isoNumber(s string) (isoValue, problem) {
	if s == "" || !isDigit(s[0]) && s[0] != '-' && s[0] != '.' {
		return isoValue{}, badFormat
	}
	end := floatEnd(s)
	if end == 0 {
		return isoValue{}, badFormat
	}
	text := s[:end]
	if hexFloat(text) && !strings.ContainsAny(text, "pP") {
		text += "p0"
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !math.IsInf(f, 0):
		return isoValue{}, badFormat
	case math.IsInf(f, 0) && err != nil, f == 0 && hasNonZeroDigit(text):
		return isoValue{}, badFormat
	case math.IsNaN(f) || f < -isoLimit || f > isoLimit:
		return isoValue{}, fieldOverflow
	}
	whole := math.Trunc(f)
	unsigned := strings.TrimPrefix(s, "-")
	digits := 0
	for digits < len(unsigned) && isDigit(unsigned[digits]) {
		digits++
	}
	return isoValue{whole: int64(whole), fraction: f - whole, digits: digits, rest: s[end:]}, fine
}

// floatEnd gives how much of a text C's strtod reads as a number.
func floatEnd(s string) int {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	for _, word := range []string{"infinity", "inf", "nan"} {
		if len(s)-i >= len(word) && strings.EqualFold(s[i:i+len(word)], word) {
			return i + len(word)
		}
	}
	base, exponent := 10, "eE"
	if hexFloat(s[i:]) && i+2 < len(s) && (digitOf(s[i+2], 16) || s[i+2] == '.' && i+3 < len(s) && digitOf(s[i+3], 16)) {
		base, exponent = 16, "pP"
		i += 2
	}
	digits := 0
	for ; i < len(s) && digitOf(s[i], base); i++ {
		digits++
	}
	if i < len(s) && s[i] == '.' {
		i++
		for ; i < len(s) && digitOf(s[i], base); i++ {
			digits++
		}
	}
	if digits == 0 {
		return 0
	}
	if i < len(s) && strings.IndexByte(exponent, s[i]) >= 0 {
		j := i + 1
		if j < len(s) && (s[j] == '-' || s[j] == '+') {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			for j < len(s) && isDigit(s[j]) {
				j++
			}
			i = j
		}
	}
	return i
}
