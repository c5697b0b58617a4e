package compile_test

import (
	"bufio"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/compile"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/library"
	"github.com/polyglove/polyglove/surfaces/lisp/oracle"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
)

type testHost struct {
	m   *compile.Machine
	out strings.Builder
}

func (h *testHost) Print(s string)  { h.out.WriteString(s) }
func (h *testHost) Random() float64 { return 0.5 }

func (h *testHost) Datum(f *reader.Form) data.Value { return h.m.Datum(f) }

// run gives what a program comes to in a machine of its own.
func run(src string) (a oracle.Answer) {
	h := &testHost{}
	m := compile.NewMachine(compile.Host{Library: library.Lookup, Regex: library.Pattern})
	h.m, m.T.Host = m, h
	limits := sandbox.DefaultLimits()
	meter, err := sandbox.NewMeter(context.Background(), limits)
	if err != nil {
		panic(err)
	}
	m.Begin(meter)
	p, f := m.Compile(src)
	var v data.Value
	if f == nil {
		v, f = p.Run()
	}
	if f == nil {
		f = m.Protect(func() { a.Text = data.Print(&m.T, v, true) })
	}
	a.OK, a.Out = f == nil, h.out.String()
	if f != nil {
		a.Class, a.Message, a.Text = f.Name, f.Error(), ""
	}
	return a
}

// TestAgainstClojure runs each program of testdata/programs.txt, one a line, in a
// live Clojure and here.
func TestAgainstClojure(t *testing.T) {
	name := "testdata/programs.txt"
	if n := os.Getenv("LISP_PROGRAMS"); n != "" {
		name = n
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := oracle.Start(t)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		src := lines.Text()
		if src == "" || strings.HasPrefix(src, ";;") {
			continue
		}
		want, err := c.Run(src)
		if err != nil {
			t.Fatal(err)
		}
		got := run(src)
		if got.OK != want.OK || got.Text != want.Text || got.Out != want.Out {
			t.Errorf("%s\n  here    %v %s%s %s\n  clojure %v %s%s %s %s", src, got.OK, got.Out, got.Text, got.Message, want.OK, want.Out, want.Text, want.Class, want.Message)
		}
	}
}
