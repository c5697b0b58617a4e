package js_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// harmless are attack programs that end well although their first line expects a
// refusal, each with the reason.
var harmless = map[string]string{
	"227_toctou_length_valueOf_flip": "the length is converted once, as ECMA-262 has it, so what was checked is what is used",
}

// attackReport is what the process of one attack tells of itself.
type attackReport struct {
	Calls   []outcome
	Next    string // what a harmless program gives afterwards
	Elapsed time.Duration
}

// outcome is how one call of an attack ended.
type outcome struct {
	Kind  sandbox.Kind
	Value string
	Fault string
}

// TestAttacks runs each attack program in a process of its own: it must end as
// its first line says, within ten seconds and 300 MB, and leave the session
// usable.
func TestAttacks(t *testing.T) {
	dir := "../../../shared/cases/js-attacks"
	files, _ := filepath.Glob(dir + "/*.js")
	if len(files) == 0 {
		t.Skip("no attack programs here")
	}
	peak, slowest := int64(0), time.Duration(0)
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".js"), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(src), "\n")
			want := strings.Split(strings.TrimSpace(strings.TrimPrefix(first, "// expect:")), "|")
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAttackHelper$")
			cmd.Env = append(os.Environ(), "ATTACK="+path)
			out, err := cmd.Output()
			if err != nil {
				var exit *exec.ExitError
				if errors.As(err, &exit) {
					t.Fatalf("the process died: %v\n%.1500s", err, exit.Stderr)
				}
				t.Fatal(err)
			}
			rss := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
			peak = max(peak, rss)
			if rss > 300<<20 && !raceEnabled {
				t.Errorf("peak memory %d MB", rss>>20)
			}
			_, line, _ := strings.Cut(string(out), "report ")
			line, _, _ = strings.Cut(line, "\n")
			var r attackReport
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("no report: %q", out)
			}
			slowest = max(slowest, r.Elapsed)
			if r.Elapsed > 10*time.Second {
				t.Errorf("took %v", r.Elapsed)
			}
			for _, c := range r.Calls {
				if strings.Contains(c.Value, "PWNED") || strings.Contains(c.Value, "ESCAPED") {
					t.Errorf("escaped: %s", c.Value)
				}
			}
			if reason := harmless[strings.TrimSuffix(filepath.Base(path), ".js")]; reason != "" {
				want = append(want, "safe")
			}
			if !slices.ContainsFunc(want, r.is) {
				t.Errorf("want %s, got %.600v", first, r.Calls)
			}
			if r.Next != "2" {
				t.Errorf("the next program gave %s", r.Next)
			}
		})
	}
	t.Logf("%d attacks, peak %d MB, slowest %v", len(files), peak>>20, slowest)
}

// is reports whether a call of an attack ended as one word of its first line says.
func (r attackReport) is(word string) bool {
	return slices.ContainsFunc(r.Calls, func(o outcome) bool { return o.is(word) })
}

func (r outcome) is(word string) bool {
	early := r.Kind == sandbox.KindSyntax || r.Kind == sandbox.KindRejected || r.Kind == sandbox.KindGate
	switch word {
	case "safe":
		return r.Kind != sandbox.KindInternal
	case "budget":
		return r.Kind.Limit()
	case "reject":
		return early
	case "error":
		return r.Kind != "" && !r.Kind.Limit() && r.Kind != sandbox.KindInternal
	}
	want, ok := strings.CutPrefix(word, "value:")
	return ok && r.Kind == "" && r.Value == want
}

// TestAttackHelper is the process of one attack.
func TestAttackHelper(t *testing.T) {
	path := os.Getenv("ATTACK")
	if path == "" {
		t.Skip("only as a process of its own")
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := surfaces.NewWorkspace(attacked())
	if err != nil {
		t.Fatal(err)
	}
	s, err := ws.Open(js.Language())
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	var r attackReport
	for _, program := range strings.Split(string(src), "\n//---\n") { // calls of one session
		res := s.Execute(context.Background(), program)
		if res.Fault != nil {
			r.Calls = append(r.Calls, outcome{Kind: res.Fault.Kind, Fault: res.Fault.Error()})
		} else {
			r.Calls = append(r.Calls, outcome{Value: render(res.Value)})
		}
	}
	r.Elapsed = time.Since(begin)
	if next := s.Execute(context.Background(), "1+1"); next.Fault != nil {
		r.Next = next.Fault.Error()
	} else {
		r.Next = render(next.Value)
	}
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("report " + string(line) + "\n")
}

// attacked is the catalogue that the attack programs know.
func attacked() *toolfn.Catalog {
	fn := func(name string, call func(context.Context, *value.Object) (value.Value, error)) toolfn.ToolFn {
		return toolfn.ToolFn{Name: name, Call: call}
	}
	cat := toolfn.NewCatalog()
	err := cat.Register(
		fn("github__list_pull_requests", func(context.Context, *value.Object) (value.Value, error) {
			return []value.Value{value.Of("number", int64(1), "title", "a")}, nil
		}),
		fn("echo", func(_ context.Context, a *value.Object) (value.Value, error) { return a, nil }),
		fn("fail", func(context.Context, *value.Object) (value.Value, error) { return nil, errors.New("boom") }),
		fn("crash", func(context.Context, *value.Object) (value.Value, error) { panic("boom") }),
	)
	if err != nil {
		panic(err)
	}
	return cat
}
