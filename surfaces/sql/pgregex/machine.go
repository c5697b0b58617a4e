package pgregex

import (
	"encoding/binary"
	"slices"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
)

// Meter is charged for work and memory; a *sandbox.Meter is one.
type Meter interface {
	Charge(n int64) error
	Alloc(n int64) error
}

type op uint8

const (
	opChar op = iota
	opSplit
	opAssert
	opLook
	opMatch
)

// instruction is a step of an automaton.
type instruction struct {
	op   op
	set  *set
	what assertion
	look *node
	next int
	also int // of opSplit
}

const maxInstructions = 50_000

// machine is the automaton of a part of an expression, with those of its states
// that have been met.
type machine struct {
	code   []instruction
	looks  bool
	states map[string]*state
	held   int64
}

// build makes the automaton of a node. Back references match what their group may
// match; that they match the same is checked when the match is divided.
func build(n *node, groups []*node, anywhere bool) (*machine, *pgerr.Error) {
	m := &machine{looks: n.looks || n.refers, states: map[string]*state{}}
	b := builder{m: m, groups: groups}
	if anywhere {
		b.emit(instruction{op: opSplit, next: 2, also: 1})
		b.emit(instruction{op: opChar, set: &set{negative: true}, next: 0})
	}
	b.node(n)
	b.emit(instruction{op: opMatch})
	if b.tooBig {
		return nil, errTooBig
	}
	return m, nil
}

type builder struct {
	m      *machine
	groups []*node
	tooBig bool
}

func (b *builder) emit(i instruction) int {
	if len(b.m.code) > maxInstructions {
		b.tooBig = true
		return len(b.m.code) - 1
	}
	b.m.code = append(b.m.code, i)
	return len(b.m.code) - 1
}

func (b *builder) here() int { return len(b.m.code) }

// node appends the code of a node; it falls through to what comes after.
func (b *builder) node(n *node) {
	if b.tooBig {
		return
	}
	switch n.kind {
	case chars:
		at := b.emit(instruction{op: opChar, set: n.set})
		b.m.code[at].next = b.here()
	case assert:
		at := b.emit(instruction{op: opAssert, what: n.what})
		b.m.code[at].next = b.here()
	case look:
		b.m.looks = true
		at := b.emit(instruction{op: opLook, look: n})
		b.m.code[at].next = b.here()
	case concat:
		for _, part := range n.parts {
			b.node(part)
		}
	case group:
		b.node(n.parts[0])
	case backref:
		if g := b.groups[n.number-1]; g != nil {
			b.node(g)
		}
	case alternate:
		b.alternatives(n.parts)
	case repeat:
		b.repetition(n)
	}
}

func (b *builder) alternatives(parts []*node) {
	var ends []int
	for i, part := range parts {
		if i == len(parts)-1 {
			b.node(part)
			break
		}
		split := b.emit(instruction{op: opSplit})
		b.m.code[split].next = b.here()
		b.node(part)
		ends = append(ends, b.emit(instruction{op: opSplit}))
		b.m.code[split].also = b.here()
	}
	for _, e := range ends {
		b.m.code[e].next, b.m.code[e].also = b.here(), b.here()
	}
}

func (b *builder) repetition(n *node) {
	for range n.min {
		b.node(n.parts[0])
	}
	if n.max == infinite {
		loop := b.emit(instruction{op: opSplit})
		b.m.code[loop].next = b.here()
		b.node(n.parts[0])
		back := b.emit(instruction{op: opSplit})
		b.m.code[back].next, b.m.code[back].also = loop, loop
		b.m.code[loop].also = b.here()
		return
	}
	var skips []int
	for range n.max - n.min {
		skip := b.emit(instruction{op: opSplit})
		b.m.code[skip].next = b.here()
		skips = append(skips, skip)
		b.node(n.parts[0])
	}
	for _, s := range skips {
		b.m.code[s].also = b.here()
	}
}

// before says what stands before a place.
type before uint8

const (
	beforeStart before = 1 << iota
	beforeNewline
	beforeWord
)

func kindOf(r rune) before {
	var k before
	if r == '\n' {
		k |= beforeNewline
	}
	if isWord(r) {
		k |= beforeWord
	}
	return k
}

// end stands for the end of the text where a next character is wanted.
const end rune = -1

// state is a set of instructions that are reached before a place.
type state struct {
	code   []int
	before before
	ascii  [129]*step // by the next character; the last for the end
	other  map[rune]*step
}

// step is what the next character makes of a state.
type step struct {
	next   *state // nil when nothing can match any more
	accept bool   // whether the part may end before the character
}

// initial gives the state before a place.
func (m *machine) initial(k before, meter Meter) (*state, error) {
	return m.state([]int{0}, k, meter)
}

const (
	stateBytes = 1300
	maxStates  = 4000
)

func (m *machine) state(code []int, k before, meter Meter) (*state, error) {
	key := make([]byte, 0, 2*len(code)+1)
	key = append(key, byte(k))
	for _, c := range code {
		key = binary.AppendUvarint(key, uint64(c))
	}
	if s, ok := m.states[string(key)]; ok {
		return s, nil
	}
	if len(m.states) >= maxStates {
		clear(m.states)
	}
	size := int64(stateBytes + 8*len(code) + len(key))
	if m.held < maxStates*stateBytes {
		if err := meter.Alloc(size); err != nil {
			return nil, err
		}
		m.held += size
	}
	s := &state{code: slices.Clone(code), before: k}
	m.states[string(key)] = s
	return s, nil
}

// follow gives what a character does, from the state's memory where that is right:
// what lies around the place matters only to lookarounds.
func (m *machine) follow(s *state, r rune, x *search, at int) (*step, error) {
	if m.looks {
		return m.compute(s, r, x, at)
	}
	slot := r
	if r == end {
		slot = 128
	}
	if slot < 129 {
		if s.ascii[slot] == nil {
			made, err := m.compute(s, r, x, at)
			if err != nil {
				return nil, err
			}
			s.ascii[slot] = made
		}
		return s.ascii[slot], nil
	}
	if made, ok := s.other[r]; ok {
		return made, nil
	}
	made, err := m.compute(s, r, x, at)
	if err != nil {
		return nil, err
	}
	if s.other == nil || len(s.other) > 500 {
		s.other = map[rune]*step{}
	}
	s.other[r] = made
	return made, x.meter.Alloc(64)
}

func (m *machine) compute(s *state, r rune, x *search, at int) (*step, error) {
	if err := x.meter.Charge(int64(4 + len(s.code))); err != nil {
		return nil, err
	}
	seen := make(map[int]bool, 2*len(s.code))
	stack := slices.Clone(s.code)
	var reached []int
	out := &step{}
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		i := &m.code[pc]
		switch i.op {
		case opMatch:
			out.accept = true
		case opSplit:
			stack = append(stack, i.also, i.next)
		case opAssert:
			if holds(i.what, s.before, r) {
				stack = append(stack, i.next)
			}
		case opLook:
			ok, err := x.look(i.look, at)
			if err != nil {
				return nil, err
			}
			if ok {
				stack = append(stack, i.next)
			}
		case opChar:
			if r != end && i.set.has(r) {
				reached = append(reached, i.next)
			}
		}
	}
	if err := x.meter.Charge(int64(len(seen))); err != nil {
		return nil, err
	}
	if len(reached) == 0 {
		return out, nil
	}
	slices.Sort(reached)
	next, err := m.state(slices.Compact(reached), kindOf(r), x.meter)
	out.next = next
	return out, err
}

// holds reports whether an assertion holds between what is before and a character.
func holds(what assertion, k before, r rune) bool {
	word := r != end && isWord(r)
	switch what {
	case textStart:
		return k&beforeStart != 0
	case textEnd:
		return r == end
	case lineStart:
		return k&(beforeStart|beforeNewline) != 0
	case lineEnd:
		return r == end || r == '\n'
	case wordStart:
		return k&beforeWord == 0 && word
	case wordEnd:
		return k&beforeWord != 0 && !word
	case wordBoundary:
		return (k&beforeWord != 0) != word
	case noWordBoundary:
		return (k&beforeWord != 0) == word
	}
	return false
}
