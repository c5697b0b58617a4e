package syntax

// Walk visits every statement, expression and pattern of a module in the order of
// the text, parents first. visit reports whether to go into a node.
func (m *Module) Walk(visit func(Node) bool) {
	for _, s := range m.Body {
		Walk(s, visit)
	}
}

// Walk visits a node and what it holds, as [Module.Walk] does.
func Walk(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	Children(n, func(k Node) { Walk(k, visit) })
}

// Children visits the nodes that a node holds, in the order in which they are
// evaluated as far as the text has it.
func Children(n Node, visit func(Node)) {
	v := visitor{visit}
	switch n := n.(type) {
	case *Name, *Constant, *Alias, *Import, *ImportFrom, *Global, *Nonlocal, *Pass, *Break, *Continue, *MatchSingleton, *MatchStar:
	case *JoinedStr:
		v.exprs(n.Values)
	case *FormattedValue:
		v.exprs([]Expr{n.Value, n.Spec})
	case *List:
		v.exprs(n.Elts)
	case *Tuple:
		v.exprs(n.Elts)
	case *Set:
		v.exprs(n.Elts)
	case *Dict:
		for i := range n.Keys {
			v.exprs([]Expr{n.Keys[i], n.Values[i]})
		}
	case *BoolOp:
		v.exprs(n.Values)
	case *BinOp:
		v.exprs([]Expr{n.Left, n.Right})
	case *UnaryOp:
		v.exprs([]Expr{n.Operand})
	case *Compare:
		v.exprs([]Expr{n.Left})
		v.exprs(n.Comparators)
	case *Keyword:
		v.exprs([]Expr{n.Value})
	case *Call:
		v.exprs([]Expr{n.Func})
		v.exprs(n.Args)
		v.keywords(n.Keywords)
	case *IfExp:
		v.exprs([]Expr{n.Test, n.Body, n.OrElse})
	case *Attribute:
		v.exprs([]Expr{n.Value})
	case *Subscript:
		v.exprs([]Expr{n.Value, n.Index})
	case *Starred:
		v.exprs([]Expr{n.Value})
	case *NamedExpr:
		v.exprs([]Expr{n.Target, n.Value})
	case *ListComp:
		v.comprehensions(n.Generators)
		v.exprs([]Expr{n.Elt})
	case *SetComp:
		v.comprehensions(n.Generators)
		v.exprs([]Expr{n.Elt})
	case *GeneratorExp:
		v.comprehensions(n.Generators)
		v.exprs([]Expr{n.Elt})
	case *DictComp:
		v.comprehensions(n.Generators)
		v.exprs([]Expr{n.Key, n.Value})
	case *Lambda:
		v.arguments(n.Args)
		v.exprs([]Expr{n.Body})
	case *Slice:
		v.exprs([]Expr{n.Lower, n.Upper, n.Step})
	case *Yield:
		v.exprs([]Expr{n.Value})
	case *YieldFrom:
		v.exprs([]Expr{n.Value})
	case *Await:
		v.exprs([]Expr{n.Value})
	default:
		v.statement(n)
	}
}

// visitor visits children that are there.
type visitor struct{ visit func(Node) }

func (v visitor) exprs(list []Expr) {
	for _, e := range list {
		if e != nil {
			v.visit(e)
		}
	}
}

func (v visitor) statements(lists ...[]Stmt) {
	for _, l := range lists {
		for _, s := range l {
			v.visit(s)
		}
	}
}

func (v visitor) keywords(list []*Keyword) {
	for _, k := range list {
		v.visit(k)
	}
}

func (v visitor) comprehensions(list []*Comprehension) {
	for _, g := range list {
		v.exprs([]Expr{g.Iter, g.Target})
		v.exprs(g.Ifs)
	}
}

func (v visitor) arguments(a *Arguments) {
	if a == nil {
		return
	}
	v.exprs(a.Defaults)
	v.exprs(a.KwDefaults)
	for _, list := range [...][]*Arg{a.PosOnly, a.Args, {a.Vararg}, a.KwOnly, {a.Kwarg}} {
		for _, p := range list {
			if p != nil {
				v.exprs([]Expr{p.Annotation})
			}
		}
	}
}

func (v visitor) statement(n Node) {
	switch n := n.(type) {
	case *FunctionDef:
		v.exprs(n.Decorators)
		v.arguments(n.Args)
		v.exprs([]Expr{n.Returns})
		v.statements(n.Body)
	case *ClassDef:
		v.exprs(n.Decorators)
		v.exprs(n.Bases)
		v.keywords(n.Keywords)
		v.statements(n.Body)
	case *TypeAlias:
		v.exprs([]Expr{n.Value})
	case *Return:
		v.exprs([]Expr{n.Value})
	case *Delete:
		v.exprs(n.Targets)
	case *Assign:
		v.exprs([]Expr{n.Value})
		v.exprs(n.Targets)
	case *AugAssign:
		v.exprs([]Expr{n.Target, n.Value})
	case *AnnAssign:
		v.exprs([]Expr{n.Annotation, n.Value, n.Target})
	case *For:
		v.exprs([]Expr{n.Iter, n.Target})
		v.statements(n.Body, n.OrElse)
	case *While:
		v.exprs([]Expr{n.Test})
		v.statements(n.Body, n.OrElse)
	case *If:
		v.exprs([]Expr{n.Test})
		v.statements(n.Body, n.OrElse)
	case *With:
		for _, i := range n.Items {
			v.exprs([]Expr{i.Context, i.Target})
		}
		v.statements(n.Body)
	case *Raise:
		v.exprs([]Expr{n.Exc, n.Cause})
	case *ExceptHandler:
		v.exprs([]Expr{n.Type})
		v.statements(n.Body)
	case *Try:
		v.statements(n.Body)
		for _, h := range n.Handlers {
			v.visit(h)
		}
		v.statements(n.OrElse, n.Finally)
	case *Assert:
		v.exprs([]Expr{n.Test, n.Message})
	case *ExprStmt:
		v.exprs([]Expr{n.Value})
	case *Match:
		v.exprs([]Expr{n.Subject})
		for _, c := range n.Cases {
			v.visit(c.Pattern)
			v.exprs([]Expr{c.Guard})
			v.statements(c.Body)
		}
	default:
		v.pattern(n)
	}
}

func (v visitor) pattern(n Node) {
	switch n := n.(type) {
	case *MatchValue:
		v.exprs([]Expr{n.Value})
	case *MatchSequence:
		v.patterns(n.Patterns)
	case *MatchMapping:
		v.exprs(n.Keys)
		v.patterns(n.Patterns)
	case *MatchClass:
		v.exprs([]Expr{n.Class})
		v.patterns(n.Patterns)
		v.patterns(n.KeywordPatterns)
	case *MatchAs:
		if n.Pattern != nil {
			v.visit(n.Pattern)
		}
	case *MatchOr:
		v.patterns(n.Patterns)
	}
}

func (v visitor) patterns(list []Pattern) {
	for _, p := range list {
		v.visit(p)
	}
}
