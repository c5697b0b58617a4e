package pgtype

import (
	"bytes"
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
