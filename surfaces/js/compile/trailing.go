package compile

import (
	"strings"

	"github.com/dop251/goja/ast"
)

// A program that ends in { count, ids } means an object, and JavaScript reads a
// block. The last statement is read again in parentheses: they replace the white
// space around it, or stand at its edges, so that no position moves by more than
// the parenthesis itself.

const objectNote = "The object at the end of the program was read as an object, not as a block."

// trailingObject gives the other reading of a program that parses, if its last
// statement is a block that nobody means as one.
func (s *source) trailingObject(t *tree, sc *scan, most int) (*tree, *scan) {
	b, ok := lastStatement(t.body.List).(*ast.BlockStatement)
	if !ok || !blockOfNames(b) {
		return nil, nil
	}
	return s.readObject(sc, at(b.LeftBrace), most)
}

// blockOfNames reports whether a block holds nothing but one labelled expression
// or bare names: { total: n } or { a, b }. An empty block is an empty object.
func blockOfNames(b *ast.BlockStatement) bool {
	switch len(b.List) {
	case 0:
		return true
	case 1:
	default:
		return false
	}
	switch s := b.List[0].(type) {
	case *ast.LabelledStatement:
		_, ok := s.Statement.(*ast.ExpressionStatement)
		return ok
	case *ast.ExpressionStatement:
		switch e := s.Expression.(type) {
		case *ast.Identifier:
			return true
		case *ast.SequenceExpression:
			for _, x := range e.Sequence {
				if _, ok := x.(*ast.Identifier); !ok {
					return false
				}
			}
			return true
		}
	}
	return false
}

// objectAtEnd gives the reading of a program that does not parse as it stands but
// does when the brace that closes at its end opens an object.
func (s *source) objectAtEnd(sc *scan, most int) (*tree, *scan) {
	i := len(sc.tokens) - 1
	for i >= 0 && s.text[sc.tokens[i].at] == ';' {
		i--
	}
	if i < 0 || s.text[sc.tokens[i].at] != '}' || sc.match[i] < 0 {
		return nil, nil
	}
	open := int(sc.match[i])
	if s.text[sc.tokens[open].at] != '{' || !s.statementStart(sc, open) {
		return nil, nil
	}
	return s.readObject(sc, sc.tokens[open].at, most)
}

// statementStart reports whether a statement may begin at a token: after another
// that has ended, or on a line of its own.
func (s *source) statementStart(sc *scan, i int) bool {
	if i == 0 {
		return true
	}
	switch before := sc.tokens[i-1]; s.text[before.at:before.end] {
	case ";", "}":
		return true
	case ")", "]":
		return sc.tokens[i].newline
	default:
		return sc.tokens[i].newline && before.kind != tokenPunct && !prefixWords[s.text[before.at:before.end]]
	}
}

// readObject reads the program with the text from a brace on in parentheses.
func (s *source) readObject(sc *scan, open int, most int) (*tree, *scan) {
	last := len(sc.tokens) - 1
	for last >= 0 && s.text[sc.tokens[last].at] == ';' {
		last--
	}
	end := sc.tokens[last].end
	text := s.text[:open] + ";(" + s.text[open:end] + ")" + blanked(s.text[end:], 0, len(s.text)-end)
	other := &source{name: s.name, given: s.given, text: text}
	t, otherScan, problem, fault := other.attempt(most + 3)
	if fault != nil || problem != nil {
		return nil, nil
	}
	e, ok := lastStatement(t.body.List).(*ast.ExpressionStatement)
	if !ok {
		return nil, nil
	}
	if _, ok := e.Expression.(*ast.ObjectLiteral); !ok {
		return nil, nil
	}
	s.moved = append(s.moved, move{open, 2})
	s.text = text
	if !strings.Contains(strings.Join(s.notes, "\n"), objectNote) {
		s.notes = append(s.notes, objectNote)
	}
	return t, otherScan
}
