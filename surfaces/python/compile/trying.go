package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

func (c *compiler) raise(s *syntax.Raise) exec {
	at := s.Span
	if s.Exc == nil {
		return func(f *frame) (signal, *exception) {
			n := len(f.t.Handled)
			if n == 0 {
				return next, f.at(f.t.Raise(object.RuntimeError, "No active exception to reraise"), at)
			}
			return next, f.t.Handled[n-1]
		}
	}
	exc := c.expr(s.Exc)
	var cause eval
	if s.Cause != nil {
		cause = c.expr(s.Cause)
	}
	return func(f *frame) (signal, *exception) {
		v, x := exc(f)
		if x != nil {
			return next, x
		}
		e, x := f.t.ToException(v, value{})
		if x != nil {
			return next, f.at(x, at)
		}
		if cause != nil {
			w, x := cause(f)
			if x != nil {
				return next, x
			}
			if x := f.setCause(e, w); x != nil {
				return next, f.at(x, at)
			}
		}
		if len(e.Trace) > 0 {
			f.chain(e)
		}
		return next, f.at(e, at)
	}
}

func (f *frame) setCause(e *exception, w value) *exception {
	if w.IsNone() {
		e.Cause, e.Suppress = nil, true
		return nil
	}
	c, x := f.t.ToException(w, value{})
	if x != nil {
		if _, isException := w.Exception(); !isException {
			if k, isClass := w.AsClass(); !isClass || !k.IsSubclass(object.BaseException) {
				return f.t.RaiseType("exception causes must derive from BaseException")
			}
		}
		return x
	}
	e.Cause, e.Suppress = c, true
	return nil
}

// handler is an except clause.
type handler struct {
	class eval // nil for a bare except
	at    syntax.Span
	store func(f *frame, v value)
	unset func(f *frame) // of the name, after the block
	body  exec
}

func (c *compiler) handlers(s *syntax.Try) []handler {
	out := make([]handler, len(s.Handlers))
	for i, h := range s.Handlers {
		k := &out[i]
		if h.Type != nil {
			k.class = c.expr(h.Type)
			k.at = syntax.Place(h.Type)
		}
		if h.Name != "" {
			v := c.resolve(h.Name)
			k.store = c.store(v)
			set := k.store
			if v.place == inNames {
				k.unset = func(f *frame) { f.names.Delete(v.name) }
			} else {
				k.unset = func(f *frame) { set(f, value{}) }
			}
		}
		k.body = c.block(h.Body)
	}
	return out
}

// try compiles try with its except, else and finally.
func (c *compiler) try(s *syntax.Try) exec {
	body := c.block(s.Body)
	if len(s.Handlers) > 0 {
		hs := c.handlers(s)
		var other exec
		if len(s.OrElse) > 0 {
			other = c.block(s.OrElse)
		}
		if s.Star {
			body = tryStar(body, hs, other)
		} else {
			body = tryExcept(body, hs, other)
		}
	}
	if len(s.Finally) > 0 {
		return tryFinally(body, c.block(s.Finally))
	}
	return body
}

func tryExcept(body exec, hs []handler, other exec) exec {
	return func(f *frame) (signal, *exception) {
		k := f.m.mark()
		sig, x := body(f)
		if x == nil {
			if sig == next && other != nil {
				return other(f)
			}
			return sig, nil
		}
		if x.Limit != nil {
			return sig, x
		}
		f.m.release(k)
		return f.handle(x, hs)
	}
}

// handle finds the handler of an exception and runs it.
func (f *frame) handle(x *exception, hs []handler) (signal, *exception) {
	n := len(f.t.Handled)
	f.t.Handled = append(f.t.Handled, x)
	h, y := f.choose(x, hs)
	if h == nil {
		f.t.Handled = f.t.Handled[:n]
		if y != nil {
			return next, y
		}
		return next, x
	}
	if h.store != nil {
		h.store(f, x.Value())
	}
	sig, y := h.body(f)
	f.t.Handled = f.t.Handled[:n]
	if h.unset != nil {
		h.unset(f)
	}
	return sig, y
}

// choose finds the first clause that takes an exception.
func (f *frame) choose(x *exception, hs []handler) (*handler, *exception) {
	for i := range hs {
		h := &hs[i]
		if h.class == nil {
			return h, nil
		}
		v, y := h.class(f)
		if y != nil {
			return nil, y
		}
		hit, y := f.t.MatchException(x, v)
		if y != nil {
			return nil, f.at(y, h.at)
		}
		if hit {
			return h, nil
		}
	}
	return nil, nil
}

// tryFinally runs the last block whatever happened, except after a limit.
func tryFinally(body, last exec) exec {
	return func(f *frame) (signal, *exception) {
		k := f.m.mark()
		sig, x := body(f)
		if x != nil && x.Limit != nil {
			return sig, x
		}
		f.m.release(k)
		ret := f.ret
		n := len(f.t.Handled)
		if x != nil {
			f.t.Handled = append(f.t.Handled, x)
		}
		f.m.hold(ret)
		sig2, y := last(f)
		f.m.release(k)
		f.t.Handled = f.t.Handled[:n]
		if y != nil || sig2 != next {
			return sig2, y
		}
		f.ret = ret
		return sig, x
	}
}

// tryStar is except*: every clause takes its part of the group, and what is left
// is raised again.
func tryStar(body exec, hs []handler, other exec) exec {
	return func(f *frame) (signal, *exception) {
		k := f.m.mark()
		sig, x := body(f)
		if x == nil {
			if sig == next && other != nil {
				return other(f)
			}
			return sig, nil
		}
		if x.Limit != nil {
			return sig, x
		}
		f.m.release(k)
		return f.handleGroup(x, hs)
	}
}

func (f *frame) handleGroup(x *exception, hs []handler) (signal, *exception) {
	rest := x
	var raised []value
	var again []*exception // what clauses raised again, and what none took
	sig := next
	n := len(f.t.Handled)
	for i := range hs {
		if rest == nil {
			break
		}
		h := &hs[i]
		v, y := h.class(f)
		if y != nil {
			return next, y
		}
		match, left, y := f.splitStar(rest, v)
		if y != nil {
			return next, f.at(y, h.at)
		}
		if match == nil {
			continue
		}
		rest = left
		f.t.Handled = append(f.t.Handled, match)
		if h.store != nil {
			h.store(f, match.Value())
		}
		s, y := h.body(f)
		f.t.Handled = f.t.Handled[:n]
		if h.unset != nil {
			h.unset(f)
		}
		if y != nil {
			if y.Limit != nil {
				return next, y
			}
			if y == match && x.Exceptions(f.t) != nil {
				again = append(again, y.Leaves(f.t)...)
			} else {
				raised = append(raised, y.Value())
			}
		}
		if s != next {
			sig = s
		}
	}
	if x.Exceptions(f.t) == nil {
		// An exception that is no group was wrapped: one clause has run at most.
		if len(raised) > 0 {
			e, _ := raised[0].Exception()
			return next, e
		}
		return sig, rest
	}
	if rest != nil {
		again = append(again, rest.Leaves(f.t)...)
	}
	if len(again) > 0 {
		var y *exception
		if rest, y = f.t.ProjectGroup(x, again); y != nil {
			return next, y
		}
	}
	if len(raised) == 0 {
		return sig, rest
	}
	if rest != nil {
		raised = append(raised, rest.Value())
	}
	g, y := f.t.Construct(object.ExceptionGroup, []value{object.NewStr(""), object.NewList(raised)}, nil)
	if y != nil {
		return next, y
	}
	e, _ := g.Exception()
	return next, e
}

// splitStar parts an exception by a clause; one that is no group is wrapped.
func (f *frame) splitStar(x *exception, classes value) (match, rest, raised *exception) {
	if x.Exceptions(f.t) != nil {
		return f.t.SplitGroup(x, classes)
	}
	hit, y := f.t.MatchException(x, classes)
	if y != nil || !hit {
		return nil, x, y
	}
	g, y := f.t.Construct(object.ExceptionGroup, []value{object.NewStr(""), object.NewTuple([]value{x.Value()})}, nil)
	if y != nil {
		return nil, nil, y
	}
	e, _ := g.Exception()
	return e, nil, nil
}

// with compiles a with statement as nested ones of one item each.
func (c *compiler) with(s *syntax.With) exec {
	return c.withItems(s, 0)
}

func (c *compiler) withItems(s *syntax.With, i int) exec {
	item := s.Items[i]
	ctx := c.expr(item.Context)
	at := syntax.Place(item.Context)
	var target setter
	if item.Target != nil {
		target = c.target(item.Target)
	}
	var body exec
	if i+1 < len(s.Items) {
		body = c.withItems(s, i+1)
	} else {
		body = c.block(s.Body)
	}
	async := s.Async
	return func(f *frame) (signal, *exception) {
		m, x := ctx(f)
		if x != nil {
			return next, x
		}
		v, x := f.enterContext(m, async)
		if x != nil {
			return next, f.at(x, at)
		}
		k := f.m.mark()
		f.m.hold(m)
		sig := next
		if target != nil {
			x = target(f, v)
		}
		if x == nil {
			sig, x = body(f)
		}
		f.m.release(k)
		return f.exitContext(m, sig, x, async, at)
	}
}

func (f *frame) enterContext(m value, async bool) (value, *exception) {
	if async {
		v, ok, x := f.t.CallSpecial(m, "__aenter__")
		if x == nil && !ok {
			return value{}, f.t.RaiseType("'%s' object does not support the asynchronous context manager protocol", m.Class().Name)
		}
		if x != nil {
			return value{}, x
		}
		return f.t.Await(v)
	}
	return f.t.EnterContext(m)
}

// exitContext leaves a context after its block ended with a signal or exception.
func (f *frame) exitContext(m value, sig signal, x *exception, async bool, at syntax.Span) (signal, *exception) {
	if x != nil && x.Limit != nil {
		return sig, x
	}
	ret := f.ret
	n := len(f.t.Handled)
	if x != nil {
		f.t.Handled = append(f.t.Handled, x)
	}
	var suppress bool
	var y *exception
	if async {
		suppress, y = f.exitAsync(m, x)
	} else {
		suppress, y = f.t.ExitContext(m, x)
	}
	f.t.Handled = f.t.Handled[:n]
	f.ret = ret
	if y != nil {
		return next, f.at(y, at)
	}
	if x != nil && suppress {
		return next, nil
	}
	return sig, x
}

func (f *frame) exitAsync(m value, x *exception) (bool, *exception) {
	args := []value{object.None, object.None, object.None}
	if x != nil {
		args = []value{x.Cls.Value(), x.Value(), object.None}
	}
	r, _, y := f.t.CallSpecial(m, "__aexit__", args...)
	if y == nil {
		r, y = f.t.Await(r)
	}
	if y != nil || x == nil {
		return false, y
	}
	return f.t.Truth(r)
}
