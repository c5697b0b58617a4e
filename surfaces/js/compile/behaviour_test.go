package compile

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
)

// TestPrograms runs the files of testdata/programs. Commands:
//
//	run        compile and run a program in the file's session; prints its value or
//	           what it threw, then its notes
//	fault      compile a program that is refused; prints the fault
//	tops       prints what a program declares at its top level
//	names      prints the free names and the members of a program
//	sites      prints the calls of capabilities that a program contains
//	position   runs a program that throws and prints where
//	reset      begins a new session
func TestPrograms(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if strings.Contains(path, "fuzz") {
			return
		}
		e := newEngine(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "reset" {
				e = newEngine(t)
				return ""
			}
			return e.command(d)
		})
	})
}

func (e *engine) command(d *datadriven.TestData) string {
	p, f := Compile(unescaped(d.Input), e.options())
	if d.Cmd == "fault" {
		if f == nil {
			return "accepted\n"
		}
		return fmt.Sprintf("%s: %s\n", f.Kind, f.Error())
	}
	if f != nil {
		return fmt.Sprintf("refused: %s\n", f.Error())
	}
	switch d.Cmd {
	case "tops":
		return printTops(p)
	case "names":
		return fmt.Sprintf("globals: %s\nmembers: %s\n", strings.Join(p.Globals, " "), strings.Join(p.Members, " "))
	case "sites":
		return printSites(p)
	case "position":
		return e.positionOf(p)
	case "run":
		return e.outcome(p)
	}
	return "unknown command " + d.Cmd
}

// unescaped lets a file hold what a text file cannot: <BOM> and <NUL>.
func unescaped(s string) string {
	return strings.NewReplacer("<BOM>", "\uFEFF", "<NUL>", "\x00", "<U+2028>", "\u2028").Replace(s)
}

func (e *engine) outcome(p *Program) string {
	var b strings.Builder
	v, err := e.run(context.Background(), p, testLimits())
	if err != nil {
		b.WriteString("throws " + thrown(err) + "\n")
	} else {
		b.WriteString(e.show(v) + "\n")
	}
	for _, n := range p.Notes {
		b.WriteString("note: " + n + "\n")
	}
	if p.EchoLast {
		b.WriteString("the last statement is a declaration\n")
	}
	if p.LogLast {
		b.WriteString("the last statement logs\n")
	}
	return b.String()
}

func thrown(err error) string {
	text, _, _ := strings.Cut(err.Error(), " at ")
	return text
}

func (e *engine) show(v goja.Value) string {
	f, ok := goja.AssertFunction(must(e.rt.RunString(`(function (v) {
		if (typeof v === "function") return "function " + v.name;
		if (typeof v === "bigint") return v + "n";
		if (typeof v === "number") return Object.is(v, -0) ? "-0" : String(v);
		const s = JSON.stringify(v, (k, x) => typeof x === "bigint" ? x + "n" : typeof x === "undefined" ? null : x);
		return s === undefined ? String(v) : s;
	})`)))
	if !ok {
		return "?"
	}
	s, err := f(goja.Undefined(), v)
	if err != nil {
		return err.Error()
	}
	return s.String()
}

func printTops(p *Program) string {
	var b strings.Builder
	for _, t := range p.Tops {
		fmt.Fprintf(&b, "%s %s %d:%d\n", t.Kind, t.Name, t.Line, t.Column)
	}
	return b.String()
}

func printSites(p *Program) string {
	var b strings.Builder
	for _, s := range p.Sites {
		args, err := s.Args.MarshalJSON()
		if err != nil {
			return err.Error()
		}
		fmt.Fprintf(&b, "%d:%d %s %s", s.Line, s.Column, s.Function, args)
		for _, w := range []struct {
			on   bool
			word string
		}{{len(s.Computed) > 0, "computed " + strings.Join(s.Computed, ",")}, {s.InLoop, "loop"}, {s.Conditional, "conditional"}, {!s.Known, "unknown"}} {
			if w.on {
				b.WriteString(" " + w.word)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// positionOf runs a program that throws and gives where, as a session would.
func (e *engine) positionOf(p *Program) string {
	_, err := e.run(context.Background(), p, testLimits())
	ex, ok := err.(*goja.Exception)
	if !ok {
		return fmt.Sprintf("no exception: %v\n", err)
	}
	pos := ex.Stack()[0].Position()
	line, column := p.Position(pos.Line, pos.Column)
	return sandbox.Excerpt(p.Source, line, column) + "\n"
}
