package toolfn

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// goldens is the state of one file of testdata: a catalogue that its commands
// fill and ask. Each file starts empty.
type goldens struct {
	t       *testing.T
	catalog *Catalog
	style   Style
	results map[string]value.Value // what functions return
	sampled []string               // functions that discovery called
}

// python is a second style, so that signatures are seen not to know a language.
var python = Style{
	Name: func(f *ToolFn) string {
		if f.Server == "" {
			return f.Name
		}
		return f.Server + "." + f.Local()
	},
	Call: [2]string{"(", ")"}, Pair: ": ", Assign: "=", Separator: ", ", Optional: "?", Fields: [2]string{"{", "}"}, List: [2]string{"list[", "]"}, Arrow: " -> ",
	Words:    TypeWords{String: "str", Integer: "int", Number: "float", Boolean: "bool", Null: "None", Object: "dict", Array: "list", Any: "Any"},
	Describe: `describe('%s')`,
}

func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			g := &goldens{t: t, catalog: NewCatalog(), style: Neutral, results: map[string]value.Value{}}
			datadriven.RunTest(t, file, g.run)
		})
	}
}

func (g *goldens) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "new":
		g.catalog, g.style, g.results, g.sampled = NewCatalog(), Neutral, map[string]value.Value{}, nil
		if d.HasArg("python") {
			g.style = python
		}
		if d.HasArg("mask") {
			g.style.Mask = true
		}
		return "ok"
	case "function":
		return g.function(d)
	case "adopt":
		return g.adopt(d)
	case "withdraw":
		return fmt.Sprint(g.catalog.Withdraw(arg(d, "server")))
	case "names":
		return g.names(d)
	case "schema":
		return g.schema(d)
	case "signature":
		return g.each(d, func(f *ToolFn) string { return Signature(f, g.style) })
	case "line":
		return g.each(d, func(f *ToolFn) string { return Line(f, g.style) })
	case "check":
		return g.check(d)
	case "observe":
		return g.observe(d)
	case "result":
		g.results[arg(d, "of")] = decoded(t, d.Input)
		return "ok"
	case "sampled":
		return strings.Join(g.sampled, " ")
	case "warnings":
		return g.warnings()
	case "namespaces":
		return g.namespaces(d)
	}
	return g.discover(d)
}

func (g *goldens) discovery() *Discovery {
	return NewDiscovery(g.catalog, DiscoveryOptions{Style: g.style, Sample: func(_ context.Context, f *ToolFn) (value.Value, error) {
		g.sampled = append(g.sampled, f.Name)
		if v, ok := g.results[f.Name]; ok {
			return v, nil
		}
		return nil, errors.New("upstream is down")
	}})
}

func (g *goldens) discover(d *datadriven.TestData) string {
	disc := g.discovery()
	ctx := context.Background()
	switch d.Cmd {
	case "servers":
		return disc.ServersText()
	case "functions":
		return orFault(disc.FunctionsText(arg(d, "server")))
	case "describe":
		return orFault(disc.DescribeText(ctx, strings.TrimSpace(d.Input)))
	case "search":
		return disc.SearchText(d.Input, number(g.t, d, "limit"), number(g.t, d, "offset"))
	case "find":
		var out []string
		for _, h := range g.catalog.Search(d.Input, 5, 0).Hits {
			out = append(out, h.Function.Name)
		}
		return strings.Join(out, " ")
	case "server-rows":
		return g.json(disc.ServerRows())
	case "function-rows":
		rows, fault := disc.FunctionRows(arg(d, "server"))
		return g.rows(rows, fault)
	case "search-rows":
		rows, note := disc.SearchRows(d.Input, number(g.t, d, "limit"), 0)
		return strings.TrimSpace(g.json(rows) + "\n" + note)
	case "description":
		o, fault := disc.Description(ctx, strings.TrimSpace(d.Input))
		if fault != nil {
			return "fault: " + fault.Error()
		}
		return g.json(o)
	}
	g.t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
	return ""
}

func (g *goldens) rows(rows []value.Value, fault *sandbox.Fault) string {
	if fault != nil {
		return "fault: " + fault.Error()
	}
	return g.json(rows)
}

// json writes lists with a line for each element.
func (g *goldens) json(v value.Value) string {
	list, ok := v.([]value.Value)
	if !ok {
		list = []value.Value{v}
	}
	var out []string
	for _, e := range list {
		text, err := value.Append(nil, e)
		if err != nil {
			g.t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return strings.Join(out, "\n")
}

func orFault(text string, fault *sandbox.Fault) string {
	if fault != nil {
		return "fault: " + fault.Error()
	}
	return text
}

func arg(d *datadriven.TestData, key string) string {
	for _, a := range d.CmdArgs {
		if a.Key == key && len(a.Vals) > 0 {
			return a.Vals[0]
		}
	}
	return ""
}

func number(t *testing.T, d *datadriven.TestData, key string) int {
	n := 0
	d.MaybeScanArgs(t, key, &n)
	return n
}

func decoded(t *testing.T, text string) value.Value {
	v, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// function registers one function: its schema, and after "=>" the schema of its
// result, after "--" its description.
func (g *goldens) function(d *datadriven.TestData) string {
	input, description, _ := strings.Cut(d.Input, "\n--\n")
	input, output, _ := strings.Cut(input, "\n=>\n")
	opts := []Option{Description(description), InServer(arg(d, "server"))}
	if output != "" {
		opts = append(opts, WithOutput([]byte(output)))
	}
	switch arg(d, "effect") {
	case "read":
		opts = append(opts, ReadOnly())
	case "write":
		opts = append(opts, Writes(), Idempotent())
	case "destroy":
		opts = append(opts, Destroys())
	}
	if d.HasArg("unsampled") {
		opts = append(opts, Unsampled())
	}
	name := arg(d, "name")
	f, err := DefineRaw(name, []byte(strings.TrimSpace(input)), nothing, opts...)
	if err == nil {
		err = g.catalog.Register(f)
	}
	if err != nil {
		return "error: " + err.Error()
	}
	return "ok"
}

// adopt takes in a server whose tools are lines of a name, and after it perhaps
// a schema.
func (g *goldens) adopt(d *datadriven.TestData) string {
	var fns []ToolFn
	for _, line := range strings.Split(d.Input, "\n") {
		if line == "" {
			continue
		}
		name, schema, _ := strings.Cut(line, " : ")
		f, err := DefineRaw(name, []byte(schema), nothing)
		if err != nil {
			return "error: " + err.Error()
		}
		fns = append(fns, f)
	}
	server := Server{Name: strings.ReplaceAll(arg(d, "server"), "~", " "), Description: strings.ReplaceAll(arg(d, "about"), "~", " ")}
	name, warnings := g.catalog.Adopt(server, fns...)
	out := []string{"server " + name}
	for _, f := range g.catalog.Functions(name) {
		out = append(out, fmt.Sprintf("%s <- %q", f.Name, f.Upstream()))
	}
	for _, w := range warnings {
		out = append(out, "warning: "+w.String())
	}
	return strings.Join(out, "\n")
}

func (g *goldens) names(d *datadriven.TestData) string {
	var out []string
	for _, line := range strings.Split(d.Input, "\n") {
		out = append(out, fmt.Sprintf("%s | %s", SafeName(line), SafeNamespace(line)))
	}
	return strings.Join(out, "\n")
}

// schema reads a schema and shows what a function of it looks like.
func (g *goldens) schema(d *datadriven.TestData) string {
	s, warnings, err := ParseSchema([]byte(d.Input))
	if err != nil {
		return "error: " + err.Error()
	}
	f := ToolFn{Name: "f", Input: s}
	c := compile(s)
	var out []string
	out = append(out, Signature(&f, Neutral))
	for _, w := range append(warnings, c.warnings...) {
		out = append(out, "warning: "+w.String())
	}
	if d.HasArg("json") {
		text, err := s.MarshalJSON()
		if err != nil {
			g.t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return strings.Join(out, "\n")
}

func (g *goldens) each(d *datadriven.TestData, show func(*ToolFn) string) string {
	var out []string
	for _, name := range strings.Fields(d.Input) {
		f, ok := g.catalog.Lookup(name)
		if !ok {
			g.t.Fatalf("%s: no function %s", d.Pos, name)
		}
		text := show(f)
		if len(text) > lineBytes+len("…") {
			g.t.Errorf("%s: %d bytes", d.Pos, len(text))
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// check checks one argument object a line against the function of the argument
// of, or against the last one that was registered.
func (g *goldens) check(d *datadriven.TestData) string {
	fns := g.catalog.All()
	f := fns[len(fns)-1]
	if name := arg(d, "of"); name != "" {
		f, _ = g.catalog.Lookup(name)
	}
	var out []string
	for _, line := range strings.Split(d.Input, "\n") {
		args, _ := decoded(g.t, line).(*value.Object)
		got, err := f.Check(args)
		if err == nil {
			out = append(out, "ok "+g.json(got))
			continue
		}
		var fault *sandbox.Fault
		var refusal *Refusal
		if !errors.As(err, &fault) || fault.Kind != sandbox.KindArgument || !errors.As(err, &refusal) {
			g.t.Fatalf("%s: %#v", d.Pos, err)
		}
		text := fault.Message
		if d.HasArg("hint") {
			text += " " + refusal.Hint(g.style)
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

func (g *goldens) observe(d *datadriven.TestData) string {
	f := ToolFn{Name: "f", observed: &observed{}}
	for _, line := range strings.Split(d.Input, "\n") {
		f.Observe(decoded(g.t, line))
	}
	text, _ := f.Returns(g.style)
	return text
}

func (g *goldens) warnings() string {
	var out []string
	for _, w := range g.catalog.Warnings() {
		out = append(out, w.String())
	}
	return strings.Join(out, "\n")
}

func (g *goldens) namespaces(d *datadriven.TestData) string {
	taken := strings.Fields(d.Input)
	list, warnings := g.catalog.Namespaces(func(name string) bool { return containsString(taken, name) })
	var out []string
	for _, n := range list {
		out = append(out, fmt.Sprintf("%s: %d", n.Name, len(n.Group.Functions)))
	}
	for _, w := range warnings {
		out = append(out, "warning: "+w.String())
	}
	return strings.Join(out, "\n")
}
