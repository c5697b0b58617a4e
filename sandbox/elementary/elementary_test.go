package elementary_test

import (
	"math"
	"testing"

	"github.com/polyglove/polyglove/sandbox/elementary"
)

// The values are the nearest floats, on which CPython and Clojure agree; Go's own
// functions give another last digit for each.
func TestLastDigit(t *testing.T) {
	step := 0.37 // a variable: products of constants are exact
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"pow(2.22, 1.7)", elementary.Pow(step*6, 1.7), 3.8797170782631385},
		{"exp(0.74)", elementary.Exp(step * 2), 2.0959355144943643},
		{"log(0.37)", elementary.Log(step), -0.9942522733438669},
		{"sin(1.11)", elementary.Sin(step * 3), 0.8956986856800476},
		{"tan(1.48)", elementary.Tan(step * 4), 10.983379314326065},
		{"atan(1.11)", elementary.Atan(step * 3), 0.8374837126116269},
	} {
		if c.got != c.want {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestEdges holds the values that are none, endless or zero to IEEE 754.
func TestEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"exp(inf)", elementary.Exp(inf), inf},
		{"exp(-inf)", elementary.Exp(-inf), 0},
		{"exp(1000)", elementary.Exp(1000), inf},
		{"exp(-1000)", elementary.Exp(-1000), 0},
		{"log(0)", elementary.Log(0), -inf},
		{"pow(0, 0)", elementary.Pow(0, 0), 1},
		{"pow(2, 2000)", elementary.Pow(2, 2000), inf},
		{"pow(-2, 3)", elementary.Pow(-2, 3), -8},
		{"atan(inf)", elementary.Atan(inf), math.Pi / 2},
		{"cbrt(-27)", elementary.Cbrt(-27), -3},
	} {
		if c.got != c.want {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	for name, got := range map[string]float64{"sin(inf)": elementary.Sin(inf), "log(-1)": elementary.Log(-1), "pow(-8, 1/3)": elementary.Pow(-8, 1.0/3), "asin(2)": elementary.Asin(2)} {
		if got == got {
			t.Errorf("%s is %v, want NaN", name, got)
		}
	}
}
