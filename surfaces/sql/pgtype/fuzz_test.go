package pgtype

import (
	"bytes"
	"fmt"
	"math"
	"testing"
)

// FuzzNumeric reads anything, and reads back what it wrote.
func FuzzNumeric(f *testing.F) {
	for _, s := range []string{"1.50", "-0x1F", "1e-5", "1_000.5", "NaN", "-inf"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseNumeric(s)
		if err != nil {
			return
		}
		text := n.String()
		again, err := ParseNumeric(text)
		if err != nil || again.String() != text || CompareNumeric(n, again) != 0 {
			t.Fatalf("%q wrote %q, which reads as %v, %v", s, text, again, err)
		}
	})
}

func FuzzFloat(f *testing.F) {
	f.Add(1.5)
	f.Add(9007199254740993.0)
	f.Fuzz(func(t *testing.T, v float64) {
		text := AppendFloat(nil, v, 64)
		again, err := ParseFloat(string(text), 64)
		if err != nil || again != v && !math.IsNaN(v) {
			t.Fatalf("%v wrote %s, which reads as %v, %v", v, text, again, err)
		}
		small := AppendFloat(nil, float64(float32(v)), 32)
		if again, err := ParseFloat(string(small), 32); err != nil || float32(again) != float32(v) && !math.IsNaN(v) {
			t.Fatalf("%v wrote %s, which reads as %v, %v", float32(v), small, again, err)
		}
	})
}

func FuzzBytea(f *testing.F) {
	f.Add("\\xdead")
	f.Add("a\\\\b\\001")
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseBytea(s)
		if err != nil {
			return
		}
		if again, err := ParseBytea(string(AppendBytea(nil, v))); err != nil || !bytes.Equal(v, again) {
			t.Fatalf("%q reads as %x and %x, %v", s, v, again, err)
		}
	})
}

func FuzzScalars(f *testing.F) {
	f.Add("true")
	f.Add("0x_1f")
	f.Add("{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}")
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ParseInt(s, 64); err == nil {
			if small, err := ParseInt(s, 16); err == nil && small != v {
				t.Fatalf("%q is %d and %d", s, v, small)
			}
		}
		ParseBool(s)
		if v, err := ParseUUID(s); err == nil {
			if again, err := ParseUUID(string(AppendUUID(nil, v))); err != nil || again != v {
				t.Fatalf("%q does not read back", s)
			}
		}
	})
}

// FuzzDates reads anything as every type of dates and times, and reads back what it
// wrote.
func FuzzDates(f *testing.F) {
	for _, s := range []string{
		"2024-02-29 12:34:56.789+05:30", "Jan 8, 99 BC", "J2451545.5", "20240229T123456", "yesterday 04:05 PST", "1997.038 America/New_York",
		"infinity", "1 year 2 mons -3 days 04:05:06.7 ago", "P1Y2M3DT4H5M6.7S", "P0001-02-03T04:05:06", "-1-2 +3 -4:05:06", "12:34 pm", "xyz-3abc,M3.2.0,M11.1.0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := Clock{Now: 768484800123456}
		same := func(what string, v, again any, err any) {
			if fmt.Sprint(err) != "<nil>" || v != again {
				t.Fatalf("%s %q is %v, which reads as %v, %v", what, s, v, again, err)
			}
		}
		if v, err := ParseDate(s, c); err == nil {
			again, err := ParseDate(string(AppendDate(nil, v)), c)
			same("date", v, again, err)
		}
		if v, err := ParseTimestamp(s, c); err == nil {
			again, err := ParseTimestamp(string(AppendTimestamp(nil, v)), c)
			same("timestamp", v, again, err)
		}
		if v, err := ParseTimestamptz(s, c); err == nil {
			again, err := ParseTimestamptz(string(AppendTimestamptz(nil, v, c)), c)
			same("timestamptz", v, again, err)
		}
		if v, err := ParseTime(s, c); err == nil {
			again, err := ParseTime(string(AppendTime(nil, v)), c)
			same("time", v, again, err)
		}
		// A POSIX rule may be further from Greenwich than an offset that is written.
		if v, err := ParseTimetz(s, c); err == nil && v.Zone > -16*3600 && v.Zone < 16*3600 {
			again, err := ParseTimetz(string(AppendTimetz(nil, v)), c)
			same("timetz", v, again, err)
		}
		if v, err := ParseInterval(s, -1); err == nil {
			again, err := ParseInterval(string(AppendInterval(nil, v)), -1)
			same("interval", v, again, err)
		}
		ParseZone(s)
	})
}

// FuzzTemplates writes and reads by any template.
func FuzzTemplates(f *testing.F) {
	f.Add("YYYY-MM-DD HH24:MI:SS.US TZ", "2024-02-29 12:34:56.789 EST", 1.5)
	f.Add("FM9,999.0099PR", "<1,234.5>", -1234.5)
	f.Add("RN 9.9EEEE", "XIV", 14.0)
	f.Fuzz(func(t *testing.T, template, text string, v float64) {
		d := NewDateTemplate(template)
		d.FormatTimestamptz(768484800123456, Clock{})
		d.FormatTimestamp(minTimestamp)
		d.FormatInterval(Interval{Months: -3, Days: 1 << 30, Micros: int64(math.Min(math.Max(v, -1e18), 1e18))})
		d.Date(text)
		d.Timestamptz(text, Clock{})
		n, err := NewNumberTemplate(template)
		if err != nil {
			return
		}
		n.FormatFloat(v, 64)
		n.FormatInt(int64(len(text)), 32)
		n.FormatNumeric(NumericFromFloat(v, 64))
		n.Number(text)
	})
}
