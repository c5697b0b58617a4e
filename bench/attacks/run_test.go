//go:build unix

package attacks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/polyglove/polyglove/bench/world"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/surfaces/python"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// The limits on a process.
const (
	most    = 300 << 20
	longest = 10 * time.Second
)

// patience is the limit on time, more where the race detector slows programs down.
func patience() time.Duration {
	if slower {
		return 10 * longest
	}
	return longest
}

// fileVariable names the attack that a process of its own runs.
const fileVariable = "POLYGLOVE_ATTACK"

// TestMain lets the test binary be the process in which one attack runs.
func TestMain(m *testing.M) {
	if path := os.Getenv(fileVariable); path != "" {
		if err := child(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child runs the programs of an attack in one session and prints how each ended.
func child(path string) error {
	a, err := Read(path)
	if err != nil {
		return err
	}
	catalog := toolfn.NewCatalog()
	if err := world.New(1, 1).Mount(catalog); err != nil {
		return err
	}
	if err := catalog.Register(echo(), fail(), crash()); err != nil {
		return err
	}
	ws, err := surfaces.NewWorkspace(catalog)
	if err != nil {
		return err
	}
	language := js.Language()
	if filepath.Ext(path) == ".py" {
		language = python.Language()
	}
	session, err := ws.Open(language)
	if err != nil {
		return err
	}
	var ends []End
	for _, program := range a.Programs {
		ends = append(ends, endOf(session.Execute(context.Background(), program)))
	}
	return json.NewEncoder(os.Stdout).Encode(ends)
}

func endOf(r *surfaces.Result) End {
	var e End
	for _, t := range r.Called {
		e.Calls += t.Calls
	}
	if r.Fault == nil {
		e.Word, e.Text = "value", rendered(r.Value)
		return e
	}
	e.Kind, e.Text = string(r.Fault.Kind), r.Fault.Error()
	switch {
	case r.Fault.Kind.Limit():
		e.Word = "budget"
	case r.Fault.Kind == sandbox.KindSyntax, r.Fault.Kind == sandbox.KindRejected, r.Fault.Kind == sandbox.KindGate && e.Calls == 0:
		e.Word = "reject"
	default:
		e.Word = "error"
	}
	return e
}

func rendered(v any) string {
	return elide.New(elide.Options{}).Render(v, sandbox.DefaultLimits().Output).Text
}

// echo gives its arguments back.
func echo() toolfn.ToolFn {
	return toolfn.ToolFn{
		Name: "echo", Description: "Gives its arguments back.", Effect: toolfn.Effect{Impact: toolfn.Read},
		Call: func(_ context.Context, args *value.Object) (value.Value, error) { return args, nil },
	}
}

// fail fails with what a careless host would say.
func fail() toolfn.ToolFn {
	return toolfn.ToolFn{
		Name: "fail", Description: "Fails.", Effect: toolfn.Effect{Impact: toolfn.Read},
		Call: func(context.Context, *value.Object) (value.Value, error) {
			return nil, errors.New("the upstream is down")
		},
	}
}

// crash panics with what no program may see.
func crash() toolfn.ToolFn {
	return toolfn.ToolFn{
		Name: "crash", Description: "Breaks.", Effect: toolfn.Effect{Impact: toolfn.Read},
		Call: func(context.Context, *value.Object) (value.Value, error) {
			panic(errors.New("nil pointer at /root/host/secret.go:12"))
		},
	}
}

// ended is how a process ended.
type ended struct {
	ends   []End
	memory int64
	took   time.Duration
	broken string // it did not end by itself
}

// attack runs one file in a process of its own.
func attack(path string) ended {
	ctx, cancel := context.WithTimeout(context.Background(), patience())
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), fileVariable+"="+path)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	e := ended{took: time.Since(start)}
	if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		e.memory = int64(use.Maxrss) << 10
	}
	switch {
	case ctx.Err() != nil:
		e.broken = "it was still running after " + patience().String()
	case err != nil:
		e.broken = fmt.Sprintf("%v: %s", err, sandbox.Clip(errs.String(), 400))
	default:
		if err := json.Unmarshal(out.Bytes(), &e.ends); err != nil {
			e.broken = err.Error()
		}
	}
	return e
}

// alsoRight are ends that are right here although a first line does not have them.
var alsoRight = map[string]struct {
	ends   []string
	reason string
}{
	"227_toctou_length_valueOf_flip": {[]string{"value:0"}, "the length is converted once, as ECMA-262 23.1.2.1 says, so the second, huge answer is never asked for"},
}

// TestAttacks runs every attack and prints the table. It is skipped where there
// are none.
func TestAttacks(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "cases", "js-attacks", "*.js"))
	if len(paths) == 0 {
		t.Skip("no attacks at hand")
	}
	runAttacks(t, paths)
}

// TestPythonAttacks runs the attacks of testdata/python.txtar.
func TestPythonAttacks(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "python.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	dir := t.TempDir()
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	runAttacks(t, paths)
}

func runAttacks(t *testing.T, paths []string) {
	if testing.Short() {
		t.Skip("a process an attack takes a while")
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "attack\twant\tgot\tkind\tMB\tms\t")
	for _, path := range paths {
		a, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		e := attack(path)
		wrong := e.broken
		a.Expect = append(a.Expect, alsoRight[a.Name].ends...)
		if wrong == "" {
			wrong = a.Judge(e.ends)
		}
		if wrong == "" && !slower && e.memory > most {
			wrong = fmt.Sprintf("it took %d MB", e.memory>>20)
		}
		if wrong != "" {
			t.Errorf("%s: %s", a.Name, wrong)
		}
		var got, kind []string
		for _, end := range e.ends {
			got, kind = append(got, end.Word), append(kind, end.Kind)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", a.Name, strings.Join(a.Expect, "|"), strings.Join(got, ","),
			strings.Join(kind, ","), e.memory>>20, e.took.Milliseconds(), sandbox.Clip(strings.ReplaceAll(wrong, "\n", " "), 60))
	}
	_ = table.Flush()
	t.Log("\n" + b.String())
}
