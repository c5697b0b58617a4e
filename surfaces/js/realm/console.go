package realm

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/elide"
)

// output is what console captures during one execute.
type output struct {
	lines  *elide.Lines
	indent string
	last   goja.Value // the one argument of the last console.log, nil if it had others
	counts map[string]int
	timers map[string]float64
}

// BeginOutput starts capturing for a new execute.
func (r *Realm) BeginOutput() { r.output = output{} }

// Output gives the captured lines, bounded as [elide.DefaultLines] says.
func (r *Realm) Output() []string {
	if r.output.lines == nil {
		return nil
	}
	return r.output.lines.Kept()
}

// LastLogged gives what the last call of console.log or its kin was given, if that
// was one value; nil otherwise.
func (r *Realm) LastLogged() goja.Value { return r.output.last }

// print captures text, line by line.
func (r *Realm) print(text string) {
	if r.output.lines == nil {
		r.output.lines = elide.NewLines(elide.DefaultLines())
	}
	for {
		line, rest, more := strings.Cut(text, "\n")
		r.Charge(4 + int64(len(line))>>6)
		if r.output.lines.Full() {
			r.output.lines.Add("")
			return
		}
		r.output.lines.Add(r.output.indent + line)
		if !more {
			return
		}
		text = rest
	}
}

// full reports that nothing more is kept, so that nothing need be formatted.
func (r *Realm) full() bool { return r.output.lines != nil && r.output.lines.Full() }

func (r *Realm) consoleNamespace() goja.Value { return r.namespace("console") }

func consoleMembers() []member {
	log := func(name string) member {
		return method(name, 0, func(r *Realm, c call) goja.Value {
			r.output.last = nil
			if len(c.Arguments) == 1 {
				r.output.last = c.Arguments[0]
			}
			r.log(c.Arguments)
			return goja.Undefined()
		})
	}
	return []member{
		log("log"), log("info"), log("warn"), log("error"), log("debug"), log("trace"),
		method("dir", 1, func(r *Realm, c call) goja.Value {
			r.log(c.Arguments[:min(1, len(c.Arguments))])
			return goja.Undefined()
		}),
		method("table", 1, consoleTable),
		method("group", 0, consoleGroup),
		method("groupCollapsed", 0, consoleGroup),
		method("groupEnd", 0, func(r *Realm, _ call) goja.Value {
			r.output.indent = r.output.indent[:max(0, len(r.output.indent)-2)]
			return goja.Undefined()
		}),
		method("assert", 0, func(r *Realm, c call) goja.Value {
			if arg(c, 0).ToBoolean() {
				return goja.Undefined()
			}
			if len(c.Arguments) < 2 {
				r.print("Assertion failed")
				return goja.Undefined()
			}
			r.print("Assertion failed: " + r.format(c.Arguments[1:]))
			return goja.Undefined()
		}),
		method("count", 0, func(r *Realm, c call) goja.Value {
			name := r.counterName(c)
			if r.output.counts == nil {
				r.output.counts = map[string]int{}
			}
			r.Alloc(entryBytes)
			r.output.counts[name]++
			r.print(name + ": " + strconv.Itoa(r.output.counts[name]))
			return goja.Undefined()
		}),
		method("countReset", 0, func(r *Realm, c call) goja.Value {
			delete(r.output.counts, r.counterName(c))
			return goja.Undefined()
		}),
		method("time", 0, func(r *Realm, c call) goja.Value {
			if r.output.timers == nil {
				r.output.timers = map[string]float64{}
			}
			r.Alloc(entryBytes)
			r.output.timers[r.counterName(c)] = r.now()
			return goja.Undefined()
		}),
		method("timeLog", 0, consoleTimer),
		method("timeEnd", 0, consoleTimer),
	}
}

// counterName is the label argument of counters and timers.
func (r *Realm) counterName(c call) string {
	if !given(c, 0) {
		return "default"
	}
	return clipName(clipString(r.str(c.Arguments[0]), 100))
}

func consoleTimer(r *Realm, c call) goja.Value {
	name := r.counterName(c)
	if start, ok := r.output.timers[name]; ok {
		r.print(name + ": " + numberText(r.now()-start) + "ms")
	}
	return goja.Undefined()
}

func consoleGroup(r *Realm, c call) goja.Value {
	if len(c.Arguments) > 0 {
		r.log(c.Arguments)
	}
	if len(r.output.indent) < 40 {
		r.output.indent += "  "
	}
	return goja.Undefined()
}

// log captures arguments as console.log shows them.
func (r *Realm) log(args []goja.Value) {
	if r.full() {
		r.Charge(4)
		r.output.lines.Add("")
		return
	}
	r.print(r.format(args))
}

// format is Node's util.format: substitutions in a first string, the rest
// separated by spaces.
func (r *Realm) format(args []goja.Value) string {
	var b strings.Builder
	rest := args
	if len(args) > 1 {
		if s, ok := args[0].(goja.String); ok {
			text := clipString(s, inspectBudget)
			if strings.Contains(text, "%") {
				rest = r.substitutions(&b, text, args[1:])
				if len(rest) > 0 {
					b.WriteByte(' ')
				}
			}
		}
	}
	for i, a := range rest {
		if i > 0 {
			b.WriteByte(' ')
		}
		if b.Len() > inspectBudget {
			b.WriteString("…")
			break
		}
		if s, ok := a.(goja.String); ok {
			b.WriteString(clipString(s, inspectBudget))
			continue
		}
		b.WriteString(r.inspect(a))
	}
	return b.String()
}

// substitutions replaces %s, %d, %i, %f, %j, %o, %O, %c and %%, and gives the
// arguments that are left.
func (r *Realm) substitutions(b *strings.Builder, text string, args []goja.Value) []goja.Value {
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		if text[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if len(args) == 0 || strings.IndexByte("sdifjoOc", text[i]) < 0 {
			b.WriteByte('%')
			b.WriteByte(text[i])
			continue
		}
		b.WriteString(r.substitution(text[i], args[0]))
		args = args[1:]
	}
	return args
}

func (r *Realm) substitution(verb byte, v goja.Value) string {
	switch verb {
	case 's':
		if s, ok := v.(goja.String); ok {
			return clipString(s, inspectBudget)
		}
		return r.inspect(v)
	case 'd', 'f':
		if isObject(v) {
			return "NaN"
		}
		return r.inspect(number(r.num(v)))
	case 'i':
		if isObject(v) {
			return "NaN"
		}
		return numberText(r.parseInt(r.str(v), 10))
	case 'c':
		return ""
	case 'j':
		if s, ok := jsonStringify(r, call{Arguments: []goja.Value{v}}).(goja.String); ok {
			return clipString(s, inspectBudget)
		}
		return "undefined"
	}
	return r.inspect(v)
}

// consoleTable draws a table of rows, as Node does.
func consoleTable(r *Realm, c call) goja.Value {
	o, ok := arg(c, 0).(*goja.Object)
	if !ok || r.full() {
		r.log(c.Arguments)
		return goja.Undefined()
	}
	t := r.tableOf(o, arg(c, 1))
	if t == nil {
		r.log(c.Arguments[:1])
		return goja.Undefined()
	}
	r.print(t.draw())
	return goja.Undefined()
}

// maxTableRows bounds a table: no more is shown of it.
const maxTableRows = 100

// grid is a table of text.
type grid struct {
	head []string
	rows [][]string
}

func (r *Realm) tableOf(o *goja.Object, only goja.Value) *grid {
	keys := r.rowKeys(o)
	columns := []string{}
	index := map[string]int{}
	column := func(name string) int {
		i, ok := index[name]
		if !ok {
			i = len(columns)
			index[name] = i
			columns = append(columns, name)
		}
		return i
	}
	var allowed map[string]bool
	if list := array(only); list != nil {
		allowed = map[string]bool{}
		for _, v := range r.elements(list) {
			if s, ok := v.(goja.String); ok {
				name := clipString(s, 100)
				allowed[name] = true
				column(name)
			}
		}
	}
	type cells struct {
		values map[int]string
		plain  string
	}
	var rows []cells
	plain := false
	for _, key := range keys {
		v := filled(o.Get(key))
		row := cells{values: map[int]string{}}
		if e, ok := v.(*goja.Object); ok && !isFunction(e) && plainOrArray(e) {
			for _, name := range r.rowKeys(e) {
				if allowed != nil && !allowed[name] || len(columns) >= 40 && allowed == nil {
					continue
				}
				row.values[column(name)] = r.inspectAt(filled(e.Get(name)), 1)
			}
		} else {
			plain = true
			row.plain = r.inspectAt(v, 1)
		}
		rows = append(rows, row)
		r.Charge(4)
	}
	g := &grid{head: append([]string{"(index)"}, columns...)}
	if plain {
		g.head = append(g.head, "Values")
	}
	for i, row := range rows {
		line := []string{keys[i]}
		for j := range columns {
			line = append(line, row.values[j])
		}
		if plain {
			line = append(line, row.plain)
		}
		g.rows = append(g.rows, line)
	}
	return g
}

func plainOrArray(o *goja.Object) bool { return o.ClassName() == "Array" || plain(o) }

// rowKeys are the keys of rows or cells that a table shows.
func (r *Realm) rowKeys(o *goja.Object) []string {
	if o.ClassName() == "Array" {
		n := min(length(o), maxTableRows)
		list := make([]string, n)
		for i := range list {
			list[i] = strconv.Itoa(i)
		}
		return list
	}
	list := r.keys(o)
	return list[:min(len(list), maxTableRows)]
}

// draw draws the table with box characters.
func (g *grid) draw() string {
	widths := make([]int, len(g.head))
	for i, h := range g.head {
		widths[i] = displayWidth(h) + 2
	}
	for _, row := range g.rows {
		for i, c := range row {
			widths[i] = max(widths[i], displayWidth(c)+2)
		}
	}
	var b strings.Builder
	rule := func(left, mid, right string) {
		b.WriteString(left)
		for i, w := range widths {
			if i > 0 {
				b.WriteString(mid)
			}
			b.WriteString(strings.Repeat("─", w))
		}
		b.WriteString(right)
	}
	line := func(cells []string) {
		b.WriteString("\n│")
		for i, c := range cells {
			space := widths[i] - displayWidth(c)
			b.WriteString(strings.Repeat(" ", space/2) + c + strings.Repeat(" ", space-space/2) + "│")
		}
	}
	rule("┌", "┬", "┐")
	line(g.head)
	b.WriteByte('\n')
	rule("├", "┼", "┤")
	for _, row := range g.rows {
		line(row)
	}
	b.WriteByte('\n')
	rule("└", "┴", "┘")
	return b.String()
}

func displayWidth(s string) int { return len([]rune(s)) }
