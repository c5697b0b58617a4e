package regex

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/polyglove/polyglove/sandbox"
)

// attacks are patterns that make a plain backtracking matcher run for ever, with
// what must happen under a small budget: most end with the answer, because
// states that have failed are not tried again; the rest end with the fuel.
var attacks = []struct {
	pattern, flags, subject string
	want                    string // match, none, or the limit that ends it
}{
	// Repetition inside repetition.
	{`^(a+)+$`, "", rep("a", 5000) + "!", "none"},
	{`(a+)+$`, "", rep("a", 5000) + "!", "none"},
	{`([a-zA-Z]+)*$`, "", rep("a", 3000) + "!", "match"},
	{`^([a-zA-Z]+)*$`, "", rep("a", 3000) + "!", "none"},
	{`(a*)*b`, "", rep("a", 3000), "none"},
	{`(a*)+b`, "", rep("a", 3000), "none"},
	{`((a*)*)*b`, "", rep("a", 3000), "none"},
	{`(?:(?:(?:a*)+)*)+b`, "", rep("a", 2000), "none"},
	{`(x+x+)+y`, "", rep("x", 400), "none"},
	{`(x+x+)+y`, "", rep("x", 300) + "y", "match"},
	{`(x+x+)+[yz]`, "", rep("x", 3000), "none"},
	{`(x+x+)+[yz]`, "u", rep("x", 3000), "none"},
	{`([^😀]+[^😁]+)+[yz]`, "u", rep("x", 2000), "none"},
	{`(x+?x+?)+?[yz]`, "", rep("x", 3000), "none"},
	{`(?:x+?y?)+?[yz]`, "", rep("x", 3000) + "w", "none"},
	{`^(([a-z])+.)+[A-Z]([a-z])+$`, "", rep("a", 600), "none"},
	{`(.*a){11}$`, "", rep("a", 60) + "!", "none"},
	{`^\.([A-Z]+)*$`, "", "." + rep("B", 3000) + "1", "none"},
	{`^[A-Z]+\.([A-Z]+)*$`, "", "A." + rep("B", 3000) + "1", "none"},
	// Alternatives that overlap.
	{`(a|a)*b`, "", rep("a", 3000), "none"},
	{`(a|aa)+$`, "", rep("a", 3000) + "!", "none"},
	{`(a|a?)+$`, "", rep("a", 3000) + "!", "match"},
	{`^(a|a?)+$`, "", rep("a", 2000) + "!", "none"},
	{`^(?:a|b|ab)+$`, "", rep("ab", 2000) + "c", "none"},
	{`(?=x?)(a|a)*b$`, "", rep("a", 3000), "none"},
	{`^(\w|\d)+$`, "", rep("1", 3000) + "!", "none"},
	{`(?:"[^"]*"|[^,])*,$`, "", rep(`"a"`, 700), "none"},
	// Many loops in a row.
	{`a*a*a*a*a*a*a*b`, "", rep("a", 400), "none"},
	{`(.*)(.*)(.*)x`, "", rep("a", 2000), "none"},
	{`.*.*=.*`, "", rep("x", 5000), "none"},
	{`(?:(?:"|'|\]|\}|\\|\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|` + "`" + `|\-|\+)+[)]*;?((?:\s|-|~|!|{}|\|\||\+)*.*(?:.*=.*)))`, "", "x=" + rep("x", 3000), "none"},
	{`\s+$`, "", rep(" ", 20000) + "x", "none"},
	{`^\s+|\s+$`, "", "x" + rep(" ", 20000) + "x", "none"},
	{`\s*,\s*$`, "", rep(" ", 5000), "none"},
	{`[^,]*,[^,]*;`, "", rep("a", 20000), "none"},
	{`.*x`, "", rep("a", 20000), "none"},
	{`.+?x`, "", rep("a", 5000), "none"},
	{`a.*b.*c`, "", rep("ab", 3000), "none"},
	{`a.*b.*[cd]`, "", rep("ab", 3000), "none"},
	{`(.*)(.*)(.*)[xy]`, "", rep("a", 3000), "none"},
	{`(.*?)(.*?)(.*?)[xy]`, "", rep("a", 3000), "none"},
	{`a*a*a*a*a*a*a*[bc]`, "", rep("a", 3000), "none"},
	{`<!--.*?-->`, "s", rep("<!--", 3000), "none"},
	{`<[^>]*>[^<]*</`, "", rep("<", 5000), "none"},
	// Optional and counted.
	{`^(a?){300}a{300}$`, "", rep("a", 299), "none"},
	{`(?:a?){30}a{30}`, "", rep("a", 30), "match"},
	{`(a{0,30}){0,30}b`, "", rep("a", 900), "none"},
	{`^(?:a{1,10}){1,10}$`, "", rep("a", 101), "none"},
	{`^(?:(?:a{1,5}){1,5}){1,5}$`, "", rep("a", 126), "none"},
	{`(?:a|aa){100}$`, "", rep("a", 150) + "!", "none"},
	{`(((a{100}){100}){100}){100}`, "", rep("a", 5000), "none"},
	{`(?:){1000000}x`, "", "y", "none"},
	{`(?:(?:){1000}){1000}`, "", "", "match"},
	{`(?:(?:a|){1000}){1000}$`, "", "", "memory"},
	// Found in published code.
	{`^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$`, "", rep("a", 1500) + "!", "none"},
	{`[\u001b\u009b][[\]()#;?]*(?:(?:(?:[a-zA-Z\d]*(?:;[a-zA-Z\d]*)*)?\u0007)|(?:(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PRZcf-ntqry=><~]))`, "", "\u001b[" + rep(";", 5000), "none"},
	{`^(?:\+|-)?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE](?:\+|-)?\d+)?$`, "", rep("1", 5000) + "x", "none"},
	{`^((?:[^"\\]|\\.)*)"$`, "", rep(`\a`, 2000), "none"},
	{`(?:\/\*(?:[^*]|(?:\*+[^*\/]))*\*+\/)|(?:\/\/.*)`, "", "/*" + rep("*a", 1500), "none"},
	{`^(?:(?:[a-z0-9]+)(?:[.-]?))+@`, "i", rep("a", 1500), "none"},
	{`(\d+,?)+!`, "", rep("1", 3000), "none"},
	{`^(?:(?!x)[^b])*b`, "", rep("a", 20000) + "b", "match"},
	// Inside lookarounds.
	{`(?=(a+)+$)x`, "", rep("a", 1500) + "!", "none"},
	{`(?!(a+)+$)x`, "", rep("a", 1500) + "!", "none"},
	{`(?!z)a*a*a*a*a*a*a*b`, "", rep("a", 400), "none"},
	{`(?<=(a|a)*c)b`, "", rep("a", 300) + "b", "none"},
	{`(?<!(?:a|a)*c)b$`, "", rep("a", 300) + "b", "match"},
	{`^(?=.*[A-Z])(?=.*\d)(?=.*[!@#]).{8,}$`, "", rep("a", 5000), "none"},
	// With backreferences nothing can be remembered.
	{`^(a+)+\1$`, "", rep("a", 40) + "!", "fuel"},
	{`(a|a)*\1b`, "", rep("a", 40), "none"}, // there is no b: the required text is missing
	{`(a*)*\1b`, "", rep("a", 60) + "cb", "fuel"},
	{`(.*)\1(.*)\2(.*)\3$`, "", rep("ab", 300) + "c", "fuel"},
	{`^(["'])(?:(?!\1).)*\1$`, "", `"` + rep("a", 3000), "none"},
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

func smallLimits() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Memory = 1_000_000, 8<<20
	return l
}

func outcome(t *testing.T, err error, ok bool) string {
	t.Helper()
	var f *sandbox.Fault
	switch {
	case errors.As(err, &f):
		return string(f.Kind)
	case err != nil:
		t.Fatalf("an error that is no fault: %v", err)
	case ok:
		return "match"
	}
	return "none"
}

func TestAttacks(t *testing.T) {
	var x Matcher
	for _, a := range attacks {
		p, err := Compile(a.pattern, a.flags, ECMAScript, DefaultLimits())
		if err != nil {
			t.Errorf("%s: %v", a.pattern, err)
			continue
		}
		m := testMeter(t, smallLimits())
		start := time.Now()
		_, ok, err := x.Exec(p, Text(a.subject), 0, m)
		took := time.Since(start)
		if got := outcome(t, err, ok); got != a.want {
			t.Errorf("/%s/%s on %d characters: %s, want %s (%v, fuel %d)", a.pattern, a.flags, len(a.subject), got, a.want, took, m.Usage().Fuel)
		}
		if m.Usage().Memory != 0 {
			t.Errorf("/%s/: %d bytes are still charged", a.pattern, m.Usage().Memory)
		}
		t.Logf("%8d fuel %10v  /%s/", m.Usage().Fuel, took.Round(time.Microsecond), sandbox.Clip(a.pattern, 60))
	}
}
