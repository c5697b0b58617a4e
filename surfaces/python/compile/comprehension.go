package compile

import (
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// comprehension compiles a list, set or dict comprehension into the frame around
// it, with variables of its own, as CPython 3.12 does. emit is compiled inside; it
// runs for every combination.
func (c *compiler) comprehension(n syntax.Expr, gens []*syntax.Comprehension, emit func() func(f *frame) *exception) func(f *frame) *exception {
	first := c.expr(gens[0].Iter)
	scope := c.program.Scopes.Of(n)
	l := &layer{scope: scope, slots: map[string]int{}, cells: map[string]int{}}
	c.u.layers = append(c.u.layers, l)
	run := c.generators(gens, 0, first, emit)
	c.u.layers = c.u.layers[:len(c.u.layers)-1]
	var slots, cells []int
	for _, i := range l.slots {
		slots = append(slots, i)
	}
	for _, i := range l.cells {
		cells = append(cells, i)
	}
	if len(slots) == 1 && len(cells) == 0 {
		i := slots[0]
		return func(f *frame) *exception {
			f.slots[i] = value{}
			return run(f)
		}
	}
	return func(f *frame) *exception {
		for _, i := range slots {
			f.slots[i] = value{}
		}
		for _, i := range cells {
			f.cells[i] = nil
		}
		return run(f)
	}
}

// generators compiles the for clauses from the i-th on.
func (c *compiler) generators(gens []*syntax.Comprehension, i int, iter eval, emit func() func(f *frame) *exception) func(f *frame) *exception {
	g := gens[i]
	if iter == nil {
		iter = c.expr(g.Iter)
	}
	at := syntax.Place(g.Iter)
	async := g.Async
	var target setter
	var tests []func(f *frame) (bool, *exception)
	var inner func(f *frame) *exception
	slot := -1
	cost := c.isolated(func() {
		target = c.target(g.Target)
		if nm, ok := g.Target.(*syntax.Name); ok {
			if v := c.resolve(nm.ID); v.place == inSlot {
				slot = v.i
			}
		}
		for _, t := range g.Ifs {
			tests = append(tests, c.condition(t))
		}
		if i+1 < len(gens) {
			inner = c.generators(gens, i+1, nil, emit)
		} else {
			inner = emit()
		}
	}) + 1
	step := func(f *frame, v value) *exception {
		if x := f.t.Charge(cost); x != nil {
			return f.at(x, at)
		}
		if slot >= 0 {
			f.slots[slot] = v
		} else if x := target(f, v); x != nil {
			return x
		}
		for _, t := range tests {
			b, x := t(f)
			if x != nil || !b {
				return x
			}
		}
		return inner(f)
	}
	return func(f *frame) *exception {
		v, x := iter(f)
		if x != nil {
			return x
		}
		if l, ok := v.List(); ok && !async {
			k := f.m.mark()
			f.m.hold(v)
			for j := 0; j < l.Len(); j++ {
				if x := step(f, l.Items()[j]); x != nil {
					f.m.release(k)
					return x
				}
			}
			f.m.release(k)
			return nil
		}
		if r, ok := v.Range(); ok && !async {
			n := r.Start
			for range r.Len() {
				if x := step(f, object.Int(n)); x != nil {
					return x
				}
				n += r.Step
			}
			return nil
		}
		it, x := f.iterate(v, async)
		if x != nil {
			return f.at(x, at)
		}
		k := f.m.mark()
		f.m.hold(object.IterValue(it))
		for {
			w, x := it.Next(f.t)
			if x == nil && w.IsSet() {
				x = step(f, w)
				if x == nil {
					continue
				}
				f.m.release(k)
				return x
			}
			f.m.release(k)
			if x != nil {
				return f.at(x, at)
			}
			return nil
		}
	}
}

func (c *compiler) listComp(e *syntax.ListComp) eval {
	into := c.u.slot()
	run := c.comprehension(e, e.Generators, func() func(f *frame) *exception {
		elt := c.expr(e.Elt)
		return func(f *frame) *exception {
			v, x := elt(f)
			if x != nil {
				return x
			}
			l, _ := f.slots[into].List()
			return l.Append(f.t, v)
		}
	})
	return func(f *frame) (value, *exception) {
		outer := f.slots[into]
		l, x := f.t.List(nil)
		if x != nil {
			return value{}, x
		}
		f.slots[into] = l
		x = run(f)
		f.slots[into] = outer
		return l, x
	}
}

func (c *compiler) setComp(e *syntax.SetComp) eval {
	into := c.u.slot()
	at := syntax.Place(e.Elt)
	run := c.comprehension(e, e.Generators, func() func(f *frame) *exception {
		elt := c.expr(e.Elt)
		return func(f *frame) *exception {
			v, x := elt(f)
			if x != nil {
				return x
			}
			s, _ := f.slots[into].Set()
			if x := s.Add(f.t, v); x != nil {
				return f.at(x, at)
			}
			return nil
		}
	})
	return func(f *frame) (value, *exception) {
		outer := f.slots[into]
		s, x := f.t.Set(false)
		if x != nil {
			return value{}, x
		}
		f.slots[into] = s.Value()
		x = run(f)
		f.slots[into] = outer
		return s.Value(), x
	}
}

func (c *compiler) dictComp(e *syntax.DictComp) eval {
	into := c.u.slot()
	at := syntax.Place(e.Key)
	run := c.comprehension(e, e.Generators, func() func(f *frame) *exception {
		key, val := c.expr(e.Key), holding(c.expr(e.Value), simple(e.Value))
		return func(f *frame) *exception {
			k, x := key(f)
			if x != nil {
				return x
			}
			v, x := val(f, k)
			if x != nil {
				return x
			}
			d, _ := f.slots[into].Dict()
			if x := d.Set(f.t, k, v); x != nil {
				return f.at(x, at)
			}
			return nil
		}
	})
	return func(f *frame) (value, *exception) {
		outer := f.slots[into]
		d, x := f.t.Dict(0)
		if x != nil {
			return value{}, x
		}
		f.slots[into] = d.Value()
		x = run(f)
		f.slots[into] = outer
		return d.Value(), x
	}
}

// generatorExp compiles a generator expression: a frame of its own, in which every
// for clause is an iterator that the next value continues.
func (c *compiler) generatorExp(e *syntax.GeneratorExp) eval {
	gens := e.Generators
	first := c.expr(gens[0].Iter)
	firstAt := syntax.Place(gens[0].Iter)
	nodes := c.nodes
	u := c.open(c.program.Scopes.Of(e), "<genexpr>")
	levels := make([]level, len(gens))
	for i, g := range gens {
		l := &levels[i]
		l.cost = 1 + c.isolated(func() {
			if i > 0 {
				l.iter = c.expr(g.Iter)
				l.at = syntax.Place(g.Iter)
			}
			l.target = c.target(g.Target)
			for _, t := range g.Ifs {
				l.tests = append(l.tests, c.condition(t))
			}
		})
		if g.Async {
			c.reject(e, "asynchronous generators are not available: use a list comprehension")
		}
	}
	var elt eval
	levels[len(levels)-1].cost += c.isolated(func() { elt = c.expr(e.Elt) })
	c.close()
	c.nodes = nodes
	capture := c.capturesOf(u)
	code := u.code
	return func(f *frame) (value, *exception) {
		v, x := first(f)
		if x != nil {
			return value{}, x
		}
		it, x := f.t.Iter(v)
		if x != nil {
			return value{}, f.at(x, firstAt)
		}
		if x := f.t.Alloc(320 + 16*code.nslots); x != nil {
			return value{}, x
		}
		p := &lazy{levels: levels, elt: elt, at: firstAt, its: make([]object.Iterator, len(levels))}
		p.its[0] = it
		p.frame = newFrame(f.m, code)
		p.frame.free, p.frame.class = capture(f), f.class
		g := object.NewGenerator(code.qual, false, p.resume)
		g.Visit = p.visit
		return object.Box(g), nil
	}
}

// level is a for clause of a generator expression.
type level struct {
	iter   eval
	at     syntax.Span
	target setter
	tests  []func(f *frame) (bool, *exception)
	cost   int64
}

// lazy is a running generator expression.
type lazy struct {
	levels []level
	its    []object.Iterator
	elt    eval
	at     syntax.Span
	frame  *frame
	depth  int
}

func (p *lazy) visit(visit func(value)) int {
	p.frame.roots(visit)
	for _, it := range p.its {
		if it != nil {
			visit(object.IterValue(it))
		}
	}
	return 160 + 16*len(p.frame.slots)
}

// resume goes on to the next value.
func (p *lazy) resume(_ *object.Thread, _ value, thrown *exception) (value, bool, *exception) {
	f := p.frame
	if thrown != nil {
		return value{}, false, thrown
	}
	restore := f.m.push(f)
	v, done, x := p.advance(f)
	f.m.pop(restore)
	return v, done, x
}

func (p *lazy) advance(f *frame) (value, bool, *exception) {
	for {
		l := &p.levels[p.depth]
		if x := f.t.Charge(l.cost); x != nil {
			return value{}, false, f.at(x, l.at)
		}
		v, x := p.its[p.depth].Next(f.t)
		if x != nil {
			return value{}, false, f.at(x, l.at)
		}
		if !v.IsSet() {
			if p.depth == 0 {
				return object.None, true, nil
			}
			p.its[p.depth] = nil
			p.depth--
			continue
		}
		if x := l.target(f, v); x != nil {
			return value{}, false, x
		}
		ok, x := l.pass(f)
		if x != nil {
			return value{}, false, x
		}
		if !ok {
			continue
		}
		if p.depth == len(p.levels)-1 {
			r, x := p.elt(f)
			return r, false, x
		}
		inner := &p.levels[p.depth+1]
		w, x := inner.iter(f)
		if x != nil {
			return value{}, false, x
		}
		it, x := f.t.Iter(w)
		if x != nil {
			return value{}, false, f.at(x, inner.at)
		}
		p.depth++
		p.its[p.depth] = it
	}
}

func (l *level) pass(f *frame) (bool, *exception) {
	for _, t := range l.tests {
		b, x := t(f)
		if x != nil || !b {
			return false, x
		}
	}
	return true, nil
}
