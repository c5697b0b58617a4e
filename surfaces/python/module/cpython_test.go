package module_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/internal/cpython"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/module"
)

var record = flag.Bool("cpython", false, "with -rewrite: write what a CPython 3.12 answers into the files")

// askCPython runs programs on CPython.
func askCPython(t testing.TB, programs []string) []string {
	t.Helper()
	return cpython.Ask[string, string](t, "testdata/run.py", programs)
}

// output gathers what a program prints.
type output struct{ strings.Builder }

func (o *output) Print(text string) { o.WriteString(text) }

// fixedClock is what time it is in the tests.
func fixedClock() time.Time { return time.Date(2024, 2, 29, 13, 4, 5, 678901000, time.UTC) }

// run runs a program as testdata/run.py does.
func run(t testing.TB, program string, limits sandbox.Limits) string {
	t.Helper()
	m := compile.NewMachine()
	var out output
	m.T.Printer = &out
	module.New(module.Host{Clock: fixedClock, Seed: 42}).Install(m.T)
	meter, err := sandbox.NewMeter(context.Background(), limits)
	if err != nil {
		t.Fatal(err)
	}
	m.Begin(meter)
	p, err := m.Compile(program, compile.Options{})
	if err != nil {
		return fmt.Sprintf("%v\n", err)
	}
	if x := p.Run().Raised; x != nil {
		out.WriteString(x.Describe(m.T) + "\n")
	}
	return out.String()
}

// TestModules runs the programs of testdata/cpython, whose answers are
// CPython's, and those of testdata/ours, where it has none.
func TestModules(t *testing.T) {
	for _, dir := range []string{"testdata/cpython", "testdata/ours"} {
		datadriven.Walk(t, dir, func(t *testing.T, path string) {
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				if d.Cmd != "py" {
					d.Fatalf(t, "unknown command %s", d.Cmd)
				}
				if *record && dir == "testdata/cpython" {
					return askCPython(t, []string{d.Input})[0]
				}
				return run(t, d.Input, sandbox.DefaultLimits())
			})
		})
	}
}
