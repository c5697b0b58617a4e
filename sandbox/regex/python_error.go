package regex

import (
	"fmt"
	"slices"

	"github.com/polyglove/polyglove/sandbox"
)

// PythonError is the cause of the fault that CompilePython gives for a pattern
// that cannot be compiled, with what Python's re.error tells.
type PythonError struct {
	Kind    string // the exception: "error", "ValueError", "OverflowError"
	Text    string // without the position
	Pattern []rune
	At      int // the index of the character that is the cause, -1 if there is none
}

// Position gives the line and column of the cause, from 1.
func (e *PythonError) Position() (line, column int) {
	line, column = 1, e.At+1
	for i, r := range e.Pattern[:e.At] {
		if r == '\n' {
			line++
			column = e.At - i
		}
	}
	return line, column
}

// Error gives the message as str(error) does.
func (e *PythonError) Error() string {
	if e.At < 0 {
		return e.Text
	}
	text := fmt.Sprintf("%s at position %d", e.Text, e.At)
	if slices.Contains(e.Pattern, rune(10)) {
		line, column := e.Position()
		text += fmt.Sprintf(" (line %d, column %d)", line, column)
	}
	return text
}

func (e *PythonError) fault() *sandbox.Fault {
	return &sandbox.Fault{Kind: sandbox.KindSyntax, Name: e.Kind, Message: e.Error(), Cause: e}
}
