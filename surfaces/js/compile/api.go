package compile

import (
	"github.com/dop251/goja"

	"github.com/polyglove/polyglove/toolfn/value"
)

// Options tell the compiler what it cannot know from the program's text. A nil
// function answers "no" to everything.
type Options struct {
	// Name is the name that stack frames of the program carry; "" is "program".
	Name string
	// Source is the largest program in bytes, see Limits.Source of package sandbox; 0
	// means the default limit.
	Source int
	// Reserved says what a name stands for that a program may not declare at its
	// top level: "a function", "a namespace", "a builtin".
	Reserved func(name string) (what string, ok bool)
	// Defined reports a name that an earlier program of the session declared, and
	// whether that declaration is constant.
	Defined func(name string) (constant, ok bool)
	// Capability resolves how a program spells a capability, flat
	// (github__list_issues) or qualified (github.list_issues), to its catalogue
	// name. known is false where only the namespace is one; function is then the
	// spelling. ok is false for everything else.
	Capability func(spelling string) (function string, known, ok bool)
	// Deferred reports a builtin that takes a function whose calls of capabilities
	// it holds back.
	Deferred func(name string) bool
}

// Program is a compiled program. It is immutable and may be run by any runtime.
type Program struct {
	// Name is the name that stack frames of the program carry.
	Name string
	// Source is the program's text, to which all positions refer.
	Source string
	// Code evaluates to the function that takes the hooks; see [Program.Link].
	Code *goja.Program
	// Async says that the program awaits at its top level: its body gives a
	// promise of the completion value.
	Async bool
	// Tops are the names the program declares at its top level, in order.
	Tops []Top
	// Notes are for the model: what was understood leniently.
	Notes []string
	// Sites are the calls of capabilities that the text contains, in order.
	Sites []CallSite
	// Members are all member names the program mentions, sorted, each once.
	Members []string
	// Globals are the names the program uses and does not declare, sorted, each
	// once.
	Globals []string
	// LogLast says that the last statement is a call of console.log, so that what it
	// was given stands for a value the program does not have.
	LogLast bool
	// EchoLast says that the last statement is a declaration, so that the value of
	// the last of Tops stands for a value the program does not have.
	EchoLast bool
	// Accessors says that the program writes an object with a getter or a setter.
	Accessors bool

	params []param
	moved  []move
	ends   bool // it makes iterators that run code of the program when they are ended
}

// Kind of a top-level declaration.
type Kind string

// The kinds of declaration.
const (
	Let      Kind = "let"
	Const    Kind = "const"
	Var      Kind = "var"
	Function Kind = "function"
	Class    Kind = "class"
)

// Top is a name declared at the top level.
type Top struct {
	Name string
	Kind Kind
	// Line and Column are where it is declared.
	Line, Column int
}

// Constant reports whether the name may not be assigned again.
func (t Top) Constant() bool { return t.Kind == Const }

// CallSite is one call of a capability in the text of a program.
type CallSite struct {
	// Function is the catalogue name if Options.Capability knew it, else the
	// spelling.
	Function string
	Known    bool
	// Args are the arguments that are literal. Computed names the others, by
	// their key; "..." stands for a spread, "*" for a computed key or an argument
	// that is no object literal.
	Args     *value.Object
	Computed []string
	// Line and Column are where the call begins.
	Line, Column int
	// InLoop: inside a loop or a callback of an iterating method. Conditional:
	// inside a branch, a function, a catch clause or a short-circuit.
	InLoop      bool
	Conditional bool
}
