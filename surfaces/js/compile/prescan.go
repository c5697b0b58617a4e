package compile

import (
	"fmt"
	"strings"

	"github.com/polyglove/polyglove/sandbox"
)

// What a program's text may hold. The parser and the compiler recurse into all of
// these, and a Go stack that overflows cannot be recovered from; parameter lists
// of arrow functions are read twice at each level of nesting, so their cost is
// exponential.
const (
	mostBrackets = 200  // open brackets at once
	mostArrows   = 4    // arrow-parameter lists inside one another
	mostPending  = 1500 // operators whose right side is still open: a ? b : c ? d : …
	mostBodies   = 1000 // statements whose body is still open: else if … else if …
)

// scan is a program cut into tokens, with what the prescan found.
type scan struct {
	tokens []lexeme
	match  []int32 // for a bracket, the index of the token that closes or opens it
}

// frame is one open bracket.
type frame struct {
	index   int // of its token, -1 for the program itself
	close   byte
	arrows  int // deepest nesting of arrow-parameter lists inside
	pending int
	bodies  int
}

// prescanner bounds what the parser will recurse into, in one pass over the
// tokens.
type prescanner struct {
	scanner
	scan
	frames  []frame
	pending int // sums over all frames
	bodies  int
	inner   map[int32]int // by opening bracket: the arrow-parameter lists nested inside
}

// prescan reads the tokens of a program, or says why the parser must not see it.
func prescan(s *source, most int) (*scan, *sandbox.Fault) {
	if len(s.text) > most {
		f := syntax(fmt.Sprintf("the program has %d bytes; at most %d are allowed.", len(s.text), most), "Keep data out of the program text: call for it.")
		return nil, f
	}
	p := &prescanner{scanner: scanner{text: s.text}, frames: make([]frame, 1, 16)}
	p.frames[0].index = -1
	p.tokens = make([]lexeme, 0, len(s.text)/2+4)
	p.match = make([]int32, 0, cap(p.tokens))
	for {
		t := p.next()
		if t.kind == tokenEnd {
			break
		}
		p.tokens = append(p.tokens, t)
		p.match = append(p.match, -1)
		if f := p.look(len(p.tokens) - 1); f != nil {
			return nil, s.fault(f, int(t.at))
		}
	}
	if p.problem != nil {
		return nil, s.foreignText(syntax(p.problem.message, p.problem.hint), p.problem.at)
	}
	if top := p.top(); top.index >= 0 {
		open := p.tokens[top.index]
		what := string(p.text[open.end-1])
		return nil, s.fault(syntax("'"+what+"' is never closed.", "Add the missing '"+string(top.close)+"'."), int(open.at))
	}
	return &p.scan, nil
}

func (p *prescanner) top() *frame { return &p.frames[len(p.frames)-1] }

// at gives the text of a token by its index, "" past either end.
func (p *prescanner) at(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.text[p.tokens[i].at:p.tokens[i].end]
}

// look takes account of one token.
func (p *prescanner) look(i int) *sandbox.Fault {
	t := p.tokens[i]
	switch t.kind {
	case tokenTemplate:
		return p.templateToken(i)
	case tokenWord:
		if p.named {
			return nil
		}
		return p.wordToken(i)
	case tokenPunct:
		return p.punctToken(i)
	}
	p.statementAfterEnd(i)
	return nil
}

// templateToken opens and closes the brackets ${ and }.
func (p *prescanner) templateToken(i int) *sandbox.Fault {
	text := p.at(i)
	if text[0] == '}' {
		if f := p.closeBracket(i, '}'); f != nil {
			return f
		}
	} else {
		p.statementAfterEnd(i)
	}
	if text[len(text)-1] == '{' {
		return p.openBracket(i, '}')
	}
	return nil
}

// openWord reports a word that begins something whose operand may be another of
// its kind.
func openWord(word string) bool {
	switch word {
	case "typeof", "void", "delete", "await", "new", "yield", "in", "instanceof", "async":
		return true
	}
	return false
}

// bodyWord reports a word that begins a statement whose body may be another.
func bodyWord(word string) bool {
	switch word {
	case "if", "else", "do", "while", "for", "with":
		return true
	}
	return false
}

// freshWord reports a word that begins a statement, so that no expression is open
// before it.
func freshWord(word string) bool {
	switch word {
	case "const", "let", "var", "return", "if", "for", "throw", "switch", "try", "break", "continue":
		return true
	}
	return false
}

func (p *prescanner) wordToken(i int) *sandbox.Fault {
	word := p.at(i)
	p.statementAfterEnd(i)
	if freshWord(word) {
		p.resetPending()
	}
	if openWord(word) {
		return p.addPending()
	}
	if bodyWord(word) {
		f := p.top()
		f.bodies++
		if p.bodies++; p.bodies > mostBodies {
			return rejected("statements are nested too deeply here.", "Use a lookup object or a switch instead of a long else-if chain.")
		}
	}
	return nil
}

// statementAfterEnd forgets what was open when a statement has ended and this
// token continues none of it.
func (p *prescanner) statementAfterEnd(i int) {
	if i == 0 {
		return
	}
	if c := p.text[p.tokens[i-1].end-1]; c != ';' && c != '}' || p.tokens[i-1].kind != tokenPunct {
		return
	}
	switch p.at(i) {
	case "else", "while", "catch", "finally", "in", "instanceof":
		return
	}
	f := p.top()
	p.bodies -= f.bodies
	f.bodies = 0
	p.resetPending()
}

func (p *prescanner) resetPending() {
	f := p.top()
	p.pending -= f.pending
	f.pending = 0
}

func (p *prescanner) addPending() *sandbox.Fault {
	p.top().pending++
	if p.pending++; p.pending > mostPending {
		return rejected("the expression is nested too deeply here.", "Split it: give parts of it names with const.")
	}
	return nil
}

func (p *prescanner) punctToken(i int) *sandbox.Fault {
	text := p.at(i)
	switch text {
	case "(":
		p.statementAfterEnd(i)
		return p.openBracket(i, ')')
	case "[":
		p.statementAfterEnd(i)
		return p.openBracket(i, ']')
	case "{":
		p.statementAfterEnd(i)
		return p.openBracket(i, '}')
	case ")", "]", "}":
		return p.closeBracket(i, text[0])
	case ";", ",":
		p.resetPending()
		return nil
	case "=>":
		if f := p.arrow(i); f != nil {
			return f
		}
		return p.addPending()
	case ".", "?.", "...", "&&", "||", "??", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>", "==", "!=", "===", "!==", "@":
		return nil
	case "+", "-":
		if p.operandBefore(i) {
			return nil
		}
	}
	return p.addPending()
}

// operandBefore reports whether a token follows an operand, so that a sign there
// joins two operands: the parser reads those in a loop.
func (p *prescanner) operandBefore(i int) bool {
	if i == 0 {
		return false
	}
	switch p.tokens[i-1].kind {
	case tokenWord:
		return !prefixWord(p.at(i-1)) && !openWord(p.at(i-1))
	case tokenPunct:
		switch p.at(i - 1) {
		case ")", "]", "}":
			return true
		}
		return false
	}
	return !strings.HasSuffix(p.at(i-1), "${")
}

// arrow counts how deep arrow-parameter lists are nested: the list before this
// arrow is inside the open brackets and holds the lists that its own brackets held.
func (p *prescanner) arrow(i int) *sandbox.Fault {
	f := p.top()
	level := 1
	if j := i - 1; j >= 0 && p.match[j] >= 0 && p.at(j) == ")" {
		level += p.inner[p.match[j]]
	}
	f.arrows = max(f.arrows, level)
	if level > mostArrows {
		return rejected("arrow functions are nested in one another's parameter lists here.", "Give the inner functions names with const.")
	}
	return nil
}

func (p *prescanner) openBracket(i int, close byte) *sandbox.Fault {
	if len(p.frames) > mostBrackets {
		return rejected(fmt.Sprintf("brackets are nested more than %d deep here.", mostBrackets), "Split the program: give parts of it names with const.")
	}
	p.frames = append(p.frames, frame{index: i, close: close})
	return nil
}

func (p *prescanner) closeBracket(i int, c byte) *sandbox.Fault {
	f := *p.top()
	if f.index < 0 {
		return syntax("'"+string(c)+"' closes nothing.", "Remove it, or add the bracket that it should close.")
	}
	if f.close != c {
		line, _ := position(p.text, int(p.tokens[f.index].at))
		return syntax(fmt.Sprintf("'%c' stands where '%c' should close the '%c' of line %d.", c, f.close, p.text[p.tokens[f.index].end-1], line),
			"Balance the brackets.")
	}
	p.frames = p.frames[:len(p.frames)-1]
	p.pending -= f.pending
	p.bodies -= f.bodies
	p.match[i], p.match[f.index] = int32(f.index), int32(i)
	outer := p.top()
	outer.arrows = max(outer.arrows, f.arrows)
	if f.arrows > 0 {
		if p.inner == nil {
			p.inner = map[int32]int{}
		}
		p.inner[int32(f.index)] = f.arrows
	}
	return nil
}
