package pgtype

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// zoneKinds show a moment in a zone, and find the moment of a local time.
var zoneKinds = map[string]kind{
	"show": {"select $1::timestamptz || to_char($1::timestamptz, ' TZ OF')", func(c Clock, in []string) (string, *pgerr.Error) {
		ts := mustTz(in[0], c)
		name, _, err := NewDateTemplate(" TZ OF").FormatTimestamptz(ts, c)
		return string(AppendTimestamptz(nil, ts, c)) + name, err
	}},
	"find": {"select ($1::timestamp at time zone $2)::text", func(c Clock, in []string) (string, *pgerr.Error) {
		ts, err := AtZone(mustTimestamp(in[0]), must(ParseZone(in[1])))
		return ofTz(ts, c, err)
	}},
}

func (w writer) instant() string {
	year := 1850 + w.IntN(250)
	switch w.IntN(8) {
	case 0:
		year = 1 + w.IntN(3000)
	case 1:
		year = 3000 + w.IntN(290000)
	}
	return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", year, 1+w.IntN(12), 1+w.IntN(28), w.IntN(24), w.IntN(60), w.IntN(60))
}

// rule makes a POSIX zone.
func (w writer) rule() string {
	s := w.pick("ABC", "xyz", "<+03>", "EST", "Q") + w.pick("", "-", "+") + fmt.Sprint(w.IntN(15)) + w.sometimes(":30")
	if w.IntN(3) == 0 {
		return s
	}
	s += w.pick("DEF", "<s>", "dst") + w.sometimes(w.pick("-2", "3", "4:15"))
	if w.IntN(2) == 0 {
		return s
	}
	// Rules that lie near to each other are refused here.
	month := 1 + w.IntN(12)
	date := func() string {
		month = (month+1+w.IntN(9))%12 + 1
		first := julianDay(2001, month, 1) - julianDay(2001, 1, 1) + 1
		return w.pick(fmt.Sprintf("M%d.%d.%d", month, 1+w.IntN(3), w.IntN(7)), fmt.Sprintf("J%d", first+w.IntN(20)), fmt.Sprint(first+w.IntN(20))) + w.sometimes(w.pick("/3", "/0", "/23:30"))
	}
	return s + "," + date() + "," + date()
}

func zoneQuestions(seed uint64, n int) []question {
	w := writer{rand.New(rand.NewPCG(seed, 5))}
	var asked []question
	for range n {
		asked = append(asked, question{w.pick(ZoneNames()...), "show", []string{w.instant() + "Z"}})
		asked = append(asked, question{"UTC", "find", []string{w.instant(), w.pick(ZoneNames()...)}})
		asked = append(asked, question{"UTC", "find", []string{w.instant(), w.rule()}})
	}
	return asked
}

// TestRandomZones asks a server (see server_test.go).
func TestRandomZones(t *testing.T) {
	compareWithServer(t, zoneKinds, zoneQuestions(*seed, *questions), "testdata/zones.jsonl.gz")
}

// TestRecordedZones compares with what the server answered once.
func TestRecordedZones(t *testing.T) {
	compareWithFile(t, zoneKinds, "testdata/zones.jsonl.gz", 5_000)
}

func TestNearRulesAreRefused(t *testing.T) {
	for rule, want := range map[string]bool{
		"ABC3DEF,M3.2.0,M11.1.0": true, "ABC3DEF,M11.1.0,M3.2.0": true, "ABC3DEF,J60,J300": true, "ABC3DEF": true,
		"ABC3DEF,M9.3.5,J260": false, "ABC3DEF,M3.4.5,M3.5.2": false, "ABC3DEF,0,J365": false, "ABC3DEF,J100,J100": false, "ABC3DEF,J100/167,J107": false,
	} {
		if _, ok := LookupZone(rule); ok != want {
			t.Errorf("%s: known is %v", rule, ok)
		}
	}
}
