package pgregex

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Options are how an expression is read and what it matches.
type Options struct {
	IgnoreCase bool
	Expanded   bool // blanks and comments do not count
	Literal    bool // no character is special
	// LineAnchors lets ^ and $ match at lines, NoNewline keeps . and [^…] off
	// newlines; together they are newline-sensitive matching.
	LineAnchors, NoNewline bool
	Basic                  bool // POSIX basic syntax, which is not supported
	Extended               bool // POSIX extended syntax without the advanced escapes
}

type kind uint8

const (
	empty kind = iota
	chars
	concat
	alternate
	repeat
	group
	assert
	look
	backref
)

type preference uint8

const (
	none preference = iota
	longer
	shorter
)

const infinite = -1

// node is a part of an expression.
type node struct {
	kind     kind
	set      *set    // of chars
	parts    []*node // of concat and alternate; one of repeat, group and look
	min, max int     // of repeat; max may be infinite
	number   int     // of a capturing group, or 0; of a backref
	what     assertion
	ahead    bool // of look
	negative bool // of look
	prefers  preference
	captures bool // whether a capturing group is inside
	refers   bool // whether a backref is inside
	looks    bool // whether a lookaround is inside
	machine  *machine
	after    *node // of concat: the parts after the first
}

type assertion uint8

const (
	textStart assertion = iota
	textEnd
	lineStart
	lineEnd
	wordStart
	wordEnd
	wordBoundary
	noWordBoundary
)

// Error codes of the server's own library, as it prints them.
func invalid(what string) *pgerr.Error {
	return pgerr.New(pgerr.InvalidRegex, "invalid regular expression: %s", what)
}

var (
	errEscape  = invalid("invalid escape \\ sequence")
	errParen   = invalid("parentheses () not balanced")
	errBracket = invalid("brackets [] not balanced")
	errBrace   = invalid("braces {} not balanced")
	errCount   = invalid("invalid repetition count(s)")
	errRange   = invalid("invalid character range")
	errRepeat  = invalid("quantifier operand invalid")
	errClass   = invalid("invalid character class")
	errCollate = invalid("invalid collating element")
	errSubexp  = invalid("invalid backreference number")
	errOption  = invalid("invalid embedded option")
	errPattern = invalid("invalid regexp (reg version 0.8)")
	errTooBig  = invalid("regular expression is too complex")
)

const (
	maxRepeat = 255 // RE_DUP_MAX
	maxNodes  = 100_000
	maxDepth  = 400
)

// parser reads an expression.
type parser struct {
	in      []rune
	at      int
	o       Options
	groups  []*node // capturing groups by number - 1; nil while open
	depth   int
	looking int // lookarounds that are open
	nodes   int
}

func parse(pattern string, o *Options) (*node, []*node, *pgerr.Error) {
	p := &parser{in: []rune(pattern), o: *o}
	if err := p.prefix(); err != nil {
		return nil, nil, err
	}
	*o = p.o
	if p.o.Basic {
		return nil, nil, pgerr.New(pgerr.FeatureNotSupported, "basic regular expressions (option b) are not supported").
			WithHint("Write the pattern as an advanced regular expression, the default.")
	}
	if p.o.Literal {
		return p.literal(), nil, nil
	}
	n, err := p.alternation()
	if err != nil {
		return nil, nil, err
	}
	if p.at < len(p.in) {
		return nil, nil, errParen
	}
	return n, p.groups, nil
}

// prefix reads a director (***: or ***=) and embedded options.
func (p *parser) prefix() *pgerr.Error {
	if p.o.Literal {
		return nil
	}
	rest := string(p.in[:min(len(p.in), 4)])
	switch {
	case rest == "***=":
		p.o.Literal, p.at = true, 4
		return nil
	case rest == "***:":
		p.o.Extended, p.at = false, 4
	case strings.HasPrefix(rest, "***"):
		return errPattern
	}
	if p.o.Extended || p.at+2 >= len(p.in) || p.in[p.at] != '(' || p.in[p.at+1] != '?' || !unicode.IsLetter(p.in[p.at+2]) {
		return nil
	}
	p.at += 2
	for ; p.at < len(p.in) && p.in[p.at] != ')'; p.at++ {
		if !p.o.set(p.in[p.at]) {
			return errOption
		}
	}
	if p.at >= len(p.in) {
		return errOption
	}
	p.at++
	return nil
}

// set applies an option letter.
func (o *Options) set(letter rune) bool {
	switch letter {
	case 'b':
		o.Basic = true
	case 'c':
		o.IgnoreCase = false
	case 'e':
		o.Extended = true
	case 'i':
		o.IgnoreCase = true
	case 'm', 'n':
		o.LineAnchors, o.NoNewline = true, true
	case 'p':
		o.LineAnchors, o.NoNewline = false, true
	case 'q':
		o.Literal = true
	case 's':
		o.LineAnchors, o.NoNewline = false, false
	case 't':
		o.Expanded = false
	case 'w':
		o.LineAnchors, o.NoNewline = true, false
	case 'x':
		o.Expanded = true
	default:
		return false
	}
	return true
}

// Set applies an option letter of a function's flags; false where there is none.
func (o *Options) Set(letter rune) bool { return o.set(letter) }

func (p *parser) literal() *node {
	n := &node{kind: concat}
	for _, r := range p.in[p.at:] {
		n.parts = append(n.parts, p.single(r))
	}
	return n
}

func (p *parser) single(r rune) *node {
	return &node{kind: chars, set: p.fold(&set{ranges: []span{{r, r}}})}
}

func (p *parser) fold(s *set) *set {
	s.ignoreCase = p.o.IgnoreCase
	return s
}

func (p *parser) more() bool { return p.at < len(p.in) }

// skip passes over blanks and comments.
func (p *parser) skip() {
	for p.more() {
		switch {
		case p.o.Expanded && unicode.IsSpace(p.in[p.at]):
			p.at++
		case p.o.Expanded && p.in[p.at] == '#':
			for p.more() && p.in[p.at] != '\n' {
				p.at++
			}
		case !p.o.Extended && p.looksAt("(?#"):
			for p.more() && p.in[p.at] != ')' {
				p.at++
			}
			if p.more() {
				p.at++
			}
		default:
			return
		}
	}
}

func (p *parser) looksAt(s string) bool {
	for i, r := range []rune(s) {
		if p.at+i >= len(p.in) || p.in[p.at+i] != r {
			return false
		}
	}
	return true
}

func (p *parser) alternation() (*node, *pgerr.Error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errTooBig
	}
	defer func() { p.depth-- }()
	first, err := p.branch()
	if err != nil {
		return nil, err
	}
	if !p.more() || p.in[p.at] != '|' {
		return first, nil
	}
	n := &node{kind: alternate, parts: []*node{first}, prefers: longer}
	for p.more() && p.in[p.at] == '|' {
		p.at++
		b, err := p.branch()
		if err != nil {
			return nil, err
		}
		n.parts = append(n.parts, b)
	}
	return n.sum(), nil
}

// sum takes over what is inside the parts.
func (n *node) sum() *node {
	for _, part := range n.parts {
		n.captures = n.captures || part.captures
		n.refers = n.refers || part.refers
		n.looks = n.looks || part.looks
	}
	return n
}

func (p *parser) branch() (*node, *pgerr.Error) {
	n := &node{kind: concat}
	for {
		p.skip()
		if !p.more() || p.in[p.at] == '|' || p.in[p.at] == ')' && p.depth > 1 {
			break
		}
		part, err := p.quantified()
		if err != nil {
			return nil, err
		}
		if n.prefers == none {
			n.prefers = part.prefers
		}
		n.parts = append(n.parts, part)
	}
	switch len(n.parts) {
	case 0:
		return &node{kind: empty}, nil
	case 1:
		return n.parts[0], nil
	}
	return n.sum(), nil
}

func (p *parser) quantified() (*node, *pgerr.Error) {
	if p.nodes++; p.nodes > maxNodes {
		return nil, errTooBig
	}
	atom, constraint, err := p.atom()
	if err != nil {
		return nil, err
	}
	p.skip()
	least, most, passes, ok, err := p.quantifier()
	if err != nil || !ok {
		return atom, err
	}
	if constraint {
		return nil, errRepeat
	}
	prefers := longer
	if !p.o.Extended && p.more() && p.in[p.at] == '?' {
		p.at++
		prefers = shorter
	}
	p.skip()
	if _, _, _, again, _ := p.peekQuantifier(); again {
		return nil, errRepeat
	}
	if passes {
		prefers = atom.prefers
	}
	return repeated(atom, least, most, prefers), nil
}

// repeated builds x{m,n}. Where the captures of only the last x count, x{m,n} is
// x{m-1,n-1} without captures, then x.
func repeated(atom *node, least, most int, prefers preference) *node {
	switch {
	case most == 0:
		return &node{kind: empty}
	case least == 1 && most == 1:
		if prefers != atom.prefers && prefers != none {
			copied := *atom
			copied.machine, copied.after = nil, nil
			if atom.kind != group || atom.number == 0 {
				copied.prefers = prefers
				return &copied
			}
			return (&node{kind: group, parts: []*node{atom}, prefers: prefers}).sum()
		}
		return atom
	case least > 0 && atom.captures && !atom.refers:
		rest := most
		if most != infinite {
			rest--
		}
		left := repeated(withoutCaptures(atom), least-1, rest, prefers)
		return (&node{kind: concat, parts: []*node{left, atom}, prefers: prefers}).sum()
	}
	return (&node{kind: repeat, parts: []*node{atom}, min: least, max: most, prefers: prefers}).sum()
}

func withoutCaptures(n *node) *node {
	if !n.captures {
		return n
	}
	c := *n
	c.number, c.captures, c.machine, c.after = 0, false, nil, nil
	if n.kind == backref {
		c.number = n.number
	}
	c.parts = make([]*node, len(n.parts))
	for i, part := range n.parts {
		c.parts[i] = withoutCaptures(part)
	}
	return &c
}

func (p *parser) peekQuantifier() (least, most int, passes, ok bool, err *pgerr.Error) {
	at := p.at
	least, most, passes, ok, err = p.quantifier()
	p.at = at
	return least, most, passes, ok || err != nil, err
}

func (p *parser) quantifier() (least, most int, passes, ok bool, err *pgerr.Error) {
	if !p.more() {
		return 0, 0, false, false, nil
	}
	switch p.in[p.at] {
	case '*':
		least, most = 0, infinite
	case '+':
		least, most = 1, infinite
	case '?':
		least, most = 0, 1
	case '{':
		if p.at+1 < len(p.in) && isDigit(p.in[p.at+1]) || p.o.Extended {
			return p.bounds()
		}
		return 0, 0, false, false, nil
	default:
		return 0, 0, false, false, nil
	}
	p.at++
	return least, most, false, true, nil
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func (p *parser) bounds() (least, most int, passes, ok bool, err *pgerr.Error) {
	p.at++
	if least, ok = p.count(); !ok {
		return 0, 0, false, false, errCount
	}
	most, passes = least, true
	if p.more() && p.in[p.at] == ',' {
		p.at++
		passes, most = false, infinite
		if p.more() && isDigit(p.in[p.at]) {
			if most, ok = p.count(); !ok {
				return 0, 0, false, false, errCount
			}
			if most < least {
				return 0, 0, false, false, errCount
			}
		}
	}
	if !p.more() {
		return 0, 0, false, false, errBrace
	}
	if p.in[p.at] != '}' {
		return 0, 0, false, false, errCount
	}
	p.at++
	return least, most, passes, true, nil
}

func (p *parser) count() (int, bool) {
	n, digits := 0, 0
	for p.more() && isDigit(p.in[p.at]) {
		n = min(n*10+int(p.in[p.at]-'0'), maxRepeat+1)
		p.at++
		digits++
	}
	return n, digits > 0 && n <= maxRepeat
}

// atom reads an atom or a constraint, which no quantifier may follow.
func (p *parser) atom() (n *node, constraint bool, err *pgerr.Error) {
	r := p.in[p.at]
	switch r {
	case '*', '+', '?':
		return nil, false, errRepeat
	case '{':
		if p.at+1 < len(p.in) && isDigit(p.in[p.at+1]) {
			return nil, false, errRepeat
		}
	case '(':
		return p.parenthesis()
	case ')':
		return nil, false, errParen
	case '.':
		p.at++
		return &node{kind: chars, set: &set{negative: true, ranges: p.notNewline()}}, false, nil
	case '[':
		if p.looksAt("[[:<:]]") || p.looksAt("[[:>:]]") {
			what := wordStart
			if p.in[p.at+3] == '>' {
				what = wordEnd
			}
			p.at += 7
			return &node{kind: assert, what: what}, true, nil
		}
		s, err := p.bracket()
		return &node{kind: chars, set: s}, false, err
	case '^':
		p.at++
		if p.o.LineAnchors {
			return &node{kind: assert, what: lineStart}, true, nil
		}
		return &node{kind: assert, what: textStart}, true, nil
	case '$':
		p.at++
		if p.o.LineAnchors {
			return &node{kind: assert, what: lineEnd}, true, nil
		}
		return &node{kind: assert, what: textEnd}, true, nil
	case '\\':
		return p.escape()
	}
	p.at++
	return p.single(r), false, nil
}

func (p *parser) notNewline() []span {
	if p.o.NoNewline {
		return []span{{'\n', '\n'}}
	}
	return nil
}

func (p *parser) parenthesis() (*node, bool, *pgerr.Error) {
	p.at++
	n := &node{kind: group}
	constraint := false
	if !p.o.Extended && p.more() && p.in[p.at] == '?' {
		switch {
		case p.looksAt("?:"):
			p.at += 2
		case p.looksAt("?="), p.looksAt("?!"):
			n.kind, n.ahead, n.negative, constraint = look, true, p.in[p.at+1] == '!', true
			p.at += 2
		case p.looksAt("?<="), p.looksAt("?<!"):
			n.kind, n.negative, constraint = look, p.in[p.at+2] == '!', true
			p.at += 3
		default:
			return nil, false, errRepeat
		}
	} else if p.looking == 0 {
		p.groups = append(p.groups, nil)
		n.number = len(p.groups)
	}
	if constraint {
		p.looking++
		defer func() { p.looking-- }()
	}
	inner, err := p.alternation()
	if err != nil {
		return nil, false, err
	}
	if !p.more() || p.in[p.at] != ')' {
		return nil, false, errParen
	}
	p.at++
	n.parts = []*node{inner}
	if constraint {
		n.looks = true
		return n, true, nil
	}
	n.prefers = inner.prefers
	n.sum()
	if n.number > 0 {
		n.captures = true
		p.groups[n.number-1] = n
	}
	return n, false, nil
}

// escape reads an escape outside brackets.
func (p *parser) escape() (*node, bool, *pgerr.Error) {
	p.at++
	if !p.more() {
		return nil, false, errEscape
	}
	r := p.in[p.at]
	if p.o.Extended || !isAlnum(r) {
		p.at++
		return p.single(r), false, nil
	}
	constraints := map[rune]assertion{
		'A': textStart, 'Z': textEnd, 'm': wordStart, 'M': wordEnd, 'y': wordBoundary, 'Y': noWordBoundary,
	}
	if what, ok := constraints[r]; ok {
		p.at++
		return &node{kind: assert, what: what}, true, nil
	}
	if s := p.classEscape(r); s != nil {
		p.at++
		return &node{kind: chars, set: s}, false, nil
	}
	if n, ok := p.reference(); ok {
		if p.looking > 0 || n > len(p.groups) || p.groups[n-1] == nil {
			return nil, false, errSubexp
		}
		return &node{kind: backref, number: n, refers: true, prefers: none}, false, nil
	}
	c, err := p.character()
	return p.single(c), false, err
}

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (p *parser) classEscape(r rune) *set {
	s := &set{}
	switch unicode.ToLower(r) {
	case 'd':
		s.classes = []class{{name: "digit"}}
	case 's':
		s.classes = []class{{name: "space"}}
	case 'w':
		s.classes = []class{{name: "word"}}
	default:
		return nil
	}
	s.negative = unicode.IsUpper(r)
	return s
}

// reference reads a back reference: one digit, or more when there are so many
// groups.
func (p *parser) reference() (int, bool) {
	r := p.in[p.at]
	if r < '1' || r > '9' {
		return 0, false
	}
	end := p.at
	for end < len(p.in) && isDigit(p.in[end]) {
		end++
	}
	if n, err := strconv.Atoi(string(p.in[p.at:end])); end-p.at == 1 || err == nil && n <= len(p.groups) {
		p.at = end
		if err != nil {
			n = len(p.groups) + 1
		}
		return n, true
	}
	if r >= '8' {
		p.at++
		return int(r - '0'), true
	}
	return 0, false
}

// character reads an escape that stands for one character; the letter is next.
func (p *parser) character() (rune, *pgerr.Error) {
	r := p.in[p.at]
	p.at++
	switch r {
	case 'a':
		return 7, nil
	case 'b':
		return 8, nil
	case 'B':
		return '\\', nil
	case 'e':
		return 27, nil
	case 'f':
		return 12, nil
	case 'n':
		return 10, nil
	case 'r':
		return 13, nil
	case 't':
		return 9, nil
	case 'v':
		return 11, nil
	case 'c':
		if !p.more() {
			return 0, errEscape
		}
		p.at++
		return p.in[p.at-1] & 0o37, nil
	case 'u':
		return p.hexadecimal(4, 4)
	case 'U':
		return p.hexadecimal(8, 8)
	case 'x':
		return p.hexadecimal(1, 255)
	}
	if r >= '0' && r <= '7' {
		return p.octal(r), nil
	}
	return 0, errEscape
}

func (p *parser) octal(first rune) rune {
	v := first - '0'
	for n := 0; n < 2 && p.more() && p.in[p.at] >= '0' && p.in[p.at] <= '7'; n++ {
		v = v*8 + p.in[p.at] - '0'
		p.at++
	}
	return v
}

func (p *parser) hexadecimal(least, most int) (rune, *pgerr.Error) {
	v, digits := int64(0), 0
	for digits < most && p.more() {
		d := strings.IndexRune("0123456789abcdef", unicode.ToLower(p.in[p.at]))
		if d < 0 {
			break
		}
		if v = v*16 + int64(d); v > unicode.MaxRune {
			return 0, errEscape
		}
		p.at++
		digits++
	}
	if digits < least {
		return 0, errEscape
	}
	return rune(v), nil
}
