package regex

// Loops over one character keep one frame for all the places where they can
// end. A greedy loop goes as far as it can and gives back; a lazy one goes no
// further than it must and takes more.

// enterLoop gives the first place where a loop that begins at pos ends, or -1,
// and the frame for the others, of kind frameBranch if there is none. The places
// that this settles are x.entered to x.reached.
func enterLoop[C unit](x *Matcher, in []C, pos int, l *loop, paired bool) (int, frame, error) {
	var none frame
	if l.back {
		return enterLoopBack(x, in, pos, l, paired)
	}
	if paired && !l.set.oneUnit {
		return enterLoopPaired(x, in, pos, l)
	}
	lo := pos + int(l.min)
	if lo > len(in) {
		return -1, none, nil
	}
	if l.min > 0 {
		if end, err := scan(x, in, pos, lo, l.set, true); err != nil || end < lo {
			return -1, none, err
		}
	}
	if x.memo.on && l.memo >= 0 && x.seen(l.memo, lo) {
		return -1, none, nil
	}
	if l.lazy && !l.possessive {
		return beginLazy(x, in, lo, l, paired)
	}
	limit := len(in)
	if l.max != infinite {
		limit = min(limit, pos+int(l.max))
	}
	if x.memo.on && l.memo >= 0 {
		hi, known, err := scanFresh(x, in, lo, limit, l)
		if err != nil {
			return -1, none, err
		}
		if known && l.possessive {
			// The only end worth a try is one that has failed.
			x.entered, x.reached = int32(lo), int32(hi)
			return -1, none, x.loopFailed(l)
		}
		return settleGreedy(x, in, lo, hi, l, paired)
	}
	hi, err := scan(x, in, lo, limit, l.set, true)
	if err != nil {
		return -1, none, err
	}
	return settleGreedy(x, in, lo, hi, l, paired)
}

// scanFresh is scan over the characters of an endless loop, up to the place
// before one from which the loop has failed already: known tells that there is
// one. No place is scanned twice, so a pattern of loops inside loops takes time
// in proportion to the input.
func scanFresh[C unit](x *Matcher, in []C, lo, limit int, l *loop) (hi int, known bool, err error) {
	for pos := lo; ; {
		next := x.nextSeen(l.memo, pos+1, pos|63)
		if hi, err = scan(x, in, pos, min(limit, next), l.set, true); err != nil || hi < min(limit, next) {
			return hi, false, err
		}
		switch {
		case hi == next && x.seen(l.memo, next):
			return next - 1, true, nil
		case hi >= limit:
			return hi, false, nil
		}
		pos = hi
	}
}

// settleGreedy ends a loop that can end from lo to hi.
func settleGreedy[C unit](x *Matcher, in []C, lo, hi int, l *loop, paired bool) (int, frame, error) {
	var none frame
	x.entered, x.reached = int32(lo), int32(hi)
	q := hi
	switch {
	case l.possessive:
		if !fits(l.follow, in, hi, paired) {
			q = -1
		}
	case l.follow != nil:
		var err error
		if q, err = lastFit(x, in, lo, hi, l.follow, paired); err != nil {
			return -1, none, err
		}
	}
	if q < 0 {
		return -1, none, x.loopFailed(l)
	}
	if l.possessive || q == lo {
		return q, none, nil
	}
	return q, frame{kind: frameGreedy, pos: int32(q), aux: int32(lo)}, nil
}

// loopFailed remembers that no place from x.entered to x.reached led on.
func (x *Matcher) loopFailed(l *loop) error {
	if !x.memo.on || l.memo < 0 {
		return nil
	}
	return x.remember(l.memo, int(x.entered), int(x.reached))
}

// lastFit gives the last place from lo to hi at which f lets the match go on, or
// -1. Every place between must be the start of a character.
func lastFit[C unit](x *Matcher, in []C, lo, hi int, f *follow, paired bool) (int, error) {
	for q := hi; q >= lo; {
		from := q
		for stop := max(lo, q-scanStretch); q >= stop; q-- {
			if fits(f, in, q, paired) {
				x.work += (hi - q) & (scanStretch - 1) >> 2
				return q, nil
			}
		}
		x.work += (from - q) >> 2
		if x.work >= batch {
			if err := x.spend(); err != nil {
				return -1, err
			}
		}
	}
	return -1, nil
}

// giveBack gives the next shorter end of a greedy loop, or -1.
func giveBack[C unit](x *Matcher, in []C, f *frame, l *loop, paired bool) (int, error) {
	switch {
	case l.back:
		_, w := decode(in, int(f.pos), paired)
		return int(f.pos) + w, nil
	case paired && !l.set.oneUnit:
		_, w := decodeBack(in, int(f.pos), true)
		return int(f.pos) - w, nil
	case l.follow == nil:
		return int(f.pos) - 1, nil
	}
	return lastFit(x, in, int(f.aux), int(f.pos)-1, l.follow, paired)
}

// beginLazy ends a lazy loop that has taken its minimum at lo.
func beginLazy[C unit](x *Matcher, in []C, lo int, l *loop, paired bool) (int, frame, error) {
	more := int32(infinite)
	if l.max != infinite {
		more = l.max - l.min
	}
	q, left, err := firstFit(x, in, lo, more, l, paired)
	x.entered = int32(lo)
	if err != nil {
		return -1, frame{}, err
	}
	if q < 0 {
		return -1, frame{}, x.loopFailed(l)
	}
	if left == 0 {
		return q, frame{}, nil
	}
	return q, frame{kind: frameLazy, pos: int32(q), aux: left}, nil
}

// takeMore gives the next longer end of a lazy loop, or -1, and updates the
// frame.
func takeMore[C unit](x *Matcher, in []C, f *frame, l *loop, paired bool) (int, error) {
	pos := int(f.pos)
	if l.back {
		return takeMoreBack(in, f, l, paired), nil
	}
	if pos >= len(in) {
		return -1, nil
	}
	r, w := decode(in, pos, paired)
	if !l.set.has(r) {
		return -1, nil
	}
	pos += w
	if x.memo.on && l.memo >= 0 && x.seen(l.memo, pos) {
		return -1, nil
	}
	q, left, err := firstFit(x, in, pos, fewer(f.aux), l, paired)
	x.entered = int32(pos)
	if err != nil {
		return -1, err
	}
	if q < 0 {
		return -1, x.loopFailed(l)
	}
	f.pos, f.aux = int32(q), left
	return q, nil
}

func fewer(n int32) int32 {
	if n == infinite {
		return n
	}
	return n - 1
}

// firstFit moves over characters of the loop, at most more, until what follows
// it can stand. It gives -1 if that never happens, and how many the loop can
// still take. x.reached is the last place looked at.
func firstFit[C unit](x *Matcher, in []C, pos int, more int32, l *loop, paired bool) (int, int32, error) {
	from := pos
	fresh := x.memo.on && l.memo >= 0
	for l.follow != nil && !fits(l.follow, in, pos, paired) {
		x.reached = int32(pos)
		if more == 0 || pos >= len(in) {
			return -1, 0, nil
		}
		r, w := decode(in, pos, paired)
		if !l.set.has(r) {
			return -1, 0, nil
		}
		pos += w
		more = fewer(more)
		if fresh && x.seen(l.memo, pos) {
			return -1, 0, nil
		}
		if pos-from >= scanStretch {
			x.work += (pos - from) >> 2
			from = pos
			if err := x.spend(); err != nil {
				return -1, 0, err
			}
		}
	}
	x.reached = int32(pos)
	x.work += (pos - from) >> 2
	return pos, more, nil
}

// enterLoopPaired is enterLoop where characters are one or two units.
func enterLoopPaired[C unit](x *Matcher, in []C, pos int, l *loop) (int, frame, error) {
	known := false
	take := func(pos int, most int32, fresh bool) (int, int32, error) {
		n := int32(0)
		for n < most && pos < len(in) {
			r, w := decode(in, pos, true)
			if !l.set.has(r) {
				break
			}
			if fresh && x.seen(l.memo, pos+w) {
				known = true
				break
			}
			pos += w
			n++
			if n&(scanStretch-1) == 0 {
				x.work += scanStretch >> 2
				if err := x.spend(); err != nil {
					return 0, 0, err
				}
			}
		}
		x.work += int(n&(scanStretch-1)) >> 2
		return pos, n, nil
	}
	lo, n, err := take(pos, l.min, false)
	if err != nil || n < l.min {
		return -1, frame{}, err
	}
	if x.memo.on && l.memo >= 0 && x.seen(l.memo, lo) {
		return -1, frame{}, nil
	}
	if l.lazy && !l.possessive {
		return beginLazy(x, in, lo, l, true)
	}
	most := l.max
	if most != infinite {
		most -= l.min
	}
	hi, _, err := take(lo, most, x.memo.on && l.memo >= 0)
	if err != nil {
		return -1, frame{}, err
	}
	x.entered, x.reached = int32(lo), int32(hi)
	if l.possessive {
		if known || !fits(l.follow, in, hi, true) {
			return -1, frame{}, x.loopFailed(l)
		}
		return hi, frame{}, nil
	}
	if hi == lo {
		return hi, frame{}, nil
	}
	return hi, frame{kind: frameGreedy, pos: int32(hi), aux: int32(lo)}, nil
}

// enterLoopBack is enterLoop towards the start.
func enterLoopBack[C unit](x *Matcher, in []C, pos int, l *loop, paired bool) (int, frame, error) {
	lo, n := pos, int32(0)
	for q := pos; ; n++ {
		if n == l.min {
			lo = q
		}
		if n == l.max || l.lazy && n == l.min || q == 0 {
			pos = q
			break
		}
		r, w := decodeBack(in, q, paired)
		if !l.set.has(r) {
			pos = q
			break
		}
		q -= w
		if n&1023 == 1023 {
			x.work += 1024 >> 2
			if err := x.spend(); err != nil {
				return -1, frame{}, err
			}
		}
	}
	x.work += int(n&1023) >> 2
	switch {
	case n < l.min:
		return -1, frame{}, nil
	case l.lazy:
		if l.max == l.min {
			return pos, frame{}, nil
		}
		more := int32(infinite)
		if l.max != infinite {
			more = l.max - l.min
		}
		return pos, frame{kind: frameLazy, pos: int32(pos), aux: more}, nil
	case pos == lo:
		return pos, frame{}, nil
	}
	return pos, frame{kind: frameGreedy, pos: int32(pos), aux: int32(lo)}, nil
}

func takeMoreBack[C unit](in []C, f *frame, l *loop, paired bool) int {
	pos := int(f.pos)
	if pos == 0 {
		return -1
	}
	r, w := decodeBack(in, pos, paired)
	if !l.set.has(r) {
		return -1
	}
	f.pos, f.aux = int32(pos-w), fewer(f.aux)
	return pos - w
}
