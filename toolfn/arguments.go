package toolfn

// closeArguments applies the rule for unknown arguments: a function that names
// its arguments takes no others, unless its schema says so. JSON Schema itself
// would let a misspelt optional argument through, and the call would then answer
// a different question without a word.
func (c *compiler) closeArguments() {
	for _, n := range c.made {
		if n != c.contract.root && n.written.UnevaluatedProperties != nil && isNever(n.written.UnevaluatedProperties) {
			n.close()
		}
	}
	c.contract.root.close()
}

// close makes a node refuse the keys that none of its combined schemas names.
// For unevaluatedProperties that is what JSON Schema says, but for branches that
// do not hold: their keys are let through, which refuses nothing that is right.
func (n *node) close() {
	a := &argumentNames{seen: map[*node]bool{}}
	a.collect(n)
	if a.open || len(a.names) == 0 {
		return
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
	patterns []patternRule
	open     bool // some schema lets unknown arguments in on purpose
	seen     map[*node]bool
}

func (a *argumentNames) collect(n *node) {
	if n == nil || a.seen[n] {
		return
	}
	a.seen[n] = true
	if o := n.object; o != nil {
		for _, p := range o.props {
			if !containsString(a.names, p.name) {
				a.names = append(a.names, p.name)
			}
		}
		a.patterns = append(a.patterns, o.patterns...)
		a.open = a.open || o.additional != nil && !o.closed
		for _, d := range o.needs {
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
	a.collect(n.then)
	a.collect(n.els)
}
