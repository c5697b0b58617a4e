package regex

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf16"

	"github.com/polyglove/polyglove/sandbox"
)

// Name is a group name of a pattern. Several groups bear one name only where
// no two of them can take part in the same match.
type Name struct {
	Name   string
	Groups []int // 1-based, in order
}

// groupName parses a name and the angle bracket after it.
func (p *ecmascript) groupName() string {
	start := p.at
	bad := func() {
		p.fail(start, "Invalid capture group name", "A name is letters, digits, $ and _, does not start with a digit, and is closed by >.")
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
			p.fail(p.at-2, "Invalid Unicode escape", unicodeEscapeHint)
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
		if !exclusive(other, p.path) {
			p.fail(start, "Duplicate capture group name", "Only alternatives of one group may share a name: give this one another.")
		}
	}
	p.grow(1 + len(p.path)/2)
	p.where[name] = append(p.where[name], slices.Clone(p.path))
	if groups := p.groupsOf[name]; groups != nil {
		groups.Groups = append(groups.Groups, index)
		return
	}
	p.groupsOf[name] = &Name{name, []int{index}}
}

// nameList gives the names in the order in which their first groups open.
func (p *ecmascript) nameList() []Name {
	var names []Name
	for _, n := range p.groupsOf {
		slices.Sort(n.Groups)
		names = append(names, *n)
	}
	slices.SortFunc(names, func(a, b Name) int { return cmp.Compare(a.Groups[0], b.Groups[0]) })
	return names
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
	name := p.groupName()
	n := &backreference{fold: p.flags.folding()}
	p.pending = append(p.pending, namedTarget{n, name, start})
	return n
}

// resolveNames finds the groups that named references mean.
func (p *ecmascript) resolveNames() {
	for _, t := range p.pending {
		groups := p.groupsOf[t.name]
		if groups == nil {
			p.fail(t.at, "Invalid named capture referenced", p.nameHint(t.name))
		}
		t.node.groups = groups.Groups
	}
}

// nameHint says which name was probably meant.
func (p *ecmascript) nameHint(name string) string {
	var names []string
	for _, n := range p.nameList() {
		names = append(names, n.Name)
	}
	if near, ok := sandbox.Nearest(name, names); ok {
		return "Did you mean <" + near + ">?"
	}
	return "No group has that name: name one (?<" + sandbox.Clip(name, 40) + ">…)."
}
