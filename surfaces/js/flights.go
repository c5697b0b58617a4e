package js

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/js/realm"
	"github.com/polyglove/polyglove/toolfn/value"
)

// flight is a call that was started without waiting, with the promise that the
// program holds for it.
type flight struct {
	capability *capability
	args       *value.Object
	under      *dispatch.Flight
	at         spot
	resolve    func(any) error
	reject     func(any) error
}

// start is the hook for a call whose value goes straight into an await of a
// nested function, or into a Promise combinator: a capability starts without
// waiting and gives a promise, any other function is called as usual.
//
// A refused call rejects its promise instead of throwing, because that is what a
// function that returns promises does: Promise.allSettled then sees it.
func (s *session) start(fn goja.Value, args []goja.Value) goja.Value {
	o, _ := fn.(*goja.Object)
	c := s.capabilities[o]
	if c == nil {
		return s.callFunction(fn, args)
	}
	c.mayCall()
	promise, resolve, reject := s.realm.NewPromise()
	in, fault := c.arguments(args)
	at := s.here()
	if fault == nil {
		under, err := s.run.calls.Start(dispatch.Call{Function: c.name, Args: in, Line: at.line, Column: at.column})
		if err == nil {
			s.run.flights = append(s.run.flights, &flight{c, in, under, at, resolve, reject})
			return promise
		}
		if fault = asFault(err); fault.Kind.Limit() {
			s.realm.Fail(fault)
		}
	}
	s.must(reject(c.thrown(at.put(fault))))
	return promise
}

// callFunction is an ordinary call of a value that is most likely a function. The
// arguments are copied: they are the engine's stack.
func (s *session) callFunction(fn goja.Value, args []goja.Value) goja.Value {
	f, ok := goja.AssertFunction(fn)
	if !ok {
		panic(s.realm.NewError("TypeError", "Not a function: "+realm.Kind(fn)))
	}
	v, err := f(goja.Undefined(), slices.Clone(args)...)
	if err != nil {
		panic(err)
	}
	return v
}

// must ends the program if settling a promise ended it.
func (s *session) must(err error) {
	if err != nil {
		panic(err)
	}
}

// land settles the started calls in the order in which they were started,
// whatever order they are answered in, so that a program run again does the same.
// Settling one runs what waited for it, which may start more. Once the program's
// own promise is rejected nothing more runs, as Node would have ended.
func (s *session) land(program goja.Value) error {
	r := s.run
	promise, async := s.realm.Promise(program)
	for len(r.flights) > 0 {
		if async && promise.State() == goja.PromiseStateRejected {
			return nil
		}
		f := r.flights[0]
		r.flights[0] = nil
		r.flights = r.flights[1:]
		v, err := f.under.Wait()
		if fault := asFault(err); fault != nil {
			if fault.Kind.Limit() {
				return fault
			}
			if err := f.reject(f.capability.errorOf(f.at.put(fault))); err != nil {
				return err
			}
			continue
		}
		if err := s.deliver(f, v); err != nil {
			return err
		}
	}
	return nil
}

// deliver resolves a flight's promise with its result. Copying the result in may
// exceed a limit, which is a panic of the engine's here, outside any program.
func (s *session) deliver(f *flight, v value.Value) error {
	var got goja.Value
	if err := s.realm.Try(func() { got = f.capability.result(f.args, v) }); err != nil {
		return err
	}
	return f.resolve(got)
}

func asFault(err error) *sandbox.Fault {
	if err == nil {
		return nil
	}
	if f, ok := err.(*sandbox.Fault); ok {
		return f
	}
	return &sandbox.Fault{Kind: sandbox.KindInternal, Message: "the call could not be made.", Cause: err}
}
