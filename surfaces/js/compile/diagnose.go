package compile

import (
	"strconv"

	"github.com/polyglove/polyglove/sandbox"
)

func quoted(s string) string { return strconv.Quote(s) }

// explain words the parser's complaint.
func (s *source) explain(p *parseProblem, sc *scan) *sandbox.Fault {
	return s.fault(syntax(p.message, ""), p.at)
}

func compilerWords(message string) *sandbox.Fault { return syntax(message, "") }
