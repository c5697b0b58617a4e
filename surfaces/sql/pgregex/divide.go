package pgregex

import "unicode"

// divide shares a match out among the parts of a node and notes what the groups
// took. It gives false where back references do not match the same.
func (x *search) divide(n *node, begin, end int) (bool, error) {
	if !n.captures && !n.refers {
		return true, nil
	}
	if err := x.meter.Charge(8); err != nil {
		return false, err
	}
	switch n.kind {
	case group:
		ok, err := x.divide(n.parts[0], begin, end)
		if ok && n.number > 0 {
			x.found[n.number] = Span{begin, end}
		}
		return ok, err
	case concat:
		return x.divideConcat(n, begin, end)
	case alternate:
		return x.divideAlternate(n, begin, end)
	case repeat:
		return x.divideRepeat(n, begin, end)
	case backref:
		return x.same(n.number, begin, end), nil
	}
	return true, nil
}

// same reports whether a part of the text is what a group took.
func (x *search) same(number, begin, end int) bool {
	g := x.found[number]
	if g.From < 0 || g.To-g.From != end-begin {
		return false
	}
	for i := range end - begin {
		a, b := x.text[g.From+i], x.text[begin+i]
		if a != b && !(x.fold && unicode.ToLower(a) == unicode.ToLower(b)) {
			return false
		}
	}
	return true
}

// referred reports whether a part of the text is what a group took, so many times as
// a repetition allows. A group that took no part matches nothing, not even no times.
func (x *search) referred(n *node, number, begin, end int) bool {
	g := x.found[number]
	size := g.To - g.From
	switch {
	case g.From < 0:
		return false
	case size == 0:
		return begin == end
	case begin == end:
		return n.min == 0
	}
	turns := (end - begin) / size
	if (end-begin)%size != 0 || turns < n.min || n.max != infinite && turns > n.max {
		return false
	}
	for at := begin; at < end; at += size {
		if !x.same(number, at, at+size) {
			return false
		}
	}
	return true
}

// rest makes a node of the parts after the first.
func rest(parts []*node) *node {
	if len(parts) == 1 {
		return parts[0]
	}
	r := (&node{kind: concat, parts: parts}).sum()
	for _, p := range parts {
		if r.prefers = p.prefers; r.prefers != none {
			break
		}
	}
	return r
}

// tail gives the node of the parts after the first, which is kept so that its
// automaton is built once.
func (n *node) tail() *node {
	if n.after == nil {
		n.after = rest(n.parts[1:])
	}
	return n.after
}

func (x *search) divideConcat(n *node, begin, end int) (bool, error) {
	first, others := n.parts[0], n.tail()
	short := first.prefers == shorter
	least, most := begin, end
	for {
		var mid int
		var err error
		if short {
			mid, err = x.shortest(first, begin, least, end)
		} else {
			mid, err = x.longest(first, begin, most)
		}
		if err != nil || mid < 0 {
			return false, err
		}
		ok, err := x.exactly(others, mid, end)
		if err != nil {
			return false, err
		}
		if ok {
			if ok, err = x.both(first, others, begin, mid, end); ok || err != nil {
				return ok, err
			}
		}
		if short {
			if least = mid + 1; least > end {
				return false, nil
			}
		} else if most = mid - 1; most < begin {
			return false, nil
		}
	}
}

func (x *search) both(first, others *node, begin, mid, end int) (bool, error) {
	x.forget(first)
	x.forget(others)
	ok, err := x.divide(first, begin, mid)
	if !ok || err != nil {
		return false, err
	}
	return x.divide(others, mid, end)
}

// forget clears what the groups of a node took.
func (x *search) forget(n *node) {
	if !n.captures {
		return
	}
	if n.kind == group && n.number > 0 {
		x.found[n.number] = Span{-1, -1}
	}
	for _, part := range n.parts {
		x.forget(part)
	}
}

func (x *search) divideAlternate(n *node, begin, end int) (bool, error) {
	for _, part := range n.parts {
		ok, err := x.exactly(part, begin, end)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		if ok, err = x.divide(part, begin, end); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// divideRepeat finds the ends of the turns of a repetition: each as long, or as
// short, as the ones after it allow. What is repeated says which, not how often.
func (x *search) divideRepeat(n *node, begin, end int) (bool, error) {
	if inner := n.parts[0]; inner.kind == backref {
		return x.referred(n, inner.number, begin, end), nil
	}
	if n.min == 0 && begin == end {
		// No turn is needed; one that matches nothing is taken all the same, unless it
		// wants to be short.
		if n.parts[0].prefers == shorter {
			return true, nil
		}
		ok, err := x.exactly(n.parts[0], begin, end)
		if ok {
			if ok, err = x.divide(n.parts[0], begin, end); !ok {
				x.forget(n.parts[0])
			}
		}
		return true, err
	}
	most := end - begin
	if n.max != infinite {
		most = min(most, n.max)
	}
	most = max(most, n.min)
	if n.parts[0].prefers == shorter {
		return x.shortTurns(n, begin, end, most)
	}
	return x.longTurns(n, begin, end, most)
}

func (x *search) longTurns(n *node, begin, end, most int) (bool, error) {
	inner := n.parts[0]
	if err := x.meter.Alloc(int64(8 * (most + 1))); err != nil {
		return false, err
	}
	ends := make([]int, most+1)
	ends[0] = begin
	limit := end
	for k := 1; k > 0; {
		e, err := x.longest(inner, ends[k-1], limit)
		if err != nil {
			return false, err
		}
		if e < 0 {
			k--
		} else {
			ends[k] = e
			if e != end && k < most && (e != ends[k-1] || k < n.min && n.min-k >= end-e) {
				k++
				limit = end
				continue
			}
			if e == end && k >= n.min {
				ok, err := x.turns(inner, ends[:k+1])
				if ok || err != nil {
					return ok, err
				}
			} else if e != end && k >= most {
				k--
			}
		}
		for k > 0 {
			if previous := ends[k-1]; ends[k] > previous {
				limit = ends[k] - 1
				if limit > previous || k < n.min && n.min-k >= end-previous {
					break
				}
			}
			k--
		}
	}
	return false, nil
}

func (x *search) shortTurns(n *node, begin, end, most int) (bool, error) {
	inner := n.parts[0]
	if err := x.meter.Alloc(int64(8 * (most + 1))); err != nil {
		return false, err
	}
	ends := make([]int, most+1)
	ends[0] = begin
	limit := begin
	for k := 1; k > 0; {
		// A turn of no length counts only where it is needed to reach the minimum.
		if limit == ends[k-1] && limit != end && (k >= n.min || n.min-k < end-limit) {
			limit++
		}
		if k >= most {
			limit = end // the last turn must reach the end
		}
		e := -1
		if limit <= end {
			var err error
			if e, err = x.shortest(inner, ends[k-1], limit, end); err != nil {
				return false, err
			}
		}
		if e >= 0 {
			ends[k] = e
			if e != end {
				if k < most {
					k++
					limit = e
					continue
				}
			} else if k >= n.min {
				ok, err := x.turns(inner, ends[:k+1])
				if ok || err != nil {
					return ok, err
				}
			}
		} else {
			k--
		}
		for k > 0 {
			if ends[k] < end {
				limit = ends[k] + 1
				break
			}
			k--
		}
	}
	return false, nil
}

// turns divides each turn; the groups keep what the last one took.
func (x *search) turns(inner *node, ends []int) (bool, error) {
	for i := 1; i < len(ends); i++ {
		x.forget(inner)
		ok, err := x.divide(inner, ends[i-1], ends[i])
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
