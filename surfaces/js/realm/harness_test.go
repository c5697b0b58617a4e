package realm

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// stage is a realm with a meter, for tests.
type stage struct {
	*Realm
	meter *sandbox.Meter
	notes []string
}

func newStage(t testing.TB, limits sandbox.Limits) *stage {
	t.Helper()
	s := &stage{}
	m, err := sandbox.NewMeter(context.Background(), limits)
	if err != nil {
		t.Fatal(err)
	}
	s.meter = m
	s.Realm = New(Options{
		Depth: limits.Depth,
		Now:   func() time.Time { return time.Date(2024, 2, 29, 12, 34, 56, 789e6, time.UTC) },
		Note:  func(text string) { s.notes = append(s.notes, text) },
	})
	s.SetMeter(m)
	return s
}

var identifier = regexp.MustCompile(`[A-Za-z_$][A-Za-z0-9_$]*`)

// eval evaluates program text with all its names prepared, as a compiled program
// would have them. Computed keys go unguarded unless they are passed to key().
func (s *stage) eval(src string) (v goja.Value, err error) {
	p, err := goja.Compile("program", src, true)
	if err != nil {
		return nil, err
	}
	names := identifier.FindAllString(src, -1)
	defer func() {
		if x := recover(); x != nil {
			if e, ok := x.(error); ok {
				err = e
				return
			}
			err = fmt.Errorf("PANIC %v", x)
		}
	}()
	if e := s.Try(func() { s.Prepare(names, names) }); e != nil {
		return nil, e
	}
	return s.vm.RunProgram(p)
}

// show gives a result, or the error, as text.
func show(v goja.Value, err error) string {
	if err != nil {
		var f *sandbox.Fault
		if errors.As(err, &f) {
			return "FAULT " + string(f.Kind)
		}
		var ex *goja.Exception
		if errors.As(err, &ex) {
			if o, ok := ex.Value().(*goja.Object); ok {
				return fmt.Sprintf("THROWS %v: %v", o.Get("name"), o.Get("message"))
			}
			return "THROWS " + ex.Value().String()
		}
		if strings.Contains(err.Error(), "StackOverflow") {
			return "FAULT depth"
		}
		return fmt.Sprintf("ERROR %T %v", err, err)
	}
	if v == nil {
		return "nil"
	}
	return v.String()
}

func limits() sandbox.Limits {
	l := sandbox.DefaultLimits()
	return l
}
