package syntax

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/internal/cpython"
)

// TestParse shows trees and errors of small programs.
func TestParse(t *testing.T) {
	datadriven.Walk(t, "testdata/parse", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			source := d.Input
			if d.Cmd == "escaped" { // for what an editor would not keep
				if err := json.Unmarshal([]byte(source), &source); err != nil {
					t.Fatal(err)
				}
			}
			m, err := Parse(source)
			var e *Error
			if errors.As(err, &e) {
				return fmt.Sprintf("%s: %s (%d:%d)\n", e.Type, e.Message, e.Line, e.Column)
			}
			if d.HasArg("places") {
				return tree(m) + "\n"
			}
			return anyPlace.ReplaceAllString(tree(m), "") + "\n"
		})
	})
}

// shared gives a file of the recorded material, or skips.
func shared(t *testing.T, path string) string {
	t.Helper()
	path = filepath.Join("../../../../shared", path)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the recorded material is not here")
	}
	return path
}

func lines(t *testing.T, path string, each func([]byte)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<30)
	for s.Scan() {
		each(s.Bytes())
	}
}

// count tallies verdicts and reports all that are not expected.
type count map[string]int

func (c count) add(t *testing.T, id, verdict string) {
	kind, _, _ := strings.Cut(verdict, "\n")
	c[kind]++
	switch kind {
	case "same", "both reject", "skipped":
	default:
		t.Logf("%s: %s", id, verdict)
	}
}

// TestRecordedPrograms holds the parser to CPython's tree of every recorded
// program.
func TestRecordedPrograms(t *testing.T) {
	path := shared(t, "corpus/python.jsonl")
	var programs []program
	lines(t, path, func(b []byte) {
		var p program
		if err := json.Unmarshal(b, &p); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	})
	answers := ask(t, programs)
	c := count{}
	for _, p := range programs {
		c.add(t, p.ID, verdict(p.Code, answers[p.ID]))
	}
	t.Log(c)
	if c["same"]+c["both reject"] != len(programs) {
		t.Errorf("%d of %d programs agree", c["same"]+c["both reject"], len(programs))
	}
}

// TestStandardLibrary parses CPython's own library and tests. Every tenth file
// is compared unless POLYGLOVE_LONG is set.
func TestStandardLibrary(t *testing.T) {
	root := filepath.Join(filepath.Dir(filepath.Dir(cpython.Need(t))), "lib/python3.12")
	var programs []program
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || !strings.HasSuffix(path, ".py") || strings.Contains(path, "site-packages") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err == nil {
			programs = append(programs, program{strings.TrimPrefix(path, root), string(source)})
		}
		return err
	})
	if err != nil || len(programs) == 0 {
		t.Skip("the standard library is not beside the interpreter")
	}
	if os.Getenv("POLYGLOVE_LONG") == "" {
		var some []program
		for i := 0; i < len(programs); i += 10 {
			some = append(some, programs[i])
		}
		programs = some
	}
	answers := ask(t, programs)
	c := count{}
	for _, p := range programs {
		c.add(t, p.ID, verdict(p.Code, answers[p.ID]))
	}
	t.Log(len(programs), c)
	if good := c["same"] + c["both reject"]; good*100 < len(programs)*98 {
		t.Errorf("%d of %d files agree, want 98 %%", good, len(programs))
	}
}

// TestRecordedErrors holds errors of the parser to CPython's type, text and place.
func TestRecordedErrors(t *testing.T) {
	path := shared(t, "cases/python-syntax-errors.jsonl")
	var all, kind, text, line, column int
	lines(t, path, func(b []byte) {
		var r struct {
			ID    int
			Code  string
			Stage []any
		}
		if err := json.Unmarshal(b, &r); err != nil {
			t.Fatal(err)
		}
		if r.Stage[0] != "parse" {
			return
		}
		all++
		_, err := Parse(r.Code)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%d %q is accepted, want %v", r.ID, r.Code, r.Stage)
			return
		}
		got := []any{"parse", e.Type, e.Message, float64(e.Line), float64(e.Column)}
		if fmt.Sprint(got) != fmt.Sprint(r.Stage) {
			t.Logf("%d %q\n  got  %v\n  want %v", r.ID, r.Code, got, r.Stage)
		}
		for i, n := range []*int{1: &kind, 2: &text, 3: &line, 4: &column} {
			if n != nil && got[i] == r.Stage[i] {
				*n++
			}
		}
	})
	t.Logf("%d errors: type %d, line %d, text %d, column %d", all, kind, line, text, column)
	if kind != all || line != all || text*100 < all*90 || column*100 < all*90 {
		t.Error("too few errors are told as CPython tells them")
	}
}

// TestDepthIsBounded holds that no source can exhaust the stack.
func TestDepthIsBounded(t *testing.T) {
	for _, unit := range []string{"(", "[", "{", "-", "not ", "~", "lambda: ", "await ", "x if y else ", "1**", "f'{", "f\"{f'{", "x[", "x(", "{1:", "*", "a.", "1+", "1<", "x and ", "x = ", "(x for x in ", "[x,", "if x:\n ", "@x\n", "elif ", "case ", "print(", "x:=", "yield "} {
		source := strings.Repeat(unit, 1<<20/len(unit))
		if _, err := Parse(source); err == nil {
			t.Errorf("a megabyte of %q is accepted", unit)
		}
		_, _ = Parse(source + "1")
	}
	var b strings.Builder
	b.WriteString("if x: pass\n")
	for range 50_000 {
		b.WriteString("elif x: pass\n")
	}
	if _, err := Parse(b.String()); err == nil {
		t.Error("50,000 elif are accepted")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"x = f'{a!r:>{w}}'\n", "match x:\n  case {'a': [1, *_]}: pass\n", "def f(a, /, *b, c=1, **d): return a\n", "class A[T](B): x: int = 1\n", "with (a as b, c): pass\n", "try:\n x\nexcept* A as e:\n y\n", "\tif\\\n", "print 'x'", "{**a, 'b': 1}", "b'\\x'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		m, err := Parse(source)
		if err == nil {
			_ = tree(m)
			return
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%T", err)
		}
		if e.Line < 1 || e.Column < 1 || e.Message == "" {
			t.Fatalf("%+v", e)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	source := strings.Repeat(`prs = [p for p in github.list_pull_requests(state="open") if p["additions"] > 100]
for p in sorted(prs, key=lambda p: -p["additions"])[:5]:
    print(f"{p['number']:>6} {p['title']!r}")
`, 3)
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if _, err := Parse(source); err != nil {
			b.Fatal(err)
		}
	}
}
