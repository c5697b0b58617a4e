package regex

import (
	"slices"
	"unicode/utf16"

	"github.com/polyglove/polyglove/sandbox"
)

// Dialect is a syntax of patterns.
type Dialect uint8

// The dialects.
const (
	// ECMAScript is the syntax of ECMA-262 2024 with Annex B, and the modifier
	// groups and repeated group names of ECMA-262 2025.
	ECMAScript Dialect = iota
)

// parse makes the tree of a pattern: each dialect has its front end.
func (d Dialect) parse(pattern []uint16, flags string, l Limits) (*tree, error) {
	if d == ECMAScript {
		return parseECMAScript(pattern, flags, l)
	}
	return nil, &sandbox.Fault{Kind: sandbox.KindInternal, Message: "this dialect of regular expressions is not available."}
}

// Compile makes a program of a pattern. For a pattern or flags that the dialect
// does not have it gives a *sandbox.Fault of kind syntax whose cause is a
// *SyntaxError; if a limit of the meter is hit, the meter's fault.
//
// What compiling needs is charged to the meter before, and what the program does
// not keep is given back: Bytes of the program stay charged.
func Compile(pattern, flags string, d Dialect, l Limits) (*Program, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	if len(pattern) > 4*l.Source {
		// Too long in any encoding: refused before all of it is copied.
		pattern = pattern[:4*l.Source]
	}
	bytes := 6 * int64(len(pattern))
	if err := l.charge(int64(len(pattern)), bytes); err != nil {
		return nil, err
	}
	defer l.release(bytes)
	return CompileUTF16(utf16.Encode([]rune(pattern)), flags, d, l)
}

// CompileUTF16 is Compile for a pattern in UTF-16 code units, paired or not.
func CompileUTF16(pattern []uint16, flags string, d Dialect, l Limits) (*Program, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	before := l.used()
	t, err := d.parse(pattern, flags, l)
	if err != nil {
		l.release(l.used() - before)
		return nil, err
	}
	p, work := generate(t)
	l.release(l.used() - before - p.bytes)
	if err := l.charge(work, 0); err != nil {
		return nil, err
	}
	return p, nil
}

// compiler turns a tree into a program. The front end has bounded the tree, and
// the program grows with the tree: repetition counts are run, not copied out.
type compiler struct {
	p      *Program
	setIDs map[*span]int32 // by the first span, because sets are shared
	marks  []int32         // registers of iterations that are open
	counts []openCount     // counters that are open
	behind bool            // in a lookbehind: towards the start
	looks  int             // how many lookarounds are open
	steps  int             // work left for firsts
}

type openCount struct{ register, radix int32 }

// maxAnalysis bounds the work of finding out what parts of a pattern can begin
// with; beyond it the program is as right but less quick.
const maxAnalysis = 200_000

// generate makes the program of a tree, and tells how many units of work the
// analysis took, at most a few milliseconds' worth.
func generate(t *tree) (*Program, int64) {
	p := &Program{groups: t.groups, names: t.names, codePoints: t.codePoints, sticky: t.sticky, last: -1}
	if t.lastGroup {
		p.last = 2 * (p.groups + 1)
	}
	c := &compiler{p: p, setIDs: map[*span]int32{}, steps: maxAnalysis}
	c.gen(t.root, anything)
	c.emit(inst{op: opMatch})
	dropUnsafeMemos(p)
	c.findStart(t.root)
	p.bytes = p.measure()
	return p, int64(maxAnalysis-max(0, c.steps)) / 4
}

// measure adds up what the program holds.
func (p *Program) measure() int64 {
	n := 512 + 16*len(p.code) + 48*(len(p.loops)+len(p.splits)+len(p.counts)) + 96*len(p.memos) + 64*len(p.names)
	for _, s := range p.sets {
		n += 96 + 8*len(s.chars)
	}
	for _, l := range p.literals {
		n += 24 + 2*len(l)
	}
	return int64(n)
}

func (c *compiler) emit(i inst) int32 {
	c.p.code = append(c.p.code, i)
	return int32(len(c.p.code) - 1)
}

// here is the place of the next instruction.
func (c *compiler) here() int32 { return int32(len(c.p.code)) }

// setID gives the place of a set in the program.
func (c *compiler) setID(s charset) int32 {
	if len(s) > 0 {
		if id, ok := c.setIDs[&s[0]]; ok && len(c.p.sets[id].chars) == len(s) {
			return id
		}
	}
	id := int32(len(c.p.sets))
	c.p.sets = append(c.p.sets, newSet(s))
	if len(s) > 0 {
		c.setIDs[&s[0]] = id
	}
	return id
}

func (c *compiler) set(s charset) *set { return c.p.sets[c.setID(s)] }

// following makes the test for what must come next, or nil if anything can.
func (c *compiler) following(f first) *follow {
	if c.behind || !f.some() {
		return nil
	}
	return &follow{c.set(f.set), f.end}
}

// memo makes a memo point of the current place.
func (c *compiler) memo() int32 {
	const mostPoints, mostVariants = 1 << 14, 1 << 24
	m := memoPoint{marks: slices.Clone(c.marks), inside: c.looks > 0, variants: int64(len(c.marks)) + 1}
	for _, o := range c.counts {
		m.counts = append(m.counts, o.register)
		m.radixes = append(m.radixes, o.radix)
		if m.variants *= int64(o.radix); m.variants > mostVariants {
			return -1
		}
	}
	if len(c.p.memos) >= mostPoints || len(c.marks)+len(c.counts) > 32 {
		return -1
	}
	c.p.memos = append(c.p.memos, m)
	return int32(len(c.p.memos) - 1)
}

func (c *compiler) register() int32 {
	c.p.registers++
	return int32(c.p.registers - 1)
}

// gen emits the code of a node; after says what can come next.
func (c *compiler) gen(n node, after first) {
	switch n := n.(type) {
	case *char:
		c.genChar(n.r)
	case *class:
		c.genSet(n.set)
	case *sequence:
		c.genSequence(n.items, after)
	case *alternation:
		c.genAlternation(n.branches, after)
	case *group:
		c.genGroup(n, after)
	case *repeat:
		c.genRepeat(n, after)
	case *look:
		c.genLook(n)
	case *backreference:
		c.p.backrefs = append(c.p.backrefs, backref{n.groups, n.fold, c.behind, n.must})
		c.emit(inst{op: opBackref, a: int32(len(c.p.backrefs) - 1)})
	case *assertion:
		c.genAssertion(n)
	case *conditional:
		c.genConditional(n, after)
	case *atomic:
		c.genAtomic(n)
	}
}

// oneUnit reports whether a character is one unit wherever it stands.
func (p *Program) oneUnit(r rune) bool {
	return r <= 0xFFFF && !(p.codePoints && utf16.IsSurrogate(r))
}

func (c *compiler) genChar(r rune) {
	switch {
	case !c.p.oneUnit(r):
		c.genSet(single(r))
	case c.behind:
		c.emit(inst{op: opCharBack, a: r})
	default:
		c.emit(inst{op: opChar, a: r})
	}
}

func (c *compiler) genSet(s charset) {
	op := opSet
	switch {
	case len(s) == 0:
		op = opFail
	case c.behind:
		op = opSetBack
	}
	c.emit(inst{op: op, a: c.setID(s)})
}

// genSequence emits items in the direction of matching; runs of characters
// become one instruction.
func (c *compiler) genSequence(items []node, after first) {
	if c.behind {
		for _, item := range slices.Backward(items) {
			c.gen(item, anything)
		}
		return
	}
	afters := make([]first, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		afters[i] = after
		after = firstOf(items[i], &c.steps).then(after, &c.steps)
	}
	for i := 0; i < len(items); {
		if run := c.run(items[i:]); len(run) > 1 {
			c.p.literals = append(c.p.literals, run)
			c.emit(inst{op: opLiteral, a: int32(len(c.p.literals) - 1)})
			i += len(run)
			continue
		}
		c.gen(items[i], afters[i])
		i++
	}
}

// run is the characters of one unit with which items begin.
func (c *compiler) run(items []node) []uint16 {
	var units []uint16
	for _, item := range items {
		ch, ok := item.(*char)
		if !ok || !c.p.oneUnit(ch.r) {
			break
		}
		units = append(units, uint16(ch.r))
	}
	return units
}

// genAlternation emits a chain of splits, each to one branch or the rest.
func (c *compiler) genAlternation(branches []node, after first) {
	var ends []int32
	last := len(branches) - 1
	for i, b := range branches[:last] {
		s := split{followX: c.following(firstOf(b, &c.steps).then(after, &c.steps)), memo: c.memo()}
		if i == last-1 {
			s.followY = c.following(firstOf(branches[last], &c.steps).then(after, &c.steps))
		}
		id := len(c.p.splits)
		c.p.splits = append(c.p.splits, s)
		c.emit(inst{op: opSplit, a: int32(id)})
		c.p.splits[id].x = c.here()
		c.gen(b, after)
		ends = append(ends, c.emit(inst{op: opJump}))
		c.p.splits[id].y = c.here()
	}
	c.gen(branches[last], after)
	for _, e := range ends {
		c.p.code[e].a = c.here()
	}
}

func (c *compiler) genGroup(n *group, after first) {
	open, end := int32(2*n.index), int32(2*n.index+1)
	if c.behind {
		open, end = end, open
	}
	c.emit(inst{op: opSave, a: open})
	c.gen(n.body, after)
	c.emit(inst{op: opSave, a: end})
	if c.p.last >= 0 {
		c.emit(inst{op: opLast, a: int32(c.p.last), b: int32(n.index)})
	}
}

// genConditional emits both branches behind a test of the group.
func (c *compiler) genConditional(n *conditional, after first) {
	c.p.conditions++
	test := c.emit(inst{op: opIf, a: int32(n.group)})
	c.gen(n.yes, after)
	end := c.emit(inst{op: opJump})
	c.p.code[test].b = c.here()
	c.gen(n.no, after)
	c.p.code[end].a = c.here()
}

// genAtomic emits a lookaround whose text is consumed.
func (c *compiler) genAtomic(n *atomic) {
	at := c.emit(inst{op: opLook, c: lookAtomic})
	c.looks++
	c.gen(n.body, anything)
	c.looks--
	c.emit(inst{op: opLookEnd, a: at})
	c.p.code[at].b = c.here()
}

func (c *compiler) genLook(n *look) {
	at := c.emit(inst{op: opLook})
	behind := c.behind
	c.behind = n.behind
	c.looks++
	c.gen(n.body, anything)
	c.looks--
	c.behind = behind
	c.emit(inst{op: opLookEnd, a: at})
	c.p.code[at].b = c.here()
	if n.negated {
		c.p.code[at].c = lookNegated
	}
}

func (c *compiler) genAssertion(n *assertion) {
	switch n.kind {
	case textStart:
		c.emit(inst{op: opTextStart})
	case textEnd:
		c.emit(inst{op: opTextEnd})
	case finalEnd:
		c.emit(inst{op: opFinalEnd, a: c.setID(n.set)})
	case innerNotWordBoundary:
		c.emit(inst{op: opWord, a: c.setID(n.set), c: 2})
	case lineStart:
		c.emit(inst{op: opLineStart, a: c.setID(n.set)})
	case lineEnd:
		c.emit(inst{op: opLineEnd, a: c.setID(n.set)})
	case wordBoundary:
		c.emit(inst{op: opWord, a: c.setID(n.set)})
	case notWordBoundary:
		c.emit(inst{op: opWord, a: c.setID(n.set), c: 1})
	}
}
