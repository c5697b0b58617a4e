package js_test

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

// FuzzExecute runs any text: it ends, it is never a defect of ours, what reaches
// the model is bounded, and the session goes on.
func FuzzExecute(f *testing.F) {
	files, _ := filepath.Glob("testdata/programs/*")
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, chunk := range strings.Split(string(data), "\n\n") {
			if src, _, ok := strings.Cut(chunk, "\n----"); ok {
				_, src, _ = strings.Cut(src, "\n")
				f.Add(src)
			}
		}
	}
	for _, e := range endless {
		f.Add(e.program)
	}
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory, l.Compute = 200_000, 4<<20, 2*time.Second
	f.Fuzz(func(t *testing.T, src string) {
		s, _ := newSession(t, surfaces.WithLimits(l))
		begin := time.Now()
		r := s.Execute(context.Background(), src)
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("took %v", d)
		}
		if r.Fault != nil && r.Fault.Kind == sandbox.KindInternal {
			t.Errorf("internal: %v (%v)", r.Fault, r.Fault.Cause)
		}
		if r.Fault != nil && len(r.Fault.Error()) > 4000 {
			t.Errorf("a fault of %d bytes", len(r.Fault.Error()))
		}
		if text := render(r.Value); len(text) > 4096 {
			t.Errorf("a value of %d bytes", len(text))
		}
		if r := s.Execute(context.Background(), "1+1"); r.Fault != nil || render(r.Value) != "2" {
			t.Errorf("then %s %v", render(r.Value), r.Fault)
		}
		s.Explain(context.Background(), src)
	})
}
