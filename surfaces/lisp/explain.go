package lisp

import (
	"context"
	"slices"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/lisp/data"
	"github.com/polyglove/polyglove/surfaces/lisp/reader"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Explain says what a program would do, from its text: which functions and tables
// it uses, and what is wrong with those uses. Nothing runs.
func (s *session) Explain(ctx context.Context, program string) *surfaces.Plan {
	if fault := s.turn.Take(ctx); fault != nil {
		return &surfaces.Plan{Fault: fault}
	}
	defer s.turn.Give()
	s.meter.Reset(ctx, s.ws.LimitsFor(ctx))
	s.machine.Begin(s.meter)
	r := &execution{}
	s.run = r
	defer func() { s.run = nil }()
	source := reader.Unfence(program)
	forms, fault := reader.Read(source, reader.Options{})
	if fault == nil {
		fault = s.machine.Check(source, forms)
	}
	if fault != nil {
		return &surfaces.Plan{Fault: fault, Notes: r.notes}
	}
	w := &explanation{s: s, source: source, plan: &surfaces.Plan{Notes: r.notes}}
	for _, f := range forms {
		w.walk(f, place{})
	}
	return w.plan
}

// explanation walks a program.
type explanation struct {
	s      *session
	source string
	plan   *surfaces.Plan
}

// place is where a form stands.
type place struct {
	loop, conditional, staged bool
	bound                     []string // local names, which hide those of the catalogue
	extra                     *reader.Form
	last                      bool // extra is the last argument
}

// mostPlanned bounds the calls of a plan.
const mostPlanned = 200

var loops = []string{
	"for", "doseq", "loop", "dotimes", "while", "map", "mapv", "mapcat", "run!", "filter", "filterv", "remove", "keep", "reduce", "fn", "fn*", "defn", "defn-",
	"some", "every?", "group-by", "sort-by", "map-indexed", "keep-indexed", "partition-by", "take-while", "drop-while", "iterate", "repeatedly", "letfn",
}

var conditionals = []string{
	"if", "when", "cond", "case", "condp", "if-let", "when-let", "if-some", "when-some", "if-not", "when-not", "and", "or", "cond->", "cond->>", "when-first", "try", "catch", "some->", "some->>",
}

func (w *explanation) walk(f *reader.Form, p place) {
	if len(w.plan.Calls) >= mostPlanned {
		return
	}
	switch f.Kind {
	case reader.Vector, reader.Map, reader.Set:
		w.all(f.Items, p)
	case reader.Lambda:
		p.loop = true
		w.form(f, f.Items, p)
	case reader.List:
		w.form(f, f.Items, p)
	}
}

func (w *explanation) all(items []*reader.Form, p place) {
	p.extra = nil
	for _, x := range items {
		w.walk(x, p)
	}
}

// form walks a list by what it begins with.
func (w *explanation) form(f *reader.Form, items []*reader.Form, p place) {
	if len(items) == 0 {
		return
	}
	head := items[0].Symbol()
	extra, last := p.extra, p.last
	p.extra = nil
	switch {
	case head == "" || slices.Contains(p.bound, head):
		w.all(items, p)
		return
	case head == "quote" || head == "comment":
		return
	case strings.HasSuffix(head, "->>") || strings.HasSuffix(head, "->"):
		w.threaded(items, p, strings.HasSuffix(head, "->>"))
		return
	}
	w.use(f, head, arguments(items[1:], extra, last), p)
	inner := p
	inner.loop = p.loop || slices.Contains(loops, head)
	inner.conditional = p.conditional || slices.Contains(conditionals, head)
	inner.staged = p.staged || head == "stage"
	inner.bound = append(p.bound[:len(p.bound):len(p.bound)], binders(head, items)...)
	w.all(items[1:], inner)
}

// arguments are those of a call with what a threading form puts in.
func arguments(items []*reader.Form, extra *reader.Form, last bool) []*reader.Form {
	if extra == nil {
		return items
	}
	if last {
		return append(append([]*reader.Form{}, items...), extra)
	}
	return append([]*reader.Form{extra}, items...)
}

// threaded walks a threading form: each step has the one before it for an argument.
func (w *explanation) threaded(items []*reader.Form, p place, last bool) {
	if len(items) < 2 {
		return
	}
	w.walk(items[1], p)
	for _, x := range items[2:] {
		step := p
		step.extra, step.last = items[1], last
		if x.Kind == reader.List {
			w.form(x, x.Items, step)
			continue
		}
		if n := x.Symbol(); n != "" && !slices.Contains(p.bound, n) {
			w.use(x, n, []*reader.Form{items[1]}, p)
		}
	}
}

// binders lists the local names that a form binds, roughly: enough not to take a
// local for a table.
func binders(head string, items []*reader.Form) (names []string) {
	switch head {
	case "let", "loop", "for", "doseq", "dotimes", "if-let", "when-let", "if-some", "when-some", "when-first", "let*":
		if len(items) > 1 && items[1].Kind == reader.Vector {
			for i := 0; i < len(items[1].Items); i += 2 {
				names = append(names, patternNames(items[1].Items[i])...)
			}
		}
	case "fn", "fn*", "defn", "defn-":
		for _, x := range items[1:] {
			if x.Kind == reader.Vector {
				names = append(names, patternNames(x)...)
				break
			}
		}
	}
	return names
}

func patternNames(f *reader.Form) (names []string) {
	if n := f.Symbol(); n != "" {
		return []string{n}
	}
	for _, x := range f.Items {
		names = append(names, patternNames(x)...)
	}
	return names
}

// use notes the use of a function or table.
func (w *explanation) use(f *reader.Form, head string, args []*reader.Form, p place) {
	line, column := reader.Place(w.source, f.Pos)
	c := surfaces.PlannedCall{Line: line, Column: column, InLoop: p.loop, Conditional: p.conditional}
	switch head {
	case "insert!", "update!", "delete!":
		w.write(&c, head, args)
	default:
		if fn, ok := w.s.functionNamed(head); ok {
			w.call(&c, fn, args)
		} else if tab, ok := w.s.tableNamed(head); ok {
			w.read(&c, tab, args)
		} else {
			return
		}
	}
	c.Staged = p.staged && c.Effect != toolfn.Read.String()
	w.plan.Calls = append(w.plan.Calls, c)
}

// literalMap reads a map of literals: what is computed is listed apart.
func literalMap(args []*reader.Form) (o *value.Object, computed []string) {
	if len(args) == 0 {
		return nil, nil
	}
	m := args[len(args)-1]
	if m.Kind != reader.Map {
		return nil, []string{"*"}
	}
	o = value.NewObject(len(m.Items) / 2)
	for i := 0; i < len(m.Items); i += 2 {
		key := m.Items[i]
		n := key.Value.Named()
		text, isText := key.Value.Text()
		switch {
		case key.Kind == reader.Atom && n != nil && key.Value.IsKeyword():
			text = n.Full()
		case !isText:
			computed = append(computed, "*")
			continue
		}
		if v, ok := literalValue(m.Items[i+1]); ok {
			o.Set(text, v)
		} else {
			computed = append(computed, text)
		}
	}
	return o, computed
}

func literalValue(f *reader.Form) (value.Value, bool) {
	switch f.Kind {
	case reader.Atom:
		if f.Value.IsSymbol() {
			return nil, false
		}
		return send(data.Unmetered(), f.Value), true
	case reader.Vector, reader.Set:
		out := []value.Value{}
		for _, x := range f.Items {
			v, ok := literalValue(x)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	case reader.Map:
		o, computed := literalMap([]*reader.Form{f})
		return o, len(computed) == 0
	}
	return nil, false
}

func (w *explanation) call(c *surfaces.PlannedCall, fn *toolfn.ToolFn, args []*reader.Form) {
	c.Function, c.Effect = fn.Name, fn.Effect.Impact.String()
	c.Args, c.Computed = literalMap(args)
	if len(c.Computed) == 0 {
		_, err := fn.Check(c.Args)
		c.Problem = problemText(err)
		return
	}
	names, required := fn.Parameters()
	if slices.Contains(c.Computed, "*") {
		return
	}
	for _, n := range names[:required] {
		if !slices.Contains(c.Computed, n) && !c.Args.Has(n) {
			c.Problem = "It needs :" + n + "."
			return
		}
	}
}

func problemText(err error) string {
	if err == nil {
		return ""
	}
	f := asFault(err)
	return strings.TrimSpace(f.Message + " " + f.Hint)
}

func (w *explanation) read(c *surfaces.PlannedCall, tab *toolfn.ResourceTable, args []*reader.Form) {
	c.Function, c.Effect = tab.Name, toolfn.Read.String()
	c.Args, c.Computed = literalMap(args)
	c.Problem = columnsProblem(tab, c)
	if c.Problem != "" || slices.Contains(c.Computed, "*") {
		return
	}
	for i := range tab.Columns {
		col := &tab.Columns[i]
		if col.RequiredKey && !slices.Contains(c.Computed, col.Name) && (c.Args == nil || !c.Args.Has(col.Name)) {
			c.Problem = "It needs :" + col.Name + "."
			return
		}
	}
}

// columnsProblem tells of a column that the table does not have.
func columnsProblem(tab *toolfn.ResourceTable, c *surfaces.PlannedCall) string {
	given := slices.Clone(c.Computed)
	if c.Args != nil {
		for k := range c.Args.All() {
			given = append(given, k)
		}
	}
	var all []string
	for i := range tab.Columns {
		all = append(all, tab.Columns[i].Name)
	}
	for _, g := range given {
		if g == "*" || slices.Contains(all, g) || slices.Contains(all, strings.ReplaceAll(g, "-", "_")) {
			continue
		}
		text := "It has no column :" + sandbox.Clip(g, 60) + "."
		if near, ok := sandbox.Nearest(g, all); ok {
			text += " Did you mean :" + near + "?"
		}
		return text
	}
	return ""
}

func (w *explanation) write(c *surfaces.PlannedCall, head string, args []*reader.Form) {
	verb := strings.TrimSuffix(head, "!")
	c.Function = verb
	c.Effect = toolfn.Unknown.String()
	if len(args) == 0 {
		c.Problem = "It needs a table."
		return
	}
	n := args[0].Symbol()
	if named := args[0].Value.Named(); named != nil {
		n = named.Full()
	}
	tab, ok := w.s.tableNamed(n)
	if !ok {
		if args[0].Kind == reader.Atom {
			c.Problem = "There is no table " + sandbox.Clip(n, 60) + "."
		}
		return
	}
	c.Function = verb + " " + tab.Name
	for _, v := range tab.Verbs() {
		if v.String() == verb {
			c.Effect = tab.EffectOf(v).Impact.String()
		}
	}
	if c.Effect == toolfn.Unknown.String() {
		c.Problem = tab.Name + " has no " + verb + "."
		return
	}
	if len(args) > 1 {
		c.Args, c.Computed = literalMap(args[1:2])
		c.Problem = columnsProblem(tab, c)
	}
}
