package regex

// first is what a piece of a pattern can start with, seen in the direction of
// matching. It errs on the side of too much.
type first struct {
	set charset
	// end says that the piece can match where the input ends.
	end bool
	// through says that the piece can match the empty text, so that what
	// follows it counts too.
	through bool
}

// anything is the first of a piece about which nothing is known.
var anything = first{set: allChars, end: true}

// some reports whether the first tells more than anything does.
func (f first) some() bool {
	return !f.through && !(f.end && len(f.set) == 1 && f.set[0] == allChars[0])
}

// or is what either piece can start with.
func (f first) or(g first, steps *int) first {
	return first{join(f.set, g.set, steps), f.end || g.end, f.through || g.through}
}

// then is what the two pieces in a row can start with.
func (f first) then(g first, steps *int) first {
	if !f.through {
		return f
	}
	return first{join(f.set, g.set, steps), f.end || g.end, g.through}
}

// join is a union that gives up precision where sets become large or the work
// has become too much, so that long patterns compile in linear time.
func join(a, b charset, steps *int) charset {
	const most = 256
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	case len(a)+len(b) > most, *steps < 0:
		return allChars
	}
	*steps -= len(a) + len(b)
	return union(a, b)
}

// firstOf computes the first of a node. steps bounds the work, because nested
// repetitions ask about the same nodes again.
func firstOf(n node, steps *int) first {
	if *steps--; *steps < 0 {
		return anything
	}
	switch n := n.(type) {
	case *empty:
		return first{through: true}
	case *char:
		return first{set: single(n.r)}
	case *class:
		return first{set: n.set}
	case *sequence:
		f := first{through: true}
		for _, item := range n.items {
			if f = f.then(firstOf(item, steps), steps); !f.through {
				break
			}
		}
		return f
	case *alternation:
		f := firstOf(n.branches[0], steps)
		for _, b := range n.branches[1:] {
			f = f.or(firstOf(b, steps), steps)
		}
		return f
	case *group:
		return firstOf(n.body, steps)
	case *atomic:
		return firstOf(n.body, steps)
	case *repeat:
		if n.max == 0 {
			return first{through: true}
		}
		f := firstOf(n.body, steps)
		f.through = f.through || n.min == 0
		return f
	case *assertion:
		return firstOfAssertion(n)
	}
	if _, ok := n.(*look); ok {
		return first{through: true}
	}
	return anything
}

// firstOfAssertion: most assertions leave it to what follows them.
func firstOfAssertion(n *assertion) first {
	switch n.kind {
	case textEnd:
		return first{end: true}
	case lineEnd, finalEnd:
		return first{set: n.set, end: true}
	}
	return first{through: true}
}

// nullable reports whether a node can match the empty text. It errs on the side
// of yes, and says yes once the steps are used up.
func nullable(n node, steps *int) bool {
	if *steps--; *steps < 0 {
		return true
	}
	switch n := n.(type) {
	case *char, *class:
		return false
	case *sequence:
		for _, item := range n.items {
			if !nullable(item, steps) {
				return false
			}
		}
		return true
	case *alternation:
		for _, b := range n.branches {
			if nullable(b, steps) {
				return true
			}
		}
		return false
	case *group:
		return nullable(n.body, steps)
	case *atomic:
		return nullable(n.body, steps)
	case *repeat:
		return n.min == 0 || nullable(n.body, steps)
	}
	return true
}
