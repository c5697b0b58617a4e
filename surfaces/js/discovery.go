package js

import (
	"context"
	"errors"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// signatures is how this language spells calls and types in discovery texts.
func signatures() toolfn.Style {
	s := toolfn.Neutral
	s.Name = spelling
	s.Words.Integer = "number"
	s.Key = key
	s.Value = func(v value.Value) string { return literal(v, 200) }
	return s
}

// discovery is the catalogue's discovery in this session's words.
func (s *session) discovery() *toolfn.Discovery {
	return toolfn.NewDiscovery(s.ws.Catalog(), toolfn.DiscoveryOptions{Style: signatures(), Sample: s.sample})
}

var errEnded = errors.New("the program has ended")

// sample calls a read without arguments so that describe can show its result; it
// goes through the same door as every call.
func (s *session) sample(_ context.Context, fn *toolfn.ToolFn) (value.Value, error) {
	if s.run == nil || s.run.ended {
		return nil, errEnded
	}
	return s.run.calls.Call(dispatch.Call{Function: fn.Name})
}

// discoveryFunction gives a discovery builtin: by a short or a long name, with a
// string or with the object that the native tool takes.
func (s *session) discoveryFunction(name string) func([]goja.Value) goja.Value {
	switch name {
	case "search", "search_functions":
		return s.searchFunctions
	case "servers", "list_servers":
		return func([]goja.Value) goja.Value { return s.realm.Import(s.discovery().ServerRows()) }
	case "fns", "list_functions":
		return func(args []goja.Value) goja.Value {
			rows, fault := s.discovery().FunctionRows(s.named(args, "server", ""))
			s.orThrow(fault)
			return s.realm.Import(rows)
		}
	case "describe", "describe_function":
		return func(args []goja.Value) goja.Value {
			about, fault := s.discovery().Description(s.meter.Context(), s.named(args, "name", name))
			s.orThrow(fault)
			return s.realm.Import(about)
		}
	}
	return nil
}

func (s *session) searchFunctions(args []goja.Value) goja.Value {
	query := s.named(args, "query", "search")
	rows, note := s.discovery().SearchRows(query, s.number(args, "limit"), s.number(args, "offset"))
	if note != "" {
		s.note(note)
	}
	return s.realm.Import(rows)
}

func (s *session) orThrow(f *sandbox.Fault) {
	if f != nil {
		s.realm.Throw(f)
	}
}

// named reads the one argument of a discovery builtin: a string, a capability
// itself, or an object that has it under its key. needed names the builtin if the
// argument may not be missing.
func (s *session) named(args []goja.Value, key, needed string) string {
	args = trimUndefined(args)
	if len(args) > 0 {
		switch a := args[0].(type) {
		case goja.String:
			return a.String()
		case *goja.Object:
			if c := s.capabilities[a]; c != nil {
				return c.name
			}
			if n, ok := a.Export().(*namespaceValue); ok {
				return n.name
			}
			if v, ok := s.realm.Data(a, key).(goja.String); ok {
				return v.String()
			}
			if needed == "" && len(s.realm.OwnKeys(a, 1)) == 0 {
				return ""
			}
		}
	} else if needed == "" {
		return ""
	}
	s.realm.Throw(&sandbox.Fault{
		Kind: sandbox.KindArgument, Name: "TypeError",
		Message: "it takes the " + key + " as a string.", Hint: "Write " + exampleOf(key) + ".",
	})
	return ""
}

func exampleOf(key string) string {
	switch key {
	case "query":
		return `search("words")`
	case "server":
		return `fns("server")`
	}
	return `describe("function")`
}

// number reads a number from the object form of an argument, or 0.
func (s *session) number(args []goja.Value, key string) int {
	if len(args) == 0 {
		return 0
	}
	if o, ok := args[0].(*goja.Object); ok {
		if v := s.realm.Data(o, key); v != nil && goja.IsNumber(v) {
			return int(v.ToInteger())
		}
	}
	return 0
}
