package syntax

import (
	"fmt"
	"strings"
)

// Bounds on a program's shape. Brackets and blocks are bounded by the lexer as
// in CPython; these bound what nests or chains without them, because every later
// walk over the tree takes a stack frame a level.
const (
	maxDepth = 1000 // nested expressions, among them prefix operators and lambdas
	maxChain = 5000 // operands of one chain such as 1 + 1 + …, or a.b.c…
)

// parser is a recursive-descent parser over the tokens. A failure unwinds with a
// panic of *Error that [Parse] recovers.
type parser struct {
	source   string
	lexer    *lexer
	tokens   []token
	i        int
	tok      token // tokens[i]
	furthest int
	depth    int
	trying   bool // inside try: no second guess about an error is worth its work
}

// Parse parses a program. The error is an *[Error].
func Parse(source string) (m *Module, err error) {
	source = strings.TrimPrefix(source, "\ufeff")
	lines := NewLines(source)
	lx := lex(source)
	p := &parser{source: source, lexer: lx, tokens: lx.tokens}
	p.tok = p.tokens[0]
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			e = p.settle(e, lines)
			e.place(lines)
			m, err = nil, e
		}
	}()
	var body []Stmt
	for p.tok.kind != endMarker {
		if p.tok.kind == newline {
			p.next()
			continue
		}
		body = p.statement(body)
	}
	return &Module{Body: body, Lines: lines}, nil
}

// settle decides between the parser's error and one that the lexer has found
// further on. As CPython does, a lexical error anywhere wins; a bracket that is
// never closed wins only if it was opened on a line before the one reached.
func (p *parser) settle(e *Error, lines *Lines) *Error {
	lx := p.lexer
	if lx.err == nil || e == lx.err {
		return e
	}
	if lx.unclosed {
		reached := p.tokens[p.furthest]
		if lines.Line(reached.start) <= lines.Line(lx.err.start) {
			return e
		}
	}
	return lx.err
}

// next takes the current token. The last one, an end marker or an error, stays.
func (p *parser) next() {
	if p.i < len(p.tokens)-1 {
		p.i++
	}
	p.tok = p.tokens[p.i]
	p.furthest = max(p.furthest, p.i)
}

// peek gives the token k places on.
func (p *parser) peek(k int) token {
	if p.i+k < len(p.tokens) {
		return p.tokens[p.i+k]
	}
	return p.tokens[len(p.tokens)-1]
}

func (p *parser) text(t token) string { return p.source[t.start:t.end] }

// fail raises an error at a byte range.
func (p *parser) fail(start, end int32, format string, args ...any) {
	panic(&Error{Type: "SyntaxError", Message: fmt.Sprintf(format, args...), start: start, end: end})
}

func (p *parser) failAt(t token, format string, args ...any) { p.fail(t.start, t.end, format, args...) }

func (p *parser) failNode(n Node, format string, args ...any) {
	p.fail(n.span().Start, n.span().End, format, args...)
}

// invalid raises the error of a token that nothing can take.
func (p *parser) invalid() {
	switch t := p.tok; t.kind {
	case errorToken:
		panic(p.lexer.err)
	case indent:
		panic(&Error{Type: "IndentationError", Message: "unexpected indent", start: t.start - 1, end: t.end})
	case dedent:
		panic(&Error{Type: "IndentationError", Message: "unexpected unindent", start: t.start, end: t.end})
	default:
		if t.isKw(kwNot) {
			t = p.peek(1) // CPython has looked for "not in"
		}
		p.failAt(t, "invalid syntax")
	}
}

// try runs a parse that may fail, with the position restored afterwards, and
// reports whether it succeeded and which token followed. It does not nest, so
// that the work stays linear: inside it, every try fails.
func (p *parser) try(parse func()) (ok bool, then token) {
	if p.trying {
		return false, p.tok
	}
	p.trying = true
	i, tok, furthest, depth := p.i, p.tok, p.furthest, p.depth
	defer func() {
		if r := recover(); r != nil {
			if _, isError := r.(*Error); !isError {
				panic(r)
			}
			ok = false
		}
		p.i, p.tok, p.furthest, p.depth, p.trying = i, tok, furthest, depth, false
	}()
	parse()
	return true, p.tok
}

func (p *parser) isOp(code uint8) bool { return p.tok.kind == operator && p.tok.code == code }
func (p *parser) isKw(code uint8) bool { return p.tok.kind == keyword && p.tok.code == code }

func (t token) isOp(code uint8) bool { return t.kind == operator && t.code == code }
func (t token) isKw(code uint8) bool { return t.kind == keyword && t.code == code }

func (p *parser) acceptOp(code uint8) bool {
	if p.isOp(code) {
		p.next()
		return true
	}
	return false
}

func (p *parser) acceptKw(code uint8) bool {
	if p.isKw(code) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expectOp(code uint8) {
	if !p.acceptOp(code) {
		p.invalid()
	}
}

func (p *parser) expectKw(code uint8) {
	if !p.acceptKw(code) {
		p.invalid()
	}
}

func (p *parser) name() string {
	if p.tok.kind != name {
		p.invalid()
	}
	s := p.identifier(p.tok)
	p.next()
	return s
}

// identifier gives a name in its normal form (NFKC, PEP 3131).
func (p *parser) identifier(t token) string { return normalName(p.text(t)) }

// end is the end of the last token that belongs to the program's text.
func (p *parser) end() int32 {
	for k := p.i - 1; k >= 0; k-- {
		switch p.tokens[k].kind {
		case newline, indent, dedent:
			continue
		}
		return p.tokens[k].end
	}
	return 0
}

// span closes the span of a node that began at start.
func (p *parser) span(start int32) Span { return Span{start, p.end()} }

// enter counts one more level of nesting; leave must follow.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.failAt(p.tok, "too many nested expressions")
	}
}

func (p *parser) leave() { p.depth-- }

// chain guards the length of a chain of operands.
func (p *parser) chain(n int) {
	if n > maxChain {
		p.failAt(p.tok, "too many operands in one expression")
	}
}

// brackets counts the brackets open before the current token.
func (p *parser) inBrackets() bool {
	level := 0
	for k := p.i - 1; k >= 0; k-- {
		t := p.tokens[k]
		if t.kind == newline {
			return false
		}
		if t.kind != operator {
			continue
		}
		switch t.code {
		case '(', '[', '{':
			if level == 0 {
				return true
			}
			level--
		case ')', ']', '}':
			level++
		}
	}
	return false
}
