package regex

// genRepeat emits a repetition in the cheapest of its forms.
func (c *compiler) genRepeat(n *repeat, after first) {
	switch {
	case n.max == 0:
		return
	case n.min == 1 && n.max == 1:
		c.gen(n.body, after)
		return
	}
	switch body := n.body.(type) {
	case *char:
		c.genLoop(n, single(body.r), after)
		return
	case *class:
		c.genLoop(n, body.set, after)
		return
	case *empty:
		return
	}
	inner := after
	if n.max > 1 {
		inner = firstOf(n.body, &c.steps).or(after, &c.steps)
	}
	switch {
	case n.min == 0 && n.max == 1:
		c.genOptional(n, after)
	case n.min == 0 && n.max == infinite:
		c.genStar(n, inner, after)
	case n.min == 1 && n.max == infinite && !nullable(n.body, &c.steps):
		c.genPlus(n, inner, after)
	default:
		c.genCounted(n, inner)
	}
}

// genLoop emits the repetition of one character.
func (c *compiler) genLoop(n *repeat, s charset, after first) {
	l := loop{
		set: c.set(s), min: int32(n.min), max: int32(n.max), lazy: n.lazy, back: c.behind,
		follow: c.following(after), memo: -1,
	}
	l.possessive = l.follow != nil && !s.meets(after.set)
	if n.max == infinite && !l.back {
		l.memo = c.memo()
	}
	c.p.loops = append(c.p.loops, l)
	c.emit(inst{op: opLoop, a: int32(len(c.p.loops) - 1)})
}

// iteration emits one round of a body. The captures inside are forgotten first;
// a round that consumes nothing fails if check is set, by the instruction that it
// gives.
func (c *compiler) iteration(n *repeat, inner first, check, forget bool) (moved int32) {
	mark := int32(-1)
	if check {
		mark = c.register()
		c.emit(inst{op: opMark, a: mark})
		c.marks = append(c.marks, mark)
	}
	if forget && n.lastGroup >= n.firstGroup {
		c.emit(inst{op: opForget, a: int32(2 * n.firstGroup), b: int32(2*n.lastGroup + 1)})
	}
	c.gen(n.body, inner)
	if check {
		c.marks = c.marks[:len(c.marks)-1]
		return c.emit(inst{op: opMoved, a: mark})
	}
	return -1
}

// leave makes a round that consumed nothing go to what follows the repetition.
func (c *compiler) leave(n *repeat, moved int32) {
	if n.leaves && moved >= 0 {
		c.p.code[moved].b = c.here()
	}
}

// choice emits a split between a body and what follows it, whose places the
// caller sets with aim.
func (c *compiler) choice() int {
	id := len(c.p.splits)
	c.p.splits = append(c.p.splits, split{memo: c.memo()})
	c.emit(inst{op: opSplit, a: int32(id)})
	return id
}

// aim sets where a choice leads, in the order that the repetition prefers.
func (c *compiler) aim(id int, n *repeat, body, exit int32, after first) {
	s := &c.p.splits[id]
	s.x, s.followX = body, c.following(firstOf(n.body, &c.steps).then(after, &c.steps))
	s.y, s.followY = exit, c.following(after)
	if n.lazy {
		s.x, s.y, s.followX, s.followY = s.y, s.x, s.followY, s.followX
	}
}

func (c *compiler) genOptional(n *repeat, after first) {
	id := c.choice()
	body := c.here()
	c.iteration(n, after, !n.leaves && nullable(n.body, &c.steps), false)
	c.aim(id, n, body, c.here(), after)
}

func (c *compiler) genStar(n *repeat, inner, after first) {
	head := c.here()
	id := c.choice()
	body := c.here()
	moved := c.iteration(n, inner, nullable(n.body, &c.steps), true)
	c.emit(inst{op: opJump, a: head})
	c.leave(n, moved)
	c.aim(id, n, body, c.here(), after)
}

// genPlus needs no count, because a body that consumes something makes the
// first round like the others.
func (c *compiler) genPlus(n *repeat, inner, after first) {
	body := c.here()
	c.iteration(n, inner, false, true)
	id := c.choice()
	c.aim(id, n, body, c.here(), after)
}

// genCounted emits a body once and counts its rounds.
func (c *compiler) genCounted(n *repeat, inner first) {
	k := counter{min: int32(n.min), max: int32(n.max), lazy: n.lazy, leaves: n.leaves, count: c.register(), mark: -1}
	radix := k.max
	if n.max == infinite {
		radix = k.min
	}
	c.counts = append(c.counts, openCount{k.count, min(radix, infinite-1) + 1})
	id := int32(len(c.p.counts))
	c.p.counts = append(c.p.counts, k)
	c.emit(inst{op: opCountInit, a: id})
	memo := c.memo()
	head := c.emit(inst{op: opCountLoop, a: id})
	body := c.here()
	mark := int32(-1)
	if nullable(n.body, &c.steps) {
		mark = c.register()
		c.emit(inst{op: opMark, a: mark})
		c.marks = append(c.marks, mark)
	}
	if n.lastGroup >= n.firstGroup {
		c.emit(inst{op: opForget, a: int32(2 * n.firstGroup), b: int32(2*n.lastGroup + 1)})
	}
	c.gen(n.body, inner)
	if mark >= 0 {
		c.marks = c.marks[:len(c.marks)-1]
	}
	c.emit(inst{op: opCountEnd, a: id, b: head})
	c.counts = c.counts[:len(c.counts)-1]
	k.mark, k.body, k.exit, k.memo = mark, body, c.here(), memo
	c.p.counts[id] = k
}
