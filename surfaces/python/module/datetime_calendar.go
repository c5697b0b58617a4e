package module

import "math/big"

// civil gives the date of a day number: 1 is 0001-01-01.
func civil(ordinal int64) (y, m, d int) {
	z := ordinal + 305 // days since 0000-03-01
	era := floorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = int(doy-(153*mp+2)/5) + 1
	m = int(mp) + 3
	if m > 12 {
		m -= 12
	}
	y = int(yoe + era*400)
	if m <= 2 {
		y++
	}
	return y, m, d
}

// ordinal is the inverse of civil.
func ordinal(y, m, d int) int64 {
	yy, mm := int64(y), int64(m)
	if m <= 2 {
		yy--
		mm += 12
	}
	era := floorDiv(yy, 400)
	yoe := yy - era*400
	doy := (153*(mm-3)+2)/5 + int64(d) - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 305
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func isLeap(y int) bool { return y%4 == 0 && (y%100 != 0 || y%400 == 0) }

func daysIn(y, m int) int {
	switch m {
	case 2:
		if isLeap(y) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// weekday counts from Monday, 0.
func weekday(ordinal int64) int { return int((ordinal + 6) % 7) }

// isoWeek gives the ISO year, week and weekday (1 to 7) of a date.
func isoWeek(y, m, d int) (year, week, day int) {
	o := ordinal(y, m, d)
	first := func(y int) int64 { // the Monday of week 1
		j := ordinal(y, 1, 1)
		w := int64(weekday(j))
		if w > 3 {
			return j + 7 - w
		}
		return j - w
	}
	start := first(y)
	switch {
	case o < start:
		y--
		start = first(y)
	case o >= first(y+1):
		y++
		start = first(y)
	}
	return y, int(o-start)/7 + 1, weekday(o) + 1
}

const (
	maxOrdinal = 3652059
	dayMicros  = 86400 * 1000000
	maxDays    = 999999999
)

var (
	monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	dayNames   = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	bigDay     = big.NewInt(dayMicros)
)

// halfEven rounds a quotient to the nearest integer, ties to even.
func halfEven(n, d *big.Int) *big.Int {
	if d.Sign() < 0 {
		n, d = new(big.Int).Neg(n), new(big.Int).Neg(d)
	}
	q, r := new(big.Int).DivMod(n, d, new(big.Int))
	switch c := r.Lsh(r, 1).Cmp(d); {
	case c > 0, c == 0 && q.Bit(0) == 1:
		q.Add(q, big.NewInt(1))
	}
	return q
}
