package sandbox

import (
	"fmt"
	"strings"
)

// Kind classifies a fault, so that a host can switch on it.
type Kind string

// The kinds of fault. Fuel, memory, depth, deadline, cancelled and calls are
// limits: no program can catch them.
const (
	KindSyntax     Kind = "syntax"     // the program does not parse
	KindRejected   Kind = "rejected"   // a construct that is not available, found before anything ran
	KindName       Kind = "name"       // an unknown name
	KindType       Kind = "type"       // an operation on a value of the wrong type
	KindRange      Kind = "range"      // a value outside what an operation takes
	KindThrown     Kind = "thrown"     // the program threw and did not catch
	KindArgument   Kind = "argument"   // a call refused because of its arguments; it did not fire
	KindCapability Kind = "capability" // a call that was made and failed
	KindUnknown    Kind = "unknown"    // a call that was made and whose outcome is not known
	KindDenied     Kind = "denied"     // a call that policy or the host refused; it did not fire
	KindGate       Kind = "gate"       // a member that no program may reach
	KindFuel       Kind = "fuel"
	KindMemory     Kind = "memory"
	KindDepth      Kind = "depth"
	KindDeadline   Kind = "deadline"
	KindCancelled  Kind = "cancelled"
	KindCalls      Kind = "calls"
	KindDivergence Kind = "divergence" // a program run again from its journal did something else
	KindInternal   Kind = "internal"   // a defect of ours, contained
)

// Limit reports whether the kind is one that a program cannot catch.
func (k Kind) Limit() bool {
	switch k {
	case KindFuel, KindMemory, KindDepth, KindDeadline, KindCancelled, KindCalls, KindDivergence:
		return true
	}
	return false
}

// Fault is how every failure reaches a model and a host: the cause in one
// sentence, where it is, and what to do next.
type Fault struct {
	Kind    Kind
	Name    string // the error's name in the language: TypeError, ValueError
	Message string // the cause, one sentence, in the language's own terms
	Hint    string // the next action
	Line    int    // 1-based; 0 where there is no position
	Column  int    // 1-based, in code points
	Excerpt string // the source line and a caret line below it
	Fired   string // what had already happened
	Cause   error  // for the host; never shown
}

// Error gives the whole fault as text.
func (f *Fault) Error() string {
	var b strings.Builder
	if f.Name != "" {
		b.WriteString(f.Name + ": ")
	}
	b.WriteString(f.Message)
	if f.Line > 0 {
		fmt.Fprintf(&b, " (line %d, column %d)", f.Line, f.Column)
	}
	if f.Hint != "" {
		b.WriteString(" " + f.Hint)
	}
	if f.Excerpt != "" {
		b.WriteString("\n" + f.Excerpt)
	}
	if f.Fired != "" {
		b.WriteString("\n" + f.Fired)
	}
	return b.String()
}

// Unwrap gives the host the cause.
func (f *Fault) Unwrap() error { return f.Cause }

// At returns a copy of the fault with a position and an excerpt of the source.
func (f *Fault) At(source string, line, column int) *Fault {
	g := *f
	g.Line, g.Column = line, column
	g.Excerpt = Excerpt(source, line, column)
	return &g
}

// Excerpt gives line of source with a caret under column (both 1-based, column
// in code points), at most about 120 characters wide around the column.
func Excerpt(source string, line, column int) string {
	const width = 120
	if line < 1 || column < 1 {
		return ""
	}
	for range line - 1 {
		i := strings.IndexByte(source, '\n')
		if i < 0 {
			return ""
		}
		source = source[i+1:]
	}
	if i := strings.IndexByte(source, '\n'); i >= 0 {
		source = source[:i]
	}
	source = strings.TrimSuffix(source, "\r")
	// Look at no more of the line than the window needs, so that a line of
	// megabytes costs nothing.
	runes := make([]rune, 0, 2*width)
	from := max(0, column-1-width/2)
	n := 0
	for _, r := range source {
		if n >= from+width {
			break
		}
		if n >= from {
			switch {
			case r == '\t':
				r = ' '
			case r < ' ' || r == 0x7f:
				r = '\uFFFD'
			}
			runes = append(runes, r)
		}
		n++
	}
	if len(runes) == 0 && from > 0 {
		return ""
	}
	caret := min(column-1-from, len(runes))
	return string(runes) + "\n" + strings.Repeat(" ", caret) + "^"
}
