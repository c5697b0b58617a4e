package regex

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

// TestMemoChangesNothing compares matches of long subjects with and without the
// memo, over random patterns.
func TestMemoChangesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	limits := sandbox.DefaultLimits()
	limits.Fuel = 300_000
	compared, ended := 0, 0
	for range 6000 {
		g := newGenerator(rnd)
		source := g.pattern()
		p, err := Compile(source, g.flags, ECMAScript, DefaultLimits())
		if err != nil {
			continue
		}
		units := utf16Of(longSubject(rnd, g))
		plain, memo := run1(t, p, units, false, limits), run1(t, p, units, true, limits)
		switch {
		case plain == "limit" && memo != "limit":
			ended++
		case plain == "limit":
		case plain != memo:
			t.Errorf("/%s/%s on %s: %s, with a memo %s", source, g.flags, show(units), plain, memo)
		default:
			compared++
		}
	}
	t.Logf("%d agree; %d more end in the same fuel with a memo", compared, ended)
}

func utf16Of(s string) []uint16 { return q16(q32(s)) }

// longSubject is runs of characters, so that loops have much to give back.
func longSubject(rnd *rand.Rand, g *generator) string {
	var b strings.Builder
	for b.Len() < 40+rnd.IntN(400) {
		b.WriteString(strings.Repeat(g.pick(g.chars...), 1+rnd.IntN(90)))
	}
	return b.String()
}

func run1(t *testing.T, p *Program, units []uint16, eager bool, l sandbox.Limits) string {
	t.Helper()
	x := Matcher{eager: eager}
	m := testMeter(t, l)
	c, ok, err := x.Find(p, UTF16(units), 0, m)
	var f *sandbox.Fault
	switch {
	case errors.As(err, &f) && f.Kind.Limit():
		return "limit"
	case err != nil:
		t.Fatal(err)
	case !ok:
		return "none"
	}
	return fmt.Sprint(c)
}

// TestMemoIsBounded runs a long match in little memory: the memo must stop
// growing and the fuel decide.
func TestMemoIsBounded(t *testing.T) {
	p := mustCompile(t, `^(?:(?:a|b){1,200}){1,200}$`, "")
	l := sandbox.DefaultLimits()
	l.Memory = 256 << 10
	m := testMeter(t, l)
	var x Matcher
	_, ok, err := x.Exec(p, ASCII(strings.Repeat("ab", 1000)+"!"), 0, m)
	if got := outcome(t, err, ok); got != "fuel" && got != "none" {
		t.Errorf("ended with %s", got)
	}
}

func mustCompile(t testing.TB, pattern, flags string) *Program {
	t.Helper()
	p, err := Compile(pattern, flags, ECMAScript, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFoldClasses holds the classes against the definition, over all characters.
func TestFoldClasses(t *testing.T) {
	for _, f := range []folding{upperFolding, simpleFolding} {
		by := map[rune][]rune{}
		for r := range rune(lastChar + 1) {
			if c := f.canonical(r); c != r || len(by[c]) > 0 {
				by[c] = append(by[c], r)
			}
		}
		for c, members := range by {
			if !slices.Contains(members, c) {
				members = append(members, c)
			}
			slices.Sort(members)
			if len(members) < 2 {
				continue
			}
			for _, r := range members {
				if got := f.classes().members[r]; !slices.Equal(got, members) {
					t.Fatalf("folding %d: %U counts as %U, want %U", f, r, got, members)
				}
			}
		}
	}
}
