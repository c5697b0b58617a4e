package pgcat

import "slices"

// candidate is an operator or a function as one call could use it.
type candidate struct {
	args     []OID // one for each argument of the call, in the call's order
	operator *Operator
	function *Function
	expanded int   // arguments that the variadic one takes
	defaults int   // arguments left to their defaults
	numbers  []int // with named arguments: the function's argument of each of the call's
	clashes  bool  // another candidate of equal standing has the same arguments
}

// matching keeps the candidates that every given type can be coerced to.
func (c *Catalog) matching(given []OID, all []*candidate) []*candidate {
	var kept []*candidate
	for _, x := range all {
		if c.CanCoerce(given, x.args, Implicit) {
			kept = append(kept, x)
		}
	}
	return kept
}

// choose resolves given types against candidates: an exact match apart, this is
// all of the rule for operators and functions. The outcome is a candidate, or nil
// and whether several are as good.
func (c *Catalog) choose(given []OID, all []*candidate) (best *candidate, ambiguous bool) {
	kept := c.matching(given, all)
	switch len(kept) {
	case 0:
		return nil, false
	case 1:
		return kept[0], false
	}
	best = c.selectBest(given, kept)
	return best, best == nil
}

// selectBest follows the server's func_select_candidate: most exact matches, then
// most preferred types, then the categories that unknown literals take, then the
// one known type for all of them.
func (c *Catalog) selectBest(given []OID, kept []*candidate) *candidate {
	kept = highest(kept, func(x *candidate) int { return c.score(given, x, false) })
	if len(kept) == 1 {
		return kept[0]
	}
	kept = highest(kept, func(x *candidate) int { return c.score(given, x, true) })
	if len(kept) == 1 {
		return kept[0]
	}
	if !slices.Contains(given, Unknown) {
		return nil
	}
	if kept = c.byCategory(given, kept); len(kept) == 1 {
		return kept[0]
	}
	return c.byKnownType(given, kept)
}

// score counts the known arguments that match exactly, or are preferred where
// they do not.
func (c *Catalog) score(given []OID, x *candidate, preferred bool) int {
	n := 0
	for i, t := range given {
		if t == Unknown {
			continue
		}
		a := x.args[i]
		if a == t || preferred && c.preferred(a) && c.category(a) == c.category(t) {
			n++
		}
	}
	return n
}

func highest(all []*candidate, score func(*candidate) int) []*candidate {
	best := -1
	var kept []*candidate
	for _, x := range all {
		switch n := score(x); {
		case n > best:
			best, kept = n, append(kept[:0:0], x)
		case n == best:
			kept = append(kept, x)
		}
	}
	return kept
}

// slot is the category that an unknown argument takes.
type slot struct {
	category  byte
	preferred bool // some candidate takes the category's preferred type
}

// byCategory keeps the candidates that take, at every unknown argument, the
// category all agree on, or the string category where some candidate takes it.
func (c *Catalog) byCategory(given []OID, all []*candidate) []*candidate {
	slots := make([]slot, len(given))
	for i, t := range given {
		if t != Unknown {
			continue
		}
		s, agreed := c.slotOf(i, all)
		if !agreed {
			return all
		}
		slots[i] = s
	}
	var kept []*candidate
	for _, x := range all {
		if c.fits(given, slots, x) {
			kept = append(kept, x)
		}
	}
	if len(kept) == 0 {
		return all
	}
	return kept
}

func (c *Catalog) slotOf(i int, all []*candidate) (s slot, agreed bool) {
	conflict := false
	for n, x := range all {
		category, preferred := c.category(x.args[i]), c.preferred(x.args[i])
		switch {
		case n == 0:
			s = slot{category, preferred}
		case category == s.category:
			s.preferred = s.preferred || preferred
		case category == 'S':
			s = slot{category, preferred}
		default:
			conflict = true
		}
	}
	return s, !conflict || s.category == 'S'
}

func (c *Catalog) fits(given []OID, slots []slot, x *candidate) bool {
	for i, t := range given {
		if t != Unknown {
			continue
		}
		a := x.args[i]
		if c.category(a) != slots[i].category || slots[i].preferred && !c.preferred(a) {
			return false
		}
	}
	return true
}

// byKnownType assumes that unknown arguments have the type of the known ones, when
// these have one.
func (c *Catalog) byKnownType(given []OID, all []*candidate) *candidate {
	known := Unknown
	for _, t := range given {
		switch {
		case t == Unknown || t == known:
		case known == Unknown:
			known = t
		default:
			return nil
		}
	}
	if known == Unknown {
		return nil
	}
	assumed := make([]OID, len(given))
	for i := range assumed {
		assumed[i] = known
	}
	if kept := c.matching(assumed, all); len(kept) == 1 {
		return kept[0]
	}
	return nil
}
