package regex

// run matches at one place. It keeps every choice that is open on its own stack,
// so that neither the pattern nor the input decides how deep Go's stack goes.
//
// It is one long function so that its few variables of state need not travel
// through memory at each step.
func run[C unit](x *Matcher, in []C, pos int) (bool, error) {
	p := x.program
	code := p.code
	stack, captures, registers := x.stack, x.captures, x.registers
	room := x.room
	top, barrier, pc := 0, 0, 0
	paired := pairs[C](p)
	var err error
	captures[0] = int32(pos)

	for {
		if x.work++; x.work >= batch {
			if err := x.spend(); err != nil {
				return false, err
			}
		}
		// Every instruction pushes at most two frames, and two are always free.
		if top+2 > room {
			if err := x.grow(top); err != nil {
				return false, err
			}
			stack, room = x.stack, x.room
		}
		i := &code[pc]
		switch i.op {
		case opChar:
			if pos < len(in) && rune(in[pos]) == rune(i.a) {
				pos++
				pc++
				continue
			}
		case opLiteral:
			text := p.literals[i.a]
			x.work += len(text) >> 2
			if pos+len(text) <= len(in) && equalUnits(in[pos:], text) {
				pos += len(text)
				pc++
				continue
			}
		case opSet:
			if pos < len(in) {
				r, w := rune(in[pos]), 1
				if paired && isLead(r) {
					r, w = decode(in, pos, true)
				}
				if p.sets[i.a].has(r) {
					pos += w
					pc++
					continue
				}
			}
		case opCharBack:
			if pos > 0 && rune(in[pos-1]) == rune(i.a) {
				pos--
				pc++
				continue
			}
		case opSetBack:
			if pos > 0 {
				if r, w := decodeBack(in, pos, paired); p.sets[i.a].has(r) {
					pos -= w
					pc++
					continue
				}
			}
		case opLoop:
			l := &p.loops[i.a]
			var f frame
			if pos, f, err = enterLoop(x, in, pos, l, paired); err != nil {
				return false, err
			}
			if pos >= 0 {
				if x.memo.on && l.memo >= 0 {
					if top, err = x.note(l.memo, int(x.entered), int(x.reached), stack, top); err != nil {
						return false, err
					}
				}
				if f.kind != frameBranch {
					f.pc = int32(pc)
					stack[top] = f
					top++
				}
				pc++
				continue
			}
		case opSplit:
			s := &p.splits[i.a]
			if x.memo.on && s.memo >= 0 {
				if x.seen(s.memo, pos) {
					break
				}
				if top, err = x.note(s.memo, pos, pos, stack, top); err != nil {
					return false, err
				}
			}
			if s.followX != nil && !fits(s.followX, in, pos, paired) {
				pc = int(s.y)
				continue
			}
			if s.followY == nil || fits(s.followY, in, pos, paired) {
				stack[top] = frame{frameBranch, s.y, int32(pos), 0}
				top++
			}
			pc = int(s.x)
			continue
		case opJump:
			pc = int(i.a)
			continue
		case opSave:
			stack[top] = frame{frameCapture, i.a, captures[i.a], 0}
			top++
			captures[i.a] = int32(pos)
			pc++
			continue
		case opForget:
			if top, err = x.forget(i.a, i.b, top); err != nil {
				return false, err
			}
			stack, room = x.stack, x.room
			pc++
			continue
		case opMark:
			stack[top] = frame{frameRegister, i.a, registers[i.a], 0}
			top++
			registers[i.a] = int32(pos)
			pc++
			continue
		case opMoved:
			if int(registers[i.a]) != pos {
				pc++
				continue
			}
			if i.b > 0 {
				pc = int(i.b)
				continue
			}
		case opCountInit:
			r := p.counts[i.a].count
			if registers[r] != 0 {
				stack[top] = frame{frameRegister, r, registers[r], 0}
				top++
				registers[r] = 0
			}
			pc++
			continue
		case opCountLoop:
			k := &p.counts[i.a]
			if x.memo.on && k.memo >= 0 {
				if x.seen(k.memo, pos) {
					break
				}
				if top, err = x.note(k.memo, pos, pos, stack, top); err != nil {
					return false, err
				}
			}
			n := registers[k.count]
			switch {
			case n < k.min:
				pc = int(k.body)
			case k.max != infinite && n >= k.max:
				pc = int(k.exit)
			case k.lazy:
				stack[top] = frame{frameBranch, k.body, int32(pos), 0}
				top++
				pc = int(k.exit)
			default:
				stack[top] = frame{frameBranch, k.exit, int32(pos), 0}
				top++
				pc = int(k.body)
			}
			continue
		case opCountEnd:
			k := &p.counts[i.a]
			n := registers[k.count]
			if k.mark >= 0 && n >= k.min && int(registers[k.mark]) == pos {
				if !k.leaves {
					break
				}
				pc = int(k.exit)
				continue
			}
			if k.max != infinite || n < k.min {
				stack[top] = frame{frameRegister, k.count, n, 0}
				top++
				registers[k.count] = n + 1
			}
			pc = int(i.b)
			continue
		case opBackref:
			next := 0
			if next, err = repeatCapture(x, in, &p.backrefs[i.a], pos); err != nil {
				return false, err
			}
			if next >= 0 {
				pos = next
				pc++
				continue
			}
		case opLook:
			stack[top] = frame{frameLook, int32(pc), int32(pos), int32(barrier)}
			barrier = top
			top++
			pc++
			continue
		case opLookEnd:
			at := barrier
			f := stack[at]
			barrier = int(f.aux)
			if look := &code[i.a]; look.c != lookNegated {
				top = x.commit(at, top)
				pc = int(look.b)
				if look.c == lookPositive {
					pos = int(f.pos)
				}
				continue
			}
			x.undo(at+1, top)
			top = at
		case opTextStart, opTextEnd, opFinalEnd, opLineStart, opLineEnd, opWord:
			if holds(p, i, in, pos) {
				pc++
				continue
			}
		case opIf:
			if captures[2*i.a] >= 0 && captures[2*i.a+1] >= 0 {
				pc++
			} else {
				pc = int(i.b)
			}
			continue
		case opLast:
			stack[top] = frame{frameCapture, i.a, captures[i.a], 0}
			top++
			captures[i.a] = i.b
			pc++
			continue
		case opMatch:
			if x.whole && pos != len(in) || pos == x.refused && int(captures[0]) == pos {
				break
			}
			captures[1] = int32(pos)
			return true, nil
		}

		// The match cannot go on here.
		if pc, pos, top, barrier, err = resume(x, in, top, barrier, paired); err != nil || pc < 0 {
			return false, err
		}
	}
}

// resume undoes changes up to the last choice that is open and takes it. It
// gives a negative pc if there is none.
func resume[C unit](x *Matcher, in []C, top, barrier int, paired bool) (pc, pos, newTop, newBarrier int, err error) {
	p, stack := x.program, x.stack
	for top > 0 {
		if x.work++; x.work >= batch {
			if err := x.spend(); err != nil {
				return -1, 0, 0, 0, err
			}
		}
		top--
		f := &stack[top]
		switch f.kind {
		case frameBranch:
			return int(f.pc), int(f.pos), top, barrier, nil
		case frameCapture:
			x.captures[f.pc] = f.pos
		case frameRegister:
			x.registers[f.pc] = f.pos
		case frameGreedy:
			q, err := giveBack(x, in, f, &p.loops[p.code[f.pc].a], paired)
			if err != nil {
				return -1, 0, 0, 0, err
			}
			if q < 0 {
				continue
			}
			if q != int(f.aux) {
				f.pos = int32(q)
				top++
			}
			return int(f.pc) + 1, q, top, barrier, nil
		case frameLazy:
			next := *f
			l := &p.loops[p.code[f.pc].a]
			q, err := takeMore(x, in, &next, l, paired)
			if err != nil {
				return -1, 0, 0, 0, err
			}
			if q < 0 {
				continue
			}
			if x.memo.on && l.memo >= 0 {
				if top, err = x.note(l.memo, int(x.entered), int(x.reached), stack, top); err != nil {
					return -1, 0, 0, 0, err
				}
			}
			if next.aux > 0 {
				stack[top] = next
				top++
			}
			return int(next.pc) + 1, q, top, barrier, nil
		case frameLook:
			barrier = int(f.aux)
			if look := &p.code[f.pc]; look.c == lookNegated {
				return int(look.b), int(f.pos), top, barrier, nil
			}
		case frameFailed:
			if err := x.remember(f.pc, int(f.pos), int(f.aux)); err != nil {
				return -1, 0, 0, 0, err
			}
		}
	}
	return -1, 0, 0, 0, nil
}

// holds reports whether an assertion about the place holds there.
func holds[C unit](p *Program, i *inst, in []C, pos int) bool {
	switch i.op {
	case opTextStart:
		return pos == 0
	case opTextEnd:
		return pos == len(in)
	case opFinalEnd:
		return pos == len(in) || pos == len(in)-1 && p.sets[i.a].has(rune(in[pos]))
	case opLineStart:
		return pos == 0 || p.sets[i.a].has(rune(in[pos-1]))
	case opLineEnd:
		return pos == len(in) || p.sets[i.a].has(rune(in[pos]))
	}
	// A word character is one unit in every dialect's sets.
	words := p.sets[i.a]
	if i.c == 2 && len(in) == 0 {
		return false
	}
	before := pos > 0 && words.has(rune(in[pos-1]))
	after := pos < len(in) && words.has(rune(in[pos]))
	return (before != after) == (i.c == 0)
}
