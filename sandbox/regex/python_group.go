package regex

import (
	"strconv"
	"unicode"
)

// group parses what starts with a parenthesis. ok is false where it stands for
// nothing: a comment, or flags.
func (p *python) group(verbose *bool, first bool) (it item, ok bool) {
	start := p.tell() - 1
	if !p.match('?') {
		return p.capture(start, *verbose, nil), true
	}
	c := p.get()
	if c == nil {
		p.fail("unexpected end of pattern", 0)
	}
	if len(c) == 2 {
		p.fail("unknown extension ?"+string(c), len(c)+1)
	}
	switch c[0] {
	case 'P':
		return p.extension(start, *verbose), true
	case ':':
		return p.inside(start, *verbose, 0, 0), true
	case '#':
		p.comment(start)
		return item{}, false
	case '=', '!':
		return p.look(start, *verbose, c[0], false), true
	case '<':
		d := p.get()
		if d == nil {
			p.fail("unexpected end of pattern", 0)
		}
		if len(d) != 1 || d[0] != '=' && d[0] != '!' {
			p.fail("unknown extension ?<"+string(d), len(d)+2)
		}
		return p.look(start, *verbose, d[0], true), true
	case '(':
		return p.conditional(start, *verbose), true
	case '>':
		in := p.inside(start, *verbose, 0, 0)
		p.grow(1)
		return item{node: &atomic{in.node}, width: in.width}, true
	}
	if pythonFlag(c[0]) == 0 && c[0] != '-' {
		p.fail("unknown extension ?"+string(c), len(c)+1)
	}
	add, del, scoped := p.inlineFlags(c[0])
	if !scoped {
		if !first {
			p.fail("global flags not at the start of the expression", p.tell()-start)
		}
		p.flags |= add
		p.scoped |= add
		*verbose = p.flags&PythonVerbose != 0
		return item{}, false
	}
	return p.inside(start, *verbose, add, del), true
}

// comment skips to the parenthesis that ends it.
func (p *python) comment(start int) {
	for {
		if p.next == nil {
			p.fail("missing ), unterminated comment", p.tell()-start)
		}
		if c := p.get(); len(c) == 1 && c[0] == ')' {
			return
		}
	}
}

// extension parses (?P<name>…) and (?P=name).
func (p *python) extension(start int, verbose bool) item {
	switch {
	case p.match('<'):
		name := p.until('>', "group name")
		p.checkName(name)
		return p.capture(start, verbose, name)
	case p.match('='):
		name := p.until(')', "group name")
		p.checkName(name)
		g, ok := p.byName[string(name)]
		if !ok {
			p.fail("unknown group name "+pyQuote(name), len(name)+1)
		}
		if !p.closed[g] {
			p.fail("cannot refer to an open group", len(name)+1)
		}
		p.checkBehind(g)
		return p.reference(g)
	}
	c := p.get()
	if c == nil {
		p.fail("unexpected end of pattern", 0)
	}
	p.fail("unknown extension ?P"+string(c), len(c)+2)
	return item{}
}

// checkName refuses what is no identifier.
func (p *python) checkName(name []rune) {
	if p.bytes {
		for _, r := range name {
			if r >= 0x80 {
				p.fail("bad character in group name "+pyQuote(name), len(name)+1)
			}
		}
	}
	for i, r := range name {
		start := r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r)
		more := unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r) || unicode.Is(unicode.Nd, r) || unicode.Is(unicode.Pc, r) || unicode.Is(unicode.Other_ID_Continue, r)
		if !start && (i == 0 || !more) {
			p.fail("bad character in group name "+pyQuote(name), len(name)+1)
		}
	}
}

// pyQuote is repr of a name that needs no other escapes than these.
func pyQuote(name []rune) string {
	quote := '\''
	for _, r := range name {
		if r == '\'' {
			quote = '"'
		}
	}
	for _, r := range name {
		if r == '"' && quote == '"' {
			quote = '\''
			break
		}
	}
	out := []rune{quote}
	for _, r := range name {
		switch {
		case r == quote || r == '\\':
			out = append(out, '\\', r)
		case r == '\n':
			out = append(out, '\\', 'n')
		case r == '\r':
			out = append(out, '\\', 'r')
		case r == '\t':
			out = append(out, '\\', 't')
		case r < 0x20 || r == 0x7F:
			out = append(out, []rune("\\x"+hexByte(byte(r)))...)
		default:
			out = append(out, r)
		}
	}
	return string(append(out, quote))
}

func hexByte(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}

// capture parses the body of a capturing group.
func (p *python) capture(start int, verbose bool, name []rune) item {
	index := len(p.widths)
	p.widths, p.closed = append(p.widths, span2{}), append(p.closed, false)
	if index > maxGroups {
		p.raise("error", "too many groups", p.tell())
	}
	if name != nil {
		if old, ok := p.byName[string(name)]; ok {
			p.fail("redefinition of group name "+pyQuote(name)+" as group "+strconv.Itoa(index)+"; was group "+strconv.Itoa(old), len(name)+1)
		}
		p.byName[string(name)] = index
		p.names = append(p.names, Name{Name: string(name), Groups: []int{index}})
	}
	p.grow(2)
	in := p.inside(start, verbose, 0, 0)
	p.widths[index], p.closed[index] = in.width, true
	return item{node: &group{index, in.node}, width: in.width}
}

// inside parses the body of a group, whose flags hold to its end.
func (p *python) inside(start int, verbose bool, add, del int) item {
	saved := p.scoped
	if add&pythonTypeFlags != 0 {
		p.scoped &^= pythonTypeFlags
	}
	p.scoped = (p.scoped | add) &^ del
	verbose = (verbose || add&PythonVerbose != 0) && del&PythonVerbose == 0
	n, w := p.alternatives(verbose, false)
	p.scoped = saved
	p.closing(start)
	return item{node: n, width: w}
}

func (p *python) closing(start int) {
	if !p.match(')') {
		p.fail("missing ), unterminated subpattern", p.tell()-start)
	}
}

// look parses a lookahead or lookbehind.
func (p *python) look(start int, verbose bool, kind rune, behind bool) item {
	outer := p.lookbehind
	if behind && outer < 0 {
		p.lookbehind = len(p.widths)
	}
	n, w := p.alternatives(verbose, false)
	p.lookbehind = outer
	p.closing(start)
	if behind && w.lo != w.hi {
		p.badBehind = true
	}
	p.grow(1)
	return item{node: &look{body: n, behind: behind, negated: kind == '!'}}
}

// conditional parses (?(group)yes|no).
func (p *python) conditional(start int, verbose bool) item {
	name := p.until(')', "group name")
	g, numeric := decimalName(name)
	switch {
	case !numeric:
		p.checkName(name)
		var ok bool
		if g, ok = p.byName[string(name)]; !ok {
			p.fail("unknown group name "+pyQuote(name), len(name)+1)
		}
	case g == 0:
		p.fail("bad group number", len(name)+1)
	case g >= maxPythonGroups:
		p.fail("invalid group reference "+string(name), len(name)+1)
	default:
		p.references = append(p.references, groupReference{g, p.tell() - len(name) - 1})
	}
	p.checkBehind(g)
	if p.depth++; p.depth > p.limits.Depth {
		p.raise("OverflowError", "groups are nested too deeply: flatten them", -1)
	}
	p.grow(3)
	yes, w := p.branch(verbose, false)
	no, v := node(&empty{}), span2{}
	if p.match('|') {
		no, v = p.branch(verbose, false)
		if p.is('|') {
			p.fail("conditional backref with more than two branches", 0)
		}
	}
	p.depth--
	p.closing(start)
	return item{node: &conditional{g, yes, no}, width: span2{min(w.lo, v.lo), max(w.hi, v.hi)}}
}

// maxPythonGroups is CPython's bound of group numbers.
const maxPythonGroups = 1<<30 - 1

// decimalName reads a group number.
func decimalName(name []rune) (int, bool) {
	n := 0
	for _, r := range name {
		if !isDigit(r) {
			return 0, false
		}
		n = min(n*10+int(r-'0'), maxPythonGroups)
	}
	return n, true
}

// checkBehind refuses references to groups of the lookbehind they stand in.
func (p *python) checkBehind(g int) {
	if p.lookbehind < 0 {
		return
	}
	if g >= len(p.widths) || !p.closed[g] {
		p.fail("cannot refer to an open group", 0)
	}
	if g >= p.lookbehind {
		p.fail("cannot refer to group defined in the same lookbehind subpattern", 0)
	}
}

func (p *python) reference(g int) item {
	p.grow(1)
	return item{node: &backreference{groups: []int{g}, fold: p.folding(), must: true}, width: p.widths[g]}
}

// inlineFlags parses the letters behind (? whose first is given. scoped is false
// for flags of the whole pattern.
func (p *python) inlineFlags(c rune) (add, del int, scoped bool) {
	one := func(missing string) rune {
		t := p.get()
		if t == nil {
			p.fail(missing, 0)
		}
		if len(t) == 2 {
			p.fail(missing, 2)
		}
		return t[0]
	}
	unknown := func(r rune, missing string) {
		if unicode.IsLetter(r) {
			missing = "unknown flag"
		}
		p.fail(missing, 1)
	}
	if c != '-' {
		for {
			f := pythonFlag(c)
			switch {
			case !p.bytes && c == 'L':
				p.fail("bad inline flags: cannot use 'L' flag with a str pattern", 0)
			case p.bytes && c == 'u':
				p.fail("bad inline flags: cannot use 'u' flag with a bytes pattern", 0)
			}
			add |= f
			if f&pythonTypeFlags != 0 && add&pythonTypeFlags != f {
				p.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", 0)
			}
			c = one("missing -, : or )")
			if c == ')' || c == '-' || c == ':' {
				break
			}
			if pythonFlag(c) == 0 {
				unknown(c, "missing -, : or )")
			}
		}
	}
	if c == ')' {
		return add, 0, false
	}
	if add&(pythonGlobalFlags|PythonTemplate) != 0 {
		p.fail("bad inline flags: cannot turn on global flag", 1)
	}
	if c == '-' {
		del = p.removedFlags(one, unknown)
	}
	if del&(pythonGlobalFlags|PythonTemplate) != 0 {
		p.fail("bad inline flags: cannot turn off global flag", 1)
	}
	if add&del != 0 {
		p.fail("bad inline flags: flag turned on and off", 1)
	}
	return add, del, true
}

func (p *python) removedFlags(one func(string) rune, unknown func(rune, string)) (del int) {
	c := one("missing flag")
	if pythonFlag(c) == 0 {
		unknown(c, "missing flag")
	}
	for {
		f := pythonFlag(c)
		if f&pythonTypeFlags != 0 {
			p.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", 0)
		}
		del |= f
		if c = one("missing :"); c == ':' {
			return del
		}
		if pythonFlag(c) == 0 {
			unknown(c, "missing :")
		}
	}
}
