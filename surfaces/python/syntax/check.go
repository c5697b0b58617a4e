package syntax

import (
	"fmt"
	"strings"
)

// Leniency lists what [Check] lets pass that CPython does not.
type Leniency struct {
	// TopLevel accepts return, await and asynchronous statements outside a
	// function, as in the body of an asynchronous one.
	TopLevel bool
}

// Check finds the errors that CPython's compiler finds after the symbol table:
// statements out of place, targets that cannot be, patterns that cannot match.
// The error is an *[Error].
func Check(m *Module, scopes *Scopes, lenient Leniency) (err error) {
	c := &checker{scopes: scopes, lenient: lenient, scope: scopes.Module}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			e.place(m.Lines)
			err = e
		}
	}()
	c.statements(m.Body)
	return nil
}

type checker struct {
	scopes  *Scopes
	lenient Leniency
	scope   *Scope
	loop    bool // inside a loop of this function
	star    bool // inside an except* block
}

// inside visits with the scope that a node opens.
func (c *checker) inside(n Node, visit func()) {
	scope, loop, star := c.scope, c.loop, c.star
	c.scope, c.loop, c.star = c.scopes.Of(n), false, false
	visit()
	c.scope, c.loop, c.star = scope, loop, star
}

// function is the innermost scope that is not a comprehension.
func (c *checker) function() *Scope {
	s := c.scope
	for s.Comprehension {
		s = s.Parent
	}
	return s
}

func (c *checker) statements(list []Stmt) {
	for _, s := range list {
		c.statement(s)
	}
}

func (c *checker) looped(list []Stmt) {
	loop, star := c.loop, c.star
	c.loop, c.star = true, false
	c.statements(list)
	c.loop, c.star = loop, star
}

func (c *checker) statement(s Stmt) {
	switch s := s.(type) {
	case *FunctionDef:
		c.exprs(s.Decorators)
		c.signature(s.Args)
		c.typeParams(s.TypeParams)
		c.expr(s.Returns)
		c.binds(s.Name, s)
		c.inside(s, func() { c.statements(s.Body) })
	case *ClassDef:
		c.exprs(s.Decorators)
		c.typeParams(s.TypeParams)
		c.exprs(s.Bases)
		c.keywords(s.Keywords)
		c.inside(s, func() { c.statements(s.Body) })
	case *TypeAlias:
		c.typeParams(s.TypeParams)
		c.expr(s.Value)
	case *Return:
		c.returns(s)
		c.expr(s.Value)
	case *Delete:
		for _, t := range s.Targets {
			c.deleted(t)
		}
	case *Assign:
		c.expr(s.Value)
		for _, t := range s.Targets {
			c.assigned(t)
		}
	case *AugAssign:
		c.assigned(s.Target)
		c.expr(s.Value)
	case *AnnAssign:
		c.expr(s.Value)
		c.assigned(s.Target)
		c.expr(s.Annotation)
	case *For:
		if s.Async {
			c.async(s, "'async for' outside async function")
		}
		c.expr(s.Iter)
		c.assigned(s.Target)
		c.looped(s.Body)
		c.statements(s.OrElse)
	case *While:
		c.expr(s.Test)
		c.looped(s.Body)
		c.statements(s.OrElse)
	case *If:
		c.expr(s.Test)
		c.statements(s.Body)
		c.statements(s.OrElse)
	case *With:
		if s.Async {
			c.async(s, "'async with' outside async function")
		}
		for _, item := range s.Items {
			c.expr(item.Context)
			if item.Target != nil {
				c.assigned(item.Target)
			}
		}
		c.statements(s.Body)
	case *Raise:
		c.expr(s.Exc)
		c.expr(s.Cause)
	case *Try:
		c.try(s)
	case *Assert:
		c.expr(s.Test)
		c.expr(s.Message)
	case *Import:
		for _, n := range s.Names {
			c.binds(n.As, s)
		}
	case *ImportFrom:
		for _, n := range s.Names {
			c.binds(n.As, s)
		}
	case *ExprStmt:
		if star, ok := s.Value.(*Starred); ok {
			failNode(star, "can't use starred expression here")
		}
		c.expr(s.Value)
	case *Break:
		c.jump(s, "'break' outside loop")
	case *Continue:
		c.jump(s, "'continue' not properly in loop")
	case *Match:
		c.match(s)
	}
}

const noJump = "'break', 'continue' and 'return' cannot appear in an except* block"

func (c *checker) jump(n Node, text string) {
	if c.star {
		failNode(n, noJump)
	}
	if !c.loop {
		failNode(n, "%s", text)
	}
}

func (c *checker) returns(s *Return) {
	f := c.scope
	switch {
	case f.Kind != FunctionScope && !(f.Kind == ModuleScope && c.lenient.TopLevel):
		failNode(s, "'return' outside function")
	case c.star:
		failNode(s, noJump)
	case s.Value != nil && f.Async && f.Generator:
		failNode(s, "'return' with value in async generator")
	}
	if star, ok := s.Value.(*Starred); ok {
		failNode(star, "can't use starred expression here")
	}
}

func (c *checker) try(s *Try) {
	c.statements(s.Body)
	for i, h := range s.Handlers {
		if h.Type == nil && i < len(s.Handlers)-1 {
			failNode(h, "default 'except:' must be last")
		}
		c.expr(h.Type)
		c.binds(h.Name, h)
		star := c.star
		if s.Star {
			c.star = true
			loop := c.loop
			c.loop = false
			c.statements(h.Body)
			c.loop = loop
		} else {
			c.statements(h.Body)
		}
		c.star = star
	}
	c.statements(s.OrElse)
	c.statements(s.Finally)
}

// async holds an asynchronous construct to being in an asynchronous function.
func (c *checker) async(n Node, text string) {
	f := c.function()
	if f.Kind == ModuleScope && c.lenient.TopLevel || f.Kind == FunctionScope && f.Async {
		return
	}
	failNode(n, "%s", text)
}

// binds holds a name to one that may be bound.
func (c *checker) binds(name string, n Node) {
	if name == "__debug__" {
		failNode(n, "cannot assign to __debug__")
	}
}

// signature visits the defaults and annotations of parameters.
func (c *checker) signature(a *Arguments) {
	c.exprs(a.Defaults)
	c.exprs(a.KwDefaults)
	for _, list := range [][]*Arg{a.PosOnly, a.Args, {a.Vararg}, a.KwOnly, {a.Kwarg}} {
		for _, p := range list {
			if p == nil {
				continue
			}
			c.expr(p.Annotation)
			c.binds(p.Name, p)
		}
	}
}

func (c *checker) typeParams(list []*TypeParam) {
	for _, p := range list {
		c.expr(p.Bound)
	}
}

func (c *checker) keywords(list []*Keyword) {
	for i, k := range list {
		c.binds(k.Arg, k)
		for _, other := range list[:i] {
			if k.Arg != "" && other.Arg == k.Arg {
				failNode(k, "keyword argument repeated: %s", k.Arg)
			}
		}
	}
	for _, k := range list {
		c.expr(k.Value)
	}
}

// assigned visits a target.
func (c *checker) assigned(e Expr) {
	switch e := e.(type) {
	case *Name:
		c.binds(e.ID, e)
	case *Attribute:
		c.binds(e.Attr, e)
		c.expr(e.Value)
	case *Starred:
		failNode(e, "starred assignment target must be in a list or tuple")
	case *Tuple:
		c.unpacked(e, e.Elts)
	case *List:
		c.unpacked(e, e.Elts)
	default:
		c.expr(e)
	}
}

func (c *checker) unpacked(n Node, elts []Expr) {
	stars := 0
	for i, e := range elts {
		star, ok := e.(*Starred)
		if !ok {
			c.assigned(e)
			continue
		}
		if stars++; stars > 1 {
			failNode(n, "multiple starred expressions in assignment")
		}
		if i >= 256 {
			failNode(n, "too many expressions in star-unpacking assignment")
		}
		c.assigned(star.Value)
	}
}

func (c *checker) deleted(e Expr) {
	switch e := e.(type) {
	case *Name:
		if e.ID == "__debug__" {
			failNode(e, "cannot delete __debug__")
		}
	case *Attribute:
		c.expr(e.Value)
	case *Tuple:
		for _, x := range e.Elts {
			c.deleted(x)
		}
	case *List:
		for _, x := range e.Elts {
			c.deleted(x)
		}
	default:
		c.expr(e)
	}
}

func (c *checker) exprs(list []Expr) {
	for _, e := range list {
		c.expr(e)
	}
}

func (c *checker) expr(e Expr) {
	switch e := e.(type) {
	case nil, *Constant, *Name:
	case *JoinedStr:
		c.exprs(e.Values)
	case *FormattedValue:
		c.expr(e.Value)
		c.expr(e.Spec)
	case *List:
		c.display(e.Elts)
	case *Tuple:
		c.display(e.Elts)
	case *Set:
		c.display(e.Elts)
	case *Dict:
		for i := range e.Values {
			c.expr(e.Keys[i])
			c.expr(e.Values[i])
		}
	case *BoolOp:
		c.exprs(e.Values)
	case *BinOp:
		c.expr(e.Left)
		c.expr(e.Right)
	case *UnaryOp:
		c.expr(e.Operand)
	case *Compare:
		c.expr(e.Left)
		c.exprs(e.Comparators)
	case *Call:
		c.expr(e.Func)
		c.display(e.Args)
		c.keywords(e.Keywords)
	case *IfExp:
		c.expr(e.Test)
		c.expr(e.Body)
		c.expr(e.OrElse)
	case *Attribute:
		c.expr(e.Value)
	case *Subscript:
		c.expr(e.Value)
		c.expr(e.Index)
	case *Starred:
		failNode(e, "can't use starred expression here")
	case *Slice:
		c.expr(e.Lower)
		c.expr(e.Upper)
		c.expr(e.Step)
	case *NamedExpr:
		c.expr(e.Value)
		c.binds(e.Target.ID, e.Target)
	case *Lambda:
		c.signature(e.Args)
		c.inside(e, func() { c.expr(e.Body) })
	case *Yield:
		c.yields(e)
		c.expr(e.Value)
	case *YieldFrom:
		c.yields(e)
		if c.scope.Async {
			failNode(e, "'yield from' inside async function")
		}
		c.expr(e.Value)
	case *Await:
		if f := c.function(); f.Kind != FunctionScope && !(f.Kind == ModuleScope && c.lenient.TopLevel) {
			failNode(e, "'await' outside function")
		}
		if g, ok := c.scope.Node.(*GeneratorExp); !ok || g == nil {
			c.async(e, "'await' outside async function")
		}
		c.expr(e.Value)
	case *ListComp:
		c.comprehension(e, e.Generators, e.Elt, nil)
	case *SetComp:
		c.comprehension(e, e.Generators, e.Elt, nil)
	case *GeneratorExp:
		c.comprehension(e, e.Generators, e.Elt, nil)
	case *DictComp:
		c.comprehension(e, e.Generators, e.Key, e.Value)
	}
}

// display visits elements among which a star unpacks.
func (c *checker) display(list []Expr) {
	for _, e := range list {
		if s, ok := e.(*Starred); ok {
			e = s.Value
		}
		c.expr(e)
	}
}

func (c *checker) yields(n Node) {
	if c.scope.Kind != FunctionScope {
		failNode(n, "'yield' outside function")
	}
}

func (c *checker) comprehension(n Expr, gens []*Comprehension, elt, value Expr) {
	for _, g := range gens {
		if _, lazy := n.(*GeneratorExp); g.Async && !lazy {
			c.async(n, "asynchronous comprehension outside of an asynchronous function")
		}
	}
	c.expr(gens[0].Iter)
	c.inside(n, func() {
		for i, g := range gens {
			if i > 0 {
				c.expr(g.Iter)
			}
			c.assigned(g.Target)
			c.exprs(g.Ifs)
		}
		c.expr(elt)
		if value != nil {
			c.expr(value)
		}
	})
}

func (c *checker) match(s *Match) {
	c.expr(s.Subject)
	for i, k := range s.Cases {
		last := i == len(s.Cases)-1
		if k.Guard == nil && !last {
			reachable(k.Pattern)
		}
		c.pattern(k.Pattern, map[string]bool{})
		c.expr(k.Guard)
		c.statements(k.Body)
	}
}

// reachable refuses a pattern that matches all and is not the last.
func reachable(p Pattern) {
	as, ok := p.(*MatchAs)
	if !ok || as.Pattern != nil {
		return
	}
	if as.Name == "" {
		failNode(p, "wildcard makes remaining patterns unreachable")
	}
	failNode(p, "name capture '%s' makes remaining patterns unreachable", as.Name)
}

// pattern visits a pattern; names are those bound so far.
func (c *checker) pattern(p Pattern, names map[string]bool) {
	bind := func(name string) {
		if name == "" {
			return
		}
		c.binds(name, p)
		if names[name] {
			failNode(p, "multiple assignments to name '%s' in pattern", name)
		}
		names[name] = true
	}
	switch p := p.(type) {
	case *MatchValue:
		c.expr(p.Value)
	case *MatchStar:
		bind(p.Name)
	case *MatchAs:
		if p.Pattern != nil {
			c.pattern(p.Pattern, names)
		}
		bind(p.Name)
	case *MatchSequence:
		stars := 0
		for _, x := range p.Patterns {
			if _, ok := x.(*MatchStar); ok {
				if stars++; stars > 1 {
					failNode(p, "multiple starred names in sequence pattern")
				}
			}
		}
		for _, x := range p.Patterns {
			c.pattern(x, names)
		}
	case *MatchMapping:
		c.mappingKeys(p)
		for _, x := range p.Patterns {
			c.pattern(x, names)
		}
		bind(p.Rest)
	case *MatchClass:
		for i, k := range p.KeywordNames {
			for _, other := range p.KeywordNames[:i] {
				if other == k {
					failNode(p.KeywordPatterns[i], "attribute name repeated in class pattern: %s", k)
				}
			}
		}
		for _, x := range p.Patterns {
			c.pattern(x, names)
		}
		for _, x := range p.KeywordPatterns {
			c.pattern(x, names)
		}
	case *MatchOr:
		c.alternatives(p, names)
	}
}

func (c *checker) mappingKeys(p *MatchMapping) {
	seen := map[any]bool{}
	for _, k := range p.Keys {
		c.expr(k)
		if lit, ok := k.(*Constant); ok {
			if seen[lit.Value] {
				failNode(p, "mapping pattern checks duplicate key (%s)", constantText(lit.Value))
			}
			seen[lit.Value] = true
		}
	}
}

func constantText(v any) string {
	if s, ok := v.(string); ok {
		return "'" + strings.ReplaceAll(s, "'", `\'`) + "'"
	}
	return fmt.Sprint(v)
}

// alternatives holds the sides of an or-pattern to binding the same names.
func (c *checker) alternatives(p *MatchOr, names map[string]bool) {
	var first map[string]bool
	for i, x := range p.Patterns {
		if i < len(p.Patterns)-1 {
			reachable(x)
		}
		own := map[string]bool{}
		for n := range names {
			own[n] = true
		}
		c.pattern(x, own)
		if first == nil {
			first = own
			continue
		}
		same := len(first) == len(own)
		for n := range own {
			same = same && first[n]
		}
		if !same {
			failNode(p, "alternative patterns bind different names")
		}
	}
	for n := range first {
		names[n] = true
	}
}
