package pgtype

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

func mustDate(s string) int64    { return must(ParseDate(s, Clock{})) }
func mustTime(s string) int64    { return must(ParseTime(s, Clock{})) }
func mustTimetz(s string) Timetz { return must(ParseTimetz(s, Clock{})) }

func mustTimestamp(s string) int64   { return must(ParseTimestamp(s, Clock{})) }
func mustInterval(s string) Interval { return must(ParseInterval(s, -1)) }
func mustFloat(s string) float64     { return must(ParseFloat(s, 64)) }
func mustInt(s string) int64         { return must(ParseInt(s, 64)) }
func mustTz(s string, c Clock) int64 { return must(ParseTimestamptz(s, c)) }

func ofInt(n int64, err *pgerr.Error) (string, *pgerr.Error) { return strconv.FormatInt(n, 10), err }

func ofDate(d int64, err *pgerr.Error) (string, *pgerr.Error) { return text(AppendDate(nil, d), err) }

func ofTime(d int64, err *pgerr.Error) (string, *pgerr.Error) { return text(AppendTime(nil, d), err) }

func ofTimetz(t Timetz, err *pgerr.Error) (string, *pgerr.Error) {
	return text(AppendTimetz(nil, t), err)
}

func ofTimestamp(ts int64, err *pgerr.Error) (string, *pgerr.Error) {
	if err != nil {
		return "", err
	}
	return text(AppendTimestamp(nil, ts), nil)
}

func ofTz(ts int64, c Clock, err *pgerr.Error) (string, *pgerr.Error) {
	if err != nil {
		return "", err
	}
	return text(AppendTimestamptz(nil, ts, c), nil)
}

func ofInterval(v Interval, err *pgerr.Error) (string, *pgerr.Error) {
	return text(AppendInterval(nil, v), err)
}

func ofPart(p Part, err *pgerr.Error) (string, *pgerr.Error) {
	switch {
	case err != nil:
		return "", err
	case p.Null:
		return "NULL", nil
	}
	return p.Exact.String() + " " + string(AppendFloat(nil, p.Float, 64)), nil
}

// inZone reads the zone only of a moment that is one, as the server does.
func inZone(name string, ts int64, f func(Zone) (string, *pgerr.Error)) (string, *pgerr.Error) {
	if !FiniteTimestamp(ts) {
		return f(Zone{})
	}
	zone, err := ParseZone(name)
	if err != nil {
		return "", err
	}
	return f(zone)
}

// must gives the value or stops the answer with the error.
func must[T any](v T, err *pgerr.Error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// arithmeticKinds are functions and operators; the letters of a name say what the
// inputs are.
var arithmeticKinds = map[string]kind{
	"d-d": {"select $1::date - $2::date", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInt(SubDates(mustDate(in[0]), mustDate(in[1])))
	}},
	"d+n": {"select $1::date + $2::int", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofDate(AddToDate(mustDate(in[0]), mustInt(in[1])))
	}},
	"d+i": {"select $1::date + $2::interval", func(_ Clock, in []string) (string, *pgerr.Error) {
		ts, err := DateToTimestamp(mustDate(in[0]))
		if err != nil {
			return "", err
		}
		return ofTimestamp(AddToTimestamp(ts, mustInterval(in[1])))
	}},
	"d+t": {"select $1::date + $2::time", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTimestamp(DateTime(mustDate(in[0]), mustTime(in[1])))
	}},
	"d+tz": {"select $1::date + $2::timetz", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := DateTimetz(mustDate(in[0]), mustTimetz(in[1]))
		return ofTz(v, c, err)
	}},
	"d::ts": {"select $1::date::timestamp", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTimestamp(DateToTimestamp(mustDate(in[0])))
	}},
	"d::tstz": {"select $1::date::timestamptz", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := DateToTimestamptz(mustDate(in[0]), c)
		return ofTz(v, c, err)
	}},
	"ts::d": {"select $1::timestamp::date", func(_ Clock, in []string) (string, *pgerr.Error) { return ofDate(TimestampDate(mustTimestamp(in[0]))) }},
	"ts::tstz": {"select $1::timestamp::timestamptz", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := TimestampToTimestamptz(mustTimestamp(in[0]), c)
		return ofTz(v, c, err)
	}},
	"tstz::ts": {"select $1::timestamptz::timestamp", func(c Clock, in []string) (string, *pgerr.Error) {
		return ofTimestamp(TimestamptzToTimestamp(mustTz(in[0], c), c))
	}},
	"tstz::timetz": {"select $1::timestamptz::timetz", func(c Clock, in []string) (string, *pgerr.Error) {
		t, ok := TimestamptzTimetz(mustTz(in[0], c), c)
		if !ok {
			return "NULL", nil
		}
		return ofTimetz(t, nil)
	}},
	"ts::t": {"select $1::timestamp::time", func(_ Clock, in []string) (string, *pgerr.Error) {
		t, ok := TimestampTime(mustTimestamp(in[0]))
		if !ok {
			return "NULL", nil
		}
		return ofTime(t, nil)
	}},
	"i::t": {"select $1::interval::time", func(_ Clock, in []string) (string, *pgerr.Error) { return ofTime(IntervalTime(mustInterval(in[0]))) }},
	"t+i": {"select $1::time + $2::interval", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTime(AddToTime(mustTime(in[0]), mustInterval(in[1])))
	}},
	"t-i": {"select $1::time - $2::interval", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTime(SubFromTime(mustTime(in[0]), mustInterval(in[1])))
	}},
	"ts-ts": {"select $1::timestamp - $2::timestamp", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(SubTimestamps(mustTimestamp(in[0]), mustTimestamp(in[1])))
	}},
	"ts+i": {"select $1::timestamp + $2::interval", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTimestamp(AddToTimestamp(mustTimestamp(in[0]), mustInterval(in[1])))
	}},
	"ts-i": {"select $1::timestamp - $2::interval", func(_ Clock, in []string) (string, *pgerr.Error) {
		v, err := mustInterval(in[1]).Neg()
		if err != nil {
			return "", err
		}
		return ofTimestamp(AddToTimestamp(mustTimestamp(in[0]), v))
	}},
	"tstz+i": {"select $1::timestamptz + $2::interval", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := AddToTimestamptz(mustTz(in[0], c), mustInterval(in[1]), c.SessionZone())
		return ofTz(v, c, err)
	}},
	"age(ts,ts)": {"select age($1::timestamp, $2::timestamp)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(Age(mustTimestamp(in[0]), mustTimestamp(in[1])))
	}},
	"age(tstz,tstz)": {"select age($1::timestamptz, $2::timestamptz)", func(c Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(AgeIn(mustTz(in[0], c), mustTz(in[1], c), c))
	}},
	"bin(i,ts,ts)": {"select date_bin($1::interval, $2::timestamp, $3::timestamp)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTimestamp(BinTimestamp(mustInterval(in[0]), mustTimestamp(in[1]), mustTimestamp(in[2])))
	}},
	"-i": {"select - $1::interval", func(_ Clock, in []string) (string, *pgerr.Error) { return ofInterval(mustInterval(in[0]).Neg()) }},
	"i+i": {"select $1::interval + $2::interval", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(mustInterval(in[0]).Add(mustInterval(in[1])))
	}},
	"i-i": {"select $1::interval - $2::interval", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(mustInterval(in[0]).Sub(mustInterval(in[1])))
	}},
	"i*f": {"select $1::interval * $2::float8", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(mustInterval(in[0]).Mul(mustFloat(in[1])))
	}},
	"i/f": {"select $1::interval / $2::float8", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(mustInterval(in[0]).Div(mustFloat(in[1])))
	}},
	"i<i": {"select $1::interval < $2::interval", func(_ Clock, in []string) (string, *pgerr.Error) {
		return strconv.FormatBool(CompareInterval(mustInterval(in[0]), mustInterval(in[1])) < 0), nil
	}},
	"tz<tz": {"select $1::timetz < $2::timetz", func(_ Clock, in []string) (string, *pgerr.Error) {
		return strconv.FormatBool(CompareTimetz(mustTimetz(in[0]), mustTimetz(in[1])) < 0), nil
	}},
	"hours(i)": {"select justify_hours($1::interval)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(mustInterval(in[0]).JustifyHours())
	}},
	"days(i)": {"select justify_days($1::interval)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(mustInterval(in[0]).JustifyDays())
	}},
	"justify(i)": {"select justify_interval($1::interval)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(mustInterval(in[0]).JustifyInterval())
	}},
	"trunc(u,ts)": {"select date_trunc($1, $2::timestamp)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTimestamp(TruncTimestamp(in[0], mustTimestamp(in[1])))
	}},
	"trunc(u,tstz)": {"select date_trunc($1, $2::timestamptz)", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := TruncTimestamptz(in[0], mustTz(in[1], c), c.SessionZone())
		return ofTz(v, c, err)
	}},
	"trunc(u,tstz,z)": {"select date_trunc($1, $2::timestamptz, $3)", func(c Clock, in []string) (string, *pgerr.Error) {
		return inZone(in[2], mustTz(in[1], c), func(z Zone) (string, *pgerr.Error) {
			v, err := TruncTimestamptz(in[0], mustTz(in[1], c), z)
			return ofTz(v, c, err)
		})
	}},
	"trunc(u,i)": {"select date_trunc($1, $2::interval)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(TruncInterval(in[0], mustInterval(in[1])))
	}},
	"part(u,ts)": {"select extract($1 from $2::timestamp) || ' ' || date_part($1, $2::timestamp)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofPart(TimestampPart(in[0], mustTimestamp(in[1])))
	}},
	"part(u,tstz)": {"select extract($1 from $2::timestamptz) || ' ' || date_part($1, $2::timestamptz)", func(c Clock, in []string) (string, *pgerr.Error) {
		return ofPart(TimestamptzPart(in[0], mustTz(in[1], c), c))
	}},
	"part(u,t)":  {"select extract($1 from $2::time) || ' ' || date_part($1, $2::time)", func(_ Clock, in []string) (string, *pgerr.Error) { return ofPart(TimePart(in[0], mustTime(in[1]))) }},
	"part(u,tz)": {"select extract($1 from $2::timetz) || ' ' || date_part($1, $2::timetz)", func(_ Clock, in []string) (string, *pgerr.Error) { return ofPart(TimetzPart(in[0], mustTimetz(in[1]))) }},
	"part(u,i)": {"select extract($1 from $2::interval) || ' ' || date_part($1, $2::interval)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofPart(IntervalPart(in[0], mustInterval(in[1])))
	}},
	"part(u,d)": {"select extract($1 from $2::date)", func(_ Clock, in []string) (string, *pgerr.Error) {
		p, err := DatePart(in[0], mustDate(in[1]))
		if err != nil || p.Null {
			return "NULL", err
		}
		return p.Exact.String(), nil
	}},
	"ts at z": {"select $1::timestamp at time zone $2", func(c Clock, in []string) (string, *pgerr.Error) {
		return inZone(in[1], mustTimestamp(in[0]), func(z Zone) (string, *pgerr.Error) { v, err := AtZone(mustTimestamp(in[0]), z); return ofTz(v, c, err) })
	}},
	"tstz at z": {"select $1::timestamptz at time zone $2", func(c Clock, in []string) (string, *pgerr.Error) {
		return inZone(in[1], mustTz(in[0], c), func(z Zone) (string, *pgerr.Error) { return ofTimestamp(InZone(mustTz(in[0], c), z)) })
	}},
	"ts at i": {"select $1::timestamp at time zone $2::interval", func(c Clock, in []string) (string, *pgerr.Error) {
		z, err := IntervalZone(mustInterval(in[1]))
		if err != nil && FiniteTimestamp(mustTimestamp(in[0])) {
			return "", err
		}
		v, err := AtZone(mustTimestamp(in[0]), z)
		return ofTz(v, c, err)
	}},
	"tstz at i": {"select $1::timestamptz at time zone $2::interval", func(c Clock, in []string) (string, *pgerr.Error) {
		z, err := IntervalZone(mustInterval(in[1]))
		if err != nil && FiniteTimestamp(mustTz(in[0], c)) {
			return "", err
		}
		return ofTimestamp(InZone(mustTz(in[0], c), z))
	}},
	"make_date": {"select make_date($1::int, $2::int, $3::int)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofDate(MakeDate(mustInt(in[0]), mustInt(in[1]), mustInt(in[2])))
	}},
	"make_time": {"select make_time($1::int, $2::int, $3::float8)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTime(MakeTime(mustInt(in[0]), mustInt(in[1]), mustFloat(in[2])))
	}},
	"make_timestamp": {"select make_timestamp($1::int, $2::int, $3::int, $4::int, $5::int, $6::float8)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofTimestamp(MakeTimestamp(mustInt(in[0]), mustInt(in[1]), mustInt(in[2]), mustInt(in[3]), mustInt(in[4]), mustFloat(in[5])))
	}},
	"make_timestamptz": {"select make_timestamptz($1::int, $2::int, $3::int, $4::int, $5::int, $6::float8, $7)", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := MakeTimestamptz(mustInt(in[0]), mustInt(in[1]), mustInt(in[2]), mustInt(in[3]), mustInt(in[4]), mustFloat(in[5]), in[6])
		return ofTz(v, c, err)
	}},
	"make_interval": {"select make_interval($1::int, $2::int, $3::int, $4::int, $5::int, $6::int, $7::float8)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofInterval(MakeInterval(mustInt(in[0]), mustInt(in[1]), mustInt(in[2]), mustInt(in[3]), mustInt(in[4]), mustInt(in[5]), mustFloat(in[6])))
	}},
	"to_timestamp": {"select to_timestamp($1::float8)", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := TimestamptzFromSeconds(mustFloat(in[0]))
		return ofTz(v, c, err)
	}},
}

func (w writer) goodDate() string {
	switch w.IntN(30) {
	case 0:
		return w.pick("infinity", "-infinity", "4714-11-24 BC", "5874897-12-31", "294276-12-31", "294277-01-01", "0001-01-01", "0001-12-31 BC", "epoch", "2000-01-01")
	case 1:
		return fmt.Sprintf("%04d-%02d-%02d BC", 1+w.IntN(4713), 1+w.IntN(12), 1+w.IntN(28))
	case 2:
		return fmt.Sprintf("%04d-%02d-%02d", 1+w.IntN(294000), 1+w.IntN(12), 1+w.IntN(28))
	}
	y, m := 1890+w.IntN(200), 1+w.IntN(12)
	d := 1 + w.IntN(monthLength(y, m))
	if w.IntN(4) == 0 {
		d = monthLength(y, m)
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

func (w writer) goodTime() string {
	if w.IntN(12) == 0 {
		return w.pick("00:00:00", "23:59:59.999999", "24:00:00", "02:30:00", "01:59:59", "03:00:00")
	}
	s := fmt.Sprintf("%02d:%02d:%02d", w.IntN(24), w.IntN(60), w.IntN(60))
	if w.IntN(2) == 0 {
		s += "." + w.number(6)
	}
	return s
}

func (w writer) goodOffset() string {
	return fmt.Sprintf("%s%02d%s", w.pick("+", "-"), w.IntN(16), w.pick("", "", ":30", ":45", ":15:07"))
}

func (w writer) goodMoment() string {
	d := w.goodDate()
	if d == "infinity" || d == "-infinity" || d == "epoch" {
		return d
	}
	if len(d) > 10 && d[len(d)-2:] == "BC" {
		return d[:len(d)-3] + " " + w.goodTime() + " BC"
	}
	if len(d) > 10 && d >= "294277" {
		d = "294276-12-31"
	}
	return d + " " + w.goodTime()
}

func (w writer) goodInterval() string {
	switch w.IntN(14) {
	case 0:
		return w.pick("infinity", "-infinity", "0", "1 day", "-1 day", "1 mon", "2147483647 days", "-2147483648 days", "178956970 years 7 mons", "-178956970 years -8 mons", "2562047788:00:54.775807", "-2562047788:00:54.775807")
	case 1:
		return fmt.Sprintf("%d years", w.IntN(600000)-300000)
	case 2:
		return fmt.Sprintf("%d days %d:%02d:%02d", w.IntN(200000000)-100000000, w.IntN(100000), w.IntN(60), w.IntN(60))
	}
	s := ""
	if w.IntN(2) == 0 {
		s += fmt.Sprintf("%d mons ", w.IntN(60)-30)
	}
	if w.IntN(2) == 0 {
		s += fmt.Sprintf("%d days ", w.IntN(200)-100)
	}
	if s == "" || w.IntN(2) == 0 {
		s += w.pick("", "-") + fmt.Sprintf("%d:%02d:%02d.%s", w.IntN(60), w.IntN(60), w.IntN(60), w.number(6))
	}
	return s
}

func (w writer) factor() string {
	switch w.IntN(12) {
	case 0:
		return w.pick("0", "-0", "1", "-1", "NaN", "infinity", "-infinity", "0.5", "1e20", "1e-20", "2", "0.1", "1e300")
	case 1:
		return strconv.FormatFloat(w.NormFloat64()*1e6, 'g', -1, 64)
	}
	return strconv.FormatFloat(w.NormFloat64()*3, 'g', 1+w.IntN(15), 64)
}

func (w writer) unit() string {
	return w.pick("microsecond", "microseconds", "us", "millisecond", "ms", "second", "s", "sec", "minute", "m", "min", "hour", "h", "day", "d", "week", "w", "month", "mon", "quarter", "qtr", "year", "y",
		"decade", "dec", "century", "c", "millennium", "mil", "julian", "j", "dow", "isodow", "doy", "isoyear", "epoch", "timezone", "timezone_hour", "timezone_minute", "Year", "EPOCH", "foo", "now", "infinity", "jan", "tz", "", "é", "ago", "at",
		"millisecondsandmore", "timezone_m", "a_very_long_unit_name_that_is_longer_than_the_sixty_three_bytes_of_a_name")
}

func (w writer) zoneName() string {
	switch w.IntN(6) {
	case 0:
		return w.pick("est", "MSK", "z", "utc", "edt", "PST8PDT", "IST", "art", "nowhere", "+5", "-3:30", "xyz5", "+16", "-05", "Europe/Moscow ", "")
	}
	return w.pick(ZoneNames()...)
}

func arithmeticQuestions(seed uint64, n int) []question {
	w := writer{rand.New(rand.NewPCG(seed, 2))}
	var asked []question
	for range n {
		zone := w.pick(zonesToTry...)
		ask := func(what string, in ...string) { asked = append(asked, question{zone, what, in}) }
		d1, d2, t1, t2 := w.goodDate(), w.goodDate(), w.goodTime(), w.goodTime()
		z1, z2 := t1+w.goodOffset(), t2+w.goodOffset()
		m1, m2, m3, i1, i2 := w.goodMoment(), w.goodMoment(), w.goodMoment(), w.goodInterval(), w.goodInterval()
		f, u := w.factor(), w.unit()
		n := strconv.Itoa(int(int32(w.Uint32())) >> w.IntN(31))
		ask("d-d", d1, d2)
		ask("d+n", d1, n)
		ask("d+i", d1, i1)
		ask("d+t", d1, t1)
		ask("d+tz", d1, z1)
		ask("d::ts", d1)
		ask("d::tstz", d1)
		ask("ts::d", m1)
		ask("ts::t", m1)
		ask("ts::tstz", m1)
		ask("tstz::ts", m1)
		ask("tstz::timetz", m1)
		ask("i::t", i1)
		ask("t+i", t1, i1)
		ask("t-i", t1, i1)
		ask("ts-ts", m1, m2)
		ask("ts+i", m1, i1)
		ask("ts-i", m1, i1)
		ask("tstz+i", m1, i1)
		ask("age(ts,ts)", m1, m2)
		ask("age(tstz,tstz)", m1, m2)
		ask("bin(i,ts,ts)", i1, m2, m3)
		ask("-i", i1)
		ask("i+i", i1, i2)
		ask("i-i", i1, i2)
		ask("i*f", i1, f)
		ask("i/f", i1, f)
		ask("i<i", i1, i2)
		ask("tz<tz", z1, z2)
		ask("hours(i)", i1)
		ask("days(i)", i1)
		ask("justify(i)", i1)
		ask("trunc(u,ts)", u, m1)
		ask("trunc(u,tstz)", u, m1)
		ask("trunc(u,tstz,z)", u, m1, w.zoneName())
		ask("trunc(u,i)", u, i1)
		ask("part(u,ts)", u, m1)
		ask("part(u,tstz)", u, m1)
		ask("part(u,t)", u, t1)
		ask("part(u,tz)", u, z1)
		ask("part(u,i)", u, i1)
		ask("part(u,d)", u, d1)
		ask("ts at z", m1, w.zoneName())
		ask("tstz at z", m1, w.zoneName())
		offset := w.pick(i1, "05:30", "-03:30:15.5", "25:00", "1 day")
		ask("ts at i", m1, offset)
		ask("tstz at i", m1, offset)
		y := w.pick(strconv.Itoa(1900+w.IntN(200)), strconv.Itoa(w.IntN(12000)-6000), n)
		mo, da := strconv.Itoa(w.IntN(14)), strconv.Itoa(w.IntN(33))
		h, mi := strconv.Itoa(w.IntN(26)), strconv.Itoa(w.IntN(62)-1)
		s := w.pick(f, strconv.FormatFloat(w.Float64()*61, 'f', w.IntN(9), 64), "60", "59.9999999", "5")
		ask("make_date", y, mo, da)
		ask("make_time", h, mi, s)
		ask("make_timestamp", y, mo, da, h, mi, s)
		ask("make_timestamptz", y, mo, da, h, mi, s, w.zoneName())
		ask("make_interval", n, mo, da, n, h, mi, s)
		ask("to_timestamp", w.pick(f, strconv.FormatFloat(w.NormFloat64()*1e9, 'f', w.IntN(9), 64), strconv.FormatFloat(w.NormFloat64()*1e13, 'g', -1, 64)))
	}
	return asked
}

// TestRandomArithmetic asks a server (see server_test.go).
func TestRandomArithmetic(t *testing.T) {
	compareWithServer(t, arithmeticKinds, arithmeticQuestions(*seed, *questions), "testdata/arithmetic.jsonl.gz")
}

// TestRecordedArithmetic compares with what the server answered once.
func TestRecordedArithmetic(t *testing.T) {
	compareWithFile(t, arithmeticKinds, "testdata/arithmetic.jsonl.gz", 15_000)
}
