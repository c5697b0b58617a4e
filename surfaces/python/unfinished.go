package python

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/compile"
	"github.com/polyglove/polyglove/surfaces/python/syntax"
)

// Unfinished reports whether a console should wait for more lines: a bracket or a
// text is open, or the last line belongs to a block, which an empty line ends.
func (language) Unfinished(text string) bool {
	lines := strings.Split(text, "\n")
	last := lines[len(lines)-1]
	_, err := syntax.Parse(text)
	if err == nil {
		return len(lines) > 1 && (strings.HasPrefix(last, " ") || strings.HasPrefix(last, "\t")) || strings.HasSuffix(strings.TrimSpace(last), ":") ||
			strings.HasPrefix(last, "@")
	}
	e, ok := compile.AsSyntaxError(err)
	if !ok {
		return false
	}
	for _, open := range []string{"was never closed", "unterminated triple-quoted", "expected an indented block", "unexpected EOF", "expected 'except' or 'finally' block"} {
		if strings.Contains(e.Message, open) {
			return true
		}
	}
	return strings.HasPrefix(last, "@")
}
