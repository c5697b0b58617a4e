package pgtype

import (
	"math"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// checkedInterval refuses parts that do not fit, and a finite interval that would
// read as an infinite one.
func checkedInterval(months, days int64, micros int64, ok bool) (Interval, *pgerr.Error) {
	v := Interval{Months: int32(months), Days: int32(days), Micros: micros}
	if !ok || int64(v.Months) != months || int64(v.Days) != days || !v.Finite() {
		return Interval{}, errIntervalRange
	}
	return v, nil
}

// Neg changes the sign of every part.
func (v Interval) Neg() (Interval, *pgerr.Error) {
	switch v {
	case IntervalInfinity:
		return IntervalNegInfinity, nil
	case IntervalNegInfinity:
		return IntervalInfinity, nil
	}
	return checkedInterval(-int64(v.Months), -int64(v.Days), -v.Micros, v.Micros != math.MinInt64)
}

// Add adds part by part.
func (v Interval) Add(b Interval) (Interval, *pgerr.Error) {
	if !v.Finite() || !b.Finite() {
		return addInfinite(v, b)
	}
	micros, ok := addInt64(v.Micros, b.Micros)
	return checkedInterval(int64(v.Months)+int64(b.Months), int64(v.Days)+int64(b.Days), micros, ok)
}

func addInfinite(a, b Interval) (Interval, *pgerr.Error) {
	switch {
	case a.Finite():
		return b, nil
	case b.Finite() || a == b:
		return a, nil
	}
	return Interval{}, errIntervalRange
}

// Sub subtracts part by part.
func (v Interval) Sub(b Interval) (Interval, *pgerr.Error) {
	if !v.Finite() || !b.Finite() {
		opposite, _ := b.Neg()
		if !b.Finite() {
			return addInfinite(v, opposite)
		}
		return v, nil
	}
	micros, ok := subInt64(v.Micros, b.Micros)
	return checkedInterval(int64(v.Months)-int64(b.Months), int64(v.Days)-int64(b.Days), micros, ok)
}

// subInt64 gives a difference that fits, or false.
func subInt64(a, b int64) (int64, bool) {
	d := a - b
	return d, (d < a) == (b > 0)
}

// Mul multiplies every part; fractions of a month become days, those of a day
// become time.
func (v Interval) Mul(factor float64) (Interval, *pgerr.Error) {
	if math.IsNaN(factor) {
		return Interval{}, errIntervalRange
	}
	if !v.Finite() {
		switch {
		case factor == 0:
			return Interval{}, errIntervalRange
		case factor < 0:
			return v.Neg()
		}
		return v, nil
	}
	if math.IsInf(factor, 0) {
		switch s := float64(v.sign()); {
		case s == 0:
			return Interval{}, errIntervalRange
		case factor*s < 0:
			return IntervalNegInfinity, nil
		}
		return IntervalInfinity, nil
	}
	return v.scaled(func(part float64) float64 { return part * factor })
}

// Div divides every part, as Mul multiplies.
func (v Interval) Div(factor float64) (Interval, *pgerr.Error) {
	switch {
	case factor == 0:
		return Interval{}, ErrDivisionByZero
	case math.IsNaN(factor):
		return Interval{}, errIntervalRange
	case !v.Finite():
		switch {
		case math.IsInf(factor, 0):
			return Interval{}, errIntervalRange
		case factor < 0:
			return v.Neg()
		}
		return v, nil
	}
	return v.scaled(func(part float64) float64 { return part / factor })
}

// scaled applies an operation to every part in the server's steps: what is left of
// the months counts 30 days each, and the rests are rounded to microseconds on the
// way. The conversions keep a compiler from fusing steps, which would round less.
func (v Interval) scaled(scale func(float64) float64) (Interval, *pgerr.Error) {
	months, days := scale(float64(v.Months)), scale(float64(v.Days))
	if !fitsInt32(months) || !fitsInt32(days) {
		return Interval{}, errIntervalRange
	}
	wholeMonths, wholeDays := math.Trunc(months), math.Trunc(days)
	restDays := roundMicros(float64((months - wholeMonths) * daysPerMonth))
	rest := roundMicros(float64((float64(days-wholeDays) + restDays - math.Trunc(restDays)) * secondsPerDay))
	day := int64(wholeDays)
	if math.Abs(rest) >= secondsPerDay {
		day += int64(rest / secondsPerDay)
		rest -= float64(int64(rest/secondsPerDay) * secondsPerDay)
	}
	if day != int64(int32(day)) {
		return Interval{}, errIntervalRange
	}
	day += int64(restDays)
	micros := math.RoundToEven(float64(scale(float64(v.Micros))) + float64(rest*microsPerSecond))
	return checkedInterval(int64(wholeMonths), day, int64(micros), fitsInt64(micros))
}

func roundMicros(seconds float64) float64 {
	return math.RoundToEven(seconds*microsPerSecond) / microsPerSecond
}

func fitsInt32(f float64) bool { return f >= math.MinInt32 && f < -math.MinInt32 }

func fitsInt64(f float64) bool { return f >= math.MinInt64 && f < -math.MinInt64 }

// JustifyHours turns every 24 hours into a day.
func (v Interval) JustifyHours() (Interval, *pgerr.Error) {
	if !v.Finite() {
		return v, nil
	}
	days := int64(v.Days) + v.Micros/microsPerDay
	v.Micros %= microsPerDay
	if days != int64(int32(days)) {
		return Interval{}, errIntervalRange
	}
	v.Days = int32(days)
	return v.alignTime(), nil
}

// alignTime makes the time's sign that of the days.
func (v Interval) alignTime() Interval {
	switch {
	case v.Days > 0 && v.Micros < 0:
		v.Micros += microsPerDay
		v.Days--
	case v.Days < 0 && v.Micros > 0:
		v.Micros -= microsPerDay
		v.Days++
	}
	return v
}

// JustifyDays turns every 30 days into a month.
func (v Interval) JustifyDays() (Interval, *pgerr.Error) {
	if !v.Finite() {
		return v, nil
	}
	if !v.carryDays() {
		return Interval{}, errIntervalRange
	}
	switch {
	case v.Months > 0 && v.Days < 0:
		v.Days += daysPerMonth
		v.Months--
	case v.Months < 0 && v.Days > 0:
		v.Days -= daysPerMonth
		v.Months++
	}
	return v, nil
}

func (v *Interval) carryDays() bool {
	months := int64(v.Months) + int64(v.Days/daysPerMonth)
	v.Days %= daysPerMonth
	v.Months = int32(months)
	return months == int64(v.Months)
}

// JustifyInterval does both and gives all parts one sign.
func (v Interval) JustifyInterval() (Interval, *pgerr.Error) {
	if !v.Finite() {
		return v, nil
	}
	// Carrying days first may keep the days from overflowing.
	if v.Days > 0 && v.Micros > 0 || v.Days < 0 && v.Micros < 0 {
		if !v.carryDays() {
			return Interval{}, errIntervalRange
		}
	}
	days := int64(v.Days) + v.Micros/microsPerDay
	v.Micros %= microsPerDay
	v.Days = int32(days)
	if days != int64(v.Days) || !v.carryDays() {
		return Interval{}, errIntervalRange
	}
	switch {
	case v.Months > 0 && (v.Days < 0 || v.Days == 0 && v.Micros < 0):
		v.Days += daysPerMonth
		v.Months--
	case v.Months < 0 && (v.Days > 0 || v.Days == 0 && v.Micros > 0):
		v.Days -= daysPerMonth
		v.Months++
	}
	return v.alignTime(), nil
}

// MakeInterval puts an interval together from its parts.
func MakeInterval(years, months, weeks, days, hours, minutes int64, seconds float64) (Interval, *pgerr.Error) {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return Interval{}, errIntervalRange
	}
	scaled := seconds * microsPerSecond
	if math.IsInf(scaled, 0) {
		return Interval{}, pgerr.New(pgerr.NumericOutOfRange, "value out of range: overflow")
	}
	scaled = math.RoundToEven(scaled)
	if !fitsInt64(scaled) || years*monthsPerYear != int64(int32(years*monthsPerYear)) || weeks*7 != int64(int32(weeks*7)) {
		return Interval{}, errIntervalRange
	}
	micros, okHours := addInt64(int64(scaled), hours*microsPerHour)
	micros, okMinutes := addInt64(micros, minutes*microsPerMinute)
	return checkedInterval(years*monthsPerYear+months, weeks*7+days, micros, okHours && okMinutes)
}
