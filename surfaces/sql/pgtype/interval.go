package pgtype

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// The intervals that are longer than all others, either way.
var (
	IntervalInfinity    = Interval{Months: math.MaxInt32, Days: math.MaxInt32, Micros: math.MaxInt64}
	IntervalNegInfinity = Interval{Months: math.MinInt32, Days: math.MinInt32, Micros: math.MinInt64}
)

// Finite reports whether the interval is a length.
func (v Interval) Finite() bool { return v != IntervalInfinity && v != IntervalNegInfinity }

// span gives the whole length in microseconds, with months of 30 days and days of
// 24 hours, in 128 bits.
func (v Interval) span() (high int64, low uint64) {
	days := int64(v.Months)*daysPerMonth + int64(v.Days)
	negative := days < 0
	h, low := bits.Mul64(magnitude(days), microsPerDay)
	high = int64(h)
	if negative {
		low = -low
		high = ^high
		if low == 0 {
			high++
		}
	}
	low, carry := bits.Add64(low, uint64(v.Micros), 0)
	return high + v.Micros>>63 + int64(carry), low
}

// CompareInterval orders by the whole length, with months of 30 days.
func CompareInterval(a, b Interval) int {
	aHigh, aLow := a.span()
	bHigh, bLow := b.span()
	switch {
	case aHigh < bHigh, aHigh == bHigh && aLow < bLow:
		return -1
	case aHigh > bHigh, aLow > bLow:
		return 1
	}
	return 0
}

// sign gives -1, 0 or 1.
func (v Interval) sign() int { return CompareInterval(v, Interval{}) }

// AppendInterval writes an interval in the server's own style.
func AppendInterval(dst []byte, v Interval) []byte {
	if !v.Finite() {
		return appendInfinity(dst, v.Micros)
	}
	begin := len(dst)
	negative := false // the part before was
	part := func(n int64, name string) {
		if n == 0 {
			return
		}
		if len(dst) > begin {
			dst = append(dst, ' ')
		}
		if negative && n > 0 {
			dst = append(dst, '+')
		}
		dst = append(append(strconv.AppendInt(dst, n, 10), ' '), name...)
		if n != 1 {
			dst = append(dst, 's')
		}
		negative = n < 0
	}
	part(int64(v.Months/monthsPerYear), "year")
	part(int64(v.Months%monthsPerYear), "mon")
	part(int64(v.Days), "day")
	if v.Micros == 0 && len(dst) > begin {
		return dst
	}
	if len(dst) > begin {
		dst = append(dst, ' ')
	}
	switch {
	case v.Micros < 0:
		dst = append(dst, '-')
	case negative:
		dst = append(dst, '+')
	}
	hours := magnitude(v.Micros) / microsPerHour
	rest := int(magnitude(v.Micros) % microsPerHour)
	dst = appendPadded(dst, int(hours), 2)
	dst = appendPadded(append(dst, ':'), rest/microsPerMinute, 2)
	return appendSeconds(append(dst, ':'), rest%microsPerMinute/microsPerSecond, rest%microsPerSecond)
}

// The fields of a declared interval, as the server packs them with the precision
// into a type modifier.
const (
	intervalMonth  = 1 << 1
	intervalYear   = 1 << 2
	intervalDay    = 1 << 3
	intervalHour   = 1 << 10
	intervalMinute = 1 << 11
	intervalSecond = 1 << 12
	intervalAll    = 0x7FFF

	intervalAnyPrecision = 0xFFFF
)

// intervalFields gives the fields and the digits of a second of a type modifier,
// which is negative when nothing is declared.
func intervalFields(typmod int32) (fields, precision int) {
	if typmod < 0 {
		return intervalAll, intervalAnyPrecision
	}
	return int(typmod>>16) & 0x7FFF, int(typmod & 0xFFFF)
}

// FitInterval cuts an interval to the fields and rounds it to the digits of a
// declared interval, given as the type modifier.
func FitInterval(v Interval, typmod int32) (Interval, *pgerr.Error) {
	if typmod < 0 || !v.Finite() {
		return v, nil
	}
	fields, precision := intervalFields(typmod)
	switch fields {
	case intervalYear:
		v = Interval{Months: v.Months / monthsPerYear * monthsPerYear}
	case intervalMonth, intervalYear | intervalMonth:
		v.Days, v.Micros = 0, 0
	case intervalDay:
		v.Micros = 0
	case intervalHour, intervalDay | intervalHour:
		v.Micros -= v.Micros % microsPerHour
	case intervalMinute, intervalHour | intervalMinute, intervalDay | intervalHour | intervalMinute:
		v.Micros -= v.Micros % microsPerMinute
	case intervalAll, intervalSecond, intervalMinute | intervalSecond, intervalHour | intervalMinute | intervalSecond,
		intervalDay | intervalHour | intervalMinute | intervalSecond:
	default:
		return Interval{}, pgerr.New("XX000", "unrecognized interval typmod: %d", typmod)
	}
	if precision == intervalAnyPrecision {
		return v, nil
	}
	if precision > maxTimePrecision {
		return Interval{}, pgerr.New(pgerr.InvalidParameter, "interval(%d) precision must be between %d and %d", precision, 0, maxTimePrecision)
	}
	return roundInterval(v, timeScales[precision])
}

func roundInterval(v Interval, scale int64) (Interval, *pgerr.Error) {
	half := scale / 2
	if v.Micros < 0 {
		half = -half
	}
	micros, ok := addInt64(v.Micros, half)
	if !ok {
		return Interval{}, errIntervalRange
	}
	v.Micros = micros - micros%scale
	return v, nil
}
