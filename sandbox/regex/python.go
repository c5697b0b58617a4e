package regex

import (
	"math"
	"strconv"
	"strings"
)

// The flags of Python's re, with the values of re.RegexFlag.
const (
	PythonTemplate   = 1
	PythonIgnoreCase = 2
	PythonLocale     = 4
	PythonMultiline  = 8
	PythonDotAll     = 16
	PythonUnicode    = 32
	PythonVerbose    = 64
	PythonDebug      = 128
	PythonASCII      = 256
)

const (
	pythonTypeFlags   = PythonASCII | PythonLocale | PythonUnicode
	pythonGlobalFlags = PythonDebug
)

// pythonFlag is the flag of an inline letter, 0 if there is none.
func pythonFlag(r rune) int {
	switch r {
	case 'i':
		return PythonIgnoreCase
	case 'L':
		return PythonLocale
	case 'm':
		return PythonMultiline
	case 's':
		return PythonDotAll
	case 'x':
		return PythonVerbose
	case 'a':
		return PythonASCII
	case 't':
		return PythonTemplate
	case 'u':
		return PythonUnicode
	}
	return 0
}

// python is the front end for the patterns of the re module of CPython 3.12.
// Matches count code points, so programs run over inputs made by [Runes] or
// [ASCII]. Texts and places of errors are CPython's.
type python struct {
	src    []rune
	bytes  bool // a bytes pattern
	limits Limits
	spent  int
	depth  int

	// The next token, read ahead as CPython does, because an escape that the
	// pattern's end cuts off is reported when the token before it is taken.
	next  []rune
	index int

	flags  int // global
	scoped int // with those of the groups around
	// width of each group once it is closed; index 0 is the pattern.
	widths     []span2
	closed     []bool
	names      []Name
	byName     map[string]int
	references []groupReference // conditionals on groups that follow
	lookbehind int              // groups before the outermost lookbehind, -1 outside
	badBehind  bool             // a lookbehind has no fixed width
}

// span2 is a width between two bounds.
type span2 struct{ lo, hi int }

type groupReference struct{ group, at int }

// CompilePython makes a program of a pattern of Python's re and gives its flags
// with those the pattern sets itself. bytes says that it is a bytes pattern,
// given as one character for each byte.
//
// For a pattern that does not compile it gives a *sandbox.Fault whose cause is a
// *PythonError; if a limit of the meter is hit, the meter's fault.
func CompilePython(pattern []rune, flags int, bytes bool, l Limits) (p *Program, all int, err error) {
	if err := l.validate(); err != nil {
		return nil, 0, err
	}
	before := l.used()
	t, all, err := parsePython(pattern, flags, bytes, l)
	if err != nil {
		l.release(l.used() - before)
		return nil, 0, err
	}
	p, work := generate(t)
	l.release(l.used() - before - p.bytes)
	if err := l.charge(work, 0); err != nil {
		return nil, 0, err
	}
	return p, all, nil
}

// badPython is what the parser panics with; parsePython recovers it.
type badPython struct {
	kind, text string
	at         int
}

func parsePython(pattern []rune, flags int, bytes bool, l Limits) (t *tree, all int, err error) {
	p := &python{src: pattern, bytes: bytes, limits: l, flags: flags, byName: map[string]int{}, lookbehind: -1}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case badPython:
			t, err = nil, (&PythonError{Kind: x.kind, Text: x.text, Pattern: pattern, At: x.at}).fault()
		case stopped:
			t, err = nil, x.err
		default:
			panic(x)
		}
	}()
	if len(pattern) > l.Source {
		p.raise("OverflowError", "the pattern is too large: split it, or test a list of strings instead", -1)
	}
	if err := l.charge(int64(len(pattern)), 8*int64(len(pattern))); err != nil {
		return nil, 0, err
	}
	p.widths, p.closed = []span2{{}}, []bool{false}
	p.advance()
	p.checkTypeFlags()
	p.scoped = p.flags
	root, _ := p.alternatives(p.flags&PythonVerbose != 0, true)
	p.checkTypeFlags()
	if p.next != nil {
		p.fail("unbalanced parenthesis", 0)
	}
	for _, r := range p.references {
		if r.group >= len(p.widths) {
			p.raise("error", "invalid group reference "+itoa(r.group), r.at)
		}
	}
	if p.badBehind {
		p.raise("error", "look-behind requires fixed-width pattern", -1)
	}
	return &tree{root: root, groups: len(p.widths) - 1, names: p.names, codePoints: true, lastGroup: true}, p.finalFlags(), nil
}

// finalFlags adds the flag that a str pattern has by default.
func (p *python) finalFlags() int {
	if !p.bytes && p.flags&PythonASCII == 0 {
		return p.flags | PythonUnicode
	}
	return p.flags
}

// checkTypeFlags refuses flags that do not go with the kind of pattern.
func (p *python) checkTypeFlags() {
	switch {
	case !p.bytes && p.flags&PythonLocale != 0:
		p.raise("ValueError", "cannot use LOCALE flag with a str pattern", -1)
	case !p.bytes && p.flags&PythonASCII != 0 && p.flags&PythonUnicode != 0:
		p.raise("ValueError", "ASCII and UNICODE flags are incompatible", -1)
	case p.bytes && p.flags&PythonUnicode != 0:
		p.raise("ValueError", "cannot use UNICODE flag with a bytes pattern", -1)
	case p.bytes && p.flags&PythonLocale != 0 && p.flags&PythonASCII != 0:
		p.raise("ValueError", "ASCII and LOCALE flags are incompatible", -1)
	}
}

func (p *python) raise(kind, text string, at int) { panic(badPython{kind, text, at}) }

// fail raises re.error at a place that many characters before the current one.
func (p *python) fail(text string, before int) { p.raise("error", text, p.tell()-before) }

// tell is the place of the next token.
func (p *python) tell() int { return p.index - len(p.next) }

// advance reads the next token: a character, or a backslash and what it escapes.
func (p *python) advance() {
	if p.index >= len(p.src) {
		p.next = nil
		return
	}
	n := 1
	if p.src[p.index] == '\\' {
		if p.index+1 >= len(p.src) {
			p.raise("error", "bad escape (end of pattern)", len(p.src)-1)
		}
		n = 2
	}
	p.next = p.src[p.index : p.index+n : p.index+n]
	p.index += n
}

// get takes the next token, nil at the end.
func (p *python) get() []rune {
	t := p.next
	p.advance()
	return t
}

// is reports whether the next token is one plain character.
func (p *python) is(r rune) bool { return len(p.next) == 1 && p.next[0] == r }

// match takes the next token if it is one plain character.
func (p *python) match(r rune) bool {
	if !p.is(r) {
		return false
	}
	p.advance()
	return true
}

// seek goes back to a place.
func (p *python) seek(at int) {
	p.index = at
	p.advance()
}

// while takes up to n characters of a set.
func (p *python) while(n int, set string) []rune {
	var out []rune
	for len(out) < n && len(p.next) == 1 && p.next[0] < 0x80 && strings.ContainsRune(set, p.next[0]) {
		out = append(out, p.get()...)
	}
	return out
}

// until takes a name up to a character that ends it.
func (p *python) until(end rune, what string) []rune {
	var out []rune
	for {
		t := p.next
		p.advance()
		if t == nil {
			if len(out) == 0 {
				p.fail("missing "+what, 0)
			}
			p.fail("missing "+string(end)+", unterminated name", len(out))
		}
		if len(t) == 1 && t[0] == end {
			if len(out) == 0 {
				p.fail("missing "+what, 1)
			}
			return out
		}
		out = append(out, t...)
	}
}

// grow counts nodes before they are made.
func (p *python) grow(n int) { p.count(n, nodeBytes) }

func (p *python) count(n int, bytes int64) {
	if p.spent += n; p.spent > p.limits.Size {
		p.raise("OverflowError", "the pattern is too large: split it, or test a list of strings instead", -1)
	}
	if err := p.limits.charge(int64(n), int64(n)*bytes); err != nil {
		panic(stopped{err})
	}
}

// set makes a node of a set and counts its size.
func (p *python) set(s charset) node {
	p.count(1, nodeBytes)
	p.count(len(s), spanBytes)
	if r, ok := s.only(); ok {
		return &char{r}
	}
	return &class{s}
}

// folding is how characters compare under the current flags.
func (p *python) folding() folding {
	switch {
	case p.scoped&PythonIgnoreCase == 0:
		return exact
	case p.ascii():
		return asciiFolding
	}
	return pythonFolding
}

// ascii reports whether classes and cases are those of ASCII.
func (p *python) ascii() bool {
	return p.scoped&PythonASCII != 0 || p.bytes
}

// char makes a node of one character and of those that count as the same.
func (p *python) char(r rune) node { return p.set(p.folding().same(r)) }

// fold closes a set under the current folding.
func (p *python) fold(s charset) charset {
	f := p.folding()
	if f == exact {
		return s
	}
	if err := p.limits.charge(int64(min(s.size(), smallSet))+8, int64(spanBytes*len(s))); err != nil {
		panic(stopped{err})
	}
	return f.close(s)
}

// Widths add up without overflow.
const widest = math.MaxInt32

func addWidth(a, b int) int { return min(a+b, widest) }

func mulWidth(a, n int) int {
	if a == 0 || n == 0 {
		return 0
	}
	if n >= infinite || a >= widest/n {
		return widest
	}
	return a * n
}

func itoa(n int) string { return strconv.Itoa(n) }
