package compile

import (
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/polyglove/polyglove/internal/cpython"
	"github.com/polyglove/polyglove/sandbox"
)

// processor measures the time CPython takes for a program, in its own process and
// without its start.
const processor = `
import sys, time
source = open(sys.argv[1]).read()
best = 1e9
for _ in range(3):
    code = compile(source, "x", "exec")
    t = time.perf_counter()
    exec(code, {"__name__": "__main__"})
    best = min(best, time.perf_counter() - t)
print(int(best * 1e9))
`

// pythonTime measures a file with CPython; 0 without one.
func pythonTime(b *testing.B, bin, path string) time.Duration {
	if bin == "" {
		return 0
	}
	out, err := osexec.Command(bin, "-c", processor, path).Output()
	if err != nil {
		b.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(n)
}

// starlarkTime measures a file with starlark-go; 0 where its language lacks what
// the file uses.
func starlarkTime(path string) time.Duration {
	options := &syntax.FileOptions{While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true, Set: true}
	best := time.Duration(0)
	for range 3 {
		start := time.Now()
		if _, err := starlark.ExecFileOptions(options, &starlark.Thread{}, path, nil, nil); err != nil {
			return 0
		}
		if d := time.Since(start); best == 0 || d < best {
			best = d
		}
	}
	return best
}

// BenchmarkPeers runs the programs of testdata/bench here, in CPython and in
// starlark-go, and reports our time as a multiple of theirs.
func BenchmarkPeers(b *testing.B) {
	bin := cpython.Find()
	files, err := filepath.Glob("testdata/bench/*.py")
	if err != nil || len(files) == 0 {
		b.Fatal("no programs")
	}
	for _, path := range files {
		b.Run(strings.TrimSuffix(filepath.Base(path), ".py"), func(b *testing.B) {
			source, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			best := time.Duration(0)
			for b.Loop() {
				m := NewMachine()
				m.Begin(newMeter(b, func(l *sandbox.Limits) { l.Fuel, l.Memory = 1<<40, 256<<20 }))
				start := time.Now()
				p, err := m.Compile(string(source), Options{})
				if err != nil {
					b.Fatal(err)
				}
				if o := p.Run(); o.Raised != nil {
					b.Fatal(o.Raised.Describe(m.T))
				}
				if d := time.Since(start); best == 0 || d < best {
					best = d
				}
			}
			if peer := pythonTime(b, bin, path); peer > 0 {
				b.ReportMetric(float64(best)/float64(peer), "x/cpython")
			}
			if peer := starlarkTime(path); peer > 0 {
				b.ReportMetric(float64(best)/float64(peer), "x/starlark")
			}
		})
	}
}

// BenchmarkStart makes a machine and runs 1 + 1 in it.
func BenchmarkStart(b *testing.B) {
	meter := newMeter(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		m := NewMachine()
		m.Begin(meter)
		p, err := m.Compile("1 + 1", Options{})
		if err != nil {
			b.Fatal(err)
		}
		if o := p.Run(); fmt.Sprint(o.Value.Int()) != "2 true" {
			b.Fatal("wrong")
		}
	}
}
