package regex

import (
	"encoding/binary"
	"slices"
	"strings"
)

// classValue is what a class of v mode stands for: characters, and strings of
// other lengths than one. Both are closed under the folding.
type classValue struct {
	set     charset
	strings []string
	// mayHold says that the class may contain strings by its form, whatever its
	// operators leave of them: MayContainStrings of ECMA-262 22.2.1.6.
	mayHold bool
}

// wide writes characters, unpaired surrogates among them, so that strings of
// them can be compared and sorted.
func wide(chars []rune) string {
	b := make([]byte, 0, 4*len(chars))
	for _, r := range chars {
		b = binary.BigEndian.AppendUint32(b, uint32(r))
	}
	return string(b)
}

// narrow undoes wide.
func narrow(s string) []rune {
	chars := make([]rune, 0, len(s)/4)
	for ; len(s) > 0; s = s[4:] {
		chars = append(chars, rune(binary.BigEndian.Uint32([]byte(s[:4]))))
	}
	return chars
}

// classNode tries the longest string first, and the characters before the empty
// string: CompileAtom of ECMA-262 22.2.2.7 for classes with strings.
func (p *ecmascript) classNode(v classValue) node {
	if len(v.strings) == 0 {
		return p.set(v.set)
	}
	strs := slices.Clone(v.strings)
	slices.Sort(strs)
	var chars [][]rune
	blank := false
	for _, s := range slices.Compact(strs) {
		if s == "" {
			blank = true
			continue
		}
		chars = append(chars, narrow(s))
	}
	// Strings of one character that others begin with come after those: the
	// tree of prefixes puts them there.
	long := p.prefixes(chars, 0)
	branches := []node{long, p.set(v.set)}
	if len(chars) == 0 {
		branches = branches[1:]
	}
	if blank {
		branches = append(branches, &empty{})
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return &alternation{branches}
}

// prefixes makes a node that matches the longest of sorted strings, from their
// character at on. Strings that share a beginning share its node, and of the
// strings that match at a place each begins with the next shorter one.
func (p *ecmascript) prefixes(strs [][]rune, at int) node {
	var branches []node
	ends := false
	for i := 0; i < len(strs); {
		if len(strs[i]) == at {
			ends = true
			i++
			continue
		}
		j := i + 1
		for j < len(strs) && strs[j][at] == strs[i][at] {
			j++
		}
		branches = append(branches, p.prefix(strs[i:j], at))
		i = j
	}
	if ends {
		branches = append(branches, &empty{})
	}
	switch len(branches) {
	case 0:
		return &empty{}
	case 1:
		return branches[0]
	}
	p.grow(2 * len(branches))
	return &alternation{branches}
}

// prefix makes a node for sorted strings that share the character at at: what
// they share in a row, then what differs.
func (p *ecmascript) prefix(strs [][]rune, at int) node {
	first, last := strs[0], strs[len(strs)-1]
	var items []node
	for at < len(first) && at < len(last) && first[at] == last[at] {
		items = append(items, p.char(first[at]))
		at++
	}
	if len(strs) > 1 {
		items = append(items, p.prefixes(strs, at))
	}
	if len(items) == 1 {
		return items[0]
	}
	return &sequence{items}
}

// fold closes a value under the folding: strings are compared by their
// canonical characters, so one of each is kept.
func (p *ecmascript) fold(v classValue) classValue {
	f := p.flags.folding()
	if f == exact {
		return v
	}
	out := classValue{set: p.closed(v.set), mayHold: v.mayHold}
	for _, s := range v.strings {
		chars := narrow(s)
		for i, r := range chars {
			chars[i] = f.canonical(r)
		}
		out.strings = append(out.strings, wide(chars))
	}
	return out
}

// setClass parses the inside of a class of v mode: a union of operands and
// ranges, or operands joined all by && or all by --.
func (p *ecmascript) setClass(start int, negated bool) classValue {
	if p.depth++; p.depth > p.limits.Depth {
		p.fail(p.at, tooLarge, "Classes are nested too deeply: flatten them.")
	}
	defer func() { p.depth-- }()
	if p.eat("]") {
		return p.complement(start, classValue{}, negated)
	}
	at := p.at
	first, isChar := p.setOperand(start)
	var v classValue
	switch {
	case p.peek(0) == '&' && p.peek(1) == '&':
		v = p.setOperation(start, "&&", first)
	case p.peek(0) == '-' && p.peek(1) == '-':
		if negated && first.mayHold {
			p.negatedStrings(start)
		}
		v = p.setOperation(start, "--", first)
	default:
		v = p.setUnion(start, at, first, isChar)
	}
	return p.complement(start, v, negated)
}

// complement ends a class.
func (p *ecmascript) complement(start int, v classValue, negated bool) classValue {
	if !negated {
		return v
	}
	if v.mayHold {
		p.negatedStrings(start)
	}
	p.growSet(v.set)
	return classValue{set: v.set.invert()}
}

func (p *ecmascript) negatedStrings(start int) {
	p.fail(start, "Negated character class may contain strings", "Leave the strings out of the class: they have no complement.")
}

// setOperation parses the rest of an intersection or a subtraction.
func (p *ecmascript) setOperation(start int, op string, v classValue) classValue {
	for !p.eat("]") {
		if !p.more() {
			p.unterminatedClass(start)
		}
		if !p.eat(op) {
			p.fail(p.at, "Invalid set operation in character class", "Use one of && and -- in a class, and put the others in a nested [ ].")
		}
		if op == "&&" && p.peek(0) == '&' {
			p.fail(p.at, "Invalid character in character class", `Write \& for a literal ampersand.`)
		}
		w, _ := p.setOperand(start)
		if op == "&&" {
			v = classValue{v.set.intersect(w.set), keep(v.strings, w.strings, true), v.mayHold && w.mayHold}
		} else {
			v = classValue{v.set.subtract(w.set), keep(v.strings, w.strings, false), v.mayHold}
		}
		p.growSet(v.set)
	}
	return v
}

// keep is the strings of a that are in b, or that are not.
func keep(a, b []string, in bool) []string {
	present := make(map[string]bool, len(b))
	for _, s := range b {
		present[s] = true
	}
	var out []string
	for _, s := range a {
		if present[s] == in {
			out = append(out, s)
		}
	}
	return out
}

// setUnion parses the rest of a class without operators.
func (p *ecmascript) setUnion(start, at int, first classValue, isChar bool) classValue {
	sets, strs, mayHold := []charset{}, []string{}, false
	add := func(v classValue) {
		mayHold = mayHold || v.mayHold
		p.growSet(v.set)
		p.grow(len(v.strings))
		sets, strs = append(sets, v.set), append(strs, v.strings...)
	}
	v := first
	for {
		if p.peek(0) == '-' && p.peek(1) != '-' {
			v = p.setRange(start, at, v, isChar)
			if p.peek(0) == '-' && p.peek(1) != '-' {
				p.fail(p.at, "Invalid character class", setHyphenHint)
			}
		}
		add(v)
		if p.eat("]") {
			slices.Sort(strs)
			return classValue{union(sets...), slices.Compact(strs), mayHold}
		}
		if !p.more() {
			p.unterminatedClass(start)
		}
		if two := p.peek(0); (two == '&' || two == '-') && p.peek(1) == two {
			p.fail(p.at, "Invalid set operation in character class", "Use one of && and -- in a class, and put the others in a nested [ ].")
		}
		at = p.at
		v, isChar = p.setOperand(start)
	}
}

const setHyphenHint = `Write \- for a literal hyphen.`

// setRange parses the end of a range that starts with a character.
func (p *ecmascript) setRange(start, at int, lo classValue, isChar bool) classValue {
	p.at++
	if !p.more() {
		p.unterminatedClass(start)
	}
	if !isChar {
		p.fail(at, "Invalid character class", setHyphenHint)
	}
	from := p.lastChar
	_, hiIsChar := p.setOperand(start)
	if !hiIsChar {
		p.fail(at, "Invalid character class", setHyphenHint)
	}
	if from > p.lastChar {
		p.fail(at, "Range out of order in character class", "The smaller character comes first. "+setHyphenHint)
	}
	return p.fold(classValue{set: charset{{from, p.lastChar}}})
}

// setOperand parses a nested class, an escape or a character, and reports
// whether it was one character, which is then in p.lastChar.
func (p *ecmascript) setOperand(start int) (v classValue, isChar bool) {
	at := p.at
	c := p.peek(0)
	switch c {
	case -1:
		p.unterminatedClass(start)
	case '[':
		p.at++
		negated := p.eat("^")
		return p.setClass(at, negated), false
	case '\\':
		if p.peek(1) == 'q' && p.peek(2) == '{' {
			p.at += 3
			return p.fold(p.quotedStrings(start)), false
		}
		p.at++
		if s, strs, ok := p.setEscapeHere(at); ok {
			return p.fold(classValue{s, strs, len(strs) > 0}), false
		}
		p.at = at
	}
	p.lastChar = p.setCharacter()
	return p.fold(classValue{set: single(p.lastChar)}), true
}

// setEscapeHere parses a set escape after its backslash.
func (p *ecmascript) setEscapeHere(at int) (charset, []string, bool) {
	return p.setEscape(at, "Invalid property name in character class")
}

const (
	setSyntaxCharacters = `()[]{}/-|`
	setPunctuators      = "&-!#%,:;<=>@`~"
	setDoubled          = "&!#$%*+,.:;<=>?@^`~"
)

// setCharacter parses ClassSetCharacter.
func (p *ecmascript) setCharacter() rune {
	at := p.at
	c := p.peek(0)
	p.at++
	if c == '\\' {
		switch x := p.peek(0); {
		case x == -1:
			p.fail(at, `\ at end of pattern`, `Write \\ for a literal backslash.`)
		case x == 'b':
			p.at++
			return '\b'
		case x < 0x80 && strings.ContainsRune(setPunctuators, x):
			p.at++
			return x
		}
		return p.charEscape(at, true)
	}
	hint := `With the v flag a literal one is written \` + string(c) + "."
	switch {
	case c < 0x80 && strings.ContainsRune(setSyntaxCharacters, c):
		p.fail(at, "Invalid character in character class", hint)
	case c == p.peek(0) && c < 0x80 && strings.ContainsRune(setDoubled, c):
		p.fail(at, "Invalid set operation in character class", hint)
	}
	return c
}

// quotedStrings parses the inside of \q{a|bc|} in the class that begins at start.
func (p *ecmascript) quotedStrings(start int) classValue {
	var v classValue
	var current []rune
	end := func() {
		p.grow(1 + len(current))
		if len(current) == 1 {
			v.set = append(v.set, span{current[0], current[0]})
		} else {
			v.strings, v.mayHold = append(v.strings, wide(current)), true
		}
		current = nil
	}
	for {
		switch {
		case !p.more():
			p.unterminatedClass(start)
		case p.eat("}"):
			end()
			v.set = normal(v.set)
			return v
		case p.eat("|"):
			end()
		default:
			current = append(current, p.setCharacter())
		}
	}
}
