package module_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/module"
)

var record = flag.Bool("cpython", false, "with -rewrite: write what a CPython 3.12 answers into the files")

// cpython gives the CPython 3.12 to compare with: the one that PYTHON312 names,
// or one found in the usual places. Tests that need it skip without it.
func cpython(t testing.TB) string {
	t.Helper()
	candidates := []string{os.Getenv("PYTHON312"), "python3.12"}
	if home, err := os.UserHomeDir(); err == nil {
		found, _ := filepath.Glob(filepath.Join(home, ".pyenv/versions/3.12.*/bin/python"))
		candidates = append(candidates, found...)
	}
	for _, c := range candidates {
		if c == "" {
			continue
		}
		out, err := exec.Command(c, "-c", "import sys; print(sys.version_info[:2])").Output()
		if err == nil && strings.TrimSpace(string(out)) == "(3, 12)" {
			return c
		}
	}
	t.Skip("no CPython 3.12 on this machine")
	return ""
}

// askCPython runs programs on CPython.
func askCPython(t testing.TB, programs []string) []string {
	t.Helper()
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, p := range programs {
		if err := enc.Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(cpython(t), "testdata/run.py")
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "TZ=UTC", "PYTHONHASHSEED=0")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	s := bufio.NewScanner(bytes.NewReader(raw))
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		var text string
		if err := json.Unmarshal(s.Bytes(), &text); err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	if len(out) != len(programs) {
		t.Fatalf("CPython answered %d of %d programs", len(out), len(programs))
	}
	return out
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
