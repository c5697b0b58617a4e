package regex

import (
	"fmt"

	"github.com/polyglove/polyglove/sandbox"
)

// SyntaxError is the cause of the fault that Compile gives for a pattern that
// cannot be compiled. errors.As finds it in the fault.
type SyntaxError struct {
	Pattern string // as written
	Flags   string
	Text    string // in the words of the engine that runs the dialect: "Unterminated group"
	Offset  int    // where the cause is, in UTF-16 code units from the pattern's start
	Hint    string // what to write instead
}

// Error gives the text with the pattern, as the dialect's engine would.
func (e *SyntaxError) Error() string {
	return "Invalid regular expression: /" + sandbox.Clip(e.Pattern, 200) + "/" + e.Flags + ": " + e.Text
}

// fault is what a program sees of the error.
func (e *SyntaxError) fault() *sandbox.Fault {
	return &sandbox.Fault{
		Kind: sandbox.KindSyntax, Name: "SyntaxError", Message: e.Error(),
		Hint: fmt.Sprintf("The cause is at character %d of the pattern. %s", e.Offset+1, e.Hint), Cause: e,
	}
}
