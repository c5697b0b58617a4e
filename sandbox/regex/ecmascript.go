package regex

import "unicode/utf16"

// ecmascript is the front end for the patterns of ECMA-262 2024, 22.2.1, with
// the legacy syntax of Annex B.1.2 where neither u nor v is set. Texts of errors
// are V8's.
type ecmascript struct {
	src     []rune // code units, or code points with u or v
	at      int
	flags   ecmascriptFlags
	limits  Limits
	spent   int // nodes and ranges so far, against limits.Size
	depth   int
	groups  int // captures opened so far
	total   int // captures in the whole pattern
	named   bool
	open    []int         // captures that are open now
	pending []namedTarget // named references, resolved at the end
	path    []branch      // the alternatives that lead to the current place
	// where holds the alternatives that lead to each use of a name.
	where map[string][][]branch
	// groupsOf holds what has been named so far.
	groupsOf map[string]*Name
	nextAlt  int
	lastChar rune // the last ClassSetCharacter
}

// namedTarget is a reference by name whose groups may follow it.
type namedTarget struct {
	node *backreference
	name string
	at   int
}

// branch is one alternative of one disjunction.
type branch struct{ disjunction, alternative int }

// badPattern is what the parser panics with; parse recovers it.
type badPattern struct {
	text, hint string
	at         int
}

// stopped is what the parser panics with when a limit of the meter is hit.
type stopped struct{ err error }

func (p *ecmascript) fail(at int, text, hint string) {
	panic(badPattern{text, hint, at})
}

// parseECMAScript makes the tree of a pattern given in code units.
func parseECMAScript(units []uint16, flags string, l Limits) (t *tree, err error) {
	f, ok := parseECMAScriptFlags(flags)
	if !ok {
		return nil, badFlags(flags)
	}
	p := &ecmascript{flags: f, limits: l, where: map[string][][]branch{}, groupsOf: map[string]*Name{}}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case badPattern:
			t, err = nil, (&SyntaxError{
				Pattern: string(utf16.Decode(units)), Flags: sortFlags(flags), Text: x.text, Hint: x.hint,
				Offset: p.unitOffset(x.at),
			}).fault()
		case stopped:
			t, err = nil, x.err
		default:
			panic(x)
		}
	}()
	if len(units) > l.Source {
		units = units[:l.Source]
		p.fail(0, tooLarge, "Split the pattern, or test a list of strings instead.")
	}
	if err := l.charge(int64(len(units)), 8*int64(len(units))); err != nil {
		return nil, err
	}
	p.src = p.characters(units)
	p.countGroups()
	root := p.disjunction()
	if p.more() {
		p.fail(p.at, "Unmatched ')'", `Write \) for a literal parenthesis.`)
	}
	p.resolveNames()
	return &tree{root: root, groups: p.groups, names: p.nameList(), codePoints: f.codePoints(), sticky: f.sticky}, nil
}

// tooLarge is the text of a pattern that exceeds the limits.
const tooLarge = "Regular expression too large"

// characters splits a pattern into what the flags make one character. Unpaired
// surrogates stay as they are.
func (p *ecmascript) characters(units []uint16) []rune {
	out := make([]rune, 0, len(units))
	for i := 0; i < len(units); {
		r, w := decode(units, i, p.flags.codePoints())
		out = append(out, r)
		i += w
	}
	return out
}

// unitOffset turns an index into src into one of code units.
func (p *ecmascript) unitOffset(at int) int {
	n := 0
	for _, r := range p.src[:min(at, len(p.src))] {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// What a node with its instructions, and a range of a set, take at most until
// the program is made, in bytes.
const (
	nodeBytes = 240
	spanBytes = 40
)

// grow counts nodes before they are made.
func (p *ecmascript) grow(nodes int) { p.count(nodes, nodeBytes) }

// growSet counts the ranges of a set.
func (p *ecmascript) growSet(s charset) { p.count(len(s), spanBytes) }

func (p *ecmascript) count(n int, bytes int64) {
	if p.spent += n; p.spent > p.limits.Size {
		p.fail(p.at, tooLarge, "Split the pattern, or test a list of strings instead.")
	}
	if err := p.limits.charge(int64(n), int64(n)*bytes); err != nil {
		panic(stopped{err})
	}
}

// closed closes a set under the folding.
func (p *ecmascript) closed(s charset) charset {
	f := p.flags.folding()
	if f == exact {
		return s
	}
	// Looking through all characters with a case is the work of some 30
	// instructions.
	p.growSet(s[:min(len(s), 8)])
	if err := p.limits.charge(int64(min(s.size(), smallSet)), 0); err != nil {
		panic(stopped{err})
	}
	return f.close(s)
}

// set makes a node of a set and counts its size.
func (p *ecmascript) set(s charset) node {
	p.grow(1)
	p.growSet(s)
	if r, ok := s.only(); ok {
		return &char{r}
	}
	return &class{s}
}

// char makes a node of one character, and of those that count as the same.
func (p *ecmascript) char(r rune) node { return p.set(p.flags.folding().same(r)) }

func (p *ecmascript) more() bool { return p.at < len(p.src) }

// peek is the character n places ahead, or -1.
func (p *ecmascript) peek(n int) rune {
	if p.at+n < len(p.src) {
		return p.src[p.at+n]
	}
	return -1
}

// eat moves past ASCII text if it is next.
func (p *ecmascript) eat(text string) bool {
	for i := range len(text) {
		if p.peek(i) != rune(text[i]) {
			return false
		}
	}
	p.at += len(text)
	return true
}

// countGroups looks ahead for captures and names, because both decide what an
// escape before them means.
func (p *ecmascript) countGroups() {
	nested := 0 // v-mode classes nest
	for i := 0; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '[':
			if nested == 0 || p.flags.sets {
				nested++
			}
		case ']':
			nested = max(0, nested-1)
		case '(':
			if nested > 0 {
				continue
			}
			if i+1 >= len(p.src) || p.src[i+1] != '?' {
				p.total++
				continue
			}
			if i+2 < len(p.src) && p.src[i+2] == '<' && (i+3 == len(p.src) || p.src[i+3] != '=' && p.src[i+3] != '!') {
				p.total++
				p.named = true
			}
		}
	}
}

// disjunction parses alternatives up to a parenthesis or the end.
func (p *ecmascript) disjunction() node {
	if p.depth++; p.depth > p.limits.Depth {
		p.fail(p.at, tooLarge, "Groups are nested too deeply: flatten them.")
	}
	p.nextAlt++
	place := len(p.path)
	p.path = append(p.path, branch{p.nextAlt, 0})
	var branches []node
	for {
		branches = append(branches, p.alternative())
		if !p.eat("|") {
			break
		}
		p.grow(2)
		p.path[place].alternative++
	}
	p.path = p.path[:place]
	p.depth--
	if len(branches) == 1 {
		return branches[0]
	}
	return &alternation{branches}
}

// alternative parses terms up to a bar, a parenthesis or the end.
func (p *ecmascript) alternative() node {
	var items []node
	for p.more() && p.peek(0) != '|' && p.peek(0) != ')' {
		items = append(items, p.term())
	}
	switch len(items) {
	case 0:
		return &empty{}
	case 1:
		return items[0]
	}
	return &sequence{items}
}

// term parses one assertion, or one atom and its quantifier.
func (p *ecmascript) term() node {
	before := p.groups
	n, sort := p.atom()
	if sort == sortAssertion {
		return n
	}
	q, ok := p.quantifier()
	if !ok {
		return n
	}
	if sort == sortLook {
		p.fail(q.at, "Invalid quantifier", "A lookaround cannot be repeated: drop the quantifier.")
	}
	p.grow(6)
	return &repeat{body: n, min: q.min, max: q.max, lazy: q.lazy, firstGroup: before + 1, lastGroup: p.groups}
}

// termSort says what may follow a term.
type termSort uint8

const (
	sortAtom      termSort = iota // a quantifier may
	sortAssertion                 // a quantifier would have nothing to repeat
	sortLook                      // a lookaround that no quantifier may follow
)

// atom parses one atom or assertion.
func (p *ecmascript) atom() (node, termSort) {
	p.grow(1)
	c := p.src[p.at]
	switch c {
	case '^':
		p.at++
		if p.flags.multiline {
			return &assertion{lineStart, lineTerminators}, sortAssertion
		}
		return &assertion{kind: textStart}, sortAssertion
	case '$':
		p.at++
		if p.flags.multiline {
			return &assertion{lineEnd, lineTerminators}, sortAssertion
		}
		return &assertion{kind: textEnd}, sortAssertion
	case '(':
		return p.parenthesis()
	case '.':
		p.at++
		if p.flags.dotAll {
			return p.set(allChars), sortAtom
		}
		return p.set(lineTerminators.invert()), sortAtom
	case '[':
		return p.class(), sortAtom
	case '\\':
		return p.atomEscape()
	case '*', '+', '?':
		p.fail(p.at, "Nothing to repeat", `Put a character or a group before it, or write \`+string(c)+` for the literal character.`)
	case '{':
		start := p.at
		if _, ok := p.interval(); ok {
			p.fail(start, "Nothing to repeat", `Put a character or a group before it, or write \{ for the literal character.`)
		}
		fallthrough
	case '}', ']':
		if p.flags.codePoints() {
			p.fail(p.at, "Lone quantifier brackets", `With the u or v flag a literal one is written \`+string(c)+`.`)
		}
	}
	p.at++
	return p.char(c), sortAtom
}
