package syntax

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// compile runs all stages.
func compile(source string, lenient Leniency) (*Scopes, error) {
	m, err := Parse(source)
	if err != nil {
		return nil, err
	}
	s, err := Analyze(m)
	if err != nil {
		return nil, err
	}
	return s, Check(m, s, lenient)
}

// TestScopes shows how each name is found, scope by scope.
func TestScopes(t *testing.T) {
	datadriven.RunTest(t, "testdata/scopes", func(t *testing.T, d *datadriven.TestData) string {
		s, err := compile(d.Input, Leniency{TopLevel: d.HasArg("lenient")})
		var e *Error
		if errors.As(err, &e) {
			return fmt.Sprintf("%s: %s (%d:%d)\n", e.Type, e.Message, e.Line, e.Column)
		}
		var b strings.Builder
		show(&b, s.Module, 0)
		return b.String()
	})
}

func show(b *strings.Builder, s *Scope, depth int) {
	fmt.Fprintf(b, "%s%s", strings.Repeat("  ", depth), []string{"module", "function", "class"}[s.Kind])
	if s.Generator {
		b.WriteString(" generator")
	}
	b.WriteString(":")
	for _, y := range s.Symbols {
		fmt.Fprintf(b, " %s=%s", y.Name, []string{"implicit", "global", "local", "cell", "free"}[y.Binding])
	}
	b.WriteString("\n")
	for _, c := range s.Children {
		show(b, c, depth+1)
	}
}

// TestRecordedCompileErrors holds the later stages to CPython's errors.
func TestRecordedCompileErrors(t *testing.T) {
	path := shared(t, "cases/python-syntax-errors.jsonl")
	lines(t, path, func(b []byte) {
		var r struct {
			ID    int
			Code  string
			Stage []any
		}
		if err := json.Unmarshal(b, &r); err != nil {
			t.Fatal(err)
		}
		_, err := compile(r.Code, Leniency{})
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%d %q is accepted, want %v", r.ID, r.Code, r.Stage)
			return
		}
		if r.Stage[0] != "compile" {
			return
		}
		got := []any{"compile", e.Type, e.Message, float64(e.Line), float64(e.Column)}
		if fmt.Sprint(got) != fmt.Sprint(r.Stage) {
			t.Errorf("%d %q\n  got  %v\n  want %v", r.ID, r.Code, got, r.Stage)
		}
	})
}

// TestStagesAgreeWithCPython runs small programs through all stages here and
// there.
func TestStagesAgreeWithCPython(t *testing.T) {
	var programs []program
	for i, s := range staged {
		programs = append(programs, program{fmt.Sprint(i), s})
	}
	answers := ask(t, programs)
	for i, s := range staged {
		want := answers[fmt.Sprint(i)]
		_, err := compile(s, Leniency{})
		var e *Error
		got := "accepted"
		if errors.As(err, &e) {
			got = fmt.Sprint(e.Type, ": ", e.Message, " ", e.Line, ":", e.Column)
		}
		expect := "accepted"
		if want.Error != nil {
			expect = fmt.Sprint(want.Error[1], ": ", want.Error[2], " ", want.Error[3], ":", want.Error[4])
		}
		if got != expect {
			t.Errorf("%q\n  got  %s\n  want %s", s, got, expect)
		}
	}
}

var staged = []string{
	"return 1\n", "def f():\n  return 1\n", "class A:\n  return\n", "yield 1\n", "await x\n", "def f():\n  await x\n", "async def f():\n  await x\n  return [await y for z in w]\n",
	"break\n", "continue\n", "for x in y:\n  def f():\n    break\n", "for x in y:\n  if z: continue\n", "while 1:\n  pass\nelse:\n  break\n",
	"*a = 1\n", "*a, = 1\n", "a, *b, *c = x\n", "x = *a\n", "*a\n", "print(*a)\n", "x = *a, b\n", "return *a\n", "def f():\n  return *a, b\n", "for *a in b: pass\n",
	"x = 1\nglobal x\n", "def f():\n  x = 1\n  global x\n", "def f():\n  print(x)\n  global x\n", "def f(x):\n  nonlocal x\n", "def f():\n  global x\n  nonlocal x\n", "def f():\n  nonlocal x\n",
	"def f():\n  x = 1\n  def g():\n    nonlocal x\n    x += 1\n", "def f():\n  global x\n  x: int = 1\n", "def f():\n  x: int\n  global x\n",
	"[x := 1 for x in y]\n", "[(x := 1) for z in y]\n", "class A:\n  [(x := 1) for z in y]\n", "[z for z in (x := y)]\n", "[z for z in y for w in (x := z)]\n", "[(z, [w for w in q]) for z in y]\n", "[i for i in x if (j := i)]\n", "[[(j := 1) for j in x] for k in y]\n", "[[(j := 1) for i in x] for j in y]\n",
	"def f():\n  [(yield x) for x in y]\n", "def f():\n  ((yield x) for x in y)\n", "lambda: (yield)\n", "class A:\n  yield\n",
	"try: pass\nexcept: pass\nexcept A: pass\n", "for x in y:\n  try: pass\n  except* A: break\n", "def f():\n  try: pass\n  except* A: return\n",
	"match x:\n  case _: pass\n  case 1: pass\n", "match x:\n  case a: pass\n  case 1: pass\n", "match x:\n  case a | 1: pass\n", "match x:\n  case (1 | a): pass\n", "match x:\n  case [a, a]: pass\n", "match x:\n  case [*a, *b]: pass\n", "match x:\n  case {1: a, 1: b}: pass\n", "match x:\n  case {'k': a, 'k': b}: pass\n", "match x:\n  case A(x=1, x=2): pass\n", "match x:\n  case (1 as a) | (2 as b): pass\n", "match x:\n  case [1, a] | [a, 2]: pass\n", "match x:\n  case {**rest}: pass\n", "match x:\n  case a if a: pass\n  case _: pass\n",
	"f(a=1, b=2, a=3)\n", "class A(x=1, x=2): pass\n", "def f(__debug__): pass\n", "x.__debug__ = 1\n", "del x.__debug__\n", "import x as __debug__\n", "f(__debug__=1)\n", "(__debug__ := 1)\n", "for __debug__ in x: pass\n",
	"async def f():\n  yield 1\n  return 2\n", "async def f():\n  yield from x\n", "def f():\n  async with x: pass\n", "def f():\n  async for x in y: pass\n", "async for x in y: pass\n", "def f():\n  [x async for x in y]\n", "[x async for x in y]\n", "(x async for x in y)\n", "async def f():\n  [x async for x in y]\n",
	"def f():\n  from x import *\n", "def f(a, *, a): pass\n", "lambda a, a: 1\n", "def f[T, T](): pass\n", "class A[T](B[T]): x: T\n",
	"def f():\n  def g():\n    return x\n  x = 1\n  return g\n", "x: int\nx = y = 1\n", "del (a, b), [c]\n", "def f(a, b=1, *c, d=2, **e): pass\n", "nonlocal x\n", "class A:\n  x = 1\n  def f(self): return x\n",
	"def f(x, y=lambda: (yield)): pass\n", "@(yield)\ndef f(): pass\n", "x = 1 if (yield) else 2\n", "def f() -> (yield): pass\n", "x: (yield) = 1\n", "def f(a: (b := 1)): pass\n",
}
