package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"

	"github.com/polyglove/polyglove/sandbox"
)

// Compile reads a program. The fault is of kind syntax, rejected or gate, and has
// a position and an excerpt where there is one. Compile never panics, evaluates
// nothing, and its cost is bounded by the length of the source.
func Compile(given string, o Options) (program *Program, fault *sandbox.Fault) {
	s := normalise(given)
	if o.Name != "" {
		s.name = o.Name
	}
	defer func() {
		if x := recover(); x != nil {
			program, fault = nil, s.recovered(x)
		}
	}()
	if o.Source <= 0 {
		o.Source = sandbox.DefaultLimits().Source
	}
	t, sc, fault := s.read(o.Source)
	if fault != nil {
		return nil, fault
	}
	return s.build(t, sc, o)
}

// recovered turns a panic into a fault: stop is how the walks end, anything else
// is a defect of ours or of the engine's compiler, contained.
func (s *source) recovered(x any) *sandbox.Fault {
	switch x := x.(type) {
	case stop:
		return s.fault(x.fault, at(x.at))
	case placed:
		return x.fault
	}
	return &sandbox.Fault{
		Kind: sandbox.KindInternal, Name: "SyntaxError", Message: "the program could not be compiled.",
		Hint: "Write it in a simpler way.", Cause: fmt.Errorf("compile: %v", x),
	}
}

// read parses the program, in the ways that it may have been meant.
func (s *source) read(most int) (*tree, *scan, *sandbox.Fault) {
	sc, fault := prescan(s, most)
	if fault != nil {
		return nil, nil, fault
	}
	t, sc, problem := s.readPlain(sc)
	if problem == nil {
		return t, sc, nil
	}
	if t, sc := s.withoutTypes(sc, most); t != nil {
		return t, sc, nil
	}
	return nil, nil, s.explain(problem, sc)
}

// readPlain parses JavaScript, an object at its end included.
func (s *source) readPlain(sc *scan) (*tree, *scan, *parseProblem) {
	if t, objectScan := s.evidentObject(sc); t != nil {
		return t, objectScan, nil
	}
	t, problem := parse(s.name, plainNumbers(s.text, sc))
	if problem == nil {
		if object, objectScan := s.trailingObject(t, sc); object != nil {
			return object, objectScan, nil
		}
		return t, sc, nil
	}
	if t, objectScan := s.objectAtEnd(sc); t != nil {
		return t, objectScan, nil
	}
	return nil, sc, problem
}

// build rewrites and compiles a parsed program.
func (s *source) build(t *tree, sc *scan, o Options) (*Program, *sandbox.Fault) {
	p := &Program{Name: s.name, Source: s.given, Notes: s.notes, moved: s.moved}
	r := &rewriter{
		resolver: newResolver(refuse), options: o, scan: sc, src: s, out: p,
		params: map[string]int{}, members: map[string]bool{},
	}
	r.mercies(t)
	r.resolver.program(t)
	r.infer(r.assignedElsewhere)
	r.declareTops()
	r.program(t)
	r.enclose(t)
	p.Members = sortedKeys(r.members)
	p.ends = p.ends || r.members["iterator"]
	p.Globals = r.globals()
	if r.big {
		p.Notes = append(p.Notes, "An integer beyond 2**53 - 1 is kept exact as a BigInt; it does not mix with Numbers in arithmetic.")
	}
	code, err := goja.CompileAST(t.program, true)
	if err != nil {
		return nil, s.compilerFault(err)
	}
	p.Code = code
	return p, nil
}

// assignedElsewhere reports whether another program may assign a top-level name.
func (r *rewriter) assignedElsewhere(name string) bool {
	if r.options.Defined == nil {
		return false
	}
	_, ok := r.options.Defined(name)
	return ok
}

// declareTops lists the top-level names, refusing those that stand for something
// of the session's.
func (r *rewriter) declareTops() {
	slices.SortStableFunc(r.tops, func(a, b *variable) int { return int(a.at - b.at) })
	for _, v := range r.tops {
		if reservedWords[v.name] || v.name == "await" || v.name == "yield" || v.name == "eval" || v.name == "arguments" {
			refuse(v.at, "'"+v.name+"' is a reserved word and cannot be a name.", "Choose another name.")
		}
		if r.options.Reserved != nil {
			if what, ok := r.options.Reserved(v.name); ok {
				refuse(v.at, "'"+v.name+"' is "+what+" and cannot be declared again.", "Choose another name.")
			}
		}
		line, column := r.src.place(at(v.at))
		r.out.Tops = append(r.out.Tops, Top{Name: v.name, Kind: v.kind, Line: line, Column: column})
	}
}

// globals lists the free names.
func (r *rewriter) globals() []string {
	list := make([]string, 0, len(r.free))
	for name := range r.free {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func sortedKeys(m map[string]bool) []string {
	list := make([]string, 0, len(m))
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// compilerFault tells an error of the engine's compiler, which checks what the
// parser does not: labels, duplicate names, private names.
func (s *source) compilerFault(err error) *sandbox.Fault {
	var e *goja.CompilerSyntaxError
	if !errors.As(err, &e) || strings.HasPrefix(e.Message, "Compiler bug") {
		return s.recovered(err)
	}
	f := compilerWords(e.Message)
	return s.fault(f, max(0, e.Offset-len(wrapHead)))
}

// mercies reads what a program evidently means where JavaScript would give
// nothing.
func (r *rewriter) mercies(t *tree) {
	list := t.body.List
	last := lastStatement(list)
	switch s := last.(type) {
	case *ast.ExpressionStatement:
		r.logLast(s)
		r.exported(s)
		if only(list, last) {
			r.onlyFunction(s)
		}
	case *ast.FunctionDeclaration:
		if r.mainOnly(list, s) {
			r.callMain(t, s)
			return
		}
		r.out.EchoLast = true
	case *ast.LexicalDeclaration, *ast.VariableStatement, *ast.ClassDeclaration:
		r.out.EchoLast = true
	}
}

func only(list []ast.Statement, last ast.Statement) bool {
	for _, s := range list {
		if _, empty := s.(*ast.EmptyStatement); !empty && s != last {
			return false
		}
	}
	return true
}

func (r *rewriter) logLast(s *ast.ExpressionStatement) {
	c, ok := s.Expression.(*ast.CallExpression)
	if !ok || len(c.ArgumentList) != 1 {
		return
	}
	d, ok := c.Callee.(*ast.DotExpression)
	if !ok {
		return
	}
	if o, ok := d.Left.(*ast.Identifier); ok && o.Name == "console" && d.Identifier.Name == "log" {
		r.out.LogLast = true
	}
}

// exported reads module.exports = x at the end as x.
func (r *rewriter) exported(s *ast.ExpressionStatement) {
	a, ok := s.Expression.(*ast.AssignExpression)
	if !ok {
		return
	}
	d, ok := a.Left.(*ast.DotExpression)
	if !ok {
		return
	}
	if o, ok := d.Left.(*ast.Identifier); ok && o.Name == "module" && d.Identifier.Name == "exports" {
		s.Expression = a.Right
		r.note("module.exports = … was read as the program's value.")
	}
}

func (r *rewriter) note(text string) { r.out.Notes = append(r.out.Notes, text) }

// onlyFunction calls a program that is one function.
func (r *rewriter) onlyFunction(s *ast.ExpressionStatement) {
	var params *ast.ParameterList
	switch f := s.Expression.(type) {
	case *ast.ArrowFunctionLiteral:
		params = f.ParameterList
	case *ast.FunctionLiteral:
		if f.Generator {
			return
		}
		params = f.ParameterList
	default:
		return
	}
	if len(params.List) > 0 {
		return
	}
	at := s.Expression.Idx0()
	s.Expression = &ast.CallExpression{Callee: s.Expression, LeftParenthesis: at, RightParenthesis: at}
	r.note("The program was one function; it was called and its result is the value.")
}

// mainOnly reports whether a program only declares, and declares a function at its
// end that is evidently meant to be called.
func (r *rewriter) mainOnly(list []ast.Statement, f *ast.FunctionDeclaration) bool {
	if f.Function.Name.Name != "main" || f.Function.Generator || len(f.Function.ParameterList.List) > 0 {
		return false
	}
	for _, s := range list {
		switch s.(type) {
		case *ast.FunctionDeclaration, *ast.LexicalDeclaration, *ast.VariableStatement, *ast.ClassDeclaration, *ast.EmptyStatement:
		default:
			return false
		}
	}
	return true
}

func (r *rewriter) callMain(t *tree, f *ast.FunctionDeclaration) {
	at := f.Function.Name.Idx
	name := *f.Function.Name
	t.body.List = append(t.body.List, &ast.ExpressionStatement{
		Expression: &ast.CallExpression{Callee: &name, LeftParenthesis: at, RightParenthesis: at},
	})
	r.note("The program only declared " + name.Name.String() + "(); it was called and its result is the value.")
}
