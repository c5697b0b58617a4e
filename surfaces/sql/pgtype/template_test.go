package pgtype

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

func orNull(text string, ok bool, err *pgerr.Error) (string, *pgerr.Error) {
	if err == nil && !ok {
		return "NULL", nil
	}
	return text, err
}

// templateKinds are to_char, to_date and to_timestamp.
var templateKinds = map[string]kind{
	"to_char(ts)": {"select to_char($1::timestamp, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return orNull(NewDateTemplate(in[1]).FormatTimestamp(mustTimestamp(in[0])))
	}},
	"to_char(tstz)": {"select to_char($1::timestamptz, $2)", func(c Clock, in []string) (string, *pgerr.Error) {
		return orNull(NewDateTemplate(in[1]).FormatTimestamptz(mustTz(in[0], c), c))
	}},
	"to_char(i)": {"select to_char($1::interval, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return orNull(NewDateTemplate(in[1]).FormatInterval(mustInterval(in[0])))
	}},
	"to_date": {"select to_date($1, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return ofDate(NewDateTemplate(in[1]).Date(in[0]))
	}},
	"to_timestamp": {"select to_timestamp($1, $2)", func(c Clock, in []string) (string, *pgerr.Error) {
		ts, err := NewDateTemplate(in[1]).Timestamptz(in[0], c)
		return ofTz(ts, c, err)
	}},
}

func (w writer) datePattern() string {
	return w.pick("", "", "", "FM", "fm", "TM") +
		w.pick("A.D.", "a.m.", "AD", "am", "PM", "p.m.", "BC", "B.C.", "CC", "cc", "DAY", "DDD", "DD", "DY", "Day", "Dy", "D", "day", "dy", "d", "dd", "ddd", "FF1", "FF2", "FF3", "ff4", "FF5", "FF6", "FX",
			"HH24", "HH12", "HH", "hh24", "IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I", "J", "MI", "MM", "mi", "mm", "MONTH", "MON", "MS", "Month", "Mon", "month", "mon", "OF", "Q", "RM", "rm", "SSSSS", "SSSS", "SS", "ss",
			"TZH", "TZM", "TZ", "tz", "US", "WW", "W", "Y,YYY", "YYYY", "YYY", "YY", "Y", "yyyy", "y") + w.pick("", "", "", "", "TH", "th", "SP")
}

func (w writer) between() string {
	return w.pick("", "", " ", "-", "-", "/", ":", ".", ", ", " \"text\" ", "\"a\\\"b\"", "\\\"", "x", "é", "T", "5", "\t", "\\", "\"", "FM")
}

func (w writer) dateTemplate() string {
	switch w.IntN(5) {
	case 0:
		return w.pick("YYYY-MM-DD", "YYYY-MM-DD HH24:MI:SS", "DD Mon YYYY", "YYYYMMDD", "YYYY-MM-DD\"T\"HH24:MI:SS.US", "Month DD, YYYY HH12:MI AM", "IYYY-IW-ID", "YYYY-DDD", "HH24MISS", "DD/MM/YY", "YYYY-MM-DD HH24:MI:SSOF",
			"YYYY-MM-DD HH24:MI:SS TZ", "FMDay, FMDDth FMMonth YYYY", "Dy DD Mon YYYY HH12:MI:SS.MS p.m.", "YYYY-MM-DD HH24:MI:SS TZH:TZM", "CC YY", "J", "YYYY WW", "YYYY MM W", "RM YYYY", "Y,YYY", "FXYYYY-MM-DD", "YYYY BC", "SSSS", "YYYY-Q")
	}
	s := ""
	for range 1 + w.IntN(5) {
		s += w.datePattern() + w.between()
	}
	return s
}

func templateQuestions(seed uint64, n int) []question {
	w := writer{rand.New(rand.NewPCG(seed, 3))}
	var asked []question
	for range n {
		zone := w.pick(zonesToTry...)
		ask := func(what string, in ...string) { asked = append(asked, question{zone, what, in}) }
		m, i, t := w.goodMoment(), w.goodInterval(), w.dateTemplate()
		ask("to_char(ts)", m, t)
		ask("to_char(tstz)", m, t)
		ask("to_char(i)", i, t)
		// Texts to read: what the template writes, perhaps broken, and others.
		text, _, err := NewDateTemplate(t).FormatTimestamptz(mustTimestampOr(m), Clock{})
		if err != nil || w.IntN(5) == 0 {
			text = w.pick(w.moment(), w.date(), w.clock(), strconv.Itoa(w.IntN(1000000)))
		}
		text = w.broken(text)
		ask("to_date", text, t)
		ask("to_timestamp", text, t)
		ask("to_timestamp", text, w.dateTemplate())
	}
	return asked
}

func mustTimestampOr(s string) int64 {
	ts, err := ParseTimestamp(s, Clock{})
	if err != nil {
		return 0
	}
	return ts
}

// TestRandomTemplates asks a server (see server_test.go).
func TestRandomTemplates(t *testing.T) {
	compareWithServer(t, templateKinds, templateQuestions(*seed, *questions), "testdata/templates.jsonl.gz")
}

func numberTemplate(in string) *NumberTemplate { return must(NewNumberTemplate(in)) }

// numberKinds are to_char of numbers and to_number.
var numberKinds = map[string]kind{
	"to_char(numeric)": {"select to_char($1::numeric, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return numberTemplate(in[1]).FormatNumeric(must(ParseNumeric(in[0])))
	}},
	"to_char(int4)": {"select to_char($1::int4, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return numberTemplate(in[1]).FormatInt(must(ParseInt(in[0], 32)), 32)
	}},
	"to_char(int8)": {"select to_char($1::int8, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return numberTemplate(in[1]).FormatInt(must(ParseInt(in[0], 64)), 64)
	}},
	"to_char(float4)": {"select to_char($1::float4, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return numberTemplate(in[1]).FormatFloat(must(ParseFloat(in[0], 32)), 32)
	}},
	"to_char(float8)": {"select to_char($1::float8, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		return numberTemplate(in[1]).FormatFloat(must(ParseFloat(in[0], 64)), 64)
	}},
	"to_number": {"select to_number($1, $2)", func(_ Clock, in []string) (string, *pgerr.Error) {
		v, err := numberTemplate(in[1]).Number(in[0])
		return text(AppendNumeric(nil, v), err)
	}},
}

func (w writer) numberTemplate() string {
	if w.IntN(3) == 0 {
		return w.pick("999", "FM999", "9,999.99", "FM9,999.99", "0000", "9990.00", "S999", "999S", "999MI", "PL999", "SG99.9", "999PR", "L999", "9G999D99", "RN", "FMrn", "999th", "99V99", "9.99EEEE", "B99.9", "999999999999.999999", "FM0.0099", "\"x\"99 9",
			"FM99999999.00", ".99", "99.", "9.9S", "FMS99.99", "fm9.99mi")
	}
	s := w.pick("", "FM", "fm", "S", "MI", "PL", "SG", "B", "L", "$", "")
	digit := func() string { return w.pick("9", "9", "9", "0", "9", ",", "G", " ", "9") }
	for range w.IntN(7) {
		s += digit()
	}
	if w.IntN(2) == 0 {
		s += w.pick(".", "D", ".", "V")
		for range w.IntN(6) {
			s += w.pick("9", "9", "0")
		}
	}
	return s + w.pick("", "", "", "", "S", "MI", "PL", "SG", "PR", "TH", "th", "EEEE", "RN", " x", "é", "%", "eeee9", "SP", "C", "FM", "pr9")
}

func numberQuestions(seed uint64, n int) []question {
	w := writer{rand.New(rand.NewPCG(seed, 4))}
	var asked []question
	for range n {
		ask := func(what string, in ...string) { asked = append(asked, question{"UTC", what, in}) }
		t := w.numberTemplate()
		if t == "" {
			continue // an answer of its own, which needs no template
		}
		whole := w.pick("", "-") + w.number(w.pick1(3, 5, 9, 18))
		decimal := whole + "." + w.number(7)
		if w.IntN(6) == 0 {
			decimal = w.pick("0", "-0.001", "0.5", "9.995", "99.99", "-1", "NaN", "Infinity", "-Infinity", "0.05", "1e20", "1e-7", "3999", "4000", "12.50", "100")
		}
		ask("to_char(numeric)", decimal, t)
		ask("to_char(float8)", decimal, t)
		ask("to_char(float4)", decimal, t)
		ask("to_char(int8)", whole, t)
		ask("to_char(int4)", w.pick("", "-")+w.number(9), t)
		text, err := "", (*pgerr.Error)(nil)
		if c, bad := NewNumberTemplate(t); bad == nil && !c.scientificForm {
			v, e := ParseNumeric(decimal)
			if e == nil {
				text, err = c.FormatNumeric(v)
			}
		}
		if err != nil || text == "" || w.IntN(3) == 0 {
			text = w.pick(decimal, " "+whole, whole+"-", "<"+decimal+">", "$1,234.56", "12,34.5-", "+12", "x", "1 2 3", "1e5", "-.5", "th12", "12th")
		}
		ask("to_number", w.broken(text), t)
	}
	return asked
}

func (w writer) pick1(list ...int) int { return list[w.IntN(len(list))] }

// TestRandomNumberTemplates asks a server (see server_test.go).
func TestRandomNumberTemplates(t *testing.T) {
	compareWithServer(t, numberKinds, numberQuestions(*seed, *questions), "testdata/numbers.jsonl.gz")
}

// TestRecordedTemplates compares with what the server answered once.
func TestRecordedTemplates(t *testing.T) {
	compareWithFile(t, templateKinds, "testdata/templates.jsonl.gz", 10_000)
	compareWithFile(t, numberKinds, "testdata/numbers.jsonl.gz", 10_000)
}
