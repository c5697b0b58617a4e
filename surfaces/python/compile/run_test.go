package compile

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// TestPrograms runs the programs of testdata/programs. The answers recorded there
// are CPython's: where one is on the machine, [TestProgramsAgreeWithCPython]
// compares them with it.
func TestPrograms(t *testing.T) {
	datadriven.Walk(t, "testdata/programs", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return run(t, d.Input).String()
		})
	})
}

// diverging are programs whose answer deliberately differs from CPython's; a
// comment in the program says why.
const diverging = "# differs:"

func TestProgramsAgreeWithCPython(t *testing.T) {
	var programs, positions []string
	datadriven.Walk(t, "testdata/programs", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			if !strings.Contains(d.Input, diverging) {
				programs = append(programs, d.Input)
				positions = append(positions, d.Pos)
			}
			return d.Expected
		})
	})
	for i, want := range ask(t, programs) {
		if got := run(t, programs[i]); got.String() != want.String() {
			t.Errorf("%s:\n%s\ngot:\n%swant:\n%s", positions[i], programs[i], got, want)
		}
	}
}

// shared reads a file of recorded programs beside the module, if it is there.
func sharedFile(t *testing.T, name string, each func(line []byte)) {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../../shared", name))
	if err != nil {
		t.Skip("no recorded programs on this machine")
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		each(s.Bytes())
	}
}

// unavailable reports programs that need modules, files or eval, whose answers
// depend on addresses, or that use what is deliberately absent.
func unavailable(source string) bool {
	for _, s := range []string{
		"import ", "eval(", "exec(", "open(", "lambda x: x", " at 0x", "map(str, [1]), zip", "\ng()", "github.", "linear.",
		"def f(): return f()", // a limit here, a RecursionError there
	} {
		if strings.Contains(source, s) {
			return true
		}
	}
	return false
}

func TestRecordedSemantics(t *testing.T) {
	compared := 0
	sharedFile(t, "cases/python-semantics.jsonl", func(line []byte) {
		var c struct{ Src, Stdout, Exception string }
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if unavailable(c.Src) || c.Src == "{3, 1, 2}" { // sets keep the order of insertion
			return
		}
		compared++
		got := run(t, c.Src)
		out := got.out
		if got.value != "" {
			out += got.value + "\n"
		}
		if out != c.Stdout || got.err != c.Exception {
			t.Errorf("%s\ngot %q %s\nwant %q %s", c.Src, out, got.err, c.Stdout, c.Exception)
		}
	})
	if compared < 200 {
		t.Errorf("only %d compared", compared)
	}
}

func TestRecordedOneLiners(t *testing.T) {
	var programs []string
	sharedFile(t, "cases/one-liners.jsonl", func(line []byte) {
		var c struct{ Lang, Code string }
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.Lang == "python" && !unavailable(c.Code) {
			programs = append(programs, c.Code)
		}
	})
	if len(programs) < 70 {
		t.Errorf("only %d compared", len(programs))
	}
	for i, want := range ask(t, programs) {
		if got := run(t, programs[i]); got != want {
			t.Errorf("%s\ngot %s\nwant %s", programs[i], got, want)
		}
	}
}

// TestRecordedProgramsCompile compiles every recorded program that parses: nothing
// in them may be a construct that the evaluator lacks.
func TestRecordedProgramsCompile(t *testing.T) {
	compiled := 0
	try := func(source string) {
		if _, err := syntax.Parse(source); err != nil {
			return
		}
		if _, err := NewMachine().Compile(source, Options{TopLevel: true}); err != nil {
			t.Errorf("%s\n%v", source, err)
		}
		compiled++
	}
	sharedFile(t, "corpus/python.jsonl", func(line []byte) {
		var c struct{ Code string }
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		try(c.Code)
	})
	sharedFile(t, "cases/long/python.jsonl", func(line []byte) {
		var c struct{ Calls []string }
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		for _, p := range c.Calls {
			try(p)
		}
	})
	if compiled < 600 {
		t.Errorf("only %d compiled", compiled)
	}
}
