package js

import (
	"errors"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// capability is a function of the catalogue as the programs of a session see it.
type capability struct {
	session *session
	fn      *toolfn.ToolFn
	name    string // the catalogue's name
	shown   string // as a program spells it: github.list_pull_requests
	object  *goja.Object
	guard   *guard // for the objects it returns; nil until it returned one
}

// Opaque names the function wherever a value is shown.
func (c *capability) Opaque() string { return "#<fn " + c.shown + ">" }

// newCapability makes the function object of a catalogue function.
func (s *session) newCapability(fn *toolfn.ToolFn) *capability {
	c := &capability{session: s, fn: fn, name: fn.Name, shown: spelling(fn)}
	c.object = s.realm.Function(fn.Local(), 1, c.call)
	s.capabilities[c.object] = c
	return c
}

// spelling is how a program is shown to call a function: qualified where its
// name has a server before a double underscore, else by its flat name.
func spelling(fn *toolfn.ToolFn) string {
	if before, after, ok := strings.Cut(fn.Name, "__"); ok && before != "" && toolfn.ValidName(after) && !taken(before) {
		return before + "." + after
	}
	return fn.Name
}

// call is the ordinary call: it waits for the result.
func (c *capability) call(fc goja.FunctionCall) goja.Value {
	s := c.session
	c.mayCall()
	args, fault := c.arguments(fc.Arguments)
	if fault != nil {
		panic(c.thrown(fault))
	}
	at := s.here()
	v, err := s.run.calls.Call(dispatch.Call{Function: c.name, Args: args, Line: at.line, Column: at.column})
	if err != nil {
		panic(c.failure(err))
	}
	return c.result(args, v)
}

// mayCall throws unless a program is running: a getter of its result must not fire
// anything when the result is shown.
func (c *capability) mayCall() {
	if r := c.session.run; r == nil || r.ended {
		panic(c.session.realm.NewError("Error", c.shown+" cannot be called while a value is shown. Call it in the program and keep its result."))
	}
}

// arguments reads what a program passed as the one object of named arguments.
func (c *capability) arguments(given []goja.Value) (*value.Object, *sandbox.Fault) {
	given = trimUndefined(given)
	if len(given) == 0 {
		return nil, nil
	}
	out := make([]value.Value, len(given))
	for i, g := range given {
		v, fault := c.session.realm.Export(g)
		if fault != nil {
			return nil, c.refusal(fault)
		}
		out[i] = v
	}
	if len(out) > 1 {
		return nil, c.misuse(out)
	}
	if o, ok := out[0].(*value.Object); ok {
		return o, nil
	}
	return c.bare(out[0])
}

// trimUndefined drops trailing undefined arguments, which say nothing.
func trimUndefined(given []goja.Value) []goja.Value {
	for len(given) > 0 && goja.IsUndefined(given[len(given)-1]) {
		given = given[:len(given)-1]
	}
	return given
}

// refusal says which function refused a value that cannot be passed.
func (c *capability) refusal(f *sandbox.Fault) *sandbox.Fault {
	if f.Kind.Limit() {
		return f
	}
	g := *f
	g.Kind = sandbox.KindArgument
	g.Message = c.shown + ": " + f.Message
	return &g
}

// result gives the program its own copy of what the function returned.
func (c *capability) result(args *value.Object, v value.Value) goja.Value {
	s := c.session
	if p, ok := v.(*dispatch.Placeholder); ok {
		return s.placeholder(p)
	}
	if surfaces.NoRows(v) {
		s.run.emptyRead(c, args)
	}
	switch v.(type) {
	case []value.Value, *value.Object:
		if c.guard == nil {
			c.guard = newGuard(s.realm.Runtime(), &s.missed, c.shown, "", c.fn.Output)
		}
		return s.realm.ImportShaped(v, c.guard)
	}
	return s.realm.Import(v)
}

// failure turns the error of a call into what the engine throws.
func (c *capability) failure(err error) any {
	var f *sandbox.Fault
	if !errors.As(err, &f) {
		f = &sandbox.Fault{Kind: sandbox.KindInternal, Message: c.shown + " could not be called.", Cause: err}
	}
	return c.thrown(f)
}

// thrown is what is thrown for a fault of this capability: a limit as something
// that no program can catch, all else as an Error with code, kind and details.
func (c *capability) thrown(f *sandbox.Fault) any {
	s := c.session
	if f.Kind.Limit() {
		s.realm.Fail(f)
	}
	return c.errorOf(f)
}

// errorOf makes the Error object of a fault.
func (c *capability) errorOf(f *sandbox.Fault) *goja.Object {
	o := c.session.errorOf(f)
	_ = o.DefineDataProperty("function", c.session.realm.Runtime().ToValue(c.name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return o
}

// outcomeWord is what a program reads of what became of a call: failed, unknown,
// not made, or done where only its result is of no use.
func outcomeWord(f *sandbox.Fault) string {
	if o := dispatch.OutcomeOf(f); o != dispatch.Refused {
		return o.String()
	}
	return "not made"
}

// errorOf makes the Error object of a fault of the door's.
func (s *session) errorOf(f *sandbox.Fault) *goja.Object {
	r := s.realm
	o := r.ErrorOf(f)
	set := func(name string, v goja.Value) {
		_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	set("kind", r.Runtime().ToValue(string(f.Kind)))
	set("outcome", r.Runtime().ToValue(outcomeWord(f)))
	var ce *toolfn.CallError
	if !errors.As(f.Cause, &ce) {
		return o
	}
	if ce.Code != "" {
		set("code", r.Runtime().ToValue(ce.Code))
	}
	set("retryable", r.Runtime().ToValue(ce.Retryable))
	if ce.Details != nil {
		set("details", r.Import(ce.Details))
	}
	return o
}
