package object

import (
	"context"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

// newThread gives a thread with the default limits.
func newThread(t *testing.T) *Thread {
	t.Helper()
	m, err := sandbox.NewMeter(context.Background(), sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	th := NewThread()
	th.Begin(m)
	return th
}

func TestDictKeysCompareAcrossNumbers(t *testing.T) {
	th := newThread(t)
	d := NewDict()
	for i, k := range []Value{Int(1), True, Float(1)} {
		if x := d.Set(th, k, Int(int64(i))); x != nil {
			t.Fatal(x.Message(th))
		}
	}
	s, x := th.Repr(d.Value())
	if x != nil || s != "{1: 2}" {
		t.Errorf("got %s, %v", s, x)
	}
}
