package compile

import (
	"errors"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"

	"github.com/polyglove/polyglove/sandbox/regex"
)

// checkRegex compiles the pattern of a literal, so that a mistake in it is told
// before anything runs.
func checkRegex(e *ast.RegExpLiteral) {
	_, err := regex.Compile(e.Pattern, e.Flags, regex.ECMAScript, regex.DefaultLimits())
	if err == nil {
		return
	}
	f, offset := syntax("the regular expression is too large.", "Write a simpler pattern."), 0
	var bad *regex.SyntaxError
	if errors.As(err, &bad) {
		f = syntax("the regular expression is not valid: "+lowerFirst(bad.Text)+".", bad.Hint)
		if f.Hint == "" {
			f.Hint = "The flags are d, g, i, m, s, u, v and y, each at most once."
		}
		offset = min(bad.Offset+1, len(e.Literal)-1)
	}
	panic(stop{f, e.Idx + file.Idx(offset)})
}
