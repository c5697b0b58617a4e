package regex

// repeatCapture gives the place after, or before, what a backreference repeats,
// or -1. A group that took no part repeats the empty text: ECMA-262 22.2.2.7.2,
// BackreferenceMatcher.
func repeatCapture[C unit](x *Matcher, in []C, b *backref, pos int) (int, error) {
	from, to := -1, -1
	for _, g := range b.groups {
		if f, t := x.captures[2*g], x.captures[2*g+1]; f >= 0 && t >= 0 {
			from, to = int(f), int(t)
			break
		}
	}
	n := to - from
	x.work += len(b.groups) >> 2
	if from < 0 && b.must {
		return -1, nil
	}
	if n == 0 {
		return pos, nil
	}
	begin := pos
	if b.back {
		begin = pos - n
	}
	if begin < 0 || begin+n > len(in) {
		return -1, nil
	}
	same, err := sameText(x, in, from, begin, n, b.fold)
	if err != nil || !same {
		return -1, err
	}
	if b.back {
		return begin, nil
	}
	return begin + n, nil
}

// sameText compares n units at a and at b. Folding keeps the number of units:
// no character of the basic plane folds to one outside.
func sameText[C unit](x *Matcher, in []C, a, b, n int, f folding) (bool, error) {
	paired := pairs[C](x.program)
	for i := 0; i < n; {
		r, w := decode(in, a+i, paired)
		s, v := decode(in, b+i, paired)
		if r != s && (w != v || f == exact || f.canonical(r) != f.canonical(s)) {
			return false, nil
		}
		i += w
		if i&255 < w {
			x.work += 64
			if err := x.spend(); err != nil {
				return false, err
			}
		}
	}
	x.work += n & 255 >> 2
	return true, nil
}
