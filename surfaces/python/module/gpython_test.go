package module_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/internal/cpython"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/module"
	"github.com/polyglove/polyglove/surfaces/python/object"

	_ "github.com/go-python/gpython/ast" // its scripts are read from the module cache
)

// gpythonFolders hold the scripts with which gpython checks itself.
var gpythonFolders = []string{"py/tests", "vm/tests", "stdlib/builtin/tests", "stdlib/math/tests", "stdlib/string/testdata", "stdlib/binascii/testdata", "stdlib/time/testdata"}

// gpythonSkips are scripts that ask for what is refused here, with the reason.
var gpythonSkips = map[string]string{
	"py/tests/file.py":                 "open() is refused",
	"py/tests/function.py":             "__code__ is behind the member gate",
	"py/tests/lib_gen_int_tests.py":    "eval() is refused",
	"vm/tests/builtin.py":              "eval() is refused",
	"vm/tests/with.py":                 "the traceback that __exit__ receives is None",
	"stdlib/math/tests/testcases.py":   "there is no module struct",
	"stdlib/binascii/testdata/test.py": "binascii has no quoted-printable",
}

// TestGpythonScripts runs gpython's self-checking scripts: those that CPython 3.12
// passes must pass here.
func TestGpythonScripts(t *testing.T) {
	bin := cpython.Need(t)
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-python/gpython").Output()
	root := strings.TrimSpace(string(out))
	if err != nil || root == "" {
		t.Skip("gpython is not in the module cache")
	}
	ran := 0
	for _, folder := range gpythonFolders {
		scripts, _ := filepath.Glob(filepath.Join(root, folder, "*.py"))
		for _, path := range scripts {
			name := folder + "/" + filepath.Base(path)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), "doc=") && !strings.Contains(string(text), "assert") && !strings.Contains(string(text), "print(") {
				continue // no script of its own: others import it
			}
			cmd := exec.Command(bin, filepath.Base(path))
			cmd.Dir = filepath.Dir(path)
			cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			if want, err := cmd.CombinedOutput(); err != nil || bytes.Contains(want, []byte("Traceback")) {
				continue // CPython 3.12 does not pass it either
			}
			ran++
			t.Run(name, func(t *testing.T) {
				if why, ok := gpythonSkips[name]; ok {
					t.Skip(why)
				}
				if x := runScript(t, filepath.Dir(path), string(text)); x != "" {
					t.Error(x)
				}
			})
		}
	}
	if ran < 30 {
		t.Errorf("only %d scripts were run", ran)
	}
}

// runScript runs a script that may import others beside it, and gives the
// exception that ended it.
func runScript(t *testing.T, dir, program string) string {
	t.Helper()
	m := compile.NewMachine()
	m.T.Printer = &output{}
	l := module.New(module.Host{Clock: fixedClock})
	l.Install(m.T)
	loaded := map[string]object.Value{}
	var find object.Importer
	find = func(t *object.Thread, name string) (object.Value, *object.Exception) {
		if v, ok := loaded[name]; ok {
			return v, nil
		}
		text, err := os.ReadFile(filepath.Join(dir, name+".py"))
		if err != nil {
			return l.Import(t, name)
		}
		part, x := m.RunModule(name, string(text), find)
		if x != nil {
			return object.Value{}, x
		}
		loaded[name] = part.Value()
		return part.Value(), nil
	}
	m.T.Importer = find
	limits := sandbox.DefaultLimits()
	limits.Fuel *= 100
	meter, err := sandbox.NewMeter(t.Context(), limits)
	if err != nil {
		t.Fatal(err)
	}
	m.Begin(meter)
	p, err := m.Compile(program, compile.Options{})
	if err != nil {
		return err.Error()
	}
	if x := p.Run().Raised; x != nil {
		_, line, _, _ := compile.Line(x)
		return object.Decimal(line) + ": " + x.Describe(m.T)
	}
	return ""
}
