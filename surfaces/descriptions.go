package surfaces

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/toolfn"
)

func serverName(name string) string {
	if name == "" {
		return toolfn.Ungrouped
	}
	return name
}

// describeCodeTool is a code tool's description. It stands on its own, because a
// host may leave the preamble out.
func (m *mount) describeCodeTool(r role) string {
	if isRelational(r.language) {
		return m.describeTableTool(r)
	}
	l, e := r.language, m.shown.example
	var b strings.Builder
	switch {
	case m.opts.Roles && r.frame == Repl:
		fmt.Fprintf(&b, "Look around in a %s console: run statements to find functions, try reads, and see the fields of a row; %s then does the work.", l.Title(), r.other)
		if r.reads {
			b.WriteString(" Only functions that are declared to read can be called here.")
		}
	case r.frame == Workflow:
		fmt.Fprintf(&b, "Run one complete %s workflow, from finding what it needs to acting on it.", l.Title())
	case r.frame == Program:
		fmt.Fprintf(&b, "Run one complete %s program.", l.Title())
	default:
		fmt.Fprintf(&b, "Run %s statements in a persistent console.", l.Title())
	}
	b.WriteString(" Your capabilities are functions inside it, not tools.")
	if e.fn != nil {
		fmt.Fprintf(&b, " Find them with %s, see one with %s, and call it like %s.", builtin(l, "search", e.words()), builtin(l, "describe", e.fn.Name), e.call(l))
	} else if len(m.linesOf(l)) == 0 {
		fmt.Fprintf(&b, " Find them with %s.", builtin(l, "search", e.words()))
	}
	if lines := m.linesOf(l); len(lines) > 0 {
		b.WriteString(" " + lines[0])
	}
	b.WriteString(" Look at one row before you rely on its fields; filter, join and count in the program; the value of the last expression is what comes back.")
	switch r.frame {
	case Workflow:
		b.WriteString(" Branch inside one workflow rather than coming back.")
	case Program:
		b.WriteString(" Names at the top level persist, but prefer a single program; branch inside it.")
	default:
		b.WriteString(" Names at the top level persist from call to call.")
	}
	b.WriteString(" Calls take effect at once; after an error go on from what it says has happened.")
	if w, ok := m.staging(l); ok && !r.reads {
		fmt.Fprintf(&b, " To see effects before they happen, send %s: true, or hold them back with %s and then %s or %s.", dryRunKey, w.Stage, w.Commit, w.Rollback)
	}
	return b.String()
}

// describeExplainTool is an explain tool's description.
func (m *mount) describeExplainTool(r role) string {
	if isRelational(r.language) {
		return fmt.Sprintf("Say what statements for %s would do without running them: what they read and change, with the values that they fix, and what is wrong with them. Nothing is read or changed.", r.tool)
	}
	return fmt.Sprintf("Say what a %s program for %s would do without running it: the functions it calls, with their effects and arguments, and what is wrong with it. Nothing is called.", r.language.Title(), r.tool)
}
