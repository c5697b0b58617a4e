package toolfn

import (
	"strings"

	"github.com/polyglove/polyglove/sandbox"
	"github.com/polyglove/polyglove/toolfn/value"
)

// closeUnevaluated applies unevaluatedProperties: false.
func (c *compiler) closeUnevaluated() {
	for _, n := range c.made {
		if isNever(n.written.UnevaluatedProperties) {
			n.close()
		}
	}
}

// closeArguments applies the rule for unknown arguments: a function that names
// its arguments takes no others, unless its schema says so. JSON Schema itself
// would let a misspelt optional argument through, and the call would then answer
// a different question without a word.
func (c *compiler) closeArguments() { c.contract.root.close() }

// close makes a node refuse the keys that none of its combined schemas names.
// For unevaluatedProperties that is what JSON Schema says, but for branches that
// do not hold: their keys are let through, which refuses nothing that is right.
func (n *node) close() {
	a := &argumentNames{seen: map[*node]bool{}}
	a.collect(n)
	if a.open || len(a.names) == 0 {
		return
	}
	for _, name := range a.asked {
		if !containsString(a.names, name) {
			a.names = append(a.names, name)
		}
	}
	if n.object == nil {
		n.object = &objectRules{max: -1}
	}
	o := n.object
	if o.closed || o.additional != nil {
		return
	}
	o.strict, o.others, o.accepted, o.lenient = true, a.names, a.names, a.patterns
}

// argumentNames gathers the properties of all schemas that apply to the
// arguments as a whole.
type argumentNames struct {
	names    []string
	asked    []string // required, perhaps without being a property
	patterns []patternRule
	open     bool // some schema lets unknown arguments in on purpose
	seen     map[*node]bool
}

func (a *argumentNames) collect(n *node) {
	if n == nil || a.seen[n] {
		return
	}
	a.seen[n] = true
	a.open = a.open || n.open
	if o := n.object; o != nil {
		for _, p := range o.props {
			if !containsString(a.names, p.name) {
				a.names = append(a.names, p.name)
			}
		}
		a.patterns = append(a.patterns, o.patterns...)
		a.asked = append(a.asked, o.unnamed...)
		a.open = a.open || o.additional != nil && !o.closed
		for _, d := range o.needs {
			a.asked = append(a.asked, d.names...)
			a.collect(d.node)
		}
	}
	if s := n.written; s != nil && s.UnevaluatedProperties != nil && !isNever(s.UnevaluatedProperties) {
		a.open = true
	}
	a.collect(n.ref)
	for _, list := range [][]*node{n.all, n.any, n.one} {
		for _, m := range list {
			a.collect(m)
		}
	}
	a.collect(n.cond)
	a.collect(n.then)
	a.collect(n.els)
}

// guardProperties marks the objects within the arguments that name properties
// and say nothing about others. Servers under-declare those too often to refuse
// every other key, but a key that looks like a misspelt property would be
// ignored upstream without a word.
func (c *compiler) guardProperties() {
	combined := map[*node]bool{}
	for _, n := range c.made {
		if n.ref != nil && n.bare() {
			continue
		}
		for _, m := range n.inPlace() {
			combined[m] = true
		}
	}
	for _, n := range c.made {
		o := n.object
		if o == nil || combined[n] || len(n.inPlace()) > 0 || len(o.props) == 0 {
			continue
		}
		o.guarded = !o.strict && !o.closed && o.additional == nil && o.patterns == nil && n.written.PatternProperties == nil &&
			n.written.AdditionalProperties == nil && n.written.UnevaluatedProperties == nil
	}
}

// bare reports whether a node does nothing but refer to another.
func (n *node) bare() bool {
	return n.types == 0 && n.enum == nil && !n.fixed && n.number == nil && n.text == nil && n.list == nil && n.object == nil &&
		n.all == nil && n.any == nil && n.one == nil && n.not == nil && n.cond == nil && n.then == nil && n.els == nil
}

// misspelt gives the property that a key was most likely meant to be: one that
// is absent and spelt nearly the same.
func (o *objectRules) misspelt(key string, v *value.Object) string {
	var absent []string
	for i := range o.props {
		if name := o.props[i].name; !v.Has(name) {
			if sameLetters(name, key) {
				return name
			}
			absent = append(absent, name)
		}
	}
	if len(key) < 5 {
		return ""
	}
	near, _ := sandbox.Nearest(key, absent)
	return near
}

// sameLetters compares names without case, hyphens and underscores.
func sameLetters(a, b string) bool {
	drop := strings.NewReplacer("_", "", "-", "")
	return strings.EqualFold(drop.Replace(a), drop.Replace(b))
}
