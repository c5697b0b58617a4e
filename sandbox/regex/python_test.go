package regex

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/internal/cpython"
	"github.com/polyglove/polyglove/sandbox"
)

var recordPython = flag.Bool("record-python", false, "write testdata/python.jsonl with the answers of a CPython 3.12")

// pythonCase is a pattern with what CPython says about it.
type pythonCase struct {
	Pattern string          `json:"pattern"`
	Flags   int             `json:"flags"`
	Text    string          `json:"text"`
	Answer  json.RawMessage `json:"answer,omitempty"`
}

// askCPython has CPython answer.
func askCPython(t *testing.T, cases []pythonCase) []pythonCase {
	t.Helper()
	return cpython.Ask[pythonCase, pythonCase](t, "testdata/python.py", cases)
}

func readPythonCases(t *testing.T, raw []byte) []pythonCase {
	t.Helper()
	var cases []pythonCase
	s := bufio.NewScanner(bytes.NewReader(raw))
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var c pythonCase
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// answerLikePython is what testdata/python.py gives, from our engine.
func answerLikePython(t *testing.T, c pythonCase) any {
	t.Helper()
	m, err := sandbox.NewMeter(context.Background(), sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	p, flags, err := CompilePython([]rune(c.Pattern), c.Flags, false, DefaultLimits())
	if err != nil {
		var e *PythonError
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		return map[string]any{"error": e.Kind + ": " + e.Error()}
	}
	names := map[string]any{}
	for _, n := range p.Names() {
		names[n.Name] = n.Groups[0]
	}
	in := Runes([]rune(c.Text))
	var x Matcher
	shown := func(captures []int) []any {
		var out []any
		for i := 0; i < len(captures); i += 2 {
			out = append(out, []int{captures[i], captures[i+1]})
		}
		if x.Last() == 0 {
			return append(out, nil)
		}
		return append(out, x.Last())
	}
	found := []any{}
	for at, find := 0, x.Find; ; {
		captures, ok, err := find(p, in, at, m)
		if err != nil {
			return map[string]any{"limit": err.Error()}
		}
		if !ok {
			break
		}
		found = append(found, shown(captures))
		at, find = captures[1], x.Find
		if captures[0] == captures[1] {
			find = x.FindNext
		}
	}
	one := func(find func(*Program, Input, int, *sandbox.Meter) ([]int, bool, error)) any {
		captures, ok, err := find(p, in, 0, m)
		if err != nil || !ok {
			return err
		}
		return shown(captures)
	}
	return map[string]any{"flags": flags, "names": names, "found": found, "match": one(x.MatchAt), "full": one(x.MatchAll)}
}

func comparePython(t *testing.T, cases []pythonCase) {
	t.Helper()
	wrong := 0
	for _, c := range cases {
		var want, got any
		if err := json.Unmarshal(c.Answer, &want); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(answerLikePython(t, c))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			if wrong++; wrong < 20 {
				t.Errorf("%q flags %d on %q:\n got %s\nwant %s", c.Pattern, c.Flags, c.Text, raw, c.Answer)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d differ", wrong, len(cases))
	}
}

// pythonPatterns are patterns for the parts of the syntax, right and wrong.
var pythonPatterns = []string{
	``, `a`, `abc`, `a|b`, `(a)(b)?`, `(?:ab)+`, `(?P<x>a)(?P=x)`, `(?P<x>a)(?P<x>b)`, `(?P<1>a)`, `(?P<x`, `(?P<>a)`, `(?P=x)`, `(?Px)`, `(?P`,
	`(?P>`, `(`, `)`, `a)`, `(?`, `(?:`, `(?:a`, `(?#c)a`, `(?#c`, `(?i)A`, `a(?i)b`, `(?i:A)b`, `(?-i:a)`, `(?i-i:a)`, `(?L)a`, `(?u)a`, `(?a)\w`,
	`(?au)a`, `(?z)`, `(?iz)`, `(?i`, `(?i-`, `(?i-z`, `(?-`, `(?-a:b)`, `(?i-m:a`, `(?i-m`, `(?<a>b)`, `(?<`, `(?<=a)b`, `(?<=a+)b`, `(?<=a|bc)d`,
	`(?<!a)b`, `(?<=(a))b`, `(?<=(a)\1)b`, `(a)(?<=\1)b`, `(?=a)b`, `(?=a)a`, `(?!a)b`, `(?=a)*b`, `(?!)`, `(?>a+)a`, `(?>a+)b`, `a++a`, `a*+b`,
	`a?+a`, `a{1,2}+a`, `a{2}`, `a{2,}`, `a{,2}`, `a{,}`, `a{2,1}`, `a{`, `a{1`, `a{1,`, `a{x}`, `{`, `{}`, `x{}`, `x{1}{2}`, `a**`, `a+*`, `a???`,
	`*`, `+a`, `?`, `^*`, `$*`, `\b*`, `(|a)*`, `(a|)*b`, `(a*)*`, `(a*)+`, `(a*)?`, `(a*?)*?`, `(a?){2,3}`, `((a)|b)*`, `(?:(a)|b)*`, `()*`, `(a){0}b`,
	`(?(1)a|b)`, `(a)?(?(1)b|c)`, `(a)?(?(1)b)`, `(?P<n>a)?(?(n)b|c)`, `(?(n)a|b)`, `(?(0)a)`, `(?(1)a|b|c)`, `(?(2)a)(b)`, `(?(1`, `(?()a)`, `(?(1a)b)`,
	`[a-c]`, `[^a-c]`, `[]a]`, `[^]a]`, `[a-]`, `[-a]`, `[a\]]`, `[a`, `[`, `[]`, `[^]`, `[z-a]`, `[\d-z]`, `[a-\d]`, `[\w.]`, `[\W]`, `[^\W\d]`, `[\b]`, `[\s-]`,
	`[\x41-\x43]`, `[\u0041]`, `[\q]`, `[\8]`, `[\101]`, `[\777]`, `[[a]`, `[a--b]`, `[a&&b]`, `\d+`, `\D`, `\s`, `\S+`, `\w+`, `\W+`, `\bx\b`, `\Bx`, `\B`, `\A`,
	`\Z`, `^a`, `a$`, `(?m)^a$`, `(?s).`, `.`, `\.`, `\n`, `\t`, `\x41`, `\x4`, `\xg`, `\u00e9`, `\u00`, `\U0001F600`, `\U00110000`, `\N{DIGIT ONE}`,
	`\N{NOPE}`, `\N`, `\N{`, `\N{}`, `\0`, `\01`, `\012`, `\1`, `(a)\1`, `(a\1)`, `(a)\2`, `\400`, `\377`, `(a)\11`, `\q`, `\_`, `\é`, `\`, `a\`, `(\`,
	`(?x) a b # c`, `(?x)[a b]`, `(?x:a b) c`, `(?x) a \  b`, `a b`, `(?x)#`, `(a)(b)(c)`, `((a)(b))`, `(?i)ſ`, `(?i)K`, `(?i)[a-z]`, `(?i)É`, `(?i)ı`, `(?i)straße`,
	`(?ai)K`, `(a+|b)*c`, `(.*)(\d+)`, `(.*?)(\d+)`, `(?:a|ab)(?:c|bcd)`, `(\w+)@(\w+)\.com`, `(?P<y>\d{4})-(?P<m>\d\d)`, `,\s*`, `["'](.*?)["']`, `(?=(ab))(a)`, `(a)|(b)|(c)`,
	`(?<=\b)a`, `(?<=^)a`, `(?<!^)a`, `(?<=(?=a))a`, `x*`, `(?:x|)`, `|a`, `a|`, `||`, `(?m)$`, `(?m)^`, `$`, `^`, `\w*?\b`, `(a)?b\1`, `(?:(a)|b)\1`,
	`\d{3}-\d{4}|\d{4}`, "a\nb(", "a\n*", `(?P<a b>c)`, `(?P<é>c)`, `(?P<x>a)(?(x)b|c)`, `(?P<x>`, `(?P=x`, `(?P=)`, `(?a:\w)`, `(?u:\w)`, `(?s-i:.)`, `(?s-:a)`, `(?:)`,
	`(?:)*`, `(?:a*)*`, `(?:a+)+b`, `(?:a|b)*?c`, `((a*)b)*`, `(a*b*)*`, `(?=(a*))\1b`, `(?!(a))b`, `(?:(?=(a))a)*`, `a{0}`, `a{0,0}b`, `(?i)[^a]`, `(?i)[k]`, `\ud800`, `[^\n]+`,
}

var pythonTexts = []string{"", "a", "b", "ab", "aab", "abc", "aaa\n", "a\nb", "abab", "cab 12", "x y", "ABC kK\u212a sſ", "éÉ ıİi", "foo@bar.com, 2024-01-31", `"q" 'r'`, "aabbcc", "\n", "a1_b", "straße STRASSE", "A", "\x01\n1"}

func TestPythonGolden(t *testing.T) {
	const file = "testdata/python.jsonl"
	if *recordPython {
		var cases []pythonCase
		for i, p := range pythonPatterns {
			for j := range 3 {
				cases = append(cases, pythonCase{Pattern: p, Text: pythonTexts[(3*i+7*j)%len(pythonTexts)]})
			}
			cases = append(cases, pythonCase{Pattern: p, Flags: []int{2, 8, 16, 64, 256, 2 | 256, 32, 2 | 8}[i%8], Text: pythonTexts[(i+5)%len(pythonTexts)]})
		}
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		for _, c := range askCPython(t, cases) {
			if err := enc.Encode(c); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	comparePython(t, readPythonCases(t, raw))
}

// TestPythonLive compares all patterns with all texts, and random patterns.
func TestPythonLive(t *testing.T) {
	var cases []pythonCase
	for i, p := range pythonPatterns {
		for j, s := range pythonTexts {
			cases = append(cases, pythonCase{Pattern: p, Flags: []int{0, 0, 2, 8, 16}[(i+j)%5], Text: s})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		cases = append(cases, pythonCase{Pattern: randomPattern(r, 4), Flags: []int{0, 0, 0, 2, 8}[r.IntN(5)], Text: randomText(r)})
	}
	comparePython(t, askCPython(t, cases))
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(9) {
		b.WriteString([]string{"a", "b", "c", "A", "\n", "1", " "}[r.IntN(7)])
	}
	return b.String()
}

func randomPattern(r *rand.Rand, depth int) string {
	atoms := []string{"a", "b", "c", ".", `\w`, `\d`, `\b`, "^", "$", "[ab]", "[^a]", `\1`, `\s`, `\B`}
	if depth == 0 || r.IntN(3) == 0 {
		return atoms[r.IntN(len(atoms))]
	}
	switch r.IntN(8) {
	case 0:
		return "(" + randomPattern(r, depth-1) + ")"
	case 1:
		return "(?:" + randomPattern(r, depth-1) + ")"
	case 2:
		return randomPattern(r, depth-1) + "|" + randomPattern(r, depth-1)
	case 3:
		return "(" + randomPattern(r, depth-1) + ")" + []string{"*", "+", "?", "*?", "+?", "{2}", "{1,2}", "*+", "??"}[r.IntN(9)]
	case 4:
		return []string{"(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:"}[r.IntN(6)] + randomPattern(r, depth-1) + ")"
	}
	return randomPattern(r, depth-1) + randomPattern(r, depth-1)
}

// TestPythonClasses compares the character classes and the pairs that
// IGNORECASE takes for one.
func TestPythonClasses(t *testing.T) {
	const script = `
import re, sys, _sre, re._casefix as fix
for pattern in (r'\d', r'\s', r'\w'):
    p = re.compile(pattern)
    print(' '.join(str(r) for r in range(0x110000) if p.match(chr(r))))
pairs = []
for r in range(0x110000):
    l = _sre.unicode_tolower(r)
    same = {l, *fix._EXTRA_CASES.get(l, ())}
    pairs.append(min(same))
print(' '.join(f'{r}:{m}' for r, m in enumerate(pairs) if r != m))
`
	out, err := exec.Command(cpython.Need(t), "-c", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	for i, s := range []charset{pythonDigits(), pythonSpaces, pythonWords()} {
		var want charset
		for _, f := range strings.Fields(lines[i]) {
			var r rune
			fmt.Sscan(f, &r)
			want = append(want, span{r, r})
		}
		want = normal(want)
		if !reflect.DeepEqual(s, want) {
			t.Errorf("class %d: missing %x, extra %x", i, want.subtract(s), s.subtract(want))
		}
	}
	least := map[rune]rune{}
	for _, f := range strings.Fields(lines[3]) {
		var r, m rune
		fmt.Sscanf(f, "%d:%d", &r, &m)
		least[r] = m
	}
	of := func(r rune) rune {
		if m, ok := least[r]; ok {
			return m
		}
		return r
	}
	// Two characters are one for us exactly if they are for CPython.
	groups := map[rune]rune{}
	for r := rune(0); r <= lastChar; r++ {
		c := canonicalPython(r)
		if first, ok := groups[c]; !ok {
			groups[c] = of(r)
		} else if first != of(r) {
			t.Errorf("%U: %U for us, %U for CPython (group of %U)", r, c, of(r), first)
		}
	}
	seen := map[rune]rune{}
	for r := rune(0); r <= lastChar; r++ {
		c := canonicalPython(r)
		if other, ok := seen[of(r)]; ok && other != c {
			t.Errorf("%U: CPython joins %U, we keep %U apart", r, of(r), c)
		}
		seen[of(r)] = c
	}
}
