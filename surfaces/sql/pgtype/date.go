package pgtype

import (
	"math"
	"strconv"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// The dates that are before and after all others. A date counts the days since
// 2000-01-01.
const (
	DateInfinity    int64 = math.MaxInt32
	DateNegInfinity int64 = math.MinInt32
)

// ParseDate reads a date in any of the server's forms, in the order month, day,
// year where the text leaves it open.
func ParseDate(s string, clock Clock) (int64, *pgerr.Error) {
	if days, ok := plainDate(s); ok {
		return days, nil
	}
	r, p := readMoment(s, timestampTextRoom, clock, false)
	if p != fine {
		return 0, parseError(p, "date", s, r.badZone)
	}
	switch r.special {
	case valueEpoch:
		return unixEpochDays, nil
	case valueInfinity:
		return DateInfinity, nil
	case valueNegInfinity:
		return DateNegInfinity, nil
	}
	if !validJulian(r.year, r.month) || !validDate(int64(r.days())) {
		return 0, pgerr.New(pgerr.DatetimeOverflow, "date out of range: \"%s\"", s)
	}
	return int64(r.days()), nil
}

// readMoment splits and reads a text.
func readMoment(s string, room int, clock Clock, timeOnly bool) (*dateReader, problem) {
	fields, ok := splitFields(s, room)
	r := &dateReader{clock: clock, timeOnly: timeOnly, fields: fields}
	if !ok {
		return r, badFormat
	}
	return r, r.read()
}

// plainDate reads yyyy-mm-dd, the form that nearly every date has.
func plainDate(s string) (days int64, ok bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	year, okYear := plainNumber(s[:4])
	month, okMonth := plainNumber(s[5:7])
	day, okDay := plainNumber(s[8:])
	if !okYear || !okMonth || !okDay || year == 0 || month < 1 || month > 12 || day < 1 || day > monthLength(year, month) {
		return 0, false
	}
	return int64(julianDay(year, month, day) - epochJulian), true
}

func plainNumber(s string) (n int, ok bool) {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// AppendDate writes a date in the ISO form.
func AppendDate(dst []byte, days int64) []byte {
	switch days {
	case DateInfinity:
		return append(dst, "infinity"...)
	case DateNegInfinity:
		return append(dst, "-infinity"...)
	}
	var c civil
	c.setDate(int(days))
	dst = c.appendDate(dst)
	return c.appendEra(dst)
}

func (c *civil) appendDate(dst []byte) []byte {
	year := c.year
	if year <= 0 {
		year = 1 - year
	}
	dst = appendPadded(dst, year, 4)
	dst = appendPadded(append(dst, '-'), c.month, 2)
	return appendPadded(append(dst, '-'), c.day, 2)
}

func (c *civil) appendEra(dst []byte) []byte {
	if c.year <= 0 {
		return append(dst, " BC"...)
	}
	return dst
}

func (c *civil) appendTime(dst []byte) []byte {
	dst = appendPadded(dst, c.hour, 2)
	dst = appendPadded(append(dst, ':'), c.minute, 2)
	return appendSeconds(append(dst, ':'), c.second, c.micros)
}

// appendPadded writes a number that is not negative with at least so many digits.
func appendPadded(dst []byte, n, width int) []byte {
	for limit := 10; width > 1; width, limit = width-1, limit*10 {
		if n < limit {
			for range width - 1 {
				dst = append(dst, '0')
			}
			break
		}
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

// appendSeconds writes two digits and a fraction without zeros at its end; signs
// are dropped.
func appendSeconds(dst []byte, second, micros int) []byte {
	dst = appendPadded(dst, abs(second), 2)
	micros = abs(micros)
	if micros == 0 {
		return dst
	}
	dst = append(dst, '.')
	for digit := microsPerSecond / 10; micros > 0; digit /= 10 {
		dst = append(dst, byte('0'+micros/digit))
		micros %= digit
	}
	return dst
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
