package object

// Resume runs a generator's body until it gives its next value. sent is what
// send() passed, thrown what throw() raises at the point where it waits. done says
// that the body has returned, with v as its value.
type Resume func(t *Thread, sent Value, thrown *Exception) (v Value, done bool, raised *Exception)

// Generator is a generator, or the coroutine of an async function. It needs no
// goroutine: Resume continues from a state that the frame holds, so a generator
// that is dropped is garbage like any other value.
type Generator struct {
	Obj
	Name      string
	Coroutine bool
	Result    Value // what the body returned
	Visit     func(visit func(Value)) int

	resume  Resume
	running bool
	started bool
	waited  bool // a coroutine that was awaited
}

// NewGenerator makes a generator that has not begun.
func NewGenerator(name string, coroutine bool, resume Resume) *Generator {
	g := &Generator{Name: name, Coroutine: coroutine, resume: resume}
	Box(g)
	return g
}

// Class is generator or coroutine.
func (g *Generator) Class() *Class {
	if g.Coroutine {
		return CoroutineClass
	}
	return GeneratorClass
}

// Done reports whether the body has ended.
func (g *Generator) Done() bool { return g.resume == nil }

// Next gives the next value.
func (g *Generator) Next(t *Thread) (Value, *Exception) { return g.step(t, None, nil) }

// Send passes a value to the generator, which a started one receives from its
// yield, and gives the next value.
func (g *Generator) Send(t *Thread, v Value) (Value, *Exception) {
	if !g.started && g.resume != nil && !v.IsNone() {
		return Value{}, t.RaiseType("can't send non-None value to a just-started %s", g.Class().Name)
	}
	return g.step(t, v, nil)
}

// Throw raises an exception where the generator waits and gives the next value.
func (g *Generator) Throw(t *Thread, x *Exception) (Value, *Exception) {
	if g.resume == nil {
		return Value{}, x
	}
	if !g.started {
		g.resume = nil
		return Value{}, x
	}
	return g.step(t, None, x)
}

// Close ends the generator; its finally blocks run.
func (g *Generator) Close(t *Thread) *Exception {
	if g.resume == nil || !g.started {
		g.resume = nil
		return nil
	}
	v, x := g.step(t, None, NewException(GeneratorExit))
	switch {
	case x != nil && (x.Is(GeneratorExit) || x.Is(StopIteration)):
		return nil
	case x != nil:
		return x
	case v.IsSet():
		return t.Raise(RuntimeError, "%s ignored GeneratorExit", g.Class().Name)
	}
	return nil
}

// step resumes the body once.
func (g *Generator) step(t *Thread, sent Value, thrown *Exception) (Value, *Exception) {
	if g.running {
		return Value{}, t.RaiseValue("%s already executing", g.Class().Name)
	}
	if g.resume == nil {
		if g.Coroutine {
			return Value{}, t.Raise(RuntimeError, "cannot reuse already awaited coroutine")
		}
		return Value{}, nil
	}
	if x := t.EnterCall(); x != nil {
		t.LeaveCall()
		return Value{}, x
	}
	g.running, g.started = true, true
	handled := len(t.Handled)
	v, done, x := g.resume(t, sent, thrown)
	t.Handled = t.Handled[:handled]
	g.running = false
	t.LeaveCall()
	if x != nil {
		g.resume = nil
		if x.Is(StopIteration) {
			// PEP 479: it must not end the loop around in silence.
			y := t.Raise(RuntimeError, "%s raised StopIteration", g.Class().Name)
			y.Cause, y.Context, y.Suppress = x, x, true
			return Value{}, y
		}
		return Value{}, x
	}
	if done {
		g.resume, g.Result = nil, v
		return Value{}, nil
	}
	return v, nil
}

// stop makes the StopIteration that next() and send() raise at the end.
func (g *Generator) stop() *Exception {
	if g.Result.IsSet() && !g.Result.IsNone() {
		r := g.Result
		g.Result = Value{}
		return NewException(StopIteration, r)
	}
	return NewException(StopIteration)
}

func setupGenerator() {
	for _, c := range []*Class{GeneratorClass, CoroutineClass} {
		c.Own.Children = func(v Value, visit func(Value)) int {
			g := v.Native().(*Generator)
			visit(g.Result)
			if g.Visit != nil && g.resume != nil {
				return 160 + g.Visit(visit)
			}
			return 160
		}
		c.Own.Repr = func(t *Thread, v Value) (string, *Exception) {
			g := v.Native().(*Generator)
			return "<" + g.Class().Name + " object " + g.Name + " at " + t.address(v) + ">", nil
		}
		c.Method("send", "value /", func(t *Thread, a []Value) (Value, *Exception) {
			g := a[0].Native().(*Generator)
			v, x := g.Send(t, a[1])
			if x == nil && !v.IsSet() {
				x = g.stop()
			}
			return v, x
		})
		c.Method("throw", "typ val? tb? /", func(t *Thread, a []Value) (Value, *Exception) {
			g := a[0].Native().(*Generator)
			e, x := t.ToException(a[1], Arg(a, 2))
			if x != nil {
				return Value{}, x
			}
			v, x := g.Throw(t, e)
			if x == nil && !v.IsSet() {
				x = g.stop()
			}
			return v, x
		})
		c.Method("close", "", func(t *Thread, a []Value) (Value, *Exception) {
			return None, a[0].Native().(*Generator).Close(t)
		})
		c.Final = true
	}
	ReadyIterator(GeneratorClass)
	CoroutineClass.Ready()
}

// ToException makes the exception that raise and throw() raise from a class or an
// instance, with an optional argument.
func (t *Thread) ToException(v, arg Value) (*Exception, *Exception) {
	if x, ok := v.Exception(); ok {
		return x, nil
	}
	if c, ok := v.AsClass(); ok && c.IsSubclass(BaseException) {
		var args []Value
		if arg.IsSet() && !arg.IsNone() {
			args = []Value{arg}
		}
		r, x := t.Construct(c, args, nil)
		if x != nil {
			return nil, x
		}
		e, ok := r.Exception()
		if !ok {
			return nil, t.RaiseType("calling %s should have returned an instance of BaseException, not %s", "<class '"+c.FullName()+"'>", t.ClassOf(r).Name)
		}
		return e, nil
	}
	return nil, t.RaiseType("exceptions must derive from BaseException")
}
