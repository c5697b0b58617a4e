package regex

import (
	"strings"
	"unicode/utf16"
)

// findStart works out where matches can begin and what they must contain, so
// that most places of an input need no attempt.
func (c *compiler) findStart(root node) {
	p := c.p
	p.anchored = startsWithText(root)
	for r := range leading(root) {
		if !p.oneUnit(r) {
			break
		}
		p.prefix = append(p.prefix, uint16(r))
	}
	if f := firstOf(root, &c.steps); !f.through && !f.end && f.some() {
		p.start = newSet(f.set)
	}
	p.least = least(root, &c.steps)
	var r runs
	r.walk(root, p)
	r.cut()
	if !strings.Contains(string(utf16.Decode(p.prefix)), string(utf16.Decode(r.best))) {
		p.needed = r.best
	}
	if s, ok := leadingLoop(root); ok && len(p.backrefs) == 0 && p.conditions == 0 && byUnits(s, p) {
		p.again, p.lineEnds = true, newSet(s.invert())
	}
}

// startsWithText reports whether every match begins where the text does.
func startsWithText(n node) bool {
	switch n := n.(type) {
	case *assertion:
		return n.kind == textStart
	case *sequence:
		return startsWithText(n.items[0])
	case *group:
		return startsWithText(n.body)
	case *alternation:
		for _, b := range n.branches {
			if !startsWithText(b) {
				return false
			}
		}
		return true
	}
	return false
}

// leading gives the characters with which every match begins.
func leading(n node) func(yield func(rune) bool) {
	return func(yield func(rune) bool) { lead(n, yield) }
}

// lead yields the characters of n and reports whether those after n count too.
func lead(n node, yield func(rune) bool) bool {
	switch n := n.(type) {
	case *char:
		return yield(n.r)
	case *sequence:
		for _, item := range n.items {
			if !lead(item, yield) {
				return false
			}
		}
		return true
	case *group:
		return lead(n.body, yield)
	case *empty:
		return true
	}
	return false
}

// byUnits reports whether the end of a run of the set can be found unit by unit:
// it must not take some surrogate pairs for members and others not.
func byUnits(s charset, p *Program) bool {
	paired := charset{{0xD800, 0xDFFF}, {0x10000, lastChar}}
	return !p.codePoints || !s.meets(surrogates) || len(paired.subtract(s)) == 0
}

// leadingLoop gives the set of an endless loop with which every match begins: a
// match that fails at one place of a run of the set fails at the later ones too,
// because the loop has ended at each of the places where they could end it.
func leadingLoop(n node) (charset, bool) {
	switch n := n.(type) {
	case *sequence:
		return leadingLoop(n.items[0])
	case *group:
		return leadingLoop(n.body)
	case *repeat:
		if s, ok := n.body.(*class); ok && n.min <= 1 && n.max == infinite {
			return s.set, true
		}
	}
	return nil, false
}

// least is the fewest units that a node can match, or less.
func least(n node, steps *int) int {
	if *steps--; *steps < 0 {
		return 0
	}
	switch n := n.(type) {
	case *char, *class:
		return 1
	case *sequence:
		sum := 0
		for _, item := range n.items {
			sum = min(sum+least(item, steps), infinite)
		}
		return sum
	case *alternation:
		fewest := infinite
		for _, b := range n.branches {
			fewest = min(fewest, least(b, steps))
		}
		return fewest
	case *group:
		return least(n.body, steps)
	case *atomic:
		return least(n.body, steps)
	case *repeat:
		if n.min == 0 {
			return 0
		}
		// Both factors are below 1<<31.
		return min(n.min*least(n.body, steps), infinite)
	}
	return 0
}

// runs finds the longest text that every match contains; of texts of one length
// the last, because a text that is missing at the end is found missing late.
type runs struct{ best, current []uint16 }

// cut ends a run.
func (r *runs) cut() {
	if len(r.current) >= len(r.best) {
		r.best = r.current
	}
	r.current = nil
}

// walk adds what n must match.
func (r *runs) walk(n node, p *Program) {
	switch n := n.(type) {
	case *char:
		if !p.oneUnit(n.r) {
			r.cut()
			return
		}
		r.current = append(r.current, uint16(n.r))
		return
	case *sequence:
		for _, item := range n.items {
			r.walk(item, p)
		}
		return
	case *group:
		r.walk(n.body, p)
		return
	case *assertion, *empty, *look:
		return
	case *repeat:
		r.cut()
		if n.min > 0 {
			r.walk(n.body, p)
			r.cut()
		}
		return
	}
	r.cut()
}
