package regex

// dropUnsafeMemos removes the memo points from which a backreference can still
// be reached: there the rest of the match depends on what was captured. It also
// numbers the states of those that stay.
func dropUnsafeMemos(p *Program) {
	reaches := reachesBackref(p)
	keep := func(memo *int32, at int) {
		if *memo >= 0 && reaches[at] {
			*memo = -1
		}
	}
	for at, i := range p.code {
		switch i.op {
		case opSplit:
			keep(&p.splits[i.a].memo, at)
		case opLoop:
			keep(&p.loops[i.a].memo, at)
		case opCountLoop:
			keep(&p.counts[i.a].memo, at)
		}
	}
	var states int64
	for i := range p.memos {
		p.memos[i].base = states
		states += p.memos[i].variants
	}
}

// reachesBackref tells for each instruction whether one that follows it in any
// run is a backreference. It walks backwards until nothing changes, once more
// for each level of loops; where they are many it says yes to all.
func reachesBackref(p *Program) []bool {
	reaches := make([]bool, len(p.code)+1)
	if len(p.backrefs) == 0 && p.conditions == 0 {
		return reaches
	}
	const passes = 16
	changed := true
	for n := 0; changed; n++ {
		if n == passes {
			for at := range reaches {
				reaches[at] = true
			}
			return reaches
		}
		changed = false
		for at := len(p.code) - 1; at >= 0; at-- {
			if !reaches[at] && p.leadsTo(at, reaches) {
				reaches[at], changed = true, true
			}
		}
	}
	return reaches
}

// leadsTo reports whether the instruction is a backreference or one of its
// successors reaches one.
func (p *Program) leadsTo(at int, reaches []bool) bool {
	i := p.code[at]
	switch i.op {
	case opBackref, opIf:
		return true
	case opMatch, opFail:
		return false
	case opJump:
		return reaches[i.a]
	case opSplit:
		return reaches[p.splits[i.a].x] || reaches[p.splits[i.a].y]
	case opCountLoop:
		return reaches[p.counts[i.a].body] || reaches[p.counts[i.a].exit]
	case opCountEnd:
		return reaches[i.b] || reaches[p.counts[i.a].exit]
	case opMoved:
		return reaches[at+1] || i.b > 0 && reaches[i.b]
	case opLook:
		return reaches[at+1] || reaches[i.b]
	}
	return reaches[at+1]
}
