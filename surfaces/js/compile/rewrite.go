package compile

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"

	"github.com/polyglove/polyglove/sandbox"
)

// Names of the hooks. A percent sign begins no name that a program can write.
const (
	hookScope   = "%g" // the object that holds the top-level names
	hookInitial = "%i" // the same names, as declarations write them
	hookTick    = "%t" // %t<units>_<bytes>: charges when its truth is asked
	hookText    = "%p" // charges for text that + or a template has built
	hookPiece   = "%c" // charges for one of many pieces before a template joins them
	hookKey     = "%k" // guards a computed key
	hookKeyTest = "%K" // %K === key: true where the key needs hookKey
	hookProduct = "%b" // bounds a product that may be a BigInt
	hookSmall   = "%u" // bounds the right side of **= and <<=
	hookPower   = "%w" // a ** b where both may be BigInts
	hookShift   = "%h" // a << b where both may be BigInts
	hookSpread  = "%s" // charges for what is spread
	hookRegex   = "%x" // makes the regular expression of a literal
	hookLength  = "%l" // sets length
	hookMember  = "%m" // reads a closed name from data
	hookStart   = "%a" // starts a call without waiting
	hookCaught  = "%q" // looks at what a catch clause has caught
	hookClass   = "%n" // the name of a value's class: x.constructor.name
	hookExtends = "%d" // bounds how deep classes inherit
	hookApart   = "%f" // runs a function apart from the generator that calls it
	resultName  = "%r" // the completion value, a variable of the program's function
)

// mostTickUnit bounds the charge of one tick.
const mostTickUnit = 1 << 20

// stop ends a walk with a fault at a position.
type stop struct {
	fault *sandbox.Fault
	at    file.Idx
}

// rewriter validates the tree and inserts the hooks.
type rewriter struct {
	*resolver
	options Options
	scan    *scan
	src     *source
	out     *Program

	units, bytes int64 // static cost of the straight-line segment at hand

	params  map[string]int
	members map[string]bool
	starts  map[*ast.CallExpression]bool // calls that need not wait
	big     bool                         // a literal was too large for a Number
	unused  ast.Expression               // its value is not used

	functions int  // how many functions enclose the node
	async     bool // the nearest function is async
	generator bool // the nearest function is a generator
	crossed   crossings
	loops     int
	branches  int

	rests []*ast.Identifier // rest targets that are not charged yet
}

func refuse(at file.Idx, message, hint string) {
	panic(stop{rejected(message, hint), at})
}

// hook gives an identifier that stands for a hook, noting that it is used.
func (r *rewriter) hook(name string, at file.Idx) *ast.Identifier {
	r.param(param{name: name})
	return &ast.Identifier{Name: unistring.String(name), Idx: at}
}

func (r *rewriter) param(p param) {
	if _, ok := r.params[p.name]; !ok {
		r.params[p.name] = len(r.out.params)
		r.out.params = append(r.out.params, p)
	}
}

func (r *rewriter) call(name string, at file.Idx, args ...ast.Expression) *ast.CallExpression {
	return &ast.CallExpression{Callee: r.hook(name, at), LeftParenthesis: at, ArgumentList: args, RightParenthesis: at}
}

func text(s string, at file.Idx) *ast.StringLiteral {
	return &ast.StringLiteral{Idx: at, Literal: strconv.Quote(s), Value: unistring.NewFromString(s)}
}

// tick gives the statement that charges for the segment at hand.
func (r *rewriter) tick(at file.Idx) ast.Statement {
	units, bytes := min(r.units, mostTickUnit), min(r.bytes, 64*mostTickUnit)
	name := hookTick + strconv.FormatInt(units, 10) + "_" + strconv.FormatInt(bytes, 10)
	r.param(param{name: name, units: units, bytes: bytes})
	return &ast.IfStatement{
		If:         at,
		Test:       &ast.Identifier{Name: unistring.String(name), Idx: at},
		Consequent: &ast.EmptyStatement{Semicolon: at},
	}
}

// cost charges n units and b bytes to the segment at hand.
func (r *rewriter) cost(n, b int64) { r.units, r.bytes = r.units+n, r.bytes+b }

// segment is a saved account.
type segment struct{ units, bytes int64 }

func (r *rewriter) begin() segment {
	s := segment{r.units, r.bytes}
	r.units, r.bytes = 0, 0
	return s
}

func (r *rewriter) resume(s segment) { r.units, r.bytes = s.units, s.bytes }

func (r *rewriter) walk(n ast.Node) {
	r.units++
	if r.depth++; r.depth > mostDepth {
		refuse(n.Idx0(), "the expression is too long or nested too deeply here.", "Split it: give parts of it names with const.")
	}
}

// ---- statements

func (r *rewriter) statements(list []ast.Statement) {
	for i := range list {
		list[i] = r.statement(list[i])
	}
}

// branch rewrites what may not run. Its cost belongs to the segment around it,
// which is charged whether the branch is taken or not.
func (r *rewriter) branch(f func()) {
	r.branches++
	f()
	r.branches--
}

// heavyBranch is how many bytes a branch may allocate and still be charged with
// the segment around it. A heavier one is charged when it is taken, or a loop over
// many cases would pay for all of them at every turn.
const heavyBranch = 300

// separately rewrites a branch on an account of its own. If that is heavy, it
// gives the tick that the branch must begin with; else the cost goes to the
// segment around it.
func (r *rewriter) separately(at file.Idx, f func()) ast.Statement {
	outer := r.begin()
	r.branch(f)
	if r.bytes >= heavyBranch {
		tick := r.tick(at)
		r.resume(outer)
		return tick
	}
	r.cost(outer.units, outer.bytes)
	return nil
}

func (r *rewriter) branchStatement(s ast.Statement) ast.Statement {
	if s == nil {
		return nil
	}
	at := s.Idx0()
	tick := r.separately(at, func() { s = r.statement(s) })
	if tick == nil {
		return s
	}
	if block, ok := s.(*ast.BlockStatement); ok {
		block.List = slices.Insert(block.List, 0, tick)
		return block
	}
	return &ast.BlockStatement{LeftBrace: at, List: []ast.Statement{tick, s}, RightBrace: at}
}

func (r *rewriter) branchList(at file.Idx, list []ast.Statement) []ast.Statement {
	if tick := r.separately(at, func() { r.statements(list) }); tick != nil {
		return slices.Insert(list, 0, tick)
	}
	return list
}

func (r *rewriter) branchExpression(e ast.Expression) ast.Expression {
	at := e.Idx0()
	tick := r.separately(at, func() { e = r.expression(e) })
	if tick == nil {
		return e
	}
	return charged(tick, e)
}

// charged makes an expression that asks a tick before it is evaluated.
func charged(tick ast.Statement, e ast.Expression) ast.Expression {
	at := e.Idx0()
	return &ast.ConditionalExpression{Test: tick.(*ast.IfStatement).Test, Consequent: void(at), Alternate: e}
}

// body rewrites a loop's body. Its cost, with that of the header's parts which r
// has already walked since outer was saved, is charged at its start.
func (r *rewriter) body(s ast.Statement, outer segment) ast.Statement {
	r.loops++
	b := r.statement(s)
	r.loops--
	r.units++
	tick := r.tick(s.Idx0())
	r.resume(outer)
	if block, ok := b.(*ast.BlockStatement); ok {
		block.List = slices.Insert(block.List, 0, tick)
		return block
	}
	return &ast.BlockStatement{LeftBrace: s.Idx0(), List: []ast.Statement{tick, b}, RightBrace: s.Idx0()}
}

func (r *rewriter) statement(s ast.Statement) ast.Statement {
	if s == nil {
		return nil
	}
	r.walk(s)
	defer func() { r.depth-- }()
	switch s := s.(type) {
	case *ast.BlockStatement:
		r.statements(s.List)
	case *ast.ExpressionStatement:
		s.Expression = r.discarded(s.Expression)
	case *ast.EmptyStatement, *ast.BranchStatement:
	case *ast.IfStatement:
		s.Test = r.test(s.Test)
		s.Consequent = r.branchStatement(s.Consequent)
		s.Alternate = r.branchStatement(s.Alternate)
	case *ast.ReturnStatement:
		s.Argument = r.expression(s.Argument)
	case *ast.ThrowStatement:
		s.Argument = r.expression(s.Argument)
	case *ast.LabelledStatement:
		if _, ok := s.Statement.(*ast.FunctionDeclaration); ok {
			refuse(s.Idx0(), "a label before a function is not available.", "Remove the label.")
		}
		s.Statement = r.statement(s.Statement)
	case *ast.LexicalDeclaration:
		s.List = r.bindings(s.List)
	case *ast.VariableStatement:
		return r.varStatement(s)
	case *ast.FunctionDeclaration:
		r.function(s.Function)
	case *ast.ClassDeclaration:
		r.class(s.Class)
	case *ast.SwitchStatement:
		r.switchStatement(s)
	case *ast.TryStatement:
		r.tryStatement(s)
	case *ast.WhileStatement:
		o := r.begin()
		s.Test = r.test(s.Test)
		s.Body = r.body(s.Body, o)
	case *ast.DoWhileStatement:
		o := r.begin()
		s.Test = r.expression(s.Test)
		s.Body = r.body(s.Body, o)
	case *ast.ForStatement:
		r.forStatement(s)
	case *ast.ForOfStatement:
		s.Source = r.expression(s.Source)
		o := r.begin()
		s.Into = r.into(s.Into)
		bound := r.chargeFirst(nil)
		s.Body = r.body(s.Body, o)
		r.prepend(s.Body, bound)
	case *ast.ForInStatement:
		s.Source = r.call(hookSpread, s.Source.Idx0(), r.expression(s.Source))
		o := r.begin()
		s.Into = r.into(s.Into)
		bound := r.chargeFirst(nil)
		s.Body = r.body(s.Body, o)
		r.prepend(s.Body, bound)
	case *ast.WithStatement:
		refuse(s.With, "with is not available.", "Name the object: write o.name.")
	case *ast.DebuggerStatement:
		refuse(s.Debugger, "debugger is not available.", "Use console.log.")
	default:
		refuse(s.Idx0(), "this statement is not available.", "")
	}
	return s
}

// test rewrites a condition. The engine compiles what a constant one makes
// unreachable into code that it throws away, and mixes up the two where a variable
// of the program occurs in both.
func (r *rewriter) test(e ast.Expression) ast.Expression {
	if e == nil {
		return nil
	}
	e = r.expression(e)
	if constant(e) {
		return &ast.SequenceExpression{Sequence: []ast.Expression{e}}
	}
	return e
}

func (r *rewriter) switchStatement(s *ast.SwitchStatement) {
	s.Discriminant = r.expression(s.Discriminant)
	for _, c := range s.Body {
		c.Test = r.expression(c.Test)
		c.Consequent = r.branchList(c.Case, c.Consequent)
	}
}

func (r *rewriter) tryStatement(s *ast.TryStatement) {
	r.statements(s.Body.List)
	if s.Catch != nil {
		if s.Catch.Parameter != nil {
			s.Catch.Parameter = r.target(s.Catch.Parameter).(ast.BindingTarget)
		}
		bound := r.chargeFirst(nil)
		list := append(bound, r.branchList(s.Catch.Body.LeftBrace, s.Catch.Body.List)...)
		first := r.takenApart(s.Catch)
		s.Catch.Body.List = append(append([]ast.Statement{r.caught(s.Catch)}, first...), list...)
	}
	if s.Finally != nil {
		r.finallyBlock(s.Finally)
		separateFinally(s)
	}
}

// separateFinally puts a try and its catch into a try of their own. The engine
// keeps the catch of a statement that has both in force while its finally runs:
// what that threw would run the catch and then the finally once more.
func separateFinally(s *ast.TryStatement) {
	if s.Catch == nil {
		return
	}
	inner := &ast.TryStatement{Try: s.Try, Body: s.Body, Catch: s.Catch}
	s.Body = &ast.BlockStatement{LeftBrace: s.Body.LeftBrace, List: []ast.Statement{inner}, RightBrace: s.Catch.Body.RightBrace}
	s.Catch = nil
}

// caughtName is what a catch clause with a pattern catches under.
const caughtName = "%e"

// takenApart gives a catch clause with a pattern a name to catch under, and the
// declaration that takes it apart afterwards.
func (r *rewriter) takenApart(c *ast.CatchStatement) []ast.Statement {
	if _, pattern := c.Parameter.(ast.Pattern); !pattern {
		return nil
	}
	at := c.Body.LeftBrace
	b := &ast.Binding{Target: c.Parameter, Initializer: &ast.Identifier{Name: caughtName, Idx: at}}
	c.Parameter = &ast.Identifier{Name: caughtName, Idx: at}
	return []ast.Statement{&ast.LexicalDeclaration{Idx: at, Token: token.LET, List: []*ast.Binding{b}}}
}

// caught makes the first statement of a catch clause, which has the form of a
// tick and gives hookCaught what was caught, if that has a name.
func (r *rewriter) caught(c *ast.CatchStatement) ast.Statement {
	at := c.Body.LeftBrace
	test := r.call(hookCaught, at)
	if id, ok := c.Parameter.(*ast.Identifier); ok {
		test.ArgumentList = []ast.Expression{&ast.Identifier{Name: id.Name, Idx: at}}
	}
	return &ast.IfStatement{If: at, Test: test, Consequent: &ast.EmptyStatement{Semicolon: at}}
}

func (r *rewriter) forStatement(s *ast.ForStatement) {
	switch i := s.Initializer.(type) {
	case nil:
	case *ast.ForLoopInitializerExpression:
		i.Expression = r.discarded(i.Expression)
	case *ast.ForLoopInitializerVarDeclList:
		if e := r.varAssignments(&i.List); e != nil {
			s.Initializer = &ast.ForLoopInitializerExpression{Expression: e}
		} else if r.topVar(i.List) {
			s.Initializer = nil
		}
	case *ast.ForLoopInitializerLexicalDecl:
		i.LexicalDeclaration.List = r.bindings(i.LexicalDeclaration.List)
	default:
		refuse(s.For, "this loop is not available.", "")
	}
	o := r.begin()
	s.Test = r.test(s.Test)
	s.Update = r.discarded(s.Update)
	s.Body = r.body(s.Body, o)
}

func (r *rewriter) into(in ast.ForInto) ast.ForInto {
	switch in := in.(type) {
	case *ast.ForIntoVar:
		if r.topVar([]*ast.Binding{in.Binding}) {
			return &ast.ForIntoExpression{Expression: r.assignTarget(in.Binding.Target)}
		}
		in.Binding.Target = r.target(in.Binding.Target).(ast.BindingTarget)
	case *ast.ForDeclaration:
		in.Target = r.target(in.Target).(ast.BindingTarget)
	case *ast.ForIntoExpression:
		in.Expression = r.assignTarget(in.Expression)
	default:
		refuse(in.Idx0(), "this loop is not available.", "")
	}
	return in
}

func (r *rewriter) bindings(list []*ast.Binding) []*ast.Binding {
	for _, b := range list {
		b.Initializer = r.expression(b.Initializer)
		b.Target = r.target(b.Target).(ast.BindingTarget)
	}
	return r.chargeBindings(list)
}

// ---- functions and classes

// Costs, in units of fuel and in bytes. The bytes are what the engine keeps for
// such a value, as measured, rounded up; what it drops again at once is not
// counted.
const (
	unitsCall                      = 4
	unitsAsync, bytesAsync         = 40, 1500
	unitsAwait, bytesAwait         = 20, 200
	unitsGenerator, bytesGenerator = 2000, 2000
	bytesClosure                   = 780 // with the variables it captures
	bytesObject, bytesProperty     = 480, 24
	bytesEmptyObject               = 200
	bytesArray, bytesElement       = 570, 16
	unitsNew, bytesNew             = 4, 480
	unitsClass, bytesClass         = 20, 700
	bytesMember                    = 750
	bytesArguments                 = 1000
	bytesRegex                     = 300 // the realm charges for the object itself
	bytesKeyed                     = 120 // an assignment to a key may add it
	bytesIndexed                   = 32  // an assignment to an index may add an element
	bytesName                      = 64
	bytesTemplate                  = 64
	bytesTagged                    = 1200
	bytesBigInt                    = 32
)

// entered rewrites what a function runs when it is called, and puts one charge for
// all its straight-line code at the start of its body.
func (r *rewriter) entered(at file.Idx, async, generator bool, list *[]ast.Statement, walk func()) {
	outer, wasAsync, wasGenerator := r.begin(), r.async, r.generator
	r.cost(unitsCall, 0)
	if async {
		r.cost(unitsAsync, bytesAsync)
	}
	if generator {
		r.out.ends = true
		r.cost(unitsGenerator, bytesGenerator)
	}
	r.async, r.generator = async, generator
	rests, crossed := r.rests, r.crossed
	r.rests = nil
	r.functions++
	walk()
	r.functions--
	r.rests, r.crossed = rests, crossed
	r.async, r.generator = wasAsync, wasGenerator
	*list = slices.Insert(*list, r.directives(*list), r.tick(at))
	r.resume(outer)
	r.cost(2, bytesClosure)
}

// directives counts the statements before which nothing may stand: "use strict".
func (r *rewriter) directives(list []ast.Statement) int {
	n := 0
	for _, s := range list {
		e, ok := s.(*ast.ExpressionStatement)
		if !ok {
			break
		}
		if _, ok := e.Expression.(*ast.StringLiteral); !ok {
			break
		}
		n++
	}
	return n
}

// parameters rewrites parameters, and gives the charges for what they bind.
func (r *rewriter) parameters(p *ast.ParameterList) []ast.Statement {
	if p == nil {
		return nil
	}
	for _, b := range p.List {
		b.Initializer = r.expression(b.Initializer)
		b.Target = r.target(b.Target).(ast.BindingTarget)
	}
	if p.Rest != nil {
		r.cost(1, bytesArray)
		p.Rest = r.target(p.Rest)
		if id, ok := p.Rest.(*ast.Identifier); ok {
			r.rests = append(r.rests, id)
		}
	}
	return r.chargeFirst(nil)
}

// prepend puts statements after the tick of a loop's body.
func (r *rewriter) prepend(body ast.Statement, list []ast.Statement) {
	if b, ok := body.(*ast.BlockStatement); ok && len(list) > 0 {
		b.List = slices.Insert(b.List, 1, list...)
	}
}

// mostFunctions bounds how deep functions are nested: the engine addresses at most
// 255 enclosing scopes.
const mostFunctions = 60

func (r *rewriter) nesting(at file.Idx) {
	if r.functions >= mostFunctions {
		refuse(at, "functions are nested too deeply here.", "Give the inner functions names with const.")
	}
}

func (r *rewriter) function(f *ast.FunctionLiteral) {
	r.nesting(f.Idx0())
	if f.Async && f.Generator {
		refuse(f.Idx0(), "async generators are not available.", "Collect the values in an array and return it.")
	}
	r.branch(func() {
		r.entered(f.Idx0(), f.Async, f.Generator, &f.Body.List, func() {
			bound := r.parameters(f.ParameterList)
			r.statements(f.Body.List)
			f.Body.List = slices.Insert(f.Body.List, r.directives(f.Body.List), bound...)
		})
	})
}

func (r *rewriter) arrow(f *ast.ArrowFunctionLiteral) {
	r.nesting(f.Idx0())
	if e, ok := f.Body.(*ast.ExpressionBody); ok {
		f.Body = &ast.BlockStatement{
			LeftBrace: e.Idx0(), RightBrace: e.Idx0(),
			List: []ast.Statement{&ast.ReturnStatement{Return: e.Idx0(), Argument: e.Expression}},
		}
	}
	b := f.Body.(*ast.BlockStatement)
	r.labelBody(b)
	r.branch(func() {
		r.entered(f.Idx0(), f.Async, false, &b.List, func() {
			bound := r.parameters(f.ParameterList)
			r.statements(b.List)
			b.List = slices.Insert(b.List, r.directives(b.List), bound...)
		})
	})
}

// labelBody notes an arrow function whose body is one label: an object was meant.
func (r *rewriter) labelBody(b *ast.BlockStatement) {
	if len(b.List) != 1 {
		return
	}
	l, ok := b.List[0].(*ast.LabelledStatement)
	if !ok {
		return
	}
	if _, ok := l.Statement.(*ast.ExpressionStatement); ok {
		line, _ := r.src.place(at(b.LeftBrace))
		r.note(fmt.Sprintf("Line %d: => { %s: … } gives undefined, because the brace begins a block; write => ({ %s: … }) for an object.", line, l.Label.Name, l.Label.Name))
	}
}

func (r *rewriter) class(c *ast.ClassLiteral) {
	r.cost(unitsClass, bytesClass)
	if c.SuperClass != nil {
		c.SuperClass = r.call(hookExtends, c.SuperClass.Idx0(), r.expression(c.SuperClass))
	}
	r.cost(0, bytesMember*int64(len(c.Body)))
	for _, m := range c.Body {
		switch m := m.(type) {
		case *ast.FieldDefinition:
			m.Key = r.classKey(m.Key, m.Computed)
			r.field(m)
		case *ast.MethodDefinition:
			if !m.Computed && !m.Static && isText(m.Key, "constructor") {
				r.function(m.Body)
				continue
			}
			if m.Static && !m.Computed && isText(m.Key, "prototype") {
				refuse(m.Idx, "a static member named 'prototype' is not available.", "Rename it.")
			}
			m.Key = r.classKey(m.Key, m.Computed)
			r.function(m.Body)
		case *ast.ClassStaticBlock:
			r.nesting(m.Static)
			r.entered(m.Static, false, false, &m.Block.List, func() { r.statements(m.Block.List) })
		default:
			refuse(m.Idx0(), "this class member is not available.", "")
		}
	}
}

// classKey rewrites the key of a class's member, which may be a private name.
func (r *rewriter) classKey(k ast.Expression, computed bool) ast.Expression {
	if _, private := k.(*ast.PrivateIdentifier); private {
		return k
	}
	return r.memberKey(k, computed)
}

// field rewrites a field's initialiser, which runs as a function of its own at
// each construction.
func (r *rewriter) field(m *ast.FieldDefinition) {
	if m.Initializer == nil {
		return
	}
	outer, wasAsync := r.begin(), r.async
	r.async = false
	r.functions++
	m.Initializer = r.expression(m.Initializer)
	r.functions--
	r.async = wasAsync
	tick := r.tick(m.Idx)
	r.resume(outer)
	if key, ok := m.Key.(*ast.StringLiteral); ok {
		m.Initializer = named(key.Value, m.Initializer)
	}
	m.Initializer = charged(tick, m.Initializer)
}

func void(at file.Idx) ast.Expression {
	return &ast.UnaryExpression{Operator: token.VOID, Idx: at, Operand: &ast.NumberLiteral{Idx: at, Literal: "0", Value: int64(0)}}
}

func isText(e ast.Expression, s string) bool {
	l, ok := e.(*ast.StringLiteral)
	return ok && l.Value.String() == s
}
