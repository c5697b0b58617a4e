package pgtype

import (
	"testing"
	"time"
)

// TestWordsFollowTheClock reads what depends on the statement's moment.
func TestWordsFollowTheClock(t *testing.T) {
	tokyo, _ := LookupZone("asia/tokyo")
	york, _ := LookupZone("America/New_York")
	now := time.Date(2024, 3, 10, 6, 59, 58, 123456000, time.UTC) // the clock changes in New York two seconds later
	for _, test := range []struct {
		kind, text string
		zone       *time.Location
		want       string
	}{
		{"timestamptz", "now", nil, "2024-03-10 06:59:58.123456+00"},
		{"timestamptz", "now", tokyo, "2024-03-10 15:59:58.123456+09"},
		{"timestamp", "NOW", tokyo, "2024-03-10 15:59:58.123456"},
		{"timestamp", "now", york, "2024-03-10 01:59:58.123456"},
		{"date", "now", tokyo, "2024-03-10"},
		{"date", "today", york, "2024-03-10"},
		{"date", "yesterday", york, "2024-03-09"},
		{"date", "tomorrow", nil, "2024-03-11"},
		{"timestamptz", "tomorrow 03:30", york, "2024-03-11 03:30:00-04"},
		{"timestamptz", "today allballs", york, "2024-03-09 19:00:00-05"},
		{"timestamptz", "yesterday 12:00 Asia/Tokyo", york, "2024-03-08 22:00:00-05"},
		{"time", "now", york, "01:59:58.123456"},
		{"timetz", "now", york, "01:59:58.123456-05"},
		{"timetz", "12:00", york, "12:00:00-04"},
		{"timetz", "01:00", york, "01:00:00-05"},
		{"timetz", "allballs", york, "00:00:00+00"},
		{"timetz", "12:00 msk", york, "12:00:00+03"},
		{"date", "now 1", nil, "!22007 invalid input syntax for type date: \"now 1\"||"},
	} {
		k := inputKinds[test.kind]
		got, err := k.attempt(NewClock(now, test.zone), []string{test.text})
		if err != nil {
			got = "!" + string(err.SQLSTATE) + " " + err.Message + "|" + err.Detail + "|" + err.Hint
		}
		if got != test.want {
			t.Errorf("%s %q: got %s, want %s", test.kind, test.text, got, test.want)
		}
	}
}

func TestCurrentDate(t *testing.T) {
	kolkata, _ := LookupZone("Asia/Kolkata")
	now := time.Date(2023, 12, 31, 20, 15, 16, 987654000, time.UTC)
	for zone, want := range map[*time.Location]string{nil: "2023-12-31", kolkata: "2024-01-01"} {
		if got := string(AppendDate(nil, NewClock(now, zone).CurrentDate())); got != want {
			t.Errorf("in %v: got %s, want %s", zone, got, want)
		}
	}
}

// TestEveryZoneLoads reads the whole file of zones.
func TestEveryZoneLoads(t *testing.T) {
	names := ZoneNames()
	if len(names) < 590 {
		t.Fatalf("only %d zones", len(names))
	}
	for _, name := range names {
		if _, ok := LookupZone(name); !ok {
			t.Errorf("%s does not load", name)
		}
	}
	if n := len(zoneTable().abbreviations); n < 190 {
		t.Fatalf("only %d abbreviations", n)
	}
	for name, a := range zoneTable().abbreviations {
		if _, ok := LookupZone(a.zone); a.zone != "" && !ok {
			t.Errorf("%s: %s does not load", name, a.zone)
		}
	}
}

// sink keeps what a benchmark reads.
var sink time.Time

func BenchmarkDates(b *testing.B) {
	york, _ := LookupZone("America/New_York")
	c := Clock{Zone: york}
	ts := int64(768484800123456)
	template := NewDateTemplate("YYYY-MM-DD HH24:MI:SS")
	for name, f := range map[string]func(){
		"read/plain":      func() { ParseTimestamp("2024-05-06 07:08:09", c) },
		"read/fraction":   func() { ParseTimestamp("2024-05-06 07:08:09.123456", c) },
		"read/iso":        func() { ParseTimestamptz("2024-05-06T07:08:09.123Z", Clock{}) },
		"read/date":       func() { ParseDate("2024-05-06", c) },
		"read/words":      func() { ParseDate("May 6, 2024", c) },
		"read/interval":   func() { ParseInterval("1 day 02:03:04", -1) },
		"write/timestamp": func() { AppendTimestamp(make([]byte, 0, 32), ts) },
		"write/zone":      func() { AppendTimestamptz(make([]byte, 0, 32), ts, c) },
		"trunc":           func() { TruncTimestamp("month", ts) },
		"trunc/zone":      func() { TruncTimestamptz("month", ts, c.SessionZone()) },
		"part":            func() { TimestampPart("year", ts) },
		"to_char":         func() { template.FormatTimestamp(ts) },
		"library/read":    func() { sink, _ = time.Parse("2006-01-02 15:04:05", "2024-05-06 07:08:09") },
		"library/write":   func() { time.Unix(1700000000, 0).UTC().AppendFormat(make([]byte, 0, 32), "2006-01-02 15:04:05") },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}
