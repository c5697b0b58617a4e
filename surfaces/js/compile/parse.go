package compile

import (
	"errors"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// The program is parsed as the body of an async arrow function, so that await and
// return are allowed at its top level. The head stands on a line of its own: the
// program's lines are one lower and its columns true.
const (
	wrapHead = "(async()=>{\n"
	wrapTail = "\n})"
)

// fileName is the name that stack frames of programs carry if no other is given.
const fileName = "program"

// tree is a parsed program.
type tree struct {
	program *ast.Program
	arrow   *ast.ArrowFunctionLiteral
	body    *ast.BlockStatement
}

// parseProblem is the parser's first complaint, at an offset of the program.
type parseProblem struct {
	at      int
	message string
}

// parse reads a program whose tokens the prescan has bounded. Exactly one
// statement must result and end at the last byte: anything else means that the
// program closed the function around it.
func parse(name, text string) (*tree, *parseProblem) {
	full := wrapHead + text + wrapTail
	program, err := parser.ParseFile(nil, name, full, parser.IgnoreRegExpErrors, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, problemOf(err, full)
	}
	unbalanced := &parseProblem{at: len(text), message: "Unexpected token }"}
	if len(program.Body) != 1 {
		return nil, unbalanced
	}
	statement, ok := program.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return nil, unbalanced
	}
	arrow, ok := statement.Expression.(*ast.ArrowFunctionLiteral)
	if !ok {
		return nil, unbalanced
	}
	body, ok := arrow.Body.(*ast.BlockStatement)
	if !ok || int(body.RightBrace) != len(full)-1 {
		return nil, unbalanced
	}
	return &tree{program, arrow, body}, nil
}

// problemOf takes the first of the parser's errors, which is the one whose cause
// is in the program; the rest come from its attempts to go on.
func problemOf(err error, full string) *parseProblem {
	var list parser.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return &parseProblem{message: "Unexpected token"}
	}
	first := list[0]
	return &parseProblem{at: offsetOf(full, first.Position) - len(wrapHead), message: first.Message}
}

// offsetOf turns the parser's line and column, which counts bytes, into an offset.
func offsetOf(text string, p file.Position) int {
	at := 0
	for range p.Line - 1 {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return min(at+p.Column-1, len(text))
}

// at gives the offset in the program's text of a position in the tree.
func at(i file.Idx) int { return max(0, int(i)-1-len(wrapHead)) }

// Position turns a position that the engine reports, as in a stack frame, into
// one of the program: line and column from 1, the column in code points.
func (p *Program) Position(line, column int) (int, int) {
	line = max(1, line-1)
	start := 0
	for range line - 1 {
		i := strings.IndexByte(p.Source[start:], '\n')
		if i < 0 {
			break
		}
		start += i + 1
	}
	parsed := start
	for _, m := range p.moved {
		if parsed > m.from {
			parsed += m.n
		}
	}
	return position(p.Source, original(p.moved, parsed+column-1))
}

// plainNumbers takes the separators out of numbers, which the parser does not
// read in fractions; each number keeps its place.
func plainNumbers(text string, sc *scan) string {
	var b []byte
	for _, t := range sc.tokens {
		if t.kind != tokenNumber || strings.IndexByte(text[t.at:t.end], '_') < 0 || !separated(text[t.at:t.end]) {
			continue
		}
		if b == nil {
			b = []byte(text)
		}
		plain := strings.ReplaceAll(text[t.at:t.end], "_", "")
		n := copy(b[t.at:t.end], plain)
		for i := int(t.at) + n; i < int(t.end); i++ {
			b[i] = ' '
		}
	}
	if b == nil {
		return text
	}
	return string(b)
}

// separated reports whether every underscore of a number stands between two
// digits (ECMA-262 section 12.9.3).
func separated(number string) bool {
	hex := strings.HasPrefix(number, "0x") || strings.HasPrefix(number, "0X")
	digit := func(i int) bool {
		if i < 0 || i >= len(number) {
			return false
		}
		c := number[i] | 0x20
		return isDigit(number[i]) || hex && i > 1 && c >= 'a' && c <= 'f'
	}
	for i := range len(number) {
		if number[i] == '_' && (!digit(i-1) || !digit(i+1)) {
			return false
		}
	}
	return true
}
