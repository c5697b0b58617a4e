package compile

import (
	"errors"

	"github.com/dop251/goja/ast"

	"github.com/polyglove/polyglove/sandbox/regex"
)

// checkRegex compiles the pattern of a literal, so that a mistake in it is told
// before anything runs.
func checkRegex(e *ast.RegExpLiteral) {
	_, err := regex.Compile(e.Pattern, e.Flags, regex.ECMAScript, regex.DefaultLimits())
	if err == nil {
		return
	}
	var bad *regex.SyntaxError
	hint := "Correct the pattern between the slashes."
	if !errors.As(err, &bad) {
		hint = "Write a simpler pattern."
	}
	f := syntax("the regular expression does not compile: "+err.Error(), hint)
	panic(stop{f, e.Idx})
}
