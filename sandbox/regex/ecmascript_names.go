package regex

import (
	"slices"
	"unicode"
	"unicode/utf16"
)

// Name is a group name of a pattern. Several groups bear one name only where
// no two of them can take part in the same match.
type Name struct {
	Name   string
	Groups []int // 1-based, in order
}

// groupName parses a name and the angle bracket after it.
func (p *ecmascript) groupName(text string) string {
	start := p.at
	bad := func() {
		p.fail(start, text, "A name is letters, digits, $ and _, does not start with a digit, and is closed by >.")
	}
	var name []rune
	for !p.eat(">") {
		if !p.more() {
			bad()
		}
		r := p.nameChar(bad)
		if !isNameChar(r, len(name) == 0) {
			bad()
		}
		name = append(name, r)
	}
	if len(name) == 0 {
		bad()
	}
	return string(name)
}

// nameChar reads one character of a name, which may be an escape, and joins
// surrogate pairs in either form.
func (p *ecmascript) nameChar(bad func()) rune {
	one := func() (rune, bool) {
		if p.peek(0) != '\\' {
			r := p.peek(0)
			p.at++
			return r, false
		}
		p.at++
		if !p.eat("u") {
			bad()
		}
		r, ok := p.unicodeEscape(true)
		if !ok {
			bad()
		}
		return r, true
	}
	r, escaped := one()
	if utf16.IsSurrogate(r) && !escaped && p.more() && p.peek(0) != '\\' {
		if pair := utf16.DecodeRune(r, p.peek(0)); pair != unicode.ReplacementChar {
			p.at++
			return pair
		}
	}
	return r
}

// isNameChar reports whether r may be in an identifier, ECMA-262 12.7.
func isNameChar(r rune, first bool) bool {
	if r == '$' || r == '_' || idStart().has(r) {
		return true
	}
	return !first && (r == 0x200C || r == 0x200D || idContinue().has(r))
}

// declare gives a group its name, unless another group of that name could take
// part in the same match: ECMA-262 2025 22.2.1.1, MightBothParticipate.
func (p *ecmascript) declare(start int, name string, index int) {
	for _, other := range p.where[name] {
		p.grow(1 + len(p.path)/16)
		if !exclusive(other.path, p.path) {
			p.fail(start, "Duplicate capture group name", "Only alternatives of one group may share a name: give this one another.")
		}
	}
	p.grow(1 + len(p.path)/2)
	p.where[name] = append(p.where[name], placedName{slices.Clone(p.path)})
	for i := range p.names {
		if p.names[i].Name == name {
			p.names[i].Groups = append(p.names[i].Groups, index)
			return
		}
	}
	p.names = append(p.names, Name{name, []int{index}})
}

// exclusive reports whether two places are in different alternatives of a
// disjunction. Paths agree up to the first disjunction that parts them.
func exclusive(a, b []branch) bool {
	for i := range min(len(a), len(b)) {
		if a[i].disjunction != b[i].disjunction {
			return false
		}
		if a[i].alternative != b[i].alternative {
			return true
		}
	}
	return false
}

// namedReference parses \k<name>, after the k.
func (p *ecmascript) namedReference(start int) node {
	if !p.eat("<") {
		p.fail(start, "Invalid named reference", `Write \k<name>.`)
	}
	name := p.groupName("Invalid named reference")
	n := &backreference{fold: p.flags.folding()}
	p.pending = append(p.pending, namedTarget{n, name, start})
	return n
}

// resolveNames finds the groups that named references mean.
func (p *ecmascript) resolveNames() {
	byName := make(map[string][]int, len(p.names))
	for _, n := range p.names {
		byName[n.Name] = n.Groups
	}
	for _, t := range p.pending {
		groups, ok := byName[t.name]
		if !ok {
			p.fail(t.at, "Invalid named capture referenced", p.nameHint(t.name))
		}
		t.node.groups = groups
	}
}
