package js

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// shadowable are the short builtins whose names a program may take for something
// of its own: they are everyday words, and each has a long name.
var shadowable = append([]string{"search", "servers", "fns", "describe", "vars"}, stagingNames...)

// builtinNames are the functions of the session itself that every program has.
var builtinNames = slices.Concat([]string{"vars", "del", "reset"}, toolfn.Builtins(), stagingNames, longStagingNames())

// builtin gives a function of the session itself, or nil.
func (s *session) builtin(name string) goja.Value {
	if s.yields(name) {
		return nil
	}
	if v := s.builtins[name]; v != nil {
		return v
	}
	f := s.builtinFunction(name)
	if f == nil {
		return nil
	}
	v := s.realm.Function(name, 1, func(c goja.FunctionCall) goja.Value {
		s.realm.Charge(16)
		return f(c.Arguments)
	})
	s.builtins[name] = v
	return v
}

func (s *session) builtinFunction(name string) func([]goja.Value) goja.Value {
	switch name {
	case lastValue:
		return nil
	case "vars":
		return s.vars
	case "del":
		return s.del
	case "reset":
		return s.reset
	}
	if f := s.stagingFunction(name); f != nil {
		return f
	}
	return s.discoveryFunction(name)
}

// vars lists what the session has defined.
func (s *session) vars([]goja.Value) goja.Value {
	all := s.definitions(s.scope.order)
	rows := make([]value.Value, 0, len(all))
	for _, d := range all {
		rows = append(rows, value.Of("name", d.Name, "kind", d.Kind, "bytes", d.Size, "holds", d.Summary))
	}
	return s.realm.Import(rows)
}

// del frees definitions by name and tells how many there were.
func (s *session) del(args []goja.Value) goja.Value {
	freed := int64(0)
	for _, a := range args {
		name, ok := a.(goja.String)
		if !ok {
			s.realm.Throw(&sandbox.Fault{Kind: sandbox.KindArgument, Name: "TypeError", Message: "del takes names as strings.", Hint: `Write del("name").`})
		}
		if !s.scope.remove(name.String()) {
			s.realm.Throw(s.notDefined(name.String()))
		}
		freed++
	}
	return s.realm.Import(freed)
}

// notDefined is the fault of freeing a name that is not there.
func (s *session) notDefined(name string) *sandbox.Fault {
	f := &sandbox.Fault{Kind: sandbox.KindName, Name: "ReferenceError", Message: shortKey(name) + " is not defined in this session."}
	if near, ok := sandbox.Nearest(name, s.scope.order); ok {
		f.Hint = "Did you mean " + near + "?"
	} else {
		f.Hint = "vars() lists what is."
	}
	return f
}

// reset frees every definition of earlier programs and tells how many there were.
func (s *session) reset([]goja.Value) goja.Value {
	freed := int64(0)
	for _, name := range append([]string(nil), s.scope.order...) {
		if !s.run.declares(name) && s.scope.remove(name) {
			freed++
		}
	}
	return s.realm.Import(freed)
}
