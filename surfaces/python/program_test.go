package python_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// newSession opens a session over a fresh shop.
func newSession(t testing.TB, opts ...surfaces.Option) (surfaces.Session, *shop) {
	t.Helper()
	shop := newShop()
	opts = append([]surfaces.Option{surfaces.WithSeed(1), surfaces.WithClock(func() time.Time { return noon })}, opts...)
	ws, err := surfaces.NewWorkspace(shop.catalog(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ws.Open(python.Language())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ws.Close)
	return s, shop
}

// show writes a result as the files of testdata have it.
func show(r *surfaces.Result) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for _, l := range r.Stdout {
		line("stdout: %s", l)
	}
	for _, d := range r.Defined {
		line("defined: %s (%s) %s", d.Name, d.Kind, d.Summary)
	}
	for _, c := range r.Called {
		line("called: %s %d %s%s", c.Name, c.Calls, c.Effect, failed(c.Failed))
	}
	for _, n := range r.Notes {
		line("note: %s", n)
	}
	if r.Fault == nil {
		line("%s", render(r.Value))
		return b.String()
	}
	line("fault: %s %s", r.Fault.Kind, r.Fault.Error())
	return b.String()
}

func failed(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d failed", n)
}

func render(v any) string {
	return elide.New(elide.Options{Style: python.Language().Style()}).Render(v, 4096).Text
}

// TestPrograms runs the files of testdata: each "program" runs in the file's
// session, "session" starts a new one (limits may be given: session fuel=1000),
// "explain" tells what a program would do, "sent" lists the effects.
func TestPrograms(t *testing.T) { runFiles(t, "testdata/programs") }

func runFiles(t *testing.T, dir string) {
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		s, shop := newSession(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "session":
				l := sandbox.DefaultLimits()
				for _, a := range d.CmdArgs {
					var n int64
					fmt.Sscan(a.Vals[0], &n)
					if err := l.Set(a.Key, n); err != nil {
						d.Fatalf(t, "%v", err)
					}
				}
				s, shop = newSession(t, surfaces.WithLimits(l))
				return ""
			case "program":
				return show(s.Execute(context.Background(), d.Input))
			case "explain":
				return showPlan(s.Explain(context.Background(), d.Input))
			case "defs":
				var b strings.Builder
				for _, def := range s.Defs() {
					fmt.Fprintf(&b, "%s (%s) %s\n", def.Name, def.Kind, def.Summary)
				}
				return b.String()
			case "sent":
				return strings.Join(shop.sent, "\n")
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

func showPlan(p *surfaces.Plan) string {
	var b strings.Builder
	for _, c := range p.Calls {
		fmt.Fprintf(&b, "%d:%d %s [%s] %s", c.Line, c.Column, c.Function, c.Effect, render(c.Args))
		if len(c.Computed) > 0 {
			fmt.Fprintf(&b, " computed: %s", strings.Join(c.Computed, ", "))
		}
		if c.InLoop {
			b.WriteString(" in a loop")
		}
		if c.Conditional {
			b.WriteString(" conditional")
		}
		if c.Staged {
			b.WriteString(" staged")
		}
		if c.Problem != "" {
			b.WriteString(" problem: " + c.Problem)
		}
		b.WriteByte('\n')
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if p.Fault != nil {
		fmt.Fprintf(&b, "fault: %s\n", p.Fault)
	}
	return b.String()
}
