package regex

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/polyglove/polyglove/sandbox"
)

// benchCases are patterns over texts as programs use them.
var benchCases = []struct {
	name, pattern, flags string
	text                 func() string
}{
	{"literal", `ERROR`, "", logText},
	{"date", `(\d{4})-(\d{2})-(\d{2})`, "", logText},
	{"level", `\b(?:WARN|ERROR|FATAL)\b`, "", logText},
	{"email", `[\w.+-]+@[\w-]+\.[\w.-]+`, "", logText},
	{"fields", `^(\S+) (\S+) \[([^\]]+)\] "([^"]*)"$`, "m", logText},
	{"words", `\w+`, "", proseText},
	{"ignorecase", `the\s+quick`, "i", proseText},
	{"capitals", `[A-Z][a-z]+(?:\s[A-Z][a-z]+)*`, "", proseText},
	{"lazy", `<b>(.*?)</b>`, "", markupText},
	{"keywords", `\b(?:abstract|boolean|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|final|for|function|if|import|in|let|new|return|static|switch|this|throw|try|typeof|var|void|while|with|yield)\b`, "", codeText},
	{"tokens", `(?:([a-zA-Z_]\w*)|(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*")|([-+*/=<>!&|]+)|([(){};,.])|(\s+))`, "", codeText},
	{"letters", `\p{L}+`, "u", foreignText},
	{"emoji", `\p{Emoji_Presentation}`, "u", foreignText},
	{"accents", `[а-яё]+`, "i", foreignText},
	{"nested", `(?:a|b|ab)*c`, "", func() string { return strings.Repeat("abab", 200) + "c" }},
	{"spaces", `\s+$`, "", func() string { return strings.Repeat("a"+strings.Repeat(" ", 50), 40) + "a" }},
}

func logText() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "2024-05-%02d host%d.example.org [%s] \"GET /item/%d by user%d@example.org\"\n", 1+i%28, i%7, []string{"INFO", "WARN", "DEBUG", "ERROR"}[i%4], i, i%13)
	}
	return b.String()
}

func proseText() string {
	return strings.Repeat("The Quick Brown Fox jumps over the lazy dog while Alice Cooper sings a song of 42 words. ", 100)
}

func foreignText() string {
	return strings.Repeat("Съешь ещё этих мягких французских булок, да выпей 42 чаю 😀. ", 60)
}

func codeText() string {
	return strings.Repeat("function add(left, right) { if (left === 0) { return right; } const sum = left + right * 2.5; return \"sum \" + sum; }\n", 60)
}

func markupText() string {
	return strings.Repeat(`<p>Some <b>bold</b> and <i>slanted</i> text with <b>more bold</b> words.</p>`+"\n", 100)
}

// matchAll counts every match of the text.
func matchAll(b testing.TB, x *Matcher, p *Program, in Input, m *sandbox.Meter) int {
	n := 0
	for at := 0; ; n++ {
		c, ok, err := x.Exec(p, in, at, m)
		if err != nil {
			b.Fatal(err)
		}
		if !ok {
			return n
		}
		at = max(c[1], c[0]+1)
	}
}

func roomy() sandbox.Limits {
	l := sandbox.DefaultLimits()
	l.Fuel, l.Compute = 1<<60, time.Hour
	return l
}

// BenchmarkMatchAll finds all matches with this engine, and reports the time of
// regexp2 and of Go's regexp as multiples of ours.
func BenchmarkMatchAll(b *testing.B) {
	for _, c := range benchCases {
		b.Run(c.name, func(b *testing.B) {
			text := c.text()
			p, err := Compile(c.pattern, c.flags, ECMAScript, DefaultLimits())
			if err != nil {
				b.Fatal(err)
			}
			m := testMeter(b, roomy())
			var x Matcher
			in := Text(text)
			want := matchAll(b, &x, p, in, m)
			before := m.Usage().Fuel
			matchAll(b, &x, p, in, m)
			steps := m.Usage().Fuel - before
			b.ReportAllocs()
			b.ResetTimer()
			start := time.Now()
			for b.Loop() {
				matchAll(b, &x, p, in, m)
			}
			ours := float64(time.Since(start)) / float64(b.N)
			b.ReportMetric(ours/float64(steps), "ns/step")
			if !strings.Contains(c.flags, "u") { // its ECMAScript mode has no such flag
				b.ReportMetric(timePeer(b, func() int { return regexp2All(b, c.pattern, c.flags, text) }, want)/ours, "regexp2/ours")
			}
			if g, err := regexp.Compile(goSyntax(c.pattern, c.flags)); err == nil && c.name != "emoji" {
				b.ReportMetric(timePeer(b, func() int { return len(g.FindAllStringSubmatchIndex(text, -1)) }, want)/ours, "regexp/ours")
			}
		})
	}
}

func goSyntax(pattern, flags string) string {
	flags = strings.ReplaceAll(flags, "u", "") // what RE2 does always
	if flags == "" {
		return pattern
	}
	return "(?" + flags + ")" + pattern
}

var regexp2Cache = map[string]*regexp2.Regexp{}

func regexp2All(b testing.TB, pattern, flags, text string) int {
	re := regexp2Cache[flags+"/"+pattern]
	if re == nil {
		opts := regexp2.RegexOptions(regexp2.ECMAScript)
		if strings.Contains(flags, "i") {
			opts |= regexp2.IgnoreCase
		}
		if strings.Contains(flags, "m") {
			opts |= regexp2.Multiline
		}
		re = regexp2.MustCompile(pattern, opts)
		regexp2Cache[flags+"/"+pattern] = re
	}
	n := 0
	m, err := re.FindStringMatch(text)
	for ; err == nil && m != nil; n++ {
		m, err = re.FindNextMatch(m)
	}
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// timePeer gives the nanoseconds of one call, over enough calls to tell.
func timePeer(b *testing.B, f func() int, want int) float64 {
	if got := f(); got != want {
		b.Errorf("the peer finds %d matches, we %d", got, want)
	}
	start, n := time.Now(), 0
	for ; time.Since(start) < 100*time.Millisecond; n++ {
		f()
	}
	return float64(time.Since(start)) / float64(n)
}
