package compile_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/lisp/oracle"
)

// patternMaker writes random patterns of java.util.regex.
type patternMaker struct {
	r      *rand.Rand
	groups int
	plain  int // inside of a group where Java leaves groups of failed tries: none are made
}

func (g *patternMaker) one(choices ...string) string { return choices[g.r.IntN(len(choices))] }

func (g *patternMaker) alternatives(depth int) string {
	out := g.sequence(depth)
	for g.r.IntN(4) == 0 {
		out += "|" + g.sequence(depth)
	}
	return out
}

func (g *patternMaker) sequence(depth int) string {
	var out strings.Builder
	for range 1 + g.r.IntN(3) {
		before := g.groups
		atom := g.atom(depth)
		out.WriteString(atom)
		if g.r.IntN(3) == 0 && !strings.HasPrefix(atom, "(?=") && !strings.HasPrefix(atom, "(?!") && !strings.HasPrefix(atom, "(?<") {
			out.WriteString(g.one("*", "+", "?", "{2}", "{1,2}", "{0,1}", "{1,}"))
			if g.groups == before {
				out.WriteString(g.one("", "", "?", "+"))
			}
		}
	}
	return out.String()
}

func (g *patternMaker) atom(depth int) string {
	n := g.r.IntN(14)
	if depth <= 0 && n > 8 {
		n -= 8
	}
	switch n {
	case 0, 1, 2:
		return g.one("a", "b", "A", "1", "_", " ", "é", "ß", "-", "x", `\.`, `\-`, "\u2028", "É", "ǅ", "ٳ", "]", "}", "k")
	case 3:
		return g.one(".", "^", "$", `\b`, `\B`, `\A`, `\z`, `\Z`, `(?:$)`)
	case 4:
		return g.one(`\d`, `\w`, `\s`, `\h`, `\v`, `\R`, `\D`, `\W`, `\S`, `\H`, `\V`)
	case 5:
		return g.one(`\p{Alpha}`, `\p{L}`, `\pL`, `\p{Lu}`, `\P{L}`, `\p{IsAlphabetic}`, `\p{Punct}`, `\p{Upper}`, `\p{IsLatin}`, `\p{javaLowerCase}`, `\P{Lower}`, `\p{Nd}`, `\p{Space}`, `\p{Print}`, `\p{XDigit}`, `\p{IsGreek}`)
	case 6:
		return g.one(`\x41`, `\u0061`, `\x{e9}`, `\0101`, `\t`, `\n`, `\Qa.b\E`, `\Q.\E`, `\cM`, `\e`)
	case 7, 8:
		return g.class(2)
	case 9:
		if g.groups > 0 {
			return `\` + strconv.Itoa(1+g.r.IntN(g.groups))
		}
		fallthrough
	case 10, 11:
		if g.plain > 0 {
			return "(?:" + g.alternatives(depth-1) + ")"
		}
		before := g.groups
		in := g.alternatives(depth - 1)
		if strings.Contains(in, `\1`) && before == 0 {
			in = "a"
			g.groups = 0
		}
		g.groups++
		return "(" + in + ")"
	case 12:
		open := g.one("(?:", "(?>", "(?i:", "(?s:", "(?m:", "(?-i:", "(?iu:", "(?d:", "(?x:")
		return open + g.inside(open == "(?>", depth) + ")"
	}
	switch g.r.IntN(4) {
	case 0:
		return g.one("(?i)", "(?s)", "(?m)", "(?x)", "(?-i)", "(?iu)", "(?d)") + g.atom(depth-1)
	case 1:
		return g.one("(?<=", "(?<!") + g.one("a", "b", `\d`, `\n`, `[a-c]`, "é", "^", `\r`) + ")"
	}
	return g.one("(?=", "(?!") + g.inside(true, depth) + ")"
}

func (g *patternMaker) inside(plain bool, depth int) string {
	if plain {
		g.plain++
		defer func() { g.plain-- }()
	}
	return g.alternatives(depth - 1)
}

func (g *patternMaker) class(depth int) string {
	out := "[" + g.one("", "", "^")
	for range 1 + g.r.IntN(3) {
		out += g.member(depth)
	}
	if g.r.IntN(4) == 0 {
		out += "&&" + g.member(depth)
	}
	return out + "]"
}

func (g *patternMaker) member(depth int) string {
	if depth > 0 && g.r.IntN(4) == 0 {
		return g.class(depth - 1)
	}
	return g.one("a", "b", "a-z", "A-Z", "0-9", `\d`, `\w`, `\s`, `\W`, `\h`, `\p{L}`, `\P{Lu}`, "é", ".", "$", `\]`, `\-`, "_", `\n`, " ", `\x41-\x43`, "#", "|", "(", "*")
}

func (g *patternMaker) text() string {
	var out strings.Builder
	for range g.r.IntN(9) {
		out.WriteString(g.one("a", "b", "A", "B", "1", "_", " ", "é", "É", "ß", "-", "x", ".", "\n", "\r\n", "\r", "\u2028", "\u0085", "\t", "ٳ", "k", "\u212a", "ab", "aa", "λ", "\u0301", "\v", "\u00a0", "²"))
	}
	return out.String()
}

// matchesOnly drops the groups of printed matches.
var matchesOnly = regexp.MustCompile(`\[("(?:[^"\\]|\\.)*")(?: (?:nil|"(?:[^"\\]|\\.)*"))+\]`)

// TestRandomPatterns compares regular expressions with Java's: the matches and their
// groups. LISP_PATTERNS is how many, LISP_SEED where they begin.
func TestRandomPatterns(t *testing.T) {
	n, seed := 1000, 1
	if s := os.Getenv("LISP_PATTERNS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("LISP_SEED"); s != "" {
		seed, _ = strconv.Atoi(s)
	}
	c := oracle.Start(t)
	agree, refused, invalid, leftovers, different := 0, 0, 0, 0, 0
	for i := range n {
		g := &patternMaker{r: rand.New(rand.NewPCG(uint64(seed+i), 7))}
		pattern, text := g.alternatives(3), g.text()
		program := fmt.Sprintf(`(let [p (re-pattern %s) s %s] [(re-seq p s) (re-matches p s)])`, quotedText(pattern), quotedText(text))
		want, err := c.Run(program)
		if err != nil {
			t.Fatal(err)
		}
		got := run(program)
		switch {
		case !want.OK && !got.OK:
			invalid++
		case want.OK && !got.OK:
			refused++
			if testing.Verbose() {
				t.Logf("refused %s: %s", strconv.Quote(pattern), got.Message)
			}
		case got.OK == want.OK && got.Text == want.Text:
			agree++
		case got.OK && want.OK && matchesOnly.ReplaceAllString(got.Text, "[$1]") == matchesOnly.ReplaceAllString(want.Text, "[$1]"):
			leftovers++ // Java keeps groups of tries that came to nothing
		default:
			if different++; different <= 20 {
				t.Errorf("%q on %q\n  here %v %s\n  java %v %s %s", pattern, text, got.OK, got.Text, want.OK, want.Text, want.Message)
			}
		}
	}
	t.Logf("of %d patterns %d agree, %d are refused by both, %d only here, %d differ in a group, %d differ", n, agree, invalid, refused, leftovers, different)
	if leftovers > 1+n/500 || refused > 1+n/50 {
		t.Error("more than a few groups differ, or more than a few patterns are refused")
	}
}

func quotedText(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			out.WriteString(`\` + string(c))
		case c < 0x20 || c == 0x85 || c == 0x2028:
			fmt.Fprintf(&out, `\u%04x`, c)
		default:
			out.WriteRune(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}
