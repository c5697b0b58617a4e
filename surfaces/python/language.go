package python

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/elide"
	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/toolfn"
	"github.com/polyglove/polyglove/toolfn/value"
)

// name is the language's short name.
const name = "python"

// Language is the Python surface.
func Language() surfaces.Language { return language{} }

type language struct{}

func (language) Name() string  { return name }
func (language) Title() string { return "Python" }

// Open starts a session.
func (language) Open(ws *surfaces.Workspace) (surfaces.Session, error) {
	s, err := open(ws)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// CallForm writes a call as a program of this language spells it.
func (language) CallForm(function string, args *value.Object) string {
	if before, after, ok := strings.Cut(function, "__"); ok && before != "" && identifier(before) && identifier(after) {
		function = before + "." + after
	}
	return callText(function, args)
}

// Signatures is how the language spells signatures and types in discovery.
func (language) Signatures() toolfn.Style { return signatures() }

// Style spells how a program reads on where a result was cut.
func (language) Style() elide.Style { return style() }

func style() elide.Style {
	return elide.Style{ReadOn: readOn, Hint: "count it with len(), take a slice, or keep it in a variable"}
}

// readOn writes the expression that reads elements of the list at a path of the
// last value.
func readOn(path []elide.Step, from, to int) string {
	var b strings.Builder
	b.WriteString(lastValue)
	for _, s := range path {
		if s.IsIndex {
			fmt.Fprintf(&b, "[%d]", s.Index)
		} else {
			b.WriteString("[" + quote(s.Key) + "]")
		}
		if b.Len() > longestPath {
			return ""
		}
	}
	fmt.Fprintf(&b, "[%d:%d]", from, to)
	return b.String()
}

// longestPath is the longest expression, in bytes, that is quoted to a model.
const longestPath = 80

// Card describes the language as implemented. The examples in it are run by a
// test.
func (language) Card() []string { return append([]string(nil), card...) }
