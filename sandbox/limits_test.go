package sandbox

import (
	"strings"
	"testing"
)

func TestZeroLimitIsAnError(t *testing.T) {
	if err := DefaultLimits().Validate(); err != nil {
		t.Fatal(err)
	}
	err := Limits{}.Validate()
	for _, x := range (Limits{}).all() {
		if !strings.Contains(err.Error(), x.name+" is 0") {
			t.Errorf("%v does not name %s", err, x.name)
		}
	}
}

func TestSetByName(t *testing.T) {
	for _, x := range (Limits{}).all() {
		l := DefaultLimits()
		if err := l.Set(x.name, 777); err != nil {
			t.Fatal(err)
		}
		for _, y := range l.all() {
			if (y.value == 777) != (y.name == x.name) {
				t.Errorf("setting %s left %s at %d", x.name, y.name, y.value)
			}
		}
	}
	l := DefaultLimits()
	for name, want := range map[string]string{"feul": `did you mean "fuel"`, "zzzzzzzzz": "the limits are fuel, memory"} {
		if err := l.Set(name, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Set(%s): %v", name, err)
		}
	}
	if err := l.Set("fuel", 0); err == nil {
		t.Error("a limit was set to zero")
	}
	if l != DefaultLimits() {
		t.Error("a refused change changed something")
	}
}

func TestCeilings(t *testing.T) {
	for name, n := range map[string]int64{"depth": MaxDepth + 1, "source": MaxSource + 1, "output": MaxOutput + 1} {
		l := DefaultLimits()
		if err := l.Set(name, n); err != nil {
			t.Fatal(err)
		}
		if err := l.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s of %d: %v", name, n, err)
		}
	}
}
