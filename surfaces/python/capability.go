package python

import (
	"errors"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// capability is a function of the catalogue as the programs of a session see it.
type capability struct {
	session *session
	fn      *toolfn.ToolFn
	name    string // the catalogue's name
	shown   string // as a program spells it: github.list_pull_requests
	value   pyValue
	rows    *rows // what stands behind the rows it returns; nil until it returned one
}

// newCapability makes the value of a catalogue function.
func (s *session) newCapability(fn *toolfn.ToolFn) *capability {
	c := &capability{session: s, fn: fn, name: fn.Name, shown: spelling(fn)}
	b := object.NewRaw(fn.Local(), c.call)
	b.Outside = true
	c.value = b.Value()
	if s.capabilities == nil {
		s.capabilities = map[*object.Builtin]*capability{}
	}
	s.capabilities[b] = c
	return c
}

// capabilityOfValue gives the capability that a value is, nil if it is none.
func (s *session) capabilityOfValue(v pyValue) *capability {
	if b, ok := v.Builtin(); ok {
		return s.capabilities[b]
	}
	return nil
}

// spelling is how a program is shown to call a function: qualified where its
// name has a server before a double underscore, else by its flat name.
func spelling(fn *toolfn.ToolFn) string {
	if before, after, ok := strings.Cut(fn.Name, "__"); ok && identifier(before) && identifier(after) && !taken(before) {
		return before + "." + after
	}
	return fn.Name
}

// call is a call by a program. One whose value goes straight to what waits for it
// starts without waiting and gives an awaitable.
func (c *capability) call(t *thread, a []pyValue, names []string) (pyValue, *exception) {
	s := c.session
	site := t.Site
	t.Site = object.Site{}
	if s.run == nil || s.run.ended {
		return pyValue{}, t.Raise(object.RuntimeError, "%s() cannot be called while a value is shown: call it in the program and keep its result", c.shown)
	}
	args, x := c.arguments(a, names)
	if x != nil {
		return pyValue{}, x
	}
	line, column := placeOf(site.Place)
	call := dispatch.Call{Function: c.name, Args: args, Line: line, Column: column}
	if site.Started {
		return c.start(call)
	}
	v, err := s.run.calls.Call(call)
	if err != nil {
		return pyValue{}, c.failure(err)
	}
	return c.result(args, v)
}

// placeOf gives the line and column of a place in a program.
func placeOf(p object.Place) (line, column int) {
	program, ok := p.Program.(*compile.Program)
	if !ok {
		return 0, 0
	}
	return program.Module.Lines.Position(p.Start)
}

// result gives the program its own copy of what the function returned.
func (c *capability) result(args *value.Object, v value.Value) (pyValue, *exception) {
	s := c.session
	if p, ok := v.(*dispatch.Placeholder); ok {
		return s.placeholder(p), nil
	}
	if surfaces.NoRows(v) {
		s.run.emptyRead(c, args)
	}
	var r *rows
	switch v.(type) {
	case []value.Value, *value.Object:
		if c.rows == nil {
			c.rows = newRows(&s.missed, c.shown, "", c.fn.Output)
		}
		r = c.rows
	}
	return s.plainIn(v, r)
}

// ToolError is what a failed call raises. Its attributes are message, kind,
// outcome, function, and where the tool says so code, retryable and details.
var toolError = object.Define("ToolError", object.RuntimeError).Ready()

// argumentError is raised for a call that was refused because of its arguments: it
// was not made.
var argumentError = object.Define("ToolArgumentError", toolError, object.TypeError).Ready()

// failure turns the error of a call into what is raised.
func (c *capability) failure(err error) *exception {
	return c.session.raised(faultOfCall(err, c.shown), c.name)
}

// faultOfCall gives the fault that an error of the door's is.
func faultOfCall(err error, shown string) *sandbox.Fault {
	var f *sandbox.Fault
	if errors.As(err, &f) {
		return f
	}
	return &sandbox.Fault{Kind: sandbox.KindInternal, Message: shown + " could not be called.", Cause: err}
}

// raised is what a program meets of a fault of the door's: a limit as something
// that no handler catches, all else as an exception.
func (s *session) raised(f *sandbox.Fault, function string) *exception {
	if f.Kind.Limit() || f.Kind == sandbox.KindInternal || f.Kind == sandbox.KindDivergence {
		return object.Limit(s.meter.Fail(f))
	}
	f = respelled(f)
	class := toolError
	if f.Kind == sandbox.KindArgument {
		class = argumentError
	}
	x := object.NewException(class, object.NewStr(f.Message))
	x.Detail = f
	x.Attrs = object.NewDict()
	set := func(name string, v pyValue) {
		if x.Attrs != nil {
			_ = x.Attrs.SetName(s.machine.T, name, v)
		}
	}
	set("message", object.NewStr(f.Message))
	set("kind", object.NewStr(string(f.Kind)))
	set("outcome", object.NewStr(outcomeWord(f)))
	if function != "" {
		set("function", object.NewStr(function))
	}
	set("code", object.None)
	set("details", object.None)
	var ce *toolfn.CallError
	if errors.As(f.Cause, &ce) {
		if ce.Code != "" {
			set("code", object.NewStr(ce.Code))
		}
		set("retryable", object.Bool(ce.Retryable))
		if ce.Details != nil {
			if v, y := s.plainIn(ce.Details, nil); y == nil {
				set("details", v)
			}
		}
	}
	return x
}

// respelled gives the fault of refused arguments with a hint that spells the call
// as programs do.
func respelled(f *sandbox.Fault) *sandbox.Fault {
	var refused *toolfn.Refusal
	if !errors.As(f.Cause, &refused) {
		return f
	}
	g := *f
	g.Hint = refused.Hint(signatures())
	return &g
}

// outcomeWord is what a program reads of what became of a call: failed, unknown,
// not made, or done where only its result is of no use.
func outcomeWord(f *sandbox.Fault) string {
	if o := dispatch.OutcomeOf(f); o != dispatch.Refused {
		return o.String()
	}
	return "not made"
}
