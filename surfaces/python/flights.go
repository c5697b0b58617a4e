package python

import (
	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn/value"
)

// flight is a call that was started without waiting: what the program awaits.
type flight struct {
	object.Obj
	capability *capability
	args       *value.Object
	under      *dispatch.Flight
	settled    bool
	result     pyValue
	raised     *exception
}

var flightClass = object.Define("Future")

// Class is Future.
func (*flight) Class() *object.Class { return flightClass }

func init() {
	c := flightClass
	c.Final = true
	c.Own.Repr = func(_ *thread, v pyValue) (string, *exception) {
		return "<call of " + v.Native().(*flight).capability.shown + ": await gives its result>", nil
	}
	c.Own.Children = func(v pyValue, visit func(pyValue)) int {
		visit(v.Native().(*flight).result)
		return 200
	}
	c.Ready()
}

// start makes a call without waiting for it. A call that is refused raises when it
// is awaited, so that gather(return_exceptions=True) sees it.
func (c *capability) start(call dispatch.Call) (pyValue, *exception) {
	s := c.session
	if x := s.machine.T.Alloc(400); x != nil {
		return pyValue{}, x
	}
	f := &flight{capability: c, args: call.Args}
	under, err := s.run.calls.Start(call)
	if err != nil {
		f.settled, f.raised = true, c.failure(err)
		if f.raised.Limit != nil {
			return pyValue{}, f.raised
		}
		return object.Box(f), nil
	}
	f.under = under
	s.run.flights = append(s.run.flights, f)
	return object.Box(f), nil
}

// Ready reports whether the call has been waited for. A call that was merely
// answered is not ready: calls settle in the order of their starts, whatever order
// they are answered in, so that a program run again does the same.
func (f *flight) Ready() bool { return f.settled }

// Await waits for the call.
func (f *flight) Await(t *thread) (pyValue, *exception) {
	if !f.settled {
		f.settled = true
		v, err := f.under.Wait()
		if err != nil {
			f.raised = f.capability.failure(err)
		} else {
			f.result, f.raised = f.capability.result(f.args, v)
		}
		f.under, f.args = nil, nil
	}
	if f.raised != nil {
		if f.raised.Limit == nil {
			f.raised.Trace = nil
		}
		return pyValue{}, f.raised
	}
	return f.result, nil
}

// landAll waits for the calls that nobody awaited: they have been made.
func (s *session) landAll() {
	for _, f := range s.run.flights {
		if !f.settled {
			f.settled = true
			if _, err := f.under.Wait(); err != nil {
				s.note("A call of " + f.capability.shown + " that was not awaited failed: " + faultOfCall(err, f.capability.shown).Message)
			}
		}
	}
	s.run.flights = nil
}
