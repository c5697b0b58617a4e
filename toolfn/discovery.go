package toolfn

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Discovery is how a model finds its way through a catalogue: servers, the
// functions of one, one function in full, and search. The functions inside
// programs get plain data from it (…Rows, Description), the native tools the
// same as thin text (…Text). Everything that the catalogue's authors wrote is
// made plain and bounded on the way (see [Plain]).
type Discovery struct {
	catalog *Catalog
	style   Style
	doors   doors
	sample  func(ctx context.Context, f *ToolFn) (value.Value, error)
}

// doors are how the discovery functions are called, for hints: %s is the
// argument.
type doors struct{ servers, functions, describe, search string }

var (
	inPrograms = doors{servers: "servers()", functions: `fns("%s")`, describe: `describe("%s")`, search: `search("%s")`}
	asTools    = doors{servers: "list_servers", functions: `list_functions with server "%s"`, describe: `describe_function with name "%s"`, search: `search_functions with query "%s"`}
)

func (d *Discovery) door(template, argument string) string {
	return strings.ReplaceAll(template, "%s", argument)
}

// DiscoveryOptions set how a discovery speaks.
type DiscoveryOptions struct {
	// Style spells calls and types.
	Style Style
	// Native says that the answers are those of native tools, so that hints name
	// these rather than the functions inside programs.
	Native bool
	// Sample calls a function without arguments so that describe can show the
	// shape of its result. It is used once a function, only for reads without
	// required arguments that declare no output, and must go through the
	// dispatcher with its limits, for the actor who asks. nil samples nothing.
	Sample func(ctx context.Context, f *ToolFn) (value.Value, error)
}

// NewDiscovery makes a discovery over a catalogue.
func NewDiscovery(c *Catalog, o DiscoveryOptions) *Discovery {
	d := &Discovery{catalog: c, style: o.Style, doors: inPrograms, sample: o.Sample}
	if o.Native {
		d.doors = asTools
	}
	return d
}

const (
	// SearchPage is how many functions a search gives if nobody says otherwise.
	SearchPage = 10
	// maxPage is the most that one search gives.
	maxPage = 100
	// descriptionRunes bounds a description where a function is shown in full.
	descriptionRunes = 1000
	// parameterRunes bounds the description of an argument.
	parameterRunes = 300
	// listedDescription bounds a description in a list.
	listedDescription = 200
	// maxParameters is how many arguments a function's description lists.
	maxParameters = 60
)

// ServerRows gives {name, description, functionCount, sample} for each server.
func (d *Discovery) ServerRows() []value.Value {
	keys := value.NewKeys("name", "description", "functionCount", "sample")
	groups := d.catalog.Servers()
	rows := make([]value.Value, 0, len(groups))
	for _, g := range groups {
		rows = append(rows, value.NewRow(keys, []value.Value{g.Name, g.Description, int64(len(g.Functions)), sampleNames(g, 5)}))
	}
	return rows
}

func sampleNames(g *Group, most int) []value.Value {
	names := []value.Value{}
	for i, f := range g.Functions {
		if i == most {
			break
		}
		names = append(names, f.Name)
	}
	return names
}

// FunctionRows gives {name, description, signature, effect?} for each function
// of a server, or of all for "". An unknown server is a fault that names the
// nearest one.
func (d *Discovery) FunctionRows(server string) ([]value.Value, *sandbox.Fault) {
	fns, fault := d.functions(server)
	if fault != nil {
		return nil, fault
	}
	rows := make([]value.Value, 0, len(fns))
	for _, f := range fns {
		rows = append(rows, d.row(f))
	}
	return rows, nil
}

var (
	rowKeys       = [...]string{"name", "description", "signature"}
	rowEffectKeys = [...]string{"name", "description", "signature", "effect"}
)

// row gives a function's entry as plain data.
func (d *Discovery) row(f *ToolFn) value.Value {
	vals := []value.Value{f.Name, Plain(f.Description, listedDescription), signature(f, &d.style, lineBytes)}
	if f.Effect.Impact == Unknown {
		return value.NewRow(value.NewKeys(rowKeys[:]...), vals)
	}
	return value.NewRow(value.NewKeys(rowEffectKeys[:]...), append(vals, f.Effect.Impact.String()))
}

// functions gives the functions of a server, which may be spelt as upstream.
func (d *Discovery) functions(server string) ([]*ToolFn, *sandbox.Fault) {
	if server == "" {
		return d.catalog.All(), nil
	}
	if g, ok := d.server(server); ok {
		return g.Functions, nil
	}
	var names []string
	for _, g := range d.catalog.Servers() {
		names = append(names, g.Name)
	}
	fault := &sandbox.Fault{Kind: sandbox.KindName, Message: fmt.Sprintf("no server named %s.", quoted(server, 60)), Hint: "Call " + d.doors.servers + " to list them."}
	if near, ok := sandbox.Nearest(server, names); ok {
		fault.Hint = fmt.Sprintf("Did you mean %s? %s lists them.", quoted(near, 60), d.doors.servers)
	} else if len(names) > 0 && len(names) <= listedNames {
		fault.Hint = "The servers are " + strings.Join(names, ", ") + "."
	}
	return nil, fault
}

// server finds a server by its name, in any case, or its upstream name.
func (d *Discovery) server(name string) (*Group, bool) {
	if g, ok := d.catalog.Server(name); ok {
		return g, true
	}
	for _, g := range d.catalog.Servers() {
		if strings.EqualFold(g.Name, name) || strings.EqualFold(g.UpstreamName, name) {
			return g, true
		}
	}
	return nil, false
}

// SearchRows ranks functions by a query and gives limit of them from offset on,
// 0 standing for SearchPage. The note says how many there are beyond, and how to
// get them; "" if these are all.
func (d *Discovery) SearchRows(query string, limit, offset int) (rows []value.Value, note string) {
	r := d.catalog.Search(query, page(limit), offset)
	for _, h := range r.Hits {
		rows = append(rows, d.row(h.Function))
	}
	if rows == nil {
		rows = []value.Value{}
	}
	return rows, d.searchNote(r, query)
}

func page(limit int) int {
	if limit <= 0 {
		return SearchPage
	}
	return min(limit, maxPage)
}

func (d *Discovery) searchNote(r SearchResult, query string) string {
	next := r.Offset + len(r.Hits)
	switch {
	case r.Total == 0:
		return "Nothing matches " + quoted(query, 60) + ". Use other words, or " + d.doors.servers + " to list the servers."
	case len(r.Hits) == 0:
		return fmt.Sprintf("There are %d matches; offset %d is beyond them.", r.Total, r.Offset)
	case next < r.Total:
		return fmt.Sprintf("+%d more match: narrow the query, or ask with offset %d.", r.Total-next, next)
	}
	return ""
}

// Find gives the function that a name means: the catalogue's name, SERVER.TOOL
// in any spelling, the upstream name, or the short name if only one has it. The
// fault for any other name suggests what it may mean.
func (d *Discovery) Find(name string) (*ToolFn, *sandbox.Fault) {
	name = strings.TrimSpace(name)
	name = strings.TrimSuffix(name, "()")
	if f, ok := d.catalog.Lookup(name); ok {
		return f, nil
	}
	if f, ok := d.loose(name); ok {
		return f, nil
	}
	return nil, d.notFound(name)
}

// loose finds a function by what its name means rather than by its spelling.
func (d *Discovery) loose(name string) (*ToolFn, bool) {
	var found *ToolFn
	n := 0
	for _, f := range d.catalog.All() {
		if dotted(name, f) {
			return f, true
		}
		if f.Local() == name || f.UpstreamName == name {
			found = f
			n++
		}
	}
	return found, n == 1
}

// dotted reports whether name is the function's server and tool with a dot,
// slash or colon between.
func dotted(name string, f *ToolFn) bool {
	rest, ok := strings.CutPrefix(name, f.Server)
	if !ok || f.Server == "" || len(rest) < 2 || !strings.ContainsRune("./:", rune(rest[0])) {
		return false
	}
	return rest[1:] == f.Local() || rest[1:] == f.UpstreamName
}

// notFound is the fault of an unknown name: the nearest names by spelling, else
// by words.
func (d *Discovery) notFound(name string) *sandbox.Fault {
	fault := &sandbox.Fault{Kind: sandbox.KindName, Message: fmt.Sprintf("no function named %s.", quoted(name, 80))}
	if g, ok := d.server(name); ok {
		fault.Message = fmt.Sprintf("%s is a server, not a function.", g.Name)
		fault.Hint = "Call " + d.door(d.doors.functions, g.Name) + " to list its functions."
		return fault
	}
	if near := d.Suggest(name); len(near) > 0 {
		for i := range near {
			near[i] = quoted(near[i], maxName)
		}
		fault.Hint = "Did you mean " + alternatives(near) + "? Call " + d.door(d.doors.search, "words") + " to find others."
		return fault
	}
	fault.Hint = "Call " + d.door(d.doors.search, "words") + " to find functions, or " + d.doors.servers + " to list the servers."
	return fault
}

// Suggest gives up to three names that a wrong function name most likely meant.
func (d *Discovery) Suggest(name string) []string {
	fns := d.catalog.All()
	names := make([]string, len(fns))
	locals := make([]string, len(fns))
	for i, f := range fns {
		names[i], locals[i] = f.Name, f.Local()
	}
	if near, ok := sandbox.Nearest(strings.NewReplacer(".", "__", "/", "__").Replace(name), names); ok {
		return []string{near}
	}
	if near, ok := sandbox.Nearest(name, locals); ok {
		var out []string
		for i := range fns {
			if locals[i] == near && len(out) < 3 {
				out = append(out, names[i])
			}
		}
		return out
	}
	var out []string
	for _, h := range d.catalog.Search(name, 3, 0).Hits {
		out = append(out, h.Function.Name)
	}
	return out
}

// Description gives a function in full as plain data: {name, params: [{name,
// type, required?, description?, enum?, default?}], open?, description,
// readOnlyHint?, effect?, returns?, observed?, call, upstream?}. It may call the
// function once to learn its result's shape (see DiscoveryOptions.Sample).
func (d *Discovery) Description(ctx context.Context, name string) (*value.Object, *sandbox.Fault) {
	f, fault := d.Find(name)
	if fault != nil {
		return nil, fault
	}
	d.learn(ctx, f)
	o := value.NewObject(10)
	o.Set("name", f.Name)
	params, open := d.parameters(f)
	o.Set("params", params)
	if open {
		o.Set("open", true)
	}
	if text := Plain(f.Description, descriptionRunes); text != "" {
		o.Set("description", text)
	}
	if f.Effect.Impact != Unknown {
		o.Set("readOnlyHint", f.Effect.Reads())
		o.Set("effect", effectWords(f.Effect))
	}
	if text, observed := f.Returns(d.style); text != "" {
		o.Set("returns", text)
		if observed {
			o.Set("observed", true)
		}
	}
	o.Set("call", d.style.Skeleton(f))
	if f.Upstream() != f.Local() {
		o.Set("upstream", Plain(f.Upstream(), 120))
	}
	return o, nil
}

func effectWords(e Effect) string {
	text := e.Impact.String()
	if e.Idempotent && !e.Reads() {
		text += ", idempotent"
	}
	return text
}

// parameters lists the arguments, the required ones first, and says whether
// others are accepted.
func (d *Discovery) parameters(f *ToolFn) (list []value.Value, open bool) {
	list = []value.Value{}
	sh := f.argumentShape()
	if sh == nil || sh.kind == shapeAny {
		return list, true
	}
	fields, forms := merged(sh)
	for i, p := range fields {
		if i == maxParameters {
			break
		}
		list = append(list, d.parameter(f, p))
	}
	return list, sh.rest != nil || len(fields) == 0 && !forms && f.opens()
}

// opens reports whether the function accepts arguments that it does not name.
func (f *ToolFn) opens() bool {
	return f.Input != nil && f.Input.AdditionalProperties != nil && !isNever(f.Input.AdditionalProperties)
}

// merged gives the arguments of all forms, required only if they are in each.
func merged(sh *shape) (fields []field, forms bool) {
	if sh.kind != shapeUnion {
		return sh.fields, false
	}
	for i, form := range sh.forms {
		for _, f := range form.fields {
			j := fieldIndex(fields, f.name)
			switch {
			case j < 0:
				f.optional = f.optional || i > 0
				fields = append(fields, f)
			case f.optional:
				fields[j].optional = true
			}
		}
		for j := range fields {
			if fieldIndex(form.fields, fields[j].name) < 0 {
				fields[j].optional = true
			}
		}
	}
	return fields, true
}

func (d *Discovery) parameter(f *ToolFn, p field) value.Value {
	o := value.NewObject(5)
	o.Set("name", p.name)
	kind := p.shape
	if kind.kind == shapeValues {
		o.Set("type", d.style.word(scalarOf(kind.values)))
	} else {
		o.Set("type", Plain(kind.print(&d.style, detail{depth: 3, fields: 24, values: 12, defaults: true})+formatOf(kind), 400))
	}
	if !p.optional {
		o.Set("required", true)
	}
	if text := Plain(f.argumentText(p.name), parameterRunes); text != "" {
		o.Set("description", text)
	}
	if kind.kind == shapeValues {
		o.Set("enum", firstValues(kind.values))
	}
	if p.hasDef {
		o.Set("default", p.def)
	}
	return o
}

func formatOf(sh *shape) string {
	if sh.kind == shapeScalar && sh.format != "" {
		return " (" + Plain(sh.format, 30) + ")"
	}
	return ""
}

// firstValues gives at most fifty values of an enum.
func firstValues(values []value.Value) []value.Value {
	return values[:min(len(values), 50)]
}

// argumentText gives what the schema says of an argument.
func (f *ToolFn) argumentText(name string) string {
	s := f.Input
	for range 8 {
		if s == nil {
			return ""
		}
		if p, ok := s.Properties[name]; ok {
			return textOf(f, p)
		}
		if s.Ref == "" {
			break
		}
		s, _ = target(f.Input, s.Ref)
	}
	if s == nil {
		return ""
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, part := range list {
			if part.Ref != "" {
				if to, ok := target(f.Input, part.Ref); ok {
					part = to
				}
			}
			if p, ok := part.Properties[name]; ok {
				return textOf(f, p)
			}
		}
	}
	return ""
}

// textOf gives a schema's description, or that of what it refers to.
func textOf(f *ToolFn, s *jsonschema.Schema) string {
	if s.Description == "" && s.Ref != "" {
		if to, ok := target(f.Input, s.Ref); ok {
			return to.Description
		}
	}
	if s.Description == "" {
		return s.Title
	}
	return s.Description
}

// learn calls a function once to see the shape of its result, if that is known
// to change nothing and nobody has opted out. A failure is remembered: it is
// tried once.
func (d *Discovery) learn(ctx context.Context, f *ToolFn) {
	o := f.observed
	if d.sample == nil || o == nil || f.Unsampled || f.Output != nil || !f.Effect.Reads() || o.settle.Load() || o.tried.Load() || f.needsArguments() {
		return
	}
	o.sample.Lock()
	defer o.sample.Unlock()
	if !o.tried.CompareAndSwap(false, true) {
		return
	}
	if v, err := d.sample(ctx, f); err == nil {
		f.Observe(v)
	}
}

// needsArguments reports whether a call without arguments would be refused.
func (f *ToolFn) needsArguments() bool {
	_, err := f.Check(nil)
	return err != nil
}
