package compile

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"

	"github.com/polyglove/polyglove/sandbox"
)

// seeds are programs and fragments that reach far into the grammar.
var seeds = []string{
	"const a = 1; { count: a }", "for (const [k, v] of Object.entries(o)) { t += v }", "`a${`b${c}`}d`", "(a = (b = 1) => b) => a",
	"async (x, y) => await x", "/[/]/.test(a / b / c)", "if (a) b; else if (c) d; else e", "class A extends B { #x = 1; static { } get y() { return 1 } }",
	"const n: Map<string, Array<number>> = new Map<string, Array<number>>()", "x ? y : z ? {a: 1} : [b, ...c]", "a?.b?.[c]?.(d)", "label: for (;;) { continue label }",
	"```js\n1\n```", "\uFEFF#!x\n1", "'\\u{1F600}' + \"\\\r\n\"", "function* g() { yield* h() }", "({ [a]: b, 'c': d, 5: e, f() {}, ...g })",
	"try { throw x } catch ({ message }) { } finally { }", "switch (a) { case 1: default: }", "1_000n ** 2n", "a!.b as unknown as string", "&lt;", "}\n})(", "/*", "<!-- x", "a\u2028b",
	"type A = { x: (a: number) => void } | null; let b!: A", "do x++; while (x < 5)", "new new A()()", "typeof void delete a.b", "((((a))))", "a => b => c => d => e",
}

// FuzzCompile holds that compiling never fails on our side, whatever the text:
// every fault is about the program, and its position lies in it.
func FuzzCompile(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, fault := Compile(src, Options{Source: 1 << 14, Capability: func(s string) (string, bool, bool) { return s, true, len(s)%2 == 0 }})
		if fault == nil {
			checkProgram(t, src, p)
			return
		}
		if fault.Kind == sandbox.KindInternal {
			t.Fatalf("a defect: %v", fault.Cause)
		}
		if fault.Message == "" || strings.ContainsAny(fault.Message, "%\n") && !strings.ContainsAny(src, "%\n") {
			t.Fatalf("message %q", fault.Message)
		}
		if len(fault.Error()) > 2000 {
			t.Fatalf("a fault of %d bytes", len(fault.Error()))
		}
		inside(t, src, fault.Line, fault.Column)
	})
}

func checkProgram(t *testing.T, src string, p *Program) {
	for _, top := range p.Tops {
		if strings.HasPrefix(top.Name, "%") {
			t.Fatalf("declares a hook: %s", top.Name)
		}
		inside(t, src, top.Line, top.Column)
	}
	for _, s := range p.Sites {
		inside(t, src, s.Line, s.Column)
	}
	for _, g := range append(p.Globals, p.Members...) {
		if strings.HasPrefix(g, "%") && !strings.Contains(src, "%") {
			t.Fatalf("mentions a hook: %s", g)
		}
	}
}

// inside holds that a position lies in a text, or is absent.
func inside(t *testing.T, src string, line, column int) {
	t.Helper()
	if line == 0 {
		return
	}
	lines := strings.Split(src, "\n")
	if line > len(lines) || column < 1 || column > utf8.RuneCountInString(lines[line-1])+1 {
		t.Fatalf("position %d:%d is not in the text", line, column)
	}
}

// FuzzPrescan holds that the prescan sees every bracket that the parser sees, so
// that what it bounds is what the parser recurses into.
func FuzzPrescan(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s := normalise(src)
		sc, fault := prescan(s, 1<<14)
		if fault != nil {
			return
		}
		tree, problem := parse("", plainNumbers(s.text, sc))
		if problem != nil {
			return
		}
		b := &brackets{t: t, scan: sc, text: s.text, starts: map[int]int{}}
		for i, x := range sc.tokens {
			b.starts[int(x.at)] = i
		}
		walkBrackets(tree.body.List, b)
	})
}

// brackets checks bracket positions of the tree against the tokens.
type brackets struct {
	t      *testing.T
	scan   *scan
	text   string
	starts map[int]int
}

func (b *brackets) pair(open, close file.Idx) {
	i, ok := b.starts[at(open)]
	j, ok2 := b.starts[at(close)]
	if !ok || !ok2 || b.scan.match[i] != int32(j) {
		b.t.Fatalf("the parser pairs brackets at %d and %d of %q, the prescan does not", at(open), at(close), b.text)
	}
}

// walkBrackets visits the statements and expressions that hold brackets.
func walkBrackets(list []ast.Statement, b *brackets) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.BlockStatement:
			b.pair(s.LeftBrace, s.RightBrace)
			walkBrackets(s.List, b)
		case *ast.ExpressionStatement:
			expressionBrackets(s.Expression, b)
		case *ast.IfStatement:
			expressionBrackets(s.Test, b)
			walkBrackets([]ast.Statement{s.Consequent, s.Alternate}, b)
		case *ast.ReturnStatement:
			expressionBrackets(s.Argument, b)
		case *ast.LexicalDeclaration:
			for _, x := range s.List {
				expressionBrackets(x.Initializer, b)
			}
		case *ast.ForStatement:
			walkBrackets([]ast.Statement{s.Body}, b)
		case *ast.ForOfStatement:
			expressionBrackets(s.Source, b)
			walkBrackets([]ast.Statement{s.Body}, b)
		case *ast.WhileStatement:
			walkBrackets([]ast.Statement{s.Body}, b)
		case *ast.FunctionDeclaration:
			expressionBrackets(s.Function, b)
		}
	}
}

func expressionBrackets(e ast.Expression, b *brackets) {
	switch e := e.(type) {
	case *ast.ArrayLiteral:
		b.pair(e.LeftBracket, e.RightBracket)
		for _, x := range e.Value {
			expressionBrackets(x, b)
		}
	case *ast.ObjectLiteral:
		b.pair(e.LeftBrace, e.RightBrace)
		for _, p := range e.Value {
			if k, ok := p.(*ast.PropertyKeyed); ok {
				expressionBrackets(k.Value, b)
			}
		}
	case *ast.CallExpression:
		b.pair(e.LeftParenthesis, e.RightParenthesis)
		expressionBrackets(e.Callee, b)
		for _, x := range e.ArgumentList {
			expressionBrackets(x, b)
		}
	case *ast.BracketExpression:
		b.pair(e.LeftBracket, e.RightBracket)
		expressionBrackets(e.Left, b)
		expressionBrackets(e.Member, b)
	case *ast.BinaryExpression:
		expressionBrackets(e.Left, b)
		expressionBrackets(e.Right, b)
	case *ast.AssignExpression:
		expressionBrackets(e.Right, b)
	case *ast.ConditionalExpression:
		expressionBrackets(e.Test, b)
		expressionBrackets(e.Consequent, b)
		expressionBrackets(e.Alternate, b)
	case *ast.UnaryExpression:
		expressionBrackets(e.Operand, b)
	case *ast.SequenceExpression:
		for _, x := range e.Sequence {
			expressionBrackets(x, b)
		}
	case *ast.TemplateLiteral:
		for _, x := range e.Expressions {
			expressionBrackets(x, b)
		}
	case *ast.DotExpression:
		expressionBrackets(e.Left, b)
	case *ast.FunctionLiteral:
		walkBrackets([]ast.Statement{e.Body}, b)
	case *ast.ArrowFunctionLiteral:
		switch body := e.Body.(type) {
		case *ast.BlockStatement:
			walkBrackets([]ast.Statement{body}, b)
		case *ast.ExpressionBody:
			expressionBrackets(body.Expression, b)
		}
	}
}
