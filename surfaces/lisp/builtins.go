package lisp

import (
	"context"
	"errors"
	"slices"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces/lisp/compile"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// builtinNames are the functions of the session itself.
var builtinNames = slices.Concat(toolfn.Builtins(), []string{
	"tables", "insert!", "update!", "delete!", "commit!", "rollback!", "pending", "vars", "del",
})

// builtin gives a function of the session itself, or nil.
func (s *session) builtin(n string) *data.Native {
	native := func(least, most int, usage string, run func(t *data.Thread, a []data.Value) data.Value) *data.Native {
		return &data.Native{Name: n, Min: least, Max: most, Usage: usage, Run: run}
	}
	switch n {
	case compile.StageFunction:
		return native(1, 1, "", s.stage)
	case "commit!":
		return native(0, 0, "(commit!)", s.commit)
	case "rollback!":
		return native(0, -1, "(rollback!)", s.rollback)
	case "pending":
		return native(0, 0, "(pending)", s.pending)
	case "tables":
		return native(0, 0, "(tables)", s.tables)
	case "insert!":
		return native(2, 2, "(insert! :table {:column value})", s.insert)
	case "update!":
		return native(3, 3, "(update! :table {:column new} {:key value})", s.update)
	case "delete!":
		return native(2, 2, "(delete! :table {:key value})", s.remove)
	case "vars":
		return native(0, 0, "(vars)", s.vars)
	case "del":
		return native(1, -1, `(del "name")`, s.del)
	case "search", "search_functions":
		return native(1, 2, `(search "words")`, s.search)
	case "servers", "list_servers":
		return native(0, 0, "(servers)", func(t *data.Thread, _ []data.Value) data.Value {
			return s.bring(t, s.discovery().ServerRows(), nil)
		})
	case "fns", "list_functions":
		return native(0, 1, `(fns "server")`, func(t *data.Thread, a []data.Value) data.Value {
			server := ""
			if len(a) > 0 {
				server = s.named(t, a[0], "server")
			}
			rows, fault := s.discovery().FunctionRows(server)
			orThrow(fault)
			return s.bring(t, rows, nil)
		})
	case "describe", "describe_function":
		return native(1, 1, "(describe :name)", s.describe)
	}
	return nil
}

func orThrow(f *sandbox.Fault) {
	if f != nil {
		throw(f)
	}
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

// named reads the one argument of a discovery function: a name as a string, keyword
// or symbol, the function itself, or a map that has it under its key.
func (s *session) named(t *data.Thread, v data.Value, key string) string {
	if n := v.Named(); n != nil {
		return n.Full()
	}
	if text, ok := v.Text(); ok {
		return text
	}
	if f, ok := v.Unbox().(*data.Native); ok {
		return f.Name
	}
	if m := v.Map(); m != nil {
		if x, ok := m.Get(t, s.machine.Keyword(key)); ok {
			return s.named(t, x, key)
		}
		if m.Len() == 0 {
			return ""
		}
	}
	data.ThrowHint("IllegalArgumentException", "it takes the "+key+" as a string or keyword.", "")
	return ""
}

func (s *session) search(t *data.Thread, a []data.Value) data.Value {
	query, limit, offset := s.named(t, a[0], "query"), 0, 0
	options := a[len(a)-1].Map()
	if options != nil {
		limit, offset = numberIn(t, options, s.machine.Keyword("limit")), numberIn(t, options, s.machine.Keyword("offset"))
	}
	rows, note := s.discovery().SearchRows(query, limit, offset)
	if note != "" {
		s.note(note)
	}
	return s.bring(t, rows, nil)
}

func numberIn(t *data.Thread, m *data.Map, key data.Value) int {
	v, _ := m.Get(t, key)
	n, _ := v.Int()
	return int(n)
}

// tables lists the tables.
func (s *session) tables(t *data.Thread, _ []data.Value) data.Value {
	var rows []value.Value
	for _, tab := range s.ws.Catalog().Tables() {
		row := value.Of("name", tab.Name, "description", toolfn.Plain(tab.Description, 200), "volatility", tab.Volatility.String())
		row.Set("ops", operations(tab))
		rows = append(rows, row)
	}
	return s.bring(t, rows, nil)
}

// operations are what programs can do with a table.
func operations(tab *toolfn.ResourceTable) []value.Value {
	var out []value.Value
	for _, v := range tab.Verbs() {
		switch v {
		case toolfn.Select:
			out = append(out, "read")
		default:
			out = append(out, v.String()+"!")
		}
	}
	return out
}

// describe tells of a function or a table.
func (s *session) describe(t *data.Thread, a []data.Value) data.Value {
	n := s.named(t, a[0], "name")
	if fn, ok := s.functionNamed(n); ok {
		n = fn.Name
	} else if tab, ok := s.tableNamed(n); ok {
		return s.bring(t, s.tableFacts(tab), nil)
	} else if usage, doc, ok := compile.Special(n); ok {
		return s.bring(t, value.Of("name", n, "usage", usage, "doc", doc), nil)
	} else if v, ok := libraryFunction(n); ok {
		return s.bring(t, value.Of("name", v.Name, "usage", v.Usage, "doc", v.Doc), nil)
	}
	about, fault := s.discovery().Description(s.meter.Context(), n)
	orThrow(fault)
	return s.bring(t, about, nil)
}

func (s *session) tableFacts(tab *toolfn.ResourceTable) *value.Object {
	var columns []value.Value
	for i := range tab.Columns {
		c := &tab.Columns[i]
		row := value.Of("name", c.Name, "type", c.Type)
		if c.RequiredKey {
			row.Set("required", true)
		}
		if c.Description != "" {
			row.Set("description", toolfn.Plain(c.Description, 200))
		}
		if len(c.Enum) > 0 {
			row.Set("values", value.Copy(value.Value(c.Enum)))
		}
		columns = append(columns, row)
	}
	usage := "(" + tab.Name + " {:column value}) reads; a list of values is a choice"
	return value.Of("name", tab.Name, "description", toolfn.Plain(tab.Description, 400), "volatility", tab.Volatility.String(),
		"ops", value.Value(operations(tab)), "columns", value.Value(columns), "usage", usage)
}

// vars lists what the session has defined.
func (s *session) vars(t *data.Thread, _ []data.Value) data.Value {
	var rows []value.Value
	for _, d := range s.definitions(s.machine.Names()) {
		rows = append(rows, value.Of("name", d.Name, "kind", d.Kind, "bytes", d.Size, "holds", d.Summary))
	}
	return s.bring(t, rows, nil)
}

// del frees definitions by name and tells how many there were.
func (s *session) del(t *data.Thread, a []data.Value) data.Value {
	freed := int64(0)
	for _, v := range a {
		n := s.named(t, v, "name")
		if _, ok := s.machine.Get(n); !ok {
			hint := "(vars) lists what is."
			if near, ok := sandbox.Nearest(n, s.machine.Names()); ok {
				hint = "Did you mean " + near + "?"
			}
			data.ThrowHint("IllegalArgumentException", sandbox.Clip(n, 60)+" is not defined in this session.", hint)
		}
		s.machine.Forget(n)
		freed++
	}
	return data.Int(freed)
}
