package regex

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/polyglove/polyglove/sandbox"
)

var (
	nodeCases = flag.Int("node-cases", 12_000, "random cases to compare with node")
	nodeSeed  = flag.Uint64("node-seed", 1, "seed of the random cases")
)

// question is one pattern and subject, in code units.
type question struct {
	Pattern []int  `json:"p"`
	Flags   string `json:"f"`
	Subject []int  `json:"s"`
	At      int    `json:"at"`
}

// overBudget is our answer where the fuel ran out.
const overBudget = "over budget"

// answer is what an engine says: an error's text, or the bounds of captures.
type answer struct {
	Error string `json:"e,omitempty"`
	Match []int  `json:"m,omitempty"`
}

func (q question) String() string {
	return fmt.Sprintf("/%s/%s on %q at %d", string(utf16.Decode(q16(q.Pattern))), q.Flags, string(utf16.Decode(q16(q.Subject))), q.At)
}

func q16(a []int) []uint16 {
	out := make([]uint16, len(a))
	for i, x := range a {
		out[i] = uint16(x)
	}
	return out
}

func q32(s string) []int {
	var out []int
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, int(u))
	}
	return out
}

// askNode gives node's answers, or skips the test where there is no node.
func askNode(t *testing.T, qs []question) []answer {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node on this machine to compare with")
	}
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range qs {
		if q.Pattern == nil {
			q.Pattern = []int{}
		}
		if q.Subject == nil {
			q.Subject = []int{}
		}
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "testdata/oracle.js")
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var as []answer
	dec := json.NewDecoder(bytes.NewReader(out))
	for dec.More() {
		var a answer
		if err := dec.Decode(&a); err != nil {
			t.Fatal(err)
		}
		as = append(as, a)
	}
	if len(as) != len(qs) {
		t.Fatalf("node gave %d answers to %d questions", len(as), len(qs))
	}
	return as
}

// ourAnswer is what this package says.
func ourAnswer(t *testing.T, x *Matcher, q question) answer {
	t.Helper()
	p, err := CompileUTF16(q16(q.Pattern), q.Flags, ECMAScript, DefaultLimits())
	if err != nil {
		var f *sandbox.Fault
		if !errors.As(err, &f) || f.Kind != sandbox.KindSyntax {
			t.Fatalf("%v: error of a wrong kind: %v", q, err)
		}
		return answer{Error: f.Message}
	}
	m := testMeter(t, sandbox.DefaultLimits())
	units := q16(q.Subject)
	got := execOn(t, x, p, UTF16(units), q, m)
	// A long match remembers what failed; what it finds must be the same.
	x.eager = true
	if long := execOn(t, x, p, UTF16(units), q, m); !slices.Equal(got.Match, long.Match) {
		t.Errorf("%v: %v, as a long match %v", q, got.Match, long.Match)
	}
	x.eager = false
	if s := string(utf16.Decode(units)); isASCII(s) {
		if narrow := execOn(t, x, p, ASCII(s), q, m); !slices.Equal(got.Match, narrow.Match) {
			t.Errorf("%v: %v in UTF-16, %v in ASCII", q, got.Match, narrow.Match)
		}
	}
	if strings.ContainsAny(q.Flags, "uv") && q.At == 0 && !slices.ContainsFunc(utf16.Decode(units), func(r rune) bool { return r == 0xFFFD }) {
		runes := utf16.Decode(units)
		wide := execOn(t, x, p, Runes(runes), q, m)
		for i, at := range wide.Match {
			if at >= 0 {
				wide.Match[i] = len(utf16.Encode(runes[:at]))
			}
		}
		if !slices.Equal(got.Match, wide.Match) {
			t.Errorf("%v: %v in UTF-16, %v in code points", q, got.Match, wide.Match)
		}
	}
	return got
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

func execOn(t *testing.T, x *Matcher, p *Program, in Input, q question, m *sandbox.Meter) answer {
	t.Helper()
	captures, ok, err := x.Exec(p, in, q.At, m)
	var f *sandbox.Fault
	switch {
	case errors.As(err, &f) && f.Kind == sandbox.KindFuel && len(p.backrefs) > 0:
		return answer{Error: overBudget}
	case err != nil:
		t.Errorf("%v: %v", q, err)
	}
	if !ok {
		return answer{}
	}
	return answer{Match: slices.Clone(captures)}
}

func testMeter(t testing.TB, l sandbox.Limits) *sandbox.Meter {
	t.Helper()
	m, err := sandbox.NewMeter(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// explained tells why an answer may differ from that of the node compared with;
// testdata/DIVERGENCES lists the reasons.
func explained(q question, ours, theirs answer) bool {
	pattern := string(utf16.Decode(q16(q.Pattern)))
	switch {
	case ours.Error == overBudget:
		return true // budget
	case strings.Contains(theirs.Error, "Duplicate capture group name") && ours.Error == "":
		return true // repeated-names
	case strings.Contains(theirs.Error, "Invalid group") && modifierGroup.MatchString(pattern):
		return true // modifiers
	case strings.ContainsAny(q.Flags, "uv") && len(theirs.Match) > 0 && splitsPair(q.Subject, theirs.Match[0]):
		return true // inside-pairs
	case strings.ContainsAny(q.Flags, "uv") && splitsPair(q.Subject, q.At):
		return true // index-inside-pair
	case strings.Contains(q.Flags, "v") && (strings.Contains(pattern, "[^]") || strings.Contains(pattern, "[^[]")):
		return true // empty-negated-v
	case strings.Contains(q.Flags, "i") && strings.Contains(q.Flags, "v") && strings.Contains(pattern, `\w--`):
		return true // words-without-v
	case strings.Contains(q.Flags, "i") && strings.Contains(q.Flags, "v") && nestedNegation.MatchString(pattern):
		return true // nested-negation
	}
	return false
}

var nestedNegation = regexp.MustCompile(`\[.*\[\^.*(?:&&|--)`)

var modifierGroup = regexp.MustCompile(`\(\?[ims-]+:`)

// splitsPair reports whether a place is inside a surrogate pair.
func splitsPair(units []int, at int) bool {
	return at > 0 && at < len(units) && isLead(rune(units[at-1])) && isTrail(rune(units[at]))
}

func compareWithNode(t *testing.T, qs []question) {
	t.Helper()
	theirs := askNode(t, qs)
	var x Matcher
	different, excused, matched, failed := 0, 0, 0, 0
	for i, q := range qs {
		ours := ourAnswer(t, &x, q)
		switch {
		case theirs[i].Error != "":
			failed++
		case theirs[i].Match != nil:
			matched++
		}
		if ours.Error == theirs[i].Error && slices.Equal(ours.Match, theirs[i].Match) {
			continue
		}
		if explained(q, ours, theirs[i]) {
			excused++
			continue
		}
		if different++; different <= 40 {
			t.Errorf("%v:\n ours %+v\n node %+v", q, ours, theirs[i])
		}
	}
	t.Logf("%d cases: %d matches, %d syntax errors, %d explained differences, %d unexplained", len(qs), matched, failed, excused, different)
}

// TestRandomPatternsAgainstNode compares matches and captures over patterns made
// at random from the grammar.
func TestRandomPatternsAgainstNode(t *testing.T) {
	rnd := rand.New(rand.NewPCG(*nodeSeed, 2))
	var qs []question
	for len(qs) < *nodeCases {
		g := newGenerator(rnd)
		pattern := g.pattern()
		for range 2 {
			s := g.subject()
			at := 0
			if rnd.IntN(4) == 0 {
				at = rnd.IntN(len(q32(s)) + 1)
			}
			qs = append(qs, question{q32(pattern), g.flags, q32(s), at})
		}
	}
	compareWithNode(t, qs)
}

// TestRandomSyntaxAgainstNode compares what is accepted, and the errors, over
// texts made of the characters that mean something.
func TestRandomSyntaxAgainstNode(t *testing.T) {
	rnd := rand.New(rand.NewPCG(*nodeSeed, 4))
	pieces := []string{
		"a", "b", "1", "0", "8", "(", ")", "(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?<m>", "(?", "[", "]", "[^", "-",
		"{", "}", "{1}", "{2,", "{1,2}", "{3,1}", ",", "*", "+", "?", "|", "^", "$", ".", "\\", "\\d", "\\W", "\\s", "\\b", "\\B", "\\1", "\\2",
		"\\01", "\\0", "\\377", "\\8", "\\k", "\\k<n>", "\\k<x>", "\\x41", "\\x4", "\\u0041", "\\u{61}", "\\u", "\\cA", "\\c", "\\c1", "\\-", "\\p{L}",
		"\\P{Lu}", "\\p{Foo}", "\\p", "\\q{a|b}", "&&", "--", "&", "!!", "\\/", "/", "é", "😀", "\\ud83d\\ude00", "<", ">", ":", "=", "\\z",
	}
	var qs []question
	for range *nodeCases {
		var b strings.Builder
		for range 1 + rnd.IntN(7) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		flags := []string{"", "", "", "u", "v", "i", "iu"}[rnd.IntN(7)]
		qs = append(qs, question{q32(b.String()), flags, q32("ab1-aA"), 0})
	}
	compareWithNode(t, qs)
}

// TestRandomClassesAgainstNode compares classes of v mode, right and wrong.
func TestRandomClassesAgainstNode(t *testing.T) {
	rnd := rand.New(rand.NewPCG(*nodeSeed, 8))
	pieces := []string{
		"a", "b", "z", "0", "9", "_", "A", "é", "😀", "[", "]", "[^", "[a-c]", "[^b]", "-", "--", "&&", "&", "a-z", "0-9", "\\d", "\\w", "\\W", "\\s", "\\p{L}",
		"\\P{Lu}", "\\p{Lu}", "\\q{a}", "\\q{ab|c}", "\\q{abc|ab|}", "\\q{", "}", "{", "(", ")", "|", "\\-", "\\&", "\\b", "\\u{61}", "\\x61", "^", "!!", "\\!", "\\c",
		"\\p{Emoji_Keycap_Sequence}", "\\p{RGI_Emoji_Flag_Sequence}",
	}
	var qs []question
	for range *nodeCases {
		var b strings.Builder
		b.WriteString([]string{"[", "[^", "[["}[rnd.IntN(3)])
		for range 1 + rnd.IntN(5) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		b.WriteString([]string{"]", "]+", "]]", "]]*"}[rnd.IntN(4)])
		subject := []string{"abcABC", "ab1_-", "é😀b", "cab&^!", "1\ufe0f\u20e3🇫🇷"}[rnd.IntN(5)]
		qs = append(qs, question{q32(b.String()), []string{"v", "v", "iv"}[rnd.IntN(3)], q32(subject), 0})
	}
	compareWithNode(t, qs)
}

// generator makes patterns of one mode and subjects that they are likely to
// match.
type generator struct {
	rnd    *rand.Rand
	flags  string
	modern bool // u or v
	depth  int
	groups int
	named  []string
	chars  []string
}

func newGenerator(rnd *rand.Rand) *generator {
	g := &generator{rnd: rnd}
	for _, f := range "imsy" {
		if rnd.IntN(4) == 0 {
			g.flags += string(f)
		}
	}
	switch rnd.IntN(6) {
	case 0:
		g.flags, g.modern = g.flags+"u", true
	case 1:
		g.flags, g.modern = g.flags+"v", true
	}
	g.chars = []string{"a", "b", "c"}
	switch rnd.IntN(4) {
	case 0:
		g.chars = []string{"a", "B", "é", "É", "ß", "ſ", "K", "k", "s", "Σ", "ς", "ǆ", "ǅ", "İ", "i", "ı", "ÿ", "Ÿ", "µ", "μ", "ᾀ", "ẞ"}
	case 1:
		g.chars = []string{"a", "1", " ", "\n", "_", "\u2028", "A", "-"}
	case 2:
		if g.modern || rnd.IntN(2) == 0 {
			g.chars = []string{"a", "😀", "😁", "𐐀", "𐐨", "b"}
		}
	}
	return g
}

func (g *generator) pick(list ...string) string { return list[g.rnd.IntN(len(list))] }

func (g *generator) char() string {
	c := g.pick(g.chars...)
	if c == "-" && g.modern {
		return "a"
	}
	return c
}

func (g *generator) pattern() string { return g.disjunction() }

func (g *generator) disjunction() string {
	n := 1
	if g.rnd.IntN(3) == 0 {
		n = 2 + g.rnd.IntN(2)
	}
	var parts []string
	for range n {
		parts = append(parts, g.sequence())
	}
	return strings.Join(parts, "|")
}

func (g *generator) sequence() string {
	var b strings.Builder
	for range g.rnd.IntN(4) {
		b.WriteString(g.term())
	}
	return b.String()
}

func (g *generator) term() string {
	switch g.rnd.IntN(12) {
	case 0:
		return g.pick("^", "$", "\\b", "\\B")
	case 1:
		if g.depth < 3 {
			g.depth++
			defer func() { g.depth-- }()
			l := g.pick("(?=", "(?!", "(?<=", "(?<!") + g.disjunction() + ")"
			if !g.modern && l[2] != '<' && g.rnd.IntN(4) == 0 {
				l += g.quantifier()
			}
			return l
		}
	}
	a := g.atom()
	if g.rnd.IntN(3) == 0 {
		a += g.quantifier()
	}
	return a
}

func (g *generator) quantifier() string {
	return g.pick("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}", "{2,}", "{1,}?", "{0,1}?", "{0}", "{1}", "{1,3}?")
}

func (g *generator) atom() string {
	switch g.rnd.IntN(14) {
	case 0, 1, 2:
		if g.depth >= 4 {
			break
		}
		g.depth++
		defer func() { g.depth-- }()
		switch g.rnd.IntN(4) {
		case 0:
			return "(?:" + g.disjunction() + ")"
		case 1:
			name := fmt.Sprintf("n%d", len(g.named))
			g.groups++
			g.named = append(g.named, name)
			return "(?<" + name + ">" + g.disjunction() + ")"
		}
		g.groups++
		return "(" + g.disjunction() + ")"
	case 3:
		if g.groups > 0 {
			return fmt.Sprintf("\\%d(?:)", 1+g.rnd.IntN(g.groups))
		}
	case 4:
		if len(g.named) > 0 {
			return "\\k<" + g.pick(g.named...) + ">"
		}
	case 5:
		return "."
	case 6, 7:
		return g.class()
	case 8:
		return g.setEscape()
	}
	return g.char()
}

func (g *generator) setEscape() string {
	if g.modern && g.rnd.IntN(2) == 0 {
		return g.pick("\\p{L}", "\\P{L}", "\\p{Lu}", "\\P{Lu}", "\\p{Ll}", "\\p{ASCII}", "\\p{Script=Greek}", "\\p{Emoji}", "\\p{Any}", "\\p{Nd}")
	}
	return g.pick("\\d", "\\D", "\\w", "\\W", "\\s", "\\S")
}

func (g *generator) class() string {
	var b strings.Builder
	b.WriteString(g.pick("[", "[", "[^"))
	for range g.rnd.IntN(4) {
		switch g.rnd.IntN(4) {
		case 0:
			b.WriteString(g.setEscape())
		case 1:
			b.WriteString(g.pick("a-b", "A-Z", "b-c", "à-ÿ", "Α-ω"))
		default:
			b.WriteString(g.char())
		}
	}
	if strings.Contains(g.flags, "v") && g.rnd.IntN(3) == 0 {
		op := g.pick("&&", "--")
		return "[" + g.class() + op + g.pick("[a-b]", "\\w", "\\p{L}", "[^a]", "[aé]") + "]"
	}
	return b.String() + "]"
}

func (g *generator) subject() string {
	var b strings.Builder
	for range g.rnd.IntN(11) {
		b.WriteString(g.pick(g.chars...))
	}
	return b.String()
}
