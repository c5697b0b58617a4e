package surfaces

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Discovery is the way through the workspace's catalogue in a language's
// spelling: for the functions inside programs and the native tools alike. To
// show the shape of a result it may call a read once, as a program of its own
// that the journal knows as describe.
func (ws *Workspace) Discovery(l Language) *toolfn.Discovery {
	return toolfn.NewDiscovery(ws.catalog, toolfn.DiscoveryOptions{Style: l.Signatures(), Native: true, Sample: ws.sample})
}

func (ws *Workspace) sample(ctx context.Context, f *toolfn.ToolFn) (value.Value, error) {
	m, err := sandbox.NewMeter(ctx, ws.limits)
	if err != nil {
		return nil, err
	}
	run := ws.Begin(m, dispatch.Program{Language: "describe", Source: f.Name})
	got, err := run.Call(dispatch.Call{Function: f.Name})
	var fault *sandbox.Fault
	if err != nil {
		fault, _ = err.(*sandbox.Fault)
	}
	run.End(fault)
	return got, err
}

// nativeTool is a discovery tool: one argument at most, a text as answer.
type nativeTool struct {
	name, about string
	argument    string // "" if it takes none
	meaning     string
	optional    bool
	answer      func(ctx context.Context, d *toolfn.Discovery, argument string) (string, *sandbox.Fault)
}

var nativeTools = []nativeTool{
	{
		name: "search_functions", about: "Find functions by words: what they deal with and what they do.", argument: "query", meaning: "A few words, such as %words.",
		answer: func(_ context.Context, d *toolfn.Discovery, q string) (string, *sandbox.Fault) {
			return d.SearchText(q, 0, 0), nil
		},
	},
	{
		name: "list_servers", about: "List the servers whose functions programs can call.",
		answer: func(_ context.Context, d *toolfn.Discovery, _ string) (string, *sandbox.Fault) {
			return d.ServersText(), nil
		},
	},
	{
		name: "list_functions", about: "List the functions of a server with their signatures.", argument: "server", meaning: "A server's name; every function if left out.", optional: true,
		answer: func(_ context.Context, d *toolfn.Discovery, s string) (string, *sandbox.Fault) {
			return d.FunctionsText(s)
		},
	},
	{
		name: "describe_function", about: "Show one function in full: arguments, effect, result.", argument: "name", meaning: "A function's name, such as %name.",
		answer: func(ctx context.Context, d *toolfn.Discovery, n string) (string, *sandbox.Fault) {
			return d.DescribeText(ctx, n)
		},
	},
}

// discoveryTools are the four discovery tools. Their names are the same under
// every frame.
func (m *mount) discoveryTools() []Tool {
	tools := make([]Tool, len(nativeTools))
	for i, n := range nativeTools {
		tools[i] = Tool{
			Name: n.name, Description: n.about + " To call a function, write a program for " + m.lead().tool + ".", InputSchema: m.nativeSchema(n),
			Call: func(ctx context.Context, input json.RawMessage) (Output, error) {
				return m.discover(ctx, n, input), nil
			},
		}
	}
	return tools
}

func (m *mount) nativeSchema(n nativeTool) json.RawMessage {
	properties := value.NewObject(1)
	schema := value.Of("type", "object", "properties", properties)
	if n.argument == "" {
		return encode(schema)
	}
	name := "github__list_issues"
	if f := m.shown.example.fn; f != nil {
		name = f.Name
	}
	meaning := strings.NewReplacer("%words", `"`+m.shown.example.words()+`"`, "%name", name).Replace(n.meaning)
	properties.Set(n.argument, value.Of("type", "string", "description", meaning))
	if !n.optional {
		schema.Set("required", []value.Value{n.argument})
	}
	return encode(schema)
}

// discover answers one call of a discovery tool.
func (m *mount) discover(ctx context.Context, n nativeTool, input json.RawMessage) Output {
	argument, fault := readArgument(n, input)
	text := ""
	if fault == nil {
		text, fault = n.answer(ctx, m.ws.Discovery(m.lead().language), argument)
	}
	most := m.ws.limits.Output
	if fault != nil {
		p := page{left: most}
		p.fault(fault, most)
		return Output{Text: strings.Join(p.lines, "\n"), Failed: true}
	}
	return Output{Text: elide.Middle(text, most)}
}

// readArgument takes the one argument of a discovery tool, under whatever name a
// model gave it.
func readArgument(n nativeTool, input json.RawMessage) (string, *sandbox.Fault) {
	if n.argument == "" || len(input) == 0 {
		return "", missing(n)
	}
	given, err := value.Decode(input)
	if err != nil {
		return "", &sandbox.Fault{Kind: sandbox.KindArgument, Message: n.name + ": the arguments are not JSON."}
	}
	switch v := given.(type) {
	case string:
		return v, nil
	case *value.Object:
		if s, ok := v.Get(n.argument); ok {
			if text, ok := s.(string); ok {
				return text, nil
			}
			if s != nil {
				return "", &sandbox.Fault{Kind: sandbox.KindArgument, Message: n.name + ": '" + n.argument + "' is " + value.Kind(s) + ", not a string."}
			}
		}
		if only, ok := onlyString(v); ok {
			return only, nil
		}
	}
	return "", missing(n)
}

// missing is the fault of a missing argument, if the tool needs one.
func missing(n nativeTool) *sandbox.Fault {
	if n.argument == "" || n.optional {
		return nil
	}
	return &sandbox.Fault{
		Kind: sandbox.KindArgument, Message: n.name + ": the argument '" + n.argument + "' is missing.",
		Hint: "Send " + argument(n.argument, "…") + ".",
	}
}

// onlyString gives the string of an object that has exactly one.
func onlyString(o *value.Object) (string, bool) {
	found, n := "", 0
	for _, v := range o.All() {
		if s, ok := v.(string); ok {
			found = s
			n++
		}
	}
	return found, n == 1
}
