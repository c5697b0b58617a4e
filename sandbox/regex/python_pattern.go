package regex

// item is a parsed piece: what it can match, and what may follow it.
type item struct {
	node  node
	width span2
	sort  itemSort
}

type itemSort uint8

const (
	itemPlain      itemSort = iota
	itemAssertion           // ^ $ \b and the like: nothing to repeat
	itemRepetition          // cannot be repeated again
)

// alternatives parses branches up to a parenthesis or the end. outermost says
// that global flags may stand at their start.
func (p *python) alternatives(verbose, outermost bool) (node, span2) {
	if p.depth++; p.depth > p.limits.Depth {
		p.raise("OverflowError", "groups are nested too deeply: flatten them", -1)
	}
	var branches []node
	var width span2
	for i := 0; ; i++ {
		n, w := p.branch(verbose, outermost && i == 0)
		branches = append(branches, n)
		if i == 0 {
			width = w
		} else {
			width.lo, width.hi = min(width.lo, w.lo), max(width.hi, w.hi)
		}
		if !p.match('|') {
			break
		}
		p.grow(2)
		if outermost {
			verbose = p.flags&PythonVerbose != 0
		}
	}
	p.depth--
	if len(branches) == 1 {
		return branches[0], width
	}
	return &alternation{branches}, width
}

// branch parses items up to a bar, a parenthesis or the end.
func (p *python) branch(verbose, first bool) (node, span2) {
	var items []item
	for p.next != nil && !p.is('|') && !p.is(')') {
		t := p.get()
		c := t[0]
		if verbose && len(t) == 1 {
			if isPatternSpace(c) {
				continue
			}
			if c == '#' {
				for u := p.get(); u != nil && !(len(u) == 1 && u[0] == '\n'); u = p.get() {
				}
				continue
			}
		}
		p.grow(1)
		switch {
		case c == '\\':
			items = append(items, p.escape(t[1]))
		case c == '[':
			items = append(items, one(p.class()))
		case c == '*' || c == '+' || c == '?' || c == '{':
			items = p.repetition(items, c)
		case c == '.':
			if p.scoped&PythonDotAll != 0 {
				items = append(items, one(p.set(allChars)))
			} else {
				items = append(items, one(p.set(single('\n').invert())))
			}
		case c == '(':
			if it, ok := p.group(&verbose, first && len(items) == 0); ok {
				items = append(items, it)
			}
		case c == '^':
			items = append(items, p.start())
		case c == '$':
			items = append(items, p.end())
		default:
			items = append(items, one(p.char(c)))
		}
	}
	return sequenceOf(items)
}

func one(n node) item { return item{node: n, width: span2{1, 1}} }

func sequenceOf(items []item) (node, span2) {
	var w span2
	nodes := make([]node, len(items))
	for i, it := range items {
		nodes[i] = it.node
		w.lo, w.hi = addWidth(w.lo, it.width.lo), addWidth(w.hi, it.width.hi)
	}
	switch len(nodes) {
	case 0:
		return &empty{}, w
	case 1:
		return nodes[0], w
	}
	return &sequence{nodes}, w
}

// isPatternSpace tells what a verbose pattern leaves out.
func isPatternSpace(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }

func (p *python) start() item {
	if p.scoped&PythonMultiline != 0 {
		return item{node: &assertion{lineStart, single('\n')}, sort: itemAssertion}
	}
	return item{node: &assertion{kind: textStart}, sort: itemAssertion}
}

func (p *python) end() item {
	kind := finalEnd
	if p.scoped&PythonMultiline != 0 {
		kind = lineEnd
	}
	return item{node: &assertion{kind, single('\n')}, sort: itemAssertion}
}

// repetition applies a quantifier to the last item.
func (p *python) repetition(items []item, c rune) []item {
	here := p.tell()
	least, most := 0, infinite
	switch c {
	case '?':
		most = 1
	case '+':
		least = 1
	case '{':
		var ok bool
		if least, most, ok = p.interval(here); !ok {
			return append(items, one(p.char('{')))
		}
	}
	if len(items) == 0 || items[len(items)-1].sort == itemAssertion {
		p.fail("nothing to repeat", p.tell()-here+1)
	}
	it := items[len(items)-1]
	if it.sort == itemRepetition {
		p.fail("multiple repeat", p.tell()-here+1)
	}
	p.grow(6)
	r := &repeat{body: it.node, min: least, max: most, leaves: true, firstGroup: 1}
	out := item{node: r, sort: itemRepetition, width: span2{mulWidth(it.width.lo, least), mulWidth(it.width.hi, most)}}
	switch {
	case p.match('?'):
		r.lazy = true
	case p.match('+'):
		out.node = &atomic{r}
	}
	items[len(items)-1] = out
	return items
}

// interval parses what follows a brace; where it is no interval the brace is
// itself.
func (p *python) interval(here int) (least, most int, ok bool) {
	if p.is('}') {
		return 0, 0, false
	}
	lo := p.digits()
	hi := lo
	if p.match(',') {
		hi = p.digits()
	}
	if !p.match('}') {
		p.seek(here)
		return 0, 0, false
	}
	least, most = 0, infinite
	if len(lo) > 0 {
		least = p.times(lo)
	}
	if len(hi) > 0 {
		most = p.times(hi)
		if most < least {
			p.fail("min repeat greater than max repeat", p.tell()-here)
		}
	}
	return least, most, true
}

func (p *python) digits() []rune { return p.while(len(p.src), "0123456789") }

// times reads a count: CPython's largest is one less than 2³²-1, ours 2³¹-2.
func (p *python) times(digits []rune) int {
	n := 0
	for _, d := range digits {
		if n = n*10 + int(d-'0'); n >= 1<<32-1 {
			p.raise("OverflowError", "the repetition number is too large", -1)
		}
	}
	return min(n, infinite-1)
}
