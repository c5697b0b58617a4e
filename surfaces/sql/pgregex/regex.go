package pgregex

import (
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Regex is a compiled expression. It keeps the states of its automata that a
// search has met, so it must not be used by two searches at once.
type Regex struct {
	root   *node
	groups []*node
	fold   bool
	scan   *machine // finds whether there is a match at all, and where one ends
}

// Compile reads an expression. What it takes is in proportion to the pattern's
// length, up to the repetitions it asks for.
func Compile(pattern string, o Options) (*Regex, *pgerr.Error) {
	root, groups, err := parse(pattern, &o)
	if err != nil {
		return nil, err
	}
	r := &Regex{root: root, groups: groups, fold: o.IgnoreCase}
	if r.scan, err = build(root, groups, true); err != nil {
		return nil, err
	}
	if root.machine, err = build(root, groups, false); err != nil {
		return nil, err
	}
	return r, nil
}

// Size is about what the expression takes, in bytes.
func (r *Regex) Size() int64 { return int64(len(r.scan.code))*150 + 500 }

// Groups counts the capturing groups.
func (r *Regex) Groups() int { return len(r.groups) }

// Span is a part of a text, in characters; From is -1 where a group took no part.
type Span struct{ From, To int }

// search is a search in one text.
type search struct {
	*Regex
	text  []rune
	meter Meter
	found []Span // of the groups, from 1
}

// Match reports whether the expression matches somewhere in a text.
func (r *Regex) Match(text []rune, meter Meter) (bool, error) {
	if r.root.refers {
		spans, err := r.Find(text, 0, meter)
		return spans != nil, err
	}
	x := &search{Regex: r, text: text, meter: meter}
	e, err := x.run(r.scan, 0, 0, len(text), true)
	return e >= 0, err
}

// Find gives the leftmost match that begins at a place or later: the span of the
// whole, then those of the groups; nil where there is none.
func (r *Regex) Find(text []rune, from int, meter Meter) ([]Span, error) {
	x := &search{Regex: r, text: text, meter: meter, found: make([]Span, len(r.groups)+1)}
	if !r.root.refers {
		// One pass tells whether there is a match at all.
		e, err := x.run(r.scan, from, from, len(text), true)
		if err != nil || e < 0 {
			return nil, err
		}
	}
	for begin := from; begin <= len(text); begin++ {
		ok, err := x.matchAt(begin)
		if err != nil {
			return nil, err
		}
		if ok {
			return x.found, nil
		}
	}
	return nil, nil
}

// matchAt tries the ends of matches that begin at a place, in the order that the
// expression prefers. Only back references can make the first one fail.
func (x *search) matchAt(begin int) (bool, error) {
	least, most := begin, len(x.text)
	short := x.root.prefers == shorter
	for {
		e, err := x.run(x.root.machine, begin, least, most, short)
		if err != nil || e < 0 {
			return false, err
		}
		for i := range x.found {
			x.found[i] = Span{-1, -1}
		}
		ok, err := x.divide(x.root, begin, e)
		if err != nil {
			return false, err
		}
		if ok {
			x.found[0] = Span{begin, e}
			return true, nil
		}
		if short {
			least = e + 1
		} else {
			most = e - 1
		}
		if least > most || most < begin {
			return false, nil
		}
	}
}

func (x *search) before(at int) before {
	if at == 0 {
		return beforeStart
	}
	return kindOf(x.text[at-1])
}

// run finds where a part that begins at a place ends: the first end from least on
// when it is to be short, or the last up to most. -1 where it does not match.
func (x *search) run(m *machine, begin, least, most int, short bool) (int, error) {
	s, err := m.initial(x.before(begin), x.meter)
	if err != nil {
		return -1, err
	}
	last := -1
	for at := begin; ; at++ {
		if (at-begin)&1023 == 0 {
			if err := x.meter.Charge(int64(min(1024, len(x.text)-at+1))/4 + 1); err != nil {
				return -1, err
			}
		}
		r := end
		if at < len(x.text) {
			r = x.text[at]
		}
		step, err := m.follow(s, r, x, at)
		if err != nil {
			return -1, err
		}
		if step.accept && at >= least && at <= most {
			if short {
				return at, nil
			}
			last = at
		}
		if step.next == nil || at >= most {
			return last, nil
		}
		s = step.next
	}
}

func (x *search) machineOf(n *node) (*machine, error) {
	if n.machine == nil {
		m, err := build(n, x.groups, false)
		if err != nil {
			return nil, err
		}
		if err := x.meter.Alloc(int64(len(m.code)) * 80); err != nil {
			return nil, err
		}
		n.machine = m
	}
	return n.machine, nil
}

func (x *search) longest(n *node, begin, limit int) (int, error) {
	m, err := x.machineOf(n)
	if err != nil {
		return -1, err
	}
	return x.run(m, begin, begin, limit, false)
}

func (x *search) shortest(n *node, begin, least, limit int) (int, error) {
	m, err := x.machineOf(n)
	if err != nil {
		return -1, err
	}
	return x.run(m, begin, least, limit, true)
}

func (x *search) exactly(n *node, begin, end int) (bool, error) {
	e, err := x.longest(n, begin, end)
	return e == end, err
}

// look evaluates a lookaround at a place.
func (x *search) look(n *node, at int) (bool, error) {
	inner := n.parts[0]
	if n.ahead {
		e, err := x.shortest(inner, at, at, len(x.text))
		return (e >= 0) != n.negative, err
	}
	for begin := at; begin >= 0; begin-- {
		ok, err := x.exactly(inner, begin, at)
		if err != nil {
			return false, err
		}
		if ok {
			return !n.negative, nil
		}
	}
	return n.negative, nil
}
