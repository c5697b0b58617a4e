package regex

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
)

// TestPatternsThatAreTooLarge: each is refused before it costs much.
func TestPatternsThatAreTooLarge(t *testing.T) {
	for _, c := range []struct {
		name, pattern, flags string
	}{
		{"groups inside groups", strings.Repeat("(", 10000) + strings.Repeat(")", 10000), ""},
		{"lookarounds inside lookarounds", strings.Repeat("(?=", 5000) + strings.Repeat(")", 5000), ""},
		{"classes inside classes", strings.Repeat("[", 10000) + strings.Repeat("]", 10000), "v"},
		{"a long text", strings.Repeat("a", 1<<20), ""},
		{"many properties", strings.Repeat(`\p{L}`, 5000), "u"},
		{"many properties of strings", strings.Repeat(`\p{RGI_Emoji}`, 1000), "v"},
		{"many captures", strings.Repeat("()", 40000), ""},
		{"many names", strings.Repeat("(?<a>)|", 30000), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := testMeter(t, sandbox.DefaultLimits())
			l := DefaultLimits()
			l.Meter = m
			_, err := Compile(c.pattern, c.flags, ECMAScript, l)
			var bad *SyntaxError
			if !errors.As(err, &bad) || bad.Text != "Regular expression too large" {
				t.Errorf("error %v", err)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

// TestCountsAreNotCopiedOut: repetition counts make programs no larger.
func TestCountsAreNotCopiedOut(t *testing.T) {
	for _, pattern := range []string{`a{1000}{1000}`, `(?:a{1000}){1000}`, `(((ab{1000}){1000}){1000}){1000}`, `(?:(?:a?){65535}){65535}`} {
		p, err := Compile(pattern, "", ECMAScript, DefaultLimits())
		if err != nil {
			continue // a{1000}{1000} repeats nothing
		}
		if p.Bytes() > 8<<10 {
			t.Errorf("%s takes %d bytes", pattern, p.Bytes())
		}
	}
}

// TestCompilingIsCharged: a program that compiles in a loop runs out of fuel or
// memory.
func TestCompilingIsCharged(t *testing.T) {
	for _, pattern := range []string{strings.Repeat("(a|b)*", 4000), strings.Repeat(`\D`, 10000), strings.Repeat(`[^é-ü]?`, 3000), strings.Repeat("(?:", 190) + "a?b?" + strings.Repeat(")*", 190)} {
		for _, flags := range []string{"", "i", "iu"} {
			m := testMeter(t, sandbox.DefaultLimits())
			l := DefaultLimits()
			l.Meter = m
			start := time.Now()
			if _, err := Compile(pattern, flags, ECMAScript, l); err != nil && !strings.Contains(err.Error(), "too large") {
				t.Fatal(err)
			}
			u := m.Usage()
			t.Logf("%.20s… /%s: %v, %d units, %d bytes", pattern, flags, time.Since(start), u.Fuel, u.Memory)
			if u.Fuel < int64(len(pattern)/2) || u.Memory < int64(len(pattern)) {
				t.Errorf("%.20s…: only %d units and %d bytes", pattern, u.Fuel, u.Memory)
			}
		}
	}
}

// TestLimitsOfCompilingStopIt: the meter's fault is the error.
func TestLimitsOfCompilingStopIt(t *testing.T) {
	small := sandbox.DefaultLimits()
	small.Fuel = 100
	l := DefaultLimits()
	l.Meter = testMeter(t, small)
	_, err := Compile(strings.Repeat("(a|b)*", 100), "", ECMAScript, l)
	var f *sandbox.Fault
	if !errors.As(err, &f) || f.Kind != sandbox.KindFuel {
		t.Errorf("error %v", err)
	}
	if _, err := Compile("a", "", ECMAScript, Limits{}); err == nil {
		t.Error("limits of zero are accepted")
	}
}

// TestStackIsCharged: what a match pushes is paid for before and given back.
func TestStackIsCharged(t *testing.T) {
	p := mustCompile(t, `(?:(a)|b)*c`, "")
	l := sandbox.DefaultLimits()
	l.Memory = 64 << 10
	m := testMeter(t, l)
	var x Matcher
	_, _, err := x.Exec(p, ASCII(strings.Repeat("a", 100_000)+"c"), 0, m)
	var f *sandbox.Fault
	if !errors.As(err, &f) || f.Kind != sandbox.KindMemory {
		t.Errorf("error %v, want the memory to end", err)
	}
	if frames := cap(x.stack); frames*frameBytes > 64<<10 {
		t.Errorf("the stack grew to %d frames", frames)
	}
	m = testMeter(t, sandbox.DefaultLimits())
	if _, ok, err := x.Exec(p, ASCII(strings.Repeat("a", 100_000)+"c"), 0, m); !ok || err != nil {
		t.Errorf("%v, %v with more memory", ok, err)
	}
	if m.Usage().Memory != 0 {
		t.Errorf("%d bytes are still charged", m.Usage().Memory)
	}
	if len(x.stack) > keptFrames {
		t.Errorf("the matcher keeps %d frames", len(x.stack))
	}
}

// TestCancellation: a match that runs for long ends soon after it is cancelled,
// which the fuel spent since shows without a clock.
func TestCancellation(t *testing.T) {
	subjects := map[string]string{
		`^(a+)+\1$`:    strings.Repeat("a", 60) + "!",
		`(?:.*){5}\bx`: strings.Repeat("a ", 100_000),
		`[^é]*é`:       strings.Repeat("a", 8<<20),
	}
	for pattern, subject := range subjects {
		p := mustCompile(t, pattern, "")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		m, err := sandbox.NewMeter(ctx, sandbox.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		var x Matcher
		_, _, err = x.Exec(p, ASCII(subject), 0, m)
		var f *sandbox.Fault
		if !errors.As(err, &f) || f.Kind != sandbox.KindCancelled {
			t.Errorf("%s: %v", pattern, err)
		}
		if m.Usage().Fuel > 2*scanStretch {
			t.Errorf("%s: %d units after the end", pattern, m.Usage().Fuel)
		}
	}
}

// TestFuelIsTheSame: what a match costs does not depend on what the matcher did
// before.
func TestFuelIsTheSame(t *testing.T) {
	cost := func(x *Matcher, p *Program, in Input) sandbox.Usage {
		m := testMeter(t, sandbox.DefaultLimits())
		if _, _, err := x.Exec(p, in, 0, m); err != nil {
			t.Fatal(err)
		}
		u := m.Usage()
		u.Waited = 0
		return u
	}
	var used Matcher
	for range 3 {
		for _, pattern := range []string{`(a|a)*b$`, `(?:(a)|b)*c`, `(a+)+[xy]`, `\w+\s`, `(?<=(a*))c`} {
			p, in := mustCompile(t, pattern, ""), ASCII(strings.Repeat("a", 3000)+"c")
			var fresh Matcher
			if a, b := cost(&fresh, p, in), cost(&used, p, in); a != b {
				t.Errorf("%s: %+v fresh, %+v used", pattern, a, b)
			}
		}
	}
}

// TestMatchingDoesNotAllocate once the scratch has grown.
func TestMatchingDoesNotAllocate(t *testing.T) {
	text := strings.Repeat("key: value, other=thing; ", 40)
	for _, pattern := range []string{`(\w+)[:=]\s*(\w+)`, `(?:a|b|ab)*c`, `(?<=:\s)\w+`, `(\w)\1`, `x*$`} {
		p := mustCompile(t, pattern, "")
		m := testMeter(t, roomy())
		var x Matcher
		wide := UTF16(utf16Of(text))
		n := testing.AllocsPerRun(20, func() {
			matchAll(t, &x, p, ASCII(text), m)
			matchAll(t, &x, p, wide, m)
		})
		if n > 0 {
			t.Errorf("%s: %v allocations", pattern, n)
		}
	}
}

// TestProgramsAreShared between goroutines.
func TestProgramsAreShared(t *testing.T) {
	p := mustCompile(t, `(?<word>\p{L}+)\s+(?:\k<word>)|(a|b)*c`, "iu")
	text := Text("it was was ABABC the end")
	var want []int
	{
		var x Matcher
		want, _, _ = x.Exec(p, text, 0, testMeter(t, sandbox.DefaultLimits()))
		want = slices.Clone(want)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var x Matcher
			for range 200 {
				got, ok, err := x.Exec(p, text, 0, testMeter(t, sandbox.DefaultLimits()))
				if err != nil || !ok || !slices.Equal(got, want) {
					t.Errorf("%v %v %v, want %v", got, ok, err, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestManyPatternsOneMatcher: scratch of one program does not leak into another.
func TestManyPatternsOneMatcher(t *testing.T) {
	var x Matcher
	m := testMeter(t, sandbox.DefaultLimits())
	for range 2 {
		for n := range 40 {
			p := mustCompile(t, strings.Repeat("(a)?", n)+"b", "")
			c, ok, err := x.Exec(p, ASCII("xaab"), 0, m)
			if err != nil || !ok || len(c) != 2*n+2 {
				t.Fatal(n, c, ok, err)
			}
			want := []int{max(1, 3-n), 4}
			for i := range n {
				if i < 2 {
					want = append(want, want[0]+i, want[0]+i+1)
					continue
				}
				want = append(want, -1, -1)
			}
			if fmt.Sprint(c) != fmt.Sprint(want) {
				t.Fatalf("%d: %v, want %v", n, c, want)
			}
		}
	}
}
