package python

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Explain says what a program would do, from its text: which capabilities it
// calls, and what is wrong with those calls. Nothing runs.
func (s *session) Explain(ctx context.Context, program string) *surfaces.Plan {
	if fault := s.turn.Take(ctx); fault != nil {
		return &surfaces.Plan{Fault: fault}
	}
	defer s.turn.Give()
	s.release()
	s.meter.Reset(ctx, s.ws.LimitsFor(ctx))
	s.machine.Begin(s.meter)
	program, _ = withoutFence(program)
	p, fault := s.compile(program)
	if fault != nil {
		return &surfaces.Plan{Fault: fault}
	}
	x := &explainer{s: s, p: p, aliases: map[string]string{}, plan: &surfaces.Plan{}}
	x.imports()
	x.list(p.Module.Body, standing{})
	x.unknownNames()
	return x.plan
}

// standing is where in a program a node stands.
type standing struct {
	loop, branch, staged bool
}

// explainer walks a program and gathers the calls it contains.
type explainer struct {
	s       *session
	p       *compile.Program
	aliases map[string]string // names that imports bind, with what they stand for
	scopes  []*syntax.Scope   // of the functions around the current place
	plan    *surfaces.Plan
}

// imports notes the names under which the program imports tools.
func (x *explainer) imports() {
	x.p.Module.Walk(func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Import:
			for _, a := range n.Names {
				if x.s.servers().byName[a.Name] != nil && a.As != "" {
					x.aliases[a.As] = a.Name
				}
			}
		case *syntax.ImportFrom:
			if x.s.servers().byName[n.Module] == nil {
				break
			}
			for _, a := range n.Names {
				bound := a.As
				if bound == "" {
					bound = a.Name
				}
				x.aliases[bound] = n.Module + "." + a.Name
			}
		}
		return true
	})
}

func (x *explainer) list(body []syntax.Stmt, at standing) {
	for _, st := range body {
		x.node(st, at)
	}
}

func (x *explainer) exprs(list []syntax.Expr, at standing) {
	for _, e := range list {
		if e != nil {
			x.node(e, at)
		}
	}
}

// node visits a node; what repeats or may not happen is noted for what is inside.
func (x *explainer) node(n syntax.Node, at standing) {
	inLoop, inBranch := at, at
	inLoop.loop, inBranch.branch = true, true
	switch n := n.(type) {
	case *syntax.For:
		x.node(n.Iter, at)
		x.list(n.Body, inLoop)
		x.list(n.OrElse, inBranch)
	case *syntax.While:
		x.node(n.Test, inLoop)
		x.list(n.Body, inLoop)
		x.list(n.OrElse, inBranch)
	case *syntax.If:
		x.node(n.Test, at)
		x.list(n.Body, inBranch)
		x.list(n.OrElse, inBranch)
	case *syntax.IfExp:
		x.node(n.Test, at)
		x.node(n.Body, inBranch)
		x.node(n.OrElse, inBranch)
	case *syntax.BoolOp:
		x.node(n.Values[0], at)
		x.exprs(n.Values[1:], inBranch)
	case *syntax.Try:
		x.list(n.Body, at)
		for _, h := range n.Handlers {
			x.list(h.Body, inBranch)
		}
		x.list(n.OrElse, inBranch)
		x.list(n.Finally, at)
	case *syntax.Match:
		x.node(n.Subject, at)
		for _, c := range n.Cases {
			if c.Guard != nil {
				x.node(c.Guard, inBranch)
			}
			x.list(c.Body, inBranch)
		}
	case *syntax.With:
		x.with(n, at)
	case *syntax.FunctionDef:
		x.exprs(n.Decorators, at)
		x.inside(n, func() { x.list(n.Body, inBranch) })
	case *syntax.Lambda:
		x.inside(n, func() { x.node(n.Body, inBranch) })
	case *syntax.ListComp:
		x.comprehension(n, n.Generators, at, n.Elt)
	case *syntax.SetComp:
		x.comprehension(n, n.Generators, at, n.Elt)
	case *syntax.GeneratorExp:
		x.comprehension(n, n.Generators, at, n.Elt)
	case *syntax.DictComp:
		x.comprehension(n, n.Generators, at, n.Key, n.Value)
	case *syntax.Call:
		syntax.Children(n, func(k syntax.Node) { x.node(k, at) })
		x.call(n, at)
	default:
		syntax.Children(n, func(k syntax.Node) { x.node(k, at) })
	}
}

func (x *explainer) inside(n syntax.Node, visit func()) {
	x.scopes = append(x.scopes, x.p.Scopes.Of(n))
	visit()
	x.scopes = x.scopes[:len(x.scopes)-1]
}

func (x *explainer) comprehension(n syntax.Node, generators []*syntax.Comprehension, at standing, elements ...syntax.Expr) {
	x.node(generators[0].Iter, at)
	inner := at
	inner.loop = true
	x.inside(n, func() {
		for i, g := range generators {
			if i > 0 {
				x.node(g.Iter, inner)
			}
			x.exprs(g.Ifs, inner)
			if len(g.Ifs) > 0 {
				inner.branch = true
			}
		}
		x.exprs(elements, inner)
	})
}

// with visits a with statement: one of stage() holds back the effects inside.
func (x *explainer) with(n *syntax.With, at standing) {
	inner := at
	for _, i := range n.Items {
		x.node(i.Context, inner)
		if c, ok := i.Context.(*syntax.Call); ok {
			if f, ok := c.Func.(*syntax.Name); ok && x.free(f.ID) && strings.TrimSuffix(f.ID, longSuffix) == "stage" && !x.s.yields(f.ID) {
				inner.staged = true
			}
		}
	}
	x.list(n.Body, inner)
}

// free reports whether a name is none of the program's own at the current place.
func (x *explainer) free(n string) bool {
	for _, sc := range x.scopes {
		if sym := sc.Lookup(n); sym != nil && sym.Assigned() {
			return false
		}
	}
	if _, ok := x.aliases[n]; ok {
		return true
	}
	if sym := x.p.Scopes.Module.Lookup(n); sym != nil && sym.Assigned() && !imports(x.p, n) {
		return false
	}
	v, ok := x.s.machine.Get(n)
	return !ok || v.Kind() == object.KindModule || x.s.capabilityOfValue(v) != nil
}

// spelled gives how a called expression spells a capability: a free name, or a
// member of one. fromServer says that at least the server is known.
func (x *explainer) spelled(fn syntax.Expr) (spelled string, fromServer bool) {
	switch fn := fn.(type) {
	case *syntax.Name:
		if !x.free(fn.ID) {
			return "", false
		}
		if full, ok := x.aliases[fn.ID]; ok {
			return full, strings.Contains(full, ".")
		}
		return fn.ID, false
	case *syntax.Attribute:
		base, ok := fn.Value.(*syntax.Name)
		if !ok || !x.free(base.ID) {
			return "", false
		}
		server := base.ID
		if full, ok := x.aliases[server]; ok {
			server = full
		}
		return server + "." + fn.Attr, x.s.servers().byName[server] != nil
	}
	return "", false
}

// call records a call of a capability.
func (x *explainer) call(e *syntax.Call, at standing) {
	spelled, fromServer := x.spelled(e.Func)
	if spelled == "" {
		return
	}
	fn, ok := x.s.capabilityNamed(spelled)
	if !ok && !fromServer || !ok && x.standard(spelled) {
		return
	}
	line, column := x.p.Module.Lines.Position(e.Start)
	c := surfaces.PlannedCall{
		Function: spelled, Effect: toolfn.Unknown.String(), Line: line, Column: column,
		InLoop: at.loop, Conditional: at.branch, Staged: at.staged,
	}
	c.Args, c.Computed = x.arguments(e, fn)
	if ok {
		c.Function, c.Effect = fn.Name, fn.Effect.Impact.String()
		c.Staged = at.staged && !fn.Effect.Reads()
		c.Problem = problem(fn, c)
	} else {
		server, member, _ := strings.Cut(spelled, ".")
		c.Problem = shortKey(spelled) + " is not a function here. " + x.s.unknownFunction(missingFunction{x.s.servers().byName[server], member})
	}
	x.plan.Calls = append(x.plan.Calls, c)
}

// standard reports whether a dotted name is one of a standard module that has the
// name of a server.
func (x *explainer) standard(spelled string) bool {
	server, member, _ := strings.Cut(spelled, ".")
	_, ok, err := x.s.standard(x.s.machine.T, server, member)
	return ok && err == nil
}

// arguments separates the literal arguments of a call from the computed ones.
func (x *explainer) arguments(e *syntax.Call, fn *toolfn.ToolFn) (*value.Object, []string) {
	args := value.NewObject(4)
	var computed []string
	for _, a := range e.Args {
		d, isDict := a.(*syntax.Dict)
		switch v, ok := literalOf(a); {
		case len(e.Args) > 1:
			computed = append(computed, "*")
		case isDict:
			computed = append(computed, dictArguments(args, d)...)
		case ok && fn != nil && scalar(v):
			if n, sole := fn.SoleParameter(); sole {
				args.Set(n, v)
				continue
			}
			computed = append(computed, "*")
		default:
			computed = append(computed, "*")
		}
	}
	for _, k := range e.Keywords {
		if k.Arg == "" {
			computed = append(computed, "**")
		} else if v, ok := literalOf(k.Value); ok {
			args.Set(k.Arg, v)
		} else {
			computed = append(computed, k.Arg)
		}
	}
	return args, computed
}

func dictArguments(args *value.Object, d *syntax.Dict) (computed []string) {
	for i, k := range d.Keys {
		c, ok := k.(*syntax.Constant)
		name, isText := "", false
		if ok {
			name, isText = c.Value.(string)
		}
		if !isText {
			computed = append(computed, "**")
			continue
		}
		if v, ok := literalOf(d.Values[i]); ok {
			args.Set(name, v)
		} else {
			computed = append(computed, name)
		}
	}
	return computed
}

// literalOf gives the data that an expression spells out.
func literalOf(e syntax.Expr) (value.Value, bool) {
	switch e := e.(type) {
	case *syntax.Constant:
		switch v := e.Value.(type) {
		case syntax.NoneValue:
			return nil, true
		case bool, int64, float64, string:
			return v, true
		}
	case *syntax.UnaryOp:
		v, ok := literalOf(e.Operand)
		if !ok || e.Op != "-" {
			return nil, false
		}
		switch n := v.(type) {
		case int64:
			return -n, true
		case float64:
			return -n, true
		}
	case *syntax.List:
		return literalList(e.Elts)
	case *syntax.Tuple:
		return literalList(e.Elts)
	case *syntax.Dict:
		o := value.NewObject(len(e.Keys))
		return o, len(dictArguments(o, e)) == 0
	}
	return nil, false
}

func literalList(elements []syntax.Expr) (value.Value, bool) {
	list := make([]value.Value, len(elements))
	for i, el := range elements {
		v, ok := literalOf(el)
		if !ok {
			return nil, false
		}
		list[i] = v
	}
	return list, true
}

// problem checks the arguments of a call as far as the text tells them.
func problem(fn *toolfn.ToolFn, c surfaces.PlannedCall) string {
	if len(c.Computed) == 0 {
		_, err := fn.Check(c.Args)
		return faultText(err)
	}
	names, required := fn.Parameters()
	given := slices.Clone(c.Computed)
	for k := range c.Args.All() {
		given = append(given, k)
	}
	open := slices.Contains(given, "**") || slices.Contains(given, "*")
	for _, n := range names[:required] {
		if !open && !slices.Contains(given, n) {
			return "It needs " + n + "."
		}
	}
	if len(names) == 0 || fn.Input.AdditionalProperties != nil && fn.Input.AdditionalProperties.Not == nil {
		return ""
	}
	for _, g := range given {
		if g == "**" || g == "*" || slices.Contains(names, g) {
			continue
		}
		text := "It has no parameter '" + shortKey(g) + "'."
		if near, ok := sandbox.Nearest(g, names); ok {
			text += " Did you mean " + near + "?"
		}
		return text
	}
	return ""
}

func faultText(err error) string {
	if err == nil {
		return ""
	}
	var f *sandbox.Fault
	if errors.As(err, &f) {
		f = respelled(f)
		return strings.TrimSpace(f.Message + " " + f.Hint)
	}
	return err.Error()
}

// unknownNames notes the names that a program uses and nothing defines.
func (x *explainer) unknownNames() {
	seen := map[string]bool{}
	x.p.Module.Walk(func(n syntax.Node) bool {
		e, ok := n.(*syntax.Name)
		if !ok || seen[e.ID] || len(x.plan.Notes) == mostNotes {
			return true
		}
		seen[e.ID] = true
		if !x.boundSomewhere(e.ID) && !x.s.knows(e.ID) {
			x.plan.Notes = append(x.plan.Notes, strings.TrimSpace("name '"+shortKey(e.ID)+"' is not defined. "+x.s.unknownName(e.ID)))
		}
		return true
	})
}

// boundSomewhere reports whether any scope of the program binds a name.
func (x *explainer) boundSomewhere(n string) bool {
	var binds func(sc *syntax.Scope) bool
	binds = func(sc *syntax.Scope) bool {
		if sym := sc.Lookup(n); sym != nil && sym.Assigned() {
			return true
		}
		return slices.ContainsFunc(sc.Children, binds)
	}
	return binds(x.p.Scopes.Module)
}

// knows reports whether a name is a builtin or one of the session's.
func (s *session) knows(n string) bool {
	if _, ok := s.machine.Get(n); ok || n == lastValue || strings.HasPrefix(n, "__") {
		return true
	}
	if _, ok := object.Builtins().Get(n); ok {
		return true
	}
	return s.builtin(n).IsSet() || s.tool(n).IsSet() || s.ws.Defines(name, n)
}
