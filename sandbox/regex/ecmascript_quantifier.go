package regex

// quantity is a parsed quantifier.
type quantity struct {
	min, max int
	lazy     bool
	at       int
}

// quantifier parses *, +, ?, {n}, {n,} or {n,m}, each perhaps lazy.
func (p *ecmascript) quantifier() (quantity, bool) {
	q := quantity{at: p.at}
	switch p.peek(0) {
	case '*':
		p.at++
		q.max = infinite
	case '+':
		p.at++
		q.min, q.max = 1, infinite
	case '?':
		p.at++
		q.max = 1
	case '{':
		i, ok := p.interval()
		if !ok {
			if p.flags.codePoints() {
				p.fail(p.at, "Incomplete quantifier", `Write \{ for a literal brace.`)
			}
			return q, false
		}
		if i.max < i.min {
			p.fail(q.at, "numbers out of order in {} quantifier", "The smaller number comes first.")
		}
		q.min, q.max = i.min, i.max
	default:
		return q, false
	}
	q.lazy = p.eat("?")
	return q, true
}

// interval parses {n}, {n,} or {n,m}, or moves nowhere.
func (p *ecmascript) interval() (quantity, bool) {
	start := p.at
	p.at++
	q := quantity{}
	var ok bool
	if q.min, ok = p.decimal(); !ok {
		p.at = start
		return q, false
	}
	q.max = q.min
	if p.eat(",") {
		if q.max, ok = p.decimal(); !ok {
			q.max = infinite
		}
	}
	if !p.eat("}") {
		p.at = start
		return q, false
	}
	return q, true
}

// decimal parses digits; numbers beyond the largest count are that count.
func (p *ecmascript) decimal() (int, bool) {
	start, n := p.at, 0
	for isDigit(p.peek(0)) {
		n = min(n*10+int(p.peek(0)-'0'), infinite)
		p.at++
	}
	return n, p.at > start
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
