package python_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
)

// FuzzExecute runs whatever comes, twice in one session. However a program ends, it
// ends as a value or a fault that is no defect of ours, its result can be shown
// within its budget, and what it was explained as needs no run.
func FuzzExecute(f *testing.F) {
	files, _ := filepath.Glob("testdata/programs/*")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, chunk := range strings.Split(string(data), "\n\n") {
			_, program, _ := strings.Cut(chunk, "\n")
			program, _, _ = strings.Cut(program, "\n----")
			f.Add(program)
		}
	}
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory = 200_000, 8<<20
	f.Fuzz(func(t *testing.T, program string) {
		s, _ := newSession(t, surfaces.WithLimits(l))
		s.Explain(context.Background(), program)
		for range 2 {
			begin := time.Now()
			r := s.Execute(context.Background(), program)
			if d := time.Since(begin); d > 3*time.Second {
				t.Fatalf("it took %v", d)
			}
			if r.Fault != nil && r.Fault.Kind == sandbox.KindInternal {
				t.Fatalf("%s: %v", r.Fault, r.Fault.Cause)
			}
			if n := len(shownAs(r)); n > 16<<10 {
				t.Fatalf("%d bytes are shown", n)
			}
			for _, d := range r.Defined {
				if len(d.Summary) > 1000 {
					t.Fatalf("%s is told in %d bytes", d.Name, len(d.Summary))
				}
			}
		}
	})
}
