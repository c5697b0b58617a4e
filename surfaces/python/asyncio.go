package python

import (
	_ "embed"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// The module asyncio is written in Python over one function: an event loop needs
// the evaluator's own coroutines and nothing else. A program waits for nothing but
// calls, so time inside the loop is the order of its timers: sleeping costs none.

//go:embed asyncio.py
var asyncioSource string

// importAsyncio gives the module, which is made when it is first imported.
func (s *session) importAsyncio(t *thread) (pyValue, *exception) {
	if s.asyncio.IsSet() {
		return s.asyncio, nil
	}
	loop := object.NewModule("_asyncio")
	loop.Func("pending", "value /", func(_ *thread, a []pyValue) (pyValue, *exception) {
		f, ok := a[0].Native().(object.Awaitable)
		return object.Bool(ok && !f.Ready()), nil
	})
	loop.Func("awaitable", "value /", func(_ *thread, a []pyValue) (pyValue, *exception) {
		_, ok := a[0].Native().(object.Awaitable)
		return object.Bool(ok), nil
	})
	loop.Func("coroutine", "value /", func(_ *thread, a []pyValue) (pyValue, *exception) {
		g, ok := a[0].Native().(*object.Generator)
		return object.Bool(ok && g.Coroutine), nil
	})
	loop.Func("settle", "value /", func(t *thread, a []pyValue) (pyValue, *exception) { return t.Await(a[0]) })
	loop.Func("awaiter", "value /", func(t *thread, a []pyValue) (pyValue, *exception) {
		it, x := t.AwaitIter(a[0])
		if x != nil {
			return pyValue{}, x
		}
		return object.IterValue(it), nil
	})
	m, x := t.Engine.RunModule("asyncio", asyncioSource, func(t *thread, n string) (pyValue, *exception) {
		if n == "_asyncio" {
			return loop.Value(), nil
		}
		return s.library.Import(t, n)
	})
	if x != nil {
		return pyValue{}, x
	}
	public := object.NewModule("asyncio")
	public.Missing = func(t *thread, n string) *exception {
		return t.Raise(object.AttributeError, "module 'asyncio' has no attribute '%s'. It has run, gather, create_task, sleep, wait_for, wait, as_completed, TaskGroup, Semaphore, Lock, Event and Queue; nothing else can run beside a program.", n)
	}
	for _, n := range m.Attrs.Names() {
		if v, ok := m.Attrs.Get(n); ok && n[0] != '_' {
			public.Set(n, v)
		}
	}
	s.asyncio = public.Value()
	return s.asyncio, nil
}
