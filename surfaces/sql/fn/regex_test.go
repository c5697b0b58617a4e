package fn

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/surfaces/sql/pgcat"
	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/vector"
)

// regexWriter writes random expressions over few letters, so that much matches.
type regexWriter struct {
	*rand.Rand
	groups int
	left   int // how many atoms may still come
}

func (w *regexWriter) pick(s ...string) string { return s[w.IntN(len(s))] }

func (w *regexWriter) alternation(depth int) string {
	parts := []string{w.branch(depth)}
	for w.IntN(4) == 0 {
		parts = append(parts, w.branch(depth))
	}
	return strings.Join(parts, "|")
}

func (w *regexWriter) branch(depth int) string {
	var b strings.Builder
	for range w.IntN(4) {
		if w.left--; w.left < 0 {
			break
		}
		b.WriteString(w.quantified(depth))
	}
	return b.String()
}

func (w *regexWriter) quantified(depth int) string {
	if w.IntN(12) == 0 {
		return w.pick("^", "$", `\m`, `\M`, `\y`, `\Y`, "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", `\A`, `\Z`)
	}
	atom := w.atom(depth)
	if w.IntN(2) == 0 {
		atom += w.pick("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}", "{1}?", "{2,3}?")
	}
	return atom
}

func (w *regexWriter) atom(depth int) string {
	if depth > 0 && w.IntN(3) == 0 {
		if w.IntN(4) == 0 {
			return "(?:" + w.alternation(depth-1) + ")"
		}
		text := "(" + w.alternation(depth-1) + ")"
		w.groups++
		return text
	}
	if w.groups > 0 && w.IntN(14) == 0 {
		return fmt.Sprintf(`\%d`, 1+w.IntN(w.groups))
	}
	return w.pick("a", "a", "b", "b", "c", ".", "[ab]", "[^a]", `\w`, `\d`, "[b-c]", " ")
}

// regexCalls are random questions about random texts.
func regexCalls(n int) []call {
	w := &regexWriter{Rand: rand.New(rand.NewPCG(33, 55))}
	var out []call
	for range n {
		w.groups, w.left = 0, 10
		pattern := w.alternation(3)
		if w.IntN(12) == 0 {
			pattern = w.pick("(?i)", "(?n)", "(?w)", "(?p)", "***:", "(?x)") + pattern
		}
		var text strings.Builder
		for range w.IntN(9) {
			text.WriteString(w.pick("a", "a", "b", "b", "c", " ", "\n", "A", "1"))
		}
		t := text.String()
		out = append(out, call{Signature: "regexp_match(text,text)", Types: []string{"text", "text"}, Args: []*string{&t, &pattern}})
		by := `<\&\1>`
		flags := "g"
		out = append(out, call{Signature: "regexp_replace(text,text,text,text)", Types: []string{"text", "text", "text", "text"}, Args: []*string{&t, &pattern, &by, &flags}})
	}
	return out
}

// TestRegexesAgreeWithTheServer compares what random expressions match, group by
// group.
func TestRegexesAgreeWithTheServer(t *testing.T) {
	const file = "testdata/regexes.jsonl.gz"
	functions := signed()
	names := []string{"regexp_match(text,text)", "regexp_replace(text,text,text,text)"}
	recorded := map[string][]call{}
	if *record {
		s := startServer(t)
		all := regexCalls(9000)
		statements := make([]string, len(all))
		for i, c := range all {
			statements[i] = c.sql(functions[c.Signature])
		}
		for i, answer := range s.ask(t, statements) {
			all[i].Answer = answer
			recorded[all[i].Signature] = append(recorded[all[i].Signature], all[i])
		}
		writeAnswers(t, file, names, recorded)
	} else {
		recorded = readAnswers(t, file)
	}
	total, wrong := 0, 0
	for _, name := range names {
		for _, c := range recorded[name] {
			e := testEnv(t)
			total++
			got := c.ours(e, functions[name])
			if got != c.Answer {
				if wrong++; wrong <= 40 {
					t.Errorf("%s: got %.200q, the server says %.200q", c.sql(functions[name]), got, c.Answer)
				}
			}
		}
	}
	t.Logf("%d of %d agree", total-wrong, total)
}

// FuzzRegex looks for patterns that make a search fall over, or run without being
// charged.
func FuzzRegex(f *testing.F) {
	f.Add("(a|b)*c", "aabac")
	f.Add(`(a+)+\1(?=b)`, "aaaab")
	f.Add("[[:alpha:]-z]{2,3}?", "x-y")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		e := testEnv(t)
		out := vector.Make(pgcat.TextArray, 1)
		args := []*vector.Column{vector.Constant(vector.Datum{Type: pgcat.Text, Value: text}, 1), vector.Constant(vector.Datum{Type: pgcat.Text, Value: pattern}, 1)}
		kernel, _ := Lookup(signedOne("regexp_match(text,text)").OID)
		if err := kernel(e, args, []int32{0}, out); err != nil && pgerr.From(err) == nil && e.Meter.Err() == nil {
			t.Errorf("%q: %v", pattern, err)
		}
	})
}

func signedOne(name string) *pgcat.Function {
	for f := range pgcat.Default().Functions() {
		if signature(pgcat.Default(), f) == name {
			return f
		}
	}
	return nil
}
