package compile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
)

// python gives the CPython 3.12 to compare with: the one that PYTHON312 names, or
// one found in the usual places; "" if there is none.
func python() string {
	candidates := []string{os.Getenv("PYTHON312"), "python3.12"}
	if home, err := os.UserHomeDir(); err == nil {
		found, _ := filepath.Glob(filepath.Join(home, ".pyenv/versions/3.12.*/bin/python"))
		candidates = append(candidates, found...)
	}
	for _, c := range candidates {
		if c == "" {
			continue
		}
		out, err := osexec.Command(c, "-c", "import sys; print(sys.version_info[:2])").Output()
		if err == nil && strings.TrimSpace(string(out)) == "(3, 12)" {
			return c
		}
	}
	return ""
}

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
	bin := python()
	if bin == "" {
		t.Skip("no CPython 3.12 on this machine")
	}
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, p := range programs {
		if err := enc.Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	cmd := osexec.Command(bin, "testdata/oracle.py")
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var answers []answer
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 1<<30)
	for s.Scan() {
		var a [4]any
		if err := json.Unmarshal(s.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		line, _ := a[3].(float64)
		answers = append(answers, answer{a[0].(string), a[1].(string), a[2].(string), int(line)})
	}
	if len(answers) != len(programs) {
		t.Fatalf("%d answers to %d programs: %s", len(answers), len(programs), stderr.String())
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
