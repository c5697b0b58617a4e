package pgtype

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

func text(v []byte, err *pgerr.Error) (string, *pgerr.Error) { return string(v), err }

// inputKinds read a text as a type and write it back.
var inputKinds = map[string]kind{
	"date": {"select $1::date::text", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := ParseDate(in[0], c)
		return text(AppendDate(nil, v), err)
	}},
	"time": {"select $1::time::text", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := ParseTime(in[0], c)
		return text(AppendTime(nil, v), err)
	}},
	"timetz": {"select $1::timetz::text", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := ParseTimetz(in[0], c)
		return text(AppendTimetz(nil, v), err)
	}},
	"timestamp": {"select $1::timestamp::text", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := ParseTimestamp(in[0], c)
		return text(AppendTimestamp(nil, v), err)
	}},
	"timestamptz": {"select $1::timestamptz::text", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := ParseTimestamptz(in[0], c)
		if err != nil {
			return "", err
		}
		return string(AppendTimestamptz(nil, v, c)), nil
	}},
	"interval": {"select $1::interval::text", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := ParseInterval(in[0], -1)
		return text(AppendInterval(nil, v), err)
	}},
	"timestamp(2)": {"select $1::timestamp(2)::text", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := ParseTimestamp(in[0], c)
		if err == nil {
			v, err = FitTimestamp(v, 2)
		}
		return text(AppendTimestamp(nil, v), err)
	}},
}

func init() {
	for name, fields := range map[string]int{
		"year": intervalYear, "month": intervalMonth, "day": intervalDay, "hour": intervalHour, "minute": intervalMinute, "second": intervalSecond,
		"year to month": intervalYear | intervalMonth, "day to hour": intervalDay | intervalHour, "day to minute": intervalDay | intervalHour | intervalMinute,
		"day to second": intervalDay | intervalHour | intervalMinute | intervalSecond, "hour to minute": intervalHour | intervalMinute,
		"hour to second": intervalHour | intervalMinute | intervalSecond, "minute to second": intervalMinute | intervalSecond,
	} {
		inputKinds["interval "+name] = kind{"select $1::interval " + name, func(c Clock, in []string) (string, *pgerr.Error) {
			v, err := ParseInterval(in[0], int32(fields<<16|intervalAnyPrecision))
			return text(AppendInterval(nil, v), err)
		}}
	}
	inputKinds["interval(3)"] = kind{"select $1::interval(3)", func(c Clock, in []string) (string, *pgerr.Error) {
		v, err := ParseInterval(in[0], int32(intervalAll<<16|3))
		return text(AppendInterval(nil, v), err)
	}}
}

// zonesToTry have rules of every shape.
var zonesToTry = []string{"UTC", "America/New_York", "Europe/London", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca", "Pacific/Apia", "Europe/Dublin", "Asia/Tehran", "America/Sao_Paulo", "Antarctica/Troll"}

// writer makes texts at random.
type writer struct{ *rand.Rand }

func (w writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w writer) sometimes(s string) string {
	if w.IntN(4) == 0 {
		return s
	}
	return ""
}

func (w writer) number(digits int) string {
	b := make([]byte, 1+w.IntN(digits))
	for i := range b {
		b[i] = byte('0' + w.IntN(10))
	}
	return string(b)
}

func (w writer) year() string {
	switch w.IntN(8) {
	case 0:
		return w.number(6)
	case 1:
		return fmt.Sprintf("%02d", w.IntN(100))
	case 2:
		return fmt.Sprintf("%04d", w.IntN(2000))
	}
	return fmt.Sprint(1880 + w.IntN(200))
}

func (w writer) month() string {
	if w.IntN(3) == 0 {
		return w.pick("jan", "Feb", "MAR", "april", "May", "jun", "July", "august", "Sept", "sep", "octobre", "Oct", "november", "Dec", "xyz")
	}
	return fmt.Sprintf(w.pick("%d", "%02d"), 1+w.IntN(13))
}

func (w writer) day() string { return fmt.Sprintf(w.pick("%d", "%02d", "%02d"), 1+w.IntN(32)) }

func (w writer) date() string {
	sep := w.pick("-", "-", "-", "/", ".", " ", "")
	y, m, d := w.year(), w.month(), w.day()
	switch w.IntN(9) {
	case 0:
		return m + sep + d + sep + y
	case 1:
		return d + sep + m + sep + y
	case 2:
		return fmt.Sprintf("%04d%02d%02d", 1900+w.IntN(200), 1+w.IntN(13), 1+w.IntN(32))
	case 3:
		return fmt.Sprintf("%s.%03d", y, w.IntN(370))
	case 4:
		return w.pick("J", "julian ", "jd ", "j") + fmt.Sprint(w.IntN(3000000)) + w.sometimes("."+w.number(8))
	case 5:
		return w.pick("epoch", "infinity", "-infinity", "+infinity", "Infinity", "inf", "todax1", "yesterdax", "invalid", "")
	}
	return y + sep + m + sep + d
}

func (w writer) clock() string {
	h := fmt.Sprintf(w.pick("%d", "%02d", "%02d"), w.IntN(26))
	m := fmt.Sprintf("%02d", w.IntN(61))
	s := fmt.Sprintf("%02d", w.IntN(62))
	fraction := ""
	if w.IntN(3) == 0 {
		fraction = w.pick(".", ".", ".", ",") + w.number(8)
	}
	switch w.IntN(8) {
	case 0:
		return h + ":" + m
	case 1:
		return h + m + s + fraction
	case 2:
		return h + m
	case 3:
		return h + ":" + m + fraction
	case 4:
		return w.pick("allballs", "", "24:00:00", "24:00", "23:59:60", "23:59:59.9999999", "24:00:00.000001")
	}
	return h + ":" + m + ":" + s + fraction
}

func (w writer) zone() string {
	switch w.IntN(9) {
	case 0:
		return w.pick("z", "utc", "GMT", "est", "EDT", "pst8pdt", "msk", "IST", "cest", "lmt", "xst", "jst", "BST", "nzdt", "cst6cdt", "sast", "art", "wadt", "gst")
	case 1:
		return w.pick("America/New_York", "europe/london", "Asia/Kolkata", "Australia/Lord_Howe", "Foo/Bar", "Etc/GMT+5", "EST5EDT", "xyz-3", "utc+3", "UTC-11:30", "America/Caracas", "MET DST", "est dst", "Europe/Paris dst")
	case 2:
		return w.pick("+", "-") + fmt.Sprintf("%02d", w.IntN(17))
	case 3:
		return w.pick("+", "-") + fmt.Sprintf("%02d:%02d", w.IntN(17), w.IntN(61))
	case 4:
		return w.pick("+", "-") + fmt.Sprintf("%02d%02d", w.IntN(17), w.IntN(61))
	case 5:
		return w.pick("+", "-") + fmt.Sprintf("%02d:%02d:%02d", w.IntN(17), w.IntN(60), w.IntN(61))
	}
	return ""
}

func (w writer) moment() string {
	s := w.sometimes(w.pick("Mon ", "tuesday ", "Weds, ", "frid ", "sat")) + w.date() + w.pick(" ", " ", " ", "T", " t ", "  ", "", ", ", " at ") + w.clock() +
		w.sometimes(w.pick(" am", "PM", " pm")) + w.pick("", " ", " ") + w.zone() + w.sometimes(w.pick(" BC", "bc", " AD"))
	return w.broken(s)
}

// broken changes a text a little, now and then.
func (w writer) broken(s string) string {
	if s == "" || w.IntN(6) != 0 {
		return s
	}
	i := w.IntN(len(s))
	if !utf8.ValidString(s[:i]) || !utf8.ValidString(s[:i]+s[min(i+1, len(s)):]) {
		return s
	}
	switch w.IntN(3) {
	case 0:
		return s[:i] + s[i+1:]
	case 1:
		return s[:i] + string("0123456789-+/:. tTzZ,_aé\t"[w.IntN(24)]) + s[i:]
	}
	parts := strings.Fields(s)
	w.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, " ")
}

func (w writer) count() string {
	n := w.pick("", "", "-", "+")
	switch w.IntN(6) {
	case 0:
		n += w.number(12)
	default:
		n += w.number(3)
	}
	if w.IntN(4) == 0 {
		n += "." + w.number(9)
	}
	return n
}

func (w writer) interval() string {
	switch w.IntN(10) {
	case 0:
		return w.broken(w.isoInterval())
	case 1:
		return w.broken(w.count() + "-" + w.number(2) + w.sometimes(" "+w.count()) + w.sometimes(" "+w.pick("", "-", "+")+w.clock()))
	case 2:
		return w.broken(w.count() + " " + w.pick("", "-", "+") + w.clock())
	case 3:
		return w.broken(w.pick("infinity", "-infinity", "+infinity", "1", "", "@", "@ 1 day", "ago", "1 ago", "1.5", "1 day infinity", "infinity ago", w.count()))
	}
	var parts []string
	for range 1 + w.IntN(4) {
		parts = append(parts, w.count()+w.pick("", " ")+w.pick("years", "year", "y", "mon", "months", "days", "day", "d", "week", "w", "hours", "h", "hr", "min", "m", "sec", "s", "ms", "us",
			"microseconds", "milliseconds", "decade", "century", "centuries", "millennium", "mil", "quarter", "yrs", "mins", "secs", "timezone", "foo"))
	}
	if w.IntN(3) == 0 {
		parts = append(parts, w.pick("", "-", "+")+w.clock())
	}
	return w.broken(w.sometimes("@ ") + strings.Join(parts, " ") + w.sometimes(" ago"))
}

func (w writer) isoInterval() string {
	n := func() string { return w.pick("", "-") + w.number(4) + w.sometimes("."+w.number(7)) }
	switch w.IntN(6) {
	case 0:
		return "P" + w.number(5) + "-" + w.number(2) + "-" + w.number(2) + w.sometimes("T"+w.clock())
	case 1:
		return fmt.Sprintf("P%08d", w.IntN(100000000)) + w.sometimes(fmt.Sprintf("T%06d", w.IntN(1000000)))
	}
	s := "P"
	for _, u := range []string{"Y", "M", "W", "D"} {
		if w.IntN(2) == 0 {
			s += n() + u
		}
	}
	if w.IntN(2) == 0 {
		s += "T"
		for _, u := range []string{"H", "M", "S"} {
			if w.IntN(2) == 0 {
				s += n() + u
			}
		}
	}
	return s
}

func inputQuestions(seed uint64, n int) []question {
	w := writer{rand.New(rand.NewPCG(seed, 1))}
	var asked []question
	for range n {
		zone := w.pick(zonesToTry...)
		moment := w.moment()
		for _, what := range []string{"date", "timestamp", "timestamptz"} {
			asked = append(asked, question{zone, what, []string{moment}})
		}
		clock := w.broken(w.sometimes(w.date()+" ") + w.clock() + w.sometimes(w.pick(" am", "PM", " pm")) + w.sometimes(" ") + w.zone())
		for _, what := range []string{"time", "timetz"} {
			// Without a date the server takes today's offset.
			asked = append(asked, question{w.pick("UTC", "Asia/Kolkata"), what, []string{clock}})
		}
		interval := w.interval()
		asked = append(asked, question{"UTC", "interval", []string{interval}})
		if w.IntN(3) == 0 {
			kinds := []string{
				"interval(3)", "interval year", "interval month", "interval day", "interval hour", "interval minute", "interval second", "interval year to month", "interval day to hour",
				"interval day to minute", "interval day to second", "interval hour to minute", "interval hour to second", "interval minute to second",
			}
			asked = append(asked, question{"UTC", w.pick(kinds...), []string{interval}}, question{"UTC", "timestamp(2)", []string{moment}})
		}
	}
	return asked
}

// TestRandomInputs asks a server (see server_test.go).
func TestRandomInputs(t *testing.T) {
	compareWithServer(t, inputKinds, inputQuestions(*seed, *questions), "testdata/inputs.jsonl.gz")
}

// TestRecordedInputs compares with what the server answered once.
func TestRecordedInputs(t *testing.T) {
	compareWithFile(t, inputKinds, "testdata/inputs.jsonl.gz", 20_000)
}
