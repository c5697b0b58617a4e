package object

// AsyncGenerator is what an async function with a yield gives. What it awaits it
// waits for on the spot; only its values pass to the loop around it.
type AsyncGenerator struct {
	Obj
	g *Generator
}

// NewAsyncGenerator makes an asynchronous generator of a body.
func NewAsyncGenerator(g *Generator) *AsyncGenerator {
	a := &AsyncGenerator{g: g}
	Box(a)
	return a
}

// Class is async_generator.
func (*AsyncGenerator) Class() *Class { return asyncGeneratorClass }

var (
	asyncGeneratorClass = Define("async_generator")
	asyncStepClass      = Define("async_generator_asend")
)

// asyncStep is one step of an asynchronous generator, to be awaited.
type asyncStep struct {
	Obj
	run func(t *Thread) (Value, *Exception)
	of  Value
}

func (*asyncStep) Class() *Class { return asyncStepClass }

// Ready reports true: the step runs when it is awaited.
func (*asyncStep) Ready() bool { return true }

// Await runs the step.
func (s *asyncStep) Await(t *Thread) (Value, *Exception) { return s.run(t) }

func setupAsync() {
	c := asyncGeneratorClass
	c.Final = true
	c.Own.Children = func(v Value, visit func(Value)) int {
		visit(Box(v.Native().(*AsyncGenerator).g))
		return 48
	}
	step := func(name, sig string, run func(t *Thread, g *Generator, a []Value) (Value, *Exception)) {
		c.Method(name, sig, func(t *Thread, a []Value) (Value, *Exception) {
			g := a[0].Native().(*AsyncGenerator).g
			args := append([]Value(nil), a...)
			s := &asyncStep{of: a[0], run: func(t *Thread) (Value, *Exception) {
				v, x := run(t, g, args)
				if x == nil && !v.IsSet() {
					x = NewException(StopAsyncIteration)
				}
				return v, x
			}}
			return Box(s), t.Alloc(160)
		})
	}
	c.Method("__aiter__", "", func(_ *Thread, a []Value) (Value, *Exception) { return a[0], nil })
	step("__anext__", "", func(t *Thread, g *Generator, _ []Value) (Value, *Exception) { return g.Next(t) })
	step("asend", "value /", func(t *Thread, g *Generator, a []Value) (Value, *Exception) { return g.Send(t, a[1]) })
	step("athrow", "typ /", func(t *Thread, g *Generator, a []Value) (Value, *Exception) {
		e, x := t.ToException(a[1], Value{})
		if x != nil {
			return Value{}, x
		}
		return g.Throw(t, e)
	})
	step("aclose", "", func(t *Thread, g *Generator, _ []Value) (Value, *Exception) { return None, g.Close(t) })
	c.Ready()
	asyncStepClass.Final = true
	asyncStepClass.Own.Children = func(v Value, visit func(Value)) int {
		visit(v.Native().(*asyncStep).of)
		return 160
	}
	asyncStepClass.Ready()
	f("aiter", "async_iterable /", func(t *Thread, a []Value) (Value, *Exception) {
		r, ok, x := t.CallSpecial(a[0], "__aiter__")
		if x == nil && !ok {
			x = t.RaiseType("'%s' object is not an async iterable", a[0].Class().Name)
		}
		return r, x
	})
	f("anext", "async_iterator default? /", func(t *Thread, a []Value) (Value, *Exception) {
		r, ok, x := t.CallSpecial(a[0], "__anext__")
		if x == nil && !ok {
			x = t.RaiseType("'%s' object is not an async iterator", a[0].Class().Name)
		}
		d := Arg(a, 1)
		if x != nil || !d.IsSet() {
			return r, x
		}
		s := &asyncStep{of: r, run: func(t *Thread) (Value, *Exception) {
			v, x := t.Await(r)
			if x != nil && x.Is(StopAsyncIteration) {
				return d, nil
			}
			return v, x
		}}
		return Box(s), nil
	})
}

// asyncIter iterates an asynchronous iterator, waiting for each value.
type asyncIter struct {
	Obj
	v Value
}

func (*asyncIter) Class() *Class { return indexIterClass }

func (a *asyncIter) Next(t *Thread) (Value, *Exception) {
	v, _, x := t.CallSpecial(a.v, "__anext__")
	if x == nil {
		v, x = t.Await(v)
	}
	if x != nil && x.Is(StopAsyncIteration) {
		return Value{}, nil
	}
	return v, x
}

// AsyncIter gives an iterator that async for uses.
func (t *Thread) AsyncIter(v Value) (Iterator, *Exception) {
	it, ok, x := t.CallSpecial(v, "__aiter__")
	if x == nil && !ok {
		x = t.RaiseType("'async for' requires an object with __aiter__ method, got %s", v.Class().Name)
	}
	if x != nil {
		return nil, x
	}
	if _, ok := t.special(it, "__anext__"); !ok {
		return nil, t.RaiseType("'async for' received an object from __aiter__ that does not implement __anext__: %s", it.Class().Name)
	}
	return newIter(&asyncIter{v: it}), nil
}
