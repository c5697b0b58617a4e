//go:build cgo

package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// TestGuard reads testdata: a text, then its statements or its error.
func TestGuard(t *testing.T) {
	datadriven.RunTest(t, "testdata/guard", func(t *testing.T, d *datadriven.TestData) string {
		statements, fault := Parse(unescape.Replace(d.Input), Limits{})
		if fault != nil {
			e := pgerr.From(fault)
			out := fmt.Sprintf("%s %s at %d (%s)\n", e.SQLSTATE, e.Message, e.Position, fault.Kind)
			if e.Hint != "" {
				out += "hint: " + e.Hint + "\n"
			}
			return out
		}
		var b strings.Builder
		for _, s := range statements {
			fmt.Fprintf(&b, "%s at %d: %q\n", s.Kind, s.Offset, s.Text)
		}
		if len(statements) == 0 {
			b.WriteString("no statements\n")
		}
		return b.String()
	})
}

// unescape lets a test file hold bytes that no text file should.
var unescape = strings.NewReplacer("<NUL>", "\x00", "<FF>", "\xff", "<E2-28>", "\xe2(")

func TestByteLimit(t *testing.T) {
	_, fault := Parse("select '"+strings.Repeat("x", 300<<10)+"'", Limits{})
	if e := pgerr.From(fault); e == nil || e.SQLSTATE != pgerr.ProgramLimitExceeded {
		t.Errorf("got %v", fault)
	}
	if _, fault := Parse("select 1;select 2;select 3", Limits{Statements: 2}); fault == nil {
		t.Error("three statements passed a limit of two")
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range chains {
		f.Add(c.make(60))
	}
	f.Add("select 1; \\d t")
	f.Add("begin; insert into t values ($1) returning *; commit")
	f.Fuzz(func(t *testing.T, src string) {
		statements, fault := Parse(src, Limits{})
		if fault != nil {
			if pgerr.From(fault) == nil {
				t.Fatalf("a fault without its cause: %v", fault)
			}
			return
		}
		for _, s := range statements {
			if s.Offset < 0 || s.Offset+len(s.Text) > len(src) || src[s.Offset:s.Offset+len(s.Text)] != s.Text {
				t.Fatalf("statement %q is not at %d", s.Text, s.Offset)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	const src = "select o.id, sum(l.qty * l.price) from orders o join lines l on l.order_id = o.id where o.at >= '2024-01-01' group by 1 order by 2 desc limit 10"
	for b.Loop() {
		if _, fault := Parse(src, Limits{}); fault != nil {
			b.Fatal(fault)
		}
	}
}
