package surfaces

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestRegressions lives through histories that once went wrong. The commands are
// those of a story, and
//
//	program  runs a program; what it came to
//	open     ends the process, starts another, and looks once; every name, and
//	         what the result tells
func TestRegressions(t *testing.T) {
	datadriven.Walk(t, "testdata/regressions", func(t *testing.T, path string) {
		l := newLife(t, 1)
		began := map[string]string{} // beginnings of programs by the clock's text
		l.open(forever)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "program":
				began[fmt.Sprint(l.ms.Load()+1)] = fmt.Sprintf("the beginning of program %d", len(began)+1)
				res := l.session.Execute(t.Context(), strings.TrimSpace(d.Input))
				if l.isDead() {
					return "the process has died\n"
				}
				return l.told(res, began)
			case "open":
				l.close()
				l.open(forever)
				return l.told(l.session.Execute(t.Context(), "add again"), began)
			}
			d.Fatalf(t, "no command %s", d.Cmd)
			return ""
		})
		l.close()
	})
}

// told is every name and what a result tells.
func (l *life) told(res *Result, began map[string]string) string {
	var lines []string
	for _, n := range slices.Sorted(maps.Keys(l.inner.names)) {
		v := l.inner.names[n]
		if b, ok := began[v]; ok && strings.HasPrefix(n, "n") {
			v = b
		}
		lines = append(lines, n+" = "+v)
	}
	for _, n := range res.Notes {
		lines = append(lines, "note: "+n)
	}
	if res.Fault != nil {
		lines = append(lines, "fault: "+res.Fault.Error())
	}
	return strings.Join(lines, "\n") + "\n"
}
