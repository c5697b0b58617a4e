package regex

// The tree that every front end builds and the compiler reads. It knows no
// dialect: case folding, what a line terminator or a word character is, and
// which characters an escape stands for are resolved by the front end into
// character sets.
//
// A tree nests no deeper than a few levels for each group of the pattern, whose
// depth Limits bound, so the walks over it may recurse.
type node interface{ isNode() }

// empty matches the empty text.
type empty struct{}

// char matches one character, exactly.
type char struct{ r rune }

// class matches one character of a set.
type class struct{ set charset }

// sequence matches its items one after the other.
type sequence struct{ items []node }

// alternation matches the first of its branches that lets the rest match.
type alternation struct{ branches []node }

// group captures what its body matches.
type group struct {
	index int // 1-based
	body  node
}

// repeat matches its body min to max times.
type repeat struct {
	body     node
	min, max int // max is infinite where there is no bound
	lazy     bool
	// firstGroup to lastGroup are the captures inside the body, forgotten at
	// the start of each iteration; none if lastGroup < firstGroup.
	firstGroup, lastGroup int
	// leaves says that a round which consumes nothing is the last one; without
	// it, such a round beyond min fails.
	leaves bool
}

// infinite is the max of a repeat without a bound.
const infinite = 1<<31 - 1

// look matches the empty text where its body matches ahead, or behind.
type look struct {
	body    node
	behind  bool
	negated bool
}

// backreference matches again what the one of its groups that took part has
// matched, or the empty text if none did.
type backreference struct {
	groups []int
	fold   folding
	// must says that it fails where no group took part.
	must bool
}

// conditional goes on with yes if a group has taken part, else with no.
type conditional struct {
	group   int
	yes, no node
}

// atomic matches its body in the first way there is, and no other.
type atomic struct{ body node }

// assertion matches the empty text at certain places.
type assertion struct {
	kind assertionKind
	set  charset // line terminators, or word characters
}

type assertionKind uint8

const (
	textStart            assertionKind = iota
	textEnd                            // the very end
	lineStart                          // the start, or after a character of the set
	lineEnd                            // the end, or before a character of the set
	wordBoundary                       // exactly one neighbour is in the set
	notWordBoundary                    // both neighbours are in the set, or neither
	innerNotWordBoundary               // the same, but nowhere in an empty text
	finalEnd                           // the end, or before the character of the set that ends the text
)

func (*empty) isNode()         {}
func (*char) isNode()          {}
func (*class) isNode()         {}
func (*sequence) isNode()      {}
func (*alternation) isNode()   {}
func (*group) isNode()         {}
func (*repeat) isNode()        {}
func (*look) isNode()          {}
func (*backreference) isNode() {}
func (*assertion) isNode()     {}
func (*conditional) isNode()   {}
func (*atomic) isNode()        {}

// tree is what a front end gives the compiler.
type tree struct {
	root   node
	groups int // captures, without the whole match
	names  []Name
	// codePoints says that a character is a code point, so that a surrogate
	// pair in UTF-16 input is one character; otherwise each unit is one.
	codePoints bool
	sticky     bool
	// lastGroup says that matches tell which group was closed last.
	lastGroup bool
}
