package syntax

import (
	"fmt"
	"slices"
)

// ScopeKind is the kind of a block that has names of its own.
type ScopeKind uint8

// The kinds of scope. A comprehension and a lambda are functions.
const (
	ModuleScope ScopeKind = iota
	FunctionScope
	ClassScope
)

// Binding is how a name of a scope is found, as the Python reference section
// 4.2 resolves it.
type Binding uint8

// The bindings of a name in one scope.
const (
	GlobalImplicit Binding = iota // not bound in any enclosing function: module, then builtins
	GlobalExplicit                // declared global
	Local
	Cell // local, and used by an inner scope
	Free // bound in an enclosing function
)

// Symbol is a name in a scope.
type Symbol struct {
	Name    string
	Binding Binding

	parameter bool
	assigned  bool
	used      bool
	global    bool
	nonlocal  bool
	annotated bool
	iteration bool // bound by a comprehension's for
	at        Span // of a global or nonlocal declaration
}

// Scope is one block with its names in the order of their first mention.
type Scope struct {
	Kind          ScopeKind
	Node          Node // the FunctionDef, Lambda, ClassDef or comprehension; nil for the module
	Parent        *Scope
	Children      []*Scope
	Symbols       []*Symbol
	Comprehension bool
	Generator     bool // it has a yield
	Async         bool

	index   map[string]*Symbol
	class   string // the class around it, for private names
	inIter  bool   // an iterable of a comprehension is being visited
	typeArg string // the place in a generic definition where only plain expressions stand
}

// Lookup gives the symbol of a name, nil if the scope does not mention it.
func (s *Scope) Lookup(name string) *Symbol { return s.index[name] }

// Scopes are the scopes of a module.
type Scopes struct {
	Module *Scope
	byNode map[Node]*Scope
}

// Of gives the scope that a definition, lambda or comprehension opens.
func (s *Scopes) Of(n Node) *Scope { return s.byNode[n] }

// Mangle gives a name as the class around it spells it: __x becomes _C__x
// (Python reference 6.2.1).
func (s *Scope) Mangle(name string) string {
	if s.class == "" || len(name) < 3 || name[:2] != "__" || name[len(name)-2:] == "__" {
		return name
	}
	class := s.class
	for len(class) > 0 && class[0] == '_' {
		class = class[1:]
	}
	if class == "" {
		return name
	}
	return "_" + class + name
}

// analyzer builds the scopes of a module, in the order of CPython's symbol table
// so that the first error is the same.
type analyzer struct {
	scopes *Scopes
	scope  *Scope
	lines  *Lines
}

// Analyze resolves every name of a module and finds the errors that CPython's
// symbol table finds. The error is an *[Error].
func Analyze(m *Module) (s *Scopes, err error) {
	a := &analyzer{scopes: &Scopes{byNode: map[Node]*Scope{}}, lines: m.Lines}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			e.place(m.Lines)
			s, err = nil, e
		}
	}()
	a.open(ModuleScope, nil)
	a.scopes.Module = a.scope
	a.statements(m.Body)
	a.resolve(a.scope, nil)
	return a.scopes, nil
}

func failSpan(at Span, format string, args ...any) {
	panic(&Error{Type: "SyntaxError", Message: fmt.Sprintf(format, args...), start: at.Start, end: at.End})
}

func failNode(n Node, format string, args ...any) { failSpan(*n.span(), format, args...) }

func (a *analyzer) open(kind ScopeKind, n Node) *Scope {
	s := &Scope{Kind: kind, Node: n, Parent: a.scope, index: map[string]*Symbol{}}
	if a.scope != nil {
		s.class = a.scope.class
		a.scope.Children = append(a.scope.Children, s)
	}
	if n != nil {
		a.scopes.byNode[n] = s
	}
	a.scope = s
	return s
}

func (a *analyzer) close() { a.scope = a.scope.Parent }

func (a *analyzer) symbol(name string) *Symbol { return symbolOf(a.scope, name) }

func symbolOf(s *Scope, name string) *Symbol {
	name = s.Mangle(name)
	y := s.index[name]
	if y == nil {
		y = &Symbol{Name: name}
		s.index[name] = y
		s.Symbols = append(s.Symbols, y)
	}
	return y
}

func (a *analyzer) use(name string)    { a.symbol(name).used = true }
func (a *analyzer) assign(name string) { a.symbol(name).assigned = true }

// declare handles global and nonlocal.
func (a *analyzer) declare(names []string, at Span, global bool) {
	word := "nonlocal"
	if global {
		word = "global"
	}
	for _, n := range names {
		y := a.symbol(n)
		switch {
		case y.parameter:
			failSpan(at, "name '%s' is parameter and %s", y.Name, word)
		case y.annotated && !y.global:
			failSpan(at, "annotated name '%s' can't be %s", y.Name, word)
		case y.assigned:
			failSpan(at, "name '%s' is assigned to before %s declaration", y.Name, word)
		case y.used:
			failSpan(at, "name '%s' is used prior to %s declaration", y.Name, word)
		case !global && a.scope.Kind == ModuleScope:
			failSpan(at, "nonlocal declaration not allowed at module level")
		}
		if y.global != y.nonlocal && y.global != global {
			failSpan(y.at, "name '%s' is nonlocal and global", y.Name)
		}
		y.at, y.global, y.nonlocal = at, global, !global
	}
}

func (a *analyzer) statements(list []Stmt) {
	for _, s := range list {
		a.statement(s)
	}
}

func (a *analyzer) statement(s Stmt) {
	switch s := s.(type) {
	case *FunctionDef:
		a.function(s)
	case *ClassDef:
		a.classDef(s)
	case *TypeAlias:
		a.assign(s.Name.ID)
		a.generic(s, s.TypeParams, func() { a.restricted("a type alias", s.Value) })
	case *Return:
		a.expr(s.Value)
	case *Delete:
		a.exprs(s.Targets, true)
	case *Assign:
		a.exprs(s.Targets, true)
		a.expr(s.Value)
	case *AugAssign:
		a.target(s.Target)
		a.expr(s.Value)
	case *AnnAssign:
		a.annotated(s)
	case *For:
		a.target(s.Target)
		a.expr(s.Iter)
		a.statements(s.Body)
		a.statements(s.OrElse)
	case *While:
		a.expr(s.Test)
		a.statements(s.Body)
		a.statements(s.OrElse)
	case *If:
		a.expr(s.Test)
		a.statements(s.Body)
		a.statements(s.OrElse)
	case *With:
		for _, item := range s.Items {
			a.expr(item.Context)
			if item.Target != nil {
				a.target(item.Target)
			}
		}
		a.statements(s.Body)
	case *Raise:
		a.expr(s.Exc)
		a.expr(s.Cause)
	case *Try:
		a.statements(s.Body)
		for _, h := range s.Handlers {
			a.expr(h.Type)
			if h.Name != "" {
				a.assign(h.Name)
			}
			a.statements(h.Body)
		}
		a.statements(s.OrElse)
		a.statements(s.Finally)
	case *Assert:
		a.expr(s.Test)
		a.expr(s.Message)
	case *Import:
		for _, n := range s.Names {
			a.imported(n)
		}
	case *ImportFrom:
		for _, n := range s.Names {
			if n.Name == "*" {
				if a.scope.Kind != ModuleScope {
					failNode(n, "import * only allowed at module level")
				}
				continue
			}
			a.imported(n)
		}
	case *Global:
		a.declare(s.Names, s.Span, true)
	case *Nonlocal:
		a.declare(s.Names, s.Span, false)
	case *ExprStmt:
		a.expr(s.Value)
	case *Match:
		a.expr(s.Subject)
		for _, c := range s.Cases {
			a.pattern(c.Pattern)
			a.expr(c.Guard)
			a.statements(c.Body)
		}
	}
}

func (a *analyzer) imported(n *Alias) {
	name := n.As
	if name == "" {
		name = n.Name
		for i := range len(name) {
			if name[i] == '.' {
				name = name[:i]
				break
			}
		}
	}
	a.assign(name)
}

func (a *analyzer) annotated(s *AnnAssign) {
	if n, ok := s.Target.(*Name); ok {
		y := a.symbol(n.ID)
		if s.Simple && (y.global || y.nonlocal) && a.scope.Kind != ModuleScope {
			word := "global"
			if y.nonlocal {
				word = "nonlocal"
			}
			failNode(s, "annotated name '%s' can't be %s", n.ID, word)
		}
		if s.Simple {
			y.annotated, y.assigned = true, true
		} else if s.Value != nil {
			y.assigned = true
		}
	} else {
		a.target(s.Target)
	}
	a.expr(s.Annotation)
	a.expr(s.Value)
}

func (a *analyzer) function(s *FunctionDef) {
	a.assign(s.Name)
	a.exprs(s.Args.Defaults, false)
	a.exprs(s.Args.KwDefaults, false)
	a.exprs(s.Decorators, false)
	a.generic(s, s.TypeParams, func() {
		a.annotations(s.Args)
		a.expr(s.Returns)
		f := a.open(FunctionScope, s)
		f.Async = s.Async
		a.parameters(s.Args)
		a.statements(s.Body)
		a.close()
	})
}

// annotations visits the annotations of parameters.
func (a *analyzer) annotations(args *Arguments) {
	for _, list := range [][]*Arg{args.PosOnly, args.Args} {
		for _, p := range list {
			a.expr(p.Annotation)
		}
	}
	if args.Vararg != nil {
		a.expr(args.Vararg.Annotation)
	}
	if args.Kwarg != nil {
		a.expr(args.Kwarg.Annotation)
	}
	for _, p := range args.KwOnly {
		a.expr(p.Annotation)
	}
}

func (a *analyzer) parameters(args *Arguments) {
	for _, list := range [][]*Arg{args.PosOnly, args.Args, args.KwOnly} {
		for _, p := range list {
			a.parameter(p)
		}
	}
	for _, p := range []*Arg{args.Vararg, args.Kwarg} {
		if p != nil {
			a.parameter(p)
		}
	}
}

func (a *analyzer) parameter(p *Arg) {
	y := a.symbol(p.Name)
	if y.parameter {
		failNode(p, "duplicate argument '%s' in function definition", y.Name)
	}
	y.parameter, y.assigned = true, true
}

func (a *analyzer) classDef(s *ClassDef) {
	a.assign(s.Name)
	a.exprs(s.Decorators, false)
	a.generic(s, s.TypeParams, func() {
		visit := func(e Expr) {
			if len(s.TypeParams) > 0 {
				a.restricted("the definition of a generic", e)
			} else {
				a.expr(e)
			}
		}
		for _, b := range s.Bases {
			visit(b)
		}
		for _, k := range s.Keywords {
			visit(k.Value)
		}
		c := a.open(ClassScope, s)
		c.class = s.Name
		a.statements(s.Body)
		a.close()
	})
}

// generic visits a definition inside the scope of its type parameters.
func (a *analyzer) generic(n Node, params []*TypeParam, body func()) {
	if len(params) == 0 {
		body()
		return
	}
	outer := a.scope
	a.open(FunctionScope, nil)
	for _, p := range params {
		y := a.symbol(p.Name)
		if y.assigned {
			failNode(p, "duplicate type parameter '%s'", p.Name)
		}
		y.assigned = true
		a.restricted("a TypeVar bound", p.Bound)
	}
	body()
	a.scope = outer
	_ = n
}

// restricted visits an expression in a place where names cannot be bound and
// nothing can be awaited or yielded.
func (a *analyzer) restricted(where string, e Expr) {
	if e == nil {
		return
	}
	was := a.scope.typeArg
	a.scope.typeArg = where
	a.expr(e)
	a.scope.typeArg = was
}

func (a *analyzer) exprs(list []Expr, targets bool) {
	for _, e := range list {
		if targets {
			a.target(e)
		} else {
			a.expr(e)
		}
	}
}

// target visits an expression that is assigned to or deleted.
func (a *analyzer) target(e Expr) {
	switch e := e.(type) {
	case *Name:
		a.assign(e.ID)
	case *Tuple:
		a.exprs(e.Elts, true)
	case *List:
		a.exprs(e.Elts, true)
	case *Starred:
		a.target(e.Value)
	default:
		a.expr(e)
	}
}

func (a *analyzer) expr(e Expr) {
	switch e := e.(type) {
	case nil, *Constant:
	case *Name:
		a.use(e.ID)
	case *JoinedStr:
		a.exprs(e.Values, false)
	case *FormattedValue:
		a.expr(e.Value)
		a.expr(e.Spec)
	case *List:
		a.exprs(e.Elts, false)
	case *Tuple:
		a.exprs(e.Elts, false)
	case *Set:
		a.exprs(e.Elts, false)
	case *Dict:
		for i := range e.Values {
			a.expr(e.Keys[i])
			a.expr(e.Values[i])
		}
	case *BoolOp:
		a.exprs(e.Values, false)
	case *BinOp:
		a.expr(e.Left)
		a.expr(e.Right)
	case *UnaryOp:
		a.expr(e.Operand)
	case *Compare:
		a.expr(e.Left)
		a.exprs(e.Comparators, false)
	case *Call:
		a.expr(e.Func)
		a.exprs(e.Args, false)
		for _, k := range e.Keywords {
			a.expr(k.Value)
		}
	case *IfExp:
		a.expr(e.Test)
		a.expr(e.Body)
		a.expr(e.OrElse)
	case *Attribute:
		a.expr(e.Value)
	case *Subscript:
		a.expr(e.Value)
		a.expr(e.Index)
	case *Starred:
		a.expr(e.Value)
	case *Slice:
		a.expr(e.Lower)
		a.expr(e.Upper)
		a.expr(e.Step)
	case *NamedExpr:
		a.forbid(e, "named expression")
		a.named(e)
	case *Lambda:
		a.exprs(e.Args.Defaults, false)
		a.exprs(e.Args.KwDefaults, false)
		a.open(FunctionScope, e)
		a.parameters(e.Args)
		a.expr(e.Body)
		a.close()
	case *Yield:
		a.yields(e, "yield expression")
		a.expr(e.Value)
	case *YieldFrom:
		a.yields(e, "yield expression")
		a.expr(e.Value)
	case *Await:
		a.forbid(e, "await expression")
		a.expr(e.Value)
	case *ListComp:
		a.comprehension(e, e.Generators, e.Elt, nil)
	case *SetComp:
		a.comprehension(e, e.Generators, e.Elt, nil)
	case *GeneratorExp:
		a.comprehension(e, e.Generators, e.Elt, nil)
	case *DictComp:
		a.comprehension(e, e.Generators, e.Key, e.Value)
	}
}

func (a *analyzer) forbid(n Node, what string) {
	if a.scope.typeArg != "" {
		failNode(n, "%s cannot be used within %s", what, a.scope.typeArg)
	}
}

func (a *analyzer) yields(n Node, what string) {
	a.forbid(n, what)
	if a.scope.Comprehension {
		failNode(n, "'yield' inside %s", expressionName(a.scope.Node))
	}
	a.scope.Generator = true
}

// comprehension visits a comprehension: its first iterable belongs to the scope
// around it, all else to its own.
func (a *analyzer) comprehension(n Expr, gens []*Comprehension, elt, value Expr) {
	first := gens[0]
	was := a.scope.inIter
	a.scope.inIter = true
	a.expr(first.Iter)
	a.scope.inIter = was
	s := a.open(FunctionScope, n)
	s.Comprehension = true
	s.Async = false
	_, s.Generator = n.(*GeneratorExp)
	a.iteration(first.Target)
	a.exprs(first.Ifs, false)
	for _, g := range gens[1:] {
		a.iteration(g.Target)
		s.inIter = true
		a.expr(g.Iter)
		s.inIter = false
		a.exprs(g.Ifs, false)
	}
	if value != nil {
		a.expr(value)
	}
	a.expr(elt)
	a.close()
}

// iteration visits the target of a comprehension's for.
func (a *analyzer) iteration(target Expr) {
	var names func(e Expr)
	names = func(e Expr) {
		switch e := e.(type) {
		case *Name:
			y := a.symbol(e.ID)
			if y.nonlocal || y.global {
				failNode(e, "comprehension inner loop cannot rebind assignment expression target '%s'", e.ID)
			}
			y.iteration, y.assigned = true, true
		case *Tuple:
			for _, x := range e.Elts {
				names(x)
			}
		case *List:
			for _, x := range e.Elts {
				names(x)
			}
		case *Starred:
			names(e.Value)
		default:
			a.expr(e)
		}
	}
	names(target)
}

// named visits a walrus. In a comprehension it binds in the function or module
// around it (PEP 572).
func (a *analyzer) named(e *NamedExpr) {
	if a.scope.inIter {
		failNode(e, "assignment expression cannot be used in a comprehension iterable expression")
	}
	for s := a.scope; ; s = s.Parent {
		if s.Comprehension {
			if y := s.index[s.Mangle(e.Target.ID)]; y != nil && y.iteration {
				failNode(e.Target, "assignment expression cannot rebind comprehension iteration variable '%s'", e.Target.ID)
			}
			continue
		}
		if s == a.scope {
			break
		}
		switch s.Kind {
		case ClassScope:
			failNode(e.Target, "assignment expression within a comprehension cannot be used in a class body")
		case ModuleScope:
			for c := a.scope; c.Comprehension; c = c.Parent {
				symbolOf(c, e.Target.ID).global = true
			}
		case FunctionScope:
			outer := symbolOf(s, e.Target.ID)
			for c := a.scope; c.Comprehension; c = c.Parent {
				y := symbolOf(c, e.Target.ID)
				y.global, y.nonlocal = outer.global, !outer.global
			}
		}
		symbolOf(s, e.Target.ID).assigned = true
		break
	}
	a.expr(e.Value)
	if !a.scope.Comprehension {
		a.assign(e.Target.ID)
	}
}

func (a *analyzer) pattern(p Pattern) {
	switch p := p.(type) {
	case *MatchValue:
		a.expr(p.Value)
	case *MatchSequence:
		a.patterns(p.Patterns)
	case *MatchMapping:
		a.exprs(p.Keys, false)
		a.patterns(p.Patterns)
		if p.Rest != "" {
			a.assign(p.Rest)
		}
	case *MatchClass:
		a.expr(p.Class)
		a.patterns(p.Patterns)
		a.patterns(p.KeywordPatterns)
	case *MatchStar:
		if p.Name != "" {
			a.assign(p.Name)
		}
	case *MatchAs:
		if p.Pattern != nil {
			a.pattern(p.Pattern)
		}
		if p.Name != "" {
			a.assign(p.Name)
		}
	case *MatchOr:
		a.patterns(p.Patterns)
	}
}

func (a *analyzer) patterns(list []Pattern) {
	for _, p := range list {
		a.pattern(p)
	}
}

// resolve decides how each name of a scope is found, given the names that the
// enclosing functions bind.
func (a *analyzer) resolve(s *Scope, bound []*Scope) {
	for _, y := range s.Symbols {
		switch {
		case y.global:
			y.Binding = GlobalExplicit
		case y.nonlocal:
			if !bindFree(bound, y.Name) {
				failSpan(y.at, "no binding for nonlocal '%s' found", y.Name)
			}
			y.Binding = Free
		case y.assigned && s.Kind == ModuleScope:
			y.Binding = GlobalExplicit
		case y.assigned:
			if y.Binding != Cell {
				y.Binding = Local
			}
		case bindFree(bound, y.Name):
			y.Binding = Free
		default:
			y.Binding = GlobalImplicit
		}
	}
	inner := bound
	if s.Kind == FunctionScope {
		inner = append(slices.Clone(bound), s)
	}
	for _, c := range s.Children {
		a.resolve(c, inner)
	}
}

// bindFree finds the innermost function that binds a name, marks it as captured
// there and in the functions between, and reports whether there is one.
func bindFree(bound []*Scope, name string) bool {
	for i := len(bound) - 1; i >= 0; i-- {
		y := bound[i].index[name]
		if y == nil {
			continue
		}
		switch {
		case y.global:
			return false
		case y.nonlocal, y.Binding == Free:
		case y.assigned:
			y.Binding = Cell
		default:
			continue
		}
		for _, s := range bound[i+1:] {
			if t := symbolOf(s, name); t.Binding == GlobalImplicit && !t.assigned && !t.global {
				t.Binding = Free
			}
		}
		return true
	}
	return false
}

// Assigned reports whether the scope binds the name: by an assignment, a
// definition, an import, a loop, or in any other way.
func (s *Symbol) Assigned() bool { return s.assigned }
