package compile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/internal/cpython"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/module"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// answer is what a program gives.
type answer struct {
	out, value, err string
	line            int
}

// String shows an answer as the golden files do.
func (a answer) String() string {
	s := a.out
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	if a.value != "" {
		s += "=> " + a.value + "\n"
	}
	if a.err != "" {
		s += fmt.Sprintf("%s (line %d)\n", a.err, a.line)
	}
	return s
}

// ask has CPython run programs.
func ask(t testing.TB, programs []string) []answer {
	t.Helper()
	var answers []answer
	for _, a := range cpython.Ask[string, [4]any](t, "testdata/oracle.py", programs) {
		line, _ := a[3].(float64)
		answers = append(answers, answer{a[0].(string), a[1].(string), a[2].(string), int(line)})
	}
	return answers
}

// printed gathers what a program prints.
type printed struct{ strings.Builder }

func (p *printed) Print(s string) { p.WriteString(s) }

// newMeter gives a meter with the default limits, changed by fn.
func newMeter(t testing.TB, fn func(*sandbox.Limits)) *sandbox.Meter {
	t.Helper()
	l := sandbox.DefaultLimits()
	l.Compute = time.Minute
	if fn != nil {
		fn(&l)
	}
	m, err := sandbox.NewMeter(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// run runs a program in a machine of its own.
func run(t testing.TB, source string) answer {
	t.Helper()
	return runOn(t, NewMachine(), source, nil)
}

// runOn runs a program in a machine.
func runOn(t testing.TB, m *Machine, source string, limits func(*sandbox.Limits)) answer {
	t.Helper()
	out := &printed{}
	m.T.Printer = out
	module.New(module.Host{Seed: 1}).Install(m.T)
	m.Begin(newMeter(t, limits))
	p, err := m.Compile(source, Options{})
	if err != nil {
		e, ok := AsSyntaxError(err)
		if !ok {
			t.Fatalf("%q: %v", source, err)
		}
		return answer{err: e.Error(), line: e.Line}
	}
	o := p.Run()
	a := answer{out: out.String()}
	switch {
	case o.Raised != nil:
		var f *sandbox.Fault
		if errors.As(o.Raised.Limit, &f) && f.Kind == sandbox.KindInternal {
			t.Fatalf("%s: %v", source, f.Cause)
		}
		a.err = o.Raised.Describe(m.T)
		_, a.line, _, _ = Line(o.Raised)
	case o.Value.IsSet() && o.Value != object.None:
		s, x := m.T.Repr(o.Value)
		if x != nil {
			a.err = x.Describe(m.T)
		}
		a.value = s
	}
	return a
}
