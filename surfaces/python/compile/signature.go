package compile

import (
	"strings"

	"github.com/polyglove/polyglove/surfaces/python/object"
)

// Signature writes the parameters of a function of a program: (a, b=…, *args).
func Signature(f *object.Function) (string, bool) {
	k, ok := f.Code.(*closure)
	if !ok {
		return "", false
	}
	c := k.code
	var parts []string
	for i, p := range c.params[:c.positions] {
		if i >= c.positions-len(k.defaults) {
			p += "=…"
		}
		parts = append(parts, p)
		if i+1 == c.posOnly {
			parts = append(parts, "/")
		}
	}
	rest := c.params[c.positions+c.kwOnly:]
	switch {
	case c.varargs:
		parts = append(parts, "*"+rest[0])
		rest = rest[1:]
	case c.kwOnly > 0:
		parts = append(parts, "*")
	}
	parts = append(parts, c.params[c.positions:c.positions+c.kwOnly]...)
	if c.kwargs {
		parts = append(parts, "**"+rest[0])
	}
	return "(" + strings.Join(parts, ", ") + ")", true
}
