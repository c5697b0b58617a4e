package surfaces

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Renderer turns results into the text that reaches a model. Value, output,
// definitions, calls, notes and fault share one budget. The text is the
// thriftiest form that stays clear: the value as JSON in the first line, then a
// line or a short block for each further part, a block's lines set in by one
// space so that no data can pass for a heading. One JSON object around it all
// would repeat the names of parts and escape every text that holds a quote; it is
// there for hosts, as [Renderer.JSON].
type Renderer struct {
	values *elide.Renderer
	budget int
	spell  func(function string, args *value.Object) string // how a call is shown
}

// NewRenderer makes a renderer with a budget in bytes. The style is the
// language's, tabular shows lists of like objects as a header and rows.
func NewRenderer(budget int, style elide.Style, tabular bool) *Renderer {
	return &Renderer{
		values: elide.New(elide.Options{Style: style, Tabular: tabular}),
		budget: max(budget, sandbox.MinOutput),
		spell:  plainCall,
	}
}

// plainCall shows a call in no language's spelling.
func plainCall(function string, args *value.Object) string {
	text, err := value.Append(nil, args)
	if err != nil {
		return function
	}
	return function + " " + string(text)
}

// RendererOf makes the renderer for a workspace's results in a language.
func (ws *Workspace) RendererOf(l Language) *Renderer {
	r := NewRenderer(ws.limits.Output, l.Style(), ws.tabular)
	r.spell = l.CallForm
	return r
}

// Text is a result for a model, in at most the budget.
func (r *Renderer) Text(res *Result) string {
	p := page{left: r.budget}
	if res.Fault != nil {
		p.fault(res.Fault, r.budget)
	}
	// The small parts are set aside first, so that a large value cannot push out
	// what the model needs to act on.
	tail := page{left: p.left / 4}
	tail.called(res.Called)
	tail.notes(res.Notes)
	p.left -= tail.size()
	if res.DryRun && len(res.Planned) > 0 {
		p.planned(r.spell, res.Planned)
	}

	out := &block{heading: "stdout:", lines: stdoutLines(res.Stdout), more: "more lines"}
	defs := &block{heading: "defined:", lines: definitionLines(res.Defined), more: "more names"}
	if res.Fault == nil {
		aside := min(out.size(), p.left/4) + min(defs.size(), p.left/8)
		p.line(r.values.Render(res.Value, max(0, p.left-aside-1)).Text)
	}
	outRoom := p.left - min(defs.size(), p.left/3)
	p.block(out, outRoom)
	p.block(defs, p.left)
	p.lines = append(p.lines, tail.lines...)
	return strings.Join(p.lines, "\n")
}

// page is text that grows line by line within a budget.
type page struct {
	lines []string
	left  int
}

// line adds a line if it fits, and reports whether it did.
func (p *page) line(s string) bool {
	if len(s)+1 > p.left {
		return false
	}
	p.left -= len(s) + 1
	p.lines = append(p.lines, s)
	return true
}

func (p *page) size() int {
	n := 0
	for _, l := range p.lines {
		n += len(l) + 1
	}
	return n
}

// fault writes the cause, the place, the next action, and what has happened.
func (p *page) fault(f *sandbox.Fault, budget int) {
	name := f.Name
	if name == "" {
		name = "Error"
	}
	head := visible(name) + ": " + elide.Middle(visible(f.Message), min(1000, budget/4))
	if f.Line > 0 {
		head += fmt.Sprintf(" (line %d, column %d)", f.Line, f.Column)
	}
	p.line(elide.Middle(head, p.left-1))
	if f.Excerpt != "" && len(f.Excerpt) < budget/4 {
		for l := range strings.SplitSeq(f.Excerpt, "\n") {
			p.line(" " + visible(l))
		}
	}
	if f.Hint != "" {
		p.line(elide.Middle(visible(f.Hint), min(600, p.left/2)))
	}
	if f.Fired != "" {
		p.line(elide.Middle(visible(f.Fired), min(1500, p.left-1)))
	}
}

// called writes which functions were called, how often, and with what effect.
func (p *page) called(tallies []dispatch.Tally) {
	if len(tallies) == 0 {
		return
	}
	const intro = "called: "
	room := p.left - len(intro) - len(", and 000000 more functions") - 1
	var parts []string
	for i, t := range tallies {
		s := tallyText(t)
		if room -= len(s) + 2; room < 0 {
			parts = append(parts, fmt.Sprintf("and %d more functions", len(tallies)-i))
			break
		}
		parts = append(parts, s)
	}
	p.line(intro + strings.Join(parts, ", "))
}

func tallyText(t dispatch.Tally) string {
	var b strings.Builder
	b.WriteString(visible(t.Name))
	if t.Calls > 1 {
		fmt.Fprintf(&b, " ×%d", t.Calls)
	}
	b.WriteString(" (" + t.Effect)
	if t.Effect == "unknown" {
		b.WriteString(" effect")
	}
	if t.Failed > 0 {
		fmt.Fprintf(&b, ", %d failed", t.Failed)
	}
	if t.Unknown > 0 {
		fmt.Fprintf(&b, ", %d of unknown outcome", t.Unknown)
	}
	b.WriteByte(')')
	return b.String()
}

// longestNote is the length of a note, in bytes.
const longestNote = 1200

func (p *page) notes(notes []string) {
	for i, n := range notes {
		last := fmt.Sprintf("note: and %d more notes", len(notes)-i)
		text := "note: " + elide.Middle(visible(n), longestNote)
		if i < len(notes)-1 && p.left < len(text)+len(last)+2 || !p.line(text) {
			p.line(last)
			return
		}
	}
}

// block is a heading with lines below it, each set in by one space.
type block struct {
	heading string
	lines   []string
	more    string // what the lines that do not fit are called
}

func (b *block) size() int {
	if len(b.lines) == 0 {
		return 0
	}
	n := len(b.heading) + 1
	for _, l := range b.lines {
		n += len(l) + 2
	}
	return n
}

// block writes as many of the lines as fit into room and counts the others.
func (p *page) block(b *block, room int) {
	room = min(room, p.left)
	fits := b.size() <= room
	marker := fmt.Sprintf(" … (+%d %s)", len(b.lines), b.more)
	if !fits {
		room -= len(marker) + 1
	}
	if len(b.lines) == 0 || room < len(b.heading)+1 {
		return
	}
	p.line(b.heading)
	room -= len(b.heading) + 1
	for i, l := range b.lines {
		if len(l)+2 > room {
			p.line(fmt.Sprintf(" … (+%d %s)", len(b.lines)-i, b.more))
			return
		}
		room -= len(l) + 2
		p.line(" " + l)
	}
}

// planned writes what a dry run would have done, in at most half of the page.
func (p *page) planned(spell func(string, *value.Object) string, calls []PlannedCall) {
	b := &block{heading: "would happen:", more: "more effects"}
	for _, c := range calls {
		b.lines = append(b.lines, plannedText(c, spell))
	}
	p.block(b, p.left/2)
}

// stdoutLines splits what a program wrote into lines, none of them longer than
// what is worth reading.
func stdoutLines(written []string) []string {
	var lines []string
	for _, w := range written {
		for l := range strings.SplitSeq(w, "\n") {
			lines = append(lines, elide.Middle(visible(l), 2*elide.DefaultLines().Runes))
		}
	}
	return lines
}

func definitionLines(defs []Def) []string {
	lines := make([]string, len(defs))
	for i, d := range defs {
		lines[i] = visible(sandbox.Clip(d.Name, 100)) + ": " + elide.Middle(visible(d.Summary), 300)
	}
	return lines
}

// visible shows what a reader cannot see, or what would steer a terminal, as an
// escape. The text becomes one line of valid UTF-8.
func visible(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	clean := true
	for _, r := range s {
		if hidden(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r':
			b.WriteByte(' ')
		case hidden(r):
			fmt.Fprintf(&b, "\\u{%x}", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return r < ' ' && r != '\t' || r == 0x7f || elide.Invisible(r)
}
