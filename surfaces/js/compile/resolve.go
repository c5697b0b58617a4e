package compile

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
)

// variable is one binding of the program.
type variable struct {
	name   string
	kind   Kind
	at     file.Idx
	top    bool // declared at the top level of the program
	param  bool // a parameter, a catch parameter or a class or function name: may hold anything
	inner  bool // used inside a function nested in the one that declares it
	level  level
	source []ast.Expression // everything that is assigned to it
}

// lexical is one scope: what it declares, and the scope around it.
type lexical struct {
	outer    *lexical
	function int // how many functions enclose it
	names    map[string]*variable
}

func (l *lexical) lookup(name string) (*variable, *lexical) {
	for ; l != nil; l = l.outer {
		if v := l.names[name]; v != nil {
			return v, l
		}
	}
	return nil, nil
}

// resolver finds what every identifier of a program stands for. It mends what the
// parser has misread, changes nothing else in the tree, and refuses only what would make names unclear.
type resolver struct {
	scope *lexical
	// refs says what an identifier stands for; one that is not in it is free.
	refs   map[*ast.Identifier]*variable
	free   map[string]file.Idx // free names and where each is first used
	all    []*variable
	tops   []*variable
	depth  int
	reject func(at file.Idx, message, hint string)
}

func newResolver(reject func(file.Idx, string, string)) *resolver {
	return &resolver{refs: map[*ast.Identifier]*variable{}, free: map[string]file.Idx{}, reject: reject}
}

// mostDepth bounds the depth of the tree. The parser builds long chains (a + b +
// c, a.b.c) without recursion; everything after it recurses into them.
const mostDepth = 1500

func (r *resolver) enter(n ast.Node) {
	if r.depth++; r.depth > mostDepth {
		r.reject(n.Idx0(), "the expression is too long or nested too deeply here.", "Split it: give parts of it names with const, or join an array.")
	}
}

func (r *resolver) leave() { r.depth-- }

func (r *resolver) open(function bool) *lexical {
	l := &lexical{outer: r.scope}
	if l.outer != nil {
		l.function = l.outer.function
	}
	if function {
		l.function++
	}
	r.scope = l
	return l
}

func (r *resolver) close() { r.scope = r.scope.outer }

func (r *resolver) declare(name string, kind Kind, at file.Idx) *variable {
	if r.scope.names == nil {
		r.scope.names = map[string]*variable{}
	}
	if v := r.scope.names[name]; v != nil {
		if kind == Var || v.kind == Var || v.kind == Function && kind == Function {
			if kind == Function {
				v.param = true
			}
			return v
		}
		r.reject(at, "'"+name+"' is declared twice.", "Rename one of the two, or assign to it without const or let.")
	}
	v := &variable{name: name, kind: kind, at: at, top: r.scope.outer == nil}
	r.scope.names[name] = v
	r.all = append(r.all, v)
	if v.top {
		r.tops = append(r.tops, v)
	}
	return v
}

// names calls f with every identifier that a pattern binds.
func names(target ast.Expression, f func(*ast.Identifier)) {
	switch t := target.(type) {
	case *ast.Identifier:
		f(t)
	case *ast.AssignExpression:
		names(t.Left, f)
	case *ast.ArrayPattern:
		for _, e := range t.Elements {
			names(e, f)
		}
		names(t.Rest, f)
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				f(&p.Name)
			case *ast.PropertyKeyed:
				names(p.Value, f)
			}
		}
		names(t.Rest, f)
	}
}

// declareAll declares what a binding binds and notes what it is given.
func (r *resolver) declareAll(b *ast.Binding, kind Kind) {
	id, plain := b.Target.(*ast.Identifier)
	if plain {
		v := r.declare(id.Name.String(), kind, id.Idx)
		if b.Initializer != nil {
			v.source = append(v.source, b.Initializer)
		}
		return
	}
	names(b.Target, func(id *ast.Identifier) { r.declare(id.Name.String(), kind, id.Idx).param = true })
}

// hoist declares what a list of statements declares in its own scope.
func (r *resolver) hoist(list []ast.Statement) {
	for _, s := range list {
		for {
			l, ok := s.(*ast.LabelledStatement)
			if !ok {
				break
			}
			s = l.Statement
		}
		switch s := s.(type) {
		case *ast.LexicalDeclaration:
			kind := Let
			if s.Token == token.CONST {
				kind = Const
			}
			for _, b := range s.List {
				r.declareAll(b, kind)
			}
		case *ast.FunctionDeclaration:
			r.declare(s.Function.Name.Name.String(), Function, s.Function.Name.Idx).param = true
		case *ast.ClassDeclaration:
			r.declare(s.Class.Name.Name.String(), Class, s.Class.Name.Idx).param = true
		}
	}
}

func (r *resolver) hoistVars(list []*ast.VariableDeclaration) {
	for _, d := range list {
		for _, b := range d.List {
			r.declareAll(b, Var)
		}
	}
}

// program resolves a whole program.
func (r *resolver) program(t *tree) {
	r.open(false)
	r.hoistVars(t.arrow.DeclarationList)
	r.hoist(t.body.List)
	r.statements(t.body.List)
}

func (r *resolver) use(id *ast.Identifier) *variable {
	name := id.Name.String()
	v, l := r.scope.lookup(name)
	if v == nil {
		if _, ok := r.free[name]; !ok {
			r.free[name] = id.Idx
		}
		return nil
	}
	if l.function != r.scope.function {
		v.inner = true
	}
	r.refs[id] = v
	return v
}

func (r *resolver) statements(list []ast.Statement) {
	for _, s := range list {
		r.statement(s)
	}
}

func (r *resolver) block(list []ast.Statement) {
	r.open(false)
	r.hoist(list)
	r.statements(list)
	r.close()
}

func (r *resolver) statement(s ast.Statement) {
	if s == nil {
		return
	}
	r.enter(s)
	defer r.leave()
	switch s := s.(type) {
	case *ast.BlockStatement:
		r.block(s.List)
	case *ast.ExpressionStatement:
		r.expression(s.Expression)
	case *ast.EmptyStatement, *ast.BranchStatement, *ast.DebuggerStatement:
	case *ast.IfStatement:
		r.expression(s.Test)
		r.statement(s.Consequent)
		r.statement(s.Alternate)
	case *ast.ReturnStatement:
		r.expression(s.Argument)
	case *ast.ThrowStatement:
		r.expression(s.Argument)
	case *ast.LabelledStatement:
		r.statement(s.Statement)
	case *ast.LexicalDeclaration:
		r.bindings(s.List)
	case *ast.VariableStatement:
		r.bindings(s.List)
	case *ast.FunctionDeclaration:
		r.use(s.Function.Name)
		r.function(s.Function)
	case *ast.ClassDeclaration:
		r.use(s.Class.Name)
		r.class(s.Class)
	case *ast.SwitchStatement:
		r.expression(s.Discriminant)
		r.open(false)
		for _, c := range s.Body {
			r.hoist(c.Consequent)
		}
		for _, c := range s.Body {
			r.expression(c.Test)
			r.statements(c.Consequent)
		}
		r.close()
	case *ast.TryStatement:
		r.block(s.Body.List)
		if c := s.Catch; c != nil {
			r.open(false)
			names(c.Parameter, func(id *ast.Identifier) { r.declare(id.Name.String(), Let, id.Idx).param = true })
			r.target(c.Parameter)
			r.hoist(c.Body.List)
			r.statements(c.Body.List)
			r.close()
		}
		if s.Finally != nil {
			r.block(s.Finally.List)
		}
	case *ast.WhileStatement:
		r.expression(s.Test)
		r.statement(s.Body)
	case *ast.DoWhileStatement:
		r.statement(s.Body)
		r.expression(s.Test)
	case *ast.WithStatement:
		r.expression(s.Object)
		r.statement(s.Body)
	case *ast.ForStatement:
		r.open(false)
		switch i := s.Initializer.(type) {
		case *ast.ForLoopInitializerExpression:
			r.expression(i.Expression)
		case *ast.ForLoopInitializerVarDeclList:
			r.bindings(i.List)
		case *ast.ForLoopInitializerLexicalDecl:
			r.hoist([]ast.Statement{&i.LexicalDeclaration})
			r.bindings(i.LexicalDeclaration.List)
		}
		r.expression(s.Test)
		r.expression(s.Update)
		r.statement(s.Body)
		r.close()
	case *ast.ForInStatement:
		r.forEach(s.Into, s.Source, s.Body)
	case *ast.ForOfStatement:
		r.forEach(s.Into, s.Source, s.Body)
	default:
		r.reject(s.Idx0(), "this statement is not available.", "")
	}
}

func (r *resolver) forEach(into ast.ForInto, source ast.Expression, body ast.Statement) {
	r.expression(source)
	r.open(false)
	switch into := into.(type) {
	case *ast.ForIntoVar:
		names(into.Binding.Target, func(id *ast.Identifier) {
			if v, _ := r.scope.lookup(id.Name.String()); v != nil {
				v.param = true
			}
		})
		r.target(into.Binding.Target)
	case *ast.ForDeclaration:
		kind := Let
		if into.IsConst {
			kind = Const
		}
		names(into.Target, func(id *ast.Identifier) { r.declare(id.Name.String(), kind, id.Idx).param = true })
		r.target(into.Target)
	case *ast.ForIntoExpression:
		r.target(into.Expression)
	}
	r.statement(body)
	r.close()
}

func (r *resolver) bindings(list []*ast.Binding) {
	for _, b := range list {
		if id, ok := b.Target.(*ast.Identifier); ok {
			r.use(id)
		} else {
			r.target(b.Target)
		}
		r.expression(b.Initializer)
	}
}

// target resolves an assignment target: every name in it may be given anything.
func (r *resolver) target(t ast.Expression) {
	if t == nil {
		return
	}
	r.enter(t)
	defer r.leave()
	switch t := t.(type) {
	case *ast.Identifier:
		if v := r.use(t); v != nil {
			v.param = true
		}
	case *ast.AssignExpression:
		r.target(t.Left)
		r.expression(t.Right)
	case *ast.ArrayPattern:
		for _, e := range t.Elements {
			r.target(e)
		}
		r.target(t.Rest)
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				if v := r.use(&p.Name); v != nil {
					v.param = true
				}
				r.expression(p.Initializer)
			case *ast.PropertyKeyed:
				if p.Computed {
					r.expression(p.Key)
				}
				r.target(p.Value)
			default:
				r.reject(t.Idx0(), "this destructuring pattern is not available.", "")
			}
		}
		r.target(t.Rest)
	default:
		r.expression(t)
	}
}

func (r *resolver) expressions(list []ast.Expression) {
	for _, e := range list {
		r.expression(e)
	}
}

func (r *resolver) expression(e ast.Expression) {
	if e == nil {
		return
	}
	r.enter(e)
	defer r.leave()
	switch e := e.(type) {
	case *ast.Identifier:
		r.use(e)
	case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral, *ast.RegExpLiteral,
		*ast.ThisExpression, *ast.SuperExpression, *ast.MetaProperty, *ast.PrivateIdentifier:
	case *ast.ArrayLiteral:
		r.expressions(e.Value)
	case *ast.AssignExpression:
		if id, ok := e.Left.(*ast.Identifier); ok {
			if v := r.use(id); v != nil {
				v.source = append(v.source, e)
			}
		} else {
			r.target(e.Left)
		}
		r.expression(e.Right)
	case *ast.BinaryExpression:
		if _, ok := e.Left.(*ast.PrivateIdentifier); ok {
			// The parser gives #name in object the operator of the token after in.
			e.Operator = token.IN
		}
		r.expression(e.Left)
		r.expression(e.Right)
	case *ast.BracketExpression:
		r.expression(e.Left)
		r.expression(e.Member)
	case *ast.DotExpression:
		r.expression(e.Left)
	case *ast.PrivateDotExpression:
		r.expression(e.Left)
	case *ast.CallExpression:
		r.expression(e.Callee)
		r.expressions(e.ArgumentList)
	case *ast.NewExpression:
		r.expression(e.Callee)
		r.expressions(e.ArgumentList)
	case *ast.ConditionalExpression:
		r.expression(e.Test)
		r.expression(e.Consequent)
		r.expression(e.Alternate)
	case *ast.OptionalChain:
		r.expression(e.Expression)
	case *ast.Optional:
		r.expression(e.Expression)
	case *ast.SpreadElement:
		r.expression(e.Expression)
	case *ast.FunctionLiteral:
		if e.Name != nil {
			r.open(false)
			r.declare(e.Name.Name.String(), Function, e.Name.Idx).param = true
			r.function(e)
			r.close()
			return
		}
		r.function(e)
	case *ast.ArrowFunctionLiteral:
		r.arrow(e)
	case *ast.ClassLiteral:
		r.class(e)
	case *ast.ObjectLiteral:
		for _, p := range e.Value {
			r.property(p)
		}
	case *ast.SequenceExpression:
		r.expressions(e.Sequence)
	case *ast.TemplateLiteral:
		r.expression(e.Tag)
		r.expressions(e.Expressions)
	case *ast.UnaryExpression:
		if id, ok := e.Operand.(*ast.Identifier); ok && (e.Operator == token.INCREMENT || e.Operator == token.DECREMENT) {
			if v := r.use(id); v != nil {
				v.source = append(v.source, e)
			}
			return
		}
		r.expression(e.Operand)
	case *ast.YieldExpression:
		r.expression(e.Argument)
	case *ast.AwaitExpression:
		r.expression(e.Argument)
	case *ast.ArrayPattern, *ast.ObjectPattern:
		r.target(e)
	default:
		r.reject(e.Idx0(), "this expression is not available.", "")
	}
}

func (r *resolver) property(p ast.Property) {
	switch p := p.(type) {
	case *ast.PropertyShort:
		if p.Initializer != nil {
			r.reject(p.Idx0(), "'=' in an object literal is not valid.", "Write a colon: { name: value }.")
		}
		r.use(&p.Name)
	case *ast.PropertyKeyed:
		if p.Computed {
			r.expression(p.Key)
		}
		r.expression(p.Value)
	case *ast.SpreadElement:
		r.expression(p.Expression)
	default:
		r.reject(p.Idx0(), "this property is not available.", "")
	}
}

func (r *resolver) parameters(p *ast.ParameterList) {
	if p == nil {
		return
	}
	for _, b := range p.List {
		names(b.Target, func(id *ast.Identifier) { r.declare(id.Name.String(), Var, id.Idx).param = true })
	}
	names(p.Rest, func(id *ast.Identifier) { r.declare(id.Name.String(), Var, id.Idx).param = true })
	for _, b := range p.List {
		r.target(b.Target)
		r.expression(b.Initializer)
	}
	r.target(p.Rest)
}

func (r *resolver) function(f *ast.FunctionLiteral) {
	r.open(true)
	r.declare("arguments", Var, f.Function).param = true
	r.parameters(f.ParameterList)
	r.body(f.DeclarationList, f.Body.List)
	r.close()
}

// body resolves a function's body in a scope of its own, so that a parameter and
// a variable of the same name are not told apart: a variable may hold what the
// parameter did.
func (r *resolver) body(vars []*ast.VariableDeclaration, list []ast.Statement) {
	r.hoistVars(vars)
	r.hoist(list)
	r.statements(list)
}

func (r *resolver) arrow(f *ast.ArrowFunctionLiteral) {
	r.open(true)
	r.parameters(f.ParameterList)
	switch b := f.Body.(type) {
	case *ast.BlockStatement:
		r.body(f.DeclarationList, b.List)
	case *ast.ExpressionBody:
		r.expression(b.Expression)
	}
	r.close()
}

func (r *resolver) class(c *ast.ClassLiteral) {
	r.open(false)
	if c.Name != nil {
		r.declare(c.Name.Name.String(), Class, c.Name.Idx).param = true
	}
	r.expression(c.SuperClass)
	for _, m := range c.Body {
		switch m := m.(type) {
		case *ast.FieldDefinition:
			if m.Computed {
				r.expression(m.Key)
			}
			r.open(true)
			r.expression(m.Initializer)
			r.close()
		case *ast.MethodDefinition:
			if m.Computed {
				r.expression(m.Key)
			}
			r.function(m.Body)
		case *ast.ClassStaticBlock:
			r.open(true)
			r.body(m.DeclarationList, m.Block.List)
			r.close()
		default:
			r.reject(m.Idx0(), "this class member is not available.", "")
		}
	}
	r.close()
}
