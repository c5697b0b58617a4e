package regex

import "unicode/utf16"

// Program is a compiled pattern. It never changes and may be shared between
// goroutines.
type Program struct {
	code     []inst
	sets     []*set
	literals [][]uint16
	loops    []loop
	splits   []split
	counts   []counter
	memos    []memoPoint
	backrefs []backref

	groups     int
	names      []Name
	registers  int
	codePoints bool
	sticky     bool

	// What every match must begin with, and contain.
	anchored bool     // matches begin where the input does
	prefix   []uint16 // every match begins with these units
	start    *set     // every match begins with one of these
	needed   []uint16 // every match contains these units
	least    int      // every match is at least so many units long
	again    bool     // a match that failed here fails up to the next line
	lineEnds *set

	conditions int // conditionals
	last       int // the capture that holds the group closed last, or -1

	bytes int64
}

// Groups is the number of captures, without the whole match.
func (p *Program) Groups() int { return p.groups }

// Names lists the group names in the order in which they first appear. The
// caller must not change it.
func (p *Program) Names() []Name { return p.names }

// CodePoints reports whether a character of the pattern is a code point rather
// than a code unit: the flags u and v.
func (p *Program) CodePoints() bool { return p.codePoints }

// Sticky reports whether a match must begin exactly where the search does: the
// flag y.
func (p *Program) Sticky() bool { return p.sticky }

// Bytes is about how much memory the program holds.
func (p *Program) Bytes() int64 { return p.bytes }

// LiteralPrefix is the text with which every match begins, which may be empty.
func (p *Program) LiteralPrefix() string { return string(utf16.Decode(p.prefix)) }

// opcode is what an instruction does. Those named Back move towards the start.
type opcode uint8

const (
	opChar      opcode = iota // one unit a
	opLiteral                 // the units literals[a]
	opSet                     // one character of sets[a]
	opCharBack                // one unit a
	opSetBack                 // one character of sets[a]
	opLoop                    // loops[a]
	opSplit                   // splits[a]
	opJump                    // to a
	opSave                    // captures[a] = position
	opForget                  // captures[a] to captures[b] are undefined
	opMark                    // registers[a] = position
	opMoved                   // to b, or fails if b is 0, if registers[a] is the position
	opCountInit               // registers of counts[a] start
	opCountLoop               // next iteration of counts[a], or out
	opCountEnd                // end of an iteration of counts[a]
	opBackref                 // backrefs[a]
	opLook                    // lookaround, b its end; c one of the below
	opLookEnd                 // the body of the innermost lookaround matched; a the opLook
	opTextStart
	opTextEnd
	opFinalEnd  // sets[a] the character before the end
	opLineStart // sets[a] line terminators
	opLineEnd
	opWord // sets[a] word characters; c != 0: not a boundary; 2: never in an empty text
	opFail
	opIf   // on if captures of group a are set, else to b
	opLast // captures[a] = b
	opMatch
)

// What opLook is.
const (
	lookPositive = iota
	lookNegated
	lookAtomic // what the body matches is consumed
)

type inst struct {
	op      opcode
	a, b, c int32
}

// loop repeats one character without a frame for each.
type loop struct {
	set      *set
	min, max int32
	lazy     bool
	back     bool
	// possessive: no character that the loop takes can be the one after it, so
	// giving back cannot help.
	possessive bool
	follow     *follow // what must come next, if known
	memo       int32
}

// follow is what must stand at a place for the match to go on.
type follow struct {
	set *set
	end bool // or the end of the input
}

// split goes on at x, and later at y.
type split struct {
	x, y             int32
	followX, followY *follow // nil: anything
	memo             int32
}

// counter repeats a body that is not one character.
type counter struct {
	min, max   int32
	lazy       bool
	leaves     bool  // a round that consumes nothing goes to exit
	count      int32 // register
	mark       int32 // register of the position at the start of the iteration, or -1
	body, exit int32 // the code of an iteration; what follows
	memo       int32
}

type backref struct {
	groups []int
	fold   folding
	back   bool
	must   bool
}

// memoPoint is a place in the program from which the rest of the match depends
// only on the position and on the registers listed.
type memoPoint struct {
	marks    []int32 // of the iterations that are open, outermost first
	counts   []int32 // registers
	radixes  []int32 // values each can have
	variants int64
	base     int64 // the number of its first state
	// inside says that the place is in the body of a lookaround.
	inside bool
}

// set is a charset made fast to ask.
type set struct {
	low  [4]uint64 // characters below 0x100
	high []span    // the others
	// oneUnit says that every member is one code unit, and none a surrogate.
	oneUnit bool
	chars   charset
}

func newSet(s charset) *set {
	f := &set{oneUnit: len(s) == 0 || s[len(s)-1].hi <= 0xFFFF && !s.meets(surrogates), chars: s}
	for i, x := range s {
		if x.hi > 0xFF && f.high == nil {
			f.high = s[i:]
		}
		for r := x.lo; r <= min(x.hi, 0xFF); r++ {
			f.low[r>>6] |= 1 << (r & 63)
		}
	}
	return f
}

func (s *set) has(r rune) bool {
	if uint32(r) < 0x100 {
		return s.low[r>>6]>>(r&63)&1 != 0
	}
	return s.hasHigh(r)
}

func (s *set) hasHigh(r rune) bool { return charset(s.high).has(r) }
