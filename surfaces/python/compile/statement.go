package compile

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// block compiles statements. A run of them is charged at once, when it begins.
func (c *compiler) block(list []syntax.Stmt) exec {
	if c.u.resume && anyYield(list) {
		return c.resumable(list)
	}
	nodes := c.nodes
	c.nodes = 0
	var body []exec
	for _, s := range list {
		c.nodes++
		if e := c.statement(s); e != nil {
			body = append(body, e)
		}
	}
	cost := c.nodes
	c.nodes = nodes
	var at syntax.Span
	if len(list) > 0 {
		at = firstLine(list[0])
	}
	switch len(body) {
	case 0:
		return func(f *frame) (signal, *exception) {
			if x := f.t.Charge(cost); x != nil {
				return next, f.at(x, at)
			}
			return next, nil
		}
	case 1:
		only := body[0]
		return func(f *frame) (signal, *exception) {
			if x := f.t.Charge(cost); x != nil {
				return next, f.at(x, at)
			}
			return only(f)
		}
	case 2:
		a, b := body[0], body[1]
		return func(f *frame) (signal, *exception) {
			if x := f.t.Charge(cost); x != nil {
				return next, f.at(x, at)
			}
			if sig, x := a(f); x != nil || sig != next {
				return sig, x
			}
			return b(f)
		}
	}
	return func(f *frame) (signal, *exception) {
		if x := f.t.Charge(cost); x != nil {
			return next, f.at(x, at)
		}
		for _, s := range body {
			if sig, x := s(f); x != nil || sig != next {
				return sig, x
			}
		}
		return next, nil
	}
}

// firstLine is the place of a statement that a fault of its block points to.
func firstLine(s syntax.Stmt) syntax.Span {
	switch s := s.(type) {
	case *syntax.FunctionDef:
		return s.NameAt
	case *syntax.ClassDef:
		return s.NameAt
	}
	return syntax.Place(s)
}

// statement compiles one statement; nil for one that does nothing.
func (c *compiler) statement(s syntax.Stmt) exec {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		return c.expression(s)
	case *syntax.Assign:
		return c.assign(s)
	case *syntax.AugAssign:
		return c.augment(s)
	case *syntax.AnnAssign:
		return c.annotated(s)
	case *syntax.Return:
		return c.returned(s)
	case *syntax.If:
		return c.ifs(s)
	case *syntax.While:
		return c.while(s)
	case *syntax.For:
		return c.loop(s)
	case *syntax.FunctionDef:
		return c.decorated(s.Name, s.NameAt, s.Decorators, c.function(s))
	case *syntax.ClassDef:
		return c.decorated(s.Name, s.NameAt, s.Decorators, c.class(s))
	case *syntax.Pass, *syntax.Global, *syntax.Nonlocal:
		return nil
	case *syntax.Break:
		return func(*frame) (signal, *exception) { return breaks, nil }
	case *syntax.Continue:
		return func(*frame) (signal, *exception) { return continues, nil }
	case *syntax.Delete:
		return c.delete(s)
	case *syntax.Raise:
		return c.raise(s)
	case *syntax.Try:
		return c.try(s)
	case *syntax.With:
		return c.with(s)
	case *syntax.Assert:
		return c.assert(s)
	case *syntax.Import:
		return c.imports(s)
	case *syntax.ImportFrom:
		return c.importFrom(s)
	case *syntax.Match:
		return c.match(s)
	case *syntax.TypeAlias:
		store := c.store(c.resolve(s.Name.ID))
		return func(f *frame) (signal, *exception) {
			store(f, object.Object.Value())
			return next, nil
		}
	}
	c.reject(s, "this statement is not available")
	return nil
}

// expression compiles an expression statement; at the top level its value is kept
// as the program's.
func (c *compiler) expression(s *syntax.ExprStmt) exec {
	if _, ok := constantOf(s.Value); ok && !c.u.isMod {
		return nil
	}
	v := c.expr(s.Value)
	if !c.u.isMod {
		return func(f *frame) (signal, *exception) {
			_, x := v(f)
			return next, x
		}
	}
	return func(f *frame) (signal, *exception) {
		r, x := v(f)
		if x == nil {
			f.last = r
		}
		return next, x
	}
}

func (c *compiler) returned(s *syntax.Return) exec {
	if s.Value == nil {
		return func(f *frame) (signal, *exception) {
			f.ret = object.None
			return returns, nil
		}
	}
	v := c.expr(s.Value)
	return func(f *frame) (signal, *exception) {
		r, x := v(f)
		f.ret = r
		return returns, x
	}
}

func (c *compiler) ifs(s *syntax.If) exec {
	test := c.condition(s.Test)
	body, other := c.block(s.Body), exec(nil)
	if len(s.OrElse) > 0 {
		other = c.block(s.OrElse)
	}
	return func(f *frame) (signal, *exception) {
		b, x := test(f)
		if x != nil {
			return next, x
		}
		if b {
			return body(f)
		}
		if other != nil {
			return other(f)
		}
		return next, nil
	}
}

// isolated compiles with a node count of its own, and gives the count.
func (c *compiler) isolated(compile func()) int64 {
	nodes := c.nodes
	c.nodes = 0
	compile()
	n := c.nodes
	c.nodes = nodes
	return n
}

func (c *compiler) while(s *syntax.While) exec {
	var test func(f *frame) (bool, *exception)
	cost := c.isolated(func() { test = c.condition(s.Test) }) + 1
	body := c.block(s.Body)
	var other exec
	if len(s.OrElse) > 0 {
		other = c.block(s.OrElse)
	}
	at := syntax.Place(s.Test)
	return func(f *frame) (signal, *exception) {
		for {
			if x := f.t.Charge(cost); x != nil {
				return next, f.at(x, at)
			}
			b, x := test(f)
			if x != nil {
				return next, x
			}
			if !b {
				break
			}
			sig, x := body(f)
			if x != nil || sig == returns {
				return sig, x
			}
			if sig == breaks {
				return next, nil
			}
		}
		if other != nil {
			return other(f)
		}
		return next, nil
	}
}

// loop compiles a for.
func (c *compiler) loop(s *syntax.For) exec {
	iter := c.expr(s.Iter)
	async := s.Async
	at := syntax.Place(s.Iter)
	target := c.target(s.Target)
	slot, isSlot := -1, false
	if n, ok := s.Target.(*syntax.Name); ok {
		if v := c.resolve(n.ID); v.place == inSlot {
			slot, isSlot = v.i, true
		}
	}
	body := c.block(s.Body)
	var other exec
	if len(s.OrElse) > 0 {
		other = c.block(s.OrElse)
	}
	finish := func(f *frame) (signal, *exception) {
		if other != nil {
			return other(f)
		}
		return next, nil
	}
	made := calledName(s.Iter)
	return func(f *frame) (signal, *exception) {
		v, x := iter(f)
		if x != nil {
			return next, x
		}
		if r, ok := v.Range(); ok && isSlot && !async {
			n := r.Start
			for range r.Len() {
				f.slots[slot] = object.Int(n)
				n += r.Step
				sig, x := body(f)
				if x != nil || sig == returns {
					return sig, x
				}
				if sig == breaks {
					return next, nil
				}
			}
			return finish(f)
		}
		it, x := f.iterate(v, async)
		if x != nil {
			return next, f.at(x, at)
		}
		k := f.m.mark()
		f.m.hold(object.IterValue(it))
		defer f.m.release(k)
		for {
			w, x := it.Next(f.t)
			if x != nil {
				return next, f.at(x, at)
			}
			if !w.IsSet() {
				break
			}
			if isSlot {
				f.slots[slot] = w
			} else if x := target(f, w); x != nil {
				return next, f.abandon(it, made, x)
			}
			sig, x := body(f)
			if x != nil || sig == returns {
				return sig, f.abandon(it, made, x)
			}
			if sig == breaks {
				return next, f.abandon(it, made, nil)
			}
		}
		return finish(f)
	}
}

// calledName is the name of what an expression calls, "" if it is no plain call.
func calledName(e syntax.Expr) string {
	c, ok := e.(*syntax.Call)
	if !ok {
		return ""
	}
	switch f := c.Func.(type) {
	case *syntax.Name:
		return f.ID
	case *syntax.Attribute:
		return f.Attr
	}
	return ""
}

// abandon closes the generator of a loop that ends early, if a call in the loop's
// head has made it: nothing else holds it, and CPython would run its finally
// clauses when the last reference goes. What they raise is lost there too.
func (f *frame) abandon(it object.Iterator, made string, x *exception) *exception {
	g, ok := it.(*object.Generator)
	if !ok || made == "" || g.Coroutine || g.Name != made && !strings.HasSuffix(g.Name, "."+made) || g.Done() || x != nil && x.Limit != nil {
		return x
	}
	if y := g.Close(f.t); y != nil && y.Limit != nil {
		return y
	}
	return x
}

// iterate gives the iterator of a for, or of an async for, which waits for each
// value on the spot.
func (f *frame) iterate(v value, async bool) (object.Iterator, *exception) {
	if async {
		return f.t.AsyncIter(v)
	}
	return f.t.Iter(v)
}

// decorated compiles a definition with its decorators and its name.
func (c *compiler) decorated(name string, nameAt syntax.Span, decorators []syntax.Expr, def eval) exec {
	decs := c.exprs(decorators)
	store := c.store(c.resolve(name))
	ats := make([]syntax.Span, len(decorators))
	for i, d := range decorators {
		ats[i] = syntax.Place(d)
	}
	_ = nameAt
	return func(f *frame) (signal, *exception) {
		k := f.m.mark()
		fns := make([]value, len(decs))
		for i, d := range decs {
			v, x := d(f)
			if x != nil {
				f.m.release(k)
				return next, x
			}
			fns[i] = v
			f.m.hold(v)
		}
		v, x := def(f)
		for i := len(fns) - 1; i >= 0 && x == nil; i-- {
			if v, x = f.t.Call(fns[i], v); x != nil {
				x = f.at(x, ats[i])
			}
		}
		f.m.release(k)
		if x != nil {
			return next, x
		}
		store(f, v)
		return next, nil
	}
}

func (c *compiler) assert(s *syntax.Assert) exec {
	test := c.condition(s.Test)
	var message eval
	if s.Message != nil {
		message = c.expr(s.Message)
	}
	at := s.Span
	return func(f *frame) (signal, *exception) {
		b, x := test(f)
		if x != nil || b {
			return next, x
		}
		e := object.NewException(object.AssertionError)
		if message != nil {
			m, x := message(f)
			if x != nil {
				return next, x
			}
			e.Args = []value{m}
		}
		return next, f.at(e, at)
	}
}

func (c *compiler) delete(s *syntax.Delete) exec {
	var dels []func(f *frame) *exception
	for _, t := range s.Targets {
		dels = append(dels, c.del(t))
	}
	return func(f *frame) (signal, *exception) {
		for _, d := range dels {
			if x := d(f); x != nil {
				return next, x
			}
		}
		return next, nil
	}
}

func (c *compiler) del(e syntax.Expr) func(f *frame) *exception {
	at := syntax.Place(e)
	switch e := e.(type) {
	case *syntax.Name:
		return c.unset(c.resolve(e.ID), e.Span)
	case *syntax.Attribute:
		v := c.expr(e.Value)
		name := c.u.layer().scope.Mangle(e.Attr)
		return func(f *frame) *exception {
			o, x := v(f)
			if x != nil {
				return x
			}
			if x := f.t.SetAttr(o, name, value{}); x != nil {
				return f.at(x, at)
			}
			return nil
		}
	case *syntax.Subscript:
		v, k := c.expr(e.Value), holding(c.expr(e.Index), simple(e.Index))
		return func(f *frame) *exception {
			o, x := v(f)
			if x != nil {
				return x
			}
			key, x := k(f, o)
			if x != nil {
				return x
			}
			if x := f.t.DelItem(o, key); x != nil {
				return f.at(x, at)
			}
			return nil
		}
	case *syntax.Tuple, *syntax.List:
		var list []func(f *frame) *exception
		for _, t := range elts(e) {
			list = append(list, c.del(t))
		}
		return func(f *frame) *exception {
			for _, d := range list {
				if x := d(f); x != nil {
					return x
				}
			}
			return nil
		}
	}
	c.reject(e, "cannot delete this")
	return nil
}

func elts(e syntax.Expr) []syntax.Expr {
	switch e := e.(type) {
	case *syntax.Tuple:
		return e.Elts
	case *syntax.List:
		return e.Elts
	}
	return nil
}
