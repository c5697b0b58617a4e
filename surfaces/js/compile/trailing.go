package compile

import "github.com/dop251/goja/ast"

// A program that ends in { count, ids } means an object, and JavaScript reads a
// block. The last statement is read again in parentheses: they replace the white
// space around it, or stand at its edges, so that no position moves by more than
// the parenthesis itself.

// trailingObject gives the other reading of a program that parses, if its last
// statement is a block that nobody means as one.
func (s *source) trailingObject(t *tree, sc *scan) (*tree, *scan) {
	b, ok := lastStatement(t.body.List).(*ast.BlockStatement)
	if !ok || !blockOfNames(b) {
		return nil, nil
	}
	open := tokenIndex(sc, at(b.LeftBrace))
	if open >= len(sc.tokens) {
		return nil, nil
	}
	return s.readObject(sc, open)
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
func (s *source) objectAtEnd(sc *scan) (*tree, *scan) {
	open := s.braceAtEnd(sc)
	if open < 0 {
		return nil, nil
	}
	return s.readObject(sc, open)
}

// braceAtEnd gives the index of the brace that begins a statement and closes at
// the program's end, or -1.
func (s *source) braceAtEnd(sc *scan) int {
	i := len(sc.tokens) - 1
	for i >= 0 && s.text[sc.tokens[i].at] == ';' {
		i--
	}
	if i < 0 || s.text[sc.tokens[i].at] != '}' || sc.match[i] < 0 {
		return -1
	}
	open := int(sc.match[i])
	if s.text[sc.tokens[open].at] != '{' || !s.statementStart(sc, open) {
		return -1
	}
	return open
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
	case ")":
		return sc.tokens[i].newline && !s.controls(sc, i-1)
	case "]":
		return sc.tokens[i].newline
	default:
		return sc.tokens[i].newline && before.kind != tokenPunct && !prefixWord(s.text[before.at:before.end])
	}
}

// controls reports whether a closing parenthesis ends the head of an if, while,
// for or with, whose body comes next.
func (s *source) controls(sc *scan, i int) bool {
	open := int(sc.match[i])
	return open > 0 && controlWord(s.text[sc.tokens[open-1].at:sc.tokens[open-1].end])
}

// evidentObject gives the reading of a program that ends in what begins like an
// object and like no block: { a, …, { a: …, { "a": … or { ...a. What reads as an
// object then is what the other two readings would come to, with one parse less.
func (s *source) evidentObject(sc *scan) (*tree, *scan) {
	open := s.braceAtEnd(sc)
	if open < 0 || open+2 >= len(sc.tokens) {
		return nil, nil
	}
	first, second := sc.tokens[open+1], sc.tokens[open+2]
	after := s.text[second.at:second.end]
	switch {
	case s.text[first.at:first.end] == "...":
	case first.kind == tokenWord && (after == "," || after == ":"):
	case first.kind == tokenString && after == ":":
	default:
		return nil, nil
	}
	return s.readObject(sc, open)
}

// readObject reads the program with the text from a token on, which is a brace, in
// parentheses.
func (s *source) readObject(sc *scan, open int) (*tree, *scan) {
	last := len(sc.tokens) - 1
	for last >= 0 && s.text[sc.tokens[last].at] == ';' {
		last--
	}
	from, to := int(sc.tokens[open].at), int(sc.tokens[last].end)
	other := &source{name: s.name, given: s.given}
	other.text = s.text[:from] + ";(" + s.text[from:to] + ")" + blanked(s.text[to:], 0, len(s.text)-to)
	otherScan := sc.parenthesised(open, last)
	t, problem := parse(s.name, plainNumbers(other.text, otherScan))
	if problem != nil {
		return nil, nil
	}
	e, ok := lastStatement(t.body.List).(*ast.ExpressionStatement)
	if !ok {
		return nil, nil
	}
	if _, ok := e.Expression.(*ast.ObjectLiteral); !ok {
		return nil, nil
	}
	s.moved = append(s.moved, move{from, 2})
	s.text = other.text
	return t, otherScan
}

// parenthesised gives the tokens of the text in which ;( stands before one token
// and ) after another. What the prescan bounded holds for it, but for one more
// bracket.
func (sc *scan) parenthesised(open, last int) *scan {
	n := &scan{tokens: make([]lexeme, 0, last+4), match: make([]int32, 0, last+4)}
	moved := func(i int32) int32 {
		if i >= int32(open) {
			return i + 2
		}
		return i
	}
	for i := 0; i <= last; i++ {
		t, m := sc.tokens[i], sc.match[i]
		if i == open {
			close := int32(last + 3)
			n.tokens = append(n.tokens, lex(tokenPunct, int(t.at), int(t.at)+1), lex(tokenPunct, int(t.at)+1, int(t.at)+2))
			n.match = append(n.match, -1, close)
		}
		if i >= open {
			t.at, t.end = t.at+2, t.end+2
		}
		if m >= 0 {
			m = moved(m)
		}
		n.tokens, n.match = append(n.tokens, t), append(n.match, m)
	}
	end := int(n.tokens[len(n.tokens)-1].end)
	n.tokens = append(n.tokens, lex(tokenPunct, end, end+1))
	n.match = append(n.match, int32(open+1))
	return n
}
