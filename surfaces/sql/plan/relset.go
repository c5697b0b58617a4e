package plan

import "slices"

// relset is a set of a query's relations, ascending.
type relset []int

func (s relset) with(r int) relset {
	i, found := slices.BinarySearch(s, r)
	if found {
		return s
	}
	return slices.Insert(slices.Clone(s), i, r)
}

func (s relset) union(t relset) relset {
	for _, r := range t {
		s = s.with(r)
	}
	return s
}

func (s relset) has(r int) bool {
	_, found := slices.BinarySearch(s, r)
	return found
}

// within reports whether all of s is in t.
func (s relset) within(t relset) bool {
	for _, r := range s {
		if !t.has(r) {
			return false
		}
	}
	return true
}

func (s relset) overlaps(t relset) bool { return slices.ContainsFunc(s, t.has) }
