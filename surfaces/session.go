package surfaces

import (
	"context"

	"github.com/polyglove/polyglove/dispatch"
	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// Language is one language that a workspace can open sessions of.
type Language interface {
	// Name is the short name: js, python, lisp, sql.
	Name() string
	// Title is the name in prose: JavaScript.
	Title() string
	// Open starts a session in a workspace.
	Open(ws *Workspace) (Session, error)
	// Card describes the language as implemented, in a few lines for the preamble.
	// {call} in a line stands for a call of a function of the catalogue at hand; a
	// line with it is left out where there is none.
	Card() []string
	// CallForm writes a call of a function with example arguments: how a program
	// of this language spells it.
	CallForm(function string, args *value.Object) string
	// Signatures is how the language spells signatures and types in discovery.
	Signatures() toolfn.Style
	// Style spells how a program reads on where a result was cut; see package elide.
	Style() elide.Style
}

// Session is one language in a workspace. Executes are serialised; definitions
// persist from one to the next.
type Session interface {
	// Execute runs a program. It never panics and never returns nil; what went
	// wrong is in Result.Fault.
	Execute(ctx context.Context, program string) *Result
	// Explain says what a program would do. Nothing fires.
	Explain(ctx context.Context, program string) *Plan
	// Defs lists what the session has defined.
	Defs() []Def
	// Close frees the session.
	Close()
}

// Result is the outcome of one execute: all that may reach a model, unbounded
// until it is rendered.
type Result struct {
	Value   any              // see elide.Render for what it may hold
	Stdout  []string         // captured lines, already within bounds
	Defined []Def            // names bound in this execute
	Called  []dispatch.Tally // calls that fired
	Notes   []string
	Fault   *sandbox.Fault // nil when the program ran to its end
	Usage   sandbox.Usage

	// DryRun says that the program only tried; Planned are then the effects that it
	// would have had, in order.
	DryRun  bool
	Planned []PlannedCall
}

// Def is one definition of a session.
type Def struct {
	Name    string
	Kind    string // function, class, array, object, string, number, …
	Summary string // one bounded line: count and first fields, length, value
	Size    int64  // estimated bytes
}

// Plan is what a program would do.
type Plan struct {
	Calls []PlannedCall
	Notes []string
	Fault *sandbox.Fault // the program would be refused before it ran
}

// PlannedCall is a call that a program contains.
type PlannedCall struct {
	Function     string
	Effect       string        // read, write, destructive, unknown
	Args         *value.Object // the literal arguments
	Computed     []string      // arguments whose value is only known when it runs
	Line, Column int
	InLoop       bool
	Conditional  bool
	Staged       bool   // it would be left pending
	Problem      string // an unknown name, a missing or unknown argument
}
