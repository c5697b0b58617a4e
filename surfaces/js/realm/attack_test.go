package realm

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
)

// TestAttacks runs expressions that ask a native for too much. Each has to end in
// a limit or an error, and none may kill the host. There are no ticks here: only
// the natives defend themselves.
func TestAttacks(t *testing.T) {
	debug.SetMaxStack(64 << 20)
	data, err := os.ReadFile(filepath.Join("testdata", "attacks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		want, src, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		begin := time.Now()
		l := sandbox.DefaultLimits()
		l.Fuel = 2_000_000
		s := newStage(t, l)
		v, err := s.eval(src)
		got := show(v, err)
		if d := time.Since(begin); d > time.Second {
			t.Logf("%s\n\ttook %v", src, d)
		}
		if !matches(got, want) {
			t.Errorf("%s\n\tgot  %.200s\n\twant %s", src, got, want)
		}
		inspectAll(s, v)
	}
}

// matches compares an outcome with alternatives separated by |; a trailing … stands
// for any text.
func matches(got, want string) bool {
	for _, w := range strings.Split(want, " | ") {
		if head, open := strings.CutSuffix(w, "…"); open && strings.HasPrefix(got, head) || got == w {
			return true
		}
	}
	return false
}

// inspectAll looks at a result in every way the host does.
func inspectAll(s *stage, v goja.Value) {
	m, _ := sandbox.NewMeter(s.meter.Context(), sandbox.DefaultLimits())
	s.SetMeter(m)
	_ = elide.New(elide.Options{}).Render(s.View(v), 4096)
	s.Size(v, 1<<20)
	s.Length(v)
	Kind(v)
	_ = s.Try(func() { s.Export(v) })
	_ = s.Try(func() { s.log([]goja.Value{filled(v)}) })
}
