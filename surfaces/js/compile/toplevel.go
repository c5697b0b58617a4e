package compile

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// program rewrites the body of a program: declarations become assignments to the
// scope object, and the completion value is returned.
func (r *rewriter) program(t *tree) {
	start := t.body.LeftBrace
	last := lastStatement(t.body.List)
	var hoisted, rest []ast.Statement
	result := false
	for _, s := range t.body.List {
		switch d := s.(type) {
		case *ast.EmptyStatement:
		case *ast.FunctionDeclaration:
			hoisted = append(hoisted, r.topFunction(d))
		case *ast.ClassDeclaration:
			rest = append(rest, r.topClass(d))
		case *ast.LexicalDeclaration:
			rest = append(rest, r.topBindings(d.List, d.Token)...)
		case *ast.VariableStatement:
			rest = append(rest, r.topBindings(d.List, token.VAR)...)
		default:
			if s != last {
				rest = append(rest, r.statement(s))
				continue
			}
			var added bool
			s, added = r.lastValue(s)
			result = result || added
			rest = append(rest, s)
		}
	}
	t.arrow.DeclarationList = nil
	r.units++
	head := []ast.Statement{r.tick(start)}
	if result {
		head = append(head, &ast.LexicalDeclaration{Idx: start, Token: token.LET, List: []*ast.Binding{{Target: r.result(start)}}})
		rest = append(rest, &ast.ReturnStatement{Return: t.body.RightBrace, Argument: r.result(t.body.RightBrace)})
	}
	t.body.List = append(append(head, hoisted...), rest...)
	t.arrow.Async = r.out.Async
}

func (r *rewriter) result(at file.Idx) *ast.Identifier {
	return &ast.Identifier{Name: resultName, Idx: at}
}

// lastStatement gives the last statement that is not empty. A function declared
// below the code that uses it is not what the program ends with.
func lastStatement(list []ast.Statement) ast.Statement {
	var declared ast.Statement
	for i := len(list) - 1; i >= 0; i-- {
		switch list[i].(type) {
		case *ast.EmptyStatement:
		case *ast.FunctionDeclaration:
			if declared == nil {
				declared = list[i]
			}
		case *ast.LexicalDeclaration, *ast.VariableStatement, *ast.ClassDeclaration:
			if declared != nil {
				return declared
			}
			return list[i]
		default:
			return list[i]
		}
	}
	return declared
}

// set makes the statement that initialises a top-level name.
func (r *rewriter) set(id *ast.Identifier, e ast.Expression) ast.Statement {
	r.cost(2, bytesName)
	return &ast.ExpressionStatement{Expression: &ast.AssignExpression{Operator: token.ASSIGN, Left: r.initial(id), Right: named(id.Name, e)}}
}

func (r *rewriter) topFunction(d *ast.FunctionDeclaration) ast.Statement {
	id := d.Function.Name
	r.function(d.Function)
	// Within itself the name stands for the top-level name, which a later program
	// may declare again; an expression's own name would hide that.
	d.Function.Name = nil
	return r.set(id, d.Function)
}

func (r *rewriter) topClass(d *ast.ClassDeclaration) ast.Statement {
	r.class(d.Class)
	return r.set(d.Class.Name, d.Class)
}

// topBindings turns the bindings of a declaration into assignments. A var without
// an initialiser assigns nothing.
func (r *rewriter) topBindings(list []*ast.Binding, how token.Token) []ast.Statement {
	var out []ast.Statement
	for _, b := range list {
		r.units++
		value := r.expression(b.Initializer)
		id, plain := b.Target.(*ast.Identifier)
		switch {
		case plain && value != nil:
			out = append(out, r.set(id, value))
		case plain && how == token.CONST:
			refuse(id.Idx, "a const declaration needs a value.", "Give it one, or write let.")
		case plain && how == token.LET:
			out = append(out, r.set(id, void(id.Idx)))
		case plain:
		default:
			bind := &ast.AssignExpression{Operator: token.ASSIGN, Left: r.pattern(b.Target, r.initial), Right: value}
			out = append(out, &ast.ExpressionStatement{Expression: r.chargeAssign(bind)})
		}
	}
	return out
}

// topVar reports whether a var declaration, wherever it stands, declares
// top-level names.
func (r *rewriter) topVar(list []*ast.Binding) bool {
	top := false
	for _, b := range list {
		names(b.Target, func(id *ast.Identifier) {
			if v := r.refs[id]; v != nil && v.top {
				top = true
			}
		})
	}
	return top
}

// varAssignments turns a var declaration of top-level names into one expression;
// nil where there is nothing to assign or the names are a function's own.
func (r *rewriter) varAssignments(list *[]*ast.Binding) ast.Expression {
	if !r.topVar(*list) {
		*list = r.bindings(*list)
		return nil
	}
	var all []ast.Expression
	for _, s := range r.topBindings(*list, token.VAR) {
		all = append(all, s.(*ast.ExpressionStatement).Expression)
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &ast.SequenceExpression{Sequence: all}
}

func (r *rewriter) varStatement(s *ast.VariableStatement) ast.Statement {
	e := r.varAssignments(&s.List)
	switch {
	case e != nil:
		return &ast.ExpressionStatement{Expression: e}
	case r.topVar(s.List):
		return &ast.EmptyStatement{Semicolon: s.Var}
	}
	return s
}

// lastValue rewrites the last statement so that its completion value (ECMA-262
// section 14, UpdateEmpty) is returned or kept in the result variable.
func (r *rewriter) lastValue(s ast.Statement) (ast.Statement, bool) {
	if e, ok := s.(*ast.ExpressionStatement); ok {
		return &ast.ReturnStatement{Return: e.Idx0(), Argument: r.expression(e.Expression)}, false
	}
	s = r.statement(s)
	switch s.(type) {
	case *ast.ReturnStatement, *ast.ThrowStatement:
		return s, false
	}
	r.keep(&s, false)
	return s, true
}

// keep stores the value of every expression statement that may be the last to
// run. Inside a loop, a statement with a value of its own forgets the value of the
// turn before.
func (r *rewriter) keep(p *ast.Statement, loop bool) {
	switch s := (*p).(type) {
	case *ast.ExpressionStatement:
		s.Expression = r.keepExpression(s.Expression)
	case *ast.BlockStatement:
		r.keepAll(s.List, loop)
	case *ast.IfStatement:
		if inserted(s.Test) {
			return // a tick
		}
		r.keep(&s.Consequent, loop)
		if s.Alternate != nil {
			r.keep(&s.Alternate, loop)
		}
		r.forget(p, loop)
	case *ast.TryStatement:
		r.keepAll(s.Body.List, loop)
		if s.Catch != nil {
			r.keepAll(s.Catch.Body.List, loop)
		}
		r.forget(p, loop)
	case *ast.SwitchStatement:
		for _, c := range s.Body {
			r.keepAll(c.Consequent, loop)
		}
		r.forget(p, loop)
	case *ast.LabelledStatement:
		r.keep(&s.Statement, loop)
	case *ast.ForStatement:
		r.keep(&s.Body, true)
	case *ast.ForOfStatement:
		r.keep(&s.Body, true)
	case *ast.ForInStatement:
		r.keep(&s.Body, true)
	case *ast.WhileStatement:
		r.keep(&s.Body, true)
	case *ast.DoWhileStatement:
		r.keep(&s.Body, true)
	}
}

// inserted reports whether a test is a hook, so that its statement is none of the
// program's.
func inserted(test ast.Expression) bool {
	if c, ok := test.(*ast.CallExpression); ok {
		test = c.Callee
	}
	id, ok := test.(*ast.Identifier)
	return ok && id.Name[0] == '%'
}

func (r *rewriter) keepAll(list []ast.Statement, loop bool) {
	for i := range list {
		r.keep(&list[i], loop)
	}
}

func (r *rewriter) keepExpression(e ast.Expression) ast.Expression {
	return &ast.AssignExpression{Operator: token.ASSIGN, Left: r.result(e.Idx0()), Right: e}
}

func (r *rewriter) forget(p *ast.Statement, loop bool) {
	if !loop {
		return
	}
	at := (*p).Idx0()
	*p = &ast.BlockStatement{LeftBrace: at, RightBrace: at, List: []ast.Statement{
		&ast.ExpressionStatement{Expression: r.keepExpression(void(at))}, *p,
	}}
}

// enclose puts the program's function into the one that takes the hooks.
func (r *rewriter) enclose(t *tree) {
	start := t.body.LeftBrace
	list := make([]*ast.Binding, len(r.out.params))
	for i, p := range r.out.params {
		list[i] = &ast.Binding{Target: &ast.Identifier{Name: unistring.String(p.name), Idx: start}}
	}
	// A function, not an arrow: in strict code its this is what it is called with,
	// where an arrow's would be the global object.
	outer := &ast.FunctionLiteral{
		Function:      start,
		ParameterList: &ast.ParameterList{Opening: start, List: list, Closing: start},
		Body: &ast.BlockStatement{LeftBrace: start, RightBrace: start, List: []ast.Statement{
			&ast.ReturnStatement{Return: start, Argument: t.arrow},
		}},
	}
	t.program.Body[0].(*ast.ExpressionStatement).Expression = outer
}
