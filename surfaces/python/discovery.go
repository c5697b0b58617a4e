package python

import (
	"context"
	"errors"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/python/object"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// signatures is how this language spells calls and types in discovery texts.
func signatures() toolfn.Style {
	s := toolfn.Neutral
	s.Name = spelling
	s.Args = [2]string{}
	s.Assign = "="
	s.Named = identifier
	s.List = [2]string{"list[", "]"}
	s.Words = toolfn.TypeWords{String: "str", Integer: "int", Number: "float", Boolean: "bool", Null: "None", Object: "dict", Array: "list", Any: "Any"}
	s.Key = func(k string) string {
		if identifier(k) {
			return k
		}
		return quote(k)
	}
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
// string, with keywords, or with the dict that the native tool takes.
func (s *session) discoveryFunction(n string) *object.Builtin {
	switch n {
	case "search", "search_functions":
		return s.discoverer(n, "query", true, func(q string, o *value.Object) (value.Value, *sandbox.Fault) {
			rows, note := s.discovery().SearchRows(q, number(o, "limit"), number(o, "offset"))
			if note != "" {
				s.note(note)
			}
			return rows, nil
		})
	case "servers", "list_servers":
		return s.discoverer(n, "", false, func(string, *value.Object) (value.Value, *sandbox.Fault) { return s.discovery().ServerRows(), nil })
	case "fns", "list_functions":
		return s.discoverer(n, "server", false, func(server string, _ *value.Object) (value.Value, *sandbox.Fault) {
			rows, fault := s.discovery().FunctionRows(server)
			return rows, fault
		})
	case "describe", "describe_function":
		return s.discoverer(n, "name", true, func(about string, _ *value.Object) (value.Value, *sandbox.Fault) {
			d, fault := s.discovery().Description(s.meter.Context(), about)
			if fault != nil {
				return nil, fault
			}
			return d, nil
		})
	}
	return nil
}

// discoverer makes a builtin with one argument of a name. needed says that it may
// not be missing.
func (s *session) discoverer(n, key string, needed bool, answer func(about string, o *value.Object) (value.Value, *sandbox.Fault)) *object.Builtin {
	return object.NewRaw(n, func(t *thread, a []pyValue, names []string) (pyValue, *exception) {
		if x := t.Charge(16); x != nil {
			return pyValue{}, x
		}
		o, x := s.discoveryArguments(a, names, key)
		if x != nil {
			return pyValue{}, x
		}
		about := ""
		if v, ok := o.Get(key); ok && v != nil {
			if about, ok = v.(string); !ok {
				return pyValue{}, s.wrongDiscovery(n, key)
			}
		} else if needed {
			return pyValue{}, s.wrongDiscovery(n, key)
		}
		v, fault := answer(about, o)
		if fault != nil {
			return pyValue{}, s.raised(fault, "")
		}
		return s.plainIn(v, nil)
	})
}

// discoveryArguments reads the arguments of a discovery builtin into one object.
func (s *session) discoveryArguments(a []pyValue, names []string, key string) (*value.Object, *exception) {
	o := value.NewObject(2)
	pos := a[:len(a)-len(names)]
	for i, v := range pos {
		if c := s.capabilityOfValue(v); c != nil && i == 0 {
			o.Set(key, c.name)
			continue
		}
		if v.Kind() == object.KindModule && s.isSpace(v) && i == 0 {
			o.Set(key, s.spaceName(v))
			continue
		}
		d, r, x := s.export(v)
		if x != nil {
			return nil, x
		}
		if given, ok := d.(*value.Object); ok && r == nil {
			for k, e := range given.All() {
				o.Set(k, e)
			}
			continue
		}
		switch i {
		case 0:
			o.Set(key, d)
		case 1:
			o.Set("limit", d)
		}
	}
	for i, n := range names {
		d, _, x := s.export(a[len(pos)+i])
		if x != nil {
			return nil, x
		}
		o.Set(n, d)
	}
	return o, nil
}

func (s *session) spaceName(v pyValue) string {
	for n, m := range s.spaces {
		if m.Value() == v {
			return n
		}
	}
	return ""
}

func (s *session) wrongDiscovery(n, key string) *exception {
	return s.raised(&sandbox.Fault{
		Kind: sandbox.KindArgument, Name: "TypeError",
		Message: n + " takes the " + key + " as a string.", Hint: "Write " + exampleOf(key) + ".",
	}, "")
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

// number reads a number among the arguments, or 0.
func number(o *value.Object, key string) int {
	v, _ := o.Get(key)
	n, _ := v.(int64)
	return int(n)
}
