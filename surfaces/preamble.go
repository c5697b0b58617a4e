package surfaces

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// preamble is the text for the system prompt: what the tools are, the one
// mistake to avoid, the languages, how to work, and the catalogue. Several
// languages share all but their cards.
func (m *mount) preamble() string {
	if m.relational() {
		return m.tablePreamble()
	}
	parts := []string{m.opening(), m.readFirst(), m.cards(), m.discipline(), m.catalogPart()}
	if m.showsTables() {
		parts = append(parts, m.tablesPart())
	}
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(p)
	}
	return b.String()
}

// opening is the mental model of the frame.
func (m *mount) opening() string {
	title, tools := m.titles(), m.toolList()
	switch {
	case m.opts.Roles:
		return m.rolesOpening()
	case len(m.roles) > 1:
		return m.severalOpening(title)
	case m.opts.Frame == Program:
		return fmt.Sprintf("# Your tools: functions in %s programs\n\n"+
			"Your capabilities are functions that %s programs call, and the one tool that runs programs is %s. Send one complete program; "+
			"the value of its last expression is what you get back. Names defined at the top level stay for later programs, but prefer a single one.", title, title, tools)
	case m.opts.Frame == Workflow:
		return fmt.Sprintf("# Your tools: functions in %s workflows\n\n"+
			"You act by authoring workflows: complete %s programs that find what they need, decide, act, and end with the answer. The one tool that runs them is %s, "+
			"and only the final value returns. %s", title, title, tools, recovery)
	}
	return fmt.Sprintf("# Your tools: functions in a %s console\n\n"+
		"Your capabilities are functions in a persistent %s console, and the one tool that reaches it is %s. Send statements; "+
		"the value of the last expression is what you get back. Names defined at the top level stay from call to call.", title, title, tools)
}

// recovery says what persistence is for where a program is meant to be whole.
const recovery = "If a workflow fails half-way, the names it has defined are still there for the next one; never split a workflow on purpose."

func (m *mount) severalOpening(titles string) string {
	keep := "Each language keeps the names defined at its top level from call to call."
	switch m.opts.Frame {
	case Program:
		keep = "Each language keeps the names defined at its top level, but prefer a single complete program."
	case Workflow:
		keep = "Author one complete workflow in one language, from finding to acting. " + recovery
	}
	var list []string
	for _, r := range m.roles {
		list = append(list, fmt.Sprintf("%s (%s)", r.tool, r.language.Title()))
	}
	return fmt.Sprintf("# Your tools: functions in %s\n\n"+
		"Your capabilities are functions that programs call. You can write a program in any of these languages: %s. "+
		"All reach the same functions, and the value of the last expression is what you get back. %s", titles, strings.Join(list, ", "), keep)
}

func (m *mount) rolesOpening() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Your tools: functions in %s\n\nYour capabilities are functions that programs call, and the value of a program's last expression is what you get back.", m.titles())
	for i := 0; i < len(m.roles); i += 2 {
		look, do := m.roles[i], m.roles[i+1]
		limit := ""
		if look.reads {
			limit = " It can call only functions that are declared to read."
		}
		fmt.Fprintf(&b, "\n- %s is for looking: what data there is, which fields a row has.%s\n- %s is for doing: one complete %s program that decides, acts, and ends with the answer.", look.tool, limit, do.tool, do.language.Title())
	}
	if len(m.opts.Languages) == 1 {
		b.WriteString("\nBoth see the same names.")
	} else {
		b.WriteString("\nThe two tools of a language see the same names.")
	}
	return b.String()
}

// titles names the languages in prose.
func (m *mount) titles() string {
	var list []string
	for _, l := range m.opts.Languages {
		list = append(list, l.Title())
	}
	return enumerate(list)
}

func (m *mount) toolList() string {
	var list []string
	for _, r := range m.roles {
		list = append(list, r.tool)
	}
	return enumerate(list)
}

func enumerate(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// readFirst is the mistake that costs most: to take the functions for tools.
func (m *mount) readFirst() string {
	e := m.shown.example
	if e.fn == nil {
		return ""
	}
	r := m.lead()
	return fmt.Sprintf("Read this first: the functions are not tools.\n"+
		"- Wrong: calling a tool named %s.\n- Right: calling %s with %s\nIf no data came back, you probably called a function as a tool.",
		e.fn.Name, r.tool, codeArgument(e.call(r.language)))
}

// codeArgument is a program as a code tool's arguments.
func codeArgument(code string) string {
	b, err := json.Marshal(struct {
		Code string `json:"code"`
	}{code})
	if err != nil {
		return ""
	}
	return string(b)
}

// cards are what the languages say of themselves.
func (m *mount) cards() string {
	var parts []string
	for _, l := range m.opts.Languages {
		parts = append(parts, "## "+l.Title()+" here\n"+bullets(m.card(l)))
	}
	return strings.Join(parts, "\n\n")
}

// card is a language's card with the calls of this catalogue put in.
func (m *mount) card(l Language) []string {
	var lines []string
	for _, line := range l.Card() {
		if strings.Contains(line, "{call}") {
			if m.shown.example.fn == nil {
				continue
			}
			line = strings.ReplaceAll(line, "{call}", m.shown.example.call(l))
		}
		lines = append(lines, line)
	}
	if w, ok := m.staging(l); ok {
		lines = append(lines, fmt.Sprintf("Hold effects back with %s: reads run, every other call inside is checked and recorded, and gives a placeholder that has no fields. %s lists what is pending, %s makes it in order and gives the results, %s drops it. Nothing pending ever happens by itself.", w.Stage, w.Pending, w.Commit, w.Rollback))
	}
	return lines
}

func bullets(lines []string) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + l)
	}
	return b.String()
}

// discipline is how to work.
func (m *mount) discipline() string {
	lines := []string{
		m.discoverLine(),
		m.shapeLine(),
		"Pass filters as arguments where a function takes them. A call with a missing, unknown or wrong argument is refused before it fires.",
		"Compute in the program: filter, join, count and sort there, and end with the answer, not with the data it came from.",
		"State only what a result has shown you. Return the ids you counted along with the count.",
		"Keep large results in a name. What is too long to show is cut, and the mark says how to read on.",
		m.sharedLine(),
		m.decisiveLine(),
		"A call takes effect at once and cannot be undone. If a program fails after an effect, the error says what has happened: go on from there, never run the whole again.",
		m.tryLine(),
		"After an error change what it names; the same program fails the same way.",
		"Only the value of the last expression and what the program prints enter your context.",
	}
	return "## How to work\n" + bullets(slices.DeleteFunc(lines, func(l string) bool { return l == "" }))
}

// sharedLine is how languages read each other's names, "" where there are not two
// that do.
func (m *mount) sharedLine() string {
	var list []string
	for _, l := range m.opts.Languages {
		if _, ok := l.(Sharer); ok {
			list = append(list, l.Title())
		}
	}
	if len(list) < 2 {
		return ""
	}
	return "Data named at the top level in one of " + enumerate(list) + " can be read under the same name in the others, and not changed there; functions stay in their language."
}

// tryLine is how to see effects before they happen, "" where that is not offered.
func (m *mount) tryLine() string {
	if !m.tries(m.lead()) {
		return ""
	}
	return "Where much is at stake, try first: the same program with " + dryRunKey + ": true beside code lists what it would change and changes nothing."
}

func (m *mount) discoverLine() string {
	l := m.lead().language
	if m.ws.catalog.Len() == 0 && m.showsTables() {
		return "" // the part about the tables says how to find one
	}
	search, describe := builtin(l, "search", m.shown.example.words()), builtin(l, "describe", "NAME")
	if e := m.shown.example; e.fn != nil {
		describe = builtin(l, "describe", e.fn.Name)
	}
	if m.shown.detail == signatures {
		return fmt.Sprintf("The functions are listed below. %s, inside a program, shows one in full.", describe)
	}
	return fmt.Sprintf("Find the function: %s and then %s, inside a program.", search, describe)
}

// builtin writes a call of a discovery function with one string, in the way the
// language writes describe.
func builtin(l Language, name, arg string) string {
	form := l.Signatures().Describe
	if form == "" {
		form = `describe("%s")`
	}
	return strings.Replace(strings.Replace(form, "describe", name, 1), "%s", arg, 1)
}

func (m *mount) shapeLine() string {
	const guess = " A guessed field (eventCount where the row has count) gives a wrong answer."
	if m.opts.Frame == Repl && !m.opts.Roles {
		return "Know the fields before you use them: look at one row first, in a call of its own." + guess
	}
	if m.opts.Roles {
		return "Know the fields before you use them: look at one row first with " + m.roles[0].tool + "." + guess
	}
	return "Know the fields before you use them: bind the result, check the fields of one row in the same program, and end with that row if they are not what you expect." + guess
}

func (m *mount) decisiveLine() string {
	switch {
	case m.opts.Roles:
		return "Look as little as you need, then do all of it in one program: branch there rather than coming back."
	case m.opts.Frame == Program:
		return "Aim for one program: branch inside it rather than coming back."
	case m.opts.Frame == Workflow:
		return "The target is one workflow: branch inside it rather than coming back."
	}
	return "Use as few calls as you can: once you know the fields, branch inside one program rather than coming back."
}

// catalogPart shows the catalogue as far as it is shown.
func (m *mount) catalogPart() string {
	fns, servers := m.ws.catalog.Len(), len(m.ws.catalog.Servers())
	count := fmt.Sprintf("%s in %s", plural(fns, "function"), plural(servers, "server"))
	switch m.shown.detail {
	case signatures:
		return "## The functions\n" + count + ". A result's fields are shown after the arrow; where there is none, look at a row first.\n\n" + m.shown.text
	case names:
		return "## The functions\n" + count + ", by name; see a signature before you call one. " + m.spelling() + "\n\n" + m.shown.text
	}
	if fns == 0 && m.showsTables() {
		return ""
	}
	if fns == 0 {
		return "## The functions\nThere are none at present."
	}
	return "## The functions\n" + count + ". " + m.findPath()
}

// spelling shows how a name in a list is called.
func (m *mount) spelling() string {
	e := m.shown.example
	if e.fn == nil {
		return ""
	}
	return fmt.Sprintf("%s of %s is called as %s.", e.fn.Local(), serverName(e.fn.Server), e.call(m.lead().language))
}

// findPath is the way to a function that is not listed.
func (m *mount) findPath() string {
	l, e := m.lead().language, m.shown.example
	fast := fmt.Sprintf("They are not listed here. The fastest way to one: %s, then %s.", builtin(l, "search", e.words()), builtin(l, "describe", e.fn.Name))
	browse := fmt.Sprintf("To browse: %s, %s.", bare(l, "servers"), builtin(l, "fns", serverName(e.fn.Server)))
	doors := ""
	if !m.opts.NoDiscovery {
		doors = fmt.Sprintf(" The same as tools: search_functions %s, list_servers {}, list_functions %s, describe_function %s.",
			argument("query", e.words()), argument("server", serverName(e.fn.Server)), argument("name", e.fn.Name))
	}
	return fast + " " + browse + doors
}

// bare writes a call of a discovery function without arguments.
func bare(l Language, name string) string {
	return strings.Replace(builtin(l, name, ""), `""`, "", 1)
}

func argument(key, v string) string {
	b, err := json.Marshal(map[string]string{key: v})
	if err != nil {
		return ""
	}
	return string(b)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
