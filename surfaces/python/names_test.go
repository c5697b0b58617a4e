package python_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A session does not remember every name that programs have ever mentioned.
func TestMentionedNamesAreForgotten(t *testing.T) {
	s, _ := newSession(t)
	run := func(src string) string {
		r := s.Execute(context.Background(), src)
		if r.Fault != nil {
			return r.Fault.Error()
		}
		return render(r.Value)
	}
	run("kept = 41")
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	for i := range 24 {
		if i == 12 {
			before = heap()
		}
		var b strings.Builder
		b.WriteString("if 0:\n")
		for k := range 2500 {
			fmt.Fprintf(&b, "    n%d_%d\n", i, k)
		}
		run(b.String())
	}
	if after := heap(); after > before+4<<20 {
		t.Errorf("%d KB more after as many programs", (after-before)>>10)
	}
	if got := run("kept + 1"); got != "42" {
		t.Errorf("it gives %s", got)
	}
	run("def late(): return later")
	run("later = 5")
	if got := run("late()"); got != "5" {
		t.Errorf("a function sees %s", got)
	}
}

// An import that may mean tools says so.
func TestImportOfTools(t *testing.T) {
	s, _ := newSession(t)
	r := s.Execute(context.Background(), "import shopp")
	if r.Fault == nil || r.Fault.Hint != "Did you mean shop? Tools need no import." {
		t.Errorf("%v", r.Fault)
	}
}
