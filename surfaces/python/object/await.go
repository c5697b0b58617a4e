package object

// Awaitable is a value of a module or session that stands for work under way.
type Awaitable interface {
	// Await waits for the result.
	Await(t *Thread) (Value, *Exception)
	// Ready reports whether Await would not wait.
	Ready() bool
}

// Await gives the result of an awaitable. A coroutine runs to its end; what is no
// awaitable is its own result, so that await is optional.
func (t *Thread) Await(v Value) (Value, *Exception) {
	done, w, x := t.BeginAwait(v)
	if done || x != nil {
		return w, x
	}
	it, x := t.AwaitIter(w)
	if x != nil {
		return Value{}, x
	}
	sent, thrown := None, (*Exception)(nil)
	for {
		if x := t.Charge(2); x != nil {
			return Value{}, x
		}
		waiting, result, x := t.Delegate(it, sent, thrown)
		if x != nil || !waiting.IsSet() {
			return result, x
		}
		sent, thrown = None, nil
		if a, ok := waiting.Native().(Awaitable); ok {
			if sent, thrown = a.Await(t); thrown != nil && thrown.Limit != nil {
				return Value{}, thrown
			}
		}
	}
}

// BeginAwait looks whether an awaitable has a result already: done, with the
// result. Else it gives what is to be iterated: a coroutine, the iterator of
// __await__, or an [Awaitable] that is still under way.
func (t *Thread) BeginAwait(v Value) (done bool, w Value, raised *Exception) {
	switch a := v.Native().(type) {
	case *Generator:
		if a.Coroutine {
			if a.waited {
				return false, Value{}, t.Raise(RuntimeError, "cannot reuse already awaited coroutine")
			}
			a.waited = true
			return false, v, nil
		}
	case Awaitable:
		if a.Ready() {
			w, x := a.Await(t)
			return true, w, x
		}
		return false, v, nil
	}
	if r, ok, x := t.CallSpecial(v, "__await__"); ok || x != nil {
		return false, r, x
	}
	return true, v, nil
}

// AwaitIter gives the iterator that drives what BeginAwait gave.
func (t *Thread) AwaitIter(v Value) (Iterator, *Exception) {
	switch a := v.Native().(type) {
	case *Generator:
		return a, nil
	case Awaitable:
		return newIter(&pending{v: v, a: a}), nil
	}
	return t.Iter(v)
}

// pending gives an awaitable once, for whoever drives the coroutine to wait for.
type pending struct {
	Obj
	v     Value
	a     Awaitable
	asked bool
}

func (*pending) Class() *Class { return indexIterClass }

func (p *pending) Next(*Thread) (Value, *Exception) {
	if p.asked {
		return Value{}, nil
	}
	p.asked = true
	return p.v, nil
}

// Delegate continues an inner iterator for yield from and await: with what was
// sent or thrown. It gives the next value, or the unset Value and the result.
func (t *Thread) Delegate(it Iterator, sent Value, thrown *Exception) (v, result Value, raised *Exception) {
	switch g := it.(type) {
	case *Generator:
		return t.delegateGenerator(g, sent, thrown)
	case *pending:
		if g.asked {
			return Value{}, sent, thrown
		}
	}
	if thrown != nil {
		return t.throwInto(it, thrown)
	}
	u, user := it.(*userIterator)
	if !sent.IsNone() {
		r, x := t.sendInto(IterValue(it), sent)
		return t.ended(r, x)
	}
	if user {
		if r, ok, x := t.CallSpecial(u.v, "__next__"); ok {
			return t.ended(r, x)
		}
	}
	v, x := it.Next(t)
	if x != nil {
		return Value{}, Value{}, x
	}
	return v, None, nil
}

func (t *Thread) delegateGenerator(g *Generator, sent Value, thrown *Exception) (v, result Value, raised *Exception) {
	var x *Exception
	switch {
	case thrown != nil && thrown.Is(GeneratorExit):
		if x := g.Close(t); x != nil {
			return Value{}, Value{}, x
		}
		return Value{}, Value{}, thrown
	case thrown != nil:
		v, x = g.Throw(t, thrown)
	case g.Coroutine && g.started:
		v, x = g.step(t, sent, nil)
	default:
		v, x = g.Send(t, sent)
	}
	if x != nil || v.IsSet() {
		return v, Value{}, x
	}
	r := g.Result
	g.Result = Value{}
	if !r.IsSet() {
		r = None
	}
	return Value{}, r, nil
}

// ended turns a StopIteration into the result it carries.
func (t *Thread) ended(v Value, x *Exception) (Value, Value, *Exception) {
	if x == nil {
		return v, Value{}, nil
	}
	if !x.Is(StopIteration) {
		return Value{}, Value{}, x
	}
	if len(x.Args) > 0 {
		return Value{}, x.Args[0], nil
	}
	return Value{}, None, nil
}

func (t *Thread) sendInto(it, sent Value) (Value, *Exception) {
	send, x := t.GetAttr(it, "send")
	if x != nil {
		return Value{}, x
	}
	return t.Call(send, sent)
}

func (t *Thread) throwInto(it Iterator, thrown *Exception) (v, result Value, raised *Exception) {
	f, ok, x := t.FindAttr(IterValue(it), "throw")
	if x != nil {
		return Value{}, Value{}, x
	}
	if !ok {
		return Value{}, Value{}, thrown
	}
	r, x := t.Call(f, thrown.Value())
	return t.ended(r, x)
}
