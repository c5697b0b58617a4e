package python_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// recorded reads a file of recorded programs beside the repository.
func recorded(t *testing.T, name string, each func(line []byte)) {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../shared", name))
	if err != nil {
		t.Skip("no recorded programs on this machine")
	}
	defer func() { _ = f.Close() }()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		each(s.Bytes())
	}
}

// differing are recorded snippets whose answer deliberately differs, with the
// reason.
var differing = map[string]string{
	"{3, 1, 2}":                "sets keep the order in which their members were added",
	"def f(): return f()\nf()": "endless recursion ends the program: no handler sees a limit",
	"import os":                "a program reaches no files and no processes",
	"eval('1+1')":              "text cannot be run as code",
	"exec('x=1')":              "text cannot be run as code",
}

// address is where an object lies, which no two runs share.
var address = regexp.MustCompile(`0x[0-9a-f]+`)

// TestRecordedSemantics holds snippets against what CPython printed for them: the
// output, the last expression's repr, the last line of a traceback.
func TestRecordedSemantics(t *testing.T) {
	seen, differ := 0, 0
	recorded(t, "cases/python-semantics.jsonl", func(line []byte) {
		var c struct{ Src, Stdout, Exception string }
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		seen++
		if _, ok := differing[c.Src]; ok {
			differ++
			return
		}
		s, _ := newSession(t)
		r := s.Execute(context.Background(), c.Src+"\n")
		out := strings.Join(r.Stdout, "\n")
		if len(r.Stdout) > 0 {
			out += "\n"
		}
		failure := ""
		if r.Fault != nil {
			failure = strings.TrimSuffix(r.Fault.Name+": "+r.Fault.Message, ": ")
		} else if show := s.Execute(context.Background(), "print(repr(_)) if _ is not None else None"); len(show.Stdout) > 0 {
			out += strings.Join(show.Stdout, "\n") + "\n"
		}
		out, c.Stdout = address.ReplaceAllString(out, "0x"), address.ReplaceAllString(c.Stdout, "0x")
		if out != c.Stdout || failure != c.Exception {
			t.Errorf("%s\ngot  %q %s\nwant %q %s", c.Src, out, failure, c.Stdout, c.Exception)
		}
	})
	if seen > 0 && seen-differ < 200 {
		t.Errorf("only %d compared", seen-differ)
	}
}
