package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// newFrame makes a frame that outlives the call that made it.
func newFrame(m *Machine, c *code) *frame {
	f := &frame{m: m, t: m.T, code: c, slots: make([]value, c.nslots)}
	if c.ncells > 0 {
		f.cells = make([]*cell, c.ncells)
	}
	if c.nstate > 0 {
		f.state = make([]int32, c.nstate)
	}
	if c.nsaved > 0 {
		f.saved = make([]saved, c.nsaved)
	}
	return f
}

// push puts a generator's frame on top of the calls in progress; pop undoes it.
func (m *Machine) push(f *frame) *frame {
	if m.depth == len(m.frames) {
		m.frames = append(m.frames, &frame{m: m, t: m.T})
	}
	was := m.frames[m.depth]
	m.frames[m.depth] = f
	m.depth++
	return was
}

func (m *Machine) pop(was *frame) {
	m.depth--
	m.frames[m.depth] = was
}

// generator makes the generator or coroutine of a call.
func (k *closure) generator(fn *object.Function, args []value, names []string) (value, *exception) {
	c := k.code
	if x := k.m.T.Alloc(400 + 16*c.nslots + 80*c.nsaved); x != nil {
		return value{}, x
	}
	f := newFrame(k.m, c)
	f.free, f.class = k.free, k.class
	if x := k.bind(f, fn, args, names); x != nil {
		return value{}, x
	}
	g := object.NewGenerator(fn.Qual, c.async && !c.generator, func(_ *object.Thread, sent value, thrown *exception) (value, bool, *exception) {
		return f.resume(sent, thrown)
	})
	g.Visit = func(visit func(value)) int {
		f.roots(visit)
		return 400 + 16*len(f.slots)
	}
	if c.async && c.generator {
		return object.Box(object.NewAsyncGenerator(g)), nil
	}
	return object.Box(g), nil
}

// resume runs the body from where it waits.
func (f *frame) resume(sent value, thrown *exception) (value, bool, *exception) {
	f.sent, f.thrown = sent, thrown
	was := f.m.push(f)
	k := f.m.mark()
	sig, x := f.code.body(f)
	f.m.release(k)
	f.m.pop(was)
	if x != nil {
		return value{}, true, x
	}
	switch sig {
	case yields:
		f.resuming = true
		v := f.ret
		f.ret = value{}
		return v, false, nil
	case returns:
		return f.ret, true, nil
	}
	return object.None, true, nil
}

// wait gives a value out of the generator.
func (f *frame) wait(v value) (signal, *exception) {
	f.ret = v
	return yields, nil
}

// wake takes what was sent or thrown after a wait.
func (f *frame) wake() (value, *exception) {
	f.resuming = false
	v, x := f.sent, f.thrown
	f.sent, f.thrown = object.None, nil
	return v, x
}

// resumable compiles the statements of a generator that wait somewhere inside: the
// place reached is kept in the frame's state.
func (c *compiler) resumable(list []syntax.Stmt) exec {
	nodes := c.nodes
	c.nodes = 0
	at := c.u.stateIndex()
	var body []exec
	for _, s := range list {
		c.nodes++
		if !yieldIn(s) {
			if e := c.statement(s); e != nil {
				body = append(body, e)
			}
			continue
		}
		for _, l := range c.lowered(s) {
			if e := c.waiting(l); e != nil {
				body = append(body, e)
			}
		}
	}
	cost := c.nodes
	c.nodes = nodes
	return func(f *frame) (signal, *exception) {
		i := 0
		if f.resuming {
			i = int(f.state[at])
		} else if x := f.t.Charge(cost); x != nil {
			return next, x
		}
		for ; i < len(body); i++ {
			sig, x := body[i](f)
			if x != nil || sig != next {
				if sig == yields {
					f.state[at] = int32(i)
				}
				return sig, x
			}
		}
		return next, nil
	}
}

// waiting compiles a statement in which a yield stands, in its lowered form.
func (c *compiler) waiting(s syntax.Stmt) exec {
	if !yieldIn(s) {
		return c.statement(s)
	}
	switch s := s.(type) {
	case *syntax.ExprStmt:
		return c.yieldInto(s.Value, func(*frame, value) *exception { return nil })
	case *syntax.Assign:
		return c.yieldInto(s.Value, c.target(s.Targets[0]))
	case *syntax.If:
		return c.waitingIf(s)
	case *syntax.While:
		return c.waitingWhile(s)
	case *syntax.For:
		return c.waitingFor(s)
	case *syntax.Try:
		return c.waitingTry(s)
	case *syntax.With:
		return c.waitingWith(s, 0)
	case *syntax.Match:
		return c.waitingMatch(s)
	}
	c.reject(s, "a yield is not available at this place: assign its value to a variable first")
	return nil
}

// yieldInto compiles target = yield v, yield from v or await v.
func (c *compiler) yieldInto(e syntax.Expr, target setter) exec {
	c.nodes++
	switch e := e.(type) {
	case *syntax.Yield:
		v := func(*frame) (value, *exception) { return object.None, nil }
		if e.Value != nil {
			v = c.expr(e.Value)
		}
		at := e.Span
		return func(f *frame) (signal, *exception) {
			if !f.resuming {
				r, x := v(f)
				if x != nil {
					return next, x
				}
				return f.wait(r)
			}
			r, x := f.wake()
			if x != nil {
				return next, f.at(x, at)
			}
			return next, target(f, r)
		}
	case *syntax.YieldFrom:
		return c.delegate(c.expr(e.Value), e.Span, target, false)
	case *syntax.Await:
		if c.u.code.generator && c.u.code.async {
			v := c.await(e)
			return func(f *frame) (signal, *exception) {
				r, x := v(f)
				if x != nil {
					return next, x
				}
				return next, target(f, r)
			}
		}
		c.markStart(e.Value)
		return c.delegate(c.expr(e.Value), e.Span, target, true)
	}
	c.reject(e, "a yield is not available at this place: assign its value to a variable first")
	return nil
}

// delegate is yield from and await: values, sent values and exceptions pass
// through to the inner generator.
func (c *compiler) delegate(v eval, at syntax.Span, target setter, await bool) exec {
	i := c.u.savedIndex()
	return func(f *frame) (signal, *exception) {
		s := &f.saved[i]
		sent, thrown := object.None, (*exception)(nil)
		if f.resuming {
			sent, thrown = f.wake()
		} else {
			r, x := v(f)
			if x != nil {
				return next, x
			}
			if await {
				done, w, x := f.t.BeginAwait(r)
				if x != nil {
					return next, f.at(x, at)
				}
				if done {
					return next, target(f, w)
				}
				r = w
			}
			it, x := f.t.Iter(r)
			if await {
				it, x = f.t.AwaitIter(r)
			}
			if x != nil {
				return next, f.at(x, at)
			}
			s.it = it
		}
		w, result, x := f.t.Delegate(s.it, sent, thrown)
		if x != nil {
			s.it = nil
			return next, f.at(x, at)
		}
		if w.IsSet() {
			return f.wait(w)
		}
		s.it = nil
		return next, target(f, result)
	}
}

func (c *compiler) waitingIf(s *syntax.If) exec {
	test := c.condition(s.Test)
	body, other := c.block(s.Body), c.block(s.OrElse)
	at := c.u.stateIndex()
	return func(f *frame) (signal, *exception) {
		if !f.resuming {
			b, x := test(f)
			if x != nil {
				return next, x
			}
			f.state[at] = 0
			if b {
				f.state[at] = 1
			}
		}
		if f.state[at] == 1 {
			return body(f)
		}
		return other(f)
	}
}

func (c *compiler) waitingWhile(s *syntax.While) exec {
	var test func(f *frame) (bool, *exception)
	cost := c.isolated(func() { test = c.condition(s.Test) }) + 1
	body, other := c.block(s.Body), c.block(s.OrElse)
	at := c.u.stateIndex()
	return func(f *frame) (signal, *exception) {
		if f.resuming && f.state[at] == 1 {
			return other(f)
		}
		for {
			if !f.resuming {
				if x := f.t.Charge(cost); x != nil {
					return next, x
				}
				b, x := test(f)
				if x != nil {
					return next, x
				}
				if !b {
					break
				}
				f.state[at] = 0
			}
			sig, x := body(f)
			if x != nil || sig == returns || sig == yields {
				return sig, x
			}
			if sig == breaks {
				return next, nil
			}
		}
		f.state[at] = 1
		return other(f)
	}
}

func (c *compiler) waitingFor(s *syntax.For) exec {
	iter := c.expr(s.Iter)
	async := s.Async
	where := syntax.Place(s.Iter)
	target := c.target(s.Target)
	body, other := c.block(s.Body), c.block(s.OrElse)
	at, keep := c.u.stateIndex(), c.u.savedIndex()
	return func(f *frame) (signal, *exception) {
		k := &f.saved[keep]
		if f.resuming {
			if f.state[at] == 1 {
				return other(f)
			}
		} else {
			v, x := iter(f)
			if x != nil {
				return next, x
			}
			it, x := f.iterate(v, async)
			if x != nil {
				return next, f.at(x, where)
			}
			k.it = it
			f.state[at] = 0
		}
		it := k.it
		for {
			if !f.resuming {
				v, x := it.Next(f.t)
				if x != nil {
					return next, f.at(x, where)
				}
				if !v.IsSet() {
					break
				}
				if x := target(f, v); x != nil {
					return next, x
				}
			}
			k.it = it
			sig, x := body(f)
			if sig == yields && x == nil {
				return sig, nil
			}
			if x != nil || sig == returns {
				k.it = nil
				return sig, x
			}
			if sig == breaks {
				k.it = nil
				return next, nil
			}
		}
		k.it = nil
		f.state[at] = 1
		return other(f)
	}
}

// The phases of a try that waits.
const (
	inBody int32 = iota
	inElse
	inFinally
	inHandler // and above: the handler's number
)

func (c *compiler) waitingTry(s *syntax.Try) exec {
	body := c.block(s.Body)
	hs := c.handlers(s)
	if s.Star {
		c.reject(s, "except* is not available around a yield or await")
	}
	var other exec
	if len(s.OrElse) > 0 {
		other = c.block(s.OrElse)
	}
	inner := body
	if len(hs) > 0 {
		at, keep := c.u.stateIndex(), c.u.savedIndex()
		inner = func(f *frame) (signal, *exception) { return f.waitExcept(at, keep, body, hs, other) }
	}
	if len(s.Finally) == 0 {
		return inner
	}
	last := c.block(s.Finally)
	at, keep := c.u.stateIndex(), c.u.savedIndex()
	return func(f *frame) (signal, *exception) { return f.waitFinally(at, keep, inner, last) }
}

func (f *frame) waitExcept(at, keep int, body exec, hs []handler, other exec) (signal, *exception) {
	phase := inBody
	if f.resuming {
		phase = f.state[at]
	}
	k := &f.saved[keep]
	x := (*exception)(nil)
	sig := next
	switch {
	case phase == inElse:
		return other(f)
	case phase == inBody:
		f.state[at] = inBody
		if sig, x = body(f); x == nil {
			if sig == next && other != nil {
				f.state[at] = inElse
				return other(f)
			}
			return sig, nil
		}
		if x.Limit != nil {
			return sig, x
		}
		n := len(f.t.Handled)
		f.t.Handled = append(f.t.Handled, x)
		h, y := f.choose(x, hs)
		f.t.Handled = f.t.Handled[:n]
		if h == nil {
			if y != nil {
				return next, y
			}
			return next, x
		}
		for i := range hs {
			if h == &hs[i] {
				phase = inHandler + int32(i)
			}
		}
		f.state[at] = phase
		k.exc = x
		if h.store != nil {
			h.store(f, x.Value())
		}
	}
	h := &hs[phase-inHandler]
	n := len(f.t.Handled)
	f.t.Handled = append(f.t.Handled, k.exc)
	sig, x = h.body(f)
	f.t.Handled = f.t.Handled[:n]
	if sig == yields && x == nil {
		return sig, nil
	}
	k.exc = nil
	if h.unset != nil {
		h.unset(f)
	}
	return sig, x
}

func (f *frame) waitFinally(at, keep int, body, last exec) (signal, *exception) {
	k := &f.saved[keep]
	if !f.resuming || f.state[at] != inFinally {
		f.state[at] = inBody
		sig, x := body(f)
		if sig == yields && x == nil || x != nil && x.Limit != nil {
			return sig, x
		}
		k.signal, k.exc, k.ret = sig, x, f.ret
		f.state[at] = inFinally
	}
	n := len(f.t.Handled)
	if k.exc != nil {
		f.t.Handled = append(f.t.Handled, k.exc)
	}
	sig, x := last(f)
	f.t.Handled = f.t.Handled[:n]
	if x != nil || sig != next {
		return sig, x
	}
	sig, x = k.signal, k.exc
	f.ret = k.ret
	*k = saved{}
	return sig, x
}

func (c *compiler) waitingWith(s *syntax.With, i int) exec {
	item := s.Items[i]
	ctx := c.expr(item.Context)
	where := syntax.Place(item.Context)
	var target setter
	if item.Target != nil {
		target = c.target(item.Target)
	}
	var body exec
	if i+1 < len(s.Items) {
		body = c.waitingWith(s, i+1)
	} else {
		body = c.block(s.Body)
	}
	keep := c.u.savedIndex()
	async := s.Async
	return func(f *frame) (signal, *exception) {
		k := &f.saved[keep]
		var x *exception
		if !f.resuming {
			m, y := ctx(f)
			if y != nil {
				return next, y
			}
			v, y := f.enterContext(m, async)
			if y != nil {
				return next, f.at(y, where)
			}
			k.v = m
			if target != nil {
				x = target(f, v)
			}
		}
		sig := next
		if x == nil {
			sig, x = body(f)
		}
		if sig == yields && x == nil {
			return sig, nil
		}
		m := k.v
		k.v = value{}
		return f.exitContext(m, sig, x, async, where)
	}
}

func (c *compiler) waitingMatch(s *syntax.Match) exec {
	subject := c.expr(s.Subject)
	cases := c.cases(s)
	at := c.u.stateIndex()
	return func(f *frame) (signal, *exception) {
		if f.resuming {
			return cases[f.state[at]].body(f)
		}
		v, x := subject(f)
		if x != nil {
			return next, x
		}
		i, x := f.pick(v, cases)
		if x != nil || i < 0 {
			return next, x
		}
		f.state[at] = int32(i)
		return cases[i].body(f)
	}
}
